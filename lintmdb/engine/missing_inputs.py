"""Why a verdict is undecided: which export, option or observation would settle it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from lintmdb.engine.findings import Need, Subject

_MQ_ALIASES = frozenset(
    {"queue", "queue_name", "topic", "subscription_model", "backout", "backout_consumers", "dead_letter"}
    | {"queue_manager", "channel"}
)


def need_of(missing: tuple[str, ...], rows: Mapping[str, Any], subject: Subject) -> Need:
    """What the first deciding unknown column needs. ``rows`` are the flow's row objects by alias, None where nothing
    joined.
    """
    # The source that settles most comes first: without a queue manager's export nothing behind it can be known.
    return min([_need(name, rows, subject) for name in _distinct(missing, rows)], key=_rank)


def _distinct(missing: tuple[str, ...], rows: Mapping[str, Any]) -> Iterable[str]:
    """Where a row is not there, one source gives all of its columns, and the first speaks for them; only a bean's
    onMessage time is observed.
    """
    if len(missing) == 1:
        return missing
    first: dict[str, str] = {}
    for name in missing:
        alias = name.partition(".")[0]
        first.setdefault(alias if alias != "bean" and rows.get(alias) is None else name, name)
    return first.values()


_RANKS = {
    kind: rank
    for rank, kind in enumerate(
        (
            "destination",
            "queue_manager_name",
            "queue_manager",
            "complete",
            "server",
            "user",
            "authority",
            "on_message",
            "bean",
            "value",
        )
    )
}


def _rank(need: Need) -> int:
    return _RANKS[need.kind]


def _need(name: str, rows: Mapping[str, Any], subject: Subject) -> Need:
    alias, _, column = name.partition(".")
    endpoint = rows.get("endpoint")
    who = endpoint.name if endpoint else subject.name or "?"
    if name == "bean.on_message_ms":
        return Need(_on_message(rows), "on_message", "", "--on-message 15s, or --observations FILE")
    row = rows.get(alias)
    if row is not None and column not in _DERIVED and column in row.origins:
        origin = row.origins[column]
        place = f"{origin.path}:{origin.line}" if origin.line else origin.path
        return Need(f"a usable value instead of {origin.text} at {place}", "value", f"{place} {column}")
    if name == "endpoint.non_asf_rollback_enabled":
        text = f"nonASFRollbackEnabled of {who} (not set, and IBM's documents do not agree on its default)"
        return Need(text, "value", f"{who} {column}")
    if name == "endpoint.user":
        return Need(f"the MQ user of {who}", "user", "", "--observations FILE")
    if endpoint is not None and name in _CHANNEL_NEEDS:
        return _instances_need(rows, who)
    if endpoint is not None and (alias in _MQ_ALIASES or alias == "authority" or name == "endpoint.queue_resolution"):
        return _mq_need(alias, column, rows, who)
    if alias == "destination" and endpoint is not None:
        return Need(f"the bus destination of {who} (sib-destinations.xml of its bus)", "destination", who)
    if alias == "server":
        if rows.get("server") is None:
            return Need(f"where {who} runs (the applications and server.xml of its cell)", "server", who)
        server = rows["server"]
        return Need(
            f"the {_words(column)} of {server.name or server.cluster} ({_SERVER_SOURCE.get(column, 'server.xml')})",
            "server",
            server.id,
        )
    if alias == "bean":
        if rows.get("bean") is None:
            return Need(f"the application whose bean is bound to {who}", "bean", who)
        if column == "transaction_timeout_ms":
            return _transaction_timeout(rows, who)
        return Need(
            f"the transaction attribute of {rows['bean'].name} (its annotations are in no export)",
            "bean",
            rows["bean"].id,
        )
    if alias == "binding":
        return Need("every resources.xml and server.xml that the bean's server sees", "server", subject.cell or "")
    if name in ("endpoint.destination_type", "endpoint.provider"):
        jndi = getattr(endpoint, "destination_jndi", None)
        return Need(f"the resources.xml that defines {jndi or 'the destination of ' + who}", "destination", jndi or who)
    return Need(f"the {_words(column)} of {who}", "value", f"{who} {column}")


def _words(column: str) -> str:
    """A column as an administrator would say it."""
    return _COLUMN_WORDS.get(column) or column.removesuffix("_ms").replace("_", " ")


_COLUMN_WORDS = {
    "was_level": "WebSphere version",
    "oldest_was_level": "oldest WebSphere version",
    "platform": "operating system",
    "activation_sessions": "sessions of all activation specifications",
    "activation_threads_max": "largest number of activation threads",
    "listener_sessions": "sessions of all listener ports",
    "listener_threads_max": "largest number of listener threads",
    "total_timeout_ms": "total transaction lifetime timeout",
    "maximum_timeout_ms": "maximum transaction timeout",
    "effective_timeout_ms": "transaction timeouts",
    "non_asf_timeout_ms": "receive timeout (NON.ASF.RECEIVE.TIMEOUT, nonASFTimeout)",
    "failure_threshold": "failure limit",
}


def _transaction_timeout(rows: Mapping[str, Any], who: str) -> Need:
    """The general timeout of the bean's server, or what the bean itself says."""
    server = rows.get("server")
    if server is None:
        return Need(f"where {who} runs (the applications and server.xml of its cell)", "server", who)
    if server.effective_timeout_ms is None:
        return Need(f"the transaction service of {server.name or server.cluster} (server.xml)", "server", server.id)
    bean = rows["bean"]
    return Need(f"the ibm-ejb-jar-ext of {bean.name}, or the whole cell with it", "bean", bean.id)


_CHANNEL_NEEDS = frozenset({"endpoint.conversations", "endpoint.channel_instances", "endpoint.channel_instances_all"})


def _instances_need(rows: Mapping[str, Any], who: str) -> Need:
    """What would tell how many channel instances an endpoint needs."""
    endpoint, server = rows["endpoint"], rows.get("server")
    if rows.get("channel") is None:
        return _mq_need("channel", "attributes", rows, who)
    if server is None:
        return Need(f"where {who} runs (the applications and server.xml of its cell)", "server", who)
    if rows.get("channel_instances") is None:
        return Need(
            f"the sessions, the provider version and the WebSphere version of {who}", "value", f"{who} sessions"
        )
    place = endpoint.cluster or endpoint.server or "its server"
    return Need(f"server.xml of each member of {place}, with equal settings", "server", server.id)


_DERIVED = frozenset(
    {
        "backout_resolution",
        "backout_loops",
        "dead_letter_resolution",
        "effective_timeout_ms",
        "listener_sessions",
        "activation_sessions",
        "discards_poison",
        "transaction_timeout_ms",
        "reconnection_ms",
    }
)
"""Columns that are worked out from others: the place of one of those is not where the value is missing."""


def _on_message(rows: Mapping[str, Any]) -> str:
    """The observation that is missing, with the largest time that would be safe where it can be told."""
    endpoint, server = rows.get("endpoint"), rows.get("server")
    text = "the longest onMessage time of the bean"
    if endpoint is None or server is None or endpoint.non_asf_timeout_ms is None or not server.effective_timeout_ms:
        return text
    bean = rows.get("bean")
    if endpoint.non_asf_timeout_ms:
        spare = server.effective_timeout_ms - endpoint.non_asf_timeout_ms
    else:
        spare = (bean.transaction_timeout_ms if bean is not None else None) or 0
    return f"{text} (safe below {spare // 1000} s)" if spare > 0 else text


_SERVER_SOURCE = {
    "was_level": "node-metadata.properties",
    "oldest_was_level": "node-metadata.properties of every cluster member",
    "platform": "node-metadata.properties",
    "activation_sessions": "all its applications, and serverindex.xml of its node",
    "listener_request_timeout_ms": "control_region_mdb_request_timeout, which a WLM classification file may change",
    "dispatch_timeout_ms": "was.wlmTimeout of its ORB service; its default differs between versions",
    "listener_zos_recovery": "ENABLE.ZOS.LP.RECOVERY; its default differs between versions",
}


def _mq_need(alias: str, column: str, rows: Mapping[str, Any], who: str) -> Need:
    endpoint = rows["endpoint"]
    name = endpoint.queue_manager
    named = endpoint.queue or endpoint.topic or (alias == "channel" and endpoint.channel)
    if not named and endpoint.queue is None and endpoint.destination_jndi and endpoint.provider != "generic":
        jndi = endpoint.destination_jndi
        return Need(f"the resources.xml that defines {jndi}", "destination", jndi)
    if not name:
        return Need(
            f"the name of the queue manager of {who} (no queueManager is set)",
            "queue_manager_name",
            who,
            "--observations FILE",
        )
    manager = rows.get("queue_manager")
    if manager is None:
        return Need(f"an export of queue manager {name}", "queue_manager", name, f"dmpmqcfg -m {name} -a")
    if manager.ambiguous:
        return Need(f"one export of queue manager {name} (those given differ)", "queue_manager", name)
    if alias == "authority":
        user = rows.get("user")
        if user is None:
            return Need(f"the MQ user of {who}", "user", "", "--observations FILE")
        if manager.platform == "zos":
            return Need(f"the RACF authorities of user {user} at {name}, which no export holds", "authority", name)
        return Need(
            f"the groups and authorities of user {user} at {name}", "authority", name, "--observations FILE with groups"
        )
    if not manager.complete:
        return Need(f"a complete export of queue manager {name}", "complete", name, f"dmpmqcfg -m {name} -a")
    if alias in ("topic", "subscription_model"):
        return _subscription_need(rows, who)
    if alias == "channel":
        channel = f"channel {endpoint.channel}" if endpoint.channel else f"the channel of {who}"
        return Need(f"{channel} in the export of queue manager {name}", "value", f"{name} {channel}")
    what = {"backout": "the backout queue", "dead_letter": "the dead-letter queue", "queue": "the queue"}.get(alias, "")
    return Need(f"the {_words(column)} of {what or alias} of {who} at {name}", "value", f"{name} {alias} {column}")


def _subscription_need(rows: Mapping[str, Any], who: str) -> Need:
    """What would tell the model queue of a subscription at a queue manager whose export is complete."""
    endpoint, topic = rows["endpoint"], rows.get("topic")
    name = endpoint.queue_manager
    if any(char in (endpoint.topic or "") for char in "+#*?"):
        text = f"the model queue of {who}: its topic {endpoint.topic} has wildcards, so no one topic object decides"
    elif topic is None:
        text = f"every topic object that queue manager {name} knows, those of its cluster included"
    elif endpoint.subscription_durable is None and (bean := rows.get("bean")) and bean.subscription_durable is None:
        text = f"whether {bean.name} subscribes durably (its annotations are in no export)"
    else:
        text = f"the model queue of topic {endpoint.topic} in the export of queue manager {name}"
    return Need(text, "value", f"{name} {endpoint.topic} {who}")
