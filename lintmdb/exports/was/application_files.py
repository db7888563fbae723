"""Applications as they are built and as a repository keeps them: EAR files, and the WAR and JAR modules in them.

An application file is read for its descriptors, for the configuration in an enhanced EAR (``META-INF/ibmconfig``), and
for the annotations of message-driven beans in its class files.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from lintmdb.errors import UnreadableError
from lintmdb.exports.was.bean_classes import BeanClass, FoundClass, may_declare_bean, read_bean_class
from lintmdb.exports.was.class_search import ClassSearch, Troubles
from lintmdb.exports.was.java_archives import JavaArchive
from lintmdb.exports.xml import Element, parse_xml
from lintmdb.model.relations import Problem

SUFFIXES = (".ear", ".war", ".jar")
_DESCRIPTORS = (
    "ejb-jar.xml",
    "ibm-ejb-jar-bnd.xml",
    "ibm-ejb-jar-bnd.xmi",
    "ibm-ejb-jar-ext.xml",
    "ibm-ejb-jar-ext.xmi",
)
_WEB = "WEB-INF/web.xml"
_DEPLOYMENT = re.compile(
    r"META-INF/ibmconfig/cells/[^/]+/applications/[^/]+/deployments/[^/]+/(?:deployment|resources|variables)\.xml\Z"
)


class Descriptor(NamedTuple):
    """One file of an application: its base name, its bytes, and its shown path."""

    name: str
    data: bytes
    path: str


def is_application(names: Iterable[str], *, ear: bool, named: bool) -> bool:
    """Whether an archive with members of these names is an application or a module with enterprise beans.

    ``ear``: it has the name of an EAR, so that modules in it are enough. ``named``: the user names it, so that a JAR
    with classes alone is a module, and not one of many libraries.
    """
    for name in names:
        if name == "META-INF/application.xml" or name.startswith(("WEB-INF/", "META-INF/ibmconfig/")):
            return True
        if name.startswith("META-INF/") and name.removeprefix("META-INF/") in _DESCRIPTORS:
            return True
        if (ear and name.endswith((".jar", ".war"))) or (named and name.endswith(".class")):
            return True
    return False


class ApplicationFile:
    """One EAR, or one module outside an EAR. Raises UnreadableError for what is no archive."""

    def __init__(self, data: bytes, path: str) -> None:
        self.archive = JavaArchive(data, path)
        self._troubles = Troubles()
        self.name = Path.cwd().name if path == "./" else re.split(r"[/\\]", path.removesuffix("/"))[-1]
        names = self.archive.names
        self._bare = any(
            name.startswith("WEB-INF/") or name.endswith(".class") or name in ("META-INF/ejb-jar.xml",)
            for name in names
        ) and "META-INF/application.xml" not in self.archive  # fmt: skip
        self._alternatives: dict[str, str] = {}

    @property
    def problems(self) -> list[Problem]:
        """What in it could not be read, and which superclasses are missing."""
        return self._troubles.problems

    def modules(self) -> list[str]:
        """The URIs of the modules that may have enterprise beans, sorted. Raises UnreadableError."""
        if self._bare:
            return [self.name]
        if "META-INF/application.xml" in self.archive:
            return sorted(uri for uri in self._listed() if uri in self.archive)
        return sorted(name for name in self.archive.names if name.endswith((".jar", ".war")) and "/" not in name)

    def _listed(self) -> Iterator[str]:
        """The modules of application.xml."""
        name = "META-INF/application.xml"
        root = parse_xml(self.archive.read(name), self.archive.place(name), text=True).root
        for module in root.all("module"):
            web = module.first("web")
            uri = _text(module.first("ejb")) or (_text(web.first("web-uri")) if web is not None else "")
            if uri:
                if alternative := _text(module.first("alt-dd")):
                    self._alternatives[uri] = alternative
                yield uri

    def configuration(self) -> Iterator[Descriptor]:
        """The configuration of an enhanced EAR: deployment.xml, resources.xml and variables.xml."""
        for name in sorted(self.archive.names):
            if _DEPLOYMENT.match(name):
                try:
                    yield Descriptor(name.rpartition("/")[2], self.archive.read(name), self.archive.place(name))
                except UnreadableError as error:
                    self._troubles.unreadable(error)

    def descriptors(self, uri: str) -> Iterator[Descriptor]:
        """The descriptors of a module that tell about its beans."""
        archive = self._open(uri)
        if archive is None:
            return
        alternative = self._alternatives.get(uri, "")
        for folder in ("META-INF/", "WEB-INF/"):
            for name in _DESCRIPTORS:
                holder, member = archive, folder + name
                if name == "ejb-jar.xml" and alternative in self.archive:
                    holder, member = self.archive, alternative
                if member in holder:
                    try:
                        yield Descriptor(name, holder.read(member), holder.place(member))
                    except UnreadableError as error:
                        self._troubles.unreadable(error)

    def web_module_name(self, uri: str) -> str:
        """``module-name`` of a WAR's web.xml; blank where there is none, or it cannot be read."""
        archive = self._open(uri)
        if archive is None or _WEB not in archive:
            return ""
        try:
            return _text(parse_xml(archive.read(_WEB), archive.place(_WEB), text=True).root.first("module-name"))
        except UnreadableError as error:
            self._troubles.unreadable(error)
            return ""

    def bean_classes(self, uri: str, named: Collection[str]) -> list[BeanClass] | None:
        """The classes of a module that are annotated as message-driven beans, and those that descriptors name.

        ``named`` has the names of classes with dots. None where the module is not in the archive or cannot be read,
        and where its web.xml says that its annotations do not count.
        """
        archive = self._open(uri)
        if archive is None:
            return None
        search = ClassSearch(self.archive, archive, self._troubles)
        found: dict[str, FoundClass] = {}
        try:
            if _web_complete(archive):
                return None
            for holder, name in search.candidates():
                data = holder.read(name)
                if may_declare_bean(data) and (entry := search.read(data, holder.place(name))):
                    # What lies in WEB-INF/classes comes first and wins over a library.
                    found.setdefault(entry.file.name, entry)
            for wanted in sorted(named):
                entry = search.find(wanted.replace(".", "/"))
                if entry is not None:
                    found.setdefault(entry.file.name, entry)
        except UnreadableError as error:
            self._troubles.unreadable(error)
        classes = [read_bean_class(entry, search.find) for _, entry in sorted(found.items())]
        for entry in classes:
            if entry.lacks and (entry.bean or entry.name in named):
                self._lacking(entry)
        return [entry for entry in classes if entry.bean or entry.name in named]

    def tell_missing(self, bean: str, wanted: str) -> None:
        """Note that the class which ejb-jar.xml names for a bean is not there, as where a shared library has it."""
        self._troubles.add(
            Problem(
                kind="not_understood",
                path=self.archive.path,
                text=f"ejb-jar.xml names {wanted} as the class of {bean}: its class file is not in the application, or "
                "is there in several versions, so what its annotations say is unknown. Verdicts rest on the "
                "destination that an activation specification, a descriptor or a binding names",
                next_step=f"Add the JAR that contains {wanted} to a copy of the application",
            )
        )

    def _lacking(self, entry: BeanClass) -> None:
        self._troubles.add(
            Problem(
                kind="not_understood",
                path=entry.origin.path,
                text=f"{entry.name} inherits onMessage from {entry.lacks}, whose class file is not in the application "
                "or is there in several versions, so the transaction attribute that it declares is unknown",
                next_step=f"Add the JAR that contains {entry.lacks} to a copy of the application",
            )
        )

    def _open(self, uri: str) -> JavaArchive | None:
        if self._bare:
            return self.archive
        if uri not in self.archive:
            text = f"has no module {uri}, which is deployed, so it is another version of the application"
            self._troubles.unreadable(UnreadableError(text, path=self.archive.path, next_step="Give the deployed one"))
            return None
        try:
            return self.archive.nested(uri)
        except UnreadableError as error:
            self._troubles.unreadable(error)
            return None


def _web_complete(archive: JavaArchive) -> bool:
    """A web.xml that is complete, with no ejb-jar.xml that says otherwise: whether annotations count is not known."""
    if _WEB not in archive or "WEB-INF/ejb-jar.xml" in archive:
        return False
    root = parse_xml(archive.read(_WEB), archive.place(_WEB)).root
    return root.get("metadata-complete").strip().lower() == "true"


def _text(element: Element | None) -> str:
    return element.text.strip() if element is not None else ""
