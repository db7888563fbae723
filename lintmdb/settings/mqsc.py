"""Changes of IBM MQ as MQSC commands, safe whatever characters a name has."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from lintmdb.settings.changes import Assignment, Change, Definition, Grant, Target

_PLAIN = re.compile(r"[A-Z0-9]+\Z")
_SWITCHES = frozenset({"HARDENBO", "SHARE", "TRIGGER"})
"""Attributes without a value: ``NO`` in front turns one off."""
_WIDTH = 72
_QUEUES = ("QLOCAL", "QMODEL", "QALIAS", "QREMOTE")


def mqsc_command(change: Change) -> str:
    """The command that makes a change, on one line."""
    return " ".join(_words(change))


def mqsc_lines(change: Change) -> list[str]:
    """The same, on lines of at most 72 columns where the words allow it: a ``+`` says that a command goes on."""
    return _on_lines(_words(change))


def alter_command(changes: Sequence[Assignment]) -> str:
    """One ALTER for all assignments to one object, on one line."""
    return " ".join(_alter_words(changes))


def alter_lines(changes: Sequence[Assignment]) -> list[str]:
    """The same on lines of at most 72 columns where the words allow it; nothing without any assignment."""
    return _on_lines(_alter_words(changes)) if changes else []


def _alter_words(changes: Sequence[Assignment]) -> list[str]:
    attributes = [attribute_text(change.attribute, change.new) for change in changes]
    return ["ALTER", *_object(changes[0].target), *attributes]


def _on_lines(words: Iterable[str]) -> list[str]:
    lines: list[str] = []
    for word in words:
        if lines and len(lines[-1]) + len(word) + 3 <= _WIDTH:
            lines[-1] += f" {word}"
        else:
            lines.append(f"  {word}" if lines else word)
    return [f"{line} +" for line in lines[:-1]] + lines[-1:]


def _words(change: Change) -> list[str]:
    if isinstance(change, Assignment):
        return ["ALTER", *_object(change.target), attribute_text(change.attribute, change.new)]
    if isinstance(change, Definition):
        return ["DEFINE", *_object(change.target), *(attribute_text(*pair) for pair in change.attributes)]
    rights = ",".join(change.rights)
    return ["SET AUTHREC", *_record(change), _entity(change), f"AUTHADD({rights})"]


def _entity(change: Grant) -> str:
    return f"{'GROUP' if change.group else 'PRINCIPAL'}({_quoted(change.user)})"


def _record(change: Grant) -> list[str]:
    if change.target.kind == "QMGR":
        return ["OBJTYPE(QMGR)"]
    return [f"PROFILE({_quoted(change.target.name)})", "OBJTYPE(QUEUE)"]


def _object(target: Target) -> list[str]:
    if target.kind == "QMGR":
        return ["QMGR"]
    words = [f"{target.kind}({_quoted(target.name)})"]
    if target.kind == "CHANNEL":
        words.append("CHLTYPE(SVRCONN)")
    if target.disposition:
        words.append(f"QSGDISP({target.disposition})")
    return words


def attribute_text(keyword: str, value: str) -> str:
    """An attribute as MQSC has it: ``BOTHRESH(3)``, ``BOQNAME('A.B')``, ``SHARE``. The value of a switch is the switch
    as it is to be, or nothing where the keyword says it.
    """
    if keyword.removeprefix("NO") in _SWITCHES:
        return value or keyword
    return f"{keyword}({value if _PLAIN.match(value) else _quoted(value)})"


def display_command(target: Target, attributes: list[str]) -> str:
    """The command that shows what attributes an object has now."""
    if target.kind == "QMGR":
        return f"DISPLAY QMGR {' '.join(attributes)}"
    if target.kind == "QUEUE":
        return f"DISPLAY AUTHREC PROFILE({_quoted(target.name)}) OBJTYPE(QUEUE) MATCH(MEMBERSHIP)"
    kind = "QUEUE" if target.kind in _QUEUES else target.kind
    where = f" QSGDISP({target.disposition})" if target.disposition else ""
    return f"DISPLAY {kind}({_quoted(target.name)}){where} {' '.join(attributes)}"


def display_record(change: Grant) -> list[str]:
    """The command that shows the record that a grant changes, without those of wider profiles of the same entity."""
    exact = ["MATCH(EXACT)"] if change.target.kind != "QMGR" else []
    return _on_lines(["DISPLAY AUTHREC", *_record(change), _entity(change), *exact])


def display_rights(change: Grant) -> list[str]:
    """The command that shows what the entity of a grant may do with its object by all records, those of the groups of a
    user included.
    """
    return _on_lines(["DISPLAY ENTAUTH", _entity(change), "OBJTYPE(QUEUE)", f"OBJNAME({_quoted(change.target.name)})"])


def _quoted(value: str) -> str:
    doubled = value.replace("'", "''")
    return f"'{doubled or ' '}'"


def undo_lines(change: Change) -> list[str]:
    """The commands that take a change back, on lines of at most 72 columns where the words allow it."""
    return _on_lines(_undo_words(change))


def undo(change: Change) -> list[str]:
    """The commands that take a change back, each on one line; none where the exports do not show what was there."""
    words = _undo_words(change)
    return [" ".join(words)] if words else []


def _undo_words(change: Change) -> list[str]:
    if isinstance(change, Definition):
        return ["DELETE", *_object(change.target)]
    if isinstance(change, Assignment):
        return _words(change._replace(new=change.old)) if change.old is not None else []
    who = [*_record(change), _entity(change)]
    if change.recorded is None:
        return []
    if not change.recorded:
        # A record that is left without rights would keep those of a wider profile from the user.
        return ["DELETE AUTHREC", *who]
    rights = [right for right in change.rights if right not in change.had]
    return ["SET AUTHREC", *who, f"AUTHRMV({','.join(rights)})"] if rights else []
