"""A plan as a folder: plan.json, its pages, and the scripts that make its changes and undo them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from lintmdb.errors import LintmdbError
from lintmdb.plan.document import read_changes, render_plan_json
from lintmdb.plan.planned import Plan
from lintmdb.plan.scripts import IF_UNDEFINED, OPTIONAL, Script, is_extra, plan_scripts
from lintmdb.report.html.plan_page import render_plan_html
from lintmdb.report.outputs import write
from lintmdb.report.plan_markdown import render_plan_markdown
from lintmdb.report.plan_parts import if_undefined_scripts, sparing_scripts
from lintmdb.settings.changes import Change


def render_plan_as(plan: Plan, kind: str) -> str:
    """A plan as ``json``, ``markdown`` or ``html``."""
    if kind == "json":
        return render_plan_json(plan)
    return render_plan_markdown(plan) if kind == "markdown" else render_plan_html(plan)


def write_plan(plan: Plan, folder: Path, property_files: Sequence[Script] = ()) -> bool:
    """plan.json, its pages and the scripts; True where they replace another plan, whose scripts are removed. Files that
    no plan wrote stay. Raises LintmdbError for a folder that holds something else.
    """
    if folder.exists() and (not folder.is_dir() or (any(folder.iterdir()) and not (folder / "plan.json").is_file())):
        raise LintmdbError(
            "exists and contains no plan",
            path=str(folder),
            next_step="Name a new folder, or the folder of an older plan",
        )
    scripts = plan_scripts(plan.changes, plan.order)
    older = _changes_in(folder / "plan.json")
    for path in (script.path for script in plan_scripts(older)):
        (folder / path).unlink(missing_ok=True)
        if path.endswith(".py"):
            (folder / path).with_suffix(".props").unlink(missing_ok=True)
    for file in sorted(file for extra in (OPTIONAL, IF_UNDEFINED) for file in (folder / extra).rglob("*.mqsc")):
        if is_extra(file.read_text("utf-8", "replace")):
            file.unlink()
    for script in [*scripts, *property_files, *sparing_scripts(plan), *if_undefined_scripts(plan)]:
        write(script.text, folder / script.path)
    for kind, name in (("json", "plan.json"), ("markdown", "plan.md"), ("html", "plan.html")):
        write(render_plan_as(plan, kind), folder / name)
    return bool(older) and older != _changes_in(folder / "plan.json")


def _changes_in(file: Path) -> Sequence[Change]:
    """The changes of the plan in a file; none where it holds no plan of this version."""
    try:
        return read_changes(file) if file.is_file() else ()
    except LintmdbError:
        return ()
