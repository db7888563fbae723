"""Transcripts that somebody quotes in a mail or a ticket: every line begins with the same marks."""

from __future__ import annotations

import re

_MARKED = re.compile(
    r"^((?:[>|] ?)*[>|])[ \t\xa0]*(?:\d{1,7} : ?[ \t]*\S|AMQ\d{4}[A-Z]?:|Starting MQSC|CSQ[A-Z0-9]\d{3}[A-Z]\b)", re.M
)
_ANSWER = re.compile(r"^[ \t\xa0]{0,3}(?:AMQ\d{4}[A-Z]?:|CSQM4\d\dI\b)", re.M)


def unquoted(text: str) -> tuple[str, int]:
    """A transcript without its marks, line by line, and how many characters they are.

    No-break spaces, which browsers put in the place of blanks, are blanks.

    What stands above and below becomes blank lines. Text is left as it is where no transcript is quoted, and where a
    line in the middle has no mark: a mail program has broken it, so nobody knows which value it cuts.
    """
    text = text.replace("\xa0", " ")
    found = _MARKED.search(text)
    if found is None or _ANSWER.search(text) is not None:
        return text, 0
    mark, lines = found.group(1), text.split("\n")
    marked = [number for number, line in enumerate(lines) if line.startswith(mark)]
    first, last = marked[0], marked[-1]
    inside = lines[first : last + 1]
    if any(line.strip() and not line.startswith(mark) for line in inside):
        return text, 0
    rest = [line[len(mark) :].rstrip("\r") for line in inside]
    spaced = all(line.startswith(" ") for line in rest if line.strip())
    width = len(mark) + spaced
    shown = ["" if not line.strip() else line[spaced:] for line in rest]
    return "\n".join([*[""] * first, *shown, *[""] * (len(lines) - last - 1)]), width
