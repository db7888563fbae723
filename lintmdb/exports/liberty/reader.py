"""Liberty servers from files: which files make up a server, in which order they count, and what is not there."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from lintmdb.errors import UnreadableError
from lintmdb.exports.liberty.files import (
    BOOTSTRAP,
    DEFAULTS,
    ENVIRONMENT,
    OVERRIDES,
    SERVER_FILE,
    VARIABLES,
    dropins_of,
    is_companion,
    server_name,
    shared_environments,
    variables_of,
)
from lintmdb.exports.liberty.merging import Configuration, Conflict
from lintmdb.exports.liberty.objects import fill_cell
from lintmdb.exports.liberty.variables import LibertyVariables, read_assignments, read_variable_file
from lintmdb.exports.was.cell_applications import note_unreadable
from lintmdb.exports.was.objects import CellConfig
from lintmdb.exports.xml import Document, Element, parse_xml
from lintmdb.model.origins import Origin, Setting
from lintmdb.model.relations import LIBERTY_CELL, Problem

_CONFLICTS: Mapping[str, Conflict] = {"merge": "merge", "replace": "replace", "ignore": "ignore"}
_DEEPEST = 30
_MOST_INCLUDES = 1000
"""So many files one server takes in: files that include each other many times would never end."""


def read_liberty(files: Iterable[tuple[str, Callable[[], bytes]]]) -> list[CellConfig]:
    """Read files into servers, each a cell of its own. Each file is ``(shown path, reader)``.

    A file that cannot be read is a Problem of each server that needs it; of its own where no server does.
    """
    library = _Library()
    for path, read in files:
        library.read(path, read)
    included: set[str] = set()
    servers = [_Server(path, library) for path in library.roots()]
    for server in servers:
        server.gather()
        included |= (server.cell.files | server.perhaps) - {server.path}
    # What a server.xml beside them does not include is not a server: nobody uses it.
    alone = [server for server in servers if server.is_server or server.path not in included]
    beside = {posixpath.dirname(server.path) for server in alone if server.is_server}
    cells = [server.finish() for server in alone if server.is_server or not _below(server.path, beside)]
    if cells:
        unused = library.files().difference(*(cell.files for cell in cells), *(server.perhaps for server in alone))
        cells[0].problems.extend(_unused(path) for path in sorted(unused) if _below(path, beside))
    return cells


def _below(path: str, folders: set[str]) -> bool:
    folder = posixpath.dirname(path)
    while folder not in folders:
        if not folder or folder == "/":
            return False
        folder = posixpath.dirname(folder)
    return True


def _unused(path: str) -> Problem:
    text = "was not read: it is a configuration file of Liberty that no server.xml includes"
    return Problem(kind="not_read", path=path, text=text, next_step="Provide the server.xml that includes it")


class _Library:
    """The files that were given, each read once."""

    def __init__(self) -> None:
        self.documents: dict[str, Document] = {}
        self.assignments: dict[str, dict[str, Setting]] = {}
        self.broken: dict[str, UnreadableError] = {}
        self.folders: dict[str, list[str]] = {}
        """The configuration files, readable or not, by folder."""

    def read(self, path: str, read: Callable[[], bytes]) -> None:
        companion, folder = is_companion(path), variables_of(path)
        if not companion:
            self.folders.setdefault(posixpath.dirname(path), []).append(path)
        try:
            data = read()
            if folder is not None:
                name = path.removeprefix(f"{folder}/").removeprefix(f"{VARIABLES}/")
                self.assignments[path] = read_variable_file(data, path, name)
            elif companion:
                self.assignments[path] = read_assignments(data, path)
            else:
                self.documents[path] = parse_xml(data, path, text=True)
        except UnreadableError as error:
            self.broken[path] = error

    def __contains__(self, path: str) -> bool:
        return path in self.documents or (path in self.broken and not is_companion(path))

    def files(self) -> set[str]:
        """The configuration files, readable or not."""
        return {path for paths in self.folders.values() for path in paths}

    def variable_files(self, folder: str) -> list[str]:
        """The files of a server's folder ``variables``, readable or not, sorted."""
        return sorted(path for path in {*self.assignments, *self.broken} if variables_of(path) == folder)

    def roots(self) -> list[str]:
        """Files that may be a server: all but drop-ins. A file that another one includes turns out to be none."""
        return sorted(path for path in self.files() if dropins_of(path) is None)

    def dropins(self, folder: str, part: str) -> list[str]:
        """The drop-ins of a server in the order in which they count."""
        found = self.folders.get(posixpath.join(folder, part), [])
        return sorted(found, key=lambda path: posixpath.basename(path).lower())

    def below(self, folder: str) -> list[str]:
        """The configuration files of one folder, by name."""
        return sorted(self.folders.get(folder.rstrip("/"), []))


@dataclass(slots=True)
class _Server:
    """One server while its files are put together."""

    path: str
    library: _Library
    configuration: Configuration = field(default_factory=Configuration)
    cell: CellConfig = field(init=False)
    variables: LibertyVariables = field(init=False)
    includes: int = 0
    """How many includes were followed."""
    perhaps: set[str] = field(default_factory=set[str])
    """Files that it may include: what their locations mean is not certain."""

    def __post_init__(self) -> None:
        folder = posixpath.dirname(self.path)
        name = server_name(self.path)
        self.cell = CellConfig(root=self.path, name=f"{LIBERTY_CELL}{name}", rooted=False, kind="liberty")
        user = posixpath.normpath(posixpath.join(folder, "../.."))
        places = {
            "server.config.dir": folder or ".",
            "wlp.user.dir": user,
            "shared.config.dir": posixpath.join(user, "shared/config"),
            "wlp.server.name": name,
        }
        environment, bootstrap = (self._companion(posixpath.join(folder, file)) for file in (ENVIRONMENT, BOOTSTRAP))
        for path in reversed(shared_environments(self.path)):
            environment = {**self._companion(path), **environment}
        files: dict[str, Setting] = {}
        for path in self.library.variable_files(folder):
            files.update(self._companion(path))
        self.variables = LibertyVariables(environment, bootstrap, files, places)

    @property
    def is_server(self) -> bool:
        """Whether its name says that it is a server."""
        return posixpath.basename(self.path) == SERVER_FILE

    def _companion(self, path: str) -> Mapping[str, Setting]:
        if path in self.library.assignments:
            self.cell.files.add(path)
        if path in self.library.broken:
            note_unreadable(self.cell, path, path, self.library.broken[path])
        return self.library.assignments.get(path, {})

    def gather(self) -> None:
        """Read its files in the order in which they count: the defaults, server.xml, the overrides."""
        folder = posixpath.dirname(self.path)
        parts = (self.library.dropins(folder, DEFAULTS), [self.path], self.library.dropins(folder, OVERRIDES))
        if not self.is_server:
            parts = ([self.path],)
        for paths in parts:
            for path in paths:
                self._read(path, "merge", (), frozenset())

    def _read(
        self, path: str, conflict: Conflict, including: tuple[str, ...], earlier: frozenset[tuple[str, str]]
    ) -> None:
        document = self.library.documents.get(path)
        self.cell.files.add(path)
        if document is None:
            note_unreadable(self.cell, path, path, self.library.broken[path])
            self._skip(conflict, Origin(path, 0, 0, ""))
            return
        for element in document.root.children:
            if element.tag == "include":
                self._include(document, element, (*including, path), conflict)
            elif element.tag == "variable":
                self._variable(document, element)
            else:
                self.configuration.add(document, element, conflict, earlier)

    def _variable(self, document: Document, element: Element) -> None:
        attributes = {name.lower(): name for name in element.attributes}
        name = element.get(attributes.get("name", "name")).strip()
        if not name:
            return
        value, default = (
            Setting(element.get(written), document.attribute_origin(element, written, f"variable {name}"))
            if (written := attributes.get(key)) is not None
            else None
            for key in ("value", "defaultvalue")
        )
        self.variables.define(name, value, default)

    def _include(self, document: Document, element: Element, including: tuple[str, ...], inherited: Conflict) -> None:
        written = next((v for k, v in element.attributes.items() if k.lower() == "location"), "").strip()
        optional = any(k.lower() == "optional" and v.strip().lower() == "true" for k, v in element.attributes.items())
        policy = next((v for k, v in element.attributes.items() if k.lower() == "onconflict"), "").strip().lower()
        # An include without a policy takes that of the file that contains it (Open Liberty, XMLConfigParser).
        conflict = _CONFLICTS.get(policy, "merge") if policy else inherited
        paths = list(self._located(written, including[-1]))
        self.includes += 1
        if (
            self.includes > _MOST_INCLUDES
            or len(including) > _DEEPEST
            or (paths and all(path in including for path in paths))
        ):
            return
        elsewhere = self._elsewhere(written) if not paths else ""
        if not paths and (elsewhere or not optional):
            self._miss(document, element, written, elsewhere)
            self._skip(conflict, document.origin(element, ""))
        earlier = self.configuration.keys()
        for path in paths:
            if path not in including:
                self._read(path, conflict, including, earlier)

    def _skip(self, conflict: Conflict, place: Origin) -> None:
        """Go on without a file that was not given, or cannot be read."""
        self.configuration.miss(conflict, place)
        self.variables.miss(conflict)

    def _located(self, location: str, including: str) -> Iterator[str]:
        """The files that a location means, as far as they were given."""
        expanded = self.variables.locate(location).replace("\\", "/")
        if not expanded or "://" in expanded or "${" in expanded:
            return
        places = [posixpath.join(posixpath.dirname(including), expanded)]
        if "${" in location:  # what Liberty's own variables lead to is no path relative to the file
            places.append(expanded)
        for path in map(posixpath.normpath, places):
            if path in self.library:
                yield path
                return
            if expanded.endswith("/") and (found := self.library.below(path)):
                yield from found
                return

    def _elsewhere(self, location: str) -> str:
        """A file that a location may mean though it is not where the file that includes it is; blank for none.

        IBM's page "Using include elements in configuration files" goes on to search the folder of the server, or that
        of all servers in version 8.5.5. Open Liberty's source (XMLConfigParser) does not.
        """
        relative = self.variables.locate(location).replace("\\", "/")
        if not relative or relative.endswith("/"):
            return ""
        folders = (self.variables.locate(f"${{{place}}}") for place in ("server.config.dir", "shared.config.dir"))
        paths = (posixpath.normpath(posixpath.join(folder, relative)) for folder in folders)
        return next((path for path in paths if path in self.library), "")

    def _miss(self, document: Document, element: Element, location: str, elsewhere: str) -> None:
        self.cell.missing_includes.append(location)
        origin = document.origin(element, "")
        text = "which was not given, so what it sets is unknown"
        next_step = "Provide the whole folder of the server, with every file that it includes"
        if elsewhere:
            self.perhaps.add(elsewhere)
            folder = posixpath.dirname(document.path) or "."
            text = f"which is not in {folder}: whether Liberty takes {elsewhere} is uncertain, because IBM's documents"
            text += " say that it does, and Open Liberty's source that it does not"
            next_step = "Write the location so that it leads to the file, with ${server.config.dir} if it is meant"
        self.cell.problems.append(
            Problem(
                kind="not_understood",
                path=document.path,
                line=origin.line,
                column=origin.column,
                text=f"includes {location or 'a file without a location'}, {text}",
                next_step=next_step,
                cell=self.cell.name,
            )
        )

    def finish(self) -> CellConfig:
        """The server as a cell."""
        if self.path in self.library.documents:
            document = self.library.documents[self.path]
            origin = document.origin(document.root, f"Liberty server {server_name(self.path)}")
            fill_cell(self.cell, server_name(self.path), self.configuration, self.variables, origin)
        return self.cell
