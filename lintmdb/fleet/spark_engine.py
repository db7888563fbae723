"""Spark as what an audit runs on."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from py4j.protocol import Py4JError
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from lintmdb.exports.discovery import Listed
from lintmdb.fleet.facts.remote import list_remote
from lintmdb.fleet.facts.spark_workers import SparkWorkers
from lintmdb.fleet.facts.views import make_views
from lintmdb.fleet.judging import spark_tables
from lintmdb.fleet.judging.columnar import tables
from lintmdb.fleet.judging.job import Job, Written
from lintmdb.fleet.judging.judge import try_rules
from lintmdb.fleet.session import audit_session, size_queries

MOST_ROWS = 2_000_000
"""So many rows of facts are judged before Spark has planned and compiled its queries, which takes a minute."""


class SparkEngine:
    """A session of its own in the application of a session."""

    errors: tuple[type[Exception], ...] = (PySparkException, Py4JError, OSError)

    def __init__(self, spark: SparkSession) -> None:
        self._spark = audit_session(spark)
        self.workers = SparkWorkers(self._spark)

    def list_uris(self, uris: Sequence[str]) -> Sequence[Listed]:
        """As ``Engine`` says."""
        if not uris:
            return ()
        remote = list_remote(self._spark, uris)
        self.workers = SparkWorkers(self._spark, remote)
        return remote.files

    def write_tables(self, job: Job) -> Written:
        """As ``Engine`` says. What this computer judges in a few seconds is judged here, whoever has read it."""
        rows = sum(part.rows for part in job.collected.live)
        if rows <= MOST_ROWS:
            return tables.write_tables(job)
        try_rules(self._spark, job.rules)
        size_queries(self._spark, rows)
        make_views(self._spark, job.store, job.collected, job.listing)
        return spark_tables.write_job(self._spark, job)

    def interrupt(self) -> None:
        """As ``Engine`` says: a session that stays would go on with it."""
        with suppress(PySparkException, Py4JError):
            self._spark.interruptAll()
