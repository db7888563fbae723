"""GitLab Code Quality: an array of findings that a merge request shows on its changed lines."""

from __future__ import annotations

import hashlib
import os
import posixpath
from collections.abc import Iterator
from pathlib import Path

from lintmdb.engine.findings import Finding, Judgement
from lintmdb.json_types import JsonObject
from lintmdb.report.blockers import find_blockers
from lintmdb.report.changes import put_back_words
from lintmdb.report.json_lines import Entries, json_text
from lintmdb.report.places import find_places, is_absolute, visible_place
from lintmdb.report.repository_paths import repository_path
from lintmdb.report.terminal import safe
from lintmdb.run.estate import Estate
from lintmdb.run.gate import Gate

_GATE = Gate()


def render_gitlab(judgement: Judgement, estate: Estate, gate: Gate = _GATE) -> str:
    """The document as text, a line for each finding and whatever else fails the run; ``[]`` where there is neither."""
    return json_text(Entries(_entries(judgement, estate, gate)))


def _entries(judgement: Judgement, estate: Estate, gate: Gate) -> Iterator[JsonObject]:
    seen: dict[str, int] = {}
    for blocker in find_blockers(judgement, estate, gate):
        place, member = visible_place(blocker.place)
        within = f" (in {safe(member)})" if member else ""
        count = seen[blocker.fingerprint] = seen.get(blocker.fingerprint, 0) + 1
        yield {
            "description": f"{blocker.title}: {safe(blocker.message)}{within}",
            "check_name": blocker.kind,
            "fingerprint": _unique(blocker.fingerprint, count),
            "severity": "critical",
            "location": {"path": _path(place.path), "lines": {"begin": place.line or 1}},
        }
    for finding in judgement.findings:
        place, member = visible_place(find_places(finding, judgement, estate).primary)
        within = f" (in {safe(member)})" if member else ""
        text = put_back_words(finding.put_back)
        back = f". Put back: {text}" if text else ""
        count = seen[finding.fingerprint] = seen.get(finding.fingerprint, 0) + 1
        yield {
            "description": f"{finding.rule.id} {finding.rule.name}: {safe(finding.message)}{within}{back}",
            "check_name": finding.rule.id,
            "fingerprint": _unique(finding.fingerprint, count),
            "severity": severity(finding),
            "location": {"path": _path(place.path), "lines": {"begin": place.line or 1}},
        }


def _path(shown: str) -> str:
    """A path that GitLab takes: from the root of the repository, or relative where the file lies outside of it."""
    path = repository_path(shown)
    if not is_absolute(path):
        return posixpath.normpath(path)
    try:
        return Path(os.path.relpath(path)).as_posix()
    except ValueError:  # Windows: on another drive
        return path


def severity(finding: Finding) -> str:
    """GitLab's four levels: an error of high confidence is critical, another one major, a warning minor."""
    if finding.rule.severity == "error":
        return "critical" if finding.rule.confidence == "high" else "major"
    return "minor" if finding.rule.severity == "warning" else "info"


def _unique(fingerprint: str, count: int) -> str:
    """GitLab drops what has a fingerprint that it has seen: the second finding of one identity gets another."""
    return fingerprint if count == 1 else hashlib.sha256(f"{fingerprint}:{count}".encode()).hexdigest()[:32]
