"""Attributes that say what an endpoint reads and where it connects. No repair assigns them; a change of a user may."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

WIRING = ""
"""The setting of an assignment to such an attribute, which is none of the registry."""
DELETION = "-"
"""The setting of an assignment that takes its whole object away."""
ELEMENT = frozenset({"jndiName", "destinationJndiName", "authenticationAlias"})
"""Those of an activation specification that are no ``resourceProperties``."""
_SUBSCRIPTION = frozenset({"subscriptionDurability", "subscriptionName", "clientId"})
_MQ_CONNECTION = frozenset({"queueManager", "channel", "transportType", "providerVersion"})
_ADDRESS = frozenset({"hostName", "port", "connectionNameList", "ccdtURL", "host", "ccdtUrl"})

ATTRIBUTES: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "mq_specification": _MQ_CONNECTION
        | _SUBSCRIPTION
        | {
            "destination", "destinationType", "destinationLookup", "useJNDI", "connectionFactoryLookup",
            "sharedSubscription", "cloneSupport", "messageSelector", "userName", "jndiName", "authenticationAlias",
        },
        "bus_specification": _SUBSCRIPTION
        | {
            "destinationType", "destinationLookup", "busName", "shareDurableSubscriptions", "connectionFactoryLookup",
            "jndiName", "destinationJndiName",
        },
        "listener_service": frozenset({"maxMDBListenerRetries", "mdbListenerRecoveryInterval"}),
        "listener_port": frozenset({"destinationJNDIName", "connectionFactoryJNDIName"}),
        "connection_factory": _MQ_CONNECTION | {"jndiName", "clientID", "cloneSupport"},
        "destination": frozenset(
            {
                "jndiName", "externalJNDIName", "baseQueueName", "baseQueueManagerName", "baseTopicName",
                "brokerDurSubQueue", "persistence", "QueueName", "TopicName", "TopicSpace", "BusName",
            }
        ),
    }
)  # fmt: skip
"""Attributes that an overlay can give another value, by the kind of their object."""
UNJUDGED: Mapping[str, frozenset[str]] = MappingProxyType(
    {"mq_specification": _ADDRESS, "connection_factory": _ADDRESS}
)
"""Attributes that may lead to another queue manager, and of which no export says to which."""
