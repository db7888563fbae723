"""``put_target`` rows: the queues that BOQNAME and DEADQ name, as a put meets them."""

from __future__ import annotations

from lintmdb.model.origins import Located
from lintmdb.model.relations import PutTarget
from lintmdb.resolve.mq.definitions import Definitions
from lintmdb.resolve.mq.names import (
    DEAD_LETTER_QUEUE,
    Access,
    Path,
    find_kind,
    follow_name,
    is_local,
    is_transmission_queue,
    read_access,
)
from lintmdb.resolve.mq.objects import LONGEST_MESSAGE_BYTES, QUEUE_TYPES, omits
from lintmdb.resolve.mq.remote_queues import RemoteWay, find_way

_COLUMNS = {"max_message_bytes": "MAXMSGL", "max_depth": "MAXDEPTH", "transmission": "USAGE"}
_ALIAS_COLUMNS = {"leads_to": "TARGET", "is_dead_letter_queue": "TARGET"}


def put_target_row(definitions: Definitions, name: str, *, dead_letter: str | None) -> PutTarget:
    """The row of a name that messages are moved to, whether it is defined or not; ``dead_letter`` is DEADQ."""
    read = definitions.attributes
    path = follow_name(definitions, name)
    put = read_access(definitions, path, "PUT")
    local = path.local
    held = path.target if path.target is not None and is_local(path.target) else None
    remote = path.target if path.target is not None and path.target.noun == "QREMOTE" else None
    way = find_way(definitions, remote) if remote is not None else RemoteWay(_is_here(path))
    # A remote queue definition is known to be neither a transmission queue nor a model; its attributes are elsewhere.
    elsewhere = False if remote is not None else None
    return PutTarget(
        queue_manager=definitions.queue_manager,
        name=name,
        type=QUEUE_TYPES[path.named.noun] if path.named is not None else None,
        leads_to=path.leads_to,
        leads_to_kind=find_kind(definitions, path),
        local_queue=local.name if local is not None else None,
        is_dead_letter_queue=_is_dead_letter_queue(definitions, name, dead_letter),
        transmission_queue=way.transmission_queue,
        reachable=way.reachable,
        put_enabled=put.enabled,
        transmission=is_transmission_queue(definitions, held) if held is not None else elsewhere,
        model=held.noun == "QMODEL" if held is not None else elsewhere,
        max_message_bytes=read.integer(local, "MAXMSGL", LONGEST_MESSAGE_BYTES) if local is not None else None,
        max_depth=read.integer(local, "MAXDEPTH") if local is not None else None,
        default_depth=omits(local, "MAXDEPTH") if local is not None else None,
        origins=_origins(definitions, path, put, way),
    )


def _is_here(path: Path) -> bool | None:
    """Whether no other queue manager is between a name and what it leads to; None where that is not known."""
    return True if path.local is not None or path.topic else None


def _is_dead_letter_queue(definitions: Definitions, name: str, dead_letter: str | None) -> bool | None:
    """Whether messages that are put to a name arrive on the dead-letter queue: the names behind the names decide."""
    end = _end(definitions, name)
    if DEAD_LETTER_QUEUE in (name, end) or name == dead_letter:
        return True
    if not dead_letter:
        return None if dead_letter is None else False
    dead_letter_end = _end(definitions, dead_letter)
    return None if None in (end, dead_letter_end) else end == dead_letter_end


def _end(definitions: Definitions, name: str) -> str | None:
    """The name of the object that is opened for a name; None where that may be an alias which no script shows."""
    path = follow_name(definitions, name)
    if path.named is not None or definitions.complete or name == DEAD_LETTER_QUEUE:
        return path.leads_to
    return name if ("Q", name) in definitions.deleted else None


def _origins(definitions: Definitions, path: Path, put: Access, way: RemoteWay) -> dict[str, Located]:
    """Where the columns of a row were read, each at the object of the path that decides it."""
    read = definitions.attributes
    origins: dict[str, Located] = {}
    if path.local is not None:
        origins.update(read.origins(path.local, _COLUMNS).items())
        origins["model"] = path.local.definition()
    if put.decided_by is not None:
        origins.update(read.origins(put.decided_by, {"put_enabled": "PUT"}).items())
    if way.decided_by is not None:
        target, keyword = way.decided_by
        origins.update({"reachable": target.definition(), **read.origins(target, {"reachable": keyword})})
    if path.alias is not None:
        origins.update(read.origins(path.alias, _ALIAS_COLUMNS).items())
    if path.named is not None:
        origins["name"] = path.named.definition()
    return origins
