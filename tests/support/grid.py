"""Configurations of flows: what conditions answer on them, and what the model of delivery shows."""

from __future__ import annotations

import dataclasses
import functools
import itertools
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from operator import attrgetter
from typing import Any, TypeAlias

from lintmdb.delivery.outcome import Outcome
from lintmdb.delivery.run import run_flow
from lintmdb.delivery.values import UnknownValueError, Values
from lintmdb.delivery.workload import WORKLOADS, Workload
from lintmdb.rules.conditions import Condition
from lintmdb.rules.predictions import run_named
from lintmdb.rules.verdicts import Verdict, verdict_sql

Config: TypeAlias = dict[str, Any]
"""Values of a flow, by ``alias.column``."""
Option: TypeAlias = dict[str, Any]
"""Values that only make sense together."""
Answers: TypeAlias = Sequence[int]
"""The verdicts that are right, for each configuration: a bit for each, as ``mask_of`` sets them."""


def mask_of(*verdicts: Verdict) -> int:
    """Verdicts as bits of a number."""
    return sum(1 << verdict for verdict in verdicts)


class Configurations:
    """Configurations that all have the same columns, and what conditions answer on them."""

    def __init__(self, names: Sequence[str], rows: Collection[tuple[Any, ...]]) -> None:
        self.names = names
        self.rows = rows

    @cached_property
    def by_column(self) -> dict[str, tuple[Any, ...]]:
        """The values of each column, in the order of the configurations."""
        return dict(zip(self.names, zip(*self.rows, strict=True), strict=True))

    @cached_property
    def constants(self) -> Config:
        """The columns in which no two configurations differ, with their value."""
        return {
            name: values[0]
            for name, values in self.by_column.items()
            if values[0] == values[-1] and values.count(values[0]) == len(values)
        }

    def __len__(self) -> int:
        return len(self.rows)

    def ask(self, expressions: Sequence[str], read: Iterable[str]) -> list[tuple[Any, ...]]:
        """The values of SQL expressions, one row a configuration, in order. ``read`` is what the expressions read: they
        are asked once for all configurations that do not differ in it.
        """
        names, keys = self.keys(read)
        distinct = list(dict.fromkeys(keys))
        values = dict(zip(distinct, Table(self.constants, names, distinct).select(expressions), strict=True))
        return [values[key] for key in keys]

    def keys(self, read: Iterable[str]) -> tuple[list[str], Sequence[tuple[Any, ...]]]:
        """The columns of ``read`` in which configurations differ, and the values of each configuration in them."""
        wanted = set(read)
        names = [name for name in self.names if name in wanted and name not in self.constants]
        if not names:
            return [], [()] * len(self)
        return names, list(zip(*(self.by_column[name] for name in names), strict=True))

    def verdicts(self, when: Condition, hazard: Condition) -> list[int]:
        """The verdicts of two conditions, as masks."""
        asked = self.ask([f"1 << ({verdict_sql(when.sqlite, hazard.sqlite)})"], {*when.columns, *hazard.columns})
        return [mask for (mask,) in asked]


class Table:
    """Configurations in SQLite: one row has what all of them have in common, and one row each has the rest."""

    def __init__(self, constants: Config, names: Sequence[str], rows: Iterable[tuple[Any, ...]]) -> None:
        self._connection = sqlite3.connect(":memory:", isolation_level=None)
        self._connection.execute("PRAGMA case_sensitive_like = TRUE")
        self._connection.execute("BEGIN")
        self._fill("same", list(constants), [tuple(constants.values())])
        self._fill("configuration", names, rows)

    def __del__(self) -> None:
        self._connection.close()

    def _fill(self, table: str, names: Sequence[str], rows: Iterable[tuple[Any, ...]]) -> None:
        declared = "".join(f', "{name}"' for name in names)
        self._connection.execute(f"CREATE TABLE {table} ({table}_id INTEGER PRIMARY KEY{declared})")
        marks = ", ?" * len(names)
        self._connection.executemany(f"INSERT INTO {table} VALUES (NULL{marks})", rows)

    def select(self, expressions: Sequence[str]) -> list[tuple[Any, ...]]:
        """The values of SQL expressions, asked for every configuration."""
        asked = ", ".join(map(_in_one_row, expressions))
        return self._connection.execute(f"SELECT {asked} {_ROWS} ORDER BY configuration_id").fetchall()

    def meets(self, expression: str) -> bool:
        """Whether an SQL expression is true of some configuration."""
        asked = f"SELECT 1 {_ROWS} WHERE {_in_one_row(expression)} LIMIT 1"
        return self._connection.execute(asked).fetchone() is not None


_ROWS = "FROM same CROSS JOIN configuration"


def _in_one_row(expression: str) -> str:
    """An expression over ``"alias"."column"`` for tables whose columns are called ``"alias.column"``."""
    return expression.replace('"."', ".")


class Oracle:
    """Configurations with the verdicts that are right on them.

    Of the configurations that differ in none of the columns that somebody reads, one is kept.
    """

    def __init__(self, name: str, configurations: Configurations, answers: Answers, read: Iterable[str]) -> None:
        self.name = name
        self._has = frozenset(configurations.names)
        names, keys = configurations.keys(read)
        rows = dict.fromkeys(zip(keys, answers, strict=True))
        self._table = Table(configurations.constants, [*names, "answer.mask"], ((*key, mask) for key, mask in rows))

    def tells(self, when: Condition, hazard: Condition) -> bool:
        """Whether two conditions give on some configuration a verdict that is not right there."""
        if not self._has.issuperset((*when.columns, *hazard.columns)):
            return False
        return self._table.meets(f'(1 << ({verdict_sql(when.sqlite, hazard.sqlite)})) & "answer.mask" = 0')


@dataclass(frozen=True, slots=True)
class _Read:
    """A point at which a column is read, and what follows for each value so far: what is read next, or the answer."""

    column: str
    values: dict[object, _Read | int]


class _Readings:
    """What a function of a configuration's values gives, as a number. It runs once for all configurations that differ
    only in what it does not read: which column it reads next depends on the values of those before.
    """

    def __init__(self) -> None:
        self._starts: dict[object, _Read | int] = {}

    def follow(
        self,
        grid: Grid,
        start: object,
        numbers: Sequence[int],
        found: dict[int, int],
        answer: Callable[[Values], int],
    ) -> None:
        """Put the answer for each numbered configuration into ``found``. ``start`` names the function ``answer``."""
        open_groups: list[tuple[dict[object, _Read | int], object, Sequence[int], int]] = []
        open_groups.append((self._starts, start, numbers, 0))
        while open_groups:
            place, key, group, depth = open_groups.pop()
            if key not in place:
                _add(grid.configs[group[0]], place, key, depth, answer)
            step = place[key]
            if isinstance(step, int):
                found.update(dict.fromkeys(group, step))
                continue
            column = grid.varying.get(step.column)
            if column is None:
                open_groups.append((step.values, grid.configurations.constants.get(step.column), group, depth + 1))
                continue
            by_value: defaultdict[object, list[int]] = defaultdict(list)
            for number in group:
                by_value[column[number]].append(number)
            open_groups += [(step.values, value, part, depth + 1) for value, part in by_value.items()]


def _add(
    config: Config,
    place: dict[object, _Read | int],
    key: object,
    depth: int,
    answer: Callable[[Values], int],
) -> None:
    """Ask about a configuration, whose first reads (``depth`` of them) have led to ``place``."""
    read: dict[str, object] = {}

    def look_up(column: str) -> object:
        return read.setdefault(column, config.get(column))

    number = answer(Values(look_up))
    assert len(read) >= depth, "less was read of an equal configuration"
    for column, value in itertools.islice(read.items(), depth, None):
        step = place[key] = _Read(column, {})
        place, key = step.values, value
    place[key] = number


class _Model:
    """The model of delivery. Names of workloads that stand for the same messages on a flow share a run."""

    def __init__(self) -> None:
        self._starts = _Readings()
        self._runs = _Readings()
        self._numbers: dict[tuple[object, ...], int] = {}
        self._workloads: dict[Workload | None, int] = {}
        self.outcomes: list[Outcome] = []
        """Every outcome that was met, by number. Of those that differ only in their steps there is one."""

    def forget(self) -> None:
        """Be as at first."""
        self._starts = _Readings()
        self._runs = _Readings()
        self._numbers.clear()
        self._workloads.clear()
        self.outcomes.clear()

    def run(self, grid: Grid, name: str, numbers: Sequence[int], found: dict[int, int]) -> None:
        """Put the number of the outcome of each numbered configuration under a workload into ``found``."""
        starts: dict[int, int] = {}
        self._starts.follow(grid, name, numbers, starts, functools.partial(self._start, name))
        by_start: defaultdict[int, list[int]] = defaultdict(list)
        for number, start in starts.items():
            by_start[start].append(number)
        workloads = list(self._workloads)
        for start, group in by_start.items():
            workload = workloads[start]
            self._runs.follow(grid, workload or name, group, found, functools.partial(self._outcome, name, workload))

    def _start(self, name: str, values: Values) -> int:
        """The workload that a name stands for on a flow, as a number; that of None where the flow lacks a value."""
        try:
            workload = WORKLOADS[name](values)
        except UnknownValueError:
            workload = None
        return self._workloads.setdefault(workload, len(self._workloads))

    def _outcome(self, name: str, workload: Workload | None, values: Values) -> int:
        outcome = run_named(values, name) if workload is None else run_flow(values, workload)
        number = self._numbers.setdefault(_WITHOUT_STEPS(outcome), len(self.outcomes))
        if number == len(self.outcomes):
            self.outcomes.append(outcome)
        return number


_WITHOUT_STEPS = attrgetter(*(entry.name for entry in dataclasses.fields(Outcome) if entry.name != "steps"))

_MODEL = _Model()


@dataclass
class Grid:
    """A product of dimensions over a base."""

    name: str
    base: Config
    dimensions: Sequence[Sequence[Option]]
    about: frozenset[str] = frozenset()
    answers: dict[str, Answers] = field(default_factory=dict[str, Answers])
    """What is right for each rule that was compared, by rule id."""
    _outcomes: dict[str, dict[int, int]] = field(default_factory=dict[str, dict[int, int]])

    @cached_property
    def configs(self) -> list[Config]:
        """Every configuration. All have the same columns, in the same order; what none of its options sets is None."""
        named = dict.fromkeys(name for options in self.dimensions for option in options for name in option)
        return list(self._product({**named, **self.base}))

    def _product(self, base: Config) -> Iterator[Config]:
        for options in itertools.product(*self.dimensions):
            config = dict(base)
            for option in options:
                config.update(option)
            yield config

    @cached_property
    def configurations(self) -> Configurations:
        """The same as tables."""
        return Configurations(list(self.configs[0]), [tuple(config.values()) for config in self.configs])

    @cached_property
    def varying(self) -> Mapping[str, Sequence[object]]:
        """The columns in which configurations differ, with the value that each has there."""
        columns = self.configurations.by_column
        return {name: columns[name] for name in columns if name not in self.configurations.constants}

    def outcomes(self, workload: str, numbers: Sequence[int]) -> Sequence[int]:
        """What the model shows on some configurations, by their numbers, as numbers of ``outcomes_by_number``."""
        found = self._outcomes.setdefault(workload, {})
        if missing := [number for number in numbers if number not in found]:
            _MODEL.run(self, workload, missing, found)
        return [found[number] for number in numbers]


def outcomes_by_number() -> Sequence[Outcome]:
    """The outcomes that configurations have had so far; their steps are those of some configuration."""
    return _MODEL.outcomes


def forget_readings() -> None:
    """Free what is known of the model. Grids that were asked before must not be asked again."""
    _MODEL.forget()
