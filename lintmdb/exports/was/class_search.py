"""Finds the class files of an EJB module or WAR, and those that its classes inherit from.

IBM's page "EJB content in WAR modules": a class in WEB-INF/classes wins over one in WEB-INF/lib, and which of two
libraries a class comes from is not known.
"""

from __future__ import annotations

from collections.abc import Iterator

from lintmdb.errors import UnreadableError
from lintmdb.exports.was.bean_classes import FoundClass
from lintmdb.exports.was.class_files import ClassFileError, read_class
from lintmdb.exports.was.java_archives import NEXT_STEP, JavaArchive
from lintmdb.model.relations import Problem

_CLASSES = "WEB-INF/classes/"
_LIBRARIES = "WEB-INF/lib/"


class Troubles:
    """What in one file could not be read: each problem once."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []

    def unreadable(self, error: UnreadableError) -> None:
        """Note a part that cannot be read; the path of the error says which."""
        self.add(
            Problem(
                kind="unreadable",
                path=error.path or "",
                line=error.line,
                column=error.column,
                text=error.text,
                next_step=error.next_step,
            )
        )

    def add(self, problem: Problem) -> None:
        """Note a problem."""
        if problem not in self.problems:
            self.problems.append(problem)


class ClassSearch:
    """Where the classes of a module are: in it, in its libraries, and in the other archives of its application."""

    def __init__(self, application: JavaArchive, module: JavaArchive, troubles: Troubles) -> None:
        self._application = application
        self._module = module
        self._troubles = troubles
        self._web = any(name.startswith("WEB-INF/") for name in module.names)
        self._known: dict[str, FoundClass | None] = {}

    def candidates(self) -> Iterator[tuple[JavaArchive, str]]:
        """The class files that may be beans of the module, each with the archive that holds it."""
        for holder, prefix in self._own():
            for name in holder.names:
                if name.endswith(".class") and name.startswith(prefix) and not name.startswith("META-INF/"):
                    yield holder, name

    def _own(self) -> Iterator[tuple[JavaArchive, str]]:
        if not self._web:
            yield self._module, ""
            return
        yield self._module, _CLASSES
        for holder in self._nested(self._module, _LIBRARIES):
            yield holder, ""

    def _nested(self, archive: JavaArchive, folder: str = "") -> Iterator[JavaArchive]:
        for name in sorted(archive.names):
            if name.startswith(folder) and name.endswith(".jar") and archive.place(name) != self._module.path:
                yield archive.nested(name)

    def read(self, data: bytes, path: str) -> FoundClass | None:
        """The class of some bytes; None for what is none, which is a Problem."""
        try:
            return FoundClass(read_class(data), path)
        except ClassFileError as error:
            self._troubles.unreadable(
                UnreadableError(f"is not a Java class file: it {error}", path=path, next_step=NEXT_STEP)
            )
            return None

    def find(self, name: str) -> FoundClass | None:
        """A class by its name with slashes; None where it is nowhere, or where libraries hold different classes of this
        name: which of them a server takes is not known. Raises nothing: what cannot be read is a Problem.
        """
        if name not in self._known:
            try:
                self._known[name] = self._found(name)
            except UnreadableError as error:
                self._troubles.unreadable(error)
                self._known[name] = None
        return self._known[name]

    def _found(self, name: str) -> FoundClass | None:
        member = f"{name}.class"
        own = (_CLASSES if self._web else "") + member
        if own in self._module:
            return self.read(self._module.read(own), self._module.place(own))
        versions: dict[bytes, str] = {}
        for holder in self._others():
            if member in holder:
                versions.setdefault(holder.read(member), holder.place(member))
        if len(versions) != 1:
            return None
        ((data, path),) = versions.items()
        return self.read(data, path)

    def _others(self) -> Iterator[JavaArchive]:
        if self._web:
            yield from self._nested(self._module, _LIBRARIES)
        if self._application is not self._module:
            yield from self._nested(self._application)
