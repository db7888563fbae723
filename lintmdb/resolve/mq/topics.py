"""``topic`` rows: the administered points of the topic tree, and the model queues that each inherits.

Source: IBM MQ "DEFINE TOPIC", "DEFINE QMODEL" (DEFTYPE) and reason code 2522 MQRC_INVALID_DESTINATION.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from typing import NamedTuple

from lintmdb.exports.mq.commands import Command
from lintmdb.model.columns import mqsc_keywords
from lintmdb.model.origins import Located, behind, holder
from lintmdb.model.relations import ModelState, Topic
from lintmdb.resolve.mq.completeness import shows_every_attribute
from lintmdb.resolve.mq.definitions import Definitions
from lintmdb.resolve.mq.objects import DEFAULT_OBJECTS, MqObject

_ROOT = ""
_BASE_TOPIC = "SYSTEM.BASE.TOPIC"
_DEFAULT_SUBSCRIPTION = "SYSTEM.DEFAULT.SUB"
_COLUMNS = mqsc_keywords(Topic)
_STATES = {"durable_model_state": "MDURMDL", "nondurable_model_state": "MNDURMDL"}


class _ModelQueue(NamedTuple):
    """The model queue of a point; both None where it is not known."""

    name: str | None = None
    topic: MqObject | None = None
    """The topic object that names it, None where IBM supplies it."""


class _Switch(NamedTuple):
    """Whether a point lets applications subscribe; None where it is not known."""

    on: bool | None = None
    topic: MqObject | None = None
    """The topic object that says so, None where IBM supplies it."""


class _Point(NamedTuple):
    """What a point has itself or inherits, by the attribute of topic objects."""

    models: Mapping[str, _ModelQueue]
    switches: Mapping[str, _Switch]


_WORDS = {"SUB": ("ENABLED", "DISABLED"), "DURSUB": ("YES", "NO")}
"""The values that allow and forbid subscriptions."""
_SUPPLIED_SWITCHES = dict.fromkeys(_WORDS, _Switch(on=True))
_SUPPLIED_MODELS = {
    "MDURMDL": _ModelQueue("SYSTEM.DURABLE.MODEL.QUEUE"),
    "MNDURMDL": _ModelQueue("SYSTEM.NDURABLE.MODEL.QUEUE"),
}


def topic_rows(definitions: Definitions) -> Iterator[Topic]:
    """The administered points of the topic tree with what they inherit. The root is always one of them."""
    points, all_placed = administered_points(definitions)
    known = all_placed and _knows_all_topics(definitions)
    subscribed = _subscribed(definitions) if definitions.subscriptions_complete else {None}
    above: list[tuple[str, _Point]] = []
    for string in sorted(points, key=lambda string: string.split("/") if string else []):
        while above and above[-1][0] and not string.startswith(above[-1][0] + "/"):
            above.pop()
        inherited = above[-1][1] if above else _Point(_SUPPLIED_MODELS, _SUPPLIED_SWITCHES)
        models = {
            keyword: _model_queue(
                definitions, points[string], keyword, inherited.models[keyword] if known else _ModelQueue()
            )
            for keyword in _SUPPLIED_MODELS
        }
        switches = {
            keyword: _switch(definitions, points[string], keyword, inherited.switches[keyword] if known else _Switch())
            for keyword in _WORDS
        }
        above.append((string, _Point(models, switches)))
        yield Topic(
            queue_manager=definitions.queue_manager,
            topic_string=string,
            covers_below=known or None,
            durable_model=models["MDURMDL"].name,
            nondurable_model=models["MNDURMDL"].name,
            sub_enabled=switches["SUB"].on,
            durable_sub_enabled=switches["DURSUB"].on,
            durable_subscriptions=None if any(_may_be_below(topic, string) for topic in subscribed) else False,
            durable_model_state=_state(definitions, models["MDURMDL"].name, durable=True),
            nondurable_model_state=_state(definitions, models["MNDURMDL"].name),
            origins=_origins(definitions, points[string], models, switches),
        )


def _subscribed(definitions: Definitions) -> Set[str | None]:
    """The topics of the durable subscriptions that scripts leave when they have run, but for those whose queue somebody
    provided. None stands for a topic that is not known.
    """
    found: dict[str, str | None] = {}
    for file in definitions.files:
        for command in file.subscriptions:
            if command.verb == "DELETE":
                found.pop(command.name, None)
            elif command.name != _DEFAULT_SUBSCRIPTION and command.value("DESTCLAS").upper() != "PROVIDED":
                found[command.name] = _topic_of(definitions, command)
    return {*found.values()}


def _topic_of(definitions: Definitions, subscription: Command) -> str | None:
    name, string = subscription.value("TOPICOBJ").strip(), subscription.value("TOPICSTR").strip()
    if any(parameter.template for parameter, _ in subscription.parameters):
        return None
    if not name:
        return string or None
    topic = definitions.objects.get(("TOPIC", name))
    above = topic.values.get("TOPICSTR") if topic is not None else None
    return "/".join(filter(None, (above.text.strip(), string))) if above is not None else None


def _may_be_below(topic: str | None, point: str) -> bool:
    """Whether a topic may be at or below a point."""
    return topic is None or not point or f"{topic}/".startswith(f"{point}/")


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


def _state(definitions: Definitions, name: str | None, *, durable: bool = False) -> ModelState | None:
    """Whether the queue of a subscription can be made after what has the name of its model queue."""
    if name is None:
        return None
    queue = definitions.queue(name)
    if queue is None:
        return "not defined" if _is_absent(definitions, name) else None
    if queue.noun != "QMODEL":
        return "not a model queue"
    if not durable:
        return "usable"
    return _OF_TYPES.get((definitions.attributes.text(queue, "DEFTYPE") or "").upper())


_OF_TYPES: Mapping[str, ModelState] = {
    "TEMPDYN": "for temporary queues",
    "PERMDYN": "usable",
    "SHAREDYN": "usable",
}


def _is_absent(definitions: Definitions, name: str) -> bool:
    """Whether no queue has a name. People remove the SYSTEM objects from dumps, all of a type together."""
    if ("Q", name) in definitions.deleted:
        return True
    removed = name.startswith("SYSTEM.") and definitions.queue(DEFAULT_OBJECTS["QMODEL"]) is None
    return definitions.lists_queue(name) and not removed


def _switch(definitions: Definitions, topics: Sequence[MqObject], keyword: str, inherited: _Switch) -> _Switch:
    """Whether a point lets applications subscribe: what it says itself, or where it leaves that to its parent the
    inherited answer.
    """
    read = definitions.attributes
    texts = {(read.text(topic, keyword) or "").upper() for topic in topics}
    (text,) = texts if len(texts) == 1 else ("" if texts else "ASPARENT",)
    if text == "ASPARENT":
        return inherited
    allowed, forbidden = _WORDS[keyword]
    return _Switch(True if text == allowed else False if text == forbidden else None, topics[0])


def _origins(
    definitions: Definitions,
    topics: Sequence[MqObject],
    models: Mapping[str, _ModelQueue],
    switches: Mapping[str, _Switch],
) -> dict[str, Located]:
    origins: dict[str, Located] = {}
    for column, keyword in _COLUMNS.items():
        topic = (models if keyword in models else switches)[keyword].topic
        if topic is not None:
            origins.update(definitions.attributes.origins(topic, {column: keyword}))
            if keyword in switches:
                origins[holder(column)] = topic.definition()
    for column, keyword in _STATES.items():
        name = models[keyword].name
        queue, deletion = definitions.queue(name or ""), definitions.deletion(name)
        if queue is not None and queue.noun == "QMODEL":
            origins.update(definitions.attributes.origins(queue, {column: "DEFTYPE"}))
            origins[holder(column)] = queue.definition()
        elif queue is not None:
            origins[column] = queue.definition()
        elif deletion is not None:
            origins[behind(column)] = deletion
    if topics:
        origins["name"] = topics[0].definition()
    return origins
