"""GitHub workflow commands: annotations on the changed lines of a pull request, the worst first.

GitHub shows ten of a step. The commands go to the log in addition to the text report, whose lines must not be taken
for commands themselves: ``fenced`` sees to that.
"""

from __future__ import annotations

import hashlib
import re

from lintmdb.engine.findings import Finding, Judgement
from lintmdb.model.origins import Origin
from lintmdb.report.blockers import find_blockers
from lintmdb.report.changes import put_back_words
from lintmdb.report.file_texts import FileTexts
from lintmdb.report.places import find_places, visible_place, worst_first
from lintmdb.report.repository_paths import repository_path
from lintmdb.report.terminal import safe
from lintmdb.run.estate import Estate
from lintmdb.run.gate import Gate

_LEVELS = {"error": "error", "warning": "warning", "info": "notice"}
_GATE = Gate()
_COMMAND = re.compile(r"^\s*::|##\[", re.MULTILINE)


def render_github(judgement: Judgement, estate: Estate, gate: Gate = _GATE) -> str:
    """One command for whatever else fails the run, then one a finding and line; nothing where there is neither."""
    blockers = find_blockers(judgement, estate, gate)
    ranked = worst_first(judgement.findings)
    places = [find_places(finding, judgement, estate).primary for finding in ranked]
    texts = FileTexts(estate.sources, [*places, *(blocker.place for blocker in blockers)])
    lines = [
        _command("error", blocker.place, f"lintmdb: {blocker.title}", blocker.message, texts) for blocker in blockers
    ]
    for finding, place in zip(ranked, places, strict=True):
        title = f"{finding.rule.id} {finding.rule.name}"
        lines.append(_command(_LEVELS[finding.rule.severity], place, title, _message(finding), texts))
    return "".join(f"{line}\n" for line in lines)


def _message(finding: Finding) -> str:
    shared = f" ({finding.flows} flows share this.)" if finding.flows > 1 else ""
    text = put_back_words(finding.put_back)
    back = f" Put back: {text}." if text else ""
    return f"{finding.message.rstrip('.')}.{shared}{back}"


def _command(level: str, place: Origin, title: str, message: str, texts: FileTexts) -> str:
    shown, member = visible_place(place)
    properties = {"file": repository_path(shown.path)}
    if shown.line:
        region = texts.region(place)
        properties |= {"line": str(region.line), "endLine": str(region.line)}
        if place.column:
            properties |= {"col": str(region.column), "endColumn": str(region.end_column)}
    properties["title"] = title
    within = f" It is in {member}." if member else ""
    listed = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    return f"::{level} {listed}::{_data(message + within)}"


def _data(text: str) -> str:
    return safe(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def fenced(text: str) -> str:
    """A report for the log of a workflow, in which nothing is taken for a command.

    A name in an export may look like one; then commands are off until a word that the text cannot hold, because it is
    the text's own hash.
    """
    if not _COMMAND.search(text):
        return text
    word = hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()[:32]
    return f"::stop-commands::{word}\n{text}::{word}::\n"
