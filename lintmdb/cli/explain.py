"""`lintmdb explain`: the text of one rule, or the rules whose texts hold all the words."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lintmdb.cli import terminal
from lintmdb.cli.options import Color, ColorOption, ConfigFile, RuleFolders

if TYPE_CHECKING:
    from lintmdb.rules.rule import Rule


def explain(
    words: Annotated[list[str], typer.Argument(metavar="RULE|WORD...", help="Id or name of a rule, or words to find.")],
    rules: RuleFolders = None,
    config: ConfigFile = None,
    full: Annotated[
        bool, typer.Option("--full", help="Also the conditions, commands for wsadmin, all examples and references.")
    ] = False,
    color: ColorOption = Color.auto,
) -> None:
    """Explain a rule: what it finds, why it matters, what happens to the message, and how to fix it.

    Other words than a rule's id or name list the rules whose texts contain all of them.
    """
    show_rules(" ".join(words), rules, config, full=full, color=color)


def show_rules(
    words: str, folders: list[Path] | None, config: Path | None, *, full: bool = True, color: str = "auto"
) -> None:
    """Print the rule of that id or name, or a table of the rules whose texts contain all the words."""
    from lintmdb.report.rule_pages.explain import explain_rule, rule_table
    from lintmdb.rules.selection import find_rules

    found = find_rules(known_rules(folders, config), words)
    style = terminal.style(color)
    lines = explain_rule(found[0], style, full=full) if len(found) == 1 else rule_table(found, style)
    terminal.write("\n".join(lines) + "\n", None)


def known_rules(folders: list[Path] | None, config: Path | None) -> list[Rule]:
    """The built-in rules, and those of the folders that the options or the configuration file name."""
    from lintmdb.rules.loading import load_rules
    from lintmdb.run.config.settings import Options, read_settings

    return load_rules(read_settings(Options(config=config, rules=folders or ())).rules)
