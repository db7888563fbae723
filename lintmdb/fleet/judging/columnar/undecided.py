"""The table of undecided verdicts: those that a recipe tells, filled in column by column, and those that are told one
by one.

What several rules say of one flow differs in what is missing alone. All else is filled in once for these rules, as a
*wording*. A verdict is the number of a recipe and that of a text until its file is written.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

from lintmdb.engine.findings import Subject
from lintmdb.engine.flow_rows import JudgedRows
from lintmdb.fleet.arrow import Array, Table, pa
from lintmdb.fleet.arrow_rows import beside, in_one_piece, joined, packed, shares, taken, with_places
from lintmdb.fleet.arrow_texts import coded, taken_from
from lintmdb.fleet.database import arrow_table, keep
from lintmdb.fleet.judging.columnar.groups import Group, keys_table, name_columns_query
from lintmdb.fleet.judging.columnar.judge import UNDECIDED, Judged
from lintmdb.fleet.judging.columnar.recipes import TEXTS, Recipe, make_recipe, mark_names
from lintmdb.fleet.judging.columnar.wordings import Filled, Source, Wording, fill
from lintmdb.fleet.judging.columnar.writing import WANTED, join_wanted, want_files
from lintmdb.fleet.judging.tables import SCHEMAS, write_file
from lintmdb.run.owners import Owners

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_OF_RECIPE = pa.schema([("rule", pa.string()), ("severity", pa.string()), ("missing", pa.list_(pa.string()))])
"""The columns of the table that a recipe says; a wording says the others, but for the owner."""
_OF_WORDING = {name: name for name in TEXTS if name.startswith("need")} | {
    name: f"at_{name}" for name in ("cell", "queue_manager", "environment")
}
"""These columns and what wordings call them, which have a subject's, too."""
_ALONE = "undecided_alone"


class UndecidedVerdicts:
    """The undecided verdicts of an audit, as they are added."""

    def __init__(self, connection: DuckDBPyConnection) -> None:
        self._connection = connection
        self._recipes: list[Table] = []
        self._wordings = 0
        self._verdicts: list[str] = []
        """Tables with cell, environment, rule, the place of the recipe in all of ``_recipes``, first and wording."""
        self._sources: list[Source] = []

    @property
    def counts(self) -> list[str]:
        """Queries of cell, environment, rule, number: how many there are."""
        return [f"FROM {_counts(table)}" for table in self._verdicts]

    def add(self, judged: Judged, groups: Sequence[Group]) -> str:
        """Add the groups of verdicts of ``judged`` that recipes tell; a query of rule and first of the others."""
        firsts = {id(each.first): each.first for each in groups}  # several rules are undecided on one flow
        marked = {number: mark_names(first) for number, first in firsts.items()}
        made = [(each, _make_recipe(judged, each, marked[id(each.first)])) for each in groups]
        recipes = {(each.rule, each.shape): recipe for each, recipe in made if recipe is not None}
        names = sorted({name for recipe in recipes.values() for name in recipe.names})
        texts = dict.fromkeys(recipe.texts for recipe in recipes.values())
        wordings = {each: number for number, each in enumerate(texts, self._wordings)}
        self._wordings += len(wordings)
        known, told = (f"{table}_{judged.name}" for table in ("recipes", "told"))
        self._connection.register(known, self._add_recipes(judged, recipes, wordings))
        chosen = f"(FROM {judged.chosen} WHERE verdict = {UNDECIDED}) AS chosen"
        # Each join of these queries finds one row: DuckDB need not guess which is best done first.
        self._connection.execute(
            f"CREATE TABLE {told} AS SELECT chosen.cell, chosen.environment, recipe.id AS rule, recipe.recipe, "
            f"chosen.first, recipe.wording FROM {chosen} INNER JOIN {known} AS recipe "
            f"ON recipe.rule = chosen.rule AND recipe.shape = chosen.shape"
        )
        flows = name_columns_query(judged, names, f"SELECT first FROM {told}", join_wanted("wanted_flow.cell"))
        self._add(told, flows, names, {number: texts for texts, number in wordings.items()})
        unknown = f"untold_{judged.name}"
        keep(self._connection, unknown, keys_table(each for each, recipe in made if recipe is None))
        return f"SELECT chosen.rule, chosen.first FROM {chosen} SEMI JOIN {unknown} USING (rule, shape)"

    def add_told(self, rows: Table) -> None:
        """Add rows of the table that were told one by one, after all others: each has a recipe and names of its own."""
        self._connection.register("undecided_rows", with_places(rows, "number"))
        before = sum(table.num_rows for table in self._recipes)
        self._connection.execute(
            f"CREATE TABLE {_ALONE} AS SELECT cell, environment, rule, {before} + number AS recipe, "
            f"number AS first, {self._wordings} AS wording FROM undecided_rows"
        )
        self._recipes.append(rows.select(_OF_RECIPE.names))
        shown = {**{name: f"subject.{name}" for name in Subject._fields}, **{v: k for k, v in _OF_WORDING.items()}}
        columns = [f"{shown[name]} AS name_{place}" for place, name in enumerate(TEXTS)]
        flows = (
            f"SELECT number AS first, cell AS at_cell, environment AS at_environment, {', '.join(columns)} "
            f"FROM undecided_rows {join_wanted('cell')}"
        )
        self._add(_ALONE, flows, TEXTS, {self._wordings: tuple(("", name, "") for name in TEXTS)})

    def _add(self, told: str, flows: str, names: Sequence[str], wordings: Mapping[int, Wording]) -> None:
        columns = f"{WANTED}.place, {WANTED}.file, told.recipe, told.wording, told.first"
        verdicts = f"SELECT {columns} FROM {told} AS told {join_wanted('told.cell')}"
        self._connection.execute(
            f"CREATE TABLE {_counts(told)} AS "
            f"SELECT cell, environment, rule, COUNT(*) AS number FROM {told} GROUP BY ALL"
        )
        self._verdicts.append(told)
        self._sources.append(Source(verdicts, flows, names, wordings))

    def write(self, folder: Path, owners: Owners) -> None:
        """Write the table as ``tables.write_table`` does."""
        recipes = joined(self._recipes).combine_chunks()
        (rules,) = coded([recipes["rule"]]).columns
        for _ in want_files(self._connection, folder, "undecided", " UNION ALL ".join(self.counts)):
            filled = fill(self._sources, [*map(self._find, self._sources)], rules)
            owner = _owners_of(filled, owners)

            def write_share(entry: tuple[int, Table], filled: Filled = filled, owner: Array = owner) -> None:
                file, share = entry
                rows = beside(taken(recipes, share["recipe"]), _texts_of(filled, owner, in_one_piece(share["text"])))
                write_file(folder / "undecided", file, rows.select(SCHEMAS["undecided"].names))

            with ThreadPoolExecutor(os.cpu_count()) as threads:
                for _ in threads.map(write_share, shares(filled.numbers, "file")):
                    pass

    def _find(self, source: Source) -> tuple[Table, Table]:
        return arrow_table(self._connection, source.verdicts), arrow_table(self._connection, source.flows)

    def _add_recipes(
        self, judged: Judged, recipes: Mapping[tuple[int, int], Recipe], wordings: Mapping[Wording, int]
    ) -> object:
        """Add to ``_recipes``; where each is and its wording, by rule and shape."""
        told: list[dict[str, object]] = []
        keys: list[dict[str, object]] = []
        before = sum(table.num_rows for table in self._recipes)
        for place, ((number, shape), recipe) in enumerate(recipes.items(), before):
            rule = judged.rules[number]
            told.append({"rule": rule.id, "severity": rule.severity, "missing": [*recipe.missing]})
            wording = wordings[recipe.texts]
            keys.append({"rule": number, "shape": shape, "id": rule.id, "recipe": place, "wording": wording})
        self._recipes.append(pa.Table.from_pylist(told, _OF_RECIPE))
        types = {"rule": pa.int64(), "shape": pa.uint64(), "id": pa.string(), "recipe": pa.int64()}
        return pa.Table.from_pylist(keys, pa.schema([*types.items(), ("wording", pa.int64())]))


def _counts(told: str) -> str:
    """The table of the counts of a table of verdicts: they are asked for twice."""
    return f"{told}_counts"


def _make_recipe(judged: Judged, group: Group, marked: JudgedRows) -> Recipe | None:
    return make_recipe(judged.rules[group.rule], group.first, group.last, marked)


def _texts_of(filled: Filled, owner: Array, places: Array) -> Table:
    """The columns of the table that recipes do not have, of the texts at some places."""
    columns = {name: filled.coded_texts(name, places) for name in Subject._fields}
    others = {name: filled.coded_texts(column, places) for name, column in _OF_WORDING.items()}
    return packed("subject", columns, {**others, "owner": taken_from(owner, places)})


def _owners_of(filled: Filled, owners: Owners) -> Array:
    """Whose each of the texts is."""

    @functools.cache
    def find_owner(
        environment: str | None, application: str | None, cell: str | None, manager: str | None
    ) -> str | None:
        subject = Subject("", None, cell, application=application, queue_manager=manager, environment=environment)
        return owners.of_subject(subject) or None

    if not owners:
        return pa.nulls(len(filled.columns["environment"]), pa.string())
    names = ("environment", "application", "cell", "queue_manager")
    places = zip(*(filled.texts(name).to_pylist() for name in names), strict=True)
    return pa.array([find_owner(*place) for place in places], pa.string())
