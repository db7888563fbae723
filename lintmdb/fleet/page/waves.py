"""The plan of an audit on its page: the waves, and the scripts of each queue manager and cell."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, TypedDict
from urllib.parse import quote

from lintmdb.fleet.arrow import read_rows
from lintmdb.fleet.audit_tables import batches, counted, first_rows, read_records, rolled_up
from lintmdb.fleet.plan_report import FOLDER, places_words, who_words
from lintmdb.fleet.summary import PlanRecord, Summary, WaveRecord
from lintmdb.fleet.summary import read_summary as read_document

WAVES_SHOWN = 50
SCRIPTS_SHOWN = 300


class ShownWave(NamedTuple):
    """A row of the table of waves."""

    number: int
    who: str
    action: str
    changes: int
    where: str
    """``4 queue managers``."""
    flows: int
    findings: int
    percent: float
    """Of all that the plan gains, what this wave and those before it have come to."""


class ShownScript(NamedTuple):
    """The script of a queue manager or cell."""

    place: str
    is_queue_manager: bool
    owner: str
    """Blank where nobody is named."""
    changes: int
    first_wave: int
    path: str
    """Below the folder of the plan."""

    @property
    def link(self) -> str:
        """From the page, which lies in the folder of the audit."""
        return quote(f"{FOLDER}/{self.path}")

    @property
    def check_link(self) -> str:
        """Where the script is that shows what there is to change, from the page; only queue managers have one."""
        return quote(f"{FOLDER}/check/{self.path}") if self.is_queue_manager else ""

    @property
    def undo_link(self) -> str:
        """To the script that takes it back."""
        return quote(f"{FOLDER}/undo/{self.path}")


@dataclass(frozen=True, slots=True)
class Waves:
    """What the page says of a plan."""

    plan: PlanRecord
    shown: tuple[ShownWave, ...]
    count: int
    """How many waves there are in all."""
    scripts: tuple[ShownScript, ...]
    script_count: int

    @property
    def ended(self) -> int:
        """How many findings end."""
        return self.plan["findings"] - self.plan["left"]

    @property
    def safe(self) -> int:
        """How many flows become safe."""
        return self.plan["safe_after"] - self.plan["safe_before"]


class _ScriptRow(TypedDict):
    place: str
    product: str
    owner: str | None
    script: str
    rows: int
    wave: int


def read_waves(audit: Path) -> Waves | None:
    """The plan of an audit; None where none was asked for. Raises LintmdbError for a table that cannot be read."""
    if not (audit / "wave").is_dir():
        return None
    document: Summary = read_document(audit)
    plan = document.get("plan")
    if plan is None:
        return None
    waves = sorted(read_rows(audit / "wave", WaveRecord), key=lambda wave: wave["wave"])
    keys = ("place", "product", "owner", "script")
    changes = batches(audit, "plan_change", [*keys, "wave"], named=True)
    rows = rolled_up(map(counted, changes), keys, {"rows": "sum", "wave": "min"})
    shown = first_rows(rows, ("wave", "-rows", "product", "place"), SCRIPTS_SHOWN) if rows is not None else None
    return Waves(
        plan,
        tuple(_wave(wave, waves[-1]) for wave in waves[:WAVES_SHOWN]),
        len(waves),
        tuple(map(_script, read_records(shown, _ScriptRow))),
        rows.num_rows if rows is not None else 0,
    )


def _wave(wave: WaveRecord, last: WaveRecord) -> ShownWave:
    measure = "flows_so_far" if last["flows_so_far"] else "findings_so_far"
    return ShownWave(
        wave["wave"],
        who_words(wave),
        wave["action"],
        wave["changes"],
        places_words(wave),
        wave["flows"],
        wave["findings"],
        100 * wave[measure] / (last[measure] or 1),
    )


def _script(row: _ScriptRow) -> ShownScript:
    return ShownScript(
        row["place"], row["product"] == "mq", row["owner"] or "", row["rows"], row["wave"], row["script"]
    )
