"""``bean`` rows: message-driven beans at the endpoint that they are bound to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal, NamedTuple

from lintmdb.exports.was.objects import MessageDrivenBean
from lintmdb.model.origins import Located
from lintmdb.model.relations import Bean, Endpoint, Server
from lintmdb.resolve.observations import Observations
from lintmdb.resolve.was.columns import Columns
from lintmdb.resolve.was.endpoints import parse_durability

_TRANSACTIONS: Mapping[str, Literal["required", "not_supported", "bean"]] = {
    "required": "required",
    "notsupported": "not_supported",
    "bean": "bean",
}


class DeployedBean(NamedTuple):
    """A bean in its application."""

    application: str | None
    module: str
    bean: MessageDrivenBean


class Timeout(NamedTuple):
    """How long the container transaction of a bean lives, and the setting that decides; None where not known."""

    milliseconds: int | None = None
    origin: Located | None = None


def bean_row(
    cell: str | None, endpoint: Endpoint, deployed: DeployedBean, timeout: Timeout, observed: Observations
) -> Bean:
    """The row of a bean at one endpoint. ``observed`` may hold how long its onMessage takes."""
    application, module, bean = deployed
    origins: dict[str, Located] = {"name": bean.origin}
    if timeout.origin is not None:
        origins["transaction_timeout_ms"] = timeout.origin
    transaction = None
    if bean.transaction is not None:
        transaction = _TRANSACTIONS.get(bean.transaction.value.strip().lower())
        origins["transaction"] = bean.transaction.origin
    elif bean.transaction_default:
        transaction = "required"
        text = "transaction attribute not set: Required is the default"
        origins["transaction"] = bean.origin._replace(text=text, default=True)
    time = observed.bean_time(application, module, bean.name, endpoint.name)
    if time is not None:
        origins["on_message_ms"] = time[1]
    row = Bean(
        id=f"{cell or ''}/{application or ''}/{module}/{bean.name}",
        endpoint_id=endpoint.id,
        application=application,
        module=module,
        name=bean.name,
        transaction=transaction,
        transaction_timeout_ms=timeout.milliseconds,
        on_message_ms=time[0] if time else None,
        origins=origins,
    )
    if endpoint.kind != "listener_port":
        return row
    row = _with_selector(row, bean)
    return _with_durability(row, bean) if endpoint.destination_type == "topic" else row


def _with_selector(row: Bean, bean: MessageDrivenBean) -> Bean:
    """A bean of a listener port, with whether its descriptor has a message selector."""
    setting = bean.activation_config.get("messageSelector")
    if setting is None and not bean.no_annotations:
        return row
    located = setting.origin if setting else bean.origin._replace(text="message selector not set", default=True)
    selects = setting is not None and bool(setting.value.strip())
    return replace(row, selects=selects, origins={**row.origins, "selects": located})


def _with_durability(row: Bean, bean: MessageDrivenBean) -> Bean:
    """A bean of a listener port, with what its descriptor says of its subscription."""
    setting = bean.subscription_durability
    if setting is not None:
        origins = {**row.origins, "subscription_durable": setting.origin}
        return replace(row, subscription_durable=parse_durability(setting.value), origins=origins)
    if not bean.no_annotations:
        return row
    origin = bean.origin._replace(text="subscription durability not set: NonDurable is the default", default=True)
    return replace(row, subscription_durable=False, origins={**row.origins, "subscription_durable": origin})


def transaction_timeout(
    bean: MessageDrivenBean, server: Server | None, endpoint: Columns, *, fully_read: bool
) -> Timeout:
    """The timeout of a bean's transaction. ``fully_read``: what its descriptors do not say is not said anywhere."""
    if server is None:
        return Timeout()
    general = Timeout(server.effective_timeout_ms, server.origins.get("effective_timeout_ms"))
    receive = endpoint.values.get("non_asf_timeout_ms")
    setting = bean.transaction_timeout_s
    if receive or (setting is None and fully_read):
        # In non-ASF mode the receive call starts the transaction, before it is known which bean is called.
        return general
    if setting is None or receive is None:
        return Timeout()
    columns = Columns(
        f"bean {bean.name}", bean.origin, endpoint.scope, endpoint.variables, endpoint.problems, endpoint.cell
    )
    columns.integer("own", {"transaction timeout": setting}, "transaction timeout", default=None, scale=1000)
    own, maximum = columns.number("own"), server.maximum_timeout_ms
    if own == 0:
        return general
    if own is None or maximum is None:
        return Timeout(None, setting.origin if own is None else server.origins.get("maximum_timeout_ms"))
    if 0 < maximum < own:
        return Timeout(maximum, server.origins.get("maximum_timeout_ms"))
    return Timeout(own, setting.origin)
