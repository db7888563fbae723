"""The clusters of queue managers that a queue manager is a member of, and those in which it shows its queues.

Sources: IBM MQ "Adding a queue manager to a cluster", "DEFINE CHANNEL" (CLUSTER, CLUSNL), "ALTER QMGR" (REPOS, REPOSNL)
and "DEFINE NAMELIST".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from typing import NamedTuple, TypeAlias

from lintmdb.exports.mq import MqscFile
from lintmdb.resolve.mq.authority_commands import entity_names
from lintmdb.resolve.mq.objects import MqObject

Namelists: TypeAlias = Mapping[str, Sequence[str] | None]
"""The names in each namelist; None where they are not known."""


class Clusters(NamedTuple):
    """What a queue manager has to do with clusters."""

    named: frozenset[str]
    """Those that a channel of it names."""
    joined: frozenset[str]
    """Those that it is a member of: it has a receiver (CLUSRCVR), and a full repository or a sender to one
    (CLUSSDR). Answers alone may prove it without them."""
    full: frozenset[str]
    """Those of which it has a full repository (REPOS, REPOSNL)."""
    known: bool
    """There are no others: every namelist that counts is known."""


def run_namelists(files: Iterable[MqscFile]) -> Namelists:
    """The namelists that some scripts leave when they have run."""
    found: dict[str, Sequence[str] | None] = {}
    for file in files:
        for command in file.namelists:
            if command.verb == "DELETE":
                found.pop(command.name, None)
                continue
            names = next((p for p, _ in command.parameters if p.keyword == "NAMES"), None)
            if names is not None:
                found[command.name] = None if names.template else entity_names(names.value or "", quoted=False)
            elif command.verb == "DEFINE":
                found[command.name] = None if command.value("LIKE") else ()
            else:
                found.setdefault(command.name, None)
    return found


def clusters_of(target: MqObject, namelists: Namelists, *, own: str, listed: str) -> Set[str] | None:
    """The clusters that an object names by one of two attributes, ``own`` (CLUSTER) or ``listed`` (CLUSNL); None where
    they are not known.
    """
    cluster, namelist = target.values.get(own), target.values.get(listed)
    for value in (cluster, namelist):
        if value is not None and value.parameter.template:
            return None
    named = {cluster.text.strip()} - {""} if cluster is not None else set[str]()
    if namelist is not None and namelist.text.strip():
        names = namelists.get(namelist.text.strip())
        return None if names is None else named | {*names}
    return named


def find_clusters(
    manager: MqObject, objects: Iterable[MqObject], namelists: Namelists, *, answers_alone: bool = False
) -> Clusters:
    """The clusters of a queue manager, by its own attributes and its channels. Where nothing but answers of a running
    queue manager are there, and none lists its channels (``answers_alone``), it is taken to have those of the clusters
    of which it has a full repository.
    """
    of_kind: dict[str, set[str]] = {"CLUSRCVR": set(), "CLUSSDR": set()}
    named: set[str] = set()
    known = True
    for target in objects:
        if not is_cluster_channel(target):
            continue
        clusters = clusters_of(target, namelists, own="CLUSTER", listed="CLUSNL")
        known = known and clusters is not None
        named |= clusters or set()
        if target.defined:
            of_kind[target.values["CHLTYPE"].text.upper()] |= clusters or set()
    full = clusters_of(manager, namelists, own="REPOS", listed="REPOSNL") or set()
    joined = of_kind["CLUSRCVR"] & (of_kind["CLUSSDR"] | full)
    joined |= full if answers_alone and not named else set()
    return Clusters(frozenset(named), frozenset(joined), frozenset(full), known)


def is_cluster_channel(target: MqObject) -> bool:
    """Whether a channel is one of a cluster, and not the default object of such channels."""
    if target.noun != "CHANNEL" or target.name.startswith("SYSTEM.DEF."):
        return False
    kind = target.values.get("CHLTYPE")
    return kind is not None and kind.text.upper() in ("CLUSRCVR", "CLUSSDR")
