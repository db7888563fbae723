"""Options that several commands share, and what they mean."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from lintmdb.errors import LintmdbError


class FailOn(StrEnum):
    """From which severity on a finding fails the run."""

    error = "error"
    warning = "warning"
    info = "info"
    never = "never"


Names = Annotated[
    list[str] | None, typer.Option("--queue-manager", metavar="NAME=PATH", help="PATH is MQSC of queue manager NAME.")
]
OnMessage = Annotated[
    str | None, typer.Option("--on-message", metavar="15s", help="Longest onMessage time of every bean.")
]
ObservationFile = Annotated[
    Path | None,
    typer.Option("--observations", metavar="FILE", help="Observed onMessage times and MQ users (YAML or CSV)."),
]
RuleFolders = Annotated[list[Path] | None, typer.Option("--rules", metavar="DIR", help="Rules of your own.")]


def failing(fail_on: FailOn) -> tuple[str, ...]:
    """The severities that fail a run."""
    order = ("error", "warning", "info")
    return () if fail_on is FailOn.never else order[: order.index(fail_on.value) + 1]


def pairs(entries: Iterable[str]) -> dict[str, str]:
    """``NAME=PATH`` entries as path to name. Raises LintmdbError."""
    found: dict[str, str] = {}
    for entry in entries:
        name, _, path = entry.partition("=")
        if not name or not path:
            raise LintmdbError(
                f"--queue-manager {entry!r} is not NAME=PATH", next_step="Write --queue-manager QM1=dump.txt"
            )
        found[path] = name
    return found
