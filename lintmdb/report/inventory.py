"""What ``lintmdb inventory`` prints: what was recognised, how much of it, what was passed over, what was not
understood.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from lintmdb.exports.discovery import NOT_AN_EXPORT, PassedOver
from lintmdb.model.environment_names import name_in
from lintmdb.model.relations import Export
from lintmdb.report.elsewhere import FULL, HEADING, KINDS
from lintmdb.report.terminal import Style, plural, safe
from lintmdb.resolve.mq.completeness import MANAGER_GAP
from lintmdb.run.estate import Estate, key_of_export
from lintmdb.run.full_queues import FULL_QUEUE
from lintmdb.run.reading_notices import TOLD
from lintmdb.run.remote_queues import NOTICE_KINDS

_SHOWN_LINES = 50
_SHOWN_FOLDERS = 5


def render_inventory(estate: Estate, style: Style) -> Iterator[str]:
    """The lines of the inventory."""
    guessed, listing = guessed_names(estate), _listing_queues(estate)
    for export in estate.facts.rows["export"]:
        kind = export.kind.replace("_", " ")
        about = ", ".join(
            part
            for part in (
                "name guessed" if _is_guessed(export, guessed) else "",
                f"level {export.level}" if export.level else "",
                _completeness(export, lists_queues=(export.environment, export.name) in listing),
                plural(export.files, "file"),
            )
            if part
        )
        title = safe(f"{kind} {name_in(export.environment, export.name or '(name unknown)')}")
        yield f"{style.paint('bold', title)}  {safe(export.path)}  ({about})"
        for name, count in estate.objects.get(key_of_export(export), Counter[str]()).items():
            yield f"{count:>8} {singular(name) if count == 1 else name}"
    for path, channels in estate.client_tables.items():
        yield f"{style.paint('bold', 'client channel definition table')}  {safe(path)}"
        yield f"{channels:>8} client {'channel' if channels == 1 else 'channels'}"
    if not estate.facts.rows["export"] and not estate.client_tables:
        yield "no export recognised"
    if estate.passed_over:
        yield ""
        yield style.paint("bold", "passed over")
        for entry in summarised(estate.passed_over):
            count = f" ({entry.files} files)" if entry.files > 1 else ""
            yield f"  {safe(entry.path)}{count}: {safe(entry.reason)}"
    problems = estate.facts.rows["problem"]
    for title, kinds in (
        (
            "not read, or not resolved",
            ("unreadable", "unresolved_name", "value_out_of_range", "conflicting_exports", "misspelt_property"),
        ),
        ("not read, guessed or assumed", [kind for kind in TOLD if kind not in KINDS]),
        (FULL.lower(), [FULL_QUEUE]),
        (HEADING.lower(), NOTICE_KINDS),
        ("not understood", ("not_understood", "template")),
    ):
        chosen = [problem for problem in problems if problem.kind in kinds]
        if not chosen:
            continue
        yield ""
        yield style.paint("bold", f"{title}: {len(chosen)}")
        for problem in chosen[:_SHOWN_LINES]:
            place = ":".join(str(part) for part in (problem.path, problem.line, problem.column) if part)
            step = f". {problem.next_step}" if problem.next_step else ""
            yield f"  {safe(place)}: {safe(problem.text)}{safe(step)}"
        if len(chosen) > _SHOWN_LINES:
            yield f"  and {len(chosen) - _SHOWN_LINES} more"


def guessed_names(estate: Estate) -> set[tuple[str | None, str | None]]:
    """The environments and names of queue managers whose name is guessed."""
    problems = estate.facts.rows["problem"]
    return {(problem.environment, problem.queue_manager) for problem in problems if problem.kind == "guessed_name"}


def _listing_queues(estate: Estate) -> set[tuple[str | None, str | None]]:
    """The environments and names of queue managers of which every queue is known, and not every other object."""
    managers = estate.facts.rows["queue_manager"]
    return {
        (manager.environment, manager.name) for manager in managers if manager.lists_queues and not manager.complete
    }


def _completeness(export: Export, *, lists_queues: bool) -> str:
    """What an object that an export does not define may be."""
    if export.complete:
        return "complete"
    if export.kind == "queue_manager" and lists_queues:
        lacks_manager = export.gap is not None and export.gap.endswith(MANAGER_GAP)
        return f"lists every queue, but {export.gap if lacks_manager else 'not all objects of other kinds'}"
    return f"incomplete: {export.gap or 'what it does not define may exist elsewhere'}"


def _is_guessed(export: Export, guessed: set[tuple[str | None, str | None]]) -> bool:
    return export.kind == "queue_manager" and (export.environment, export.name) in guessed


def singular(name: str) -> str:
    """The name of one object: ``node`` for ``nodes``, ``connection factory`` for ``connection factories``."""
    for ending, single in (("ies", "y"), ("aliases", "alias"), ("s", "")):
        if name.endswith(ending):
            return name.removesuffix(ending) + single
    return name


def summarised(entries: Sequence[PassedOver]) -> Iterator[PassedOver]:
    """What was passed over, with one entry for what is not an export in many folders."""
    common = [entry for entry in entries if entry.reason.startswith(NOT_AN_EXPORT)]
    if len(common) <= _SHOWN_FOLDERS:
        yield from entries
        return
    yield from (entry for entry in entries if entry not in common)
    for reason in sorted({entry.reason for entry in common}):
        alike = [entry for entry in common if entry.reason == reason]
        where = f"{plural(len(alike), 'path')} ({alike[0].path} and others)" if len(alike) > 1 else alike[0].path
        yield PassedOver(where, reason, sum(entry.files for entry in alike))
