"""The rows that meet in one flow, by alias, and their values by ``alias.column``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

COMPUTED = ("user", "queue_resolution", "conversations", "channel_instances", "channel_instances_all")
"""Columns of ``endpoint`` that ``flow.sql`` computes; in a flow's rows they stand beside the aliases."""
_COMPUTED_NAMES = frozenset(f"endpoint.{column}" for column in COMPUTED)


def value_of(name: str, rows: Mapping[str, Any]) -> Any:
    """The value of ``alias.column`` in a flow's rows, None where it is not known."""
    alias, _, column = name.partition(".")
    if name in _COMPUTED_NAMES:
        return rows.get(column)
    row = rows.get(alias)
    return None if row is None else getattr(row, column)
