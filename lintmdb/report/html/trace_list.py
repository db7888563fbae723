"""A told story as a numbered list in HTML."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lintmdb.delivery.wording import Line, duration
from lintmdb.report.html.markup import Child, Markup, clipped, element, joined
from lintmdb.report.html.story import changes
from lintmdb.report.terminal import counted_words


def _nothing(_: Line) -> Child:
    return None


def story_list(lines: Sequence[Line], limit: int, mark: Callable[[Line], Child] = _nothing) -> Markup:
    """One item a step, at most ``limit``, and how many are left out; ``mark`` gives what stands behind a step."""
    shown = [_step(line, state, mark(line)) for line, state in zip(lines[:limit], changes(lines[:limit]), strict=True)]
    left = len(lines) - len(shown)
    more = element("p", f"and {counted_words(left, 'more step')}", class_="more") if left else None
    return joined((element("ol", *shown, class_="story"), more))


def _step(line: Line, state: dict[str, int], mark: Child) -> Markup:
    at = state.get("at_ms")
    when = element("span", f"+{duration(at)}", " ", class_="at") if at is not None else None
    changed = ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in state.items() if name != "at_ms")
    return element(
        "li",
        element("span", clipped(line.actor, 60), class_="actor"),
        element(
            "span",
            when,
            clipped(line.text, 300),
            " " if changed or mark else None,
            element("small", clipped(changed, 200)) if changed else None,
            mark,
        ),
    )
