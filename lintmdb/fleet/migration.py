"""Flows that go on at the other kind of server in the newer of two audits. An audit holds no flows, so the headlines of
its findings tell: by the bean, its module and its application.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from lintmdb.compare.identity import Key
from lintmdb.compare.matching import Matching
from lintmdb.compare.migration import program_key
from lintmdb.fleet.verdict_tables import FindingRow, UndecidedRow
from lintmdb.model.relations import LIBERTY_CELL
from lintmdb.report.subjects import ARROW

_BEAN = re.compile(r"(?P<bean>.+) \((?P<application>[^/]+)/(?P<module>.+)\)", re.DOTALL)


def bean_of(headline: str | None) -> Key | None:
    """Application, module and bean of a headline; None where one of them is not told."""
    parts = (headline or "").split(ARROW)
    found = _BEAN.fullmatch(parts[-1]) if len(parts) == 3 else None
    return program_key(found["application"], found["module"], found["bean"]) if found is not None else None


def is_liberty(cell: str | None) -> bool:
    """Whether a cell is a Liberty server."""
    return (cell or "").startswith(LIBERTY_CELL)


def pair_migrated(
    matching: Matching[FindingRow, UndecidedRow], flows: Iterable[tuple[str, str]], cells: Collection[str | None]
) -> list[tuple[FindingRow, FindingRow]]:
    """Take the findings that a flow has on both kinds of server out of a matching, in pairs. What it does not have
    there any more is resolved, although the cell that it comes from is not given again.

    ``flows`` are cells and headlines of the newer audit, and ``cells`` all of its cells: a flow has left a cell only if
    the cell is not among them.
    """
    there = {(bean, is_liberty(cell)) for cell, headline in flows if (bean := bean_of(headline)) is not None}

    def has_left(row: FindingRow) -> bool:
        cell = row["cell"]
        return bool(cell) and cell not in cells and (bean_of(row["headline"]), not is_liberty(cell)) in there

    matching.resolved += [entry.record for entry in matching.lost if has_left(entry.record.source)]
    matching.lost = [entry for entry in matching.lost if not has_left(entry.record.source)]
    former: dict[tuple[str, Key | None, bool], FindingRow] = {}
    for record in matching.resolved:
        row = record.source
        if has_left(row):
            former.setdefault((row["rule"], bean_of(row["headline"]), is_liberty(row["cell"])), row)
    pairs: list[tuple[FindingRow, FindingRow]] = []
    for entry in matching.new:
        row = entry.record.source
        old = former.pop((row["rule"], bean_of(row["headline"]), not is_liberty(row["cell"])), None)
        if old is not None and not entry.record.suppressed:
            pairs.append((old, row))
    gone, again = {id(old) for old, _ in pairs}, {id(new) for _, new in pairs}
    matching.resolved = [record for record in matching.resolved if id(record.source) not in gone]
    matching.new = [entry for entry in matching.new if id(entry.record.source) not in again]
    return pairs
