"""``channel`` rows: server connection channels, through which clients connect."""

from __future__ import annotations

from collections.abc import Iterator

from lintmdb.model.columns import mqsc_keywords
from lintmdb.model.relations import Channel
from lintmdb.resolve.mq.definitions import Definitions

_COLUMNS = mqsc_keywords(Channel)


def channel_rows(definitions: Definitions) -> Iterator[Channel]:
    """The rows of the server connection channels, sorted by name."""
    read = definitions.attributes
    for channel in definitions.of_kind("CHANNEL"):
        kind = channel.values.get("CHLTYPE")
        if kind is not None and kind.text.upper() == "SVRCONN":
            yield Channel(
                queue_manager=definitions.queue_manager,
                name=channel.name,
                sharing_conversations=read.integer(channel, "SHARECNV"),
                max_instances=read.integer(channel, "MAXINST"),
                max_instances_per_client=read.integer(channel, "MAXINSTC"),
                mca_user=read.text(channel, "MCAUSER"),
                origins=read.origins(channel, _COLUMNS),
            )
