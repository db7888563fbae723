"""An audit as OpenMetrics text, for a node exporter's textfile collector or whatever else scrapes files.

Every number is a gauge: the next audit may find less. Findings have no label of a cell, because thousands of cells
would be thousands of series; ``fleet sql`` counts by cell.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from lintmdb.errors import LintmdbError
from lintmdb.fleet.audit_tables import batches
from lintmdb.fleet.summary import Summary, read_summary
from lintmdb.rules.rule import SEVERITIES

Labels = Mapping[str, str]


class _Family(NamedTuple):
    """A metric and its samples."""

    name: str
    help: str
    samples: Sequence[tuple[Labels, float]]
    unit: str = ""


def metrics_text(audit: Path) -> str:
    """The metrics of a complete audit. Raises LintmdbError for one that cannot be read."""
    try:
        summary = read_summary(audit)
    except (OSError, ValueError) as error:
        raise LintmdbError(
            "the summary of the audit cannot be read", path=str(audit), next_step="Run lintmdb fleet audit again"
        ) from error
    return "".join([*(line for family in _families(audit, summary) for line in _lines(family)), "# EOF\n"])


def _families(audit: Path, summary: Summary) -> Iterator[_Family]:
    exports, tool = summary["exports"], summary["tool"]
    started, finished = (datetime.fromisoformat(summary[name]).timestamp() for name in ("started", "finished"))
    yield _Family("lintmdb_fleet_tool", "The version that made the audit.", [({"version": tool["version"]}, 1)])
    yield _Family("lintmdb_fleet_audit_start_seconds", "When the audit began.", [({}, started)], "seconds")
    yield _Family("lintmdb_fleet_audit_duration_seconds", "How long it took.", [({}, finished - started)], "seconds")
    severities = [({"severity": severity}, summary["hazards"].get(severity, 0)) for severity in SEVERITIES]
    yield _Family("lintmdb_fleet_findings", "Findings that count, by severity.", severities)
    environments = list(_by_environment(audit))
    if environments:
        text = "Findings that count, by environment and severity."
        yield _Family("lintmdb_fleet_environment_findings", text, environments)
    yield _Family("lintmdb_fleet_rule_findings", "Findings that count, by rule.", list(_by_rule(audit)))
    for name, text, count in (
        ("undecided", "Checks that some export would settle.", summary["undecided"]),
        ("clear", "Checks that found nothing.", summary["clear"]),
        ("suppressed", "Findings that do not count.", summary.get("suppressed", 0)),
        ("flows", "Message flows.", summary["flows"]),
        ("endpoints", "Listener ports and activation specifications.", summary["endpoints"]),
        ("cells", "Cells that were read.", exports["cells"]),
        ("queue_managers", "Queue managers that were read.", exports["queue_managers"]),
        ("quarantined", "Files that could not be read.", exports["quarantined"]),
    ):
        yield _Family(f"lintmdb_fleet_{name}", text, [({}, count)])


def _by_rule(audit: Path) -> Iterator[tuple[Labels, float]]:
    counts: Counter[tuple[str, str]] = Counter()
    for batch in batches(audit, "findings", ["rule", "severity"]):
        counts.update(zip(batch["rule"].to_pylist(), batch["severity"].to_pylist(), strict=True))
    for (rule, severity), count in sorted(counts.items()):
        yield {"rule": rule, "severity": severity}, count


def _by_environment(audit: Path) -> Iterator[tuple[Labels, float]]:
    """The findings of each environment that an export is in; nothing where none is named."""
    names: set[str] = set()
    for batch in batches(audit, "inventory", ["environment"]):
        names |= {name for name in batch["environment"].to_pylist() if name is not None}
    counts: Counter[tuple[str, str]] = Counter()
    for batch in batches(audit, "findings", ["environment", "severity"]) if names else ():
        counts.update(zip(batch["environment"].to_pylist(), batch["severity"].to_pylist(), strict=True))
    for name in sorted(names):
        yield from (({"environment": name, "severity": word}, counts[name, word]) for word in SEVERITIES)


def _lines(family: _Family) -> Iterator[str]:
    yield f"# TYPE {family.name} gauge\n"
    if family.unit:
        yield f"# UNIT {family.name} {family.unit}\n"
    yield f"# HELP {family.name} {family.help}\n"
    for labels, value in family.samples:
        pairs = ",".join(f'{name}="{_escaped(text)}"' for name, text in labels.items())
        yield f"{family.name}{{{pairs}}} {value:.15g}\n" if pairs else f"{family.name} {value:.15g}\n"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
