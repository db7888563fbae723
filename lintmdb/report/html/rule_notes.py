"""The text of each rule on a page, once: an id opens it, and on paper it stands at the end."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from lintmdb.engine.findings import Finding

_PARAGRAPH = "\n\n"


class RuleNote(NamedTuple):
    """What a rule looks for, and why."""

    id: str
    name: str
    title: str
    severity: str
    paragraphs: tuple[str, ...]
    exceptions: str


def rule_notes(findings: Iterable[Finding]) -> list[RuleNote]:
    """The rules of some findings, by id."""
    rules = {finding.rule.id: finding.rule for finding in findings}
    return [
        RuleNote(
            rule.id,
            rule.name,
            rule.title,
            rule.severity,
            tuple(part.replace("\n", " ") for part in rule.why.strip().split(_PARAGRAPH)),
            rule.exceptions.strip().replace("\n", " "),
        )
        for _, rule in sorted(rules.items())
    ]
