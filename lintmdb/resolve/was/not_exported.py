"""Nodes, servers and clusters that the files of a cell name and that its export lacks: what runs there is not known."""

from __future__ import annotations

from collections.abc import Iterator

from lintmdb.exports.was.objects import CellConfig
from lintmdb.model.relations import Problem

_NEXT_STEP = "Export the whole cell: a backupConfig archive, or the profile's config folder"


def lacking(cell: CellConfig) -> list[Problem]:
    """One Problem for each node, server and cluster that a repository names and has no file of, and for each without
    its resources.xml; empty for loose files and for Liberty, which name no others.
    """
    if not cell.rooted or cell.kind == "liberty":
        return []
    return [
        Problem(
            kind="not_exported",
            path=cell.root,
            text=f"the export of cell {cell.name} lacks {what}, so not all that runs there is known",
            next_step=_NEXT_STEP,
            cell=cell.name,
            object=what,
        )
        for what in (*_clusters(cell), *_servers(cell), *_resources(cell))
    ]


def _clusters(cell: CellConfig) -> Iterator[str]:
    named = {server.cluster for server in cell.servers}
    named |= {cluster for cluster, _, _ in _targets(cell)}
    for name in sorted(filter(None, named)):
        if not _given(cell, f"clusters/{name}/cluster.xml"):
            yield f"cluster {name}"


def _servers(cell: CellConfig) -> Iterator[str]:
    """``node N (servers A, B)`` for a node without any file, else each server of it without a server.xml."""
    named = {member for cluster in cell.clusters.values() for member in cluster.members}
    named |= {(node, server) for _, node, server in _targets(cell) if server}
    by_node: dict[str, list[str]] = {}
    for node, server in named:
        if node and server and _may_run_beans(cell, node, server):
            by_node.setdefault(node, []).append(server)
    for node in cell.nodes.values():
        own = by_node.setdefault(node.name, [])
        own += [server for server, kind in node.servers.items() if kind == "APPLICATION_SERVER" and server not in own]
    for node, servers in sorted(by_node.items()):
        missing = sorted(server for server in servers if not _given(cell, f"nodes/{node}/servers/{server}/server.xml"))
        if missing and not any(path.startswith(f"nodes/{node}/") for path in cell.files | cell.unreadable):
            yield f"node {node} ({'servers' if len(missing) > 1 else 'server'} {', '.join(missing)})"
        else:
            yield from (f"server {server} of node {node}" for server in missing)


def _resources(cell: CellConfig) -> Iterator[str]:
    """The resources.xml of clusters with members, nodes and servers whose own files were exported without it."""
    places = {f"clusters/{name}": f"cluster {name}" for name, cluster in cell.clusters.items() if cluster.members}
    folders = {folder: what for folder, what in places.items() if _given(cell, f"{folder}/cluster.xml")}
    for server in cell.servers:
        node = server.scope.node
        folder = f"nodes/{node}/servers/{server.name}"
        if node and _given(cell, f"{folder}/server.xml"):
            folders[f"nodes/{node}"] = f"node {node}"
            folders[folder] = f"server {server.name} of node {node}"
    for folder, what in folders.items():
        if not _given(cell, f"{folder}/resources.xml"):
            yield f"the resources.xml of {what}"


def _targets(cell: CellConfig) -> Iterator[tuple[str | None, str | None, str | None]]:
    """Cluster, node and server of everything that an application is deployed on."""
    for application in cell.applications:
        for module in application.modules:
            yield from module.targets


def _may_run_beans(cell: CellConfig, node: str, server: str) -> bool:
    """Whether a server is no web server or the like, as far as serverindex.xml of its node says."""
    known = cell.nodes.get(node)
    return known is None or known.servers.get(server) in (None, "APPLICATION_SERVER")


def _given(cell: CellConfig, path: str) -> bool:
    return path in cell.files or path in cell.unreadable
