"""`lintmdb rules`: list, show, check and start rules."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lintmdb.cli import terminal
from lintmdb.cli.examples import examples
from lintmdb.cli.explain import known_rules, show_rules
from lintmdb.cli.options import Color, ColorOption, ConfigFile, RuleFolders

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help="List, show, check and start rules.")


@app.command("list", epilog=examples("rules list"), short_help="List the rules, one a line.")
def rules_list(rules: RuleFolders = None, config: ConfigFile = None, color: ColorOption = Color.auto) -> None:
    """List the rules, one on each line, with your own rules that lintmdb.toml names."""
    from lintmdb.report.rule_pages.explain import rule_table

    terminal.write("\n".join(rule_table(known_rules(rules, config), terminal.style(color))) + "\n", None)


@app.command("show", epilog=examples("rules show"))
def rules_show(
    rule: Annotated[str, typer.Argument(metavar="RULE", help="Id or name of a rule.")],
    rules: RuleFolders = None,
    config: ConfigFile = None,
) -> None:
    """Show all of one rule: the same text as explain --full."""
    show_rules(rule, rules, config)


@app.command("check", epilog=examples("rules check"), short_help="Check rules of your own.")
def rules_check(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="A folder of rules, or one rule file.")],
) -> int:
    """Check your own rules: their form, their conditions, and the verdict of each example."""
    from lintmdb.report.terminal import plural
    from lintmdb.rules.examples import wrong_examples
    from lintmdb.rules.loading import load_folder

    rules = load_folder(folder)
    wrong = [line for rule in rules for line in wrong_examples(rule)]
    for line in wrong:
        terminal.complain(line)
    if not wrong:
        examples = sum(len(group) for rule in rules for group in rule.examples.values())
        counts = f"{plural(len(rules), 'rule')}, {plural(examples, 'example')}"
        terminal.write(f"{counts}: all as expected\n", None)
    return 1 if wrong else 0


@app.command("new", epilog=examples("rules new"))
def rules_new(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="The problem, in words with dashes: backout-queue-name-wrong.")
    ],
    folder: Annotated[Path, typer.Option("--dir", metavar="DIR", help="The folder to write it to.")] = Path(),
) -> None:
    """Write a starter rule with its examples."""
    from lintmdb.rules.examples import starter_rule

    file = starter_rule(name, folder)
    terminal.write(f"{file}: edit it, then run lintmdb rules check {folder}\n", None)
