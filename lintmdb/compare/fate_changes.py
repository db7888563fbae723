"""What becomes of each workload on a flow before and after, where that differs."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from lintmdb.compare.identity import Key
from lintmdb.delivery.fate import Fate, FateGroup
from lintmdb.delivery.outcome import Outcome
from lintmdb.delivery.wording import IF_ALLOWED, outcome_words, titled
from lintmdb.delivery.workload import Workload
from lintmdb.engine.channel_limits import if_it_passes
from lintmdb.engine.findings import FlowHead, without
from lintmdb.engine.missing_inputs import find_need
from lintmdb.engine.replacements import is_worse
from lintmdb.engine.setbacks import find_denied
from lintmdb.engine.traces import Told, rests_on_rights, trace_flow


class FateChange(NamedTuple):
    """What becomes of one workload on one flow, before and after, in words."""

    head: FlowHead
    workload: str
    before: str
    after: str
    former: FlowHead | None = None
    """The flow before, the first of them where members of a cluster were judged one by one."""
    worse_than: tuple[FlowHead, ...] = ()
    """The flows before on which the message fared better. Where a fate is not known, nobody says so."""
    better_than: tuple[FlowHead, ...] = ()
    """Those on which it fared worse."""
    better: bool = False
    """Whether it fared worse on all flows before, and no right that no export shows decides how it fares now."""
    suppressed: bool = False
    """Whether a suppression of a new error on the same flow answers for it."""
    denied: str = ""
    """What becomes of the message now if its user may not move it, of whom no export shows that it may, where that is
    worse than before; blank where it is not."""
    longest: bool = False
    """Of a message that is as long as its queue allows: where it alone fares worse, that counts as a warning."""

    @property
    def worse(self) -> bool:
        """Whether the message fares worse than before, on one of the members at least."""
        return bool(self.worse_than)


def find_fate_changes(former: Sequence[FlowHead], head: FlowHead) -> Iterator[FateChange]:
    """Every workload that has another fate on a flow than on the flows that it was before."""
    old: dict[str, list[tuple[FlowHead, ToldFate]]] = {}
    for each in former:
        for workload, told in told_fates(each):
            old.setdefault(workload, []).append((each, told))
    new = dict(told_fates(head))
    every = [*new.values(), *(told for fates in old.values() for _, told in fates)]
    shut_out = any(told.shut_out for told in every)
    for workload in dict.fromkeys((*old, *new)):
        if shut_out and not (workload in old and workload in new):
            continue  # the line of the other workload says that nothing is received
        was = old.get(workload, [])
        texts = {told.key: told.text for _, told in was}
        now = new.get(workload, ToldFate((), "does not arise", frozenset()))
        if set(texts) != {now.key}:
            worse = tuple([each for each, told in was if is_worse(told.harms, now.harms)])
            better = tuple([each for each, told in was if is_worse(now.harms, told.harms)])
            yield FateChange(
                head,
                workload,
                " or ".join(texts.values()) or "does not arise",
                now.text,
                former[0] if former else None,
                worse,
                better,
                better=bool(was) and len(better) == len(was) and not now.rests_on_rights,
                denied=_denied(former[0], head) if former and now.rests_on_rights else "",
            )
    if former and not shut_out:
        yield from _longest_change([(each, told) for each, told in old[_POISON]], (head, new[_POISON]))


_POISON, _LONGEST = titled(Workload()), Workload(longest=True)


def _longest_change(
    former: Sequence[tuple[FlowHead, ToldFate]], flow: tuple[FlowHead, ToldFate]
) -> Iterator[FateChange]:
    """How the longest message fares where that changes, and in another way than for every message, unless every message
    fares worse and it does as they do; both flows are given with their usual fates.
    """
    head, usual = flow
    if all(each.rows == head.rows for each, _ in former):
        return
    was, now = [(each, _told_of_longest(each, told)) for each, told in former], _told_of_longest(head, usual)
    before, usual_before = ({told.key for _, told in entries} for entries in (was, former))
    usual_worse = any(is_worse(told.harms, usual.harms) for _, told in former)
    if before == {now.key} or (now.key == usual.key and (before == usual_before or usual_worse)):
        return
    if any(FateGroup.UNKNOWN.rank in told.harms for told in (now, *(told for _, told in was))):
        return
    worse = tuple([each for each, told in was if is_worse(told.harms, now.harms)])
    texts = dict.fromkeys(told.text for _, told in was)
    text = f"{now.text}{if_it_passes(head)}"
    yield FateChange(head, titled(_LONGEST), " or ".join(texts), text, former[0][0], worse, longest=True)


def _told_of_longest(head: FlowHead, usual: ToldFate) -> ToldFate:
    """The fate of the longest message: the usual one, where that is not to be moved to a queue."""
    if FateGroup.MOVED.harm not in usual.harms or not head.rows.value("queue.longest_message_bytes"):
        return usual
    return _summed(head, trace_flow(head, _LONGEST))


def _denied(before: FlowHead, after: FlowHead) -> str:
    found = find_denied(before.rows.value, after.rows.value)
    if found is None:
        return ""
    return ", ".join(_kind_text(after, told) for told in found[1] if told.workload.poison)


class ToldFate(NamedTuple):
    """The fate of a workload, as a key to compare and in words. Places do not count."""

    key: Key
    text: str
    harms: frozenset[float]
    shut_out: bool = False
    """Whether the endpoint receives no message at all."""
    rests_on_rights: bool = False
    """Whether a user moves the message aside of whom no export shows that it may."""


def told_fates(head: FlowHead) -> Iterator[tuple[str, ToldFate]]:
    """Yield each workload of a flow with its fate.

    Where persistent and non-persistent messages have different fates, these hold both.
    """
    for title, stories in itertools.groupby(trace_flow(head, None), _title):
        yield title, _summed(head, stories)


def _summed(head: FlowHead, stories: Iterable[Told]) -> ToldFate:
    """The fates of one workload."""
    key: list[str] = []
    texts: list[str] = []
    harms: set[float] = set()
    shut_out = rests = False
    for told in stories:
        outcome = told.outcome
        harms.add(outcome.harm)
        shut_out = shut_out or outcome.shut_out
        rests = rests or rests_on_rights(head, outcome)
        key += (told.kind, outcome.fate.value, outcome.target, outcome.otherwise, *outcome.missing)
        texts.append(_kind_text(head, told))
    return ToldFate(tuple(key), ", ".join(texts), frozenset(harms), shut_out, rests)


def _title(told: Told) -> str:
    return "a message at the end of a receive" if told.workload.arrives_after_ms else titled(told.workload)


def _kind_text(head: FlowHead, told: Told) -> str:
    return _fate_text(head, told.outcome) + (f" ({told.kind})" if told.kind else "")


def _fate_text(head: FlowHead, outcome: Outcome) -> str:
    name = head.rows.queue_name
    closed = name is not None and name.get_enabled is False and outcome.fate is Fate.BLOCKED
    text = "nothing is delivered" if closed and not outcome.deliveries else outcome_words(outcome)
    if rests_on_rights(head, outcome):
        text += f" {IF_ALLOWED}"
    if outcome.missing:
        text += f" {without(find_need(outcome.missing, head.rows, head.subject).text)}"
    return text
