"""Jobs of z/OS that run CSQUTIL: the commands that they have in them (``//CMDS DD *``), and the queue manager, which
PARM names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from lintmdb.exports.mq.commands import MqscFile
from lintmdb.exports.mq.decoding import decode
from lintmdb.exports.mq.embedded import EmbeddedText, one_template_problem, read_embedded

_JOB = re.compile(r"\s*//[A-Za-z@#$*]")
_UTILITY = re.compile(r"^//\S*[ \t]+EXEC[ \t]+(?:[^\n]*,)?PGM=CSQUTIL\b", re.M)
_STEP = re.compile(r"//[A-Z0-9@#$.]*[ \t]+EXEC[ \t]+(.*)", re.S)
_NAME = re.compile(r"\bPARM=\(?'?([A-Z0-9@#$.]{1,48})(?=['),\s]|\Z)")
_IN_STREAM = re.compile(r"//([A-Z0-9@#$.]+)[ \t]+DD[ \t]+(?:\*|DATA\b)(.*)", re.S)
_DELIMITER = re.compile(r"\bDLM='?([^',\s]{2})")
_COMMAND = re.compile(r"^[ \t]*COMMAND\b([^\n]*(?:[+-][ \t]*\n[^\n]*)*)", re.M)
_DDNAME = re.compile(r"\bDDNAME[ \t]*\([ \t]*([A-Z0-9@#$]+)[ \t]*\)")
_DEFAULT_DDNAME = "CSQUCMD"
_CHANGES = re.compile(r"^[ \t]*(?:DEF(?:INE)?|ALT(?:ER)?|DELETE|SET)[ \t]+[A-Z]", re.M | re.I)
_STEP_TO_TAKE = "Provide the job as it is submitted"


class _Stream(NamedTuple):
    """The lines of a job between ``DD *`` and their end."""

    text: str
    line: int
    """The number of the first one, from 1."""


class _Step(NamedTuple):
    """One step: the operands of EXEC, and its in-stream data by the names of their DD statements."""

    operands: str
    streams: dict[str, _Stream]


def looks_like_jcl(head: bytes) -> bool:
    """Whether a file that starts like this is a job, or a part of one, that runs CSQUTIL."""
    text = head.decode("utf-8", "replace")
    return _JOB.match(text) is not None and _UTILITY.search(text) is not None


def changes_objects(data: bytes) -> bool:
    """Whether a job holds commands that define or change something, and does not merely ask."""
    return _CHANGES.search(data.decode("utf-8", "replace")) is not None


def read_jcl(data: bytes, path: str) -> Sequence[MqscFile]:
    """The scripts that a job gives to queue managers, in the order of its steps. Raises UnreadableError for what is not
    text.
    """
    files: list[MqscFile] = []
    for step in _steps(decode(data, path).split("\n")):
        if "PGM=CSQUTIL" not in step.operands:
            continue
        name = _NAME.search(step.operands)
        control = step.streams.get("SYSIN")
        for command in _COMMAND.finditer(control.text) if control is not None else ():
            named = _DDNAME.search(command[1])
            stream = step.streams.get(named[1] if named else _DEFAULT_DDNAME)
            if stream is None:
                continue  # a data set
            file = read_embedded(EmbeddedText(stream.text, block=(stream.line, 1)), path)
            if not (file.commands or file.lost_commands or file.problems):
                continue
            file.queue_manager = name[1] if name else None
            file.platform = file.platform or "MVS"
            file.turn = (path, len(files))
            files.append(file)
    one_template_problem(files, [], _STEP_TO_TAKE)
    return files


def _steps(lines: Sequence[str]) -> Iterator[_Step]:
    step = _Step("", {})
    number = 0
    while number < len(lines):
        statement, number = _statement(lines, number)
        if found := _STEP.match(statement):
            yield step
            step = _Step(found[1], {})
        elif found := _IN_STREAM.match(statement):
            delimiter = _DELIMITER.search(found[2])
            first = number
            while number < len(lines) and not _ends(lines[number], delimiter[1] if delimiter else ""):
                number += 1
            step.streams[found[1].rpartition(".")[2]] = _Stream("\n".join(lines[first:number]), first + 1)
    yield step


def _statement(lines: Sequence[str], number: int) -> tuple[str, int]:
    """A statement with the lines that continue its operands, and the number of the line below it."""
    text, number = lines[number].rstrip(), number + 1
    while text.startswith("//") and not text.startswith("//*") and text.endswith(",") and number < len(lines):
        following = lines[number].rstrip()
        if not following.startswith("// "):
            break
        text, number = f"{text}{following[2:].strip()}", number + 1
    return text, number


def _ends(line: str, delimiter: str) -> bool:
    """Whether a line ends in-stream data."""
    return line.startswith(delimiter) if delimiter else line.startswith(("/*", "//"))
