"""Change one token of a rule at a time, or leave out one term, and see whether something notices.

    python -m tests.support.mutations [RULE...]

A mutant is noticed by the grid, where some configuration tells it from the rule; else by an example of the rule whose
verdict it changes; else by a fixture, whose expectation lists all hazards and undecided verdicts; else by the frame,
which every rule about a queue shares. Rules that predict no fate have no grid. Prints the mutants that nothing notices
and fails if there is one.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from lintmdb.engine.flow_rows import read_value
from lintmdb.engine.tables import filled_tables, judge_rows
from lintmdb.errors import RuleError
from lintmdb.model.relations import ALIASES
from lintmdb.rules.conditions import VOCABULARY, Condition, check_condition
from lintmdb.rules.examples import VERDICT_WORDS
from lintmdb.rules.loading import load_rules
from lintmdb.rules.rule import Rule
from lintmdb.rules.tokens import Token, tokenize_condition
from lintmdb.rules.verdicts import Verdict
from tests.support.delivery_grid import grids
from tests.support.fixture_facts import read_fixtures
from tests.support.grid import Answers, Configurations, Grid, Oracle, mask_of
from tests.support.rule_comparison import concerns, expected, has_frame

_COMPARISONS = {
    "=": ("<>",),
    "<>": ("=",),
    "<": ("<=", ">", ">="),
    "<=": ("<", ">", ">="),
    ">": (">=", "<", "<="),
    ">=": (">", "<", "<="),
}


class Mutant(NamedTuple):
    """A rule with one token changed, or one term left out."""

    part: str
    change: str
    when: Condition
    hazard: Condition


def mutants(rule: Rule) -> list[Mutant]:
    """Every rule that differs by one token or term and still is a rule."""
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
    tokens = tokenize_condition(text)
    for token in tokens:
        for other in _others(token.kind, token.text):
            if other == token.text:
                continue
            changed = text[: token.start] + other + text[token.start + len(token.text) :]
            yield changed, f"{token.text} at {token.start} becomes {other}"
    yield from _without_not(text, tokens)
    yield from _without_members(text, tokens)
    for start, end in _terms(text, tokens):
        left = f"{text[:start].rstrip()} {text[end:].lstrip()}".strip()
        yield left, f"without {text[start:end].strip()}"


def _without_not(text: str, tokens: Sequence[Token]) -> Iterator[tuple[str, str]]:
    for token in tokens:
        if token.text.upper() == "NOT":
            yield text[: token.start] + text[token.start + len(token.text) :], f"without NOT at {token.start}"


def _without_members(text: str, tokens: Sequence[Token]) -> Iterator[tuple[str, str]]:
    """Each list after IN without one of its members."""
    for position, token in enumerate(tokens):
        if token.text.upper() != "IN":
            continue
        close = next(number for number in range(position, len(tokens)) if tokens[number].text == ")")
        members = tokens[position + 2 : close : 2]
        for dropped in members:
            rest = ", ".join(member.text for member in members if member is not dropped)
            if rest:
                opened = tokens[position + 1].start
                yield f"{text[:opened]}({rest}{text[tokens[close].start :]}", f"IN without {dropped.text}"


def _terms(text: str, tokens: Sequence[Token]) -> Iterator[tuple[int, int]]:
    """Where each term of an AND or OR stands, with the operator that it takes along."""
    levels: list[list[int]] = [
        [0]
    ]  # starts of the terms of each open parenthesis, an operator before all but the first
    between = False
    for token in tokens:
        word = token.text.upper()
        if word == "BETWEEN":
            between = True
        elif word == "AND" and between:
            between = False
        elif word in ("AND", "OR"):
            levels[-1].append(token.start)
        elif word == "(":
            levels.append([token.start + 1])
        elif word == ")":
            yield from _pieces(text, levels.pop(), token.start)
    yield from _pieces(text, levels.pop(), len(text))


def _pieces(text: str, starts: Sequence[int], end: int) -> Iterator[tuple[int, int]]:
    if len(starts) < 2:
        return
    first = text[starts[1] : end].split()[0]
    yield starts[0], starts[1] + len(first)
    yield from zip(starts[1:], [*starts[2:], end], strict=True)


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


class Count(NamedTuple):
    """How many mutants were noticed by what, and those that nothing notices."""

    grid: int
    examples: int
    fixtures: int
    frame: int
    survivors: tuple[str, ...]


def noticed(rule: Rule, of_rule: Sequence[Grid]) -> Count:
    """Who notices the mutants of a rule."""
    changed = mutants(rule)
    read = {name for mutant in changed for condition in (mutant.when, mutant.hazard) for name in condition.columns}
    given = [("grid", grid.configurations, expected(rule, grid)) for grid in of_rule]
    given += [("examples", *_examples(rule)), ("fixtures", *_fixtures(rule))]
    oracles = [Oracle(name, configurations, answers, read) for name, configurations, answers in given]
    by = {"grid": 0, "examples": 0, "fixtures": 0, "frame": 0}
    survivors: list[str] = []
    for mutant in changed:
        name = _noticed_by(rule, mutant, oracles)
        if name is None:
            survivors.append(f"{rule.id} {mutant.part}: {mutant.change}")
        else:
            by[name] += 1
    return Count(**by, survivors=tuple(survivors))


def _noticed_by(rule: Rule, mutant: Mutant, oracles: Sequence[Oracle]) -> str | None:
    for oracle in oracles:
        if oracle.tells(mutant.when, mutant.hazard):
            return oracle.name
    return None if has_frame(rule, mutant.when) else "frame"


def _examples(rule: Rule) -> tuple[Configurations, Answers]:
    """The rule's examples, each with the verdict under which it stands."""
    names = _columns(rule.base)
    rows: list[tuple[object, ...]] = []
    answers: list[int] = []
    for claimed, examples in rule.examples.items():
        for example in examples:
            given = {f"{alias}.{name}": value for alias, row in example.rows.items() for name, value in row.items()}
            rows.append(tuple(given.get(name) for name in names))
            answers.append(mask_of(_VERDICTS[claimed]))
    return Configurations(names, rows), answers


_VERDICTS = {words: Verdict(number) for number, words in VERDICT_WORDS.items()}


def _fixtures(rule: Rule) -> tuple[Configurations, Answers]:
    """What the fixtures hold; their expectations do not tell what is clear from what a rule is not about."""
    configurations = _rows_of_fixtures(rule.base)
    silent = mask_of(Verdict.NOT_APPLICABLE, Verdict.CLEAR)
    found = configurations.verdicts(rule.when, rule.hazard)
    return configurations, [silent if mask & silent else mask for mask in found]


@functools.cache
def _rows_of_fixtures(base: str) -> Configurations:
    names = _columns(base)
    rows: dict[tuple[object, ...], None] = {}
    for _, facts in read_fixtures():
        with filled_tables(facts) as tables:
            for of_flow, _ in judge_rows(tables, facts, base, []):
                rows[tuple(read_value(of_flow, name) for name in names)] = None
    return Configurations(names, list(rows))


def _columns(base: str) -> list[str]:
    """Every column that a condition over a base may read."""
    aliases = [name for name, alias in ALIASES.items() if (name == base if alias.standalone else base == "flow")]
    return [f"{alias}.{name}" for alias in aliases for name in VOCABULARY[alias]]


def main(ids: Sequence[str]) -> int:
    """Report survivors; 1 if there are any."""
    all_grids = grids()
    counts = [
        noticed(rule, [grid for grid in all_grids if rule.predicts is not None and concerns(grid, rule)])
        for rule in load_rules()
        if not ids or rule.id in ids
    ]
    survivors = [line for count in counts for line in count.survivors]
    by_grid = sum(count.grid for count in counts)
    by_examples = sum(count.examples for count in counts)
    by_fixtures = sum(count.fixtures for count in counts)
    by_frame = sum(count.frame for count in counts)
    total = by_grid + by_examples + by_fixtures + by_frame + len(survivors)
    sys.stdout.writelines(f"{line}\n" for line in survivors)
    sys.stdout.write(
        f"{total} mutants: {by_grid} noticed by the grid, {by_examples} by examples, "
        f"{by_fixtures} by fixtures, {by_frame} by the frame, {len(survivors)} survive\n"
    )
    return 1 if survivors or not total else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
