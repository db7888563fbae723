"""The control commands setmqaut and crtmqm as the MQSC that does the same."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from lintmdb.exports.mq.commands import Command, Parameter
from lintmdb.exports.mq.lines import holds_template
from lintmdb.exports.mq.shell.syntax import Word

_TYPES = {"q": "QUEUE", "queue": "QUEUE", "qmgr": "QMGR"}
_RIGHTS = frozenset({
    "all", "alladm", "allmqi", "altusr", "browse", "chg", "clr", "connect", "crt", "ctrl", "ctrlx", "dlt", "dsp", "get",
    "inq", "none", "passall", "passid", "pub", "put", "resume", "set", "setall", "setid", "sub", "system",
})  # fmt: skip
_WITH_VALUE = {
    "setmqaut": frozenset("mntpgs"),
    "crtmqm": frozenset({"c", "d", "g", "h", "ic", "ii", "ld", "lf", "lp", "ls", "md", "oa", "p", "t", "u", "x"}),
    "runmqsc": frozenset("wmurlf"),
}


class Control(NamedTuple):
    """What a control command is about."""

    queue_manager: Word | None
    commands: Sequence[Command]
    """The same in MQSC."""
    others: int = 0
    """1 for a command that is about something that lintmdb does not need."""


class Option(NamedTuple):
    """One option with its value, if it has one; a blank name is an argument."""

    name: str
    value: Word


def options(tool: str, words: Sequence[Word]) -> list[Option]:
    """The options and arguments behind the name of a command."""
    found: list[Option] = []
    waiting = ""
    for word in words:
        text = word.value
        if waiting:
            found.append(Option(waiting, word))
            waiting = ""
        elif tool == "setmqaut" and text[:1] in ("+", "-") and text[1:].lower() in _RIGHTS:
            found.append(Option(text[0], word))
        elif text.startswith("-") and len(text) > 1:
            name = text[1:]
            if name in _WITH_VALUE[tool]:
                waiting = name
            else:
                found.append(Option(name, word))
        else:
            found.append(Option("", word))
    return found


def manager_of(tool: str, words: Sequence[Word]) -> Word | None:
    """The queue manager that a command names as its argument: the last one of crtmqm, the first one of runmqsc."""
    arguments = [option.value for option in options(tool, words) if not option.name]
    return (arguments[-1] if tool == "crtmqm" else arguments[0]) if arguments else None


def read_crtmqm(tool: Word, words: Sequence[Word]) -> Control:
    """``crtmqm -u DLQ QM1``: the dead-letter queue. Without ``-u`` the command says nothing that a later one keeps."""
    manager = manager_of("crtmqm", words)
    named = next((option.value for option in options("crtmqm", words) if option.name == "u"), None)
    if named is None or manager is None:
        return Control(manager, (), 1)
    dead_letters = _parameter("DEADQ", named, f"-u {named.value}")
    return Control(manager, [_command([tool, *words], "ALTER", "QMGR", [dead_letters])])


def read_setmqaut(tool: Word, words: Sequence[Word]) -> Control:
    """``setmqaut -m QM1 -t queue -n ORDERS.IN -p app +get -put``: one SET AUTHREC for each series of rights that are
    given or taken, in their order.
    """
    found = options("setmqaut", words)
    last = {option.name: option.value for option in found if len(option.name) == 1}
    manager, kind, profile = last.get("m"), last.get("t"), last.get("n")
    objtype = _TYPES.get(kind.value.lower(), "") if kind is not None else ""
    unknown_type = kind is not None and holds_template(kind.value)
    if kind is None or (not objtype and not unknown_type) or (objtype == "QUEUE" and profile is None):
        return Control(manager, (), 1)
    about = [_parameter("OBJTYPE", kind, f"-t {kind.value}", objtype or None)]
    if profile is not None and objtype != "QMGR":
        about.append(_parameter("PROFILE", profile, f"-n {profile.value}"))
    about += _entities(found)
    if any(option.name == "remove" for option in found):
        return Control(manager, [_command([tool, *words], "DELETE", "AUTHREC", about)])
    changes = [option for option in found if option.name in ("+", "-")]
    arguments = [option.value for option in found if not option.name]
    unknown = [word for word in arguments if holds_template(word.value)]
    # One right that there is not, and none of the command is granted.
    changes += [Option("+", word) for word in arguments if word.value[:1] == "+" and word not in unknown]
    rights = [_rights(sign, [option.value for option in series]) for sign, series in groupby(changes, lambda o: o.name)]
    rights += [_parameter("AUTHADD", word, word.value) for word in unknown]
    return Control(manager, [_command([tool, *words], "SET", "AUTHREC", [*about, right]) for right in rights])


def _entities(found: Sequence[Option]) -> Iterator[tuple[Parameter, int]]:
    """Users and groups; several of a kind are one list."""
    for name, keyword in (("p", "PRINCIPAL"), ("g", "GROUP")):
        words = [option.value for option in found if option.name == name]
        if words:
            value = ",".join(word.value for word in words)
            yield _parameter(keyword, words[0], f"-{name} {value}", value)


def _rights(sign: str, words: Sequence[Word]) -> tuple[Parameter, int]:
    value = ",".join(word.value[1:].upper() for word in words)
    shown = " ".join(word.value for word in words)
    return _parameter("AUTHADD" if sign == "+" else "AUTHRMV", words[0], shown, value)


def _parameter(keyword: str, word: Word, text: str, value: str | None = None) -> tuple[Parameter, int]:
    line, column = word.text.place_of(0)
    value = word.value if value is None else value
    return Parameter(keyword, value, text, column, holds_template(word.value) or holds_template(value)), line


def _command(words: Sequence[Word], verb: str, noun: str, parameters: Sequence[tuple[Parameter, int]]) -> Command:
    line, column = words[0].text.place_of(0)
    written = " ".join(word.value for word in words)
    return Command(verb, noun, "", tuple(parameters), line, column, control=written)
