"""From verdicts to rows of the tables, by the functions of ``check``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from lintmdb.engine.findings import Finding, Undecided
from lintmdb.fleet.judging.suppressed import SuppressionKeys
from lintmdb.fleet.judging.tables import Shown, own_row, told_row, undecided_row
from lintmdb.report.json_report import suppression_json
from lintmdb.run.owners import Owners

TABLES = ("findings", "suppressed", "undecided")
"""The tables of verdicts."""
TableRows = list[dict[str, object]]


@dataclass(frozen=True, slots=True)
class Presented:
    """The rows of the tables of verdicts, as they are added."""

    left_out: SuppressionKeys | None
    owners: Owners
    tables: Mapping[str, TableRows] = field(default_factory=lambda: {name: [] for name in TABLES})
    used: set[int] = field(default_factory=set[int])
    """The numbers of what of SuppressionKeys is about some verdict."""

    def add_finding(self, finding: Finding, told: Mapping[str, object] | None = None) -> None:
        """Add a hazard, which may not count; ``told`` is what ``told_row`` says of it, where that is known already."""
        decided, numbers = self.left_out.of_finding(finding) if self.left_out is not None else (None, [])
        self.used.update(numbers)
        row = {**(told or told_row(finding, Shown(finding.rows))), **own_row(finding, self.owners)}
        if decided is None:
            self.tables["findings"].append(row)
        else:
            self.tables["suppressed"].append(row | {"suppression": suppression_json(decided)})

    def add_undecided(self, entry: Undecided, cell: str | None, queue_manager: str | None) -> None:
        """Add an undecided verdict, and the cell and queue manager that it counts under."""
        if self.left_out is not None:
            self.used.update(self.left_out.of_undecided(entry.rule.id, entry.subject))
        self.tables["undecided"].append(undecided_row(entry, cell, queue_manager, self.owners))
