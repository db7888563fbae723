"""A cell that several exports tell of."""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path

import pytest

from lintmdb.engine.findings import Subject
from lintmdb.engine.judge import judge
from lintmdb.resolve.observations import Observations
from lintmdb.run.estate import read_estate, read_exports
from tests.support.listed_objects import property_text
from tests.support.scenario import RULES
from tests.support.scenario_folders import scenario_folder

_SCENARIOS = [
    "clean", "estate", "all-families", "late-message-110-15-120", "bus-exception-none", "poison-burst",
    "cluster-members-differ", "activation-spec-inactive", "alias-chain", "zos-not-hardened",
]  # fmt: skip


_Verdict = tuple[str, Subject, bool]
"""A rule, a subject, and whether it is decided."""


def _told(*paths: Path) -> tuple[Counter[_Verdict], int]:
    """Verdicts about objects, and how many flows there are."""
    judgement = judge(read_estate(paths, Observations()).facts, RULES)
    found = Counter[_Verdict]((finding.rule.id, finding.subject, True) for finding in judgement.findings)
    found.update((entry.rule.id, entry.subject, False) for entry in judgement.undecided)
    return found, len(judgement.flows)


def _properties(folder: Path, old: str = "", new: str = "") -> str:
    """The first cell of a scenario as a properties file, with another text in it."""
    text = property_text(read_exports([folder]).cells[0][0])
    assert old in text
    return text.replace(old, new) if old else text


@pytest.mark.parametrize("name", _SCENARIOS)
def test_a_properties_file_beside_the_repository_adds_nothing(name: str, tmp_path: Path) -> None:
    """It says of fewer objects what the repository says, and not which servers run them."""
    folder = scenario_folder(name)
    (tmp_path / "cell.props").write_text(_properties(folder))
    assert _told(folder, tmp_path) == _told(folder)


def test_another_value_is_a_conflict(tmp_path: Path) -> None:
    """Neither export prevails where both tell a value."""
    folder = scenario_folder("clean")
    (tmp_path / "cell.props").write_text(_properties(folder, "ORDERS.IN", "ORDERS.OLD"))
    told, _ = _told(folder, tmp_path)
    assert sum(rule == "MDB904" for rule, _, _ in told) == 2


def test_an_object_that_the_repository_lacks_counts(tmp_path: Path) -> None:
    """It may be newer: the repository's bean is bound to it, by the alias and the queue that the repository has."""
    folder = Path(shutil.copytree(scenario_folder("clean"), tmp_path / "exports"))
    (tmp_path / "cell.props").write_text(_properties(folder))
    resources = next(folder.rglob("server1/resources.xml"))
    text = resources.read_text()
    start, end = text.index("    <j2cActivationSpec"), text.index("  </resources.j2c:J2CResourceAdapter>")
    resources.write_text(text[:start] + text[end:])
    facts = read_estate([folder], Observations()).facts
    assert [row.resolution for row in facts.rows["binding"]] == ["not_defined"]
    facts = read_estate([folder, tmp_path / "cell.props"], Observations()).facts
    assert [row.resolution for row in facts.rows["binding"]] == ["resolved"]
    assert [(row.name, row.queue, row.user, row.bean_count) for row in facts.rows["endpoint"]] == [
        ("OrdersAS", "ORDERS.IN", "wasuser", 1)
    ]
    (told,) = facts.rows["problem"]
    assert (told.kind, told.path) == ("script_beside_export", str(tmp_path / "cell.props"))
    assert told.text.startswith("defines activation specification OrdersAS, which ")
