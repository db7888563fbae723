"""Spark as what an audit runs on."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

from py4j.protocol import Py4JError
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from lintmdb.exports.discovery import Listed
from lintmdb.fleet.facts.collect import Collected
from lintmdb.fleet.facts.remote import list_remote
from lintmdb.fleet.facts.spark_workers import SparkWorkers
from lintmdb.fleet.facts.store import Store
from lintmdb.fleet.facts.views import make_views
from lintmdb.fleet.judging import spark_tables
from lintmdb.fleet.judging.judge import try_rules
from lintmdb.fleet.judging.written import Wanted, Written
from lintmdb.fleet.session import audit_session, size_queries
from lintmdb.model.relations import Problem
from lintmdb.rules.rule import Rule


class SparkEngine:
    """A session of its own in the application of a session."""

    errors: tuple[type[Exception], ...] = (PySparkException, Py4JError, OSError)

    def __init__(self, spark: SparkSession) -> None:
        self._spark = audit_session(spark)
        self.workers = SparkWorkers(self._spark)

    def try_rules(self, rules: Sequence[Rule]) -> None:
        """As ``Engine`` says."""
        try_rules(self._spark, rules)

    def list_uris(self, uris: Sequence[str]) -> Sequence[Listed]:
        """As ``Engine`` says."""
        if not uris:
            return ()
        remote = list_remote(self._spark, uris)
        self.workers = SparkWorkers(self._spark, remote)
        return remote.files

    def write_tables(
        self,
        store: Store,
        collected: Collected,
        listing: Sequence[Problem],
        folder: Path,
        wanted: Wanted,
    ) -> Written:
        """As ``Engine`` says."""
        size_queries(self._spark, sum(part.rows for part in collected.live))
        views = partial(make_views, self._spark, store, collected, listing)
        views()
        repeats = any(part.repeats for part in collected.live)
        return spark_tables.write_tables(self._spark, folder, wanted, views, repeats=repeats)

    def interrupt(self) -> None:
        """As ``Engine`` says: a session that stays would go on with it."""
        with suppress(PySparkException, Py4JError):
            self._spark.interruptAll()
