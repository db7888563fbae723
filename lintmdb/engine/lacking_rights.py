"""The rights that a user is known to lack, each with the object on which it lacks them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from lintmdb.model.columns import Value
from lintmdb.model.relations import CLUSTER_TRANSMISSION
from lintmdb.model.word_lists import listed

NO_VALUE = "(not in the exports)"
"""What stands for a value that is not known."""

_PROFILES = {
    "dead_letter_": "queue_manager.dead_letter_queue",
    "source_": "endpoint.queue",
    "behind_": "queue.name",
    "connect": "endpoint.queue_manager",
    "": "queue.backout_queue",
}
"""The column that names the object of a right, by the beginning of the right's own column."""


def lacking_rights(names: Iterable[str], read: Callable[[str], Value]) -> Mapping[str, list[str]]:
    """The rights among ``names``, columns of ``authority``, that are known to be withheld, by the object that they are
    about: ``{"ORDERS.BACKOUT": ["put", "passall"]}``.
    """
    rights: dict[str, list[str]] = {}
    for name in names:
        alias, _, column = name.partition(".")
        if alias != "authority" or column == "administrator" or read(name) is not False:
            continue
        kind = next(kind for kind in _PROFILES if column.startswith(kind))
        profile = str(read(_PROFILES[kind]) or NO_VALUE)
        own, right = rights.setdefault(profile, []), column.removeprefix(kind) or kind
        own += [] if right in own else [right]  # the dead-letter queue may be the backout queue, too
    return rights


def lacks_unsettled_backout_queue(names: Iterable[str], read: Callable[[str], Value]) -> str:
    """What BOQNAME says, where rights among ``names`` are known to be withheld on it, and the exports do not tell
    whether there is such a queue; blank elsewhere. The fate of a poison message is decided then, and its cause may be
    that the name is misspelt.
    """
    if read("queue.backout_resolution") is not None or not read("queue.backout_threshold"):
        return ""
    named = str(read("queue.backout_queue") or "")
    return named if named in lacking_rights(names, read) else ""


def lacking_words(names: Iterable[str], read: Callable[[str], Value]) -> str:
    """The same in words: ``put and passall authority on ORDERS.BACKOUT``; blank where none is known to be lacking. For
    a cluster queue another profile may count (ClusterQueueAccessControl of qm.ini).
    """
    found = lacking_rights(names, read)
    behind = read(_PROFILES[""]) if found and _counts_on_transmission_queue(read) else None
    return listed(
        [
            f"{listed(rights)} authority on {CLUSTER_TRANSMISSION} (for {profile})"
            if profile == behind
            else f"{listed(rights)} authority on {profile}"
            for profile, rights in found.items()
        ]
    )


def _counts_on_transmission_queue(read: Callable[[str], Value]) -> bool:
    if read("queue_manager.cluster_queue_access") != "Xmitq" or read("backout.type") is not None:
        return False
    return read("backout.leads_to_kind") == "cluster queue" or bool(read("backout.may_be_in"))
