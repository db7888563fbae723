"""Order says nothing: files, objects and commands in any order make the same report."""

from __future__ import annotations

import json
import re
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
    for seed in seeds(30):
        estate = build_estate(seed)
        estate.write(tmp_path)
        folder = tmp_path / estate.name
        inputs = [*sorted((folder / "was" / "cells").iterdir()), *sorted((folder / "mq").iterdir())]
        assert _report(inputs) == _report(Draw(seed).shuffled(inputs)), seed


def _told(folder: Path) -> str:
    """All verdicts, but for the lines on which things stand."""
    told = told_of(read_estate([folder], OBSERVED).facts)
    verdicts = json.dumps([told.findings, told.undecided, told.clear], sort_keys=True, indent=1)
    lines = _LINES.sub("", verdicts.replace(str(folder), "")).splitlines()
    return "\n".join(lines)


def test_objects_and_commands_in_any_order_give_the_same_verdicts(tmp_path: Path) -> None:
    """What does not depend on another stands in another order: verdicts, messages, fixes and stories are the same."""
    for number, batch in enumerate(batches(100)):
        plain, mixed = tmp_path / f"{number}-plain", tmp_path / f"{number}-mixed"
        for seed in batch:
            estate = build_estate(seed)
            estate.write(plain)
            draw = Draw(f"order {seed}")
            texts = {path: block.shuffled(draw).text for path, block in estate.files.items()}
            write_files(mixed / estate.name, texts)
        before, after = _told(plain), _told(mixed)
        assert before.splitlines() == after.splitlines()
