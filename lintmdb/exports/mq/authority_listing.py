"""What the control command dmpmqaut prints, as SET AUTHREC commands.

The command prints one record after the other and does not say which of them it was asked for. So what is not there may
exist.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from lintmdb.exports.mq.commands import Command, MqscFile, Parameter
from lintmdb.exports.mq.decoding import decode

_FIELD = re.compile(r"[ \t]*(profile|object type|entity|entity type|type|authority)[ \t]*:[ \t]*(.*?)[ \t]*\r?\Z")
_RECORD = re.compile(r"^[ \t]*profile[ \t]*:.*\n[ \t]*object type[ \t]*:.*\n[ \t]*entity[ \t]*:", re.M)
_TYPES = {"queue": "QUEUE", "qmgr": "QMGR"}
_ENTITIES = {"principal": "PRINCIPAL", "group": "GROUP"}
_MORE = re.compile(r"[ \t]+([a-z][a-z, ]*?)[ \t]*\r?\Z")

_Field = tuple[str, int, int]


def looks_like_authority_listing(head: bytes) -> bool:
    """Whether a file that starts like this is what dmpmqaut prints."""
    return _RECORD.search(head.decode("utf-8", "replace")) is not None


def read_authority_listing(data: bytes, path: str) -> Sequence[MqscFile]:
    """One script with a command for each record on queues or on the queue manager, whose name is not in the file.

    Raises UnreadableError for what is not text.
    """
    file = MqscFile(path, embedded=True)
    record: dict[str, _Field] = {}
    for number, line in enumerate(decode(data, path).split("\n"), 1):
        found = _FIELD.match(line)
        if found is not None:
            name = "type" if found[1] == "entity type" else found[1]
            if name == "profile" and record:
                _add(file, record)
                record = {}
            record[name] = (found[2], number, found.start(2) + 1)
        elif "authority" in record and (more := _MORE.match(line)):
            text, where, column = record["authority"]
            record["authority"] = (f"{text} {more[1]}", where, column)
    if record:
        _add(file, record)
    return [file]


def _add(file: MqscFile, record: Mapping[str, _Field]) -> None:
    """Add a record, which counts as lost where it is not whole."""
    kind, entity = record.get("object type", ("", 1, 1)), record.get("type", ("", 1, 1))
    if {"profile", "entity", "authority"} - record.keys() or entity[0] not in _ENTITIES:
        file.lost_commands += 1
        return
    if kind[0] not in _TYPES:
        file.other_commands += 1
        return
    rights, line, column = record["authority"]
    parameters = [
        _parameter("OBJTYPE", _TYPES[kind[0]], kind),
        _parameter(_ENTITIES[entity[0]], record["entity"][0], record["entity"]),
        (
            Parameter(
                "AUTHADD", ",".join(re.split(r"[\s,]+", rights.upper())) or "NONE", f"authority: {rights}", column
            ),
            line,
        ),
    ]
    if kind[0] == "queue":
        parameters.append(_parameter("PROFILE", record["profile"][0], record["profile"]))
    _, line, column = record["profile"]
    file.commands.append(Command("SET", "AUTHREC", "", tuple(parameters), line, column))


def _parameter(keyword: str, value: str, field: _Field) -> tuple[Parameter, int]:
    text, line, column = field
    return Parameter(keyword, value, text, column), line
