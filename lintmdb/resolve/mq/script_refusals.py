"""What a queue manager refuses of the scripts that people keep: commands that the lines above them make impossible.

A dump or an answer shows what was there, and which of two files runs first is not always known. The order inside one
file is known.
"""

from __future__ import annotations

from lintmdb.exports.mq import Command, MqscFile
from lintmdb.model.relations import Problem
from lintmdb.resolve.mq.objects import MqObject
from lintmdb.resolve.mq.refusals import Refusal


def find_refused(file: MqscFile, command: Command, existing: MqObject | None, refusal: Refusal) -> Refusal | None:
    """Why a command is refused when its script runs; ``existing`` is the object in its way. None where that is not
    certain, or is meant: DELETE of what may be there, NOREPLACE.
    """
    if _is_export(file) or command.doubtful or command.verb == "DELETE":
        return None
    if refusal.if_complete:
        return refusal
    meant = any(parameter.keyword == "NOREPLACE" for parameter, _ in command.parameters)
    if meant or existing is None or existing.file.path != file.path or existing.unset == "unknown":
        return None
    return refusal._replace(reason=f"{refusal.reason} (line {existing.line})")


def is_refused_by_exports(file: MqscFile, command: Command, existing: MqObject | None, exported: bool) -> bool:
    """Whether a refused command of a script that people keep is refused because of an object that exports show
    (``exported``). That is no fault of the script, which may be the one that created the object.
    """
    if _is_export(file) or command.doubtful or command.verb == "DELETE":
        return False
    meant = any(parameter.keyword == "NOREPLACE" for parameter, _ in command.parameters)
    return exported and existing is not None and not meant


def find_too_early(file: MqscFile, command: Command, existing: MqObject | None) -> Problem | None:
    """The ALTER of an object that stands above the DEFINE of it, ``command``, in the same script."""
    if (
        command.verb != "DEFINE"
        or existing is None
        or existing.defined
        or existing.file.path != file.path
        or command.doubtful
        or _is_export(file)
        or any(value.parameter.template for value in existing.values.values())
    ):
        return None
    return Problem(
        kind="not_understood",
        path=file.path,
        line=existing.line,
        column=existing.column,
        text=f"ALTER {existing.noun}({existing.name}) is refused where nothing has defined {existing.name} yet: its "
        f"DEFINE stands below it, on line {command.line}",
        next_step="Move it below the DEFINE",
        object=f"{existing.noun} {existing.name}",
    )


def _is_export(file: MqscFile) -> bool:
    return file.dump is not None or file.observed
