"""Running the scripts of plans on exports, under Jython or under Python, against the stand-in for wsadmin."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

_RUNNER = Path(__file__).parent / "wsadmin" / "run_scripts.py"


class Step(NamedTuple):
    """A script that runs on the configuration in a folder, over which that of another folder is copied first."""

    export: Path
    script: str
    base: Path | None = None


class Result(NamedTuple):
    """How a script ended."""

    code: int
    output: str
    written: list[str]


def interpreter(name: str) -> str:
    """The command of ``python`` or ``jython``; skips the test where Jython is not installed."""
    if name == "python":
        return sys.executable
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed (Debian: apt-get install {name})")
    return found


def run_scripts(name: str, steps: Sequence[Step], folder: Path) -> list[Result]:
    """Run scripts one after another in one process, since Jython takes seconds to start."""
    command = interpreter(name)
    jobs: list[dict[str, str]] = []
    for number, step in enumerate(steps):
        script = folder / f"{number}.py"
        script.write_text(step.script, "ascii")
        job = {"export": str(step.export), "script": str(script)}
        jobs.append(job if step.base is None else {**job, "base": str(step.base)})
    (folder / "jobs.json").write_text(json.dumps(jobs), "utf-8")
    subprocess.run(
        [command, str(_RUNNER), str(folder / "jobs.json"), str(folder / "results.json")],
        check=True,
        timeout=900,
        # Nothing runs long enough for Java's second compiler.
        env={**os.environ, "JDK_JAVA_OPTIONS": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"},
    )
    return [Result(**result) for result in json.loads((folder / "results.json").read_text("utf-8"))]
