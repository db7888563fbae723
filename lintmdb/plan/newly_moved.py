"""Rights on the queues that a plan newly moves messages to, whichever rule's repair does so: the plan grants them to
those who read the input queue, and says who has them already, or on which queue somebody may need them where nobody
knows who that is.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator, Sequence, Set
from typing import NamedTuple, TypeAlias, TypeGuard

from lintmdb.delivery.fate import Fate
from lintmdb.engine.findings import FlowHead
from lintmdb.engine.flow_rows import FlowRows, read_value
from lintmdb.engine.traces import trace_flow
from lintmdb.model.environment_names import key_of
from lintmdb.model.relations import CLUSTER_TRANSMISSION
from lintmdb.model.word_lists import listed
from lintmdb.plan.choices import Changes
from lintmdb.plan.evaluation import State, flow_key, worst_later
from lintmdb.plan.policy import Policy
from lintmdb.plan.record_places import RecordPlaces
from lintmdb.plan.search import Solution
from lintmdb.plan.things import changed_things, known_users, things
from lintmdb.plan.trial import Trial
from lintmdb.run.overlay import overlay_of
from lintmdb.settings.actions import (
    ACTIONS,
    BACKOUT_RIGHTS,
    MOVE_RIGHTS,
    grant_backout,
    is_hardly_reader,
    is_in_cluster_only,
)
from lintmdb.settings.afterwards import lets_go_on, opens
from lintmdb.settings.changes import (
    Assignment,
    Change,
    ClusterMover,
    Definition,
    Grant,
    HeldByGroup,
    Mover,
    Namer,
    merge,
)
from lintmdb.settings.owners import Read, queue_manager, read_text

_NAMES = {Fate.BACKOUT_QUEUE: "queue.backout_queue", Fate.DEAD_LETTER_QUEUE: "queue_manager.dead_letter_queue"}
"""The queues that a client moves messages to, by what becomes of these."""
_ALIASES = {Fate.BACKOUT_QUEUE: "backout", Fate.DEAD_LETTER_QUEUE: "dead_letter"}
_PREFIXES = {Fate.BACKOUT_QUEUE: "authority.", Fate.DEAD_LETTER_QUEUE: "authority.dead_letter_"}
_WANTED = {Fate.BACKOUT_QUEUE: BACKOUT_RIGHTS, Fate.DEAD_LETTER_QUEUE: MOVE_RIGHTS}


_Granted: TypeAlias = tuple[str, str, str]
"""The key of a queue manager, a queue, and the user or the group that gets rights on it."""


class _Moved(NamedTuple):
    """A queue that messages are moved to with the changes alone, and on which not every right is known."""

    manager: str
    """The key of the queue manager."""
    queue: str
    grants: Changes
    allowed: bool
    """The user may put messages there, and lacks some other right that IBM asks for."""
    group: str = ""
    """The only group that may read the queue where nobody knows the groups of who does; blank elsewhere."""
    reader: str = ""
    """Who is taken to be in that group, in words."""
    wanted: tuple[str, ...] = ()
    """What the client needs on the queue, in lower case."""
    in_cluster: ClusterMover | None = None
    """Whose messages these are, where qm.ini says on which profile that takes rights."""
    who: tuple[str, str] = ("", "")
    """The user who connects and its group, where they are known."""
    source: str = ""
    """The queue of the messages."""
    rows: FlowRows | None = None
    """Of the flow."""

    def planned(self, policy: Policy) -> bool:
        """Whether the plan is for the queue."""
        return self.rows is None or policy.is_about(self.rows)


def find_grants(trial: Trial, policy: Policy, solutions: Sequence[Solution], after: State) -> dict[int, Changes]:
    """The changes of the solutions that lack grants, by number, each with the grants."""
    found: dict[int, Changes] = {}
    for number, moved in _newly_moved(trial, solutions, after):
        own = solutions[number].changes
        changes = found.get(number, own)
        if policy.allows(moved.grants):
            changes = merge(changes, moved.grants) or changes
        if changes != own:
            found[number] = changes
    for number, grants in _dead_letter_grants(solutions, after):
        if policy.allows(grants):
            changes = found.get(number, solutions[number].changes)
            found[number] = merge(changes, grants) or changes
    return found


def _dead_letter_grants(solutions: Sequence[Solution], after: State) -> Iterator[tuple[int, Changes]]:
    """Rights on new dead-letter queues, and on those that DEADQ newly names, for each known user, whichever flow has
    the finding: all flows at the queue manager share the queue.
    """
    new: dict[tuple[str, str], int] = {}
    for number, change in ((number, each) for number, own in enumerate(solutions) for each in own.changes):
        if isinstance(change, Definition):
            new[_opened(change)] = number
        elif isinstance(change, Assignment) and change.setting == _NAMES[Fate.DEAD_LETTER_QUEUE]:
            new[change.target.place_key, change.new] = number
    for head in after.judgement.flows if new else ():
        read = functools.partial(read_value, head.rows)
        manager, name = queue_manager(read), read_text(read, _NAMES[Fate.DEAD_LETTER_QUEUE])
        number = new.get((manager.place_key, name)) if manager is not None else None
        if number is None or not read_text(read, "authority.user"):
            continue
        if any(read(f"authority.dead_letter_{right.lower()}") is False for right in MOVE_RIGHTS):
            yield number, ACTIONS["grant_dead_letter"](read) or ()


def note_rights(trial: Trial, policy: Policy, solutions: Sequence[Solution], after: State) -> None:
    """Note with the changes of each solution what else their administrators have to know: on which queues rights may be
    lacking, who moves messages to new queues, and who does so when the plan is undone.
    """
    for solution in solutions:  # What a repair says by itself, the estate with all changes tells better.
        solution.changes = tuple(
            [c._replace(moves_to=()) if isinstance(c, Assignment) else c for c in solution.changes]
        )
    _note_queues(trial, solutions, after)
    _note_possible_readers(trial, policy, solutions, after)
    _note_full(trial, solutions, after)
    _note_left_full(trial, policy, solutions)
    _note_descriptions(trial, solutions)
    _note_movers(trial, solutions, after)
    _note_assumptions(trial, solutions, after)
    _note_namers(trial, solutions)
    _note_dead_letter_queues(trial, solutions)
    _note_channels(solutions, after)
    _note_group_records(trial, solutions)


def _note_group_records(trial: Trial, solutions: Sequence[Solution]) -> None:
    """Note with each grant to a user whether the exports have records of groups alone there."""
    records, observed = RecordPlaces(trial.evaluator.exports), trial.evaluator.observed.users

    def noted(change: Change) -> Change:
        if not isinstance(change, Grant) or change.group or change.on_windows or change.user in observed:
            return change
        return change._replace(among_groups=records.are_of_groups(change.target.place_key))

    for solution in solutions:
        solution.changes = tuple(map(noted, solution.changes))


def _note_channels(solutions: Sequence[Solution], after: State) -> None:
    """Note with a longer MAXMSGL of a dead-letter queue which channels of clients allow less."""
    found: dict[str, dict[str, int]] = {}
    longer = any(_is_longer(change) for solution in solutions for change in solution.changes)
    for head in after.judgement.flows if longer else ():
        manager, channel = queue_manager(functools.partial(read_value, head.rows)), head.rows.channel
        if manager is not None and channel is not None and channel.max_message_bytes:
            found.setdefault(manager.place_key, {})[channel.name] = channel.max_message_bytes

    def shorter(change: Assignment) -> str:
        channels = found.get(change.target.place_key, {})
        return listed([f"{name} ({limit})" for name, limit in sorted(channels.items()) if limit < int(change.new)])

    for solution in solutions if found else ():
        solution.changes = tuple(
            [change._replace(channels=shorter(change)) if _is_longer(change) else change for change in solution.changes]
        )


def _is_longer(change: Change) -> TypeGuard[Assignment]:
    return isinstance(change, Assignment) and change.setting == "dead_letter.max_message_bytes"


def _note_dead_letter_queues(trial: Trial, solutions: Sequence[Solution]) -> None:
    """Note with each grant that it is on the dead-letter queue that there is: who may use it, its owner decides."""
    granted = {_granted(c)[:2] for s in solutions for c in s.changes if isinstance(c, Grant)}
    shared = set[tuple[str, str]]()
    for head in trial.before.judgement.flows if granted else ():
        manager = head.rows.queue_manager
        if manager is not None and manager.dead_letter_resolution == "resolved":
            shared.add((key_of(manager.environment, manager.name), manager.dead_letter_queue or ""))
    for solution in solutions if granted & shared else ():
        solution.changes = tuple(
            [
                change._replace(on_dead_letter_queue=True)
                if isinstance(change, Grant) and _granted(change)[:2] in shared
                else change
                for change in solution.changes
            ]
        )


def _note_queues(trial: Trial, solutions: Sequence[Solution], after: State) -> None:
    records = RecordPlaces(trial.evaluator.exports)
    for number, moved in _newly_moved(trial, solutions, after):
        if moved.allowed:
            continue
        changes = solutions[number].changes
        known = {(c.target.place_key, c.target.name) for c in changes if isinstance(c, Grant | Definition)}
        known |= {(c.target.place_key, c.opened_as) for c in changes if isinstance(c, Definition)}
        if (moved.manager, moved.queue) in known:
            continue
        noting = [change for change in changes if not isinstance(change, Definition)]
        first = min(noting, key=lambda change: change.target.place_key != moved.manager)
        if moved.in_cluster is not None:
            mover = _with_record(moved.in_cluster, moved, records)
            noted = first._replace(in_cluster=tuple(dict.fromkeys((*first.in_cluster, mover))))
        elif record := moved.group and records.find(moved.manager, moved.queue, "", moved.group, moved.wanted):
            held = HeldByGroup(moved.queue, moved.group, moved.wanted, record, moved.reader)
            noted = first._replace(held_there=tuple(dict.fromkeys((*first.held_there, held))))
        else:
            noted = first._replace(moves_to=tuple(dict.fromkeys((*first.moves_to, moved.queue))))
        solutions[number].changes = tuple([noted if change is first else change for change in changes])


def _note_possible_readers(trial: Trial, policy: Policy, solutions: Sequence[Solution], after: State) -> None:
    """Note who may read a queue of the plan whose reader nobody names, and lacks rights where its messages are newly
    moved to: with the definition of that queue, or with the first change at its queue manager.
    """
    made = overlay_of(change for solution in solutions for change in solution.changes)
    records, groups = RecordPlaces(trial.evaluator.exports, made), trial.evaluator.observed.users
    for number, moved in _newly_moved(trial, solutions, after):
        if moved.who[0] or moved.group or moved.in_cluster is not None or not (moved.source and moved.planned(policy)):
            continue
        lacking = tuple(records.may_lack(moved.manager, moved.source, moved.queue, MOVE_RIGHTS, groups))
        changes = [change for change in solutions[number].changes if change.target.place_key == moved.manager]
        if not lacking or not changes:
            continue
        chosen = min(changes, key=lambda c: not (isinstance(c, Definition) and _opened(c)[1] == moved.queue))
        noted = chosen._replace(may_lack=tuple(dict.fromkeys((*chosen.may_lack, *lacking))))
        solutions[number].changes = tuple([noted if c is chosen else c for c in solutions[number].changes])


def _note_full(trial: Trial, solutions: Sequence[Solution], after: State) -> None:
    """Note with the changes that move messages to a queue that this queue was full when it was exported: with those of
    an object of a flow whose messages are newly moved there.
    """
    changes = [change for solution in solutions for change in solution.changes]
    full = trial.evaluator.full_queues(changes)
    _note_room(solutions, trial.evaluator.full_queues(change for change in changes if not _is_depth(change)) - full)
    if not full:
        return
    former = {flow_key(head): head for head in trial.before.judgement.flows}
    later = worst_later(trial.before, after)
    for number, solution in enumerate(solutions):
        flows = (key for key in trial.components[number].flows if key in later)
        for before, head in ((former[key], later[key]) for key in flows):
            read = functools.partial(read_value, head.rows)
            manager = queue_manager(read)
            for fate, _ in sorted(_moves(head) - _moves(before)):
                local = read_text(read, f"{_ALIASES[fate]}.local_queue")
                if manager is not None and (manager.place_key, local) in full:
                    own = {*things(before.rows), *things(head.rows)}
                    solution.changes = tuple(
                        [
                            change if own.isdisjoint(changed_things(change)) else _into_full(change, local)
                            for change in solution.changes
                        ]
                    )


def _note_left_full(trial: Trial, policy: Policy, solutions: Sequence[Solution]) -> None:
    """Note with the first change of a solution at a queue manager which queues of its flows there were full, and stay
    so with all changes, be it that no message is moved to them any more.
    """
    full = set(policy.full)
    for change in (change for solution in solutions for change in solution.changes):
        if _is_depth(change):
            full.discard((change.target.place_key, change.target.name))
        if not isinstance(change, Definition):
            full -= {(change.target.place_key, queue) for queue in change.into_full}
    flows = {flow_key(head): head for head in trial.before.judgement.flows} if full else {}
    for number, solution in enumerate(solutions if full else ()):
        heads = [flows[key] for key in trial.components[number].flows]
        targets = [
            target for head in heads for target in (head.rows.backout, head.rows.dead_letter) if target is not None
        ]
        for manager, queue in dict.fromkeys(
            (key_of(t.environment, t.queue_manager), t.local_queue or "") for t in targets
        ):
            changes = [change for change in solution.changes if change.target.place_key == manager]
            if (manager, queue) in full and changes:
                noted = changes[0]._replace(left_full=(*changes[0].left_full, queue))
                solution.changes = tuple([noted if change is changes[0] else change for change in solution.changes])


def _note_room(solutions: Sequence[Solution], roomy: Set[tuple[str, str]]) -> None:
    """Note with the depth of a queue that was full that it has room then."""
    for solution in solutions if roomy else ():
        solution.changes = tuple(
            [
                change._replace(makes_room=True)
                if _is_depth(change) and (change.target.place_key, change.target.name) in roomy
                else change
                for change in solution.changes
            ]
        )


def _is_depth(change: Change) -> TypeGuard[Assignment]:
    return isinstance(change, Assignment) and change.attribute == "MAXDEPTH"


def _note_descriptions(trial: Trial, solutions: Sequence[Solution]) -> None:
    """Note with each queue that takes messages again what its DESCR says, and with each endpoint that no longer stops
    what its description says.
    """
    opened = {
        (change.target.place_key, change.target.name)
        for solution in solutions
        for change in solution.changes
        if opens(change)
    }
    described: dict[tuple[str, str], str] = {}
    for head in trial.before.judgement.flows if opened else ():
        for target in filter(None, (head.rows.backout, head.rows.dead_letter)):
            place = key_of(target.environment, target.queue_manager), target.put_disabled_by or ""
            if place in opened and place not in described:
                described[place] = trial.evaluator.descriptions.find(target.origins.get("put_enabled"))

    aliases: dict[tuple[str, str], str] = {}
    for head in trial.before.judgement.flows:
        for target in filter(None, (head.rows.backout, head.rows.dead_letter)):
            place = key_of(target.environment, target.queue_manager), target.name
            if target.local_queue is None and (named := target.origins.get("leads_to")) and place not in aliases:
                aliases[place] = trial.evaluator.descriptions.find(named)

    def noted(change: Change) -> Change:
        if isinstance(change, Definition):
            return change._replace(described=aliases.get((change.target.place_key, change.opened_as), ""))
        if opens(change):
            return change._replace(described=described.get((change.target.place_key, change.target.name), ""))
        if lets_go_on(change):
            return change._replace(described=trial.evaluator.descriptions.of_endpoint(change.origin))
        return change

    for solution in solutions:
        solution.changes = tuple(map(noted, solution.changes))


def _into_full(change: Change, queue: str) -> Change:
    if isinstance(change, Definition):
        return change
    return change._replace(into_full=tuple(dict.fromkeys((*change.into_full, queue))))


def _with_record(mover: ClusterMover, moved: _Moved, records: RecordPlaces) -> ClusterMover:
    """With the record that grants the rights, where there is one: on the profile that counts, or on one of the two."""
    for profile in (mover.profile,) if mover.profile else (mover.queue, CLUSTER_TRANSMISSION):
        if record := records.find(moved.manager, profile, *moved.who, MOVE_RIGHTS):
            return mover._replace(holds=profile, record=record)
    return mover


def _newly_moved(trial: Trial, solutions: Sequence[Solution], after: State) -> Iterator[tuple[int, _Moved]]:
    """For each solution that changes an attribute, be it at the queue manager or at the endpoint, or lets readers look
    one up.
    """
    changing = [
        number
        for number, solution in enumerate(solutions)
        if any(isinstance(change, Assignment) or _lets_look_up(change) for change in solution.changes)
    ]
    if not changing:
        return
    former = {flow_key(head): head for head in trial.before.judgement.flows}
    later = worst_later(trial.before, after)
    for number in changing:
        for key in trial.components[number].flows:
            if key in later:
                yield from ((number, moved) for moved in _of_flow(former[key], later[key]))


def _lets_look_up(change: Change) -> bool:
    return isinstance(change, Grant) and change.to_look_up


def moved_places(trial: Trial, after: State) -> set[tuple[str, str]]:
    """The queues that poison messages are moved to with the changes alone, each with the key of its queue manager."""
    later = worst_later(trial.before, after)
    found: set[tuple[str, str]] = set()
    for before in trial.before.judgement.flows:
        head = later.get(flow_key(before))
        manager = queue_manager(functools.partial(read_value, head.rows)) if head is not None else None
        if head is not None and manager is not None:
            found |= {(manager.place_key, queue) for _, queue in _moves(head) - _moves(before)}
    return found


def _note_movers(trial: Trial, solutions: Sequence[Solution], after: State) -> None:
    new = [_opened(c) for s in solutions for c in s.changes if isinstance(c, Definition)]
    movers: dict[tuple[str, str], dict[Mover, None]] = {place: {} for place in new}
    records = RecordPlaces(trial.evaluator.exports)
    for head in after.judgement.flows if movers else ():
        read = functools.partial(read_value, head.rows)
        if (manager := queue_manager(read)) is None:
            continue
        for fate, column in _NAMES.items():
            place = (manager.place_key, read_text(read, column))
            if place in movers:
                movers[place][_mover(fate, place, read, records)] = None
    for solution in solutions:
        solution.changes = tuple(
            [
                change._replace(movers=tuple(movers[_opened(change)])) if isinstance(change, Definition) else change
                for change in solution.changes
            ]
        )


def _note_namers(trial: Trial, solutions: Sequence[Solution]) -> None:
    """Note with each new queue which BOQNAME leads there before the plan, and so does when the plan is undone."""
    namers: dict[tuple[str, str], dict[Namer, None]] = {
        _opened(c): {} for s in solutions for c in s.changes if isinstance(c, Definition)
    }
    for head in trial.before.judgement.flows if namers else ():
        read = functools.partial(read_value, head.rows)
        manager, queue = queue_manager(read), read_text(read, "queue.name")
        if manager is None or not queue:
            continue
        place = (manager.place_key, read_text(read, _NAMES[Fate.BACKOUT_QUEUE]))
        if place in namers:
            reader = "" if head.subject.kind == "queue" else head.subject.name or ""
            namers[place][Namer(queue, reader)] = None
    for solution in solutions if namers else ():
        solution.changes = tuple(
            [
                c._replace(named_by=tuple(sorted(namers[_opened(c)]))) if isinstance(c, Definition) else c
                for c in solution.changes
            ]
        )


def _note_assumptions(trial: Trial, solutions: Sequence[Solution], after: State) -> None:
    """Note with each grant whether no export shows if those whom it is for have the rights already, be it with the
    changes or before them, and which users are taken to be in its group.
    """
    granted = {_granted(c): c.group for s in solutions for c in s.changes if isinstance(c, Grant)}
    assumed: dict[_Granted, dict[str, None]] = {}
    for head in (*trial.before.judgement.flows, *after.judgement.flows) if granted else ():
        read = functools.partial(read_value, head.rows)
        manager = queue_manager(read)
        if manager is None:
            continue
        for (fate, column), name in itertools.product(_NAMES.items(), known_users(head.rows)):
            if any(read(f"{_PREFIXES[fate]}{right.lower()}") is None for right in MOVE_RIGHTS):
                place = manager.place_key, read_text(read, column), name
                if place in granted:
                    readers = _reader_words(head) if granted[place] and not read_text(read, "authority.group") else []
                    assumed.setdefault(place, {}).update(dict.fromkeys(readers))
    for solution in solutions if assumed else ():
        solution.changes = tuple(
            [
                change._replace(unproven=True, assumed=tuple(sorted(assumed[place])))
                if isinstance(change, Grant) and (place := _granted(change)) in assumed
                else change
                for change in solution.changes
            ]
        )


def _granted(grant: Grant) -> _Granted:
    return grant.target.place_key, grant.target.name, grant.user


def _reader_words(head: FlowHead) -> list[str]:
    """Who reads the queue of a flow; of a queue by itself nothing but the group may be known."""
    if head.rows.user:
        return [head.rows.user]
    return [f"the {'reader' if head.subject.kind == 'queue' else 'user'} of {head.subject.name}"]


def _opened(definition: Definition) -> tuple[str, str]:
    """The queue manager of a new queue, and the name by which clients open it."""
    return definition.target.place_key, definition.opened_as or definition.target.name


def _mover(fate: Fate, place: tuple[str, str], read: Read, records: RecordPlaces) -> Mover:
    """Whose messages of a flow are moved to a place, and its rights there."""
    user, group = read_text(read, "authority.user"), read_text(read, "authority.group")
    held = {right.lower(): read(f"{_PREFIXES[fate]}{right.lower()}") for right in _WANTED[fate]}
    if not user or None in held.values() or is_hardly_reader(read):
        return Mover("")
    if lacking := tuple([right for right, known in held.items() if known is False]):
        return Mover(user, lacking, lacks=True)
    return Mover(user, tuple(held), record=records.find(*place, user, group, held))


def _of_flow(before: FlowHead, later: FlowHead) -> Iterator[_Moved]:
    read = functools.partial(read_value, later.rows)
    manager = queue_manager(read)
    if manager is None:
        return
    for fate, queue in sorted(_moves(later) - _moves(before)):
        allowed = all(read(f"{_PREFIXES[fate]}{right.lower()}") is True for right in MOVE_RIGHTS)
        if not allowed or not _was_backout_queue(before, queue):
            grants = grant_backout(read) if fate is Fate.BACKOUT_QUEUE else ()
            who = read_text(read, "authority.user"), read_text(read, "authority.group")
            group, reader = "" if who[0] else read_text(read, "queue_name.reader_group"), _reader_words(later)[0]
            wanted = tuple(right.lower() for right in _WANTED[fate])
            in_cluster = fate is Fate.BACKOUT_QUEUE and is_in_cluster_only(read)
            by_qm_ini = in_cluster and read("queue_manager.platform") != "zos"
            profile = {"Xmitq": CLUSTER_TRANSMISSION, "RQMName": queue}
            decides = profile.get(read_text(read, "queue_manager.cluster_queue_access"), "")
            mover = ClusterMover(queue, reader, decides) if by_qm_ini else None
            source = read_text(read, "queue.name")
            yield _Moved(
                manager.place_key, queue, grants, allowed, group, reader, wanted, mover, who, source, later.rows
            )


def _was_backout_queue(before: FlowHead, queue: str) -> bool:
    """Whether messages were to be moved to a queue before the plan: what IBM asks for besides the rights for the move
    is then a finding of its own, and none that the plan brings.
    """
    value = before.rows.value
    led_there = value("queue.backout_resolution") != "dangling"
    return led_there and value("queue.backout_queue") == queue and value("queue.backout_threshold") != 0


def _moves(head: FlowHead) -> set[tuple[Fate, str]]:
    """The queues that its poison messages are moved to."""
    outcomes = [told.outcome for told in trace_flow(head, None) if told.workload.poison]
    return {(outcome.fate, outcome.target) for outcome in outcomes if outcome.fate in _NAMES}
