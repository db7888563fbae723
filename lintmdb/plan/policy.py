"""What a plan may change, what must be gone afterwards, and what a set of changes costs."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from lintmdb.engine.findings import Finding
from lintmdb.engine.flow_rows import FlowRows, JudgedRows, read_value
from lintmdb.errors import LintmdbError
from lintmdb.model.environment_names import key_of
from lintmdb.plan.naming import OBJECT, SHOWN_KINDS, is_attribute, is_meant
from lintmdb.rules.rule import Severity, severity_rank
from lintmdb.run.config.settings import Settings
from lintmdb.run.owners import Owners, read_owners
from lintmdb.settings.capacity import reductions
from lintmdb.settings.changes import Assignment, Change, Product, Target, containment_paths
from lintmdb.settings.kinds import restarts_readers


class Kept(NamedTuple):
    """Objects that must stay as they are; ``*`` and ``?`` stand for any characters."""

    kind: str
    """``queue``, ``channel``, ``endpoint`` ..."""
    name: str
    place: str
    """The queue manager or the cell."""
    attribute: str = ""
    """The one attribute that stays: ``stopEndpointIfDeliveryFails``; blank for all of them."""

    def covers(self, change: Change) -> bool:
        """Whether a change would alter one of them."""
        if self.attribute and not (isinstance(change, Assignment) and is_attribute(change, self.attribute)):
            return False
        return self.means(change.target)

    def means(self, target: Target) -> bool:
        """Whether an object is one of them."""
        return is_meant(target, self.kind, self.name, self.place, fnmatch.fnmatchcase, held=True)

    def __str__(self) -> str:
        place = f" at {self.place}" if self.place else ""
        return f"{self.kind} {self.name}{place}" + (f": {self.attribute}" if self.attribute else "")


_KEEP = re.compile(rf"{OBJECT}(?:: *(?P<attribute>\S.*))?\Z")


def parse_keep(text: str) -> Kept:
    """``queue PAY.* at QM1``, ``queue PAY.IN at QM1: BOTHRESH``: what must stay. Raises LintmdbError."""
    match = _KEEP.match(text.strip())
    if match is None:
        raise LintmdbError(
            f"{text!r} does not say what to keep",
            next_step=f"Write KIND NAME [at PLACE][: ATTRIBUTE]; the kinds are {', '.join(sorted(SHOWN_KINDS))}",
        )
    return Kept(match["kind"], match["name"], match["place"] or "", match["attribute"] or "")


class QueueNames(NamedTuple):
    """The queues whose findings are to be gone; ``*`` and ``?`` stand for any characters."""

    name: str
    """Of the queue itself, or of the alias that an endpoint opens."""
    place: str = ""
    """The queue manager; blank for any."""

    def mean(self, rows: JudgedRows) -> bool:
        """Whether a finding is about one of them."""
        place = str(read_value(rows, "queue.queue_manager") or "")
        names = {str(read_value(rows, column) or "") for column in ("queue.name", "endpoint.queue")} - {""}
        named = any(fnmatch.fnmatchcase(name, self.name) for name in names)
        return named and (not self.place or fnmatch.fnmatchcase(place, self.place))

    def __str__(self) -> str:
        return f"{self.name} at {self.place}" if self.place else self.name


def parse_queue_names(text: str) -> QueueNames:
    """``PAY.*``, ``PAY.IN at QM1``. Raises LintmdbError."""
    name, at, place = text.strip().partition(" at ")
    if not name.strip() or (at and not place.strip()):
        raise LintmdbError(f"{text!r} does not name a queue", next_step="Write NAME or NAME at QUEUE_MANAGER")
    return QueueNames(name.strip(), place.strip())


_HOLDS_FEWER = "MDB109"


@dataclass(frozen=True, slots=True)
class Policy:
    """What a plan may do."""

    only: Product | None = None
    """The one product that may change."""
    keep: Sequence[Kept] = ()
    severity: Severity = "warning"
    """Findings of this severity and above are to be gone."""
    queues: Sequence[QueueNames] = ()
    """Only findings on these queues are; on all where none is named."""
    full: Mapping[tuple[str, str], int] = field(default_factory=dict[tuple[str, str], int])
    """The queues, by the key of the queue manager and the name, that were full when they were exported, with how many
    messages they had. That these hold fewer messages than the queues they serve (MDB109, info) counts as a warning
    where the repair makes room for as many again."""
    owners: Owners = field(default_factory=Owners)
    some_rules: bool = False
    """Other rules are not selected, or ignored, so that what a plan does to their findings is not known."""
    most_states: int = 100
    """How many sets of changes are tried for one component before the search gives up."""

    def allows(self, changes: Iterable[Change]) -> bool:
        """Whether all changes may be made."""
        return all(
            self.only in (None, change.target.product) and not any(kept.covers(change) for kept in self.keep)
            for change in changes
        )

    def owner(self, target: Target) -> str:
        """Who owns the queue manager or the cell of an object; blank where the policy does not say."""
        return self.owners.of_target(target)

    def who_agrees(self, change: Change) -> tuple[str, ...]:
        """Who has to agree to a change: an owner of the policy, else the product and the place by itself."""
        owner = self.owner(change.target)
        return (owner,) if owner else (change.target.product, change.target.place_key)

    def wants_gone(self, severity: str) -> bool:
        """Whether findings of a severity are to be gone."""
        return severity_rank(severity) <= severity_rank(self.severity)

    def repairs(self, finding: Finding) -> bool:
        """Whether a finding is to be gone."""
        severity = "warning" if self._is_on_full_queue(finding) else finding.rule.severity
        return self.wants_gone(severity) and self.is_about(finding.rows)

    def _is_on_full_queue(self, finding: Finding) -> bool:
        if not self.full or finding.rule.id != _HOLDS_FEWER or not isinstance(finding.rows, FlowRows):
            return False
        backout = finding.rows.backout
        if backout is None or finding.rows.queue is None:
            return False
        held = self.full.get((key_of(backout.environment, backout.queue_manager), backout.local_queue or ""))
        return held is not None and (finding.rows.queue.max_depth or 0) >= 2 * held

    def is_about(self, rows: JudgedRows) -> bool:
        """Whether what these rows are about is on a queue that the plan is for."""
        return not self.queues or any(names.mean(rows) for names in self.queues)


def read_policy(settings: Settings) -> Policy:
    """The policy of the configuration file and the options. Raises LintmdbError, with file and line where it is wrong
    in the file.
    """
    plan = settings.values["plan"]
    keep: list[Kept] = []
    for number, text in enumerate(plan["keep"]):
        try:
            keep.append(parse_keep(text))
        except LintmdbError as error:
            raise settings.error(error.text, "plan", "keep", number, next_step=error.next_step) from error
    some_rules = bool(settings.values["select"] or settings.values["ignore"])
    return Policy(plan["only"], keep, plan["severity"], owners=read_owners(settings), some_rules=some_rules)


class Cost(NamedTuple):
    """What a set of changes costs, the first part that differs counting."""

    reductions: int
    """Settings that let less be processed at a time than now: no saving elsewhere is worth that."""
    assumptions: int
    """Alternatives for a reason that no export shows and that only the owners know: none is made to save changes."""
    owners: int
    """Who has to agree: the owners that the policy names, and each queue manager and cell that it does not."""
    restarts: int
    """Servers to restart, and queues whose readers have to."""
    changes: int
    preference: int
    """The places of the alternatives in their rules, added up: a rule names the preferred one first."""


FREE = Cost(0, 0, 0, 0, 0, 0)
ASSUMED = 10_000
"""What is added to the place of an alternative that only the owners can choose; places add up to less."""


def price(changes: Iterable[Change], preference: int, policy: Policy) -> Cost:
    """The cost of a set of changes. Adding a change never lowers it."""
    made = list(changes)
    owners, restarts = set(map(policy.who_agrees, made)), set(map(restarted, made)) - {None}
    assumptions, places = divmod(preference, ASSUMED)
    return Cost(reductions(made), assumptions, len(owners), len(restarts), len(made), places)


def restarted(change: Change) -> tuple[str, ...] | None:
    """The server to restart, or the queue or channel whose readers have to; None where nothing has to."""
    target = change.target
    if target.product == "was":
        return (target.place_key, *sorted(containment_paths(target.path)[:1]))
    return (target.place_key, target.name) if restarts_readers(change) else None
