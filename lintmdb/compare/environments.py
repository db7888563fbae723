"""Two environments as two states, which ``compare`` compares by application, endpoint and queue."""

from __future__ import annotations

from collections.abc import Iterable

from lintmdb.compare.estates import Side
from lintmdb.errors import LintmdbError
from lintmdb.run.all_queues import QueuePlace, judge_all_queues, queues_to_judge
from lintmdb.run.config.choice import Choice
from lintmdb.run.config.settings import Settings
from lintmdb.run.estate import UnresolvedEstate, only_environment
from lintmdb.run.judging import judge_read


def environment_sides(
    exports: UnresolvedEstate,
    names: tuple[str, str],
    settings: Settings,
    choice: Choice,
    *,
    suppressions: bool = True,
    all_queues: bool = False,
) -> tuple[Side, Side]:
    """The verdicts on two environments of some exports. Raises LintmdbError for an environment that is not named."""
    known = exports.environments
    for name in names:
        if name not in known.names:
            named = f"Known here: {', '.join(known.names)}" if known else "Name it with --environment NAME=PATH"
            raise LintmdbError(f"no environment is called {name}", next_step=named)
    if names[0] == names[1]:
        raise LintmdbError("an environment does not differ from itself", next_step="Name two environments")
    old, new = (only_environment(exports, name) for name in names)
    before = judge_read(old, settings, choice, suppressions=False, all_queues=all_queues)
    also = _places_in(new, queues_to_judge(before.estate.facts))
    after = judge_read(new, settings, choice, suppressions=suppressions, all_queues=all_queues, also_queues=also)
    if all_queues:  # what only the later state judges
        also = _places_in(old, queues_to_judge(after.estate.facts))
        judge_all_queues(before.judgement, before.estate.facts, choice.rules, also=also)
    return (
        Side(before.estate, before.judgement, known.roots(names[0]), names[0]),
        Side(after.estate, after.judgement, known.roots(names[1]), names[1]),
    )


def _places_in(exports: UnresolvedEstate, queues: Iterable[QueuePlace]) -> set[QueuePlace]:
    """Where queues of another environment would be in this one: at any queue manager, as these have other names."""
    names = {place.name for place in queues}
    return {QueuePlace(group.environment, group.name, name) for group in exports.groups for name in names}


def refuse_unnamed(old: Side, new: Side) -> None:
    """Raises LintmdbError where the exports of one state are in environments and those of the other in none: nothing of
    one would match anything of the other.
    """
    named = [{row.environment for row in side.estate.facts.rows["export"]} for side in (old, new)]
    bare = [side for side, names in zip((old, new), named, strict=True) if names == {None}]
    if len(bare) != 1 or None in named[0] & named[1]:
        return
    (side,) = bare
    names = sorted(name for name in named[0] | named[1] if name)
    roots = ", ".join(side.roots)
    verb = "is" if len(side.roots) == 1 else "are"
    raise LintmdbError(
        f"{roots} {verb} in no environment, but the other state is in {', '.join(names)}, so nothing would match",
        next_step=f"Add {roots} to the environment in lintmdb.toml: {names[0]} = [...]",
    )
