"""Objects as an answer to DISPLAY shows them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lintmdb.exports.mq.commands import Command, MqscFile, Parameter, QueueStatus
from lintmdb.exports.mq.display.attributes import STATUS

Shown = Sequence[tuple[Parameter, int]]
"""Attributes with their lines."""

_QUEUES = frozenset({"QLOCAL", "QALIAS", "QREMOTE", "QMODEL"})
_LOCAL = frozenset({
    "BOTHRESH", "BOQNAME", "HARDENBO", "MAXMSGL", "MAXDEPTH", "PUT", "GET", "SHARE", "DEFSOPT", "DEFPSIST", "USAGE",
    "TRIGGER", "TRIGTYPE", "DESCR", "ALTDATE", "INITQ", "PROCESS",
})  # fmt: skip
_EVERY: Mapping[str, frozenset[str]] = {
    "QLOCAL": _LOCAL,
    "QMODEL": _LOCAL,
    "QALIAS": frozenset({"TARGET", "PUT", "GET", "DESCR", "ALTDATE"}),
    "QREMOTE": frozenset({"RNAME", "RQMNAME", "XMITQ", "PUT", "DESCR", "ALTDATE"}),
    "CHANNEL": frozenset({"CHLTYPE", "DESCR", "ALTDATE", "MAXMSGL"}),
    "SVRCONN": frozenset({"CHLTYPE", "DESCR", "ALTDATE", "MAXMSGL", "MCAUSER", "SHARECNV"}),
    "TOPIC": frozenset({"TOPICSTR", "MDURMDL", "MNDURMDL", "DESCR", "ALTDATE", "PUB", "SUB"}),
    "AUTHINFO": frozenset({"AUTHTYPE", "DESCR", "ALTDATE"}),
}
"""Attributes that every release shows for ALL: an answer that has them leaves out only what the release lacks."""
_OTHERWISE = {"TARGET": "TARGQ", "HARDENBO": "NOHARDENBO", "SHARE": "NOSHARE", "TRIGGER": "NOTRIGGER"}
_NO_SETTINGS = STATUS | {"TYPE"}
CLUSTER_QUEUE = "QCLUSTER"
"""The noun of a queue of the cluster, which another queue manager defines."""
_ENTITIES = {"PRINCIPAL": "PRINCIPAL", "GROUP": "GROUP"}
_LONGEST_LEVEL = 6
_LONGEST_NUMBER = 10


def object_command(shown: Shown, noun: str = "") -> Command | None:
    """The object that attributes belong to, of which the first names it; None for one that lintmdb does not need.

    ``noun`` is what the question asked for, where the answer does not repeat it.
    """
    (first, line), *rest = shown
    values = {parameter.keyword: parameter.value or "" for parameter, _ in shown}
    if first.keyword == "PROFILE":
        return _authority_record(first, line, rest, values)
    kind = _kind_of(first.keyword, values, noun)
    if kind is None:
        return None
    name = "" if kind == "QMGR" else (first.value or "")
    if kind != "QMGR" and not name:
        return None
    kept = tuple(
        (parameter, number)
        for parameter, number in rest
        if (kind == "CHLAUTH") or parameter.keyword not in _NO_SETTINGS
    )
    return Command("DISPLAY", kind, name, kept, line, first.column, shows_all=_shows_all(kind, values))


def _kind_of(keyword: str, values: Mapping[str, str], noun: str) -> str | None:
    if keyword in ("QUEUE", CLUSTER_QUEUE, *_QUEUES) and (
        values.get("CLUSQMGR") or CLUSTER_QUEUE in (keyword, noun, values.get("TYPE", "").upper())
    ):
        return CLUSTER_QUEUE
    if keyword in ("QUEUE", *_QUEUES):
        kind = values.get("TYPE", "").upper() or (keyword if keyword in _QUEUES else noun)
        return kind if kind in _QUEUES else None
    kinds = {"QMNAME": "QMGR", "CHANNEL": "CHANNEL", "TOPIC": "TOPIC", "AUTHINFO": "AUTHINFO", "CHLAUTH": "CHLAUTH"}
    return kinds.get(keyword)


def lacks_kind(shown: Shown, noun: str = "") -> bool:
    """Whether it is a queue or a channel of which nothing tells the type."""
    keywords = {parameter.keyword for parameter, _ in shown}
    kind = shown[0][0].keyword
    return (kind == "QUEUE" and noun not in _QUEUES and "TYPE" not in keywords) or (
        kind == "CHANNEL" and "CHLTYPE" not in keywords
    )


def is_authority_record(shown: Shown) -> bool:
    """Whether it is an authority record, however little of it is shown."""
    return shown[0][0].keyword == "PROFILE"


def _shows_all(kind: str, values: Mapping[str, str]) -> bool:
    wanted = _EVERY.get("SVRCONN" if values.get("CHLTYPE") == "SVRCONN" else kind)
    return wanted is not None and all(
        keyword in values or _OTHERWISE.get(keyword, keyword) in values for keyword in wanted
    )


def _authority_record(first: Parameter, line: int, rest: Shown, values: Mapping[str, str]) -> Command | None:
    """An authority record, with ENTITY as SET AUTHREC names it: PRINCIPAL or GROUP."""
    kind = _ENTITIES.get(values.get("ENTTYPE", "").upper())
    if kind is None or "AUTHLIST" not in values or "OBJTYPE" not in values:
        return None
    kept = [(first, line)]
    for parameter, number in rest:
        if parameter.keyword == "ENTITY":
            kept.append((parameter._replace(keyword=kind), number))
        elif parameter.keyword in ("OBJTYPE", "AUTHLIST"):
            kept.append((parameter, number))
    return Command("DISPLAY", "AUTHREC", "", tuple(kept), line, first.column)


def note_queue_status(file: MqscFile, shown: Shown) -> None:
    """Keep what is going on at a local queue, as DISPLAY QUEUE and DISPLAY QSTATUS show it."""
    first, _ = shown[0]
    if first.keyword not in ("QUEUE", "QLOCAL", "QSTATUS") or not first.value:
        return
    found = {parameter.keyword: (parameter.value or "", line) for parameter, line in shown}
    lines = [line for keyword, (_, line) in found.items() if keyword in STATUS]
    if not lines:
        return
    numbers = (_number(found.get(keyword, ("", 0))[0]) for keyword in ("CURDEPTH", "IPPROCS", "MSGAGE"))
    # Some releases show how many messages that are, others YES.
    uncommitted = found["UNCOM"][0].upper() not in ("NO", "0", "") if "UNCOM" in found else None
    status = QueueStatus(lines[0], *numbers, uncommitted=uncommitted)
    known = file.queue_status.get(first.value)
    file.queue_status[first.value] = status if known is None else known.updated(status)


def _number(value: str) -> int | None:
    return int(value) if value.isascii() and value.isdigit() and len(value) <= _LONGEST_NUMBER else None


def note_queue_manager(file: MqscFile, shown: Shown) -> None:
    """Keep what DISPLAY QMGR says of the queue manager itself."""
    for parameter, line in shown:
        value = (parameter.value or "").strip()
        if parameter.keyword == "QMNAME" and value:
            file.queue_manager = value
        elif parameter.keyword == "PLATFORM" and value:
            file.platform, file.platform_line = value, line
        elif parameter.keyword == "QSGNAME":
            file.sharing_group = value
        elif parameter.keyword == "CMDLEVEL" and value.isascii() and value.isdigit() and len(value) < _LONGEST_LEVEL:
            file.command_level = int(value)
