"""What an activation specification of Liberty says in words of its own, to the columns of ``endpoint``.

IBM MQ's page on Liberty (q132530): maxSequentialDeliveryFailures is how many failures in a row the endpoint bears: with
0 it pauses at the first one, with 1 at the second; a negative value, as the default, never pauses it. Liberty reads it
from version 18.0.0.4 on, and not where the resource adapter is installed with ``<resourceAdapter>``.
"""

from __future__ import annotations

from collections.abc import Mapping

from lintmdb.exports.was.objects import ActivationSpec
from lintmdb.model.origins import Setting
from lintmdb.resolve.was.columns import INT_MAX, Columns

PRODUCT = "Liberty"
"""Whose the defaults are."""
CONCURRENCY = 5
"""maxConcurrency of properties.wasJms, where it is not set."""
CONNECTIONS = 50
"""maxConnections of IBM MQ's resource adapter, where it is not set."""
_LIMIT = "maxSequentialDeliveryFailures"


def pause(columns: Columns, spec: ActivationSpec, settings: Mapping[str, Setting]) -> None:
    """Whether failures pause an endpoint, and how many it bears."""
    columns.put("failure_limit_ignored", False)
    written = settings.get(_LIMIT)
    if written is None or not written.value.strip():
        text = f"{_LIMIT} not set: -1, which never pauses the endpoint, is Liberty's default"
        columns.put("stop_on_failure", False, spec.origin._replace(text=text, default=True))
        columns.put("failure_threshold", None)
        return
    columns.integer("failure_threshold", settings, _LIMIT, default=None, low=-INT_MAX)
    number = columns.number("failure_threshold")
    pauses = None if number is None else number >= 0
    if spec.generic_adapter:
        columns.put("failure_limit_ignored", pauses, written.origin)
        pauses = False
    columns.put("stop_on_failure", pauses, written.origin)


def initial_state(columns: Columns, spec: ActivationSpec) -> None:
    """Whether an endpoint starts with its server (autoStart)."""
    columns.boolean("auto_start", spec.attributes, "autoStart", default=True)
    starts, origin = columns.values.pop("auto_start"), columns.origins.pop("auto_start", None)
    state = {True: "started", False: "stopped"}.get(starts) if isinstance(starts, bool) else None
    columns.put("initial_state", state, origin)
