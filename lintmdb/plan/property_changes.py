"""A properties file of WebSphere as changes: its sections on the objects that message flows of the exports have."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from lintmdb.engine.findings import FlowHead
from lintmdb.engine.flow_rows import find_origin
from lintmdb.engine.repairs import read_old_value
from lintmdb.exports.was.objects import CellConfig, Scope, Settings
from lintmdb.exports.was.property_exports import LISTS, NESTED
from lintmdb.exports.was.property_files import Property, Section
from lintmdb.exports.was.resources import (
    ALWAYS_PACKED,
    PACKED_STOPS,
    PACKED_TLS,
    TLS_PROPERTIES,
    canonical_name,
    packed_pairs,
    unpaired,
)
from lintmdb.model.origins import Origin
from lintmdb.model.relations import Problem
from lintmdb.model.word_lists import listed
from lintmdb.plan.property_objects import DESTINATIONS, EXPORT, LED_AWAY, NAMED, ObjectChanges, object_changes, scope_of
from lintmdb.run.overlay import find_settings
from lintmdb.settings.changes import Assignment, Target, containment_paths
from lintmdb.settings.kinds import listed_names, path_steps
from lintmdb.settings.registry import SETTINGS, Setting, find_setting
from lintmdb.settings.values import why_refused
from lintmdb.settings.wiring import ATTRIBUTES, DELETION, UNJUDGED, WIRING
from lintmdb.suggestions import closest, some_names

_KINDS: Mapping[tuple[str, str], tuple[str, ...]] = {
    ("ListenerPort", ""): ("listener_port",),
    ("ListenerPort", "stateManagement"): ("listener_port",),
    ("StateManageable", ""): ("listener_port",),
    ("StateManageable", "stateManagement"): ("listener_port",),
    ("MessageListenerService", ""): ("listener_service",),
    ("MessageListenerService", "properties"): ("listener_service",),
    ("MessageListenerService", "threadPool"): ("listener_threads",),
    ("TransactionService", ""): ("transaction_service",),
    ("ThreadPool", ""): ("thread_pool", "listener_threads"),
    ("J2CActivationSpec", ""): ("mq_specification", "bus_specification"),
    ("J2CActivationSpec", "resourceProperties"): (
        "mq_specification", "mq_specification_property", "bus_specification"
    ),
    ("J2CResourceAdapter", "propertySet"): ("resource_adapter",),
    ("J2CResourceAdapter", "resourceProperties"): ("resource_adapter",),
    **{
        (factory, group): (kind,)
        for factory in ("MQQueueConnectionFactory", "MQTopicConnectionFactory", "MQConnectionFactory")
        for group, kind in (
            ("", "connection_factory"), ("sessionPool", "session_pool"), ("connectionPool", "connection_pool")
        )
    },
    # IBM configures buses by other commands; a file by hand may still name a destination in scope format.
    **{(kind, ""): ("bus_destination",) for kind in ("SIBQueue", "SIBTopicSpace", "SIBPort")},
}  # fmt: skip
"""The kinds of objects behind a section's type and its ``AttributeInfo``."""
_IDLE_KINDS = frozenset(
    {
        "ApplicationServer", "JavaProcessDef", "JavaVirtualMachine", "MonitoringPolicy", "OutputRedirect", "PMIService",
        "ProcessExecution", "RASLoggingService", "Server", "SessionManager", "StreamRedirect", "TraceLog",
        "TraceService", "WebContainer",
    }
)  # fmt: skip
"""Objects that an extract of a server holds and that play no part in how messages are delivered."""
_SCOPES = ("ServerCluster", "Node", "Server")
_HOLDERS = ("J2CResourceAdapter", "JMSProvider")
_SHOWN = 5
_DELETED = ("listener_port", "mq_specification", "bus_specification", "connection_factory", "bus_destination")
"""The kinds of objects whose deletion is judged."""
_FACTORY = frozenset(
    {
        "CCSID", "authMechanismPreference", "brokerCCSubQueue", "brokerControlQueue", "brokerPubQueue",
        "brokerQueueManager", "brokerSubQueue", "brokerVersion", "category", "ccdtQmgrName", "cleanupInterval",
        "cleanupLevel", "clientReconnectOptions", "clientReconnectTimeout", "compressHeaders", "compressPayload",
        "connameList", "description", "diagnoseConnectionUsage", "inheritRRSContext", "localAddress",
        "logMissingTransactionContext", "manageCachedHandles", "maxBatchSize", "messageSelection",
        "multicast", "pollingInterval", "preTestConfig", "provider", "providerType", "pubSubCleanup",
        "pubSubCleanupInterval", "publishAckInterval", "qmgrType", "rcvExit", "rcvExitInitData", "replyWithRFH2",
        "rescanInterval", "secExit", "secExitInitData", "sendExit", "sendExitInitData", "sparseSubscriptions",
        "sslCRL", "sslConfiguration", "sslPeerName", "sslResetCount", "sslType", "statRefreshInterval", "subStore",
        "support2PCProtocol", "targetClientMatching", "tempModel", "tempQueuePrefix", "tempTopicPrefix",
        "useConnectionPooling", "wildcardFormat", "xaRecoveryAuthAlias",
        "agedTimeout", "connectionTimeout", "freePoolDistributionTableSize", "minConnections",
        "numberOfFreePoolPartitions", "numberOfSharedPoolPartitions", "numberOfUnsharedPoolPartitions", "purgePolicy",
        "reapTime", "stuckThreshold", "stuckTime", "stuckTimerTime", "surgeCreationInterval", "surgeThreshold",
        "testConnection", "testConnectionInterval", "unusedTimeout",
    }
)  # fmt: skip
"""What connection factories and their pools have and no rule reads."""
_UNREAD: Mapping[str, frozenset[str]] = {
    **dict.fromkeys(("MQQueueConnectionFactory", "MQTopicConnectionFactory", "MQConnectionFactory"), _FACTORY),
    "MessageListenerService": frozenset({"enable", "mqJMSPoolingThreshold", "mqJMSPoolingTimeout"}),
    "J2CActivationSpec": frozenset(
        {
            "CCSID", "activationSpec", "brokerVersion", "cleanupInterval", "description", "messageBatchSize",
            "password", "pollingInterval", "poolTimeout", "rescanInterval", "sslConfiguration", "sslType",
        }
    ),
    "ListenerPort": frozenset({"description"}),
    "ThreadPool": frozenset({"customProperties", "description", "inactivityTimeout", "isGrowable", "minimumSize"}),
    "TransactionService": frozenset(
        {
            "LPSHeuristicCompletion", "WSTransactionSpecificationLevel", "acceptHeuristicHazard",
            "asyncResponseTimeout", "enable", "enableFileLocking", "enableLoggingForHeuristicReporting",
            "enableProtocolSecurity", "externalWASTransactionService", "heuristicRetryLimit", "heuristicRetryWait",
            "clientInactivityTimeout", "httpProxyPrefix", "httpsProxyPrefix", "maximumTransactionTimeout",
            "transactionLogDirectory", "waitForCommitOutcome",
        }
    ),
}  # fmt: skip
"""Properties that products have and no rule reads, by the type of their section."""


def property_changes(
    sections: Iterable[Section], path: str, heads: Sequence[FlowHead], cells: Sequence[Sequence[CellConfig]]
) -> tuple[list[Assignment], list[Problem]]:
    """The assignments that sections make on the objects of some flows, and a problem for whatever is left out: what no
    cell of the exports has would be refused, other objects are not judged.
    """
    owned: dict[Target, dict[str, tuple[Setting, str | None]]] = {}
    for head in heads:
        for settings in SETTINGS.values():
            for setting in settings:
                target = setting.owner(head.rows.value)
                if target is not None and target.product == "was":
                    value, origin = head.rows.value(setting.name), find_origin(head.rows, setting.name)
                    found = (setting, read_old_value(setting, target, value, origin))
                    for name in (setting.attribute, setting.kept_as):
                        owned.setdefault(target, {}).setdefault(name, found)
    changes: list[Assignment] = []
    problems: list[Problem] = []
    parts = [part for cell in cells for part in cell]
    sections = list(sections)
    named = {entry.value for section in sections if section.type != "JAASAuthData" for entry in section.properties}
    for section in sections:
        deleted = section.switches.get("DELETE") == "true"
        if section.switches.get("SKIP") == "true" or (section.type in _IDLE_KINDS and not deleted):
            continue
        if section.jndi_name and not section.own_name:
            section.named_elsewhere = _name_of(section, parts)
        refusal = _refusal(section, parts)
        if refusal is not None:
            problems.append(replace(refusal, path=path))
            continue
        refused: list[Problem] = []
        if deleted:
            made, left = _deletions(section, path, owned)
        elif section.type in NAMED:
            asked = object_changes(section, path, parts, named)
            judged = ATTRIBUTES["destination"] if section.type in DESTINATIONS else ()
            refused, unknown = _misspelt(asked.unknown, section.type, judged)
            made, left = asked.changes, _left_of(section, asked._replace(unknown=unknown))
        else:
            made, left, refused = _section(section, path, owned, parts)
        kept, wrong = _taken(made)
        changes += kept
        problems += wrong
        problems += [replace(problem, path=path) for problem in refused]
        problems += [_notice(path, line, text, step) for line, text, step in left]
    return changes, problems


def _taken(changes: Iterable[Assignment]) -> tuple[list[Assignment], list[Problem]]:
    """The assignments that WebSphere takes, and a problem for each value that it would not."""
    kept: list[Assignment] = []
    problems: dict[tuple[str, int], Problem] = {}
    for change in changes:
        reason = (
            ""
            if change.setting in (WIRING, DELETION) or change.new == change.old
            else why_refused(find_setting(change), change.new)
        )
        if not reason or change.new_origin is None:
            kept.append(change)
            continue
        place = change.new_origin
        problem = _refused(place.line, reason, "Write a value that the product takes")
        problems[place.path, place.line] = replace(problem, path=place.path, column=place.column)
    return kept, list(problems.values())


def _refusal(section: Section, parts: Sequence[CellConfig]) -> Problem | None:
    """Why WebSphere would refuse a section: no cell that was exported as a whole has its object."""
    steps = dict(section.steps)
    asked_name = section.own_name or section.jndi_name
    if section.type not in _NAMES or not asked_name or not parts or not all(part.rooted for part in parts):
        return None
    named = [part for part in parts if steps.get("Cell", part.name) == part.name]
    names = _NAMES[section.type] if section.own_name else _jndi_names
    held = [entry for part in named for entry in names(part)]
    known = {name for name, _ in held}
    if named and asked_name.startswith("ID#"):
        return None
    if asked_name in known:
        scopes = [scope for name, scope in held if name == asked_name]
        asked = scope_of(section)
        if asked in scopes or not _was_read(asked, section.type, named):
            return None
        reason = f"{asked.words} has no {section.type} {asked_name}"
        step = f"It is at {listed_names([scope.words for scope in scopes])}"
        return _refused(section.line, reason, step)
    if named:
        reason = f"cell {named[0].name} has no {section.type} {asked_name}"
        nearest = closest(asked_name, known)
    else:
        reason = f"the exports contain no cell {steps.get('Cell')}"
        known = {part.name or "" for part in parts}
        nearest = closest(steps.get("Cell", ""), known)
    step = f"Did you mean {nearest}?" if nearest else _all_names(known) if known else _INVENTORY
    return _refused(section.line, reason, step)


def _all_names(known: Collection[str]) -> str:
    return f"There {'is' if len(known) == 1 else 'are'} {some_names(sorted(known))}"


def _name_of(section: Section, cells: Iterable[CellConfig]) -> str:
    """The name of the object that a section tells by its JNDI name; blank where the exports have none."""
    scope, cell_name = scope_of(section), dict(section.steps).get("Cell")
    for cell in (cell for cell in cells if cell_name in (None, cell.name)):
        for name, at, known in _resources(cell):
            if at == scope and "jndiName" in known and known["jndiName"].value == section.jndi_name:
                return name
    return ""


def _resources(cell: CellConfig) -> Iterator[tuple[str, Scope, Settings]]:
    """Activation specifications and connection factories, each with its scope and what has its JNDI name."""
    yield from ((spec.name, spec.scope, spec.attributes) for spec in cell.activation_specs)
    yield from ((factory.name, factory.scope, factory.settings) for factory in cell.connection_factories)


def _jndi_names(cell: CellConfig) -> Iterable[tuple[str, Scope]]:
    return [(known["jndiName"].value, scope) for _, scope, known in _resources(cell) if "jndiName" in known]


def _refused(line: int, reason: str, step: str) -> Problem:
    text = f"would be refused: {reason}"
    return Problem(kind="refused_change", path="", line=line, column=1, text=text, next_step=step)


def _was_read(scope: Scope, kind: str, cells: Iterable[CellConfig]) -> bool:
    """Whether the file of a scope that holds objects of a type was read. A ResourceId without one may mean any."""
    folder = f"clusters/{scope.cluster}" if scope.cluster else f"nodes/{scope.node}" if scope.node else ""
    if scope.server:
        folder += f"/servers/{scope.server}"
    file = f"{folder}/{'server.xml' if kind == 'ListenerPort' else 'resources.xml'}"
    return bool(folder) and any(file in cell.files for cell in cells)


_NAMES: Mapping[str, Callable[[CellConfig], Iterable[tuple[str, Scope]]]] = {
    "J2CActivationSpec": lambda cell: [(spec.name, spec.scope) for spec in cell.activation_specs],
    "ListenerPort": lambda cell: [
        (port.name, server.scope) for server in cell.servers for port in server.listener_ports
    ],
    **dict.fromkeys(
        ("MQQueueConnectionFactory", "MQTopicConnectionFactory", "MQConnectionFactory"),
        lambda cell: [(factory.name, factory.scope) for factory in cell.connection_factories],
    ),
}
"""The names that a cell has for the objects of a section's type, and their scopes."""


_INVENTORY = "lintmdb inventory shows what the exports have"


def _notice(path: str, line: int, text: str, step: str = _INVENTORY) -> Problem:
    return Problem(kind="unjudged_change", path=path, line=line, column=1, text=text, next_step=step)


def _deletions(
    section: Section, path: str, owned: Iterable[Target]
) -> tuple[list[Assignment], list[tuple[int, str, str]]]:
    """What a section takes away from flows; and what of it is not judged, with its line and what to do."""
    place = Origin(path, section.line, 1, "DELETE=true")
    of_type = {name for (known, _), names in _KINDS.items() if known == section.type for name in names}
    targets = [target for target in owned if target.kind in of_type for target in _meant(section, target)]
    made = [
        Assignment(target, DELETION, "DELETE", "true", new_origin=place)
        for target in targets
        if target.kind in _DELETED
    ]
    if made:
        return made, []
    if of_type & set(_DELETED):
        return [], [
            (section.line, f"no message flow of the exports has the {section.type} {_shown(section)}", _INVENTORY)
        ]
    text = f"lintmdb does not judge what is left without the {section.type} {_shown(section)}"
    return [], [(section.line, text, "Judge exports that lack it")]


def _misspelt(entries: Iterable[Property], kind: str, judged: Iterable[str]) -> tuple[list[Problem], list[Property]]:
    """The properties that WebSphere would refuse, because they are attributes that are almost spelled like one of the
    type; and the others. It takes any name in a list of custom properties.
    """
    known = {*judged, *_UNREAD.get(kind, ())}
    refused: list[Problem] = []
    left: list[Property] = []
    for entry in entries:
        nearest = "" if entry.group in LISTS else _near(entry.name, known)
        if nearest:
            step = (
                f"Did you mean {nearest}?" if nearest != entry.name else "Write the AttributeInfo of its list above it"
            )
            problem = _refused(entry.line, f"{kind} has no attribute {entry.name}", step)
            refused.append(replace(problem, column=entry.column))
        else:
            left.append(entry)
    return refused, left


def _section(
    section: Section,
    path: str,
    owned: Mapping[Target, Mapping[str, tuple[Setting, str | None]]],
    cells: Sequence[CellConfig],
) -> tuple[list[Assignment], list[tuple[int, str, str]], list[Problem]]:
    """The assignments of one section; what is left out, with its line and what to do; and what would be refused."""
    kind = section.type or (section.steps[-1][0] if section.steps else "")
    of_type = {name for (known, _), names in _KINDS.items() if known == kind for name in names}
    if not of_type:
        text = f"{kind or 'a section without a type'} is not an object that lintmdb judges"
        return [], [(section.line, text, _INVENTORY)], []
    targets = [(target, meant) for target in owned if target.kind in of_type for meant in _meant(section, target)]
    if not targets:
        if "=ID#" in section.resource_id and not section.own_name:
            text = f"the files of its scope do not hold the {kind} {section.resource_id.rpartition('=')[2]}"
            return [], [(section.line, text, f"Name it: {kind}=jndiName#NAME or {kind}=NAME, or keep name=")], []
        return [], [(section.line, f"no message flow of the exports has the {kind} {_shown(section)}", _INVENTORY)], []
    changes: list[Assignment] = []
    unknown: list[Property] = []
    undecided: list[Property] = []
    specifications = [owned[target] for target, _ in targets if target.kind == "mq_specification"]
    idle, acting = _without_effect(section.properties, specifications)
    for entry in (*_unpacked(acting), *_dropped(acting)):
        # Another AttributeInfo says where the object hangs.
        group = entry.group if entry.group in NESTED and kind != "ThreadPool" else ""
        kinds = _KINDS.get((kind, group), ())
        found = [
            _assignment(meant, owned[target][entry.name], entry, path)
            for target, meant in targets
            if target.kind in kinds and entry.name in owned[target] and (group or target.kind != "listener_service")
        ]
        found = found or [
            _wired(meant, entry, path) for _, meant in targets if _is_wiring(meant, kinds, entry.name, ATTRIBUTES)
        ]
        changes += found  # one that changes nothing takes back what a file before it changed
        if not found and not _is_idle(entry, kind, targets, cells):
            leads_away = any(_is_wiring(meant, kinds, entry.name, UNJUDGED) for _, meant in targets)
            (undecided if leads_away else unknown).append(entry)
    tls = _changed_tls(section, kind, [target for target, _ in targets], cells)
    judged = {name for target, _ in targets for name in (*owned[target], *ATTRIBUTES.get(target.kind, ()))}
    refused, unknown = _misspelt(unknown, kind, judged)
    left = [(unknown[0].line, _left_out(unknown, kind), _respelt(unknown, judged))] if unknown else []
    if undecided:
        names = ", ".join(entry.name for entry in undecided)
        left.append((undecided[0].line, LED_AWAY.format(names, f"the {kind} {_shown(section)}"), EXPORT))
    return changes, [*_malformed(section.properties), *idle, *tls, *left], refused


def _without_effect(
    properties: Iterable[Property], specifications: Sequence[Mapping[str, tuple[Setting, str | None]]]
) -> tuple[list[tuple[int, str, str]], Sequence[Property]]:
    """The resource properties of activation specifications of IBM MQ under names that WebSphere does not read there:
    those of AdminTask, and those that stand in ``arbitraryProperties``; and all others.
    """
    idle: list[tuple[int, str, str]] = []
    acting: list[Property] = []
    for entry in properties:
        name = canonical_name(entry.name)
        known = next((owned[name][0].stored for owned in specifications if name in owned), "")
        if entry.group != "resourceProperties" or not known or (name == known and known not in PACKED_STOPS):
            acting.append(entry)
        elif known in PACKED_STOPS:
            text = f"{entry.name} takes no effect as a property of its own: it is {known} in arbitraryProperties"
            idle.append(
                (entry.line, text, f'Write it there, beside what arbitraryProperties has: {known}="{entry.value}"')
            )
        else:
            text = f"{entry.name} takes no effect: as a resource property it is {known}"
            idle.append((entry.line, text, f"Write {known}={entry.value}"))
    return idle, acting


def _changed_tls(
    section: Section, kind: str, targets: Iterable[Target], cells: Iterable[CellConfig]
) -> Iterator[tuple[int, str, str]]:
    """The TLS settings of an object that a section changes, which no rule judges."""
    asked = {entry.name: entry for entry in _unpacked(section.properties) if entry.name in TLS_PROPERTIES}
    for entry in section.properties:
        if entry.name == "arbitraryProperties":
            asked = {name: entry._replace(name=name, value="") for name in PACKED_TLS} | asked
    if not asked:
        return
    known = [
        found for target in targets for cell in cells if cell.name == target.place for found in _known(cell, target)
    ]
    # A repository omits what is the default of a factory.
    omitted = {} if kind == "J2CActivationSpec" else {"sslType": "CENTRAL"}
    changed = [
        entry
        for name, entry in asked.items()
        if any(_value(found, name, omitted.get(name, "")) != entry.value.strip() for found in known)
    ]
    if changed:
        names = listed([entry.name for entry in changed])
        reason = "lintmdb does not judge TLS: a connection that does not fit the channel is refused"
        text = f"the {kind} {_shown(section)} gets another {names}, and {reason}"
        yield changed[0].line, text, "Make sure that the TLS settings of the channel fit"


def _value(settings: Settings, name: str, default: str) -> str:
    return settings[name].value.strip() if name in settings else default


def _left_of(section: Section, asked: ObjectChanges) -> Iterator[tuple[int, str, str]]:
    if asked.left:
        yield section.line, asked.left, asked.step
    if asked.unknown:
        variables = "Write AttributeInfo=entries(symbolicName,value) above it" if section.type == "VariableMap" else ""
        step = variables or _respelt(asked.unknown, ATTRIBUTES["destination"])
        yield asked.unknown[0].line, _left_out(asked.unknown, section.type), step


def _malformed(properties: Iterable[Property]) -> Iterator[tuple[int, str, str]]:
    """What ``arbitraryProperties`` holds that is no pair: WebSphere may read something else there."""
    for entry in properties:
        if entry.name == "arbitraryProperties" and (text := unpaired(entry.value)):
            yield entry.line, f"lintmdb does not understand {text} in arbitraryProperties", 'Write name="value"'


def _is_idle(entry: Property, kind: str, targets: Iterable[tuple[Target, Target]], cells: Iterable[CellConfig]) -> bool:
    """Whether a property that no assignment stands for alters no verdict: no rule reads it, or the exports have the
    same value. A file that WebSphere extracted holds every property of an object.
    """
    if entry.name == "name" or entry.name in _UNREAD.get(kind, ()):
        return True
    name = canonical_name(entry.name)
    known = [found.get(name) for cell in cells for target, _ in targets for found in _known(cell, target)]
    return bool(known) and all((setting.value if setting is not None else "") == entry.value for setting in known)


def _known(cell: CellConfig, target: Target) -> Iterator[Settings]:
    """What the exports of a cell say about an object; the attributes of an element are none that a change could set."""
    attributes = [spec.attributes for spec in cell.activation_specs if spec.name == target.name]
    for settings in find_settings(cell, target):
        yield {name: value for found in (*attributes, settings) for name, value in found.items()}


def _unpacked(properties: Iterable[Property]) -> Iterator[Property]:
    """Properties, and in place of ``arbitraryProperties`` those that are packed in it."""
    for entry in properties:
        if entry.name == "arbitraryProperties":
            yield from (entry._replace(name=name, value=value) for name, value in packed_pairs(entry.value))
        else:
            yield entry


def _dropped(properties: Iterable[Property]) -> Iterator[Property]:
    """The properties that ``arbitraryProperties`` does not hold any more, without a value: it is one text, and a file
    replaces it as a whole.
    """
    for entry in properties:
        if entry.name == "arbitraryProperties":
            held = {canonical_name(name) for name, _ in packed_pairs(entry.value)}
            yield from (entry._replace(name=name, value="") for name in ALWAYS_PACKED if name not in held)


def _left_out(unknown: Sequence[Property], kind: str) -> str:
    names = ", ".join(entry.name for entry in unknown[:_SHOWN])
    more = f" and {len(unknown) - _SHOWN} more" if len(unknown) > _SHOWN else ""
    return f"lintmdb judges no {names}{more} of this {kind}"


def _is_wiring(target: Target, kinds: Sequence[str], name: str, attributes: Mapping[str, frozenset[str]]) -> bool:
    return target.kind in kinds and name in attributes.get(target.kind, ())


def _wired(target: Target, entry: Property, path: str) -> Assignment:
    place = Origin(path, entry.line, entry.column, f"{entry.name}={entry.value}")
    return Assignment(target, WIRING, entry.name, entry.value, new_origin=place)


def _respelt(unknown: Iterable[Property], judged: Iterable[str]) -> str:
    """The nearest name that lintmdb judges, for the first property that has one."""
    names = sorted(judged)
    nearest = next(filter(None, (_near(entry.name, names) for entry in unknown)), "")
    return f"Did you mean {nearest}?" if nearest else "Check its spelling"


def _near(word: str, names: Iterable[str]) -> str:
    """The name that is spelled most like a word; blank where none is like it."""
    by_letters = {name.casefold(): name for name in sorted(names, reverse=True)}
    found = difflib.get_close_matches(word.casefold(), by_letters, 1, cutoff=0.8)
    return by_letters[found[0]] if found else ""


def _assignment(target: Target, known: tuple[Setting, str | None], entry: Property, path: str) -> Assignment:
    setting, old = known
    place = Origin(path, entry.line, entry.column, f"{entry.name}={entry.value}")
    return Assignment(target, setting.name, setting.attribute, entry.value, old, new_origin=place)


def _shown(section: Section) -> str:
    return section.own_name or section.resource_id or "without a ResourceId"


def _meant(section: Section, target: Target) -> Iterator[Target]:
    """The part of a target that a section is about; nothing where it is about another object."""
    steps = dict(section.steps)
    if steps.get("Cell", target.place) != target.place:
        return
    if target.kind == "bus_destination":
        if (steps.get("SIBus"), section.own_name) == (target.path, target.name):
            yield target
        return
    once = target.kind in ("listener_service", "transaction_service", "listener_threads")
    if target.kind == "listener_threads" and "MessageListenerService" not in steps:
        return
    if not once and section.own_name != target.name:
        return
    for path in containment_paths(target.path):
        if _in_scope(steps, path):
            yield target._replace(path=path)


def _in_scope(steps: Mapping[str, str], path: str) -> bool:
    """Whether a ResourceId and a containment path name one scope, and one holder where both name it."""
    parts = dict(path_steps(path))
    if any(steps.get(scope, "") != parts.get(scope, "") for scope in _SCOPES):
        return False
    return all(steps.get(holder, parts.get(holder)) == parts.get(holder) for holder in _HOLDERS)
