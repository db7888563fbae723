"""``forwarding`` rows: the aliases and remote queue definitions by which messages go on."""

from __future__ import annotations

from collections.abc import Mapping

from lintmdb.model.origins import Located, Origin
from lintmdb.model.relations import Forwarding
from lintmdb.resolve.mq.definitions import Definitions
from lintmdb.resolve.mq.names import resolve_name
from lintmdb.resolve.mq.objects import MqObject
from lintmdb.resolve.mq.remote_queues import RemoteWay, find_way, remote_text


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
        origins=_origins(definitions, queue, way),
    )


_OF_REMOTE = {"put_enabled": "PUT", "remote_queue": "RNAME", "remote_queue_manager": "RQMNAME"}
_OF_ALIAS = {"put_enabled": "PUT", "target": "TARGET"}


def _origins(definitions: Definitions, queue: MqObject, way: RemoteWay | None) -> Mapping[str, Located]:
    """Where the object is defined. Only a change that is being judged is asked for more: where it decides a column."""
    if not any(file.is_change for file in definitions.files):
        return {"name": queue.definition()}
    read = definitions.attributes
    columns = _OF_ALIAS if queue.noun == "QALIAS" else _OF_REMOTE
    origins: dict[str, Located] = {"name": queue.definition(), **read.origins(queue, columns)}
    if way is not None and way.decided_by is not None:
        target, keyword = way.decided_by
        origins |= {"reachable": target.definition(), **read.origins(target, {"reachable": keyword})}
    if queue.noun == "QALIAS" and (place := _place_of_target(definitions, queue)) is not None:
        origins["resolution"] = place
    return origins


def _place_of_target(definitions: Definitions, alias: MqObject) -> Origin | None:
    """Where what an alias names is defined, or deleted."""
    name = definitions.attributes.text(alias, "TARGET") or ""
    queue = definitions.queue(name)
    return queue.definition() if queue is not None else definitions.deletion(name)
