"""``topic`` rows: the administered points of the topic tree, and the model queues that each inherits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from lintmdb.model.columns import mqsc_keywords
from lintmdb.model.origins import Located
from lintmdb.model.relations import Topic
from lintmdb.resolve.mq.completeness import shows_every_attribute
from lintmdb.resolve.mq.definitions import Definitions
from lintmdb.resolve.mq.objects import DEFAULT_OBJECTS, MqObject, omits

_ROOT = ""
_BASE_TOPIC = "SYSTEM.BASE.TOPIC"
_COLUMNS = mqsc_keywords(Topic)


class _ModelQueue(NamedTuple):
    """The model queue of a point; both None where it is not known."""

    name: str | None = None
    topic: MqObject | None = None
    """The topic object that names it, None where IBM supplies it."""


_SUPPLIED_MODELS = {
    "MDURMDL": _ModelQueue("SYSTEM.DURABLE.MODEL.QUEUE"),
    "MNDURMDL": _ModelQueue("SYSTEM.NDURABLE.MODEL.QUEUE"),
}


def topic_rows(definitions: Definitions) -> Iterator[Topic]:
    """The administered points of the topic tree with what they inherit. The root is always one of them."""
    points, all_placed = administered_points(definitions)
    known = all_placed and _knows_all_topics(definitions)
    above: list[tuple[str, Mapping[str, _ModelQueue]]] = []
    for string in sorted(points, key=lambda string: string.split("/") if string else []):
        while above and above[-1][0] and not string.startswith(above[-1][0] + "/"):
            above.pop()
        inherited = above[-1][1] if above else _SUPPLIED_MODELS
        models = {
            keyword: _model_queue(definitions, points[string], keyword, inherited[keyword] if known else _ModelQueue())
            for keyword in _SUPPLIED_MODELS
        }
        above.append((string, models))
        yield Topic(
            queue_manager=definitions.queue_manager,
            topic_string=string,
            covers_below=known or None,
            durable_model=models["MDURMDL"].name,
            nondurable_model=models["MNDURMDL"].name,
            origins=_origins(definitions, points[string], models),
        )


class SubscriptionPoint(NamedTuple):
    """What a topic object says of subscriptions at its topic string and below."""

    topic_string: str
    keyword: str
    """``DURSUB`` or ``SUB``."""
    value: str
    """In upper case; blank where it is not known."""
    name: str
    """Of the topic object."""
    path: str
    line: int
    column: int


def subscription_points(definitions: Definitions) -> tuple[SubscriptionPoint, ...]:
    """The topic objects that have DURSUB and SUB of their own, not from their parents (ASPARENT); none where it is not
    known which topic objects there are.
    """
    points, all_placed = administered_points(definitions)
    if not (all_placed and _knows_all_topics(definitions)):
        return ()
    return tuple(
        [
            _subscription_point(string, topic, keyword, value)
            for string, topics in points.items()
            for topic in topics
            for keyword in ("DURSUB", "SUB")
            if not omits(topic, keyword)
            and (value := (definitions.attributes.text(topic, keyword) or "").upper()) != "ASPARENT"
        ]
    )


def _subscription_point(string: str, topic: MqObject, keyword: str, value: str) -> SubscriptionPoint:
    found = topic.values.get(keyword)
    place = found.origin if found is not None else topic.definition()
    return SubscriptionPoint(string, keyword, value, topic.name, place.path, place.line, place.column)


def administered_points(definitions: Definitions) -> tuple[dict[str, list[MqObject]], bool]:
    """Topic objects by topic string, and whether the place of every one of them is known."""
    points: dict[str, list[MqObject]] = {_ROOT: []}
    all_placed = True
    for topic in definitions.of_kind("TOPIC"):
        if topic.name == DEFAULT_OBJECTS["TOPIC"]:
            continue
        found = topic.values.get("TOPICSTR")
        if topic.name == _BASE_TOPIC:
            points[_ROOT].append(topic)
        elif found is None or found.parameter.template or found.text.strip() == "/":
            all_placed = False
        else:
            # The queue manager drops a slash at the end.
            points.setdefault(found.text.strip().removesuffix("/"), []).append(topic)
    return points, all_placed


def _knows_all_topics(definitions: Definitions) -> bool:
    """Whether no further topic object can come between a topic and its parent; a cluster may add some."""
    if not definitions.complete or definitions.clustered:
        return False
    return shows_every_attribute(definitions.files) or ("TOPIC", _BASE_TOPIC) in definitions.objects


def _model_queue(
    definitions: Definitions, topics: Sequence[MqObject], keyword: str, inherited: _ModelQueue
) -> _ModelQueue:
    """The model queue of a point: its own, or where that is blank the inherited one."""
    names = {definitions.attributes.text(topic, keyword) for topic in topics} or {""}
    if len(names) > 1 or None in names:
        return _ModelQueue()
    name = names.pop()
    return _ModelQueue(name, topics[0]) if name else inherited


def _origins(
    definitions: Definitions, topics: Sequence[MqObject], models: Mapping[str, _ModelQueue]
) -> dict[str, Located]:
    origins: dict[str, Located] = {}
    for column, keyword in _COLUMNS.items():
        topic = models[keyword].topic
        if topic is not None:
            origins.update(definitions.attributes.origins(topic, {column: keyword}))
    if topics:
        origins["name"] = topics[0].definition()
    return origins
