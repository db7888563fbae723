"""The causes that repeat: findings of one rule that the same values, or values that differ in numbers alone, decide."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

from lintmdb.engine.subjects import kind_words
from lintmdb.fleet.audit_tables import (
    Merge,
    Table,
    among,
    batches,
    both,
    chosen,
    counted,
    either,
    equal,
    field,
    filled,
    first_rows,
    grouped,
    is_one_of,
    known,
    number_column,
    read_records,
    replaced,
    rolled_up,
    text_column,
    texts,
)
from lintmdb.fleet.known_rules import KnownRules, RuleHead
from lintmdb.fleet.page.number_ranges import merge_numbers
from lintmdb.fleet.page.words import count_kind
from lintmdb.report.terminal import counted_words

CAUSES_SHOWN = 50
OWNERS_SHOWN = 10
_MQ = ("queue", "queue_manager")
"""The kinds of subjects that belong to a queue manager."""
_KEYS = ("rule", "kind", "words")
_OWNED = (*_KEYS, "owner", "is_queue_manager")
_FOUND = (*_OWNED, "environment", "team")
_SUMS: Mapping[str, Merge] = {"flows": "sum", "subjects": "sum", "fingerprint": "min"}


@dataclass(frozen=True, slots=True)
class Owner:
    """A queue manager or a cell, and how much of a cause is there."""

    name: str
    """Blank for findings without a cell."""
    is_queue_manager: bool
    flows: int
    subjects: int

    @property
    def phrase(self) -> str:
        """The name as a sentence mentions it: a cell is called one, a queue manager is not."""
        if not self.name:
            return "no known cell"
        return self.name if self.is_queue_manager else f"cell {self.name}"


@dataclass(frozen=True, slots=True)
class Example:
    """One finding of a cause, with the name of its subject. Any of its texts may be blank."""

    name: str = ""
    message: str = ""
    fix: str = ""


@dataclass(frozen=True, slots=True)
class Cause:
    """One cause over all of its owners."""

    rule: RuleHead
    kind: str
    """Of its subjects: ``queue``, ``listener_port``; blank where a rule does not say."""
    words: str
    """The deciding values; blank where they say no more than the rule."""
    flows: int
    subjects: int
    owners: tuple[Owner, ...]
    """Those with most flows."""
    owner_count: int
    """How many owners there are in all."""
    example: Example
    environments: frozenset[str] = frozenset()
    teams: frozenset[str] = frozenset()
    """The owners of its subjects, as ``[owners]`` names them."""

    @property
    def sentence(self) -> str:
        """For example: 212 flows share BOTHRESH(0) on queues of QM7."""
        words = self.words or self.rule.name.replace("-", " ")
        if self.kind == "export":
            return f"{counted_words(self.subjects, 'export')}: {words}"
        if self.kind in _MQ and self.flows == self.subjects:  # so it reads well for queues without an endpoint, too
            subjects = counted_words(self.subjects, kind_words(self.kind))
            head = f"{subjects} {'has' if self.subjects == 1 else 'share'} {words}"
            return head if self.kind == "queue_manager" else f"{head} at {self._where}"
        head = f"{counted_words(self.flows, 'flow')} {'has' if self.flows == 1 else 'share'} {words}"
        if self.kind == "queue_manager":
            return f"{head} at {self._where}"
        return f"{head} on {count_kind(self.kind, self.subjects)} of {self._where}"

    @property
    def _where(self) -> str:
        if self.owner_count == 1:
            return self.owners[0].phrase
        return counted_words(self.owner_count, "queue manager" if self.owned_by_queue_managers else "cell")

    @property
    def owned_by_queue_managers(self) -> bool:
        """Whether its largest owner is a queue manager, and no cell."""
        return self.owners[0].is_queue_manager

    @property
    def subject_kind(self) -> str:
        """What its subjects are called: queues, listener ports."""
        return count_kind(self.kind, 2)

    @property
    def other_owners(self) -> int:
        """How many owners are not in ``owners``."""
        return self.owner_count - len(self.owners)

    @property
    def other_flows(self) -> int:
        """The flows of the other owners."""
        return self.flows - sum(owner.flows for owner in self.owners)

    @property
    def other_subjects(self) -> int:
        """The subjects of the other owners."""
        return self.subjects - sum(owner.subjects for owner in self.owners)


@dataclass(frozen=True, slots=True)
class Causes:
    """The causes with most flows, those for information last, and how many there are in all."""

    shown: tuple[Cause, ...] = ()
    count: int = 0

    @property
    def most_flows(self) -> int:
        """How many flows the largest cause has; 1 without any."""
        return max((cause.flows for cause in self.shown), default=0) or 1


class _CauseRow(TypedDict):
    rule: str
    kind: str | None
    words: str
    flows: int
    subjects: int
    owners: int
    fingerprint: str


class _OwnerRow(TypedDict):
    owner: str
    is_queue_manager: bool
    flows: int
    subjects: int


class _PlaceRow(TypedDict):
    environment: str | None
    team: str | None


class _ExampleRow(TypedDict):
    rule: str
    fingerprint: str
    name: str | None
    message: str | None
    fix: str | None


def read_causes(audit: Path, rules: KnownRules) -> Causes:
    """The causes of an audit that have most flows."""
    found = rolled_up(_describe(audit), _FOUND, _SUMS)
    if found is None:
        return Causes()
    found = _merge_numbers(found)
    by_owner = grouped(found, _OWNED, _SUMS)
    causes = grouped(
        counted(by_owner, "owners"),
        _KEYS,
        {"flows": "sum", "subjects": "sum", "fingerprint": "min", "owners": "sum"},
    )
    information = number_column(int(rules.head(rule or "").letter == "i") for rule in texts(causes["rule"]))
    order = ("information", "-flows", "-subjects", *_KEYS)
    shown = first_rows(replaced(causes, "information", information), order, CAUSES_SHOWN)
    examples = _read_examples(audit, shown)
    return Causes(
        tuple(_build_cause(row, found, by_owner, examples, rules) for row in read_records(shown, _CauseRow)),
        causes.num_rows,
    )


def _merge_numbers(found: Table) -> Table:
    """Causes of one rule that differ in numbers alone as one cause, whose words have the range of each number."""
    rules, kinds, phrases = (texts(found[name]) for name in _KEYS)
    alike: dict[tuple[str | None, str | None], list[str]] = {}
    for rule, kind, phrase in zip(rules, kinds, phrases, strict=True):
        alike.setdefault((rule, kind), []).append(phrase or "")
    merged = {key: merge_numbers(members) for key, members in alike.items()}
    words = (merged[rule, kind][phrase or ""] for rule, kind, phrase in zip(rules, kinds, phrases, strict=True))
    return grouped(replaced(found, "words", text_column(words)), _FOUND, _SUMS)


def _describe(audit: Path) -> Iterator[Table]:
    """The findings with the words of their deciding values and with their owners."""
    names = ("rule", "flows", "fingerprint", "cell", "queue_manager", "environment", "owner")
    columns = {name: field(name) for name in names}
    columns |= {"kind": field("subject", "kind"), "words": field("cause")}
    for table in batches(audit, "findings", columns, named=True):
        table = replaced(table, "flows", filled(table["flows"], 1))
        table = replaced(table, "team", table["owner"])
        yield _add_owners(counted(table, "subjects"))


def _add_owners(table: Table) -> Table:
    """With the queue manager that owns a queue's finding, and the cell that owns any other."""
    of_manager = among(table["kind"], _MQ)
    without_cell = equal(table["cell"], None)
    managed = both(either(without_cell, of_manager), known(table["queue_manager"]))
    owner = filled(chosen(managed, table["queue_manager"], table["cell"]), "")
    return replaced(replaced(table, "owner", owner), "is_queue_manager", managed)


def _read_examples(audit: Path, shown: Table) -> dict[tuple[str, str], Example]:
    """A finding of each cause, by rule and fingerprint."""
    columns = {name: field(name) for name in ("rule", "message", "fix", "fingerprint")}
    columns["name"] = field("subject", "name")
    wanted = is_one_of("fingerprint", texts(shown["fingerprint"]))
    found: dict[tuple[str, str], Example] = {}
    for table in batches(audit, "findings", columns, where=wanted):
        for row in read_records(table, _ExampleRow):
            example = Example(row["name"] or "", row["message"] or "", row["fix"] or "")
            found.setdefault((row["rule"], row["fingerprint"]), example)
    return found


def _build_cause(
    row: _CauseRow,
    found: Table,
    by_owner: Table,
    examples: Mapping[tuple[str, str], Example],
    rules: KnownRules,
) -> Cause:
    largest = first_rows(_of_cause(by_owner, row), ("-flows", "-subjects", "owner"), OWNERS_SHOWN)
    places = read_records(_of_cause(found, row), _PlaceRow)
    return Cause(
        rule=rules.head(row["rule"]),
        kind=row["kind"] or "",
        words=row["words"],
        flows=row["flows"],
        subjects=row["subjects"],
        owners=tuple(
            Owner(owner["owner"], owner["is_queue_manager"], owner["flows"], owner["subjects"])
            for owner in read_records(largest, _OwnerRow)
        ),
        owner_count=row["owners"],
        example=examples.get((row["rule"], row["fingerprint"]), Example()),
        environments=frozenset(place["environment"] for place in places if place["environment"]),
        teams=frozenset(place["team"] for place in places if place["team"]),
    )


def _of_cause(table: Table, row: _CauseRow) -> Table:
    same = both(
        both(equal(table["rule"], row["rule"]), equal(table["kind"], row["kind"])), equal(table["words"], row["words"])
    )
    return table.filter(same)
