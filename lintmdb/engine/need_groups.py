"""Undecided verdicts by what would settle them: one missing export is one entry, however many verdicts wait for it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from lintmdb.engine.findings import Need, Undecided

_SUMMED = {
    "user": "the MQ users of endpoints",
    "on_message": "the longest onMessage times of beans",
}


class NeedGroup(NamedTuple):
    """One missing source and all that waits for it."""

    need: Need
    text: str
    """What is missing, as a noun."""
    entries: tuple[Undecided, ...]

    @property
    def rules(self) -> list[str]:
        """The ids of the rules that wait, sorted."""
        return sorted({entry.rule.id for entry in self.entries})

    @property
    def sentence(self) -> str:
        """The whole as one clause, with the command that helps."""
        give = f"; provide: {self.need.command}" if self.need.command else ""
        return f"{len(self.entries)} undecided without {self.text}{give}"


def group_by_need(undecided: Iterable[Undecided]) -> list[NeedGroup]:
    """The missing sources, the one that settles most first."""
    groups: dict[tuple[str, str], list[Undecided]] = {}
    for entry in undecided:
        groups.setdefault((entry.need.kind, entry.need.target), []).append(entry)
    ranked = sorted(groups.values(), key=lambda group: (-len(group), group[0].need))
    ends: list[NeedGroup] = []
    for group in ranked:
        need = group[0].need
        subjects = {entry.subject.name for entry in group}
        text = need.text if len(subjects) == 1 or need.target else _SUMMED.get(need.kind, need.text)
        ends.append(NeedGroup(need, text, tuple(group)))
    return ends
