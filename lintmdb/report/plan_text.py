"""A plan as text: the changes by owner, what becomes of each flow, and what no setting repairs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from lintmdb.compare.regrouped import find_regrouped
from lintmdb.engine.findings import Finding, Judgement, Undecided, without
from lintmdb.engine.judge import build_subject
from lintmdb.model.word_lists import listed
from lintmdb.plan.counterparts import pair_flows
from lintmdb.plan.evaluation import flow_fate, flow_key, undecided_now
from lintmdb.plan.owner_choices import choices_by_condition
from lintmdb.plan.planned import Plan, Withheld
from lintmdb.plan.scripts import IF_UNDEFINED, OPTIONAL, Script, other_restarts, plan_scripts
from lintmdb.report.change_columns import column_lines
from lintmdb.report.change_reasons import why_words
from lintmdb.report.changes import all_places_words, change_words, object_words, place_words
from lintmdb.report.difference import regrouped_words
from lintmdb.report.elsewhere import LEFT, elsewhere_lines
from lintmdb.report.flow_repairs import UNPLANNED, Teller
from lintmdb.report.plan_order import changes_by_place, longest_lines, order_lines, step_words
from lintmdb.report.plan_parts import (
    SPARING,
    ChangedFlow,
    changed_flows,
    changed_queues,
    choice_remarks,
    if_undefined_scripts,
    keep_closed,
    keep_option,
    sparing_scripts,
    stays_closed,
)
from lintmdb.report.possible_readers import newly_worse_words, rights_words
from lintmdb.report.queue_reader import reader_words
from lintmdb.report.repair_text import repair_lines
from lintmdb.report.still_bad import StillBad, group_bad, still_bad_flows, still_bad_queues
from lintmdb.report.still_unknown import unknown_lines
from lintmdb.report.subjects import headline, subject_text
from lintmdb.report.terminal import Style, counted_severities, plural, safe, wrap
from lintmdb.report.text import title_lines
from lintmdb.rules.rule import severity_rank
from lintmdb.settings.afterwards import afterwards, beforehand, opens
from lintmdb.settings.changes import Change
from lintmdb.settings.kinds import MOST_NAMES

_HEADING = "What becomes of a poison message"
_MOST_FLOWS = 40
_MOST_INSTEAD = 3
_MOST_HARM = 3


def render_plan(plan: Plan, style: Style, folder: str | None) -> Iterator[str]:
    """The lines of a plan, without line ends; ``folder`` is where its scripts are."""
    yield style.paint("bold", summary_words(plan))
    answered = why_words(plan)
    scripts = {script.owner: script.path for script in plan_scripts(plan.changes) if script.purpose == "make"}
    others = other_restarts(plan.changes, plan.order)
    for place, changes in changes_by_place(plan.changes, plan.order):
        yield ""
        owner = plan.policy.owner(changes[0].target)
        step = step_words(plan.order, place)
        yield (
            style.paint("bold", f"{step}: " * bool(step) + place_words(changes[0].target))
            + (f", owned by {safe(owner)}" if owner else "")
            + (f" ({safe(scripts[place])})" if len(plan.order.places) > 1 else "")
        )
        yield from _changes(changes, answered, others.get(place, ()), style)
        yield from _choices(plan, changes, style)
        for change in filter(opens, changes):
            yield from (f"  {line}" for line in wrap(f"{safe(stays_closed(change))}:", style.width - 2))
            yield f"    {safe(keep_closed(change))}"
    yield from _fates(plan, style)
    yield from _left(plan, style)
    elsewhere = list(elsewhere_lines(plan.elsewhere, style, LEFT))
    yield from ("", *elsewhere) if elsewhere else ()
    yield ""
    for line in proof_lines(plan):
        indent = len(line) - len(line.lstrip())
        first, *rest = wrap(line.lstrip(), style.width - indent - 2)
        yield " " * indent + first
        yield from (" " * (indent + 2) + part for part in rest)
    granting, conditional = sparing_scripts(plan), if_undefined_scripts(plan)
    if granting:
        yield from wrap(f"{SPARING}:", style.width)
        yield from (safe(line) for script in granting for line in _commands(script))  # to copy, so not indented
    if plan.changes or conditional:
        told = [f"scripts to run and to undo are in {folder}"] if plan.changes else []
        told += [f"those rights in {folder}/{OPTIONAL}"] if granting else []
        told += [f"what to change if no cluster has a queue is in {folder}/{IF_UNDEFINED}"] if conditional else []
        text = ", ".join(told)
        yield f"{text[:1].upper()}{text[1:]}" if folder else "--out DIR writes the scripts to run and to undo"


def _commands(script: Script) -> Iterator[str]:
    """The commands of a script of MQSC, each on its line, and the comment that says for which queue manager."""
    for line in script.text.splitlines():
        if not line.startswith("*") or line.startswith("* Queue manager name:"):
            yield line


def summary_words(plan: Plan) -> str:
    """How much changes, and where."""
    if not plan.changes:
        if not plan.left:
            return "Nothing to change"
        harmful = plan.withheld is not None
        why = "no repair is known to be harmless" if harmful else "no setting that may be changed repairs the findings"
        return f"Nothing to change: {why}"
    return f"{plural(len(plan.changes), 'change')} at {all_places_words(change.target for change in plan.changes)}"


def _changes(
    changes: Sequence[Change], answered: Mapping[Change, str], others: Sequence[str], style: Style
) -> Iterator[str]:
    cells = [((object_words(change.target),), change_words(change), answered[change]) for change in changes]
    yield from (f"  {line}" for lines in column_lines(cells, style, style.width - 2) for line in lines)
    first = beforehand(changes)
    for sentence in (*afterwards(changes), *others):
        label = "First" if sentence in first else "Then"
        for number, line in enumerate(wrap(safe(f"{label}: {sentence}."), style.width - 4)):
            yield f"    {line}" if number else f"  {line}"


def _choices(plan: Plan, made: Sequence[Change], style: Style) -> Iterator[str]:
    """What the owners may want instead of some changes, and the option that asks for it."""
    for choose_if, instead in choices_by_condition(plan, made):
        yield from (f"  {line}" for line in wrap(safe(f"Or, if {choose_if}:"), style.width - 2))
        for one in instead[:_MOST_INSTEAD]:
            cells = [((object_words(other.target),), change_words(other), "") for other in one.changes]
            yield from (f"    {line}" for lines in column_lines(cells, style, style.width - 4) for line in lines)
            for sentence in choice_remarks(one):
                yield from (f"    {line}" for line in wrap(safe(sentence), style.width - 4))
            yield f"    {safe(keep_option(one))}"
        if len(instead) > _MOST_INSTEAD:
            yield f"    and {len(instead) - _MOST_INSTEAD} more like these (--format markdown lists every one)"


def _fates(plan: Plan, style: Style) -> Iterator[str]:
    before = plan.before.judgement
    for total, changed, bad, heading, noun in (
        (len(before.message_flows), changed_flows(plan), still_bad_flows(plan), _HEADING, "flow"),
        (len(before.unread), changed_queues(plan), still_bad_queues(plan), queue_heading(plan), "queue"),
    ):
        if total:
            yield ""
            yield from (style.paint("bold", line) for line in wrap(heading, style.width))
            yield from _told_fates(total, changed, bad, noun, style)


def queue_heading(plan: Plan) -> str:
    """The heading of the queues that no endpoint of the exports reads."""
    return safe(f"What becomes of a poison message where {reader_words(plan.before.judgement.unread)} reads the queue")


def _told_fates(
    total: int, changed: Sequence[ChangedFlow], bad: Mapping[int, StillBad], noun: str, style: Style
) -> Iterator[str]:
    """The fates that change, the worst before first, then those that stay bad, and how many others stay."""
    told = [flow for flow in changed if flow.another_fate]
    same = group_bad(bad, {flow.number for flow in told})
    for flow in told[:_MOST_FLOWS]:
        number = flow.number
        advice = bad[number].advice if number in bad else ()
        title = subject_text(flow.before.subject) if noun == "queue" else headline(flow.before)
        was, now = flow.fates
        fate = ("as before: ", now) if was == now else (f"{was} -> ", now)
        yield from _told_fate(title, fate, number in bad, (*flow.remarks, *advice), style)
    if len(told) > _MOST_FLOWS:
        yield f"  and on {plural(len(told) - _MOST_FLOWS, f'more {noun}')} (--format json lists every one)"
    for alike in same:
        yield from _told_fate(alike.title, ("as before: ", alike.words), True, alike.notes(noun), style)
    better = sum(not flow.another_fate and flow.number not in bad for flow in changed)
    if better:
        yield f"  the same fate with fewer findings on {plural(better, f'more {noun}' if told or same else noun)}"
    if rest := total - len(told) - better - sum(alike.size for alike in same):
        yield f"  the same as before on {plural(rest, f'more {noun}' if same else noun)}"


def _told_fate(title: str, fate: tuple[str, str], bad: bool, notes: Iterable[str], style: Style) -> Iterator[str]:
    """A fate: what it was, and what it is."""
    yield from (f"  {line}" for line in title_lines(title, style.width - 2))
    before, now = fate
    first, *rest = wrap(before + now, style.width - 6)
    yield f"    {first}" if rest else f"    {before}{style.paint('error' if bad else 'green', now)}"
    yield from (f"      {line}" for line in rest)
    for text in notes:
        yield from (f"    {line}" for line in wrap(safe(text), style.width - 4))


def _left(plan: Plan, style: Style) -> Iterator[str]:
    if not plan.left:
        return
    yield ""
    yield style.paint("bold", "What stays")
    harm = plan.withheld is not None and any(_harm(plan.withheld, plan.before.judgement))
    for finding in plan.left:
        severity = style.paint(finding.rule.severity, f"{finding.rule.severity:<7}")
        title = " ".join((finding.rule.id, subject_text(finding.subject)))
        first, *rest = title_lines(title, style.width - 10)
        yield f"  {severity} {first}"
        yield from (f"          {line}" for line in rest)
        for line in wrap(safe(finding.message), style.width - 10):
            yield f"          {line}"
        repair = UNPLANNED.of(None, [finding])
        yield from repair_lines(repair, [finding], 0, {}, Teller(), style, commands=False)
        changes = [change for option in repair.options for change in option.changes]
        withheld = harm and any(option.changes and plan.policy.allows(option.changes) for option in repair.options)
        keeping = [kept for kept in plan.policy.keep if any(kept.covers(change) for change in changes)]
        yield from (f"  {style.paint('green', 'kept   ')} {safe(str(kept))}" for kept in keeping)
        if withheld:
            yield f"  {style.paint('green', 'left   ')} what ends it would do harm, as the end of the plan says"


def proof_lines(plan: Plan, *, all_names: bool = False) -> Iterator[str]:
    """What judging again with all changes says, in sentences; with ``all_names`` no list of names is cut."""
    after = plan.after.judgement.findings
    gone = sum(not plan.after.has(finding) for finding in plan.before.judgement.findings)
    left = [finding for finding in after if plan.before.had(finding)]
    new = [finding for finding in after if not plan.before.had(finding)]
    if not plan.changes:
        yield f"Findings{' of the selected rules' * plan.policy.some_rules}: {_counted(left)} left."
        yield from unknown_lines(plan, all_names=all_names)
        yield from _limits(plan)
        return
    tried = plural(plan.states, "set of changes", "sets of changes")
    judged = f"Judged again with all changes{', by the selected rules' * plan.policy.some_rules}"
    text = f"{judged}: {plural(gone, 'finding')} gone, {_counted(left)} left"
    known = len(plan.before.judgement.findings) - gone
    if known != len(left):
        text += f" ({known} before, as members of a cluster {'are alike' if known > len(left) else 'differ'} then)"
    yield text + (f", {len(new)} new" if new else ", none new") + f" ({tried} tried)."
    regrouped = find_regrouped(plan.before.judgement.message_flows, plan.after.judgement.message_flows)
    yield from (f"  {safe(text)}" for text in regrouped_words(regrouped, "then"))
    for finding in new:
        yield f"  new: {finding.rule.severity} {finding.rule.id} {safe(subject_text(finding.subject))}"
    for entry in undecided_now(plan.before, plan.after):
        yield f"  undecided then: {_undecided(entry)}"
    yield from longest_lines(plan)
    yield from unknown_lines(plan, all_names=all_names)
    if changed := {flow.after.subject for flow in changed_queues(plan) if flow.another_fate}:
        yield from map(safe, rights_words(plan.readers(), changed, None if all_names else MOST_NAMES))
        yield from map(safe, newly_worse_words(plan))
    yield from order_lines(plan)
    if plan.policy.queues:
        named = listed([f"queue {names}" for names in plan.policy.queues])
        yield safe(f"Only findings on {named} are repaired. Run lintmdb check to see what remains on other queues.")
        yield from _without_net(plan)
    below = [
        f.rule.severity for f in after if not plan.policy.wants_gone(f.rule.severity) if plan.policy.is_about(f.rows)
    ]
    if below:
        lowest = max(below, key=severity_rank)
        yield f"--severity {lowest} plans changes for findings below {plan.policy.severity}, too."
    if not plan.policy.queues and len(plan.changes) > 1:
        yield "--queue 'QUEUE at QMGR' plans for one queue alone, with scripts to run in place of these."
    yield from _limits(plan)


def _undecided(entry: Undecided) -> str:
    needed = safe(f"{subject_text(entry.subject)} {without(entry.need.text)}")
    return f"{entry.rule.severity} {entry.rule.id} {needed}"


def _harm(withheld: Withheld, before: Judgement) -> Iterator[str]:
    """What the options of the findings that stay would lead to."""
    open_then, judgement = set(withheld.worse.undecided), withheld.after.judgement
    lines = [
        f"new: {finding.rule.severity} {finding.rule.id} {safe(subject_text(finding.subject))}"
        for finding in withheld.worse.findings
    ]
    lines += [
        f"undecided: {_undecided(entry)}"
        for entry in judgement.undecided
        if (entry.rule.id, entry.subject) in open_then
    ]
    worse_off, read = set(withheld.worse.fates), {flow_key(head) for head in judgement.message_flows}
    for head, former in pair_flows(before.flows, judgement.flows):
        key = flow_key(head)
        if key in worse_off and former:
            was = max(map(flow_fate, former), key=lambda fate: fate.group.harm)  # where members differed, the best
            what = headline(head) if key in read else subject_text(build_subject("queue", head.rows))
            lines.append(f"{safe(what)}: {was.headline} -> {flow_fate(head).headline}")
    for line in lines[:_MOST_HARM]:
        yield f"  {line}"
    if len(lines) > _MOST_HARM:
        yield f"  and {plural(len(lines) - _MOST_HARM, 'more', 'more')} like these"


def _without_net(plan: Plan) -> Iterator[str]:
    """The queue managers of the queues that a plan is for whose dead-letter queue nothing can be moved to: no plan of
    queues repairs that.
    """
    heads = (*plan.after.judgement.flows, *plan.after.judgement.unread)
    places = {
        (head.subject.environment, head.subject.queue_manager) for head in heads if plan.policy.is_about(head.rows)
    }
    names = [
        finding.subject.queue_manager or ""
        for finding in plan.after.judgement.findings
        if finding.rule.id == _NO_NET and (finding.subject.environment, finding.subject.queue_manager) in places
    ]
    if names:
        verb = "has" if len(names) == 1 else "have"
        where = safe(listed(list(dict.fromkeys(names))))
        yield (
            f"{where} {verb} no usable dead-letter queue ({_NO_NET}), which messages go to that no backout queue takes."
            f" A plan of its own repairs that: --select {_NO_NET} in place of --queue, with"
            " the other options as here, but another --out. Run its script first."
        )


_NO_NET = "MDB114"


def _counted(findings: Iterable[Finding]) -> str:
    """``none``, ``2 warnings, 5 info``."""
    return counted_severities(Counter(finding.rule.severity for finding in findings)) or "none"


def _limits(plan: Plan) -> Iterator[str]:
    """What the search did not reach."""
    solutions = [solution for _, solution in plan.components]
    open_ones = [solution for solution in solutions if not solution.complete]
    given_up = max((solution.states for solution in open_ones if solution.bounded), default=0)
    if open_ones:
        of_product = {"was": " in WebSphere alone", "mq": " in IBM MQ alone", None: ""}[plan.policy.only]
        harm = "a new finding, a newly undecided one or a worse fate"
        found = f"no set of changes{of_product} was found that ends them without {harm}"
        text = f"Some findings that a setting could repair remain: {found}."
        if given_up:
            tried = f"None of the sets of changes tried ({given_up}) repairs everything that a setting can repair."
            text = tried + (" These changes help." if plan.changes else "")
        told = list(_harm(plan.withheld, plan.before.judgement)) if plan.withheld is not None else []
        yield text + (f" With the options of what stays{of_product}:" if told else "")
        yield from told
    if any(solution.complete and solution.bounded for solution in solutions):
        yield "Not every set of changes was tried for large groups of findings, so a cheaper one may exist."
