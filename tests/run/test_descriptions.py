"""What DESCR says of objects, read from their exports when a report shows it."""

from __future__ import annotations

import pytest

from lintmdb.model.origins import Origin
from lintmdb.run.descriptions import Descriptions

_DUMP = """\
DEFINE QLOCAL('A') +
*  CRDATE(2026-01-01) +
   DESCR('The queue of A''s team') +
   PUT(DISABLED) +
   REPLACE
DEFINE QLOCAL('B') PUT(DISABLED)
DEFINE QLOCAL(C) DESCR(short) PUT(DISABLED)
"""
_ANSWER = """\
     1 : DISPLAY QLOCAL(*) ALL
AMQ8409I: Display Queue details.
   QUEUE(A)                                TYPE(QLOCAL)
   DESCR(Closed for good)                  PUT(DISABLED)
AMQ8409I: Display Queue details.
   QUEUE(B)                                TYPE(QLOCAL)
   DESCR( )                                PUT(DISABLED)
AMQ8409I: Display Queue details.
   QUEUE(C)                                TYPE(QLOCAL)
   DESCR(Statements (old) and (new))       PUT(DISABLED)
"""

_INDENTED = """\
  10.mqsc: |
    DEFINE QLOCAL('A') DESCR('Legal hold') PUT(DISABLED)
    DEFINE QLOCAL('B') PUT(DISABLED)
"""


@pytest.mark.parametrize(
    ("text", "line", "told"),
    [
        (_DUMP, 1, "The queue of A's team"),
        (_DUMP, 4, "The queue of A's team"),
        (_DUMP, 6, ""),
        (_DUMP, 7, "short"),
        (_DUMP, 99, ""),
        (_DUMP, 0, ""),
        (_ANSWER, 4, "Closed for good"),
        (_ANSWER, 3, "Closed for good"),
        (_ANSWER, 7, ""),
        (_ANSWER, 10, "Statements (old) and (new)"),
        (_INDENTED, 3, ""),
        (_INDENTED, 2, "Legal hold"),
        ("DEFINE QLOCAL('A') +\n* DESCR('old') +\n   descr('new') +\n   PUT(DISABLED)\n", 4, "new"),
    ],
)
def test_the_object_around_a_place_is_meant(text: str, line: int, told: str) -> None:
    """Of a command on several lines, and of an answer; never that of the object above or below."""
    found = Descriptions({"x": text.encode})
    assert found.find(Origin("x", line, 1, "")) == told
    assert found.find(Origin("y", line, 1, "")) == ""
    assert found.find(None) == ""


def test_a_file_that_is_not_there_any_more_says_nothing() -> None:
    """It is for people to read: no report fails for it."""

    def gone() -> bytes:
        raise FileNotFoundError

    assert Descriptions({"x": gone}).find(Origin("x", 1, 1, "")) == ""
