"""What `check` says of a flow and what the model of delivery shows of it are one truth."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

import pytest

from lintmdb.delivery.fate import Fate
from lintmdb.delivery.outcome import Outcome
from lintmdb.delivery.run import run_flow
from lintmdb.delivery.values import Values
from lintmdb.delivery.wording import IF_ALLOWED, WHILE_IDLE, is_idle_loop
from lintmdb.delivery.workload import Workload
from lintmdb.engine.findings import FlowHead
from lintmdb.engine.judge import build_subject
from lintmdb.engine.traces import rests_on_rights
from lintmdb.report.headline_fates import fate_words, headline_fates
from lintmdb.rules.rule import Rule
from lintmdb.rules.verdicts import Verdict
from tests.laws.laws import batches, read_batch
from tests.support.fates_of_rules import LATE, TELLS
from tests.support.fixture_facts import read_fixtures
from tests.support.judged_flows import JudgedFlow, judge_flows
from tests.support.scenario import RULES

pytestmark = pytest.mark.slow

_ESTATES = 150
_GOOD = (Fate.PROCESSED, Fate.BACKOUT_QUEUE, Fate.EXCEPTION_DESTINATION)
_TELLS_OF_HEALTHY = {
    rule.id
    for rule in RULES
    if rule.predicts is not None and any(showing.workload in LATE for showing in rule.predicts.shows)
}


def _poison(_: Values) -> Workload:
    return Workload()


def _non_persistent(_: Values) -> Workload:
    return Workload(persistent=False)


def _healthy(_: Values) -> Workload:
    return Workload(poison=0, healthy_between=1)


def _late(values: Values) -> Workload:
    return Workload(
        poison=0, healthy_between=1, arrives_after_ms=values.maybe_integer("endpoint.non_asf_timeout_ms") or 0
    )


_LIGHTER = "non-persistent poison"
_WORKLOADS: Mapping[str, Callable[[Values], Workload]] = {
    "poison": _poison,
    _LIGHTER: _non_persistent,
    "healthy": _healthy,
    "late": _late,
}


def _silent(flow: JudgedFlow) -> Iterator[str]:
    """Where the model shows something that no verdict on the flow tells."""
    for name, workload in _WORKLOADS.items():
        outcome = run_flow(flow.values, workload(flow.values))
        if outcome.fate is Fate.UNDECIDED:
            told = _asks_for(flow, outcome) or _is_for_subscribers(flow, outcome)
        else:
            good = outcome.fate in _GOOD and not outcome.timed_out
            told = good or _is_told(flow, outcome) or (name == _LIGHTER and _is_for_producers(flow, outcome))
        if not told:
            missing = f" for want of {outcome.missing[0]}" if outcome.missing else ""
            yield f"{name}: {outcome.fate.value}{missing}: {flow.name}"


def _is_for_subscribers(flow: JudgedFlow, outcome: Outcome) -> bool:
    """Whether the backout queue is an alias of a topic: MDB111 says so, and no export says who subscribes."""
    return "backout.local_queue" in outcome.missing and flow.verdicts["MDB111"] is Verdict.HAZARD


def _is_for_producers(flow: JudgedFlow, outcome: Outcome) -> bool:
    """Whether only a producer that makes its messages non-persistent has to fear for them: MDB701 asks what the queue
    makes of messages that leave it to the queue, and a publication has the persistence of its topic or publisher.
    """
    by_topic = flow.rows.endpoint.destination_type == "topic"
    return outcome.fate is Fate.LOST and (by_topic or flow.verdicts["MDB701"] is Verdict.CLEAR)


def _is_told(flow: JudgedFlow, outcome: Outcome) -> bool:
    return any(
        outcome.fate in TELLS[rule] or (outcome.timed_out and rule in _TELLS_OF_HEALTHY)
        for rule, verdict in flow.verdicts.items()
        if verdict in (Verdict.HAZARD, Verdict.UNDECIDED)
    )


def _asks_for(flow: JudgedFlow, outcome: Outcome) -> bool:
    """Whether some undecided verdict wants the export or observation that the model wants, or lists the value as
    missing and asks first for what settles more.
    """
    asked, lacking = flow.needs(RULES), flow.lacks(RULES)
    return any(flow.need(name) in asked or name in lacking for name in outcome.missing)


def _contradicting(flow: JudgedFlow) -> Iterator[str]:
    """Rules whose finding the model does not bear out, and rules that clear what it shows and nobody else tells.

    Where nothing is delivered at all, a finding says what happens once that is mended.
    """
    if _delivers_nothing(flow):
        return
    for rule in RULES:
        if rule.base != "flow" or rule.predicts is None:
            continue
        verdict = flow.verdicts[rule.id]
        if verdict not in (Verdict.HAZARD, Verdict.CLEAR):
            continue
        predicted = flow.predicted(rule)
        if predicted is None or predicted == (verdict is Verdict.HAZARD):
            continue
        if verdict is Verdict.HAZARD or not _is_told_by_another(flow, rule):
            yield f"{rule.id} is {verdict.name.lower()}: {flow.name}"


def _is_told_by_another(flow: JudgedFlow, rule: Rule) -> bool:
    """Whether another rule tells what a rule predicts, or what becomes of the message in its situation."""
    assert rule.predicts is not None
    told = [other for other in RULES if flow.verdicts.get(other.id) is Verdict.HAZARD and other.predicts is not None]
    if any(other.predicts.shows == rule.predicts.shows for other in told if other.predicts):
        return True
    return _is_told(flow, flow.outcome(rule.predicts.shows[0].workload))


def _delivers_nothing(flow: JudgedFlow) -> bool:
    outcome = run_flow(flow.values, Workload())
    return outcome.fate is Fate.BLOCKED and outcome.deliveries == 0


def _mistold(flow: JudgedFlow) -> Iterator[str]:
    """Where the headline of a flow leaves out a fate of persistent or of non-persistent messages, or tells the better
    one first.
    """
    kinds = {"persistent": True, "non-persistent": False}
    outcomes = {name: run_flow(flow.values, Workload(persistent=kind)) for name, kind in kinds.items()}
    head = FlowHead(build_subject("flow", flow.rows), flow.rows)
    words = {
        name: fate_words(outcome)
        + (f" {IF_ALLOWED}" if rests_on_rights(head, outcome) else WHILE_IDLE * is_idle_loop(outcome))
        for name, outcome in outcomes.items()
    }
    if len(set(words.values())) == 1:
        expected = words["persistent"]
    else:
        worst_first = sorted(outcomes, key=lambda name: outcomes[name].fate.group.rank)
        expected = ", ".join(f"{words[name]} ({name})" for name in worst_first)
    told = headline_fates([head])[0].words
    if told != expected:
        yield f"{told!r} and not {expected!r}: {flow.name}"


_MOVES = ("authority.put", "authority.passall")


def _without_rights(flow: JudgedFlow) -> Iterator[str]:
    """Where a move of which no export shows whether the user may make it is not said to end on the dead-letter queue,
    though it does if the user may not, or is said to and does not.
    """
    for proven in (None, True):
        with_rights = {**dict.fromkeys(_MOVES), "authority.dead_letter_put": proven}
        unknown = _changed(flow, {**with_rights, "authority.dead_letter_passall": True})
        denied = _changed(flow, {**with_rights, "authority.dead_letter_passall": True, **dict.fromkeys(_MOVES, False)})
        for workload in (Workload(), Workload(persistent=False)):
            outcome, other = run_flow(unknown, workload), run_flow(denied, workload)
            if outcome.fate is not Fate.BACKOUT_QUEUE:
                continue
            kept = other.fate is Fate.DEAD_LETTER_QUEUE and not other.moved_if_allowed
            if outcome.otherwise != (other.target if kept else "") or outcome.moved_if_allowed == kept:
                yield f"{outcome.otherwise!r} and then {other.fate.value} {other.target}: {flow.name}"


def _changed(flow: JudgedFlow, values: Mapping[str, object]) -> Values:
    return Values(lambda name: values[name] if name in values else flow.rows.value(name))


def _of_fixtures(law: Callable[[JudgedFlow], Iterable[str]]) -> list[str]:
    return [
        f"{name}: {broken}"
        for name, facts in read_fixtures()
        for flow in judge_flows(facts, RULES)
        for broken in law(flow)
    ]


def _of_random_estates(law: Callable[[JudgedFlow], Iterable[str]]) -> list[str]:
    found: list[str] = []
    for batch in batches(_ESTATES):
        flows = judge_flows(read_batch(batch), RULES)
        found += [broken for flow in flows for broken in law(flow)]
    return found


def _laws(flow: JudgedFlow) -> Iterator[str]:
    yield from _silent(flow)
    yield from _contradicting(flow)
    yield from _mistold(flow)
    yield from _without_rights(flow)


def test_no_flow_of_a_fixture_is_silent_and_no_finding_contradicts_a_fate() -> None:
    """A fate that is not good has a finding or an undecided verdict about it, rule and model agree, and a headline
    tells the fates of both kinds of message, the worse first.
    """
    assert _of_fixtures(_laws) == []


def test_no_flow_of_a_random_estate_is_silent_and_no_finding_contradicts_a_fate() -> None:
    """The same over random estates."""
    assert _of_random_estates(_laws) == []
