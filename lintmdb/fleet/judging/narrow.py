"""The join with narrow rows: of each relation the columns that joins read, and one packed column with all others.

Every join of two large relations copies the rows of a flow, and a packed column is copied as a whole. Rows are matched
by 32-bit hashes of names, one for the queue manager in its environment and one for everything else, because Spark's
hash tables of numbers are far faster than those of texts. The names themselves are compared only where the hashes are
equal.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pyspark.sql import SparkSession

from lintmdb.engine.flow_join import ENVIRONMENT, Dialect, assemble, equalities, fill_in, join_parts
from lintmdb.engine.flow_rows import COMPUTED
from lintmdb.engine.tables import CONSUMER_ALIASES, CONSUMER_COLUMNS, FLOW_ALIASES
from lintmdb.fleet.facts.encoding import stored_columns
from lintmdb.fleet.facts.views import ENDPOINT_ROW, SELECTED, SELECTED_VIEWS
from lintmdb.model.columns import columns
from lintmdb.model.relations import ALIASES, RELATIONS

_PREFIX = "narrow_"
_MANAGER = "manager_number"
_BY_MANAGER = f"/*+ REPARTITION({_MANAGER}) */"
JOINED = {
    "endpoint": (
        "id",
        "kind",
        "name",
        "cell",
        "cluster",
        "server_id",
        "max_sessions",
        "bean_count",
        "initial_state",
        "non_asf_timeout_ms",
        "destination_type",
        "transport",
        "channel",
        "queue_manager",
        "queue",
        "other_queue_manager",
        "topic",
        "subscription_durable",
        "migration_mode",
        "user",
        "user_observed",
        "destination_id",
    ),
    "server": ("id", "member_count", "cluster_size", "was_level"),
    "placement": ("server_id", "address", "server_count"),
    "bean": ("endpoint_id", "subscription_durable"),
    "queue_name": ("queue_manager", "name", "resolution", "local_queue"),
    "listed_names": ("queue_manager", "kind", "beginning"),
    "queue": ("queue_manager", "name", "backout_queue", "poison_queue", "backout_circle", "backout_circle_queues"),
    "topic": ("queue_manager", "topic_string", "covers_below", "durable_model", "nondurable_model"),
    "put_target": ("queue_manager", "name", "local_queue"),
    "queue_manager": (
        "name",
        "platform",
        "dead_letter_queue",
        "lists_queues",
        "lists_channels",
        "windows_accounts",
        "ambiguous",
    ),
    "channel": (
        "queue_manager",
        "name",
        "defined",
        "sharing_conversations",
        "max_instances",
        "max_instances_per_client",
    ),
    "channel_access": ("queue_manager", "channel", "user", "effective_user"),
    "authority": ("queue_manager", "queue", "account"),
    "destination": ("id",),
}
"""The stored columns that ``flow.sql`` reads."""
_BEAN_COLUMNS = ("packed", "subscription_durable")
"""The columns of a bean that its endpoint carries through the join."""


def key_sql(half: int, *fields: str) -> str:
    """One half of a key that is equal where all fields are equal; NULL equals NULL."""
    known = ", ".join(f"COALESCE({field}, '\\u0000')" for field in fields)
    return f"xxhash64({half}, {known})"


@dataclass(frozen=True, slots=True)
class Endpoints:
    """Which endpoints flows start from."""

    name: str
    """A name for what is made of these flows."""
    rows: str
    """The view of the endpoints."""
    never: frozenset[str] = frozenset()
    """Relations that none of these flows has a row of, so that Spark need not plan their joins."""


FLEET = Endpoints("flow", ENDPOINT_ROW)
"""Those of the exports."""


def narrow_flows(
    spark: SparkSession, wanted: Iterable[str], counted: Sequence[str], endpoints: Endpoints, *, repeats: bool
) -> str:
    """FROM and all joins, one column per alias, with the columns that are ``wanted`` as ``alias.column``, and those of
    CONSUMER_ALIASES that are ``counted``.

    Each alias also has ``part`` and ``row_id``, and ``key_1`` and ``key_2`` where several of its rows can be about one
    subject; ``endpoint`` has ``located_row``. Creates temporary views. With ``repeats`` the join may find several rows
    where it usually finds one. The flows of FLEET come first: the views that they leave serve all others, too, which
    want no more.
    """
    wanted = set(wanted)
    packed = _packed(wanted)
    dialect = _dialect(endpoints)
    _make_views(spark, packed, endpoints, repeats=repeats)
    _make_paths(spark, dialect, endpoints, repeats=repeats)
    flat = (name for name in JOINED["endpoint"] if name not in COMPUTED)
    beans = (f"bean_{name}" for name in _BEAN_COLUMNS)
    carried = [
        f"consumer.{name}" for name in ("row_id", "located_row", "environment", *flat, _MANAGER, "packed", *beans)
    ]
    without = {"bean", *CONSUMER_ALIASES} - set(counted)
    name = "queue_name.packed"
    if not repeats:  # then the endpoint was located by the very row of the name that the join would find
        without.add("queue_name")
        carried.append("located_name.packed AS name_packed")
        name = "endpoint.name_packed"
    joins = assemble(carried, dialect, without=without)
    keys = ("key_1", "key_2") if repeats else ()
    # Rows that are already partitioned by the same key are joined without a sort.
    hint = f"/*+ SHUFFLE_HASH({', '.join(counted)}) */ " if counted else ""
    return f"FROM (SELECT {hint}{', '.join(_aliases([*packed['endpoint'], *keys], name, counted))} {joins})"


def _make_views(spark: SparkSession, packed: dict[str, list[str]], endpoints: Endpoints, *, repeats: bool) -> None:
    """A narrow view of each relation and of each view in SELECTED."""
    for table, relation in {**{relation: relation for relation in JOINED}, **SELECTED}.items():
        name = _narrow_view(endpoints, table)
        if table in endpoints.never:
            spark.sql(_nothing(relation, packed.get(relation, ()))).createOrReplaceTempView(name)
        elif table == "endpoint" or endpoints == FLEET:
            flat = ["row_id", "environment", *(f"`{name}`" for name in JOINED[relation])]
            if manager := _manager_column(relation):
                flat.append(f"hash(environment, {manager}) AS {_MANAGER}")
            source = endpoints.rows if table == "endpoint" else table
            flat.append(f"struct({_struct(relation, packed.get(relation, ()), repeats=repeats)}) AS packed")
            spark.sql(f"SELECT {', '.join(flat)} FROM {source}").createOrReplaceTempView(name)


def _nothing(relation: str, fields: Sequence[str]) -> str:
    """A narrow view without rows, which Spark drops from joins before it plans them."""
    types = {column.name: _TYPES[column.type] for column in stored_columns(relation)}
    columns = {"row_id": "BIGINT", "environment": "STRING"} | {name: types[name] for name in JOINED[relation]}
    wanted = "".join(f", `{field}`: {types[field]}" for field in fields)
    columns |= {_MANAGER: "INT", "packed": f"STRUCT<part: BIGINT, row_id: BIGINT{wanted}>"}
    nothing = ", ".join(f"CAST(NULL AS {type_}) AS `{name}`" for name, type_ in columns.items())
    return f"SELECT {nothing} FROM VALUES (0) AS nothing(number) WHERE FALSE"


_TYPES = {"text": "STRING", "integer": "BIGINT", "boolean": "BOOLEAN"}


def _make_paths(spark: SparkSession, dialect: Dialect, endpoints: Endpoints, *, repeats: bool) -> None:
    """The view of endpoints with their beans, which join first, while the rows are still short.

    A bean has the queue manager of its endpoint, but where rows repeat, another export may give another one.
    """
    selected = f"endpoint.*, {', '.join(f'bean.{name} AS bean_{name}' for name in _BEAN_COLUMNS)}"
    joined = fill_in(join_parts()["bean"], dialect)
    if repeats:
        rows = _narrow_view(endpoints, "endpoint")
        query = f"SELECT {_BY_MANAGER} {selected} FROM {rows} AS endpoint {joined}"
    else:
        rows = dialect.table("endpoint")
        query = f"SELECT {selected} FROM {rows} AS endpoint {joined} AND bean.{_MANAGER} = endpoint.{_MANAGER}"
    spark.sql(query).createOrReplaceTempView(dialect.paths)


def _narrow_view(endpoints: Endpoints, table: str) -> str:
    own = table == "endpoint" or table in endpoints.never
    return f"{_PREFIX}{endpoints.name}_{table}" if own else f"{_PREFIX}{table}"


def _by_numbers(condition: str) -> str:
    """A condition of equal columns, written so that Spark joins by numbers and only then compares the columns.

    ``IS TRUE`` keeps the equalities of columns from becoming keys of the join.
    """
    keys: list[str] = []
    rest: list[tuple[str, str]] = []
    for left, right in equalities(condition):
        if ENVIRONMENT in left:
            continue  # the number of the queue manager, or the id, is that of one environment
        if left.endswith(".queue_manager") or right.endswith(".queue_manager"):
            keys.append(f"{left.split('.')[0]}.{_MANAGER} = {right.split('.')[0]}.{_MANAGER}")
        else:
            rest.append((left, right))
    if rest:
        keys.append(" = ".join(_number(*side) for side in zip(*rest, strict=True)))
    return f"{' AND '.join(keys)} AND ({condition}) IS TRUE"


def _number(*names: str) -> str:
    """32 bits that are equal where all names are; NULL, which equals nothing, where one of them is NULL."""
    return f"CASE WHEN {' AND '.join(f'{name} IS NOT NULL' for name in names)} THEN hash({', '.join(names)}) END"


def _dialect(endpoints: Endpoints) -> Dialect:
    def table(alias: str) -> str:
        """The narrow view; endpoints are brought together by queue manager, so that later joins need not."""
        view = SELECTED_VIEWS.get(alias, ALIASES[alias].relation if alias in ALIASES else alias)
        narrow = _narrow_view(endpoints, view)
        return f"(SELECT {_BY_MANAGER} * FROM {narrow})" if alias == "endpoint" else narrow

    return Dialect(
        table=table,
        match=_by_numbers,
        manager=f"{{0}}.{_MANAGER}, {{0}}.queue_manager".format,
        bean="endpoint.bean_{}".format,
        apart=True,
        paths=f"{_PREFIX}{endpoints.name}_path",
    )


def _manager_column(relation: str) -> str:
    """The column that holds the queue manager of a row; blank where there is none."""
    if relation == "queue_manager":
        return "name"
    return "queue_manager" if any(column.name == "queue_manager" for column in stored_columns(relation)) else ""


def _packed(wanted: Iterable[str]) -> dict[str, list[str]]:
    """The columns of each relation that rules read under any of its aliases."""
    packed: dict[str, list[str]] = {ALIASES[alias].relation: [] for alias in FLOW_ALIASES}
    for name in sorted(set(wanted)):
        alias, _, column = name.partition(".")
        if alias in CONSUMER_ALIASES or (alias == "endpoint" and column in COMPUTED):
            continue
        if column not in packed[ALIASES[alias].relation]:
            packed[ALIASES[alias].relation].append(column)
    return packed


def _struct(relation: str, fields: Sequence[str], *, repeats: bool) -> str:
    keys = _identity(relation) if repeats or relation not in ("endpoint", "bean") else []
    halves = [f"{key_sql(half, *keys)} AS key_{half}" for half in (1, 2)] if keys else []
    return ", ".join(["part", "row_id", *(f"`{field}`" for field in fields), *halves])


def _identity(relation: str) -> list[str]:
    """The columns that identify the subject of a row."""
    names = [column.name for column in columns(RELATIONS[relation]) if column.identity]
    if relation == "server":
        # A cluster is identified by its template, whose own name means nothing.
        names[names.index("name")] = "CASE WHEN node IS NULL AND cluster IS NOT NULL THEN NULL ELSE name END"
    return names


def _aliases(endpoint: Sequence[str], name: str, counted: Sequence[str]) -> list[str]:
    """The columns of a flow, one per alias."""
    stored = [f"'{field}', endpoint.packed.{field}" for field in ("part", "row_id", *endpoint)]
    more = [f"'{field}', endpoint.{field}" for field in ("located_row", *COMPUTED)]
    aliases = [f"named_struct({', '.join(stored + more)}) AS endpoint"]
    packed = {alias: f"{alias}.packed" for alias in FLOW_ALIASES if alias != "endpoint"}
    packed |= {"queue_name": name, "bean": "endpoint.bean_packed"}
    aliases += [f"{column} AS {alias}" for alias, column in packed.items()]
    for alias in counted:
        fields = ", ".join(f"'{field}', {alias}.{field}" for field in CONSUMER_COLUMNS)
        aliases.append(f"named_struct({fields}) AS {alias}")
    return aliases
