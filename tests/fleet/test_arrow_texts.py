"""Columns of texts as numbers: they are in the order of the texts, and give them back."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from tests.support.spark import no_fleet

if REASON := no_fleet():
    pytest.skip(REASON, allow_module_level=True)

from lintmdb.fleet.arrow import Array, pa
from lintmdb.fleet.arrow_texts import coded, ranks, taken_from, texts_of
from lintmdb.fleet.judging.tables import file_name, write_file

_TEXTS = [None, "", "A", "a", "AB", "Ä", "\ue000", "\U0001f600", "z\x1fz", "z"]


def _rows(seed: int, columns: int) -> list[tuple[str | None, ...]]:
    chance = random.Random(seed)
    return [tuple(chance.choice(_TEXTS) for _ in range(columns)) for _ in range(chance.randrange(60))]


def _columns(rows: list[tuple[str | None, ...]], columns: int) -> list[Array]:
    return [pa.chunked_array([pa.array([row[place] for row in rows], pa.string())]) for place in range(columns)]


@pytest.mark.parametrize("seed", range(20))
def test_ranks_are_in_the_order_of_rows_of_texts(seed: int) -> None:
    """NULL comes first, then the bytes of UTF-8 decide; equal rows have one rank. Many columns take several turns."""
    width = 1 + seed
    rows = _rows(seed, width)
    words, numbers = coded(_columns(rows, width))
    assert [*zip(*(taken_from(words, each).to_pylist() for each in numbers), strict=True)] == rows
    keys = [[(text is not None, (text or "").encode()) for text in row] for row in rows]
    order = {tuple(key): rank for rank, key in enumerate(sorted([*map(list, {*map(tuple, keys)})]))}
    assert ranks(numbers).to_pylist() == [order[tuple(key)] for key in keys]


@pytest.mark.parametrize("seed", range(5))
def test_different_texts_are_put_together_once(seed: int) -> None:
    """NULL is like a blank word."""
    rows = _rows(seed, 3) or [(None, None, None)]
    words, (*numbers, blanks) = coded([*_columns(rows, 3), pa.array([""])])
    (blank,) = blanks.to_pylist()
    texts, at = texts_of(["<", numbers[0], numbers[1], "|", numbers[2]], words, blank)
    assert taken_from(texts, at).to_pylist() == [f"<{a or ''}{b or ''}|{c or ''}" for a, b, c in rows]
    assert len(texts) == len({*((a or "", b or "", c or "") for a, b, c in rows)})


def test_a_file_is_the_same_of_texts_and_of_their_numbers(tmp_path: Path) -> None:
    """Also with more texts than a page has rows, where Parquet could give up a dictionary at another place."""
    texts: Any = pa.array([f"queue {number * 7919 % 60000}" for number in range(70000)])
    for number, column in enumerate((texts, texts.dictionary_encode())):
        write_file(tmp_path, number, pa.table({"queue": column}))
    plain, coded = ((tmp_path / file_name(number)).read_bytes() for number in range(2))
    assert plain == coded
