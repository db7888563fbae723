"""Listener ports and activation specifications to the columns of ``endpoint``, as one server sees them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeVar
from urllib.parse import unquote

from lintmdb.exports.liberty import SPECIFICATION
from lintmdb.exports.mq.client_table import ClientTable
from lintmdb.exports.was.objects import (
    NOT_TOLD,
    ActivationSpec,
    BusDestination,
    CellConfig,
    ConnectionFactory,
    JmsDestination,
    ListenerPort,
    MessageDrivenBean,
    Scope,
    ServerConfig,
)
from lintmdb.exports.was.resources import ALWAYS_PACKED
from lintmdb.model.origins import ChangeOrigin, Origin, Setting, behind, overridable
from lintmdb.model.relations import Problem
from lintmdb.resolve.observations import EndpointObservation, Observations
from lintmdb.resolve.was import liberty
from lintmdb.resolve.was.bus import bus_names, consumed_destination, destination_id, find_target
from lintmdb.resolve.was.client_tables import channel_of, find_table, member_of
from lintmdb.resolve.was.columns import LONGEST_MS, Columns
from lintmdb.resolve.was.hidden_definitions import tell_hidden
from lintmdb.resolve.was.lookup import (
    CONTEXTS,
    JndiIndex,
    NameBindings,
    Variables,
    missing_files,
    sees_all_resources,
)
from lintmdb.resolve.was.topology import containment_path

_NO_TIMEOUT = 0
_DEFAULT_TOPIC_SPACE = "Default.Topic.Space"
_MISNAMED = "NON.ASF.RECEIVE.TIMEOUT"
_NOT_OF_BEANS = frozenset({*ALWAYS_PACKED, _MISNAMED})
"""What a bean's activation-config does not take over from its activation specification. Every property of the adapter's
class it does ("J2C activation specification configuration options and precedence"); these are none: the server reads
them of the specification.
"""
_NOT_OF_LIBERTY_BEANS = _NOT_OF_BEANS.difference(SPECIFICATION)
"""On Liberty the bean's value of every property of the specification is asked for first (BootstrapContextImpl)."""
_CONNECTION = frozenset({"queueManager", "channel", "transportType", "providerVersion", "ccdtURL"})
"""Properties of an activation specification that a connection factory replaces."""
_MESSAGING = {"wmq": "MQ", "sib": "bus"}
_SPELLINGS = {"autoStopSequentialMessageFailure": "AutoStopSequentialMessageFailure"}
_POOL_DEFAULT = 10
_START_TIMEOUT_DEFAULT_MS = 10_000
_RECONNECTIONS_DEFAULT = 5
_RECONNECTION_INTERVAL_DEFAULT_MS = 300_000
_SECURITY = "security.xml"


_HidingT = TypeVar("_HidingT", ActivationSpec, ConnectionFactory, JmsDestination)


class EndpointResolver:
    """Resolves the endpoints of one cell."""

    def __init__(self, cell: CellConfig, variables: Variables, problems: list[Problem], observed: Observations) -> None:
        self._cell = cell
        self._variables = variables
        self._problems = problems
        self._observed = observed
        self._destinations = JndiIndex(_named_destinations(cell), rooted=cell.rooted)
        self._factories = JndiIndex(
            ((each, each.settings) for each in cell.connection_factories),
            rooted=cell.rooted,
            deleted=cell.deleted_of("factory"),
        )
        self._specs = JndiIndex(
            ((spec, spec.attributes) for spec in cell.activation_specs),
            rooted=cell.rooted,
            deleted=cell.deleted_of("activation_spec"),
        )
        self._bus_names = bus_names(cell)
        self._names = NameBindings(cell)

    def activation_spec(self, jndi: str, place: Scope) -> ActivationSpec | None:
        """The activation specification that a JNDI name means at a place."""
        return self._find(self._specs, jndi, place)

    def find_specification_change(self, jndi: str, place: Scope) -> ChangeOrigin | None:
        """The change because of which a JNDI name means another activation specification at a place, or none."""
        return self._specs.find_change(jndi, place)

    def _find(self, index: JndiIndex[_HidingT], jndi: str, place: Scope) -> _HidingT | None:
        """The resource that a JNDI name means at a place, with a Problem for each other one that it hides there."""
        found = self._names.find(index, jndi, place)
        if found is not None:
            for hidden in index.hidden(jndi, place):
                self._problems.extend(tell_hidden(self._cell.name, jndi, found, hidden))
        return found

    def is_bound(self, jndi: str) -> bool:
        """Whether the name space holds a JNDI name that no resource defines, whatever it leads to."""
        return jndi in self._names

    def listener_port(self, port: ListenerPort, server: ServerConfig, place: Scope) -> Columns:
        """The columns of a listener port on its server."""
        columns = self._columns(f"listener port {port.name}", port.origin, place)
        settings = port.settings
        columns.put("kind", "listener_port")
        columns.put("runtime", self._cell.kind)
        columns.integer("failure_threshold", settings, "maxRetries", default=0)
        columns.integer("max_sessions", settings, "maxSessions", default=1, low=1)
        columns.integer("max_batch", settings, "maxMessages", default=1, low=1)
        columns.integer(
            "non_asf_timeout_ms", server.listener_properties, "NON.ASF.RECEIVE.TIMEOUT", default=_NO_TIMEOUT
        )
        columns.boolean(
            "non_asf_bmt_rollback_enabled",
            server.listener_properties,
            "NON.ASF.BMT.ROLLBACK.ENABLED",
            default=False,
        )
        _initial_state(columns, settings.get("initialState"), {"START": "started", "STOP": "stopped"}, "initialState")
        _session_pool_properties(columns, server.listener_properties, port.name)
        factory = self._factory(columns, settings.get("connectionFactoryJNDIName"), place)
        destination = self._destination(columns, settings.get("destinationJNDIName"), place)
        named = factory or destination
        with columns.behind("factory_path", "destination_jndi"):
            columns.put("provider", named.provider if named is not None else None)
        if factory is not None:
            with columns.behind("factory_path"):
                self._port_factory(columns, factory)
        if destination is not None:
            with columns.behind("destination_jndi"):
                columns.put("destination_type", destination.type, destination.origin)
            if destination.type == "topic" and factory is not None:
                # The listener makes up the name of a bean's subscription; the client id comes from the factory.
                with columns.behind("factory_path", "destination_jndi"):
                    _lacking(columns, factory.settings, {"clientID": "client id"}, factory.origin)
                    columns.boolean("subscription_shared", factory.settings, "cloneSupport", default=False)
        with columns.behind("destination_jndi", "factory_path"):
            _compare(columns, factory.provider if factory else None, None, destination)
        self._mq_queue(columns, destination, factory.settings if factory else {})
        self._apply_observation(columns, port.name, place)
        return columns

    def _port_factory(self, columns: Columns, factory: ConnectionFactory) -> None:
        """The columns of a listener port that its connection factory decides."""
        _connection(columns, factory.settings, transport_default="BINDINGS")
        if factory.provider != "sib":
            _pool_max(columns, "session_pool_max", factory, factory.session_pool, "session pool")
            _pool_max(columns, "connection_pool_max", factory, factory.connection_pool, "connection pool")
            columns.boolean("fail_if_quiesce", factory.settings, "failIfQuiesce", default=True)
            columns.boolean("message_retention", factory.settings, "msgRetention", default=True)
            columns.boolean("xa_enabled", factory.settings, "XAEnabled", default=True)
        columns.put("factory_path", self._path(factory.scope, factory.parent, f"{factory.type}:{factory.name}"))
        # The listener connects as the container does; the factory's own alias is for applications that ask by code.
        alias = factory.settings.get("containerAuthDataAlias")
        self._user(columns, alias)
        # What an alias for components means for a listener port is not documented, and a login may be anybody's own.
        login = _written(factory.settings.get("mappingConfigAlias"))
        clear = login is None or login.value.strip() == "DefaultPrincipalMapping"
        clear = clear and _written(factory.settings.get("authDataAlias")) is None and not _has_exit(factory.settings)
        _password(columns, (alias,), factory.origin if clear else None, "containerAuthDataAlias")
        self._channel_of_table(columns, factory.settings)

    def spec(self, spec: ActivationSpec, place: Scope, bean: MessageDrivenBean | None) -> Columns:
        """The columns of an activation specification as a bean at a place uses it (None: as it stands)."""
        columns = self._columns(f"activation specification {spec.name}", spec.origin, place)
        settings: Mapping[str, Setting] = spec.settings
        if bean is not None and bean.activation_config:
            named = {_SPELLINGS.get(k, k): v for k, v in bean.activation_config.items()}
            kept = _NOT_OF_LIBERTY_BEANS if self._cell.kind == "liberty" else _NOT_OF_BEANS
            settings = {**settings, **{k: v for k, v in named.items() if k not in kept}}
        columns.put("kind", "activation_spec")
        columns.put("runtime", self._cell.kind)
        columns.put("provider", spec.provider)
        jndi = spec.attributes.get("jndiName")
        if self._cell.kind == "liberty":
            liberty.initial_state(columns, spec)
            columns.put("config_path", f"properties.{spec.adapter_name}" if spec.adapter_name else None)
        else:
            path = self._path(spec.scope, f"J2CResourceAdapter:{spec.adapter_name}", f"J2CActivationSpec:{spec.name}")
            columns.put("config_path", path)
        columns.put("jndi_name", jndi.value if jndi else None, jndi.origin if jndi else None)
        name = jndi.value.strip() if jndi else ""
        # Without a bean another one may have taken its bean away.
        change = self._specs.find_change(name, place) if bean else self._specs.find_change_anywhere(name)
        if change is not None:
            columns.origins[behind("jndi_name")] = change
        if spec.provider == "sib":
            self._bus_spec(columns, spec, settings, bean, place)
        else:
            self._mq_spec(columns, spec, settings, bean, place)
        self._apply_observation(columns, spec.name, place)
        return columns

    def _columns(self, owner: str, origin: Origin, place: Scope) -> Columns:
        columns = Columns(owner, origin, place, self._variables, self._problems, self._cell.name)
        columns.origins["name"] = origin
        if self._cell.kind == "liberty":
            columns.product = liberty.PRODUCT
            files = missing_files(self._cell, place)
            if files:  # any value that no file here says may stand there
                columns.put("missing_files", files)
        return columns

    def _mq_spec(
        self,
        columns: Columns,
        spec: ActivationSpec,
        settings: Mapping[str, Setting],
        bean: MessageDrivenBean | None,
        place: Scope,
    ) -> None:
        binding = bean.binding if bean else None
        if spec.provider == "wmq":
            self._stop(columns, spec, settings)
            columns.integer("max_sessions", settings, "maxPoolDepth", default=10, low=1)
            columns.integer("non_asf_timeout_ms", settings, "nonASFTimeout", default=_NO_TIMEOUT)
            # IBM's documents and its own template disagree on this default, so an absent value stays unknown.
            columns.boolean("non_asf_rollback_enabled", settings, "nonASFRollbackEnabled", default=None)
            columns.integer("start_timeout_ms", settings, "startTimeout", default=_START_TIMEOUT_DEFAULT_MS)
            _reconnection(columns, spec.adapter)
            connections = liberty.CONNECTIONS if self._cell.kind == "liberty" else None
            columns.integer("adapter_connections_max", spec.adapter, "maxConnections", default=connections, low=1)
            _specification_switches(columns, settings)
            misnamed = settings.get(_MISNAMED)
            present = misnamed is not None and bool(misnamed.value.strip())
            columns.put("misnamed_non_asf_timeout", present, misnamed.origin if misnamed and present else None)
            settings = self._looked_up_connection(columns, settings, place)
        elif self._cell.kind == "liberty" and spec.provider == "generic":
            columns.put("non_asf_timeout_ms", _NO_TIMEOUT)  # only IBM MQ's adapter receives that way
        looked_up, own = _written(settings.get("destinationLookup")), settings.get("destination")
        # What is looked up is preferred to everything else; the destination that the deployer bound wins over the
        # activation specification's own. On Liberty it wins over what is looked up, too (MDBRuntimeImpl).
        bound = _written(binding.destination if binding else None)
        if bound is not None and self._cell.kind == "liberty":
            looked_up = None
        named = looked_up or bound or own
        use_jndi = columns.text(settings, "useJNDI")
        direct = named is own and use_jndi is not None and use_jndi.strip().lower() == "false"
        destination = None
        if not direct:
            probing = named is own and use_jndi is None
            destination = self._destination(columns, named, place, report=not probing)
            direct = probing and destination is None and named is not None and "/" not in named.value.replace("://", "")
            direct = direct and not _is_untold(settings.get("useJNDI"))
        stated = None if looked_up else settings.get("destinationType")
        if self._may_be_overridden(columns, bean, named, spec):
            stated = destination = None
            direct = False
        with columns.behind("destination_jndi"):
            _destination_type(columns, stated, destination)
            _compare(columns, spec.provider, stated, destination, direct=direct)
        if spec.provider == "wmq":
            if columns.values.get("destination_type") == "topic":
                _mq_subscription(columns, settings)
            self._channel_of_table(columns, settings)
            self._mq_queue(columns, destination, settings, named if direct else None)
            alias = binding.auth_alias if binding and binding.auth_alias else spec.attributes.get("authenticationAlias")
            self._user(columns, alias, settings.get("userName"))
            factory = _written(spec.settings.get("connectionFactoryLookup"))  # which may have a user, or an exit
            clear = bean is not None and not (bean.only_bound or _has_exit(settings) or factory)
            unset = "authDataRef" if self._cell.kind == "liberty" else "authenticationAlias"
            _password(columns, (alias, settings.get("userName")), spec.origin if clear else None, unset)

    def _may_be_overridden(
        self, columns: Columns, bean: MessageDrivenBean | None, named: Setting | None, spec: ActivationSpec
    ) -> bool:
        """Whether a bean of which only the binding was read may name another destination than its specification does,
        which the binding does not. Notes it as what leaves the destination unclear.
        """
        if bean is None or not bean.only_bound:
            return False
        own = spec.attributes.get("destinationJndiName") if spec.provider == "sib" else spec.settings.get("destination")
        if named is not None and named is not own:
            return False
        place = named.origin if named is not None else spec.origin._replace(text="destination not set")
        columns.origins[overridable("destination_jndi")] = place
        return True

    def _stop(self, columns: Columns, spec: ActivationSpec, settings: Mapping[str, Setting]) -> None:
        """What failed deliveries do to an activation specification of IBM MQ, and whether it starts with its server."""
        if self._cell.kind == "liberty":
            liberty.pause(columns, spec, settings)
            return
        columns.boolean("stop_on_failure", settings, "was_stopEndpointIfDeliveryFails", default=True)
        columns.integer("failure_threshold", settings, "was_failureDeliveryCount", default=0)
        columns.put("failure_limit_ignored", False)
        states = {"ACTIVE": "started", "INACTIVE": "stopped"}
        _initial_state(columns, settings.get("WAS_EndpointInitialState"), states, "WAS_EndpointInitialState")

    def _looked_up_connection(
        self, columns: Columns, settings: Mapping[str, Setting], place: Scope
    ) -> Mapping[str, Setting]:
        """Settings of an IBM MQ specification, with the connection of connectionFactoryLookup if it has one."""
        lookup = _written(settings.get("connectionFactoryLookup"))
        if lookup is None:
            _connection(columns, settings, transport_default="CLIENT")
            if "channel" not in columns.values and not settings.get("ccdtURL"):
                columns.default("channel", "channel", "SYSTEM.DEF.SVRCONN")
            return settings
        factory = self._factory(columns, lookup, place)
        others = {name: setting for name, setting in settings.items() if name not in _CONNECTION}
        if factory is None or factory.provider != "wmq":
            return others
        with columns.behind("factory_path"):
            _connection(columns, factory.settings, transport_default="BINDINGS")
        return others | {name: setting for name, setting in factory.settings.items() if name in _CONNECTION}

    def _bus_spec(
        self,
        columns: Columns,
        spec: ActivationSpec,
        settings: Mapping[str, Setting],
        bean: MessageDrivenBean | None,
        place: Scope,
    ) -> None:
        binding = bean.binding if bean else None
        sessions = liberty.CONCURRENCY if self._cell.kind == "liberty" else _POOL_DEFAULT
        columns.integer("max_sessions", settings, "maxConcurrency", default=sessions, low=1)
        columns.integer("max_batch", settings, "maxBatchSize", default=1, low=1)
        columns.integer("sequential_failure_threshold", settings, "AutoStopSequentialMessageFailure", default=0)
        columns.integer("failing_message_delay_ms", settings, "failingMessageDelay", default=0)
        columns.put("non_asf_timeout_ms", 0)
        looked_up, bound = _written(settings.get("destinationLookup")), binding.destination if binding else None
        own = spec.attributes.get("destinationJndiName")
        if self._cell.kind == "liberty":  # where a bean may name it in its activation-config
            looked_up, own = None if _written(bound) else looked_up, settings.get("destination", own)
        named = looked_up or _written(bound) or own
        destination = self._destination(columns, named, place)
        stated = None if looked_up else settings.get("destinationType")
        if self._may_be_overridden(columns, bean, named, spec):
            stated = destination = None
        with columns.behind("destination_jndi"):
            _destination_type(columns, stated, destination)
            _compare(columns, spec.provider, stated, destination)
        if columns.values.get("destination_type") == "topic":
            _bus_subscription(columns, settings)
        if destination is None or destination.provider != "sib":
            return
        factory = self._factory(columns, _written(settings.get("connectionFactoryLookup")), place)
        said = settings.get("busName") if factory is None else factory.settings.get("BusName")
        if _is_untold(said):
            return
        own_bus = columns.expand(said, place) if said is not None else None
        with columns.behind("destination_jndi", "factory_path"):
            self._bus_destination(columns, destination, own_bus)

    def _bus_destination(self, columns: Columns, destination: JmsDestination, bus_name: str | None) -> None:
        if destination.type == "topic":
            name = columns.text(destination.settings, "TopicSpace") or _DEFAULT_TOPIC_SPACE
        else:
            name = columns.text(destination.settings, "QueueName")
        bus = columns.text(destination.settings, "BusName") or bus_name
        if name and not bus:
            # Without a bus name the destination is on the bus that the application's server is a member of.
            candidates = {candidate for candidate, identifier in self._bus_names if identifier == name}
            bus = candidates.pop() if len(candidates) == 1 else None
        if name and bus:
            read = consumed_destination(self._bus_names, bus, name)
            change = _changed(destination.settings, ("QueueName", "TopicSpace", "BusName")) or columns.led_by
            columns.put("destination_id", destination_id(self._cell, *read), destination.origin)
            if change is not None:
                columns.origins[behind("destination_id")] = change
            written = self._bus_names.get((bus, name))
            if written is None and bus in self._cell.buses:
                change = change or self._cell.deleted_of("bus_destination").get((Scope(), f"{bus}/{name}"))
                columns.unresolved(f"the bus destination {name}", destination.origin, changed_at=change)
            elif written is not None and find_target(self._bus_names, bus, name) is None:
                self._dangling_alias(columns, written)

    def _dangling_alias(self, columns: Columns, alias: BusDestination) -> None:
        """Say that an alias leads nowhere, where the destinations of each bus that it may lead to were read."""
        bus = alias.settings.get("targetBus")
        if _is_untold(alias.settings.get("targetIdentifier")):
            return
        if bus is None or bus.value in ("", alias.bus) or bus.value in self._cell.buses:
            columns.unresolved(f"the target of the alias destination {alias.identifier}", alias.origin)

    def _path(self, scope: Scope, parent: str, own: str) -> str:
        """The containment path of an object; its name alone where the files do not tell the scope."""
        if not self._cell.rooted or scope.application:
            return f"/{own}/"
        if scope == Scope():
            return containment_path(scope, f"Cell:{self._cell.name or ''}", parent, own)
        return containment_path(scope, parent, own)

    def _factory(self, columns: Columns, setting: Setting | None, place: Scope) -> ConnectionFactory | None:
        name = self._jndi(columns, setting, place)
        if name is None or setting is None:
            return None
        factory = self._find(self._factories, name, place)
        if factory is None and name not in self._names:
            self._miss(columns, place, setting, self._factories, ("the connection factory", name))
        change = self._change_behind(setting, self._factories, name, place)
        if change is not None:
            columns.origins[behind("factory_path")] = change
        return factory

    def _change_behind(
        self, setting: Setting, index: JndiIndex[_HidingT], name: str, place: Scope
    ) -> ChangeOrigin | None:
        """The change because of which a setting leads to another object by its name, or to none."""
        if isinstance(setting.origin, ChangeOrigin):
            return setting.origin
        return self._variables.find_change(setting, place) or index.find_change(name, place)

    def _destination(
        self, columns: Columns, setting: Setting | None, place: Scope, *, report: bool = True
    ) -> JmsDestination | None:
        name = self._jndi(columns, setting, place)
        columns.put("destination_jndi", name, setting.origin if setting else None)
        if name is None or setting is None:
            return None
        change = self._change_behind(setting, self._destinations, name, place)
        if change is not None:
            columns.origins[behind("destination_jndi")] = change
        destination = self._find(self._destinations, name, place)
        if destination is None and name not in self._names:
            self._miss(columns, place, setting, self._destinations, ("the destination", name) if report else None)
        elif destination is None and name.startswith(CONTEXTS):
            self._miss(columns, place, setting, self._destinations, None)
        return destination

    def _miss(
        self, columns: Columns, place: Scope, setting: Setting, index: JndiIndex[_HidingT], told: tuple[str, str] | None
    ) -> None:
        """A name leads nowhere: say so where all that could define it was read, and else which files were not. ``told``
        is what it is and the name; None where nothing is to be said.
        """
        columns.put("missing_files", missing_files(self._cell, place))
        if told is not None and sees_all_resources(self._cell, place):
            what, name = told
            near, unseen, change = index.find_near(name, place), index.scopes(name), index.find_change(name, place)
            columns.unresolved(f"{what} {name}", setting.origin, near, unseen, change)

    def _jndi(self, columns: Columns, setting: Setting | None, place: Scope) -> str | None:
        if setting is None or not setting.value.strip():
            return None
        text = columns.expand(setting, place)
        return text.strip() if text else None

    def _mq_queue(
        self,
        columns: Columns,
        destination: JmsDestination | None,
        connection: Mapping[str, Setting],
        direct: Setting | None = None,
    ) -> None:
        """Queue and queue manager: the connection's; where it names none the one that the destination names."""
        named: Setting | None = None
        if columns.values.get("destination_type") != "mismatch":
            with columns.behind("destination_jndi"):
                named = _queue_or_topic(columns, destination, direct)
        for setting, column in (
            (named, "destination_jndi"),
            (self._group_member(columns, connection), "factory_path"),
        ):
            text = columns.expand(setting, columns.scope) if setting else ""
            name = self._own_name((text or "").strip())
            if setting is not None:
                columns.lack("queue_manager", setting)
                if setting is named and _is_untold(setting):
                    columns.put("other_queue_manager", None)
                if text is None and "queue_manager" not in columns.values:
                    columns.put("queue_manager", None, setting.origin)
            # An asterisk names a group of queue managers: which one answers is not in the configuration.
            if setting is not None and name and not name.startswith("*"):
                with columns.behind(column):
                    columns.put("queue_manager", name, setting.origin)
                    if setting is named:
                        columns.put("other_queue_manager", name, setting.origin)

    def _client_table(self, columns: Columns, connection: Mapping[str, Setting]) -> ClientTable | None:
        """The table at the URL of a connection, if it was read."""
        url = connection.get("ccdtURL") or connection.get("ccdtUrl")
        text = (columns.expand(url, columns.scope) or "").strip() if url is not None else ""
        return find_table(self._observed.client_tables, text) if text else None

    def _channel_of_table(self, columns: Columns, connection: Mapping[str, Setting]) -> None:
        """The channel that a table has for the queue manager of a connection, which names none itself then."""
        table = self._client_table(columns, connection)
        if table is None or "channel" in columns.values:
            return
        manager = connection.get("queueManager")
        name = columns.expand(manager, columns.scope) if manager is not None else ""
        channel = channel_of(table, name.strip()) if name is not None else None
        if channel is not None:
            columns.put("channel", *channel)

    def _group_member(self, columns: Columns, connection: Mapping[str, Setting]) -> Setting | None:
        """The queue manager of a connection; of a group the one that a table leads to, unless the user has said it."""
        manager = connection.get("queueManager")
        name = (columns.expand(manager, columns.scope) or "").strip() if manager is not None else ""
        table = self._client_table(columns, connection)
        if table is None or not name.startswith("*") or name in self._observed.queue_managers:
            return manager
        return member_of(table, name) or manager

    def _user(self, columns: Columns, alias: Setting | None, user_name: Setting | None = None) -> None:
        if _is_untold(alias):
            user_name = alias
        name = (columns.expand(alias, columns.scope) or "").strip() if alias is not None else ""
        if name:
            user = self._cell.aliases.get(name)
            if user is None and alias is not None:
                columns.put("user_alias", name, alias.origin)
            elif user is not None and user.value.strip():
                columns.put("user", user.value.strip(), user.origin)
                if alias is not None and isinstance(alias.origin, ChangeOrigin):
                    columns.origins[behind("user")] = alias.origin
        elif user_name is not None and user_name.value.strip():
            columns.put("user", columns.expand(user_name, columns.scope), user_name.origin)
        columns.put("user_observed", False)

    def _apply_observation(self, columns: Columns, name: str, place: Scope) -> None:
        observed: EndpointObservation | None = self._observed.endpoint(name, place.server, place.cluster)
        if observed is not None and observed.queue_manager is not None:
            columns.put("queue_manager", self._own_name(observed.queue_manager), observed.origin)
        known = observed
        if (observed is None or observed.user is None) and columns.values.get("user") is None:
            known = self._user_at(columns) if "user_observed" in columns.values else None
        if known is not None and known.user is not None:
            columns.put("user", known.user, known.origin)
            columns.put("user_observed", True)
            columns.put("user_alias", None)
        elif columns.values.get("user_alias") and _SECURITY in self._cell.files:
            self._undefined_alias(columns)
        if columns.values.get("other_queue_manager", "") in ("", columns.values.get("queue_manager")):
            columns.put("other_queue_manager", "")

    def _user_at(self, columns: Columns) -> EndpointObservation | None:
        manager = columns.values.get("queue_manager")
        return self._observed.user_at(manager if isinstance(manager, str) else None, self._cell.environment)

    def _undefined_alias(self, columns: Columns) -> None:
        """Say that security.xml lacks an alias. A security domain may define it, so no rule judges this."""
        name, place = columns.values["user_alias"], columns.origins["user_alias"]
        self._problems.append(
            Problem(
                kind="undefined_alias",
                path=place.path,
                line=place.line,
                column=place.column,
                text=f"the J2C alias {name} of {columns.owner} is not defined in security.xml",
                next_step="Define it or correct the name. If a security domain defines it, name the user with"
                " --observations FILE",
                cell=self._cell.name,
                object=f"{columns.owner} alias {name}",
            )
        )

    def _own_name(self, queue_manager: str) -> str:
        """The name that a queue manager has itself, where the configuration says that clients use another."""
        return self._observed.queue_managers.get(queue_manager, queue_manager)


def _named_destinations(cell: CellConfig) -> Iterator[tuple[JmsDestination, Mapping[str, Setting]]]:
    """The destinations of a cell, each with the settings that have its JNDI name. A bean on Liberty may name one by its
    id as well, which wins over the JNDI name of another one (Open Liberty, MDBRuntimeImpl).
    """
    if cell.kind == "liberty":
        yield from ((each, {"jndiName": Setting(each.name, each.origin)}) for each in cell.destinations)
    yield from ((each, each.settings) for each in cell.destinations)


def _queue_or_topic(columns: Columns, destination: JmsDestination | None, direct: Setting | None) -> Setting | None:
    """Set what is read: the queue or topic of a destination of IBM MQ, or the one that a name says itself; and the
    queue manager that either names.
    """
    if destination is not None and destination.provider == "wmq" and destination.type == "queue":
        queue = destination.settings.get("baseQueueName")
        columns.put("queue", columns.text(destination.settings, "baseQueueName"), queue.origin if queue else None)
        return _written(destination.settings.get("baseQueueManagerName"))
    if destination is not None and destination.provider == "wmq":
        topic = destination.settings.get("baseTopicName")
        if topic is not None:
            columns.put("topic", _topic_string(columns.expand(topic, columns.scope)), topic.origin)
    elif direct is not None and columns.values.get("destination_type") == "topic":
        columns.put("topic", _topic_string(columns.expand(direct, columns.scope)), direct.origin)
    elif direct is not None:
        host, name = _queue_uri((columns.expand(direct, columns.scope) or "").strip())
        columns.put("queue", name or None, direct.origin)
        return Setting(host, direct.origin) if host else None
    return None


def _changed(settings: Mapping[str, Setting], names: Iterable[str]) -> ChangeOrigin | None:
    """The change of the first of some settings that one has changed."""
    origins = (settings[name].origin for name in names if name in settings)
    return next((origin for origin in origins if isinstance(origin, ChangeOrigin)), None)


def _initial_state(columns: Columns, setting: Setting | None, words: Mapping[str, str], name: str) -> None:
    if setting is None or not setting.value.strip():
        columns.default("initial_state", name, "started")
        return
    text = columns.expand(setting, columns.scope)
    columns.put("initial_state", words.get(text.strip().upper()) if text else None, setting.origin)


def _session_pool_properties(columns: Columns, properties: Mapping[str, Setting], port: str) -> None:
    own = f"SERVER.SESSION.POOL.UNUSED.TIMEOUT.{port}"
    names = sorted(
        name
        for name in properties
        if name.startswith("SERVER.SESSION.POOL.REAP") or name in ("SERVER.SESSION.POOL.UNUSED.TIMEOUT", own)
    )
    columns.put("session_pool_properties", len(names), properties[names[0]].origin if names else None)


def _pool_max(
    columns: Columns, column: str, factory: ConnectionFactory, pool: Mapping[str, Setting], name: str
) -> None:
    """The maximum of a pool of a connection factory."""
    setting = pool.get("maxConnections")
    if setting is not None and setting.value.strip():
        columns.integer(column, pool, "maxConnections", default=None)
        return
    text = f"maxConnections of the {name} not set: {_POOL_DEFAULT} is WebSphere's default"
    columns.put(column, _POOL_DEFAULT, factory.origin._replace(text=text, default=True))


def _lacking(columns: Columns, settings: Mapping[str, Setting], needed: Mapping[str, str], owner: Origin) -> None:
    """The first of the settings, by name and words, that a durable subscription needs and does not have."""
    for name, words in needed.items():
        text = columns.text(settings, name) if name in settings else ""
        if text is None:
            columns.put("subscription_lacks", None, settings[name].origin)
            return
        if not text.strip():
            columns.put("subscription_lacks", words, owner._replace(text=f"{name} not set", default=True))
            return
    columns.put("subscription_lacks", "nothing")


def _specification_switches(columns: Columns, settings: Mapping[str, Setting]) -> None:
    """What an activation specification of IBM MQ does with unmatched messages, and while the queue manager stops."""
    retention = settings.get("messageRetention")
    text = (columns.expand(retention, columns.scope) or "").strip().upper() if retention is not None else "YES"
    keeps = {"YES": True, "TRUE": True, "NO": False, "FALSE": False}.get(text)
    columns.put("message_retention", keeps, retention.origin if retention is not None else None)
    selector = settings.get("messageSelector")
    selects = None if _is_untold(selector) else selector is not None and bool(selector.value.strip())
    columns.put("selects", selects, selector.origin if selector else None)
    columns.boolean("fail_if_quiesce", settings, "failIfQuiesce", default=True)


def _mq_subscription(columns: Columns, settings: Mapping[str, Setting]) -> None:
    """What an activation specification of IBM MQ says of its durable subscription."""
    _durability(columns, settings.get("subscriptionDurability"))
    columns.boolean("subscription_shared", settings, "sharedSubscription", default=False)
    needed = {"subscriptionName": "subscription name", "clientId": "client id"}
    if columns.values.get("subscription_shared"):
        del needed["clientId"]  # JMS 2.0 has shared subscriptions without a client id
    _lacking(columns, settings, needed, columns.definition)
    clones = settings.get("cloneSupport")
    if clones is not None and clones.value.strip().upper() == "ENABLED":
        columns.put("subscription_shared", True, clones.origin)
    elif _is_untold(clones) and not columns.values.get("subscription_shared"):
        columns.put("subscription_shared", None)


def _bus_subscription(columns: Columns, settings: Mapping[str, Setting]) -> None:
    """What an activation specification of the bus says of its durable subscription."""
    _durability(columns, settings.get("subscriptionDurability"))
    needed = {"subscriptionName": "subscription name", "clientId": "client id"}
    _lacking(columns, settings, needed, columns.definition)
    shared = settings.get("shareDurableSubscriptions")
    if shared is None or not shared.value.strip():
        columns.default("subscription_shared", "shareDurableSubscriptions", True)
        return
    text = (columns.expand(shared, columns.scope) or "").strip().lower()
    kinds = {"incluster": True, "ascluster": True, "alwaysshared": True, "nevershared": False}
    columns.put("subscription_shared", kinds.get(text), shared.origin)


def _reconnection(columns: Columns, adapter: Mapping[str, Setting]) -> None:
    """How long the resource adapter tries to get a lost connection back."""
    columns.integer("reconnection_retries", adapter, "reconnectionRetryCount", default=_RECONNECTIONS_DEFAULT)
    columns.integer(
        "reconnection_interval_ms", adapter, "reconnectionRetryInterval", default=_RECONNECTION_INTERVAL_DEFAULT_MS
    )
    retries, interval = columns.number("reconnection_retries"), columns.number("reconnection_interval_ms")
    if retries is not None and interval is not None:
        columns.put("reconnection_ms", min(retries * interval, LONGEST_MS), columns.origins["reconnection_interval_ms"])


def _connection(columns: Columns, settings: Mapping[str, Setting], *, transport_default: str) -> None:
    setting = settings.get("transportType")
    text = (columns.expand(setting, columns.scope) or "").strip() if setting is not None else transport_default
    kinds = {"CLIENT": "client", "BINDINGS": "bindings", "BINDINGS_THEN_CLIENT": "bindings_then_client"}
    columns.put("transport", kinds.get(text.upper()), setting.origin if setting else None)
    channel = settings.get("channel")
    if channel is not None and channel.value.strip():
        columns.put("channel", columns.expand(channel, columns.scope), channel.origin)
    version = settings.get("providerVersion")
    text = columns.expand(version, columns.scope) if version is not None else ""
    text = "unknown" if text is None else text.strip()
    if text.lower() in ("", "unspecified") or text[:1].isdigit():
        # Left open, the client settles on version 6 only where the channel lets it share nothing (SHARECNV(0)).
        columns.put("migration_mode", text.split(".")[0] == "6", version.origin if version is not None else None)


def _durability(columns: Columns, setting: Setting | None) -> None:
    if setting is None or not setting.value.strip():
        columns.default("subscription_durable", "subscriptionDurability", False)
        return
    columns.put("subscription_durable", parse_durability(columns.expand(setting, columns.scope)), setting.origin)


def parse_durability(text: str | None) -> bool | None:
    """Whether ``Durable`` is said; None for what is neither that nor ``NonDurable``."""
    return {"durable": True, "nondurable": False}.get((text or "").strip().lower())


def _destination_type(columns: Columns, setting: Setting | None, destination: JmsDestination | None) -> None:
    if destination is not None:
        columns.put("destination_type", destination.type, destination.origin)
    elif setting is not None:
        columns.put("destination_type", _type_of(setting), setting.origin)


def _compare(
    columns: Columns,
    provider: str | None,
    stated: Setting | None,
    destination: JmsDestination | None,
    *,
    direct: bool = False,
) -> None:
    """Whether the destination is of the provider and the type that the endpoint asks for.

    What a name of a generic provider leads to is in no export.
    """
    own, found = _MESSAGING.get(provider or ""), columns.values.get("destination_type")
    if own is None or found is None:
        return
    if _is_untold(stated):
        return
    asked = _type_of(stated) or found
    columns.put("destination_asked", f"{own} {asked}", stated.origin if stated else None)
    if direct:
        columns.put("destination_found", f"{own} {asked}")
    elif destination is not None and (other := _MESSAGING.get(destination.provider)) is not None:
        columns.put("destination_found", f"{other} {destination.type}", destination.origin)
        if (other, destination.type) != (own, asked):
            columns.put("destination_type", "mismatch", destination.origin)


def _password(columns: Columns, users: Sequence[Setting | None], giver: Origin | None, unset: str) -> None:
    """Note whether an endpoint gives the queue manager a user and a password. ``users`` are its alias and user name,
    ``unset`` is the setting to show where it has neither, and ``giver`` is None where something else may give them.
    """
    named = next((user for user in users if _written(user) is not None), None)
    if named is not None:
        columns.put("gives_password", None if _is_untold(named) else True, named.origin)
    elif giver is not None:
        blank = next((user for user in users if user is not None), None)
        none = giver._replace(text=f"{unset} not set", default=True)
        columns.put("gives_password", False, blank.origin if blank is not None else none)


def _has_exit(connection: Mapping[str, Setting]) -> bool:
    """Whether a connection has a security exit at the client's end, or a table of channels that may name one."""
    return any(_written(connection.get(name)) for name in ("securityExit", "secExit", "ccdtURL", "ccdtUrl"))


def _written(setting: Setting | None) -> Setting | None:
    """A setting that is not blank."""
    return setting if setting is not None and setting.value.strip() else None


def _is_untold(setting: Setting | None) -> bool:
    """Whether no file here says a setting that another one may say."""
    return setting is not None and setting.value == NOT_TOLD


def _type_of(stated: Setting | None) -> str | None:
    """``queue`` or ``topic`` as destinationType says it."""
    kind = stated.value.strip().rpartition(".")[2].lower() if stated is not None else ""
    return kind if kind in ("queue", "topic") else None


def _topic_string(text: str | None) -> str | None:
    """The topic string of a name or of ``topic://STRING?options``."""
    name = (text or "").strip()
    if name.startswith("topic://"):
        name = unquote(name.removeprefix("topic://").partition("?")[0])
    return name or None


def _queue_uri(text: str) -> tuple[str, str]:
    """Queue manager and queue of a name or of ``queue://QM/QUEUE?options``."""
    if not text.startswith("queue://"):
        return "", text
    host, _, name = text[len("queue://") :].partition("?")[0].partition("/")
    return unquote(host), unquote(name)
