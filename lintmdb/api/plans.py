"""What a plan gives: the changes, what becomes of each flow, and the scripts."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Literal, Protocol, cast, runtime_checkable

from lintmdb.api import arguments
from lintmdb.api.arguments import AnyPath, one_path, path_or_paths
from lintmdb.api.drawing import framed
from lintmdb.api.kept import Kept
from lintmdb.api.results import Change, Severity, Subject, build_change
from lintmdb.api.tables import ArrowTable, Cell, Table, text_columns, to_arrow, to_pandas
from lintmdb.delivery.fate import Fate
from lintmdb.engine.judge import judge
from lintmdb.plan import planner
from lintmdb.plan.document import FindingEntry, FlowEntry, KeptFlow, PlanDocument, plan_document, render_document
from lintmdb.plan.scripts import plan_scripts
from lintmdb.plan.verify import find_worse, verify
from lintmdb.report.entries import SubjectEntry
from lintmdb.report.terminal import plural
from lintmdb.resolve.observations import Observations
from lintmdb.run.estate import read_exports, resolve_exports
from lintmdb.settings.change_entries import ChangeEntry, read_change

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import pandas

    from lintmdb.run.estate import UnresolvedEstate
    from lintmdb.settings.changes import Change as Changed


@dataclass(frozen=True, slots=True)
class PlannedChange:
    """A change of a plan, and the findings that it answers."""

    change: Change
    rules: tuple[str, ...]
    owner: str | None
    """Of the queue manager or the cell; None where the configuration names none."""


@dataclass(frozen=True, slots=True)
class PlannedFlow:
    """What becomes of a poison message on a flow, before and after the changes."""

    endpoint: str | None
    bean: str | None
    environment: str | None
    cell: str | None
    cluster: str | None
    server: str | None
    queue_manager: str | None
    queue: str | None
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class PlannedQueue:
    """What a queue that no endpoint reads makes of a poison message of a JMS client that never gives up, before and
    after the changes.
    """

    environment: str | None
    queue_manager: str | None
    queue: str | None
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class PlanFinding:
    """A finding that the changes end, or that stays."""

    rule: str
    severity: str
    subject: Subject
    message: str
    advice: str | None
    """What to do where it stays."""


@dataclass(frozen=True, slots=True)
class PlanScript:
    """A script that makes changes, or undoes them."""

    path: str
    """Below the folder of the plan."""
    text: str
    product: str
    place: str
    """The queue manager or the cell that it is for."""
    environment: str | None = None


@dataclass(frozen=True, slots=True)
class VerifiedChange:
    """A change of a plan, and how far it is."""

    planned: PlannedChange
    progress: Literal["done", "open", "drifted", "not exported"]
    """``open``: the object has the old value. ``drifted``: it has neither the old one nor the new one, or is gone."""
    now: str | None
    """The value that the newer export has; None where there is none."""


@dataclass(frozen=True, slots=True)
class WorseFlow:
    """A flow that a plan, as far as it is carried out, has left worse off than it was."""

    subject: Subject
    before: str
    """What became of a poison message before the plan."""
    now: str
    """What becomes of it by the newer exports."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a plan is."""

    changes: tuple[VerifiedChange, ...]
    worse: tuple[WorseFlow, ...] = ()

    @property
    def exit_code(self) -> int:
        """What the command would exit with: 0 where all changes are done, otherwise 1."""
        return 0 if all(entry.progress == "done" for entry in self.changes) else 1


@runtime_checkable
class Newer(Protocol):
    """Exports that were read after changes were made: an Estate."""

    def progress(self, planned: Sequence[PlannedChange], flows: Sequence[PlannedFlow] = ()) -> Progress:
        """How far the changes of a plan are, by these exports, and which of its flows are worse off."""
        ...


@dataclass(frozen=True, slots=True)
class Plan:
    """The cheapest changes after which nothing is left that a setting repairs, proven by judging again."""

    severity: Severity
    """Findings of this severity and above were to be gone."""
    changes: tuple[PlannedChange, ...]
    flows: tuple[PlannedFlow, ...]
    queues: tuple[PlannedQueue, ...]
    """With ``all_queues``: those that no endpoint reads."""
    gone: tuple[PlanFinding, ...]
    left: tuple[PlanFinding, ...]
    scripts: tuple[PlanScript, ...]
    complete: bool
    """Whether the search looked at everything, so that no cheaper plan exists."""
    exit_code: int
    """What the command would exit with: 0, or 3 where no flow exists."""
    _document: PlanDocument = field(repr=False, compare=False)
    _kept: Kept[planner.Plan] = field(default_factory=Kept[planner.Plan], repr=False, compare=False)

    def __repr__(self) -> str:
        changes = plural(len(self.changes), "change")
        findings = plural(len(self.gone), "finding")
        return f"<Plan: {changes}, {findings} gone, {len(self.left)} left, exit code {self.exit_code}>"

    def to_json(self) -> str:
        """plan.json, byte for byte as ``lintmdb plan --format json`` writes it."""
        return render_document(self._document)

    def to_html(self) -> str:
        """The page of the plan. Raises LintmdbError in a pickled or copied plan."""
        return _page(self._kept.needed("to_html"))

    def write(self, folder: AnyPath) -> None:
        """Write plan.json, its pages and the scripts, as ``lintmdb plan --out`` does.

        Raises LintmdbError for a folder that holds something else, and in a pickled or copied plan.
        """
        from lintmdb.report.plan_folder import write_plan

        write_plan(self._kept.needed("write"), one_path(folder, "folder"))

    def verify(
        self,
        exports: Newer | AnyPath | Sequence[AnyPath],
        *,
        queue_managers: Mapping[str, AnyPath | Sequence[AnyPath]] | None = None,
    ) -> Progress:
        """How far the changes are by newer exports, as ``lintmdb plan verify`` says. Raises LintmdbError."""
        if isinstance(exports, Newer):
            return exports.progress(self.changes, self.flows)
        paths = path_or_paths(exports, "exports")
        read = read_exports(paths, queue_managers=arguments.queue_managers(queue_managers))
        return build_progress(self.changes, self.flows, read)

    def to_pandas(self) -> pandas.DataFrame:
        """One row for each change. Raises LintmdbError where pandas is not installed."""
        return to_pandas(self._table())

    def to_arrow(self) -> ArrowTable:
        """The same rows as a table of Arrow. Raises LintmdbError where pyarrow is not installed."""
        return to_arrow(self._table())

    def _repr_html_(self) -> str | None:
        made = self._kept.value
        return None if made is None else framed(_page(made))

    def _table(self) -> Table:
        return Table(text_columns(_COLUMNS), [_row(planned) for planned in self.changes])


_COLUMNS = (
    *("change", "product", "environment", "place", "kind", "name", "attribute", "old", "new", "rules", "owner", "acts"),
    *("commands", "undo"),
)


def _row(planned: PlannedChange) -> dict[str, Cell]:
    change = planned.change
    return {
        "change": change.change,
        "product": change.product,
        "environment": change.environment,
        "place": change.place,
        "kind": change.kind,
        "name": change.name,
        "attribute": change.attribute,
        "old": change.old,
        "new": change.new,
        "rules": " ".join(planned.rules),
        "owner": planned.owner,
        "acts": change.acts,
        "commands": "\n".join(change.commands),
        "undo": "\n".join(change.undo) or None,
    }


def build_progress(
    planned: Sequence[PlannedChange],
    flows: Sequence[PlannedFlow],
    exports: UnresolvedEstate,
    observed: Observations | None = None,
) -> Progress:
    """The result of verifying."""
    changes = {to_change(entry.change): entry for entry in planned}
    found = [(changes[entry.change], entry) for entry in verify(changes, exports)]
    kept = [KeptFlow(cast("FlowEntry", asdict(flow)), Fate(flow.before)) for flow in flows]
    heads = judge(resolve_exports(exports, observed or Observations()).facts, ()).flows
    return Progress(
        tuple([VerifiedChange(change, entry.progress, entry.now) for change, entry in found]),
        tuple(
            WorseFlow(
                Subject(**cast("SubjectEntry", entry.head.subject.as_dict())), entry.before.value, entry.now.value
            )
            for entry in find_worse(kept, heads)
        ),
    )


def to_change(change: Change) -> Changed:
    """A change of a result as the one that it shows."""
    return read_change(cast("ChangeEntry", {key: value for key, value in asdict(change).items() if value is not None}))


def build_plan(made: planner.Plan) -> Plan:
    """The result of planning."""
    document = plan_document(made)
    return Plan(
        severity=made.policy.severity,
        changes=tuple(
            PlannedChange(build_change(entry), tuple(entry["rules"]), entry.get("owner"))
            for entry in document["changes"]
        ),
        flows=tuple(map(_flow, document["flows"])),
        queues=tuple([PlannedQueue(**entry) for entry in document["queues"]]),
        gone=tuple(map(_finding, document["gone"])),
        left=tuple(map(_finding, document["left"])),
        scripts=tuple(
            PlanScript(script.path, script.text, script.product, script.place, script.environment or None)
            for script in plan_scripts(made.changes, made.order)
        ),
        complete=all(entry["complete"] for entry in document["searches"]),
        exit_code=0 if made.before.judgement.flows else 3,
        _document=document,
        _kept=Kept(made),
    )


def _flow(entry: FlowEntry) -> PlannedFlow:
    return PlannedFlow(**entry)


def _finding(entry: FindingEntry) -> PlanFinding:
    subject = Subject(**cast("SubjectEntry", entry["subject"]))
    return PlanFinding(entry["rule"], entry["severity"], subject, entry["message"], entry.get("advice"))


def _page(made: planner.Plan) -> str:
    from lintmdb.report.html.plan_page import render_plan_html

    return render_plan_html(made)
