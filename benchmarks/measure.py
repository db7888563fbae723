"""Measuring whole processes, interleaved, and saying only ratios: these machines are shared and noisy."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BASELINE = Path(__file__).with_name("baseline.py")
# Some build machines forbid compiled modules; then every run would compile the whole program anew.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def wall(command: Sequence[str | Path]) -> tuple[float, int]:
    """Seconds that a command takes, and its peak memory in bytes."""
    start = time.perf_counter()
    process = subprocess.Popen(
        list(map(str, command)), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=ENVIRONMENT
    )
    _, _, usage = os.wait4(process.pid, 0)
    process.returncode = 0
    unit = 1 if sys.platform == "darwin" else 1024
    return time.perf_counter() - start, usage.ru_maxrss * unit


def cpu(command: Sequence[str | Path]) -> float:
    """Seconds of processor time that a command takes: for what is too long to be measured often."""
    before = os.times()
    wall(command)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def interleaved(commands: Sequence[Sequence[str | Path]], runs: int) -> list[tuple[float, int]]:
    """Median seconds and largest memory of each command, run in turn after one warm-up."""
    for command in commands:
        wall(command)
    results: list[list[tuple[float, int]]] = [[] for _ in commands]
    for _ in range(runs):
        for position, command in enumerate(commands):
            results[position].append(wall(command))
    return [(statistics.median(r[0] for r in runs_), max(r[1] for r in runs_)) for runs_ in results]


def say(what: str, ratio: float, goal: str) -> None:
    """Print one result."""
    print(f"{what}: {ratio:.2f} (goal: {goal})", flush=True)


def lintmdb(*arguments: str | Path) -> list[str | Path]:
    """The command line of this checkout's lintmdb."""
    return [sys.executable, "-m", "lintmdb", *arguments]


def installed(folder: Path) -> list[str | Path]:
    """Install a wheel of this checkout, which carries the rules as JSON; gives the Python that sees it."""
    offline = ["--no-deps", "--no-build-isolation", "--no-index", "--quiet", "--target", folder]
    subprocess.run([sys.executable, "-m", "pip", "install", *offline, ROOT], check=True)
    return ["env", f"PYTHONPATH={folder}", sys.executable, "-P"]


def size_of(*paths: Path) -> int:
    """Bytes of all files below the paths."""
    return sum(
        file.stat().st_size
        for path in paths
        for file in ([path] if path.is_file() else path.rglob("*"))
        if file.is_file()
    )
