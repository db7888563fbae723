"""Queues as the first version of the REST API shows them: names in camel case, in groups."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from lintmdb.exports.mq.commands import Parameter
from lintmdb.exports.mq.rest.json_text import Node

_TYPES = {"local": "QLOCAL", "alias": "QALIAS", "remote": "QREMOTE", "model": "QMODEL", "cluster": "QCLUSTER"}


class _Attribute(NamedTuple):
    keyword: str
    translate: Callable[[Node], str | None]
    """The value in MQSC; None for one that means nothing there."""


def _text(node: Node) -> str | None:
    value = node.value
    return str(value) if isinstance(value, str | int) and not isinstance(value, bool) else None


def _either(true: str, false: str) -> Callable[[Node], str | None]:
    def translate(node: Node) -> str | None:
        return (true if node.value else false) if isinstance(node.value, bool) else None

    return translate


def _one_of(words: Mapping[str, str]) -> Callable[[Node], str | None]:
    return lambda node: words.get(node.value) if isinstance(node.value, str) else None


_ATTRIBUTES: Mapping[tuple[str, str], _Attribute] = {
    ("general", "inhibitPut"): _Attribute("PUT", _either("DISABLED", "ENABLED")),
    ("general", "inhibitGet"): _Attribute("GET", _either("DISABLED", "ENABLED")),
    ("general", "isTransmissionQueue"): _Attribute("USAGE", _either("XMITQ", "NORMAL")),
    ("storage", "maximumDepth"): _Attribute("MAXDEPTH", _text),
    ("storage", "maximumMessageLength"): _Attribute("MAXMSGL", _text),
    ("storage", "storageClass"): _Attribute("STGCLASS", _text),
    ("extended", "backoutThreshold"): _Attribute("BOTHRESH", _text),
    ("extended", "backoutRequeueQueueName"): _Attribute("BOQNAME", _text),
    ("extended", "hardenGetBackout"): _Attribute("HARDENBO", _either("", "NO")),
    ("extended", "allowSharedInput"): _Attribute("SHARE", _either("", "NO")),
    ("extended", "supportDistributionLists"): _Attribute("DISTL", _either("YES", "NO")),
    ("extended", "custom"): _Attribute("CUSTOM", _text),
    ("applicationDefaults", "messagePersistence"): _Attribute(
        "DEFPSIST", _one_of({"persistent": "YES", "nonPersistent": "NO"})
    ),
    ("applicationDefaults", "sharedInput"): _Attribute("DEFSOPT", _either("SHARED", "EXCL")),
    ("alias", "targetName"): _Attribute("TARGET", _text),
    ("alias", "targetType"): _Attribute("TARGTYPE", _one_of({"queue": "QUEUE", "topic": "TOPIC"})),
    ("remote", "queueName"): _Attribute("RNAME", _text),
    ("remote", "qmgrName"): _Attribute("RQMNAME", _text),
    ("remote", "transmissionQueueName"): _Attribute("XMITQ", _text),
    ("cluster", "name"): _Attribute("CLUSTER", _text),
    ("cluster", "namelist"): _Attribute("CLUSNL", _text),
    ("trigger", "enabled"): _Attribute("TRIGGER", _either("", "NO")),
    ("trigger", "type"): _Attribute(
        "TRIGTYPE", _one_of({"first": "FIRST", "every": "EVERY", "depth": "DEPTH", "none": "NONE"})
    ),
    ("queueSharingGroup", "disposition"): _Attribute(
        "QSGDISP", _one_of({"qmgr": "QMGR", "copy": "COPY", "shared": "SHARED", "group": "GROUP"})
    ),
    ("queueSharingGroup", "structureName"): _Attribute("CFSTRUCT", _text),
}
_FLAGS = frozenset({"HARDENBO", "SHARE", "TRIGGER"})


def queue_attributes(members: Mapping[str, Node]) -> list[tuple[Parameter, int]]:
    """The attributes of one queue in MQSC, each with the offset at which it stands; none of what is no queue."""
    name, kind = members.get("name"), members.get("type")
    if name is None or not isinstance(name.value, str) or kind is None or not isinstance(kind.value, str):
        return []
    noun = _TYPES.get(kind.value, kind.value.upper())
    found = [_parameter("QUEUE", name.value, name), _parameter("TYPE", noun, kind)]
    for (group, key), (keyword, translate) in _ATTRIBUTES.items():
        node = members[group].members().get(key) if group in members else None
        value = translate(node) if node is not None else None
        if node is None or value is None:
            continue
        if keyword in _FLAGS:
            found.append((Parameter(value + keyword, None, value + keyword, 1), node.key))
        else:
            found.append(_parameter(keyword, value, node))
    return found


def _parameter(keyword: str, value: str, node: Node) -> tuple[Parameter, int]:
    shown = value if len(value) < 200 else "..."
    return Parameter(keyword, value.strip(), f"{keyword}({shown or ' '})", 1), node.key
