"""Which built-in rules these are: their number, and a short hash of their files.

A wheel carries the line in a file beside the rules, so that ``--version`` reads no rule.
"""

from __future__ import annotations

from pathlib import Path

PACKAGE = Path(__file__).resolve().parent
LINE = PACKAGE / "rules.version"
SOURCE = PACKAGE.parent / "rules"


def rule_pack() -> str:
    """``85 rules, 3f2a9c1b``; the same for the same rules, in a checkout and installed."""
    if SOURCE.is_dir() and (PACKAGE.parent / "pyproject.toml").exists():
        return describe(SOURCE)
    try:
        return LINE.read_text("ascii").strip()
    except OSError:
        return "no rules"


def describe(folder: Path) -> str:
    """The line about the rules of a folder (``*/*.yaml``)."""
    import hashlib

    files = sorted(folder.glob("*/*.yaml"), key=lambda file: file.name)
    digest = hashlib.sha256()
    for file in files:
        # Line ends are the checkout's, not the rule's.
        digest.update(file.name.encode() + b"\0" + file.read_bytes().replace(b"\r\n", b"\n") + b"\0")
    return f"{len(files)} rules, {digest.hexdigest()[:8]}"
