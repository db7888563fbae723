"""lintmdb: what happens to a message that cannot be processed, from exported configuration.

``lintmdb.check(paths)`` judges exports from Python; the types that it gives are in ``lintmdb.api``.
"""

from __future__ import annotations

from lintmdb.version import __version__

TYPE_CHECKING = False  # typing takes a tenth of the time of --version to import
if TYPE_CHECKING:
    from lintmdb.api import Change, Finding, Report, Undecided, check
    from lintmdb.errors import LintmdbError

__all__ = ["Change", "Finding", "LintmdbError", "Report", "Undecided", "__version__", "check"]


def __getattr__(name: str) -> object:
    """The Python API, imported when it is first used: the command line starts without it."""
    if name == "LintmdbError":
        from lintmdb.errors import LintmdbError

        return LintmdbError
    if name in __all__:
        from lintmdb import api

        return getattr(api, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
