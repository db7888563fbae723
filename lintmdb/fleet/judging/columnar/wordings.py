"""What undecided verdicts say, filled in: the texts of recipes, with the names of the flows that show them.

Names are filled in as numbers of words (``arrow_texts``), column by column: there are far fewer words than rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from lintmdb.engine.findings import Subject
from lintmdb.fleet.arrow import Array, Table, pa
from lintmdb.fleet.arrow_texts import (
    coded,
    dictionary,
    end_to_end,
    in_order,
    moved,
    pairs,
    places,
    ranks,
    repeated,
    runs,
    sorting,
    taken_from,
    texts_of,
)
from lintmdb.fleet.judging.columnar.recipes import TEXTS, Text

Wording = tuple[Text, ...]
"""Texts in the order of TEXTS."""
AT = ("at_cell", "at_environment")
"""Columns of flows that every wording shows."""


class Source(NamedTuple):
    """Verdicts of one base, as queries of those whose cell is wanted."""

    verdicts: str
    """A query of ``place`` (of the cell), ``file``, ``recipe`` (a place among all), ``wording`` and ``first``."""
    flows: str
    """A query of ``first``, AT, and a column for each of ``names``: ``name_0`` and so on."""
    names: Sequence[str]
    wordings: Mapping[int, Wording]
    """By number, which no other source has."""


class Filled(NamedTuple):
    """Some undecided verdicts in the order of the table."""

    numbers: Table
    """A row a verdict: ``file``, ``recipe``, and ``text``, its place in each of ``columns``."""
    columns: Mapping[str, Array]
    """TEXTS and AT as numbers of ``words``."""
    words: Array

    def texts(self, name: str) -> Array:
        """The texts of a column."""
        return taken_from(self.words, self.columns[name])

    def coded_texts(self, name: str, at: Array) -> Array:
        """Those at some places, as a dictionary of the different ones: to write it, no text is looked at twice."""
        return dictionary(taken_from(self.columns[name], at), self.words)


def fill(sources: Sequence[Source], found: Sequence[tuple[Table, Table]], rules: Array) -> Filled:
    """Fill in what the queries of some sources have found, verdicts and flows. ``rules`` has the rule of each recipe as
    a number.
    """
    names = _Names(sources, [flows for _, flows in found])
    size = max((flows.num_rows for _, flows in found), default=0) + 1
    keys = end_to_end(
        pairs(verdicts["wording"], places(verdicts["first"], flows["first"]), size) for verdicts, flows in found
    )
    texts = in_order(keys)
    columns, words = _fill_in(names, runs(texts, size))
    text = places(keys, texts)
    place, file, recipe = (end_to_end(verdicts[name] for verdicts, _ in found) for name in ("place", "file", "recipe"))
    subjects = ranks([columns[name] for name in Subject._fields])
    by_rule = pairs(place, taken_from(rules, recipe), len(rules) + 1)
    order = sorting(pairs(by_rule, taken_from(subjects, text), len(subjects) + 1))
    numbers = {"file": file, "recipe": recipe, "text": text}
    return Filled(pa.table({name: taken_from(column, order) for name, column in numbers.items()}), columns, words)


class _Names:
    """The names of all flows, and the plain texts of all wordings, as numbers of words."""

    def __init__(self, sources: Sequence[Source], flows: Sequence[Table]) -> None:
        self.wordings = {number: each for source in sources for number, each in source.wordings.items()}
        every = (text for wording in self.wordings.values() for text in wording if text is not None)
        plain = sorted({"", *(part for text in every for part in text[::2])})
        shown = [[*AT, *(f"name_{place}" for place in range(len(source.names)))] for source in sources]
        columns = [table[name] for table, names in zip(flows, shown, strict=True) for name in names]
        self.words, numbers = coded([*columns, pa.array(plain, pa.string())])
        self.plain: dict[str, int] = dict(zip(plain, numbers[-1].to_pylist(), strict=True))
        """The number of each plain text."""
        self.columns: dict[int, Mapping[str, Array]] = {}
        """For each wording the numbers of names, by AT and name, of the flows of its source."""
        rest = iter(numbers)
        for source in sources:
            of_source = {name: next(rest) for name in (*AT, *source.names)}
            self.columns |= dict.fromkeys(source.wordings, of_source)


def _fill_in(names: _Names, flows: Iterator[tuple[int, Array]]) -> tuple[dict[str, Array], Array]:
    """All texts as numbers of words, and these words: for each wording those of some flows."""
    columns: dict[str, list[Array]] = {name: [] for name in (*TEXTS, *AT)}
    words, count = [names.words], len(names.words)
    for number, those in flows:
        known = names.columns[number]
        for name in AT:
            columns[name].append(taken_from(known[name], those))
        for name, text in zip(TEXTS, names.wordings[number], strict=True):
            if text is None or len(text) == 1:
                columns[name].append(repeated(None if text is None else names.plain[text[0]], len(those)))
                continue
            if len(text) == 2 + 1 and not text[0] and not text[2]:
                columns[name].append(taken_from(known[text[1]], those))
                continue
            parts = [taken_from(known[part], those) if n % 2 else part for n, part in enumerate(text) if part]
            made, rows = texts_of(parts, names.words, names.plain[""])
            columns[name].append(moved(rows, count))
            words.append(made)
            count += len(made)
    return {name: end_to_end([repeated(None, 0), *parts]) for name, parts in columns.items()}, end_to_end(words)
