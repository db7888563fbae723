"""What the gate says of a comparison: whether it passes, and which ``--fail-on`` decides."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from lintmdb.compare.estates import Comparison, Side, exit_code
from lintmdb.report.difference import count_unjudged
from lintmdb.report.terminal import plural
from lintmdb.rules.rule import SEVERITIES
from lintmdb.run.gate import Gate, Verdict, is_judged, refusal_verb


def verdict(gate: Gate, comparison: Comparison, before: Side, after: Side) -> Verdict:
    """The exit code of ``diff``, and why it is that one."""
    code = exit_code(gate, comparison, before, after)
    limit = f"--fail-on {gate.fail_on}"
    if code == 1:
        parts = [*_new(comparison, gate.failing), *_worse(comparison, gate.failing)]
        reasons = [f"{', '.join(parts)} ({limit})", *_reasons(gate, comparison, after)]
        return Verdict(code, f"fails: {'; '.join(reasons)}")
    if code == 3:
        names = [name for name, side in (("BEFORE", before), ("AFTER", after)) if not is_judged(side.judgement)]
        return Verdict(code, f"fails: nothing was judged in {' and '.join(names)}")
    if code == 4:
        return Verdict(code, f"fails: {'; '.join(_reasons(gate, comparison, after))}")
    others = [severity for severity in SEVERITIES if severity not in gate.failing]
    rest = [*_new(comparison, others), *_worse(comparison, others)]
    below = "whatever is found, " if gate.fail_on == "never" else "below " if rest else ""
    return Verdict(code, f"passes{': ' if rest else ''}{', '.join(rest)} ({below}{limit})")


def _new(comparison: Comparison, severities: Sequence[str]) -> Iterator[str]:
    counts = Counter(entry.finding.rule.severity for entry in comparison.new)
    for name in severities:
        if counts[name]:
            new = "" if comparison.environments else "new "
            yield f"{counts[name]} {new}{name}{'s' if counts[name] > 1 and name != 'info' else ''}"


def _worse(comparison: Comparison, severities: Sequence[str]) -> Iterator[str]:
    """How many flows have a worse fate that counts as one of the severities."""
    for severity, fates, whose in (
        ("error", comparison.worse, ""),
        ("warning", comparison.worse_longest, " of the longest messages"),
    ):
        if severity in severities and (worse := len({fate.head.subject for fate in fates})):
            yield f"{plural(worse, 'flow')} with a worse fate{whose}"


def _reasons(gate: Gate, comparison: Comparison, after: Side) -> Iterator[str]:
    """What fails a comparison besides its findings, each as a clause."""
    if comparison.refused:
        yield f"{plural(len(comparison.refused), 'change')} would be {refusal_verb(comparison.refused)}"
    yield from (lacking.told(" after the change") for lacking in gate.lacking(after.estate.facts))
    open_ones = [f"{noun} {what}" for noun, what in _incomplete(comparison)] if gate.strict else []
    if open_ones:
        yield f"{', '.join(open_ones)}, and the gate is strict"


def _incomplete(comparison: Comparison) -> Iterator[tuple[str, str]]:
    if comparison.undecided:
        yield plural(len(comparison.undecided), "check"), "newly undecided"
    if comparison.unseen:
        yield plural(len(comparison.unseen), "flow"), "not seen any more"
    for noun, what, count in count_unjudged(comparison):
        yield plural(count, noun), what
