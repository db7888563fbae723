"""Undecided verdicts as a query: those that a recipe tells, and those that are told one by one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from lintmdb.engine.findings import Subject
from lintmdb.fleet.arrow import pa
from lintmdb.fleet.judging.columnar.groups import find_groups, names_query
from lintmdb.fleet.judging.columnar.judge import UNDECIDED, Judged
from lintmdb.fleet.judging.columnar.recipes import IN_PARTS, MOST_NAMES, TEXTS, Recipe, make_recipe
from lintmdb.fleet.judging.columnar.writing import WANTED

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


class FilledIn(NamedTuple):
    """The undecided verdicts that recipes tell, as queries, and those that are left."""

    rows: str
    """Rows of ``undecided`` without their owner, for the cells of the table WANTED, with its column ``file``."""
    counts: str
    """cell, environment, rule, number: how many there are."""
    left: str
    """rule and first of the other verdicts."""


def fill_in_recipes(connection: DuckDBPyConnection, judged: Judged) -> FilledIn:
    """The undecided verdicts of ``judged``."""
    recipes = _find_recipes(connection, judged)
    names = sorted({name for recipe in recipes.values() for name in recipe.names})
    known, told = f"recipes_{judged.name}", f"told_{judged.name}"
    connection.register(known, _recipe_table(judged, recipes, names))
    chosen = f"(FROM {judged.chosen} WHERE verdict = {UNDECIDED}) AS chosen"
    # Each join of the queries below finds one row: DuckDB need not guess which is best done first.
    connection.execute(
        f"CREATE TEMP TABLE {told} AS SELECT chosen.first, chosen.cell, chosen.environment, recipe.number "
        f"FROM {chosen} INNER JOIN {known} AS recipe ON recipe.rule = chosen.rule AND recipe.shape = chosen.shape"
    )
    rows = f"""
        SELECT recipe.id AS rule, recipe.severity, {_subject_sql()}, recipe.missing,
               {", ".join(f"{_text_sql(name)} AS {name}" for name in TEXTS if name.startswith("need"))},
               told.cell, {_text_sql("at_queue_manager")} AS queue_manager, told.environment, wanted.file
        FROM {told} AS told
        INNER JOIN {WANTED} AS wanted ON wanted.value IS NOT DISTINCT FROM told.cell
        INNER JOIN ({names_query(judged, names)}) AS flows ON flows.first = told.first
        INNER JOIN {known} AS recipe ON recipe.number = told.number
        """
    counts = (
        f"SELECT told.cell, told.environment, recipe.id AS rule, COUNT(*) AS number FROM {told} AS told "
        f"INNER JOIN {known} AS recipe ON recipe.number = told.number GROUP BY ALL"
    )
    left = f"SELECT chosen.rule, chosen.first FROM {chosen} ANTI JOIN {known} USING (rule, shape)"
    return FilledIn(rows, counts, left)


def _find_recipes(connection: DuckDBPyConnection, judged: Judged) -> dict[tuple[int, int], Recipe]:
    """Recipes by rule and shape."""
    found: dict[tuple[int, int], Recipe] = {}
    for group in find_groups(connection, judged, UNDECIDED):
        recipe = make_recipe(judged.rules[group.rule], group.first, group.last)
        if recipe is not None:
            found[group.rule, group.shape] = recipe
    return found


def _recipe_table(judged: Judged, recipes: Mapping[tuple[int, int], Recipe], names: Sequence[str]) -> object:
    """A row a recipe: its number, rule, shape, what is said of the rule, and of each text its plain parts and, from 1,
    the places of its names in ``names``.
    """
    rows: list[dict[str, object]] = []
    places = {name: place for place, name in enumerate(names, 1)}
    for (number, shape), recipe in recipes.items():
        rule = judged.rules[number]
        row: dict[str, object] = {"number": len(rows), "rule": number, "shape": shape}
        row |= {"id": rule.id, "severity": rule.severity}
        row["missing"] = list(recipe.missing)
        for text, parts in zip(TEXTS, recipe.texts, strict=True):
            if parts is None:
                continue
            row |= {f"{text}_{n}": part for n, part in enumerate(parts[::2])}
            row |= {f"{text}_name_{n}": places[part] for n, part in enumerate(parts[1::2])}
        rows.append(row)
    plain = [(f"{text}_{n}", pa.string()) for text in TEXTS for n in range(MOST_NAMES + 1)]
    named = [(f"{text}_name_{n}", pa.int64()) for text in TEXTS for n in range(MOST_NAMES)]
    own = [("number", pa.int64()), ("rule", pa.int64()), ("shape", pa.uint64()), ("id", pa.string())]
    own.append(("severity", pa.string()))
    schema = pa.schema([*own, ("missing", pa.list_(pa.string())), *plain, *named])
    return pa.Table.from_pylist(rows, schema)


def _text_sql(text: str) -> str:
    """One text of a recipe for a flow; NULL where it has none."""
    if text not in IN_PARTS:
        return f"COALESCE(flows.names[recipe.{text}_name_0], recipe.{text}_0)"
    parts = [f"recipe.{text}_0"]
    for n in range(MOST_NAMES):
        parts += [f"flows.names[recipe.{text}_name_{n}]", f"recipe.{text}_{n + 1}"]
    whole = f"CONCAT({', '.join(parts)})"
    return f"CASE WHEN recipe.{text}_name_0 IS NULL THEN recipe.{text}_0 ELSE {whole} END"


def _subject_sql() -> str:
    return f"STRUCT_PACK({', '.join(f'{name} := {_text_sql(name)}' for name in Subject._fields)}) AS subject"
