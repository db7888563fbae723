"""The objects of a WebSphere configuration repository as the files define them, before resolution.

A value keeps its spelling (``Setting``): nobody has expanded variables, converted numbers or applied defaults yet. Each
object carries the place of its element (``origin``).

What there may be thousands of in a cell is frozen where types are checked. At run time that would be half of what it
costs to make one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from lintmdb.model.origins import ChangeOrigin, Origin, Setting
from lintmdb.model.relations import Problem, Runtime

Settings = Mapping[str, Setting]
NOT_TOLD = "\0"
"""The value of a setting that the export's form would show and does not: neither a value nor the default is known."""
ZOS_PROPERTIES = frozenset(
    {
        "control_region_mdb_request_timeout",
        "control_region_wlm_dispatch_timeout",
        "was.wlmTimeout",
        "wlm_classification_file",
    }
)
"""Custom properties and variables that set the request timeouts of a z/OS controller."""


class Scope(NamedTuple):
    """A scope of the repository. All fields are None for the cell, and for a loose file, whose scope is unknown."""

    cluster: str | None = None
    node: str | None = None
    server: str | None = None
    application: str | None = None

    @property
    def words(self) -> str:
        """As a sentence names it: ``node node2``."""
        if self.application:
            return f"application {self.application}"
        if self.server:
            return f"server {self.server}"
        if self.cluster:
            return f"cluster {self.cluster}"
        return f"node {self.node}" if self.node else "the cell"


@dataclass(frozen=True, slots=True)
class ListenerPort:
    """A listener port of a message listener service. ``settings``: attributes and ``initialState``, by XML name."""

    name: str
    settings: Settings
    origin: Origin


@dataclass(frozen=True, slots=True)
class ServerConfig:
    """An application server, from server.xml (never a node agent or a deployment manager)."""

    scope: Scope
    name: str
    cluster: str | None
    """``clusterName``; None where the file does not have it."""
    transaction_service: Settings | None
    """The attributes of the transaction service; None where server.xml has no such service."""
    listener_properties: Settings
    """The attributes and custom properties of the message listener service, by name."""
    listener_thread_pool: Settings
    thread_pools: Mapping[str, Settings]
    zos_properties: Settings
    """The custom properties anywhere in server.xml that set the request timeouts of a z/OS controller."""
    listener_ports: tuple[ListenerPort, ...]
    origin: Origin
    problems: tuple[Problem, ...] = ()
    whole: bool = True
    """Every listener port of the server is among ``listener_ports``."""


@dataclass(frozen=TYPE_CHECKING, unsafe_hash=True, slots=True)
class ActivationSpec:
    """An activation specification (``j2cActivationSpec``).

    ``settings`` has the ``resourceProperties`` that lintmdb reads, by name, and the entries of ``arbitraryProperties``
    under their own names (``was_failureDeliveryCount``). ``attributes`` has the attributes of the element itself.
    """

    scope: Scope
    name: str
    provider: Literal["wmq", "sib", "generic"] | None
    """By the ``activationSpecClass`` of the resource adapter; None where the file does not say."""
    attributes: Settings
    settings: Settings
    has_arbitrary_properties: bool
    adapter: Settings
    """The resource adapter's own properties on reconnection and connections, by name."""
    thread_pool: str
    """``threadPoolAlias`` of the resource adapter; '' where it is not set."""
    origin: Origin
    adapter_name: str = ""
    """The name of the resource adapter; of Liberty its id."""
    generic_adapter: bool = False
    """Liberty: IBM MQ's resource adapter is installed like any other, so that Liberty does not know it."""


@dataclass(frozen=TYPE_CHECKING, unsafe_hash=True, slots=True)
class JmsDestination:
    """A JMS queue or topic: of IBM MQ, of the bus, or of a generic provider."""

    scope: Scope
    name: str
    provider: Literal["wmq", "sib", "generic"]
    type: Literal["queue", "topic"]
    settings: Settings
    """Those of jndiName, baseQueueName, baseQueueManagerName, QueueName, BusName, externalJNDIName ... that are set."""
    origin: Origin


@dataclass(frozen=True, slots=True)
class ConnectionFactory:
    """A connection factory: of IBM MQ, of the bus, or of a generic provider."""

    scope: Scope
    name: str
    provider: Literal["wmq", "sib", "generic"]
    settings: Settings
    """Those of jndiName, queueManager, transportType, channel, host, port, authDataAlias ... that are set;
    containerAuthDataAlias is the authDataAlias of its ``<mapping>``, mappingConfigAlias is the login there."""
    session_pool: Settings
    origin: Origin
    connection_pool: Settings = field(default_factory=dict[str, Setting])
    parent: str = ""
    """Type and name of the provider that contains it: ``JMSProvider:NAME``."""
    type: str = ""
    """The type of the element: MQQueueConnectionFactory, MQConnectionFactory ..."""


class NameBinding(NamedTuple):
    """A name that namebindings.xml adds to the name space of its scope."""

    scope: Scope
    name: str
    target: str
    """The JNDI name in the same name space that it leads to; '' where it leads to anything else."""


@dataclass(frozen=True, slots=True)
class BusDestination:
    """A destination of a bus, from sib-destinations.xml."""

    bus: str
    kind: str
    """The element's local name: SIBQueue, SIBTopicSpace, SIBDestinationAlias ..."""
    identifier: str
    settings: Settings
    engines: tuple[tuple[str, str, str], ...]
    """(cluster, node, server) of each localization point, with '' for each part that is not set."""
    origin: Origin


@dataclass(frozen=True, slots=True)
class MessagingEngine:
    """A messaging engine, from sib-engines.xml. ``settings`` has its attributes and custom properties, by name."""

    scope: Scope
    bus: str
    name: str
    settings: Settings
    origin: Origin


BindingKind: TypeAlias = Literal["listener_port", "activation_spec"]
"""What a bean may be bound to."""
DeletedKind: TypeAlias = Literal[BindingKind, "factory", "bus_destination"]
"""The kinds of objects of which it is kept that a change takes them away: others name them."""


class BeanBinding(NamedTuple):
    """The binding of a message-driven bean, from ibm-ejb-jar-bnd."""

    kind: BindingKind
    target: Setting
    destination: Setting | None
    auth_alias: Setting | None


@dataclass(frozen=TYPE_CHECKING, unsafe_hash=True, slots=True)
class MessageDrivenBean:
    """A message-driven bean, from ejb-jar.xml or only from a binding file (exports do not contain annotations)."""

    name: str
    binding: BeanBinding | None
    transaction: Setting | None
    """``Required``, ``NotSupported`` or ``Bean`` as the descriptor declares it; None where it declares nothing."""
    transaction_default: bool
    """The descriptor declares nothing and no annotation counts, so the default applies: Required."""
    activation_config: Settings
    """The bean's ``activation-config-property`` values by name. They override the activation specification."""
    transaction_timeout_s: Setting | None
    """The bean's own transaction timeout in seconds, from ibm-ejb-jar-ext."""
    subscription_durability: Setting | None
    """``Durable`` or ``NonDurable`` as ejb-jar.xml declares it, in the form of EJB 2.0 or 2.1."""
    no_annotations: bool
    """Annotations do not count: the defaults apply where the descriptor says nothing."""
    origin: Origin
    only_bound: bool = False
    """Nothing but its binding tells of it: what its annotations or its descriptor say was not read."""
    destination_link: Setting | None = None
    """``message-destination-link``: the logical destination that its descriptor says it reads."""


class ModuleBindings(NamedTuple):
    """Liberty: what server.xml binds in a module of an application; it wins over what the application itself says."""

    module: str
    """The name of the module; '' where server.xml names none."""
    beans: Mapping[str, Settings]
    """The attributes of ``jca-adapter`` by bean."""
    destinations: Settings
    """Logical destination to JNDI name."""


Target = tuple[str | None, str | None, str | None]
"""(cluster, None, None) or (None, node, server): a target that a module is mapped to."""


@dataclass(frozen=True, slots=True)
class Module:
    """An EJB module, or a WAR with beans, of a deployed application."""

    uri: str
    beans: tuple[MessageDrivenBean, ...]
    targets: tuple[Target, ...]
    """The targets of the module; empty where deployment.xml does not say."""
    origin: Origin
    started_by_hand: Mapping[Target, Origin] = field(default_factory=dict[Target, Origin])
    """The targets on which the module does not start automatically, with where deployment.xml says so."""
    has_binding_file: bool = False
    """An ibm-ejb-jar-bnd of either form was read."""
    own_name: str = ""
    """``module-name`` of its descriptor; '' where there is none."""
    path: str = ""
    """Its URI in the application file; '' where no such file was read. ``uri`` may be shorter."""
    destinations: Settings = field(default_factory=dict[str, Setting])
    """Logical destination to the JNDI name that ibm-ejb-jar-bnd gives it."""

    @property
    def lacks_binding_file(self) -> bool:
        """Whether a bean is bound nowhere because no binding file was read: WebSphere stores one with each module that
        has message-driven beans, as their binding is asked for when they are installed.
        """
        return not self.has_binding_file and any(bean.binding is None for bean in self.beans)


@dataclass(frozen=True, slots=True)
class Application:
    """A deployed application (``X.ear/deployments/X``), or loose descriptors of modules (``name`` is None)."""

    name: str | None
    modules: tuple[Module, ...]
    targets_known: bool
    origin: Origin
    from_binaries: bool = False
    """WebSphere uses the descriptors in the EAR, which lintmdb does not read, so the beans are unknown."""
    auto_start: Setting | None = None
    """Liberty: whether the application starts with its server; None for an application of another product."""
    whole: bool = False
    """Liberty: every descriptor in its file was read, and it has every bean that server.xml names."""


@dataclass(frozen=True, slots=True)
class Node:
    """A node: its version, its operating system and its servers."""

    name: str
    version: Setting | None = None
    """``com.ibm.websphere.baseProductVersion``, such as 9.0.5.14."""
    operating_system: Setting | None = None
    servers: Mapping[str, str] = field(default_factory=dict[str, str])
    """Server name to server type (APPLICATION_SERVER, NODE_AGENT ...), from serverindex.xml."""
    deployed: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """Server name to the names of the applications deployed on it, from serverindex.xml."""
    has_index: bool = False


@dataclass(frozen=True, slots=True)
class Cluster:
    """A cluster, from cluster.xml; ``members`` has (node, server) of each."""

    name: str
    members: tuple[tuple[str, str], ...]
    origin: Origin


@dataclass(slots=True)
class CellConfig:
    """Everything read from one cell, or from loose files outside any cell (``name`` is None)."""

    root: str
    """The shown path of the cell's folder (``backup.zip!/cells/C1``), or of the first loose file."""
    name: str | None
    rooted: bool
    """The files come from a ``cells/CELL`` tree, so their paths give their scopes."""
    listed: bool = False
    """Made up of listings of objects, one by one, and not of the files of a repository."""
    kind: Runtime = "traditional"
    """A Liberty server is a cell of its own."""
    environment: str | None = None
    """As the user names it; a cell of another environment is another cell."""
    missing_includes: list[str] = field(default_factory=list[str])
    """Liberty: the locations that server.xml includes and that were not given."""
    installed: dict[str, str] = field(default_factory=dict[str, str])
    """Liberty: the applications that server.xml installs: the name of the file, without its suffix, to their own."""
    bindings: dict[str, list[ModuleBindings]] = field(default_factory=dict[str, list[ModuleBindings]])
    """Liberty: what server.xml binds in the modules of an application, by its name."""
    automatic: dict[str, Setting] = field(default_factory=dict[str, Setting])
    """Liberty: ``autoStart`` of each of these applications, by its name."""
    files: set[str] = field(default_factory=set[str])
    """The paths, relative to the cell, of all files that were read. They decide whether the export is complete."""
    unreadable: set[str] = field(default_factory=set[str])
    """The paths, relative to the cell, of the files that could not be read."""
    nodes: dict[str, Node] = field(default_factory=dict[str, Node])
    clusters: dict[str, Cluster] = field(default_factory=dict[str, Cluster])
    servers: list[ServerConfig] = field(default_factory=list[ServerConfig])
    activation_specs: list[ActivationSpec] = field(default_factory=list[ActivationSpec])
    destinations: list[JmsDestination] = field(default_factory=list[JmsDestination])
    connection_factories: list[ConnectionFactory] = field(default_factory=list[ConnectionFactory])
    bus_destinations: list[BusDestination] = field(default_factory=list[BusDestination])
    engines: list[MessagingEngine] = field(default_factory=list[MessagingEngine])
    buses: set[str] = field(default_factory=set[str])
    """The buses whose sib-destinations.xml was read."""
    variables: dict[Scope, dict[str, Setting]] = field(default_factory=dict[Scope, dict[str, Setting]])
    name_bindings: list[NameBinding] = field(default_factory=list[NameBinding])
    aliases: dict[str, Setting] = field(default_factory=dict[str, Setting])
    """J2C alias to user name. lintmdb never reads passwords."""
    applications: list[Application] = field(default_factory=list[Application])
    problems: list[Problem] = field(default_factory=list[Problem])
    deleted: Mapping[tuple[DeletedKind, Scope, str], ChangeOrigin] = field(
        default_factory=dict[tuple[DeletedKind, Scope, str], ChangeOrigin]
    )
    """What a change takes away, each with where the change says so: listener ports by name, bus destinations by bus and
    name (``BUS/NAME``), the others by JNDI name.
    """

    def deleted_of(self, kind: DeletedKind) -> dict[tuple[Scope, str], ChangeOrigin]:
        """What a change takes away of one kind of objects."""
        return {(scope, name): place for (known, scope, name), place in self.deleted.items() if known == kind}
