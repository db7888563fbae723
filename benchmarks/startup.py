"""Start-up of an installed lintmdb: `--version` against bare Python, `check` of one server against yamllint.

A wheel is installed first, because it carries the rules as JSON; a checkout reads their YAML each time.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from measure import ROOT, installed, interleaved, say, size_of

FIXTURE = ROOT / "fixtures" / "clean"


def main() -> None:
    """Measure both, interleaved."""
    with tempfile.TemporaryDirectory() as name:
        size = size_of(FIXTURE)
        same = Path(name) / "same.yaml"
        entry = "- name: value {}\n  other: [1, 2, 3]\n"
        text = "---\n"
        while len(text) < size:
            text += entry.format(len(text))
        same.write_text(text, "utf-8")
        python = installed(Path(name) / "site")
        commands = [
            [*python, "-m", "lintmdb", "--version"],
            [*python, "-c", "pass"],
            [*python, "-m", "lintmdb", "check", FIXTURE],
            [*python, "-m", "yamllint", same],
        ]
        (version_, _), (bare, _), (check, _), (yamllint, _) = interleaved(commands, 15)
        say("--version to python -c pass", version_ / bare, "at most 2.5")
        say(f"check of {size} bytes to yamllint of as many", check / yamllint, "at most 1.3")


if __name__ == "__main__":
    main()
