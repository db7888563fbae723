"""What the join computes: channel instances, the model queue of a subscription, who reads a backout queue."""

from __future__ import annotations

import re
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from lintmdb.engine.flow_join import Dialect, join_parts, join_sql, repeated_texts
from lintmdb.engine.flow_rows import find_origin
from lintmdb.engine.judge import judge
from lintmdb.engine.tables import filled_tables
from lintmdb.model.facts import Facts
from lintmdb.model.relations import (
    Bean,
    Channel,
    ChannelAccess,
    Endpoint,
    Placement,
    PutTarget,
    Queue,
    QueueManager,
    QueueName,
    Row,
    Server,
    Topic,
)
from lintmdb.resolve.observations import Observations
from lintmdb.run.estate import read_estate
from tests.support.project import FIXTURES
from tests.support.scenario import RULES, run_scenario
from tests.support.scenario_folders import scenario_folder


def joined(columns: str, *rows: Row) -> list[tuple[Any, ...]]:
    """Columns of every flow that the rows make."""
    facts = Facts()
    facts.add(*rows)
    with filled_tables(facts) as tables:
        return tables.ask(f"SELECT {columns} {join_sql()} ORDER BY endpoint.row_id, bean.row_id")


def _client(**values: Any) -> Endpoint:
    stated: dict[str, Any] = {
        "kind": "activation_spec", "provider": "wmq", "transport": "client", "migration_mode": False,
        "channel": "C", "non_asf_timeout_ms": 0, "max_sessions": 10, "destination_type": "queue",
        "bean_count": 1,
    }  # fmt: skip
    return Endpoint(id="e", name="e", server_id="s", queue_manager="QM1", **(stated | values))


@pytest.mark.parametrize(
    ("values", "sharing", "level", "expected"),
    [
        ({}, 10, 90000, (11, 2)),
        ({"max_sessions": 9}, 10, 90000, (10, 1)),
        ({"max_sessions": 1}, 10, 90000, (2, 1)),
        ({"non_asf_timeout_ms": 5000}, 10, 90000, (10, 1)),
        ({"non_asf_timeout_ms": 5000, "destination_type": "topic"}, 1, 90000, (1, 1)),
        ({"non_asf_timeout_ms": 5000, "destination_type": None}, 1, 90000, (None, None)),
        ({}, 1, 90000, (11, 11)),
        ({}, 0, 90000, (11, 11)),
        ({}, None, 90000, (11, None)),
        ({"migration_mode": True}, 10, 90000, (11, 11)),
        ({"migration_mode": None}, 10, 90000, (11, None)),
        ({"migration_mode": None}, 1, 90000, (11, 11)),
        ({"transport": "bindings"}, 10, 90000, (11, None)),
        ({"transport": None}, 10, 90000, (11, None)),
        ({"max_sessions": None}, 10, 90000, (None, None)),
        ({"kind": "listener_port"}, 10, 60100, (11, 11)),
        ({"kind": "listener_port"}, 10, 70000, (11, 2)),
        ({"kind": "listener_port"}, 10, None, (11, None)),
        ({"kind": "activation_spec"}, 10, None, (11, 2)),
        ({"bean_count": 5}, 10, 90000, (55, 6)),
        ({"bean_count": 5, "non_asf_timeout_ms": 5000}, 10, 90000, (50, 5)),
        ({"bean_count": 0}, 10, 90000, (0, 0)),
        ({"bean_count": None}, 10, 90000, (None, None)),
    ],
)
def test_channel_instances_of_one_server(
    values: dict[str, Any], sharing: int | None, level: int | None, expected: tuple[int | None, int | None]
) -> None:
    """Sessions, and one more in ASF mode, for each bean; by SHARECNV where version and provider version share."""
    (row,) = joined(
        "endpoint.conversations, endpoint.channel_instances",
        _client(**values),
        Server(id="s", was_level=level),
        Channel(queue_manager="QM1", name="C", sharing_conversations=sharing),
    )
    assert row == expected


@pytest.mark.parametrize(
    ("server", "limit", "expected"),
    [
        (Server(id="s", cluster_size=1), 100, 2),
        (Server(id="s", cluster="X", member_count=3, cluster_size=3), 100, 6),
        (Server(id="s", cluster="X", cluster_size=3), 6, 6),
        (Server(id="s", cluster="X", cluster_size=3), 5, None),
        (Server(id="s", cluster="X"), 100, None),
    ],
)
def test_channel_instances_of_a_cluster(server: Server, limit: int, expected: int | None) -> None:
    """Members that agree are multiplied; of members that differ one tells only that the limit is far away."""
    channel = Channel(queue_manager="QM1", name="C", sharing_conversations=10, max_instances=limit)
    assert joined("endpoint.channel_instances_all", _client(), server, channel) == [(expected,)]


def test_channel_instances_of_all_endpoints_of_a_channel() -> None:
    """They add up over those that start and feed a bean; a part counts where it is above the limit by itself."""

    def endpoint(name: str, sessions: int | None, **values: Any) -> Endpoint:
        return replace(_client(max_sessions=sessions, **values), id=name, name=name)

    def totals(limit: int, *endpoints: Endpoint) -> list[int | None]:
        channel = Channel(queue_manager="QM1", name="C", sharing_conversations=1, max_instances=limit)
        rows = [Server(id="s", was_level=90000, cluster_size=1), channel, *endpoints]
        return [total for (total,) in joined("endpoint.channel_instances_total", *rows)]

    a, b = endpoint("a", 29), endpoint("b", 24)
    assert totals(45, a, b) == [55, 55]
    assert totals(45, a, b, endpoint("c", 9, channel="D")) == [55, 55, None]
    assert totals(45, a, b, endpoint("c", 9, transport="bindings")) == [55, 55, 55]
    assert totals(45, a, endpoint("b", 24, initial_state="stopped")) == [30, 30]
    assert totals(45, a, endpoint("b", 24, bean_count=0)) == [30, 30]
    assert totals(45, a, endpoint("b", 24, bean_count=2)) == [80, 80]
    assert totals(45, a, endpoint("b", None)) == [None, None]
    assert totals(29, a, endpoint("b", None)) == [30, 30]


def test_channel_instances_of_members_that_differ() -> None:
    """Each member with a row counts once; those without one count as the others, as long as the limit is far away."""

    def totals(limit: int, size: int | None, **of_members: int | None) -> list[int | None]:
        rows: list[Row] = [Channel(queue_manager="QM1", name="C", sharing_conversations=1, max_instances=limit)]
        for name, sessions in of_members.items():
            rows.append(Server(id=name, cluster="X", was_level=90000, cluster_size=size))
            state = "stopped" if sessions == 99 else "started"
            values: dict[str, Any] = {"id": name, "name": "E", "cluster": "X", "server_id": name}
            rows.append(replace(_client(max_sessions=sessions, initial_state=state), **values))
        return [total for (total,) in joined("endpoint.channel_instances_total", *rows)]

    assert totals(60, 2, one=29, two=19) == [50, 50]
    assert totals(45, 2, one=29, two=19) == [50, 50]
    assert totals(60, 2, one=29, two=99) == [30, 30]
    assert totals(60, 2, one=29) == [60]
    assert totals(59, 2, one=29) == [None]
    assert totals(29, 2, one=29) == [30]
    assert totals(80, 3, one=29, two=19) == [75, 75]
    assert totals(74, 3, one=29, two=19) == [None, None]
    assert totals(49, 3, one=29, two=19) == [50, 50]
    assert totals(60, 2, one=29, two=None) == [None, None]
    assert totals(60, None, one=29, two=19) == [None, None]


def test_members_that_differ_are_judged_where_all_are_known() -> None:
    """The cluster needs no more than all endpoints of the channel do."""
    rows: list[Row] = [Channel(queue_manager="QM1", name="C", sharing_conversations=1, max_instances=55)]
    for name, sessions in (("one", 29), ("two", 19)):
        rows.append(Server(id=name, cluster="X", was_level=90000, cluster_size=2))
        rows.append(replace(_client(max_sessions=sessions), id=name, cluster="X", server_id=name))
    assert joined("endpoint.channel_instances_all", *rows) == [(50,), (40,)]


def test_channel_instances_of_one_client_address() -> None:
    """Servers of one node share it, those of clusters, too; of several nodes the one that needs most counts."""

    def needs(limit: int, *endpoints: tuple[str, int | None], **nodes: dict[str, int]) -> list[int | None]:
        rows: list[Row] = [
            Channel(queue_manager="QM1", name="C", sharing_conversations=1, max_instances_per_client=limit)
        ]
        for server, own in nodes.items():
            rows.append(Server(id=server, was_level=90000, cluster_size=1))
            rows += [
                Placement(id=f"{server} {node}", server_id=server, address=node, server_count=count)
                for node, count in own.items()
            ]
        for number, (server, sessions) in enumerate(endpoints):
            state = "stopped" if sessions == 99 else "started"
            values: dict[str, Any] = {"id": str(number), "name": str(number), "server_id": server}
            rows.append(replace(_client(max_sessions=sessions, initial_state=state), **values))
        return [need for (need,) in joined("endpoint.channel_instances_client", *rows)]

    assert needs(99, ("a", 9), ("a", 4), a={"n1": 1}) == [15, 15]
    assert needs(99, ("a", 9), ("b", 4), a={"n1": 1}, b={"n2": 1}) == [10, 5]
    assert needs(99, ("a", 9), ("b", 4), a={"n1": 1}, b={"n1": 1}) == [15, 15]
    assert needs(99, ("x", 9), ("b", 4), x={"n1": 1, "n2": 2}, b={"n1": 1}) == [20, 15]
    assert needs(99, ("a", 9), ("a", 99), a={"n1": 1}) == [10, 100]
    assert needs(99, ("a", 9), ("a", None), a={"n1": 1}) == [None, None]
    assert needs(9, ("a", 9), ("a", None), a={"n1": 1}) == [10, 10]
    assert needs(99, ("a", 9), a={}) == [10]


@pytest.mark.parametrize(
    ("values", "rows", "expected"),
    [
        ({}, {}, ("app", None)),
        ({}, {"*": "*"}, ("app", "*")),
        ({}, {"*": "mqapp"}, ("mqapp", "*")),
        ({}, {"*": None}, (None, "*")),
        ({}, {"*": "*", "app": "mqapp"}, ("mqapp", "app")),
        ({}, {"*": "*", "app": None}, (None, "app")),
        ({"user": None}, {"*": "*", "": "mqm"}, ("mqm", "")),
        ({"user": None}, {"*": "*", "": None}, (None, "")),
        ({"user_observed": True}, {"*": "mqapp"}, ("app", "*")),
        ({"transport": "bindings"}, {"*": "mqapp"}, ("app", None)),
        ({"channel": "D"}, {"*": "mqapp"}, ("app", None)),
    ],
)
def test_the_user_whose_rights_count(
    values: dict[str, Any], rows: dict[str, str | None], expected: tuple[str | None, str | None]
) -> None:
    """The row of the client's user, else that of all others; an observed user is what it is, and bindings have none."""
    access = [
        ChannelAccess(queue_manager="QM1", channel="C", user=user, effective_user=effective, record="r")
        for user, effective in rows.items()
    ]
    assert joined("endpoint.user, channel_access.user", _client(**({"user": "app"} | values)), *access) == [expected]


@pytest.mark.parametrize(
    ("manager", "channel", "transport", "expected"),
    [
        ({"lists_channels": True}, "C", "client", "resolved"),
        ({"lists_channels": True}, "D", "client", "not_defined"),
        ({"lists_channels": True}, "D", "bindings", None),
        ({"lists_channels": False}, "D", "client", None),
        ({"lists_channels": True}, None, "client", None),
        ({"ambiguous": True}, "C", "client", "ambiguous"),
    ],
)
def test_what_the_channel_of_a_client_is(
    manager: dict[str, Any], channel: str | None, transport: str, expected: str | None
) -> None:
    """Only an export that shows every channel can lack one."""
    rows = (_client(channel=channel, transport=transport), QueueManager(name="QM1", **manager))
    assert joined("endpoint.channel_resolution", *rows, Channel(queue_manager="QM1", name="C")) == [(expected,)]


TOPICS = (
    Topic(queue_manager="QM1", topic_string="", covers_below=True, durable_model="ROOT.D", nondurable_model="ROOT.N"),
    Topic(queue_manager="QM1", topic_string="a", covers_below=True, durable_model="A.D", nondurable_model="A.N"),
    Topic(queue_manager="QM1", topic_string="a/b", covers_below=None, durable_model="B.D", nondurable_model="B.N"),
    Topic(queue_manager="QM1", topic_string="same", covers_below=True, durable_model="A.D", nondurable_model="A.D"),
    *(
        Queue(queue_manager="QM1", name=f"{model}.{kind}", type="model", backout_threshold=0)
        for model in ("ROOT", "A", "B")
        for kind in "DN"
    ),
    Queue(queue_manager="QM2", name="A.N", type="model"),
    QueueManager(name="QM1"),
)


@pytest.mark.parametrize(
    ("topic", "durable", "model"),
    [
        ("a", False, "A.N"),
        ("a", True, "A.D"),
        ("a", None, None),
        ("a/x/y", False, "A.N"),
        ("a/b", False, "B.N"),
        ("a/b/c", False, "A.N"),
        ("ab", False, "ROOT.N"),
        ("A", True, "ROOT.D"),
        ("/a", True, "ROOT.D"),
        ("x/y", True, "ROOT.D"),
        ("same/x", None, "A.D"),
        ("a/+", False, None),
        ("a/#", False, None),
        ("a*", False, None),
        (None, False, None),
    ],
)
def test_model_queue_of_a_subscription(topic: str | None, durable: bool | None, model: str | None) -> None:
    """The nearest point above the topic decides, durable and non-durable apart; wildcards leave it open."""
    endpoint = _client(destination_type="topic", topic=topic, subscription_durable=durable)
    assert joined("queue.name", endpoint, *TOPICS) == [(model,)]


@pytest.mark.parametrize(
    ("values", "sharing", "model"),
    [
        ({}, 10, "A.N"),
        ({}, 0, None),
        ({"transport": "bindings"}, 0, "A.N"),
        ({"migration_mode": True}, 10, None),
        ({"migration_mode": None}, 10, None),
    ],
)
def test_migration_mode_has_no_managed_queue(values: dict[str, Any], sharing: int, model: str | None) -> None:
    """With provider version 6, or on a channel that shares nothing, publications come from queues of the broker."""
    endpoint = _client(destination_type="topic", topic="a", subscription_durable=False, **values)
    channel = Channel(queue_manager="QM1", name="C", sharing_conversations=sharing)
    assert joined("queue.name", endpoint, channel, *TOPICS) == [(model,)]


def test_beans_of_a_listener_port_subscribe_each_in_their_way() -> None:
    """Where the endpoint does not tell, the bean does."""
    beans = [Bean(id=f"b{n}", endpoint_id="e", subscription_durable=durable) for n, durable in enumerate((True, False))]
    endpoint = _client(kind="listener_port", destination_type="topic", topic="a")
    assert joined("queue.name", endpoint, *beans, *TOPICS) == [("A.D",), ("A.N",)]


def test_who_reads_a_backout_queue() -> None:
    """Endpoints that lead to the backout queue are counted, also through aliases; none of them is 0, not unknown."""

    def reader(name: str, queue: str, sessions: int | None) -> Endpoint:
        return Endpoint(
            id=name, kind="activation_spec", name=name, queue_manager="QM1", queue=queue, max_sessions=sessions,
            bean_count=1,
        )  # fmt: skip

    names = [
        QueueName(queue_manager="QM1", name=name, type="local", local_queue=local)
        for name, local in (("A", "A"), ("B", "B"), ("A.BO", "A.BO"), ("ALIAS", "A.BO"), ("C", "C"))
    ]
    queues = [
        Queue(queue_manager="QM1", name=name, backout_queue=backout, poison_queue=backout)
        for name, backout in (("A", "A.BO"), ("B", "B.BO"), ("A.BO", ""), ("C", "SYSTEM.DEAD.LETTER.QUEUE"))
    ]
    targets = [
        PutTarget(queue_manager="QM1", name="A.BO", local_queue="A.BO"),
        PutTarget(queue_manager="QM1", name="B.BO", local_queue="B.BO"),
        PutTarget(queue_manager="QM1", name="SYSTEM.DEAD.LETTER.QUEUE"),
    ]
    endpoints = [
        reader("a", "A", 1),
        reader("b", "B", 1),
        reader("z", "A.BO", 2),
        reader("y", "ALIAS", 3),
        reader("c", "C", 1),
    ]
    rows = joined(
        "endpoint.name, backout_consumers.endpoints, backout_consumers.sessions, backout_consumers.first_endpoint",
        *endpoints, *names, *queues, *targets,
    )  # fmt: skip
    assert rows == [
        ("a", 2, 5, "y"),
        ("b", 0, 0, None),
        ("z", None, None, None),
        ("y", None, None, None),
        ("c", None, None, None),
    ]


@pytest.mark.parametrize(
    ("read", "known"),
    [
        ("A", False),
        ("AB", False),
        ("AC", False),
        ("ABC", True),
        ("ABCD", True),
        (("A", "ALIAS", "C"), True),
        (("A", "A", "B"), False),
        ("D", None),
    ],
)
def test_who_reads_the_queues_of_a_circle(read: Sequence[str], known: bool | None) -> None:
    """A's backout queue is B, B's is C, and C's is A: nothing goes round unless every one of them is read."""
    endpoints = [
        Endpoint(id=f"e{n}", kind="activation_spec", name=f"e{n}", queue_manager="QM1", queue=queue)
        for n, queue in enumerate(read)
    ]
    names = [
        QueueName(queue_manager="QM1", name=name, type="local", local_queue=local)
        for name, local in (("A", "A"), ("B", "B"), ("C", "C"), ("ALIAS", "B"), ("D", "D"))
    ]
    circle = [
        Queue(queue_manager="QM1", name=name, backout_circle="A", backout_circle_queues=3, backout_loops=True)
        for name in "ABC"
    ]
    rows = joined("endpoint.backout_circle_read", *endpoints, *names, *circle, Queue(queue_manager="QM1", name="D"))
    assert rows[0] == (known,)


OTHER_READERS: list[tuple[tuple[dict[str, Any], ...], int | None, int | None]] = [
    ((), 2, 1),
    (({"bean_count": 2},), 8, 3),
    (({"initial_state": "stopped"},), 5, 1),
    (({"bean_count": 0},), 2, 1),
    (({"bean_count": None},), None, None),
    (({"bean_count": None}, {}), None, 2),
]


@pytest.mark.parametrize(("others", "sessions", "readers"), OTHER_READERS)
def test_who_reads_a_queue_at_once(
    others: tuple[dict[str, Any], ...], sessions: int | None, readers: int | None
) -> None:
    """Every bean has sessions of its own; what starts stopped does not read, and two readers are enough to know."""
    own: dict[str, Any] = {"kind": "activation_spec", "queue_manager": "QM1", "queue": "Q", "bean_count": 1}
    endpoints = [Endpoint(id="a", name="a", max_sessions=2, **own)]
    endpoints += [Endpoint(id=f"b{n}", name="b", max_sessions=3, **(own | other)) for n, other in enumerate(others)]
    name = QueueName(queue_manager="QM1", name="Q", type="local", local_queue="Q")
    rows = joined("consumers.sessions, consumers.readers", *endpoints, name, Queue(queue_manager="QM1", name="Q"))
    assert rows == [(sessions, readers)] * len(endpoints)


def test_the_size_of_a_cluster_is_known_to_each_member() -> None:
    """Members that differ have rows of their own, which know how many they are; a single server is one."""

    def sizes(name: str) -> set[tuple[int | None, int | None]]:
        rows = run_scenario(scenario_folder(name)).estate.facts.rows["server"]
        return {(row.member_count, row.cluster_size) for row in rows}

    assert sizes("cluster-members-differ") == {(None, 2)}
    assert sizes("mixed-version-cluster") == {(2, 2)}
    assert sizes("clean") == {(None, 1)}


def test_exports_of_one_cell_that_contradict_are_not_mixed(tmp_path: Path) -> None:
    """Each of the two is judged on its own: no flow has the endpoint of one and the server or bean of the other."""
    for number, name in enumerate(("clean", "stop-3-sessions-5-bothresh-5")):
        shutil.copytree(FIXTURES / name / "was", tmp_path / str(number))
    paths = [tmp_path / "0", tmp_path / "1", FIXTURES / "clean" / "mq"]
    judgement = judge(read_estate(paths, Observations()).facts, RULES)
    assert len(judgement.flows) == 2
    for flow in judgement.flows:
        origins = [find_origin(flow.rows, f"{alias}.name") for alias in ("endpoint", "server", "bean")]
        roots = {origin.path.split("/cells/")[0] for origin in origins if origin is not None}
        assert len(roots) == 1
    assert sum(finding.rule.id == "MDB904" for finding in judgement.findings) == 2


def test_exports_of_one_cell_that_agree_are_one(tmp_path: Path) -> None:
    """A cell given twice with equal values is judged once."""
    for number in ("0", "1"):
        shutil.copytree(FIXTURES / "clean" / "was", tmp_path / number)
    judgement = judge(read_estate([tmp_path, FIXTURES / "clean" / "mq"], Observations()).facts, RULES)
    assert len(judgement.flows) == 1
    assert not [finding for finding in judgement.findings if finding.rule.id == "MDB904"]


def test_every_join_holds_within_one_environment() -> None:
    """No join and no group of the text can forget the environment, whoever adds one."""
    text = "\n".join((*join_parts().values(), *repeated_texts().values()))
    joins = re.findall(r"\bON\s+(\S)", text)
    groups = re.findall(r"\bGROUP BY\s+(\{manager:)?", text)
    assert joins.count("{") == len(joins) == len(re.findall(r"\bJOIN\b", text)) == text.count("{match:")
    assert groups.count("{manager:") == len(groups) > 0
    apart = join_sql(dialect=Dialect(apart=True))
    assert len(re.findall(r"\bJOIN\b", apart)) == apart.count(".environment, '') = COALESCE(")
    assert ".environment, ''" not in join_sql()


@pytest.mark.parametrize(
    ("of_endpoint", "of_manager"), [(None, "prod"), ("prod", None), ("prod", "test"), (None, None)]
)
def test_no_queue_manager_of_another_environment_joins(of_endpoint: str | None, of_manager: str | None) -> None:
    """Nor does one of an environment where no endpoint is in any."""
    facts = Facts()
    facts.add(
        Endpoint(id="e", kind="listener_port", name="LP", queue_manager="QM1", queue="Q", environment=of_endpoint),
        QueueManager(name="QM1", environment=of_manager),
        QueueName(queue_manager="QM1", name="Q", local_queue="Q", environment=of_manager),
        Queue(queue_manager="QM1", name="Q", backout_threshold=0, environment=of_manager),
    )
    (flow,) = judge(facts, []).flows
    assert (flow.rows.queue is not None) == (of_endpoint == of_manager)
