"""What a search finds on top of changes says what the exports have, and not what the changes would have made of it."""

from __future__ import annotations

from lintmdb.model.origins import Origin
from lintmdb.plan.exported_values import with_exported_values
from lintmdb.settings.changes import Assignment, Definition, Grant, Target

_ONE, _OTHER = "/Node:n1/Server:m1/", "/Node:n2/Server:m2/"
_BOTH = Target("was", "C1", "listener_service", "", f"{_ONE} {_OTHER}")
_READ = Origin("server.xml", 5, 3, 'NON.ASF.RECEIVE.TIMEOUT="110000"')
_TRIED = Assignment(_BOTH, "endpoint.non_asf_timeout_ms", "NON.ASF.RECEIVE.TIMEOUT", "88000", "110000", _READ)
_FOUND = _TRIED._replace(new="0", old="88000", origin=None)
_QUEUE = Target("mq", "QM1", "QUEUE", "IN.BACKOUT")


def test_an_old_value_is_that_of_the_export() -> None:
    """A change on top of one that was tried replaces what the export has, with its place there."""
    assert with_exported_values((_FOUND,), (_TRIED,)) == (_TRIED._replace(new="0"),)
    assert with_exported_values((_FOUND,), ()) == (_FOUND,)


def test_members_that_differ_in_the_export_are_changed_one_by_one() -> None:
    """What was tried made them equal, so one change would have one old value for both."""
    first = _TRIED._replace(target=_BOTH._replace(path=_ONE))
    changes = with_exported_values((_FOUND,), (first,))
    assert changes == (first._replace(new="0"), _FOUND._replace(target=_BOTH._replace(path=_OTHER)))


def test_rights_are_granted_on_top_of_what_the_export_has() -> None:
    """The record that was tried is none of the export's, and what a wider profile grants is kept."""
    tried = Grant(_QUEUE, "app", ("PUT", "INQ"), recorded=False, kept=("INQ",))
    found = Grant(_QUEUE, "app", ("PASSALL",), ("PUT", "INQ"), recorded=True)
    (grant,) = with_exported_values((found,), (tried,))
    assert grant == Grant(_QUEUE, "app", ("PASSALL", "INQ"), recorded=False, kept=("INQ",))


def test_a_new_queue_has_no_old_values() -> None:
    """The plan defines it, and its changes become part of the definition."""
    new = Definition(_QUEUE._replace(kind="QLOCAL"), (("MAXDEPTH", "5000"),))
    change = Assignment(new.target, "queue.shareable", "SHARE", "SHARE", "NOSHARE")
    assert with_exported_values((change,), (new,)) == (change,)
