"""Why a verdict is undecided: which export, option or observation would settle it."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Mapping, Sequence

from lintmdb.engine.findings import Need, Subject
from lintmdb.engine.flow_rows import (
    FlowRows,
    JudgedRows,
    find_origin,
    find_row,
    first_origin,
    has_origin,
    unknown_columns,
)
from lintmdb.model.columns import Column
from lintmdb.model.origins import Origin, overridable, unclear, without_cause
from lintmdb.model.relations import (
    ALIASES,
    CELL_RELATIONS,
    AccessQuestion,
    Bean,
    Binding,
    ChannelAccess,
    Endpoint,
    PutTarget,
    Queue,
    QueueManager,
    Server,
)
from lintmdb.rules.conditions import find_column

_KINDS = (
    "destination",
    "queue_manager_name",
    "conflict",
    "queue_manager",
    "complete",
    "server",
    "alias",
    "user",
    "authority",
    "configuration",
    "on_message",
    "bean",
    "value",
)
"""Kinds of needs, the source that settles most first: without a queue manager's export nothing behind it is known."""

_PARTS = {"takes_puts": ("put_enabled", "no_room", "reachable", "stream_closed")}
"""The columns from which a column is derived whose value is known only with theirs."""


def find_need(missing: tuple[str, ...], rows: JudgedRows, subject: Subject) -> Need:
    """What would settle a verdict whose ``missing`` columns (``alias.column``) are unknown in ``rows``."""
    need, *others = [_need(_unknown_part(name, rows), rows, subject) for name in _distinct(missing, rows)]
    if others:
        need = min(need, *others, key=lambda need: _KINDS.index(need.kind))
    if subject.environment is None or not need.target:
        return need
    text = f"{need.text}, environment {subject.environment}"
    return need._replace(text=text, target=f"{subject.environment} {need.target}")


def _distinct(missing: tuple[str, ...], rows: JudgedRows) -> Iterable[str]:
    """One column of each row that is not there, as one source holds them all, and every other column; only a bean's
    onMessage time is observed.
    """
    if len(missing) == 1:
        return missing
    first: dict[str, str] = {}
    for name in missing:
        alias = name.partition(".")[0]
        if alias not in first:
            first.setdefault(alias if alias != "bean" and find_row(rows, alias) is None else name, name)
    return first.values()


def _unknown_part(name: str, rows: JudgedRows) -> str:
    """The column that is unknown behind one that is derived from several."""
    alias, _, column = name.partition(".")
    if column not in _PARTS:
        return name
    unknown = unknown_columns((f"{alias}.{part}" for part in _PARTS[column]), rows)
    return unknown[0] if unknown else name


def _need(name: str, rows: JudgedRows, subject: Subject) -> Need:
    column = find_column(name)
    included = _include_need(name, rows)
    if included is not None:
        return included
    contradicted = _unclear_need(name, rows) if isinstance(rows, FlowRows) else None
    if contradicted is not None:
        return contradicted
    origin = None if column.derived else find_origin(rows, name)
    if origin is not None:
        return _usable(name, origin)
    if isinstance(rows, FlowRows):
        return _flow_need(name, rows)
    if isinstance(rows, Binding) and column.name == "auto_start":
        text = f"deployment.xml of the application of {rows.bean}"
        return Need(text, "bean", f"{rows.id} deployment")
    if isinstance(rows, Binding) and rows.kind == "none":
        return Need(f"the ibm-ejb-jar-bnd of {rows.bean}, or the whole cell with it", "bean", rows.id)
    if isinstance(rows, Binding):
        return _binding_need(rows, subject.cell or "")
    who = subject.name or "?"
    return Need(f"the {column.noun} of {who}", "value", f"{who} {column.name}")


def _include_need(name: str, rows: JudgedRows) -> Need | None:
    """The files that the configuration of a Liberty server includes and that were not given, where they may say what is
    not known: one line for all that waits for them.
    """
    if isinstance(rows, FlowRows):
        asker, included = rows.endpoint, _on_liberty(rows) and _may_be_included(name, rows)
    elif isinstance(rows, Binding):  # Liberty alone has servers without a node
        asker, included = rows, rows.server is not None and rows.node is None
    else:
        return None
    files = asker.missing_files
    if not included or not files:
        return None
    text = f"{files}, which the configuration of server {asker.server} includes"
    return Need(text, "destination", f"{asker.cell} {files}")


def _may_be_included(name: str, rows: FlowRows) -> bool:
    """Whether a configuration file of Liberty may say what is not known, or what leads to it."""
    endpoint, (alias, _, column) = rows.endpoint, name.partition(".")
    match alias:
        case "server":
            return column.endswith("timeout_ms")
        case "bean":
            timeout = rows.server.effective_timeout_ms if rows.server is not None else None
            return column == "transaction_timeout_ms" and timeout is None
        case "endpoint" if column not in _BY_CHANNEL and column != "queue_resolution":
            return True
        case "destination":
            return True
        case "channel" | "channel_access" | "endpoint" if alias != "endpoint" or column in _BY_CHANNEL:
            counted = column in _BY_CHANNEL and column != "channel_resolution"
            lacking = counted and unknown_columns(_OF_INSTANCES[:-1], rows)
            known = endpoint.queue_manager and endpoint.channel and (alias != "channel_access" or endpoint.user)
            return bool(lacking) or not known
        case "queue_manager":
            return not endpoint.queue_manager
        case "authority":
            return not (endpoint.queue_manager and endpoint.user and (endpoint.queue or endpoint.topic))
        case _:
            return not (endpoint.queue_manager and (endpoint.queue or endpoint.topic))


_BY_CHANNEL = (
    "channel_resolution",
    "conversations",
    "channel_instances",
    "channel_instances_all",
    "channel_instances_total",
    "channel_instances_client",
)
"""Columns of an endpoint that depend on the channel by which it connects."""


def _usable(name: str, origin: Origin) -> Need:
    """What to give where a file has a value that cannot be used."""
    place = f"{origin.path}:{origin.line}" if origin.line else origin.path
    if "${" in origin.text:
        text = f"a value of {_variables(origin)}, to which {origin.text} at {place} refers"
        return Need(text, "value", f"{place} {find_column(name).name}")
    setting, cause = without_cause(origin.text)
    if cause:
        text = f"the meaning of {cause} at {place}, which leaves {setting} uncertain"
        return Need(text, "value", f"{place} {find_column(name).name}")
    text = f"a value instead of {origin.text} at {place}, which is not valid or not certain"
    return Need(text, "value", f"{place} {find_column(name).name}")


_OF_THE_FACTORY = frozenset(
    f"endpoint.{column}"
    for column in (
        "channel",
        "channel_resolution",
        "connection_pool_max",
        "fail_if_quiesce",
        "message_retention",
        "session_pool_max",
        "transport",
        "xa_enabled",
    )
)
"""What a listener port has from its connection factory."""


def _lacks_factory(name: str, rows: FlowRows) -> bool:
    """Whether a value would come from the connection factory of a listener port, which no file defines."""
    of_the_factory = name in _OF_THE_FACTORY or name.partition(".")[0] in ("channel", "channel_access")
    return of_the_factory and rows.endpoint.kind == "listener_port" and rows.endpoint.factory_path is None


def _factory_need(endpoint: Endpoint) -> Need:
    files = endpoint.missing_files
    text = f"the connection factory of {endpoint.name}" + (f": {files}" if files else ", which no file here defines")
    return Need(text, "destination", f"{endpoint.name} connection factory")


_LEADING: Mapping[str, tuple[str, ...]] = {
    "queue_manager": ("endpoint.queue_manager",),
    "channel": ("endpoint.queue_manager", "endpoint.channel"),
    "channel_access": ("endpoint.queue_manager", "endpoint.channel", "endpoint.user"),
    "destination": ("endpoint.destination_jndi", "endpoint.destination_id"),
    "topic": ("endpoint.destination_jndi", "endpoint.topic", "endpoint.queue_manager"),
    "endpoint.queue_resolution": ("endpoint.destination_jndi", "endpoint.queue", "endpoint.queue_manager"),
    "endpoint.channel_resolution": ("endpoint.queue_manager", "endpoint.channel"),
    "endpoint.destination_type": ("endpoint.destination_jndi",),
    **dict.fromkeys(
        ("queue_name", "queue", "backout", "dead_letter", "authority", "consumers", "backout_consumers"),
        ("endpoint.destination_jndi", "endpoint.queue", "endpoint.topic", "endpoint.queue_manager"),
    ),
}
"""The settings that lead to a row, by its alias, or behind a column."""


@functools.lru_cache(maxsize=1024)  # a few hundred columns, each of which thousands of verdicts lack
def _doubtful(name: str) -> tuple[str, ...]:
    """Where a row of a cell says that a column, or what leads to its row, has no single value."""
    names = (name, *(_LEADING.get(name) or _LEADING.get(name.partition(".")[0], ())))
    return tuple([unclear(each) for each in names if ALIASES[each.partition(".")[0]].relation in CELL_RELATIONS])


_UNCLEAR_DESTINATION = unclear("endpoint.destination_jndi")
_OPEN_DESTINATION = overridable("endpoint.destination_jndi")


def _unclear_need(name: str, rows: FlowRows) -> Need | None:
    """One value of a variable that has several, or none because it refers back to itself, or what a bean itself names,
    where a column or what leads to its row depends on it.
    """
    doubtful = _doubtful(name)
    if _UNCLEAR_DESTINATION in doubtful and has_origin(rows, _OPEN_DESTINATION):
        return _open_destination_need(rows)
    origin = first_origin(rows, doubtful)
    if origin is None:
        return None
    variable, _, values = origin.text.partition(": ")
    if not values:
        text = f"a value of {variable}, which refers back to itself at {origin.path}:{origin.line}"
        return Need(text, "value", f"{origin.path} {variable}")
    text = (
        f"one value of {variable} for {rows.endpoint.name}: {values}, and versions of WebSphere differ in which"
        " one counts (define it at the scope of the server, or alike at both)"
    )
    return Need(text, "value", f"{rows.endpoint.name} {variable}")


def _open_destination_need(rows: FlowRows) -> Need:
    """The file that tells whether a bean overrides the destination of its activation specification: one line for all
    beans of an application.
    """
    ear = "the EAR file of its application" if rows.bean is None else _ear(rows.bean)
    text = "activation-config properties of its beans may override the destinations of activation specifications"
    return Need(f"{ear}: {text}", "bean", f"{rows.endpoint.cell} {ear}")


def _flow_need(name: str, rows: FlowRows) -> Need:
    if _lacks_factory(name, rows):
        return _factory_need(rows.endpoint)
    alias = name.partition(".")[0]
    if alias == "endpoint":
        return _endpoint_need(name, rows)
    if alias == "server":
        return _server_need(name, rows)
    if alias == "bean":
        return _bean_need(name, rows)
    if alias == "destination":
        who, column, destination = rows.endpoint.name, find_column(name), rows.destination
        if destination is not None:
            source = f" ({column.source})" if column.source else ""
            return Need(f"the {column.noun} of {destination.name}{source}", "value", f"{destination.id} {column.name}")
        source = "messagingEngine of its server" if _on_liberty(rows) else "sib-destinations.xml of its bus"
        return Need(f"the bus destination of {who} ({source})", "destination", who)
    return _mq_need(name, rows)


def _endpoint_need(name: str, rows: FlowRows) -> Need:
    column, who = find_column(name), rows.endpoint.name
    match column.name:
        case "user":
            return _user_need(rows.endpoint)
        case "queue_resolution":
            return _mq_need(name, rows)
        case "channel_resolution":
            return _mq_need(name, rows, through="channel")
        case _ if column.name in _BY_CHANNEL:
            return _instances_need(name, rows)
        case "destination_type" | "provider":
            jndi = rows.endpoint.destination_jndi
            return _destination_need(rows, jndi or f"the destination of {who}", jndi or who)
        case "non_asf_rollback_enabled":
            text = f"{column.noun} of {who} (not set, and IBM's documents do not agree on its default)"
            return Need(text, "value", f"{who} {column.name}")
        case "non_asf_timeout_ms" if _is_by_itself(rows.endpoint):
            return _browse_need(rows.endpoint)
        case _:
            source = f" ({column.source})" if column.source and not _on_liberty(rows) else ""
            kind = "server" if source or rows.endpoint.missing_files else "value"
            return Need(f"the {column.noun} of {who}{source}", kind, f"{who} {column.name}")


def _is_by_itself(endpoint: Endpoint) -> bool:
    """Whether an endpoint stands for whoever reads a queue that is judged without one."""
    return endpoint.cell is None and endpoint.server_id is None and endpoint.name == endpoint.queue


def _browse_need(reader: Endpoint) -> Need:
    """What rules ask of the mode of whoever reads a queue: one of the rights depends on it."""
    text = f"whether what reads {reader.queue} browses it first, as WebSphere does in ASF mode"
    return Need(text, "value", f"{reader.queue_manager} {reader.queue} browse")


def _on_liberty(rows: FlowRows) -> bool:
    """Whether a flow ends on a Liberty server, which has none of the files of a cell."""
    return rows.endpoint.runtime == "liberty"


def _queue_manager_name_need(rows: FlowRows) -> Need:
    endpoint = rows.endpoint
    who, files = endpoint.name, endpoint.missing_files
    written = find_origin(rows, "endpoint.queue_manager")
    if written is not None and "${" in written.text:
        # Endpoints that refer to one variable wait for one file.
        text = f"{_variables_file(rows, written)}, the queue manager of {who}"
        return Need(text, "destination", f"{who} {_variables(written)}")
    text = f"the name of the queue manager of {who} (queueManager is not set, or names a group)"
    if files:
        text = f"what defines the connection factory of {who}: {files}"
    elif endpoint.kind == "listener_port" and endpoint.factory_path is None:
        text = f"the connection factory of {who}, which no file here defines"
    return Need(text, "queue_manager_name", who, "--observations FILE")


def _destination_need(rows: FlowRows, what: str, target: str) -> Need:
    """The file that defines a destination: one of those that no export holds, where that is known; the definition
    itself where all were read.
    """
    files = rows.endpoint.missing_files
    if _on_liberty(rows):
        text = f"the destination of {rows.endpoint.name}: server.xml with what it includes, or its bean's application"
        return Need(text + (f" ({files})" if files else ""), "destination", rows.endpoint.name)
    if files == "":
        text = f"a definition of {what}, which no resources.xml that the server sees has"
        return Need(text, "value", target)
    return Need(f"the resources.xml that defines {what}" + (f": {files}" if files else ""), "destination", target)


def _variable_need(rows: FlowRows, written: Origin) -> Need:
    """The definition of what a value refers to, where no file here has it."""
    place = f"{written.path}:{written.line}"
    text = f"{_variables_file(rows, written)}, to which {written.text} at {place} refers"
    return Need(text, "destination", f"{place} {_variables(written)}")


def _variables_file(rows: FlowRows, written: Origin) -> str:
    source = "the file" if _on_liberty(rows) else "the variables.xml"
    return f"{source} that defines {_variables(written)}"


def _variables(written: Origin) -> str:
    return ", ".join(dict.fromkeys(_VARIABLE.findall(written.text)))


_VARIABLE = re.compile(r"\$\{[^{}]*\}")


def _binding_need(binding: Binding, cell: str) -> Need:
    if binding.missing_files:
        # One line for all beans that wait for the same files.
        return Need(f"{binding.missing_files} of cell {cell}", "server", f"{cell} {binding.missing_files}")
    text = f"what defines {binding.target}: every resources.xml and server.xml that the bean's server sees"
    return Need(text, "server", f"{cell} {binding.target}")


def _server_need(name: str, rows: FlowRows) -> Need:
    column, server = find_column(name), rows.server
    if _is_by_itself(rows.endpoint):
        return _browse_need(rows.endpoint)
    if server is None:
        return _whereabouts(rows)
    source = "server.xml" if _on_liberty(rows) else column.source or "server.xml"
    text = f"the {column.noun} of {_server_name(server)} ({source})"
    if _on_liberty(rows) and column.name == "platform":
        text = f"the operating system of {_server_name(server)}, which no export of Liberty contains"
        return Need(text, "value", server.id)
    return Need(text, "server", server.id)


def _whereabouts(rows: FlowRows) -> Need:
    who = rows.endpoint.name
    return Need(f"the servers that run {who} (the applications and server.xml of its cell)", "server", who)


def _server_name(server: Server) -> str | None:
    return server.name or server.cluster


def _ear(bean: Bean) -> str:
    """The file that holds the classes of a bean."""
    return f"the EAR file of {bean.application}" if bean.application else "the EAR file of its application"


def _bean_need(name: str, rows: FlowRows) -> Need:
    who, bean, server = rows.endpoint.name, rows.bean, rows.server
    if name == "bean.on_message_ms":
        return Need(_on_message(rows), "on_message", "", "--on-message 15s, or --observations FILE")
    if bean is None:
        return Need(f"the application whose bean is bound to {who}", "bean", who)
    if name != "bean.transaction_timeout_ms":
        text = f"the transaction attribute of {bean.name}, an annotation in {_ear(bean)}"
        return Need(text, "bean", bean.id)
    # It is the general timeout of the bean's server, or what the bean itself says.
    if server is None:
        return _whereabouts(rows)
    if server.effective_timeout_ms is None:
        return Need(f"the transaction service of {_server_name(server)} (server.xml)", "server", server.id)
    return Need(f"the ibm-ejb-jar-ext of {bean.name}, or the whole cell with it", "bean", bean.id)


def _on_message(rows: FlowRows) -> str:
    """The observation that is missing, with the largest time that would be safe where the exports tell."""
    server, receive_ms = rows.server, rows.endpoint.non_asf_timeout_ms
    text = "the longest onMessage time of the bean"
    if server is None or receive_ms is None or not server.effective_timeout_ms:
        return text
    if receive_ms:
        spare_ms = server.effective_timeout_ms - receive_ms
    else:
        spare_ms = (rows.bean.transaction_timeout_ms if rows.bean else None) or 0
    return f"{text} (safe below {spare_ms // 1000} s)" if spare_ms > 0 else text


def _instances_need(name: str, rows: FlowRows) -> Need:
    """What would settle how many channel instances an endpoint needs."""
    endpoint, server, who = rows.endpoint, rows.server, rows.endpoint.name
    if rows.channel is None:
        return _mq_need(name, rows, through="channel")
    if server is None:
        return _whereabouts(rows)
    sessions = find_origin(rows, "endpoint.max_sessions") if endpoint.max_sessions is None else None
    if sessions is not None:
        return _usable("endpoint.max_sessions", sessions)
    if rows.channel_instances is None:
        lacking = unknown_columns(_OF_INSTANCES, rows)
        if not lacking and unknown_columns(("channel.sharing_conversations",), rows):
            return _mq_need("channel.sharing_conversations", rows)
        nouns = [_SESSIONS.get(column) or find_column(column).noun for column in lacking] or ["sessions"]
        return Need(f"the {_listed(nouns)} of {who}", "server", f"{who} {' '.join(nouns)}")
    of_all = name == "endpoint.channel_instances_total" and rows.channel_instances_all is not None
    if of_all or name == "endpoint.channel_instances_client":
        text = f"the sessions and beans of every endpoint that uses channel {rows.channel.name}"
        return Need(text, "server", f"{rows.channel.queue_manager} {rows.channel.name} instances")
    place = endpoint.cluster or endpoint.server or "its server"
    return Need(f"server.xml of each member of {place}, with equal settings", "server", server.id)


_OF_INSTANCES = (
    "endpoint.max_sessions",
    "endpoint.bean_count",
    "endpoint.non_asf_timeout_ms",
    "endpoint.destination_type",
    "endpoint.migration_mode",
    "server.was_level",
)
"""What the number of channel instances of an endpoint depends on, beside the channel."""
_SESSIONS = {"endpoint.max_sessions": "sessions", "endpoint.migration_mode": "provider version"}


def _listed(nouns: Sequence[str]) -> str:
    *most, last = nouns
    return f"{', the '.join(most)} and the {last}" if most else last


def _and(words: Sequence[str]) -> str:
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last


def _mq_need(name: str, rows: FlowRows, through: str = "") -> Need:
    """What is missing of a queue manager: its name, its export, or an object in it, that of the alias ``through`` where
    a column is computed from it.
    """
    column, alias = find_column(name), through or name.partition(".")[0]
    endpoint, manager, jndi = rows.endpoint, rows.queue_manager, rows.endpoint.destination_jndi
    named = endpoint.queue or endpoint.topic or (alias == "channel" and endpoint.channel)
    if not named and endpoint.queue is None and jndi and endpoint.provider != "generic":
        written = find_origin(rows, "endpoint.queue") or find_origin(rows, "endpoint.topic")
        need = _unclear_need("endpoint.queue_resolution", rows)
        if need is not None:
            return need
        if written and "${" in written.text:
            return _variable_need(rows, written)
        return _destination_need(rows, jndi, jndi)
    at = endpoint.queue_manager
    if not at:
        return _unclear_need("endpoint.queue_manager", rows) or _queue_manager_name_need(rows)
    if manager is None:
        return Need(f"an export of queue manager {at}", "queue_manager", at, _export_command(rows, at))
    if manager.ambiguous:
        return Need(f"one current export of queue manager {at} (those provided differ)", "conflict", at)
    rights = _rights_need(name, alias, rows, manager)
    if rights is not None:
        return rights
    text = _mq_words(column, alias, rows, at)
    leading = _unnamed(alias, column.name, rows)
    if leading and (origin := find_origin(rows, leading)) is not None:
        return _usable(leading, origin)
    if not manager.complete:
        shown = column.mqsc and _is_shown(rows, alias)
        whole = _whole_need(rows, at)
        return whole._replace(text=text, kind="value", target=f"{at} {alias} {column.name}") if shown else whole
    queue_unknown = rows.queue is None and alias in _OF_THE_QUEUE
    if not manager.lists_queues and (_asks_for_a_name(column.name) or (queue_unknown and endpoint.queue is not None)):
        text = f"an export of queue manager {at} that shows its shared queues (QSGDISP(SHARED))"
        text += ", or its QSGNAME" if manager.sharing_group is None else ""
        return Need(text, "complete", f"{at} shared queues")
    return _object_need(name, alias, rows, text)


def _whole_need(rows: FlowRows, manager: str) -> Need:
    return Need(f"a complete export of queue manager {manager}", "complete", manager, _export_command(rows, manager))


def _mq_words(column: Column, alias: str, rows: FlowRows, at: str) -> str:
    """A column of an object of IBM MQ, as an administrator calls the two: ``SHARE of ORDERS.IN at QM1``."""
    named = _named_queue(alias, column.name, rows, at)
    if named:
        return named
    what = column.mqsc if column.mqsc and not column.derived else f"the {column.noun}"
    if alias == "queue_manager":
        return f"{what} of queue manager {at}"
    if alias == "channel" and column.name in _OF_CHANNEL and rows.channel is not None:
        lacking = unknown_columns((f"channel.{each}" for each in _OF_CHANNEL), rows)
        what = _and([find_column(each).mqsc for each in lacking])
    owner = _object_name(alias, rows) or f"the {ALIASES[alias].words} of {rows.endpoint.name}"
    return f"{what} of {owner} at {at}"


_OF_CHANNEL = ("max_instances", "max_instances_per_client", "sharing_conversations")
"""What decides how many connections a channel takes; an export that shows one of them shows all."""


def _unnamed(alias: str, column: str, rows: FlowRows) -> str:
    """The column that names the object of another one, and is itself not known; blank where it is known, or there is
    none.
    """
    of_boqname = alias in ("backout", "backout_consumers") or (alias == "queue" and column in _OF_BOQNAME_HERE)
    if of_boqname and rows.queue is not None and rows.queue.backout_queue is None:
        return "queue.backout_queue"
    of_deadq = alias == "dead_letter" or column == "dead_letter_resolution"
    if of_deadq and rows.queue_manager is not None and rows.queue_manager.dead_letter_queue is None:
        return "queue_manager.dead_letter_queue"
    return ""


def _named_queue(alias: str, column: str, rows: FlowRows, at: str) -> str:
    """What is not known of a queue that an endpoint, BOQNAME or DEADQ names; blank for other columns."""
    queue, manager, opened = rows.queue, rows.queue_manager, rows.endpoint.queue
    leading = _unnamed(alias, column, rows)
    if leading == "queue.backout_queue" and queue is not None:
        return f"BOQNAME of {queue.name} at {at}"
    if leading:
        return f"DEADQ of queue manager {at}"
    if opened and (column == "queue_resolution" or (queue is None and alias in (*_OF_THE_QUEUE, "queue_name"))):
        return f"the definition of {opened} at {at}"
    if alias == "queue" and column in _OF_BOQNAME_HERE and queue is not None and queue.backout_queue:
        if queue.backout_resolution is None:
            return f"the definition of {queue.backout_queue} at {at}, which BOQNAME of {queue.name} names"
        return f"BOQNAME of {queue.backout_queue}, or of a queue behind it, at {at}"
    if column == "dead_letter_resolution" and manager is not None and manager.dead_letter_queue:
        return f"the definition of {manager.dead_letter_queue} at {at}, which DEADQ names"
    return ""


_OF_BOQNAME_HERE = ("backout_resolution", "backout_loops", "poison_queue")
"""What a queue has from the queue that its BOQNAME names."""


def _object_name(alias: str, rows: FlowRows) -> str:
    """The name of the object of IBM MQ that has a column; blank where it is not known."""
    if alias == "queue":
        return (rows.queue.name if rows.queue is not None else rows.endpoint.queue) or ""
    if alias == "queue_name":
        return rows.endpoint.queue or ""
    if alias == "channel":
        return f"channel {rows.endpoint.channel}" if rows.endpoint.channel else ""
    target = {"backout": rows.backout, "dead_letter": rows.dead_letter}.get(alias)
    return (target.local_queue or target.name) if target is not None else ""


def _rights_need(name: str, alias: str, rows: FlowRows, manager: QueueManager) -> Need | None:
    """What would settle who an endpoint is at a queue manager, or what it may do there; None for other columns."""
    endpoint, at = rows.endpoint, manager.name
    if alias == "authority" and rows.queue_resolution == "not_defined":
        return Need(f"queue {endpoint.queue} at {at}, which is not defined there", "value", f"{at} {endpoint.queue}")
    if alias in ("authority", "channel_access") and _lacks_records(alias, rows, manager):
        return _whole_need(rows, at)
    if name == "authority.connect" and rows.authority is not None and rows.authority.connect_held is None:
        text = f"the authority records of queue manager {at} itself (OBJTYPE(QMGR)), which its export does not show"
        return _whole_need(rows, at)._replace(text=text, target=f"{at} OBJTYPE(QMGR)")
    if name in _ON_BACKOUT and manager.platform != "zos":
        if (in_cluster := _opened_in_cluster(rows)) and manager.cluster_queue_access is None:
            text = f"whether {_user_of(rows)} may put messages from {at} on the cluster queue {in_cluster}"
            return Need(f"{text} ({_CLUSTER_RIGHTS})", "configuration", at, f"qm.ini of {at}")
        if unresolved := _unresolved_need(rows):
            return unresolved
    if alias == "authority":
        return _authority_need(rows, at, on_zos=manager.platform == "zos")
    if name in _OF_PASSWORDS and rows.channel_access is not None:
        return _password_need(rows.channel_access, rows, manager)
    if alias == "channel_access" and rows.channel_access is not None:
        return _access_need(rows.channel_access, endpoint, on_zos=manager.platform == "zos")
    return None


_ON_BACKOUT = frozenset(f"authority.{right}" for right in ("put", "passall", "setall", "get", "inq"))
_CLUSTER_RIGHTS = (
    "the profile of SYSTEM.CLUSTER.TRANSMIT.QUEUE decides, or its own if ClusterQueueAccessControl in qm.ini is RQMName"
)


def _user_of(rows: FlowRows) -> str:
    """Who connects, in words."""
    return f"user {rows.user}" if rows.user is not None else f"the user of {rows.endpoint.name}"


def _unresolved_need(rows: FlowRows) -> Need | None:
    """What would settle what BOQNAME names without an alias, as the rights on it are those on what it is; None where
    that is known.
    """
    queue, target = rows.queue, rows.backout
    missing = _cluster_queue("queue.backout_resolution", rows)
    if not missing or queue is None or target is None or target.type is not None or target.at_other_member:
        return None
    return _cluster_need(missing, queue, target)


def _opened_in_cluster(rows: FlowRows) -> str:
    """The cluster queue that BOQNAME names without an alias; blank where it names none."""
    target = rows.backout
    in_cluster = target is not None and target.type is None and target.leads_to_kind == "cluster queue"
    return target.name if target is not None and in_cluster else ""


def _lacks_records(alias: str, rows: FlowRows, manager: QueueManager) -> bool:
    """Whether what a user may do, or who it is, is unknown because the export of its queue manager lacks records, which
    one export of all of it shows. On z/OS no such export shows any.
    """
    if manager.platform == "zos":
        return False
    access = rows.channel_access
    if access is None:
        lacks_channel = bool(rows.endpoint.channel) and rows.channel is None and not manager.complete
    else:
        lacks_channel = access.question == "records" or (access.question in _SHOWN_BY_A_DUMP and not manager.complete)
    if alias == "channel_access":
        return lacks_channel
    return not manager.lists_authorities or (rows.user is None and lacks_channel)


_SHOWN_BY_A_DUMP: tuple[AccessQuestion, ...] = ("channel_user", "exit_setting", "enabled", "adoption")
_OF_THE_CHANNEL: tuple[AccessQuestion, ...] = ("channel_user", "exit", "exit_setting")


def _object_need(name: str, alias: str, rows: FlowRows, text: str) -> Need:
    """What would settle a column of an object of IBM MQ where the export of its queue manager is complete; ``text`` is
    what is said of most columns.
    """
    endpoint, manager, who, at = rows.endpoint, rows.queue_manager, rows.endpoint.name, rows.endpoint.queue_manager
    queue_unknown = rows.queue is None and alias in _OF_THE_QUEUE
    if name == "backout.local_queue" and rows.backout is not None and _is_published(rows):
        return Need(f"who subscribes to topic {rows.backout.leads_to}", "value", f"{at} {rows.backout.leads_to}")
    missing = _cluster_queue(name, rows)
    if missing and rows.backout is not None and rows.backout.at_other_member:
        text = f"an export of queue manager {at} of the day on which its group was exported, which shows {missing}"
        return Need(text, "complete", f"{at} shared queues")
    if missing and rows.queue is not None and rows.backout is not None:
        return _cluster_need(missing, rows.queue, rows.backout)
    target = rows.backout
    if name in _OF_CLOSED and target is not None and _is_closed_in_cluster(target):
        return _open_instance_need(target, at or "")
    if alias == "backout" and target is not None and target.leads_to_kind == "cluster queue":
        text = f"the {find_column(name).noun} of {target.leads_to}, a cluster queue at "
        text += target.in_cluster_elsewhere or target.remote_queue_manager or "several queue managers"
        if name == "backout.fails_elsewhere" and target.unreachable_because:
            text = f"which queue manager gets messages for {target.leads_to}: {target.unreachable_because}"
        if name == "backout.expiry_cap_ms":
            text = f"whether messages expire on {text.partition(' of ')[2]}"
            text += ": a complete dump from there shows CAPEXPRY"
    if target is not None and target.leads_to_kind in ("cluster queue", "remote queue"):
        text = _words_of_remote(name, target, at or "") or text
    if alias == "topic" or (endpoint.destination_type == "topic" and queue_unknown):
        switches = alias == "topic" and not name.endswith("_state")
        wanted = (
            _SUBSCRIPTION if name == f"topic.{_SUBSCRIPTION}" else "SUB and DURSUB" if switches else "the model queue"
        )
        return _subscription_need(rows, at or "", wanted)
    if alias in ("channel", "channel_access") and rows.channel is None and not (manager and manager.lists_channels):
        return Need(f"the channels in the export of queue manager {at}", "complete", f"{at} channels")
    if alias in ("channel", "channel_access"):
        channel = f"channel {endpoint.channel}" if endpoint.channel else f"the channel of {who}"
        return Need(f"{channel} in the export of queue manager {at}", "value", f"{at} {channel}")
    return Need(text, "value", f"{at} {alias} {find_column(name).name}")


_OF_LENGTH = ("backout.max_message_bytes", "backout.transmission_max_bytes")
"""What limits the length of a message that is put to the backout queue."""


def _words_of_remote(name: str, target: PutTarget, at: str) -> str:
    """What would settle a column of a queue of another queue manager; blank for those that are like any other."""
    if name == "backout.fails_elsewhere" and target.leads_to_kind == "remote queue":
        return f"whether a cluster has the queue behind {target.name} of {at}: {target.unreachable_because}"
    return _transmission_words(target, at) if name in _OF_LENGTH else ""


def _transmission_words(target: PutTarget, at: str) -> str:
    """What limits the length of messages that leave for another queue manager."""
    if target.transmission_queue:
        return f"MAXMSGL of transmission queue {target.transmission_queue} at {at}"
    text = f"MAXMSGL of the transmission queue by which messages for {target.leads_to} leave {at}"
    return f"{text}, and DEFCLXQ, which says whether that is SYSTEM.CLUSTER.TRANSMIT.QUEUE"


_OF_CLOSED = ("backout.put_enabled", "backout.takes_puts", "backout.fails_elsewhere")
"""What is not known of a cluster queue that is closed at every queue manager that was read."""


def _is_closed_in_cluster(target: PutTarget) -> bool:
    """Whether a name leads to a cluster queue that is PUT(DISABLED) at every queue manager that is known to have it.

    Messages avoid an instance that is closed while another one may be open, so it is among the ways only then.
    """
    closed = "which has PUT(DISABLED)" in (target.unreachable_because or "")
    return target.leads_to_kind == "cluster queue" and target.put_enabled is None and closed


def _open_instance_need(target: PutTarget, at: str) -> Need:
    """What would settle whether a put to a cluster queue fails that is closed wherever it was read."""
    queue, managers = target.leads_to or target.name, _and((target.cluster_managers or "").split())
    text = f"whether another queue manager of the cluster has {queue} with PUT(ENABLED)"
    text += f": it has PUT(DISABLED) at {managers}"
    # Only exports prove that other queue managers have the queue where no answer shows it.
    by_exports = target.in_cluster_elsewhere is not None
    command = f"DISPLAY QCLUSTER('{queue}') ALL at {at}" if by_exports else ""
    return Need(text, "value", f"{at} {queue} put", command)


def _is_published(rows: FlowRows) -> bool:
    """Whether the backout queue is an alias of a topic."""
    return rows.queue is not None and rows.queue.backout_resolution == "topic"


def _cluster_queue(name: str, rows: FlowRows) -> str:
    """The queue that BOQNAME leads to, where a column depends on it, and a queue manager that shows all of its queues
    does not define it and it is not known to be missing: a put reaches a queue of the cluster, too. Else blank.
    """
    queue, target, manager = rows.queue, rows.backout, rows.queue_manager
    if not name.startswith("backout.") and name not in _OF_BOQNAME:
        return ""
    if queue is None or target is None or manager is None or not (manager.complete and manager.lists_queues):
        return ""
    missing = queue.backout_queue and queue.backout_resolution is None and target.local_queue is None
    return (target.leads_to or target.name) if missing else ""


def _cluster_need(missing: str, queue: Queue, target: PutTarget) -> Need:
    """What would settle whether a cluster has the backout queue of a queue, or what that is an alias of."""
    at = queue.queue_manager
    named = f"BOQNAME of {queue.name} at {at} names"
    if target.name != missing:
        named = f"TARGET of {target.name} names, the backout queue of {queue.name} at {at}"
    whether, notes = "whether", list[str]()
    if target.in_cluster_elsewhere:
        whether, named = "confirmation that", f"{named}: one is defined at {target.in_cluster_elsewhere}"
    elif target.near_name:
        notes.append(f"{at} itself has {target.near_name}: is the name misspelt?")
    if target.not_in_cluster and target.repositories != at:
        notes.append(f"{at} shows none, but without a full repository it shows only queues that it has used")
    text = f"{whether} a cluster has a queue {missing}, which {named}" + (f" ({'; '.join(notes)})" if notes else "")
    # Where no full repository is known to be asked, the queue manager itself may have used the queue.
    place = target.repositories or ("" if target.not_in_cluster else at)
    asked = f"DISPLAY QCLUSTER('{missing}')"
    if "a full repository of " in place:  # whose answer counts only where it shows that it has one
        asked = f"DISPLAY QMGR REPOS REPOSNL, and of: {asked}, both"
    return Need(text, "value", f"{at} {missing}", f"{asked} at {place}" if place else "")


_OF_BOQNAME = ("queue.backout_resolution", "queue.backout_loops", "endpoint.backout_circle_read")
"""What is not known where the queue behind BOQNAME is not."""


def _is_shown(rows: FlowRows, alias: str) -> bool:
    """Whether the object of an alias is there, without some of its attributes."""
    moved_to = {"backout": rows.backout, "dead_letter": rows.dead_letter}
    if alias in moved_to:
        target = moved_to[alias]
        return target is not None and target.local_queue is not None
    return (alias == "queue" and rows.queue is not None) or (alias == "channel" and rows.channel is not None)


_OF_THE_QUEUE = ("queue", "backout", "backout_consumers")
"""Aliases that are known only where the queue of a flow is."""


def _export_command(rows: FlowRows, manager: str) -> str:
    """What exports a queue manager. One that a server on z/OS reaches in bindings mode runs on that system."""
    platform = rows.queue_manager.platform if rows.queue_manager is not None else None
    if platform is None and rows.endpoint.transport == "bindings" and rows.server is not None:
        platform = rows.server.platform
    if platform == "zos":
        return f"CSQUTIL PARM='{manager}' with COMMAND MAKEDEF (lintmdb's docs/exporting.md has the job)"
    guessed = rows.queue_manager is not None and rows.queue_manager.name_guessed
    return f"dmpmqcfg -m {'NAME' if guessed else manager} -a"


def _asks_for_a_name(column: str) -> bool:
    """Whether a column is open because a queue may be missing from an export."""
    return column.endswith("resolution") or column in ("name_clash", "takes_puts", "backout_loops")


def _authority_need(rows: FlowRows, manager: str, *, on_zos: bool) -> Need:
    user, access = rows.user, rows.channel_access
    if on_zos:  # whoever the user is
        return Need(
            f"the RACF authorities of {_user_of(rows)} at {manager}, which no export contains", "authority", manager
        )
    if user is None and access is not None:
        return _access_need(access, rows.endpoint)
    if user is None:
        return _user_need(rows.endpoint)
    authentication = rows.queue_manager.undefined_authentication if rows.queue_manager is not None else None
    if authentication is not None:
        return _authentication_need(authentication, manager)
    text = f"the groups and authorities of user {user} at {manager}"
    return Need(text, "authority", manager, "--observations FILE")


def _authentication_need(name: str, manager: str) -> Need:
    """What would tell who keeps the users of a queue manager."""
    text = f"the definition of AUTHINFO {name}, which CONNAUTH of {manager} names"
    return Need(text, "value", f"{manager} AUTHINFO {name}")


_ASKED: Mapping[AccessQuestion, str] = {
    "address": "the client address of {who}, which decides at {record}",
    "certificate": "the client certificate of {who}, which decides at {record}",
    "channel_user": "MCAUSER of channel {channel} at {at}",
    "exit": "whom the security exit of channel {channel} at {at} lets in, and as which user: {record}",
    "exit_setting": "SCYEXIT of channel {channel} at {at}",
    "records": "every channel authentication record of queue manager {at}",
    "enabled": "CHLAUTH of queue manager {at}",
    "adoption": "whether {at} adopts the user that a client proves (CONNAUTH, ADOPTCTX and ChlauthEarlyAdopt)",
}
"""What would tell who may use a channel, by what must be known."""


def _user_need(endpoint: Endpoint) -> Need:
    """What would tell the MQ user of an endpoint: what defines its J2C alias where it names one, else a person."""
    text, command = f"the MQ user of {endpoint.name}", "--observations FILE"
    if endpoint.user_alias is None:
        return Need(text, "user", "", command)
    if endpoint.runtime == "liberty":
        return Need(f"{text}, whose authData {endpoint.user_alias} names no user here", "alias", "", command)
    return Need(f"{text}, whose J2C alias {endpoint.user_alias} no security.xml here defines", "alias", "", command)


def _access_need(access: ChannelAccess, endpoint: Endpoint, *, on_zos: bool = False) -> Need:
    """What would settle who may use a channel, and as which user."""
    at, question, who = access.queue_manager, access.question, endpoint.name
    if question is None or question == "user":
        return _user_need(endpoint)
    text = _ASKED[question].format(who=who, record=access.record, channel=access.channel, at=at)
    command = "DISPLAY CHLAUTH(*) ALL" if question == "records" and on_zos else ""
    place = f" {who} {access.record}" if question in ("address", "certificate") else f" {access.channel}"
    target = f"{at} {question}{place if question in ('address', 'certificate', *_OF_THE_CHANNEL) else ''}"
    return Need(text, "user" if question in ("address", "certificate", "exit") else "value", target, command)


_OF_PASSWORDS = ("channel_access.requires_password", "channel_access.asks_administrators")


def _password_need(access: ChannelAccess, rows: FlowRows, manager: QueueManager) -> Need:
    """What would settle whether an endpoint has to give a password."""
    at, who, authority = access.queue_manager, rows.endpoint.name, rows.authority
    if access.asks_administrators and authority is not None and authority.administrator is True:
        text = f"whether {access.authentication} asks {who} for a password: its rights are those of the administrator "
        text += f"{access.effective_user}, but IBM does not say whether that is what counts"
        return Need(text, "value", f"{at} password {who}")
    if access.asks_administrators and access.question is None:
        return _authority_need(rows, at, on_zos=False)
    if access.authentication is None:
        if manager.undefined_authentication is not None:
            return _authentication_need(manager.undefined_authentication, at)
        if not manager.complete:
            return _whole_need(rows, at)
        text = f"whether {at} requires a password of clients: its CONNAUTH, and CHCKCLNT of the AUTHINFO that it names"
        return Need(text, "value", f"{at} password")
    if access.question is None:
        return Need(f"CHCKCLNT of {access.authentication} at {at}", "value", f"{at} {access.authentication}")
    return _access_need(access, rows.endpoint, on_zos=manager.platform == "zos")


_SUBSCRIPTION = "durable_subscriptions"
"""The column that tells whether an endpoint may have made its durable subscription before."""


def _subscription_need(rows: FlowRows, manager: str, wanted: str) -> Need:
    """What would settle ``wanted`` of a subscription at a queue manager whose export is complete."""
    endpoint, bean, who = rows.endpoint, rows.bean, rows.endpoint.name
    # A topic with wildcards has no row, so names are looked into only where there is none.
    if rows.topic is None and any(char in (endpoint.topic or "") for char in "+#*?"):
        text = f"{wanted} of {who}: its topic {endpoint.topic} has wildcards, so no one topic object decides"
    elif rows.topic is None:
        text = f"every topic object that queue manager {manager} knows, including those of its cluster"
    elif endpoint.subscription_durable is None and bean is not None and bean.subscription_durable is None:
        text = f"whether {bean.name} subscribes durably, an annotation in {_ear(bean)}"
    elif wanted == _SUBSCRIPTION:
        text = f"whether {who} has its durable subscription to {endpoint.topic} at queue manager {manager} already: "
        text += "DISPLAY SUB(*) ALL shows it there, and a dump settles it where it shows none to the topic"
    elif missing := _missing_model(rows):
        text = f"a definition of model queue {missing} of topic {endpoint.topic}, which queue manager {manager} lacks"
    else:
        text = f"{wanted} of topic {endpoint.topic} in the export of queue manager {manager}"
    return Need(text, "value", f"{manager} {endpoint.topic} {who} {wanted}")


def _missing_model(rows: FlowRows) -> str | None:
    """The model queue of the subscription, where it is known that no queue has its name."""
    topic, durable = rows.topic, rows.endpoint.subscription_durable
    if durable is None and rows.bean is not None:
        durable = rows.bean.subscription_durable
    if topic is None or durable is None:
        return None
    name, state = (
        (topic.durable_model, topic.durable_model_state)
        if durable
        else (topic.nondurable_model, topic.nondurable_model_state)
    )
    return name if state == "not defined" else None
