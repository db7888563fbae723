"""A law: the same queue manager gives the same verdicts, whichever kind of server reads its queue."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.scenario import Outcome, run_scenario
from tests.support.variant import Variant

ABOUT_MQ = ("MDB1", "MDB604", "MDB605", "MDB606")
"""Rules about the queue manager, and what the client finds there."""
ABOUT_STOPPING = ("MDB124",)
CHANGES = [
    ("BOTHRESH(3)", "BOTHRESH(0)"),
    ("BOTHRESH(3)", "BOTHRESH(1)"),
    ("BOQNAME('ORDERS.BACKOUT')", "BOQNAME(' ')"),
    ("BOQNAME('ORDERS.BACKOUT')", "BOQNAME('ORDERS.GONE')"),
    ("BOQNAME('ORDERS.BACKOUT')", "BOQNAME('ORDERS.IN')"),
    ("BOQNAME('ORDERS.BACKOUT')", "BOQNAME('QM1.DEAD')"),
    ("DEADQ('QM1.DEAD')", "DEADQ(' ')"),
    ("DEFINE QLOCAL('ORDERS.IN')", "DEFINE QLOCAL('ORDERS.OTHER')"),
    ("AUTHADD(BROWSE,GET,INQ,PUT,PASSALL,SETALL)", "AUTHADD(BROWSE,GET,INQ)"),
    ("DEFINE CHANNEL('WAS.SVRCONN')", "DEFINE CHANNEL('OTHER.SVRCONN')"),
    ("QMNAME(QM1)", "QMNAME(QM1)"),
]


def verdicts(outcome: Outcome) -> dict[str, tuple[int, int, int]]:
    """How many hazards, clear and undecided verdicts each rule about IBM MQ has."""
    rules = {*outcome.hazard, *outcome.clear, *outcome.undecided}
    return {
        rule: (
            len(outcome.hazard.get(rule, ())),
            len(outcome.clear.get(rule, ())),
            len(outcome.undecided.get(rule, ())),
        )
        for rule in rules
        if rule.startswith(ABOUT_MQ) and rule not in ABOUT_STOPPING
    }


@pytest.mark.parametrize(("old", "new"), CHANGES, ids=[new for _, new in CHANGES])
def test_the_same_queue_manager_has_the_same_verdicts(tmp_path: Path, old: str, new: str) -> None:
    """For a bean on traditional WebSphere and the same bean on Liberty."""
    found: list[dict[str, tuple[int, int, int]]] = []
    for scenario in ("clean", "liberty-clean"):
        folder = Variant(tmp_path / scenario, scenario).folder
        script = folder / "mq" / "QM1.mqsc"
        text = script.read_text("utf-8")
        assert old in text
        script.write_text(text.replace(old, new, 1), "utf-8")
        found.append(verdicts(run_scenario(folder, {"on_message": "15s"})))
    assert found[0] == found[1]
    assert len(found[0]) > 10 or new.startswith("DEFINE QLOCAL")
