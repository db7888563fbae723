"""The header of a dump, in comments: which queue manager it is of, and how much of it the dump holds."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from lintmdb.exports.mq.commands import MqscFile
from lintmdb.exports.mq.lines import holds_template

_WORD = re.compile(r"""(?:'[^']*'|"[^"]*"|[^\s'"])+""")
_FLAGS = "az"
_EVERY_NAME = ("", "*", "**")
FIRST_LINES = 40
"""How many lines of a file may name a queue manager in any case; below them only what tools write counts."""
_MENTIONED = re.compile(
    "QMNAME|QSGNAME|PLATFORM|CMDLEVEL|Queue manager|Command issued|Script ended|Number of |Skipping SYSTEM|=> ?>"
)
_GENERATED = re.compile(r"\*\s*Script generated on (\d{4}-\d\d-\d\d)\b", re.I)
_ENDED = re.compile(r"\*\s*(?:Script ended on|Number of Inquiry (?:commands|responses)|Number of objects)\b", re.I)
_SAVEQMGR = re.compile(r"\*.*(?:saveqmgr|MS03)", re.I)
_SKIPPED = re.compile(r"\*\* \(Skipping SYSTEM (?:(Namelist)|Subscription)")
"""What saveqmgr -s writes instead of objects."""
_FAILED = re.compile(r"\* =+ ?>+ (?:Processing Aborted|Ignoring '(?:damaged object|command failed)')")
"""What saveqmgr writes where it lacks objects."""
_FIELD = re.compile(
    r"\*\s*(Queue manager name|Queue manager platform|Queue manager command level|Command issued)\s*:\s*(.*)", re.I
)
_ATTRIBUTE = re.compile(r"\*\s*(QMNAME|QSGNAME|PLATFORM|CMDLEVEL)\s*\(\s*'?([^()']*?)'?\s*\)", re.I)
_MANAGER = re.compile(r"\*\s*QMNAME\s*\(\s*'?([^()']*?)'?\s*\)", re.I)
_TARGET = re.compile(r"CSQU055I\b.*\bqueue manager is ([A-Z0-9@#$]{1,4})\b")


class Named(NamedTuple):
    """The queue manager that a line names."""

    name: str
    heads_dump: bool
    """It is in the header of dmpmqcfg."""


def named_manager(line: str) -> Named | None:
    """The queue manager that a comment, or a message of CSQUTIL, says that commands are of; None for other lines."""
    field = _FIELD.match(line)
    if field is not None and field.group(1).lower() == "queue manager name":
        name, heads_dump = field.group(2).strip(), True
    else:
        found = _MANAGER.fullmatch(line.rstrip()) if line[:1] == "*" else _TARGET.search(line)
        name, heads_dump = found.group(1).strip() if found is not None else "", False
    return Named(name, heads_dump) if name else None


class Scope(NamedTuple):
    """Whether a dump holds every object of the queue manager, and every attribute of each."""

    objects: bool
    attributes: bool


def dump_scope(command: str) -> Scope:
    """The scope of the command that made a dump: ``dmpmqcfg -m QM1 -x object -a``.

    An option and its value may be written as one word (``-nAPP.*``), and flags may be joined (``-az``).
    """
    options = _options(command)
    whole = (
        options.get("t", "all").lower() == "all"
        and options.get("x", "all").lower() in ("all", "object")
        and options.get("n", "*") in _EVERY_NAME
    )
    return Scope(objects=whole, attributes="a" in options)


class RecordScope(NamedTuple):
    """Whether a dump holds every record that decides who may do what, and every durable subscription."""

    queue_authorities: bool
    manager_authorities: bool
    channel_records: bool
    subscriptions: bool


def record_scope(command: str) -> RecordScope:
    """The records that the command which made a dump covers: ``dmpmqcfg -m QM1 -x authrec -n 'ORDERS*'`` covers none,
    because a profile of another name may grant or take a right on a queue.
    """
    options = _options(command)
    kind, filter_ = options.get("t", "all").lower(), options.get("x", "all").lower()
    if options.get("n", "*") not in _EVERY_NAME:
        return RecordScope(*[False] * len(RecordScope._fields))
    authorities = filter_ in ("all", "authrec")
    return RecordScope(
        queue_authorities=authorities and kind in ("all", "queue"),
        manager_authorities=authorities and kind in ("all", "qmgr"),
        channel_records=filter_ in ("all", "chlauth") and kind == "all",
        subscriptions=filter_ in ("all", "sub") and kind == "all",
    )


class HeaderReader:
    """Reads what the comments of one file say of its queue manager."""

    __slots__ = ("_file", "_names_manager")

    def __init__(self, file: MqscFile) -> None:
        self._file = file
        self._names_manager = False

    def read(self, comment: str, number: int) -> None:
        """Read the comment on a line; most comments are not part of a header."""
        if number >= FIRST_LINES and _MENTIONED.search(comment) is None:
            return
        file, platform = self._file, self._file.platform
        self._read_comment(comment)
        if file.platform != platform:
            file.platform_line = number
        if skipped := _SKIPPED.match(comment):
            file.has_namelist = file.has_namelist or skipped[1] is not None
            file.has_late_command = file.has_late_command or skipped[1] is None
        elif _FAILED.match(comment):
            file.failed_at = file.failed_at or number

    def _read_comment(self, comment: str) -> None:
        file = self._file
        if generated := _GENERATED.match(comment):
            file.exported_on = file.exported_on or generated[1]
        file.ended = file.ended or _ENDED.match(comment) is not None
        if _SAVEQMGR.match(comment) and file.dump is None and "Script generated" not in comment:
            file.dump = "saveqmgr"
            file.covers_objects = file.all_attributes = self._names_manager
        field = _FIELD.match(comment)
        if field is not None:
            self._read_field(field.group(1).lower(), field.group(2).strip())
            return
        attribute = _ATTRIBUTE.match(comment)
        if attribute is not None:
            self._read_attribute(attribute.group(1).upper(), attribute.group(2).strip())

    def read_listing(self, line: str) -> None:
        """Read a line of a CSQUTIL job's listing above the commands: message CSQU055I names the queue manager."""
        target = _TARGET.search(line)
        if target is not None:
            self._file.queue_manager = self._file.queue_manager or target.group(1)

    def _read_field(self, name: str, value: str) -> None:
        """One line of dmpmqcfg's header: ``Queue manager name: QM1``."""
        file = self._file
        if name == "queue manager name":
            # Below commands it is a remark: readers of whole files begin another part there.
            if file.queue_manager is None or not (file.commands or file.other_commands):
                file.queue_manager = _known_name(value)
        elif name == "queue manager platform":
            file.platform = value
        elif name == "queue manager command level":
            digits = re.findall(r"\d+", value)
            file.command_level = int(digits[-1]) if digits and len(digits[-1]) < 6 else None
        elif "dmpmqcfg" in value.lower():
            file.dump, file.ended = "dmpmqcfg", False
            file.covers_objects, file.all_attributes = dump_scope(value)
            records = record_scope(value)
            file.covers_queue_authorities, file.covers_manager_authorities = records[:2]
            file.covers_channel_records, file.covers_subscriptions = records[2:]

    def _read_attribute(self, name: str, value: str) -> None:
        """One attribute in a comment, as saveqmgr and MAKEDEF write it: ``QMNAME(QM1)``."""
        file = self._file
        if name == "QMNAME":
            file.queue_manager = file.queue_manager or _known_name(value)
            self._names_manager = True
            if file.dump == "saveqmgr":
                # Its header names the queue manager like this; a remark that mentions the tool does not.
                file.covers_objects = file.all_attributes = file.covers_subscriptions = True
        elif name == "QSGNAME":
            file.sharing_group = value
        elif name == "PLATFORM":
            file.platform = file.platform or value
        elif value.isascii() and value.isdigit() and len(value) < 6 and file.command_level is None:
            file.command_level = int(value)


def _known_name(value: str) -> str | None:
    """The name of a queue manager; None for one that is filled in elsewhere."""
    return value if value and not holds_template(value) else None


def _options(command: str) -> Mapping[str, str]:
    options: dict[str, str] = {}
    waiting = ""
    for word in _WORD.findall(command):
        if not word.startswith("-"):
            if waiting:
                options[waiting] = re.sub("['\"]", "", word)
            waiting = ""
            continue
        letters = word[1:]
        waiting = ""
        while letters:
            letter, letters = letters[0], letters[1:]
            options[letter] = ""
            if letter not in _FLAGS:
                options[letter] = re.sub("['\"]", "", letters)
                waiting = "" if letters else letter
                break
    return options
