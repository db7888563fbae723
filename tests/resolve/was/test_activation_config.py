"""What a bean's activation-config says of an endpoint, against the same property of the activation specification."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest

from lintmdb.exports.was.resources import ALWAYS_PACKED, PROPERTIES
from lintmdb.model.relations import Endpoint
from tests.support.variant import Variant

RESOURCES = "was/cells/C1/nodes/node1/servers/server1/resources.xml"
MODULE = "was/cells/C1/applications/Orders.ear/deployments/Orders/orders.jar/META-INF/"
_TOPIC = {"destinationType": "javax.jms.Topic", "subscriptionDurability": "Durable"}
_MQ_TOPIC = _TOPIC | {"destination": "prices", "useJNDI": "false"}
_QUEUES = {
    "clean": {
        "destination": "jms/q/Other",
        "destinationType": "javax.jms.Topic",
        "destinationLookup": "jms/q/Other",
        "connectionFactoryLookup": "jms/cf/Other",
        "useJNDI": "false",
        "maxPoolDepth": "3",
        "queueManager": "QM2",
        "hostName": "other.example.net",
        "port": "1500",
        "channel": "OTHER.SVRCONN",
        "transportType": "BINDINGS",
        "connectionNameList": "other.example.net(1500)",
        "ccdtURL": "file:///tables/other.json",
        "nonASFTimeout": "110000",
        "nonASFRollbackEnabled": "false",
        "startTimeout": "500",
        "providerVersion": "6",
        "messageRetention": "NO",
        "messageSelector": "kind = 'A'",
        "failIfQuiesce": "false",
        "userName": "other",
        "securityExit": "com.example.Exit",
    },
    "bus-endpoint-stops": {
        "busName": "OtherBus",
        "maxConcurrency": "3",
        "maxBatchSize": "4",
        "AutoStopSequentialMessageFailure": "9",
        "autoStopSequentialMessageFailure": "9",
        "failingMessageDelay": "700",
    },
}
_SUBSCRIPTIONS = {
    "subscriptionDurability": "NonDurable",
    "subscriptionName": "OTHER",
    "clientId": "other",
    "cloneSupport": "ENABLED",
    "sharedSubscription": "true",
}
_BUS_SUBSCRIPTIONS = {"shareDurableSubscriptions": "NeverShared"}
_OF_OTHER_OBJECTS = {
    "QueueName", "TopicName", "TopicSpace", "BusName",
    "reconnectionRetryCount", "reconnectionRetryInterval", "maxConnections",
}  # fmt: skip
_OF_THE_SERVER = {*ALWAYS_PACKED, "arbitraryProperties", "NON.ASF.RECEIVE.TIMEOUT"}


def _in_bean(variant: Variant, name: str, value: str) -> Variant:
    config = (
        f"<activation-config><activation-config-property><activation-config-property-name>{name}"
        f"</activation-config-property-name><activation-config-property-value>{value}"
        "</activation-config-property-value></activation-config-property></activation-config></message-driven>"
    )
    return variant.edit(MODULE + "ejb-jar.xml", "</message-driven>", config)


def _in_specification(variant: Variant, name: str, value: str) -> Variant:
    path = variant.folder / RESOURCES
    text = re.sub(
        rf'\s*<resourceProperties [^>]*name="{name}"[^>]*/>', "", path.read_text("utf-8"), flags=re.IGNORECASE
    )
    own = f'<resourceProperties name="{name}" value="{value}"/></j2cActivationSpec>'
    path.write_text(text.replace("</j2cActivationSpec>", own), "utf-8")
    return variant


def _values(variant: Variant) -> dict[str, object]:
    row: Endpoint = variant.row("endpoint")
    return {field.name: getattr(row, field.name) for field in fields(row) if field.name != "origins"}


def _assert_alike(tmp_path: Path, scenario: str, name: str, value: str, others: dict[str, str]) -> None:
    found: list[dict[str, object]] = []
    for change in (_in_bean, _in_specification):
        variant = Variant(tmp_path / change.__name__, scenario)
        for other, known in others.items():
            _in_specification(variant, other, known)
        found.append(_values(change(variant, name, value)))
    assert found[0] == found[1]


@pytest.mark.parametrize(
    ("scenario", "name", "value"),
    [(scenario, *named) for scenario, values in _QUEUES.items() for named in values.items()],
)
def test_a_bean_overrides_every_property(tmp_path: Path, scenario: str, name: str, value: str) -> None:
    """A property of the bean counts as the same property of its activation specification would."""
    _assert_alike(tmp_path, scenario, name, value, {})


@pytest.mark.parametrize(("name", "value"), _SUBSCRIPTIONS.items())
def test_a_bean_overrides_every_property_of_a_subscription(tmp_path: Path, name: str, value: str) -> None:
    """What a bean says of its subscription to a topic of IBM MQ counts, too."""
    _assert_alike(tmp_path, "clean", name, value, _MQ_TOPIC)


@pytest.mark.parametrize(("name", "value"), _BUS_SUBSCRIPTIONS.items())
def test_a_bean_overrides_every_property_of_a_bus_subscription(tmp_path: Path, name: str, value: str) -> None:
    """What a bean says of its subscription to a topic space of the bus counts, too."""
    _assert_alike(tmp_path, "bus-endpoint-stops", name, value, _TOPIC | {"destinationLookup": "jms/t/Elsewhere"})


def test_every_property_is_compared() -> None:
    """No property of an activation specification that lintmdb reads is left out of the comparison."""
    compared = {name for values in _QUEUES.values() for name in values} | {*_SUBSCRIPTIONS, *_BUS_SUBSCRIPTIONS}
    assert compared == PROPERTIES - _OF_OTHER_OBJECTS - _OF_THE_SERVER


@pytest.mark.parametrize("name", ALWAYS_PACKED)
def test_what_the_server_reads_is_no_property_of_a_bean(tmp_path: Path, name: str) -> None:
    """What stops or starts an endpoint is no property of the adapter's class, so a bean cannot set it."""
    unchanged = _values(Variant(tmp_path / "unchanged", "stop-5-bothresh-1"))
    changed = _values(_in_bean(Variant(tmp_path / "bean", "stop-5-bothresh-1"), name, "INACTIVE"))
    assert changed == unchanged


def test_a_bean_names_the_bus(tmp_path: Path) -> None:
    """Where the JMS queue names no bus, the bus that the bean names has the destination that it reads."""
    variant = Variant(tmp_path, "bus-exception-none")
    path = variant.folder / RESOURCES
    text = re.sub(r'\s*<properties [^>]*name="BusName"[^>]*/>', "", path.read_text("utf-8"))
    path.write_text(text, "utf-8")
    assert _values(_in_bean(variant, "busName", "OtherBus"))["destination_id"] == "C1/OtherBus/ORDERS.IN"
