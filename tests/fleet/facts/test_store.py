"""What audits leave from run to run: facts that do not grow without end, and tables that are the same each time."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.support.project import FIXTURES
from tests.support.scenario import RULES
from tests.support.spark import no_fleet

if REASON := no_fleet():
    pytest.skip(REASON, allow_module_level=True)

from lintmdb.errors import LintmdbError
from lintmdb.fleet.arrow import pa, parquet, read_rows
from lintmdb.fleet.audit import Request, run_audit
from lintmdb.fleet.facts import collect as collecting
from lintmdb.fleet.facts import compact, spark_workers, writing
from lintmdb.fleet.facts import encoding as facts
from lintmdb.fleet.facts.collect import Collected, collect, compacted
from lintmdb.fleet.facts.encoding import arrow_schema, spark_schema
from lintmdb.fleet.facts.spark_workers import ExecutorWriter, SparkWorkers, partitioned, write_facts
from lintmdb.fleet.facts.store import InUseError, Store
from lintmdb.fleet.facts.unit_reader import UnitReader, build_task, read_tasks
from lintmdb.fleet.facts.units import list_units
from lintmdb.fleet.facts.workers import LocalWorkers, Workers
from lintmdb.fleet.facts.writing import FactsWriter
from lintmdb.fleet.judging import tables
from lintmdb.fleet.judging.suppressed import read_inline_suppressions
from lintmdb.fleet.session import audit_session
from lintmdb.fleet.spark_frames import to_frame
from lintmdb.model.origins import Origin
from lintmdb.resolve.observations import Observations, QueueObservation
from tests.support.fleet_estate import assert_same_files, copy_renamed, small_session

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


def _script(path: Path, threshold: int) -> None:
    path.write_text(
        f"* lintmdb: allow MDB101 number {threshold}\nDEFINE QLOCAL('Q{path.stem}') BOTHRESH({threshold})\n"
    )


def _collected(workers: Workers, store: Store, exports: Path) -> Collected:
    with store.locked():
        collected = collect(workers, store, list_units([str(exports)]).units, UnitReader(), incremental=True)
        return compacted(workers, store, collected)


def _thresholds(store: Store, collected: Collected) -> dict[str, int]:
    """What the facts that count say."""
    dead = set(collected.dead)
    rows = [row for folder in store.folders(collected.state, "queue") for row in read_rows(folder, dict[str, Any])]
    counting = [row for row in rows if row["part"] not in dead]
    assert len(counting) == len({row["name"] for row in counting})
    return {row["name"]: row["backout_threshold"] for row in counting}


@pytest.mark.parametrize("by", ["spark", "processes"])
def test_facts_do_not_grow_without_end(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, by: str
) -> None:
    """They are rewritten once most rows are dead, or generations are many, and say what they said."""
    monkeypatch.setattr(compact, "MAX_GENERATIONS", 3)
    own = SparkWorkers(small_session(spark)) if by == "spark" else LocalWorkers()
    exports, store = tmp_path / "in", Store(tmp_path / "out")
    exports.mkdir()
    for name in "ABCDEF":
        _script(exports / f"{name}.mqsc", 1)
    generations: list[int] = []
    collected = _collected(own, store, exports)
    for number, name in enumerate("AAB", 2):
        generations.append(len(collected.state.generations))
        _script(exports / f"{name}.mqsc", number)
        collected = _collected(own, store, exports)
    generations.append(len(collected.state.generations))
    assert generations == [1, 2, 3, 1], "the fourth is one too many"
    assert collected.dead == []
    assert _thresholds(store, collected) == {"QA": 3, "QB": 4, "QC": 1, "QD": 1, "QE": 1, "QF": 1}
    assert sorted(a.reason for a in read_inline_suppressions(store, collected)) == [
        *["number 1"] * 4,
        "number 3",
        "number 4",
    ]
    assert [path.name for path in store.facts.glob("g*")] == collected.state.generations, "older ones are removed"
    kept = collected.state.stored_rows
    for file in exports.glob("[ABCDE].mqsc"):
        file.unlink()
    again = _collected(own, store, exports)
    assert _thresholds(store, again) == {"QF": 1}
    assert again.state.stored_rows < kept / 2, "what is left is a sixth"
    assert (again.read, again.kept, again.gone) == (0, 1, 5)
    loaded = store.load(again.state.key)
    assert loaded is not None
    assert loaded.generations == again.state.generations


def test_a_relation_whose_rows_are_all_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Facts that were rewritten without the last comment have no comments, and can be read."""
    monkeypatch.setattr(compact, "MAX_GENERATIONS", 1)
    exports, store = tmp_path / "in", Store(tmp_path / "out")
    exports.mkdir()
    _script(exports / "A.mqsc", 1)
    assert len(read_inline_suppressions(store, _collected(LocalWorkers(), store, exports))) == 1
    (exports / "A.mqsc").write_text("DEFINE QLOCAL('QA') BOTHRESH(2)\n")
    collected = _collected(LocalWorkers(), store, exports)
    assert len(collected.state.generations) == 1
    assert read_inline_suppressions(store, collected) == []


def test_a_refused_audit_leaves_the_running_one_alone(tmp_path: Path) -> None:
    """It may ask again and again: the folder of the audit that holds the lock is there until that audit ends."""
    store = Store(tmp_path / "out")
    with store.locked():
        name, folder = store.new_audit()
        (folder / "summary.json").write_text("{}")
        for _ in range(2):
            with pytest.raises(InUseError), Store(tmp_path / "out").locked():
                pytest.fail("two audits hold one folder")
        finished = store.finish(name, folder)
    assert store.complete_audits() == [finished]
    assert (finished / "summary.json").read_text() == "{}"
    with store.locked():  # the lock was released, and what an audit left unfinished goes with it
        _, unfinished = store.new_audit()
    assert not unfinished.exists()


def test_facts_of_another_layout_are_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A column that a relation stores now and did not before would be NULL in what was kept."""
    before = collecting.facts_key(Observations(), {})
    assert collecting.facts_key(Observations(), {}) == before

    def wider(relation: str) -> str:
        return spark_schema(relation) + ", more bigint" * (relation == "bean")

    monkeypatch.setattr(collecting, "spark_schema", wider)
    assert collecting.facts_key(Observations(), {}) != before


def test_facts_of_other_readers_of_queues_are_read_again() -> None:
    """Who reads a queue that no endpoint reads is a fact of the queue."""

    def key(queue: str, user: str) -> str:
        observed = Observations(queues=(QueueObservation(queue, None, user, Origin("", 0, 0, "")),))
        return collecting.facts_key(observed, {})

    keys = {collecting.facts_key(Observations(), {}), key("A.*", "a"), key("A.*", "b"), key("B.*", "a")}
    assert len(keys) == 4


def test_only_what_complete_tasks_wrote_counts(spark: SparkSession, tmp_path: Path) -> None:
    """Files of a task that died are complete, for all that one can see, and nobody was told about them."""
    _script(tmp_path / "A.mqsc", 1)
    tasks = [build_task(number, unit) for number, unit in enumerate(list_units([str(tmp_path)]).units)]
    generation = tmp_path / "g"
    dead = generation / "attempts" / "dead" / "queue.parquet"
    dead.parent.mkdir(parents=True)
    own = audit_session(spark)
    for count in (1, 2):  # the second time beside what is there, as where Spark has fetched some units
        parquet.write_table(arrow_schema("queue").empty_table(), dead)
        write_facts(partitioned(own, tasks, 2), ExecutorWriter(FactsWriter(UnitReader(), str(generation)), read_tasks))
        assert len(list(generation.glob("relation=queue/*"))) == count
        assert [row["name"] for row in read_rows(generation / "relation=queue", dict[str, Any])] == ["QA"] * count
        assert not (generation / "attempts").exists()
        dead.parent.mkdir(parents=True)


def test_files_that_executors_wrote_elsewhere(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An executor names files that are not in this folder: one line says so, and no fact is missing in silence."""
    told = to_frame(spark, pa.table({"attempt": ["elsewhere"], "relation": ["queue"]}))

    def ended(*_: object) -> DataFrame:
        return told

    monkeypatch.setattr(spark_workers, "mapped", ended)
    with pytest.raises(LintmdbError, match=r"g: what Spark's executors wrote here is not here\. Name a folder that "):
        write_facts(told, ExecutorWriter(FactsWriter(UnitReader(), str(tmp_path / "g")), read_tasks))


def test_facts_are_written_in_groups_of_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An executor keeps no more than a group in memory, and all groups are there in the end."""
    monkeypatch.setattr(facts, "FLUSH_ROWS", 10)
    lines = [f"DEFINE QLOCAL('Q{number:02}')" for number in range(90)]
    (tmp_path / "QM1.mqsc").write_text("\n".join(lines))
    tasks = [build_task(number, unit) for number, unit in enumerate(list_units([str(tmp_path)]).units)]
    for size, groups in ((1, 3), (1 << 25, 1)):
        monkeypatch.setattr(writing, "_ROW_GROUP_BYTES", size)
        attempt = FactsWriter(UnitReader(), str(tmp_path / f"g{size}")).write(iter(tasks))[0]["attempt"]
        file = parquet.ParquetFile(tmp_path / f"g{size}" / "attempts" / attempt / "queue.parquet")
        assert file.num_row_groups == groups
        assert file.read(["name"]).to_pydict() == {"name": [f"Q{number:02}" for number in range(90)]}
    assert FactsWriter(UnitReader(), str(tmp_path / "none")).write(iter(())) == []
    assert not (tmp_path / "none").exists()


def test_two_runs_give_the_same_files(spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of several files a table, however the tasks fell, whether Spark reads the exports or this process.

    ``test_spark`` compares what Spark writes where it judges them, too.
    """
    monkeypatch.setattr(tables, "_FILE_ROWS", 6)
    exports = tmp_path / "in"
    for number in range(4):
        copy_renamed(FIXTURES / "all-families", exports / str(number), f"_{number}")
    next((exports / "0").rglob("QM1*.mqsc")).unlink()
    (exports / "broken.zip").write_bytes(b"PK\x03\x04 and nothing that follows")
    rules = [rule for rule in RULES if rule.id in ("MDB101", "MDB104", "MDB302", "MDB901")]
    runs = {"spark": spark, "again": spark, "local": None}
    audits = (run_audit(session, Request([str(exports)], tmp_path / name, rules)) for name, session in runs.items())
    first, *others = (audit.folder for audit in audits)
    for other in others:
        assert_same_files(first, other)
    for name in ("findings", "inventory", "summary"):
        assert len(list((first / name).glob("part-*.parquet"))) > 1
