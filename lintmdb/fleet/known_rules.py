"""What the report says about rules: from the findings themselves, and from the built-in rules where those say less."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from lintmdb.fleet.audit_tables import batches, counted, rolled_up, rows
from lintmdb.rules.loading import load_rules
from lintmdb.rules.rule import SEVERITIES


@dataclass(frozen=True, slots=True)
class RuleHead:
    """What a reader sees of a rule."""

    id: str
    name: str
    title: str
    severity: str
    hazard_columns: tuple[str, ...] = ()
    """The columns that its hazard reads; empty for a rule that is not built in."""

    @property
    def letter(self) -> str:
        """The style of its severity: e, w or i."""
        return self.severity[:1] if self.severity in SEVERITIES else "i"


def known_rules(audit: Path) -> Mapping[str, RuleHead]:
    """Every rule of the findings and every built-in rule, by id. A user's rule has its name as title."""
    heads = {
        rule.id: RuleHead(rule.id, rule.name, rule.title, rule.severity, rule.hazard.columns) for rule in load_rules()
    }
    found = rolled_up(map(counted, batches(audit, "findings", ["rule", "name", "severity"])), _KEYS, {"rows": "sum"})
    for row in sorted(rows(found), key=lambda row: tuple(str(row[key]) for key in _KEYS)):
        rule, name, severity = (str(row[key] or "") for key in _KEYS)
        built_in = heads.get(rule)
        if built_in is None or built_in.name != name:
            heads[rule] = RuleHead(rule, name, name.replace("-", " ").capitalize(), severity)
        elif built_in.severity != severity:
            heads[rule] = RuleHead(rule, name, built_in.title, severity, built_in.hazard_columns)
    return heads


_KEYS = ("rule", "name", "severity")


def head_of(rule: str, heads: Mapping[str, RuleHead]) -> RuleHead:
    """The head of a rule, also of one that has only undecided verdicts and is not built in."""
    return heads.get(rule) or RuleHead(rule, rule, rule, "info")
