"""The baseline: findings that were there when a team began, by identity, so that only others count.

A file of JSON lines: a header, then one finding a line, sorted. It only shrinks unless somebody asks for more.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Container, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from lintmdb.engine.findings import (
    SUBJECT_KEYS,
    Finding,
    Judgement,
    Notice,
    Subject,
    Suppressed,
    compute_fingerprint,
)
from lintmdb.engine.flow_rows import FlowRows
from lintmdb.engine.replacements import FlowPlace, find_replacement, found_at, worse_places
from lintmdb.engine.subjects import kind_words
from lintmdb.errors import LintmdbError
from lintmdb.json_types import JsonObject, JsonValue
from lintmdb.model.relations import Export

FORMAT = "lintmdb-baseline/1"
_FINGERPRINT = re.compile(r"[0-9a-f]{32}\Z")
_MAX_BYTES = 256 << 20


@dataclass(frozen=True, slots=True)
class Entry:
    """One finding of a baseline; ``line`` is where it stands, 0 where it is not in a file yet."""

    rule: str
    subject: Mapping[str, str]
    fingerprint: str
    line: int = 0
    alone: bool = False
    """About a queue or queue manager that no endpoint leads to, which only --all-queues judges."""

    @property
    def order(self) -> tuple[str, ...]:
        """How entries are sorted: by rule, then by the words of the subject."""
        return self.rule, *(f"{key}={word}" for key, word in self.subject.items()), self.fingerprint

    @property
    def shown(self) -> str:
        """Rule and subject in one line."""
        words = dict(self.subject)
        kind = kind_words(words.pop("kind", ""))
        name = words.pop("name", "")
        bus = f"of bus {words['bus']}" if "bus" in words else ""
        places = [words[key] for key in ("server", "cluster", "cell", "queue_manager") if key in words]
        at = next((place for place in places if place != name), "")
        environment = f"({words['environment']})" if "environment" in words else ""
        return " ".join(part for part in (self.rule, kind, name, bus, f"at {at}" if at else "", environment) if part)


def build_entry(finding: Finding) -> Entry:
    """A finding as an entry. The subject is for people: the fingerprint alone counts."""
    words = {key: word for key, word in finding.subject.as_dict().items() if word is not None}
    if finding.subject.bus is not None:
        words["bus"] = finding.subject.bus
    if finding.subject.kind not in ("queue", "queue_manager"):
        words.pop("queue", None)  # it is a value of the endpoint, and may change
        words.pop("queue_manager", None)
    alone = finding.flow is None and finding.rule.base == "flow"
    return Entry(finding.rule.id, words, finding.fingerprint, alone=alone)


class Lines:
    """The lines of entries, by what they are about. A cluster whose members are judged one by one, since they have
    become unequal, is still the cluster, and the other way round.
    """

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        self._own: dict[str, int] = {}
        self._of_members: dict[tuple[str, ...], list[int]] = {}
        for entry in entries:
            self._own[entry.fingerprint] = entry.line
            if "cluster" in entry.subject and "server" in entry.subject:
                self._of_members.setdefault(_cluster_key(entry.rule, entry.subject), []).append(entry.line)

    def __len__(self) -> int:
        return len(self._own)

    def about(self, rule: str, subject: Subject) -> list[int]:
        """The lines of the entries about a subject; or else about its cluster, or about members of it."""
        if not self._own:
            return []
        fingerprint = compute_fingerprint(rule, subject)
        if fingerprint in self._own:
            return [self._own[fingerprint]]
        if subject.is_member:
            whole = self._own.get(compute_fingerprint(rule, subject.of_cluster()))
            return [] if whole is None else [whole]
        if subject.cluster is None:
            return []
        return self._of_members.get(_cluster_key(rule, subject.as_dict()), [])

    def of_finding(self, finding: Finding) -> list[int]:
        """The lines of the entries that know a finding. That of a cluster is known if that of each member was."""
        lines = self.about(finding.rule.id, finding.subject)
        if not lines or finding.fingerprint in self._own or finding.subject.is_member:
            return lines
        server = finding.rows.server if isinstance(finding.rows, FlowRows) else None
        size = server.cluster_size if server is not None else None
        return lines if size is not None and len(lines) >= size else []


def _cluster_key(rule: str, words: Mapping[str, str | None]) -> tuple[str, ...]:
    """Rule and subject by the words of entries, the same for a cluster and its members."""
    if words.get("kind") in ("server", "cluster"):
        words = {"cell": words.get("cell"), "cluster": words.get("cluster"), "environment": words.get("environment")}
    left_out = ("node", "server", "queue", "queue_manager")
    return rule, *(words.get(key) or "" for key in SUBJECT_KEYS if key not in left_out)


def render_baseline(entries: Iterable[Entry]) -> str:
    """The text of a baseline file."""
    encode = json.JSONEncoder(ensure_ascii=False).encode
    unique = {entry.fingerprint: entry for entry in entries}
    lines = [encode({"schema": FORMAT})]
    lines += (
        encode(
            {"rule": entry.rule, "subject": dict(entry.subject), "fingerprint": entry.fingerprint}
            | ({"alone": True} if entry.alone else {})
        )
        for entry in sorted(unique.values(), key=lambda entry: entry.order)
    )
    return "\n".join(lines) + "\n"


def read_baseline(file: Path) -> list[Entry]:
    """The entries of a file. Raises LintmdbError with file and line for what is no baseline."""
    path = file.as_posix()
    try:
        with file.open("rb") as stream:
            data = stream.read(_MAX_BYTES + 1)
    except FileNotFoundError as error:
        raise LintmdbError(
            "is not a file", path=path, next_step=f"lintmdb baseline write {path} EXPORT makes a baseline"
        ) from error
    except OSError as error:
        raise LintmdbError(f"cannot be read: {error.strerror}", path=path) from error
    if len(data) > _MAX_BYTES:
        raise LintmdbError(f"is larger than {_MAX_BYTES} bytes", path=path)
    try:
        lines = data.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        raise LintmdbError("is not a baseline: it is not UTF-8 text", path=path) from error
    _check_header(lines, path)
    return [_entry(line, number, path) for number, line in enumerate(lines, 1) if number > 1 and line.strip()]


def _check_header(lines: Sequence[str], path: str) -> None:
    document = _object(lines[0]) if lines else None
    schema = document.get("schema") if document is not None else None
    if schema == FORMAT:
        return
    if isinstance(schema, str) and schema.startswith("lintmdb-baseline/"):
        raise LintmdbError(f"is {schema}; this lintmdb knows {FORMAT}", path=path, line=1, next_step="Upgrade lintmdb")
    raise LintmdbError(
        "is not a baseline of lintmdb", path=path, line=1, next_step=f'Its first line is {{"schema": "{FORMAT}"}}'
    )


def _entry(line: str, number: int, path: str) -> Entry:
    document = _object(line)
    if document is None:
        raise LintmdbError(
            "is not one JSON object",
            path=path,
            line=number,
            next_step="Resolve the conflict, or write the baseline again",
        )
    rule, subject, fingerprint = (document.get(key) for key in ("rule", "subject", "fingerprint"))
    if isinstance(rule, str) and isinstance(fingerprint, str) and isinstance(subject, dict):
        words = {key: word for key, word in subject.items() if isinstance(word, str)}
        if _FINGERPRINT.match(fingerprint) and len(words) == len(subject):
            return Entry(rule, words, fingerprint, number, alone=document.get("alone") is True)
    raise LintmdbError("is not a baseline entry, which needs rule, subject and fingerprint", path=path, line=number)


def _object(line: str) -> JsonObject | None:
    try:
        document: JsonValue = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return document if isinstance(document, dict) else None


@dataclass(frozen=True, slots=True)
class Difference:
    """A baseline beside the findings of a run."""

    kept: list[Entry]
    """Still found, or not to be told from this run: undecided, about what was not read, or their rule was not used."""
    stale: list[Entry]
    new: list[Finding]


def compare(
    entries: Sequence[Entry],
    judgement: Judgement,
    rules: Iterable[str],
    locked: Iterable[str],
    exports: Sequence[Export],
) -> Difference:
    """What of a baseline is still there, what is gone, and which findings are not in it.

    ``rules`` are the ids of the rules that ran, ``exports`` what was read. Findings of ``locked`` rules are never taken
    to be in a baseline.
    """
    refused = set(locked)
    running = set(rules)
    lines = Lines(entries)
    new = [f for f in judgement.findings if f.rule.id in refused or not lines.of_finding(f)]
    seen = [(finding.rule.id, finding.subject) for finding in judgement.findings if finding.rule.id not in refused]
    seen += [(one.finding.rule.id, one.finding.subject) for one in judgement.suppressed if one.kind != "baseline"]
    seen += [(entry.rule.id, entry.subject) for entry in judgement.undecided]
    found = {line for pair in seen for line in lines.about(*pair)}
    rest = [entry for entry in entries if entry.rule in running and entry.line not in found]
    read = {ReadExport(export.environment, export.kind, export.name) for export in exports}
    rest = rest if judgement.all_queues else [entry for entry in rest if not entry.alone]
    lost = {
        LostReader(head.subject.environment, head.rows.endpoint.queue)
        for head in judgement.flows
        if head.rows.endpoint.provider == "wmq" and not head.rows.endpoint.queue_manager
    }
    clear = judgement.clear_subjects
    stale = find_stale(rest, entries, read, lost, lambda: {compute_fingerprint(*pair) for pair in clear})
    gone = set(map(id, stale))
    kept = [entry for entry in entries if id(entry) not in gone]
    return Difference(kept, stale, new)


_PLACES = ("cell", "queue_manager")
"""What an export is of, and where the subject of an entry is."""


class ReadExport(NamedTuple):
    """What was read of a cell or of a queue manager."""

    environment: str | None
    kind: str
    name: str | None


class LostReader(NamedTuple):
    """An endpoint of IBM MQ whose queue manager is not known."""

    environment: str | None
    queue: str | None
    """None where that is not known either."""


def find_stale(
    missed: Sequence[Entry],
    entries: Iterable[Entry],
    read: Set[ReadExport],
    lost: Set[LostReader],
    find_clear: Callable[[], Set[str]],
) -> list[Entry]:
    """Those of the entries that were not found (``missed``) whose exports were read.

    A queue is in no cell, but is judged for the cells that read it: while some cell of the baseline was not read in its
    environment, or a ``lost`` reader may be one of its own, only a clear verdict tells that its finding is gone. The
    same is true of a queue manager. ``find_clear`` gives the fingerprints of those.
    """
    if not missed:
        return []
    environments = {export.environment for export in read}

    def places(entry: Entry) -> list[ReadExport]:
        environment = entry.subject.get("environment")
        return [ReadExport(environment, kind, entry.subject[kind]) for kind in _PLACES if kind in entry.subject]

    unread = {place for entry in entries for place in places(entry)} - read
    partial = {place.environment for place in unread if place.kind == "cell"}
    clear = find_clear() if partial or lost else frozenset[str]()

    def is_read(entry: Entry) -> bool:
        environment = entry.subject.get("environment")
        if environment not in environments or not read >= {*places(entry)}:
            return False
        open_still = environment in partial or _may_be_read(entry, lost)
        return "cell" in entry.subject or not open_still or entry.fingerprint in clear

    return [entry for entry in missed if is_read(entry)]


def _may_be_read(entry: Entry, lost: Set[LostReader]) -> bool:
    """Whether a lost reader may be one of the queue, or of some queue of the queue manager, that an entry is about."""
    environment, name = entry.subject.get("environment"), entry.subject.get("name")
    if entry.subject.get("kind") == "queue_manager":
        return any(reader.environment == environment for reader in lost)
    return not lost.isdisjoint({LostReader(environment, name), LostReader(environment, None)})


def apply_baseline(
    judgement: Judgement,
    entries: Sequence[Entry],
    file: Path,
    rules: Iterable[str],
    locked: Iterable[str],
    exports: Sequence[Export],
    unchanged: Callable[[], Judgement] | None = None,
) -> None:
    """Move the findings of a baseline to ``judgement.suppressed``; its stale entries become notices.

    Where changes lie on top of the exports, ``unchanged`` gives the verdicts without them: an entry that is stale only
    with the changes is one that they resolve.
    """
    locked = list(locked)
    path = file.as_posix()
    difference = compare(entries, judgement, rules, locked, exports)
    lines = Lines(entries)
    new = {id(finding) for finding in difference.new}
    for finding in judgement.findings:
        if id(finding) not in new:
            judgement.suppressed.append(Suppressed(finding, "baseline", path, lines.of_finding(finding)[0]))
    judgement.findings[:] = difference.new
    resolved: set[str] = set()
    replaced: dict[str, str] = {}
    if unchanged is not None and difference.stale:
        before = unchanged()
        stale_before = compare(difference.stale, before, rules, locked, exports).stale
        resolved = {entry.fingerprint for entry in difference.stale} - {entry.fingerprint for entry in stale_before}
        replaced = _replaced(before, judgement, resolved)
    judgement.notices += (
        _resolved_notice(entry, path, replaced.get(entry.fingerprint))
        if entry.fingerprint in resolved
        else stale_notice(entry, path, locked)
        for entry in difference.stale
    )


def _replaced(before: Judgement, after: Judgement, resolved: Container[str]) -> dict[str, str]:
    """What makes those of the ``resolved`` fingerprints no repair, as a clause: the change brings something as bad."""
    known = {finding.fingerprint for finding in _all_findings(before)}
    new = [found_at(each, after.flows) for each in _all_findings(after) if each.fingerprint not in known]
    ended = [found_at(each, before.flows) for each in _all_findings(before) if each.fingerprint in resolved]
    worse = worse_places(before, after) if ended else frozenset[FlowPlace]()
    better = worse_places(after, before) - worse if ended else frozenset[FlowPlace]()
    found: dict[str, str] = {}
    for old in ended:
        if old.is_at(better):
            continue
        if (replacement := find_replacement(old, new)) is not None:
            found[old.finding.fingerprint] = f"{replacement.rule.id} takes its place with the change"
        elif old.is_at(worse):
            found[old.finding.fingerprint] = "the change ends it with a worse fate"
    return found


def _all_findings(judgement: Judgement) -> list[Finding]:
    return [*judgement.findings, *(entry.finding for entry in judgement.suppressed)]


def _resolved_notice(entry: Entry, path: str, replaced: str | None) -> Notice:
    """That a change on top of the exports resolves an entry of a baseline, which they themselves still hold, or that
    something as bad takes its place.
    """
    if replaced is not None:
        text = f"{entry.shown} is in the baseline, and {replaced}"
        return Notice("resolved_baseline_entry", path, entry.line, text)
    text = f"{entry.shown} is in the baseline, and the change resolves it"
    step = f"When the change is in production, lintmdb baseline update {path} EXPORT removes it"
    return Notice("resolved_baseline_entry", path, entry.line, text, step)


def stale_notice(entry: Entry, path: str, locked: Container[str]) -> Notice:
    """That an entry of a baseline has no effect: it is no longer found, or its rule is locked."""
    why = "the rule is locked, so no baseline hides it" if entry.rule in locked else "is no longer found"
    text = f"{entry.shown} is in the baseline but {why}"
    step = f"lintmdb baseline update {path} EXPORT removes it"
    return Notice("stale_baseline_entry", path, entry.line, text, step)
