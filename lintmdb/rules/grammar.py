"""What a condition means: operators that take the types they are given, and nothing that two engines read differently.

SQLite takes whatever stands there, a text as a number and a number as a truth; Spark does not, binds comparisons
another way, and fails where a number grows beyond 64 bits. A condition that passes here has one meaning in both.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, NoReturn

from lintmdb.errors import RuleError
from lintmdb.model.columns import Column
from lintmdb.rules.tokens import COMPARISONS, Token

INT_MAX = 2_147_483_647
LARGEST = 9_223_372_036_854_775_807
MAX_DEPTH = 40
"""How deep parentheses and signs may be nested; Spark's parser needs a stack."""
_WORDS = {"text": "a text", "integer": "a number", "boolean": "true or false"}

Fail = Callable[[str, int, str], RuleError]
"""Makes the error of a problem, its position in the text, and what to do."""


class _Value(NamedTuple):
    """The type of a part of a condition and, of a number, its bounds."""

    type: str
    start: int
    low: int = 0
    high: int = 0


def largest_value(column: Column) -> int:
    """The largest number that readers let into an integer column; none is less than its negative."""
    if column.name.endswith("_ms"):
        return INT_MAX * 1000
    return INT_MAX << 20 if column.sums else INT_MAX


def check_types(
    tokens: Sequence[Token], column_of: Callable[[str], Column], fail: Fail, *, gives: str = "boolean"
) -> None:
    """Check the order and types of the tokens of a condition, or of an expression that ``gives`` another type.

    Raises what ``fail`` makes.
    """
    _Parser(tokens, column_of, fail).whole(gives)


def _factor(value: _Value) -> tuple[int, int]:
    return (-1, 1) if value.low == value.high == 0 else (value.low, value.high)


class _Parser:
    def __init__(self, tokens: Sequence[Token], column_of: Callable[[str], Column], fail: Fail) -> None:
        self._tokens = tokens
        self._column_of = column_of
        self._fail = fail
        self._next = 0
        self._depth = 0

    def whole(self, gives: str) -> None:
        self._of_type(gives, self._either())
        if self._next < len(self._tokens):
            hint = "compare two things at a time, and join comparisons with AND" if self._word() in COMPARISONS else ""
            self._stop("is not expected here", hint)

    # -- from the weakest to the strongest

    def _either(self) -> _Value:
        return self._joined("OR", lambda: self._joined("AND", self._negated))

    def _joined(self, word: str, part: Callable[[], _Value]) -> _Value:
        value = part()
        while self._take(word):
            self._of_type("boolean", value)
            self._of_type("boolean", part())
        return value

    def _negated(self) -> _Value:
        start = self._start()
        if not self._take("NOT"):
            return self._compared()
        self._of_type("boolean", self._deeper(self._negated))
        return _Value("boolean", start)

    def _compared(self) -> _Value:
        value = self._sum()
        if self._word() in COMPARISONS:
            self._next += 1
            self._of_type(value.type, self._sum())
            return _Value("boolean", value.start)
        negated = self._take("NOT")
        if self._take("IN"):
            self._list(value)
        elif self._take("BETWEEN"):
            self._of_type(value.type, self._sum())
            self._expect("AND")
            self._of_type(value.type, self._sum())
        elif self._take("LIKE"):
            self._of_type("text", value)
            self._pattern()
        elif negated:
            self._stop("does not follow NOT", "write NOT in front of the comparison")
        else:
            return value
        return _Value("boolean", value.start)

    def _list(self, value: _Value) -> None:
        self._expect("(")
        while True:
            self._of_type(value.type, self._sum())
            if not self._take(","):
                break
        self._expect(")")

    def _pattern(self) -> None:
        pattern = self._string("LIKE needs a text in quotes")
        escape: str | None = None
        if self._take("ESCAPE"):
            token = self._string("ESCAPE needs one character in quotes")
            escape = token.text[1:-1]
            if len(escape) != 1 or escape in "%_" or not escape.isascii():
                raise self._fail(f"{token.text} does not escape", token.start, "name one character, such as '!'")
        text = pattern.text[1:-1]
        position = 0
        while escape is not None and (position := text.find(escape, position)) >= 0:
            if text[position + 1 : position + 2] not in ("%", "_", escape):
                raise self._fail(
                    f"{escape!r} escapes neither %, _ nor itself", pattern.start + 1 + position, "write it twice"
                )
            position += 2

    def _sum(self) -> _Value:
        value = self._product()
        while (sign := self._word()) in ("+", "-"):
            place = self._start()
            self._next += 1
            other = self._number_after(value, self._product())
            low, high = (other.low, other.high) if sign == "+" else (-other.high, -other.low)
            value = self._within(place, value.start, value.low + low, value.high + high)
        return value

    def _product(self) -> _Value:
        value = self._signed()
        while self._word() == "*":
            place = self._start()
            self._next += 1
            other = self._number_after(value, self._signed())
            # Engines multiply in an order of their own, so that a factor of 0 may come last.
            ends = [one * two for one in _factor(value) for two in _factor(other)]
            value = self._within(place, value.start, min(ends), max(ends))
        return value

    def _signed(self) -> _Value:
        start = self._start()
        if not self._take("-"):
            return self._single()
        value = self._of_type("integer", self._deeper(self._signed))
        return _Value("integer", start, -value.high, -value.low)

    def _single(self) -> _Value:
        start = self._start()
        if self._take("("):
            value = self._deeper(self._either)
            self._expect(")")
            return value._replace(start=start)
        if self._next >= len(self._tokens):
            raise self._fail("the condition is incomplete", self._end(), "")
        token = self._tokens[self._next]
        if token.kind == "op" or (token.kind == "word" and token.text.upper() not in ("TRUE", "FALSE")):
            self._stop("is not expected here", "")
        self._next += 1
        if token.kind == "number":
            return self._within(start, start, int(token.text[:25]), int(token.text[:25]))
        if token.kind != "name":
            return _Value("text" if token.kind == "string" else "boolean", start)
        column = self._column_of(token.text)
        if column.type != "integer":
            return _Value(column.type, start)
        return _Value("integer", start, -largest_value(column), largest_value(column))

    # -- checks

    def _of_type(self, wanted: str, value: _Value) -> _Value:
        if value.type != wanted:
            problem = f"this is {_WORDS[value.type]}, and must be {_WORDS[wanted]}"
            hint = "write out the comparison" if wanted == "boolean" else ""
            raise self._fail(problem, value.start, hint)
        return value

    def _number_after(self, value: _Value, other: _Value) -> _Value:
        self._of_type("integer", value)
        return self._of_type("integer", other)

    def _within(self, place: int, start: int, low: int, high: int) -> _Value:
        if max(-low, high) > LARGEST:
            raise self._fail("this may exceed 64 bits", place, f"keep numbers below {LARGEST}")
        return _Value("integer", start, low, high)

    # -- tokens

    def _word(self) -> str:
        """The next token where it is an operator or key word."""
        token = self._tokens[self._next] if self._next < len(self._tokens) else None
        return token.text.upper() if token is not None and token.kind in ("op", "word") else ""

    def _take(self, word: str) -> bool:
        if self._word() != word:
            return False
        self._next += 1
        return True

    def _expect(self, word: str) -> None:
        if not self._take(word):
            raise self._fail(f"{word} is missing", self._start(), "")

    def _string(self, hint: str) -> Token:
        if self._next >= len(self._tokens) or self._tokens[self._next].kind != "string":
            raise self._fail("a text in quotes is missing", self._start(), hint)
        self._next += 1
        return self._tokens[self._next - 1]

    def _deeper(self, part: Callable[[], _Value]) -> _Value:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise self._fail(f"the condition is nested deeper than {MAX_DEPTH} levels", self._start(), "")
        value = part()
        self._depth -= 1
        return value

    def _stop(self, problem: str, hint: str) -> NoReturn:
        if self._next >= len(self._tokens):
            raise self._fail("the condition is incomplete", self._end(), hint)
        token = self._tokens[self._next]
        raise self._fail(f"{token.text} {problem}", token.start, hint)

    def _start(self) -> int:
        return self._tokens[self._next].start if self._next < len(self._tokens) else self._end()

    def _end(self) -> int:
        last = self._tokens[-1]
        return last.start + len(last.text)
