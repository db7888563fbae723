"""YAML of Kubernetes, Ansible and compose without secrets.

Keys stay, and so do the values that lintmdb needs to join scripts with queue managers. Scripts in values lose their
secrets as scripts of their own do; any other value is text. Every line keeps its number.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator
from typing import NamedTuple

from lintmdb.errors import LintmdbError
from lintmdb.exports.mq.sniff import looks_like_mqsc
from lintmdb.exports.mq.yaml_nodes import Document, Node, Scalar, Sequenced, YamlError, documents
from lintmdb.redact.pseudonyms import Pseudonyms
from lintmdb.redact.scripts import redact_script
from lintmdb.redact.shell import TOOLS, redact_shell

_KEPT = frozenset({"apiVersion", "kind", "items", "key"})
"""Keys whose values lintmdb may need, and that are no names of objects."""
_PATHS = frozenset({
    "path", "mountPath", "subPath", "configMap", "dest", "src", "source", "target", "files", "creates", "volumes",
    "resources", "bases",
})  # fmt: skip
"""Keys whose values are paths."""
_KEPT_BELOW_NAME = "MQ_QMGR_NAME"
_NAMES = frozenset({
    "name", "namespace", "secretName", "MQ_QMGR_NAME", "qmname", "qmgr_name", "queue_manager", "queue_manager_name",
    "qmgr", "qm_name",
})  # fmt: skip
"""Keys whose values are names of objects."""
_COMMAND = re.compile(r"\b(?:DEF(?:INE)?|ALT(?:ER)?|SET|DELETE)[ \t]+(?:(?:NO)?REPLACE[ \t]+)?[A-Z]+", re.I)
_COMMENT = re.compile(r"(?:^|(?<=[ \t]))#[^\n]*")
_ACTION = re.compile(r"\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}", re.S)
_STRING = re.compile(r"\"[^\"\n]*\"|'[^'\n]*'")
_ESCAPED = re.compile(r"\\(?:x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|\n|.)", re.S)
_ENCODED_NOTHING = base64.b64encode(b"redacted").decode()


class _Value(NamedTuple):
    scalar: Scalar
    key: str
    """The key that it belongs to; an item of a list belongs to that of the list."""
    encoded: bool
    named: str
    """The ``name`` next to it."""


def redact_yaml(text: str, pseudonyms: Pseudonyms) -> str:
    """YAML without secrets. Raises LintmdbError, also for what is not valid."""
    lines = text.split("\n")
    for document in documents(text):
        _redact_document(document, lines, pseudonyms)
    return "\n".join(lines)


def _redact_document(document: Document, lines: list[str], pseudonyms: Pseudonyms) -> None:
    """Change the lines of one document."""
    try:
        values = sorted(_values(document.root()), key=lambda value: value.scalar.region.start, reverse=True)
    except YamlError as error:
        raise LintmdbError(f"{error.text} (line {error.line})") from error
    last = document.first_line + document.text.count("\n")
    upper = (last, 0)
    seen: set[tuple[int, int]] = set()
    for value in values:
        region = value.scalar.region
        if region.start in seen:
            continue
        seen.add(region.start)
        start = (region.start[0] + document.first_line - 1, region.start[1])
        end = (region.end[0] + document.first_line - 1, region.end[1])
        _redact_outside(lines, end, upper, pseudonyms)
        _redact_value(value, lines, start, end, pseudonyms)
        upper = start
    _redact_outside(lines, (document.first_line - 1, 0), upper, pseudonyms)


def _values(root: Node | None) -> Iterator[_Value]:
    """All scalars that are values."""
    pending: list[tuple[Node | None, str, bool, str]] = [(root, "", False, "")]
    plays = isinstance(root, Sequenced)
    seen: set[int] = set()
    while pending:
        node, key, encoded, named = pending.pop()
        if isinstance(node, Scalar):
            yield _Value(node, key, encoded, named)
        elif node is None or id(node) in seen:
            continue
        elif isinstance(node, Sequenced):
            seen.add(id(node))
            pending += ((item, key, encoded, "") for item in node.items)
        else:
            seen.add(id(node))
            secret = node.text("kind") == "Secret"
            for name, value in node.entries:
                inside = (secret and name == "data") or name == "binaryData" or encoded
                # Plays and tasks have names that are prose.
                key = "" if plays and name == "name" else name
                pending.append((value, key, inside, node.text("name")))


def _redact_outside(lines: list[str], start: tuple[int, int], end: tuple[int, int], pseudonyms: Pseudonyms) -> None:
    """Take comments, and the texts in template actions, from what is between two values."""
    for number in range(start[0], min(end[0] + 1, len(lines))):
        line = lines[number]
        first = start[1] if number == start[0] else 0
        behind = end[1] if number == end[0] else len(line)
        part = _ACTION.sub(lambda action: _STRING.sub(lambda text: pseudonyms.value("text", text[0]), action[0]),
                           line[first:behind])  # fmt: skip
        part = _COMMENT.sub(lambda comment: pseudonyms.value("text", comment[0]), part)
        lines[number] = line[:first] + part + line[behind:]


def _redact_value(
    value: _Value, lines: list[str], start: tuple[int, int], end: tuple[int, int], pseudonyms: Pseudonyms
) -> None:
    """Change one value where it stands."""
    style = value.scalar.region.style
    if style in ("|", ">"):
        first, behind = (start[0] + 1, 0), end
        _redact_outside(lines, start, (start[0], len(lines[start[0]])), pseudonyms)
    else:
        first, behind = start, end
    if first >= behind or first[0] >= len(lines):
        return
    raw = _cut(lines, first, behind)
    changed = _changed(value, raw, style, pseudonyms)
    if changed != raw:
        _put(lines, first, behind, changed)


def _cut(lines: list[str], start: tuple[int, int], end: tuple[int, int]) -> str:
    if start[0] == end[0]:
        return lines[start[0]][start[1] : end[1]]
    inner = lines[start[0] + 1 : end[0]]
    last = lines[end[0]][: end[1]] if end[0] < len(lines) else ""
    return "\n".join([lines[start[0]][start[1] :], *inner, last])


def _put(lines: list[str], start: tuple[int, int], end: tuple[int, int], text: str) -> None:
    tail = lines[end[0]][end[1] :] if end[0] < len(lines) else ""
    new = (lines[start[0]][: start[1]] + text + tail).split("\n")
    lines[start[0] : end[0] + 1] = new[: end[0] - start[0] + 1] if end[0] >= len(lines) else new


def _changed(value: _Value, raw: str, style: str, pseudonyms: Pseudonyms) -> str:
    text = value.scalar.region.value
    if value.encoded:
        return _encoded(raw, pseudonyms)
    if value.key in _NAMES or value.named == _KEPT_BELOW_NAME or f"{_KEPT_BELOW_NAME}=" in text:
        return pseudonyms.value("name", raw)
    if value.key in _PATHS:
        return pseudonyms.value("path", raw)
    if value.key in _KEPT:
        return raw
    if TOOLS.search(text):
        return redact_shell(raw, pseudonyms)
    if _COMMAND.search(text) or looks_like_mqsc(text[:8192].encode("utf-8", "replace")):
        return redact_script(raw, pseudonyms, embedded=True)
    return _text(raw, style, pseudonyms)


def _text(raw: str, style: str, pseudonyms: Pseudonyms) -> str:
    """Text of which only the shape stays, with the escapes and template actions in it."""
    kept = re.compile(f"{_ACTION.pattern}|{_ESCAPED.pattern}", re.S) if style == '"' else _ACTION
    pieces: list[str] = []
    end = 0
    for found in kept.finditer(raw):
        pieces += (pseudonyms.value("text", raw[end : found.start()]), found[0])
        end = found.end()
    return "".join([*pieces, pseudonyms.value("text", raw[end:])])


def _encoded(raw: str, pseudonyms: Pseudonyms) -> str:
    """A value in base64: a script without secrets, or nothing of what it was."""
    quote = raw[0] if raw[:1] in "'\"" and len(raw) > 1 else ""
    try:
        text = base64.b64decode("".join(raw.strip("'\"").split()), validate=True).decode("utf-8")
    except (binascii.Error, ValueError):
        return _ENCODED_NOTHING if raw.strip() else raw
    if not looks_like_mqsc(text[:8192].encode()):
        return quote + _ENCODED_NOTHING + quote
    if "\n" in raw:
        raise LintmdbError("has a script in base64 on several lines, which cannot be written back in place")
    return quote + base64.b64encode(redact_script(text, pseudonyms).encode()).decode() + quote
