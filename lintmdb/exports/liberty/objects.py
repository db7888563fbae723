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
from lintmdb.exports.liberty.values import Attributes, Expand, expanded
from lintmdb.exports.liberty.variables import LibertyVariables
from lintmdb.exports.was.objects import (
    NOT_TOLD,
    ActivationSpec,
    Application,
    BeanBinding,
    CellConfig,
    ConnectionFactory,
    JmsDestination,
    MessageDrivenBean,
    Module,
    ModuleBindings,
    Scope,
    ServerConfig,
)
from lintmdb.model.origins import Origin, Setting

Provider = Literal["wmq", "sib", "generic"]
_APPLICATIONS = ("application", "webApplication", "ejbApplication", "enterpriseApplication")
_FACTORIES = ("jmsConnectionFactory", "jmsQueueConnectionFactory", "jmsTopicConnectionFactory")
SPECIFICATION = [
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
    "securityExit",
    "sharedSubscription",
    "startTimeout",
    "subscriptionDurability",
    "subscriptionName",
    "transportType",
    "useJNDI",
    "userName",
]
"""Properties of a specification that lintmdb reads."""
_CONNECTION = ("ccdtURL", "channel", "connectionNameList", "hostName", "queueManager")
"""Properties of a specification, one of which it has where it names no connection factory."""
_DESTINATION = ["baseQueueName", "baseQueueManagerName", "baseTopicName"]
_FACTORY = ["ccdtURL", "channel", "clientID", "providerVersion", "queueManager", "transportType"]
TARGET = "activation-spec-binding-name"
"""The attribute of ``jca-adapter`` that names the activation specification of a bean."""
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
    engine = configuration.single("messagingEngine")
    if has_engine(engine, features):
        add_engine(cell, name, engine, variables.expand, origin)


def _server(name: str, configuration: Configuration, expand: Expand, origin: Origin) -> ServerConfig:
    transaction = configuration.single("transaction")
    written = expanded(transaction, expand)
    timeouts = {
        known: Setting(plain_number(setting.value, 1000), setting.origin)
        for known in _TRANSACTION
        if (setting := written.get(known)) is not None
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


def _named(attributes: Attributes, names: Iterable[str]) -> dict[str, Setting]:
    """The attributes of some names, whatever their case, with durations in milliseconds."""
    found: dict[str, Setting] = {}
    for name in names:
        setting = attributes.get(name)
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
        client = self._configuration.single("wmqJmsClient")
        settings = _named(expanded(client, self._expand), _ADAPTER)
        found = {"wmqJms": _Adapter("wmq", False, settings), "wasJms": _Adapter("sib", False, {})}
        for element in self._configuration.all("resourceAdapter"):
            attributes, own = expanded(element, self._expand), _properties(element)
            location = _text(attributes, "location")
            file = posixpath.basename(location.replace("\\", "/"))
            provider: Provider | None = "wmq" if _MQ_ARCHIVE.search(file) else "generic"
            if not file or "${" in file or element.id in found:
                provider = None
            settings = _named(expanded(own, self._expand), _ADAPTER)
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
            if "${" not in value and value != NOT_TOLD:
                self._cell.aliases[alias] = Setting(value, user.origin)

    def _user_of(self, element: Merged, reference: str) -> Setting | None:
        """The alias that an element names, or that of the authData inside it."""
        inner = next(element.all("authData"), None)
        if inner is not None:
            alias = f"{element.tag} {element.id}"
            self._user(inner, alias)
            return Setting(alias, inner.origin)
        return expanded(element, self._expand).get(reference)

    def destinations(self) -> None:
        """jmsQueue, jmsTopic and jmsDestination."""
        for element in self._configuration.all("jmsQueue", "jmsTopic", "jmsDestination"):
            properties = _properties(element)
            provider = self._adapter(properties).provider
            own = expanded(properties, self._expand)
            named = expanded(element, self._expand).get("jndiname")
            jndi = named if named is not None and named.value.strip() else Setting(element.id, element.origin)
            if not jndi.value.strip() or provider is None:
                continue
            if element.id:
                self._jndi[element.id] = jndi.value.strip()
            settings = {"jndiName": jndi, **_named(own, _DESTINATION)}
            topic = element.tag == "jmsTopic" or (element.tag == "jmsDestination" and own.says("baseTopicName"))
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
            own = expanded(properties, self._expand)
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
            own = expanded(properties, self._expand)
            settings = self._settings(own)
            if adapter.provider == "sib":
                settings["busName"] = _bus(own, element.origin)
                shared = own.get("shareDurableSubscription")
                if shared is not None:
                    settings["shareDurableSubscriptions"] = shared
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

    def _settings(self, own: Attributes) -> dict[str, Setting]:
        """What the properties of a specification say."""
        settings = _named(own, SPECIFICATION)
        # What says where it reads, or how it connects, says so in one way: a missing file has no second one.
        if own.says("destination", "destinationLookup", "destinationRef"):
            settings = _without_untold(settings, "destination", "destinationLookup")
        if own.says(*_CONNECTION):
            settings = _without_untold(settings, "connectionFactoryLookup")
        reference = own.get("destinationRef") if not own.says("destination", "destinationLookup") else None
        reference = own.written.get("destinationref", reference)
        if reference is None:
            return settings
        name = reference.value.strip()
        if name:
            settings["destination"] = Setting(self._jndi.get(name, name), reference.origin)
            settings["useJNDI"] = Setting("true", reference.origin)
        return {name: setting for name, setting in settings.items() if name != "destinationLookup"}

    def _module_bindings(self, element: Merged) -> ModuleBindings:
        """What ``ejb-jar-bnd`` of an application says."""
        beans: dict[str, dict[str, Setting]] = {}
        for bean in element.all("message-driven"):
            for adapter in bean.all("jca-adapter"):
                found = expanded(adapter, self._expand).written
                written = {name: setting for name, setting in found.items() if setting.value.strip()}
                beans.setdefault(_text(expanded(bean, self._expand), "name"), {}).update(written)
        destinations: dict[str, Setting] = {}
        for destination in element.all("message-destination"):
            attributes = expanded(destination, self._expand)
            target = attributes.get("binding-name")
            if target is not None and target.value.strip():
                destinations[_text(attributes, "name")] = target
        module = _SUFFIX.sub("", _text(expanded(element, self._expand), "modulename"))
        return ModuleBindings(module, beans, destinations)

    def applications(self) -> None:
        """The beans that ids of activation specifications name: ``application/module/bean``, or ``module/bean``."""
        known = {
            name: element
            for element in self._configuration.all(*_APPLICATIONS)
            if (name := _application_name(expanded(element, self._expand)))
        }
        for name, element in known.items():
            attributes = expanded(element, self._expand)
            location = _text(attributes, "location")
            self._cell.installed[_SUFFIX.sub("", posixpath.basename(location)) or name] = name
            text = "autoStart not set: true is Liberty's default"
            default = Setting("true", element.origin._replace(text=text, default=True))
            self._cell.automatic[name] = attributes.get("autoStart", default) or default
            self._cell.bindings[name] = [self._module_bindings(own) for own in element.all("ejb-jar-bnd")]
        modules: dict[str, dict[str, list[MessageDrivenBean]]] = {}
        bound = {
            (name, own.module, bean): adapter
            for name, held in self._cell.bindings.items()
            for own in held
            for bean, adapter in own.beans.items()
            if own.module
        }
        for (name, module, bean), adapter in bound.items():
            if TARGET in adapter:
                binding = bind(BeanBinding("activation_spec", adapter[TARGET], None, None), adapter)
                modules.setdefault(name, {}).setdefault(module, []).append(_bean(bean, binding, only_bound=True))
        for spec in self._cell.activation_specs:
            parts = spec.name.split("/")
            if len(parts) > 1 and parts[0] in known and all(parts):
                module = "/".join(parts[1:-1]) or parts[0]  # with its folders in the application
                adapter = bound.get((parts[0], module, parts[-1]), {})
                if TARGET not in adapter:
                    named = BeanBinding("activation_spec", Setting(spec.name, spec.origin), None, None)
                    bean = _bean(parts[-1], bind(named, adapter))
                    modules.setdefault(parts[0], {}).setdefault(module, []).append(bean)
        for name, found in modules.items():
            origin = known[name].origin
            built = tuple(Module(uri, tuple(beans), (), origin) for uri, beans in found.items())
            starts = self._cell.automatic[name]
            self._cell.applications.append(Application(name, built, False, origin, auto_start=starts))


def _application_name(attributes: Attributes) -> str:
    return _text(attributes, "name") or _SUFFIX.sub("", posixpath.basename(_text(attributes, "location")))


def _text(attributes: Attributes, name: str) -> str:
    """An attribute that says which thing an element is; blank where there is none."""
    setting = attributes.get(name)
    return setting.value.strip() if setting is not None else ""


def _without_untold(settings: Mapping[str, Setting], *names: str) -> dict[str, Setting]:
    """Settings without those of some names that only a missing file can set."""
    return {name: s for name, s in settings.items() if name not in names or s.value != NOT_TOLD}


def _bean(name: str, binding: BeanBinding, *, only_bound: bool = False) -> MessageDrivenBean:
    """A bean of which only the id of its activation specification tells, or what server.xml binds."""
    place = binding.target.origin
    origin = Origin(place.path, place.line, place.column, place.text)
    return MessageDrivenBean(name, binding, None, False, {}, None, None, False, origin, only_bound)


def bind(binding: BeanBinding, adapter: Mapping[str, Setting]) -> BeanBinding:
    """A binding with what ``jca-adapter`` of server.xml says instead."""
    return BeanBinding(
        "activation_spec",
        adapter.get(TARGET, binding.target),
        adapter.get("destination-binding-name", binding.destination),
        adapter.get("activation-spec-auth-alias", binding.auth_alias),
    )


def _on_bus(own: Attributes, origin: Origin, *, topic: bool) -> dict[str, Setting]:
    """Where a destination of the messaging engine is."""
    name, default = ("TopicSpace", DEFAULT_TOPIC_SPACE) if topic else ("QueueName", DEFAULT_QUEUE)
    text = f"{name[0].lower()}{name[1:]} not set: {default} is Liberty's default"
    found = own.get(name)
    if found is None or not found.value.strip():
        found = Setting(default, origin._replace(text=text, default=True))
    return {name: found}


def _bus(own: Attributes, origin: Origin) -> Setting:
    """The bus that a connection leads to: the server's own, or one that another server has."""
    remote = own.get("remoteServerAddress")
    if remote is not None and remote.value == NOT_TOLD:
        return remote
    if remote is not None and remote.value.strip():
        return Setting(f"of {remote.value.strip()}", remote.origin)
    return Setting(BUS, origin._replace(text=f"{BUS} is the bus of every Liberty server", default=True))
