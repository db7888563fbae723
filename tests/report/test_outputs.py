"""Where reports go: standard output, files, a workflow's log and summary; whole or not at all."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from lintmdb.delivery.outcome import Fate, Outcome
from lintmdb.delivery.workload import Workload
from lintmdb.engine.traces import Told
from lintmdb.report.formats import FORMATS
from lintmdb.report.headline_fates import HeadlineFate
from lintmdb.report.text_summary import fates_in_a_sentence
from tests.support.command import Run
from tests.support.project import ROOT
from tests.support.scenario_folders import scenario_folder


def test_each_format_goes_to_its_file(lintmdb: Run, tmp_path: Path) -> None:
    """All formats in one run are drawn from the same findings."""
    options = [part for name in FORMATS for part in ("--format", f"{name}={tmp_path / name}")]
    result = lintmdb("check", "fixtures/backout-inert", *options)
    assert (result.returncode, result.stdout, result.stderr) == (1, "", "")
    for name in FORMATS:
        assert "MDB104" in (tmp_path / name).read_text(), name
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(FORMATS)


def test_workflows_get_annotations_beside_the_text(lintmdb: Run, tmp_path: Path) -> None:
    """In a GitHub workflow the annotations follow the text, and the summary is appended as Markdown."""
    summary = tmp_path / "summary.md"
    summary.write_text("of another step\n")
    env = {"GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": str(summary)}
    plain = lintmdb("check", "fixtures/backout-inert").stdout
    result = lintmdb("check", "fixtures/backout-inert", env=env)
    assert result.returncode == 1
    assert result.stdout.startswith(plain)
    annotations = result.stdout.removeprefix(plain).splitlines()
    assert len(annotations) == 2
    assert all(line.startswith("::error file=fixtures/backout-inert/") for line in annotations)
    assert summary.read_text().startswith("of another step\n## lintmdb: 2 errors\n")
    assert lintmdb("check", "fixtures/backout-inert", "--format", "github").stdout == result.stdout


def test_a_workflow_does_not_spoil_other_output(lintmdb: Run, tmp_path: Path) -> None:
    """Where standard output is a document, or nothing, no annotation is added."""
    env = {"GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md")}
    result = lintmdb("check", "fixtures/backout-inert", "--format", "json", env=env)
    assert json.loads(result.stdout)["schema"] == "lintmdb/1"
    result = lintmdb("check", "fixtures/backout-inert", "--format", f"sarif={tmp_path / 'a.sarif'}", env=env)
    assert result.stdout == ""
    assert (
        lintmdb("trace", "fixtures/backout-inert", env=env).stdout == lintmdb("trace", "fixtures/backout-inert").stdout
    )
    assert not (tmp_path / "summary.md").exists()


@pytest.mark.parametrize(
    ("entries", "says"),
    [
        (["json="], "names no file"),
        (["json=fixtures"], "fixtures: is a folder"),
        (["json=a", "csv=a"], "two reports would be written to the same place"),
        (["github", "json"], "both go to standard output"),
        (["json=README.md/x"], "README.md/x: cannot be written, because its folder is a file"),
        (["json=/dev/full"], "/dev/full: cannot be written: No space left on device"),
        (["json=/proc/x/y"], "/proc/x/y: cannot be written"),
    ],
)
def test_output_problems_are_one_line(lintmdb: Run, entries: list[str], says: str) -> None:
    """A report that cannot be written is one clear line and exit code 2."""
    options = [part for entry in entries for part in ("--format", entry)]
    result = lintmdb("check", "fixtures/backout-inert", *options)
    assert result.returncode == 2
    assert says in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_a_full_standard_output_is_one_line() -> None:
    """So is a report that standard output does not take."""
    import subprocess
    import sys

    with open("/dev/full", "w") as full:
        command = [sys.executable, "-m", "lintmdb", "check", "fixtures/backout-inert"]
        result = subprocess.run(command, cwd=ROOT, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert result.returncode == 2
    assert result.stderr == "lintmdb: standard output cannot be written: No space left on device\n"


def test_a_report_that_fails_leaves_the_old_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file is replaced as a whole: when writing fails, what was there stays and nothing else is left."""
    from lintmdb.errors import LintmdbError
    from lintmdb.report.outputs import write

    file = tmp_path / "report.json"
    write("old", file)
    file.chmod(0o640)

    def fail(self: Path, target: Path) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", fail)
        with pytest.raises(LintmdbError, match="No space left"):
            write("new", file)
    assert file.read_text() == "old"
    write("new", file)
    assert file.read_text() == "new"
    assert file.stat().st_mode & 0o777 == 0o640
    assert [path.name for path in tmp_path.iterdir()] == ["report.json"]


def test_a_fate_of_one_kind_of_message_is_said_to_be_one() -> None:
    """Most queues hold persistent messages: "lost" alone would alarm readers who lose none, and what becomes of these
    is as bad.
    """

    def flow(*fates: Fate) -> HeadlineFate:
        kinds = (None,) if len(fates) == 1 else (False, True)
        return HeadlineFate(
            tuple(Told(Workload(), Outcome(fate), kind) for fate, kind in zip(fates, kinds, strict=True))
        )

    both, one = flow(Fate.LOST), flow(Fate.DISCARDED, Fate.BLOCKED)
    lost, blocks = "a poison message is lost", "a persistent one blocks delivery"
    assert fates_in_a_sentence([one]) == f"{lost} (only if non-persistent, while {blocks})"
    assert fates_in_a_sentence([both, one]) == f"{lost} on every one (on 1 only if non-persistent, while {blocks})"
    moved = flow(Fate.DEAD_LETTER_QUEUE, Fate.BACKOUT_QUEUE)
    said = f"{lost} on 2 (only if non-persistent, while {blocks}) and is moved aside on 1"
    assert fates_in_a_sentence([one, moved, one]) == said
    perhaps = flow(Fate.LOST, Fate.UNDECIDED)
    assert fates_in_a_sentence([perhaps]) == f"{lost}"


def test_only_what_a_command_prints_is_in_an_output(lintmdb: Run, tmp_path: Path) -> None:
    """A file of observations supplies several things, too, and each has its own words."""
    was = scenario_folder("clean") / "was"
    dump = (scenario_folder("clean") / "mq" / "QM1.mqsc").read_text()
    (tmp_path / "QM1.mqsc").write_text(dump.replace("PRINCIPAL('wasuser')", "GROUP('mqusers')"))
    other = tmp_path / "was"
    shutil.copytree(was, other)
    for file in other.rglob("*.xml"):
        file.write_text(file.read_text().replace("C1", "C2").replace(' authenticationAlias="mqAlias"', ""))
    (tmp_path / "was" / "cells" / "C1").rename(tmp_path / "was" / "cells" / "C2")
    shown = " ".join(lintmdb("check", was, other, tmp_path / "QM1.mqsc").stdout.split())
    assert "Say which groups the user is in, under users in --observations FILE" in shown
    assert "Name it and its groups with --observations FILE" in shown
    assert "in that output, too" not in shown


def test_advice_that_stands_above_is_not_given_again(lintmdb: Run) -> None:
    """Where it is the same but for the name of its object; with -v each flow has all of it."""
    exports = scenario_folder("all-families")
    text = lintmdb("check", exports).stdout
    assert text.count("Convert to activation specification creates it") == 1
    assert "  advice  as above at ClaimsAuditLP, for ClaimsLP\n" in text
    assert "as above" not in lintmdb("check", exports, "--select", "MDB206", "--verbose").stdout
