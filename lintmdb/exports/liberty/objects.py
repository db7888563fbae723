"""The objects of a Liberty server, in the words of WebSphere's: activation specifications, destinations, connection
factories, users, the transaction service and the applications.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Mapping
from typing import Literal, NamedTuple

from lintmdb.exports.liberty.bus import BUS, DEFAULT_QUEUE, DEFAULT_TOPIC_SPACE, add_engine, has_engine
from lintmdb.exports.liberty.durations import plain_number
from lintmdb.exports.liberty.merging import Configuration, Merged
from lintmdb.exports.liberty.values import Expand, expanded
from lintmdb.exports.liberty.variables import LibertyVariables
from lintmdb.exports.was.objects import (
    ActivationSpec,
    Application,
    BeanBinding,
    CellConfig,
    ConnectionFactory,
    JmsDestination,
    MessageDrivenBean,
    Module,
    Scope,
    ServerConfig,
)
from lintmdb.model.origins import Origin, Setting

Provider = Literal["wmq", "sib", "generic"]
_APPLICATIONS = ("application", "webApplication", "ejbApplication", "enterpriseApplication")
_FACTORIES = ("jmsConnectionFactory", "jmsQueueConnectionFactory", "jmsTopicConnectionFactory")
_SPECIFICATION = [
    "acknowledgeMode",
    "ccdtURL",
    "channel",
    "clientId",
    "cloneSupport",
    "connectionFactoryLookup",
    "connectionNameList",
    "destination",
    "destinationLookup",
    "destinationType",
    "failIfQuiesce",
    "failingMessageDelay",
    "hostName",
    "maxBatchSize",
    "maxConcurrency",
    "maxPoolDepth",
    "maxSequentialDeliveryFailures",
    "messageRetention",
    "messageSelector",
    "nonASFRollbackEnabled",
    "nonASFTimeout",
    "port",
    "providerVersion",
    "queueManager",
    "sharedSubscription",
    "startTimeout",
    "subscriptionDurability",
    "subscriptionName",
    "transportType",
    "useJNDI",
    "userName",
]
_DESTINATION = ["baseQueueName", "baseQueueManagerName", "baseTopicName"]
_FACTORY = ["ccdtURL", "channel", "clientID", "providerVersion", "queueManager", "transportType"]
_ADAPTER = ["maxConnections", "reconnectionRetryCount", "reconnectionRetryInterval"]
_MILLISECONDS = frozenset({"startTimeout", "nonASFTimeout", "reconnectionRetryInterval", "failingMessageDelay"})
_TRANSACTION = ["totalTranLifetimeTimeout", "propogatedOrBMTTranLifetimeTimeout", "clientInactivityTimeout"]
_MQ_ARCHIVE = re.compile(r"wmq\.(?:jakarta\.)?jmsra", re.IGNORECASE)
_SUFFIX = re.compile(r"\.(?:ear|war|jar|rar|eba|zip)(?:\.xml)?\Z", re.IGNORECASE)


class _Adapter(NamedTuple):
    """The resource adapter behind ``properties.ID``."""

    provider: Provider | None
    generic: bool
    """It is installed with ``<resourceAdapter>``."""
    settings: Mapping[str, Setting]


def fill_cell(
    cell: CellConfig, name: str, configuration: Configuration, variables: LibertyVariables, origin: Origin
) -> None:
    """Add what the merged configuration of a server says to its cell."""
    builder = _Builder(cell, name, configuration, variables.expand)
    cell.variables[Scope()] = variables.known()
    cell.servers.append(_server(name, configuration, variables.expand, origin))
    builder.users()
    builder.destinations()
    builder.factories()
    builder.specifications()
    builder.applications()
    features = {
        variables.expand(feature.text).strip().lower()
        for manager in configuration.all("featureManager")
        for feature in manager.all("feature")
    }
    engine = next(iter(configuration.all("messagingEngine")), None)
    if has_engine(engine, features):
        add_engine(cell, name, engine, variables.expand, origin)


def _server(name: str, configuration: Configuration, expand: Expand, origin: Origin) -> ServerConfig:
    transaction = next(iter(configuration.all("transaction")), None)
    written = expanded(transaction, expand) if transaction is not None else {}
    timeouts = {
        known: Setting(plain_number(setting.value, 1000), setting.origin)
        for known in _TRANSACTION
        if (setting := written.get(known.lower())) is not None
    }
    return ServerConfig(
        scope=Scope(server=name),
        name=name,
        cluster=None,
        transaction_service=timeouts,
        listener_properties={},
        listener_thread_pool={},
        thread_pools={},
        zos_properties={},
        listener_ports=(),
        origin=transaction.origin if transaction is not None else origin,
    )


def _named(attributes: Mapping[str, Setting], names: Iterable[str]) -> dict[str, Setting]:
    """The attributes of some names, whatever their case, with durations in milliseconds."""
    found: dict[str, Setting] = {}
    for name in names:
        setting = attributes.get(name.lower())
        if setting is not None:
            value = plain_number(setting.value, 1) if name in _MILLISECONDS else setting.value
            found[name] = Setting(value, setting.origin)
    return found


def _properties(element: Merged) -> Merged | None:
    """The first child ``properties.ID`` of an element."""
    return next((child for child in element.children if child.tag.startswith("properties.")), None)


class _Builder:
    def __init__(self, cell: CellConfig, name: str, configuration: Configuration, expand: Expand) -> None:
        self._cell = cell
        self._scope = Scope(server=name)
        self._configuration = configuration
        self._expand = expand
        self._adapters = self._installed()
        self._jndi: dict[str, str] = {}
        """The JNDI name of each destination by its id."""

    def _installed(self) -> dict[str, _Adapter]:
        """Resource adapters by the id that follows ``properties.`` in the elements that use them."""
        client = next(iter(self._configuration.all("wmqJmsClient")), None)
        settings = _named(expanded(client, self._expand), _ADAPTER) if client is not None else {}
        found = {"wmqJms": _Adapter("wmq", False, settings), "wasJms": _Adapter("sib", False, {})}
        for element in self._configuration.all("resourceAdapter"):
            attributes, own = expanded(element, self._expand), _properties(element)
            location = attributes["location"].value if "location" in attributes else ""
            file = posixpath.basename(location.replace("\\", "/"))
            provider: Provider | None = "wmq" if _MQ_ARCHIVE.search(file) else "generic"
            if not file or "${" in file or element.id in found:
                provider = None
            settings = _named(expanded(own, self._expand), _ADAPTER) if own is not None else {}
            found[element.id or _SUFFIX.sub("", file)] = _Adapter(provider, True, settings)
        return found

    def _adapter(self, properties: Merged | None) -> _Adapter:
        name = properties.tag.removeprefix("properties.") if properties is not None else ""
        return self._adapters.get(name, _Adapter(None, True, {}))

    def users(self) -> None:
        """authData: the users, never their passwords."""
        for element in self._configuration.all("authData"):
            self._user(element, element.id)

    def _user(self, element: Merged, alias: str) -> None:
        user = element.attributes.get("user")
        if alias and user is not None:
            value = self._expand(user.value)
            if "${" not in value:
                self._cell.aliases[alias] = Setting(value, user.origin)

    def _user_of(self, element: Merged, reference: str) -> Setting | None:
        """The alias that an element names, or that of the authData inside it."""
        inner = next(element.all("authData"), None)
        if inner is not None:
            alias = f"{element.tag} {element.id}"
            self._user(inner, alias)
            return Setting(alias, inner.origin)
        named = element.attributes.get(reference)
        return Setting(self._expand(named.value), named.origin) if named is not None else None

    def destinations(self) -> None:
        """jmsQueue, jmsTopic and jmsDestination."""
        for element in self._configuration.all("jmsQueue", "jmsTopic", "jmsDestination"):
            properties = _properties(element)
            provider = self._adapter(properties).provider
            own = expanded(properties, self._expand) if properties is not None else {}
            named = expanded(element, self._expand).get("jndiname")
            jndi = named if named is not None and named.value.strip() else Setting(element.id, element.origin)
            if not jndi.value.strip() or provider is None:
                continue
            if element.id:
                self._jndi[element.id] = jndi.value.strip()
            settings = {"jndiName": jndi, **_named(own, _DESTINATION)}
            topic = element.tag == "jmsTopic" or (element.tag == "jmsDestination" and "basetopicname" in own)
            if provider == "sib":
                settings.update(_on_bus(own, element.origin, topic=topic))
            self._cell.destinations.append(
                JmsDestination(
                    self._scope, element.id or jndi.value, provider, "topic" if topic else "queue", settings,
                    element.origin,
                )
            )  # fmt: skip

    def factories(self) -> None:
        """Connection factories, which activation specifications may look up."""
        for element in self._configuration.all(*_FACTORIES):
            properties, attributes = _properties(element), expanded(element, self._expand)
            provider, jndi = self._adapter(properties).provider, attributes.get("jndiname")
            if provider is None or jndi is None:
                continue
            own = expanded(properties, self._expand) if properties is not None else {}
            settings = {"jndiName": jndi, **_named(own, _FACTORY), "BusName": _bus(own, element.origin)}
            name = element.id or jndi.value
            self._cell.connection_factories.append(
                ConnectionFactory(self._scope, name, provider, settings, {}, element.origin, type=element.tag)
            )

    def specifications(self) -> None:
        """jmsActivationSpec, whatever its resource adapter."""
        for element in self._configuration.all("jmsActivationSpec"):
            properties = _properties(element)
            adapter = self._adapter(properties)
            own = expanded(properties, self._expand) if properties is not None else {}
            settings = _named(own, _SPECIFICATION)
            reference = own.get("destinationref")
            if reference is not None and reference.value.strip():
                name = reference.value.strip()
                settings["destination"] = Setting(self._jndi.get(name, name), reference.origin)
                settings["useJNDI"] = Setting("true", reference.origin)
            settings.pop("destinationLookup", None) if reference is not None else None
            if adapter.provider == "sib":
                settings["busName"] = _bus(own, element.origin)
                if "sharedurablesubscription" in own:
                    settings["shareDurableSubscriptions"] = own["sharedurablesubscription"]
            attributes = _named(expanded(element, self._expand), ("autoStart", "maxEndpoints"))
            attributes["jndiName"] = Setting(self._expand(element.id), element.origin)
            user = self._user_of(element, "authdataref")
            if user is not None:
                attributes["authenticationAlias"] = user
            if adapter.provider == "sib" and "destination" in settings:
                attributes["destinationJndiName"] = settings["destination"]
            self._cell.activation_specs.append(
                ActivationSpec(
                    scope=self._scope,
                    name=self._expand(element.id),
                    provider=adapter.provider,
                    attributes=attributes,
                    settings=settings,
                    has_arbitrary_properties=False,
                    adapter=adapter.settings,
                    thread_pool="",
                    origin=element.origin,
                    adapter_name=properties.tag.removeprefix("properties.") if properties is not None else "",
                    generic_adapter=adapter.generic,
                )
            )

    def applications(self) -> None:
        """The beans that ids of activation specifications name: ``application/module/bean``, or ``module/bean``."""
        known = {
            name: element
            for element in self._configuration.all(*_APPLICATIONS)
            if (name := _application_name(expanded(element, self._expand)))
        }
        for name, element in known.items():
            attributes = expanded(element, self._expand)
            location = attributes["location"].value.strip() if "location" in attributes else ""
            self._cell.installed[_SUFFIX.sub("", posixpath.basename(location)) or name] = name
            text = "autoStart not set: true is Liberty's default"
            default = Setting("true", element.origin._replace(text=text, default=True))
            self._cell.automatic[name] = attributes.get("autostart", default)
        modules: dict[str, dict[str, list[MessageDrivenBean]]] = {}
        for spec in self._cell.activation_specs:
            parts = spec.name.split("/")
            if len(parts) in (2, 3) and parts[0] in known and all(parts):
                bean = _bean(parts[-1], spec)
                modules.setdefault(parts[0], {}).setdefault(parts[-2], []).append(bean)
        for name, found in modules.items():
            origin = known[name].origin
            built = tuple(Module(uri, tuple(beans), (), origin) for uri, beans in found.items())
            starts = self._cell.automatic[name]
            self._cell.applications.append(Application(name, built, False, origin, auto_start=starts))


def _application_name(attributes: Mapping[str, Setting]) -> str:
    name, location = attributes.get("name"), attributes.get("location")
    if name is not None and name.value.strip():
        return name.value.strip()
    return _SUFFIX.sub("", posixpath.basename(location.value.strip())) if location is not None else ""


def _bean(name: str, spec: ActivationSpec) -> MessageDrivenBean:
    """A bean of which only the id of its activation specification tells."""
    binding = BeanBinding("activation_spec", Setting(spec.name, spec.origin), None, None)
    return MessageDrivenBean(name, binding, None, False, {}, None, None, False, Origin(*spec.origin))


def _on_bus(own: Mapping[str, Setting], origin: Origin, *, topic: bool) -> dict[str, Setting]:
    """Where a destination of the messaging engine is."""
    name, key, default = ("TopicSpace", "topicspace", DEFAULT_TOPIC_SPACE) if topic else (
        "QueueName", "queuename", DEFAULT_QUEUE
    )  # fmt: skip
    text = f"{name[0].lower()}{name[1:]} not set: {default} is Liberty's default"
    found = own.get(key)
    if found is None or not found.value.strip():
        found = Setting(default, origin._replace(text=text, default=True))
    return {name: found}


def _bus(own: Mapping[str, Setting], origin: Origin) -> Setting:
    """The bus that a connection leads to: the server's own, or one that another server has."""
    remote = own.get("remoteserveraddress")
    if remote is not None and remote.value.strip():
        return Setting(f"of {remote.value.strip()}", remote.origin)
    return Setting(BUS, origin._replace(text=f"{BUS} is the bus of every Liberty server", default=True))
