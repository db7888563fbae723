"""Which findings of one state are those of another: the core of ``diff`` and ``fleet diff``.

Hazards are matched by rule and subject. A cluster that is judged as one matches its members, and a queue that the same
flow reads under another name is the same queue. Where the records come from, and what they look like in a report, is
for the callers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Generic, Literal, NamedTuple, TypeVar

from lintmdb.compare.identity import Key, identify_loosely, is_renamable
from lintmdb.engine.findings import Subject
from lintmdb.model.environment_names import name_in
from lintmdb.rules.rule import severity_rank

Source = TypeVar("Source")
"""What a record was made from, for the report."""
HazardSource = TypeVar("HazardSource")
OpenSource = TypeVar("OpenSource")


@dataclass(frozen=True, slots=True, eq=False)
class Record(Generic[Source]):
    """A hazard or an undecided verdict."""

    rule: str
    severity: str
    subject: Subject
    identity: Key
    """Of the subject, as ``identify`` builds it."""
    source: Source
    reader: Key = ()
    """Of a hazard: the loose identity of the first flow that shows it."""
    needs: str = ""
    """What would settle an undecided verdict, in words."""
    suppressed: bool = False

    @property
    def key(self) -> Key:
        """Rule and subject."""
        return (self.rule, *self.identity)

    @property
    def loose_key(self) -> Key:
        """Rule and subject, the same for a cluster and each of its members."""
        return (self.rule, *identify_loosely(self.subject))

    @property
    def order(self) -> tuple[int, str, Key]:
        """Worst first, then by rule and subject."""
        return severity_rank(self.severity), self.rule, self.subject.identity()


class State(Generic[HazardSource, OpenSource]):
    """The verdicts of one state by rule and subject.

    ``clear`` holds the keys of clear verdicts, as far as they are known. ``members_without`` holds the loose keys of
    clusters of which a member is judged and has no hazard.
    """

    def __init__(
        self,
        hazards: Iterable[Record[HazardSource]],
        undecided: Iterable[Record[OpenSource]],
        clear: AbstractSet[Key] = frozenset(),
        members_without: AbstractSet[Key] = frozenset(),
    ) -> None:
        self.hazards = {record.key: record for record in hazards}
        self.undecided = {record.key: record for record in undecided}
        self.clear = clear
        self.loosely_undecided: set[Key] = set()
        self.members_without = set(members_without)
        for record in self.undecided.values():
            loose = record.loose_key
            self.loosely_undecided.add(loose)
            if record.subject.is_member:
                self.members_without.add(loose)
        self.of_clusters: dict[Key, list[Record[HazardSource]]] = {}
        self.of_members: dict[Key, list[Record[HazardSource]]] = {}
        for record in self.hazards.values():
            if record.subject.cluster is not None:
                group = self.of_members if record.subject.is_member else self.of_clusters
                group.setdefault(record.loose_key, []).append(record)

    def judges(self, key: Key) -> bool:
        """Whether a verdict other than a hazard is known."""
        return key in self.undecided or key in self.clear

    def former(self, record: Record[HazardSource]) -> Sequence[Record[HazardSource]]:
        """The hazards of this state that a hazard of the next one goes on with: its own; for a member that of the
        whole cluster; for a cluster those of its members, if every member has it.
        """
        if (exact := self.hazards.get(record.key)) is not None:
            return (exact,)
        if record.subject.is_member:
            return self.of_clusters.get(record.loose_key, ())
        return () if record.loose_key in self.members_without else self.of_members.get(record.loose_key, ())

    def later(self, record: Record[HazardSource]) -> Sequence[Record[HazardSource]]:
        """The hazards of this state that go on with one of the state before: its own; for a member that of the whole
        cluster; for a cluster those of its members.
        """
        if (exact := self.hazards.get(record.key)) is not None:
            return (exact,)
        return (self.of_clusters if record.subject.is_member else self.of_members).get(record.loose_key, ())


class NewHazard(NamedTuple, Generic[Source]):
    """A hazard that was not there before."""

    record: Record[Source]
    before: Literal["clear", "undecided", None]
    """None where no verdict is known."""


class RenamedHazard(NamedTuple, Generic[Source]):
    """A hazard that stays with its flow while the queue has another name."""

    before: Record[Source]
    after: Record[Source]


class LostHazard(NamedTuple, Generic[Source]):
    """A hazard that cannot be judged any more, and what would settle it."""

    record: Record[Source]
    needs: str


class NewlyOpen(NamedTuple, Generic[Source]):
    """A verdict that is undecided now and was not a hazard before."""

    record: Record[Source]
    before: Literal["clear", None]


@dataclass(slots=True)
class Matching(Generic[HazardSource, OpenSource]):
    """What became of the verdicts of one state in the next. Lists are sorted, but for ``renamed`` and ``opened``."""

    new: list[NewHazard[HazardSource]] = field(default_factory=list[NewHazard[HazardSource]])
    """Suppressed ones, too."""
    resolved: list[Record[HazardSource]] = field(default_factory=list[Record[HazardSource]])
    renamed: list[RenamedHazard[HazardSource]] = field(default_factory=list[RenamedHazard[HazardSource]])
    lost: list[LostHazard[HazardSource]] = field(default_factory=list[LostHazard[HazardSource]])
    opened: list[NewlyOpen[OpenSource]] = field(default_factory=list[NewlyOpen[OpenSource]])
    left_out: list[Record[HazardSource]] = field(default_factory=list[Record[HazardSource]])
    """Hazards of the earlier state that counted there and are suppressed in the later one."""
    unchanged: int = 0
    """How many hazards of the later state are neither new nor renamed."""
    continued: int = 0
    """How many hazards of the earlier state go on with some of the later one under the same name: as many, but for
    members of a cluster that is judged as one in one of the states.
    """


def match(
    old: State[HazardSource, OpenSource],
    new: State[HazardSource, OpenSource],
    find_missing: Callable[[Record[HazardSource]], str | None],
) -> Matching[HazardSource, OpenSource]:
    """Match the verdicts of two states.

    ``find_missing`` names the export that a hazard of the earlier state rested on and that the later one lacks; None
    where nothing is missing. It is asked only where the later state has no verdict.
    """
    matching: Matching[HazardSource, OpenSource] = Matching()
    added = [record for record in new.hazards.values() if not old.former(record)]
    gone: list[Record[HazardSource]] = []
    for record in old.hazards.values():
        later = new.later(record)
        if not later:
            gone.append(record)
        elif not record.suppressed and all(other.suppressed for other in later):
            matching.left_out.append(record)
    matching.renamed = list(_pair_renamed(added, [record for record in gone if not new.judges(record.key)]))
    paired = {id(record) for pair in matching.renamed for record in pair}
    for record in gone:
        if id(record) in paired:
            continue
        entry = new.undecided.get(record.key)
        needs = entry.needs if entry else None if record.key in new.clear else find_missing(record)
        if needs is None:
            matching.resolved.append(record)
        else:
            matching.lost.append(LostHazard(record, needs))
    matching.opened = list(_find_newly_open(old, new))
    matching.new = [NewHazard(record, _name_before(record, old)) for record in added if id(record) not in paired]
    matching.unchanged = len(new.hazards) - len(added)
    matching.continued = len(old.hazards) - len(gone)
    matching.new.sort(key=lambda entry: entry.record.order)
    matching.lost.sort(key=lambda entry: entry.record.order)
    matching.resolved.sort(key=lambda record: record.order)
    matching.left_out.sort(key=lambda record: record.order)
    return matching


def _pair_renamed(
    added: Sequence[Record[Source]], candidates: Sequence[Record[Source]]
) -> Iterator[RenamedHazard[Source]]:
    """Hazards about a queue or a bus destination that the same flow reads under another name."""
    former: dict[Key, list[Record[Source]]] = {}
    for record in candidates:
        if is_renamable(record.subject):
            former.setdefault((record.rule, *record.reader), []).append(record)
    for record in added:
        if is_renamable(record.subject) and (same := former.get((record.rule, *record.reader))):
            yield RenamedHazard(same.pop(0), record)


def _find_newly_open(
    old: State[HazardSource, OpenSource], new: State[HazardSource, OpenSource]
) -> Iterator[NewlyOpen[OpenSource]]:
    for key, record in new.undecided.items():
        if key not in old.hazards and key not in old.undecided and record.loose_key not in old.loosely_undecided:
            yield NewlyOpen(record, "clear" if key in old.clear else None)


def _name_before(
    record: Record[HazardSource], old: State[HazardSource, OpenSource]
) -> Literal["clear", "undecided", None]:
    return "undecided" if record.key in old.undecided else "clear" if record.key in old.clear else None


# -- what a state was made from


class Place(NamedTuple):
    """A cell or a queue manager; None as the name of an export without one."""

    environment: str | None
    name: str | None

    def __str__(self) -> str:
        return name_in(self.environment, self.name or "")


@dataclass(frozen=True, slots=True)
class Exports:
    """The cells and queue managers that a state was made from."""

    cells: AbstractSet[Place]
    queue_managers: AbstractSet[Place]

    def has_cell(self, place: Place) -> bool:
        """Whether a cell is given; one whose export has no name may be any."""
        return _is_given(place, self.cells)

    def has_queue_manager(self, place: Place) -> bool:
        """The same for a queue manager."""
        return _is_given(place, self.queue_managers)


def _is_given(place: Place, given: AbstractSet[Place]) -> bool:
    return place.name is None or place in given or place._replace(name=None) in given


def find_missing_cell(cell: Place, after: Exports, broken: Iterable[str]) -> str | None:
    """What is needed to judge what lies in a cell: its export, or the first of the files that cannot be read now."""
    if not after.has_cell(cell):
        return f"an export of cell {cell}"
    return next((f"{path}, which cannot be read" for path in broken), None)


def find_missing_export(
    cell: Place, manager: Place, before: Exports, after: Exports, broken: Iterable[str]
) -> str | None:
    """What is needed to judge what lies in a cell and rests on a queue manager, where the later state lacks it."""
    if (needs := find_missing_cell(cell, after, broken)) is not None:
        return needs
    if before.has_queue_manager(manager) and not after.has_queue_manager(manager):
        return f"an export of queue manager {manager}"
    return None


# -- flows


class FlowPair(NamedTuple, Generic[Source]):
    """A flow of the later state, and those of the earlier one that it goes on with; none for a new flow."""

    after: Source
    before: Sequence[Source]


@dataclass(slots=True)
class FlowMatching(Generic[Source]):
    """Which flows go on with which, and which are gone."""

    pairs: list[FlowPair[Source]] = field(default_factory=list[FlowPair[Source]])
    gone: list[Source] = field(default_factory=list[Source])


def match_flows(
    before: Iterable[Source], after: Iterable[Source], get_subject: Callable[[Source], Subject]
) -> FlowMatching[Source]:
    """Match flows by their subjects: a cluster judged as one speaks for each member, its members together for it."""
    matching: FlowMatching[Source] = FlowMatching()
    old, new = _group_by_cluster(before, get_subject), _group_by_cluster(after, get_subject)
    for loose, flows in new.items():
        former = old.get(loose, [])
        known: dict[Key, list[Source]] = {}
        for flow in former:
            known.setdefault(get_subject(flow).identity(), []).append(flow)
        whole = [flow for flow in former if not get_subject(flow).server]
        for flow in flows:
            subject = get_subject(flow)
            exact = known.get(subject.identity())
            counterparts = exact if exact is not None else whole if subject.server else former
            matching.pairs.append(FlowPair(flow, counterparts))
    for loose, flows in old.items():
        now = [get_subject(flow) for flow in new.get(loose, [])]
        known_now = {subject.identity() for subject in now}
        covered = any(not subject.server for subject in now)
        for flow in flows:
            subject = get_subject(flow)
            if not (subject.identity() in known_now or covered or (now and not subject.server)):
                matching.gone.append(flow)
    return matching


def _group_by_cluster(flows: Iterable[Source], get_subject: Callable[[Source], Subject]) -> dict[Key, list[Source]]:
    groups: dict[Key, list[Source]] = {}
    for flow in flows:
        groups.setdefault(identify_loosely(get_subject(flow)), []).append(flow)
    return groups
