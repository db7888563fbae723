"""What a judged run gives: findings, undecided verdicts and counts, as in the JSON report, version 1."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, cast

from lintmdb.api.drawing import Run, draw_cards, draw_page
from lintmdb.api.kept import Kept
from lintmdb.api.tables import ArrowTable, Cell, Kind, Table, text_columns, to_arrow, to_pandas
from lintmdb.engine.findings import SUBJECT_KEYS, without
from lintmdb.report.entries import FindingEntry, ReportDocument, Value
from lintmdb.report.json_report import render_document
from lintmdb.report.terminal import counted_severities
from lintmdb.rules.rule import Severity
from lintmdb.settings.change_entries import ChangeEntry

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True, slots=True)
class Location:
    """A place in an export; None where there is no such thing, or it is not known."""

    path: str
    line: int | None
    column: int | None = None


@dataclass(frozen=True, slots=True)
class Related:
    """A place that a finding depends on."""

    path: str
    line: int | None
    message: str
    """The text there, or the product's default."""
    default: bool = False
    """Nothing is written there: the value is the product's default."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the story of the message."""

    step: int
    actor: str
    event: str
    text: str
    state: Mapping[str, int]
    """The counters after it."""


@dataclass(frozen=True, slots=True)
class Subject:
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
    environment: str | None = None
    """None where no environment is named."""


@dataclass(frozen=True, slots=True)
class Change:
    """One change of a configuration."""

    change: Literal["set", "define", "grant"]
    product: Literal["mq", "was"]
    place: str
    """The queue manager, or the cell."""
    kind: str
    """What kind of object is changed: ``QLOCAL``, ``listener_port``."""
    name: str
    path: str
    """WebSphere: the containment paths of the object; blank for MQ."""
    disposition: str
    """z/OS: the QSGDISP of the object."""
    acts: str
    """What has to be done before the change acts, and whom it concerns."""
    commands: tuple[str, ...]
    """In MQSC, or in Jython for wsadmin."""
    undo: tuple[str, ...] = ()
    """MQSC that takes the change back."""
    console: str | None = None
    """Where the console of WebSphere shows the object."""
    setting: str | None = None
    """``set``: the column of the value, ``queue.backout_threshold``."""
    attribute: str | None = None
    """``set``: its name in the product, ``BOTHRESH``."""
    old: str | None = None
    """``set``: None if no export contains it."""
    new: str | None = None
    """``set``: blank where the attribute is taken away."""
    read: Location | None = None
    """``set``: where the old value was read."""
    attributes: tuple[tuple[str, str], ...] = ()
    """``define``: keyword and value of MQSC."""
    user: str | None = None
    """``grant``: who gets rights."""
    rights: tuple[str, ...] = ()
    """``grant``: the rights, as ``SET AUTHREC`` spells them."""
    had: tuple[str, ...] = ()
    """``grant``: what the user's record of this profile grants now."""
    recorded: bool | None = None
    """``grant``: whether there is such a record; None where the exports do not tell."""
    group: bool | None = None
    """``grant``: True where a group gets the rights, None where a user does."""
    kept: tuple[str, ...] = ()
    """``grant``: those of the rights that a wider profile grants now, and that a record of this one would hide."""
    environment: str | None = None
    """None where no environment is named."""
    shared_with: tuple[str, ...] = ()
    """The other queue managers of a queue-sharing group, which have the same object."""
    servers: tuple[str, ...] = ()
    """``set``: the containment paths of all members of the cluster at whose scope the object is, where they are
    known."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A hazard, proven."""

    rule: str
    name: str
    severity: Severity
    confidence: str
    message: str
    subject: Subject
    values: Mapping[str, Value]
    """The values that decide, by ``alias.column``."""
    location: Location | None
    related: tuple[Related, ...]
    trace: tuple[Step, ...]
    """Empty where the hazard is not about delivery."""
    fix: str
    """The changes and the advice as text."""
    changes: tuple[tuple[Change, ...], ...]
    """The ways to end it, the preferred one first; the changes of each are made together. Empty where no setting
    repairs it."""
    fingerprint: str
    """The same for the same hazard in a later export."""
    put_back: tuple[Change, ...] = ()
    """Where a change brought it: the values that were there before and that end it together. ``old`` is the value that
    the change set, and ``read`` where."""
    _kept: Kept[Run] = field(default_factory=Kept[Run], repr=False, compare=False)

    def __repr__(self) -> str:
        return f"<Finding {self.rule} {self.severity}: {self.message}>"

    def _repr_html_(self) -> str | None:
        """The card of its flow, for a notebook."""
        run = self._kept.value
        return None if run is None else draw_cards(run, self.fingerprint)


@dataclass(frozen=True, slots=True)
class Undecided:
    """A verdict that the exports cannot settle."""

    rule: str
    subject: Subject
    missing: tuple[str, ...]
    needs: str
    """What would settle it, in words."""


@dataclass(frozen=True, slots=True)
class PoisonFate:
    """What becomes of a poison message."""

    persistent: bool | None
    """The kind of message that has this fate; None where every message has it."""
    fate: str
    target: str | None
    """The queue that it is moved to."""
    deliveries: int
    missing: tuple[str, ...]
    """What would settle a fate that is undecided."""


@dataclass(frozen=True, slots=True)
class JudgedQueue:
    """A queue that no endpoint reads, and what becomes of a poison message there, the worse fate first."""

    subject: Subject
    fates: tuple[PoisonFate, ...]


@dataclass(frozen=True, slots=True)
class Summary:
    """The counts of a run."""

    endpoints: int
    hazards: Mapping[Severity, int]
    undecided: int
    clear: int
    suppressed: int


@dataclass(frozen=True, slots=True)
class Report:
    """All verdicts of one run, in the order of the JSON report."""

    findings: tuple[Finding, ...]
    undecided: tuple[Undecided, ...]
    queues: tuple[JudgedQueue, ...]
    """With ``all_queues``: those that no endpoint reads, the worst fate first."""
    summary: Summary
    exit_code: int
    """What the command would exit with: 0, 1 (findings), 3 (nothing to judge) or 4 (undecided, in a strict run)."""
    _document: ReportDocument = field(repr=False, compare=False)
    _kept: Kept[Run] = field(default_factory=Kept[Run], repr=False, compare=False)

    def __repr__(self) -> str:
        found = counted_severities({**self.summary.hazards}) or "no findings"
        return f"<Report: {found}, {self.summary.undecided} undecided, exit code {self.exit_code}>"

    def to_json(self) -> str:
        """The JSON report, version 1, byte for byte as ``lintmdb check --format json`` writes it."""
        return render_document(self._document)

    def to_html(self) -> str:
        """The page that ``lintmdb check --format html`` writes. Raises LintmdbError in a pickled or copied report."""
        return draw_page(self._kept.needed("to_html"))

    def to_pandas(self) -> pandas.DataFrame:
        """One row for each finding and each undecided verdict. Raises LintmdbError where pandas is not installed."""
        return to_pandas(self._table())

    def to_arrow(self) -> ArrowTable:
        """The same rows as a table of Arrow. Raises LintmdbError where pyarrow is not installed."""
        return to_arrow(self._table())

    def _repr_html_(self) -> str | None:
        """The verdict and the cards of the worst flows, for a notebook."""
        run = self._kept.value
        return None if run is None else draw_cards(run)

    def _table(self) -> Table:
        return Table(COLUMNS, [*map(_finding_row, self.findings), *map(_undecided_row, self.undecided)])


COLUMNS: Mapping[str, Kind] = {
    **text_columns(("verdict", "rule", "rule_name", "severity", "confidence", "message", *SUBJECT_KEYS, "path")),
    "line": "whole",
    "column": "whole",
    **text_columns(("missing", "fix", "fingerprint")),
}
"""What a row says of a verdict: the columns of the CSV report that a verdict itself knows."""


def _finding_row(finding: Finding) -> dict[str, Cell]:
    place = finding.location or Location("", None)
    return {
        "verdict": "hazard",
        "rule": finding.rule,
        "rule_name": finding.name,
        "severity": finding.severity,
        "confidence": finding.confidence,
        "message": finding.message,
        **subject_row(finding.subject),
        "path": place.path or None,
        "line": place.line,
        "column": place.column,
        "fix": finding.fix,
        "fingerprint": finding.fingerprint,
    }


def _undecided_row(entry: Undecided) -> dict[str, Cell]:
    return {
        "verdict": "undecided",
        "rule": entry.rule,
        "message": f"undecided {without(entry.needs)}",
        **subject_row(entry.subject),
        "missing": " ".join(entry.missing),
    }


def subject_row(subject: Subject) -> dict[str, Cell]:
    """The keys of a subject as cells."""
    return {key: getattr(subject, key) for key in SUBJECT_KEYS}


def build_report(document: ReportDocument, code: int, run: Run) -> Report:
    """The report that a document is, with its exit code."""
    kept = Kept(run)
    return Report(
        findings=tuple(build_finding(entry, kept) for entry in document["findings"]),
        undecided=tuple(
            Undecided(entry["rule"], Subject(**entry["subject"]), tuple(entry["missing"]), entry["needs"])
            for entry in document["undecided"]
        ),
        queues=tuple(
            JudgedQueue(
                Subject(**entry["subject"]),
                tuple(
                    PoisonFate(
                        fate["persistent"], fate["fate"], fate["target"], fate["deliveries"], tuple(fate["missing"])
                    )
                    for fate in entry["fates"]
                ),
            )
            for entry in document.get("queues", ())
        ),
        summary=Summary(**document["summary"]),
        exit_code=code,
        _document=document,
        _kept=kept,
    )


def build_finding(entry: FindingEntry, kept: Kept[Run] | None = None) -> Finding:
    """The finding that an entry of a report is about. Its card is drawn from what is kept of the run."""
    return Finding(
        rule=entry["rule"],
        name=entry["name"],
        severity=entry["severity"],
        confidence=entry["confidence"],
        message=entry["message"],
        subject=Subject(**entry["subject"]),
        values=entry["values"],
        location=Location(**entry["location"]) if entry["location"] is not None else None,
        related=tuple(Related(**place) for place in entry["related"]),
        trace=tuple(Step(**step) for step in entry["trace"]),
        fix=entry["fix"],
        changes=tuple(tuple(map(build_change, changes)) for changes in entry["changes"]),
        fingerprint=entry["fingerprint"],
        put_back=tuple(map(build_change, entry.get("put_back", ()))),
        _kept=kept or Kept(),
    )


def build_change(entry: ChangeEntry) -> Change:
    """The change that an entry is about."""
    read = entry.get("read")
    return Change(
        change=entry["change"],
        product=cast("Literal['mq', 'was']", entry["product"]),
        place=entry["place"],
        kind=entry["kind"],
        name=entry["name"],
        path=entry["path"],
        disposition=entry["disposition"],
        environment=entry.get("environment"),
        acts=entry["acts"],
        commands=tuple(entry["commands"]),
        undo=tuple(entry.get("undo", ())),
        console=entry.get("console"),
        setting=entry.get("setting"),
        attribute=entry.get("attribute"),
        old=entry.get("old"),
        new=entry.get("new"),
        read=None if read is None else Location(read["path"], read["line"] or None, read["column"] or None),
        attributes=tuple((keyword, value) for keyword, value in entry.get("attributes", ())),
        user=entry.get("user"),
        rights=tuple(entry.get("rights", ())),
        had=tuple(entry.get("had", ())),
        recorded=entry.get("recorded"),
        group=entry.get("group"),
        kept=tuple(entry.get("kept", ())),
        shared_with=tuple(entry.get("shared_with", ())),
        servers=tuple(entry.get("servers", ())),
    )
