"""What a queue name leads to, and what can be done there: the one place that knows which objects can be read, which can
be put to, and which a queue manager refuses to open.

An alias is followed once: its target must be a local or remote queue of the queue manager, or a queue of its cluster.
Sources: IBM MQ "Name resolution" and the reason codes 2001, 2045, 2082, 2085, 2087, 2091, 2092, 2184 and 2196.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from lintmdb.model.relations import ObjectKind, Resolution
from lintmdb.resolve.mq.definitions import Definitions
from lintmdb.resolve.mq.objects import MqObject, omits

DEAD_LETTER_QUEUE = "SYSTEM.DEAD.LETTER.QUEUE"
_PREDEFINED: Mapping[str, Resolution] = {
    DEAD_LETTER_QUEUE: "resolved",
    "SYSTEM.DEFAULT.LOCAL.QUEUE": "resolved",
    "SYSTEM.DEFAULT.MODEL.QUEUE": "model",
}
"""Queues that every queue manager has, and that a script therefore need not define."""
_BY_NOUN: Mapping[str, Resolution] = {"QLOCAL": "resolved", "QREMOTE": "remote", "QMODEL": "model"}
_BY_BASE: Mapping[str, Resolution] = {
    "QLOCAL": "resolved",
    "QREMOTE": "remote",
    "QMODEL": "wrong_base",
    "QALIAS": "wrong_base",
}
"""The same behind an alias."""
_BEHIND_ALIAS: Mapping[Resolution, Resolution] = {"not_defined": "dangling", "model": "wrong_base"}
"""What a name that the scripts do not define is as the target of an alias, where that is something else."""
_KINDS: Mapping[str, ObjectKind] = {
    "QLOCAL": "local queue",
    "QREMOTE": "remote queue",
    "QMODEL": "model queue",
    "QALIAS": "alias",
}


class Path(NamedTuple):
    """The way from a name to the object that is opened."""

    alias: MqObject | None
    """The object of that name where it is an alias."""
    target: MqObject | None
    """The object that the alias names, or the one that has the name itself; None where the scripts do not define it."""
    leads_to: str | None
    """The name of that object; blank where the alias has no target, None where its target is not known."""
    topic: bool = False
    """The alias names a topic."""
    missing_topic: bool = False
    """The alias is one of a topic that does not exist, so that no open succeeds."""
    in_cluster: Sequence[MqObject] = ()
    """What the object is at each queue manager of a cluster that has it, where this one does not define it."""

    @property
    def named(self) -> MqObject | None:
        """The object that has the name."""
        return self.alias or self.target

    @property
    def links(self) -> tuple[MqObject, ...]:
        """The alias and the object behind it, as far as there are any."""
        return tuple([link for link in (self.alias, self.target) if link is not None])

    @property
    def local(self) -> MqObject | None:
        """The local queue that messages are put on or read from, or the model queue after which one is made."""
        if self.target is None or self.target.noun not in ("QLOCAL", "QMODEL"):
            return None
        return None if self.alias is not None and self.target.noun == "QMODEL" else self.target


class Access(NamedTuple):
    """Whether a name is open for PUT or GET."""

    enabled: bool | None
    decided_by: MqObject | None
    """The object that is disabled, else one of which that is not known, else the one that has the name; None where it
    is the target that is not known.
    """


def is_local(queue: MqObject) -> bool:
    """Whether the attributes of a queue are kept here: it is a local or a model queue."""
    return queue.noun in ("QLOCAL", "QMODEL")


def follow_name(definitions: Definitions, name: str) -> Path:
    """The way from a name to the object that the queue manager opens, whether it can be opened or not."""
    named = definitions.queue(name)
    if named is None or named.noun != "QALIAS":
        return Path(None, named, name, in_cluster=() if named is not None else _in_cluster(definitions, name))
    base = definitions.attributes.text(named, "TARGET")
    if base is None and omits(named, "TARGET"):
        base = ""
    kind = definitions.attributes.text(named, "TARGTYPE")
    if kind is not None and kind.upper() == "TOPIC":
        lacks = _lacks_topic(definitions, base)
        return Path(named, None, base, topic=not lacks, missing_topic=lacks)
    target = definitions.queue(base) if base else None
    return Path(named, target, base, in_cluster=() if target is not None else _in_cluster(definitions, base))


def _in_cluster(definitions: Definitions, name: str | None) -> Sequence[MqObject]:
    """The instances of a cluster queue, where the queue manager defines no queue of that name, which comes first."""
    return definitions.cluster_queues.get(name, ()) if name and definitions.lists_queue(name) else ()


def _lacks_topic(definitions: Definitions, name: str | None) -> bool:
    """Whether an alias of a topic leads nowhere: it has to be a topic object of this queue manager (IBM MQ "DEFINE
    QALIAS").
    """
    key = ("TOPIC", name or "")
    if name is None or key in definitions.objects or name.startswith("SYSTEM."):
        return False
    return not name or definitions.complete or key in definitions.deleted


def resolve_name(definitions: Definitions, name: str | None, *, local: bool = False) -> Resolution | None:
    """What a name leads to; None where the files do not show it.

    ``local`` asks for a queue of this queue manager, which a get and DEADQ need. A put can also reach a cluster queue,
    which is not defined here.
    """
    if name is None:
        return None
    if not name:
        return "not_set"
    path = follow_name(definitions, name)
    if path.alias is None:
        return _BY_NOUN[path.target.noun] if path.target is not None else _undefined(definitions, name, local=local)
    if path.topic:
        return "topic"
    if path.target is not None:
        return _BY_BASE[path.target.noun]
    if not path.leads_to:
        return None if path.leads_to is None else "dangling"
    missing = _undefined(definitions, path.leads_to, local=local)
    return _BEHIND_ALIAS.get(missing, missing) if missing is not None else None


def find_kind(definitions: Definitions, path: Path) -> ObjectKind | None:
    """What a name comes down to; None where that is not known, or is a queue that is not defined."""
    if path.topic or path.missing_topic:
        return "topic"
    if path.in_cluster:
        return "cluster queue"
    if path.target is None:
        return None
    transmission = path.target.noun == "QLOCAL" and is_transmission_queue(definitions, path.target)
    return "transmission queue" if transmission else _KINDS[path.target.noun]


def is_transmission_queue(definitions: Definitions, queue: MqObject) -> bool | None:
    """Whether a local or model queue has USAGE(XMITQ)."""
    return definitions.attributes.flag(queue, "USAGE", "XMITQ", "NORMAL")


def read_access(definitions: Definitions, path: Path, keyword: str) -> Access:
    """Whether every object of a path is enabled for ``PUT`` or ``GET``."""
    links = path.links
    states = [definitions.attributes.flag(link, keyword, "ENABLED", "DISABLED") for link in links]
    for decisive in (False, None):
        if decisive in states:
            return Access(decisive, links[states.index(decisive)])
    if path.in_cluster and keyword == "PUT":
        # Workload balancing avoids queues that are disabled.
        open_there = (definitions.attributes.flag(each, "PUT", "ENABLED", "DISABLED") for each in path.in_cluster)
        return Access(True if any(open_there) else None, None)
    if path.target is None and not path.topic:
        return Access(enabled=None, decided_by=None)
    return Access(enabled=True, decided_by=links[0])


def _undefined(definitions: Definitions, name: str, *, local: bool) -> Resolution | None:
    """What becomes of a name that the scripts do not define, or no longer."""
    if _in_cluster(definitions, name) and not local:
        return "remote"
    nowhere = definitions.repository and definitions.shows_no_cluster_queue(name)
    elsewhere = definitions.clustered and not nowhere and not local
    if ("Q", name) in definitions.deleted:
        return None if elsewhere else "not_defined"
    if name in _PREDEFINED:
        return _PREDEFINED[name]
    return "not_defined" if definitions.lists_queue(name) and not elsewhere else None
