"""Whether an endpoint gets as far as reading: its channel, its connection, and the queue that it opens.

Sources: IBM MQ "Channel authentication records", "Maximum instances (MAXINST)", "DEFINE TOPIC" (DURSUB and SUB), reason
code 2522 MQRC_INVALID_DESTINATION and "Objects used by JMS that require authorization for non-privileged users".
"""

from __future__ import annotations

from collections.abc import Mapping

from lintmdb.delivery.interpretations import Interpretation
from lintmdb.delivery.non_asf import in_non_asf_mode
from lintmdb.delivery.outcome import Story
from lintmdb.delivery.values import Values
from lintmdb.model.word_lists import listed

_UNREADABLE: Mapping[str, str] = {
    "not_set": "is not named",
    "not_defined": "is not defined",
    "dangling": "is an alias whose target is not defined",
    "remote": "is a remote queue or an alias of one",
    "wrong_base": "is an alias of an alias or of a model queue",
    "topic": "is an alias of a topic",
    "model": "is a model queue, from which each reader gets a new queue",
}
"""Why there is nothing to read from what the destination names."""


def is_shut_out(values: Values, interpretation: Interpretation, story: Story) -> bool:
    """Whether the endpoint cannot connect, or cannot open what it reads; the story then says why.

    What no export contains is assumed to work.
    """
    event = _no_connection(values) or _no_subscription(values) or _no_queue(values) or _no_right(values, interpretation)
    if event in _MODEL_EVENTS.values():
        kind = "durable_model" if event == _MODEL_EVENTS[True] else "nondurable_model"
        story.add(
            "queue manager",
            event,
            endpoint=values.shown("endpoint.name", "the endpoint"),
            topic=values.shown("endpoint.topic", "its topic"),
            queue=values.shown(f"topic.{kind}", "its model queue"),
            why=values.shown(f"topic.{kind}_state", ""),
        )
    elif event:
        story.add(
            "queue manager",
            event,
            endpoint=values.shown("endpoint.name", "the endpoint"),
            user=values.shown("authority.user", "of the endpoint"),
            channel=values.shown("endpoint.channel", "the channel"),
            queue=values.shown("endpoint.queue", values.shown("queue.name", "the queue")),
            queue_manager=values.shown("endpoint.queue_manager", "its queue manager"),
            topic=values.shown("endpoint.topic", "its topic"),
            why=_UNREADABLE.get(values.shown("endpoint.queue_resolution", ""), ""),
            rights=listed(_lacking_rights(values, interpretation)) if event == "open_refused" else "",
            record=values.shown("channel_access.record", "a channel authentication record"),
            authentication=values.shown("channel_access.authentication", "connection authentication"),
        )
    return bool(event)


def _no_connection(values: Values) -> str:
    if values.maybe("endpoint.channel_resolution") == "not_defined":
        return "channel_not_defined"
    barred = values.maybe("channel_access.blocks_administrators") is True
    if values.maybe("channel_access.blocked") is True or (barred and values.maybe("authority.administrator") is True):
        return "channel_blocked"
    if values.maybe("channel_access.requires_password") is True and values.maybe("endpoint.gives_password") is False:
        # It is not certain which user the check of administrators looks at.
        alone = values.maybe("channel_access.asks_administrators") is not False
        if not alone or values.maybe("authority.administrator") is True:
            return "password_missing"
    # A channel that a factory names in bindings mode has no part in the connection.
    if values.maybe("endpoint.transport") == "client":
        if values.maybe("channel.max_instances") == 0:
            return "no_instances"
        if values.maybe("channel.max_instances_per_client") == 0:
            return "no_client_instances"
    return "connect_refused" if values.maybe("authority.connect") is False else ""


def _no_subscription(values: Values) -> str:
    """Raises UnknownValueError where nothing says which kind of subscription this is, and only one kind fails."""
    if values.maybe("endpoint.destination_type") != "topic":
        return ""
    if values.maybe("topic.sub_enabled") is False:
        return "subscription_refused"
    failing = {
        durable: event for durable, event in _MODEL_EVENTS.items() if values.maybe(_MODELS[durable]) in _UNUSABLE
    }
    if failing and not _is_managed(values):
        failing = {}
    if values.maybe("topic.durable_sub_enabled") is False:
        failing[True] = "durable_subscription_refused"
    if not failing:
        return ""
    holder = "bean" if values.text("endpoint.kind") == "listener_port" else "endpoint"
    durable = values.boolean(f"{holder}.subscription_durable")
    # An endpoint goes on with the durable subscription that it has made before.
    if durable and True in failing and values.boolean("topic.durable_subscriptions"):
        return ""
    return failing.get(durable, "")


_MODEL_EVENTS = {True: "durable_queue_not_made", False: "subscription_queue_not_made"}
_MODELS = {True: "topic.durable_model_state", False: "topic.nondurable_model_state"}
_UNUSABLE = ("not defined", "not a model queue", "for temporary queues")


def _is_managed(values: Values) -> bool:
    """Whether the queue manager makes the queue of a subscription after a model queue. In migration mode it does not;
    a client whose channel shares no conversations falls back to that mode.
    """
    if values.boolean("endpoint.migration_mode"):
        return False
    return values.maybe("endpoint.transport") != "client" or values.maybe("channel.sharing_conversations") != 0


def _no_queue(values: Values) -> str:
    return "queue_not_readable" if values.maybe("endpoint.queue_resolution") in _UNREADABLE else ""


def _no_right(values: Values, interpretation: Interpretation) -> str:
    return "open_refused" if _lacking_rights(values, interpretation) else ""


def _lacking_rights(values: Values, interpretation: Interpretation) -> list[str]:
    """The rights without which the queue cannot be opened and that the user does not have."""
    lacking = [right for right in ("get", "inq") if values.maybe(f"authority.source_{right}") is False]
    if values.maybe("authority.source_browse") is not False:
        return lacking
    # In ASF mode a session looks for messages and others get them. Where another right is lacking, too, the mode need
    # not be known.
    asf = values.maybe("endpoint.non_asf_timeout_ms") == 0 if lacking else not in_non_asf_mode(values, interpretation)
    return [*lacking, "browse"] if asf else lacking
