"""The tokens of the condition language, and errors that say where in a condition they are."""

from __future__ import annotations

import difflib
import re
from typing import NamedTuple

from lintmdb.errors import RuleError
from lintmdb.model.relations import ALIASES

KEYWORDS = frozenset({"AND", "OR", "NOT", "IN", "BETWEEN", "LIKE", "ESCAPE", "TRUE", "FALSE"})

_TOKEN = re.compile(
    r"(?P<space>\s+)|(?P<number>[0-9]+)(?![\w.])|(?P<string>'[^'\\]*')"
    r"|(?P<name>[A-Za-z_]\w*\.[A-Za-z_]\w*)|(?P<word>[A-Za-z_]\w*)|(?P<op><=|>=|<>|[=<>+*(),-])"
)
_HINTS = {
    "IS": "write the condition so that an unknown value leaves it undecided",
    "NULL": "unknown values need no test: they make the verdict undecided",
    "CASE": "use AND and OR",
    "COALESCE": "an unknown value may not be given a default in a rule",
    "!": "use <> for 'not equal'",
    '"': "write strings in single quotes",
    "/": "division differs between engines: multiply the other side",
    ";": "a condition is one expression",
}
COMPARISONS = frozenset({"=", "<>", "<", "<=", ">", ">="})


class Token(NamedTuple):
    """One token of a condition: its kind (number, string, name, word, op), its text, and where it starts."""

    kind: str
    text: str
    start: int


def tokenize_condition(text: str, path: str = "", line: int = 0) -> list[Token]:
    """The tokens of a condition without blanks. Raises RuleError for what has no place in one."""
    tokens: list[Token] = []
    position = 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            char = text[position]
            raise error_at(f"{char!r} is not allowed in a condition", text, position, path, line, _HINTS.get(char, ""))
        kind = match.lastgroup or ""
        if kind == "word" and match.group().upper() not in KEYWORDS:
            raise _unknown_word(match.group(), text, position, path, line)
        if kind != "space":
            tokens.append(Token(kind, match.group(), position))
        position = match.end()
    return tokens


def _unknown_word(word: str, text: str, position: int, path: str, line: int) -> RuleError:
    hint = _HINTS.get(word.upper(), "")
    if not hint:
        candidates = [*sorted(KEYWORDS), *ALIASES]
        close = difflib.get_close_matches(word.upper(), candidates, 1) or difflib.get_close_matches(word, candidates, 1)
        hint = f"did you mean {close[0]}?" if close else "name a column as alias.column"
    return error_at(f"{word!r} is not allowed in a condition", text, position, path, line, hint)


def error_at(problem: str, text: str, position: int, path: str, line: int, hint: str = "") -> RuleError:
    """The error of a problem at a position of a text that starts on ``line`` of ``path`` (0 for a text of no file)."""
    before = text[:position]
    row = before.count("\n")
    column = position - (before.rfind("\n") + 1) + 1
    return RuleError(problem, path=path, line=line + row if line else row + 1, column=column, next_step=hint)
