"""Overlays: a change of each kind of object changes the columns that are read from it, and nothing else."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from pathlib import Path
from typing import TypeAlias

import pytest

from lintmdb.model.columns import Value, columns
from lintmdb.model.relations import RELATIONS, Problem, Row
from lintmdb.resolve.observations import read_observations
from lintmdb.run.estate import UnresolvedEstate, read_exports, resolve_exports
from lintmdb.run.overlay import overlay_of
from lintmdb.settings.changes import PLANNED, Assignment, Change, Definition, Grant, Target
from lintmdb.settings.kinds import KINDS
from tests.support.scenario_folders import scenario_folder
from tests.support.variant import Variant

Differences: TypeAlias = dict[str, Value]
"""``relation name @ place: column`` to its new value."""

_ADAPTER = "J2CResourceAdapter:WebSphere MQ Resource Adapter"
_CLUSTER = f"/ServerCluster:ShopCluster/{_ADAPTER}"
_MEMBERS = "/Node:node1/Server:shop1/ /Node:node2/Server:shop2/"
_CLAIMS = "/Node:node2/Server:claims/"
_FACTORY = "/Cell:PRODCELL/JMSProvider:WebSphere MQ JMS Provider/MQQueueConnectionFactory:QM1CF/"


def _was(kind: str, name: str, path: str, setting: str, attribute: str, new: str) -> Assignment:
    return Assignment(Target("was", "PRODCELL", kind, name, path), setting, attribute, new)


def _exports(folder: Path) -> UnresolvedEstate:
    return read_exports([path for path in sorted(folder.iterdir()) if path.name not in ("expected.yaml", "README.md")])


def _subject(row: Row) -> str:
    names = [getattr(row, name, None) for name in ("name", "bean", "queue", "user")]
    places = [getattr(row, name, None) for name in ("cluster", "server", "bus", "queue_manager")]
    return f"{next((n for n in names if n), '-')} @ {next((p for p in places if p), '-')}"


def _values(exports: UnresolvedEstate, *changes: Change) -> Mapping[str, list[tuple[str, dict[str, Value]]]]:
    facts = resolve_exports(exports, read_observations(None, "15s"), overlay_of(changes)).facts
    return {
        table: [
            (_subject(row), {c.name: getattr(row, c.name) for c in columns(relation)})
            for row in facts.rows[table]
            if not (isinstance(row, Problem) and row.kind == "hidden_definition")
        ]
        for table, relation in RELATIONS.items()
        if table != "export"
    }


def _differences(folder: Path, *changes: Change) -> Differences:
    """What changes make of an estate; no row but a notice comes or goes, and the exports stay as they were read."""
    exports = _exports(folder)
    read = copy.deepcopy(exports.cells)
    before, after = _values(exports), _values(exports, *changes)
    assert exports.cells == read
    found: Differences = {}
    for table, rows in before.items():
        assert [subject for subject, _ in rows] == [subject for subject, _ in after[table]]
        for (subject, old), (_, new) in zip(rows, after[table], strict=True):
            found |= {f"{table} {subject}: {name}": new[name] for name in old if old[name] != new[name]}
    return found


CASES: dict[str, tuple[Assignment, Differences]] = {
    "listener_port": (
        _was("listener_port", "ClaimsLP", _CLAIMS, "endpoint.failure_threshold", "maxRetries", "9"),
        {"endpoint ClaimsLP @ claims: failure_threshold": 9},
    ),
    "listener_port, its state": (
        _was("listener_port", "ClaimsLP", _CLAIMS, "endpoint.initial_state", "initialState", "STOP"),
        {
            "endpoint ClaimsLP @ claims: initial_state": "stopped",
            "endpoint ClaimsLP @ claims: connection_pool_beans": 0,
            "server claims @ -: listener_sessions": 0,
        },
    ),
    "listener_service": (
        _was(
            "listener_service",
            "MessageListenerService",
            _CLAIMS,
            "endpoint.non_asf_timeout_ms",
            "NON.ASF.RECEIVE.TIMEOUT",
            "0",
        ),
        {"endpoint ClaimsLP @ claims: non_asf_timeout_ms": 0},
    ),
    "listener_service, a property taken away": (
        _was(
            "listener_service",
            "MessageListenerService",
            _CLAIMS,
            "endpoint.non_asf_timeout_ms",
            "NON.ASF.RECEIVE.TIMEOUT",
            "",
        ),
        {"endpoint ClaimsLP @ claims: non_asf_timeout_ms": 0},
    ),
    "listener_threads": (
        _was("listener_threads", "threadPool", _CLAIMS, "server.listener_threads_max", "maximumSize", "77"),
        {"server claims @ -: listener_threads_max": 77},
    ),
    "thread_pool, of each member": (
        _was("thread_pool", "WMQJCAResourceAdapter", _MEMBERS, "server.activation_threads_max", "maximumSize", "77"),
        {"server ShopCluster @ ShopCluster: activation_threads_max": 77},
    ),
    "transaction_service": (
        _was(
            "transaction_service",
            "TransactionService",
            _CLAIMS,
            "server.total_timeout_ms",
            "totalTranLifetimeTimeout",
            "240",
        ),
        {
            "server claims @ -: total_timeout_ms": 240_000,
            "server claims @ -: effective_timeout_ms": 240_000,
            "bean ClaimBean @ -: transaction_timeout_ms": 240_000,
            "bean LetterBean @ -: transaction_timeout_ms": 240_000,
            "bean NoticeBean @ -: transaction_timeout_ms": 240_000,
            "bean ReturnBean @ -: transaction_timeout_ms": 240_000,
        },
    ),
    "mq_specification": (
        _was(
            "mq_specification",
            "OrdersAS",
            f"{_CLUSTER}/J2CActivationSpec:OrdersAS/",
            "endpoint.failure_threshold",
            "failureDeliveryCount",
            "9",
        ),
        {"endpoint OrdersAS @ ShopCluster: failure_threshold": 9},
    ),
    "mq_specification, kept under another name": (
        _was(
            "mq_specification",
            "LettersAS",
            f"/Cell:PRODCELL/{_ADAPTER}/J2CActivationSpec:LettersAS/",
            "endpoint.message_retention",
            "msgRetention",
            "false",
        ),
        {"endpoint LettersAS @ claims: message_retention": False},
    ),
    "mq_specification_property": (
        _was(
            "mq_specification_property",
            "ReturnsAS",
            f"/Node:node2/{_ADAPTER}/J2CActivationSpec:ReturnsAS/",
            "endpoint.initial_state",
            "WAS_EndpointInitialState",
            "INACTIVE",
        ),
        {
            "endpoint ReturnsAS @ claims: initial_state": "stopped",
            "endpoint ReturnsAS @ claims: adapter_beans": 0,
            "server claims @ -: activation_sessions": 10,
            "server claims @ -: activation_terms": "LettersAS 10",
        },
    ),
    "bus_specification": (
        _was(
            "bus_specification",
            "NoticesAS",
            "/Node:node2/Server:claims/J2CResourceAdapter:SIB JMS Resource Adapter/J2CActivationSpec:NoticesAS/",
            "endpoint.sequential_failure_threshold",
            "autoStopSequentialMessageFailure",
            "3",
        ),
        {"endpoint NoticesAS @ claims: sequential_failure_threshold": 3},
    ),
    "resource_adapter": (
        _was(
            "resource_adapter",
            "WebSphere MQ Resource Adapter",
            f"{_CLUSTER}/",
            "endpoint.adapter_connections_max",
            "maxConnections",
            "5",
        ),
        {
            f"endpoint {name} @ ShopCluster: adapter_connections_max": 5
            for name in ("InvoicesAS", "OrdersAS", "PaymentsAS", "StockAS")
        },
    ),
    "connection_factory": (
        _was("connection_factory", "QM1CF", _FACTORY, "endpoint.fail_if_quiesce", "failIfQuiesce", "false"),
        {"endpoint ClaimsLP @ claims: fail_if_quiesce": False},
    ),
    "session_pool": (
        _was("session_pool", "QM1CF", _FACTORY, "endpoint.session_pool_max", "maxConnections", "3"),
        {"endpoint ClaimsLP @ claims: session_pool_max": 3},
    ),
    "connection_pool": (
        _was("connection_pool", "QM1CF", _FACTORY, "endpoint.connection_pool_max", "maxConnections", "3"),
        {"endpoint ClaimsLP @ claims: connection_pool_max": 3},
    ),
    "bus_destination": (
        _was("bus_destination", "NOTICES", "MailBus", "destination.blocked_retry_ms", "blockedRetryTimeout", "60000"),
        {
            "destination NOTICES @ MailBus: blocked_retry_ms": 60_000,
            "destination NOTICES @ MailBus: effective_blocked_retry_ms": 60_000,
        },
    ),
}


def test_every_kind_of_object_is_tried() -> None:
    """A new kind needs a case."""
    assert {name.partition(",")[0] for name in CASES} == {
        name for name, kind in KINDS.items() if kind.product == "was" and not name.startswith("liberty_")
    }


@pytest.mark.parametrize("case", CASES)
def test_a_change_changes_its_column_alone(tmp_path: Path, case: str) -> None:
    """In an estate with a cluster, objects at all scopes, a bus and two queue managers."""
    change, expected = CASES[case]
    assert _differences(Variant(tmp_path, "estate").folder, change) == expected


_SERVER = "was/cells/C1/nodes/node1/servers/server1/server.xml"
_RESOURCES = "was/cells/C1/nodes/node1/servers/server1/resources.xml"
_BUS = "was/cells/C1/buses/OrdersBus/sib-destinations.xml"
_PORT = '<listenerPorts xmi:id="ListenerPort_1183122130506"'
_SERVICE = "endpoint.non_asf_timeout_ms", "NON.ASF.RECEIVE.TIMEOUT"


def _on_c1(kind: str, name: str, path: str, setting: str, attribute: str, new: str) -> Assignment:
    return Assignment(Target("was", "C1", kind, name, path), setting, attribute, new)


def test_a_value_replaces_a_variable(tmp_path: Path) -> None:
    """The variable stays what it is for others: the new value is the object's own."""
    variant = Variant(tmp_path, "listener-port-retries-0").edit(_SERVER, _PORT, f'{_PORT} maxRetries="${{RETRIES}}"')
    variant.edit(_SERVER, 'maxSessions="1"', 'maxSessions="${RETRIES}"')
    variables = "was/cells/C1/variables.xml"
    closing = "</variables:VariableMap>"
    variant.edit(variables, closing, f'<entries symbolicName="RETRIES" value="2"/>{closing}')
    path = "/Node:node1/Server:server1/"
    change = _on_c1("listener_port", "OrdersLP", path, "endpoint.failure_threshold", "maxRetries", "9")
    assert _differences(variant.folder, change) == {"endpoint OrdersLP @ server1: failure_threshold": 9}


def test_the_property_that_acts_is_replaced(tmp_path: Path) -> None:
    """A name with a blank at its end does not act before, and is not what the change writes."""
    padded = '<properties name="NON.ASF.RECEIVE.TIMEOUT " value="5"/>'
    variant = Variant(tmp_path, "listener-port-retries-0").edit(_SERVER, _PORT, padded + _PORT)
    path = "/Node:node1/Server:server1/"
    change = _on_c1("listener_service", "MessageListenerService", path, *_SERVICE, "90000")
    changed = {"endpoint OrdersLP @ server1: non_asf_timeout_ms": 90_000}
    assert _differences(variant.folder, change) == changed
    acting = '<properties name="NON.ASF.RECEIVE.TIMEOUT" value="7000"/>'
    assert _differences(variant.edit(_SERVER, padded, padded + acting).folder, change) == changed


def test_a_custom_property_wins_over_an_attribute_of_the_service(tmp_path: Path) -> None:
    """Retries may stand at the service itself; the change adds the property."""
    attribute = 'maxMDBListenerRetries="3" xmi:id="MessageListenerService_'
    variant = Variant(tmp_path, "listener-port-retries-0").edit(_SERVER, 'xmi:id="MessageListenerService_', attribute)
    path = "/Node:node1/Server:server1/"
    setting = ("server.listener_recovery_retries", "MAX.RECOVERY.RETRIES")
    change = _on_c1("listener_service", "MessageListenerService", path, *setting, "8")
    assert _differences(variant.folder, change) == {
        "server server1 @ -: listener_recovery_retries": 8,
        "server server1 @ -: listener_recovery_ms": 480_000,
    }


def test_a_specification_changes_at_its_scope_alone(tmp_path: Path) -> None:
    """One of the same name at the cell is another object."""
    variant = Variant(tmp_path, "clean")
    text = (variant.folder / _RESOURCES).read_text("utf-8")
    variant.write("was/cells/C1/resources.xml", text)
    own = f"{_ADAPTER}/J2CActivationSpec:OrdersAS/"
    stop = ("endpoint.stop_on_failure", "stopEndpointIfDeliveryFails", "true")
    cell = _on_c1("mq_specification", "OrdersAS", f"/Cell:C1/{own}", *stop)
    server = _on_c1("mq_specification", "OrdersAS", f"/Node:node1/Server:server1/{own}", *stop)
    assert _differences(variant.folder, cell) == {}
    assert _differences(variant.folder, server) == {"endpoint OrdersAS @ server1: stop_on_failure": True}


def test_a_loose_file_names_no_scope(tmp_path: Path) -> None:
    """Then the name is all there is, and a specification of the bus is still no other provider's."""
    port = Variant(tmp_path, "loose-files").folder
    factory = Target("was", "", "connection_factory", "QM1CF", "/MQQueueConnectionFactory:QM1CF/")
    quiesce = Assignment(factory, "endpoint.fail_if_quiesce", "failIfQuiesce", "false")
    assert _differences(port, quiesce) == {"endpoint OrdersLP @ server1: fail_if_quiesce": False}
    specification = Variant(tmp_path / "with", "loose-files")
    specification.edit(
        "ibm-ejb-jar-bnd.xml",
        'listener-port name="OrdersLP"',
        'jca-adapter activation-spec-binding-name="jms/as/Orders"',
    )
    specification.write("resources.xml", (scenario_folder("clean") / _RESOURCES).read_text("utf-8"))
    path = "/J2CActivationSpec:OrdersAS/"
    mq = Target("was", "", "mq_specification", "OrdersAS", path)
    bus = Target("was", "", "bus_specification", "OrdersAS", path)
    fewer = Assignment(mq, "endpoint.stop_on_failure", "stopEndpointIfDeliveryFails", "true")
    other = Assignment(bus, "endpoint.max_sessions", "maxConcurrency", "3")
    changed = {"endpoint OrdersAS @ server1: stop_on_failure": True}
    assert _differences(specification.folder, fewer) == changed
    assert _differences(specification.folder, other) == {}


def test_a_bus_destination_changes_on_its_bus_alone(tmp_path: Path) -> None:
    """Another bus may have a destination of the same name."""
    variant = Variant(tmp_path, "bus-exception-none")
    text = (variant.folder / _BUS).read_text("utf-8")
    variant.write("was/cells/C1/buses/OtherBus/sib-destinations.xml", text)
    setting = ("destination.exception_destination", "exceptionDestination", "$DEFAULT_EXCEPTION_DESTINATION")
    change = _on_c1("bus_destination", "ORDERS.IN", "OtherBus", *setting)
    assert _differences(variant.folder, change) == {"destination ORDERS.IN @ OtherBus: exception_destination": "system"}
    back = change._replace(new="")
    assert _differences(variant.folder, back) == {}


@pytest.mark.parametrize(
    "kind", [name for name, kind in KINDS.items() if kind.product == "was" and not name.startswith("liberty_")]
)
def test_what_is_not_there_is_not_changed(tmp_path: Path, kind: str) -> None:
    """A path or a name that no object has, as in a plan for an older export."""
    change = next(case for name, (case, _) in CASES.items() if name.partition(",")[0] == kind)
    target = change.target._replace(name="GONE", path="/Node:gone/Server:gone/")
    assert _differences(Variant(tmp_path, "estate").folder, change._replace(target=target)) == {}


_QUEUE = Target("mq", "QM1", "QLOCAL", "ORDERS.IN")


def test_commands_change_a_queue(tmp_path: Path) -> None:
    """Of the queue manager that they are for, and no other."""
    folder = Variant(tmp_path, "clean").folder
    change = Assignment(_QUEUE, "queue.backout_threshold", "BOTHRESH", "9", "3")
    found = _differences(folder, change)
    assert found["queue ORDERS.IN @ QM1: backout_threshold"] == 9
    assert {key.partition(":")[0] for key in found} == {"queue ORDERS.IN @ QM1"}
    elsewhere = change._replace(target=_QUEUE._replace(place="QM9"))
    assert _differences(folder, elsewhere) == {}


def test_new_objects_and_rights_are_commands() -> None:
    """They are read by the reader of all scripts, from a path that says that no file has them."""
    defined = Definition(_QUEUE._replace(name="O'S"), (("MAXDEPTH", "5"), ("SHARE", "")))
    grant = Grant(Target("mq", "QM1", "QUEUE", "ORDERS.BACKOUT"), "appuser", ("PUT",))
    overlay = overlay_of([defined, grant])
    (script,) = overlay.scripts["QM1"]
    assert script.path == PLANNED
    assert len(script.commands) == 2
    assert not overlay.assignments
