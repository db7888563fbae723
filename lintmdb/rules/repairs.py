"""Repairs of a rule: which settings end its hazard, as data. How products say it is in ``lintmdb.settings``."""

from __future__ import annotations

import functools
import re
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple, cast

from lintmdb.errors import RuleError
from lintmdb.model.columns import Value
from lintmdb.rules.conditions import Condition, check_condition, find_column, on_one_line
from lintmdb.rules.tokens import tokenize_condition
from lintmdb.settings.actions import ACTIONS
from lintmdb.settings.registry import SETTINGS

POLICY: Mapping[str, int] = MappingProxyType({"policy.backout_threshold": 3})
"""Names that only repairs may use: numbers that a team decides, and what they are where it does not."""


class Repair(NamedTuple):
    """One way to end a hazard: all of its assignments and actions together."""

    condition: Condition | None
    """Where it is offered; everywhere without one."""
    assignments: tuple[tuple[str, Condition | str], ...]
    """The name of a setting, and its new value: an expression, or a word."""
    actions: tuple[str, ...]
    """Names of ``settings.actions``."""
    choose_if: str = ""
    """When somebody may want it instead of the preferred one, for people; blank where that is a matter of what other
    findings need.
    """


def build_repairs(
    documents: Sequence[Mapping[str, object]], path: str, line: int, *, typed: bool
) -> tuple[Repair, ...]:
    """The repairs of a rule file that fits the schema. Raises RuleError for an unknown setting or action."""
    return tuple([_repair(document, path, line, typed=typed) for document in documents])


def _repair(document: Mapping[str, object], path: str, line: int, *, typed: bool) -> Repair:
    condition = cast("str | None", document.get("if"))
    assigned = cast("Mapping[str, Value]", document.get("set") or {})
    actions = tuple(cast("Sequence[str]", document.get("do") or ()))
    for name in actions:
        if name not in ACTIONS:
            step = f"The actions are {', '.join(ACTIONS)}"
            raise RuleError(f"there is no action {name!r}", path=path, line=line, next_step=step)
    return Repair(
        _check(condition, path, line, typed=typed) if condition else None,
        tuple([(name, _new_value(name, value, path, line, typed=typed)) for name, value in assigned.items()]),
        actions,
        cast("str", document.get("choose_if") or ""),
    )


def _new_value(name: str, value: Value, path: str, line: int, *, typed: bool) -> Condition | str:
    if name not in SETTINGS:
        step = f"The settings are {', '.join(SETTINGS)}"
        raise RuleError(f"there is no setting {name!r}", path=path, line=line, next_step=step)
    column, text = find_column(name), str(value)
    if column.type == "text" and "." not in text:
        return text
    text = text.upper() if isinstance(value, bool) else text
    return _check(text, path, line, typed=typed, gives=column.type)


def _check(text: str, path: str, line: int, *, typed: bool, gives: str = "boolean") -> Condition:
    """A checked expression in whose text the names of the policy still stand."""
    # Names and numbers are padded to one length, so that an error keeps its column.
    settled = _POLICY_NAME.sub(lambda match: f"{POLICY[match.group()]:<{len(match.group())}}", text)
    checked = check_condition(settled, path, line, typed=typed, gives=gives)
    return checked._replace(text=on_one_line(tokenize_condition(text))) if settled != text else checked


_POLICY_NAME = re.compile(rf"(?<![\w.'])(?:{'|'.join(map(re.escape, POLICY))})(?![\w.'])")


def with_policy(repair: Repair, policy: Mapping[str, int]) -> Repair:
    """A repair with a team's own numbers, by the names of ``POLICY``."""

    def settled(expression: Condition) -> Condition:
        text = _POLICY_NAME.sub(lambda match: str(policy.get(match.group(), match.group())), expression.text)
        return expression._replace(text=text)

    values = [(name, value if isinstance(value, str) else settled(value)) for name, value in repair.assignments]
    condition = repair.condition
    return repair._replace(condition=settled(condition) if condition is not None else None, assignments=tuple(values))


def evaluate(expression: Condition, read: Callable[[str], Value]) -> Value:
    """The value of a condition or expression on one flow; None where it is not known. Truth is 1 or 0."""
    statement, names = _statement(expression.text)
    return _evaluate(statement, *[read(name) for name in names])


@functools.lru_cache(maxsize=65536)  # flows differ in names, and seldom in what repairs ask for
def _evaluate(statement: str, *values: Value) -> Value:
    (result,) = _engine().execute(statement, values).fetchone()
    return cast("Value", result)


@functools.cache
def _engine() -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    connection.execute("PRAGMA case_sensitive_like = TRUE")
    return connection


@functools.lru_cache(maxsize=4096)  # a handful a rule, evaluated for many findings
def _statement(text: str) -> tuple[str, tuple[str, ...]]:
    """The SQL of an expression with a parameter for each column, and the columns in their order."""
    tokens = tokenize_condition(text)
    names = [token.text for token in tokens if token.kind == "name" and token.text not in POLICY]
    bound = [str(POLICY.get(t.text, "?")) if t.kind == "name" else t.text for t in tokens]
    return f"SELECT {' '.join(bound)}", tuple(names)
