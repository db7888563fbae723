"""The terminal report: a summary, then the flows with findings, the worst fate first, and what could not be decided."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields, is_dataclass
from typing import Literal, NamedTuple

from lintmdb.delivery.fate import FateGroup
from lintmdb.delivery.values import Values
from lintmdb.engine.findings import Finding, Judgement
from lintmdb.engine.flow_rows import FlowRows, read_value
from lintmdb.engine.need_groups import group_by_need
from lintmdb.engine.repairs import find_alternatives
from lintmdb.model.origins import Origin
from lintmdb.plan.owner_choices import condition_of, owner_choices
from lintmdb.report.answers import Answer, answers
from lintmdb.report.cases import Case, build_cases, group_alike
from lintmdb.report.change_reasons import prevented
from lintmdb.report.changes import MOST_ENDS, other_ends, own_values_words, put_back_words
from lintmdb.report.deciding_values import LENGTHS, STOPS
from lintmdb.report.elsewhere import elsewhere_lines, untold_elsewhere
from lintmdb.report.fate_sentences import (
    Surroundings,
    fate_sentences,
    other_reading_words,
    status_sentence,
    surroundings_of,
    tells_longest,
)
from lintmdb.report.flow_repairs import UNPLANNED, FlowRepair, Repairs, Teller, advice_on
from lintmdb.report.headline_fates import headline_fates
from lintmdb.report.lone_options import alone_words
from lintmdb.report.places import find_places
from lintmdb.report.possible_readers import reader_lines, rights_on
from lintmdb.report.repair_text import choice_lines, told_changes
from lintmdb.report.setting_value import value_span
from lintmdb.report.subjects import ARROW, short_name
from lintmdb.report.subjects import headline as headline
from lintmdb.report.terminal import Style, plural, safe, wrap
from lintmdb.report.text_statistics import statistics_lines
from lintmdb.report.text_summary import (
    Fates,
    conditional_lines,
    may_be_bad,
    summary_lines,
    undecided_lines,
    unknown_fates,
    unknown_lines,
    unread_lines,
    unset_lines,
    untold_bad,
    untold_lines,
)
from lintmdb.report.text_summary import suppressed_text as suppressed_text
from lintmdb.report.timeline import timeline
from lintmdb.report.value_table import value_lines
from lintmdb.run.estate import Estate
from lintmdb.run.gate import Gate
from lintmdb.run.possible_readers import PossibleReader

_INDENT = " " * 10
_MOST_VALUES = 8
_MOST_NAMES = 12

Part = Literal["all", "findings", "summary", "statistics"]


class View(NamedTuple):
    """What of the report is shown."""

    part: Part = "all"
    stories: bool = False
    """Each finding in its own words and with its story, each change with its commands, and every name."""
    plan: str = ""
    """The command that writes scripts for the changes; blank where it is not known."""
    changed: bool = False
    """What is shown holds changes that no such command knows of."""
    readers: Sequence[PossibleReader] = ()
    """Who may read the queues that no endpoint reads and whose reader nobody names."""
    some_rules: bool = False
    """Other rules are not selected, or ignored, so that a fate without a finding says nothing."""


def render_text(
    judgement: Judgement,
    estate: Estate,
    gate: Gate,
    style: Style,
    repairs: Repairs = UNPLANNED,
    view: View = View(),  # noqa: B008
) -> Iterator[str]:
    """The lines of the report, without line ends."""
    fates = headline_fates(judgement.flows)
    unread = headline_fates(judgement.unread)
    if view.part == "findings":
        yield from _listed(judgement, build_cases(judgement, fates, unread), gate, estate, style)
        return
    needs = group_by_need(judgement.undecided)
    yield from summary_lines(judgement, estate, gate, Fates(fates, unread), needs, style, view.readers)
    if view.part == "statistics":
        yield from statistics_lines(judgement, style)
    if view.part != "all":
        return
    told = list[FlowRepair]()
    cases = build_cases(judgement, fates, unread)
    shown = {case.subject for case in cases}
    unknown = unknown_fates(judgement, Fates(fates, unread), shown)
    told_unknown = list(unknown_lines(unknown, estate, style, every=view.stories))
    # What may be as bad as the worst is not to be read last.
    first = may_be_bad(unknown)
    bad = [] if view.some_rules else untold_bad(judgement, Fates(fates, unread), shown)
    untold = list(untold_lines(bad, style, every=view.stories))
    for part in (untold, told_unknown if first else ()):
        yield from ("", *part) if part else ()
    yield from _Cases(repairs, style, view, told, surroundings_of(judgement, estate)).lines(group_alike(cases, repairs))
    planned = not view.changed and (judgement.flows or judgement.unread_queues)
    closing = _closing(told, repairs, view, _planned_too(judgement)) if planned else []
    unset = unset_lines(judgement, estate, style) if view.stories else ()
    conditional = conditional_lines(judgement, Fates(fates, unread), style) if view.stories else ()
    elsewhere = elsewhere_lines(untold_elsewhere(judgement), style)
    undecided, not_read = undecided_lines(needs, style), unread_lines(judgement, style)
    readers = reader_lines(view.readers, judgement.unread, style, every=view.stories)
    for part in (elsewhere, () if first else told_unknown, readers, undecided, conditional, unset, not_read, closing):
        lines = list(part)
        yield from ("", *lines) if lines else ()


def _listed(judgement: Judgement, cases: Iterable[Case], gate: Gate, estate: Estate, style: Style) -> Iterator[str]:
    """A line a finding, for other programs as much as for people, and the gate."""
    for case in cases:
        for finding in case.findings:
            severity = style.paint(finding.rule.severity, f"{finding.rule.severity:<7}")
            place = find_places(finding, judgement, estate).primary
            title, where = safe(case.title), safe(_where(place))
            yield f"{severity} {finding.rule.id} {title}: {safe(finding.message)} [{where}]"
    verdict = gate.verdict(judgement, estate)
    yield f"Gate {style.paint('green' if verdict.passes else 'error', verdict.text)}"


class _Cases:
    """Tells cases one after the other, and remembers which changes it has told."""

    def __init__(
        self, repairs: Repairs, style: Style, view: View, told: list[FlowRepair], around: Surroundings
    ) -> None:
        self._repairs = repairs
        self._around = around
        self._style = style
        self._view = view
        self._told = told
        self._teller = Teller()
        self._names: dict[int, str] = {}
        self._stories: dict[tuple[tuple[str, str], ...], str] = {}
        """Where each story was told, by its steps without the names of its flow."""
        self._advised: dict[tuple[str, ...], tuple[int, str]] = {}
        """At which flow each advice was given, and for what object, by its text without the name of that."""

    def lines(self, groups: Iterable[Sequence[Case]]) -> Iterator[str]:
        """All of them, a blank line before each."""
        for first, *others in groups:
            yield ""
            yield from self._case(first)
            if others:
                yield from self._others(first, others)

    def _case(self, case: Case) -> Iterator[str]:
        style = self._style
        also: tuple[str, ...] = ()
        yield from (style.paint("bold", line) for line in title_lines(case.title, style.width))
        if case.head is not None and case.fate is not None:
            colour = "error" if case.fate.group.bad else "green" if case.fate.group.meaning.value == "good" else "bold"
            for sentence in fate_sentences(case.head, case.fate, self._around):
                yield from (f"  {style.paint(colour, line)}" for line in wrap(safe(sentence), style.width - 2))
            for sentence in rights_on(self._view.readers, case.head.subject):
                yield from (f"  {line}" for line in wrap(safe(sentence), style.width - 2))
            described = self._around.descriptions.of_queue(case.head.rows.queue) if case.alone else ""
            below = (f"DESCR: {described}" if described else "", status_sentence(case.head, self._around))
            yield from (f"  {line}" for text in below for line in wrap(safe(text), style.width - 2) if line)
            also = STOPS * (case.fate.group is FateGroup.STOPS) + LENGTHS * tells_longest(case.head, case.fate)
        most = None if self._view.stories else _MOST_VALUES
        yield from value_lines(case.findings, style, most=most, also=also)
        repair = self._repairs.of(case.flow, case.findings)
        self._told.append(repair)
        stories = set[tuple[str, ...]]()
        for answer in answers(case.findings, repair):
            for finding in answer.findings:
                yield from self._finding(finding, stories)
            yield from self._answer(answer, case.number, repair)
        name = case.subject.name or ""
        self._names[case.number] = short_name(case.subject) if name in self._names.values() else name

    def _finding(self, finding: Finding, stories: set[tuple[str, ...]]) -> Iterator[str]:
        style, rule = self._style, finding.rule
        known = isinstance(finding.rows, FlowRows)
        text = rule.title if known else finding.message
        shared = f" ({finding.flows} flows share this)" if finding.flows > 1 else ""
        label = f"  {style.paint(rule.severity, f'{rule.severity:<7}')} {style.paint('bold', rule.id)} "
        for number, line in enumerate(wrap(safe(text.rstrip(".") + shared), style.width - 17)):
            yield f"{' ' * 17}{line}" if number else f"{label}{line}"
        if not known:
            yield from places(finding, style)
        yield from put_back_lines(finding, style)
        if not self._view.stories:
            return
        if known:
            message = finding.message if finding.message.endswith(".") else f"{finding.message}."
            yield from (f"{_INDENT}{line}" for line in wrap(safe(message), style.width - 10))
        story = tuple(timeline(finding.trace, style, _INDENT))
        if not story or story in stories:
            return
        stories.add(story)
        here = finding.subject.name or ""
        known = self._stories.setdefault(_nameless(finding), here)
        if known == here:
            yield from story
        else:
            yield from (f"{_INDENT}{line}" for line in wrap(safe(_LIKE.format(known)), style.width - 10))

    def _answer(self, answer: Answer, number: int, repair: FlowRepair) -> Iterator[str]:
        style, verbose = self._style, self._view.stories
        if answer.changes:
            told = self._teller.tell(answer.changes, number)
            reasons = repair.reasons
            alone = answer.kind == "option"
            yield from told_changes(
                answer.kind,
                told,
                self._names,
                style,
                commands=verbose,
                reasons=reasons,
                choose_if=condition_of(answer.findings, answer.changes) if alone else "",
                harm=alone_words(answer.findings) if alone else "",
            )
            if told.new:
                found = [*answer.findings, *prevented(dict(reasons), answer.changes)]
                choices = owner_choices(found, answer.changes)
                told_of = self._around.descriptions
                yield from choice_lines(choices, style, commands=verbose, planned=not alone, descriptions=told_of)
        advice = answer.advice
        if verbose and not advice:
            advice = tuple(dict.fromkeys(text for finding in answer.findings for text in advice_on(finding)))
        lines = [line for text in advice for line in wrap(safe(text), style.width - 10)]
        if len(lines) > 1 and not verbose:
            lines = self._once(advice, answer.findings[0].subject.name or "", number, lines)
        for place, line in enumerate(lines):
            yield f"{_INDENT}{line}" if place else f"  {style.paint('green', 'advice ')} {line}"

    def _once(self, advice: Sequence[str], name: str, number: int, lines: list[str]) -> list[str]:
        """The lines of an advice, or where the same stands above, be it about an object of another name."""
        nameless = tuple(text.replace(name, "\0") if name else text for text in advice)
        first = self._advised.setdefault(nameless, (number, name))
        if first[0] == number or not name:
            return lines
        of = f", for {name}" if name != first[1] else ""
        return wrap(safe(f"as above at {first[1]}{of}"), self._style.width - 10)

    def _others(self, first: Case, others: Sequence[Case]) -> Iterator[str]:
        """The names of the cases that are like the first one, which stands above."""
        style = self._style
        noun = "flow" if others[0].flow is not None else "queue" if others[0].alone else "object"
        shown = others if self._view.stories else others[:_MOST_NAMES]
        names = ", ".join(short_name(case.subject) for case in shown)
        more = f" and {len(others) - len(shown)} more" if len(others) > len(shown) else ""
        more += own_values_words(first.findings, [case.findings for case in others])
        text = (
            f"The same on {plural(len(others), f'more {noun}', f'more {noun}s')}{self._changes(others)}: {names}{more}"
        )
        yield from (f"  {line}" for line in wrap(safe(text), style.width - 2))

    def _changes(self, others: Sequence[Case]) -> str:
        """Whether the planned changes of cases that are like the one above are others than those that were told."""
        changes = {change for case in others for change in self._repairs.planned_changes(case.flow)}
        if not changes:
            return ""
        if self._teller.knows(changes):
            return f", which the same {'change repairs' if len(changes) == 1 else 'changes repair'}"
        return f", with changes of {'its' if len(others) == 1 else 'their'} own"


_LIKE = "The same happens as at {} above, with the names of this flow."


def _nameless(finding: Finding) -> tuple[tuple[str, str], ...]:
    """The steps of a finding's story without the names of its flow, which begin with a capital or have one."""
    rows = finding.rows if isinstance(finding.rows, FlowRows) else ()
    texts = (getattr(row, each.name) for row in rows if is_dataclass(row) for each in fields(row))
    names = {text for text in texts if isinstance(text, str) and not text.islower() and len(text) > 1}
    if not names:
        return tuple((line.actor, line.text) for line in finding.trace)
    pattern = re.compile("|".join(map(re.escape, sorted(names, key=len, reverse=True))))
    return tuple((line.actor, pattern.sub("\0", line.text)) for line in finding.trace)


def _planned_too(judgement: Judgement) -> int:
    """For how many findings that are left out of the report a plan has changes, if it has its usual severity."""
    left_out = (entry.finding for entry in judgement.suppressed if entry.finding.rule.severity != "info")
    return sum(bool(find_alternatives(finding.rule, finding.rows)) for finding in left_out)


def _closing(told: Iterable[FlowRepair], repairs: Repairs, view: View, left_out: int) -> list[str]:
    """What writes scripts for the changes that were told, and for those that end the findings that are left out."""
    shown = list(told)
    if repairs.planned and any(repair.changes for repair in shown):
        lines = ["Scripts that make the changes, and scripts that undo them:"]
    elif any(repair.options for repair in shown):
        lines = ["Each option ends its findings by itself. For changes that go together, with scripts:"]
    else:
        return []
    lines.append(f"  {safe(view.plan or 'lintmdb plan')}")
    if left_out:
        lines.append(f"It also plans changes for {plural(left_out, 'finding')} left out of this report.")
    return lines


def title_lines(title: str, width: int) -> Iterator[str]:
    """A title, on a new line before a stop that does not fit."""
    line = ""
    for number, stop in enumerate(safe(title).split(ARROW)):
        following = f"{line}{ARROW}{stop}" if number else stop
        if number and len(following) > width:
            yield line
            following = f"   {ARROW}{stop}"
        line = following
    yield line


def _where(place: Origin) -> str:
    return f"{place.path}:{place.line}:{place.column}" if place.line else place.path


def finding_lines(finding: Finding, style: Style, *, repaired: bool = True) -> list[str]:
    """A finding by itself, below the line that names its subject: its message, its places, and what to put back, or,
    if it is to be ``repaired``, what else to change.
    """
    severity = finding.rule.severity
    label = style.paint(severity, f"{severity:<7}")
    lines = [f"  {label} {style.paint('bold', finding.rule.id)} {finding.rule.name}"]
    message = safe(finding.message) + ("" if finding.message.endswith(".") else ".")
    shared = f" ({finding.flows} flows share this.)" if finding.flows > 1 else ""
    lines += [_INDENT + line for line in wrap(message + shared, style.width - 10)]
    reading = other_reading_words(Values(functools.partial(read_value, finding.rows))) if finding.put_back else ""
    lines += [_INDENT + line for line in wrap(safe(reading), style.width - 10)] if reading else []
    told: list[str] = []
    for place, end in enumerate(other_ends(finding)[:MOST_ENDS] if repaired else ()):
        word = "or" if place or finding.put_back else "repair"
        told += [_INDENT + line for line in wrap(safe(f"{word}: {end}"), style.width - len(_INDENT))]
    return [*lines, *places(finding, style), *put_back_lines(finding, style), *told]


def put_back_lines(finding: Finding, style: Style) -> Iterator[str]:
    """The values to put back to end a finding that a change brought, where there are any."""
    if text := put_back_words(finding.put_back):
        yield from (_INDENT + line for line in wrap(safe(f"put back: {text}"), style.width - len(_INDENT)))


def places(finding: Finding, style: Style) -> Iterator[str]:
    """The places of a finding, each with the setting as written and its value underlined."""
    for place in (finding.location, *finding.related):
        if place is not None:
            yield from _place(place, style, said=finding.message)


def _place(place: Origin, style: Style, said: str) -> list[str]:
    """On two lines where one would be too long; without the text of a file if that is what was ``said`` before."""
    where, text = safe(_where(place)), safe(place.text)
    if where and place.text and said.endswith(place.text):
        return [_INDENT + where]
    lines: list[str] = []
    if where and len(where) + len(text) + 12 > style.width:
        lines.append(_INDENT + where)
        prefix = _INDENT + "  "
    else:
        prefix = f"{_INDENT}{where}  " if where else _INDENT
    span = value_span(place, text)
    if span is None or not style.colour:
        return [*lines, prefix + text]
    start, end = span
    return [*lines, prefix + text[:start] + style.paint("underline", text[start:end]) + text[end:]]
