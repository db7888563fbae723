"""diff: for a new finding the first repair is to leave the value as it was, where the change has set another one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from lintmdb.compare.estates import Side, compare
from lintmdb.engine.judge import judge
from lintmdb.plan.what_if import WhatIf
from lintmdb.report.difference_parts import return_words
from lintmdb.resolve.observations import Observations
from lintmdb.run.estate import UnresolvedEstate, read_exports, resolve_exports
from lintmdb.run.overlay import Overlay, overlay_of
from tests.support.command import Run
from tests.support.project import FIXTURES
from tests.support.scenario import RULES

_OBSERVED = Observations(5_000)
_CHANGES = (
    "ALTER QLOCAL(ORDERS.IN) BOTHRESH(15)",
    "ALTER QLOCAL(ORDERS.IN) BOTHRESH(0)",
    "ALTER QLOCAL(ORDERS.IN) BOQNAME(GONE) MAXMSGL(5000)",
    "ALTER QMGR DEADQ(GONE)",
    "ALTER QLOCAL(ORDERS.IN) BOQNAME(' ') DEFPSIST(NO) NOHARDENBO",
    "DEFINE QLOCAL(ORDERS.IN) REPLACE",
    "ALTER QLOCAL(ORDERS.BACKOUT) MAXMSGL(1)",
    "ALTER QLOCAL(ORDERS.IN) MAXDEPTH(20000)",
    "ALTER QLOCAL(ORDERS.BACKOUT) MAXDEPTH(10)",
    "DEFINE QLOCAL(OTHER) MAXDEPTH(10)\nALTER QLOCAL(ORDERS.IN) BOQNAME(OTHER)",
    "DELETE QLOCAL(ORDERS.BACKOUT)",
)


def _side(exports: UnresolvedEstate, change: Path | None) -> Side:
    overlay = (WhatIf((change,)).overlay(exports, _OBSERVED),) if change is not None else ()
    estate = resolve_exports(exports, _OBSERVED, *overlay)
    return Side(estate, judge(estate.facts, RULES), ["x"])


@pytest.mark.parametrize("fixture", ["clean", "poison-burst", "stop-5-bothresh-1", "estate"])
def test_what_is_put_back_ends_the_finding(tmp_path: Path, fixture: str) -> None:
    """Judged without the change, with what it has set put back: the rule decides on the values that it had."""
    exports = read_exports([FIXTURES / fixture])
    offered = 0
    for number, text in enumerate(_CHANGES):
        change = tmp_path / f"{number}.mqsc"
        change.write_text(f"* Queue manager name: QM1\n{text}\n")
        before, after = _side(exports, None), _side(exports, change)
        comparison = compare(before, after)
        for finding, _ in comparison.new:
            returns = comparison.returns.get(id(finding), ())
            if not returns:
                continue
            offered += 1
            overlay = WhatIf((change,)).overlay(exports, _OBSERVED)
            back = overlay_of(returns)
            scripts = {key: (*own, *back.scripts.get(key, ())) for key, own in overlay.scripts.items()}
            mended = resolve_exports(exports, _OBSERVED, Overlay(scripts))
            found = {each.fingerprint for each in judge(mended.facts, RULES).findings}
            assert finding.fingerprint not in found, (text, return_words(comparison, finding))
    assert offered or fixture == "estate"


def test_every_report_tells_it_first(lintmdb: Run, tmp_path: Path) -> None:
    """With the line of the change that sets the value."""
    (tmp_path / "c.mqsc").write_text("* Number 17\nALTER QLOCAL(ORDERS.IN) BOTHRESH(15)\n")
    asked = ("diff", FIXTURES / "poison-burst", "--change", "c.mqsc", "--on-message", "5s")
    told = "BOTHRESH 15 -> 5, as before (c.mqsc:2)"
    assert f"          put back: {told}\n" in lintmdb(*asked, cwd=tmp_path).stdout
    junit = lintmdb(*asked, "--format", "junit", cwd=tmp_path).stdout
    assert f"fix: {told}\n     or:\n".replace(">", "&gt;") in junit
    sarif = lintmdb(*asked, "--format", "sarif", cwd=tmp_path).stdout
    assert f'"fix": "{told}\\nor:\\n' in sarif
    markdown = lintmdb(*asked, "--format", "markdown", cwd=tmp_path).stdout
    assert f"Put back: {told}".replace(">", "\\>") in markdown


@pytest.mark.parametrize(
    ("queue", "told"), [("ORDERS.IN) MAXDEPTH(20000", "20000 -> 5000"), ("ORDERS.BACKOUT) MAXDEPTH(10", "10 -> 5000")]
)
def test_the_depth_of_either_queue_is_put_back(lintmdb: Run, tmp_path: Path, queue: str, told: str) -> None:
    """MDB109 compares the two; before, both had the default or a depth that was written."""
    (tmp_path / "c.mqsc").write_text(f"ALTER QLOCAL({queue})\n")
    run = lintmdb("diff", FIXTURES / "clean", "--change", "c.mqsc", "--on-message", "5s", cwd=tmp_path)
    assert "MDB109" in run.stdout
    assert f"put back: MAXDEPTH {told}, as before (c.mqsc:1)" in run.stdout


def test_a_queue_that_is_gone_is_no_value_to_put_back(lintmdb: Run, tmp_path: Path) -> None:
    """The name in BOQNAME is what it was."""
    (tmp_path / "c.mqsc").write_text("DELETE QLOCAL(ORDERS.BACKOUT)\n")
    run = lintmdb("diff", FIXTURES / "clean", "--change", "c.mqsc", "--on-message", "5s", cwd=tmp_path)
    assert "MDB105" in run.stdout
    assert "put back" not in run.stdout


@pytest.mark.parametrize("line", [2, 3])
@pytest.mark.parametrize("form", ["whole state", "change"])
def test_a_report_points_at_the_line_that_differs(lintmdb: Run, tmp_path: Path, line: int, form: str) -> None:
    """Of a script that sets all values again: the line that the pull request shows."""
    for name, depths in (("before", (5000, 5000)), ("after", (10, 5000) if line == 2 else (5000, 20000))):
        script = tmp_path / name / "QM1.mqsc"
        script.parent.mkdir()
        backout, own = (
            f"ALTER QLOCAL(ORDERS.{q}) MAXDEPTH({n})\n" for q, n in zip(("BACKOUT", "IN"), depths, strict=True)
        )
        script.write_text(f"* Queue manager name: QM1\n{backout}{own}")
    states = ("--after", FIXTURES / "clean", "--after", "after/QM1.mqsc")
    after = states if form == "whole state" else ("--change", "after/QM1.mqsc")
    asked = ("diff", FIXTURES / "clean", "--before", "before/QM1.mqsc", *after, "--on-message", "5s")
    for kind, told in (
        ("github", f"::notice file=after/QM1.mqsc,line={line},"),
        ("sarif", f'"region": {{"startLine": {line}, '),
        ("markdown", f"| after/QM1.mqsc:{line} |"),
    ):
        lintmdb(*asked, "--format", f"{kind}=report", cwd=tmp_path)
        report = (tmp_path / "report").read_text()
        assert "MDB109" in report
        assert told in report, (kind, report[-1500:])
    junit = lintmdb(*asked, "--format", "junit", cwd=tmp_path).stdout
    assert re.findall('<testsuite name="(.*?)"', junit) == ["after/QM1.mqsc"]
    assert f" [after/QM1.mqsc:{line}:" in lintmdb(*asked, "-q", cwd=tmp_path).stdout
