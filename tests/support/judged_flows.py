"""Every flow of some exports with the verdict of each rule on it, before verdicts are merged by subject."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from lintmdb.delivery.outcome import Outcome
from lintmdb.delivery.values import Values
from lintmdb.engine.findings import Need, Undecided
from lintmdb.engine.flow_rows import FlowRows
from lintmdb.engine.judge import build_subject, build_undecided
from lintmdb.engine.missing_inputs import find_need
from lintmdb.engine.tables import filled_tables, judge_rows
from lintmdb.model.facts import Facts
from lintmdb.rules.conditions import Condition, check_condition
from lintmdb.rules.predictions import run_named
from lintmdb.rules.rule import Rule
from lintmdb.rules.verdicts import Verdict

_ALWAYS = check_condition("TRUE")
_GIVEN, _DIFFERS = "given", "differs"


class JudgedFlow(NamedTuple):
    """A flow and what the rules say of it."""

    rows: FlowRows
    verdicts: Mapping[str, Verdict]
    """By rule."""
    conditions: Mapping[tuple[str, str], bool | None]
    """Whether ``given`` and ``differs`` of a rule's prediction hold."""

    @property
    def name(self) -> str:
        """The flow in a message of a test."""
        endpoint, bean = self.rows.endpoint, self.rows.bean
        return f"{bean.name if bean else '-'} <- {endpoint.kind} {endpoint.name} of {endpoint.cell}"

    @property
    def values(self) -> Values:
        """The values that the model of delivery reads."""
        return Values(self.rows.value)

    def outcome(self, workload: str) -> Outcome:
        """What the model shows under a named workload."""
        return run_named(self.values, workload)

    def needs(self, rules: Sequence[Rule]) -> set[tuple[str, str]]:
        """What the undecided verdicts ask for, as kinds and targets."""
        return {_asked(entry.need) for entry in self._undecided(rules)}

    def lacks(self, rules: Sequence[Rule]) -> set[str]:
        """The columns that undecided verdicts list as missing, whether they ask for them first or not."""
        return {name for entry in self._undecided(rules) for name in entry.missing}

    def _undecided(self, rules: Sequence[Rule]) -> list[Undecided]:
        subject = build_subject("flow", self.rows)
        open_rules = [rule for rule in rules if self.verdicts.get(rule.id) is Verdict.UNDECIDED]
        return [build_undecided(rule, subject, self.rows, None) for rule in open_rules]

    def need(self, column: str) -> tuple[str, str]:
        """What would tell an unknown column."""
        return _asked(find_need((column,), self.rows, build_subject("flow", self.rows)))

    def predicted(self, rule: Rule) -> bool | None:
        """Whether the model of delivery makes the rule a hazard here; None where it lacks a value."""
        prediction = rule.predicts
        assert prediction is not None
        given, differs = self.conditions[rule.id, _GIVEN], self.conditions[rule.id, _DIFFERS]
        if given is False:
            return False
        shown = [showing.holds(self.outcome) for showing in prediction.shows]
        if False not in shown and (None in shown or given is None):
            return None
        if differs is None:
            return None
        return (False not in shown) != differs


def _asked(need: Need) -> tuple[str, str]:
    return need.kind, need.target


def judge_flows(facts: Facts, rules: Sequence[Rule]) -> list[JudgedFlow]:
    """All flows, in the order of endpoints."""
    about_flows = [rule for rule in rules if rule.base == "flow"]
    asked = [*about_flows]
    keys: list[tuple[str, str]] = []
    for rule in about_flows:
        if rule.predicts is None:
            continue
        for key, condition, default in (
            (_GIVEN, rule.predicts.given, "TRUE"),
            (_DIFFERS, rule.predicts.differs, "FALSE"),
        ):
            keys.append((rule.id, key))
            asked.append(_holds(rule, condition or check_condition(default)))
    with filled_tables(facts) as tables:
        return [
            JudgedFlow(
                rows,
                {rule.id: Verdict(number) for rule, number in zip(about_flows, numbers, strict=False)},
                {key: _TRUTH[Verdict(number)] for key, number in zip(keys, numbers[len(about_flows) :], strict=True)},
            )
            for rows, numbers in judge_rows(tables, facts, "flow", asked)
            if isinstance(rows, FlowRows)
        ]


_TRUTH = {Verdict.HAZARD: True, Verdict.CLEAR: False, Verdict.UNDECIDED: None}


def _holds(rule: Rule, condition: Condition) -> Rule:
    return dataclasses.replace(rule, when=_ALWAYS, hazard=condition)
