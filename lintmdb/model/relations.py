"""The relations: what lintmdb knows about an estate, declared once.

Each class below is one relation. Its fields are the columns that rules name as ``alias.column``. A column says here all
that lintmdb knows about it (``Column``); the tables of SQLite and Spark, the vocabulary of rules and the words of
reports are read from these declarations.

``None`` in a column means *not known*: the export that holds the value was not given. A known blank is ``''`` and
a known zero is ``0``. Times are integers in milliseconds (``_ms``), lengths in bytes (``_bytes``).

Rows are frozen where types are checked. At run time that would be half of what it costs to make one.
"""

from __future__ import annotations

import types
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Literal

from lintmdb.model.columns import Alias, Column, columns
from lintmdb.model.origins import Located, Origin

Reliability = Literal[
    "best_effort_nonpersistent",
    "express_nonpersistent",
    "reliable_nonpersistent",
    "reliable_persistent",
    "assured_persistent",
]
"""Reliability of a bus destination's messages, from the lowest to the highest."""

Resolution = Literal[
    "resolved",
    "not_set",
    "not_defined",
    "ambiguous",
    "elsewhere",
    "remote",
    "dangling",
    "wrong_base",
    "topic",
    "model",
]
"""What became of a reference. ``not_defined`` needs a complete export of the scope; without one it is NULL.
``elsewhere`` is a queue of another queue manager than the one that the endpoint connects to.

The last five are about queues of a queue manager. ``remote``: a remote queue, or an alias of one. ``dangling``: an
alias whose target is blank or not defined. ``wrong_base``: an alias of another alias or of a model queue, which no
queue manager follows. ``topic``: an alias of a topic. ``model``: a model queue.
"""

CommandDisposition = Literal["SHARED", "GROUP", "COPY"]
"""The QSGDISP that a command must say to reach an object of a queue-sharing group: ``COPY`` for a copy that differs
from the group definition, which stays as it is."""
ObjectKind = Literal[
    "local queue", "transmission queue", "remote queue", "cluster queue", "model queue", "alias", "topic"
]
"""What a queue name comes down to."""
ModelState = Literal["usable", "not defined", "not a model queue", "for temporary queues"]
"""Whether the queue of a subscription can be made after a model queue."""
AccessQuestion = Literal[
    "address", "certificate", "user", "channel_user", "exit", "exit_setting", "records", "enabled", "adoption"
]
"""What must be known to tell who may use a channel: the address, the certificate or the user of the client, the
channel's own user (MCAUSER), what its security exit does, whether it has one (SCYEXIT), every record, whether records
are in force (CHLAUTH), and whether a user that proves itself is taken over (CONNAUTH, ADOPTCTX)."""

Runtime = Literal["traditional", "liberty"]
"""The kind of application server, by the product."""
LIBERTY_CELL = "liberty:"
"""What the name of a Liberty server, which is a cell of its own, begins with where the name of a cell is meant."""

ProblemKind = Literal[
    "unreadable",
    "unresolved_name",
    "value_out_of_range",
    "conflicting_exports",
    "misspelt_property",
    "not_understood",
    "template",
    "not_read",
    "undecided_command",
    "guessed_name",
    "incomplete_export",
    "script_beside_export",
    "shared_object_differs",
    "name_differs_in_case",
    "joined_across_folders",
    "in_no_environment",
    "undefined_remote_queue",
    "closed_remote_queue",
    "read_remote_queue",
    "full_queue",
    "undefined_alias",
    "hidden_definition",
    "unlisted_member",
    "not_exported",
    "overwritten_copy",
    "refused_change",
    "unjudged_change",
]

CLUSTER_TRANSMISSION = "SYSTEM.CLUSTER.TRANSMIT.QUEUE"
"""The transmission queue of clusters, unless each channel has one of its own."""

_ASF = {"endpoint.non_asf_timeout_ms": (0,)}
"""ASF mode, where receives have no timeout and no switch of non-ASF mode acts."""


Environment = Annotated[str | None, Column(identity=True, selects=True)]
"""The environment of the exports that hold the object, as the user names it: nothing joins across environments. None
where none is named."""


def _origins() -> Mapping[str, Located]:
    return field(default_factory=dict[str, Located], repr=False, compare=False)


@dataclass(frozen=TYPE_CHECKING, unsafe_hash=True, slots=True, kw_only=True)
class Endpoint:
    """A consumer on one server or cluster: a listener port, or an activation specification."""

    id: Annotated[str, Column(id_of="endpoint")]
    kind: Annotated[Literal["listener_port", "activation_spec"], Column(identity=True, selects=True, label="")]
    name: Annotated[str, Column(identity=True)]
    cell: Annotated[str | None, Column(identity=True)] = None
    cluster: Annotated[str | None, Column(identity=True)] = None
    node: Annotated[str | None, Column(identity=True)] = None
    server: Annotated[str | None, Column(identity=True)] = None
    server_id: Annotated[str | None, Column(id_of="server")] = None
    provider: Annotated[Literal["wmq", "sib", "generic"] | None, Column(selects=True)] = None
    runtime: Annotated[Runtime | None, Column(selects=True, words="kind of server")] = None
    """The server is one of WebSphere Application Server traditional, or of Liberty."""
    config_path: str | None = None
    """The containment path by which wsadmin's AdminConfig.getid finds an activation specification; of Liberty the
    element that holds its properties."""
    factory_path: str | None = None
    """The same of the connection factory of a listener port."""
    jndi_name: str | None = None
    stop_on_failure: Annotated[bool | None, Column(label="stop endpoint if delivery fails")] = None
    """Stop endpoint if message delivery fails (was_stopEndpointIfDeliveryFails); activation specifications only. On
    Liberty whether maxSequentialDeliveryFailures is 0 or more."""
    failure_threshold: Annotated[int | None, Column(words="failure limit")] = None
    """maxRetries of a listener port, was_failureDeliveryCount of an activation specification; of Liberty
    maxSequentialDeliveryFailures, which is how many failures it bears and not how many stop it."""
    failure_limit_ignored: Annotated[bool | None, Column(label="maxSequentialDeliveryFailures without effect")] = None
    """Liberty: maxSequentialDeliveryFailures is set, and IBM MQ's resource adapter is installed like any other, so that
    it has no effect."""
    max_sessions: int | None = None
    """maxSessions of a listener port, maxPoolDepth of a WebSphere MQ activation specification, maxConcurrency (bus)."""
    bean_count: Annotated[
        int | None,
        Column(words="number of beans", source="all applications of its server, and serverindex.xml of its node"),
    ] = None
    """How many beans use the endpoint on one server, each with sessions of its own; NULL where one of the server's
    applications is not known."""
    max_batch: int | None = None
    """maxMessages of a listener port, maxBatchSize of a bus activation specification."""
    non_asf_timeout_ms: Annotated[
        int | None,
        Column(
            moot_where=_ASF,
            words="receive timeout (NON.ASF.RECEIVE.TIMEOUT, nonASFTimeout)",
            label="non-ASF receive timeout",
        ),
    ] = None
    """NON.ASF.RECEIVE.TIMEOUT of the message listener service, nonASFTimeout; 0 is ASF mode."""
    non_asf_rollback_enabled: Annotated[
        bool | None, Column(moot_where=_ASF | {"endpoint.kind": ("listener_port",)}, words="nonASFRollbackEnabled")
    ] = None
    """nonASFRollbackEnabled; WebSphere MQ activation specifications only."""
    non_asf_bmt_rollback_enabled: Annotated[
        bool | None,
        Column(
            moot_where=_ASF | {"endpoint.kind": ("activation_spec",), "bean.transaction": ("required", "not_supported")}
        ),
    ] = None
    """NON.ASF.BMT.ROLLBACK.ENABLED of the message listener service, false by default; listener ports only."""
    misnamed_non_asf_timeout: Annotated[
        bool | None, Column(label="NON.ASF.RECEIVE.TIMEOUT at an activation specification")
    ] = None
    """A WebSphere MQ activation specification has NON.ASF.RECEIVE.TIMEOUT, which is nonASFTimeout there."""
    start_timeout_ms: int | None = None
    """startTimeout of a WebSphere MQ activation specification: how long a message waits for a thread; default 10 s."""
    reconnection_retries: int | None = None
    """reconnectionRetryCount of the IBM MQ resource adapter of an activation specification; default 5."""
    reconnection_interval_ms: int | None = None
    """reconnectionRetryInterval of that resource adapter; default 300 s."""
    reconnection_ms: Annotated[int | None, Column(derived=True)] = None
    """Retries times interval: how long the resource adapter tries to get a lost connection back."""
    sequential_failure_threshold: int | None = None
    """autoStopSequentialMessageFailure of a bus activation specification; 0, the default, is off."""
    failing_message_delay_ms: int | None = None
    """failingMessageDelay of a bus activation specification; 0, the default, is none."""
    session_pool_max: int | None = None
    """Maximum connections of the session pool of a listener port's connection factory, default 10; 0 is no limit."""
    connection_pool_max: int | None = None
    """Maximum connections of the connection pool of a listener port's connection factory, default 10; 0 is no limit."""
    connection_pool_beans: Annotated[
        int | None,
        Column(
            derived=True,
            sums=True,
            words="number of beans on its connection factory",
            source="all applications of its server, and serverindex.xml of its node",
        ),
    ] = None
    """How many beans are on the listener ports of the server that start with it and use the same connection factory."""
    adapter_connections_max: Annotated[int | None, Column(words="maxConnections of the resource adapter")] = None
    """maxConnections of the IBM MQ resource adapter of an activation specification; 10 before version 9.0, 50 from
    there on."""
    adapter_beans: Annotated[
        int | None,
        Column(
            derived=True,
            sums=True,
            words="number of beans on its resource adapter",
            source="all applications of its server, and serverindex.xml of its node",
        ),
    ] = None
    """How many beans of the server use activation specifications of the same resource adapter that start with it."""
    message_retention: Annotated[bool | None, Column(words="message retention")] = None
    """messageRetention, msgRetention of a connection factory: messages that no selector matches stay; default yes."""
    selects: Annotated[bool | None, Column(words="message selector")] = None
    """An activation specification has a message selector; for a listener port its beans tell."""
    fail_if_quiesce: Annotated[bool | None, Column(words="failIfQuiesce")] = None
    """failIfQuiesce, true by default: a receive ends when the queue manager is to stop."""
    xa_enabled: Annotated[bool | None, Column(words="XAEnabled")] = None
    """XAEnabled of a listener port's connection factory, true by default."""
    session_pool_properties: int | None = None
    """How many SERVER.SESSION.POOL.* properties act on this listener port."""
    initial_state: Literal["started", "stopped"] | None = None
    destination_type: Annotated[Literal["queue", "topic", "mismatch"] | None, Column(selects=True)] = None
    """``mismatch``: the destination is not of the provider, or not of the type, that the endpoint is made for."""
    destination_asked: Literal["MQ queue", "MQ topic", "bus queue", "bus topic"] | None = None
    """What the endpoint is made for."""
    destination_found: Literal["MQ queue", "MQ topic", "bus queue", "bus topic"] | None = None
    """What the JNDI name of its destination leads to."""
    destination_jndi: str | None = None
    missing_files: str | None = None
    """The files of its cell, parted by commas, that may define a name of the endpoint and that no export holds; blank
    where all were read and none defines it."""
    transport: Literal["client", "bindings", "bindings_then_client"] | None = None
    channel: str | None = None
    """The server connection channel of a client connection."""
    queue_manager: Annotated[str | None, Column(longest=48)] = None
    queue: Annotated[str | None, Column(longest=48)] = None
    """The MQ queue that the destination names, before aliases are followed."""
    other_queue_manager: str | None = None
    """The queue manager that the destination names, where that is not the connection's; '' where it is, or none is."""
    topic: str | None = None
    """The topic string that an MQ topic destination names."""
    subscription_durable: bool | None = None
    """subscriptionDurability of an activation specification with a topic; of a listener port its beans tell."""
    subscription_lacks: Literal["nothing", "subscription name", "client id"] | None = None
    """What a durable subscription needs and the endpoint does not have."""
    subscription_shared: bool | None = None
    """Several consumers may share a durable subscription (cloneSupport, sharedSubscription,
    shareDurableSubscriptions)."""
    migration_mode: bool | None = None
    """The provider version asked for is 6: conversations share no channel instance, topics come from broker queues."""
    user: Annotated[str | None, Column(computed=True)] = None
    """The MQ user under which the endpoint works: observed; else the user name of its J2C alias, unless the channel, a
    channel authentication record or connection authentication gives it another one."""
    user_observed: bool | None = None
    user_guessed: bool = False
    """Of who reads a queue that no endpoint reads: nothing names the user for this queue. Observations name one for a
    whole queue manager, or for all of them."""
    user_alias: str | None = None
    """The J2C alias that the endpoint names, where the exports do not say whose it is."""
    gives_password: Annotated[
        bool | None, Column(words="J2C alias, or security exit", label="user and password for IBM MQ")
    ] = None
    """False of an endpoint of IBM MQ that names neither a J2C alias nor a user, so that the queue manager gets no
    password; NULL where a security exit of the client may give one, or the export does not say."""
    destination_id: Annotated[str | None, Column(id_of="destination")] = None
    """The service integration bus destination, where the provider is ``sib``."""
    queue_resolution: Annotated[
        Resolution | None, Column(words="queue that it reads", computed=True, label="queue")
    ] = None
    """Computed by the join: what ``queue`` is at ``queue_manager``."""
    backout_circle_read: Annotated[
        bool | None,
        Column(
            words="readers of the backout queues in a circle",
            computed=True,
            moot_where={"queue.backout_loops": (None, False)},
            label="each queue of the circle has a reader",
        ),
    ] = None
    """Computed by the join: some endpoint of the exports given leads to each queue of the circle of backout queues that
    the queue is part of; NULL where it is part of none, or where that is not known."""
    channel_resolution: Annotated[Resolution | None, Column(words="channel", computed=True, label="channel")] = None
    """Computed by the join: what ``channel`` is at ``queue_manager``, for clients alone. One of another type is not
    defined.
    """
    conversations: Annotated[int | None, Column(computed=True, sums=True)] = None
    """Computed by the join: conversations of one server with the queue manager. One each session, and in ASF mode one
    that watches the destination; a topic has one session in non-ASF mode."""
    channel_instances: Annotated[int | None, Column(computed=True, sums=True, label="channel instances needed:")] = None
    """Computed by the join: instances of the channel that the conversations of one server need; clients alone."""
    channel_instances_all: Annotated[int | None, Column(computed=True, sums=True, label="for the whole cluster")] = None
    """Computed by the join: the same for the whole cluster. Where its members differ and the channel's limit is so near
    that the others have to be known, that of all endpoints of the channel if these stay below the limit, else NULL.
    """
    channel_instances_total: Annotated[
        int | None, Column(computed=True, sums=True, label="for all endpoints of the channel")
    ] = None
    """Computed by the join: the same for all endpoints on the channel that start with their servers. Where one of them
    is not known, the sum of the others if that alone is above the channel's limit, else NULL.
    """
    channel_instances_client: Annotated[
        int | None, Column(computed=True, sums=True, label="for its endpoints on one node")
    ] = None
    """Computed by the join: the same for those of them on the servers of one node, which have one address; of the nodes
    of a cluster the one that needs most.
    """
    environment: Environment = None
    origins: Mapping[str, Located] = _origins()


@dataclass(frozen=TYPE_CHECKING, unsafe_hash=True, slots=True, kw_only=True)
class Server:
    """An application server; for a cluster whose members agree, the cluster."""

    id: Annotated[str, Column(id_of="server", key=True)]
    cell: Annotated[str | None, Column(identity=True)] = None
    cluster: Annotated[str | None, Column(identity=True)] = None
    node: Annotated[str | None, Column(identity=True)] = None
    name: Annotated[str | None, Column(identity=True)] = None
    """The server's name; of a cluster whose members agree, the cluster's."""
    config_paths: str | None = None
    """The containment paths by which wsadmin's AdminConfig.getid finds the server, or each member of the cluster."""
    member_count: int | None = None
    """How many members a row for a whole cluster represents; NULL in a row for one server."""
    cluster_size: int | None = None
    """How many members the server's cluster has; 1 without a cluster."""
    was_version: str | None = None
    was_level: Annotated[int | None, Column(words="WebSphere version", source="node-metadata.properties")] = None
    """Version as one number: 8.5.5.13 is 80505, 6.1 is 60100. Of a cluster: its oldest member's."""
    oldest_was_level: Annotated[
        int | None, Column(words="oldest WebSphere version", source="node-metadata.properties of every cluster member")
    ] = None
    """The oldest level among the members of the server's cluster; the server's own without a cluster."""
    platform: Annotated[
        Literal["distributed", "zos"] | None,
        Column(moot_where=_ASF, words="operating system", source="node-metadata.properties"),
    ] = None
    total_timeout_ms: Annotated[int | None, Column(words="total transaction lifetime timeout")] = None
    """totalTranLifetimeTimeout; 0 is none."""
    maximum_timeout_ms: Annotated[int | None, Column(words="maximum transaction timeout")] = None
    """propogatedOrBMTTranLifetimeTimeout, the console's maximum transaction timeout; 0 is no cap."""
    effective_timeout_ms: Annotated[int | None, Column(derived=True, words="transaction timeouts")] = None
    """The smaller of total and maximum where both are set, else the one that is; 0 is none."""
    listener_threads_max: Annotated[int | None, Column(words="largest number of listener threads")] = None
    """Maximum size of the message listener service's thread pool; NULL where the pool may grow."""
    listener_sessions: Annotated[
        int | None,
        Column(
            derived=True,
            sums=True,
            words="sessions of all listener ports",
            source="all its applications, and serverindex.xml of its node",
        ),
    ] = None
    """Sum of the maximum sessions of the listener ports that start with the server, once for each bean; NULL where one
    of them or one of the server's applications is not known."""
    listener_recovery_retries: int | None = None
    """MAX.RECOVERY.RETRIES of the message listener service, or its maxMDBListenerRetries; default 5."""
    listener_recovery_interval_ms: int | None = None
    """RECOVERY.RETRY.INTERVAL of the message listener service, or its mdbListenerRecoveryInterval; default 60 s."""
    listener_recovery_ms: int | None = None
    """Retries times interval: how long listener ports try to get a lost connection back."""
    listener_request_timeout_ms: Annotated[
        int | None, Column(source="control_region_mdb_request_timeout, which a WLM classification file may change")
    ] = None
    """control_region_mdb_request_timeout, on z/OS: how long the controller waits for a bean of a listener port before
    it abends the servant; default 120 s, 0 is for ever."""
    dispatch_timeout_ms: Annotated[
        int | None, Column(source="was.wlmTimeout of its ORB service; its default differs between versions")
    ] = None
    """The WLM timeout (was.wlmTimeout, control_region_wlm_dispatch_timeout), on z/OS: the same for beans of activation
    specifications. NULL where it is not set, because its default differs between versions."""
    listener_zos_recovery: Annotated[
        bool | None,
        Column(
            source="ENABLE.ZOS.LP.RECOVERY; its default differs between versions", label="listener recovery on z/OS"
        ),
    ] = None
    """ENABLE.ZOS.LP.RECOVERY, on z/OS; not set it is false before version 7.0, true from 8.0 on, unknown in between."""
    activation_pool: Annotated[str | None, Column(derived=True)] = None
    """The thread pool of the WebSphere MQ activation specifications: the one that their resource adapter names, or
    WMQJCAResourceAdapter. Where adapters of several scopes name several pools, the one that is too small."""
    activation_threads_max: Annotated[int | None, Column(words="largest number of activation threads")] = None
    """Maximum size of that thread pool; the largest integer where the pool may grow."""
    activation_sessions: Annotated[
        int | None,
        Column(
            derived=True,
            sums=True,
            words="sessions of all activation specifications",
            source="all its applications, and serverindex.xml of its node",
        ),
    ] = None
    """Sum of the maximum sessions of the WebSphere MQ activation specifications that beans on the server use and that
    start with it, on that pool, once for each bean; NULL where one of them or one of the server's applications is not
    known."""
    activation_terms: Annotated[str | None, Column(derived=True)] = None
    """The terms of that sum, the largest first, each as the name of its activation specification and a number."""
    bus_pool: Annotated[str | None, Column(derived=True)] = None
    """The thread pool of the bus activation specifications: the one that their resource adapter names, or
    SIBJMSRAThreadPool."""
    bus_threads_max: Annotated[int | None, Column(words="largest number of threads for the bus")] = None
    """Maximum size of that thread pool; the largest integer where the pool may grow."""
    bus_sessions: Annotated[
        int | None,
        Column(
            derived=True,
            sums=True,
            words="sessions of all bus activation specifications",
            source="all its applications, and serverindex.xml of its node",
        ),
    ] = None
    """The same sum over the maximum concurrency of the bus activation specifications, on that pool."""
    environment: Environment = None
    origins: Mapping[str, Located] = _origins()


@dataclass(frozen=TYPE_CHECKING, unsafe_hash=True, slots=True, kw_only=True)
class Placement:
    """The client address of servers: those of one node share it. A cluster has a row for each node of its members."""

    id: Annotated[str, Column(id_of="placement")]
    server_id: Annotated[str, Column(id_of="server", key=True)]
    address: Annotated[str, Column(key=True)]
    """Cell and node; of a server whose node is not known, and of a Liberty server, the server."""
    server_count: int = 1
    """How many servers that the row of ``server`` stands for are on the node."""
    environment: Environment = None
    origins: Mapping[str, Located] = _origins()


@dataclass(frozen=TYPE_CHECKING, unsafe_hash=True, slots=True, kw_only=True)
class Bean:
    """A message-driven bean bound to an endpoint (one row for each endpoint row that it is bound to)."""

    id: Annotated[str, Column(id_of="bean")]
    endpoint_id: Annotated[str, Column(id_of="endpoint", key=True)]
    application: Annotated[str | None, Column(identity=True)] = None
    module: Annotated[str | None, Column(identity=True)] = None
    name: Annotated[str | None, Column(identity=True)] = None
    transaction: Annotated[
        Literal["required", "not_supported", "bean"] | None, Column(serves="endpoint.non_asf_bmt_rollback_enabled")
    ] = None
    transaction_timeout_ms: Annotated[int | None, Column(derived=True)] = None
    """Lifetime of the bean's container transaction: its own timeout of ibm-ejb-jar-ext in ASF mode, capped by the
    server's maximum, else the server's effective timeout (always in non-ASF mode, where the receive call starts the
    transaction); 0 is none."""
    on_message_ms: int | None = None
    """The longest onMessage time: observed, never in an export."""
    subscription_durable: bool | None = None
    """Whether a bean of a listener port subscribes durably, if its descriptor says so."""
    selects: Annotated[bool | None, Column(words="message selector")] = None
    """Whether a bean of a listener port has a message selector, if its descriptor says so."""
    environment: Environment = None
    origins: Mapping[str, Located] = _origins()


@dataclass(frozen=TYPE_CHECKING, unsafe_hash=True, slots=True, kw_only=True)
class Binding:
    """A bean's binding to a listener port or an activation specification, whether it leads anywhere or not; and that a
    bean has none.
    """

    id: Annotated[str, Column(id_of="binding")]
    cell: str | None = None
    cluster: str | None = None
    node: str | None = None
    server: str | None = None
    application: str | None = None
    module: str | None = None
    bean: str | None = None
    kind: Annotated[Literal["listener_port", "activation_spec", "none"] | None, Column(selects=True)] = None
    target: str | None = None
    resolution: Annotated[Resolution | None, Column(label="endpoint")] = None
    """``not_set`` where no binding that counts names the bean."""
    missing_files: str | None = None
    """The files of its cell, parted by commas, that may define the target and that no export holds; blank where all
    were read."""
    auto_start: Annotated[bool | None, Column(words="automatic start", source="deployment.xml")] = None
    """The application starts with its server (enable of its target mapping)."""
    environment: Environment = None
    origins: Mapping[str, Located] = _origins()


@dataclass(frozen=TYPE_CHECKING, unsafe_hash=True, slots=True, kw_only=True)
class Queue:
    """A local or model queue, which is where MQ keeps the backout attributes.

    ``queue`` is the local queue that the destination leads to. For a topic it is the model queue after which the queue
    of the subscription is made, with the attributes of the model.
    """

    queue_manager: Annotated[str, Column(key=True)]
    name: Annotated[str, Column(key=True, longest=48)]
    type: Annotated[Literal["local", "model"] | None, Column(selects=True)] = None
    noun: Annotated[Literal["QLOCAL", "QMODEL"] | None, Column(selects=True)] = None
    """The same as commands say it."""
    backout_threshold: Annotated[int | None, Column(mqsc="BOTHRESH")] = None
    """BOTHRESH; 0 turns poison message handling off."""
    backout_queue: Annotated[str | None, Column(mqsc="BOQNAME")] = None
    """BOQNAME; blank where none is named."""
    poison_queue: Annotated[
        str | None, Column(words="queue that poison messages go to", derived=True, mqsc="BOQNAME", longest=48)
    ] = None
    """The name to which poison messages are moved: BOQNAME, or DEADQ where BOQNAME is blank, leads to nothing or takes
    no messages.
    """
    backout_resolution: Annotated[
        Resolution | None, Column(words="queue behind BOQNAME", derived=True, label="backout queue", mqsc="BOQNAME")
    ] = None
    backout_loops: Annotated[
        bool | None,
        Column(
            words="chain of backout queues",
            derived=True,
            label="backout queues in a circle",
            mqsc="BOQNAME",
        ),
    ] = None
    """BOQNAME, or the chain of backout queues behind it, comes back to this queue, if each further one is read. Each
    has a threshold and takes and gives messages.
    """
    backout_circle: Annotated[str | None, Column(derived=True, mqsc="BOQNAME")] = None
    """The circle of backout queues that this queue is part of, by the name of its first queue in alphabetical order;
    NULL where it is part of none, or where a link is not known."""
    backout_circle_queues: Annotated[int | None, Column(derived=True, mqsc="BOQNAME")] = None
    """How many queues that circle has; 1 where BOQNAME leads to this queue itself, or to one that streams to it."""
    backout_would_loop: Annotated[bool | None, Column(derived=True, mqsc="BOQNAME")] = None
    """Nothing but its BOTHRESH of 0 keeps the chain of backout queues from coming back to this queue."""
    harden_backout: Annotated[bool | None, Column(mqsc="HARDENBO", words="HARDENBO attribute")] = None
    """HARDENBO; acts on z/OS private queues only."""
    shared_disposition: Annotated[bool | None, Column(mqsc="QSGDISP", switch=("QMGR or COPY", "SHARED"))] = None
    """QSGDISP(SHARED); z/OS only."""
    command_disposition: Annotated[CommandDisposition | None, Column(derived=True, mqsc="QSGDISP")] = None
    """The QSGDISP that a command must say to reach the queue (z/OS); NULL where it needs none."""
    coupling_structure: Annotated[str | None, Column(mqsc="CFSTRUCT")] = None
    """CFSTRUCT of a shared queue; NULL where it has none."""
    max_message_bytes: Annotated[int | None, Column(mqsc="MAXMSGL")] = None
    """MAXMSGL, or 63 KB where the CFLEVEL of its structure allows no more (z/OS)."""
    longest_message_bytes: Annotated[int | None, Column(derived=True)] = None
    """The smaller of MAXMSGL here and at the queue manager, as far as they are known: no queue can allow more."""
    max_depth: Annotated[int | None, Column(mqsc="MAXDEPTH")] = None
    default_depth: bool | None = None
    """MAXDEPTH is left to the default, which depends on the platform."""
    expiry_cap_ms: int | None = None
    """CAPEXPRY, which lowers the expiry of messages that are put there; 0 for none."""
    for_transmission: bool | None = None
    """USAGE(XMITQ): channels read it."""
    put_enabled: Annotated[bool | None, Column(mqsc="PUT", switch=("DISABLED", "ENABLED"))] = None
    get_enabled: Annotated[bool | None, Column(mqsc="GET", switch=("DISABLED", "ENABLED"))] = None
    shareable: Annotated[bool | None, Column(mqsc="SHARE")] = None
    """SHARE: more than one handle may read at a time."""
    default_open: Annotated[
        Literal["shared", "exclusive"] | None, Column(mqsc="DEFSOPT", words="default share option")
    ] = None
    """DEFSOPT: how a reader opens the queue that does not say; WebSphere does not."""
    default_persistence: Annotated[bool | None, Column(mqsc="DEFPSIST", switch=("NO", "YES"))] = None
    """DEFPSIST(YES)."""
    free_backout_name: Annotated[str | None, Column(derived=True)] = None
    """A name for a new backout queue of this queue, which no queue that the scripts define has."""
    observed_user: str | None = None
    """The MQ user that observations name for who reads this queue, where no endpoint does."""
    observed_name: str | None = None
    """The alias by which that user reads it, or the one that observations name for the whole queue manager; NULL where
    it is read by its own name."""
    environment: Environment = None
    origins: Mapping[str, Located] = _origins()


@dataclass(frozen=TYPE_CHECKING, unsafe_hash=True, slots=True, kw_only=True)
class QueueName:
    """A name that can be opened at a queue manager, and the local or model queue that it leads to."""

    queue_manager: Annotated[str, Column(key=True)]
    name: Annotated[str, Column(key=True)]
    type: Literal["local", "alias", "remote", "model"] | None = None
    """NULL of a name that the scripts define and delete again."""
    resolution: Annotated[Resolution | None, Column(derived=True, label="queue", mqsc="TARGET")] = None
    """What a reader finds who opens the name for input."""
    leads_to: Annotated[str | None, Column(mqsc="TARGET")] = None
    """The object that an alias names, else the name itself; blank where an alias has no target."""
    leads_to_kind: ObjectKind | None = None
    local_queue: str | None = None
    """The local queue that the name can be read from."""
    queue_behind: str | None = None
    """The same, of the name of an alias; NULL of any other name."""
    get_enabled: Annotated[bool | None, Column(mqsc="GET", switch=("DISABLED", "ENABLED"))] = None
    """GET(ENABLED) at the named object and along its aliases."""
    get_disabled_by: str | None = None
    """The object on the way that is GET(DISABLED); NULL where none is."""
    get_disabled_type: str | None = None
    """Its type, as ALTER names it."""
    get_disabled_disposition: Annotated[CommandDisposition | None, Column(derived=True, mqsc="QSGDISP")] = None
    """The QSGDISP that a command must say to reach it (z/OS); NULL where it needs none."""
    name_clash: Annotated[bool | None, Column(label="private and shared")] = None
    """A private and a shared queue have the name, so that no open finds either (z/OS)."""
    clusters: str | None = None
    """The clusters that know the object which has the name, with blanks between them (CLUSTER, or the namelist of
    CLUSNL); NULL where none does, or which ones is not known."""
    reader_group: str | None = None
    """The one group whose record lets users get from it; NULL where other groups or users have one, too, or records may
    be missing.
    """
    reader_backout_held: str | None = None
    """What the record for that group that decides grants on the queue that BOQNAME names, as AUTHADD lists it; blank
    where it grants nothing, NULL without such a group."""
    reader_backout_recorded: bool | None = None
    """That record has the very name as its profile."""
    reader_new_backout_held: str | None = None
    """The same on a queue of the name that a new backout queue would have."""
    reader_new_dead_letter_held: str | None = None
    """The same on a queue of the name that a new dead-letter queue would have."""
    environment: Environment = None
    origins: Mapping[str, Located] = _origins()


@dataclass(frozen=TYPE_CHECKING, unsafe_hash=True, slots=True, kw_only=True)
class ListedNames:
    """The beginning of names of which answers show every queue, or every server connection channel: one that
    ``queue_name`` or ``channel`` lacks does not exist.

    A queue manager with ``lists_queues`` or ``lists_channels`` has no such rows of that kind: there the same is true of
    every name.
    """

    queue_manager: Annotated[str, Column(key=True)]
    kind: Annotated[Literal["queue", "channel"], Column(key=True)]
    beginning: Annotated[str, Column(key=True)]
    environment: Environment = None
    origins: Mapping[str, Located] = _origins()


@dataclass(frozen=TYPE_CHECKING, unsafe_hash=True, slots=True, kw_only=True)
class Forwarding:
    """A name at a queue manager that keeps no message and sends it on: an alias, or a remote queue definition.

    No rule may ask for it: it tells notices what becomes of messages that come from other queue managers.
    """

    queue_manager: Annotated[str, Column(key=True)]
    name: Annotated[str, Column(key=True)]
    type: Literal["alias", "remote"]
    resolution: Resolution | None = None
    """What a put to the name finds."""
    put_enabled: bool | None = None
    """PUT(ENABLED) of this object; what it leads to has attributes of its own."""
    target: str | None = None
    """TARGET of an alias."""
    remote_queue: str | None = None
    """RNAME of a remote queue definition; blank where that defines an alias of a queue manager."""
    remote_queue_manager: str | None = None
    """RQMNAME; blank where none is named."""
    transmission_queue: str | None = None
    """The transmission queue by which messages leave; of an alias of a queue manager what XMITQ says."""
    reachable: bool | None = None
    """Messages for the remote queue can be put on that transmission queue."""
    environment: Environment = None
    origins: Mapping[str, Located] = _origins()


@dataclass(frozen=TYPE_CHECKING, unsafe_hash=True, slots=True, kw_only=True)
class ClusterMember:
    """A queue manager that is proven to be a member of a cluster, and how its messages leave for the other members.

    No rule may ask for it: it tells which queues of other queue managers a name leads to.
    """

    queue_manager: Annotated[str, Column(key=True)]
    cluster: Annotated[str, Column(key=True)]
    full_repository: bool = False
    """It knows every queue of the cluster; any other member knows those that it has used."""
    asked: str | None = None
    """The names, and beginnings of names (``PAY.*``), of which answers of a full repository show every queue of its
    clusters, with blanks between them; NULL where no answer does."""
    shown: str | None = None
    """The queues of clusters that they show; NULL where they show none."""
    reachable: bool | None = None
    """Messages can be put on the transmission queue of the cluster."""
    transmission_queue: str | None = None
    """That transmission queue; NULL where each channel may have one of its own."""
    transmission_max_bytes: int | None = None
    """Its MAXMSGL, which counts the transmission header, too."""
    unreachable_because: str | None = None
    """Why no message gets through; NULL where one may."""
    environment: Environment = None
    origins: Mapping[str, Located] = _origins()


@dataclass(frozen=TYPE_CHECKING, unsafe_hash=True, slots=True, kw_only=True)
class Topic:
    """A point of the topic tree that a queue manager administers, and the root of the tree."""

    queue_manager: Annotated[str, Column(key=True)]
    topic_string: Annotated[str, Column(key=True)]
    """Blank at the root."""
    covers_below: bool | None = None
    """Every administered point below it is known: what lies below and is not administered itself is like it."""
    durable_model: Annotated[str | None, Column(mqsc="MDURMDL")] = None
    """The model queue of durable subscriptions (MDURMDL), its own or inherited."""
    nondurable_model: Annotated[str | None, Column(mqsc="MNDURMDL")] = None
    """The model queue of non-durable subscriptions (MNDURMDL), its own or inherited."""
    sub_enabled: Annotated[bool | None, Column(mqsc="SUB", switch=("DISABLED", "ENABLED"))] = None
    """Applications may subscribe (SUB), by its own topic object or the one it inherits from."""
    durable_sub_enabled: Annotated[bool | None, Column(mqsc="DURSUB", switch=("NO", "YES"))] = None
    """Applications may make durable subscriptions (DURSUB), likewise."""
    durable_subscriptions: bool | None = None
    """False where a dump holds every durable subscription and shows none with a managed queue at or below it. One that
    exists may be that of an endpoint, which then goes on reading whatever DURSUB and the model queue say.
    """
    durable_model_state: Annotated[
        ModelState | None,
        Column(derived=True, words="model queue of durable subscriptions", label="model queue", mqsc="MDURMDL"),
    ] = None
    """Whether the queue of a durable subscription can be made after ``durable_model``: not with DEFTYPE(TEMPDYN)."""
    nondurable_model_state: Annotated[
        ModelState | None,
        Column(derived=True, words="model queue of non-durable subscriptions", label="model queue", mqsc="MNDURMDL"),
    ] = None
    """The same of ``nondurable_model``, which may make temporary queues."""
    environment: Environment = None
    origins: Mapping[str, Located] = _origins()


@dataclass(frozen=TYPE_CHECKING, unsafe_hash=True, slots=True, kw_only=True)
class PutTarget:
    """The object that a BOQNAME or DEADQ resolves to (aliases ``backout`` and ``dead_letter``)."""

    queue_manager: Annotated[str, Column(key=True)]
    name: Annotated[str, Column(key=True)]
    type: Literal["local", "alias", "remote", "model"] | None = None
    """The type of the object that is named, before aliases are followed."""
    leads_to: Annotated[str | None, Column(mqsc="TARGET")] = None
    """The object that an alias names, else the name itself; blank where an alias has no target."""
    leads_to_kind: ObjectKind | None = None
    local_queue: Annotated[str | None, Column(words="queue that keeps the messages")] = None
    is_dead_letter_queue: Annotated[
        bool | None,
        Column(derived=True, words="queue behind the name", label="is the dead-letter queue", mqsc="TARGET"),
    ] = None
    """It is, or leads to, the queue that DEADQ leads to, or SYSTEM.DEAD.LETTER.QUEUE."""
    transmission_queue: Annotated[str | None, Column(mqsc="XMITQ")] = None
    """The transmission queue by which messages for a remote queue leave; blank where there is none."""
    remote_queue: Annotated[str | None, Column(mqsc="RNAME")] = None
    """The queue at the other queue manager, of a remote queue."""
    remote_queue_manager: Annotated[str | None, Column(mqsc="RQMNAME")] = None
    """The other queue manager."""
    reachable: Annotated[bool | None, Column(derived=True, words="way to the remote queue", mqsc="XMITQ")] = None
    """The queue manager can resolve a remote queue, and its transmission queue takes messages. TRUE of a queue of its
    own.
    """
    put_enabled: Annotated[bool | None, Column(mqsc="PUT", switch=("DISABLED", "ENABLED"))] = None
    """PUT(ENABLED) at the named object and along its aliases."""
    transmission: bool | None = None
    """The queue behind the name has USAGE(XMITQ)."""
    model: bool | None = None
    """The queue behind the name is a model queue."""
    max_message_bytes: Annotated[int | None, Column(mqsc="MAXMSGL")] = None
    """MAXMSGL, or 63 KB where the CFLEVEL of its structure allows no more (z/OS)."""
    transmission_max_bytes: Annotated[int | None, Column(words="MAXMSGL of the transmission queue")] = None
    """MAXMSGL of the transmission queue of a remote queue, which counts the transmission header, too."""
    transmission_channels: Annotated[str | None, Column(derived=True)] = None
    """The channels that take messages from it, with their MAXMSGL: ``QM1.QM2 with MAXMSGL(4194304)``; NULL where no
    export shows one."""
    length_limit: Annotated[str | None, Column(derived=True)] = None
    """What limits the length of a message that is put: ``MAXMSGL(1000)``, with the transmission queue that has it."""
    in_small_structure: bool = False
    """It is a shared queue in a structure whose CFLEVEL is below 4, which holds no message longer than 63 KB, whatever
    MAXMSGL says (z/OS)."""
    small_structure: str | None = None
    """The structure (CFSTRUCT) of which that is true."""
    max_depth: Annotated[int | None, Column(mqsc="MAXDEPTH")] = None
    default_depth: bool | None = None
    """MAXDEPTH is left to the default, which depends on the platform."""
    no_room: Annotated[bool | None, Column(label="MAXDEPTH(0)")] = None
    """MAXDEPTH(0): the queue holds no message at all."""
    name_clash: Annotated[bool | None, Column(label="private and shared")] = None
    """A private and a shared queue have the name, so that no open finds either (z/OS)."""
    takes_puts: Annotated[bool | None, Column(derived=True)] = None
    """No attribute refuses a put: PUT(ENABLED) on the way, MAXDEPTH above 0, one queue of that name, a way to a remote
    queue, and no ``stream_closed``."""
    refused_because: Annotated[str | None, Column(derived=True)] = None
    """Why the queue refuses every put: ``has PUT(DISABLED)``; NULL where it does not."""
    fails_elsewhere: Annotated[
        bool | None,
        Column(derived=True, words="queue behind RNAME", label="lost at another queue manager", mqsc="RNAME"),
    ] = None
    """Exports of other queue managers prove that a message for this remote queue, which is sent there, is not kept; or
    would not be, where nothing but the transmission queue keeps it here."""
    end_takes_less: Annotated[bool, Column(derived=True)] = False
    """They prove that a queue at the other end takes only shorter messages than some queue that moves its own there."""
    end_max_bytes: Annotated[int | None, Column(words="MAXMSGL at the other queue manager")] = None
    """Where they do, the longest message that this queue takes: its MAXMSGL, or that of its queue manager if it is
    lower. Of several such queues the one that takes least."""
    end_queue: str | None = None
    """That queue, where its own MAXMSGL is what limits, and nothing else on the way is too short."""
    end_queue_manager: str | None = None
    """The queue manager that has it."""
    end_limits: str | None = None
    """What is too short at other queue managers, where that is more or other than ``end_queue``: ``MAXMSGL(1000) of
    its queue manager QM2``."""
    end_by_queue: Annotated[bool, Column(derived=True)] = False
    """``end_queue`` is known."""
    end_manager_max_bytes: Annotated[int | None, Column(words="MAXMSGL of the other queue manager")] = None
    """MAXMSGL of that queue manager itself."""
    unreachable_because: Annotated[str | None, Column(derived=True)] = None
    """Why no message gets to a remote queue: ``its RNAME is blank``; NULL where one may."""
    no_keeper: Annotated[str | None, Column(derived=True)] = None
    """What a name leads to, where that keeps no message: ``the model queue ANY``; of a local queue MAXDEPTH(0) or
    USAGE(XMITQ). NULL where it keeps them, or may."""
    put_disabled_by: str | None = None
    """The object on the way that is PUT(DISABLED), the transmission queue of a remote queue included; NULL where none
    is.
    """
    put_disabled_type: str | None = None
    """Its type, as ALTER names it."""
    put_disabled_disposition: Annotated[CommandDisposition | None, Column(derived=True, mqsc="QSGDISP")] = None
    """The QSGDISP that a command must say to reach it (z/OS); NULL where it needs none."""
    shared_disposition: Annotated[bool | None, Column(mqsc="QSGDISP", switch=("QMGR or COPY", "SHARED"))] = None
    """QSGDISP(SHARED); z/OS only."""
    command_disposition: Annotated[CommandDisposition | None, Column(derived=True, mqsc="QSGDISP")] = None
    """The QSGDISP that a command must say to reach the queue (z/OS); NULL where it needs none."""
    expiry_cap_ms: Annotated[int | None, Column(label="CAPEXPRY")] = None
    """The lowest CAPEXPRY along the way; 0 where there is none."""
    stream_queue: Annotated[str | None, Column(mqsc="STREAMQ")] = None
    """STREAMQ: the queue that gets a copy of each message; blank where there is none."""
    stream_required: Annotated[bool | None, Column(label="STRMQOS(MUSTDUP)")] = None
    """It has a stream queue and STRMQOS(MUSTDUP): a put fails where the copy cannot be put."""
    stream_closed: Annotated[bool | None, Column(derived=True, words="stream queue", mqsc="STREAMQ")] = None
    """STRMQOS(MUSTDUP), and the stream queue takes no copy, so that the put fails."""
    triggered: Annotated[bool | None, Column(mqsc="TRIGGER")] = None
    """TRIGGER, and TRIGTYPE other than NONE: a message starts a program."""
    advertised: Annotated[bool | None, Column(label="known to a cluster")] = None
    """CLUSTER or CLUSNL is set, here or at an alias on the way."""
    other_case: str | None = None
    """A queue whose name differs from this one, which is not defined, in case only."""
    near_name: str | None = None
    """The local queue that may be meant by the name, or by TARGET of this alias, which is not defined: the only one
    whose name is one slip of the hand away, or has another word for the same (``ORDERS.BOQ`` and ``ORDERS.BACKOUT``),
    and which no other queue names as its backout queue; NULL where another queue manager of the queue-sharing group has
    a queue of this name."""
    may_be_in: str | None = None
    """The clusters, with blanks between them, one of which may have the queue that is not defined here, or know the
    queue manager that RQMNAME of a remote queue names; NULL where that is decided."""
    in_no_other_cluster: Annotated[bool, Column(derived=True)] = False
    """The queue manager is in no cluster beside those: all of its channels are known, and what their namelists hold."""
    repositories: Annotated[str | None, Column(derived=True)] = None
    """The full repositories that know whether one of these clusters has the queue, and that no answer shows: ``QM2 and
    a full repository of D``; NULL where all of them answer, or where the clusters are not known."""
    in_cluster_elsewhere: Annotated[str | None, Column(derived=True)] = None
    """The queue managers with a queue of that name in one of these clusters, by their exports: ``QM2 (b.mqsc:8)``."""
    cluster_managers: Annotated[str | None, Column(derived=True)] = None
    """The queue managers to which messages for a cluster queue may go, with blanks between them: those where it is
    PUT(DISABLED) get none while it is open at another one."""
    not_in_cluster: Annotated[bool | None, Column(derived=True)] = None
    """An answer of this queue manager shows no queue of a cluster under this name, which is not defined here. Unless it
    has a full repository, it may not know the queue."""
    at_other_member: Annotated[bool | None, Column(derived=True)] = None
    """Another queue manager of the queue-sharing group has a queue of this name, which is not defined here (z/OS)."""
    expiry_capped_by: str | None = None
    """The object on the way whose CAPEXPRY is the lowest; NULL where none has one, or where it is part of CUSTOM."""
    expiry_capped_type: str | None = None
    """Its type, as ALTER names it."""
    expiry_capped_disposition: Annotated[CommandDisposition | None, Column(derived=True, mqsc="QSGDISP")] = None
    """The QSGDISP that a command must say to reach it (z/OS); NULL where it needs none."""
    environment: Environment = None
    origins: Mapping[str, Located] = _origins()


@dataclass(frozen=TYPE_CHECKING, unsafe_hash=True, slots=True, kw_only=True)
class QueueManager:
    """A queue manager, from all the exports that make it up."""

    name: Annotated[str, Column(key=True)]
    name_guessed: bool = False
    """The name is that of a file which does not say whose it is."""
    platform: Annotated[Literal["distributed", "zos"] | None, Column(words="operating system")] = None
    command_level: int | None = None
    sharing_group: Annotated[str | None, Column(mqsc="QSGNAME", words="queue-sharing group")] = None
    """QSGNAME (z/OS); blank where it is in no queue-sharing group."""
    sharing_members: Annotated[str | None, Column(derived=True)] = None
    """The queue managers of its queue-sharing group that were read, in order of name with a blank between them: what
    one of them does to a shared object, it does for all of them. NULL where no other one was read."""
    dead_letter_queue: Annotated[str | None, Column(mqsc="DEADQ")] = None
    dead_letter_resolution: Annotated[
        Resolution | None, Column(words="queue behind DEADQ", derived=True, label="dead-letter queue")
    ] = None
    free_dead_letter_name: Annotated[str | None, Column(derived=True)] = None
    """A name for a new dead-letter queue, which no queue that the scripts define has."""
    undefined_authentication: Annotated[str | None, Column(derived=True)] = None
    """The AUTHINFO that CONNAUTH names and that the export does not define: it would say who keeps the users."""
    lists_channels: bool = False
    """A server connection channel that the export does not define does not exist, and is not made on demand (CHAD).
    ``listed_names`` says it of some names."""
    lists_channel_records: bool = False
    """A channel authentication record that the export does not show does not exist."""
    lists_authorities: bool = False
    """The same of authority records, of queues and of the queue manager itself."""
    windows_accounts: bool = False
    """Its users are those of Windows, where case does not count and a name may carry a domain."""
    max_message_bytes: Annotated[int | None, Column(mqsc="MAXMSGL")] = None
    """MAXMSGL of the queue manager, which no message on any queue exceeds; fixed on z/OS."""
    cluster_queue_access: Annotated[Literal["Xmitq", "RQMName"] | None, Column(words="ClusterQueueAccessControl")] = (
        None
    )
    """ClusterQueueAccessControl of ``qm.ini``: whether the right to put on a cluster queue that is at another queue
    manager is that on SYSTEM.CLUSTER.TRANSMIT.QUEUE, or by the queue's own name."""
    complete: bool = False
    """The export is a dump of the whole queue manager: what it does not define does not exist."""
    lists_queues: bool = False
    """The same for queues alone: on z/OS a dump may leave out shared queues. ``listed_names`` says it of some names."""
    ambiguous: bool = False
    """Exported more than once with different values: none of them is used."""
    observed_user: str | None = None
    """The MQ user that observations name for every endpoint here of which no more is known: who reads a queue that is
    judged by itself."""
    environment: Environment = None
    origins: Mapping[str, Located] = _origins()


@dataclass(frozen=TYPE_CHECKING, unsafe_hash=True, slots=True, kw_only=True)
class Channel:
    """A server connection channel."""

    queue_manager: Annotated[str, Column(key=True)]
    name: Annotated[str, Column(key=True)]
    defined: bool = True
    """False of one that the scripts define and delete again, or that an answer does not find; the origin is then the
    command that deletes it."""
    sharing_conversations: Annotated[int | None, Column(mqsc="SHARECNV")] = None
    max_instances: Annotated[int | None, Column(mqsc="MAXINST")] = None
    max_instances_per_client: Annotated[int | None, Column(mqsc="MAXINSTC")] = None
    mca_user: Annotated[str | None, Column(mqsc="MCAUSER")] = None
    max_message_bytes: Annotated[int | None, Column(mqsc="MAXMSGL")] = None
    """MAXMSGL; the longest that the product allows where it is 0, which leaves it to the queue manager."""
    command_disposition: Annotated[CommandDisposition | None, Column(derived=True, mqsc="QSGDISP")] = None
    """The QSGDISP that a command must say to reach the channel (z/OS); NULL where it needs none."""
    environment: Environment = None
    origins: Mapping[str, Located] = _origins()


@dataclass(frozen=TYPE_CHECKING, unsafe_hash=True, slots=True, kw_only=True)
class ChannelAccess:
    """What becomes of a client that names one user on one server connection channel."""

    queue_manager: Annotated[str, Column(key=True)]
    channel: Annotated[str, Column(key=True)]
    user: Annotated[str, Column(key=True)]
    """``*`` for every user that no other row is about, blank for a client of which no user is known."""
    effective_user: Annotated[str | None, Column(derived=True)] = None
    """The user whose rights count; ``*`` for the one that the client names."""
    blocked: Annotated[bool | None, Column(derived=True)] = None
    """The client cannot connect."""
    blocks_administrators: Annotated[bool | None, Column(derived=True)] = None
    """It cannot if the user whose rights count administers the queue manager (USERLIST(*MQADMIN))."""
    question: AccessQuestion | None = None
    """What must be known where one of the others is not."""
    record: str | None = None
    """The record, or the channel, that decides or would."""
    removed_record: str | None = None
    """The record without whose removal another user would count, or the client would be let in or kept out instead; its
    origin is the command that removes it."""
    requires_password: Annotated[bool | None, Column(derived=True)] = None
    """Connecting takes a user and a password (CHCKCLNT). Where only administrators have to give them, NULL if another
    user counts than the one that the client names: IBM does not say which of the two is looked at."""
    asks_administrators: Annotated[bool | None, Column(derived=True)] = None
    """Administrators alone have to give a password (REQDADM)."""
    authentication: str | None = None
    """What asks, or would: the AUTHINFO that CONNAUTH names, or a record. NULL where nobody knows what the queue
    manager asks."""
    environment: Environment = None
    origins: Mapping[str, Located] = _origins()


@dataclass(frozen=TYPE_CHECKING, unsafe_hash=True, slots=True, kw_only=True)
class Authority:
    """What one user may do with a queue that it opens to read, with the backout queue and the dead-letter queue behind
    it, and with the queue manager; NULL where a group may decide.
    """

    queue_manager: Annotated[str, Column(key=True)]
    queue: Annotated[str, Column(key=True)]
    """The name that is opened, of a queue or an alias; blank where none is, for ``connect`` and ``administrator``."""
    account: Annotated[str, Column(key=True)]
    """The user as an endpoint may name it; on Windows in lower case, and also without its domain."""
    user: str
    """The user as the records name it, or as somebody named it where none does."""
    group: str | None = None
    """The one group by whose record the user reads, or the only one that it is in, where it has no record of its own;
    NULL where another may be."""
    administrator: bool | None = None
    """The user may do everything, as members of the group mqm."""
    connect: bool | None = None
    """connect on the queue manager."""
    source_get: Annotated[bool | None, Column(label="get on the queue that is opened")] = None
    source_browse: Annotated[bool | None, Column(label="browse on the queue that is opened")] = None
    source_inq: Annotated[bool | None, Column(label="inq on the queue that is opened")] = None
    may_not_read: bool = False
    """Neither get nor browse on the queue that is opened is granted."""
    behind_inq: Annotated[bool | None, Column(label="inq on the queue behind the alias")] = None
    """NULL also where what is opened is no alias."""
    put: Annotated[bool | None, Column(label="put on the backout queue")] = None
    passall: Annotated[bool | None, Column(label="passall on the backout queue")] = None
    get: Annotated[bool | None, Column(label="get on the backout queue")] = None
    inq: Annotated[bool | None, Column(label="inq on the backout queue")] = None
    setall: Annotated[bool | None, Column(label="setall on the backout queue")] = None
    dead_letter_put: Annotated[bool | None, Column(label="put on the dead-letter queue")] = None
    dead_letter_passall: Annotated[bool | None, Column(label="passall on the dead-letter queue")] = None
    connect_held: str | None = None
    """What a record for the user itself, or for ``group``, grants on the queue manager, as AUTHADD lists it; blank
    where it grants nothing, NULL where some record may be missing."""
    source_held: str | None = None
    """What the record for the user itself, or for ``group``, that decides grants on the queue that is opened, as
    AUTHADD lists it; blank where it grants nothing, NULL where another record may decide."""
    source_recorded: bool | None = None
    """That record has the very name of the queue as its profile."""
    behind_held: str | None = None
    """The same on the queue behind the alias that is opened."""
    behind_recorded: bool | None = None
    """That record has the very name as its profile."""
    backout_held: str | None = None
    """The same on the queue that BOQNAME names."""
    backout_recorded: bool | None = None
    """That record has the very name as its profile."""
    new_backout_held: str | None = None
    """The same on a queue of the name that a new backout queue would have."""
    near_backout_move: bool | None = None
    """The user may move messages to the queue that may be meant by BOQNAME, where that names none."""
    near_backout_lacks: str | None = None
    """What IBM asks for there besides and no record is known to grant the user, as AUTHADD lists it; blank for
    nothing."""
    near_backout_held: str | None = None
    """What the record for the user itself, or for ``group``, that decides there grants, as AUTHADD lists it; blank
    where it grants nothing, NULL where another record may decide."""
    near_backout_recorded: bool | None = None
    """That record has the very name as its profile."""
    new_dead_letter_held: str | None = None
    """The same on a queue of the name that a new dead-letter queue would have."""
    dead_letter_held: str | None = None
    """The same on the queue that DEADQ names."""
    dead_letter_recorded: bool | None = None
    """That record has the very name as its profile."""
    environment: Environment = None
    origins: Mapping[str, Located] = _origins()


@dataclass(frozen=TYPE_CHECKING, unsafe_hash=True, slots=True, kw_only=True)
class Destination:
    """A service integration bus destination."""

    id: Annotated[str, Column(id_of="destination", key=True)]
    cell: Annotated[str | None, Column(identity=True)] = None
    bus: Annotated[str | None, Column(identity=True)] = None
    name: Annotated[str | None, Column(identity=True)] = None
    target_bus: str | None = None
    target_name: str | None = None
    """Bus and name of the destination that holds the messages: this one, or the one that an alias leads to."""
    max_failed_deliveries: int | None = None
    exception_destination: Annotated[
        Literal["system", "none", "named", "discard"] | None,
        Column(
            label="exception destination",
            source="not set, and WebSphere's documents and the runtime's source do not agree on its default",
        ),
    ] = None
    """``discard`` is Liberty's failedDeliveryPolicy DISCARD."""
    exception_destination_name: str | None = None
    exception_resolution: Annotated[
        Resolution | None, Column(words="exception destination", label="exception destination")
    ] = None
    system_exception_destination: str | None = None
    """Where the messaging engine moves messages to without a destination of their own: named after the engine in
    traditional WebSphere, where one engine holds the destination."""
    blocked_retry_ms: int | None = None
    """blockedRetryTimeout of the destination; -1 is the messaging engine's."""
    effective_blocked_retry_ms: Annotated[
        int | None, Column(source="sib-engines.xml of the server or cluster that holds it")
    ] = None
    strict_order: bool | None = None
    """maintainStrictMessageOrder."""
    persist_redelivery_count: bool | None = None
    """persistRedeliveryCount, false by default."""
    reliability: Reliability | None = None
    """Reliability of messages whose producer names none; default assured_persistent."""
    exception_discard_reliability: Reliability | None = None
    """Undeliverable messages up to this reliability are thrown away; default best_effort_nonpersistent."""
    receive_allowed: bool | None = None
    """receiveAllowed, true by default."""
    exception_send_allowed: bool | None = None
    """sendAllowed of the destination that exceptionDestination names on the same bus."""
    exception_loops: Annotated[
        bool | None,
        Column(
            words="way from exception destination to exception destination",
            derived=True,
            label="exception destinations in a circle",
        ),
    ] = None
    """The exception destination is this destination, or its chain comes back to it and a bean reads each on the way;
    NULL where nobody is known to read one of them."""
    receive_exclusive: bool | None = None
    """receiveExclusive, false by default."""
    readers: Annotated[
        int | None,
        Column(
            derived=True,
            sums=True,
            words="number of beans that read it",
            source="all applications of the cell, and serverindex.xml of every node",
        ),
    ] = None
    """How many beans of the cell read it, once for each server; NULL where fewer than two are known and there may be
    more."""
    discards_poison: Annotated[bool | None, Column(derived=True, label="poison messages discarded")] = None
    """Computed: reliability is not above exception_discard_reliability."""
    environment: Environment = None
    origins: Mapping[str, Located] = _origins()


@dataclass(frozen=TYPE_CHECKING, unsafe_hash=True, slots=True, kw_only=True)
class Consumers:
    """Who reads a queue, among the endpoints that were exported: computed by the join, so others may read it too.

    ``consumers`` is about the queue of the flow, ``backout_consumers`` about the one that its poison messages go to,
    that of BOQNAME, or of DEADQ in its place.
    """

    queue_manager: Annotated[str, Column(computed=True)]
    queue: Annotated[str, Column(computed=True)]
    """The queue; of ``backout_consumers`` the name in BOQNAME or DEADQ."""
    endpoints: Annotated[int | None, Column(computed=True, sums=True)] = None
    """How many endpoints of the exports given lead to the queue."""
    sessions: Annotated[int | None, Column(computed=True, sums=True)] = None
    """Sum of their maximum sessions, once for each bean, a cluster's counted once; NULL where one is not known."""
    readers: Annotated[int | None, Column(computed=True, sums=True)] = None
    """How many beans read at once, a cluster's counted once and endpoints that start stopped not at all; NULL where
    fewer than two are known and there may be more."""
    first_endpoint: Annotated[str | None, Column(computed=True)] = None
    """The name of one of them, the first in alphabetical order."""
    origins: Mapping[str, Located] = _origins()


@dataclass(frozen=TYPE_CHECKING, unsafe_hash=True, slots=True, kw_only=True)
class Export:
    """One cell or one queue manager, as far as it was given."""

    path: str
    kind: Literal["cell", "queue_manager"]
    name: str | None
    complete: bool
    gap: str | None = None
    """Why an object or a record of a queue manager that is not there may exist, as a clause; None where it does not."""
    level: str | None = None
    files: int = 0
    environment: Environment = None


@dataclass(frozen=TYPE_CHECKING, unsafe_hash=True, slots=True, kw_only=True)
class Problem:
    """Something that an export cannot tell: the subject of the 9xx rules and of the inventory.

    Rules judge the kinds up to ``misspelt_property``. The others are notices that no rule judges: ``not_understood`` (a
    line no reader knows), ``template`` (unrendered template text), ``not_read`` (a file that the user named),
    ``undecided_command`` (a command whose object, or which itself, only a run of the script decides),
    ``refused_change`` (a part of a change that its product would refuse), ``unjudged_change`` (one about something that
    lintmdb does not judge, or does not know), ``overwritten_copy`` (a command about a group definition that takes back
    what somebody has altered in a copy), and what was assumed about names and folders.
    """

    kind: Annotated[ProblemKind, Column(label="")]
    path: str
    line: int = 0
    column: int = 0
    text: str = ""
    """What is wrong, as one clause."""
    next_step: str = ""
    """What the reader can do about it."""
    cell: str | None = None
    queue_manager: str | None = None
    object: str | None = None
    environment: Environment = None
    changed_at: Origin | None = field(default=None, repr=False, compare=False)
    """The change that brings it about, where that is not at its own place."""


Row = (
    Endpoint
    | Server
    | Placement
    | Bean
    | Binding
    | Queue
    | QueueName
    | ListedNames
    | Forwarding
    | ClusterMember
    | Topic
    | PutTarget
    | QueueManager
    | Channel
    | ChannelAccess
    | Authority
    | Destination
    | Consumers
    | Export
    | Problem
)

RELATIONS: Mapping[str, type[Row]] = types.MappingProxyType(
    {
        "endpoint": Endpoint,
        "server": Server,
        "placement": Placement,
        "bean": Bean,
        "binding": Binding,
        "queue": Queue,
        "queue_name": QueueName,
        "listed_names": ListedNames,
        "forwarding": Forwarding,
        "cluster_member": ClusterMember,
        "topic": Topic,
        "put_target": PutTarget,
        "queue_manager": QueueManager,
        "channel": Channel,
        "channel_access": ChannelAccess,
        "authority": Authority,
        "destination": Destination,
        "consumers": Consumers,
        "export": Export,
        "problem": Problem,
    }
)
"""Table name to row class."""

ALIASES: Mapping[str, Alias] = types.MappingProxyType(
    {
        "endpoint": Alias("endpoint", "endpoint"),
        "server": Alias("server", "server"),
        "bean": Alias("bean", "bean", label="bean"),
        "queue_name": Alias("queue_name", "queue name", label="queue name"),
        "queue": Alias("queue", "queue"),
        "topic": Alias("topic", "topic", label="topic"),
        "backout": Alias("put_target", "backout queue", label="backout", mqsc="backout queue"),
        "dead_letter": Alias("put_target", "dead-letter queue", label="dead letter", mqsc="dead-letter queue"),
        "queue_manager": Alias("queue_manager", "queue manager", label="queue manager"),
        "channel": Alias("channel", "channel", label="channel"),
        "channel_access": Alias("channel_access", "access to the channel", label="channel access"),
        "authority": Alias("authority", "authority", label="authority"),
        "destination": Alias("destination", "bus destination", label="destination"),
        "consumers": Alias("consumers", "consumers", label="consumers"),
        "backout_consumers": Alias("consumers", "consumers of the backout queue", label="backout consumers"),
        "binding": Alias("binding", "binding", label="binding", standalone=True),
        "problem": Alias("problem", "problem", label="problem", standalone=True),
    }
)
"""The words of rule authors, by which conditions name columns."""

CELL_RELATIONS = tuple(
    name for name, relation in RELATIONS.items() if any(column.id_of == name for column in columns(relation))
)
"""The relations that exports of cells fill: their rows have ids, where objects of a queue manager have names."""

MQSC_KEYWORDS = frozenset(
    keyword for relation in RELATIONS.values() for column in columns(relation) for keyword in column.keywords
)
"""The keywords of MQSC that some column is read from."""
