"""diff of two states: commands that may not run and read otherwise than before differ in no verdict, and are told."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.support.command import Run
from tests.support.project import FIXTURES

_PLAY = """\
- hosts: mq
  tasks:
    - command:
        cmd: runmqsc QM1
        stdin: |
          {}
      {}
"""
_ORDERS = "DEFINE QLOCAL(ORDERS.IN) BOQNAME(ORDERS.BACKOUT) BOTHRESH(3) REPLACE"


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        (_ORDERS, _ORDERS.replace("(3)", "(0)"), True),
        (_ORDERS, _ORDERS, False),
        (_ORDERS, f"{_ORDERS} DESCR('no rule reads this')", False),
        (_ORDERS.replace("ORDERS.IN", "UNREAD"), _ORDERS.replace("ORDERS.IN", "UNREAD").replace("(3)", "(0)"), False),
        ("ALTER QMGR DEADQ(ONE)", "ALTER QMGR DEADQ(OTHER)", True),
    ],
)
def test_a_task_with_a_condition(lintmdb: Run, tmp_path: Path, before: str, after: str, told: bool) -> None:
    """A command about what a flow meets; --strict fails, and the report counts it."""
    for name, text in (("before", before), ("after", after)):
        shutil.copytree(FIXTURES / "clean", tmp_path / name)
        (tmp_path / name / "mq/site.yml").write_text(_PLAY.format(text, "when: primary"))
    result = lintmdb("diff", tmp_path / "before", tmp_path / "after", "--strict", "--format", "json")
    entries = json.loads(result.stdout)["unjudged"]
    assert ["is another one than before" in entry["text"] for entry in entries] == [True] * told
    assert result.returncode == (4 if told else 0)


def test_a_value_that_a_deployment_tool_fills_in(lintmdb: Run, tmp_path: Path) -> None:
    """Another variable in its place is another value."""
    for name in ("before", "after"):
        shutil.copytree(FIXTURES / "clean", tmp_path / name)
        text = _ORDERS.replace("3", "{{ " + name + " }}")
        (tmp_path / name / "mq/site.yml").write_text(_PLAY.format(text, "become: true"))
    result = lintmdb("diff", tmp_path / "before", tmp_path / "after", "--strict")
    assert result.returncode == 4
    assert "a deployment tool fills in its values" in " ".join(result.stderr.split())
