"""`lintmdb redact`: a copy of exports that people can share."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lintmdb.cli import terminal
from lintmdb.cli.inputs import listed

if TYPE_CHECKING:
    from lintmdb.redact import Copied


def redact(
    exports: Annotated[
        list[Path],
        typer.Argument(metavar="EXPORT...", help="Files, folders and archives.", show_default=False),
    ],
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="A new or empty folder for the copy.")],
    words: Annotated[
        Path | None,
        typer.Option(
            "--words", metavar="FILE", help="Write which word became which to this file, and keep it to yourself."
        ),
    ] = None,
    names: Annotated[
        bool, typer.Option("--names", help="Replace names of queues, servers, applications and the like, too.")
    ] = False,
) -> int:
    """Copy exports without passwords, keys, hosts, users, descriptions and comments.

    The same word replaces the same host or user everywhere, lines keep their numbers, and `lintmdb check` comes to the
    same verdicts. Archives become folders. What would say something else without its secrets is not copied. With
    --names the verdicts of the copy are compared with those of the originals. Exit code 4: a file was not copied, or
    verdicts differ; 3: there was nothing to copy.
    """
    import secrets

    from lintmdb.redact import Names, redact_exports

    paths = listed(exports)
    copied = redact_exports(paths, out, Names(secrets.token_hex(16)) if names else None)
    for path, reason in copied.refused:
        terminal.complain(f"{path}: not copied: it {reason}")
    if words is not None:
        terminal.write("".join(f"{old}\t{new}\n" for old, new in copied.words.items()), words)
    count = len(copied.files)
    terminal.write(f"{count} {'file' if count == 1 else 'files'} written to {out}{_passed_over(copied)}\n", None)
    if not copied.files:
        return 4 if copied.refused else 3
    differing = _differing_rules(paths, out) if names else []
    if differing:
        terminal.complain(f"The copy has other verdicts for {', '.join(differing)}: a name decides there")
    return 4 if copied.refused or differing else 0


def _passed_over(copied: Copied) -> str:
    """How many files are not in the copy because lintmdb does not read them, and which, a few by their names."""
    from lintmdb.report.terminal import safe

    if not copied.passed_over:
        return ""
    count = sum(entry.files for entry in copied.passed_over)
    named = copied.passed_over[:_MOST_NAMED]
    more = count - sum(entry.files for entry in named)
    shown = ", ".join(
        f"{entry.files} in {safe(entry.path)}" if entry.files > 1 else safe(entry.path) for entry in named
    ) + (f" and {more} more" if more else "")
    return f", {count} passed over because lintmdb does not read {'it' if count == 1 else 'them'}: {shown}"


_MOST_NAMED = 5


def _differing_rules(paths: list[Path], out: Path) -> list[str]:
    """The rules that have other numbers of verdicts on the copy, sorted."""
    before, after = _verdicts(paths), _verdicts([out])
    return sorted({rule for rule, _ in (before - after) + (after - before)})


def _verdicts(paths: list[Path]) -> Counter[tuple[str, int]]:
    """How often each rule comes to each verdict."""
    from lintmdb.engine.judge import judge
    from lintmdb.resolve.observations import Observations
    from lintmdb.rules.loading import load_rules
    from lintmdb.run.estate import read_estate

    judgement = judge(read_estate(paths, Observations()).facts, load_rules())
    return Counter(
        (rule.id, number) for _, rules, numbers in judgement.judged for rule, number in zip(rules, numbers, strict=True)
    )
