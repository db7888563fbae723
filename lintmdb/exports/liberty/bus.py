"""The messaging engine of a Liberty server as destinations of a bus.

Source: Open Liberty's messaging runtime (the metatype of ``queue``, and how it fills the destination of the bus).
"""

from __future__ import annotations

from collections.abc import Iterator

from lintmdb.exports.liberty.merging import Merged
from lintmdb.exports.liberty.values import Attributes, Expand, expanded
from lintmdb.exports.was.objects import BusDestination, CellConfig, MessagingEngine, Scope, Settings
from lintmdb.model.origins import Origin, Setting

BUS = "defaultBus"
"""Every Liberty server with a messaging engine is a bus by itself."""
DEFAULT_QUEUE, DEFAULT_TOPIC_SPACE = "Default.Queue", "Default.Topic.Space"
SYSTEM_EXCEPTION = "_SYSTEM.Exception.Destination"
_SYSTEM = "$DEFAULT_EXCEPTION_DESTINATION"
_SEND, _KEEP, DISCARD = "SEND_TO_EXCEPTION_DESTINATION", "KEEP_TRYING", "DISCARD"
_RELIABILITIES = {
    "besteffortnonpersistent": "BEST_EFFORT_NONPERSISTENT",
    "expressnonpersistent": "EXPRESS_NONPERSISTENT",
    "reliablenonpersistent": "RELIABLE_NONPERSISTENT",
    "reliablepersistent": "RELIABLE_PERSISTENT",
    "assuredpersistent": "ASSURED_PERSISTENT",
}
POLICY = "failedDeliveryPolicy"
_BY_POLICY = frozenset({"exceptionDestination", "exceptionDiscardReliability"})
_KINDS = {"queue": "SIBQueue", "topicSpace": "SIBTopicSpace"}
_ENGINE_FEATURES = ("wasjmsserver-", "messagingserver-")


def has_engine(engine: Merged | None, features: set[str]) -> bool:
    """Whether a server runs a messaging engine: it configures one, or has the feature that brings one."""
    return engine is not None or any(name.startswith(_ENGINE_FEATURES) for name in features)


def add_engine(cell: CellConfig, server: str, engine: Merged | None, expand: Expand, origin: Origin) -> None:
    """Add the destinations of a server's messaging engine, those that it always has included."""
    place = engine.origin if engine is not None else origin
    if engine is None or not engine.open:  # a missing file may have more of its destinations
        cell.buses.add(BUS)
    cell.engines.append(MessagingEngine(Scope(server=server), BUS, "defaultME", {}, place))
    known: set[str] = set()
    for child in engine.children if engine is not None else ():
        if not child.id or child.id in known:
            continue
        if child.tag in _KINDS:
            known.add(child.id)
            settings = dict(_settings(child, expand))
            cell.bus_destinations.append(_destination(_KINDS[child.tag], child.id, settings, child.origin))
        elif child.tag == "alias":
            known.add(child.id)
            cell.bus_destinations.append(
                _destination("SIBDestinationAlias", child.id, _alias(child, expand), child.origin)
            )
    untold = engine is not None and engine.open
    for name, tag in ((DEFAULT_QUEUE, "queue"), (DEFAULT_TOPIC_SPACE, "topicSpace")):
        if name not in known:
            settings = dict(_settings(Merged(tag, name, place, open=untold), expand))
            cell.bus_destinations.append(_destination(_KINDS[tag], name, settings, place))
    if SYSTEM_EXCEPTION not in known:
        text = f"{SYSTEM_EXCEPTION} has no exception destination of its own"
        settings = {"exceptionDestination": Setting("", place._replace(text=text, default=True))}
        cell.bus_destinations.append(_destination("SIBQueue", SYSTEM_EXCEPTION, settings, place))


def _destination(kind: str, name: str, settings: dict[str, Setting], origin: Origin) -> BusDestination:
    return BusDestination(BUS, kind, name, settings, (), origin)


def _settings(queue: Merged, expand: Expand) -> Iterator[tuple[str, Setting]]:
    """The settings of a queue or topic space, by the names that they have on a bus."""
    attributes = expanded(queue, expand)
    for name in ("sendAllowed", "receiveAllowed"):
        allowed = attributes.get(name)
        if allowed is not None:
            yield name, allowed
    order = attributes.get("maintainStrictOrder")
    if order is not None:
        # Only one consumer can keep the order, so the same attribute makes receiving exclusive.
        yield "maintainStrictMessageOrder", order
        yield "receiveExclusive", order
    reliability = attributes.get("forceReliability")
    if reliability is not None:
        word = _RELIABILITIES.get(reliability.value.strip().lower(), reliability.value)
        yield "reliability", Setting(word, reliability.origin)
    yield from _failures(queue, attributes)


def _failures(queue: Merged, attributes: Attributes) -> Iterator[tuple[str, Setting]]:
    """What becomes of a message that fails too often."""
    most = attributes.get("maxRedeliveryCount")
    if most is not None:
        # The engine compares the failures with it after each of them: what is below 1 gives up at the first one.
        yield "maxFailedDeliveries", Setting("0", most.origin) if most.value.strip().startswith("-") else most
    interval = attributes.get("redeliveryInterval")
    number = interval.value.strip() if interval is not None else ""
    # What is below 1 counts as not set, and then the engine's own interval holds.
    if interval is not None and not number.startswith("-") and number.strip("0"):
        yield "blockedRetryTimeout", interval
    text = f"failedDeliveryPolicy not set: {_SEND} is Liberty's default"
    default = Setting(_SEND, queue.origin._replace(text=text, default=True))
    written = attributes.get("failedDeliveryPolicy")
    policy = written or default
    word = policy.value.strip()
    if written is not None:
        yield POLICY, Setting(word, policy.origin)
    if word == _KEEP:
        yield "exceptionDestination", Setting("", policy.origin)
    elif word == DISCARD:
        yield "exceptionDiscardReliability", Setting("ASSURED_PERSISTENT", policy.origin)
    elif word == _SEND:
        named = attributes.get("exceptionDestination") or Setting(SYSTEM_EXCEPTION, policy.origin)
        name = named.value.strip() or SYSTEM_EXCEPTION
        yield "exceptionDestination", Setting(_SYSTEM if name == SYSTEM_EXCEPTION else name, named.origin)
    # What any other policy does is not known.


def with_policy(settings: Settings) -> Settings:
    """The settings of a queue with what its ``failedDeliveryPolicy``, where they have one, means on a bus."""
    policy = settings.get(POLICY)
    if policy is None or policy.value == DISCARD:
        return settings
    others = {name: s for name, s in settings.items() if name not in _BY_POLICY}
    return {**others, "exceptionDestination": Setting("" if policy.value == _KEEP else _SYSTEM, policy.origin)}


def _alias(alias: Merged, expand: Expand) -> dict[str, Setting]:
    attributes = expanded(alias, expand)
    text = f"targetDestination not set: {DEFAULT_QUEUE} is Liberty's default"
    default = Setting(DEFAULT_QUEUE, alias.origin._replace(text=text, default=True))
    settings = {"targetIdentifier": attributes.get("targetDestination") or default}
    allowed = attributes.get("sendAllowed")
    return settings if allowed is None else {**settings, "sendAllowed": allowed}
