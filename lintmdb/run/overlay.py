"""Changes on top of exports: what files would say if the changes were made. No file is written.

Commands of IBM MQ run after the scripts of their queue manager, by the same reader and the same runner. Attributes of
WebSphere take their new value in the objects that were read, before anything is resolved.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias, TypeVar

from lintmdb.exports.liberty import with_policy
from lintmdb.exports.mq import MqscFile, read_mqsc
from lintmdb.exports.was.objects import (
    ActivationSpec,
    BusDestination,
    CellConfig,
    ConnectionFactory,
    JmsDestination,
    ListenerPort,
    Scope,
    ServerConfig,
    Settings,
)
from lintmdb.model.environment_names import key_of
from lintmdb.model.origins import ChangeOrigin, Setting, former
from lintmdb.model.relations import Problem
from lintmdb.settings.changes import PLANNED, Assignment, Change, Target, containment_paths
from lintmdb.settings.kinds import path_steps
from lintmdb.settings.mqsc import mqsc_lines
from lintmdb.settings.registry import find_setting
from lintmdb.settings.wiring import DELETION, ELEMENT, WIRING

Edit: TypeAlias = Callable[[Settings], Settings]
_T = TypeVar("_T")
_Held = TypeVar("_Held", ListenerPort, ActivationSpec, ConnectionFactory, BusDestination)


@dataclass(frozen=True, slots=True)
class Overlay:
    """Changes by the queue manager or the cell that they are made to, by ``environments.key_of`` it."""

    scripts: Mapping[str, Sequence[MqscFile]] = field(default_factory=dict[str, Sequence[MqscFile]])
    assignments: Mapping[str, Sequence[Assignment]] = field(default_factory=dict[str, Sequence[Assignment]])
    problems: Sequence[Problem] = ()
    """What a change asks for that cannot be made on these exports."""
    files: Mapping[str, Callable[[], bytes]] = field(default_factory=dict[str, Callable[[], bytes]], repr=False)
    """Reads a file that makes changes again, by its path as shown."""

    def cell(self, cell: CellConfig) -> CellConfig:
        """A cell with its changes; the cell itself where it has none."""
        changes = self.assignments.get(key_of(cell.environment, cell.name or ""), ())
        return change_cell(cell, changes) if changes else cell


NOTHING = Overlay()


def overlay_of(changes: Iterable[Change]) -> Overlay:
    """The overlay of planned changes."""
    commands: dict[str, list[Change]] = {}
    assignments: dict[str, list[Assignment]] = {}
    for change in changes:
        if change.target.product == "mq":
            commands.setdefault(change.target.place_key, []).append(change)
        elif isinstance(change, Assignment):
            assignments.setdefault(change.target.place_key, []).append(change)
    return Overlay({name: tuple(_scripts(own)) for name, own in commands.items()}, assignments)


def _scripts(changes: Iterable[Change]) -> Iterator[MqscFile]:
    """The scripts that make changes: one for all that stand together in one file, or in none."""
    for path, own in itertools.groupby(changes, lambda change: change.new_origin and change.new_origin.path):
        made = list(own)
        if path is None:
            yield read_mqsc("\n".join([*itertools.chain.from_iterable(map(mqsc_lines, made)), ""]).encode(), PLANNED)
            continue
        scripts = [_placed(change) for change in made]
        scripts[0].commands[:] = [command for script in scripts for command in script.commands]
        yield scripts[0]


def _placed(change: Change) -> MqscFile:
    """The script of one change, all of it where a file asks for the change."""
    path, line, column = change.new_origin[:3] if change.new_origin is not None else (PLANNED, 0, 0)
    script = read_mqsc("\n".join([*mqsc_lines(change), ""]).encode(), path)
    script.commands[:] = [
        command._replace(
            line=line,
            column=column,
            parameters=tuple([(parameter._replace(column=column), line) for parameter, _ in command.parameters]),
        )
        for command in script.commands
    ]
    return script


def change_cell(cell: CellConfig, changes: Sequence[Assignment]) -> CellConfig:
    """A cell whose objects have the values of changes; the cell that was read stays as it is."""
    of_specs: dict[str, list[Assignment]] = {}
    for change in changes:
        if change.setting == DELETION:
            cell = _without(cell, change)
        elif change.target.kind in _SPECIFICATIONS:
            of_specs.setdefault(change.target.name, []).append(change)
        else:
            cell = _KINDS[change.target.kind](cell, change.target, functools.partial(_with, change))
    return _change_specifications(cell, of_specs) if of_specs else cell


def _change_specifications(cell: CellConfig, changes: Mapping[str, Sequence[Assignment]]) -> CellConfig:
    """A cell in which activation specifications are changed, by their names: a cell may have thousands, and a plan
    changes most of them.
    """
    specs: list[ActivationSpec] = []
    for spec in cell.activation_specs:
        own = changes.get(spec.name, ())
        alone = replace(cell, activation_specs=[spec]) if own else cell
        for change in own:
            on_element = change.setting == WIRING and change.attribute in ELEMENT
            edited = _specification_element if on_element else _specification
            alone = edited(alone, change.target, functools.partial(_with, change))
        specs += alone.activation_specs if own else [spec]
    return replace(cell, activation_specs=specs)


_SPECIFICATIONS = ("mq_specification", "mq_specification_property", "bus_specification")


def find_settings(cell: CellConfig, target: Target) -> list[Settings]:
    """The settings of an object in a cell, once for each of its containment paths; none where the cell lacks it."""
    found: list[Settings] = []

    def note(settings: Settings) -> Settings:
        found.append(settings)
        return settings

    _KINDS[target.kind](cell, target, note)
    return found


def _without(cell: CellConfig, change: Assignment) -> CellConfig:
    """A cell without an object, with where the change says so; the cell as it is where it has none."""
    gone = {id(settings) for settings in find_settings(cell, change.target)}
    path, line, column = change.new_origin[:3] if change.new_origin is not None else (PLANNED, 0, 0)
    place = ChangeOrigin(path, line, column, f"{change.attribute}={change.new}")
    deleted = dict(cell.deleted)
    for server in cell.servers:
        ports = (port for port in server.listener_ports if id(port.settings) in gone)
        deleted.update({("listener_port", server.scope, port.name): place for port in ports})
    for spec in cell.activation_specs:
        if id(spec.settings) in gone and "jndiName" in spec.attributes:
            deleted["activation_spec", spec.scope, spec.attributes["jndiName"].value.strip()] = place
    for destination in cell.bus_destinations:
        if id(destination.settings) in gone:
            deleted["bus_destination", Scope(), f"{destination.bus}/{destination.identifier}"] = place
    for factory in cell.connection_factories:
        if id(factory.settings) in gone and "jndiName" in factory.settings:
            deleted["factory", factory.scope, factory.settings["jndiName"].value.strip()] = place

    def left(objects: Iterable[_Held]) -> list[_Held]:
        return [held for held in objects if id(held.settings) not in gone]

    servers = [replace(server, listener_ports=tuple(left(server.listener_ports))) for server in cell.servers]
    return replace(
        cell,
        servers=servers,
        activation_specs=left(cell.activation_specs),
        connection_factories=left(cell.connection_factories),
        bus_destinations=left(cell.bus_destinations),
        deleted=deleted,
    )


def is_exported(cell: CellConfig, target: Target) -> bool:
    """Whether the files that would hold an object were read at each of its scopes: what they lack is gone."""
    scopes = [_scope(path)[0] for path in containment_paths(target.path)]
    return cell.rooted and cell.files.issuperset(file for scope in scopes for file in files_of(scope))


def files_of(scope: Scope) -> list[str]:
    """The files below the cell that hold the objects of a scope."""
    if scope.server:
        folder = f"nodes/{scope.node}/servers/{scope.server}/"
        return [f"{folder}server.xml", f"{folder}resources.xml"]
    if scope.node:
        return [f"nodes/{scope.node}/resources.xml"]
    return [f"clusters/{scope.cluster}/resources.xml" if scope.cluster else "resources.xml"]


def _scope(path: str) -> tuple[Scope, Sequence[tuple[str, str]]]:
    """The scope that a containment path begins with, and the steps below it, as type and name."""
    steps = path_steps(path)
    outer = dict(step for step in steps if step[0] in ("Cell", "ServerCluster", "Node", "Server"))
    scope = Scope(cluster=outer.get("ServerCluster"), node=outer.get("Node"), server=outer.get("Server"))
    return scope, [step for step in steps if step[0] not in outer]


def _with(change: Assignment, settings: Settings) -> Settings:
    """Settings in which a change is made."""
    name = change.attribute if change.setting == WIRING else find_setting(change).kept_as
    changed = {key: value for key, value in settings.items() if key != name}
    path, line, column = change.new_origin[:3] if change.new_origin is not None else (PLANNED, 0, 0)
    place = ChangeOrigin(path, line, column, f'{_written_name(change)}="{change.new}"')
    if change.new or name == "exceptionDestination" or change.target.kind == "variable":
        changed[name] = Setting(change.new, place)
    old = settings.get(name)
    if old is not None and old.value != change.new:
        changed.setdefault(former(name), Setting(old.value, place))
    return changed


def _written_name(change: Assignment) -> str:
    """The name that the file of a change has for what it sets."""
    written, equals, _ = (change.new_origin.text if change.new_origin is not None else "").partition("=")
    return written if equals else change.attribute


def _each(objects: Iterable[_T], chosen: Callable[[_T], bool], changed: Callable[[_T], _T]) -> list[_T]:
    return [changed(item) if chosen(item) else item for item in objects]


def _server(cell: CellConfig, target: Target, changed: Callable[[ServerConfig], ServerConfig]) -> CellConfig:
    """A cell in which the servers of a change are other ones."""
    scopes = [_scope(path)[0] for path in containment_paths(target.path)]

    def chosen(server: ServerConfig) -> bool:
        return any((server.scope.node, server.name) == (scope.node, scope.server) for scope in scopes)

    return replace(cell, servers=_each(cell.servers, chosen, changed))


def _listener_port(cell: CellConfig, target: Target, edit: Edit) -> CellConfig:
    def named(port: ListenerPort) -> bool:
        return port.name == target.name

    def port(port: ListenerPort) -> ListenerPort:
        return replace(port, settings=edit(port.settings))

    return _server(cell, target, lambda s: replace(s, listener_ports=tuple(_each(s.listener_ports, named, port))))


def _listener_service(cell: CellConfig, target: Target, edit: Edit) -> CellConfig:
    return _server(cell, target, lambda s: replace(s, listener_properties=edit(s.listener_properties)))


def _listener_threads(cell: CellConfig, target: Target, edit: Edit) -> CellConfig:
    return _server(cell, target, lambda s: replace(s, listener_thread_pool=edit(s.listener_thread_pool)))


def _thread_pool(cell: CellConfig, target: Target, edit: Edit) -> CellConfig:
    def pools(server: ServerConfig) -> ServerConfig:
        name = target.name
        return replace(server, thread_pools={**server.thread_pools, name: edit(server.thread_pools[name])})

    return _server(cell, target, lambda s: pools(s) if target.name in s.thread_pools else s)


def _transaction_service(cell: CellConfig, target: Target, edit: Edit) -> CellConfig:
    def service(server: ServerConfig) -> ServerConfig:
        known = server.transaction_service
        return server if known is None else replace(server, transaction_service=edit(known))

    return _server(cell, target, service)


def _specification(cell: CellConfig, target: Target, edit: Edit) -> CellConfig:
    return _each_specification(cell, target, lambda spec: replace(spec, settings=edit(spec.settings)))


def _specification_element(cell: CellConfig, target: Target, edit: Edit) -> CellConfig:
    return _each_specification(cell, target, lambda spec: replace(spec, attributes=edit(spec.attributes)))


def _each_specification(
    cell: CellConfig, target: Target, changed: Callable[[ActivationSpec], ActivationSpec]
) -> CellConfig:
    scope, steps = _scope(target.path)
    adapter = dict(steps).get("J2CResourceAdapter")
    provider = "sib" if target.kind == "bus_specification" else "wmq"

    def named(spec: ActivationSpec) -> bool:
        inside = adapter is None or (spec.adapter_name == adapter and spec.scope == scope)
        return inside and (spec.name, spec.provider) == (target.name, provider)

    return replace(cell, activation_specs=_each(cell.activation_specs, named, changed))


def _resource_adapter(cell: CellConfig, target: Target, edit: Edit) -> CellConfig:
    scope, _ = _scope(target.path)

    def inside(spec: ActivationSpec) -> bool:
        return (spec.adapter_name, spec.scope) == (target.name, scope)

    def changed(spec: ActivationSpec) -> ActivationSpec:
        return replace(spec, adapter=edit(spec.adapter))

    return replace(cell, activation_specs=_each(cell.activation_specs, inside, changed))


def _factory(cell: CellConfig, target: Target, edit: Edit) -> CellConfig:
    scope, steps = _scope(target.path)
    own = ":".join(steps[-1]) if steps else ""
    parent = ":".join(steps[0]) if len(steps) > 1 else ""

    def named(factory: ConnectionFactory) -> bool:
        inside = not parent or (factory.parent == parent and factory.scope == scope)
        return inside and f"{factory.type}:{factory.name}" == own

    def changed(factory: ConnectionFactory) -> ConnectionFactory:
        if target.kind == "session_pool":
            return replace(factory, session_pool=edit(factory.session_pool))
        if target.kind == "connection_pool":
            return replace(factory, connection_pool=edit(factory.connection_pool))
        return replace(factory, settings=edit(factory.settings))

    return replace(cell, connection_factories=_each(cell.connection_factories, named, changed))


def _bus_destination(cell: CellConfig, target: Target, edit: Edit) -> CellConfig:
    def named(destination: BusDestination) -> bool:
        return (destination.bus, destination.identifier) == (target.path, target.name)

    def changed(destination: BusDestination) -> BusDestination:
        return replace(destination, settings=edit(destination.settings))

    return replace(cell, bus_destinations=_each(cell.bus_destinations, named, changed))


def _destination(cell: CellConfig, target: Target, edit: Edit) -> CellConfig:
    scope, steps = _scope(target.path)

    def named(destination: JmsDestination) -> bool:
        known = (destination.scope, destination.name)
        return known == (scope, target.name) and steps[-1][0] in destination_types(destination)

    def changed(destination: JmsDestination) -> JmsDestination:
        return replace(destination, settings=edit(destination.settings))

    return replace(cell, destinations=_each(cell.destinations, named, changed))


def destination_types(destination: JmsDestination) -> Sequence[str]:
    """The types that WebSphere may call a destination of JMS by."""
    if destination.provider == "wmq":
        return ("MQTopic",) if destination.type == "topic" else ("MQQueue",)
    return ("J2CAdminObject",) if destination.provider == "sib" else ("GenericJMSDestination",)


def _alias(cell: CellConfig, _: Target, edit: Edit) -> CellConfig:
    return replace(cell, aliases=dict(edit(cell.aliases)))


def _variable(cell: CellConfig, target: Target, edit: Edit) -> CellConfig:
    scope, _ = _scope(target.path)
    return replace(cell, variables={**cell.variables, scope: dict(edit(cell.variables.get(scope, {})))})


def _liberty_specification(cell: CellConfig, target: Target, edit: Edit) -> CellConfig:
    def named(spec: ActivationSpec) -> bool:
        return spec.name == target.name

    def changed(spec: ActivationSpec) -> ActivationSpec:
        if target.kind == "liberty_endpoint":
            return replace(spec, attributes=edit(spec.attributes))
        return replace(spec, settings=edit(spec.settings))

    return replace(cell, activation_specs=_each(cell.activation_specs, named, changed))


def _liberty_queue(cell: CellConfig, target: Target, edit: Edit) -> CellConfig:
    return _bus_destination(cell, target, lambda settings: with_policy(edit(settings)))


def _liberty_transaction(cell: CellConfig, target: Target, edit: Edit) -> CellConfig:
    def service(server: ServerConfig) -> ServerConfig:
        return replace(server, transaction_service=edit(server.transaction_service or {}))

    return replace(cell, servers=[service(server) for server in cell.servers])


_KINDS: Mapping[str, Callable[[CellConfig, Target, Edit], CellConfig]] = {
    "listener_port": _listener_port,
    "listener_service": _listener_service,
    "listener_threads": _listener_threads,
    "thread_pool": _thread_pool,
    "transaction_service": _transaction_service,
    "mq_specification": _specification,
    "mq_specification_property": _specification,
    "bus_specification": _specification,
    "resource_adapter": _resource_adapter,
    "connection_factory": _factory,
    "session_pool": _factory,
    "connection_pool": _factory,
    "bus_destination": _bus_destination,
    "destination": _destination,
    "alias": _alias,
    "variable": _variable,
    "liberty_specification": _liberty_specification,
    "liberty_endpoint": _liberty_specification,
    "liberty_queue": _liberty_queue,
    "liberty_transaction": _liberty_transaction,
}
