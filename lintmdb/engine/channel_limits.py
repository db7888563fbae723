"""Whether a channel lets the longest messages of a queue through. IBM's documents differ on that, so nothing is judged
by it but MDB606.
"""

from __future__ import annotations

from lintmdb.engine.findings import FlowHead


def if_it_passes(head: FlowHead) -> str:
    """``, if it passes channel APP.SVRCONN with MAXMSGL(4194304)``, of a message that is as long as its queue allows;
    blank where its reader has no channel, or one that takes as long messages, or none that an export shows.
    """
    read = head.rows.value
    limit, longest = read("channel.max_message_bytes"), read("queue.longest_message_bytes")
    if read("endpoint.transport") != "client" or not isinstance(limit, int) or not isinstance(longest, int):
        return ""
    return f", if it passes channel {read('endpoint.channel')} with MAXMSGL({limit})" if limit < longest else ""
