"""Each line of evidence names the object that is defined at its place."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from lintmdb.engine.judge import judge
from lintmdb.report.deciding_values import DecidingValue, deciding_values
from lintmdb.run.all_queues import judge_all_queues
from lintmdb.run.estate import read_exports, resolve_exports
from tests.laws.laws import OBSERVED, seeds, write_estates
from tests.support.scenario import RULES

pytestmark = pytest.mark.slow

_COMMAND = re.compile(
    r"\s*(?:DEFINE|ALTER)(?: NOREPLACE)? (?P<noun>Q[A-Z]+|CHANNEL|CFSTRUCT)(?:\('(?P<name>[^']*)'\))?"
)
_OTHER_COMMAND = re.compile(r"\s*(?:DEFINE|ALTER|SET|DELETE|DISPLAY|REFRESH) ")


def _defined_at(lines: Sequence[str], number: int) -> tuple[str, str] | None:
    """The type and name of the object of the command that holds a line; None where it is no definition of a queue, a
    queue manager, a channel or a structure.
    """
    for line in reversed(lines[:number]):
        if _OTHER_COMMAND.match(line):
            found = _COMMAND.match(line)
            return (found["noun"], found["name"] or "") if found is not None else None
    return None


def _told(values: Sequence[DecidingValue]) -> Iterator[str]:
    """What is wrong with each value that has a definition at its place; blank where it names the right object."""
    for value in values:
        if value.product != "MQ" or value.place is None or not value.place.line:
            continue
        lines = Path(value.place.path).read_text(encoding="utf-8").splitlines()
        found = _defined_at(lines, value.place.line)
        if found is None:
            continue
        noun, name = found
        source = value.note.removeprefix("from ")
        right = noun == "QMGR" or name in (value.thing, source)
        yield "" if right else f"{value} stands at {noun}({name})"


def test_evidence_names_the_object_at_its_place(tmp_path: Path) -> None:
    """An alias, the queue behind it, a transmission queue and a structure each have values of their own."""
    write_estates(tmp_path, seeds(40))
    estate = resolve_exports(read_exports([tmp_path]), OBSERVED)
    judgement = judge(estate.facts, RULES)
    judge_all_queues(judgement, estate.facts, RULES)
    told = [each for finding in judgement.findings for each in _told(deciding_values([finding])[0])]
    assert len(told) > 500
    assert [wrong for wrong in told if wrong] == []
