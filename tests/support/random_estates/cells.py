"""Random cells: servers, clusters, applications and the endpoints that their beans are bound to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tests.support.random_estates import buses, resources
from tests.support.random_estates.applications import Application, Bean, application_files
from tests.support.random_estates.blocks import Block
from tests.support.random_estates.draw import Draw
from tests.support.random_estates.elements import Identifiers, document, element, text_element
from tests.support.random_estates.queue_managers import CIRCLE
from tests.support.random_estates.resources import Resource, Scope
from tests.support.random_estates.servers import server_file


@dataclass(frozen=True, slots=True)
class Server:
    """An application server."""

    node: str
    name: str

    @property
    def folder(self) -> str:
        """Its folder in the cell."""
        return f"nodes/{self.node}/servers/{self.name}"


@dataclass(frozen=True, slots=True)
class Target:
    """What an application is deployed on: a server, or a cluster with its members."""

    name: str
    members: tuple[Server, ...]
    clustered: bool = False


@dataclass(slots=True)
class _Cell:
    """A cell while it is filled."""

    name: str
    draw: Draw
    managers: Sequence[str]
    circle: Draw | None = None
    """Draws from the queues of a circle, where most endpoints read those."""
    ids: Identifiers = field(default_factory=Identifiers)
    found: dict[str, list[Resource]] = field(default_factory=dict[str, list[Resource]])
    """Resources by folder of their scope."""
    ports: dict[Server, list[Block]] = field(default_factory=dict[Server, "list[Block]"])
    applications: list[Application] = field(default_factory=list[Application])

    def opened_name(self) -> str:
        """The name of a queue that a destination leads to, or to nothing."""
        name = resources.opened_name(self.draw)
        if self.circle is None or not name or self.circle.chance(0.1):
            return name
        return self.circle.one((*CIRCLE, "A.ORDERS"))


def build_cell(draw: Draw, name: str, managers: Sequence[str], *, circle: bool = False) -> dict[str, Block]:
    """The files of a cell by path, from the folder of the cell on. ``managers`` are names to connect to; with
    ``circle`` its endpoints read queues that may be in a circle of backout queues.
    """
    cell = _Cell(name, draw, managers, Draw(f"circle in {name}") if circle else None)
    targets = _targets(draw)
    servers = sorted({member for target in targets for member in target.members}, key=lambda s: (s.node, s.name))
    for number in range(draw.one((1, 1, 2, 3))):
        cell.applications.append(_application(cell, f"App{number}", draw.one(targets)))
    if draw.chance(0.15):  # left over: no bean is bound to it
        cell.found.setdefault("", []).extend(_wmq_spec(cell, "Left"))
    files = {**_topology(cell, targets, servers), **_scopes(cell, targets, servers), **_bus_files(cell, servers)}
    for application in cell.applications:
        files.update(application_files(draw, cell.ids, application))
    return {path: files[path] for path in sorted(files)}


def _targets(draw: Draw) -> list[Target]:
    alone = Server("node1", "server1")
    found = [Target("server1", (alone,))]
    if draw.chance(0.35):
        members = (Server("node1", "shop1"), Server(draw.one(("node1", "node2")), "shop2"))
        found.append(Target("Shop", members, clustered=True))
    if draw.chance(0.2):
        found.append(Target("server2", (Server("node2", "server2"),)))
    return found


def _application(cell: _Cell, name: str, target: Target) -> Application:
    beans: list[Bean] = []
    for number in range(cell.draw.one((1, 1, 2, 3))):
        beans.append(_bean(cell, name, f"{cell.draw.weighted({'Bean': 3, 'SlowBean': 1})}{number}", target, beans))
    servers = [(server.node, server.name) for server in target.members]
    return Application(name, target.name, servers, target.clustered, tuple(beans))


def _bean(cell: _Cell, application: str, name: str, target: Target, others: Sequence[Bean]) -> Bean:
    """A bean and the endpoint that it is bound to, which it may share with another one."""
    draw = cell.draw
    kind = draw.weighted({"wmq": 6, "port": 3, "sib": 2.5, "shared": 2.5 if others else 0, "lost": 0.4, "none": 0.3})
    if kind == "shared":
        other = draw.one(others)
        return Bean(name, other.port, other.spec)
    if kind == "none":
        return Bean(name)
    endpoint = f"{application}{name}"
    if kind == "lost":
        return Bean(name, "", f"jms/as/{endpoint}") if draw.chance(0.5) else Bean(name, endpoint)
    if kind == "port":
        _listener_port(cell, endpoint, target)
        return Bean(name, endpoint)
    found = _bus_spec(cell, endpoint) if kind == "sib" else _wmq_spec(cell, endpoint)
    folders = set(_folders(draw, application, target))
    for folder in sorted(folders):
        cell.found.setdefault(folder, []).extend(found)
    return Bean(name, "", f"jms/as/{endpoint}")


def _folders(draw: Draw, application: str, target: Target) -> list[str]:
    """The folders of the scope at which resources stand."""
    weights: Mapping[Scope, float] = {
        "cell": 3,
        "node": 2,
        "server": 4,
        "cluster": 5 if target.clustered else 0,
        "application": 0.8,
    }
    match draw.weighted(weights):
        case "node":
            return [f"nodes/{server.node}/" for server in target.members]
        case "server":
            return [f"{server.folder}/" for server in target.members]
        case "cluster":
            return [f"clusters/{target.name}/"]
        case "application":
            return [f"applications/{application}.ear/deployments/{application}/"]
        case _:
            return [""]


def _wmq_spec(cell: _Cell, name: str) -> list[Resource]:
    draw = cell.draw
    topic = draw.chance(0.15)
    destination = resources.topic_name(draw) if topic else cell.opened_name()
    if not topic and draw.chance(0.05):
        destination = "${INPUT_QUEUE}"
    return resources.activation_spec(draw, cell.ids, name, draw.one(cell.managers), destination, topic=topic)


def _bus_spec(cell: _Cell, name: str) -> list[Resource]:
    draw = cell.draw
    topic = draw.chance(0.25)
    destination = draw.weighted(buses.SPACES if topic else buses.QUEUES)
    return resources.bus_spec(draw, cell.ids, name, buses.BUS, destination, topic=topic)


def _listener_port(cell: _Cell, name: str, target: Target) -> None:
    draw, manager = cell.draw, cell.draw.one(cell.managers)
    topic = draw.chance(0.15)
    destination = resources.topic_name(draw) if topic else cell.opened_name()
    own = [
        Resource("jms", resources.connection_factory(draw, cell.ids, f"jms/cf/{name}", manager)),
        Resource("jms", resources.mq_destination(draw, cell.ids, f"jms/d/{name}", destination, manager, topic=topic)),
    ]
    cell.found.setdefault(draw.one(["", *(f"nodes/{target.members[0].node}/",) * (not target.clustered)]), []).extend(
        own
    )
    for server in target.members:
        state = element(
            "stateManagement",
            {"xmi:id": cell.ids.next("S"), "initialState": draw.weighted({"START": 9, "STOP": 1})},
        )
        port = element(
            "listenerPorts",
            {
                "xmi:id": cell.ids.next("ListenerPort"),
                "name": name,
                "connectionFactoryJNDIName": draw.weighted({f"jms/cf/{name}": 15.0, "jms/cf/nowhere": 1.0}),
                "destinationJNDIName": f"jms/d/{name}",
                "maxSessions": draw.weighted({None: 2, "1": 1, "5": 3, "60": 0.5}),
                "maxRetries": draw.weighted({None: 2, "1": 1, "2": 1, "4": 4, "6": 2}),
                "maxMessages": draw.weighted({None: 4, "3": 1}),
            },
            [state],
        )
        cell.ports.setdefault(server, []).append(port)


def _topology(cell: _Cell, targets: Sequence[Target], servers: Sequence[Server]) -> dict[str, Block]:
    draw, ids = cell.draw, cell.ids
    entries = {"wasuser": "wasuser", "mqapp": "mqapp"}
    users = [
        element(
            "authDataEntries",
            {"xmi:id": ids.next("A"), "alias": f"node/{alias}", "userId": user, "password": "{xor}LDo8LTor"},
        )
        for alias, user in entries.items()
    ]
    files = {
        "cell.xml": document("topology.cell:Cell", {"xmi:id": "Cell_1", "name": cell.name}, ("topology.cell",)),
        "security.xml": document("security:Security", {"xmi:id": "Security_1"}, ("security",), users),
        "variables.xml": _variables(ids, {"INPUT_QUEUE": "ORDERS.IN", "UNUSED": "x"}),
    }
    system = draw.weighted({"linux": 5, "windows": 1, "os390": 2})
    for node in sorted({server.node for server in servers}):
        version = draw.weighted({"9.0.5.14": 4, "8.5.5.20": 4, "8.0.0.1": 1, "7.0.0.9": 1, "6.1.0.47": 0.7})
        files[f"nodes/{node}/node-metadata.properties"] = Block(
            f"com.ibm.websphere.baseProductVersion={version}\n",
            (f"com.ibm.websphere.nodeOperatingSystem={system}\n", "com.ibm.websphere.baseProductShortName=ND\n"),
        )
        files[f"nodes/{node}/serverindex.xml"] = _serverindex(cell, node, targets, servers)
        own = {"INPUT_QUEUE": "BILLS.IN"} if draw.chance(0.2) else {}
        files[f"nodes/{node}/variables.xml"] = _variables(ids, own)
    for target in targets:
        if target.clustered:
            members = [
                element("members", {"xmi:id": ids.next("M"), "memberName": server.name, "nodeName": server.node})
                for server in target.members
            ]
            files[f"clusters/{target.name}/cluster.xml"] = document(
                "topology.cluster:ServerCluster",
                {"xmi:id": "ServerCluster_1", "name": target.name},
                ("topology.cluster",),
                members,
            )
    return files


def _variables(ids: Identifiers, values: Mapping[str, str]) -> Block:
    entries = [
        element("entries", {"xmi:id": ids.next("V"), "symbolicName": name, "value": value})
        for name, value in values.items()
    ]
    return document("variables:VariableMap", {"xmi:id": "VariableMap_1"}, ("variables",), entries)


def _serverindex(cell: _Cell, node: str, targets: Sequence[Target], servers: Sequence[Server]) -> Block:
    entries: list[Block] = []
    for server in servers:
        if server.node != node:
            continue
        of_server = {target.name for target in targets if server in target.members}
        deployed = [
            text_element("deployedApplications", f"{app.name}.ear/deployments/{app.name}")
            for app in cell.applications
            if app.target in of_server
        ]
        identity = {"serverName": server.name, "serverType": "APPLICATION_SERVER"}
        entries.append(element("serverEntries", {"xmi:id": cell.ids.next("E"), **identity}, deployed))
    identity = {"serverName": "nodeagent", "serverType": "NODE_AGENT"}
    entries.append(element("serverEntries", {"xmi:id": cell.ids.next("E"), **identity}))
    return document("serverindex:ServerIndex", {"xmi:id": "ServerIndex_1"}, ("serverindex",), entries)


def _scopes(cell: _Cell, targets: Sequence[Target], servers: Sequence[Server]) -> dict[str, Block]:
    """The resources.xml of every scope, as a whole repository has them, and each server.xml."""
    folders = {"", *(f"nodes/{server.node}/" for server in servers), *(f"{server.folder}/" for server in servers)}
    folders |= {f"clusters/{target.name}/" for target in targets if target.clustered}
    files = {
        f"{folder}resources.xml": resources.resources_file(cell.draw, cell.ids, cell.found.get(folder, []))
        for folder in sorted(folders | cell.found.keys())
    }
    cluster_of = {server: target.name for target in targets if target.clustered for server in target.members}
    for server in servers:
        files[f"{server.folder}/server.xml"] = server_file(
            cell.draw, cell.ids, server.name, cluster_of.get(server), cell.ports.get(server, [])
        )
    return files


def _bus_files(cell: _Cell, servers: Sequence[Server]) -> dict[str, Block]:
    if not any(resource.parent == "sib" for found in cell.found.values() for resource in found):
        return {}
    server = servers[0]
    return {
        f"buses/{buses.BUS}/sib-destinations.xml": buses.destinations_file(cell.draw, cell.ids),
        f"{server.folder}/sib-engines.xml": buses.engines_file(cell.draw, server.node, server.name),
    }
