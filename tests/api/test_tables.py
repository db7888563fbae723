"""Results as tables."""

from __future__ import annotations

import sys
from typing import Any

import pytest

import lintmdb
from lintmdb import api
from tests.support.project import FIXTURES


@pytest.fixture(scope="module")
def results() -> dict[str, api.Report | api.Plan | api.Difference | api.Trace]:
    """One result of each kind."""
    estate = lintmdb.Estate(FIXTURES / "estate")
    plan = estate.plan(on_message="15s")
    return {
        "check": estate.check(on_message="15s"),
        "plan": plan,
        "diff": estate.diff(change=plan, on_message="15s"),
        "trace": estate.trace(on_message="15s"),
    }


@pytest.mark.parametrize(
    ("kind", "whole"),
    [("check", {"line", "column"}), ("plan", set[str]()), ("diff", set[str]()), ("trace", {"deliveries", "steps"})],
)
def test_both_libraries_hold_the_same(
    results: dict[str, api.Report | api.Plan | api.Difference | api.Trace], kind: str, whole: set[str]
) -> None:
    """pandas and Arrow have the same rows and columns, with None for what does not apply, and numbers as numbers."""
    pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    frame: Any = results[kind].to_pandas()
    table = results[kind].to_arrow()
    assert list(frame.columns) == table.schema.names
    rows = [
        {key: None if value is None or value != value else value for key, value in row.items()}
        for row in frame.astype(object).where(frame.notna(), None).to_dict("records")
    ]
    assert rows == table.to_pylist()
    assert len(rows) > 0
    assert {name for name in table.schema.names if str(table.schema.field(name).type) == "int64"} == whole


def test_a_report_has_a_row_for_each_verdict(
    results: dict[str, api.Report | api.Plan | api.Difference | api.Trace],
) -> None:
    """Findings come first, then what is undecided; columns can be grouped by."""
    pytest.importorskip("pandas")
    report = results["check"]
    assert isinstance(report, api.Report)
    frame: Any = report.to_pandas()
    assert frame["verdict"].value_counts().to_dict() == {
        "hazard": len(report.findings),
        "undecided": len(report.undecided),
    }
    assert list(frame["fingerprint"][: len(report.findings)]) == [finding.fingerprint for finding in report.findings]
    assert frame.groupby("severity").size().to_dict() == {"error": 6, "info": 2, "warning": 2}


def test_an_empty_result_has_its_columns() -> None:
    """A table without rows has typed columns."""
    pytest.importorskip("pyarrow")
    table = api.check(FIXTURES / "clean" / "mq").to_arrow()
    assert (table.num_rows, str(table.schema.field("line").type)) == (0, "int64")


@pytest.mark.parametrize(("method", "library"), [("to_pandas", "pandas"), ("to_arrow", "pyarrow")])
def test_what_is_not_installed_is_named(method: str, library: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the library the error says how to install it."""
    monkeypatch.setitem(sys.modules, library, None)
    report = api.check(FIXTURES / "clean")
    with pytest.raises(lintmdb.LintmdbError, match=f"{library} is not installed. python3 -m pip install {library}"):
        getattr(report, method)()
