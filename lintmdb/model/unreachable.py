"""Why no message gets to a remote queue, in the words of ``put_target.unreachable_because``."""

from __future__ import annotations


def missing_transmission_queue(name: str) -> str:
    """The transmission queue that is named is not defined."""
    return f"its transmission queue {name} is not defined"
