"""What wsadmin prints, in either language: AdminConfig.show and showall, and AdminTask's show and list commands.

An object's type and scope are in its configuration id: in the command above it, in a list of ids, or in a reference
from the object. Attributes that are not printed are unknown, as the command may have asked for some only.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from lintmdb.errors import UnreadableError
from lintmdb.exports.text import decode_export
from lintmdb.exports.was.admin_tasks import PARAMETERS, task_object
from lintmdb.exports.was.config_objects import ConfigObject
from lintmdb.exports.was.objects import Scope
from lintmdb.exports.was.wsadmin_ids import (
    ConfigId,
    Lines,
    Place,
    config_ids,
    first_id,
    place_of_containment,
    place_of_path,
)
from lintmdb.exports.was.wsadmin_lists import Item, read_list
from lintmdb.model.origins import Origin, Setting

_MAX_BYTES = 1 << 26
_MAX_BROKEN = 10
"""Lists that do not end; each is looked for to the end of the text."""
_BEFORE = re.compile(r"(?:[ \t\r'\"]|\\n)*")
"""What stands before a list: a text that is shown in quotation marks has its line ends written out."""
_PROMPT = re.compile(r"\s*wsadmin>\s*")
_MAP = re.compile(r"\{(?=\s*\w+=)")
_ENTRY = re.compile(r"(?:\A|,)\s*(\w+)=")
_PAIR = re.compile(r"[\[{](\w+) ")
_SHOW = re.compile(r"\bAdminTask\.show(\w+)|\$AdminTask\s+show(\w+)")
_GETID = re.compile(r"/(?:[A-Za-z]\w*:[^/'\"\s]*/)+")
_TYPES: Mapping[str, frozenset[str]] = {
    "ListenerPort": frozenset({"maxRetries", "maxSessions", "destinationJNDIName", "connectionFactoryJNDIName"}),
    "J2CActivationSpec": frozenset({"activationSpec", "destinationJndiName"}),
    "MQQueue": frozenset({"baseQueueName"}),
    "MQTopic": frozenset({"baseTopicName"}),
    "TransactionService": frozenset({"totalTranLifetimeTimeout", "clientInactivityTimeout"}),
    "MessageListenerService": frozenset({"listenerPorts"}),
}
"""Attributes that tell the type of an object whose id is not printed."""
_FACTORIES = ("MQQueueConnectionFactory", "MQTopicConnectionFactory", "MQConnectionFactory")
_SHOWN = frozenset({*_TYPES, *_FACTORIES, "J2CAdminObject", "J2CConnectionFactory"})
_LISTED = frozenset({"ListenerPort", "J2CActivationSpec", "MQQueue", "MQTopic", *_FACTORIES})
_PROPERTIES = frozenset({"resourceProperties", "properties"})
_PARTS = frozenset({"stateManagement", "sessionPool", "connectionPool", "threadPool", "mapping"})
_ATTRIBUTES = frozenset({"jndiName", "resourceProperties", "propertySet"}.union(*_TYPES.values()))


def looks_like_output(head: bytes) -> bool:
    """Whether a file with these first bytes is output of wsadmin about objects that are read."""
    text = decode_export(head)
    told = "ActivationSpec" in text or any(name in text for name in _SHOWN)
    if told and ("wsadmin>" in text or any(found.type in _SHOWN for found in _listed_ids(text))):
        return True
    if _MAP.match(text.lstrip(" \t\r\n'\"")) and len(set(_ENTRY.findall(text[1:])) & PARAMETERS) > 1:
        return True
    return len({match.group(1) for match in _PAIR.finditer(text)} & _ATTRIBUTES) > 1


def _listed_ids(text: str) -> Iterator[ConfigId]:
    """The ids that lines begin with."""
    for line in text.splitlines():
        found = first_id(line[:2000])
        if found is not None and line.lstrip(" '\"").startswith(f"{found.name}("):
            yield found


@dataclass(slots=True)
class _Shown:
    """The pairs of one object, in their order."""

    pairs: dict[str, Item] = field(default_factory=dict[str, Item])


class _Known(NamedTuple):
    type: str
    name: str
    place: Place


def read_output(data: bytes, path: str) -> list[ConfigObject]:
    """The objects that a transcript shows. Raises UnreadableError for what is no text."""
    if len(data) > _MAX_BYTES:
        raise UnreadableError(f"is larger than {_MAX_BYTES} bytes", path=path, next_step="Print less at once")
    text = decode_export(data)
    if "\0" in text:
        raise UnreadableError("is not text, because it contains NUL bytes", path=path, next_step="Print it again")
    return _Transcript(text, path).read()


class _Transcript:
    def __init__(self, text: str, path: str) -> None:
        self._text = text
        self._path = path
        self._lines = Lines(text)
        self._command: _Known | None = None
        self._task = ""
        self._shown = _Shown()
        self._broken = 0
        self._objects: list[ConfigObject] = []
        self._listed: dict[tuple[str, str], list[tuple[_Known, Origin]]] = {}

    def read(self) -> list[ConfigObject]:
        at = 0
        while at < len(self._text):
            end = self._text.find("\n", at)
            end = len(self._text) if end < 0 else end
            at = max(self._line(at, end), at + 1)
        self._flush()
        named = {(entry.type, entry.name) for entry in self._objects}
        for (kind, name), ids in self._listed.items():
            if (kind, name) not in named and kind in _LISTED:
                self._objects += [ConfigObject(kind, name, known.place.cell, known.place.scope, origin)
                                  for known, origin in ids]  # fmt: skip
        return [self._placed(entry) for entry in self._objects]

    def _line(self, start: int, end: int) -> int:
        """Read what starts on a line; gives the offset behind it."""
        line = self._text[start:end]
        prompt = _PROMPT.match(line)
        if prompt is not None:
            self._flush()
            self._take_command(line[prompt.end() :])
            return end + 1
        before = _BEFORE.match(line)
        first = start + (before.end() if before is not None else 0)
        if first < end and self._text[first] in "[{":
            return self._printed(first, end)
        if line.strip():
            self._flush()
            self._ids(start, line)
        return end + 1

    def _take_command(self, command: str) -> None:
        found, path = first_id(command), _GETID.search(command)
        self._command = None
        if found is not None:
            self._command = _Known(found.type, found.name, place_of_path(found.path))
        elif path is not None:
            kind, _, name = path.group().strip("/").rpartition("/")[2].partition(":")
            place = place_of_containment(path.group())
            if place is not None and kind in _SHOWN:
                self._command = _Known(kind, name, place)
        task = _SHOW.search(command)
        self._task = (task.group(1) or task.group(2)) if task is not None else ""

    def _printed(self, start: int, end: int) -> int:
        """A map of AdminTask, or pairs of AdminConfig."""
        if _MAP.match(self._text, start):
            close = self._text.find("}", start)
            close = len(self._text) if close < 0 else close
            self._flush()
            self._map(start, close)
            return close + 1
        read = read_list(self._text, start) if self._broken < _MAX_BROKEN else None
        if read is None:
            self._broken += 1
            return end + 1
        item, behind = read
        for pair in _pairs(item):
            name = pair.items[0].text if pair.items else ""
            if name in self._shown.pairs:
                self._flush()
            self._shown.pairs[name] = pair
        return behind

    def _map(self, start: int, close: int) -> None:
        """``{k=v, k2=v2}``: a value goes on to the next parameter, as it may have commas and blanks."""
        body = self._text[start + 1 : close]
        entries = [match for match in _ENTRY.finditer(body) if match.group(1) in PARAMETERS | {"name", "type"}]
        parameters: dict[str, Setting] = {}
        for entry, following in zip(entries, [*entries[1:], None], strict=False):
            # What no one reads ends a value too.
            rest = body[entry.end() : following.start() if following else len(body)]
            value = re.split(r",\s*\w+=", rest)[0].strip().strip('"')
            if value and value != "null":
                origin = self._origin(start + 1 + entry.start(1), f"{entry.group(1)}={value}")
                parameters[entry.group(1)] = Setting(value, origin)
        kind = self._task or _task_kind(parameters)
        if kind in ("WMQActivationSpec", "SIBJMSActivationSpec", "WMQQueue", "WMQTopic", "WMQConnectionFactory",
                    "SIBJMSQueue", "SIBJMSTopic") and parameters:  # fmt: skip
            place = self._command.place if self._command else Place(None, Scope())
            shown = parameters["name"].value if "name" in parameters else self._command.name if self._command else ""
            origin = self._origin(start, f"{kind} {shown}".strip())
            entry = task_object(kind, parameters, cell=place.cell, scope=place.scope, origin=origin, created=False)
            entry.name = shown
            self._objects.append(entry)
        self._command, self._task = None, ""

    def _ids(self, start: int, line: str) -> None:
        for found in config_ids(line):
            known = _Known(found.type, found.name, place_of_path(found.path))
            if known.type in _SHOWN:
                origin = self._origin(start, f"{known.type} {known.name}")
                self._listed.setdefault((known.type, known.name), []).append((known, origin))
                self._command = known

    def _flush(self) -> None:
        """Make an object of the pairs so far."""
        pairs, self._shown = self._shown.pairs, _Shown()
        if not pairs:
            return
        known, kind = self._command, self._command.type if self._command else ""
        kind = kind if kind in _SHOWN else _type_of(pairs)
        if not kind:
            return
        reference = next((found for pair in pairs.values() if (found := first_id(pair.text))), None)
        place = known.place if known is not None else Place(None, Scope())
        if known is None and reference is not None:
            place = place_of_path(reference.path)
        first = next(iter(pairs.values()))
        entry = ConfigObject(
            kind, known.name if known else "", place.cell, place.scope, self._origin(first.offset, kind)
        )
        for name, pair in pairs.items():
            self._attribute(entry, name, pair)
        if "name" in entry.attributes:
            entry.name = entry.attributes["name"].value
        entry.origin = entry.origin._replace(text=f"{kind} {entry.name}")
        self._objects.append(entry)
        self._command = None

    def _attribute(self, entry: ConfigObject, name: str, pair: Item) -> None:
        values = (pair.items or [])[1:]
        if name == "provider" and values:
            entry.holder = values[0].text.partition("(")[0]
        if len(values) == 1 and values[0].items is not None and name in _PROPERTIES:
            inner = [item for item in values[0].items if item.items is not None]
            if inner:
                entry.groups[name] = dict(self._property_entries(inner))
                entry.whole |= {name}
            return
        if len(values) == 1 and values[0].items is not None and name in _PARTS:
            entry.groups[name] = dict(self._settings(_pairs(values[0])))
            return
        entry.attributes.update(self._settings([pair]))
        if name not in entry.attributes:
            entry.unset.add(name)

    def _property_entries(self, items: Iterable[Item]) -> Iterator[tuple[str, Setting]]:
        """The name and value of each property in a list of objects."""
        for item in items:
            parts = {pair.items[0].text: pair for pair in _pairs(item) if pair.items}
            name, value = parts.get("name"), parts.get("value")
            if name is None or value is None or "password" in _rest(name).lower():
                continue
            text = _rest(value)
            if text:
                yield _rest(name), Setting(text, self._origin(value.offset, f"{_rest(name)} value={text}"))

    def _settings(self, pairs: Iterable[Item]) -> Iterator[tuple[str, Setting]]:
        for pair in pairs:
            name, text = (pair.items or [pair])[0].text, _rest(pair)
            if text and "password" not in name.lower():
                yield name, Setting(text, self._origin(pair.offset, f"{name} {text}"))

    def _placed(self, entry: ConfigObject) -> ConfigObject:
        """An object with the place that a list of ids gives it, if nothing else does and just one has its name."""
        ids = self._listed.get((entry.type, entry.name), [])
        if entry.cell is None and entry.scope == Scope() and len(ids) == 1:
            entry.cell, entry.scope = ids[0][0].place
        return entry

    def _origin(self, offset: int, text: str) -> Origin:
        return Origin(self._path, *self._lines.of(offset), text)


def _pairs(item: Item) -> list[Item]:
    """A list as one pair, or the pairs that it holds."""
    items = item.items or []
    if items and items[0].items is None:
        return [item]
    return [inner for inner in items if inner.items and inner.items[0].items is None]


def _rest(pair: Item) -> str:
    """The value of a pair; '' where it is empty."""
    values = (pair.items or [])[1:]
    if len(values) == 1:
        return values[0].text
    return " ".join(value.text for value in values)


def _type_of(pairs: Mapping[str, Item]) -> str:
    """The type that attributes tell; '' where they tell none."""
    if "XAEnabled" in pairs and "transportType" in pairs:
        return "MQConnectionFactory"
    return next((kind for kind, names in _TYPES.items() if len(names & pairs.keys()) >= min(2, len(names))), "")


def _task_kind(parameters: Mapping[str, Setting]) -> str:
    """The kind of object that a map's parameters tell; '' where they tell none."""
    if parameters.keys() & {"stopEndpointIfDeliveryFails", "failureDeliveryCount", "maxPoolSize"}:
        return "WMQActivationSpec"
    if parameters.keys() & {"maxConcurrency", "maxBatchSize", "autoStopSequentialMessageFailure"}:
        return "SIBJMSActivationSpec"
    return ""
