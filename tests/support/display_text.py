"""What a queue manager would answer to DISPLAY, from its dump: the same facts in the other form."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping

from lintmdb.exports.mq import MqscFile
from lintmdb.resolve.mq.definitions import Definitions
from lintmdb.resolve.mq.objects import MqObject
from lintmdb.resolve.mq.platforms import supplied_values
from lintmdb.resolve.mq.script import run_scripts

_QUEUE = (
    "BOTHRESH", "BOQNAME", "HARDENBO", "MAXMSGL", "MAXDEPTH", "PUT", "GET", "SHARE", "DEFSOPT", "DEFPSIST", "USAGE",
    "TRIGGER", "TRIGTYPE", "CLUSTER", "CLUSNL", "CUSTOM",
)  # fmt: skip
ATTRIBUTES: Mapping[str, tuple[str, ...]] = {
    "QLOCAL": _QUEUE,
    "QMODEL": _QUEUE,
    "QALIAS": ("TARGET", "PUT", "GET", "DEFPSIST", "CUSTOM", "CLUSTER"),
    "QREMOTE": ("RNAME", "RQMNAME", "XMITQ", "PUT", "DEFPSIST", "CUSTOM"),
    "CHANNEL": ("CHLTYPE", "SHARECNV", "MAXINST", "MAXINSTC", "MCAUSER", "SSLCIPH", "MAXMSGL"),
    "TOPIC": ("TOPICSTR", "MDURMDL", "MNDURMDL", "DURSUB", "SUB", "CUSTOM"),
    "AUTHINFO": ("AUTHTYPE",),
}
EVIDENCE: Mapping[str, str] = {
    "DESCR": "a (b) text", "ALTDATE": "2026-03-06", "INITQ": " ", "PROCESS": " ", "PUB": "ASPARENT",
    "TRIGDATA": "x BOTHRESH",
}  # fmt: skip
"""Attributes that no verdict rests on, as ALL shows them."""
_NUMBERS = {"Q": ("8409", "Queue"), "CHANNEL": ("8414", "Channel"), "TOPIC": ("8633", "topic")}


ANY_QUEUE = (("QUEUE", "*"),)
"""How an administrator asks for all queues."""


def transcript(
    dump: MqscFile,
    *,
    without: Collection[str] = (),
    severity: str = "I",
    queues: Collection[tuple[str, str]] = ANY_QUEUE,
) -> str:
    """The session with runmqsc in which an administrator displays everything that a dump holds.

    ``without`` has attributes that the administrator does not ask for, ``queues`` the nouns and filters by which
    queues are asked for.
    """
    name = dump.queue_manager or "QM1"
    definitions = run_scripts(name, [dump])
    session = _Session(severity)
    session.lines += [
        "5724-H72 (C) Copyright IBM Corp. 1994, 2025.",
        f"Starting MQSC for queue manager {name}.",
        "",
        "",
    ]
    asked = "ALL" if not without else "DESCR +"
    session.ask("DISPLAY QMGR ALL" if not without else "DISPLAY QMGR DESCR")
    session.object("8408", "Queue Manager", [("QMNAME", name), *_kept(_manager(definitions, dump), without)])
    others = (("CHANNEL", "*"), ("TOPIC", "*"), ("AUTHINFO", "*"))
    for asked_noun, pattern in (*queues, *others):
        session.ask(f"dis {asked_noun.lower()}({pattern}) {asked}", *([] if not without else ["and others"]))
        noun, spaces = (asked_noun, asked_noun) if (asked_noun, pattern) in others else ("QUEUE", "Q")
        for target in definitions.of_kind(spaces):
            if spaces == "Q" and not (asked_noun in ("QUEUE", target.noun) and _matches(target.name, pattern)):
                continue
            number, words = _NUMBERS.get(spaces, ("8566", "authentication information"))
            shown = list(_attributes(definitions, target))
            head = [(noun, target.name)] + ([("TYPE", target.noun)] if spaces == "Q" else [])
            rest = [pair for pair in EVIDENCE.items() if not without]
            session.object(number, words, [*head, *rest[:3], *_kept(shown, without), *rest[3:]])
    _records(session, dump)
    session.answer()
    session.lines += ["7 MQSC commands read.", "No commands have a syntax error.", ""]
    return "\n".join(session.lines)


def _matches(name: str, pattern: str) -> bool:
    return name.startswith(pattern[:-1]) if pattern.endswith("*") else name == pattern


def rest_answers(dump: MqscFile) -> str:
    """The answers of the REST API to runCommandJSON, in which the queue manager shows the objects of a dump."""
    name = dump.queue_manager or "QM1"
    definitions = run_scripts(name, [dump])
    answers = [_answer([("QMNAME", name), *_manager(definitions, dump)])]
    queues: list[dict[str, object]] = []
    for noun, space in (("QUEUE", "Q"), ("CHANNEL", "CHANNEL"), ("TOPIC", "TOPIC"), ("AUTHINFO", "AUTHINFO")):
        for target in definitions.of_kind(space):
            head = [(noun, target.name)] + ([("TYPE", target.noun)] if space == "Q" else [])
            queues.append(_answer([*head, *EVIDENCE.items(), *_attributes(definitions, target)]))
    documents = ({"commandResponse": part, "overallCompletionCode": 0} for part in (answers, queues))
    return "\n".join(json.dumps(document, indent=2) for document in documents)


def _answer(pairs: Iterable[tuple[str, str | None]]) -> dict[str, object]:
    parameters: dict[str, object] = {}
    for keyword, value in pairs:
        if value is None:
            parameters[keyword.removeprefix("NO").lower()] = "no" if keyword.startswith("NO") else "yes"
        else:
            parameters[keyword.lower()] = int(value) if value.isdigit() else value
    return {"completionCode": 0, "parameters": parameters, "reasonCode": 0}


class _Session:
    def __init__(self, severity: str) -> None:
        self.lines: list[str] = []
        self._severity = severity
        self._asked = 0
        self._silent = False
        """No object answers the last command so far."""

    def answer(self) -> None:
        """The answer to a command that finds nothing."""
        if self._silent:
            self.lines.append(f"AMQ8147{'E' if self._severity else ''}: IBM MQ object * not found.")
        self._silent = True

    def ask(self, *lines: str) -> None:
        """A command as runmqsc repeats it, behind the answer to the one before."""
        self.answer()
        self._asked += 1
        first, *rest = lines
        self.lines += [f"{self._asked:6} : {first}", *(f"       : {line}" for line in rest)]

    def object(self, number: str, words: str, attributes: Iterable[tuple[str, str | None]]) -> None:
        """An object in two columns; what is too wide has a line of its own."""
        self._silent = False
        self.lines.append(f"AMQ{number}{self._severity}: Display {words} details.")
        waiting = ""
        for keyword, value in attributes:
            shown = keyword if value is None else f"{keyword}({value or ' '})"
            if waiting and len(shown) < 40:
                self.lines.append(f"   {waiting:<40}{shown}")
                waiting = ""
            elif len(shown) < 40:
                waiting = shown
            else:
                self.lines += [*([f"   {waiting:<40}"] if waiting else []), f"   {shown}"]
                waiting = ""
        if waiting:
            self.lines.append(f"   {waiting:<40}")


def _kept(pairs: Iterable[tuple[str, str | None]], without: Collection[str]) -> Iterator[tuple[str, str | None]]:
    return (pair for pair in pairs if pair[0].removeprefix("NO") not in without)


def _manager(definitions: Definitions, dump: MqscFile) -> Iterator[tuple[str, str | None]]:
    platform = (dump.platform or "").strip()
    if platform:
        yield "PLATFORM", platform
    if dump.command_level:
        yield "CMDLEVEL", str(dump.command_level)
    supplied = {"DEADQ": "", "MAXMSGL": "4194304", "DEFXMITQ": "", "CHAD": "DISABLED", "CHLAUTH": "ENABLED"}
    if definitions.platform == "distributed":
        supplied["CONNAUTH"] = "SYSTEM.DEFAULT.AUTHINFO.IDPWOS"
    for keyword, first in (("CHLAUTH", 710), ("CONNAUTH", 800)):
        if (dump.command_level or 999) < first:
            supplied.pop(keyword, None)
    values = {keyword: value.text for keyword, value in definitions.manager.values.items()}
    yield from {**supplied, **values}.items()


def _attributes(definitions: Definitions, target: MqObject) -> Iterator[tuple[str, str | None]]:
    supplied = supplied_values(definitions.platform)
    for keyword in ATTRIBUTES[target.noun]:
        found = target.values.get(keyword)
        value = found.text.strip() if found is not None else supplied.get(keyword, "")
        if keyword in ("HARDENBO", "SHARE", "TRIGGER"):
            if target.noun == "QMODEL" and keyword == "SHARE" and found is None:
                continue
            yield (keyword if value == "yes" else f"NO{keyword}"), None
        elif target.noun == "QMODEL" and keyword == "DEFSOPT" and found is None:
            continue
        else:
            yield keyword, value
    for keyword, found in target.values.items():
        if keyword not in ATTRIBUTES[target.noun]:
            yield keyword, found.text


def _records(session: _Session, dump: MqscFile) -> None:
    if dump.covers_queue_authorities:
        session.ask("DISPLAY AUTHREC")
    for command in dump.commands:
        values = {parameter.keyword: parameter.value or "" for parameter, _ in command.parameters}
        if command.noun != "AUTHREC" or values.get("OBJTYPE", "").upper() not in ("QUEUE", "QMGR"):
            continue
        kind = "PRINCIPAL" if "PRINCIPAL" in values else "GROUP"
        session.object(
            "8864",
            "authority record",
            [
                ("PROFILE", values.get("PROFILE", "self")),
                ("ENTITY", values[kind]),
                ("ENTTYPE", kind),
                ("OBJTYPE", values["OBJTYPE"]),
                ("AUTHLIST", values.get("AUTHADD", "NONE")),
            ],
        )
    if dump.covers_channel_records:
        session.ask("DISPLAY CHLAUTH(*) ALL")
    for command in dump.commands:
        if command.noun == "CHLAUTH":
            shown = [(parameter.keyword, parameter.value) for parameter, _ in command.parameters]
            extra = [("WARN", "NO")] if all(keyword != "WARN" for keyword, _ in shown) else []
            if ("TYPE", "BLOCKUSER") not in shown and all(keyword != "CHCKCLNT" for keyword, _ in shown):
                extra.append(("CHCKCLNT", "ASQMGR"))
            kept = [pair for pair in shown if pair[0] != "ACTION"]
            session.object("8878", "channel authentication record", [("CHLAUTH", command.name), *kept, *extra])
