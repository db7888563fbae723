"""Order says nothing: files, objects and commands in any order make the same report."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterable
from pathlib import Path

import pytest

from lintmdb.engine.judge import judge
from lintmdb.report.json_report import render_json
from lintmdb.run.estate import read_estate
from tests.laws.laws import OBSERVED, batches, seeds
from tests.support.fleet_estate import told_of
from tests.support.random_estates.draw import Draw
from tests.support.random_estates.estates import build_estate, write_files
from tests.support.scenario import RULES

pytestmark = pytest.mark.slow

_LINES = re.compile(r'"(?:line|column)": (?:\d+|null)|(?<=\.xml):\d+|(?<=\.mqsc):\d+')


def _report(paths: Iterable[Path]) -> str:
    estate = read_estate(list(paths), OBSERVED)
    return render_json(judge(estate.facts, RULES), estate)


def test_inputs_in_any_order_give_the_same_bytes(tmp_path: Path) -> None:
    """Cells and scripts named in another order make the same report, byte for byte."""
    for seed in seeds(15):
        estate = build_estate(seed)
        estate.write(tmp_path)
        folder = tmp_path / estate.name
        inputs = [*sorted((folder / "was" / "cells").iterdir()), *sorted((folder / "mq").iterdir())]
        assert _report(inputs) == _report(Draw(seed).shuffled(inputs)), seed


def _told(folder: Path) -> list[str]:
    """All verdicts, but for the lines on which things stand."""
    told = told_of(read_estate([folder], OBSERVED).facts)
    return [_LINES.sub("", json.dumps(row, sort_keys=True)) for row in (*told.findings, *told.undecided, told.clear)]


def test_objects_and_commands_in_any_order_give_the_same_verdicts(tmp_path: Path) -> None:
    """What does not depend on another stands in another order: verdicts, messages, fixes and stories are the same."""
    for batch in batches(50):
        told: list[list[str]] = []
        for mixed in (False, True):
            for seed in batch:
                estate, draw = build_estate(seed), Draw(f"order {seed}")
                blocks = {path: block.shuffled(draw) if mixed else block for path, block in estate.files.items()}
                write_files(tmp_path / estate.name, {path: block.text for path, block in blocks.items()})
            told.append(sorted(_told(tmp_path)))
            shutil.rmtree(tmp_path)
        assert [row for row in told[1] if row not in set(told[0])] == []
        assert len(told[0]) == len(told[1])
