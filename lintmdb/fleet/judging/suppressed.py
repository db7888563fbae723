"""Findings that do not count, as for ``check``: by the configuration, by a comment in an export, or by a baseline."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypedDict

from lintmdb.engine.findings import Finding, Notice, Subject, Suppressed
from lintmdb.fleet.arrow import compute, dataset, pa, records
from lintmdb.fleet.arrow_rows import distinct, is_among
from lintmdb.fleet.facts.collect import Collected
from lintmdb.fleet.facts.encoding import INLINE_SUPPRESSION, INLINE_SUPPRESSION_COLUMNS
from lintmdb.fleet.facts.store import Store
from lintmdb.model.origins import InlineSuppression
from lintmdb.run.baseline import Entry, Lines, LostReader, ReadExport, find_stale, read_baseline, stale_notice
from lintmdb.run.config.choice import Choice
from lintmdb.run.suppressing import Decisions, decide
from lintmdb.run.suppression import today


@dataclass(frozen=True, slots=True)
class SuppressionKeys:
    """Decides, in an executor, whether a finding counts.

    ``used`` numbers, which executors give back, are those of decisions, and minus the line of a baseline's entry.
    """

    decisions: Decisions
    baseline: str = ""
    """Path of the baseline."""
    lines: Lines = field(default_factory=Lines)
    """Of the baseline's entries."""
    locked: frozenset[str] = frozenset()
    """Rules that no baseline hides."""
    baselined: frozenset[str] = frozenset()
    """The rules of the baseline's entries."""

    @property
    def says_nothing(self) -> bool:
        """Whether every finding counts and no notice can come of it."""
        return not (self.decisions.suppressions or self.decisions.comments or self.lines)

    def of_finding(self, finding: Finding) -> tuple[Suppressed | None, list[int]]:
        """Why a finding does not count, None where it does; and the numbers of what is about it."""
        used = self.decisions.about(finding.rule.id, finding.subject)
        suppressed = self.decisions.suppressed(finding, used)
        lines = self.lines.of_finding(finding)
        if lines and (suppressed is not None or finding.rule.id not in self.locked):
            suppressed = suppressed or Suppressed(finding, "baseline", self.baseline, lines[0])
        if suppressed is not None or finding.rule.id not in self.locked:
            used += self.of_baseline(finding.rule.id, finding.subject)
        return suppressed, used

    def of_undecided(self, rule: str, subject: Subject) -> list[int]:
        """The numbers of what is about an undecided verdict, which may be needed again."""
        return [*self.decisions.about(rule, subject), *self.of_baseline(rule, subject)]

    def of_baseline(self, rule: str, subject: Subject) -> list[int]:
        """The numbers of the baseline's entries about a verdict."""
        return [-line for line in self.lines.about(rule, subject)]


@dataclass(frozen=True, slots=True)
class SuppressionRun:
    """What an audit leaves out, with all that its notices need."""

    choice: Choice
    told: SuppressionKeys
    entries: Sequence[Entry] = ()
    """Of the baseline."""

    def notices(
        self,
        used: Collection[int],
        read: Set[ReadExport],
        lost: Set[LostReader],
        audit: Path,
        *,
        endpoints: int,
        all_queues: bool,
    ) -> list[Notice]:
        """What is out of date or not valid, as ``check`` reports it of the exports that were read; ``audit`` has the
        verdicts on so many ``endpoints``, and ``lost`` are all endpoints whose queue manager is not known.

        The tables count clear verdicts and do not name them. A decision about an object that its rule is clear of is
        thus kept while the rule is undecided elsewhere, and an entry about a queue while some cell of the baseline was
        not read.
        """
        running = {rule.id for rule in self.choice.rules}
        unsettled = _find_unsettled(audit, self.told.decisions, used) if endpoints else running
        open_decisions = self.told.decisions.of_rules(unsettled).difference(used)
        told = [entry for entry in self.entries if all_queues or not entry.alone]
        missed = [entry for entry in told if entry.rule in running and -entry.line not in used]
        stale = find_stale(missed, self.entries, read, lost, frozenset[str])
        about = (stale_notice(entry, self.told.baseline, self.told.locked) for entry in stale)
        decided = self.told.decisions.notices(
            used, self.choice, lambda rules: _find_subjects(audit, rules), open_decisions
        )
        return [*decided, *about]


def plan_suppression(
    choice: Choice, baseline: Path | None, inline_suppressions: Iterable[InlineSuppression], *, suppressions: bool
) -> SuppressionRun:
    """What a run leaves out; without ``suppressions`` only the baseline does. Raises LintmdbError."""
    entries = read_baseline(baseline) if baseline is not None else []
    decisions = decide(choice, inline_suppressions, today()) if suppressions else Decisions((), (), today(), {}, {})
    path = baseline.as_posix() if baseline is not None else ""
    baselined = frozenset(entry.rule for entry in entries)
    return SuppressionRun(
        choice, SuppressionKeys(decisions, path, Lines(entries), frozenset(choice.locks), baselined), entries
    )


def find_lost_readers(store: Store, collected: Collected) -> set[LostReader]:
    """The endpoints of IBM MQ whose queue manager is not known."""
    unknown = compute.field("queue_manager").is_null() | (compute.field("queue_manager") == "")
    wanted = unknown & (compute.field("provider") == "wmq") & is_among("part", (part.part for part in collected.live))
    found: set[tuple[str | None, str | None]] = set()
    for folder in store.folders(collected.state, "endpoint"):
        found |= distinct(folder, ("environment", "queue"), wanted)
    return {LostReader(*entry) for entry in found}


class _Verdict(TypedDict):
    """What is read of a row of findings, suppressed or undecided."""

    rule: str
    subject: dict[str, Any]
    """By the fields of Subject."""


def find_used(audit: Path, told: SuppressionKeys) -> set[int]:
    """The numbers of what is about some verdict, as the tables of an audit tell."""
    decisions, used = told.decisions, set[int]()
    rules = {rule for _, rules in decisions.suppressions for rule in rules} | {rule for rule, _, _ in decisions.allowed}
    wanted = compute.field("rule").isin(pa.array(sorted(rules | told.baselined), pa.string()))
    for table in ("suppressed", "findings", "undecided"):
        rows = dataset.dataset(str(audit / table), format="parquet")
        for batch in rows.to_batches(columns=["rule", "subject"], filter=wanted):
            for row in records(batch, _Verdict):
                subject = Subject(**row["subject"])
                used.update(decisions.about(row["rule"], subject))
                if table != "findings" or row["rule"] not in told.locked:
                    used.update(told.of_baseline(row["rule"], subject))
    return used


def _find_unsettled(audit: Path, decisions: Decisions, used: Collection[int]) -> set[str]:
    """The rules that some verdict of an audit does not decide, among those of decisions that are not ``used``."""
    rules = {rule for number, (_, named) in enumerate(decisions.suppressions) if number not in used for rule in named}
    rules |= {rule for (rule, *_), numbers in decisions.allowed.items() if not set(numbers) <= set(used)}
    return {rule for (rule,) in distinct(str(audit / "undecided"), ("rule",), is_among("rule", sorted(rules)))}


def _find_subjects(audit: Path, rules: Set[str]) -> Iterator[Subject]:
    """What the findings of some rules are about that no decision suppresses, those of the baseline among them."""
    of_rules = compute.field("rule").isin(pa.array(sorted(rules), pa.string()))
    baselined = compute.field("suppression", "kind") == "baseline"
    for table, wanted in (("findings", of_rules), ("suppressed", of_rules & baselined)):
        rows = dataset.dataset(str(audit / table), format="parquet")
        for batch in rows.to_batches(columns=["rule", "subject"], filter=wanted):
            yield from (Subject(**row["subject"]) for row in records(batch, _Verdict))


def read_inline_suppressions(store: Store, collected: Collected) -> list[InlineSuppression]:
    """The comments of all exports that count, those of one export in its own order."""
    names = [column.name for column in INLINE_SUPPRESSION_COLUMNS]
    dead = set(collected.dead)
    found: list[tuple[int, int, InlineSuppression]] = []
    for folder in store.folders(collected.state, INLINE_SUPPRESSION):
        rows = dataset.dataset(folder, format="parquet").to_table(columns=["part", "row", *names]).to_pylist()
        found += (
            (row["part"], row["row"], InlineSuppression(**{name: row[name] for name in names}))
            for row in rows
            if row["part"] not in dead
        )
    return [inline_suppression for _, _, inline_suppression in sorted(found)]
