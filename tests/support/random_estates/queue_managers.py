"""Random queue managers as dumps and scripts: queues of all kinds, channels and topics."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from tests.support.dumps import ENDED
from tests.support.random_estates.authorities import authority_commands, channel_authentication
from tests.support.random_estates.blocks import Block
from tests.support.random_estates.draw import Draw

Shape = Literal["dump", "defaults", "filtered", "objects", "named", "script", "makedef"]
"""How the export was made: a whole dump, one without -a, one of some names, one without authorities, one of some
authorities, a script by hand, a deck of z/OS.
"""

INPUTS: tuple[str, ...] = ("ORDERS.IN", "BILLS.IN", "MAIL.IN")
CIRCLE: tuple[str, ...] = (*INPUTS, "ORDERS.BACKOUT")
"""The queues that may be in a circle of backout queues."""
CHANNELS = ("WAS.SVRCONN", "SYSTEM.DEF.SVRCONN", "TO.OTHER", "NO.CHANNEL")
TOPICS = ("orders/new", "orders", "prices/eu", "news")
OPENED: Mapping[str, float] = {
    "ORDERS.IN": 10, "BILLS.IN": 6, "MAIL.IN": 4, "A.ORDERS": 3, "A.AGAIN": 1, "A.REMOTE": 1, "A.TOPIC": 0.7,
    "A.BLANK": 0.5, "A.DANGLING": 0.7, "A.CLUSTER": 0.5, "A.LOOP": 0.3, "FAR": 1, "MODEL": 0.7, "NOWHERE": 1,
    "ORDERS.BACKOUT": 0.7, "DEAD": 0.4, "XMIT": 0.3, "orders.in": 0.3, "": 0.2,
}  # fmt: skip
"""The names that destinations have, by weight."""
PUT_TARGETS: Mapping[str, float] = {
    "ORDERS.BACKOUT": 10, " ": 4, "NOWHERE": 1, "A.BACKOUT": 2, "A.AGAIN": 0.5, "A.TOPIC": 0.5, "A.BLANK": 0.4,
    "A.DANGLING": 0.5, "A.REMOTE": 0.5, "A.CLUSTER": 0.4, "A.DEAD": 0.5, "FAR": 1, "FAR.BACK": 0.4, "FAR.LOST": 0.5,
    "MODEL": 0.5, "XMIT": 0.5, "DEAD": 1, "ORDERS.IN": 0.6, "BILLS.IN": 0.6, "MAIL.IN": 0.4, "orders.backout": 0.3,
    "SYSTEM.DEAD.LETTER.QUEUE": 0.4,
}  # fmt: skip
"""What BOQNAME names, by weight."""
DEAD_LETTERS: Mapping[str, float] = {
    "DEAD": 10, " ": 2, "NOWHERE": 1, "A.DEAD": 1, "FAR": 0.5, "MODEL": 0.4, "XMIT": 0.4, "ORDERS.IN": 1.5,
    "A.DANGLING": 0.4, "A.TOPIC": 0.3, "ORDERS.BACKOUT": 0.3,
}  # fmt: skip

_Attributes = dict[str, str | None]
"""Keyword to value as written; None for a keyword without one."""


@dataclass(frozen=True, slots=True)
class QueueManager:
    """A queue manager and its exports."""

    name: str
    shape: Shape
    files: Mapping[str, Block]
    """By file name; commands that may run in any order are parts."""
    whole: bool
    """One export that says that it holds everything."""


def build_queue_manager(draw: Draw, name: str, *, circle: bool = False) -> QueueManager:
    """A queue manager, exported in one of the ways that people do; with ``circle`` poison goes round its queues."""
    zos = draw.chance(0.2)
    shape = draw.weighted(_SHAPES_OF_ZOS if zos else _SHAPES)
    objects = _objects(draw, name, zos=zos)
    if circle:
        objects = _with_circle(Draw(f"circle at {name}"), objects)
    manager = _manager(draw)
    if zos:
        objects += _structures(Draw(f"structures at {name}"))
    objects += _authentication(Draw(f"authentication at {name}"), manager, zos=zos)
    commands = [_command(noun, name_, attributes, shape) for noun, name_, attributes in objects]
    authorities = authority_commands(draw) + channel_authentication(draw, name)
    if shape in ("dump", "defaults", "script"):
        commands += authorities
    if shape == "filtered":
        commands = [command for command in commands if "'ORDERS" in command]
    head = _header(name, shape, zos=zos) + ("" if shape == "filtered" else _command("QMGR", "", manager, shape))
    tail = ENDED if "dmpmqcfg" in head else ""
    files = _exports(draw, name, Block(head, tuple(commands), tail))
    if shape == "named":
        head = _header(name, shape, zos=zos).replace("-x object", "-x authrec -n 'ORDERS*'")
        own = [command for command in authorities if "PROFILE('ORDERS" in command]
        files[f"{name}-authrec.mqsc"] = Block(head, tuple(own), tail)
    return QueueManager(name, shape, files, whole=len(files) == 1 and shape in ("dump", "defaults"))


_SHAPES: Mapping[Shape, float] = {"dump": 14, "defaults": 1, "filtered": 1, "objects": 1, "named": 1, "script": 2}
_SHAPES_OF_ZOS: Mapping[Shape, float] = {"makedef": 3, "dump": 2}


def _exports(draw: Draw, name: str, dump: Block) -> dict[str, Block]:
    """One file mostly; now and then a second part, the same again, or the same with another value."""
    kind = draw.weighted({"one": 12, "parts": 1, "twice": 1, "differs": 1})
    if kind == "one" or name not in dump.head:
        return {f"{name}.mqsc": dump}
    if kind == "parts":
        cut = len(dump.parts) // 2
        rest = Block(f"* Queue manager name: {name}\n", dump.parts[cut:])
        return {f"{name}.mqsc": replace(dump, parts=dump.parts[:cut]), f"{name}-more.mqsc": rest}
    if kind == "twice":
        return {f"{name}.mqsc": dump, f"{name}-again.mqsc": dump.shuffled(draw)}
    parts = [part.replace("BOTHRESH(3)", "BOTHRESH(2)") if isinstance(part, str) else part for part in dump.parts]
    return {f"{name}.mqsc": dump, f"{name}-old.mqsc": replace(dump, parts=tuple(parts))}


def _header(name: str, shape: Shape, *, zos: bool) -> str:
    if shape == "makedef":
        return f"* QMNAME({name})\n* PLATFORM(MVS)\n"
    if shape == "script":
        return ""
    options = {"defaults": "", "filtered": "-n 'ORDERS*' -a", "objects": "-x object -a", "named": "-x object -a"}
    command = f"* Command issued: dmpmqcfg -m {name} {options.get(shape, '-a')}"
    platform = "MVS" if zos else "UNIX"
    return (
        f"{'*' * 79}\n* Script generated on 2026-03-06   at 09.14.02 \n* Queue manager name: {name}\n"
        f"* Queue manager platform: {platform}\n* Queue manager command level: (930/930)\n{command}\n{'*' * 79}\n"
    )


def _command(noun: str, name: str, attributes: _Attributes, shape: Shape) -> str:
    words = [keyword if value is None else f"{keyword}({value})" for keyword, value in attributes.items()]
    if noun == "QMGR":
        return " +\n   ".join(["ALTER QMGR", *words, "FORCE"]) + "\n"
    if shape == "defaults":
        words = [word for word in words if word not in _DEFAULTS]
    if shape == "makedef":
        return " -\n ".join(["DEFINE NOREPLACE", f"{noun}('{name}')", *words]) + "\n"
    return " +\n   ".join([f"DEFINE {noun}('{name}')", *words, "REPLACE"]) + "\n"


_DEFAULTS = frozenset(
    {
        "BOQNAME(' ')", "BOTHRESH(0)", "DEFPSIST(NO)", "DEFSOPT(SHARED)", "GET(ENABLED)", "HARDENBO", "MAXDEPTH(5000)",
        "MAXMSGL(4194304)", "PUT(ENABLED)", "SHARE", "USAGE(NORMAL)", "SHARECNV(10)", "MCAUSER(' ')",
        "CONNAUTH('SYSTEM.DEFAULT.AUTHINFO.IDPWOS')", "CHCKCLNT(REQDADM)",
    }
)  # fmt: skip


def _manager(draw: Draw) -> _Attributes:
    return {
        "CHLAUTH": draw.weighted({"ENABLED": 3, "DISABLED": 1}),
        "CONNAUTH": draw.weighted({"' '": 3, "'SYSTEM.DEFAULT.AUTHINFO.IDPWOS'": 1}),
        "DEADQ": f"'{draw.weighted(DEAD_LETTERS)}'",
        "MAXMSGL": draw.weighted({"4194304": 1, "104857600": 3}),
    }


def _objects(draw: Draw, manager: str, *, zos: bool) -> list[tuple[str, str, _Attributes]]:
    found: list[tuple[str, str, _Attributes]] = [
        *(("QLOCAL", name, _input(draw, zos=zos)) for name in INPUTS),
        ("QLOCAL", "ORDERS.BACKOUT", _input(draw, zos=zos) | {"BOTHRESH": draw.weighted({"0": 4, "3": 1})}),
        ("QLOCAL", "DEAD", _local(draw, zos=zos) | {"MAXMSGL": draw.weighted({"104857600": 4, "4194304": 1})}),
        ("QLOCAL", "SYSTEM.DEFAULT.LOCAL.QUEUE", _local(Draw(0), zos=zos)),
        ("QLOCAL", "XMIT", _local(draw, zos=zos) | {"USAGE": "XMITQ"}),
        *(("QMODEL", name, _input(draw, zos=zos)) for name in ("MODEL", *_MODELS)),
        *_aliases(draw),
        *_remotes(draw, manager),
        *_channels(draw),
        *_topics(draw),
    ]
    if zos and draw.chance(0.3):  # a private and a shared queue of one name: no open finds either
        other = {"QMGR": "SHARED", "SHARED": "QMGR"}[str(found[1][2]["QSGDISP"])]
        found.append(("QLOCAL", INPUTS[1], _input(draw, zos=zos) | {"QSGDISP": other}))
    return [entry for entry in found if not draw.chance(0.03)]


def _structures(draw: Draw) -> list[tuple[str, str, _Attributes]]:
    """The structure of the shared queues; an export may leave it out."""
    level = draw.weighted({"CFLEVEL(3)": 3, "CFLEVEL(4)": 1, "CFLEVEL(5)": 1, "": 1})
    attributes: _Attributes = {level: None} if level else {}
    return [] if draw.chance(0.2) else [("CFSTRUCT", "APP1", attributes | {"DESCR": "' '"})]


def _authentication(draw: Draw, manager: _Attributes, *, zos: bool) -> list[tuple[str, str, _Attributes]]:
    """What says which clients need a password; an export may leave it out."""
    named = (manager["CONNAUTH"] or "").strip("' ")
    check = draw.weighted({"REQUIRED": 3, "OPTIONAL" if zos else "REQDADM": 3, "OPTIONAL": 1, "NONE": 0.5})
    kept = named and draw.chance(0.9)
    return [("AUTHINFO", named, {"AUTHTYPE": "IDPWOS", "ADOPTCTX": "YES", "CHCKCLNT": check})] if kept else []


def _with_circle(draw: Draw, objects: list[tuple[str, str, _Attributes]]) -> list[tuple[str, str, _Attributes]]:
    """The same queues, of which two to four move poison round in a circle, some by an alias."""
    circle = draw.shuffled(CIRCLE)[: draw.one((2, 3, 3, 4))]
    by_alias = {"ORDERS.IN": "A.ORDERS", "ORDERS.BACKOUT": "A.BACKOUT"}
    following = dict(zip(circle, (*circle[1:], circle[0]), strict=True))

    def closed(name: str, attributes: _Attributes) -> _Attributes:
        named = following[name]
        return attributes | {
            "BOTHRESH": draw.weighted({"1": 1, "3": 3}),
            "BOQNAME": f"'{by_alias.get(named, named) if draw.chance(0.5) else named}'",
            "GET": "ENABLED",
            "PUT": "ENABLED",
            "MAXDEPTH": "5000",
        }

    return [
        (noun, name, closed(name, attributes) if noun == "QLOCAL" and name in following else attributes)
        for noun, name, attributes in objects
    ]


_MODELS = ("SYSTEM.DURABLE.MODEL.QUEUE", "SYSTEM.NDURABLE.MODEL.QUEUE")


def _local(draw: Draw, *, zos: bool) -> _Attributes:
    """A local queue as it is when nobody has changed anything, but for a few."""
    return {
        "BOQNAME": "' '",
        "BOTHRESH": "0",
        "DEFPSIST": draw.weighted({"YES": 3, "NO": 1}),
        "DEFSOPT": draw.weighted({"SHARED": 9, "EXCL": 1}),
        "GET": draw.weighted({"ENABLED": 15, "DISABLED": 1}),
        "NOHARDENBO" if zos and draw.chance(0.5) else "HARDENBO": None,
        "MAXDEPTH": draw.weighted({"5000": 6, "100": 1, "999999999": 1, "0": 0.3}),
        "MAXMSGL": draw.weighted({"4194304": 6, "1000": 1, "104857600": 0.5}),
        "PUT": draw.weighted({"ENABLED": 12, "DISABLED": 1}),
        "NOSHARE" if draw.chance(0.08) else "SHARE": None,
        "USAGE": "NORMAL",
        **({"QSGDISP": draw.weighted({"QMGR": 3, "SHARED": 1}), "CFSTRUCT": "'APP1'"} if zos else {}),
        **({"CAPEXPRY": "600"} if draw.chance(0.05) else {}),
        **({"STREAMQ": draw.weighted({"'COPY'": 1, "'DEAD'": 3}), "STRMQOS": "MUSTDUP"} if draw.chance(0.05) else {}),
        **({"TRIGGER": None} if draw.chance(0.05) else {}),
        **({"CLUSTER": "'CLUS1'"} if draw.chance(0.05) else {}),
    }


def _input(draw: Draw, *, zos: bool) -> _Attributes:
    """A queue with backout attributes."""
    threshold = draw.weighted({"0": 3, "1": 1, "2": 2, "3": 6, "5": 2, "256": 0.3, "5000": 0.3})
    return _local(draw, zos=zos) | {"BOTHRESH": threshold, "BOQNAME": f"'{draw.weighted(PUT_TARGETS)}'"}


def _aliases(draw: Draw) -> list[tuple[str, str, _Attributes]]:
    targets = {
        "A.ORDERS": "ORDERS.IN", "A.AGAIN": "A.ORDERS", "A.REMOTE": "FAR", "A.BLANK": " ", "A.DANGLING": "NOWHERE",
        "A.BACKOUT": "ORDERS.BACKOUT", "A.DEAD": "DEAD", "A.CLUSTER": "CLUSTER.Q", "A.LOOP": "A.LOOP",
    }  # fmt: skip
    found: list[tuple[str, str, _Attributes]] = []
    for name, target in targets.items():
        attributes: _Attributes = {
            "GET": draw.weighted({"ENABLED": 12, "DISABLED": 1}),
            "PUT": draw.weighted({"ENABLED": 12, "DISABLED": 1}),
            "TARGQ" if draw.chance(0.1) else "TARGET": f"'{target}'",
            **({"TARGTYPE": "QUEUE"} if draw.chance(0.5) else {}),
            **({"CAPEXPRY": "600"} if draw.chance(0.05) else {}),
        }
        found.append(("QALIAS", name, attributes))
    found.append(("QALIAS", "A.TOPIC", {"TARGET": "'ORDERS'", "TARGTYPE": "TOPIC"}))
    return found


def _remotes(draw: Draw, manager: str) -> list[tuple[str, str, _Attributes]]:
    """Remote queues at the other queue manager of the estate, of which one is not there."""
    other = f"'{manager.translate(str.maketrans('AB', 'BA'))}'"
    put = draw.weighted({"ENABLED": 8, "DISABLED": 1})
    return [
        ("QREMOTE", "FAR", {"PUT": put, "RNAME": "'AWAY'", "RQMNAME": other, "XMITQ": "'XMIT'"}),
        ("QREMOTE", "FAR.BACK", {"PUT": "ENABLED", "RNAME": "'ORDERS.IN'", "RQMNAME": other, "XMITQ": "'XMIT'"}),
        ("QREMOTE", "FAR.LOST", {"PUT": "ENABLED", "RNAME": "'AWAY'", "RQMNAME": "'GONE'", "XMITQ": "' '"}),
    ]


def _channels(draw: Draw) -> list[tuple[str, str, _Attributes]]:
    def server_connection() -> _Attributes:
        return {
            "CHLTYPE": "SVRCONN",
            "MAXINST": draw.weighted({"999999999": 5, "20": 1, "0": 0.3}),
            "MAXINSTC": draw.weighted({"999999999": 5, "5": 1}),
            "MAXMSGL": draw.weighted({"104857600": 3, "4194304": 5, "1000": 1}),
            "MCAUSER": draw.weighted({"' '": 5, "'mqapp'": 1, "'nobody'": 0.5}),
            "SHARECNV": draw.weighted({"10": 5, "1": 1, "0": 0.5}),
        }

    return [
        *(("CHANNEL", name, server_connection()) for name in CHANNELS[:2]),
        ("CHANNEL", "TO.OTHER", {"CHLTYPE": "SDR", "CONNAME": "'other(1414)'", "XMITQ": "'XMIT'"}),
    ]


def _topics(draw: Draw) -> list[tuple[str, str, _Attributes]]:
    def models() -> _Attributes:
        names = {"' '": 4.0, "'MODEL'": 1.0, "'SYSTEM.DURABLE.MODEL.QUEUE'": 1.0, "'NOWHERE'": 0.3}
        durable, nondurable = draw.weighted(names), draw.weighted(names)
        # The models decide, so that what is drawn for the rest of an estate is what it was without these.
        durably = "NO" if nondurable == "'MODEL'" else "ASPARENT"
        at_all = "DISABLED" if durable == nondurable == "'SYSTEM.DURABLE.MODEL.QUEUE'" else "ASPARENT"
        return {"MDURMDL": durable, "MNDURMDL": nondurable, "DURSUB": durably, "SUB": at_all}

    base: _Attributes = {f"M{kind}MDL": f"'{name}'" for kind, name in zip(("DUR", "NDUR"), _MODELS, strict=True)}
    return [
        ("TOPIC", "SYSTEM.BASE.TOPIC", base | {"TOPICSTR": "''", "DURSUB": "YES", "SUB": "ENABLED"}),
        ("TOPIC", "ORDERS", models() | {"TOPICSTR": "'orders'"}),
        ("TOPIC", "PRICES", models() | {"TOPICSTR": "'prices'"}),
    ]
