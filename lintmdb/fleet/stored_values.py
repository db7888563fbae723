"""The deciding values of findings as the tables of an audit keep them: each in the field of its type."""

from __future__ import annotations

from typing import TypedDict

from lintmdb.model.columns import Value


class StoredValue(TypedDict):
    """A value of a finding: at most one of these."""

    text: str | None
    number: int | None
    flag: bool | None


def stored_value(value: Value) -> StoredValue:
    """A value as the tables have it."""
    if isinstance(value, bool):
        return {"text": None, "number": None, "flag": value}
    return (
        {"text": None, "number": value, "flag": None}
        if isinstance(value, int)
        else {"text": value, "number": None, "flag": None}
    )


def plain_value(stored: StoredValue) -> Value:
    """A value of the tables as it was."""
    return next((value for value in (stored["text"], stored["number"], stored["flag"]) if value is not None), None)
