"""Arguments and options that several commands share."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lintmdb.cli.inputs import listed
from lintmdb.errors import LintmdbError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from lintmdb.resolve.observations import Observations
    from lintmdb.run.config.settings import Options
    from lintmdb.run.estate import UnresolvedEstate
    from lintmdb.run.overlay import Overlay

    _Given = Mapping[str, str | bool | Sequence[str] | None]


class FailOn(StrEnum):
    """From which severity on a finding fails the run."""

    error = "error"
    warning = "warning"
    info = "info"
    never = "never"


class Color(StrEnum):
    """When text is coloured."""

    auto = "auto"
    always = "always"
    never = "never"


class Product(StrEnum):
    """A product whose settings change."""

    mq = "mq"
    was = "was"


class SeverityWord(StrEnum):
    """A severity of findings."""

    error = "error"
    warning = "warning"
    info = "info"


class SarifExtra(StrEnum):
    """Verdicts that are results of a SARIF report only for those who ask."""

    suppressed = "suppressed"
    undecided = "undecided"


Exports = Annotated[
    list[Path] | None,
    typer.Argument(
        metavar="EXPORT...",
        help="Files, folders and archives: WebSphere repositories or backups, MQSC dumps. - is standard input, "
        "@FILE a list of paths. Default: the inputs in lintmdb.toml.",
        show_default=False,
    ),
]
StdinName = Annotated[
    str | None, typer.Option("--stdin-name", metavar="PATH", help="Name to show for standard input instead of -.")
]
AllQueues = Annotated[
    bool,
    typer.Option(
        "--all-queues",
        help="Also judge queue managers, and local queues with backout attributes, that no endpoint in the exports "
        "reads.",
    ),
]
EnvironmentOption = Annotated[
    list[str] | None,
    typer.Option(
        "--environment",
        metavar="NAME=PATH",
        help="The exports below PATH are those of environment NAME, and nothing joins across environments; may be "
        "repeated.",
    ),
]
Names = Annotated[
    list[str] | None,
    typer.Option("--queue-manager", metavar="NAME=PATH", help="PATH contains MQSC of queue manager NAME."),
]
OnMessage = Annotated[
    str | None, typer.Option("--on-message", metavar="15s", help="Longest onMessage time of every bean.")
]
ObservationFile = Annotated[
    Path | None,
    typer.Option("--observations", metavar="FILE", help="Observed onMessage times and MQ users (YAML or CSV)."),
]
RuleFolders = Annotated[list[Path] | None, typer.Option("--rules", metavar="DIR", help="A folder of your own rules.")]
FailOnOption = Annotated[
    FailOn | None, typer.Option("--fail-on", help="Lowest severity that fails the run (default: error).")
]
SeverityOption = Annotated[
    SeverityWord | None,
    typer.Option("--severity", help="Repair findings of this severity and above (default: warning)."),
]
RequireOption = Annotated[
    list[str] | None,
    typer.Option(
        "--require", metavar="mq,was", help="Fail (exit code 4) if no export of one of these products was read."
    ),
]
ColorOption = Annotated[
    Color,
    typer.Option(
        "--color", help="When to colour text; auto looks at the terminal, NO_COLOR, FORCE_COLOR and CLICOLOR_FORCE."
    ),
]
Strict = Annotated[bool, typer.Option("--strict", help="Fail (exit code 4) if anything is undecided or unreadable.")]
Select = Annotated[list[str] | None, typer.Option("--select", metavar="RULES", help="Ids, names or prefixes.")]
Ignore = Annotated[list[str] | None, typer.Option("--ignore", metavar="RULES", help="Ids, names or prefixes.")]
Profile = Annotated[
    str | None,
    typer.Option(
        "--profile", metavar="NAME[@VERSION]", help="minimal, recommended (default) or strict, as of a version."
    ),
]
ConfigFile = Annotated[
    Path | None,
    typer.Option(
        "--config", metavar="FILE", help="Use this file instead of the lintmdb.toml in this folder or above it."
    ),
]
BaselineFile = Annotated[
    Path | None, typer.Option("--baseline", metavar="FILE", help="Ignore findings recorded in this file.")
]
NoBaseline = Annotated[bool, typer.Option("--no-baseline", help="Also show what the baseline of lintmdb.toml records.")]
NoSuppressions = Annotated[
    bool, typer.Option("--no-suppressions", help="Also show what the configuration and comments suppress.")
]
ChangeFiles = Annotated[
    list[Path] | None,
    typer.Option(
        "--change",
        metavar="[ENVIRONMENT=]FILE",
        help="Apply a change to the exports before judging them: MQSC, a .props file of WebSphere or a plan.json; "
        "may be repeated.",
    ),
]
ChangedValues = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="'queue ORDERS.IN at QM1: BOTHRESH=5'",
        help="Change one setting before judging the exports, on top of --change; may be repeated. In WebSphere: "
        "'listener port OrdersLP of node1/server1: maxRetries=5'.",
    ),
]
SarifInclude = Annotated[
    list[SarifExtra] | None,
    typer.Option(
        "--sarif-include",
        help="Verdicts to include as results in a SARIF report; may be repeated.",
    ),
]


def without_changes(queue_managers: Mapping[str, str], changes: Sequence[Path] | None) -> dict[str, str]:
    """The scripts of --queue-manager, by path, that are exports: one of --change only says where it runs."""
    scripts = {str(Path(_file_of(path))) for path in changes or ()}
    return {path: name for path, name in queue_managers.items() if str(Path(path)) not in scripts}


def _file_of(change: Path) -> str:
    """The file of ``prod=FILE``."""
    rest = str(change).partition("=")[2]
    return rest if rest and not change.exists() else str(change)


def what_if(
    files: Sequence[Path] | None, values: Sequence[str] | None, queue_managers: Mapping[str, str]
) -> Callable[[UnresolvedEstate, Observations], Overlay] | None:
    """What puts the changes of --change and --set on top of exports; None without any."""
    if not files and not values:
        return None
    from lintmdb.exports.discovery import shown_path
    from lintmdb.plan.what_if import WhatIf

    named = {shown_path(Path(path)): name for path, name in queue_managers.items()}
    return WhatIf(tuple(files or ()), tuple(values or ()), named).overlay


def read_options(context: typer.Context) -> Options:
    """The options and arguments of a command that are settings of a run, whichever of them the command has.

    A command need not name them one by one: what it declares under the name of a setting is read here. Raises
    LintmdbError for a list of exports (``@FILE``) that cannot be read.
    """
    from lintmdb.run.config.settings import Options

    given: _Given = context.params
    return Options(
        config=_path(given, "config"),
        inputs=listed(_paths(given, "exports")),
        select=_words(given, "select"),
        ignore=_words(given, "ignore"),
        profile=_word(given, "profile"),
        fail_on=_word(given, "fail_on"),
        strict=given.get("strict") is True,
        require=_products(given),
        all_queues=given.get("all_queues") is True,
        rules=_paths(given, "rules"),
        baseline=_path(given, "baseline"),
        no_baseline=given.get("no_baseline") is True,
        observations=_path(given, "observations"),
        on_message=_word(given, "on_message"),
        only=_word(given, "only"),
        keep=_words(given, "keep"),
        severity=_word(given, "severity"),
        environments=_words(given, "environment"),
    )


# typer converts values to paths and enumerations only for the command itself; the context has them as text.


def _word(given: _Given, name: str) -> str | None:
    value = given.get(name)
    return str(value) if value is not None else None


def _words(given: _Given, name: str) -> list[str]:
    value = given.get(name)
    return [str(word) for word in value] if isinstance(value, list | tuple) else []


def _products(given: _Given) -> list[str]:
    """The products of --require, which takes a list with commas. Raises LintmdbError."""
    from lintmdb.run.gate import PRODUCTS

    words = [part.strip() for word in _words(given, "require") for part in word.split(",")]
    unknown = [word for word in words if word not in PRODUCTS]
    if unknown:
        raise LintmdbError(f"--require {unknown[0]!r} is no product", next_step="Write mq, was, or mq,was")
    return words


def _path(given: _Given, name: str) -> Path | None:
    word = _word(given, name)
    return Path(word) if word is not None else None


def _paths(given: _Given, name: str) -> list[Path]:
    return [Path(word) for word in _words(given, name)]
