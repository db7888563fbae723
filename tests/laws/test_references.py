"""Every kind of reference has a verdict: each value that it may take is a case in some rule's examples."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import get_args

import pytest

from lintmdb.model.columns import Value, columns
from lintmdb.model.relations import ALIASES, RELATIONS, Resolution
from tests.support.scenario import RULES

_RESOLUTIONS = get_args(Resolution)
_ALL = frozenset(_RESOLUTIONS)
_MAY_BE: Mapping[str, frozenset[str]] = {
    # A channel is defined or not: it has no alias.
    "endpoint.channel_resolution": frozenset({"resolved", "not_set", "not_defined", "ambiguous"}),
    # The queue manager that has BOQNAME and DEADQ resolves them, from one export of it.
    "queue.backout_resolution": _ALL - {"ambiguous", "elsewhere"},
    "queue_manager.dead_letter_resolution": _ALL - {"ambiguous", "elsewhere"},
    # A name is there because something is or was defined under it, at this queue manager.
    "queue_name.resolution": _ALL - {"not_set", "ambiguous", "elsewhere"},
    # What a binding names is of the bean's own cell.
    "binding.resolution": frozenset({"resolved", "not_defined", "not_set"}),
    # An exception destination is a destination of the same bus, all of which one file holds.
    "destination.exception_resolution": frozenset({"resolved", "not_set", "not_defined"}),
}
"""References that take only some of the values; exports of one cell that differ are judged apart."""


def _references() -> Iterator[str]:
    """The columns that say what became of a reference."""
    for alias, about in ALIASES.items():
        for column in columns(RELATIONS[about.relation]):
            if column.values == _RESOLUTIONS:
                yield f"{alias}.{column.name}"


_REFERENCES = sorted(_references())


def _values_in_examples(name: str) -> set[Value]:
    """What a reference is in the examples of rules that read it."""
    alias, _, column = name.partition(".")
    return {
        example.rows.get(alias, {}).get(column)
        for rule in RULES
        if name in rule.columns
        for examples in rule.examples.values()
        for example in examples
    }


def test_references_are_found() -> None:
    """The destination, the queues that BOQNAME and DEADQ name, exception destinations and bindings are among them."""
    assert set(_REFERENCES) >= _MAY_BE.keys() | {"queue_name.resolution", "endpoint.queue_resolution"}


@pytest.mark.parametrize("name", _REFERENCES)
def test_every_value_of_a_reference_is_a_case_in_some_rule(name: str) -> None:
    """A value that is added to the enumeration needs a rule that reads it, with an example, or a reason here."""
    wanted = _MAY_BE.get(name, _ALL)
    assert wanted - _values_in_examples(name) == set()


@pytest.mark.parametrize("name", sorted(_MAY_BE))
def test_no_example_gives_a_reference_what_it_cannot_be(name: str) -> None:
    """Examples stay within what the reference may be."""
    assert _values_in_examples(name) - {None} <= _MAY_BE[name]
