"""The fix of an explanation: commands for the object that the rule is about, and paragraphs in one piece."""

from __future__ import annotations

from tests.support.command import Run


def test_the_queue_of_a_subscription_is_a_model_queue(lintmdb: Run) -> None:
    """ALTER QLOCAL would be refused, and a durable subscription keeps the queue that was made of it."""
    told = lintmdb("explain", "MDB120").stdout
    assert "ALTER QMODEL('ORDERS.MODEL') BOTHRESH(3)" in told
    assert "QLOCAL" not in told
    assert "DISPLAY SUB shows it in" in told


def test_a_paragraph_breaks_at_the_margin_alone(lintmdb: Run) -> None:
    """Not where the rule file breaks its lines."""
    told = lintmdb("explain", "MDB120").stdout
    assert "To change this\n    topic alone, define a separate model queue and name it" in told
