"""What a rule predicts about delivery, and whether the model of delivery shows it.

A rule whose hazard is about delivery says in ``predicts`` which fate follows, under which workload. That gives the
trace of its findings, and a test compares rule and model over every small configuration.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NotRequired, TypedDict

from lintmdb.delivery.bus import SYSTEM_EXCEPTION_DESTINATION
from lintmdb.delivery.outcome import Fate, Outcome
from lintmdb.delivery.run import run_flow
from lintmdb.delivery.values import UnknownValueError, Values
from lintmdb.delivery.workload import WORKLOADS
from lintmdb.rules.conditions import Condition


@dataclass(frozen=True, slots=True)
class Showing:
    """One run and what it shows. What is None or empty is not asked about."""

    workload: str
    fate: frozenset[Fate] = frozenset()
    fate_not: frozenset[Fate] = frozenset()
    deliveries: int | None = None
    moved: int | None = None
    timed_out: bool | None = None
    healthy_rolled_back: bool | None = None
    target: str | None = None
    """Where the message ends; of a messaging engine's system exception destination without the engine's name."""
    left: bool | None = None
    """Some message is still on the queue when the run ends."""
    more_deliveries_than: str | None = None
    """Name of another workload, under which the message is delivered less often."""

    def holds(self, run: Callable[[str], Outcome]) -> bool | None:
        """Whether the model shows it; None where it lacks a value. ``run`` gives the outcome of a named workload."""
        outcome = run(self.workload)
        if outcome.fate is Fate.UNDECIDED:
            return None
        if self.fate and outcome.fate not in self.fate:
            return False
        if outcome.fate in self.fate_not:
            return False
        if self.more_deliveries_than and outcome.deliveries <= run(self.more_deliveries_than).deliveries:
            return False
        asked = (
            (self.deliveries, outcome.deliveries),
            (self.moved, outcome.moved),
            (self.timed_out, outcome.timed_out),
            (self.healthy_rolled_back, outcome.healthy_rolled_back),
            (self.target, _without_engine(outcome.target)),
            (self.left, outcome.left > 0),
        )
        return all(wanted is None or wanted == found for wanted, found in asked)


def _without_engine(target: str) -> str:
    return SYSTEM_EXCEPTION_DESTINATION if target.startswith(f"{SYSTEM_EXCEPTION_DESTINATION}.") else target


@dataclass(frozen=True, slots=True)
class Prediction:
    """A rule's claim: where ``given`` holds, the rule is a hazard exactly where all of ``shows`` does, except where
    ``differs`` holds, for the reason ``because``.
    """

    shows: tuple[Showing, ...]
    given: Condition | None = None
    differs: Condition | None = None
    because: str = ""


class ShowingDocument(TypedDict):
    """An entry of ``shows`` in a rule file."""

    workload: str
    fate: NotRequired[str | list[str]]
    fate_not: NotRequired[str | list[str]]
    deliveries: NotRequired[int]
    moved: NotRequired[int]
    timed_out: NotRequired[bool]
    healthy_rolled_back: NotRequired[bool]
    target: NotRequired[str]
    left: NotRequired[bool]
    more_deliveries_than: NotRequired[str]


class PredictionDocument(TypedDict):
    """The ``predicts`` of a rule file."""

    shows: list[ShowingDocument]
    given: NotRequired[str]
    differs: NotRequired[str]
    because: NotRequired[str]


def build_prediction(document: PredictionDocument, condition: Callable[[str, str], Condition]) -> Prediction:
    """The ``predicts`` of a rule file. ``condition`` checks a text under its key."""
    given, differs = document.get("given"), document.get("differs")
    return Prediction(
        shows=tuple(_showing(entry) for entry in document["shows"]),
        given=condition("given", given) if given else None,
        differs=condition("differs", differs) if differs else None,
        because=" ".join(document.get("because", "").split()),
    )


def _showing(entry: ShowingDocument) -> Showing:
    return Showing(
        workload=entry["workload"],
        fate=_fates(entry.get("fate")),
        fate_not=_fates(entry.get("fate_not")),
        deliveries=entry.get("deliveries"),
        moved=entry.get("moved"),
        timed_out=entry.get("timed_out"),
        healthy_rolled_back=entry.get("healthy_rolled_back"),
        target=entry.get("target"),
        left=entry.get("left"),
        more_deliveries_than=entry.get("more_deliveries_than"),
    )


def _fates(words: str | list[str] | None) -> frozenset[Fate]:
    if not words:
        return frozenset()
    return frozenset(Fate(word) for word in ([words] if isinstance(words, str) else words))


def run_named(values: Values, workload: str) -> Outcome:
    """The outcome of a named workload on one flow."""
    try:
        return run_flow(values, WORKLOADS[workload](values))
    except UnknownValueError as unknown:
        return Outcome(Fate.UNDECIDED, missing=(unknown.name,))
