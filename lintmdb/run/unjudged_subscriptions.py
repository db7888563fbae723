"""Whether users may subscribe to the topics of endpoints: what a change takes from them. No rule judges that, nor a
topic object of which nothing shows the topic string.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from lintmdb.engine.findings import FlowHead
from lintmdb.exports.mq.commands import is_export
from lintmdb.model.environment_names import key_of
from lintmdb.model.origins import Origin
from lintmdb.model.relations import Problem
from lintmdb.model.word_lists import listed
from lintmdb.resolve.mq.accounts import Entity
from lintmdb.resolve.mq.definitions import Definitions
from lintmdb.resolve.mq.objects import MqObject
from lintmdb.resolve.mq.script import run_scripts
from lintmdb.resolve.mq.topics import administered_points
from lintmdb.run.overlay import Overlay
from lintmdb.run.running_order import running_order
from lintmdb.run.script_groups import ScriptGroup

_STOPPING = {"SUB": "DISABLED", "DURSUB": "NO"}
"""The attributes of a topic object that forbid subscriptions, or durable ones, and the value that does."""
_WILDCARDS = frozenset({"#", "+"})
_NOT_JUDGED = "lintmdb does not judge whether an endpoint can subscribe"
_ALLOW = "Make sure that {whose} needs no subscription to {topic}, or allow it"


def unjudged_subscriptions(
    changes: Overlay, flows: Iterable[FlowHead], groups: Iterable[ScriptGroup]
) -> Iterator[Problem]:
    """The commands of a change that keep an endpoint from subscribing to its topic, one Problem for each place."""
    concerned = {
        key
        for key, scripts in changes.scripts.items()
        if any(command.noun in ("TOPIC", "AUTHREC") for script in scripts for command in script.commands)
    }
    if not concerned:
        return
    subscribing = subscribing_flows(flows)
    for group in groups:
        key = key_of(group.environment, group.name)
        if key in concerned and key in subscribing:
            order = running_order(group.scripts)[0]
            before = run_scripts(group.name, order, lent=group.lent)
            after = run_scripts(group.name, order, changes.scripts[key], lent=group.lent)
            yield from stopped_subscriptions(before, after, subscribing[key])


def subscribing_flows(flows: Iterable[FlowHead]) -> Mapping[str, Sequence[FlowHead]]:
    """The flows with a topic of IBM MQ by ``key_of`` their queue manager."""
    found: dict[str, list[FlowHead]] = {}
    for head in flows:
        if head.topic and head.rows.endpoint.queue_manager:
            key = key_of(head.subject.environment, head.rows.endpoint.queue_manager)
            found.setdefault(key, []).append(head)
    return found


def stopped_subscriptions(before: Definitions, after: Definitions, flows: Sequence[FlowHead]) -> Iterator[Problem]:
    """What lets some flows subscribe in one state of their queue manager, and not in a later one. What an export of the
    later state shows and the earlier one does not tell is left out.
    """
    found: dict[tuple[str, int, int], Problem] = {}
    for head in flows:
        for problem in (*_may_forbid(before, after, head), *_without_right(before, after, head)):
            found.setdefault((problem.path, problem.line, problem.column), problem)
    yield from found.values()


def _may_forbid(before: Definitions, after: Definitions, head: FlowHead) -> Iterator[Problem]:
    """The topic objects that may be above any topic and forbid to subscribe now."""
    for topic in _unplaced(after):
        for keyword, word in _STOPPING.items():
            value = topic.values.get(keyword)
            known = before.objects.get(("TOPIC", topic.name))
            earlier = known.values.get(keyword) if known is not None else None
            if (keyword == "DURSUB" and _is_durable(head) is False) or value is None or is_export(value.file):
                continue
            if value.text.strip().upper() == word and (earlier is None or earlier.text.strip().upper() != word):
                yield _problem(
                    value.origin,
                    f"{keyword}({word}) of TOPIC({topic.name}), of which no export shows the topic string, may stop "
                    f"subscriptions to {head.topic}",
                    head,
                    after.queue_manager,
                    f"TOPIC {topic.name}",
                )


def _without_right(before: Definitions, after: Definitions, head: FlowHead) -> Iterator[Problem]:
    """The users and groups that can no longer subscribe to a topic, and may be those of its endpoint."""
    old, new = _rights(before, head.topic or ""), _rights(after, head.topic or "")
    needed = {"sub"} if _is_durable(head) is False else {"sub", "resume"}
    user = head.rows.user
    meant = None if user is None else after.authority_records.accounts.meant(("principal", user))
    for entity, rights in sorted(old.items()):
        lost = (rights - new.get(entity, frozenset())) & needed
        if not lost or (entity[0] == "principal" and meant is not None and entity != meant):
            continue
        if entity[0] == "group" and after.authority_records.administrators.have_group(entity[1]):
            continue
        place = _taken_at(before, after, entity, lost, head)
        if place is not None:
            words = listed([right.upper() for right in sorted(lost)])
            who = f"{'user' if entity[0] == 'principal' else 'group'} {entity[1]}"
            text = f"{who} loses {words}, the authority to subscribe to {head.topic}"
            yield _problem(place, text, head, after.queue_manager, "AUTHREC")


def _taken_at(
    before: Definitions, after: Definitions, entity: Entity, lost: Iterable[str], head: FlowHead
) -> Origin | None:
    """The command that takes a right from an entity, DELETE of the topic object included, or else the topic object
    above the topic. None where records may be missing.
    """
    former = [topic.name for topic in _above(before, head.topic or "")]
    deleted = [after.deletions["TOPIC", name] for name in former if ("TOPIC", name) in after.deletions]
    if deleted:
        return deleted[0]
    groups = frozenset({entity[1]}) if entity[0] == "group" else frozenset[str]()
    user = entity[1] if entity[0] == "principal" else ""
    above = _above(after, head.topic or "")
    for topic in above:
        for right in sorted(lost):
            place = after.authority_records.topics.find_change(topic.name, right, user, groups)
            if place is not None:
                return place
    return above[0].definition() if above and after.authorities_complete else None


def _rights(definitions: Definitions, topic: str) -> Mapping[Entity, frozenset[str]]:
    """What each user and group may do with a topic: what a topic object at or above it grants."""
    found: dict[Entity, frozenset[str]] = {}
    for above in _above(definitions, topic):
        for entity, rights in definitions.authority_records.topics.rights_on(above.name).items():
            found[entity] = found.get(entity, frozenset()) | rights
    return found


def _above(definitions: Definitions, topic: str) -> Sequence[MqObject]:
    """The topic objects at or above a topic, the nearest first; with wildcards above the first of them."""
    parts = topic.split("/")
    ends = next((place for place, part in enumerate(parts) if part in _WILDCARDS), len(parts))
    points, _ = administered_points(definitions)
    strings = ["/".join(parts[:length]) for length in range(ends, 0, -1)]
    return [each for string in dict.fromkeys([*strings, ""]) for each in points.get(string, ())]


def _unplaced(definitions: Definitions) -> Sequence[MqObject]:
    """The topic objects of which nothing shows the topic string."""
    return [topic for topic in definitions.of_kind("TOPIC") if topic.unset == "unknown" and not _string(topic)]


def _string(topic: MqObject) -> str:
    value = topic.values.get("TOPICSTR")
    return value.text.strip() if value is not None else ""


def _is_durable(head: FlowHead) -> bool | None:
    """Whether the subscription of a flow is durable; None where that is not known."""
    durable, bean = head.rows.endpoint.subscription_durable, head.rows.bean
    return bean.subscription_durable if durable is None and bean is not None else durable


def _problem(place: Origin, what: str, head: FlowHead, queue_manager: str, about: str) -> Problem:
    return Problem(
        kind="unjudged_change",
        path=place.path,
        line=place.line,
        column=place.column,
        text=f"{what}, the topic of {head.rows.endpoint.name}, and {_NOT_JUDGED}",
        next_step=_ALLOW.format(whose=head.rows.endpoint.name, topic=head.topic),
        queue_manager=queue_manager,
        object=about,
    )
