"""What repairs a flow, as a card shows it: the data of ``repair.html.j2``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from lintmdb.engine.findings import Finding
from lintmdb.engine.fix_text import console_line
from lintmdb.plan.companions import Reason
from lintmdb.plan.owner_choices import condition_of, owner_choices
from lintmdb.report.change_reasons import prevented, reason_words
from lintmdb.report.changes import change_words, object_words, place_words
from lintmdb.report.flow_repairs import Changes, FlowRepair, Teller, ToldChanges, advice_on
from lintmdb.report.html.visible_text import clipped
from lintmdb.report.lone_options import alone_words
from lintmdb.report.subjects import ARROW
from lintmdb.settings.afterwards import afterwards
from lintmdb.settings.changes import Assignment, Change
from lintmdb.settings.liberty import OVERRIDES, drop_in, is_liberty
from lintmdb.settings.mqsc import mqsc_command
from lintmdb.settings.wsadmin import wsadmin_commands

_NAME = 240
_NO_REASONS: Mapping[Change, Reason] = MappingProxyType({})
_COMMANDS = 4000
_ADVICE = 1000


Cards: TypeAlias = Mapping[int, tuple[str, str]]
"""Id and name of each card, by the number of its flow."""


class ShownChange(NamedTuple):
    """A change in one line."""

    place: str
    thing: str
    words: str
    why: str = ""
    """What it prevents, where it answers nothing that is found."""


class ChangeGroup(NamedTuple):
    """Changes that are made together."""

    label: str
    rules: str
    """The rules whose findings they end by themselves; blank for changes of a plan."""
    changes: tuple[ShownChange, ...]
    commands: tuple[tuple[str, str], ...]
    """What to run: the product and whose it is, and the commands."""
    console: tuple[str, ...]
    """What to enter in the console of WebSphere instead."""
    acts: tuple[str, ...]
    """What has to be done before they act."""
    repeated: int
    """How many more changes earlier cards show."""
    cards: tuple[tuple[str, str], ...]
    """Those cards: id and name."""
    harm: str = ""
    """What they do to a message by themselves, where that is worse than what becomes of it now."""


class Advice(NamedTuple):
    """What to do about a finding that no setting repairs."""

    rule: str
    text: str


class ShownRepair(NamedTuple):
    """What repairs the findings of a card."""

    groups: tuple[ChangeGroup, ...]
    advice: tuple[Advice, ...]


def show_repair(
    repair: FlowRepair,
    findings: Sequence[Finding],
    number: int,
    teller: Teller,
    cards: Cards,
) -> ShownRepair:
    """What repairs the findings of the flow of that number."""
    by_changes: dict[Changes, list[Finding]] = {}
    for option in repair.options:
        by_changes.setdefault(option.changes, []).append(option.finding)
    groups: list[ChangeGroup] = []
    if repair.changes:
        told = teller.tell(repair.changes, number)
        found = [*findings, *prevented(dict(repair.reasons), told.new)]
        groups += [_group("Change", told, (), cards, dict(repair.reasons)), *_choices(found, told, cards)]
    for changes, answered in by_changes.items():
        told = teller.tell(changes, number)
        rules = [finding.rule.id for finding in answered]
        when = condition_of(answered, changes)
        groups += [
            _group(f"Option, if {when}" if when else "Option", told, rules, cards)._replace(
                harm=clipped(alone_words(answered).replace(ARROW, " → "), _ADVICE)
            ),
            *_choices(answered, told, cards),
        ]
    advised = [Advice(finding.rule.id, clipped("\n".join(advice_on(finding)), _ADVICE)) for finding in repair.advised]
    return ShownRepair(tuple(groups), tuple(entry for entry in advised if entry.text))


def _choices(findings: Iterable[Finding], told: ToldChanges, cards: Cards) -> Iterator[ChangeGroup]:
    """What the owners may want instead of the changes that are shown here, and when."""
    for choice, _ in owner_choices(findings, told.new):
        label = f"Or, if {choice.choose_if}" + (f" ({choice.evidence.rstrip('.')})" if choice.evidence else "")
        yield _group(label, ToldChanges(choice.changes, (), ()), (), cards)


def _group(
    label: str, told: ToldChanges, rules: Iterable[str], cards: Cards, reasons: Mapping[Change, Reason] = _NO_REASONS
) -> ChangeGroup:
    why = {change: reason_words(reason) for change, reason in reasons.items()}
    return ChangeGroup(
        label,
        ", ".join(rules),
        tuple([show_change(change, why.get(change, "")) for change in told.new]),
        tuple(_commands(told.new)),
        tuple(_console(told.new)),
        tuple(f"{clipped(sentence, _ADVICE)}." for sentence in afterwards(told.new)),
        len(told.repeated),
        tuple(cards[flow] for flow in told.where),
    )


_MQSC, _JYTHON = "MQSC", "Jython for wsadmin"
_SAVE = "AdminConfig.save()"


def _commands(changes: Changes) -> Iterator[tuple[str, str]]:
    """What to run at each queue manager and in each cell, each as one block."""
    by_owner: dict[tuple[str, str], list[str]] = {}
    servers: dict[str, list[Assignment]] = {}
    for change in changes:
        if isinstance(change, Assignment) and is_liberty(change.target):
            servers.setdefault(place_words(change.target), []).append(change)
            continue
        if isinstance(change, Assignment) and change.target.product == "was":
            label, lines = _JYTHON, wsadmin_commands(change)
        else:
            label, lines = _MQSC, [mqsc_command(change)]
        by_owner.setdefault((label, place_words(change.target)), []).extend(line for line in lines if line != _SAVE)
    for place, made in servers.items():
        yield clipped(f"{OVERRIDES}, {place}", _NAME), clipped("\n".join(drop_in(made)), _COMMANDS)
    for (label, place), lines in by_owner.items():
        saved = [*lines, _SAVE] if label == _JYTHON else lines
        yield clipped(f"{label}, {place}", _NAME), clipped("\n".join(saved), _COMMANDS)


def _console(changes: Changes) -> Iterator[str]:
    """Where the console of WebSphere shows what changes."""
    for change in changes:
        if isinstance(change, Assignment) and change.target.product == "was":
            yield clipped(console_line(change), _ADVICE)


def show_change(change: Change, why: str = "") -> ShownChange:
    """A change as a page shows it; ``why`` it is made, where that is not plain."""
    return ShownChange(
        clipped(change.target.shown_place, _NAME),
        clipped(object_words(change.target), _NAME),
        clipped(change_words(change), _NAME),
        clipped(why, _NAME),
    )
