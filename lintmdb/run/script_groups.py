"""Which scripts make up one queue manager: as the user says, as their headers say, else as their files are called."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath

from lintmdb.exports.mq import MqscFile
from lintmdb.exports.mq.commands import ClusterQueueAccessControl, is_export
from lintmdb.exports.mq.lines import holds_template
from lintmdb.model.relations import Problem
from lintmdb.resolve.mq.lent_queues import NOTHING_LENT, Lent
from lintmdb.resolve.mq.platforms import detect_platform
from lintmdb.run.lending import find_lent
from lintmdb.run.script_references import assign_scripts


@dataclass(frozen=True, slots=True)
class ScriptGroup:
    """The scripts of one queue manager, in the order in which they run."""

    name: str
    claim: str
    """The name that the scripts themselves give; files of other folders may claim it too."""
    scripts: Sequence[MqscFile]
    notices: Sequence[Problem] = field(default_factory=tuple[Problem, ...])
    """What the reader of a report has to know about the name."""
    environment: str | None = None
    """As the user names it; a queue manager of another environment is another one."""
    lent: Lent = NOTHING_LENT
    """What other queue managers of its queue-sharing group show of shared queues."""
    cluster_queue_access: ClusterQueueAccessControl | None = None
    """What its configuration file says; None without one, and where several differ."""

    @property
    def is_apart(self) -> bool:
        """Whether other files claim its name, so that its scripts may be those of the queue manager of that name."""
        return self.name != self.claim

    @property
    def is_guessed(self) -> bool:
        """Whether nothing but the name of a file says which queue manager it is."""
        return bool(self.notices) and not any(script.queue_manager for script in self.scripts)

    @property
    def is_configuration(self) -> bool:
        """Whether nothing but configuration files was read of the queue manager, which define no object."""
        return all(map(_is_configuration, self.scripts))


def group_scripts(
    scripts: Iterable[MqscFile], named: Mapping[str, str], environment: str | None = None
) -> list[ScriptGroup]:
    """The scripts of each queue manager of one environment, sorted by its name; ``named`` gives names by shown path.

    A name that is guessed from a file's name joins files of different folders only where that is certain: all of them
    are decks from z/OS, which never name their queue manager, and are called like one; or there is a dump of the queue
    manager, and the scripts that are called after it are in one folder.
    """
    told: dict[str, list[MqscFile]] = {}
    configured: dict[str, list[MqscFile]] = {}
    guessed: dict[str, dict[str, list[MqscFile]]] = {}
    nameless: list[MqscFile] = []
    for script in assign_scripts(scripts):
        name = given_name(script.path, named) or script.queue_manager
        if script.configuration and name:
            configured.setdefault(name, []).append(script)
        if _is_configuration(script):
            nameless += [] if name else [script]
            continue
        if name:
            told.setdefault(name, []).append(script)
        elif script.problems or not is_phantom(script):
            guess = guessed_name(script)
            folders = guessed.setdefault(guess, {})
            folders.setdefault(_folder(script.path), []).append(script)
    groups: list[ScriptGroup] = []
    notices: dict[str, list[Problem]] = {}
    for name, folders in guessed.items():
        groups += _guessed_groups(name, folders, told, notices)
    groups += [
        ScriptGroup(name, name, sorted(group, key=_turn), tuple(notices.get(name, ()))) for name, group in told.items()
    ]
    groups = [*_configured(groups, configured), *map(_of_nobody, nameless)]
    if environment is not None:
        groups = [replace(group, environment=environment) for group in groups]
    lent = find_lent({group.name: group.scripts for group in groups})
    groups = [replace(group, lent=lent[group.name]) if group.name in lent else group for group in groups]
    return sorted(groups, key=lambda group: group.name)


def _is_configuration(script: MqscFile) -> bool:
    """Whether it is a configuration file that has no script run."""
    return script.configuration and not script.asked


def _configured(groups: Iterable[ScriptGroup], configured: Mapping[str, Sequence[MqscFile]]) -> Iterator[ScriptGroup]:
    """The groups with what configuration files say of them, and one for each queue manager of which there is no other
    file: in a fleet another unit may have its export.
    """
    left = dict(configured)
    for group in groups:
        files = left.pop(group.name, ())
        said = {
            file.cluster_queue_access.value: file.cluster_queue_access for file in files if file.cluster_queue_access
        }
        told = [_contradicted(file, group.name) for file in files] if len(said) > 1 else []
        access = next(iter(said.values())) if len(said) == 1 else None
        yield replace(group, cluster_queue_access=access, notices=(*group.notices, *told))
    for name, files in left.items():
        text = f"is the configuration of queue manager {name}, of which nothing else was read"
        step = "Add its export, or say whose it is with --queue-manager NAME=PATH"
        yield ScriptGroup(
            name,
            name,
            sorted(files, key=_turn),
            tuple(
                Problem(kind="not_read", path=file.path, line=1, text=text, next_step=step, object=name)
                for file in files
            ),
        )


def _contradicted(file: MqscFile, name: str) -> Problem:
    return Problem(
        kind="not_read",
        path=file.path,
        line=file.cluster_queue_access.line if file.cluster_queue_access is not None else 1,
        text=f"says another ClusterQueueAccessControl than the other configuration files of queue manager {name}",
        next_step="Keep the one that the queue manager runs with",
        object=name,
    )


def _of_nobody(file: MqscFile) -> ScriptGroup:
    """A configuration file that does not say whose it is."""
    text = "does not say which queue manager it configures, as the path of the log would"
    step = "Say whose it is with --queue-manager NAME=PATH"
    problem = Problem(kind="not_read", path=file.path, line=1, text=text, next_step=step)
    return ScriptGroup(file.path, file.path, [file], (problem,))


def with_scripts(group: ScriptGroup, more: Iterable[MqscFile]) -> ScriptGroup:
    """A queue manager with more scripts, which run in the order of all its scripts."""
    return replace(group, scripts=sorted([*group.scripts, *more], key=_turn))


def is_phantom(script: MqscFile) -> bool:
    """Whether a script inside a file of another form defines nothing, so that the name of that file makes no queue
    manager of it.
    """
    if not script.embedded or script.queue_manager or script.asked is not None or script.dump or script.observed:
        return False
    kept_by_file = script.kept is None or script.kept.kind == "file"
    return kept_by_file and not script.elsewhere and all(command.verb == "DELETE" for command in script.commands)


def _turn(script: MqscFile) -> tuple[str, int, str]:
    place, turn = script.turn or (script.path, 0)
    return place, turn, script.path


def _guessed_groups(
    name: str,
    folders: Mapping[str, Sequence[MqscFile]],
    told: Mapping[str, list[MqscFile]],
    notices: dict[str, list[Problem]],
) -> list[ScriptGroup]:
    """The groups of scripts whose files' names make them ``name``; those in the folder of a file that says that it is
    of this queue manager join it, and so do those of any one folder where a dump says so. A dump confirms the name, so
    that there is nothing to tell.
    """
    if name not in told and len(folders) > 1 and _is_name_of_decks(name, folders.values()):
        folders = {"": [script for scripts in folders.values() for script in scripts]}
    groups: list[ScriptGroup] = []
    homes = {_folder(script.path) for script in told.get(name, ())}
    alone = name not in told and len(folders) == 1
    dumped = any(map(is_export, told.get(name, ())))
    for folder, found in folders.items():
        scripts = sorted(found, key=_turn)
        path = scripts[0].path
        if folder in homes:
            told[name].extend(scripts)
            if not dumped:
                text = f"does not name its queue manager, so its name and folder make it part of queue manager {name}"
                notices.setdefault(name, []).append(_guess(scripts, text, name))
        elif dumped and len(folders) == 1 and not any(map(is_export, scripts)):
            told[name].extend(scripts)
        elif alone:
            kept = scripts[0].kept
            by_file = kept is None or kept.kind == "file" or not _keeper_name(scripts[0])
            what = "file name" if by_file or kept is None else f"{kept.kind}'s name"
            text = f"does not name its queue manager, so its {what} is used: {name}"
            groups.append(ScriptGroup(name, name, scripts, (_guess(scripts, text, name),)))
        else:
            own = f"{name} ({path})"
            text = (
                f"does not name its queue manager, and other files claim the name {name}, so it counts as a separate "
                "queue manager"
            )
            groups.append(ScriptGroup(own, name, scripts, (_guess(scripts, text, own),)))
    return groups


def _keeper_name(script: MqscFile) -> str:
    """The name of what keeps a script; blank without any, and where a deployment tool fills it in."""
    name = script.kept.name if script.kept is not None else ""
    return "" if holds_template(name) else name


def _is_name_of_decks(name: str, folders: Iterable[Sequence[MqscFile]]) -> bool:
    """Whether files of several folders are decks from z/OS, and called like a queue manager there may be."""
    if _ZOS_NAME.fullmatch(name) is None:
        return False
    return all(is_export(script) and detect_platform([script]) == "zos" for scripts in folders for script in scripts)


def _guess(scripts: Sequence[MqscFile], text: str, name: str) -> Problem:
    comment = "QMNAME(NAME)" if detect_platform(scripts) == "zos" else "Queue manager name: NAME"
    step = f"Name it with --queue-manager NAME=PATH, or in the file with the comment * {comment}"
    return Problem(
        kind="guessed_name", path=scripts[0].path, text=text, next_step=step, queue_manager=name, object=name
    )


def _folder(path: str) -> str:
    return path.rpartition("/")[0]


def guessed_name(script: MqscFile) -> str:
    """The queue manager that a script may be of which names none: what keeps it suggests one, or its file's name."""
    return _keeper_name(script) or guess_name(script.path)


def guess_name(path: str) -> str:
    """The queue manager that a file's name suggests: ``QM1.mqsc``."""
    stem = PurePosixPath(path.rpartition("!/")[2]).name
    while "." in stem and stem.rpartition(".")[2].lower() in _SUFFIXES:
        stem = stem.rpartition(".")[0]
    return stem


_ZOS_NAME = re.compile(r"[A-Z@#$][A-Z0-9@#$]{0,3}")
_SUFFIXES = frozenset(
    {
        "mqsc",
        "mqs",
        "mq",
        "txt",
        "tst",
        "in",
        "out",
        "cfg",
        "def",
        "defs",
        "sql",
        "tpl",
        "j2",
        "gz",
        "dump",
        "ini",
        "yaml",
        "yml",
        "log",
        "json",
        "sh",
        "ksh",
        "jcl",
        "bash",
    }
)


def given_name(path: str, named: Mapping[str, str]) -> str | None:
    """The queue manager that the user gives a file, or the folder or archive that it is in."""
    for shown, name in named.items():
        if path == shown or path.startswith((f"{shown}/", f"{shown}!/")):
            return name
    return None
