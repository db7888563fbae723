"""How this computer judges a fleet: what is worked out once for many flows, rules that fail, processes that die."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("duckdb")
pytest.importorskip("pyarrow")

from lintmdb.engine.flow_rows import FlowRows
from lintmdb.errors import RuleError
from lintmdb.fleet.arrow import Table, pa
from lintmdb.fleet.audit import Request, run_audit
from lintmdb.fleet.database import database
from lintmdb.fleet.judging import tables
from lintmdb.fleet.judging.columnar import alike, groups, recipes, rows, telling, undecided
from lintmdb.fleet.judging.columnar.templates import Template
from lintmdb.fleet.judging.columnar.undecided import UndecidedVerdicts
from lintmdb.fleet.judging.presenting import Presented
from lintmdb.fleet.judging.tables import SCHEMAS, write_file
from lintmdb.model.relations import Endpoint
from lintmdb.rules.conditions import check_condition
from lintmdb.run.owners import NOBODY
from lintmdb.run.processes import ProcessDiedError
from tests.support.fleet_estate import (
    OBSERVED,
    assert_same,
    assert_same_files,
    told_by_audit,
    told_by_check,
    write_all_fixtures,
    write_hostile,
)
from tests.support.fleet_parity import request_of, write_exports
from tests.support.scenario import RULES

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from lintmdb.fleet.judging.columnar.judge import Judged


def test_what_differs_in_names_alone_is_worked_out_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Six copies of each fixture: most verdicts come from a recipe or a template, and all are those of ``check``."""
    exports = tmp_path / "exports"
    write_all_fixtures(exports, copies=6)
    alone: list[bool] = []
    begin = telling.Teller.begin

    def counted(self: telling.Teller, batches: list[telling.Telling]) -> None:
        one_by_one = [batch for batch in batches if isinstance(batch, telling.Batch)]
        alone.extend(verdict.hazard for batch in one_by_one for shown in batch.verdicts.values() for verdict in shown)
        begin(self, batches)

    monkeypatch.setattr(telling.Teller, "begin", counted)
    audit = run_audit(None, Request([str(exports)], tmp_path / "out", RULES, OBSERVED, differing=True))
    assert_same(told_by_audit(audit.folder), told_by_check([exports], OBSERVED))
    hazards = sum(alone)
    assert len(alone) - hazards < 0.2 * audit.summary["undecided"]
    assert hazards < 0.2 * sum(audit.summary["hazards"].values()), (hazards, audit.summary["hazards"])


def test_flows_are_picked_once_for_hazards_and_undecided_verdicts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All facts are read once: for the examples of groups, for all flows of small groups, and for verdicts that are in
    none. Where no group is small they are read once more for undecided verdicts without a recipe, and once for hazards
    without a template or like none.
    """
    exports = tmp_path / "exports"
    write_all_fixtures(exports, copies=6)
    picked: list[tuple[str, bool]] = []
    pick_flows = rows.pick_flows

    def counted(connection: DuckDBPyConnection, judged: Judged, firsts: str) -> rows.PickedFlows:
        found = pick_flows(connection, judged, firsts)
        picked.append((judged.name, found.flows.num_rows > 0))
        return found

    monkeypatch.setattr(groups, "pick_flows", counted)
    audit = run_audit(None, Request([str(exports)], tmp_path / "out", RULES, OBSERVED, differing=True))
    assert [picked.count((base, True)) for base in ("binding", "flow", "problem")] == [1, 1, 1]
    picked.clear()
    monkeypatch.setattr(groups, "_PICKED", 0)
    again = run_audit(None, Request([str(exports)], tmp_path / "again", RULES, OBSERVED, differing=True))
    assert [picked.count((base, True)) for base in ("binding", "flow", "problem")] == [2, 3, 1]
    assert_same_files(again.folder, audit.folder)


def _make_none(*_: object) -> list[Template]:
    return []


def test_templates_tell_what_each_flow_by_itself_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of random estates and hostile names, with a template wherever one can be made, and flows that are unlike it."""
    exports = tmp_path / "exports"
    write_exports(exports, [], range(40))
    write_hostile(exports / "hostile", tmp_path / "scratch")
    monkeypatch.setattr(groups, "_FEW", 0)
    filled, unlike = 0, 0
    tell = alike.Alike.tell

    def counted(self: alike.Alike, presented: Presented) -> list[telling.Unlike]:
        nonlocal filled, unlike
        left = tell(self, presented)
        filled += len(presented.tables["findings"])
        unlike += len(left)
        return left

    with monkeypatch.context() as context:
        context.setattr(alike.Alike, "tell", counted)
        audit = run_audit(None, request_of(exports, tmp_path / "out"))
    assert filled > 0.7 * sum(audit.summary["hazards"].values())
    assert unlike
    monkeypatch.setattr(alike, "make_templates", _make_none)
    assert_same_files(run_audit(None, request_of(exports, tmp_path / "alone")).folder, audit.folder)


@pytest.mark.parametrize("error", [KeyboardInterrupt(), OSError("no room"), None])
def test_what_fails_in_the_writing_of_undecided_verdicts_ends_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException | None
) -> None:
    """Ctrl-C, too: no thread goes on to write into an audit that is given up."""
    before = threading.active_count()

    def write(folder: Path, number: int, table: Table) -> None:
        if error:
            raise error
        write_file(folder, number, table)

    monkeypatch.setattr(undecided, "write_file", write)
    monkeypatch.setattr(tables, "_FILE_ROWS", 1)
    row: dict[str, object] = {"rule": "MDB101", "severity": "error", "missing": ["queue.name"], "needs": "more"}
    row |= {"subject": {"kind": "queue", "name": "A"}, "need_kind": "value", "need_target": "A"}
    rows = [{**row, "cell": f"C{number}"} for number in range(100)]
    with database(tmp_path / "spill") as connection:
        verdicts = UndecidedVerdicts(connection)
        verdicts.add_told(pa.Table.from_pylist(rows, SCHEMAS["undecided"]))
        with pytest.raises(type(error)) if error else nullcontext():
            verdicts.write(tmp_path, NOBODY)
    assert threading.active_count() == before
    files = {tables.file_of(f"C{number}", tables.count_files(100)) for number in range(100)}
    assert error or {file.name for file in (tmp_path / "undecided").iterdir()} == {*map(tables.file_name, files)}


def test_nothing_but_passing_on_is_allowed_with_a_name() -> None:
    """A function that looks into a name would say of all flows what is true of one."""
    marked = recipes.mark_names(FlowRows(Endpoint(id="E", kind="listener_port", name="LP1", queue="LP1", cell="C1")))
    assert isinstance(marked, FlowRows)
    name, queue, cell = marked.endpoint.name, marked.endpoint.queue, marked.endpoint.cell
    assert (
        f"{name} of " + str(cell)
        == f"{recipes.OPEN}endpoint.name{recipes.CLOSE} of {recipes.OPEN}endpoint.cell{recipes.CLOSE}"
    )
    assert name == queue, "the shape of a flow says so"
    assert name is not None
    looks = {
        "comparison": lambda: name == "LP1",
        "comparison with another name": lambda: name == cell,
        "order": lambda: name < "M",
        "search": lambda: "L" in name,
        "beginning": lambda: name.startswith("L"),
        "letters": lambda: name[0],
        "replacement": lambda: name.replace("'", "''"),
        "key": lambda: {name: 1},
        "iteration": lambda: list(name),
    }
    for look in looks.values():
        with pytest.raises(recipes.LookedIntoError):
            look()


def test_a_rule_that_overflows_is_named(tmp_path: Path) -> None:
    """The error says which of all rules it is, and what to do."""
    write_all_fixtures(tmp_path / "exports")
    time = "endpoint.non_asf_timeout_ms"
    text = f"{time} * 9007199254740993 * 9007199254740993 > 5 OR endpoint.name = 'A'"
    rule = replace(RULES[0], id="SITE001", hazard=check_condition(text, typed=False))
    with pytest.raises(RuleError, match="SITE001 cannot be judged") as caught:
        run_audit(None, Request([str(tmp_path / "exports")], tmp_path / "out", [RULES[1], rule], differing=True))
    assert "overflows" in str(caught.value)


class _Dies:
    """A process that ends before it gave its results."""

    def __init__(self, *_: object) -> None:
        pass

    def __enter__(self) -> _Dies:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def results(self) -> Iterator[telling.Told]:
        """None."""
        raise ProcessDiedError("a process was killed")


def test_what_a_killed_process_was_to_tell_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the process that started it."""
    write_all_fixtures(tmp_path / "exports")
    inputs = [str(tmp_path / "exports")]
    audit = run_audit(None, Request(inputs, tmp_path / "out", RULES, differing=True))
    monkeypatch.setattr(telling, "_WORTH_A_PROCESS", 1)
    monkeypatch.setattr(telling, "Started", _Dies)
    monkeypatch.setattr(groups, "_FEW", 10**9)
    assert_same_files(run_audit(None, Request(inputs, tmp_path / "killed", RULES, differing=True)).folder, audit.folder)
