"""What a plan says of a poison message that fares badly with its changes, too."""

from __future__ import annotations

import html
import re
from pathlib import Path

import pytest

from tests.support.command import Run
from tests.support.variant import Variant

_LOST = "lost (non-persistent), moved to the backout queue (persistent)"
_ADVICE = "info MDB702 Use container-managed transactions for the bean, with Required for onMessage."


@pytest.fixture
def unprotected(tmp_path: Path) -> tuple[Path, ...]:
    """A bean without a transaction on a queue whose messages are not persistent by default."""
    variant = Variant(tmp_path, "clean")
    variant.edit("mq/QM1.mqsc", "BOTHRESH(3) +\n   DEFPRTY(0) +\n   DEFPSIST(YES)", "BOTHRESH(3) +\n   DEFPSIST(NO)")
    variant.edit(_DESCRIPTOR, "<trans-attribute>Required<", "<trans-attribute>NotSupported<")
    return variant.folder / "was", variant.folder / "mq"


_DESCRIPTOR = "was/cells/C1/applications/Orders.ear/deployments/Orders/orders.jar/META-INF/ejb-jar.xml"


def _section(text: str) -> str:
    return text.partition("What becomes of a poison message\n")[2].partition("\n\nJudged")[0]


def test_a_message_that_is_still_lost_is_named(lintmdb: Run, unprotected: tuple[Path, ...], tmp_path: Path) -> None:
    """The default persistence repairs the finding, but a producer may ask for the other kind all the same."""
    out = tmp_path / "plan"
    text = lintmdb("plan", *unprotected, "--on-message", "8s", "--out", out).stdout
    assert "DEFPSIST NO -> YES" in text
    assert "Then: DEFPSIST of ORDERS.IN applies only to messages that are put from now on" in text
    assert _section(text).splitlines() == [
        "  ORDERS.IN at QM1 -> OrdersAS (activation specification, node1/server1)",
        "      -> OrderBean (Orders/orders.jar)",
        f"    as before: {_LOST}",
        f"    {_ADVICE}",
    ]
    assert f"- {_ADVICE}" in (out / "plan.md").read_text("utf-8")
    assert _ADVICE in html.unescape((out / "plan.html").read_text("utf-8"))


def test_what_a_plan_does_not_touch_is_named_on_every_page(lintmdb: Run, tmp_path: Path) -> None:
    """Flows that share a fate and advice stand together, and each is counted once."""
    scenario = "fixtures/stop-3-sessions-5-bothresh-5"
    text = lintmdb("plan", scenario, "--only", "mq", "--out", tmp_path).stdout
    assert "    as before: the endpoint stops" in text
    assert "the same as before" not in text
    assert "- as before: the endpoint stops" in (tmp_path / "plan.md").read_text("utf-8")
    page = re.sub(r"<[^>]+>", "", html.unescape((tmp_path / "plan.html").read_text("utf-8")))
    assert "(Orders/orders.jar): as before, the endpoint stops." in " ".join(page.split())


def test_a_repair_of_a_lower_severity_is_named(lintmdb: Run, tmp_path: Path) -> None:
    """The endpoint stops before the bus moves the message; that is of severity info, and a setting ends it."""
    resources = "was/cells/C1/nodes/node1/servers/server1/resources.xml"
    limit = 'name="AutoStopSequentialMessageFailure" type="java.lang.Integer" value="{}"'
    variant = Variant(tmp_path, "bus-endpoint-stops").edit(resources, limit.format(3), limit.format(1))
    told = "info MDB509 The endpoint stops before the poison message is moved. --severity info plans a change for it"
    for options, named in (((), True), (("--keep", "endpoint OrdersAS"), False)):
        text = " ".join(lintmdb("plan", variant.folder, "--on-message", "8s", *options).stdout.split())
        assert ("as before: the endpoint stops" in text, told in text) == (True, named)


def test_flows_alike_are_named_together(lintmdb: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """The worst first; those that fare well are counted. Where there are few, each queue is named by itself."""
    few = lintmdb("plan", "fixtures/all-families", "--on-message", "8s", "--select", "MDB609").stdout
    assert [few.count(f"as before: {fate}\n") for fate in ("the endpoint stops", "delivery is blocked")] == [3, 1]
    monkeypatch.setattr("lintmdb.report.still_bad._FEW", 1)
    text = lintmdb("plan", "fixtures/all-families", "--on-message", "8s", "--select", "MDB609").stdout
    told = _section(f"{text}\n\nJudged").splitlines()
    assert [line for line in told if "as before" in line] == [
        "    as before: lost (non-persistent), the endpoint stops (persistent)",
        "    as before: discarded (non-persistent), delivery is blocked (persistent)",
        "    as before: loops for ever",
        "    as before: the endpoint stops",
        "    as before: delivery is blocked",
        "  the same as before on 4 more flows",
    ]
    names = "OrdersAS on cluster ShopCluster (ORDERS.IN), StockAS on cluster ShopCluster (STOCK.IN)"
    assert f"The same on 2 more flows: {names}" in " ".join(text.split())


def test_a_fate_of_one_kind_of_message_that_changes_is_no_fate_as_before(lintmdb: Run) -> None:
    """The worse of two fates stays."""
    text = " ".join(lintmdb("plan", "fixtures/all-families", "--on-message", "8s").stdout.split())
    was = "lost (non-persistent), the endpoint stops (persistent)"
    lost = _LOST.replace("backout queue", "backout queue CLAIMS.AUDIT.BACKOUT")
    assert f"{was} -> {lost} {_ADVICE}" in text
