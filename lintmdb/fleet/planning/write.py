"""Writes the plan of an audit: its tables, plan.json, and a script for each queue manager and cell with its undo."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import cast

from lintmdb.fleet.facts.units import Unit
from lintmdb.fleet.judging.tables import write_rows
from lintmdb.fleet.plan_report import FOLDER
from lintmdb.fleet.planning.estate_plan import EstatePlan, merge_plans
from lintmdb.fleet.planning.planner import Planner, plan_batches
from lintmdb.fleet.summary import MOST_WAVES, PlanRecord, WaveRecord
from lintmdb.plan.document import PlanDocument, render_document, script_paths
from lintmdb.plan.scripts import Script, plan_scripts
from lintmdb.plan.steps import Step
from lintmdb.plan.waves import Wave, Work, rank_waves
from lintmdb.report.outputs import write

TABLES = ("plan", "plan_change", "wave")
"""The tables of a plan."""


def write_plan(batches: Sequence[Sequence[Unit]], planner: Planner, folder: Path) -> PlanRecord:
    """Plan the exports of an audit, and write all of it into the folder of the audit. Raises LintmdbError."""
    made = merge_plans(plan_batches(planner, batches))
    waves = rank_waves(made.effects, _work(made))
    scripts = plan_scripts(made.changes, made.order)
    _write_tables(made, waves, scripts, folder)
    for script in scripts:
        write(script.text, folder / FOLDER / script.path)
    paths = script_paths(scripts)  # names of files are told apart in the whole fleet, not in the parts of it
    steps = [{**step, **paths[place]} for step, place in zip(made.document["steps"], made.order.places, strict=True)]
    document = cast("PlanDocument", {**made.document, "steps": steps})
    write(render_document(document), folder / FOLDER / "plan.json")
    return {
        "severity": planner.policy.severity,
        "findings": sum(cast("int", row["findings"]) for row in made.component_rows),
        "left": sum(cast("int", row["left"]) for row in made.component_rows),
        "changes": len(made.changes),
        "safe_before": made.safe_before,
        "safe_after": made.safe_after,
        "waves": _wave_rows(waves[:MOST_WAVES]),
    }


def copy_plan(audit: Path, folder: Path) -> None:
    """Copy the plan of an audit into the folder of another one. Raises OSError."""
    for name in (*TABLES, FOLDER):
        if (audit / name).is_dir():
            shutil.copytree(audit / name, folder / name)


def _work(made: EstatePlan) -> dict[Step, Work]:
    """What each step asks for."""
    counts = Counter(made.steps)
    places = Counter(
        step for step, _ in {(s, change.target.place_key) for s, change in zip(made.steps, made.changes, strict=True)}
    )
    return {step: Work(count, places[step]) for step, count in counts.items()}


def _write_tables(made: EstatePlan, waves: Sequence[Wave], scripts: Sequence[Script], folder: Path) -> None:
    numbers = {wave.step: number for number, wave in enumerate(waves, start=1)}
    paths = {script.owner: script.path for script in scripts if script.purpose == "make"}
    changes = [
        {**row, "wave": numbers[step], "script": paths[change.target.product, change.target.place_key]}
        for row, step, change in zip(made.change_rows, made.steps, made.changes, strict=True)
    ]
    write_rows(folder, "plan", made.component_rows)
    write_rows(folder, "plan_change", changes)
    write_rows(folder, "wave", [cast("dict[str, object]", row) for row in _wave_rows(waves)])


def _wave_rows(waves: Sequence[Wave]) -> list[WaveRecord]:
    return [
        {
            "wave": number,
            "owner": wave.step.owner or None,
            "product": wave.step.product,
            "action": wave.step.action,
            "changes": wave.changes,
            "places": wave.places,
            "flows": wave.gain.flows,
            "flows_so_far": wave.so_far.flows,
            "findings": wave.gain.findings,
            "findings_so_far": wave.so_far.findings,
            "worse": wave.gain.worse,
        }
        for number, wave in enumerate(waves, start=1)
    ]
