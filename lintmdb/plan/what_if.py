"""What would happen if: changes of a user on top of exports, from MQSC scripts, plans and single values."""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import Literal, TypeVar

from lintmdb.engine.findings import FlowHead
from lintmdb.engine.judge import judge
from lintmdb.errors import LintmdbError
from lintmdb.exports.discovery import shown_path
from lintmdb.exports.mq import Asked, FormatName, MqscFile, format_of, read_parts, read_scripts
from lintmdb.exports.mq.ansible import source_places
from lintmdb.exports.mq.decoding import decode
from lintmdb.exports.mq.ebcdic import from_ebcdic, is_ebcdic
from lintmdb.exports.mq.embedded import doubt
from lintmdb.exports.mq.shell.scripts import INPUT, SOURCE
from lintmdb.exports.was.objects import CellConfig
from lintmdb.exports.was.property_files import Section, decode_lines, read_property_file
from lintmdb.model.environment_names import key_of
from lintmdb.model.relations import Problem
from lintmdb.plan.document import read_changes
from lintmdb.plan.object_ids import find_name
from lintmdb.plan.property_changes import property_changes
from lintmdb.plan.scripts import PLANNED_SCRIPT
from lintmdb.plan.single_values import assignments
from lintmdb.resolve.mq.platforms import detect_platform
from lintmdb.resolve.mq.script_checks import check_script
from lintmdb.resolve.observations import Observations
from lintmdb.run.all_queues import queue_heads
from lintmdb.run.environments import split_environment
from lintmdb.run.estate import UnresolvedEstate, resolve_exports
from lintmdb.run.overlay import Overlay, overlay_of
from lintmdb.run.script_groups import ScriptGroup, guessed_name
from lintmdb.run.script_references import assign_scripts, beside, is_hashed
from lintmdb.settings.changes import Change

_Made = TypeVar("_Made")
_NAMED = 3
"""How many environments an error lists."""
_HEAD = 8192
"""Bytes by which the form of a file is known."""
_CONTAINERS: frozenset[FormatName] = frozenset({"shell", "kubernetes", "ansible"})
"""The forms of files that contain scripts for queue managers."""
_WSADMIN = re.compile(rb"\bAdmin(?:Config|Task|App|Control)\b")
_SUFFIXES = (".mqsc", ".mqs", ".tst")
"""Names of files that are MQSC, even where no line of them is a command."""


@dataclass(frozen=True, slots=True)
class WhatIf:
    """The changes that a user asks about."""

    files: Sequence[Path] = ()
    """MQSC scripts, properties files of WebSphere (``.props``, ``.properties``) and plans; ``prod=FILE`` is for one
    environment.
    """
    values: Sequence[str] = ()
    """``queue ORDERS.IN at QM1: BOTHRESH=5``; they are on top of the files."""
    queue_managers: Mapping[str, str] = field(default_factory=dict[str, str])
    """The queue manager whose script a file is, by its path as shown."""
    changes: Sequence[Change] = ()
    """Of findings or of a plan."""

    def overlay(self, exports: UnresolvedEstate, observed: Observations) -> Overlay:
        """The changes as an overlay of the exports. Raises LintmdbError for a file or value that fits nothing."""
        scripts: dict[str, list[MqscFile]] = {}
        managers: dict[str, ScriptGroup] = {}
        changes: list[Change] = [*self.changes]
        problems: list[Problem] = []
        sections: list[tuple[str | None, str, list[Section]]] = []
        files: dict[str, Callable[[], bytes]] = {}
        for given in self.files:
            environment, file = _split(given, exports)
            files[shown_path(file)] = functools.partial(_read, file, shown_path(file))
            if file.suffix == ".json":
                changes += read_changes(file)
            elif file.suffix in (".props", ".properties"):
                shown = shown_path(file)
                data = _read(file, shown)
                if _is_blank(data, "#"):
                    problems.append(_changes_nothing(shown, "setting"))
                else:
                    sections.append((environment, shown, read_property_file(data, shown)))
            else:
                made, left = self._scripts(file, environment, exports)
                problems += left
                for manager, script in made:
                    key = key_of(manager.environment, manager.name)
                    managers[key] = manager
                    scripts.setdefault(key, []).append(script)
        values: list[Change] = []
        if self.values or sections:
            facts = resolve_exports(exports, observed).facts
            heads = [*judge(facts, []).flows, *queue_heads(facts)]
            for environment, path, found in sections:
                for section in found:
                    section.named_elsewhere = section.named_elsewhere or find_name(section, environment, exports)
                made, left = property_changes(
                    found, path, *_of_one_environment(environment, path, found, heads, exports)
                )
                changes += made
                problems += left
            values = [change for text in self.values for change in assignments(text, heads)]
        planned = overlay_of(changes)
        told = {(problem.path, problem.line) for problem in problems}
        problems += [
            replace(problem, kind=_IN_A_CHANGE[problem.kind], queue_manager=managers[key].name)
            for key, given in scripts.items()
            for script in given
            for problem in _not_read(script)
            if (problem.path, problem.line) not in told
        ]
        for script in (script for given in scripts.values() for script in given):
            script.problems[:] = [problem for problem in script.problems if problem.kind not in _IN_A_CHANGE]
        single = overlay_of(values)  # whoever sets a value beside a file tries it on top of what the file says
        return Overlay(
            _joined(planned.scripts, scripts, single.scripts),
            _joined(planned.assignments, single.assignments),
            problems,
            files,
        )

    def _scripts(
        self, file: Path, environment: str | None, exports: UnresolvedEstate
    ) -> tuple[list[tuple[ScriptGroup, MqscFile]], list[Problem]]:
        """The change scripts of a file with the queue manager that runs each, one of MQSC or those inside a file of
        another form, and what would be refused or is not judged.
        """
        shown = shown_path(file)
        data = _read(file, shown)
        form = format_of(data[:_HEAD], shown)
        found = read_scripts(form, data, shown) if form is not None and form in _CONTAINERS else ()
        for script in found:
            _refuse_cut(script)
        fed = [script for script in assign_scripts(found) if script.commands or _not_read(script)]
        asks = any(script.asked for script in found)
        if not (fed or asks or form in (None, "shell", "mqsc")):
            raise _is_no_change(shown, data)
        given = fed if fed or asks else read_parts(data, shown)
        for script in given:
            _refuse_cut(script)
        made: list[tuple[ScriptGroup, MqscFile]] = []
        problems: list[Problem] = []
        for script in given:
            group, refused = self._script(script, file, data, environment, exports)
            made += [(group, script)] if group is not None else []
            problems += refused
        return made, [*problems, *_asked_for(file, found, self._paths(exports))]

    def _paths(self, exports: UnresolvedEstate) -> list[Path]:
        """The files of the change, without their environments."""
        return [_split(given, exports)[1] for given in self.files]

    def _runs_it(self, shown: str, exports: UnresolvedEstate) -> tuple[str, bool] | None:
        """The queue manager that runs a file, as a play or a shell script of the same change says, and whether a
        condition decides.
        """
        for file in self._paths(exports):
            data = _read(file, shown_path(file))
            form = format_of(data[:_HEAD])
            for script in read_scripts(form, data, shown_path(file)) if form in _CONTAINERS else ():
                asked = [one for one in script.asked or () if one.kind in (INPUT, SOURCE)]
                meant = [one for one in asked if _is_meant(one, Path(shown))]
                if script.queue_manager and meant:
                    return script.queue_manager, meant[0].conditional
        return None

    def _script(
        self, script: MqscFile, file: Path, data: bytes, environment: str | None, exports: UnresolvedEstate
    ) -> tuple[ScriptGroup | None, list[Problem]]:
        """The queue manager that runs a script, None where nothing in it asks for one, and what it would refuse."""
        shown = script.path
        if any(shown == known.path for group in exports.groups for known in group.scripts):
            step = "Move it out of the folders of the exports"
            raise LintmdbError(
                "is one of the exports, too, so it would not count as a change", path=shown, next_step=step
            )
        named = script.queue_manager is not None or shown in self.queue_managers
        is_mqsc = script.lost_commands or named or file.suffix.lower() in _SUFFIXES
        if not (is_mqsc or script.commands or script.passed_over or _is_blank(data, "*")):
            raise _is_no_change(shown, data)
        if not (script.commands or script.passed_over or _not_read(script)):
            return None, [_changes_nothing(shown, "definition")]
        group = self._queue_manager(script, shown, environment, exports)
        levels = [found.command_level for found in group.scripts if found.command_level]
        platform = detect_platform(group.scripts)
        problems = check_script(script, decode(data, shown), group.name, max(levels, default=0), platform)
        return group, problems

    def _queue_manager(
        self, script: MqscFile, shown: str, environment: str | None, exports: UnresolvedEstate
    ) -> ScriptGroup:
        """The queue manager that runs a script. Raises LintmdbError where none is named."""
        groups = [group for group in exports.groups if environment in (None, group.environment)]
        known = list(dict.fromkeys(group.name for group in groups))
        told = self.queue_managers.get(shown) or script.queue_manager
        runs = self._runs_it(shown, exports) if told is None else None
        if runs is not None:
            told, conditional = runs
            if conditional:
                doubt(script)
        guessed = guessed_name(script)
        name = known[0] if told is None and guessed not in known and len(known) == 1 else told or guessed
        found = [group for group in groups if group.name == name]
        if len(found) > 1:
            places = {group.environment: group.scripts[0].path for group in found if group.scripts}
            raise _in_several(f"queue manager {name}", shown, places)
        if found:
            return found[0]
        names = f"the exports contain {', '.join(known)}" if known else "the exports contain no queue manager"
        if told is None:
            step = f"Name it with --queue-manager NAME={shown}; {names}"
            raise LintmdbError("does not name its queue manager", path=shown, next_step=step)
        raise LintmdbError(
            f"is for queue manager {told}, which the exports do not contain",
            path=shown,
            next_step=f"If {told} is new, give the file as an export and not with --change: lintmdb check EXPORT "
            f"{shown}. If it is another one, name that with --queue-manager NAME={shown}; {names}",
        )


def _joined(*parts: Mapping[str, Sequence[_Made]]) -> dict[str, tuple[_Made, ...]]:
    """What is made at each place, in the order of the parts."""
    return {
        name: tuple(itertools.chain.from_iterable(part.get(name, ()) for part in parts))
        for name in dict.fromkeys(itertools.chain(*parts))
    }


def _split(given: Path, exports: UnresolvedEstate) -> tuple[str | None, Path]:
    """The environment that a file of the change is for, and the file. Raises LintmdbError for a name that is none."""
    known = exports.environments.names
    name, _, rest = str(given).partition("=")
    is_manager = name not in known and any(group.name == name for group in exports.groups)
    if is_manager and Path(rest).is_file() and not given.exists():
        step = f"Write --change {rest} --queue-manager {name}={rest}"
        raise LintmdbError(f"--change {given}: {name} is a queue manager and no environment", next_step=step)
    return split_environment(given, known, "--change")


def _refuse_cut(script: MqscFile) -> None:
    """Refuse the last command of a change where the file ends inside it: the rest of the change runs."""
    if not script.truncated:
        return
    script.truncated = False
    shown = next((f"{command.verb} {command.noun}({command.name})" for command in script.commands if command.cut), "")
    script.commands[:] = [command for command in script.commands if not command.cut]
    script.problems[:] = [
        replace(
            problem,
            kind="not_understood",
            text=f"{shown or 'the last command'} is not whole: the file ends where it goes on",
            next_step="Add what is missing, or remove the continuation mark at its end",
        )
        if problem.kind == "unreadable"
        else problem
        for problem in script.problems
    ]


def _is_blank(data: bytes, comment: str) -> bool:
    """Whether all lines of a file are blank or comments."""
    return all(not line or line.startswith(comment) for line in map(str.strip, decode_lines(data)))


def _changes_nothing(shown: str, what: str) -> Problem:
    """A file that lost its commands, or one that stands where another one was meant."""
    return Problem(
        kind="unjudged_change",
        path=shown,
        line=0,
        column=0,
        text=f"nothing in this file changes a {what}",
        next_step="If it should, check the path",
    )


def _is_no_change(shown: str, data: bytes) -> LintmdbError:
    if _WSADMIN.search(data):
        planned = "lintmdb plan wrote it, so use its plan.json: --change DIR/plan.json. It holds all steps of the plan"
        other = (
            "Write the change as a properties file (.props), or compare with an export after it: "
            "lintmdb diff BEFORE AFTER"
        )
        return LintmdbError(
            "is a script for wsadmin, and lintmdb runs none, so what it would modify is not known",
            path=shown,
            next_step=planned if PLANNED_SCRIPT.encode() in data else other,
        )
    step = "Name MQSC with DEFINE, ALTER, DELETE or SET commands, a .props file, or a plan.json"
    return LintmdbError("holds no command that changes a queue manager", path=shown, next_step=step)


def _asked_for(file: Path, scripts: Sequence[MqscFile], files: Sequence[Path]) -> Iterator[Problem]:
    """What a file gives to queue managers that neither it nor another of the ``files`` of the change has."""
    for asked in (asked for script in scripts for asked in script.asked or ()):
        if any(_is_meant(asked, given) for given in files):
            continue
        is_file = asked.kind in (INPUT, SOURCE)
        if not is_file and any(
            kept.kind == asked.kind and (kept.name == asked.name or is_hashed(kept.name, asked.name))
            for script in scripts
            if (kept := script.kept) is not None
        ):
            continue
        yield Problem(
            kind="unjudged_change",
            path=shown_path(file),
            line=asked.line,
            column=asked.column,
            text=f"{'' if is_file else f'{asked.kind} '}{asked.name} is no part of the change that is judged",
            next_step=f"Name it, too: --change {_place(asked, file)}"
            if is_file
            else "Give what kubectl kustomize or helm template prints",
        )


def _is_meant(asked: Asked, file: Path) -> bool:
    """Whether a file is the one that is asked for, as far as its path says."""
    own = [part for part in reversed(PurePosixPath(asked.name).parts) if part != ".."]
    return list(reversed(file.parts))[: len(own)] == own


def _place(asked: Asked, asker: Path) -> str:
    """The path of the file that is asked for, from here; as written where no such file is found."""
    path = asker.as_posix()
    places = source_places(path, asked.name, asked.namespace) if asked.kind == SOURCE else [beside(path, asked.name)]
    return next((place for place in places if Path(place).is_file()), asked.name)


_IN_A_CHANGE: Mapping[str, Literal["refused_change", "unjudged_change"]] = {
    "not_understood": "refused_change",
    "undecided_command": "unjudged_change",
    "unresolved_name": "refused_change",
}
"""What a problem of a script is where the script is a change."""


def _not_read(script: MqscFile) -> list[Problem]:
    return [problem for problem in script.problems if problem.kind in _IN_A_CHANGE]


def _of_one_environment(
    environment: str | None,
    path: str,
    sections: Iterable[Section],
    heads: Sequence[FlowHead],
    exports: UnresolvedEstate,
) -> tuple[Sequence[FlowHead], Sequence[Sequence[CellConfig]]]:
    """The flows and the cells that a properties file may be about. Raises LintmdbError where no environment is named
    and several have its cell.
    """
    if environment is not None:
        meant = [parts for parts in exports.cells if parts and parts[0].environment == environment]
        return [head for head in heads if head.subject.environment == environment], meant
    names = {dict(section.steps).get("Cell") for section in sections}
    cells = [parts[0] for parts in exports.cells if parts and (parts[0].name in names or None in names)]
    if len({cell.environment for cell in cells}) > 1:
        raise _in_several(f"cell {cells[0].name}", path, {cell.environment: cell.root for cell in cells})
    return heads, exports.cells


def _in_several(what: str, path: str, places: Mapping[str | None, str]) -> LintmdbError:
    """``places`` are paths of exports by their environment."""
    names = sorted(name for name in places if name)
    step = f"Name the environment: {' or '.join(f'--change {name}={path}' for name in names[:_NAMED])}"
    if len(names) > 1 or None not in places:
        return LintmdbError(f"changes {what}, which is in several environments", path=path, next_step=step)
    (name,), bare = names, places[None]
    return LintmdbError(
        f"changes {what}, which {bare} has in no environment and another export in {name}",
        path=path,
        next_step=f"If both are the same one, name the environment of {bare}, too: --environment {name}={bare}. "
        f"If not, and the change is for {name}: --change {name}={path}",
    )


def _read(file: Path, shown: str) -> bytes:
    try:
        data = file.read_bytes()
        return from_ebcdic(data, len(data)) if is_ebcdic(data) else data
    except OSError as error:
        step = "Name its files one by one: --change may be repeated" if file.is_dir() else "Name a change file"
        raise LintmdbError(f"cannot be read: {error.strerror}", path=shown, next_step=step) from error
