"""What a trace gives: for each flow, what happens to messages, step by step."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypedDict, cast

from lintmdb.api.drawing import preformatted
from lintmdb.api.kept import Kept
from lintmdb.api.results import Step, Subject, subject_row
from lintmdb.api.tables import ArrowTable, Kind, Table, text_columns, to_arrow, to_pandas
from lintmdb.engine.findings import SUBJECT_KEYS, FlowHead
from lintmdb.engine.traces import Told
from lintmdb.report.entries import StepEntry, SubjectEntry
from lintmdb.report.terminal import Style, plural
from lintmdb.report.trace import render_trace, render_trace_json

if TYPE_CHECKING:
    import pandas

Traced = Sequence[tuple[FlowHead, Sequence[Told]]]


@dataclass(frozen=True, slots=True)
class Story:
    """What happens to one workload on a flow."""

    workload: str
    persistent: bool | None
    """The kind of message that has this fate; None where persistent and non-persistent messages share it."""
    fate: str
    target: str | None
    """Where the message ends."""
    deliveries: int
    """How often the bean got the message."""
    missing: tuple[str, ...]
    """What is not known, and is needed to tell the fate."""
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class TracedFlow:
    """A flow and its stories."""

    subject: Subject
    stories: tuple[Story, ...]


@dataclass(frozen=True, slots=True)
class Trace:
    """What happens to messages on each flow."""

    flows: tuple[TracedFlow, ...]
    exit_code: int
    """What the command would exit with: 0, or 3 where no endpoint is in what was given."""
    _text: str = field(repr=False, compare=False)
    _kept: Kept[tuple[Traced, bool]] = field(default_factory=Kept["tuple[Traced, bool]"], repr=False, compare=False)

    def __repr__(self) -> str:
        return f"<Trace: {plural(len(self.flows), 'flow')}, exit code {self.exit_code}>"

    def to_json(self) -> str:
        """The JSON document, byte for byte as ``lintmdb trace --format json`` writes it."""
        return self._text

    def to_pandas(self) -> pandas.DataFrame:
        """One row for each story. Raises LintmdbError where pandas is not installed."""
        return to_pandas(self._table())

    def to_arrow(self) -> ArrowTable:
        """The same rows as a table of Arrow. Raises LintmdbError where pyarrow is not installed."""
        return to_arrow(self._table())

    def _repr_html_(self) -> str | None:
        kept = self._kept.value
        if kept is None:
            return None
        flows, fold = kept
        return preformatted(render_trace(flows, Style(), fold=fold))

    def _table(self) -> Table:
        columns: dict[str, Kind] = {
            **text_columns((*SUBJECT_KEYS, "workload")),
            "persistent": "flag",
            **text_columns(("fate", "target")),
            "deliveries": "whole",
            "missing": "text",
            "steps": "whole",
        }
        rows = [
            {
                **subject_row(flow.subject),
                "workload": story.workload,
                "persistent": story.persistent,
                "fate": story.fate,
                "target": story.target,
                "deliveries": story.deliveries,
                "missing": " ".join(story.missing) or None,
                "steps": len(story.steps),
            }
            for flow in self.flows
            for story in flow.stories
        ]
        return Table(columns, rows)


class _Story(TypedDict):
    workload: str
    persistent: bool | None
    fate: str
    target: str | None
    deliveries: int
    missing: list[str]
    steps: list[StepEntry]


class _Flow(TypedDict):
    subject: SubjectEntry
    stories: list[_Story]


class _Document(TypedDict):
    """The JSON document of ``lintmdb trace``."""

    flows: list[_Flow]


def build_trace(flows: Traced, *, fold: bool) -> Trace:
    """The result of tracing; ``fold`` shortens what comes again and again."""
    text = render_trace_json(flows, fold=fold)
    document = cast("_Document", json.loads(text))
    return Trace(
        flows=tuple(
            TracedFlow(Subject(**flow["subject"]), tuple(map(_story, flow["stories"]))) for flow in document["flows"]
        ),
        exit_code=0 if flows else 3,
        _text=text,
        _kept=Kept((flows, fold)),
    )


def _story(entry: _Story) -> Story:
    return Story(
        workload=entry["workload"],
        persistent=entry["persistent"],
        fate=entry["fate"],
        target=entry["target"],
        deliveries=entry["deliveries"],
        missing=tuple(entry["missing"]),
        steps=tuple(Step(**step) for step in entry["steps"]),
    )
