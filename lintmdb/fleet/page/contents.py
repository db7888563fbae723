"""All that the report of an audit shows, read from the audit's tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, TypedDict

from lintmdb.fleet.audit_queries import query_table
from lintmdb.fleet.audit_tables import read_records
from lintmdb.fleet.known_rules import read_known_rules
from lintmdb.fleet.page.causes import Causes, read_causes
from lintmdb.fleet.page.filters import Filters, read_filters
from lintmdb.fleet.page.flows import WorstFlows, read_worst_flows
from lintmdb.fleet.page.heat_map import HeatMap, read_heat_map
from lintmdb.fleet.page.missing import (
    ExportCount,
    OpenNeeds,
    Quarantine,
    count_incomplete_exports,
    read_open_needs,
    read_quarantine,
)
from lintmdb.fleet.page.notices import NoticeGroup, read_notices
from lintmdb.fleet.page.summary import AuditSummary, read_summary
from lintmdb.fleet.page.trend import Trend, read_trend
from lintmdb.fleet.page.waves import Waves, read_waves
from lintmdb.rules.rule import SEVERITIES


class Share(NamedTuple):
    """A part of a bar, in percent of its width."""

    severity: str
    start: float
    width: float


@dataclass(frozen=True, slots=True)
class AuditContents:
    """The sections of a report."""

    summary: AuditSummary
    hazards: Mapping[str, int]
    """Findings by severity, gravest first."""
    filters: Filters
    heat_map: HeatMap
    causes: Causes
    flows: WorstFlows
    needs: OpenNeeds
    incomplete_exports: tuple[ExportCount, ...]
    quarantine: Quarantine
    trend: Trend | None
    """None for the first audit."""
    waves: Waves | None
    """None where no plan was asked for."""
    notices: tuple[NoticeGroup, ...]

    @property
    def findings(self) -> int:
        """How many findings there are in all."""
        return sum(self.hazards.values())

    @property
    def shares(self) -> tuple[Share, ...]:
        """The shares of the severities in all findings; none without a finding."""
        shares: list[Share] = []
        start = 0.0
        for severity, count in self.hazards.items() if self.findings else ():
            shares.append(Share(severity, start, 100 * count / self.findings))
            start += shares[-1].width
        return tuple(shares)


class _SeverityRow(TypedDict):
    severity: str
    findings: int


def read_contents(audit: Path) -> AuditContents:
    """The contents of a report. Raises LintmdbError for a folder that holds no audit, or one that cannot be read."""
    summary = read_summary(audit)
    rules = read_known_rules(audit)
    heat_map, flows = read_heat_map(audit, rules), read_worst_flows(audit, rules)
    return AuditContents(
        summary=summary,
        filters=read_filters(audit, heat_map, flows),
        heat_map=heat_map,
        causes=read_causes(audit, rules),
        flows=flows,
        needs=read_open_needs(audit),
        quarantine=read_quarantine(audit),
        hazards=_count_hazards(audit),
        trend=read_trend(audit),
        waves=read_waves(audit),
        notices=read_notices(audit),
        incomplete_exports=count_incomplete_exports(audit),
    )


def _count_hazards(audit: Path) -> dict[str, int]:
    found = query_table(audit, "findings", "SELECT severity, COUNT(*) AS findings FROM rows GROUP BY severity")
    counts = {row["severity"]: row["findings"] for row in read_records(found, _SeverityRow)}
    return {severity: counts.get(severity, 0) for severity in SEVERITIES}
