"""A story as numbered lines: when, who acts, what happens."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lintmdb.delivery.wording import Line, duration
from lintmdb.report.terminal import Style, safe, wrap


def timeline(lines: Sequence[Line], style: Style, indent: str) -> Iterator[str]:
    """One line a step, with the time where the story has a clock."""
    actors = max((len(line.actor) for line in lines), default=0)
    clock = any(line.state.get("at_ms") for line in lines)
    for number, line in enumerate(lines, 1):
        at = line.state.get("at_ms")
        when = f"{'+' + duration(at) if at is not None else '':<10}" if clock else ""
        head = f"{indent}{number:>3}  {when}"
        for part_number, part in enumerate(wrap(safe(line.text), style.width - len(head) - actors - 2)):
            if part_number == 0:
                yield f"{head}{style.paint('dim', f'{line.actor:<{actors}}')}  {part}"
            else:
                yield f"{' ' * (len(head) + actors + 2)}{part}"
