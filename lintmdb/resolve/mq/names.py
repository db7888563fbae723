"""What a queue name leads to: aliases followed, and whether the way is open for PUT or GET."""

from __future__ import annotations

from typing import NamedTuple

from lintmdb.model.relations import Resolution
from lintmdb.resolve.mq.definitions import Definitions
from lintmdb.resolve.mq.objects import PREDEFINED, MqObject, Value

_MAX_ALIASES = 20


class Path(NamedTuple):
    """The way from a name to a queue."""

    aliases: tuple[MqObject, ...]
    """In the order in which they are followed."""
    target: MqObject | None
    """The object at the end, which is no alias; None where the scripts do not define it or aliases form a circle."""

    @property
    def local(self) -> MqObject | None:
        """The target where it is a local or model queue."""
        return self.target if self.target is not None and is_local(self.target) else None


class Access(NamedTuple):
    """Whether a name is open for PUT or GET."""

    enabled: bool | None
    decided_by: MqObject | None
    """The object that is disabled, else the first one of the path."""


def is_local(queue: MqObject) -> bool:
    """Whether the attributes of a queue are kept here: it is a local or a model queue."""
    return queue.noun in ("QLOCAL", "QMODEL")


def follow_name(definitions: Definitions, name: str) -> Path:
    """Follow the aliases of a name to the object that they lead to."""
    aliases: list[MqObject] = []
    for _ in range(_MAX_ALIASES):
        target = definitions.queue(name)
        if target is None or target.noun != "QALIAS":
            return Path(tuple(aliases), target)
        aliases.append(target)
        name = _alias_target(target) or ""
        if not name:
            break
    return Path(tuple(aliases), None)


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
    if path.target is not None:
        return "remote" if path.target.noun == "QREMOTE" else "resolved"
    if path.aliases:
        following = _alias_target(path.aliases[-1])
        if following is None or definitions.queue(following) is not None:
            return None  # a topic, a template, a blank, or aliases in a circle
        name = following
    if name in PREDEFINED:
        return "resolved"
    return "not_defined" if definitions.lists_queues and (local or not definitions.clustered) else None


def read_access(definitions: Definitions, path: Path, keyword: str) -> Access:
    """Whether every object of a path is enabled for ``PUT`` or ``GET``."""
    links = [*path.aliases, *([path.target] if path.target is not None else [])]
    states = [definitions.attributes.flag(link, keyword, "ENABLED", "DISABLED") for link in links]
    if False in states:
        return Access(enabled=False, decided_by=links[states.index(False)])
    open_ = bool(states) and None not in states and path.target is not None
    return Access(enabled=True if open_ else None, decided_by=links[0] if links else None)


def _alias_target(alias: MqObject) -> str | None:
    """The queue that an alias names; None where it names a topic, or none that is known."""
    kind: Value | None = alias.values.get("TARGTYPE")
    if kind is not None and kind.text.upper() == "TOPIC":
        return None
    found = alias.values.get("TARGET") or alias.values.get("TARGQ")
    if found is None or found.parameter.template:
        return None
    return found.text.strip() or None
