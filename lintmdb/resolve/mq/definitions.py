"""What the scripts of one queue manager leave when they have run: its objects and its authority records."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from typing import NamedTuple

from lintmdb.exports.mq import Command, Listing, MqscFile
from lintmdb.exports.mq.commands import SERVER_CONNECTION
from lintmdb.model.origins import InlineSuppression, Origin
from lintmdb.model.relations import Problem
from lintmdb.resolve.mq.authorities import AuthorityRecords
from lintmdb.resolve.mq.channel_records import ChannelRecords
from lintmdb.resolve.mq.clusters import Clusters, Namelists
from lintmdb.resolve.mq.objects import QUEUE_TYPES, AttributeReader, MqObject, ObjectKey
from lintmdb.resolve.mq.platforms import Platform
from lintmdb.resolve.mq.structures import Structure, find_structures
from lintmdb.resolve.near_names import Index, Purpose, find_near, find_other_word, index_names, index_purposes

_LONGEST_NAME = 48
"""Characters in the name of a queue (IBM MQ "Rules for naming IBM MQ objects")."""


class RefusedCommand(NamedTuple):
    """A command of a script that changes nothing."""

    file: MqscFile
    command: Command
    problem: Problem
    """Why the queue manager refuses it."""


@dataclass(frozen=True, kw_only=True)
class Definitions:
    """One queue manager after its scripts have run. Read only: nothing changes it afterwards."""

    queue_manager: str
    files: Sequence[MqscFile]
    """In the order in which they ran; at least one."""
    platform: Platform | None
    manager: MqObject
    """The attributes of the queue manager itself."""
    objects: Mapping[ObjectKey, MqObject]
    deleted: Set[ObjectKey]
    """Objects that the scripts define and delete again: they do not exist, however little else is known."""
    deletions: Mapping[ObjectKey, Origin]
    """The command that deletes each object that the scripts define and delete again."""
    authority_records: AuthorityRecords
    channel_records: ChannelRecords
    channel_records_complete: bool
    """A channel authentication record that is not among ``channel_records`` does not exist."""
    subscriptions_complete: bool
    """A durable subscription that no file shows does not exist."""
    authorities_complete: bool
    """The same of authority records, of queues and of the queue manager itself."""
    refused_by_exports: Sequence[RefusedCommand]
    """Commands of scripts that people keep which are refused because of objects that exports show: those that created
    these objects, and those that somebody wrote since.
    """
    inline_suppressions: Sequence[InlineSuppression]
    attributes: AttributeReader
    shared_queues: Mapping[ObjectKey, MqObject]
    """The shared queues that the files themselves show, without changes, by their places in the shared repository."""
    gap: str
    """Why an object that is not among ``objects`` may exist, as a clause; blank where it does not."""
    lists_queues: bool
    """A queue that is not among ``objects`` does not exist: on z/OS an export may leave out shared queues."""
    listings: Sequence[Listing]
    """What answers of the queue manager show in full, of all objects or of those with some names."""
    clashes: frozenset[str]
    """Queues that are both private and shared, so that no open finds either."""
    clustered: bool
    """A cluster may add queues and topics that the queue manager does not define: it has cluster channels, or answers
    of the queue manager do not show which channels it has.
    """

    cluster_queues: Mapping[str, Sequence[MqObject]]
    """Queues of a cluster by name, as answers of this queue manager show them: one for each other one that has it."""
    clusters: Clusters
    namelists: Namelists

    @property
    def complete(self) -> bool:
        """Whether an object that is not among ``objects`` does not exist."""
        return not self.gap

    @property
    def repository(self) -> bool:
        """Whether it knows every queue of its clusters (REPOS); any other one knows those that it has used."""
        return bool(self.clusters.full) and self.clusters.known and self.clusters.named <= self.clusters.full

    @functools.cached_property
    def queues(self) -> Sequence[MqObject]:
        """Its queues of all types, sorted by name."""
        return self.of_kind("Q")

    @functools.cached_property
    def structures(self) -> Mapping[str, Structure]:
        """The structures of the coupling facility that the files define, by name."""
        return find_structures(self.files)

    @functools.cached_property
    def names_cluster_channels(self) -> bool:
        """Whether a queue is the transmission queue of some channels of a cluster (CLCHNAME), or may be."""
        return any(_is_set(target, "CLCHNAME") for target in self.objects.values() if target.noun == "QLOCAL")

    @functools.cached_property
    def names_by_upper_case(self) -> Mapping[str, str]:
        """A queue for each name in upper case: the last in alphabetical order."""
        return {queue.name.upper(): queue.name for queue in self.queues}

    @functools.cached_property
    def taken_names(self) -> frozenset[str]:
        """The names of its queues, and of those that answers show in its clusters, in upper case."""
        return frozenset([*self.names_by_upper_case, *map(str.upper, self.cluster_queues)])

    def is_meant_elsewhere(self, name: str, but: str = "") -> bool:
        """Whether another queue than one already leads to a name: a queue of a cluster may have it."""
        return not self._namers.get(name.upper(), frozenset()) <= {but}

    @functools.cached_property
    def _namers(self) -> Mapping[str, Set[str]]:
        """The queues whose BOQNAME or TARGET is a name, by that name in upper case."""
        found: dict[str, set[str]] = {}
        for queue in self.queues:
            for keyword in ("BOQNAME", "TARGET"):
                if (value := queue.values.get(keyword)) is not None and value.text.strip():
                    found.setdefault(value.text.strip().upper(), set()).add(queue.name)
        return found

    def find_meant(self, name: str) -> str | None:
        """The only local queue that may be meant by a name that nothing has; None where there are several."""
        return find_near(name, self._near_names) or find_other_word(name, self._purposes)

    @functools.cached_property
    def _near_names(self) -> Index:
        return index_names(self._unused)

    @functools.cached_property
    def _purposes(self) -> Mapping[Purpose, Sequence[str]]:
        return index_purposes(self._unused)

    @functools.cached_property
    def _unused(self) -> Sequence[str]:
        """The names of local queues that may be meant by a wrong name: those that no queue names as its backout
        queue, and that name none themselves, as a queue that applications read does.
        """
        queues = self.queues
        named = {value.text for queue in queues if (value := queue.values.get("BOQNAME")) is not None}
        aliases = (queue for queue in queues if queue.noun == "QALIAS" and queue.name in named)
        named |= {value.text for alias in aliases if (value := alias.values.get("TARGET")) is not None}
        unnamed = (queue for queue in queues if queue.noun == "QLOCAL" and queue.name not in named)
        return [queue.name for queue in unnamed if not _is_set(queue, "BOQNAME")]

    def queue(self, name: str) -> MqObject | None:
        """The queue of any type that has a name."""
        return self.objects.get(("Q", name))

    @functools.cached_property
    def absent_queues(self) -> Set[str]:
        """Names of which the files say that no queue has them: one was deleted, or an answer does not find one."""
        asked = {
            listing.pattern
            for listing in self.listings
            if listing.noun in QUEUE_TYPES and not listing.pattern.endswith("*")
        }
        gone = {name for space, name in self.deletions if space == "Q"}
        unfound = {name for name in asked | gone if self.queue(name) is None and self.lists_queue(name)}
        return unfound | {name for space, name in self.deleted if space == "Q"}

    def deletion(self, name: str | None) -> Origin | None:
        """The command that deletes the queue of a name, where no queue has it any more."""
        return self.deletions.get(("Q", name or ""))

    def lists_queue(self, name: str) -> bool:
        """Whether a queue of this name that is not among ``objects`` does not exist."""
        if self.lists_queues:
            return True
        return bool(self._listed) and QUEUE_TYPES.keys() <= self._listed_below(name) | self._listed.get(name, set())

    def shows_no_cluster_queue(self, name: str) -> bool:
        """Whether an answer of this queue manager shows none of its cluster queues under a name."""
        asked = "QCLUSTER" in self._listed_below(name) | self._listed.get(name, set())
        return asked and name not in self.cluster_queues

    @functools.cached_property
    def listed_cluster_queues(self) -> Sequence[str]:
        """The names, and beginnings of names with an asterisk, of which answers show all cluster queues, sorted."""
        return sorted(pattern for pattern, nouns in self._listed.items() if "QCLUSTER" in nouns)

    @functools.cached_property
    def absent_channels(self) -> Mapping[str, Origin | None]:
        """Names of which the files say that no server connection channel has them, with the command that deletes it;
        the queue manager may still make one on demand.
        """
        asked = (name for name, nouns in self._listed.items() if SERVER_CONNECTION in nouns and not name.endswith("*"))
        unfound = dict.fromkeys((name for name in asked if ("CHANNEL", name) not in self.objects), None)
        gone = self.deletions if self.complete else self.deleted
        return unfound | {name: self.deletions[space, name] for space, name in gone if space == "CHANNEL"}

    def _listed_below(self, beginning: str) -> Set[str]:
        """The kinds of objects of which answers show all whose names have this beginning."""
        patterns = (f"{beginning[:length]}*" for length in range(min(len(beginning), _LONGEST_NAME) + 1))
        return {noun for pattern in patterns for noun in self._listed.get(pattern, ())}

    def listed_beginnings(self, nouns: Set[str]) -> Sequence[str]:
        """The shortest beginnings of names of which answers show all objects of some kinds, sorted."""
        found: list[str] = []
        for beginning in sorted(pattern[:-1] for pattern in self._listed if pattern.endswith("*")):
            if not (found and beginning.startswith(found[-1])) and nouns <= self._listed_below(beginning):
                found.append(beginning)
        return found

    @functools.cached_property
    def _listed(self) -> Mapping[str, Set[str]]:
        """The kinds of objects of which answers show all with a name or a beginning, by pattern."""
        listed: dict[str, set[str]] = {}
        for listing in self.listings:
            listed.setdefault(listing.pattern, set()).add(listing.noun)
        return listed

    def of_kind(self, kind: str) -> list[MqObject]:
        """The objects of a name space (``Q``, ``CHANNEL``, ``TOPIC``), sorted by name."""
        found = [target for (space, _), target in self.objects.items() if space == kind]
        return sorted(found, key=lambda target: target.name)


def _is_set(queue: MqObject, keyword: str) -> bool:
    value = queue.values.get(keyword)
    return value is not None and bool(value.text.strip())
