"""The first screen: what is wrong, what the gate says of it, and what becomes of poison messages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from lintmdb.delivery.wording import IF_ALLOWED
from lintmdb.engine.findings import Judgement
from lintmdb.report.headline_fates import HeadlineFate, counted_groups, most_deliveries
from lintmdb.report.html.estate_name import EstateName, estate_name
from lintmdb.report.html.visible_text import clipped
from lintmdb.report.queue_reader import reader_words
from lintmdb.report.run_headline import gate_sentence, headline_words
from lintmdb.report.shortfalls import Shortfall, missing_exports, unusable_parts
from lintmdb.report.terminal import counted_words
from lintmdb.run.estate import Estate
from lintmdb.run.gate import Gate

_SHORTFALL = 600


@dataclass(frozen=True, slots=True)
class Share:
    """The flows of one group of fates, as a part of a bar."""

    key: str
    label: str
    """``lose it``, after the number of flows."""
    count: int
    start: float
    """In percent of the bar, as is ``width``."""
    width: float


class Masthead(NamedTuple):
    """The estate, what is wrong as the page's heading, what the gate says of it, and the fates as one bar."""

    estate: EstateName
    headline: str
    mood: str
    """``e`` where something is wrong that would fail a gate, ``ok`` where nothing is, else blank."""
    gate: str
    lead: str
    """Blank where no flow exists, as are ``shares`` then."""
    shares: tuple[Share, ...]
    basis: str
    shortfalls: tuple[Shortfall, ...]
    """Exports that are not there, and what would be refused or could not be used."""


def build_masthead(
    judgement: Judgement, estate: Estate, gate: Gate, fates: Sequence[HeadlineFate], unread: Sequence[HeadlineFate] = ()
) -> Masthead:
    """The first screen of a run; ``fates`` has one entry a flow, and ``unread`` one a queue that no endpoint reads,
    which are shown where no flow is.
    """
    passes = gate.verdict(judgement, estate).passes
    counts = Counter(finding.rule.severity for finding in judgement.findings)
    return Masthead(
        estate_name(estate),
        _capital(headline_words(judgement, estate, gate, separators=True)),
        "e" if not passes or counts["error"] else "" if counts else "ok",
        gate_sentence(judgement, estate, gate),
        _lead(fates) if fates else _lead(unread, "queue", f"for {reader_words(judgement.unread)}, "),
        tuple(fate_shares(fates or unread)),
        _basis(judgement, estate, gate, counts),
        tuple(
            Shortfall(label, clipped(text, _SHORTFALL))
            for label, text in (*missing_exports(judgement, estate), *unusable_parts(estate))
        ),
    )


def fate_shares(fates: Sequence[HeadlineFate]) -> Iterator[Share]:
    """The groups of fates that some flow has, the worst first."""
    start = 0.0
    for group, count in counted_groups(fates):
        if count:
            width = 100 * count / len(fates)
            yield Share(group.key, group.labels[count > 1], count, start, width)
            start += width


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _lead(fates: Sequence[HeadlineFate], noun: str = "flow", whose: str = "") -> str:
    """A sentence such as ``A poison message is lost on 1 of 11 flows, loops for ever on 3.``."""
    if not fates:
        return ""
    total = len(fates)
    bad = [(group.clause, count) for group, count in counted_groups(fates) if count and group.bad]
    unknown = sum(count for group, count in counted_groups(fates) if group.key == "unknown")
    of = counted_words(total, noun)
    subject = f"{whose[:1].upper()}{whose[1:]}a poison message" if whose else "A poison message"
    parts = [
        f"{clause} on {count:,}" + (f" of {of}" if not number else "") for number, (clause, count) in enumerate(bad)
    ]
    if not parts:
        known = counted_words(total - unknown, noun)
        text = f"{subject} is dealt with on {'each of ' if not unknown and total > 1 else ''}{known}"
    else:
        text = f"{subject} " + (", ".join(parts[:-1]) + " and " if len(parts) > 1 else "") + parts[-1]
    return text + (f"; on {unknown:,} its fate is not known." if unknown else ".") + _conditions(fates)


def _conditions(fates: Sequence[HeadlineFate]) -> str:
    """Sentences on the flows that have two fates, on those where a move rests on rights that no export shows, and on
    moves that come very late; blank where there are none.
    """
    text = ""
    if differing := sum(len(fate.poison) > 1 for fate in fates):
        text += f" Persistent and non-persistent messages differ on {differing:,}, where the worse fate counts."
    if conditional := sum(fate.moved_if_allowed for fate in fates):
        where = f"On {conditional:,} it" if conditional < len(fates) else "It"
        text += f" {where} is moved aside only {IF_ALLOWED}."
    if most := most_deliveries(fates):
        text += f" At worst it is moved aside after {most:,} failed deliveries."
    return text


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
