"""Topic objects that refuse the subscription of an endpoint: a notice at the object, and none where it does not."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.support.command import Run
from tests.support.scenario_folders import scenario_folder

_BASE = "DEFINE TOPIC('SYSTEM.BASE.TOPIC') +\n"
_ORDERS = "DEFINE TOPIC('ORDERS') +\n"
_NEW = "DEFINE TOPIC('ORDERS.NEW') +\n"


def _told(lintmdb: Run, folder: Path, **attributes: str) -> str:
    """What check says of the scenario with attributes at its topic objects."""
    shutil.copytree(scenario_folder("topic-subscriptions"), folder / "e")
    dump = folder / "e" / "mq" / "QM1.mqsc"
    text = dump.read_text()
    for where, added in attributes.items():
        begins = {"base": _BASE, "orders": _ORDERS, "new": _NEW}[where]
        assert begins in text
        text = text.replace(begins, f"{begins}   {added} +\n")
    dump.write_text(text)
    return " ".join(lintmdb("check", folder / "e").stderr.split())


_DURABLE = "cannot make a durable subscription to orders/new/today (2436)"


@pytest.mark.parametrize(
    "attributes",
    [{"new": "DURSUB(NO)"}, {"orders": "DURSUB(NO)", "new": "DURSUB(ASPARENT)"}, {"orders": "DURSUB(NO)"}],
)
def test_durable_subscriptions_are_refused_at_and_below_a_topic(
    lintmdb: Run, tmp_path: Path, attributes: dict[str, str]
) -> None:
    """The nearest object that says so decides; those that inherit it say nothing, whether they are written or not."""
    told = _told(lintmdb, tmp_path, **attributes)
    name = "ORDERS" if "orders" in attributes else "ORDERS.NEW"
    assert f"{name} has DURSUB(NO), so NewDurableAS and NewLP {_DURABLE}" in told
    assert "NewAS cannot" not in told


def test_no_notice_where_a_nearer_topic_object_allows_them(lintmdb: Run, tmp_path: Path) -> None:
    """A prohibition above does not act at a topic that has a value of its own."""
    told = _told(lintmdb, tmp_path, orders="DURSUB(NO)", new="DURSUB(YES)")
    assert "cannot make a durable subscription" not in told


def test_a_topic_without_subscriptions_refuses_all(lintmdb: Run, tmp_path: Path) -> None:
    """SUB(DISABLED) refuses those that are not durable, too."""
    told = _told(lintmdb, tmp_path, base="DURSUB(YES)", new="SUB(DISABLED)")
    assert "ORDERS.NEW has SUB(DISABLED), so" in told
    assert "cannot subscribe to orders/new/today (2503), and nothing is delivered" in told
