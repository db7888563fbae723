"""Java class files: what annotations say, and bytes that no compiler would write."""

from __future__ import annotations

import struct

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lintmdb.exports.was.bean_classes import BeanClass, FoundClass, may_declare_bean, read_bean_class
from lintmdb.exports.was.class_files import ClassFileError, read_class
from tests.support.java_classes import Constant, JavaMethod, Note, attribute, java_class, management, message_driven

OTHER = JavaMethod("onMessage", "(Ljava/lang/String;)V", [attribute("NOT_SUPPORTED")])


def bean(data: bytes, *parents: bytes) -> BeanClass:
    """What a class and its superclasses say."""
    found = {(file := read_class(parent)).name: FoundClass(file, f"{file.name}.class") for parent in parents}
    return read_bean_class(FoundClass(read_class(data), "B.class"), found.get)


@pytest.mark.parametrize("package", ["javax", "jakarta"])
def test_what_annotations_say(package: str) -> None:
    """Name, activation-config, transaction management and attribute, of either package."""
    method = JavaMethod("onMessage", f"(L{package}/jms/Message;)V", [attribute("NOT_SUPPORTED", package)])
    notes = [message_driven("Orders", package, destination="jms/q"), management("BEAN", package)]
    data = java_class("shop/OrderBean", *notes, methods=[OTHER, method])
    assert may_declare_bean(data)
    found = bean(data)
    assert (found.name, found.bean) == ("shop.OrderBean", "Orders")
    assert {name: setting.value for name, setting in found.activation_config.items()} == {"destination": "jms/q"}
    assert _values(found) == ("Bean", "NotSupported")
    assert found.attribute is not None
    assert found.attribute.origin.text == "@TransactionAttribute(NOT_SUPPORTED)"


def test_the_default_name_and_attribute() -> None:
    """Without a name the class gives it, without a package; without annotations nothing is said, and that is known."""
    found = bean(java_class("a/b/OrderBean", message_driven()))
    assert (found.bean, found.management, found.attribute, found.attribute_known) == ("OrderBean", None, None, True)


def test_an_attribute_without_a_value_is_required() -> None:
    """@TransactionAttribute alone means REQUIRED, and @TransactionManagement alone CONTAINER."""
    notes = [Note("javax/ejb/TransactionAttribute"), Note("javax/ejb/TransactionManagement")]
    found = bean(java_class("B", message_driven(), *notes))
    assert _values(found) == ("Container", "Required")


def _values(found: BeanClass) -> tuple[str | None, str | None]:
    """Transaction management and attribute."""
    kind, value = found.management, found.attribute
    return kind.value if kind else None, value.value if value else None


PARENT = java_class("P", attribute("NOT_SUPPORTED"))
REQUIRED = attribute("REQUIRED")
NOT_SUPPORTED = JavaMethod(notes=[attribute("NOT_SUPPORTED")])
PARENT_METHOD = java_class("P", attribute("REQUIRED"), methods=[NOT_SUPPORTED])


@pytest.mark.parametrize(
    ("own", "parents", "expected"),
    [
        # onMessage of the class itself: its own class decides, not the superclass.
        (java_class("B", message_driven(), superclass="P"), [PARENT], None),
        (java_class("B", message_driven(), attribute("REQUIRED"), superclass="P"), [PARENT], "Required"),
        # An inherited onMessage: the superclass that defines it decides, not the bean's class.
        (java_class("B", message_driven(), methods=(), superclass="P"), [PARENT], "NotSupported"),
        (java_class("B", message_driven(), REQUIRED, methods=(), superclass="P"), [PARENT], "NotSupported"),
        (java_class("B", message_driven(), methods=(), superclass="P"), [PARENT_METHOD], "NotSupported"),
        (
            java_class("B", message_driven(), methods=[OTHER], superclass="M"),
            [java_class("M", attribute("REQUIRED"), methods=(), superclass="P"), PARENT],
            "NotSupported",
        ),
        # A method's own attribute wins over its class's.
        (
            java_class("B", message_driven(), attribute("REQUIRED"), methods=[NOT_SUPPORTED]),
            [],
            "NotSupported",
        ),
    ],
)  # fmt: skip
def test_superclasses(own: bytes, parents: list[bytes], expected: str | None) -> None:
    """The class that defines onMessage gives it its attribute."""
    found = bean(own, *parents)
    assert found.attribute_known
    assert (found.attribute.value if found.attribute else None) == expected


def test_a_superclass_that_is_missing() -> None:
    """Nobody knows what the missing class says."""
    found = bean(java_class("B", message_driven(), methods=(), superclass="lib/Base"))
    assert (found.attribute_known, found.lacks) == (False, "lib.Base")


def test_superclasses_that_run_in_a_circle() -> None:
    """Two classes that inherit from each other end somewhere."""
    found = bean(
        java_class("B", message_driven(), methods=(), superclass="P"),
        java_class("P", methods=(), superclass="B"),
        java_class("B", methods=(), superclass="P"),
    )
    assert not found.attribute_known


@pytest.mark.parametrize(
    "value",
    [7, "text", Constant("a/E", "X"), Note("a/N", {"x": [Note("a/M", {"y": 1})]}), [1, "b", ["c"]]],
)
def test_values_of_other_annotations_are_passed_over(value: int | str | Constant | Note | list[object]) -> None:
    """Annotations of any shape before the one that counts do no harm."""
    other = Note("a/Other", {"value": value})  # type: ignore[dict-item]  # pyright: ignore[reportArgumentType]
    found = bean(java_class("B", other, message_driven("X")))
    assert found.bean == "X"


def test_other_classes_are_told_by_their_constants() -> None:
    """The interface MessageDrivenBean and other packages' annotations are not the annotation."""
    assert not may_declare_bean(java_class("B", Note("javax/ejb/MessageDrivenBean")))
    assert not may_declare_bean(java_class("B", Note("org/ejb/MessageDriven")))
    assert not may_declare_bean(java_class("B"))


GOOD = java_class("shop/OrderBean", message_driven("X", destination="q"), attribute("REQUIRED"))


@pytest.mark.parametrize("size", range(len(GOOD)))
def test_cut_short(size: int) -> None:
    """A class file that ends anywhere too early is refused."""
    with pytest.raises(ClassFileError):
        read_class(GOOD[:size])


@settings(deadline=None)
@given(st.integers(10, len(GOOD) - 1), st.binary(min_size=1, max_size=4))
def test_changed_bytes(place: int, junk: bytes) -> None:
    """Whatever stands in the bytes, reading ends with a class or with the one error."""
    try:
        file = read_class(GOOD[:place] + junk + GOOD[place + len(junk) :])
    except ClassFileError:
        return
    read_bean_class(FoundClass(file, "B.class"), lambda name: None)


@given(st.binary(max_size=300))
def test_any_bytes(junk: bytes) -> None:
    """Bytes behind a good beginning are taken or refused."""
    try:
        read_class(b"\xca\xfe\xba\xbe\0\0\0\x34" + junk)
    except ClassFileError:
        return


def _nested(depth: int) -> Note:
    note = Note("a/N")
    for _ in range(depth):
        note = Note("a/N", {"x": [note]})
    return note


def test_annotations_that_are_nested_deeply() -> None:
    """A thousand levels are refused, a few are read."""
    assert read_class(java_class("B", _nested(3)))
    with pytest.raises(ClassFileError, match="nested deeper"):
        read_class(java_class("B", _nested(100)))


def test_an_attribute_does_not_reach_beyond_its_end() -> None:
    """Annotations that claim more than their attribute holds are refused: else each would read the whole file."""
    data = java_class("B", Note("a/N", {"x": "y"}))
    length = struct.pack(">I", 2 + 4 + 2 + 3)
    assert data.count(length) == 1
    with pytest.raises(ClassFileError, match="attribute that ends early"):
        read_class(data.replace(length, struct.pack(">I", 4)))
