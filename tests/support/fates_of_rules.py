"""The fates of a poison message that each rule is about."""

from __future__ import annotations

from collections.abc import Mapping

from lintmdb.delivery.fate import Fate
from lintmdb.rules.predictions import Showing
from lintmdb.rules.rule import Rule
from tests.support.scenario import RULES

_NOT_MOVED = frozenset({Fate.DEAD_LETTER_QUEUE, Fate.DISCARDED, Fate.BLOCKED})
LATE = frozenset({"late", "late_restarted", "late_instant", "late_slower", "slow"})
"""Workloads whose message is healthy."""
_ALSO_SPEAKS: Mapping[str, frozenset[Fate]] = {
    "MDB111": _NOT_MOVED,  # what is put there is published, or refused
    "MDB121": frozenset({Fate.BLOCKED}),  # the endpoint cannot open its queue
    "MDB126": frozenset({Fate.BLOCKED}),
    "MDB128": frozenset({Fate.ASTRAY}),  # the other queue manager does not keep what is sent there
    "MDB134": frozenset({Fate.ASTRAY}),  # nor where the dead-letter queue is remote
    "MDB136": frozenset({Fate.BLOCKED}),
    "MDB503": frozenset(
        {Fate.STOPPED}
    ),  # with one delivery and a limit of one, the message is moved and the endpoint stops
}
"""Fates that rules are about which predict none."""


def _about(rule: Rule) -> frozenset[Fate]:
    """The fates of a poison message that a rule's finding tells."""
    shows = rule.predicts.shows if rule.predicts else ()
    told = frozenset[Fate]().union(*(_told(showing) for showing in shows if showing.workload not in LATE))
    return told | _ALSO_SPEAKS.get(rule.id, frozenset())


def _told(showing: Showing) -> frozenset[Fate]:
    fates = showing.fate
    if Fate.LOOPS in fates and "restarted" in showing.workload:
        fates |= {Fate.STOPPED}  # somebody starts the endpoint again, and again: until then it is stopped
    if Fate.BACKOUT_QUEUE in showing.fate_not:
        fates |= _NOT_MOVED
    return fates


TELLS = {rule.id: _about(rule) for rule in RULES}
"""The fates that a finding of each rule tells of, by its id."""
