"""The documented pipelines, the GitHub Action and the pre-commit hook: parsed, and their lines run."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, cast

import pytest
import yaml

from tests.support.command import clean_environment
from tests.support.project import FIXTURES, ROOT

PAGE = (ROOT / "docs" / "ci.md").read_text("utf-8")
BASH = shutil.which("bash") or ""
ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))


def _blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


def _lines() -> list[str]:
    """Every shell line of every pipeline."""
    found: list[str] = []
    for block in _blocks("yaml"):
        stack: list[Any] = [yaml.safe_load(block)]
        while stack:
            value = stack.pop()
            if isinstance(value, dict):
                entries = cast("dict[str, Any]", value)
                for key in ("run", "script"):
                    lines = entries.get(key, [])
                    found.extend([lines] if isinstance(lines, str) else lines)
                stack.extend(entries.values())
            elif isinstance(value, list):
                stack.extend(cast("list[Any]", value))
    for block in _blocks("groovy"):
        found.extend(re.findall(r"\bsh '(.*)'", block))
    return found


@pytest.fixture
def workplace(tmp_path: Path) -> Path:
    """A checkout with exports, a lintmdb, and a python3 that installs nothing."""
    shutil.copytree(FIXTURES / "backout-inert", tmp_path / "exports")
    commands = {
        "lintmdb": f'PYTHONPATH="{ROOT}" exec "{sys.executable}" -m lintmdb "$@"',
        "python3": 'test "$*" = "-m pip install $LINTMDB_SOURCE"',
    }
    (tmp_path / "bin").mkdir()
    for name, text in commands.items():
        file = tmp_path / "bin" / name
        file.write_text(f"#!/bin/sh\n{text}\n")
        file.chmod(0o755)
    return tmp_path


def _run(folder: Path, script: str, **more: str) -> subprocess.CompletedProcess[str]:
    environment = {**clean_environment(), "LINTMDB_SOURCE": "dist/lintmdb.whl", **more}
    environment.setdefault("PYTHONPATH", "")
    environment["PATH"] = f"{folder / 'bin'}{os.pathsep}{environment['PATH']}"
    return subprocess.run(
        [BASH, "-c", script], cwd=folder, capture_output=True, text=True, check=False, env=environment
    )


@pytest.mark.slow
@pytest.mark.skipif(not BASH, reason="no bash")
@pytest.mark.parametrize("line", _lines())
def test_the_lines_of_the_pipelines_run(workplace: Path, line: str) -> None:
    """Each shell line runs, finds the fixture's hazards, and writes the reports that it names."""
    result = _run(workplace, line)
    assert result.returncode == (0 if line.startswith("python3") or "--fail-on never" in line else 1), result.stderr
    for name in re.findall(r"--format \w+=(\S+)", line):
        assert (workplace / name).stat().st_size > 100


def test_there_are_pipelines() -> None:
    """All four systems are there, and what they publish is what they write."""
    assert len(_lines()) == 8
    for name in re.findall(r"--format \w+=(\S+)", "\n".join(_lines())):
        assert PAGE.count(name.partition("/")[0]) >= 2


_IDENTITY = "git -c user.name=a -c user.email=a@b.invalid"
_BRANCH = (
    f"set -e; git init -q .; git add $(ls -d exports mqsc 2> /dev/null); {_IDENTITY} commit -qm one; "
    "git branch -M main; "
    "git clone -q --bare . origin.git; git remote add origin origin.git; git checkout -q -b change"
)
"""Makes a repository of what there is, with a branch for a pull request."""


def test_a_diff_of_a_change(workplace: Path) -> None:
    """The lines for a script that is to run: the change repairs what the exports have."""
    script, *_ = _blocks("sh")
    (workplace / "changes").mkdir()
    (workplace / "changes" / "deploy.mqsc").write_text("ALTER QLOCAL('ORDERS.IN') BOTHRESH(3)\n")
    result = _run(workplace, script)
    assert (result.returncode, result.stderr) == (0, "")
    assert "resolved: MDB104" in result.stdout
    assert json.loads((workplace / "new.sarif").read_text("utf-8"))["runs"][0]["results"] == []


def test_a_diff_of_a_folder_of_changes(workplace: Path) -> None:
    """Only the script that the branch adds is a change; one that was merged and has not run yet is in both states."""
    _, script, _ = _blocks("bash")
    changes = workplace / "changes"
    changes.mkdir()
    (changes / "040-payments.mqsc").write_text("* Queue manager name: QM1\nALTER QLOCAL('ORDERS.IN') BOTHRESH(3)\n")
    made = _run(
        workplace,
        f"set -e; git init -q .; git add exports changes; {_IDENTITY} commit -qm one; git branch -M main; "
        "git clone -q --bare . origin.git; git remote add origin origin.git; git checkout -q -b change",
    )
    assert made.returncode == 0, made.stderr
    nothing = _run(workplace, script)
    assert (nothing.returncode, nothing.stdout, nothing.stderr) == (0, "To judge: nothing\n", "")
    (changes / "README.md").write_text("Changes that are to run\n")
    nothing = _run(workplace, f"git add changes\n{script}")
    assert (nothing.returncode, nothing.stdout, nothing.stderr) == (0, "To judge: nothing\n", "")
    (changes / "050-rights.sh").write_text('#!/bin/sh\necho "ALTER QLOCAL(ORDERS.IN) BOTHRESH(0)" | runmqsc QM1\n')
    judged = _run(workplace, f"git add changes\n{script}")
    assert judged.stdout.startswith("To judge: --change changes/050-rights.sh\nGate passes (--fail-on warning)\n0 of ")
    (changes / "050-rights.sh").unlink()
    (changes / "041-orders.mqsc").write_text("* Queue manager name: QM1\nALTER QLOCAL('ORDERS.IN') BOTHRESH(0)\n")
    script = script.replace("lintmdb diff exports", "lintmdb diff exports --before changes/040-payments.mqsc")
    result = _run(workplace, f"git add changes\n{script}")
    assert (result.returncode, result.stderr) == (1, "")
    assert "moved to the backout queue ORDERS.BACKOUT -> loops for ever" in result.stdout
    assert "changes/041-orders.mqsc:2:27  BOTHRESH(0)" in result.stdout


def test_a_folder_of_changes_that_cannot_be_listed_fails(workplace: Path) -> None:
    """Where main cannot be fetched, or a name has a blank, no change passes unjudged."""
    _, script, _ = _blocks("bash")
    alone = _run(workplace, f"git init -q .\n{script}")
    assert alone.returncode not in (0, 1)
    changes = workplace / "changes"
    changes.mkdir()
    made = _run(
        workplace,
        f"set -e; git add exports; {_IDENTITY} commit -qm one; git branch -M main; "
        "git clone -q --bare . origin.git; git remote add origin origin.git; git checkout -q -b change",
    )
    assert made.returncode == 0, made.stderr
    (changes / "041 more.MQSC").write_text("* Queue manager name: QM1\nALTER QLOCAL('NOT.THERE') BOTHRESH(0)\n")
    result = _run(workplace, f"git add changes\n{script}")
    assert (result.returncode, result.stderr) == (4, "")
    assert "changes/041 more.MQSC:2" in result.stdout


def test_a_script_that_is_renamed_and_edited_is_a_change(workplace: Path) -> None:
    """As when it gets another number: git says that it is the same file."""
    _, script, _ = _blocks("bash")
    changes = workplace / "changes"
    changes.mkdir()
    lines = [f"* {number}: what this script is for, in some words\n" for number in range(20)]
    text = f"* Queue manager name: QM1\n{''.join(lines)}ALTER QLOCAL('ORDERS.IN') BOTHRESH(0)\n"
    (changes / "041-orders.mqsc").write_text(text)
    made = _run(
        workplace,
        f"set -e; git init -q .; git add exports changes; {_IDENTITY} commit -qm one; git branch -M main; "
        "git clone -q --bare . origin.git; git remote add origin origin.git; git checkout -q -b change; "
        "git mv changes/041-orders.mqsc changes/043-orders.mqsc",
    )
    assert made.returncode == 0, made.stderr
    (changes / "043-orders.mqsc").write_text(text.replace("BOTHRESH(0)", "BOTHRESH(3)"))
    result = _run(workplace, f"git add changes\n{script}")
    assert (result.returncode, result.stderr) == (0, "")
    assert "loops for ever -> moved to the backout queue ORDERS.BACKOUT" in result.stdout


def test_a_diff_of_the_whole_state(workplace: Path) -> None:
    """The script of the main branch and that of the pull request, each run after the dump of its queue manager."""
    _, script, *_ = _blocks("sh")
    (workplace / "mqsc").mkdir()
    text = "DEFINE QLOCAL('ORDERS.IN') BOTHRESH(3) BOQNAME('ORDERS.BACKOUT') REPLACE\n"
    (workplace / "mqsc/QM1.mqsc").write_text(text)
    made = _run(workplace, f"{_BRANCH}; sed -i.bak 's/BOTHRESH(3)/BOTHRESH(0)/' mqsc/QM1.mqsc; rm mqsc/*.bak")
    assert made.returncode == 0, made.stderr
    for _ in range(2):
        result = _run(workplace, script)
        assert (result.returncode, result.stderr) == (1, "")
        assert "moved to the backout queue ORDERS.BACKOUT -> loops for ever (worse)" in result.stdout
        assert "put back: ORDERS.IN BOTHRESH 0 -> 3, as before (mqsc/QM1.mqsc:1)" in result.stdout


def test_what_was_merged_since_is_not_undone(workplace: Path) -> None:
    """A checkout of the branch alone lacks it: the lines that merge main first bring it in."""
    _, script, merged, _ = _blocks("sh")
    (workplace / "mqsc").mkdir()
    text = "DEFINE QLOCAL('ORDERS.IN') BOTHRESH(0) BOQNAME('ORDERS.BACKOUT') REPLACE\n"
    (workplace / "mqsc/QM1.mqsc").write_text(text)
    made = _run(
        workplace,
        f"{_BRANCH}; echo '* nothing else' > mqsc/README.mqsc; git add mqsc; {_IDENTITY} commit -qm two; "
        "git checkout -q main; sed -i.bak 's/BOTHRESH(0)/BOTHRESH(3)/' mqsc/QM1.mqsc; rm mqsc/*.bak; "
        f"{_IDENTITY} commit -qam three; git push -q origin main; git checkout -q -",
    )
    assert made.returncode == 0, made.stderr
    fetched, rest = script.split("\n", 1)
    assert fetched.startswith("git fetch")
    result = _run(workplace, f"set -e\n{merged}{rest}")
    assert result.returncode == 0, result.stderr
    assert "BOTHRESH(3)" in (workplace / "mqsc/QM1.mqsc").read_text()
    result = _run(workplace, f"git merge --abort\n{script}")
    assert result.returncode == 1
    assert "-> loops for ever (worse)" in result.stdout


def test_a_diff_on_a_branch(workplace: Path) -> None:
    """The lines for a branch compare it with main, which a shallow clone does not have."""
    *_, script = _blocks("sh")
    edit = "sed -i.bak 's/BOTHRESH(0)/BOTHRESH(3)/' exports/mq/QM1.mqsc; rm exports/mq/*.bak"
    made = _run(workplace, f"{_BRANCH}; {edit}")
    assert made.returncode == 0, made.stderr
    result = _run(workplace, script)
    assert (result.returncode, result.stderr) == (0, "")
    assert all("MDB104" in (workplace / name).read_text("utf-8") for name in ("comment.md", "diff.html"))
    again = _run(workplace, script)
    assert (again.returncode, again.stderr) == (0, "")
    shutil.rmtree(workplace / "before")
    again = _run(workplace, script)
    assert (again.returncode, again.stderr) == (0, "")
    assert json.loads((workplace / "new.sarif").read_text("utf-8"))["runs"][0]["results"] == []


@pytest.mark.skipif(not BASH, reason="no bash")
def test_the_whole_script_judges_a_branch_that_is_behind_main(workplace: Path) -> None:
    """It merges first, so what main got since is not charged to the branch; a second run finds what the first left."""
    script, *_ = _blocks("bash")
    for name in ("was", "mq"):
        (workplace / "exports" / name).rename(workplace / name)
    (dump,) = (workplace / "mq").iterdir()
    queue = "DEFINE QLOCAL({}) BOTHRESH({}) BOQNAME(ORDERS.BACKOUT)"
    made = _run(
        workplace,
        f"set -e; git init -q .; git add was mq; {_IDENTITY} commit -qm one; git branch -M main; "
        f"git checkout -q -b change; echo '{queue.format('NEW.IN', 0)}' > mq/QM1-branch.mqsc; git add mq; "
        f"{_IDENTITY} commit -qm two; git checkout -q main; echo '{queue.format('OLD.IN', 0)}' > mq/QM1-main.mqsc; "
        f"git add mq; {_IDENTITY} commit -qm three; "
        "git clone -q --bare . origin.git; git remote add origin origin.git; git checkout -q change",
    )
    assert made.returncode == 0, made.stderr
    for _ in range(2):
        result = _run(workplace, script)
        assert result.returncode == 1, result.stderr
        assert "new: queue NEW.IN at QM1" in result.stdout
        assert "OLD.IN" not in result.stdout
        assert "NEW.IN" in (workplace / "comment.md").read_text()
        assert (workplace / "new.sarif").is_file()
    assert dump.is_file()


def test_a_diff_of_overlays(workplace: Path) -> None:
    """The lines that render the overlays of both sides, with their environments; what kubectl prints is made up."""
    *_, script = _blocks("bash")
    (setting,) = _blocks("toml")
    (workplace / "lintmdb.toml").write_text(setting)
    kubectl = workplace / "bin" / "kubectl"
    kubectl.write_text('#!/bin/sh\ntest "$1" = kustomize && cat "$2/made.yaml"\n')
    kubectl.chmod(0o755)
    for name in ("test", "prod"):
        shutil.copytree(workplace / "exports" / "was", workplace / "was" / name)
        overlay = workplace / "mq" / "overlays" / name
        overlay.mkdir(parents=True)
        (overlay / "made.yaml").write_text(
            "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: qm1}\ndata:\n  a.mqsc: |\n"
            "    * Queue manager name: QM1\n    DEFINE QLOCAL(ORDERS.IN) BOTHRESH(3) BOQNAME(ORDERS.BACKOUT)\n"
            "    DEFINE QLOCAL(ORDERS.BACKOUT)\n"
        )
    made = _run(
        workplace,
        f"set -e; git init -q .; git add was mq; {_IDENTITY} commit -qm one; git branch -M main; "
        "git clone -q --bare . origin.git; git remote add origin origin.git; git checkout -q -b change; "
        "sed -i.bak 's/BOTHRESH(3)/BOTHRESH(0)/' mq/overlays/prod/made.yaml",
    )
    assert made.returncode == 0, made.stderr
    result = _run(workplace, script)
    assert (result.returncode, result.stderr) == (1, "")
    assert "new: queue ORDERS.IN at QM1 in prod" in result.stdout
    assert "rendered/prod/mq.yaml:7:" in result.stdout
    assert "1 of 2 flows with another fate" in result.stdout


def _step(name: str) -> dict[str, Any]:
    return next(step for step in ACTION["runs"]["steps"] if step.get("id") == name)


def _action(folder: Path, **inputs: str) -> tuple[subprocess.CompletedProcess[str], str]:
    """The action's check, as a runner starts it."""
    output = folder / "output"
    output.unlink(missing_ok=True)
    step = _step("check")
    given = {key: str(entry["default"]) for key, entry in ACTION["inputs"].items()} | inputs
    variables = {
        name: re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", lambda match: given[match[1]], text)
        for name, text in step["env"].items()
    }
    result = _run(folder, step["run"], **variables, GITHUB_OUTPUT=str(output), GITHUB_ACTIONS="true")
    return result, output.read_text()


@pytest.mark.skipif(not BASH, reason="no bash")
def test_the_action_checks(workplace: Path) -> None:
    """The action passes paths, options, --fail-on and the report's place on, and gives the exit code."""
    (workplace / "exports").rename(workplace / "my exports")
    result, output = _action(
        workplace, paths="my exports/was\nmy exports/mq\n", args="--on-message=15s\n", sarif="o.sarif"
    )
    assert (result.returncode, output) == (1, "sarif=o.sarif\nexit-code=1\n")
    assert "::error " in result.stdout
    assert json.loads((workplace / "o.sarif").read_text())["version"] == "2.1.0"
    result, output = _action(workplace, **{"paths": "my exports", "fail-on": "never"})
    assert (result.returncode, output) == (0, "exit-code=0\n")
    result, output = _action(workplace, paths="absent")
    assert (result.returncode, output) == (2, "exit-code=2\n")


_SET = (
    "--set queue ORDERS.IN at QM1: BOTHRESH=3",
    "--set 'queue ORDERS.IN at QM1: BOTHRESH=3'",
    '  --set   "queue ORDERS.IN at QM1: BOTHRESH=3"  \r',
    "--set=queue ORDERS.IN at QM1: BOTHRESH=3",
)
"""One option, as people write it."""


@pytest.mark.skipif(not BASH, reason="no bash")
def test_the_action_takes_options_with_blanks(workplace: Path) -> None:
    """An option and its value may be parted by a blank, and the value may hold some, in quotes or not."""
    assert "MDB104" in _action(workplace, paths="exports", args="--on-message 15s")[0].stdout
    for line in _SET:
        result, _ = _action(workplace, paths="exports", args=f"--on-message 15s\n{line}\n\n--no-suppressions\n")
        assert (result.returncode, result.stderr) == (0, ""), (line, result.stdout)


@pytest.mark.skipif(not BASH, reason="no bash")
def test_the_action_works_in_a_folder(workplace: Path) -> None:
    """Paths, the report and lintmdb.toml are those of the folder; places are as seen from the root of the checkout."""
    (workplace / "estates").mkdir()
    (workplace / "exports").rename(workplace / "estates" / "exports")
    (workplace / "estates" / "lintmdb.toml").write_text('inputs = ["exports"]\nignore = ["MDB304"]\n')
    folder = {"working-directory": "estates/", "sarif": "o.sarif"}
    for more in ({}, {"paths": "exports/was\nexports/mq"}):
        result, output = _action(workplace, **folder, **more)
        assert (result.returncode, output) == (1, "sarif=estates/o.sarif\nexit-code=1\n")
        assert "file=estates/exports/mq/QM1.mqsc," in result.stdout
        assert "MDB304" not in result.stdout
        assert "estates/exports/mq/QM1.mqsc" in (workplace / "estates" / "o.sarif").read_text()
    (workplace / "other.toml").write_text('inputs = ["estates/exports"]\nignore = ["MDB104"]\n')
    result, _ = _action(workplace, **folder, args="--config other.toml")
    assert ("MDB304" in result.stdout, "MDB104" in result.stdout) == (True, False)
    absolute = (workplace / "estates" / "exports").as_posix()
    assert _action(workplace, **folder, paths=absolute)[0].returncode == 1


@pytest.mark.skipif(not BASH, reason="no bash")
def test_inputs_of_the_action_are_never_run(workplace: Path) -> None:
    """What stands in an input is a word, whatever it looks like, and the scripts hold no expression."""
    hostile = 'exports"; touch hacked; "\n$(touch hacked)\n'
    result, _ = _action(workplace, paths=hostile, args="`touch hacked`\n--set $(touch hacked)")
    assert result.returncode == 2
    _action(workplace, **{"paths": hostile, "working-directory": "$(touch hacked)", "sarif": "`touch hacked`"})
    assert not (workplace / "hacked").exists()
    assert "${{" not in _step("install")["run"] + _step("check")["run"]


@pytest.mark.skipif(not BASH, reason="no bash")
@pytest.mark.slow
def test_the_action_installs_itself(workplace: Path) -> None:
    """The action's first step makes an environment with lintmdb from its own folder, and puts it on the path.

    What is locked is there already, so that the test needs no network.
    """
    packages = next(path for path in sys.path if path.endswith("site-packages"))
    lines = _step("install")["run"].splitlines(keepends=True)
    (locked,) = [number for number, line in enumerate(lines) if "--require-hashes" in line]
    assert "requirements.lock" in lines[locked + 1]
    assert "requirements-build.lock" in lines[locked + 1]
    del lines[locked : locked + 2]
    result = _run(
        workplace, "".join(lines), LINTMDB_PYTHON=sys.executable,
        RUNNER_TEMP=str(workplace), GITHUB_ACTION_PATH=str(ROOT), GITHUB_PATH=str(workplace / "path"),
        PIP_NO_INDEX="1", PYTHONPATH=packages,
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    installed = Path((workplace / "path").read_text().strip())
    assert (installed / "lintmdb").exists()


def test_the_hook_of_pre_commit(workplace: Path) -> None:
    """The hook's entry with the documented arguments runs; it asks for no file names."""
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    assert (hook["id"], hook["language"], hook["pass_filenames"]) == ("lintmdb", "python", False)
    shown = yaml.safe_load(_blocks("yaml")[0])["repos"][0]["hooks"][0]
    assert shown["id"] == hook["id"]
    assert _run(workplace, " ".join([hook["entry"], *shown["args"]])).returncode == 1


@pytest.mark.parametrize(
    ("name", "runs"),
    [
        ("exports/mq/QM1.mqsc", True),
        ("cells/C1/resources.xml", True),
        ("exports/was/cells/C1/nodes/N1/node-metadata.properties", True),
        ("was/cells/C1/applications/A.ear/deployments/A/a.jar/META-INF/ibm-ejb-jar-bnd.xmi", True),
        ("changes/orders.props", True),
        ("backup/WebSphereConfig_2026-11-01.zip", True),
        ("shop.car", True),
        ("lintmdb.toml", True),
        ("estates/lintmdb.toml", True),
        ("notes.txt", False),
        ("pom.xml", False),
        (".github/workflows/ci.yml", False),
        ("pyproject.toml", False),
        ("src/main/resources/messages.properties", False),
        ("archive.zip", False),
        ("subcells/C1/a.xml", False),
    ],
)
def test_when_the_hook_runs(name: str, runs: bool) -> None:
    """It runs for files of exports and for its configuration, and for no others."""
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    assert (re.search(hook["files"], name) is not None) is runs


def test_the_pages_of_the_readme_and_of_the_pipelines_agree() -> None:
    """The exit codes of the README stand word for word in docs/ci.md."""
    rows = re.findall(r"^\| \d \|.*$", (ROOT / "README.md").read_text("utf-8"), re.MULTILINE)
    assert len(rows) == 5
    assert all(row in PAGE for row in rows)
