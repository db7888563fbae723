"""Help and completion: every command has examples that run, and completes in a shell."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from lintmdb.cli.app import app
from tests.support.command import Run, clean_environment, run_here
from tests.support.project import FIXTURES, ROOT


def _leaves(command: Any, words: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    below: dict[str, Any] = getattr(command, "commands", {})
    if not below:
        return [words]
    return [leaf for name, each in sorted(below.items()) for leaf in _leaves(each, (*words, name))]


LEAVES = _leaves(get_command(app))
SHELL = shutil.which("bash")


@pytest.fixture(scope="module")
def workplace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that holds what the examples name, and a command called lintmdb."""
    folder = tmp_path_factory.mktemp("examples")
    source = FIXTURES / "backout-inert"
    for name in ("was", "mq"):
        shutil.copytree(source / name, folder / name)
    for name in ("before", "after", "exports"):
        shutil.copytree(source, folder / name)
    shutil.copytree(source / "mq", folder / "mq-new")
    shutil.make_archive(str(folder / "backup"), "zip", source / "was")
    (folder / "exports.txt").write_text("was\nmq\n")
    (folder / "deploy.mqsc").write_text("ALTER QLOCAL('ORDERS.IN') DESCR('orders')\n")
    (folder / "lintmdb.toml").write_text('inputs = ["was", "mq"]\n')
    (folder / "my-rules").mkdir()
    command = folder / "bin" / "lintmdb"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nPYTHONPATH="{ROOT}" exec "{sys.executable}" -m lintmdb "$@"\n')
    command.chmod(0o755)
    _shell(folder, "lintmdb rules new my-own-rule --dir my-rules; lintmdb baseline write known.jsonl was mq")
    return folder


def _shell(folder: Path, program: str) -> subprocess.CompletedProcess[str]:
    environment = clean_environment()
    environment["PATH"] = f"{folder / 'bin'}:{environment['PATH']}"
    return subprocess.run(
        [SHELL or "sh", "-c", program], cwd=folder, capture_output=True, text=True, check=False, env=environment
    )


def _examples(text: str) -> list[str]:
    return re.findall(r"^ +((?:lintmdb|cat) .*)$", text[text.rindex("Example") :], re.MULTILINE)


@pytest.mark.slow
@pytest.mark.parametrize("words", LEAVES, ids=" ".join)
def test_the_examples_of_the_help_run(workplace: Path, words: tuple[str, ...]) -> None:
    """Every command's help ends with examples of that command, and they run."""
    shown = run_here(*words, "--help").stdout
    found = _examples(shown)
    assert found
    for example in found:
        assert f"lintmdb {' '.join(words)}" in example
        if words[0] == "fleet":
            continue  # needs Java; tests/fleet runs audits
        # A plain command needs no shell, nor a process: that takes most of the time.
        plain = example.startswith("lintmdb ") and not re.search(r"[|<>&;$*`]", example)
        result = run_here(*shlex.split(example)[1:], cwd=workplace) if plain else _shell(workplace, example)
        assert result.returncode in (0, 1), (example, result.stderr)
        told = words == ("rules", "check") or "--diff" in example  # the dump of the example is never edited
        assert result.stderr == "" or told, (example, result.stderr)


def test_help_fits_the_terminal(lintmdb: Run) -> None:
    """No line of any help is longer than 100 characters."""
    for words in LEAVES:
        text = lintmdb(*words, "--help", env={"COLUMNS": "100"}).stdout
        assert [line for line in text.splitlines() if len(line) > 100] == []


def _completed(script: Path, line: str) -> list[str]:
    words = line.split(" ")
    program = (
        f'source "{script}"; COMP_WORDS=({" ".join(f"{word!r}" for word in words)}); COMP_CWORD={len(words) - 1}; '
        '_lintmdb; printf "%s\\n" "${COMPREPLY[@]}"'
    )
    result = subprocess.run([SHELL or "", "-c", program], capture_output=True, text=True, check=True)
    assert result.stderr == ""
    return result.stdout.split()


@pytest.mark.skipif(SHELL is None, reason="no bash")
@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("lintmdb che", ["check"]),
        ("lintmdb rules ", ["check", "list", "new", "show"]),
        ("lintmdb rules check --", ["--help", "--version"]),
        ("lintmdb check --fail-on ", ["error", "warning", "info", "never"]),
        ("lintmdb check was --format js", ["json"]),
        ("lintmdb diff a b --format ", ["text", "json", "markdown", "sarif", "html", "github", "junit"]),
        ("lintmdb check --stdin", ["--stdin-name"]),
        ("lintmdb baseline update known.jsonl --acc", ["--accept-new"]),
        ("lintmdb check check", []),
        ("lintmdb check --format = js", ["json"]),
        ("lintmdb check --sarif-include =", ["suppressed", "undecided"]),
    ],
)
def test_bash_completes(lintmdb: Run, tmp_path: Path, line: str, expected: list[str]) -> None:
    """The script for bash completes commands, options and their choices, and leaves the rest to file names."""
    script = tmp_path / "lintmdb.bash"
    script.write_text(lintmdb("completion", "bash").stdout)
    assert _completed(script, line) == expected


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_have_every_command(lintmdb: Run, shell: str) -> None:
    """The scripts for zsh and fish name every command and option; a shell that is there accepts them."""
    script = lintmdb("completion", shell).stdout
    for words in LEAVES:
        assert words[-1] in script
    assert "stdin-name" in script
    if program := shutil.which(shell):
        subprocess.run([program, "--no-execute" if shell == "fish" else "-n"], input=script, text=True, check=True)


@pytest.mark.skipif(shutil.which("fish") is None, reason="no fish")
@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("lintmdb che", ["check"]),
        ("lintmdb rules ", ["check", "list", "new", "show"]),
        ("lintmdb rules check --", ["--help", "--version"]),
        ("lintmdb fleet diff --form", ["--format"]),
        ("lintmdb check was --strict --fail-on ", ["error", "info", "never", "warning"]),
        ("lintmdb check --format=js", ["--format=json"]),
        ("lintmdb check no-such-file", []),
    ],
)
def test_fish_completes(lintmdb: Run, tmp_path: Path, line: str, expected: list[str]) -> None:
    """The script for fish completes the options of the command that is meant, and no other's of that name."""
    script = tmp_path / "lintmdb.fish"
    script.write_text(lintmdb("completion", "fish").stdout)
    program = f"source {script}; complete -C '{line}'"
    result = subprocess.run(["fish", "--no-config", "-c", program], capture_output=True, text=True, check=True)
    assert result.stderr == ""
    assert [found.split("\t")[0] for found in result.stdout.splitlines()] == expected


@pytest.mark.skipif(shutil.which("zsh") is None, reason="no zsh")
def test_zsh_completes(lintmdb: Run, tmp_path: Path) -> None:
    """In an interactive zsh the tabulator completes commands, options, their choices, and file names."""
    (tmp_path / "lintmdb.zsh").write_text(lintmdb("completion", "zsh").stdout)
    (tmp_path / "QM1.mqsc").touch()
    lines = {
        "lintmdb che": "check",
        "lintmdb rules sh": "show",
        "lintmdb check --stri": "--strict",
        "lintmdb check --format js": "json",
        "lintmdb check QM": "QM1.mqsc",
    }
    typed = "".join(
        f"zpty -n -w shell {line!r}$'\\t'\nzpty -r shell out '*{end}*' && print found {end}\n"
        "zpty -n -w shell $'\\x15'\n"
        for line, end in lines.items()
    )
    program = (
        "zmodload zsh/zpty; zpty shell zsh -f -i\n"
        f"zpty -w shell 'cd {tmp_path}; autoload -U compinit; compinit -u -D; source ./lintmdb.zsh; print READ\"\"Y'\n"
        "zpty -r shell out '*READY*'\n" + typed + "zpty -d shell\n"
    )
    result = subprocess.run(["zsh", "-f", "-c", program], capture_output=True, text=True, check=True, timeout=60)
    assert result.stdout.splitlines() == [f"found {end}" for end in lines.values()]


def test_an_unknown_shell(lintmdb: Run) -> None:
    """Another shell is an error that names those that there are."""
    result = lintmdb("completion", "cmd")
    assert result.returncode == 2
    assert "bash" in result.stderr
