"""Reads the files of a configuration repository: which files count, their scopes, and the cells they make up."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from lintmdb.exports.was import applications, bus, name_bindings, resources, server, topology
from lintmdb.exports.was.application_files import ApplicationFile
from lintmdb.exports.was.cell_applications import Binary, CellApplications, noting
from lintmdb.exports.was.config_objects import ConfigObject, add_objects
from lintmdb.exports.was.listings import LISTINGS, group_objects, listed_cells, listing_form, read_listing, script_form
from lintmdb.exports.was.objects import CellConfig, Node, Scope, ServerConfig
from lintmdb.exports.was.unnamed_cells import join_cells
from lintmdb.exports.was.unpacked import installed_in
from lintmdb.model.relations import Problem

_ENHANCED = "META-INF/ibmconfig/"
_CELL = re.compile(r"(?:\A|/)cells/([^/]+)/(?!.*/cells/)")
_PLACES = tuple(
    re.compile(pattern)
    for pattern in (
        r"(?:cell|resources|variables|security|namebindings)\.xml\Z",
        r"nodes/(?P<node>[^/]+)/(?:node-metadata\.properties|(?:serverindex|resources|variables|namebindings)\.xml)\Z",
        r"nodes/(?P<node>[^/]+)/servers/(?P<server>[^/]+)/(?:server|resources|variables|sib-engines|namebindings)\.xml\Z",
        r"clusters/(?P<cluster>[^/]+)/(?:cluster|resources|variables|sib-engines|namebindings)\.xml\Z",
        r"buses/(?P<bus>[^/]+)/sib-destinations\.xml\Z",
        r"applications/[^/]+/deployments/(?P<application>[^/]+)/(?:deployment|resources|variables)\.xml\Z",
        (
            r"applications/[^/]+/deployments/(?P<application>[^/]+)/(?P<module>.+)/(?:META-INF|WEB-INF)/"
            r"(?:ejb-jar(?:_merged)?\.xml|ibm-ejb-jar-(?:bnd|ext)\.(?:xml|xmi))\Z"
        ),
        r"applications/(?P<edition>[^/]+)/(?:deployments/[^/]+/)?ibm-edition-metadata\.props\Z",
        r"applications/(?P<folder>[^/]+)/[^/]+\.ear\Z",
    )
)
_ROOT = re.compile(
    rb"<(?![?!])(?:[A-Za-z_][\w.-]*:)?([A-Za-z_][\w.-]*)(?=[\s/>])(?:[^<>]*?xmlns=[\"']([^\"']*)[\"'])?", re.DOTALL
)
_ARCHIVE = b"PK\x03\x04"
_COMMENT = re.compile(rb"<!--.*?(?:-->|\Z)|<\?.*?(?:\?>|\Z)|<!DOCTYPE[^>]*(?:>|\Z)", re.DOTALL)
_CHILD_KINDS = {
    b"Server": "server",
    b"JMSProvider": "resources",
    b"J2CResourceAdapter": "resources",
    b"JDBCProvider": "resources",
    b"MailProvider": "resources",
    b"URLProvider": "resources",
    b"SIBQueue": "sib-destinations",
    b"SIBTopicSpace": "sib-destinations",
    b"SIBMessagingEngine": "sib-engines",
    b"EJBJarBinding": "binding-xmi",
    b"EJBJarExtension": "extension",
}
_ROOT_KINDS = {
    **_CHILD_KINDS,
    b"ejb-jar": "ejb-jar",
    b"ejb-jar-bnd": "binding-xml",
    b"ejb-jar-ext": "extension",
    b"Deployment": "deployment",
    b"ServerCluster": "cluster",
    b"ServerIndex": "serverindex",
    b"VariableMap": "variables",
    b"Security": "security",
    b"Cell": "cell",
}
_NAMES = {
    "server.xml": "server",
    "resources.xml": "resources",
    "cell.xml": "cell",
    "node-metadata.properties": "node-metadata",
    "serverindex.xml": "serverindex",
    "cluster.xml": "cluster",
    "variables.xml": "variables",
    "namebindings.xml": "namebindings",
    "security.xml": "security",
    "sib-destinations.xml": "sib-destinations",
    "sib-engines.xml": "sib-engines",
    "deployment.xml": "deployment",
    "ibm-edition-metadata.props": "edition",
    "ejb-jar.xml": "ejb-jar",
    "ejb-jar_merged.xml": "ejb-jar",
    "ibm-ejb-jar-bnd.xml": "binding-xml",
    "ibm-ejb-jar-bnd.xmi": "binding-xmi",
    "ibm-ejb-jar-ext.xml": "extension",
    "ibm-ejb-jar-ext.xmi": "extension",
}


class _Place(NamedTuple):
    scope: Scope
    bus: str = ""
    application: str | None = None
    module: str = ""
    folder: str = ""
    """Of an application file: the folder below ``applications`` that it lies in."""
    edition: str = ""
    """The same of a file that says whether an edition of an application is active."""


def wanted(member: str) -> bool:
    """Whether lintmdb reads a repository file, judging by its path (``.../cells/CELL/...``)."""
    inner = _inner(member)
    return inner is not None and any(pattern.match(inner) for pattern in _PLACES)


def _place(member: str) -> tuple[str, _Place | None]:
    """The path below the cell and the place that it names; None for a file that lintmdb does not read."""
    inner = _inner(member)
    if inner is None:
        return member, None
    for pattern in _PLACES:
        match = pattern.match(inner)
        if match is not None:
            groups = match.groupdict()
            application = groups.get("application")
            scope = Scope(
                groups.get("cluster"),
                groups.get("node"),
                groups.get("server"),
                application if not groups.get("module") else None,
            )
            place = _Place(scope, groups.get("bus") or "", application, groups.get("module") or "")
            return inner, place._replace(folder=groups.get("folder") or "", edition=groups.get("edition") or "")
    return inner, None


def _inner(member: str) -> str | None:
    """The path below the cell; None outside a cell."""
    cell = _cell(member)
    # An enhanced EAR contains its own repository; deployment copied it into the real one.
    return None if cell is None or _ENHANCED in member else member[cell.end() :]


def _cell(path: str) -> re.Match[str] | None:
    """The cell that a path lies in. What looks like a cell inside an enhanced EAR is none."""
    return _CELL.search(path.partition(_ENHANCED)[0])


def looks_like_was(head: bytes) -> str | None:
    """The kind of a WebSphere file by its first bytes; None for others."""
    if b"com.ibm.websphere.baseProductVersion" in head and not head.lstrip().startswith(b"<"):
        return "node-metadata"
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        head = head.decode("utf-16", "ignore").encode()
    text = _COMMENT.sub(b"", head.removeprefix(b"\xef\xbb\xbf"))
    match = _ROOT.match(text.lstrip())
    if match is None:
        return listing_form(head)
    tag, namespace = match.group(1), match.group(2) or b""
    if tag == b"XMI":
        for child in _ROOT.finditer(text, match.end() + text.find(text.lstrip()[:1])):
            if child.group(1) in _CHILD_KINDS:
                return _CHILD_KINDS[child.group(1)]
        if b"websphere/appserver/schemas" in text:
            return "resources" if b"resources" in text else None
        return None
    if tag in (b"Server", b"Cell", b"Deployment", b"Security", b"ServerCluster", b"ServerIndex", b"VariableMap"):
        return _ROOT_KINDS[tag] if b"websphere" in text or b"omg.org/XMI" in text else None
    del namespace
    return _ROOT_KINDS.get(tag)


def read_cells(files: Iterable[tuple[str, Callable[[], bytes]]], *, tls: bool = True) -> list[CellConfig]:
    """Read files into cells. Loose files, which lie outside any cell's folder, form one cell without a name. Without
    ``tls`` activation specifications have none of their TLS settings.

    Each file is ``(shown path, reader)``. An unreadable file becomes a Problem of its cell and affects no other cell.
    """
    cells: dict[str, _CellReader] = {}
    undeployed: list[tuple[str, Callable[[], bytes]]] = []
    for path, read in files:
        if path.lower().endswith((".ear", "/")) and _cell(path) is None:
            undeployed.append((path, read))
        else:
            _reader_of(path, cells).read(path, read, tls=tls)
    undeployed += _pop_lone_files(cells)
    for path, read in undeployed:
        # The file of an application that some cell deploys, and whose repository was exported without it.
        name, inside = path.removesuffix("/").rpartition("/")[2], _cell(path)
        installed = inside.group(1) if inside else installed_in(path)
        deploying = [
            reader.applications
            for reader in cells.values()
            if installed in (None, reader.cell.name) and reader.applications.deploys(name)
        ]
        lacking = [found for found in deploying if name not in found.binaries]
        for found in lacking:
            found.binaries[name] = Binary("", path, read)
        # What is installed is unpacked from the file in the repository.
        if not lacking and not (installed and deploying):
            _reader_at("", path, None, cells).read(path, read, tls=tls)
    loose = cells.get("")
    listed = group_objects(loose.objects) if loose is not None else {}
    if loose is not None and None in listed:
        named = [reader.cell for reader in cells.values() if reader.cell.rooted]
        named += (cell for name, objects in listed.items() if name for cell in listed_cells(name, objects))
        joined = join_cells(listed.pop(None), named)
        loose.cell.problems.extend(joined.problems)
        for name, objects in group_objects(joined.objects).items():
            if name is None:
                loose.add(objects)
            else:
                listed.setdefault(name, []).extend(objects)
    found = [reader.finish() for reader in cells.values() if reader.cell.files or reader.cell.problems]
    for name, objects in listed.items():
        found += listed_cells(name or "", objects)
    return found


def _reader_of(path: str, cells: dict[str, _CellReader]) -> _CellReader:
    """The reader of the cell that a path lies in, or of loose files."""
    match = _cell(path)
    return _reader_at(path[: match.end() - 1] if match else "", path, match.group(1) if match else None, cells)


def _reader_at(root: str, path: str, name: str | None, cells: dict[str, _CellReader]) -> _CellReader:
    reader = cells.get(root)
    if reader is None:
        reader = cells[root] = _CellReader(CellConfig(root=root or path, name=name, rooted=bool(root)))
    return reader


def _pop_lone_files(cells: dict[str, _CellReader]) -> list[tuple[str, Callable[[], bytes]]]:
    """The files of applications that are named by themselves where the repository keeps them, which is not read."""
    lone = {
        root: reader
        for root, reader in cells.items()
        if reader.cell.rooted and not (reader.cell.files or reader.cell.problems or reader.objects)
    }
    for root in lone:
        del cells[root]
    return [(binary.path, binary.read) for reader in lone.values() for binary in reader.applications.binaries.values()]


class _CellReader:
    def __init__(self, cell: CellConfig) -> None:
        self.cell = cell
        self.applications = CellApplications(cell)
        self.objects: list[ConfigObject] = []
        """What listings tell, of cells that their text names."""

    def read(self, path: str, read: Callable[[], bytes], *, tls: bool) -> None:
        inner, place = _place(path)
        if place is not None and place.folder and self.cell.rooted:
            self.applications.binaries[place.folder] = Binary(inner, path, read)
            return
        if place is not None and place.application and self.cell.rooted:
            self.applications.folders[place.application] = inner.split("/")[1]
        with noting(self.cell, inner, path):
            data = read()
            if self.cell.rooted:
                kind = _NAMES.get(path.rpartition("/")[2])
            elif data.startswith(_ARCHIVE):
                self._undeployed(data, path)
                return
            else:
                inner, kind = path, looks_like_was(data[:8192]) or script_form(data, path)
                if kind in LISTINGS:
                    listed = read_listing(kind, data, path)
                    self.objects.extend(listed.objects)
                    self.cell.problems.extend(listed.problems)
                    return
                place = _loose_place(path, kind)
            if kind is not None and place is not None:
                self._dispatch(kind, data, path, place, tls=tls)
                self.cell.files.add(inner)

    def _dispatch(self, kind: str, data: bytes, path: str, place: _Place, *, tls: bool = True) -> None:
        cell, scope = self.cell, place.scope
        if kind == "server":
            config = server.read_server(data, path, scope)
            if config is not None:
                cell.servers.append(config)
                self._add_problems(config.problems)
        elif kind == "resources":
            self._add_resources(resources.read_resources(data, path, scope, tls=tls))
        elif kind == "namebindings":
            cell.name_bindings.extend(name_bindings.read_name_bindings(data, path, scope))
        elif kind == "variables":
            cell.variables.setdefault(scope, {}).update(topology.read_variables(data, path))
        elif kind in ("node-metadata", "serverindex"):
            name = scope.node or ""
            known = cell.nodes.get(name, Node(name))
            read = topology.read_node_metadata if kind == "node-metadata" else topology.read_serverindex
            cell.nodes[name] = read(data, path, known)
        elif kind == "cluster":
            cluster = topology.read_cluster(data, path, scope.cluster or "")
            cell.clusters[cluster.name] = cluster
        elif kind == "security":
            cell.aliases.update(topology.read_aliases(data, path))
        elif kind == "sib-destinations":
            cell.bus_destinations.extend(bus.read_destinations(data, path, place.bus))
            cell.buses.add(place.bus)
        elif kind == "sib-engines":
            cell.engines.extend(bus.read_engines(data, path, scope))
        else:
            self._read_of_application(kind, data, path, place)

    def _read_of_application(self, kind: str, data: bytes, path: str, place: _Place) -> None:
        if kind == "deployment":
            self._deployment(data, path, place.application)
        elif kind != "edition":
            self.applications.read_descriptor(kind, data, path, place.application, place.module)
        elif applications.is_inactive_edition(data):
            self.applications.inactive.add(place.edition)

    def _add_resources(self, found: resources.Resources) -> None:
        self.cell.activation_specs.extend(found.activation_specs)
        self.cell.destinations.extend(found.destinations)
        self.cell.connection_factories.extend(found.connection_factories)
        self._add_problems(found.problems)

    def _deployment(self, data: bytes, path: str, application: str | None) -> None:
        deployment = self.applications.deployments[application] = applications.read_deployment(data, path)
        if b"ConnectorModuleDeployment" in data:
            places = {
                uri: [Scope(cluster, node, server) for cluster, node, server in targets]
                or [Scope(application=application)]
                for uri, targets in deployment.modules.items()
            }
            self._add_resources(resources.read_embedded_adapters(data, path, places))

    def _add_problems(self, problems: Iterable[Problem]) -> None:
        self.cell.problems.extend(replace(problem, cell=self.cell.name) for problem in problems)

    def _undeployed(self, data: bytes, path: str) -> None:
        """An application file outside any cell: one that is not deployed yet."""
        file = ApplicationFile(data, path)
        name = self.applications.name_of(file)
        for descriptor in file.configuration():
            with noting(self.cell, path, descriptor.path):
                place = _Place(Scope(application=name), application=name)
                self._dispatch(_NAMES[descriptor.name], descriptor.data, descriptor.path, place)
        self.applications.read_whole(file, path, name)
        self.cell.files.add(path)

    def add(self, objects: Sequence[ConfigObject]) -> None:
        """Add listed objects that name no cell."""
        self.cell.files.update(entry.origin.path for entry in objects)
        add_objects(self.cell, objects)

    def finish(self) -> CellConfig:
        self.cell.applications.extend(self.applications.build())
        # A deployment manager has a transaction service but no message-driven beans; serverindex.xml gives its type.
        self.cell.servers = sorted(
            (s for s in self.cell.servers if self._type_of(s) in (None, "APPLICATION_SERVER")),
            key=lambda s: (s.scope.node or "", s.name),
        )
        self.cell.activation_specs.sort(key=lambda s: (*(part or "" for part in s.scope), s.name, s.origin))
        self.cell.destinations.sort(key=lambda d: (*(part or "" for part in d.scope), d.name, d.origin))
        self.cell.connection_factories.sort(key=lambda f: (*(part or "" for part in f.scope), f.name, f.origin))
        self.cell.bus_destinations.sort(key=lambda d: (d.bus, d.identifier, d.origin))
        self.cell.engines.sort(key=lambda e: (e.bus, e.name, e.origin))
        return self.cell

    def _type_of(self, config: ServerConfig) -> str | None:
        node = self.cell.nodes.get(config.scope.node or "")
        return node.servers.get(config.name) if node is not None and self.cell.rooted else None


def _loose_place(path: str, kind: str | None) -> _Place:
    """The place of a loose file. Descriptors in one folder, or in its META-INF or WEB-INF, form one module."""
    folder = path.rpartition("/")[0]
    if folder.rpartition("/")[2] in ("META-INF", "WEB-INF"):
        folder = folder.rpartition("/")[0]
    module = folder or "module"
    if kind == "node-metadata":
        return _Place(Scope(node=None))
    return _Place(Scope(), bus="", application=None, module=module)
