"""``forwarding`` rows: the aliases and remote queue definitions by which messages go on."""

from __future__ import annotations

from lintmdb.model.relations import Forwarding
from lintmdb.resolve.mq.definitions import Definitions
from lintmdb.resolve.mq.names import resolve_name
from lintmdb.resolve.mq.objects import MqObject
from lintmdb.resolve.mq.remote_queues import find_way, remote_text


def forwarding_row(definitions: Definitions, queue: MqObject) -> Forwarding:
    """The row of an alias or a remote queue definition."""
    remote = queue.noun == "QREMOTE"
    remote_queue = remote_text(definitions, queue, "RNAME") if remote else None
    way = find_way(definitions, queue) if remote_queue else None
    leaves_by = remote_text(definitions, queue, "XMITQ") if remote_queue == "" else None
    return Forwarding(
        queue_manager=definitions.queue_manager,
        name=queue.name,
        type="remote" if remote else "alias",
        resolution=resolve_name(definitions, queue.name),
        put_enabled=definitions.attributes.flag(queue, "PUT", "ENABLED", "DISABLED"),
        target=None if remote else definitions.attributes.text(queue, "TARGET"),
        remote_queue=remote_queue,
        remote_queue_manager=remote_text(definitions, queue, "RQMNAME") if remote else None,
        transmission_queue=way.transmission_queue if way is not None else leaves_by,
        reachable=way.reachable if way is not None else None,
        origins={"name": queue.definition()},
    )
