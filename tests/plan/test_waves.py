"""Waves: which step comes next, by what the steps of components are good for."""

from __future__ import annotations

from lintmdb.plan.policy import Policy
from lintmdb.plan.steps import Effect, Gain, Step, steps_of
from lintmdb.plan.waves import Work, rank_waves
from lintmdb.settings.changes import Assignment, Definition, Grant, Target

A, B, C = Step("a", "mq", "backout of queues"), Step("b", "mq", "rights"), Step("c", "was", "Maximum retries")


def _effect(steps: tuple[Step, ...], *gains: tuple[set[int], int, int]) -> Effect:
    return Effect(steps, tuple([(frozenset(places), Gain(flows, findings)) for places, flows, findings in gains]))


def _ranked(effects: dict[Effect, int]) -> list[tuple[Step, Gain]]:
    work = dict.fromkeys((step for effect in effects for step in effect.steps), Work(1, 1))
    return [(wave.step, wave.gain) for wave in rank_waves(effects, work)]


def test_the_step_that_makes_most_flows_safe_comes_first() -> None:
    """Equal components count as often as there are; findings decide where flows do not."""
    effects = {_effect((A,), ({0}, 1, 9)): 2, _effect((B,), ({0}, 3, 0)): 1, _effect((C,), ({0}, 2, 1)): 1}
    assert _ranked(effects) == [(B, Gain(3, 0)), (A, Gain(2, 18)), (C, Gain(2, 1))]


def test_a_step_that_does_harm_comes_after_what_mends_it() -> None:
    """However much it ends: with the other step made, it leaves nothing worse off. Alone it would."""
    both = Effect(
        (A, C), ((frozenset({0}), Gain(0, 0)), (frozenset({1}), Gain(1, 5, worse=2)), (frozenset({0, 1}), Gain(3, 6)))
    )
    assert _ranked({both: 2}) == [(A, Gain(0, 0)), (C, Gain(6, 12))]
    alone = Effect((C,), ((frozenset({0}), Gain(1, 5, worse=2)),))
    assert _ranked({alone: 1, _effect((B,), ({0}, 0, 1)): 1}) == [(B, Gain(0, 1)), (C, Gain(1, 5, worse=2))]


def test_a_flow_that_needs_two_steps_counts_with_the_second() -> None:
    """The first of them gains nothing by itself and comes where most waits for it."""
    both = _effect((A, B), ({0}, 0, 1), ({1}, 0, 0), ({0, 1}, 5, 2))
    assert _ranked({both: 1}) == [(A, Gain(0, 1)), (B, Gain(5, 1))]
    assert [step for step, _ in _ranked({both: 1, _effect((C,), ({0}, 1, 0)): 1})] == [C, A, B]


def test_so_far_adds_up_to_the_whole() -> None:
    """The last wave has come to what all steps together are good for."""
    effects = {_effect((A, B, C), ({0}, 1, 1), ({1}, 1, 1), ({2}, 0, 0), ({0, 1, 2}, 4, 7)): 3}
    waves = rank_waves(effects, {step: Work(2, 1) for step in (A, B, C)})
    assert waves[-1].so_far == Gain(12, 21)
    assert sum(wave.changes for wave in waves) == 6


def test_sets_that_were_not_tried_are_as_good_as_the_best_part_of_them() -> None:
    """Of a component with many steps only single ones are tried."""
    effect = _effect((A, B, C), ({0}, 1, 0), ({1}, 2, 0), ({0, 1, 2}, 6, 1))
    assert effect.gain(frozenset({0, 1})) == Gain(2, 0)
    assert effect.gain(frozenset()) == Gain(0, 0)
    assert effect.whole == Gain(6, 1)


def test_what_is_changed_together_is_one_step() -> None:
    """A new queue with the rights on it, BOQNAME and BOTHRESH are the backout of queues."""
    queue = Target("mq", "QM1", "QLOCAL", "ORDERS.IN")
    changes = [
        Definition(queue._replace(name="ORDERS.IN.BACKOUT"), ()),
        Assignment(queue, "queue.backout_queue", "BOQNAME", "ORDERS.IN.BACKOUT", ""),
        Assignment(queue, "queue.backout_threshold", "BOTHRESH", "3", "0"),
    ]
    rights = Grant(Target("mq", "QM1", "QUEUE", "ORDERS.IN.BACKOUT"), "app", ("PUT",))
    assert set(steps_of([*changes, rights], Policy())) == {Step("", "mq", "backout of queues")}
    length = Assignment(queue, "queue.max_message_bytes", "MAXMSGL", "9", "1")
    assert [step.action for step in steps_of([length, rights], Policy())] == ["MAXMSGL (queues)", "rights"]
