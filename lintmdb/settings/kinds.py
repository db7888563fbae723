"""The kinds of objects whose attributes change: where the console shows them, and when a change acts on whom."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

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
_MEMBERS = "the members of cluster {cluster}"
"""What to restart instead for an object at cluster scope, which no other server sees."""
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
    targets: dict[tuple[str, str], list[Target]] = {}
    for change in changes:
        text, cluster = AT_ONCE if _acts_at_once(change) else KINDS[change.target.kind].acts, ""
        if _SERVERS in text and (cluster := _cluster_of(change.target)):
            text = text.replace(_SERVERS, _MEMBERS)
        targets.setdefault((text, cluster), []).append(change.target)
    # The placeholder of the cluster comes first, so a name that has its characters is none.
    return [
        _filled_for_all(text, found).replace("{cluster}", cluster, 1) if cluster else _filled_for_all(text, found)
        for (text, cluster), found in targets.items()
    ]


def _cluster_of(target: Target) -> str:
    """The cluster at whose scope an object is; blank for one at another scope."""
    kind, name = next(iter(path_steps(target.path)), ("", ""))
    return name if kind == "ServerCluster" else ""


def _filled_for_all(text: str, targets: Sequence[Target]) -> str:
    names = {
        "name": [target.name for target in targets],
        "server": [name for target in targets for name in server_names(target) or ("the server",)],
    }
    key = next((key for key in names if f"{{{key}}}" in text), None)
    if key is None:
        return text
    listed = list(dict.fromkeys(names[key]))
    one = text if len(set(targets)) == 1 else text.replace("The change affects", "The changes affect")
    return one.replace(f"{{{key}}}", listed_names(listed))


def listed_names(names: Sequence[str]) -> str:
    """``A``, ``A, B and C``, ``A, B, C, D and 9 more``."""
    if len(names) > _MOST_NAMES:
        return f"{', '.join(names[:_MOST_NAMES])} and {len(names) - _MOST_NAMES} more"
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last


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
    values = {"name": target.name, "place": target.place, "server": servers_of(target), "bus": target.path}
    before, *rest = text.split("{")
    parts = [before]
    for piece in rest:
        key, _, after = piece.partition("}")
        parts += (values[key], after)
    return "".join(parts)


def servers_of(target: Target) -> str:
    """The servers that the containment paths of an object name."""
    return ", ".join(server_names(target)) or "the server"


def server_names(target: Target) -> list[str]:
    """The same as a list, which may be empty."""
    return [path.rpartition("Server:")[2].strip("/") for path in containment_paths(target.path) if "Server:" in path]


def path_steps(path: str) -> list[tuple[str, str]]:
    """The steps of one containment path, as type and name. A slash begins a step only where a type and a colon follow:
    resources are often named like their JNDI names, ``jms/orders``.
    """
    steps = (step.partition(":") for step in _STEP.split(path.strip("/")))
    return [(kind, name) for kind, _, name in steps if kind]


_STEP = re.compile(r"/(?=[A-Z]\w*:)")
