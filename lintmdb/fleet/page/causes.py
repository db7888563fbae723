"""The causes that repeat: findings of one rule that the same values decide, and where most of them are."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lintmdb.fleet.audit_tables import batches, field, first_rows, grouped, pa, pc, replaced, rolled_up, rows
from lintmdb.fleet.known_rules import RuleHead, head_of
from lintmdb.fleet.page.deciding_values import deciding_words
from lintmdb.fleet.page.words import kind_words
from lintmdb.report.html.markup import Markup, clipped, element, joined
from lintmdb.report.terminal import counted_words

CAUSES_SHOWN = 50
OWNERS_SHOWN = 10
_KEYS = ("rule", "kind", "words")


@dataclass(frozen=True, slots=True)
class Owner:
    """A queue manager or a cell, and how much of a cause is there."""

    name: str
    is_queue_manager: bool
    flows: int
    subjects: int

    @property
    def phrase(self) -> str:
        """The name, with what it is where that is not plain."""
        if not self.name:
            return "no known cell"
        return self.name if self.is_queue_manager else f"cell {self.name}"


@dataclass(frozen=True, slots=True)
class Cause:
    """One cause over all of its owners. ``owners`` holds the largest, ``owner_count`` counts all."""

    rule: RuleHead
    kind: str
    words: str
    flows: int
    subjects: int
    owners: tuple[Owner, ...]
    owner_count: int
    example: Mapping[str, Any]
    """Message, fix and subject's name of one of its findings."""

    @property
    def sentence(self) -> str:
        """For example: 212 flows share BOTHRESH(0) on queues of QM7."""
        words = self.words or self.rule.name.replace("-", " ")
        if self.kind == "export":
            return f"{counted_words(self.subjects, 'export')}: {words}"
        head = f"{counted_words(self.flows, 'flow')} {'has' if self.flows == 1 else 'share'} {words}"
        if self.kind == "queue_manager":
            return f"{head} at {self._where}"
        return f"{head} on {kind_words(self.kind, self.subjects)} of {self._where}"

    @property
    def _where(self) -> str:
        if self.owner_count == 1:
            return self.owners[0].phrase
        managers = self.owners[0].is_queue_manager
        return counted_words(self.owner_count, "queue manager" if managers else "cell")


def repeating_causes(audit: Path, heads: Mapping[str, RuleHead]) -> tuple[list[Cause], int]:
    """The causes with most flows, and how many there are in all; those for information come last."""
    by_owner = rolled_up(
        _with_words(audit, heads),
        (*_KEYS, "owner", "is_queue_manager"),
        {"flows": "sum", "subjects": "sum", "fingerprint": "min"},
    )
    if by_owner is None:
        return [], 0
    by_owner = replaced(by_owner, "owners", pa.array([1] * by_owner.num_rows, pa.int64()))
    merges = {"flows": "sum", "subjects": "sum", "fingerprint": "min", "owners": "sum"}
    causes = grouped(by_owner, _KEYS, merges)
    information = [int(head_of(rule, heads).letter == "i") for rule in causes["rule"].to_pylist()]
    causes = replaced(causes, "information", pa.array(information, pa.int8()))
    shown = first_rows(
        causes,
        [("information", "ascending"), ("flows", "descending"), ("subjects", "descending")]
        + [(key, "ascending") for key in _KEYS],
        CAUSES_SHOWN,
    )
    examples = _examples(audit, shown)
    return [_cause(row, by_owner, examples, heads) for row in rows(shown)], causes.num_rows


def _with_words(audit: Path, heads: Mapping[str, RuleHead]) -> Iterator[Any]:
    @functools.lru_cache(maxsize=50_000)
    def words(rule: str, values: str | None) -> str:
        return deciding_words(values, head_of(rule, heads).hazard_columns)

    columns = {name: field(name) for name in ("rule", "values", "flows", "fingerprint", "cell", "queue_manager")}
    columns["kind"] = field("subject", "kind")
    for table in batches(audit, "findings", columns):
        phrases = map(words, table["rule"].to_pylist(), table["values"].to_pylist())
        table = replaced(table, "words", pa.array(list(phrases), pa.string()))
        table = replaced(table, "flows", pc.fill_null(table["flows"], 1))
        table = replaced(table, "subjects", pa.array([1] * table.num_rows, pa.int64()))
        yield _owned(table)


def _owned(table: Any) -> Any:
    """With the queue manager that owns a queue's finding, and the cell that owns any other."""
    of_manager = pc.is_in(table["kind"], value_set=pa.array(["queue", "queue_manager"]))
    manager = pc.if_else(pc.is_null(table["cell"]), True, pc.fill_null(of_manager, False))
    manager = pc.and_(manager, pc.is_valid(table["queue_manager"]))
    owner = pc.if_else(manager, table["queue_manager"], table["cell"])
    return replaced(replaced(table, "owner", pc.fill_null(owner, "")), "is_queue_manager", manager)


def _examples(audit: Path, shown: Any) -> dict[tuple[str, str], dict[str, Any]]:
    columns = {name: field(name) for name in ("rule", "message", "fix", "fingerprint")}
    columns["name"] = field("subject", "name")
    wanted = field("fingerprint").isin(shown["fingerprint"].combine_chunks())
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for table in batches(audit, "findings", columns, where=wanted):
        for row in rows(table):
            found.setdefault((row["rule"], row["fingerprint"]), row)
    return found


def _cause(
    row: Mapping[str, Any], by_owner: Any, examples: Mapping[tuple[str, str], Any], heads: Mapping[str, RuleHead]
) -> Cause:
    same = functools.reduce(pc.and_, (_equal(by_owner[key], row[key]) for key in _KEYS))
    order = [("flows", "descending"), ("subjects", "descending"), ("owner", "ascending")]
    largest = rows(first_rows(by_owner.filter(same), order, OWNERS_SHOWN))
    return Cause(
        rule=head_of(row["rule"], heads),
        kind=row["kind"] or "",
        words=row["words"],
        flows=row["flows"],
        subjects=row["subjects"],
        owners=tuple(
            Owner(owner["owner"], owner["is_queue_manager"], owner["flows"], owner["subjects"]) for owner in largest
        ),
        owner_count=row["owners"],
        example=examples.get((row["rule"], row["fingerprint"]), {}),
    )


def _equal(column: Any, value: Any) -> Any:
    return pc.is_null(column) if value is None else pc.fill_null(pc.equal(column, value), False)


def cause_items(causes: list[Cause]) -> Iterator[Markup]:
    """One list item a cause, folded: the fix and the owners are inside."""
    most = max((cause.flows for cause in causes), default=1)
    for cause in causes:
        yield element("li", element("details", _summary(cause, most), _fix(cause), _owners(cause), class_="fold"))


def _summary(cause: Cause, most: int) -> Markup:
    severity = element("span", cause.rule.severity, class_=f"sev {cause.rule.letter}")
    rule = element("span", element("b", cause.rule.id), " ", clipped(cause.rule.title, 160), class_="rule")
    sentence = element("strong", clipped(cause.sentence, 400))
    return element("summary", severity, element("span", sentence, " ", rule, _bar(cause, most), class_="what"))


def _bar(cause: Cause, most: int) -> Markup:
    width = max(1, round(1000 * cause.flows / most)) / 10
    bar = element("rect", width=f"{width}%", height="4", rx="2", class_=f"bar {cause.rule.letter}")
    return element("svg", bar, width="100%", height="4", aria_hidden="true", focusable="false")


def _fix(cause: Cause) -> Markup:
    message, fix = clipped(cause.example.get("message"), 600), clipped(cause.example.get("fix"), 1500)
    name = clipped(cause.example.get("name"), 200) or "one of them"
    lead = "The fix" if cause.subjects == 1 else f"The fix for {name}; the others are alike"
    return joined(
        (
            element("p", message, "." if message and not message.endswith(".") else ""),
            element("p", lead, ":", class_="lead") if fix else None,
            element("pre", element("code", fix)) if fix else None,
        )
    )


def _owners(cause: Cause) -> Markup:
    managers = cause.owners[0].is_queue_manager
    noun = "Queue manager" if managers else "Cell"
    head = (
        element("th", noun, scope="col"),
        element("th", "Flows", scope="col", class_="n"),
        element("th", kind_words(cause.kind, 2).capitalize(), scope="col", class_="n"),
    )
    body = [
        element(
            "tr",
            element("th", clipped(owner.name, 120) or "(none)", scope="row"),
            element("td", owner.flows, class_="n"),
            element("td", owner.subjects, class_="n"),
        )
        for owner in cause.owners
    ]
    left = cause.owner_count - len(cause.owners)
    if left:
        flows = cause.flows - sum(owner.flows for owner in cause.owners)
        subjects = cause.subjects - sum(owner.subjects for owner in cause.owners)
        other = element("th", f"{left:,} more", scope="row")
        body.append(
            element("tr", other, element("td", flows, class_="n"), element("td", subjects, class_="n"), class_="rest")
        )
    caption = element("caption", "Where most of it is" if left else "Where it is")
    table = element(
        "table", caption, element("thead", element("tr", *head)), element("tbody", *body), class_="plain owners"
    )
    return element("div", table, class_="scroll")
