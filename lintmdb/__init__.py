"""lintmdb: what happens to a message that cannot be processed, from exported configuration.

``lintmdb.check(paths)`` judges exports from Python, and ``lintmdb.Estate(paths)`` reads them once for many questions;
all types that they give are in ``lintmdb.api``.
"""

from __future__ import annotations

import sys

from lintmdb.version import __version__

TYPE_CHECKING = False  # typing takes a tenth of the time of --version to import
if TYPE_CHECKING:
    from types import ModuleType

    from lintmdb.api import (
        Change,
        Difference,
        Estate,
        Finding,
        Plan,
        Report,
        Trace,
        Undecided,
        check,
        diff,
        plan,
        trace,
    )
    from lintmdb.errors import LintmdbError
else:
    ModuleType = type(sys)

__all__ = [
    "Change",
    "Difference",
    "Estate",
    "Finding",
    "LintmdbError",
    "Plan",
    "Report",
    "Trace",
    "Undecided",
    "__version__",
    "check",
    "diff",
    "plan",
    "trace",
]


def __getattr__(name: str) -> object:
    """The Python API, imported when it is first used: the command line starts without it."""
    if name == "LintmdbError":
        from lintmdb.errors import LintmdbError

        return LintmdbError
    if name == "api" or name in __all__:
        import importlib  # "from lintmdb import api" would ask here for it, again and again

        api = importlib.import_module("lintmdb.api")
        return api if name == "api" else getattr(api, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """All public names, imported or not."""
    return sorted({*__all__, *(name for name in globals() if name.startswith("__"))})


class _Package(ModuleType):
    """The package, whose ``plan`` is the function: to import the subpackage of that name does not hide it."""

    @property
    def plan(self) -> object:
        """``lintmdb.api.plan``."""
        from lintmdb import api

        return api.plan

    @plan.setter
    def plan(self, subpackage: object) -> None:
        """What importing ``lintmdb.plan`` sets; ``from lintmdb.plan.planner import Plan`` works without it."""


sys.modules[__name__].__class__ = _Package
