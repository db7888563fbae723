"""`fleet audit --plan`: the plan of `lintmdb plan`, as tables, waves and scripts."""

from __future__ import annotations

import filecmp
import json
import re
import shutil
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from lintmdb.errors import LintmdbError
from lintmdb.exports.discovery import Listed, shown_path
from lintmdb.plan.document import PlanDocument, plan_document
from lintmdb.plan.evaluation import Evaluator, flow_fate
from lintmdb.plan.planned import Plan
from lintmdb.plan.planner import make_plan
from lintmdb.plan.policy import Policy
from lintmdb.plan.script_order import merge_orders
from lintmdb.plan.scripts import plan_scripts
from lintmdb.plan.steps import is_safe
from lintmdb.report.terminal import Style
from lintmdb.resolve.observations import Observations
from lintmdb.run.environments import Environments
from lintmdb.run.estate import read_exports
from tests.laws.laws import seeds
from tests.support.project import FIXTURES
from tests.support.random_estates.estates import build_estate
from tests.support.scenario import RULES
from tests.support.scenario_folders import scenario_folder
from tests.support.spark import no_fleet

if REASON := no_fleet():
    pytest.skip(REASON, allow_module_level=True)

from lintmdb.cli.app import app
from lintmdb.fleet.arrow import read_rows
from lintmdb.fleet.audit import Audit, Request, run_audit
from lintmdb.fleet.facts.collect import collect
from lintmdb.fleet.facts.store import Store
from lintmdb.fleet.facts.unit_reader import UnitReader
from lintmdb.fleet.facts.units import Unit, list_units
from lintmdb.fleet.facts.workers import LocalWorkers
from lintmdb.fleet.plan_progress import find_plan, progress_json, progress_lines, verify_plan
from lintmdb.fleet.planning.batches import Told, make_batches, read_names
from lintmdb.fleet.planning.estate_plan import EstatePlan, merge_plans
from lintmdb.fleet.planning.planner import Planner
from lintmdb.run.owners import Owners
from tests.support.fleet_estate import copy_renamed
from tests.support.fleet_history import FEW, STOPPING, History
from tests.support.variant import Variant

_POLICY = Policy(owners=Owners((("QM1_[12]", "payments"), ("cell *", "middleware"))), most_states=20)
_OBSERVED = Observations(15_000)


class Planned:
    """Exports planned by ``lintmdb plan``, and the same exports in a fleet, a batch for all that joins."""

    def __init__(self, folder: Path, environments: Sequence[str] = (), *, all_queues: bool = False) -> None:
        self.folder = folder
        self.all_queues = all_queues
        self.exports = folder / "exports"
        self.environments = Environments({shown_path(self.exports / name): frozenset({name}) for name in environments})

    @cached_property
    def plan(self) -> Plan:
        """What ``lintmdb plan`` says."""
        exports = read_exports([self.exports], environments=self.environments)
        return make_plan(Evaluator(exports, _OBSERVED, RULES, self.all_queues), _POLICY)

    @cached_property
    def batches(self) -> list[EstatePlan]:
        """The plan of each of the smallest batches that there can be."""
        store = Store(self.folder / "store")
        units = list_units([str(self.exports)], environments=self.environments).units
        with store.locked():
            collected = collect(LocalWorkers(), store, units, UnitReader(_OBSERVED), incremental=False)
        planner = Planner(_OBSERVED, {}, RULES, _POLICY, self.environments, all_queues=self.all_queues)
        names = read_names(store, collected)
        return [planner(batch) for batch in make_batches(units, names, 1, all_queues=self.all_queues)]


@pytest.fixture(name="fixtures", scope="module")
def _fixtures(tmp_path_factory: pytest.TempPathFactory) -> Planned:
    planned = Planned(tmp_path_factory.mktemp("fixtures"))
    for number, name in enumerate(("estate", "all-families", "liberty", STOPPING.name, STOPPING.name), start=1):
        copy_renamed(FIXTURES / name, planned.exports / f"{number}-{name}", f"_{number}")
    return planned


@pytest.fixture(name="random", scope="module")
def _random(tmp_path_factory: pytest.TempPathFactory) -> Planned:
    planned = Planned(tmp_path_factory.mktemp("random"))
    for seed in seeds(4):
        build_estate(seed).write(planned.exports)
    return planned


@pytest.fixture(name="queues", scope="module")
def _queues(tmp_path_factory: pytest.TempPathFactory) -> Planned:
    """Queue managers alone beside a cell with its own."""
    planned = Planned(tmp_path_factory.mktemp("queues"), all_queues=True)
    copy_renamed(FIXTURES / "estate", planned.exports / "whole", "_1")
    for number, seed in enumerate(seeds(4), start=2):
        build_estate(seed).write(planned.folder / str(number))
        for dump in (planned.folder / str(number)).rglob("*.mqsc"):
            shutil.copy(dump, planned.exports / dump.name)
    return planned


@pytest.fixture(name="environments", scope="module")
def _environments(tmp_path_factory: pytest.TempPathFactory) -> Planned:
    """The same names in two environments, and other values behind some of them."""
    named = {"dev": STOPPING.name, "prod": "estate", "test": STOPPING.name, "train": "estate"}
    planned = Planned(tmp_path_factory.mktemp("environments"), list(named))
    for environment, name in named.items():
        copy_renamed(FIXTURES / name, planned.exports / environment, "_1")
    dump = next((planned.exports / "train").rglob("QM1*.mqsc"))
    dump.write_text(dump.read_text().replace("BOTHRESH(3)", "BOTHRESH(0)"))
    return planned


def _scripts(plan: Plan | EstatePlan) -> Mapping[str, str]:
    order = merge_orders([plan.order])
    return {script.path: script.text for script in plan_scripts(plan.changes, order)}


def _choices(document: PlanDocument) -> Counter[str]:
    """What only people can decide, each with the changes that it is instead of."""
    return Counter(
        json.dumps({**choice, "instead_of": [document["changes"][number] for number in choice["instead_of"]]})
        for choice in document["choices"]
    )


@pytest.mark.parametrize("estate", ["fixtures", "random", "queues", "environments"])
def test_batches_have_the_changes_of_one_plan(estate: str, request: pytest.FixtureRequest) -> None:
    """Whatever joins is in one batch, so the fleet's plan is that of ``lintmdb plan`` on all exports."""
    planned: Planned = request.getfixturevalue(estate)
    merged = merge_plans(planned.batches)
    assert len(planned.batches) >= 4
    assert Counter(merged.changes) == Counter(planned.plan.changes)
    assert _choices(merged.document) == _choices(plan_document(planned.plan))
    assert _scripts(merged) == _scripts(planned.plan)


@pytest.fixture(name="audit", scope="module")
def _audit(fixtures: Planned) -> Audit:
    return run_audit(None, Request([str(fixtures.exports)], fixtures.folder / "out", RULES, _OBSERVED, plan=_POLICY))


def _table(audit: Audit, name: str) -> list[dict[str, Any]]:
    return read_rows(audit.folder / name, dict[str, Any])


def test_an_audit_holds_the_scripts_of_its_plan(audit: Audit, fixtures: Planned) -> None:
    """One script for each queue manager and cell, its undo, and plan.json; every change names its script."""
    folder = audit.folder / "changes"
    written = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    document = json.loads(written.pop("plan.json").read_text())
    assert {path: file.read_text() for path, file in written.items()} == _scripts(fixtures.plan)
    rows = _table(audit, "plan_change")
    assert len(document["changes"]) == len(rows) == len(fixtures.plan.changes)
    assert {row["script"] for row in rows} == {path for path in written if not path.startswith(("undo/", "check/"))}
    steps = document["steps"]
    assert {step[key] for step in steps for key in ("script", "check", "undo", "delete") if key in step} == set(written)
    waiting = [step for step in steps if step["after"]]
    assert waiting
    for step in waiting:
        earlier = [steps[number]["script"] for number in step["after"]]
        head = " ".join(line.lstrip("#*<!- ") for line in written[step["script"]].read_text().splitlines()[:12])
        assert "Run it after " in head
        assert all(script in head for script in earlier)


def test_the_page_links_waves_and_scripts(audit: Audit) -> None:
    """The page of an audit with a plan has its waves, and links that lead from it to the scripts."""
    page = (audit.folder / "report.html").read_text()
    links = [link for link in re.findall(r'href="([^"#]+)"', page) if link.startswith("changes/")]
    assert "What to change first" in page
    assert "<td>payments</td>" in page
    assert len(links) > 5
    assert all((audit.folder / unquote(link)).is_file() for link in links)
    kinds = {link.split("/")[1] for link in links}
    assert kinds >= {"mq", "was", "check", "undo"}
    assert sum(link.startswith("changes/check/") for link in links) == sum(
        link.startswith("changes/mq/") for link in links
    )


def test_components_of_one_shape_are_searched_once(audit: Audit) -> None:
    """Two copies of a scenario have one shape, and only one of them was searched."""
    shapes: dict[str, list[int]] = {}
    for row in _table(audit, "plan"):
        shapes.setdefault(row["shape"], []).append(row["states"])
    assert any(len(states) == 2 and 0 in states and max(states) > 0 for states in shapes.values())


def test_waves_make_all_flows_safe_that_the_plan_makes_safe(audit: Audit) -> None:
    """Every change is in a wave, the first waves gain most, and the last one has come to what the plan promises."""
    waves = _table(audit, "wave")
    planned = audit.summary.get("plan")
    assert planned is not None
    assert waves[-1]["flows_so_far"] == planned["safe_after"] - planned["safe_before"] > 5
    assert sum(wave["changes"] for wave in waves) == planned["changes"]
    assert {wave["owner"] for wave in waves} == {"payments", "middleware", None}
    assert Counter(row["wave"] for row in _table(audit, "plan_change")) == {w["wave"]: w["changes"] for w in waves}
    assert waves[-1]["findings_so_far"] == planned["findings"] - planned["left"]


def test_no_wave_does_harm_where_another_order_does_none(audit: Audit) -> None:
    """Endpoints that no longer stop make most flows safe, and loop where the backout of queues is not there yet."""
    waves = _table(audit, "wave")
    assert {wave["worse"] for wave in waves} == {0}
    backout = [wave["wave"] for wave in waves if wave["action"] == "backout of queues"]
    (stopping,) = (wave for wave in waves if wave["action"].startswith("Stop endpoint"))
    assert stopping["wave"] > max(backout)
    assert stopping["flows"] == max(wave["flows"] for wave in waves)


def test_the_first_wave_alone_does_what_it_says(audit: Audit, fixtures: Planned) -> None:
    """Judged with the changes of the first wave and no others, so many flows are safe."""
    numbers = {row["number"] for row in _table(audit, "plan_change") if row["wave"] == 1}
    plan = fixtures.plan
    changes = [change for number, change in enumerate(plan.changes) if number in numbers]
    judged = Evaluator(read_exports([fixtures.exports]), _OBSERVED, RULES).judge(changes).judgement
    safe = sum(is_safe(flow_fate(head)) for head in judged.flows)
    before = sum(map(is_safe, plan.fates_before.values()))
    assert safe - before == _table(audit, "wave")[0]["flows"]


def test_units_without_a_cell_are_not_planned() -> None:
    """A queue manager that no endpoint reads from is in no batch; those that share one are in one batch."""
    units = [Unit(name, [Listed(name, name, 5, 0, "", False)]) for name in "abcd"]
    told = [Told("a", "cell", "A"), Told("b", "queue_manager", "QM"), Told("c", "queue_manager", "OTHER")]
    told += [Told("a", "queue_manager", "QM"), Told("d", "cell", "D")]
    assert [[unit.path for unit in batch] for batch in make_batches(units, told, 5)] == [["a", "b"], ["d"]]
    assert [[unit.path for unit in batch] for batch in make_batches(units, told, 15)] == [["a", "b", "d"]]


@pytest.mark.parametrize(("put", "batches"), [("DISABLED", 1), ("ENABLED", 2)])
def test_what_proves_a_remote_backout_queue_bad_is_planned_with_it(tmp_path: Path, put: str, batches: int) -> None:
    """Without the export of the other queue manager the finding would not be there."""
    scenario = scenario_folder("backout-lost-elsewhere")
    shutil.copytree(scenario / "was", tmp_path / "in" / "was")
    shutil.copytree(scenario / "mq", tmp_path / "in" / "mq")
    far = tmp_path / "in" / "mq" / "QM2.mqsc"
    far.write_text(far.read_text().replace("DISABLED", put))
    units = list_units([str(tmp_path / "in")]).units
    store = Store(tmp_path / "out")
    with store.locked():
        collected = collect(LocalWorkers(), store, units, UnitReader(), incremental=False)
    made = make_batches(units, read_names(store, collected), 1, all_queues=True)
    assert len(made) == batches
    assert sum(len(batch) for batch in made) == len(units) == 3


def test_a_later_export_says_which_changes_are_done(audit: Audit, fixtures: Planned, tmp_path: Path) -> None:
    """Where a queue manager ran its script its changes are done, where somebody set another value they have drifted."""
    exports = tmp_path / "exports"
    shutil.copytree(fixtures.exports, exports)
    change = next(row for row in _table(audit, "plan_change") if row["attribute"] == "BOTHRESH")
    script = (audit.folder / "changes" / change["script"]).read_text()
    (exports / "later.mqsc").write_text(script)
    drifted = next(row for row in _table(audit, "plan_change") if row["attribute"] == "BOTHRESH" and row != change)
    assert drifted["place"] != change["place"]
    (exports / "other.mqsc").write_text(f"ALTER QLOCAL({drifted['name']}) BOTHRESH(77)\n")
    names = {str(exports / "later.mqsc"): change["place"], str(exports / "other.mqsc"): drifted["place"]}
    newer = read_exports([exports], queue_managers=names)
    progress = verify_plan(find_plan(fixtures.folder / "out"), newer, _OBSERVED)
    found = {row["number"]: (row["place"], entry) for row, entry in progress.changes}
    assert {entry.progress for place, entry in found.values() if place == change["place"]} == {"done"}
    assert found[drifted["number"]][1] == (found[drifted["number"]][1].change, "drifted", "77")
    text = "\n".join(progress_lines(progress, Style()))
    assert "; it is 77 now" in text
    assert f"{len(found)} changes of {audit.folder.name}: " in text
    assert not progress.done
    counts = json.loads("".join(progress_json(progress)))["counts"]
    assert sum(counts.values()) == len(found)
    assert counts["drifted"] == 1


def test_an_audit_without_a_plan_cannot_be_followed_up(history: History) -> None:
    """The error says how to make one."""
    with pytest.raises(LintmdbError, match="holds no plan"):
        find_plan(history.out)


def test_the_last_plan_is_followed_up_whatever_audits_come_after_it(audit: Audit, fixtures: Planned) -> None:
    """An audit without a plan may be later than the plan whose changes are being made."""
    out = fixtures.folder / "out"
    later = run_audit(None, Request([str(fixtures.exports)], out, FEW, _OBSERVED, incremental=True))
    assert find_plan(out).name == audit.folder.name
    with pytest.raises(LintmdbError, match="holds no plan"):
        find_plan(out, later.folder.name)


def test_the_plan_of_unchanged_exports_is_not_made_again(
    audit: Audit, fixtures: Planned, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next audit has the same tables and scripts; another policy is another plan."""
    request = Request([str(fixtures.exports)], fixtures.folder / "again", RULES, _OBSERVED, plan=_POLICY)
    shutil.copytree(fixtures.folder / "out", request.out)
    for later in Store(request.out).complete_audits()[1:]:
        shutil.rmtree(later)
    monkeypatch.setattr("lintmdb.fleet.audit.write_plan", _fail)
    again = run_audit(None, replace(request, incremental=True))
    assert again.summary.get("plan") == audit.summary.get("plan")
    assert filecmp.dircmp(audit.folder / "changes", again.folder / "changes").diff_files == []
    assert _table(again, "plan_change") == _table(audit, "plan_change")
    with pytest.raises(AssertionError, match="planned"):
        run_audit(None, replace(request, incremental=True, plan=Policy(only="mq")))


def _fail(*_: object) -> None:
    raise AssertionError("planned")


def test_exports_of_other_file_systems_are_not_planned(tmp_path: Path) -> None:
    """That is said before anything is read."""
    with pytest.raises(LintmdbError, match="--plan reads exports on this machine"):
        run_audit(None, Request(["hdfs://host/exports"], tmp_path, FEW, plan=_POLICY))


def test_progress_is_told_in_the_order_of_the_steps(tmp_path: Path) -> None:
    """As ``plan verify`` tells it: the queue manager comes first where its script is run first."""
    exports = FIXTURES / "estate"
    made = run_audit(None, Request([str(exports)], tmp_path / "out", RULES, _OBSERVED, plan=Policy()))
    steps = json.loads((made.folder / "changes/plan.json").read_text())["steps"]
    assert [step["place"] for step in steps] == ["QM1", "PRODCELL"]
    progress = verify_plan(made.folder, read_exports([exports]), _OBSERVED)
    told = [
        line.split()[-1] for line in progress_lines(progress, Style()) if re.match(r"(?:cell|queue manager) ", line)
    ]
    assert told == ["QM1", "PRODCELL"]


def test_a_plan_of_a_fleet_that_is_carried_out_by_half_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The endpoint does not stop any more, and nothing moves the message yet."""
    returns, stops = "was/cells/PRODCELL/nodes/node2/resources.xml", "was_stopEndpointIfDeliveryFails=&quot;{}&quot;"
    limit = ",was_failureDeliveryCount=&quot;{}&quot;"
    variant = Variant(tmp_path, "estate")
    variant.edit(returns, (stops + limit).format("false", "6"), (stops + limit).format("true", "3"))
    dump = variant.folder / "mq/QM1.mqsc"
    before, head, after = dump.read_text().partition("DEFINE QLOCAL('RETURNS.IN')")
    dump.write_text(before + head + after.replace("BOTHRESH(3)", "BOTHRESH(0)", 1))
    out = tmp_path / "out"
    run_audit(None, Request([str(variant.folder)], out, RULES, _OBSERVED, plan=Policy()))
    command = ["fleet", "plan", "verify", str(out)]
    app(command, standalone_mode=False)
    assert "Worse now" not in capsys.readouterr().out
    variant.edit(returns, stops.format("true"), stops.format("false"))
    assert app(command, standalone_mode=False) == 1
    told = capsys.readouterr().out
    assert "Worse now than before the plan, on 1 flow:\n  RETURNS.IN at QM1 -> ReturnsAS" in told
    assert "the endpoint stops -> loops for ever\nStill to run, in this order: " in told
    app([*command, "--format", "json"], standalone_mode=False)
    (worse,) = json.loads(capsys.readouterr().out)["worse"]
    assert (worse["endpoint"], worse["before"], worse["now"]) == ("ReturnsAS", "endpoint_stopped", "loops_forever")
