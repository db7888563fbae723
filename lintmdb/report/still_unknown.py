"""Flows, and queues that no endpoint reads, on which the fate of a poison message is unknown before the changes of a
plan, and with them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lintmdb.delivery.fate import FateGroup
from lintmdb.delivery.outcome import Outcome
from lintmdb.engine.findings import FlowHead, Undecided
from lintmdb.engine.missing_inputs import find_need
from lintmdb.engine.need_groups import group_by_need
from lintmdb.model.word_lists import listed
from lintmdb.plan.evaluation import flow_key, worst_later
from lintmdb.plan.planner import Plan
from lintmdb.report.headline_fates import headline_fates
from lintmdb.report.subjects import short_name
from lintmdb.report.terminal import plural, safe
from lintmdb.settings.kinds import listed_names

_MOST_NEEDS = 3


def unknown_lines(plan: Plan, *, all_names: bool = False) -> Iterator[str]:
    """How many there are, and below that what would settle them: those that lack the same together, the largest groups
    first. Without ``all_names`` long lists are cut.
    """
    before = plan.before.judgement
    later = worst_later(plan.before, plan.after)
    later_queues = {head.subject: head for head in plan.after.judgement.unread}
    flows = _unknown(before.message_flows, [later.get(flow_key(head), head) for head in before.message_flows])
    queues = _unknown(before.unread, [later_queues.get(head.subject, head) for head in before.unread])
    counted = [plural(len(found), noun) for noun, found in (("flow", flows), ("queue", queues)) if found]
    if not counted:
        return
    yield f"Unknown, before and after: what becomes of a poison message on {listed(counted)}. What is missing:"
    # Groups are made by needs, whichever rule waits for them.
    waiting = [
        Undecided(
            before.rules[0], head.subject, outcome.missing, find_need(outcome.missing, head.rows, head.subject), None
        )
        for head, outcome in (*flows, *queues)
    ]
    groups = group_by_need(waiting)
    shown = groups if all_names else groups[:_MOST_NEEDS]
    for group in shown:
        supply = f". {group.supply}" if group.supply else ""
        told = list(dict.fromkeys(short_name(entry.subject) for entry in group.entries))
        yield f"  {safe(listed(told) if all_names else listed_names(told))}: {safe(group.text)}{safe(supply)}"
    if rest := sum(len(group.entries) for group in groups[len(shown) :]):
        yield f"  and {rest} more (--format markdown lists every one)"


def _unknown(before: Sequence[FlowHead], after: Sequence[FlowHead]) -> list[tuple[FlowHead, Outcome]]:
    """Those of which neither fate is known, as they are afterwards, each with what it lacks."""
    return [
        (head, next(outcome for outcome in now.outcomes if outcome.fate.group is FateGroup.UNKNOWN))
        for was, head, now in zip(headline_fates(before), after, headline_fates(after), strict=True)
        if was.group is FateGroup.UNKNOWN and now.group is FateGroup.UNKNOWN
    ]
