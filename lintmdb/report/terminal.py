"""Text for people: colour, width, plurals, and characters that may not pass."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass

_CONTROL = re.compile(
    r"[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ud800-\udfff\ufeff\ufffe\uffff]"
)
_CODES = {"error": "1;31", "warning": "33", "info": "36", "bold": "1", "dim": "2", "underline": "4", "green": "32"}
_MIN_WIDTH = 50


@dataclass(frozen=True, slots=True)
class Style:
    """How wide and how colourful the text is."""

    width: int = 100
    colour: bool = False

    def paint(self, kind: str, text: str) -> str:
        """Text in the colour of its kind, or as it is."""
        return f"\x1b[{_CODES[kind]}m{text}\x1b[0m" if self.colour and text else text


def plural(count: int, one: str, more: str = "", *, separators: bool = False) -> str:
    """A number and what it counts: 1 flow, 1204 flows, or 1,204 flows with ``separators``."""
    number = f"{count:,}" if separators else str(count)
    return f"{number} {one if count == 1 else more or one + 's'}"


def counted_words(count: int, one: str, more: str = "") -> str:
    """A number and what it counts on a page, where numbers may be large: 1 flow, 1,204 flows."""
    return plural(count, one, more, separators=True)


def counted_severities(counts: Mapping[str, int], *, separators: bool = False) -> str:
    """Findings by severity in words, the worst first: ``2 errors, 1 warning, 3 info``; blank where there are none."""
    nouns = {"error": "errors", "warning": "warnings", "info": "info"}
    return ", ".join(
        plural(counts[name], name, more, separators=separators) for name, more in nouns.items() if counts.get(name)
    )


def wrap(text: str, width: int) -> list[str]:
    """Text in lines of at most ``width`` characters, broken at blanks; a longer word keeps its own line."""
    width = max(width, _MIN_WIDTH)
    if len(text) <= width:
        return [text]
    # Blanks within a text mean something in a command: they stay as they are.
    return textwrap.wrap(
        text, width, break_long_words=False, break_on_hyphens=False, expand_tabs=False, replace_whitespace=False
    )


def safe(text: str) -> str:
    """Text from an export without characters that nobody sees: it may steer no terminal and no reader's eye.

    Control characters, marks of direction and zero width, and what UTF-8 or XML cannot hold show as ``\\x1b``.
    """
    if text.isprintable():
        return text
    return _CONTROL.sub(lambda match: f"\\x{ord(match.group()):02x}", text)
