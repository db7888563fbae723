"""server.xml of an application server, WebSphere 5.0 to 9.0."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from lintmdb.exports.was.objects import ZOS_PROPERTIES, ListenerPort, Scope, ServerConfig
from lintmdb.exports.was.property_names import find_misspelt
from lintmdb.exports.xml import Document, Element, parse_xml
from lintmdb.model.origins import Origin, Setting
from lintmdb.model.relations import Problem

_SKIP = frozenset(
    {
        "connectors",
        "interceptors",
        "plugins",
        "transportChannels",
        "chains",
        "processDefinitions",
        "traceLog",
        "serviceLog",
        "webserverPluginSettings",
        "statisticsProvider",
        "tuningParams",
        "sessionDRSPersistence",
        "defaultCookieSettings",
        "errorStreamRedirect",
        "outputStreamRedirect",
    }
)
_TRANSACTION = ("totalTranLifetimeTimeout", "propogatedOrBMTTranLifetimeTimeout", "clientInactivityTimeout")
_PORT = ("connectionFactoryJNDIName", "destinationJNDIName", "maxSessions", "maxRetries", "maxMessages")
_SERVICE = ("maxMDBListenerRetries", "mdbListenerRecoveryInterval", "mqJMSPoolingTimeout", "mqJMSPoolingThreshold")
_PROPERTIES = frozenset(
    {
        "DYNAMIC.CONFIGURATION.ENABLED",
        "ENABLE.ZOS.LP.RECOVERY",
        "MAX.RECOVERY.RETRIES",
        "MQJMS.POOLING.THRESHOLD",
        "MQJMS.POOLING.TIMEOUT",
        "NON.ASF.BMT.ROLLBACK.ENABLED",
        "NON.ASF.RECEIVE.TIMEOUT",
        "RECOVERY.RETRY.INTERVAL",
        "SERVER.SESSION.POOL.REAP.TIME",
        "SERVER.SESSION.POOL.UNUSED.TIMEOUT",
    }
)
"""The custom properties of a message listener service that WebSphere recognises."""
_POOL = ("minimumSize", "maximumSize", "isGrowable", "name")


def read_server(data: bytes, path: str, scope: Scope) -> ServerConfig | None:
    """Parse server.xml: listener ports, transaction service and thread pools. Raises UnreadableError.

    None for a node agent or a proxy: a server with no application server component, or without both services.
    """
    document = parse_xml(data, path, skip=_SKIP)
    server = _server(document.root)
    if server is None:
        return None
    application_server = next((c for c in server.all("components") if c.type == "ApplicationServer"), None)
    if application_server is None:
        return None
    services = [e for e in server.walk() if e.tag == "services"]
    transaction = next((s for s in services if s.type == "TransactionService"), None)
    listener = next((s for s in services if s.type == "MessageListenerService"), None)
    if listener is None and transaction is None:
        return None
    name = scope.server or server.get("name") or path.rpartition("/")[2].rpartition(".")[0]
    listener_pool = listener.first("threadPool") if listener is not None else None
    pools: dict[str, Mapping[str, Setting]] = {}
    for service in services:
        if service.type == "ThreadPoolManager":
            for pool in service.all("threadPools"):
                pools[pool.get("name")] = document.settings(pool, _POOL)
    return ServerConfig(
        scope=scope if scope.server else scope._replace(server=name),
        name=name,
        cluster=server.get("clusterName") or None,
        transaction_service=document.settings(transaction, _TRANSACTION) if transaction is not None else None,
        listener_properties=_listener_properties(document, listener),
        listener_thread_pool=document.settings(listener_pool, _POOL) if listener_pool is not None else {},
        thread_pools=pools,
        zos_properties=_zos_properties(document, server),
        listener_ports=tuple(_port(document, port) for port in listener.all("listenerPorts")) if listener else (),
        origin=document.origin(server, f"server {name}"),
        problems=tuple(_misspelt(document, listener, name)),
    )


def _misspelt(document: Document, listener: Element | None, server: str) -> list[Problem]:
    entries = listener.all("properties") if listener is not None else ()
    written = [
        (entry.get("name"), document.attribute_origin(entry, "name")) for entry in entries if entry.get("value").strip()
    ]
    return find_misspelt_of_listener(server, written)


def find_misspelt_of_listener(server: str, written: Iterable[tuple[str, Origin]]) -> list[Problem]:
    """A problem for each misspelt custom property of the message listener service of a server, whose properties are all
    known.
    """
    return find_misspelt(f"the message listener service of server {server}", written, _PROPERTIES, all_known=True)


def _server(root: Element) -> Element | None:
    if root.tag == "Server":
        return root
    return root.first("Server") if root.tag == "XMI" else None


def _listener_properties(document: Document, listener: Element | None) -> dict[str, Setting]:
    if listener is None:
        return {}
    settings = document.settings(listener, _SERVICE)
    for entry in listener.all("properties"):
        name, value = entry.get("name"), entry.attributes.get("value")
        if name and value is not None:
            settings[name] = document.setting(entry, "value", f'{name} value="{value}"')
    return settings


def _zos_properties(document: Document, server: Element) -> dict[str, Setting]:
    settings: dict[str, Setting] = {}
    for entry in server.walk():
        if entry.tag != "properties":
            continue
        name, value = entry.get("name").strip(), entry.attributes.get("value")
        if name in ZOS_PROPERTIES and value is not None:
            settings[name] = document.setting(entry, "value", f'{name} value="{value}"')
    return settings


def _port(document: Document, port: Element) -> ListenerPort:
    settings = document.settings(port, _PORT)
    state = port.first("stateManagement")
    if state is not None:
        settings.update(document.settings(state, ("initialState",)))
    name = port.get("name")
    return ListenerPort(name, settings, document.origin(port, f"listener port {name}"))
