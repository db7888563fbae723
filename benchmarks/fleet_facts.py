"""Facts of a large fleet, made in Spark from those of one sound cell and of every fixture, in the layout of a store."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from generate import write_cell
from pyspark.sql import SparkSession
from pyspark.sql.types import StructType

from lintmdb.fleet.arrow import pa, parquet
from lintmdb.fleet.facts.collect import Collected
from lintmdb.fleet.facts.encoding import STORED, spark_schema, stored_columns, to_tuples
from lintmdb.fleet.facts.parts import read_parts
from lintmdb.fleet.facts.store import PartInfo, Store
from lintmdb.fleet.facts.units import list_units
from lintmdb.model.facts import Facts
from lintmdb.resolve.observations import EndpointObservation, Observations
from tests.support.scenario_folders import scenario_folder, scenario_names

CELL_FLOWS = 100
CELLS_PER_FIXTURES = 49
"""So many sound cells for each copy of all fixtures: nearly every fifty-first flow is flawed somewhere."""
_PARTS = 1024  # parts of one copy
_RENAMED = {
    "id", "endpoint_id", "server_id", "destination_id", "cell", "queue_manager", "path",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Shape:
    """What is uneven about a fleet."""

    shared_cells: int = 0
    """So many of the sound cells use one queue manager, which has the queues of all of them."""
    hot_cells: int = 0
    """In so many of these, all beans read one queue."""


@dataclass(frozen=True, slots=True)
class _Template:
    """The facts of some parts, to be copied under other names."""

    kind: str
    facts: list[tuple[int, Facts]]
    infos: list[PartInfo]


def make_facts(
    spark: SparkSession, folder: Path, flows: int, *, observed: bool = False, shape: Shape | None = None
) -> tuple[Store, Collected]:
    """A store with so many flows and twice as many queues; with ``observed`` bean times and users are known."""
    store = Store(folder)
    store.facts.mkdir(parents=True)
    store.audits.mkdir()
    state = store.new_state("benchmark")
    cells = flows // CELL_FLOWS
    live: list[PartInfo] = []
    with tempfile.TemporaryDirectory() as name:
        for template, copies, first in (
            (_sound(Path(name), observed=observed), cells, 0),
            (_flawed(), max(cells // CELLS_PER_FIXTURES, 1), cells),
        ):
            generation = store.add_generation(state)
            for relation in STORED:
                _copy(spark, Path(name), generation, template, relation, copies, first, shape or Shape())
            live += _parts(template, copies, first)
    return store, Collected(state, sorted(live), [], 0, 0, 0)


def _sound(folder: Path, *, observed: bool) -> _Template:
    inputs = write_cell(folder / "sound", CELL_FLOWS, sound=True)
    names = [f"F{index:05}AS" for index in range(CELL_FLOWS)]
    known = Observations(
        on_message_ms=1000,
        endpoints={name: EndpointObservation(user="wasuser", groups=frozenset({"wasgrp"})) for name in names},
    )
    facts = _read([str(path) for path in inputs], known if observed else Observations())
    return _template("sound", [facts])


def _flawed() -> _Template:
    fixtures = map(scenario_folder, scenario_names())
    passed = ("expected.yaml", "observations.yaml", "README.md")
    return _template(
        "flawed",
        [
            _read([str(path) for path in sorted(f.iterdir()) if path.name not in passed], Observations())
            for f in fixtures
        ],
    )


def _read(inputs: list[str], observed: Observations) -> list[tuple[str, str, Facts]]:
    files = [file for unit in list_units(inputs).units for file in unit.files]
    parts, _ = read_parts(files, observed, {})
    return [(part.kind, part.name, part.facts) for part in parts]


def _template(kind: str, groups: list[list[tuple[str, str, Facts]]]) -> _Template:
    facts: list[tuple[int, Facts]] = []
    infos: list[PartInfo] = []
    for number, group in enumerate(groups):
        for part_kind, name, part in group:
            size = sum(len(part.rows[relation]) for relation in STORED)
            place = len(facts)
            facts.append((number, part))
            infos.append(
                PartInfo(place, number, f"{kind}{number}", "", False, "", None, part_kind, name, f"{kind}{number}",
                         len(part.rows["endpoint"]), len(part.rows["bean"]), size, False)
            )  # fmt: skip
    assert len(facts) < _PARTS
    return _Template(kind, facts, infos)


def _parts(template: _Template, copies: int, first: int) -> Iterator[PartInfo]:
    for copy in range(first, first + copies):
        for info in template.infos:
            yield info._replace(
                part=copy * _PARTS + info.part, name=f"{info.name}_{copy:06}", root=f"{info.root}_{copy}"
            )


def _copy(
    spark: SparkSession,
    scratch: Path,
    generation: Path,
    template: _Template,
    relation: str,
    copies: int,
    first: int,
    shape: Shape,
) -> None:
    names = [column.name for column in stored_columns(relation)]
    rows: list[dict[str, object]] = []
    for place, (number, facts) in enumerate(template.facts):
        for row, values in enumerate(to_tuples(facts, relation)):
            entry: dict[str, object] = {"part": place, "row": row, "number": number}
            entry.update(zip(names, values if relation != "export" else (*values, "{}"), strict=True))
            rows.append(entry)
    if not rows:
        return
    types = {"text": pa.string(), "integer": pa.int64(), "boolean": pa.bool_()}
    schema = pa.schema(
        [("part", pa.int64()), ("row", pa.int64()), ("number", pa.int64())]
        + [(column.name, types[column.type]) for column in stored_columns(relation)]
    )
    file = scratch / f"{template.kind}-{relation}.parquet"
    parquet.write_table(pa.Table.from_pylist(rows, schema), file)
    fields = [_field(relation, name, template.kind, shape) for name in names]
    once = template.kind == "sound" and relation in ("queue_manager", "channel")
    where = f"WHERE copy = 0 OR copy >= {shape.shared_cells}" if once else ""
    spark.read.parquet(str(file)).createOrReplaceTempView("template")
    spark.range(first, first + copies, 1, 8).withColumnRenamed("id", "copy").createOrReplaceTempView("copies")
    copied = spark.sql(
        f"SELECT /*+ BROADCAST(template) */ copy * {_PARTS} + part AS part, row, {', '.join(fields)} "
        f"FROM copies CROSS JOIN template {where}"
    )
    copied.to(cast("StructType", StructType.fromDDL(spark_schema(relation)))).coalesce(8).write.parquet(
        str(generation / f"relation={relation}")
    )


def _field(relation: str, name: str, kind: str, shape: Shape) -> str:
    own = "'_', number, '_', copy" if kind == "flawed" else "'_', copy"
    renamed = f"CASE WHEN `{name}` <> '' THEN CONCAT(`{name}`, {own}) ELSE `{name}` END"
    shared = kind == "sound" and shape.shared_cells > 0
    hot = relation == "endpoint" and name == "queue" and kind == "sound" and shape.hot_cells > 0
    if hot:
        return (
            f"CASE WHEN copy < {shape.hot_cells} THEN 'F00000.IN_0' "
            f"WHEN copy < {shape.shared_cells} THEN CONCAT(queue, '_', copy) ELSE queue END AS queue"
        )
    if name == "queue_manager" or (relation == "queue_manager" and name == "name"):
        if shared:
            return f"CASE WHEN copy < {shape.shared_cells} THEN 'QMBIG' ELSE {renamed} END AS `{name}`"
        return f"{renamed} AS `{name}`"
    queues = {("endpoint", "queue"), ("queue", "name"), ("queue", "backout_queue"), ("queue_name", "name"),
              ("queue_name", "local_queue"), ("put_target", "name"), ("put_target", "local_queue"),
              ("authority", "queue")}  # fmt: skip
    if shared and (relation, name) in queues:
        return (
            f"CASE WHEN copy < {shape.shared_cells} AND `{name}` <> '' THEN CONCAT(`{name}`, '_', copy) "
            f"ELSE `{name}` END AS `{name}`"
        )
    if name in _RENAMED:
        return f"{renamed} AS `{name}`"
    return f"`{name}`"
