"""What is to be judged in an audit, and what is known once its tables are written, whoever does it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from lintmdb.engine.findings import Notice
from lintmdb.fleet.facts.collect import Collected
from lintmdb.fleet.facts.store import Store
from lintmdb.fleet.judging.suppressed import SuppressionKeys
from lintmdb.model.relations import Problem
from lintmdb.resolve.observations import Observations
from lintmdb.rules.rule import Rule
from lintmdb.run.owners import NOBODY, Owners

EVERY_NOTICE = "not_read"
"""The kind of which a summary has every notice: the user named the file."""
MOST_NOTICES = 100
"""How many notices of each other kind it has."""


class Job(NamedTuple):
    """Facts to judge, and where the tables go."""

    store: Store
    collected: Collected
    listing: Sequence[Problem]
    """What could not be listed."""
    folder: Path
    """Of the audit."""
    rules: Sequence[Rule]
    left_out: SuppressionKeys | None = None
    roots: Sequence[str] = ()
    """The inputs as they are shown."""
    owners: Owners = NOBODY
    all_queues: bool = False
    """Whether queues and queue managers that no endpoint leads to are judged, too."""
    observed: Observations = Observations()
    """What the facts rest on beside the exports."""


class Written(NamedTuple):
    """What the tables of an audit do not say themselves."""

    flows: int
    used: set[int]
    """The numbers of what of SuppressionKeys is about some verdict."""
    unread: int
    """How many queues and queue managers without an endpoint were judged."""
    notices: list[Notice]
    """What a reader has to know about how exports were read: those that a summary has."""


def first_notices(notices: Iterable[Notice]) -> list[Notice]:
    """The notices that a summary has, in the order of their places."""
    ordered = sorted(set(notices), key=lambda notice: (notice.path, notice.line, notice.text))
    counts: dict[str, int] = {}
    shown: list[Notice] = []
    for notice in ordered:
        counts[notice.kind] = counts.get(notice.kind, 0) + 1
        if notice.kind == EVERY_NOTICE or counts[notice.kind] <= MOST_NOTICES:
            shown.append(notice)
    return sorted(shown, key=lambda notice: (notice.path, notice.line, notice.kind, notice.text))
