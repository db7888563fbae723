"""Where a finding points in reports that other programs read: one place in a file, and the related ones."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable
from typing import NamedTuple

from lintmdb.engine.findings import Finding, Judgement, Undecided
from lintmdb.model.origins import Origin
from lintmdb.rules.rule import severity_rank
from lintmdb.run.estate import Estate
from lintmdb.settings.changes import PLANNED

_CONFIDENCES = ("high", "medium", "low")
_ROOT = re.compile(r"\A(?:/+|(?=[A-Za-z]:/))")


class Places(NamedTuple):
    """The places of a finding."""

    primary: Origin
    """In a file, always; line 0 is the file as a whole."""
    related: tuple[Origin, ...]
    """The other places in files."""
    given: tuple[str, ...]
    """What also counts but is in no file: ``--on-message 15s``."""


def find_places(finding: Finding, judgement: Judgement, estate: Estate) -> Places:
    """The places of a finding, the primary one in a file: one that a change has written, since a pull request shows
    its lines, else one in a file that differs from those of an earlier state, and there one whose value differs; else
    the first value that is set; where no deciding value is in a file, the endpoint's.
    """
    places = [place for place in (finding.location, *finding.related) if place is not None]
    in_files = [place for place in places if place.path not in ("", PLANNED)]
    given = tuple(f"{place.text} {place.path}".rstrip() for place in places if place.path in ("", PLANNED))
    if in_files:
        primary = min(in_files, key=lambda place: _distance(place, finding, estate))
        return Places(primary, tuple(place for place in in_files if place != primary), given)
    return Places(_endpoint(finding.flow, judgement, estate), (), given)


def _distance(place: Origin, finding: Finding, estate: Estate) -> tuple[bool, bool, bool, bool]:
    is_edited = place.path in estate.edited
    return place.path not in estate.changed_by, not is_edited, place not in finding.differing, place.default


def place_of_undecided(entry: Undecided, judgement: Judgement, estate: Estate) -> Origin:
    """Where an undecided verdict points: at its endpoint, because what it lacks is in no file."""
    return _endpoint(entry.flow, judgement, estate)


def _endpoint(flow: int | None, judgement: Judgement, estate: Estate) -> Origin:
    """The place of a flow's endpoint; without one, the first file as a whole."""
    head = judgement.flows[flow].origin if flow is not None else None
    return head or place_of_run(estate)


def place_of_run(estate: Estate) -> Origin:
    """Where something about the run as a whole points: at the first file."""
    return Origin(estate.inputs[0].path if estate.inputs else ".", 0, 0, "")


def worst_first(findings: Iterable[Finding]) -> list[Finding]:
    """Findings by severity, then by confidence, else in the order in which they come."""
    return sorted(
        findings,
        key=lambda f: (severity_rank(f.rule.severity), _CONFIDENCES.index(f.rule.confidence)),
    )


class Visible(NamedTuple):
    """A place as tools that show files find it."""

    origin: Origin
    """In a file on disk: for a member of an archive the archive as a whole."""
    member: str
    """The member and its line, ``cells/C1/resources.xml:24``; blank for a place in a file."""


def visible_place(origin: Origin) -> Visible:
    """A place in an archive as one of the archive: no tool opens the file within."""
    archive, mark, member = origin.path.partition("!/")
    if not mark:
        return Visible(origin, "")
    line = f":{origin.line}" if origin.line else ""
    return Visible(Origin(archive, 0, 0, ""), f"{member}{line}")


def is_absolute(path: str) -> bool:
    """Whether a shown path lies outside the working directory."""
    return _ROOT.match(path) is not None


def relative_path(path: str) -> str:
    """A shown path without a leading slash or ``./``: what lies outside the working directory begins at the root."""
    return posixpath.normpath(_ROOT.sub("", path)) if path else "."
