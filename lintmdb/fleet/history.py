"""What an audit hands on to those after it: when each finding was first seen, and the totals of all audits so far.

Two tables of an audit, made of those of the audit before and of its own tables, so that no older audit is read again
and all of them can be removed. They tell of time, so two audits of the same exports differ in them.
"""

from __future__ import annotations

import shutil
from collections import Counter
from datetime import datetime
from importlib.resources import files
from pathlib import Path

import duckdb

from lintmdb.errors import LintmdbError
from lintmdb.fleet.arrow import compute, dataset, pa, read_rows
from lintmdb.fleet.audit_queries import rows_query
from lintmdb.fleet.audit_tables import table_files
from lintmdb.fleet.database import database, quoted
from lintmdb.fleet.facts.store import Store
from lintmdb.fleet.judging.tables import write_file
from lintmdb.fleet.summary import Summary, read_summary
from lintmdb.rules.rule import SEVERITIES

FINDINGS, AUDITS = "history", "audits"
"""The tables: one row a finding that was ever there, and one row an audit."""
_READ = ("findings", "suppressed", "undecided", "inventory", "quarantine")
_NUMBERS = (*SEVERITIES, "undecided", "clear", "suppressed", "endpoints", "flows", "quarantined")
_AUDITS = pa.schema([("id", pa.string()), ("started", pa.timestamp("us")), ("finished", pa.timestamp("us")),
                     *((name, pa.int64()) for name in _NUMBERS)])  # fmt: skip
_NO_HISTORY = """
SELECT fingerprint, rule, severity, subject, cell, queue_manager, headline, environment, owner, '' AS state,
    CAST(NULL AS TIMESTAMP) AS first_seen, '' AS first_audit, CAST(NULL AS TIMESTAMP) AS last_seen, '' AS last_audit,
    CAST(NULL AS TIMESTAMP) AS absent_since, CAST(NULL AS TIMESTAMP) AS returned, 0 AS returns,
    '' AS whole_cell, '' AS whole_queue_manager
FROM findings WHERE FALSE
"""


def write_history(store: Store, folder: Path, summary: Summary) -> None:
    """Write both tables of an audit, which is in ``folder`` and not complete yet, after those of the audits before.

    Audits of versions that kept no history are added to it. Raises LintmdbError for a table that cannot be read, and
    where there is no room to write.
    """
    audits = store.complete_audits()
    known = [place for place, audit in enumerate(audits) if (audit / FINDINGS).is_dir()]
    before = audits[known[-1]] if known else None
    work = folder.parent / "history"
    for number, older in enumerate(audits[known[-1] + 1 if known else 0 :]):
        into = work / str(number)
        if _catch_up(before, older, into):
            before = into
    _carry(before, folder, summary, folder)
    shutil.rmtree(work, ignore_errors=True)


def count_new(folder: Path) -> dict[str, int]:
    """How many findings of an audit the one before does not have, by severity."""
    counts: Counter[str] = Counter()
    columns, appeared = ["severity", "state"], compute.field("state").isin(["new", "returned"])
    for batch in dataset.dataset(folder / FINDINGS, format="parquet").to_batches(columns=columns, filter=appeared):
        counts.update(batch.column("severity").to_pylist())
    return {severity: counts[severity] for severity in SEVERITIES}


def _catch_up(before: Path | None, older: Path, into: Path) -> bool:
    """Add an audit that has no history of its own; one that cannot be read is left out."""
    try:
        _carry(before, older, read_summary(older), into)
    except (LintmdbError, OSError, ValueError):
        return False
    return True


def _carry(before: Path | None, audit: Path, summary: Summary, into: Path) -> None:
    into.mkdir(parents=True, exist_ok=True)
    _write_findings(before, audit, summary, into)
    rows = read_rows(before / AUDITS, dict[str, object]) if before is not None else []
    write_file(into / AUDITS, 0, pa.Table.from_pylist([*rows, _totals(summary)], _AUDITS))


def _write_findings(before: Path | None, audit: Path, summary: Summary, into: Path) -> None:
    draft = into / ".history"
    try:
        with database(into / ".spill") as connection:
            for table in _READ:
                connection.execute(f"CREATE VIEW {table} AS {_rows(audit, table)}")
            earlier = _NO_HISTORY if before is None else _rows(before, FINDINGS)
            connection.execute(f"CREATE VIEW before AS {earlier}")
            query = files("lintmdb.fleet").joinpath("history.sql").read_text("utf-8")
            connection.execute(
                f"COPY ({query}) TO {quoted(str(draft))} (FORMAT parquet, COMPRESSION zstd)",
                {"id": summary["id"], "started": summary["started"].removesuffix("Z")},
            )
    except duckdb.Error as error:
        reason = str(error).partition("\n")[0]
        raise LintmdbError(
            f"the history of findings cannot be written: {reason}",
            path=str(audit),
            next_step="The last complete audit is unchanged"
            + (
                f"; if it is the history of {before.name} that is damaged, remove the folder of that audit"
                if before
                else ""
            ),
        ) from error
    (into / FINDINGS).mkdir(exist_ok=True)
    draft.rename(into / FINDINGS / "part-00000.parquet")


def _rows(audit: Path, table: str) -> str:
    files = table_files(audit, table)
    if not files and table == "suppressed":  # an older version
        return "SELECT * FROM findings WHERE FALSE"
    return rows_query(files) if files else "SELECT * FROM read_parquet([])"


def _totals(summary: Summary) -> dict[str, object]:
    """The row of an audit in the table of audits."""
    return {
        "id": summary["id"],
        "started": _moment(summary["started"]),
        "finished": _moment(summary["finished"]),
        **{severity: summary["hazards"].get(severity, 0) for severity in SEVERITIES},
        "undecided": summary["undecided"],
        "clear": summary["clear"],
        "suppressed": summary.get("suppressed", 0),
        "endpoints": summary["endpoints"],
        "flows": summary["flows"],
        "quarantined": summary["exports"]["quarantined"],
    }


def _moment(text: str) -> datetime:
    """A time of a summary as tables hold it: UTC, without saying so."""
    return datetime.fromisoformat(text).replace(tzinfo=None)
