"""Cells against rules: how many hazards each pair has, and in which share of what was judged."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from lintmdb.fleet.audit_tables import batches, first_rows, grouped, pa, pc, replaced, rolled_up, rows
from lintmdb.fleet.known_rules import RuleHead, head_of
from lintmdb.report.html.markup import Markup, clipped, element, escaped, joined
from lintmdb.report.terminal import counted_words

CELLS_SHOWN = 60
RULES_SHOWN = 90
SHADES = 6
_COUNTS = ("hazards", "undecided", "clear")


class Count(NamedTuple):
    """Verdicts of one cell and rule, or of several together."""

    hazards: int = 0
    undecided: int = 0
    clear: int = 0

    def plus(self, other: Count) -> Count:
        """Both together."""
        return Count(*(mine + theirs for mine, theirs in zip(self, other, strict=True)))

    def minus(self, other: Count) -> Count:
        """What is left without the other."""
        return Count(*(mine - theirs for mine, theirs in zip(self, other, strict=True)))

    @property
    def shade(self) -> int:
        """0 without a hazard, else 1 to SHADES by the share of hazards in all verdicts."""
        judged = sum(self)
        return -(-SHADES * self.hazards // judged) if judged else 0


@dataclass(frozen=True, slots=True)
class HeatRow:
    """One line of the table; ``other`` is what the rules that are not shown have."""

    cell: str | None
    cells: int
    errors: int
    total: Count
    by_rule: Mapping[str, Count]
    other: Count


@dataclass(frozen=True, slots=True)
class Heat:
    """The table: errors, warnings and info, each with most hazards first; cells with most errors first."""

    rules: tuple[RuleHead, ...]
    other_rules: int
    everything: HeatRow
    cells: tuple[HeatRow, ...]
    rest: HeatRow | None
    """The cells that are not shown, together."""


def heat_of(audit: Path, heads: Mapping[str, RuleHead]) -> Heat:
    """The table of an audit; rules that have neither a hazard nor an undecided verdict are left out."""
    table = rolled_up(
        batches(audit, "summary", ["cell", "rule", *_COUNTS]), ("cell", "rule"), dict.fromkeys(_COUNTS, "sum")
    )
    if table is None:
        return Heat((), 0, _row(None, 0, {}, (), heads), (), None)
    totals = {row["rule"]: _count(row) for row in rows(grouped(table, ["rule"], dict.fromkeys(_COUNTS, "sum")))}
    open_rules = [rule for rule, count in totals.items() if count.hazards or count.undecided]
    open_rules.sort(
        key=lambda rule: (_rank(head_of(rule, heads)), -totals[rule].hazards, -totals[rule].undecided, rule)
    )
    shown = open_rules[:RULES_SHOWN]
    cells = _worst_cells(table, heads)
    by_cell: dict[str | None, dict[str, Count]] = {cell: {} for cell in cells.column("cell")[:CELLS_SHOWN].to_pylist()}
    for row in rows(table.filter(pc.is_in(table["cell"], value_set=pa.array(list(by_cell), pa.string())))):
        by_cell[row["cell"]][row["rule"]] = _count(row)
    top = tuple(_row(cell, 1, counts, shown, heads) for cell, counts in by_cell.items())
    everything = _row(None, cells.num_rows, totals, shown, heads)
    left = cells.num_rows - len(top)
    return Heat(
        rules=tuple(head_of(rule, heads) for rule in shown),
        other_rules=len(open_rules) - len(shown),
        everything=everything,
        cells=top,
        rest=_without(everything, top, left) if left else None,
    )


def _rank(rule: RuleHead) -> int:
    return "ewi".index(rule.letter)


def _count(row: Mapping[str, Any]) -> Count:
    return Count(*(int(row[name] or 0) for name in _COUNTS))


def _worst_cells(table: Any, heads: Mapping[str, RuleHead]) -> Any:
    """Every cell once, with most errors first, then with most hazards, then with most undecided."""
    grave = pa.array([rule for rule, head in heads.items() if head.severity == "error"], pa.string())
    errors = pc.if_else(pc.is_in(table["rule"], value_set=grave), table["hazards"], 0)
    cells = grouped(replaced(table, "errors", errors), ["cell"], {"errors": "sum"} | dict.fromkeys(_COUNTS, "sum"))
    order = [(name, "descending") for name in ("errors", "hazards", "undecided")]
    return first_rows(cells, [*order, ("cell", "ascending")], cells.num_rows)


def _row(
    cell: str | None, cells: int, counts: Mapping[str, Count], shown: Sequence[str], heads: Mapping[str, RuleHead]
) -> HeatRow:
    total, other, errors, kept = Count(), Count(), 0, set(shown)
    for rule, count in counts.items():
        total = total.plus(count)
        if rule not in kept:
            other = other.plus(count)
        if head_of(rule, heads).severity == "error":
            errors += count.hazards
    return HeatRow(cell, cells, errors, total, {rule: counts[rule] for rule in shown if rule in counts}, other)


def _without(everything: HeatRow, top: Sequence[HeatRow], cells: int) -> HeatRow:
    total, other, errors = everything.total, everything.other, everything.errors
    by_rule = dict(everything.by_rule)
    for row in top:
        total, other, errors = total.minus(row.total), other.minus(row.other), errors - row.errors
        for rule, count in row.by_rule.items():
            by_rule[rule] = by_rule[rule].minus(count)
    return HeatRow(None, cells, errors, total, {rule: c for rule, c in by_rule.items() if any(c)}, other)


def heat_table(heat: Heat) -> Markup:
    """The table, in a box of its own that scrolls."""
    everything = heat.everything
    body = [_line(everything, f"All {counted_words(everything.cells, 'cell')}", heat, "all")]
    body += [_line(row, clipped(row.cell, 80) or "(no cell)", heat, None) for row in heat.cells]
    if heat.rest:
        body.append(_line(heat.rest, f"{heat.rest.cells:,} other cells", heat, "rest"))
    table = element(
        "table",
        element("caption", _caption(heat), id="heat-caption"),
        element("thead", _head(heat)),
        element("tbody", *body),
        class_="heat",
    )
    return element("div", table, class_="scroll tall", role="region", aria_labelledby="heat-caption", tabindex="0")


def _caption(heat: Heat) -> str:
    text = "Hazards by cell and rule. Cells with most errors come first; rules by severity, then by hazards."
    if heat.rest:
        text += f" The {len(heat.cells)} worst cells are shown; the last row is the sum of the others."
    return text


def _head(heat: Heat) -> Markup:
    fixed = [element("th", "Cell", scope="col", class_="corner")]
    fixed += [
        element("th", element("span", name), scope="col", class_="sum") for name in ("errors", "hazards", "undecided")
    ]
    columns = [
        element(
            "th",
            element("span", element("abbr", clipped(rule.id, 24), title=clipped(f"{rule.title} ({rule.name})", 200))),
            scope="col",
            class_=rule.letter,
        )
        for rule in heat.rules
    ]
    if heat.other_rules:
        columns.append(element("th", element("span", f"{heat.other_rules:,} more"), scope="col"))
    return element("tr", *fixed, *columns)


def _line(row: HeatRow, label: str, heat: Heat, kind: str | None) -> Markup:
    sums = [element("td", number, class_="sum") for number in (row.errors, row.total.hazards, row.total.undecided)]
    boxes = [_box(row.by_rule.get(rule.id), rule.letter) for rule in heat.rules]
    if heat.other_rules:
        boxes.append(_box(row.other, "i"))
    return element("tr", element("th", element("span", label), scope="row"), *sums, *boxes, class_=kind)


def _box(count: Count | None, letter: str) -> Markup:
    if count is None or not any(count):
        return Markup('<td class="na">–</td>')
    open_ = Markup(f"<i>?{count.undecided:,}</i>") if count.undecided else Markup("")
    style = f"{letter}{count.shade}" if count.hazards else ("open" if open_ else "ok")
    number = escaped(count.hazards) if count.hazards or not open_ else Markup("")
    return Markup(f'<td class="{style}">{number}{open_}</td>')


def rule_table(heat: Heat) -> Markup:
    """The rules of the table by their titles, for those who cannot hover."""
    head = [element("th", name, scope="col") for name in ("Rule", "What it finds", "Severity")]
    head += [element("th", name, scope="col", class_="n") for name in ("Hazards", "Undecided", "Clear")]
    body = element("tbody", *_rule_lines(heat))
    caption = element("caption", "Rules, in the order of their columns", class_="unseen")
    table = element("table", caption, element("thead", element("tr", *head)), body, class_="plain")
    summary = element("summary", f"The {counted_words(len(heat.rules), 'rule')} of this table by name")
    return element("details", summary, element("div", table, class_="scroll"), class_="fold quiet")


def _rule_lines(heat: Heat) -> Iterator[Markup]:
    for rule in heat.rules:
        count = heat.everything.by_rule[rule.id]
        yield element(
            "tr",
            element("th", clipped(rule.id, 60), scope="row"),
            element("td", clipped(rule.title, 160)),
            element("td", element("span", rule.severity, class_=f"sev {rule.letter}")),
            joined(element("td", number, class_="n") for number in count),
        )
