"""The flows without a finding of their own, the worst fate first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from lintmdb.engine.findings import Judgement
from lintmdb.report.headline_fates import HeadlineFate
from lintmdb.report.html.visible_text import clipped
from lintmdb.report.subjects import flow_stops

_SHOWN = 1000


class OtherFlow(NamedTuple):
    """A flow and what becomes of a poison message on it."""

    headline: str
    fate: str
    is_bad: bool


@dataclass(frozen=True, slots=True)
class OtherFlows:
    """The first of them, and how many there are in all."""

    shown: tuple[OtherFlow, ...]
    count: int


def build_other_flows(judgement: Judgement, fates: Sequence[HeadlineFate]) -> OtherFlows:
    """The flows of a judgement that have no card; ``fates`` has one entry a flow."""
    with_findings = {finding.flow for finding in judgement.findings}
    others = [number for number in range(len(judgement.flows)) if number not in with_findings]
    others.sort(key=lambda number: (fates[number].rank, number))
    shown = [
        OtherFlow(
            clipped(" → ".join(flow_stops(judgement.flows[number])), 400),
            fates[number].words,
            fates[number].group.bad,
        )
        for number in others[:_SHOWN]
    ]
    return OtherFlows(tuple(shown), len(others))
