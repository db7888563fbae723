"""What a reader of an audit has to know about its exports and suppressions, by kind: how often, and where first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple, TypedDict

from lintmdb.fleet.audit_tables import Table, batches, counted, first_rows, is_one_of, joined, read_records, rolled_up
from lintmdb.fleet.page.words import place_words
from lintmdb.fleet.summary import NoticeRecord, read_summary
from lintmdb.report.terminal import counted_words, plural, safe

NOTICES_SHOWN = 10
PLACES_PRINTED = 3
_NOUNS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "not_read": ("file that was named and not read", "files that were named and not read"),
        "guessed_name": ("queue manager that is known by its file name", "queue managers that are known by file names"),
        "incomplete_export": ("export that may not be complete", "exports that may not be complete"),
        "refused_command": (
            "file with places that were not understood",
            "files with places that were not understood",
        ),
        "undecided_command": ("script that only a run of it decides", "scripts that only a run of them decides"),
        "script_beside_export": ("file that changes what an export says", "files that change what an export says"),
        "shared_object_differs": (
            "export that disagrees on a shared queue",
            "exports that disagree on shared queues",
        ),
        "name_differs_in_case": ("name that differs in case only", "names that differ in case only"),
        "joined_across_folders": ("cell that is joined across folders", "cells that are joined across folders"),
        "in_no_environment": (
            "queue manager in no environment that endpoints of one name",
            "queue managers in no environment that endpoints of one name",
        ),
        "undefined_remote_queue": (
            "remote queue whose queue manager does not define the queue behind it",
            "remote queues whose queue managers do not define the queues behind them",
        ),
        "closed_remote_queue": (
            "remote queue behind which not every message can be kept",
            "remote queues behind which not every message can be kept",
        ),
        "read_remote_queue": (
            "remote queue that leads to an input queue",
            "remote queues that lead to input queues",
        ),
        "full_queue": (
            "queue that poison messages are moved to and that was full",
            "queues that poison messages are moved to and that were full",
        ),
        "undefined_alias": (
            "endpoint whose J2C alias security.xml does not define",
            "endpoints whose J2C aliases security.xml does not define",
        ),
        "hidden_definition": (
            "definition that hides another one with other values",
            "definitions that hide others with other values",
        ),
        "unlisted_member": (
            "cluster member that its node's serverindex.xml lacks",
            "cluster members that their nodes' serverindex.xml lack",
        ),
        "not_exported": (
            "node, server or cluster that the export of its cell lacks",
            "nodes, servers or clusters that the exports of their cells lack",
        ),
        "unmatched_observation": ("observation that matches nothing", "observations that match nothing"),
        "kept_queue": ("subscription that keeps its queue", "subscriptions that keep their queues"),
        "expired_suppression": ("suppression that has expired", "suppressions that have expired"),
        "unused_suppression": ("suppression that matches nothing", "suppressions that match nothing"),
        "invalid_suppression": ("comment that suppresses nothing", "comments that suppress nothing"),
        "stale_baseline_entry": ("baseline entry that matches nothing", "baseline entries that match nothing"),
    }
)
_COLUMNS = ("path", "line", "text", "next_step")


class ShownNotice(NamedTuple):
    """One notice."""

    place: str
    """Path and line."""
    text: str
    next_step: str


@dataclass(frozen=True, slots=True)
class NoticeGroup:
    """The notices of one kind."""

    kind: str
    count: int
    shown: tuple[ShownNotice, ...]
    """The first by place."""

    @property
    def words(self) -> str:
        """What they are: ``12 scripts that change what an export says``."""
        one, more = _NOUNS.get(self.kind, (f"notice: {self.kind.replace('_', ' ')}",) * 2)
        return counted_words(self.count, one, more)

    @property
    def line(self) -> str:
        """The same with the first places, for a terminal."""
        places = list(dict.fromkeys(notice.place for notice in self.shown))[:PLACES_PRINTED]
        left = self.count - len(places)
        more = f" and {plural(left, 'more', 'more')}" if left > 0 else ""
        return safe(f"{self.words}: {', '.join(places)}{more}")


class _NoticeRow(TypedDict):
    path: str
    line: int | None
    text: str
    next_step: str | None


class _KindRow(TypedDict):
    kind: str
    rows: int


def read_notices(audit: Path) -> tuple[NoticeGroup, ...]:
    """The notices of an audit, the most frequent kind first. Raises LintmdbError for a table that cannot be read."""
    rows = read_records(
        rolled_up(map(counted, batches(audit, "notices", ["kind"])), ["kind"], {"rows": "sum"}), _KindRow
    )
    groups = [NoticeGroup(row["kind"], row["rows"], _first(audit, row["kind"])) for row in rows]
    known = {group.kind for group in groups}
    return tuple(sorted([*groups, *_others(audit, known)], key=lambda group: (-group.count, group.kind)))


def _first(audit: Path, kind: str) -> tuple[ShownNotice, ...]:
    held: Table | None = None
    for table in batches(audit, "notices", _COLUMNS, where=is_one_of("kind", [kind])):
        held = first_rows(table if held is None else joined([held, table]), _COLUMNS, NOTICES_SHOWN)
    return tuple(map(_shown, read_records(held, _NoticeRow)))


def _others(audit: Path, known: set[str]) -> Iterator[NoticeGroup]:
    """Those about suppressions and the baseline, which the summary has."""
    found: dict[str, list[NoticeRecord]] = {}
    for entry in read_summary(audit).get("notices", ()):
        if entry["kind"] not in known:
            found.setdefault(entry["kind"], []).append(entry)
    for kind, entries in found.items():
        yield NoticeGroup(kind, len(entries), tuple(map(_shown, entries[:NOTICES_SHOWN])))


def _shown(row: _NoticeRow | NoticeRecord) -> ShownNotice:
    return ShownNotice(place_words(row["path"], row["line"] or None), row["text"], row["next_step"] or "")
