"""What repairs a flow, as lines of the terminal report: each change once, in one line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from shlex import quote

from lintmdb.engine.findings import Finding
from lintmdb.engine.fix_text import change_lines
from lintmdb.engine.repairs import Choice
from lintmdb.plan.companions import Reason
from lintmdb.plan.owner_choices import condition_of, owner_choices, with_description
from lintmdb.report.change_columns import column_lines
from lintmdb.report.change_reasons import prevented, reason_words
from lintmdb.report.changes import change_words, object_words
from lintmdb.report.flow_repairs import FlowRepair, Teller, ToldChanges, advice_on
from lintmdb.report.lone_options import alone_words
from lintmdb.report.terminal import Style, plural, safe, wrap
from lintmdb.run.descriptions import Descriptions
from lintmdb.settings.afterwards import afterwards, cautions
from lintmdb.settings.changes import Change

_INDENT = " " * 10
_MOST_NAMES = 3
_MOST_THINGS = 2


def repair_lines(
    repair: FlowRepair,
    findings: Iterable[Finding],
    number: int,
    names: Mapping[int, str],
    teller: Teller,
    style: Style,
    *,
    commands: bool,
) -> Iterator[str]:
    """The lines below the findings of a flow; ``names`` is what flows are called by their numbers, and with
    ``commands`` each change has those that make it.
    """
    if repair.changes:
        told = teller.tell(repair.changes, number)
        yield from told_changes("change", told, names, style, commands=commands, reasons=repair.reasons)
        found = [*findings, *prevented(dict(repair.reasons), told.new)]
        yield from choice_lines(owner_choices(found, told.new), style, commands=commands, planned=True)
    by_changes: dict[tuple[Change, ...], list[Finding]] = {}
    for option in repair.options:
        by_changes.setdefault(option.changes, []).append(option.finding)
    for changes, answered in by_changes.items():
        told, rules = teller.tell(changes, number), [finding.rule.id for finding in answered]
        when = _condition_lines(condition_of(answered, changes), style)
        shown = _change_lines(told.new, dict.fromkeys(told.new, " ".join(rules)), style, commands)
        where = [f"{line}  {style.paint('dim', ' '.join(rules))}" for line in _elsewhere(told, names)]
        harm = _harm_lines(alone_words(answered), style)
        yield from _labelled("option", [*when, *shown, *where, *harm], style)
        yield from choice_lines(owner_choices(answered, told.new), style, commands=commands, planned=False)
    for finding in repair.advised:
        yield from _advice(finding, style)


def told_changes(
    label: str,
    told: ToldChanges,
    names: Mapping[int, str],
    style: Style,
    *,
    commands: bool,
    reasons: Iterable[tuple[Change, Reason]] = (),
    choose_if: str = "",
    harm: str = "",
) -> Iterator[str]:
    """Changes below the findings that they answer: those that are new here one a line, and where the others are.
    ``names`` are what the flows above are called, by their numbers; ``reasons`` what changes prevent that answer none;
    ``choose_if`` says when the owners may want them, where only they can choose; ``harm`` what they do by themselves.
    """
    why = {change: reason_words(reason) for change, reason in reasons}
    when = _condition_lines(choose_if, style)
    shown = _change_lines(told.new, why, style, commands)
    yield from _labelled(label, [*when, *shown, *_elsewhere(told, names), *_harm_lines(harm, style)], style)


def choice_lines(
    choices: Iterable[tuple[Choice, str]],
    style: Style,
    *,
    commands: bool,
    planned: bool,
    descriptions: Descriptions = Descriptions(),  # noqa: B008
) -> Iterator[str]:
    """What the owners may want instead of the changes above, and when; with the option of ``plan`` that asks for it,
    where the changes above are planned.
    """
    for choice, keep in choices:
        when = _condition_lines(choice.choose_if, style)
        text = with_description(choice, descriptions)
        evidence = wrap(safe(text), style.width - len(_INDENT)) if text else []
        asked = [f"In a plan: --keep {quote(safe(keep))}"] if keep and planned else []  # to copy, so on one line
        shown = _change_lines(choice.changes, {}, style, commands)
        yield from _labelled("or", [*when, *shown, *evidence, *asked], style)


def _condition_lines(choose_if: str, style: Style) -> list[str]:
    return wrap(safe(f"if {choose_if}:"), style.width - len(_INDENT)) if choose_if else []


def _harm_lines(harm: str, style: Style) -> list[str]:
    return wrap(safe(harm), style.width - len(_INDENT)) if harm else []


def advice_lines(findings: Iterable[Finding], style: Style) -> Iterator[str]:
    """The advice on findings that some setting repairs as well."""
    for finding in findings:
        yield from _advice(finding, style)


def closing_line(repairs: Iterable[FlowRepair], *, planned: bool) -> str:
    """What the end of a report says of the changes in it; blank where there are none."""
    shown = list(repairs)
    if planned and any(repair.changes for repair in shown):
        return "lintmdb plan EXPORT... --out DIR writes scripts that make the changes, and scripts that undo them."
    if any(repair.options for repair in shown):
        return (
            "Each option ends its findings by itself. lintmdb plan finds changes that go together, and writes scripts."
        )
    return ""


def _change_lines(changes: Sequence[Change], why: Mapping[Change, str], style: Style, commands: bool) -> Iterator[str]:
    """The changes with why they are made, where that is said, and with the commands that make them."""
    cells = [
        ((safe(change.target.shown_place), object_words(change.target)), change_words(change), why.get(change, ""))
        for change in changes
    ]
    for change, lines in zip(changes, column_lines(cells, style, style.width - len(_INDENT)), strict=True):
        yield from lines
        if commands:
            yield from (f"  {safe(line)}" for line in change_lines(change))
    if commands:
        for sentence in afterwards(changes):
            yield from wrap(safe(f"Then: {sentence}."), style.width - len(_INDENT))
        return
    for sentence in cautions(changes):
        yield from wrap(safe(sentence), style.width - len(_INDENT))


def _elsewhere(told: ToldChanges, names: Mapping[int, str]) -> Iterator[str]:
    if not told.repeated:
        return
    places = [safe(name) for name in dict.fromkeys(names[number] for number in told.where if number in names)]
    where = f"above at {', '.join(places)}" if 0 < len(places) <= _MOST_NAMES else "above"
    things = list(dict.fromkeys(object_words(change.target) for change in told.repeated))
    what = f"{' and '.join(things)}, as" if len(things) <= _MOST_THINGS else plural(len(told.repeated), "change")
    yield f"{'and ' if told.new else ''}{what} {where}"


def _labelled(label: str, lines: Iterable[str], style: Style) -> Iterator[str]:
    for number, line in enumerate(lines):
        yield f"{_INDENT}{line}" if number else f"  {style.paint('green', f'{label:<7}')} {line}"


def _advice(finding: Finding, style: Style) -> Iterator[str]:
    lines = [line for text in advice_on(finding) for line in wrap(safe(text), style.width - len(_INDENT) - 7)]
    if lines:
        shown = [f"{finding.rule.id} {lines[0]}", *(f"{' ' * 7}{line}" for line in lines[1:])]
        yield from _labelled("advice", shown, style)
