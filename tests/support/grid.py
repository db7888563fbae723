"""Configurations of flows: what conditions answer on them, and what the model of delivery shows."""

from __future__ import annotations

import dataclasses
import itertools
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias

from lintmdb.delivery.outcome import Outcome
from lintmdb.delivery.values import Values
from lintmdb.rules.conditions import Condition
from lintmdb.rules.predictions import run_named
from lintmdb.rules.verdicts import Verdict, verdict_sql

Config: TypeAlias = dict[str, Any]
"""Values of a flow, by ``alias.column``."""
Option: TypeAlias = dict[str, Any]
"""Values that only make sense together."""
Answers: TypeAlias = Sequence[frozenset[Verdict]]
"""The verdicts that are right, for each configuration."""


class Configurations:
    """Configurations that all have the same columns, and what conditions answer on them."""

    def __init__(self, names: Sequence[str], rows: Collection[tuple[Any, ...]]) -> None:
        self.names = names
        self.rows = rows

    @cached_property
    def by_column(self) -> dict[str, tuple[Any, ...]]:
        """The values of each column, in the order of the configurations."""
        return dict(zip(self.names, zip(*self.rows, strict=True), strict=True))

    def __len__(self) -> int:
        return len(self.rows)

    def has(self, *conditions: Condition) -> bool:
        """Whether the configurations give every column that the conditions read."""
        return all(name in self.by_column for condition in conditions for name in condition.columns)

    def ask(self, expressions: Sequence[str], read: Iterable[str]) -> list[tuple[Any, ...]]:
        """The values of SQL expressions, one row a configuration, in order. ``read`` is what the expressions read: they
        are asked once for all configurations that do not differ in it.
        """
        wanted = set(read)
        names = [name for name in self.names if name in wanted] or self.names[:1]
        keys = list(zip(*(self.by_column[name] for name in names), strict=True))
        distinct = list(dict.fromkeys(keys))
        values = dict(zip(distinct, Configurations(names, distinct).select(expressions), strict=True))
        return [values[key] for key in keys]

    def verdicts(self, when: Condition, hazard: Condition) -> list[Verdict]:
        """The verdicts of two conditions."""
        found = self.ask([verdict_sql(when.sqlite, hazard.sqlite)], {*when.columns, *hazard.columns})
        return [Verdict(verdict) for (verdict,) in found]

    def select(self, expressions: Sequence[str]) -> list[tuple[Any, ...]]:
        """The values of SQL expressions, asked for every configuration."""
        aliases = list(dict.fromkeys(name.partition(".")[0] for name in self.names))
        first, read = aliases[0], [alias for alias in aliases[1:] if any(alias in text for text in expressions)]
        joined = " ".join(f'JOIN "{alias}" USING (row_id)' for alias in read)
        asked = f'SELECT {", ".join(expressions)} FROM "{first}" {joined} ORDER BY row_id'
        return self._tables.execute(asked).fetchall()

    @cached_property
    def _tables(self) -> sqlite3.Connection:
        """One table an alias."""
        connection = sqlite3.connect(":memory:")
        by_alias: dict[str, list[str]] = {}
        for name in self.names:
            by_alias.setdefault(name.partition(".")[0], []).append(name)
        for alias, names in by_alias.items():
            declared = ", ".join(f'"{name.partition(".")[2]}"' for name in names)
            connection.execute(f'CREATE TABLE "{alias}" (row_id INTEGER PRIMARY KEY, {declared})')
            rows = zip(itertools.count(), *(self.by_column[name] for name in names))
            connection.executemany(f'INSERT INTO "{alias}" VALUES ({", ".join("?" * (len(names) + 1))})', rows)
        return connection


class Oracle:
    """Configurations with the verdicts that are right on them.

    Of the configurations that differ in none of the columns that somebody reads, one is kept.
    """

    def __init__(self, name: str, configurations: Configurations, answers: Answers, read: Iterable[str]) -> None:
        self.name = name
        wanted = set(read)
        names = [column for column in configurations.names if column in wanted]
        columns = (configurations.by_column[column] for column in names)
        masks = (sum(1 << verdict for verdict in answer) for answer in answers)
        rows = dict.fromkeys(zip(*columns, masks, strict=True))
        self._configurations = Configurations([*names, "answer.mask"], list(rows))

    def tells(self, when: Condition, hazard: Condition) -> bool:
        """Whether two conditions give on some configuration a verdict that is not right there."""
        if not self._configurations.has(when, hazard):
            return False
        verdict = verdict_sql(when.sqlite, hazard.sqlite)
        return any(wrong for (wrong,) in self._configurations.select([f"(1 << ({verdict})) & answer.mask = 0"]))


@dataclass(frozen=True, slots=True)
class _Read:
    """A point of the model's run at which it reads a column, and how the run goes on for each value so far."""

    column: str
    values: dict[object, _Read | Outcome]


class _Model:
    """The model of delivery, which runs once for all configurations that differ only in what it does not read.

    The model is a function of what it reads: which column comes next depends on the values of those before.
    """

    def __init__(self) -> None:
        self._starts: dict[object, _Read | Outcome] = {}

    def run(self, config: Config, workload: str) -> Outcome:
        """What the model shows under a workload, without its steps."""
        found = self._starts.get(workload)
        while isinstance(found, _Read):
            found = found.values.get(config.get(found.column))
        return found or self._add(config, workload)

    def _add(self, config: Config, workload: str) -> Outcome:
        read: dict[str, object] = {}

        def get(name: str) -> object:
            return read.setdefault(name, config.get(name))

        outcome = dataclasses.replace(run_named(Values(get), workload), steps=())
        place: dict[object, _Read | Outcome] = self._starts
        key: object = workload
        for column, value in read.items():
            step = place.setdefault(key, _Read(column, {}))
            assert isinstance(step, _Read), "the model has read less of an equal configuration"
            assert step.column == column, "the model has read another column of an equal configuration"
            place, key = step.values, value
        place[key] = outcome
        return outcome


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
    _outcomes: dict[tuple[str, int], Outcome] = field(default_factory=dict[tuple[str, int], Outcome])

    @cached_property
    def configs(self) -> list[Config]:
        """Every configuration."""
        return list(self._product())

    def _product(self) -> Iterator[Config]:
        for options in itertools.product(*self.dimensions):
            config = dict(self.base)
            for option in options:
                config.update(option)
            yield config

    @cached_property
    def configurations(self) -> Configurations:
        """The same as tables."""
        names = list(dict.fromkeys(name for config in self.configs for name in config))
        return Configurations(names, [tuple(map(config.get, names)) for config in self.configs])

    def outcome(self, number: int, workload: str) -> Outcome:
        """What the model shows on a configuration, without its steps."""
        key = (workload, number)
        if key not in self._outcomes:
            self._outcomes[key] = _MODEL.run(self.configs[number], workload)
        return self._outcomes[key]
