"""Findings and undecided verdicts counted by rule, cell, queue manager and application."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping

from lintmdb.engine.findings import Finding, Judgement, Subject, Undecided
from lintmdb.model.environment_names import name_in
from lintmdb.report.terminal import Style, safe
from lintmdb.rules.rule import SEVERITIES

_COLUMNS = (*SEVERITIES, "undecided")
_HEADS = ("errors", "warnings", "info", "undecided")
_NOWHERE = "(none)"


def statistics_lines(judgement: Judgement, style: Style) -> Iterator[str]:
    """A table each, the row with the most errors first."""
    for title, counts in statistics(judgement).items():
        if not counts:
            continue
        width = max(len(title), *(len(name) for name in counts))
        yield ""
        yield style.paint("bold", f"{title:<{width}}" + "".join(f"{head:>11}" for head in _HEADS))
        for name, numbers in sorted(counts.items(), key=_order):
            cells = "".join(f"{numbers[column] or '-':>11}" for column in _COLUMNS)
            yield f"{safe(name):<{width}}{cells}"


def _order(entry: tuple[str, Counter[str]]) -> tuple[object, ...]:
    return (*(-entry[1][column] for column in _COLUMNS), entry[0])


def statistics(judgement: Judgement) -> Mapping[str, Mapping[str, Counter[str]]]:
    """What is counted, by title of the table and name of the row: findings by severity, and undecided verdicts."""
    keys: Mapping[str, Callable[[Finding | Undecided, Subject], str | None]] = {
        "By rule": lambda entry, _: f"{entry.rule.id} {entry.rule.name}",
        "By environment": lambda _, subject: subject.environment,
        "By cell": lambda _, subject: name_in(subject.environment, subject.cell or ""),
        "By queue manager": lambda _, subject: name_in(subject.environment, subject.queue_manager or ""),
        "By application": lambda _, subject: subject.application,
    }
    tables: dict[str, dict[str, Counter[str]]] = {title: {} for title in keys}
    for entry in (*judgement.findings, *judgement.undecided):
        about = judgement.flows[entry.flow].subject if entry.flow is not None else entry.subject
        column = entry.rule.severity if isinstance(entry, Finding) else "undecided"
        for title, key in keys.items():
            tables[title].setdefault(key(entry, about) or _NOWHERE, Counter())[column] += 1
    if tables["By environment"].keys() == {_NOWHERE}:
        tables["By environment"] = {}
    return tables
