"""What the scripts of one queue manager leave when they have run: its objects and its authority records."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

from lintmdb.exports.mq import MqscFile
from lintmdb.model.origins import InlineSuppression
from lintmdb.resolve.mq.authorities import Authorities
from lintmdb.resolve.mq.objects import AttributeReader, MqObject, ObjectKey
from lintmdb.resolve.mq.platforms import Platform


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
    authorities: Authorities | None
    """None where a record may be missing, so that the others prove nothing."""
    inline_suppressions: Sequence[InlineSuppression]
    attributes: AttributeReader
    complete: bool
    """An object that is not among ``objects`` does not exist."""
    lists_queues: bool
    """A queue that is not among ``objects`` does not exist: on z/OS an export may leave out shared queues."""
    clashes: frozenset[str]
    """Queues that are both private and shared, so that no open finds either."""
    clustered: bool
    """The queue manager has cluster channels: a cluster may add queues and topics that it does not define."""

    @functools.cached_property
    def names_by_upper_case(self) -> Mapping[str, str]:
        """A queue for each name in upper case: the last in alphabetical order."""
        return {queue.name.upper(): queue.name for queue in self.of_kind("Q")}

    def queue(self, name: str) -> MqObject | None:
        """The queue of any type that has a name."""
        return self.objects.get(("Q", name))

    def of_kind(self, kind: str) -> list[MqObject]:
        """The objects of a name space (``Q``, ``CHANNEL``, ``TOPIC``), sorted by name."""
        found = [target for (space, _), target in self.objects.items() if space == kind]
        return sorted(found, key=lambda target: target.name)
