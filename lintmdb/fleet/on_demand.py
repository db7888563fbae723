"""Spark where an audit needs it: for a fleet that is large, lies on another file system, or is to run on a cluster."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

from lintmdb.fleet.engine import MOST_BYTES, MOST_UNITS
from lintmdb.fleet.facts.units import is_uri, list_units
from lintmdb.fleet.progress import Stages
from lintmdb.fleet.session import close_session, has_session, open_session

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


class Sessions:
    """The session of a command, which is made when it is first needed."""

    def __init__(self, master: str | None, remote: str | None, *, verbose: bool, stages: Stages) -> None:
        self._master, self._remote = master, remote
        self._verbose, self._stages = verbose, stages
        self._session: SparkSession | None = None
        self._ours = False

    def for_inputs(self, inputs: Sequence[str]) -> SparkSession | None:
        """The session that audits these inputs; None where this process can do it by itself.

        Raises LintmdbError for an input that is not there.
        """
        if self._session is None and not self._is_named() and fits_here(inputs):
            return None
        return self.session()

    def for_changes(self, inputs: Sequence[str]) -> SparkSession | Callable[[], SparkSession | None]:
        """The session that audits what has changed in these inputs, or what gives that for all of them, once it turns
        out to be needed. Raises LintmdbError where Spark does not start.
        """
        if self._session is not None or self._is_named():
            return self.session()
        return partial(self.for_inputs, inputs)

    def session(self) -> SparkSession:
        """The session, whatever is asked of it. Raises LintmdbError where Spark does not start."""
        if self._session is None:
            self._stages.begin("starting Spark")
            self._ours = not has_session()
            self._session = open_session(self._master, self._remote, verbose=self._verbose)
            self._stages.watch(self._session)
        return self._session

    def _is_named(self) -> bool:
        """Whether somebody says which Spark to use, or runs this by spark-submit."""
        named = self._master or self._remote or os.environ.get("SPARK_REMOTE")
        return bool(named) or "PYSPARK_GATEWAY_PORT" in os.environ

    def close(self) -> None:
        """End the session, unless it was there before."""
        if self._session is not None and self._ours:
            close_session(self._session)


@contextmanager
def sessions(master: str | None, remote: str | None, *, verbose: bool, stages: Stages) -> Generator[Sessions]:
    """The sessions of a command."""
    found = Sessions(master, remote, verbose=verbose, stages=stages)
    try:
        yield found
    finally:
        stages.end()
        found.close()


def fits_here(inputs: Sequence[str]) -> bool:
    """Whether a fleet is small enough for this process. Raises LintmdbError for an input that is not there."""
    if any(is_uri(entry) for entry in inputs):
        return False
    units = list_units(inputs).units
    return len(units) <= MOST_UNITS and sum(unit.size for unit in units) <= MOST_BYTES
