"""An export that is left out makes verdicts undecided, and flips none."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeAlias

import pytest

from lintmdb.engine.tables import filled_tables, judge_rows
from lintmdb.model.facts import Facts
from lintmdb.model.relations import Binding
from lintmdb.rules.verdicts import Verdict
from lintmdb.run.estate import read_estate, resolve_exports
from tests.laws.laws import OBSERVED, batches, read_exports_of
from tests.support.judged_flows import judge_flows
from tests.support.random_estates.draw import Draw
from tests.support.random_estates.estates import build_estate
from tests.support.random_estates.omissions import leave_out
from tests.support.scenario import RULES

pytestmark = pytest.mark.slow

_ESTATES = 100
_SETTLED = {Verdict.HAZARD, Verdict.CLEAR}
_Key: TypeAlias = tuple[str | None, ...]
_Verdicts: TypeAlias = Mapping[_Key, Mapping[str, Verdict]]


def _flows(facts: Facts) -> _Verdicts:
    """Verdicts by flow, where a flow is told by the names of what it consists of."""
    found: dict[_Key, Mapping[str, Verdict]] = {}
    for flow in judge_flows(facts, RULES):
        e, b = flow.rows.endpoint, flow.rows.bean
        bean = (b.application, b.module, b.name) if b else (None, None, None)
        found[e.cell, e.cluster, e.node, e.server, e.kind, e.name, *bean] = flow.verdicts
    return found


def _bindings(facts: Facts) -> _Verdicts:
    rules = [rule for rule in RULES if rule.base == "binding"]
    with filled_tables(facts) as tables:
        return {
            (row.cell, row.cluster, row.node, row.server, row.application, row.module, row.bean): {
                rule.id: Verdict(number) for rule, number in zip(rules, numbers, strict=True)
            }
            for row, numbers in judge_rows(tables, facts, "binding", rules)
            if isinstance(row, Binding)
        }


def _flips(before: _Verdicts, after: _Verdicts) -> Iterator[tuple[_Key, str]]:
    for key, verdicts in before.items():
        for rule, verdict in verdicts.items():
            now = after.get(key, {}).get(rule)
            if now is not None and {now, verdict} == _SETTLED:
                yield key, f"{rule} was {verdict.name.lower()} and is {now.name.lower()}: {key}"


def _problems(facts: Facts) -> set[_Key]:
    """The names that are called undefined, to which an export that is missing must not add any.

    Names that end in ``nowhere`` are defined nowhere, and another object that names one may come to light.
    """
    return {
        (row.cell or row.queue_manager, row.kind, row.object)
        for row in facts.rows["problem"]
        if row.kind == "unresolved_name" and not (row.object or "").endswith("nowhere")
    }


def test_leaving_something_out_flips_no_verdict_and_reports_no_name() -> None:
    """Where what is left shows that something is missing, a hazard stays one or becomes undecided, and so does a
    clear verdict; nothing new is called undefined.
    """
    broken: list[str] = []
    for batch in batches(_ESTATES):
        with TemporaryDirectory() as folder:
            left_out: dict[str, str] = {}
            for seed in batch:
                estate = build_estate(seed)
                what, fewer = leave_out(Draw(f"leave out {seed}"), estate)
                fewer.write(Path(folder))
                left_out |= dict.fromkeys((*estate.cells, *(manager.name for manager in estate.managers)), what)
            after = read_estate([folder], OBSERVED).facts
        before = resolve_exports(read_exports_of(batch), OBSERVED).facts
        flips = [*_flips(_flows(before), _flows(after)), *_flips(_bindings(before), _bindings(after))]
        broken += [f"without {left_out[str(key[0])]}: {text}" for key, text in flips]
        added = _problems(after) - _problems(before)
        broken += [f"without {left_out[str(key[0])]}: {key}" for key in added]
    assert broken == []
