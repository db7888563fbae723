"""Environments are apart: what is judged of two together is what is judged of each alone."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from lintmdb.run.environments import build_environments
from lintmdb.run.estate import read_estate
from tests.laws.laws import OBSERVED, seeds
from tests.support.fleet_estate import Told, told_of
from tests.support.random_estates.draw import Draw
from tests.support.random_estates.estates import build_estate
from tests.support.random_estates.omissions import leave_out

_ESTATES = 12


def write_environments(folder: Path, of_seeds: Sequence[int]) -> None:
    """The same cells and queue managers in two environments; ``prod`` lacks something of each estate."""
    for seed in of_seeds:
        estate = build_estate(seed)
        estate.write(folder / "dev")
        _, fewer = leave_out(Draw(f"environment {seed}"), estate)
        fewer.write(folder / "prod")


def _told(paths: Sequence[Path], folder: Path) -> Told:
    environments = build_environments((name, str(folder / name)) for name in ("dev", "prod"))
    return told_of(read_estate(paths, OBSERVED, environments=environments).facts, all_queues=True)


def _rows(told: Told) -> Counter[str]:
    return Counter(json.dumps(row, sort_keys=True) for row in (*told.findings, *told.undecided))


def test_two_environments_are_judged_as_each_alone(tmp_path: Path) -> None:
    """Every verdict on both together, with all of its values, places and stories, is one on either by itself."""
    write_environments(tmp_path, seeds(_ESTATES))
    together = _told([tmp_path], tmp_path)
    dev, prod = (_told([tmp_path / name], tmp_path) for name in ("dev", "prod"))
    assert _rows(together) == _rows(dev) + _rows(prod)
    assert together.clear == Counter(dev.clear) + Counter(prod.clear)
    assert {row["subject"]["environment"] for row in together.findings} == {"dev", "prod"}


def test_the_name_of_an_environment_is_all_that_it_adds(tmp_path: Path) -> None:
    """Without its name a verdict has the words and values that it has where no environment is named."""
    write_environments(tmp_path, seeds(_ESTATES // 2))
    plain = told_of(read_estate([tmp_path / "dev"], OBSERVED).facts)
    named = told_of(
        read_estate([tmp_path / "dev"], OBSERVED, environments=build_environments([("dev", str(tmp_path))])).facts
    )
    assert {row["subject"]["environment"] for row in plain.findings} == {None}
    one, two = (
        sorted(json.dumps([row["rule"], row["values"], row["message"], row["trace"]]) for row in told.findings)
        for told in (plain, named)
    )
    assert one == two
    assert len(plain.undecided) == len(named.undecided)
    assert plain.clear == named.clear
    assert not {row["fingerprint"] for row in plain.findings} & {row["fingerprint"] for row in named.findings}
