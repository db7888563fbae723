"""Changes in columns: nothing jumps, and lines keep to the width of the terminal."""

from __future__ import annotations

import pytest

from lintmdb.plan.planner import make_plan
from lintmdb.plan.policy import Policy
from lintmdb.report.change_columns import column_lines
from lintmdb.report.plan_text import render_plan
from lintmdb.report.terminal import Style
from tests.support.scenario import scenario_evaluator
from tests.support.scenario_folders import scenario_names

_LONG = "activation specification OrdersAS of cluster ShopCluster"


def _lines(*cells: tuple[str, str, str], width: int = 90) -> list[list[str]]:
    return [list(lines) for lines in column_lines([((name,), said, why) for name, said, why in cells], Style(), width)]


def test_a_long_name_makes_no_gap_behind_short_ones() -> None:
    """What takes two lines, or is much longer than the others, does not widen the column."""
    queues = (("A.IN.BACKOUT", "new queue", "MDB101"), ("A.IN", "BOTHRESH 0 -> 3", "MDB101"))
    expected = [["A.IN.BACKOUT  new queue  MDB101"], ["A.IN          BOTHRESH 0 -> 3  MDB101"]]
    broken = (_LONG, "Stop endpoint if message delivery fails true -> false", "MDB302")
    assert _lines(*queues, broken)[:2] == expected
    assert _lines(*queues, broken)[2] == [
        _LONG,
        "  Stop endpoint if message delivery fails true -> false  MDB302",
    ]
    fitting = (_LONG, "Start timeout 1 -> 2", "")
    assert _lines(*queues, fitting) == [*expected, [f"{_LONG}  Start timeout 1 -> 2"]]


def test_a_reason_that_does_not_fit_has_a_line_of_its_own() -> None:
    """Below what becomes of the object."""
    said = "Stop endpoint if message delivery fails true -> false"
    why = "else MDB302 once BOTHRESH is 3 and BOQNAME is A.BACKOUT"
    assert _lines((_LONG, said, why)) == [[_LONG, f"  {said}", f"  {why}"]]


@pytest.mark.parametrize("name", scenario_names())
def test_plans_keep_to_the_width(name: str) -> None:
    """Except commands and options to copy, and paths, which no line break may part."""
    plan = make_plan(scenario_evaluator(name), Policy(most_states=20))
    lines = [line for line in render_plan(plan, Style(100), "plan") if len(line) > 100]
    whole = ("--keep ", "SET AUTHREC ")
    assert [line for line in lines if not line.lstrip().startswith(whole) and "/scenarios-" not in line] == []
