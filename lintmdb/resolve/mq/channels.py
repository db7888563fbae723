"""``channel`` and ``channel_access`` rows: server connection channels, and who may use them as which user."""

from __future__ import annotations

from collections.abc import Iterator

from lintmdb.exports.mq.attribute_values import LONGEST_MESSAGE_BYTES
from lintmdb.model.columns import mqsc_keywords
from lintmdb.model.origins import Located
from lintmdb.model.relations import Channel, ChannelAccess
from lintmdb.resolve.mq.channel_access import channel_access_rows
from lintmdb.resolve.mq.completeness import shows_every_attribute
from lintmdb.resolve.mq.definitions import Definitions
from lintmdb.resolve.mq.dispositions import command_disposition
from lintmdb.resolve.mq.objects import MqObject

_COLUMNS = mqsc_keywords(Channel)
_SUPPLIED = ("SYSTEM.AUTO.SVRCONN", "SYSTEM.DEF.SVRCONN")
"""Server connection channels that every queue manager has from the start."""


def channel_rows(definitions: Definitions) -> Iterator[Channel | ChannelAccess]:
    """The rows of the server connection channels, sorted by name, then of those that are known not to exist; those
    that IBM supplies exist even where no file shows them.
    """
    shown = [channel for channel in definitions.of_kind("CHANNEL") if _is_server_connection(channel)]
    names = {channel.name for channel in shown}
    supplied = [
        MqObject("CHANNEL", name, definitions.files[0], 1, 1, unset="unknown")
        for name in _SUPPLIED
        if name not in names
    ]
    for channel in sorted([*shown, *supplied], key=lambda channel: channel.name):
        yield _channel_row(definitions, channel)
        yield from channel_access_rows(definitions, channel)
    if makes_no_channels(definitions):
        yield from _absent_rows(definitions)


def _absent_rows(definitions: Definitions) -> Iterator[Channel]:
    """The rows of channels that are known not to exist."""
    for name, deletion in sorted(definitions.absent_channels.items()):
        if name not in _SUPPLIED:
            origins: dict[str, Located] = {} if deletion is None else {"defined": deletion}
            yield Channel(queue_manager=definitions.queue_manager, name=name, defined=False, origins=origins)


def makes_no_channels(definitions: Definitions) -> bool:
    """Whether a server connection channel that nobody defines does not exist. With CHAD(ENABLED) a queue manager makes
    one when a client asks for it. A dump without the attribute shows that it does not; a list of channels does not show
    that. z/OS has no such attribute.
    """
    on_demand = definitions.manager.values.get("CHAD")
    if on_demand is not None:
        return on_demand.text.upper() == "DISABLED"
    return definitions.platform == "zos" or shows_every_attribute(definitions.files)


def _is_server_connection(channel: MqObject) -> bool:
    kind = channel.values.get("CHLTYPE")
    return kind is not None and kind.text.upper() == "SVRCONN"


def _channel_row(definitions: Definitions, channel: MqObject) -> Channel:
    read = definitions.attributes
    longest = read.integer(channel, "MAXMSGL", LONGEST_MESSAGE_BYTES)
    return Channel(
        queue_manager=definitions.queue_manager,
        name=channel.name,
        sharing_conversations=read.integer(channel, "SHARECNV"),
        max_instances=read.integer(channel, "MAXINST"),
        max_instances_per_client=read.integer(channel, "MAXINSTC"),
        mca_user=read.text(channel, "MCAUSER"),
        max_message_bytes=LONGEST_MESSAGE_BYTES if longest == 0 else longest,
        command_disposition=command_disposition(read, channel),
        origins=read.origins(channel, _COLUMNS) if channel.values else {},
    )
