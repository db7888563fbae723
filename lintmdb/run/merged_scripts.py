"""Scripts that are named beside the exports of a state and that name no queue manager: whose they are."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from lintmdb.exports.mq.commands import is_export
from lintmdb.model.environment_names import key_of
from lintmdb.resolve.observations import Observations
from lintmdb.run.estate import UnresolvedEstate, resolve_exports
from lintmdb.run.gate import guessed_managers
from lintmdb.run.script_groups import ScriptGroup, guessed_name, with_scripts


def with_merged_scripts(exports: UnresolvedEstate, observed: Observations, paths: Collection[str]) -> UnresolvedEstate:
    """The exports, in which a queue manager of the others runs the scripts that people keep and that are some of
    ``paths``, as shown, or in a folder or archive of them that has only such scripts: the one that the name of the file
    suggests, else the only one, as for a change. Where an endpoint or a remote queue names the queue manager after
    which the file is called, the script belongs to that one. If another of these scripts is called after a queue
    manager, files are named after queue managers, so a script with another name does not belong to the only one.
    """
    beside = paths_of_scripts(exports.groups, (cell.root for cells in exports.cells for cell in cells), paths)
    asked = {_key(group) for group in exports.groups if _is_asked(group, beside)}
    if not asked or len(asked) == len(exports.groups):
        return exports
    guessed = guessed_managers(resolve_exports(exports, observed))
    unmet = asked & {key_of(problem.environment, problem.queue_manager or "") for problem in guessed}
    groups = {_key(group): group for group in exports.groups}
    called = _called_after(exports.groups, asked, beside)
    for key in sorted(unmet):
        others = [g for g in exports.groups if g.environment == groups[key].environment and _key(g) not in asked]
        name = guessed_name(groups[key].scripts[0])
        suggested = [group for group in others if name in (group.name, group.claim)]
        found = suggested or ([] if groups[key].environment in called else others)
        if len(found) == 1:
            groups[_key(found[0])] = with_scripts(groups[_key(found[0])], groups.pop(key).scripts)
    return replace(exports, groups=list(groups.values()))


def paths_of_scripts(groups: Iterable[ScriptGroup], cells: Iterable[str], paths: Collection[str]) -> list[str]:
    """Those of ``paths`` that hold nothing but scripts, as people keep them; ``cells`` are the roots of cells."""
    others = [*cells]
    for group in groups:
        others += [
            script.path for script in group.scripts if is_export(script) or (script.embedded and script.queue_manager)
        ]
    return [path for path in paths if not any(is_below(other, path) for other in others)]


def is_below(path: str, root: str) -> bool:
    """Whether a path as shown is another one, or in that folder or archive."""
    return root == "." or path == root or path.startswith((f"{root}/", f"{root}!/"))


def _key(group: ScriptGroup) -> str:
    return key_of(group.environment, group.name)


def _is_asked(group: ScriptGroup, paths: Iterable[str]) -> bool:
    roots = [*paths]
    return group.is_guessed and all(
        not is_export(script) and any(is_below(script.path, root) for root in roots) for script in group.scripts
    )


def _called_after(groups: Sequence[ScriptGroup], asked: Collection[str], paths: Sequence[str]) -> frozenset[str | None]:
    """The environments in which a script below ``paths`` is called after a queue manager that others tell."""
    names = {
        (group.environment, name) for group in groups if _key(group) not in asked for name in (group.name, group.claim)
    }
    return frozenset(
        group.environment
        for group in groups
        for script in group.scripts
        if (group.environment, guessed_name(script)) in names and any(is_below(script.path, root) for root in paths)
    )
