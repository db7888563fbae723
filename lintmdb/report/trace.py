"""What `lintmdb trace` prints: for each flow what happens to a message, step by step, as text and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from lintmdb.delivery.outcome import Fate
from lintmdb.delivery.wording import Line, outcome_words, tell
from lintmdb.engine.findings import FlowHead, without
from lintmdb.engine.missing_inputs import find_need
from lintmdb.engine.need_groups import supply_words
from lintmdb.engine.readers import is_reader
from lintmdb.engine.traces import Told
from lintmdb.report.fate_sentences import after_stop
from lintmdb.report.json_report import steps
from lintmdb.report.next_readers import NextReaders
from lintmdb.report.subjects import headline
from lintmdb.report.terminal import Style, plural, safe, wrap
from lintmdb.report.timeline import timeline
from lintmdb.version import __version__


def render_trace(
    flows: Sequence[tuple[FlowHead, Sequence[Told]]], style: Style, *, fold: bool, readers: NextReaders | None = None
) -> Iterator[str]:
    """The lines of the report, without line ends. With ``readers`` they say who gets what has stopped an endpoint."""
    for number, (head, stories) in enumerate(flows):
        if number:
            yield ""
        yield style.paint("bold", safe(headline(head)))
        for told in stories:
            outcome = told.outcome
            colour = "green" if outcome.fate in (Fate.PROCESSED, Fate.BACKOUT_QUEUE) else "warning"
            title = f"{told.title}{_sessions(head, told)}"
            yield f"  {title}: {style.paint(colour, safe(outcome_words(outcome)))}"
            yield from timeline(_lines(head, told, fold=fold), style, "  ")
            if outcome.missing:
                need = find_need(outcome.missing, head.rows, head.subject)
                for line in wrap(safe(f"undecided {without(need.text)}"), style.width - 7):
                    yield f"       {line}"
                if need.command:
                    added = safe(supply_words(need.kind, need.command))
                    yield from (f"       {line}" for line in wrap(added, style.width - 7))
            if readers is not None and (text := after_stop(head, told, readers)):
                yield from (f"       {line}" for line in wrap(safe(text), style.width - 7))


def _lines(head: FlowHead, told: Told, *, fold: bool) -> list[Line]:
    return tell(told.outcome.steps, fold=fold, by_client=is_reader(head.rows.endpoint))


def _sessions(head: FlowHead, told: Told) -> str:
    """How many sessions the endpoint has, where several messages arrive and nobody asked for another number."""
    workload, sessions = told.workload, head.rows.value("endpoint.max_sessions")
    alone = workload.poison + max(workload.poison, 1) * workload.healthy_between == 1
    if alone or workload.sessions is not None or not isinstance(sessions, int):
        return ""
    return f", {plural(sessions, 'session')}"


def render_trace_json(flows: Sequence[tuple[FlowHead, Sequence[Told]]], *, fold: bool) -> str:
    """The same as one JSON document."""
    document = {
        "schema": "lintmdb-trace/1",
        "tool": {"name": "lintmdb", "version": __version__},
        "flows": [
            {
                "subject": head.subject.as_dict(),
                "stories": [
                    {
                        "workload": told.title,
                        "persistent": told.persistent,
                        "fate": told.outcome.fate.value,
                        "target": told.outcome.target or None,
                        "deliveries": told.outcome.deliveries,
                        "missing": list(told.outcome.missing),
                        "steps": steps(_lines(head, told, fold=fold)),
                    }
                    for told in stories
                ],
            }
            for head, stories in flows
        ],
    }
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"
