"""What ``check`` prints beside a finding as an option leaves no message worse off than before, made by itself, or says
that it does. On a flow other findings may hide behind the one that it ends.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from lintmdb.delivery.fate import Fate
from lintmdb.delivery.outcome import Outcome
from lintmdb.engine.findings import Finding, FlowHead
from lintmdb.engine.repairs import Alternative, find_alternatives, preferred_values
from lintmdb.engine.replacements import is_worse
from lintmdb.engine.traces import trace_flow
from lintmdb.model.origins import Origin
from lintmdb.plan.evaluation import Evaluator, FlowKey, State, flow_key, pair_flows
from lintmdb.report.lone_options import alone_words
from lintmdb.resolve.observations import EndpointObservation, Observations, QueueObservation
from lintmdb.run.estate import read_exports
from lintmdb.settings.changes import Assignment
from tests.laws.laws import OBSERVED, batches, read_exports_of, seeds
from tests.support.random_estates.estates import build_estate, with_equal_members
from tests.support.scenario import RULES

pytestmark = pytest.mark.slow


def _read_by(user: str) -> Observations:
    """One user reads every queue."""
    return Observations(
        15_000,
        user=EndpointObservation(user=user),
        users={user: frozenset({"newgroup"})},
        queues=(QueueObservation("*", None, user, Origin("", 0, 0, "")),),
    )


_READERS = (OBSERVED, _read_by("newuser"), _read_by("wasuser"))
"""Nobody names a reader; a user without a record; one that has some rights."""


def _options(state: State) -> dict[Alternative, list[Finding]]:
    """What is printed beside the findings on queues by themselves, which no plan judges together."""
    found: dict[Alternative, list[Finding]] = {}
    first = len(state.judgement.flows) - state.judgement.queue_flows
    for finding in state.judgement.findings:
        if finding.rule.severity != "info" and finding.flow is not None and finding.flow >= first:
            for changes in find_alternatives(finding.rule, finding.rows)[:1]:
                found.setdefault(changes, []).append(finding)
    return found


def _worst(head: FlowHead) -> Outcome:
    """The worse outcome for a poison message."""
    outcomes = (told.outcome for told in trace_flow(head, None) if told.workload.poison)
    return min(outcomes, key=lambda outcome: outcome.harm)


def _worse(before: State, after: State, option: Alternative) -> Iterator[str]:
    """The flows on which a message fares worse, but for three kinds of them that other findings tell of.

    Whoever could not read a queue gets its poison messages, too. A circle that MDB106 tells of turns again where its
    user gets a right for another queue. And what other queue managers do to messages that a closed remote queue keeps
    from leaving is not looked at.
    """
    told: dict[FlowKey, set[str]] = {}
    for finding in before.judgement.findings:
        if finding.flow is not None:
            told.setdefault(flow_key(before.judgement.flows[finding.flow]), set()).add(finding.rule.id)
    opens = any(isinstance(each, Assignment) and each.target.kind == "QREMOTE" for each in option)
    for head, former in pair_flows(before.judgement.flows, after.judgement.flows):
        now = _worst(head)
        for old in former:
            was = _worst(old)
            turns = now.fate is Fate.LOOPS and "MDB106" in told.get(flow_key(old), ())
            excused = was.shut_out or turns or (opens and now.fate is Fate.ASTRAY)
            if Fate.UNDECIDED not in (was.fate, now.fate) and now.harm < was.harm and not excused:
                yield f"{'/'.join(flow_key(head))}: {was.fate} -> {now.fate}"


def test_no_option_makes_a_fate_worse(tmp_path: Path) -> None:
    """A grant on a backout queue that leads back starts a circle; a threshold alone lets messages be discarded."""
    tried, worse = 0, list[str]()
    for seed in seeds(16):
        build_estate(seed).write(tmp_path / str(seed))
        exports = read_exports([tmp_path / str(seed)])
        for number, observed in enumerate(_READERS):
            evaluator = Evaluator(exports, observed, RULES, all_queues=True)
            before = evaluator.judge(())
            for option, findings in _options(before).items():
                tried += 1
                rules = " ".join(sorted({finding.rule.id for finding in findings}))
                after = evaluator.judge(option)
                harm = list(_worse(before, after, option))
                if not (harm and alone_words(findings)):  # what is printed with the option says so
                    worse += [f"{seed}.{number} {rules}: {text}" for text in harm]
    assert tried > 150
    assert worse == []


def _harms(head: FlowHead) -> frozenset[float]:
    return frozenset(told.outcome.harm for told in trace_flow(head, None) if told.workload.poison)


def test_an_option_of_a_flow_tells_its_harm(tmp_path: Path) -> None:
    """What the model foresees of new values on the flow of a finding is what judging finds there: none cries wolf, and
    none of those that the model can foresee is silent.
    """
    tried, harmful, wrong = 0, 0, list[str]()
    for seed in seeds(40):
        estate = build_estate(seed)
        (with_equal_members(estate) if seed % 2 else estate).write(tmp_path / str(seed))
        evaluator = Evaluator(read_exports([tmp_path / str(seed)]), OBSERVED, RULES)
        before = evaluator.judge(())
        options: dict[Alternative, list[Finding]] = {}
        for finding in before.judgement.findings:
            for changes in find_alternatives(finding.rule, finding.rows)[:1] if finding.flow is not None else ():
                options.setdefault(changes, []).append(finding)
        fates = replace(evaluator, rules=())
        for option, findings in options.items():
            tried += 1
            pairs = pair_flows(before.judgement.flows, fates.judge(option).judgement.flows)
            worse = {flow_key(old) for head, former in pairs for old in former if is_worse(_harms(old), _harms(head))}
            own = {flow_key(before.judgement.flows[finding.flow or 0]) for finding in findings}
            told, foreseen = alone_words(findings), any(preferred_values(f.rule, f.rows) for f in findings)
            harmful += bool(told)
            if (told and not worse) or (foreseen and own & worse and not told):
                rules = " ".join(sorted({finding.rule.id for finding in findings}))
                wrong.append(f"{seed} {rules}: {'does harm' if worse else 'does none'}")
    assert (tried > 150, harmful > 3) == (True, True)
    assert wrong == []


def test_an_option_for_longer_messages_ends_its_finding() -> None:
    """Whatever else limits the length of a message: the queue manager, or on z/OS the structure of a shared queue."""
    rules = [rule for rule in RULES if rule.id in ("MDB108", "MDB115")]
    tried, kept = 0, list[str]()
    for batch in batches(300):
        estate = Evaluator(read_exports_of(batch), _READERS[0], rules, all_queues=True)
        for option, findings in _options(estate.judge(())).items():
            if not all(isinstance(change, Assignment) and change.attribute == "MAXMSGL" for change in option):
                continue
            tried += 1
            left = estate.judge(option).judgement.findings
            shown = {(finding.rule.id, finding.subject) for finding in left}
            kept += [finding.message for finding in findings if (finding.rule.id, finding.subject) in shown]
    assert tried
    assert kept == []
