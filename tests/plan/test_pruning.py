"""Pruning: a plan does not keep what its search took on the way and no finding needs."""

from __future__ import annotations

from lintmdb.plan.choices import find_choices
from lintmdb.plan.evaluation import Evaluator
from lintmdb.plan.planner import make_plan
from lintmdb.plan.policy import Policy
from lintmdb.plan.pruning import Pruning, start_pruning
from lintmdb.plan.search import Search, Tried
from lintmdb.settings.changes import Assignment, Change, Definition, Target
from tests.support.scenario import scenario_evaluator

_OLD = Target("mq", "QM1", "QLOCAL", "OLD.BACKOUT")
_NEW = Target("mq", "QM1", "QLOCAL", "NEW.BACKOUT")
_ALLOWED = Assignment(_OLD, "backout.put_enabled", "PUT", "ENABLED", "DISABLED")
_DEFINED = Definition(_NEW, (("MAXDEPTH", "5000"),))
_NAMED = Assignment(_OLD._replace(name="IN"), "queue.backout_queue", "BOQNAME", "NEW.BACKOUT", "OLD.BACKOUT")


def _asked(pruning: Pruning, needed: frozenset[Change]) -> list[frozenset[Change]]:
    """What is asked for where exactly the sets with all that is ``needed`` are as good."""
    asked: list[frozenset[Change]] = []
    while (changes := pruning.next()) is not None:
        asked.append(frozenset(changes))
        pruning.tell(changes if needed <= frozenset(changes) else None)
    return asked


def test_what_no_flow_meets_any_more_goes() -> None:
    """Messages are allowed on a queue that nothing names in the end. It goes, and the others are tried again."""
    changes = (_ALLOWED, _DEFINED, _NAMED)
    pruning = start_pruning(changes, (), ())
    asked = _asked(pruning, frozenset((_DEFINED, _NAMED)))
    assert set(pruning.changes) == {_DEFINED, _NAMED}
    assert len(asked) <= 2 * len(changes)
    everything = start_pruning(changes, (), ())
    _asked(everything, frozenset())
    assert everything.changes == ()


def test_where_the_search_ended_early_every_change_may_go() -> None:
    """Otherwise what a finding asks for stays, and is not tried."""
    before = _evaluator().judge(())
    (choice, *_) = find_choices(before.judgement.findings, Policy())
    (_, first) = choice.alternatives[0]
    flows = [head.rows for head in before.judgement.flows]
    tried = start_pruning((*first, _DEFINED, _NAMED), [choice], flows, every=True)
    _asked(tried, frozenset((_DEFINED, _NAMED)))
    assert set(tried.changes) == {_DEFINED, _NAMED}
    assert start_pruning(first, [choice], flows).next() is None


def test_one_of_two_alternatives_goes() -> None:
    """A set that holds two alternatives for the same finding is tried without them, and keeps what is needed."""
    before = _evaluator().judge(())
    choices = find_choices(before.judgement.findings, Policy())
    (choice, *_) = [choice for choice in choices if len(choice.alternatives) > 1]
    first, second = (changes for _, changes in choice.alternatives[:2])
    pruning = start_pruning((*first, *second), [choice], [head.rows for head in before.judgement.flows])
    _asked(pruning, frozenset(first))
    assert pruning.changes == first


def _evaluator() -> Evaluator:
    return scenario_evaluator("stop-3-sessions-5-bothresh-5")


def test_what_findings_ask_for_is_not_tried_again() -> None:
    """A plan without anything needless takes no more trials than its search."""
    plan = make_plan(_evaluator(), Policy())
    choices = find_choices(plan.before.judgement.findings, Policy())
    rows = [head.rows for head in plan.after.judgement.flows]
    assert start_pruning(plan.changes, choices, rows).next() is None


def test_a_search_ends_without_what_is_needless() -> None:
    """A search whose dive leaves a change that no finding needs gives it up at its end, and keeps what it ended."""
    plan = make_plan(_evaluator(), Policy())
    search = Search(Policy())
    search.start(plan.before.judgement.findings)
    rows = tuple(head.rows for head in plan.after.judgement.flows)
    needed = search.next()
    assert needed
    search.tell(Tried((), (), rows))
    while search.next() is not None:
        search.tell(Tried(plan.before.judgement.findings, (), rows))
    found = search.solution
    assert (found.changes, found.complete) == (needed, True)
    # The same with one more change that no flow meets.
    search = Search(Policy())
    search.start(plan.before.judgement.findings)
    search.next()
    search._asked = (*needed, _ALLOWED)  # pyright: ignore[reportPrivateUsage]
    search.tell(Tried((), (), rows))
    tried = search.next()
    while tried is not None:
        search.tell(
            Tried((), (), rows) if set(needed) <= set(tried) else Tried(plan.before.judgement.findings, (), rows)
        )
        tried = search.next()
    assert set(search.solution.changes) == set(needed)
