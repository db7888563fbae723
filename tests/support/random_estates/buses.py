"""Random service integration buses: queues, topic spaces, aliases and their exception destinations."""

from __future__ import annotations

from collections.abc import Mapping

from tests.support.random_estates.blocks import Block
from tests.support.random_estates.draw import Draw
from tests.support.random_estates.elements import Identifiers, document, element

BUS = "MainBus"
QUEUES: Mapping[str, float] = {"NOTICES": 6, "RECEIPTS": 4, "BY.ALIAS": 2, "BY.ALIAS.LOST": 0.7, "NO.DESTINATION": 0.7}
"""The queues that specifications of the bus name, by weight."""
SPACES: Mapping[str, float] = {"Space": 4, "Default.Topic.Space": 1, "BY.ALIAS.SPACE": 0.7}
_EXCEPTIONS: Mapping[str | None, float] = {
    "$DEFAULT_EXCEPTION_DESTINATION": 5, "": 2, None: 2, "FAILED": 3, "NO.DESTINATION": 1, "NOTICES": 0.7,
    "RECEIPTS": 0.7,
}  # fmt: skip
_RELIABILITIES = {"ASSURED_PERSISTENT": 8, "RELIABLE_PERSISTENT": 2, "BEST_EFFORT_NONPERSISTENT": 1, None: 2}


def destinations_file(draw: Draw, ids: Identifiers) -> Block:
    """sib-destinations.xml of the bus."""
    queues = [_destination(draw, ids, "SIBQueue", name) for name in ("NOTICES", "RECEIPTS", "FAILED")]
    spaces = [_destination(draw, ids, "SIBTopicSpace", name) for name in ("Space", "Default.Topic.Space")]
    aliases = [
        _alias(draw, ids, name, target)
        for name, target in (("BY.ALIAS", "NOTICES"), ("BY.ALIAS.LOST", "NOWHERE"), ("BY.ALIAS.SPACE", "Space"))
    ]
    return document("xmi:XMI", {}, ("sibresources",), [*queues, *spaces, *aliases])


def engines_file(draw: Draw, node: str, server: str) -> Block:
    """sib-engines.xml of a server."""
    return document(
        "sibresources:SIBMessagingEngine",
        {
            "xmi:id": "SIBMessagingEngine_1",
            "name": f"{node}.{server}-{BUS}",
            "busName": BUS,
            "initialState": "Started",
            "defaultBlockedRetryTimeout": draw.weighted({None: 4, "0": 1, "2000": 1}),
        },
        ("sibresources",),
    )


def _destination(draw: Draw, ids: Identifiers, kind: str, name: str) -> Block:
    return element(
        f"sibresources:{kind}",
        {
            "xmi:id": ids.next(kind),
            "identifier": name,
            "uuid": ids.next("uuid"),
            "reliability": draw.weighted(_RELIABILITIES),
            "maxReliability": "ASSURED_PERSISTENT",
            "maxFailedDeliveries": draw.weighted({None: 4, "5": 2, "0": 1, "1": 1, "2": 1}),
            "exceptionDestination": draw.weighted(_EXCEPTIONS),
            "exceptionDiscardReliability": draw.weighted({None: 6, "RELIABLE_PERSISTENT": 1}),
            "blockedRetryTimeout": draw.weighted({None: 6, "0": 1, "3000": 1}),
            "maintainStrictMessageOrder": draw.weighted({None: 6, "true": 1}),
            "persistRedeliveryCount": draw.weighted({None: 3, "true": 1}),
            "receiveExclusive": draw.weighted({None: 8, "true": 1}),
            "receiveAllowed": draw.weighted({None: 12, "false": 1}),
            "sendAllowed": draw.weighted({None: 8, "false": 1}),
        },
    )


def _alias(draw: Draw, ids: Identifiers, name: str, target: str) -> Block:
    return element(
        "sibresources:SIBDestinationAlias",
        {
            "xmi:id": ids.next("SIBDestinationAlias"),
            "identifier": name,
            "uuid": ids.next("uuid"),
            "bus": BUS,
            "targetIdentifier": target,
            "targetBus": draw.weighted({BUS: 6, "OtherBus": 1, None: 1}),
            "receiveAllowed": draw.weighted({None: 6, "INHERIT": 1, "false": 1}),
        },
    )
