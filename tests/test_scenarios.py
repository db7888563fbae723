"""Every scenario folder is judged as its expected.yaml says."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import FIXTURES
from scenario import RULES, expected, run_scenario

SCENARIOS = sorted(folder.parent.name for folder in FIXTURES.glob("*/expected.yaml"))


@pytest.mark.parametrize("name", SCENARIOS)
def test_scenario(name: str) -> None:
    """Hazards and undecided verdicts are exactly the expected ones; what is listed as clear is judged clear."""
    folder = FIXTURES / name
    document = expected(folder)
    outcome = run_scenario(folder, document.get("options"))
    assert outcome.hazard == document["hazard"]
    assert outcome.undecided == document["undecided"]
    for rule, subjects in document["clear"].items():
        assert set(subjects) <= set(outcome.clear.get(rule, [])), rule


def test_every_folder_is_a_scenario() -> None:
    """No fixture folder lacks its expectation."""
    assert {folder.name for folder in FIXTURES.iterdir() if folder.is_dir()} == set(SCENARIOS)


def test_every_rule_fires_on_a_real_format() -> None:
    """Each built-in rule is a hazard in at least one scenario, not only in its own examples."""
    fired = {rule for name in SCENARIOS for rule in expected(FIXTURES / name)["hazard"]}
    assert {rule.id for rule in RULES} - fired == set()


def test_findings_point_at_both_products() -> None:
    """A finding that rests on both products names the line and the value in each of them."""
    outcome = run_scenario(FIXTURES / "stop-3-sessions-5-bothresh-5")
    (finding,) = outcome.judgement.findings
    places = [finding.location, *finding.related]
    texts = {place.text: place for place in places if place is not None}
    assert texts['was_failureDeliveryCount="3"'].path.endswith("resources.xml")
    threshold = texts["BOTHRESH(5)"]
    line = Path(threshold.path).read_text().splitlines()[threshold.line - 1]
    assert line[threshold.column - 1 :].startswith("BOTHRESH(5)")


def test_positions_are_exact() -> None:
    """Every place of every finding of the estate shows the setting at that line and column."""
    outcome = run_scenario(FIXTURES / "estate", {"on_message": "15s"})
    checked = 0
    for finding in outcome.judgement.findings:
        for place in (finding.location, *finding.related):
            if place is None or not place.line or place.default:
                continue
            text = Path(place.path).read_text().splitlines()[place.line - 1][place.column - 1 :]
            name = place.text.partition("=")[0].partition("(")[0]
            value = place.text.partition(" value=")
            assert text.startswith((name, "value=" if value[1] else name, "<")), (place, text[:60])
            checked += 1
    assert checked > 30
