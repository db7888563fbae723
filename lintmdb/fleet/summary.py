"""``summary.json``: what an audit read, and how many verdicts of each kind it came to."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import NotRequired, TypedDict

from lintmdb.engine.findings import NoticeKind

FILE = "summary.json"
NOT_WHOLE = frozenset({"not_read", "refused_command", "not_exported"})
"""Kinds of notices for which a strict gate fails, as that of ``check`` does for what they tell."""


class Tool(TypedDict):
    """What made the audit."""

    name: str
    version: str


class Exports(TypedDict):
    """How many exports there are, and how many files could not be read."""

    cells: int
    queue_managers: int
    quarantined: int
    environments: NotRequired[Mapping[str, list[str]]]
    """The kinds of exports in each environment; earlier audits have none."""


class Incremental(TypedDict):
    """How many exports were read, kept from the audit before, and removed since; how many endpoints were judged, and
    how many verdicts are as before. Those of older versions lack the last two: they judged all.
    """

    read: int
    kept: int
    gone: int
    judged: NotRequired[int]
    as_before: NotRequired[int]


class NoticeRecord(TypedDict):
    """Something about a suppression, the baseline or the exports that a reader has to know."""

    kind: NoticeKind
    path: str
    line: int | None
    text: str
    next_step: str | None
    environment: NotRequired[str | None]
    """Earlier audits have none."""


class WaveRecord(TypedDict):
    """A step of the plan: a row of the table ``wave``."""

    wave: int
    owner: str | None
    product: str
    action: str
    changes: int
    places: int
    flows: int
    flows_so_far: int
    findings: int
    findings_so_far: int
    worse: NotRequired[int]
    """How many flows it leaves worse off until later waves. Earlier audits have none."""


class PlanRecord(TypedDict):
    """What the plan of an audit comes to."""

    severity: str
    """Findings of this severity and above are to be gone."""
    findings: int
    """How many of them there are."""
    left: int
    """How many of them stay."""
    changes: int
    safe_before: int
    """On how many flows a poison message does no harm."""
    safe_after: int
    waves: list[WaveRecord]
    """The first MOST_WAVES."""


MOST_WAVES = 20


class Summary(TypedDict):
    """The whole document. Notices and the count of suppressed findings are missing in those of older versions."""

    schema: str
    id: str
    started: str
    """UTC, as ``2026-01-31T23:59:59Z``."""
    finished: str
    tool: Tool
    rules: int
    exports: Exports
    endpoints: int
    flows: int
    hazards: Mapping[str, int]
    """By severity."""
    undecided: int
    clear: int
    suppressed: NotRequired[int]
    inputs: list[str]
    incremental: Incremental
    new: NotRequired[Mapping[str, int]]
    """By severity, how many findings the audit before does not have; all of them in the first audit."""
    first: NotRequired[bool]
    """Whether there is no audit before."""
    unread_queues: NotRequired[int]
    """How many queues and queue managers without an endpoint were judged, where that was asked for."""
    notices: NotRequired[list[NoticeRecord]]
    guessed_names: NotRequired[list[str]]
    """The queue managers with guessed names that no endpoint and no remote backout queue confirms."""
    plan: NotRequired[PlanRecord]
    """Where a plan was asked for."""
    basis: NotRequired[str]
    """A hash of all that the audit rests on."""
    conditions: NotRequired[str]
    """A hash of what verdicts rest on beside the exports."""


def read_summary(folder: Path) -> Summary:
    """The summary of an audit's folder. Raises OSError, and ValueError for what is not JSON."""
    return json.loads((folder / FILE).read_text("utf-8"))


def write_summary(folder: Path, summary: Summary) -> None:
    """Write the summary of an audit. Raises OSError."""
    (folder / FILE).write_text(json.dumps(summary, ensure_ascii=False, indent=1) + "\n", "utf-8")
