"""Which parts have to be judged again: those that share a cell or a queue manager with what has changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from lintmdb.fleet.arrow_rows import is_among, rows_among
from lintmdb.fleet.facts.collect import Collected
from lintmdb.fleet.facts.links import Link, find_linked
from lintmdb.fleet.facts.remote_ends import load_remote_ends, parts_of_ends
from lintmdb.fleet.facts.store import PartInfo, PartRow, Store
from lintmdb.run.remote_queues import RemoteEnd


@dataclass(frozen=True, slots=True)
class Affected:
    """All that verdicts may differ on since an audit, and all that they hang together with."""

    before: Sequence[PartInfo]
    """The parts as that audit judged them."""
    now: Sequence[PartInfo]
    links: frozenset[Link]
    """The cells and queue managers of both. No other part has any of them."""
    ends_before: frozenset[RemoteEnd] = frozenset()
    """What other queue managers did to messages for remote queues, wherever their exports are."""
    ends_now: frozenset[RemoteEnd] = frozenset()

    @property
    def nothing(self) -> bool:
        """Whether no part has changed."""
        return not self.before and not self.now

    @property
    def rows(self) -> int:
        """How many rows of facts they have."""
        return sum(part.rows for part in (*self.before, *self.now))

    @property
    def endpoints(self) -> int:
        """How many endpoints are to be judged."""
        return sum(part.endpoints for part in self.now)


def find_affected(store: Store, collected: Collected, judged: Sequence[PartInfo]) -> Affected | None:
    """What is to be judged again, where an audit has ``judged`` some parts; None where its facts are not there any
    more.
    """
    live = collected.live
    changed = {*judged} ^ {*live}
    if not changed:
        return Affected((), (), frozenset())
    parts = {part.part: part for part in (*live, *judged)}
    if len(parts) < len({*live, *judged}) or not _are_stored(store, collected, {*judged} - {*live}):
        return None
    state = collected.state
    ends_before, ends_now = (load_remote_ends(store, state, all_parts) for all_parts in (judged, live))
    changed |= {*parts_of_ends(store, state, [*parts.values()], ends_before ^ ends_now)}
    found = find_linked(store, state, list(parts.values()), changed)
    before, now = ([part for part in all_parts if part.part in found.parts] for all_parts in (judged, live))
    return Affected(before, now, found.links, ends_before, ends_now)


def _are_stored(store: Store, collected: Collected, gone: set[PartInfo]) -> bool:
    """Whether the facts of parts that no longer count are still there: a number alone may be that of another part."""
    folders = store.folders(collected.state, "part")
    rows = rows_among(folders, [*PartRow.__annotations__], is_among("part", (part.part for part in gone)), ())
    stored = {row["part"]: cast("PartRow", row) for row in rows}
    return all(part.part in stored and _is(part, stored[part.part]) for part in gone)


def _is(part: PartInfo, row: PartRow) -> bool:
    known: Mapping[str, object] = part._asdict()
    return all(known[name] == value for name, value in row.items() if name in known)
