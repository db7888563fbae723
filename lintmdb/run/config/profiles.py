"""Profiles: named choices of built-in rules, which a version pins.

``profiles.json`` says which severities and confidences belong to a profile and which rules it leaves out. The profile
``strict`` also fails on what is undecided. A pinned profile (``recommended@0.1``)
holds only rules that were there in that version (``since``), with the severity that they had: ``former_severities``
gives, by rule, the last version that had another severity, and that severity.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypedDict, cast

from lintmdb.errors import LintmdbError
from lintmdb.rules.rule import Rule, Severity
from lintmdb.version import __version__

DATA = Path(__file__).resolve().parent / "profiles.json"


class _ProfilesEntry(TypedDict):
    profiles: dict[str, dict[str, list[str]]]
    former_severities: dict[str, dict[str, Severity]]


@dataclass(frozen=True, slots=True)
class Profiles:
    """What ``profiles.json`` says."""

    profiles: Mapping[str, Mapping[str, Sequence[str]]]
    former_severities: Mapping[str, Mapping[str, Severity]] = field(default_factory=dict[str, "Mapping[str, Severity]"])
    """Rule id to version (the last one with it) to severity."""

    def rules(self, rules: Sequence[Rule], name: str) -> list[Rule]:
        """The rules of a profile, pinned or not; rules that are not built in belong to every one.

        Raises LintmdbError for a profile that is not known and for a version that is not there yet.
        """
        profile, _, pin = name.partition("@")
        if profile not in self.profiles:
            raise LintmdbError(f"no profile is called {profile!r}", next_step=f"There are {', '.join(self.profiles)}")
        if pin and _version(pin) > _version(__version__):
            raise LintmdbError(
                f"profile {name} is newer than this lintmdb, which is {__version__}", next_step="Upgrade lintmdb"
            )
        chosen: list[Rule] = []
        for rule in rules:
            if not rule.id.startswith("MDB"):
                chosen.append(rule)
            elif not pin or _version(rule.since) <= _version(pin):
                pinned = replace(rule, severity=self._severity(rule, pin)) if pin else rule
                if _belongs(pinned, self.profiles[profile]):
                    chosen.append(pinned)
        return chosen

    def _severity(self, rule: Rule, pin: str) -> Severity:
        former = self.former_severities.get(rule.id, {})
        later = [version for version in former if _version(version) >= _version(pin)]
        return former[min(later, key=_version)] if later else rule.severity


def read_profiles() -> Profiles:
    """The profiles of this version."""
    document = cast("_ProfilesEntry", json.loads(DATA.read_text("utf-8")))
    return Profiles(document["profiles"], document["former_severities"])


def _belongs(rule: Rule, profile: Mapping[str, Sequence[str]]) -> bool:
    return (
        rule.severity in profile.get("severities", (rule.severity,))
        and rule.confidence in profile.get("confidences", (rule.confidence,))
        and rule.id not in profile.get("leaves_out", ())
    )


def fails_undecided(name: str | None) -> bool:
    """Whether a profile, pinned or not, fails a run on anything undecided or unreadable."""
    return (name or "").partition("@")[0] == "strict"


def _version(text: str) -> tuple[int, ...]:
    """A version as three numbers: 0.1 is 0.1.0."""
    try:
        numbers = [int(part) for part in text.split(".")]
    except ValueError as error:
        raise LintmdbError(f"{text!r} is not a version", next_step="Write recommended@0.1") from error
    return (*numbers, 0, 0)[:3]
