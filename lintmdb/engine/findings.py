"""What a judged run says: findings, undecided verdicts and their counts. Every report is drawn from these.

What there is one of for each verdict or flow is frozen where types are checked. At run time that would be half of what
it costs to make one.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, NamedTuple, TypedDict

from lintmdb.delivery.values import Values
from lintmdb.delivery.wording import Line, tell
from lintmdb.engine.evidence import deciding_columns, find_places
from lintmdb.engine.fix_text import fix_lines
from lintmdb.engine.flow_rows import FlowRows, JudgedRows, find_origin, known_values, read_value
from lintmdb.engine.repairs import Alternative, find_alternatives, find_obstacles
from lintmdb.engine.shown import fill, fill_known
from lintmdb.model.columns import Value
from lintmdb.model.origins import ChangeOrigin, Origin
from lintmdb.model.relations import Queue
from lintmdb.rules.predictions import run_named
from lintmdb.rules.rule import Rule
from lintmdb.settings.changes import PLANNED

SUBJECT_KEYS = (
    "kind",
    "name",
    "cell",
    "cluster",
    "node",
    "server",
    "application",
    "bean",
    "queue_manager",
    "queue",
    "environment",
)
"""The keys of a subject, all always present in the JSON report."""


class Subject(NamedTuple):
    """What a verdict is about; None where a key does not apply."""

    kind: str
    name: str | None
    cell: str | None = None
    cluster: str | None = None
    node: str | None = None
    server: str | None = None
    application: str | None = None
    module: str | None = None
    bean: str | None = None
    queue_manager: str | None = None
    queue: str | None = None
    bus: str | None = None
    detail: str | None = None
    """Which of several things in one file; for problems only."""
    environment: str | None = None
    """The environment of its exports, as the user names it."""

    def as_dict(self) -> dict[str, str | None]:
        """The keys of the JSON report."""
        return {key: getattr(self, key) for key in SUBJECT_KEYS}

    @property
    def is_member(self) -> bool:
        """Whether it belongs to one member of a cluster rather than to the cluster as a whole."""
        return self.cluster is not None and self.server is not None

    def of_cluster(self) -> Subject:
        """The same of the cluster as a whole, where it belongs to one member."""
        whole = self._replace(node=None, server=None)
        return whole._replace(kind="cluster", name=self.cluster) if self.kind == "server" else whole

    def identity(self) -> tuple[str, ...]:
        """The object identities from which a fingerprint is computed.

        The queue of an endpoint is left out: it is a value of the endpoint, not part of who it is.
        """
        parts = (
            self.kind,
            self.name or "",
            self.cell or "",
            self.cluster or "",
            self.node or "",
            self.server or "",
            self.bus or "",
            self.application or "",
            self.module or "",
            self.bean or "",
            self.detail or "",
            *((f"environment {self.environment}",) if self.environment else ()),
        )
        if self.kind in ("queue", "queue_manager"):
            return (*parts, self.queue_manager or "", self.queue or "")
        return parts


class Need(NamedTuple):
    """What would settle an undecided verdict: for one subject, and summed up for the footer."""

    text: str
    kind: str
    """What kind of source is missing: queue_manager, user, on_message ...: equal kind and target are one line."""
    target: str
    command: str = ""
    """A command or option that gives it."""


def without(need: str) -> str:
    """The text of a need behind ``undecided``: ``without an export of queue manager QM1``."""
    return f"without {'knowing ' if need.startswith('whether ') else ''}{need}"


@dataclass(frozen=TYPE_CHECKING, eq=False)
class Finding:
    """A hazard, with the one place that it points at and any number of related ones.

    What it says is worked out when somebody asks: a report shows most findings of a large estate as a number alone.
    """

    rule: Rule
    subject: Subject
    rows: JudgedRows = field(repr=False)
    """The rows that show it first."""
    flow: int | None
    """Number of the first flow that shows it; None for findings about exports."""
    flows: int = 1
    """How many flows share it."""
    differing: frozenset[Origin] = field(default=frozenset(), repr=False)
    """The places of values that an earlier state has otherwise, where there is one."""
    put_back: Alternative = field(default=(), repr=False)
    """The values of an earlier state that end it, where a change sets others."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Finding) and self._told() == other._told()

    def _told(self) -> tuple[object, ...]:
        return self.rule, self.subject, self.message, self.values, self._places, self.flow, self.flows

    @functools.cached_property
    def message(self) -> str:
        """What happens, in a sentence."""
        return fill(self.rule.message, self.rows)

    @functools.cached_property
    def values(self) -> Mapping[str, Value]:
        """The known values of the columns that decide, by ``alias.column``."""
        return known_values(deciding_columns(self.rule, self.rows), self.rows)

    @functools.cached_property
    def _places(self) -> list[Origin]:
        return find_places(self.rule, self.rows)

    @functools.cached_property
    def location(self) -> Origin | None:
        """The place that it points at: one in a change, which is what its author looks for, if there is any; of several
        one whose value an earlier state has otherwise; and of these the first that is no default.
        """
        return min(self._places, key=self._distance, default=None)

    def _distance(self, place: Origin) -> tuple[bool, bool, bool]:
        return not _is_in_change(place), place not in self.differing, place.default

    @property
    def related(self) -> tuple[Origin, ...]:
        """The places of the other values."""
        location = self.location
        return tuple([place for place in self._places if place is not location])

    @property
    def fix(self) -> str:
        """What ends it, as text. It is built on demand, because nobody reads most findings that a plan judges."""
        advice = fill_known(self.rule.advice, self.rows)
        return "\n".join(
            fix_lines(find_alternatives(self.rule, self.rows), find_obstacles(self.rule, self.rows), advice)
        )

    @property
    def trace(self) -> list[Line]:
        """What happens to the message, step by step; empty for a hazard that is not about delivery."""
        predicts = self.rule.predicts
        if predicts is None:
            return []
        outcome = run_named(Values(functools.partial(read_value, self.rows)), predicts.shows[0].workload)
        return tell(outcome.steps)

    @property
    def fingerprint(self) -> str:
        """A hash of the rule and of object identities, never of line numbers: exports are regenerated all the time."""
        return compute_fingerprint(self.rule.id, self.subject)


def _is_in_change(place: Origin) -> bool:
    return isinstance(place, ChangeOrigin) and place.path != PLANNED


def compute_fingerprint(rule: str, subject: Subject) -> str:
    """The fingerprint of a rule's verdict on a subject, hazard or not."""
    text = "\x1f".join((rule, *subject.identity()))
    return hashlib.sha256(text.encode()).hexdigest()[:32]


@dataclass(frozen=True, slots=True)
class Suppressed:
    """A finding that does not count, and why."""

    finding: Finding
    kind: Literal["configuration", "comment", "baseline"]
    path: str
    line: int
    reason: str | None = None
    """None in a baseline, which knows none."""
    expires: str | None = None
    owner: str | None = None


NoticeKind = Literal[
    "expired_suppression",
    "unused_suppression",
    "invalid_suppression",
    "stale_baseline_entry",
    "resolved_baseline_entry",
    "not_read",
    "guessed_name",
    "incomplete_export",
    "refused_command",
    "undecided_command",
    "script_beside_export",
    "shared_object_differs",
    "name_differs_in_case",
    "joined_across_folders",
    "in_no_environment",
    "undefined_remote_queue",
    "closed_remote_queue",
    "read_remote_queue",
    "full_queue",
    "undefined_alias",
    "hidden_definition",
    "unlisted_member",
    "not_exported",
    "overwritten_copy",
    "refused_change",
    "unjudged_change",
    "unmatched_observation",
    "kept_queue",
]


class NoticeEntry(TypedDict):
    """A notice as documents hold it."""

    kind: str
    path: str
    line: int | None
    text: str
    next_step: str | None
    environment: str | None


@dataclass(frozen=True, slots=True)
class Notice:
    """Something about a suppression, a baseline or the exports that a reader has to know: it is told, and it fails
    nothing by itself.
    """

    kind: NoticeKind
    path: str
    line: int
    text: str
    next_step: str = ""
    environment: str | None = None
    """That of the exports that it is about."""
    queue_manager: str = ""
    object: str = ""
    """Of a notice on a queue its queue manager and its name, which its text has, too."""

    def as_dict(self) -> NoticeEntry:
        """The plain values of documents, without a line or a next step where there is none."""
        return {
            "kind": self.kind,
            "path": self.path,
            "line": self.line or None,
            "text": self.text,
            "next_step": self.next_step or None,
            "environment": self.environment,
        }


@dataclass(frozen=TYPE_CHECKING, unsafe_hash=True, slots=True)
class Undecided:
    """A verdict that the exports given cannot settle."""

    rule: Rule
    subject: Subject
    missing: tuple[str, ...]
    need: Need
    flow: int | None


@dataclass(frozen=TYPE_CHECKING, unsafe_hash=True, slots=True)
class FlowHead:
    """A flow, and what identifies it to a reader."""

    subject: Subject
    rows: FlowRows = field(repr=False, compare=False)

    @property
    def member_count(self) -> int | None:
        """How many members the cluster of the flow has; None for one server."""
        return self.rows.server.member_count if self.rows.server else None

    @property
    def origin(self) -> Origin | None:
        """Where the endpoint is defined."""
        return find_origin(self.rows, "endpoint.name")

    @property
    def topic(self) -> str | None:
        """The topic that the endpoint reads."""
        return self.rows.endpoint.topic


@dataclass(slots=True)
class Judgement:
    """All verdicts of a run. ``clear`` counts rule and subject pairs that were judged and found clear."""

    findings: list[Finding] = field(default_factory=list[Finding])
    undecided: list[Undecided] = field(default_factory=list[Undecided])
    clear: int = 0
    judged: list[tuple[Subject, tuple[Rule, ...], tuple[int, ...]]] = field(
        default_factory=list[tuple[Subject, tuple[Rule, ...], tuple[int, ...]]], repr=False
    )
    """Subjects, the rules about each, and their Verdict numbers, whatever was left out since."""
    cells: dict[Subject, str | None] = field(default_factory=dict[Subject, str | None], repr=False)
    """The cell of the first flow that meets a subject which is in no cell itself, such as a queue."""
    flows: list[FlowHead] = field(default_factory=list[FlowHead])
    queue_flows: int = 0
    """How many flows at the end are no flows but queues by themselves, which only plans take as flows."""
    endpoints: int = 0
    unread: list[FlowHead] = field(default_factory=list[FlowHead])
    """The queues with GET(ENABLED) that were judged though no endpoint leads to them. In the rows of each a JMS client
    that never gives up reads it."""
    all_queues: bool = False
    """Queues and queue managers that no endpoint leads to were judged, too."""
    unread_queues: int = 0
    """Queues and queue managers that were judged though no endpoint leads to them."""
    unread_models: int = 0
    """Model queues with backout attributes that nothing judges: they hold no messages, and who makes queues of them is
    not known.
    """
    unset_queues: list[Queue] = field(default_factory=list[Queue])
    """Local queues without backout attributes that nothing judges: no endpoint reads them, and no poison message is
    moved there.
    """
    unread_managers: int = 0
    """The queue managers among them."""
    closed: list[FlowHead] = field(default_factory=list[FlowHead])
    """The queues with GET(DISABLED) among them: nobody gets a message, so none is poison."""
    suppressed: list[Suppressed] = field(default_factory=list[Suppressed])
    """Findings that do not count; they are not among ``findings``."""
    notices: list[Notice] = field(default_factory=list[Notice])
    unseen: list[tuple[FlowHead, str]] = field(default_factory=list[tuple[FlowHead, str]])
    """Of a comparison: the flows that the exports do not show any more, each with what would show it."""
    worse: list[tuple[FlowHead, str]] = field(default_factory=list[tuple[FlowHead, str]])
    """Of a comparison: the flows on which a message fares worse for no new finding, each with both fates."""
    worse_longest: list[tuple[FlowHead, str]] = field(default_factory=list[tuple[FlowHead, str]])
    """The same of the longest messages."""
    rules: tuple[Rule, ...] = ()
    """The rules that were asked, sorted by id."""

    @property
    def message_flows(self) -> list[FlowHead]:
        """The flows without queues that stand by themselves."""
        return self.flows[: len(self.flows) - self.queue_flows]

    @property
    def clear_subjects(self) -> list[tuple[str, Subject]]:
        """Rule id and subject of all that is clear."""
        return [
            (rule.id, subject)
            for subject, rules, verdicts in self.judged
            for rule, verdict in zip(rules, verdicts, strict=True)
            if verdict == 1
        ]

    def all_rules(self) -> list[Rule]:
        """The rules that were asked, and any other that has a verdict here, sorted by id."""
        named = {entry.rule.id: entry.rule for entry in (*self.undecided, *self.findings)}
        named |= {rule.id: rule for rule in self.rules}
        return [named[name] for name in sorted(named)]
