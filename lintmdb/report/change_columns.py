"""Changes as lines of text in columns: where, what, and what becomes of it. A change that does not fit on a line takes
two, and no other change makes room for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lintmdb.report.terminal import Style, wrap

_GAP = "  "
_MOST_SPREAD = 20
"""So many blanks a column may be wider than its shortest cell: the eye finds what stands behind them."""


def column_lines(cells: Sequence[tuple[Sequence[str], str, str]], style: Style, width: int) -> Iterable[Sequence[str]]:
    """The lines of each change: the names of what changes, what becomes of it, and why, which may be blank."""
    count = len(cells[0][0]) if cells else 0
    fitting = [(names, said, why) for names, said, why in cells if _length(names, said, why) <= width]
    widths = [_width([names[column] for names, _, _ in fitting]) for column in range(count)]
    for names, said, why in cells:
        shown = style.paint("dim", why)
        padded = [f"{name:<{size}}" for name, size in zip(names, widths, strict=True) if size or name]
        line = _GAP.join([*padded, said])
        if len(line) + bool(why) * (len(_GAP) + len(why)) <= width:
            yield [f"{line}{_GAP}{shown}" if why else line]
            continue
        first, below = _GAP.join(padded).rstrip(), f"  {said}"
        if why and len(below) + len(_GAP) + len(why) > width:
            yield [first, below, *(f"  {style.paint('dim', line)}" for line in wrap(why, width - 2))]
        else:
            yield [first, f"{below}{_GAP}{shown}" if why else below]


def _length(names: Sequence[str], said: str, why: str) -> int:
    return len(_GAP.join([*filter(None, names), said, *filter(None, (why,))]))


def _width(names: Sequence[str]) -> int:
    """How wide a column is: as its longest cell that is not much longer than its shortest one."""
    shortest = min(map(len, names), default=0)
    return max((len(name) for name in names if len(name) <= shortest + _MOST_SPREAD), default=0)
