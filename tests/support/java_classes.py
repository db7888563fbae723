"""Writes Java class files and archives as a compiler and a build would, for tests: nothing binary is in the repository.

Only what annotations need is written: constants, the superclass, methods without code, and annotations.
"""

from __future__ import annotations

import io
import struct
import zipfile
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

Value: TypeAlias = "str | int | Constant | Note | list[Value]"


@dataclass(frozen=True)
class Constant:
    """A constant of an enum."""

    type: str
    name: str


@dataclass(frozen=True)
class Note:
    """An annotation: its type with slashes, and its values."""

    type: str
    values: Mapping[str, Value] = field(default_factory=dict[str, Value])


@dataclass(frozen=True)
class JavaMethod:
    """A method with annotations."""

    name: str = "onMessage"
    descriptor: str = "(Ljavax/jms/Message;)V"
    notes: Sequence[Note] = ()


def message_driven(name: str = "", package: str = "javax", **config: str) -> Note:
    """``@MessageDriven`` with a name, if there is one, and ``@ActivationConfigProperty`` values."""
    values: dict[str, Value] = {"name": name} if name else {}
    if config:
        values["activationConfig"] = [
            Note(f"{package}/ejb/ActivationConfigProperty", {"propertyName": key, "propertyValue": value})
            for key, value in config.items()
        ]
    return Note(f"{package}/ejb/MessageDriven", values)


def attribute(value: str, package: str = "javax") -> Note:
    """``@TransactionAttribute``: REQUIRED, NOT_SUPPORTED."""
    return Note(
        f"{package}/ejb/TransactionAttribute", {"value": Constant(f"{package}/ejb/TransactionAttributeType", value)}
    )


def management(value: str, package: str = "javax") -> Note:
    """``@TransactionManagement``: BEAN, CONTAINER."""
    return Note(
        f"{package}/ejb/TransactionManagement", {"value": Constant(f"{package}/ejb/TransactionManagementType", value)}
    )


def java_class(
    name: str,
    *notes: Note,
    methods: Sequence[JavaMethod] = (JavaMethod(),),
    superclass: str = "java/lang/Object",
    ballast: bytes = b"",
) -> bytes:
    """The bytes of a class file. Names have slashes; ``ballast`` is a constant that stands for all else in a class."""
    return _Writer(ballast).write(name, superclass, notes, methods)


def unpack(data: bytes, folder: Path, packed: Collection[str] = ()) -> Path:
    """The files of an archive, and of the modules in it except those that stay packed."""
    with zipfile.ZipFile(io.BytesIO(data)) as members:
        for name in members.namelist():
            inner = members.read(name)
            if name.endswith((".jar", ".war")) and name not in packed:
                unpack(inner, folder / name, packed)
                continue
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(inner)
    return folder


def archive(members: Mapping[str, bytes | str], compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A zip archive: EAR, WAR or JAR."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", compression) as file:
        for name, data in members.items():
            file.writestr(zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0)), data, compression)
    return stream.getvalue()


class _Writer:
    def __init__(self, ballast: bytes) -> None:
        self._constants: dict[bytes, int] = {}
        self._count = 1
        if ballast:
            self._constant(b"\1" + struct.pack(">H", len(ballast)) + ballast)

    def write(self, name: str, superclass: str, notes: Sequence[Note], methods: Sequence[JavaMethod]) -> bytes:
        self._long()
        body = struct.pack(">HHHH", 0x21, self._class(name), self._class(superclass) if superclass else 0, 0)
        # A field too: what stands before the methods has to be passed over.
        body += struct.pack(">HHHHH", 1, 2, self._text("count"), self._text("I"), 0)
        body += struct.pack(">H", len(methods))
        for method in methods:
            body += struct.pack(">HHH", 1, self._text(method.name), self._text(method.descriptor))
            body += self._attributes(method.notes)
        body += self._attributes(notes)
        head = struct.pack(">IHHH", 0xCAFEBABE, 0, 52, self._count)
        return head + b"".join(self._constants) + body

    def _attributes(self, notes: Sequence[Note]) -> bytes:
        source = struct.pack(">HIH", self._text("SourceFile"), 2, self._text("X.java"))
        if not notes:
            return struct.pack(">H", 1) + source
        value = struct.pack(">H", len(notes)) + b"".join(map(self._note, notes))
        found = struct.pack(">HI", self._text("RuntimeVisibleAnnotations"), len(value)) + value
        return struct.pack(">H", 2) + source + found

    def _note(self, note: Note) -> bytes:
        pairs = b"".join(
            struct.pack(">H", self._text(name)) + self._value(value) for name, value in note.values.items()
        )
        return struct.pack(">HH", self._text(f"L{note.type};"), len(note.values)) + pairs

    def _value(self, value: Value) -> bytes:
        if isinstance(value, str):
            return b"s" + struct.pack(">H", self._text(value))
        if isinstance(value, int):
            return b"I" + struct.pack(">H", self._constant(b"\3" + struct.pack(">i", value)))
        if isinstance(value, Constant):
            return b"e" + struct.pack(">HH", self._text(f"L{value.type};"), self._text(value.name))
        if isinstance(value, Note):
            return b"@" + self._note(value)
        return b"[" + struct.pack(">H", len(value)) + b"".join(map(self._value, value))

    def _class(self, name: str) -> int:
        return self._constant(b"\7" + struct.pack(">H", self._text(name)))

    def _text(self, text: str) -> int:
        data = text.encode()
        return self._constant(b"\1" + struct.pack(">H", len(data)) + data)

    def _long(self) -> None:
        """A constant that takes two places."""
        self._constants[b"\5" + struct.pack(">q", 7)] = self._count
        self._count += 2

    def _constant(self, data: bytes) -> int:
        index = self._constants.get(data)
        if index is None:
            index = self._constants[data] = self._count
            self._count += 1
        return index
