"""Channel authentication records (CHLAUTH) of one queue manager: who may use a channel, and as which user.

Sources: IBM MQ "Channel authentication records" and "SET CHLAUTH". A record that names the channel comes before one
with a pattern; of those with the same name one about a certificate comes before one about a user, and that before one
about an address.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from lintmdb.exports.mq import Command, MqscFile
from lintmdb.model.origins import Origin
from lintmdb.resolve.mq.authority_commands import entity_names
from lintmdb.resolve.mq.refusals import Refusal

UserSource = Literal["MAP", "NOACCESS", "CHANNEL"]

_RANKS = {"SSLPEERMAP": 0, "USERMAP": 1, "QMGRMAP": 1, "ADDRESSMAP": 2}
"""The types of maps, the one that decides first in front."""
_SOURCES: dict[str, UserSource] = {"MAP": "MAP", "NOACCESS": "NOACCESS", "CHANNEL": "CHANNEL"}
_IDENTITY = ("ADDRESS", "CLNTUSER", "SSLPEER", "SSLCERTI", "QMNAME")
_DECISIVE: dict[str, frozenset[str]] = {
    "BLOCKUSER": frozenset({"USERLIST", "WARN"}),
    "BLOCKADDR": frozenset({"ADDRLIST", "WARN"}),
    "ADDRESSMAP": frozenset({"ADDRESS"}),
    "USERMAP": frozenset({"CLNTUSER"}),
    "SSLPEERMAP": frozenset(),
    "QMGRMAP": frozenset(),
}
"""What an answer must show of a record of each type, so that it is known whom the record is about."""
EVERY_ADDRESS = ("", "*")


class ChannelRecord(NamedTuple):
    """One record."""

    profile: str
    """The name of a channel, or a pattern with ``*``."""
    type: str
    address: str
    client_user: str
    source: UserSource | None
    """What a map does; None where it is not known."""
    mca_user: str
    listed: tuple[str, ...]
    """The users or addresses that a record of type BLOCKUSER or BLOCKADDR keeps out."""
    warns: bool
    """It reports whom it would keep out, and lets them in."""
    check_client: str | None
    """CHCKCLNT of a map: who has to give a password; None where an answer does not show it."""
    origin: Origin

    def covers(self, channel: str) -> bool:
        """Whether it is about a channel."""
        return covers_channel(self.profile, channel)


@dataclass(slots=True)
class ChannelRecords:
    """The records while a script sets them."""

    _by_key: dict[tuple[str, ...], ChannelRecord] = field(default_factory=dict[tuple[str, ...], ChannelRecord])
    removed: dict[tuple[str, ...], ChannelRecord] = field(default_factory=dict[tuple[str, ...], ChannelRecord])
    """Those that a command removed, with the place of that command; a later one may have set the record again."""
    template: bool = False
    """Nobody knows what some record does: a deployment tool fills in part of it, or an answer leaves part of it out."""

    def __iter__(self) -> Iterator[ChannelRecord]:
        return iter(self._by_key.values())

    def run(self, file: MqscFile, command: Command) -> None:
        """Run one SET CHLAUTH, or take in a record that an answer shows."""
        self.template = self.template or any(parameter.template for parameter, _ in command.parameters)
        values, key = _values(command), _key(command)
        kind, action = key[1], values.get("ACTION", "ADD").upper()
        if command.verb == "DISPLAY":
            action = "REPLACE"
            self.template = self.template or not _DECISIVE.get(kind, frozenset({"TYPE"})).issubset(values)
        if action == "REMOVEALL":
            for other in [other for other in self._by_key if other[:2] == key[:2]]:
                self._remove(other, file, command)
            return
        listed = entity_names(values.get("USERLIST", values.get("ADDRLIST", "")), quoted=False)
        existing = self._by_key.get(key)
        if action == "REMOVE":
            rest = tuple(name for name in existing.listed if name not in listed) if existing is not None else ()
            if existing is not None and rest and listed:
                self._by_key[key] = existing._replace(listed=rest)
            else:
                self._remove(key, file, command)
            return
        if action == "ADD" and existing is not None:
            listed = (*existing.listed, *(name for name in listed if name not in existing.listed))
        self.removed.pop(key, None)
        self._by_key[key] = ChannelRecord(
            profile=command.name,
            type=kind,
            address=values.get("ADDRESS", "").strip(),
            client_user=values.get("CLNTUSER", ""),
            source=_source(command.verb, values),
            mca_user=values.get("MCAUSER", "").strip(),
            listed=listed,
            warns=values.get("WARN", "NO").upper() == "YES",
            check_client=values.get("CHCKCLNT", None if command.verb == "DISPLAY" else "ASQMGR"),
            origin=file.place(command.line, command.column, _shown(command)),
        )

    def find_refusal(self, command: Command) -> Refusal | None:
        """Why a queue manager with these records refuses SET CHLAUTH; None where it does not (IBM MQ "SET CHLAUTH", the
        parameter ACTION). Names are added to a list that exists.
        """
        if command.verb != "SET" or any(parameter.template for parameter, _ in command.parameters):
            return None
        key, action = _key(command), _values(command).get("ACTION", "ADD").upper()
        existing = self._by_key.get(key)
        if action == "ADD" and existing is not None and key[1] in _RANKS:
            place = f"{existing.origin.path}:{existing.origin.line}"
            return Refusal(f"the record exists already ({place})", "Write ACTION(REPLACE) if it is to be another one")
        if action == "REMOVE" and existing is None and not self.template:
            return Refusal("there is no such record", "Correct what it names, or remove the command", if_complete=True)
        return None

    def defined_in(self, command: Command) -> str | None:
        """The path of the file that set the record which a command is about; None without such a record."""
        existing = self._by_key.get(_key(command))
        return existing.origin.path if existing is not None else None

    def _remove(self, key: tuple[str, ...], file: MqscFile, command: Command) -> None:
        record = self._by_key.pop(key, None)
        if record is not None:
            place = file.place(command.line, command.column, f"SET {_shown(command, 'ACTION')}")
            self.removed[key] = record._replace(origin=place)


def _values(command: Command) -> Mapping[str, str]:
    return {parameter.keyword: parameter.value or "" for parameter, _ in command.parameters}


def _key(command: Command) -> tuple[str, ...]:
    """What tells the record of a command from all others: its profile, its type, and whom it is about."""
    values = _values(command)
    return command.name, values.get("TYPE", "").upper(), *(values.get(keyword, "") for keyword in _IDENTITY)


def _source(verb: str, values: Mapping[str, str]) -> UserSource | None:
    """What a map does; None where an answer does not show it."""
    if verb == "DISPLAY" and ("USERSRC" not in values or (values["USERSRC"] == "NOACCESS" and "WARN" not in values)):
        return None
    return _SOURCES.get(values.get("USERSRC", "MAP").upper())


def maps_of(records: Iterable[ChannelRecord], channel: str) -> list[ChannelRecord]:
    """The maps about a channel, the one that decides first in front; those of queue managers are not for clients."""
    maps = [record for record in records if record.type in _RANKS and record.type != "QMGRMAP"]
    return sorted(
        (record for record in maps if record.covers(channel)),
        key=lambda record: (_generality(record.profile), _RANKS[record.type], _generality(record.address or "*")),
    )


def block_of(records: Iterable[ChannelRecord], channel: str) -> ChannelRecord | None:
    """The record that keeps users out of a channel: the most specific one, which replaces the others."""
    blocks = [record for record in records if record.type == "BLOCKUSER" and record.covers(channel)]
    return min(blocks, key=lambda record: _generality(record.profile), default=None)


def address_blocks(records: Iterable[ChannelRecord]) -> list[ChannelRecord]:
    """The records that keep addresses out of every channel."""
    return [record for record in records if record.type == "BLOCKADDR" and record.listed]


def covers_channel(profile: str, channel: str) -> bool:
    """Whether records of a profile are about a channel."""
    return _pattern(profile).fullmatch(channel) is not None


def _pattern(profile: str) -> re.Pattern[str]:
    return re.compile("".join(".*" if char == "*" else re.escape(char) for char in profile))


def _generality(pattern: str) -> tuple[int, ...]:
    """A sort key that puts the most specific pattern first: from left to right, plain characters before wildcards."""
    return (*("*" in pattern, *(1 if char == "*" else 0 for char in pattern)), 2)


def _shown(command: Command, *more: str) -> str:
    """A record as its command spells it, with more of the command's keywords."""
    shown = ("TYPE", "ADDRESS", "CLNTUSER", "SSLPEER", "USERSRC", "MCAUSER", "USERLIST", "ADDRLIST", *more)
    texts = {parameter.keyword: parameter.text for parameter, _ in command.parameters}
    if _values(command).get("CHCKCLNT", "ASQMGR").upper() != "ASQMGR":
        shown = (*shown, "CHCKCLNT")
    return " ".join([f"CHLAUTH('{command.name}')", *(texts[keyword] for keyword in shown if keyword in texts)])
