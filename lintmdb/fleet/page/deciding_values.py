"""The values that decide a hazard, as people who keep queues and servers write them: equal words are an equal cause."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, cast

from lintmdb.delivery.wording import duration
from lintmdb.rules.conditions import VOCABULARY

_MQSC = {
    "backout_threshold": "BOTHRESH",
    "backout_queue": "BOQNAME",
    "dead_letter_queue": "DEADQ",
    "max_message_bytes": "MAXMSGL",
    "max_depth": "MAXDEPTH",
    "default_open": "DEFSOPT",
    "max_instances": "MAXINST",
    "max_instances_per_client": "MAXINSTC",
}
_MQSC_ALIASES = {"queue": "", "backout": "backout queue ", "dead_letter": "dead-letter queue ", "queue_manager": ""} | {
    "channel": "",
    "subscription_model": "model queue ",
}
_MQSC_FLAGS = {
    "queue.harden_backout": ("NOHARDENBO", "HARDENBO"),
    "queue.shareable": ("NOSHARE", "SHARE"),
    "queue.shared_disposition": ("QSGDISP(QMGR)", "QSGDISP(SHARED)"),
    "queue.default_persistence": ("DEFPSIST(NO)", "DEFPSIST(YES)"),
    "backout.put_enabled": ("backout queue PUT(DISABLED)", "backout queue PUT(ENABLED)"),
    "dead_letter.put_enabled": ("dead-letter queue PUT(DISABLED)", "dead-letter queue PUT(ENABLED)"),
    "queue_name.get_enabled": ("GET(DISABLED)", "GET(ENABLED)"),
}
_OWN_WORDS = {
    "endpoint.kind": "",
    "problem.kind": "",
    "endpoint.non_asf_timeout_ms": "non-ASF receive timeout",
    "endpoint.channel_instances": "channel instances needed:",
    "endpoint.channel_instances_all": "for the whole cluster",
    "endpoint.misnamed_non_asf_timeout": "NON.ASF.RECEIVE.TIMEOUT at an activation specification",
    "endpoint.queue_resolution": "queue",
    "queue.backout_resolution": "backout queue",
    "queue.backout_loops": "backout queues in a circle",
    "queue_manager.dead_letter_resolution": "dead-letter queue",
    "binding.resolution": "endpoint",
    "destination.exception_destination": "exception destination",
    "destination.exception_resolution": "exception destination",
    "destination.discards_poison": "poison messages discarded",
    "endpoint.stop_on_failure": "stop endpoint if delivery fails",
    "server.listener_zos_recovery": "listener recovery on z/OS",
}
_CONTEXT = frozenset({"endpoint.provider", "endpoint.kind", "endpoint.destination_type"})
"""What only says whether a rule applies."""


def deciding_words(values: str | None, hazard_columns: Sequence[str] = ()) -> str:
    """The deciding values of a finding in one phrase, for example ``BOTHRESH(0) and BOQNAME blank``.

    ``values`` is the JSON object of the finding, ``hazard_columns`` the columns of the rule's hazard where the rule is
    known. Names of objects differ between objects of one cause: only that they are set is said. Blank where nothing
    in ``values`` says more than the rule itself.
    """
    held = _object(values)
    names = [name for name in hazard_columns if name in held] or [name for name in held if name not in _CONTEXT]
    words = [text for name in names if (text := _words(name, held[name]))]
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} and {words[-1]}"


def _object(values: str | None) -> Mapping[str, Any]:
    try:
        held: Any = json.loads(values or "{}")
    except ValueError:
        return {}
    return cast("Mapping[str, Any]", held) if isinstance(held, dict) else {}


def _words(name: str, value: Any) -> str:
    alias, _, column = name.partition(".")
    if isinstance(value, bool):
        if name in _MQSC_FLAGS:
            return _MQSC_FLAGS[name][value]
        return f"{_plain(name, alias, column)}: {'yes' if value else 'no'}"
    if alias in _MQSC_ALIASES and column in _MQSC and value is not None:
        return _mqsc(_MQSC_ALIASES[alias] + _MQSC[column], name, value)
    plain = _plain(name, alias, column)
    if isinstance(value, int):
        return f"{plain} {_quantity(column, value)}"
    if isinstance(value, str):
        return f"{plain} {_spelling(name, value)}".lstrip()
    return ""


def _mqsc(keyword: str, name: str, value: Any) -> str:
    if isinstance(value, int) or value in _choices(name):
        return f"{keyword}({str(value).upper()})"
    return f"{keyword} {'set' if str(value).strip() else 'blank'}"


def _plain(name: str, alias: str, column: str) -> str:
    if name in _OWN_WORDS:
        return _OWN_WORDS[name]
    for unit in ("_ms", "_bytes"):
        column = column.removesuffix(unit)
    words = column.replace("_", " ")
    return words if alias in ("endpoint", "server", "queue") else f"{alias.replace('_', ' ')} {words}"


def _quantity(column: str, value: int) -> str:
    if column.endswith("_ms"):
        return duration(value)
    if column.endswith("was_level"):
        return ".".join(str(value // 100**power % 100) for power in (2, 1, 0))
    return f"{value} bytes" if column.endswith("_bytes") else str(value)


def _spelling(name: str, value: str) -> str:
    if not value.strip():
        return "blank"
    return value.replace("_", " ") if value in _choices(name) else "set"


def _choices(name: str) -> tuple[str, ...]:
    alias, _, column = name.partition(".")
    known = VOCABULARY.get(alias, {}).get(column)
    return known.values if known else ()
