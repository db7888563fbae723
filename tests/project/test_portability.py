"""What runs without Spark runs on Windows: no call that only POSIX has, no encoding of the system's, no path that is
glued together.
"""

from __future__ import annotations

import ast
import errno
import io
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lintmdb.cli import windows_console
from lintmdb.cli.windows_console import shows_colours
from lintmdb.model.origins import Origin
from lintmdb.plan.scripts import plan_scripts
from lintmdb.report import outputs
from lintmdb.report.places import is_absolute, relative_path, visible_place
from lintmdb.report.sarif import artifact
from lintmdb.run.process_copy import is_fork_safe
from lintmdb.settings.changes import Assignment, Target
from tests.support.command import Run, clean_environment
from tests.support.import_graph import imports, modules, part_of
from tests.support.project import FIXTURES, ROOT

POSIX_MODULES = {"fcntl", "grp", "posix", "pty", "pwd", "resource", "select", "syslog", "termios", "tty"}
POSIX_CALLS = {
    *("chown", "fork", "forkpty", "geteuid", "getgid", "getpgid", "getuid", "killpg", "mkfifo", "setsid", "umask"),
    *("uname", "O_CLOEXEC", "O_NOFOLLOW", "SIGHUP", "SIGKILL", "SIGPIPE", "alarm"),
}
LINUX_ALONE = "lintmdb.run.process_copy"
"""A module that works on Linux alone."""
TEXT_METHODS = {"read_text", "write_text"}


def _portable() -> Iterator[tuple[str, ast.Module]]:
    for name, file in modules().items():
        if part_of(name) != "fleet" and name != LINUX_ALONE:
            yield name, ast.parse(file.read_text("utf-8"))


def test_nothing_needs_posix() -> None:
    """No module outside of the fleet imports what only POSIX has, or calls it."""
    found: list[str] = []
    for name, tree in _portable():
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                found += [f"{name}: {alias.name}" for alias in node.names if alias.name in POSIX_MODULES]
            elif isinstance(node, ast.ImportFrom) and node.module in POSIX_MODULES:
                found.append(f"{name}: {node.module}")
            elif isinstance(node, ast.Attribute) and node.attr in POSIX_CALLS:
                found.append(f"{name}: {node.attr}")
    assert found == []


def test_a_process_is_copied_on_linux_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """One module has what only POSIX has, for one other, which asks whether it may."""
    users = [name for name, imported in imports().items() if LINUX_ALONE in imported]
    assert users == ["lintmdb.run.processes"]
    monkeypatch.setattr(sys, "platform", "win32")
    assert not is_fork_safe()


def test_text_has_an_encoding() -> None:
    """No file is read or written in the encoding of the system: text names its encoding, or is bytes."""
    calls = ((name, node) for name, tree in _portable() for node in ast.walk(tree) if isinstance(node, ast.Call))
    assert [f"{name}:{call.lineno}" for name, call in calls if _is_text_of_the_system(call)] == []


def _is_text_of_the_system(call: ast.Call) -> bool:
    named = {keyword.arg for keyword in call.keywords}
    function = call.func
    if isinstance(function, ast.Attribute) and function.attr in TEXT_METHODS and isinstance(function.value, ast.Name):
        return not call.args and "encoding" not in named
    if not (isinstance(function, ast.Name) and function.id == "open"):
        return False
    mode = call.args[1] if len(call.args) > 1 else None
    return not (isinstance(mode, ast.Constant) and "b" in str(mode.value)) and "encoding" not in named


@pytest.mark.parametrize("encoding", ["cp437", "cp1252", "ascii"])
@pytest.mark.parametrize(
    "arguments",
    [
        ("--help",),
        ("check", "--help"),
        ("plan", "--help"),
        ("explain", "MDB302"),
        ("inventory", "{names}"),
        ("check", "{names}", "--verbose", "--fail-on", "never"),
        ("trace", "{names}"),
        ("check", "{names}", "--format", "json", "--fail-on", "never"),
        ("check", "absent-ä€→"),
    ],
    ids=str,
)
def test_consoles_of_any_code_page(lintmdb: Run, tmp_path: Path, arguments: tuple[str, ...], encoding: str) -> None:
    """A name that the console cannot show ends no command: reports are UTF-8, and messages spell it out."""
    names = tmp_path / "Märkte €→"
    shutil.copytree(FIXTURES / "backout-inert", names)
    given = [names.name if argument == "{names}" else argument for argument in arguments]
    result = lintmdb(*given, cwd=tmp_path, encoding=encoding)
    assert "Traceback" not in result.stderr
    assert "internal error" not in result.stderr
    assert result.returncode == (2 if "absent" in given[-1] else 0), result.stderr
    if given[0] in ("check", "inventory") and "{names}" in arguments:
        assert "Märkte €→" in result.stdout
    if "absent" in given[-1]:
        told = "absent-ä€→".encode(encoding, "backslashreplace")
        assert told in result.stderr.encode("utf-8", "surrogateescape")


@pytest.mark.parametrize("encoding", ["cp437", "cp1252", "ascii"])
def test_python_starts_with_any_code_page(tmp_path: Path, encoding: str) -> None:
    """The same of streams that Python opens: for a report, and for a message."""
    names = tmp_path / "Märkte €→"
    shutil.copytree(FIXTURES / "backout-inert", names)
    environment = {"PYTHONIOENCODING": encoding, "PYTHONUTF8": "0", "LC_ALL": "C.UTF-8", "PYTHONPATH": str(ROOT)}
    report, refusal = (
        subprocess.run(
            [sys.executable, "-m", "lintmdb", "check", name, "--fail-on", "never"],
            cwd=tmp_path,
            env={**clean_environment(), **environment},
            capture_output=True,
            check=False,
        )
        for name in (names.name, "absent-ä€→")
    )
    assert (report.returncode, refusal.returncode) == (0, 2), report.stderr
    for result in (report, refusal):
        assert b"Traceback" not in result.stderr
        assert b"internal error" not in result.stderr
    assert "Märkte €→" in report.stdout.decode("utf-8")
    assert "absent-ä€→".encode(encoding, "backslashreplace") in refusal.stderr


def test_lines_may_end_as_on_windows(lintmdb: Run, tmp_path: Path) -> None:
    """Exports, configuration, observations, rules and changes with CR and LF mean what they mean with LF."""
    texts = {
        "lintmdb.toml": 'inputs = ["estate"]\nignore = ["MDB304"]\nrules = ["own"]\nobservations = "o.yaml"\n',
        "o.yaml": "on_message: 15s\n",
        "change.mqsc": "ALTER QLOCAL(ORDERS.IN) +\n  BOTHRESH(3)\n",
    }
    said: list[str] = []
    for ends in ("\n", "\r\n"):
        folder = tmp_path / repr(ends).strip("'").replace("\\", "")
        shutil.copytree(FIXTURES / "backout-inert", folder / "estate")
        lintmdb("rules", "new", "threshold-too-low", "--dir", str(folder / "own"))
        for name, text in texts.items():
            (folder / name).write_text(text, "utf-8")
        for file in [file for file in folder.rglob("*") if file.is_file()]:
            data = file.read_bytes().replace(b"\r\n", b"\n")
            file.write_bytes(data.replace(b"\n", ends.encode()))
        for more in ((), ("--change", "change.mqsc")):
            result = lintmdb("check", "--format", "json", *more, cwd=folder)
            assert result.returncode in (0, 1), result.stderr
            document = json.loads(result.stdout)
            for entry in document["inputs"]:
                del entry["sha256"]
            said.append(json.dumps(document))
    assert said[:2] == said[2:]
    assert said[0] != said[1]
    assert "MDB104" in said[0]


@pytest.mark.parametrize(
    ("path", "absolute", "relative"),
    [
        ("C:/exports/a b.xml", True, "C%3A/exports/a%20b.xml"),
        ("//server/share/a.xml", True, "server/share/a.xml"),
        ("exports/a.xml", False, "exports/a.xml"),
    ],
)
def test_paths_with_drives_become_uris(path: str, absolute: bool, relative: str) -> None:
    """A path with a drive or a share lies outside of the working directory, and is a URI below the root."""
    assert is_absolute(path) is absolute
    assert not relative_path(path).startswith("/")
    uri = artifact(path)
    assert (uri["uri"], "uriBaseId" in uri) == (relative, absolute)
    place = visible_place(Origin(f"C:/b.zip!/{path}", 3, 0, ""))
    assert (place.origin.path, place.member) == ("C:/b.zip", f"{path}:3")


@pytest.mark.parametrize("name", ["CON", "nul", "Aux.PROD", "COM1", "LPT9.A.B", "QM1.", "a:b", "a/b\\c", ".."])
def test_scripts_have_names_that_windows_takes(name: str) -> None:
    """No script of a plan has the name of a device, a character that Windows refuses, or a full stop at its end."""
    target = Target("mq", name, "QLOCAL", "Q", "", "")
    paths = [
        script.path for script in plan_scripts([Assignment(target, "queue.backout_threshold", "BOTHRESH", "3", "0")])
    ]
    assert len(paths) == 3
    for path in paths:
        stem = path.rpartition("/")[2].removesuffix(".mqsc")
        assert stem.partition(".")[0].upper() not in {"CON", "NUL", "AUX", "COM1", "LPT9"}
        assert not set(stem) & set('<>:"/\\|?*')
        assert stem == stem.rstrip(". ") != ""


class _Console:
    """Standard output as kernel32 shows it."""

    def __init__(self, mode: int | None, *, obeys: bool) -> None:
        self.mode, self.obeys = mode, obeys

    def GetStdHandle(self, which: int) -> int:  # noqa: N802
        return which

    def GetConsoleMode(self, handle: int, mode: Any) -> int:  # noqa: N802
        if self.mode is None:
            return 0
        mode._obj.value = self.mode
        return 1

    def SetConsoleMode(self, handle: int, mode: int) -> int:  # noqa: N802
        if self.obeys:
            self.mode = mode
        return int(self.obeys)


def test_a_console_is_asked_to_show_colours() -> None:
    """One that can is told to; one that cannot gets none; a file is not asked."""
    console = _Console(3, obeys=True)
    assert (shows_colours(console), console.mode) == (True, 7)
    assert shows_colours(_Console(7, obeys=False))
    assert not shows_colours(_Console(3, obeys=False))
    assert shows_colours(_Console(None, obeys=False))
    windows_console.prepare_console()  # nothing, elsewhere


def test_a_pipe_that_nobody_reads_on_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows says that an argument is invalid; that is a pipe that ended, and no error to report."""

    class Pipe(io.BytesIO):
        ended = True

        def flush(self) -> None:
            if self.ended and self.tell():
                raise OSError(errno.EINVAL, "Invalid argument")

    pipe = Pipe()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(pipe, "utf-8"))
    monkeypatch.setattr(sys, "platform", "win32")
    with pytest.raises(BrokenPipeError):
        outputs.write("report", None)
    pipe.ended = False  # Python 3.13 complains of what cannot be closed


def test_a_copy_of_standard_input_is_emptied(lintmdb: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An archive on standard input is copied to a file; where it cannot be removed because it is open, it is empty."""

    class Stays:
        def __init__(self, *, prefix: str, ignore_cleanup_errors: bool) -> None:
            assert ignore_cleanup_errors
            self.folder = tmp_path / f"{prefix}copy"

        def __enter__(self) -> str:
            self.folder.mkdir()
            return str(self.folder)

        def __exit__(self, *_: object) -> None:
            """It cannot be removed."""

    archive = shutil.make_archive(str(tmp_path / "export"), "zip", FIXTURES / "backout-inert")
    monkeypatch.setattr("tempfile.TemporaryDirectory", Stays)
    result = lintmdb("check", "-", stdin=Path(archive).read_bytes(), cwd=ROOT)
    assert result.returncode == 1, result.stderr
    copies = [file for file in tmp_path.glob("lintmdb-*/*") if file.is_file()]
    assert [file.stat().st_size for file in copies] == [0]
