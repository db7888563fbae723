"""The rules that the report of an audit mentions, as its findings and the built-in rules describe them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

from lintmdb.fleet.audit_queries import query_table
from lintmdb.fleet.audit_tables import read_records
from lintmdb.rules.loading import load_rules
from lintmdb.rules.rule import SEVERITIES


@dataclass(frozen=True, slots=True)
class RuleHead:
    """What a reader sees of a rule."""

    id: str
    name: str
    title: str
    severity: str

    @property
    def letter(self) -> str:
        """The CSS class of its severity: e, w or i."""
        return self.severity[:1] if self.severity in SEVERITIES else "i"


@dataclass(frozen=True, slots=True)
class KnownRules:
    """The heads of rules by id."""

    heads: Mapping[str, RuleHead]

    def head(self, rule: str) -> RuleHead:
        """The head of a rule. One that is not built in and has only undecided verdicts is known by its id alone."""
        return self.heads.get(rule) or RuleHead(rule, rule, rule, "info")


class _FoundRule(TypedDict):
    rule: str | None
    name: str | None
    severity: str | None


def read_known_rules(audit: Path) -> KnownRules:
    """Every rule of the findings and every built-in rule. A user's rule has its name as title."""
    heads = {rule.id: RuleHead(rule.id, rule.name, rule.title, rule.severity) for rule in load_rules()}
    found = query_table(audit, "findings", "SELECT DISTINCT rule, name, severity FROM rows")
    for row in sorted(read_records(found, _FoundRule), key=lambda row: tuple(map(str, row.values()))):
        rule, name, severity = row["rule"] or "", row["name"] or "", row["severity"] or ""
        built_in = heads.get(rule)
        if built_in is None or built_in.name != name:
            heads[rule] = RuleHead(rule, name, name.replace("-", " ").capitalize(), severity)
        elif built_in.severity != severity:
            heads[rule] = RuleHead(rule, name, built_in.title, severity)
    return KnownRules(heads)
