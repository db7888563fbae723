"""An estate that is read once, and what can be asked about it."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias, TypedDict, Unpack, cast

from lintmdb.api import arguments
from lintmdb.api.arguments import AnyPath, Duration
from lintmdb.api.differences import Difference, build_difference
from lintmdb.api.drawing import Run
from lintmdb.api.plans import Plan, PlannedChange, PlannedFlow, Progress, build_plan, build_progress, to_change
from lintmdb.api.results import Change, Report, Severity, build_report
from lintmdb.api.stories import Trace, build_trace
from lintmdb.compare.environments import environment_sides, refuse_unnamed
from lintmdb.compare.estates import Side, compare, exit_code
from lintmdb.delivery.interpretations import choose_interpretation
from lintmdb.engine.traces import MOST_MESSAGES, build_workload, select_flows, trace_flow
from lintmdb.errors import ArgumentTypeError, LintmdbError
from lintmdb.exports.discovery import shown_path
from lintmdb.plan.evaluation import Evaluator
from lintmdb.plan.keeping import check_kept, check_queues
from lintmdb.plan.planner import make_plan
from lintmdb.plan.policy import parse_queue_names, read_policy
from lintmdb.plan.what_if import WhatIf
from lintmdb.report.json_report import json_document
from lintmdb.rules.rule import SEVERITIES
from lintmdb.run.all_queues import heads_to_trace, judge_all_queues, queues_to_judge
from lintmdb.run.baseline import read_baseline
from lintmdb.run.config.choice import choose_rules
from lintmdb.run.config.settings import Options, Settings, read_settings
from lintmdb.run.estate import UnresolvedEstate, read_exports
from lintmdb.run.gate import FAIL_ON, Gate
from lintmdb.run.judging import Judged, KnownFindings, judge_read, resolve_to_judge
from lintmdb.run.merged_scripts import with_merged_scripts
from lintmdb.run.overlay import NOTHING, Overlay

if TYPE_CHECKING:
    from lintmdb.resolve.observations import Observations
    from lintmdb.settings.changes import Change as Changed

FailOn: TypeAlias = Literal["error", "warning", "info", "never"]
Changes: TypeAlias = AnyPath | Change | PlannedChange | Plan
"""A file of changes, or changes of a finding or a plan."""


class ObservedOptions(TypedDict, total=False):
    """What no export contains."""

    on_message: Duration | None
    """The longest onMessage time of every bean."""
    observations: AnyPath | None
    """A file of observed onMessage times and MQ users (YAML or CSV)."""


class ChangeOptions(TypedDict, total=False):
    """Changes on top of the exports."""

    change: Changes | Sequence[Changes] | Mapping[str, AnyPath | Sequence[AnyPath]]
    """MQSC, a .props file of WebSphere, a plan.json; or changes of a finding, a plan, or one of its changes; or the
    names of queue managers to MQSC that does not name its own."""
    set: str | Sequence[str]
    """``queue ORDERS.IN at QM1: BOTHRESH=5``."""


class RuleOptions(ObservedOptions, total=False):
    """Which rules are used."""

    rules: Sequence[AnyPath]
    """Folders of rules of your own."""
    select: Sequence[str]
    """Ids, names or prefixes."""
    ignore: Sequence[str]
    profile: str | None
    """``minimal``, ``recommended`` (default) or ``strict``, as of a version."""


class GateOptions(RuleOptions, ChangeOptions, total=False):
    """What decides on the exit code."""

    fail_on: FailOn | None
    strict: bool
    """Fail (exit code 4) if anything is undecided or unreadable."""
    suppressions: bool
    """False counts what the configuration and comments suppress, too."""


class DiffOptions(GateOptions, total=False):
    """The options of diff."""

    between: tuple[str, str] | None
    """The names of two environments of one estate."""
    all_queues: bool
    """Judge queues that no endpoint given reads, too."""


class CheckOptions(GateOptions, total=False):
    """The options of check."""

    all_queues: bool
    """Judge queues that no endpoint given reads, too."""
    baseline: AnyPath | None
    """Ignore findings recorded in this file."""


class PlanOptions(RuleOptions, total=False):
    """The options of plan."""

    all_queues: bool
    """Plan for queues that no endpoint given reads, too."""
    only: Literal["mq", "was"] | None
    """Change this product alone."""
    keep: str | Sequence[str]
    """Objects that stay as they are: ``queue PAY.* at QM1``."""
    queue: str | Sequence[str]
    """The queues whose findings are to be gone, instead of all: ``PAY.* at QM1``."""
    severity: Severity | None
    """Findings from this severity on are to be gone; ``warning`` by default."""


class TraceOptions(ObservedOptions, ChangeOptions, total=False):
    """The options of trace."""

    endpoint: str | None
    """Only flows of this endpoint or bean, or this queue."""
    all_queues: bool
    """Also local queues with backout attributes that no endpoint reads."""
    poison: int | None
    """How many poison messages arrive."""
    healthy_between: int | None
    """Healthy messages behind each poison message."""
    sessions: int | None
    """Number of sessions; None takes the endpoint's."""
    restart_after: Sequence[int]
    """Restart the queue manager (or messaging engine) after so many failures, then after so many more."""
    start_again: int | None
    """How often somebody starts a stopped endpoint again."""
    arrives_after: Duration | None
    """How long after a receive call begins the message arrives (non-ASF mode)."""
    discardable: bool
    """The messages carry MQRO_DISCARD_MSG, or the equivalent on the bus."""
    backout_full: bool
    dead_letter_full: bool
    """The backout queue is full."""
    reading: Mapping[str, str]
    """Where IBM's documents disagree, another reading than the strict one."""
    all_steps: bool
    """Do not fold repeated steps."""


class Estate:
    """Exports that are read once. Each question judges what was read, and several threads may ask at once.

    ``paths`` are files, folders and archives. ``queue_managers`` maps the name of a queue manager to its MQSC, one path
    or several, where names and headers of files do not tell. ``environments`` maps the name of an environment to the
    folders or archives of its exports, which are read, too: nothing joins across environments. ``config`` is a
    lintmdb.toml, which counts for all questions; without one none is looked for.

    Raises LintmdbError for a path that does not exist and for configuration that is wrong. What cannot be read is a
    finding (MDB901).
    """

    def __init__(
        self,
        paths: AnyPath | Sequence[AnyPath] = (),
        *,
        queue_managers: Mapping[str, AnyPath | Sequence[AnyPath]] | None = None,
        environments: Mapping[str, AnyPath | Sequence[AnyPath]] | None = None,
        config: AnyPath | None = None,
    ) -> None:
        self._name(paths, queue_managers, config, environments)
        _ = self._exports  # the files may change after this

    @classmethod
    def later(
        cls, paths: object, queue_managers: object = None, config: object = None, environments: object = None
    ) -> Estate:
        """An estate that is read when the first question needs it: a wrong option of that question is found before."""
        estate = cls.__new__(cls)
        estate._name(paths, queue_managers, config, environments)
        return estate

    def _name(self, paths: object, queue_managers: object, config: object, environments: object) -> None:
        """Check what names the exports, and read nothing but the configuration."""
        self._config = arguments.maybe_path(config, "config")
        self._managers = arguments.queue_managers(queue_managers)
        self._environments = arguments.environments(environments)
        given = arguments.path_or_paths(paths, "paths")
        if not given and self._config is None and not self._managers and not self._environments:
            raise LintmdbError("no export is named", next_step="Name files, folders or archives")
        settings = self._settings(Options(inputs=given), needs_inputs=not self._managers)
        self._paths = [*settings.inputs]
        self._named = settings.environments

    @functools.cached_property
    def _exports(self) -> UnresolvedEstate:
        return read_exports(self._paths, queue_managers=self._managers, digests=True, environments=self._named)

    @property
    def environments(self) -> tuple[str, ...]:
        """The names of the environments of the exports, sorted."""
        groups = (*(cells[0] for cells in self._exports.cells), *self._exports.groups)
        return tuple(sorted({group.environment for group in groups if group.environment is not None}))

    @property
    def cells(self) -> tuple[str, ...]:
        """The names of the cells, sorted; loose files that stand in no cell's folder have none."""
        return tuple(sorted({cells[0].name for cells in self._exports.cells if cells[0].name}))

    @property
    def queue_managers(self) -> tuple[str, ...]:
        """The names of the queue managers, sorted."""
        return tuple(sorted({group.name for group in self._exports.groups}))

    @property
    def files(self) -> tuple[str, ...]:
        """The files that were recognised and read, sorted."""
        return tuple(entry.path for entry in self._exports.inputs)

    def __repr__(self) -> str:
        return f"Estate(cells={self.cells}, queue_managers={self.queue_managers}, files={len(self.files)})"

    def check(self, **options: Unpack[CheckOptions]) -> Report:
        """Judge every message flow, as ``lintmdb check`` does. Raises LintmdbError."""
        _known(options, CheckOptions, "check")
        given = _rule_options(options)
        settings = self._settings(
            replace(given, **_gate(options), baseline=arguments.maybe_path(options.get("baseline"), "baseline"))
        )
        choice, policy = choose_rules(settings), read_policy(settings)
        suppressions = arguments.flag(options.get("suppressions", True), "suppressions")
        all_queues = _all_queues(options.get("all_queues", False), settings)
        overlay = self._what_if(options)
        baseline = settings.baseline
        known = KnownFindings(baseline, read_baseline(baseline)) if baseline is not None else None
        judged = judge_read(
            self._exports,
            settings,
            choice,
            suppressions=suppressions,
            known=known,
            all_queues=all_queues,
            keep_exports=True,
            overlay=overlay,
            put_back=True,
        )
        gate = Gate(settings.fail_on, settings.strict)
        return build_report(
            json_document(judged.judgement, judged.estate),
            gate.exit_code(judged.judgement, judged.estate),
            Run(judged, gate, settings.observed, choice.rules, policy),
        )

    def plan(self, **options: Unpack[PlanOptions]) -> Plan:
        """Find the cheapest changes that repair what is found, as ``lintmdb plan`` does. Raises LintmdbError."""
        _known(options, PlanOptions, "plan")
        settings = self._settings(
            replace(
                _rule_options(options),
                only=arguments.choice(options.get("only"), "only", ("mq", "was")),
                keep=arguments.texts(options.get("keep", ()), "keep", "queue PAY.* at QM1"),
                severity=arguments.choice(options.get("severity"), "severity", SEVERITIES),
            )
        )
        names = arguments.texts(options.get("queue", ()), "queue", "PAY.* at QM1")
        rules, policy = (
            choose_rules(settings).rules,
            replace(read_policy(settings), queues=list(map(parse_queue_names, names))),
        )
        all_queues = _all_queues(options.get("all_queues", False), settings)
        judging = Evaluator(self._exports, settings.observed, rules, all_queues)
        judging.refuse_conflicts()
        check_kept(policy, settings, judging)
        check_queues(policy, judging)
        return build_plan(make_plan(judging, policy))

    def progress(self, planned: Sequence[PlannedChange], flows: Sequence[PlannedFlow] = ()) -> Progress:
        """How far the changes of a plan are, by these exports, and which of its flows are worse off. ``Plan.verify``
        asks it.
        """
        return build_progress(planned, flows, self._exports, self._settings(Options()).observed)

    def trace(self, **options: Unpack[TraceOptions]) -> Trace:
        """Tell what happens to messages on each flow, as ``lintmdb trace`` does. Raises LintmdbError."""
        _known(options, TraceOptions, "trace")
        interpretation = choose_interpretation(arguments.pairs(options.get("reading"), "reading"))
        settings = self._settings(_observed_options(options))
        restarts = arguments.sequence(options.get("restart_after", ()), "restart_after", "numbers")
        workload = build_workload(
            poison=arguments.maybe_whole(options.get("poison"), "poison", 0, MOST_MESSAGES),
            healthy_between=arguments.maybe_whole(options.get("healthy_between"), "healthy_between", 0, MOST_MESSAGES),
            sessions=arguments.maybe_whole(options.get("sessions"), "sessions", 1, 1000),
            restart_after=[arguments.whole(failures, "restart_after", 1, 1000) for failures in restarts],
            start_again=arguments.maybe_whole(options.get("start_again"), "start_again", 0, 1000),
            arrives_after_ms=arguments.milliseconds(options.get("arrives_after"), "arrives_after"),
            discardable=arguments.flag(options.get("discardable", False), "discardable"),
            backout_full=arguments.flag(options.get("backout_full", False), "backout_full"),
            dead_letter_full=arguments.flag(options.get("dead_letter_full", False), "dead_letter_full"),
        )
        endpoint = arguments.text(options.get("endpoint"), "endpoint", "OrdersLP")
        fold = not arguments.flag(options.get("all_steps", False), "all_steps")
        overlay = self._what_if(options)
        changes = overlay(self._exports, settings.observed) if overlay is not None else NOTHING
        facts = resolve_to_judge(self._exports, settings.observed, changes).facts
        heads = heads_to_trace(facts, all_queues=_all_queues(options.get("all_queues", False), settings))
        chosen = select_flows(heads, endpoint) if heads else []
        return build_trace([(head, trace_flow(head, workload, interpretation)) for head in chosen], fold=fold)

    def diff(
        self, after: Estate | AnyPath | Sequence[AnyPath] | None = None, **options: Unpack[DiffOptions]
    ) -> Difference:
        """Compare this estate with a later state of it, as ``lintmdb diff`` does. Raises LintmdbError.

        Without ``after``, the later state is this one with ``change`` or ``set``; with ``between`` two environments of
        this estate are compared.
        """
        _known(options, DiffOptions, "diff")
        settings = self._settings(replace(_rule_options(options), **_gate(options)))
        choice = choose_rules(settings)
        suppressions = arguments.flag(options.get("suppressions", True), "suppressions")
        overlay = self._what_if(options)
        all_queues = _all_queues(options.get("all_queues", False), settings)
        between = arguments.texts(options.get("between") or (), "between", "test")
        if between:
            if after is not None or overlay is not None or len(between) != 2:
                raise LintmdbError("between compares two environments as they are", next_step="Name two environments")
            names = (between[0], between[1])
            old, new = environment_sides(
                self._exports, names, settings, choice, suppressions=suppressions, all_queues=all_queues
            )
        else:
            if after is None and overlay is None:
                raise LintmdbError("nothing to compare", next_step="Name after, or what changes: change, set")
            later = self if after is None else after if isinstance(after, Estate) else Estate.later(after)
            earlier = self._merged(settings)
            old = self._side(judge_read(earlier, settings, choice, suppressions=False, all_queues=all_queues))
            new = later._side(
                judge_read(
                    earlier if later is self else later._merged(settings),
                    settings,
                    choice,
                    suppressions=suppressions,
                    all_queues=all_queues,
                    also_queues=queues_to_judge(old.estate.facts),
                    overlay=overlay,
                )
            )
            if all_queues:  # what only the later state judges
                judge_all_queues(old.judgement, old.estate.facts, choice.rules, also=queues_to_judge(new.estate.facts))
            refuse_unnamed(old, new, self._exports.environments or later._exports.environments)
        comparison = compare(old, new)
        code = exit_code(Gate(settings.fail_on, settings.strict), comparison, old, new)
        return build_difference(comparison, code, old, new)

    def _merged(self, settings: Settings) -> UnresolvedEstate:
        return with_merged_scripts(self._exports, settings.observed, self._roots)

    def _side(self, judged: Judged) -> Side:
        return Side(judged.estate, judged.judgement, self._roots)

    @property
    def _roots(self) -> list[str]:
        return [shown_path(path) for path in self._paths]

    def _settings(self, given: Options, *, needs_inputs: bool = False) -> Settings:
        options = replace(given, config=self._config, search=False, environments=self._environments)
        return read_settings(options, needs_inputs=needs_inputs)

    def _what_if(self, options: ChangeOptions) -> Callable[[UnresolvedEstate, Observations], Overlay] | None:
        """What puts the changes of ``change`` and ``set`` on top of exports; None without any."""
        change = options.get("change", ())
        runs_at = arguments.queue_managers(change, "change") if isinstance(change, Mapping) else {}
        files, changes = _changes([*runs_at] if runs_at else change)
        values = arguments.texts(options.get("set", ()), "set", "queue ORDERS.IN at QM1: BOTHRESH=5")
        if not files and not changes and not values:
            return None
        named = {shown_path(Path(path)): name for path, name in {**self._managers, **runs_at}.items()}
        return WhatIf(tuple(files), tuple(values), named, tuple(changes)).overlay


def _all_queues(value: object, settings: Settings) -> bool:
    return arguments.flag(value, "all_queues") or settings.all_queues


def _known(options: object, known: type, call: str) -> None:
    arguments.known_options(cast("Mapping[str, object]", options), known.__annotations__, call)


def _observed_options(options: ObservedOptions) -> Options:
    time = arguments.milliseconds(options.get("on_message"), "on_message")
    return Options(
        observations=arguments.maybe_path(options.get("observations"), "observations"),
        on_message=None if time is None else f"{time}ms",
    )


def _rule_options(options: RuleOptions) -> Options:
    return replace(
        _observed_options(options),
        rules=arguments.paths(options.get("rules", ()), "rules"),
        select=arguments.words(options.get("select", ()), "select"),
        ignore=arguments.words(options.get("ignore", ()), "ignore"),
        profile=arguments.text(options.get("profile"), "profile", "recommended"),
    )


class _Gate(TypedDict):
    fail_on: str | None
    strict: bool


def _gate(options: GateOptions) -> _Gate:
    return {
        "fail_on": arguments.choice(options.get("fail_on"), "fail_on", FAIL_ON),
        "strict": arguments.flag(options.get("strict", False), "strict"),
    }


def _changes(value: object) -> tuple[list[Path], list[Changed]]:
    """Files of changes, and changes of results."""
    if isinstance(value, Change | PlannedChange | Plan):
        entries: list[object] = [value]
    elif isinstance(value, list | tuple):
        entries = list(cast("Sequence[object]", value))
    else:
        entries = [*arguments.path_or_paths(value, "change")]
    files: list[Path] = []
    changes: list[Changed] = []
    for entry in entries:
        match entry:
            case Plan():
                changes += [to_change(planned.change) for planned in entry.changes]
            case PlannedChange():
                changes.append(to_change(entry.change))
            case Change():
                changes.append(to_change(entry))
            case str() | Path():
                files.append(arguments.one_path(entry, "change"))
            case _:
                raise ArgumentTypeError(
                    f"change: a change is a path, or a Change or Plan of a result, not {arguments.type_words(entry)}"
                )
    return files, changes
