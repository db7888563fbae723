"""Exports told in every way, and what ``check`` says of them: what audits of a fleet are held against."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from lintmdb.fleet.audit import Request
from lintmdb.fleet.judging.notices import COLUMNS
from lintmdb.resolve.observations import Observations
from lintmdb.run.environments import Environments, build_environments
from lintmdb.run.estate import Estate, read_estate
from lintmdb.run.reading_notices import reading_notices
from tests.laws.laws import OBSERVED as OBSERVED_IN_ESTATES
from tests.laws.laws import write_estates
from tests.support.fleet_estate import OBSERVED as OBSERVED_IN_VARIANTS
from tests.support.fleet_estate import assert_same, table, told_by_audit, told_of, write_variants
from tests.support.random_estates.draw import Draw
from tests.support.random_estates.estates import build_estate
from tests.support.random_estates.omissions import leave_out
from tests.support.scenario import RULES

OBSERVED = Observations(15_000, beans={**OBSERVED_IN_VARIANTS.beans, **OBSERVED_IN_ESTATES.beans})
ESTATES = "estates"
"""The folder of the random estates among the exports."""


def write_exports(exports: Path, names: Iterable[str], seeds: range) -> None:
    """Some scenarios under many names, and the random estates of some seeds."""
    write_variants(exports, names)
    write_estates(exports / ESTATES, seeds)
    for seed in seeds[::10]:  # the same cells and queue managers in another environment
        leave_out(Draw(f"prod {seed}"), build_estate(seed))[1].write(exports / "prod")


def request_of(exports: Path, out: Path, *, incremental: bool = False) -> Request:
    """An audit of all of them by all rules, and of queues without an endpoint."""
    return Request(
        [str(exports)],
        out,
        RULES,
        OBSERVED,
        incremental=incremental,
        environments=environments_of(exports),
        differing=True,
        all_queues=True,
    )


def environments_of(exports: Path) -> Environments:
    """The environments they are in."""
    return build_environments([("prod", str(exports / "prod"))])


def estate_of(exports: Path) -> Estate:
    """What ``check`` reads."""
    return read_estate([exports], OBSERVED, environments=environments_of(exports))


def assert_same_tables(audit: Path, estate: Estate) -> None:
    """Findings, undecided verdicts and clear ones, what could not be read, and what was."""
    assert_same(told_by_audit(audit), told_of(estate.facts, all_queues=True))
    problems = [row for row in estate.facts.rows["problem"] if row.kind == "unreadable"]
    quarantine = [(row["path"], row["reason"], row["line"], row["column"]) for row in table(audit, "quarantine")]
    assert sorted(quarantine) == sorted((p.path, p.text, p.line, p.column) for p in problems)
    notices = [tuple(row[name] for name in COLUMNS) for row in table(audit, "notices")]
    told = [tuple(getattr(n, name) for name in COLUMNS) for n in reading_notices(estate.facts.rows["problem"])]
    assert sorted(notices) == sorted(told)
    names = ("path", "kind", "name", "environment", "complete", "level")
    exports = [tuple(row[name] for name in names) for row in inventory(audit)]
    told = [tuple(getattr(row, name) for name in names) for row in estate.facts.rows["export"]]
    assert Counter(exports) == Counter(told)


def inventory(audit: Path) -> list[dict[str, Any]]:
    """The rows of the table of exports."""
    return table(audit, "inventory")
