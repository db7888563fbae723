"""What `lintmdb fleet diff` prints: rolled up by cell and rule, the worst one by one, or all of it as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby

from lintmdb.engine.findings import Subject, without
from lintmdb.fleet.difference import Counts, Difference
from lintmdb.fleet.row_formats import json_lines
from lintmdb.fleet.stored_values import plain_value
from lintmdb.fleet.verdict_tables import FindingRow
from lintmdb.json_types import JsonObject, JsonValue
from lintmdb.model.environment_names import name_in
from lintmdb.report.terminal import plural, safe
from lintmdb.rules.rule import SEVERITIES
from lintmdb.version import __version__

SHOWN = 20
"""Entries of each list in the text; the JSON document has all."""


def difference_lines(difference: Difference) -> Iterator[str]:
    """The lines of the text, without line ends."""
    yield f"{difference.old} -> {difference.new}"
    yield from _fates(difference)
    for entry in difference.resized[:SHOWN]:
        where = f" of cell {entry.cell}" if entry.cell else ""
        yield safe(f"cluster {entry.cluster}{where}: {plural(entry.before, 'member')} -> {entry.after}")
    yield from _more(len(difference.resized), "cluster", "clusters")
    yield from _findings("new", difference.added)
    yield from _findings("resolved", difference.resolved)
    yield from _renamed(difference)
    yield from _findings("left out now", difference.suppressed)
    yield from _unseen(difference)
    yield from _table(difference)
    severities = Counter(row["severity"] for row in difference.added)
    named = ", ".join(f"{severities[severity]} {severity}" for severity in SEVERITIES if severities[severity])
    left_out = f"{len(difference.suppressed)} left out now, " if difference.suppressed else ""
    yield (
        f"{plural(len(difference.fates), 'flow')} with another fate; findings: {len(difference.added)} new"
        + (f" ({named})" if named else "")
        + f", {len(difference.resolved)} resolved, {left_out}"
        f"{len(difference.unseen) + difference.undecided.total()} newly undecided, {difference.unchanged} as before"
    )


def _fates(difference: Difference) -> Iterator[str]:
    for change in difference.fates[:SHOWN]:
        yield safe(f"{change.headline}, cell {change.cell}")
        for word, texts in (("before", change.before), ("after", change.after)):
            yield from (f"  {word:<7} {safe(text)}" for text in texts)
    yield from _more(len(difference.fates), "flow with another fate", "flows with another fate")


def _findings(word: str, findings: Sequence[FindingRow]) -> Iterator[str]:
    for row in findings[:SHOWN]:
        yield safe(f"{word}: {row['severity']} {row['rule']} {row['name']} at {_place(row)}")
        if word == "new":
            yield f"  {safe(row['message'])}"
    yield from _more(len(findings), f"{word} finding", f"{word} findings")


def _renamed(difference: Difference) -> Iterator[str]:
    for before, after in difference.renamed[:SHOWN]:
        yield safe(f"renamed: {after['rule']} {after['name']}, {_place(before)} -> {_place(after)}")
    yield from _more(len(difference.renamed), "renamed finding", "renamed findings")


def _place(row: FindingRow) -> str:
    subject = row["subject"]
    if subject["kind"] == "queue":
        return f"{subject['queue']} at {name_in(row['environment'], subject['queue_manager'] or '')}"
    where = "/".join(
        part for part in (subject["cell"], subject["cluster"] or subject["node"], subject["server"]) if part
    )
    kind = subject["kind"].replace("_", " ")
    name = subject["bean"] if kind == "bean" and subject["bean"] else subject["name"]
    return f"{kind} {name}" + (f" on {name_in(row['environment'], where)}" if where else "")


def _unseen(difference: Difference) -> Iterator[str]:
    by_need = sorted(difference.unseen, key=lambda entry: entry.needs)
    for needs, entries in groupby(by_need, key=lambda entry: entry.needs):
        yield safe(f"{plural(len(list(entries)), 'finding')} that can no longer be judged {without(needs)}")
    ranked = sorted(difference.needs.items(), key=lambda item: (-item[1], item[0]))
    other = "other check" if by_need else "check"
    for (needs, command), count in ranked[:SHOWN]:
        give = f"; provide: {command}" if command else ""
        yield safe(f"{plural(count, other)} newly undecided {without(needs)}{give}")
    yield from _more(len(ranked), "missing source", "missing sources")
    for path in difference.quarantined[:SHOWN]:
        yield safe(f"newly in quarantine: {path}")
    yield from _more(len(difference.quarantined), "file newly in quarantine", "files newly in quarantine")
    for words in difference.not_whole[:SHOWN]:
        yield safe(f"newly not read or not understood: {words}")
    yield from _more(len(difference.not_whole), "notice", "notices")
    for name in difference.guessed[:SHOWN]:
        yield safe(f"newly guessed: the name of queue manager {name}")
    yield from _more(len(difference.guessed), "guessed name", "guessed names")


def _table(difference: Difference) -> Iterator[str]:
    entries = difference.by_cell_and_rule()
    if not entries:
        return
    ranked = sorted(entries, key=lambda entry: (-entry["new"], -entry["resolved"], -entry["undecided"]))[:SHOWN]
    width = max(4, *(len(safe(entry["cell"] or "(no cell)")) for entry in ranked))
    yield f"{'cell':<{width}}  rule      new  resolved  undecided"
    for entry in ranked:
        counts = f"{entry['new']:>5}  {entry['resolved']:>8}  {entry['undecided']:>9}"
        yield f"{safe(entry['cell'] or '(no cell)'):<{width}}  {entry['rule']:<6}  {counts}"
    yield from _more(len(entries), "pair of cell and rule", "pairs of cell and rule")


def _more(count: int, one: str, several: str) -> Iterator[str]:
    if count > SHOWN:
        left = count - SHOWN
        yield f"and {left} more {one if left == 1 else several} (--format json lists every one)"


def difference_json(difference: Difference) -> Iterator[str]:
    """The same as one JSON document, in pieces: one line an entry of a list."""
    document: dict[str, JsonValue] = {
        "schema": "lintmdb-fleet-diff/1",
        "tool": {"name": "lintmdb", "version": __version__},
        "old": difference.old,
        "new_audit": difference.new,
        "fates": [
            {"cell": change.cell, "flow": change.headline, "before": change.before, "after": change.after}
            for change in difference.fates
        ],
        "clusters": [
            {"cell": entry.cell, "cluster": entry.cluster, "before": entry.before, "after": entry.after}
            for entry in difference.resized
        ],
        "new": [finding_document(row) for row in difference.added],
        "resolved": [finding_document(row) for row in difference.resolved],
        "renamed": [
            {"rule": after["rule"], "before": _subject(before), "after": _subject(after)}
            for before, after in difference.renamed
        ],
        "suppressed": [finding_document(row) for row in difference.suppressed],
        "unseen": [{**finding_document(entry.finding), "needs": entry.needs} for entry in difference.unseen],
        "undecided": [
            {"needs": needs, "command": command or None, "checks": count}
            for (needs, command), count in sorted(difference.needs.items())
        ],
        "quarantined": difference.quarantined,
        "not_read": difference.not_whole,
        "guessed_names": difference.guessed,
        "by_cell_and_rule": [_counts(entry) for entry in difference.by_cell_and_rule()],
        "summary": difference_counts(difference),
    }
    return json_lines(document)


def difference_counts(difference: Difference) -> dict[str, int]:
    """How many entries each list has."""
    return {
        "fates": len(difference.fates),
        "new": len(difference.added),
        "resolved": len(difference.resolved),
        "renamed": len(difference.renamed),
        "suppressed": len(difference.suppressed),
        "unseen": len(difference.unseen),
        "undecided": difference.undecided.total(),
        "unchanged": difference.unchanged,
    }


def _subject(row: FindingRow) -> JsonObject:
    return Subject(**row["subject"])._asdict()


def _counts(entry: Counts) -> JsonObject:
    return {
        "cell": entry["cell"],
        "rule": entry["rule"],
        "new": entry["new"],
        "resolved": entry["resolved"],
        "undecided": entry["undecided"],
    }


def finding_document(row: FindingRow) -> JsonObject:
    """A finding as the JSON document has it."""
    location = row["location"]
    return {
        "rule": row["rule"],
        "name": row["name"],
        "severity": row["severity"],
        "message": row["message"],
        "subject": _subject(row),
        "location": location and {"path": location["path"], "line": location["line"], "column": location["column"]},
        "fingerprint": row["fingerprint"],
        "flows": row["flows"],
        "headline": row["headline"],
        "cell": row["cell"],
        "queue_manager": row["queue_manager"],
        "values": {name: plain_value(value) for name, value in row["values"]},
    }
