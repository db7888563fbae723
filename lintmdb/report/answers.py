"""The findings of a flow with what answers them: those that the same changes end stand together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from lintmdb.engine.findings import Finding
from lintmdb.engine.repairs import find_alternatives
from lintmdb.report.flow_repairs import FlowRepair, advice_on
from lintmdb.rules.rule import severity_rank
from lintmdb.settings.changes import Change, slots


class Answer(NamedTuple):
    """Some findings, and what to do about all of them."""

    findings: tuple[Finding, ...]
    kind: Literal["change", "option", "advice"]
    """``change`` is part of a plan; an ``option`` ends its findings by itself."""
    changes: tuple[Change, ...] = ()
    advice: tuple[str, ...] = ()


def answers(findings: Sequence[Finding], repair: FlowRepair) -> list[Answer]:
    """The findings in groups, the group with the most severe one first."""
    options: dict[tuple[Change, ...], list[Finding]] = {}
    for option in sorted(repair.options, key=lambda option: -len(option.changes)):
        # Changes that end a finding end another one as well if they hold all that the other one needs.
        whole = next((changes for changes in options if set(option.changes) <= set(changes)), option.changes)
        options.setdefault(whole, []).append(option.finding)
    advised: dict[tuple[str, ...], list[Finding]] = {}
    for finding in repair.advised:
        advised.setdefault(tuple(advice_on(finding)), []).append(finding)
    elsewhere = [finding for group in (*options.values(), *advised.values()) for finding in group]
    planned = [finding for finding in findings if finding not in elsewhere]
    found = _planned(planned, repair.changes)
    found += [Answer(_in_order(members, findings), "option", changes) for changes, members in options.items()]
    found += [Answer(_in_order(members, findings), "advice", (), advice) for advice, members in advised.items()]
    return sorted(found, key=lambda answer: _worst(answer.findings, findings))


def _in_order(members: Iterable[Finding], findings: Sequence[Finding]) -> tuple[Finding, ...]:
    return tuple(sorted(members, key=findings.index))


def _worst(members: Sequence[Finding], findings: Sequence[Finding]) -> tuple[int, int]:
    if not members:
        return severity_rank("info"), len(findings)
    return min((severity_rank(finding.rule.severity), findings.index(finding)) for finding in members)


def _planned(findings: Sequence[Finding], changes: tuple[Change, ...]) -> list[Answer]:
    """The findings that a plan answers, by the changes that it makes on their account; what is there for the sake of
    other changes goes with the first.
    """
    groups: list[tuple[list[Finding], set[Change]]] = []
    for finding in findings:
        offered = [change for choice in find_alternatives(finding.rule, finding.rows) for change in choice]
        places = {place for change in offered for place in slots(change)}
        own = {change for change in changes if not places.isdisjoint(slots(change))}
        joined = [group for group in groups if own & group[1] or own == group[1]]
        merged = ([*(f for group in joined for f in group[0]), finding], own.union(*(group[1] for group in joined)))
        groups = [merged if group in joined[:1] else group for group in groups if group not in joined[1:]]
        if not joined:
            groups.append(merged)
    known = {change for group in groups for change in group[1]}
    rest = [change for change in changes if change not in known]
    if rest:
        first = next((number for number, group in enumerate(groups) if group[1]), 0)
        if groups:
            groups[first][1].update(rest)
        else:
            groups.append(([], set(rest)))
    return [
        Answer(tuple(members), "change", tuple(change for change in changes if change in own))
        for members, own in groups
    ]
