"""Two environments as two states, which ``compare`` compares by application, endpoint and queue."""

from __future__ import annotations

import glob
from collections.abc import Iterable, Iterator, Sequence

from lintmdb.compare.estates import Side
from lintmdb.errors import LintmdbError
from lintmdb.run.all_queues import QueuePlace, judge_all_queues, queues_to_judge
from lintmdb.run.config.choice import Choice
from lintmdb.run.config.settings import Settings
from lintmdb.run.environment_lines import as_options, as_setting, gather
from lintmdb.run.environments import Environments
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


def refuse_unnamed(old: Side, new: Side, environments: Environments) -> None:
    """Raises LintmdbError where the exports of one state are in environments and those of the other in none: nothing of
    one would match anything of the other.
    """
    named = [{row.environment for row in side.estate.facts.rows["export"]} for side in (old, new)]
    bare = [number for number, names in enumerate(named) if names == {None}]
    if len(bare) != 1 or None in named[0] & named[1]:
        return
    (number,) = bare
    side, other = (old, new)[number], (old, new)[1 - number]
    names = sorted(name for name in named[0] | named[1] if name)
    verb = "is" if len(side.roots) == 1 else "are"
    found = list(_counterparts(environments, side.roots, other.roots))
    found = found or [(names[0], root) for root in side.roots]
    folders = gather([*environments.entries, *found])
    raise LintmdbError(
        f"{', '.join(side.roots)} {verb} in no environment, but the other state is in {', '.join(names)}, so nothing "
        "would match",
        next_step=f"Name the environments of both: {as_options(folders)}, or in lintmdb.toml: {as_setting(folders)}",
    )


def _counterparts(
    environments: Environments, roots: Sequence[str], other_roots: Sequence[str]
) -> Iterator[tuple[str, str]]:
    """The environments of one state with the paths in the other one that lie as theirs do, as far as those exist;
    where the roots are not one or as many, nobody knows which of them go together.
    """
    if len(roots) not in (1, len(other_roots)):
        return
    same = [roots[0]] * len(other_roots) if len(roots) == 1 else roots
    for root, other in zip(same, other_roots, strict=True):
        for name, path in environments.entries:
            if f"{other}/".startswith(f"{path}/"):
                yield name, root
            elif path.startswith(f"{other}/"):
                place = f"{root}{path.removeprefix(other)}"
                if glob.glob(place):
                    yield name, place
