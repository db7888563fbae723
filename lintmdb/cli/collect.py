"""`lintmdb collect`: a script for the administrator who exports what lintmdb reads."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from lintmdb.cli import terminal


class Source(StrEnum):
    """Where the script runs."""

    mq = "mq"
    was = "was"
    zos = "zos"


def collect(
    source: Annotated[
        Source,
        typer.Argument(
            metavar="SOURCE", help="mq: a host with queue managers; was: wsadmin (Jython); zos: a CSQUTIL job."
        ),
    ],
    out: Annotated[
        str, typer.Option("--out", metavar="DIR", help="The folder, or on z/OS the data set, that the script writes.")
    ] = "",
) -> None:
    """Print a script that exports what lintmdb reads. lintmdb does not run it.

    The script changes nothing, and what it writes contains no passwords. MANIFEST.txt says where and when. mq exports
    every queue manager that runs on a host, was the documents of a cell without stopping a server. EAR files are among
    them only where annotations alone declare beans.
    """
    from lintmdb.collect import collecting_script

    terminal.write(collecting_script(source.value, out), None)
