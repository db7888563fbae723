"""The values that decide on a flow as a table of the terminal report."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from lintmdb.engine.findings import Finding
from lintmdb.model.origins import Origin
from lintmdb.report.deciding_values import DecidingValue, deciding_values
from lintmdb.report.terminal import Style, safe

_WIDEST = (9, 48, 44, 44)
_GAP = "  "


def value_lines(findings: Iterable[Finding], style: Style, most: int | None, also: Iterable[str] = ()) -> Iterator[str]:
    """A line a value: product, object, setting, value, and where it was read. A path that does not fit loses its
    first folders; ``most`` is None where all values are shown, with whole paths. ``also`` are columns to show beside
    those that the findings are about.
    """
    values, left = deciding_values(findings, most, also)
    rows = [_cells(value) for value in values]
    if not rows:
        return
    widths = [min(max(len(row[place]) for row in rows), widest) for place, widest in enumerate(_WIDEST)]
    room = style.width - 2 - sum(widths) - len(_GAP) * len(widths)
    indent = " " * (4 + widths[0])
    spelt = _spellings([value.place for value in values if value.place], room, style.width - len(indent), most is None)
    for value, row in zip(values, rows, strict=True):
        line = "  " + _GAP.join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True))
        if value.place is None or not _place(value.place):
            yield line.rstrip()
            continue
        spelling = spelt[value.place.path or value.place.text]
        shown = style.paint("dim", spelling.of(safe(_place(value.place))))
        yield from [line.rstrip(), f"{indent}{shown}"] if spelling.below else [f"{line}{_GAP}{shown}"]
    if left:
        yield style.paint("dim", f"  and {left} more (-v shows every value)")


class _Spelling(NamedTuple):
    """How a table spells a path, in every row that has it."""

    dropped: int
    """How many characters of it are left out at its start."""
    mark: str
    """What stands there instead."""
    below: bool
    """It stands on a line of its own."""

    def of(self, where: str) -> str:
        """The path with a line, as the table spells it."""
        return f"{self.mark}{where[self.dropped :]}"


def _spellings(places: Iterable[Origin], room: int, width: int, whole: bool) -> dict[str, _Spelling]:
    """The spelling of each path: that of its longest place, which fits into the ``room`` of its column, or else on a
    line of that ``width``; if ``whole``, nothing of it is left out.
    """
    longest: dict[str, str] = {}
    for place in places:
        key, where = place.path or place.text, safe(_place(place))
        longest[key] = max(longest.get(key, ""), where, key=len)
    return {key: _spelling(where, room, width, whole) for key, where in longest.items()}


def _spelling(where: str, room: int, width: int, whole: bool) -> _Spelling:
    shown = where if whole or len(where) <= room else shortened(where, room)
    below = len(shown) > room
    if below:
        shown = where if whole or len(where) <= width else shortened(where, width)
    rest = shown if where.endswith(shown) else shown.removeprefix("...")
    return _Spelling(len(where) - len(rest), shown[: len(shown) - len(rest)], below)


def _cells(value: DecidingValue) -> tuple[str, ...]:
    note = f" ({value.note})" if value.note else ""
    cells = (value.product or "given", value.thing, value.setting, f"{value.value}{note}")
    return tuple(_cut(safe(cell), widest) for cell, widest in zip(cells, _WIDEST, strict=True))


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else f"{text[: width - 3]}..."


def _place(place: Origin) -> str:
    if not place.path:
        return place.text
    return f"{place.path}:{place.line}" if place.line else place.path


def shortened(path: str, room: int) -> str:
    """A path that fits, without as many of its first folders as it takes; at least the file stays."""
    parts = path.split("/")
    for first in range(1, len(parts)):
        text = "/".join(("...", *parts[first:]))
        if len(text) <= room:
            return text
    return parts[-1]
