"""The first screen: the gate's verdict, what becomes of poison messages, and what could not be judged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from lintmdb.engine.findings import Judgement
from lintmdb.engine.open_ends import OpenEnd, open_ends
from lintmdb.report.headline_fates import HeadlineFate, counted_groups
from lintmdb.report.html.markup import Child, Markup, clipped, element
from lintmdb.report.terminal import counted_words
from lintmdb.rules.rule import SEVERITIES
from lintmdb.run.estate import Estate
from lintmdb.run.gate import Gate, unreadable

_ENDS_SHOWN = 4


def masthead(judgement: Judgement, estate: Estate, gate: Gate, fates: Sequence[HeadlineFate]) -> Markup:
    """The verdict as the page's heading, one sentence on poison messages, and the numbers as tiles."""
    code = gate.exit_code(judgement, estate)
    counts = Counter(finding.rule.severity for finding in judgement.findings)
    tiles = [
        (group.label, count, "e" if group.bad and count else "u" if group.key == "unknown" and count else None)
        for group, count in counted_groups(fates)
        if count or group.bad
    ]
    return element(
        "header",
        element("p", "lintmdb check", class_="eyebrow"),
        element("h1", element("span", _word(code), class_="ok" if code == 0 else "e"), ": ", _because(code, counts)),
        element("p", _sentence(fates), class_="lead"),
        element("h2", "Flows by what they do with a poison message", class_="unseen") if fates else None,
        _tiles(tiles) if fates else None,
        element("p", _basis(judgement, estate, gate, counts), class_="more"),
    )


def _word(code: int) -> str:
    return {0: "Passes", 3: "Nothing to judge"}.get(code, "Fails")


def _because(code: int, counts: Counter[str]) -> str:
    found = ", ".join(
        f"{counts[severity]:,} info" if severity == "info" else counted_words(counts[severity], severity)
        for severity in SEVERITIES
        if counts[severity]
    )
    if code == 3:
        return "no endpoint in what was given"
    if code == 4:
        return f"not all is judged ({found or 'no findings'})"
    return found or "no findings"


def _sentence(fates: Sequence[HeadlineFate]) -> str | None:
    """Write a sentence such as ``A poison message is lost on 1 of 11 flows, loops for ever on 3.``."""
    if not fates:
        return None
    total = len(fates)
    bad = [(group.clause, count) for group, count in counted_groups(fates) if count and group.bad]
    unknown = sum(count for group, count in counted_groups(fates) if group.key == "unknown")
    of = f"{total:,} flows" if total > 1 else "1 flow"
    parts = [
        f"{clause} on {count:,}" + (f" of {of}" if not number else "") for number, (clause, count) in enumerate(bad)
    ]
    if not parts:
        known = counted_words(total - unknown, "flow")
        text = f"A poison message is dealt with on {'each of ' if not unknown and total > 1 else ''}{known}"
    else:
        text = "A poison message " + (", ".join(parts[:-1]) + " and " if len(parts) > 1 else "") + parts[-1]
    return text + (f"; on {unknown:,} its fate is not known." if unknown else ".")


def _basis(judgement: Judgement, estate: Estate, gate: Gate, counts: Counter[str]) -> str:
    fails = f"The run fails on {' and '.join(gate.failing)}" if gate.failing else "No finding fails it"
    strict = ", and on what is undecided" if gate.strict else ""
    left_out = len(judgement.suppressed)
    beside = f" {counted_words(left_out, 'more finding')} left out by decision." if left_out else ""
    return (
        f"{fails}{strict}. {counted_words(counts.total(), 'finding')}, {judgement.clear:,} clear and "
        f"{len(judgement.undecided):,} undecided verdicts of {counted_words(len(judgement.rules), 'rule')}, from "
        f"{counted_words(len(estate.inputs), 'file')}.{beside}"
    )


def _tiles(tiles: Sequence[tuple[str, int, str | None]]) -> Markup:
    return element(
        "dl",
        *(element("div", element("dt", label), element("dd", count), class_=kind) for label, count, kind in tiles),
        class_="tiles",
    )


def open_section(judgement: Judgement, estate: Estate) -> Markup:
    """What could not be judged, and the export or option that settles it; what settles most comes first."""
    ends = open_ends(judgement.undecided)
    files = unreadable(estate)
    lost = element("p", f"{counted_words(files, 'file')} could not be read.") if files else None
    heading = element("h2", "Not judged", id="open")
    if not ends:
        return element("section", heading, element("p", "Every verdict is settled.", class_="intro"), lost)
    head = element(
        "tr",
        element("th", "Verdicts", scope="col", class_="n"),
        element("th", "What settles them", scope="col"),
        element("th", "Rules", scope="col"),
    )
    rest = ends[_ENDS_SHOWN:]
    more: Child = None
    if rest:
        summary = element("summary", f"and {counted_words(len(rest), 'more thing')} to give")
        more = element("details", summary, _table("The rest of what settles verdicts", head, rest), class_="told")
    return element(
        "section",
        heading,
        lost,
        element("p", "A value is in none of the exports given. Each line is one thing to give.", class_="intro"),
        _table("What settles undecided verdicts", head, ends[:_ENDS_SHOWN]),
        more,
    )


def _table(caption: str, head: Markup, ends: Sequence[OpenEnd]) -> Markup:
    table = element(
        "table",
        element("caption", caption, class_="unseen"),
        element("thead", head),
        element("tbody", *map(_row, ends)),
        class_="plain",
    )
    return element("div", table, class_="scroll", role="region", aria_label=caption, tabindex="0")


def _row(end: OpenEnd) -> Markup:
    command = element("code", clipped(end.need.command, 300), class_="command") if end.need.command else None
    rules = end.rules
    names = ", ".join(rules[:6]) + (f" and {len(rules) - 6} more" if len(rules) > 6 else "")
    return element(
        "tr",
        element("td", len(end.entries), class_="n"),
        element("th", clipped(end.text, 400), command, scope="row"),
        element("td", names),
    )
