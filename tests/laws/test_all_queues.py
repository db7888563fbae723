"""What ``--all-queues`` says of a queue and what becomes of its messages are one truth."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from lintmdb.delivery.fate import Fate, FateGroup
from lintmdb.engine.findings import Judgement
from lintmdb.model.facts import Facts
from lintmdb.report.headline_fates import headline_fates
from lintmdb.resolve.observations import EndpointObservation, Observations
from lintmdb.run.all_queues import judge_all_queues
from lintmdb.run.estate import resolve_exports
from tests.laws.laws import batches, read_exports_of
from tests.support.fates_of_rules import TELLS
from tests.support.random_estates.authorities import USERS
from tests.support.scenario import RULES

pytestmark = pytest.mark.slow

_ESTATES = 300
_HARMFUL = (FateGroup.LOST, FateGroup.LOOPS, FateGroup.BLOCKED)
_NOBODY = Observations()
_SOMEBODY = replace(_NOBODY, user=EndpointObservation(user=USERS[1]), users={USERS[1]: frozenset({"mqusers"})})


def _passing(facts: Facts) -> Iterator[str]:
    """The queues whose messages come to harm, and of which no error says so and no undecided one asks."""
    judgement = Judgement()
    judge_all_queues(judgement, facts, RULES)
    told: dict[object, set[Fate]] = {}
    for entry in (*judgement.findings, *judgement.undecided):
        if entry.rule.severity == "error":
            told.setdefault(entry.subject, set()).update(TELLS[entry.rule.id])
    for head, fate in zip(judgement.unread, headline_fates(judgement.unread), strict=True):
        harms = {outcome.fate for outcome in fate.outcomes if outcome.fate.group in _HARMFUL}
        if not harms <= told.get(head.subject, set()):
            yield f"{fate.words}: {head.subject.queue} at {head.subject.queue_manager}"


@pytest.mark.parametrize("observed", [_NOBODY, _SOMEBODY], ids=["nobody", "somebody"])
def test_no_queue_whose_messages_come_to_harm_passes(observed: Observations) -> None:
    """Where a poison message loops for ever, is lost or blocks delivery, there is an error or an undecided one that is
    about such a fate, whoever reads the queue.
    """
    passing = [
        queue
        for batch in batches(_ESTATES)
        for queue in _passing(resolve_exports(read_exports_of(batch), observed).facts)
    ]
    assert passing == []
