"""What reports say where IBM's documents can be read in two ways."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.command import Run
from tests.support.variant import Variant

_RESOURCES = "was/cells/C1/nodes/node1/servers/server1/resources.xml"
_LIMIT = "was_failureDeliveryCount=&quot;{}"
_TOLD = (
    "IBM's documents disagree on a limit that is met exactly. By the other reading, only a failure beyond it stops the"
    " endpoint: moved to the backout queue ORDERS.BACKOUT (--reading spec_stop=exceed of lintmdb trace shows that)."
)


@pytest.mark.parametrize(("limit", "told"), [(5, True), (4, False), (6, False)])
def test_a_limit_that_is_met_exactly_is_said_to_be_read_strictly(
    lintmdb: Run, tmp_path: Path, limit: int, *, told: bool
) -> None:
    """Where BOTHRESH is 5: below it both readings stop the endpoint, and above it none."""
    estate = Variant(tmp_path, "stop-5-bothresh-1")
    estate.edit("mq/QM1.mqsc", "BOTHRESH(1)", "BOTHRESH(5)")
    estate.edit(_RESOURCES, _LIMIT.format(5), _LIMIT.format(limit))
    assert (_TOLD in " ".join(lintmdb("check", estate.folder).stdout.split())) is told
    other = lintmdb("trace", estate.folder, "--reading", "spec_stop=exceed").stdout
    assert ("moved to the backout queue" in other.splitlines()[1]) is (limit > 4)


def test_a_new_finding_that_rests_on_it_says_so(lintmdb: Run, tmp_path: Path) -> None:
    """The author of a change is told why it is refused."""
    estate = Variant(tmp_path, "stop-5-bothresh-1")
    change = tmp_path / "change.mqsc"
    change.write_text("ALTER QLOCAL(ORDERS.IN) BOTHRESH(5)\n")
    shown = lintmdb("diff", estate.folder, "--change", change).stdout
    assert f"stops the endpoint before MQ moves it. {_TOLD}" in " ".join(shown.split())
