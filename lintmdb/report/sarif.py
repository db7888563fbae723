"""SARIF 2.1.0, as GitHub code scanning reads it.

A finding is a result; its story is a code flow with the counters as the state of each step. Undecided verdicts are
notifications of the run, because some converters count results of the kind ``open`` as failed; as such results, and
with them what is suppressed, they are there for those who ask. There are ``fixes`` for scripts alone: a dump is a copy,
and to edit it would leave the system as it is. What to change is in the rule's help and in the properties of a result.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice
from types import MappingProxyType
from urllib.parse import quote

from lintmdb.addresses import DOCUMENTATION, rule_address
from lintmdb.delivery.wording import Line
from lintmdb.engine.findings import Finding, Judgement, Subject, Suppressed, Undecided, compute_fingerprint, without
from lintmdb.engine.flow_rows import JudgedRows
from lintmdb.engine.need_groups import group_by_need
from lintmdb.json_types import JsonObject, JsonValue
from lintmdb.model.origins import Origin
from lintmdb.report.blockers import Blocker, find_blockers, unjudged_changes
from lintmdb.report.changes import fix_with_put_back
from lintmdb.report.file_texts import FileTexts
from lintmdb.report.json_lines import Entries, Members, json_text
from lintmdb.report.places import (
    Places,
    find_places,
    is_absolute,
    place_of_undecided,
    relative_path,
    visible_place,
    worst_first,
)
from lintmdb.report.repository_paths import repository_path
from lintmdb.report.rule_pages.explanation import sections
from lintmdb.report.rule_pages.pages import rule_body
from lintmdb.report.script_fixes import Edit, kept_scripts, script_edits
from lintmdb.report.step_places import step_place
from lintmdb.report.subjects import qualified_name, subject_text
from lintmdb.report.terminal import safe
from lintmdb.rules.rule import Rule
from lintmdb.run.estate import Estate
from lintmdb.run.gate import Gate
from lintmdb.version import __version__

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
MAX_RESULTS = 25_000
"""GitHub refuses a run with more."""

_GATE = Gate()
_LEVELS = {"error": "error", "warning": "warning", "info": "note"}
_PROBLEMS = {"error": "error", "warning": "warning", "info": "recommendation"}
_ROOT = "FILESYSTEM"
_STATES: Mapping[str, str] = MappingProxyType(
    {
        "backout_count": "BackoutCount",
        "sequential_failures": "SequentialFailures",
        "redelivered": "RedeliveryCount",
        "at_ms": "ElapsedMilliseconds",
    }
)
_PLACEHOLDER = re.compile(r"\{(\d+)\}")
_BRACKETS = re.compile(r"([\\\[\]])")


def render_sarif(judgement: Judgement, estate: Estate, extras: Collection[str] = (), *, gate: Gate = _GATE) -> str:
    """The log as text, one line for each rule and each result.

    ``extras`` are other verdicts that are results too: ``suppressed``, ``undecided``. What else fails the ``gate`` is a
    notification of the level ``error``; a change that is not judged is one of the level ``warning`` where it fails
    nothing.
    """
    blockers = find_blockers(judgement, estate, gate)
    run = _Run(judgement, estate, extras, blockers, unjudged_changes(estate, gate))
    driver = {
        "name": "lintmdb",
        "informationUri": DOCUMENTATION,
        "version": __version__,
        "semanticVersion": __version__,
        "rules": Entries(run.rules()),
    }
    rest: JsonObject = {
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {_ROOT: {"uri": "file:///"}},
        "invocations": [{"executionSuccessful": True, "toolExecutionNotifications": run.notifications()}],
    }
    lines = ({"tool": {"driver": driver}}, rest, {"results": Entries(run.results())})
    return json_text({"$schema": SCHEMA, "version": "2.1.0", "runs": [Members(lines, indent=0)]})


class _Run:
    def __init__(
        self,
        judgement: Judgement,
        estate: Estate,
        extras: Collection[str],
        blockers: Sequence[Blocker],
        unjudged: Sequence[Blocker],
    ) -> None:
        self._unjudged = unjudged
        self._blockers = [blocker for blocker in blockers if blocker.kind != "undecided"]
        self._undecided_level = "error" if len(self._blockers) < len(blockers) else "note"
        ranked = worst_first(judgement.findings)
        suppressed = judgement.suppressed if "suppressed" in extras else []
        undecided = judgement.undecided if "undecided" in extras else []
        # What counts comes first: GitHub takes no more than so many.
        rest = iter([*ranked, *suppressed, *undecided])
        self._entries = [(entry, _places(entry, judgement, estate)) for entry in islice(rest, MAX_RESULTS)]
        self._left_out = sum(1 for _ in rest)
        self._says_suppressions = bool(suppressed)
        self._scripts = kept_scripts(estate)
        self._needs = group_by_need(judgement.undecided)
        named = {end.rules[0] for end in self._needs if len(end.rules) == 1}
        named |= {(entry.finding if isinstance(entry, Suppressed) else entry).rule.id for entry, _ in self._entries}
        self._rules = [rule for rule in judgement.all_rules() if rule.id in named]
        self._index = {rule.id: number for number, rule in enumerate(self._rules)}
        of_results = (origin for _, places in self._entries for origin in (places.primary, *places.related))
        blocking = [blocker.place for blocker in (*self._blockers, *unjudged)]
        self._texts = FileTexts(estate.sources, [*of_results, *blocking])

    def rules(self) -> Iterator[JsonObject]:
        return map(_rule, self._rules)

    def results(self) -> Iterator[JsonObject]:
        for entry, places in self._entries:
            match entry:
                case Undecided():
                    result = self._open(entry, places.primary)
                case Suppressed():
                    result = self._result(entry.finding, places)
                    result["suppressions"] = [_suppression(entry)]
                case _:
                    result = self._result(entry, places)
            if self._says_suppressions:  # SARIF: every result of a run has the property, or none
                result.setdefault("suppressions", [])
            yield result

    def notifications(self) -> list[JsonObject]:
        """What else fails the run, undecided verdicts, one entry a missing source, and what the limit leaves out."""
        entries: list[JsonObject] = [
            {
                "descriptor": {"id": blocker.kind},
                "level": level,
                "message": _message(_escaped(f"{blocker.title}: {blocker.message}")),
                "locations": [{"physicalLocation": self._physical(blocker.place)}],
            }
            for level, blockers in (("error", self._blockers), ("warning", self._unjudged))
            for blocker in blockers
        ]
        if self._left_out:
            text = (
                f"{len(self._entries) + self._left_out} results are more than GitHub accepts in one run "
                f"({MAX_RESULTS}): {self._left_out} of the least severe are left out."
            )
            entries.append({"level": "warning", "message": _message(text)})
        for end in self._needs:
            entry: dict[str, JsonValue] = {
                "level": self._undecided_level,
                "message": _message(f"{_escaped(end.sentence)}."),
            }
            if len(end.rules) == 1:
                entry["associatedRule"] = {"id": end.rules[0], "index": self._index[end.rules[0]]}
            entry["properties"] = {"undecided": len(end.entries), "rules": end.rules}
            entries.append(entry)
        return entries

    def _result(self, finding: Finding, places: Places) -> dict[str, JsonValue]:
        rule = finding.rule
        subject = finding.subject
        result: dict[str, JsonValue] = {
            "ruleId": rule.id,
            "ruleIndex": self._index[rule.id],
            "kind": "fail",
            "level": _LEVELS[rule.severity],
            "message": _message(_result_text(finding, places)),
            "locations": [self._location(places.primary, subject)],
        }
        if places.related:
            result["relatedLocations"] = [
                {"id": number, "physicalLocation": self._physical(origin), "message": _message(_place_text(origin))}
                for number, origin in enumerate(places.related, 1)
            ]
        story = finding.trace
        if story:
            result["codeFlows"] = [
                {
                    "message": _message(f"{_escaped(subject_text(subject))}: what happens to the message."),
                    "threadFlows": [
                        {
                            "locations": [
                                self._step(number, line, finding.rows, places) for number, line in enumerate(story, 1)
                            ]
                        }
                    ],
                }
            ]
        if edits := script_edits(finding, self._scripts):
            result["fixes"] = [self._fix(finding, edits)]
        result["partialFingerprints"] = self._fingerprints(finding.fingerprint, places.primary)
        result["properties"] = {
            "confidence": rule.confidence,
            "subject": _known(subject),
            "values": {key: safe(value) if isinstance(value, str) else value for key, value in finding.values.items()},
            "flows": finding.flows,
            "fix": _by_line(fix_with_put_back(finding)),
        }
        return result

    def _open(self, entry: Undecided, origin: Origin) -> dict[str, JsonValue]:
        """An undecided verdict: it shows the endpoint, since what it lacks has no place."""
        rule = entry.rule
        about = f"{rule.name} is undecided for {subject_text(entry.subject)} {without(entry.need.text)}."
        give = f" Give {entry.need.command}." if entry.need.command else ""
        return {
            "ruleId": rule.id,
            "ruleIndex": self._index[rule.id],
            "kind": "open",
            "level": "none",
            "message": _message(_escaped(about + give)),
            "locations": [self._location(origin, entry.subject)],
            "partialFingerprints": self._fingerprints(compute_fingerprint(rule.id, entry.subject), origin),
            "properties": {"subject": _known(entry.subject), "missing": list(entry.missing)},
        }

    def _fix(self, finding: Finding, edits: Sequence[Edit]) -> JsonObject:
        changes: dict[str, list[JsonObject]] = {}
        for origin, text in edits:
            region = self._region(origin)
            region["endColumn"] = region["startColumn"] + len(origin.text)
            changes.setdefault(origin.path, []).append({"deletedRegion": region, "insertedContent": {"text": text}})
        return {
            "description": _message(safe(", ".join(edit.text for edit in edits))),
            "artifactChanges": [
                {"artifactLocation": artifact(path), "replacements": entries} for path, entries in changes.items()
            ],
        }

    def _fingerprints(self, own: str, origin: Origin) -> dict[str, str]:
        line_hash = self._texts.hash(origin)
        return {"lintmdb/v1": own, **({"primaryLocationLineHash": line_hash} if line_hash is not None else {})}

    def _location(self, origin: Origin, subject: Subject) -> JsonObject:
        logical = {
            "name": safe(subject.name or subject.kind),
            "fullyQualifiedName": safe(qualified_name(subject)),
            "kind": subject.kind,
        }
        return {"physicalLocation": self._physical(origin), "logicalLocations": [logical]}

    def _physical(self, origin: Origin) -> JsonObject:
        shown = visible_place(origin).origin
        return {"artifactLocation": artifact(shown.path), "region": self._region(shown)}

    def _region(self, origin: Origin) -> dict[str, int]:
        region = self._texts.region(origin)
        return {
            "startLine": region.line,
            "startColumn": region.column,
            "endLine": region.line,
            "endColumn": region.end_column,
        }

    def _step(self, number: int, line: Line, rows: JudgedRows, places: Places) -> dict[str, JsonValue]:
        origin = step_place(line, rows) or places.primary
        entry: dict[str, JsonValue] = {
            "executionOrder": number,
            "location": {
                "physicalLocation": self._physical(origin),
                "message": _message(_escaped(f"{line.actor}: {line.text}{_within(origin)}")),
            },
        }
        if line.state:
            entry["state"] = {_STATES.get(name, name): {"text": str(value)} for name, value in line.state.items()}
        return entry


def _places(entry: Finding | Suppressed | Undecided, judgement: Judgement, estate: Estate) -> Places:
    if isinstance(entry, Undecided):
        return Places(place_of_undecided(entry, judgement, estate), (), ())
    return find_places(entry.finding if isinstance(entry, Suppressed) else entry, judgement, estate)


def _known(subject: Subject) -> dict[str, str]:
    return {key: safe(value) for key, value in subject.as_dict().items() if value is not None}


def _suppression(entry: Suppressed) -> JsonObject:
    """Who decided that a finding does not count: a comment in the export itself, or another file."""
    physical: dict[str, JsonValue] = {"artifactLocation": artifact(entry.path)}
    if entry.line:
        physical["region"] = {"startLine": entry.line}
    more = {"expires": entry.expires, "owner": entry.owner}
    return {
        "kind": "inSource" if entry.kind == "comment" else "external",
        "status": "accepted",
        "justification": safe(entry.reason) if entry.reason else "It is in the baseline.",
        "location": {"physicalLocation": physical},
        "properties": {"by": entry.kind, **{key: safe(value) for key, value in more.items() if value is not None}},
    }


def artifact(path: str) -> dict[str, str]:
    """An artifactLocation: a relative URI, percent-encoded, without a leading slash.

    It is relative to the root of the Git work tree, or else to the working directory. What lies outside is relative to
    the root of the file system, which GitHub ignores and other readers know.
    """
    path = repository_path(path)
    uri = quote(relative_path(path), safe="/!()+,=@$&'~", errors="backslashreplace")
    return {"uri": uri, "uriBaseId": _ROOT} if is_absolute(path) else {"uri": uri}


def _rule(rule: Rule) -> JsonObject:
    why = " ".join(rule.why.split("\n\n")[0].split())
    entry: dict[str, JsonValue] = {
        "id": rule.id,
        "name": rule.name,
        "shortDescription": {"text": f"{rule.title}."},
        "fullDescription": {"text": why},
        # The text is for viewers that show no Markdown, which holds all that lintmdb knows of the rule.
        "help": {"text": f"{why} See lintmdb explain {rule.id}.", "markdown": rule_body(tuple(sections(rule))).strip()},
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
        "properties": {
            "precision": rule.confidence,
            "problem.severity": _PROBLEMS[rule.severity],
            "tags": ["messaging", "reliability", f"since-{rule.since}"],
        },
    }
    if (address := help_uri(rule)) is not None:
        entry["helpUri"] = address
    return entry


def help_uri(rule: Rule) -> str | None:
    """The documentation of a built-in rule; for one of a user's own the first page that it refers to, if any."""
    if rule.id.startswith("MDB"):
        return rule_address(rule.id)
    return next((page for reference in rule.references if (page := reference.get("url"))), None)


def _result_text(finding: Finding, places: Places) -> str:
    """The finding's own sentence, which is the title of the alert, then what it rests on, with links."""
    pieces = [f"{_escaped(finding.message).rstrip('.')}."]
    if finding.flows > 1:
        pieces.append(f"{finding.flows} flows share this.")
    links = [f"[{_link_text(origin)}]({number})" for number, origin in enumerate(places.related, 1)]
    rests_on = [f"{_escaped(places.primary.text)} here" if places.primary.text else "", *links]
    rests_on += [_escaped(text) for text in places.given]
    rests_on = [text for text in rests_on if text]
    if rests_on:
        last = f" and {rests_on[-1]}" if len(rests_on) > 1 else ""
        pieces.append(f"It rests on {', '.join(rests_on[:-1] if last else rests_on)}{last}.")
    if member := visible_place(places.primary).member:
        pieces.append(f"It is in {_escaped(member)}.")
    return " ".join(pieces)


def _place_text(origin: Origin) -> str:
    return _link_text(origin) + _escaped(_within(origin))


def _within(origin: Origin) -> str:
    member = visible_place(origin).member
    return f" (in {member})" if member else ""


def _link_text(origin: Origin) -> str:
    return _escaped(origin.text) or "this place"


def _message(text: str) -> dict[str, str]:
    # Braces around a number stand for an argument, and no message here has any.
    return {"text": _PLACEHOLDER.sub(r"{{\1}}", text)}


def _escaped(text: str) -> str:
    """Text in which brackets are brackets and not links."""
    return _BRACKETS.sub(r"\\\1", safe(text))


def _by_line(text: str) -> str:
    return "\n".join(map(safe, text.split("\n")))
