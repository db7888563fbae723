"""Some flows of a judged run, as a run of their own: for a report that has room for a few."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from lintmdb.engine.findings import Finding, Judgement
from lintmdb.report.flow_repairs import Repairs
from lintmdb.report.headline_fates import headline_fates
from lintmdb.rules.rule import severity_rank


def worst_flows(judgement: Judgement, most: int) -> list[int]:
    """The numbers of at most so many flows that have findings, the worst first, as the page orders its cards."""
    findings: dict[int, list[Finding]] = {}
    for finding in judgement.findings:
        if finding.flow is not None:
            findings.setdefault(finding.flow, []).append(finding)
    numbers = list(findings)
    fates = dict(zip(numbers, headline_fates([judgement.flows[number] for number in numbers]), strict=True))

    def rank(number: int) -> tuple[int, int, int, int]:
        worst = min(severity_rank(finding.rule.severity) for finding in findings[number])
        return worst, fates[number].rank, -len(findings[number]), number

    return sorted(numbers, key=rank)[:most]


def excerpt(judgement: Judgement, repairs: Repairs, flows: Iterable[int]) -> tuple[Judgement, Repairs]:
    """The verdicts on some flows, and what repairs them; findings about no flow are left out."""
    place = {number: index for index, number in enumerate(sorted(flows))}
    part = replace(
        judgement,
        findings=[replace(f, flow=place[f.flow]) for f in judgement.findings if f.flow in place],
        undecided=[replace(u, flow=place[u.flow]) for u in judgement.undecided if u.flow in place],
        flows=[judgement.flows[number] for number in place],
        unread=[],
        suppressed=[],
        notices=[],
    )
    repaired = {place[number]: repair for number, repair in repairs.flows.items() if number in place}
    return part, Repairs(repaired, repairs.planned)
