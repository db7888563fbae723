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


def test_a_diff_on_a_branch(workplace: Path) -> None:
    """The lines for a branch compare it with main."""
    (script,) = _blocks("sh")
    identity = "git -c user.name=a -c user.email=a@b.invalid"
    made = _run(
        workplace,
        f"set -e; git init -q .; git add exports; {identity} commit -qm one; git branch -f origin/main; "
        "sed -i.bak 's/BOTHRESH(0)/BOTHRESH(3)/' exports/mq/QM1.mqsc; rm exports/mq/*.bak",
    )
    assert made.returncode == 0, made.stderr
    result = _run(workplace, script)
    assert (result.returncode, result.stderr) == (0, "")
    assert "MDB104" in result.stdout


def _step(number: int) -> str:
    return ACTION["runs"]["steps"][number]["run"]


def _action(folder: Path, **inputs: str) -> tuple[subprocess.CompletedProcess[str], str]:
    """The action's check, as a runner starts it."""
    output = folder / "output"
    step = ACTION["runs"]["steps"][1]
    given = {key: str(entry["default"]) for key, entry in ACTION["inputs"].items()} | inputs
    variables = {
        name: re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", lambda match: given[match[1]], text)
        for name, text in step["env"].items()
    }
    result = _run(folder, _step(1), **variables, GITHUB_OUTPUT=str(output), GITHUB_ACTIONS="true")
    return result, output.read_text()


@pytest.mark.skipif(not BASH, reason="no bash")
def test_the_action_checks(workplace: Path) -> None:
    """The action passes paths, options, --fail-on and the report's place on, and gives the exit code."""
    (workplace / "exports").rename(workplace / "my exports")
    result, output = _action(
        workplace, paths="my exports/was\nmy exports/mq\n", args="--on-message=15s\n", sarif="o.sarif"
    )
    assert (result.returncode, output) == (1, "exit-code=1\n")
    assert "::error " in result.stdout
    assert json.loads((workplace / "o.sarif").read_text())["version"] == "2.1.0"
    result, output = _action(workplace, **{"paths": "my exports", "fail-on": "never"})
    assert result.returncode == 0
    (workplace / "output").unlink()
    result, output = _action(workplace, paths="absent")
    assert (result.returncode, output) == (2, "exit-code=2\n")


@pytest.mark.skipif(not BASH, reason="no bash")
def test_inputs_of_the_action_are_never_run(workplace: Path) -> None:
    """What stands in an input is a word, whatever it looks like, and the scripts hold no expression."""
    result, _ = _action(workplace, paths='exports"; touch hacked; "\n$(touch hacked)\n', args="`touch hacked`")
    assert result.returncode == 2
    assert not (workplace / "hacked").exists()
    assert "${{" not in _step(0) + _step(1)


@pytest.mark.skipif(not BASH, reason="no bash")
@pytest.mark.slow
def test_the_action_installs_itself(workplace: Path) -> None:
    """The action's first step makes an environment with lintmdb from its own folder, and puts it on the path."""
    (workplace / "bin" / "python3").unlink()
    (workplace / "bin" / "python3").symlink_to(sys.executable)
    packages = next(path for path in sys.path if path.endswith("site-packages"))
    script = _step(0).replace("python3 -m venv", f'"{sys.executable}" -m venv')
    result = _run(
        workplace, script,
        RUNNER_TEMP=str(workplace), GITHUB_ACTION_PATH=str(ROOT), GITHUB_PATH=str(workplace / "path"),
        PIP_NO_BUILD_ISOLATION="false", PIP_NO_DEPS="1", PIP_NO_INDEX="1", PYTHONPATH=packages,
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
    for name in (
        "exports/mq/QM1.mqsc",
        "cells/C1/resources.xml",
        "lintmdb.toml",
        "backup.zip",
        "cells/C1/nodes/N1/node-metadata.properties",
    ):
        assert re.search(hook["files"], name)


def test_the_pages_of_the_readme_and_of_the_pipelines_agree() -> None:
    """The exit codes of the README stand word for word in docs/ci.md."""
    rows = re.findall(r"^\| \d \|.*$", (ROOT / "README.md").read_text("utf-8"), re.MULTILINE)
    assert len(rows) == 5
    assert all(row in PAGE for row in rows)
