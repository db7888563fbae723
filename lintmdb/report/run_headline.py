"""What a report says first: what is wrong; and after it, what the gate says of that."""

from __future__ import annotations

from collections import Counter

from lintmdb.engine.findings import Judgement
from lintmdb.report.terminal import counted_severities, plural
from lintmdb.run.estate import Estate
from lintmdb.run.gate import Gate, is_judged, refusal_verb, refused_changes


def headline_words(judgement: Judgement, estate: Estate, gate: Gate, *, separators: bool = False) -> str:
    """What is wrong, whatever the gate makes of it: ``1 change would be refused, 2 errors``; without findings what
    else fails the run. With ``separators`` large numbers are 1,204.
    """
    refused = refused_changes(estate)
    verb = refusal_verb(refused)
    parts = [plural(len(refused), f"change would be {verb}", f"changes would be {verb}")] if refused else []
    counts = Counter(finding.rule.severity for finding in judgement.findings)
    if found := counted_severities(counts, separators=separators):
        parts.append(found)
    if parts:
        return ", ".join(parts)
    if not is_judged(judgement):
        return "nothing to judge"
    verdict = gate.verdict(judgement, estate)
    return "no findings" if verdict.passes else f"no findings, but {'; '.join(gate.reasons(judgement, estate))}"


def gate_sentence(judgement: Judgement, estate: Estate, gate: Gate) -> str:
    """What the gate says, as a sentence such as ``The gate fails: 2 errors.``."""
    verdict = gate.verdict(judgement, estate)
    return "There is no endpoint in what was given." if verdict.code == 3 else f"The gate {verdict.text}."
