"""The join with narrow rows: of each relation the columns that it is joined by, and one packed column with the rest.

A row of a flow is copied at every join of two large relations. A packed column is copied in one piece. Rows are found
by numbers that are hashes of names, the queue manager's in one half of 64 bits and all else in the other: Spark's
tables of such numbers are far faster than those of texts. The names themselves are compared where numbers are equal.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from pyspark.sql import SparkSession

from lintmdb.engine.flow_rows import COMPUTED
from lintmdb.engine.tables import CONSUMER_ALIASES, CONSUMER_COLUMNS, FLOW_ALIASES, flow_sql
from lintmdb.fleet.facts.relations import stored_columns
from lintmdb.fleet.facts.views import ENDPOINT_ROW, SELECTED, SELECTED_TABLES
from lintmdb.model.columns import columns
from lintmdb.model.relations import ALIASES, RELATIONS

_PREFIX = "narrow_"
_NAME_JOIN = re.compile(r"LEFT JOIN queue_name ON [^\n]*\n")
_BEAN_JOIN = re.compile(r"LEFT JOIN bean ON ([^\n]*)\n")
_BEAN_COLUMN = re.compile(r"\bbean\.(\w+)")
_EQUALITY = r"\w+\.\w+ = \w+\.\w+"
_BY_NAMES = re.compile(rf"\bON\s+({_EQUALITY}(?:\s+AND {_EQUALITY})*)")
_MANAGER_SELECTED = re.compile(r"\b(SELECT|GROUP BY) (\w+)\.queue_manager\b")
_LINES = re.DOTALL | re.MULTILINE
_MANAGER = "manager_number"
_PATH = "path_row"
_BY_MANAGER = f"/*+ REPARTITION({_MANAGER}) */"
_ENDPOINTS = f"(SELECT {_BY_MANAGER} * FROM {_PREFIX}endpoint)"
"""Endpoints that are together by queue manager, so that they need not move from join to join."""
_TABLE = re.compile(r"\b(FROM|JOIN) (\w+)( AS \w+)?")


def key_of(half: int, *fields: str) -> str:
    """One half of a key that is the same where all fields are the same, unknown ones included."""
    known = ", ".join(f"COALESCE({field}, '\\u0000')" for field in fields)
    return f"xxhash64({half}, {known})"


def narrow_flows(spark: SparkSession, wanted: Iterable[str], *, repeats: bool) -> str:
    """FROM and all joins, one column an alias, with the columns that are ``wanted`` as ``alias.column``.

    Each alias also has ``row_id``, and ``key_1`` and ``key_2`` where several rows can tell of one subject; ``endpoint``
    has ``located_row``. Makes temporary views. With ``repeats`` the join may find several rows where it looks for one.
    """
    wanted = set(wanted)
    text = flow_sql()
    joined = set(re.findall(r"\.(\w+)", text))
    counted = [alias for alias in CONSUMER_ALIASES if any(name.startswith(f"{alias}.") for name in wanted)]
    for alias in CONSUMER_ALIASES:
        if alias not in counted:
            text = _without(re.compile(rf"LEFT JOIN \((?:(?!^LEFT JOIN).)*^\) AS {alias} ON [^\n]*\n", _LINES), text)
    packed = _packed(wanted)
    tables = {**{relation: relation for relation in packed}, **SELECTED}
    for table, relation in tables.items():
        flat = ["row_id", *(f"`{c.name}`" for c in columns(RELATIONS[relation]) if c.name in joined)]
        if manager := _manager_of(relation):
            flat.append(f"hash({manager}) AS {_MANAGER}")
        source = ENDPOINT_ROW if table == "endpoint" else table
        flat.append(f"struct({_struct(relation, packed[relation], repeats=repeats)}) AS packed")
        spark.sql(f"SELECT {', '.join(flat)} FROM {source}").createOrReplaceTempView(_PREFIX + table)
    text, bean = _with_beans(spark, text, repeats=repeats)
    flat = [c.name for c in columns(RELATIONS["endpoint"]) if c.name in joined and c.name not in COMPUTED]
    carried = [f"consumer.{name}" for name in ("row_id", "located_row", *flat, _MANAGER, "packed", *bean)]
    name = "queue_name.packed"
    if not repeats:  # then the row of the name is the one that the endpoint was located by
        text = _without(_NAME_JOIN, text)
        carried.append("located_name.packed AS name_packed")
        name = "endpoint.name_packed"
    text = text.format(endpoint=", ".join(carried), **SELECTED_TABLES)
    text = _MANAGER_SELECTED.sub(rf"\1 \2.{_MANAGER}, \2.queue_manager", text)
    text = _BY_NAMES.sub(lambda match: f"ON {_by_numbers(match[1])}", text)
    text = _TABLE.sub(lambda match: _narrow_table(match, tables), text)
    keys = ("key_1", "key_2") if repeats else ()
    # Rows that are together already are joined without sorting them.
    hint = f"/*+ SHUFFLE_HASH({', '.join(counted)}) */ " if counted else ""
    return f"FROM (SELECT {hint}{', '.join(_aliases([*packed['endpoint'], *keys], name, counted))} {text})"


def _with_beans(spark: SparkSession, text: str, *, repeats: bool) -> tuple[str, list[str]]:
    """The joins without that of beans, and the columns of an endpoint that take their place.

    Endpoints get their beans first, while their rows are still short. A bean knows its endpoint's queue manager, but
    where rows repeat, another export can tell of another one.
    """
    found = _BEAN_JOIN.search(text)
    assert found
    text = _without(_BEAN_JOIN, text)
    names = sorted({"packed", *_BEAN_COLUMN.findall(text)})
    text = _BEAN_COLUMN.sub(r"endpoint.bean_\1", text)
    text, count = re.subn(r"FROM endpoint AS stored\b", f"FROM {_PATH} AS stored", text)
    assert count == 1
    selected = f"endpoint.*, {', '.join(f'bean.{name} AS bean_{name}' for name in names)}"
    joined = f"LEFT JOIN {_PREFIX}bean AS bean ON {_by_numbers(found[1])}"
    if repeats:
        query = f"SELECT {_BY_MANAGER} {selected} FROM {_PREFIX}endpoint AS endpoint {joined}"
    else:
        query = f"SELECT {selected} FROM {_ENDPOINTS} AS endpoint {joined} AND bean.{_MANAGER} = endpoint.{_MANAGER}"
    spark.sql(query).createOrReplaceTempView(_PATH)
    return text, [f"bean_{name}" for name in names]


def _without(pattern: re.Pattern[str], text: str) -> str:
    text, count = pattern.subn("", text)
    assert count == 1, pattern.pattern
    return text


def _manager_of(relation: str) -> str:
    """The column that tells the queue manager of a row, if there is one."""
    if relation == "queue_manager":
        return "name"
    return "queue_manager" if any(column.name == "queue_manager" for column in stored_columns(relation)) else ""


def _number(*names: str) -> str:
    """32 bits that are the same where all names are; NULL, which is equal to nothing, where one is."""
    return f"CASE WHEN {' AND '.join(f'{name} IS NOT NULL' for name in names)} THEN hash({', '.join(names)}) END"


def _by_numbers(condition: str) -> str:
    """A condition of equal columns so that Spark looks for numbers, and only then compares the columns.

    As ``IS TRUE`` hides them, their equalities are no keys of the join.
    """
    keys: list[str] = []
    rest: list[tuple[str, str]] = []
    for equality in re.findall(_EQUALITY, condition):
        left, right = equality.split(" = ")
        if left.endswith(".queue_manager") or right.endswith(".queue_manager"):
            keys.append(f"{left.split('.')[0]}.{_MANAGER} = {right.split('.')[0]}.{_MANAGER}")
        else:
            rest.append((left, right))
    if rest:
        keys.append(" = ".join(_number(*side) for side in zip(*rest, strict=True)))
    return f"{' AND '.join(keys)} AND ({condition}) IS TRUE"


def _packed(wanted: Iterable[str]) -> dict[str, list[str]]:
    """The columns of each relation that are needed under any of its aliases."""
    packed: dict[str, list[str]] = {ALIASES[alias].relation: [] for alias in FLOW_ALIASES}
    for name in sorted(wanted):
        alias, _, column = name.partition(".")
        if alias in CONSUMER_ALIASES or (alias == "endpoint" and column in COMPUTED):
            continue
        if column not in packed[ALIASES[alias].relation]:
            packed[ALIASES[alias].relation].append(column)
    return packed


def _struct(relation: str, fields: Sequence[str], *, repeats: bool) -> str:
    keys = _identity(relation) if repeats or relation not in ("endpoint", "bean") else []
    halves = [f"{key_of(half, *keys)} AS key_{half}" for half in (1, 2)] if keys else []
    return ", ".join(["row_id", *(f"`{field}`" for field in fields), *halves])


def _identity(relation: str) -> list[str]:
    """What tells the subjects apart that a row stands for."""
    names = [column.name for column in columns(RELATIONS[relation]) if column.identity]
    if relation == "server":
        # A cluster is told by its template, whose own name says nothing.
        names[names.index("name")] = "CASE WHEN node IS NULL AND cluster IS NOT NULL THEN NULL ELSE name END"
    return names


def _narrow_table(match: re.Match[str], tables: Mapping[str, str]) -> str:
    word, table, alias = match.groups()
    if table not in tables:
        return match.group()
    return f"{word} {_ENDPOINTS if table == 'endpoint' else _PREFIX + table}{alias or f' AS {table}'}"


def _aliases(endpoint: Sequence[str], name: str, counted: Sequence[str]) -> list[str]:
    """The columns of a flow, an alias each."""
    stored = [f"'{field}', endpoint.packed.{field}" for field in ("row_id", *endpoint)]
    more = [f"'{field}', endpoint.{field}" for field in ("located_row", *COMPUTED)]
    aliases = [f"named_struct({', '.join(stored + more)}) AS endpoint"]
    packed = {alias: f"{alias}.packed" for alias in FLOW_ALIASES if alias != "endpoint"}
    packed |= {"queue_name": name, "bean": "endpoint.bean_packed"}
    aliases += [f"{column} AS {alias}" for alias, column in packed.items()]
    for alias in counted:
        fields = ", ".join(f"'{field}', {alias}.{field}" for field in CONSUMER_COLUMNS)
        aliases.append(f"named_struct({fields}) AS {alias}")
    return aliases
