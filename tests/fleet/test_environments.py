"""Environments in a fleet: nothing joins across them, however the audit came about, and every table knows them."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from lintmdb.cli.fleet import lacking
from lintmdb.errors import LintmdbError
from lintmdb.fleet.audit import Audit, Request, run_audit
from lintmdb.fleet.difference import compare_audits
from lintmdb.fleet.history_report import history_json, read_history
from lintmdb.fleet.metrics import metrics_text
from lintmdb.resolve.observations import Observations
from lintmdb.run.environments import Environments, build_environments
from lintmdb.run.estate import read_estate
from lintmdb.run.gate import Gate
from lintmdb.run.reading_notices import reading_notices
from tests.laws.laws import write_estates
from tests.support.fleet_estate import Told, assert_same, assert_same_files, table, told_by_audit, told_of
from tests.support.project import FIXTURES
from tests.support.random_estates.draw import Draw
from tests.support.random_estates.estates import build_estate
from tests.support.random_estates.omissions import leave_out
from tests.support.scenario import RULES

OBSERVED = Observations(15_000)
FEW = [rule for rule in RULES if rule.id in ("MDB101", "MDB104", "MDB121", "MDB302", "MDB304", "MDB606", "MDB904")]


def _write(exports: Path, seeds: range) -> None:
    """The same cells and queue managers in dev and prod, where prod lacks something of each estate."""
    for seed in seeds:
        estate = build_estate(seed)
        estate.write(exports / "dev")
        leave_out(Draw(f"environment {seed}"), estate)[1].write(exports / "prod")


def _environments(exports: Path, **named: str) -> Environments:
    return build_environments((name, str(exports / folder)) for name, folder in named.items())


def _audit(inputs: list[Path], out: Path, environments: Environments, **more: bool) -> Audit:
    request = Request([str(path) for path in inputs], out, FEW, OBSERVED, environments=environments)
    return run_audit(None, replace(request, **more))


def _rows(told: Told) -> Counter[str]:
    return Counter(json.dumps(row, sort_keys=True) for row in (*told.findings, *told.undecided))


def test_a_fleet_of_two_environments_is_each_of_them_alone(tmp_path: Path) -> None:
    """Every verdict on both is one on either by itself, and what check says."""
    exports = tmp_path / "exports"
    _write(exports, range(3))
    environments = _environments(exports, dev="dev", prod="prod")
    together = _audit([exports], tmp_path / "both", environments, all_queues=True)
    estate = read_estate([exports], OBSERVED, environments=environments)
    told = told_by_audit(together.folder)
    assert_same(told, told_of(estate.facts, FEW, all_queues=True))
    dev, prod = (
        told_by_audit(_audit([exports / name], tmp_path / name, environments, all_queues=True).folder)
        for name in ("dev", "prod")
    )
    assert _rows(told) == _rows(dev) + _rows(prod)
    assert told.clear == Counter(dev.clear) + Counter(prod.clear)
    for name in ("findings", "undecided", "inventory", "summary"):
        assert {row["environment"] for row in table(together.folder, name)} == {"dev", "prod"}, name


def test_only_exports_that_change_their_environment_are_read_again(tmp_path: Path) -> None:
    """Named otherwise, moved, or named at all: an incremental audit leaves the tables of a full one."""
    exports = tmp_path / "exports"
    _write(exports, range(2))
    build_estate(90).write(exports / "rest")
    out = tmp_path / "out"
    units = _audit([exports], out, _environments(exports, dev="dev", prod="prod")).summary["incremental"]["read"]
    for number, (named, moved) in enumerate(
        (
            ({"dev": "dev", "live": "prod"}, False),
            ({"dev": "dev", "live": "prod", "other": "rest"}, True),
        )
    ):
        if moved:
            shutil.move(exports / "rest" / "90", exports / "dev" / "90")
        environments = _environments(exports, **named)
        audit = _audit([exports], out, environments, incremental=True)
        assert 0 < audit.summary["incremental"]["read"] < units
        assert_same_files(audit.folder, _audit([exports], tmp_path / f"full{number}", environments).folder)


def test_exports_that_differ_end_the_audit_and_leave_the_last_one(tmp_path: Path) -> None:
    """The message has the lines that name environments, with which the audit is made."""
    exports = tmp_path / "exports"
    _write(exports, range(3, 5))
    with pytest.raises(LintmdbError, match="differ") as caught:
        _audit([exports], tmp_path / "out", Environments())
    assert f"--environment dev={exports}/dev --environment prod={exports}/prod" in str(caught.value)
    assert list((tmp_path / "out" / "audits").iterdir()) == []
    _audit([exports], tmp_path / "out", _environments(exports, dev="dev", prod="prod"))


def test_history_metrics_and_differences_tell_environments_apart(tmp_path: Path) -> None:
    """What is resolved in prod stays in dev; a queue manager that prod lacks leaves dev's findings judged."""
    exports, out = tmp_path / "exports", tmp_path / "out"
    seeds = range(5, 9)
    for name in ("dev", "prod"):
        write_estates(exports / name, seeds)
    environments = _environments(exports, dev="dev", prod="prod")
    before = _audit([exports], out, environments)
    found = Counter(row["environment"] for row in table(before.folder, "findings"))
    assert found["dev"] == found["prod"] > 0
    for seed in seeds:
        shutil.rmtree(exports / "prod" / str(seed) / "mq")
    after = _audit([exports], out, environments, incremental=True)
    difference = compare_audits(before.folder, after.folder)
    assert {entry.finding["environment"] for entry in difference.unseen} == {"prod"}
    # Exports that are gone do not disagree any more.
    assert {finding["rule"] for finding in difference.resolved} <= {"MDB904"}
    assert all(cell.endswith(" in prod") or not cell for cell, _ in difference.undecided)
    history = json.loads("".join(history_json(read_history(after.folder))))
    counts = {entry["environment"]: entry for entry in history["by_environment"]}
    assert counts["dev"]["open"] == found["dev"]
    assert history["absent"]["gone"] == 0
    metrics = metrics_text(after.folder)
    assert 'lintmdb_fleet_environment_findings{environment="dev",severity="error"}' in metrics
    assert "in prod" in (after.folder / "report.html").read_text()


def test_a_product_is_required_in_each_environment_of_a_fleet(tmp_path: Path) -> None:
    """A queue manager in no environment is none of those that endpoints of an environment meet."""
    exports = tmp_path / "exports"
    for folder, name in (("was", "prod"), ("mq", "beside")):
        shutil.copytree(FIXTURES / "clean" / folder, exports / name)
    gate = Gate(require=("mq", "was"))
    beside = _audit([exports], tmp_path / "beside", _environments(exports, prod="prod"))
    assert [entry.words for entry in lacking(beside.summary, gate)] == [
        "no IBM MQ export of environment prod was read, and one is required"
    ]
    none = _audit([exports], tmp_path / "none", Environments())
    assert lacking(none.summary, gate) == []


@pytest.mark.parametrize("by_spark", [False, True])
def test_a_base_of_kustomize_is_no_queue_manager_of_an_environment(
    by_spark: bool, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """An environment whose overlay has the base is not told to take it as it is; one with another base is. The notices
    are those of check.
    """
    manager = (
        "apiVersion: mq.ibm.com/v1beta1\nkind: QueueManager\nmetadata: {name: qm1}\nspec:\n  queueManager:\n"
        "    name: QM1\n    mqsc: [{configMap: {name: cm, items: [a.mqsc]}}]\n"
    )
    files = {
        "base/kustomization.yaml": "resources: [qm.yaml]\nconfigMapGenerator:\n- {name: cm, files: [a.mqsc]}\n",
        "base/qm.yaml": manager,
        "base/a.mqsc": "DEFINE QLOCAL(A) BOTHRESH(3)\n",
    }
    merged = "configMapGenerator:\n- {name: cm, behavior: merge, literals: ['b.mqsc=DEFINE QLOCAL(B)']}\n"
    for name, base in (("prod", "base"), ("dev", "other")):
        files[f"{name}/kustomization.yaml"] = f"resources: [../{base}]\n{merged}"
        shutil.copytree(FIXTURES / "clean" / "was", tmp_path / "exports" / name / "was")
    for name, text in files.items():
        path = tmp_path / "exports" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    exports = tmp_path / "exports"
    environments = _environments(exports, dev="dev", prod="prod")
    asked = Request([str(exports)], tmp_path / "out", FEW, OBSERVED, environments=environments)
    audit = run_audit(request.getfixturevalue("spark") if by_spark else None, asked)
    steps = [str(notice["next_step"] or "") for notice in audit.summary.get("notices", ())]
    assert [step.partition("=")[0] for step in steps if step.startswith("If they")] == [
        "If they use this one: --environment dev"
    ]
    facts = read_estate([exports], OBSERVED, environments=environments).facts
    assert sorted(steps) == sorted(notice.next_step for notice in reading_notices(facts.rows["problem"]))
