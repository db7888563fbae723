"""The facts of a folder as rows in this process, for a fleet that is small enough."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypedDict, cast

from lintmdb.fleet.arrow import Table, compute, dataset, pa, records
from lintmdb.fleet.arrow_rows import ends
from lintmdb.fleet.facts.collect import Collected
from lintmdb.fleet.facts.encoding import LISTING, STORED, Batches, decode_origins, has_origins, to_tuples
from lintmdb.fleet.facts.parts import CELLS
from lintmdb.fleet.facts.store import PartInfo, State, Store
from lintmdb.model.columns import columns
from lintmdb.model.facts import Facts
from lintmdb.model.origins import ExportOrigins, Located
from lintmdb.model.relations import Endpoint, Problem, Row


def load_problems(store: Store, collected: Collected, listing: Sequence[Problem]) -> list[Row]:
    """All that could not be read, in the order of ``check``, and ``listing``: what could not be listed."""
    facts = load_parts(store, collected.state, collected.live, ("problem",))
    return [*facts.rows["problem"], *_as_stored(listing)]


def load_parts(store: Store, state: State, parts: Sequence[PartInfo], relations: Iterable[str]) -> Facts:
    """Some relations of some parts, in the order of ``check``: cells by environment, name and path, then the rest."""
    places = {part.part: place for place, part in enumerate(sorted(parts, key=_order))}
    wanted = compute.field("part").isin(pa.array(list(places), pa.int64()))
    facts = Facts()
    for relation in relations:
        rows: list[tuple[int, int, Row]] = []
        for folder in store.folders(state, relation):
            table: Table = dataset.dataset(folder, format="parquet").to_table(filter=wanted)
            rows += ((places[part], row, values) for part, row, values in build_rows(relation, table))
        rows.sort(key=lambda entry: entry[:2])
        facts.rows[relation] = [row for _, _, row in rows]
    return facts


def load_ends(store: Store, collected: Collected) -> Facts:
    """All exports, and of each cell the first and the last endpoint at a queue manager: what tells how they join."""
    live = {part.part: part for part in collected.live}
    facts = load_parts(store, collected.state, collected.live, ("export",))
    wanted = compute.field("part").isin(pa.array(list(live), pa.int64()))
    places = {part.part: place for place, part in enumerate(sorted(collected.live, key=_order))}
    found: list[tuple[int, int, Endpoint]] = []
    for folder in store.folders(collected.state, "endpoint"):
        for row in records(ends(folder, ("part", "cell", "queue_manager"), "row", ("name",), wanted), _End):
            endpoint = Endpoint(
                id="",
                kind="listener_port",
                name=row["name"],
                cell=row["cell"],
                queue_manager=row["queue_manager"],
                environment=live[row["part"]].environment,
            )
            found.append((places[row["part"]], row["row"], endpoint))
    facts.add(*(endpoint for _, _, endpoint in sorted(found, key=lambda entry: entry[:2])))
    return facts


class _End(TypedDict):
    """What ``load_ends`` reads of an endpoint."""

    part: int
    row: int
    name: str
    cell: str | None
    queue_manager: str | None


def _order(part: PartInfo) -> tuple[bool, str, str, str, int]:
    return (part.kind not in CELLS, part.environment or "", part.name, part.root, part.part)


def build_rows(relation: str, table: Table) -> Iterator[tuple[int, int, Row]]:
    """The rows of a table with the stored columns of a relation: part, place in it, and row."""
    names = [column.name for column in columns(STORED[relation])]
    build = cast("Callable[..., Row]", STORED[relation])
    values: list[Sequence[object]] = [table[name].to_pylist() for name in names]
    if has_origins(relation):
        names.append("origins")
        values.append([StoredOrigins(text) for text in table["origins"].to_pylist()])
    parts, places = table["part"].to_pylist(), table["row"].to_pylist()
    for part, place, row in zip(parts, places, zip(*values, strict=True), strict=True):
        yield part, place, build(**dict(zip(names, row, strict=True)))


class StoredOrigins(ExportOrigins):
    """The origins of a row in their compact form until somebody asks for one: most rows show no verdict."""

    __slots__ = ("_decoded", "_text")

    def __init__(self, text: str | None) -> None:
        self._text = text
        self._decoded: dict[str, Located] | None = None

    def _all(self) -> dict[str, Located]:
        if self._decoded is None:
            self._decoded = decode_origins(self._text)
        return self._decoded

    def __getitem__(self, name: str) -> Located:
        return self._all()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())


def _as_stored(problems: Sequence[Problem]) -> Iterator[Row]:
    """Problems with their texts as Parquet can keep them."""
    facts, batches = Facts(), Batches()
    facts.add(*problems)
    batches.add(LISTING, "problem", to_tuples(facts, "problem"))
    for _, batch in batches.flush():
        yield from (row for _, _, row in build_rows("problem", pa.Table.from_batches([batch])))
