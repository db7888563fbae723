"""A plan written into the scripts that people keep: an attribute that stands there is replaced where it stands, one
that does not is added to its command, and what is new is appended.

A dump is a copy, and to edit it changes no system: queue managers of which there is one are left out. What an edit
leaves is read again before anything is written, and has to be what the plan was judged with.
"""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from lintmdb.atomic_write import write_atomically
from lintmdb.errors import LintmdbError
from lintmdb.exports.mq import Command, MqscFile, read_mqsc
from lintmdb.exports.mq.commands import is_export
from lintmdb.exports.mq.script_text import Place, ScriptText, Span, lowered
from lintmdb.exports.mq.vocabulary import END_WORDS, VERBS
from lintmdb.model.environment_names import key_of
from lintmdb.resolve.mq.definitions import Definitions
from lintmdb.resolve.mq.objects import object_key
from lintmdb.resolve.mq.script import run_scripts
from lintmdb.resolve.observations import Observations
from lintmdb.run.estate import UnresolvedEstate, queue_manager_facts, values_by_table
from lintmdb.run.overlay import overlay_of
from lintmdb.run.running_order import running_order
from lintmdb.run.script_groups import ScriptGroup
from lintmdb.settings.changes import Assignment, Change, Definition
from lintmdb.settings.mqsc import alter_lines, attribute_text, mqsc_lines

_INSTEAD = "Run the script that --out DIR writes instead"
_PLAIN_NAME = re.compile(r"[A-Z0-9._/%]+\Z")


class EditedScript(NamedTuple):
    """A script, before and after."""

    path: str
    before: bytes
    after: bytes
    old_lines: Sequence[str]
    new_lines: Sequence[str]

    def diff(self) -> Iterator[str]:
        """The lines of a unified diff, without line ends."""
        for line in difflib.unified_diff(self.old_lines, self.new_lines, self.path, self.path):
            yield line.removesuffix("\n")
            if not line.endswith("\n"):
                yield "\\ No newline at end of file"


def kept_groups(exports: UnresolvedEstate) -> dict[str, ScriptGroup]:
    """The queue managers of which there are scripts alone, in files of their own."""
    return {
        key_of(group.environment, group.name): group
        for group in exports.groups
        if not any(script.embedded or is_export(script) for script in group.scripts)
    }


def edit_scripts(
    changes: Iterable[Change], exports: UnresolvedEstate, observed: Observations
) -> tuple[list[EditedScript], list[Change]]:
    """The scripts that hold a plan, and the changes that are made elsewhere. Nothing is written.

    Raises LintmdbError for a script that cannot be edited, or that would not give what the plan promises.
    """
    kept, elsewhere = kept_groups(exports), list[Change]()
    by_manager: dict[str, list[Change]] = {}
    for change in changes:
        if change.target.product == "mq" and change.target.place_key in kept:
            by_manager.setdefault(change.target.place_key, []).append(change)
        else:
            elsewhere.append(change)
    sources = {found.path: found.read for found in exports.discovery.files}
    edited: list[EditedScript] = []
    for manager, made in by_manager.items():
        edited += _edit_group(kept[manager], made, sources, observed)
    return sorted(edited), elsewhere


def write_scripts(edited: Sequence[EditedScript], unwritable: Collection[str] = ()) -> None:
    """Write all scripts, or none. ``unwritable`` has paths that stand for no file: standard input.

    Raises LintmdbError for one that cannot be written: in an archive, protected, or changed since it was read.
    """
    for script in edited:
        reason = _why_not(script, unwritable)
        if reason:
            raise LintmdbError(f"cannot be edited: {reason}", path=script.path, next_step=_INSTEAD)
    for script in edited:
        try:
            write_atomically(Path(script.path).resolve(), script.after)
        except OSError as error:
            raise LintmdbError(f"cannot be written: {error.strerror or error}", path=script.path) from error


def _why_not(script: EditedScript, unwritable: Collection[str]) -> str:
    if script.path in unwritable:
        return "it is standard input"
    if "!/" in script.path:
        return "it is in an archive"
    file = Path(script.path)
    try:
        if file.read_bytes() != script.before:
            return "it has changed since it was read"
        protected = not file.stat().st_mode & 0o222 or not os.access(file, os.W_OK)
    except OSError as error:
        return error.strerror or str(error)
    return "it is write-protected" if protected else ""


def _edit_group(
    group: ScriptGroup,
    changes: Sequence[Change],
    sources: Mapping[str, Callable[[], bytes]],
    observed: Observations,
) -> list[EditedScript]:
    """The edited scripts of one queue manager."""
    edits = _GroupEdits(group, changes, sources)
    edited = edits.run()
    after = {script.path: read_mqsc(script.after, script.path) for script in edited}
    # What a script says of its queue manager stands above its commands, and stays.
    scripts = [after.get(script.path, script) for script in group.scripts]
    planned = overlay_of(changes).scripts.get(key_of(group.environment, group.name), ())
    wanted = queue_manager_facts(group, observed, planned)
    lost = any(
        after[script.path].lost_commands > script.lost_commands for script in group.scripts if script.path in after
    )
    found = values_by_table(queue_manager_facts(replace(group, scripts=scripts), observed))
    if lost or found != values_by_table(wanted):
        text = f"an edit of the scripts of queue manager {group.name} would not give what the plan promises"
        raise LintmdbError(text, path=group.scripts[0].path, next_step=_INSTEAD)
    return edited


class _Attribute(NamedTuple):
    """An attribute in a script, and what is to stand there."""

    path: str
    command: Place
    span: Span | None
    """None where the attribute is added to the command."""
    change: Assignment


class _GroupEdits:
    """Gathers the edits of one queue manager's scripts by file, then makes those of each from its end up."""

    def __init__(
        self, group: ScriptGroup, changes: Sequence[Change], sources: Mapping[str, Callable[[], bytes]]
    ) -> None:
        self._changes = changes
        self._sources = sources
        self._scripts = {script.path: script for script in group.scripts}
        self._definitions = run_scripts(group.name, running_order(group.scripts)[0])
        self._last = running_order(group.scripts)[0][-1].path
        self._texts: dict[str, ScriptText] = {}
        self._data: dict[str, bytes] = {}

    def run(self) -> list[EditedScript]:
        attributes: dict[str, list[_Attribute]] = {}
        appended: dict[str, list[list[str]]] = {}
        unplaced: dict[object, list[Assignment]] = {}
        for change in self._changes:
            found = self._attribute(change) if isinstance(change, Assignment) else None
            if found is not None:
                attributes.setdefault(found.path, []).append(found)
            elif isinstance(change, Assignment):
                unplaced.setdefault(change.target, []).append(change)
            else:
                appended.setdefault(self._home(change), []).append(mqsc_lines(change))
        for assignments in unplaced.values():
            appended.setdefault(self._last, []).append(alter_lines(assignments))
        for path, commands in appended.items():
            self._append(path, commands)
        for path, entries in attributes.items():
            self._edit(path, entries)
        return [self._edited(path) for path in sorted(self._texts)]

    def _edited(self, path: str) -> EditedScript:
        before = ScriptText(self._data[path], path)
        text = self._texts[path]
        return EditedScript(path, self._data[path], text.data(), before.lines(), text.lines())

    def _text(self, path: str) -> ScriptText:
        if path not in self._texts:
            self._data[path] = self._sources[path]()
            self._texts[path] = ScriptText(self._data[path], path)
        return self._texts[path]

    def _attribute(self, change: Assignment) -> _Attribute | None:
        """The place of an attribute, or the command to which it is added; None if no script has its object."""
        own = _commands(self._definitions, self._scripts, change)
        if not own:
            return None
        keyword = change.attribute.removeprefix("NO")
        for path, command in reversed(own):
            place = Place(command.line, command.column)
            for span in self._text(path).parameters(place)[1:]:
                if _SYNONYMS.get(span.keyword.upper(), span.keyword.upper()).removeprefix("NO") == keyword:
                    return _Attribute(path, place, span, change)
        path, command = own[0]
        return _Attribute(path, Place(command.line, command.column), None, change)

    def _home(self, change: Change) -> str:
        """The script that something new belongs in: that of the object which names it, or of the object itself."""
        name = change.target.name
        for other in self._changes:
            if isinstance(other, Assignment) and other.new == name and (own := self._attribute(other)) is not None:
                return own.path
        known = self._definitions.objects.get(object_key("QLOCAL", name))
        return known.file.path if known is not None and not isinstance(change, Definition) else self._last

    def _append(self, path: str, commands: Sequence[Sequence[str]]) -> None:
        text = self._text(path)
        low = _is_lower(text)
        lines = [lowered(line) if low else line for command in commands for line in command]
        text.append(lines, _end_command(text, self._scripts[path], self._data[path]))

    def _edit(self, path: str, entries: Sequence[_Attribute]) -> None:
        text = self._text(path)
        added: dict[Place, list[Assignment]] = {}
        steps: list[tuple[Place, Callable[[], None]]] = []
        for entry in entries:
            if entry.span is None:
                added.setdefault(entry.command, []).append(entry.change)
            else:
                steps.append((entry.span.start, _replacing(text, entry.span, entry.change)))
        for command, changes in added.items():
            anchor = _anchor(text.parameters(command))
            words = [attribute_text(change.attribute, change.new) for change in changes]
            words = [lowered(word) for word in words] if anchor.keyword.islower() else words
            steps.append((anchor.end, _inserting(text, command, anchor, words)))
        for _, step in sorted(steps, key=lambda step: step[0], reverse=True):
            step()


_SYNONYMS = {"TARGQ": "TARGET"}


def _commands(
    definitions: Definitions, scripts: Mapping[str, MqscFile], change: Assignment
) -> list[tuple[str, Command]]:
    """The commands that make an object what it is, in the order in which they run: its definition, what alters it."""
    target = change.target
    order = [script for script in definitions.files if script.path in scripts]
    found: list[tuple[str, Command]] = []
    for script in order:
        for command in script.commands:
            if target.kind == "QMGR":
                own = command.noun == "QMGR" and command.verb == "ALTER"
            else:
                own = (command.noun, command.name) == (target.kind, target.name)
            if own and command.verb == "DELETE":
                found.clear()
            elif own and command.verb == "ALTER":
                found.append((script.path, command))
            elif own and command.verb == "DEFINE" and (not _is_defined(found) or _replaces(command)):
                found = [(script.path, command)]
    return found


def _is_defined(found: Sequence[tuple[str, Command]]) -> bool:
    return any(command.verb == "DEFINE" for _, command in found)


def _replaces(command: Command) -> bool:
    return any(parameter.keyword == "REPLACE" for parameter, _ in command.parameters)


def _anchor(spans: Sequence[Span]) -> Span:
    """The parameter that a further attribute goes behind: the last one, but for REPLACE, which people write last."""
    shown = [span for span in spans if span.keyword.upper() not in ("REPLACE", "NOREPLACE")]
    return (shown or spans)[-1]


def _replacing(text: ScriptText, span: Span, change: Assignment) -> Callable[[], None]:
    def step() -> None:
        if not span.value:
            text.replace_keyword(span, change.new.lower() if span.keyword.islower() else change.new)
            return
        word = attribute_text(change.attribute, change.new)
        value = word[len(change.attribute) + 1 : -1]
        if not span.quote and _PLAIN_NAME.match(change.new):
            value = change.new.lower() if span.keyword.islower() else change.new
        text.replace_value(span, value)

    return step


def _inserting(text: ScriptText, command: Place, anchor: Span, words: Sequence[str]) -> Callable[[], None]:
    return lambda: text.insert(command, anchor, words)


def _is_lower(text: ScriptText) -> bool:
    """Whether most commands of a script are in lower case."""
    words = [line.split("(")[0].split()[:1] for line in text.lines() if line.strip() and not line.startswith("*")]
    verbs = [word[0] for word in words if word and word[0].upper() in VERBS]
    return 2 * sum(verb.islower() for verb in verbs) > len(verbs)


def _end_command(text: ScriptText, script: MqscFile, data: bytes) -> int | None:
    """The line of the command that ends a script, behind which nothing is read; None without one."""
    candidates = [n for n, line in enumerate(text.lines(), 1) if line.strip(" \t;\r\n").upper() in END_WORDS]
    for number in candidates:
        shorter = ScriptText(data, script.path)
        rest = read_mqsc(shorter.cut(number), script.path)
        if len(rest.commands) == len(script.commands) and not rest.truncated:
            return number
    return None
