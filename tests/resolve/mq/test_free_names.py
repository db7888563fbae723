"""Names for new queues."""

from __future__ import annotations

import pytest

from lintmdb.resolve.mq.free_names import BACKOUT_NAME, free_name


@pytest.mark.parametrize(
    ("name", "pattern", "taken", "found"),
    [
        ("A", BACKOUT_NAME, [], "A.BACKOUT"),
        ("A", BACKOUT_NAME, ["A.BACKOUT"], "A.BACKOUT.2"),
        ("a", BACKOUT_NAME, ["A.BACKOUT", "A.BACKOUT.2"], "a.BACKOUT.3"),
        ("A", "BO.{queue}", [], "BO.A"),
        ("A", "BO.{queue}", ["BO.A"], "BO.A.2"),
        ("A", "{queue}", ["A"], "A.2"),
        ("SYSTEM.A", BACKOUT_NAME, [], "A.BACKOUT"),
    ],
)
def test_a_free_name(name: str, pattern: str, taken: list[str], found: str) -> None:
    """The pattern with the name in it, and a number behind it where a queue has that name."""
    assert free_name(name, pattern, taken) == found


@pytest.mark.parametrize("pattern", [BACKOUT_NAME, "BACKOUT.{queue}", "{queue}", "ABCDEFGHIJKL{queue}ABCDEFGHIJKL"])
def test_long_names_are_cut_and_stay_apart(pattern: str) -> None:
    """MQ allows 48 characters."""
    names = [free_name("A" * 47 + last, pattern, ["A" * 47 + "X", "A" * 47 + "Y"]) for last in "XY"]
    assert max(map(len, names)) <= 48
    assert len(set(names)) == 2
