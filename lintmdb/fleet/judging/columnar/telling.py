"""Tells verdicts one by one, as ``check`` does: in a thread, or in processes where there are many."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from typing import NamedTuple, Protocol, Self

from lintmdb.engine.findings import Finding
from lintmdb.engine.judge import build_subject, build_undecided
from lintmdb.fleet.arrow import Table, pa
from lintmdb.fleet.judging.columnar.rows import Picked
from lintmdb.fleet.judging.presenting import Presented
from lintmdb.fleet.judging.suppressed import SuppressionKeys
from lintmdb.fleet.judging.tables import SCHEMAS, Shown
from lintmdb.rules.rule import Rule
from lintmdb.run.owners import Owners
from lintmdb.run.processes import Later, ProcessDiedError, Started

_WORTH_A_PROCESS = 2_000
"""A thread tells so few flows before a process has started."""


class ChosenVerdict(NamedTuple):
    """A verdict that a flow shows first."""

    rule: int
    """Its place among the rules of the base."""
    hazard: bool
    flows: int
    """How many flows show the hazard."""


class Unlike(NamedTuple):
    """A hazard whose flow is like none of its templates."""

    judged: str
    rule: int
    first: int
    flows: int


class Telling(Protocol):
    """A batch of verdicts, which another process can tell."""

    @property
    def work(self) -> int:
        """As many flows, told one by one, would be as much work."""
        ...

    def tell(self, presented: Presented) -> list[Unlike]:
        """Add the verdicts to the tables, but for some hazards."""
        ...


class Told(NamedTuple):
    """What is said of a batch."""

    tables: Mapping[str, Table]
    """Rows of the tables of verdicts."""
    unlike: Sequence[Unlike]
    """The hazards that are to be told one by one."""


class Batch(NamedTuple):
    """Some flows and what they show, to be told one by one."""

    rules: Sequence[Rule]
    picked: Picked
    verdicts: Mapping[int, Sequence[ChosenVerdict]]
    """By ``first``."""

    @property
    def work(self) -> int:
        """How many flows there are."""
        return len(self.verdicts)

    def tell(self, presented: Presented) -> list[Unlike]:
        """Add all verdicts to the tables."""
        for first, rows in self.picked.build().items():
            shown = Shown(rows)
            for number, hazard, flows in self.verdicts[first]:
                rule = self.rules[number]
                subject = build_subject(rule.subject, rows)
                if hazard:
                    presented.add_finding(Finding(rule, subject, rows, None, flows))
                else:
                    entry = build_undecided(rule, subject, rows, None)
                    presented.add_undecided(entry, shown.cell, shown.queue_manager)
        return []


class Teller:
    """Tells batches in other processes while this one does something else; few a thread tells meanwhile."""

    def __init__(self, left_out: SuppressionKeys | None, owners: Owners) -> None:
        self._left_out, self._owners = left_out, owners
        self._stack = ExitStack()
        self._running: list[tuple[_Share, Started[_Share, Told] | Later[list[Told]]]] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def begin(self, batches: Sequence[Telling]) -> None:
        """Begin to tell some batches."""
        many = sum(batch.work for batch in batches) >= _WORTH_A_PROCESS
        helpers = (os.cpu_count() or 1) if many else 1  # DuckDB is soon done with what it has to do
        for number in range(helpers):
            share = _Share(batches[number::helpers], self._left_out, self._owners)
            if share.batches:
                started = self._stack.enter_context(Started(_tell, share)) if many else Later(partial(_told, share))
                self._running.append((share, started))

    def finish(self) -> Iterator[Told]:
        """What is said of all that was begun since the last time."""
        running, self._running = self._running, []
        for share, started in running:
            try:
                yield from started.result() if isinstance(started, Later) else [*started.results()]
            except ProcessDiedError:
                yield from _tell(share)


class _Share(NamedTuple):
    """What one process tells."""

    batches: Sequence[Telling]
    left_out: SuppressionKeys | None
    owners: Owners


def _told(share: _Share) -> list[Told]:
    return [*_tell(share)]


def _tell(share: _Share) -> Iterator[Told]:
    for batch in share.batches:
        presented = Presented(share.left_out, share.owners)
        unlike = batch.tell(presented)
        tables = {name: pa.Table.from_pylist(rows, SCHEMAS[name]) for name, rows in presented.tables.items()}
        yield Told(tables, unlike)
