"""Sections of properties files about what endpoints find by name: JMS destinations, J2C aliases, variables."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from typing import NamedTuple

from lintmdb.exports.was.objects import CellConfig, JmsDestination, Scope
from lintmdb.exports.was.property_files import Property, Section
from lintmdb.model.origins import Origin
from lintmdb.run.overlay import destination_types
from lintmdb.settings.changes import Assignment, Target
from lintmdb.settings.wiring import ATTRIBUTES, UNJUDGED, WIRING
from lintmdb.suggestions import closest

DESTINATIONS = frozenset({"MQQueue", "MQTopic", "J2CAdminObject", "GenericJMSDestination"})
NAMED = DESTINATIONS | {"JAASAuthData", "VariableMap"}
"""The types of these sections, those of destinations among them."""
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
EXPORT = "Judge exports that have the change"
LED_AWAY = (
    "{} may lead {} to another queue manager, and no export says to which: what becomes of the messages is undecided"
)
"""What is said of a change to the address of a queue manager: what changes, and what connects there."""


class ObjectChanges(NamedTuple):
    """What a section changes, and what it leaves out."""

    changes: Sequence[Assignment]
    unknown: Sequence[Property] = ()
    """Properties that products do not have, or that lintmdb does not know."""
    left: str = ""
    """Why the section is not applied, or what of it is not judged; blank where all of it is."""
    step: str = EXPORT


def object_changes(
    section: Section, path: str, cells: Iterable[CellConfig], named: Container[str] = ()
) -> ObjectChanges:
    """What a section of a type in ``NAMED`` changes in cells of the exports; ``named`` are the values of all sections
    that are applied with it.
    """
    steps = dict(section.steps)
    meant = [cell for cell in cells if steps.get("Cell", cell.name) == cell.name]
    if not meant:
        return ObjectChanges((), left=f"the exports contain no cell {steps.get('Cell')}")
    if section.type == "VariableMap":
        return _variables(section, path, meant)
    return _alias(section, path, meant, named) if section.type == "JAASAuthData" else _destination(section, path, meant)


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
    unknown = [entry for entry in section.properties if entry.group != "entries"]
    moved = (_led_away(cell, entry, scope_of(section)) for cell in cells for entry in entries)
    return ObjectChanges(changes, unknown, next(filter(None, moved), ""))


def _led_away(cell: CellConfig, entry: Property, scope: Scope) -> str:
    """What a variable changes that no export shows: the address of a queue manager; blank where it does not."""
    known = cell.variables.get(scope, {}).get(entry.name)
    if known is not None and known.value == entry.value:
        return ""
    names = {entry.name}
    values = [(name, setting.value) for held in cell.variables.values() for name, setting in held.items()]
    while more := {name for name, value in values if _refers(value, names)} - names:
        names |= more
    holders = [(spec.name, spec.settings, UNJUDGED["mq_specification"]) for spec in cell.activation_specs]
    holders += [(each.name, each.settings, UNJUDGED["connection_factory"]) for each in cell.connection_factories]
    for name, settings, attributes in holders:
        for attribute in sorted(attributes & settings.keys()):
            if _refers(settings[attribute].value, names):
                return LED_AWAY.format(f"{entry.name}, to which {attribute} of {name} refers,", "its endpoints")
    return ""


def _refers(value: str, variables: Iterable[str]) -> bool:
    return any(f"${left}{name}{right}" in value for name in variables for left, right in ("{}", "()"))


def _alias(section: Section, path: str, cells: Sequence[CellConfig], named: Container[str]) -> ObjectChanges:
    """WebSphere creates an alias that it does not have, so an alias need not be in the exports."""
    name = section.own_name
    if not name:
        return ObjectChanges((), left=_not_named(section), step="Write JAASAuthData=alias#NAME")
    users = [entry for entry in section.properties if entry.name == "userId"]
    changes = [
        _assignment(_target(cell, "alias", name, Scope()), entry, name, path) for cell in cells for entry in users
    ]
    unknown = [entry for entry in section.properties if entry.name not in _UNREAD | _OF_ALIAS]
    aliases = {alias for cell in cells for alias in _aliases_of(cell)}
    if name in aliases or name in named:
        return ObjectChanges(changes, unknown)
    nearest = closest(name, aliases)
    step = f"Did you mean {nearest}?" if nearest else "Check the name"
    return ObjectChanges(changes, unknown, f"no endpoint of the exports names the J2C alias {name}", step)


def _aliases_of(cell: CellConfig) -> Iterator[str]:
    """The J2C aliases that a cell has, or that its endpoints name."""
    yield from cell.aliases
    specifications = [spec.attributes for spec in cell.activation_specs]
    for settings in (*specifications, *(factory.settings for factory in cell.connection_factories)):
        for attribute in ("authenticationAlias", "authDataAlias"):
            if attribute in settings:
                yield settings[attribute].value


_OF_ALIAS = {"alias", "userId"}


def _destination(section: Section, path: str, cells: Sequence[CellConfig]) -> ObjectChanges:
    name = section.own_name or section.jndi_name
    if not name:
        return ObjectChanges((), left=_not_named(section), step=f"Write {section.type}=NAME")
    named = [(cell, found) for cell in cells for found in cell.destinations if _is_meant(section, found)]
    scope = scope_of(section)
    here = [(cell, found) for cell, found in named if found.scope == scope]
    if not here:
        step = f"It is at {', '.join(sorted({found.scope.words for _, found in named}))}" if named else EXPORT
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
