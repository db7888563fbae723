"""What fails a run although it is no finding, with its place, for the formats that show a list of things to mend."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import NamedTuple

from lintmdb.engine.findings import Judgement, without
from lintmdb.engine.need_groups import group_by_need
from lintmdb.exports.mq.reader import BELOW_END
from lintmdb.model.origins import Origin
from lintmdb.model.relations import Problem
from lintmdb.report.places import place_of_run, place_of_undecided
from lintmdb.report.subjects import headline
from lintmdb.run.estate import Estate
from lintmdb.run.gate import Gate, guessed_managers, is_refusal

TITLES = {
    "refused-change": "A change would be refused",
    "unjudged-change": "A change is not judged",
    "unread-file": "An input was not read",
    "missing-export": "No export of a product was read",
    "partial-export": "An export is not whole",
    "not-understood": "A place was not understood",
    "worse-fate": "A message fares worse",
    "guessed-name": "A queue manager's name is guessed",
    "unseen-flow": "A flow is not seen any more",
    "undecided": "Checks are undecided",
}
"""What each kind of blocker is, which has no rule."""
_KINDS = {
    "refused_change": "refused-change",
    "unjudged_change": "unjudged-change",
    "unreadable": "unread-file",
    "not_read": "unread-file",
    "not_exported": "partial-export",
    "not_understood": "not-understood",
    "guessed_name": "guessed-name",
}
_STRICT = ("unjudged_change", "unreadable", "not_read", "not_exported", "not_understood")


_REFUSED = "A command would be refused"


class Blocker(NamedTuple):
    """Something besides a finding that fails a run: a worse fate with exit code 1, all else with 4."""

    kind: str
    """A key of ``TITLES``."""
    place: Origin
    text: str
    """What is wrong, as a sentence without its end."""
    next_step: str = ""

    @property
    def title(self) -> str:
        """What it is, in a few words."""
        what = {"refused-change": "change", "not-understood": "command"}.get(self.kind)
        if what and BELOW_END in self.text:
            return f"A {what} is skipped"
        return _REFUSED if what == "command" and is_refusal(self.text) else TITLES[self.kind]

    @property
    def message(self) -> str:
        """What is wrong and what to do, in sentences."""
        return f"{self.text}." + (f" {self.next_step}." if self.next_step else "").replace("?.", "?")

    @property
    def where(self) -> str:
        """Its file and line."""
        return f"{self.place.path}:{self.place.line}" if self.place.line else self.place.path

    @property
    def fingerprint(self) -> str:
        """A hash that does not change when lines move."""
        return hashlib.sha256("\x1f".join((self.kind, self.place.path, self.text)).encode()).hexdigest()[:32]


def find_blockers(judgement: Judgement, estate: Estate, gate: Gate) -> list[Blocker]:
    """What fails a run besides its findings: refused changes first, what is undecided last."""
    return list(dict.fromkeys(_blockers(judgement, estate, gate)))


def refused_commands(estate: Estate) -> list[Blocker]:
    """The commands of scripts that a queue manager would refuse: what they say counts nowhere, strict gate or not."""
    unclear = (_of_problem(problem) for problem in estate.facts.rows["problem"] if problem.kind == "not_understood")
    return [blocker for blocker in unclear if blocker.title == _REFUSED]


def unjudged_changes(estate: Estate, gate: Gate) -> list[Blocker]:
    """The parts of a change that nothing judges, where the gate lets them pass: a report without findings says nothing
    of them.
    """
    if gate.strict:
        return []
    problems = estate.facts.rows["problem"]
    return list(dict.fromkeys(_of_problem(problem) for problem in problems if problem.kind == "unjudged_change"))


def _blockers(judgement: Judgement, estate: Estate, gate: Gate) -> Iterator[Blocker]:
    problems = estate.facts.rows["problem"]
    for kind in ("refused_change", *(_STRICT if gate.strict else ())):
        yield from (_of_problem(problem) for problem in problems if problem.kind == kind)
    yield from map(_of_problem, guessed_managers(estate) if gate.strict else ())
    for lacking in gate.lacking(estate.facts):
        yield Blocker("missing-export", place_of_run(estate), f"N{lacking.words[1:]}")
    worse = judgement.worse if gate.failing else []
    for head, text in [*worse, *(judgement.worse_longest if "warning" in gate.failing else ())]:
        yield Blocker("worse-fate", head.origin or place_of_run(estate), f"{headline(head)}: {text}")
    if gate.strict:
        for head, needs in judgement.unseen:
            place = head.origin or place_of_run(estate)
            yield Blocker("unseen-flow", place, f"The flow {headline(head)} is not seen {without(needs)}")
        for group in group_by_need(judgement.undecided):
            place = place_of_undecided(group.entries[0], judgement, estate)
            yield Blocker("undecided", place, group.sentence)


def _of_problem(problem: Problem) -> Blocker:
    of_file = problem.kind == "not_read" and not problem.line
    text = f"{problem.path} {problem.text}" if of_file else problem.text
    place = Origin(problem.path, problem.line, problem.column, "")
    return Blocker(_KINDS[problem.kind], place, text, problem.next_step.rstrip("."))
