"""The flow that a row of an audit names in its headline: tables hold no other mention of it."""

from __future__ import annotations

import re
from typing import NamedTuple

from lintmdb.engine.findings import Subject
from lintmdb.fleet.verdict_tables import Clusters

_CLUSTER = re.compile(r"cluster (?P<name>.+?)(?: of (?P<members>[0-9]+))?", re.DOTALL)


class HeadlineFlow(NamedTuple):
    """A flow as far as its headline tells it apart."""

    subject: Subject
    """Bean and endpoint are one name; the queue is left out, since a flow may come to read another one."""
    members: int | None
    """How many members its cluster has, where that is judged as one."""


def parse_headline(headline: str, cell: str | None, clusters: Clusters) -> HeadlineFlow:
    """The flow of a headline ``BEAN <- ENDPOINT on PLACE <- QUEUE at QUEUE MANAGER``, the queue being optional.

    A headline with further arrows in its names is its own flow. A server that ``clusters`` does not know has none.
    """
    parts = headline.split(" <- ")
    endpoint, on, place = parts[1].rpartition(" on ") if len(parts) in (2, 3) else ("", "", "")
    if not on:
        return HeadlineFlow(Subject("flow", headline, cell), None)
    name = f"{parts[0]} <- {endpoint}"
    if (match := _CLUSTER.fullmatch(place)) is not None:
        members = match["members"]
        return HeadlineFlow(Subject("flow", name, cell, match["name"]), int(members) if members else None)
    if place == "place unknown" or place.startswith("cell "):
        return HeadlineFlow(Subject("flow", name, cell), None)
    node, _, server = place.rpartition("/")
    cluster = clusters.get((cell or "", node, server))
    return HeadlineFlow(Subject("flow", name, cell, cluster, node or None, server), None)
