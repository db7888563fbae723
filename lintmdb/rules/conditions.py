"""The condition language of rules: a few tokens of SQL, checked before any engine sees them.

A condition is made of numbers, plain strings, comparisons, ``+ - *``, AND OR NOT IN BETWEEN LIKE ESCAPE TRUE FALSE,
parentheses and ``alias.column``. Nothing else gets through: no function, sub-select, comment, backslash or quoted
identifier. That keeps the text safe in SQLite and in Spark, and monotone: without IS NULL, COALESCE or CASE one more
export can settle an undecided verdict and never flip a settled one.
"""

from __future__ import annotations

import difflib
import functools
from collections.abc import Sequence
from typing import NamedTuple

from lintmdb.errors import RuleError
from lintmdb.model.columns import Column, columns
from lintmdb.model.relations import ALIASES, RELATIONS
from lintmdb.rules.grammar import check_types
from lintmdb.rules.tokens import COMPARISONS, Token, error_at, tokenize_condition

STANDALONE = frozenset(name for name, alias in ALIASES.items() if alias.standalone)
"""Aliases whose rows are judged by themselves; all others meet in a flow."""

VOCABULARY: dict[str, dict[str, Column]] = {
    name: {column.name: column for column in columns(RELATIONS[alias.relation])} for name, alias in ALIASES.items()
}


class Condition(NamedTuple):
    """A checked condition and the ``alias.column`` names that it reads, in order of appearance.

    ``sqlite`` is the text with each name quoted: some columns (``bean.transaction``) are key words of SQLite.
    """

    text: str
    columns: tuple[str, ...]
    sqlite: str

    @property
    def spark(self) -> str:
        """The text whose numbers have 64 bits, as all of SQLite's have."""
        return " ".join(f"{t.text}L" if t.kind == "number" else t.text for t in tokenize_condition(self.text))

    @property
    def duckdb(self) -> str:
        """The text with quoted names, as in SQLite, and numbers of 64 bits."""
        written = {"number": "CAST({} AS BIGINT)".format, "name": _quoted_name}
        return " ".join(written.get(t.kind, str)(t.text) for t in tokenize_condition(self.text))


def _quoted_name(name: str) -> str:
    alias, _, column = name.partition(".")
    return f'"{alias}"."{column}"'


def check_condition(
    text: str, path: str = "", line: int = 0, *, typed: bool = True, gives: str = "boolean"
) -> Condition:
    """Check a condition's tokens, names, literals, parentheses and (``typed``) what its operators take.

    An expression ``gives`` a value of another type. ``line`` is the line of ``path`` on which the text starts. Raises
    RuleError with line, column and a suggestion.
    """
    tokens = tokenize_condition(text, path, line)
    if not tokens:
        raise RuleError("the condition is empty", path=path, line=line)

    def fail(problem: str, start: int, hint: str = "") -> RuleError:
        return error_at(problem, text, start, path, line, hint)

    depth = 0
    used = set[str]()
    for position, token in enumerate(tokens):
        if token.kind == "op" and token.text in "()":
            depth += 1 if token.text == "(" else -1
            if depth < 0:
                raise fail("a parenthesis is closed but never opened", token.start)
        elif token.kind == "op" and token.text == "-" and _next_is_minus(tokens, position):
            raise fail("'--' starts a comment in SQL", token.start, "Put a blank between the signs")
        elif token.kind == "name":
            _check_literals(_resolve(token, text, path, line), tokens, position, text, path, line)
            used.add(token.text.partition(".")[0])
    if depth:
        raise fail("a parenthesis is never closed", len(text))
    if used & STANDALONE and len(used) > 1:
        raise fail(f"{', '.join(sorted(used & STANDALONE))} does not meet {', '.join(sorted(used - STANDALONE))}", 0)
    if typed:
        check_types(tokens, find_column, fail, gives=gives)
    return _of_tokens(tokens)


@functools.lru_cache(maxsize=4096)  # a handful a rule, asked for many findings
def any_of(condition: Condition) -> tuple[Condition, ...]:
    """The conditions of which any one makes a condition hold: what stands between its outermost ORs."""
    tokens = tokenize_condition(condition.text)
    parts: list[list[Token]] = [[]]
    depth = 0
    for token in tokens:
        depth += (token.text == "(") - (token.text == ")") if token.kind == "op" else 0
        if token.kind == "word" and token.text.upper() == "OR" and not depth:
            parts.append([])
        else:
            parts[-1].append(token)
    return tuple([_of_tokens(part) for part in parts])


def _of_tokens(tokens: Sequence[Token]) -> Condition:
    quoted = " ".join(_quoted(token.text) if token.kind == "name" else token.text for token in tokens)
    names = dict.fromkeys(token.text for token in tokens if token.kind == "name")
    return Condition(on_one_line(tokens), tuple(names), quoted)


def on_one_line(tokens: Sequence[Token]) -> str:
    """The condition with one blank wherever tokens are apart; what a string holds stays as it is."""
    pieces: list[str] = []
    end = tokens[0].start
    for token in tokens:
        pieces.append(f" {token.text}" if token.start > end else token.text)
        end = token.start + len(token.text)
    return "".join(pieces)


def _quoted(name: str) -> str:
    alias, _, column = name.partition(".")
    return f'"{alias}"."{column}"'


def _next_is_minus(tokens: list[Token], position: int) -> bool:
    if position + 1 >= len(tokens):
        return False
    following = tokens[position + 1]
    return following.text == "-" and following.start == tokens[position].start + 1


@functools.lru_cache(maxsize=1024)  # a few hundred names, asked for by every verdict
def find_column(name: str) -> Column:
    """The column that a checked condition names as ``alias.column``."""
    alias, _, column = name.partition(".")
    return VOCABULARY[alias][column]


def _resolve(token: Token, text: str, path: str, line: int) -> Column:
    alias, _, name = token.text.partition(".")
    if alias not in VOCABULARY:
        close = difflib.get_close_matches(alias, VOCABULARY, 1)
        hint = f"did you mean {close[0]}?" if close else "the aliases are " + ", ".join(VOCABULARY)
        raise error_at(f"there is no relation {alias!r}", text, token.start, path, line, hint)
    if name not in VOCABULARY[alias]:
        close = difflib.get_close_matches(name, VOCABULARY[alias], 1)
        hint = f"did you mean {alias}.{close[0]}?" if close else "its columns are " + ", ".join(VOCABULARY[alias])
        raise error_at(f"{alias} has no column {name!r}", text, token.start, path, line, hint)
    return VOCABULARY[alias][name]


def _check_literals(column: Column, tokens: list[Token], position: int, text: str, path: str, line: int) -> None:
    """Check the literals that a column is compared with against its type and its enumeration."""
    following = tokens[position + 1 :]
    literals: list[Token] = []
    if following and following[0].text in COMPARISONS:
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
            raise error_at(
                f"{tokens[position].text} is {column.type}, {literal.text} is {kind}", text, literal.start, path, line
            )
        value = literal.text[1:-1]
        if column.values and value not in column.values:
            close = difflib.get_close_matches(value, column.values, 1)
            hint = f"did you mean '{close[0]}'?" if close else "it takes " + ", ".join(column.values)
            raise error_at(f"{tokens[position].text} is never {literal.text}", text, literal.start, path, line, hint)


def _literal_type(token: Token) -> str | None:
    if token.kind == "string":
        return "text"
    if token.kind == "number":
        return "integer"
    if token.text.upper() in {"TRUE", "FALSE"}:
        return "boolean"
    return None
