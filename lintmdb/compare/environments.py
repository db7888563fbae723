"""Two environments as two states, which ``compare`` compares by application, endpoint and queue."""

from __future__ import annotations

from lintmdb.compare.estates import Side
from lintmdb.errors import LintmdbError
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
    after = judge_read(new, settings, choice, suppressions=suppressions, all_queues=all_queues)
    return (
        Side(before.estate, before.judgement, known.roots(names[0]), names[0]),
        Side(after.estate, after.judgement, known.roots(names[1]), names[1]),
    )
