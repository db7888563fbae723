"""The order in which the scripts of a plan are run, in words: the steps, and what becomes worse between them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lintmdb.engine.channel_limits import if_it_passes
from lintmdb.engine.setbacks import find_denied
from lintmdb.plan.evaluation import flow_key, worst_later
from lintmdb.plan.planned import Plan
from lintmdb.plan.script_order import Place, ScriptOrder, place_of
from lintmdb.report.subjects import headline
from lintmdb.report.terminal import plural, safe
from lintmdb.settings.changes import Assignment, Change

_MOST_SETBACKS = 4


def changes_by_place(changes: Iterable[Change], order: ScriptOrder) -> list[tuple[Place, list[Change]]]:
    """The changes that one script makes together, in the order in which the scripts are run."""
    found: dict[Place, list[Change]] = {}
    for change in changes:
        found.setdefault(place_of(change), []).append(change)
    numbers = {place: number for number, place in enumerate(order.places)}
    return sorted(found.items(), key=lambda entry: numbers.get(entry[0], len(numbers)))


def step_words(order: ScriptOrder, place: Place) -> str:
    """``Step 1 of 2``; blank where any order will do."""
    if not order.counts or place not in order.places:
        return ""
    return f"Step {order.places.index(place) + 1} of {len(order.places)}"


def order_lines(plan: Plan) -> Iterator[str]:
    """What judging says of the states between the steps; nothing where there is one step."""
    order = plan.order
    if len(order.places) < 2:
        return
    worse = "worse than all of them together do" if plan.worse_if_longest else "worse"
    worse += ", unless a user lacks the rights that are named above" if _rests_on_rights(plan) else ""
    if not order.after:
        yield f"Run the scripts in any order: none of them makes the fate of a poison message {worse}."
    elif not order.setbacks:
        judged = f"Judged after each step, too: none makes the fate of a poison message {worse}."
        yield f"{judged} Undo them in reverse order."
    else:
        orders = "No order of the steps" if order.exhaustive else "None of the orders that were tried"
        yield f"{orders} spares every flow a worse fate in between. Stop these endpoints until all steps are done:"
        yield from (f"  {line}" for line in _setbacks(plan))


def _rests_on_rights(plan: Plan) -> bool:
    """Whether a message may fare worse after all changes if a user lacks rights that no export shows, be it one whom
    none names.
    """
    if any(isinstance(change, Assignment) and change.moves_to for change in plan.changes):
        return True
    before, after = plan.before.judgement, plan.after.judgement
    later = {flow_key(head): head for head in (*after.flows, *after.unread)}
    return any(
        (then := later.get(flow_key(head))) is not None and find_denied(head.rows.value, then.rows.value) is not None
        for head in (*before.flows, *before.unread)
    )


def longest_lines(plan: Plan) -> Iterator[str]:
    """The flows on which only the longest messages fare worse after all changes."""
    later = worst_later(plan.before, plan.after)
    heads = {flow_key(head): head for head in plan.before.judgement.flows}
    for key, worse in list(plan.worse_if_longest.items())[:_MOST_SETBACKS]:
        fates = f"{worse.before.headline} -> {worse.after.headline}"
        passes = safe(if_it_passes(later.get(key, heads[key])))
        yield f"  worse then: the longest message of {safe(headline(heads[key]))}: {fates}{passes}"
    if len(plan.worse_if_longest) > _MOST_SETBACKS:
        yield f"  and {plural(len(plan.worse_if_longest) - _MOST_SETBACKS, 'more', 'more')} like these"


def _setbacks(plan: Plan) -> Iterator[str]:
    heads = {flow_key(head): head for head in plan.before.judgement.flows}
    for setback in plan.order.setbacks[:_MOST_SETBACKS]:
        step = step_words(plan.order, setback.place).partition(" of ")[0].lower()
        fates = f"{'the longest message, ' * setback.longest}{setback.before.headline} -> {setback.after.headline}"
        yield f"after {step}: {safe(headline(heads[setback.flow]))}: {fates}"
    if len(plan.order.setbacks) > _MOST_SETBACKS:
        yield f"and {plural(len(plan.order.setbacks) - _MOST_SETBACKS, 'more', 'more')} (--format json lists every one)"
