"""The flow that a row of an audit names in its headline: tables hold no other mention of it."""

from __future__ import annotations

import re
from typing import NamedTuple

from lintmdb.engine.findings import Subject
from lintmdb.fleet.verdict_tables import Clusters
from lintmdb.model.environment_names import name_in
from lintmdb.report.subjects import ARROW

_ENDPOINT = re.compile(r"(?P<endpoint>.*) \((?P<kind>[a-z ]+), (?P<place>.*)\)", re.DOTALL)
_CLUSTER = re.compile(r"cluster (?P<name>.+?)(?: of (?P<members>[0-9]+))?", re.DOTALL)


class HeadlineFlow(NamedTuple):
    """A flow as far as its headline tells it apart."""

    subject: Subject
    """Bean and endpoint are one name; the queue is left out, since a flow may come to read another one."""
    members: int | None
    """How many members its cluster has, where that is judged as one."""


def parse_headline(headline: str, cell: str | None, clusters: Clusters, environment: str | None = None) -> HeadlineFlow:
    """The flow of a headline ``QUEUE at QUEUE MANAGER -> ENDPOINT (KIND, PLACE) -> BEAN``, where PLACE ends with the
    environment if there is one.

    A headline with further arrows in its names is its own flow. A server that ``clusters`` does not know has none.
    """
    found = _parse(headline, cell, clusters, environment)
    return found._replace(subject=found.subject._replace(environment=environment))


def _parse(headline: str, cell: str | None, clusters: Clusters, environment: str | None) -> HeadlineFlow:
    parts = headline.split(ARROW)
    stop = _ENDPOINT.fullmatch(parts[1]) if len(parts) == 3 else None
    if stop is None:
        return HeadlineFlow(Subject("flow", headline, cell), None)
    name, place = f"{stop['endpoint']} ({stop['kind']}){ARROW}{parts[2]}", stop["place"]
    if environment is not None:
        place = place.removesuffix(f" in {environment}")
    if (match := _CLUSTER.fullmatch(place)) is not None:
        members = match["members"]
        return HeadlineFlow(Subject("flow", name, cell, match["name"]), int(members) if members else None)
    if place == "place unknown" or place.startswith("cell "):
        return HeadlineFlow(Subject("flow", name, cell), None)
    node, _, server = place.rpartition("/")
    cluster = clusters.get((name_in(environment, cell or ""), node, server))
    return HeadlineFlow(Subject("flow", name, cell, cluster, node or None, server), None)
