"""What ``--all-queues`` says of a queue and what becomes of its messages are one truth."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from lintmdb.delivery.fate import Fate, FateGroup
from lintmdb.engine.findings import Judgement, Subject
from lintmdb.engine.flow_rows import FlowRows
from lintmdb.model.facts import Facts
from lintmdb.model.origins import Origin
from lintmdb.model.relations import QueueName
from lintmdb.report.headline_fates import headline_fates
from lintmdb.resolve.observations import EndpointObservation, Observations, QueueObservation
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


_READER = replace(
    _SOMEBODY, user=None, queues=(QueueObservation("*", None, USERS[1], Origin("observed.yaml", 1, 0, "")),)
)


def _judge(facts: Facts) -> Judgement:
    judgement = Judgement()
    judge_all_queues(judgement, facts, RULES)
    return judgement


def _passing(facts: Facts) -> Iterator[str]:
    """The queues whose messages come to harm, and of which no error says so and no undecided one asks."""
    judgement = _judge(facts)
    told: dict[object, set[Fate]] = {}
    for entry in (*judgement.findings, *judgement.undecided):
        if entry.rule.severity == "error":
            told.setdefault(entry.subject, set()).update(TELLS[entry.rule.id])
    for head, fate in zip(judgement.unread, headline_fates(judgement.unread), strict=True):
        harms = {outcome.fate for outcome in fate.outcomes if outcome.fate.group in _HARMFUL}
        if not harms <= told.get(head.subject, set()):
            yield f"{fate.words}: {head.subject.queue} at {head.subject.queue_manager}"


@pytest.mark.parametrize("observed", [_NOBODY, _SOMEBODY, _READER], ids=["nobody", "somebody", "reader"])
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


def _shut_out(judgement: Judgement) -> set[Subject]:
    fates = zip(judgement.unread, headline_fates(judgement.unread), strict=True)
    return {head.subject for head, fate in fates if any(outcome.shut_out for outcome in fate.outcomes)}


@pytest.mark.parametrize("observed", [_SOMEBODY, _READER], ids=["somebody", "reader"])
def test_no_reader_is_shut_out_by_what_is_undecided(observed: Observations) -> None:
    """Where a queue is said to give its reader nothing, an error says so, and not only an undecided one."""
    wrong: list[Subject] = []
    for batch in batches(_ESTATES):
        judgement = _judge(resolve_exports(read_exports_of(batch), observed).facts)
        proven = {entry.subject for entry in judgement.findings if Fate.BLOCKED in TELLS[entry.rule.id]}
        wrong += _shut_out(judgement) - proven
    assert wrong == []


def test_who_may_not_read_does_not_change_what_becomes_of_a_message() -> None:
    """A user who is named for all queue managers, and may not read a queue, has none of its messages: the fate is that
    which it has where nobody is named.
    """
    seen = 0
    for batch in batches(_ESTATES):
        exports = read_exports_of(batch)
        before, after = (_judge(resolve_exports(exports, observed).facts) for observed in (_NOBODY, _SOMEBODY))
        strangers = {
            entry.subject
            for entry in after.findings
            if isinstance(entry.rows, FlowRows)
            and entry.rows.authority is not None
            and entry.rows.authority.may_not_read
        }
        seen += len(strangers)
        without, named = (
            {
                head.subject: fate.words
                for head, fate in zip(judgement.unread, headline_fates(judgement.unread), strict=True)
                if head.subject in strangers
            }
            for judgement in (before, after)
        )
        assert named == without
    assert seen


@pytest.mark.parametrize("observed", [_SOMEBODY, _READER], ids=["somebody", "reader"])
def test_whoever_may_get_by_some_name_is_judged_by_it(observed: Observations) -> None:
    """No finding says that a user may not get from a queue where the user may by an alias of it."""
    for batch in batches(_ESTATES):
        facts = resolve_exports(read_exports_of(batch), observed).facts
        rights = {(row.environment, row.queue_manager, row.queue, row.account): row for row in facts.rows["authority"]}
        names: dict[tuple[str | None, str, str | None], list[QueueName]] = {}
        for name in facts.rows["queue_name"]:
            if name.get_enabled is not False:
                names.setdefault((name.environment, name.queue_manager, name.local_queue), []).append(name)
        for entry in _judge(facts).findings:
            if entry.rule.id != "MDB127" or entry.values.get("authority.source_get") is not False:
                continue
            place = entry.subject.environment, entry.subject.queue_manager or ""
            granted = [
                name.name
                for name in names.get((*place, entry.subject.queue), ())
                if (row := rights.get((*place, name.name, USERS[1]))) is not None and row.source_get
            ]
            assert granted == []
