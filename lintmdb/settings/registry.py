"""The registry: every attribute that a repair may change, by the column that it is read into."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from lintmdb.model.columns import Value
from lintmdb.settings import owners
from lintmdb.settings.changes import Assignment
from lintmdb.settings.owners import Owner

_MOST = 999_999_999
_INT = 2_147_483_647
_SWITCH = ("false", "true")
PAUSES = ("-1", "0")
"""Liberty's maxSequentialDeliveryFailures for an endpoint that never pauses, and for one that pauses at once."""


class Setting(NamedTuple):
    """An attribute of a kind of object, and how its product spells the values of the column."""

    name: str
    """The column, as ``alias.column``."""
    attribute: str
    """The product's name: ``BOTHRESH``, ``maxRetries``; of a custom property its own name."""
    owner: Owner
    label: str = ""
    """What the console calls it; blank where that is ``attribute``."""
    unit_ms: int = 0
    """Times: how many milliseconds one unit of the product has; 0 for settings that are not times."""
    low: int = 0
    high: int = _INT
    words: tuple[str, str] | None = None
    """What the product says for false and for true."""
    zero: str = ""
    """What the product says for 0, where that is a word."""
    spelled: Mapping[str, str] = MappingProxyType({})
    """What the product says for each word of the column, where that differs."""
    stored: str = ""
    """The name under which a configuration file keeps it, where that is another one."""
    console: Mapping[str, str] = MappingProxyType({})
    """What the console says for some of the product's values."""
    kind: str = ""
    """The kind of its object, where another kind has an attribute of the same name for the column."""
    default: str | None = None
    """The product's default, spelled as the product spells it; a script that undoes a change goes back to it."""

    def spell(self, value: Value) -> str | None:
        """A value as the product spells it; None where it is not known or outside the product's range."""
        if value is None:
            return None
        if isinstance(value, bool):
            return self.words[value] if self.words else None
        if isinstance(value, int):
            if value == 0 and self.zero:
                return self.zero
            number = -(-value // self.unit_ms) if self.unit_ms else value
            return str(number) if self.low <= number <= self.high else None
        return self.spelled.get(value, value)

    @property
    def kept_as(self) -> str:
        """The name under which a configuration file keeps it."""
        return self.stored or self.attribute


def _mq() -> Iterator[Setting]:
    own = owners.source_queue
    yield Setting("queue.backout_threshold", "BOTHRESH", own, high=_MOST, default="0")
    yield Setting("queue.backout_queue", "BOQNAME", own, default="")
    yield Setting("queue.harden_backout", "HARDENBO", own, words=("NOHARDENBO", "HARDENBO"))
    yield Setting("queue.shareable", "SHARE", own, words=("NOSHARE", "SHARE"))
    yield Setting("queue.default_open", "DEFSOPT", own, spelled={"shared": "SHARED", "exclusive": "EXCL"})
    yield Setting("queue.default_persistence", "DEFPSIST", own, words=("NO", "YES"))
    yield Setting("queue.max_message_bytes", "MAXMSGL", own, high=104_857_600)
    yield Setting("queue.max_depth", "MAXDEPTH", own, high=_MOST)
    yield Setting("queue_name.get_enabled", "GET", owners.source_closed_by, words=("DISABLED", "ENABLED"))
    yield Setting("queue_name.leads_to", "TARGET", owners.source_name("QALIAS"))
    for alias in ("backout", "dead_letter"):
        target = owners.put_target(alias)
        closed_by = owners.put_target_closed_by(alias)
        yield Setting(f"{alias}.leads_to", "TARGET", owners.put_target_alias(alias))
        yield Setting(f"{alias}.put_enabled", "PUT", closed_by, words=("DISABLED", "ENABLED"))
        yield Setting(f"{alias}.max_depth", "MAXDEPTH", target, high=_MOST)
        yield Setting(f"{alias}.max_message_bytes", "MAXMSGL", target, high=104_857_600)
        yield Setting(f"{alias}.stream_required", "STRMQOS", target, words=("BESTEF", "MUSTDUP"))
    yield Setting("backout.transmission_max_bytes", "MAXMSGL", owners.transmission_queue, high=104_857_600)
    yield Setting("backout.end_max_bytes", "MAXMSGL", owners.queue_at_other_end, high=104_857_600)
    capped_by = owners.expiry_capped_by
    yield Setting("backout.expiry_cap_ms", "CAPEXPRY", capped_by, unit_ms=100, low=1, high=_MOST, zero="NOLIMIT")
    yield Setting("backout.triggered", "TRIGGER", owners.put_target("backout"), words=("NOTRIGGER", "TRIGGER"))
    yield Setting("queue_manager.dead_letter_queue", "DEADQ", owners.queue_manager, default="")
    yield Setting("channel.max_instances", "MAXINST", owners.channel, high=_MOST, default="999999999")
    yield Setting("channel.max_instances_per_client", "MAXINSTC", owners.channel, high=_MOST, default="999999999")
    yield Setting("channel.max_message_bytes", "MAXMSGL", owners.channel, high=104_857_600)


def _ports() -> Iterator[Setting]:
    port, service = owners.listener_port, owners.listener_service
    threads = owners.on_server("listener_threads", "threadPool")
    yield Setting("endpoint.failure_threshold", "maxRetries", port, "Maximum retries", default="0")
    yield Setting("endpoint.max_sessions", "maxSessions", port, "Maximum sessions", low=1, default="1")
    yield Setting("endpoint.max_batch", "maxMessages", port, "Maximum messages", low=1, default="1")
    states = {"started": "START", "stopped": "STOP"}
    yield Setting(
        "endpoint.initial_state",
        "initialState",
        port,
        "Initial state",
        spelled=states,
        console={"START": "Started", "STOP": "Stopped"},
        default="START",
    )
    yield Setting("endpoint.non_asf_timeout_ms", "NON.ASF.RECEIVE.TIMEOUT", service, unit_ms=1, default="")
    yield Setting(
        "endpoint.non_asf_bmt_rollback_enabled", "NON.ASF.BMT.ROLLBACK.ENABLED", service, words=_SWITCH, default=""
    )
    yield Setting("server.listener_recovery_retries", "MAX.RECOVERY.RETRIES", service, default="")
    yield Setting("server.listener_recovery_interval_ms", "RECOVERY.RETRY.INTERVAL", service, unit_ms=1000, default="")
    yield Setting("server.listener_zos_recovery", "ENABLE.ZOS.LP.RECOVERY", service, words=_SWITCH, default="")
    yield Setting("server.listener_threads_max", "maximumSize", threads, "Maximum size", low=1)


def _factories() -> Iterator[Setting]:
    factory = owners.factory("connection_factory")
    sessions, connections = owners.factory("session_pool"), owners.factory("connection_pool")
    quiesce = "Fail JMS method calls if the queue manager is quiescing"
    retention = "Retain messages, even if no matching consumer is available"
    xa = "Support distributed two phase commit protocol"
    yield Setting("endpoint.session_pool_max", "maxConnections", sessions, "Maximum connections", default="10")
    yield Setting("endpoint.connection_pool_max", "maxConnections", connections, "Maximum connections", default="10")
    yield Setting("endpoint.fail_if_quiesce", "failIfQuiesce", factory, quiesce, words=_SWITCH, default="true")
    yield Setting(
        "endpoint.message_retention",
        "msgRetention",
        factory,
        retention,
        words=_SWITCH,
        kind="connection_factory",
        default="true",
    )
    yield Setting("endpoint.xa_enabled", "XAEnabled", factory, xa, words=_SWITCH, default="true")


def _mq_specifications() -> Iterator[Setting]:
    spec = owners.specification("wmq", "mq_specification")
    custom = owners.specification("wmq", "mq_specification_property")
    yield Setting(
        "endpoint.stop_on_failure",
        "stopEndpointIfDeliveryFails",
        spec,
        "Stop endpoint if message delivery fails",
        words=_SWITCH,
        stored="was_stopEndpointIfDeliveryFails",
        default="true",
    )
    yield Setting(
        "endpoint.failure_threshold",
        "failureDeliveryCount",
        spec,
        "Number of sequential delivery failures before suspending endpoint",
        stored="was_failureDeliveryCount",
        default="0",
    )
    yield Setting(
        "endpoint.max_sessions",
        "maxPoolSize",
        spec,
        "Maximum server sessions",
        low=1,
        stored="maxPoolDepth",
        default="10",
    )
    yield Setting("endpoint.start_timeout_ms", "startTimeout", spec, "Start timeout", unit_ms=1, default="10000")
    yield Setting(
        "endpoint.message_retention",
        "msgRetention",
        spec,
        "Retain messages, even if no matching consumer is available",
        words=_SWITCH,
        stored="messageRetention",
        kind="mq_specification",
        default="true",
    )
    yield Setting(
        "endpoint.fail_if_quiesce",
        "failIfQuiescing",
        spec,
        "Fail JMS method calls if the queue manager is quiescing",
        words=_SWITCH,
        stored="failIfQuiesce",
        default="true",
    )
    states = {"started": "ACTIVE", "stopped": "INACTIVE"}
    yield Setting("endpoint.initial_state", "WAS_EndpointInitialState", custom, spelled=states, default="")
    yield Setting("endpoint.non_asf_timeout_ms", "nonASFTimeout", custom, unit_ms=1, default="0")
    yield Setting("endpoint.non_asf_rollback_enabled", "nonASFRollbackEnabled", custom, words=_SWITCH, default="")


def _adapters() -> Iterator[Setting]:
    adapter = owners.resource_adapter
    retries, interval = "Reconnection retry count", "Reconnection retry interval"
    yield Setting("endpoint.reconnection_retries", "reconnectionRetryCount", adapter, retries, default="5")
    yield Setting(
        "endpoint.reconnection_interval_ms",
        "reconnectionRetryInterval",
        adapter,
        interval,
        unit_ms=1,
        default="300000",
    )
    yield Setting("endpoint.adapter_connections_max", "maxConnections", adapter, "Maximum connections", low=1)


def _bus() -> Iterator[Setting]:
    spec, destination = owners.specification("sib", "bus_specification"), owners.bus_destination
    automatic = "Sequential failed message threshold"
    yield Setting(
        "endpoint.sequential_failure_threshold",
        "autoStopSequentialMessageFailure",
        spec,
        automatic,
        stored="AutoStopSequentialMessageFailure",
        default="0",
    )
    delay = "Delay between failing message retries"
    yield Setting("endpoint.failing_message_delay_ms", "failingMessageDelay", spec, delay, unit_ms=1, default="0")
    yield Setting("endpoint.max_batch", "maxBatchSize", spec, "Maximum batch size", low=1, default="1")
    yield Setting(
        "endpoint.max_sessions",
        "maxConcurrency",
        spec,
        "Maximum concurrent MDB invocations per endpoint",
        low=1,
        default="10",
    )
    exception = {"system": "$DEFAULT_EXCEPTION_DESTINATION", "none": ""}
    yield Setting(
        "destination.exception_destination",
        "exceptionDestination",
        destination,
        "Exception destination",
        spelled=exception,
        console={"$DEFAULT_EXCEPTION_DESTINATION": "System", "": "None"},
    )
    attempts = "Maximum failed deliveries"
    yield Setting("destination.max_failed_deliveries", "maxFailedDeliveries", destination, attempts, default="5")
    yield Setting(
        "destination.blocked_retry_ms",
        "blockedRetryTimeout",
        destination,
        "Blocked retry timeout",
        unit_ms=1,
        low=-1,
        console={"-1": "not overridden"},
        default="-1",
    )
    order = "Maintain strict message order"
    yield Setting(
        "destination.strict_order", "maintainStrictMessageOrder", destination, order, words=_SWITCH, default="false"
    )
    count = "Persist redelivery count"
    yield Setting(
        "destination.persist_redelivery_count",
        "persistRedeliveryCount",
        destination,
        count,
        words=_SWITCH,
        default="false",
    )
    yield Setting(
        "destination.exception_discard_reliability",
        "exceptionDiscardReliability",
        destination,
        "Discard reliability",
        spelled={
            "best_effort_nonpersistent": "BEST_EFFORT_NONPERSISTENT",
            "express_nonpersistent": "EXPRESS_NONPERSISTENT",
            "reliable_nonpersistent": "RELIABLE_NONPERSISTENT",
            "reliable_persistent": "RELIABLE_PERSISTENT",
            "assured_persistent": "ASSURED_PERSISTENT",
        },
        default="BEST_EFFORT_NONPERSISTENT",
    )
    yield Setting(
        "destination.receive_allowed",
        "receiveAllowed",
        owners.receiving_destination,
        "Receive allowed",
        words=_SWITCH,
        default="true",
    )
    yield Setting(
        "destination.receive_exclusive",
        "receiveExclusive",
        destination,
        "Receive exclusive",
        words=_SWITCH,
        default="false",
    )
    yield Setting(
        "destination.exception_send_allowed",
        "sendAllowed",
        owners.exception_destination,
        "Send allowed",
        words=_SWITCH,
        default="true",
    )


def _servers() -> Iterator[Setting]:
    service = owners.on_server("transaction_service", "TransactionService")
    yield Setting(
        "server.total_timeout_ms",
        "totalTranLifetimeTimeout",
        service,
        "Total transaction lifetime timeout",
        unit_ms=1000,
        default="120",
    )
    yield Setting(
        "server.maximum_timeout_ms",
        "propogatedOrBMTTranLifetimeTimeout",
        service,
        "Maximum transaction timeout",
        unit_ms=1000,
        default="300",
    )
    mq_pool = owners.thread_pool("server.activation_pool")
    bus_pool = owners.thread_pool("server.bus_pool")
    yield Setting("server.activation_threads_max", "maximumSize", mq_pool, "Maximum size", low=1)
    yield Setting("server.bus_threads_max", "maximumSize", bus_pool, "Maximum size", low=1)


def _liberty() -> Iterator[Setting]:
    pausing = owners.liberty_specification("wmq", pauses=True)
    mq, bus = owners.liberty_specification("wmq"), owners.liberty_specification("sib")
    limit, endpoint, queue = "maxSequentialDeliveryFailures", owners.liberty_endpoint, owners.liberty_queue
    yield Setting("endpoint.stop_on_failure", limit, pausing, words=PAUSES, default="-1", kind="liberty_specification")
    yield Setting("endpoint.failure_threshold", limit, pausing, default="-1", kind="liberty_specification")
    yield Setting("endpoint.max_sessions", "maxPoolDepth", mq, low=1, default="10", kind="liberty_specification")
    yield Setting("endpoint.max_sessions", "maxConcurrency", bus, low=1, default="5", kind="liberty_specification")
    yield Setting("endpoint.max_batch", "maxBatchSize", bus, low=1, default="1", kind="liberty_specification")
    yield Setting(
        "endpoint.start_timeout_ms", "startTimeout", mq, unit_ms=1, default="10000", kind="liberty_specification"
    )
    yield Setting(
        "endpoint.fail_if_quiesce", "failIfQuiesce", mq, words=_SWITCH, default="true", kind="liberty_specification"
    )
    states = {"started": "true", "stopped": "false"}
    yield Setting(
        "endpoint.initial_state", "autoStart", endpoint, spelled=states, default="true", kind="liberty_endpoint"
    )
    policies = {"system": "SEND_TO_EXCEPTION_DESTINATION", "none": "KEEP_TRYING", "discard": "DISCARD"}
    yield Setting(
        "destination.exception_destination",
        "failedDeliveryPolicy",
        queue,
        spelled=policies,
        default="SEND_TO_EXCEPTION_DESTINATION",
        kind="liberty_queue",
    )
    yield Setting(
        "destination.max_failed_deliveries",
        "maxRedeliveryCount",
        queue,
        stored="maxFailedDeliveries",
        default="5",
        kind="liberty_queue",
    )
    yield Setting(
        "destination.receive_allowed", "receiveAllowed", queue, words=_SWITCH, default="true", kind="liberty_queue"
    )
    service = owners.liberty_transaction
    total, maximum = "totalTranLifetimeTimeout", "propogatedOrBMTTranLifetimeTimeout"
    yield Setting("server.total_timeout_ms", total, service, unit_ms=1000, default="120", kind="liberty_transaction")
    yield Setting("server.maximum_timeout_ms", maximum, service, unit_ms=1000, default="0", kind="liberty_transaction")


def _by_name() -> Mapping[str, tuple[Setting, ...]]:
    found: dict[str, tuple[Setting, ...]] = {}
    for family in (_mq, _ports, _factories, _mq_specifications, _adapters, _bus, _servers, _liberty):
        for setting in family():
            found[setting.name] = (*found.get(setting.name, ()), setting)
    return MappingProxyType(found)


SETTINGS = _by_name()
"""Name of the column to the settings behind it: listener ports and activation specifications have one each."""


def find_setting(change: Assignment) -> Setting:
    """The setting that a change assigns to. Raises KeyError."""
    candidates = [setting for setting in SETTINGS[change.setting] if setting.kind in ("", change.target.kind)]
    return next((setting for setting in candidates if setting.attribute == change.attribute), candidates[0])
