"""The Python API: judge exports, get typed results.

The types mirror the JSON report, version 1, and are as stable as it is. Nothing is printed, no state is kept between
calls, and calls may run in several threads at once.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, cast

from lintmdb.errors import LintmdbError

Severity = Literal["error", "warning", "info"]
AnyPath = str | os.PathLike[str]


@dataclass(frozen=True, slots=True)
class Location:
    """A place in an export; None where there is no such thing, or it is not known."""

    path: str
    line: int | None
    column: int | None = None


@dataclass(frozen=True, slots=True)
class Related:
    """A place that a finding rests on."""

    path: str
    line: int | None
    message: str
    """What stands there, or the product's default."""
    default: bool = False
    """Nothing is written there: the value is the product's default."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the story of the message."""

    step: int
    actor: str
    event: str
    text: str
    state: Mapping[str, Any]
    """The counters after it."""


@dataclass(frozen=True, slots=True)
class Subject:
    """What a verdict is about; None where a key does not apply."""

    kind: str
    name: str | None
    cell: str | None
    cluster: str | None
    node: str | None
    server: str | None
    application: str | None
    bean: str | None
    queue_manager: str | None
    queue: str | None


@dataclass(frozen=True, slots=True)
class Finding:
    """A hazard, proven."""

    rule: str
    name: str
    severity: Severity
    confidence: str
    message: str
    subject: Subject
    values: Mapping[str, Any]
    """The values that decide, by ``alias.column``."""
    location: Location | None
    related: tuple[Related, ...]
    trace: tuple[Step, ...]
    """Empty where the hazard is not about delivery."""
    fix: str
    fingerprint: str
    """The same for the same hazard in a later export."""


@dataclass(frozen=True, slots=True)
class Undecided:
    """A verdict that the exports cannot settle."""

    rule: str
    subject: Subject
    missing: tuple[str, ...]
    needs: str
    """What would settle it, in words."""


@dataclass(frozen=True, slots=True)
class Summary:
    """The counts of a run."""

    endpoints: int
    hazards: Mapping[Severity, int]
    undecided: int
    clear: int
    suppressed: int


@dataclass(frozen=True, slots=True)
class Report:
    """All verdicts of one run, in the order of the JSON report."""

    findings: tuple[Finding, ...]
    undecided: tuple[Undecided, ...]
    summary: Summary
    exit_code: int
    """What the command would exit with: 0, 1 (findings), 3 (nothing to judge) or 4 (undecided, in a strict run)."""
    _document: Mapping[str, Any] = field(repr=False, compare=False)

    def to_json(self) -> str:
        """The JSON report, version 1, byte for byte as ``lintmdb check --format json`` writes it."""
        from lintmdb.report.json_report import render_document

        return render_document(self._document)


def check(
    paths: AnyPath | Sequence[AnyPath],
    *,
    on_message: str | None = None,
    observations: AnyPath | None = None,
    rules: Sequence[AnyPath] = (),
    select: Sequence[str] = (),
    ignore: Sequence[str] = (),
    profile: str | None = None,
    fail_on: Literal["error", "warning", "info", "never"] | None = None,
    strict: bool = False,
    config: AnyPath | None = None,
) -> Report:
    """Judge every message flow in the exports: files, folders and archives.

    The arguments are the options of ``lintmdb check``; ``on_message`` is text such as ``15s``. Only the configuration
    file named by ``config`` counts, none is looked for. What cannot be read is a finding (MDB901). Raises LintmdbError
    for a path that does not exist, and for configuration, rules or observations that are wrong.
    """
    from lintmdb.report.json_report import json_document
    from lintmdb.run.config.choice import choose_rules
    from lintmdb.run.config.settings import Options, read_settings
    from lintmdb.run.gate import Gate
    from lintmdb.run.judging import judge_exports

    exports = [paths] if isinstance(paths, str | os.PathLike) else list(paths)
    if not exports and config is None:
        raise LintmdbError("no export is named", next_step="Name files, folders or archives")
    settings = read_settings(
        Options(
            config=_path(config),
            search=False,
            inputs=[Path(path) for path in exports],
            select=_words(select, "select"),
            ignore=_words(ignore, "ignore"),
            profile=profile,
            fail_on=fail_on,
            strict=strict,
            rules=[Path(path) for path in rules],
            observations=_path(observations),
            on_message=on_message,
        ),
        needs_inputs=True,
    )
    judged = judge_exports(settings.inputs, settings, choose_rules(settings), digests=True, baseline=settings.baseline)
    code = Gate(settings.fail_on, settings.strict).exit_code(judged.judgement, judged.estate)
    return _report(json_document(judged.judgement, judged.estate), code)


def _path(path: AnyPath | None) -> Path | None:
    return None if path is None else Path(path)


def _words(words: Sequence[str], name: str) -> list[str]:
    if isinstance(words, str):
        raise TypeError(f"{name} is a sequence of ids, names or prefixes, not one text")
    return list(words)


def _report(document: Mapping[str, Any], code: int) -> Report:
    return Report(
        findings=tuple(_finding(entry) for entry in document["findings"]),
        undecided=tuple(
            Undecided(entry["rule"], Subject(**entry["subject"]), tuple(entry["missing"]), entry["needs"])
            for entry in document["undecided"]
        ),
        summary=Summary(**document["summary"]),
        exit_code=code,
        _document=document,
    )


def _finding(entry: Mapping[str, Any]) -> Finding:
    own = {name: entry[name] for name in ("rule", "name", "severity", "confidence", "message", "fix", "fingerprint")}
    location = cast("dict[str, Any] | None", entry["location"])
    return Finding(
        **own,
        subject=Subject(**entry["subject"]),
        values=entry["values"],
        location=Location(**location) if location is not None else None,
        related=tuple(Related(**place) for place in entry["related"]),
        trace=tuple(Step(**step) for step in entry["trace"]),
    )
