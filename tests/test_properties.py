"""Properties of the whole: conditions are monotone, order changes nothing."""

from __future__ import annotations

from typing import Any

from conftest import FIXTURES
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scenario import RULES, run_scenario

from lintmdb.engine.conditions import VOCABULARY
from lintmdb.engine.judge import judge
from lintmdb.engine.rules import Example, Rule
from lintmdb.engine.sql import Verdict, judge_example
from lintmdb.model import Facts

INTEGERS = st.sampled_from([-1, 0, 1, 2, 3, 5, 255, 256, 5000, 60100, 70000, 110_000, 120_000, 10_000_000])


def _value(name: str) -> st.SearchStrategy[Any]:
    alias, _, column_name = name.partition(".")
    column = VOCABULARY[alias][column_name]
    if column.type == "boolean":
        return st.booleans()
    if column.type == "integer":
        return INTEGERS
    return st.sampled_from(column.values or ("", "A", "SYSTEM.DEAD.LETTER.QUEUE"))


@st.composite
def known_rows(draw: st.DrawFn) -> tuple[Rule, dict[str, Any]]:
    """A rule, and a value for every column that it reads."""
    rule = draw(st.sampled_from(RULES))
    return rule, {name: draw(_value(name)) for name in rule.columns}


def _verdict(rule: Rule, values: dict[str, Any]) -> Verdict:
    rows: dict[str, dict[str, Any]] = {}
    for name, value in values.items():
        alias, _, column = name.partition(".")
        rows.setdefault(alias, {})[column] = value
    return judge_example(rule, Example("", rows))


@settings(max_examples=600, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(known_rows(), st.data())
def test_one_more_fact_never_flips_a_settled_verdict(
    given_rule: tuple[Rule, dict[str, Any]], data: st.DataObject
) -> None:
    """With every column known the verdict is settled; taking facts away leads to the same side or to undecided."""
    rule, values = given_rule
    settled = _verdict(rule, values)
    assert settled is not Verdict.UNDECIDED
    hidden = data.draw(st.sets(st.sampled_from(sorted(values))))
    partly = _verdict(rule, {name: value for name, value in values.items() if name not in hidden})
    if partly is not Verdict.UNDECIDED:
        assert (partly is Verdict.HAZARD) == (settled is Verdict.HAZARD), (rule.id, values, hidden)


def _outcome(facts: Facts) -> Any:
    judgement = judge(facts, RULES)
    findings = sorted((f.rule.id, f.fingerprint, f.message, f.flows) for f in judgement.findings)
    undecided = sorted((u.rule.id, u.subject.identity(), u.missing) for u in judgement.undecided)
    return findings, undecided, judgement.clear


@settings(max_examples=25, deadline=None)
@given(st.randoms(use_true_random=False))
def test_order_of_rows_changes_no_verdict(random: Any) -> None:
    """Rows in any order give the same findings, undecided verdicts and counts."""
    facts = run_scenario(FIXTURES / "estate", {"on_message": "15s"}).estate.facts
    expected = _outcome(facts)
    shuffled = Facts({table: random.sample(rows, len(rows)) for table, rows in facts.rows.items()})
    assert _outcome(shuffled) == expected
