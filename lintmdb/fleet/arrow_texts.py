"""Columns of texts as numbers of *words*, the different texts of several columns in order.

Numbers are compared, put in order and taken many times faster than texts, and texts are made of them once, where they
are written. As ``arrow_rows`` it is a border to pyarrow, which has no complete types.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from lintmdb.fleet.arrow import Array, compute, pa
from lintmdb.fleet.arrow_rows import in_one_piece

_MOST = 1 << 62
"""What numbers stay below."""


class Coded(NamedTuple):
    """Columns of texts as numbers."""

    words: Array
    """The different texts of all columns, in order."""
    columns: Sequence[Array]
    """For each column the place in ``words`` of each of its texts; NULL stays NULL."""


def coded(columns: Sequence[Array]) -> Coded:
    """Columns of texts as numbers; of two texts the one that comes first has the smaller number."""
    encoded: list[Any] = [in_one_piece(column).dictionary_encode() for column in columns]
    dictionaries: list[Any] = [each.dictionary for each in encoded]
    different: Any = pa.concat_arrays(dictionaries).dictionary_encode()
    order = compute.sort_indices(different.dictionary)
    numbers = compute.sort_indices(order).cast(pa.int32()).take(different.indices)  # where each has come to be
    found: list[Array] = []
    start = 0
    for each, dictionary in zip(encoded, dictionaries, strict=True):
        found.append(numbers.slice(start, len(dictionary)).take(each.indices))
        start += len(dictionary)
    return Coded(different.dictionary.take(order), found)


def _places(values: Array, among: Array) -> Any:
    return compute.index_in(values, value_set=among)


def places(values: Array, among: Array) -> Array:
    """The place of each value among others, as a large number."""
    return _places(in_one_piece(values), in_one_piece(among)).cast(pa.int64())


def pairs(first: Array, second: Array, size: int) -> Array:
    """A number for each pair of numbers, of which the second are from 0 to below ``size``; ordered as the pairs are."""
    return compute.add(compute.multiply(first, pa.scalar(size, pa.int64())), second)


def in_order(values: Array) -> Array:
    """The different values of a column, in order."""
    different: Any = compute.unique(values)
    return different.take(compute.sort_indices(different))


def sorting(values: Array) -> Array:
    """The places of the values in their order."""
    return compute.sort_indices(values)


def taken_from(values: Array, at: Array) -> Array:
    """The values at some places."""
    untyped: Any = values
    return untyped.take(at)


def runs(values: Array, size: int) -> Iterator[tuple[int, Array]]:
    """For each first number of the ``pairs`` in a column that is in order, the second ones."""
    untyped: Any = values
    firsts: Any = compute.divide(untyped, size)
    start = 0
    for run in compute.value_counts(firsts).to_pylist():
        first, rows = run["values"], run["counts"]
        yield first, compute.subtract(untyped.slice(start, rows), pa.scalar(first * size, pa.int64()))
        start += rows


def ranks(columns: Sequence[Array]) -> Array:
    """Numbers from 0 that are in the order of rows of numbers; NULL comes first."""
    found: Any = pa.repeat(pa.scalar(0, pa.int64()), len(columns[0]))
    size = 1
    for column in columns:
        untyped: Any = column
        if untyped.null_count == len(untyped):
            continue
        ends = compute.min_max(untyped).as_py()
        least, most = ends["min"] - 1, ends["max"]  # few columns have many different words, or many of all
        values = compute.fill_null(compute.subtract(untyped.cast(pa.int64()), pa.scalar(least, pa.int64())), 0)
        if size * (most - least + 1) >= _MOST:
            found = _places(found, in_order(found)).cast(pa.int64())
            size = len(found)
        found, size = pairs(found, values, most - least + 1), size * (most - least + 1)
    return _places(found, in_order(found)).cast(pa.int64())


def repeated(number: int | None, times: int) -> Array:
    """A column of one number, or of NULL."""
    kind = pa.int32()
    return pa.nulls(times, kind) if number is None else pa.repeat(pa.scalar(number, kind), times)


def texts_of(parts: Sequence[str | Array], words: Array, blank: int) -> tuple[Array, Array]:
    """Texts that are put together of plain parts and of words by their numbers: the different ones, and the place of
    the text of each row among them. ``blank`` is the number of the blank word, which NULL is like.
    """
    untyped: Any = words
    numbers = [part if isinstance(part, str) else compute.fill_null(part, blank) for part in parts]
    keys: Any = None
    for each in numbers:
        if not isinstance(each, str):
            values = each.cast(pa.int64())
            keys = values if keys is None else pairs(places(keys, compute.unique(keys)), values, len(untyped))
    different = compute.unique(keys)
    shown = _places(different, keys)  # a row for each
    texts = [each if isinstance(each, str) else untyped.take(each.take(shown)) for each in numbers]
    return compute.binary_join_element_wise(*texts, ""), _places(keys, different)


def dictionary(numbers: Array, words: Array) -> Array:
    """A column of words by their numbers, encoded as the places of these among the different ones. A file is the same
    as if the words themselves had been written: two numbers may stand for one word.
    """
    untyped: Any = numbers
    known: Any = words
    encoded = untyped.dictionary_encode()
    different = known.take(encoded.dictionary).dictionary_encode()
    return pa.DictionaryArray.from_arrays(different.indices.take(encoded.indices), different.dictionary)


def moved(numbers: Array, by: int) -> Array:
    """Numbers that are larger by some."""
    return compute.add(numbers, pa.scalar(by, pa.int32()))


def end_to_end(columns: Iterable[Array]) -> Array:
    """The values of several columns, of which there is one, as one of one piece."""
    return pa.concat_arrays([in_one_piece(column) for column in columns])
