"""Continuous audit: Structured Streaming over listings of the inputs; each change of them is audited once.

A file stream of Spark takes a file for complete when it appears and never looks again, which fits neither trees of
thousands of files nor dumps that are written in place. So the stream here is one of listings: at every trigger all
units are listed with their stamps. A listing that differs is written down before its number becomes an offset, so a
batch that is run again after a crash is the same batch. The audit of a batch is incremental and lists again itself; it
is not made where the last audit rests on the very same exports. So nothing is read twice, and nothing is missed.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.datasource import DataSource, SimpleDataSourceStreamReader
from pyspark.sql.types import StructType

from lintmdb.atomic_write import replacement
from lintmdb.errors import LintmdbError
from lintmdb.fleet.arrow import Table, pa, parquet
from lintmdb.fleet.audit import Audit, Request, run_audit
from lintmdb.fleet.errors import short_reason
from lintmdb.fleet.facts.source import register_once
from lintmdb.fleet.facts.store import InUseError, Store
from lintmdb.fleet.facts.units import list_units
from lintmdb.fleet.session import is_remote, ship

KEPT_LISTINGS = 3
"""Of those that are committed; older ones are removed."""
_WAIT_S = 1.0

Say = Callable[[str], None]
"""Called with what happens, one line at a time."""


@dataclass(frozen=True, slots=True)
class Watch:
    """What to watch, and how often."""

    request: Request
    """What each audit is: always an incremental one."""
    every_s: float = 60.0
    once: bool = False
    """Audit what has changed since the last time, then leave."""
    on_audit: Callable[[Audit], None] = field(default=lambda _: None)
    """Called with each audit that was made."""


def watch(spark: SparkSession, job: Watch, say: Say) -> None:
    """Audit whenever an export appears, changes or goes, until stopped.

    Raises LintmdbError where an input is not there, where an audit fails, and for a session of Spark Connect, whose
    server would run the audits.
    """
    if is_remote(spark):
        raise LintmdbError(
            "fleet watch needs a Spark of its own, not Spark Connect", next_step="Run it with --master or spark-submit"
        )
    list_units(job.request.inputs)  # fails at once for inputs that do not exist
    place = Store(job.request.out).folder / "watch"
    try:
        (place / "listings").mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise LintmdbError(f"cannot be written: {error.strerror}", path=str(place)) from error
    ship(spark)
    register_once(spark, ListingSource)
    options = {
        "inputs": json.dumps([os.path.abspath(entry) for entry in job.request.inputs]),
        "listings": str((place / "listings").absolute()),
    }
    stream = spark.readStream.format(ListingSource.name()).options(**options).load()
    audits = _Audits(spark, job, say)
    writer = stream.writeStream.foreachBatch(audits.of_batch).option(
        "checkpointLocation", str((place / "checkpoint").absolute())
    )
    query = writer.trigger(processingTime=f"{0 if job.once else job.every_s:g} seconds").start()
    try:
        if job.once:
            # The trigger availableNow would leave after a batch that is run again, before it lists anew.
            query.processAllAvailable()
        else:
            query.awaitTermination()
    except PySparkException as error:
        raise audits.failure or LintmdbError(f"the watch ended: {short_reason(error)}", next_step=_AGAIN) from error
    finally:
        query.stop()


_AGAIN = "Start it again: it goes on where it was"


class _Audits:
    """Runs one audit for a batch of changed exports."""

    def __init__(self, spark: SparkSession, job: Watch, say: Say) -> None:
        self._spark = spark
        self._job = job
        self._say = say
        self.failure: LintmdbError | None = None
        """Why the last batch failed; the stream's own error buries it among pages of others."""

    def of_batch(self, changes: DataFrame, number: int) -> None:
        """Audit, unless the last audit saw all that there is now."""
        counts = {row["change"]: row["count"] for row in changes.groupBy("change").count().collect()}
        told = ", ".join(f"{counts[kind]} {kind}" for kind in ("new", "changed", "gone") if kind in counts)
        self._say(f"batch {number}: {told or 'nothing changed'}")
        try:
            audit = self._audit()
        except LintmdbError as error:
            self.failure = error
            raise
        if audit.made:
            self._job.on_audit(audit)
        else:
            self._say(f"already audited: {audit.folder}")

    def _audit(self) -> Audit:
        request = replace(self._job.request, incremental=True, unless_done=True)
        waiting = False
        while True:
            try:
                return run_audit(self._spark, request, self._say)
            except InUseError:
                if not waiting:
                    self._say("another audit is writing here: waiting for it")
                waiting = True
                time.sleep(_WAIT_S)


# -- the stream of listings

_EMPTY = 0
"""The number of the listing before the first."""


class ListingSource(DataSource):
    """A stream of what changes from one listing of some inputs to the next.

    Options: ``inputs`` (folders, files and globs, as a JSON array) and ``listings`` (a folder for what was listed).
    """

    @classmethod
    def name(cls) -> str:
        """What ``format`` is given."""
        return "lintmdb-listings"

    def schema(self) -> str:
        """The path of a unit, what became of it (``new``, ``changed``, ``gone``), and its stamp, NULL when gone."""
        return "path string, change string, stamp string"

    def simpleStreamReader(self, schema: StructType) -> SimpleDataSourceStreamReader:  # noqa: N802
        """Reads in the driver: a listing is small."""
        return ListingReader(json.loads(self.options["inputs"]), Path(self.options["listings"]))


Offset = dict[str, int]
Change = tuple[str, str, str | None]


class ListingReader(SimpleDataSourceStreamReader):
    """Numbers listings and compares them. An offset is the number of a listing that has been saved."""

    def __init__(self, inputs: Sequence[str], folder: Path) -> None:
        self._inputs = inputs
        self._folder = folder

    def initialOffset(self) -> Offset:  # noqa: N802
        """Before the first listing, when nothing was there."""
        return {"listing": _EMPTY}

    def read(self, start: Offset) -> tuple[Iterator[Change], Offset]:
        """What differs now from a listing, and the number of what is there now."""
        now = {unit.path: unit.stamp for unit in list_units(self._inputs).units}
        newest = max(self._numbers(), default=_EMPTY)
        # After a crash the newest listing may be one that no offset names yet; a number is never used twice.
        if newest <= start["listing"] or self._load(newest) != now:
            if self._load(start["listing"]) == now:
                return iter(()), start
            newest = max(newest, start["listing"]) + 1
            self._save(newest, now)
        return self._changes(start["listing"], now), {"listing": newest}

    def readBetweenOffsets(self, start: Offset, end: Offset) -> Iterator[Change]:  # noqa: N802
        """What differs between two listings, the same each time it is asked."""
        return self._changes(start["listing"], self._load(end["listing"]))

    def commit(self, end: Offset) -> None:
        """Forget listings that no batch can ask for any more."""
        done = [number for number in self._numbers() if number <= end["listing"]]
        for number in done[:-KEPT_LISTINGS]:
            self._file(number).unlink(missing_ok=True)

    def _changes(self, start: int, now: Mapping[str, str]) -> Iterator[Change]:
        before = self._load(start)
        changes: list[Change] = [
            (path, "changed" if path in before else "new", stamp)
            for path, stamp in sorted(now.items())
            if before.get(path) != stamp
        ]
        changes += [(path, "gone", None) for path in sorted(before.keys() - now.keys())]
        return iter(changes)

    def _file(self, number: int) -> Path:
        return self._folder / f"{number:09}.parquet"

    def _numbers(self) -> list[int]:
        return sorted(int(file.stem) for file in self._folder.glob("*.parquet") if file.stem.isdigit())

    def _load(self, number: int) -> dict[str, str]:
        """A listing, stamp by path; one that was removed counts as empty, and its batch lists too many changes."""
        file = self._file(number)
        if number == _EMPTY or not file.exists():
            return {}
        table: Table = parquet.read_table(file)
        return dict(zip(table["path"].to_pylist(), table["stamp"].to_pylist(), strict=True))

    def _save(self, number: int, listing: Mapping[str, str]) -> None:
        table = pa.table(
            {"path": list(listing), "stamp": list(listing.values())},
            pa.schema([("path", pa.string()), ("stamp", pa.string())]),
        )
        with replacement(self._file(number)) as part:
            parquet.write_table(table, part, compression="zstd")
