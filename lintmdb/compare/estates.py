"""The difference between two states of an estate: flows with another fate, and findings that are new, resolved or
newly undecided.

Judgements become the records that ``matching`` compares, and what it finds becomes a Comparison.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple

from lintmdb.compare.fate_changes import FateChange, find_fate_changes, told_fates
from lintmdb.compare.identity import Key, across_environments, identify, identify_loosely
from lintmdb.compare.kept_queues import kept_queues
from lintmdb.compare.matching import (
    Exports,
    Matching,
    Place,
    Record,
    State,
    find_missing_cell,
    find_missing_export,
    match,
    match_flows,
)
from lintmdb.compare.migration import find_migrated, pair_findings
from lintmdb.compare.refused_commands import newly_refused
from lintmdb.compare.regrouped import Regrouped, find_regrouped
from lintmdb.compare.uncertain_commands import changed_uncertain_commands
from lintmdb.compare.unjudged_puts import changed_puts
from lintmdb.compare.unjudged_queues import unjudged_queues
from lintmdb.compare.unjudged_subscriptions import changed_subscriptions
from lintmdb.compare.unjudged_tls import changed_tls
from lintmdb.engine.earlier_values import EarlierRows, earlier_rows, told_by_earlier
from lintmdb.engine.findings import Finding, FlowHead, Judgement, Subject, Suppressed, Undecided
from lintmdb.engine.judge import build_subject
from lintmdb.engine.missing_inputs import find_need
from lintmdb.engine.replacements import FlowPlace, FoundAt, changed_places, find_replacement, found_at
from lintmdb.model.environment_names import key_of, name_in
from lintmdb.model.relations import Problem
from lintmdb.rules.rule import Rule
from lintmdb.run.estate import Estate
from lintmdb.run.gate import Gate, guessed_managers, is_judged
from lintmdb.run.merged_scripts import is_below, paths_of_scripts
from lintmdb.run.possible_readers import PossibleReader
from lintmdb.run.reading_notices import reading_notices


@dataclass(frozen=True, slots=True)
class Side:
    """One state: its exports, and the verdicts on them."""

    estate: Estate
    judgement: Judgement
    roots: Sequence[str]
    """The paths that were given, as reports show them; findings about exports are matched by what lies below."""
    environment: str | None = None
    """The name of the state where the two are environments, in which cells, servers and queue managers have other
    names.
    """

    readers: Callable[[], list[PossibleReader]] = list
    """Gives those who may read the queues that no endpoint reads and whose reader nobody names."""

    def known_as(self, subject: Subject) -> Subject:
        """What the subject is called in both states."""
        return across_environments(subject) if self.environment is not None else subject

    def below(self, path: str) -> str:
        """A path without the root that was given."""
        root = max((root for root in self.roots if path.startswith(root)), key=len, default="")
        return path.removeprefix(root)

    def unreadable(self) -> dict[str, str]:
        """The files that cannot be read, by their path below the root."""
        problems = self.estate.facts.rows["problem"]
        return {self.below(problem.path): problem.path for problem in problems if problem.kind == "unreadable"}

    def exports(self) -> Exports:
        """The names of the cells and queue managers that were given; those of another environment may be any."""
        rows = self.estate.facts.rows["export"]
        if self.environment is not None:
            return Exports(frozenset({Place(None, None)}), frozenset({Place(None, None)}))
        return Exports(
            frozenset(Place(row.environment, row.name) for row in rows if row.kind == "cell"),
            frozenset(Place(row.environment, row.name) for row in rows if row.kind == "queue_manager"),
        )


class Rerouted(NamedTuple):
    """A flow that reads another queue, topic or destination."""

    before: FlowHead
    after: FlowHead


class AddedQueue(NamedTuple):
    """A new queue that no endpoint reads, and what becomes of a poison message there, in words."""

    head: FlowHead
    fate: str


class NewFinding(NamedTuple):
    """A finding that was not there before."""

    finding: Finding
    before: Literal["clear", "undecided", None]
    """None where the rule did not apply, or the subject was not there."""


class NewlyUndecided(NamedTuple):
    """A verdict that cannot be given any more, or that of a new subject which cannot be given yet."""

    rule: Rule
    subject: Subject
    before: Literal["hazard", "clear", None]
    """None where the subject was not judged before."""
    needs: str


class Moved(NamedTuple):
    """A finding that stays with its flow while the queue has another name."""

    before: Finding
    after: Finding


class Migrated(NamedTuple):
    """A flow that goes on another kind of server: its bean is the same, cell, server and endpoint are others."""

    before: FlowHead
    after: FlowHead


class Resized(NamedTuple):
    """A cluster that has another number of members."""

    cluster: str
    before: int
    after: int


class Gone(NamedTuple):
    """Why a finding that is not there any more is no repair."""

    reason: Literal["queue", "flow", "fate", "finding"]
    """Its queue or flow is gone, its flow has a worse fate, or a new finding that is as severe rests on a value that
    ended it.
    """
    by: Rule | None = None
    """The rule of the new finding."""


@dataclass(slots=True)
class Comparison:
    """What differs between two states; all lists are sorted."""

    fates: list[FateChange] = field(default_factory=list[FateChange])
    added: list[FlowHead] = field(default_factory=list[FlowHead])
    removed: list[FlowHead] = field(default_factory=list[FlowHead])
    unseen: list[tuple[FlowHead, str]] = field(default_factory=list[tuple[FlowHead, str]])
    """Flows that are not there because an export is missing after, and what is needed."""
    migrated: list[Migrated] = field(default_factory=list[Migrated])
    """Flows whose application moved to another kind of server: from traditional to Liberty, or back."""
    rerouted: list[Rerouted] = field(default_factory=list[Rerouted])
    deserted: list[FlowHead] = field(default_factory=list[FlowHead])
    """Of the flows that read another queue, those before whose queue no flow reads any more."""
    resized: list[Resized] = field(default_factory=list[Resized])
    new: list[NewFinding] = field(default_factory=list[NewFinding])
    suppressed: list[Suppressed] = field(default_factory=list[Suppressed])
    """New findings that a suppression is about."""
    resolved: list[Finding] = field(default_factory=list[Finding])
    """Findings that are not there any more, ``gone`` ones included."""
    gone: dict[int, Gone] = field(default_factory=dict[int, "Gone"])
    """Why a resolved finding is no repair, by ``id`` of it."""
    added_queues: list[AddedQueue] = field(default_factory=list[AddedQueue])
    """Queues that no endpoint reads and that were not there before."""
    removed_queues: list[FlowHead] = field(default_factory=list[FlowHead])
    """Queues that no endpoint read and that are not there any more."""
    queues_only: bool = False
    """Both states have queues that no endpoint reads, and no flow."""
    undecided: list[NewlyUndecided] = field(default_factory=list[NewlyUndecided])
    moved: list[Moved] = field(default_factory=list[Moved])
    refused: list[Problem] = field(default_factory=list[Problem])
    """Parts of a change that the products would refuse."""
    unjudged: list[Problem] = field(default_factory=list[Problem])
    """What a strict gate fails for: parts of a change that nothing judges, and what was not read or not understood."""
    regrouped: Regrouped = field(default_factory=Regrouped)
    """The flows of clusters whose members are alike now, or differ."""
    unchanged: int = 0
    """How many findings of the later state are there on both sides."""
    continued: int = 0
    """How many findings of the earlier state these are: more where members of a cluster were judged one by one."""
    flows: int = 0
    """How many flows the later state has."""
    queues: int = 0
    """How many queues that no endpoint reads it has, where these are judged."""
    environments: tuple[str, str] | None = None
    """The names of the two states where they are environments."""
    notes: list[str] = field(default_factory=list[str])
    """What the fates of queues take for granted that no endpoint reads, and which queues have room again, as
    sentences."""
    changed_by: frozenset[str] = frozenset()
    """The files of changes that make the later state of the earlier one."""

    @property
    def worse(self) -> list[FateChange]:
        """The fates that are worse and for which no suppression answers, without those of the longest messages."""
        return [fate for fate in self.fates if fate.worse and not fate.suppressed and not fate.longest]

    @property
    def worse_longest(self) -> list[FateChange]:
        """Those of the longest messages."""
        return [fate for fate in self.fates if fate.worse and not fate.suppressed and fate.longest]

    def without_finding(self, worse: Iterable[FateChange]) -> list[FateChange]:
        """Of worse fates, those of flows without a new finding, whose reason was there before, but hidden."""
        told = [entry.finding for entry in self.new]
        return [fate for fate in worse if not _is_told(fate.head, told)]


def _is_told(head: FlowHead, findings: Iterable[Finding]) -> bool:
    """Whether one of the findings is about the flow."""
    return any(
        finding.rule.base == "flow" and build_subject(finding.rule.subject, head.rows) == finding.subject
        for finding in findings
    )


def exit_code(gate: Gate, comparison: Comparison, before: Side, after: Side) -> int:
    """The exit code of a comparison: new findings fail the gate, not those that both states have.

    A worse fate counts as an error, and one of the longest messages as a warning: both states may have its reason as a
    finding, which a stop hid before.
    """
    worse = [*("error" for _ in comparison.worse), *("warning" for _ in comparison.worse_longest)]
    code = gate.code_for(
        [*(entry.finding.rule.severity for entry in comparison.new), *worse],
        judged=is_judged(before.judgement) and is_judged(after.judgement),
        incomplete=bool(comparison.undecided or comparison.unseen or comparison.unjudged),
        refused=bool(comparison.refused),
    )
    return 4 if code == 0 and gate.lacking(after.estate.facts) else code


_INCOMPLETE = ("not_read", "unjudged_change", "unreadable", "not_understood")


def new_problems(before: Side, after: Side) -> list[Problem]:
    """The problems that can fail a comparison: those of the later state without files that could be read neither before
    nor after, and without commands that were not understood and names that were guessed before either; and what was
    not read before. A command of a kept script that is refused in the later state alone is a refused change, unless the
    states are environments.
    """
    scripts = after.estate.kept_scripts if after.environment is None else frozenset[str]()
    unreadable = before.unreadable()
    earlier = before.estate.facts.rows["problem"]
    lost = Counter(problem.text for problem in earlier if problem.kind in ("not_understood", "guessed_name"))
    found = [problem for problem in earlier if problem.kind == "not_read"]
    for problem in after.estate.facts.rows["problem"]:
        if problem.kind in ("not_understood", "guessed_name") and lost[problem.text]:
            lost[problem.text] -= 1
        elif problem.kind == "not_understood" and problem.path in scripts:
            found.append(replace(problem, kind="refused_change"))
        elif problem.kind != "not_exported" and not (
            problem.kind == "unreadable" and after.below(problem.path) in unreadable
        ):
            found.append(problem)
    return found


def compare(before: Side, after: Side) -> Comparison:
    """What differs from ``before`` to ``after``."""
    after.estate.edited = _edited(before.estate, after.estate)
    problems = new_problems(before, after)
    if after.environment is None:
        refused = [replace(problem, kind="refused_change") for problem in newly_refused(before.estate, after.estate)]
        problems += refused
        after.judgement.notices += reading_notices(refused)
    problems.sort(key=lambda problem: (problem.path, problem.line))
    guessed = guessed_managers(after.estate)
    unjudged = [problem for problem in problems if problem.kind in _INCOMPLETE or problem in guessed]
    if after.environment is None:
        queues = list(dict.fromkeys(unjudged_queues(before.estate, after.estate, after.judgement)))
        others = [
            *changed_tls(before.estate, after.estate, after.judgement.flows),
            *changed_puts(before.estate, after.estate, after.judgement.flows),
            *changed_subscriptions(before.estate, after.estate, after.judgement.flows),
            *changed_uncertain_commands(before.estate, after.estate, after.judgement.flows),
        ]
        unjudged += [*queues, *others]
        after.judgement.notices += reading_notices([*queues, *others])
        after.judgement.notices += kept_queues(before.judgement.flows, after.judgement.flows)
    comparison = Comparison(
        refused=[problem for problem in problems if problem.kind == "refused_change"],
        unjudged=list(dict.fromkeys([*unjudged, *_idle_scripts(before, after)])),
        changed_by=after.estate.changed_by,
        flows=len({head.subject for head in after.judgement.message_flows}),
        queues=len({head.subject for head in _by_themselves(after.judgement)}),
    )
    if before.environment is not None and after.environment is not None:
        comparison.environments = (before.environment, after.environment)
    missing = _Missing(before, after)
    _compare_flows(before, after, missing, comparison)
    _compare_queues(before, after, comparison)
    _compare_findings(before, after, missing, comparison)
    if comparison.environments is None:
        comparison.regrouped = find_regrouped(before.judgement.flows, after.judgement.flows)
        earlier = earlier_rows(before.judgement)
        worse, better = _worse_and_better(comparison)
        ended = [found_at(finding, before.judgement.flows) for finding in comparison.resolved]
        comparison.new = [_told_by_earlier(entry, after, earlier, better, ended, worse) for entry in comparison.new]
        _find_gone(before, after, comparison)
        _find_replaced(before, after, comparison, worse, better)
    excused = [entry.finding for entry in comparison.suppressed if entry.finding.rule.severity == "error"]
    of_longest = [entry.finding for entry in comparison.suppressed if entry.finding.rule.severity != "info"]
    comparison.fates = [
        fate._replace(suppressed=True)
        if fate.worse and _is_told(fate.head, of_longest if fate.longest else excused)
        else fate
        for fate in comparison.fates
    ]
    return comparison


def _edited(before: Estate, after: Estate) -> frozenset[str]:
    known = {file.sha256 for file in before.inputs}
    return frozenset(file.path for file in after.inputs if file.sha256 is not None and file.sha256 not in known)


def _idle_scripts(*sides: Side) -> Iterator[Problem]:
    """The scripts that are named beside the exports of a state and that no queue manager of it is known to run. Where
    both states have one, its commands count in neither. A script that differs between the states is named, too, if
    other files claim the name of its queue manager, so that it may be part of that one.
    """
    for side, other in zip(sides, reversed(sides), strict=True):
        if side.environment is not None:
            continue
        cells = (row.path for row in side.estate.facts.rows["export"] if row.kind == "cell")
        roots = paths_of_scripts(side.estate.groups, cells, side.roots) if len(side.roots) > 1 else []
        edited = _edited(other.estate, side.estate)
        apart = {key_of(group.environment, group.name): group for group in side.estate.groups if group.is_apart}
        for problem in guessed_managers(side.estate):
            group = apart.get(key_of(problem.environment, problem.queue_manager or ""))
            is_edited = group is not None and any(script.path in edited for script in group.scripts)
            if is_edited or any(is_below(problem.path, root) for root in roots):
                yield problem


class _Missing:
    """What the later state lacks of the exports of the earlier one."""

    def __init__(self, before: Side, after: Side) -> None:
        self._flows = before.judgement.flows
        self._known_as = before.known_as
        self._before, self._after = before.exports(), after.exports()
        known = before.unreadable()
        self._broken = [path for key, path in after.unreadable().items() if key not in known]
        self._astray = {
            (head.subject.environment, head.rows.endpoint.queue): head
            for head in after.judgement.flows
            if head.rows.endpoint.provider == "wmq" and not head.rows.endpoint.queue_manager
        }

    def for_flow(self, head: FlowHead) -> str | None:
        """The export that shows a flow; None where it is given."""
        subject = self._known_as(head.subject)
        return find_missing_cell(Place(subject.environment, subject.cell), self._after, self._broken)

    def for_finding(self, record: Record[Finding]) -> str | None:
        """The missing export that a finding depends on; None if it is present."""
        subject, flow = record.source.subject, record.source.flow
        if subject.kind == "export":
            return None
        head = self._flows[flow].subject if flow is not None else subject
        merged = head._replace(
            cell=head.cell or subject.cell, queue_manager=subject.queue_manager or head.queue_manager
        )
        about = self._known_as(merged)
        cell, manager = Place(about.environment, about.cell), Place(about.environment, about.queue_manager)
        needs = find_missing_export(cell, manager, self._before, self._after, self._broken)
        return needs or (self._for_queue(subject) if subject.kind == "queue" else None)

    def _for_queue(self, subject: Subject) -> str | None:
        """What would tell whether a queue is read still, where an endpoint reads one of its name, or one whose name is
        not known either, at a queue manager that is not known.
        """
        named = (self._astray.get((subject.environment, name)) for name in (subject.name, None))
        head = next(filter(None, named), None)
        return find_need(("endpoint.queue_manager",), head.rows, head.subject).text if head is not None else None


# -- flows


def _compare_flows(before: Side, after: Side, missing: _Missing, comparison: Comparison) -> None:
    matching = match_flows(before.judgement.flows, after.judgement.flows, lambda head: after.known_as(head.subject))
    added: list[FlowHead] = []
    for head, counterparts in matching.pairs:
        if counterparts:
            comparison.fates += find_fate_changes(counterparts, head)
            comparison.rerouted += _rerouted(counterparts, head, after)
        else:
            added.append(head)
    migrated = find_migrated(matching.gone, added)
    for head, former in migrated:
        comparison.fates += find_fate_changes(former, head)
        comparison.migrated += [Migrated(other, head) for other in former]
    read = {_source(head, after) for head in after.judgement.flows}
    lost = any(not any(source) for source in read)  # what an endpoint reads now may not be known
    comparison.deserted = [old for old, _ in comparison.rerouted if not lost and _source(old, after) not in read]
    moved = {head.subject for head, _ in migrated}
    comparison.added = [head for head in added if head.subject not in moved]
    left = {entry.before.subject for entry in comparison.migrated}
    for head in matching.gone:
        if head.subject in left:
            continue
        needs = missing.for_flow(head)
        if needs is None:
            comparison.removed.append(head)
        else:
            comparison.unseen.append((head, needs))
    sizes = _sizes(before.judgement.flows)
    for cluster, size in sorted(_sizes(after.judgement.flows).items()):
        if sizes.get(cluster, size) != size:
            comparison.resized.append(Resized(name_in(cluster[0], cluster[2]), sizes[cluster], size))


def _rerouted(former: Sequence[FlowHead], head: FlowHead, after: Side) -> Iterator[Rerouted]:
    own = _source(head, after)
    others = [each for each in former if _source(each, after) != own]
    if others and any(own) and any(_source(others[0], after)):
        yield Rerouted(others[0], head)


def _source(head: FlowHead, side: Side) -> tuple[str | None, ...]:
    """What a flow reads, nothing where that is not known. Queue managers of two environments have other names."""
    endpoint, destination = head.rows.endpoint, head.rows.destination
    if endpoint.provider == "wmq" and not endpoint.queue_manager:
        return ()
    queue = (side.known_as(head.subject).queue_manager, endpoint.queue) if endpoint.queue else ()
    bus = (destination.bus, destination.name) if destination is not None else ()
    return (*queue, endpoint.topic, *bus)


def _compare_queues(before: Side, after: Side, comparison: Comparison) -> None:
    """The fates on queues that no endpoint reads, on either side."""
    sides = (before.judgement, after.judgement)
    comparison.queues_only = any(map(_by_themselves, sides)) and not any(side.flows for side in sides)
    former = {before.known_as(head.subject): head for head in _by_themselves(before.judgement)}
    for head in _by_themselves(after.judgement):
        known = former.get(after.known_as(head.subject))
        if known is not None:
            comparison.fates += find_fate_changes([known], head)


def _by_themselves(judgement: Judgement) -> list[FlowHead]:
    """The queues that no endpoint reads, those from which nobody gets a message among them."""
    return [*judgement.unread, *judgement.closed]


def _is_missing(side: Side) -> Callable[[Subject], bool]:
    """Whether a state has the queue manager of a queue, and not the queue."""
    rows = side.estate.facts.rows
    queues = {(row.environment, row.queue_manager, row.name) for row in rows["queue"]}
    managers = {(row.environment, row.name) for row in rows["queue_manager"] if not row.ambiguous}

    def is_missing(subject: Subject) -> bool:
        place = subject.environment, subject.queue_manager
        return place in managers and (*place, subject.name) not in queues

    return is_missing


def _find_gone(before: Side, after: Side, comparison: Comparison) -> None:
    """The queues that came and went; and tell findings that went with their queue or flow from those that somebody
    repaired.
    """
    is_new, is_gone = _is_missing(before), _is_missing(after)
    comparison.added_queues = [
        AddedQueue(head, told.text)
        for head in _by_themselves(after.judgement)
        if is_new(head.subject)
        for _, told in told_fates(head)
    ]
    comparison.removed_queues = [head for head in _by_themselves(before.judgement) if is_gone(head.subject)]
    left = {head.subject for head in comparison.removed}
    flows = before.judgement.flows
    for finding in comparison.resolved:
        if finding.subject.kind == "queue" and is_gone(finding.subject):
            comparison.gone[id(finding)] = Gone("queue")
        elif finding.flow is not None and flows[finding.flow].subject in left:
            comparison.gone[id(finding)] = Gone("flow")


def _worse_and_better(comparison: Comparison) -> tuple[Set[FlowPlace], Set[FlowPlace]]:
    """The flows and queues on which a message fares worse now, and those on which one fares better and none worse."""
    fates = [fate for fate in comparison.fates if not fate.longest]
    worse = {place for fate in fates for place in changed_places(fate.head, fate.worse_than)}
    better = {place for fate in fates for place in changed_places(fate.head, fate.better_than)}
    return worse, better - worse


def _find_replaced(
    before: Side, after: Side, comparison: Comparison, worse: Set[FlowPlace], better: Set[FlowPlace]
) -> None:
    """Tell findings that ended because a message fares worse now, or because another finding began on the same values
    and no message fares better, from those that somebody repaired.
    """
    begun = [entry.finding for entry in (*comparison.new, *comparison.suppressed)]
    new = _found_since(begun, before, after) if comparison.resolved and begun else []
    for finding in comparison.resolved if new or worse else ():
        old = found_at(finding, before.judgement.flows)
        if id(finding) in comparison.gone or old.is_at(better):
            continue
        if (replacement := find_replacement(old, new)) is not None:
            comparison.gone[id(finding)] = Gone("finding", replacement.rule)
        elif old.is_at(worse):
            comparison.gone[id(finding)] = Gone("fate")


def _told_by_earlier(
    entry: NewFinding,
    after: Side,
    earlier: EarlierRows,
    better: Set[FlowPlace],
    ended: Sequence[FoundAt],
    worse: Set[FlowPlace],
) -> NewFinding:
    flows, ends = after.judgement.flows, entry.before != "undecided"
    finding = told_by_earlier(entry.finding, flows, earlier, better, ended, worse=worse, ends=ends)
    return entry._replace(finding=finding)


def _found_since(findings: Iterable[Finding], before: Side, after: Side) -> list[FoundAt]:
    """New findings at the places of their flows, and of the flows that these were before: members of a cluster where
    they are judged as one now, or the other way round.
    """
    pairs = match_flows(before.judgement.flows, after.judgement.flows, lambda head: head.subject).pairs
    former = {pair.after.subject: pair.before for pair in pairs}
    found: list[FoundAt] = []
    for finding in findings:
        here = found_at(finding, after.judgement.flows)
        if finding.flow is not None:
            head = after.judgement.flows[finding.flow]
            here = here._replace(places=here.places | changed_places(head, former[head.subject]))
        found.append(here)
    return found


def _sizes(heads: Iterable[FlowHead]) -> dict[tuple[str, str, str], int]:
    sizes: dict[tuple[str, str, str], int] = {}
    for head in heads:
        server = head.rows.server
        if head.subject.cluster and server is not None and server.cluster_size:
            place = (head.subject.environment or "", head.subject.cell or "", head.subject.cluster)
            sizes[place] = server.cluster_size
    return sizes


# -- findings


def _compare_findings(before: Side, after: Side, missing: _Missing, comparison: Comparison) -> None:
    matching = match(_build_state(before), _build_state(after), missing.for_finding)
    migrated = _match_migrated(before, after, matching, comparison)
    excuses = {id(entry.finding): entry for entry in after.judgement.suppressed}
    for record, verdict in matching.new:
        if record.suppressed:
            comparison.suppressed.append(excuses[id(record.source)])
        else:
            comparison.new.append(NewFinding(record.source, verdict))
    comparison.resolved = [record.source for record in matching.resolved]
    comparison.moved = [Moved(old.source, new.source) for old, new in matching.renamed] + migrated
    comparison.undecided = [
        *(NewlyUndecided(lost.source.rule, lost.source.subject, "hazard", needs) for lost, needs in matching.lost),
        *(NewlyUndecided(new.source.rule, new.source.subject, was, new.needs) for new, was in matching.opened),
    ]
    comparison.undecided.sort(key=lambda entry: (entry.before != "hazard", entry.rule.id, entry.subject.identity()))
    comparison.unchanged, comparison.continued = matching.unchanged, matching.continued


def _match_migrated(
    before: Side, after: Side, matching: Matching[Finding, Undecided], comparison: Comparison
) -> list[Moved]:
    """Findings that a flow has on both kinds of server. What it does not have there any more is resolved, although the
    cell that it comes from is not given again.
    """
    flows: dict[Subject, list[Subject]] = {}
    for old, new in comparison.migrated:
        flows.setdefault(new.subject, []).append(old.subject)
    if not flows:
        return []
    left = {subject for subjects in flows.values() for subject in subjects}

    def has_left(record: Record[Finding]) -> bool:
        flow = record.source.flow
        return flow is not None and before.judgement.flows[flow].subject in left

    matching.resolved += [entry.record for entry in matching.lost if has_left(entry.record)]
    matching.lost = [entry for entry in matching.lost if not has_left(entry.record)]
    pairs = pair_findings(
        [record.source for record in matching.resolved],
        [entry.record.source for entry in matching.new if not entry.record.suppressed],
        flows,
        before.judgement.flows,
        after.judgement.flows,
    )
    gone, again = {id(old) for old, _ in pairs}, {id(new) for _, new in pairs}
    matching.resolved = [record for record in matching.resolved if id(record.source) not in gone]
    matching.new = [entry for entry in matching.new if id(entry.record.source) not in again]
    matching.resolved.sort(key=lambda record: record.order)
    return [Moved(old, new) for old, new in pairs]


def _build_state(side: Side) -> State[Finding, Undecided]:
    """The verdicts of a side; findings count as hazards whether they are suppressed or not."""
    judgement = side.judgement
    hazards = [_record_finding(finding, side, suppressed=False) for finding in judgement.findings]
    hazards += [_record_finding(entry.finding, side, suppressed=True) for entry in judgement.suppressed]
    undecided = [
        Record(
            rule=entry.rule.id,
            severity=entry.rule.severity,
            subject=side.known_as(entry.subject),
            identity=_identify(entry.subject, side),
            source=entry,
            needs=entry.need.text,
        )
        for entry in judgement.undecided
    ]
    clear = judgement.clear_subjects
    return State(
        hazards,
        undecided,
        clear={(rule, *_identify(subject, side)) for rule, subject in clear},
        members_without={
            (rule, *identify_loosely(known)) for rule, subject in clear if (known := side.known_as(subject)).is_member
        },
    )


def _record_finding(finding: Finding, side: Side, *, suppressed: bool) -> Record[Finding]:
    if finding.flow is None:
        reader: Key = (finding.fingerprint,)
    else:
        reader = identify_loosely(side.known_as(side.judgement.flows[finding.flow].subject))
    return Record(
        rule=finding.rule.id,
        severity=finding.rule.severity,
        subject=side.known_as(finding.subject),
        identity=_identify(finding.subject, side),
        source=finding,
        reader=reader,
        suppressed=suppressed,
    )


def _identify(subject: Subject, side: Side) -> Key:
    path = side.below(subject.name or "") if subject.kind == "export" else None
    return identify(side.known_as(subject), path)
