"""The kinds of objects whose attributes change: where the console shows them, and when a change acts on whom."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from lintmdb.model.word_lists import listed
from lintmdb.settings.changes import Assignment, Change, Definition, Product, Target, containment_paths


class Kind(NamedTuple):
    """A kind of object. Texts may name ``{name}``, ``{place}`` and ``{server}``, the servers of its paths."""

    product: Product
    noun: str
    acts: str
    """What has to be done before the change acts, and whom it concerns, as a sentence."""
    console: str = ""
    """WebSphere: where the administrative console shows the object."""
    read_beside: str = ""
    """A column of the same file, where values from other files win over those of the object: a bean's over those of
    its activation specification, variables of z/OS over server.xml."""


_SYNCHRONISE = "Synchronise the nodes, then restart"
_SERVER = f"{_SYNCHRONISE} {{server}}"
_MOST_NAMES = 4
_SERVERS = "the servers"
"""What to restart; for an object at cluster scope, which no other server sees, the members of the cluster instead."""
_SPEC = f"{_SYNCHRONISE} {_SERVERS} whose beans use {{name}}. The change affects all of these beans"
_FACTORY = f"{_SYNCHRONISE} {_SERVERS} that use {{name}}. The change affects everything that uses it"
_BUS = (
    "Synchronise the nodes. The bus applies the change if its configuration reload is on. Otherwise restart its "
    "messaging engines"
)
_XML = "server.xml"
_LIBERTY = (
    "Liberty applies the change when it reads its configuration again. If updates of the configuration are disabled, "
    "restart the server"
)
_QUEUE = "Restart the endpoints that read {name}. A client caches BOTHRESH and BOQNAME of a queue that it has open"
_OPENED = "The change takes effect the next time that a program opens the object"
AT_ONCE = "The change takes effect immediately"
"""What nothing has to be done for."""
_NEEDS_NO_RESTART = frozenset({"PUT", "GET", "MAXDEPTH", "MAXMSGL", "HARDENBO", "CAPEXPRY", "TRIGGER"})
"""Attributes of a local queue that the queue manager looks at whenever it needs them."""
_SERVICE = "Servers > Application servers > {server} > Messaging > Message listener service"

KINDS: Mapping[str, Kind] = MappingProxyType(
    {
        "QLOCAL": Kind("mq", "queue", _QUEUE),
        "QMODEL": Kind(
            "mq", "model queue", "Restart the endpoints that subscribe. A durable subscription keeps its queue"
        ),
        "QALIAS": Kind("mq", "alias", _OPENED),
        "QREMOTE": Kind("mq", "remote queue", _OPENED),
        "QMGR": Kind("mq", "queue manager", AT_ONCE),
        "CHANNEL": Kind(
            "mq", "channel", "Restart the servers that use channel {name}. A running channel keeps its values"
        ),
        "QUEUE": Kind("mq", "authority", "The change takes effect the next time that the user opens the queue"),
        "listener_port": Kind("was", "listener port", _SERVER, f"{_SERVICE} > Listener ports > {{name}}"),
        "listener_service": Kind(
            "was",
            "message listener service",
            f"{_SERVER}. The change affects every listener port of the server",
            f"{_SERVICE} > Custom properties",
        ),
        "listener_threads": Kind("was", "listener thread pool", _SERVER, f"{_SERVICE} > Thread pool"),
        "thread_pool": Kind(
            "was", "thread pool", _SERVER, "Servers > Application servers > {server} > Thread pools > {name}"
        ),
        "transaction_service": Kind(
            "was",
            "transaction service",
            f"{_SERVER}. The change affects every transaction of the server",
            "Servers > Application servers > {server} > Container services > Transaction service",
            "server.name",
        ),
        "mq_specification": Kind(
            "was",
            "activation specification",
            _SPEC,
            "Resources > JMS > Activation specifications > {name} > Advanced properties",
            "endpoint.name",
        ),
        "mq_specification_property": Kind(
            "was",
            "activation specification",
            _SPEC,
            "Resources > JMS > Activation specifications > {name} > Custom properties",
            "endpoint.name",
        ),
        "bus_specification": Kind(
            "was",
            "activation specification",
            _SPEC,
            "Resources > JMS > Activation specifications > {name}",
            "endpoint.name",
        ),
        "resource_adapter": Kind(
            "was",
            "resource adapter",
            f"{_SYNCHRONISE} {_SERVERS} that see its scope. The change affects every activation specification there",
            "Resources > JMS > JMS providers > WebSphere MQ messaging provider > Resource adapter properties",
        ),
        "connection_factory": Kind(
            "was",
            "connection factory",
            _FACTORY,
            "Resources > JMS > Connection factories > {name} > Advanced properties",
        ),
        "session_pool": Kind(
            "was", "session pool", _FACTORY, "Resources > JMS > Connection factories > {name} > Session pools"
        ),
        "connection_pool": Kind(
            "was", "connection pool", _FACTORY, "Resources > JMS > Connection factories > {name} > Connection pools"
        ),
        "liberty_specification": Kind(
            "was", "activation specification", _LIBERTY, f"{_XML} > jmsActivationSpec {{name}}"
        ),
        "liberty_endpoint": Kind("was", "activation specification", _LIBERTY, f"{_XML} > jmsActivationSpec {{name}}"),
        "liberty_queue": Kind("was", "queue", _LIBERTY, f"{_XML} > messagingEngine > queue {{name}}"),
        "liberty_transaction": Kind("was", "transaction service", _LIBERTY, f"{_XML} > transaction"),
        "bus_destination": Kind(
            "was", "bus destination", _BUS, "Service integration > Buses > {bus} > Destinations > {name}"
        ),
    }
)


def when_it_acts(change: Change) -> str:
    """What has to be done before a change acts, and whom it concerns."""
    return when_they_act([change])[0]


def when_they_act(changes: Iterable[Change]) -> list[str]:
    """The same of several changes, each sentence once: what differs in names alone is one sentence with all names."""
    found: dict[tuple[str, str, str], list[Change]] = {}
    for change in changes:
        target = change.target
        text = AT_ONCE if _acts_at_once(change) else KINDS[target.kind].acts
        cluster = cluster_of(target) if _SERVERS in text else ""
        found.setdefault((text, cluster, target.place_key if cluster else ""), []).append(change)
    return [_filled_for_all(*_at_cluster(text, cluster, same), same) for (text, cluster, _), same in found.items()]


def cluster_of(target: Target) -> str:
    """The cluster at whose scope an object is; blank for one at another scope."""
    return path_steps(target.path)[0][1] if target.path.startswith("/ServerCluster:") else ""


def _at_cluster(text: str, cluster: str, changes: Iterable[Change]) -> tuple[str, str]:
    """What comes before the names of the objects, and what is left of a text: with the cluster instead of servers."""
    before, servers, after = text.partition(_SERVERS) if cluster else ("", "", text)
    if not servers:
        return before, after
    names = dict.fromkeys(
        name for change in changes if isinstance(change, Assignment) for name in servers_in(change.servers)
    )
    return f"{before}the members of cluster {cluster}{f' ({listed_names([*names])})' if names else ''}", after


def _filled_for_all(before: str, text: str, changes: Sequence[Change]) -> str:
    targets = [change.target for change in changes]
    names = {
        "name": [target.name for target in targets],
        "server": [name for target in targets for name in server_names(target) or ("the server",)],
    }
    key = next((key for key in names if f"{{{key}}}" in text), None)
    if key is None:
        return before + text
    listed = list(dict.fromkeys(names[key]))
    one = text if len(set(targets)) == 1 else text.replace("The change affects", "The changes affect")
    return before + one.replace(f"{{{key}}}", listed_names(listed))


def listed_names(names: Sequence[str]) -> str:
    """``A``, ``A, B and C``, ``A, B, C, D and 9 more``."""
    if len(names) > _MOST_NAMES:
        return f"{', '.join(names[:_MOST_NAMES])} and {len(names) - _MOST_NAMES} more"
    return listed(names)


def restarts_readers(change: Change) -> bool:
    """Whether those who have an object of IBM MQ open must open it again before a change of it acts."""
    return change.target.kind in ("QLOCAL", "QMODEL", "CHANNEL") and not _acts_at_once(change)


def _acts_at_once(change: Change) -> bool:
    if isinstance(change, Definition):
        return True
    return isinstance(change, Assignment) and change.target.kind == "QLOCAL" and change.attribute in _NEEDS_NO_RESTART


def console_path(target: Target) -> str:
    """Where the administrative console of WebSphere shows an object."""
    return _filled(KINDS[target.kind].console, target)


def _filled(text: str, target: Target) -> str:
    # Names may have braces, so no format string: each placeholder is replaced once, and never inside a name.
    values = {"name": target.name, "place": target.place, "server": _in_console(target), "bus": target.path}
    before, *rest = text.split("{")
    parts = [before]
    for piece in rest:
        key, _, after = piece.partition("}")
        parts += (values[key], after)
    return "".join(parts)


def _in_console(target: Target) -> str:
    """The servers of an object as the console lists them, beside their nodes."""
    return ", ".join(dict.fromkeys(name.rpartition("/")[2] for name in server_names(target))) or "the server"


def server_names(target: Target) -> list[str]:
    """The servers that the containment paths of an object name, each with its node: ``node1/server1``."""
    return servers_in(target.path)


def servers_in(paths: str) -> list[str]:
    """The servers that containment paths with a blank between them name, each with its node."""
    steps = [dict(path_steps(path)) for path in containment_paths(paths)]
    return ["/".join(filter(None, (step.get("Node"), step["Server"]))) for step in steps if "Server" in step]


def scope_words(target: Target) -> str:
    """The scope of a resource: ``cell C1``, ``cluster Shop``, ``node node1``, ``server node1/server1``, ``bus B1`` of a
    destination; blank for what is no resource, and where the exports do not tell.
    """
    if target.kind == "bus_destination":
        return f"bus {target.path}" if target.path else ""
    if target.product != "was" or not target.path.startswith("/") or target.kind in _HELD_BY_SERVERS:
        return ""
    path = containment_paths(target.path)[0]
    if servers := servers_in(path):
        return f"server {servers[0]}"
    kind, name = path_steps(path)[0]
    return f"{_SCOPES[kind]} {name}" if kind in _SCOPES and name else ""


def holder_words(target: Target) -> str:
    """What holds an object of WebSphere: its servers, or its scope as ``scope_words`` has it; blank where the exports
    do not tell.
    """
    return ", ".join(server_names(target)) if target.kind in _HELD_BY_SERVERS else scope_words(target)


_SCOPES = {"Cell": "cell", "ServerCluster": "cluster", "Node": "node"}
_HELD_BY_SERVERS = ("listener_port", "listener_service", "listener_threads", "thread_pool", "transaction_service")
"""Kinds whose paths are those of the servers that have the object."""


def path_steps(path: str) -> list[tuple[str, str]]:
    """The steps of one containment path, as type and name. A slash begins a step only where a type and a colon follow:
    resources are often named like their JNDI names, ``jms/orders``.
    """
    steps = (step.partition(":") for step in _STEP.split(path.strip("/")))
    return [(kind, name) for kind, _, name in steps if kind]


_STEP = re.compile(r"/(?=[A-Z]\w*:)")
