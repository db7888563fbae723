"""Columns: what a relation declares once reaches rules, findings, undecided verdicts and the words of reports."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from lintmdb.engine.flow_rows import COMPUTED, FlowRows
from lintmdb.model.columns import Column, columns, mqsc_keywords
from lintmdb.model.relations import ALIASES, CELL_RELATIONS, RELATIONS, Queue
from lintmdb.rules.conditions import VOCABULARY, find_column

_ROOT = Path(__file__).resolve().parents[2]
_RULE = """\
id: MDB199
name: default-priority-high
title: Messages jump the queue by default
severity: info
confidence: high
since: 0.1.0
subject: queue
when: endpoint.provider = 'wmq' AND endpoint.destination_type = 'queue'
hazard: queue.default_priority > 7
message: "{queue.name} gives messages priority {queue.default_priority}, a poison message overtakes all others"
why: |
  Backed-out messages go back to the front of their priority.
advice: Lower the default priority of {queue.name}.
examples:
  shared: {endpoint: {provider: wmq, destination_type: queue}}
  hazard:
    the highest: {queue.default_priority: 9}
  clear:
    the lowest: {queue.default_priority: 0}
  undecided:
    not known: {}
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project with one more column: a line in its relation, a line in its reader, and a rule file."""
    folder = tmp_path_factory.mktemp("project")
    for part in ("lintmdb", "rules"):
        shutil.copytree(_ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(_ROOT / "pyproject.toml", folder)  # which marks a checkout, whose rules are files
    relations = folder / "lintmdb" / "model" / "relations.py"
    _insert(
        relations,
        r'    max_depth: Annotated\[int \| None, Column\(mqsc="MAXDEPTH"\)\] = None\n',
        '    default_priority: Annotated[int | None, Column(mqsc="DEFPRTY")] = None\n',
    )
    read = r'        max_depth=([\w.]+)\(queue, "MAXDEPTH"\),\n'
    readers = [
        file for file in (folder / "lintmdb" / "resolve" / "mq").glob("*.py") if re.search(read, file.read_text())
    ]
    assert len(readers) == 1
    _insert(readers[0], rf" *{read.strip()}", r'        default_priority=\1(queue, "DEFPRTY"),' + "\n")
    (folder / "rules" / "backout" / "MDB199-default-priority-high.yaml").write_text(_RULE)
    return folder


def _insert(file: Path, pattern: str, line: str) -> None:
    """Insert one line behind the first that matches."""
    text = file.read_text("utf-8")
    changed = re.sub(f"({pattern})", lambda match: match[0] + re.sub(r"\\1", match.groups()[-1], line), text, count=1)
    assert len(changed.splitlines()) == len(text.splitlines()) + 1
    file.write_text(changed, "utf-8")


def _run(project: Path, *arguments: str | Path) -> str:
    environment = {**os.environ, "PYTHONPATH": str(project)}
    command = [sys.executable, *map(str, arguments)]
    done = subprocess.run(command, cwd=project, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    return done.stdout


def _report(project: Path, *inputs: Path) -> dict[str, Any]:
    return json.loads(_run(project, "-m", "lintmdb", "check", *inputs, "--format", "json"))


def _find_undecided(project: Path, exports: Path) -> dict[str, Any]:
    (entry,) = [entry for entry in _report(project, exports)["undecided"] if entry["rule"] == "MDB199"]
    return entry


@pytest.fixture
def exports(tmp_path: Path) -> Path:
    """A cell and a queue manager without a hazard."""
    return Path(shutil.copytree(_ROOT / "fixtures" / "clean", tmp_path / "clean"))


def _write_priority(exports: Path, setting: str) -> int:
    """Change the default priority of ORDERS.IN; the line on which it stands."""
    dump = exports / "mq" / "QM1.mqsc"
    text = dump.read_text()
    start = text.index("DEFPRTY(0) +\n", text.index("DEFINE QLOCAL('ORDERS.IN')"))
    dump.write_text(text[:start] + text[start:].replace("DEFPRTY(0) +\n", setting, 1))
    return text.count("\n", 0, start) + 1


@pytest.mark.slow
def test_a_rule_about_a_new_column_finds_a_hazard(project: Path, exports: Path) -> None:
    """The finding names the value, and points at the file and line where the setting was read."""
    line = _write_priority(exports, "DEFPRTY(9) +\n")
    (finding,) = _report(project, exports)["findings"]
    assert finding["rule"] == "MDB199"
    assert finding["message"].startswith("ORDERS.IN gives messages priority 9,")
    assert finding["values"]["queue.default_priority"] == 9
    assert (Path(finding["location"]["path"]).name, finding["location"]["line"]) == ("QM1.mqsc", line)


@pytest.mark.slow
def test_a_new_column_without_a_value_leaves_a_verdict_undecided(project: Path, exports: Path) -> None:
    """The verdict names the export that is missing, and in an export the object and what of it."""
    alone = _find_undecided(project, exports / "was")
    assert alone["needs"] == "an export of queue manager QM1"
    _write_priority(exports, "")
    whole = _find_undecided(project, exports)
    assert whole["missing"] == ["queue.default_priority"]
    assert whole["needs"] == "DEFPRTY of ORDERS.IN at QM1"


def test_a_new_column_is_in_the_words_of_the_fleet_page(project: Path) -> None:
    """The list of causes spells the column as a script does."""
    code = "from lintmdb.fleet.judging.deciding_values import deciding_words\nprint(deciding_words({values!r}))"
    words = _run(project, "-c", code.format(values={"queue.default_priority": 9}))
    assert words == "DEFPRTY(9)\n"


def test_a_rule_about_a_new_column_is_explained_and_checked(project: Path) -> None:
    """``explain`` shows the rule with its examples, each judged as it claims."""
    text = _run(project, "-m", "lintmdb", "explain", "--full", "MDB199")
    assert "queue.default_priority > 7" in text
    assert "hazard: the highest" in text
    assert "undecided: not known" in text


def test_what_declarations_name_exists() -> None:
    """No declaration names a column, relation or alias that is not there."""
    declared = [(relation, column) for relation, row in RELATIONS.items() for column in columns(row)]
    for relation, column in declared:
        for name in (*column.moot_where, *([column.serves] if column.serves else [])):
            assert isinstance(find_column(name), Column), (relation, column.name)
        assert column.id_of in ("", *CELL_RELATIONS)
        for other, values in column.moot_where.items():
            allowed = find_column(other).values
            assert not allowed or set(values) <= set(allowed)
        assert column.switch is None or (column.type == "boolean" and column.mqsc)
    assert {alias.relation for alias in ALIASES.values()} <= set(RELATIONS)


def test_the_rows_of_a_flow_have_all_aliases_and_computed_columns() -> None:
    """``FlowRows`` lists what the join yields, in its order."""
    joined = [name for name, alias in ALIASES.items() if not alias.standalone]
    assert FlowRows._fields == (*joined, *COMPUTED)


def test_types_and_values_come_from_the_annotation() -> None:
    """A declaration beside the type changes neither; a Literal lists the only values."""
    assert find_column("queue.backout_threshold")[:3] == ("backout_threshold", "integer", ())
    assert find_column("queue.harden_backout").type == "boolean"
    assert find_column("queue.default_open").values == ("shared", "exclusive")
    assert find_column("endpoint.kind").values == ("listener_port", "activation_spec")
    assert "origins" not in VOCABULARY["queue"]
    assert mqsc_keywords(Queue)["backout_threshold"] == "BOTHRESH"
