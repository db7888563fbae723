"""Changes as plain values: what the JSON report and plan.json say of them."""

from __future__ import annotations

import json

import pytest

from lintmdb.engine.repairs import find_alternatives
from lintmdb.report.json_report import finding_json
from lintmdb.settings.change_entries import change_entry, read_change
from lintmdb.settings.changes import Assignment, Change, Grant
from tests.support.project import FIXTURES
from tests.support.scenario import run_scenario


@pytest.fixture(scope="module")
def alternatives() -> list[tuple[Change, ...]]:
    """The changes for all findings of the demo and of the fixture with every kind of endpoint."""
    findings = [
        finding
        for name in ("estate", "all-families")
        for finding in run_scenario(FIXTURES / name, {}).judgement.findings
    ]
    return [changes for finding in findings for changes in find_alternatives(finding.rule, finding.rows)]


def test_changes_are_read_back(alternatives: list[tuple[Change, ...]]) -> None:
    """An entry holds all of its change but the text of the place where the old value was read, and the platform, which
    only what is said of a change depends on.
    """
    changes = [change for found in alternatives for change in found]
    assert {type(change).__name__ for change in changes} == {"Assignment", "Definition", "Grant"}
    for change in changes:
        again = read_change(json.loads(json.dumps(change_entry(change))))
        assert again == _as_read(change)


def _as_read(change: Change) -> Change:
    if isinstance(change, Grant):
        return change._replace(on_windows=False)
    return (
        change._replace(origin=None, on_zos=False) if isinstance(change, Assignment) else change._replace(on_zos=False)
    )


def test_an_entry_says_how_to_make_the_change(alternatives: list[tuple[Change, ...]]) -> None:
    """There are commands and what has to be done before they act; MQ has the way back, WebSphere the console's path."""
    for change in (change for found in alternatives for change in found):
        entry = change_entry(change)
        assert entry["commands"]
        assert entry["acts"]
        assert ("undo" in entry) == (change.target.product == "mq")
        assert bool(entry.get("console")) == (change.target.product == "was")


def test_a_finding_has_its_alternatives_in_order() -> None:
    """The JSON report holds every alternative of a finding, the preferred one first."""
    finding = next(f for f in run_scenario(FIXTURES / "estate", {}).judgement.findings if f.rule.id == "MDB302")
    shown = finding_json(finding)["changes"]
    assert [[(entry.get("attribute"), entry.get("new")) for entry in changes] for changes in shown] == [
        [("stopEndpointIfDeliveryFails", "false")],
        [("failureDeliveryCount", "51")],
    ]
