"""What an undecided verdict asks for: the source that would settle it, and not what merely depends on that."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.support.command import Run

_PORT = "was/cells/C1/nodes/node1/servers/server1/server.xml"


@pytest.fixture
def lost_factory(tmp_path: Path) -> Path:
    """A cell in which the connection factory of a listener port is not defined."""
    estate = tmp_path / "estate"
    shutil.copytree("fixtures/listener-port-retries-0", estate)
    server = estate / _PORT
    server.write_text(server.read_text().replace('"jms/cf/QM1"', '"jms/cf/Gone"'))
    return estate


def test_a_connection_factory_that_is_not_defined_is_what_is_missing(lintmdb: Run, lost_factory: Path) -> None:
    """Its pools and its channel are not asked for: nobody could export them. The place of the finding does not say
    again what the finding says.
    """
    shown = lintmdb("check", lost_factory).stdout
    assert "the connection factory of OrdersLP, which no file here defines" in shown
    assert "the channel of OrdersLP" not in shown
    assert "pool max" not in shown
    joined = " ".join(shown.split())
    assert joined.count("the connection factory jms/cf/Gone of listener port OrdersLP is not defined anywhere") == 1
