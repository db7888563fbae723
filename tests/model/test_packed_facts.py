"""Facts that went through bytes are the same facts."""

from __future__ import annotations

import dataclasses

import pytest

from lintmdb.model.facts import Facts
from lintmdb.model.origins import Origin
from lintmdb.model.packed_facts import pack_origins, pack_values, unpack_facts
from lintmdb.resolve.observations import Observations
from lintmdb.run.estate import read_estate
from tests.support.project import FIXTURES


def _told(facts: Facts) -> object:
    """All values and all origins, to compare."""
    return facts.inline_suppressions, {
        name: [
            [
                {column: Origin(*_fields(place)) for column, place in value.items()}
                if field.name == "origins"
                else value
                for field in dataclasses.fields(row)
                for value in [getattr(row, field.name)]
            ]
            for row in rows
        ]
        for name, rows in facts.rows.items()
    }


def _unpacked(facts: Facts) -> Facts:
    origins = pack_origins(facts)
    return unpack_facts(pack_values(facts), lambda: origins)


def _fields(place: Origin) -> tuple[str, int, int, str, bool]:
    return place.path, place.line, place.column, place.text, place.default


@pytest.mark.parametrize("name", ["estate", "all-families", "liberty", "incomplete-mq", "loose-files"])
def test_facts_survive(name: str) -> None:
    """Rows of all relations, in their order, with their origins and with comments that allow rules."""
    facts = read_estate([FIXTURES / name], Observations()).facts
    assert sum(map(len, facts.rows.values())) > 4
    assert _told(_unpacked(facts)) == _told(facts)


def test_packed_origins_are_a_mapping() -> None:
    """They know which columns they have."""
    facts = _unpacked(read_estate([FIXTURES / "estate"], Observations()).facts)
    origins = facts.rows["queue"][0].origins
    assert len(origins) == len(list(origins)) == len(dict(origins.items()))
    assert origins.get("no such column") is None
