"""Every format says something of every estate, whatever was left out of its exports."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.laws.laws import seeds, write_estates
from tests.support.command import run_here
from tests.support.random_estates.draw import Draw
from tests.support.random_estates.estates import build_estate
from tests.support.random_estates.omissions import leave_out

pytestmark = pytest.mark.slow

_ESTATES = 12


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Estates, and what is left of them."""
    whole, rest = tmp_path_factory.mktemp("whole"), tmp_path_factory.mktemp("rest")
    write_estates(whole, seeds(_ESTATES))
    for seed in seeds(_ESTATES):
        leave_out(Draw(f"report {seed}"), build_estate(seed))[1].write(rest)
    return whole, rest


def test_check_reports_in_every_format(folders: tuple[Path, Path], tmp_path: Path) -> None:
    """With one look at the exports: each format has a file that says something."""
    names = ("text", "json", "sarif", "junit", "gitlab", "markdown", "csv", "html", "github")
    outputs = [word for name in names for word in ("--format", f"{name}={tmp_path / name}")]
    result = run_here("check", folders[1], "--all-queues", "-v", *outputs)
    assert result.returncode == 1, result.stderr
    assert {file.name for file in tmp_path.iterdir() if file.stat().st_size > 3_000} == set(names)
    assert json.loads((tmp_path / "json").read_text())["summary"]["undecided"] > 300


def test_diff_reports_in_every_format(folders: tuple[Path, Path], tmp_path: Path) -> None:
    """What is left against the whole, which makes much undecided."""
    names = ("text", "json", "markdown", "html", "github", "junit")
    outputs = [word for name in names for word in ("--format", f"{name}={tmp_path / name}")]
    result = run_here("diff", *folders, "--all-queues", *outputs)
    assert result.returncode in (0, 1), result.stderr
    assert {file.name for file in tmp_path.iterdir() if file.stat().st_size > 100} == set(names)
