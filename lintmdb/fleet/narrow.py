"""The join with narrow rows: of each relation the columns that it is joined by, and one packed column with the rest.

A row of a flow is copied at every join of two large relations. A packed column is copied in one piece; for rows of
more than a hundred columns Spark generates no code at all.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from pyspark.sql import SparkSession

from lintmdb.engine.rows import COMPUTED
from lintmdb.engine.sql import CONSUMER_ALIASES, CONSUMER_COLUMNS, FLOW_ALIASES, flow_sql
from lintmdb.fleet.views import HINT, SELECTED, SELECTED_TABLES
from lintmdb.model import ALIASES, RELATIONS, columns

_PREFIX = "narrow_"
_NAME_JOIN = re.compile(r"LEFT JOIN queue_name ON [^\n]*\n")
_TABLE = re.compile(r"\b(FROM|JOIN) (\w+)( AS \w+)?")
_IDENTITY = {
    "endpoint": ("kind", "name", "cell", "cluster", "node", "server"),
    "bean": ("application", "module", "name"),
    "destination": ("name", "cell", "bus"),
    # A cluster is told by its template, whose own name says nothing.
    "server": ("cell", "cluster", "CASE WHEN node IS NULL AND cluster IS NOT NULL THEN NULL ELSE name END", "node"),
}
"""What tells the subjects apart that a row stands for."""
_READ = {"endpoint": ("cell", "queue_manager", "queue"), "queue": ("name",)}
"""Columns that are needed whatever the rules read."""


def key_of(half: int, *fields: str) -> str:
    """One half of a key that is the same where all fields are the same, unknown ones included."""
    known = ", ".join(f"COALESCE({field}, '\\u0000')" for field in fields)
    return f"xxhash64({half}, {known})"


def narrow_flows(spark: SparkSession, wanted: Iterable[str], *, repeats: bool) -> str:
    """FROM and all joins, one column an alias, with the columns that are ``wanted`` as ``alias.column``.

    Each alias also has ``row_id``, and ``key_1`` and ``key_2`` where it can be a subject; ``endpoint`` has
    ``located_row``. Makes temporary views. With ``repeats`` the join may find several rows where it looks for one.
    """
    text = flow_sql()
    joined = set(re.findall(r"\.(\w+)", text))
    packed = _packed(wanted)
    tables = {**{relation: relation for relation in packed}, **SELECTED}
    for table, relation in tables.items():
        flat = [f"`{c.name}`" for c in columns(RELATIONS[relation]) if c.name in joined]
        spark.sql(
            f"SELECT row_id, {', '.join(flat)}, struct({_struct(relation, packed[relation])}) AS packed FROM {table}"
        ).createOrReplaceTempView(_PREFIX + table)
    flat = [c.name for c in columns(RELATIONS["endpoint"]) if c.name in joined and c.name not in COMPUTED]
    carried = [f"consumer.{name}" for name in ("row_id", "located_row", *flat, "packed")]
    name = "queue_name.packed"
    if not repeats:  # then the row of the name is the one that the endpoint was located by
        text, count = _NAME_JOIN.subn("", text)
        assert count == 1
        carried.append("located_name.packed AS name_packed")
        name = "endpoint.name_packed"
    text = text.format(endpoint=", ".join(carried), **SELECTED_TABLES)
    text = _TABLE.sub(lambda match: _narrow_table(match, tables), text)
    return f"FROM (SELECT {HINT} {', '.join(_aliases(packed['endpoint'], name))} {text})"


def _packed(wanted: Iterable[str]) -> dict[str, list[str]]:
    """The columns of each relation that are needed under any of its aliases."""
    packed = {ALIASES[alias]: list(_READ.get(ALIASES[alias], ())) for alias in FLOW_ALIASES}
    for name in sorted(set(wanted)):
        alias, _, column = name.partition(".")
        if alias in CONSUMER_ALIASES or (alias == "endpoint" and column in COMPUTED):
            continue
        if column not in packed[ALIASES[alias]]:
            packed[ALIASES[alias]].append(column)
    return packed


def _struct(relation: str, fields: Sequence[str]) -> str:
    keys = _IDENTITY.get(relation)
    halves = [f"{key_of(half, *keys)} AS key_{half}" for half in (1, 2)] if keys else []
    return ", ".join(["row_id", *(f"`{field}`" for field in fields), *halves])


def _narrow_table(match: re.Match[str], tables: Mapping[str, str]) -> str:
    word, table, alias = match.groups()
    return f"{word} {_PREFIX}{table}{alias or f' AS {table}'}" if table in tables else match.group()


def _aliases(endpoint: Sequence[str], name: str) -> list[str]:
    """The columns of a flow, an alias each."""
    stored = [f"'{field}', endpoint.packed.{field}" for field in ("row_id", *endpoint, "key_1", "key_2")]
    more = [f"'{field}', endpoint.{field}" for field in ("located_row", *COMPUTED)]
    aliases = [f"named_struct({', '.join(stored + more)}) AS endpoint"]
    packed = {alias: f"{alias}.packed" for alias in FLOW_ALIASES if alias != "endpoint"} | {"queue_name": name}
    aliases += [f"{column} AS {alias}" for alias, column in packed.items()]
    for alias in CONSUMER_ALIASES:
        fields = ", ".join(f"'{field}', {alias}.{field}" for field in CONSUMER_COLUMNS)
        aliases.append(f"named_struct({fields}) AS {alias}")
    return aliases
