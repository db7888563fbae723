"""What a finding rests on that an earlier state of its flow had otherwise: where, and which values to put back."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from types import MappingProxyType
from typing import TypeAlias

from lintmdb.engine.evidence import deciding_columns, find_commands
from lintmdb.engine.findings import Finding, FlowHead, Judgement
from lintmdb.engine.flow_rows import FlowRows, find_origin
from lintmdb.engine.repairs import Alternative, assign, find_alternatives, on_platform, reader_of
from lintmdb.engine.replacements import FlowPlace, FoundAt, found_at, repairs_another, worse_places
from lintmdb.model.environment_names import key_of
from lintmdb.model.origins import ChangeOrigin, Origin, resolved
from lintmdb.rules.rule import Rule
from lintmdb.settings.changes import Assignment, Definition
from lintmdb.settings.registry import SETTINGS

EarlierRows: TypeAlias = Mapping[tuple[str, ...], FlowRows]
"""The rows of the flows, and of the queues by themselves, of an earlier state, by the identity of each."""


def earlier_rows(before: Judgement) -> EarlierRows:
    """The rows of the flows, and of the queues that no endpoint reads, of an earlier state."""
    return {head.subject.identity(): head.rows for head in (*before.flows, *before.unread, *before.closed)}


def told_by_earlier(
    finding: Finding,
    flows: Sequence[FlowHead],
    earlier: EarlierRows,
    better: Set[FlowPlace],
    ended: Sequence[FoundAt],
    *,
    worse: Set[FlowPlace] = frozenset(),
    ends: bool = True,
) -> Finding:
    """A finding that knows which of its places have other values than before, and which values to put back to end it;
    ``flows`` are those of its judgement. Where it does not ``end`` with the earlier values, or a message fares
    ``better`` with those of now, or they bring back one of the findings that ``ended`` and are as severe, there is
    nothing to put back. Nor is there where no message fares ``worse``, and the earlier values bring back any of them.
    """
    here = found_at(finding, flows)
    ends = ends and not here.is_at(better) and not repairs_another(here, ended)
    about = finding.subject if finding.flow is None else flows[finding.flow].subject
    former = earlier.get(about.identity())
    if former is None or not isinstance(finding.rows, FlowRows):
        return finding
    differing = _find_differing(finding.rule, finding.rows, former)
    put_back = _find_put_back(finding.rule, finding.rows, former) if ends else ()
    if not here.is_at(worse) and any(_brings_back(put_back, old.finding) for old in ended):
        put_back = ()
    return replace(finding, differing=differing, put_back=put_back) if differing or put_back else finding


def _brings_back(put_back: Alternative, old: Finding) -> bool:
    """Whether values to put back are those on which a finding rested that ended."""
    rows = old.rows
    manager = rows.queue_manager if isinstance(rows, FlowRows) else None
    if manager is None or not isinstance(rows, FlowRows):
        return False
    place, behind = key_of(manager.environment, manager.name), settings_behind(tuple(old.rule.columns))
    return any(
        isinstance(change, Assignment)
        and change.setting in behind
        and change.target.place_key == place
        and rows.value(change.setting) == change.new
        for change in put_back
    )


def tell_put_back(judgement: Judgement, unchanged: Callable[[], Judgement]) -> None:
    """Let the findings that rest on a change, and that the verdicts without it do not have, know what to put back."""
    if not any(map(_rests_on_change, judgement.findings)):
        return
    before = unchanged()
    known = {finding.fingerprint for finding in before.findings}
    unknown = {(entry.rule.id, entry.subject) for entry in before.undecided}
    earlier = earlier_rows(before)
    worse = worse_places(before, judgement)
    better = worse_places(judgement, before) - worse
    present = {finding.fingerprint for finding in judgement.findings}
    gone = [finding for finding in before.findings if finding.fingerprint not in present]
    ended = [found_at(finding, before.flows) for finding in gone]

    def told(finding: Finding) -> Finding:
        if not _rests_on_change(finding) or finding.fingerprint in known:
            return finding
        ends = (finding.rule.id, finding.subject) not in unknown
        return told_by_earlier(finding, judgement.flows, earlier, better, ended, worse=worse, ends=ends)

    judgement.findings = list(map(told, judgement.findings))


def _rests_on_change(finding: Finding) -> bool:
    return any(isinstance(place, ChangeOrigin) for place in (finding.location, *finding.related))


def _find_put_back(rule: Rule, rows: FlowRows, former: FlowRows) -> Alternative:
    """The changes that give a rule the values back that it had in an earlier state of the flow, so that its verdict is
    what it was; none where they were not known, where not all that differs is an attribute or follows from one, or
    where another object has it now.
    """
    if (removed := _find_removed(rule, rows, former)) is not None:
        return (removed,)
    read, read_former, locate = reader_of(rows), reader_of(former), functools.partial(find_origin, rows)
    found: dict[str, Alternative] = {}
    for column in rule.columns:
        if rows.value(column) == former.value(column):
            continue
        for name in _attributes_behind(column, rows, former):
            was = former.value(name)
            if name not in SETTINGS or was is None or was == rows.value(name):
                return ()
            made = found.get(name) or assign(name, was, read, locate)
            owners = [setting.owner(read_former) for setting in SETTINGS[name]]
            if not made or any(change.target not in owners for change in made):
                return ()
            found[name] = made
    return on_platform(tuple([change for made in found.values() for change in made]), read)


def _find_removed(rule: Rule, rows: FlowRows, former: FlowRows) -> Definition | None:
    """The definition, as the rule's repairs have it, of a queue that the same name led to in an earlier state, and that
    is not there any more; it knows where it was.
    """
    names = (("queue.backout_queue", rows.backout, former.backout),)
    names += (("queue_manager.dead_letter_queue", rows.dead_letter, former.dead_letter),)
    gone = {
        was.local_queue: was
        for name, now, was in names
        if was is not None and was.local_queue and rows.value(name) == former.value(name)
        if now is None or not now.local_queue
    }
    for change in (change for changes in find_alternatives(rule, rows) for change in changes) if gone else ():
        if isinstance(change, Definition) and change.target.name in gone:
            defined = gone[change.target.name].origins.get("model")  # the place of the local queue
            return change._replace(new_origin=resolved(defined) if defined is not None else None)
    return None


def _find_differing(rule: Rule, rows: FlowRows, former: FlowRows) -> frozenset[Origin]:
    """Where the values that decide and that differ from those of an earlier state of the flow were read. Those of an
    object that another name leads to now are at that name.
    """
    names: dict[str, None] = {}
    for name in deciding_columns(rule, rows):
        if rows.value(name) != former.value(name):
            naming = _NAMED_BY.get(name.partition(".")[0], name)
            names[naming if rows.value(naming) != former.value(naming) else name] = None
    found = [find_origin(rows, name) for name in names]
    return frozenset([*filter(None, found), *(place for name in names for place in find_commands(rows, name))])


def _attributes_behind(column: str, rows: FlowRows, former: FlowRows) -> Iterator[str]:
    """The attributes that a column which differs follows from: where its object is another one, the one that names it;
    those that it is worked out from and that differ; or else its own.
    """
    naming = _NAMED_BY.get(column) or _NAMED_BY.get(column.partition(".")[0])
    if naming is not None and (column in _NAMED_BY or rows.value(naming) != former.value(naming)):
        yield naming
        return
    parts = [part for part in _worked_out_from(column) if rows.value(part) != former.value(part)]
    for part in parts:
        yield from _attributes_behind(part, rows, former)
    if not parts:
        yield column


def _worked_out_from(column: str) -> Iterator[str]:
    alias, _, name = column.partition(".")
    return (f"{alias}.{part}" for part in _WORKED_OUT_FROM.get(name, ()))


@functools.cache
def settings_behind(columns: tuple[str, ...]) -> frozenset[str]:
    """The settings that some columns follow from: they themselves, those that they are worked out from, and the names
    that lead to their objects.
    """
    parts = [part for column in columns for part in (column, *_worked_out_from(column))]
    naming = (_NAMED_BY.get(key) for part in parts for key in (part, part.partition(".")[0]))
    return frozenset(name for name in (*parts, *filter(None, naming)) if name in SETTINGS)


_NAMED_BY: Mapping[str, str] = MappingProxyType(
    {
        "queue.backout_resolution": "queue.backout_queue",
        "backout": "queue.backout_queue",
        "queue_manager.dead_letter_resolution": "queue_manager.dead_letter_queue",
        "dead_letter": "queue_manager.dead_letter_queue",
    }
)
"""The attribute that names an object, by the alias of that or by the column that says what the name leads to."""
_WORKED_OUT_FROM: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "default_depth": ("max_depth",),
        "no_room": ("max_depth",),
        "takes_puts": ("put_enabled", "no_room", "reachable", "stream_closed", "name_clash"),
        "effective_timeout_ms": ("total_timeout_ms", "maximum_timeout_ms"),
        "listener_recovery_ms": ("listener_recovery_retries", "listener_recovery_interval_ms"),
        "reconnection_ms": ("reconnection_retries", "reconnection_interval_ms"),
        "effective_blocked_retry_ms": ("blocked_retry_ms",),
    }
)
"""The columns of the same row that a column is worked out from."""
