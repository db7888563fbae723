"""Connections, subscriptions and destinations of the bus, as the rules on what several beans share read them."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintmdb.model.relations import Bean, Destination, Endpoint
from tests.resolve.was.test_sessions import DEPLOYED, SPEC_BINDING, with_beans
from tests.resolve.was.test_settings import BUS, INDEX, METADATA, MODULE, RESOURCES, Variant

QUEUE = '<sibresources:SIBQueue identifier="{}" exceptionDestination="{}"{}/>'
STOCK = "<deployedApplications>Stock.ear/deployments/Stock</deployedApplications>"
SELECTOR = (
    "<activation-config><activation-config-property>"
    "<activation-config-property-name>messageSelector</activation-config-property-name>"
    "<activation-config-property-value>a = 1</activation-config-property-value>"
    "</activation-config-property></activation-config>"
)
RETENTION = 'name="messageRetention" type="java.lang.String" value="YES"'


@pytest.mark.parametrize(
    ("version", "property_", "expected"),
    [
        ("9.0.5.14", "", 50),
        ("8.0.0.15", "", 10),
        ("9.0.5.14", '<resourceProperties name="maxConnections" value="3"/>', 3),
        ("soon", "", None),
    ],
)
def test_connections_of_the_resource_adapter(
    tmp_path: Path, version: str, property_: str, expected: int | None
) -> None:
    """maxConnections as it is set, else as WebSphere has it in its templates; every bean at the scope counts."""
    variant = with_beans(Variant(tmp_path, "clean"), 3, SPEC_BINDING)
    variant.edit(METADATA, "baseProductVersion=9.0.5.14", f"baseProductVersion={version}")
    end = "</resources.j2c:J2CResourceAdapter>"
    variant.edit(RESOURCES, end, f"<propertySet>{property_}</propertySet>{end}")
    row: Endpoint = variant.row("endpoint")
    assert (row.adapter_connections_max, row.adapter_beans) == (expected, 3)


def test_beans_on_shared_connections_need_every_application(tmp_path: Path) -> None:
    """With an application that was not exported nobody knows how many beans there are."""
    variant = Variant(tmp_path, "connection-pool-short")
    row: Endpoint = variant.row("endpoint")
    assert (row.connection_pool_beans, row.connection_pool_max) == (2, 1)
    variant.edit(INDEX, DEPLOYED, DEPLOYED + STOCK)
    row = variant.row("endpoint")
    assert row.connection_pool_beans is None


@pytest.mark.parametrize(("value", "expected"), [("NO", False), ("no", False), ("YES", True), ("perhaps", None)])
def test_message_retention(tmp_path: Path, value: str, expected: bool | None) -> None:
    """YES or NO, in any case; the default is to retain."""
    row: Endpoint = (
        Variant(tmp_path, "clean").edit(RESOURCES, RETENTION, RETENTION.replace("YES", value)).row("endpoint")
    )
    assert row.message_retention is expected


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        ("", False),
        ("<message-selector>region = 'north'</message-selector>", True),
        (
            SELECTOR,
            True,
        ),
    ],
)
def test_selectors_of_beans_of_a_listener_port(tmp_path: Path, config: str, expected: bool) -> None:
    """In the form of EJB 2.0 or of 2.1."""
    variant = Variant(tmp_path, "listener-port-retries-0")
    variant.edit(MODULE + "ejb-jar.xml", "</message-driven>", f"{config}</message-driven>")
    row: Bean = variant.row("bean")
    assert row.selects is expected


@pytest.mark.parametrize(
    ("exception", "others", "beans", "expected"),
    [
        ("ORDERS.IN", "", 1, True),
        ("AWAY", QUEUE.format("AWAY", "ORDERS.IN", ""), 1, False),
        ("READ", QUEUE.format("READ", "ORDERS.IN", ""), 2, True),
        ("READ", QUEUE.format("READ", "", ""), 2, False),
        ("READ", QUEUE.format("READ", "ORDERS.IN", ' sendAllowed="false"'), 2, False),
        ("READ", QUEUE.format("READ", "READ", ""), 2, False),
        ("NOWHERE", "", 1, False),
        ("$DEFAULT_EXCEPTION_DESTINATION", "", 1, False),
    ],
)
def test_exception_destinations_in_a_circle(
    tmp_path: Path, exception: str, others: str, beans: int, expected: bool
) -> None:
    """A circle needs a reader on every further link, that takes messages and sends them on."""
    variant = _two_queues(tmp_path, exception, others, beans)
    rows = variant.run().estate.facts.rows["destination"]
    loops = {row.name: row.exception_loops for row in rows if isinstance(row, Destination)}
    assert loops["ORDERS.IN"] is expected


def test_a_circle_is_not_known_without_every_application(tmp_path: Path) -> None:
    """Where an application was not exported it may read the exception destination and send messages back."""
    variant = _two_queues(tmp_path, "AWAY", QUEUE.format("AWAY", "ORDERS.IN", ""), 1)
    variant.edit(INDEX, DEPLOYED, DEPLOYED + STOCK)
    assert variant.run().undecided["MDB515"] == ["ORDERS.IN @ OrdersBus"]


def _two_queues(tmp_path: Path, exception: str, others: str, beans: int) -> Variant:
    """ORDERS.IN with an exception destination, and a second bean that reads READ."""
    variant = Variant(tmp_path, "bus-exception-none")
    variant.edit(BUS, 'exceptionDestination=""', f'exceptionDestination="{exception}"')
    variant.edit(BUS, "</xmi:XMI>", others + "</xmi:XMI>")
    jms = (
        '<j2cAdminObjects name="ReadQ" jndiName="jms/q/Read"><properties name="QueueName" value="READ"/>'
        '<properties name="BusName" value="OrdersBus"/></j2cAdminObjects>'
    )
    end = "</resources.j2c:J2CResourceAdapter>"
    variant.edit(RESOURCES, end, jms + end)
    binding = '<jca-adapter activation-spec-binding-name="jms/as/Orders" destination-binding-name="jms/q/Read"/>'
    return with_beans(variant, beans, binding)


@pytest.mark.parametrize(
    ("properties", "lacks", "shared"),
    [
        ({}, "subscription name", False),
        ({"subscriptionName": "s"}, "client id", False),
        ({"subscriptionName": "s", "clientId": "c"}, "nothing", False),
        ({"subscriptionName": "s", "clientId": "c", "cloneSupport": "ENABLED"}, "nothing", True),
        ({"subscriptionName": "s", "sharedSubscription": "true"}, "nothing", True),
        ({"subscriptionName": "${NO}", "clientId": "c"}, None, False),
    ],
)
def test_durable_subscriptions(tmp_path: Path, properties: dict[str, str], lacks: str | None, shared: bool) -> None:
    """A name and a client id, but for a shared subscription of JMS 2.0, which needs no client id."""
    variant = Variant(tmp_path, "clean")
    variant.edit(RESOURCES, '"javax.jms.Queue" required="true"', '"javax.jms.Topic" required="true"')
    variant.edit(
        RESOURCES,
        'name="destination" type="java.lang.String" value="jms/q/Orders"',
        'name="destination" value="prices"',
    )
    variant.edit(RESOURCES, 'name="useJNDI" type="boolean" value="true"', 'name="useJNDI" type="boolean" value="false"')
    variant.edit(
        RESOURCES,
        '<resourceProperties xmi:id="J2EEResourceProperty_1183122131098" name="clientId" '
        'type="java.lang.String" required="false"/>',
        "",
    )
    added = {"subscriptionDurability": "Durable"} | properties
    text = "".join(f'<resourceProperties name="{name}" value="{value}"/>' for name, value in added.items())
    variant.edit(RESOURCES, "</j2cActivationSpec>", text + "</j2cActivationSpec>")
    row: Endpoint = variant.row("endpoint")
    assert (row.subscription_durable, row.subscription_lacks, row.subscription_shared) == (True, lacks, shared)
