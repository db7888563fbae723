"""Scripts of MQ over real files (a corpus beside the repository): they make what was planned, and can be undone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from lintmdb.exports.mq import read_mqsc
from lintmdb.model.facts import Facts
from lintmdb.plan.scripts import mqsc_script, mqsc_undo_script
from lintmdb.resolve.observations import Observations
from lintmdb.run.estate import read_exports, resolve_exports
from lintmdb.run.overlay import Overlay, overlay_of
from lintmdb.settings.changes import Assignment, Change, Definition, Grant, Target


def _rows(facts: Facts) -> dict[str, list[str]]:
    """All rows without where they were read."""
    return {name: sorted(map(repr, rows)) for name, rows in facts.rows.items() if name not in ("problem", "export")}


def _changes(facts: Facts) -> Iterator[Change]:
    """For each local queue a backout queue with rights on it, and a limit for each channel."""
    for row in facts.rows["queue"]:
        if row.type == "local" and row.free_backout_name:
            target = Target("mq", row.queue_manager, "QLOCAL", row.name)
            new = target._replace(name=row.free_backout_name)
            old = None if row.backout_threshold is None else str(row.backout_threshold)
            yield Definition(new, (("MAXDEPTH", "5000"), ("SHARE", ""), ("BOQNAME", "")))
            yield Assignment(target, "queue.backout_queue", "BOQNAME", new.name, row.backout_queue)
            yield Assignment(target, "queue.backout_threshold", "BOTHRESH", "7", old)
            yield Grant(new._replace(kind="QUEUE"), "appuser", ("PUT", "PASSALL"), (), recorded=False)
    for row in facts.rows["channel"]:
        target = Target("mq", row.queue_manager, "CHANNEL", row.name)
        if row.max_instances is not None:
            yield Assignment(target, "channel.max_instances", "MAXINST", "17", str(row.max_instances))


def test_scripts_over_real_files(corpus: Path) -> None:
    """Written as MQSC and read back over the real files, changes are those of the overlay; undone, nothing is left."""
    exports = read_exports([corpus / "mq"])
    estate = resolve_exports(exports, Observations())
    made: dict[str, list[Change]] = {}
    for change in _changes(estate.facts):
        made.setdefault(change.target.place, []).append(change)
    assert len(made) > 5
    read = {name: [read_mqsc(mqsc_script(name, changes, "check").encode(), "plan")] for name, changes in made.items()}
    changed = resolve_exports(exports, Observations(), Overlay(read))
    planned = resolve_exports(exports, Observations(), overlay_of([c for changes in made.values() for c in changes]))
    assert [problem for problem in changed.facts.rows["problem"] if problem.kind == "refused_change"] == []
    assert _rows(changed.facts) == _rows(planned.facts) != _rows(estate.facts)
    undone = {
        name: [*read[name], read_mqsc(mqsc_undo_script(name, changes).encode(), "undo")]
        for name, changes in made.items()
    }
    back = resolve_exports(exports, Observations(), Overlay(undone)).facts
    assert _rows(back)["channel"] == _rows(estate.facts)["channel"]
    before, after = _backout(estate.facts), _backout(back)
    assert before
    assert {key: after[key] for key in before} == before


def _backout(facts: Facts) -> dict[tuple[str, str], tuple[int, str]]:
    """Threshold and backout queue of each queue of which both are known."""
    return {
        (row.queue_manager, row.name): (row.backout_threshold, row.backout_queue)
        for row in facts.rows["queue"]
        if row.backout_threshold is not None and row.backout_queue is not None
    }
