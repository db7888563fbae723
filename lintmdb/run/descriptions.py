"""What DESCR says of objects of IBM MQ. No verdict rests on it: it is read from the export when a report shows it."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from lintmdb.errors import UnreadableError
from lintmdb.exports.mq.decoding import decode
from lintmdb.model.origins import Located, resolved
from lintmdb.model.relations import Queue

_DESCR = re.compile(r"\bDESCR\((?:'((?:[^']|'')*)'|((?!')(?:[^()]|\([^()]*\))+)|([^')][^)]*))\)", re.I)
"""In quotes, as commands have it, or as an answer shows it, where it may have parentheses of its own."""
_DESCRIPTION = re.compile(r'\bdescription="([^"]*)"')
_SHOWN = re.compile(r" {3,}(?!(?:DEFINE|DEF|ALTER|ALT|SET|DELETE|DISPLAY|DIS|CLEAR|START|STOP)\s)[A-Z]", re.I)
"""A line of an answer. A script in a file of another format may be indented, too, but its lines begin with a verb."""
_MARKS = ("+", "-")
_MOST_LINES = 400
"""An object has fewer attributes."""


class Descriptions:
    """Reads the files of an estate, each once."""

    def __init__(self, sources: Mapping[str, Callable[[], bytes]] | None = None) -> None:
        self._sources = sources or {}
        self._lines: dict[str, Sequence[str]] = {}

    def find(self, place: Located | None) -> str:
        """The description of the object of which a place has an attribute or the definition; blank for none."""
        origin = resolved(place) if place is not None else None
        if origin is None or not 0 < origin.line <= len(lines := self._of(origin.path)):
            return ""
        found = _DESCR.search(" ".join(_around(lines, origin.line - 1)))
        return (found[1] or found[2] or found[3] or "").replace("''", "'").strip() if found is not None else ""

    def of_queue(self, queue: Queue | None) -> str:
        """The description of a local queue of a fact; blank for none."""
        if queue is None:
            return ""
        places = [resolved(place) for place in queue.origins.values()]  # a later command may set one attribute alone
        return next((text for place in dict.fromkeys(places) if (text := self.find(place))), "")

    def of_endpoint(self, place: Located | None) -> str:
        """The description of the activation specification in a resources.xml that has a setting at a place; blank for
        none, and where its element does not begin on one line of its own, as WebSphere writes it.
        """
        origin = resolved(place) if place is not None else None
        if origin is None or not origin.path.lower().endswith(".xml"):
            return ""
        lines = self._of(origin.path)
        above = (lines[number] for number in range(min(origin.line, len(lines)) - 1, -1, -1))
        element = next((line for line in above if "<j2cActivationSpec " in line or "</j2cActivationSpec>" in line), "")
        found = _DESCRIPTION.search(element.partition("<j2cActivationSpec ")[2])
        return " ".join(html.unescape(found[1]).split()) if found is not None else ""

    def _of(self, path: str) -> Sequence[str]:
        if path not in self._lines:
            try:
                self._lines[path] = decode(self._sources[path](), path).split("\n") if path in self._sources else ()
            except (UnreadableError, OSError):
                self._lines[path] = ()
        return self._lines[path]


def _around(lines: Sequence[str], at: int) -> Iterator[str]:
    """The lines of the command, or of the object of an answer, that a line is part of."""
    first = last = at
    while first > 0 and at - first < _MOST_LINES and _goes_on(lines[first - 1], lines[first]):
        first -= 1
    while last + 1 < len(lines) and last - at < _MOST_LINES and _goes_on(lines[last], lines[last + 1]):
        last += 1
    yield from (line.rstrip().rstrip("+-") for line in lines[first : last + 1] if not line.lstrip().startswith("*"))


def _goes_on(line: str, below: str) -> bool:
    """Whether two lines belong together: a continuation mark ends the upper one, or both show parts of an answer."""
    if line.rstrip().endswith(_MARKS) or (line.startswith("*") and below[:1] in (" ", "*")):
        return True
    return _SHOWN.match(line) is not None and _SHOWN.match(below) is not None
