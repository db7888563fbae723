"""JUnit XML: a test suite for each input root, a test case for each rule and subject.

A finding that fails the gate is a failure; any other passes, with its text in ``system-out``. An undecided verdict is
skipped with what would settle it, and a clear one passes. Whatever else fails the run, such as a change that would be
refused, is a failure too; a change that is not judged is skipped where it fails nothing. Above ``MAX_PASSING`` clear
verdicts there is one passing case for each rule and suite, with their number: servers that read these files keep every
case. What is new because of a line of a script is in a suite of the script.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from lintmdb.engine.findings import Finding, Judgement, Subject, without
from lintmdb.model.environment_names import name_in
from lintmdb.model.origins import Origin
from lintmdb.report.blockers import find_blockers, refused_commands, unjudged_changes
from lintmdb.report.changes import fix_with_put_back
from lintmdb.report.places import Places, find_places
from lintmdb.report.subjects import qualified_name, subject_text
from lintmdb.report.terminal import safe
from lintmdb.run.estate import Estate
from lintmdb.run.gate import Gate, is_judged

MAX_PASSING = 20_000
_GATE = Gate()


class _Case(NamedTuple):
    """One test case. ``kind`` is failure, skipped or passed; sorted by class and name."""

    class_name: str
    name: str
    kind: str
    message: str = ""
    severity: str = ""
    body: str = ""


def render_junit(judgement: Judgement, estate: Estate, gate: Gate = _GATE) -> str:
    """The document as text; ``gate`` says which findings are failures."""
    suites: dict[str, list[_Case]] = {}
    for suite, case in _cases(judgement, estate, gate):
        suites.setdefault(suite, []).append(case)
    if not suites:
        suites["lintmdb"] = [_Case("lintmdb", "no finding" if is_judged(judgement) else "nothing to judge", "passed")]
    counts = Counter(case.kind for cases in suites.values() for case in cases)
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', f'<testsuites name="lintmdb" {_totals(counts)}>']
    for suite, cases in sorted(suites.items()):
        own = Counter(case.kind for case in cases)
        lines.append(f'  <testsuite name="{_xml(_clean(suite))}" {_totals(own)}>')
        lines.extend(_case(case) for case in sorted(cases, key=_order))
        lines.append("  </testsuite>")
    return "\n".join([*lines, "</testsuites>"]) + "\n"


_NUMBER = re.compile(r"(\d+)")


def _order(case: _Case) -> tuple[object, ...]:
    """Line 8 of a file comes before line 11."""
    parts = _NUMBER.split(case.class_name)
    return ([(int(part), "") if number % 2 else (0, part) for number, part in enumerate(parts)], *case)


def _totals(counts: Counter[str]) -> str:
    total = sum(counts.values())
    return f'tests="{total}" failures="{counts["failure"]}" errors="0" skipped="{counts["skipped"]}" time="0"'


def _case(case: _Case) -> str:
    head = f'    <testcase classname="{_xml(case.class_name)}" name="{_xml(case.name)}" time="0"'
    if case.kind == "failure":
        message = f'message="{_xml(case.message)}" type="{case.severity}"'
        return f"{head}>\n      <failure {message}>{_content(case.body)}</failure>\n    </testcase>"
    if case.kind == "skipped":
        return f'{head}>\n      <skipped message="{_xml(case.message)}"/>\n    </testcase>'
    if case.body:
        return f"{head}>\n      <system-out>{_content(case.body)}</system-out>\n    </testcase>"
    return f"{head}/>"


def _cases(judgement: Judgement, estate: Estate, gate: Gate) -> Iterator[tuple[str, _Case]]:
    roots = _Roots(estate)
    names = {rule.id: f"{rule.id} {rule.name}" for rule in judgement.all_rules()}
    for blocker in find_blockers(judgement, estate, gate):
        message, where = _clean(blocker.message), _clean(blocker.where)
        body = f"{message}\n{_place(blocker.place)}"
        case = _Case(where, _clean(f"{blocker.title}: {blocker.text}"), "failure", message, "error", body)
        yield roots.of_path(blocker.place.path), case
    passed = [*(refused_commands(estate) if not gate.strict else ()), *unjudged_changes(estate, gate)]
    for entry in passed:
        title = _clean(f"{entry.title}: {entry.text}")
        yield roots.of_path(entry.place.path), _Case(_clean(entry.where), title, "skipped", _clean(entry.message))
    for finding in judgement.findings:
        places = find_places(finding, judgement, estate)
        body = _body(finding, places)
        rule = finding.rule
        case = _Case(
            _clean(qualified_name(finding.subject)),
            names[rule.id],
            "failure" if rule.severity in gate.failing else "passed",
            _clean(finding.message),
            rule.severity,
            body,
        )
        suite = roots.of_path(places.primary.path)
        is_of_script = places.primary in finding.differing and suite == places.primary.path
        yield suite if is_of_script else roots.of(finding.subject), case
    for entry in judgement.undecided:
        message = f"undecided {_clean(without(entry.need.text))}"
        yield (
            roots.of(entry.subject),
            _Case(_clean(qualified_name(entry.subject)), names[entry.rule.id], "skipped", message),
        )
    if judgement.clear <= MAX_PASSING:
        for rule, subject in judgement.clear_subjects:
            yield roots.of(subject), _Case(_clean(qualified_name(subject)), names.get(rule, rule), "passed")
        return
    passing = Counter((roots.of(subject), rule) for rule, subject in judgement.clear_subjects)
    for (root, rule), count in passing.items():
        yield root, _Case("clear", f"{names.get(rule, rule)}: {count} clear", "passed")


def _body(finding: Finding, places: Places) -> str:
    lines = [f"{finding.rule.severity}: {_clean(finding.message)}", _clean(subject_text(finding.subject))]
    lines += [_place(origin) for origin in (places.primary, *places.related)]
    lines += [_clean(text) for text in places.given]
    lines += [_clean(f"{number}. {line.actor}: {line.text}") for number, line in enumerate(finding.trace, 1)]
    fixes = fix_with_put_back(finding).split("\n")
    lines += [f"fix: {_clean(line)}" if not n else f"     {_clean(line)}" for n, line in enumerate(fixes)]
    return "\n".join(lines)


def _place(origin: Origin) -> str:
    where = f"{origin.path}:{origin.line}:{origin.column}" if origin.line else origin.path
    return _clean(f"{where}  {origin.text}".rstrip())


class _Roots:
    """The export that a subject belongs to, by its path."""

    def __init__(self, estate: Estate) -> None:
        self._paths: dict[tuple[str, str | None, str | None], str] = {}
        for export in estate.facts.rows["export"]:
            self._paths.setdefault((export.kind, export.name, export.environment), export.path)
        self._folders = sorted(set(self._paths.values()), key=len, reverse=True)

    def of_path(self, path: str) -> str:
        """The export that a file is in; the file itself where it is in none."""
        inside = (root for root in self._folders if path == root or path.startswith((f"{root}/", f"{root}!/")))
        return next(inside, path)

    def of(self, subject: Subject) -> str:
        """The path of the cell's or the queue manager's export, or the name of one that was not exported."""
        if subject.kind == "export":
            return self.of_path(subject.name or "")
        kind = "cell" if subject.cell is not None else "queue_manager"
        name = subject.cell if subject.cell is not None else subject.queue_manager
        shown = name_in(subject.environment, name or "(name unknown)")
        return self._paths.get((kind, name, subject.environment)) or f"{kind.replace('_', ' ')} {shown}"


_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_ENTITIES = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\n": "&#10;", "\t": "&#9;", "\r": "&#13;"}
)


def _clean(text: str) -> str:
    """Text of one line without what XML cannot hold; what else nobody sees is shown."""
    return safe(_FORBIDDEN.sub("", text))


def _xml(text: str) -> str:
    return text.translate(_ENTITIES)


def _content(text: str) -> str:
    """Text of an element, where line ends may stay; of an attribute they would become blanks."""
    return _xml(text).replace("&#10;", "\n")
