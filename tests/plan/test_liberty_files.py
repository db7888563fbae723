"""What a plan writes for Liberty: a drop-in file that, copied into the server, makes exactly the planned changes."""

from __future__ import annotations

import shutil
from pathlib import Path
from xml.etree import ElementTree

import pytest

from lintmdb.engine.repairs import find_alternatives
from lintmdb.model.facts import Facts
from lintmdb.plan.scripts import liberty_file, liberty_undo_file, plan_scripts
from lintmdb.resolve.observations import Observations
from lintmdb.run.estate import read_estate, read_exports, resolve_exports, values_by_table
from lintmdb.run.overlay import overlay_of
from lintmdb.settings.changes import Assignment, Target
from lintmdb.settings.liberty import OVERRIDES, drop_in, is_liberty
from tests.support.command import Run
from tests.support.scenario import run_scenario
from tests.support.scenario_folders import scenario_folder

SERVER = "liberty/servers/shop"


def repairs() -> list[tuple[Assignment, ...]]:
    """The changes of Liberty in every alternative of every finding of the fixture."""
    outcome = run_scenario(scenario_folder("liberty"), {"on_message": "15s"})
    found = [
        tuple(change for change in changes if isinstance(change, Assignment) and is_liberty(change.target))
        for finding in outcome.judgement.findings
        for changes in find_alternatives(finding.rule, finding.rows)
    ]
    return [changes for changes in dict.fromkeys(found) if changes]


def facts_with(text: str, folder: Path) -> Facts:
    """The facts of the fixture with a file in the place where the plan wants it."""
    shutil.copytree(scenario_folder("liberty"), folder, dirs_exist_ok=True)
    file = folder / SERVER / OVERRIDES
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8")
    return read_estate([folder], Observations()).facts


def test_the_file_makes_what_the_overlay_of_the_changes_is(tmp_path: Path) -> None:
    """For each repair, judged before anybody writes a file; and the undo file brings the old values back."""
    found = repairs()
    assert {change.target.kind for changes in found for change in changes} == {
        "liberty_specification",
        "liberty_endpoint",
        "liberty_queue",
        "liberty_transaction",
    }
    exports = read_exports([scenario_folder("liberty")])
    before = values_by_table(resolve_exports(exports, Observations()).facts)
    for number, changes in enumerate(found):
        planned = values_by_table(resolve_exports(exports, Observations(), overlay_of(changes)).facts)
        assert planned != before
        made = facts_with(liberty_file("liberty:shop", changes), tmp_path / f"made{number}")
        assert values_by_table(made) == planned, changes
        undone = facts_with(liberty_undo_file("liberty:shop", changes), tmp_path / f"undone{number}")
        assert values_by_table(undone) == before, changes


def test_a_plan_has_one_file_for_each_server() -> None:
    """Below ``liberty``, and nothing for wsadmin."""
    target = Target("was", "liberty:shop", "liberty_endpoint", "a/b")
    change = Assignment(target, "endpoint.initial_state", "autoStart", "true", "false")
    assert [script.path for script in plan_scripts([change])] == [
        "liberty/liberty_shop.xml",
        "undo/liberty/liberty_shop.xml",
    ]


@pytest.mark.parametrize("name", ['a"b', "<a>&", "a--b-->", "ä\x07\n", "]]>", "'"])
def test_any_name_gives_xml(name: str) -> None:
    """Names end no attribute and no comment."""
    target = Target("was", f"liberty:{name}", "liberty_queue", name.replace("\x07", ""), "defaultBus")
    change = Assignment(target, "destination.receive_allowed", "receiveAllowed", "true", name)
    for text in (liberty_file(target.place, [change]), "\n".join(drop_in([change]))):
        (queue,) = ElementTree.fromstring(text).iter("queue")
        assert " ".join(queue.attrib["id"].split()) == " ".join(target.name.split())


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        ("endpoint Shop/orders/EarlyBean at liberty:shop: maxSequentialDeliveryFailures=5", "MDB321"),
        ("server shop: propogatedOrBMTTranLifetimeTimeout=600", "MDB420"),
        ("destination KEEP: failedDeliveryPolicy=SEND_TO_EXCEPTION_DESTINATION", "MDB501"),
    ],
)
def test_one_value_is_tried_on_the_command_line(lintmdb: Run, change: str, rule: str) -> None:
    """``--set`` names objects of Liberty as any other."""
    folder = scenario_folder("liberty")
    result = lintmdb("diff", folder, "--on-message", "15s", "--set", change)
    assert f"resolved: {rule} " in result.stdout, result.stderr
    assert "(planned):" not in result.stdout


def test_a_plan_is_verified(lintmdb: Run, tmp_path: Path) -> None:
    """Open on the export that it was made from, also where a variable has the value; done with its file in place."""
    folder, plan = tmp_path / "estate", tmp_path / "plan"
    shutil.copytree(scenario_folder("liberty"), folder)
    lintmdb("plan", folder, "--on-message", "15s", "--only", "was", "--out", plan)
    before = lintmdb("plan", "verify", plan, folder).stdout
    assert "drifted" not in before
    assert " done" not in before.splitlines()[-1]
    file = folder / SERVER / OVERRIDES
    file.parent.mkdir(parents=True)
    shutil.copyfile(plan / "liberty" / "liberty_shop.xml", file)
    after = lintmdb("plan", "verify", plan, folder).stdout.splitlines()[-1]
    assert "open" not in after
    assert "drifted" not in after
