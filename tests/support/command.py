"""The command in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from tests.support.project import ROOT

Run = Callable[..., "subprocess.CompletedProcess[str]"]


def clean_environment() -> dict[str, str]:
    """Return the environment without the variables of a workflow's runner, which change what the command writes."""
    return {name: value for name, value in os.environ.items() if not name.startswith("GITHUB_")}


def run_process(
    *arguments: str | Path, cwd: Path = ROOT, stdin: str | None = None, env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run lintmdb in a process of its own, by default from the project's root."""
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
