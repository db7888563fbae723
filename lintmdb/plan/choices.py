"""What may be done about a finding, and which changes could act on it at all."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeAlias

from lintmdb.compare.identity import Key, identify_loosely
from lintmdb.engine.findings import Finding
from lintmdb.engine.flow_rows import COMPUTED, FlowRows
from lintmdb.engine.repairs import find_alternatives, find_owner_choices, is_left_to_owners
from lintmdb.model.relations import ALIASES, CELL_RELATIONS
from lintmdb.plan.exported_values import with_exported_values
from lintmdb.plan.policy import ASSUMED, Policy
from lintmdb.plan.things import Thing, changed_things, things
from lintmdb.settings.changes import Change

Changes: TypeAlias = tuple[Change, ...]
FindingKey: TypeAlias = tuple[str, tuple[str, ...]]
"""The rule and the identity of the subject."""


class Choice(NamedTuple):
    """A finding that an allowed repair ends."""

    finding: Finding
    alternatives: Sequence[tuple[int, Changes]]
    """What ends it, each with its place among all repairs of the rule: 0 is the preferred one. ``ASSUMED`` is added for
    what only the owners can choose."""
    things: frozenset[Thing]
    """The objects of its flow."""
    keys: frozenset[FindingKey]
    """What the finding was called before any change: that of a member may have been that of its cluster, and that of a
    cluster those of its members."""

    @property
    def key(self) -> FindingKey:
        """What the finding is called."""
        return finding_key(self.finding)

    def may_end_by(self, changes: Iterable[Change]) -> bool:
        """Whether changes could end the finding: they are made to an object of its flow, of a product that the rule
        reads. A rule about all readers of a queue or a channel may be about any endpoint.
        """
        products, about_readers = _reads(self.finding.rule.columns)
        return any(
            change.target.product in products
            and (
                not self.things.isdisjoint(changed_things(change)) or (about_readers and change.target.product == "was")
            )
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


def finding_key(finding: Finding) -> FindingKey:
    """What a finding is called: its rule, and the identity of its subject."""
    return finding.rule.id, finding.subject.identity()


class Names:
    """What findings were called before any change."""

    def __init__(self, findings: Iterable[Finding] = ()) -> None:
        self._known: set[FindingKey] = set()
        self._loose: dict[tuple[bool, Key], set[FindingKey]] = {}
        for finding in findings:
            self._known.add(finding_key(finding))
            if finding.subject.cluster is not None:
                place = finding.subject.is_member, _loose_key(finding)
                self._loose.setdefault(place, set()).add(finding_key(finding))

    def of(self, finding: Finding) -> frozenset[FindingKey]:
        """The name that a finding had, or the names; its own where it is new."""
        key = finding_key(finding)
        if key in self._known or finding.subject.cluster is None:
            return frozenset((key,))
        return frozenset(self._loose.get((not finding.subject.is_member, _loose_key(finding)), (key,)))


def _loose_key(finding: Finding) -> Key:
    return (finding.rule.id, *identify_loosely(finding.subject))


def find_choices(
    findings: Iterable[Finding],
    policy: Policy,
    names: Names = Names(),  # noqa: B008
    made: Changes = (),
) -> list[Choice]:
    """The findings of the wanted severity that an allowed repair ends; ``names`` are those of what was found before,
    and ``made`` the changes with which these findings came up.
    """
    choices: list[Choice] = []
    for finding in findings:
        if not policy.repairs(finding) or is_left_to_owners(finding.rule, finding.rows):
            continue
        found = find_alternatives(finding.rule, finding.rows)
        assumed = {choice.changes for choice in find_owner_choices(finding.rule, finding.rows)}
        allowed = [
            (place + ASSUMED * (changes in assumed), with_exported_values(changes, made))
            for place, changes in enumerate(found)
            if policy.allows(changes)
        ]
        if allowed:
            rows = finding.rows
            own = frozenset(things(rows)) if isinstance(rows, FlowRows) else frozenset[Thing]()
            choices.append(Choice(finding, allowed, own, names.of(finding)))
    return choices
