"""How far the plan of an audit is, by newer exports: counts by wave, and the changes that are not done."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, TypedDict

from lintmdb.engine.judge import judge
from lintmdb.errors import LintmdbError
from lintmdb.fleet.arrow import read_rows
from lintmdb.fleet.facts.store import Store
from lintmdb.fleet.find_audit import LATEST, find_audit
from lintmdb.fleet.plan_report import FOLDER, wave_words
from lintmdb.fleet.summary import WaveRecord
from lintmdb.plan.document import flow_names, read_plan
from lintmdb.plan.verify import Verified, WorseNow, counted, find_worse, open_scripts, step_numbers, verify
from lintmdb.report.plan_progress import render_progress, worse_lines
from lintmdb.report.terminal import Style, plural
from lintmdb.resolve.observations import Observations
from lintmdb.run.estate import UnresolvedEstate, resolve_exports

CHANGES_SHOWN = 50
_FILE = "plan.json"


class _ChangeRow(TypedDict):
    number: int
    wave: int
    owner: str | None
    place: str
    environment: str | None
    product: str
    text: str


class PlanProgress(NamedTuple):
    """A plan and how far each of its changes is."""

    audit: str
    """The id of the audit that made the plan."""
    waves: Sequence[WaveRecord]
    changes: Sequence[tuple[_ChangeRow, Verified]]
    """In the order of the steps."""
    worse: Sequence[WorseNow]
    """Flows of the plan that are worse off than before it."""
    scripts: Sequence[str]
    """The scripts that are still to run, in this order."""

    @property
    def done(self) -> bool:
        """Whether nothing is left to do."""
        return all(entry.progress == "done" for _, entry in self.changes)


def find_plan(folder: Path, name: str = LATEST) -> Path:
    """The folder of an audit with a plan; ``latest`` is the last one that has one. Raises LintmdbError."""
    audit = find_audit(folder, name)
    if name == LATEST:
        planned = [each for each in Store(folder).complete_audits() if (each / FOLDER / _FILE).is_file()]
        audit = planned[-1] if planned else audit
    if not (audit / FOLDER / _FILE).is_file():
        raise LintmdbError(
            "holds no plan", path=str(audit), next_step="lintmdb fleet audit --plan makes one with the next audit"
        )
    return audit


def verify_plan(audit: Path, exports: UnresolvedEstate, observed: Observations) -> PlanProgress:
    """How far the plan of an audit is; it has those flows on which it changes something. Raises LintmdbError for a plan
    that cannot be read.
    """
    kept = read_plan(audit / FOLDER / _FILE)
    rows = sorted(read_rows(audit / "plan_change", _ChangeRow), key=lambda row: row["number"])
    waves = sorted(read_rows(audit / "wave", WaveRecord), key=lambda wave: wave["wave"])
    if len(rows) != len(kept.changes):
        raise LintmdbError(
            "is not the plan of its audit", path=str(audit / FOLDER / _FILE), next_step="Audit again with --plan"
        )
    verified = verify(kept.changes, exports)
    worse = find_worse(kept.flows, judge(resolve_exports(exports, observed).facts, ()).flows)
    scripts = open_scripts(kept.steps, verified)
    number = step_numbers(kept.steps)
    changes = sorted(zip(rows, verified, strict=True), key=lambda pair: number(pair[1].change))
    return PlanProgress(audit.name, waves, changes, worse, scripts)


def progress_lines(progress: PlanProgress, style: Style) -> Iterator[str]:
    """The lines of the report, without line ends."""
    of_wave: dict[int, list[Verified]] = {}
    for row, entry in progress.changes:
        of_wave.setdefault(row["wave"], []).append(entry)
    for wave in progress.waves:
        yield f"wave {wave['wave']}  {wave_words(wave)}: {_counts(of_wave.get(wave['wave'], ()))}"
    undone = [entry for _, entry in progress.changes if entry.progress != "done"]
    if progress.waves:
        yield ""
    yield from list(render_progress(undone[:CHANGES_SHOWN], style))[:-1]
    if len(undone) > CHANGES_SHOWN:
        yield f"and {plural(len(undone) - CHANGES_SHOWN, 'more change')} to make; --format json has all"
        yield ""
    everything = [entry for _, entry in progress.changes]
    yield f"{plural(len(everything), 'change')} of {progress.audit}: {_counts(everything) or 'none planned'}"
    yield from worse_lines(progress.worse, progress.scripts, style)


def _counts(entries: Sequence[Verified]) -> str:
    return ", ".join(f"{count} {progress}" for progress, count in counted(entries))


def progress_json(progress: PlanProgress) -> Iterator[str]:
    """All changes as one JSON document."""
    counts = Counter(entry.progress for _, entry in progress.changes)
    document = {
        "schema": "lintmdb-fleet-plan-progress/1",
        "audit": progress.audit,
        "counts": {name: counts[name] for name in ("done", "open", "drifted", "not exported")},
        "changes": [
            {
                "wave": row["wave"],
                "owner": row["owner"],
                "product": row["product"],
                "environment": row["environment"],
                "place": row["place"],
                "text": row["text"],
                "progress": entry.progress,
                "now": entry.now,
            }
            for row, entry in progress.changes
        ],
        "worse": [
            {**flow_names(entry.head.subject), "before": entry.before.value, "now": entry.now.value}
            for entry in progress.worse
        ],
        "scripts": list(progress.scripts),
    }
    yield json.dumps(document, ensure_ascii=False, indent=2) + "\n"
