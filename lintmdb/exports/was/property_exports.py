"""Properties files of extractConfigProperties as an export: the objects in their sections."""

from __future__ import annotations

import re

from lintmdb.exports.was.config_objects import ConfigObject
from lintmdb.exports.was.objects import Scope
from lintmdb.exports.was.property_files import Property, Section, is_name, read_property_file
from lintmdb.model.origins import Origin, Setting

_SECTION = re.compile(rb"(?m)^[ \t]*ResourceType[ \t]*=")
_EXTRACTED = re.compile(rb"(?mi)^[ \t]*#[ \t]*Extracted on\b")
_UNKNOWN_VARIABLE = re.compile(r"!\{[^{}]*\}")
_PARTS = {"StateManageable": "stateManagement", "ConnectionPool": "connectionPool", "MappingModule": "mapping"}
"""Parts of objects that have sections of their own, with the ``AttributeInfo`` that says which part they are."""
LISTS = frozenset({"properties", "resourceProperties", "propertySet", "entries"})
"""``AttributeInfo`` of lists that take any name."""
NESTED = LISTS | {"stateManagement", "sessionPool", "connectionPool", "threadPool", "mapping"}
"""``AttributeInfo`` of what is nested in an object. Any other says where an object hangs: what follows is its own."""


def looks_like_properties(head: bytes) -> bool:
    """Whether a file with these first bytes is a properties file of WebSphere."""
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        head = head.decode("utf-16", "ignore").encode()
    return _SECTION.search(head) is not None


def read_properties(data: bytes, path: str) -> list[ConfigObject]:
    """The objects of a properties file. Raises UnreadableError for a file that is none."""
    sections = read_property_file(data, path, fill=False)
    extracted = _EXTRACTED.search(data[:8192]) is not None
    objects: dict[tuple[str, str], ConfigObject] = {}
    for section in sections:
        if section.switches.get("SKIP") == "true" or section.switches.get("DELETE") == "true":
            continue
        _add(section, path, objects, extracted=extracted)
    return _named_holders(objects)


def _add(section: Section, path: str, objects: dict[tuple[str, str], ConfigObject], *, extracted: bool) -> None:
    """Add what a section says to the object that it is about."""
    kind, resource = section.type, section.resource_id
    part = kind in _PARTS
    if part:
        resource = resource.rpartition(":")[0] if ":" in resource else resource
        kind = section.steps[-2][0] if len(section.steps) > 1 else ""
    origin = Origin(path, section.line, 1, f"{section.type} {section.own_name}".strip())
    entry = objects.get((kind, resource))
    if entry is None:
        cell, scope = _scope(section)
        entry = objects[(kind, resource)] = ConfigObject(kind, "", cell, scope, origin, holder=_holder(section, kind))
    if not part and section.own_name:
        entry.name = entry.name or section.own_name
        entry.origin = entry.origin._replace(text=f"{kind} {entry.name}")
    entry.unset.update(found.name for found in section.nulls)
    for group in section.groups:
        if group in LISTS:
            entry.groups.setdefault(group, {})
            if extracted:
                entry.whole |= {group}
    for found in section.properties:
        setting = _setting(found, path)
        group = _group(section.type, found.group)
        if setting is not None:
            (entry.groups.setdefault(group, {}) if group else entry.attributes)[found.name] = setting


def _group(kind: str, group: str) -> str:
    """What in an object the properties of a section are; '' for its own attributes."""
    if kind in _PARTS:
        return group if group in NESTED else _PARTS[kind]
    return group if group in NESTED and kind != "ThreadPool" else ""


def _setting(found: Property, path: str) -> Setting | None:
    """A property as a setting; None for a password, and where its value has a variable that nothing defines."""
    if _UNKNOWN_VARIABLE.search(found.value) or "password" in found.name.lower():
        return None
    return Setting(found.value, Origin(path, found.line, found.column, f"{found.name}={found.value}"))


def _scope(section: Section) -> tuple[str | None, Scope]:
    steps = {kind: name for kind, name in section.steps if is_name(name) and not _UNKNOWN_VARIABLE.search(name)}
    scope = Scope(steps.get("ServerCluster"), steps.get("Node"), steps.get("Server"), steps.get("Deployment"))
    if scope.application:
        scope = Scope(application=scope.application)
    return steps.get("Cell"), scope


def _holder(section: Section, kind: str) -> str:
    """The adapter or provider above the object, or the type above a thread pool; as the ResourceId has it."""
    steps = dict(section.steps)
    if kind == "ThreadPool":
        return "MessageListenerService" if "MessageListenerService" in steps else ""
    for holder in ("J2CResourceAdapter", "JMSProvider"):
        if holder in steps and kind != holder:
            name = steps[holder]
            return name if is_name(name) else f"{holder}:{name}"
    return ""


def _named_holders(objects: dict[tuple[str, str], ConfigObject]) -> list[ConfigObject]:
    """The objects, with the names of holders that only their identifiers tell."""
    names = {
        f"{kind}:{resource.rpartition(f'{kind}=')[2]}": entry.name
        for (kind, resource), entry in objects.items()
        if kind in ("J2CResourceAdapter", "JMSProvider")
    }
    for entry in objects.values():
        if ":ID#" in entry.holder:
            entry.holder = names.get(entry.holder, "")
    return list(objects.values())
