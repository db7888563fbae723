"""Queue managers of a queue-sharing group: the fleet says of them what ``check`` says."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from tests.laws.laws import seeds
from tests.support.scenario import RULES
from tests.support.scenario_folders import scenario_folder
from tests.support.sharing_groups import Group, draw_group
from tests.support.spark import no_fleet

if REASON := no_fleet():
    pytest.skip(REASON, allow_module_level=True)

from lintmdb.fleet import audit as auditing
from lintmdb.fleet.audit import Audit, Request, run_audit
from lintmdb.fleet.facts.collect import collect
from lintmdb.fleet.facts.store import Store
from lintmdb.fleet.facts.unit_reader import UnitReader
from lintmdb.fleet.facts.units import list_units
from lintmdb.fleet.facts.workers import LocalWorkers
from lintmdb.fleet.planning.batches import make_batches, read_names
from lintmdb.resolve.observations import Observations
from lintmdb.run.environments import build_environments
from lintmdb.run.estate import read_estate
from lintmdb.run.reading_notices import reading_notices
from tests.support.fleet_estate import assert_same, table, told_by_audit, told_of


class _Fleet:
    """Exports of groups in two environments, and incremental audits of them."""

    def __init__(self, folder: Path) -> None:
        self.exports, self._out = folder / "in", folder / "out"
        self.environments = build_environments([("prod", str(self.exports / "prod"))])

    def audit(self) -> Audit:
        """An audit that has said what ``check`` says."""
        request = Request(
            [str(self.exports)],
            self._out,
            RULES,
            incremental=True,
            environments=self.environments,
            differing=True,
            all_queues=True,
        )
        audit = run_audit(None, request)
        facts = read_estate([self.exports], Observations(), environments=self.environments).facts
        assert_same(told_by_audit(audit.folder), told_of(facts, all_queues=True))
        told = [(notice.kind, notice.path, notice.text) for notice in reading_notices(facts.rows["problem"])]
        kept = [(row["kind"], row["path"], row["text"]) for row in table(audit.folder, "notices")]
        assert sorted(kept) == sorted(told)
        return audit


def _leave(*_: object) -> None:
    """Write nothing."""


@pytest.mark.parametrize("seed", seeds(2))
def test_the_fleet_says_what_check_says(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """At first; after a shared queue has changed at one member alone; with a second export of a member; and without a
    member.
    """
    for name in ("write_history", "count_new", "_report"):
        monkeypatch.setattr(auditing, name, _leave)
    fleet = _Fleet(tmp_path)
    group = draw_group(seed)
    group.write(fleet.exports)
    replace(draw_group(seed + 1), leaving_out=["CSQ1"]).write(fleet.exports / "prod")
    fleet.audit()

    one, *_, last = group.members
    group.shared["NEW.IN"] = {"BOTHRESH": "3", "BOQNAME": "NEW.BO"}
    group.private[one, "NEW.BO"] = {}
    Group([last], group.shared, group.private).write(fleet.exports)
    audit = fleet.audit()
    assert audit.summary["incremental"]["read"] == 1
    assert "shared_object_differs" in {row["kind"] for row in table(audit.folder, "notices")}

    Group([one], group.shared, group.private).write(fleet.exports)
    (fleet.exports / "more").mkdir()
    (fleet.exports / "more" / f"{last}.mqsc").write_text(f"* Queue manager name: {last}\nDEFINE QLOCAL('NEW.BO')\n")
    fleet.audit()

    for file in fleet.exports.rglob(f"{one}.mqsc"):
        file.unlink()
    fleet.audit()
    assert fleet.audit().summary["incremental"]["read"] == 0


def test_the_members_of_a_group_are_planned_together(tmp_path: Path) -> None:
    """One with endpoints, and one without any."""
    Group(["QM1", "QM9"]).write(tmp_path / "in")
    shutil.copytree(scenario_folder("clean") / "was", tmp_path / "in" / "was")
    units = list_units([str(tmp_path / "in")]).units
    store = Store(tmp_path / "out")
    with store.locked():
        collected = collect(LocalWorkers(), store, units, UnitReader(), incremental=False)
    (batch,) = make_batches(units, read_names(store, collected))
    assert {Path(unit.path).name for unit in batch} >= {"QM1.mqsc", "QM9.mqsc"}
