"""diff: what keeps an endpoint from subscribing, or producers from putting, is judged by nothing, and diff says so."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.support.command import Run
from tests.support.scenario_folders import scenario_folder

_RIGHTS = (
    "SET AUTHREC PROFILE('ORDERS') GROUP('readers') OBJTYPE(TOPIC) AUTHADD(SUB,PUB,RESUME)\n"
    "SET AUTHREC PROFILE('ORDERS') PRINCIPAL('auditor') OBJTYPE(TOPIC) AUTHADD(SUB)\n"
)


@pytest.fixture
def states(tmp_path: Path) -> tuple[Path, Path]:
    """Two states without a difference, in which endpoints subscribe to topics below ORDERS."""
    folder = scenario_folder("topic-subscriptions")
    before, after = (shutil.copytree(folder, tmp_path / name) for name in ("before", "after"))
    for state in (before, after):
        dump = state / "mq/QM1.mqsc"
        dump.write_text(dump.read_text() + _RIGHTS)
    return before, after


_CASES = [
    (
        "SET AUTHREC PROFILE(ORDERS) OBJTYPE(TOPIC) GROUP('readers') AUTHRMV(ALL)",
        "group readers loses SUB, the authority to subscribe to orders/",
    ),
    ("DELETE AUTHREC PROFILE(ORDERS) OBJTYPE(TOPIC) GROUP('readers')", "group readers loses SUB"),
    ("SET AUTHREC PROFILE(ORDERS) OBJTYPE(TOPIC) GROUP('readers') AUTHRMV(PUB)", ""),
    ("SET AUTHREC PROFILE(ORDERS) OBJTYPE(TOPIC) GROUP('writers') AUTHADD(PUB)", ""),
    ("ALTER TOPIC(ORDERS) PUB(DISABLED)", ""),
    ("ALTER TOPIC(ORDERS) SUB(ENABLED) DURSUB(YES)", ""),
]


@pytest.mark.parametrize(("text", "told"), _CASES)
def test_a_change_that_stops_a_subscription(
    lintmdb: Run, states: tuple[Path, Path], tmp_path: Path, text: str, told: str
) -> None:
    """It is named with its line, and --strict fails."""
    (tmp_path / "change.mqsc").write_text(f"* Queue manager name: QM1\n{text}\n")
    result = lintmdb("diff", states[0], "--change", "change.mqsc", "--strict", cwd=tmp_path)
    assert (f"change.mqsc:2: {told}" in result.stderr) is bool(told), result.stderr
    assert result.stderr.count("does not judge whether an endpoint can subscribe") == bool(told)
    assert result.returncode == (4 if told else 0)


@pytest.mark.parametrize(
    ("text", "stopped"),
    [
        ("ALTER TOPIC(ORDERS) SUB(DISABLED)", {"NewAS", "NewLP", "NewDurableAS"}),
        ("ALTER TOPIC(SYSTEM.BASE.TOPIC) SUB(DISABLED)", {"NewAS", "NewLP", "NewDurableAS"}),
        ("ALTER TOPIC(ORDERS) DURSUB(NO)", {"NewLP", "NewDurableAS"}),
        ("ALTER TOPIC(ORDERS) DURSUB(NO)\nALTER TOPIC(ORDERS.NEW) DURSUB(YES)", set[str]()),
        ("DEFINE TOPIC(OTHER) TOPICSTR('order') SUB(DISABLED) DURSUB(NO)", set[str]()),
        ("ALTER TOPIC(ORDERS) SUB(DISABLED)\nALTER TOPIC(ORDERS) SUB(ASPARENT)", set[str]()),
    ],
)
def test_a_topic_object_that_stops_subscriptions_is_judged(
    lintmdb: Run, states: tuple[Path, Path], tmp_path: Path, text: str, stopped: set[str]
) -> None:
    """The nearest topic object that has a value of its own decides, and the fate is that nothing is delivered."""
    (tmp_path / "change.mqsc").write_text(f"* Queue manager name: QM1\n{text}\n")
    result = lintmdb("diff", states[0], "--change", "change.mqsc", "--format", "json", cwd=tmp_path)
    report = json.loads(result.stdout)
    told = {each["message"].partition(" ")[0] for each in report["new"] if each["rule"] == "MDB140"}
    assert stopped <= told
    assert stopped or not told
    assert report["unjudged"] == []


@pytest.mark.parametrize(("text", "told"), _CASES)
def test_two_states(lintmdb: Run, states: tuple[Path, Path], text: str, told: str) -> None:
    """The same of a script that is new in the later state."""
    (states[1] / "mq/later.mqsc").write_text(f"* Queue manager name: QM1\n{text}\n")
    result = lintmdb("diff", *states, "--strict", "--format", "json")
    texts = [entry["text"] for entry in json.loads(result.stdout)["unjudged"]]
    assert [told in each for each in texts] == ([True] if told else [])


def test_records_that_the_later_export_leaves_out(lintmdb: Run, states: tuple[Path, Path]) -> None:
    """A dump of all objects alone takes no authority; one with all records does."""
    dump = states[1] / "mq/QM1.mqsc"
    dump.write_text(dump.read_text().replace(_RIGHTS, ""))
    assert "authority to subscribe" in lintmdb("diff", *states, "--strict").stderr
    dump.write_text(dump.read_text().replace("-m QM1 -a", "-m QM1 -x object"))
    assert "authority to subscribe" not in lintmdb("diff", *states, "--strict").stderr


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("ALTER QMODEL(ORDERS.MODEL) BOTHRESH(5)", True),
        ("ALTER QMODEL(ORDERS.MODEL) MAXDEPTH(10)", False),
        ("ALTER QLOCAL(ORDERS.BACKOUT) MAXDEPTH(10)", False),
    ],
)
def test_a_durable_subscription_keeps_its_queue(
    lintmdb: Run, states: tuple[Path, Path], tmp_path: Path, text: str, told: bool
) -> None:
    """A notice says so, and what to do; it is no change that is not judged."""
    (tmp_path / "change.mqsc").write_text(f"* Queue manager name: QM1\n{text}\n")
    result = lintmdb("diff", states[0], "--change", "change.mqsc", "--strict", cwd=tmp_path)
    says = "change.mqsc:2: an existing durable subscription of NewDurableAS to orders/"
    assert (says in result.stderr) is told, result.stderr
    assert ("DEST shows that queue" in result.stderr) is told
    assert result.returncode != 4


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("ALTER QLOCAL(ORDERS.IN) PUT(DISABLED)", "PUT(DISABLED) of QLOCAL(ORDERS.IN) lets every put to it fail"),
        ("ALTER QLOCAL(ORDERS.IN) STREAMQ(NONE.SUCH) STRMQOS(MUSTDUP)", "its STREAMQ NONE.SUCH is not defined"),
        (
            "DEFINE QLOCAL(COPIES) PUT(DISABLED)\nALTER QLOCAL(ORDERS.IN) STREAMQ(COPIES) STRMQOS(MUSTDUP)",
            "its STREAMQ COPIES has PUT(DISABLED)",
        ),
        ("ALTER QLOCAL(ORDERS.IN) STREAMQ(NONE.SUCH) STRMQOS(BESTEF)", ""),
        ("DEFINE QLOCAL(COPIES)\nALTER QLOCAL(ORDERS.IN) STREAMQ(COPIES) STRMQOS(MUSTDUP)", ""),
        ("ALTER QLOCAL(ORDERS.IN) PUT(ENABLED)", ""),
    ],
)
def test_puts_to_the_queue_of_an_endpoint(lintmdb: Run, tmp_path: Path, text: str, told: str) -> None:
    """In a change, and in a script of the later of two states."""
    for name in ("before", "after"):
        shutil.copytree(scenario_folder("clean"), tmp_path / name)
    for script in (tmp_path / "change.mqsc", tmp_path / "after/mq/later.mqsc"):
        script.write_text(f"* Queue manager name: QM1\n{text}\n")
    for asked in (("before", "--change", "change.mqsc"), ("before", "after")):
        result = lintmdb("diff", *asked, "--strict", cwd=tmp_path)
        assert (told in result.stderr and "does not judge producers" in result.stderr) or not told, result.stderr
        assert "does not judge producers" not in result.stderr or told
        assert not told or result.returncode == 4
