"""The dive: the preferred alternatives for all findings at once, and again for what they leave."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from lintmdb.engine.flow_rows import FlowRows
from lintmdb.plan.choices import Changes, Choice, FindingKey
from lintmdb.plan.policy import ASSUMED
from lintmdb.plan.things import changed_things, things
from lintmdb.settings.changes import ChangeSet


@dataclass(slots=True)
class Dive:
    """One set of changes after the other, each for what the one before it leaves or harms."""

    changes: Changes | None = None
    """The set to judge; None where the dive is over."""
    preference: int = 0
    steps: int = 1
    """How many sets it may still try."""
    _picked: dict[FindingKey, tuple[int, Changes]] = field(default_factory=dict[FindingKey, tuple[int, Changes]])
    _choices: dict[FindingKey, Choice] = field(default_factory=dict[FindingKey, Choice])
    _refused: set[tuple[FindingKey, int]] = field(default_factory=set[tuple[FindingKey, int]])
    """Alternatives that did harm."""

    def start(self, choices: Iterable[Choice], steps: int) -> None:
        """Begin with what was found without any change."""
        self.steps = steps
        self._pick(choices)

    def go_on(self, choices: Sequence[Choice], harmed: Sequence[FlowRows]) -> None:
        """What judging says of the set: what is left to repair, and the flows that are worse off."""
        before = self.changes
        self.steps -= 1
        if not self.steps or not (choices or harmed):
            self.changes = None
            return
        worse = {thing for rows in harmed for thing in things(rows)}
        mended = self._mended(choices, harmed)
        refused = [
            key
            for key, (place, changes) in self._picked.items()
            if any(not worse.isdisjoint(changed_things(change)) for change in changes)
            and not (mended and self._is_last(key, place))
        ]
        willing = [key for key in refused if not self._leaves_assumptions(key)]
        for key in (refused := willing or refused):
            self._refused.add((key, self._picked.pop(key)[0]))
        self._pick([*(self._choices[key] for key in refused), *choices])
        if self.changes is not None and before is not None and set(self.changes) == set(before):
            self.changes = None

    def _mended(self, choices: Iterable[Choice], harmed: Iterable[FlowRows]) -> bool:
        """Whether what comes up now can repair each flow that is worse off: the harm may be that of a circle of queues
        which one of them interrupted.
        """
        fresh = [choice for choice in choices if choice.key not in self._picked and choice.key not in self._choices]
        offered = {
            thing
            for choice in fresh
            for _, changes in choice.alternatives
            for change in changes
            for thing in changed_things(change)
        }
        return all(not offered.isdisjoint(things(rows)) for rows in harmed)

    def _is_last(self, key: FindingKey, place: int) -> bool:
        """Whether no other alternative for a finding is left."""
        tried = self._refused | {(key, place)}
        return all((key, other) in tried for other, _ in self._choices[key].alternatives)

    def _leaves_assumptions(self, key: FindingKey) -> bool:
        """Whether what is left for a finding without the alternative that was picked is for the owners to choose. The
        harm may be that of another change on the same flow.
        """
        places = [place for place, _ in self._choices[key].alternatives]
        left = [place for place in places if place != self._picked[key][0] and (key, place) not in self._refused]
        return bool(left) and min(left) >= ASSUMED

    def _pick(self, choices: Iterable[Choice]) -> None:
        """Take the preferred alternative for each of more findings, as far as they go together."""
        merged = ChangeSet()
        for _, changes in self._picked.values():
            merged.add(changes, raising=True)
        for choice in choices:
            if choice.key in self._picked:
                continue
            self._choices[choice.key] = choice
            allowed = [each for each in choice.alternatives if (choice.key, each[0]) not in self._refused]
            fitting = next((each for each in allowed if merged.add(each[1])), None)
            fitting = fitting or next((each for each in allowed if merged.add(each[1], raising=True)), None)
            if fitting is not None:
                self._picked[choice.key] = fitting
        self.changes = merged.changes or None
        # What ends several findings counts once, as in the search.
        self.preference = sum(place for place, _ in set(self._picked.values()))
