"""`lintmdb redact`: a copy of exports that people can share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lintmdb.cli import terminal
from lintmdb.cli.inputs import listed


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
) -> int:
    """Copy exports without passwords, keys, hosts, users, descriptions and comments.

    The same word replaces the same host or user everywhere, lines keep their numbers, and names of queues, queue
    managers, servers and applications stay: `lintmdb check` comes to the same verdicts. Archives become folders. What
    cannot be redacted is not copied. Exit code 4: a file was not copied for that reason; 3: nothing was copied.
    """
    from lintmdb.redact import redact_exports

    copied = redact_exports(listed(exports), out)
    for path, reason in copied.refused:
        terminal.complain(f"{path}: not copied: it {reason}")
    if words is not None:
        terminal.write("".join(f"{old}\t{new}\n" for old, new in copied.words.items()), words)
    count = len(copied.files)
    passed = f", {copied.passed_over} passed over because lintmdb does not read them" if copied.passed_over else ""
    terminal.write(f"{count} {'file' if count == 1 else 'files'} written to {out}{passed}\n", None)
    if not copied.files:
        return 3
    return 4 if copied.refused else 0
