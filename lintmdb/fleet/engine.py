"""Who reads and judges a fleet: this computer, or Spark (``spark_engine``)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import duckdb

from lintmdb.errors import LintmdbError
from lintmdb.exports.discovery import Listed
from lintmdb.fleet.facts.workers import LocalWorkers, Workers
from lintmdb.fleet.judging.columnar import tables
from lintmdb.fleet.judging.job import Job, Written


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
    """Processes of this computer read, and DuckDB judges."""

    errors: tuple[type[Exception], ...] = (OSError, duckdb.Error)
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
        return tables.write_tables(job)

    def interrupt(self) -> None:
        """As ``Engine`` says: nothing runs but this process."""
