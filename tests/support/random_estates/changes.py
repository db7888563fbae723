"""Random changes of random estates: MQSC scripts and properties files."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from lintmdb.exports.was.objects import CellConfig, Scope
from lintmdb.model.origins import Setting
from tests.support.random_estates.draw import Draw
from tests.support.random_estates.queue_managers import CHANNELS, DEAD_LETTERS, INPUTS, OPENED, PUT_TARGETS

_QUEUES = (*INPUTS, "ORDERS.BACKOUT", "DEAD", "XMIT")
_ALIASES = ("A.ORDERS", "A.AGAIN", "A.REMOTE", "A.BLANK", "A.DANGLING", "A.BACKOUT", "A.DEAD", "A.CLUSTER", "A.TOPIC")
_ENTITIES = ("PRINCIPAL('wasuser')", "PRINCIPAL('mqapp')", "GROUP('apps')")
_QUEUE = (
    "BOTHRESH(0)", "BOTHRESH(1)", "BOTHRESH(3)", "BOTHRESH(9)", "BOTHRESH(5000)", "MAXDEPTH(0)", "MAXDEPTH(100)",
    "MAXMSGL(1000)", "MAXMSGL(4194304)", "GET(DISABLED)", "PUT(DISABLED)", "NOSHARE", "NOHARDENBO", "USAGE(XMITQ)",
    "DEFSOPT(EXCL)", "TRIGGER", "CAPEXPRY(600)", "DEFPSIST(NO)",
)  # fmt: skip
_CHANNEL = ("SHARECNV(0)", "SHARECNV(1)", "MAXINST(1)", "MAXINSTC(1)", "MAXMSGL(1000)", "MCAUSER('nobody')")


def change_script(draw: Draw, manager: str) -> str:
    """A script of one to three commands for a queue manager."""
    return f"* Queue manager name: {manager}\n" + "".join(_command(draw) for _ in range(draw.one((1, 1, 2, 3))))


def _command(draw: Draw) -> str:
    kinds: tuple[Callable[[Draw], str], ...] = (_queue, _queue, _queue, _alias, _other, _channel, _access)
    return f"{draw.one(kinds)(draw)}\n"


def _queue_attribute(draw: Draw) -> str:
    return f"BOQNAME('{draw.weighted(PUT_TARGETS)}')" if draw.chance(0.2) else draw.one(_QUEUE)


def _queue(draw: Draw) -> str:
    name, other, attribute = draw.one(_QUEUES), draw.one(_QUEUES), _queue_attribute(draw)
    return draw.one(
        (
            f"ALTER QLOCAL('{name}') {attribute}",
            f"DEFINE QLOCAL('{name}') REPLACE",
            f"DEFINE QLOCAL('{name}') REPLACE {attribute}",
            f"DEFINE QLOCAL('{name}') LIKE('{other}') REPLACE",
            f"DEFINE QLOCAL('{name}') LIKE('{other}') {attribute} REPLACE",
            f"DELETE QLOCAL('{name}')",
            f"DELETE QLOCAL('{name}')\nDEFINE QLOCAL('{name}')",
            f"DELETE QLOCAL('{name}')\nDEFINE QALIAS('{name}') TARGET('{other}')",
            f"ALTER QLOCAL('SYSTEM.DEFAULT.LOCAL.QUEUE') {attribute}\nDEFINE QLOCAL('{name}') REPLACE",
            f"DEFINE QLOCAL('NOWHERE') {attribute}",
        )
    )


def _alias(draw: Draw) -> str:
    name = draw.one(_ALIASES)
    own = draw.one((f"TARGET('{draw.weighted(OPENED)}')", "GET(DISABLED)", "PUT(DISABLED)", "TARGTYPE(TOPIC)"))
    return draw.one(
        (f"ALTER QALIAS('{name}') {own}", f"DEFINE QALIAS('{name}') REPLACE {own}", f"DELETE QALIAS({name})")
    )


def _other(draw: Draw) -> str:
    return draw.one(
        (
            f"ALTER QMGR DEADQ('{draw.weighted(DEAD_LETTERS)}')",
            f"ALTER QMGR MAXMSGL({draw.one(('4194304', '32768'))})",
            f"ALTER QMGR CHLAUTH({draw.one(('ENABLED', 'DISABLED'))})",
            f"DEFINE TOPIC('ORDERS') REPLACE TOPICSTR('orders') MDURMDL('{draw.one(('MODEL', 'NOWHERE', ' '))}')",
            "ALTER TOPIC('PRICES') MNDURMDL('MODEL')",
            f"ALTER QMODEL('MODEL') {_queue_attribute(draw)}",
            "DEFINE QMODEL('MODEL') REPLACE",
            "DEFINE QREMOTE('FAR') REPLACE RNAME('AWAY') RQMNAME('GONE')",
            "DEFINE QREMOTE('FAR') REPLACE",
        )
    )


def _channel(draw: Draw) -> str:
    name = draw.weighted({CHANNELS[0]: 4, CHANNELS[1]: 1})
    return draw.one(
        (
            f"ALTER CHANNEL('{name}') CHLTYPE(SVRCONN) {draw.one(_CHANNEL)}",
            f"DEFINE CHANNEL('{name}') CHLTYPE(SVRCONN) REPLACE {draw.one(_CHANNEL)}",
            f"DEFINE CHANNEL('{name}') CHLTYPE(SVRCONN) REPLACE",
            f"DELETE CHANNEL('{name}')",
        )
    )


def _access(draw: Draw) -> str:
    profile, entity = draw.one((draw.one(_QUEUES), draw.one(_ALIASES), "ORDERS.**", "**")), draw.one(_ENTITIES)
    rights = f"{draw.one(('AUTHRMV', 'AUTHRMV', 'AUTHADD'))}({draw.one(('ALL', 'PUT', 'PASSALL', 'GET', 'INQ'))})"
    channel = draw.one((CHANNELS[0], "*"))
    return draw.one(
        (
            f"SET AUTHREC PROFILE('{profile}') OBJTYPE(QUEUE) {entity} {rights}",
            f"DELETE AUTHREC PROFILE('{profile}') OBJTYPE(QUEUE) {entity}",
            f"SET AUTHREC OBJTYPE(QMGR) {entity} AUTHRMV({draw.one(('ALL', 'CONNECT', 'INQ'))})",
            f"SET CHLAUTH('{channel}') TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(NOACCESS) ACTION(REPLACE)",
            f"SET CHLAUTH('{channel}') TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(MAP) MCAUSER('nobody') ACTION(REPLACE)",
            f"SET CHLAUTH('{channel}') TYPE(USERMAP) CLNTUSER('wasuser') USERSRC(NOACCESS) ACTION(REPLACE)",
            f"SET CHLAUTH('{channel}') TYPE(ADDRESSMAP) ADDRESS('*') ACTION(REMOVE)",
        )
    )


def change_properties(draw: Draw, cell: CellConfig, managers: Sequence[str]) -> str:
    """A properties file of one or two sections about objects that a cell has."""
    return "".join(draw.one(list(_sections(draw, cell, managers))) for _ in range(draw.one((1, 1, 2))))


def _section(kind: str, cell: CellConfig, scope: Scope, steps: Sequence[str], group: str, pair: str) -> str:
    outer = (("Cell", cell.name), ("ServerCluster", scope.cluster), ("Node", scope.node), ("Server", scope.server))
    path = ":".join([*(f"{step}={name}" for step, name in outer if name), *steps])
    return f"ResourceType={kind}\nResourceId={path}\n{f'AttributeInfo={group}{chr(10)}' if group else ''}{pair}\n\n"


def _sections(draw: Draw, cell: CellConfig, managers: Sequence[str]) -> Iterator[str]:
    """One section about an object of each kind that the cell has."""
    yield from _specifications(draw, cell, managers)
    yield from _resources(draw, cell, managers)
    yield from _servers(draw, cell)
    for alias in (*sorted(cell.aliases), "node/unknown"):
        user = f"userId={draw.one(('nobody', 'mqapp', 'mqm'))}"
        yield _section("JAASAuthData", cell, Scope(), ("Security=", f"JAASAuthData=alias#{alias}"), "", user)
    values = [setting.value for held in cell.variables.values() for setting in held.values()]
    for scope, name in [(scope, name) for scope, held in cell.variables.items() for name in held]:
        entry = f"{name}={draw.one([*values, '1'])}"
        yield _section("VariableMap", cell, scope, ("VariableMap=",), "entries(symbolicName,value)", entry)
    if cell.bus_destinations:
        bus = draw.one(cell.bus_destinations)
        own = draw.one(
            (
                "maxFailedDeliveries=0", "maxFailedDeliveries=9", "exceptionDestination=", "exceptionDestination=NOPE",
                "receiveAllowed=false", "sendAllowed=false", "blockedRetryTimeout=0",
            )
        )  # fmt: skip
        yield _section("SIBQueue", cell, Scope(), (f"SIBus={bus.bus}", f"SIBQueue={bus.identifier}"), "", own)


def _names(settings: Iterator[Setting | None]) -> list[str]:
    return [*(setting.value for setting in settings if setting is not None), "jms/nope"]


def _destination_names(cell: CellConfig) -> list[str]:
    return _names(each.settings.get("jndiName") for each in cell.destinations)


def _factory_names(cell: CellConfig) -> list[str]:
    return _names(each.settings.get("jndiName") for each in cell.connection_factories)


def _specifications(draw: Draw, cell: CellConfig, managers: Sequence[str]) -> Iterator[str]:
    specs = [spec for spec in cell.activation_specs if not spec.scope.application]
    if not specs:
        return
    spec = draw.one(specs)
    steps = (f"J2CResourceAdapter={spec.adapter_name}", f"J2CActivationSpec={spec.name}")
    stop, count = f'was_stopEndpointIfDeliveryFails="{draw.one(("true", "false"))}"', draw.one("0146")
    packed = draw.one(('sslType="CENTRAL"', stop, f'{stop},was_failureDeliveryCount="{count}"'))
    named = draw.one(_destination_names(cell))
    own = draw.one(
        (
            f"arbitraryProperties={packed}", f"destination={named}", f"destinationLookup={named}", "useJNDI=false",
            f"destinationType=javax.jms.{draw.one(('Queue', 'Topic'))}", f"channel={draw.one(CHANNELS)}",
            f"queueManager={draw.one([*managers, 'QMNEW'])}", f"transportType={draw.one(('CLIENT', 'BINDINGS'))}",
            f"maxPoolDepth={draw.one(('1', '60'))}", f"nonASFTimeout={draw.one(('0', '500', '130000'))}",
            f"connectionFactoryLookup={draw.one(_factory_names(cell))}", "WAS_EndpointInitialState=INACTIVE",
            "failIfQuiesce=false", "messageRetention=NO", "subscriptionDurability=Durable", "maxConcurrency=1",
            "maxBatchSize=5", "AutoStopSequentialMessageFailure=3", "providerVersion=6", "messageSelector=a",
            "startTimeout=2000",
        )
    )  # fmt: skip
    yield _section("J2CActivationSpec", cell, spec.scope, steps, "resourceProperties(name,value)", own)
    alias = draw.one(("node/wasuser", "node/mqapp", "node/unknown"))
    own = draw.one(
        (
            f"jndiName=jms/as/{draw.one(specs).name}", "jndiName=jms/as/new", f"authenticationAlias={alias}",
            f"destinationJndiName={named}",
        )
    )  # fmt: skip
    yield _section("J2CActivationSpec", cell, spec.scope, steps, "", own)
    own = draw.one(("reconnectionRetryCount=1", "reconnectionRetryInterval=10", "maxConnections=1"))
    yield _section("J2CResourceAdapter", cell, spec.scope, steps[:1], "resourceProperties(name,value)", own)


def _resources(draw: Draw, cell: CellConfig, managers: Sequence[str]) -> Iterator[str]:
    manager = draw.one([*managers, "QMNEW"])
    destinations = [each for each in cell.destinations if not each.scope.application and each.provider != "generic"]
    if destinations:
        chosen = draw.one(destinations)
        kind = "J2CAdminObject" if chosen.provider == "sib" else "MQTopic" if chosen.type == "topic" else "MQQueue"
        own = [f"jndiName={draw.one(_destination_names(cell))}"]
        own += (
            [f"QueueName={draw.one(('ORDERS', 'NOTICES', 'X'))}", "BusName=Other"]
            if chosen.provider == "sib"
            else [f"baseQueueName={draw.weighted(OPENED)}", f"baseQueueManagerName={manager}"]
        )
        yield _section(kind, cell, chosen.scope, (f"{kind}={chosen.name}",), "", draw.one(own))
    factories = [each for each in cell.connection_factories if not each.scope.application and each.provider == "wmq"]
    if factories:
        factory = draw.one(factories)
        group, pair = draw.one(
            (
                ("", f"queueManager={manager}"), ("", f"channel={draw.one(CHANNELS)}"), ("", "transportType=BINDINGS"),
                ("", f"jndiName={draw.one(_factory_names(cell))}"), ("", "msgRetention=false"), ("", "clientID=x"),
                ("", "providerVersion=6"), ("sessionPool", "maxConnections=1"), ("connectionPool", "maxConnections=1"),
            )
        )  # fmt: skip
        steps = [factory.parent.replace(":", "=", 1)] if factory.parent else []
        yield _section(factory.type, cell, factory.scope, (*steps, f"{factory.type}={factory.name}"), group, pair)


def _servers(draw: Draw, cell: CellConfig) -> Iterator[str]:
    if not cell.servers:
        return
    server = draw.one(cell.servers)
    recovery = draw.one(("MAX.RECOVERY.RETRIES=0", "RECOVERY.RETRY.INTERVAL=1", "NON.ASF.RECEIVE.TIMEOUT=110000"))
    timeout = f"{draw.one(('totalTranLifetimeTimeout', 'propogatedOrBMTTranLifetimeTimeout'))}={draw.one('01')}"
    for kind, step, group, pair in (
        ("MessageListenerService", "MessageListenerService=", "properties(name,value)", recovery),
        ("MessageListenerService", "MessageListenerService=", "threadPool", "maximumSize=1"),
        ("TransactionService", "TransactionService=", "services", timeout),
        ("ThreadPool", "ThreadPool=WMQJCAResourceAdapter", "", "maximumSize=1"),
    ):
        yield _section(kind, cell, server.scope, (step,), group, pair)
    ports = [(each, port) for each in cell.servers for port in each.listener_ports]
    if ports:
        server, port = draw.one(ports)
        own = draw.one(
            (
                f"destinationJNDIName={draw.one(_destination_names(cell))}",
                f"connectionFactoryJNDIName={draw.one(_factory_names(cell))}",
                f"maxRetries={draw.one('059')}", f"maxSessions={draw.one(('1', '60'))}", "maxMessages=5",
                "initialState=STOP",
            )
        )  # fmt: skip
        yield _section("ListenerPort", cell, server.scope, (f"ListenerPort={port.name}",), "", own)
