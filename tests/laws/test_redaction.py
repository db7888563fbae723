"""A redacted copy comes to the same verdicts, about the same objects, on the same lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from lintmdb.engine.judge import judge
from lintmdb.exports.discovery import shown_path
from lintmdb.redact import redact_exports
from lintmdb.resolve.observations import Observations
from lintmdb.run.estate import read_estate
from tests.laws.laws import OBSERVED, batches, write_estates
from tests.support.scenario import RULES, expected, scenario_inputs
from tests.support.scenario_folders import scenario_folder, scenario_names


def _verdicts(paths: Sequence[Path], base: Path, observed: Observations) -> Counter[str]:
    """Every verdict as text; the places of findings by file below the base, and line."""
    judgement = judge(read_estate(paths, observed).facts, RULES)
    prefix = shown_path(base) + "/"
    verdicts = Counter(
        f"{rule.id} {number} {subject}".replace(prefix, "")
        for subject, rules, numbers in judgement.judged
        for rule, number in zip(rules, numbers, strict=True)
    )
    for finding in judgement.findings:
        place = finding.location
        where = f"{place.path}:{place.line}" if place is not None else "nowhere"
        verdicts[f"{finding.rule.id} at {where}".replace(prefix, "")] += 1
    return verdicts


def _renamed(observed: Observations, words: Mapping[str, str]) -> Observations:
    """The observations with the users of the copy."""
    endpoints = {
        name: replace(entry, user=words[entry.user] if entry.user else entry.user)
        for name, entry in observed.endpoints.items()
    }
    return replace(observed, endpoints=endpoints)


@pytest.mark.parametrize("name", scenario_names())
def test_a_redacted_scenario_has_the_same_verdicts(name: str, tmp_path: Path) -> None:
    """Every rule, verdict, subject and line; nothing is refused."""
    folder = scenario_folder(name)
    inputs, observed = scenario_inputs(folder, expected(folder).get("options"))
    copied = redact_exports([folder], tmp_path / "copy")
    assert not copied.refused
    before = _verdicts(inputs, folder, observed)
    assert before
    after = _verdicts([tmp_path / "copy"], tmp_path / "copy" / name, _renamed(observed, copied.words))
    assert after == before


@pytest.mark.slow
def test_redacted_random_estates_have_the_same_verdicts(tmp_path: Path) -> None:
    """Estates of all kinds, a batch at a time."""
    for number, batch in enumerate(batches(100)):
        folder, copy = tmp_path / f"estates{number}", tmp_path / f"copy{number}"
        write_estates(folder, batch)
        assert not redact_exports([folder], copy).refused
        before = _verdicts([folder], folder, OBSERVED)
        assert len(before) > 1000
        assert _verdicts([copy], copy / folder.name, OBSERVED) == before
