"""Definitions of a JNDI name at a wider scope, hidden by the one that a server sees first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from lintmdb.exports.was.objects import ActivationSpec, ConnectionFactory, JmsDestination
from lintmdb.model.origins import Setting
from lintmdb.model.relations import Problem

Resource = ActivationSpec | ConnectionFactory | JmsDestination
_DECIDING = frozenset(
    {
        "AutoStopSequentialMessageFailure",
        "BusName",
        "QueueName",
        "TopicSpace",
        "WAS_EndpointInitialState",
        "authenticationAlias",
        "autoStopSequentialMessageFailure",
        "baseQueueManagerName",
        "baseQueueName",
        "baseTopicName",
        "busName",
        "ccdtURL",
        "channel",
        "clientID",
        "clientId",
        "connectionFactoryLookup",
        "connectionNameList",
        "containerAuthDataAlias",
        "destination",
        "destinationJndiName",
        "destinationLookup",
        "destinationType",
        "failingMessageDelay",
        "host",
        "hostName",
        "maxBatchSize",
        "maxConcurrency",
        "maxPoolDepth",
        "nonASFRollbackEnabled",
        "nonASFTimeout",
        "port",
        "providerVersion",
        "queueManager",
        "subscriptionDurability",
        "subscriptionName",
        "transportType",
        "was_failureDeliveryCount",
        "was_stopEndpointIfDeliveryFails",
    }
)
"""The settings on which the path of a message and what happens to it depend."""


_DESCRIPTION = 120
"""The most characters of a description that a notice quotes."""


def tell_hidden(cell: str | None, jndi: str, used: Resource, hidden: Resource) -> Iterator[Problem]:
    """One Problem where a hidden definition would give other values than the one in use."""
    different = list(_differences(_settings(used), _settings(hidden)))
    if not different:
        return
    place = f"{hidden.origin.path}:{hidden.origin.line}"
    described = _settings(hidden).get("description")
    words = " ".join(described.value.split()) if described is not None else ""
    words = f"{words[:_DESCRIPTION]} ..." if len(words) > _DESCRIPTION else words
    says = f". The description of the hidden one: {words}" if words else ""
    yield Problem(
        kind="hidden_definition",
        path=used.origin.path,
        line=used.origin.line,
        column=used.origin.column,
        text=f"{_noun(used)} {used.name} of {used.scope.words} wins over {jndi} of {hidden.scope.words},"
        f" which is hidden and differs: {', '.join(different)} ({place}){says}",
        next_step=(
            "If the hidden one is no longer used, remove it. If the wrong one wins, correct the definition that wins,"
            " or remove that"
        ),
        cell=cell,
        object=f"{jndi} {hidden.scope.words}",
    )


def _settings(resource: Resource) -> Mapping[str, Setting]:
    return {**resource.settings, **resource.attributes} if isinstance(resource, ActivationSpec) else resource.settings


def _noun(resource: Resource) -> str:
    if isinstance(resource, JmsDestination):
        return f"JMS {resource.type}"
    return "activation specification" if isinstance(resource, ActivationSpec) else "connection factory"


def _differences(used: Mapping[str, Setting], hidden: Mapping[str, Setting]) -> Iterator[str]:
    for name in sorted(_DECIDING & {*used, *hidden}):
        here, there = (found[name].value.strip() if name in found else "" for found in (used, hidden))
        if here != there:
            yield f"{name.removeprefix('was_')} {here or '(not set)'}, hidden {there or '(not set)'}"
