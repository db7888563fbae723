"""Start-up: `--version` against bare Python, and `check` of one server against yamllint on a file of the same size."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from measure import interleaved, lintmdb, say, size_of

FIXTURE = Path(__file__).resolve().parent.parent / "fixtures" / "clean"


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
        command = Path(sys.executable).with_name("lintmdb")
        version: list[str | Path] = [command, "--version"]
        commands = [
            version,
            [sys.executable, "-c", "pass"],
            lintmdb("check", FIXTURE),
            [sys.executable, "-m", "yamllint", same],
        ]
        (version_, _), (bare, _), (check, _), (yamllint, _) = interleaved(commands, 15)
        say("--version to python -c pass", version_ / bare, "at most 2.5")
        say(f"check of {size} bytes to yamllint of as many", check / yamllint, "at most 1.3")


if __name__ == "__main__":
    main()
