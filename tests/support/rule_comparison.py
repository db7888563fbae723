"""Rules about delivery held against the model: where both must agree, and where they do not.

A rule's ``predicts`` says what the model shows where the rule is a hazard.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

from lintmdb.delivery.outcome import Outcome
from lintmdb.rules.conditions import Condition
from lintmdb.rules.loading import load_rules
from lintmdb.rules.rule import Rule
from lintmdb.rules.verdicts import Verdict
from tests.support.grid import Answers, Config, Grid

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


HAZARD = frozenset({Verdict.HAZARD})
NO_HAZARD = frozenset({Verdict.NOT_APPLICABLE, Verdict.CLEAR})
OPEN = frozenset({Verdict.UNDECIDED})


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
    if None not in wanted:
        return [HAZARD if hazard else NO_HAZARD for hazard in wanted]
    decided: dict[frozenset[str], dict[bool, set[tuple[Any, ...]]]] = {}
    answers: list[frozenset[Verdict]] = []
    for config, hazard in zip(grid.configs, wanted, strict=True):
        if hazard is not None:
            answers.append(HAZARD if hazard else NO_HAZARD)
            continue
        unknown = frozenset(name for name in _UNKNOWN if config.get(name, "") is None)
        known = itemgetter(*(name for name in grid.configurations.names if name not in unknown))
        if unknown not in decided:
            decided[unknown] = {
                answer: {known(row) for row, found in zip(grid.configs, wanted, strict=True) if found is answer}
                for answer in (True, False)
            }
        could_be, could_not_be = known(config) in decided[unknown][True], known(config) in decided[unknown][False]
        answers.append(OPEN if could_be and could_not_be else OPEN | (HAZARD if could_be else NO_HAZARD))
    return answers


def _wanted(rule: Rule, grid: Grid) -> list[bool | None]:
    """For each configuration, whether the rule must be a hazard; None where the model lacks a value."""
    prediction = rule.predicts
    assert prediction is not None
    wanted: list[bool | None] = []
    conditions = (prediction.given, prediction.differs)
    read = {name for condition in conditions if condition for name in condition.columns}
    asked = grid.configurations.ask([_sql(prediction.given, "1"), _sql(prediction.differs, "0")], read)
    for number, (given, differs) in enumerate(asked):
        if given == 0:
            wanted.append(False)
            continue

        def run(workload: str, number: int = number) -> Outcome:
            return grid.outcome(number, workload)

        shown = _all(showing.holds(run) for showing in prediction.shows)
        if shown is not False and given is None:
            shown = None
        wanted.append(None if shown is None or differs is None else shown != bool(differs))
    return wanted


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
    wanted = expected(rule, grid)
    for number, verdict in enumerate(grid.configurations.verdicts(rule.when, rule.hazard)):
        if verdict not in wanted[number]:
            yield Disagreement(rule.id, grid.name, grid.configs[number], verdict, wanted[number])


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
