"""The values that decide on a flow as a table of the terminal report."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

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
    for value, row in zip(values, rows, strict=True):
        line = "  " + _GAP.join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True))
        where = safe(_place(value.place)) if value.place is not None else ""
        shown = where if len(where) <= room or most is None else shortened(where, room)
        if not where:
            yield line.rstrip()
        elif len(shown) <= room:
            yield f"{line}{_GAP}{style.paint('dim', shown)}"
        else:
            yield line.rstrip()
            indent = " " * (4 + widths[0])
            fits = most is None or len(indent) + len(where) <= style.width
            yield indent + style.paint("dim", where if fits else shortened(where, style.width - len(indent)))
    if left:
        yield style.paint("dim", f"  and {left} more (-v shows every value)")


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
