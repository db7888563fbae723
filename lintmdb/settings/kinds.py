"""The kinds of objects whose attributes change: where the console shows them, and when a change acts on whom."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from lintmdb.model.word_lists import listed
from lintmdb.settings.changes import Assignment, Change, Definition, Grant, Product, Stalled, Target, containment_paths


class Kind(NamedTuple):
    """A kind of object. Texts may name ``{name}``, ``{place}`` and ``{server}``, the servers of its paths."""

    product: Product
    noun: str
    acts: str | Synchronised
    """What has to be done before the change acts, and whom it concerns, as a sentence."""
    console: str = ""
    """WebSphere: where the administrative console shows the object."""
    read_beside: str = ""
    """A column of the same file, where values from other files win over those of the object: a bean's over those of
    its activation specification, variables of z/OS over server.xml."""


class Synchronised(NamedTuple):
    """What has to be done before a change in a cell acts: the nodes are synchronised first."""

    restart: str = ""
    """What is restarted then, as the end of a sentence."""
    note: str = ""
    """Whom the change concerns, as a sentence, where it is the only one."""
    note_of: str = ""
    """The same where others stand beside it; what differs where it is about several objects is in braces."""


_SYNCHRONISE = "Synchronise the nodes"
MOST_NAMES = 4
_SERVERS = "the servers"
"""What to restart; for an object at cluster scope, which no other server sees, the members of the cluster instead."""
_SERVER = Synchronised("{server}")
_SPEC = Synchronised(
    f"{_SERVERS} whose beans use {{name}}",
    "The change affects all of these beans",
    "{change} of {name} {affects} all beans that use {it}",
)
_FACTORY = Synchronised(
    f"{_SERVERS} that use {{name}}",
    "The change affects everything that uses it",
    "{change} of {name} {affects} everything that uses {it}",
)
_BUS = Synchronised(
    note="The bus applies the change if its configuration reload is on. Otherwise restart its messaging engines",
    note_of="The bus applies the change of {name} if its configuration reload is on. Otherwise restart its messaging "
    "engines",
)
_XML = "server.xml"
_LIBERTY = (
    "Liberty applies the change when it reads its configuration again. If updates of the configuration are disabled, "
    "restart the server"
)
_OPENED = "The change of {name} takes effect the next time that a program opens it"
_READERS = "{readers}"
"""Where the endpoints stand that have a queue open."""
_CACHED = "Restart what reads {name}{readers}. A client caches BOTHRESH and BOQNAME of a queue that it has open"
_LOOKED_UP = "Restart what reads {name}. A client looks up BOTHRESH and BOQNAME only once while it has the queue open"
_SHARED = "Restart what reads {name}{readers}. SHARE and DEFSOPT decide when a program opens the queue"
_PUT_FROM_NOW_ON = (
    "DEFPSIST of {name} applies only to messages that are put from now on "
    "by programs that leave persistence to the queue"
)
_OF_QUEUE = {
    "BOTHRESH": _CACHED,
    "BOQNAME": _CACHED,
    "SHARE": _SHARED,
    "DEFSOPT": _SHARED,
    "DEFPSIST": _PUT_FROM_NOW_ON,
}
"""What has to be done, or known, for an attribute of a local queue where it is not to open the queue again."""
AT_ONCE = "The change takes effect immediately"
"""What nothing has to be done for."""
_NEEDS_NO_RESTART = frozenset({"PUT", "GET", "MAXDEPTH", "MAXMSGL", "HARDENBO", "CAPEXPRY", "TRIGGER", "DEFPSIST"})
"""Attributes of a local queue that the queue manager looks at whenever it needs them."""
_SERVICE = "Servers > Application servers > {server} > Messaging > Message listener service"

_SUBSCRIBED = (
    "Restart the endpoints that subscribe. A durable subscription keeps the queue that it has: DISPLAY SUB shows it in "
    "DEST. Alter that queue, too, or delete the subscription and let the endpoint make it again"
)
"""What has to be done for a model queue."""

KINDS: Mapping[str, Kind] = MappingProxyType(
    {
        "QLOCAL": Kind("mq", "queue", _OPENED),
        "QMODEL": Kind("mq", "model queue", _SUBSCRIBED),
        "QALIAS": Kind("mq", "alias", _OPENED),
        "QREMOTE": Kind("mq", "remote queue", _OPENED),
        "QMGR": Kind("mq", "queue manager", AT_ONCE),
        "CHANNEL": Kind(
            "mq", "channel", "Restart the servers that use channel {name}{readers}. A running channel keeps its values"
        ),
        "QUEUE": Kind("mq", "authority", "The change takes effect the next time that the user opens the queue"),
        "listener_port": Kind("was", "listener port", _SERVER, f"{_SERVICE} > Listener ports > {{name}}"),
        "listener_service": Kind(
            "was",
            "message listener service",
            Synchronised(
                "{server}",
                "The change affects every listener port of the server",
                "The change of the message listener service affects every listener port of {server}",
            ),
            f"{_SERVICE} > Custom properties",
        ),
        "listener_threads": Kind("was", "listener thread pool", _SERVER, f"{_SERVICE} > Thread pool"),
        "thread_pool": Kind(
            "was", "thread pool", _SERVER, "Servers > Application servers > {server} > Thread pools > {name}"
        ),
        "transaction_service": Kind(
            "was",
            "transaction service",
            Synchronised(
                "{server}",
                "The change affects every transaction of the server",
                "The change of the transaction service affects every transaction of {server}",
            ),
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
            Synchronised(
                f"{_SERVERS} that see its scope",
                "The change affects every activation specification there",
                "The change of the resource adapter affects every activation specification at its scope",
            ),
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


def when_they_act(changes: Iterable[Change], *, all_names: bool = False) -> list[str]:
    """The same of several changes, each text once: what differs in names alone has all names, and nodes are
    synchronised once. With ``all_names`` no long list of names is cut short.
    """
    most = None if all_names else MOST_NAMES
    found: dict[str, list[Change]] = {}
    synchronised: dict[tuple[Synchronised, str, str], list[Change]] = {}
    for change in changes:
        target = change.target
        acts = _acts(change)
        if isinstance(acts, str):
            found.setdefault(acts, []).append(change)
        else:
            cluster = cluster_of(target) if _SERVERS in acts.restart else ""
            synchronised.setdefault((acts, cluster, target.place_key if cluster else ""), []).append(change)
    groups = [_Restart(acts, cluster, same) for (acts, cluster, _), same in synchronised.items()]
    told = [groups[0].alone(most)] if len(groups) == 1 else [_together(groups, most)] if groups else []
    return [*(_filled_for_all(text, same, most) for text, same in found.items()), *told]


class _Restart(NamedTuple):
    """Changes for which the same has to be restarted."""

    acts: Synchronised
    cluster: str
    """At whose scope they are; blank at another scope."""
    changes: Sequence[Change]

    @property
    def members(self) -> list[str]:
        """The members of the cluster, as far as they are known."""
        own = (change.servers for change in self.changes if isinstance(change, Assignment))
        return list(dict.fromkeys(name for paths in own for name in servers_in(paths))) if self.cluster else []

    def alone(self, most: int | None) -> str:
        """What has to be done for these changes, where there are no others."""
        text = f"{_SYNCHRONISE}, then restart {self.what(most)}" if self.acts.restart else _SYNCHRONISE
        several = len({change.target for change in self.changes}) > 1
        note = self.acts.note.replace("The change affects", "The changes affect") if several else self.acts.note
        return f"{text}. {note}" if note else text

    def what(self, most: int | None) -> str:
        """What is restarted."""
        before, servers, after = self.acts.restart.partition(_SERVERS) if self.cluster else ("", "", self.acts.restart)
        filled = _filled_for_all(after, self.changes, most)
        if not servers:
            return before + filled
        names = f" ({listed_names(self.members, most)})" if self.members else ""
        return f"{before}the members of cluster {self.cluster}{names}{filled}"


def _together(groups: Sequence[_Restart], most: int | None) -> str:
    """What has to be done for all groups of changes at once: one list of what is restarted, then whom they concern."""
    members = {name: None for group in groups for name in group.members}
    servers: dict[str, None] = {}
    clusters: dict[str, None] = {}
    for group in groups:
        named = [server_names(change.target) for change in group.changes]
        if group.members:
            clusters[f"the members of cluster {group.cluster} ({listed_names(group.members, most)})"] = None
        elif "{server}" in group.acts.restart or (group.acts.restart and all(named)):
            servers |= {name: None for own in named for name in own or ("the server",) if name not in members}
        elif group.acts.restart:
            clusters[group.what(most)] = None
    named = list(servers) if most is None or len(servers) <= most else [listed_names(list(servers), most)]
    restarted = [*named, *clusters]
    notes: dict[Synchronised, list[Change]] = {}
    for group in groups:
        notes.setdefault(group.acts, []).extend(group.changes)
    first = f"{_SYNCHRONISE}, then restart {listed(restarted)}" if restarted else _SYNCHRONISE
    return ". ".join([first, *(_note(acts, same, most) for acts, same in notes.items() if acts.note_of)])


def _note(acts: Synchronised, changes: Sequence[Change], most: int | None) -> str:
    several = len({change.target for change in changes}) > 1
    text = acts.note_of
    for placeholder, forms in _NUMBERS.items():
        text = text.replace(placeholder, forms[several])
    return _filled_for_all(text, changes, most)


_NUMBERS = {"{change}": ("The change", "The changes"), "{affects}": ("affects", "affect"), "{it}": ("it", "them")}
"""Words for one object and for several."""


def cluster_of(target: Target) -> str:
    """The cluster at whose scope an object is; blank for one at another scope."""
    return path_steps(target.path)[0][1] if target.path.startswith("/ServerCluster:") else ""


def _filled_for_all(text: str, changes: Sequence[Change], most: int | None) -> str:
    targets = [change.target for change in changes]
    names = {
        "name": [target.name for target in targets],
        "server": [name for target in targets for name in server_names(target) or ("the server",)],
    }
    key = next((key for key in names if f"{{{key}}}" in text), None)
    if key is None:
        return text
    before, _, after = text.partition(f"{{{key}}}")
    after = after.replace(_READERS, _readers_words(changes, most), 1)
    return f"{before}{listed_names(list(dict.fromkeys(names[key])), most)}{after}"


def _readers_words(changes: Sequence[Change], most: int | None) -> str:
    """The endpoints of the exports among what reads some queues, each with the servers that it runs in, or with the
    later script that restarts them, too.
    """
    servers: dict[tuple[str, str], dict[str, None]] = {}
    readers = [reader for change in changes if isinstance(change, Assignment) for reader in change.readers]
    for reader in of_all_members(readers):
        names = () if reader.later else servers_in(reader.servers)
        servers.setdefault((unless_later(reader, most), reader.endpoint), {}).update(dict.fromkeys(names))
    here = {endpoint for unless, endpoint in servers if not unless}
    found: dict[str, list[str]] = {}
    for reader in of_all_members(reader for reader in readers if reader.later and reader.endpoint in here):
        also = servers_in(reader.servers)
        servers.pop((unless_later(reader, most), reader.endpoint), None)
        unless = (
            f", unless you restart {'it' if len(also) == 1 else 'them'} later, as the script for {reader.later} asks"
        )
        servers.setdefault((unless, f"{reader.endpoint} also"), {}).update(dict.fromkeys(also))
    for (unless, endpoint), names in servers.items():
        found.setdefault(unless, []).append(f"{endpoint} on {listed_names(list(names), most)}" if names else endpoint)
    words = [f"{listed_names(names, most)}{unless}" for unless, names in found.items()]
    return f" ({'; '.join(words)})" if words else ""


def unless_later(stalled: Stalled, most: int | None) -> str:
    """When nobody has to start an endpoint again by itself, because a later script restarts its servers; else blank."""
    if not stalled.later:
        return ""
    names = listed_names(servers_in(stalled.servers), most)
    return f", unless you restart {names} later, as the script for {stalled.later} asks"


def of_all_members(endpoints: Iterable[Stalled]) -> Iterator[Stalled]:
    """The endpoints, those of one name that a later script restarts as one, with the servers of all of them: the
    members of a cluster may be several.
    """
    servers: dict[Stalled, dict[str, None]] = {}
    for stalled in endpoints:
        alike = stalled._replace(servers="") if stalled.later else stalled
        servers.setdefault(alike, {})[stalled.servers] = None
    for alike, found in servers.items():
        yield alike._replace(servers=" ".join(found))


def listed_names(names: Sequence[str], most: int | None = MOST_NAMES) -> str:
    """``A``, ``A, B and C``, ``A, B, C, D and 9 more`` than ``most``."""
    if most is not None and len(names) > most:
        return f"{', '.join(names[:most])} and {len(names) - most} more"
    return listed(names)


def restarts_readers(change: Change) -> bool:
    """Whether those who have an object of IBM MQ open must open it again before a change of it acts."""
    if isinstance(change, Grant):
        return change.to_look_up
    return change.target.kind in ("QLOCAL", "QMODEL", "CHANNEL") and not _acts_at_once(change)


def restarts(change: Change, stalled: Stalled) -> bool:
    """Whether what has to be done before a change on the way of its messages acts starts an endpoint again."""
    acts = KINDS[change.target.kind].acts
    if isinstance(acts, Synchronised):
        return bool(acts.restart)
    target = change.target
    places = [target._replace(place=member).place_key for member in target.members]
    is_read = target.kind not in ("QLOCAL", "QUEUE") or (target.name == stalled.queue and stalled.place in places)
    return is_read and restarts_readers(change)


def restarted_servers(change: Change) -> list[str]:
    """The servers that are restarted before a change in a cell acts, each with its node, as far as they are known."""
    acts = KINDS[change.target.kind].acts
    if not isinstance(acts, Synchronised) or not acts.restart:
        return []
    if isinstance(change, Assignment) and cluster_of(change.target):
        return servers_in(change.servers)
    return server_names(change.target)


def _acts(change: Change) -> str | Synchronised:
    kind = change.target.kind
    if isinstance(change, Grant) and change.to_look_up:
        return _LOOKED_UP
    own = _OF_QUEUE.get(change.attribute) if kind == "QLOCAL" and isinstance(change, Assignment) else None
    return own or (AT_ONCE if _acts_at_once(change) else KINDS[kind].acts)


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
    return ", ".join(server_names(target)) if is_held_by_servers(target) else scope_words(target)


def is_held_by_servers(target: Target) -> bool:
    """Whether the paths of an object are those of the servers that have it."""
    return target.kind in _HELD_BY_SERVERS


_SCOPES = {"Cell": "cell", "ServerCluster": "cluster", "Node": "node"}
_HELD_BY_SERVERS = ("listener_port", "listener_service", "listener_threads", "thread_pool", "transaction_service")


def path_steps(path: str) -> list[tuple[str, str]]:
    """The steps of one containment path, as type and name. A slash begins a step only where a type and a colon follow:
    resources are often named like their JNDI names, ``jms/orders``.
    """
    steps = (step.partition(":") for step in _STEP.split(path.strip("/")))
    return [(kind, name) for kind, _, name in steps if kind]


_STEP = re.compile(r"/(?=[A-Z]\w*:)")
