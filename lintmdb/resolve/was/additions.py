"""What listed objects add to the repository of their cell: a script that creates objects, given beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TypeVar

from lintmdb.exports.was.objects import CellConfig, ListenerPort, Scope
from lintmdb.model.origins import Located
from lintmdb.model.relations import Problem

_T = TypeVar("_T")
_SHOWN = 3


def with_additions(parts: Sequence[CellConfig]) -> list[CellConfig]:
    """The parts of one cell: its repository with what listings alone tell of, and the listings without that.

    Of objects that both tell of, each is a version of its own. All parts as they are where there is no repository, or
    several.
    """
    repositories = [part for part in parts if not part.listed]
    if len(repositories) != 1 or len(parts) == 1:
        return list(parts)
    repository, rest = repositories[0], list[CellConfig]()
    for part in parts:
        if part.listed:
            repository, remaining = _added(repository, part)
            rest.append(remaining)
    return [repository, *rest]


def _added(repository: CellConfig, listing: CellConfig) -> tuple[CellConfig, CellConfig]:
    """A repository with the objects that a listing alone tells of, and the listing without them."""
    new_ports = {
        server.scope: _missing(server.listener_ports, known, lambda port: port.name)
        for server in listing.servers
        if (known := _ports(repository, server.scope)) is not None
    }
    specs = _missing(listing.activation_specs, repository.activation_specs, lambda spec: (spec.scope, spec.name))
    destinations = _missing(
        listing.destinations, repository.destinations, lambda entry: (entry.scope, entry.type, entry.name)
    )
    factories = _missing(
        listing.connection_factories, repository.connection_factories, lambda entry: (entry.scope, entry.name)
    )
    ports = [port for found in new_ports.values() for port in found]
    added = [
        *((f"listener port {port.name}", port.origin) for port in ports),
        *((f"activation specification {spec.name}", spec.origin) for spec in specs),
        *((f"JMS {entry.type} {entry.name}", entry.origin) for entry in destinations),
        *((f"connection factory {entry.name}", entry.origin) for entry in factories),
    ]
    variables = {
        scope: {**listing.variables.get(scope, {}), **repository.variables.get(scope, {})}
        for scope in repository.variables.keys() | listing.variables.keys()
    }
    whole = replace(
        repository,
        servers=[
            replace(server, listener_ports=(*server.listener_ports, *new_ports.get(server.scope, ())))
            for server in repository.servers
        ],
        activation_specs=[*repository.activation_specs, *specs],
        destinations=[*repository.destinations, *destinations],
        connection_factories=[*repository.connection_factories, *factories],
        aliases={**listing.aliases, **repository.aliases},
        variables=variables,
        problems=[*repository.problems, *_told(repository, added)],
    )
    remaining = replace(
        listing,
        servers=[
            replace(
                server, listener_ports=tuple(_without(server.listener_ports, new_ports.get(server.scope, ())))
            )
            for server in listing.servers
        ],
        activation_specs=_without(listing.activation_specs, specs),
        destinations=_without(listing.destinations, destinations),
        connection_factories=_without(listing.connection_factories, factories),
        aliases={**repository.aliases, **listing.aliases},
        variables={scope: {**found, **listing.variables.get(scope, {})} for scope, found in variables.items()},
    )  # fmt: skip
    return whole, remaining


def _ports(repository: CellConfig, scope: Scope) -> Sequence[ListenerPort] | None:
    """The listener ports of a server; None where the repository lacks the server."""
    return next((server.listener_ports for server in repository.servers if server.scope == scope), None)


def _missing(listed: Iterable[_T], known: Iterable[_T], key: Callable[[_T], object]) -> list[_T]:
    names = {key(entry) for entry in known}
    return [entry for entry in listed if key(entry) not in names]


def _without(entries: Iterable[_T], taken: Sequence[_T]) -> list[_T]:
    gone = {id(entry) for entry in taken}
    return [entry for entry in entries if id(entry) not in gone]


def _told(repository: CellConfig, added: Sequence[tuple[str, Located]]) -> Iterable[Problem]:
    """A notice for each file that adds objects: somebody may have deleted them since."""
    files: dict[str, list[str]] = {}
    for name, origin in added:
        files.setdefault(origin.path, []).append(name)
    for path, names in files.items():
        shown = f"{', '.join(names[:_SHOWN])}{f' and {len(names) - _SHOWN} more' if len(names) > _SHOWN else ''}"
        yield Problem(
            kind="script_beside_export",
            path=path,
            text=f"defines {shown}, which {repository.root} lacks, so the file is assumed to be newer",
            next_step=f"Leave out the file if {repository.root} is newer",
            cell=repository.name,
        )
