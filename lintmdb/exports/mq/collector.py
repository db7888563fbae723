"""Sorting what a script holds into commands that lintmdb reads, commands that it does not need, and problems."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from lintmdb.exports.mq.attributes import ATTRIBUTES
from lintmdb.exports.mq.commands import Command, MqscFile, Parameter, PassedOver, StructureCommand
from lintmdb.exports.mq.lines import holds_template
from lintmdb.exports.mq.vocabulary import ACTIVE_VERBS, NAMED_ONCE, NEEDED, NOUNS, PASSED_OVER_VERBS, READ_NOUNS, VERBS
from lintmdb.model.origins import InlineSuppression
from lintmdb.model.relations import Problem

_MAX_PROBLEMS = 1000
_ATTRIBUTES = frozenset[str]().union(*ATTRIBUTES.values())


class Collector:
    """Adds commands and problems to a file while it is read."""

    __slots__ = ("_allowances", "_is_read", "_template_seen", "_undecided", "broken", "file")

    def __init__(self, file: MqscFile) -> None:
        self.file = file
        self._allowances: list[InlineSuppression] = []
        self._template_seen = False
        self._undecided: list[str] = []
        self._is_read = False  # lintmdb reads the command above
        self.broken: dict[int, int] = {}
        """The places of commands below which stands what may be the rest of them, each with the line of that."""

    def add(self, head: Parameter, parameters: list[tuple[Parameter, int]], line: int) -> bool:
        """Add the command that starts with ``head`` on a line; False where that is not a verb.

        ``parameters`` are pairs of a parameter behind the verb, needed or a noun, and its line.
        """
        verb = VERBS.get(head.keyword) if head.value is None else None
        if verb is None:
            self.lose([head, *(parameter for parameter, _ in parameters)], line)
            return False
        count = len(self.file.commands)
        if verb in ACTIVE_VERBS:
            self._add_active(verb, parameters, head.column, line)
        else:
            self.file.other_commands += 1
            if verb in PASSED_OVER_VERBS:
                self.file.passed_over.append(PassedOver(verb, line, head.column))
        self._is_read = len(self.file.commands) > count
        return True

    def lose(self, parameters: Sequence[Parameter], line: int) -> None:
        """Note what is lost with parameters that no verb leads, the first of them on ``line``: attributes that may
        belong to the command above, which lacks a continuation mark, or an object.
        """
        if self._is_read and any(parameter.keyword in NEEDED for parameter in parameters):
            self.file.lost_commands += 1
            self.broken.setdefault(len(self.file.commands) - 1, line)
        elif any(
            parameter.value is not None and NOUNS.get(parameter.keyword) in READ_NOUNS for parameter in parameters
        ):
            self.file.lost_commands += 1

    def _add_active(self, verb: str, parameters: list[tuple[Parameter, int]], column: int, line: int) -> None:
        """Add a command that changes the configuration if its noun is one that lintmdb reads."""
        position = _noun_position(parameters)
        parameter = parameters[position][0] if position is not None else None
        noun = NOUNS[parameter.keyword] if parameter is not None else ""
        self.file.has_late_command = self.file.has_late_command or _is_late(noun, parameters)
        if parameter is not None and noun == "NAMELIST":
            self.file.has_namelist = True
            self.file.namelists.append(Command(verb, noun, parameter.value or "", tuple(parameters), line, column))
        if parameter is not None and noun == "SUB":
            self.file.subscriptions.append(Command(verb, noun, parameter.value or "", tuple(parameters), line, column))
        if parameter is not None and noun == "QUEUE":
            self._refuse_noun(verb, parameter, column, line)
            return
        if position is None or parameter is None or noun not in READ_NOUNS:
            self.file.other_commands += 1
            self.file.passed_over.append(PassedOver(verb, line, column))
            if position is None:
                self._add_structure(verb, parameters, column, line)
            return
        if [p for p, _ in parameters if p.template]:  # as any(...) in half the time, for every command
            self.template(line)
            if parameter.template:
                self.file.lost_commands += 1
                self._unnamed(f"{verb} {noun}({parameter.value or ''})", line, column)
                return
        rest = tuple(parameters[:position] + parameters[position + 1 :])
        repeated = _repeated(parameter.keyword, tuple([p.keyword for p, _ in rest])) if noun != "AUTHREC" else None
        if repeated is not None:
            again, where = rest[repeated]
            shown = f"{verb} {noun}({parameter.value or ''})" if parameter.value else f"{verb} {noun}"
            opposite = next((earlier for earlier, _ in rest[:repeated] if _opposed(earlier, again)), None)
            both = f"it has both {opposite.keyword} and {again.keyword}" if opposite is not None else ""
            text = f"{shown} is refused because {both or f'{again.keyword} occurs again inside the command'}"
            before = next(at for earlier, at in rest if earlier.keyword == (opposite or again).keyword)
            step = "Remove one of them" if before == where else "Look for an extra continuation mark"
            self.problem(where, again.column, text, "not_understood", step)
            self.file.lost_commands += 1
            return
        inline_suppressions, self._allowances = tuple(self._allowances), []
        self.file.commands.append(Command(verb, noun, parameter.value or "", rest, line, column, inline_suppressions))

    def _add_structure(self, verb: str, parameters: list[tuple[Parameter, int]], column: int, line: int) -> None:
        """Keep what a command without any other noun says of a structure of the coupling facility."""
        found = {parameter.keyword: (parameter, at) for parameter, at in parameters}
        structure, _ = found.get("CFSTRUCT", (None, 0))
        if structure is None or not structure.value or structure.template:
            return
        level, at = found.get("CFLEVEL", (None, line))
        self.file.structures.append(StructureCommand(verb, structure.value, level, at, column))

    def _unnamed(self, shown: str, line: int, column: int) -> None:
        """Note a command about an object whose name is filled in elsewhere; a file has one problem for all of them."""
        self._undecided.append(shown)
        problems, first, more = self.file.problems, self._undecided[0], len(self._undecided) - 1
        if not more:
            text = f"{first} is not read: its name is filled in elsewhere"
            self.problem(line, column, text, "undecided_command", "Provide the rendered file")
            return
        place = next((n for n, each in enumerate(problems) if each.text.startswith(f"{first} ")), None)
        if place is not None:
            text = f"{first} and {more} more are not read: their names are filled in elsewhere"
            problems[place] = replace(problems[place], text=text)

    def _refuse_noun(self, verb: str, noun: Parameter, column: int, line: int) -> None:
        text = f"there is no command {verb} {noun.keyword}"
        step = "Name its type: QLOCAL, QALIAS, QREMOTE or QMODEL"
        self.problem(line, column, text, "not_understood", step)
        self.file.lost_commands += 1
        self.file.passed_over.append(PassedOver(verb, line, column))

    def allow(self, inline_suppressions: Sequence[InlineSuppression], *, inside: bool) -> None:
        """Keep allowances for the command below them. Those inside a command are lost."""
        (self.file.lost_inline_suppressions if inside else self._allowances).extend(inline_suppressions)

    def lose_allowances(self) -> None:
        """Note that no command follows the allowances that were kept for one."""
        if self._allowances:
            self.file.lost_inline_suppressions += self._allowances
            self._allowances = []

    def not_understood(self, line: str, number: int, head: Parameter | None = None) -> None:
        """Note a line that starts a command with ``head``, which is no verb, or that is a message of IBM MQ."""
        if holds_template(line[:200]):
            self.template(number)
            return
        self.no_command(number, head)

    def no_command(self, number: int, head: Parameter | None) -> None:
        """Note what is no command. It may contain anything, even a password, so it is not repeated."""
        belongs = head is not None and head.keyword in _ATTRIBUTES
        step = "If it belongs to the command above it, end the line above in +" if belongs else ""
        column = head.column if head is not None else 1
        self.problem(number, column, "this line is not an MQSC command", "not_understood", step)

    def template(self, number: int) -> None:
        """Note a placeholder; a file has one problem for all of them."""
        if not self._template_seen:
            self._template_seen = True
            text = "contains template text that has not been filled in, so its values are unknown"
            self.problem(number, 1, text, "template", "Provide the rendered file")

    def problem(
        self,
        line: int,
        column: int,
        text: str,
        kind: Literal["not_understood", "undecided_command", "template", "unreadable"],
        next_step: str = "",
    ) -> None:
        """Note a problem, up to a limit for each file."""
        if len(self.file.problems) < _MAX_PROBLEMS:
            self.file.problems.append(
                Problem(kind=kind, path=self.file.path, line=line, column=column, text=text, next_step=next_step)
            )


def _opposed(one: Parameter, other: Parameter) -> bool:
    """Whether two keywords negate each other: ``SHARE`` and ``NOSHARE``."""
    return one.keyword != other.keyword and one.keyword.removeprefix("NO") == other.keyword.removeprefix("NO")


def _noun_position(parameters: Sequence[tuple[Parameter, int]]) -> int | None:
    """The position of the noun: on z/OS other parameters may come before it."""
    for position, (parameter, _) in enumerate(parameters):
        noun = NOUNS.get(parameter.keyword)
        if noun is not None and (parameter.value is not None or noun in ("QMGR", "AUTHREC")):
            return position
    return None


def _is_late(noun: str, parameters: Sequence[tuple[Parameter, int]]) -> bool:
    """Whether dmpmqcfg writes a command behind all queues, channels and topics. Records of the queue manager itself may
    stand beside it.
    """
    if noun != "AUTHREC":
        return noun in ("SUB", "CHLAUTH")
    return any(parameter.keyword == "OBJTYPE" and parameter.value != "QMGR" for parameter, _ in parameters)


@functools.lru_cache(maxsize=1024)  # the commands of a dump have the same few series of keywords
def _repeated(noun: str, keywords: tuple[str, ...]) -> int | None:
    """The position of the first keyword behind a noun that repeats or negates another, or names a second object."""
    seen = {noun}
    for position, written in enumerate(keywords):
        keyword = written.removeprefix("NO")
        if keyword in seen or NOUNS.get(keyword) in NAMED_ONCE:
            return position
        seen.add(keyword)
    return None
