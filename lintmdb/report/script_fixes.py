"""A fix as an edit of a file: only for MQSC scripts that a team keeps.

A dump is a copy, and to edit it changes no system. A script is where the setting comes from.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from lintmdb.engine.findings import Finding
from lintmdb.engine.flow_rows import FlowRows
from lintmdb.model.origins import Origin
from lintmdb.model.relations import PutTarget, Queue
from lintmdb.run.estate import Estate

_ALTER = re.compile(r"ALTER Q[A-Z]+\('(?P<name>[^']+)'\)(?P<settings>(?: [A-Z]+\([^()]*\))+)")
_SETTING = re.compile(r"(?P<keyword>[A-Z]+)\((?P<value>\d+|[A-Z]+|'[^']*')\)")


class Edit(NamedTuple):
    """What stands in a script, and what is to stand there."""

    origin: Origin
    text: str


def kept_scripts(estate: Estate) -> frozenset[str]:
    """The queue managers of which there is no dump but scripts."""
    exports = (export for export in estate.facts.rows["export"] if export.kind == "queue_manager")
    return frozenset(export.name for export in exports if not export.complete and export.name is not None)


def script_edits(finding: Finding, kept: frozenset[str]) -> list[Edit]:
    """The edits that make the whole fix but for rights, which seldom stand in the same script; none where it takes more
    than one ALTER, or where a setting is not written in the script.
    """
    commands = [line for line in finding.fix.splitlines() if not line.startswith(("*", "SET AUTHREC "))]
    match = _ALTER.fullmatch(commands[0].strip()) if len(commands) == 1 else None
    if match is None:
        return []
    rows = finding.rows
    if not isinstance(rows, FlowRows):
        return []
    queues = (rows.queue, rows.backout, rows.dead_letter)
    row = next((row for row in queues if row and row.name == match["name"] and row.queue_manager in kept), None)
    if row is None:
        return []
    settings = [_SETTING.fullmatch(part) for part in match["settings"].split()]
    edits = [_edit(row, setting) for setting in settings if setting is not None]
    found = [edit for edit in edits if edit is not None]
    return found if len(found) == len(settings) else []


def _edit(row: Queue | PutTarget, setting: re.Match[str]) -> Edit | None:
    written = f"{setting['keyword']}("
    for place in row.origins.values():
        origin = Origin(place.path, place.line, place.column, place.text, place.default)
        if origin.line and not origin.default and "!/" not in origin.path and origin.text.startswith(written):
            return Edit(origin, setting.group())
    return None
