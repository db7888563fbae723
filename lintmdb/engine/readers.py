"""Readers: endpoints that stand for whoever reads a queue which no endpoint of the exports reads."""

from __future__ import annotations

from dataclasses import replace

from lintmdb.engine.flow_rows import FlowRows
from lintmdb.model.relations import Endpoint


def is_reader(endpoint: Endpoint) -> bool:
    """Whether an endpoint only stands for whoever reads its queue: one of an export is on some kind of server."""
    return endpoint.runtime is None


def as_delivered(rows: FlowRows) -> FlowRows:
    """The rows with what the model of delivery asks for and no rule is to see: the mode of the reader.

    An ordinary client gets messages without browsing first, so whoever may get them is not shut out. Nor is the reader
    whom nobody names for this queue, where the user named for the whole queue manager may not read it.
    """
    authority = rows.authority
    endpoint = replace(rows.endpoint, non_asf_timeout_ms=0)
    if authority is None:
        return rows._replace(endpoint=endpoint)
    if endpoint.user_guessed and authority.may_not_read:
        endpoint = replace(endpoint, user=None, user_observed=False, user_guessed=False)
        return rows._replace(endpoint=endpoint, user=None, authority=None)
    if authority.source_browse is False and False not in (authority.source_get, authority.source_inq):
        authority = replace(authority, source_browse=None)
    return rows._replace(endpoint=endpoint, authority=authority)
