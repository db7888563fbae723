"""The least that any reader must do: expat with handlers that do nothing, and a split of text into lines.

Run as a program it does that to every file below the paths that it is given.
"""

from __future__ import annotations

import sys
from pathlib import Path
from xml.parsers import expat


def no_op_expat(data: bytes) -> None:
    """Parse XML with handlers that do nothing."""

    def start(name: str, attributes: dict[str, str]) -> None:
        pass

    def end(name: str) -> None:
        pass

    parser = expat.ParserCreate()
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.Parse(data, True)


def line_split(data: bytes) -> int:
    """Split text into lines."""
    return len(data.decode("utf-8").split("\n"))


def main() -> None:
    """Do it to all files of the arguments."""
    for argument in sys.argv[1:]:
        path = Path(argument)
        for file in [path] if path.is_file() else sorted(path.rglob("*")):
            if file.suffix in (".xml", ".xmi"):
                no_op_expat(file.read_bytes())
            elif file.is_file():
                line_split(file.read_bytes())


if __name__ == "__main__":
    main()
