"""Judging: every rule on every flow, binding and problem; verdicts to findings.

Rows and verdicts come from SQLite. What a finding says is worked out when somebody asks it.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

from lintmdb.engine.evidence import deciding_columns
from lintmdb.engine.findings import Finding, FlowHead, Judgement, Subject, Undecided
from lintmdb.engine.flow_rows import FlowRows, JudgedRows, unknown_columns
from lintmdb.engine.missing_inputs import find_need
from lintmdb.engine.tables import Tables, filled_tables, judge_rows
from lintmdb.model.facts import Facts
from lintmdb.model.relations import Binding, Problem
from lintmdb.rules.rule import Rule, severity_rank
from lintmdb.rules.verdicts import Verdict

_CLEAR, _HAZARD = int(Verdict.CLEAR), int(Verdict.HAZARD)


def judge(facts: Facts, rules: Sequence[Rule]) -> Judgement:
    """All verdicts of ``rules`` on ``facts``, sorted and independent of the order of rows."""
    judgement = Judgement(endpoints=len(facts.rows["endpoint"]), rules=tuple(sorted(rules, key=lambda rule: rule.id)))
    with filled_tables(facts, rules) as tables:
        for base in ("flow", "binding", "problem"):
            chosen = [rule for rule in rules if rule.base == base]
            if chosen or base == "flow":
                _judge_base(tables, base, chosen, facts, judgement)
    sort_verdicts(judgement)
    return judgement


def sort_verdicts(judgement: Judgement) -> None:
    """Put findings and undecided verdicts into the order of reports."""
    order = functools.cache(_subject_order)  # most subjects have several
    judgement.findings.sort(key=lambda f: (order(f.subject), severity_rank(f.rule.severity), f.rule.id))
    judgement.undecided.sort(key=lambda u: (u.rule.id, order(u.subject)))


def _subject_order(subject: Subject) -> tuple[str, ...]:
    place = (
        subject.environment or "",
        subject.cell or "",
        subject.cluster or "",
        subject.node or "",
        subject.server or "",
    )
    return place + subject.identity()


def _judge_base(tables: Tables, base: str, rules: Sequence[Rule], facts: Facts, judgement: Judgement) -> None:
    levels = [_Level(name, rules) for name in dict.fromkeys(rule.subject for rule in rules)]
    picked: dict[tuple[int, ...], list[tuple[_Level, _Verdicts]]] = {}  # thousands of flows get the same verdicts
    for rows, verdicts in judge_rows(tables, facts, base, rules):
        head: FlowHead | None = None
        flow: int | None = None
        if isinstance(rows, FlowRows):
            head, flow = flow_head(rows), len(judgement.flows)
            judgement.flows.append(head)
        own_of_levels = picked.get(verdicts)
        if own_of_levels is None:
            found = ((level, level.pick(verdicts)) for level in levels)
            own_of_levels = picked[verdicts] = [
                (level, _Verdicts(own, _not_clear(own))) for level, own in found if any(own)
            ]
        for level, own in own_of_levels:
            subject = head.subject if head and level.name == "flow" else build_subject(level.name, rows)
            level.add(subject, own, (rows, flow))
    for level in levels:
        level.report(judgement)


_Seen: TypeAlias = tuple[JudgedRows, int | None]
"""The rows that show a verdict, and the number of their flow."""


class _Verdicts(NamedTuple):
    """The verdicts of the rules about one kind of subject on one row."""

    of_rules: tuple[int, ...]
    not_clear: tuple[tuple[int, int], ...]
    """The numbers of rules whose verdict is a hazard or undecided, each with that verdict."""


class _Merged:
    """The verdicts on one subject so far."""

    __slots__ = ("first", "hazards", "strongest")

    def __init__(self, verdicts: tuple[int, ...]) -> None:
        self.strongest = verdicts
        """The strongest of each rule; flows of the same verdicts share them."""
        self.first: dict[int, _Seen] = {}
        """What shows the strongest verdict of a rule first, by its number, where that is not clear."""
        self.hazards: dict[int, int] = {}
        """How many flows show a hazard, by the number of its rule."""

    def add(self, verdicts: _Verdicts, seen: _Seen) -> None:
        """Merge the verdicts on one row."""
        known = self.strongest
        if verdicts.of_rules != known:
            self.strongest = tuple(map(max, known, verdicts.of_rules))
        for number, verdict in verdicts.not_clear:
            if verdict == _HAZARD:
                self.hazards[number] = self.hazards.get(number, 0) + 1
            if number not in self.first or verdict > known[number]:
                self.first[number] = seen


class _Level:
    """The rules about one kind of subject, and the strongest verdict of each on every subject so far.

    Nearly all verdicts are clear or say nothing: they stay together, a row of numbers for each subject.
    """

    def __init__(self, name: str, rules: Sequence[Rule]) -> None:
        self.name = name
        places = [place for place, rule in enumerate(rules) if rule.subject == name]
        self.rules = tuple([rules[place] for place in places])
        self._merged: dict[Subject, _Merged] = {}
        self._cells: dict[Subject, str | None] = {}
        several = operator.itemgetter(*places)
        self.pick: Callable[[tuple[int, ...]], tuple[int, ...]] = (
            several if len(places) > 1 else lambda verdicts: (several(verdicts),)
        )
        """The verdicts of these rules among those of all."""

    def add(self, subject: Subject, verdicts: _Verdicts, seen: _Seen) -> None:
        """Merge the verdicts on one row into those on its subject."""
        merged = self._merged.get(subject)
        if merged is None:
            merged = self._merged[subject] = _Merged(verdicts.of_rules)
            if subject.cell is None and isinstance(seen[0], FlowRows):
                self._cells[subject] = seen[0].endpoint.cell
        merged.add(verdicts, seen)

    def report(self, judgement: Judgement) -> None:
        """Add the verdicts on all subjects to a judgement."""
        judgement.cells |= self._cells
        for subject, merged in self._merged.items():
            judgement.judged.append((subject, self.rules, merged.strongest))
            judgement.clear += merged.strongest.count(_CLEAR)
            for number, verdict in _not_clear(merged.strongest):
                rule, (rows, flow) = self.rules[number], merged.first[number]
                if verdict == _HAZARD:
                    judgement.findings.append(Finding(rule, subject, rows, flow, merged.hazards[number]))
                else:
                    judgement.undecided.append(build_undecided(rule, subject, rows, flow))


@functools.lru_cache(maxsize=1024)
def _not_clear(verdicts: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
    """The numbers of rules whose verdict is a hazard or undecided, each with that verdict."""
    return tuple([(number, verdict) for number, verdict in enumerate(verdicts) if verdict > _CLEAR])


def flow_head(rows: FlowRows) -> FlowHead:
    """What identifies the flow of these rows to a reader."""
    return FlowHead(build_subject("flow", rows), rows)


def build_subject(level: str, rows: JudgedRows) -> Subject:
    """What a rule of the given subject level is about in this row."""
    environment = (rows.endpoint if isinstance(rows, FlowRows) else rows).environment
    subject = _subject(level, rows)
    return subject if environment is None else subject._replace(environment=environment)


def _subject(level: str, rows: JudgedRows) -> Subject:
    if isinstance(rows, Problem):
        detail = rows.object or rows.text
        return Subject("export", rows.path, rows.cell, queue_manager=rows.queue_manager, detail=detail)
    if isinstance(rows, Binding):
        b = rows
        return Subject("bean", b.bean, b.cell, b.cluster, b.node, b.server, b.application, b.module, b.bean)
    return _flow_subject(level, rows)


def _flow_subject(level: str, rows: FlowRows) -> Subject:
    endpoint, server, destination = rows.endpoint, rows.server, rows.destination
    # The queue of a subscription is called after its topic, but what a rule says of its model queue is about that.
    queue = rows.queue.name if rows.queue and (level == "queue" or endpoint.queue) else endpoint.queue
    manager = endpoint.queue_manager
    if level == "queue" and manager and queue:
        return Subject("queue", queue, queue_manager=manager, queue=queue)
    if level == "queue_manager" and manager:
        return Subject("queue_manager", manager, queue_manager=manager)
    if level == "destination" and destination is not None:
        return Subject("destination", destination.name, destination.cell, bus=destination.bus)
    if level == "server" and server is not None:
        if server.node is None and server.cluster is not None:
            return Subject("cluster", server.cluster, server.cell, server.cluster)
        return Subject("server", server.name, server.cell, server.cluster, server.node, server.name)
    bean = rows.bean if level in ("flow", "bean") else None
    return Subject(
        kind=endpoint.kind,
        name=endpoint.name,
        cell=endpoint.cell,
        cluster=endpoint.cluster,
        node=endpoint.node,
        server=endpoint.server,
        application=bean.application if bean else None,
        module=bean.module if bean else None,
        bean=bean.name if bean else None,
        queue_manager=manager,
        queue=queue,
    )


def build_undecided(rule: Rule, subject: Subject, rows: JudgedRows, flow: int | None) -> Undecided:
    """The undecided verdict of a rule on a subject, from the rows that show it first."""
    missing = unknown_columns(deciding_columns(rule, rows), rows) or unknown_columns(rule.columns, rows)
    return Undecided(rule, subject, missing, find_need(missing, rows, subject), flow)
