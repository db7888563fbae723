"""The command's entry: answers ``--version`` before anything heavy is imported."""

from __future__ import annotations

import gc
import os
import sys


def main() -> None:
    """Run the command line."""
    if sys.argv[1:] == ["--version"]:
        from lintmdb.rules.pack import rule_pack
        from lintmdb.version import __version__

        try:
            sys.stdout.write(f"lintmdb {__version__} ({rule_pack()})\n")
            sys.stdout.flush()
        except BrokenPipeError:
            os._exit(141)
        return
    # Everything that is read stays until the end: to collect would only walk it again and again.
    gc.disable()
    from lintmdb.cli.app import run

    # The process ends here: to free what was read, object by object, would only take time.
    kept: list[object] = []
    code = run(kept)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


if __name__ == "__main__":
    main()
