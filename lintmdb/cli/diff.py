"""`lintmdb diff`: what a change does to the fate of messages, before it is deployed."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lintmdb.cli.inputs import listed
from lintmdb.cli.options import (
    AllQueues,
    ChangedValues,
    ChangeFiles,
    Color,
    ColorOption,
    ConfigFile,
    EnvironmentOption,
    FailOnOption,
    Ignore,
    Names,
    NoSuppressions,
    ObservationFile,
    OnMessage,
    Profile,
    RequireOption,
    RuleFolders,
    Select,
    Strict,
    read_options,
    what_if,
    without_changes,
)
from lintmdb.cli.terminal import (
    complain,
    explain_nothing,
    pairs,
    plain,
    progress,
    show_notices,
    show_unread,
    style,
    write_report,
)
from lintmdb.errors import LintmdbError

if TYPE_CHECKING:
    from collections.abc import Callable

    from lintmdb.compare.estates import Comparison, Side
    from lintmdb.report.difference import Part
    from lintmdb.report.outputs import Output
    from lintmdb.resolve.observations import Observations
    from lintmdb.run.config.choice import Choice
    from lintmdb.run.config.settings import Settings
    from lintmdb.run.conflicts import DifferingExportsError
    from lintmdb.run.estate import UnresolvedEstate
    from lintmdb.run.gate import Gate
    from lintmdb.run.overlay import Overlay


def diff(
    context: typer.Context,
    before: Annotated[
        Path | None,
        typer.Argument(
            metavar="BEFORE",
            help="An export: file, folder or archive. Default with --change, --set or --environments: the inputs of "
            "lintmdb.toml and --environment.",
            show_default=False,
        ),
    ] = None,
    after: Annotated[
        Path | None,
        typer.Argument(
            metavar="AFTER", help="The export after the change. With --change or --set it is another one of BEFORE."
        ),
    ] = None,
    more_before: Annotated[
        list[Path] | None, typer.Option("--before", metavar="[ENVIRONMENT=]PATH", help="Another export of BEFORE.")
    ] = None,
    more_after: Annotated[
        list[Path] | None, typer.Option("--after", metavar="[ENVIRONMENT=]PATH", help="Another export of AFTER.")
    ] = None,
    environments: Annotated[
        tuple[str, str] | None,
        typer.Option(
            "--environments",
            metavar="BEFORE AFTER",
            help="Compare two environments of the exports, by application, endpoint and queue.",
        ),
    ] = None,
    queue_manager: Names = None,
    environment: EnvironmentOption = None,
    on_message: OnMessage = None,
    observations: ObservationFile = None,
    rules: RuleFolders = None,
    formats: Annotated[
        list[str] | None,
        typer.Option(
            "--format",
            metavar="FORMAT[=PATH]",
            help="text, json, markdown, sarif, html, github or junit; may be repeated.",
        ),
    ] = None,
    fail_on: FailOnOption = None,
    strict: Strict = False,
    require: RequireOption = None,
    select: Select = None,
    ignore: Ignore = None,
    profile: Profile = None,
    no_suppressions: NoSuppressions = False,
    config: ConfigFile = None,
    all_queues: AllQueues = False,
    change: ChangeFiles = None,
    set_: ChangedValues = None,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="One line for each difference, and the summary.")
    ] = False,
    summary: Annotated[bool, typer.Option("--summary", help="Only the summary.")] = False,
    color: ColorOption = Color.auto,
) -> int:
    """Compare two states of an estate, or two environments of it: what happens to messages, and findings that are new,
    resolved or undecided now.

    Exit codes: 0 no new finding at or above --fail-on, 1 new findings or a worse fate, 2 usage or configuration error,
    3 nothing to judge on one side, 4 a change or a new command of a script would be refused, or with --strict: newly
    undecided or not understood, or a named file was not read, or with --require: AFTER has no export of one of these
    products.
    """
    from lintmdb.compare.estates import compare, exit_code
    from lintmdb.report.difference_formats import DIFFERENCE_FORMATS
    from lintmdb.report.outputs import parse_outputs, with_annotations
    from lintmdb.run.config.choice import choose_rules
    from lintmdb.run.config.settings import read_settings
    from lintmdb.run.gate import Gate, is_judged

    given = [path for path in (before, after, *map(Path, context.args)) if path is not None]
    changed = bool(change or set_) and environments is None
    if context.args and not changed:
        raise LintmdbError(
            f"diff takes one BEFORE and one AFTER, and {len(given)} paths are named",
            next_step="Name further exports of each side with --before PATH and --after PATH",
        )
    if quiet and summary:
        raise LintmdbError("--quiet and --summary exclude each other", next_step="Use one of them")
    part: Part = "summary" if summary else "lines" if quiet else "all"
    targets = with_annotations(parse_outputs(formats or (), DIFFERENCE_FORMATS), os.environ)
    settings, more_before, more_after = _in_environments(
        read_settings(read_options(context)), more_before or (), more_after or ()
    )
    choice = choose_rules(settings)
    managers = pairs(queue_manager or ())
    overlay = what_if(change, set_, managers)
    both = listed(given if changed else given[:1])
    before_paths = [*both, *more_before]
    after_paths = [*listed(given[1:] if not changed else []), *more_after]
    if changed and both and more_after:
        after_paths = [*dict.fromkeys([*both, *more_after])]
    if changed and len(given) > 1:
        complain(f"{' and '.join(map(str, given))} together show one state: the one before the change")
    if before is None and (overlay is not None or environments is not None):
        before_paths = _with_inputs(settings.inputs, before_paths, after_paths)
    if environments is not None:
        if overlay is not None:
            raise LintmdbError("--environments compares exports as they are", next_step="Leave out --change and --set")
        inputs = [*before_paths, *after_paths]
        given = [path for path in settings.inputs if path not in inputs] if environment else []
        old, new = _environments(
            environments, [*inputs, *given], managers, settings, choice, suppressions=not no_suppressions
        )
    else:
        old, new = _states(
            before_paths,
            after_paths,
            without_changes(managers, change),
            settings,
            choice,
            suppressions=not no_suppressions,
            overlay=overlay,
        )
    telling = ("markdown",) if summary else ("text", "markdown")
    told = any(kind in telling and path is None for kind, path in targets)
    about_changes = ("kept_queue", "overwritten_copy", "unjudged_change", *(() if told else ("refused_change",)))
    known = {(notice.kind, notice.text) for notice in old.judgement.notices}
    comments = _new_comments(old, new)
    comparison = compare(old, new)
    in_report = {problem.path for problem in comparison.refused if told}
    guessed = {problem.path for problem in comparison.unjudged if problem.kind == "guessed_name"}
    show_notices(
        notice
        for notice in new.judgement.notices
        if notice.kind in about_changes
        or (
            notice.kind in _TOLD_WHERE_NEW
            and (notice.kind, notice.text) not in known
            and not (notice.kind == "refused_command" and notice.path in in_report)
        )
        or (notice.kind == "guessed_name" and notice.path in guessed)
        or (notice.kind == "unmatched_observation" and (notice.kind, notice.text) in known)
        or (notice.kind == "invalid_suppression" and (notice.path, notice.line) in comments)
    )
    gate = Gate(settings.fail_on, settings.strict, settings.require)
    _report(targets, comparison, old, new, gate, color, part)
    for name, side in zip(environments or ("BEFORE", "AFTER"), (old, new), strict=True):
        show_unread(side.estate)
        if not is_judged(side.judgement):
            complain(f"{name} ({', '.join(side.roots)}):")
            explain_nothing(side.estate)
            other, known = (new, "AFTER") if side is old else (old, "BEFORE")
            if environments is None and is_judged(other.judgement):
                complain(f"{known} has what {name} lacks: name it for {name}, too, with --{name.lower()} PATH")
    for lacking in gate.lacking(new.estate.facts):
        complain(lacking.told(" after the change"))
    return exit_code(gate, comparison, old, new)


_TOLD_WHERE_NEW = (
    "not_read",
    "guessed_name",
    "refused_command",
    "undecided_command",
    "undefined_remote_queue",
    "closed_remote_queue",
    "read_remote_queue",
    "full_queue",
)
"""Kinds of notices that the earlier state may have, too; what it has is not told again."""


def _new_comments(old: Side, new: Side) -> set[tuple[str, int]]:
    """Where the later state has comments for lintmdb that the earlier one lacks: only the later one applies them."""
    known = {comment._replace(path="", line=0) for comment in old.estate.facts.inline_suppressions}
    comments = new.estate.facts.inline_suppressions
    return {(each.path, each.line) for each in comments if each._replace(path="", line=0) not in known}


def _in_environments(
    settings: Settings, before: Sequence[Path], after: Sequence[Path]
) -> tuple[Settings, list[Path], list[Path]]:
    """The paths of --before and --after without their environments (``prod=PATH``), and the settings with these. Raises
    LintmdbError for an environment that the settings lack.
    """
    from lintmdb.run.environments import build_environments, split_environment

    environments = settings.environments
    entries = list(environments.entries)
    sides: list[list[Path]] = []
    for option, given in (("--before", before), ("--after", after)):
        sides.append([])
        for name, path in (split_environment(path, environments.names, option) for path in given):
            found = listed([path])
            entries += [(name, entry.as_posix()) for entry in found if name is not None]
            sides[-1] += found
    if len(entries) > len(environments.entries):
        settings = replace(settings, environments=build_environments(entries))
    return settings, sides[0], sides[1]


def _with_inputs(inputs: Sequence[Path], before: list[Path], after: list[Path]) -> list[Path]:
    """BEFORE where no argument names it: the inputs of the settings and what --before adds; that alone where --after
    names the other side, which would lack the inputs.
    """
    if before and after:
        return before
    return [*inputs, *(path for path in before if path not in inputs)]


def _states(
    before: list[Path],
    after: list[Path],
    managers: dict[str, str],
    settings: Settings,
    choice: Choice,
    *,
    suppressions: bool,
    overlay: Callable[[UnresolvedEstate, Observations], Overlay] | None,
) -> tuple[Side, Side]:
    """Two states of an estate. Raises LintmdbError."""
    if not before:
        raise LintmdbError("no BEFORE is named", next_step="Name two exports: BEFORE AFTER")
    if not after and overlay is None:
        raise LintmdbError("nothing to compare", next_step="Name AFTER, or a change: --change FILE, --set")
    if overlay is not None and not after:
        after = before
    from lintmdb.compare.environments import refuse_unnamed
    from lintmdb.run.all_queues import judge_all_queues, queues_to_judge
    from lintmdb.run.conflicts import DifferingExportsError

    old_managers, new_managers = _by_side(managers, before, after)
    try:
        old = _side(before, old_managers, settings, choice, suppressions=False)
    except DifferingExportsError as error:
        raise _of_both(error, after, new_managers, settings, choice) from None
    try:
        new = _side(after, new_managers, settings, choice, suppressions=suppressions, overlay=overlay, former=old)
    except LintmdbError as error:
        if overlay is not None and after is not before:  # what the change names may be in the other part
            unchanged = _side(after, new_managers, settings, choice, suppressions=False)
            _refuse_parts(old, unchanged, changed=True)
            for name in {group.name for group in old.estate.groups} - {g.name for g in unchanged.estate.groups}:
                if f"queue manager {name}," in error.text:
                    step = _part_of_before(name, old, unchanged)
                    raise LintmdbError(error.text, path=error.path, next_step=step) from None
        raise
    if settings.all_queues:  # what only the later state judges
        judge_all_queues(old.judgement, old.estate.facts, choice.rules, also=queues_to_judge(new.estate.facts))
    _refuse_parts(old, new, changed=overlay is not None)
    refuse_unnamed(old, new, settings.environments)
    return old, new


def _of_both(
    error: DifferingExportsError, after: list[Path], managers: dict[str, str], settings: Settings, choice: Choice
) -> DifferingExportsError:
    """What differs within BEFORE, with what differs within AFTER."""
    from lintmdb.run.conflicts import DifferingExportsError

    try:
        _side(after, managers, settings, choice, suppressions=False)
    except DifferingExportsError as other:
        return error.together(other)
    return error


def _part_of_before(manager: str, old: Side, new: Side) -> str:
    """What to do where a change is for a queue manager that BEFORE has and AFTER lacks."""
    before, after = (" ".join(side.roots) for side in (old, new))
    parts = " --before ".join((*old.roots, *new.roots))
    return (
        f"BEFORE ({before}) has {manager}, and AFTER ({after}), to which changes are applied, does not. If both are"
        f" parts of one state, name them as BEFORE: lintmdb diff {parts}, with the change"
    )


def _refuse_parts(old: Side, new: Side, *, changed: bool) -> None:
    """Raises LintmdbError where one side has cells alone and the other one queue managers alone: they are no two
    states, but the two parts of one. With a change the same holds of an AFTER in which nothing is judged because it
    lacks one of the products that BEFORE has.
    """
    from lintmdb.run.gate import is_judged

    kinds = [{export.kind for export in side.estate.facts.rows["export"]} for side in (old, new)]
    one, other = (" ".join(side.roots) for side in (old, new))
    if all(len(kind) == 1 for kind in kinds) and kinds[0] != kinds[1]:
        told = (
            f"BEFORE ({one}) has only exports of one product and AFTER ({other}) only those of the other, so they are "
            "two parts of one state"
        )
    elif changed and len(kinds[1]) == 1 and kinds[1] < kinds[0] and not is_judged(new.judgement):
        told = f"AFTER ({other}) has only exports of one product, so it is no state to judge but a part of one"
    else:
        return
    first, *rest = old.roots
    parts = " --before ".join(dict.fromkeys([first, *new.roots, *rest]))
    raise LintmdbError(
        told,
        next_step=f"Name both parts as BEFORE: lintmdb diff {parts}, with a change (--change FILE, --set) or with both "
        "parts of AFTER (--after for the second one)",
    )


def _environments(
    names: tuple[str, str],
    paths: list[Path],
    managers: dict[str, str],
    settings: Settings,
    choice: Choice,
    *,
    suppressions: bool,
) -> tuple[Side, Side]:
    """Two environments of the exports. Raises LintmdbError."""
    from lintmdb.compare.environments import environment_sides
    from lintmdb.run.estate import read_exports

    with progress() as report:
        exports = read_exports(paths, queue_managers=managers, progress=report, environments=settings.environments)
    return environment_sides(
        exports, names, settings, choice, suppressions=suppressions, all_queues=settings.all_queues
    )


def _report(
    outputs: Sequence[Output], comparison: Comparison, old: Side, new: Side, gate: Gate, color: Color, part: Part
) -> None:
    """Write the comparison in the formats that are asked for. Raises LintmdbError."""
    from lintmdb.report.difference import render_difference
    from lintmdb.report.difference_formats import render_difference_as
    from lintmdb.report.difference_verdict import verdict
    from lintmdb.report.full_queues import notes_on_room
    from lintmdb.report.outputs import append, summary_file
    from lintmdb.report.possible_readers import notes_on_readers

    if any(output.kind in ("text", "markdown") for output in outputs):
        comparison.notes = [*notes_on_readers(comparison, new), *notes_on_room(old, new)]

    for output in outputs:
        if output.kind == "text":
            shown = style(color) if output.path is None else plain()
            told = verdict(gate, comparison, old, new)
            text = "\n".join((*render_difference(comparison, shown, part, told), ""))
        else:
            text = render_difference_as(output.kind, comparison, old, new, gate)
        write_report(text, output, outputs)
    if (summary := summary_file(outputs, os.environ)) is not None:
        append(render_difference_as("markdown", comparison, old, new, gate), summary)


def _by_side(managers: dict[str, str], *sides: list[Path]) -> list[dict[str, str]]:
    """Which of the scripts that are given a queue manager's name are part of each side. Raises LintmdbError."""
    split: list[dict[str, str]] = [{} for _ in sides]
    for path, name in managers.items():
        own = Path(path).absolute()
        holding = [
            part
            for part, roots in zip(split, sides, strict=True)
            if any(own.is_relative_to(root.absolute()) for root in roots)
        ]
        if not holding:
            raise LintmdbError(
                f"--queue-manager {name}={path} is in neither BEFORE nor AFTER",
                next_step="Name a file of one of them, or add it with --before or --after",
            )
        for part in holding:
            part[path] = name
    return split


def _side(
    paths: list[Path],
    managers: dict[str, str],
    settings: Settings,
    choice: Choice,
    *,
    suppressions: bool,
    overlay: Callable[[UnresolvedEstate, Observations], Overlay] | None = None,
    former: Side | None = None,
) -> Side:
    """One state; of ``former``, the state before it, the same queues are judged."""
    from lintmdb.compare.estates import Side
    from lintmdb.exports.discovery import shown_path
    from lintmdb.run.all_queues import queues_to_judge
    from lintmdb.run.estate import read_exports
    from lintmdb.run.judging import judge_read
    from lintmdb.run.merged_scripts import with_merged_scripts

    roots = [shown_path(path) for path in paths]
    with progress() as report:
        exports = read_exports(
            paths, queue_managers=managers, progress=report, environments=settings.environments, digests=True
        )
        judged = judge_read(
            with_merged_scripts(exports, settings.observed, roots),
            settings,
            choice,
            suppressions=suppressions,
            all_queues=settings.all_queues,
            also_queues=() if former is None else queues_to_judge(former.estate.facts),
            overlay=overlay,
        )
    return Side(judged.estate, judged.judgement, roots, readers=judged.readers)
