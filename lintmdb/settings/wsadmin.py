"""Changes of WebSphere as commands for wsadmin in Jython 2.1, which has no True, no ``with`` and no generators."""

from __future__ import annotations

from lintmdb.settings.changes import Assignment, Target, containment_paths


def quoted(text: str) -> str:
    """A text as a string of Jython 2.1: plain ASCII, one line, whatever characters it has."""
    if text.isascii() and text.isprintable() and "\\" not in text and "'" not in text:  # as nearly all names
        return f"'{text}'"
    escaped = "".join(_escaped(character) for character in text)
    prefix = "u" if any(ord(character) > 126 for character in text) else ""
    return f"{prefix}'{escaped}'"


def _escaped(character: str) -> str:
    code = ord(character)
    if character in "\\'":
        return f"\\{character}"
    if 32 <= code <= 126:
        return character
    if code > 0xFFFF:  # never as two halves, which Jython 2.7 refuses
        return f"\\U{code:08x}"
    return f"\\u{code:04x}" if code > 126 else f"\\x{code:02x}"


def wsadmin_commands(change: Assignment) -> list[str]:
    """The commands that make a change by themselves, for people who type them; a script checks more."""
    target = change.target
    first, *rest = _COMMANDS[target.kind](change)
    return [first, *rest, "AdminConfig.save()"]


def _each_server(change: Assignment, found: str) -> list[str]:
    # A path that is not there gives no line. Listed below a blank name, objects would be those of the whole cell.
    paths = ", ".join(quoted(path) for path in containment_paths(change.target.path))
    return [f"servers = [s for path in ({paths},) for s in AdminConfig.getid(path).splitlines()]", *found.split("\n")]


def _listener_port(change: Assignment) -> list[str]:
    name = quoted(change.target.name)
    find = (
        "ports = [p for s in servers for p in AdminConfig.list('ListenerPort', s).splitlines() "
        f"if AdminConfig.showAttribute(p, 'name') == {name}]"
    )
    port = "AdminConfig.showAttribute(p, 'stateManagement')" if change.attribute == "initialState" else "p"
    return _each_server(change, f"{find}\n[AdminConfig.modify({port}, {_pair(change)}) for p in ports]")


def _listener_service(change: Assignment) -> list[str]:
    name = quoted(change.attribute)
    find = "services = [AdminConfig.list('MessageListenerService', s) for s in servers]"
    drop = (
        "[AdminConfig.remove(p) for s in services for p in AdminConfig.list('Property', s).splitlines() "
        f"if AdminConfig.showAttribute(p, 'name') == {name}]"
    )
    if not change.new:
        return _each_server(change, f"{find}\n{drop}")
    add = f"[AdminConfig.create('Property', s, [['name', {name}], ['value', {quoted(change.new)}]]) for s in services]"
    return _each_server(change, f"{find}\n{drop}\n{add}")


def _listener_threads(change: Assignment) -> list[str]:
    find = "services = [AdminConfig.list('MessageListenerService', s) for s in servers]"
    set_it = f"[AdminConfig.modify(AdminConfig.showAttribute(s, 'threadPool'), {_pair(change)}) for s in services]"
    return _each_server(change, f"{find}\n{set_it}")


def _thread_pool(change: Assignment) -> list[str]:
    find = (
        "pools = [p for s in servers for p in AdminConfig.list('ThreadPool', s).splitlines() "
        f"if AdminConfig.showAttribute(p, 'name') == {quoted(change.target.name)}]"
    )
    return _each_server(change, f"{find}\n[AdminConfig.modify(p, {_pair(change)}) for p in pools]")


def _transaction_service(change: Assignment) -> list[str]:
    set_it = f"[AdminConfig.modify(AdminConfig.list('TransactionService', s), {_pair(change)}) for s in servers]"
    return _each_server(change, set_it)


def _specification(change: Assignment) -> list[str]:
    task = "modifySIBJMSActivationSpec" if change.target.kind == "bus_specification" else "modifyWMQActivationSpec"
    return [_getid("spec", change), f"AdminTask.{task}(spec, ['-{change.attribute}', {quoted(change.new)}])"]


def _specification_property(change: Assignment) -> list[str]:
    name, find = quoted(change.attribute), f"specs = {_getids(change)}"
    properties = _properties("specs", name)
    if not change.new:
        return [find, properties, "[AdminConfig.remove(p) for p in properties]"]
    # A specification has a property of the resource adapter from the start; one of WebSphere is kept as the task likes.
    add = f"AdminTask.modifyWMQActivationSpec(s, ['-customProperties', [[{name}, {quoted(change.new)}]]])"
    return [find, properties, f"{_set_value(change)} or [{add} for s in specs]"]


def _resource_adapter(change: Assignment) -> list[str]:
    name, find = quoted(change.attribute), f"adapters = {_getids(change)}"
    groups = "groups = [AdminConfig.showAttribute(a, 'propertySet') for a in adapters]"
    add = f"AdminConfig.create('J2EEResourceProperty', g, [['name', {name}], ['value', {quoted(change.new)}]])"
    return [
        find,
        groups,
        "groups = [g for g in groups if g]",
        _properties("groups", name),
        f"{_set_value(change)} or [{add} for g in groups]",
    ]


def _properties(holders: str, name: str) -> str:
    listed = f"for h in {holders} for p in AdminConfig.list('J2EEResourceProperty', h).splitlines()"
    return f"properties = [p {listed} if AdminConfig.showAttribute(p, 'name') == {name}]"


def _set_value(change: Assignment) -> str:
    return f"[AdminConfig.modify(p, [['value', {quoted(change.new)}]]) for p in properties]"


def _factory(change: Assignment) -> list[str]:
    holder = {
        "session_pool": "AdminConfig.showAttribute(factory, 'sessionPool')",
        "connection_pool": "AdminConfig.showAttribute(factory, 'connectionPool')",
    }.get(change.target.kind, "factory")
    return [_getid("factory", change), f"AdminConfig.modify({holder}, {_pair(change)})"]


def _bus_destination(change: Assignment) -> list[str]:
    where = f"'-bus', {quoted(change.target.path)}, '-name', {quoted(change.target.name)}"
    if not change.new or change.new.startswith("-"):
        # What is blank, or looks like another parameter, no task takes for a value.
        name = quoted(change.target.name)
        listed = f"AdminTask.listSIBDestinations(['-bus', {quoted(change.target.path)}]).splitlines()"
        find = f"destinations = [d for d in {listed} if AdminConfig.showAttribute(d, 'identifier') == {name}]"
        return [find, f"[AdminConfig.modify(d, {_pair(change)}) for d in destinations]"]
    return [f"AdminTask.modifySIBDestination([{where}, '-{change.attribute}', {quoted(change.new)}])"]


def _getid(variable: str, change: Assignment) -> str:
    name = change.target.name
    if "/" in name:
        return f"{variable} = ({_listed(change.target)} or [''])[0]"
    return f"{variable} = AdminConfig.getid({quoted(change.target.path)})"


def _getids(change: Assignment) -> str:
    target = change.target
    return _listed(target) if "/" in target.name else f"AdminConfig.getid({quoted(target.path)}).splitlines()"


def _listed(target: Target) -> str:
    """The objects of a name with a slash, which getid does not find: what holds them lists them."""
    holder, _, kind = target.path.removesuffix(f":{target.name}/").rpartition("/")
    holders = f"AdminConfig.getid({quoted(holder + '/')}).splitlines()"
    return (
        f"[o for h in {holders} for o in AdminConfig.list({quoted(kind)}, h).splitlines() "
        f"if AdminConfig.showAttribute(o, 'name') == {quoted(target.name)}]"
    )


def _pair(change: Assignment) -> str:
    return f"[[{quoted(change.attribute)}, {quoted(change.new)}]]"


_COMMANDS = {
    "listener_port": _listener_port,
    "listener_service": _listener_service,
    "listener_threads": _listener_threads,
    "thread_pool": _thread_pool,
    "transaction_service": _transaction_service,
    "mq_specification": _specification,
    "mq_specification_property": _specification_property,
    "bus_specification": _specification,
    "resource_adapter": _resource_adapter,
    "connection_factory": _factory,
    "session_pool": _factory,
    "connection_pool": _factory,
    "bus_destination": _bus_destination,
}
