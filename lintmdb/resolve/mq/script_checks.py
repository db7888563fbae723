"""What of a script a queue manager refuses whatever objects it has: commands, attributes, values and names."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Literal, NamedTuple, TypeAlias

from lintmdb.exports.mq import Command, MqscFile
from lintmdb.exports.mq.attribute_values import (
    CHOICES,
    LISTS,
    LONGEST_NAMES,
    LONGEST_OBJECT_NAMES,
    LONGEST_VALUES,
    RANGES,
    SWITCHES,
)
from lintmdb.exports.mq.attributes import ATTRIBUTES, KNOWN_LEVEL, OTHER_NOUNS, OTHER_VERBS, VERBS_OF
from lintmdb.exports.mq.commands import PassedOver, Written
from lintmdb.exports.mq.vocabulary import NOUNS
from lintmdb.exports.mq.written import written_parameters
from lintmdb.model.number_words import number_fault
from lintmdb.model.origins import beside
from lintmdb.model.relations import Problem
from lintmdb.resolve.mq.objects import QUEUE_TYPES
from lintmdb.resolve.mq.platforms import Platform

_BEFORE_A_NOUN = frozenset({"REPLACE", "NOREPLACE", "CMDSCOPE", "QSGDISP"})
"""What z/OS takes in front of the noun."""
_EITHER = frozenset({"DISTL", "NODISTL"})
"""Keywords with a value, or by an older spelling without one."""
_LISTED_IN_FULL = frozenset({"QLOCAL", "QALIAS", "QREMOTE", "QMODEL", "TOPIC", "AUTHREC", "CHLAUTH"})
"""Nouns of which IBM's syntax diagrams were compared with every set of words here."""
_PAIRS = (frozenset({"ENABLED", "DISABLED"}), frozenset({"YES", "NO"}))
"""Sets of words to which no level of IBM MQ adds another."""
_NAME = re.compile(r"[A-Za-z0-9./_%]*\Z")
_DOUBTFUL = re.compile(r"[A-Za-z0-9./_%$#@]*\Z")
"""Names with characters that IBM's rules leave out, and that queue managers of some platforms show."""
_OPENED = frozenset({"BOQNAME", "DEADQ", "DEFXMITQ", "INITQ", "STREAMQ", "TARGET", "TARGQ", "XMITQ"})
"""Attributes that name an object of the same queue manager."""
_MISPRINTS = {"BOQUEUE": "BOQNAME"}
"""Names that IBM's documentation gives to attributes by mistake (IBM MQ "Handling poison messages"), with the right
ones. No level of IBM MQ takes them.
"""
_FIRST_WITH_IGNORED_STATE = 921
"""The command level from which IGNSTATE is there (IBM MQ 9.2.1, on AIX, Linux and Windows)."""
_STARTED = {"CHANNEL": "CHANNEL", "CHL": "CHANNEL", "LISTENER": "LISTENER", "LSTR": "LISTENER"}
"""What clients need, by the nouns of START and STOP."""
_CORRECT = "Correct the value"
_QUOTE = "Write the whole value in single quotation marks, and an apostrophe inside it twice"
_DELETES = "deletes messages, and lintmdb judges no messages"
_SAVE = "Make sure that nobody needs them"
_SHOWN = 12
"""How many words of a set a report lists."""


_Verdict: TypeAlias = Literal["refused", "unknown", "doubtful"]


class _Fault(NamedTuple):
    """What is wrong with a command, or may be."""

    verdict: _Verdict
    """The queue manager refuses it; what it sets is unknown; it runs if the queue manager takes it."""
    reason: str
    next_step: str
    line: int
    column: int
    cause: str = ""
    """What of the command is unknown, as written."""


class _Setting(NamedTuple):
    """What is known of the queue manager."""

    known: bool
    """lintmdb knows the attributes of its command level."""
    is_zos: bool
    why_not_ignored: str
    """Why it does not take IGNSTATE; blank where it may."""


def check_script(
    script: MqscFile, text: str, queue_manager: str, level: int, platform: Platform | None = None
) -> list[Problem]:
    """The commands of a script, whose text has line feeds at the end of its lines, that a queue manager of some command
    level (0 where it is not known) and platform refuses, and those that lintmdb does not know. The refused ones are
    taken out of the script, and of the others the values are unknown.
    """
    return [problem for _, problem in _check(script, text.split("\n"), queue_manager, level, platform)]


def _check(
    script: MqscFile, lines: Sequence[str], queue_manager: str, level: int = 0, platform: Platform | None = None
) -> list[tuple[_Verdict, Problem]]:
    """What is wrong with a script, from which refused commands are taken out, and how certain each of it is."""
    setting = _Setting(level <= KNOWN_LEVEL, platform == "zos", _why_not_ignored(queue_manager, level, platform))
    problems: list[tuple[_Verdict, Problem]] = []
    left: list[Command] = []
    for command in script.commands:
        faults = list(_of_command(command, _written(command, lines), setting))
        shown = f"{command.verb} {command.noun}" + (f"({command.name})" if command.name else "")
        about = f"{command.noun} {command.name}"
        problems.extend((fault.verdict, _problem(fault, script.path, shown, about, queue_manager)) for fault in faults)
        verdicts = {fault.verdict for fault in faults}
        if "refused" not in verdicts:
            cause = next((fault.cause for fault in faults if fault.verdict == "unknown"), "")
            left.append(_doubted(command, cause) if cause else command)
    script.commands[:] = left
    started: set[tuple[str, str]] = set()
    for passed in reversed(script.passed_over):
        verb, line, column, _ = passed
        written = _written(passed, lines)
        if verb in ("START", "STOP"):
            faults = list(_of_state(verb, written, started))
        else:
            faults = list(_of_unread(verb, written, line, column, known=level <= KNOWN_LEVEL))
        problems.extend(
            (fault.verdict, _problem(fault, script.path, shown, shown, queue_manager)) for shown, fault in faults
        )
    return sorted(problems, key=lambda found: (found[1].line, found[1].column))


def _written(command: Command | PassedOver, lines: Sequence[str]) -> Sequence[Written]:
    """The parameters of a command that a script writes in some lines; of a control command those that it stands for."""
    if command.written is not None:
        return command.written
    if isinstance(command, Command) and command.control:
        return [Written(p.keyword, p.value, line, p.column, p.template) for p, line in command.parameters]
    return list(written_parameters(lines, command.line, command.column))


def check_kept_script(script: MqscFile, text: str = "") -> list[Problem]:
    """The commands of a script that people keep which every queue manager refuses, and those that lintmdb does not
    know. The refused ones are taken out of it, and of the others the values are unknown. None of a dump or an answer,
    which shows what is there. A script inside another file needs no ``text``.
    """
    if script.dump is not None or script.observed:
        return []
    lines, name = text.split("\n"), script.queue_manager or "the queue manager"
    problems: list[Problem] = []
    left: list[Command] = []
    for command in script.commands:
        one = MqscFile(script.path, [command])
        if not script.embedded or command.written is not None:
            problems += _not_understood(one, lines, name)
        left += one.commands
    script.lost_commands += len(script.commands) - len(left)
    script.commands[:] = left
    if not script.embedded or all(passed.written is not None for passed in script.passed_over):
        problems += _not_understood(MqscFile(script.path, passed_over=script.passed_over), lines, name)
    return sorted(problems, key=lambda problem: (problem.line, problem.column))


def _not_understood(script: MqscFile, lines: Sequence[str], queue_manager: str) -> list[Problem]:
    """What any queue manager refuses of a script, and what lintmdb does not know of it."""
    return [
        replace(problem, kind="not_understood", queue_manager=None)
        for verdict, problem in _check(script, lines, queue_manager)
        if verdict != "doubtful"
    ]


def _problem(fault: _Fault, path: str, shown: str, about: str, queue_manager: str) -> Problem:
    refused = fault.verdict == "refused"
    return Problem(
        kind="refused_change" if refused else "unjudged_change",
        path=path,
        line=fault.line,
        column=fault.column,
        text=f"{shown} would be refused by {queue_manager}: {fault.reason}" if refused else fault.reason,
        next_step=fault.next_step,
        queue_manager=queue_manager,
        object=about,
    )


def _doubted(command: Command, cause: str) -> Command:
    """A command of which nobody knows whether it runs, because of an attribute or a value that lintmdb does not
    know.
    """
    doubted = [
        (parameter._replace(template=True, text=beside(parameter.text, cause)), line)
        for parameter, line in command.parameters
    ]
    return command._replace(parameters=tuple(doubted), doubtful=True)


def _nearest(word: str, words: Iterable[str]) -> str:
    """The word that is spelled most like another; blank where none is like it."""
    return (difflib.get_close_matches(word, sorted(words), 1, 0.75) or [""])[0]


def _did_you_mean(nearest: str, otherwise: str = "Check its spelling") -> str:
    return f"Did you mean {nearest}?" if nearest else otherwise


def _of_unread(
    verb: str, written: Sequence[Written], line: int, column: int, *, known: bool
) -> Iterator[tuple[str, _Fault]]:
    """What is wrong with a command of a noun that lintmdb does not read."""
    found = next((parameter for parameter in written if parameter.keyword not in _BEFORE_A_NOUN), None)
    if found is None:
        yield verb, _Fault("refused", "it names no object", "Name one", line, column)
        return
    noun = NOUNS.get(found.keyword, found.keyword)
    shown = f"{verb} {found.keyword}"
    if verb == "CLEAR":
        yield shown, _Fault("doubtful", f"{shown} {_DELETES}", _SAVE, found.line, found.column)
        return
    if noun in VERBS_OF:
        yield shown, _Fault("refused", "it names no object", "Name one", found.line, found.column)
    elif noun == "QUEUE":
        step = "Name its type: QLOCAL, QALIAS, QREMOTE or QMODEL"
        yield shown, _Fault("refused", f"there is no command {shown}", step, found.line, found.column)
    elif noun not in OTHER_NOUNS:
        nearest = _nearest(noun, [name for name, verbs in VERBS_OF.items() if verb in verbs] + [*OTHER_NOUNS])
        if nearest and known:
            reason = f"there is no command {shown} (syntax error, AMQ8405I)"
            yield shown, _Fault("refused", reason, _did_you_mean(nearest), found.line, found.column)
        else:
            reason = f"lintmdb does not know the command {shown}, so it is not judged"
            yield shown, _Fault("doubtful", reason, _did_you_mean(nearest), found.line, found.column)
    elif verb in ("DEFINE", "ALTER"):
        for parameter in written:
            if parameter.unquoted and not parameter.template:
                yield shown, _unquoted(parameter)


def _of_state(verb: str, written: Sequence[Written], started: set[tuple[str, str]]) -> Iterator[tuple[str, _Fault]]:
    """What STOP does where no command behind it, of which ``started`` has noun and name, starts the same again.

    A channel whose STATUS is INACTIVE afterwards starts by itself when a client connects; it is the default where
    CONNAME or QMNAME choose the connections to end.
    """
    found = next((parameter for parameter in written if parameter.keyword not in _BEFORE_A_NOUN), None)
    noun = _STARTED.get(found.keyword) if found is not None else None
    if found is None or noun is None:
        return
    name = found.value or ""
    if verb == "START":
        started.add((noun, name))
        return
    words = {parameter.keyword: (parameter.value or "").upper() for parameter in written}
    inactive = words.get("STATUS") == "INACTIVE" or words.keys() & {"CONNAME", "QMNAME"}
    if (noun, name) not in started and not (noun == "CHANNEL" and inactive):
        shown = f"STOP {noun}" + (f"({name})" if name else "")
        reason = f"{shown} keeps clients out until somebody starts it again, and lintmdb judges definitions alone"
        yield (
            shown,
            _Fault("doubtful", reason, f"Add START {noun}, or make sure that no endpoint needs it", *found[2:4]),
        )


def _why_not_ignored(queue_manager: str, level: int, platform: Platform | None) -> str:
    """Why a queue manager does not take IGNSTATE; blank where it may."""
    if platform == "zos":
        return "z/OS has no IGNSTATE"
    if 0 < level < _FIRST_WITH_IGNORED_STATE:
        return f"IGNSTATE needs command level {_FIRST_WITH_IGNORED_STATE}, and {queue_manager} has {level}"
    return ""


def _of_command(command: Command, written: Sequence[Written], setting: _Setting) -> Iterator[_Fault]:
    """What is wrong with a command of a noun that lintmdb reads."""
    if command.noun == "AUTHREC" and setting.is_zos:
        reason = f"z/OS has no command {command.verb} AUTHREC"
        yield _Fault("refused", reason, "Grant the rights in the security manager", command.line, command.column)
        return
    if command.verb not in VERBS_OF[command.noun]:
        reason = f"there is no command {command.verb} {command.noun}"
        step = f"Write {' or '.join(sorted(VERBS_OF[command.noun]))} {command.noun}"
        yield _Fault("refused", reason, step, command.line, command.column)
        return
    for parameter in written:
        if NOUNS.get(parameter.keyword) == command.noun:
            yield from _of_name(command, parameter)
        elif parameter.keyword not in ATTRIBUTES[command.noun]:
            yield _of_keyword(command, parameter, known=setting.known)
        elif parameter.keyword in OTHER_VERBS.get(command.verb, ()):
            reason = f"{command.verb} takes no {parameter.keyword} (syntax error, AMQ8405I)"
            yield _Fault("refused", reason, "Leave it out", parameter.line, parameter.column)
        elif parameter.keyword == "IGNSTATE" and setting.why_not_ignored:
            yield _Fault("refused", setting.why_not_ignored, "Leave it out", parameter.line, parameter.column)
        elif not parameter.template:
            faults = list(_of_value(command, parameter, known=setting.known))
            if parameter.unquoted and not faults:
                faults = [_unquoted(parameter)]
            yield from faults
        if command.verb == "DELETE" and parameter.keyword == "PURGE":
            reason = f"DELETE {command.noun}({command.name}) PURGE {_DELETES}"
            yield _Fault("doubtful", reason, _SAVE, parameter.line, parameter.column)
    yield from _of_what_lacks(command, {parameter.keyword: parameter.value or "" for parameter in written})


def _unquoted(parameter: Written) -> _Fault:
    reason = f"{parameter.unquoted} (syntax error, AMQ8405I)"
    return _Fault("refused", reason, _QUOTE, parameter.line, parameter.column)


def _of_keyword(command: Command, parameter: Written, *, known: bool) -> _Fault:
    keyword, noun = parameter.keyword, command.noun
    owners = [other for other in sorted(QUEUE_TYPES) if noun in QUEUE_TYPES and keyword in ATTRIBUTES[other]]
    if owners:
        reason = f"{noun} has no attribute {keyword} (syntax error, AMQ8405I)"
        step = f"Set it on a queue that has it: {_either(owners)}"
        return _Fault("refused", reason, step, parameter.line, parameter.column)
    nearest = _MISPRINTS.get(keyword, "")
    nearest = nearest if nearest in ATTRIBUTES[noun] else _nearest(keyword, ATTRIBUTES[noun])
    # Of AUTHINFO lintmdb reads little, and IBM's own samples spell one of its attributes their way.
    if known and noun != "AUTHINFO":
        reason = f"{noun} has no attribute {keyword} (syntax error, AMQ8405I)"
        others = [other for other in sorted(ATTRIBUTES) if keyword in ATTRIBUTES[other]]
        if others:
            step = f"Set it on an object that has it: {_either(others)}"
            return _Fault("refused", reason, step, parameter.line, parameter.column)
        if nearest:
            return _Fault("refused", reason, _did_you_mean(nearest), parameter.line, parameter.column)
    return _unknown(command, f"attribute {keyword} of {noun}", _did_you_mean(nearest), parameter, keyword)


def _unknown(command: Command, what: str, step: str, parameter: Written, cause: str) -> _Fault:
    shown = f"{command.verb} {command.noun}" + (f"({command.name})" if command.name else "")
    reason = f"lintmdb does not know the {what}, so what {shown} sets is unknown"
    return _Fault("unknown", reason, step, parameter.line, parameter.column, cause)


def _of_name(command: Command, parameter: Written) -> Iterator[_Fault]:
    """What is wrong with the name of an object."""
    longest = LONGEST_OBJECT_NAMES.get(command.noun)
    if command.noun == "CHLAUTH" and command.name != "*" and command.value("TYPE").upper() == "BLOCKADDR":
        reason = "a record of TYPE(BLOCKADDR) is about all channels"
        yield _Fault("refused", reason, "Write SET CHLAUTH('*')", parameter.line, parameter.column)
    # A channel of a cluster may leave part of its name to the queue manager: +QMNAME+.
    if longest is None or parameter.template or (command.noun == "CHANNEL" and "+" in command.name):
        return
    place = (parameter.line, parameter.column)
    if not command.name:
        yield _Fault("refused", "it names no object", "Name one", *place)
    elif len(command.name) > longest:
        reason = f"the name has {len(command.name)} characters, and {longest} are the most"
        yield _Fault("refused", reason, "Shorten the name", *place)
    elif command.noun != "CHLAUTH" and not _DOUBTFUL.match(command.name):
        reason = "the name holds a character other than letters, digits, and . / _ %"
        yield _Fault("refused", reason, "Correct the name", *place)
    elif command.noun != "CHLAUTH" and not _NAME.match(command.name):
        reason = f"the name {command.name} holds a character other than letters, digits, and . / _ %"
        yield _Fault("doubtful", f"{reason}, which IBM MQ may refuse", "Check the name", *place)


def _of_value(command: Command, parameter: Written, *, known: bool) -> Iterator[_Fault]:
    """What is wrong with the value of an attribute that the noun has."""
    keyword, place = parameter.keyword, (parameter.line, parameter.column)
    value = (parameter.value or "").strip()
    if keyword in SWITCHES:
        if parameter.value is not None:
            yield _Fault("refused", f"{keyword} takes no value", f"Write {keyword} alone, or leave it out", *place)
    elif parameter.value is None:
        if keyword not in _EITHER:
            yield _Fault("refused", f"{keyword} has no value", f"Write {keyword}(VALUE)", *place)
    elif keyword in LONGEST_NAMES or keyword == "LIKE":
        longest = LONGEST_NAMES.get(keyword) or LONGEST_OBJECT_NAMES.get(command.noun, 48)
        if len(value) > longest:
            reason = f"the name in {keyword} has {len(value)} characters, and {longest} are the most"
            yield _Fault("refused", reason, "Shorten the name", *place)
        elif keyword in _OPENED and re.search(r"\s", value):
            yield _Fault("refused", f"the name in {keyword} holds a blank", "Correct the name", *place)
    elif len(value) > LONGEST_VALUES.get(keyword, len(value)) and not (keyword == "MCAUSER" and "=" in value):
        reason = f"the value of {keyword} has {len(value)} characters, and {LONGEST_VALUES[keyword]} are the most"
        yield _Fault("refused", reason, "Shorten the value", *place)
    else:
        yield from _of_choice(command, parameter, value, known=known)


def _of_choice(command: Command, parameter: Written, value: str, *, known: bool) -> Iterator[_Fault]:
    """What is wrong with a word, or a number."""
    noun, keyword, place = command.noun, parameter.keyword, (parameter.line, parameter.column)
    choices, limits = CHOICES[noun].get(keyword), RANGES.get(noun, {}).get(keyword)
    if choices is None and limits is None:
        return
    if limits is not None and value.isascii() and value.isdigit() and limits[0] <= int(value[:20]) <= limits[1]:
        return
    if choices is None and limits is not None:
        fault = f"{keyword}({value}) is {number_fault(value, *limits)}" if value else f"{keyword} has no value"
        yield _Fault("refused", fault, _CORRECT, *place)
        return
    choices = choices or frozenset()
    words = re.split(r"[\s,]+", value) if keyword in LISTS else [value]
    for word in (word.strip("'\"").upper() for word in words):
        if word in choices:
            continue
        nearest = _nearest(word, choices)
        if known and (nearest or limits is not None or noun in _LISTED_IN_FULL or choices in _PAIRS):
            listed = [*sorted(choices), *([f"{limits[0]} to {limits[1]}"] if limits is not None else [])]
            otherwise = f"It takes {_either(listed)}" if len(listed) <= _SHOWN else _CORRECT
            reason = f"{keyword} does not take {word}" if word else f"the value of {keyword} is blank"
            yield _Fault("refused", reason, _did_you_mean(nearest, otherwise), *place)
        else:
            what = f"value {word} of {keyword}"
            yield _unknown(command, what, _did_you_mean(nearest), parameter, f"{keyword}({word})")


def _either(words: Sequence[str]) -> str:
    return " or ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else words[0]


def _of_what_lacks(command: Command, values: dict[str, str]) -> Iterator[_Fault]:
    """The parameters that a command needs and does not have."""
    for keywords in _needed(command, values):
        if not any(keyword in values for keyword in keywords):
            lack = " nor ".join(keywords)
            reason = f"it has neither {lack}" if len(keywords) > 1 else f"it has no {lack}"
            yield _Fault("refused", reason, f"Add {' or '.join(keywords)}", command.line, command.column)


def _needed(command: Command, values: dict[str, str]) -> Iterator[tuple[str, ...]]:
    if command.noun == "AUTHREC":
        yield ("OBJTYPE",)
        yield ("PRINCIPAL", "GROUP")
        if values.get("OBJTYPE", "").upper() != "QMGR":
            yield ("PROFILE",)
    elif command.noun == "CHLAUTH":
        yield ("TYPE",)
        yield from _needed_of_record(values)
    elif command.noun == "CHANNEL" and command.verb in ("DEFINE", "ALTER"):
        yield ("CHLTYPE",)
    elif command.noun == "TOPIC" and command.verb == "DEFINE" and "REPLACE" not in values:
        yield ("TOPICSTR",)


_ABOUT_WHOM: Mapping[str, tuple[str, ...]] = {
    "ADDRESSMAP": ("ADDRESS",),
    "USERMAP": ("CLNTUSER",),
    "QMGRMAP": ("QMNAME",),
    "SSLPEERMAP": ("SSLPEER", "SSLCERTI"),
}
"""What a channel authentication record of each type must say (IBM MQ "SET CHLAUTH")."""


def _needed_of_record(values: dict[str, str]) -> Iterator[tuple[str, ...]]:
    """What SET CHLAUTH needs to set or remove a map."""
    about, action = _ABOUT_WHOM.get(values.get("TYPE", "").upper()), values.get("ACTION", "ADD").upper()
    if about is None or action == "REMOVEALL":
        return
    yield about
    if action != "REMOVE" and values.get("USERSRC", "MAP").upper() == "MAP":
        yield ("MCAUSER",)
