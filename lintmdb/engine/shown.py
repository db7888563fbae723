"""Values in the words of reports."""

from __future__ import annotations

from lintmdb.model.columns import Value


def shown(column: str, value: Value) -> str:
    """A value as people read it: times in seconds or milliseconds, booleans in words."""
    if value is None:
        return "(unknown)"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int) and column.endswith("_ms"):
        return f"{value // 1000} s" if value >= 1000 and value % 1000 == 0 else f"{value} ms"
    return str(value)
