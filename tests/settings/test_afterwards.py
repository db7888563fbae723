"""What has to be done before changes act is said once, in one place."""

from __future__ import annotations

import pytest

from lintmdb.settings.afterwards import acts_words, afterwards, cautions
from lintmdb.settings.changes import Assignment, Definition, Grant, Mover, Namer, Stalled, Target

_QUEUE = Target("mq", "QM1", "QLOCAL", "A")
_NEW = _QUEUE._replace(name="A.BACKOUT")
_THRESHOLD = Assignment(_QUEUE, "queue.backout_threshold", "BOTHRESH", "3", "0")
_DEFINITION = Definition(_NEW, (("MAXDEPTH", "5000"),))
_GRANT = Grant(_QUEUE._replace(kind="QUEUE"), "wasuser", ("PUT",))


_CLOSED = "Somebody closed A.BACKOUT to messages, maybe on purpose. Look at its DESCR before you open it"


def test_a_queue_that_the_plan_defines_needs_nothing() -> None:
    """Beside a change that needs a restart, nothing says that the change acts at once."""
    granted = _GRANT._replace(target=_NEW._replace(kind="QUEUE"), group=True)
    sentences = afterwards((_DEFINITION, granted, _THRESHOLD))
    assert len(sentences) == 1
    assert sentences[0].startswith("Restart what reads A. ")
    opened = Assignment(_NEW, "backout.put_enabled", "PUT", "ENABLED", "DISABLED")
    assert afterwards((_DEFINITION, granted, opened)) == [_CLOSED]
    assert acts_words(_DEFINITION) == "The change takes effect immediately"


def test_a_new_queue_that_nothing_is_granted_on_says_who_needs_rights() -> None:
    """A grant on another queue, or at another queue manager, is none on this one."""
    elsewhere = _GRANT._replace(target=_NEW._replace(kind="QUEUE", place="QM2"))
    second = _DEFINITION._replace(target=_QUEUE._replace(name="B.BACKOUT"))
    told = [text for text in afterwards((_DEFINITION, second, _GRANT, elsewhere)) if "put and passall" in text]
    assert len(told) == 1
    assert told[0].startswith("Each user whose messages are moved to A.BACKOUT and B.BACKOUT needs put and passall")
    assert told[0].endswith("These changes add no rights there; a generic profile may already grant them")


def test_who_else_needs_rights_is_said_beside_the_users_that_are_known() -> None:
    """Whether or not one of them gets rights; nobody is told twice about one queue."""
    known, lacking = Mover("one", ("put", "passall")), Mover("two", ("put", "passall"), lacks=True)
    new = _DEFINITION._replace(movers=(known, lacking, Mover("")), named_by=(Namer("A", ""),))
    given = _GRANT._replace(target=_NEW._replace(kind="QUEUE"), user="two")
    for changes, told in (((new,), "two lacks put and passall on A.BACKOUT, and"), ((new, given), "one already has")):
        rights = [text for text in afterwards(changes) if "A.BACKOUT" in text]
        assert any(text.startswith(told) for text in rights)
        (others,) = (text for text in rights if text.startswith("Each "))
        assert others.startswith("Each other user whose messages are moved to A.BACKOUT needs put and passall there")
        assert others.endswith("too. A generic profile may already grant them")
    assert not [text for text in afterwards((new._replace(movers=(known,)),)) if text.startswith("Each ")]
    (others,) = (text for text in afterwards((new._replace(named_by=()),)) if text.startswith("Each "))
    assert others.endswith("there. A generic profile may already grant them")  # as on a dead-letter queue


def test_a_definition_of_a_queue_sharing_group_is_that_of_all_its_queue_managers() -> None:
    """What QSGDISP(GROUP) defines reaches every queue manager of the group, not only the one that the plan names."""
    for disposition, told in (("", False), ("SHARED", False), ("GROUP", True)):
        target = _QUEUE._replace(disposition=disposition)
        for change in (_THRESHOLD._replace(target=target), _DEFINITION._replace(target=target)):
            assert any("queue-sharing group" in text for text in afterwards((change,))) is told
            assert ("queue-sharing group" in acts_words(change)) is told


def test_a_transmission_queue_is_not_the_only_limit_on_the_way() -> None:
    """Whoever lets longer messages leave has to let them arrive, too."""
    leaves = Assignment(_QUEUE._replace(name="QM2"), "backout.transmission_max_bytes", "MAXMSGL", "4198304", "4194304")
    told = "The channel that takes messages from QM2, and the queue at its other end, have a MAXMSGL of their own. "
    assert told in acts_words(leaves)
    assert [text for text in afterwards((leaves, _THRESHOLD)) if "WHERE(XMITQ EQ 'QM2')" in text]
    assert cautions((leaves,)) == [
        "A longer message also has to fit the channel from QM2, and the queue at the other end."
    ]
    here = leaves._replace(setting="backout.max_message_bytes")
    assert "XMITQ" not in acts_words(here)
    assert cautions((here, _THRESHOLD, _DEFINITION)) == []


@pytest.mark.parametrize(
    ("channels", "told"),
    [
        ("QM1.QM2 with MAXMSGL(4194304)", "channel QM1.QM2 with MAXMSGL(4194304)"),
        ("A with MAXMSGL(0) and B with MAXMSGL(9)", "channels A with MAXMSGL(0) and B with MAXMSGL(9)"),
    ],
)
def test_a_known_channel_on_the_way_is_named(channels: str, told: str) -> None:
    """With its own limit, in the commands and in the short report."""
    leaves = Assignment(_QUEUE._replace(name="QM2"), "backout.transmission_max_bytes", "MAXMSGL", "4198304", "4194304")
    known = f"A longer message also has to fit {told}, and the queue at the other end"
    assert known in afterwards((leaves._replace(channels=channels),))
    assert cautions((leaves._replace(channels=channels),)) == [f"{known}."]


def test_every_grant_says_whom_it_reaches() -> None:
    """Once for all grants: one that acts on a primary group reaches all of its members."""
    sentences = afterwards((_GRANT, _GRANT._replace(user="other"), _THRESHOLD))
    assert ["primary group" in text for text in sentences] == [False, True]
    assert "primary group" in acts_words(_GRANT)


def test_windows_has_no_primary_groups() -> None:
    """There a grant to a user is one to that user alone."""
    assert afterwards((_GRANT._replace(on_windows=True),)) == afterwards((_GRANT,))[1:]
    assert "primary group" not in acts_words(_GRANT._replace(on_windows=True))


def test_rights_on_zos_are_those_of_racf() -> None:
    """Whoever has only the script finds the profiles there, and no words of the object authority manager."""
    for change in (_DEFINITION, _THRESHOLD._replace(moves_to=("A.BACKOUT",))):
        (rights,) = (text for text in afterwards((change._replace(on_zos=True),)) if text.startswith("Each "))
        assert "UPDATE access to hlq.QUEUE in the RACF class MQQUEUE" in rights
        assert "READ access to hlq.CONTEXT.QUEUE in MQADMIN" in rights
        assert "passall" not in rights


def test_nobody_needs_rights_on_a_transmission_queue() -> None:
    """Messages are put on the remote queue definition that leads to it."""
    leads = _DEFINITION._replace(attributes=(("USAGE", "XMITQ"),))
    assert not [text for text in afterwards((leads,)) if text.startswith("Each ")]


def test_what_differs_in_names_alone_is_said_once() -> None:
    """Three thresholds and five servers are one sentence each, with the names that it is about."""
    thresholds = [_THRESHOLD._replace(target=_QUEUE._replace(name=name)) for name in ("A", "B", "C")]
    spec = Target("was", "CELL", "mq_specification", "S", "/Cell:CELL/")
    stops = [
        Assignment(spec._replace(name=f"S{number}"), "endpoint.stops_on_failure", "stop", "false", "true")
        for number in range(6)
    ]
    queues, specs = afterwards((*thresholds, *stops))
    assert queues.startswith("Restart what reads A, B and C. ")
    assert specs.endswith("whose beans use S0, S1, S2, S3 and 2 more. The changes affect all of these beans")
    assert "The change affects all" in afterwards(stops[:1])[0]
    assert "{name}" in afterwards([stops[0]._replace(target=spec._replace(name="{name}{server}"))])[0]


def test_what_is_at_cluster_scope_names_the_cluster() -> None:
    """Its members alone see the object, so they are what to restart; each cluster is a sentence of its own."""
    adapter = "/J2CResourceAdapter:WebSphere MQ Resource Adapter/J2CActivationSpec:{}/"
    stops = [
        Assignment(
            Target("was", "CELL", "mq_specification", name, scope + adapter.format(name)),
            "endpoint.stops_on_failure",
            "stop",
            "false",
        )
        for name, scope in (
            ("A", "/ServerCluster:K1"),
            ("{cluster}", "/ServerCluster:K1"),
            ("C", "/ServerCluster:K{name}"),
        )
    ]
    (told,) = afterwards(stops)
    assert told == (
        "Synchronise the nodes, then restart the members of cluster K1 whose beans use A and {cluster} and the members "
        "of cluster K{name} whose beans use C. The changes of A, {cluster} and C affect all beans that use them"
    )
    (alone,) = afterwards(stops[:1])
    assert alone.startswith(
        "Synchronise the nodes, then restart the members of cluster K1 whose beans use A. The change"
    )
    members = " ".join(f"/Node:n/Server:m{number}/" for number in range(6))
    (told,) = afterwards([stops[0], stops[1]._replace(servers=members)])
    assert "the members of cluster K1 (n/m0, n/m1, n/m2, n/m3 and 2 more) whose beans use A and {cluster}." in told
    (told,) = afterwards([stops[0], stops[1]._replace(servers=members)], all_names=True)
    assert "the members of cluster K1 (n/m0, n/m1, n/m2, n/m3, n/m4 and n/m5) whose beans use" in told


def test_nodes_are_synchronised_once_and_each_server_is_named_once() -> None:
    """Members of a cluster stand with their cluster, and whom each change concerns follows."""
    paths = {"p1": "/Node:n/Server:p1/", "p2": "/Node:n/Server:p2/", "b1": "/Node:n/Server:b1/"}
    service = Target("was", "CELL", "listener_service", "", paths["b1"])
    pools = [Target("was", "CELL", "thread_pool", "WMQJCAResourceAdapter", paths[name]) for name in ("p1", "b1")]
    spec = Target("was", "CELL", "mq_specification", "S", "/ServerCluster:K/J2CActivationSpec:S/")
    bus = Target("was", "CELL", "bus_destination", "NOTIFY.Q", "Bus")
    changes = [
        Assignment(service, "endpoint.non_asf_timeout_ms", "NON.ASF.RECEIVE.TIMEOUT", "0", "1"),
        *(Assignment(pool, "server.activation_threads_max", "maximumSize", "60", "50") for pool in pools),
        Assignment(spec, "endpoint.stop_on_failure", "stop", "false", servers=f"{paths['p1']} {paths['p2']}"),
        Assignment(bus, "destination.exception_destination", "exceptionDestination", "X", ""),
    ]
    told, mode = afterwards(changes)
    assert mode == "With NON.ASF.RECEIVE.TIMEOUT 0, the listener ports of n/b1 receive in ASF mode"
    assert told == (
        "Synchronise the nodes, then restart n/b1 and the members of cluster K (n/p1 and n/p2). The change of the "
        "message listener service affects every listener port of n/b1. The change of S affects all beans that use it. "
        "The bus applies the change of NOTIFY.Q if its configuration reload is on. Otherwise restart its messaging "
        "engines"
    )
    assert afterwards(changes[-1:])[0].startswith("Synchronise the nodes. The bus applies the change if")


@pytest.mark.parametrize(
    ("attribute", "value", "words"),
    [
        ("BOTHRESH", "3", "Restart what reads A. A client caches BOTHRESH and BOQNAME"),
        ("BOQNAME", "A.BACKOUT", "Restart what reads A. A client caches BOTHRESH and BOQNAME"),
        ("SHARE", "SHARE", "Restart what reads A. SHARE and DEFSOPT decide when"),
        ("DEFSOPT", "SHARED", "Restart what reads A. SHARE and DEFSOPT decide when"),
        ("STRMQOS", "BESTEF", "The change of A takes effect the next time that a program opens it"),
        ("DEFPSIST", "YES", "DEFPSIST of A applies only to messages that are put from now on by programs that leave"),
        ("MAXDEPTH", "5000", "The change takes effect immediately"),
    ],
)
def test_the_reason_for_a_restart_is_that_of_the_attribute(attribute: str, value: str, words: str) -> None:
    """A client caches what it asks for once; how a queue is opened is decided then; the rest the queue manager looks up
    whenever it needs it.
    """
    assert acts_words(Assignment(_QUEUE, "queue.name", attribute, value, "")).startswith(words)


def test_what_is_blocked_is_restarted_and_what_has_stopped_is_started() -> None:
    """Each once, and only where no other change restarts it: a threshold of another queue does not."""
    reader = Stalled("QM1", "A", "S1", stops=False)
    stopped = [reader._replace(endpoint=name, stops=True) for name in ("S1", "S2")]
    topic = reader._replace(queue="", endpoint="S3")
    opened = Assignment(_NEW, "backout.put_enabled", "PUT", "ENABLED", "DISABLED", revives=(reader, topic, stopped[0]))
    dead = Assignment(_QUEUE._replace(kind="QMGR", name=""), "queue_manager.dead_letter_queue", "DEADQ", "D", "")
    dead = dead._replace(revives=(reader, *stopped))
    both = (
        "If delivery has already stopped, restart what reads A (S1)",
        "If delivery has already stopped, restart S3",
        "If any of S1 and S2 has already stopped, start it again",
    )
    assert afterwards((opened, dead)) == [_CLOSED, *both]
    assert acts_words(opened).startswith(
        f"The change takes effect immediately. {both[0]}. {both[1]}. If S1 has already"
    )
    other = _THRESHOLD._replace(target=_NEW, revives=(reader,))
    assert afterwards((other, dead))[1:] == [both[0], both[2]]
    own = _THRESHOLD._replace(revives=(reader, *stopped))
    assert afterwards((own, dead)) == afterwards((own,))
    channel = _THRESHOLD._replace(target=_QUEUE._replace(kind="CHANNEL"), revives=(reader, *stopped))
    assert afterwards((channel, dead)) == afterwards((channel,))


def test_the_restart_of_a_server_starts_what_runs_in_it() -> None:
    """A change of the same script is enough, whatever it is for, if it restarts all servers of the endpoint. That of a
    later script is named, as nobody has to make it.
    """
    one, two = "/Cell:C/Node:n/Server:s1/", "/Cell:C/Node:n/Server:s2/"
    stopped = Stalled("", "", "S", stops=True, cell="C", servers=one)
    bus = Assignment(
        Target("was", "C", "bus_destination", "D", "Bus"), "destination.max_failed_deliveries", "m", "3", "5"
    )
    bus = bus._replace(revives=(stopped,))
    port = Assignment(Target("was", "C", "listener_port", "Other", one), "endpoint.failure_threshold", "m", "3", "5")
    assert not [text for text in afterwards((bus, port)) if "start it again" in text]
    elsewhere = port._replace(target=port.target._replace(path=two))
    other_cell = port._replace(target=port.target._replace(place="D"))
    on_both = bus._replace(revives=(stopped._replace(servers=f"{one} {two}"),))
    for changes in ((bus, elsewhere), (bus, other_cell), (on_both, port)):
        assert afterwards(changes)[-1] == "If S has already stopped, start it again"
    assert not [text for text in afterwards((on_both, port, elsewhere)) if "start it again" in text]
    later = bus._replace(revives=(stopped._replace(later="C"), Stalled("QM1", "Q", "R", stops=False)))
    assert afterwards((later,))[-2:] == [
        "If delivery has already stopped, restart what reads Q (R)",
        "If other delivery has already stopped, it resumes with the restart of n/s1 that the script for C asks for",
    ]


def test_a_change_in_a_cell_that_restarts_its_servers_starts_their_endpoints() -> None:
    """That of a bus destination restarts none."""
    stopped = Stalled("", "", "S", stops=True)
    spec = Target("was", "CELL", "bus_specification", "S", "/Cell:CELL/")
    bus = Assignment(
        Target("was", "CELL", "bus_destination", "D", "Bus"),
        "destination.max_failed_deliveries",
        "maxFailedDeliveries",
        "3",
        "5",
        revives=(stopped,),
    )
    batch = Assignment(spec, "endpoint.max_batch", "maxBatchSize", "1", "5", revives=(stopped,))
    assert afterwards((bus,))[-1] == "If S has already stopped, start it again"
    assert not [text for text in afterwards((bus, batch)) if "start it again" in text]


def test_members_of_a_cluster_that_a_later_script_restarts_are_told_together() -> None:
    """The members of a cluster that differ are several endpoints of one name, also among those that read a queue. What
    has stopped is not named: it may stop again before that script has changed it, too.
    """
    one, two = (f"/Node:{node}/Server:shop/" for node in ("node1", "node2"))
    members = [Stalled("QM1", "A", "OrdersLP", stops=True, cell="C1", servers=path, later="C1") for path in (one, two)]
    unless = "unless you restart node1/shop and node2/shop later, as the script for C1 asks"
    resumes = "it resumes with the restart of node1/shop and node2/shop that the script for C1 asks for"
    told = afterwards([_GRANT._replace(revives=tuple(members))])
    assert f"If delivery has already stopped, {resumes}" in told
    assert not any("OrdersLP" in text for text in told)
    told = afterwards([_THRESHOLD._replace(readers=tuple(members))])
    assert f"(OrdersLP, {unless})" in told[0]
    apart = [members[0], members[1]._replace(later="")]
    told = afterwards([_GRANT._replace(revives=tuple(apart))])
    assert "If OrdersLP has already stopped, start it again" in told
    alone = resumes.replace(" and node2/shop", "")
    assert f"If delivery has already stopped, {alone}" in told
