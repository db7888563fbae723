"""Shared queues (QSGDISP SHARED, z/OS) that the export of one queue manager leaves out and those of others show.

A shared queue is defined once, for all queue managers of its queue-sharing group: each of them opens it by its name.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from lintmdb.resolve.mq.objects import MqObject, ObjectKey

_OF_THE_DAY = frozenset({"ALTDATE", "ALTTIME", "CURDEPTH", "IPPROCS", "OPPROCS"})
"""What answers show of a queue and nobody defines."""


class Shown(NamedTuple):
    """What the export of one queue manager shows of shared queues."""

    queues: Mapping[ObjectKey, MqObject]
    """By their places in the shared repository."""
    complete: bool
    """There are no others."""


@dataclass(frozen=True, slots=True)
class Lent:
    """What the exports of the other members of a queue-sharing group show of shared queues."""

    queues: Mapping[ObjectKey, MqObject] = field(default_factory=dict[ObjectKey, MqObject])
    complete: bool = False
    """There are no others."""


NOTHING_LENT = Lent()


def lend(others: Iterable[Shown]) -> Lent:
    """What some members of a group have to lend: of exports that contradict each other on a queue nobody knows which is
    right, so that it is not lent.
    """
    queues: dict[ObjectKey, MqObject] = {}
    doubted: set[ObjectKey] = set()
    complete = False
    for shown in others:
        complete = complete or shown.complete
        for key, queue in shown.queues.items():
            known = queues.setdefault(key, queue)
            if _contradict(known, queue):
                doubted.add(key)
            elif known.unset == "unknown":
                queues[key] = queue
    return Lent({key: queue for key, queue in queues.items() if key not in doubted}, complete and not doubted)


def _contradict(one: MqObject, other: MqObject) -> bool:
    return one.noun != other.noun or any(
        keyword in other.values and other.values[keyword].text != value.text
        for keyword, value in one.values.items()
        if keyword not in _OF_THE_DAY
    )
