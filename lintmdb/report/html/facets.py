"""Facets without a script: three lists to choose from, and a style sheet that hides what was not chosen.

Severity and rule are one list, because a rule has one severity: what is hidden then never depends on two choices at
once, which a style sheet could not tell of a card with several findings.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from lintmdb.engine.findings import Finding, FlowHead
from lintmdb.report.headline_fates import GROUPS, HeadlineFate
from lintmdb.report.html.visible_text import clipped
from lintmdb.rules.rule import SEVERITIES

_CELLS = 60


@dataclass(frozen=True, slots=True)
class Option:
    """A choice, the class of what it shows, and how much that is."""

    name: str
    text: str
    count: int


class OptionGroup(NamedTuple):
    """Choices under a heading of their own."""

    label: str
    options: tuple[Option, ...]


class Facet(NamedTuple):
    """A list to choose from; ``everything`` is its first choice, which hides nothing."""

    key: str
    label: str
    hides: str
    """The class of what a choice hides unless it has the chosen class too."""
    everything: str
    options: tuple[Option, ...]
    groups: tuple[OptionGroup, ...]
    names: tuple[str, ...]
    """The classes of all choices, in the order of their rules in the style sheet."""

    @property
    def is_shown(self) -> bool:
        """Whether the list is on the page: that of findings always, another where it has more than one choice."""
        return bool(self.groups) or len(self.options) > 1


class Facets:
    """What findings and cards can be chosen by, with short class names: no text of an export is part of a style."""

    def __init__(self, findings: Sequence[Finding], flows: Sequence[FlowHead], fates: Sequence[HeadlineFate]) -> None:
        rules = {finding.rule.id: finding.rule for finding in findings}
        self._rule_classes = {rule: f"r{number}" for number, rule in enumerate(sorted(rules))}
        shown = {finding.flow for finding in findings if finding.flow is not None}
        cells = Counter(flows[number].subject.cell or "" for number in shown)
        most = sorted(cells, key=lambda cell: (-cells[cell], cell))[:_CELLS]
        self._cell_classes = {cell: f"c{number}" for number, cell in enumerate(sorted(most))}
        self.all = (
            self._findings(findings),
            _fates(Counter(fates[number].group.key for number in shown)),
            self._cells(cells),
        )
        """The lists, in the order of the page."""

    def _cells(self, counts: Counter[str]) -> Facet:
        options = [
            Option(name, clipped(cell, 80) or "(no cell)", counts[cell]) for cell, name in self._cell_classes.items()
        ]
        return Facet("cell", "Cell", "card", "all cells", tuple(options), (), tuple(self._cell_classes.values()))

    def _findings(self, findings: Sequence[Finding]) -> Facet:
        rules = {finding.rule.id: finding.rule for finding in findings}
        per_rule = Counter(finding.rule.id for finding in findings)
        severities = Counter(finding.rule.severity for finding in findings)
        options: list[Option] = []
        groups: list[OptionGroup] = []
        for severity in SEVERITIES:
            if severities[severity]:
                options.append(Option(f"s-{severity[0]}", severity, severities[severity]))
                own = [
                    Option(self._rule_classes[rule], f"{rule} {rules[rule].name}", count)
                    for rule, count in sorted(per_rule.items())
                    if rules[rule].severity == severity
                ]
                groups.append(OptionGroup(f"Rules: {severity}", tuple(own)))
        everything = f"all {len(findings):,}"
        names = (*(option.name for option in options), *self._rule_classes.values())
        return Facet("what", "Findings", "f", everything, tuple(options), tuple(groups), names)

    def classes_of_finding(self, finding: Finding) -> tuple[str, str]:
        """The classes of a finding: its severity's and its rule's."""
        return f"s-{finding.rule.severity[0]}", self._rule_classes[finding.rule.id]

    def classes_of_card(self, findings: Sequence[Finding], cell: str | None, group: str | None) -> str:
        """The classes of a card, parted by blanks: those of all its findings, of its cell and of its fate's group.

        ``cell`` and ``group`` are None for a card about no flow, ``cell`` is blank for a flow without one.
        """
        names = {name for finding in findings for name in self.classes_of_finding(finding)}
        if group is not None:
            names.add(f"f-{group}")
        if cell is not None:
            names.add(self._cell_classes.get(cell, ""))
        return " ".join(sorted(names - {""}))


def _fates(counts: Counter[str]) -> Facet:
    options = [Option(f"f-{group.key}", group.label, counts[group.key]) for group in GROUPS if counts[group.key]]
    names = tuple(option.name for option in options)
    return Facet("fate", "Poison message", "card", "any fate", tuple(options), (), names)
