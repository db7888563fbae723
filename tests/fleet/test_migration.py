"""Two audits, a cell in the first and its application on Liberty in the second: the fleet says what ``diff`` says."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.support.command import Run
from tests.support.scenario import RULES
from tests.support.scenario_folders import scenario_folder
from tests.support.spark import no_fleet

if REASON := no_fleet():
    pytest.skip(REASON, allow_module_level=True)

from lintmdb.fleet.audit import Request, run_audit
from lintmdb.fleet.difference import Difference, compare_audits
from lintmdb.fleet.migration import bean_of
from lintmdb.resolve.observations import Observations

_OBSERVED = Observations(15_000)
_DROPIN = "configDropins/overrides/sessions.xml"


def _compared(lintmdb: Run, folder: Path, before: str, properties: str) -> tuple[Difference, dict[str, Any]]:
    shutil.copytree(scenario_folder(before), folder / "before")
    shutil.copytree(scenario_folder("liberty-clean"), folder / "after")
    file = next(folder.glob(f"after/**/{_DROPIN}"))
    file.write_text(file.read_text().replace('maxPoolDepth="1"', properties))
    for name in ("before", "after"):
        (folder / name / "expected.yaml").unlink(missing_ok=True)
    audits = [
        run_audit(None, Request([str(folder / name)], folder / f"out-{name}", RULES, _OBSERVED)).folder
        for name in ("before", "after")
    ]
    result = lintmdb("diff", "before", "after", "--on-message", "15s", "--format", "json", cwd=folder)
    return compare_audits(audits[0], audits[1]), json.loads(result.stdout)


@pytest.mark.parametrize(
    ("before", "properties", "is_told"),
    [
        ("stop-5-bothresh-1", 'maxSequentialDeliveryFailures="0" maxPoolDepth="1"', True),
        ("clean", 'maxSequentialDeliveryFailures="2" maxPoolDepth="1"', True),
        ("stop-5-bothresh-1", 'maxPoolDepth="1"', False),
        ("backout-inert", 'maxPoolDepth="1"', False),
    ],
)
def test_the_fleet_says_what_diff_says(
    lintmdb: Run, before: str, properties: str, is_told: bool, tmp_path: Path
) -> None:
    """New findings, resolved ones, and those that the bean still has. Where the newer audit has no finding about a
    flow, it does not tell of the flow either, so that findings still wait for the cell.
    """
    difference, document = _compared(lintmdb, tmp_path, before, properties)
    assert [pair["before"]["cell"] for pair in document["flows"]["migrated"]] == ["C1"]
    assert sorted(row["rule"] for row in difference.added) == sorted(entry["rule"] for entry in document["new"])
    resolved = [row["rule"] for row in difference.resolved]
    waiting = [entry.finding["rule"] for entry in difference.unseen if "an export of cell" in entry.needs]
    assert sorted(resolved + waiting) == sorted(entry["rule"] for entry in document["resolved"])
    assert (not waiting) is is_told


def test_only_a_headline_with_all_parts_tells_a_bean() -> None:
    """The suffix of a module does not count, as Liberty leaves it out."""
    assert bean_of("Q at QM1 -> A (activation specification, n/s) -> OrderBean (Orders/orders.jar)") == (
        "Orders",
        "orders",
        "OrderBean",
    )
    for headline in (None, "Q at QM1", "Q -> A (activation specification, s) -> OrderBean", "a -> b -> c -> d (e/f)"):
        assert bean_of(headline) is None
