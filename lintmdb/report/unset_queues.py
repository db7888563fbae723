"""The local queues that ``--all-queues`` does not judge because they have no backout attributes, with their places."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from lintmdb.engine.findings import Judgement, Subject
from lintmdb.model.origins import LazyOrigin, Located, Origin
from lintmdb.model.relations import Queue
from lintmdb.report.queue_status import status_of
from lintmdb.run.queue_status import ShownStatus


class UnsetQueue(NamedTuple):
    """A queue, where it is defined, and what was going on there when it was exported, where that is shown."""

    subject: Subject
    origin: Origin | None
    shown: ShownStatus | None = None


def find_unset_queues(
    judgement: Judgement, status: Mapping[tuple[str, str], ShownStatus] = MappingProxyType({})
) -> list[UnsetQueue]:
    """The queues, sorted by environment, queue manager and name; ``status`` as in ``Estate``."""
    rows = sorted(judgement.unset_queues, key=lambda row: (row.environment or "", row.queue_manager, row.name))
    return [UnsetQueue(_subject(row), _resolved(row.origins.get("name")), status_of(row, status)) for row in rows]


def _subject(row: Queue) -> Subject:
    return Subject("queue", row.name, queue_manager=row.queue_manager, queue=row.name, environment=row.environment)


def _resolved(located: Located | None) -> Origin | None:
    return located.resolve() if isinstance(located, LazyOrigin) else located
