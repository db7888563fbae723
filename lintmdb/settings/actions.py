"""Repairs that create something: a queue, or rights on one. A rule names them in ``do``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from lintmdb.model.columns import Value
from lintmdb.model.unreachable import missing_transmission_queue
from lintmdb.settings.changes import Assignment, Change, Definition, Grant, Target
from lintmdb.settings.owners import (
    Read,
    put_target,
    put_target_alias,
    put_target_closed_by,
    queue_manager,
    read_text,
    source_queue,
)

Action: TypeAlias = Callable[[Read], tuple[Change, ...] | None]
"""The changes that an action makes on one flow, none where nothing is left to do; None where the exports do not hold
what it needs."""

MOVE_RIGHTS = ("PUT", "PASSALL")
"""What the client needs on the queue that it moves a message to (IBM MQ "Authority needed by IBM MQ classes for JMS
applications").
"""
BACKOUT_RIGHTS = (*MOVE_RIGHTS, "GET", "INQ", "SETALL")
"""What IBM's article on poison messages asks for on a backout queue. It says that without them the client moves
messages to the dead-letter queue.
"""
SOURCE_RIGHTS = ("GET", "BROWSE", "INQ")
BEHIND_RIGHTS = ("INQ",)
"""Of who reads by an alias, on the queue behind it."""
_DEPTH = "5000"
_MOST_BYTES = 104_857_600
_HEADERS_BYTES = 4000
"""What IBM recommends a transmission queue to have room for beside the longest message ("DEFINE QLOCAL")."""
_DEAD_LETTER_DEPTH = "100000"


def _new_backout_queue(read: Read) -> tuple[Change, ...] | None:
    """Define a backout queue after the queue, name it in BOQNAME, and let the user of the endpoint put to it."""
    source, name = source_queue(read), read_text(read, "queue.free_backout_name")
    definition = _backout_definition(read, name)
    if source is None or definition is None:
        return None
    old = read("queue.backout_queue")
    renamed = Assignment(source, "queue.backout_queue", "BOQNAME", name, old if isinstance(old, str) else None)
    return (definition, renamed, *_grant_on_new(read, name, BACKOUT_RIGHTS))


def _usable_backout_queue(read: Read) -> tuple[Change, ...] | None:
    """Whatever lets the client move poison to the backout queue: define it, open it, or name an existing one."""
    resolution = read_text(read, "queue.backout_resolution")
    if resolution in ("not_defined", "dangling"):
        return _defined_backout_queue(read)
    unusable = resolution in ("not_set", "wrong_base", "topic", "model")
    if unusable or read("backout.reachable") is False or _keeps_no_poison(read):
        return _new_backout_queue(read)
    if read("backout.name_clash") is True or resolution not in ("resolved", "remote"):
        return None
    # A user that may put messages there needs no more for the move; what else IBM asks for is a matter of its own
    # (MDB119).
    may_move = all(read(f"authority.{right.lower()}") is True for right in MOVE_RIGHTS)
    return (*_opened_backout_queue(read), *(() if may_move else _let_move(read)))


def _ready_backout_queue(read: Read) -> tuple[Change, ...] | None:
    """What has to be there before a threshold acts: a usable backout queue, or as much of it as the exports tell."""
    usable = _usable_backout_queue(read)
    return _allowed_backout_queue(read) if usable is None else usable


def _allowed_backout_queue(read: Read) -> tuple[Change, ...] | None:
    """Let the user of the endpoint move messages to the backout queue; to a new one where those that arrive at the
    named one do harm.
    """
    return _new_backout_queue(read) if _keeps_no_poison(read) else _let_move(read)


def _let_move(read: Read) -> tuple[Change, ...]:
    """Rights on the backout queue. Who is proven to lack them on a cluster queue gets them on an alias of it, which has
    a profile of its own: on the transmission queue of clusters they would be rights to put on every cluster queue.
    """
    lacks = any(read(f"authority.{right.lower()}") is False for right in MOVE_RIGHTS)
    source, name = source_queue(read), read_text(read, "queue.free_backout_name")
    if source is None or not name or not lacks or not is_in_cluster_only(read):
        return grant_backout(read)
    named = read_text(read, "queue.backout_queue")
    attributes = (("TARGET", named), ("TARGTYPE", "QUEUE"), ("PUT", "ENABLED"), ("CLUSTER", ""), ("CLUSNL", ""))
    return (
        Definition(source._replace(kind="QALIAS", name=name), attributes),
        Assignment(source, "queue.backout_queue", "BOQNAME", name, named),
        *_grant_on_new(read, name, BACKOUT_RIGHTS),
    )


def _keeps_no_poison(read: Read) -> bool:
    """Whether the queue that BOQNAME leads to is none for poison messages: they come back, no queue at the other end
    keeps them, a channel takes them, or the channels need its room.
    """
    if read("queue.backout_loops") is True and read("endpoint.backout_circle_read") is not False:
        return True
    unfit = (
        "queue.backout_would_loop",
        "backout.fails_elsewhere",
        "backout.transmission",
        "backout.is_dead_letter_queue",
    )
    return any(read(name) is True for name in unfit)


def _defined_backout_queue(read: Read) -> tuple[Change, ...] | None:
    """Make BOQNAME lead to a queue: one whose name differs only in case, else the missing one, else a new one."""
    source, other = source_queue(read), read_text(read, "backout.other_case")
    if source is not None and other:
        old = read_text(read, "queue.backout_queue")
        return (Assignment(source, "queue.backout_queue", "BOQNAME", other, old),)
    name = read_text(read, "backout.leads_to")
    # A shared queue of that name would clash with the private one that another queue manager of the group has.
    taken = read("backout.at_other_member") is True and source is not None and source.disposition == "SHARED"
    if not name or taken or read("backout.leads_to_kind") == "topic":
        return _new_backout_queue(read)
    definition = _backout_definition(read, name)
    if definition is None:
        return None
    named = read_text(read, "queue.backout_queue")
    return (definition._replace(opened_as=named if named != name else ""), *grant_backout(read))


def _respelt_backout_queue(read: Read) -> tuple[Change, ...] | None:
    """Name the queue in BOQNAME, or in TARGET of its alias, that may be meant by the name of the missing one. The
    change says that it needs rights, unless the user of the endpoint has them.
    """
    source, near = source_queue(read), read_text(read, "backout.near_name")
    if source is None or not near or near == source.name:
        return None
    if (alias := put_target_alias("backout")(read)) is not None:
        return (Assignment(alias, "backout.leads_to", "TARGET", near, read_text(read, "backout.leads_to")),)
    old = read_text(read, "queue.backout_queue")
    allowed = read("authority.administrator") is True or read("authority.near_backout_move") is True
    moves_to = () if allowed else (near,)
    return (Assignment(source, "queue.backout_queue", "BOQNAME", near, old, moves_to=moves_to),)


def _respelt_dead_letter_queue(read: Read) -> tuple[Change, ...] | None:
    """The same with DEADQ."""
    manager, near = queue_manager(read), read_text(read, "dead_letter.near_name")
    if manager is None or not near:
        return None
    if (alias := put_target_alias("dead_letter")(read)) is not None:
        return (Assignment(alias, "dead_letter.leads_to", "TARGET", near, read_text(read, "dead_letter.leads_to")),)
    old = read_text(read, "queue_manager.dead_letter_queue")
    return (Assignment(manager, "queue_manager.dead_letter_queue", "DEADQ", near, old, moves_to=(near,)),)


def _backout_definition(read: Read, name: str) -> Definition | None:
    """A backout queue for the queue that is read; None if its name or its CFSTRUCT is unknown."""
    source = source_queue(read)
    if source is None or not name:
        return None
    shared = source.disposition == "SHARED"
    structure = read_text(read, "queue.coupling_structure") if shared else ""
    if shared and not structure:
        return None
    longest = read("queue.longest_message_bytes")
    # A queue that is new to one queue manager is no copy.
    disposition = "" if source.disposition == "COPY" else source.disposition
    target = source._replace(kind="QLOCAL", name=name, disposition=disposition)
    return _definition(
        target,
        depth=str(read("queue.max_depth") or _DEPTH),
        longest=str(longest) if longest else "",
        structure=structure,
    )


def _opened_backout_queue(read: Read) -> Iterator[Change]:
    """Let the queue behind BOQNAME take messages."""
    closed, local = put_target_closed_by("backout")(read), put_target("backout")(read)
    if closed is not None and read("backout.put_enabled") is False:
        yield Assignment(closed, "backout.put_enabled", "PUT", "ENABLED", "DISABLED")
    if local is not None and read("backout.no_room") is True:
        yield Assignment(local, "backout.max_depth", "MAXDEPTH", str(read("queue.max_depth") or _DEPTH), "0")
    if local is not None and read("backout.stream_closed") is True:
        yield Assignment(local, "backout.stream_required", "STRMQOS", "BESTEF", "MUSTDUP")


def _opened_transmission_queue(read: Read) -> tuple[Change, ...] | None:
    """Let the transmission queue of a remote backout queue take messages, where nothing else refuses them."""
    closed = put_target_closed_by("backout")(read)
    if read("backout.fails_elsewhere") is True:
        return None  # at the other end they would be on no backout queue, or lost
    if closed is None or read("backout.put_enabled") is not True or closed.name != read("backout.transmission_queue"):
        return None
    return (Assignment(closed, "backout.put_enabled", "PUT", "ENABLED", "DISABLED"),)


def _defined_transmission_queue(read: Read) -> tuple[Change, ...] | None:
    """Define the transmission queue of a remote backout queue, where that is all that keeps messages here."""
    name, manager = read_text(read, "backout.transmission_queue"), queue_manager(read)
    missing = name and read("backout.unreachable_because") == missing_transmission_queue(name)
    longest = read("queue.longest_message_bytes")
    if manager is None or not missing or read("backout.put_enabled") is not True:
        return None
    if read("backout.fails_elsewhere") is True:
        return None  # at the other end messages would be on no backout queue, or lost
    attributes = [("USAGE", "XMITQ"), ("PUT", "ENABLED"), ("GET", "ENABLED"), ("DEFPSIST", "YES")]
    attributes.append(("MAXDEPTH", str(read("queue.max_depth") or _DEPTH)))
    if isinstance(longest, int):
        attributes.append(("MAXMSGL", str(min(longest + _HEADERS_BYTES, _MOST_BYTES))))
    return (Definition(manager._replace(kind="QLOCAL", name=name), tuple(attributes)),)


def _dead_letter_queue(read: Read) -> tuple[Change, ...] | None:
    """Make DEADQ lead to a queue: one whose name differs only in case, else the missing one, else a new one."""
    manager = queue_manager(read)
    if manager is None:
        return None
    if other := read_text(read, "dead_letter.other_case"):
        named = read_text(read, "queue_manager.dead_letter_queue")
        return (Assignment(manager, "queue_manager.dead_letter_queue", "DEADQ", other, named),)
    missing = read("queue_manager.dead_letter_resolution") in ("not_defined", "dangling")
    named = missing and read("dead_letter.leads_to_kind") != "topic"
    leads_to = read_text(read, "dead_letter.leads_to") if named else ""
    name = leads_to or read_text(read, "queue_manager.free_dead_letter_name")
    if not name:
        return None
    longest = read("queue_manager.max_message_bytes")
    target = manager._replace(kind="QLOCAL", name=name)
    definition = _definition(target, depth=_DEAD_LETTER_DEPTH, longest=str(longest) if longest else "")
    opened = read_text(read, "queue_manager.dead_letter_queue") if leads_to else name
    changes: list[Change] = [definition._replace(opened_as=opened if opened != name else "")]
    if not leads_to:
        old = read("queue_manager.dead_letter_queue")
        old_text = old if isinstance(old, str) else None
        changes.append(Assignment(manager, "queue_manager.dead_letter_queue", "DEADQ", name, old_text))
        if read("queue.backout_resolution") == "not_set":
            changes += _grant_on_new(read, name, MOVE_RIGHTS)
    return tuple(changes)


def grant_backout(read: Read) -> tuple[Change, ...]:
    """Let the user of the endpoint move messages to the backout queue.

    On a cluster queue without an alias here nothing is granted: which profile counts, only qm.ini says
    (ClusterQueueAccessControl), and one of them is that of all cluster queues.
    """
    on_transmission_queue = read("queue_manager.cluster_queue_access") == "Xmitq" and read("backout.may_be_in")
    if is_in_cluster_only(read) or on_transmission_queue:
        return ()
    if all(read(f"authority.{right.lower()}") is True for right in BACKOUT_RIGHTS):
        return ()
    return _grant(read, read_text(read, "queue.backout_queue"), BACKOUT_RIGHTS, "backout")


def is_in_cluster_only(read: Read) -> bool:
    """Whether BOQNAME names a cluster queue by its own name."""
    return read("backout.leads_to_kind") == "cluster queue" and read("backout.type") is None


def grant_near_backout(read: Read) -> tuple[Grant, ...]:
    """What IBM asks for on the queue that may be meant by BOQNAME, to a user who may move messages there already, and
    is not known to have it.
    """
    lacking = _listed(read, "authority.near_backout_lacks")
    if read("authority.near_backout_move") is not True or not lacking:
        return ()
    return _grant(read, read_text(read, "backout.near_name"), lacking, "near_backout")


def grant_dead_letter(read: Read) -> tuple[Change, ...]:
    """Let the user of the endpoint move messages to the dead-letter queue."""
    return _grant(read, read_text(read, "queue_manager.dead_letter_queue"), MOVE_RIGHTS, "dead_letter")


def _grant_source(read: Read) -> tuple[Change, ...] | None:
    """Let the user of the endpoint connect and read, as far as it is known to lack the right."""
    if is_hardly_reader(read):
        return None
    manager, user = queue_manager(read), _grantee(read)
    grants: list[Change] = []
    if manager is not None and user is not None and read("authority.connect") is False:
        held = _listed(read, "authority.connect_held")
        grants.append(
            Grant(
                manager,
                user.name,
                ("CONNECT", "INQ"),
                held,
                recorded=True,
                group=user.group,
                on_windows=user.on_windows,
            )
        )
    if any(read(f"authority.source_{right.lower()}") is False for right in SOURCE_RIGHTS):
        grants += _grant(read, read_text(read, "endpoint.queue"), SOURCE_RIGHTS, "source")
    return tuple(grants)


def _grant_behind(read: Read) -> tuple[Change, ...] | None:
    """Let the user of the endpoint look up BOTHRESH and BOQNAME of the queue behind an alias."""
    if is_hardly_reader(read):
        return None
    grants = _grant(read, read_text(read, "queue.name"), BEHIND_RIGHTS, "behind")
    return tuple([grant._replace(to_look_up=True) for grant in grants])


def _grant(read: Read, profile: str, rights: tuple[str, ...], alias: str) -> tuple[Grant, ...]:
    """Rights for who connects, by a profile of the queue's very name; none where nobody knows who does.

    Who has no such record yet loses what a wider profile gave it there, so the new one holds that, too.
    """
    manager, user = queue_manager(read), _grantee(read)
    if manager is None or user is None or not profile:
        return ()
    held, recorded = _held(read, alias), _recorded(read, alias)
    target = manager._replace(kind="QUEUE", name=profile)
    if recorded is True:
        missing = tuple([right for right in rights if right not in held])
        return (
            (Grant(target, user.name, missing, held, recorded=True, group=user.group, on_windows=user.on_windows),)
            if missing
            else ()
        )
    if set(rights) <= set(held):
        return ()
    wanted = tuple(dict.fromkeys((*rights, *held)))
    known = None if recorded is None else False
    return (
        Grant(
            target, user.name, wanted, recorded=known, group=user.group, on_windows=user.on_windows, kept=tuple(held)
        ),
    )


def _grant_on_new(read: Read, name: str, rights: tuple[str, ...]) -> tuple[Change, ...]:
    """Rights on a queue that does not exist yet, so that no record has its name; none where a wider profile gives them
    already. What it gives besides is kept.
    """
    manager, user = queue_manager(read), _grantee(read)
    held = _held(read, "new_backout" if name == read("queue.free_backout_name") else "new_dead_letter")
    if manager is None or user is None or set(rights) <= set(held):
        return ()
    target = manager._replace(kind="QUEUE", name=name)
    wanted = tuple(dict.fromkeys((*rights, *held)))
    return (Grant(target, user.name, wanted, recorded=False, group=user.group, on_windows=user.on_windows, kept=held),)


def is_hardly_reader(read: Read) -> bool:
    """Whether nothing but an observation about a whole queue manager, or about all of them, says that the user of a
    flow reads its queue, and the user may not. The queue is more likely that of others.
    """
    return read("endpoint.user_guessed") is True and read("authority.may_not_read") is True


def _user(read: Read) -> str:
    """The user of the endpoint with its rights; blank where they are not known, or are those of another."""
    return "" if is_hardly_reader(read) else read_text(read, "authority.user")


class _Grantee(NamedTuple):
    name: str
    group: bool
    on_windows: bool


def _grantee(read: Read) -> _Grantee | None:
    """Whose record gets rights: that of the group by which the user of the endpoint reads the queue, else its own. None
    where none is needed: for an administrator, and on z/OS, where an external security manager decides.
    """
    if read("queue_manager.platform") == "zos" or read("authority.administrator") is True:
        return None
    on_windows = read("queue_manager.windows_accounts") is True
    group = "authority.group" if _user(read) else "queue_name.reader_group"
    if name := read_text(read, group):
        return _Grantee(name, True, on_windows)
    user = "" if is_hardly_reader(read) else read_text(read, "authority.user") or read_text(read, "endpoint.user")
    return _Grantee(user, False, on_windows) if user else None


def _held(read: Read, alias: str) -> tuple[str, ...]:
    """What the record that decides for ``_grantee`` grants on a queue; none where nobody knows."""
    if _user(read):
        return _listed(read, f"authority.{alias}_held")
    return _listed(read, f"queue_name.reader_{alias}_held") if alias in _OF_READERS else ()


def _recorded(read: Read, alias: str) -> Value:
    """Whether that record has the very name of the queue as its profile."""
    of_reader = alias == "backout" and not _user(read)
    return read("queue_name.reader_backout_recorded" if of_reader else f"authority.{alias}_recorded")


_OF_READERS = ("backout", "new_backout", "new_dead_letter")
"""The queues of which rows of names say what the group that reads them may do there."""


def _listed(read: Read, name: str) -> tuple[str, ...]:
    return tuple(read_text(read, name).split(",")) if read(name) else ()


def _definition(target: Target, *, depth: str, longest: str, structure: str = "") -> Definition:
    """A queue with every attribute set explicitly, so that a local default object decides nothing."""

    def attributes() -> Iterator[tuple[str, str]]:
        if structure:
            yield "CFSTRUCT", structure
        yield from (("USAGE", "NORMAL"), ("PUT", "ENABLED"), ("GET", "ENABLED"), ("SHARE", ""), ("DEFSOPT", "SHARED"))
        yield from (("DEFPSIST", "YES"), ("MAXDEPTH", depth))
        if longest:
            yield "MAXMSGL", longest
        yield from (("BOTHRESH", "0"), ("BOQNAME", ""), ("NOTRIGGER", ""), ("CLUSTER", ""), ("CLUSNL", ""))

    return Definition(target, tuple(attributes()))


def _unknown_reader(read: Read) -> str:
    """What to say instead of a grant to a user that hardly reads the queue."""
    if not is_hardly_reader(read):
        return ""
    user, queue = read_text(read, "endpoint.user"), read_text(read, "endpoint.queue")
    return (
        f"Observations name {user} for all of {read_text(read, 'endpoint.queue_manager')}, and it has no right to read"
        f" {queue}, so another user may be the one that does. Name the user of {queue} under queues in the"
        " observations: a plan then grants what that user lacks."
    )


ACTIONS: Mapping[str, Action] = MappingProxyType(
    {
        "new_backout_queue": _new_backout_queue,
        "usable_backout_queue": _usable_backout_queue,
        "ready_backout_queue": _ready_backout_queue,
        "opened_transmission_queue": _opened_transmission_queue,
        "defined_transmission_queue": _defined_transmission_queue,
        "respelt_backout_queue": _respelt_backout_queue,
        "dead_letter_queue": _dead_letter_queue,
        "respelt_dead_letter_queue": _respelt_dead_letter_queue,
        "grant_backout": _allowed_backout_queue,
        "grant_dead_letter": grant_dead_letter,
        "grant_source": _grant_source,
        "grant_behind": _grant_behind,
    }
)
GRANTED: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "grant_dead_letter": ("authority.dead_letter_put", "authority.dead_letter_passall"),
        "grant_behind": ("authority.behind_inq",),
    }
)
"""The rights that a user has after actions that do no more than grant them."""
MEANT: Mapping[str, str] = MappingProxyType(
    {"respelt_backout_queue": "backout.near_name", "respelt_dead_letter_queue": "dead_letter.near_name"}
)
"""The queues that actions name instead of missing ones, as values."""
OBSTACLES: Mapping[str, Callable[[Read], str]] = MappingProxyType(
    {"grant_source": _unknown_reader, "grant_behind": _unknown_reader}
)
"""What has to be known before an action can be taken, in sentences; blank where it can."""
