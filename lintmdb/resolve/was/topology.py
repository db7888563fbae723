"""Where beans run: application servers and clusters of one cell, and the facts of each server."""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from lintmdb.exports.was.objects import (
    NOT_TOLD,
    ZOS_PROPERTIES,
    Application,
    CellConfig,
    Module,
    Scope,
    ServerConfig,
    Target,
)
from lintmdb.model.origins import Located, Setting
from lintmdb.model.relations import Placement, Problem, Server
from lintmdb.resolve.was.columns import INT_MAX, LONGEST_MS, Columns
from lintmdb.resolve.was.lookup import Variables

_VERSION = re.compile(r"\d+(?:\.\d+)*\Z", re.ASCII)
_TOTAL_DEFAULT_S = 120
_MAXIMUM_DEFAULT_S = 300
_LISTENER_THREADS_DEFAULT = 50
_RECOVERY_RETRIES_DEFAULT = 5
_RECOVERY_INTERVAL_DEFAULT_S = 60
_REQUEST_TIMEOUT_DEFAULT_S = 120
LISTENER_THREAD_POOL = "message listener service"
MQ_THREAD_POOL = "WMQJCAResourceAdapter"
BUS_THREAD_POOL = "SIBJMSRAThreadPool"


@functools.lru_cache(maxsize=64)  # a cell has a few versions, and every endpoint asks for one
def was_level(version: str | None) -> int | None:
    """A version as one comparable number: ``8.5.5.13`` is 80505, ``6.1`` is 60100; None where it cannot be read."""
    if version is None or not _VERSION.match(version.strip()):
        return None
    parts = [int(part) for part in version.strip().split(".")[:3]]
    if any(part > 99 for part in parts):
        return None
    major, minor, modification = (*parts, 0, 0)[:3]
    return major * 10_000 + minor * 100 + modification


def containment_path(scope: Scope, *inner: str) -> str:
    """The path by which AdminConfig.getid finds an object at a scope; ``inner`` are ``TYPE:NAME``, the object last.

    getid takes the blanks that names may have. It finds no name that has a slash: scripts list such objects.
    """
    outer = (("ServerCluster", scope.cluster), ("Node", scope.node), ("Server", scope.server))
    steps = [f"{kind}:{name}" for kind, name in outer if name and not (kind == "ServerCluster" and scope.server)]
    return f"/{'/'.join((*steps, *inner))}/"


class PoolUse(NamedTuple):
    """What runs on a thread pool of a server."""

    sessions: int | None
    """NULL where not all that runs there is known."""
    origin: Located | None
    """Where most of the sessions are set."""
    terms: str | None
    """The terms of the sum, as a report tells them."""


class Topology:
    """Servers and clusters of a cell: which places a module's target means, and each server's row."""

    def __init__(self, cell: CellConfig, variables: Variables, problems: list[Problem]) -> None:
        self._cell = cell
        self._variables = variables
        self._problems = problems
        self.configs: dict[tuple[str | None, str], ServerConfig] = {}
        for config in cell.servers:
            self.configs.setdefault((config.scope.node, config.name), config)
        self.cluster_of: dict[tuple[str | None, str], str] = {}
        self.members: dict[str, list[tuple[str | None, str]]] = {}
        for cluster in cell.clusters.values():
            self.members[cluster.name] = list(cluster.members)
        for key, config in self.configs.items():
            if config.cluster:
                members = self.members.setdefault(config.cluster, [])
                if key not in members:
                    members.append(key)
        for name, members in self.members.items():
            members.sort(key=lambda member: (member[0] or "", member[1]))
            for member in members:
                self.cluster_of[member] = name
                self._unlisted_member(name, *member)

    def _unlisted_member(self, cluster: str, node: str | None, server: str) -> None:
        """Say that a node's serverindex.xml lacks a member of a cluster: nothing tells what is deployed there."""
        known = self._cell.nodes.get(node or "")
        if not self._cell.rooted or known is None or not known.has_index or server in known.servers:
            return
        origin = self._cell.clusters[cluster].origin if cluster in self._cell.clusters else None
        self._problems.append(
            Problem(
                kind="unlisted_member",
                path=origin.path if origin else self._cell.root,
                line=origin.line if origin else 0,
                text=f"{server}, a member of cluster {cluster}, is not in serverindex.xml of its node {node},"
                " so not all that runs on it is known",
                next_step="Synchronise the nodes and export the cell again, or remove the member from the cluster",
                cell=self._cell.name,
                object=f"{node}/{server}",
            )
        )

    def places(self) -> list[Scope]:
        """Every application server whose server.xml was read."""
        return [self.place(node, server) for node, server in sorted(self.configs, key=lambda k: (k[0] or "", k[1]))]

    def application_servers(self) -> list[tuple[str | None, str]]:
        """Node and name of every application server that some file names."""
        listed = {
            (node.name, server)
            for node in self._cell.nodes.values()
            for server in node.servers
            if self._is_application_server(node.name, server)
        }
        return sorted({*listed, *self.configs, *self.cluster_of}, key=lambda key: (key[0] or "", key[1]))

    def place(self, node: str | None, server: str) -> Scope:
        """The place of a server, with its cluster."""
        return Scope(cluster=self.cluster_of.get((node, server)), node=node, server=server)

    def targets(self, application: Application, module: Module) -> dict[Scope, Target | None]:
        """Where a module runs, with the target that says so: from deployment.xml, else from serverindex.xml, which
        names none; empty if no file says.
        """
        places: dict[Scope, Target | None] = {}
        for target in module.targets:
            cluster, node, server = target
            if cluster:
                members = self.members.get(cluster)
                for member in members or ():
                    places[self.place(*member)] = target
                if not members:
                    places[Scope(cluster=cluster)] = target
            elif server and self._is_application_server(node, server):
                places[self.place(node, server)] = target
        if module.targets or application.targets_known:
            return places
        for node in self._cell.nodes.values():
            for server, deployed in node.deployed.items():
                if application.name in deployed and self._is_application_server(node.name, server):
                    places[self.place(node.name, server)] = None
        if not places and not self._cell.rooted and len(self.configs) == 1:
            return dict.fromkeys(self.places())
        return places

    def _is_application_server(self, node: str | None, server: str) -> bool:
        known = self._cell.nodes.get(node or "")
        kind = known.servers.get(server) if known else None
        return kind in (None, "APPLICATION_SERVER") or (node, server) in self.configs

    def server_row(
        self,
        place: Scope,
        listeners: PoolUse,
        pools: Mapping[str, Mapping[str, PoolUse]],
    ) -> Server | None:
        """The facts of one server; None for a cluster whose members nobody knows. ``listeners`` use the
        thread pool of the message listener service; ``pools``, by ``activation`` and ``bus``, are those of activation
        specifications by name.
        """
        if place.server is None:
            return None
        node = self._cell.nodes.get(place.node or "")
        version = node.version.value if node and node.version else None
        system = node.operating_system.value.strip().lower() if node and node.operating_system else None
        platform = None if system is None else "zos" if system in ("os390", "zos", "z/os") else "distributed"
        config = self.configs.get((place.node, place.server))
        liberty = self._cell.kind == "liberty"
        row = Server(
            id=f"{self._cell.name or ''}/{place.node or ''}/{place.server}",
            cell=self._cell.name,
            cluster=place.cluster,
            node=place.node,
            name=place.server,
            config_paths=None if liberty else containment_path(Scope(node=place.node, server=place.server)),
            was_version=version,
            was_level=was_level(version),
            platform=platform,
            cluster_size=len(self.members.get(place.cluster, ())) or None if place.cluster else 1,
        )
        origins = dict[str, Located]()
        if node and node.version:
            origins["was_level"] = node.version.origin
        if node and node.operating_system:
            origins["platform"] = node.operating_system.origin
        oldest, read_from = self._oldest(place)
        if read_from is not None:
            origins["oldest_was_level"] = read_from
        if config is None:
            return replace(row, oldest_was_level=oldest, origins=origins)
        columns = Columns(
            f"server {config.name}", config.origin, place, self._variables, self._problems, self._cell.name
        )
        if liberty:  # one thread pool for all that it does, and nothing like a message listener service
            columns.product = "Liberty"
            _timeouts(columns, config, 0, None)
            return replace(row, **columns.values, origins={**columns.origins, "name": config.origin})
        _timeouts(columns, config, _maximum_default(row), self._variables if platform == "zos" else None)
        _listener_threads(columns, config)
        columns.put("listener_sessions", listeners.sessions, listeners.origin)
        for kind, used in pools.items():
            _put_pool(columns, config, kind, used)
        _listener_recovery(columns, config, row)
        if platform != "distributed":
            _request_timeouts(columns, config, self._variables)
        columns.put("oldest_was_level", oldest)
        return replace(row, **columns.values, origins={**columns.origins, **origins, "name": config.origin})

    def _oldest(self, place: Scope) -> tuple[int | None, Located | None]:
        """The lowest version among the members of a server's cluster, and where its own node states one.

        NULL where that of a member is not known: then the place is that of a version that cannot be read, or None where
        a node's file is missing.
        """
        nodes = [self._cell.nodes.get(node or "") for node, _ in self.members.get(place.cluster or "", [])]
        versions = [node.version if node else None for node in nodes]
        own = self._cell.nodes.get(place.node or "")
        here = own.version if own else None
        levels = [was_level(version.value) for version in versions or [here] if version is not None]
        known = [level for level in levels if level is not None]
        if len(known) == len(versions or [here]):
            return min(known), here.origin if here else None
        unread = [version for version in versions or [here] if version and was_level(version.value) is None]
        return None, unread[0].origin if unread else None


def _maximum_default(row: Server) -> int | None:
    """The maximum transaction timeout where server.xml has none: before version 6.0 it exists on z/OS alone."""
    if row.was_level is None or row.was_level >= 60_000 or row.platform == "zos":
        return _MAXIMUM_DEFAULT_S
    return 0 if row.platform == "distributed" else None


def _timeouts(
    columns: Columns, config: ServerConfig, maximum_default: int | None, zos_variables: Variables | None
) -> None:
    settings = config.transaction_service
    if settings is None:
        for column in ("total_timeout_ms", "maximum_timeout_ms", "effective_timeout_ms"):
            columns.put(column, None)
        return
    settings = dict(settings)
    if zos_variables is not None:
        # On z/OS these variables override server.xml.
        for name, variable in (
            ("totalTranLifetimeTimeout", "transaction_defaultTimeout"),
            ("propogatedOrBMTTranLifetimeTimeout", "transaction_maximumTimeout"),
        ):
            override = zos_variables.get(variable, columns.scope)
            if override is not None and override.value.strip():
                settings[name] = override
    columns.integer("total_timeout_ms", settings, "totalTranLifetimeTimeout", default=_TOTAL_DEFAULT_S, scale=1000)
    columns.integer(
        "maximum_timeout_ms", settings, "propogatedOrBMTTranLifetimeTimeout", default=maximum_default, scale=1000
    )
    total, maximum = columns.number("total_timeout_ms"), columns.number("maximum_timeout_ms")
    if total is None or maximum is None:
        columns.put("effective_timeout_ms", None)
        return
    effective = min(total, maximum) if total and maximum else total or maximum
    deciding = "total_timeout_ms" if effective == total else "maximum_timeout_ms"
    columns.put("effective_timeout_ms", effective, columns.origins.get(deciding))


def _listener_threads(columns: Columns, config: ServerConfig) -> None:
    pool = config.listener_thread_pool
    if _grows(columns, "listener_threads_max", pool):
        return
    columns.integer("listener_threads_max", pool, "maximumSize", default=_LISTENER_THREADS_DEFAULT)


def _grows(columns: Columns, column: str, pool: Mapping[str, Setting]) -> bool:
    """Whether the size of a thread pool is settled without its maximum: it may grow beyond it, or nobody knows."""
    growable = pool.get("isGrowable")
    if growable is None or growable.value.strip().lower() not in ("true", NOT_TOLD):
        return False
    columns.put(column, None if growable.value == NOT_TOLD else INT_MAX, growable.origin)
    return True


def _put_pool(columns: Columns, config: ServerConfig, kind: str, used: Mapping[str, PoolUse]) -> None:
    """The thread pool of activation specifications; of several the one that is too small, or else the first unknown."""
    size = f"{kind}_threads_max"

    def rank(name: str) -> tuple[int, str]:
        scratch = replace(columns, values={}, origins={})
        _threads(scratch, config, size, name)
        threads, sessions = scratch.number(size), used[name].sessions
        if threads is None or sessions is None:
            return 1, name
        return (0 if sessions > threads else 2), name

    name = min(used, key=rank)
    columns.put(f"{kind}_pool", name)
    columns.put(f"{kind}_sessions", used[name].sessions, used[name].origin)
    if kind == "activation":
        columns.put("activation_terms", used[name].terms)
    _threads(columns, config, size, name)


def _threads(columns: Columns, config: ServerConfig, column: str, name: str) -> None:
    """The largest size of a thread pool, where server.xml has it."""
    pool = config.thread_pools.get(name)
    if pool is None:
        return
    if _grows(columns, column, pool):
        return
    columns.integer(column, pool, "maximumSize", default=None)


def _listener_recovery(columns: Columns, config: ServerConfig, row: Server) -> None:
    """How long listener ports try again after a lost connection. A custom property wins over the service's own."""
    properties = config.listener_properties
    for column, names, default, scale in (
        (
            "listener_recovery_retries",
            ("MAX.RECOVERY.RETRIES", "maxMDBListenerRetries"),
            _RECOVERY_RETRIES_DEFAULT,
            1,
        ),
        (
            "listener_recovery_interval_ms",
            ("RECOVERY.RETRY.INTERVAL", "mdbListenerRecoveryInterval"),
            _RECOVERY_INTERVAL_DEFAULT_S,
            1000,
        ),
    ):
        written = [name for name in names if (s := properties.get(name)) is not None and s.value.strip()]
        columns.integer(column, properties, (*written, names[0])[0], default=default, scale=scale)
    retries, interval = columns.number("listener_recovery_retries"), columns.number("listener_recovery_interval_ms")
    origin = columns.origins.get("listener_recovery_interval_ms")
    if retries is not None and interval is not None:
        columns.put("listener_recovery_ms", min(retries * interval, LONGEST_MS), origin)
    if row.platform != "distributed":
        level = row.was_level
        enabled = None if level is None or 70_000 <= level < 80_000 else level >= 80_000
        columns.boolean("listener_zos_recovery", properties, "ENABLE.ZOS.LP.RECOVERY", default=enabled)


def _request_timeouts(columns: Columns, config: ServerConfig, variables: Variables) -> None:
    """How long a z/OS controller waits for a bean: a variable, or a custom property of the server, which wins."""
    settings = dict(config.zos_properties)
    for name in ZOS_PROPERTIES - settings.keys():
        variable = variables.get(name, columns.scope)
        if variable is not None:
            settings[name] = variable
    classes = settings.get("wlm_classification_file")
    if classes is not None and classes.value.strip():
        return  # the classification file may give each message class timeouts of its own
    columns.integer(
        "listener_request_timeout_ms",
        settings,
        "control_region_mdb_request_timeout",
        default=_REQUEST_TIMEOUT_DEFAULT_S,
        scale=1000,
    )
    dispatch = "was.wlmTimeout" if "was.wlmTimeout" in settings else "control_region_wlm_dispatch_timeout"
    columns.integer("dispatch_timeout_ms", settings, dispatch, default=None, scale=1000)


def cluster_row(cell: str | None, cluster: str, rows: Sequence[Server], member_count: int) -> Server | None:
    """One row for a cluster whose members agree, at the oldest member's version; None where they differ."""
    first = rows[0]
    facts = [_comparable(row) for row in rows]
    if any(fact != facts[0] for fact in facts[1:]):
        return None
    oldest = min(rows, key=lambda row: (row.was_level is None, row.was_level or 0))
    return replace(
        first,
        id=f"{cell or ''}/{cluster}",
        node=None,
        name=cluster,
        config_paths=" ".join(sorted(row.config_paths or "" for row in rows)),
        member_count=member_count,
        was_version=oldest.was_version,
        was_level=first.oldest_was_level,
        origins={**first.origins, **{k: o for k, o in oldest.origins.items() if k.endswith("was_level")}},
    )


def placement_rows(server: Server, members: Iterable[Server]) -> Iterator[Placement]:
    """The addresses of a server, or of the members of the cluster that its row stands for."""
    addresses = Counter(f"{row.cell or ''}/{row.node}" if row.node else row.id for row in members)
    for address, count in sorted(addresses.items()):
        yield Placement(id=f"{server.id} at {address}", server_id=server.id, address=address, server_count=count)


def _comparable(row: Server) -> tuple[object, ...]:
    return (
        row.platform,
        row.total_timeout_ms,
        row.maximum_timeout_ms,
        row.listener_threads_max,
        row.listener_sessions,
        row.listener_recovery_retries,
        row.listener_recovery_interval_ms,
        row.listener_zos_recovery,
        row.listener_request_timeout_ms,
        row.dispatch_timeout_ms,
        row.activation_pool,
        row.activation_threads_max,
        row.activation_sessions,
        row.bus_pool,
        row.bus_threads_max,
        row.bus_sessions,
        row.oldest_was_level,
    )


def sessions_sum(endpoints: Iterable[Mapping[str, object]]) -> int | None:
    """Sum of the maximum sessions of endpoints that start with the server; None where one of them is not known.

    Each bean has sessions of its own, also where several share a listener port or an activation specification (IBM
    technote swg21383363).
    """
    total = 0
    for endpoint in endpoints:
        if endpoint.get("initial_state") == "stopped":
            continue
        sessions, beans = endpoint.get("max_sessions"), endpoint.get("bean_count")
        if not isinstance(sessions, int) or not isinstance(beans, int):
            return None
        total += sessions * beans
    return total
