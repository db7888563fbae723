"""How to read the report: its words, and what was given to the audit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from lintmdb.fleet.page.masthead import summary_number
from lintmdb.report.html.markup import Child, Markup, clipped, element, joined

_QUERY = "lintmdb fleet sql DIR \"select headline, rule, message from findings where cell = 'CELL'\""

_HAZARD = """The exports show that the rule's hazard holds. An error loses, loops or stops messages; a warning does so
under some load or after some event; info is worth knowing."""
_UNDECIDED = """A deciding value is in no export that was given. That is no pass: give the export, and the verdict is
settled one way or the other."""
_CLEAR = "All deciding values are known, and the hazard does not hold."
_FLOW = """One bean on one server or cluster, the listener port or activation specification that feeds it, and the queue
behind it. One queue may serve many flows: its finding counts once, and says how many flows share it."""
_CELL = "A hazard of a queue manager alone counts under the cell of the first flow that shows it."

_ENTRIES: tuple[tuple[str, Child], ...] = (
    ("Hazard", _HAZARD),
    ("Undecided", _UNDECIDED),
    ("Clear", _CLEAR),
    ("Flow", _FLOW),
    ("Cell of a queue", _CELL),
    (
        "Every finding",
        joined(("This page is a summary. All rows are in the tables beside it: ", element("code", _QUERY))),
    ),
)


def glossary() -> Markup:
    """The words of the report."""
    entries = [part for term, text in _ENTRIES for part in (element("dt", term), element("dd", text))]
    return element("dl", *entries, class_="glossary")


def what_was_given(summary: Mapping[str, Any]) -> Markup | None:
    """The inputs of the audit, and how many exports were read or kept."""
    given: Any = summary.get("inputs")
    if not isinstance(given, list) or not given:
        return None
    paths = [str(path) for path in cast("list[Any]", given)]
    entries = [element("li", element("code", clipped(path, 240))) for path in paths[:20]]
    more = element("li", f"and {len(paths) - 20:,} more") if len(paths) > 20 else None
    kept = summary.get("incremental")
    line = None
    if isinstance(kept, dict) and any(summary_number(summary, "incremental", name) for name in ("kept", "gone")):
        line = element(
            "p",
            f"{summary_number(summary, 'incremental', 'read'):,} exports were read for this audit, "
            f"{summary_number(summary, 'incremental', 'kept'):,} were kept from the one before, "
            f"{summary_number(summary, 'incremental', 'gone'):,} are gone.",
        )
    return joined((element("h3", "What was given"), element("ul", *entries, more, class_="places"), line))
