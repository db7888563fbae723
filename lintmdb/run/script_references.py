"""Which scripts a queue manager asks for: those that a ConfigMap or Secret keeps for it, and those that are files.

A name of Kubernetes may be in several folders, one for each environment: the object in the same file is meant, else the
one in the same folder, else the nearest.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from fnmatch import fnmatchcase as fnmatch
from posixpath import normpath

from lintmdb.exports.mq import Asked, Kept, MqscFile
from lintmdb.exports.mq.ansible import source_places
from lintmdb.exports.mq.container_files import FILE
from lintmdb.exports.mq.embedded import doubt
from lintmdb.exports.mq.queue_manager_ini import SCRIPTS
from lintmdb.exports.mq.shell.scripts import INPUT, SOURCE
from lintmdb.model.relations import Problem

_IMAGE_FOLDER = "etc/mqm"
_FOLDER = "folder"
"""The kind of what keeps a script that runs with the others in its folder."""
_HASH = re.compile(r"-[2456789bcdfghkmt]{10}\Z")
"""What kustomize appends to the name of a ConfigMap or Secret that it generates: ten digits of a hash, some of them
replaced.
"""


def assign_scripts(scripts: Iterable[MqscFile]) -> list[MqscFile]:
    """The scripts with those that queue managers ask for given to them; what is asked for in vain is a problem of what
    asks. A script that several ask for runs for each; one that none asks for is left as it is.
    """
    every = in_image_folders(scripts)
    askers = [script for script in every if script.asked is not None]
    files = {
        script.path: script
        for script in every
        if (script.kept is None or script.kept.kind == _FOLDER) and script.asked is None
    }
    kept: dict[tuple[str, str], list[MqscFile]] = {}
    for script in every:
        if script.kept is not None:
            kept.setdefault((script.kept.kind, script.kept.name), []).append(script)
    taken: set[int] = set()
    reached: set[tuple[str, Kept]] = set()
    given: set[tuple[str | None, int]] = set()  # an image and what starts it may both ask for a script
    answered: set[tuple[str, int, int]] = set()
    assigned: list[MqscFile] = []
    for asker in askers:
        problems = list(asker.problems)
        runs: list[MqscFile] = []
        unresolved: dict[tuple[str, str], Problem] = {}
        for asked in asker.asked or ():
            reached.update(map(_object_of, _kept_scripts(asker, asked, kept)))
            found = list(_asked_scripts(asker, asked, kept, files))
            absent = sorted(_absent_files(asker, asked, kept, files))
            if (absent or not found) and asked.kind not in (FILE, INPUT):
                problems.append(_missing(asker, asked, absent))
            hashed = next((script.kept.name for script in found if script.kept is not None), asked.name)
            if found and asked.renamed:
                unresolved.setdefault((asked.kind, asked.name), _renamed(asker, asked))
            elif is_hashed(hashed, asked.name):
                unresolved.setdefault((asked.kind, asked.name), _hashed(asker, asked, hashed))
            if asked.conditional and found:
                answered.add((asker.path, asked.line, asked.column))
                asker = replace(asker, lost_commands=asker.lost_commands - (asked.kind == INPUT))
            runs += (
                _doubted(script) if asked.conditional else script
                for script in found
                if (asker.queue_manager, id(script)) not in given
            )
            given.update((asker.queue_manager, id(script)) for script in found)
            taken.update(map(id, found))
        problems += unresolved.values()
        told = len(problems) > len(asker.problems) or asker.lost_commands
        if not (runs or told) and all(asked.kind in (INPUT, SOURCE) for asked in asker.asked or ()) and asker.asked:
            continue
        # A script of a shell runs files between others.
        place_of_asker = asker.home or asker.path
        turn = asker.turn or (place_of_asker, 0)
        assigned.append(replace(asker, turn=turn, problems=problems))
        name = asker.queue_manager
        for place, script in enumerate(runs, 1):
            own = (place_of_asker, place) if asker.turn is None else turn
            assigned.append(replace(script, queue_manager=name or script.queue_manager, turn=own))
    unrun = [
        (script, meant)
        for script in every
        if script.kept is not None and script.kept.kind != _FOLDER and _object_of(script) in reached
        if (meant := files.get(script.elsewhere, script)).queue_manager is None and id(meant) not in taken
        if meant is script or script.elsewhere
    ]
    dropped = {id(meant) for _, meant in unrun}
    if unrun and assigned:
        unread = [_unrun(script, meant) for script, meant in unrun]
        assigned[0] = replace(assigned[0], problems=[*assigned[0].problems, *unread])
    assigned = [_without(script, answered) for script in assigned]
    rest = (script for script in every if script.asked is None and not script.elsewhere and id(script) not in taken)
    return [*assigned, *(_without(script, answered) for script in rest if id(script) not in dropped)]


def _doubted(script: MqscFile) -> MqscFile:
    """A script of which nobody knows whether it runs."""
    copy = replace(script, commands=list(script.commands))
    doubt(copy)
    return copy


def _without(script: MqscFile, answered: Set[tuple[str, int, int]]) -> MqscFile:
    """A script without the problems about files that somebody reads after all."""
    problems = [
        problem
        for problem in script.problems
        if problem.kind != "undecided_command" or (problem.path, problem.line, problem.column) not in answered
    ]
    return script if len(problems) == len(script.problems) else replace(script, problems=problems)


def is_hashed(name: str, plain: str) -> bool:
    """Whether a name is a plain one with a hash of kustomize behind it."""
    return name != plain and name.startswith(plain) and _HASH.sub("", name) == plain


def _object_of(script: MqscFile) -> tuple[str, Kept]:
    """The object that keeps a script, and the file that has it."""
    kept = script.kept or Kept("", "", "", "")
    return script.home or script.path, kept._replace(key="")


def _unrun(script: MqscFile, meant: MqscFile) -> Problem:
    """A key of an object whose other keys run. What it holds is that of no queue manager."""
    kept = script.kept or Kept("", "", "", "")
    first = min((command.line for command in meant.commands), default=1)
    return Problem(
        kind="not_read",
        path=meant.path,
        line=first,
        column=1,
        text=f"{kept.key} of {kept.kind} {kept.name} is not read: queue managers run other keys of it",
        next_step="If one runs this key, too, name it where the others are named",
        object=kept.name,
    )


def in_image_folders(scripts: Iterable[MqscFile]) -> list[MqscFile]:
    """Scripts with a turn for those that IBM's container image runs: all in a folder ``etc/mqm`` are one queue manager,
    in the order of their names. A dump among them says which; without one the folder that has ``etc`` gives the name.
    """
    every = list(scripts)
    names: dict[str, set[str]] = {}
    for script in every:
        if script.queue_manager and (folder := _image_folder(script)):
            names.setdefault(folder, set()).add(script.queue_manager)
    result: list[MqscFile] = []
    for script in every:
        folder = _image_folder(script)
        if not folder or script.queue_manager:
            result.append(script)
            continue
        told = names.get(folder, set())
        place = folder.removesuffix(_IMAGE_FOLDER).rstrip("/").rpartition("/")[2]
        result.append(
            replace(
                script,
                queue_manager=next(iter(told)) if len(told) == 1 else None,
                kept=Kept(_FOLDER, "", place or "mqm", script.path),
                turn=(folder, 0),
            )
        )
    return result


def _image_folder(script: MqscFile) -> str:
    """The folder of a script that an image runs as it is; blank for any other."""
    folder = script.path.rpartition("/")[0]
    runs = not script.embedded and f"/{folder}".endswith(f"/{_IMAGE_FOLDER}")
    return folder if runs else ""


def _asked_scripts(
    asker: MqscFile,
    asked: Asked,
    kept: Mapping[tuple[str, str], Sequence[MqscFile]],
    files: Mapping[str, MqscFile],
) -> Iterator[MqscFile]:
    """The scripts that are meant, in the order of their keys or names."""
    if asked.kind in (SCRIPTS, FILE, INPUT, SOURCE):
        named = (None, asker.queue_manager)
        found = [script for script in files.values() if not script.embedded and script.queue_manager in named]
        if asked.kind == INPUT:
            found = _input_at(asker.path, asked.name, found)
        elif asked.kind == SOURCE:
            found = _source_at(asker.path, asked, found)
        elif asked.kind == SCRIPTS:
            found = _files_at(asker.path, asked.name, found)
        else:
            found = [each for each in found if fnmatch(each.path, asked.name) or _is_in(each.path, asked.name)]
        yield from sorted(found, key=lambda script: script.path)
        return
    for script in _kept_scripts(asker, asked, kept):
        if not script.elsewhere:
            yield script
        elif script.elsewhere in files:
            yield files[script.elsewhere]


def _kept_scripts(
    asker: MqscFile, asked: Asked, kept: Mapping[tuple[str, str], Sequence[MqscFile]]
) -> Sequence[MqscFile]:
    """What keeps the scripts that are meant: an object with the name, or else with a hash behind it."""
    named = kept.get((asked.kind, asked.name)) or [
        script
        for (kind, name), scripts in kept.items()
        if kind == asked.kind and is_hashed(name, asked.name)
        for script in scripts
    ]
    return nearest(asker.home or asker.path, [script for script in named if _fits(script, asked)])


def _absent_files(
    asker: MqscFile,
    asked: Asked,
    kept: Mapping[tuple[str, str], Sequence[MqscFile]],
    files: Mapping[str, MqscFile],
) -> set[str]:
    """The files of ``envs`` that were not read and may have what is asked for: all keys, or one that is not there."""
    if asked.kind in (SCRIPTS, FILE, INPUT, SOURCE):
        return set()
    scripts = _kept_scripts(asker, asked._replace(key=None), kept)
    if asked.key is not None and any(script.kept and script.kept.key == asked.key for script in scripts):
        return set()
    return {script.elsewhere for script in scripts if script.kept and not script.kept.key and script.elsewhere}


def _files_at(path: str, place: str, scripts: Sequence[MqscFile]) -> list[MqscFile]:
    """The scripts that are a file or lie in a folder, as a path of the queue manager's computer names it: below any
    root, or else beside the file ``path`` that names it.
    """
    place = place.rstrip("/")
    for end in (f"/{place.lstrip('/')}", f"/{path}".rpartition("/")[0] + f"/{place.rpartition('/')[2]}"):
        found = [script for script in scripts if _is_at(script.path, end)]
        if found:
            return found
    return []


def _input_at(path: str, name: str, scripts: Sequence[MqscFile]) -> list[MqscFile]:
    """The one script that a shell script reads: beside it, or else at the place that it names. Of several none is."""
    place = beside(path, name)
    found = [script for script in scripts if script.path == place] or _files_at(path, name, scripts)
    return found if len(found) == 1 else []


def beside(path: str, name: str) -> str:
    """The path of a file that another one names by a path from its own folder."""
    folder = path.rpartition("/")[0]
    return normpath(f"{folder}/{name}" if folder and not name.startswith("/") else name)


def _source_at(path: str, asked: Asked, scripts: Sequence[MqscFile]) -> list[MqscFile]:
    """The one script that Ansible copies: the first in the order in which it looks."""
    known = {script.path: script for script in scripts}
    return [known[place] for place in source_places(path, asked.name, asked.namespace) if place in known][:1]


def _is_in(path: str, folder: str) -> bool:
    return path.rpartition("/")[0] == folder


def _is_at(path: str, end: str) -> bool:
    return f"/{path}".endswith(end) or f"/{path}".rpartition("/")[0].endswith(end)


def _fits(script: MqscFile, asked: Asked) -> bool:
    if script.kept is None:
        return False
    same_place = not asked.namespace or not script.kept.namespace or asked.namespace == script.kept.namespace
    return same_place and asked.key in (None, script.kept.key)


def nearest(path: str, candidates: Sequence[MqscFile]) -> list[MqscFile]:
    """Those candidates that lie together in the file that is nearest to a path, in the order of their keys. Of several
    that are equally near none is: nobody knows which is meant.
    """
    if not candidates:
        return []
    by_file: dict[str, list[MqscFile]] = {}
    for script in candidates:
        by_file.setdefault(script.home or script.path, []).append(script)
    best = max(_nearness(path, other) for other in by_file)
    files = [other for other in by_file if _nearness(path, other) == best]
    if len(files) > 1:
        return []
    found = by_file[files[0]]
    keys = [script.kept.key for script in found if script.kept is not None]
    return (
        sorted(found, key=lambda script: script.kept.key if script.kept else "") if len(set(keys)) == len(keys) else []
    )


def _nearness(path: str, other: str) -> tuple[int, int]:
    """How near two files are: in the same place first, then by the folders that they share."""
    one, two = path.split("/")[:-1], other.split("/")[:-1]
    shared = next((n for n, (a, b) in enumerate(zip(one, two, strict=False)) if a != b), min(len(one), len(two)))
    return (2 if path == other else 1 if one == two else 0, shared)


def _hashed(asker: MqscFile, asked: Asked, name: str) -> Problem:
    """What a queue manager asks for by the name that it has before kustomize appends a hash."""
    return Problem(
        kind="unresolved_name",
        path=asker.path,
        line=asked.line,
        column=asked.column,
        text=f"{_runner(asker)} runs {asked.kind} {asked.name}, which is {name} here: kustomize adds a hash to the "
        "name and leaves the reference in a QueueManager as it is, so the cluster would not find it",
        next_step="Set generatorOptions.disableNameSuffixHash, or a nameReference",
        queue_manager=asker.queue_manager,
        object=asked.name,
    )


def _renamed(asker: MqscFile, asked: Asked) -> Problem:
    """What a queue manager asks for by the name that it has before kustomize adds a prefix or a suffix."""
    return Problem(
        kind="unresolved_name",
        path=asker.path,
        line=asked.line,
        column=asked.column,
        text=f"{_runner(asker)} runs {asked.kind} {asked.name}, which is {asked.renamed} here: kustomize adds a prefix "
        "or a suffix to the name and leaves the reference in a QueueManager as it is, so the cluster would not find it",
        next_step="Add a nameReference with configurations, or remove namePrefix and nameSuffix",
        queue_manager=asker.queue_manager,
        object=asked.name,
    )


def _runner(asker: MqscFile) -> str:
    return f"queue manager {asker.queue_manager}" if asker.queue_manager else "the queue manager"


def _missing(asker: MqscFile, asked: Asked, absent: Sequence[str]) -> Problem:
    """What a queue manager asks for and no file has, or several that are equally near, or an ``absent`` one."""
    what = asked.name if asked.kind == SOURCE else f"{asked.kind} {asked.name}"
    what += f" with {asked.key}" if asked.key else ""
    return Problem(
        kind="not_read",
        path=asker.path,
        line=asked.line,
        column=asked.column,
        text=f"{what}, which {_runner(asker)} runs, is made of {' and '.join(absent)}, which was not read"
        if absent
        else f"{what}, which {_runner(asker)} runs, was not read: no file has it, or several that are equally near",
        next_step="Provide the folder that has it"
        + ("" if asked.kind == SOURCE else ", or what kubectl kustomize or helm template prints"),
        queue_manager=asker.queue_manager,
        object=asked.name,
    )
