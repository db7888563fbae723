"""The parts of a plan that its pages show: changes by owner, and each flow before and after them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from shlex import quote
from typing import NamedTuple

from lintmdb.delivery.fate import Fate
from lintmdb.delivery.values import Values
from lintmdb.delivery.workload import Workload
from lintmdb.engine.channel_limits import if_it_passes
from lintmdb.engine.findings import Finding, FlowHead, Subject
from lintmdb.engine.lacking_rights import lacking_rights
from lintmdb.engine.missing_inputs import find_need
from lintmdb.engine.repairs import Choice
from lintmdb.engine.replacements import is_worse
from lintmdb.engine.traces import reader_has_every_right, trace_flow, trace_values
from lintmdb.model.environment_names import key_of
from lintmdb.model.word_lists import listed
from lintmdb.plan.evaluation import flow_key, worst_later
from lintmdb.plan.naming import named_thing
from lintmdb.plan.owner_choices import Instead, choices_by_condition
from lintmdb.plan.planned import Plan
from lintmdb.plan.scripts import (
    PURPOSES,
    IfUndefinedChanges,
    Script,
    conditional_scripts,
    optional_scripts,
    other_restarts,
    plan_scripts,
)
from lintmdb.plan.stalled_endpoints import stalled_by, with_readers
from lintmdb.report.cases import count_severities
from lintmdb.report.change_reasons import why_words
from lintmdb.report.changes import place_words
from lintmdb.report.flow_repairs import Changes, planned_repairs
from lintmdb.report.full_queues import FullQueues, were_full
from lintmdb.report.headline_fates import HeadlineFate, headline_fates
from lintmdb.report.if_undefined import fate_if_undefined
from lintmdb.report.lone_options import denied_words
from lintmdb.report.next_readers import has_other_readers
from lintmdb.report.plan_order import changes_by_place, step_words
from lintmdb.settings.actions import MOVE_RIGHTS, grant_dead_letter
from lintmdb.settings.afterwards import afterwards, cautions, opens
from lintmdb.settings.changes import Assignment, Change, Definition, Namer


class OwnerChanges(NamedTuple):
    """The changes at one queue manager or in one cell."""

    owner: str
    step: str
    """``Step 1 of 2``; blank where there is no other step."""
    changes: Sequence[tuple[Change, str]]
    """Each with the rules that it answers, parted by blanks, or with what it prevents."""
    acts: Sequence[str]
    """What has to be done before they act, as sentences."""
    choices: Sequence[tuple[str, Sequence[Instead]]]
    """What only people can decide: each condition with what they may want instead."""
    scripts: Sequence[str]
    """The paths of the scripts: what shows the old values, what makes the changes, and what undoes them."""


class WhileFull(NamedTuple):
    """What becomes of a message while the backout queue is full, before and after."""

    compared: str
    """Whether that is worse than before, in words: what stops one reader gets to the next."""
    before: str
    after: str


class ChangedFlow(NamedTuple):
    """A flow, or a queue that no endpoint reads, on which something changes."""

    number: int
    """Its place among the flows, or among these queues."""
    before: FlowHead
    after: FlowHead
    fate_before: HeadlineFate
    fate_after: HeadlineFate
    changes: Changes
    gone: Sequence[str]
    """The rules whose findings are gone afterwards."""
    longest: tuple[str, str] | None = None
    """What becomes of a message that is as long as its queue allows, before and after, where that differs and is not
    what becomes of any message.
    """
    full: WhileFull | None = None
    """What becomes of a message while the backout queue is full, where it fares worse now at its first reader."""
    unless: str = ""
    """What would spare it that: ``app1 gets put and passall on QM1.DEAD``; blank where that is more than rights."""
    spared_by: Changes = ()
    """The grants of these rights, which are in no plan."""

    meanwhile: str = ""
    """What became of a message while the queues were full that were so when they were exported, where these have room
    afterwards; blank elsewhere."""
    was_full: Sequence[str] = ()
    """The queues that messages are moved to afterwards and that were full when they were exported."""
    denied: str = ""
    """How it fares worse than before if its user lacks put or passall on the backout queue, which no export shows, as
    a sentence; blank where it does not."""
    onwards: str = ""
    """What becomes afterwards of a poison message on the queue that it is moved to, as a sentence; blank where nothing
    moves it on."""

    @property
    def another_fate(self) -> bool:
        """Whether a message has another fate, and not only findings are gone."""
        return bool(self.longest or self.full or self.denied) or self.fates[0] != self.fates[1]

    @property
    def fates(self) -> tuple[str, str]:
        """What becomes of a message before and after."""
        return self.meanwhile or self.fate_before.words, self.fate_after.words

    @property
    def remarks(self) -> list[str]:
        """What the fates alone do not say, as sentences."""
        found: list[str] = []
        if self.longest is not None:
            found.append(f"The longest message: {self.longest[0]} -> {self.longest[1]}{if_it_passes(self.after)}.")
        found += [self.denied] if self.denied else []
        if self.full is not None:
            unless = f", unless {self.unless}" if self.unless else ""
            full = "the backout queue is full"
            if self.was_full:
                full += f", as {listed(self.was_full)} {'was' if len(self.was_full) == 1 else 'were'} when exported"
            found.append(f"{self.full.compared} while {full}: {self.full.before} -> {self.full.after}{unless}.")
        elif self.was_full:
            found.append(f"{were_full(self.was_full)}.")
        found += [self.onwards] if self.onwards and self.another_fate else []
        if not self.another_fate:
            found.append(f"Gone: {', '.join(self.gone)}.")
        return found


SPARING = "These rights, which no step grants, would spare messages a worse fate while a backout queue is full"
"""What introduces ``sparing_scripts``."""


def sparing_scripts(plan: Plan) -> list[Script]:
    """What grants the rights that would spare messages a worse fate while a backout queue is full."""
    flows = (*changed_flows(plan), *changed_queues(plan))
    return optional_scripts(dict.fromkeys(grant for flow in flows for grant in flow.spared_by))


def if_undefined_scripts(plan: Plan) -> list[Script]:
    """What to change if no cluster has queues of which nobody knows whether one has them."""
    found: dict[tuple[str, str], IfUndefinedChanges] = {}
    readers: dict[object, list[FlowHead]] = {}
    former = {head.subject: head for head in (*plan.before.judgement.flows, *plan.before.judgement.unread)}
    for head in plan.after.judgement.flows:
        readers.setdefault(_queue_place(head), []).append(head)
    for head in (*plan.after.judgement.message_flows, *plan.after.judgement.unread):
        otherwise = fate_if_undefined(head) if plan.policy.is_about(head.rows) else None
        repairs = otherwise.repairs(plan.before.judgement.rules) if otherwise is not None else ()
        own = readers.get(_queue_place(head), ())
        was = fate_if_undefined(former.get(head.subject, head)) if repairs else None
        stalled = stalled_by(head, (told.outcome.fate for told in was.fate.poison)) if was is not None else ()
        repairs = tuple(
            tuple([change._replace(revives=stalled) for change in with_readers(changes, own)])
            for changes in repairs
            if plan.policy.allows(changes)
        )
        if otherwise is not None and repairs:
            need = find_need(("queue.backout_resolution",), head.rows, head.subject)
            place = repairs[0][0].target.place_key, head.rows.value("queue.name")
            found.setdefault(
                (place[0], str(place[1])),
                IfUndefinedChanges(otherwise.queue, need.command, repairs, otherwise.grants, otherwise.holder),
            )
    namers: dict[tuple[str, str], set[Namer]] = {}
    for (manager, queue), entry in found.items():
        own = (head.subject for head in readers.get((manager, queue), ()) if head.subject.kind != "queue")
        reader = listed(list(dict.fromkeys(subject.name or "" for subject in own)))
        namers.setdefault((manager, entry.queue), set()).add(Namer(queue, reader))
    return conditional_scripts(
        entry._replace(repairs=[_named(changes, namers, entry.queue) for changes in entry.repairs])
        for entry in found.values()
    )


def _named(changes: Iterable[Change], namers: Mapping[tuple[str, str], set[Namer]], queue: str) -> tuple[Change, ...]:
    """The changes with the queues whose BOQNAME leads to a queue that they define."""
    return tuple(
        [
            change._replace(named_by=tuple(sorted(namers[change.target.place_key, queue])))
            if isinstance(change, Definition)
            else change
            for change in changes
        ]
    )


def _queue_place(head: FlowHead) -> tuple[str, str]:
    """The queue manager and the name of the queue that a flow reads."""
    queue = head.rows.queue
    return (key_of(queue.environment, queue.queue_manager), queue.name) if queue is not None else ("", "")


def keep_option(instead: Instead) -> str:
    """What asks ``lintmdb plan`` for what the owners may want, as the command line takes it."""
    return f"--keep {quote(instead.keep)}"


def stays_closed(change: Assignment) -> str:
    """What to ask for where a queue is not to take messages again; ``keep_closed`` is how."""
    return f"Or, if {change.target.name} is to stay closed, look for other changes with"


def keep_closed(change: Assignment) -> str:
    """What asks ``lintmdb plan`` to leave a queue closed, as the command line takes it."""
    return f"--keep {quote(f'{named_thing(change.target)}: {change.attribute}')}"


def all_cautions(instead: Iterable[Instead]) -> list[str]:
    """Where what the owners may want alone may not be enough, each sentence once."""
    return list(dict.fromkeys(sentence for one in instead for sentence in choice_remarks(one)))


def choice_remarks(choice: Instead | Choice) -> list[str]:
    """What speaks for changes that the owners may want instead, and where these alone may not be enough."""
    return [*([choice.evidence] if choice.evidence else []), *cautions(choice.changes)]


def changes_by_owner(plan: Plan) -> list[OwnerChanges]:
    """The changes of a plan, those of one owner together, in the order in which their scripts are run."""
    answered = why_words(plan)
    scripts = sorted(plan_scripts(plan.changes), key=lambda script: PURPOSES.index(script.purpose))
    parts: list[OwnerChanges] = []
    others = other_restarts(plan.changes, plan.order)
    for place, changes in changes_by_place(plan.changes, plan.order):
        parts.append(
            OwnerChanges(
                place_words(changes[0].target),
                step_words(plan.order, place),
                [(change, answered[change]) for change in changes],
                [f"{sentence}." for sentence in (*afterwards(changes, all_names=True), *others.get(place, ()))]
                + [f"{stays_closed(change)} {keep_closed(change)}." for change in changes if opens(change)],
                choices_by_condition(plan, changes),
                [script.path for script in scripts if script.owner == place],
            )
        )
    return parts


def changed_flows(plan: Plan) -> list[ChangedFlow]:
    """The flows whose fate or findings change, those with the worst fate before first."""
    before = plan.before.judgement
    later = worst_later(plan.before, plan.after)
    heads = [later.get(flow_key(head), head) for head in before.message_flows]
    found: dict[int, list[Finding]] = {}
    for finding in before.findings:
        if finding.flow is not None:
            found.setdefault(finding.flow, []).append(finding)
    repairs, full = planned_repairs(plan, before).flows, _full_queues(plan)
    changed: list[ChangedFlow] = []
    for number, head in enumerate(before.message_flows):
        made = repairs[number].changes if number in repairs else ()
        gone = [finding.rule.id for finding in found.get(number, ()) if not plan.after.has(finding)]
        entry = _changed(number, head, heads[number], made, gone, full)
        if entry.gone or entry.another_fate:
            changed.append(entry)
    changed = _with_onwards(changed, plan)
    return sorted(
        changed,
        key=lambda flow: (flow.fate_before.rank, *count_severities(found.get(flow.number, ())), flow.number),
    )


def changed_queues(plan: Plan) -> list[ChangedFlow]:
    """The queues that no endpoint reads whose fate or findings change, those with the worst fate before first."""
    before, after = plan.before.judgement, plan.after.judgement
    if not before.unread:
        return []
    heads_after = {head.subject: head for head in after.unread}
    left = {(finding.rule.id, finding.subject) for finding in after.findings}
    found: dict[Subject, list[Finding]] = {}
    for finding in before.findings:
        found.setdefault(finding.subject, []).append(finding)
    repairs, full = planned_repairs(plan, before).flows, _full_queues(plan)
    changed: list[ChangedFlow] = []
    for number, head in enumerate(before.unread):
        own = found.get(head.subject, ())
        gone = [finding.rule.id for finding in own if (finding.rule.id, finding.subject) not in left]
        flows = {finding.flow for finding in own if finding.flow is not None}
        made = (change for flow in sorted(flows & repairs.keys()) for change in repairs[flow].changes)
        entry = _changed(number, head, heads_after.get(head.subject, head), tuple(dict.fromkeys(made)), gone, full)
        if entry.gone or entry.another_fate:
            changed.append(entry)
    changed = _with_onwards(changed, plan)
    places = {subject: place for place, subject in enumerate(found)}  # in the order in which check reports them

    def rank(queue: ChangedFlow) -> tuple[int, ...]:
        subject = queue.before.subject
        severities = count_severities(found.get(subject, ()))
        return (queue.fate_before.rank, *severities, places.get(subject, len(places)), queue.number)

    return sorted(changed, key=rank)


def _with_onwards(changed: Iterable[ChangedFlow], plan: Plan) -> list[ChangedFlow]:
    """The same, with what becomes of messages on backout queues that are read, or judged by themselves."""
    read = {_queue_place(head): head for head in (*plan.after.judgement.flows, *plan.after.judgement.unread)}

    def onwards(flow: ChangedFlow) -> str:
        target = flow.after.rows.backout
        if target is None or set(flow.fate_after.fates) != {Fate.BACKOUT_QUEUE}:
            return ""
        head = read.get((key_of(target.environment, target.queue_manager), target.local_queue or ""))
        if head is None or not head.rows.value("queue.backout_threshold"):
            return ""
        return f"If it fails on {target.local_queue}, too: {headline_fates([head])[0].words}."

    return [flow._replace(onwards=onwards(flow)) for flow in changed]


def _changed(
    number: int,
    before: FlowHead,
    after: FlowHead,
    made: Changes,
    gone: Sequence[str],
    full: tuple[FullQueues, FullQueues],
) -> ChangedFlow:
    former, full_then = full
    fate_before, fate_after = headline_fates([before, after])
    of_any = fate_before.words, fate_after.words
    longest = [_fate_of(head, Workload(longest=True)) for head in (before, after)]
    told = tuple([own.words if _is_known(own) else words for own, words in zip(longest, of_any, strict=True)])
    return ChangedFlow(
        number,
        before,
        after,
        fate_before,
        fate_after,
        made,
        sorted(set(gone)),
        (told[0], told[1]) if told[0] != told[1] and told != of_any else None,
        *_worse_when_full(before, after, full_then.workload(after)),
        former.words_meanwhile(before) if full_then.workload(after) is None else "",
        full_then.find(after, fate_after.fates),
        denied_words(before, after),
    )


def _full_queues(plan: Plan) -> tuple[FullQueues, FullQueues]:
    """Those that were full when they were exported, and those of them without room after all changes."""
    held = plan.policy.full
    raised = {
        (change.target.place_key, change.target.name): int(change.new)
        for change in plan.changes
        if isinstance(change, Assignment) and change.attribute == "MAXDEPTH" and change.new.isdecimal()
    }
    # A queue to which nothing is moved any more is still full, if the next backout queue fills up.
    left = [place for place, messages in held.items() if raised.get(place, 0) <= messages]
    return FullQueues(plan.elsewhere_before, held), FullQueues(plan.elsewhere, left)


def _worse_when_full(
    before: FlowHead, after: FlowHead, exported: Workload | None
) -> tuple[WhileFull | None, str, Changes]:
    """What becomes of a message while the backout queue is full, before and after, where it fares worse; and which
    rights on the dead-letter queue would spare it that, in words and as grants.
    """
    full = replace(exported or Workload(), backout_full=True)
    was, now = (_fate_of(head, full) for head in (before, after))
    former, harms = ({outcome.harm for outcome in fate.outcomes} for fate in (was, now))
    if not is_worse(former, harms):
        return None, "", ()
    told, read = WhileFull("Worse than before", was.words, now.words), after.rows.value
    if has_other_readers(before):  # As if the one that the message stops were started again at once.
        then = _fate_of(before, replace(full, started_again=None))
        if then.words != was.words and not is_worse({outcome.harm for outcome in then.outcomes}, harms):
            told = WhileFull("No better than before", f"{was.words}, and at the next reader {then.words}", now.words)
    lacking = lacking_rights(_DEAD_LETTER_RIGHTS, read)
    if not (user := read("authority.user")) or not lacking:
        return told, "", ()
    granted = Values(lambda name: True if name in _DEAD_LETTER_RIGHTS else read(name))
    if is_worse(former, {story.outcome.harm for story in trace_values(granted, full)}):
        return told, "", ()
    who = f"group {group}" if (group := read("authority.group")) else user
    words = [f"{who} gets {listed(rights)} on {queue}" for queue, rights in lacking.items()]
    return told, listed(words), grant_dead_letter(read)


_DEAD_LETTER_RIGHTS = tuple(f"authority.dead_letter_{right.lower()}" for right in MOVE_RIGHTS)


def _fate_of(head: FlowHead, workload: Workload) -> HeadlineFate:
    return HeadlineFate(tuple(trace_flow(head, workload)), has_every_right=reader_has_every_right(head))


def _is_known(fate: HeadlineFate) -> bool:
    return all(outcome.fate is not Fate.UNDECIDED for outcome in fate.outcomes)
