"""Flows, and queues that no endpoint reads, on which the fate of a poison message is unknown before the changes of a
plan, and with them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lintmdb.delivery.fate import FateGroup
from lintmdb.engine.findings import FlowHead
from lintmdb.engine.missing_inputs import find_need
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
    flows = _missing(before.message_flows, [later.get(flow_key(head), head) for head in before.message_flows])
    queues = _missing(before.unread, [later_queues.get(head.subject, head) for head in before.unread])
    counted = [
        plural(sum(len(names) for _, names in groups), noun)
        for noun, groups in (("flow", flows), ("queue", queues))
        if groups
    ]
    if not counted:
        return
    yield f"Unknown, before and after: what becomes of a poison message on {listed(counted)}. What is missing:"
    groups = [*flows, *queues]
    shown = groups if all_names else groups[:_MOST_NEEDS]
    for need, names in shown:
        told = list(dict.fromkeys(names))
        yield f"  {safe(listed(told) if all_names else listed_names(told))}: {safe(need)}"
    if rest := sum(len(names) for _, names in groups[len(shown) :]):
        yield f"  and {rest} more (--format markdown lists every one)"


def _missing(before: Sequence[FlowHead], after: Sequence[FlowHead]) -> list[tuple[str, list[str]]]:
    """What is missing, and the names of those for which it is."""
    groups: dict[str, list[str]] = {}
    for was, head, now in zip(headline_fates(before), after, headline_fates(after), strict=True):
        if was.group is FateGroup.UNKNOWN and now.group is FateGroup.UNKNOWN:
            unknown = next(outcome for outcome in now.outcomes if outcome.fate.group is FateGroup.UNKNOWN)
            need = find_need(unknown.missing, head.rows, head.subject).text
            groups.setdefault(need, []).append(short_name(head.subject))
    return sorted(groups.items(), key=lambda group: -len(group[1]))
