"""Judges on this computer: DuckDB runs the join of ``flow.sql`` and the conditions of all rules, column by column.

Each flow has a few integers that hold the verdicts of all rules, three bits a rule and one of them set, as in Spark
(``judge``): the verdicts of many flows on one subject are then their bitwise OR.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import duckdb

from lintmdb.engine.flow_join import Dialect, join_parts, join_sql
from lintmdb.engine.flow_rows import COMPUTED
from lintmdb.engine.tables import CONSUMER_ALIASES, CONSUMER_COLUMNS, FLOW_ALIASES
from lintmdb.errors import RuleError
from lintmdb.fleet.database import keep
from lintmdb.fleet.facts.encoding import LISTING, STORED, Batches, duckdb_columns, has_origins, to_tuples
from lintmdb.fleet.facts.fact_views import NUMBERED, numbered_views
from lintmdb.fleet.judging.affected import Affected
from lintmdb.fleet.judging.columnar.recipes import EQUAL_NAMES, is_name
from lintmdb.fleet.judging.job import Job
from lintmdb.model.columns import columns
from lintmdb.model.facts import Facts
from lintmdb.model.relations import ALIASES, RELATIONS, Problem
from lintmdb.rules.rule import Rule
from lintmdb.rules.verdicts import Verdict
from lintmdb.run.remote_queues import RemoteEnd

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_RULES_A_WORD = 21
"""Three bits a rule fit into a positive 64-bit integer."""
_VERDICT_BITS = 1 << 16 | 4 << 20 | 2 << 24 | 1 << 32 | 2 << 36 | 2 << 40
"""A hexadecimal digit for each pair of conditions, ``when`` times 4 and ``hazard``, each 0, 1 or, unknown, 2: 1, 2 or 4
for CLEAR, UNDECIDED or HAZARD."""
HAZARD, UNDECIDED = int(Verdict.HAZARD), int(Verdict.UNDECIDED)
SHAPED = "shaped"
"""The schema of the relations with the shape of each row."""


@dataclass(frozen=True, slots=True)
class Endpoints:
    """Which endpoints flows start from."""

    name: str
    """A name for what is made of these flows."""
    rows: str = f"{SHAPED}.endpoint"
    """The view of the endpoints."""
    never: frozenset[str] = frozenset()
    """Relations that none of these flows has a row of."""

    def view(self, alias: str) -> str:
        """The view that holds the rows of an alias."""
        relation = ALIASES[alias].relation if alias in ALIASES else alias
        if relation == "endpoint":
            return self.rows
        stored = f"{SHAPED}.{relation}"
        return f"(FROM {stored} WHERE FALSE)" if relation in self.never else stored


FLEET = Endpoints("flow")
"""Those of the exports."""


@dataclass(frozen=True, slots=True)
class Judged:
    """The verdicts of one base, as tables of the database."""

    base: str
    endpoints: Endpoints
    rules: Sequence[Rule]
    rows: int
    """How many flows or rows were judged."""

    @property
    def name(self) -> str:
        """What the names of its tables end with."""
        return self.endpoints.name if self.base == "flow" else self.base

    @property
    def judged(self) -> str:
        """A row a flow: first (its place in the order of ``check``), cell, environment, what ``shown_columns`` lists,
        ``shape``, and the verdicts and the subject of each level.
        """
        return f"judged_{self.name}"

    def view(self, alias: str) -> str:
        """The view that holds the rows of an alias."""
        return self.endpoints.view(alias)

    def words(self, level: str) -> list[str]:
        """The columns of ``judged`` that hold the verdicts on subjects of a level."""
        return [column for each in _levels(self.rules, single=False) if each.name == level for column in each.columns]

    @property
    def chosen(self) -> str:
        """A row a hazard or undecided verdict: rule (place in ``rules``), verdict, first (the flow or row that shows it
        first) with its cell, environment and shape, flows (how many show the hazard).
        """
        return f"chosen_{self.name}"

    @property
    def clear(self) -> str:
        """cell, environment, rule, number: of rule and subject pairs whose strongest verdict is clear."""
        return f"clear_{self.name}"


def make_views(
    connection: DuckDBPyConnection, job: Job, affected: Affected | None = None, ends: frozenset[RemoteEnd] = frozenset()
) -> None:
    """Make the views of all relations that judging needs, or of what is ``affected`` alone, its former parts included,
    and of all problems. That is little: as tables it is read once, and the join is planned in half of the time.

    ``ends`` is what is filled in in the rows of all exports; ``affected`` has its own.
    """
    store, state, live = job.store, job.collected.state, job.collected.live
    if affected is None:
        numbered_views(connection, store, state, live, ends=ends)
    else:
        numbered_views(
            connection,
            store,
            state,
            affected.now,
            former=affected.before,
            problems=live,
            ends=affected.ends_now,
            former_ends=affected.ends_before,
        )
        # To look for them in all conditions takes longer than to evaluate them twice for so few rows.
        connection.execute("SET disabled_optimizers = 'common_subexpressions'")
    kind = "VIEW" if affected is None else "TABLE"
    connection.execute(f"CREATE SCHEMA {SHAPED}")
    for relation in STORED:
        source = f"{NUMBERED}.{relation}"
        if relation == "problem" and job.listing:
            keep(connection, "listing", _listing(job.listing))
            names = ", ".join(f'"{name}"' for name in duckdb_columns(relation))
            source = f'(FROM {source} UNION ALL SELECT {names}, "row" AS ref, "row" AS row_id FROM listing)'
        connection.execute(f"CREATE {kind} {SHAPED}.{relation} AS SELECT {shaped(relation)} FROM {source}")


def shaped(relation: str) -> str:
    """All columns of a relation, and ``shape``: rows of one shape differ in names alone."""
    return f"*, {_shape_sql(relation)} AS shape"


def _listing(problems: Sequence[Problem]) -> object:
    facts, batches = Facts(), Batches()
    facts.add(*problems)
    batches.add(LISTING, "problem", to_tuples(facts, "problem"))
    (table,) = [batch for _, batch in batches.flush()]
    return table


def _shape_sql(relation: str) -> str:
    parts = [_shape_part(f'"{c.name}"', name=is_name(c)) for c in columns(STORED[relation]) if not c.computed]
    parts += [f'"{one}" = "{other}"' for one, other in EQUAL_NAMES.get(relation, ())]
    if has_origins(relation):
        parts.append("unusable")
    return f"HASH({', '.join(parts)})"


def _shape_part(column: str, *, name: bool) -> str:
    """The value of a column; of a name only whether it is known, and whether it is blank."""
    return f"({column} = '')" if name else column


def judge(
    connection: DuckDBPyConnection,
    base: str,
    rules: Sequence[Rule],
    *,
    repeats: bool,
    apart: bool,
    endpoints: Endpoints = FLEET,
    only: Mapping[str, str] | None = None,
) -> Judged:
    """The verdicts of the rules of one base over the views of ``make_views``.

    With ``repeats`` the join may find several rows where it usually finds one; ``apart`` says whether there are
    environments. ``only`` gives, by level, a condition of the flows that rules about such subjects are judged on.
    Raises RuleError for a rule that cannot be judged.
    """
    chosen = [rule for rule in rules if rule.base == base]
    levels = _levels(chosen, single=base == "flow" and not repeats)
    judged = Judged(base, endpoints, chosen, 0)
    parts = [f"{_first_sql(base, repeats=repeats)} AS first", *_place_sql(base), *_shown_sql(base)]
    parts += [f"{'endpoint.beans <= 1' if base == 'flow' else 'FALSE'} AS {_LONE}"]
    for level in levels:
        if level.alone != _ALWAYS:
            halves = zip("ab", _key_sql(base, level.name, repeats=repeats), strict=True)
            parts += [f"{key} AS {level.name}_{half}" for half, key in halves]
        condition = (only or {}).get(level.name)
        for place, numbers in enumerate(level.words):
            word = _word_sql(chosen, numbers)
            parts.append(f"{f'IF({condition}, {word}, 0)' if condition else word} AS {level.name}_w{place}")
    source = f"FROM {SHAPED}.{base} AS {base}"
    if base == "flow":
        dialect = Dialect(table=endpoints.view, paths=endpoints.rows, apart=apart)
        source = join_sql("part", "ref", "shape", "beans", "located_row", dialect=dialect)
    try:
        connection.execute(f"CREATE TABLE {judged.judged} AS SELECT {', '.join(parts)} {source}")
    except duckdb.Error as error:
        _blame_a_rule(connection, chosen, source)
        raise error
    for level in levels:
        connection.execute(f"CREATE TABLE {_subjects(judged, level)} AS {_subjects_sql(judged, level)}")
    connection.execute(
        f"CREATE TABLE {judged.chosen} AS SELECT chosen.*, flows.cell, flows.environment, flows.shape "
        f"FROM ({_chosen_sql(judged, levels)}) AS chosen "
        f"INNER JOIN {judged.judged} AS flows ON flows.first = chosen.first"
    )
    connection.execute(f"CREATE TABLE {judged.clear} AS {_clear_sql(judged, levels)}")
    ((rows,),) = connection.execute(f"SELECT COUNT(*) FROM {judged.judged}").fetchall()
    return Judged(base, endpoints, chosen, rows)


def _blame_a_rule(connection: DuckDBPyConnection, rules: Sequence[Rule], source: str) -> None:
    """Raise RuleError for the first rule whose conditions fail by themselves."""
    for rule in rules:
        try:
            connection.execute(f"SELECT BIT_OR({bit_sql(rule)}) {source}")
        except duckdb.Error as error:
            raise RuleError(
                f"{rule.id} cannot be judged: {str(error).partition(chr(10))[0]}",
                path=rule.path,
                next_step="Write it so that no value of its columns overflows",
            ) from None


# -- the columns of a flow


def shown_columns(base: str) -> list[str]:
    """What a row of ``Judged.judged`` holds to build the rows that a verdict is shown on.

    ``ref_ALIAS`` is the number of a stored row. What the join computes is there by itself.
    """
    if base != "flow":
        return [f"ref_{base}"]
    counted = [f"{alias}_{name}" for alias in CONSUMER_ALIASES for name in CONSUMER_COLUMNS]
    return [*(f"ref_{alias}" for alias in FLOW_ALIASES), *counted, *(f"computed_{name}" for name in COMPUTED)]


def _shown_sql(base: str) -> list[str]:
    """The columns of ``shown_columns``, and ``shape``."""
    if base != "flow":
        return [f"{base}.ref AS ref_{base}", f"{base}.shape AS shape"]
    sources = [f"{alias}.ref" for alias in FLOW_ALIASES]
    shapes = [f"{alias}.shape" for alias in FLOW_ALIASES]
    for alias in (*CONSUMER_ALIASES, "endpoint"):
        for column in columns(RELATIONS[ALIASES[alias].relation]):
            if not column.computed:
                continue
            name = f'{alias}."{column.name}"'
            # DuckDB's sums have 128 bits.
            sources.append(f"CAST({name} AS BIGINT)" if column.type == "integer" else name)
            shapes.append(_shape_part(name, name=is_name(column)))
    shown = [f"{source} AS {name}" for source, name in zip(sources, shown_columns(base), strict=True)]
    return [*shown, f"HASH({', '.join(shapes)}) AS shape"]


def _first_sql(base: str, *, repeats: bool) -> str:
    """A number that is unique to a flow or row, and sorts as ``check`` orders them."""
    if base != "flow":
        return f"{base}.ref"
    if not repeats:
        return f"(endpoint.row_id * {1 << 32} + COALESCE(bean.row_id, 0))"
    joined = (alias for alias in join_parts() if alias in FLOW_ALIASES and alias not in ("endpoint", "bean"))
    order = ["endpoint.row_id", "COALESCE(bean.row_id, 0)", "COALESCE(endpoint.located_row, -1)"]
    order += [f"COALESCE({alias}.row_id, -1)" for alias in joined]
    return f"ROW_NUMBER() OVER (ORDER BY {', '.join(order)})"


def _place_sql(base: str) -> list[str]:
    row = "endpoint" if base == "flow" else base
    return [f"{row}.cell AS cell", f"{row}.environment AS environment"]


# -- subjects


@dataclass(frozen=True, slots=True)
class _Level:
    """One kind of subject, and the places of its rules, word by word."""

    name: str
    words: Sequence[Sequence[int]]
    alone: str
    """Of what flows each is a subject of its own, which need not be brought together with others."""

    @property
    def columns(self) -> list[str]:
        """The columns of ``Judged.judged`` that hold its verdicts."""
        return [f"{self.name}_w{word}" for word in range(len(self.words))]


_ALWAYS, _LONE = "TRUE", "lone"
_ALONE = {"flow": _ALWAYS, "bean": _ALWAYS, "endpoint": _LONE}
"""Conditions of ``alone`` where each flow has one row: that of an endpoint is lone where no other bean shares it."""


def _levels(rules: Sequence[Rule], *, single: bool) -> list[_Level]:
    levels: list[_Level] = []
    for name in sorted({rule.subject for rule in rules}):
        numbers = [number for number, rule in enumerate(rules) if rule.subject == name]
        words = [numbers[start : start + _RULES_A_WORD] for start in range(0, len(numbers), _RULES_A_WORD)]
        levels.append(_Level(name, words, _ALONE.get(name, "") if single else ""))
    return levels


def _word_sql(rules: Sequence[Rule], numbers: Sequence[int]) -> str:
    """The verdicts of some rules in one integer, the first in its lowest bits."""
    return f"({' | '.join(f'({bit_sql(rules[n])} << {3 * place})' for place, n in enumerate(numbers))})"


def bit_sql(rule: Rule) -> str:
    """1, 2 or 4 for CLEAR, UNDECIDED or HAZARD, 0 where the rule does not apply."""
    when, hazard = (f"COALESCE(CAST(({c.duckdb}) AS BIGINT), 2)" for c in (rule.when, rule.hazard))
    return f"((CAST({_VERDICT_BITS} AS BIGINT) >> ({when} * 16 + {hazard} * 4)) & 7)"


def key_sql(*fields: str) -> tuple[str, str]:
    """A key of 128 bits in two halves, equal where all fields are equal; NULL equals NULL."""
    return f"HASH('a', {', '.join(fields)})", f"HASH({', '.join([*reversed(fields), repr('b')])})"


def _key_sql(base: str, level: str, *, repeats: bool) -> tuple[str, str]:
    """The key of a level's subject: equal for flows whose ``engine.judge.build_subject`` is the same."""
    if base == "problem":
        detail = "CASE WHEN problem.object <> '' THEN problem.object ELSE problem.text END"
        names = (f"problem.{name}" for name in ("environment", "path", "cell", "queue_manager"))
        return key_sql(*names, detail)
    if base == "binding":
        names = ("environment", "cell", "cluster", "node", "server", "application", "module", "bean")
        return key_sql(*(f"binding.{name}" for name in names))
    named = "CASE WHEN queue.ref IS NOT NULL AND endpoint.queue <> '' THEN queue.name ELSE endpoint.queue END"
    queue = "CASE WHEN queue.ref IS NOT NULL THEN queue.name ELSE endpoint.queue END"
    manager, environment = "endpoint.queue_manager", "endpoint.environment"
    own = ("CAST(endpoint.row_id AS UBIGINT)", "CAST(0 AS UBIGINT)")
    if repeats:  # then an endpoint may have several rows
        beans = _identity("bean") if level in ("flow", "bean") else []
        own = key_sql(*_identity("endpoint"), *beans, manager, named)
    if level == "queue":
        return _where(f"{manager} <> '' AND {queue} <> ''", key_sql(environment, manager, queue), own)
    if level == "queue_manager":
        return _where(f"{manager} <> ''", key_sql(environment, manager), own)
    if level in ("destination", "server"):
        return _where(f"{level}.ref IS NOT NULL", key_sql(*_identity(level)), own)
    return own


def _where(condition: str, key: tuple[str, str], other: tuple[str, str]) -> tuple[str, str]:
    first, second = (f"CASE WHEN {condition} THEN {a} ELSE {b} END" for a, b in zip(key, other, strict=True))
    return first, second


def _identity(relation: str) -> list[str]:
    """The columns that identify the subject of a row."""
    names = [f'{relation}."{column.name}"' for column in columns(RELATIONS[relation]) if column.identity]
    if relation == "server":
        # A cluster is identified by its template, whose own name means nothing.
        template = "server.node IS NULL AND server.cluster IS NOT NULL"
        names[names.index('server."name"')] = f"CASE WHEN {template} THEN NULL ELSE server.name END"
    return names


def _subjects(judged: Judged, level: _Level) -> str:
    return f"subjects_{judged.name}_{level.name}"


def _subjects_sql(judged: Judged, level: _Level) -> str:
    """One row a subject to which a rule applies: its first flow and that one's cell, how many flows it has, whether
    all agree, its key, and the verdicts of all of its flows.
    """
    words = level.columns
    some = f"({' | '.join(words)}) <> 0"
    parts: list[str] = []
    if level.alone != _ALWAYS:
        strongest = ", ".join(f"BIT_OR({word}) AS {word}" for word in words)
        same = " AND ".join(f"BIT_OR({word}) = BIT_AND({word})" for word in words)
        several = f"AND NOT COALESCE({level.alone}, FALSE)" if level.alone else ""
        parts.append(
            f"SELECT MIN(first) AS first, ARG_MIN_NULL(cell, first) AS cell, "
            f"ARG_MIN_NULL(environment, first) AS environment, "
            f"COUNT(*) AS flows, {same} AS same, {level.name}_a AS a, {level.name}_b AS b, {strongest} "
            f"FROM {judged.judged} WHERE {some} {several} GROUP BY {level.name}_a, {level.name}_b"
        )
    if level.alone:
        parts.append(
            f"SELECT first, cell, environment, 1 AS flows, TRUE AS same, CAST(0 AS UBIGINT) AS a, "
            f"CAST(0 AS UBIGINT) AS b, {', '.join(words)} FROM {judged.judged} WHERE {some} AND {level.alone}"
        )
    return " UNION ALL ".join(parts)


def _by_rule(source: str, level: _Level, bits: str, shown: str) -> str:
    """The verdicts in rows of a level whose ``bits`` fulfil a condition, one row a rule, with columns of those rows.

    Few rows have verdicts that no other row has, so each combination of them is taken apart once.
    """
    parts: list[str] = []
    for word, numbers in zip(level.columns, level.words, strict=True):
        rules = f"[{', '.join(map(str, numbers))}][place + 1]"
        apart = (
            f"SELECT {word} AS word, {rules} AS rule, ({word} >> (3 * place)) & 7 AS bits "
            f"FROM (SELECT DISTINCT {word} FROM {source}), RANGE({len(numbers)}) AS places(place)"
        )
        parts.append(
            f"SELECT rule, bits, {shown} FROM {source} AS stored "
            f"INNER JOIN (FROM ({apart}) WHERE {bits}) AS apart ON apart.word = stored.{word}"
        )
    return " UNION ALL ".join(parts)


def _chosen_sql(judged: Judged, levels: Sequence[_Level]) -> str:
    """The hazards and undecided verdicts of subjects.

    Where all flows of a subject have the same verdicts, as nearly always, its own row decides; otherwise the flows do.
    """
    verdict = f"CASE WHEN bits >= 4 THEN {HAZARD} ELSE {UNDECIDED} END AS verdict"
    parts = ["SELECT 0 AS rule, 0 AS verdict, CAST(0 AS BIGINT) AS first, CAST(0 AS BIGINT) AS flows WHERE FALSE"]
    for level in levels:
        subjects = _subjects(judged, level)
        alike = _by_rule(f"(FROM {subjects} WHERE same)", level, "bits > 1", "first, flows")
        parts.append(
            f"SELECT rule, {verdict}, first, CASE WHEN bits >= 4 THEN flows ELSE 0 END AS flows FROM ({alike})"
        )
        if level.alone == _ALWAYS:
            continue
        mixed = (
            f"(SELECT one.* FROM {judged.judged} AS one SEMI JOIN (FROM {subjects} WHERE NOT same) AS several "
            f"ON one.{level.name}_a = several.a AND one.{level.name}_b = several.b)"
        )
        flows = _by_rule(mixed, level, "bits > 1", f"first, {level.name}_a AS a, {level.name}_b AS b")
        parts.append(
            f"SELECT rule, CASE WHEN hazard IS NULL THEN {UNDECIDED} ELSE {HAZARD} END, COALESCE(hazard, undecided), "
            f"flows FROM (SELECT rule, MIN(first) FILTER (bits >= 4) AS hazard, "
            f"MIN(first) FILTER (bits < 4) AS undecided, COUNT(*) FILTER (bits >= 4) AS flows "
            f"FROM ({flows}) GROUP BY rule, a, b)"
        )
    return " UNION ALL ".join(parts)


def _clear_sql(judged: Judged, levels: Sequence[_Level]) -> str:
    nothing = "CAST(NULL AS VARCHAR)"
    parts = [f"SELECT {nothing} AS cell, {nothing} AS environment, 0 AS rule, 0 AS number WHERE FALSE"]
    for level in levels:
        words = ", ".join(level.columns)
        patterns = (
            f"(SELECT cell, environment, {words}, COUNT(*) AS subjects FROM {_subjects(judged, level)} GROUP BY ALL)"
        )
        clear = _by_rule(patterns, level, "bits = 1", "cell, environment, subjects")
        parts.append(f"SELECT cell, environment, rule, SUM(subjects) AS number FROM ({clear}) GROUP BY ALL")
    ids = f"[{', '.join(f'{rule.id!r}' for rule in judged.rules)}][rule + 1]"
    return (
        f"SELECT cell, environment, {ids} AS rule, CAST(number AS BIGINT) AS number FROM ({' UNION ALL '.join(parts)})"
    )
