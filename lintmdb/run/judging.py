"""One run: read exports, judge them by the rules that the settings choose, leave out what is suppressed."""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from lintmdb.engine.earlier_values import tell_put_back
from lintmdb.engine.findings import Judgement
from lintmdb.engine.judge import judge
from lintmdb.exports.discovery import StandardInput
from lintmdb.resolve.observations import Observations
from lintmdb.run.all_queues import QueuePlace, judge_all_queues, queues_to_judge
from lintmdb.run.baseline import Entry, apply_baseline, read_baseline
from lintmdb.run.config.choice import Choice
from lintmdb.run.config.settings import Settings
from lintmdb.run.conflicts import refuse_conflicts
from lintmdb.run.environments import Environments
from lintmdb.run.estate import (
    Estate,
    Progress,
    UnresolvedEstate,
    find_exports,
    read_discovered,
    resolve_exports,
)
from lintmdb.run.overlay import NOTHING, Overlay
from lintmdb.run.possible_readers import PossibleReader, possible_readers
from lintmdb.run.reading_notices import reading_notices
from lintmdb.run.script_groups import ScriptGroup
from lintmdb.run.second_process import resolve_in_two
from lintmdb.run.suppressing import suppress
from lintmdb.run.suppression import today
from lintmdb.run.unjudged_puts import unjudged_puts
from lintmdb.run.unjudged_subscriptions import unjudged_subscriptions
from lintmdb.run.unjudged_tls import unjudged_tls
from lintmdb.run.unmatched_observations import unmatched_observations
from lintmdb.run.unmet_changes import unmet_channel_records, unmet_queues, unmet_rights, unmet_users


class Judged(NamedTuple):
    """What was read, and the verdicts on it."""

    estate: Estate
    judgement: Judgement
    exports: Callable[[], UnresolvedEstate] | None = None
    """Gives what the verdicts rest on, where a caller wants it and nothing lies on top of it."""
    readers: Callable[[], list[PossibleReader]] = list
    """Gives those who may read the queues that no endpoint reads and whose reader nobody names."""


class KnownFindings(NamedTuple):
    """The findings of a baseline, which do not count."""

    path: Path
    entries: Sequence[Entry]


def judge_exports(
    paths: Sequence[Path],
    settings: Settings,
    choice: Choice,
    *,
    queue_managers: Mapping[str, str] | None = None,
    progress: Progress | None = None,
    digests: bool = False,
    suppressions: bool = True,
    baseline: Path | None = None,
    stdin: StandardInput | None = None,
    all_queues: bool = False,
    also_queues: Collection[QueuePlace] = (),
    keep_exports: bool = False,
    overlay: Callable[[UnresolvedEstate, Observations], Overlay] | None = None,
    put_back: bool = False,
    jobs: int = 1,
) -> Judged:
    """Judge exports, those of each environment of the settings apart.

    Findings that are suppressed (unless ``suppressions`` is false) or in ``baseline`` stand in
    ``judgement.suppressed``. ``stdin`` is what the path ``-`` stands for; with ``all_queues`` queues that no endpoint
    reads are judged too, and those of ``also_queues``; with ``keep_exports`` the exports can be judged again.
    ``overlay`` gives changes on top of what was read, and with ``put_back`` the findings that these bring know which
    values to put back. With ``jobs`` of 2, two processes share the reading of large
    exports. Raises LintmdbError.
    """
    known = KnownFindings(baseline, read_baseline(baseline)) if baseline is not None else None
    discovery, named = find_exports(paths, queue_managers, stdin)
    read = functools.partial(
        read_discovered,
        discovery,
        named,
        settings.environments,
        paths=paths,
        progress=progress,
        digests=digests,
    )
    if overlay is None and jobs > 1:
        estate = resolve_in_two(
            discovery,
            named,
            settings.environments,
            settings.observed,
            paths=paths,
            progress=progress,
            digests=digests,
        )
        if estate is not None:
            judged = _judge_estate(
                estate,
                settings.observed,
                choice,
                settings.environments,
                suppressions=suppressions,
                known=known,
                all_queues=all_queues,
                also_queues=also_queues,
            )
            again = functools.cache(read)
            return judged._replace(
                exports=again if keep_exports else None,
                readers=lambda: possible_readers(
                    again(), settings.observed, judged.judgement, judged.estate.facts.rows["queue_name"]
                ),
            )
    exports = read()
    return judge_read(
        exports,
        settings,
        choice,
        suppressions=suppressions,
        known=known,
        all_queues=all_queues,
        also_queues=also_queues,
        keep_exports=keep_exports,
        overlay=overlay,
        put_back=put_back,
    )


def judge_read(
    exports: UnresolvedEstate,
    settings: Settings,
    choice: Choice,
    *,
    suppressions: bool = True,
    known: KnownFindings | None = None,
    all_queues: bool = False,
    also_queues: Collection[QueuePlace] = (),
    keep_exports: bool = False,
    overlay: Callable[[UnresolvedEstate, Observations], Overlay] | None = None,
    put_back: bool = False,
) -> Judged:
    """Judge exports that were read, which stay as they are; arguments and errors as in ``judge_exports``."""
    changes = overlay(exports, settings.observed) if overlay is not None else NOTHING
    estate = resolve_exports(exports, settings.observed, changes)

    @functools.cache
    def before() -> Estate:
        return resolve_exports(exports, settings.observed)

    @functools.cache
    def unchanged() -> Judgement:
        return _verdicts(before(), choice, all_queues=all_queues)

    if all_queues and overlay is not None:
        also_queues = {*also_queues, *queues_to_judge(before().facts)}
    judged = _judge_estate(
        estate,
        settings.observed,
        choice,
        exports.environments,
        suppressions=suppressions,
        known=known,
        all_queues=all_queues,
        also_queues=also_queues,
        changes=changes,
        groups=exports.groups,
        unchanged=None if overlay is None else unchanged,
    )
    if overlay is not None and put_back:
        tell_put_back(judged.judgement, unchanged)
    return judged._replace(
        exports=(lambda: exports) if keep_exports and overlay is None else None,
        readers=lambda: possible_readers(
            exports, settings.observed, judged.judgement, estate.facts.rows["queue_name"], changes
        ),
    )


def _judge_estate(
    estate: Estate,
    observed: Observations,
    choice: Choice,
    environments: Environments,
    *,
    suppressions: bool,
    known: KnownFindings | None,
    all_queues: bool,
    also_queues: Collection[QueuePlace] = (),
    changes: Overlay = NOTHING,
    groups: Sequence[ScriptGroup] = (),
    unchanged: Callable[[], Judgement] | None = None,
) -> Judged:
    """Judge an estate; ``unchanged`` gives the verdicts without ``changes``, and ``groups`` are the queue managers to
    which these are made. Raises LintmdbError where exports of one name in different folders differ.
    """
    refuse_conflicts(estate.facts.rows["problem"], estate.facts.rows["export"], environments)
    judgement = _verdicts(estate, choice, all_queues=all_queues, also_queues=also_queues)
    estate.facts.add(*unmet_users(changes, judgement.flows, estate.facts))
    refused = {
        (problem.path, problem.line) for problem in estate.facts.rows["problem"] if problem.kind == "refused_change"
    }
    read = [*judgement.flows, *judgement.unread, *judgement.closed]
    estate.facts.add(*unmet_rights(changes, read, estate.facts, refused, all_queues=all_queues))
    estate.facts.add(*unmet_channel_records(changes, judgement.flows, estate.facts, refused))
    estate.facts.add(*unjudged_tls(changes, judgement.flows, groups))
    estate.facts.add(*unjudged_puts(changes, judgement.flows, groups))
    estate.facts.add(*unjudged_subscriptions(changes, judgement.flows, groups))
    if not all_queues:
        unmet = unmet_queues(changes, judgement.flows, estate.facts)
        estate.facts.add(*(problem for problem in unmet if (problem.path, problem.line) not in refused))
    if suppressions:
        suppress_findings(judgement, estate, choice, unchanged)
    if known is not None:
        ids = {rule.id for rule in choice.rules}
        exports = estate.facts.rows["export"]
        apply_baseline(judgement, known.entries, known.path, ids, choice.locks, exports, unchanged)
    judgement.notices += reading_notices(estate.facts.rows["problem"])
    judgement.notices += unmatched_observations(estate.facts, observed)
    return Judged(estate, judgement)


def _verdicts(
    estate: Estate, choice: Choice, *, all_queues: bool, also_queues: Collection[QueuePlace] = ()
) -> Judgement:
    """The verdicts on an estate, whatever is suppressed."""
    judgement = judge(estate.facts, choice.rules)
    if all_queues:
        judge_all_queues(judgement, estate.facts, choice.rules, also=also_queues)
    return judgement


def resolve_to_judge(exports: UnresolvedEstate, observed: Observations, changes: Overlay = NOTHING) -> Estate:
    """The estate that exports make up. Raises LintmdbError where exports of one name in different folders differ."""
    estate = resolve_exports(exports, observed, changes)
    refuse_conflicts(estate.facts.rows["problem"], estate.facts.rows["export"], exports.environments)
    return estate


def suppress_findings(
    judgement: Judgement, estate: Estate, choice: Choice, unchanged: Callable[[], Judgement] | None = None
) -> None:
    """Move what the configuration file or a comment suppresses to ``judgement.suppressed``; ``unchanged`` gives the
    verdicts without the changes that lie on top of the exports.
    """
    if not choice.suppressions and not estate.facts.inline_suppressions:
        return
    suppress(judgement, choice, estate.facts.inline_suppressions, today(), unchanged)
