"""What all tests share: where fixtures and the shared corpus are, and a command line that runs in-process."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
FIXTURES = ROOT / "fixtures"


def clean_environment() -> dict[str, str]:
    """The environment without what a workflow's runner puts there: it is not to change what these tests see."""
    return {name: value for name, value in os.environ.items() if not name.startswith("GITHUB_")}


Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="session")
def corpus() -> Path:
    """The shared corpus of real public files; tests that need it are skipped where it is absent."""
    folder = ROOT.parent / "shared" / "corpus"
    if not folder.is_dir():
        pytest.skip("the shared corpus is not here")
    return folder


@pytest.fixture
def lintmdb(tmp_path: Path) -> Run:
    """Runs the command in a process of its own, from the project's root."""

    def run(
        *arguments: str | Path, cwd: Path = ROOT, stdin: str | None = None, env: Mapping[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "lintmdb", *map(str, arguments)]
        return subprocess.run(
            command,
            cwd=cwd,
            capture_output=True,
            text=True,
            timeout=120,
            input=stdin,
            check=False,
            env={**clean_environment(), **(env or {})},
        )

    return run
