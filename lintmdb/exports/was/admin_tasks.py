"""The objects that AdminTask creates and shows, from the parameters that its commands use for them.

The commands of AdminTask have names of their own for what the repository's files call otherwise: ``maxPoolSize`` is
the property maxPoolDepth of an activation specification.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from lintmdb.exports.was.config_objects import ConfigObject
from lintmdb.exports.was.objects import Scope
from lintmdb.model.origins import Origin, Setting

_MQ_ADAPTER, _BUS_ADAPTER = "WebSphere MQ Resource Adapter", "SIB JMS Resource Adapter"
_MQ_PROVIDER = "WebSphere MQ JMS Provider"
_PERSISTENCE = {"APP": "APPLICATION_DEFINED", "QDEF": "QUEUE_DEFINED", "PERS": "PERSISTENT", "NON": "NONPERSISTENT"}
_FACTORY_TYPES = {"CF": "MQConnectionFactory", "QCF": "MQQueueConnectionFactory", "TCF": "MQTopicConnectionFactory"}


class _Kind(NamedTuple):
    """How the commands for one kind of object name what the repository's files have."""

    type: str
    holder: str
    attributes: Mapping[str, str]
    group: str = ""
    properties: Mapping[str, str] = {}


_CONNECTION = {
    "qmgrName": "queueManager",
    "qmgrSvrconnChannel": "channel",
    "wmqTransportType": "transportType",
    "providerVersion": "providerVersion",
    "failIfQuiescing": "failIfQuiesce",
}
_SUBSCRIPTION = {name: name for name in ("subscriptionDurability", "subscriptionName", "clientId", "messageSelector")}
_KINDS = {
    "WMQActivationSpec": _Kind(
        "J2CActivationSpec",
        _MQ_ADAPTER,
        {"jndiName": "jndiName", "authAlias": "authenticationAlias"},
        "resourceProperties",
        {
            **_CONNECTION, **_SUBSCRIPTION,
            "destinationJndiName": "destination", "destinationType": "destinationType", "maxPoolSize": "maxPoolDepth",
            "qmgrHostname": "hostName", "qmgrPortNumber": "port", "connectionNameList": "connectionNameList",
            "ccdtUrl": "ccdtURL", "secExit": "securityExit", "startTimeout": "startTimeout",
            "msgRetention": "messageRetention",
            "stopEndpointIfDeliveryFails": "was_stopEndpointIfDeliveryFails",
            "failureDeliveryCount": "was_failureDeliveryCount",
        },
    ),
    "SIBJMSActivationSpec": _Kind(
        "J2CActivationSpec",
        _BUS_ADAPTER,
        {
            "jndiName": "jndiName",
            "destinationJndiName": "destinationJndiName",
            "authenticationAlias": "authenticationAlias",
        },
        "resourceProperties",
        {
            **_SUBSCRIPTION,
            **{n: n for n in ("destinationType", "busName", "maxConcurrency", "maxBatchSize", "failingMessageDelay",
                              "shareDurableSubscriptions", "destinationLookup", "connectionFactoryLookup")},
            "autoStopSequentialMessageFailure": "AutoStopSequentialMessageFailure",
        },
    ),
    "WMQQueue": _Kind(
        "MQQueue", _MQ_PROVIDER,
        {"jndiName": "jndiName", "queueName": "baseQueueName", "qmgr": "baseQueueManagerName",
         "persistence": "persistence"},
    ),
    "WMQTopic": _Kind(
        "MQTopic", _MQ_PROVIDER,
        {"jndiName": "jndiName", "topicName": "baseTopicName", "brokerDurSubQueue": "brokerDurSubQueue",
         "persistence": "persistence"},
    ),
    "WMQConnectionFactory": _Kind(
        "MQConnectionFactory", _MQ_PROVIDER,
        {**_CONNECTION, "jndiName": "jndiName", "qmgrHostname": "host", "qmgrPortNumber": "port",
         "componentAuthAlias": "authDataAlias", "supportXA": "XAEnabled", "msgRetention": "msgRetention",
         "secExit": "secExit", "clientId": "clientID"},
        "mapping", {"containerAuthAlias": "authDataAlias"},
    ),
    "SIBJMSQueue": _Kind(
        "J2CAdminObject", _BUS_ADAPTER, {"jndiName": "jndiName"},
        "properties", {"queueName": "QueueName", "busName": "BusName"},
    ),
    "SIBJMSTopic": _Kind(
        "J2CAdminObject", _BUS_ADAPTER, {"jndiName": "jndiName"},
        "properties", {"topicName": "TopicName", "topicSpace": "TopicSpace", "busName": "BusName"},
    ),
}  # fmt: skip
KINDS = frozenset(_KINDS)
"""What stands behind ``create``, ``show`` and ``list`` in the names of the commands."""
PARAMETERS = frozenset(name for kind in _KINDS.values() for name in (*kind.attributes, *kind.properties))
"""All parameters that are read."""
_LOCAL = frozenset({"resourceProperties", "properties", "mapping", "sessionPool", "connectionPool", ""})


def task_object(
    kind: str, parameters: Mapping[str, Setting], *, cell: str | None, scope: Scope, origin: Origin, created: bool
) -> ConfigObject:
    """The object that parameters of a command describe; ``kind`` is one of KINDS.

    ``created``: they are those of a command that creates it, so that what is not given has its default.
    """
    known = _KINDS[kind]
    name = parameters["name"].value if "name" in parameters else ""
    type_ = parameters.get("type")
    found = (
        _FACTORY_TYPES.get(type_.value.upper(), known.type) if kind == "WMQConnectionFactory" and type_ else known.type
    )
    entry = ConfigObject(
        found, name, cell, scope, origin, holder=known.holder, whole=_LOCAL if created else frozenset[str]()
    )
    for written, setting in parameters.items():
        if written in known.attributes:
            attribute = known.attributes[written]
            if attribute == "persistence":
                setting = setting._replace(value=_PERSISTENCE.get(setting.value.upper(), setting.value))
            entry.attributes[attribute] = setting
        elif written in known.properties:
            entry.groups.setdefault(known.group, {})[known.properties[written]] = setting
    if kind == "WMQActivationSpec" and "destinationJndiName" in parameters:
        # The command takes nothing but a JNDI name.
        place = parameters["destinationJndiName"].origin
        entry.groups.setdefault(known.group, {})["useJNDI"] = Setting("true", place)
    return entry
