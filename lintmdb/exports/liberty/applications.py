"""The applications that Liberty servers install: their beans, from files below the folder of the server, and the
activation specifications that Liberty gives these beans.

A binding names the specification: that in server.xml, else that of the module. Without one Liberty takes the
specification whose id is the name of the bean, ``application/module/bean`` or, of a module that is installed alone,
``module/bean``. There are no listener ports. The name of a module is its ``module-name``, else its path in the
application without the suffix. A bean whose descriptor has a ``message-destination-link`` reads that destination, by
the name that a binding gives it or its own.

Source: Open Liberty's EJBMDOrchestratorImpl (the defaults of bindings); IBM's page "Application bindings".
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from lintmdb.exports.liberty.files import server_folder
from lintmdb.exports.liberty.objects import bind
from lintmdb.exports.was.objects import (
    Application,
    BeanBinding,
    CellConfig,
    MessageDrivenBean,
    Module,
    ModuleBindings,
    Settings,
)
from lintmdb.model.origins import Origin, Setting

_FILE = re.compile(r".*?\.(?:ear|war|jar)(?=!?/)", re.IGNORECASE)
"""The outermost application file of a path."""
_ARCHIVE = re.compile(r"\.(?:ear|war|jar)\Z", re.IGNORECASE)


def give_applications(servers: Iterable[CellConfig], cells: Iterable[CellConfig]) -> None:
    """Move the applications that lie below a server's folder, and that it installs, from loose files to the server."""
    servers = list(servers)
    for loose in cells:
        if loose.name is None:
            broken = [problem.path for problem in loose.problems]
            taken = [application for application in loose.applications if _give(application, servers, broken)]
            loose.applications = [application for application in loose.applications if application not in taken]


def _give(application: Application, servers: Sequence[CellConfig], broken: Sequence[str]) -> bool:
    file = _FILE.match(application.origin.path)
    torn = file is None or any(path.startswith(file.group()) for path in broken)
    given = False
    for server in servers:
        name = server.installed.get(application.name or "")
        folder = server_folder(server.root)
        if name is not None and application.origin.path.startswith(f"{folder}/" if folder else ""):
            _install(server, replace(application, whole=not torn), name)
            given = True
    return given


def _install(server: CellConfig, application: Application, name: str) -> None:
    """Add an application to a server, in place of what the ids of specifications say of it."""
    specifications = {spec.name for spec in server.activation_specs}
    bound = server.bindings.get(name, [])
    application = replace(application, modules=tuple(_with_destinations(application, bound)))
    modules = tuple(
        replace(
            module,
            beans=tuple(
                _bound(bean, name, module, application, specifications, _adapter(bean, module, application, bound))
                for bean in module.beans
            ),
        )
        for module in application.modules
    )
    known = next((known for known in server.applications if known.name == name), None)
    own = {(_name(module), bean.name) for module in modules for bean in module.beans}
    rest: list[Module] = []
    for module in known.modules if known is not None else ():
        beans = tuple(bean for bean in module.beans if (_name(module), bean.name) not in own)
        rest += [replace(module, beans=beans)] if beans else []
    starts = server.automatic.get(name)
    server.applications = [other for other in server.applications if other is not known]
    whole = application.whole and not rest
    server.applications.append(
        replace(application, name=name, modules=(*modules, *rest), auto_start=starts, whole=whole)
    )


def _own(module: Module, application: Application, bound: Iterable[ModuleBindings]) -> Iterator[ModuleBindings]:
    """What server.xml binds in a module, which it need not name where it is the only one."""
    alone = len(application.modules) == 1
    return (own for own in bound if own.module == _name(module) or (alone and not own.module))


def _with_destinations(application: Application, bound: Iterable[ModuleBindings]) -> Iterator[Module]:
    """The modules of an application with the logical destinations that server.xml binds."""
    for module in application.modules:
        destinations = {**module.destinations}
        for own in _own(module, application, bound):
            destinations.update(own.destinations)
        yield replace(module, destinations=destinations)


def _adapter(
    bean: MessageDrivenBean, module: Module, application: Application, bound: Iterable[ModuleBindings]
) -> Settings:
    """What server.xml says of the ``jca-adapter`` of a bean."""
    found: dict[str, Setting] = {}
    for own in _own(module, application, bound):
        found.update(own.beans.get(bean.name, {}))
    return found


def _bound(
    bean: MessageDrivenBean,
    name: str,
    module: Module,
    application: Application,
    specifications: set[str],
    adapter: Settings,
) -> MessageDrivenBean:
    """A bean with the binding of server.xml, else its own, else what Liberty takes where neither names anything."""
    binding = bean.binding
    if binding is None or binding.kind != "activation_spec":
        ids = [f"{name}/{_name(module)}/{bean.name}", f"{_name(module)}/{bean.name}", f"{name}/{bean.name}"]
        target = next((candidate for candidate in ids if candidate in specifications), ids[0])
        text = f"no binding: Liberty takes the activation specification with the id {target}"
        origin = Origin(*bean.origin)._replace(text=text, default=True)
        binding = BeanBinding("activation_spec", Setting(target, origin), None, None)
    binding = bind(binding, adapter)
    if binding.destination is None and bean.destination_link is not None:
        binding = binding._replace(destination=_linked(bean.destination_link, module, application))
    return replace(bean, binding=binding)


def _linked(link: Setting, module: Module, application: Application) -> Setting:
    """The name of the destination that a ``message-destination-link`` leads to, in its own module or in another one
    (``other.jar#name``).
    """
    path, _, name = link.value.rpartition("#")
    if path:
        path = posixpath.normpath(posixpath.join(posixpath.dirname(module.path), path))
        holders = (other for other in application.modules if other.path == path)
    else:
        holders = iter((module,))
    found = (holder.destinations[name] for holder in holders if name in holder.destinations)
    return next(found, link._replace(value=name))


def _name(module: Module) -> str:
    """The name of a module: the one that its descriptor gives it, else its path in the application without suffix."""
    return module.own_name or _ARCHIVE.sub("", module.path or module.uri.rstrip("/!"))
