"""``summary.json`` of an audit, parsed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import cast

from lintmdb.errors import LintmdbError
from lintmdb.json_types import JsonObject, JsonValue
from lintmdb.report.html.visible_text import clipped
from lintmdb.report.terminal import counted_words

SCHEMA = "lintmdb-fleet/1"


@dataclass(frozen=True, slots=True)
class ExportsRead:
    """What an incremental audit read again, and what it took from the audit before."""

    read: int
    kept: int
    gone: int


@dataclass(frozen=True, slots=True)
class AuditSummary:
    """What ``summary.json`` says of an audit; a number that it does not give is 0."""

    id: str
    tool: str
    """The program that made the audit, with its version."""
    started: datetime | None
    finished: datetime | None
    """None where the file holds no moment in ISO 8601."""
    rules: int
    flows: int
    unread_queues: int
    """How many queues and queue managers without an endpoint were judged."""
    cells: int
    queue_managers: int
    clear: int
    suppressed: int
    inputs: tuple[str, ...]
    """The paths that were given to the audit."""
    exports_read: ExportsRead | None
    """None for an audit that took nothing from another one."""

    @property
    def judged_words(self) -> str:
        """What was judged: ``12 flows``, ``4 queues and queue managers``, or both."""
        flows = counted_words(self.flows, "flow")
        if not self.unread_queues:
            return flows
        unread = counted_words(self.unread_queues, "queue or queue manager", "queues and queue managers")
        return f"{flows}, and {unread} without an endpoint" if self.flows else unread

    @property
    def finished_words(self) -> str:
        """The moment at which it finished: ``2031-04-07 08:41 UTC``; blank where that is not known."""
        if self.finished is None:
            return ""
        zone = " UTC" if self.finished.utcoffset() is not None and not self.finished.utcoffset() else ""
        return f"{self.finished:%Y-%m-%d %H:%M}{zone}"

    @property
    def duration(self) -> str:
        """How long it ran, in its two largest units: ``26 min 12 s``; blank where that is not known."""
        if self.started is None or self.finished is None:
            return ""
        try:
            seconds = int((self.finished - self.started).total_seconds())
        except TypeError:  # one has a time zone, the other has none
            return ""
        minutes, seconds_left = divmod(max(seconds, 0), 60)
        hours, minutes = divmod(minutes, 60)
        parts = [f"{count} {unit}" for count, unit in ((hours, "h"), (minutes, "min"), (seconds_left, "s")) if count]
        return " ".join(parts[:2])


def read_summary(audit: Path) -> AuditSummary:
    """The summary of an audit folder. Raises LintmdbError where there is none, or one of another schema."""
    file = audit / "summary.json"
    try:
        document: object = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise LintmdbError(
            f"{audit} holds no audit", path=str(file), next_step="Name the folder of a complete audit"
        ) from error
    summary = _object(cast("JsonValue", document))
    if summary.get("schema") != SCHEMA:
        raise LintmdbError(
            "this is no summary of an audit that this version reads",
            path=str(file),
            next_step="Run lintmdb fleet audit again",
        )
    return _parse_summary(summary)


def _parse_summary(summary: JsonObject) -> AuditSummary:
    exports = _object(summary.get("exports"))
    return AuditSummary(
        id=str(summary.get("id", "")),
        tool=_parse_tool(summary.get("tool")),
        started=_parse_moment(summary.get("started")),
        finished=_parse_moment(summary.get("finished")),
        rules=_number(summary.get("rules")),
        flows=_number(summary.get("flows")),
        unread_queues=_number(summary.get("unread_queues")),
        cells=_number(exports.get("cells")),
        queue_managers=_number(exports.get("queue_managers")),
        clear=_number(summary.get("clear")),
        suppressed=_number(summary.get("suppressed")),
        inputs=_parse_inputs(summary.get("inputs")),
        exports_read=_parse_exports_read(_object(summary.get("incremental"))),
    )


def _object(value: JsonValue) -> JsonObject:
    return value if isinstance(value, Mapping) else {}


def _number(value: JsonValue) -> int:
    return value if isinstance(value, int) else 0


def _parse_moment(value: JsonValue) -> datetime | None:
    try:
        return datetime.fromisoformat(str(value))
    except ValueError:
        return None


def _parse_tool(value: JsonValue) -> str:
    if isinstance(value, Mapping):
        return f"{value.get('name', 'lintmdb')} {value.get('version', '')}".strip()
    return clipped(str(value or "lintmdb"), 80)


def _parse_inputs(value: JsonValue) -> tuple[str, ...]:
    return tuple(map(str, value)) if isinstance(value, list) else ()


def _parse_exports_read(value: JsonObject) -> ExportsRead | None:
    exports = ExportsRead(*(_number(value.get(name)) for name in ("read", "kept", "gone")))
    return exports if exports.kept or exports.gone else None
