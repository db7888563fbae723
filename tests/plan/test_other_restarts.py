"""What the script for a cell says of restarts that other scripts ask for."""

from __future__ import annotations

from lintmdb.plan.other_restarts import restarts_after, restarts_of_others
from lintmdb.settings.changes import Assignment, Stalled, Target
from lintmdb.settings.kinds import when_they_act

_SERVER = "/Node:node1/Server:shop1/"


def _read_by(*readers: Stalled) -> Assignment:
    queue = Target("mq", "QM1", "QLOCAL", "A.IN")
    return Assignment(queue, "queue.backout_threshold", "BOTHRESH", "3", "0", readers=readers)


def _reader(queue: str, *, later: str = "", servers: str = _SERVER) -> Stalled:
    return Stalled("QM1", queue, "OrdersAS", stops=False, cell="C1", servers=servers, later=later)


def test_a_script_that_ran_before_and_one_that_runs_after_it() -> None:
    """The second one acts only with a restart after it, whatever was restarted before."""
    changes = [_read_by(_reader("A.IN"))]
    told = list(restarts_of_others("C1", [], {"mq/QM1.mqsc": changes}))
    assert told == ["Restart node1/shop1, too, as mq/QM1.mqsc asks because of A.IN"]
    assert list(restarts_of_others("C2", [], {"mq/QM1.mqsc": changes})) == []
    assert list(restarts_after("C1", "mq/QM1.mqsc", changes)) == [
        "After mq/QM1.mqsc has run, restart node1/shop1, as it asks"
    ]


def test_one_name_may_read_several_queues_in_the_same_servers() -> None:
    """Also where another of that name is restarted by no later script."""
    here = _reader("C.IN", servers="/Node:node2/Server:shop2/")
    readers = (_reader("A.IN", later="C1"), _reader("B.IN", later="C1"), here)
    (told,) = when_they_act([_read_by(*readers)])
    asks = "OrdersAS also on node1/shop1, unless you restart it later, as the script for C1 asks"
    assert f"(OrdersAS on node2/shop2; {asks})" in told
