"""How a user names an object: ``queue ORDERS.IN at QM1``, as reports print it and as the documentation writes it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeAlias

from lintmdb.model.relations import LIBERTY_CELL
from lintmdb.settings.changes import Assignment, Target, containment_paths
from lintmdb.settings.kinds import KINDS, holder_words, scope_words, server_names
from lintmdb.settings.liberty import is_liberty
from lintmdb.settings.registry import Setting, find_setting

Fits: TypeAlias = Callable[[str, str], bool]
"""Whether the name of an object, which comes first, is what the user's word means."""


def kind_words(target: Target) -> str:
    """What a user calls an object: ``queue``, ``endpoint``, ``server``."""
    return _KIND_WORDS.get(target.kind, target.kind.replace("_", " "))


def kind_names(target: Target) -> tuple[str, ...]:
    """All that a user may call an object: as ``kind_words`` says, and as a plan prints it."""
    printed = (KINDS[target.kind].noun,) if target.kind in KINDS else ()
    return (kind_words(target), target.kind.replace("_", " "), *printed)


def named_thing(target: Target) -> str:
    """An object as the options --keep and --set name it: ``queue ORDERS.IN at QM1``."""
    named, scope, holder = f"{KINDS[target.kind].noun} {target.name or target.place}", scope_words(target), ""
    if not scope:
        holder = holder_words(target)
    place = scope or target.place
    return f"{named} of {holder}" if holder else f"{named} at {place}" if place else named


def is_meant(target: Target, kind: str, name: str, place: str, fits: Fits, *, held: bool = False) -> bool:
    """Whether a user's words mean an object. A place is its queue manager, its cell, either of them in an environment,
    ``prod/QM1``, its scope, ``node node1``, or its server; blank for any. With ``held``, a server means all that it
    holds, its listener ports, too.
    """
    servers, scope = holding_servers(target), scope_words(target)
    places = [known for member in target.members for known in (member, target._replace(place=member).named_place)]
    places += [scope, scope.partition(" ")[2]] if scope else []
    places += [*servers, *(f"server {server}" for server in servers)]
    if place and not any(fits(known, place) for known in places):
        return False
    if kind in kind_names(target) and any(fits(known, name) for known in object_names(target)):
        return True
    of_server = kind == "server" and (held or kind_words(target) == "server")
    return of_server and any(fits(known, name) for known in servers)


def object_names(target: Target) -> list[str]:
    """What a user may call an object of a known kind: a plan prints ``LedgerLP of server1`` where a server holds it."""
    own, spelled = target.name or target.place, _spelled_servers(target)
    servers = [server for names in spelled for server in names]
    all_servers = [", ".join(names) for names in spelled if len(names) > 1]
    holders = [holder for holder in (*servers, *all_servers, scope_words(target)) if holder]
    held = [(f"{own} of {holder}", f"of {holder}") for holder in dict.fromkeys(holders)]
    return [own, *(name for names in held for name in names)]


def named_part(target: Target, name: str, place: str) -> Target:
    """What members of a cluster hold alike, or only what one of them holds, where a user's words name that one."""
    members = [target._replace(path=path) for path in containment_paths(target.path)]
    words = {place, name, name.rpartition(" of ")[2].removeprefix("of ")}
    named = [member for member in members if not words.isdisjoint(holding_servers(member))]
    return named[0] if len(named) == 1 else target


def attribute_names(setting: Setting) -> tuple[str, ...]:
    """All that a user may call an attribute, in lower case: as its product does, as a file or the console does, or as
    the column is called.
    """
    names = (setting.attribute, setting.kept_as, setting.label, setting.name.partition(".")[2])
    return tuple([name.lower() for name in names if name])


def is_attribute(change: Assignment, attribute: str) -> bool:
    """Whether a user's word means the attribute that a change assigns to."""
    return attribute.lower() in attribute_names(find_setting(change))


def holding_servers(target: Target) -> list[str]:
    """The servers that hold an object, as ``printed_servers`` has them, and those of nodes by name alone, too."""
    if is_liberty(target):
        return printed_servers(target)
    return [server for names in _spelled_servers(target) for server in names]


def printed_servers(target: Target) -> list[str]:
    """The servers that hold an object, as ``node/server``; that of a Liberty server by its name."""
    return [target.place.removeprefix(LIBERTY_CELL)] if is_liberty(target) else server_names(target)


def _spelled_servers(target: Target) -> tuple[list[str], list[str]]:
    """The servers that hold an object, with their nodes and without."""
    names = server_names(target)
    return names, [name.rpartition("/")[2] for name in names]


_KIND_WORDS = {
    "QLOCAL": "queue",
    "QALIAS": "queue",
    "QMODEL": "queue",
    "QREMOTE": "queue",
    "QUEUE": "queue",
    "QMGR": "queue manager",
    "CHANNEL": "channel",
    "mq_specification": "endpoint",
    "mq_specification_property": "endpoint",
    "bus_specification": "endpoint",
    "listener_port": "endpoint",
    "listener_service": "server",
    "listener_threads": "server",
    "thread_pool": "server",
    "transaction_service": "server",
    "bus_destination": "destination",
    "liberty_specification": "endpoint",
    "liberty_endpoint": "endpoint",
    "liberty_queue": "destination",
    "liberty_transaction": "server",
}

SHOWN_KINDS = frozenset({*_KIND_WORDS.values(), *(kind.noun for kind in KINDS.values())})
"""The kinds that reports and plans name, for people who ask what there is."""
KIND_NAMES = tuple(
    sorted({*SHOWN_KINDS, *(key.replace("_", " ") for key in KINDS if key.islower())},
           key=lambda name: (-len(name), name))
)  # fmt: skip
"""All kinds that a user may name, the longest first: ``queue manager QM1`` is no queue."""
OBJECT = (
    rf"(?P<kind>{'|'.join(map(re.escape, KIND_NAMES))}) (?P<name>\S.*?)"
    rf"(?: (?:at|on) (?P<place>(?:[^:\s]*{re.escape(LIBERTY_CELL)})?\S.*?))?"
)
"""A pattern of ``KIND NAME [at PLACE]``. The one colon in a place is that of a Liberty server, ``liberty:server1``."""
