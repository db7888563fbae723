"""Random server.xml: transaction service, message listener service and thread pools."""

from __future__ import annotations

from collections.abc import Sequence

from tests.support.random_estates.blocks import Block
from tests.support.random_estates.draw import Draw
from tests.support.random_estates.elements import Identifiers, document, element


def server_file(draw: Draw, ids: Identifiers, name: str, cluster: str | None, ports: Sequence[Block]) -> Block:
    """server.xml of an application server with its listener ports."""
    pools = element(
        "services",
        {"xmi:type": "threadpoolmanager:ThreadPoolManager", "xmi:id": ids.next("ThreadPoolManager")},
        [
            _pool(draw, ids, "threadPools", "WMQJCAResourceAdapter"),
            _pool(draw, ids, "threadPools", "SIBJMSRAThreadPool"),
        ],
    )
    transaction = element(
        "services",
        {
            "xmi:type": "applicationserver:TransactionService",
            "xmi:id": ids.next("TransactionService"),
            "totalTranLifetimeTimeout": draw.weighted({"120": 6, "0": 1, "600": 1, "120000": 0.5, "10": 1, None: 1}),
            "propogatedOrBMTTranLifetimeTimeout": draw.weighted({"300": 6, "0": 1, "60": 1, None: 1}),
        },
    )
    container = element(
        "components",
        {"xmi:type": "applicationserver.ejbcontainer:EJBContainer", "xmi:id": ids.next("EJBContainer")},
        [_listener_service(draw, ids, ports)],
    )
    server = element(
        "components",
        {"xmi:type": "applicationserver:ApplicationServer", "xmi:id": ids.next("ApplicationServer")},
        [transaction, container] if draw.chance(0.96) else [container],
    )
    return document(
        "process:Server",
        {"xmi:id": "Server_1", "name": name, "clusterName": cluster},
        (
            "process",
            "applicationserver",
            "applicationserver.ejbcontainer",
            "applicationserver.ejbcontainer.messagelistener",
            "threadpoolmanager",
        ),
        [pools, server],
    )


def _listener_service(draw: Draw, ids: Identifiers, ports: Sequence[Block]) -> Block:
    properties = {
        "NON.ASF.RECEIVE.TIMEOUT": draw.weighted({None: 9, "0": 1, "110000": 1.5, "130000": 0.7, "500": 0.5}),
        "NON.ASF.RECEIVE.TIMEOUT ": draw.weighted({None: 20, "9000": 1}),
        "NON.ASF.BMT.ROLLBACK.ENABLED": draw.weighted({None: 3, "true": 1}),
        "MAX.RECOVERY.RETRIES": draw.weighted({None: 4, "0": 1, "10": 1}),
        "RECOVERY.RETRY.INTERVAL": draw.weighted({None: 5, "10": 1}),
        "ENABLE.ZOS.LP.RECOVERY": draw.weighted({None: 2, "true": 1, "false": 1}),
        "SERVER.SESSION.POOL.REAP.TIME": draw.weighted({None: 6, "60": 1}),
    }
    entries = [
        element("properties", {"xmi:id": ids.next("Property"), "name": name, "value": value})
        for name, value in properties.items()
        if value is not None
    ]
    return element(
        "services",
        {
            "xmi:type": "applicationserver.ejbcontainer.messagelistener:MessageListenerService",
            "xmi:id": ids.next("MessageListenerService"),
        },
        [*entries, *ports, _pool(draw, ids, "threadPool", "Message.Listener.Pool")],
    )


def _pool(draw: Draw, ids: Identifiers, tag: str, name: str) -> Block:
    largest = draw.weighted({"50": 6, "4": 1, "20": 1})
    growable = draw.weighted({"false": 5, "true": 1, None: 3})
    return element(
        tag,
        {
            "xmi:id": ids.next("ThreadPool"),
            "name": name,
            "minimumSize": "1",
            "maximumSize": largest,
            "isGrowable": growable,
        },
    )
