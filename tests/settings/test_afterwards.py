"""What has to be done before changes act is said once, in one place."""

from __future__ import annotations

from lintmdb.settings.afterwards import acts_words, afterwards
from lintmdb.settings.changes import Assignment, Definition, Grant, Target

_QUEUE = Target("mq", "QM1", "QLOCAL", "A")
_NEW = _QUEUE._replace(name="A.BACKOUT")
_THRESHOLD = Assignment(_QUEUE, "queue.backout_threshold", "BOTHRESH", "3", "0")
_DEFINITION = Definition(_NEW, (("MAXDEPTH", "5000"),))
_GRANT = Grant(_QUEUE._replace(kind="QUEUE"), "wasuser", ("PUT",))


def test_a_queue_that_the_plan_defines_needs_nothing() -> None:
    """Beside a change that endpoints must be restarted for, nothing says that the change acts at once."""
    sentences = afterwards((_DEFINITION, _THRESHOLD))
    assert len(sentences) == 1
    assert sentences[0].startswith("Restart the endpoints")
    opened = Assignment(_NEW, "backout.put_enabled", "PUT", "ENABLED", "DISABLED")
    assert afterwards((_DEFINITION, opened)) == []
    assert acts_words(_DEFINITION) == "The change takes effect immediately"


def test_a_definition_of_a_queue_sharing_group_is_that_of_all_its_queue_managers() -> None:
    """What QSGDISP(GROUP) defines reaches every queue manager of the group, not only the one that the plan names."""
    for disposition, told in (("", False), ("SHARED", False), ("GROUP", True)):
        target = _QUEUE._replace(disposition=disposition)
        for change in (_THRESHOLD._replace(target=target), _DEFINITION._replace(target=target)):
            assert any("queue-sharing group" in text for text in afterwards((change,))) is told
            assert ("queue-sharing group" in acts_words(change)) is told


def test_every_grant_says_whom_it_reaches() -> None:
    """Once for all grants: one that acts on a primary group reaches all of its members."""
    sentences = afterwards((_GRANT, _GRANT._replace(user="other"), _THRESHOLD))
    assert ["primary group" in text for text in sentences] == [True, False]
    assert "primary group" in acts_words(_GRANT)
