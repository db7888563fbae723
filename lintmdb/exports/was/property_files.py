"""Properties files of WebSphere, as extractConfigProperties writes and applyConfigProperties reads them.

IBM's page on their syntax (rxml_prop_file_syntax): a value of null is ignored; a type, ``required``, ``readonly`` or
``default(...)`` may stand behind ``#``. Sections begin with ``ResourceType``; variables stand at the end.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from lintmdb.errors import UnreadableError
from lintmdb.exports.text import decode_export

_MAX_BYTES = 1 << 26
_NEXT_STEP = "Provide a file that extractConfigProperties wrote, or one of the same format"
_TAIL = re.compile(r"\s#.*\Z")
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"(?:\s+#.*)?\Z')
_VARIABLE = re.compile(r"!\{([^{}]*)\}")
_STEP = re.compile(r":(?=[A-Za-z]\w*=)")
VARIABLES = "EnvironmentVariablesSection"
HEADERS = frozenset({"ResourceType", "ImplementingResourceType", "ResourceId"})
_BY_ATTRIBUTE = re.compile(r"(ID|name|jndiName|alias|identifier)#(.*)", re.DOTALL)
_NAMING = ("name", "alias", "identifier")
"""Attributes that are the name of an object."""
_SWITCHES = frozenset({"SKIP", "DELETE", "CREATEDELETECOMMANDPROPERTIES", "ACTION"})


class Property(NamedTuple):
    """One property, and its place."""

    name: str
    value: str
    line: int
    column: int
    group: str
    """``AttributeInfo`` above it, without the part in parentheses: ``resourceProperties``; blank without one."""


@dataclass(slots=True)
class Section:
    """The properties of one object."""

    line: int
    type: str
    resource_id: str = ""
    properties: list[Property] = field(default_factory=list[Property])
    switches: dict[str, str] = field(default_factory=dict[str, str])
    """``SKIP``, ``DELETE``: what is done with the section."""
    nulls: list[Property] = field(default_factory=list[Property])
    """The properties whose value is null: they are not set."""
    groups: list[str] = field(default_factory=list[str])
    """Every ``AttributeInfo`` of the section, without the part in parentheses."""
    named_elsewhere: str = ""
    """What another section with the same ResourceId calls the object."""

    @property
    def steps(self) -> Sequence[tuple[str, str]]:
        """The types and names on the way to the object: ``Cell`` and ``C1``, ``Node`` and ``n1`` ..."""
        parts = [part.partition("=") for part in _STEP.split(self.resource_id) if part]
        return [(kind.strip(), name.strip()) for kind, _, name in parts]

    @property
    def own_name(self) -> str:
        """The name of its object: in the ResourceId, else among the properties; that of a part is its holder's."""
        steps = [step for step in self.steps if step[0] not in ("StateManageable", "ThreadPool") or is_name(step[1])]
        name = steps[-1][1] if steps else ""
        if is_name(name):
            return name
        told = _BY_ATTRIBUTE.fullmatch(name)
        if told is not None and told[1] in _NAMING:
            return told[2]
        own = next((entry.value for entry in self.properties if entry.name in _NAMING), "")
        return own or self.named_elsewhere

    @property
    def jndi_name(self) -> str:
        """The JNDI name by which the ResourceId names the object, as in ``MQQueue=jndiName#jms/orders``; else blank."""
        steps = self.steps
        return steps[-1][1].removeprefix("jndiName#") if steps and steps[-1][1].startswith("jndiName#") else ""


def is_name(text: str) -> bool:
    """Whether the part of a step behind ``=`` is a name, and not another attribute that tells the object."""
    return bool(text) and _BY_ATTRIBUTE.fullmatch(text) is None


def read_property_file(data: bytes, path: str, *, fill: bool = True) -> list[Section]:
    """The sections of a file, in its order, with the values of variables in them.

    Without ``fill`` a variable without a value stays as it is written; otherwise it is an error. Raises UnreadableError
    for a file that is not a properties file of WebSphere, with the line that shows it.
    """
    if len(data) > _MAX_BYTES:
        raise UnreadableError(f"is larger than {_MAX_BYTES} bytes", path=path, next_step=_NEXT_STEP)
    lines = decode_lines(data)
    if any("\0" in line for line in lines):
        raise UnreadableError("is not text, because it contains NUL bytes", path=path, next_step=_NEXT_STEP)
    sections, variables = _Reader(path).read(lines)
    if not sections:
        raise UnreadableError("is not a properties file: it has no ResourceType", path=path, next_step=_NEXT_STEP)
    names: dict[str, str] = {}
    for section in sections:
        _fill(section, variables, path, strict=fill)
        if section.own_name:
            names.setdefault(section.resource_id, section.own_name)
    for section in sections:
        section.named_elsewhere = names.get(section.resource_id, "")
    return sections


def decode_lines(data: bytes) -> list[str]:
    """The lines of a file, without their ends."""
    text = decode_export(data).removeprefix("\ufeff")
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def variable_lines(lines: Sequence[str]) -> dict[str, str]:
    """The variables of a file, and the line that gives each its value."""
    found: dict[str, str] = {}
    inside = False
    for line in map(str.strip, lines):
        name = line.partition("=")[0].strip()
        if line.startswith(VARIABLES):
            inside = True
        elif name in HEADERS:
            inside = False
        elif inside and line and not line.startswith("#"):
            found[name] = line
    return found


class _Reader:
    def __init__(self, path: str) -> None:
        self._path = path
        self._sections: list[Section] = []
        self._variables: dict[str, str] = {}
        self._group = ""

    def read(self, lines: Sequence[str]) -> tuple[list[Section], Mapping[str, str]]:
        inside_variables = False
        for number, line in enumerate(lines, 1):
            text = line.strip()
            if not text or text.startswith("#"):
                continue
            if text.startswith(VARIABLES):
                inside_variables = True
                continue
            name, equals, value = text.partition("=")
            if not equals or not name.strip():
                raise self._error("is not name=value", number)
            if name.strip() in HEADERS:
                inside_variables = False
            if inside_variables:
                self._variables[name.strip()] = _plain(value)
            else:
                self._pair(name.strip(), value, number, len(line) - len(line.lstrip()) + 1)
        return self._sections, self._variables

    def _pair(self, name: str, value: str, number: int, column: int) -> None:
        plain = _plain(value)
        if name == "ResourceType":
            self._sections.append(Section(number, plain))
            self._group = ""
        elif not self._sections:
            if name in ("ImplementingResourceType", "ResourceId", "AttributeInfo"):
                raise self._error(f"{name} comes before the first ResourceType", number)
            raise self._error("comes before the first ResourceType", number)
        elif name == "ResourceId":
            self._sections[-1].resource_id = plain
        elif name == "AttributeInfo":
            self._group = plain.partition("(")[0].strip()
            self._sections[-1].groups.append(self._group)
        elif name in _SWITCHES:
            self._sections[-1].switches[name] = plain.lower()
        elif name != "ImplementingResourceType":
            found = Property(name, plain, number, column, self._group)
            (self._sections[-1].nulls if plain == "null" else self._sections[-1].properties).append(found)

    def _error(self, text: str, number: int) -> UnreadableError:
        return UnreadableError(
            f"is not a properties file: this line {text}", path=self._path, line=number, next_step=_NEXT_STEP
        )


def quoted_value(value: str) -> str:
    """A value as it is written in a file; it must be of one line."""
    if value and value == value.strip() and not any(character in value for character in '#"\\'):
        return value
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _plain(value: str) -> str:
    """A value without quotes, and without the type behind ``#``."""
    text = value.strip()
    quoted = _QUOTED.match(text)
    if quoted is not None:
        return re.sub(r"\\(.)", r"\1", quoted.group(1))
    return "" if text.startswith("#") else _TAIL.sub("", text).rstrip()


def _fill(section: Section, variables: Mapping[str, str], path: str, *, strict: bool) -> None:
    """Put the values of variables into a section."""

    def filled(text: str, line: int) -> str:
        def known(match: re.Match[str]) -> str:
            if match.group(1) not in variables:
                if not strict:
                    return match.group()
                reason = f"!{{{match.group(1)}}} is not in the {VARIABLES}"
                raise UnreadableError(reason, path=path, line=line, next_step=f"Add {match.group(1)}=... there")
            return variables[match.group(1)]

        return _VARIABLE.sub(known, text)

    section.resource_id = filled(section.resource_id, section.line)
    section.properties = [entry._replace(value=filled(entry.value, entry.line)) for entry in section.properties]
