"""The tables of an audit: their columns, the order of their rows, and the rows that show verdicts.

Each table is a folder of Parquet files that pyarrow writes, whoever judged: Spark's executors and this process leave
the same bytes.
"""

from __future__ import annotations

import os
import uuid
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from lintmdb.engine.findings import Finding, Subject, Undecided
from lintmdb.engine.flow_rows import FlowRows, JudgedRows
from lintmdb.engine.judge import flow_head
from lintmdb.engine.readers import is_reader
from lintmdb.fleet.arrow import Schema, Table, pa, parquet
from lintmdb.fleet.arrow_rows import in_files
from lintmdb.fleet.judging.deciding_values import deciding_words
from lintmdb.fleet.stored_values import stored_value
from lintmdb.model.relations import Binding, Endpoint, Problem
from lintmdb.report.json_report import location_json, related_json, steps
from lintmdb.report.subjects import headline, subject_text
from lintmdb.run.owners import NOBODY, Owners

_TEXT = pa.string()
_TEXTS = pa.list_(_TEXT)
_SUBJECT = pa.struct([(name, _TEXT) for name in Subject._fields])
_VALUE = pa.struct([("text", _TEXT), ("number", pa.int64()), ("flag", pa.bool_())])
FINDINGS = pa.schema(
    [
        ("rule", _TEXT), ("name", _TEXT), ("severity", _TEXT), ("confidence", _TEXT), ("message", _TEXT),
        ("subject", _SUBJECT), ("values", pa.map_(_TEXT, _VALUE)), ("cause", _TEXT),
        ("location", pa.struct([("path", _TEXT), ("line", pa.int32()), ("column", pa.int32())])),
        ("related", pa.list_(pa.struct(
            [("path", _TEXT), ("line", pa.int32()), ("message", _TEXT), ("default", pa.bool_())]))),
        ("trace", pa.list_(pa.struct(
            [("step", pa.int32()), ("actor", _TEXT), ("event", _TEXT), ("text", _TEXT),
             ("state", pa.map_(_TEXT, pa.int64()))]))),
        ("fix", _TEXT), ("fingerprint", _TEXT), ("flows", pa.int64()), ("cell", _TEXT), ("queue_manager", _TEXT),
        ("headline", _TEXT), ("environment", _TEXT), ("owner", _TEXT),
    ]
)  # fmt: skip
UNDECIDED = pa.schema(
    [
        ("rule", _TEXT), ("severity", _TEXT), ("subject", _SUBJECT), ("missing", pa.list_(_TEXT)),
        ("needs", _TEXT), ("need_kind", _TEXT), ("need_target", _TEXT), ("need_command", _TEXT), ("cell", _TEXT),
        ("queue_manager", _TEXT), ("environment", _TEXT), ("owner", _TEXT),
    ]
)  # fmt: skip


SUPPRESSION = pa.struct(
    [("kind", _TEXT), ("path", _TEXT), ("line", pa.int32()), ("reason", _TEXT), ("expires", _TEXT), ("owner", _TEXT)]
)
COUNTS = ("hazards", "undecided", "clear", "suppressed")
COUNTED: Mapping[str, str] = MappingProxyType(
    {"findings": "hazards", "undecided": "undecided", "suppressed": "suppressed"}
)
"""Tables of verdicts, and the column of ``summary`` that counts their rows."""
SCHEMAS: Mapping[str, Schema] = MappingProxyType(
    {
        "findings": FINDINGS,
        "suppressed": FINDINGS.append(pa.field("suppression", SUPPRESSION)),
        "undecided": UNDECIDED,
        "inventory": pa.schema(
            [
                ("path", _TEXT), ("kind", _TEXT), ("name", _TEXT), ("complete", pa.bool_()), ("level", _TEXT),
                ("files", pa.int32()), ("export", _TEXT), ("objects", pa.map_(_TEXT, pa.int32())),
                ("environment", _TEXT),
            ]
        ),
        "quarantine": pa.schema(
            [
                ("path", _TEXT), ("reason", _TEXT), ("line", pa.int32()), ("column", pa.int32()), ("next_step", _TEXT),
                ("environment", _TEXT),
            ]
        ),
        "notices": pa.schema(
            [
                ("kind", _TEXT), ("path", _TEXT), ("line", pa.int32()), ("text", _TEXT), ("next_step", _TEXT),
                ("environment", _TEXT),
            ]
        ),
        "summary": pa.schema(
            [("cell", _TEXT), ("environment", _TEXT), ("rule", _TEXT), *((name, pa.int64()) for name in COUNTS)]
        ),
        "plan": pa.schema(
            [
                ("component", pa.int64()), ("shape", _TEXT), ("cells", _TEXTS), ("queue_managers", _TEXTS),
                ("flows", pa.int64()), ("safe_before", pa.int64()), ("safe_after", pa.int64()),
                ("findings", pa.int64()), ("left", pa.int64()), ("changes", pa.int64()), ("owners", _TEXTS),
                ("restarts", pa.int64()), ("states", pa.int64()), ("complete", pa.bool_()),
            ]
        ),
        "plan_change": pa.schema(
            [
                ("place", _TEXT), ("product", _TEXT), ("component", pa.int64()), ("number", pa.int64()),
                ("change", _TEXT), ("kind", _TEXT), ("name", _TEXT), ("path", _TEXT), ("setting", _TEXT),
                ("attribute", _TEXT), ("old", _TEXT), ("new", _TEXT), ("text", _TEXT), ("rules", _TEXTS),
                ("owner", _TEXT), ("wave", pa.int64()), ("acts", _TEXT), ("restarts", pa.bool_()), ("script", _TEXT),
                ("environment", _TEXT),
            ]
        ),
        "wave": pa.schema(
            [
                ("wave", pa.int64()), ("owner", _TEXT), ("product", _TEXT), ("action", _TEXT),
                ("changes", pa.int64()), ("places", pa.int64()), ("flows", pa.int64()), ("flows_so_far", pa.int64()),
                ("findings", pa.int64()), ("findings_so_far", pa.int64()), ("worse", pa.int64()),
            ]
        ),
    }
)  # fmt: skip
ORDER: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "findings": ("cell", "severity", "rule", "fingerprint", "subject"),
        "suppressed": ("cell", "severity", "rule", "fingerprint", "subject"),
        "undecided": ("cell", "rule", "subject"),
        "inventory": ("kind", "name", "path", "export", "complete", "level", "files"),
        "quarantine": ("path", "line", "column", "reason", "next_step"),
        "notices": ("path", "line", "kind", "text", "next_step", "environment"),
        "summary": ("cell", "environment", "rule"),
        "plan": ("component",),
        "plan_change": ("place", "environment", "product", "number"),
        "wave": ("wave",),
    }
)
"""By what the rows of each file are sorted, NULL first. No two rows that differ are equal in all of them."""
_FILE_ROWS = 20_000
_MOST_FILES = 999


def count_files(rows: int) -> int:
    """Into how many files a table of about so many rows is written."""
    return 1 + min(rows // _FILE_ROWS, _MOST_FILES)


def file_of(first: object, files: int) -> int:
    """The number of the file that holds the rows whose first column of ORDER has a value."""
    return zlib.crc32(("" if first is None else str(first)).encode()) % files


def write_rows(folder: Path, name: str, rows: Sequence[Mapping[str, object]]) -> None:
    """Write all rows of a table, which may come in any order. Without any, one file tells of its columns."""
    write_table(folder, name, pa.Table.from_pylist(list(rows), SCHEMAS[name]))


def write_table(folder: Path, name: str, table: Table) -> None:
    """Write all rows of a table, which may come in any order, as ``write_rows`` does."""
    if not table.num_rows:
        write_file(folder / name, 0, SCHEMAS[name].empty_table())
        return
    files = count_files(table.num_rows)
    for number, share in in_files(table, ORDER[name], lambda first: file_of(first, files)):
        write_file(folder / name, number, share)


_UNLIMITED = 1 << 30


def write_file(folder: Path, number: int, table: Table) -> None:
    """Write one file of a table, all at once for whoever reads there."""
    folder.mkdir(parents=True, exist_ok=True)
    draft = folder / f".{uuid.uuid4().hex}"
    # Statistics are a third of the work, and no reader passes over a file by them: each has rows from the whole range
    # of values. Parquet's own types say all that a schema of Arrow would, but for how columns were encoded in memory.
    # Without limits of their own for pages, a column of texts and the same one as numbers of words would be split, and
    # give up their dictionaries, at other rows: a pool of processes and Spark would leave other bytes.
    pages = {"max_rows_per_page": _UNLIMITED, "dictionary_pagesize_limit": _UNLIMITED}
    parquet.write_table(table, draft, compression="zstd", write_statistics=False, store_schema=False, **pages)
    os.replace(draft, folder / file_name(number))


def file_name(number: int) -> str:
    """The name of a file of a table."""
    return f"part-{number:05}.parquet"


# -- rows


@dataclass(frozen=True, slots=True)
class Shown:
    """The rows that a verdict was seen on, and what goes for all verdicts on them."""

    rows: JudgedRows

    @property
    def cell(self) -> str | None:
        """The cell that the verdict counts under."""
        return self._row.cell

    @property
    def environment(self) -> str | None:
        """The environment of its exports."""
        return self._row.environment

    @property
    def queue_manager(self) -> str | None:
        """The queue manager of the flow."""
        return None if isinstance(self._row, Binding) else self._row.queue_manager

    @property
    def _row(self) -> Endpoint | Binding | Problem:
        return self.rows.endpoint if isinstance(self.rows, FlowRows) else self.rows

    def headline(self, finding: Finding) -> str:
        """What it is about, in one line."""
        if not isinstance(self.rows, FlowRows) or is_reader(self.rows.endpoint):
            return subject_text(finding.subject)
        return headline(flow_head(self.rows))


def finding_row(finding: Finding, shown: Shown, owners: Owners = NOBODY) -> dict[str, object]:
    """A row of ``findings``."""
    return {**told_row(finding, shown), **own_row(finding, owners)}


def told_row(finding: Finding, shown: Shown) -> dict[str, object]:
    """What a row of ``findings`` says: the columns that ``own_row`` does not have."""
    rule = finding.rule
    return {
        "rule": rule.id,
        "name": rule.name,
        "severity": rule.severity,
        "confidence": rule.confidence,
        "message": finding.message,
        "subject": finding.subject._asdict(),
        "values": [(name, stored_value(value)) for name, value in finding.values.items()],
        "cause": deciding_words(finding.values, rule.hazard.columns),
        "trace": [{**step, "state": list(step["state"].items())} for step in steps(finding.trace)],
        "fix": finding.fix,
        "cell": shown.cell,
        "queue_manager": shown.queue_manager,
        "headline": shown.headline(finding),
        "environment": shown.environment,
    }


def own_row(finding: Finding, owners: Owners) -> dict[str, object]:
    """What a row of ``findings`` has of its own: where it is, who owns it, and how many flows share it."""
    return {
        "location": location_json(finding.location),
        "related": [{"default": False, **related_json(place)} for place in finding.related],
        "fingerprint": finding.fingerprint,
        "flows": finding.flows,
        "owner": owners.of_subject(finding.subject) or None,
    }


def undecided_row(
    entry: Undecided, cell: str | None, queue_manager: str | None, owners: Owners = NOBODY
) -> dict[str, object]:
    """A row of ``undecided``, and the cell and queue manager that the verdict counts under."""
    return {
        "rule": entry.rule.id,
        "severity": entry.rule.severity,
        "subject": entry.subject._asdict(),
        "missing": list(entry.missing),
        "needs": entry.need.text,
        "need_kind": entry.need.kind,
        "need_target": entry.need.target,
        "need_command": entry.need.command,
        "cell": cell,
        "queue_manager": queue_manager,
        "environment": entry.subject.environment,
        "owner": owners.of_subject(entry.subject) or None,
    }
