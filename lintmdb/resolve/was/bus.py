"""Service integration bus: destinations with their exception destination and blocked retry interval."""

from __future__ import annotations

import typing
from collections.abc import Iterator, Mapping
from dataclasses import replace

from lintmdb.exports.liberty import DISCARD, POLICY
from lintmdb.exports.was.objects import NOT_TOLD, BusDestination, CellConfig, MessagingEngine, Scope
from lintmdb.model.origins import Setting
from lintmdb.model.relations import Destination, Problem, Reliability
from lintmdb.resolve.was.columns import Columns
from lintmdb.resolve.was.lookup import Variables

SYSTEM_EXCEPTION_DESTINATION = "$DEFAULT_EXCEPTION_DESTINATION"
_SYSTEM_PREFIX = "_SYSTEM.Exception.Destination"
_MAX_FAILED_DELIVERIES_DEFAULT = 5
_BLOCKED_RETRY_DEFAULT_MS = 5000
_OWN_SETTINGS = frozenset({"SIBQueue", "SIBTopicSpace", "SIBPort", "SIBWebService"})
"""Kinds that hold messages; of foreign destinations, and of aliases that lead nowhere, little is known."""
_ALIAS = "SIBDestinationAlias"
_OVERRIDABLE = ("receiveAllowed", "sendAllowed", "reliability")
"""Settings that an alias may have of its own; INHERIT, or none, leaves them to its target."""
_RELIABILITIES: tuple[Reliability, ...] = typing.get_args(Reliability)
BusNames = Mapping[tuple[str, str], BusDestination]
"""Destinations by bus and name."""


def destination_id(cell: CellConfig, bus: str, name: str) -> str:
    """The key of a bus destination."""
    return f"{cell.name or ''}/{bus}/{name}"


def bus_names(cell: CellConfig) -> BusNames:
    """The bus destinations of a cell."""
    return {(destination.bus, destination.identifier): destination for destination in cell.bus_destinations}


def find_target(names: BusNames, bus: str, name: str) -> BusDestination | None:
    """The destination itself, or the one that an alias leads to; None where that is not in the exports."""
    seen: set[tuple[str, str]] = set()
    destination = names.get((bus, name))
    while destination is not None and destination.kind == _ALIAS:
        place = (destination.bus, destination.identifier)
        identifier, target_bus = destination.settings.get("targetIdentifier"), destination.settings.get("targetBus")
        if identifier is None or place in seen:
            return None
        seen.add(place)
        destination = names.get(((target_bus.value if target_bus else "") or destination.bus, identifier.value))
    return destination


def consumed_destination(names: BusNames, bus: str, name: str) -> tuple[str, str]:
    """Bus and name of the destination that consumers of a name read: an alias that only leads on is not one itself."""
    destination, target = names.get((bus, name)), find_target(names, bus, name)
    if destination is None or target is None or _own(destination):
        return bus, name
    return target.bus, target.identifier


def _own(alias: BusDestination) -> dict[str, Setting]:
    """What an alias overrides of its target."""
    if alias.kind != _ALIAS:
        return {}
    found = {name: alias.settings[name] for name in _OVERRIDABLE if name in alias.settings}
    return {name: setting for name, setting in found.items() if setting.value.strip().upper() not in ("", "INHERIT")}


class BusReaders:
    """How many beans read each destination of a cell's buses, once for each server."""

    def __init__(self, cell: CellConfig, beans: Mapping[str, int], *, all_known: bool) -> None:
        """``beans`` by the key of the destination that their endpoint names; ``all_known``: there are no others."""
        names = bus_names(cell)
        self._cell = cell
        self._targets = {
            destination_id(cell, bus, name): self._key(find_target(names, bus, name) or destination)
            for (bus, name), destination in names.items()
        }
        self._counts: dict[str, int] = {}
        for key, count in beans.items():
            target = self._targets.get(key, key)
            self._counts[target] = self._counts.get(target, 0) + count
        self._all_known = all_known

    def _key(self, destination: BusDestination) -> str:
        return destination_id(self._cell, destination.bus, destination.identifier)

    def count(self, destination: BusDestination) -> int | None:
        """How many read a destination; None where fewer than two are known and there may be more."""
        count = self._counts.get(self._key(destination), 0)
        return count if self._all_known or count > 1 else None

    def any_of(self, destination: BusDestination) -> bool | None:
        """Whether somebody reads a destination; None where nobody is known to."""
        return True if self._counts.get(self._key(destination)) else False if self._all_known else None


def destination_rows(
    cell: CellConfig, variables: Variables, problems: list[Problem], readers: BusReaders
) -> list[Destination]:
    """A row for each destination of each bus whose sib-destinations.xml was read."""
    names = bus_names(cell)
    return [_row(cell, destination, names, variables, problems, readers) for destination in cell.bus_destinations]


def _row(
    cell: CellConfig,
    destination: BusDestination,
    names: BusNames,
    variables: Variables,
    problems: list[Problem],
    readers: BusReaders,
) -> Destination:
    target = find_target(names, destination.bus, destination.identifier)
    columns = Columns(
        f"destination {destination.identifier}", destination.origin, Scope(), variables, problems, cell.name
    )
    if target is None or target.kind not in _OWN_SETTINGS:
        _allowed(columns, destination, "receive_allowed", "receiveAllowed")
    else:
        columns.put("target_bus", target.bus)
        columns.put("target_name", target.identifier)
        _settings(columns, cell, replace(target, settings={**target.settings, **_own(destination)}), names)
        columns.put("readers", readers.count(target))
        columns.put("exception_loops", _loops(columns, target, names, readers, whole=_knows_all(cell, target.bus)))
        if target is destination and readers.any_of(target):
            problems.extend(_without_engine(cell, target))
        if target.kind == "SIBQueue":
            columns.boolean("receive_exclusive", target.settings, "receiveExclusive", default=False)
    return columns.row(
        Destination,
        id=destination_id(cell, destination.bus, destination.identifier),
        cell=cell.name,
        bus=destination.bus,
        name=destination.identifier,
        origins={**columns.origins, "name": destination.origin},
    )


def _without_engine(cell: CellConfig, destination: BusDestination) -> Iterator[Problem]:
    """A problem for each server or cluster that holds a destination and whose sib-engines.xml has no messaging engine
    of the bus.
    """
    engines = {(engine.bus, engine.scope) for engine in cell.engines}
    for cluster, node, server in destination.engines:
        folder = f"clusters/{cluster}" if cluster else f"nodes/{node}/servers/{server}"
        host = Scope(cluster=cluster) if cluster else Scope(node=node, server=server)
        file = f"{folder}/sib-engines.xml"
        if (destination.bus, host) in engines or file not in cell.files or file in cell.unreadable:
            continue
        origin = destination.origin
        yield Problem(
            kind="unresolved_name",
            path=origin.path,
            line=origin.line,
            column=origin.column,
            text=f"destination {destination.identifier} of bus {destination.bus} is held by {host.words}, which has no "
            "messaging engine of that bus, so nothing can be read from it",
            next_step=f"Make {host.words} a member of bus {destination.bus} again, or correct the bus",
            cell=cell.name,
            object=f"destination {destination.identifier} of bus {destination.bus} {host.words}",
        )


def _settings(columns: Columns, cell: CellConfig, destination: BusDestination, names: BusNames) -> None:
    settings = destination.settings
    columns.integer("max_failed_deliveries", settings, "maxFailedDeliveries", default=_MAX_FAILED_DELIVERIES_DEFAULT)
    columns.boolean("strict_order", settings, "maintainStrictMessageOrder", default=False)
    columns.integer("blocked_retry_ms", settings, "blockedRetryTimeout", default=-1, low=-1)
    policy = settings.get(POLICY)
    if policy is not None and policy.value == DISCARD:
        columns.put("exception_destination", "discard", policy.origin)
        columns.put("exception_destination_name", "", policy.origin)
        columns.put("exception_resolution", "not_set")
    else:
        whole = _knows_all(cell, destination.bus)
        _exception_destination(columns, settings.get("exceptionDestination"), destination.bus, names, whole=whole)
    _allowed(columns, destination, "receive_allowed", "receiveAllowed")
    columns.boolean("persist_redelivery_count", settings, "persistRedeliveryCount", default=False)
    _reliability(columns, destination)
    traditional = [
        engine for engine in _hosting_engines(cell, destination) if engine.scope.cluster or engine.scope.node
    ]
    engine = traditional[0] if len(traditional) == 1 else None
    columns.put("system_exception_destination", f"{_SYSTEM_PREFIX}.{engine.name}" if engine else _SYSTEM_PREFIX)
    own = columns.number("blocked_retry_ms")
    if own is not None and own >= 0:
        columns.put("effective_blocked_retry_ms", own, columns.origins.get("blocked_retry_ms"))
    elif own is not None:
        _engine_retry(columns, cell, destination)


def _knows_all(cell: CellConfig, bus: str) -> bool:
    """Whether every destination of a bus was read: of Liberty's, a file that is included and was not given may have
    more.
    """
    return cell.kind != "liberty" or bus in cell.buses


def _exception_destination(
    columns: Columns, setting: Setting | None, bus: str, names: BusNames, *, whole: bool
) -> None:
    if setting is None:
        return  # the console offers System first, the runtime's source takes none for None: nothing settles it
    name = columns.expand(setting, columns.scope)
    if name is None:
        return
    kind = "none" if not name.strip() else "system" if name == SYSTEM_EXCEPTION_DESTINATION else "named"
    columns.put("exception_destination", kind, setting.origin)
    columns.put("exception_destination_name", name if kind == "named" else "", setting.origin)
    if kind != "named":
        columns.put("exception_resolution", "not_set")
    elif (bus, name) in names or name.startswith(_SYSTEM_PREFIX):
        columns.put("exception_resolution", "resolved", setting.origin)
        _send_allowed(columns, names, bus, name)
    elif whole:
        # sib-destinations.xml holds every destination of its bus, so a name that is not in it does not exist.
        columns.put("exception_resolution", "not_defined", setting.origin)


def _loops(
    columns: Columns, destination: BusDestination, names: BusNames, readers: BusReaders, *, whole: bool
) -> bool | None:
    """Whether poison comes back: by exception destinations that are read, on the way from one to the next."""
    read: bool | None = True
    seen: set[tuple[str, str]] = set()
    at = destination
    while (at.bus, at.identifier) not in seen:
        seen.add((at.bus, at.identifier))
        setting = at.settings.get("exceptionDestination")
        name = columns.expand(setting, columns.scope) if setting is not None else ""
        if name is None:
            return None
        following = find_target(names, at.bus, name)
        open_end = following is None and name not in ("", SYSTEM_EXCEPTION_DESTINATION) and not whole
        if open_end or (following is not None and _closed(following) is None):
            return None
        if following is None or _closed(following):
            return False  # poison goes to the system exception destination, or stays
        if following is destination:
            return read
        if readers.any_of(following) is False:
            return False  # where nobody reads the message rests
        read = read and readers.any_of(following)
        at = following
    return False  # a circle further on


def _closed(destination: BusDestination) -> bool | None:
    setting = destination.settings.get("sendAllowed")
    if setting is not None and setting.value == NOT_TOLD:
        return None
    return setting is not None and setting.value.strip().lower() == "false"


def _send_allowed(columns: Columns, names: BusNames, bus: str, name: str) -> None:
    """Whether the exception destination takes messages."""
    written, target = names.get((bus, name)), find_target(names, bus, name)
    if written is None:
        return
    target = written if target is None else replace(target, settings={**target.settings, **_own(written)})
    own = Columns(
        f"destination {target.identifier}",
        target.origin,
        columns.scope,
        columns.variables,
        columns.problems,
        columns.cell,
    )
    _allowed(own, target, "allowed", "sendAllowed")
    columns.put("exception_send_allowed", own.values["allowed"], own.origins.get("allowed"))


def _allowed(columns: Columns, destination: BusDestination, column: str, name: str) -> None:
    """A switch that is on by default; an alias may leave it to its target (INHERIT), as it does by default."""
    setting = destination.settings.get(name)
    if destination.kind not in _OWN_SETTINGS and (setting is None or setting.value.strip().upper() == "INHERIT"):
        columns.put(column, None)
        return
    columns.boolean(column, destination.settings, name, default=True)


def _reliability(columns: Columns, destination: BusDestination) -> None:
    ranks: list[int] = []
    for column, name, default in (
        ("reliability", "reliability", "assured_persistent"),
        ("exception_discard_reliability", "exceptionDiscardReliability", "best_effort_nonpersistent"),
    ):
        setting = destination.settings.get(name)
        if setting is None or not setting.value.strip():
            columns.default(column, name, default)
        else:
            text = columns.expand(setting, columns.scope)
            word = text.strip().lower() if text is not None else None
            if word is not None and word not in _RELIABILITIES:
                columns.out_of_range(name, setting.origin, "outside the five reliabilities")
            columns.put(column, word if word in _RELIABILITIES else None, setting.origin)
        value = columns.values.get(column)
        if isinstance(value, str):
            ranks.append(_RELIABILITIES.index(value))
    if len(ranks) == 2:
        origin = columns.origins.get("exception_discard_reliability")
        columns.put("discards_poison", ranks[0] <= ranks[1], origin)


def _hosting_engines(cell: CellConfig, destination: BusDestination) -> list[MessagingEngine]:
    """The engines that hold a destination; those of its bus where none is known to."""
    engines = [engine for engine in cell.engines if engine.bus == destination.bus]
    hosts = set(destination.engines)
    hosting = [e for e in engines if (e.scope.cluster or "", e.scope.node or "", e.scope.server or "") in hosts]
    return hosting or engines


def _engine_retry(columns: Columns, cell: CellConfig, destination: BusDestination) -> None:
    retries: set[int | None] = set()
    for engine in _hosting_engines(cell, destination):
        found = _find_retry(engine, columns)
        retries.add(found[0])
        if found[1] is not None:
            columns.origins["effective_blocked_retry_ms"] = found[1].origin
    if len(retries) == 1:
        value = retries.pop()
        columns.values["effective_blocked_retry_ms"] = value
        if "effective_blocked_retry_ms" not in columns.origins and value is not None:
            columns.default("effective_blocked_retry_ms", "blocked retry interval of the messaging engine", value)
    else:
        columns.origins.pop("effective_blocked_retry_ms", None)
        columns.put("effective_blocked_retry_ms", None)


def _find_retry(engine: MessagingEngine, columns: Columns) -> tuple[int | None, Setting | None]:
    for name in ("defaultBlockedRetryTimeout", "sib.processor.blockedRetryTimeout"):
        setting = engine.settings.get(name)
        if setting is None or not setting.value.strip():
            continue
        probe = Columns(
            f"engine {engine.name}", engine.origin, engine.scope, columns.variables, columns.problems, columns.cell
        )
        probe.integer("retry", engine.settings, name, default=None)
        return probe.number("retry"), setting
    return _BLOCKED_RETRY_DEFAULT_MS, None
