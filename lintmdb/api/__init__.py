"""The Python API: read exports once, ask about them, get typed results.

The types mirror the JSON reports, version 1, and are as stable as they are. Nothing is printed, no state is kept
between calls, and calls may run in several threads at once.
"""

from __future__ import annotations

from lintmdb.api.calls import check, diff, plan, trace
from lintmdb.api.differences import (
    AddedQueue,
    Difference,
    FateChange,
    NewFinding,
    NewlyUndecided,
    Renamed,
    Resized,
    UnseenFlow,
)
from lintmdb.api.estate import Estate
from lintmdb.api.plans import (
    Plan,
    PlanFinding,
    PlannedChange,
    PlannedFlow,
    PlannedQueue,
    PlanScript,
    Progress,
    VerifiedChange,
    WorseFlow,
)
from lintmdb.api.results import (
    Change,
    Finding,
    JudgedQueue,
    Location,
    PoisonFate,
    Related,
    Report,
    Step,
    Subject,
    Summary,
    Undecided,
)
from lintmdb.api.stories import Story, Trace, TracedFlow

__all__ = [
    "AddedQueue",
    "Change",
    "Difference",
    "Estate",
    "FateChange",
    "Finding",
    "JudgedQueue",
    "Location",
    "NewFinding",
    "NewlyUndecided",
    "Plan",
    "PlanFinding",
    "PlanScript",
    "PlannedChange",
    "PlannedFlow",
    "PlannedQueue",
    "PoisonFate",
    "Progress",
    "Related",
    "Renamed",
    "Report",
    "Resized",
    "Step",
    "Story",
    "Subject",
    "Summary",
    "Trace",
    "TracedFlow",
    "Undecided",
    "UnseenFlow",
    "VerifiedChange",
    "WorseFlow",
    "check",
    "diff",
    "plan",
    "trace",
]
