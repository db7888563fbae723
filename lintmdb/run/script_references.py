"""Which scripts a queue manager asks for: those that a ConfigMap or Secret keeps for it, and those that are files.

A name of Kubernetes may be in several folders, one for each environment: the object in the same file is meant, else the
one in the same folder, else the nearest.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from lintmdb.exports.mq import Asked, MqscFile
from lintmdb.model.relations import Problem


def assign_scripts(scripts: Iterable[MqscFile]) -> list[MqscFile]:
    """The scripts with those that queue managers ask for given to them; what is asked for in vain is a problem of what
    asks. A script that several ask for runs for each; one that none asks for is left as it is.
    """
    every = list(scripts)
    askers = [script for script in every if script.asked is not None]
    files = {script.path: script for script in every if script.kept is None and script.asked is None}
    kept: dict[tuple[str, str], list[MqscFile]] = {}
    for script in every:
        if script.kept is not None:
            kept.setdefault((script.kept.kind, script.kept.name), []).append(script)
    taken: set[int] = set()
    assigned: list[MqscFile] = []
    for asker in askers:
        problems = list(asker.problems)
        runs: list[MqscFile] = []
        for asked in asker.asked or ():
            found = list(_asked_scripts(asker, asked, kept, files))
            if not found:
                problems.append(_missing(asker, asked))
            runs += found
        taken.update(map(id, runs))
        assigned.append(replace(asker, turn=(asker.path, 0), problems=problems))
        name = asker.queue_manager
        for place, script in enumerate(runs, 1):
            assigned.append(replace(script, queue_manager=name or script.queue_manager, turn=(asker.path, place)))
    rest = (script for script in every if script.asked is None and not script.elsewhere and id(script) not in taken)
    return [*assigned, *rest]


def _asked_scripts(
    asker: MqscFile,
    asked: Asked,
    kept: Mapping[tuple[str, str], Sequence[MqscFile]],
    files: Mapping[str, MqscFile],
) -> Iterator[MqscFile]:
    """The scripts that are meant, in the order of their keys."""
    candidates = [script for script in kept.get((asked.kind, asked.name), ()) if _fits(script, asked)]
    for script in nearest(asker.path, candidates):
        if not script.elsewhere:
            yield script
        elif script.elsewhere in files:
            yield files[script.elsewhere]


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
        by_file.setdefault(script.path, []).append(script)
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


def _missing(asker: MqscFile, asked: Asked) -> Problem:
    """What a queue manager asks for and no file has, or several that are equally near."""
    what = f"{asked.kind} {asked.name}" + (f" with {asked.key}" if asked.key else "")
    who = f"queue manager {asker.queue_manager}" if asker.queue_manager else "the queue manager"
    return Problem(
        kind="not_read",
        path=asker.path,
        line=asked.line,
        column=asked.column,
        text=f"{what}, which {who} runs, was not read: no file has it, or several that are equally near",
        next_step="Provide the folder that has it, or what kubectl kustomize or helm template prints",
        queue_manager=asker.queue_manager,
        object=asked.name,
    )
