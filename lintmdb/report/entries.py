"""The shapes of the JSON report, version 1, as types; ``report.schema.json`` is the same for other programs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal, NotRequired, TypeAlias, TypedDict

from lintmdb.engine.findings import NoticeEntry
from lintmdb.rules.rule import Severity
from lintmdb.settings.change_entries import ChangeEntry

Value: TypeAlias = str | int | float | bool | None
"""The value of a setting, as an export has it."""


class SubjectEntry(TypedDict):
    """What a verdict is about; None where a key does not apply."""

    kind: str
    name: str | None
    cell: str | None
    cluster: str | None
    node: str | None
    server: str | None
    application: str | None
    bean: str | None
    queue_manager: str | None
    queue: str | None
    environment: str | None
    """As the user names it; None where no environment is named."""


class LocationEntry(TypedDict):
    """A place in an export, line and column from 1."""

    path: str
    line: int | None
    column: int | None


class RelatedEntry(TypedDict):
    """A place that a finding depends on."""

    path: str
    line: int | None
    message: str
    default: NotRequired[bool]


class StepEntry(TypedDict):
    """One step of a trace, with the counters after it."""

    step: int
    actor: str
    event: str
    text: str
    state: dict[str, int]


class HazardEntry(TypedDict):
    """A hazard without its changes as data."""

    rule: str
    name: str
    severity: Severity
    confidence: str
    verdict: Literal["hazard"]
    message: str
    subject: SubjectEntry
    values: dict[str, Value]
    location: LocationEntry | None
    related: list[RelatedEntry]
    trace: list[StepEntry]
    fix: str
    """The changes and the advice as text."""
    fingerprint: str


class FindingEntry(HazardEntry):
    """A hazard."""

    changes: list[list[ChangeEntry]]
    """The ways to end it, the preferred one first; the changes of each are made together."""
    put_back: NotRequired[list[ChangeEntry]]
    """The values that were there before a change and that end it, where the change set others."""


class SuppressionEntry(TypedDict):
    """The decision that a finding does not count."""

    kind: Literal["configuration", "comment", "baseline"]
    path: str
    line: int | None
    reason: str | None
    expires: str | None
    owner: str | None


class SuppressedEntry(FindingEntry):
    """A finding that does not count."""

    suppression: SuppressionEntry


class UndecidedEntry(TypedDict):
    """A verdict that the exports cannot settle."""

    rule: str
    subject: SubjectEntry
    missing: list[str]
    needs: str


class ProblemEntry(TypedDict):
    """What could not be read or understood in an input."""

    kind: str
    line: int | None
    column: int | None
    text: str
    next_step: str | None


class InputEntry(TypedDict):
    """One file that was read; without kind and digest one that could not be."""

    path: str
    kind: str | None
    sha256: str | None
    objects: dict[str, int]
    problems: list[ProblemEntry]


class SummaryEntry(TypedDict):
    """The counts of a run."""

    endpoints: int
    hazards: Mapping[Severity, int]
    undecided: int
    clear: int
    suppressed: int


class ToolEntry(TypedDict):
    """What wrote the report."""

    name: str
    version: str


class FateEntry(TypedDict):
    """What becomes of a poison message."""

    persistent: bool | None
    """The kind of message; None where persistent and non-persistent messages share the fate."""
    fate: str
    target: str | None
    """The queue that it is moved to."""
    deliveries: int
    """How often it is delivered."""
    if_user_may_put: bool
    """It is so only if the user may put messages on the target, which no export shows."""
    otherwise: str | None
    """The dead-letter queue that it is moved to if the user may not put it on the target, which no export shows."""
    missing: list[str]
    """What would settle a fate that is undecided."""


class QueueEntry(TypedDict):
    """A queue that no endpoint reads, and what becomes of a poison message there, the worse fate first."""

    subject: SubjectEntry
    fates: list[FateEntry]


class UnsetQueueEntry(TypedDict):
    """A queue without backout attributes that nothing judges, and where it is defined."""

    subject: SubjectEntry
    location: LocationEntry | None


class ReportDocument(TypedDict):
    """The whole report. The long lists may be iterators where the document is only written."""

    schema: str
    tool: ToolEntry
    inputs: list[InputEntry]
    findings: Iterable[FindingEntry]
    undecided: Iterable[UndecidedEntry]
    suppressed: Iterable[SuppressedEntry]
    notices: Iterable[NoticeEntry]
    queues: NotRequired[Iterable[QueueEntry]]
    """Where queues were judged by themselves: those that no endpoint reads, the worst fate first."""
    unset_queues: NotRequired[Iterable[UnsetQueueEntry]]
    """The same for those that nothing judges, as BOTHRESH is 0 and BOQNAME blank."""
    summary: SummaryEntry
