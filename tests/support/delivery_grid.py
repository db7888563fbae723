"""Every small configuration of a flow: products of small values, for rules and the model of delivery to agree on.

A grid with ``about`` is only for rules that read one of those columns, or name one where they differ.
"""

from __future__ import annotations

from typing import Any

from lintmdb.model.columns import columns
from lintmdb.model.relations import Destination
from tests.support.grid import Config, Grid, Option

MQ: Config = {
    "endpoint.runtime": "traditional",
    "endpoint.provider": "wmq",
    "endpoint.destination_type": "queue",
    "endpoint.queue_resolution": "resolved",
    "endpoint.transport": "client",
    "endpoint.channel_resolution": "resolved",
    "endpoint.other_queue_manager": "",
    "endpoint.max_sessions": 1,
    "endpoint.max_batch": 1,
    "endpoint.non_asf_timeout_ms": 0,
    "endpoint.non_asf_rollback_enabled": True,
    "endpoint.non_asf_bmt_rollback_enabled": True,
    "server.platform": "distributed",
    "server.effective_timeout_ms": 0,
    "bean.transaction": "required",
    "bean.transaction_timeout_ms": 0,
    "bean.on_message_ms": 0,
    "queue.backout_loops": False,
    "endpoint.backout_circle_read": None,
    "queue_name.get_enabled": True,
    "queue.default_persistence": True,
    "queue.harden_backout": True,
    "queue.shared_disposition": False,
    "queue.max_message_bytes": 100,
    "queue_manager.platform": "distributed",
    "queue_manager.max_message_bytes": 1000,
    "queue.name": "Q",
    "queue_name.name_clash": False,
    "backout.put_enabled": True,
    "backout.reachable": True,
    "backout.fails_elsewhere": False,
    "backout.takes_puts": True,
    "backout.no_room": False,
    "backout.stream_closed": False,
    "backout.name_clash": False,
    "backout.max_message_bytes": 100,
    "backout.transmission_max_bytes": 528,
    "backout.end_takes_less": False,
    "backout.end_max_bytes": None,
    "channel_access.blocked": False,
    "channel_access.blocks_administrators": False,
    "channel_access.requires_password": False,
    "channel_access.asks_administrators": False,
    "endpoint.gives_password": True,
    "authority.administrator": False,
    "authority.connect": True,
    "authority.source_get": True,
    "authority.source_inq": True,
    "authority.source_browse": True,
    "authority.put": True,
    "authority.passall": True,
    "authority.dead_letter_put": True,
    "authority.dead_letter_passall": True,
    "dead_letter.put_enabled": True,
    "dead_letter.takes_puts": True,
    "dead_letter.name_clash": False,
    "dead_letter.local_queue": "DLQ",
    "dead_letter.max_message_bytes": 272,
}
BUS: Config = {
    "endpoint.runtime": "traditional",
    "endpoint.provider": "sib",
    "endpoint.destination_type": "queue",
    "endpoint.kind": "activation_spec",
    "endpoint.non_asf_timeout_ms": 0,
    "bean.transaction": "required",
    "destination.name": "Q",
    "destination.receive_allowed": True,
    "destination.exception_send_allowed": True,
    "destination.exception_loops": False,
    "bean.transaction_timeout_ms": 0,
    "bean.on_message_ms": 0,
}

LIBERTY: Config = {"endpoint.runtime": "liberty"}


def one(column: str, *values: Any) -> list[Option]:
    """A dimension of one column."""
    return [{column: value} for value in values]


_PORT: Option = {"endpoint.kind": "listener_port", "endpoint.non_asf_rollback_enabled": None}
_SPEC: Option = {"endpoint.kind": "activation_spec", "endpoint.non_asf_bmt_rollback_enabled": None}
PORT: list[Option] = [_PORT | {"endpoint.stop_on_failure": None}]
SPEC: list[Option] = [_SPEC | {"endpoint.stop_on_failure": True}, _SPEC | {"endpoint.stop_on_failure": False}]
ACKNOWLEDGED: list[Option] = [
    *(
        PORT[0] | {"bean.transaction": transaction, "endpoint.non_asf_bmt_rollback_enabled": enabled}
        for transaction in ("required", "not_supported", "bean")
        for enabled in (True, False)
    ),
    *(
        spec | {"bean.transaction": transaction, "endpoint.non_asf_rollback_enabled": enabled}
        for spec in SPEC
        for transaction in ("required", "not_supported", "bean")
        for enabled in (True, False)
    ),
]
"""Who holds the message while the bean has it: every switch of non-ASF mode."""
BACKOUT: list[Option] = [
    {"queue.backout_resolution": "resolved", "queue.backout_queue": "BO"},
    {"queue.backout_resolution": "not_set", "queue.backout_queue": "", "queue.backout_loops": False}
    | {"backout.put_enabled": None, "backout.takes_puts": None, "backout.max_message_bytes": None},
]
_CLOSED: Option = {"backout.put_enabled": False, "backout.takes_puts": False}
LENGTHS: list[Option] = [
    *(
        {"backout.max_message_bytes": length, "backout.transmission_max_bytes": length + 428}
        for length in (99, 100, 101)
    ),
    *({"backout.end_takes_less": True, "backout.end_max_bytes": length} for length in (99, 100)),
]
"""Of messages that go to a backout queue here, or to a transmission queue behind a header of 428 bytes, and on to a
queue of another queue manager."""
REFUSING: list[Option] = [
    *BACKOUT,
    {"queue.backout_resolution": "not_defined", "queue.backout_queue": "BO", "backout.put_enabled": None}
    | {"backout.takes_puts": None},
    {"queue.backout_resolution": "remote", "queue.backout_queue": "BO"},
    {"queue.backout_resolution": "remote", "queue.backout_queue": "BO"} | _CLOSED,
    {"queue.backout_resolution": "resolved", "queue.backout_queue": "BO"} | _CLOSED,
    {"queue.backout_resolution": "resolved", "queue.backout_queue": "BO", "queue.backout_loops": True}
    | {"endpoint.backout_circle_read": True},
    {"queue.backout_resolution": "remote", "queue.backout_queue": "BO", "backout.reachable": False},
    {"queue.backout_resolution": "remote", "queue.backout_queue": "BO", "backout.fails_elsewhere": True},
    *(
        {"queue.backout_resolution": resolution, "queue.backout_queue": "BO", "backout.put_enabled": None}
        | {"backout.takes_puts": None}
        for resolution in ("dangling", "wrong_base", "model")
    ),
]
EXCEPTION: list[Option] = [
    {"destination.exception_destination": "none", "destination.exception_resolution": "not_set"},
    {"destination.exception_destination": "system", "destination.exception_resolution": "resolved"},
    {"destination.exception_destination": "named", "destination.exception_resolution": "resolved"}
    | {"destination.exception_destination_name": "ERRORS"},
    {"destination.exception_destination": "named", "destination.exception_resolution": "not_defined"}
    | {"destination.exception_destination_name": "ERRORS"},
]
DEAD_LETTER: list[Option] = [
    {"queue_manager.dead_letter_resolution": "resolved", "queue_manager.dead_letter_queue": "DLQ"},
    {"queue_manager.dead_letter_resolution": "not_set", "queue_manager.dead_letter_queue": ""},
    {"queue_manager.dead_letter_resolution": "not_defined", "queue_manager.dead_letter_queue": "DLQ"},
    {"queue_manager.dead_letter_resolution": "resolved", "queue_manager.dead_letter_queue": "DLQ"}
    | {"dead_letter.put_enabled": False, "dead_letter.takes_puts": False},
]
UNUSABLE_DEAD_LETTER: list[Option] = [
    {"queue_manager.dead_letter_resolution": resolution, "queue_manager.dead_letter_queue": "DLQ"}
    for resolution in ("dangling", "wrong_base", "topic", "model")
]


def grids() -> list[Grid]:
    """All grids, fresh."""
    small = one("queue.backout_threshold", *range(7))
    limits = one("endpoint.failure_threshold", *range(7))
    kinds = [*PORT, *SPEC]
    times: list[Option] = [
        {"server.effective_timeout_ms": t, "endpoint.non_asf_timeout_ms": r, "bean.on_message_ms": p}
        for t in (0, 1, 2000, 10_000, 60_000, 100_000)
        for r in (0, 1, 1000, 2000, 5000, 9000, 10_000, 50_000, 54_000, 55_000, 59_000, 60_000, 89_999, 90_000, 100_000)
        for p in (None, 0, 1, 1000, 4999, 5000, 5001, 6000, 200_000)
    ]
    times += one("bean.on_message_ms", None, 0, 1000)  # in ASF mode nobody asks for a server's timeout
    # In non-ASF mode the container's transaction is that of the receive.
    times = [option | {"bean.transaction_timeout_ms": option.get("server.effective_timeout_ms", 0)} for option in times]
    late: list[Option] = [
        PORT[0] | {"bean.transaction": "required", "endpoint.non_asf_bmt_rollback_enabled": False},
        PORT[0] | {"bean.transaction": "bean", "endpoint.non_asf_bmt_rollback_enabled": True},
        PORT[0] | {"bean.transaction": "bean", "endpoint.non_asf_bmt_rollback_enabled": False},
        SPEC[0] | {"bean.transaction": "required", "endpoint.non_asf_rollback_enabled": True},
        SPEC[1] | {"bean.transaction": "required", "endpoint.non_asf_rollback_enabled": True},
        SPEC[0] | {"bean.transaction": "required", "endpoint.non_asf_rollback_enabled": False},
    ]
    unknown: list[Option] = [
        *(
            option | {"server.platform": platform}
            for option in ACKNOWLEDGED
            for platform in ("distributed", "zos", None)
        ),
        PORT[0] | {"bean.transaction": None, "endpoint.non_asf_bmt_rollback_enabled": False},
        PORT[0] | {"bean.transaction": "bean", "endpoint.non_asf_bmt_rollback_enabled": None},
        PORT[0] | {"bean.transaction": None, "endpoint.non_asf_bmt_rollback_enabled": True},
        *(spec | {"endpoint.non_asf_rollback_enabled": None} for spec in SPEC),
    ]
    return [
        Grid("backout", MQ, [kinds, limits, small, one("endpoint.max_sessions", *range(1, 7)), REFUSING, DEAD_LETTER]),
        Grid(
            "names that two exports define",
            MQ,
            [
                one("endpoint.queue_resolution", "resolved", "ambiguous"),
                kinds,
                one("endpoint.failure_threshold", 0, 2, 4),
                one("queue.backout_threshold", 0, 1, 3),
                one("endpoint.max_sessions", 1, 2),
                one("bean.transaction", "required", "bean"),
                one("queue.default_persistence", True, False),
                [REFUSING[number] for number in (0, 1, 2, 5, 6)],
                DEAD_LETTER[:2],
            ],
        ),
        Grid(
            "lengths and authorities",
            MQ,
            [
                kinds,
                one("endpoint.failure_threshold", 0, 2, 6),
                one("queue.backout_threshold", 0, 1, 2),
                REFUSING,
                DEAD_LETTER[:2],
                one("authority.put", True, False),
                one("authority.passall", True, False),
                LENGTHS,
                one("dead_letter.max_message_bytes", 271, 272, 273),
            ],
            frozenset({"authority.put", "authority.passall", "backout.max_message_bytes"})
            | {"dead_letter.max_message_bytes"},
        ),
        Grid(
            "limits of the queue manager",
            MQ,
            [
                kinds,
                one("endpoint.failure_threshold", 0, 2),
                one("queue.backout_threshold", 0, 1, 2),
                REFUSING[:3],
                DEAD_LETTER[:2],
                one("queue_manager.max_message_bytes", 99, 100, 101, 271, 272, None),
                LENGTHS,
                one("dead_letter.max_message_bytes", 271, 272, 273),
            ],
            frozenset({"queue_manager.max_message_bytes"}),
        ),
        Grid(
            "queues that take nothing",
            MQ,
            [
                kinds,
                one("endpoint.failure_threshold", 0, 2),
                one("queue.backout_threshold", 0, 1, 2),
                [
                    *REFUSING,
                    BACKOUT[0] | {"backout.no_room": True, "backout.takes_puts": False},
                    BACKOUT[0] | {"backout.no_room": True} | _CLOSED,
                    BACKOUT[0] | {"backout.stream_closed": True, "backout.takes_puts": False},
                ],
                [
                    *DEAD_LETTER,
                    DEAD_LETTER[0] | {"dead_letter.takes_puts": False},
                    DEAD_LETTER[0] | {"dead_letter.local_queue": "Q"},
                    DEAD_LETTER[0] | {"dead_letter.local_queue": "Q", "dead_letter.takes_puts": False},
                ],
                one("authority.put", True, False),
                one("authority.passall", True, False),
                one("authority.dead_letter_put", True, False),
                one("authority.dead_letter_passall", True, False),
            ],
            frozenset({"backout.no_room", "backout.stream_closed", "dead_letter.local_queue"}),
        ),
        Grid(
            "names of two queues",
            MQ,
            [
                kinds,
                one("endpoint.failure_threshold", 0, 2),
                one("queue.backout_threshold", 0, 1, 2),
                one("queue_manager.platform", "zos"),
                one("queue_name.name_clash", False, True),
                [
                    *BACKOUT,
                    BACKOUT[0] | {"backout.name_clash": True, "backout.takes_puts": False},
                ],
                [
                    DEAD_LETTER[0],
                    DEAD_LETTER[0] | {"dead_letter.name_clash": True, "dead_letter.takes_puts": False},
                ],
            ],
            frozenset({"queue_name.name_clash"}),
        ),
        Grid(
            "dead-letter authorities",
            MQ,
            [
                kinds,
                one("endpoint.failure_threshold", 0, 2),
                one("queue.backout_threshold", 0, 1, 2),
                REFUSING,
                DEAD_LETTER,
                one("authority.put", True, False),
                one("authority.passall", True, False),
                one("authority.dead_letter_put", True, False),
                one("authority.dead_letter_passall", True, False),
            ],
            frozenset({"authority.dead_letter_put"}),
        ),
        Grid(
            "names that lead to nothing",
            MQ,
            [
                kinds,
                one("endpoint.failure_threshold", 0, 2),
                one("queue.backout_threshold", 0, 1),
                REFUSING,
                [*DEAD_LETTER[:2], *UNUSABLE_DEAD_LETTER],
            ],
            frozenset({"queue_manager.dead_letter_resolution", "backout.reachable"}),
        ),
        Grid(
            "circles of backout queues",
            MQ | BACKOUT[0] | DEAD_LETTER[0],
            [
                ACKNOWLEDGED,
                one("endpoint.non_asf_timeout_ms", 0, 1000),
                one("endpoint.failure_threshold", 0, 2),
                one("queue.backout_threshold", 0, 1),
                [
                    {"queue.backout_loops": False},
                    {"queue.backout_loops": True, "endpoint.backout_circle_read": False},
                    {"queue.backout_loops": True, "endpoint.backout_circle_read": True},
                ],
                one("authority.put", True, False),
                one("authority.passall", True, False),
            ],
            frozenset({"endpoint.backout_circle_read"}),
        ),
        Grid(
            "topics",
            MQ | DEAD_LETTER[0] | {"endpoint.destination_type": "topic", "endpoint.queue_resolution": None},
            [
                kinds,
                limits,
                small,
                [REFUSING[number] for number in (0, 1, 2, 4, 5, 7)],
                one("authority.put", True, False),
            ],
        ),
        Grid(
            "z/OS",
            MQ,
            [
                [REFUSING[number] for number in (0, 1, 2)],
                DEAD_LETTER[:2],
                kinds,
                one("endpoint.failure_threshold", 0, 1, 3, 7),
                one("queue.backout_threshold", 0, 1, 2, 5, 254, 255, 256, 300),
                one("queue_manager.platform", "zos", "distributed"),
                one("queue.harden_backout", True, False),
                one("queue.shared_disposition", True, False),
            ],
            frozenset({"queue_manager.platform"}),
        ),
        Grid(
            "transactions and batches",
            MQ | BACKOUT[0] | DEAD_LETTER[0],
            [
                kinds,
                one("endpoint.failure_threshold", 0, 1, 2, 3),
                one("queue.backout_threshold", 0, 1, 2, 3),
                one("endpoint.max_sessions", 1, 2),
                one("endpoint.max_batch", 1, 2, 3),
                one("bean.transaction", "required", "not_supported", "bean"),
                one("queue.default_persistence", True, False),
            ],
            frozenset({"endpoint.max_batch", "queue.default_persistence"}),
        ),
        Grid(
            "GET",
            MQ | BACKOUT[0] | DEAD_LETTER[0],
            [kinds, limits, small, one("queue_name.get_enabled", True, False)],
            frozenset({"queue_name.get_enabled"}),
        ),
        Grid(
            "channels",
            MQ,
            [
                kinds,
                one("endpoint.failure_threshold", 0, 2),
                one("queue.backout_threshold", 0, 1),
                [
                    {"endpoint.transport": "client", "endpoint.channel_resolution": "resolved"},
                    {"endpoint.transport": "client", "endpoint.channel_resolution": "not_defined"},
                    {"endpoint.transport": "client", "endpoint.channel_resolution": "ambiguous"},
                    {"endpoint.transport": "bindings", "endpoint.channel_resolution": None},
                ],
                BACKOUT,
                DEAD_LETTER[:1],
            ],
            frozenset({"endpoint.channel_resolution"}),
        ),
        Grid(
            "who may use a channel",
            MQ,
            [
                kinds,
                one("endpoint.failure_threshold", 0, 2),
                one("queue.backout_threshold", 0, 1),
                one("channel_access.blocked", True, False),
                one("channel_access.blocks_administrators", True, False),
                one("authority.administrator", True, False),
                BACKOUT,
                DEAD_LETTER[:1],
            ],
            frozenset({"channel_access.blocked"}),
        ),
        Grid(
            "a password",
            MQ,
            [
                kinds,
                one("channel_access.requires_password", True, False),
                one("channel_access.asks_administrators", True, False),
                one("endpoint.gives_password", True, False),
                one("authority.administrator", True, False),
                BACKOUT,
                DEAD_LETTER[:1],
            ],
            frozenset({"channel_access.requires_password"}),
        ),
        Grid(
            "the right to read",
            MQ,
            [
                kinds,
                one("endpoint.failure_threshold", 0, 2),
                one("queue.backout_threshold", 0, 1),
                one("endpoint.non_asf_timeout_ms", 0, 1000),
                one("server.platform", "distributed", "zos"),
                one("authority.connect", True, False),
                one("authority.source_get", True, False),
                one("authority.source_inq", True, False),
                one("authority.source_browse", True, False),
                BACKOUT,
                DEAD_LETTER[:1],
            ],
            frozenset({"authority.source_get"}),
        ),
        Grid(
            "the right to look up the threshold behind an alias",
            MQ,
            [
                kinds,
                one("endpoint.failure_threshold", 0, 2),
                one("endpoint.queue", "Q", "A"),
                one("queue.backout_threshold", 0, 1, 2),
                one("authority.behind_inq", True, False),
                BACKOUT[:1],
                DEAD_LETTER[:1],
            ],
            frozenset({"authority.behind_inq"}),
        ),
        Grid(
            "time in ASF mode",
            MQ | BACKOUT[0] | DEAD_LETTER[0],
            [
                kinds,
                one("endpoint.failure_threshold", 0, 1, 2),
                one("queue.backout_threshold", 0, 1, 2),
                one("bean.transaction", "required", "not_supported", "bean"),
                one("bean.transaction_timeout_ms", 0, 1, 2000, 10_000),
                one("bean.on_message_ms", 0, 1, 2, 1999, 2000, 2001, 10_000, 20_000),
            ],
            frozenset({"bean.on_message_ms"}),
        ),
        Grid(
            "non-ASF mode",
            MQ | BACKOUT[0] | DEAD_LETTER[0] | {"server.effective_timeout_ms": None},
            [late, one("endpoint.failure_threshold", 0, 1, 2), one("queue.backout_threshold", 0, 1, 2), times],
            frozenset({"server.effective_timeout_ms", "bean.on_message_ms"}),
        ),
        Grid(
            "every rule in non-ASF mode",
            MQ | {"endpoint.non_asf_timeout_ms": 1000},
            [
                ACKNOWLEDGED,
                one("endpoint.failure_threshold", *range(4)),
                one("queue.backout_threshold", *range(4)),
                one("endpoint.max_sessions", 1, 2, 3),
                [REFUSING[number] for number in (0, 1, 2, 5)],
                DEAD_LETTER[:2],
            ],
        ),
        Grid(
            "what only some rules read, in non-ASF mode",
            MQ | {"endpoint.non_asf_timeout_ms": 1000},
            [
                ACKNOWLEDGED,
                one("endpoint.failure_threshold", 0, 2),
                one("queue.backout_threshold", 0, 1),
                [REFUSING[number] for number in (0, 2, 4, 5, 6)],
                DEAD_LETTER,
                one("authority.put", True, False),
                one("authority.dead_letter_put", True, False),
                one("backout.max_message_bytes", 99, 100),
                one("dead_letter.max_message_bytes", 271, 272),
            ],
            frozenset({"authority.put", "authority.dead_letter_put"})
            | {"backout.max_message_bytes", "dead_letter.max_message_bytes"},
        ),
        Grid(
            "batches and persistence in non-ASF mode",
            MQ | BACKOUT[0] | DEAD_LETTER[0] | {"endpoint.non_asf_timeout_ms": 1000},
            [
                ACKNOWLEDGED,
                one("endpoint.failure_threshold", 0, 2),
                one("queue.backout_threshold", 0, 1, 2),
                one("endpoint.max_sessions", 1, 2),
                one("endpoint.max_batch", 1, 2),
                one("queue.default_persistence", True, False),
                one("server.platform", "distributed", "zos"),
            ],
            frozenset({"endpoint.max_batch", "queue.default_persistence"}),
        ),
        Grid(
            "queues of z/OS in non-ASF mode",
            MQ | BACKOUT[0] | DEAD_LETTER[0] | {"endpoint.non_asf_timeout_ms": 1000, "queue_manager.platform": "zos"},
            [
                ACKNOWLEDGED,
                one("queue.backout_threshold", 0, 1, 2, 255, 256),
                one("endpoint.failure_threshold", 3),
                one("queue.harden_backout", True, False),
                one("queue.shared_disposition", True, False),
            ],
            frozenset({"queue_manager.platform"}),
        ),
        Grid(
            "topics that forbid subscriptions",
            MQ
            | BACKOUT[0]
            | DEAD_LETTER[0]
            | {"endpoint.destination_type": "topic", "endpoint.queue_resolution": None},
            [
                kinds,
                one("endpoint.failure_threshold", 0, 2),
                one("queue.backout_threshold", 0, 1),
                one("endpoint.subscription_durable", True, False),
                one("bean.subscription_durable", True, False),
                one("topic.sub_enabled", True, False),
                one("topic.durable_sub_enabled", True, False),
                one("topic.durable_subscriptions", False, None),
            ],
            frozenset({"topic.sub_enabled"}),
        ),
        Grid(
            "topics whose model queues do not serve",
            MQ
            | BACKOUT[0]
            | DEAD_LETTER[0]
            | {"endpoint.destination_type": "topic", "endpoint.queue_resolution": None}
            | {"topic.sub_enabled": True, "topic.durable_sub_enabled": True, "endpoint.failure_threshold": 2}
            | {"topic.durable_subscriptions": False},
            [
                kinds,
                one("queue.backout_threshold", 0, 1),
                one("endpoint.subscription_durable", True, False),
                one("bean.subscription_durable", True, False),
                one("endpoint.migration_mode", True, False),
                one("endpoint.transport", "client", "bindings"),
                one("channel.sharing_conversations", 0, 1),
                one("topic.durable_model_state", "usable", "for temporary queues"),
                one("topic.nondurable_model_state", "usable", "not defined"),
            ],
            frozenset({"topic.durable_model_state", "topic.nondurable_model_state"}),
        ),
        Grid(
            "topics in non-ASF mode",
            MQ
            | DEAD_LETTER[0]
            | {"endpoint.destination_type": "topic", "endpoint.queue_resolution": None}
            | {"endpoint.max_sessions": 2},
            [
                ACKNOWLEDGED,
                one("endpoint.non_asf_timeout_ms", 0, 1, 1000),
                one("endpoint.failure_threshold", *range(4)),
                one("queue.backout_threshold", *range(4)),
                [REFUSING[number] for number in (0, 2)],
                one("server.platform", "distributed", "zos"),
            ],
        ),
        Grid(
            "Liberty",
            MQ | LIBERTY,
            [
                SPEC,
                limits,
                small,
                one("endpoint.max_sessions", 1, 2, 3),
                [REFUSING[number] for number in (0, 1, 3, 6, 7)],
                DEAD_LETTER[:2],
            ],
            frozenset({"endpoint.runtime"}),
        ),
        Grid(
            "authorities on Liberty",
            MQ | LIBERTY,
            [
                SPEC,
                one("endpoint.failure_threshold", 0, 1, 2, 3),
                one("queue.backout_threshold", 0, 1, 2),
                [REFUSING[number] for number in (0, 1, 6)],
                DEAD_LETTER,
                one("authority.put", True, False),
                one("authority.passall", True, False),
                one("authority.dead_letter_put", True, False),
                one("authority.dead_letter_passall", True, False),
            ],
            frozenset({"authority.put"}),
        ),
        Grid(
            "non-ASF mode on Liberty",
            MQ | LIBERTY | BACKOUT[0] | DEAD_LETTER[0],
            [
                SPEC,
                one("endpoint.non_asf_timeout_ms", 0, 1000),
                one("endpoint.non_asf_rollback_enabled", True, False, None),
                one("server.platform", "distributed", "zos", None),
                one("endpoint.failure_threshold", 0, 1, 2, 3),
                one("queue.backout_threshold", *range(4)),
                one("endpoint.max_sessions", 1, 2),
            ],
            frozenset({"endpoint.runtime"}),
        ),
        Grid(
            "topics on Liberty",
            MQ
            | LIBERTY
            | DEAD_LETTER[0]
            | {"endpoint.destination_type": "topic", "endpoint.queue_resolution": None}
            | {"endpoint.max_sessions": 2},
            [
                SPEC,
                one("endpoint.failure_threshold", *range(4)),
                one("queue.backout_threshold", *range(4)),
                [REFUSING[number] for number in (0, 2)],
            ],
            frozenset({"endpoint.runtime"}),
        ),
        Grid(
            "platforms, and switches that no export shows",
            MQ,
            [
                unknown,
                one("endpoint.failure_threshold", 0, 1, 3),
                one("queue.backout_threshold", 0, 1, 2),
                one("endpoint.max_sessions", 1, 2),
                [REFUSING[number] for number in (0, 1)],
                DEAD_LETTER[:1],
                [
                    {"endpoint.non_asf_timeout_ms": r, "server.effective_timeout_ms": t, "bean.on_message_ms": p}
                    | {"bean.transaction_timeout_ms": t}
                    for r, t, p in (
                        (0, 2000, 0),
                        (1000, 2000, 0),
                        (1000, 2000, 1000),
                        (2000, 2000, 0),
                        (1, 2000, 0),
                        (1000, 2000, 2000),
                    )
                ],
            ],
            frozenset({"server.platform"}),
        ),
        Grid(
            "queues of another queue manager",
            MQ,
            [
                kinds,
                one("endpoint.other_queue_manager", "", "QM2"),
                one("endpoint.queue_resolution", "resolved", "elsewhere", "not_defined"),
                one("endpoint.failure_threshold", 0, 2),
                one("queue.backout_threshold", 0, 1),
                [REFUSING[number] for number in (0, 1)],
                DEAD_LETTER[:2],
            ],
            frozenset({"endpoint.other_queue_manager"}),
        ),
        *(
            Grid(
                f"destinations of another kind, {base['endpoint.provider']}",
                base,
                [
                    one("endpoint.destination_type", "queue", "mismatch"),
                    one("endpoint.max_sessions", 1, 2),
                    *dimensions,
                ],
                frozenset({"endpoint.destination_type"}),
            )
            for base, dimensions in (
                (
                    MQ,
                    [
                        kinds,
                        one("endpoint.failure_threshold", 0, 2),
                        one("queue.backout_threshold", 0, 1),
                        [REFUSING[number] for number in (0, 1)],
                        DEAD_LETTER[:2],
                    ],
                ),
                (
                    BUS | {"destination.effective_blocked_retry_ms": 0, "destination.strict_order": False},
                    [
                        EXCEPTION,
                        one("destination.max_failed_deliveries", 0, 5),
                        one("endpoint.sequential_failure_threshold", 0, 1),
                        one("endpoint.max_batch", 1, 2),
                        one("destination.persist_redelivery_count", False, True),
                        [{"destination.reliability": "assured_persistent", "destination.discards_poison": False}],
                    ],
                ),
            )
        ),
        Grid(
            "bus",
            BUS,
            [
                one("destination.max_failed_deliveries", *range(7)),
                EXCEPTION,
                one("endpoint.sequential_failure_threshold", 0, 1, 2, 3),
                one("endpoint.max_sessions", 1, 2, 4),
                one("endpoint.max_batch", 1, 2),
                one("destination.strict_order", False, True),
                one("destination.persist_redelivery_count", False, True),
                one("destination.effective_blocked_retry_ms", 0, 5000),
                [
                    {"destination.reliability": "assured_persistent", "destination.discards_poison": False},
                    {"destination.reliability": "best_effort_nonpersistent", "destination.discards_poison": True},
                ],
            ],
            frozenset(f"destination.{column.name}" for column in columns(Destination)),
        ),
        Grid(
            "batches from topic spaces",
            BUS | EXCEPTION[1] | {"destination.discards_poison": False, "endpoint.destination_type": "topic"},
            [
                one("destination.max_failed_deliveries", 1, 2, 5),
                one("endpoint.sequential_failure_threshold", 0, 2),
                one("endpoint.max_sessions", 1, 2),
                one("endpoint.max_batch", 1, 2),
                one("destination.strict_order", False, True),
            ],
            frozenset({"endpoint.max_batch"}),
        ),
        Grid(
            "time on the bus",
            BUS | {"destination.effective_blocked_retry_ms": 5000, "destination.strict_order": False},
            [
                one("destination.max_failed_deliveries", 0, 1, 2, 5),
                EXCEPTION,
                one("endpoint.sequential_failure_threshold", 0, 1, 2),
                one("endpoint.max_sessions", 1, 2),
                one("endpoint.max_batch", 1, 2),
                one("destination.discards_poison", False, True),
                one("bean.transaction", "required", "not_supported", "bean"),
                one("bean.transaction_timeout_ms", 0, 1, 2000),
                one("bean.on_message_ms", 0, 1, 2, 1999, 2000, 2001),
            ],
            frozenset({"bean.on_message_ms"}),
        ),
        Grid(
            "bus destinations that are closed",
            BUS | {"destination.effective_blocked_retry_ms": 5000, "destination.strict_order": False},
            [
                one("destination.max_failed_deliveries", 0, 1, 2, 5),
                EXCEPTION,
                one("endpoint.sequential_failure_threshold", 0, 1, 2),
                one("endpoint.max_sessions", 1, 2),
                one("destination.discards_poison", False, True),
                [
                    {"destination.receive_allowed": True, "destination.exception_send_allowed": True},
                    {"destination.receive_allowed": True, "destination.exception_send_allowed": True}
                    | {"destination.exception_loops": True},
                    {"destination.receive_allowed": True, "destination.exception_send_allowed": False},
                    {"destination.receive_allowed": False, "destination.exception_send_allowed": True},
                ],
            ],
            frozenset({"destination.receive_allowed", "destination.exception_send_allowed"})
            | {"destination.exception_loops"},
        ),
    ]
