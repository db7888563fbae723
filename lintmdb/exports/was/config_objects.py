"""Configuration objects that a listing tells one by one, as a part of a cell.

Properties files and the output of wsadmin name objects by type and scope, with the attributes that the files of a
repository have. What a listing of an object leaves out is no default: nobody knows whether it is set (NOT_TOLD).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple

from lintmdb.exports.was.objects import (
    NOT_TOLD,
    ActivationSpec,
    CellConfig,
    ConnectionFactory,
    JmsDestination,
    ListenerPort,
    Scope,
    ServerConfig,
    Settings,
)
from lintmdb.exports.was.resources import (
    ALWAYS_PACKED,
    FACTORY,
    MQ_DESTINATION,
    POOL,
    PROPERTIES,
    SPEC,
    TLS_PROPERTIES,
    Provider,
    canonical_name,
    find_misspelt_of_specification,
    packed_pairs,
    provider_of,
)
from lintmdb.exports.was.server import find_misspelt_of_listener
from lintmdb.model.origins import Origin, Setting, resolved
from lintmdb.model.relations import Problem

FACTORIES = ("MQQueueConnectionFactory", "MQTopicConnectionFactory", "MQConnectionFactory")
ADAPTER_CLASSES = {
    "WebSphere MQ Resource Adapter": "com.ibm.mq.connector.",
    "IBM MQ Resource Adapter": "com.ibm.mq.connector.",
    "SIB JMS Resource Adapter": "com.ibm.ws.sib.api.jmsra.",
}
_TRANSACTION = ("totalTranLifetimeTimeout", "propogatedOrBMTTranLifetimeTimeout", "clientInactivityTimeout")
_PORT = ("connectionFactoryJNDIName", "destinationJNDIName", "maxSessions", "maxRetries", "maxMessages", "initialState")
_SERVICE = (
    "NON.ASF.RECEIVE.TIMEOUT", "NON.ASF.BMT.ROLLBACK.ENABLED", "MAX.RECOVERY.RETRIES", "RECOVERY.RETRY.INTERVAL",
    "ENABLE.ZOS.LP.RECOVERY",
)  # fmt: skip
_THREADS = ("maximumSize", "isGrowable")
_MQ_SPEC = (
    *ALWAYS_PACKED, "maxPoolDepth", "nonASFTimeout", "nonASFRollbackEnabled", "startTimeout",
    "destination", "destinationType", "useJNDI", "transportType", "channel", "queueManager", "providerVersion",
    "messageRetention", "messageSelector", "failIfQuiesce", "subscriptionDurability", "sharedSubscription",
    "subscriptionName", "clientId", "cloneSupport",
)  # fmt: skip
_BUS_SPEC = (
    "maxConcurrency", "maxBatchSize", "AutoStopSequentialMessageFailure", "failingMessageDelay", "destinationType",
    "busName", "subscriptionDurability", "shareDurableSubscriptions", "subscriptionName", "clientId",
)  # fmt: skip
READ = frozenset(
    {*SPEC, *MQ_DESTINATION, *FACTORY, *POOL, *_PORT, *_SERVICE, *_THREADS, *_TRANSACTION, *_MQ_SPEC, *_BUS_SPEC}
    | {"alias", "authDataAlias", "clusterName", "userId"}
    | {"QueueName", "TopicName", "TopicSpace", "BusName"}
)
"""Attributes and properties that make up a cell, besides those with names of people's own."""


@dataclass(slots=True)
class ConfigObject:
    """One object of a cell's configuration."""

    type: str
    """J2CActivationSpec, ListenerPort, MQQueue ..."""
    name: str
    cell: str | None
    """None where the listing does not tell it."""
    scope: Scope
    origin: Origin
    holder: str = ""
    """The name of the resource adapter or JMS provider that holds it; of a part of a server the type above it."""
    attributes: dict[str, Setting] = field(default_factory=dict[str, Setting])
    unset: set[str] = field(default_factory=set[str])
    """Attributes that the listing shows without a value."""
    groups: dict[str, dict[str, Setting]] = field(default_factory=dict[str, dict[str, Setting]])
    """``resourceProperties``, ``sessionPool`` ...: what is nested in it, by name. A listed group may be empty."""
    whole: frozenset[str] = frozenset()
    """The groups that are told to the last entry: what is not in them is not set. '' for the attributes."""

    def told(self, names: Collection[str], group: str = "") -> dict[str, Setting]:
        """The settings of a group, or the attributes, with NOT_TOLD for those of ``names`` that are not listed."""
        found = dict(self.groups.get(group, {}) if group else self.attributes)
        if group in self.whole:
            return found
        origin = self.origin._replace(text="")
        missing = {name: Setting(NOT_TOLD, origin) for name in names if name not in found and name not in self.unset}
        return found | missing


class Listed(NamedTuple):
    """The objects in one file, and what could not be understood."""

    objects: Sequence[ConfigObject]
    problems: Sequence[Problem] = ()


class _Place(NamedTuple):
    cell: str | None
    scope: Scope


def add_objects(cell: CellConfig, objects: Iterable[ConfigObject]) -> None:
    """Add objects of one cell to its configuration."""
    servers: dict[_Place, list[ConfigObject]] = {}
    for entry in objects:
        if entry.type == "J2CActivationSpec":
            cell.activation_specs.append(_activation_spec(entry))
            written = _written(entry.groups.get("resourceProperties", {}))
            cell.problems.extend(_of_cell(cell, find_misspelt_of_specification(entry.name, written)))
        elif entry.type in ("MQQueue", "MQTopic", "J2CAdminObject"):
            _add_destination(cell, entry)
        elif entry.type in FACTORIES or entry.type == "J2CConnectionFactory":
            cell.connection_factories.append(_factory(entry))
        elif entry.type == "VariableMap":
            cell.variables.setdefault(entry.scope, {}).update(entry.groups.get("entries", {}))
        elif entry.type == "JAASAuthData":
            if "alias" in entry.attributes and "userId" in entry.attributes:
                cell.aliases[entry.attributes["alias"].value] = entry.attributes["userId"]
        elif entry.scope.server or entry.type == "ListenerPort":  # whose server a script may not tell
            servers.setdefault(_Place(entry.cell, entry.scope), []).append(entry)
    for place, parts in servers.items():
        cell.servers.append(_server(place.scope, parts))
        for part in parts:
            if part.type == "MessageListenerService":
                written = _written(part.groups.get("properties", {}))
                cell.problems.extend(_of_cell(cell, find_misspelt_of_listener(place.scope.server or "", written)))


def _written(properties: Settings) -> list[tuple[str, Origin]]:
    """The custom properties that have a value, with their places."""
    return [
        (name, setting.origin if isinstance(setting.origin, Origin) else setting.origin.resolve())
        for name, setting in properties.items()
        if setting.value.strip()
    ]


def _of_cell(cell: CellConfig, problems: Iterable[Problem]) -> Iterable[Problem]:
    return (replace(problem, cell=cell.name) for problem in problems)


def _activation_spec(entry: ConfigObject) -> ActivationSpec:
    properties: dict[str, Setting] = {}
    packed = entry.groups.get("resourceProperties", {}).get("arbitraryProperties")
    for name, setting in entry.groups.get("resourceProperties", {}).items():
        if canonical_name(name) in PROPERTIES and name != "arbitraryProperties":
            properties[canonical_name(name)] = setting
    if packed is not None:
        for name, value in packed_pairs(packed.value):
            origin = resolved(packed.origin)
            properties[canonical_name(name)] = Setting(value, origin._replace(text=f'{name}="{value}"'))
    provider = _provider(entry, properties)
    names = {"wmq": _MQ_SPEC, "sib": _BUS_SPEC}.get(provider or "", ())
    if packed is not None or "arbitraryProperties" in entry.unset:
        names = tuple(name for name in names if name not in ALWAYS_PACKED)
    told = ConfigObject(
        entry.type, entry.name, entry.cell, entry.scope, entry.origin,
        groups={"resourceProperties": properties}, whole=entry.whole, unset=entry.unset,
    )  # fmt: skip
    needed = ("authenticationAlias", "destinationJndiName") if provider == "sib" else ("authenticationAlias",)
    return ActivationSpec(
        scope=entry.scope,
        name=entry.name,
        provider=provider,
        attributes={name: setting for name, setting in entry.told(needed).items() if name in SPEC},
        settings=told.told(names, "resourceProperties"),
        has_arbitrary_properties=packed is not None,
        adapter=_not_told(entry.origin, ("reconnectionRetryCount", "reconnectionRetryInterval", "maxConnections")),
        thread_pool="",
        origin=entry.origin,
        adapter_name=entry.holder,
    )


def _not_told(origin: Origin, names: Iterable[str]) -> Settings:
    return {name: Setting(NOT_TOLD, origin._replace(text="")) for name in names}


def _provider(entry: ConfigObject, settings: Mapping[str, Setting]) -> Provider | None:
    known = ADAPTER_CLASSES.get(entry.holder)
    if known is None and "destinationJndiName" in entry.attributes:
        return "sib"  # those of IBM MQ name their destination in a property
    return provider_of([known] if known else [], settings)


def _add_destination(cell: CellConfig, entry: ConfigObject) -> None:
    kind: Literal["queue", "topic"]
    if entry.type == "J2CAdminObject":
        settings = {**entry.attributes, **entry.groups.get("properties", {})}
        if not settings.keys() & {"QueueName", "TopicName"}:
            return
        kind = "queue" if "QueueName" in settings else "topic"
        names = {"jndiName", "QueueName", "TopicName", "TopicSpace", "BusName"}
        settings = {name: setting for name, setting in settings.items() if name in names}
        cell.destinations.append(JmsDestination(entry.scope, entry.name, "sib", kind, settings, entry.origin))
        return
    kind = "topic" if entry.type == "MQTopic" else "queue"
    needed = ("baseTopicName", "brokerDurSubQueue") if kind == "topic" else ("baseQueueName", "baseQueueManagerName")
    settings = {name: value for name, value in entry.told((*needed, "persistence")).items() if name in MQ_DESTINATION}
    cell.destinations.append(JmsDestination(entry.scope, entry.name, "wmq", kind, settings, entry.origin))


def _factory(entry: ConfigObject) -> ConnectionFactory:
    not_needed = ("jndiName", "externalJNDIName", *TLS_PROPERTIES)
    own = tuple(name for name in FACTORY if name not in not_needed)
    settings = {name: value for name, value in entry.told(own).items() if name in FACTORY}
    alias = entry.told(("authDataAlias",), "mapping").get("authDataAlias")
    if alias is not None:
        settings["containerAuthDataAlias"] = alias
    login = entry.groups.get("mapping", {}).get("mappingConfigAlias")
    if login is not None:
        settings["mappingConfigAlias"] = login
    return ConnectionFactory(
        scope=entry.scope,
        name=entry.name,
        provider="sib" if entry.type == "J2CConnectionFactory" else "wmq",
        settings={**settings, **entry.groups.get("resourceProperties", {})},
        session_pool=_pool(entry, "sessionPool"),
        origin=entry.origin,
        connection_pool=_pool(entry, "connectionPool"),
        parent=f"JMSProvider:{entry.holder}" if entry.holder else "",
        type=entry.type,
    )


def _pool(entry: ConfigObject, group: str) -> Settings:
    return {name: value for name, value in entry.told(POOL, group).items() if name in POOL}


def _server(scope: Scope, parts: Iterable[ConfigObject]) -> ServerConfig:
    """A server of which some parts are known."""
    by_type: dict[str, list[ConfigObject]] = {}
    for part in parts:
        by_type.setdefault(part.type, []).append(part)
    first = next(part for group in by_type.values() for part in group)
    service = next(iter(by_type.get("MessageListenerService", ())), None)
    transaction = next(iter(by_type.get("TransactionService", ())), None)
    pools: dict[str, Settings] = {}
    listener_pool: Settings = _not_told(first.origin, _THREADS)
    if service is not None and "threadPool" in service.groups:
        listener_pool = service.told(_THREADS, "threadPool")
    for pool in by_type.get("ThreadPool", ()):
        if pool.holder == "MessageListenerService":
            listener_pool = pool.told(_THREADS)
        else:
            pools[pool.name] = pool.told(_THREADS)
    server = next(iter(by_type.get("Server", ())), None)
    cluster = server.attributes.get("clusterName") if server is not None else None
    return ServerConfig(
        scope=scope,
        name=scope.server or "",
        cluster=cluster.value if cluster is not None and cluster.value.strip() else None,
        transaction_service=transaction.told(_TRANSACTION) if transaction is not None else None,
        listener_properties={**service.attributes, **service.told(_SERVICE, "properties")}
        if service is not None
        else _not_told(first.origin, _SERVICE),
        listener_thread_pool=listener_pool,
        thread_pools=pools,
        zos_properties={},
        listener_ports=tuple(_port(part) for part in by_type.get("ListenerPort", ())),
        origin=(server or first).origin,
        whole=False,
    )


def _port(entry: ConfigObject) -> ListenerPort:
    state = entry.groups.get("stateManagement", {})
    attributes = {name: value for name, value in {**entry.attributes, **state}.items() if name in _PORT}
    told = ConfigObject(
        entry.type, entry.name, entry.cell, entry.scope, entry.origin,
        attributes=attributes, unset=entry.unset, whole=entry.whole,
    )  # fmt: skip
    return ListenerPort(entry.name, told.told(_PORT), entry.origin)
