"""diff of two states of which one lacks the configuration of WebSphere."""

from __future__ import annotations

from tests.support.command import Run
from tests.support.project import FIXTURES


def test_the_side_without_a_cell_is_named(lintmdb: Run) -> None:
    """With the option that adds it there; not where neither side has one."""
    cell, dump = FIXTURES / "clean", FIXTURES / "clean/mq"
    told = lintmdb("diff", cell, dump)
    assert told.returncode == 3
    assert "BEFORE has what AFTER lacks: name it for AFTER, too, with --after PATH" in told.stderr
    told = lintmdb("diff", dump, cell)
    assert "AFTER has what BEFORE lacks: name it for BEFORE, too, with --before PATH" in told.stderr
    assert "lacks" not in lintmdb("diff", dump, dump).stderr
