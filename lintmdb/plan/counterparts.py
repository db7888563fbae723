"""Counterparts: which findings and flows of a changed estate are those of the estate as it is, by the identity that
``diff`` goes by. Changes make members of a cluster unequal or equal: what was found of the cluster is then found of
each member, or the other way round.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from lintmdb.compare import matching
from lintmdb.compare.identity import Key, identify_loosely
from lintmdb.engine.findings import Finding, FlowHead, Judgement, Subject, Undecided
from lintmdb.rules.verdicts import Verdict

Matched: TypeAlias = matching.State[Finding, Undecided]
"""The verdicts of a judgement, as ``diff`` matches them."""


def match_verdicts(judgement: Judgement) -> Matched:
    """The verdicts of a judgement for matching."""
    clear = int(Verdict.CLEAR)
    undecided = [
        matching.Record(entry.rule.id, entry.rule.severity, entry.subject, entry.subject.identity(), entry)
        for entry in judgement.undecided
    ]
    members_without = {
        (rule.id, *identify_loosely(subject))
        for subject, rules, verdicts in judgement.judged
        if subject.is_member
        for rule, verdict in zip(rules, verdicts, strict=True)
        if verdict == clear
    }
    return matching.State(map(record, judgement.findings), undecided, members_without=members_without)


def record(finding: Finding) -> matching.Record[Finding]:
    """A finding for matching."""
    rule, subject = finding.rule, finding.subject
    return matching.Record(rule.id, rule.severity, subject, subject.identity(), finding)


def decided_loosely(judgement: Judgement) -> frozenset[Key]:
    """Rule and subject of the hazards and of what is clear of clusters and their members, without the member."""
    undecided = int(Verdict.UNDECIDED)
    return frozenset(
        (rule.id, *identify_loosely(subject))
        for subject, rules, verdicts in judgement.judged
        if subject.cluster is not None
        for rule, verdict in zip(rules, verdicts, strict=True)
        if verdict and verdict != undecided
    )


class FlowPair(NamedTuple):
    """A flow of the changed estate, and those of the estate as it is that it goes on with."""

    after: FlowHead
    before: Sequence[FlowHead]


def pair_flows(before: Sequence[FlowHead], after: Iterable[FlowHead]) -> Iterator[FlowPair]:
    """The flows of two states, each of the later one with its own former self, or with those that ``diff`` gives it."""
    known = {head.subject.identity(): head for head in before}
    others: list[FlowHead] = []
    for head in after:
        same = known.get(head.subject.identity())
        if same is None:
            others.append(head)
        else:
            yield FlowPair(head, (same,))
    if others:
        for pair in matching.match_flows(before, others, _subject).pairs:
            yield FlowPair(pair.after, pair.before)


def _subject(head: FlowHead) -> Subject:
    return head.subject


def later_flows(before: Sequence[FlowHead], after: Iterable[FlowHead]) -> Mapping[Key, Sequence[FlowHead]]:
    """What the flows of the earlier state are in the later one, by their identities: several where the members of a
    cluster differ now.
    """
    later: dict[Key, list[FlowHead]] = {}
    for pair in pair_flows(before, after):
        for head in pair.before:
            later.setdefault(head.subject.identity(), []).append(pair.after)
    return later
