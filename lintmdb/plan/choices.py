"""What may be done about a finding, and which changes could act on it at all."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeAlias

from lintmdb.engine.findings import Finding
from lintmdb.engine.flow_rows import COMPUTED, FlowRows
from lintmdb.engine.repairs import find_alternatives
from lintmdb.model.relations import ALIASES, CELL_RELATIONS
from lintmdb.plan.policy import Policy
from lintmdb.plan.things import Thing, changed_thing, things
from lintmdb.settings.changes import Change

Changes: TypeAlias = tuple[Change, ...]
FindingKey: TypeAlias = tuple[str, tuple[str, ...]]
"""The rule and the identity of the subject."""


class Choice(NamedTuple):
    """A finding that an allowed repair ends."""

    finding: Finding
    alternatives: Sequence[tuple[int, Changes]]
    """What ends it, each with its place among all repairs of the rule: 0 is the preferred one."""
    things: frozenset[Thing]
    """The objects of its flow."""

    @property
    def key(self) -> FindingKey:
        """What the finding is called in every state."""
        return self.finding.rule.id, self.finding.subject.identity()

    def may_end_by(self, changes: Iterable[Change]) -> bool:
        """Whether changes could end the finding: they are made to an object of its flow, of a product that the rule
        reads. A rule about all readers of a queue or a channel may be about any endpoint.
        """
        products, about_readers = _reads(self.finding.rule.columns)
        return any(
            change.target.product in products
            and (changed_thing(change) in self.things or (about_readers and change.target.product == "was"))
            for change in changes
        )


@functools.cache
def _reads(columns: tuple[str, ...]) -> tuple[frozenset[str], bool]:
    """The products whose values decide a rule that reads some columns, and whether it counts other flows, too."""
    products: set[str] = set()
    about_readers = False
    for name in columns:
        alias, _, column = name.partition(".")
        if alias == "endpoint" and column in COMPUTED:
            return frozenset(("mq", "was")), True
        relation = ALIASES[alias].relation
        products.add("was" if relation in CELL_RELATIONS else "mq")
        if relation == "consumers":
            products.add("was")
            about_readers = True
    return frozenset(products), about_readers


def find_choices(findings: Iterable[Finding], policy: Policy) -> list[Choice]:
    """The findings of the wanted severity that an allowed repair ends."""
    choices: list[Choice] = []
    for finding in findings:
        if not policy.wants_gone(finding.rule.severity):
            continue
        found = find_alternatives(finding.rule, finding.rows)
        allowed = [(place, changes) for place, changes in enumerate(found) if policy.allows(changes)]
        if allowed:
            rows = finding.rows
            own = frozenset(things(rows)) if isinstance(rows, FlowRows) else frozenset[Thing]()
            choices.append(Choice(finding, allowed, own))
    return choices
