"""The rows that exports contribute, by relation."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from lintmdb.model.origins import InlineSuppression
from lintmdb.model.relations import RELATIONS, Row


@dataclass(slots=True)
class Facts:
    """The rows that one or more exports contribute, by relation."""

    rows: dict[str, list[Any]] = field(default_factory=lambda: {name: [] for name in RELATIONS})
    inline_suppressions: list[InlineSuppression] = field(default_factory=list[InlineSuppression])
    """What comments in exports allow; not a relation, because no rule may ask for it."""

    def add(self, *rows: Row) -> None:
        """Append rows, each to its relation."""
        for row in rows:
            self.rows[_TABLE_OF[type(row)]].append(row)

    def extend(self, other: Facts) -> None:
        """Append all rows of another ``Facts``."""
        for name, rows in other.rows.items():
            self.rows[name].extend(rows)
        self.inline_suppressions.extend(other.inline_suppressions)


_TABLE_OF: dict[type, str] = {cls: name for name, cls in RELATIONS.items()}
