"""One run: read exports, judge them by the rules that the settings choose, leave out what is suppressed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from lintmdb.baseline import apply_baseline, read_baseline
from lintmdb.config.choice import Choice
from lintmdb.config.settings import Settings
from lintmdb.engine.findings import Judgement
from lintmdb.engine.judge import judge
from lintmdb.engine.rules import SEVERITIES, Severity
from lintmdb.estate import Estate, Progress, read_estate
from lintmdb.exports.discover import StandardInput


class Judged(NamedTuple):
    """What was read, and the verdicts on it."""

    estate: Estate
    judgement: Judgement


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
) -> Judged:
    """Judge exports. Findings that are suppressed (unless ``suppressions`` is false) or in ``baseline`` stand in
    ``judgement.suppressed``. ``stdin`` is what the path ``-`` stands for. Raises LintmdbError.
    """
    entries = read_baseline(baseline) if baseline is not None else []
    estate = read_estate(
        paths, settings.observed, queue_managers=queue_managers, progress=progress, digests=digests, stdin=stdin
    )
    judgement = judge(estate.facts, choice.rules)
    if suppressions:
        leave_out(judgement, estate, choice)
    if baseline is not None:
        apply_baseline(judgement, entries, baseline, {rule.id for rule in choice.rules}, choice.locks)
    return Judged(estate, judgement)


def leave_out(judgement: Judgement, estate: Estate, choice: Choice) -> None:
    """Move what the configuration file or a comment suppresses to ``judgement.suppressed``."""
    if not choice.suppressions and not estate.facts.allowances:
        return
    from lintmdb.config.suppressing import suppress
    from lintmdb.config.suppression import today

    suppress(judgement, choice, estate.facts.allowances, today())


def failing(fail_on: str) -> tuple[Severity, ...]:
    """The severities that fail a run, from ``fail_on`` (a severity, or ``never``) on."""
    return () if fail_on == "never" else SEVERITIES[: [str(each) for each in SEVERITIES].index(fail_on) + 1]


def exit_code(judged: Judged, fail_on: str, *, strict: bool) -> int:
    """0 where nothing counts, 1 for a finding at or above ``fail_on``, 3 where nothing was judged, 4 where ``strict``
    and something is undecided or unreadable.
    """
    judgement = judged.judgement
    if any(finding.rule.severity in failing(fail_on) for finding in judgement.findings):
        return 1
    if not judgement.endpoints:
        return 3
    unreadable = any(problem.kind == "unreadable" for problem in judged.estate.facts.rows["problem"])
    return 4 if strict and (judgement.undecided or unreadable) else 0
