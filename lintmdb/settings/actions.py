"""Repairs that create something: a queue, or rights on one. A rule names them in ``do``."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import TypeAlias

from lintmdb.settings.changes import Assignment, Change, Definition, Grant, Target
from lintmdb.settings.owners import Read, queue_manager, read_text, source_queue

Action: TypeAlias = Callable[[Read], tuple[Change, ...] | None]
"""The changes that an action makes on one flow; None where the exports do not hold what it needs."""

BACKOUT_RIGHTS = ("PUT", "PASSALL", "GET", "BROWSE", "INQ", "SETALL")
"""What IBM's article on poison messages asks for on a backout queue."""
DEAD_LETTER_RIGHTS = ("PUT", "PASSALL")
SOURCE_RIGHTS = ("GET", "BROWSE", "INQ")
_COLUMNS = {"PUT": "put", "PASSALL": "passall", "GET": "get", "INQ": "inq", "SETALL": "setall"}
_LONGEST_NAME = 48
_HASH = 5
"""The characters that tell names apart which are cut: a dot and four digits."""
_DEPTH = "5000"
_DEAD_LETTER_DEPTH = "100000"


def _new_backout_queue(read: Read) -> tuple[Change, ...] | None:
    """Define a backout queue after the queue, name it in BOQNAME, and let the user of the endpoint put to it."""
    source = source_queue(read)
    if source is None:
        return None
    target = source._replace(kind="QLOCAL", name=extended_name(source.name, ".BACKOUT"))
    changes = [_backout_definition(read, target)]
    old = read("queue.backout_queue")
    old_text = old if isinstance(old, str) else None
    changes += [Assignment(source, "queue.backout_queue", "BOQNAME", target.name, old_text)]
    return (*changes, *_grant(read, target.name, BACKOUT_RIGHTS))


def _named_backout_queue(read: Read) -> tuple[Change, ...] | None:
    """Define the queue that BOQNAME leads to."""
    source, name = source_queue(read), read_text(read, "backout.leads_to")
    if source is None or not name:
        return None
    definition = _backout_definition(read, source._replace(kind="QLOCAL", name=name))
    return (definition, *_grant(read, read_text(read, "queue.backout_queue"), BACKOUT_RIGHTS))


def _backout_definition(read: Read, target: Target) -> Change:
    depth, longest = read("queue.max_depth"), read("queue.longest_message_bytes")
    structure = read_text(read, "queue.coupling_structure")
    return _definition(
        target,
        depth=str(depth) if depth else _DEPTH,
        longest=str(longest) if longest else "",
        structure=structure if target.disposition == "SHARED" else "",
    )


def _dead_letter_queue(read: Read) -> tuple[Change, ...] | None:
    """Define the queue that DEADQ names, or one that it is to name."""
    manager = queue_manager(read)
    if manager is None:
        return None
    named = read("queue_manager.dead_letter_queue")
    if read("queue_manager.dead_letter_resolution") == "not_defined":
        name, renamed = str(named), False
    else:
        ending = ".UNDELIVERED" if named else ".DEAD"
        name, renamed = extended_name(manager.name, ending), True
    longest = read("queue_manager.max_message_bytes")
    target = manager._replace(kind="QLOCAL", name=name)
    changes = [_definition(target, depth=_DEAD_LETTER_DEPTH, longest=str(longest) if longest else "")]
    if renamed:
        old = named if isinstance(named, str) else None
        changes.append(Assignment(manager, "queue_manager.dead_letter_queue", "DEADQ", name, old))
    return tuple(changes)


def _grant_backout(read: Read) -> tuple[Change, ...] | None:
    """Let the user of the endpoint move messages to the backout queue."""
    return _grant(read, read_text(read, "queue.backout_queue"), BACKOUT_RIGHTS) or None


def _grant_dead_letter(read: Read) -> tuple[Change, ...] | None:
    """Let the user of the endpoint move messages to the dead-letter queue."""
    return _grant(read, read_text(read, "queue_manager.dead_letter_queue"), DEAD_LETTER_RIGHTS) or None


def _grant_source(read: Read) -> tuple[Change, ...] | None:
    """Let the user of the endpoint connect and read."""
    manager, user = queue_manager(read), read_text(read, "authority.user")
    if manager is None or not user or read("queue_manager.platform") == "zos":
        return None
    connect = (Grant(manager, user, ("CONNECT", "INQ")),)
    return connect + _grant(read, read_text(read, "endpoint.queue"), SOURCE_RIGHTS)


def _grant(read: Read, profile: str, rights: tuple[str, ...]) -> tuple[Change, ...]:
    """A grant for the user of the endpoint; none where nobody knows the user, and on z/OS, where RACF decides."""
    manager = read_text(read, "endpoint.queue_manager")
    user = read_text(read, "authority.user") or read_text(read, "endpoint.user")
    if not (user and profile and manager) or read("queue_manager.platform") == "zos":
        return ()
    named = profile == read_text(read, "queue.backout_queue")
    had = tuple([right for right in rights if named and read(f"authority.{_COLUMNS.get(right, 'put')}") is True])
    return (Grant(Target("mq", manager, "QUEUE", profile), user, rights, had),)


def _definition(target: Target, *, depth: str, longest: str, structure: str = "") -> Change:
    """A queue with every attribute said on purpose, so that a local default object decides nothing."""

    def attributes() -> Iterator[tuple[str, str]]:
        if structure:
            yield "CFSTRUCT", structure
        yield from (("USAGE", "NORMAL"), ("PUT", "ENABLED"), ("GET", "ENABLED"), ("SHARE", ""), ("DEFSOPT", "SHARED"))
        yield from (("DEFPSIST", "YES"), ("MAXDEPTH", depth))
        if longest:
            yield "MAXMSGL", longest
        yield from (("BOTHRESH", "0"), ("BOQNAME", ""), ("NOTRIGGER", ""), ("CLUSTER", ""), ("CLUSNL", ""))

    return Definition(target, tuple(attributes()))


def extended_name(name: str, ending: str) -> str:
    """A name with an ending, cut to what MQ allows; two names that are cut stay two."""
    room = _LONGEST_NAME - len(ending)
    if len(name) <= room:
        return name + ending
    return f"{name[: room - _HASH]}.{zlib.crc32(name.encode()) & 0xFFFF:04X}{ending}"


ACTIONS: Mapping[str, Action] = MappingProxyType(
    {
        "new_backout_queue": _new_backout_queue,
        "named_backout_queue": _named_backout_queue,
        "dead_letter_queue": _dead_letter_queue,
        "grant_backout": _grant_backout,
        "grant_dead_letter": _grant_dead_letter,
        "grant_source": _grant_source,
    }
)
