"""What the annotations of class files say of message-driven beans, of ``javax.ejb`` and of ``jakarta.ejb``.

Enterprise JavaBeans 3.2: a transaction attribute on a class is that of the methods that this very class defines, so
that the class that defines ``onMessage`` decides (8.3.7.1). ``@TransactionManagement`` counts on the bean's own class.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from lintmdb.exports.was.class_files import Annotation, ClassFile, Method
from lintmdb.exports.was.objects import Settings
from lintmdb.model.origins import Origin, Setting

_PACKAGES = ("javax", "jakarta")
_NEEDLE = b"/ejb/MessageDriven;"
_NEEDLES = tuple(b"L" + package.encode() + _NEEDLE for package in _PACKAGES)
_LISTENERS = frozenset(f"(L{package}/jms/Message;)V" for package in _PACKAGES)
_MAX_SUPERCLASSES = 100


class FoundClass(NamedTuple):
    """A class, and the shown path of its file."""

    file: ClassFile
    path: str


@dataclass(frozen=True, slots=True)
class BeanClass:
    """A class and what its annotations say of the message-driven bean that it is."""

    name: str
    """``shop.OrderBean``."""
    bean: str | None
    """The name of the bean; None where the class is not annotated as a message-driven bean."""
    origin: Origin
    management: Setting | None = None
    """``Bean`` or ``Container``; None where it is not annotated: Container is the default."""
    attribute: Setting | None = None
    """``Required``, ``NotSupported`` ... of onMessage; None where it is not annotated."""
    attribute_known: bool = True
    """The class that defines onMessage was found, so that nothing else says what its attribute is."""
    lacks: str = ""
    """The superclass that was looked for and is in no archive."""
    activation_config: Settings = field(default_factory=dict[str, Setting])


def may_declare_bean(data: bytes) -> bool:
    """Whether a class file's constants hold the name of the annotation of message-driven beans."""
    return _NEEDLE in data and any(needle in data for needle in _NEEDLES)


def read_bean_class(found: FoundClass, superclass: Callable[[str], FoundClass | None]) -> BeanClass:
    """What a class and its superclasses say. ``superclass`` finds a class by its name with slashes."""
    file, path = found
    name = file.name.replace("/", ".")
    declared = _ejb(file.annotations, "MessageDriven")
    bean: str | None = None
    config: dict[str, Setting] = {}
    if declared is not None:
        written = declared.values.get("name")
        bean = written if isinstance(written, str) and written else name.rpartition(".")[2]
        config = _activation_config(declared, path)
    defining, lacks = _defining_class(found, superclass)
    return BeanClass(
        name=name,
        bean=bean,
        origin=Origin(path, 0, 0, f"class {name}"),
        management=_management(file, path),
        attribute=_attribute(*defining) if defining else None,
        attribute_known=defining is not None,
        lacks=lacks,
        activation_config=config,
    )


def _ejb(annotations: tuple[Annotation, ...], name: str) -> Annotation | None:
    return next((entry for entry in annotations if entry.type in {f"{p}/ejb/{name}" for p in _PACKAGES}), None)


def _activation_config(declared: Annotation, path: str) -> dict[str, Setting]:
    """The ``@ActivationConfigProperty`` values by name."""
    entries = declared.values.get("activationConfig")
    found: dict[str, Setting] = {}
    for entry in entries if isinstance(entries, list) else [entries]:
        if isinstance(entry, Annotation):
            name, value = entry.values.get("propertyName"), entry.values.get("propertyValue")
            if isinstance(name, str) and isinstance(value, str) and name:
                found[name] = Setting(value.strip(), Origin(path, 0, 0, f"{name}={value.strip()}"))
    return found


def _management(file: ClassFile, path: str) -> Setting | None:
    written = _ejb(file.annotations, "TransactionManagement")
    if written is None:
        return None
    value = written.values.get("value", "CONTAINER")
    return _enum(value, Origin(path, 0, 0, f"@TransactionManagement({value})"))


def _defining_class(
    found: FoundClass, superclass: Callable[[str], FoundClass | None]
) -> tuple[tuple[FoundClass, Method] | None, str]:
    """The class that defines onMessage, with the method; or None and the superclass that could not be found."""
    for _ in range(_MAX_SUPERCLASSES):
        for method in found.file.methods:
            if method.name == "onMessage" and method.descriptor in _LISTENERS:
                return (found, method), ""
        parent = found.file.superclass
        if parent in ("", "java/lang/Object"):
            return None, ""
        following = superclass(parent)
        if following is None:
            return None, parent.replace("/", ".")
        found = following
    return None, ""


def _attribute(found: FoundClass, method: Method) -> Setting | None:
    """The transaction attribute of a method: its own, or that of the class that defines it."""
    written = _ejb(method.annotations, "TransactionAttribute") or _ejb(found.file.annotations, "TransactionAttribute")
    if written is None:
        return None
    value = written.values.get("value", "REQUIRED")
    return _enum(value, Origin(found.path, 0, 0, f"@TransactionAttribute({value})"))


def _enum(value: object, origin: Origin) -> Setting | None:
    """A constant as descriptors spell it: NOT_SUPPORTED is NotSupported."""
    return Setting("".join(word.capitalize() for word in str(value).split("_")), origin)
