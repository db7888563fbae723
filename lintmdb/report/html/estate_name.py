"""What an estate is called: its cells, its queue managers, and when they were exported."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from lintmdb.engine.findings import FlowHead
from lintmdb.model.environment_names import key_of, name_in
from lintmdb.report.html.visible_text import clipped
from lintmdb.report.terminal import counted_words
from lintmdb.run.estate import Estate

_NAMED = 3
_NAME = 60


class EstateName(NamedTuple):
    """An estate as a heading names it; each text may be blank."""

    cells: str
    queue_managers: str
    dates: str
    """One sentence: ``QM1 and QM2 were exported on 2026-03-06.``"""


def estate_name(estate: Estate) -> EstateName:
    """The name of what was read."""
    exports = [export for export in estate.facts.rows["export"] if export.name]
    cells = sorted({name_in(export.environment, export.name or "") for export in exports if export.kind == "cell"})
    managers = sorted(
        {(export.name or "", export.environment or "") for export in exports if export.kind == "queue_manager"}
    )
    named = [name_in(environment, name) for name, environment in managers]
    dates = [estate.exported_on.get(key_of(environment, name), "") for name, environment in managers]
    return EstateName(_names(cells, "cell"), _names(named, "queue manager"), _dates(cells, named, dates))


def name_of_flows(flows: Sequence[FlowHead]) -> EstateName:
    """The name of an estate of which only the flows are at hand; it has no dates."""
    subjects = [head.subject for head in flows]
    cells = sorted({name_in(subject.environment, subject.cell) for subject in subjects if subject.cell})
    managers = sorted(
        {name_in(subject.environment, subject.queue_manager) for subject in subjects if subject.queue_manager}
    )
    return EstateName(_names(cells, "cell"), _names(managers, "queue manager"), "")


def _names(names: Sequence[str], kind: str) -> str:
    """``PRODCELL``; ``A, B, C and 9 more cells``; without a kind ``A, B, C and 9 more``."""
    shown = [clipped(name, _NAME) for name in names[:_NAMED]]
    if len(names) > _NAMED:
        more = f"more {kind}" if kind else "more"
        return f"{', '.join(shown)} and {counted_words(len(names) - _NAMED, more, '' if kind else more)}"
    return " and ".join(filter(None, (", ".join(shown[:-1]), *shown[-1:])))


def _dates(cells: Sequence[str], managers: Sequence[str], dates: Sequence[str]) -> str:
    by_date: dict[str, list[str]] = {}
    for name, date in zip(managers, dates, strict=True):
        by_date.setdefault(date, []).append(name)
    undated = [*cells, *by_date.pop("", [])]
    if not by_date:
        return "The exports have no date." if undated else ""
    parts = [
        f"{_names(owners, 'queue manager')} {'was' if len(owners) == 1 else 'were'} exported on {date}"
        for date, owners in sorted(by_date.items(), reverse=True)[:_NAMED]
    ]
    if undated:
        one = len(undated) == 1
        parts.append(f"the export{'' if one else 's'} of {_names(undated, '')} {'has' if one else 'have'} no date")
    return f"{'; '.join(parts)}."
