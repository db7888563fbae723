"""Assembles the join of ``flow.sql`` for one engine, with what each engine writes in its own way filled in."""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from lintmdb.engine.flow_rows import COMPUTED
from lintmdb.model.relations import ALIASES, RELATIONS, columns

ENVIRONMENT = ".environment"
"""What follows an alias where a ``match`` compares environments."""
_PART = "-- part: "
_TEXT = "-- text: "


def _relation(alias: str) -> str:
    return ALIASES[alias].relation if alias in ALIASES else alias


class Dialect(NamedTuple):
    """How an engine writes what ``flow.sql`` leaves open in braces; the defaults suit any engine."""

    table: Callable[[str], str] = _relation
    """The table that holds the rows of an alias."""
    match: Callable[[str], str] = str
    """A condition of equal columns, ``a.x = b.y AND a.z = b.w``."""
    manager: Callable[[str], str] = "{}.queue_manager".format
    """The queue manager of an alias, where a subquery selects it or groups by it."""
    bean: Callable[[str], str] = "bean.{}".format
    """A column of the bean of a path."""
    paths: str = "endpoint"
    """The table of endpoints that the join starts from."""
    apart: bool = False
    """Whether there are named environments: then every ``match`` holds within one environment only."""


class _Slot:
    """Writes the text after the colon of a slot: ``{match:a.x = b.y}``."""

    def __init__(self, write: Callable[[str], str]) -> None:
        self._write = write

    def __format__(self, text: str) -> str:
        return self._write(" ".join(text.split()))


_PLAIN = Dialect()


def join_sql(*more: str, dialect: Dialect = _PLAIN) -> str:
    """FROM and all joins, with the stored columns of ``endpoint`` and ``more`` columns of the subquery behind it."""
    stored = ["row_id", *(c.name for c in columns(RELATIONS["endpoint"]) if c.name not in COMPUTED), *more]
    return assemble((f"consumer.{name}" for name in stored), dialect)


def assemble(endpoint: Iterable[str], dialect: Dialect, *, without: Collection[str] = ()) -> str:
    """The parts of ``flow.sql`` in their order, except those ``without``; ``endpoint`` lists the columns it selects."""
    text = "\n".join(part for alias, part in join_parts().items() if alias not in without)
    return fill_in(text, dialect, endpoint)


def fill_in(text: str, dialect: Dialect, endpoint: Iterable[str] = (), source: str = "") -> str:
    """A part of ``flow.sql`` as one engine writes it."""

    def instances(source: str) -> str:
        rows = dialect.paths if source == "paths" else dialect.table(source)
        return fill_in(repeated_texts()["instances"], dialect, source=rows)

    return text.format(
        endpoint=", ".join(endpoint),
        instances=_Slot(instances),
        source=source,
        table=_Slot(dialect.table),
        match=_Slot(
            lambda condition: dialect.match(condition + (_same_environment(condition) if dialect.apart else ""))
        ),
        manager=_Slot(lambda alias: dialect.manager(alias) + (f", {alias}.environment" if dialect.apart else "")),
        bean=_Slot(dialect.bean),
    )


def _same_environment(condition: str) -> str:
    """What a ``match`` asks for in addition where there are environments; the exports of none belong together, too."""
    left, right = equalities(condition)[0]
    sides = (f"COALESCE({name.partition('.')[0]}{ENVIRONMENT}, '')" for name in (left, right))
    return f" AND {' = '.join(sides)}"


def join_parts() -> Mapping[str, str]:
    """The parts of ``flow.sql`` by alias, in the order in which they join, without comments and not filled in."""
    return _sections(_PART)


def repeated_texts() -> Mapping[str, str]:
    """The texts of ``flow.sql`` that joins repeat, by name, without comments and not filled in."""
    return _sections(_TEXT)


@functools.cache
def _sections(kind: str) -> Mapping[str, str]:
    """The sections of ``flow.sql`` that begin with a mark, by name, without comments and not filled in."""
    found: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in (Path(__file__).resolve().parent / "flow.sql").read_text("utf-8").splitlines():
        if line.startswith((_PART, _TEXT)):
            lines = []
            if line.startswith(kind):
                found[line.removeprefix(kind)] = lines
        elif not line.lstrip().startswith("--"):
            lines.append(line)
    return {name: "\n".join(lines) for name, lines in found.items()}


def equalities(condition: str) -> list[tuple[str, str]]:
    """The two sides of each equality of a ``match`` condition."""
    sides = (equality.split(" = ") for equality in condition.split(" AND "))
    return [(left, right) for left, right in sides]
