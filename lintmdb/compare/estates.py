"""Two states of an estate beside each other: which flows change their fate, which findings are new, resolved, or no
longer to be decided.

Flows and findings are matched by identity. Where a cluster is judged as one on one side and member by member on the
other, and where a queue has another name, what was there before is still the same finding.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from lintmdb.delivery.wording import HEADLINES, titled
from lintmdb.engine.findings import Finding, FlowHead, Judgement, Subject, Suppressed
from lintmdb.engine.missing_inputs import need_of
from lintmdb.engine.traces import stories_of
from lintmdb.rules.rule import SEVERITIES, Rule
from lintmdb.run.estate import Estate

Key = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Side:
    """One state: its exports and the verdicts on them."""

    estate: Estate
    judgement: Judgement
    roots: Sequence[str]
    """The paths that were given, as reports show them; findings about exports are matched by what lies below."""

    @property
    def findings(self) -> list[Finding]:
        """All findings, suppressed ones too."""
        return [*self.judgement.findings, *(entry.finding for entry in self.judgement.suppressed)]

    def holds(self, kind: Literal["cell", "queue_manager"], name: str | None) -> bool:
        """Whether a cell or a queue manager is among the exports."""
        return name is None or any(
            export.kind == kind and export.name in (name, None) for export in self.estate.facts.rows["export"]
        )

    def below(self, path: str) -> str:
        """A path without the root that was given."""
        root = max((root for root in self.roots if path.startswith(root)), key=len, default="")
        return path.removeprefix(root)

    def unreadable(self) -> dict[str, str]:
        """The files that cannot be read, by their path below the root."""
        problems = self.estate.facts.rows["problem"]
        return {self.below(problem.path): problem.path for problem in problems if problem.kind == "unreadable"}


class FateChange(NamedTuple):
    """What becomes of one workload on one flow, before and after, in words."""

    head: FlowHead
    workload: str
    before: str
    after: str


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


class Resized(NamedTuple):
    """A cluster that has another number of members."""

    cluster: str
    before: int
    after: int


@dataclass(slots=True)
class Comparison:
    """What differs between two states; all lists are sorted."""

    fates: list[FateChange] = field(default_factory=list[FateChange])
    added: list[FlowHead] = field(default_factory=list[FlowHead])
    removed: list[FlowHead] = field(default_factory=list[FlowHead])
    unseen: list[tuple[FlowHead, str]] = field(default_factory=list[tuple[FlowHead, str]])
    """Flows that are not there because an export is missing after, and what is needed."""
    resized: list[Resized] = field(default_factory=list[Resized])
    new: list[NewFinding] = field(default_factory=list[NewFinding])
    suppressed: list[Suppressed] = field(default_factory=list[Suppressed])
    """New findings that a suppression is about."""
    resolved: list[Finding] = field(default_factory=list[Finding])
    undecided: list[NewlyUndecided] = field(default_factory=list[NewlyUndecided])
    moved: list[Moved] = field(default_factory=list[Moved])
    unchanged: int = 0
    """How many findings are there on both sides."""


def compare(before: Side, after: Side) -> Comparison:
    """What differs from ``before`` to ``after``."""
    comparison = Comparison()
    _compare_flows(before, after, comparison)
    _compare_findings(before, after, comparison)
    return comparison


# -- flows


def _compare_flows(before: Side, after: Side, comparison: Comparison) -> None:
    old, new = _by_cluster(before.judgement.flows), _by_cluster(after.judgement.flows)
    for loose, heads in new.items():
        former = old.get(loose, [])
        known = {head.subject.identity(): head for head in former}
        whole = [head for head in former if not head.subject.server]
        for head in heads:
            exact = known.get(head.subject.identity())
            # A cluster judged as one speaks for each member, and its members together for the cluster.
            counterparts = [exact] if exact is not None else whole if head.subject.server else former
            if not counterparts:
                comparison.added.append(head)
                continue
            comparison.fates += _fate_changes(counterparts, head)
    for loose, heads in old.items():
        now = new.get(loose, [])
        known_now = {head.subject.identity() for head in now}
        covered = any(not head.subject.server for head in now)
        for head in heads:
            if head.subject.identity() in known_now or covered or (now and not head.subject.server):
                continue
            needs = _missing_cell(head.subject.cell, before, after)
            if needs is None:
                comparison.removed.append(head)
            else:
                comparison.unseen.append((head, needs))
    sizes = _sizes(before.judgement.flows)
    for cluster, size in sorted(_sizes(after.judgement.flows).items()):
        if sizes.get(cluster, size) != size:
            comparison.resized.append(Resized(cluster[1], sizes[cluster], size))


def _by_cluster(heads: Iterable[FlowHead]) -> dict[Key, list[FlowHead]]:
    groups: dict[Key, list[FlowHead]] = {}
    for head in heads:
        groups.setdefault(_loose(head.subject), []).append(head)
    return groups


def _loose(subject: Subject) -> Key:
    """A subject's identity; that of a cluster member without the member."""
    if subject.cluster is None:
        return subject.identity()
    kind, name = ("cluster", subject.cluster) if subject.kind in ("server", "cluster") else (subject.kind, subject.name)
    return tuple(part or "" for part in (kind, name, subject.cell, subject.cluster, *_program(subject), subject.bus))


def _program(subject: Subject) -> tuple[str | None, ...]:
    return subject.application, subject.module, subject.bean


def _sizes(heads: Iterable[FlowHead]) -> dict[tuple[str, str], int]:
    sizes: dict[tuple[str, str], int] = {}
    for head in heads:
        server = head.rows.server
        if head.subject.cluster and server is not None and server.cluster_size:
            sizes[head.subject.cell or "", head.subject.cluster] = server.cluster_size
    return sizes


def _fate_changes(former: Sequence[FlowHead], head: FlowHead) -> Iterator[FateChange]:
    old: dict[str, dict[Key, str]] = {}
    for each in former:
        for workload, key, text in _fates(each):
            old.setdefault(workload, {})[key] = text
    new = {workload: (key, text) for workload, key, text in _fates(head)}
    for workload in dict.fromkeys((*old, *new)):
        was = old.get(workload, {})
        key, text = new.get(workload, ((), "does not arise"))
        if set(was) != {key}:
            yield FateChange(head, workload, " or ".join(was.values()) or "does not arise", text)


def _fates(head: FlowHead) -> Iterator[tuple[str, Key, str]]:
    """Each workload that is told of a flow, with its fate, to compare and in words; places do not count."""
    for workload, outcome in stories_of(head, None):
        text = HEADLINES[outcome.fate] + (f" {outcome.target}" if outcome.target else "")
        if outcome.missing:
            text += f" without {need_of(outcome.missing, head.rows, head.subject).text}"
        title = "a message at the end of a receive" if workload.arrives_after_ms else titled(workload)
        yield title, (outcome.fate.value, outcome.target, *outcome.missing), text


# -- findings


class _Verdicts:
    """The verdicts of one side by rule and identity, and by rule and identity without cluster members."""

    def __init__(self, side: Side) -> None:
        self._below = side.below
        self.hazards = {self.key(finding.rule, finding.subject): finding for finding in side.findings}
        self.undecided = {self.key(entry.rule, entry.subject): entry for entry in side.judgement.undecided}
        self.clear = {(rule, *self._identity(subject)) for rule, subject in side.judgement.clear_subjects}
        self.whole_hazards: set[Key] = set()
        self.member_hazards: set[Key] = set()
        self.member_others: set[Key] = set()
        self.loose_undecided = {(entry.rule.id, *_loose(entry.subject)) for entry in side.judgement.undecided}
        for finding in side.findings:
            loose = (finding.rule.id, *_loose(finding.subject))
            (self.member_hazards if _is_member(finding.subject) else self.whole_hazards).add(loose)
        others = [(rule, subject) for rule, subject in side.judgement.clear_subjects]
        others += [(entry.rule.id, entry.subject) for entry in side.judgement.undecided]
        for rule, subject in others:
            if _is_member(subject):
                self.member_others.add((rule, *_loose(subject)))

    def key(self, rule: Rule, subject: Subject) -> Key:
        return (rule.id, *self._identity(subject))

    def word_for(self, finding: Finding) -> Literal["clear", "undecided", None]:
        """What this side says where the other has a hazard."""
        key = self.key(finding.rule, finding.subject)
        return "undecided" if key in self.undecided else "clear" if key in self.clear else None

    def _identity(self, subject: Subject) -> Key:
        if subject.kind != "export":
            return subject.identity()
        return (
            subject.kind,
            self._below(subject.name or ""),
            subject.cell or "",
            subject.queue_manager or "",
            subject.detail or "",
        )


def _is_member(subject: Subject) -> bool:
    return subject.cluster is not None and subject.server is not None


def _compare_findings(before: Side, after: Side, comparison: Comparison) -> None:
    old, new = _Verdicts(before), _Verdicts(after)
    added = [finding for key, finding in new.hazards.items() if key not in old.hazards and not _was_there(finding, old)]
    gone = [
        finding for key, finding in old.hazards.items() if key not in new.hazards and not _still_there(finding, new)
    ]
    _pair_renamed(before, after, added, gone, new, comparison)
    for finding in gone:
        entry = new.undecided.get(new.key(finding.rule, finding.subject))
        need = entry.need.text if entry is not None else None
        if entry is None and new.key(finding.rule, finding.subject) not in new.clear:
            need = _missing_export(finding, before, after)
        if need is None:
            comparison.resolved.append(finding)
        else:
            comparison.undecided.append(NewlyUndecided(finding.rule, finding.subject, "hazard", need))
    for key, entry in new.undecided.items():
        loose = (entry.rule.id, *_loose(entry.subject))
        if key in old.hazards or key in old.undecided or loose in old.loose_undecided:
            continue
        comparison.undecided.append(
            NewlyUndecided(entry.rule, entry.subject, "clear" if key in old.clear else None, entry.need.text)
        )
    excuses = {id(entry.finding): entry for entry in after.judgement.suppressed}
    comparison.new = [NewFinding(finding, old.word_for(finding)) for finding in added if id(finding) not in excuses]
    comparison.suppressed = [excuses[id(finding)] for finding in added if id(finding) in excuses]
    comparison.unchanged = len(new.hazards) - len(added) - len(comparison.moved)
    comparison.new.sort(key=lambda entry: _worst_first(entry.finding))
    comparison.suppressed.sort(key=lambda entry: _worst_first(entry.finding))
    comparison.resolved.sort(key=_worst_first)
    comparison.undecided.sort(key=lambda entry: (entry.before != "hazard", entry.rule.id, entry.subject.identity()))


def _worst_first(finding: Finding) -> tuple[int, str, Key]:
    return SEVERITIES.index(finding.rule.severity), finding.rule.id, finding.subject.identity()


def _was_there(finding: Finding, old: _Verdicts) -> bool:
    """Whether the finding of a member was the whole cluster's, or that of a cluster all its members'."""
    loose = (finding.rule.id, *_loose(finding.subject))
    if _is_member(finding.subject):
        return finding.subject.cluster is not None and loose in old.whole_hazards
    return finding.subject.cluster is not None and loose in old.member_hazards and loose not in old.member_others


def _still_there(finding: Finding, new: _Verdicts) -> bool:
    """Whether the finding of a member is the whole cluster's now, or that of a cluster at least one member's."""
    loose = (finding.rule.id, *_loose(finding.subject))
    if finding.subject.cluster is None:
        return False
    return loose in (new.whole_hazards if _is_member(finding.subject) else new.member_hazards)


def _pair_renamed(
    before: Side,
    after: Side,
    added: list[Finding],
    gone: list[Finding],
    new: _Verdicts,
    comparison: Comparison,
) -> None:
    """Take out findings about a queue or a bus destination that the same flow has under another name."""
    candidates: Mapping[Key, list[Finding]] = {}
    for finding in gone:
        key = new.key(finding.rule, finding.subject)
        if finding.subject.kind in _RENAMABLE and key not in new.clear and key not in new.undecided:
            candidates.setdefault(_reader(finding, before), []).append(finding)
    for finding in list(added):
        former = candidates.get(_reader(finding, after)) if finding.subject.kind in _RENAMABLE else None
        if former:
            comparison.moved.append(Moved(former.pop(0), finding))
            added.remove(finding)
            gone.remove(comparison.moved[-1].before)


_RENAMABLE = ("queue", "destination")


def _reader(finding: Finding, side: Side) -> Key:
    """The rule, and the first flow that shows the finding."""
    if finding.flow is None:
        return finding.rule.id, finding.fingerprint
    return finding.rule.id, *_loose(side.judgement.flows[finding.flow].subject)


def _missing_export(finding: Finding, before: Side, after: Side) -> str | None:
    """The export that a finding which is not there any more rested on, where it is not given after."""
    head = before.judgement.flows[finding.flow].subject if finding.flow is not None else finding.subject
    if finding.subject.kind == "export":
        return None
    if (needs := _missing_cell(head.cell or finding.subject.cell, before, after)) is not None:
        return needs
    manager = finding.subject.queue_manager or head.queue_manager
    if before.holds("queue_manager", manager) and not after.holds("queue_manager", manager):
        return f"an export of queue manager {manager}"
    return None


def _missing_cell(cell: str | None, before: Side, after: Side) -> str | None:
    """What is needed where a cell is not given after, or where something cannot be read that could be before."""
    if not after.holds("cell", cell):
        return f"an export of cell {cell}"
    known = before.unreadable()
    return next((f"{path}, which cannot be read" for key, path in after.unreadable().items() if key not in known), None)
