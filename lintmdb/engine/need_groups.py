"""Undecided verdicts by what would settle them: one kind of missing source is one entry, however many verdicts and
objects wait for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from lintmdb.engine.findings import Need, Subject, Undecided, without
from lintmdb.model.relations import LIBERTY_CELL

_HOLE = "\0"
_NAMED = 3
_WHOLE_CELL = "a backupConfig archive, or the profile's config folder"
_EVERYTHING = f"Add what is missing, or the whole configuration of the cell: {_WHOLE_CELL}"
_DESTINATION = re.compile(
    r"(?P<before>the resources\.xml that defines |a definition of )(?!the destination of )(?P<name>.+?)"
    r"(?P<after>(: .*|, which .*)?(, environment .*)?)"
)
_BACKOUT_QUEUE = re.compile(
    r"(?P<before>the definition of |BOQNAME of )(?P<name>\S+?)"
    r"(?:(?P<at> at [^,]+), which BOQNAME of \S+ names|(?P<behind>, or of a queue behind it, at [^,]+))"
    r"(?P<environment>, environment .*)?"
)
_CLUSTER_QUEUE = re.compile(
    r"(?P<before>(?:whether|confirmation that) a cluster has a queue \S+, which "
    r"(?:BOQNAME of|TARGET of \S+ names, the backout queue of) )(?P<name>\S+ at [^\s,:]+)(?P<after>.*)"
)
_LIBERTY = "Add the folder of the Liberty server, with every file that its server.xml includes"
_EAR = "the EAR file of "
_LIBERTY_APPLICATION = "Add the EAR file of the application to the folder of the Liberty server, below apps or dropins"
_SUPPLY: Mapping[str, str] = MappingProxyType(
    {
        "queue_manager": "Add the output of: {command}",
        "complete": "Add the output of: {command}",
        "on_message": "Say how long with {command}",
        "alias": "Add the file that defines it, or name the user with {command}",
        "user": "Name it and its groups with {command}",
        "authority": "Say which groups the user is in, under users in --observations FILE",
        "configuration": "Add {command}, or name in BOQNAME an alias of the queue, which has a profile of its own",
        "queue_manager_name": "Name the queue manager of the endpoint, as queue_manager, with {command}",
        "value": "Add the output of: {command}",
    }
)
"""How to supply what is missing, where there is a command or an option for it."""
_OUTPUTS = frozenset(kind for kind, text in _SUPPLY.items() if text.startswith("Add the output"))


def supply_words(kind: str, command: str) -> str:
    """How to supply what a command or an option gives, as a sentence without its end."""
    text = _SUPPLY[kind].format(command=command)
    return f"{text}. An answer that finds no queue settles it, too" if "QCLUSTER" in command else text


class NeedGroup(NamedTuple):
    """One kind of missing source, and all that waits for it."""

    need: Need
    """The first of its needs."""
    text: str
    """What is missing, as a noun: ``the dispatch timeout of 12 servers (s1, s2, s3 and 9 more)``."""
    entries: tuple[Undecided, ...]
    command: str = ""
    """A command or option that gives it, with NAME where several objects need one each."""

    @property
    def rules(self) -> list[str]:
        """The ids of the rules that wait, sorted."""
        return sorted({entry.rule.id for entry in self.entries})

    @property
    def is_output(self) -> bool:
        """Whether it is in what a command prints."""
        return bool(self.command) and self.need.kind in _OUTPUTS

    @property
    def supply(self) -> str:
        """How to supply it, as a sentence without its end; blank where no export holds it."""
        if self.command:
            return supply_words(self.need.kind, self.command)
        if self.need.kind not in ("server", "bean", "destination"):
            return ""
        if not (self.entries[0].subject.cell or "").startswith(LIBERTY_CELL):
            return _EVERYTHING
        return _LIBERTY_APPLICATION if self.need.kind == "bean" and _EAR in self.text else _LIBERTY

    @property
    def sentence(self) -> str:
        """The whole as text, with how to supply it."""
        count = len(self.entries)
        text = f"{count} {'check is' if count == 1 else 'checks are'} undecided {without(self.text)}"
        return f"{text}. {self.supply}" if self.supply else text


class _Waiting(NamedTuple):
    """Verdicts that wait for sources of one kind, and these with the name in each."""

    entries: list[Undecided]
    needs: list[tuple[str, Need]]


def group_by_need(undecided: Iterable[Undecided]) -> list[NeedGroup]:
    """The missing sources, those that settle most first; what differs in names alone is one source."""
    groups: dict[tuple[str, str, str], _Waiting] = {}
    of_needs: dict[tuple[Need, str | None], _Waiting] = {}  # thousands of verdicts wait for the same
    patterns: dict[tuple[str, str | None], tuple[str, str, str]] = {}
    for entry in undecided:
        need = entry.need
        bean = entry.subject.bean if need.kind == "on_message" else None
        waiting = of_needs.get((need, bean))
        if waiting is None:
            if (need.text, bean) not in patterns:
                patterns[need.text, bean] = _pattern(entry)
            noun, name, pattern = patterns[need.text, bean]
            waiting = of_needs[need, bean] = groups.setdefault((need.kind, noun, pattern), _Waiting([], []))
            waiting.needs.append((name, need))
        waiting.entries.append(entry)
    found = [_group(noun, pattern, waiting) for (_, noun, pattern), waiting in groups.items()]
    return sorted(found, key=lambda group: (-len(group.entries), group.need))


def _pattern(entry: Undecided) -> tuple[str, str, str]:
    """What the need of a verdict is about: the noun of the object, its name, and the text with a hole for both."""
    text = entry.need.text
    if entry.need.kind == "on_message":  # its text says which time would be safe, which may differ
        return "bean", entry.subject.bean or f"that of {entry.subject.name}", f"the longest onMessage time of {_HOLE}"
    if entry.need.kind in ("destination", "value") and (match := _DESTINATION.fullmatch(text)):
        return "destination", match["name"], f"{match['before']}{_HOLE}{match['after']}"
    if match := _CLUSTER_QUEUE.fullmatch(text):
        return "queue", match["name"], f"{match['before']}{_HOLE}{match['after']}"
    if match := _BACKOUT_QUEUE.fullmatch(text):
        before, name, *after = match.groups("")
        return "backout queue", name, f"{before}{_HOLE}{''.join(after)}"
    for noun, name in _names(entry.subject, entry.need):
        match = re.search(rf"(?<![\w.$/-])(?:{noun} )?{re.escape(name)}(?![\w$/-]|\.\w)", text)
        if match:
            return noun, name, text[: match.start()] + _HOLE + text[match.end() :]
    return "", "", text


_SAFE = re.compile(r"\(safe below (\d+) s\)")
_NOUNS: Mapping[str, str] = MappingProxyType(
    {"listener_port": "endpoint", "activation_spec": "endpoint", "queue": "queue", "destination": "destination"}
)


def _names(subject: Subject, need: Need) -> Iterable[tuple[str, str]]:
    """The names that a need may be about, with what they are names of."""
    manager = ("queue manager", subject.queue_manager)
    candidates: Sequence[tuple[str, str | None]] = (
        ("server", subject.server),
        ("cluster", subject.cluster),
        ("bean", subject.bean),
        (_NOUNS.get(subject.kind, "object"), subject.name),
        ("queue", subject.queue),
    )
    first_manager = need.kind in ("conflict", "queue_manager", "complete", "authority", "configuration")
    ordered = (manager, *candidates) if first_manager else (*candidates, manager)
    return [(noun, name) for noun, name in ordered if name]


def _group(noun: str, pattern: str, waiting: _Waiting) -> NeedGroup:
    entries = tuple(waiting.entries)
    need = min(need for _, need in waiting.needs)
    names = sorted({name for name, _ in waiting.needs})
    if len(names) == 1:
        return NeedGroup(need, need.text, entries, need.command)
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    listed = f"{len(names)} {noun}s ({', '.join(names[:_NAMED])}{more})"
    text = f"{pattern.replace(_HOLE, listed)}{_safe_times(each.text for _, each in waiting.needs)}"
    return NeedGroup(need, text, entries, _commands(noun, need, waiting.needs))


def _safe_times(texts: Iterable[str]) -> str:
    """Which times of onMessage would be safe, of some beans: `` (safe below 120 s, of some below 60 s)``."""
    found = sorted({int(match[1]) for text in texts if (match := _SAFE.search(text)) is not None})
    some = f", of some below {found[0]} s" if len(found) > 1 else ""
    return f" (safe below {found[-1]} s{some})" if found else ""


def _commands(noun: str, need: Need, needs: Sequence[tuple[str, Need]]) -> str:
    """What gives the sources of a group: with NAME where one command is for several of them, else each command."""
    if not noun:
        return need.command
    named: dict[str, set[str]] = {}
    for name, each in needs:
        named.setdefault(each.command.replace(name, "NAME"), set()).add(each.command)
    return ", and of: ".join(min(own) if len(own) == 1 else command for command, own in sorted(named.items()))
