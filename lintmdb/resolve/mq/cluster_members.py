"""``cluster_member`` rows: the clusters that a queue manager is proven to be a member of."""

from __future__ import annotations

from collections.abc import Iterator

from lintmdb.exports.mq.attribute_values import LONGEST_MESSAGE_BYTES
from lintmdb.model.relations import ClusterMember
from lintmdb.resolve.mq.definitions import Definitions
from lintmdb.resolve.mq.remote_queues import find_cluster_way, way_origins


def cluster_member_rows(definitions: Definitions) -> Iterator[ClusterMember]:
    """A row for each cluster."""
    joined = sorted(definitions.clusters.joined)
    if not joined:
        return
    way = find_cluster_way(definitions)
    leaves_by, read = way.leaves_by, definitions.attributes
    asked, shown = (
        " ".join(definitions.listed_cluster_queues) or None,
        " ".join(sorted(definitions.cluster_queues)) or None,
    )
    for cluster in joined:
        full = cluster in definitions.clusters.full
        yield ClusterMember(
            queue_manager=definitions.queue_manager,
            cluster=cluster,
            full_repository=full,
            asked=asked if full else None,
            shown=shown if full else None,
            reachable=way.reachable,
            transmission_queue=way.transmission_queue,
            transmission_max_bytes=read.integer(leaves_by, "MAXMSGL", LONGEST_MESSAGE_BYTES) if leaves_by else None,
            unreachable_because=way.why,
            origins=way_origins(read, way),
        )
