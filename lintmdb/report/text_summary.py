"""The head of the terminal report: what a reader needs to know before reading on, in at most ten lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from lintmdb.delivery.fate import FateGroup
from lintmdb.delivery.wording import IF_ALLOWED
from lintmdb.engine.findings import FlowHead, Judgement, Notice, Subject
from lintmdb.engine.need_groups import NeedGroup
from lintmdb.exports.discovery import is_missed
from lintmdb.model.environment_names import key_of, name_in
from lintmdb.model.origins import resolved
from lintmdb.plan.scripts import IF_UNDEFINED
from lintmdb.report.elsewhere import FULL, by_heading, untold_elsewhere
from lintmdb.report.headline_fates import GROUPS, HeadlineFate, counted_groups, most_deliveries
from lintmdb.report.if_undefined import IfUndefined, fate_if_undefined
from lintmdb.report.possible_readers import readers_in_a_sentence
from lintmdb.report.queue_reader import reader_words
from lintmdb.report.queue_status import status_words
from lintmdb.report.shortfalls import listed_by, missing_exports, unusable_parts
from lintmdb.report.subjects import subject_text
from lintmdb.report.terminal import Style, counted_severities, plural, safe, wrap
from lintmdb.report.unset_queues import UnsetQueue, find_unset_queues
from lintmdb.report.value_table import shortened
from lintmdb.run.descriptions import Descriptions
from lintmdb.run.estate import Estate
from lintmdb.run.gate import Gate, is_judged, missing_products
from lintmdb.run.possible_readers import PossibleReader
from lintmdb.settings.kinds import listed_names

_LABEL = 10
_NAMED = 4
_LIST = 8


class Fates(NamedTuple):
    """What becomes of a poison message."""

    flows: Sequence[HeadlineFate]
    """On each flow."""
    unread: Sequence[HeadlineFate] = ()
    """On each queue that no endpoint reads."""


def summary_lines(
    judgement: Judgement,
    estate: Estate,
    gate: Gate,
    fates: Fates,
    needs: Sequence[NeedGroup],
    style: Style,
    readers: Sequence[PossibleReader] = (),
) -> Iterator[str]:
    """Gate, a product that is missing, flows by fate, findings, what was read, and what is missing most."""
    verdict = gate.verdict(judgement, estate)
    colour = "green" if verdict.passes else "error"
    yield from _entry("Gate", verdict.text, style, colour)
    for shortfall in missing_exports(judgement, estate):
        yield from _entry(*shortfall, style, "warning")
    if fates.flows:
        yield from _entry("Flows", f"{len(fates.flows)}: {fates_in_a_sentence(fates.flows)}", style)
    if fates.unread:
        told = f"for {reader_words(judgement.unread)}, {fates_in_a_sentence(fates.unread)}"
        yield from _entry("Queues", f"{len(fates.unread)}: {told}", style)
    if text := readers_in_a_sentence(readers):
        yield from _entry("Readers", text, style, "warning")
    for heading, notices in by_heading(untold_elsewhere(judgement)):
        if heading == FULL:
            queues = listed_names([f"{notice.object} at {notice.queue_manager}" for notice in notices])
            text = f"{queues} when exported, so that no poison message could be moved there (see the end)"
            yield from _entry("Full", text, style, "warning")
        else:
            what = "on what other queue managers do to messages that are moved there (see the end)"
            yield from _entry("Elsewhere", f"{plural(len(notices), 'notice')} {what}", style, "warning")
    if is_judged(judgement) or judgement.findings:
        yield from _entry("Findings", _findings(judgement), style)
    yield from _entry("Read", _read(judgement, estate), style)
    if left_out := _left_out(judgement):
        yield from _entry("Left out", left_out, style)
    if unread := len(_unread(judgement)):
        yield from _entry("Not read", f"{plural(unread, 'named input')} (see the end)", style, "warning")
    for shortfall in unusable_parts(estate):
        yield from _entry(*shortfall, style, "warning")
    if needs and not missing_products(judgement, estate):
        yield from _entry("Missing", _most(needs), style)


def _entry(label: str, text: str, style: Style, colour: str = "") -> Iterator[str]:
    for number, line in enumerate(wrap(safe(text), style.width - _LABEL)):
        shown = style.paint(colour, line) if colour else line
        yield f"{' ' * _LABEL}{shown}" if number else f"{style.paint('bold', f'{label:<{_LABEL}}')}{shown}"


def fates_in_a_sentence(fates: Sequence[HeadlineFate]) -> str:
    """``a poison message is lost on 2 (only if non-persistent, while a persistent one ...) and is moved on 6``."""
    groups = [(group, count) for group, count in counted_groups(fates) if count]
    if len(groups) == 1:
        group = groups[0][0]
        told = f"{_clause(group)}{'' if len(fates) == 1 else ' on every one'}{_only(fates, group)}"
    else:
        parts = [f"{_clause(group)} on {count}{_only(fates, group)}" for group, count in groups]
        told = f"{', '.join(parts[:-1])} and {parts[-1]}"
    return f"a poison message {told}{_after_many(fates)}"


def _after_many(fates: Sequence[HeadlineFate]) -> str:
    """How long the longest way to another queue is, where that is hardly what anybody wants."""
    most = most_deliveries(fates)
    return f", at worst after {most} failed deliveries" if most else ""


def _only(fates: Sequence[HeadlineFate], group: FateGroup) -> str:
    """On how many flows of a group only some messages have its fate: those of one kind, and then what becomes of the
    other kind, or those of a user with rights that no export shows; blank where all messages have it on all.
    """
    ways: dict[tuple[int, bool], list[HeadlineFate]] = {}  # thousands of flows share the stories of a few ways
    for fate in fates:
        if fate.group is group:
            ways.setdefault((id(fate.alike), fate.has_every_right), []).append(fate)
    conditions = Counter[str]()
    for alike in ways.values():
        conditions[_condition(alike[0])] += len(alike)
    always = conditions.pop("", 0)
    several = always or len(conditions) > 1
    parts = [f"{f'on {count} ' if several else ''}only {condition}" for condition, count in conditions.items()]
    return f" ({'; '.join(parts)})" if parts else ""


def _condition(fate: HeadlineFate) -> str:
    """On what it depends that a message has the fate that counts; blank where each one has it."""
    if not fate.kind:
        return IF_ALLOWED if fate.moved_if_allowed else ""
    other = fate.poison[1]
    return f"if {fate.kind}, while a {other.kind} one {_clause(other.outcome.fate.group)}"


def _clause(group: FateGroup) -> str:
    return "has an unknown fate" if group is FateGroup.UNKNOWN else group.clause


def _findings(judgement: Judgement) -> str:
    counts = Counter(finding.rule.severity for finding in judgement.findings)
    found = counted_severities(counts) or "none"
    undecided = f", {plural(len(judgement.undecided), 'check')} undecided" if judgement.undecided else ""
    clear = f", {plural(judgement.clear, 'check')} clear" if judgement.clear else ""
    return f"{found}{undecided}{clear}"


def _read(judgement: Judgement, estate: Estate) -> str:
    names = {
        kind: sorted(
            {
                (export.name or "", export.environment or "")
                for export in estate.facts.rows["export"]
                if export.kind == kind
            }
        )
        for kind in ("cell", "queue_manager")
    }
    cells, managers = ([name_in(*reversed(pair)) for pair in names[kind]] for kind in ("cell", "queue_manager"))
    keys = [key_of(environment, name) for name, environment in names["queue_manager"]]
    parts = [_named(cells, "cell"), _named(managers, "queue manager") + _dates(keys, estate)]
    if judgement.unread_queues:
        count = judgement.unread_queues - judgement.unread_managers
        closed = len(judgement.closed)
        of_these = f" ({f'{closed} of them ' * (closed < count)}with GET(DISABLED))" * bool(closed)
        parts.append(f"{plural(count, 'queue')} that no endpoint reads{_shared(judgement.unread)}{of_these}")
    if (unset := len(judgement.unset_queues)) and judgement.all_queues:
        whose, are, them = ("queue whose", "is", "it") if unset == 1 else ("queues whose", "are", "them")
        kept = "a JMS client would get a poison message there again and again"
        parts.append(
            f"{unset} local {whose} BOTHRESH is 0 and BOQNAME blank {are} not judged: {kept} (-v lists {them})"
        )
    if judgement.unread_models:
        parts.append(f"{plural(judgement.unread_models, 'model queue')} that --all-queues does not judge")
    named = {entry.path for entry in estate.unread}
    missed = sum(entry.files for entry in estate.passed_over if is_missed(entry) and entry.path not in named)
    parts.append(plural(len(estate.inputs), "file"))
    told = ", ".join(filter(None, parts))
    return f"{told}; {plural(missed, 'file')} passed over {listed_by(missed)}" if missed else told


def _shared(queues: Iterable[FlowHead]) -> str:
    """Which queues are those of several queue managers and count at each of them; blank where none is."""
    found: dict[str, dict[str, None]] = {}
    for head in queues:
        queue, manager = head.rows.queue, head.rows.queue_manager
        if queue is not None and queue.shared_disposition and manager is not None and manager.sharing_members:
            found.setdefault(manager.sharing_members, {})[queue.name] = None
    parts = [
        f"{listed_names(list(names))} {'is' if len(names) == 1 else 'are'} shared by {listed_names(members.split())}"
        for members, names in found.items()
    ]
    return f" ({'; '.join(parts)}, judged at each)" if parts else ""


def _named(names: Sequence[str], noun: str) -> str:
    """``cell PROD``, ``cells A, B and C``, ``12 cells``."""
    if len(names) > _NAMED:
        return plural(len(names), noun)
    *most, last = [name or "(name unknown)" for name in names] or [""]
    listed = f"{', '.join(most)} and {last}" if most else last
    return f"{noun}{'s' if most else ''} {listed}" if last else ""


def _dates(keys: Iterable[str], estate: Estate) -> str:
    """When the exports were made, as far as they tell."""
    found = [estate.exported_on.get(key) for key in keys]
    dates = sorted({date for date in found if date})
    if not dates:
        return ""
    dated = len(found) - found.count(None)
    some = "" if dated == len(found) else f"{dated} of {len(found)} "
    if not some and len(dates) == 1:
        return f" (as of {dates[0]})"
    when = f"on {dates[0]}" if len(dates) == 1 else f"between {dates[0]} and {dates[-1]}"
    return f" ({some}exported {when})"


def suppressed_text(judgement: Judgement) -> str:
    """How many findings do not count, in one line; blank where all do."""
    words = _left_out(judgement)
    return f"{plural(len(judgement.suppressed), 'finding')} left out: {words}" if words else ""


def _left_out(judgement: Judgement) -> str:
    in_baseline = sum(1 for entry in judgement.suppressed if entry.kind == "baseline")
    suppressed = len(judgement.suppressed) - in_baseline
    parts = [f"{suppressed} suppressed"] if suppressed else []
    if in_baseline:
        parts.append(f"{in_baseline} in the baseline")
    return ", ".join(parts)


def _most(needs: Sequence[NeedGroup]) -> str:
    first, *rest = needs
    waiting = plural(len(first.entries), "check needs", "checks need")
    more = f"; {plural(len(rest), 'more source is', 'more sources are')} named at the end" if rest else ""
    return f"{first.text}: {waiting} it{more}"


def _unread(judgement: Judgement) -> list[Notice]:
    return [notice for notice in judgement.notices if notice.kind == "not_read"]


def unread_lines(judgement: Judgement, style: Style) -> Iterator[str]:
    """The files that somebody named and that were not read, with the reason."""
    unread = _unread(judgement)
    if unread:
        yield style.paint("bold", f"Not read: {plural(len(unread), 'named input')}")
        yield from (f"  {safe(notice.path)} {safe(notice.text)}" for notice in unread)


def conditional_lines(judgement: Judgement, fates: Fates, style: Style) -> Iterator[str]:
    """The flows and queues whose messages are moved aside if a user may move them of whom no export shows that, each
    with the queue that takes them.
    """
    told = (*zip(judgement.flows, fates.flows, strict=True), *zip(judgement.unread, fates.unread, strict=True))
    moved = [(safe(subject_text(head.subject)), fate) for head, fate in told if fate.moved_if_allowed]
    if not moved:
        return
    yield style.paint("bold", f"Moved aside only {IF_ALLOWED}: {len(moved)}")
    width = max(len(title) for title, _ in moved)
    for title, fate in moved:
        yield f"  {title:<{width}}  {safe(fate.poison[0].outcome.target)}".rstrip()


UnknownFate: TypeAlias = tuple[Subject, IfUndefined | None]
"""A flow or a queue, and what becomes of a message if no cluster has its backout queue; None where nobody knows that
either."""


def unknown_lines(unknown: Sequence[UnknownFate], estate: Estate, style: Style, *, every: bool) -> Iterator[str]:
    """A heading and what ``unknown_fates`` gives; without ``every`` the first few."""
    if not unknown:
        return
    yield style.paint("bold", f"Fate not known, and no finding: {len(unknown)}")
    names = unknown if every else unknown[:_LIST]
    outside = _outside_clusters({otherwise.queue for _, otherwise in names if otherwise is not None}, estate)
    for place, (subject, otherwise) in enumerate(names, start=1):
        title = safe(subject_text(subject))
        where = safe(_backout_place(otherwise)) if otherwise is not None else ""
        room = style.width - len(title) - 4
        where = where if every or len(where) <= room else shortened(where, room)
        first, *rest = wrap(f"{title}  {where}" if where else title, style.width - 6)
        yield f"  {first}"
        yield from (f"      {line}" for line in rest)
        below = names[place][1] if place < len(names) else None
        if otherwise is not None and (below is None or below.words != otherwise.words):
            text = f"{otherwise.words}{outside.get((otherwise.queue, subject.environment), '')}"
            yield from (f"    {line}" for line in wrap(safe(text), style.width - 4))
        if otherwise is not None and (below is None or place == len(names)):
            yield f"    lintmdb plan --out DIR writes what to change then to DIR/{IF_UNDEFINED}"
    if more := len(unknown) - len(names):
        yield f"  and {plural(more, 'more', 'more')} (-v names them)"


def _backout_place(otherwise: IfUndefined) -> str:
    """The file and line that name the queue in BOQNAME; blank where that is not known."""
    queue = otherwise.rows.queue
    place = queue.origins.get("backout_queue") if queue is not None else None
    named = resolved(place) if place is not None else None
    return f"{named.path}:{named.line}" if named is not None else ""


def untold_bad(judgement: Judgement, fates: Fates, shown: Collection[Subject]) -> list[tuple[Subject, HeadlineFate]]:
    """The flows and queues on which a message fares badly whatever settles the rules that would report it: those that
    have a rule undecided and no finding, be it one that is left out.
    """
    told = (*zip(judgement.flows, fates.flows, strict=True), *zip(judgement.unread, fates.unread, strict=True))
    found = {*shown, *(entry.finding.subject for entry in judgement.suppressed)}
    bad = [(head.subject, fate) for head, fate in told if fate.group.bad and head.subject not in found]
    undecided = {entry.subject for entry in judgement.undecided} if bad else set[Subject]()
    return sorted((each for each in bad if each[0] in undecided), key=lambda each: each[1].rank)


def untold_lines(untold: Sequence[tuple[Subject, HeadlineFate]], style: Style, *, every: bool) -> Iterator[str]:
    """A heading and what ``untold_bad`` gives; without ``every`` the first few."""
    if not untold:
        return
    yield style.paint("bold", f"Bad fate, and no finding yet: {len(untold)}")
    for subject, fate in untold if every else untold[:_LIST]:
        first, *rest = wrap(safe(subject_text(subject)), style.width - 6)
        yield f"  {first}"
        yield from (f"      {line}" for line in rest)
        text = f"{fate.words}, whatever settles its undecided checks"
        yield from (f"    {line}" for line in wrap(safe(text), style.width - 4))
    if not every and len(untold) > _LIST:
        yield f"  and {plural(len(untold) - _LIST, 'more', 'more')} (-v names them)"


def may_be_bad(unknown: Iterable[UnknownFate]) -> bool:
    """Whether a message fares badly on one of these if no cluster has its backout queue."""
    return any(otherwise is not None and otherwise.fate.group.bad for _, otherwise in unknown)


def unknown_fates(judgement: Judgement, fates: Fates, shown: Collection[Subject]) -> list[UnknownFate]:
    """The flows and queues of which nobody knows what becomes of a message, and that are not ``shown`` elsewhere, those
    first that may fare worst. None where that is all that is judged: the first lines of a report say so.
    """
    told = (*zip(judgement.flows, fates.flows, strict=True), *zip(judgement.unread, fates.unread, strict=True))
    heads = [head for head, fate in told if fate.group is FateGroup.UNKNOWN and head.subject not in shown]
    if len(heads) == len(told):
        return []
    return sorted(((head.subject, fate_if_undefined(head)) for head in heads), key=_worst_first)


def _outside_clusters(names: Collection[str], estate: Estate) -> Mapping[tuple[str, str | None], str]:
    """Where queue managers have queues of some names that no export shows in a cluster, as where CLUSTER was forgotten,
    by name and environment.
    """
    found: dict[tuple[str, str | None], list[str]] = {}
    for row in estate.facts.rows["queue_name"] if names else ():
        place = row.origins.get("name")
        if row.name in names and row.clusters is None and row.local_queue and place is not None:
            found.setdefault((row.name, row.environment), []).append(f"{row.queue_manager} ({place.path}:{place.line})")
    return {
        (name, environment): f". {name} is defined at {listed_names(places)}, and no export shows it in a cluster"
        for (name, environment), places in found.items()
    }


def _worst_first(entry: tuple[Subject, IfUndefined | None]) -> tuple[int, str]:
    _, otherwise = entry
    return (otherwise.fate.rank, otherwise.words) if otherwise is not None else (len(GROUPS), "")


def unset_lines(judgement: Judgement, estate: Estate, style: Style) -> Iterator[str]:
    """The queues that are not judged, as they have no backout attributes, with their places, their descriptions, and
    how many read them when they were exported: those that nobody read then come last.
    """
    queues = sorted(find_unset_queues(judgement, estate.queue_status), key=_readers_first)
    descriptions = Descriptions(estate.sources)
    if not queues:
        return
    yield style.paint("bold", f"Not judged: {plural(len(queues), 'local queue')} with BOTHRESH(0) and a blank BOQNAME")
    for line in wrap(
        "Where a JMS client reads one and rolls back, it gets the same message again, for ever.", style.width - 2
    ):
        yield f"  {line}"
    titles = [safe(subject_text(queue.subject)) for queue in queues]
    width = max(map(len, titles))
    for title, (_, place, shown) in zip(titles, queues, strict=True):
        where = safe(f"{place.path}:{place.line}") if place is not None else ""
        yield f"  {title:<{width}}  {where}".rstrip()
        described = descriptions.find(place)
        more = (status_words(shown) if shown is not None else "", f"DESCR: {described}" if described else "")
        yield from (f"    {line}" for line in wrap(safe(". ".join(filter(None, more))), style.width - 4) if line)


def _readers_first(queue: UnsetQueue) -> int:
    readers = queue.shown.status.readers if queue.shown is not None else None
    return 1 if readers is None else 0 if readers else 2


def undecided_lines(needs: Sequence[NeedGroup], style: Style) -> Iterator[str]:
    """What could not be decided, one entry a kind of source, with what to supply."""
    if not needs:
        return
    count = sum(len(need.entries) for need in needs)
    settles = f"{plural(count, 'check')}, and what would settle {'it' if count == 1 else 'them'}"
    yield style.paint("bold", f"Undecided: {settles}")
    width = max(len(str(len(need.entries))) for need in needs)
    told: set[str] = set()
    for need in needs[:_LIST]:
        indent = " " * (width + 4)
        commands = {entry.need.command for entry in need.entries}
        again = need.is_output and commands <= told
        told |= commands
        text = f"{need.text} (in that output, too)" if again else need.text
        for number, line in enumerate(wrap(safe(text), style.width - len(indent))):
            yield f"{indent}{line}" if number else f"  {len(need.entries):>{width}}  {line}"
        if again:
            continue
        if need.command:
            yield f"{indent}{safe(need.supply)}"
        else:
            yield from (f"{indent}{line}" for line in wrap(safe(need.supply), style.width - len(indent)) if line)
    if len(needs) > _LIST:
        rest = sum(len(need.entries) for need in needs[_LIST:])
        more = plural(len(needs) - _LIST, "more source", "more sources")
        yield f"  {rest:>{width}}  {more} (--format json lists every one)"
