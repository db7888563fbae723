"""Rows of a question as people and programs read them: a table, CSV, JSON."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from lintmdb.json_types import JsonObject
from lintmdb.report.terminal import safe


def as_json(names: Sequence[str], rows: Iterable[Sequence[object]]) -> Iterator[str]:
    """An array of objects, one a line."""
    encode = json.JSONEncoder(ensure_ascii=False).encode
    lead = "["
    for row in rows:
        yield f"{lead}\n {encode(dict(zip(names, row, strict=True)))}"
        lead = ","
    yield "[]\n" if lead == "[" else "\n]\n"


def json_lines(document: JsonObject) -> Iterator[str]:
    """A JSON document, in pieces: one line an entry of a list."""
    encode = json.JSONEncoder(ensure_ascii=False).encode
    lead = "{\n"
    for key, value in document.items():
        yield f"{lead} {encode(key)}: "
        if isinstance(value, list) and value:
            yield "[\n  " + ",\n  ".join(map(encode, value)) + "\n ]"
        else:
            yield encode(value)
        lead = ",\n"
    yield "\n}\n"


def as_csv(names: Sequence[str], rows: Iterable[Sequence[object]]) -> Iterator[str]:
    """Comma separated values with a header; NULL is empty, a nested value is JSON."""
    header: Sequence[object] = names
    for row in chain([header], rows):
        line = io.StringIO()
        csv.writer(line, lineterminator="\n").writerow(["" if value is None else _cell(value) for value in row])
        yield line.getvalue()


def as_table(names: Sequence[str], rows: Sequence[Sequence[object]]) -> Iterator[str]:
    """Columns side by side, numbers to the right; NULL is a dot."""
    cells = [[safe("." if value is None else _cell(value)) for value in row] for row in rows]
    widths = [max(len(name), *(len(row[i]) for row in cells)) if cells else len(name) for i, name in enumerate(names)]
    numeric = [all(_is_number(row[i]) or row[i] is None for row in rows) for i in range(len(names))]

    def line(row: Sequence[str]) -> str:
        parts = (
            text.rjust(width) if right else text.ljust(width)
            for text, width, right in zip(row, widths, numeric, strict=True)
        )
        return "  ".join(parts).rstrip() + "\n"

    yield line([safe(name) for name in names])
    yield line(["-" * width for width in widths])
    for row in cells:
        yield line(row)


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _cell(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
