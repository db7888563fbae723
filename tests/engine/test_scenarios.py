"""Every scenario folder is judged as its expected.yaml says."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.project import FIXTURES
from tests.support.scenario import RULES, expected, run_scenario
from tests.support.scenario_folders import (
    OVERLAYS,
    read_differences,
    scenario_folder,
    scenario_names,
    write_scenario,
)

SCENARIOS = scenario_names()


@pytest.mark.parametrize("name", SCENARIOS)
def test_scenario(name: str) -> None:
    """Hazards and undecided verdicts are exactly the expected ones; what is listed as clear is judged clear."""
    folder = scenario_folder(name)
    document = expected(folder)
    outcome = run_scenario(folder, document.get("options"))
    assert outcome.hazard == document["hazard"]
    assert outcome.undecided == document["undecided"]
    for rule, subjects in document["clear"].items():
        assert set(subjects) <= set(outcome.clear.get(rule, [])), rule


def test_every_folder_is_a_scenario() -> None:
    """No fixture folder lacks its expectation."""
    folders = [folder for place in (FIXTURES, OVERLAYS) for folder in place.iterdir() if folder.is_dir()]
    assert sorted(folder.name for folder in folders if folder != OVERLAYS) == SCENARIOS


def files_of(folder: Path) -> set[str]:
    """The paths of the files in a folder, relative to it."""
    return {file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file()}


@pytest.mark.parametrize("overlay", sorted(OVERLAYS.iterdir()), ids=lambda overlay: overlay.name)
def test_an_overlay_holds_only_what_differs(overlay: Path) -> None:
    """No file of an overlay equals the base's or replaces one that expected.yaml edits; what it leaves out exists."""
    differences = read_differences(overlay)
    base = scenario_folder(differences["base"])
    own = files_of(overlay) - {"expected.yaml"}
    assert [path for path in own & files_of(base) if (overlay / path).read_bytes() == (base / path).read_bytes()] == []
    without, edited = set(differences.get("without", [])), set(differences.get("replace", {}))
    assert without | edited <= files_of(base)
    assert not without & edited
    assert not own & (without | edited)


def test_a_whole_scenario_has_no_base() -> None:
    """Only overlays name a base; no name is both an overlay's and a whole scenario's."""
    whole = [folder for folder in FIXTURES.iterdir() if (folder / "expected.yaml").exists()]
    assert [folder.name for folder in whole if {"base", "without", "replace"} & set(expected(folder))] == []
    assert len(SCENARIOS) == len(set(SCENARIOS))


@pytest.mark.parametrize("old", ["BOTHRESH(9)", "GET(ENABLED)"])
def test_an_overlay_replaces_what_occurs_once(tmp_path: Path, old: str) -> None:
    """A text that the base does not have, or has more than once, is an error that names the file."""
    overlay = tmp_path / "overlay"
    overlay.mkdir()
    (overlay / "expected.yaml").write_text(f"base: clean\nreplace: {{mq/QM1.mqsc: [{{old: {old}, new: X}}]}}\n")
    with pytest.raises(ValueError, match=r"overlay: mq/QM1\.mqsc"):
        write_scenario(FIXTURES / "clean", overlay, tmp_path / "written")


def test_every_rule_fires_on_a_real_format() -> None:
    """Each built-in rule is a hazard in at least one scenario, not only in its own examples."""
    fired = {rule for name in SCENARIOS for rule in expected(scenario_folder(name))["hazard"]}
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
    outcome = run_scenario(FIXTURES / "all-families", {"on_message": "15s"})
    checked = 0
    for finding in outcome.judgement.findings:
        for place in (finding.location, *finding.related):
            if place is None or not place.line or place.default:
                continue
            text = Path(place.path).read_text().splitlines()[place.line - 1][place.column - 1 :]
            name = place.text.partition("=")[0].partition("(")[0]
            value = place.text.partition(" value=")
            if place.text.startswith("platform "):  # a line of the header, in words of its own
                assert "platform" in text.lower()
                continue
            assert text.startswith((name, "value=" if value[1] else name, "<")), (place, text[:60])
            checked += 1
    assert checked > 30
