"""Scripts for administrators that export what lintmdb reads. lintmdb prints them and runs none."""

from __future__ import annotations

import re
import shlex
from importlib.resources import files
from typing import Literal

from lintmdb.errors import LintmdbError

System = Literal["mq", "was", "zos"]
_FILES = {"mq": "mq.sh", "was": "was.txt", "zos": "zos.jcl"}
_OUT = {"mq": "exports", "was": "exports", "zos": "YOUR.QM1.MQSC"}
_DATA_SET = re.compile(r"(?=.{1,44}\Z)[A-Z@#$][A-Z0-9@#$-]{0,7}(?:\.[A-Z@#$][A-Z0-9@#$-]{0,7})*\Z")


def collecting_script(system: System, out: str = "") -> str:
    """A script for a shell or for wsadmin that exports to a folder, or a CSQUTIL job that exports to a data set.

    Raises LintmdbError for what cannot name a folder or a data set.
    """
    out = out or _OUT[system]
    if system == "zos" and not _DATA_SET.match(out):
        raise LintmdbError(f"--out {out!r} is no name of a data set", next_step="Write one such as YOUR.QM1.MQSC")
    if system != "zos" and not out.isprintable():
        raise LintmdbError("--out is no name of a folder", next_step="Write one without control characters")
    if system == "was":
        if not out.isascii():
            raise LintmdbError(f"--out {out!r} is not ASCII, which wsadmin needs", next_step="Name another folder")
        out = repr(out)
    if system == "mq":
        out = shlex.quote(f"./{out}" if out.startswith("-") else out)
    return files("lintmdb.collect").joinpath(_FILES[system]).read_text("utf-8").replace("@OUT@", out)
