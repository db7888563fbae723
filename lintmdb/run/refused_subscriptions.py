"""Topic objects that refuse the subscription of an endpoint, as notices: no rule judges that.

Source: IBM MQ "DEFINE TOPIC", DURSUB and SUB; MQSUB fails with 2436 or 2503.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from lintmdb.exports.mq import MqscFile
from lintmdb.model.environment_names import key_of
from lintmdb.model.facts import Facts
from lintmdb.model.relations import Problem
from lintmdb.model.word_lists import listed
from lintmdb.resolve.mq.script import run_scripts
from lintmdb.resolve.mq.topics import SubscriptionPoint, subscription_points
from lintmdb.run.running_order import running_order
from lintmdb.run.script_groups import ScriptGroup

_WILDCARDS = frozenset("#+*?")


class _Refusal(NamedTuple):
    keyword: str
    value: str
    allowed: str
    what: str


_ANY = _Refusal("SUB", "DISABLED", "ENABLED", "cannot subscribe to {topic} (2503), and nothing is delivered")
_DURABLE = _Refusal(
    "DURSUB",
    "NO",
    "YES",
    "cannot make a durable subscription to {topic} (2436). Nothing is delivered unless the subscription exists",
)


def find_subscription_points(group: ScriptGroup, changes: Sequence[MqscFile] = ()) -> tuple[SubscriptionPoint, ...]:
    """What the topic objects of a queue manager say of subscriptions, where one may refuse some."""
    if not any(map(_may_refuse, (*group.scripts, *changes))):
        return ()
    return subscription_points(run_scripts(group.name, running_order(group.scripts)[0], changes, lent=group.lent))


def _may_refuse(script: MqscFile) -> bool:
    refusing = [(refusal.keyword, refusal.value) for refusal in (_ANY, _DURABLE)]
    return any(
        command.noun == "TOPIC" and (parameter.keyword, (parameter.value or "").strip().upper()) in refusing
        for command in script.commands
        for parameter, _ in command.parameters
    )


def refused_subscriptions(points: Mapping[str, Sequence[SubscriptionPoint]], facts: Facts) -> Iterator[Problem]:
    """A notice for each topic object that refuses what endpoints subscribe to; ``points`` are by ``key_of`` their queue
    manager.
    """
    durable_ports = {bean.endpoint_id for bean in facts.rows["bean"] if bean.subscription_durable}
    found: dict[tuple[str, SubscriptionPoint, _Refusal, str], dict[str, None]] = {}
    for endpoint in facts.rows["endpoint"]:
        key = key_of(endpoint.environment, endpoint.queue_manager or "")
        if not (points.get(key) and endpoint.topic) or _WILDCARDS.intersection(endpoint.topic):
            continue
        durable = endpoint.subscription_durable is True or endpoint.id in durable_ports
        for refusal in (_ANY, _DURABLE) if durable else (_ANY,):
            point = _deciding_point(points[key], endpoint.topic, refusal.keyword)
            if point is not None and point.value == refusal.value:
                manager = endpoint.queue_manager or ""
                found.setdefault((manager, point, refusal, endpoint.topic), {})[endpoint.name] = None
                break
    for (manager, point, refusal, topic), names in found.items():
        what = refusal.what.format(topic=topic)
        command = f"ALTER TOPIC('{point.name}') {refusal.keyword}({refusal.allowed})"
        yield Problem(
            kind="refused_subscription",
            path=point.path,
            line=point.line,
            column=point.column,
            text=f"{point.name} has {refusal.keyword}({refusal.value}), so {listed([*names])} {what}",
            next_step=f"If messages must be delivered: {command}",
            queue_manager=manager,
            object=point.name,
        )


def _deciding_point(points: Iterable[SubscriptionPoint], topic: str, keyword: str) -> SubscriptionPoint | None:
    """The nearest point at or above a topic string that has a value of its own; None where several disagree."""
    string = topic.strip().removesuffix("/")
    above = [
        point
        for point in points
        if point.keyword == keyword and (not point.topic_string or f"{string}/".startswith(f"{point.topic_string}/"))
    ]
    nearest = max((len(point.topic_string) for point in above), default=0)
    own = [point for point in above if len(point.topic_string) == nearest]
    return own[0] if len({point.value for point in own}) == 1 else None
