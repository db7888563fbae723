"""From the verdicts that Spark chose to rows of the tables, by the functions of ``check``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypedDict, cast

from pyspark.sql import DataFrame, SparkSession

from lintmdb.engine.findings import Finding, Subject
from lintmdb.engine.flow_rows import COMPUTED, FlowRows, JudgedRows
from lintmdb.engine.judge import build_subject, build_undecided
from lintmdb.engine.tables import CONSUMER_ALIASES, FLOW_ALIASES
from lintmdb.fleet.arrow import Batch, mapped, pa, records
from lintmdb.fleet.facts.encoding import decode_origins
from lintmdb.fleet.judging.judge import HAZARD, Verdicts, alias_structs, first_sql, source_sql
from lintmdb.fleet.judging.suppressed import SuppressionKeys
from lintmdb.fleet.judging.tables import SCHEMAS, SUPPRESSION, Shown, finding_row, undecided_row
from lintmdb.model.relations import ALIASES, RELATIONS, Binding, Problem, Row
from lintmdb.report.json_report import suppression_json
from lintmdb.rules.rule import Rule
from lintmdb.run.owners import NOBODY, Owners

_SUBJECT = "STRUCT<" + ", ".join(f"`{name}`: STRING" for name in Subject._fields) + ">"
FINDINGS = (
    "rule STRING, name STRING, severity STRING, confidence STRING, message STRING, "
    f"subject {_SUBJECT}, `values` STRING, location STRUCT<path: STRING, line: INT, `column`: INT>, "
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
    verdicts: Verdicts,
    left_out: SuppressionKeys | None,
    owners: Owners = NOBODY,
    *,
    repeats: bool,
) -> DataFrame:
    """One row a hazard or undecided verdict: a struct ``finding`` (FINDINGS) or a struct ``undecided`` (UNDECIDEDS).

    A finding that does not count has a struct ``suppression``, too; ``used`` are the numbers of what of ``left_out``
    is about the verdict, NULL where nothing is. Only the flows that show a verdict first are joined again, this time
    with all columns and where these were read.
    """
    base = verdicts.base
    first = first_sql(base, repeats=repeats)
    if base == "flow":
        rows = f"SELECT {first} AS first, {alias_structs()} {source_sql(base, 'origins')}"
    else:
        rows = f"SELECT {first} AS first, struct({base}.*) AS `{base}` {source_sql(base)}"
    verdicts.chosen.createOrReplaceTempView(f"chosen_{base}")
    shown = spark.sql(
        f"""
        SELECT shown.*, chosen.verdicts FROM ({rows}) AS shown
        INNER JOIN (
            SELECT first, COLLECT_LIST(NAMED_STRUCT('rule', rule, 'verdict', verdict, 'flows', flows)) AS verdicts
            FROM chosen_{base} GROUP BY first
        ) AS chosen ON chosen.first = shown.first
        """
    )
    return mapped(shown, Presenter(base, tuple(verdicts.rules), left_out, owners), PRESENTED)


class ChosenVerdict(TypedDict):
    """A verdict that rows show first."""

    rule: int
    """Its place among the rules of the base."""
    verdict: int
    flows: int


@dataclass(frozen=True, slots=True)
class Presenter:
    """What an executor runs over batches of rows that show verdicts."""

    base: str
    rules: tuple[Rule, ...]
    left_out: SuppressionKeys | None = None
    owners: Owners = NOBODY

    def __call__(self, batches: Iterator[Batch]) -> Iterator[Batch]:
        """Batches of PRESENTED."""
        for batch in batches:
            for start in range(0, batch.num_rows, _PIECE):
                rows = [
                    row
                    for entry in records(batch.slice(start, _PIECE), dict[str, object])
                    for row in self._present(entry)
                ]
                if rows:
                    yield pa.RecordBatch.from_pylist(rows, _ARROW_PRESENTED)

    def _present(self, entry: Mapping[str, object]) -> Iterator[dict[str, object]]:
        shown = Shown(_rows(self.base, entry))
        for verdict in cast("list[ChosenVerdict]", entry["verdicts"]):
            rule = self.rules[verdict["rule"]]
            if verdict["verdict"] == HAZARD:
                yield self._hazard(rule, shown, verdict["flows"])
            else:
                yield self._open(rule, shown)

    def _hazard(self, rule: Rule, shown: Shown, flows: int) -> dict[str, object]:
        finding = Finding(rule, build_subject(rule.subject, shown.rows), shown.rows, None, flows)
        row: dict[str, object] = {"finding": finding_row(finding, shown, self.owners)}
        if self.left_out is not None:
            suppressed, used = self.left_out.of_finding(finding)
            row["used"] = used or None
            if suppressed is not None:
                row["suppression"] = suppression_json(suppressed)
        return row

    def _open(self, rule: Rule, shown: Shown) -> dict[str, object]:
        entry = build_undecided(rule, build_subject(rule.subject, shown.rows), shown.rows, None)
        row: dict[str, object] = {"undecided": undecided_row(entry, shown.cell, shown.queue_manager, self.owners)}
        if self.left_out is not None:
            row["used"] = self.left_out.of_undecided(rule.id, entry.subject) or None
        return row


_PIECE = 512


def _rows(base: str, entry: Mapping[str, object]) -> JudgedRows:
    if base != "flow":
        return cast("Binding | Problem", _row(base, entry[base]))
    rows = {alias: _row(alias, entry[alias]) for alias in (*FLOW_ALIASES, *CONSUMER_ALIASES)}
    return cast("Callable[..., FlowRows]", FlowRows)(**rows, **{name: entry[name] for name in COMPUTED})


def _row(alias: str, entry: object) -> Row | None:
    values = cast("dict[str, object] | None", entry)
    if values is None:
        return None
    relation = cast("Callable[..., Row]", RELATIONS[ALIASES[alias].relation])
    kept = {name: value for name, value in values.items() if name not in ("part", "row", "row_id", "origins")}
    if "origins" in values:
        kept["origins"] = decode_origins(cast("str | None", values["origins"]))
    return relation(**kept)
