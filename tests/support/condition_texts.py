"""Random conditions of the rule language, and random rows to judge by them: blanks, extremes, odd texts."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

from lintmdb.errors import RuleError
from lintmdb.model.columns import Column
from lintmdb.rules.conditions import STANDALONE, VOCABULARY, check_condition
from lintmdb.rules.grammar import largest_value
from lintmdb.rules.tokens import COMPARISONS, tokenize_condition
from tests.support.scenario import RULES

TEXTS = (
    *("", " ", "A", "a", "A ", " A", "A  B", "A B", "AB", "A%", "A_", "A!", "A\\", "\\", "%", "10", "9", "010"),
    *("TRUE", "null", "Ä", "ä", "A\u0308", "ß", "SS", "\u00a0", "\u0130", "\u03c3\u03c2", "\ufffd", "\uffff", "😀"),
    *("A\nB", "\t", "'", '"', "${env:HOME}", "-- A", "/* A */", ";", "\x7f", "Z" * 300),
)
_NUMBERS = sorted(
    {int(n) + d for r in RULES for c in (r.when, r.hazard) for n in re.findall(r"\b\d+\b", c.text) for d in (-1, 0, 1)}
)
_LITERALS = [0, 1, 2, 7, 255, 2**31 - 1, 2**31, 2**32, 10**12, 2**63 - 1]


def of_type(kind: str, aliases: Sequence[str]) -> list[str]:
    """The names of all columns of a type, most aliases have one."""
    return [f"{alias}.{c.name}" for alias in aliases for c in VOCABULARY[alias].values() if c.type == kind]


_FLOW = [alias for alias in VOCABULARY if alias not in STANDALONE]
_BASES = [_FLOW, *([alias] for alias in sorted(STANDALONE))]
_STRING = st.one_of(st.sampled_from(TEXTS), st.text("Aa Ä😀%_", max_size=4)).filter(lambda t: not set(t) & set("'\\"))


@st.composite
def _text(draw: st.DrawFn, aliases: Sequence[str]) -> str:
    names = of_type("text", aliases)
    return draw(st.one_of(st.sampled_from(names), st.sampled_from(names), _STRING.map(lambda text: f"'{text}'")))


@st.composite
def _number(draw: st.DrawFn, aliases: Sequence[str], depth: int = 3) -> str:
    names = of_type("integer", aliases)
    form = draw(st.integers(0, 7 if depth else 3)) if names else 3
    if form < 3:
        return draw(st.sampled_from(names))
    if form == 3:
        return str(draw(st.sampled_from([*_LITERALS, *_NUMBERS])))
    inner = [draw(_number(aliases, depth - 1)) for _ in range(2)]
    if form == 4:
        return f"- {inner[0]}"
    if form == 5:
        return f"({inner[0]})"
    return f"{inner[0]} {draw(st.sampled_from('+-*'))} {inner[1]}"


@st.composite
def _like(draw: st.DrawFn, aliases: Sequence[str]) -> str:
    """A pattern, and sometimes what escapes in it."""
    value = draw(_text(aliases))
    pieces = st.sampled_from(["%", "_", "A", "a", " ", "Ä", "😀", ".", "*", "[", "^", "$", "(", "!%", "!_", "!!"])
    pattern = "".join(draw(st.lists(pieces, max_size=5)))
    escape = " ESCAPE '!'" if "!" in pattern else draw(st.sampled_from(["", " ESCAPE 'b'"]))
    return f"{value} {draw(_NOT)}LIKE '{pattern}'{escape}"


_NOT = st.sampled_from(["", "NOT "])


@st.composite
def _truth(draw: st.DrawFn, aliases: Sequence[str], depth: int = 3) -> str:
    form = draw(st.integers(0, 11 if depth else 7))
    if form == 0:
        return draw(st.sampled_from(["TRUE", "false", *of_type("boolean", aliases) * 3]))
    if form == 1:
        return draw(_like(aliases))
    if form < 8:
        kind = draw(st.sampled_from(["number", "number", "text", "truth"]))
        if kind == "truth":
            names = [*of_type("boolean", aliases), "TRUE", "FALSE", f"({draw(_truth(aliases, 0))})"]
            values = [draw(st.sampled_from(names)) for _ in range(3)]
        else:
            values = [draw(_number(aliases) if kind == "number" else _text(aliases)) for _ in range(3)]
        if form < 6:
            return f"{values[0]} {draw(st.sampled_from(sorted(COMPARISONS)))} {values[1]}"
        if form == 6:
            return f"{values[0]} {draw(_NOT)}BETWEEN {values[1]} AND {values[2]}"
        return f"{values[0]} {draw(_NOT)}IN ({', '.join(values[1:])})"
    one = draw(_truth(aliases, depth - 1))
    if form == 8:
        return f"NOT {one}"
    if form == 9:
        return f"({one})"
    return f"{one} {draw(st.sampled_from(['AND', 'OR', 'and']))} {draw(_truth(aliases, depth - 1))}"


@st.composite
def pairs(draw: st.DrawFn) -> tuple[str, str]:
    """Two conditions of one base: what goes for ``when`` and for ``hazard``."""
    aliases = draw(st.sampled_from(_BASES))
    return draw(_truth(aliases)), draw(_truth(aliases))


@st.composite
def damaged(draw: st.DrawFn, texts: Sequence[str]) -> str:
    """A condition with a token left out, doubled, or exchanged for another one's."""
    text = draw(st.sampled_from(texts))
    tokens = [token.text for token in tokenize_condition(text)]
    others = [token.text for token in tokenize_condition(draw(st.sampled_from(texts)))]
    for _ in range(draw(st.integers(1, 2))):
        place = draw(st.integers(0, len(tokens) - 1))
        new = draw(st.sampled_from([[], [tokens[place]] * 2, [draw(st.sampled_from(others))]]))
        tokens[place : place + 1] = new
        if not tokens:
            return text
    return " ".join(tokens)


def accepted(text: str) -> bool:
    """Whether the language takes it."""
    try:
        check_condition(text)
    except RuleError:
        return False
    return True


def random_rows(number: int, chance: random.Random) -> list[dict[str, dict[str, Any]]]:
    """Rows of all aliases; in some nothing is known, in some little, in some all."""
    rows: list[dict[str, dict[str, Any]]] = []
    for _ in range(number):
        unknown = chance.choice([0.0, 0.0, 0.03, 0.3, 1.0])
        rows.append(
            {
                alias: {c.name: None if chance.random() < unknown else _value(c, chance) for c in vocabulary.values()}
                for alias, vocabulary in VOCABULARY.items()
            }
        )
    return rows


def _value(column: Column, chance: random.Random) -> Any:
    if column.type == "boolean":
        return chance.random() < 0.5
    if column.type == "text":
        return chance.choice(column.values) if column.values and chance.random() < 0.9 else chance.choice(TEXTS)
    most = largest_value(column)
    return max(-most, min(most, chance.choice([chance.choice(_NUMBERS), chance.choice((most, -most, 0, -1))])))
