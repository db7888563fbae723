"""Two environments as two states: what differs between test and prod, whatever their cells are called."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from pathlib import Path

import pytest

import lintmdb as api
from lintmdb.errors import LintmdbError
from tests.support.command import Run
from tests.support.project import FIXTURES


def _estate(folder: Path) -> tuple[str, ...]:
    """Equal estates but for the names of cell, node, server and queue manager, and one backout threshold."""
    for name in ("test", "prod"):
        shutil.copytree(FIXTURES / "estate", folder / name, ignore=shutil.ignore_patterns("expected.yaml"))
    shutil.move(folder / "prod" / "was" / "cells" / "PRODCELL", folder / "prod" / "was" / "cells" / "OTHERCELL")
    for file in (folder / "prod").rglob("*"):
        if file.is_file():
            text = file.read_text()
            text = re.sub(r"PRODCELL", "OTHERCELL", text)
            file.write_text(re.sub(r"\bQM([12])\b", r"QMP\1", text))
    dump = folder / "prod" / "mq" / "QM1.mqsc"
    text = dump.read_text()
    before, _, rest = text.partition("DEFINE QLOCAL('RETURNS.IN')")
    assert "BOTHRESH(3)" in rest
    dump.write_text(f"{before}DEFINE QLOCAL('RETURNS.IN'){rest.replace('BOTHRESH(3)', 'BOTHRESH(0)', 1)}")
    return ("--environment", f"test={folder / 'test'}", "--environment", f"prod={folder / 'prod'}")


def test_flows_are_matched_whatever_cells_are_called(lintmdb: Run, tmp_path: Path) -> None:
    """Only the flow that differs is shown, and none of those that differ only in the names of their places."""
    named = _estate(tmp_path)
    run = lintmdb("diff", "--environments", "test", "prod", *named, "--format", "json")
    assert run.returncode == 1
    document = json.loads(run.stdout)
    assert {entry["subject"]["name"] for entry in document["fates"]} == {"ReturnsAS"}
    assert {entry["subject"]["environment"] for entry in document["fates"]} == {"prod"}
    assert not any(document["flows"].values())
    assert {entry["rule"] for entry in document["new"]} == {"MDB104", "MDB304"}
    assert document["resolved"] == []
    assert document["undecided"] == []


def test_words_of_environments(lintmdb: Run, tmp_path: Path) -> None:
    """A finding is in one environment only, neither new nor resolved; a whole flow, too."""
    named = _estate(tmp_path)
    shutil.rmtree(tmp_path / "prod" / "was" / "cells" / "OTHERCELL" / "applications" / "Mail.ear")
    text = lintmdb("diff", "--environments", "test", "prod", *named).stdout
    assert "only in prod: queue RETURNS.IN at QMP1 in prod" in text
    assert "only in test: MDB" in text
    assert "flow only in test: " in text
    assert "new" not in text
    assert "resolved" not in text
    assert "in both" in text.splitlines()[-1]


def test_states_with_environments_are_compared_apart(lintmdb: Run, tmp_path: Path) -> None:
    """Two states of an estate with two environments: what changes in prod is told of prod alone."""
    shutil.copytree(FIXTURES / "clean", tmp_path / "old" / "test")
    shutil.copytree(FIXTURES / "clean", tmp_path / "old" / "prod")
    shutil.copytree(tmp_path / "old", tmp_path / "new")
    dump = tmp_path / "new" / "prod" / "mq" / "QM1.mqsc"
    dump.write_text(re.sub(r"BOTHRESH\(\d+\)", "BOTHRESH(0)", dump.read_text()))
    (tmp_path / "lintmdb.toml").write_text("environments = { test = '*/test', prod = '*/prod' }\n")
    document = json.loads(lintmdb("diff", "old", "new", "--format", "json", cwd=tmp_path).stdout)
    assert document["new"]
    assert {entry["subject"]["environment"] for entry in document["new"]} == {"prod"}
    assert not document["resolved"]


def test_a_further_export_is_in_the_environment_that_is_named(lintmdb: Run, tmp_path: Path) -> None:
    """--before prod=PATH adds a script to prod and to no other, for the change that builds on it."""
    for name in ("test", "prod"):
        shutil.copytree(FIXTURES / "clean", tmp_path / name)
    (tmp_path / "lintmdb.toml").write_text(
        "inputs = ['test', 'prod']\nenvironments = { test = 'test', prod = 'prod' }\n"
    )
    head = "* Queue manager name: QM1\n"
    (tmp_path / "merged.mqsc").write_text(f"{head}DEFINE QLOCAL(NEW.BACKOUT)\n")
    (tmp_path / "list").write_text("merged.mqsc\n")
    (tmp_path / "change.mqsc").write_text(f"{head}ALTER QLOCAL(NEW.BACKOUT) MAXDEPTH(50)\n")
    for merged in ("prod=merged.mqsc", "prod=@list"):
        run = lintmdb("diff", "--before", merged, "--change", "prod=change.mqsc", cwd=tmp_path)
        assert (run.returncode, run.stderr) == (0, "")
    other = lintmdb("diff", "--before", "test=merged.mqsc", "--change", "prod=change.mqsc", cwd=tmp_path)
    assert (other.returncode, "refused" in other.stdout) == (4, True)
    unknown = lintmdb("diff", "prod", "prod", "--after", "prd=merged.mqsc", cwd=tmp_path)
    assert (unknown.returncode, unknown.stderr) == (
        2,
        "lintmdb: --after prd=merged.mqsc: there is no environment prd. The environments are prod, test\n",
    )


def test_a_state_without_environments_matches_none_with(lintmdb: Run, tmp_path: Path) -> None:
    """The exports of a worktree are in no environment unless lintmdb.toml says so; then the two states match."""
    for state in ("before/exports", "exports"):
        shutil.copytree(FIXTURES / "backout-inert", tmp_path / state)
    config = tmp_path / "lintmdb.toml"
    config.write_text("environments = { prod = 'exports' }\n")
    asked = ("diff", "before/exports", "exports", "--config", "lintmdb.toml")
    refused = lintmdb(*asked, cwd=tmp_path)
    assert refused.returncode == 2
    assert "is in no environment, but the other state is in prod" in refused.stderr
    with pytest.raises(LintmdbError, match="in no environment"):
        api.Estate(tmp_path / "before").diff(api.Estate(environments={"prod": tmp_path / "exports"}))
    config.write_text(_line(refused.stderr))
    assert config.read_text() == 'environments = { prod = ["exports", "before/exports"] }\n'
    same = lintmdb(*asked, cwd=tmp_path).stdout
    assert (
        same == "Gate passes (--fail-on error)\n"
        "0 of 1 flow with another fate; findings: 0 new, 0 resolved, 0 newly undecided, 2 as before\n"
    )


def _line(error: str) -> str:
    """The line of lintmdb.toml that an error says."""
    return error.partition("or in lintmdb.toml: ")[2]


@pytest.mark.parametrize("named", ["", "environments = { prod = 'exports/prod', dev = 'exports/dev' }\n"])
def test_one_line_names_the_environments_of_both_states(lintmdb: Run, tmp_path: Path, named: str) -> None:
    """Exports of one name differ within each state: what is to be pasted keeps what lintmdb.toml says and names those
    of the other state, too.
    """
    for name in ("dev", "prod"):
        shutil.copytree(FIXTURES / "clean/mq", tmp_path / "exports" / name)
    dump = tmp_path / "exports/prod/QM1.mqsc"
    dump.write_text(re.sub(r"BOTHRESH\(\d+\)", "BOTHRESH(0)", dump.read_text()))
    shutil.copytree(tmp_path / "exports", tmp_path / "before/exports")
    config = tmp_path / "lintmdb.toml"
    config.write_text(named)
    asked = ("diff", "before/exports", "exports", "--all-queues")
    refused = lintmdb(*asked, cwd=tmp_path)
    assert (refused.returncode, refused.stdout) == (2, "")
    config.write_text(_line(refused.stderr))
    assert lintmdb(*asked, cwd=tmp_path).returncode == 0
    config.unlink()
    options = refused.stderr.partition("name them: ")[2].partition(", or in")[0]
    assert lintmdb(*asked, *shlex.split(options), cwd=tmp_path).returncode == 0


def test_the_same_from_python(tmp_path: Path) -> None:
    """Estate.diff compares two environments, and names an environment that there is not."""
    _estate(tmp_path)
    environments = {name: tmp_path / name for name in ("test", "prod")}
    difference = api.diff([], environments=environments, between=("test", "prod"))
    assert {fate.subject.name for fate in difference.fates} == {"ReturnsAS"}
    estate = api.Estate(environments=environments)
    assert estate.environments == ("prod", "test")
    assert estate.diff(between=("test", "prod")) == difference
    with pytest.raises(LintmdbError, match=r"no environment is called dev\. Known here: prod, test"):
        estate.diff(between=("dev", "prod"))


@pytest.mark.parametrize("without", ["test", "prod"])
def test_queues_without_attributes_in_one_environment_are_judged_in_both(
    lintmdb: Run, tmp_path: Path, without: str
) -> None:
    """Whichever environment lacks the attributes, the fate differs, although the queue managers have other names."""
    named: list[str] = []
    for name in ("test", "prod"):
        shutil.copytree(FIXTURES / "clean", tmp_path / name, ignore=shutil.ignore_patterns("expected.yaml"))
        dump = tmp_path / name / "mq/QM1.mqsc"
        attributes = "" if name == without else " BOTHRESH(3) BOQNAME('ORDERS.BACKOUT')"
        text = f"{dump.read_text()}DEFINE QLOCAL('SPARE'){attributes} REPLACE\n"
        dump.write_text(text if name == "test" else text.replace("QM1", "QMP1"))
        named += ["--environment", f"{name}={tmp_path / name}"]
    run = lintmdb("diff", "--environments", "test", "prod", *named, "--all-queues", "--format", "json")
    fates = [entry for entry in json.loads(run.stdout)["fates"] if entry["subject"]["name"] == "SPARE"]
    ends = {"test": fates[0]["before"], "prod": fates[0]["after"]}
    assert "ORDERS.BACKOUT" not in ends.pop(without)
    assert "ORDERS.BACKOUT" in "".join(ends.values())
