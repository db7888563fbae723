"""Sections of properties files about what endpoints find by name: JMS destinations, J2C aliases, variables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from lintmdb.exports.was.objects import CellConfig, JmsDestination, Scope
from lintmdb.exports.was.property_files import Property, Section
from lintmdb.model.origins import Origin
from lintmdb.run.overlay import destination_types
from lintmdb.settings.changes import Assignment, Target
from lintmdb.settings.wiring import ATTRIBUTES, WIRING

_DESTINATIONS = frozenset({"MQQueue", "MQTopic", "J2CAdminObject", "GenericJMSDestination"})
NAMED = _DESTINATIONS | {"JAASAuthData", "VariableMap"}
"""The types of these sections."""
_UNREAD = frozenset(
    {
        "CCSID", "DeliveryMode", "Priority", "ReadAhead", "TimeToLive", "adminObject", "brokerCCDurSubQueue",
        "brokerPubQueueManager", "brokerVersion", "category", "decimalEncoding", "description", "expiry",
        "floatingPointEncoding", "forwardRoutingPath", "integerEncoding", "messageBody", "mqmdMessageContext",
        "mqmdReadEnabled", "mqmdWriteEnabled", "multicast", "name", "password", "priority", "provider",
        "queueManagerHost", "queueManagerPort", "readAhead", "readAheadClose", "receiveCCSID", "receiveConvert",
        "replyToStyle", "reverseRoutingPath", "sendAsync", "serverConnectionChannelName", "specifiedExpiry",
        "specifiedPriority", "targetClient", "type", "useNativeEncoding", "userName", "wildcardFormat",
    }
)  # fmt: skip
"""Attributes of destinations and aliases that no rule reads."""
_EXPORT = "Judge exports that have the change"


class ObjectChanges(NamedTuple):
    """What a section changes, and what it leaves out."""

    changes: Sequence[Assignment]
    unknown: Sequence[Property] = ()
    """Properties that products do not have, or that lintmdb does not know."""
    left: str = ""
    """Why the section is not applied; blank where it is."""
    step: str = _EXPORT


def object_changes(section: Section, path: str, cells: Iterable[CellConfig]) -> ObjectChanges:
    """What a section of a type in ``NAMED`` changes in cells of the exports."""
    steps = dict(section.steps)
    meant = [cell for cell in cells if steps.get("Cell", cell.name) == cell.name]
    if not meant:
        return ObjectChanges((), left=f"the exports contain no cell {steps.get('Cell')}")
    if section.type == "VariableMap":
        return _variables(section, path, meant)
    return _alias(section, path, meant) if section.type == "JAASAuthData" else _destination(section, path, meant)


def scope_of(section: Section) -> Scope:
    """The scope that the ResourceId of a section names."""
    steps = dict(section.steps)
    return Scope(steps.get("ServerCluster"), steps.get("Node"), steps.get("Server"))


def _variables(section: Section, path: str, cells: Iterable[CellConfig]) -> ObjectChanges:
    entries = [entry for entry in section.properties if entry.group == "entries"]
    changes = [
        _assignment(_target(cell, "variable", entry.name, scope_of(section)), entry, entry.name, path)
        for cell in cells
        for entry in entries
    ]
    return ObjectChanges(changes, [entry for entry in section.properties if entry.group != "entries"])


def _alias(section: Section, path: str, cells: Iterable[CellConfig]) -> ObjectChanges:
    """WebSphere creates an alias that it does not have, so an alias need not be in the exports."""
    name = section.own_name
    if not name:
        return ObjectChanges((), left=_not_named(section), step="Write JAASAuthData=alias#NAME")
    users = [entry for entry in section.properties if entry.name == "userId"]
    changes = [
        _assignment(_target(cell, "alias", name, Scope()), entry, name, path) for cell in cells for entry in users
    ]
    return ObjectChanges(changes, [entry for entry in section.properties if entry.name not in _UNREAD | _OF_ALIAS])


_OF_ALIAS = {"alias", "userId"}


def _destination(section: Section, path: str, cells: Sequence[CellConfig]) -> ObjectChanges:
    name = section.own_name or section.jndi_name
    if not name:
        return ObjectChanges((), left=_not_named(section), step=f"Write {section.type}=NAME")
    named = [(cell, found) for cell in cells for found in cell.destinations if _is_meant(section, found)]
    scope = scope_of(section)
    here = [(cell, found) for cell, found in named if found.scope == scope]
    if not here:
        step = f"It is at {', '.join(sorted({found.scope.words for _, found in named}))}" if named else _EXPORT
        return ObjectChanges((), left=f"the exports contain no {section.type} {name} at {scope.words}", step=step)
    read = [entry for entry in section.properties if entry.name in ATTRIBUTES["destination"]]
    changes = [
        _assignment(_target(cell, "destination", found.name, scope, section.type), entry, entry.name, path)
        for cell, found in here
        for entry in read
    ]
    known = _UNREAD | ATTRIBUTES["destination"]
    return ObjectChanges(changes, [entry for entry in section.properties if entry.name not in known])


def _is_meant(section: Section, destination: JmsDestination) -> bool:
    if section.type not in destination_types(destination):
        return False
    if section.own_name:
        return section.own_name == destination.name
    jndi_name = destination.settings.get("jndiName")
    return jndi_name is not None and jndi_name.value == section.jndi_name


def _not_named(section: Section) -> str:
    return f"{section.resource_id or 'a section without a ResourceId'} does not name its {section.type}"


def _target(cell: CellConfig, kind: str, name: str, scope: Scope, type_: str = "") -> Target:
    steps = [("Cell", cell.name), ("ServerCluster", scope.cluster), ("Node", scope.node), ("Server", scope.server)]
    path = "/".join(f"{step}:{value}" for step, value in [*steps, (type_, name if type_ else None)] if value)
    return Target("was", cell.name or "", kind, name, f"/{path}/", environment=cell.environment or "")


def _assignment(target: Target, entry: Property, attribute: str, path: str) -> Assignment:
    place = Origin(path, entry.line, entry.column, f"{entry.name}={entry.value}")
    return Assignment(target, WIRING, attribute, entry.value, new_origin=place)
