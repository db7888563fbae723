"""Which built-in rules these are: their number, and a short hash of their files.

A wheel contains the line in a file next to the rules, so that ``--version`` reads no rule.
"""

from __future__ import annotations

import os
import zlib

PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LINE = os.path.join(PACKAGE, "rules.version")
SOURCE = os.path.join(os.path.dirname(PACKAGE), "rules")


def rule_pack() -> str:
    """``115 rules, 3f2a9c1b``; the same for the same rules, in a checkout and installed."""
    if os.path.isdir(SOURCE) and os.path.exists(os.path.join(os.path.dirname(PACKAGE), "pyproject.toml")):
        return describe(SOURCE)
    try:
        with open(LINE, encoding="ascii") as file:
            return file.read().strip()
    except OSError:
        return "no rules"


def describe(folder: str | os.PathLike[str]) -> str:
    """The line about the rules of a folder (``*/*.yaml``). Without pathlib and hashlib, which take longer to import."""
    files = sorted(
        (entry.name, entry.path)
        for family in os.scandir(folder)
        if family.is_dir()
        for entry in os.scandir(family)
        if entry.name.endswith(".yaml")
    )
    digest = 0
    for name, path in files:
        with open(path, "rb") as file:
            # Line ends are the checkout's, not the rule's.
            text = file.read().replace(b"\r\n", b"\n")
        digest = zlib.crc32(name.encode() + b"\0" + text + b"\0", digest)
    return f"{len(files)} rules, {digest:08x}"
