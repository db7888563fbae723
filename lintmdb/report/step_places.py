"""Which setting a step of a story depends on, so that a reader can go from the step to its line."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from lintmdb.delivery.wording import Line
from lintmdb.engine.flow_rows import JudgedRows, find_origin
from lintmdb.model.origins import Origin

_LIMIT = ("endpoint.failure_threshold",)
_RECEIVE = ("endpoint.non_asf_timeout_ms",)
_EXCEPTION = ("destination.exception_destination",)
_COLUMNS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "delivered": ("bean.name",),
        "fails": ("bean.name",),
        "processed": ("bean.name",),
        "lost": ("bean.transaction", "bean.name"),
        "acknowledges_first": ("bean.transaction", "bean.name"),
        "starts_first": ("endpoint.initial_state",),
        "returned": ("queue.name",),
        "restarted_shared": ("queue.shared_disposition",),
        "restarted_keeps": ("queue.harden_backout",),
        "restarted_forgets": ("queue.harden_backout",),
        "restart_drops": ("queue.default_persistence",),
        "is_poison": ("queue.backout_threshold",),
        "inquiry_refused": ("authority.behind_inq",),
        "no_backout_queue": ("queue.backout_queue",),
        "no_dead_letter_queue": ("queue_manager.dead_letter_queue",),
        "put_fails": ("queue.backout_queue",),
        "moved_to_backout_queue": ("backout.name", "queue.backout_queue"),
        "moved_to_dead_letter_queue": ("dead_letter.name", "queue_manager.dead_letter_queue"),
        "discarded": ("queue.default_persistence",),
        "blocked": ("queue.name",),
        "moved_in_a_circle": ("queue.backout_queue",),
        "channel_not_defined": (
            "channel.defined",
            "endpoint.channel",
        ),
        "channel_blocked": ("channel_access.record",),
        "password_missing": ("channel_access.authentication", "endpoint.gives_password"),
        "no_instances": ("channel.max_instances",),
        "no_client_instances": ("channel.max_instances_per_client",),
        "subscription_refused": ("topic.sub_enabled",),
        "durable_subscription_refused": ("topic.durable_sub_enabled",),
        "durable_queue_not_made": ("topic.durable_model_state", "topic.durable_model"),
        "subscription_queue_not_made": ("topic.nondurable_model_state", "topic.nondurable_model"),
        "open_refused": ("authority.source_get",),
        "name_clash": ("queue_name.name", "queue.name"),
        "get_disabled": ("queue_name.get_enabled", "queue.get_enabled"),
        "port_goes_on": _LIMIT,
        "port_stops": _LIMIT,
        "port_stops_at_once": _LIMIT,
        "spec_ignores": ("endpoint.stop_on_failure",),
        "spec_goes_on": _LIMIT,
        "spec_stops": _LIMIT,
        "spec_stops_at_once": _LIMIT,
        "begins": _RECEIVE,
        "waits_in_vain": _RECEIVE,
        "receive_ends_empty": _RECEIVE,
        "receive_commits_empty": _RECEIVE,
        "times_out": ("bean.transaction_timeout_ms", "server.effective_timeout_ms"),
        "bus_goes_on": _LIMIT,
        "bus_stops": _LIMIT,
        "bus_returned": ("destination.name",),
        "bus_discards": ("destination.exception_discard_reliability", "destination.max_failed_deliveries"),
        "bus_blocks": _EXCEPTION,
        "bus_blocks_resumed": _EXCEPTION,
        "bus_spins": _EXCEPTION,
        "bus_put_fails": _EXCEPTION,
        "bus_moves_in_a_circle": _EXCEPTION,
        "bus_moves": ("destination.max_failed_deliveries",),
        "engine_restarts_keeps": ("destination.persist_redelivery_count",),
        "engine_restarts_forgets": ("destination.persist_redelivery_count",),
    }
)


def step_place(line: Line, rows: JudgedRows) -> Origin | None:
    """The place of the setting that a step is about, else of the endpoint; None if neither is known."""
    for name in (*_COLUMNS.get(line.event, ()), "endpoint.name"):
        origin = find_origin(rows, name)
        if origin is not None and origin.path:
            return origin
    return None
