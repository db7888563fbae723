"""The steps of a story as a page shows them: the data of ``story.html.j2``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from lintmdb.delivery.wording import Line, duration
from lintmdb.report.html.visible_text import clipped

_ACTOR = 60
_TEXT = 300
_CHANGES = 200


class Step(NamedTuple):
    """One step: who acts, what happens, and what that changes."""

    actor: str
    text: str
    time: str | None
    """Since the start, ``1 s``; None where the clock stands still."""
    changes: str
    """The counts that change and that the text does not mention: ``backout count 2, failures 1``."""
    letter: str | None
    """Of the line of an export that the step rests on, where the page shows that line."""


class StoryList(NamedTuple):
    """The first steps of a story, and how many more there are."""

    steps: tuple[Step, ...]
    left_out: int


def story_list(lines: Sequence[Line], limit: int, letters: Sequence[str | None] = ()) -> StoryList:
    """The first ``limit`` steps, each with its letter; without ``letters``, no step has one."""
    shown = lines[:limit]
    named = letters[:limit] or [None] * len(shown)
    steps = tuple(_step(line, state, letter) for line, state, letter in zip(shown, changes(shown), named, strict=True))
    return StoryList(steps, len(lines) - len(shown))


def _step(line: Line, state: dict[str, int], letter: str | None) -> Step:
    at_ms = state.get("at_ms")
    changed = ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in state.items() if name != "at_ms")
    return Step(
        clipped(line.actor, _ACTOR),
        clipped(line.text, _TEXT),
        duration(at_ms) if at_ms is not None else None,
        clipped(changed, _CHANGES),
        letter,
    )


def changes(lines: Sequence[Line]) -> Iterator[dict[str, int]]:
    """What each step changes of the state, as far as its text does not mention it."""
    before: dict[str, int] = {}
    for line in lines:
        yield {
            name: value
            for name, value in line.state.items()
            if before.get(name) != value
            and (value or name in before)
            and (name == "at_ms" or str(value) not in line.text)
        }
        before |= line.state
