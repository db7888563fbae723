"""Two audits beside each other: findings that are new, resolved or no longer to be decided, and fates that changed.

Only the columns that tell verdicts apart are read, by Arrow and without Spark; whole rows are read of what differs.
Verdicts are matched by rule and identity of their subject, the same that fingerprints rest on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lintmdb.engine.findings import Subject
from lintmdb.fleet.audit_tables import batches, pa, pc, replaced, rows
from lintmdb.fleet.audit_tables import field as column
from lintmdb.rules.rule import SEVERITIES

Row = Mapping[str, Any]
CellRule = tuple[str, str]
"""A cell and a rule; the cell is empty for what belongs to none."""


@dataclass(frozen=True, slots=True)
class FateChange:
    """How the stories of one flow end, before and after, in the words of their last steps."""

    cell: str
    headline: str
    before: tuple[str, ...]
    after: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Gone:
    """A finding that is not there any more and is not resolved either, and what would tell."""

    finding: Row
    needs: str


@dataclass(slots=True)
class Difference:
    """What differs from an older audit to a newer one; all lists are sorted, worst first."""

    old: str
    new: str
    """Ids of the audits."""
    added: list[Row] = field(default_factory=list[Row])
    """Findings of the newer audit alone, as rows of its table."""
    resolved: list[Row] = field(default_factory=list[Row])
    suppressed: list[Row] = field(default_factory=list[Row])
    """Findings of the older audit that the newer one has, too, and leaves out."""
    fates: list[FateChange] = field(default_factory=list[FateChange])
    unseen: list[Gone] = field(default_factory=list[Gone])
    """Findings that cannot be judged any more."""
    undecided: Counter[CellRule] = field(default_factory=Counter[CellRule])
    """How many other verdicts are undecided now and were not before."""
    needs: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])
    """The same by what would settle them: the need in words, and the command that gives it."""
    quarantined: list[str] = field(default_factory=list[str])
    """Paths that can no longer be read."""
    unchanged: int = 0
    """How many findings are in both."""

    def by_cell_and_rule(self) -> list[dict[str, Any]]:
        """Counts of new, resolved and newly undecided verdicts, one entry a cell and rule."""
        counts: dict[CellRule, Counter[str]] = {}
        for name, findings in (
            ("new", self.added),
            ("resolved", self.resolved),
            ("undecided", [entry.finding for entry in self.unseen]),
        ):
            for row in findings:
                counts.setdefault((row["cell"] or "", row["rule"]), Counter())[name] += 1
        for key, count in self.undecided.items():
            counts.setdefault(key, Counter())["undecided"] += count
        return [
            {"cell": cell, "rule": rule, **{name: kinds[name] for name in ("new", "resolved", "undecided")}}
            for (cell, rule), kinds in sorted(counts.items())
        ]


def compare_audits(old: Path, new: Path) -> Difference:
    """What differs from one audit folder to another. Raises LintmdbError for a table that cannot be read."""
    difference = Difference(old.name, new.name)
    before, after = _keys(old, "findings"), _keys(new, "findings")
    open_before, open_after = _keys(old, "undecided"), _keys(new, "undecided")
    added, gone = _without(after, before), _without(before, after)
    left_out = _without(gone, _without(gone, _keys(new, "suppressed")))
    gone = _without(gone, left_out)
    difference.suppressed = sorted(_findings(old, left_out), key=_worst_first)
    difference.unchanged = after.num_rows - added.num_rows
    difference.added = sorted(_findings(new, added), key=_worst_first)
    needs = open_after.filter(pc.is_in(open_after["key"], value_set=gone["key"].combine_chunks()))
    _sort_out(_findings(old, gone), _Seen(old, new, needs), difference)
    newly_open = _without(_without(open_after, open_before), before)
    for row in rows(newly_open.group_by(["cell", "rule"]).aggregate([([], "count_all")])):
        difference.undecided[row["cell"] or "", row["rule"]] = row["count_all"]
    for row in rows(newly_open.group_by(["needs", "need_command"]).aggregate([([], "count_all")])):
        difference.needs[row["needs"], row["need_command"] or ""] = row["count_all"]
    difference.fates = _fate_changes(old, new)
    difference.quarantined = sorted(_paths(new, "quarantine") - _paths(old, "quarantine"))
    return difference


# -- identity

_PLACE = ("cell", "cluster", "node", "server", "bus", "application", "module", "bean", "detail")
_SUBJECT = ("kind", "name", *_PLACE, "queue_manager", "queue")
_SEPARATOR = "\x1f"


def _keys(audit: Path, table: str) -> Any:
    """A verdict's key beside its cell and rule, and of undecided ones what they need: an Arrow table."""
    more = ("needs", "need_command") if table == "undecided" else ()
    columns = {name: column(name) for name in ("rule", "cell", *more)}
    columns |= {f"subject_{name}": column("subject", name) for name in _SUBJECT}
    names = ["key", "rule", "cell", *more]
    found = [replaced(batch, "key", _key(batch)).select(names) for batch in batches(audit, table, columns)]
    return pa.concat_tables(found) if found else pa.table({name: pa.array([], pa.string()) for name in names})


def _key(batch: Any) -> Any:
    """``Subject.identity`` of all rows at once, behind the rule."""
    parts = [pc.fill_null(batch[f"subject_{name}"], "") for name in _SUBJECT]
    of_queue = pc.is_in(parts[0], pa.array(["queue", "queue_manager"]))
    parts[-2:] = [pc.if_else(of_queue, part, "") for part in parts[-2:]]
    return pc.binary_join_element_wise(batch["rule"], *parts, _SEPARATOR)


def _key_of(row: Row) -> str:
    subject = Subject(**row["subject"])
    parts = subject.identity()
    return _SEPARATOR.join((row["rule"], *parts, *[""] * (len(_SUBJECT) - len(parts))))


def _without(table: Any, other: Any) -> Any:
    """The rows whose key the other table does not have."""
    return table.filter(pc.invert(pc.is_in(table["key"], value_set=other["key"].combine_chunks())))


# -- findings

_COLUMNS = (
    *("rule", "name", "severity", "confidence", "message", "subject", "values", "location", "related", "trace", "fix"),
    *("fingerprint", "flows", "cell", "queue_manager", "headline"),
)


def _findings(audit: Path, keys: Any) -> list[Row]:
    """The rows of the table of findings that have these keys."""
    if not keys.num_rows:
        return []
    wanted = set(keys["key"].to_pylist())
    rules = column("rule").isin(pc.unique(keys["rule"]))
    found = (row for batch in batches(audit, "findings", _COLUMNS, where=rules) for row in rows(batch))
    return [row for row in found if _key_of(row) in wanted]


def _worst_first(row: Row) -> tuple[int, str, str, str]:
    severity = str(row["severity"])
    rank = SEVERITIES.index(severity) if severity in SEVERITIES else len(SEVERITIES)
    return rank, row["rule"], row["cell"] or "", row["fingerprint"]


class _Seen:
    """What the newer audit can tell of a finding that it does not have."""

    def __init__(self, old: Path, new: Path, needs: Any) -> None:
        self._open = dict(zip(needs["key"].to_pylist(), needs["needs"].to_pylist(), strict=True))
        self._before, self._after = _exports(old), _exports(new)
        self._broken = sorted(_paths(new, "quarantine") - _paths(old, "quarantine"))

    def missing(self, row: Row) -> str | None:
        """What would have to be given to judge it; None where it is resolved."""
        need = self._open.get(_key_of(row))
        if need is not None:
            return need
        if row["subject"]["kind"] == "export":
            return None
        for kind, words in (("cell", "cell"), ("queue_manager", "queue manager")):
            name = row[kind] or row["subject"][kind]
            if name and (kind, name) in self._before and (kind, name) not in self._after:
                return f"an export of {words} {name}"
        place = row["location"] and row["location"]["path"]
        return next((f"{path}, which cannot be read" for path in self._broken if place and _inside(place, path)), None)


def _inside(place: str, path: str) -> bool:
    return place == path or place.startswith((f"{path}/", f"{path}!/"))


def _sort_out(gone: Sequence[Row], seen: _Seen, difference: Difference) -> None:
    for row in sorted(gone, key=_worst_first):
        needs = seen.missing(row)
        if needs is None:
            difference.resolved.append(row)
        else:
            difference.unseen.append(Gone(row, needs))


def _exports(audit: Path) -> set[tuple[str, str]]:
    return {
        (row["kind"], row["name"]) for batch in batches(audit, "inventory", ["kind", "name"]) for row in rows(batch)
    }


def _paths(audit: Path, table: str) -> set[str]:
    return {path for batch in batches(audit, table, ["path"]) for path in batch["path"].to_pylist()}


# -- fates


def _fate_changes(old: Path, new: Path) -> list[FateChange]:
    """Flows that have a story in both audits, and whose stories end otherwise."""
    before, after = _endings(old), _endings(new)
    return [
        FateChange(*flow, tuple(before[flow].values()), tuple(after[flow].values()))
        for flow in sorted(before.keys() & after.keys())
        if before[flow].keys() != after[flow].keys()
    ]


Endings = dict[str, str]
"""How stories end, to be compared and in words: by event, and by the whole text where it names a place."""


def _endings(audit: Path) -> dict[tuple[str, str], Endings]:
    """The ends of the stories that an audit tells of each flow, by cell and headline."""
    endings: dict[tuple[str, str], Endings] = {}
    for batch in batches(audit, "findings", ["cell", "headline", "trace"]):
        last = pa.table([batch["cell"], batch["headline"], _last_steps(batch["trace"])], ["cell", "headline", "last"])
        for row in rows(last.filter(pc.is_valid(last["last"]))):
            event, text = row["last"]["event"], row["last"]["text"]
            key = text if event.startswith("moved") else event
            endings.setdefault((row["cell"] or "", row["headline"]), {}).setdefault(key, text)
    return {flow: dict(sorted(found.items())) for flow, found in endings.items()}


def _last_steps(traces: Any) -> Any:
    """The last step of each trace, as a struct; NULL where there is none."""
    traces = traces.combine_chunks()
    lengths = pc.fill_null(pc.list_value_length(traces), 0)
    ends = pc.subtract(traces.offsets.slice(1), 1)
    return traces.values.take(pc.if_else(pc.greater(lengths, 0), ends, pa.scalar(None, ends.type)))
