"""Answers of the REST API: ``commandResponse`` of runCommandJSON and runCommand, and the queues of its first version.

An answer in JSON does not repeat its question, so it never lists all objects of a kind.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from lintmdb.errors import UnreadableError
from lintmdb.exports.mq.commands import ANY_DISTRIBUTED, Command, MqscFile, Parameter
from lintmdb.exports.mq.display.objects import (
    CLUSTER_QUEUE,
    Shown,
    lacks_kind,
    note_queue_manager,
    note_queue_status,
    object_command,
)
from lintmdb.exports.mq.display.transcript import read_lines
from lintmdb.exports.mq.rest.json_text import JsonError, JsonText, Node
from lintmdb.exports.mq.rest.queues import queue_attributes
from lintmdb.model.relations import Problem

_RESPONSE = re.compile(r'"commandResponse"\s*:\s*\[')
_QUEUES = re.compile(r'\A\s*\{\s*"queue"\s*:\s*\[\s*\{')
_TYPE = re.compile(r'"type"\s*:\s*"(?:local|alias|remote|model|cluster)"')
_NAMES = ("profile", "queue", "channel", "topic", "authinfo", "qmname")
"""The parameters that name an object, the first that is there."""
_RECORD = "chlauth"
"""What names a channel authentication record, which has a type; it is an attribute of a queue manager, too."""
_STATE = frozenset({"status", "substate", "chstatus", "conn", "clusqmgr"})
"""Parameters that only answers about other things have: the state of an object, connections and the like."""
_FLAGS: Mapping[str, tuple[str, ...]] = {
    "hardenbo": ("HARDENBO", "NOHARDENBO"),
    "share": ("SHARE", "NOSHARE"),
    "trigger": ("TRIGGER", "NOTRIGGER"),
    "distl": ("DISTL", "NODISTL"),
}
_Place = Callable[[int, int], tuple[int, int]]
_AGAIN = "Ask again, and keep the whole answer"


def looks_like_rest(head: bytes) -> bool:
    """Whether a file that starts like this is an answer of the REST API about queue managers' objects."""
    if b"\0" in head:
        return False
    text = head.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")
    if text.lstrip()[:1] != "{":
        return False
    return _RESPONSE.search(text) is not None or (_QUEUES.match(text) is not None and _TYPE.search(text) is not None)


def read_rest(data: bytes, path: str) -> Sequence[MqscFile]:
    """What a queue manager answered in one file. Raises UnreadableError only for what is not text."""
    text = JsonText(_decode(data, path))
    files = [MqscFile(path, observed=True)]
    reader = _Reader(text, files)
    try:
        for document in text.documents():
            reader.read(document)
    except JsonError as error:
        line, column = text.place(error.offset)
        files[0].truncated = True
        files[0].problems.append(
            Problem(kind="unreadable", path=path, line=line, column=column, text=error.text, next_step=_AGAIN)
        )
    return [file for file in files if file.commands or file.cluster_queues or file.problems or file.queue_manager]


def _decode(data: bytes, path: str) -> str:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace")
    if b"\0" in data:
        raise UnreadableError("is not text, because it contains NUL bytes", path=path, next_step=_AGAIN)
    return data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")


class _Reader:
    def __init__(self, text: JsonText, files: list[MqscFile]) -> None:
        self._text = text
        self._file = files[0]
        self._files = files

    def read(self, document: Node) -> None:
        """Read one answer."""
        members = document.members()
        lines: list[Node] = []
        for item in _items(members.get("commandResponse")):
            answer = item.members()
            if "parameters" in answer:
                self._parameters(answer["parameters"])
            lines += (line for line in _items(answer.get("text")) if isinstance(line.value, str))
        if lines:
            self._lines(lines)
        for item in _items(members.get("queue")):
            self._add(queue_attributes(item.members()), item)

    def _parameters(self, node: Node) -> None:
        """One object of runCommandJSON, by the names of MQSC in lower case."""
        members = {name.lower(): member for name, member in node.members().items()}
        names = (_RECORD, *_NAMES) if "type" in members else _NAMES
        name = next((name for name in names if name in members), None)
        state = members.keys() & _STATE
        if name is None or state - ({"clusqmgr"} if name == "queue" else set()):
            self._file.other_commands += 1
            return
        order = [name, *(other for other in members if other != name)]
        self._add([pair for key in order if (pair := _attribute(key, members[key])) is not None], node)

    def _add(self, attributes: Sequence[tuple[Parameter, int]], node: Node) -> None:
        """Add one object, whose attributes stand at offsets."""
        shown: Shown = [(p._replace(column=self._text.place(at)[1]), self._text.place(at)[0]) for p, at in attributes]
        if not shown:
            return
        if lacks_kind(shown):
            line, column = self._text.place(node.start)
            text = "an answer shows an object without its type, so it is not used"
            self._file.problems.append(
                Problem(
                    kind="not_understood", path=self._file.path, line=line, column=column, text=text, next_step=_AGAIN
                )
            )
            self._file.lost_commands += 1
            return
        note_queue_status(self._file, shown)
        command = object_command(shown)
        if command is None:
            self._file.other_commands += 1
            return
        if command.noun == CLUSTER_QUEUE:
            self._file.other_commands += 1
            self._file.cluster_queues.append(command)
            return
        self._file.commands.append(command)
        if command.noun == "QMGR":
            note_queue_manager(self._file, shown)

    def _lines(self, lines: Sequence[Node]) -> None:
        """The text of runCommand, which is that of runmqsc or of the command server of z/OS."""
        physical: list[tuple[Node, int]] = []
        texts: list[str] = []
        for node in lines:
            start = 0
            for line in str(node.value).split("\n"):
                physical.append((node, start))
                texts.append(line)
                start += len(line) + 1
        for file in read_lines("\n".join(texts) + "\n", self._file.path):
            self._take(file, physical)

    def _take(self, file: MqscFile, physical: Sequence[tuple[Node, int]]) -> None:
        """Add what some text holds to the file of its queue manager, at the places in the JSON."""
        target = self._file
        if file.queue_manager and target.queue_manager not in (None, file.queue_manager):
            target = next((f for f in self._files if f.queue_manager == file.queue_manager), None) or MqscFile(
                self._file.path, observed=True
            )
            if target not in self._files:
                self._files.append(target)

        def place(line: int, column: int) -> tuple[int, int]:
            node, start = physical[min(line, len(physical)) - 1]
            return self._text.place(self._text.offset_in(node, start + column - 1))

        target.commands += (_moved(command, place) for command in file.commands)
        for problem in file.problems:
            line, column = place(problem.line, problem.column)
            target.problems.append(replace(problem, line=line, column=column))
        target.listings += file.listings
        target.cluster_queues += (_moved(command, place) for command in file.cluster_queues)
        target.covers_queue_authorities |= file.covers_queue_authorities
        target.covers_manager_authorities |= file.covers_manager_authorities
        target.covers_channel_records |= file.covers_channel_records
        target.truncated |= file.truncated
        target.other_commands += file.other_commands
        target.lost_commands += file.lost_commands
        target.queue_manager = target.queue_manager or file.queue_manager
        target.command_level = target.command_level or file.command_level
        target.sharing_group = file.sharing_group if target.sharing_group is None else target.sharing_group
        if file.platform and target.platform in (None, ANY_DISTRIBUTED):
            target.platform = file.platform


def _items(node: Node | None) -> Sequence[Node]:
    return node.items() if node is not None else ()


def _attribute(name: str, node: Node) -> tuple[Parameter, int] | None:
    """An attribute of runCommandJSON, and the offset of its name; None for a value that is no attribute's."""
    keyword, value = name.upper(), node.value
    positive = name.removeprefix("no") if name.removeprefix("no") in _FLAGS else name
    if positive in _FLAGS:
        flag = _flag(_FLAGS[positive], positive == name, value)
        return (Parameter(flag, None, flag, 1), node.key) if flag else None
    if isinstance(value, list):
        value = ",".join(str(item.value) for item in value if isinstance(item.value, str | int))
    if not isinstance(value, str | int) or isinstance(value, bool):
        return None
    text = str(value).strip()
    shown = " ".join(text.split()) if len(text) < 200 else "..."
    return Parameter(keyword, text, f"{keyword}({shown or ' '})", 1), node.key


def _flag(names: tuple[str, ...], positive: bool, value: object) -> str | None:
    """The keyword without a value that an attribute is in MQSC: HARDENBO or NOHARDENBO."""
    answer = {True: True, False: False, "YES": True, "NO": False, names[0]: True, names[1]: False, "": True}.get(
        value.strip().upper() if isinstance(value, str) else value is True
    )
    if answer is None or not isinstance(value, str | bool):
        return None
    return names[0] if answer == positive else names[1]


def _moved(command: Command, place: _Place) -> Command:
    """A command whose lines are lines of text inside the JSON, at the places of the file."""
    line, column = place(command.line, command.column)
    moved = [(parameter, place(number, parameter.column)) for parameter, number in command.parameters]
    parameters = tuple((parameter._replace(column=at), number) for parameter, (number, at) in moved)
    return command._replace(line=line, column=column, parameters=parameters)
