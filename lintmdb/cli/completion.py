"""`lintmdb completion`: a script that completes commands and options in a shell.

The script holds the words itself: to complete starts no Python.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, NamedTuple, Protocol, cast

import typer

from lintmdb.cli.terminal import write

_FORMATS: Mapping[tuple[str, ...], tuple[str, ...]] = {
    ("plan",): ("text", "json", "html", "markdown"),
}
"""What --format of a command may be, where that is more than text and json; check and diff have tables."""


class Shell(StrEnum):
    """A shell that a script can be written for."""

    bash = "bash"
    zsh = "zsh"
    fish = "fish"


class _Parameter(Protocol):
    """What is used of a parameter of click, which typer brings along in some versions and depends on in others."""

    param_type_name: str
    opts: list[str]
    secondary_opts: list[str]
    type: object


class _Node(Protocol):
    """What is used of a command of click."""

    params: list[_Parameter]
    short_help: str | None
    help: str | None


class _Command(NamedTuple):
    """What can follow a command."""

    words: tuple[str, ...]
    """The command's own words: ``("rules", "list")``; none for lintmdb itself."""
    commands: tuple[tuple[str, str], ...]
    """The commands below it, and what each is for."""
    options: tuple[tuple[str, str], ...]
    values: dict[str, tuple[str, ...]]
    """What can follow an option, where that is a choice."""


def completion(
    context: typer.Context, shell: Annotated[Shell, typer.Argument(metavar="SHELL", help="bash, zsh or fish.")]
) -> None:
    """Print a script that completes lintmdb's commands and options; other words complete as file names."""
    script = {Shell.bash: _bash, Shell.zsh: _zsh, Shell.fish: _fish}[shell]
    commands: list[_Command] = []
    _walk(cast("_Node", context.find_root().command), (), commands)
    write(script(commands), None)


def _walk(command: _Node, words: tuple[str, ...], found: list[_Command]) -> None:
    below: dict[str, _Node] = getattr(command, "commands", {})
    options: dict[str, str] = {}
    values: dict[str, tuple[str, ...]] = {}
    for parameter in command.params:
        if parameter.param_type_name != "option":
            continue
        for name in (*parameter.opts, *parameter.secondary_opts):
            options[name] = _first_sentence(getattr(parameter, "help", None) or "")
            if choices := getattr(parameter.type, "choices", None):
                values[name] = tuple(str(getattr(choice, "value", choice)) for choice in choices)
    options["--help"] = "Show the help and exit"
    if "--format" in options:
        values["--format"] = _formats(words)
    shown = tuple((name, _first_sentence(each.short_help or each.help or "")) for name, each in sorted(below.items()))
    found.append(_Command(words, shown, tuple(sorted(options.items())), values))
    for name, each in sorted(below.items()):
        _walk(each, (*words, name), found)


def _formats(words: tuple[str, ...]) -> tuple[str, ...]:
    """What ``--format`` of a command may be."""
    from lintmdb.report.difference_formats import DIFFERENCE_FORMATS
    from lintmdb.report.formats import FORMATS

    match words:
        case ("check",):
            return tuple(FORMATS)
        case ("diff",):
            return DIFFERENCE_FORMATS
        case _:
            return _FORMATS.get(words, ("text", "json"))


def _first_sentence(text: str) -> str:
    return " ".join(text.split()).partition(". ")[0].removesuffix(".")


def _bash(commands: list[_Command]) -> str:
    paths = "|".join(f'"{" ".join(("", *command.words))}"' for command in commands if command.words)
    lines = [
        "# lintmdb: completion for bash",
        "_lintmdb() {",
        '    local current="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}"',
        '    if [[ "$current" == "=" ]]; then current=""  # bash takes --format=json for three words',
        '    elif [[ "$previous" == "=" ]]; then previous="${COMP_WORDS[COMP_CWORD-2]}"; fi',
        '    local path="" words="" options="" word at',
        "    for ((at = 1; at < COMP_CWORD; at++)); do",
        '        word="$path ${COMP_WORDS[at]}"',
        f'        case "$word" in {paths}) path="$word" ;; esac',
        "    done",
        '    case "$path $previous" in',
    ]
    for command in commands:
        for option, values in command.values.items():
            place = " ".join(("", *command.words, option))
            lines.append(f'        "{place}") COMPREPLY=($(compgen -W "{" ".join(values)}" -- "$current")); return ;;')
    lines += ["    esac", '    case "$path" in']
    for command in commands:
        options = " ".join(name for name, _ in command.options)
        words = " ".join(name for name, _ in command.commands)
        lines.append(f'        "{" ".join(("", *command.words)) if command.words else ""}")')
        lines.append(f'            options="{options}"; words="{words}" ;;')
    lines += [
        "    esac",
        '    if [[ "$current" == -* ]]; then words="$options"; fi',
        '    COMPREPLY=($(compgen -W "$words" -- "$current"))',
        "}",
        "complete -o default -F _lintmdb lintmdb",
    ]
    return "\n".join(lines) + "\n"


def _zsh(commands: list[_Command]) -> str:
    """zsh runs the script of bash by its own emulation."""
    return (
        "(( $+functions[compdef] )) || { autoload -U compinit && compinit; }\n"
        "autoload -U +X bashcompinit && bashcompinit\n" + _bash(commands)
    )


_FISH_PLACES = (
    "function __lintmdb_at # the words after lintmdb are these",
    "    set -l words (commandline -opc)",
    "    set -e words[1]",
    '    test "$words" = "$argv"',
    "end",
    "function __lintmdb_below # the words after lintmdb begin with these",
    "    set -l words (commandline -opc)",
    "    set -e words[1]",
    "    set -l number (count $argv)",
    '    test (count $words) -ge $number; and test "$words[1..$number]" = "$argv"',
    "end",
)


def _fish(commands: list[_Command]) -> str:
    lines = ["# lintmdb: completion for fish", *_FISH_PLACES, "complete -c lintmdb -e"]
    for command in commands:
        place = " ".join(command.words)
        here = f"__lintmdb_below {place}" if place else "__lintmdb_at"
        for name, says in command.commands:
            lines.append(f"complete -c lintmdb -n '{f'__lintmdb_at {place}'.strip()}' -f -a {name} -d {_quoted(says)}")
        for name, says in command.options:
            flag = f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}"
            values = command.values.get(name)
            more = f" -x -a '{' '.join(values)}'" if values else ""
            lines.append(f"complete -c lintmdb -n '{here}' {flag}{more} -d {_quoted(says)}")
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
