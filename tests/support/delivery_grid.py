"""Every small configuration of a flow, judged by a rule and shown by the model of delivery.

A rule's ``predicts`` says what the model shows where the rule is a hazard. Each grid is a product of small values; a
grid with ``about`` is only for rules that read one of those columns, or name one where they differ.
"""

from __future__ import annotations

import dataclasses
import itertools
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from lintmdb.delivery.outcome import Outcome
from lintmdb.delivery.values import Values
from lintmdb.model.columns import columns
from lintmdb.model.relations import Destination
from lintmdb.rules.conditions import Condition
from lintmdb.rules.loading import load_rules
from lintmdb.rules.predictions import run_named
from lintmdb.rules.rule import Rule
from lintmdb.rules.verdicts import Verdict, verdict_sql

Config = dict[str, Any]

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
    "backout.takes_puts": True,
    "backout.no_room": False,
    "backout.name_clash": False,
    "backout.max_message_bytes": 100,
    "channel_access.blocked": False,
    "channel_access.blocks_administrators": False,
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

Option = dict[str, Any]
"""Values that only make sense together."""


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
QUEUE_FRAME = (
    "endpoint.provider = 'wmq' AND endpoint.destination_type = 'queue' "
    "AND endpoint.queue_resolution IN ('resolved', 'ambiguous')"
)
"""In the ``when`` of every rule about an MQ queue: another destination or an undefined queue is not its business."""
SOURCE_FRAME = (
    "endpoint.provider = 'wmq' AND (endpoint.destination_type = 'topic' OR endpoint.destination_type = 'queue' "
    "AND endpoint.queue_resolution IN ('resolved', 'ambiguous'))"
)
"""The same of a rule that holds for the queue of a subscription, too."""
TOPIC_FRAME = "endpoint.provider = 'wmq' AND endpoint.destination_type = 'topic'"
BUS_FRAME = "endpoint.provider = 'sib' AND endpoint.destination_type IN ('queue', 'topic')"
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


def providers_of(rule: Rule) -> frozenset[str]:
    """The providers about whose flows a rule may speak."""
    aliases = {name.partition(".")[0] for name in rule.columns}
    named = {provider for provider in ("wmq", "sib") if f"'{provider}'" in rule.when.text}
    if "endpoint.non_asf_timeout_ms > 0" in rule.when.text or "listener_port" in rule.when.text:
        named = named or {"wmq"}  # the bus has no non-ASF mode, and its listener ports are those of version 5
    if "destination" in aliases:
        named &= {"sib"}
    return frozenset(named or {"wmq", "sib"})


@dataclass(frozen=True, slots=True)
class _Read:
    """A point of the model's run at which it reads a column, and how the run goes on for each value so far."""

    column: str
    values: dict[tuple[type, object], _Read | Outcome]


class _Model:
    """The model of delivery, which runs once for all configurations that differ only in what it does not read.

    The model is a function of what it reads: which column comes next depends on the values of those before.
    """

    def __init__(self) -> None:
        self._starts: dict[tuple[type, object], _Read | Outcome] = {}

    def run(self, config: Config, workload: str) -> Outcome:
        """What the model shows under a workload, without its steps."""
        found = self._starts.get((str, workload))
        while isinstance(found, _Read):
            value: object = config.get(found.column)
            found = found.values.get((type(value), value))
        return found or self._add(config, workload)

    def _add(self, config: Config, workload: str) -> Outcome:
        read: dict[str, object] = {}

        def get(name: str) -> object:
            return read.setdefault(name, config.get(name))

        outcome = dataclasses.replace(run_named(Values(get), workload), steps=())
        place, key = self._starts, (str, workload)
        for column, value in read.items():
            step = place.setdefault(key, _Read(column, {}))
            assert isinstance(step, _Read), "the model has read less of an equal configuration"
            assert step.column == column, "the model has read another column of an equal configuration"
            place, key = step.values, (type(value), value)
        place[key] = outcome
        return outcome


_MODEL = _Model()


@dataclass
class Grid:
    """A product of dimensions over a base; ``workload`` names are run at most once for each configuration."""

    name: str
    base: Config
    dimensions: Sequence[Sequence[Option]]
    about: frozenset[str] = frozenset()
    _configs: list[Config] = field(default_factory=list[Config])
    _connection: sqlite3.Connection | None = None
    _answers: Sequence[frozenset[Verdict]] = ()
    expected: dict[str, list[frozenset[Verdict]]] = field(default_factory=dict[str, "list[frozenset[Verdict]]"])
    """What ``expected`` has found, by rule."""

    @property
    def configs(self) -> list[Config]:
        """Every configuration."""
        if not self._configs:
            for options in itertools.product(*self.dimensions):
                config = dict(self.base)
                for option in options:
                    config.update(option)
                self._configs.append(config)
        return self._configs

    def concerns(self, rule: Rule) -> bool:
        """Whether the rule is compared here."""
        if self.base["endpoint.provider"] not in providers_of(rule):
            return False
        if self.base["endpoint.destination_type"] == "topic" and not _reads_subscriptions(rule.when):
            return False
        differs = rule.predicts.differs if rule.predicts else None
        return not self.about or bool(self.about & {*rule.columns, *(differs.columns if differs else ())})

    def outcome(self, number: int, workload: str) -> Outcome:
        """What the model shows, without its steps."""
        return _MODEL.run(self.configs[number], workload)

    def has(self, *conditions: Condition) -> bool:
        """Whether the configurations give every column that the conditions read."""
        return all(name in self.configs[0] for condition in conditions for name in condition.columns)

    def ask(self, *expressions: str) -> list[tuple[Any, ...]]:
        """The values of SQL expressions, one row a configuration, in order."""
        return self._select(f"SELECT {', '.join(expressions)}", "ORDER BY row_id").fetchall()

    def differs(self, answers: Sequence[frozenset[Verdict]], when: Condition, hazard: Condition) -> bool:
        """Whether two conditions give on some configuration a verdict that is not among its answers."""
        if answers is not self._answers:
            masks = [(number, sum(1 << verdict for verdict in answer)) for number, answer in enumerate(answers)]
            connection = self._open()
            connection.execute('DROP TABLE IF EXISTS "answer"')
            connection.execute('CREATE TABLE "answer" (row_id INTEGER PRIMARY KEY, mask)')
            connection.executemany('INSERT INTO "answer" VALUES (?, ?)', masks)
            self._answers = answers
        verdict = verdict_sql(when.sqlite, hazard.sqlite)
        wrong = f'JOIN "answer" USING (row_id) WHERE ((1 << ({verdict})) & mask) = 0 LIMIT 1'
        return self._select("SELECT 1", wrong).fetchone() is not None

    def _select(self, start: str, end: str) -> sqlite3.Cursor:
        aliases = list(dict.fromkeys(name.partition(".")[0] for name in self.configs[0]))
        first, read = aliases[0], sorted(alias for alias in aliases[1:] if alias in start or alias in end)
        joined = " ".join(f'JOIN "{alias}" USING (row_id)' for alias in read)
        return self._open().execute(f'{start} FROM "{first}" {joined} {end}')

    def _open(self) -> sqlite3.Connection:
        if self._connection is None:
            self._connection = self._tables()
        return self._connection

    def _tables(self) -> sqlite3.Connection:
        connection = sqlite3.connect(":memory:")
        columns: dict[str, dict[str, None]] = {}
        for config in self.configs:
            for name in config:
                alias, _, column = name.partition(".")
                columns.setdefault(alias, {})[column] = None
        for alias, names in columns.items():
            declared = ", ".join(f'"{name}"' for name in names)
            connection.execute(f'CREATE TABLE "{alias}" (row_id INTEGER PRIMARY KEY, {declared})')
            full_names = [f"{alias}.{name}" for name in names]
            rows = ((number, *map(config.get, full_names)) for number, config in enumerate(self.configs))
            connection.executemany(f'INSERT INTO "{alias}" VALUES ({", ".join("?" * (len(names) + 1))})', rows)
        return connection


def given_grid(name: str, configs: Sequence[Config]) -> Grid:
    """A grid of configurations that are no product."""
    return Grid(name, {}, [], _configs=list(configs))


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
                one("backout.max_message_bytes", 99, 100, 101),
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
                one("backout.max_message_bytes", 99, 100, 101),
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
            frozenset({"backout.no_room", "dead_letter.local_queue"}),
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
            "platforms, and switches that no export tells",
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


@dataclass(frozen=True)
class Disagreement:
    """One configuration on which rule and model do not agree as the rule says."""

    rule: str
    grid: str
    config: Config
    verdict: Verdict
    wanted: frozenset[Verdict]


def delivery_rules() -> list[Rule]:
    """The built-in rules that predict a fate."""
    return [rule for rule in load_rules() if rule.predicts is not None]


HAZARD = frozenset({Verdict.HAZARD})
NO_HAZARD = frozenset({Verdict.NOT_APPLICABLE, Verdict.CLEAR})
OPEN = frozenset({Verdict.UNDECIDED})


def expected(rule: Rule, grid: Grid) -> list[frozenset[Verdict]]:
    """For each configuration, the verdicts that say what the model shows, but for what the rule differs in.

    Where the model lacks a value the rule is undecided. It may be clear or a hazard all the same if that is what every
    value that could be filled in leads to.
    """
    if rule.id not in grid.expected:
        grid.expected[rule.id] = _expected(rule, grid)
    return grid.expected[rule.id]


def _expected(rule: Rule, grid: Grid) -> list[frozenset[Verdict]]:
    prediction = rule.predicts
    assert prediction is not None
    given = [row[0] for row in grid.ask(_sql(prediction.given, "1"))]
    differs = [row[0] for row in grid.ask(_sql(prediction.differs, "0"))]
    wanted: list[bool | None] = []
    for number in range(len(grid.configs)):

        def run(workload: str, number: int = number) -> Outcome:
            return grid.outcome(number, workload)

        if given[number] == 0:
            wanted.append(False)
            continue
        shown = _all(showing.holds(run) for showing in prediction.shows)
        if shown is not False and given[number] is None:
            shown = None
        wanted.append(None if shown is None or differs[number] is None else shown != bool(differs[number]))
    judged = list(zip(grid.configs, wanted, strict=True))
    filled: dict[frozenset[str], dict[bool, set[tuple[Any, ...]]]] = {}
    answers: list[frozenset[Verdict]] = []
    for config, hazard in judged:
        if hazard is not None:
            answers.append(HAZARD if hazard else NO_HAZARD)
            continue
        unknown = frozenset(name for name in _UNKNOWN if config.get(name, "") is None)
        if unknown not in filled:
            filled[unknown] = {
                answer: {_without(unknown, other) for other, found in judged if found is answer}
                for answer in (True, False)
            }
        known = _without(unknown, config)
        could_be, could_not_be = known in filled[unknown][True], known in filled[unknown][False]
        answers.append(OPEN if could_be and could_not_be else OPEN | (HAZARD if could_be else NO_HAZARD))
    return answers


_UNKNOWN = (
    "bean.on_message_ms",
    "bean.transaction",
    "server.platform",
    "endpoint.non_asf_rollback_enabled",
    "endpoint.non_asf_bmt_rollback_enabled",
    "queue_manager.max_message_bytes",
)
"""What some grid leaves unknown."""


def _without(names: frozenset[str], config: Config) -> tuple[Any, ...]:
    """A configuration but for some values."""
    return tuple(value for name, value in config.items() if name not in names)


def _all(answers: Iterable[bool | None]) -> bool | None:
    """AND of three values."""
    found = list(answers)
    return False if False in found else None if None in found else True


def verdicts(grid: Grid, when: Condition, hazard: Condition) -> list[int]:
    """The verdicts of two conditions on every configuration."""
    return [row[0] for row in grid.ask(verdict_sql(when.sqlite, hazard.sqlite))]


def disagreements(rule: Rule, grid: Grid) -> Iterator[Disagreement]:
    """Where a rule and the model disagree."""
    wanted = expected(rule, grid)
    for number, verdict in enumerate(verdicts(grid, rule.when, rule.hazard)):
        if verdict not in wanted[number]:
            yield Disagreement(rule.id, grid.name, grid.configs[number], Verdict(verdict), wanted[number])


def has_frame(rule: Rule, when: Condition) -> bool:
    """Whether ``when`` holds the frame that the rule's columns ask for."""
    # Whom a queue manager lets in does not depend on a queue.
    aliases = {name.partition(".")[0] for name in rule.columns if name != "authority.administrator"}
    if aliases & {"queue", "queue_name", "backout", "dead_letter", "authority"}:
        return QUEUE_FRAME in when.text or _reads_subscriptions(when)
    if "destination" in aliases and rule.id != "MDB507":  # which is about topics, too
        return BUS_FRAME in when.text
    return True


def _reads_subscriptions(when: Condition) -> bool:
    return SOURCE_FRAME in when.text or TOPIC_FRAME in when.text


def _sql(condition: Condition | None, default: str) -> str:
    return condition.sqlite if condition else default
