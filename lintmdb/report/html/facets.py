"""Facets without a script: three lists to choose from, and a style sheet that hides what was not chosen.

Severity and rule are one list, because a rule has one severity: what is hidden then never depends on two choices at
once, which a style sheet could not tell of a card with several findings.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from lintmdb.engine.findings import Finding, FlowHead
from lintmdb.report.headline_fates import GROUPS, HeadlineFate
from lintmdb.report.html.markup import Markup, clipped, element
from lintmdb.rules.rule import SEVERITIES

_CELLS = 60


class Facets:
    """What findings and cards can be chosen by, with short class names: no text of an export is part of a style."""

    def __init__(self, findings: Sequence[Finding], flows: Sequence[FlowHead], fates: Sequence[HeadlineFate]) -> None:
        self._severities = Counter(finding.rule.severity for finding in findings)
        self._rules = Counter(finding.rule.id for finding in findings)
        self._titles = {finding.rule.id: (finding.rule.severity, finding.rule.name) for finding in findings}
        self._rule_classes = {rule: f"r{number}" for number, rule in enumerate(sorted(self._rules))}
        shown = {finding.flow for finding in findings if finding.flow is not None}
        self._fates = Counter(fates[number].group.key for number in shown)
        self._cells = Counter(flows[number].subject.cell or "" for number in shown)
        most = sorted(self._cells, key=lambda cell: (-self._cells[cell], cell))[:_CELLS]
        self._cell_classes = {cell: f"c{number}" for number, cell in enumerate(sorted(most))}

    def of_finding(self, finding: Finding) -> str:
        """The classes of a finding."""
        return f"s-{finding.rule.severity[0]} {self._rule_classes[finding.rule.id]}"

    def of_card(self, findings: Sequence[Finding], head: FlowHead | None, fate: HeadlineFate | None) -> str:
        """The classes of a card: those of all its findings, its cell and its fate."""
        names = {name for finding in findings for name in self.of_finding(finding).split()}
        if fate is not None:
            names.add(f"f-{fate.group.key}")
        if head is not None:
            names.add(self._cell_classes.get(head.subject.cell or "", ""))
        return " ".join(sorted(names - {""}))

    def style(self) -> str:
        """The rules that hide what was not chosen; ``html.css`` makes a display of the properties that they set."""
        lines: list[str] = []
        # Asked of the lists alone, and of what stands in one box behind them: a browser would go through the whole page
        # again and again for ``body:has()``, and through all cards in front of each for ``~ .card``. One rule hides
        # all, and the others show by a class: those with ``:not()`` would be tried on each element of a long page.
        for what, hides in (("what", "f"), ("fate", "card"), ("cell", "card")):
            names = list(self._values(what))
            if names:
                lines.append(f".facets:has(#{what} :checked:not([value=all])) ~ .cards .{hides} {{ --{what}: none; }}")
            lines += [
                f".facets:has(#{what} [value={name}]:checked) ~ .cards .{name} {{ --{what}: initial; }}"
                for name in names
            ]
        return "".join(f"{line}\n" for line in lines)

    def _values(self, what: str) -> Iterator[str]:
        if what == "what":
            yield from (f"s-{severity[0]}" for severity in SEVERITIES if self._severities[severity])
            yield from self._rule_classes.values()
        elif what == "fate":
            yield from (f"f-{group.key}" for group in GROUPS if self._fates[group.key])
        else:
            yield from self._cell_classes.values()

    def markup(self) -> Markup:
        """The lists; one with a single choice is left out."""
        total = self._severities.total()
        what = [("", f"all {total:,}", "")]
        groups: list[Markup] = []
        for severity in SEVERITIES:
            if self._severities[severity]:
                what.append((f"s-{severity[0]}", severity, f"{self._severities[severity]:,}"))
                rules = [
                    _option(self._rule_classes[rule], f"{rule} {self._titles[rule][1]}", f"{count:,}")
                    for rule, count in sorted(self._rules.items())
                    if self._titles[rule][0] == severity
                ]
                groups.append(element("optgroup", *rules, label=f"Rules: {severity}"))
        lists = [_list("what", "Findings", [*(_option(*entry) for entry in what), *groups])]
        fates = [(f"f-{g.key}", g.label, f"{self._fates[g.key]:,}") for g in GROUPS if self._fates[g.key]]
        if len(fates) > 1:
            lists.append(_list("fate", "Poison message", [_option("", "any fate", ""), *(_option(*f) for f in fates)]))
        if len(self._cells) > 1:
            cells = [
                _option(name, clipped(cell, 80) or "(no cell)", f"{self._cells[cell]:,}")
                for cell, name in self._cell_classes.items()
            ]
            lists.append(_list("cell", "Cell", [_option("", "all cells", ""), *cells]))
        return element("div", *lists, class_="facets", role="group", aria_label="Show only")


def _list(name: str, label: str, options: Sequence[Markup]) -> Markup:
    return element("div", element("label", label, for_=name), element("select", *options, id=name, autocomplete="off"))


def _option(value: str, text: str, count: str) -> Markup:
    return element("option", f"{text} ({count})" if count else text, value=value or "all")
