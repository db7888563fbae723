"""Every command that the README and the docs show is run, and prints what they show."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from _pytest.mark.structures import ParameterSet

from tests.support.command import run_here
from tests.support.project import FIXTURES, ROOT
from tests.support.scenario import run_scenario
from tests.support.spark import no_fleet

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
_BLOCK = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)
_COMMAND = re.compile(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)
_FLEET = "lintmdb fleet "


def _sessions() -> list[ParameterSet]:
    return [
        pytest.param(page.name, command, shown, marks=pytest.mark.fleet if command.startswith(_FLEET) else ())
        for page in PAGES
        for block in _BLOCK.findall(page.read_text())
        for command, shown in _COMMAND.findall(block)
    ]


@pytest.fixture(scope="module")
def workplace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the fixtures and the docs in it, where commands may write."""
    folder = tmp_path_factory.mktemp("readme")
    for name in ("fixtures", "docs"):
        (folder / name).symlink_to(ROOT / name, target_is_directory=True)
    return folder


@pytest.mark.parametrize(("page", "command", "shown"), _sessions(), ids=lambda value: str(value)[:60])
def test_session(workplace: Path, page: str, command: str, shown: str) -> None:
    """The command prints what the page shows; a line of three dots stands for any lines."""
    assert command.startswith("lintmdb "), command
    if command.startswith(_FLEET) and (reason := no_fleet()):
        pytest.skip(reason)
    if command.startswith("lintmdb rules new"):
        shutil.rmtree(workplace / "my-rules", ignore_errors=True)
    result = run_here(*shlex.split(command)[1:], cwd=workplace)
    assert result.returncode in (0, 1), result.stderr
    pattern = "".join(r"(?:.*\n)*?" if line == "...\n" else re.escape(line) for line in shown.splitlines(keepends=True))
    assert re.fullmatch(pattern, result.stdout), result.stdout


def test_there_are_sessions() -> None:
    """The pages do show commands, and each console block holds one."""
    assert len(_sessions()) > 8


def test_make_demo(tmp_path: Path) -> None:
    """make demo judges the estate and succeeds although the estate has findings."""
    environment = Path(sys.executable).parent.parent
    if not (environment / "runtime.stamp").exists():
        pytest.skip("these tests were not started by make test")
    result = subprocess.run(
        ["make", "demo", f"VENV={environment}"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr
    assert "MDB302" in result.stdout


def test_the_demo_is_short_enough_to_read() -> None:
    """A first look shows a dozen findings at most, few open questions, and flows that are in order."""
    judgement = run_scenario(FIXTURES / "estate", {"on_message": "15s"}).judgement
    assert 6 <= len(judgement.findings) <= 12
    assert 1 <= len(judgement.undecided) <= 6
    flows = {bean for _, subject in judgement.clear_subjects if (bean := subject.bean)}
    assert flows - {entry.subject.bean for entry in (*judgement.findings, *judgement.undecided)} >= {
        "InvoiceBean",
        "ReturnBean",
    }


@pytest.mark.slow
def test_install_command(tmp_path: Path) -> None:
    """The README's pip command builds a wheel that holds all it needs and works without the checkout."""
    assert "python3 -m pip install ." in (ROOT / "README.md").read_text()
    offline = ["--no-deps", "--no-build-isolation", "--no-index", "--quiet", "--target", tmp_path / "site"]
    subprocess.run([sys.executable, "-m", "pip", "install", *offline, ROOT], check=True, capture_output=True)
    result = subprocess.run(
        [sys.executable, "-m", "lintmdb", "check", ROOT / "fixtures" / "backout-inert"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path / "site")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "MDB104 A backout queue is named but never used" in result.stdout, result.stderr
    assert (tmp_path / "site" / "lintmdb" / "rules.json").exists()
