"""Files of the service integration bus: sib-destinations.xml and sib-engines.xml."""

from __future__ import annotations

from collections.abc import Sequence

from lintmdb.exports.was.objects import BusDestination, MessagingEngine, Scope
from lintmdb.exports.xml import Document, Element, parse_xml

_DESTINATION = (
    "maxFailedDeliveries",
    "exceptionDestination",
    "blockedRetryTimeout",
    "maintainStrictMessageOrder",
    "reliability",
    "maxReliability",
    "exceptionDiscardReliability",
    "persistRedeliveryCount",
    "sendAllowed",
    "receiveAllowed",
    "receiveExclusive",
    "targetIdentifier",
    "targetBus",
)
_ENGINE = ("busName", "defaultBlockedRetryTimeout", "initialState")
_KINDS = frozenset(
    {"SIBQueue", "SIBTopicSpace", "SIBPort", "SIBWebService", "SIBDestinationAlias", "SIBDestinationForeign"}
)


def read_destinations(data: bytes, path: str, bus: str) -> list[BusDestination]:
    """The destinations of one bus, from sib-destinations.xml. Raises UnreadableError."""
    document = parse_xml(data, path)
    return [_destination(document, e, bus) for e in _roots(document) if e.tag in _KINDS and e.get("identifier")]


def read_engines(data: bytes, path: str, scope: Scope) -> list[MessagingEngine]:
    """The messaging engines of one server or cluster, from sib-engines.xml. Raises UnreadableError."""
    document = parse_xml(data, path, skip=("localizationPoints", "dataStore", "fileStore", "mqLink"))
    return [_engine(document, e, scope) for e in _roots(document) if e.tag == "SIBMessagingEngine"]


def _roots(document: Document) -> Sequence[Element]:
    return document.root.children if document.root.tag == "XMI" else [document.root]


def _destination(document: Document, element: Element, bus: str) -> BusDestination:
    identifier = element.get("identifier")
    points = tuple(
        (point.get("cluster"), point.get("node"), point.get("server")) for point in element.all("localizationPointRefs")
    )
    settings = document.settings(element, _DESTINATION)
    return BusDestination(
        bus, element.tag, identifier, settings, points, document.origin(element, f"bus destination {identifier}")
    )


def _engine(document: Document, element: Element, scope: Scope) -> MessagingEngine:
    settings = document.settings(element, _ENGINE)
    for entry in element.all("properties"):
        name, value = entry.get("name"), entry.attributes.get("value")
        if name and value is not None:
            settings[name] = document.setting(entry, "value", f'{name} value="{value}"')
    name = element.get("name")
    return MessagingEngine(
        scope, element.get("busName"), name, settings, document.origin(element, f"messaging engine {name}")
    )
