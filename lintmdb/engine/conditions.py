"""The condition language of rules: a few tokens of SQL, checked before any engine sees them.

A condition is made of numbers, plain strings, comparisons, ``+ - *``, AND OR NOT IN BETWEEN LIKE ESCAPE TRUE FALSE,
parentheses and ``alias.column``. Nothing else gets through: no function, sub-select, comment, backslash or quoted
identifier. That keeps the text safe in SQLite and in Spark, and monotone: without IS NULL, COALESCE or CASE one more
export can settle an undecided verdict and never flip a settled one.
"""

from __future__ import annotations

import difflib
import re
from typing import NamedTuple

from lintmdb.errors import RuleError
from lintmdb.model import ALIASES, RELATIONS, Column, columns

KEYWORDS = frozenset({"AND", "OR", "NOT", "IN", "BETWEEN", "LIKE", "ESCAPE", "TRUE", "FALSE"})
STANDALONE = frozenset({"binding", "problem"})
"""Aliases that are judged by themselves; all others meet in a flow."""

VOCABULARY: dict[str, dict[str, Column]] = {
    alias: {column.name: column for column in columns(RELATIONS[table])} for alias, table in ALIASES.items()
}

_TOKEN = re.compile(
    r"(?P<space>\s+)|(?P<number>\d+)(?![\w.])|(?P<string>'[^'\\]*')"
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
_COMPARISONS = frozenset({"=", "<>", "<", "<=", ">", ">="})


class Token(NamedTuple):
    """One token of a condition: its kind (number, string, name, word, op), its text, and where it starts."""

    kind: str
    text: str
    start: int


class Condition(NamedTuple):
    """A checked condition and the ``alias.column`` names that it reads, in order of appearance.

    ``sqlite`` is the text with each name quoted: some columns (``bean.transaction``) are key words of SQLite.
    """

    text: str
    columns: tuple[str, ...]
    sqlite: str


def check_condition(text: str, path: str = "", line: int = 0) -> Condition:
    """Check a condition's tokens, names, literals and parentheses.

    ``line`` is the line of ``path`` on which the condition starts. Raises RuleError with line, column and a suggestion.
    """
    tokens = tokens_of(text, path, line)
    if not tokens:
        raise RuleError("the condition is empty", path=path, line=line)
    depth = 0
    names: dict[str, None] = {}
    for position, token in enumerate(tokens):
        if token.kind == "op" and token.text in "()":
            depth += 1 if token.text == "(" else -1
            if depth < 0:
                raise _error("a parenthesis closes that was never opened", text, token.start, path, line)
        elif token.kind == "op" and token.text == "-" and _next_is_minus(tokens, position):
            raise _error("'--' starts a comment in SQL", text, token.start, path, line, "Put a blank between the signs")
        elif token.kind == "name":
            _check_literals(_column_of(token, text, path, line), tokens, position, text, path, line)
            names[token.text] = None
    if depth:
        raise _error("a parenthesis is never closed", text, len(text), path, line)
    used = {name.partition(".")[0] for name in names}
    if used & STANDALONE and len(used) > 1:
        raise _error(
            f"{', '.join(sorted(used & STANDALONE))} does not meet {', '.join(sorted(used - STANDALONE))}",
            text,
            0,
            path,
            line,
        )
    quoted = " ".join(_quoted(token.text) if token.kind == "name" else token.text for token in tokens)
    return Condition(" ".join(text.split()), tuple(names), quoted)


def _quoted(name: str) -> str:
    alias, _, column = name.partition(".")
    return f'"{alias}"."{column}"'


def tokens_of(text: str, path: str = "", line: int = 0) -> list[Token]:
    """The tokens of a condition without blanks. Raises RuleError for what has no place in one."""
    tokens: list[Token] = []
    position = 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            char = text[position]
            raise _error(f"{char!r} has no place in a condition", text, position, path, line, _HINTS.get(char, ""))
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
        candidates = [*sorted(KEYWORDS), *VOCABULARY]
        close = difflib.get_close_matches(word.upper(), candidates, 1) or difflib.get_close_matches(word, candidates, 1)
        hint = f"did you mean {close[0]}?" if close else "name a column as alias.column"
    return _error(f"{word!r} has no place in a condition", text, position, path, line, hint)


def _next_is_minus(tokens: list[Token], position: int) -> bool:
    if position + 1 >= len(tokens):
        return False
    following = tokens[position + 1]
    return following.text == "-" and following.start == tokens[position].start + 1


def _column_of(token: Token, text: str, path: str, line: int) -> Column:
    alias, _, name = token.text.partition(".")
    if alias not in VOCABULARY:
        close = difflib.get_close_matches(alias, VOCABULARY, 1)
        hint = f"did you mean {close[0]}?" if close else "the aliases are " + ", ".join(VOCABULARY)
        raise _error(f"there is no relation {alias!r}", text, token.start, path, line, hint)
    if name not in VOCABULARY[alias]:
        close = difflib.get_close_matches(name, VOCABULARY[alias], 1)
        hint = f"did you mean {alias}.{close[0]}?" if close else "its columns are " + ", ".join(VOCABULARY[alias])
        raise _error(f"{alias} has no column {name!r}", text, token.start, path, line, hint)
    return VOCABULARY[alias][name]


def _check_literals(column: Column, tokens: list[Token], position: int, text: str, path: str, line: int) -> None:
    """Check the literals that a column is compared with against its type and its enumeration."""
    following = tokens[position + 1 :]
    literals: list[Token] = []
    if following and following[0].text in _COMPARISONS:
        literals = following[1:2]
    else:
        if following and following[0].text.upper() == "NOT":
            following = following[1:]
        if following and following[0].text.upper() == "IN":
            for token in following[2:]:
                if token.text == ")":
                    break
                if token.text != ",":
                    literals.append(token)
    for literal in literals:
        kind = _literal_type(literal)
        if kind is None:
            continue
        if kind != column.type:
            raise _error(
                f"{tokens[position].text} is {column.type}, {literal.text} is {kind}", text, literal.start, path, line
            )
        value = literal.text[1:-1]
        if column.values and value not in column.values:
            close = difflib.get_close_matches(value, column.values, 1)
            hint = f"did you mean '{close[0]}'?" if close else "it takes " + ", ".join(column.values)
            raise _error(f"{tokens[position].text} is never {literal.text}", text, literal.start, path, line, hint)


def _literal_type(token: Token) -> str | None:
    if token.kind == "string":
        return "text"
    if token.kind == "number":
        return "integer"
    if token.text.upper() in {"TRUE", "FALSE"}:
        return "boolean"
    return None


def _error(problem: str, text: str, position: int, path: str, line: int, hint: str = "") -> RuleError:
    before = text[:position]
    row = before.count("\n")
    column = position - (before.rfind("\n") + 1) + 1
    return RuleError(problem, path=path, line=line + row if line else row + 1, column=column, next_step=hint)
