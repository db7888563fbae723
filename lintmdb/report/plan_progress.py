"""How far a plan is: one line for each change that is not done, and the counts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lintmdb.plan.verify import Verified, counted
from lintmdb.report.changes import change_words, object_words, place_words, value_words
from lintmdb.report.terminal import Style, plural
from lintmdb.settings.changes import Assignment

_COLOURS = {"done": "green", "open": "warning", "drifted": "error", "not exported": "info"}
_WIDTH = 8
"""Of the column of progress, unless it has longer words."""


def render_progress(verified: Sequence[Verified], style: Style) -> Iterator[str]:
    """The lines of the report, without line ends."""
    width = max([_WIDTH, *(len(entry.progress) for entry in verified)])
    for place in dict.fromkeys(place_words(entry.change.target) for entry in verified):
        yield style.paint("bold", place)
        for entry in verified:
            if place_words(entry.change.target) == place:
                yield _line(entry, style, width)
        yield ""
    counts = ", ".join(f"{count} {progress}" for progress, count in counted(verified))
    yield f"{plural(len(verified), 'change')}: {counts or 'none planned'}"


def _line(entry: Verified, style: Style, width: int) -> str:
    progress = style.paint(_COLOURS[entry.progress], f"{entry.progress:<{width}}")
    text = f"  {progress}  {object_words(entry.change.target)}  {change_words(entry.change)}"
    if entry.progress == "drifted" and isinstance(entry.change, Assignment):
        text += f"; it is {value_words(entry.now)} now"
    return text
