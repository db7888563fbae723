"""Whose an attribute is: from the values of a flow to the object that a change is made to."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from lintmdb.model.columns import Value
from lintmdb.settings.changes import Target
from lintmdb.settings.kinds import cluster_of, path_steps

Read: TypeAlias = Callable[[str], Value]
"""The value of ``alias.column`` on one flow; None where it is not known."""
Owner: TypeAlias = Callable[[Read], Target | None]
"""The object that has a setting; None where the flow has none, or the exports do not tell which."""


def read_text(read: Read, name: str) -> str:
    """A text of a flow; blank where it is not known."""
    value = read(name)
    return value if isinstance(value, str) else ""


def source_queue(read: Read) -> Target | None:
    """The local or model queue that the endpoint reads."""
    kind, name = read_text(read, "queue.noun"), read_text(read, "queue.name")
    return _mq(read, kind, name, read_text(read, "queue.command_disposition"))


def source_name(kind: str) -> Owner:
    """What the endpoint opens, where it is of one type of queue."""

    def owner(read: Read) -> Target | None:
        wanted = {"QALIAS": "alias", "QLOCAL": "local"}[kind]
        if read("queue_name.type") != wanted:
            return None
        return _mq(read, kind, read_text(read, "queue_name.name"))

    return owner


def source_closed_by(read: Read) -> Target | None:
    """The object that refuses gets on the way to the queue that the endpoint reads."""
    kind, name = read_text(read, "queue_name.get_disabled_type"), read_text(read, "queue_name.get_disabled_by")
    return _mq(read, kind, name, read_text(read, "queue_name.get_disabled_disposition"))


def put_target(alias: str) -> Owner:
    """The local queue behind the backout queue's or the dead-letter queue's name."""

    def owner(read: Read) -> Target | None:
        name = read_text(read, f"{alias}.local_queue")
        return _mq(read, "QLOCAL", name, read_text(read, f"{alias}.command_disposition"))

    return owner


def put_target_alias(alias: str) -> Owner:
    """The alias that the name of the backout queue or of the dead-letter queue is."""

    def owner(read: Read) -> Target | None:
        return _mq(read, "QALIAS", read_text(read, f"{alias}.name")) if read(f"{alias}.type") == "alias" else None

    return owner


def transmission_queue(read: Read) -> Target | None:
    """The transmission queue by which messages for a remote backout queue leave. On z/OS it may be a shared queue, of
    which no column tells.
    """
    if read("queue_manager.platform") != "distributed":
        return None
    return _mq(read, "QLOCAL", read_text(read, "backout.transmission_queue"))


def queue_at_other_end(read: Read) -> Target | None:
    """The queue of another queue manager to which messages for a remote backout queue, or one of a cluster, go."""
    manager, name = read_text(read, "backout.end_queue_manager"), read_text(read, "backout.end_queue")
    if not (manager and name):
        return None
    return Target("mq", manager, "QLOCAL", name, environment=read_text(read, "endpoint.environment"))


def put_target_closed_by(alias: str) -> Owner:
    """The object that refuses puts on the way to the backout queue or the dead-letter queue."""

    def owner(read: Read) -> Target | None:
        kind, name = read_text(read, f"{alias}.put_disabled_type"), read_text(read, f"{alias}.put_disabled_by")
        return _mq(read, kind, name, read_text(read, f"{alias}.put_disabled_disposition"))

    return owner


def expiry_capped_by(read: Read) -> Target | None:
    """The object that limits the expiry of messages most on the way to the backout queue."""
    kind, name = read_text(read, "backout.expiry_capped_type"), read_text(read, "backout.expiry_capped_by")
    return _mq(read, kind, name, read_text(read, "backout.expiry_capped_disposition"))


def queue_manager(read: Read) -> Target | None:
    """The queue manager that the endpoint connects to."""
    name = read_text(read, "endpoint.queue_manager")
    return _mq(read, "QMGR", name)


def transmission_channels(setting: str, read: Read) -> str:
    """The channels that take messages from the transmission queue whose MAXMSGL is the setting, or to the queue whose
    MAXMSGL it is, each with its own; blank where no export shows one, and for other settings.
    """
    sent_on = setting in ("backout.transmission_max_bytes", "backout.end_max_bytes")
    return read_text(read, "backout.transmission_channels") if sent_on else ""


def channel(read: Read) -> Target | None:
    """The server connection channel of the endpoint."""
    return _mq(read, "CHANNEL", read_text(read, "channel.name"), read_text(read, "channel.command_disposition"))


def _mq(read: Read, kind: str, name: str, disposition: str = "") -> Target | None:
    manager = read_text(read, "endpoint.queue_manager")
    if not (kind and name and manager):
        return None
    environment = read_text(read, "endpoint.environment")
    others = ""
    if disposition in ("SHARED", "GROUP") and (members := read_text(read, "queue_manager.sharing_members")):
        # Whoever reads it, the object is one, and its change is made at the first queue manager of the group.
        manager, _, others = members.partition(" ")
    return Target("mq", manager, kind, name, disposition=disposition, environment=environment, shared_with=others)


def _was(read: Read, cell: str, kind: str, name: str, path: str = "") -> Target:
    """An object of the cell that a column names."""
    return Target("was", read_text(read, cell), kind, name, path, environment=read_text(read, "endpoint.environment"))


def cluster_servers(target: Target, read: Read) -> str:
    """The containment paths of all servers that see an object at cluster scope; blank where the flow is one member's,
    and for an object at another scope.
    """
    seen = cluster_of(target) and read("server.member_count")
    return read_text(read, "server.config_paths") if seen else ""


def listener_port(read: Read) -> Target | None:
    """The endpoint, where it is a listener port."""
    if read("endpoint.kind") != "listener_port":
        return None
    return _on_server(read, "listener_port", read_text(read, "endpoint.name"))


def listener_service(read: Read) -> Target | None:
    """The message listener service of the server of a listener port."""
    if read("endpoint.kind") != "listener_port":
        return None
    return _on_server(read, "listener_service", "MessageListenerService")


def on_server(kind: str, name: str) -> Owner:
    """An object that each server has once."""

    def owner(read: Read) -> Target | None:
        return _on_server(read, kind, name)

    return owner


def thread_pool(column: str) -> Owner:
    """The thread pool of the server that a column names."""

    def owner(read: Read) -> Target | None:
        return _on_server(read, "thread_pool", read_text(read, column) or "")

    return owner


def _on_liberty(read: Read) -> bool:
    """Whether the objects of a flow are those of a Liberty server, which no wsadmin script changes."""
    return read("endpoint.runtime") == "liberty"


def _on_server(read: Read, kind: str, name: str) -> Target | None:
    path = read_text(read, "server.config_paths")
    return _was(read, "endpoint.cell", kind, name, path) if path and name else None


def specification(provider: str, kind: str) -> Owner:
    """The endpoint, where it is an activation specification of a provider."""

    def owner(read: Read) -> Target | None:
        if read("endpoint.kind") != "activation_spec" or read("endpoint.provider") != provider or _on_liberty(read):
            return None
        name, path = read_text(read, "endpoint.name"), read_text(read, "endpoint.config_path")
        return _was(read, "endpoint.cell", kind, name, path) if path else None

    return owner


def resource_adapter(read: Read) -> Target | None:
    """The resource adapter of IBM MQ that holds the activation specification."""
    if read("endpoint.kind") != "activation_spec" or read("endpoint.provider") != "wmq" or _on_liberty(read):
        return None
    path = read_text(read, "endpoint.config_path").rpartition("J2CActivationSpec:")[0]
    name = path.rstrip("/").rpartition("J2CResourceAdapter:")[2]
    return _was(read, "endpoint.cell", "resource_adapter", name, path) if name else None


def factory(kind: str) -> Owner:
    """The connection factory of a listener port, or a pool of it."""

    def owner(read: Read) -> Target | None:
        path = read_text(read, "endpoint.factory_path")
        if read("endpoint.kind") != "listener_port" or not path:
            return None
        name = path_steps(path)[-1][1]
        return _was(read, "endpoint.cell", kind, name, path)

    return owner


def bus_destination(read: Read) -> Target | None:
    """The bus destination that the endpoint reads, or the one that an alias on the way leads to."""
    return _destination(read, read_text(read, "destination.target_bus"), read_text(read, "destination.target_name"))


def receiving_destination(read: Read) -> Target | None:
    """The bus destination that the endpoint reads; none where an alias leads to it, which may have its own switch."""
    found = bus_destination(read)
    return found if found is not None and found.name == read("destination.name") else None


def exception_destination(read: Read) -> Target | None:
    """The destination that the exception destination names on the same bus."""
    bus = read_text(read, "destination.target_bus")
    return _destination(read, bus, read_text(read, "destination.exception_destination_name"))


def _destination(read: Read, bus: str, name: str) -> Target | None:
    if not (bus and name) or _on_liberty(read):
        return None
    return _was(read, "destination.cell", "bus_destination", name, bus)


def liberty_specification(*providers: str, pauses: bool = False) -> Owner:
    """The properties of the endpoint, where it is one of Liberty and of some providers; with ``pauses`` only where
    Liberty reads how many failures it bears.
    """

    def owner(read: Read) -> Target | None:
        path = read_text(read, "endpoint.config_path")
        if not _on_liberty(read) or read("endpoint.provider") not in providers or not path:
            return None
        if pauses and path != "properties.wmqJms":
            return None
        name = read_text(read, "endpoint.name")
        return _was(read, "endpoint.cell", "liberty_specification", name, path) if name else None

    return owner


def liberty_endpoint(read: Read) -> Target | None:
    """The endpoint itself, where it is one of Liberty."""
    name = read_text(read, "endpoint.name")
    if not _on_liberty(read) or not name:
        return None
    return _was(read, "endpoint.cell", "liberty_endpoint", name)


def liberty_queue(read: Read) -> Target | None:
    """The queue of the messaging engine that the endpoint reads, where it is one of Liberty."""
    name = read_text(read, "destination.target_name")
    if not _on_liberty(read) or not name or read("endpoint.destination_type") != "queue":
        return None
    bus = read_text(read, "destination.target_bus")
    return _was(read, "destination.cell", "liberty_queue", name, bus)


def liberty_transaction(read: Read) -> Target | None:
    """The transaction service of a Liberty server."""
    if not _on_liberty(read) or read("server.name") is None:
        return None
    return _was(read, "endpoint.cell", "liberty_transaction", "transaction")
