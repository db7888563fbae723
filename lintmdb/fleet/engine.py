"""Who reads and judges a fleet: processes of this computer, or Spark (``spark_engine``)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

from lintmdb.errors import LintmdbError
from lintmdb.exports.discovery import Listed
from lintmdb.fleet.facts.store import State, Store
from lintmdb.fleet.facts.unit_reader import Task, UnitReader
from lintmdb.fleet.facts.workers import LocalWorkers, Workers
from lintmdb.fleet.judging import local
from lintmdb.fleet.judging.job import Job, Written

MOST_UNITS = 500
"""So many exports are read by this computer before Spark has started."""
MOST_BYTES = 256 << 20
"""So are so many bytes of exports. Their facts take about four times as much memory."""
MOST_ROWS = 250_000
"""So many rows of facts are judged by this process before Spark has planned and compiled its queries, which takes a
minute; they take some 300 MB of memory. Spark judges more than these.
"""


class Engine(Protocol):
    """What an audit runs on."""

    @property
    def errors(self) -> tuple[type[Exception], ...]:
        """What it raises where an audit fails."""
        ...

    @property
    def workers(self) -> Workers:
        """Those who read exports."""
        ...

    def list_uris(self, uris: Sequence[str]) -> Sequence[Listed]:
        """The files below URIs. Raises LintmdbError for those that cannot be listed."""
        ...

    def write_tables(self, job: Job) -> Written:
        """Judge the facts that were collected, and write all tables of an audit.

        Raises LintmdbError for a rule that does not run here.
        """
        ...

    def interrupt(self) -> None:
        """End what still runs."""
        ...


class LocalEngine:
    """Processes of this computer, for a fleet whose facts fit in memory."""

    errors: tuple[type[Exception], ...] = (OSError,)
    workers: Workers = LocalWorkers()

    def list_uris(self, uris: Sequence[str]) -> Sequence[Listed]:
        """As ``Engine`` says."""
        if uris:
            raise LintmdbError(
                f"{uris[0]} is on another file system, which only Spark reads", next_step="Name a folder"
            )
        return ()

    def write_tables(self, job: Job) -> Written:
        """As ``Engine`` says."""
        return local.write_tables(job)

    def interrupt(self) -> None:
        """As ``Engine`` says: nothing runs but this process."""


class FrugalEngine:
    """Processes of this computer as long as there is little to do, and then what ``start`` gives for all of it."""

    def __init__(self, start: Callable[[], Engine]) -> None:
        self._start = start
        self.started: Engine | None = None
        self.workers: Workers = _FrugalWorkers(self)

    @property
    def errors(self) -> tuple[type[Exception], ...]:
        """As ``Engine`` says."""
        return self.started.errors if self.started is not None else LocalEngine.errors

    def whole(self) -> Engine:
        """What can do all there is to do."""
        if self.started is None:
            self.started = self._start()
        return self.started

    def list_uris(self, uris: Sequence[str]) -> Sequence[Listed]:
        """As ``Engine`` says."""
        return self.whole().list_uris(uris) if uris else ()

    def write_tables(self, job: Job) -> Written:
        """As ``Engine`` says."""
        rows = sum(part.rows for part in job.collected.live)
        return local.write_tables(job) if rows <= MOST_ROWS else self.whole().write_tables(job)

    def interrupt(self) -> None:
        """As ``Engine`` says."""
        if self.started is not None:
            self.started.interrupt()


class _FrugalWorkers:
    """Reads little by itself."""

    def __init__(self, engine: FrugalEngine) -> None:
        self._engine = engine

    def write_facts(self, tasks: Sequence[Task], reader: UnitReader, store: Store, generation: Path) -> None:
        """As ``Workers`` says."""
        size = sum(file.size for task in tasks for file in task.files)
        self._choose(little=len(tasks) <= MOST_UNITS and size <= MOST_BYTES).write_facts(
            tasks, reader, store, generation
        )

    def copy_facts(self, store: Store, state: State, relation: str, folders: Sequence[str], target: Path) -> None:
        """As ``Workers`` says."""
        rows = sum(part.rows for part in state.parts)
        self._choose(little=rows <= _MOST_COPIED).copy_facts(store, state, relation, folders, target)

    def _choose(self, *, little: bool) -> Workers:
        return _LOCAL if little and self._engine.started is None else self._engine.whole().workers


_LOCAL = LocalWorkers()
_MOST_COPIED = 10 * MOST_ROWS
"""Rows of facts that are copied without a look at them, one relation at a time."""
