"""Random resources of WebSphere: activation specifications, destinations and connection factories."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from tests.support.random_estates.blocks import Block
from tests.support.random_estates.draw import Draw
from tests.support.random_estates.elements import Identifiers, document, element
from tests.support.random_estates.queue_managers import CHANNELS, OPENED, TOPICS

_WMQ_CLASS = "com.ibm.mq.connector.inbound.ActivationSpecImpl"
_SIB_CLASS = "com.ibm.ws.sib.api.jmsra.impl.JmsJcaActivationSpecImpl"
_CHANNELS: Mapping[str, float] = dict(zip(CHANNELS, (10, 2, 0.5, 0.5), strict=True))
ALIASES: Mapping[str, float] = {"node/wasuser": 6, "node/mqapp": 2, "node/unknown": 0.5, "": 3}
"""J2C aliases by weight; one is not in security.xml."""

Scope = Literal["cell", "cluster", "node", "server", "application"]


@dataclass(frozen=True, slots=True)
class Resource:
    """An element of a resources.xml, and below which provider or adapter it stands."""

    parent: Literal["jms", "wmq", "sib"]
    block: Block


def activation_spec(
    draw: Draw, ids: Identifiers, name: str, manager: str, destination: str, *, topic: bool
) -> list[Resource]:
    """An activation specification of the IBM MQ adapter, and the destinations that it names."""
    lookup = draw.chance(0.08)
    direct = draw.chance(0.1)
    jndi = f"jms/d/{name}"
    queue = mq_destination(draw, ids, jndi, destination, manager, topic=topic)
    named = destination if direct else draw.weighted({jndi: 20.0, "jms/d/nowhere": 1.0})
    stop = draw.weighted({"true": 2, "false": 3})
    count = draw.weighted({"0": 3, "1": 1, "2": 1, "4": 3, "6": 2, "31": 1})
    kind = "Topic" if topic != draw.chance(0.03) else "Queue"
    properties: dict[str, str | None] = {
        "arbitraryProperties": draw.weighted(
            {
                f'was_stopEndpointIfDeliveryFails="{stop}",was_failureDeliveryCount="{count}",sslType="CENTRAL"': 9,
                'sslType="CENTRAL"': 1,
            }
        ),
        "channel": draw.weighted(_CHANNELS),
        "destination": named,
        "destinationLookup": jndi if lookup else None,
        "destinationType": f"javax.jms.{kind}",
        "failIfQuiesce": draw.weighted({"true": 9, "false": 1}),
        "maxPoolDepth": draw.weighted({"1": 3, "5": 3, "10": 3, "60": 0.5}),
        "messageRetention": draw.weighted({"YES": 9, "NO": 1}),
        "messageSelector": "kind = 'a'" if draw.chance(0.1) else None,
        "nonASFRollbackEnabled": draw.weighted({"true": 6, "false": 1, None: 2}),
        "nonASFTimeout": draw.weighted({"0": 9, "500": 0.5, "110000": 1.5, "130000": 0.5}),
        "providerVersion": draw.weighted({"UNSPECIFIED": 9, "6": 0.5}),
        "queueManager": draw.weighted({manager: 20.0, "": 1.0, "*GROUP": 0.5, manager.lower(): 0.5}),
        "startTimeout": draw.weighted({"10000": 6, "2000": 1}),
        "subscriptionDurability": draw.weighted({"NonDurable": 2, "Durable": 1}) if topic else None,
        "transportType": draw.weighted({"CLIENT": 9, "BINDINGS": 2}),
        "useJNDI": "false" if direct else "true",
        "WAS_EndpointInitialState": draw.weighted({"ACTIVE": 9, "INACTIVE": 1}),
        draw.weighted({"maxSequentialDeliveryFailures": 9.0, "NON.ASF.RECEIVE.TIMEOUT": 1.0}): "500",
    }
    spec = element(
        "j2cActivationSpec",
        {
            "xmi:id": ids.next("J2CActivationSpec"),
            "name": name,
            "jndiName": f"jms/as/{name}",
            "authenticationAlias": draw.weighted(ALIASES),
            "activationSpec": "ActivationSpec_wmq",
        },
        [_property(ids, key, value) for key, value in properties.items() if value is not None],
    )
    return [Resource("wmq", spec), Resource("jms", queue)]


def bus_spec(draw: Draw, ids: Identifiers, name: str, bus: str, destination: str, *, topic: bool) -> list[Resource]:
    """An activation specification of the bus, and its destination."""
    jndi = f"jms/b/{name}"
    properties = {
        "maxConcurrency": draw.weighted({"1": 1, "10": 3}),
        "maxBatchSize": draw.weighted({"1": 4, "5": 1}),
        "AutoStopSequentialMessageFailure": draw.weighted({"0": 4, "1": 1, "3": 1}),
        "failingMessageDelay": draw.weighted({"0": 5, "1000": 1}),
        "destinationType": f"javax.jms.{'Topic' if topic else 'Queue'}",
    }
    spec = element(
        "j2cActivationSpec",
        {
            "xmi:id": ids.next("J2CActivationSpec"),
            "name": name,
            "jndiName": f"jms/as/{name}",
            "destinationJndiName": jndi,
            "activationSpec": "ActivationSpec_sib",
        },
        [_property(ids, key, value) for key, value in properties.items()],
    )
    own = {"TopicSpace": destination, "TopicName": "news"} if topic else {"QueueName": destination}
    if draw.chance(0.85):
        own["BusName"] = bus
    entries = [
        element("properties", {"xmi:id": ids.next("P"), "name": key, "type": "java.lang.String", "value": value})
        for key, value in own.items()
    ]
    admin = element(
        "j2cAdminObjects",
        {"xmi:id": ids.next("J2CAdminObject"), "name": f"{name}D", "jndiName": jndi, "adminObject": "AdminObject_1"},
        entries,
    )
    return [Resource("sib", spec), Resource("sib", admin)]


def mq_destination(draw: Draw, ids: Identifiers, jndi: str, name: str, manager: str, *, topic: bool) -> Block:
    """A queue or topic of IBM MQ."""
    other = draw.weighted({None: 16.0, manager: 2.0, "OTHER": 0.7})
    own = {"baseTopicName": name} if topic else {"baseQueueName": name, "baseQueueManagerName": other}
    kind = "MQTopic" if topic else "MQQueue"
    return element(
        "factories",
        {
            "xmi:type": f"resources.jms.mqseries:{kind}",
            "xmi:id": ids.next(kind),
            "name": jndi.rpartition("/")[2],
            "jndiName": jndi,
            "persistence": "APPLICATION_DEFINED",
            **own,
        },
    )


def connection_factory(draw: Draw, ids: Identifiers, jndi: str, manager: str) -> Block:
    """A connection factory of IBM MQ, for a listener port."""

    def pool(tag: str) -> Block:
        largest = draw.weighted({"10": 5, "1": 1, "50": 1})
        return element(tag, {"xmi:id": ids.next("ConnectionPool"), "maxConnections": largest, "minConnections": "1"})

    mapping = element(
        "mapping",
        {"xmi:id": ids.next("MappingModule"), "authDataAlias": draw.weighted(ALIASES), "mappingConfigAlias": ""},
    )
    return element(
        "factories",
        {
            "xmi:type": "resources.jms.mqseries:MQQueueConnectionFactory",
            "xmi:id": ids.next("MQQueueConnectionFactory"),
            "name": jndi.rpartition("/")[2],
            "jndiName": jndi,
            "authDataAlias": draw.weighted(ALIASES),
            "XAEnabled": draw.weighted({"true": 8, "false": 1}),
            "queueManager": manager,
            "transportType": draw.weighted({"CLIENT": 5, "BINDINGS": 2, "BINDINGS_THEN_CLIENT": 1}),
            "channel": draw.weighted(_CHANNELS),
        },
        [pool("connectionPool"), pool("sessionPool"), *([mapping] if draw.chance(0.3) else [])],
    )


def resources_file(ids: Identifiers, found: list[Resource]) -> Block:
    """The resources.xml of one scope."""

    def below(parent: str) -> list[Block]:
        return [resource.block for resource in found if resource.parent == parent]

    return document(
        "xmi:XMI",
        {},
        ("resources.j2c", "resources.jms", "resources.jms.mqseries"),
        [
            element(
                "resources.jms:JMSProvider",
                {"xmi:id": "builtin_mqprovider", "name": "WebSphere MQ JMS Provider"},
                below("jms"),
            ),
            *(_adapter(ids, parent, below(parent)) for parent in ("wmq", "sib") if below(parent)),
        ],
    )


def _adapter(ids: Identifiers, kind: str, below: list[Block]) -> Block:
    name, of_class, pool = {
        "wmq": ("WebSphere MQ Resource Adapter", _WMQ_CLASS, "WMQJCAResourceAdapter"),
        "sib": ("SIB JMS Resource Adapter", _SIB_CLASS, "SIBJMSRAThreadPool"),
    }[kind]
    part = element("activationSpec", {"xmi:id": f"ActivationSpec_{kind}", "activationSpecClass": of_class})
    for tag in ("messageListeners", "messageAdapter", "inboundResourceAdapter", "resourceAdapter"):
        part = element(tag, {"xmi:id": ids.next(tag)}, [part])
    descriptor = element("deploymentDescriptor", {"xmi:id": ids.next("Connector"), "version": "9.0.0.3"}, [part])
    return element(
        "resources.j2c:J2CResourceAdapter",
        {"xmi:id": ids.next("J2CResourceAdapter"), "name": name, "threadPoolAlias": pool},
        [descriptor, *below],
    )


def _property(ids: Identifiers, name: str, value: str) -> Block:
    return element(
        "resourceProperties", {"xmi:id": ids.next("P"), "name": name, "type": "java.lang.String", "value": value}
    )


def opened_name(draw: Draw) -> str:
    """The name of a queue that a destination leads to, or to nothing."""
    return draw.weighted(OPENED)


def topic_name(draw: Draw) -> str:
    """A topic string, at times with a wildcard."""
    return draw.weighted({**dict.fromkeys(TOPICS, 3.0), "orders/#": 1.0})
