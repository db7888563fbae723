"""Judging queues and queue managers that no endpoint of the exports leads to, by the rules that need no endpoint.

Other programs than WebSphere read backout attributes in ways of their own, so this is for who asks for it. Queues
without backout attributes, those of the product itself (``SYSTEM.*``), and model queues are never judged like this.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from lintmdb.engine.findings import FlowHead, Judgement, Subject
from lintmdb.engine.judge import build_subject, judge, sort_verdicts
from lintmdb.engine.readers import as_delivered
from lintmdb.model.facts import Facts
from lintmdb.model.relations import CELL_RELATIONS, Endpoint, Queue
from lintmdb.rules.conditions import check_condition
from lintmdb.rules.loading import load_rules
from lintmdb.rules.rule import Rule

_ALIASES = frozenset({"queue", "queue_name", "backout", "dead_letter", "queue_manager", "authority"})
_STATED = frozenset(
    {
        "endpoint.provider",
        "endpoint.destination_type",
        "endpoint.queue",
        "endpoint.queue_manager",
        "endpoint.queue_resolution",
        "endpoint.backout_circle_read",
    }
)
"""What is known of an endpoint that reads a queue, whichever it is, where each queue that is judged has one."""
_BROWSES = frozenset({"endpoint.non_asf_timeout_ms", "server.platform"})
"""What decides whether an endpoint needs one more right, to browse. It is not known of whoever reads a queue."""
_PLACEHOLDER = re.compile(r"\{(?:lacking: )?([a-z_]+\.[a-z_]+)")
_RIGHT = re.compile(r"\bauthority\.\w+")
_COMPARED_RIGHT = re.compile(r"\bauthority\.\w+ = (TRUE|FALSE)\b")
_USER_KNOWN = "endpoint.user_observed = TRUE"
_READER_KNOWN = f"({_USER_KNOWN} AND NOT (endpoint.user_guessed = TRUE AND authority.may_not_read = TRUE))"
"""The user is known, and nothing speaks against it that it reads the queue: who is named for a whole queue manager and
may not read a queue there is hardly its reader."""
READER_COLUMNS = ("endpoint.user_guessed", "authority.may_not_read")
"""The columns that no rule reads and all of these conditions do."""
_SOURCE_RIGHT = "authority.source_"


class QueuePlace(NamedTuple):
    """A queue, whichever state of an estate has it."""

    environment: str | None
    queue_manager: str
    name: str


def queues_to_judge(facts: Facts) -> frozenset[QueuePlace]:
    """The local queues with backout attributes."""
    return frozenset(_place(queue) for queue in facts.rows["queue"] if _is_judged(queue))


def heads_to_trace(facts: Facts, *, all_queues: bool) -> list[FlowHead]:
    """The flows along which messages can be followed, and then, if wanted, the queues that are judged by themselves."""
    judgement = judge(facts, [])
    if all_queues:
        judge_all_queues(judgement, facts, load_rules())
    return [*judgement.flows, *judgement.unread]


def judge_all_queues(
    judgement: Judgement,
    facts: Facts,
    rules: Sequence[Rule],
    *,
    also: Collection[QueuePlace] = (),
    as_flows: bool = False,
) -> None:
    """Add the verdicts on local queues with backout attributes and on queue managers that have none yet. ``also`` names
    queues that another state of the estate judges: a change that takes the attributes away is no reason to be silent.

    With ``as_flows`` each of them is a flow at the end of ``judgement.flows``, so that changes can be planned for it.
    """
    judgement.all_queues = True
    readers = list(_readers(facts, also))
    alone = _alone(facts, readers)
    chosen = rules_without_endpoint(rules)
    known = {subject for subject, _, _ in judgement.judged}
    asked = {reader.id for reader in readers}

    def counts(subject: Subject) -> bool:
        return (
            subject not in known
            and subject.kind in ("queue", "queue_manager")
            and _reader_id(subject.environment, subject.queue_manager, subject.queue) in asked
        )

    found = judge(alone, chosen)
    added = [entry for entry in found.judged if counts(entry[0])]
    judgement.judged += added
    unread = {subject for subject, _, _ in added}
    judgement.unread_queues += len(unread)
    judgement.unread_models += sum(
        has_backout_attributes(queue) for queue in facts.rows["queue"] if queue.type == "model"
    )
    judgement.unset_queues = _unset_queues(facts, known)
    judgement.unread_managers += sum(subject.kind == "queue_manager" for subject in unread)
    judgement.clear += sum(verdicts.count(1) for _, _, verdicts in added)
    queues = [
        FlowHead(subject, as_delivered(head.rows))
        for head in found.flows
        if (subject := _subject(head)) in unread and subject.kind == "queue"
    ]
    judgement.unread += [head for head in queues if not _is_closed(head)]
    judgement.closed += filter(_is_closed, queues)
    findings = [entry for entry in found.findings if counts(entry.subject)]
    undecided = [entry for entry in found.undecided if counts(entry.subject)]
    places: dict[int, int] = {}
    if as_flows:
        first = len(judgement.flows)
        kept = [number for number, head in enumerate(found.flows) if counts(_subject(head))]
        # Queues of one name at two queue managers are two flows.
        judgement.flows += [
            FlowHead(_subject(head), as_delivered(head.rows)) for head in map(found.flows.__getitem__, kept)
        ]
        judgement.queue_flows = len(kept)
        places = {number: first + place for place, number in enumerate(kept)}
    judgement.findings += [replace(entry, flow=places.get(entry.flow or 0), flows=1) for entry in findings]
    judgement.undecided += [replace(entry, flow=places.get(entry.flow or 0)) for entry in undecided]
    sort_verdicts(judgement)


def queue_heads(facts: Facts) -> list[FlowHead]:
    """Each local queue and each queue manager as if an endpoint of which nothing is known read it."""
    return judge(_alone(facts, list(_readers(facts, every=True))), []).flows


def _alone(facts: Facts, readers: Sequence[Endpoint]) -> Facts:
    """What was read of queue managers, with readers in place of all endpoints."""
    alone = Facts()
    for table, rows in facts.rows.items():
        if table not in CELL_RELATIONS and table not in ("export", "problem"):
            alone.rows[table] = rows
    alone.rows["endpoint"] = [*readers]
    return alone


def _is_closed(head: FlowHead) -> bool:
    """Whether nobody gets a message from the queue, so that none is poison."""
    return head.rows.queue_name is not None and head.rows.queue_name.get_enabled is False


def _subject(head: FlowHead) -> Subject:
    """The queue or the queue manager that a reader stands for."""
    return build_subject("queue" if head.rows.endpoint.queue else "queue_manager", head.rows)


def rules_without_endpoint(rules: Sequence[Rule]) -> list[Rule]:
    """The rules that judge a queue or queue manager by itself. Without an endpoint there is no story to tell, and what
    a rule says of a flow it says of the queue that begins it.

    Where no observation names the user who reads queues, a rule about rights does not apply, and any other rule takes
    it that whoever reads a queue has every right. If observations do not name a user for that very queue, and the
    user may not read it, the only finding is that the user may not.
    """
    return [
        replace(
            _with_every_right(rule),
            message=_without_endpoint(rule.message),
            predicts=None,
            subject="queue" if rule.subject == "flow" else rule.subject,
        )
        for rule in rules
        if needs_no_endpoint(rule)
    ]


def _with_every_right(rule: Rule) -> Rule:
    """A rule whose conditions find every right where no user is known."""
    if not any(map(_RIGHT.match, rule.columns)):
        return rule
    if is_about_rights(rule):
        known = _USER_KNOWN if any(name.startswith(_SOURCE_RIGHT) for name in rule.hazard.columns) else _READER_KNOWN
        return replace(rule, when=check_condition(f"({rule.when.text}) AND {known}"))
    when, hazard = (
        check_condition(_COMPARED_RIGHT.sub(_where_known, condition.text)) for condition in (rule.when, rule.hazard)
    )
    return replace(rule, when=when, hazard=hazard)


def _where_known(compared: re.Match[str]) -> str:
    """What a comparison of a right comes to, held where no user is known."""
    known = f"{_READER_KNOWN} AND" if compared[1] == "FALSE" else f"NOT {_READER_KNOWN} OR"
    return f"({known} {compared[0]})"


def is_about_rights(rule: Rule) -> bool:
    """Whether a rule says which rights a user lacks, and not only what becomes of a message that cannot be moved."""
    return any(map(_RIGHT.match, _shown(rule)))


def _without_endpoint(message: str) -> str:
    """A message about a user of whose endpoint no more is known than the user."""
    return message.replace(" of {endpoint.name}", "")


def _shown(rule: Rule) -> list[str]:
    return _PLACEHOLDER.findall(_without_endpoint(rule.message))


def judges_queues(rules: Iterable[Rule]) -> bool:
    """Whether some rule judges queues or queue managers by themselves, whoever reads them."""
    return any(needs_no_endpoint(rule) and not is_about_rights(rule) for rule in rules)


def of_a_queue(rule: Rule) -> bool:
    """Whether a rule that needs no endpoint is about a queue, and not about its queue manager."""
    return rule.subject == "queue"


def needs_no_endpoint(rule: Rule) -> bool:
    """Whether a rule is about a queue or queue manager alone: what it asks, and what its message shows. A rule about
    flows may ask for nothing but their queues.

    A fix leaves out what it says of an endpoint's user where none is known.
    """
    if rule.subject not in ("queue", "queue_manager", "flow"):
        return False
    conditions = f"{rule.when.text} {rule.hazard.text}"
    about_rights = is_about_rights(rule)
    if not about_rights and len(_RIGHT.findall(conditions)) > len(_COMPARED_RIGHT.findall(conditions)):
        return False
    known = _STATED | _BROWSES if about_rights else _STATED
    return all(name in known or name.partition(".")[0] in _ALIASES for name in (*rule.columns, *_shown(rule)))


def _readers(facts: Facts, also: Collection[QueuePlace] = (), *, every: bool = False) -> Iterator[Endpoint]:
    """An endpoint for each queue that is judged, for the local ones of ``also`` or for ``every`` local one, and for
    each queue manager, of which no more is known.
    """
    users = {(manager.environment, manager.name): manager.observed_user for manager in facts.rows["queue_manager"]}
    for manager in facts.rows["queue_manager"]:
        yield _reader(manager.name, None, manager.environment)
    for queue in facts.rows["queue"]:
        if _is_judged(queue) or (queue.type == "local" and (every or _place(queue) in also)):
            user = queue.observed_user or users.get((queue.environment, queue.queue_manager))
            reader = _reader(queue.queue_manager, queue.name, queue.environment, user)
            if queue.observed_name is not None:
                reader = replace(reader, name=queue.observed_name, queue=queue.observed_name)
            yield reader if queue.observed_user else replace(reader, user_guessed=user is not None)


def _place(queue: Queue) -> QueuePlace:
    return QueuePlace(queue.environment, queue.queue_manager, queue.name)


def _is_judged(queue: Queue) -> bool:
    return queue.type == "local" and has_backout_attributes(queue)


def has_backout_attributes(queue: Queue) -> bool:
    """Whether somebody has given a queue backout attributes."""
    has_attributes = (queue.backout_threshold or 0) > 0 or bool(queue.backout_queue)
    return has_attributes and not queue.name.startswith("SYSTEM.")


def _unset_queues(facts: Facts, known: Collection[Subject]) -> list[Queue]:
    """The local queues without backout attributes that have no verdict and no poison message of another queue, which
    may be at another queue manager.
    """
    looked_at: set[tuple[str | None, ...]] = set()
    for target in facts.rows["put_target"]:
        looked_at.add((target.environment, target.queue_manager, target.local_queue))
        looked_at.add((target.environment, target.remote_queue_manager, target.remote_queue))
    looked_at |= {(subject.environment, subject.queue_manager, subject.queue) for subject in known}
    return [queue for queue in facts.rows["queue"] if _is_unset(queue) and _place(queue) not in looked_at]


def _is_unset(queue: Queue) -> bool:
    blank = queue.backout_threshold == 0 and queue.backout_queue == ""
    read = queue.type == "local" and queue.for_transmission is not True
    return blank and read and not queue.name.startswith("SYSTEM.")


def _reader_id(environment: str | None, manager: str | None, queue: str | None) -> str:
    """What tells readers apart: the queue, whatever name they open."""
    return f"{environment or ''}\x1f{manager or ''}\x1f{queue or ''}"


def _reader(manager: str, queue: str | None, environment: str | None, user: str | None = None) -> Endpoint:
    """A JMS client that delivers a message until it is processed or moved aside: the fate of a message is then that of
    the queue alone. No rule sees what is assumed here (``_STATED``).
    """
    return Endpoint(
        id=_reader_id(environment, manager, queue),
        kind="activation_spec",
        name=queue or manager,
        provider="wmq",
        destination_type="queue" if queue else "mismatch",  # no rule about destinations applies
        queue_manager=manager,
        queue=queue,
        environment=environment,
        max_sessions=1,
        stop_on_failure=False,
        user=user,
        user_observed=user is not None,
    )
