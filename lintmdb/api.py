"""The Python API: judge exports, get typed results.

The types mirror the JSON report, version 1, and are as stable as it is. Nothing is printed, no state is kept between
calls, and calls may run in several threads at once.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal, cast

from lintmdb.errors import LintmdbError

if TYPE_CHECKING:
    from lintmdb.report.entries import FindingEntry, ReportDocument
    from lintmdb.settings.change_entries import ChangeEntry

Severity = Literal["error", "warning", "info"]
AnyPath = str | os.PathLike[str]
Value = str | int | float | bool | None
"""The value of a setting, as an export has it."""


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
    state: Mapping[str, int]
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
class Change:
    """One change of a configuration."""

    change: Literal["set", "define", "grant"]
    product: Literal["mq", "was"]
    place: str
    """The queue manager, or the cell."""
    kind: str
    """What kind of object is changed: ``QLOCAL``, ``listener_port``."""
    name: str
    path: str
    """WebSphere: the containment paths of the object; blank for MQ."""
    disposition: str
    """z/OS: the QSGDISP of the object."""
    acts: str
    """What has to be done before the change acts, and whom it concerns."""
    commands: tuple[str, ...]
    """In MQSC, or in Jython for wsadmin."""
    undo: tuple[str, ...] = ()
    """MQSC that takes the change back."""
    console: str | None = None
    """Where the console of WebSphere shows the object."""
    setting: str | None = None
    """``set``: the column of the value, ``queue.backout_threshold``."""
    attribute: str | None = None
    """``set``: its name in the product, ``BOTHRESH``."""
    old: str | None = None
    """``set``: None where no export tells it."""
    new: str | None = None
    """``set``: blank where the attribute is taken away."""
    read: Location | None = None
    """``set``: where the old value was read."""
    attributes: tuple[tuple[str, str], ...] = ()
    """``define``: keyword and value of MQSC."""
    user: str | None = None
    """``grant``: who gets rights."""
    rights: tuple[str, ...] = ()
    """``grant``: the rights, as ``SET AUTHREC`` spells them."""
    had: tuple[str, ...] = ()
    """``grant``: what the user's record of this profile grants now."""
    recorded: bool | None = None
    """``grant``: whether there is such a record; None where the exports do not tell."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A hazard, proven."""

    rule: str
    name: str
    severity: Severity
    confidence: str
    message: str
    subject: Subject
    values: Mapping[str, Value]
    """The values that decide, by ``alias.column``."""
    location: Location | None
    related: tuple[Related, ...]
    trace: tuple[Step, ...]
    """Empty where the hazard is not about delivery."""
    fix: str
    """The changes and the advice as text."""
    changes: tuple[tuple[Change, ...], ...]
    """The ways to end it, the preferred one first; the changes of each are made together. Empty where no setting
    repairs it."""
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
    _document: ReportDocument = field(repr=False, compare=False)

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
    all_queues: bool = False,
) -> Report:
    """Judge every message flow in the exports: files, folders and archives.

    The arguments are the options of ``lintmdb check``; ``on_message`` is text such as ``15s``. Only the configuration
    file named by ``config`` counts, none is looked for. What cannot be read is a finding (MDB901). Raises LintmdbError
    for a path that does not exist, for a value that the command line refuses too, and for configuration, rules or
    observations that are wrong; TypeError for an argument of another type.
    """
    from lintmdb.report.json_report import json_document
    from lintmdb.run.config.choice import choose_rules
    from lintmdb.run.config.settings import Options, read_settings
    from lintmdb.run.gate import Gate
    from lintmdb.run.judging import judge_exports

    exports = [_path(paths, "paths")] if isinstance(paths, str | os.PathLike) else _paths(paths, "paths")
    if not exports and config is None:
        raise LintmdbError("no export is named", next_step="Name files, folders or archives")
    settings = read_settings(
        Options(
            config=None if config is None else _path(config, "config"),
            search=False,
            inputs=exports,
            select=_words(select, "select"),
            ignore=_words(ignore, "ignore"),
            profile=_text(profile, "profile", "recommended"),
            fail_on=_level(fail_on),
            strict=_flag(strict, "strict"),
            rules=_paths(rules, "rules"),
            observations=None if observations is None else _path(observations, "observations"),
            on_message=_text(on_message, "on_message", "15s"),
        ),
        needs_inputs=True,
    )
    judged = judge_exports(
        settings.inputs,
        settings,
        choose_rules(settings),
        digests=True,
        baseline=settings.baseline,
        all_queues=_flag(all_queues, "all_queues"),
    )
    code = Gate(settings.fail_on, settings.strict).exit_code(judged.judgement, judged.estate)
    return _report(json_document(judged.judgement, judged.estate), code)


# The command line can only pass text. A program can pass anything, and what is not checked here would change the
# meaning of a run or fail far from the call.


def _path(value: object, name: str) -> Path:
    path = os.fspath(cast("AnyPath", value)) if isinstance(value, str | os.PathLike) else value
    if not isinstance(path, str):
        raise TypeError(f"{name}: a path is text or a pathlib.Path, not {_type(path)}")
    return Path(path)


def _paths(value: object, name: str) -> list[Path]:
    return [_path(entry, name) for entry in _sequence(value, name, "paths")]


def _words(value: object, name: str) -> list[str]:
    words: list[str] = []
    for word in _sequence(value, name, "ids, names or prefixes"):
        if not isinstance(word, str):
            raise TypeError(f"{name}: an id, name or prefix of a rule is text, not {_type(word)}")
        words.append(word)
    return words


def _sequence(value: object, name: str, of: str) -> list[object]:
    if isinstance(value, str | os.PathLike):
        raise TypeError(f"{name} is a sequence of {of}, not one text or path")
    if isinstance(value, bytes | bytearray | Mapping) or not isinstance(value, Iterable):
        raise TypeError(f"{name} is a sequence of {of}, not {_type(cast('object', value))}")
    return list(cast("Iterable[object]", value))


def _text(value: object, name: str, example: str) -> str | None:
    if value is not None and not isinstance(value, str):
        raise TypeError(f"{name} is text such as {example!r}, not {_type(value)}")
    if value == "":
        raise LintmdbError(f"{name} is empty", next_step=f"Leave it out, or write text such as {example!r}")
    return value


def _level(value: object) -> str | None:
    from lintmdb.run.gate import FAIL_ON

    level = _text(value, "fail_on", "error")
    if level is not None and level not in FAIL_ON:
        raise LintmdbError(f"fail_on is {level!r}", next_step=f"Write {', '.join(FAIL_ON[:-1])} or {FAIL_ON[-1]}")
    return level


def _flag(value: object, name: str) -> bool:
    if not isinstance(value, bool):
        raise TypeError(f"{name} is True or False, not {_type(value)}")
    return value


def _type(value: object) -> str:
    return "None" if value is None else f"of type {type(value).__name__}"


def _report(document: ReportDocument, code: int) -> Report:
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


def _finding(entry: FindingEntry) -> Finding:
    return Finding(
        rule=entry["rule"],
        name=entry["name"],
        severity=entry["severity"],
        confidence=entry["confidence"],
        message=entry["message"],
        subject=Subject(**entry["subject"]),
        values=entry["values"],
        location=Location(**entry["location"]) if entry["location"] is not None else None,
        related=tuple(Related(**place) for place in entry["related"]),
        trace=tuple(Step(**step) for step in entry["trace"]),
        fix=entry["fix"],
        changes=tuple(tuple(map(_change, changes)) for changes in entry["changes"]),
        fingerprint=entry["fingerprint"],
    )


def _change(entry: ChangeEntry) -> Change:
    read = entry.get("read")
    return Change(
        change=entry["change"],
        product=cast("Literal['mq', 'was']", entry["product"]),
        place=entry["place"],
        kind=entry["kind"],
        name=entry["name"],
        path=entry["path"],
        disposition=entry["disposition"],
        acts=entry["acts"],
        commands=tuple(entry["commands"]),
        undo=tuple(entry.get("undo", ())),
        console=entry.get("console"),
        setting=entry.get("setting"),
        attribute=entry.get("attribute"),
        old=entry.get("old"),
        new=entry.get("new"),
        read=None if read is None else Location(read["path"], read["line"] or None, read["column"] or None),
        attributes=tuple((keyword, value) for keyword, value in entry.get("attributes", ())),
        user=entry.get("user"),
        rights=tuple(entry.get("rights", ())),
        had=tuple(entry.get("had", ())),
        recorded=entry.get("recorded"),
    )
