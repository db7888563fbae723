"""By which the lists of the page are filtered: the environments and the owners of cells, flows and causes."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, TypeAlias, TypedDict, TypeVar

from lintmdb.fleet.audit_queries import query_table
from lintmdb.fleet.audit_tables import batches, is_one_of, read_records, rolled_up
from lintmdb.fleet.page.causes import Cause
from lintmdb.fleet.page.flows import WorstFlows
from lintmdb.fleet.page.heat_map import HeatMap

_Flow: TypeAlias = tuple[str, str]
_Key = TypeVar("_Key")
_Row = TypeVar("_Row")


class Marks(NamedTuple):
    """What an entry of a list can be found by: places in the lists of ``Filters``, as the attributes of an element."""

    environments: str = ""
    owners: str = ""
    """Numbers with blanks between them."""


@dataclass(frozen=True, slots=True)
class Filters:
    """All environments and owners of an audit by name, and those of each entry of a list."""

    environments: tuple[str, ...] = ()
    owners: tuple[str, ...] = ()
    _cells: Mapping[str, Marks] = field(default_factory=dict[str, Marks])
    _flows: Mapping[_Flow, Marks] = field(default_factory=dict[_Flow, Marks])

    @property
    def useful(self) -> bool:
        """Whether there is something to choose from."""
        return len(self.environments) > 1 or bool(self.owners)

    def of_cell(self, cell: str | None) -> Marks | None:
        """The marks of a cell, by its name on the page; None without filters."""
        return self._cells.get(cell or "", Marks()) if self.useful else None

    def of_flow(self, headline: str, cell: str) -> Marks | None:
        """The marks of a flow; None without filters."""
        return self._flows.get((headline, cell), Marks()) if self.useful else None

    def of_cause(self, cause: Cause) -> Marks | None:
        """The marks of a cause; None without filters."""
        if not self.useful:
            return None
        return Marks(_places(self.environments, cause.environments), _places(self.owners, cause.teams))


def _places(names: Sequence[str], wanted: Container[str]) -> str:
    """The places of some names among all, with blanks between them."""
    return " ".join(str(place) for place, name in enumerate(names) if name in wanted)


class _CellRow(TypedDict):
    cell: str | None
    environment: str | None
    owner: str | None


class _FlowRow(_CellRow):
    headline: str


_CELLS = "SELECT DISTINCT cell, environment, owner FROM rows"


def read_filters(audit: Path, heat_map: HeatMap, flows: WorstFlows) -> Filters:
    """The filters for the cells and flows that the page lists. Raises LintmdbError for a table that cannot be read."""
    cells = [
        row
        for name in ("summary", "findings", "undecided")
        for row in read_records(query_table(audit, name, _CELLS, named=True), _CellRow)
    ]
    environments = tuple(sorted({row["environment"] for row in cells if row["environment"]}))
    owners = tuple(sorted({row["owner"] for row in cells if row["owner"]}))
    if not environments and not owners:
        return Filters()
    numbered = _Numbers(_numbers(environments), _numbers(owners))
    listed = is_one_of("headline", {line.headline for line in flows.listed})
    columns = list(_FlowRow.__annotations__)
    tables = batches(audit, "findings", columns, where=listed, named=True)
    of_flows = read_records(rolled_up(tables, columns, {}), _FlowRow)
    shown = {cell.cell for cell in (*heat_map.cells, *heat_map.listed)}
    return Filters(
        environments,
        owners,
        numbered.marks((row["cell"] or "", row) for row in cells if row["cell"] in shown),
        numbered.marks(((row["headline"], row["cell"] or ""), row) for row in of_flows),
    )


def _numbers(names: Iterable[str]) -> Mapping[str, int]:
    return {name: number for number, name in enumerate(names)}


class _Numbers(NamedTuple):
    """The place of each name in the lists of ``Filters``."""

    environments: Mapping[str, int]
    owners: Mapping[str, int]

    def marks(self, rows: Iterable[tuple[_Key, _CellRow]]) -> dict[_Key, Marks]:
        """The marks of each key, from all rows about it."""
        found: dict[_Key, tuple[set[int], set[int]]] = {}
        for key, row in rows:
            environments, owners = found.setdefault(key, (set(), set()))
            environments.update(_number(self.environments, row["environment"]))
            owners.update(_number(self.owners, row["owner"]))
        return {key: Marks(*(" ".join(map(str, sorted(numbers))) for numbers in both)) for key, both in found.items()}


def _number(numbers: Mapping[str, int], name: str | None) -> Iterable[int]:
    return (numbers[name],) if name else ()
