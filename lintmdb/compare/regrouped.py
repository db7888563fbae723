"""Clusters whose members have become alike, so that their flows are judged as one, or that differ now, so that there is
a flow for each. Findings of members are counted one by one, and those of the cluster once.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from lintmdb.compare.matching import match_flows
from lintmdb.engine.findings import FlowHead, Subject


class Regrouped(NamedTuple):
    """The flows of clusters that are judged in another way."""

    merged: tuple[FlowHead, ...] = ()
    """Those of the later state whose members differed before."""
    split: tuple[FlowHead, ...] = ()
    """Those of the earlier state whose members differ now."""


def find_regrouped(before: Iterable[FlowHead], after: Iterable[FlowHead]) -> Regrouped:
    """The flows of which members have become alike, and those of which they differ now."""
    merged: dict[Subject, FlowHead] = {}
    split: dict[Subject, FlowHead] = {}
    for pair in match_flows(before, after, lambda head: head.subject).pairs:
        now = pair.after.subject
        for head in pair.before:
            if head.subject.is_member and not now.is_member:
                merged[now] = pair.after
            elif now.is_member and not head.subject.is_member:
                split[head.subject] = head
    return Regrouped(tuple(merged.values()), tuple(split.values()))
