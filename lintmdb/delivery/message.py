"""The messages of a workload, and what has happened to each so far."""

from __future__ import annotations

from dataclasses import dataclass

from lintmdb.delivery.fate import Fate
from lintmdb.delivery.workload import Workload


@dataclass(slots=True, eq=False)
class Message:
    """One message and what has happened to it so far."""

    name: str
    order: int
    failures_left: int | None
    """How often the bean still fails on it; None is for ever."""
    persistent: bool
    healthy: bool = False
    """The bean processes it whenever it gets it in time."""
    count: int = 0
    """BackoutCount in MQ, the redelivery count on the bus."""
    deliveries: int = 0
    timed_out: bool = False
    fate: Fate | None = None
    target: str = ""


def build_messages(workload: Workload, *, persistent: bool) -> list[Message]:
    """The messages of a workload in queue order."""
    messages: list[Message] = []
    for number in range(max(workload.poison, 1)):
        if workload.poison:
            name = "the poison message" if workload.poison == 1 else f"poison message {number + 1}"
            name = name if workload.failures is None else name.replace("poison message", "message")
            count = workload.failed_before
            messages.append(Message(name, len(messages), workload.failures, persistent, count=count))
        for extra in range(workload.healthy_between):
            position = number * workload.healthy_between + extra + 1
            alone = workload.healthy_between * max(workload.poison, 1) == 1
            name = "the healthy message" if alone else f"healthy message {position}"
            messages.append(Message(name, len(messages), 0, persistent, healthy=True))
    return messages
