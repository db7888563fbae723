"""The first screen: the gate's verdict, and what becomes of poison messages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from lintmdb.engine.findings import Judgement
from lintmdb.report.headline_fates import HeadlineFate, counted_groups
from lintmdb.report.terminal import counted_words
from lintmdb.rules.rule import SEVERITIES
from lintmdb.run.estate import Estate
from lintmdb.run.gate import Gate


@dataclass(frozen=True, slots=True)
class Tile:
    """How many flows have a fate of one group."""

    label: str
    count: int
    kind: str
    """``e`` for a bad fate, ``u`` for an unknown one, else blank."""


class Masthead(NamedTuple):
    """The verdict as the page's heading, one sentence on poison messages, and the numbers as tiles."""

    passed: bool
    verdict: str
    reason: str
    lead: str
    """Blank where no flow exists, as are ``tiles`` then."""
    tiles: tuple[Tile, ...]
    basis: str


def build_masthead(judgement: Judgement, estate: Estate, gate: Gate, fates: Sequence[HeadlineFate]) -> Masthead:
    """The first screen of a run; ``fates`` has one entry a flow."""
    code = gate.exit_code(judgement, estate)
    counts = Counter(finding.rule.severity for finding in judgement.findings)
    tiles = [
        Tile(group.label, count, "e" if group.bad and count else "u" if group.key == "unknown" and count else "")
        for group, count in counted_groups(fates)
        if count or group.bad
    ]
    return Masthead(
        code == 0,
        {0: "Passes", 3: "Nothing to judge"}.get(code, "Fails"),
        _reason(code, counts),
        _lead(fates),
        tuple(tiles) if fates else (),
        _basis(judgement, estate, gate, counts),
    )


def _reason(code: int, counts: Counter[str]) -> str:
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


def _lead(fates: Sequence[HeadlineFate]) -> str:
    """A sentence such as ``A poison message is lost on 1 of 11 flows, loops for ever on 3.``."""
    if not fates:
        return ""
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
    return text + (f"; on {unknown:,} its fate is not known." if unknown else ".") + _differing(fates)


def _differing(fates: Sequence[HeadlineFate]) -> str:
    """A sentence on the flows that have two fates; blank where none has."""
    count = sum(len(fate.poison) > 1 for fate in fates)
    if not count:
        return ""
    return f" Persistent and non-persistent messages differ on {count:,}, where the worse fate counts."


def _basis(judgement: Judgement, estate: Estate, gate: Gate, counts: Counter[str]) -> str:
    fails = f"The run fails on {' and '.join(gate.failing)}" if gate.failing else "No finding fails it"
    strict = ", and on what is undecided" if gate.strict else ""
    left_out = len(judgement.suppressed)
    more = f" {counted_words(left_out, 'more finding')} left out by decision." if left_out else ""
    return (
        f"{fails}{strict}. {counted_words(counts.total(), 'finding')}, {judgement.clear:,} clear and "
        f"{len(judgement.undecided):,} undecided verdicts of {counted_words(len(judgement.rules), 'rule')}, from "
        f"{counted_words(len(estate.inputs), 'file')}.{more}"
    )
