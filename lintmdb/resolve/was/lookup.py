"""Names inside one cell: JNDI names by scope, ``${VARIABLES}``, and how much of a scope the export holds."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Generic, Protocol, TypeVar

from lintmdb.exports.was.objects import NOT_TOLD, CellConfig, Scope, Settings
from lintmdb.model.origins import ChangeOrigin, Origin, Setting, former
from lintmdb.model.relations import Problem
from lintmdb.resolve.near_names import Index, find_all_near, index_names

_VARIABLE = re.compile(r"\$[{(]([^{}()]+)[})]")
_MAX_EXPANSIONS = 50


class Scoped(Protocol):
    """An object that is defined at a scope."""

    @property
    def scope(self) -> Scope:
        """Where it is defined."""
        ...


T = TypeVar("T", bound=Scoped)


@functools.lru_cache(maxsize=1024)  # every name is looked up at one of a few places
def visible_scopes(place: Scope) -> tuple[Scope, ...]:
    """The scopes that a place sees, the one that wins first: application, server, cluster, node, cell."""
    return tuple(_visible_scopes(place))


def _visible_scopes(place: Scope) -> Iterator[Scope]:
    if place.application:
        yield Scope(application=place.application)
    if place.server:
        yield Scope(node=place.node, server=place.server)
    if place.cluster:
        yield Scope(cluster=place.cluster)
    if place.node:
        yield Scope(node=place.node)
    yield Scope()


class JndiIndex(Generic[T]):
    """Objects by JNDI name, looked up through the scopes that a place sees."""

    def __init__(
        self,
        entries: Iterable[tuple[T, Settings]],
        *,
        rooted: bool,
        deleted: Mapping[tuple[Scope, str], ChangeOrigin] = MappingProxyType({}),
    ) -> None:
        """``entries`` are objects, each with the settings that have its JNDI name; ``deleted``, by scope and JNDI name,
        where a change takes away others.
        """
        self._by_scope: dict[tuple[Scope, str], T] = {}
        self._loose: dict[str, T] = {}
        self._repeated: set[str] = set()
        """The names that several scopes define."""
        self._changes: dict[tuple[Scope, str], ChangeOrigin] = dict(deleted)
        """Where a change gives an object a name, or takes it away."""
        self._rooted = rooted
        names: set[str] = set()
        for entry, settings in entries:
            self._note_changes(entry.scope, settings)
            if "jndiName" not in settings:
                continue
            name = settings["jndiName"].value.strip()
            if (entry.scope, name) not in self._by_scope:
                self._by_scope[(entry.scope, name)] = entry
                (self._repeated if name in names else names).add(name)
            if not rooted:
                self._loose.setdefault(name, entry)

    def _note_changes(self, scope: Scope, settings: Settings) -> None:
        for setting in (settings.get("jndiName"), settings.get(former("jndiName"))):
            if setting is not None and isinstance(setting.origin, ChangeOrigin):
                self._changes[scope, setting.value.strip()] = setting.origin

    def find_change(self, name: str, place: Scope) -> ChangeOrigin | None:
        """The change because of which a name means what it does at a place, or nothing; None where there is none."""
        if not self._changes:
            return None
        for scope in visible_scopes(place):
            if (scope, name) in self._changes or (scope, name) in self._by_scope:
                return self._changes.get((scope, name))
        return None if self._rooted else self.find_change_anywhere(name)

    def find_change_anywhere(self, name: str) -> ChangeOrigin | None:
        """The first change that gives a name to an object of any scope, or takes it away; None where there is none."""
        return next((place for (_, known), place in self._changes.items() if known == name), None)

    def find(self, name: str, place: Scope) -> T | None:
        """The object that a name means at a place, or None."""
        for scope in visible_scopes(place):
            found = self._by_scope.get((scope, name))
            if found is not None:
                return found
        return self._loose.get(name)

    def hidden(self, name: str, place: Scope) -> list[T]:
        """The objects of the same name that a place would see if the one that it finds were not there."""
        if name not in self._repeated:
            return []
        visible = (self._by_scope.get((scope, name)) for scope in visible_scopes(place))
        return [entry for entry in visible if entry is not None][1:]

    def scopes(self, name: str) -> list[Scope]:
        """Where a name is defined, seen from anywhere."""
        return [scope for scope, known in self._by_scope if known == name]

    def find_near(self, name: str, place: Scope) -> str | None:
        """The only name that a place sees and that differs from a name in one slip of the hand, or in case alone.

        None where there are several. JNDI names are case-sensitive, so a difference in case leads nowhere.
        """
        found = {
            candidate
            for near in {name.upper(), *find_all_near(name.upper(), self._upper_case_index)}
            for candidate in self._by_upper_case.get(near, ())
            if self.find(candidate, place) is not None
        }
        return found.pop() if len(found) == 1 else None

    @functools.cached_property
    def _by_upper_case(self) -> dict[str, set[str]]:
        names: dict[str, set[str]] = {}
        for _, name in self._by_scope:
            names.setdefault(name.upper(), set()).add(name)
        return names

    @functools.cached_property
    def _upper_case_index(self) -> Index:
        return index_names(self._by_upper_case)


CONTEXTS = ("java:", "cell/", "cells/", "node/", "nodes/", "thisNode/", "corbaname:", "corbaloc:")
"""How names begin that are not those of resources as a server's own root has them."""


class NameBindings:
    """Names of one cell that are not the JNDI names of resources: those that namebindings.xml adds, and those that
    begin at the root of a server.

    What a server or a cluster binds is looked up by its name alone, what a node or the cell binds under its persistent
    root ("Name space binding settings"). A name that is qualified with a server or a cluster is looked up there
    ("Lookup names support in deployment descriptors and thin clients").
    """

    def __init__(self, cell: CellConfig) -> None:
        self._targets: dict[tuple[Scope, str], str] = {}
        self._names: set[str] = set()
        for scope, name, target in cell.name_bindings:
            self._names.add(name)
            for spelling in _spellings(scope, name):
                self._targets[(scope, spelling)] = target
                self._names.add(spelling)
        clusters: dict[tuple[str | None, str], str] = {
            member: cluster.name for cluster in cell.clusters.values() for member in cluster.members
        }
        self._roots: dict[str, list[Scope]] = {}
        """What stands before the relative name, with the servers at whose root it begins."""
        for config in cell.servers:
            node, server = config.scope.node, config.name
            cluster = clusters.get((node, server)) or config.cluster or None
            place = Scope(cluster=cluster, node=node, server=server)
            self._roots.setdefault(f"cell/nodes/{node}/servers/{server}/", []).append(place)
            if cluster:
                self._roots.setdefault(f"cell/clusters/{cluster}/", []).append(place)

    def __contains__(self, name: str) -> bool:
        """Whether a name may lead to something although no resource that the asking server sees has it: it is bound
        anywhere in the cell, or begins in a context of which no export shows everything.
        """
        return name in self._names or name.startswith(CONTEXTS)

    def find(self, index: JndiIndex[T], name: str, place: Scope) -> T | None:
        """The object that a name means at a place, itself or through bindings that lead to another name."""
        seen: set[str] = set()
        found = index.find(name, place) or self._find_qualified(index, name)
        while found is None and self._targets and name not in seen:
            seen.add(name)
            name = next((t for s in visible_scopes(place) if (t := self._targets.get((s, name)))), "")
            found = (index.find(name, place) or self._find_qualified(index, name)) if name else None
        return found

    def _find_qualified(self, index: JndiIndex[T], name: str) -> T | None:
        """The object that a qualified name means: of a cluster, the one that all of its members see."""
        if not name.startswith("cell/"):
            return None
        steps = name.split("/")
        length = {"nodes": 5, "clusters": 3}.get(steps[1], len(steps))
        root, relative = "/".join(steps[:length]) + "/", "/".join(steps[length:])
        found = [index.find(relative, place) for place in self._roots.get(root, ())] if relative else []
        return found[0] if found and all(other is found[0] for other in found) else None


def _spellings(scope: Scope, name: str) -> tuple[str, ...]:
    if scope.server or scope.cluster:
        return (name,)
    if scope.node:
        return f"node/persistent/{name}", f"cell/nodes/{scope.node}/persistent/{name}"
    return (f"cell/persistent/{name}",)


class Variables:
    """``${NAME}`` and ``$(NAME)`` of one cell, by scope; one Problem for each name that nothing defines."""

    def __init__(self, cell: CellConfig, problems: list[Problem]) -> None:
        self._cell = cell
        self._problems = problems
        self._reported: set[tuple[str, str]] = set()
        held = (setting for settings in cell.variables.values() for setting in settings.values())
        self._changed = any(isinstance(setting.origin, ChangeOrigin) for setting in held)

    def get(self, name: str, place: Scope) -> Setting | None:
        """The definition of a variable that a place sees: application, server, then cluster and node, cell.

        Where a cluster and a node give it different values the definition refers to itself, so that no value comes
        of it: for WebSphere 6.0 the node wins, for 6.1 the cluster ("Creating, editing, and deleting WebSphere
        variables" of either version).
        """
        found = self._definitions(name, place)
        if _differ(found):
            return Setting(f"${{{name}}}", found[0][1].origin)
        return found[0][1] if found else None

    def find_clash(self, setting: Setting, place: Scope) -> Origin | None:
        """The variable behind a setting to which a cluster and a node give different values, or which refers back to
        itself; None where there is neither.
        """
        asked = _VARIABLE.findall(setting.value)
        for name in asked:  # grows while it runs
            found = self._definitions(name, place)
            if _differ(found):
                values = " and ".join(f"{scope.words} has {known.value}" for scope, known in found)
                first = found[0][1].origin
                return Origin(first.path, first.line, first.column, f"${{{name}}}: {values}")
            more = {other for _, known in found for other in _VARIABLE.findall(known.value)}
            asked += sorted(more.difference(asked))
        return next(filter(None, (self._circle(name, place) for name in asked)), None)

    def _circle(self, name: str, place: Scope) -> Origin | None:
        """The definition of a variable that refers back to itself, directly or by others; None of another one."""
        known = self.get(name, place)
        reached = _VARIABLE.findall(known.value) if known is not None else []
        for other in reached:  # grows while it runs
            found = self.get(other, place)
            reached += [more for more in _VARIABLE.findall(found.value if found else "") if more not in reached]
        if known is None or name not in reached:
            return None
        at = known.origin
        return Origin(at.path, at.line, at.column, f"${{{name}}}")

    def _definitions(self, name: str, place: Scope) -> list[tuple[Scope, Setting]]:
        """The definition that counts, or those of cluster and node, each with its scope."""
        between: list[tuple[Scope, Setting]] = []
        for scope in visible_scopes(place):
            setting = self._cell.variables.get(scope, {}).get(name)
            if scope == Scope() and between:
                break
            if setting is None:
                continue
            if scope.application or scope.server or scope == Scope():
                return [(scope, setting)]
            between.append((scope, setting))
        return between

    def expand(self, setting: Setting, place: Scope) -> str | None:
        """The text of a setting with its variables filled in; None where one of them is not known."""
        text = setting.value
        if "$" not in text:
            return None if text == NOT_TOLD else text
        for _ in range(_MAX_EXPANSIONS):
            match = _VARIABLE.search(text)
            if match is None:
                return text
            value = self._value(match.group(1), place)
            if value is None:
                self._report(match.group(1), setting, "is not defined anywhere in this export")
                return None
            if _differ(self._definitions(match.group(1), place)):
                return None
            text = text[: match.start()] + value + text[match.end() :]
            if len(text) > 65_536:
                break
        first = _VARIABLE.search(setting.value)
        self._report(first.group(1) if first else setting.value, setting, "refers back to itself, so it has no value")
        return None

    def find_change(self, setting: Setting, place: Scope) -> ChangeOrigin | None:
        """The change of a variable to which a setting refers, itself or by other variables; None where there is
        none.
        """
        asked = _VARIABLE.findall(setting.value) if self._changed else []
        for name in asked:  # grows while it runs
            found = self.get(name, place)
            if found is not None and isinstance(found.origin, ChangeOrigin):
                return found.origin
            asked += [more for more in _VARIABLE.findall(found.value if found else "") if more not in asked]
        return None

    def _value(self, name: str, place: Scope) -> str | None:
        setting = self.get(name, place)
        if setting is not None:
            return setting.value
        implicit = {"CELL": self._cell.name, "NODE": place.node, "CLUSTER": place.cluster, "SERVER": place.server}
        return implicit.get(name)

    def _report(self, name: str, setting: Setting, what: str) -> None:
        origin = setting.origin
        # Without the cell's variables.xml a name may well be defined: undecided, not a defect.
        if "variables.xml" not in self._cell.files or (name, origin.path) in self._reported:
            return
        self._reported.add((name, origin.path))
        self._problems.append(
            Problem(
                kind="unresolved_name",
                path=origin.path,
                line=origin.line,
                column=origin.column,
                text=f"the variable ${{{name}}} ({origin.text}) {what}",
                next_step="Define it in variables.xml at a scope that the server sees",
                cell=self._cell.name,
                object=f"${{{name}}}",
            )
        )


def _differ(definitions: Iterable[tuple[Scope, Setting]]) -> bool:
    return len({setting.value for _, setting in definitions}) > 1


def sees_all_resources(cell: CellConfig, place: Scope) -> bool:
    """Whether every resources.xml that a place sees was read, or all that a Liberty server includes: what is not
    defined there does not exist.
    """
    if cell.kind == "liberty":
        return not (cell.missing_includes or cell.unreadable)
    if not cell.rooted:
        return False
    if place.application and any(
        path.endswith(f"/deployments/{place.application}/resources.xml") for path in cell.unreadable
    ):
        return False
    return not _list_missing(cell, place)


def missing_files(cell: CellConfig, place: Scope) -> str | None:
    """The files below the cell, parted by commas, that every repository has at the scopes of a place and that were not
    read. Blank where all were; None where nothing tells the scopes, or one of them could not be read.
    """
    if cell.kind == "liberty":
        return ", ".join(dict.fromkeys([*cell.missing_includes, *sorted(cell.unreadable)])) or None
    missing = ", ".join(_list_missing(cell, place)) if cell.rooted else None
    return missing or ("" if sees_all_resources(cell, place) else None)


def _list_missing(cell: CellConfig, place: Scope) -> list[str]:
    """The missing files, the widest scope first.

    A repository has a resources.xml for the cell, each node and each server, even where nothing is defined there;
    a cluster gets one with its first member. An application seldom has one: without it nothing is amiss.
    """
    folders = [""]
    if place.node:
        folders.append(f"nodes/{place.node}/")
    if place.cluster:
        folders.append(f"clusters/{place.cluster}/")
    if place.node and place.server:
        folders.append(f"nodes/{place.node}/servers/{place.server}/")
    wanted = ["cell.xml", *(f"{folder}resources.xml" for folder in folders)]
    if place.server:
        wanted.append(f"nodes/{place.node}/servers/{place.server}/server.xml")
    elif place.cluster:
        wanted.append(f"clusters/{place.cluster}/cluster.xml")
    return [path for path in wanted if path not in cell.files]
