"""resources.xml of any scope: activation specifications, JMS destinations and connection factories."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Literal, cast

from lintmdb.exports.was.objects import ActivationSpec, ConnectionFactory, JmsDestination, Scope
from lintmdb.exports.was.property_names import find_misspelt
from lintmdb.exports.xml import Document, Element, parse_xml
from lintmdb.model.origins import LazyOrigin, Located, Origin, Setting
from lintmdb.model.relations import Problem

Provider = Literal["wmq", "sib", "generic"]

_WMQ_CLASS = "com.ibm.mq.connector."
_SIB_CLASS = "com.ibm.ws.sib.api.jmsra."
_SKIP = frozenset(
    {
        "connectionDefTemplateProps",
        "activationSpecTemplateProps",
        "adminObjectTemplateProps",
        "connectionDefinitions",
        "outboundResourceAdapter",
        "adminObjects",
        "configProperties",
        "requiredConfigProperties",
        "authenticationMechanisms",
        "resourcePropertySet",
        "license",
        "classpath",
        "providerType",
        "DataSource",
        "JDBCProvider",
        "MailProvider",
        "URLProvider",
        "WorkManagerProvider",
        "TimerManagerProvider",
        "ObjectPoolProvider",
        "SchedulerProvider",
        "CacheProvider",
    }
)
_ADAPTER_PROPERTIES = frozenset({"reconnectionRetryCount", "reconnectionRetryInterval", "maxConnections"})
PROPERTIES = _ADAPTER_PROPERTIES | frozenset(
    {
        "destination",
        "destinationType",
        "destinationLookup",
        "connectionFactoryLookup",
        "useJNDI",
        "maxPoolDepth",
        "queueManager",
        "hostName",
        "port",
        "channel",
        "transportType",
        "connectionNameList",
        "ccdtURL",
        "nonASFTimeout",
        "nonASFRollbackEnabled",
        "NON.ASF.RECEIVE.TIMEOUT",
        "startTimeout",
        "providerVersion",
        "subscriptionDurability",
        "subscriptionName",
        "clientId",
        "cloneSupport",
        "sharedSubscription",
        "shareDurableSubscriptions",
        "messageRetention",
        "messageSelector",
        "failIfQuiesce",
        "userName",
        "securityExit",
        "arbitraryProperties",
        "WAS_EndpointInitialState",
        "was_stopEndpointIfDeliveryFails",
        "was_failureDeliveryCount",
        "busName",
        "maxConcurrency",
        "maxBatchSize",
        "AutoStopSequentialMessageFailure",
        "autoStopSequentialMessageFailure",
        "failingMessageDelay",
        "QueueName",
        "TopicName",
        "TopicSpace",
        "BusName",
    }
)
"""The ``resourceProperties`` that lintmdb reads; an activation specification has about seventy."""

TLS_PROPERTIES = (
    "sslType", "sslConfiguration", "sslCipherSuite", "sslPeerName", "sslFipsRequired", "sslCertStores", "sslCRL",
    "sslSocketFactory",
)  # fmt: skip
"""The TLS settings of an activation specification or a connection factory. No verdict depends on them, but
a notice names each change of one.
"""
PACKED_TLS = ("sslType", "sslConfiguration")
"""Those that an activation specification has in its ``arbitraryProperties`` alone."""
PACKED_STOPS = ("was_stopEndpointIfDeliveryFails", "was_failureDeliveryCount")
"""What stops an endpoint of IBM MQ. WebSphere does not read it as properties of their own."""
ALWAYS_PACKED = (*PACKED_STOPS, "WAS_EndpointInitialState")
"""What an activation specification has in its ``arbitraryProperties`` alone."""
_ANY_CASE = (*ALWAYS_PACKED, "AutoStopSequentialMessageFailure")
"""Properties that WebSphere itself writes with varying case."""
_CANONICAL = {name.lower(): name for name in _ANY_CASE}
_KEPT = PROPERTIES | frozenset(TLS_PROPERTIES)
_ACTING = PROPERTIES - {"NON.ASF.RECEIVE.TIMEOUT"}
_ARBITRARY = re.compile(r"""\s*([A-Za-z_][\w.]*)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^,"]*))\s*(?:,|\Z)""")
_QUEUE_MANAGER_BUG = re.compile(r"\A-qmgrName\s+")  # some levels of WebSphere store the option with the name
SPEC = ("jndiName", "destinationJndiName", "authenticationAlias", "description")
MQ_DESTINATION = (
    "jndiName", "baseQueueName", "baseQueueManagerName", "baseTopicName", "brokerDurSubQueue", "persistence",
    "description",
)  # fmt: skip
FACTORY = (
    *TLS_PROPERTIES,
    "jndiName", "queueManager", "transportType", "channel", "host", "port", "authDataAlias", "providerVersion",
    "externalJNDIName", "XAEnabled", "failIfQuiesce", "msgRetention", "clientID", "cloneSupport",
    "secExit", "description",
)  # fmt: skip
POOL = ("maxConnections", "minConnections", "connectionTimeout")


# A cell has hundreds of thousands of properties, and Setting(...) takes three times as long.
_new_setting = cast("Callable[[type[Setting], tuple[str, Located]], Setting]", tuple[object, ...].__new__)


class Resources:
    """The messaging resources that one file defines, and the problems found in it."""

    def __init__(self) -> None:
        self.activation_specs: list[ActivationSpec] = []
        self.destinations: list[JmsDestination] = []
        self.connection_factories: list[ConnectionFactory] = []
        self.problems: list[Problem] = []


def read_resources(data: bytes, path: str, scope: Scope, *, tls: bool = True) -> Resources:
    """Parse one resources.xml; without ``tls`` the TLS settings of activation specifications, a fifth of what is kept
    of a cell, are left out. Raises UnreadableError.
    """
    document = parse_xml(data, path, skip=_SKIP, properties=_KEPT if tls else PROPERTIES)
    found = Resources()
    roots = document.root.children if document.root.tag == "XMI" else [document.root]
    for root in roots:
        if root.tag == "J2CResourceAdapter":
            _resource_adapter(document, root, scope, found)
        elif root.tag == "JMSProvider":
            provider = f"JMSProvider:{root.get('name')}"
            for factory in root.all("factories"):
                _jms_object(document, factory, scope, provider, found)
    return found


def read_embedded_adapters(data: bytes, path: str, places: Mapping[str, Collection[Scope]]) -> Resources:
    """The resources of the resource adapters embedded in an application, from deployment.xml. Raises UnreadableError.

    ``places`` maps a module URI to the scopes where the module runs. WebSphere binds the resources there.
    """
    document = parse_xml(data, path, skip=_SKIP, properties=_KEPT)
    found = Resources()
    deployed = document.root.first("deployedObject")
    for module in deployed.all("modules") if deployed is not None else ():
        for adapter in module.all("resourceAdapter"):
            for scope in places.get(module.get("uri"), ()):
                _resource_adapter(document, adapter, scope, found)
    return found


def _resource_adapter(document: Document, adapter: Element, scope: Scope, found: Resources) -> None:
    classes = {
        element.id: element.get("activationSpecClass")
        for descriptor in adapter.all("deploymentDescriptor")
        for element in descriptor.walk()
        if element.tag == "activationSpec"
    }
    thread_pool = adapter.get("threadPoolAlias").strip()
    own = _own_properties(document, adapter, _ADAPTER_PROPERTIES)
    for spec in adapter.all("j2cActivationSpec"):
        properties = [(prop.get("name"), prop) for prop in spec.all("resourceProperties")]
        found.activation_specs.append(
            _activation_spec(document, spec, properties, classes, scope, adapter.get("name"), thread_pool, own)
        )
        found.problems.extend(_misspelt(document, spec, properties))
    for entry in adapter.all("j2cAdminObjects"):
        settings = document.settings(entry, ("jndiName",))
        for prop in entry.children:
            if prop.tag in ("properties", "resourceProperties") and (written := prop.get("name")) in PROPERTIES:
                _add_property(settings, document, written, prop)
        name = entry.get("name")
        if "QueueName" in settings or "TopicName" in settings:
            kind = "queue" if "QueueName" in settings else "topic"
            origin = document.origin(entry, f"JMS {kind} {name}")
            found.destinations.append(JmsDestination(scope, name, "sib", kind, settings, origin))
    for factory in adapter.all("factories"):
        if factory.type == "J2CConnectionFactory" and any(c.startswith(_SIB_CLASS) for c in classes.values()):
            settings = document.settings(factory, FACTORY) | _own_properties(document, factory, {"BusName"})
            origin = document.origin(factory, f"connection factory {factory.get('name')}")
            found.connection_factories.append(
                ConnectionFactory(scope, factory.get("name"), "sib", settings, {}, origin)
            )


def _misspelt(document: Document, spec: Element, properties: Iterable[tuple[str, Element]]) -> list[Problem]:
    written = [
        (name, document.attribute_origin(prop, "name"))
        for name, prop in properties
        if name not in PROPERTIES and prop.get("value").strip()
    ]
    return find_misspelt_of_specification(spec.get("name"), written)


def find_misspelt_of_specification(name: str, written: Iterable[tuple[str, Origin]]) -> list[Problem]:
    """A problem for each misspelt property of an activation specification."""
    others = [each for each in written if each[0] not in PROPERTIES and each[0].lower() not in _CANONICAL]
    return find_misspelt(f"activation specification {name}", others, _ACTING)


def _own_properties(document: Document, owner: Element, names: Collection[str]) -> dict[str, Setting]:
    """The properties in the property set of a resource adapter or connection factory."""
    settings: dict[str, Setting] = {}
    for group in owner.all("propertySet"):
        for prop in group.all("resourceProperties"):
            if (name := prop.get("name")) in names:
                _add_property(settings, document, name, prop)
    return settings


def _activation_spec(
    document: Document,
    spec: Element,
    properties: Iterable[tuple[str, Element]],
    classes: Mapping[str, str],
    scope: Scope,
    adapter_name: str,
    thread_pool: str,
    adapter: Mapping[str, Setting],
) -> ActivationSpec:
    settings: dict[str, Setting] = {}
    arbitrary: tuple[Element, str] | None = None
    for name, prop in properties:
        if name == "arbitraryProperties" and "name" in prop.attributes:
            value = prop.attributes.get("value")
            if value is not None:
                arbitrary = (prop, value)
        else:
            _add_property(settings, document, name, prop)
    if arbitrary is not None:
        settings.update(unpack_arbitrary(document, *arbitrary))
    name = spec.get("name")
    return ActivationSpec(
        scope=scope,
        name=name,
        provider=_provider(spec.get("activationSpec"), classes, settings),
        attributes=document.settings(spec, SPEC),
        settings=settings,
        has_arbitrary_properties=arbitrary is not None,
        adapter=adapter,
        thread_pool=thread_pool,
        origin=document.origin(spec, f"activation specification {name}"),
        adapter_name=adapter_name,
    )


def _add_property(settings: dict[str, Setting], document: Document, name: str, prop: Element) -> None:
    """Add the property of a name under its canonical name, if it has a value."""
    value = prop.attributes.get("value")
    if value is None:
        return
    if name == "queueManager":
        value = _QUEUE_MANAGER_BUG.sub("", value)
    origin = LazyOrigin(_property_origin, document, prop, name, value)
    settings[canonical_name(name)] = _new_setting(Setting, (value, origin))


def _property_origin(document: Document, prop: Element, name: str, value: str) -> Origin:
    return document.attribute_origin(prop, "value", f'{name} value="{value}"')


def unpack_arbitrary(document: Document, prop: Element, packed: str) -> dict[str, Setting]:
    """Unpack the ``name="value"`` pairs of ``arbitraryProperties``, by canonical name. Skips what is not such a pair.

    ``packed`` is the decoded value of the element ``prop``, which gives the pairs their places.
    """
    return {
        canonical_name(written): Setting(value, LazyOrigin(_packed_origin, document, prop, written, value))
        for written, value in packed_pairs(packed)
    }


def _packed_origin(document: Document, prop: Element, written: str, value: str) -> Origin:
    place = document.attribute_origin(prop, "value")
    raw = document.raw_value(prop, "value")
    start = raw.find(written) if "\n" not in raw else -1
    column = place.column + (len('value="') + start if start >= 0 else 0)
    return Origin(place.path, place.line, column, f'{written}="{value}"')


@functools.lru_cache(maxsize=1024)  # thousands of activation specifications pack the same few values
def packed_pairs(packed: str) -> tuple[tuple[str, str], ...]:
    """The names, as they are written, and the values in ``arbitraryProperties``."""
    return tuple([(name, value) for name, value in _packed(packed) if name])


def unpaired(packed: str) -> str:
    """The first part of ``arbitraryProperties`` that is no pair; blank where there is none."""
    return next((text for name, text in _packed(packed) if not name and text), "")


def _packed(packed: str) -> Iterator[tuple[str, str]]:
    """Names and values; what is no pair has a blank name."""
    position = 0
    while position < len(packed):
        match = _ARBITRARY.match(packed, position)
        if match is None or match.end() == position:
            following = packed.find(",", position)
            yield "", packed[position : following if following >= 0 else None].strip()
            if following < 0:
                return
            position = following + 1
            continue
        position = match.end()
        yield match.group(1), next((group for group in match.groups()[1:] if group is not None), "").strip()


@functools.lru_cache(maxsize=1024)  # the same few names, for every activation specification
def canonical_name(written: str) -> str:
    """A property's name in the case that the resolver knows."""
    return _CANONICAL.get(written.lower(), written)


def _provider(reference: str, classes: Mapping[str, str], settings: Mapping[str, Setting]) -> Provider | None:
    named = [classes[reference]] if reference in classes else list(classes.values())
    return provider_of(named, settings)


def provider_of(classes: Collection[str], settings: Mapping[str, Setting]) -> Provider | None:
    """The messaging provider of an activation specification, by the classes of its adapter, or else by its settings."""
    named = classes
    if any(name.startswith(_WMQ_CLASS) for name in named):
        return "wmq"
    if any(name.startswith(_SIB_CLASS) for name in named):
        return "sib"
    if named:
        return "generic"
    if settings.keys() & {
        "maxPoolDepth",
        "was_stopEndpointIfDeliveryFails",
        "was_failureDeliveryCount",
        "transportType",
    }:
        return "wmq"
    if settings.keys() & {"maxConcurrency", "busName", "AutoStopSequentialMessageFailure"}:
        return "sib"
    return None


def _jms_object(document: Document, element: Element, scope: Scope, parent: str, found: Resources) -> None:
    kind, name = element.type, element.get("name")
    if kind in ("MQQueue", "MQTopic", "GenericJMSDestination", "WASQueue", "WASTopic"):
        provider: Provider = "wmq" if kind.startswith("MQ") else "generic"
        topic = kind.endswith("Topic") or element.get("type") == "TOPIC"
        settings = document.settings(element, (*MQ_DESTINATION, "externalJNDIName"))
        type_: Literal["queue", "topic"] = "topic" if topic else "queue"
        origin = document.origin(element, f"{kind} {name}")
        found.destinations.append(JmsDestination(scope, name, provider, type_, settings, origin))
    elif kind.endswith("ConnectionFactory"):
        provider = "wmq" if kind.startswith("MQ") else "generic"
        pool, connections = element.first("sessionPool"), element.first("connectionPool")
        found.connection_factories.append(
            ConnectionFactory(
                scope,
                name,
                provider,
                {**document.settings(element, FACTORY), **_container_alias(document, element)},
                document.settings(pool, POOL) if pool is not None else {},
                document.origin(element, f"connection factory {name}"),
                document.settings(connections, POOL) if connections is not None else {},
                parent,
                kind,
            )
        )


def _container_alias(document: Document, factory: Element) -> Mapping[str, Setting]:
    """The alias for container-managed authentication, and the login that maps it; the factory's own ``authDataAlias``
    is component-managed.
    """
    mapping = factory.first("mapping")
    found = document.settings(mapping, ("authDataAlias", "mappingConfigAlias")) if mapping is not None else {}
    return {_OF_MAPPING.get(name, name): setting for name, setting in found.items()}


_OF_MAPPING: Mapping[str, str] = {"authDataAlias": "containerAuthDataAlias"}
