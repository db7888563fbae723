"""Writes the messaging objects of a cell as extractConfigProperties does: sections with types behind ``#``, a cell name
in a variable, and lists of properties in sections of their own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from lintmdb.exports.was.objects import CellConfig, Scope, ServerConfig, Settings
from lintmdb.model.origins import Setting

PORT = ("connectionFactoryJNDIName", "destinationJNDIName", "maxSessions", "maxRetries", "maxMessages")
TRANSACTION = ("totalTranLifetimeTimeout", "propogatedOrBMTTranLifetimeTimeout", "clientInactivityTimeout")
DESTINATION = (
    "jndiName",
    "baseQueueName",
    "baseQueueManagerName",
    "baseTopicName",
    "brokerDurSubQueue",
    "persistence",
)
FACTORY = (
    "jndiName", "queueManager", "transportType", "channel", "host", "port", "authDataAlias", "providerVersion",
    "externalJNDIName", "XAEnabled", "failIfQuiesce", "msgRetention", "clientID", "cloneSupport",
)  # fmt: skip


def property_text(cell: CellConfig) -> str:
    """The text of a properties file with all that a cell's repository tells of its objects."""
    lines = ["#", "# Configuration properties file for cells", "# Extracted on Sun Nov 22 10:00:00 UTC 2026", "#", ""]
    for server in cell.servers:
        lines += _server(server)
    for spec in cell.activation_specs:
        holder = f"J2CResourceAdapter={spec.adapter_name}"
        place = f"{_scope(spec.scope)}:{holder}:J2CActivationSpec=ID#{spec.name}"
        attributes = {"name": spec.name, **_values(spec.attributes)}
        lines += _section(
            "J2CActivationSpec", place, attributes, ("name", "jndiName", "authenticationAlias", "destinationJndiName")
        )
        properties = _values(spec.settings)
        packed = ",".join(f'{k}=\\"{v}\\"' for k, v in properties.items() if k.startswith(("was_", "WAS_")))
        own = {k: v for k, v in properties.items() if not k.startswith(("was_", "WAS_"))}
        if packed:
            own["arbitraryProperties"] = packed
        lines += _section("J2CActivationSpec", place, own, (), "resourceProperties(name,value)")
    for destination in cell.destinations:
        if destination.provider == "wmq":
            kind = "MQTopic" if destination.type == "topic" else "MQQueue"
            place = f"{_scope(destination.scope)}:JMSProvider=WebSphere MQ JMS Provider:{kind}=ID#{destination.name}"
            lines += _section(
                kind, place, {"name": destination.name, **_values(destination.settings)}, ("name", *DESTINATION)
            )
        elif destination.provider == "sib":
            holder = f"{_scope(destination.scope)}:J2CResourceAdapter=SIB JMS Resource Adapter"
            place = f"{holder}:J2CAdminObject=ID#{destination.name}"
            settings = _values(destination.settings)
            own = {"name": destination.name, "jndiName": settings.pop("jndiName", "null")}
            lines += _section("J2CAdminObject", place, own, ("name", "jndiName"))
            lines += _section("J2CAdminObject", place, settings, (), "properties(name,value)")
    for factory in cell.connection_factories:
        if factory.provider != "wmq":
            continue
        place = f"{_scope(factory.scope)}:{factory.parent.replace(':', '=', 1)}:{factory.type}=ID#{factory.name}"
        settings = _values(factory.settings)
        alias = settings.pop("containerAuthDataAlias", None)
        lines += _section(factory.type, place, {"name": factory.name, **settings}, ("name", *FACTORY))
        for kind, pool in (("sessionPool", factory.session_pool), ("connectionPool", factory.connection_pool)):
            lines += _section(factory.type, place, _values(pool), ("maxConnections",), kind)
        lines += _section(factory.type, place, {"authDataAlias": alias or "null"}, (), "mapping")
    for scope, variables in cell.variables.items():
        place = f"{_scope(scope)}:VariableMap="
        lines += _section("VariableMap", place, _values(variables), (), "entries(symbolicName,value)")
    for alias, user in cell.aliases.items():
        place = f"Cell=!{{cellName}}:Security=:JAASAuthData=ID#{alias}"
        lines += _section("JAASAuthData", place, {"alias": alias, "userId": user.value, "password": '"{xor}xx"'}, ())
    lines += ["EnvironmentVariablesSection", "#Environment Variables", f"cellName={cell.name}", ""]
    return "\n".join(lines)


def _server(server: ServerConfig) -> Iterator[str]:
    place = _scope(server.scope._replace(cluster=None))
    yield from _section("Server", place, {"name": server.name, "clusterName": server.cluster or "null"}, ())
    if server.transaction_service is not None:
        inner = f"{place}:ApplicationServer=ID#A:TransactionService=ID#T"
        yield from _section("TransactionService", inner, _values(server.transaction_service), TRANSACTION, "services")
    listener = f"{place}:ApplicationServer=ID#A:EJBContainer=ID#E:MessageListenerService=ID#M"
    yield from _section(
        "MessageListenerService", listener, _values(server.listener_properties), (), "properties(name,value)"
    )
    pool = f"{listener}:ThreadPool=ID#P"
    yield from _section(
        "ThreadPool", pool, _values(server.listener_thread_pool), ("maximumSize", "isGrowable"), "threadPool"
    )
    for name, settings in server.thread_pools.items():
        inner = f"{place}:ThreadPoolManager=ID#TM:ThreadPool=ID#{name}"
        yield from _section(
            "ThreadPool", inner, {"name": name, **_values(settings)}, ("maximumSize", "isGrowable"), "threadPools"
        )
    for port in server.listener_ports:
        inner = f"{listener}:ListenerPort=ID#{port.name}"
        settings = _values(port.settings)
        state = settings.pop("initialState", "START")
        yield from _section("ListenerPort", inner, {"name": port.name, **settings}, PORT, "listenerPorts")
        yield from _section(
            "StateManageable", f"{inner}:StateManageable=ID#S", {"initialState": state}, (), "stateManagement"
        )


def _values(settings: Settings | Mapping[str, Setting]) -> dict[str, str]:
    return {name: setting.value for name, setting in settings.items()}


def _section(
    kind: str, place: str, values: Mapping[str, str], names: tuple[str, ...], group: str = ""
) -> Iterator[str]:
    """A section; attributes of ``names`` that are not set are null, as the command writes them."""
    yield from ("#", f"# SubSection # {kind} Section", "#", f"ResourceType={kind}", f"ImplementingResourceType={kind}")
    yield f"ResourceId={place}"
    if group:
        yield f"AttributeInfo={group}"
    yield from ("#", "", "#", "#Properties", "#")
    for name in dict.fromkeys((*names, *values)):
        value = values.get(name, "null")
        yield f'{name}="{value}"' if " " in value or "#" in value or "," in value else f"{name}={value} #required"
    yield ""


def _scope(scope: Scope) -> str:
    steps = ["Cell=!{cellName}"]
    for kind, name in (("ServerCluster", scope.cluster), ("Node", scope.node), ("Server", scope.server)):
        if name:
            steps.append(f"{kind}={name}")
    if scope.application:
        steps.append(f"Deployment={scope.application}")
    return ":".join(steps)
