"""EAR, WAR and JAR files without secrets: archives of the descriptors and of what annotations of classes say.

Code, resources and web pages are not in the copy. Of a class only the skeleton is there: its name, its superclass,
``onMessage``, and annotations of enterprise beans; their values lose their secrets as attributes do.
"""

from __future__ import annotations

import hashlib
import io
import re
import struct
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping

from lintmdb.errors import UnreadableError
from lintmdb.exports.text import declared_encoding, decode_export, single_byte
from lintmdb.exports.was.bean_classes import may_declare_bean
from lintmdb.exports.was.class_files import Annotation, AnnotationValue, ClassFile, ClassFileError, Method, read_class
from lintmdb.exports.was.java_archives import MAX_DEPTH, JavaArchive
from lintmdb.redact.documents import redact_document
from lintmdb.redact.pseudonyms import Pseudonyms
from lintmdb.redact.sensitive import kind_of

_ARCHIVES = (".jar", ".war", ".rar")
_DESCRIPTOR = re.compile(r"(?:.*/)?(?:META-INF|WEB-INF)/(?:.*/)?[^/]+\.(?:xml|xmi)\Z")
_MANIFEST = "META-INF/MANIFEST.MF"
_KEPT_HEADER = re.compile(r"Class-Path:", re.I)
_EJB = re.compile(r"(?:javax|jakarta)/ejb/")
_DATE = (1980, 1, 1, 0, 0, 0)
_CLASS_NAME = re.compile(r"<(?:[\w.-]+:)?ejb-class[^>]*>\s*([\w.$]+)\s*<")
_CLASS = "class"
_MAGIC, _VERSION = 0xCAFEBABE, (0, 52)


def redact_application(data: bytes, path: str, pseudonyms: Pseudonyms) -> bytes:
    """The copy of an application file. Raises LintmdbError for what cannot be read."""
    archive = JavaArchive(data, path)
    wanted = _wanted_classes(archive)
    return _Copy(pseudonyms, wanted).archive(archive, 1)


class _Copy:
    def __init__(self, pseudonyms: Pseudonyms, wanted: frozenset[str]) -> None:
        self._pseudonyms = pseudonyms
        self._wanted = wanted

    def archive(self, archive: JavaArchive, depth: int) -> bytes:
        """The copy of one archive and of those in it."""
        target = io.BytesIO()
        with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as copy:
            for name in archive.names:
                data = self._member(archive, name, depth)
                if data is not None:
                    copy.writestr(zipfile.ZipInfo(self._place(name), _DATE), data)
        return target.getvalue()

    def _member(self, archive: JavaArchive, name: str, depth: int) -> bytes | None:
        """The copy of a member; None for one that lintmdb does not read."""
        if name.lower().endswith(_ARCHIVES):
            return self.archive(archive.nested(name), depth + 1) if depth < MAX_DEPTH else None
        if name.endswith(".class"):
            data = archive.read(name)
            return self._class(data) if _class_name(name) in self._wanted or may_declare_bean(data) else None
        if name == _MANIFEST:
            return self._manifest(archive.read(name).decode("utf-8", "replace")).encode()
        if _DESCRIPTOR.match(name):
            return self._descriptor(archive.read(name))
        return None

    def _place(self, name: str) -> str:
        """Where a member goes: classes and archives by their names, which are replaced with those in descriptors."""
        return self._pseudonyms.value("name" if name.lower().endswith((".class", *_ARCHIVES)) else "path", name)

    def _descriptor(self, data: bytes) -> bytes:
        encoding = declared_encoding(data)
        encoding = encoding if single_byte(encoding) else "utf-8"
        text = re.sub(
            r"(<\?xml[^>]*encoding\s*=\s*[\"'])utf-16([\"'])", r"\1UTF-8\2", decode_export(data), count=1, flags=re.I
        )
        return redact_document(text.lstrip("\ufeff"), self._pseudonyms).encode(encoding, "xmlcharrefreplace")

    def _manifest(self, text: str) -> str:
        lines: list[str] = []
        kept = False
        for line in text.split("\n"):
            kept = kept if line.startswith(" ") else _KEPT_HEADER.match(line) is not None
            if kept:
                lines.append(self._pseudonyms.value("name", line))
        return "\n".join([*lines, ""])

    def _class(self, data: bytes) -> bytes | None:
        try:
            return _skeleton(read_class(data), hashlib.sha256(data).hexdigest()[:16], self._value)
        except ClassFileError:
            return b""  # lintmdb cannot read the original either

    def _value(self, name: str, value: str) -> str:
        if name == _CLASS:
            return self._pseudonyms.value("name", value.replace("/", ".")).replace(".", "/")
        kind = "name" if name == "name" else kind_of(name, value)
        return value if kind is None else self._pseudonyms.value(kind, value)


def _class_name(member: str) -> str:
    return member.removeprefix("WEB-INF/classes/").removesuffix(".class")


def _archives(archive: JavaArchive, depth: int = 1) -> Iterator[JavaArchive]:
    yield archive
    for name in archive.names:
        if depth < MAX_DEPTH and name.lower().endswith(_ARCHIVES):
            try:
                yield from _archives(archive.nested(name), depth + 1)
            except UnreadableError:
                continue


def _wanted_classes(archive: JavaArchive) -> frozenset[str]:
    """The classes of beans, and those that they inherit from, by their names with slashes."""
    parents: dict[str, set[str]] = {}
    wanted: set[str] = set()
    for holder in _archives(archive):
        for name in holder.names:
            if name.endswith(".class"):
                data = holder.read(name)
                try:
                    found = read_class(data)
                except ClassFileError:
                    continue
                parents.setdefault(found.name, set()).add(found.superclass)
                if may_declare_bean(data):
                    wanted.add(found.name)
            elif _DESCRIPTOR.match(name):
                wanted.update(
                    found.replace(".", "/") for found in _CLASS_NAME.findall(decode_export(holder.read(name)))
                )
    pending = list(wanted)
    while pending:
        for parent in parents.get(pending.pop(), ()):
            if parent not in wanted:
                wanted.add(parent)
                pending.append(parent)
    return frozenset(wanted)


def _skeleton(found: ClassFile, digest: str, value: Callable[[str, str], str]) -> bytes:
    """A class file that has of another one what lintmdb reads. The digest tells different classes of one name apart."""
    pool = _Pool()
    pool.text(digest)
    parent = pool.class_name(value(_CLASS, found.superclass)) if found.superclass else 0
    methods = [method for method in found.methods if method.name == "onMessage"]
    body = [
        struct.pack(">HHH", 1, pool.class_name(value(_CLASS, found.name)), parent),
        struct.pack(">HHH", 0, 0, len(methods)),
        *(_method(method, pool, value) for method in methods),
        _annotations(found.annotations, pool, value),
    ]
    return struct.pack(">IHH", _MAGIC, *_VERSION) + pool.written() + b"".join(body)


class _Pool:
    """The constants of a class file."""

    def __init__(self) -> None:
        self._entries: list[bytes] = []
        self._texts: dict[str, int] = {}

    def text(self, text: str) -> int:
        """The index of a text."""
        if text not in self._texts:
            raw = text.encode("utf-8", "replace").replace(b"\0", b"\xc0\x80")[:0xFFFF]
            self._texts[text] = self._add(b"\1" + struct.pack(">H", len(raw)) + raw)
        return self._texts[text]

    def class_name(self, name: str) -> int:
        """The index of a class."""
        return self._add(b"\7" + struct.pack(">H", self.text(name)))

    def _add(self, entry: bytes) -> int:
        self._entries.append(entry)
        return len(self._entries)

    def written(self) -> bytes:
        """The bytes of the pool."""
        return struct.pack(">H", len(self._entries) + 1) + b"".join(self._entries)


def _method(method: Method, pool: _Pool, value: Callable[[str, str], str]) -> bytes:
    head = struct.pack(">HHH", 1, pool.text(method.name), pool.text(method.descriptor))
    return head + _annotations(method.annotations, pool, value)


def _annotations(notes: Iterable[Annotation], pool: _Pool, value: Callable[[str, str], str]) -> bytes:
    """The attributes of a class or method, with the annotations of enterprise beans alone."""
    kept = [note for note in notes if _EJB.match(note.type)]
    if not kept:
        return struct.pack(">H", 0)
    content = struct.pack(">H", len(kept)) + b"".join(_annotation(note, pool, value) for note in kept)
    return struct.pack(">HHI", 1, pool.text("RuntimeVisibleAnnotations"), len(content)) + content


def _annotation(note: Annotation, pool: _Pool, value: Callable[[str, str], str]) -> bytes:
    written = {name: _without_secret(name, element, note.values, value) for name, element in note.values.items()}
    told = {name: element for name, element in written.items() if element is not None}
    parts = [struct.pack(">H", pool.text(name)) + _element(element, pool, value) for name, element in told.items()]
    return struct.pack(">HH", pool.text(f"L{note.type};"), len(parts)) + b"".join(parts)


def _without_secret(
    name: str, element: AnnotationValue, values: Mapping[str, AnnotationValue], value: Callable[[str, str], str]
) -> AnnotationValue:
    if not isinstance(element, str):
        return element
    if name == "description":
        return None
    named = values.get("propertyName") if name == "propertyValue" else name
    return value(named if isinstance(named, str) else name, element)


def _element(element: AnnotationValue, pool: _Pool, value: Callable[[str, str], str]) -> bytes:
    if isinstance(element, Annotation):
        return b"@" + _annotation(element, pool, value)
    if isinstance(element, list):
        told = [entry for entry in element if entry is not None]
        return b"[" + struct.pack(">H", len(told)) + b"".join(_element(entry, pool, value) for entry in told)
    return b"s" + struct.pack(">H", pool.text(str(element)))
