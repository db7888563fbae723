"""The path of a flow: endpoint, queue, backout queue, dead-letter queue; or endpoint, bus destination, exception
destination.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from lintmdb.delivery.outcome import Fate, Outcome
from lintmdb.engine.findings import FlowHead
from lintmdb.engine.flow_rows import value_of

State = Literal["sound", "blank", "broken", "unknown", "idle"]
"""``blank`` names nothing, ``broken`` cannot take a message, ``idle`` could and is never used."""


class Hop(NamedTuple):
    """One stop of the path."""

    kind: str
    name: str
    detail: str
    state: State
    end: str = ""
    """What becomes of the poison message, where that is here."""


def hops_of(head: FlowHead, outcome: Outcome) -> list[Hop]:
    """The stops of a flow's path, each as far as the exports tell, and where the poison message ends."""
    rows = head.rows
    provider = value_of("endpoint.provider", rows)
    if provider == "sib":
        hops = [_endpoint(head, rows), *_bus(rows)]
    elif provider == "generic":
        name = value_of("endpoint.destination_jndi", rows) or ""
        hops = [_endpoint(head, rows), Hop("destination", name, "not an IBM provider", "unknown")]
    else:
        hops = [_endpoint(head, rows), *_mq(rows)]
    return _ended(hops, outcome)


_ENDS: Mapping[Fate, tuple[int, str]] = {
    Fate.STOPPED: (0, "stops"),
    Fate.LOST: (0, "lost"),
    Fate.PROCESSED: (0, "processed"),
    Fate.ROLLED_BACK: (1, "rolled back"),
    Fate.LOOPS: (1, "loops"),
    Fate.BLOCKED: (1, "blocked"),
    Fate.DISCARDED: (1, "discarded"),
    Fate.BACKOUT_QUEUE: (2, "ends here"),
    Fate.EXCEPTION_DESTINATION: (2, "ends here"),
    Fate.DEAD_LETTER_QUEUE: (3, "ends here"),
}


def _ended(hops: list[Hop], outcome: Outcome) -> list[Hop]:
    place, words = _ENDS.get(outcome.fate, (len(hops), ""))
    return [hop._replace(end=words) if number == place else hop for number, hop in enumerate(hops)]


def _endpoint(head: FlowHead, rows: Mapping[str, Any]) -> Hop:
    kind = "listener port" if head.subject.kind == "listener_port" else "activation specification"
    limit, stops = value_of("endpoint.failure_threshold", rows), value_of("endpoint.stop_on_failure", rows)
    sequential = value_of("endpoint.sequential_failure_threshold", rows)
    if value_of("endpoint.provider", rows) == "sib":
        detail = f"stops after {sequential} in a row" if sequential else "does not stop" if sequential == 0 else ""
    elif head.subject.kind == "listener_port":
        detail = f"maxRetries {limit}" if limit is not None else ""
    elif stops is None:
        detail = ""
    else:
        detail = "does not stop" if stops is False else f"stops after {limit}" if limit is not None else "stops"
    return Hop(kind, head.subject.name or "", detail, "sound")


def _mq(rows: Mapping[str, Any]) -> list[Hop]:
    topic = value_of("endpoint.destination_type", rows) == "topic"
    alias = "subscription_model" if topic else "queue"
    threshold = value_of(f"{alias}.backout_threshold", rows)
    return [
        _subscription(rows, threshold) if topic else _queue(rows, threshold),
        _backout(rows, alias, threshold),
        _dead_letter(rows, threshold),
    ]


def _subscription(rows: Mapping[str, Any], threshold: int | None) -> Hop:
    topic = value_of("endpoint.topic", rows)
    return Hop(
        "subscription",
        f"topic {topic}" if topic else "",
        f"BOTHRESH({threshold})" if threshold is not None else "model queue not known",
        "sound" if threshold is not None else "unknown",
    )


def _queue(rows: Mapping[str, Any], threshold: int | None) -> Hop:
    named = value_of("endpoint.queue", rows)
    name = value_of("queue.name", rows) or named or ""
    match value_of("endpoint.queue_resolution", rows):
        case "not_defined":
            return Hop("queue", name, "not defined", "broken")
        case "ambiguous":
            return Hop("queue", name, "exports differ", "unknown")
        case "remote":
            return Hop("queue", name, "a remote queue", "broken")
        case _:
            pass
    if value_of("queue_name.get_enabled", rows) is False:
        return Hop("queue", name, "GET(DISABLED)", "broken")
    if threshold is None:
        return Hop("queue", name, "BOTHRESH not known", "unknown")
    through = f", by {named}" if named and named != name else ""
    return Hop("queue", name, f"BOTHRESH({threshold}){through}", "sound")


def _backout(rows: Mapping[str, Any], alias: str, threshold: int | None) -> Hop:
    name = value_of(f"{alias}.backout_queue", rows) or ""
    resolution = value_of(f"{alias}.backout_resolution", rows)
    if resolution == "not_set" or (name == "" and value_of(f"{alias}.backout_queue", rows) is not None):
        return Hop("backout queue", "", "BOQNAME is blank", "blank")
    if value_of(f"{alias}.backout_loops", rows):
        return Hop("backout queue", name, "leads back", "broken")
    return _put_target("backout queue", name, resolution, rows, "backout", threshold)


def _dead_letter(rows: Mapping[str, Any], threshold: int | None) -> Hop:
    name = value_of("queue_manager.dead_letter_queue", rows)
    resolution = value_of("queue_manager.dead_letter_resolution", rows)
    if resolution == "not_set" or name == "":
        return Hop("dead-letter queue", "", "DEADQ is blank", "blank")
    return _put_target("dead-letter queue", name or "", resolution, rows, "dead_letter", threshold)


def _put_target(
    kind: str,
    name: str,
    resolution: str | None,
    rows: Mapping[str, Any],
    alias: str,
    threshold: int | None,
) -> Hop:
    if resolution in (None, "ambiguous"):
        return Hop(kind, name, "exports differ" if resolution else "not known", "unknown")
    if resolution == "not_defined":
        return Hop(kind, name, "not defined", "broken")
    if value_of(f"{alias}.put_enabled", rows) is False:
        return Hop(kind, name, "PUT(DISABLED)", "broken")
    rights = ("authority.put", "authority.passall")
    if alias == "dead_letter":
        rights = ("authority.dead_letter_put", "authority.dead_letter_passall")
    if False in [value_of(right, rows) for right in rights]:
        return Hop(kind, name, "the user may not put", "broken")
    if value_of(f"{alias}.model", rows):
        return Hop(kind, name, "a model queue", "broken")
    if threshold == 0:
        return Hop(kind, name, "never used", "idle")
    return Hop(kind, name, "remote" if resolution == "remote" else "", "sound")


def _bus(rows: Mapping[str, Any]) -> list[Hop]:
    name = value_of("destination.name", rows) or value_of("endpoint.destination_jndi", rows) or ""
    limit = value_of("destination.max_failed_deliveries", rows)
    detail = f"maximum {limit} failed deliveries" if limit is not None else "not known"
    first = Hop("bus destination", name, detail, "sound" if limit is not None else "unknown")
    if value_of("destination.receive_allowed", rows) is False:
        first = first._replace(detail="receive not allowed", state="broken")
    kind = "exception destination"
    named = value_of("destination.exception_destination_name", rows) or ""
    match value_of("destination.exception_destination", rows), value_of("destination.exception_resolution", rows):
        case "none", _:
            second = Hop(kind, "", "exceptionDestination is blank", "blank")
        case "system", _:
            second = Hop(kind, "_SYSTEM.Exception.Destination", "of the messaging engine", "sound")
        case "named", "not_defined":
            second = Hop(kind, named, "not defined", "broken")
        case "named", "resolved":
            closed = value_of("destination.exception_send_allowed", rows) is False
            second = Hop(kind, named, "send not allowed" if closed else "", "broken" if closed else "sound")
        case _:
            second = Hop(kind, named, "not known", "unknown")
    return [first, second]
