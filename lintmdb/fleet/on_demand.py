"""Spark where an audit needs it: for exports on another file system, and for a cluster."""

from __future__ import annotations

import os
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from lintmdb.fleet.facts.units import is_uri
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
        """The session that audits these inputs; None where this computer does it by itself: unless somebody says which
        Spark to use, or an input lies on another file system. Raises LintmdbError where Spark does not start.
        """
        wanted = self._session is not None or self._is_named() or any(map(is_uri, inputs))
        return self.session() if wanted else None

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
