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
    "secExit",
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
        mapping = {
            "authDataAlias": settings.pop("containerAuthDataAlias", "") or "null",
            "mappingConfigAlias": settings.pop("mappingConfigAlias", "") or "null",
        }
        lines += _section(factory.type, place, {"name": factory.name, **settings}, ("name", *FACTORY))
        for kind, pool in (("sessionPool", factory.session_pool), ("connectionPool", factory.connection_pool)):
            lines += _section(factory.type, place, _values(pool), ("maxConnections",), kind)
        lines += _section(factory.type, place, mapping, (), "mapping")
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


_TASK_NAMES = {
    "ccdtURL": "ccdtUrl",
    "destination": "destinationJndiName", "destinationType": "destinationType", "maxPoolDepth": "maxPoolSize",
    "queueManager": "qmgrName", "hostName": "qmgrHostname", "port": "qmgrPortNumber", "channel": "qmgrSvrconnChannel",
    "transportType": "wmqTransportType", "startTimeout": "startTimeout", "messageRetention": "msgRetention",
    "was_stopEndpointIfDeliveryFails": "stopEndpointIfDeliveryFails", "failIfQuiesce": "failIfQuiescing",
    "was_failureDeliveryCount": "failureDeliveryCount", "providerVersion": "providerVersion",
    "subscriptionDurability": "subscriptionDurability", "messageSelector": "messageSelector",
}  # fmt: skip


def shown_text(cell: CellConfig, *, jacl: bool) -> str:
    """A transcript in which wsadmin shows all of a cell's activation specifications, ports and MQ destinations."""
    lines = ['WASX7209I: Connected to process "dmgr" on node dm using SOAP connector;']
    for spec in cell.activation_specs:
        identity = f"{spec.name}({_folder(cell, spec.scope)}|resources.xml#J2CActivationSpec_1)"
        lines.append(
            f"wsadmin>$AdminConfig showall {{{identity}}}"
            if jacl
            else f"wsadmin>print AdminConfig.showall('{identity}')"
        )
        packed = {k: v for k, v in _values(spec.settings).items() if k.startswith(("was_", "WAS_"))}
        properties = {k: v for k, v in _values(spec.settings).items() if k not in packed}
        if packed:
            properties["arbitraryProperties"] = ",".join(f"{k}={v}" for k, v in packed.items())
        pairs = [f"[[name {name}] [required false] [value {_word(value)}]]" for name, value in properties.items()]
        shown = {"name": spec.name, **_values(spec.attributes)}
        printed = [f"[{name} {_word(value)}]" for name, value in shown.items()]
        lines += _brackets([*printed, f"[resourceProperties [{' '.join(pairs)}]]", ""], jacl=jacl)
    for server in cell.servers:
        for port in server.listener_ports:
            identity = f"{port.name}({_folder(cell, server.scope._replace(cluster=None))}|server.xml#ListenerPort_1)"
            lines.append(
                f"wsadmin>$AdminConfig show {{{identity}}}" if jacl else f"wsadmin>print AdminConfig.show('{identity}')"
            )
            settings = {"name": port.name, **_values(port.settings)}
            state = settings.pop("initialState", "START")
            printed = [f"[{name} {_word(value)}]" for name, value in settings.items()]
            lines += _brackets([*printed, f"[stateManagement [[initialState {state}]]]", ""], jacl=jacl)
    for destination in cell.destinations:
        if destination.provider == "wmq":
            kind = "MQTopic" if destination.type == "topic" else "MQQueue"
            identity = f"{destination.name}({_folder(cell, destination.scope)}|resources.xml#{kind}_1)"
            lines.append(
                f"wsadmin>$AdminConfig show {{{identity}}}" if jacl else f"wsadmin>print AdminConfig.show('{identity}')"
            )
            shown = {"name": destination.name, **_values(destination.settings)}
            lines += _brackets([*(f"[{name} {_word(value)}]" for name, value in shown.items()), ""], jacl=jacl)
    return "\n".join(lines)


def create_script(cell: CellConfig, *, jacl: bool) -> str:
    """A script that creates a cell's IBM MQ activation specifications and queues."""
    lines: list[str] = []
    for number, spec in enumerate(s for s in cell.activation_specs if s.provider == "wmq"):
        given = {"name": spec.name, "jndiName": spec.attributes["jndiName"].value}
        given |= {_TASK_NAMES[k]: v for k, v in _values(spec.settings).items() if k in _TASK_NAMES and v}
        lines += _create(cell, "WMQActivationSpec", spec.scope, given, number, jacl=jacl)
    for number, queue in enumerate(d for d in cell.destinations if d.provider == "wmq" and d.type == "queue"):
        settings = _values(queue.settings)
        given = {"name": queue.name, "jndiName": settings["jndiName"], "queueName": settings["baseQueueName"]}
        if settings.get("baseQueueManagerName"):
            given["qmgr"] = settings["baseQueueManagerName"]
        lines += _create(cell, "WMQQueue", queue.scope, given, number, jacl=jacl)
    return "\n".join(
        ["# Creates the messaging objects", *lines, "$AdminConfig save" if jacl else "AdminConfig.save()", ""]
    )


def _create(
    cell: CellConfig, kind: str, scope: Scope, given: Mapping[str, str], number: int, *, jacl: bool
) -> Iterator[str]:
    outer = (("Cell", cell.name), ("ServerCluster", scope.cluster), ("Node", scope.node), ("Server", scope.server))
    path = "".join(f"/{step}:{name}" for step, name in outer if name) + "/"
    if jacl:
        yield f"set s{kind}{number} [$AdminConfig getid {path}]"
        words = " ".join(f'-{name} "{value}"' for name, value in given.items())
        yield f"$AdminTask create{kind} $s{kind}{number} {{{words}}}"
    elif number % 2:
        yield f"s{kind}{number} = AdminConfig.getid('{path}')"
        words = " ".join(f'-{name} "{value}"' for name, value in given.items())
        yield f"AdminTask.create{kind}(s{kind}{number}, '[{words}]')"
    else:
        items = ", ".join(f"'-{name}', '{value}'" for name, value in given.items())
        yield f"args{kind}{number} = [{items}]"
        yield f"AdminTask.create{kind}(AdminConfig.getid('{path}'), args{kind}{number})"


def _folder(cell: CellConfig, scope: Scope) -> str:
    outer = (("clusters", scope.cluster), ("nodes", scope.node), ("servers", scope.server))
    return f"cells/{cell.name}" + "".join(f"/{kind}/{name}" for kind, name in outer if name)


def _word(value: str) -> str:
    return f'"{value}"' if " " in value or not value else value


def _brackets(lines: list[str], *, jacl: bool) -> list[str]:
    table = str.maketrans("[]", "{}")
    return [line.translate(table) if jacl else line for line in lines]
