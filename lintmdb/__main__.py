"""The command's entry: answers ``--version`` before anything heavy is imported."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line."""
    if sys.argv[1:] == ["--version"]:
        from lintmdb import __version__

        sys.stdout.write(f"lintmdb {__version__}\n")
        return
    from lintmdb.cli import run

    sys.exit(run())


if __name__ == "__main__":
    main()
