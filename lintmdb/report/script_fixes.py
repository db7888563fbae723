"""A fix as an edit of a file: only for MQSC scripts that a team keeps.

A dump is a copy, and to edit it changes no system. A script is where the setting comes from.
"""

from __future__ import annotations

from typing import NamedTuple

from lintmdb.engine.findings import Finding
from lintmdb.engine.repairs import find_alternatives, is_left_to_owners
from lintmdb.exports.mq import ANSWERS, EMBEDDING
from lintmdb.model.environment_names import key_of
from lintmdb.model.origins import Origin
from lintmdb.resolve.mq.completeness import SCRIPT_GAP
from lintmdb.run.estate import Estate
from lintmdb.settings.changes import Assignment, Change, Grant
from lintmdb.settings.mqsc import attribute_text


class Edit(NamedTuple):
    """What a script contains, and what is to replace it."""

    origin: Origin
    text: str


class KeptScripts(NamedTuple):
    """Where a setting comes from a script that a team keeps."""

    queue_managers: frozenset[str]
    """Those that have scripts but no dump, by ``environments.key_of`` them."""
    answers: frozenset[str]
    """The paths of files that hold what a queue manager answered, which are copies as dumps are, or that contain
    scripts in another form.
    """


def kept_scripts(estate: Estate) -> KeptScripts:
    """The scripts of an estate that a team keeps."""
    exports = (export for export in estate.facts.rows["export"] if export.gap == SCRIPT_GAP)
    managers = frozenset(key_of(export.environment, export.name) for export in exports if export.name is not None)
    return KeptScripts(managers, frozenset(entry.path for entry in estate.inputs if entry.kind in ANSWERS | EMBEDDING))


def script_edits(finding: Finding, kept: KeptScripts) -> list[Edit]:
    """The edits that make the preferred repair but for rights, which seldom stand in the same script; none where it
    takes more than that, where a setting is not written in the script, or where only the owners can choose.
    """
    if is_left_to_owners(finding.rule, finding.rows):
        return []
    alternatives = find_alternatives(finding.rule, finding.rows)
    changes = [change for change in alternatives[0] if not isinstance(change, Grant)] if alternatives else []
    edits = [_edit(change, kept) for change in changes]
    found = [edit for edit in edits if edit is not None]
    return found if len(found) == len(edits) else []


def _edit(change: Change, kept: KeptScripts) -> Edit | None:
    if not isinstance(change, Assignment) or change.target.product != "mq":
        return None
    if change.target.place_key not in kept.queue_managers:
        return None
    origin = change.origin
    if origin is None or not origin.line or origin.default or "!/" in origin.path or origin.path in kept.answers:
        return None
    written = origin.text.partition("(")[0].removeprefix("NO")
    if written != change.attribute.removeprefix("NO"):
        return None
    return Edit(origin, attribute_text(change.attribute, change.new))
