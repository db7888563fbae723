"""Whether a dump holds all that its header says: where it ends, and what failed on the way.

dmpmqcfg writes the queue manager first, then objects of one type after the other (queues, channels, topics, at last
subscriptions), then channel authentication and authority records, and ends with lines that count what it found. What
is cut off between two commands looks whole; only these lines, or something that comes late, tell that it is.

saveqmgr writes the queue manager, authentication information, queues, channels, processes, namelists, listeners,
services, topics and subscriptions, and ends with no line of its own. Source: SupportPac MS03, ``saveqmgr.c``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from lintmdb.exports.mq.collector import Collector
from lintmdb.exports.mq.commands import MqscFile, is_export

_MESSAGE = re.compile(r"(AMQ\d{4})([EWIST]?):")
_AGAIN = "Export it again"
_FIRST_WITH_TOPICS = 700
_SAVEQMGR_CUT = (
    "it has nothing that saveqmgr writes behind queues, channels and topics (subscriptions, or namelists before "
    "version 7.0)"
)
_CUT = "it does not have the lines with which dmpmqcfg ends a dump (* Script ended on)"


def is_message(line: str) -> bool:
    """Whether a line is a message of IBM MQ, as of an error that went into the file with the dump."""
    return _MESSAGE.match(line) is not None


def leading_message(head: bytes) -> str:
    """The identifier of the message with which a file starts, as where a command failed; blank where it does not."""
    message = _MESSAGE.match(head[:80].decode("latin-1").lstrip())
    return message[1] if message is not None else ""


def check_whole(collector: Collector, number: int, messages: Sequence[tuple[int, str]]) -> None:
    """Note what a dump lacks of what its header says, once its last line, of this number, is read; ``messages`` are
    the lines with messages of IBM MQ, each with its number.
    """
    file = collector.file
    for place, line in collector.broken.items():
        file.commands[place] = file.commands[place]._replace(cut=is_export(file), rest_at=line)
    if file.dump is None:
        if file.exported_on is not None and _holds_nothing(file):
            _refuse(collector, number, "the dump ends inside its header: the file is cut off")
        return
    failure = next(filter(None, (_failure(*message) for message in messages)), None)
    if failure is not None:
        line, message = failure
        # Where the command stops is only what the failure comes to.
        file.problems[:] = [p for p in file.problems if p.kind != "unreadable" and p.line != line]
        _refuse(collector, line, f"{file.dump} failed here with {message}, so the dump does not hold everything")
        file.gap = f"{file.dump} failed with {message} on line {line}"
    elif file.dump == "saveqmgr" and file.failed_at:
        _refuse(collector, file.failed_at, "saveqmgr says here that it failed, so the dump does not hold everything")
        file.gap = f"saveqmgr says on line {file.failed_at} that it failed"
    elif file.truncated:
        file.gap = "it is cut off"
    elif _holds_nothing(file) and not file.ended:
        _refuse(collector, number, "the dump ends after its header: the file is cut off")
        file.gap = "it ends after its header"
    else:
        _find_gap(file)


def _failure(number: int, line: str) -> tuple[int, str] | None:
    """The number and the identifier of a message that says that something failed. Before version 9.1 identifiers did
    not tell how severe a message is.
    """
    message = _MESSAGE.match(line)
    return (number, message[1]) if message is not None and message[2] not in ("W", "I") else None


def _holds_nothing(file: MqscFile) -> bool:
    return not (file.commands or file.other_commands or file.lost_commands)


def _refuse(collector: Collector, line: int, text: str) -> None:
    collector.problem(line, 1, text, "unreadable", _AGAIN)
    collector.file.truncated = True


def _has_end_of_saveqmgr(file: MqscFile) -> bool:
    """Whether something stands behind all queues, channels and topics, which IBM MQ has from 7.0 on. Each queue manager
    has default objects of these types, and saveqmgr -s says that it skips them.
    """
    level = file.command_level
    return file.has_late_command or (file.has_namelist and level is not None and level < _FIRST_WITH_TOPICS)


def _find_gap(file: MqscFile) -> None:
    """Note what is missing of a dump whose commands are all whole."""
    if file.covers_objects and not any(command.noun == "QMGR" for command in file.commands):
        file.gap = "it lacks ALTER QMGR, with which a dump of a whole queue manager begins"
        file.lacks_objects = True
    if file.dump == "saveqmgr" and not (file.lacks_objects or _has_end_of_saveqmgr(file)):
        file.gap, file.lacks_objects = _SAVEQMGR_CUT, True
    if file.dump != "dmpmqcfg" or file.ended:
        return
    file.lacks_records = True
    if file.covers_objects and not (file.lacks_objects or file.has_late_command):
        file.gap = f"{_CUT}, nor anything that it writes behind queues, channels and topics"
        file.lacks_objects = True
    elif not file.gap and (file.covers_queue_authorities or file.covers_manager_authorities):
        file.gap = f"{_CUT}, so authority records may be missing"
