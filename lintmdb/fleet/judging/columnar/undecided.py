"""The table of undecided verdicts: those that a recipe tells, filled in by DuckDB, and those that are told one by one.

What several rules say of one flow differs in what is missing alone. All else is filled in and put in order once for
these rules, as a *wording*. A verdict is the number of a recipe and that of a wording until its file is written.
"""

from __future__ import annotations

import functools
import os
import threading
from collections.abc import Generator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from lintmdb.engine.findings import Subject
from lintmdb.fleet.arrow import Table, pa
from lintmdb.fleet.arrow_rows import beside, field, joined, packed, shares, taken, with_places, with_schema, with_texts
from lintmdb.fleet.database import arrow_table, keep
from lintmdb.fleet.judging.columnar.groups import Group, keys_table, names_query
from lintmdb.fleet.judging.columnar.judge import UNDECIDED, Judged
from lintmdb.fleet.judging.columnar.recipes import IN_PARTS, MOST_NAMES, TEXTS, Recipe, Text, make_recipe
from lintmdb.fleet.judging.columnar.writing import WANTED, join_wanted, want_files
from lintmdb.fleet.judging.tables import SCHEMAS, write_file
from lintmdb.run.owners import Owners
from lintmdb.run.processes import Later

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_OF_RECIPE = pa.schema([("rule", pa.string()), ("severity", pa.string()), ("missing", pa.list_(pa.string()))])
"""The columns of the table that a recipe says; a wording says the others, but for the owner."""
_OF_WORDING = {name: name for name in TEXTS if name.startswith("need")} | {
    name: f"at_{name}" for name in ("cell", "queue_manager", "environment")
}
"""These columns and what queries call them, which a subject has some of, too."""
_ALONE = "undecided_alone"


class UndecidedVerdicts:
    """The undecided verdicts of an audit, as they are added."""

    def __init__(self, connection: DuckDBPyConnection) -> None:
        self._connection = connection.cursor()  # which asks while others ask the same database something else
        self._given_up = threading.Event()
        self._recipes: list[Table] = []
        self._wordings = 0
        self._verdicts: list[str] = []
        """Tables with cell, environment, rule, the place of the recipe in all of ``_recipes``, and first and wording,
        the key of what is filled in.
        """
        self._texts: list[str] = []
        """Queries of what is filled in for the cells in WANTED."""

    @property
    def counts(self) -> list[str]:
        """Queries of cell, environment, rule, number: how many there are."""
        return [
            f"SELECT cell, environment, rule, COUNT(*) AS number FROM {table} GROUP BY ALL" for table in self._verdicts
        ]

    def add(self, judged: Judged, groups: Sequence[Group]) -> str:
        """Add the groups of verdicts of ``judged`` that recipes tell; a query of rule and first of the others."""
        made = [(each, _make_recipe(judged, each)) for each in groups]
        recipes = {(each.rule, each.shape): recipe for each, recipe in made if recipe is not None}
        names = sorted({name for recipe in recipes.values() for name in recipe.names})
        texts = dict.fromkeys(recipe.texts for recipe in recipes.values())
        wordings = {each: number for number, each in enumerate(texts, self._wordings)}
        self._wordings += len(wordings)
        known, worded, told = (f"{table}_{judged.name}" for table in ("recipes", "wordings", "told"))
        self._connection.register(known, self._add_recipes(judged, recipes, wordings))
        self._connection.register(worded, _wording_table(wordings, names))
        chosen = f"(FROM {judged.chosen} WHERE verdict = {UNDECIDED}) AS chosen"
        # Each join of these queries finds one row: DuckDB need not guess which is best done first.
        self._connection.execute(
            f"CREATE TABLE {told} AS SELECT chosen.cell, chosen.environment, recipe.id AS rule, recipe.recipe, "
            f"chosen.first, recipe.wording FROM {chosen} INNER JOIN {known} AS recipe "
            f"ON recipe.rule = chosen.rule AND recipe.shape = chosen.shape"
        )
        self._verdicts.append(told)
        self._texts.append(
            f"SELECT told.first, told.wording, told.cell AS at_cell, told.environment AS at_environment, "
            f"{', '.join(f'{_text_sql(name)} AS {name}' for name in TEXTS)} "
            f"FROM (SELECT DISTINCT first, wording, cell, environment FROM {told} {join_wanted('cell')}) AS told "
            f"INNER JOIN ({names_query(judged, names)}) AS flows ON flows.first = told.first "
            f"INNER JOIN {worded} AS wording ON wording.number = told.wording"
        )
        unknown = f"untold_{judged.name}"
        keep(self._connection, unknown, keys_table(each for each, recipe in made if recipe is None))
        return f"SELECT chosen.rule, chosen.first FROM {chosen} SEMI JOIN {unknown} USING (rule, shape)"

    def add_told(self, rows: Table) -> None:
        """Add rows of the table that were told one by one: each has a recipe and a wording of its own."""
        self._connection.register("undecided_rows", with_places(rows, "number"))
        before = sum(table.num_rows for table in self._recipes)
        self._connection.execute(
            f"CREATE TABLE {_ALONE} AS SELECT cell, environment, rule, {before} + number AS recipe, "
            "number AS first, -1 AS wording FROM undecided_rows"
        )
        self._recipes.append(rows.select(_OF_RECIPE.names))
        self._verdicts.append(_ALONE)
        shown = {**{name: f"subject.{name}" for name in Subject._fields}, **{v: k for k, v in _OF_WORDING.items()}}
        self._texts.append(
            "SELECT number AS first, -1 AS wording, "
            f"{', '.join(f'{value} AS {name}' for name, value in shown.items())} "
            f"FROM undecided_rows {join_wanted('cell')}"
        )

    @contextmanager
    def written(self, folder: Path, owners: Owners) -> Generator[None]:
        """Write the table as ``tables.write_table`` does, while this thread does something else."""
        writing = Later(partial(self._write, folder, owners))
        try:
            yield
            writing.result()
        except BaseException:
            self._given_up.set()
            self._connection.interrupt()
            with suppress(Exception):
                writing.result()
            raise
        finally:
            self._connection.close()

    def _write(self, folder: Path, owners: Owners) -> None:
        recipes = joined(self._recipes).combine_chunks()
        filled = f"FROM ({' UNION ALL BY NAME '.join(self._texts)})"
        order = ", ".join(f"{name} NULLS FIRST" for name in Subject._fields)
        verdicts = " UNION ALL BY NAME ".join(f"FROM {table}" for table in self._verdicts)
        for _ in want_files(self._connection, folder, "undecided", " UNION ALL ".join(self.counts)):
            if self._given_up.is_set():
                return
            texts = arrow_table(self._connection, f"{filled} ORDER BY {order}")
            self._connection.register("texts", with_places(texts.select(["first", "wording"]), "text"))
            numbers = arrow_table(
                self._connection,
                f"SELECT {WANTED}.file, told.recipe, texts.text FROM ({verdicts}) AS told {join_wanted('told.cell')} "
                "INNER JOIN texts ON texts.first = told.first AND texts.wording = told.wording "
                f"ORDER BY {WANTED}.place, told.rule, text",
            ).combine_chunks()
            wordings = _with_owner(packed(texts, "subject", Subject._fields, _OF_WORDING), owners)

            def write_share(entry: tuple[int, Table], wordings: Table = wordings) -> None:
                file, share = entry
                rows = beside(taken(recipes, share["recipe"]), taken(wordings, share["text"]))
                write_file(folder / "undecided", file, with_schema(rows, SCHEMAS["undecided"]))

            with ThreadPoolExecutor(os.cpu_count()) as threads:
                for _ in threads.map(write_share, shares(numbers, "file")):
                    pass

    def _add_recipes(
        self, judged: Judged, recipes: Mapping[tuple[int, int], Recipe], wordings: Mapping[tuple[Text, ...], int]
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


def _make_recipe(judged: Judged, group: Group) -> Recipe | None:
    return make_recipe(judged.rules[group.rule], group.first, group.last)


def _wording_table(wordings: Mapping[tuple[Text, ...], int], names: Sequence[str]) -> object:
    """A row a wording: its number, and of each text its plain parts and, from 1, the places of names in ``names``."""
    places = {name: place for place, name in enumerate(names, 1)}
    rows: list[dict[str, object]] = []
    for texts, number in wordings.items():
        row: dict[str, object] = {"number": number}
        for text, parts in zip(TEXTS, texts, strict=True):
            if parts is None:
                continue
            row |= {f"{text}_{n}": part for n, part in enumerate(parts[::2])}
            row |= {f"{text}_name_{n}": places[part] for n, part in enumerate(parts[1::2])}
        rows.append(row)
    plain = [(f"{text}_{n}", pa.string()) for text in TEXTS for n in range(MOST_NAMES + 1)]
    named = [(f"{text}_name_{n}", pa.int64()) for text in TEXTS for n in range(MOST_NAMES)]
    return pa.Table.from_pylist(rows, pa.schema([("number", pa.int64()), *plain, *named]))


def _text_sql(text: str) -> str:
    """One text of a wording for a flow; NULL where it has none."""
    if text not in IN_PARTS:
        return f"COALESCE(flows.names[wording.{text}_name_0], wording.{text}_0)"
    parts = [f"wording.{text}_0"]
    for n in range(MOST_NAMES):
        parts += [f"flows.names[wording.{text}_name_{n}]", f"wording.{text}_{n + 1}"]
    whole = f"CONCAT({', '.join(parts)})"
    return f"CASE WHEN wording.{text}_name_0 IS NULL THEN wording.{text}_0 ELSE {whole} END"


def _with_owner(table: Table, owners: Owners) -> Table:
    """The table with whose each row is."""

    @functools.cache
    def find_owner(
        environment: str | None, application: str | None, cell: str | None, manager: str | None
    ) -> str | None:
        subject = Subject("", None, cell, application=application, queue_manager=manager, environment=environment)
        return owners.of_subject(subject) or None

    if not owners:
        return with_texts(table, "owner", [None] * table.num_rows)
    names = ("environment", "application", "cell", "queue_manager")
    places = zip(*(field(table["subject"], name).to_pylist() for name in names), strict=True)
    return with_texts(table, "owner", [find_owner(*place) for place in places])
