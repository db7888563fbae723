"""Changes of a configuration, as data: nothing here knows a rule or a script's language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple, TypeAlias

from lintmdb.model.environment_names import key_of, name_in
from lintmdb.model.origins import Origin

Product = Literal["mq", "was"]


def containment_paths(paths: str) -> list[str]:
    """The containment paths of a target, of which each begins and ends with a slash; names may have blanks."""
    parts = paths.replace(_BETWEEN_PATHS, "/\n/").split("\n")
    return [part for part in parts if part]


_BETWEEN_PATHS = "/ /"


class Target(NamedTuple):
    """The object that a change is made to."""

    product: Product
    place: str
    """The queue manager, or the cell."""
    kind: str
    """A noun of MQSC (``QLOCAL``), or a kind of ``settings.kinds`` (``listener_port``)."""
    name: str
    path: str = ""
    """WebSphere: the containment paths by which AdminConfig.getid finds the object, or the servers that hold it; one
    for each member of a cluster, a blank between them. A bus destination has the name of its bus here."""
    disposition: str = ""
    """z/OS: the QSGDISP that commands must say to reach the object."""
    environment: str = ""
    """The environment of the exports that hold it; blank where none is named."""
    shared_with: str = ""
    """z/OS: the other queue managers of the queue-sharing group that were read, with a blank between them, where the
    object is in their shared repository. Whoever changes it at one of them changes it at all."""

    @property
    def members(self) -> Sequence[str]:
        """The queue managers, or the cell, that have the object."""
        return (self.place, *self.shared_with.split())

    @property
    def place_key(self) -> str:
        """The queue manager, or the cell, among those of all environments."""
        return key_of(self.environment, self.place)

    @property
    def named_place(self) -> str:
        """The queue manager, or the cell, as a user names that of one environment: ``prod/QM1``."""
        return f"{self.environment}/{self.place}" if self.environment else self.place

    @property
    def shown_place(self) -> str:
        """The queue manager, or the cell, as people call it: ``QM1 in prod``."""
        return name_in(self.environment, self.place)


class Stalled(NamedTuple):
    """An endpoint that somebody may have to start again: it may have ceased to receive messages for good, or it has its
    queue open.
    """

    place: str
    """The key of the queue manager; blank for one on a bus."""
    queue: str
    """The local queue that it reads; blank where it subscribes to a topic or is on a bus."""
    endpoint: str
    stops: bool
    """Whether the endpoint stops; otherwise its consumer is blocked."""
    cell: str = ""
    """The key of its cell."""
    servers: str = ""
    """The containment paths of the servers that it runs in; blank where the exports do not tell."""
    later: str = ""
    """The cell whose script restarts all of these servers and runs later; blank where none does."""


class HeldByGroup(NamedTuple):
    """A group that has the rights on a queue to which messages are moved, where no export shows who is in it."""

    queue: str
    group: str
    rights: tuple[str, ...]
    record: str
    """The record that grants them, in words, as of a ``Mover``."""
    reader: str
    """Who is taken to be in the group, because no record lets anybody else read the queue of the messages."""


class MayLack(NamedTuple):
    """Somebody who may read a queue by the records of an export, and lacks rights where its messages are moved to."""

    source: str
    """The queue that it may read."""
    queue: str
    """The queue that its messages are moved to."""
    who: str
    """In words: ``paylib``, ``group payapp``."""
    rights: tuple[str, ...]
    """Those that it lacks of what a move takes."""
    worse: bool = False
    """Of a plan: whether a message fares worse for that, with all changes, than before."""


class Assignment(NamedTuple):
    """An attribute takes another value. Values are spelled as the product spells them."""

    target: Target
    setting: str
    """Its name in the registry: ``queue.backout_threshold``; ``wiring.WIRING`` for an attribute that is not there, and
    ``wiring.DELETION`` for the object as a whole."""
    attribute: str
    """Its name in the product: ``BOTHRESH``, ``maxRetries``."""
    new: str
    """Blank where the attribute is taken away."""
    old: str | None = None
    """None where the export does not show it."""
    origin: Origin | None = None
    """Where the old value was read."""
    new_origin: Origin | None = None
    """Where a file says the new value; None where none does."""
    servers: str = ""
    """The containment paths of the members of the cluster at whose scope the object is, a blank between them; blank
    where it is at another scope, or where the flow of the change is not that of all members."""
    moves_to: tuple[str, ...] = ()
    """Queues that messages are moved to with the change, or with those of a plan alone, as BOQNAME or DEADQ names them,
    and on which nobody is known to have, or to lack, the rights."""
    may_lack: tuple[MayLack, ...] = ()
    """Of a plan: who may read a queue whose reader nobody names, and lacks rights where messages are newly moved to."""
    held_there: tuple[HeldByGroup, ...] = ()
    """Of a plan: groups that have the rights on such queues already, each with who is taken to be in it."""
    in_cluster: tuple[ClusterMover, ...] = ()
    """Of a plan: whose messages are moved to such queues of a cluster."""
    into_full: tuple[str, ...] = ()
    """Of a plan: the queues to which messages are newly moved and that were full when they were exported."""
    left_full: tuple[str, ...] = ()
    """Of a plan: queues of the flows that it changes that were full when they were exported, and in which it makes no
    room."""
    makes_room: bool = False
    """Of a plan: whether the queue was full when it was exported, and has room with the new value."""
    described: str = ""
    """Of a plan that lets a queue take messages: its DESCR, which may say why it took none; of one that lets an
    endpoint go on after failures: its description, which may say why it stops."""
    spare: bool = False
    """Of a plan that lets a queue take messages: whether its other changes are known to do no harm without this one."""
    revives: tuple[Stalled, ...] = ()
    """Of a plan: the endpoints on whose way the object is and which may have to be started again."""
    readers: tuple[Stalled, ...] = ()
    """Of a plan: the endpoints that have the queue open and see the new value only when they open it again."""
    on_zos: bool = False
    """Whether it is known to be made at a queue manager of z/OS, where an external security manager keeps rights."""
    channels: str = ""
    """Of MAXMSGL of a transmission queue, or of the queue at the other end: the channels that take messages from the
    transmission queue, each with its MAXMSGL; blank where no export shows one. In a plan, of MAXMSGL of the dead-letter
    queue: those of clients that allow less."""


class Mover(NamedTuple):
    """Whose messages are moved to a queue, and what the exports tell of the rights that this takes."""

    user: str
    """Blank where nobody knows."""
    rights: tuple[str, ...] = ()
    """Those that the user has, or those that it lacks."""
    lacks: bool = False
    record: str = ""
    """The record that grants them, in words: ``profile FEES.** (QM1.mqsc:12)``; blank where none is named."""


class ClusterMover(NamedTuple):
    """Whose messages are moved to a queue of a cluster. On which of two profiles that takes rights, qm.ini says."""

    queue: str
    user: str
    """In words: ``risk1``, ``the user of OrdersAS``."""
    profile: str = ""
    """The profile that counts; blank where nothing says which of the two."""
    holds: str = ""
    """The profile on which a record grants them: the queue, or the transmission queue; blank where none is named."""
    record: str = ""
    """That record, in words."""


class Namer(NamedTuple):
    """A queue whose BOQNAME leads to another queue."""

    queue: str
    reader: str
    """The endpoint that reads it; blank where none in the exports does."""


class Definition(NamedTuple):
    """A queue that is not there is defined."""

    target: Target
    attributes: tuple[tuple[str, str], ...]
    """Keyword and value of MQSC; a keyword such as SHARE has a blank value."""
    opened_as: str = ""
    """The alias by which clients open it, and whose name their rights are checked against; blank where they use its
    own name.
    """
    on_zos: bool = False
    """The same as of an assignment."""
    new_origin: Origin | None = None
    """Where a file asks for it; None where none does."""
    movers: tuple[Mover, ...] = ()
    """Of a plan: whose messages are moved there, with the changes."""
    may_lack: tuple[MayLack, ...] = ()
    """The same as of an assignment."""
    revives: tuple[Stalled, ...] = ()
    """The same as of an assignment."""
    left_full: tuple[str, ...] = ()
    """The same as of an assignment."""
    described: str = ""
    """Of a plan that defines the queue to which an alias leads: the DESCR of the alias."""
    named_by: tuple[Namer, ...] = ()
    """Of a plan: the queues whose BOQNAME leads there without its changes, too."""


class Grant(NamedTuple):
    """A user or a group gets rights on the queues of a profile, or on the queue manager (kind ``QMGR``)."""

    target: Target
    user: str
    """The name of the user or of the group."""
    rights: tuple[str, ...]
    """In the words of ``SET AUTHREC AUTHADD``, in its order."""
    had: tuple[str, ...] = ()
    """What its record of this very profile grants now, which a script that undoes the grant leaves."""
    recorded: bool | None = None
    """Whether it has such a record; None where the exports do not tell."""
    group: bool = False
    """Whether it is a group."""
    kept: tuple[str, ...] = ()
    """Those of ``rights`` that a record of a wider profile grants now, and that one of this very profile would hide."""
    on_windows: bool = False
    """Whether the queue manager keeps authorities of users, and never by their primary groups."""
    to_look_up: bool = False
    """Whether it is for readers of the queue, who look up BOTHRESH and BOQNAME once while they have it open."""
    moves_to: tuple[str, ...] = ()
    """The same as of an assignment."""
    may_lack: tuple[MayLack, ...] = ()
    """The same as of an assignment."""
    held_there: tuple[HeldByGroup, ...] = ()
    """The same as of an assignment."""
    in_cluster: tuple[ClusterMover, ...] = ()
    """The same as of an assignment."""
    into_full: tuple[str, ...] = ()
    """The same as of an assignment."""
    left_full: tuple[str, ...] = ()
    """The same as of an assignment."""
    new_origin: Origin | None = None
    """Where a file asks for it; None where none does."""
    revives: tuple[Stalled, ...] = ()
    """The same as of an assignment."""
    on_dead_letter_queue: bool = False
    """Of a plan: whether it is on the dead-letter queue that there is, which all applications share."""
    among_groups: bool = False
    """Of a plan: whether it is for a user where the exports have records of groups alone."""
    unproven: bool = False
    """Of a plan: no export shows whether those whom it is for have the rights already."""
    assumed: tuple[str, ...] = ()
    """Of a plan: the users who are taken to be in the group, because no record lets anybody else read the queue."""


Change: TypeAlias = Assignment | Definition | Grant

Slot: TypeAlias = tuple[Target, str]

PLANNED = "(planned)"
"""The path of values that no file has yet."""


def slot(change: Change) -> Slot:
    """What two changes must not both touch: an attribute of an object, its definition, a user's rights."""
    if isinstance(change, Assignment):
        return change.target, change.attribute
    if isinstance(change, Definition):
        return change.target, "DEFINE"
    return change.target, f"AUTHADD {'group ' if change.group else ''}{change.user}"


def slots(change: Change) -> list[Slot]:
    """The slots of a change at each member of a cluster by itself: whoever changes a member changes one of them."""
    place = slot(change)
    target, attribute = place
    if _BETWEEN_PATHS not in target.path:  # as most changes: searches for plans ask hundreds of thousands of times
        return [place]
    return [(target._replace(path=path), attribute) for path in containment_paths(target.path)]


class ChangeSet:
    """Changes that do not contradict each other, none of them twice: a change of a whole cluster holds those of its
    members, which are in no other cluster. Rights on one profile add up.
    """

    def __init__(self, changes: Iterable[Change] = ()) -> None:
        self._by_slot: dict[Slot, Change] = {}
        for change in changes:
            self._put(change)

    @property
    def changes(self) -> tuple[Change, ...]:
        """All changes, in the order in which they came."""
        return tuple(dict.fromkeys(self._by_slot.values()))

    def add(self, changes: Iterable[Change], *, raising: bool = False) -> bool:
        """Add changes to the set; False, and nothing added, where they contradict it. With ``raising``, a higher number
        for a setting does not contradict a lower one, but takes its place.
        """
        more = list(changes)
        for change in more:
            for known in map(self._by_slot.get, slots(change)):
                if known is None or isinstance(known, Grant) or _meaning(known) == _meaning(change):
                    continue
                if not (raising and _raises(known, change)):
                    return False
        for change in more:
            self._put(change)
        return True

    def makes(self, wanted: Iterable[Change]) -> bool:
        """Whether other changes would change nothing more."""
        made = ((self._by_slot.get(place), change) for change in wanted for place in slots(change))
        return all(known is not None and _meaning(known) == _meaning(change) for known, change in made)

    def _put(self, change: Change) -> None:
        own = slots(change)
        known = self._by_slot.get(own[0])
        if isinstance(known, Grant) and isinstance(change, Grant):
            kept = tuple(dict.fromkeys((*known.kept, *change.kept)))
            rights = tuple(dict.fromkeys((*known.rights, *change.rights)))
            change = known._replace(rights=rights, kept=kept)
        elif known is not None and len(slots(known)) > len(own):
            return
        self._by_slot.update(dict.fromkeys(own, change))


def merge(changes: tuple[Change, ...], more: tuple[Change, ...], *, raising: bool = False) -> tuple[Change, ...] | None:
    """Both sets of changes as one; None where they contradict each other. With ``raising``, ``more`` may raise the
    numbers that ``changes`` give to settings.
    """
    merged = ChangeSet(changes)
    return merged.changes if merged.add(more, raising=raising) else None


def folded(changes: Iterable[Change]) -> tuple[Change, ...]:
    """The same changes, where the definition of a queue says at once what another change would give the new queue."""
    changes = tuple(changes)
    defined = {change.target for change in changes if isinstance(change, Definition)}
    given: dict[Target, dict[str, str]] = {}
    for change in changes:
        if isinstance(change, Assignment) and change.target in defined:
            given.setdefault(change.target, {})[change.attribute] = change.new
    return tuple(
        _with_attributes(change, given.get(change.target, {})) if isinstance(change, Definition) else change
        for change in changes
        if not (isinstance(change, Assignment) and change.target in defined)
    )


def _with_attributes(definition: Definition, given: Mapping[str, str]) -> Definition:
    kept = {
        keyword: value
        for keyword, value in definition.attributes
        if keyword in given or keyword.removeprefix("NO") not in given  # NOTRIGGER, where TRIGGER is given
    }
    return definition._replace(attributes=tuple({**kept, **given}.items()))


def _raises(known: Change, change: Change) -> bool:
    """Whether a change sets the very attribute of another to a higher number."""
    if not (isinstance(known, Assignment) and isinstance(change, Assignment) and slots(known) == slots(change)):
        return False
    return known.new.isdecimal() and change.new.isdecimal() and int(change.new) > int(known.new)


def _meaning(change: Change) -> object:
    if isinstance(change, Definition):
        bare = change._replace(opened_as="", movers=(), revives=(), named_by=())
        return bare._replace(may_lack=(), left_full=(), described="")
    if isinstance(change, Assignment):
        return change.new
    return change._replace(revives=(), unproven=False, assumed=(), may_lack=(), into_full=(), left_full=())
