"""Running searches side by side: each round judges one set of changes for every search, and equal components are
searched once.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from lintmdb.engine.findings import FlowHead
from lintmdb.plan.choices import Changes, Choice, find_choices
from lintmdb.plan.evaluation import flow_key
from lintmdb.plan.part import Part, take_part
from lintmdb.plan.policy import Policy
from lintmdb.plan.search import Search, Solution
from lintmdb.plan.shape import Shape, find_shape, translate
from lintmdb.plan.trial import Trial


def solve_alike(trial: Trial, policy: Policy) -> list[Solution]:
    """The solution of each component; those of one shape have one search, and its solution with their own names."""
    heads = _heads(trial)
    shapes: dict[int, Shape] = {}
    first: dict[Hashable, int] = {}
    choices = {n: find_choices(component.findings, policy) for n, component in enumerate(trial.components)}
    for number, found in choices.items():
        if found:
            shape = find_shape(heads[number], found)
            shapes[number] = shape._replace(key=(shape.key, _owners(found, policy)))
            first.setdefault(shapes[number].key, number)
    searched = run_searches(trial, policy, first.values())
    solutions = [Solution() for _ in trial.components]
    for number, shape in shapes.items():
        origin = first[shape.key]
        solution = searched[origin]
        if number != origin:
            changes = translate(solution.changes, shapes[origin], shape, heads[number], choices[number])
            solution = Solution(changes, solution.cost, solution.weight, bounded=solution.bounded, like=origin)
        solutions[number] = solution
    return solutions


def _owners(choices: Iterable[Choice], policy: Policy) -> tuple[int, ...]:
    """Which changes have one owner, by numbers in order of appearance: owners depend on names, and so does the cost."""
    numbers: dict[tuple[str, ...], int] = {}
    offered = (change for choice in choices for _, changes in choice.alternatives for change in changes)
    return tuple([numbers.setdefault(policy.who_agrees(change), len(numbers)) for change in offered])


def _heads(trial: Trial) -> list[list[FlowHead]]:
    """The flows of each component."""
    by_key = {flow_key(head): head for head in trial.before.judgement.flows}
    return [[by_key[key] for key in component.flows] for component in trial.components]


def run_searches(trial: Trial, policy: Policy, numbers: Iterable[int], others: Changes = ()) -> dict[int, Solution]:
    """Search some components by their numbers, with the changes ``others`` made. As the searches come to an end, what
    is left of them is judged on less and less of the estate.
    """
    searches = {number: Search(policy, others) for number in numbers}
    for number, search in searches.items():
        search.start(trial.components[number].findings)
    part = Part(trial, frozenset())
    size = len(trial.before.judgement.flows)
    while asked := {n: changes for n, search in searches.items() if (changes := search.next()) is not None}:
        flows = sum(len(trial.components[number].flows) for number in asked)
        if not others and flows * 2 <= size:
            part, size = take_part(trial, list(asked), policy), flows
        within = {number: changes for number, changes in asked.items() if number in part.numbers}
        beyond = {number: changes for number, changes in asked.items() if number not in part.numbers}
        tried = part.trial.judge(within)[1] if within else {}
        tried |= trial.judge(beyond, others)[1] if beyond else {}
        for number, found in tried.items():
            searches[number].tell(found)
    return {number: search.solution for number, search in searches.items()}
