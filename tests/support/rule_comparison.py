"""Rules about delivery held against the model: where both must agree, and where they do not.

A rule's ``predicts`` says what the model shows where the rule is a hazard.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from lintmdb.rules.conditions import Condition
from lintmdb.rules.loading import load_rules
from lintmdb.rules.predictions import Prediction
from lintmdb.rules.rule import Rule
from lintmdb.rules.verdicts import Verdict
from tests.support.grid import Answers, Config, Grid, mask_of, outcomes_by_number

QUEUE_FRAME = (
    "endpoint.provider = 'wmq' AND endpoint.destination_type = 'queue' "
    "AND endpoint.queue_resolution IN ('resolved', 'ambiguous')"
)
"""In the ``when`` of every rule about an MQ queue: another destination or an undefined queue is not its business."""
SOURCE_FRAME = (
    "endpoint.provider = 'wmq' AND (endpoint.destination_type = 'topic' OR endpoint.destination_type = 'queue' "
    "AND endpoint.queue_resolution IN ('resolved', 'ambiguous'))"
)
"""The same of a rule that holds for the queue of a subscription, too."""
TOPIC_FRAME = "endpoint.provider = 'wmq' AND endpoint.destination_type = 'topic'"
BUS_FRAME = "endpoint.provider = 'sib' AND endpoint.destination_type IN ('queue', 'topic')"


def providers_of(rule: Rule) -> frozenset[str]:
    """The providers about whose flows a rule may speak."""
    aliases = {name.partition(".")[0] for name in rule.columns}
    named = {provider for provider in ("wmq", "sib") if f"'{provider}'" in rule.when.text}
    if "endpoint.non_asf_timeout_ms > 0" in rule.when.text or "listener_port" in rule.when.text:
        named = named or {"wmq"}  # the bus has no non-ASF mode, and its listener ports are those of version 5
    if "destination" in aliases:
        named &= {"sib"}
    return frozenset(named or {"wmq", "sib"})


def concerns(grid: Grid, rule: Rule) -> bool:
    """Whether a rule is compared on a grid."""
    if grid.base["endpoint.provider"] not in providers_of(rule):
        return False
    if grid.base["endpoint.destination_type"] == "topic" and not _reads_subscriptions(rule.when):
        return False
    differs = rule.predicts.differs if rule.predicts else None
    return not grid.about or bool(grid.about & {*rule.columns, *(differs.columns if differs else ())})


@dataclass(frozen=True)
class Disagreement:
    """One configuration on which rule and model do not agree as the rule says."""

    rule: str
    grid: str
    config: Config
    verdict: Verdict
    wanted: frozenset[Verdict]


def delivery_rules() -> list[Rule]:
    """The built-in rules that predict a fate."""
    return [rule for rule in load_rules() if rule.predicts is not None]


HAZARD = mask_of(Verdict.HAZARD)
NO_HAZARD = mask_of(Verdict.NOT_APPLICABLE, Verdict.CLEAR)
OPEN = mask_of(Verdict.UNDECIDED)


def expected(rule: Rule, grid: Grid) -> Answers:
    """For each configuration, the verdicts that say what the model shows, but for what the rule differs in.

    Where the model lacks a value the rule is undecided. It may be clear or a hazard all the same if that is what every
    value that could be filled in leads to.
    """
    if rule.id not in grid.answers:
        grid.answers[rule.id] = _expected(rule, grid)
    return grid.answers[rule.id]


def _expected(rule: Rule, grid: Grid) -> Answers:
    wanted = _wanted(rule, grid)
    answers = [_ANSWERS[hazard] for hazard in wanted]
    if None not in wanted:
        return answers
    unknown_in = _unknown_columns(grid)
    for unknown in {unknown_in[number] for number, hazard in enumerate(wanted) if hazard is None}:
        _, keys = grid.configurations.keys(name for name in grid.configurations.names if name not in unknown)
        could_be = {key for key, hazard in zip(keys, wanted, strict=True) if hazard is True}
        could_not_be = {key for key, hazard in zip(keys, wanted, strict=True) if hazard is False}
        for number, hazard in enumerate(wanted):
            if hazard is not None or unknown_in[number] != unknown:
                continue
            key = keys[number]
            if not (key in could_be and key in could_not_be):
                answers[number] = OPEN | (HAZARD if key in could_be else NO_HAZARD)
    return answers


_ANSWERS = {True: HAZARD, False: NO_HAZARD, None: OPEN}


def _unknown_columns(grid: Grid) -> list[frozenset[str]]:
    """For each configuration, what it leaves unknown."""
    columns = grid.configurations.by_column
    names = [name for name in _UNKNOWN if name in columns]
    unknown = {
        values: frozenset(name for name, value in zip(names, values, strict=True) if value is None)
        for values in set(zip(*(columns[name] for name in names), strict=True))
    }
    return [unknown[values] for values in zip(*(columns[name] for name in names), strict=True)]


def _wanted(rule: Rule, grid: Grid) -> list[bool | None]:
    """For each configuration, whether the rule must be a hazard; None where the model lacks a value."""
    prediction = rule.predicts
    assert prediction is not None
    conditions = (prediction.given, prediction.differs)
    read = {name for condition in conditions if condition for name in condition.columns}
    asked = grid.configurations.ask([_sql(prediction.given, "1"), _sql(prediction.differs, "0")], read)
    wanted: list[bool | None] = [False] * len(asked)
    numbers = [number for number, (given, _) in enumerate(asked) if given != 0]
    for number, shown in zip(numbers, _shown(prediction, grid, numbers), strict=True):
        given, differs = asked[number]
        if shown is not False and given is None:
            wanted[number] = None
        else:
            wanted[number] = None if shown is None or differs is None else shown != bool(differs)
    return wanted


def _shown(prediction: Prediction, grid: Grid, numbers: Sequence[int]) -> list[bool | None]:
    """Whether the model shows on some configurations what is predicted; None where it lacks a value."""
    named = ((showing.workload, showing.more_deliveries_than) for showing in prediction.shows)
    workloads = sorted({name for names in named for name in names if name})
    keys: list[tuple[int, ...]] = list(zip(*(grid.outcomes(workload, numbers) for workload in workloads), strict=True))
    outcomes = outcomes_by_number()
    answers: dict[tuple[int, ...], bool | None] = {}
    for key in set(keys):
        by_workload = {workload: outcomes[number] for workload, number in zip(workloads, key, strict=True)}
        answers[key] = _all(showing.holds(by_workload.__getitem__) for showing in prediction.shows)
    return [answers[key] for key in keys]


_UNKNOWN = (
    "bean.on_message_ms",
    "bean.transaction",
    "server.platform",
    "endpoint.non_asf_rollback_enabled",
    "endpoint.non_asf_bmt_rollback_enabled",
    "queue_manager.max_message_bytes",
)
"""What some grid leaves unknown."""


def _all(answers: Iterable[bool | None]) -> bool | None:
    """AND of three values."""
    found = list(answers)
    return False if False in found else None if None in found else True


def disagreements(rule: Rule, grid: Grid) -> Iterator[Disagreement]:
    """Where a rule and the model disagree."""
    verdicts = grid.configurations.verdicts(rule.when, rule.hazard)
    for number, (mask, wanted) in enumerate(zip(verdicts, expected(rule, grid), strict=True)):
        if not mask & wanted:
            (verdict,) = _verdicts(mask)
            yield Disagreement(rule.id, grid.name, grid.configs[number], verdict, _verdicts(wanted))


def _verdicts(mask: int) -> frozenset[Verdict]:
    return frozenset(verdict for verdict in Verdict if mask & mask_of(verdict))


def has_frame(rule: Rule, when: Condition) -> bool:
    """Whether ``when`` holds the frame that the rule's columns ask for."""
    # Whom a queue manager lets in does not depend on a queue.
    aliases = {name.partition(".")[0] for name in rule.columns if name != "authority.administrator"}
    if aliases & {"queue", "queue_name", "backout", "dead_letter", "authority"}:
        return QUEUE_FRAME in when.text or _reads_subscriptions(when)
    if "destination" in aliases and rule.id != "MDB507":  # which is about topics, too
        return BUS_FRAME in when.text
    return True


def _reads_subscriptions(when: Condition) -> bool:
    return SOURCE_FRAME in when.text or TOPIC_FRAME in when.text


def _sql(condition: Condition | None, default: str) -> str:
    return condition.sqlite if condition else default
