"""Listed objects that name no cell, beside cells that do: which cell they are of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from lintmdb.exports.was.config_objects import ConfigObject
from lintmdb.exports.was.objects import CellConfig, Scope
from lintmdb.model.relations import Problem

_MOST_NAMES = 3


class Joined(NamedTuple):
    """Objects that name no cell, after a look at the cells that are given."""

    objects: Sequence[ConfigObject]
    """Each with its cell, or without one where no cell is given."""
    problems: Sequence[Problem] = ()
    """One for each file whose objects may be of several cells, and are left out."""


def join_cells(objects: Iterable[ConfigObject], cells: Sequence[CellConfig]) -> Joined:
    """Give objects that name no cell the one that is given; of several the one that has the scopes of their file."""
    if not cells:
        return Joined(list(objects))
    files: dict[str, list[ConfigObject]] = {}
    for entry in objects:
        files.setdefault(entry.origin.path, []).append(entry)
    joined: list[ConfigObject] = []
    problems: list[Problem] = []
    for entries in files.values():
        fitting = [cell for cell in cells if all(_has(cell, entry.scope) for entry in entries)]
        if len({cell.name for cell in cells}) == 1:
            fitting = list(cells)
        if len({cell.name for cell in fitting}) == 1:
            joined += (_placed(entry, fitting) for entry in entries)
        else:
            problems.append(_unclear(entries[0], fitting or cells, fits=bool(fitting)))
    return Joined(joined, problems)


def _has(cell: CellConfig, scope: Scope) -> bool:
    """Whether the files of a cell have a scope. A script that tells none may mean any."""
    if scope.application:
        return any(path.startswith(f"applications/{scope.application}.ear/") for path in cell.files)
    if scope.cluster:
        return scope.cluster in cell.clusters or _has_folder(cell, f"clusters/{scope.cluster}/")
    if scope.server:
        node = cell.nodes.get(scope.node or "")
        known = node is not None and scope.server in node.servers
        return known or _has_folder(cell, f"nodes/{scope.node}/servers/{scope.server}/")
    return not scope.node or scope.node in cell.nodes or _has_folder(cell, f"nodes/{scope.node}/")


def _has_folder(cell: CellConfig, folder: str) -> bool:
    return any(path.startswith(folder) for path in cell.files)


def _placed(entry: ConfigObject, cells: Sequence[CellConfig]) -> ConfigObject:
    """An object of a cell; one whose scope is not told is that of its type and name there, if there is one."""
    scopes = {scope for cell in cells for scope in _scopes(cell, entry)} if entry.scope == Scope() else set[Scope]()
    return replace(entry, cell=cells[0].name, scope=scopes.pop() if len(scopes) == 1 else entry.scope)


def _scopes(cell: CellConfig, entry: ConfigObject) -> Iterable[Scope]:
    """The scopes at which a cell has an object of the kind and the name of a listed one."""
    if entry.type == "J2CActivationSpec":
        return [spec.scope for spec in cell.activation_specs if spec.name == entry.name]
    if entry.type == "ListenerPort":
        ports = ((server.scope, port.name) for server in cell.servers for port in server.listener_ports)
        return [scope for scope, name in ports if name == entry.name]
    resources = (*cell.destinations, *cell.connection_factories)
    return [resource.scope for resource in resources if resource.name == entry.name]


def _unclear(first: ConfigObject, cells: Sequence[CellConfig], *, fits: bool) -> Problem:
    names = sorted({cell.name or "" for cell in cells})
    more = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
    shown = f"{', '.join(names[:_MOST_NAMES])}{more}"
    reason = "several cells may be meant" if fits else "no cell that was read has their scopes"
    return Problem(
        kind="unreadable",
        path=first.origin.path,
        line=first.origin.line,
        column=first.origin.column,
        text=f"does not name the cell of its objects, and {reason}: {shown}",
        next_step=f"Name the cell in it: /Cell:{names[0]}/ in a script, Cell={names[0]} in a properties file",
    )
