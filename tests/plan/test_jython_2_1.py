"""Every script for wsadmin is Jython 2.1, whatever the names are, and the check of that notices what is later."""

from __future__ import annotations

from importlib.resources import files

import pytest

from lintmdb.plan.planner import make_plan
from lintmdb.plan.policy import Policy
from lintmdb.plan.scripts import plan_scripts
from tests.support.jython_2_1 import later_than_2_1
from tests.support.scenario import scenario_evaluator
from tests.support.scenario_folders import scenario_names

LATER = [
    "x = True",
    "with a: pass",
    "def f():\n    yield 1",
    "x = 1 if a else 2",
    "@f\ndef g(): pass",
    "def f(a, *, b): pass",
    "def f(a: int): pass",
    "def f():\n    def g(): return 1",
    "def f():\n    return lambda: 1",
    "x = list(a for a in b)",
    "x = {a: 1 for a in b}",
    "x = {a for a in b}",
    "x = {1, 2}",
    "f'{x}'",
    "sorted(x)",
    "enumerate(x)",
    "sum(x)",
    "any(x)",
    "dict(a=1)",
    "isinstance(x, (int, str))",
    "'ab' in x",
    "'ab' in 'abc'",
    "'a' not in x",
    "x in {'a': 1}",
    "x.startswith(('a', 'b'))",
    "x.strip('/')",
    "x.format(1)",
    "x.partition(':')",
    "x.sort(key=f)",
    "x = 7 // 2",
    "x //= 2",
    "x[::2]",
    "print(1, 2)",
    "print('a', end='')",
    "try:\n    f()\nexcept E as e:\n    pass",
    "try:\n    f()\nexcept E:\n    pass\nfinally:\n    g()",
    "raise A from b",
    "import json",
    "from sys import (exit)",
    "x = b'a'",
    "x = 0o17",
    "x = 1_000",
    "x = 3000000000",
    "x = 'Auftr\u00e4ge'",
    "x = 1\n# Auftr\u00e4ge",
    "class A(object): pass",
    "(x := 1)",
    "a, *b = c",
    "for a in {'x': 1}: pass",
]
ALLOWED = [
    "x = 1",
    "x += 1",
    "print('a' + b)",
    "x = [a for a in b if a]",
    "x = u'\\u00e4'",
    "x = d.has_key('a')",
    "x = d.get('a', 1)",
    "NAMES = ['a']\nx = y in NAMES",
    "x = y in ('a', 'b')",
    "x = 'a' in 'abc'",
    "try:\n    f()\nexcept SystemExit:\n    raise\nexcept:\n    g()",
    "x = y[1:]",
    "import sys\nsys.exit(1)",
    "for a, b in c: pass",
    "f(lambda: 1)",
]


@pytest.mark.parametrize("program", LATER)
def test_what_is_later_is_noticed(program: str) -> None:
    """The check can fail, for each construct."""
    assert later_than_2_1(program)


@pytest.mark.parametrize("program", ALLOWED)
def test_what_2_1_has_is_not_reported(program: str) -> None:
    """The check is no ban on Python."""
    assert later_than_2_1(program) == []


def test_the_functions_of_all_scripts_are_jython_2_1() -> None:
    """The part that each script ends with."""
    assert later_than_2_1(files("lintmdb.plan").joinpath("wsadmin.txt").read_text("utf-8")) == []


@pytest.mark.slow
def test_scripts_of_all_scenarios_are_jython_2_1() -> None:
    """And of those that undo them."""
    checked = 0
    for name in scenario_names():
        plan = make_plan(scenario_evaluator(name), Policy(only="was", most_states=20))
        for script in plan_scripts(plan.changes):
            if script.path.endswith(".xml"):
                continue  # a drop-in file of Liberty
            assert later_than_2_1(script.text) == [], (name, script.path)
            checked += 1
    assert checked > 100
