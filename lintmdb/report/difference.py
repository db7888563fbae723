"""What `lintmdb diff` prints: changed fates, new, resolved and newly undecided findings, as text and as JSON."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from lintmdb.compare.estates import Comparison, NewlyUndecided
from lintmdb.compare.regrouped import Regrouped
from lintmdb.engine.findings import Finding, without
from lintmdb.json_types import JsonObject
from lintmdb.model.relations import Problem
from lintmdb.report.difference_parts import (
    alike_findings,
    alike_flows,
    alike_gone,
    alike_resolved,
    alike_undecided,
    count_fates,
    count_gone,
    fate_words,
    gone_words,
    same_findings_words,
    same_words,
)
from lintmdb.report.json_report import finding_json, suppressed_entry
from lintmdb.report.subjects import flow_stops, headline, short_name, subject_text, subjects_text
from lintmdb.report.terminal import Style, plural, safe, wrap
from lintmdb.report.text import finding_lines, title_lines
from lintmdb.run.gate import Verdict, refusal_verb
from lintmdb.version import __version__

Part = Literal["all", "lines", "summary"]
"""Everything, a line for each difference, or the summary alone."""
_UNBROKEN = 1 << 20


def render_difference(
    comparison: Comparison, style: Style, part: Part = "all", verdict: Verdict | None = None
) -> Iterator[str]:
    """The lines of the report, without line ends. What differs in names alone is said once, with all of the names;
    ``verdict`` is what the gate says.
    """
    if part == "summary":
        yield from _verdict(verdict, style)
        yield summary_words(comparison)
        return
    words = _words(comparison)
    if part == "lines":
        style = Style(_UNBROKEN, style.colour)
        yield from _fates_listed(comparison)
        yield from _flows(comparison, words)
        yield from _new_listed(comparison, style, words)
    else:
        yield from _fates(comparison, style)
        yield from _flows(comparison, words)
        yield from _new(comparison, style, words)
    for text in suppressed_words(comparison):
        yield from wrap(safe(f"{words.new} but suppressed: {text}"), style.width)
    for group in alike_resolved(comparison):
        yield from _resolved(group, style, words.resolved)
    for gone, group in alike_gone(comparison):
        yield from _resolved(group, style, gone_words(gone), "green" if gone.reason in ("queue", "flow") else "warning")
    for before, after in comparison.moved:
        yield safe(f"renamed: {before.rule.id} {before.rule.name}, {before.subject.name} -> {after.subject.name}")
    yield from _undecided(comparison, style, words.undecided)
    for problem in comparison.refused:
        yield from wrap(safe(f"{refusal_verb([problem])}: {refusal_words(problem)}"), style.width)
    for note in comparison.notes if part == "all" else ():
        yield from wrap(safe(note), style.width)
    yield from _verdict(verdict, style)
    yield summary_words(comparison)


def _verdict(verdict: Verdict | None, style: Style) -> Iterator[str]:
    if verdict is not None:
        yield f"Gate {style.paint('green' if verdict.passes else 'error', verdict.text)}"


def _fates(comparison: Comparison, style: Style) -> Iterator[str]:
    for flow, *others in alike_flows(comparison):
        yield from (style.paint("bold", line) for line in title_lines(headline(flow.head), style.width))
        texts = [fate_words(change) for change in flow.changes]
        if others:
            names = ", ".join(short_name(other.head.subject) for other in others)
            texts.append(f"{same_words(flow, others)}: {names}")
        for text in texts:
            yield from (f"  {line}" for line in wrap(safe(text), style.width - 2))
    if comparison.fates:
        yield ""


def _fates_listed(comparison: Comparison) -> Iterator[str]:
    for change in comparison.fates:
        yield safe(f"{headline(change.head)}: {fate_words(change)}")


def _new_listed(comparison: Comparison, style: Style, words: _Words) -> Iterator[str]:
    for finding, before in comparison.new:
        rule = finding.rule
        place = finding.location
        known = words.new_before if before == "undecided" else words.new
        severity = style.paint(rule.severity, rule.severity)
        where = safe(f" [{place.path}:{place.line}:{place.column}]") if place is not None else ""
        yield f"{known}: {severity} {rule.id} {safe(subject_text(finding.subject))}: {safe(finding.message)}{where}"


def _new(comparison: Comparison, style: Style, words: _Words) -> Iterator[str]:
    for (finding, before), *others in alike_findings(comparison):
        known = words.new_before if before == "undecided" else words.new
        yield f"{known}: {style.paint('bold', safe(subject_text(finding.subject)))}"
        yield from finding_lines(finding, style, repaired=not comparison.environments)
        if others:
            text = same_findings_words(finding, [other.finding for other in others])
            yield from (f"  {line}" for line in wrap(safe(text), style.width - 2))
        yield ""


def _resolved(group: Sequence[Finding], style: Style, title: str, colour: str = "green") -> Iterator[str]:
    rule, label = group[0].rule, style.paint(colour, title)
    if len(group) == 1:
        yield f"{label}: {safe(f'{rule.id} {rule.name}: {subject_text(group[0].subject)}')}"
        return
    yield f"{label}: {safe(f'{rule.id} {rule.name}')}"
    names = subjects_text([finding.subject for finding in group])
    yield from (f"  {line}" for line in wrap(safe(names), style.width - 2))


class _Words(NamedTuple):
    """What the differences of two states are called."""

    new: str = "new"
    new_before: str = "new (undecided before)"
    resolved: str = "resolved"
    undecided: str = "newly undecided"
    added: str = "new flow"
    removed: str = "flow gone"


def _words(comparison: Comparison) -> _Words:
    if comparison.environments is None:
        return _Words()
    one, other = comparison.environments
    return _Words(
        new=f"only in {other}",
        new_before=f"only in {other} (undecided in {one})",
        resolved=f"only in {one}",
        undecided=f"undecided in {other} only",
        added=f"flow only in {other}",
        removed=f"flow only in {one}",
    )


def _flows(comparison: Comparison, words: _Words) -> Iterator[str]:
    for before, after in comparison.migrated:
        yield f"flow moved to another kind of server: {safe(headline(before))} is now {safe(headline(after))}"
    for line in (*regrouped_words(comparison.regrouped), *rerouted_words(comparison)):
        yield safe(line)
    for head in comparison.added:
        yield f"{words.added}: {safe(headline(head))}"
    for head in comparison.removed:
        yield f"{words.removed}: {safe(headline(head))}"
    for head, fate in comparison.added_queues:
        yield safe(f"new {headline(head)}: {fate}")
    for head in comparison.removed_queues:
        yield f"gone: {safe(headline(head))}"
    for head, needs in comparison.unseen:
        yield f"flow not seen {safe(without(needs))}: {safe(headline(head))}"
    for cluster, before, after in comparison.resized:
        yield f"cluster {safe(cluster)}: {plural(before, 'member')} -> {after}"


_SPELT_OUT = 2
"""How many rules that lack the same input are told in full."""


def _undecided(comparison: Comparison, style: Style, title: str) -> Iterator[str]:
    """Findings that cannot be decided any more by their rules, other verdicts by what they need."""
    groups = alike_undecided(comparison)
    lacking = Counter(group[0].needs for group in groups)
    for needs in (needs for needs, count in lacking.items() if count > _SPELT_OUT):
        alike = [group for group in groups if group[0].needs == needs]
        count = plural(sum(map(len, alike)), "finding")
        yield from wrap(safe(f"{title}: {count} {without(needs)}"), style.width)
        for group in alike:
            rule, subjects = group[0].rule, [entry.subject for entry in group]
            names = f"at {short_name(subjects[0])}" if len(subjects) == 1 else f"at {subjects_text(subjects)}"
            yield from (f"  {line}" for line in wrap(safe(f"{rule.id} {rule.name} {names}"), style.width - 2))
    for group in (group for group in groups if lacking[group[0].needs] <= _SPELT_OUT):
        first = group[0]
        text = f"{title}: {first.rule.id} {first.rule.name}"
        if len(group) == 1:
            yield from wrap(safe(f"{text} at {subject_text(first.subject)}, {without(first.needs)}"), style.width)
            continue
        yield from wrap(safe(f"{text}, {without(first.needs)}"), style.width)
        names = subjects_text([entry.subject for entry in group])
        yield from (f"  {line}" for line in wrap(safe(names), style.width - 2))
    other = "other check" if groups else "check"
    rest = Counter(entry.needs for entry in comparison.undecided if entry.before != "hazard")
    for needs, count in sorted(rest.items(), key=lambda pair: (-pair[1], pair[0])):
        yield from wrap(safe(f"{title}: {plural(count, other)} {without(needs)}"), style.width)


def summary_words(comparison: Comparison) -> str:
    """How much differs, in one line."""
    words = _words(comparison)
    all_worse = {change.head.subject for change in comparison.fates if change.worse and not change.longest}
    excused = len(all_worse) - len({change.head.subject for change in comparison.worse})
    worse = f" ({len(all_worse)} worse{f', {excused} suppressed' if excused else ''})" if all_worse else ""
    fates = " and ".join(_of_all(count, noun, comparison) for count, noun in count_fates(comparison))
    flows = [
        f"{fates} with another fate{worse}",
        *([f"{plural(len(comparison.rerouted), 'flow')} with another source"] if comparison.rerouted else []),
        *(plural(count, one, more) for count, one, more in count_queues(comparison)),
    ]
    lost, replaced = count_gone(comparison)
    findings = [
        f"{len(comparison.new)} {words.new}",
        *([f"{len(comparison.suppressed)} {words.new} but suppressed"] if comparison.suppressed else []),
        f"{len(comparison.resolved) - len(comparison.gone)} {words.resolved}",
        *([f"{lost} gone"] if lost else []),
        *([f"{replaced} replaced"] if replaced else []),
        f"{len(comparison.undecided)} {words.undecided}",
        _as_before(comparison),
    ]
    rest: list[str] = []
    if comparison.refused:
        rest.append(f"{plural(len(comparison.refused), 'change')} {refusal_verb(comparison.refused)}")
    rest += [f"{plural(count, noun)} {what}" for noun, what, count in count_unjudged(comparison)]
    return "; ".join([", ".join(flows), f"findings: {', '.join(findings)}", *([", ".join(rest)] if rest else [])])


def _as_before(comparison: Comparison) -> str:
    """How many findings both states have; of the earlier one these may be more or less."""
    unchanged, continued = (count + len(comparison.moved) for count in (comparison.unchanged, comparison.continued))
    if comparison.environments:
        return f"{unchanged} in both"
    return f"{unchanged} as before" + (f" ({continued} in the earlier state)" if continued != unchanged else "")


def _of_all(count: int, noun: str, comparison: Comparison) -> str:
    """``2 of 21 flows``; ``0 flows`` where there are none."""
    total = comparison.queues if noun == "queue" else comparison.flows
    return f"{count} of {plural(total, noun)}" if total >= count and total else plural(count, noun)


def regrouped_words(regrouped: Regrouped, when: str = "now") -> Iterator[str]:
    """Which clusters are judged as one in the later state, and which are not any more."""
    for head in regrouped.merged:
        yield f"members alike {when}, so one flow: {headline(head)}"
    for head in regrouped.split:
        yield f"members differ {when}, so a flow for each: {headline(head)}"


def rerouted_words(comparison: Comparison) -> Iterator[str]:
    """What reads another queue, topic or destination, and what no flow reads any more."""
    for before, after in comparison.rerouted:
        yield f"{short_name(after.subject)} reads {flow_stops(after)[0]} instead of {flow_stops(before)[0]}"
    for source in dict.fromkeys(flow_stops(head)[0] for head in comparison.deserted):
        yield f"no endpoint reads {source} any more"


def suppressed_words(comparison: Comparison) -> Iterator[str]:
    """The new findings that do not count, with who says so."""
    for entry in comparison.suppressed:
        finding = entry.finding
        where = f"{entry.path}:{entry.line}" if entry.line else entry.path
        why = f"{where}: {entry.reason}" if entry.reason else where
        yield f"{finding.rule.id} {finding.rule.name}: {subject_text(finding.subject)} ({why})"


def refusal_words(problem: Problem) -> str:
    """Why a part of a change would be refused, with its place and what to do."""
    where = f"{problem.path}:{problem.line}" if problem.line else problem.path
    return f"{where}: {problem.text}." + (f" {problem.next_step}" if problem.next_step else "")


_UNJUDGED = {
    "unjudged_change": ("change", "not judged"),
    "unreadable": ("input", "not read"),
    "not_read": ("input", "not read"),
    "not_understood": ("place", "not understood"),
    "guessed_name": ("queue manager", "known by a guessed name"),
}
"""What is left out of a comparison, and in which way, by the kind of its problem."""


def count_unjudged(comparison: Comparison) -> list[tuple[str, str, int]]:
    """What a strict gate fails for, as a noun, what is wrong with it, and how many there are."""
    counts = Counter(_UNJUDGED[problem.kind] for problem in comparison.unjudged)
    return [(noun, what, count) for (noun, what), count in sorted(counts.items())]


def count_queues(comparison: Comparison) -> list[tuple[int, str, str]]:
    """How many queues that no endpoint reads are new or gone, where there are any, with the words for one and more."""
    counts = (
        (len(comparison.added_queues), "new queue", "new queues"),
        (len(comparison.removed_queues), "queue gone", "queues gone"),
    )
    return [entry for entry in counts if entry[0]]


def title_words(comparison: Comparison) -> str:
    """What differs, as a heading."""
    verb = refusal_verb(comparison.refused)
    lost, replaced = count_gone(comparison)
    counts = (
        *((count, f"{noun} has another fate", f"{noun}s have another fate") for count, noun in count_fates(comparison)),
        *count_queues(comparison),
        (len(comparison.new), "new finding", "new findings"),
        (len(comparison.refused), f"change would be {verb}", f"changes would be {verb}"),
        (len(comparison.resolved) - len(comparison.gone), "resolved", "resolved"),
        (lost, "finding gone with its queue or flow", "findings gone with their queues or flows"),
        (replaced, "replaced", "replaced"),
        (len(comparison.undecided), "newly undecided", "newly undecided"),
        *((count, f"{noun} {what}", f"{noun}s {what}") for noun, what, count in count_unjudged(comparison)),
    )
    told = ", ".join(plural(count, one, more) for count, one, more in counts if count)
    nouns = " or ".join(noun for _, noun in count_fates(comparison))
    return told or f"No {nouns} has another fate, no new finding"


def render_difference_json(comparison: Comparison) -> str:
    """The same as one JSON document."""
    document: dict[str, object] = {
        "schema": "lintmdb-diff/1",
        "tool": {"name": "lintmdb", "version": __version__},
        "fates": [
            {
                "subject": change.head.subject.as_dict(),
                "workload": change.workload,
                "before": change.before,
                "after": change.after,
                "worse": change.worse,
                "suppressed": change.suppressed,
            }
            for change in comparison.fates
        ],
        "flows": {
            "added": [head.subject.as_dict() for head in comparison.added],
            "removed": [head.subject.as_dict() for head in comparison.removed],
            "migrated": [
                {"before": before.subject.as_dict(), "after": after.subject.as_dict()}
                for before, after in comparison.migrated
            ],
            "rerouted": [
                {"subject": after.subject.as_dict(), "before": flow_stops(before)[0], "after": flow_stops(after)[0]}
                for before, after in comparison.rerouted
            ],
            "merged": [head.subject.as_dict() for head in comparison.regrouped.merged],
            "split": [head.subject.as_dict() for head in comparison.regrouped.split],
            "unseen": [{"subject": head.subject.as_dict(), "needs": needs} for head, needs in comparison.unseen],
        },
        "queues": {
            "added": [{"subject": head.subject.as_dict(), "fate": fate} for head, fate in comparison.added_queues],
            "removed": [head.subject.as_dict() for head in comparison.removed_queues],
        },
        "clusters": [entry._asdict() for entry in comparison.resized],
        "new": [{**finding_json(finding), "before": before} for finding, before in comparison.new],
        "suppressed": [suppressed_entry(entry) for entry in comparison.suppressed],
        "resolved": [finding_json(finding) for finding in comparison.resolved],
        "gone": [
            {
                "rule": finding.rule.id,
                "subject": finding.subject.as_dict(),
                "with": gone.reason,
                "by": gone.by.id if gone.by is not None else None,
            }
            for finding in comparison.resolved
            if (gone := comparison.gone.get(id(finding))) is not None
        ],
        "renamed": [
            {"rule": before.rule.id, "before": before.subject.as_dict(), "after": after.subject.as_dict()}
            for before, after in comparison.moved
        ],
        "undecided": [_undecided_entry(entry) for entry in comparison.undecided],
        "refused": [_problem_entry(problem) for problem in comparison.refused],
        "unjudged": [{"kind": problem.kind, **_problem_entry(problem)} for problem in comparison.unjudged],
        "summary": {
            "fates": len(comparison.fates),
            "worse": len(comparison.worse),
            "new": len(comparison.new),
            "suppressed": len(comparison.suppressed),
            "resolved": len(comparison.resolved),
            "gone": len(comparison.gone),
            "undecided": len(comparison.undecided),
            "refused": len(comparison.refused),
            "unjudged": len(comparison.unjudged),
            "unchanged": comparison.unchanged + len(comparison.moved),
            "unchanged_before": comparison.continued + len(comparison.moved),
        },
    }
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


def _problem_entry(problem: Problem) -> JsonObject:
    return {"path": problem.path, "line": problem.line, "text": problem.text, "next_step": problem.next_step}


def _undecided_entry(entry: NewlyUndecided) -> JsonObject:
    return {
        "rule": entry.rule.id,
        "subject": entry.subject.as_dict(),
        "before": entry.before,
        "needs": entry.needs,
    }
