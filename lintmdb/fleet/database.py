"""DuckDB in this process, which loads no extension and asks no server for one."""

from __future__ import annotations

import shutil
import signal
import socket
import threading
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb

from lintmdb.fleet.arrow import Batch, Table

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


def connect() -> DuckDBPyConnection:
    """An empty database in memory."""
    return duckdb.connect(config={"autoload_known_extensions": False, "autoinstall_known_extensions": False})


@contextmanager
def database(spill: Path) -> Generator[DuckDBPyConnection]:
    """An empty database in half of the memory at most, which writes what does not fit there into a folder that is gone
    afterwards.
    """
    connection = connect()
    try:
        connection.execute("SET memory_limit = '50%'")
        connection.execute(f"SET temp_directory = {quoted(str(spill))}")
        with _interruptible(connection):
            yield connection
    except RuntimeError as error:
        if str(error) == _INTERRUPTED:
            raise KeyboardInterrupt from error
        raise
    finally:
        connection.close()
        shutil.rmtree(spill, ignore_errors=True)


_INTERRUPTED = "Query interrupted"
"""What DuckDB makes of Ctrl-C during a query."""


@contextmanager
def _interruptible(connection: DuckDBPyConnection) -> Generator[None]:
    """Ctrl-C ends a query at once. By itself, DuckDB looks for signals between the tasks of a query only, some of which
    take seconds; but Python notes each signal in a socket at once, where a thread can wait for it.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    wakes, woken = socket.socketpair()

    def watch() -> None:
        while number := wakes.recv(1):
            if number[0] == signal.SIGINT:
                connection.interrupt()

    woken.setblocking(False)
    before = signal.set_wakeup_fd(woken.fileno(), warn_on_full_buffer=False)
    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(before)
        woken.close()
        watcher.join()
        wakes.close()


def quoted(text: str) -> str:
    """A text as a literal of SQL."""
    return "'" + text.replace("'", "''") + "'"


def keep(connection: DuckDBPyConnection, name: str, table: object) -> None:
    """Make a table of the database of an Arrow table, which a connection would know for itself alone."""
    connection.register("given", table)
    connection.execute(f"CREATE OR REPLACE TABLE {name} AS FROM given")
    connection.unregister("given")


def arrow_table(connection: DuckDBPyConnection, query: str) -> Table:
    """What a query returns."""
    untyped: Any = connection.sql(query)
    return untyped.to_arrow_table()


def arrow_batches(connection: DuckDBPyConnection, query: str, rows: int) -> Iterator[Batch]:
    """What a query returns, in batches of so many rows at the most."""
    untyped: Any = connection.sql(query)
    yield from untyped.to_arrow_reader(rows)
