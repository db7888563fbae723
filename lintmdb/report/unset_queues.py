"""The local queues that ``--all-queues`` does not judge because they have no backout attributes, with their places."""

from __future__ import annotations

from typing import NamedTuple

from lintmdb.engine.findings import Judgement, Subject
from lintmdb.model.origins import LazyOrigin, Located, Origin
from lintmdb.model.relations import Queue


class UnsetQueue(NamedTuple):
    """A queue, and where it is defined."""

    subject: Subject
    origin: Origin | None


def find_unset_queues(judgement: Judgement) -> list[UnsetQueue]:
    """The queues, sorted by environment, queue manager and name."""
    rows = sorted(judgement.unset_queues, key=lambda row: (row.environment or "", row.queue_manager, row.name))
    return [UnsetQueue(_subject(row), _resolved(row.origins.get("name"))) for row in rows]


def _subject(row: Queue) -> Subject:
    return Subject("queue", row.name, queue_manager=row.queue_manager, queue=row.name, environment=row.environment)


def _resolved(located: Located | None) -> Origin | None:
    return located.resolve() if isinstance(located, LazyOrigin) else located
