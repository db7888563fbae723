"""A fix as an edit of a file: only for MQSC scripts that a team keeps.

A dump is a copy, and to edit it changes no system. A script is where the setting comes from.
"""

from __future__ import annotations

from typing import NamedTuple

from lintmdb.engine.findings import Finding
from lintmdb.engine.repairs import find_alternatives
from lintmdb.model.origins import Origin
from lintmdb.run.estate import Estate
from lintmdb.settings.changes import Assignment, Change, Grant
from lintmdb.settings.mqsc import attribute_text


class Edit(NamedTuple):
    """What a script contains, and what is to replace it."""

    origin: Origin
    text: str


def kept_scripts(estate: Estate) -> frozenset[str]:
    """The queue managers that have scripts but no dump."""
    exports = (export for export in estate.facts.rows["export"] if export.kind == "queue_manager")
    return frozenset(export.name for export in exports if not export.complete and export.name is not None)


def script_edits(finding: Finding, kept: frozenset[str]) -> list[Edit]:
    """The edits that make the preferred repair but for rights, which seldom stand in the same script; none where it
    takes more than that, or where a setting is not written in the script.
    """
    alternatives = find_alternatives(finding.rule, finding.rows)
    changes = [change for change in alternatives[0] if not isinstance(change, Grant)] if alternatives else []
    edits = [_edit(change, kept) for change in changes]
    found = [edit for edit in edits if edit is not None]
    return found if len(found) == len(edits) else []


def _edit(change: Change, kept: frozenset[str]) -> Edit | None:
    if not isinstance(change, Assignment) or change.target.product != "mq" or change.target.place not in kept:
        return None
    origin = change.origin
    if origin is None or not origin.line or origin.default or "!/" in origin.path:
        return None
    written = origin.text.partition("(")[0].removeprefix("NO")
    if written != change.attribute.removeprefix("NO"):
        return None
    return Edit(origin, attribute_text(change.attribute, change.new))
