"""The applications of one cell, or of loose files: their descriptors, and their EAR files where these tell more."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable, Generator, Mapping
from dataclasses import replace
from typing import NamedTuple

from lintmdb.errors import UnreadableError
from lintmdb.exports.was import applications
from lintmdb.exports.was.application_files import SUFFIXES, ApplicationFile
from lintmdb.exports.was.merging import build_application, unread_classes
from lintmdb.exports.was.objects import Application, CellConfig
from lintmdb.model.relations import Problem

_KINDS = {
    "ejb-jar.xml": "ejb-jar",
    "ibm-ejb-jar-bnd.xml": "binding-xml",
    "ibm-ejb-jar-bnd.xmi": "binding-xmi",
    "ibm-ejb-jar-ext.xml": "extension",
    "ibm-ejb-jar-ext.xmi": "extension",
}


class Binary(NamedTuple):
    """The EAR file of a deployed application, not read yet."""

    inner: str
    """Its path below the cell; '' for a file that the user adds to the cell."""
    path: str
    """Its shown path."""
    read: Callable[[], bytes]


@contextlib.contextmanager
def noting(cell: CellConfig, inner: str, path: str) -> Generator[None]:
    """Turn an UnreadableError into a Problem of the cell. ``inner`` is the path below the cell, ``path`` as shown."""
    try:
        yield
    except UnreadableError as error:
        note_unreadable(cell, inner, path, error)


def note_unreadable(cell: CellConfig, inner: str, path: str, error: UnreadableError) -> None:
    """Note that a file of a cell cannot be read; its paths are as for ``noting``."""
    cell.unreadable.add(inner)
    cell.problems.append(
        Problem(
            kind="unreadable",
            path=error.path or path,
            line=error.line,
            column=error.column,
            text=error.text,
            next_step=error.next_step,
            cell=cell.name,
        )
    )


class CellApplications:
    """Collects what the files of a cell say of its applications."""

    def __init__(self, cell: CellConfig) -> None:
        self._cell = cell
        self.deployments: dict[str | None, applications.Deployment] = {}
        self.binaries: dict[str, Binary] = {}
        """By the folder below ``applications``."""
        self.folders: dict[str, str] = {}
        """The folder below ``applications`` of each deployed application."""
        self.inactive: set[str] = set()
        """Those folders of which an edition of an application is inactive."""
        self._modules: dict[str | None, dict[str, applications.ModuleFiles]] = {}

    def deploys(self, name: str) -> bool:
        """Whether the cell deploys an application from a file of this name."""
        return name in self.folders.values()

    def name_of(self, file: ApplicationFile) -> str:
        """The name of an application that is not deployed: its file's, or the whole path of a second one."""
        name = file.name.rpartition(".")[0] if file.name.lower().endswith(SUFFIXES) else file.name
        return file.archive.path if name in self._modules or name in self.deployments else name

    def read_descriptor(self, kind: str, data: bytes, path: str, application: str | None, module: str) -> None:
        """Add a descriptor of a module. Raises UnreadableError."""
        files = self._modules.setdefault(application, {}).setdefault(module, applications.ModuleFiles())
        if kind == "ejb-jar":
            applications.read_ejb_jar(data, path, files, merged=path.endswith("_merged.xml"))
        elif kind == "binding-xml":
            applications.read_binding_xml(data, path, files)
        elif kind == "binding-xmi":
            applications.read_binding_xmi(data, path, files)
        elif kind == "extension":
            applications.read_extension(data, path, files)

    def read_whole(self, file: ApplicationFile, inner: str, name: str) -> None:
        """Take all descriptors and annotations of an application from its file. Raises UnreadableError."""
        for uri in file.modules():
            for descriptor in file.descriptors(uri):
                with noting(self._cell, inner, descriptor.path):
                    self.read_descriptor(_KINDS[descriptor.name], descriptor.data, descriptor.path, name, uri)
            files = self._modules.setdefault(name, {}).setdefault(uri, applications.ModuleFiles())
            files.uri = uri
            if uri.lower().endswith(".war"):  # of which only web.xml can say the name
                files.own_name = file.web_module_name(uri)
            if not files.has_descriptor or unread_classes(files, self.deployments.get(name)):
                _read_classes(file, uri, files)
        self._add_problems(file)

    def build(self) -> list[Application]:
        """The applications, once every file of the cell was added, but for inactive editions: only an active one can be
        started ("Activating an edition"), and no server is said to run them.
        """
        deployed = {name for node in self._cell.nodes.values() for names in node.deployed.values() for name in names}
        idle = {name for name, folder in self.folders.items() if folder in self.inactive and name not in deployed}
        names = sorted({*self._modules, *self.deployments} - idle, key=lambda name: name or "")
        built = [self._application(name) for name in names]
        return [application for application in built if application.modules or application.targets_known]

    def _application(self, name: str | None) -> Application:
        known = name is None or not self._cell.rooted or self._read_binary(name)
        deployment, modules = self.deployments.get(name), self._modules.get(name, {})
        if self._cell.rooted:
            return build_application(name, deployment, modules, beans_unknown=not known)
        application = build_application(name, deployment, _shortly_named(modules))
        mapped = any(module.targets for module in application.modules)
        # The deployment.xml of an enhanced EAR maps its modules to nothing: the targets are chosen later.
        return application if name is None or mapped else replace(application, targets_known=False)

    def _read_binary(self, name: str) -> bool:
        """Read the file of a deployed application if it may say what its descriptors do not say.

        Returns whether the descriptors that count were read.
        """
        deployment, modules = self.deployments.get(name), self._modules.get(name, {})
        whole = deployment is not None and deployment.from_binaries
        unread = [uri for uri, files in modules.items() if unread_classes(files, deployment)]
        binary = self.binaries.get(self.folders.get(name, ""))
        if deployment is not None and whole and binary is None:
            self._report_missing(name, deployment)
        if binary is None or not (whole or unread):
            return not whole
        with noting(self._cell, binary.inner, binary.path):
            file = ApplicationFile(binary.read(), binary.path)
            if binary.inner:
                self._cell.files.add(binary.inner)
            if whole:
                self._modules[name] = {}
                self.read_whole(file, binary.inner, name)
            else:
                for uri in unread:
                    _read_classes(file, uri, modules[uri])
                self._add_problems(file)
            return True
        return not whole

    def _report_missing(self, name: str, deployment: applications.Deployment) -> None:
        origin, folder = deployment.origin, self.folders.get(name, name)
        problem = Problem(
            kind="not_understood",
            path=origin.path,
            line=origin.line,
            column=origin.column,
            text=f"application {name} uses the descriptors in its EAR file (useMetadataFromBinaries), which is not "
            "among the exports, so its beans are unknown",
            next_step=f"Add applications/{folder}/{folder}",
            cell=self._cell.name,
        )
        self._cell.problems.append(problem)

    def _add_problems(self, file: ApplicationFile) -> None:
        self._cell.problems.extend(replace(problem, cell=self._cell.name) for problem in file.problems)


def _read_classes(file: ApplicationFile, uri: str, files: applications.ModuleFiles) -> None:
    files.classes = file.bean_classes(uri, {bean.class_name for bean in files.beans if bean.class_name})
    if files.classes is not None:
        found = {name for entry in files.classes for name in (entry.name, entry.bean)}
        for bean in files.beans:
            if bean.leaves_transaction_open and bean.class_name and found.isdisjoint({bean.class_name, bean.name}):
                file.tell_missing(bean.name, bean.class_name)


def _shortly_named(modules: Mapping[str, applications.ModuleFiles]) -> dict[str, applications.ModuleFiles]:
    """Modules by folder name; where names clash, by the shortest ends of their paths that differ."""
    named: dict[str, applications.ModuleFiles] = {}
    pending = dict(modules)
    length = 0
    while pending:
        length += 1
        ends = {path: "/".join(path.split("/")[-length:]) for path in pending}
        alike = Counter(ends.values())
        for path, end in ends.items():
            if alike[end] == 1 or end == path:
                named[end] = pending.pop(path)
    return named
