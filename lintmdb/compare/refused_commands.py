"""Commands of scripts that people keep which are new in the later state, and which the queue manager refuses because of
an object that its exports show.

A script that defines an object without REPLACE created it when it ran first, and a dump that shows the object since
then is the ordinary case. A command that was not there before has not run yet.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from lintmdb.compare.managers_in_both import definitions_of
from lintmdb.exports.mq import Command, MqscFile
from lintmdb.exports.mq.commands import is_export
from lintmdb.exports.mq.decoding import decode
from lintmdb.exports.mq.written import written_parameters
from lintmdb.model.environment_names import key_of
from lintmdb.model.relations import Problem
from lintmdb.resolve.mq.dispositions import place_of, private_place
from lintmdb.run.estate import Estate
from lintmdb.run.script_groups import ScriptGroup

_Wording: TypeAlias = tuple[str, str, str, tuple[tuple[str, str], ...]]
"""A command without its place: its verb, noun, name and parameters, in whatever order they are written."""


def newly_refused(before: Estate, after: Estate) -> Iterator[Problem]:
    """The commands of ``after`` that no script of ``before`` has in these words and that are refused because of an
    object which both states have. One that came with the dump of ``after`` may be what the command has created.
    """
    former = {key_of(group.environment, group.name): group for group in before.groups}
    old_lines, new_lines = _reader(before), _reader(after)
    for group in after.groups:
        known = former.get(key_of(group.environment, group.name))
        if known is None or not _has_both(group):
            continue
        refused = definitions_of(group).refused_by_exports
        if not refused:
            continue
        names = {(command.noun, command.name) for _, command, _ in refused}
        old = {
            _wording(script, command, old_lines)
            for script in known.scripts
            for command in script.commands
            if (command.noun, command.name) in names and not is_export(script)
        }
        new = [entry for entry in refused if _wording(entry.file, entry.command, new_lines) not in old]
        if new:
            objects = definitions_of(known).objects
            yield from (entry.problem for entry in new if private_place(place_of(entry.command)) in objects)


def _has_both(group: ScriptGroup) -> bool:
    kinds = {is_export(script) for script in group.scripts}
    return len(kinds) == 2


def _reader(estate: Estate) -> Callable[[str], Sequence[str]]:
    """Gives the lines of a file by its path: the reader of MQSC drops what no rule needs."""

    @functools.cache
    def lines_of(path: str) -> Sequence[str]:
        return decode(estate.sources[path](), path).split("\n")

    return lines_of


def _wording(script: MqscFile, command: Command, lines_of: Callable[[str], Sequence[str]]) -> _Wording:
    said = {(parameter.keyword, parameter.value or "") for parameter, _ in command.parameters}
    if script.embedded:
        said.update((each.keyword, each.value or "") for each in command.written or ())
    else:
        written = written_parameters(lines_of(script.path), command.line, command.column)
        said.update((each.keyword, each.value or "") for each in written)
    return command.verb, command.noun, command.name, tuple(sorted(said))
