"""Changes as data: those of one queue become one."""

from __future__ import annotations

from lintmdb.settings.changes import Assignment, Definition, Target, folded

_NEW = Target("mq", "QM1", "QLOCAL", "ORDERS.BACKOUT")
_OTHER = _NEW._replace(name="ORDERS.IN")


def test_a_new_queue_is_defined_as_it_is_to_be() -> None:
    """Its definition takes what another change would alter, also a switch; changes of other queues stay."""
    other = Assignment(_OTHER, "queue.max_message_bytes", "MAXMSGL", "100", "50")
    changes = (
        Definition(_NEW, (("USAGE", "NORMAL"), ("MAXMSGL", "50"), ("NOTRIGGER", ""), ("BOTHRESH", "0"))),
        Assignment(_NEW, "backout.max_message_bytes", "MAXMSGL", "100", "50"),
        Assignment(_NEW, "backout.triggered", "TRIGGER", "TRIGGER", "NOTRIGGER"),
        other,
    )
    defined = (("USAGE", "NORMAL"), ("MAXMSGL", "100"), ("BOTHRESH", "0"), ("TRIGGER", "TRIGGER"))
    assert folded(changes) == (Definition(_NEW, defined), other)
