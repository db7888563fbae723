"""The part of Java class files that tells what annotations say: names, the superclass, methods, and annotations that
are visible at run time.

No class is ever loaded. The layout is that of chapter 4 of the Java Virtual Machine Specification. Every read checks
the bounds of the bytes, and annotations nest only so deep.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

MAX_BYTES = 1 << 24
_MAX_NESTING = 16
_MAGIC = 0xCAFEBABE
_UTF8, _LONG, _DOUBLE, _CLASS = 1, 5, 6, 7
# The bytes behind the tag of each constant; a Utf8 constant has two, and as many more as they say.
_SIZES = {1: 2, 3: 4, 4: 4, 5: 8, 6: 8, 7: 2, 8: 2, 9: 4, 10: 4, 11: 4, 12: 4, 15: 3, 16: 2, 17: 4, 18: 4, 19: 2, 20: 2}
_VISIBLE = "RuntimeVisibleAnnotations"

AnnotationValue: TypeAlias = "str | Annotation | list[AnnotationValue] | None"
"""A string, the name of an enum constant, an annotation, or a list of them; None for a value of any other kind."""


class ClassFileError(ValueError):
    """The bytes are not a class file; the text says why."""


@dataclass(frozen=True, slots=True)
class Annotation:
    """One annotation: its type (``javax/ejb/MessageDriven``), and the values that are written, by element name."""

    type: str
    values: Mapping[str, AnnotationValue]


@dataclass(frozen=True, slots=True)
class Method:
    """A method: its name, its descriptor (``(Ljavax/jms/Message;)V``), and its annotations."""

    name: str
    descriptor: str
    annotations: tuple[Annotation, ...]


@dataclass(frozen=True, slots=True)
class ClassFile:
    """One class: ``name`` and ``superclass`` with slashes; the superclass of ``java/lang/Object`` is ''."""

    name: str
    superclass: str
    annotations: tuple[Annotation, ...]
    methods: tuple[Method, ...]


def read_class(data: bytes) -> ClassFile:
    """Parse one class file. Raises ClassFileError for what is none, or is cut short."""
    if len(data) > MAX_BYTES:
        raise ClassFileError(f"has more than {MAX_BYTES} bytes")
    try:
        return _Reader(data).read()
    except struct.error:
        raise ClassFileError("ends early") from None


class _Reader:
    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0
        self._end = len(data)
        """The end of what is being read: of the file, or of one attribute."""
        self._constants: list[int] = []
        """The offset of each constant's tag; 0 for an index that holds none."""
        self._texts: dict[int, str] = {}

    def read(self) -> ClassFile:
        magic, _, _ = self._unpack(">IHH")
        if magic != _MAGIC:
            raise ClassFileError("does not begin like one")
        self._pool()
        _, this, parent, interfaces = self._unpack(">HHHH")
        self._skip(2 * interfaces)
        for _ in range(self._u2()):
            self._member()
        methods = tuple(self._member() for _ in range(self._u2()))
        return ClassFile(self._class(this), self._class(parent) if parent else "", self._attributes(), methods)

    def _pool(self) -> None:
        count = self._u2()
        self._constants = [0] * max(count, 1)
        index, at, data = 1, self._at, self._data
        while index < count:
            if at >= len(data):
                raise ClassFileError("ends early")
            tag = data[at]
            size = _SIZES.get(tag)
            if size is None:
                raise ClassFileError(f"has a constant of the unknown kind {tag}")
            self._constants[index] = at
            if tag == _UTF8:
                size += int.from_bytes(data[at + 1 : at + 3], "big")
            at += 1 + size
            index += 2 if tag in (_LONG, _DOUBLE) else 1
        self._at = at

    def _member(self) -> Method:
        """A field or a method: they are laid out alike."""
        _, name, descriptor = self._unpack(">HHH")
        return Method(self._text(name), self._text(descriptor), self._attributes())

    def _attributes(self) -> tuple[Annotation, ...]:
        """The annotations among the attributes that follow."""
        found: tuple[Annotation, ...] = ()
        for _ in range(self._u2()):
            name, length = self._unpack(">HI")
            end = self._at + length
            if end > len(self._data):
                raise ClassFileError("ends early")
            if self._text(name) == _VISIBLE:
                self._end = end
                found = tuple(self._annotation(0) for _ in range(self._u2()))
                self._end = len(self._data)
            self._at = end
        return found

    def _annotation(self, depth: int) -> Annotation:
        if depth > _MAX_NESTING:
            raise ClassFileError(f"has annotations that are nested deeper than {_MAX_NESTING} levels")
        kind, count = self._unpack(">HH")
        values: dict[str, AnnotationValue] = {}
        for _ in range(count):
            name = self._text(self._u2())
            values[name] = self._value(depth + 1)
        return Annotation(self._text(kind).removeprefix("L").removesuffix(";"), values)

    def _value(self, depth: int) -> AnnotationValue:
        if depth > _MAX_NESTING:
            raise ClassFileError(f"has annotations that are nested deeper than {_MAX_NESTING} levels")
        tag = chr(self._unpack(">B")[0])
        if tag == "s":
            return self._text(self._u2())
        if tag == "e":
            _, constant = self._unpack(">HH")
            return self._text(constant)
        if tag == "@":
            return self._annotation(depth)
        if tag == "[":
            return [self._value(depth + 1) for _ in range(self._u2())]
        if tag in "BCDFIJSZc":
            self._skip(2)
            return None
        raise ClassFileError("has an annotation with a value of an unknown kind")

    def _class(self, index: int) -> str:
        at = self._constant(index, _CLASS)
        return self._text(int.from_bytes(self._data[at + 1 : at + 3], "big"))

    def _text(self, index: int) -> str:
        text = self._texts.get(index)
        if text is None:
            at = self._constant(index, _UTF8) + 1
            length = int.from_bytes(self._data[at : at + 2], "big")
            raw = self._data[at + 2 : at + 2 + length]
            text = self._texts[index] = raw.replace(b"\xc0\x80", b"\0").decode("utf-8", "replace")
        return text

    def _constant(self, index: int, tag: int) -> int:
        at = self._constants[index] if index < len(self._constants) else 0
        if not at or self._data[at] != tag:
            raise ClassFileError(f"refers to constant {index}, which is not of the kind that belongs there")
        return at

    def _u2(self) -> int:
        return self._unpack(">H")[0]

    def _unpack(self, layout: str) -> tuple[int, ...]:
        found = struct.unpack_from(layout, self._data, self._at)
        self._at += struct.calcsize(layout)
        if self._at > self._end:
            raise ClassFileError("has an attribute that ends early")
        return found

    def _skip(self, size: int) -> None:
        self._at += size
