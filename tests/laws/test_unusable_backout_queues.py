"""Whatever keeps messages from a backout queue, those that are too long for the dead-letter queue fare alike."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from lintmdb.delivery.fate import Fate
from lintmdb.model.facts import Facts
from lintmdb.rules.verdicts import Verdict
from tests.laws.laws import batches, read_batch
from tests.support.judged_flows import JudgedFlow, judge_flows
from tests.support.scenario import RULES

pytestmark = pytest.mark.slow

_RULES = [rule for rule in RULES if rule.id in ("MDB115", "MDB133")]
_Variant = tuple[str, Callable[[Any], Mapping[str, object]]]


def _missing(row: Any) -> Mapping[str, object]:
    return {"backout_resolution": "not_defined"} if row.backout_resolution == "resolved" else {}


def _closed(row: Any) -> Mapping[str, object]:
    return {} if row.is_dead_letter_queue else {"takes_puts": False, "put_enabled": False}


def _without_way(row: Any) -> Mapping[str, object]:
    return {} if row.is_dead_letter_queue else {"takes_puts": False, "reachable": False}


_UNUSABLE: Mapping[str, _Variant] = {
    "no authority to put": ("authority", lambda _: {"put": False}),
    "put without passall": ("authority", lambda _: {"put": True, "passall": False}),
    "not defined": ("queue", _missing),
    "put disabled": ("put_target", _closed),
    "no way": ("put_target", _without_way),
}


def _judge(facts: Facts, variant: _Variant) -> list[JudgedFlow]:
    relation, change = variant
    rows = {**facts.rows, relation: [replace(row, **change(row)) for row in facts.rows[relation]]}
    return judge_flows(Facts(rows), _RULES)


def _is_usable(flow: JudgedFlow) -> bool:
    """Whether nothing but the variants keeps messages from the backout queue, which each of them does."""
    read = flow.rows.value
    return (
        read("queue.backout_resolution") == "resolved"
        and read("backout.takes_puts") is True
        and read("backout.is_dead_letter_queue") is False
        and flow.rows.authority is not None
    )


def test_the_verdict_on_the_longest_message_and_its_fate_do_not_depend_on_why() -> None:
    """A queue on which the user has no rights is as unusable as one that is closed, missing or out of reach."""
    compared, short, wrong = 0, 0, list[str]()
    for batch in batches(300):
        facts = read_batch(batch)
        usable = list(map(_is_usable, judge_flows(facts, _RULES)))
        variants = {why: _judge(facts, variant) for why, variant in _UNUSABLE.items()}
        for place in (place for place, is_one in enumerate(usable) if is_one):
            told = {
                why: (*(flows[place].verdicts[rule.id] for rule in _RULES), flows[place].outcome("longest_poison").fate)
                for why, flows in variants.items()
            }
            compared += 1
            first = next(iter(told.values()))
            short += first[0] is Verdict.HAZARD and first[-1] in (Fate.DISCARDED, Fate.BLOCKED)
            if len(set(told.values())) > 1:
                wrong.append(f"{variants['not defined'][place].name}: {told}")
    assert compared > 30
    assert short > 5
    assert wrong == []
