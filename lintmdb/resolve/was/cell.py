"""One cell: its objects to relations.

Every endpoint is resolved as each server sees it; then the members of a cluster that agree become one row.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, replace
from typing import Literal, NamedTuple

from lintmdb.exports.was.objects import (
    NOT_TOLD,
    ActivationSpec,
    Application,
    BindingKind,
    CellConfig,
    MessageDrivenBean,
    Module,
    Scope,
    Target,
)
from lintmdb.model.facts import Facts
from lintmdb.model.origins import ChangeOrigin, Located, behind
from lintmdb.model.relations import Binding, Endpoint, Export, Problem, Resolution, Server
from lintmdb.resolve.observations import Observations
from lintmdb.resolve.was.beans import DeployedBean, bean_row, transaction_timeout
from lintmdb.resolve.was.bus import BusReaders, destination_rows
from lintmdb.resolve.was.columns import Columns, ColumnValue
from lintmdb.resolve.was.endpoints import EndpointResolver
from lintmdb.resolve.was.lookup import Variables, missing_files, sees_all_resources
from lintmdb.resolve.was.not_exported import lacking
from lintmdb.resolve.was.topology import (
    BUS_THREAD_POOL,
    LISTENER_THREAD_POOL,
    MQ_THREAD_POOL,
    PoolUse,
    Topology,
    cluster_row,
    placement_rows,
    sessions_sum,
    was_level,
)

_PLACE_COLUMNS = frozenset({"id", "node", "server", "server_id", "missing_files", "origins"})
_COMPARED = tuple(f.name for f in fields(Endpoint) if f.name not in _PLACE_COLUMNS)


def resolve_cell(cell: CellConfig, observed: Observations) -> Facts:
    """The relations of one cell."""
    resolution = _Resolution(cell, observed)
    return resolution.run()


class _ConsumerKey(NamedTuple):
    """What distinguishes endpoints at their places."""

    kind: str
    name: str
    place: Scope
    scope: Scope | None = None
    """Where an activation specification is defined: two of one name at two scopes are two."""
    values: frozenset[tuple[str, ColumnValue]] = frozenset()
    """Of an activation specification: beans that override its properties make endpoints of their own. Blank for the
    first of them.
    """


class _Found(NamedTuple):
    """What a binding leads to."""

    kind: Literal["listener_port", "activation_spec", "none"]
    target: str | None
    resolution: Resolution | None
    missing_files: str | None = None


class _Consumer:
    """An endpoint at one place, with the beans bound to it."""

    __slots__ = ("beans", "columns", "name", "place", "pool")

    def __init__(self, name: str, place: Scope, columns: Columns, *, pool: str) -> None:
        self.name = name
        self.place = place
        self.columns = columns
        self.pool = pool
        """The thread pool that its sessions run on."""
        self.beans: list[DeployedBean] = []


def _pool(spec: ActivationSpec) -> str:
    """The thread pool of an activation specification: the one its resource adapter names, or the provider's own."""
    return spec.thread_pool or {"wmq": MQ_THREAD_POOL, "sib": BUS_THREAD_POOL}.get(spec.provider or "", "")


def _beans(endpoints: Sequence[Columns]) -> int | None:
    """The beans of endpoints that start with their server; NULL where not all of them are known."""
    started = [e.values["bean_count"] for e in endpoints if e.values.get("initial_state") != "stopped"]
    counts = [count for count in started if isinstance(count, int)]
    return sum(counts) if len(counts) == len(started) else None


_POOLS = {"activation": ("wmq", MQ_THREAD_POOL), "bus": ("sib", BUS_THREAD_POOL)}
"""The provider of activation specifications, and the pool that its resource adapter names as it is installed."""


def _pools_of(provider: str, default: str, used: Mapping[str, Sequence[Columns]]) -> list[str]:
    """The thread pools on which the activation specifications of a provider run; the usual one where there are none."""
    mine = [
        pool
        for pool, endpoints in used.items()
        if any(e.values.get("provider") == provider and e.values.get("bean_count") != 0 for e in endpoints)
    ]
    return [pool for pool in mine if pool != LISTENER_THREAD_POOL] or [default]


def _pool_use(endpoints: Sequence[Columns], *, known: bool) -> PoolUse:
    """The sessions that run on a pool, and where most of them are set; NULL where not all beans are known.

    Of one name and number it is the first by place: the order of beans in a descriptor says nothing.
    """
    used = [columns for columns in endpoints if columns.values.get("bean_count") != 0]
    first = next(iter(_terms(used)), "")
    places = [columns.origins.get("max_sessions") for columns in used if columns.owner == first]
    known_places = [place for place in places if place is not None]
    origin = min(known_places, key=lambda place: (place.path, place.line, place.column), default=None)
    sessions = sessions_sum(columns.values for columns in used) if known else None
    return PoolUse(sessions, origin, _told_terms(endpoints) if sessions is not None else None)


def _terms(endpoints: Iterable[Columns]) -> dict[str, int]:
    """The sessions of started endpoints by their owner, the largest number first."""
    found: dict[str, int] = {}
    for columns in endpoints:
        found[columns.owner] = found.get(columns.owner, 0) + (sessions_sum([columns.values]) or 0)
    return dict(sorted(found.items(), key=lambda term: (-term[1], term[0])))


def _told_terms(endpoints: Iterable[Columns]) -> str | None:
    prefix = "activation specification "
    told = [f"{owner.removeprefix(prefix)} {sessions}" for owner, sessions in _terms(endpoints).items() if sessions]
    more = len(told) - _TERMS
    return ", ".join(told[:_TERMS]) + (f" and {more} more" if more > 0 else "") or None


_TERMS = 8
"""How many terms of a sum a report lists."""


def _all_files(bindings: Iterable[Binding]) -> str | None:
    """The files that any of the members of a cluster lacks."""
    lists = [binding.missing_files.split(", ") for binding in bindings if binding.missing_files]
    return ", ".join(dict.fromkeys(itertools.chain.from_iterable(lists))) or None


def _consumer_order(consumer: _Consumer) -> tuple[str, ...]:
    """By name and place; endpoints that beans make of one specification by the first of their beans."""
    beans = [(bean.application or "", bean.module, bean.bean.name or "") for bean in consumer.beans]
    return (consumer.name, *(part or "" for part in consumer.place), *min(beans, default=()))


class _Resolution:
    def __init__(self, cell: CellConfig, observed: Observations) -> None:
        self.cell = cell
        self.observed = observed
        self.lacking = lacking(cell)
        self.problems: list[Problem] = [*cell.problems, *self.lacking]
        self.variables = Variables(cell, self.problems)
        self.topology = Topology(cell, self.variables, self.problems)
        self.endpoints = EndpointResolver(cell, self.variables, self.problems, observed)
        self.consumers: dict[_ConsumerKey, _Consumer] = {}
        self.bindings: list[Binding] = []
        self.taken: dict[str, int] = {}
        self.added_servers: set[str] = set()
        self.whole = self._whole_applications()

    def run(self) -> Facts:
        facts = Facts()
        self._listener_ports()
        self._applications()
        self._drop_unused_ports()
        self._unbound_specs()
        self._count_beans()
        facts.add(*destination_rows(self.cell, self.variables, self.problems, self._bus_readers()))
        servers = self._server_rows()
        self._emit_endpoints(facts, servers)
        facts.add(*self._merged_bindings())
        seen: dict[Problem, None] = dict.fromkeys(self.problems)
        facts.add(*seen)
        level = max((s.was_version for s in facts.rows["server"] if s.was_version), default=None)
        complete = sees_all_resources(self.cell, Scope()) and not self.cell.unreadable and not self.lacking
        if self.cell.files or (self.cell.name and self.cell.problems):
            facts.add(
                Export(
                    path=self.cell.root,
                    kind="cell",
                    name=self.cell.name,
                    complete=complete,
                    level=level,
                    files=len(self.cell.files),
                )
            )
        return facts

    def _listener_ports(self) -> None:
        for place in self.topology.places():
            server = self.topology.configs[(place.node, place.server or "")]
            for port in server.listener_ports:
                columns = self.endpoints.listener_port(port, server, place)
                key = _ConsumerKey("listener_port", port.name, place)
                self.consumers[key] = _Consumer(port.name, place, columns, pool=LISTENER_THREAD_POOL)

    def _applications(self) -> None:
        for application in self.cell.applications:
            for module in application.modules:
                places = self.topology.targets(application, module)
                for bean in module.beans:
                    known = places or dict.fromkeys(self._guess(bean))
                    if bean.binding is not None:
                        self._bind(application, module, bean, known)
                    else:
                        self._add_unbound(application, module, bean, known)

    def _guess(self, bean: MessageDrivenBean) -> list[Scope]:
        """Places of a bean whose deployment nobody exported: the servers that have its listener port, or the cell."""
        binding = bean.binding
        if binding is not None and binding.kind == "listener_port" and not self.cell.rooted:
            name = binding.target.value.strip()
            places = [key.place for key in self.consumers if key.kind == "listener_port" and key.name == name]
            if places:
                return places
        return [] if self.cell.rooted else [Scope()]

    def _add_unbound(
        self, application: Application, module: Module, bean: MessageDrivenBean, places: Mapping[Scope, Target | None]
    ) -> None:
        """A bean that no binding names: known where every descriptor of its application was read."""
        resolution = "not_set" if application.name in self.whole else None
        for place, target in places.items():
            starts, by_hand = self._start(application, module, target)
            origins = {"bean": bean.origin, **by_hand}
            if resolution is not None:
                origins["resolution"] = bean.origin
            found = _Found("none", "", resolution)
            self.bindings.append(self._binding_row(application.name, module, bean, place, found, starts, origins))

    def _start(
        self, application: Application, module: Module, target: Target | None
    ) -> tuple[bool | None, dict[str, Located]]:
        """Whether a module starts with a target, and where deployment.xml or Liberty's server.xml says that it does
        not.
        """
        own = application.auto_start
        if own is not None:
            known = {"true": True, "false": False}.get(own.value.strip().lower())
            return known, {} if known or own.value == NOT_TOLD else {"auto_start": own.origin}
        if target is None:
            return None, {}
        origin = module.started_by_hand.get(target)
        return origin is None, {} if origin is None else {"auto_start": origin}

    def _binding_row(
        self,
        application: str | None,
        module: Module,
        bean: MessageDrivenBean,
        place: Scope,
        found: _Found,
        auto_start: bool | None,
        origins: Mapping[str, Located],
    ) -> Binding:
        return Binding(
            id=f"{self.cell.name or ''}/{application or ''}/{module.uri}/{bean.name}",
            cell=self.cell.name,
            cluster=place.cluster,
            node=place.node,
            server=place.server,
            application=application,
            module=module.uri,
            bean=bean.name,
            kind=found.kind,
            target=found.target,
            resolution=found.resolution,
            missing_files=found.missing_files,
            auto_start=auto_start,
            origins=origins,
        )

    def _bind(
        self, application: Application, module: Module, bean: MessageDrivenBean, places: Mapping[Scope, Target | None]
    ) -> None:
        binding = bean.binding
        if binding is None:
            return
        for place, mapped in places.items():
            scope = place._replace(application=application.name)
            target = (self.variables.expand(binding.target, scope) or "").strip()
            consumer = self._consumer(binding.kind, target, scope, bean) if target else None
            resolution = "resolved" if consumer else None
            if consumer is not None:
                consumer.beans.append(DeployedBean(application.name, module.uri, bean))
            elif target and self._all_known(binding.kind, place) and not self.endpoints.is_bound(target):
                resolution = "not_defined"
            starts, by_hand = self._start(application, module, mapped)
            written = binding.target.origin
            # A target that leads nowhere yet is not a value that cannot be used: a file is missing.
            decided: dict[str, Located] = {} if target and resolution is None else {"resolution": written}
            change = self._find_change(binding.kind, target, scope) if resolution == "not_defined" else None
            if change is not None:
                decided[behind("resolution")] = change
            missing = None if resolution else self._missing_files(binding.kind, place)
            found = _Found(binding.kind, target or None, resolution, missing)
            origins = {"target": written, **decided, "bean": bean.origin, **by_hand}
            self.bindings.append(self._binding_row(application.name, module, bean, place, found, starts, origins))

    def _find_change(self, kind: BindingKind, target: str, scope: Scope) -> ChangeOrigin | None:
        """The change because of which a binding leads nowhere, or none."""
        if kind == "listener_port":
            config = self.topology.configs.get((scope.node, scope.server or ""))
            return self.cell.deleted_of(kind).get((config.scope, target)) if config is not None else None
        return self.endpoints.find_specification_change(target, scope)

    def _all_known(self, kind: str, place: Scope) -> bool:
        if kind == "listener_port":
            config = self.topology.configs.get((place.node, place.server or ""))
            return self.cell.rooted and config is not None and config.whole
        return sees_all_resources(self.cell, place)

    def _missing_files(self, kind: str, place: Scope) -> str | None:
        if kind == "listener_port":
            return f"nodes/{place.node}/servers/{place.server}/server.xml" if place.server else None
        return missing_files(self.cell, place)

    def _consumer(self, kind: str, target: str, scope: Scope, bean: MessageDrivenBean) -> _Consumer | None:
        place = scope._replace(application=None)
        if kind == "listener_port":
            return self.consumers.get(_ConsumerKey("listener_port", target, place))
        spec = self.endpoints.activation_spec(target, scope)
        if spec is None:
            return None
        if place == Scope() and len(self.topology.configs) == 1 and not self.cell.rooted:
            place = self.topology.places()[0]
        return self._spec_consumer(spec, place._replace(application=scope.application), bean)

    def _spec_consumer(self, spec: ActivationSpec, scope: Scope, bean: MessageDrivenBean | None) -> _Consumer:
        """The endpoint of a specification at a place; its names are looked up in its bean's application."""
        columns, place = self.endpoints.spec(spec, scope, bean), scope._replace(application=None)
        # Beans with overrides of their own make endpoints of their own; equal ones share a row.
        key = _ConsumerKey("activation_spec", spec.name, place, spec.scope)
        first = self.consumers.get(key)
        if first is not None and first.columns.values != columns.values:
            key = key._replace(values=frozenset(columns.values.items()))
        return self.consumers.setdefault(key, _Consumer(spec.name, place, columns, pool=_pool(spec)))

    def _drop_unused_ports(self) -> None:
        """Forget listener ports of which it is known that no bean is bound to them: nothing flows there."""
        known = self._all_beans_known()
        for key, consumer in list(self.consumers.items()):
            if key.kind == "listener_port" and not consumer.beans and known(consumer.place):
                del self.consumers[key]

    def _all_users_known(self, scope: Scope, known: Callable[[Scope], bool]) -> bool:
        """Whether every bean that could use what a scope defines was read: then what has none is used by none."""
        if scope.application:
            return scope.application in self.whole
        if scope.cluster:
            members = self.topology.members.get(scope.cluster, [])
        else:
            members = [(n, s) for n, s in self.topology.application_servers() if scope.node in (None, n)]
            members = [(n, s) for n, s in members if scope.server in (None, s)]
        return bool(members) and all(known(self.topology.place(*member)) for member in members)

    def _unbound_specs(self) -> None:
        """Activation specifications of which nobody knows who uses them. Those that no bean uses are no endpoints.

        Where their names are looked up is not known either, so none of them is reported as leading nowhere.
        """
        used = {(key.name, key.scope) for key in self.consumers if key.kind == "activation_spec"}
        known, before = self._all_beans_known(), len(self.problems)
        for spec in self.cell.activation_specs:
            if (spec.name, spec.scope) in used or self._all_users_known(spec.scope, known):
                continue
            places = [self._own_place(spec.scope)]
            if spec.scope.cluster and spec.scope.cluster in self.topology.members:
                places = [
                    self.topology.place(*member) for member in self.topology.members[spec.scope.cluster]
                ] or places
            for place in places:
                self._spec_consumer(spec, place, None)
        if self.cell.kind != "liberty":  # where the server itself has every name
            self.problems[before:] = [p for p in self.problems[before:] if p.kind != "unresolved_name"]

    def _own_place(self, scope: Scope) -> Scope:
        if scope.server:
            return self.topology.place(scope.node, scope.server)
        if not self.cell.rooted and len(self.topology.configs) == 1:
            return self.topology.places()[0]
        return scope._replace(application=None)

    def _count_beans(self) -> None:
        """How many beans each endpoint serves on its server, alone and with those that share its connections."""
        all_known = self._all_beans_known()
        adapters: dict[tuple[Scope, Scope | None], list[Columns]] = {}
        factories: dict[tuple[Scope, ColumnValue], list[Columns]] = {}
        for key, consumer in self.consumers.items():
            columns = consumer.columns
            listed = self.cell.kind == "liberty" and sees_all_resources(self.cell, consumer.place)
            known = all_known(consumer.place) or (listed and bool(consumer.beans))
            columns.put("bean_count", len(consumer.beans) if known else None)
            if key.kind == "listener_port" and "connection_pool_max" in columns.values:
                factories.setdefault((consumer.place, columns.values.get("factory_path")), []).append(columns)
            elif columns.values.get("provider") == "wmq":
                # The properties of a resource adapter hold for the objects at its own scope.
                self._default_connections(consumer)
                adapters.setdefault((consumer.place, key.scope), []).append(columns)
        for column, groups in (("adapter_beans", adapters), ("connection_pool_beans", factories)):
            for group in groups.values():
                total = _beans(group)
                for columns in group:
                    columns.put(column, total)

    def _default_connections(self, consumer: _Consumer) -> None:
        """maxConnections of an adapter that leaves it out, as WebSphere 8.0 and 9.0 have it in their templates."""
        columns, node = consumer.columns, self.cell.nodes.get(consumer.place.node or "")
        level = was_level(node.version.value) if node and node.version else None
        if "adapter_connections_max" not in columns.origins and level is not None:
            columns.default("adapter_connections_max", "maxConnections", 50 if level >= 90_000 else 10)

    def _bus_readers(self) -> BusReaders:
        """How many beans read each bus destination, as far as is known."""
        counts: dict[str, int] = {}
        for consumer in self.consumers.values():
            destination = consumer.columns.values.get("destination_id")
            if isinstance(destination, str):
                counts[destination] = counts.get(destination, 0) + len(consumer.beans)
        places, known = self.topology.places(), self._all_beans_known()
        return BusReaders(self.cell, counts, all_known=bool(places) and all(map(known, places)))

    def _server_rows(self) -> dict[Scope, Server]:
        """A row for every server that has an endpoint, keyed by its place."""
        pools: dict[Scope, dict[str, list[Columns]]] = {}
        for consumer in self.consumers.values():
            pools.setdefault(consumer.place, {}).setdefault(consumer.pool, []).append(consumer.columns)
        rows: dict[Scope, Server] = {}
        all_known = self._all_beans_known()
        for place, used in pools.items():
            known = all_known(place)
            listeners = _pool_use(used.get(LISTENER_THREAD_POOL, ()), known=known)
            specifications = {
                kind: {pool: _pool_use(used.get(pool, ()), known=known) for pool in _pools_of(provider, default, used)}
                for kind, (provider, default) in _POOLS.items()
            }
            row = self.topology.server_row(place, listeners, specifications)
            if row is not None:
                rows[place] = row
        return rows

    def _all_beans_known(self) -> Callable[[Scope], bool]:
        """Whether a server has no other beans than those that were read and whose endpoint was found."""
        open_ends = {
            (binding.node, binding.server)
            for binding in self.bindings
            if binding.kind != "none" and binding.resolution is None
        }

        def known(place: Scope) -> bool:
            node = self.cell.nodes.get(place.node or "")
            deployed = node.deployed.get(place.server or "") if node is not None and self.cell.rooted else None
            return (
                deployed is not None and self.whole.issuperset(deployed) and (place.node, place.server) not in open_ends
            )

        return known

    def _whole_applications(self) -> set[str | None]:
        """Applications of which every descriptor was read: what they do not say is not said anywhere."""
        if self.cell.kind == "liberty":
            return {application.name for application in self.cell.applications if application.whole}
        if not self.cell.rooted:
            return set()
        torn = {path.partition("/deployments/")[2].partition("/")[0] for path in self.cell.unreadable}
        return {
            a.name
            for a in self.cell.applications
            if a.targets_known
            and not a.from_binaries
            and a.name not in torn
            and not any(module.lacks_binding_file for module in a.modules)
        }

    def _emit_endpoints(self, facts: Facts, servers: dict[Scope, Server]) -> None:
        groups: dict[tuple[str, str, Scope | None, Scope | str], list[_Consumer]] = {}
        for key, consumer in self.consumers.items():
            # The members of a cluster are one group.
            where = consumer.place.cluster or consumer.place
            groups.setdefault((key.kind, consumer.name, key.scope, where), []).append(consumer)
        ordered = [group if len(group) == 1 else sorted(group, key=_consumer_order) for group in groups.values()]
        for group in sorted(ordered, key=lambda group: _consumer_order(group[0])):
            for variant in self._variants(group):
                self._emit(facts, variant, servers)

    def _variants(self, group: list[_Consumer]) -> list[list[_Consumer]]:
        """Consumers of one name in one cluster, split where their values differ."""
        if len(group) == 1:
            return [group]
        by_values: dict[tuple[ColumnValue, ...], list[_Consumer]] = {}
        for consumer in group:
            values = consumer.columns.values
            by_values.setdefault(tuple(values.get(name) for name in _COMPARED), []).append(consumer)
        return list(by_values.values())

    def _emit(self, facts: Facts, variant: list[_Consumer], servers: dict[Scope, Server]) -> None:
        cluster = variant[0].place.cluster
        members = self.topology.members.get(cluster or "", [])
        rows = [servers[c.place] for c in variant if c.place in servers]
        merged = None
        places = {consumer.place for consumer in variant}
        if cluster is not None and rows and len(places) == len(variant) and len(places) == max(len(members), 1):
            merged = cluster_row(self.cell.name, cluster, rows, len(members))
        if merged is not None:
            self._add_server(facts, merged, rows)
            self._emit_one(facts, variant, merged, Scope(cluster=cluster))
            return
        for consumer in variant:
            server = servers.get(consumer.place)
            if server is not None:
                self._add_server(facts, server, [server])
            self._emit_one(facts, [consumer], server, consumer.place)

    def _add_server(self, facts: Facts, server: Server, members: Sequence[Server]) -> None:
        """Add the row of a server, or of a cluster with its members, where an endpoint has not done so."""
        if server.id not in self.added_servers:
            self.added_servers.add(server.id)
            facts.add(server, *placement_rows(server, members))

    def _emit_one(self, facts: Facts, consumers: list[_Consumer], server: Server | None, place: Scope) -> None:
        first = consumers[0]
        kind = first.columns.values["kind"]
        where = place.cluster if place.cluster and not place.server else f"{place.node or ''}/{place.server or ''}"
        identity = f"{self.cell.name or ''}/{where}/{kind}/{first.name}"
        count = self.taken[identity] = self.taken.get(identity, 0) + 1
        endpoint_id = identity if count == 1 else f"{identity}#{count}"
        endpoint = first.columns.row(
            Endpoint,
            id=endpoint_id,
            name=first.name,
            cell=self.cell.name,
            cluster=place.cluster,
            node=place.node,
            server=place.server,
            server_id=server.id if server else None,
            origins=first.columns.origins,
        )
        facts.add(endpoint)
        beans = {(b.application, b.module, b.bean.name): b for consumer in consumers for b in consumer.beans}
        for deployed in sorted(beans.values(), key=lambda b: (b.application or "", b.module, b.bean.name)):
            fully_read = deployed.application in self.whole
            timeout = transaction_timeout(deployed.bean, server, first.columns, fully_read=fully_read)
            facts.add(bean_row(self.cell.name, endpoint, deployed, timeout, self.observed))

    def _merged_bindings(self) -> list[Binding]:
        """Bindings of a cluster's members that agree become one row."""
        groups: dict[tuple[object, ...], list[Binding]] = {}
        for row in self.bindings:
            where = row.cluster or (row.node, row.server)
            groups.setdefault((row.id, row.kind, row.target, where, row.resolution, row.auto_start), []).append(row)
        merged: list[Binding] = []
        for group in groups.values():
            cluster = group[0].cluster
            if cluster and len(group) == len(self.topology.members.get(cluster, group)):
                merged.append(replace(group[0], node=None, server=None, missing_files=_all_files(group)))
            else:
                merged.extend(group)
        return sorted(merged, key=lambda row: (row.id, row.cluster or "", row.node or "", row.server or ""))
