"""What a report tells of one after the other: each flow with its findings, and each subject that belongs to no flow;
the worst first, and those that are built alike together.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

from lintmdb.engine.findings import Finding, FlowHead, Judgement, Subject
from lintmdb.engine.flow_rows import FlowRows, find_row
from lintmdb.model.columns import Value
from lintmdb.model.relations import Problem, PutTarget
from lintmdb.report.flow_repairs import Repairs
from lintmdb.report.full_queues import FullQueues
from lintmdb.report.headline_fates import HeadlineFate
from lintmdb.report.subjects import headline, subject_text
from lintmdb.rules.conditions import find_column
from lintmdb.rules.rule import SEVERITIES, severity_rank
from lintmdb.settings.changes import Assignment, Change, Grant

_TARGETS = ("backout.", "dead_letter.")
_NO_FATE = 99
_ALONE = 50
_NOW = -20


class Case(NamedTuple):
    """A flow, or another subject, with its findings, the most severe first."""

    number: int
    """Of the flow; subjects without a flow have numbers above those."""
    findings: tuple[Finding, ...]
    head: FlowHead | None = None
    fate: HeadlineFate | None = None
    alone: bool = False
    """A queue that no endpoint reads, and what would become of a message of a client that never gives up."""
    meanwhile: HeadlineFate | None = None
    """What becomes of a message until its backout queue has room, where that was full when it was exported."""

    @property
    def subject(self) -> Subject:
        """The flow's subject, or that of the findings."""
        return self.head.subject if self.head is not None else self.findings[0].subject

    @property
    def title(self) -> str:
        """What it is about, in one line."""
        return headline(self.head) if self.head is not None and not self.alone else subject_text(self.subject)

    @property
    def flow(self) -> int | None:
        """The number of the flow, if it is one."""
        return self.number if self.head is not None and not self.alone else None


def build_cases(judgement: Judgement, fates: Sequence[HeadlineFate], unread: Sequence[HeadlineFate] = ()) -> list[Case]:
    """The cases of all findings, the worst fate first and then the worst severity; ``fates`` has one entry a flow, and
    ``unread`` one for each of the judgement's queues that no endpoint reads.
    """
    by_flow: dict[int, list[Finding]] = {}
    by_subject: dict[Subject, list[Finding]] = {}
    for finding in judgement.findings:
        if finding.flow is not None:
            by_flow.setdefault(finding.flow, []).append(finding)
        else:
            by_subject.setdefault(finding.subject, []).append(finding)
    cases = [
        Case(number, _ranked(findings), judgement.flows[number], fates[number]) for number, findings in by_flow.items()
    ]
    alone = {head.subject: (head, fate) for head, fate in zip(judgement.unread, unread, strict=False)}
    cases += [
        Case(number, _ranked(findings), *alone.get(subject, (None, None)), alone=subject in alone)
        for number, (subject, findings) in enumerate(by_subject.items(), len(judgement.flows))
    ]
    full = FullQueues(judgement.notices)
    return sorted((_with_full(case, full) for case in cases), key=_worst_first)


def _with_full(case: Case, full: FullQueues) -> Case:
    if case.head is None or case.fate is None or not full.find(case.head, case.fate.fates):
        return case
    return case._replace(meanwhile=full.fate_meanwhile(case.head))


def _ranked(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    return tuple(sorted(findings, key=lambda finding: (severity_rank(finding.rule.severity), finding.rule.id)))


def _worst_first(case: Case) -> tuple[int, ...]:
    """Flows in the order of their fates, then queues by themselves with a bad fate, then all else by severity. Before
    the others of its kind come those whose backout queue was full, so that the next message fares badly, or may: there
    poison messages are no mere possibility.
    """
    fate, meanwhile = case.fate, case.meanwhile
    now = meanwhile is not None and (meanwhile.group.bad or meanwhile.may_be_refused)
    told = fate.alike if fate is not None else ()
    rank = min((each.outcome.fate.group.rank for each in told), default=_NO_FATE)
    rank = _NOW + meanwhile.rank if meanwhile is not None and now else rank
    if case.alone:
        rank = _ALONE + rank if now or (fate is not None and fate.group.bad) else _NO_FATE
    return (rank, *count_severities(case.findings), case.number)


def count_severities(findings: Iterable[Finding]) -> tuple[int, ...]:
    """How many findings have each severity, as what sorts the worst first."""
    severities = [finding.rule.severity for finding in findings]
    return tuple([-severities.count(severity) for severity in SEVERITIES])


def group_alike(cases: Iterable[Case], repairs: Repairs) -> list[list[Case]]:
    """Cases that differ in names alone, in one list each; the lists in the order of their first cases."""
    groups: dict[tuple[object, ...], list[Case]] = {}
    for case in cases:
        groups.setdefault(_likeness(case, repairs), []).append(case)
    return [alike for group in groups.values() for alike in _by_options(group, repairs)]


def _by_options(group: Sequence[Case], repairs: Repairs) -> Iterable[list[Case]]:
    """Cases of one likeness that are in no plan, apart where other options end their findings."""
    if len(group) == 1 or group[0].flow is not None:
        return [[*group]]
    found: dict[tuple[object, ...], list[Case]] = {}
    for case in group:
        options = repairs.of(None, case.findings).options
        shapes = tuple((option.finding.rule.id, *map(_shape, option.changes)) for option in options)
        found.setdefault(shapes, []).append(case)
    return found.values()


def _likeness(case: Case, repairs: Repairs) -> tuple[object, ...]:
    """What two cases share that differ in names alone: rules, values that are no names, fate, and planned changes."""
    if any(isinstance(finding.rows, Problem) for finding in case.findings):
        return (case.number,)
    findings = tuple(map(finding_likeness, case.findings))
    changes = tuple(map(_shape, repairs.planned_changes(case.flow)))
    stories = [told for fate in (case.fate, case.meanwhile) if fate is not None for told in fate.alike]
    told = tuple((told.kind, told.outcome.fate, told.outcome.deliveries, told.outcome.missing) for told in stories)
    return case.subject.kind, findings, told, changes


def finding_likeness(finding: Finding) -> tuple[object, ...]:
    """What two findings share that differ in names alone: the rule, and the values that are no names."""
    return finding.rule.id, finding.flows > 1, tuple(_values(finding))


def _values(finding: Finding) -> Iterator[tuple[str, Value]]:
    for name, value in finding.values.items():
        told, leads = _told_of(name)
        if told:
            yield name, bool(value) if told == "name" else value
            if leads:
                yield from _way(name, finding)
    if not isinstance(finding.rows, FlowRows):
        yield "", finding.rule.id


@functools.lru_cache(maxsize=1024)  # a few hundred columns, asked for by thousands of findings
def _told_of(name: str) -> tuple[Literal["", "name", "value"], bool]:
    """What a likeness has of a column, nothing of an id and of a name whether there is one; and whether its row is a
    queue that messages are moved to.
    """
    if find_column(name).id_of:
        return "", False
    return ("name" if _is_name(name) else "value"), name.startswith(_TARGETS)


def _way(name: str, finding: Finding) -> Iterator[tuple[str, Value]]:
    """What leads to the queue of a value, and what refuses puts there: a repair that fits one does not fit all."""
    target = find_row(finding.rows, name.partition(".")[0])
    if isinstance(target, PutTarget):
        yield f"{name} type", target.type
        yield f"{name} refuses", target.put_disabled_type
        yield f"{name} leaves", bool(target.transmission_queue)


def _nameless(name: str, value: Value) -> Value:
    """A value; of a name whether there is one."""
    return bool(value) if _is_name(name) else value


def _is_name(column: str) -> bool:
    found = find_column(column)
    return found.type == "text" and not found.values


def _shape(change: Change) -> tuple[str, ...]:
    """A change without the names in it: those of one shape are told in the same words."""
    kind, disposition = change.target.kind, change.target.disposition
    if isinstance(change, Assignment):
        old, new = (str(_nameless(change.setting, value)) for value in (change.old, change.new))
        return "set", kind, disposition, change.attribute, old, new
    if isinstance(change, Grant):
        return "grant", kind, "group" if change.group else "user", *change.rights
    attributes = (f"{keyword} {value if value.isdigit() else bool(value)}" for keyword, value in change.attributes)
    return "define", kind, disposition, *attributes
