"""Flows, and queues that no endpoint reads, on which the fate of a poison message is unknown before the changes of a
plan, and with them; and those on which it is known only because the user lacks rights on a backout queue that may not
exist.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Sequence

from lintmdb.delivery.fate import FateGroup
from lintmdb.delivery.outcome import Outcome
from lintmdb.engine.findings import FlowHead, Subject, Undecided
from lintmdb.engine.flow_rows import read_value
from lintmdb.engine.lacking_rights import lacks_unsettled_backout_queue
from lintmdb.engine.missing_inputs import find_need
from lintmdb.engine.need_groups import group_by_need
from lintmdb.model.word_lists import listed
from lintmdb.plan.evaluation import flow_key, worst_later
from lintmdb.plan.planned import Plan
from lintmdb.report.headline_fates import headline_fates
from lintmdb.report.if_undefined import fate_if_undefined
from lintmdb.report.subjects import short_name
from lintmdb.report.terminal import plural, safe
from lintmdb.rules.rule import Rule
from lintmdb.settings.kinds import listed_names

_MOST_NEEDS = 3


def unknown_lines(plan: Plan, *, all_names: bool = False) -> Iterator[str]:
    """How many there are, and below that what would settle them: those that lack the same together, the largest groups
    first. Without ``all_names`` long lists are cut.
    """
    before = plan.before.judgement
    read, unread = (
        [h for h in heads if plan.policy.is_about(h.rows)] for heads in (before.message_flows, before.unread)
    )
    later = worst_later(plan.before, plan.after)
    later_queues = {head.subject: head for head in plan.after.judgement.unread}
    flows = _unknown(read, [later.get(flow_key(head), head) for head in read])
    queues = _unknown(unread, [later_queues.get(head.subject, head) for head in unread])
    if counted := _counted(flows, queues):
        yield f"Unknown, before and after: what becomes of a poison message on {counted}. What is missing:"
        lacking = [(head, outcome.missing) for head, outcome in (*flows, *queues)]
        yield from _missing_lines(before.rules[0], lacking, all_names=all_names)
    flows_named = _unsettled([later.get(flow_key(head), head) for head in read])
    queues_named = _unsettled([later_queues.get(head.subject, head) for head in unread])
    if counted := _counted(flows_named, queues_named):
        yield (
            f"Unknown, before and after: whether the queue that BOQNAME names exists, for {counted}. The user lacks"
            " rights on it, and the name may be misspelt. What is missing:"
        )
        lacking = [(head, ("queue.backout_resolution",)) for head in (*flows_named, *queues_named)]
        yield from _missing_lines(before.rules[0], lacking, all_names=all_names)


def _counted(flows: Sequence[object], queues: Sequence[object]) -> str:
    return listed([plural(len(found), noun) for noun, found in (("flow", flows), ("queue", queues)) if found])


def _missing_lines(
    rule: Rule, lacking: Iterable[tuple[FlowHead, tuple[str, ...]]], *, all_names: bool
) -> Iterator[str]:
    """What would settle the columns that each flow lacks. Groups are made by needs, whichever rule waits for them."""
    waiting: list[Undecided] = []
    heads: dict[Subject, str] = {}
    for head, missing in lacking:
        waiting.append(Undecided(rule, head.subject, missing, find_need(missing, head.rows, head.subject), None))
        otherwise = fate_if_undefined(head)
        heads[head.subject] = otherwise.words if otherwise is not None else ""
    groups = group_by_need(waiting)
    shown = groups if all_names else groups[:_MOST_NEEDS]
    for group in shown:
        supply = f". {group.supply}" if group.supply else ""
        told = list(dict.fromkeys(short_name(entry.subject) for entry in group.entries))
        ends = {heads[entry.subject] for entry in group.entries}
        if_not = f". {_capital(end)}" if len(ends) == 1 and (end := next(iter(ends))) else ""
        names = safe(listed(told) if all_names else listed_names(told))
        yield f"  {names}: {safe(group.text)}{safe(supply)}{safe(if_not)}"
    if rest := sum(len(group.entries) for group in groups[len(shown) :]):
        yield f"  and {rest} more (--format markdown lists every one)"


def _capital(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"


def _unsettled(heads: Iterable[FlowHead]) -> list[FlowHead]:
    """Those whose messages go past a backout queue that may not exist, as its user lacks the rights on it."""
    return [head for head in heads if lacks_unsettled_backout_queue(_MOVE, functools.partial(read_value, head.rows))]


_MOVE = ("authority.put", "authority.passall")


def _unknown(before: Sequence[FlowHead], after: Sequence[FlowHead]) -> list[tuple[FlowHead, Outcome]]:
    """Those of which neither fate is known, as they are afterwards, each with what it lacks."""
    return [
        (head, next(outcome for outcome in now.outcomes if outcome.fate.group is FateGroup.UNKNOWN))
        for was, head, now in zip(headline_fates(before), after, headline_fates(after), strict=True)
        if was.group is FateGroup.UNKNOWN and now.group is FateGroup.UNKNOWN
    ]
