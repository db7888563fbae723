"""Exports of one name that differ and lie in different folders: most likely dev, test and prod. Nothing is judged."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from lintmdb.errors import LintmdbError
from lintmdb.model.environment_names import name_in
from lintmdb.model.relations import LIBERTY_CELL, Export, Problem
from lintmdb.run.environment_lines import as_options, as_setting, gather
from lintmdb.run.environments import Environments

_SHOWN = 3
_UNFIT = re.compile(r"[^A-Za-z0-9._-]+")


class _Conflict(NamedTuple):
    """Exports of one cell or queue manager that differ."""

    what: str
    paths: Sequence[str]
    environment: str | None
    """The environment that all of them are in."""


class DifferingExportsError(LintmdbError):
    """Exports of one name that differ lie in different folders."""

    def __init__(self, conflicts: Sequence[_Conflict], entries: Sequence[tuple[str, str]]) -> None:
        self._conflicts = conflicts
        self._entries = entries
        folders = gather(entries)
        names = list(dict.fromkeys(conflict.what for conflict in conflicts))
        rest = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
        first, *others = conflicts[0].paths
        super().__init__(
            f"the exports of {', '.join(names[:_SHOWN])}{rest} differ: {first} from {', '.join(others[:_SHOWN])}",
            next_step="Give only the current export, or compare two with lintmdb diff. If folders are environments, "
            f"name them: {as_options(folders)}"
            f", or in lintmdb.toml: {as_setting(folders)}",
        )

    def together(self, other: DifferingExportsError) -> DifferingExportsError:
        """Both errors as one, so that what is to be pasted names the environments of both."""
        return DifferingExportsError([*self._conflicts, *other._conflicts], [*self._entries, *other._entries])


def refuse_conflicts(problems: Iterable[Problem], exports: Sequence[Export], environments: Environments) -> None:
    """Raises DifferingExportsError where exports of one queue manager or cell differ and lie in different folders, with
    what names these folders as environments beside those that are named. Exports that differ in one folder are a
    finding.
    """
    folders: dict[str, dict[str, None]] = {}
    apart: list[_Conflict] = []
    for conflict in _conflicts(problems):
        parting = _parting(conflict.paths)
        if parting:
            apart.append(conflict)
        for path in parting:
            # What is called alike in two environments is another one in each.
            around = f"{conflict.environment}-" if conflict.environment is not None else ""
            folders.setdefault(f"{around}{_name(path)}", {})[path] = None
    if not apart:
        return
    _add_alike(folders, [export.path for export in exports])
    found = [(name, path) for name, paths in folders.items() for path in paths]
    raise DifferingExportsError(apart, [*environments.entries, *found])


def _conflicts(problems: Iterable[Problem]) -> Iterator[_Conflict]:
    paths: dict[tuple[str, str | None], dict[str, None]] = {}
    for problem in problems:
        # A Liberty server is called alike on many hosts.
        if problem.kind == "conflicting_exports" and not (problem.object or "").startswith(LIBERTY_CELL):
            noun = "queue manager" if problem.queue_manager is not None else "cell"
            what = f"{noun} {name_in(problem.environment, problem.object or '(name unknown)')}"
            paths.setdefault((what, problem.environment), {})[problem.path] = None
    for (what, environment), found in sorted(paths.items(), key=lambda entry: entry[0][0]):
        yield _Conflict(what, sorted(found), environment)


def _steps(path: str) -> list[str]:
    """The folders of an export from the outermost on; an archive is one of them."""
    outer, archived, _ = path.partition("!/")
    steps = outer.split("/")
    return steps if archived or "cells" in steps else steps[:-1]


def _parting(paths: Sequence[str]) -> list[str]:
    """The outermost folders that hold some of the exports and not the others; none where they lie in one folder."""
    every = [_steps(path) for path in paths]
    parting = [number for number, steps in enumerate(zip(*every, strict=False)) if len(set(steps)) > 1]
    common = parting[0] if parting else min(map(len, every))
    if len(every) < 2 or any(len(steps) <= common or steps[common] == "cells" for steps in every):
        return []
    return list(dict.fromkeys("/".join(steps[: common + 1]) for steps in every))


def _name(path: str) -> str:
    """The name of an environment that a folder or an archive suggests."""
    stem = path.rpartition("/")[2]
    for suffix in (".gz", ".tar", ".tgz", ".zip", ".car"):
        stem = stem.removesuffix(suffix)
    return _UNFIT.sub("-", stem).strip("-._") or "environment"


def _add_alike(folders: dict[str, dict[str, None]], exports: Iterable[str]) -> None:
    """Add folders of other exports that are called alike: ``was/prod`` beside ``mq/prod``."""
    parting = [folder for known in folders.values() for folder in known]
    for path in exports:
        steps = _steps(path)
        for number in range(1, len(steps) + 1):
            folder = "/".join(steps[:number])
            known = folders.get(_name(folder))
            # A folder around them, as /prod of /prod/data/test, parts nothing.
            if known is not None and not any(other.startswith(f"{folder}/") for other in parting):
                if not any(folder == other or folder.startswith(f"{other}/") for other in known):
                    known[folder] = None
                break
