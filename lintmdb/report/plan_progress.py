"""How far a plan is: one line for each change that is not done, and the counts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lintmdb.plan.verify import Verified, counted
from lintmdb.report.changes import change_words, object_words, place_words, value_words
from lintmdb.report.terminal import Style, plural
from lintmdb.settings.changes import Assignment

_COLOURS = {"done": "green", "open": "warning", "drifted": "error", "not exported": "info"}


def render_progress(verified: Sequence[Verified], style: Style) -> Iterator[str]:
    """The lines of the report, without line ends."""
    for place in dict.fromkeys(place_words(entry.change.target) for entry in verified):
        yield style.paint("bold", place)
        for entry in verified:
            if place_words(entry.change.target) == place:
                yield _line(entry, style)
        yield ""
    counts = ", ".join(f"{count} {progress}" for progress, count in counted(verified))
    yield f"{plural(len(verified), 'change')}: {counts or 'none planned'}"


def _line(entry: Verified, style: Style) -> str:
    progress = style.paint(_COLOURS[entry.progress], f"{entry.progress:<12}")
    text = f"  {progress}  {object_words(entry.change.target)}  {change_words(entry.change)}".replace("    ", "  ")
    if entry.progress == "drifted" and isinstance(entry.change, Assignment):
        text += f"; it is {value_words(entry.now)} now"
    return text
