"""Values in the words of reports, and texts of rules with the values of a finding."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable

from lintmdb.engine.flow_rows import JudgedRows, read_value
from lintmdb.engine.lacking_rights import NO_VALUE, lacking_words
from lintmdb.model.columns import Value


def shown(column: str, value: Value) -> str:
    """A value as people read it: times in seconds or milliseconds, booleans in words."""
    if value is None:
        return NO_VALUE
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int) and column.endswith("_ms"):
        return f"{value // 1000} s" if value >= 1000 and value % 1000 == 0 else f"{value} ms"
    return str(value)


def fill(template: str, rows: JudgedRows) -> str:
    """A rule's text with its placeholders filled in: ``{alias.column}`` by the value of that column, and
    ``{lacking: authority.put, authority.passall}`` by the rights among these that the user lacks, with their object.
    """
    return fill_from(template, functools.partial(read_value, rows))


def fill_known(template: str, rows: JudgedRows) -> str:
    """The same without the paragraphs in which a value is not known, so that there is nothing to name."""
    read = functools.partial(read_value, rows)
    known = (
        paragraph
        for paragraph in template.split("\n\n")
        if all(_text(name, read) is not None for name in _parts(paragraph)[1::2])
    )
    # A rule file breaks the lines of a paragraph.
    return "\n".join(fill_from(" ".join(paragraph.split()), read) for paragraph in known)


def fill_from(template: str, read: Callable[[str], Value]) -> str:
    """The same with the values that ``read`` gives."""
    before, *rest = _parts(template)
    texts = [before]
    for name, text in zip(rest[::2], rest[1::2], strict=True):
        filled = _text(name, read)
        texts += (shown(name, None) if filled is None else filled or "(blank)", text)
    return "".join(texts)


def _text(name: str, read: Callable[[str], Value]) -> str | None:
    """What a placeholder stands for; None where that is not known."""
    if name.startswith(_LACKING):
        return lacking_words(name.removeprefix(_LACKING).split(", "), read) or None
    value = read(name)
    return None if value is None else shown(name, value)


_LACKING = "lacking: "
_PLACEHOLDER = re.compile(rf"\{{([a-z_]+\.[a-z_]+|{_LACKING}[a-z_., ]+)\}}")


@functools.lru_cache(maxsize=1024)  # a text a rule, filled in for many findings
def _parts(template: str) -> tuple[str, ...]:
    """The parts of a text: plain ones and, between each two of them, the name of a placeholder."""
    return tuple(_PLACEHOLDER.split(template))
