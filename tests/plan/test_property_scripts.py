"""A plan as properties files: they are the sections of the export, and reading them back gives what was planned."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import lintmdb
from lintmdb.exports.discovery import shown_path
from lintmdb.exports.was.property_files import read_property_file
from lintmdb.plan.evaluation import Evaluator
from lintmdb.plan.planned import Plan
from lintmdb.plan.planner import make_plan
from lintmdb.plan.policy import Policy
from lintmdb.plan.property_scripts import property_scripts
from lintmdb.plan.scripts import Script, plan_scripts
from lintmdb.resolve.observations import Observations
from lintmdb.run.environments import Environments
from lintmdb.run.estate import read_exports
from lintmdb.settings.changes import Assignment
from tests.exports.was.test_property_exports import cells_of
from tests.support.command import Run
from tests.support.listed_objects import property_text
from tests.support.scenario import RULES
from tests.support.scenario_folders import scenario_folder

PACKED = 'was_stopEndpointIfDeliveryFails=\\"false\\",was_failureDeliveryCount=\\"0\\"'


def planned(folder: Path) -> tuple[Plan, dict[str, Script]]:
    """What is planned for the cells of a folder, and the properties files by path."""
    exports = read_exports([folder])
    plan = make_plan(Evaluator(exports, Observations(), RULES), Policy(only="was"))
    return plan, {script.path: script for script in property_scripts(plan.changes, exports, plan_scripts(plan.changes))}


def rewritten(name: str, folder: Path) -> Path:
    """A scenario with its cells as properties files."""
    folder.mkdir()
    for cell in cells_of(name):
        (folder / f"{cell.name}.props").write_text(property_text(cell))
    shutil.copytree(scenario_folder(name) / "mq", folder / "mq")
    return folder


@pytest.mark.parametrize("name", ["stop-3-sessions-5-bothresh-5", "listener-port-retries-0", "poison-burst"])
def test_a_properties_file_makes_what_was_planned(name: str, tmp_path: Path) -> None:
    """Applied to the exports, the file gives the findings that the plan leaves, and with its undo the first ones."""
    exported = rewritten(name, tmp_path / "exports")
    plan, files = planned(exported)
    assert any(isinstance(change, Assignment) for change in plan.changes)
    (doing, undoing) = (files["was/C1.props"].text, files["undo/was/C1.props"].text)
    for path, text in (("do.props", doing), ("undo.props", undoing)):
        (tmp_path / path).write_text(text)
        assert len(read_property_file(text.encode(), path)) >= 1
    after = lintmdb.check(exported, change=[tmp_path / "do.props"])
    told = {finding.fingerprint for finding in plan.after.judgement.findings}
    assert {finding.fingerprint for finding in after.findings} == told
    first = {finding.fingerprint for finding in plan.before.judgement.findings}
    assert told != first
    undone = lintmdb.check(exported, change=[tmp_path / "do.props", tmp_path / "undo.props"])
    assert {finding.fingerprint for finding in undone.findings} == first
    assert _lines(undoing, "# before: ") == _lines(doing, "")
    assert _lines(undoing, "") == _lines(doing, "# before: ") != []


def _lines(text: str, start: str) -> list[str]:
    """The properties behind comments that begin with ``start``, or without one in the lines below them."""
    lines = text.splitlines()
    commented = [number for number, line in enumerate(lines) if line.startswith("# before: ")]
    return [lines[number].removeprefix(start) if start else lines[number + 1] for number in commented]


def test_packed_properties_keep_their_neighbours(tmp_path: Path, lintmdb: Run) -> None:
    """A value that is packed into arbitraryProperties changes, and what is packed beside it stays."""
    folder = tmp_path / "exports"
    shutil.copytree(scenario_folder("property-files"), folder)
    export, dump = folder / "was/server1.props", folder / "mq/QM1.mqsc"
    export.write_text(export.read_text().replace(PACKED, PACKED.replace("false", "true").replace("0", "1")))
    dump.write_text(dump.read_text().replace("BOTHRESH(0)", "BOTHRESH(3)"))
    out = tmp_path / "plan"
    assert lintmdb("plan", folder, "--out", out).returncode == 0
    text = (out / "was/C1.props").read_text()
    assert f'\narbitraryProperties="{PACKED.replace("0", "1")}"\n' in text
    assert f'# before: arbitraryProperties="{PACKED.replace("false", "true").replace("0", "1")}"\n' in text
    result = lintmdb("check", folder, "--change", out / "was/C1.props", "--quiet")
    assert (result.returncode, result.stderr) == (0, "")
    dump.write_text(dump.read_text().replace("BOTHRESH(3)", "BOTHRESH(0)"))
    assert lintmdb("plan", folder, "--only", "mq", "--out", out).returncode == 0
    assert not (out / "was/C1.props").exists(), "it was the other plan's"


def test_a_repository_has_no_sections(tmp_path: Path, lintmdb: Run) -> None:
    """Where the export is not a properties file, none is written."""
    assert lintmdb("plan", "fixtures/estate", "--out", tmp_path).returncode == 0
    assert list(tmp_path.rglob("was/*.py"))
    assert not list(tmp_path.rglob("*.props"))


def test_environments_have_files_of_their_own(tmp_path: Path) -> None:
    """A cell of one name in two environments has a file in each, with what is planned there."""
    named = {"prod": "listener-port-retries-0", "test": "stop-3-sessions-5-bothresh-5"}
    folders = {environment: rewritten(name, tmp_path / environment) for environment, name in named.items()}
    environments = Environments({shown_path(folder): frozenset({name}) for name, folder in folders.items()})
    exports = read_exports(list(folders.values()), environments=environments)
    plan = make_plan(Evaluator(exports, Observations(), RULES), Policy(only="was"))
    found = {script.path: script.text for script in property_scripts(plan.changes, exports, plan_scripts(plan.changes))}
    alone = {
        path.replace("was/", f"was/{environment}/"): script.text
        for environment, folder in folders.items()
        for path, script in planned(folder)[1].items()
    }
    assert len(alone) == 4
    assert found == alone


def test_variables_of_the_export_are_kept(tmp_path: Path) -> None:
    """Variables may stand above sections, too: the file has them, and nothing of the sections below them."""
    folder = rewritten("listener-port-retries-0", tmp_path / "exports")
    export = folder / "C1.props"
    variables = "EnvironmentVariablesSection\n#\ncellName=C1\nLIMIT=4\n"
    text = export.read_text().partition("EnvironmentVariablesSection")[0]
    last = text.rindex("ResourceType=VariableMap\nImplementing")
    export.write_text(text[:last] + variables + text[last:])
    written = planned(folder)[1]["was/C1.props"].text
    assert written.endswith("\nEnvironmentVariablesSection\ncellName=C1\nLIMIT=4\n")


def test_variables_with_two_values(tmp_path: Path) -> None:
    """There is no file where its sections come from exports that give a variable two values."""
    folder = rewritten("listener-port-retries-0", tmp_path / "exports")
    first, second = folder / "C1.props", folder / "server2.props"
    text = first.read_text()
    for other, written in (("1", True), ("2", False)):
        first.write_text(text + "SITE=1\n")
        second.write_text(text.replace("server1", "server2") + f"SITE={other}\n")
        plan, files = planned(folder)
        assert {"server1", "server2"} <= {change.target.path.rstrip("/").rpartition(":")[2] for change in plan.changes}
        assert ("was/C1.props" in files) == written
