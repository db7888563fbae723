"""Running the scripts of plans on exports, under Jython or under Python, against the stand-in for wsadmin."""

from __future__ import annotations

import atexit
import functools
import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
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
    """Run scripts one after another, on exports."""
    scripts = {
        text: folder / f"{number}.py" for number, text in enumerate(dict.fromkeys(step.script for step in steps))
    }
    for text, script in scripts.items():
        script.write_text(text, "ascii")
    jobs: list[dict[str, object]] = []
    for step in steps:
        job: dict[str, object] = {"export": str(step.export), "script": str(scripts[step.script])}
        jobs.append(job if step.base is None else {**job, "base": str(step.base)})
    return _runner(name).run(jobs, folder)


def run_program(name: str, program: Path, arguments: Sequence[str | Path], folder: Path) -> Result:
    """Run a program with arguments."""
    (result,) = _runner(name).run([{"script": str(program), "arguments": list(map(str, arguments))}], folder)
    return result


class _Runner:
    """A process that runs the scripts of all tests, each with names of its own: Jython takes seconds to start."""

    def __init__(self, command: str) -> None:
        self._process = subprocess.Popen(
            [command, str(_RUNNER)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            # Nothing runs long enough for Java's second compiler.
            env={**os.environ, "JDK_JAVA_OPTIONS": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"},
        )

    def run(self, jobs: Sequence[Mapping[str, object]], folder: Path) -> list[Result]:
        """The results of jobs; the files that the process reads and writes are in a folder."""
        asked, results = folder / "jobs.json", folder / "results.json"
        asked.write_text(json.dumps(jobs), "utf-8")
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        late = threading.Timer(900, self._process.kill)
        late.start()
        try:
            self._process.stdin.write(json.dumps([str(asked), str(results)]) + "\n")
            self._process.stdin.flush()
            assert self._process.stdout.readline() == "done\n", "the process that runs scripts has ended"
        finally:
            late.cancel()
        return [Result(**result) for result in json.loads(results.read_text("utf-8"))]

    def end(self) -> None:
        """Let the process end, and wait for it."""
        self._process.communicate()


@functools.cache
def _runner(name: str) -> _Runner:
    runner = _Runner(interpreter(name))
    atexit.register(runner.end)
    return runner
