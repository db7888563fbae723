"""Components: flows that share an object which some repair changes. Each component is planned apart."""

from __future__ import annotations

from dataclasses import dataclass, field

from lintmdb.compare.identity import identify_loosely
from lintmdb.engine.findings import Finding, Judgement
from lintmdb.engine.repairs import find_alternatives
from lintmdb.plan.evaluation import FlowKey, flow_key
from lintmdb.plan.things import Thing, changed_things, things


@dataclass(slots=True)
class Component:
    """Flows that are planned together, and what was found on them."""

    flows: list[FlowKey] = field(default_factory=list[FlowKey])
    findings: list[Finding] = field(default_factory=list[Finding])


def split(judgement: Judgement) -> list[Component]:
    """The components of an estate in the order of their first flow; flows without findings that a repair could touch
    stand in components of their own.
    """
    heads = judgement.flows
    parents = list(range(len(heads)))

    def root(number: int) -> int:
        while parents[number] != number:
            parents[number] = parents[parents[number]]
            number = parents[number]
        return number

    changed = {
        thing
        for finding in judgement.findings
        for changes in find_alternatives(finding.rule, finding.rows)
        for change in changes
        for thing in changed_things(change)
    }
    first: dict[Thing, int] = {}
    for number, head in enumerate(heads):
        # Changes make members of a cluster equal, or unequal, so these are planned together.
        for thing in (identify_loosely(head.subject), *filter(changed.__contains__, things(head.rows))):
            one, other = root(first.setdefault(thing, number)), root(number)
            parents[max(one, other)] = min(one, other)
    components: dict[int, Component] = {}
    for number, head in enumerate(heads):
        components.setdefault(root(number), Component()).flows.append(flow_key(head))
    for finding in judgement.findings:
        if finding.flow is not None:
            components[root(finding.flow)].findings.append(finding)
    return list(components.values())
