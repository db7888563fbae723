"""Queue-sharing groups (z/OS) as MQ keeps them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from lintmdb.exports.mq import Command
from tests.support.dumps import ENDED
from tests.support.random_estates.draw import Draw

_Attributes = dict[str, str]


@dataclass(slots=True)
class Group:
    """A queue-sharing group as MQ keeps it: shared queues once, private ones at each queue manager."""

    members: Sequence[str]
    shared: dict[str, _Attributes] = field(default_factory=dict[str, _Attributes])
    private: dict[tuple[str, str], _Attributes] = field(default_factory=dict[tuple[str, str], _Attributes])
    leaving_out: Sequence[str] = ()
    """The members whose dumps leave out shared queues."""

    def write(self, folder: Path) -> None:
        """The dump of each queue manager."""
        for member in self.members:
            queues = [
                f"{_define(name, attributes)} QSGDISP(SHARED) CFSTRUCT(APP1)"
                for name, attributes in self.shared.items()
                if member not in self.leaving_out
            ]
            queues += [_define(name, values) for (owner, name), values in self.private.items() if owner == member]
            head = f"* Queue manager name: {member}\n* Queue manager platform: MVS\n"
            manager = (
                f"* Command issued: dmpmqcfg -m {member} -a\nALTER QMGR +\n*  QSGNAME(QSG1) +\n   DEADQ(DEAD)\n{ENDED}"
            )
            folder.mkdir(exist_ok=True)
            (folder / f"{member}.mqsc").write_text(head + manager + "".join(f"{line}\n" for line in queues))

    def run(self, member: str, command: Command) -> None:
        """One command of a script, as the queue manager runs it; AssertionError where it would refuse it."""
        values = {parameter.keyword: parameter.value or "" for parameter, _ in command.parameters}
        kept = self.shared if values.pop("QSGDISP", "") == "SHARED" else None
        if command.verb == "DEFINE":
            assert command.name not in (self.shared if kept is not None else self._names(member))
            values.pop("CFSTRUCT", None)
            if kept is not None:
                kept[command.name] = values
            else:
                self.private[member, command.name] = values
        elif command.verb == "ALTER":
            target = kept[command.name] if kept is not None else self.private[member, command.name]
            target |= values

    def _names(self, member: str) -> set[str]:
        return {name for owner, name in self.private if owner == member}


def _define(name: str, attributes: _Attributes) -> str:
    parts = [f"{key}('{value}')" if value or key == "BOQNAME" else key for key, value in attributes.items()]
    return f"DEFINE QLOCAL('{name}') {' '.join(parts)}"


def draw_group(seed: int) -> Group:
    """Two or three queue managers, and queues that are shared, private or missing somewhere."""
    draw = Draw(seed)
    group = Group([f"CSQ{number}" for number in range(1, draw.one((2, 3)) + 1)])

    def put(name: str, attributes: _Attributes, shared: float) -> None:
        if draw.chance(shared):
            group.shared[name] = attributes
        for member in group.members:
            # Seldom a queue is private at some members and shared besides.
            if draw.chance(0.05 if name in group.shared else 0.6):
                group.private[member, name] = dict(attributes)

    for member in group.members:
        group.private[member, "DEAD"] = {"MAXMSGL": "104857600"}
    for name in ("A.IN", "B.IN", "C.IN"):
        threshold, backout = draw.one(("0", "3", "3")), draw.one((f"{name}.BO", "A.IN.BO", ""))
        put(name, {"BOTHRESH": threshold, "BOQNAME": backout, "MAXMSGL": "1000", "HARDENBO": ""}, 0.7)
        put(f"{name}.BO", {"MAXMSGL": draw.one(("500", "1000")), "PUT": draw.one(("ENABLED", "DISABLED"))}, 0.4)
        if draw.chance(0.2):
            put(f"{name}.BACKOUT", {"MAXMSGL": "1000"}, 0.3)
    return group


def private_backout_at_one() -> Group:
    """SP.IN is shared, and its backout queue is private at CSQ1 and missing at CSQ2."""
    group = Group(["CSQ1", "CSQ2"])
    for member in group.members:
        group.private[member, "DEAD"] = {"MAXMSGL": "104857600"}
    group.shared["SP.IN"] = {"BOTHRESH": "3", "BOQNAME": "SP.IN.BO", "HARDENBO": ""}
    group.shared["SH.IN"] = {"BOTHRESH": "3", "BOQNAME": "SH.IN.BO", "HARDENBO": ""}
    group.shared["SH.IN.BO"] = {"MAXMSGL": "64512"}
    group.private["CSQ1", "SP.IN.BO"] = {}
    return group
