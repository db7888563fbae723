"""The way of a message that is put on a remote queue definition: the transmission queue by which it leaves.

Sources: IBM MQ "Name resolution", and the reason codes 2051, 2053, 2087, 2091, 2092, 2184 and 2196.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from lintmdb.exports.mq.attribute_values import LONGEST_MESSAGE_BYTES
from lintmdb.model.origins import Located, holder, step
from lintmdb.model.relations import CLUSTER_TRANSMISSION
from lintmdb.model.unreachable import missing_transmission_queue
from lintmdb.model.word_lists import listed
from lintmdb.resolve.mq.completeness import shows_every_attribute
from lintmdb.resolve.mq.definitions import Definitions
from lintmdb.resolve.mq.names import is_transmission_queue
from lintmdb.resolve.mq.objects import AttributeReader, MqObject, omits


class RemoteWay(NamedTuple):
    """How far a message for a remote queue gets at this queue manager."""

    reachable: bool | None
    """It can be put on a transmission queue; None where that is not known."""
    transmission_queue: str | None = None
    """Blank where there is none, None where it is not known."""
    decided_by: tuple[MqObject, str] | None = None
    """The object and the keyword that decide."""
    leaves_by: MqObject | None = None
    """The transmission queue, where it is not known to refuse messages."""
    why: str | None = None
    """Why no message gets through; None where one may."""
    named_by: tuple[MqObject, str] | None = None
    """The object and the keyword that name a transmission queue which refuses messages."""

    @property
    def closed(self) -> MqObject | None:
        """The transmission queue, where it is PUT(DISABLED)."""
        refuses = self.reachable is False and self.decided_by is not None and self.decided_by[1] == "PUT"
        return self.decided_by[0] if refuses and self.decided_by is not None else None


def find_way(definitions: Definitions, remote: MqObject) -> RemoteWay:
    """The way of a message that is put on a remote queue definition."""
    queue_name, manager = (remote_text(definitions, remote, keyword) for keyword in ("RNAME", "RQMNAME"))
    if queue_name == "":
        return RemoteWay(reachable=False, decided_by=(remote, "RNAME"), why="its RNAME is blank")
    if manager in ("", definitions.queue_manager):
        # Refused with 2087, even where XMITQ names a transmission queue.
        why = f"its RQMNAME({manager}) is its own queue manager" if manager else "its RQMNAME is blank"
        return RemoteWay(reachable=False, decided_by=(remote, "RQMNAME"), why=why)
    named = remote_text(definitions, remote, "XMITQ")
    if named:
        return _by_queue(definitions, named, (remote, "XMITQ"))
    if named is None or manager is None:
        return RemoteWay(reachable=None)
    if definitions.queue(manager) is not None:
        return _by_queue(definitions, manager, (remote, "RQMNAME"))
    return _by_default(definitions, remote, manager)


def _by_default(definitions: Definitions, remote: MqObject, manager: str) -> RemoteWay:
    """The way where no transmission queue has the name of the other queue manager: DEFXMITQ, or that of a cluster.

    On z/OS intra-group queuing may carry the message as well.
    """
    if not definitions.lists_queue(manager) or definitions.clustered or definitions.platform == "zos":
        return RemoteWay(reachable=None)
    default = _default_queue(definitions)
    if default is None:
        return RemoteWay(reachable=None)
    if not default:
        why = f"no transmission queue leads to queue manager {manager}"
        return RemoteWay(reachable=False, transmission_queue="", decided_by=(remote, "RQMNAME"), why=why)
    return _by_queue(definitions, default, (definitions.manager, "DEFXMITQ"))


def needs_cluster(definitions: Definitions, remote: MqObject) -> bool:
    """Whether messages for a remote queue can leave by a cluster alone: it names another queue manager, to which
    neither XMITQ, nor a queue of its name, nor DEFXMITQ leads. On z/OS intra-group queuing may carry them.
    """
    queue_name, manager, named = (remote_text(definitions, remote, each) for each in ("RNAME", "RQMNAME", "XMITQ"))
    if not queue_name or not manager or manager == definitions.queue_manager or named != "":
        return False
    if definitions.queue(manager) is not None or not definitions.lists_queue(manager):
        return False
    return definitions.clustered and definitions.platform != "zos" and _default_queue(definitions) == ""


def _default_queue(definitions: Definitions) -> str | None:
    """DEFXMITQ; None where it is not known."""
    here = definitions.manager
    default = definitions.attributes.text(here, "DEFXMITQ")
    if default is None and "DEFXMITQ" not in here.values and shows_every_attribute(definitions.files):
        return ""
    return default


def find_cluster_way(definitions: Definitions) -> RemoteWay:
    """The way of a message that is put on a cluster queue. With DEFCLXQ(CHANNEL) each channel has a transmission queue
    of its own; by IBM's default all share one (SCTQ), but for those that a queue names in CLCHNAME.
    """
    queue, here = definitions.queue(CLUSTER_TRANSMISSION), definitions.manager
    chosen = definitions.attributes.text(here, "DEFCLXQ")
    if chosen is None and "DEFCLXQ" not in here.values and shows_every_attribute(definitions.files):
        chosen = "SCTQ"
    if queue is None or chosen == "CHANNEL":
        return RemoteWay(reachable=True)
    shared = _by_queue(definitions, CLUSTER_TRANSMISSION, (queue, "USAGE"))
    if chosen == "SCTQ" and not definitions.names_cluster_channels:
        return shared
    return RemoteWay(reachable=None if shared.reachable is False else True)


def _by_queue(definitions: Definitions, name: str, named_by: tuple[MqObject, str]) -> RemoteWay:
    """The way through a transmission queue that must be a local queue with USAGE(XMITQ) and take messages."""
    queue = definitions.queue(name)
    if queue is None:
        absent = definitions.lists_queue(name) or ("Q", name) in definitions.deleted
        why = missing_transmission_queue(name) if absent else None
        return RemoteWay(False if absent else None, name, named_by, why=why)
    if queue.noun != "QLOCAL":
        return RemoteWay(False, name, named_by, why=f"its transmission queue {name} is not a local queue")
    usage = is_transmission_queue(definitions, queue)
    put = definitions.attributes.flag(queue, "PUT", "ENABLED", "DISABLED")
    room = definitions.attributes.integer(queue, "MAXDEPTH") != 0
    for lets_through, keyword, value in ((usage, "USAGE", "NORMAL"), (put, "PUT", "DISABLED"), (room, "MAXDEPTH", 0)):
        if lets_through is False:
            why = f"its transmission queue {name} has {keyword}({value})"
            return RemoteWay(False, name, (queue, keyword), why=why, named_by=named_by)
    return RemoteWay(None if None in (usage, put) else True, name, (queue, "USAGE"), queue)


def way_origins(read: AttributeReader, way: RemoteWay) -> dict[str, Located]:
    """Where the columns were read that say how messages leave, each with the object that has the setting."""
    origins: dict[str, Located] = {}
    if way.named_by is not None:
        origins.update(held_origins(read, *way.named_by, (step("reachable", 0),)))
    if way.decided_by is not None:
        origins["reachable"] = way.decided_by[0].definition()
        origins.update(held_origins(read, *way.decided_by, ("reachable",)))
        if way.why is not None:
            origins.update(held_origins(read, *way.decided_by, ("takes_puts",)))
    if way.leaves_by is not None:
        origins.update(held_origins(read, way.leaves_by, "MAXMSGL", ("transmission_max_bytes",)))
    return origins


def held_origins(read: AttributeReader, by: MqObject, keyword: str, columns: Sequence[str]) -> dict[str, Located]:
    """Where an attribute is set that decides columns, and the object that has it."""
    places = read.origins(by, dict.fromkeys(columns, keyword))
    found: dict[str, Located] = {column: places[column] for column in columns if column in places}
    return {**found, **{holder(column): by.definition() for column in columns}}


def find_channels(definitions: Definitions, transmission_queue: MqObject) -> str | None:
    """The sender and server channels that take messages from a transmission queue, in words: ``QM1.QM2 with
    MAXMSGL(4194304)``. None where there are none: those of a cluster do not name the queue.
    """
    read, found = definitions.attributes, list[str]()
    for channel in sorted(definitions.of_kind("CHANNEL"), key=lambda channel: channel.name):
        kind = channel.values.get("CHLTYPE")
        if kind is None or kind.text.upper() not in ("SDR", "SVR"):
            continue
        if read.text(channel, "XMITQ") == transmission_queue.name:
            longest = read.integer(channel, "MAXMSGL", LONGEST_MESSAGE_BYTES)
            found.append(channel.name if longest is None else f"{channel.name} with MAXMSGL({longest})")
    return listed(found) if found else None


def remote_text(definitions: Definitions, remote: MqObject, keyword: str) -> str | None:
    """An attribute of a remote queue definition, which has no default but a blank."""
    found = definitions.attributes.text(remote, keyword)
    return "" if found is None and omits(remote, keyword) else found
