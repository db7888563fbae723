"""What a comparison of two states of an estate gives."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, NamedTuple, TypedDict, cast

from lintmdb.api.drawing import framed
from lintmdb.api.kept import Kept
from lintmdb.api.results import Finding, Subject, build_finding, subject_row
from lintmdb.api.tables import ArrowTable, Cell, Table, text_columns, to_arrow, to_pandas
from lintmdb.compare.estates import Comparison, Side
from lintmdb.engine.findings import SUBJECT_KEYS, without
from lintmdb.report.difference import render_difference_json
from lintmdb.report.entries import FindingEntry, SubjectEntry
from lintmdb.report.html.difference_page import render_difference_html
from lintmdb.report.terminal import plural

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True, slots=True)
class FateChange:
    """What becomes of a message on a flow, before and after, in words."""

    subject: Subject
    workload: str
    before: str
    after: str
    worse: bool
    """Whether the message fares worse than before; False where one of the fates is not known."""


@dataclass(frozen=True, slots=True)
class NewFinding:
    """A finding that was not there before."""

    finding: Finding
    before: Literal["clear", "undecided"] | None
    """None where the rule did not apply, or the subject was not there."""


@dataclass(frozen=True, slots=True)
class NewlyUndecided:
    """A verdict that cannot be given any more, or not yet."""

    rule: str
    subject: Subject
    before: Literal["hazard", "clear"] | None
    needs: str
    """What would settle it, in words."""


@dataclass(frozen=True, slots=True)
class UnseenFlow:
    """A flow that is not there because an export is missing after."""

    subject: Subject
    needs: str


@dataclass(frozen=True, slots=True)
class Renamed:
    """A finding that stays with its flow while the queue has another name."""

    rule: str
    before: Subject
    after: Subject


@dataclass(frozen=True, slots=True)
class Resized:
    """A cluster that has another number of members."""

    cluster: str
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class Migrated:
    """A flow on one kind of server, and the same bean's flow on the other."""

    before: Subject
    after: Subject


@dataclass(frozen=True, slots=True)
class AddedQueue:
    """A queue that no endpoint reads and that was not judged before, and what becomes of a poison message there."""

    subject: Subject
    fate: str


@dataclass(frozen=True, slots=True)
class Difference:
    """What differs between two states, in the order of the JSON report."""

    fates: tuple[FateChange, ...]
    added: tuple[Subject, ...]
    """Flows that were not there before."""
    removed: tuple[Subject, ...]
    migrated: tuple[Migrated, ...]
    """Flows whose application moved between WebSphere Application Server traditional and Liberty."""
    unseen: tuple[UnseenFlow, ...]
    added_queues: tuple[AddedQueue, ...]
    """With ``all_queues``: queues that no endpoint reads and that were not judged before."""
    removed_queues: tuple[Subject, ...]
    clusters: tuple[Resized, ...]
    new: tuple[NewFinding, ...]
    suppressed: tuple[Finding, ...]
    """New findings that a suppression is about."""
    resolved: tuple[Finding, ...]
    renamed: tuple[Renamed, ...]
    undecided: tuple[NewlyUndecided, ...]
    unchanged: int
    """How many findings are there on both sides."""
    exit_code: int
    """What the command would exit with: 0, 1 (new findings or a worse fate), 3 (nothing to judge on a side) or 4 (newly
    undecided, in a strict run)."""
    _text: str = field(repr=False, compare=False)
    _kept: Kept[_Compared] = field(default_factory=Kept["_Compared"], repr=False, compare=False)

    def __repr__(self) -> str:
        subjects = {fate.subject for fate in self.fates}
        queues = sum(subject.kind == "queue" for subject in subjects)
        fates = plural(len(subjects), "queue" if queues and queues == len(subjects) else "flow")
        found = f"{len(self.new)} new, {len(self.resolved)} resolved, {len(self.undecided)} newly undecided"
        return f"<Difference: {fates} with another fate, {found}, exit code {self.exit_code}>"

    def to_json(self) -> str:
        """The JSON report, byte for byte as ``lintmdb diff --format json`` writes it."""
        return self._text

    def to_html(self) -> str:
        """The page, as ``lintmdb diff --format html`` writes it. Raises LintmdbError in a pickled or copied result."""
        return render_difference_html(*self._kept.needed("to_html"))

    def to_pandas(self) -> pandas.DataFrame:
        """One row for each fate that changed, and for each finding that is new, resolved or undecided now.

        Raises LintmdbError where pandas is not installed.
        """
        return to_pandas(self._table())

    def to_arrow(self) -> ArrowTable:
        """The same rows as a table of Arrow. Raises LintmdbError where pyarrow is not installed."""
        return to_arrow(self._table())

    def _repr_html_(self) -> str | None:
        compared = self._kept.value
        return None if compared is None else framed(render_difference_html(*compared))

    def _table(self) -> Table:
        columns = ("change", "rule", "severity", *SUBJECT_KEYS, "workload", "before", "after", "message", "fingerprint")
        return Table(text_columns(columns), list(self._rows()))

    def _rows(self) -> Iterator[dict[str, Cell]]:
        for fate in self.fates:
            row = {"workload": fate.workload, "before": fate.before, "after": fate.after}
            yield {"change": "fate", **subject_row(fate.subject), **row}
        for new in self.new:
            yield {"change": "new", "before": new.before, "after": "hazard", **_finding_row(new.finding)}
        for finding in self.resolved:
            yield {"change": "resolved", "before": "hazard", **_finding_row(finding)}
        for entry in self.undecided:
            row = {"rule": entry.rule, "before": entry.before, "after": "undecided"}
            yield {"change": "undecided", **subject_row(entry.subject), **row, "message": without(entry.needs)}


def _finding_row(finding: Finding) -> dict[str, Cell]:
    return {
        "rule": finding.rule,
        "severity": finding.severity,
        **subject_row(finding.subject),
        "message": finding.message,
        "fingerprint": finding.fingerprint,
    }


class _Finding(FindingEntry):
    before: Literal["clear", "undecided"] | None


class _Fate(TypedDict):
    subject: SubjectEntry
    workload: str
    before: str
    after: str
    worse: bool


class _Unseen(TypedDict):
    subject: SubjectEntry
    needs: str


class _Migrated(TypedDict):
    before: SubjectEntry
    after: SubjectEntry


class _Flows(TypedDict):
    added: list[SubjectEntry]
    removed: list[SubjectEntry]
    migrated: list[_Migrated]
    unseen: list[_Unseen]


class _AddedQueue(TypedDict):
    subject: SubjectEntry
    fate: str


class _Queues(TypedDict):
    added: list[_AddedQueue]
    removed: list[SubjectEntry]


class _Undecided(TypedDict):
    rule: str
    subject: SubjectEntry
    before: Literal["hazard", "clear"] | None
    needs: str


class _Renamed(TypedDict):
    rule: str
    before: SubjectEntry
    after: SubjectEntry


class _Resized(TypedDict):
    cluster: str
    before: int
    after: int


class _Document(TypedDict):
    """The JSON report of ``lintmdb diff``."""

    fates: list[_Fate]
    flows: _Flows
    queues: _Queues
    clusters: list[_Resized]
    new: list[_Finding]
    suppressed: list[FindingEntry]
    resolved: list[FindingEntry]
    renamed: list[_Renamed]
    undecided: list[_Undecided]
    summary: Mapping[str, int]


class _Compared(NamedTuple):
    """What the page of a comparison is drawn from."""

    comparison: Comparison
    before: Side
    after: Side


def build_difference(comparison: Comparison, code: int, before: Side, after: Side) -> Difference:
    """The result of a comparison of two states, with its exit code."""
    text = render_difference_json(comparison)
    document = cast("_Document", json.loads(text))
    flows = document["flows"]
    return Difference(
        fates=tuple(
            FateChange(Subject(**entry["subject"]), entry["workload"], entry["before"], entry["after"], entry["worse"])
            for entry in document["fates"]
        ),
        added=tuple(Subject(**entry) for entry in flows["added"]),
        removed=tuple(Subject(**entry) for entry in flows["removed"]),
        migrated=tuple(Migrated(Subject(**entry["before"]), Subject(**entry["after"])) for entry in flows["migrated"]),
        unseen=tuple(UnseenFlow(Subject(**entry["subject"]), entry["needs"]) for entry in flows["unseen"]),
        added_queues=tuple(
            AddedQueue(Subject(**entry["subject"]), entry["fate"]) for entry in document["queues"]["added"]
        ),
        removed_queues=tuple(Subject(**entry) for entry in document["queues"]["removed"]),
        clusters=tuple(Resized(entry["cluster"], entry["before"], entry["after"]) for entry in document["clusters"]),
        new=tuple(NewFinding(build_finding(entry), entry["before"]) for entry in document["new"]),
        suppressed=tuple(build_finding(entry) for entry in document["suppressed"]),
        resolved=tuple(build_finding(entry) for entry in document["resolved"]),
        renamed=tuple(
            Renamed(entry["rule"], Subject(**entry["before"]), Subject(**entry["after"]))
            for entry in document["renamed"]
        ),
        undecided=tuple(
            NewlyUndecided(entry["rule"], Subject(**entry["subject"]), entry["before"], entry["needs"])
            for entry in document["undecided"]
        ),
        unchanged=document["summary"]["unchanged"],
        exit_code=code,
        _text=text,
        _kept=Kept(_Compared(comparison, before, after)),
    )
