"""`lintmdb inventory`: what was recognised in the exports, and what was not."""

from __future__ import annotations

from typing import Annotated

import typer

from lintmdb.cli import terminal
from lintmdb.cli.inputs import spooled
from lintmdb.cli.options import (
    Color,
    ColorOption,
    ConfigFile,
    EnvironmentOption,
    Exports,
    Names,
    StdinName,
    read_options,
)


def inventory(
    context: typer.Context,
    exports: Exports = None,
    queue_manager: Names = None,
    environment: EnvironmentOption = None,
    config: ConfigFile = None,
    stdin_name: StdinName = None,
    formats: Annotated[
        list[str] | None,
        typer.Option("--format", metavar="FORMAT[=PATH]", help="text or json; may be repeated."),
    ] = None,
    color: ColorOption = Color.auto,
) -> int:
    """Show what was recognised in the exports, what was skipped and why, and what was not understood."""
    from lintmdb.report.inventory import render_inventory
    from lintmdb.report.inventory_json import render_inventory_json
    from lintmdb.report.outputs import parse_outputs
    from lintmdb.run.config.settings import read_settings
    from lintmdb.run.estate import read_estate

    outputs = parse_outputs(formats or (), ("text", "json"))
    settings = read_settings(read_options(context), needs_inputs=not queue_manager)
    managers = terminal.pairs(queue_manager or ())
    with spooled(exports, managers, stdin_name) as stdin, terminal.progress() as progress:
        estate = read_estate(
            settings.inputs,
            settings.observed,
            queue_managers=managers,
            progress=progress,
            stdin=stdin,
            environments=settings.environments,
        )
    for kind, path in outputs:
        if kind == "json":
            terminal.write(render_inventory_json(estate), path)
        else:
            style = terminal.style(color) if path is None else terminal.plain()
            terminal.write("\n".join(render_inventory(estate, style)) + "\n", path)
    return 0 if estate.inputs else 3
