"""Change one comparison, constant or column of a rule at a time, and see whether the model notices.

    python tests/mutations.py [RULE...]

prints the mutants that no configuration tells from the rule; it fails if there is one.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from delivery_grid import Grid, delivery_rules, expected, grids, has_frame, verdicts

from lintmdb.engine.conditions import VOCABULARY, Condition, check_condition, tokens_of
from lintmdb.engine.rules import Rule
from lintmdb.engine.sql import Verdict
from lintmdb.errors import RuleError

_COMPARISONS = {
    "=": ("<>",),
    "<>": ("=",),
    "<": ("<=", ">", ">="),
    "<=": ("<", ">", ">="),
    ">": (">=", "<", "<="),
    ">=": (">", "<", "<="),
}


class Mutant(NamedTuple):
    """A rule with one token changed."""

    part: str
    change: str
    when: Condition
    hazard: Condition


def mutants(rule: Rule) -> list[Mutant]:
    """Every rule that differs by one token and still is a rule."""
    found: list[Mutant] = []
    for part, condition in (("when", rule.when), ("hazard", rule.hazard)):
        for text, change in _changed(condition.text):
            try:
                mutated = check_condition(text)
            except RuleError:
                continue  # compares a column with what it never is: the rule checker has noticed
            when = mutated if part == "when" else rule.when
            hazard = mutated if part == "hazard" else rule.hazard
            found.append(Mutant(part, change, when, hazard))
    return found


def _changed(text: str) -> Iterator[tuple[str, str]]:
    for token in tokens_of(text):
        for other in _others(token.kind, token.text):
            if other == token.text:
                continue
            changed = text[: token.start] + other + text[token.start + len(token.text) :]
            yield changed, f"{token.text} at {token.start} becomes {other}"


def _others(kind: str, text: str) -> Sequence[str]:
    if kind == "op":
        return _COMPARISONS.get(text, {"*": ("+",), "+": ("-",), "-": ("+",)}.get(text, ()))
    if kind == "number":
        return (str(int(text) + 1), str(int(text) - 1)) if int(text) else ("1",)
    if kind == "word":
        return {"AND": ("OR",), "OR": ("AND",), "TRUE": ("FALSE",), "FALSE": ("TRUE",)}.get(text.upper(), ())
    if kind == "string":
        return ("'resolved'", "''", "'not_set'", "'listener_port'", "'activation_spec'", "'zos'", "'required'")
    alias, _, column = text.partition(".")
    kind_of = VOCABULARY[alias][column].type
    return [
        f"{alias}.{other}" for other, found in VOCABULARY[alias].items() if found.type == kind_of and other != column
    ]


def surviving(rule: Rule, of_rule: Sequence[Grid]) -> list[str]:
    """The mutants that agree with the model wherever the rule does, and keep its frame."""
    wanted = [(grid, expected(rule, grid)) for grid in of_rule]
    return [
        f"{rule.id} {mutant.part}: {mutant.change}"
        for mutant in mutants(rule)
        if has_frame(rule, mutant.when) and not _noticed(mutant, wanted)
    ]


def _noticed(mutant: Mutant, wanted: Sequence[tuple[Grid, list[frozenset[Verdict]]]]) -> bool:
    for grid, answers in wanted:
        if not grid.has(mutant.when, mutant.hazard):
            return True  # reads a column of which the rule's prediction knows nothing
        found = verdicts(grid, mutant.when, mutant.hazard)
        if not all(verdict in answer for verdict, answer in zip(found, answers, strict=True)):
            return True
    return False


def main(ids: Sequence[str]) -> int:
    """Report survivors; 1 if there are any."""
    all_grids = grids()
    count, left = 0, 0
    for rule in delivery_rules():
        if ids and rule.id not in ids:
            continue
        count += len(mutants(rule))
        for line in surviving(rule, [grid for grid in all_grids if grid.concerns(rule)]):
            sys.stdout.write(f"{line}\n")
            left += 1
    sys.stdout.write(f"{count} mutants, {left} survive\n")
    return 1 if left or not count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
