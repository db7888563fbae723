"""What queue managers answer, without secrets: transcripts, answers of the REST API, and what dmpmqaut lists."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence

from lintmdb.exports.mq.display.attributes import line_columns
from lintmdb.exports.mq.vocabulary import FLAGS, VERBS
from lintmdb.redact.pseudonyms import Kind, Pseudonyms
from lintmdb.redact.scripts import keyword_kind, redact_commands
from lintmdb.redact.sensitive import kind_of

_VERBS = "|".join(sorted(VERBS, key=len, reverse=True))
_READ = re.compile(
    r"\s{0,3}AMQ\d{4}[A-Z]?:|.*\bCSQ[A-Z0-9]\d{3}[A-Z]\b|[ \t]*\d{1,7} : ?| {4,8}: ?|Starting MQSC for queue manager "
    rf"|5724-|[*/]|(?-i:.*\b[A-Z][A-Z0-9]*\()|\s*(?:\S+\s+)?(?:{_VERBS})\b|\s*(?:{'|'.join(sorted(FLAGS))})(?:\s|\Z)",
    re.I,
)
"""Lines of which lintmdb may read something; any other is text."""
_SYSTEM = re.compile(r"\S*\s*(?:IE[A-Z]\d{3}[A-Z]|ICH\d{3}|\$HASP\d+)")
"""Messages of z/OS itself, which name users and jobs."""
_REMARK = re.compile(r"[ \t]*\d{1,7} : ?[ \t]*\*")
_INSERT = re.compile(
    r"(Starting MQSC for queue manager |Target queue manager is "
    r"|Connect(?:ing to|ed to queue manager) (?=[A-Z0-9@#$]{1,4}\s*\Z)|(?<=CSQ[A-Z0-9]\d{3}[A-Z] )[-+!%@#]|\bobject )"
    r"([\w.%/]*[\w%/])"
)
"""Names of queue managers and objects in messages."""
_OPEN = re.compile(r"\s*[A-Z][A-Z0-9]*\(|.*\bCSQM\d{3}[A-Z]\b")
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]', re.S)
_COLON = re.compile(r"\s*:")
_FIELD = re.compile(r"([ \t]*(?:profile|object type|entity|entity type|type|authority)[ \t]*:)(.*)", re.S)
_FIELDS: Mapping[str, Kind] = {"entity": "user", "profile": "name"}
_RIGHTS = re.compile(r"[ \t]+[a-z][a-z, ]*[ \t]*\r?\Z")
_LINES_OF = frozenset({"text", "message", "command"})
"""Members of the REST API's answers that hold lines of runmqsc."""


def redact_transcript(text: str, pseudonyms: Pseudonyms) -> str:
    """What runmqsc or z/OS shows, line by line. Raises LintmdbError."""
    pieces: list[str] = []
    block: list[str] = []
    goes_on = False

    def end_block() -> None:
        if block:
            pieces.append(redact_commands("\n".join(block), pseudonyms))
            block.clear()

    for line in text.split("\n"):
        columns = None if goes_on else line_columns(line)
        if columns is None:
            read = goes_on or (_READ.match(line) is not None and (_SYSTEM.match(line) is None or "CSQ" in line))
            remark = _REMARK.match(line)
            kept = remark.end() if remark is not None else len(line) if read else 0
            kept_part = _INSERT.sub(lambda name: name[1] + pseudonyms.value("name", name[2]), line[:kept])
            block.append(kept_part + pseudonyms.value("text", line[kept:]))
            goes_on = _goes_on(line.rstrip())
        else:
            end_block()
            pieces.append(_of_columns(line, columns, pseudonyms))
    end_block()
    return "\n".join(pieces)


def _goes_on(line: str) -> bool:
    """Whether the next line belongs to this one: to its value, or to its command."""
    return line.endswith(("+", "-")) or (_OPEN.match(line) is not None and line.count("(") > line.count(")"))


def _of_columns(line: str, columns: Sequence[tuple[re.Match[str], int]], pseudonyms: Pseudonyms) -> str:
    """A line in which the columns, and not parentheses, say where each value ends."""
    for found, offset in reversed(columns):
        kind = keyword_kind(found[1])
        if kind is not None and found[2] is not None:
            start, end = offset + found.start(2), offset + found.end(2)
            line = line[:start] + pseudonyms.value(kind, found[2]) + line[end:]
    return line


def redact_json(text: str, pseudonyms: Pseudonyms) -> str:
    """JSON without secrets: the texts behind keys whose names say so. Raises LintmdbError."""
    pieces: list[str] = []
    keys: list[str] = []
    key, end = "", 0
    for token in _TOKEN.finditer(text):
        mark = token[0]
        if mark in "{[":
            keys.append(key)
        elif mark in "}]":
            key = keys.pop() if keys else ""
        elif mark[0] == '"':
            if _COLON.match(text, token.end()):
                key = mark[1:-1]
            else:
                pieces += (text[end : token.start()], _of_json(key, mark, pseudonyms))
                end = token.end()
    return "".join([*pieces, text[end:]])


def _of_json(key: str, written: str, pseudonyms: Pseudonyms) -> str:
    """A string, with its quotation marks, that belongs to a key."""
    try:
        value = str(json.loads(written, strict=False))
    except ValueError:
        return f'"{pseudonyms.value("text", written[1:-1])}"'
    if key in _LINES_OF:
        changed = redact_transcript(value, pseudonyms)
    else:
        kind: Kind | None = keyword_kind(key) or kind_of(key, value) or ("name" if key == "name" else None)
        changed = value if kind is None else pseudonyms.value(kind, value)
    return written if changed == value else json.dumps(changed)


def redact_authority_listing(text: str, pseudonyms: Pseudonyms) -> str:
    """What dmpmqaut lists, without the names of users and groups. Raises LintmdbError."""
    lines: list[str] = []
    for line in text.split("\n"):
        found = _FIELD.match(line)
        if found is None:
            lines.append(line if _RIGHTS.match(line) else pseudonyms.value("text", line))
            continue
        kind = _FIELDS.get(found[1].strip(" \t:"))
        lines.append(found[1] + (found[2] if kind is None else pseudonyms.value(kind, found[2])))
    return "\n".join(lines)
