"""What joins, or does not, by a queue manager's name alone: names that differ in case, and folders that differ."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from lintmdb.exports.mq.kustomized_files import is_kustomization, lies_in
from lintmdb.model.facts import Facts
from lintmdb.model.relations import Endpoint, Problem


class Base(NamedTuple):
    """A folder that a kustomization of an environment is made of and that was not read in it."""

    environment: str | None
    folder: str
    path: str
    """Of the kustomization."""


def kustomized_bases(problems: Iterable[Problem]) -> list[Base]:
    """The folders that kustomizations are made of and that were not read, as problems of some environments tell."""
    return [
        Base(problem.environment, problem.object, problem.path)
        for problem in problems
        if problem.kind == "not_read" and problem.object and is_kustomization(problem.path)
    ]


def join_notices(facts: Facts, roots: Sequence[str], bases: Collection[Base] = ()) -> Iterator[Problem]:
    """What a reader has to know about the names of queue managers; ``roots`` are the paths that the user named. A queue
    manager of one of the ``bases`` is none of that environment before kustomize has made it, as another notice says.
    """
    environments = {row.environment for row in facts.rows["export"]}
    for environment in sorted(environments, key=lambda name: name or ""):
        for problem in _of_environment(facts if len(environments) == 1 else _only(facts, environment), roots):
            yield replace(problem, environment=environment)
    if None in environments and len(environments) > 1:
        yield from _left_apart(facts, bases)


def _left_apart(facts: Facts, bases: Collection[Base]) -> Iterator[Problem]:
    """Queue managers in no environment whose names endpoints of some environment use, and no export there has."""
    managers = {
        (export.environment, export.name): export.path
        for export in facts.rows["export"]
        if export.kind == "queue_manager" and export.name
    }
    lacking = {
        (row.queue_manager, row.environment)
        for row in facts.rows["endpoint"]
        if row.environment and row.queue_manager and (row.environment, row.queue_manager) not in managers
    }
    for name, environment in sorted((name, environment or "") for name, environment in lacking):
        path = managers.get((None, name))
        below = [base.folder for base in bases if base.environment == environment]
        if path is not None and not lies_in(path, below):
            yield Problem(
                kind="in_no_environment",
                path=path,
                text=f"queue manager {name} is in no environment, and endpoints of environment {environment} name it",
                next_step=f"If they use this one: --environment {environment}={path}",
                queue_manager=name,
                object=f"{name} {environment}",
            )


def _only(facts: Facts, environment: str | None) -> Facts:
    """The exports and endpoints of one environment."""
    own = Facts()
    for table in ("export", "endpoint"):
        own.rows[table] = [row for row in facts.rows[table] if row.environment == environment]
    return own


def _of_environment(facts: Facts, roots: Sequence[str]) -> Iterator[Problem]:
    exports = {
        export.name: export.path for export in facts.rows["export"] if export.kind == "queue_manager" and export.name
    }
    if not exports:
        return
    yield from _other_case(facts, exports)
    yield from _other_folders(facts, exports, roots)


def _other_case(facts: Facts, exports: dict[str, str]) -> Iterator[Problem]:
    """Names that endpoints use and nothing exports, where the name of an export differs in case only."""
    used = {row.queue_manager: row for row in facts.rows["endpoint"] if row.queue_manager}
    exported = {name.upper(): name for name in exports}
    for name, endpoint in sorted(used.items()):
        other = exported.get(name.upper())
        if name in exports or other is None:
            continue
        path = exports[other]
        if other in used:
            yield Problem(
                kind="name_differs_in_case",
                path=path,
                text=f"{endpoint.name} names queue manager {name}, but what was read is {other}",
                next_step=f"Correct the name in {endpoint.name}: queue manager names are case-sensitive",
                queue_manager=other,
                object=name,
            )
            continue
        yield Problem(
            kind="name_differs_in_case",
            path=path,
            text=f"queue manager {other} was read but no endpoint names it, and {endpoint.name} names {name}",
            next_step=f"If they are the same: --queue-manager {name}={path}",
            queue_manager=other,
            object=name,
        )


def _other_folders(facts: Facts, exports: dict[str, str], roots: Sequence[str]) -> Iterator[Problem]:
    """Cells that join a queue manager of another top-level folder, where the folders are no division by product: one of
    them holds both a cell and a queue manager.
    """
    cells = {export.name: _top(export.path, roots) for export in facts.rows["export"] if export.kind == "cell"}
    managers = {name: _top(path, roots) for name, path in exports.items()}
    mixed = {*cells.values()} & {*managers.values()}
    told: set[tuple[str | None, str | None]] = set()
    for endpoint in facts.rows["endpoint"]:
        name = endpoint.queue_manager
        if name is None or name not in managers or (endpoint.cell, name) in told:
            continue
        here, there = cells.get(endpoint.cell), managers[name]
        if here and there and here != there and mixed & {here, there}:
            told.add((endpoint.cell, name))
            yield _crossing(endpoint, name, exports[name], here)


def _crossing(endpoint: Endpoint, name: str, path: str, here: str) -> Problem:
    text = f"queue manager {name} is joined with cell {endpoint.cell} of another folder, {here}, by its name alone"
    step = "If the folders are environments, name them with --environment NAME=PATH"
    return Problem(kind="joined_across_folders", path=path, text=text, next_step=step, queue_manager=name, object=name)


def _top(path: str, roots: Sequence[str]) -> str | None:
    """The first folder below the named one that a path is in, with the named one; None for what was named itself."""
    for root in roots:
        prefix = "" if root == "." else root.rstrip("/") + "/"
        if path.startswith(prefix) and "/" in path[len(prefix) :]:
            return prefix + path[len(prefix) :].partition("/")[0]
    return None
