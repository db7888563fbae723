"""What does not count, and by whose decision: suppressed findings, those of the baseline, and what is out of date."""

from __future__ import annotations

from collections.abc import Sequence

from lintmdb.engine.findings import Judgement, Notice, Suppressed
from lintmdb.report.html.markup import Markup, clipped, element
from lintmdb.report.subjects import subject_text
from lintmdb.report.terminal import counted_words

_SHOWN = 1000
_KINDS = {"configuration": "Suppressed", "comment": "Allowed by a comment", "baseline": "In the baseline"}


def left_out_section(judgement: Judgement) -> Markup | None:
    """A list of what is left out, then what is wrong with suppressions and baseline; None where there is neither."""
    if not judgement.suppressed and not judgement.notices:
        return None
    return element(
        "section",
        element("h2", "Left out", id="left-out"),
        _list(judgement.suppressed) if judgement.suppressed else None,
        _notices(judgement.notices) if judgement.notices else None,
    )


def _list(entries: Sequence[Suppressed]) -> Markup:
    rest = len(entries) - _SHOWN
    return element(
        "div",
        element("p", f"Findings that do not count: {len(entries):,}. They do not fail the run.", class_="intro"),
        element("ul", *map(_item, entries[:_SHOWN]), class_="left-out"),
        element("p", f"and {counted_words(rest, 'more finding')}", class_="more") if rest > 0 else None,
    )


def _item(entry: Suppressed) -> Markup:
    finding = entry.finding
    until = f", until {entry.expires}" if entry.expires else ""
    owner = f", {clipped(entry.owner, 100)}" if entry.owner else ""
    title = f"{finding.rule.id} ({finding.rule.severity}) at {clipped(subject_text(finding.subject), 400)}"
    reason = clipped(entry.reason, 600) if entry.reason else "it was there when the baseline was written"
    return element(
        "li",
        element("b", title),
        element("p", f"{clipped(finding.message, 600)}.", class_="more"),
        element(
            "p",
            f"{_KINDS[entry.kind]}: {reason} ({_place(entry)}{owner}{until})",
        ),
        id=f"left-out-{finding.fingerprint}",
    )


def _notices(notices: Sequence[Notice]) -> Markup:
    items = [
        element("li", f"{clipped(entry.text, 600)}. {clipped(entry.next_step, 300)} ", element("code", _place(entry)))
        for entry in notices[:_SHOWN]
    ]
    rest = len(notices) - _SHOWN
    return element(
        "div",
        element("h3", "Out of date"),
        element("ul", *items),
        element("p", f"and {rest:,} more", class_="more") if rest > 0 else None,
    )


def _place(entry: Suppressed | Notice) -> str:
    return clipped(f"{entry.path}:{entry.line}" if entry.line else entry.path, 400)
