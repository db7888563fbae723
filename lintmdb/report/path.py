"""The path of a flow in the direction in which messages go: queue, endpoint, backout queue, dead-letter queue; or bus
destination, endpoint, exception destination.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

from lintmdb.delivery.outcome import Fate, Outcome
from lintmdb.engine.findings import FlowHead
from lintmdb.engine.flow_rows import FlowRows
from lintmdb.engine.subjects import kind_words
from lintmdb.model.relations import Authority, PutTarget, Queue, QueueName
from lintmdb.model.word_lists import listed

State = Literal["sound", "blank", "broken", "unknown", "idle"]
"""``blank`` names nothing, ``broken`` cannot take a message, ``idle`` could and is never used."""
Way = Literal["taken", "tried", "never", "unknown"]
"""Whether the poison message goes from one stop to the next; ``tried`` is a move that fails or is undone."""


class Hop(NamedTuple):
    """One stop of the path."""

    kind: str
    name: str
    detail: str
    state: State
    end: str = ""
    """What becomes of the poison message, where that is here; ``discarded or blocked`` where its kinds differ."""
    way: Way | None = None
    """How the poison message comes here from the stop before; None for the first stop, and without an outcome."""


def build_path(head: FlowHead, *outcomes: Outcome) -> list[Hop]:
    """The stops of a flow's path, each as far as the exports tell, and where the poison message ends by each of its
    fates.
    """
    rows = head.rows
    first = _endpoint(rows)
    match rows.endpoint.provider:
        case "sib":
            source, *others = _bus(rows)
        case "generic":
            source, *others = [
                Hop("destination", rows.endpoint.destination_jndi or "", "not an IBM provider", "unknown")
            ]
        case _:
            source, *others = _mq(rows)
    hops = [source, first, *others]
    for outcome in outcomes:
        hops = [_led_to(_ended(hop, number, outcome), number, outcome) for number, hop in enumerate(hops)]
    return hops


_SOURCE, _ENDPOINT, _ASIDE, _LAST = range(4)
_ENDS: Mapping[Fate, tuple[int, str]] = {
    Fate.STOPPED: (_ENDPOINT, "stops"),
    Fate.LOST: (_ENDPOINT, "lost"),
    Fate.PROCESSED: (_ENDPOINT, "processed"),
    Fate.ROLLED_BACK: (_SOURCE, "rolled back"),
    Fate.LOOPS: (_SOURCE, "loops"),
    Fate.BLOCKED: (_SOURCE, "blocked"),
    Fate.DISCARDED: (_SOURCE, "discarded"),
    Fate.BACKOUT_QUEUE: (_ASIDE, "ends here"),
    Fate.ASTRAY: (_ASIDE, "goes astray"),
    Fate.EXCEPTION_DESTINATION: (_ASIDE, "ends here"),
    Fate.DEAD_LETTER_QUEUE: (_LAST, "ends here"),
}


def _ended(hop: Hop, number: int, outcome: Outcome) -> Hop:
    place, words = _ENDS.get(outcome.fate, (-1, ""))
    return hop._replace(end=" or ".join(filter(None, (hop.end, words)))) if number == place else hop


_WAYS: tuple[Way, ...] = ("taken", "tried", "unknown", "never")
"""Where two kinds of message take different ways, the path shows the first of these."""
_NOWHERE: Mapping[str, int] = {
    "no_backout_queue": _ASIDE,
    "no_dead_letter_queue": _LAST,
    "bus_blocks": _ASIDE,
    "bus_blocks_resumed": _ASIDE,
    "bus_spins": _ASIDE,
}
"""Events of a message that is to be moved, and finds no name to be moved to."""
_CIRCLES = ("moved_in_a_circle", "bus_moves_in_a_circle")


def _led_to(hop: Hop, number: int, outcome: Outcome) -> Hop:
    if number == _SOURCE:
        return hop
    way = _way(hop, number, outcome)
    return hop._replace(way=way if hop.way is None else min(hop.way, way, key=_WAYS.index))


def _way(hop: Hop, number: int, outcome: Outcome) -> Way:
    if number == _ENDPOINT:
        taken = outcome.deliveries > 0 or any(step.event == "delivered" for step in outcome.steps)
    else:
        taken = _ENDS.get(outcome.fate, (-1,))[0] == number
    if taken:
        return "taken"
    way: Way = "unknown" if outcome.fate is Fate.UNDECIDED else "never"
    for step in outcome.steps:
        if _NOWHERE.get(step.event) == number:
            way = "tried"
        elif hop.name and step.facts.get("target") == hop.name:
            return "taken" if step.event in _CIRCLES else "tried"
    return way


def _endpoint(rows: FlowRows) -> Hop:
    endpoint = rows.endpoint
    limit, sequential = endpoint.failure_threshold, endpoint.sequential_failure_threshold
    port = endpoint.kind == "listener_port"
    if endpoint.provider == "sib":
        detail = f"stops after {sequential} in a row" if sequential else "does not stop" if sequential == 0 else ""
    elif port:
        detail = f"maxRetries {limit}" if limit is not None else ""
    elif endpoint.stop_on_failure is None:
        detail = ""
    elif endpoint.stop_on_failure:
        detail = "stops" if limit is None else f"stops after {max(limit, 1)}"
    else:
        detail = "does not stop"
    return Hop(kind_words(endpoint.kind), endpoint.name, detail, "sound")


_BROKEN: Mapping[str, str] = {
    "not_defined": "not defined",
    "dangling": "an alias of nothing",
    "wrong_base": "an alias of an alias",
    "topic": "an alias of a topic",
    "model": "a model queue",
}
"""What a name leads to where nothing can be read or kept."""


def _mq(rows: FlowRows) -> list[Hop]:
    topic = rows.endpoint.destination_type == "topic"
    source = rows.queue
    threshold = source.backout_threshold if source else None
    return [
        _subscription(rows.endpoint.topic, threshold) if topic else _queue(rows, threshold),
        _backout(rows, source, threshold),
        _dead_letter(rows, threshold),
    ]


def _subscription(topic: str | None, threshold: int | None) -> Hop:
    return Hop(
        "subscription",
        f"topic {topic}" if topic else "",
        f"BOTHRESH({threshold})" if threshold is not None else "model queue not known",
        "sound" if threshold is not None else "unknown",
    )


def _queue(rows: FlowRows, threshold: int | None) -> Hop:
    named = rows.endpoint.queue
    name = (rows.queue.name if rows.queue else named) or ""
    match rows.queue_resolution:
        case "ambiguous":
            return Hop("queue", name, "exports differ", "unknown")
        case "not_set":
            return Hop("queue", "", "not named", "broken")
        case "not_defined" | "dangling" | "wrong_base" | "topic" | "model" as resolution:
            return Hop("queue", name, _BROKEN[resolution], "broken")
        case "elsewhere":
            return Hop("queue", name, f"of queue manager {rows.endpoint.other_queue_manager}", "broken")
        case "remote":
            return Hop("queue", name, "a remote queue", "broken")
        case _:
            pass
    closed = _unreadable(rows.queue_name)
    if closed:
        return Hop("queue", name, closed, "broken")
    if threshold is None:
        return Hop("queue", name, "BOTHRESH not known", "unknown")
    through = f", by {named}" if named and named != name else ""
    return Hop("queue", name, f"BOTHRESH({threshold}){through}", "sound")


def _unreadable(name: QueueName | None) -> str:
    """Why a name gives no messages; blank where nothing speaks against it."""
    if name is None:
        return ""
    if name.name_clash:
        return "private and shared"
    return "GET(DISABLED)" if name.get_enabled is False else ""


def _backout(rows: FlowRows, source: Queue | None, threshold: int | None) -> Hop:
    kind = "backout queue"
    if source is None:
        return Hop(kind, "", "not known", "unknown")
    if source.backout_resolution == "not_set" or source.backout_queue == "":
        return Hop(kind, "", "BOQNAME is blank", "blank")
    name = source.backout_queue or ""
    if source.backout_loops and rows.backout_circle_read:
        return Hop(kind, name, "leads back", "broken")
    own = rows.authority
    lacking = _lacking(own, own.put, own.passall) if own else ""
    return _put_target(Hop(kind, name, "", "sound"), source.backout_resolution, rows.backout, lacking, threshold)


def _dead_letter(rows: FlowRows, threshold: int | None) -> Hop:
    kind, manager = "dead-letter queue", rows.queue_manager
    if manager is None:
        return Hop(kind, "", "not known", "unknown")
    if manager.dead_letter_resolution == "not_set" or manager.dead_letter_queue == "":
        return Hop(kind, "", "DEADQ is blank", "blank")
    own = rows.authority
    lacking = _lacking(own, own.dead_letter_put, own.dead_letter_passall) if own else ""
    hop = Hop(kind, manager.dead_letter_queue or "", "", "sound")
    return _put_target(hop, manager.dead_letter_resolution, rows.dead_letter, lacking, threshold)


def _lacking(authority: Authority, put: bool | None, passall: bool | None) -> str:
    """``svcpay lacks passall``; blank where nothing that a move needs is known to be lacking."""
    rights = [right for right, held in (("put", put), ("passall", passall)) if held is False]
    return f"{authority.user} lacks {listed(rights)}" if rights else ""


def _put_target(hop: Hop, resolution: str | None, target: PutTarget | None, lacking: str, threshold: int | None) -> Hop:
    """What becomes of ``hop``, a queue that takes poison messages, where ``target`` is what its name leads to, and
    ``lacking`` says which rights on it are lacking.
    """
    if resolution in (None, "ambiguous"):
        return hop._replace(detail="exports differ" if resolution else "not known", state="unknown")
    if resolution in _BROKEN:
        return hop._replace(detail=_BROKEN[resolution], state="broken")
    unreachable = "no way there" if target is not None and target.reachable is False else ""
    elsewhere = "lost at the other queue manager" if target is not None and target.fails_elsewhere else ""
    flaw = (target and _flaw(target)) or unreachable or elsewhere or lacking
    if flaw:
        return hop._replace(detail=flaw, state="broken")
    if threshold == 0:
        return hop._replace(detail="never used", state="idle")
    return hop._replace(detail="remote" if resolution == "remote" else "")


def _flaw(target: PutTarget) -> str:
    """Why a queue keeps no message; blank where nothing speaks against it."""
    flaws = {
        "private and shared": target.name_clash,
        "PUT(DISABLED)": target.put_enabled is False,
        "MAXDEPTH(0)": target.no_room,
        "a model queue": target.model,
        "a transmission queue": target.transmission,
    }
    return next((words for words, there in flaws.items() if there), "")


def _bus(rows: FlowRows) -> list[Hop]:
    kind, destination = "exception destination", rows.destination
    if destination is None:
        unknown = Hop("bus destination", rows.endpoint.destination_jndi or "", "not known", "unknown")
        return [unknown, Hop(kind, "", "not known", "unknown")]
    limit = destination.max_failed_deliveries
    detail = f"maximum {limit} failed deliveries" if limit is not None else "not known"
    name = destination.name or rows.endpoint.destination_jndi or ""
    first = Hop("bus destination", name, detail, "sound" if limit is not None else "unknown")
    if destination.receive_allowed is False:
        first = first._replace(detail="receive not allowed", state="broken")
    named = destination.exception_destination_name or ""
    match destination.exception_destination, destination.exception_resolution:
        case "none", _:
            second = Hop(kind, "", "exceptionDestination is blank", "blank")
        case "system", _:
            second = Hop(kind, destination.system_exception_destination or "", "of the messaging engine", "sound")
        case "named", "not_defined":
            second = Hop(kind, named, "not defined", "broken")
        case "named", "resolved":
            second = Hop(kind, named, "", "sound")
            if destination.exception_send_allowed is False:
                second = second._replace(detail="send not allowed", state="broken")
            elif destination.exception_loops:
                second = second._replace(detail="leads back", state="broken")
        case _:
            second = Hop(kind, named, "not known", "unknown")
    return [first, second]
