"""How far a plan is: one line for each change that is not done, and the counts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lintmdb.plan.verify import Verified, WorseNow, counted
from lintmdb.report.change_columns import column_lines
from lintmdb.report.changes import change_words, object_words, place_words, value_words
from lintmdb.report.headline_fates import headline_fates
from lintmdb.report.subjects import headline
from lintmdb.report.terminal import Style, plural, safe
from lintmdb.report.text import title_lines
from lintmdb.settings.changes import Assignment

_COLOURS = {"done": "green", "open": "warning", "drifted": "error", "not exported": "info"}
_MOST_WORSE = 10
_WIDTH = 8
"""Of the column of progress, unless it has longer words."""


def render_progress(verified: Sequence[Verified], style: Style) -> Iterator[str]:
    """The lines of the report, without line ends."""
    width = max([_WIDTH, *(len(entry.progress) for entry in verified)])
    for place in dict.fromkeys(place_words(entry.change.target) for entry in verified):
        yield style.paint("bold", place)
        own = [entry for entry in verified if place_words(entry.change.target) == place]
        cells = [((object_words(entry.change.target),), _words(entry), "") for entry in own]
        for entry, (first, *more) in zip(own, column_lines(cells, style, style.width - width - 4), strict=True):
            yield f"  {style.paint(_COLOURS[entry.progress], f'{entry.progress:<{width}}')}  {first}"
            yield from (f"{' ' * (width + 4)}{line}" for line in more)
        yield ""
    counts = ", ".join(f"{count} {progress}" for progress, count in counted(verified))
    yield f"{plural(len(verified), 'change')}: {counts or 'none planned'}"


def worse_lines(worse: Sequence[WorseNow], scripts: Sequence[str], style: Style) -> Iterator[str]:
    """A warning where some flows are worse off than before the plan; ``scripts`` are those that are still to run."""
    if not worse:
        return
    yield ""
    yield style.paint("error", f"Worse now than before the plan, on {plural(len(worse), 'flow')}:")
    shown = worse[:_MOST_WORSE]
    for entry, now in zip(shown, headline_fates([entry.head for entry in shown]), strict=True):
        yield from (f"  {line}" for line in title_lines(headline(entry.head), style.width - 2))
        yield f"    {entry.before.headline} -> {now.words}"
    if len(worse) > _MOST_WORSE:
        yield f"  and on {plural(len(worse) - _MOST_WORSE, 'more flow')}"
    if scripts:
        yield f"Still to run, in this order: {', '.join(map(safe, scripts))}"


def _words(entry: Verified) -> str:
    text = change_words(entry.change)
    if entry.progress == "drifted" and isinstance(entry.change, Assignment):
        text += f"; it is {value_words(entry.now)} now"
    return text
