"""The values that decide a hazard, as people who keep queues and servers write them: equal words are an equal cause."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lintmdb.delivery.wording import duration
from lintmdb.model.columns import Alias, Column, Value
from lintmdb.model.relations import ALIASES
from lintmdb.rules.conditions import VOCABULARY


def deciding_words(values: Mapping[str, Value], hazard_columns: Sequence[str] = ()) -> str:
    """The deciding values of a finding in one phrase, for example ``BOTHRESH(0) and BOQNAME blank``.

    ``values`` are by ``alias.column``, ``hazard_columns`` are the columns of the rule's hazard. Names of objects differ
    between objects of one cause: only that they are set is said. Blank where nothing in ``values`` says more than the
    rule itself.
    """
    names = [name for name in hazard_columns if name in values] or [
        name for name in values if not _declared(name)[1].selects
    ]
    words = [text for name in names if (text := _words(name, values[name]))]
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} and {words[-1]}"


def _words(name: str, value: Value) -> str:
    alias, column = _declared(name)
    is_setting = not (column.derived and isinstance(value, bool))  # what follows from settings is none itself
    if column.mqsc and column.label is None and value is not None and is_setting:
        return f"{alias.mqsc} {_setting(column, value)}".lstrip()
    if isinstance(value, bool):
        return f"{_label(alias, column)}: {'yes' if value else 'no'}"
    if isinstance(value, int):
        return f"{_label(alias, column)} {_quantity(column.name, value)}"
    if isinstance(value, str):
        return f"{_label(alias, column)} {_spelling(column, value)}".lstrip()
    return ""


def _declared(name: str) -> tuple[Alias, Column]:
    """The declarations behind ``alias.column``; an audit of another version may name what is not declared here."""
    alias, _, column = name.partition(".")
    unknown = Alias("", "", label=alias.replace("_", " "))
    return ALIASES.get(alias, unknown), VOCABULARY.get(alias, {}).get(column, Column(column))


def _setting(column: Column, value: str | int) -> str:
    """A setting of MQSC as a script has it."""
    if isinstance(value, bool):
        if column.switch is None:
            return column.mqsc if value else f"NO{column.mqsc}"
        return f"{column.mqsc}({column.switch[value]})"
    if isinstance(value, int) or value in column.values:
        return f"{column.mqsc}({str(value).upper()})"
    return f"{column.mqsc} {'set' if value.strip() else 'blank'}"


def _label(alias: Alias, column: Column) -> str:
    if column.label is not None:
        return column.label
    words = column.name.removesuffix("_ms").removesuffix("_bytes").replace("_", " ")
    return f"{alias.label} {words}".lstrip()


def _quantity(column: str, value: int) -> str:
    if column.endswith("_ms"):
        return duration(value)
    if column.endswith("was_level"):
        return ".".join(str(value // 100**power % 100) for power in (2, 1, 0))
    return f"{value} bytes" if column.endswith("_bytes") else str(value)


def _spelling(column: Column, value: str) -> str:
    if not value.strip():
        return "blank"
    return value.replace("_", " ") if value in column.values else "set"
