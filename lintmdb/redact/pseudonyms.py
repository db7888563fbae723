"""Other words for hosts and users: the same word for the same one everywhere, and as long, so that columns, records and
limits of length stay as they are.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal

from lintmdb.errors import LintmdbError
from lintmdb.redact.names import Names

Kind = Literal["host", "user", "url", "text", "password", "name", "path"]
"""What a value is: words of hosts and users are mapped, also in a URL, of a text only the shape stays, of a password
nothing. Names of objects are mapped on request, also in a path.
"""

_LETTERS = "xyzabcdefghijklmnopqrstuvw"
_DIGITS = "1234567890"
_RUN = re.compile(r"[^\W_]+")
_KEPT = re.compile(
    r"\$\{[^}]*\}|\$\([^)]*\)"  # a variable of WebSphere
    r"|\*[A-Za-z]+"  # *NOACCESS, *MQADMIN
    r"|(?<![\w.-])(?:localhost|127\.0\.0\.1|0\.0\.0\.0|mqm|qmqm|qmqmadm|nobody)(?![\w.-])"
    r"|\(\s*\d+\s*\)"  # a port
    r"|(?<=[a-z]):\d+(?!\.)",
    re.I,
)
_AUTHORITY = re.compile(r"(?<=://)[^/?#\s]+")
_DOTTED = re.compile(r"[A-Za-z0-9][\w-]*(?:\.[\w-]+)+")


@dataclass(slots=True)
class Pseudonyms:
    """The words that were replaced so far. A word's letters become letters and its digits digits, upper case stays
    upper case: words that differ only in case still do, and no two words become one.
    """

    names: Names | None = None
    """What replaces the names of objects; None where they stay."""
    _words: dict[str, str] = field(default_factory=dict[str, str])
    _taken: set[str] = field(default_factory=set[str])
    _next: dict[str, int] = field(default_factory=dict[str, int])
    _hosts: dict[str, None] = field(default_factory=dict[str, None])

    def value(self, kind: Kind, text: str) -> str:
        """A value without its secret. Raises LintmdbError where no word is left."""
        if kind == "password":
            return "redacted" if text.strip() else text
        if kind in ("name", "path"):
            return text if self.names is None else self.names.path(text) if kind == "path" else self.names.value(text)
        if kind == "text":
            return _RUN.sub(lambda match: "x" * len(match[0]), text)
        if kind == "url":
            return self.value("path", _AUTHORITY.sub(lambda match: self.value("host", match[0]), text))
        if kind == "host":
            self._hosts.update((found.lower(), None) for found in _DOTTED.findall(text) if len(found) > 6)
        pieces: list[str] = []
        start = 0
        for kept in _KEPT.finditer(text):
            pieces += (_RUN.sub(self._replacement, text[start : kept.start()]), kept[0])
            start = kept.end()
        return "".join([*pieces, _RUN.sub(self._replacement, text[start:])])

    def meet(self, path: str) -> None:
        """Take note of the names that the path of a file has."""
        if self.names is not None:
            self.names.meet(path)

    @property
    def words(self) -> dict[str, str]:
        """What each word of a host, user or name became, in lower case, sorted."""
        return dict(sorted({**(self.names.words if self.names is not None else {}), **self._words}.items()))

    def sweep(self, text: str) -> str:
        """A text without the names of hosts with a dot that were met so far, wherever they stand."""
        if not self._hosts:
            return text
        return _DOTTED.sub(lambda match: self.value("host", match[0]) if self._met(match[0]) else match[0], text)

    def _met(self, text: str) -> bool:
        return text.lower() in self._hosts and _KEPT.fullmatch(text) is None

    def _replacement(self, match: re.Match[str]) -> str:
        word = match[0]
        key = word.lower()
        if len(key) != len(word):
            key = word
        if key not in self._words:
            self._words[key] = self._new(key)
        return "".join(new.upper() if old.isupper() else new for old, new in zip(word, self._words[key], strict=True))

    def _new(self, word: str) -> str:
        shape = "".join("1" if char.isdigit() else "a" for char in word)
        limit = 10 ** shape.count("1") * 26 ** shape.count("a")
        while (number := self._next.get(shape, 0)) < limit:
            self._next[shape] = number + 1
            made = _spelt(number, shape)
            if made not in self._taken and (made != word or limit - number == 1):
                self._taken.add(made)
                return made
        return self._last_free(word, shape, limit)

    def _last_free(self, word: str, shape: str, limit: int) -> str:
        """A word that was passed over because it was the one to replace."""
        for number in range(limit):
            if (made := _spelt(number, shape)) not in self._taken:
                self._taken.add(made)
                return made
        raise LintmdbError(f"has too many different words of {len(word)} characters to replace")


def _spelt(number: int, shape: str) -> str:
    """A number in letters and digits of a shape, its last place first."""
    chars: list[str] = []
    for place in reversed(shape):
        alphabet = _DIGITS if place == "1" else _LETTERS
        number, digit = divmod(number, len(alphabet))
        chars.append(alphabet[digit])
    return "".join(reversed(chars))
