"""Scripts that are named beside the exports of a state and that name no queue manager: whose they are."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

from lintmdb.exports.mq.commands import is_export
from lintmdb.model.environment_names import key_of
from lintmdb.resolve.observations import Observations
from lintmdb.run.estate import UnresolvedEstate, resolve_exports
from lintmdb.run.gate import guessed_managers
from lintmdb.run.script_groups import ScriptGroup, guessed_name, with_scripts


def with_merged_scripts(exports: UnresolvedEstate, observed: Observations, paths: Collection[str]) -> UnresolvedEstate:
    """The exports, in which a queue manager of the others runs the scripts that people keep and that are some of
    ``paths``, as shown: the one that the name of the file suggests, else the only one, as for a change. Where an
    endpoint or a remote queue names the queue manager after which the file is called, the script is that one's.
    """
    asked = {_key(group) for group in exports.groups if _is_asked(group, paths)}
    if not asked or len(asked) == len(exports.groups):
        return exports
    guessed = guessed_managers(resolve_exports(exports, observed))
    unmet = asked & {key_of(problem.environment, problem.queue_manager or "") for problem in guessed}
    groups = {_key(group): group for group in exports.groups}
    for key in unmet:
        others = [g for g in exports.groups if g.environment == groups[key].environment and _key(g) not in asked]
        runner = _runner(guessed_name(groups[key].scripts[0]), others)
        if runner is not None:
            groups[_key(runner)] = with_scripts(groups[_key(runner)], groups.pop(key).scripts)
    return replace(exports, groups=list(groups.values()))


def _key(group: ScriptGroup) -> str:
    return key_of(group.environment, group.name)


def _is_asked(group: ScriptGroup, paths: Collection[str]) -> bool:
    return group.is_guessed and all(not is_export(script) and script.path in paths for script in group.scripts)


def _runner(name: str, groups: Iterable[ScriptGroup]) -> ScriptGroup | None:
    known = list(groups)
    suggested = [group for group in known if name in (group.name, group.claim)]
    found = suggested or known
    return found[0] if len(found) == 1 else None
