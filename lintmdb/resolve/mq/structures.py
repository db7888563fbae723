"""Structures of the coupling facility (CFSTRUCT, z/OS): how long the messages of shared queues may be.

A structure whose CFLEVEL is below 4 holds no message longer than 63 KB, whatever MAXMSGL of its queues says: the put
fails with 2366 (IBM MQ "DEFINE CFSTRUCT" and "2366 (093E) (RC2366): MQRC_WRONG_CF_LEVEL").
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from lintmdb.exports.mq import MqscFile
from lintmdb.model.origins import Located, Origin, holder
from lintmdb.resolve.mq.objects import AttributeReader, MqObject

LONGEST_BYTES = 63 * 1024
"""The longest message in a structure that takes no large ones."""
_LARGE_MESSAGES = 4
_DEFAULT_LEVEL = 3


class Structure(NamedTuple):
    """A structure as scripts leave it."""

    name: str
    level: int | None
    """CFLEVEL; None where it is not known."""
    origin: Origin
    """Where CFLEVEL is set, or left to its default."""

    def origins(self) -> dict[str, Located]:
        """Where the length of the messages is limited, by column, and the structure that does so."""
        named = self.origin._replace(text=f"CFSTRUCT({self.name})", default=False)
        return {"max_message_bytes": self.origin, holder("max_message_bytes"): named}


def find_structures(files: Sequence[MqscFile]) -> Mapping[str, Structure]:
    """The structures that files define, by name, when the files have run in this order."""
    found: dict[str, Structure] = {}
    for file in files:
        for command in file.structures:
            name, level = command.name, command.level
            if command.verb == "DELETE":
                found.pop(name, None)
            elif level is not None:
                value = level.value or ""
                known = int(value) if value.isascii() and value.isdigit() and len(value) < 3 else None
                found[name] = Structure(name, None if level.template else known, file.origin(level, command.line))
            elif command.verb == "DEFINE":
                text = f"CFLEVEL not set: {_DEFAULT_LEVEL} is IBM MQ's default"
                place = file.place(command.line, command.column, text, default=True)
                found[name] = Structure(name, _DEFAULT_LEVEL, place)
    return found


def find_limit(structures: Mapping[str, Structure], read: AttributeReader, queue: MqObject) -> Structure | None:
    """The structure that lets no long message onto a shared queue; None where none does, as far as it is known."""
    if not structures or (read.text(queue, "QSGDISP") or "").upper() != "SHARED":
        return None
    structure = structures.get(read.text(queue, "CFSTRUCT") or "")
    small = structure is not None and structure.level is not None and structure.level < _LARGE_MESSAGES
    return structure if small else None
