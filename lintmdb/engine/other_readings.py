"""What becomes of a message where IBM's documents can be read in another way than lintmdb does."""

from __future__ import annotations

from typing import NamedTuple

from lintmdb.delivery.fate import Fate
from lintmdb.delivery.interpretations import Interpretation
from lintmdb.delivery.values import Values
from lintmdb.engine.traces import Told, trace_values


class OtherReading(NamedTuple):
    """Another reading, and the stories of a poison message by it."""

    option: str
    """What asks ``lintmdb trace`` for it: ``--reading spec_stop=exceed``."""
    stories: tuple[Told, ...]


def other_reading_of_stop(values: Values) -> OtherReading | None:
    """What becomes of a poison message that stops an activation specification at its limit, if it stopped only beyond
    that; None where that makes no difference.
    """
    if values.maybe("endpoint.stop_on_failure") is not True:
        return None
    if any(told.outcome.fate is not Fate.STOPPED for told in _poison(values, Interpretation())):
        return None
    stories = _poison(values, Interpretation(spec_stop="exceed"))
    if any(told.outcome.fate in (Fate.STOPPED, Fate.UNDECIDED) for told in stories):
        return None
    return OtherReading("--reading spec_stop=exceed", stories)


def _poison(values: Values, interpretation: Interpretation) -> tuple[Told, ...]:
    stories = trace_values(values, None, interpretation)
    return tuple([told for told in stories if told.workload.poison])
