"""From the verdicts that Spark chose to rows of the tables, by the functions of ``check``."""

from __future__ import annotations

import functools
import itertools
import json
import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict, cast

from pyspark.sql import DataFrame, SparkSession

from lintmdb.engine.findings import Finding, Subject, Undecided
from lintmdb.engine.flow_rows import COMPUTED, FlowRows, JudgedRows
from lintmdb.engine.judge import build_subject, build_undecided
from lintmdb.engine.tables import CONSUMER_ALIASES, CONSUMER_COLUMNS, FLOW_ALIASES
from lintmdb.fleet.arrow import Batch, mapped, pa, records
from lintmdb.fleet.facts.encoding import STORED, decode_origins, has_origins, may_have_origin
from lintmdb.fleet.facts.views import BROADCAST_ROWS
from lintmdb.fleet.judging.judge import HAZARD, Verdicts, count_kept, keep, shown_columns
from lintmdb.fleet.judging.suppressed import SuppressionKeys
from lintmdb.fleet.judging.tables import SCHEMAS, SUPPRESSION, Shown, finding_row, undecided_row
from lintmdb.model.columns import columns
from lintmdb.model.origins import ExportOrigins, Located
from lintmdb.model.relations import ALIASES, Binding, Consumers, Problem, Row
from lintmdb.report.json_report import suppression_json
from lintmdb.rules.rule import Rule
from lintmdb.run.owners import NOBODY, Owners

_SUBJECT = "STRUCT<" + ", ".join(f"`{name}`: STRING" for name in Subject._fields) + ">"
FINDINGS = (
    "rule STRING, name STRING, severity STRING, confidence STRING, message STRING, "
    f"subject {_SUBJECT}, `values` MAP<STRING, STRUCT<text: STRING, number: BIGINT, flag: BOOLEAN>>, cause STRING, "
    "location STRUCT<path: STRING, line: INT, `column`: INT>, "
    "related ARRAY<STRUCT<path: STRING, line: INT, message: STRING, default: BOOLEAN>>, "
    "trace ARRAY<STRUCT<step: INT, actor: STRING, event: STRING, text: STRING, state: MAP<STRING, BIGINT>>>, "
    "fix STRING, fingerprint STRING, flows BIGINT, cell STRING, queue_manager STRING, headline STRING, "
    "environment STRING, owner STRING"
)
UNDECIDEDS = (
    f"rule STRING, severity STRING, subject {_SUBJECT}, missing ARRAY<STRING>, needs STRING, need_kind STRING, "
    "need_target STRING, need_command STRING, cell STRING, queue_manager STRING, environment STRING, owner STRING"
)
PRESENTED = (
    f"finding STRUCT<{FINDINGS}>, undecided STRUCT<{UNDECIDEDS}>, "
    "suppression STRUCT<kind: STRING, path: STRING, line: INT, reason: STRING, expires: STRING, owner: STRING>, "
    "used ARRAY<INT>"
)
_ARROW_PRESENTED = pa.schema(
    [
        ("finding", pa.struct(SCHEMAS["findings"])),
        ("undecided", pa.struct(SCHEMAS["undecided"])),
        ("suppression", SUPPRESSION),
        ("used", pa.list_(pa.int32())),
    ]
)


def present(
    spark: SparkSession,
    judged: Sequence[Verdicts],
    scratch: Path,
    left_out: SuppressionKeys | None,
    owners: Owners = NOBODY,
) -> DataFrame:
    """One row a hazard or undecided verdict: a struct ``finding`` (FINDINGS) or a struct ``undecided`` (UNDECIDEDS).

    A finding that does not count has a struct ``suppression``, too; ``used`` are the numbers of what of ``left_out``
    is about the verdict, NULL where nothing is. Nothing is joined again but the rows of the flows that show a verdict
    first, each by its place.
    """
    places = _places(judged)
    rows = [_telling(verdicts, number, places) for number, verdicts in enumerate(judged)]
    numbered = spark.sql(" UNION ALL ".join(rows)).selectExpr("MONOTONICALLY_INCREASING_ID() AS id", "*")
    keep(spark, numbered, scratch / "telling").createOrReplaceTempView("telling")
    spark.sql("SELECT id, INLINE(places) FROM telling").createOrReplaceTempView("place")
    hint = "BROADCAST" if count_kept(scratch / "telling") <= BROADCAST_ROWS else "SHUFFLE_HASH"
    found = [
        f"SELECT /*+ {hint}(place) */ place.id, place.alias, {_json(name)} FROM {view} AS stored "
        # The number of the relation is part of the key, so that one table of places serves all of these joins.
        f"INNER JOIN place ON place.part = stored.part AND place.row = {_key('stored.row_id', number)}"
        for view, (number, name) in places.items()
    ]
    parts = " UNION ALL ".join(["SELECT id, '' AS alias, text, '' AS origins FROM telling", *found])
    shown = spark.sql(f"SELECT * FROM ({parts}) DISTRIBUTE BY id SORT BY id")
    told = tuple((verdicts.base, tuple(verdicts.rules)) for verdicts in judged)
    return mapped(shown, Presenter(told, left_out, owners), PRESENTED)


def _places(judged: Sequence[Verdicts]) -> dict[str, tuple[int, str]]:
    """The views whose rows can be shown, each with a number and its relation."""
    views: dict[str, str] = {}
    for verdicts in judged:
        if verdicts.base != "flow":
            views[verdicts.base] = verdicts.base
            continue
        views[verdicts.endpoints.rows] = "endpoint"
        for alias in FLOW_ALIASES:
            if alias != "endpoint":
                views[ALIASES[alias].relation] = ALIASES[alias].relation
    return {view: (number, relation) for number, (view, relation) in enumerate(views.items())}


def _key(row: str, number: int) -> str:
    """The row of a view by one number that no other view has in the same part."""
    return f"{row} * {1 << _VIEW_BITS} + {number}"


_VIEW_BITS = 5
"""Enough to number the views: the relations of a flow, those that are judged by themselves, and made-up endpoints."""


def _telling(verdicts: Verdicts, number: int, places: Mapping[str, tuple[int, str]]) -> str:
    """The query of flows or rows that show verdicts first: ``places`` of their stored rows, the rest as JSON."""
    base = verdicts.base
    chosen, judged = f"chosen_{number}", f"telling_{number}"
    verdicts.chosen.createOrReplaceTempView(chosen)
    verdicts.judged.where(verdicts.telling).createOrReplaceTempView(judged)
    entries = "COLLECT_LIST(STRUCT(rule, verdict, flows)) AS verdicts"
    grouped = f"(SELECT first, {entries} FROM {chosen} GROUP BY first) AS chosen"
    if base != "flow":
        row = _key("first.row", places[base][0])
        place = f"ARRAY(NAMED_STRUCT('alias', '{base}', 'part', first.part, 'row', {row}))"
        return f"SELECT {place} AS places, TO_JSON(STRUCT({number} AS told, verdicts)) AS text FROM {grouped}"
    found: list[str] = []
    values: list[str] = []
    for name, column in shown_columns(verdicts.judged).items():
        if name in FLOW_ALIASES:
            view = verdicts.endpoints.rows if name == "endpoint" else ALIASES[name].relation
            row = _key(f"{column}_row", places[view][0])
            found.append(f"NAMED_STRUCT('alias', '{name}', 'part', {column}_part, 'row', {row})")
        else:
            values.append(f"{column} AS `{name}`")
    return (
        f"SELECT FILTER(ARRAY({', '.join(found)}), place -> place.row IS NOT NULL) AS places, "
        f"TO_JSON(STRUCT({number} AS told, verdicts, {', '.join(values)})) AS text "
        f"FROM {judged} AS judged INNER JOIN {grouped} ON chosen.first = judged.first"
    )


def _json(relation: str) -> str:
    """A row of a relation as JSON under the keys of ``_keys``, and where its values were read, which JSON would double
    in length.
    """
    fields = ", ".join(f"'{key}', stored.`{name}`" for name, key in _keys(relation))
    origins = "stored.origins" if has_origins(relation) else "''"
    return f"TO_JSON(NAMED_STRUCT({fields})) AS text, {origins} AS origins"


@functools.cache
def _keys(relation: str) -> tuple[tuple[str, str], ...]:
    """The stored columns of a relation, each with a short key."""
    computed = COMPUTED if relation == "endpoint" else ()
    names = (column.name for column in columns(STORED[relation]) if column.name not in computed)
    return tuple((name, str(number)) for number, name in enumerate(names))


@functools.cache
def _blank_row(relation: str) -> tuple[dict[str, object], dict[str, str]]:
    """The stored columns of a relation without values, and their names by key."""
    return {name: None for name, _ in _keys(relation)}, {key: name for name, key in _keys(relation)}


class ChosenVerdict(TypedDict):
    """A verdict that rows show first."""

    rule: int
    """Its place among the rules of the base."""
    verdict: int
    flows: int


class _Told(TypedDict):
    """What is known of a flow or row that shows verdicts, beside the rows of exports."""

    told: int
    """The place of its verdicts among what was judged."""
    verdicts: list[ChosenVerdict]


@dataclass(frozen=True, slots=True)
class Presenter:
    """What an executor runs over batches of rows that show verdicts."""

    judged: tuple[tuple[str, tuple[Rule, ...]], ...]
    """The base and the rules of all that was judged."""
    left_out: SuppressionKeys | None = None
    owners: Owners = NOBODY

    def __call__(self, batches: Iterator[Batch]) -> Iterator[Batch]:
        """Batches of PRESENTED."""
        rows: list[dict[str, object]] = []
        for texts in texts_by_flow(batches):
            rows += self._present(texts)
            if len(rows) >= _PIECE:
                yield pa.RecordBatch.from_pylist(rows, _ARROW_PRESENTED)
                rows.clear()
        if rows:
            yield pa.RecordBatch.from_pylist(rows, _ARROW_PRESENTED)

    def _present(self, texts: dict[str, _Text]) -> Iterator[dict[str, object]]:
        told = cast("_Told", json.loads(texts.pop("")["text"]))
        base, rules = self.judged[told["told"]]
        shown = Shown(_rows(base, texts, cast("Mapping[str, object]", told)))
        subjects: dict[str, Subject] = {}
        for verdict in told["verdicts"]:
            rule = rules[verdict["rule"]]
            subject = subjects.get(rule.subject)
            if subject is None:
                subject = subjects[rule.subject] = build_subject(rule.subject, shown.rows)
            if verdict["verdict"] == HAZARD:
                yield self._hazard(Finding(rule, subject, shown.rows, None, verdict["flows"]), shown)
            else:
                yield self._open(build_undecided(rule, subject, shown.rows, None), shown)

    def _hazard(self, finding: Finding, shown: Shown) -> dict[str, object]:
        row: dict[str, object] = {"finding": finding_row(finding, shown, self.owners)}
        if self.left_out is not None:
            suppressed, used = self.left_out.of_finding(finding)
            row["used"] = used or None
            if suppressed is not None:
                row["suppression"] = suppression_json(suppressed)
        return row

    def _open(self, entry: Undecided, shown: Shown) -> dict[str, object]:
        row: dict[str, object] = {"undecided": undecided_row(entry, shown.cell, shown.queue_manager, self.owners)}
        if self.left_out is not None:
            row["used"] = self.left_out.of_undecided(entry.rule.id, entry.subject) or None
        return row


_PIECE = 2048


class _Text(TypedDict):
    """A row of a flow as JSON, or, under no alias, what else is known of it."""

    id: int
    """The number of the flow."""
    alias: str
    text: str
    origins: str | None


def texts_by_flow(batches: Iterable[Batch]) -> Iterator[dict[str, _Text]]:
    """The rows of each flow by alias. They follow each other, and may go on in the next batch."""
    texts = (text for batch in batches for text in records(batch, _Text))
    for _, rows in itertools.groupby(texts, key=operator.itemgetter("id")):
        yield {row["alias"]: row for row in rows}


class _Origins(ExportOrigins):
    """Origins that are decoded when one of them is asked for: undecided verdicts hardly ever need one."""

    def __init__(self, text: str | None) -> None:
        self._text = text

    @functools.cached_property
    def _decoded(self) -> dict[str, Located]:
        return decode_origins(self._text)

    def __getitem__(self, column: str) -> Located:
        if not may_have_origin(self._text, column):  # as of nearly all that is not known, and asked for
            raise KeyError(column)
        return self._decoded[column]

    def __iter__(self) -> Iterator[str]:
        return iter(self._decoded)

    def __len__(self) -> int:
        return len(self._decoded)


def _rows(base: str, texts: Mapping[str, _Text], told: Mapping[str, object]) -> JudgedRows:
    rows = {alias: _row(ALIASES[alias].relation, text["text"], text["origins"]) for alias, text in texts.items()}
    if base != "flow":
        return cast("Binding | Problem", rows[base])
    values = {name: told.get(name) for name in COMPUTED}
    counted = {alias: _consumers(cast("dict[str, object]", told.get(alias) or {})) for alias in CONSUMER_ALIASES}
    return cast("Callable[..., FlowRows]", FlowRows)(**rows, **counted, **values)


def _consumers(values: Mapping[str, object]) -> Consumers | None:
    if values.get("queue") is None:
        return None
    return cast("Callable[..., Consumers]", Consumers)(**{name: values.get(name) for name in CONSUMER_COLUMNS})


@functools.lru_cache(maxsize=1024)  # many flows share a queue manager, a server, or a channel
def _row(relation: str, text: str, origins: str | None) -> Row:
    """A row from its JSON, which has no fields without a value."""
    row, names = _blank_row(relation)
    row = row.copy()
    for key, value in cast("dict[str, object]", json.loads(text)).items():
        row[names[key]] = value
    if has_origins(relation):
        row["origins"] = _Origins(origins)
    return cast("Callable[..., Row]", STORED[relation])(**row)
