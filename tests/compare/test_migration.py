"""diff between a cell and a Liberty server: which flows change their fate when an application moves."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.support.command import Run
from tests.support.scenario_folders import scenario_folder

DROPIN = "liberty/servers/orders/configDropins/overrides/sessions.xml"


def moved(lintmdb: Run, folder: Path, before: str, *properties: str) -> dict[str, Any]:
    """The diff of a scenario and of the same application on Liberty, with more properties of its specification."""
    shutil.copytree(scenario_folder(before), folder / "before")
    shutil.copytree(scenario_folder("liberty-clean"), folder / "after")
    file = folder / "after" / DROPIN
    file.write_text(file.read_text().replace('maxPoolDepth="1"', " ".join(properties or ('maxPoolDepth="1"',))))
    result = lintmdb("diff", "before", "after", "--on-message", "15s", "--format", "json", cwd=folder)
    assert "Traceback" not in result.stderr
    document: dict[str, Any] = json.loads(result.stdout)
    return document


def test_the_flow_of_a_bean_goes_on_at_the_other_kind_of_server(lintmdb: Run, tmp_path: Path) -> None:
    """Equal settings have equal fates, and the flow is neither new nor gone."""
    document = moved(lintmdb, tmp_path, "clean")
    (pair,) = document["flows"].pop("migrated")
    assert (pair["before"]["cell"], pair["after"]["cell"]) == ("C1", "liberty:orders")
    assert pair["before"]["bean"] == pair["after"]["bean"] == "OrderBean"
    assert document["flows"] == {"added": [], "removed": [], "rerouted": [], "merged": [], "split": [], "unseen": []}
    assert (document["fates"], document["new"]) == ([], [])


@pytest.mark.parametrize(("failures", "stops"), [("2", True), ("3", False)])
def test_the_same_limit_pauses_liberty_one_failure_later(
    lintmdb: Run, tmp_path: Path, failures: str, stops: bool
) -> None:
    """BOTHRESH is 3: traditional stops at a limit of 3, Liberty only at one of 2."""
    document = moved(lintmdb, tmp_path, "clean", f'maxSequentialDeliveryFailures="{failures}" maxPoolDepth="1"')
    poison = [entry["after"] for entry in document["fates"] if entry["workload"] == "one poison message"]
    assert poison == (["the endpoint stops"] if stops else [])
    assert ("MDB321" in [entry["rule"] for entry in document["new"]]) is stops


def test_a_finding_of_the_cell_alone_is_resolved(lintmdb: Run, tmp_path: Path) -> None:
    """What the flow does not have on Liberty any more does not wait for the export of the cell that it left."""
    document = moved(lintmdb, tmp_path, "stop-5-bothresh-1")
    assert {entry["before"] for entry in document["undecided"]} <= {None, "clear"}
    assert not [entry for entry in document["undecided"] if "an export of cell" in entry["needs"]]
