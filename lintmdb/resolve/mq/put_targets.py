"""``put_target`` rows: the queues that BOQNAME and DEADQ name, as a put meets them."""

from __future__ import annotations

from lintmdb.model.origins import Located
from lintmdb.model.relations import PutTarget
from lintmdb.resolve.mq.definitions import Definitions
from lintmdb.resolve.mq.names import follow_name, read_access
from lintmdb.resolve.mq.objects import LONGEST_MESSAGE_BYTES, QUEUE_TYPES, omits

_COLUMNS = {"max_message_bytes": "MAXMSGL", "max_depth": "MAXDEPTH", "transmission": "USAGE"}


def put_target_row(definitions: Definitions, name: str) -> PutTarget:
    """The row of a name that messages are moved to, whether it is defined or not."""
    read = definitions.attributes
    path = follow_name(definitions, name)
    named = path.aliases[0] if path.aliases else path.target
    put = read_access(definitions, path, "PUT")
    local = path.local
    # A remote queue definition is known to be neither a transmission queue nor a model; its attributes are elsewhere.
    elsewhere = False if path.target is not None and path.target.noun == "QREMOTE" else None
    origins: dict[str, Located] = {}
    if local is not None:
        origins.update(read.origins(local, _COLUMNS).items())
        origins["model"] = local.definition()
    if put.decided_by is not None:
        origins.update(read.origins(put.decided_by, {"put_enabled": "PUT"}).items())
    if named is not None:
        origins["name"] = named.definition()
    return PutTarget(
        queue_manager=definitions.queue_manager,
        name=name,
        type=QUEUE_TYPES[named.noun] if named is not None else None,
        local_queue=local.name if local is not None else None,
        put_enabled=put.enabled,
        transmission=read.flag(local, "USAGE", "XMITQ", "NORMAL") if local is not None else elsewhere,
        model=local.noun == "QMODEL" if local is not None else elsewhere,
        max_message_bytes=read.integer(local, "MAXMSGL", LONGEST_MESSAGE_BYTES) if local is not None else None,
        max_depth=read.integer(local, "MAXDEPTH") if local is not None else None,
        default_depth=omits(local, "MAXDEPTH") if local is not None else None,
        origins=origins,
    )
