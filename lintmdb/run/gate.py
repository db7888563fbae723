"""The gate: whether a run passes, and the exit code that says so."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from lintmdb.engine.findings import Judgement
from lintmdb.exports.mq.reader import BELOW_END
from lintmdb.model.environment_names import name_in
from lintmdb.model.facts import Facts
from lintmdb.model.relations import Problem
from lintmdb.rules.rule import SEVERITIES
from lintmdb.run.estate import Estate
from lintmdb.settings.changes import Product

FAIL_ON = (*SEVERITIES, "never")
"""What ``--fail-on`` may say."""
PRODUCTS: dict[Product, str] = {"mq": "IBM MQ", "was": "WebSphere"}
"""What ``--require`` may name."""
_EXPORTS: dict[Product, str] = {"mq": "queue_manager", "was": "cell"}


class Verdict(NamedTuple):
    """What the gate says of a run."""

    code: int
    """The exit code."""
    text: str
    """Why, after the word "Gate": ``fails: 2 errors``."""

    @property
    def passes(self) -> bool:
        """Whether the run passes."""
        return self.code == 0


class Lacking(NamedTuple):
    """A product of which an export has to be there, and is not."""

    product: Product
    environment: str | None
    """None where no export is in an environment."""

    @property
    def words(self) -> str:
        """Why the run fails."""
        return self.told()

    def told(self, when: str = "") -> str:
        """The same, with when the exports were read."""
        what = f"no {PRODUCTS[self.product]} export" + (
            f" of environment {self.environment}" if self.environment else ""
        )
        return f"{what} was read{when}, and one is required"


class Gate(NamedTuple):
    """What fails a run."""

    fail_on: str = "error"
    """The lowest severity that does, or ``never``."""
    strict: bool = False
    """What is undecided, unreadable, or named and not read does too."""
    require: tuple[Product, ...] = ()
    """Products of which an export has to be there."""

    @property
    def failing(self) -> tuple[str, ...]:
        """The severities that fail a run."""
        return () if self.fail_on == "never" else SEVERITIES[: SEVERITIES.index(self.fail_on) + 1]

    def exit_code(self, judgement: Judgement, estate: Estate) -> int:
        """The exit code of ``check``."""
        code = self.code_for(
            (finding.rule.severity for finding in judgement.findings),
            judged=is_judged(judgement),
            incomplete=bool(
                judgement.undecided
                or unreadable(estate)
                or estate.unread
                or unjudged_changes(estate)
                or not_exported(estate)
                or not_understood(estate)
                or guessed_managers(estate)
            ),
            refused=bool(refused_changes(estate)),
        )
        return 4 if code == 0 and self.lacking(estate.facts) else code

    def lacking(self, facts: Facts) -> list[Lacking]:
        """The products that have to be there and of which no export was read: in each environment, where there are
        some, because endpoints meet the queue managers of their own environment alone.
        """
        return self.lacking_among((export.environment, export.kind) for export in facts.rows["export"])

    def lacking_among(self, exports: Iterable[tuple[str | None, str]]) -> list[Lacking]:
        """The same for exports of which environment and kind are known."""
        read = set(exports)
        environments = sorted({environment for environment, _ in read if environment}) or [None]
        return [
            Lacking(product, environment)
            for environment in environments
            for product in self.require
            if (environment, _EXPORTS[product]) not in read
        ]

    def verdict(self, judgement: Judgement, estate: Estate) -> Verdict:
        """The exit code of ``check``, and why it is that one."""
        code = self.exit_code(judgement, estate)
        counts = Counter(finding.rule.severity for finding in judgement.findings)
        if code == 1:
            reasons = [_counted(counts, self.failing), *self.reasons(judgement, estate)]
            return Verdict(code, f"fails: {'; '.join(reasons)}")
        if code == 3:
            return Verdict(code, "nothing was judged")
        if code == 4:
            return Verdict(code, f"fails: {'; '.join(self.reasons(judgement, estate))}")
        parts = [f"without any {PRODUCTS[name]} export" for name in missing_products(judgement, estate)]
        parts += [f"without part of {cell}" for cell in not_exported(estate)]
        if unjudged := unjudged_changes(estate):
            parts.append(f"with {unjudged} {'change' if unjudged == 1 else 'changes'} not judged")
        passes = f"passes, {' and '.join(parts)}" if parts else "passes"
        if self.fail_on == "never":
            found = _counted(counts, SEVERITIES)
            whatever = f"{passes}," if parts else passes
            return Verdict(code, f"{whatever} whatever is found{f', here {found}' if found else ''} (fail-on never)")
        rest = _counted(counts, [severity for severity in SEVERITIES if severity not in self.failing])
        return Verdict(code, passes + (f": {rest} (below --fail-on {self.fail_on})" if rest else ""))

    def reasons(self, judgement: Judgement, estate: Estate) -> Iterator[str]:
        """What fails the run besides its findings, each as a clause."""
        yield from (lacking.words for lacking in self.lacking(estate.facts))
        if self.strict and judgement.undecided:
            count = len(judgement.undecided)
            yield f"{count} {'check is' if count == 1 else 'checks are'} undecided, and the gate is strict"
        if self.strict:
            yield from (f"the export of {cell} is not whole" for cell in not_exported(estate))
        unread = unreadable(estate) + len(estate.unread)
        if self.strict and unread:
            yield f"{unread} {'input was' if unread == 1 else 'inputs were'} not read, and the gate is strict"
        if self.strict:
            yield from (f"{clause}, and the gate is strict" for clause in _lost(not_understood(estate)))
        guessed = len(guessed_managers(estate))
        if self.strict and guessed:
            names = "queue manager is known by a guessed name" if guessed == 1 else "queue managers have guessed names"
            yield f"{guessed} {names}, and the gate is strict"
        yield from _refused(estate)
        unjudged = unjudged_changes(estate)
        if self.strict and unjudged:
            yield f"{unjudged} {'change is' if unjudged == 1 else 'changes are'} not judged, and the gate is strict"

    def code_for(
        self, severities: Iterable[str], *, judged: bool = True, incomplete: bool = False, refused: bool = False
    ) -> int:
        """The exit code of a run with findings of these severities: the one policy of every command.

        1 a severity fails the run, 3 nothing was ``judged``, 4 a change would be ``refused``, or something is
        undecided, unreadable or not read (``incomplete``) and the gate is strict, otherwise 0.
        """
        if any(severity in self.failing for severity in severities):
            return 1
        if not judged:
            return 3
        return 4 if refused or (self.strict and incomplete) else 0


def is_judged(judgement: Judgement) -> bool:
    """Whether there was anything to judge."""
    return bool(judgement.endpoints or judgement.unread_queues)


def not_exported(estate: Estate) -> dict[str, list[str]]:
    """What cells name and their exports lack (``node N2 (server s)``), by ``cell NAME``; empty where all is there."""
    found: dict[str, list[str]] = {}
    for problem in estate.facts.rows["problem"]:
        if problem.kind == "not_exported":
            cell = f"cell {name_in(problem.environment, problem.cell or '')}"
            found.setdefault(cell, []).append(problem.object or "")
    return found


def missing_products(judgement: Judgement, estate: Estate) -> list[Product]:
    """The product of which no export was read at all, where what was read depends on it."""
    facts = estate.facts
    if _has(facts, "was") and not _has(facts, "mq"):
        return ["mq"] if any(endpoint.provider == "wmq" for endpoint in estate.facts.rows["endpoint"]) else []
    return ["was"] if _has(facts, "mq") and not _has(facts, "was") and not judgement.unread_queues else []


def _has(facts: Facts, product: Product) -> bool:
    return any(export.kind == _EXPORTS[product] for export in facts.rows["export"])


def _counted(counts: Counter[str], severities: Sequence[str]) -> str:
    nouns = {"info": "info"}
    found = [(name, counts[name]) for name in severities if counts[name]]
    return ", ".join(f"{count} {nouns.get(name) or name + ('s' if count > 1 else '')}" for name, count in found)


def _refused(estate: Estate) -> Iterator[str]:
    """How many changes would be refused, with the place of the first."""
    refused = refused_changes(estate)
    if refused:
        first = min(refused, key=lambda problem: (problem.path, problem.line))
        more = f" and {len(refused) - 1} more" if len(refused) > 1 else ""
        noun = "change" if len(refused) == 1 else "changes"
        yield f"{len(refused)} {noun} would be {refusal_verb(refused)} ({first.path}:{first.line}{more})"


def refused_changes(estate: Estate) -> list[Problem]:
    """The parts of a change that the products would refuse, or never get to see."""
    return [problem for problem in estate.facts.rows["problem"] if problem.kind == "refused_change"]


def refusal_verb(problems: Iterable[Problem]) -> str:
    """What becomes of refused changes: what stands below the end of a script is skipped, and not refused."""
    verbs = {"skipped" if BELOW_END in problem.text else "refused" for problem in problems}
    return " or ".join(sorted(verbs))


def unjudged_changes(estate: Estate) -> int:
    """How many parts of a change are about nothing that lintmdb judges, or knows."""
    return sum(problem.kind == "unjudged_change" for problem in estate.facts.rows["problem"])


def not_understood(estate: Estate) -> list[Problem]:
    """The commands of exports and scripts that were not understood, or would be refused."""
    return [problem for problem in estate.facts.rows["problem"] if problem.kind == "not_understood"]


def is_refusal(text: str) -> bool:
    """Whether what a problem says of a command is that a queue manager would refuse it."""
    return " refused " in text and BELOW_END not in text


def _lost(problems: Sequence[Problem]) -> Iterator[str]:
    """How many commands would be refused or skipped, and how many places were not understood, each as a clause."""
    refused = [problem for problem in problems if is_refusal(problem.text) or BELOW_END in problem.text]
    if refused:
        yield f"{len(refused)} {'command' if len(refused) == 1 else 'commands'} would be {refusal_verb(refused)}"
    if lost := len(problems) - len(refused):
        yield f"{lost} {'place was' if lost == 1 else 'places were'} not understood"


def guessed_managers(estate: Estate) -> list[Problem]:
    """Guesses at names of queue managers that no endpoint and no remote backout queue names: their scripts may be those
    of another one.
    """
    rows = estate.facts.rows
    named = {(endpoint.environment, endpoint.queue_manager) for endpoint in rows["endpoint"]}
    named.update((endpoint.environment, endpoint.other_queue_manager) for endpoint in rows["endpoint"])
    named.update((target.environment, target.remote_queue_manager) for target in rows["put_target"])
    guessed = {(manager.environment, manager.name) for manager in rows["queue_manager"] if manager.name_guessed} - named
    return [
        problem
        for problem in rows["problem"]
        if problem.kind == "guessed_name" and (problem.environment, problem.queue_manager) in guessed
    ]


def unreadable(estate: Estate) -> int:
    """How many files could not be read."""
    return len({problem.path for problem in estate.facts.rows["problem"] if problem.kind == "unreadable"})
