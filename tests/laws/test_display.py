"""An answer to DISPLAY says what a dump says: the same verdicts, and fewer where the administrator asked for less."""

from __future__ import annotations

import functools
import shutil
from collections.abc import Collection, Mapping
from pathlib import Path

import pytest

from lintmdb.exports.mq import read_mqsc
from lintmdb.exports.mq.rest import read_rest
from lintmdb.model.columns import mqsc_keywords
from lintmdb.model.relations import Queue
from lintmdb.resolve.mq.queue_manager import resolve_queue_manager
from tests.support.display_text import rest_answers, transcript
from tests.support.scenario import Outcome, expected, run_scenario
from tests.support.scenario_folders import scenario_folder, scenario_names

HIDDEN = (
    "BOTHRESH",
    "BOQNAME",
    "HARDENBO",
    "MAXMSGL",
    "MAXDEPTH",
    "PUT",
    "GET",
    "SHARE",
    "DEFPSIST",
    "DEADQ",
    "MCAUSER",
)


def _whole_dumps(folder: Path) -> list[Path]:
    """The dumps of a scenario that hold all of a queue manager."""
    found: list[Path] = []
    for path in sorted(folder.rglob("*.mqsc")):
        file = read_mqsc(path.read_bytes(), path.name)
        if file.dump == "dmpmqcfg" and file.covers_objects and file.all_attributes and not file.problems:
            found.append(path)
    return found


DUMPED = [name for name in scenario_names() if _whole_dumps(scenario_folder(name))]


def _displayed(name: str, target: Path, without: Collection[str] = (), severity: str = "I") -> Outcome:
    """The verdicts on a scenario with transcripts in the place of its dumps."""
    folder = scenario_folder(name)
    shutil.copytree(folder, target)
    for path in _whole_dumps(target):
        text = transcript(read_mqsc(path.read_bytes(), path.name), without=without, severity=severity)
        path.write_text(text, "utf-8")
    return run_scenario(target, expected(folder).get("options"))


@functools.cache
def _of_dumps(name: str) -> Mapping[tuple[str, str], str]:
    """The verdicts on a scenario as it is."""
    folder = scenario_folder(name)
    return _verdicts(run_scenario(folder, expected(folder).get("options")))


def _verdicts(outcome: Outcome) -> dict[tuple[str, str], str]:
    return {
        (rule, subject): verdict
        for verdict, found in (("hazard", outcome.hazard), ("clear", outcome.clear), ("undecided", outcome.undecided))
        for rule, subjects in found.items()
        for subject in subjects
    }


@pytest.mark.slow
@pytest.mark.parametrize("name", DUMPED)
def test_everything_displayed_is_a_dump(name: str, tmp_path: Path) -> None:
    """Transcripts of DISPLAY ... ALL for everything give the verdicts of the dumps, but for what rests on the durable
    subscriptions, which no transcript proves to be missing.
    """
    shown, dumped = _verdicts(_displayed(name, tmp_path / "shown")), _of_dumps(name)
    open_ones = {key for key in shown if key[0] in ("MDB140", "MDB141") and shown[key] == "undecided"}
    assert {key: verdict for key, verdict in shown.items() if key not in open_ones} == {
        key: verdict for key, verdict in dumped.items() if key not in open_ones
    }


def test_many_scenarios_have_dumps() -> None:
    """The law above is about most of the scenarios with a queue manager."""
    assert len(DUMPED) > 60


@pytest.mark.parametrize("severity", ["I", ""])
@pytest.mark.parametrize("name", ["clean", "all-families"])
def test_displayed_with_and_without_severity(name: str, severity: str, tmp_path: Path) -> None:
    """Message numbers of release 9 (AMQ8409I) and of older ones (AMQ8409) make no difference."""
    assert _verdicts(_displayed(name, tmp_path / "shown", severity=severity)) == _of_dumps(name)


@pytest.mark.parametrize("hidden", HIDDEN)
@pytest.mark.parametrize("name", ["clean", "backout-inert", "estate", "alias-chain"])
def test_what_is_not_asked_for_is_not_known(name: str, hidden: str, tmp_path: Path) -> None:
    """Without an attribute no verdict turns round: it stays or becomes undecided, and no hazard is new."""
    dumped = _of_dumps(name)
    shown = _verdicts(_displayed(name, tmp_path / "shown", without={hidden}))
    settled = {"hazard", "clear"}
    assert {key: verdict for key, verdict in shown.items() if {verdict, dumped.get(key)} == settled} == {}
    assert {key for key, verdict in shown.items() if verdict == "hazard"} <= {
        key for key, verdict in dumped.items() if verdict == "hazard"
    }


@pytest.mark.parametrize(
    ("hidden", "need"),
    [
        ("BOTHRESH", "BOTHRESH of ORDERS.IN at QM1"),
        ("PUT", "PUT of ORDERS.BACKOUT at QM1"),
        ("MAXDEPTH", "MAXDEPTH of ORDERS.BACKOUT at QM1"),
    ],
)
def test_an_attribute_that_is_not_shown_is_what_is_missing(hidden: str, need: str, tmp_path: Path) -> None:
    """The default of IBM is not assumed for it: an undecided verdict names it."""
    dumped = run_scenario(scenario_folder("clean"), expected(scenario_folder("clean")).get("options"))
    shown = _displayed("clean", tmp_path / "shown", without={hidden})
    before, after = ({undecided.need.text for undecided in outcome.judgement.undecided} for outcome in (dumped, shown))
    assert need not in before
    assert need in after


@pytest.mark.parametrize("name", ["clean", "backout-inert", "estate", "alias-chain", "topic-subscriptions"])
def test_rest_answers_turn_no_verdict(name: str, tmp_path: Path) -> None:
    """Answers of the REST API say the same of each queue, and nothing of what is not defined."""
    folder = scenario_folder(name)
    shown = tmp_path / "shown"
    shutil.copytree(folder, shown)
    for path in _whole_dumps(shown):
        dump = read_mqsc(path.read_bytes(), path.name)
        text = rest_answers(dump)
        path.write_text(text, "utf-8")
        manager = dump.queue_manager or ""
        rows, others = (
            {row.name: row for row in resolve_queue_manager(manager, files).rows["queue"]}
            for files in ([dump], read_rest(text.encode(), path.name))
        )
        for column in set(mqsc_keywords(Queue)) - {"free_backout_name"}:
            assert {name: getattr(row, column) for name, row in rows.items()} == {
                name: getattr(row, column) for name, row in others.items()
            }, column
    before = _of_dumps(name)
    after = _verdicts(run_scenario(shown, expected(folder).get("options")))
    assert "hazard" in after.values() or "hazard" not in before.values()
    assert {key: verdict for key, verdict in after.items() if {verdict, before.get(key)} == {"hazard", "clear"}} == {}


def test_a_list_of_attributes_leaves_verdicts_open_and_names_them() -> None:
    """Where the answer is about some objects only, the attribute that it does not show is still what is missing."""
    outcome = run_scenario(scenario_folder("transcript-of-some-attributes"), {"on_message": "15s"})
    needs = {undecided.rule.id: undecided.need for undecided in outcome.judgement.undecided}
    assert needs["MDB123"].text == "SHARE of ORDERS.IN at QM1"
    assert needs["MDB123"].command == "dmpmqcfg -m QM1 -a"
    assert needs["MDB114"].text == "a complete export of queue manager QM1"
