"""How many objects of each kind scripts define, of the kinds that no relation holds one row each of."""

from __future__ import annotations

from collections.abc import Iterable

from lintmdb.exports.mq import Command, MqscFile


def count_objects(files: Iterable[MqscFile]) -> dict[str, int]:
    """Topic objects (``topic``) and authority records (``authority_record``) that files leave when they have run."""
    topics: set[str] = set()
    records: set[tuple[str, ...]] = set()
    for file in files:
        for command in file.commands:
            if command.noun == "TOPIC" and command.verb in ("DEFINE", "DISPLAY", "DELETE"):
                (topics.discard if command.verb == "DELETE" else topics.add)(command.name)
            elif command.noun == "AUTHREC":
                (records.discard if command.verb == "DELETE" else records.add)(_record(command))
    return {name: count for name, count in (("topic", len(topics)), ("authority_record", len(records))) if count}


def _record(command: Command) -> tuple[str, ...]:
    values = {parameter.keyword: parameter.value or "" for parameter, _ in command.parameters}
    return tuple([values.get(keyword, "") for keyword in ("PROFILE", "OBJTYPE", "PRINCIPAL", "GROUP")])
