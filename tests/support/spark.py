"""Spark for the tests of the fleet: whether it can run here."""

from __future__ import annotations

import importlib.util
import os
import shutil


def no_fleet() -> str:
    """Return why the tests of the fleet cannot run here; empty where they can."""
    missing = [name for name in ("pyspark", "pyarrow", "pandas", "duckdb") if importlib.util.find_spec(name) is None]
    if missing:
        return f"the fleet needs {', '.join(missing)}"
    return "" if shutil.which("java") or os.environ.get("JAVA_HOME") else "the fleet needs Java 17"
