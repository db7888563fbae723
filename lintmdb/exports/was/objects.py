"""What a WebSphere configuration repository says, before anything in it is resolved.

Values stay as the files spell them (``Setting``): variables are not yet expanded, numbers not yet converted, defaults
not yet filled in. Each object knows the element that it was read from (``origin``).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from lintmdb.model.origins import Origin, Setting
from lintmdb.model.relations import Problem

Settings = Mapping[str, Setting]
ZOS_PROPERTIES = frozenset(
    {
        "control_region_mdb_request_timeout",
        "control_region_wlm_dispatch_timeout",
        "was.wlmTimeout",
        "wlm_classification_file",
    }
)
"""Custom properties and variables by which a z/OS controller times requests."""


class Scope(NamedTuple):
    """A place in the repository. All None is the cell itself (or a loose file, whose place nobody knows)."""

    cluster: str | None = None
    node: str | None = None
    server: str | None = None
    application: str | None = None


@dataclass(frozen=True, slots=True)
class ListenerPort:
    """``listenerPorts`` of a message listener service; attributes by their XML names, and ``initialState``."""

    name: str
    settings: Settings
    origin: Origin


@dataclass(frozen=True, slots=True)
class ServerConfig:
    """server.xml of an application server (not of a node agent or deployment manager)."""

    scope: Scope
    name: str
    cluster: str | None
    """clusterName, where the file carries it."""
    transaction_service: Settings | None
    """None where server.xml has no transaction service."""
    listener_properties: Settings
    """Custom properties and own attributes of the message listener service, by name."""
    listener_thread_pool: Settings
    thread_pools: Mapping[str, Settings]
    zos_properties: Settings
    """Custom properties anywhere in server.xml by which a z/OS controller times requests."""
    listener_ports: tuple[ListenerPort, ...]
    origin: Origin
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class ActivationSpec:
    """``j2cActivationSpec`` with its wanted ``resourceProperties``.

    ``settings`` holds the properties by name; entries packed into ``arbitraryProperties`` are unpacked beside them
    under their own names (``was_failureDeliveryCount``). ``attributes`` are those of the element itself.
    """

    scope: Scope
    name: str
    provider: Literal["wmq", "sib", "generic"] | None
    """From activationSpecClass of the resource adapter; None where the file does not tell."""
    attributes: Settings
    settings: Settings
    has_arbitrary_properties: bool
    adapter: Settings
    """Reconnection properties of the resource adapter itself, by name."""
    thread_pool: str
    """threadPoolAlias of the resource adapter; '' where it has none."""
    origin: Origin
    adapter_name: str = ""
    """The name of the resource adapter."""


@dataclass(frozen=True, slots=True)
class JmsDestination:
    """An MQ queue or topic, a bus queue or topic, or a generic destination, by JNDI name."""

    scope: Scope
    name: str
    provider: Literal["wmq", "sib", "generic"]
    type: Literal["queue", "topic"]
    settings: Settings
    """jndiName, baseQueueName, baseQueueManagerName, QueueName, BusName, externalJNDIName ..., as far as present."""
    origin: Origin


@dataclass(frozen=True, slots=True)
class ConnectionFactory:
    """An MQ, bus or generic connection factory, by JNDI name."""

    scope: Scope
    name: str
    provider: Literal["wmq", "sib", "generic"]
    settings: Settings
    """jndiName, queueManager, transportType, channel, host, port, authDataAlias ..., as far as present;
    containerAuthDataAlias is the authDataAlias of its ``<mapping>``."""
    session_pool: Settings
    origin: Origin
    connection_pool: Settings = field(default_factory=dict[str, Setting])
    parent: str = ""
    """Type and name of the provider that holds it, as in ``JMSProvider:NAME``."""
    type: str = ""
    """Its type: MQQueueConnectionFactory, MQConnectionFactory ..."""


class NameBinding(NamedTuple):
    """A name that namebindings.xml adds to the name space of its scope."""

    scope: Scope
    name: str
    target: str
    """The JNDI name that it leads to in the same name space; '' where it leads to something else."""


@dataclass(frozen=True, slots=True)
class BusDestination:
    """SIBQueue, SIBTopicSpace and their like in sib-destinations.xml."""

    bus: str
    kind: str
    """The element's local name: SIBQueue, SIBTopicSpace, SIBDestinationAlias ..."""
    identifier: str
    settings: Settings
    engines: tuple[tuple[str, str, str], ...]
    """(cluster, node, server) of each localization point; '' where not given."""
    origin: Origin


@dataclass(frozen=True, slots=True)
class MessagingEngine:
    """A messaging engine of sib-engines.xml; custom properties beside its attributes in ``settings``."""

    scope: Scope
    bus: str
    name: str
    settings: Settings
    origin: Origin


class BeanBinding(NamedTuple):
    """What ibm-ejb-jar-bnd says of a message-driven bean."""

    kind: Literal["listener_port", "activation_spec"]
    target: Setting
    destination: Setting | None
    auth_alias: Setting | None


@dataclass(frozen=True, slots=True)
class MessageDrivenBean:
    """A bean of ejb-jar.xml, or one that only a binding file names (its annotations are not in an export)."""

    name: str
    binding: BeanBinding | None
    transaction: Setting | None
    """``Required``, ``NotSupported`` or ``Bean`` as declared; None where only annotations could say."""
    transaction_default: bool
    """Nothing is declared and no annotation can be: the default, Required, applies."""
    activation_config: Settings
    """activation-config-property of the bean, by name; it overrides the activation specification."""
    transaction_timeout_s: Setting | None
    """Per-bean timeout of ibm-ejb-jar-ext, in seconds."""
    subscription_durability: Setting | None
    """``Durable`` or ``NonDurable`` as the bean's own descriptor declares it, in the form of EJB 2.0 or of 2.1."""
    no_annotations: bool
    """No annotation can say what the descriptor leaves out: the defaults apply."""
    origin: Origin


Target = tuple[str | None, str | None, str | None]
"""Cluster, node and server: what a module is mapped to."""


@dataclass(frozen=True, slots=True)
class Module:
    """An EJB module, or a WAR with beans, of a deployed application."""

    uri: str
    beans: tuple[MessageDrivenBean, ...]
    targets: tuple[Target, ...]
    """What the module is mapped to; empty where deployment.xml does not tell."""
    origin: Origin
    started_by_hand: Mapping[Target, Origin] = field(default_factory=dict[Target, Origin])
    """The targets with which the module does not start by itself, and where deployment.xml says so."""
    has_binding_file: bool = False
    """An ibm-ejb-jar-bnd of either form was read."""

    @property
    def lacks_binding_file(self) -> bool:
        """Whether a bean is bound nowhere because no binding file was read: WebSphere stores one with each module that
        has message-driven beans, as their binding is asked for when they are installed.
        """
        return not self.has_binding_file and any(bean.binding is None for bean in self.beans)


@dataclass(frozen=True, slots=True)
class Application:
    """A deployed application (``X.ear/deployments/X``) or loose module descriptors (name None)."""

    name: str | None
    modules: tuple[Module, ...]
    targets_known: bool
    origin: Origin
    from_binaries: bool = False
    """Its descriptors are those inside its EAR, which no reader opens: nothing is known of its beans."""


@dataclass(frozen=True, slots=True)
class Node:
    """A node: version, operating system, and which servers it has."""

    name: str
    version: Setting | None = None
    """com.ibm.websphere.baseProductVersion."""
    operating_system: Setting | None = None
    servers: Mapping[str, str] = field(default_factory=dict[str, str])
    """Server name to server type (APPLICATION_SERVER, NODE_AGENT ...), from serverindex.xml."""
    deployed: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """Server name to names of deployed applications, from serverindex.xml."""
    has_index: bool = False


@dataclass(frozen=True, slots=True)
class Cluster:
    """cluster.xml: (node, server) of each member."""

    name: str
    members: tuple[tuple[str, str], ...]
    origin: Origin


@dataclass(slots=True)
class CellConfig:
    """All that was read of one cell, or of loose files that belong to no cell tree (name None)."""

    root: str
    """Path of the cell folder as shown to people (``backup.zip!/cells/C1``), or of the first loose file."""
    name: str | None
    rooted: bool
    """Read from a ``cells/CELL`` tree: scopes are known from the paths."""
    files: set[str] = field(default_factory=set[str])
    """Repository-relative paths (below the cell) of all wanted files that were read: what completeness rests on."""
    unreadable: set[str] = field(default_factory=set[str])
    nodes: dict[str, Node] = field(default_factory=dict[str, Node])
    clusters: dict[str, Cluster] = field(default_factory=dict[str, Cluster])
    servers: list[ServerConfig] = field(default_factory=list[ServerConfig])
    activation_specs: list[ActivationSpec] = field(default_factory=list[ActivationSpec])
    destinations: list[JmsDestination] = field(default_factory=list[JmsDestination])
    connection_factories: list[ConnectionFactory] = field(default_factory=list[ConnectionFactory])
    bus_destinations: list[BusDestination] = field(default_factory=list[BusDestination])
    engines: list[MessagingEngine] = field(default_factory=list[MessagingEngine])
    buses: set[str] = field(default_factory=set[str])
    """Buses whose sib-destinations.xml was read."""
    variables: dict[Scope, dict[str, Setting]] = field(default_factory=dict[Scope, dict[str, Setting]])
    name_bindings: list[NameBinding] = field(default_factory=list[NameBinding])
    aliases: dict[str, Setting] = field(default_factory=dict[str, Setting])
    """J2C alias to user name. Passwords are never read."""
    applications: list[Application] = field(default_factory=list[Application])
    problems: list[Problem] = field(default_factory=list[Problem])
