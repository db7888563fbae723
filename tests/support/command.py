"""The command line: in this process, which takes no start-up, or in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Generator, Mapping
from contextlib import ExitStack, chdir, contextmanager
from pathlib import Path
from typing import IO, Any
from unittest.mock import patch

import lintmdb.__main__ as entry
from lintmdb.cli.app import run
from tests.support.project import ROOT

Run = Callable[..., "subprocess.CompletedProcess[str]"]


def clean_environment() -> dict[str, str]:
    """Return the environment without the variables of a workflow's runner, which change what the command writes."""
    return {name: value for name, value in os.environ.items() if not name.startswith("GITHUB_")}


def run_here(
    *arguments: str | Path,
    cwd: Path = ROOT,
    stdin: str | bytes = b"",
    env: Mapping[str, str] | None = None,
    encoding: str = "utf-8",
) -> subprocess.CompletedProcess[str]:
    """Run the command in this process as ``run_process`` does in another: arguments, folder, environment and streams.

    Streams have ``encoding``. What is written is read as UTF-8 all the same; in another encoding, bytes that are not
    UTF-8 become surrogates.

    What happens before and after ``lintmdb.cli.app.run`` is not part of it: the start of Python, signals, a stream
    that is closed, and the exit itself. ``run_process`` is for tests of those.
    """
    with ExitStack() as stack:
        source, out, err = (stack.enter_context(tempfile.TemporaryFile()) for _ in range(3))
        source.write(stdin.encode() if isinstance(stdin, str) else stdin)
        source.seek(0)
        stack.enter_context(_streams(source, out, err, encoding))
        stack.enter_context(chdir(cwd))
        stack.enter_context(patch.dict(os.environ, {**clean_environment(), **_texts(env)}, clear=True))
        # The usage line names the program by these two.
        stack.enter_context(patch.object(sys, "argv", [str(entry.__file__), *map(str, arguments)]))
        stack.callback(sys.modules.__setitem__, "__main__", sys.modules["__main__"])
        sys.modules["__main__"] = entry
        code = run()
        sys.stdout.flush()
        sys.stderr.flush()
        return subprocess.CompletedProcess(arguments, code, _read(out, encoding), _read(err, encoding))


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
        env={**clean_environment(), "PYTHONPATH": str(ROOT), **_texts(env)},
    )


def _texts(env: Mapping[str, Any] | None) -> dict[str, str]:
    return {name: str(value) for name, value in (env or {}).items()}


@contextmanager
def _streams(source: IO[bytes], out: IO[bytes], err: IO[bytes], encoding: str) -> Generator[None]:
    """The standard streams, opened as Python opens them for pipes and files."""
    with (
        open(os.dup(source.fileno()), encoding=encoding) as stdin,
        open(os.dup(out.fileno()), "w", encoding=encoding) as stdout,
        open(os.dup(err.fileno()), "w", encoding=encoding, errors="backslashreplace", buffering=1) as stderr,
        patch.multiple(sys, stdin=stdin, stdout=stdout, stderr=stderr),
    ):
        yield


def _read(stream: IO[bytes], encoding: str) -> str:
    """What was written, with the line ends that ``subprocess`` makes of it in text mode."""
    stream.seek(0)
    errors = "strict" if encoding == "utf-8" else "surrogateescape"
    return stream.read().decode("utf-8", errors).replace("\r\n", "\n").replace("\r", "\n")
