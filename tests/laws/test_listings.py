"""A listing with a filter says what does not exist within its filter, and nothing of other names."""

from __future__ import annotations

import random
import shutil
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from lintmdb.engine.flow_join import join_sql
from lintmdb.engine.tables import filled_tables
from lintmdb.exports.mq import read_mqsc
from lintmdb.exports.mq.display import read_transcript
from lintmdb.model.relations import Endpoint
from lintmdb.resolve.mq.queue_manager import resolve_queue_manager
from tests.laws.test_display import DUMPED
from tests.support.display_text import transcript
from tests.support.scenario import Outcome, expected, run_scenario
from tests.support.scenario_folders import scenario_folder

TYPES = ("QLOCAL", "QALIAS", "QREMOTE", "QMODEL")
NOUNS = ("QUEUE", "QUEUE", "QUEUE", *TYPES)
PARTS = ("A", "AB", "B", "APP.", "APP", "SYS.", "X", "1", "%", "/")
Filters = Sequence[tuple[str, str]]


def _name(draw: random.Random) -> str:
    return "".join(draw.choices(PARTS, k=draw.randint(1, 3)))


def _filters(draw: random.Random) -> Filters:
    """One to six questions, with or without an asterisk."""
    return [
        (draw.choice(NOUNS), _name(draw)[: draw.randint(0, 4)] + "*" if draw.random() < 0.8 else _name(draw))
        for _ in range(draw.randint(1, 6))
    ]


def _covers(filters: Filters, name: str) -> bool:
    """Whether the questions would show a queue of any type that has the name."""
    asked = {
        kind
        for noun, pattern in filters
        if (name.startswith(pattern[:-1]) if pattern.endswith("*") else name == pattern)
        for kind in (TYPES if noun == "QUEUE" else (noun,))
    }
    return asked.issuperset(TYPES)


def _resolutions(script: str, names: Collection[str], queues: Filters) -> dict[str, str | None]:
    """What endpoints find that read from names, by a transcript of the answers to some questions."""
    dump = read_mqsc(script.encode(), "QM1.mqsc")
    (file,) = read_transcript(transcript(dump, queues=queues).encode(), "QM1.log")
    facts = resolve_queue_manager("QM1", [file])
    facts.add(
        *(
            Endpoint(id=name, name=name, kind="activation_spec", server_id="s", queue_manager="QM1", queue=name)
            for name in sorted(names)
        )
    )
    with filled_tables(facts) as tables:
        return dict(tables.ask(f"SELECT endpoint.queue, endpoint.queue_resolution {join_sql()}"))


DISABLED = "dis qmgr chad", "AMQ8408I: Display Queue Manager details.", "   QMNAME(QM1)   CHAD({})"
SHOWN = "dis chl(APP.*)", "AMQ8414I: Display Channel details.", "   CHANNEL(APP.ONE)   CHLTYPE(SVRCONN)"


@pytest.mark.parametrize(
    ("question", "on_demand", "found"),
    [
        (SHOWN, "DISABLED", {"APP.ONE": "resolved", "APP.TWO": "not_defined", "APP": None}),
        (SHOWN, "ENABLED", {"APP.ONE": "resolved", "APP.TWO": None, "APP": None}),
        (("dis chl(APP.TWO)", "AMQ8147E: IBM MQ object APP.TWO not found."), "DISABLED", {"APP.TWO": "not_defined"}),
        (("dis chl(APP.TWO)", "AMQ8147E: IBM MQ object APP.TWO not found."), "ENABLED", {"APP.TWO": None}),
        (("dis chl(*) chltype(svrconn)", *SHOWN[1:]), "DISABLED", {"APP.ONE": "resolved", "ANY": "not_defined"}),
        (("dis chl(*) chltype(svrconn)", *SHOWN[1:]), "ENABLED", {"APP.ONE": "resolved", "ANY": None}),
        (("dis chl(*) chltype(sdr)", *SHOWN[1:]), "DISABLED", {"APP.ONE": "resolved", "ANY": None}),
        (("dis chl(APP.*) where(maxinst gt 1)", *SHOWN[1:]), "DISABLED", {"APP.ONE": "resolved", "APP.TWO": None}),
    ],
)
def test_a_list_of_channels_covers_its_pattern(
    question: Sequence[str], on_demand: str, found: dict[str, str | None]
) -> None:
    """As a list of queues does, where the queue manager makes no channel on demand."""
    lines = [*DISABLED[:2], DISABLED[2].format(on_demand), *question]
    numbered = "\n".join(f"     1 : {line}" if line.startswith("dis ") else line for line in lines)
    end = "2 MQSC commands read.\nNo commands have a syntax error.\nAll valid MQSC commands were processed.\n"
    (file,) = read_transcript(f"Starting MQSC for queue manager QM1.\n\n\n{numbered}\n{end}".encode(), "QM1.log")
    facts = resolve_queue_manager("QM1", [file])
    client = Endpoint(
        id="", name="", kind="activation_spec", server_id="s", queue_manager="QM1", transport="client", queue="NONE"
    )
    facts.add(*(replace(client, id=name, name=name, channel=name) for name in found))
    with filled_tables(facts) as tables:
        asked = tables.ask(f"SELECT endpoint.name, endpoint.channel_resolution, endpoint.queue_resolution {join_sql()}")
    assert {name: resolution for name, resolution, _ in asked} == found
    assert {resolution for _, _, resolution in asked} == {None}


def _script(draw: random.Random) -> tuple[str, set[str]]:
    defined = {_name(draw) for _ in range(draw.randint(0, 6))}
    lines = [
        f"DEFINE QALIAS('{name}') TARGET('{_name(draw)}')" if draw.random() < 0.3 else f"DEFINE QLOCAL('{name}')"
        for name in sorted(defined)
    ]
    return "\n".join(lines), defined


@pytest.mark.parametrize("seed", range(150))
def test_what_filters_cover_is_decided_as_by_all_names(seed: int) -> None:
    """A covered name that no answer shows is not defined, as `DISPLAY QUEUE(*)` would tell; another one is unknown."""
    draw = random.Random(seed)
    script, defined = _script(draw)
    filters = _filters(draw)
    names = defined | {_name(draw) for _ in range(12)}
    everything = _resolutions(script, names, [("QUEUE", "*")])
    filtered = _resolutions(script, names, filters)
    assert set(everything) == set(filtered) == names
    for name in names - defined:
        assert everything[name] == "not_defined"
        assert filtered[name] == ("not_defined" if _covers(filters, name) else None), (name, filters)
    for name in defined:
        assert filtered[name] in (everything[name], None), (name, filters)


def test_filters_of_the_law_decide_both_ways() -> None:
    """The law above is about names that are covered, and about names that are not."""
    verdicts: set[bool] = set()
    for seed in range(150):
        draw = random.Random(seed)
        _script(draw)
        filters = _filters(draw)
        verdicts |= {_covers(filters, _name(draw)) for _ in range(12)}
    assert verdicts == {True, False}


def _shown(name: str, target: Path, queues: Filters) -> Outcome:
    folder = scenario_folder(name)
    shutil.copytree(folder, target)
    for path in sorted(target.rglob("*.mqsc")):
        dump = read_mqsc(path.read_bytes(), path.name)
        if dump.dump == "dmpmqcfg" and dump.covers_objects and dump.all_attributes and not dump.problems:
            path.write_text(transcript(dump, queues=queues), "utf-8")
    return run_scenario(target, expected(folder).get("options"))


def _settled(outcome: Outcome) -> dict[tuple[str, str], str]:
    return {
        (rule, subject): verdict
        for verdict, found in (("hazard", outcome.hazard), ("clear", outcome.clear))
        for rule, subjects in found.items()
        for subject in subjects
    }


@pytest.mark.parametrize(
    "name", [name for name in DUMPED if name in ("clean", "estate", "alias-chain", "all-families")]
)
@pytest.mark.parametrize("seed", range(4))
def test_a_filter_turns_no_verdict(name: str, seed: int, tmp_path: Path) -> None:
    """What some of the queues show is what all of them show, or undecided."""
    draw = random.Random(seed)
    filters = [("QUEUE", f"{letter}*") for letter in draw.sample("ABCDEFGHIJKLMNOPQRSTUVWXYZ", 13)]
    everything = _settled(_shown(name, tmp_path / "all", [("QUEUE", "*")]))
    filtered = _settled(_shown(name, tmp_path / "some", filters))
    assert {
        key: verdict for key, verdict in filtered.items() if {verdict, everything.get(key)} == {"hazard", "clear"}
    } == {}
    assert {key for key, verdict in filtered.items() if verdict == "hazard"} <= {
        key for key, verdict in everything.items() if verdict == "hazard"
    }


def test_letters_of_the_alphabet_find_a_missing_queue(tmp_path: Path) -> None:
    """Filters that together cover all names give the hazards of one listing of all queues; others do not."""
    letters = [("QUEUE", f"{letter}*") for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"]
    everything, filtered, other = (
        _shown("queue-not-defined", tmp_path / str(number), queues)
        for number, queues in enumerate(([("QUEUE", "*")], letters, [("QUEUE", "X*")]))
    )
    assert everything.hazard
    assert filtered.hazard == everything.hazard
    assert not other.hazard
