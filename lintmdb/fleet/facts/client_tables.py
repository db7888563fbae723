"""The client channel definition tables of a fleet: every cell may name any of them, so that they are read first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from lintmdb.errors import UnreadableError
from lintmdb.exports.discovery import HEAD, Listed
from lintmdb.exports.mq.client_table import ClientTable, looks_like_client_table, read_client_table
from lintmdb.fleet.facts.units import Unit, is_uri
from lintmdb.resolve.observations import Observations


def with_client_tables(observed: Observations, units: Sequence[Unit]) -> Observations:
    """What was observed, and the tables among the files of this machine that are called ``*.json``."""
    tables = [
        table._replace(environment=unit.environment)
        for unit in units
        for table in _tables([file for file in unit.files if file.file.lower().endswith(".json")])
    ]
    return replace(observed, client_tables=tuple(tables))


def _tables(files: Sequence[Listed]) -> Iterator[ClientTable]:
    """The tables that can be read; the unit of any other says why it cannot."""
    for file in files:
        if is_uri(file.file):
            continue
        try:
            with open(file.file, "rb") as stream:
                head = stream.read(HEAD)
                if looks_like_client_table(head):
                    yield read_client_table(head + stream.read(), file.shown)
        except (OSError, UnreadableError):
            continue
