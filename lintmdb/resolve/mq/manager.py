"""The ``queue_manager`` row: platform, level and dead-letter queue."""

from __future__ import annotations

from lintmdb.exports.mq.attribute_values import LONGEST_MESSAGE_BYTES
from lintmdb.exports.mq.commands import SERVER_CONNECTION, ClusterQueueAccessControl
from lintmdb.model.origins import Located, Origin
from lintmdb.model.relations import QueueManager
from lintmdb.resolve.mq.administration import find_undefined_authentication
from lintmdb.resolve.mq.channels import makes_no_channels
from lintmdb.resolve.mq.completeness import lists_all_of, shows_every_attribute
from lintmdb.resolve.mq.definitions import Definitions
from lintmdb.resolve.mq.dispositions import sharing_group_of
from lintmdb.resolve.mq.free_names import DEAD_LETTER_NAME, free_name
from lintmdb.resolve.mq.names import resolve_name

_DEFAULT_MESSAGE_BYTES = 4_194_304


def queue_manager_row(
    definitions: Definitions,
    access: ClusterQueueAccessControl | None = None,
    dead_letter_name: str = DEAD_LETTER_NAME,
) -> QueueManager:
    """The row of the queue manager itself; ``access`` is what its configuration file says of cluster queues, and
    ``dead_letter_name`` how a new dead-letter queue would be called.
    """
    name, manager, files = definitions.queue_manager, definitions.manager, definitions.files
    origins: dict[str, Located] = {"name": manager.origin(f"queue manager {name}")}
    origins.update(definitions.attributes.origins(manager, {"dead_letter_queue": "DEADQ"}))
    dead_letter = definitions.attributes.text(manager, "DEADQ")
    if dead_letter is None and "DEADQ" not in manager.values and shows_every_attribute(files):
        dead_letter = ""
        origins["dead_letter_queue"] = manager.origin("DEADQ not set: blank is IBM MQ's default", default=True)
    longest = _longest_message(definitions)
    origins.update(_longest_message_origin(definitions))
    if "dead_letter_queue" in origins:
        origins["dead_letter_resolution"] = origins["dead_letter_queue"]
    platform_file = next((file for file in files if file.platform), None)
    if platform_file is not None:
        line = platform_file.platform_line
        origins["platform"] = Origin(platform_file.path, line, 1, f"platform {platform_file.platform}")
    if access is not None:
        text = f"ClusterQueueAccessControl={access.value}"
        text = f"{text} (default)" if access.default else text
        origins["cluster_queue_access"] = Origin(access.path, access.line, access.column, text, access.default)
    return QueueManager(
        name=name,
        platform=definitions.platform,
        command_level=next((file.command_level for file in files if file.command_level), None),
        sharing_group=sharing_group_of(files),
        dead_letter_queue=dead_letter,
        dead_letter_resolution=resolve_name(definitions, dead_letter, local=True),
        free_dead_letter_name=free_name(
            name, dead_letter_name, definitions.taken_names, is_meant=definitions.is_meant_elsewhere
        ),
        undefined_authentication=find_undefined_authentication(manager, definitions.objects),
        lists_channels=_lists_channels(definitions),
        lists_channel_records=definitions.channel_records_complete,
        lists_authorities=definitions.authorities_complete,
        windows_accounts=definitions.authority_records.accounts.windows,
        max_message_bytes=longest,
        cluster_queue_access=access.value if access is not None else None,
        complete=definitions.complete,
        lists_queues=definitions.lists_queues,
        origins=origins,
    )


def _lists_channels(definitions: Definitions) -> bool:
    """Whether the export defines every server connection channel. A MAKEDEF deck may be one of queues alone."""
    if not makes_no_channels(definitions):
        return False
    if definitions.complete and shows_every_attribute(definitions.files):
        return True
    if lists_all_of(definitions.listings, (SERVER_CONNECTION,)):
        return True
    return definitions.complete and bool(definitions.of_kind("CHANNEL"))


def _longest_message(definitions: Definitions) -> int | None:
    """MAXMSGL of the queue manager, which no message can exceed. On z/OS it is fixed (IBM MQ "IBM MQ messages")."""
    if definitions.platform == "zos":
        return LONGEST_MESSAGE_BYTES
    if "MAXMSGL" in definitions.manager.values:
        return definitions.attributes.integer(definitions.manager, "MAXMSGL", LONGEST_MESSAGE_BYTES)
    return _DEFAULT_MESSAGE_BYTES if shows_every_attribute(definitions.files) else None


def _longest_message_origin(definitions: Definitions) -> dict[str, Located]:
    manager, column = definitions.manager, "max_message_bytes"
    shown = "MAXMSGL" in manager.values
    read = definitions.attributes.integer(manager, "MAXMSGL", LONGEST_MESSAGE_BYTES) if shown else None
    if definitions.platform == "zos" and read != LONGEST_MESSAGE_BYTES:
        return {column: manager.origin(f"MAXMSGL is {LONGEST_MESSAGE_BYTES} on z/OS", default=True)}
    if shown:
        return dict(definitions.attributes.origins(manager, {column: "MAXMSGL"}).items())
    if not shows_every_attribute(definitions.files):
        return {}
    return {column: manager.origin(f"MAXMSGL not set: {_DEFAULT_MESSAGE_BYTES} is IBM MQ's default", default=True)}
