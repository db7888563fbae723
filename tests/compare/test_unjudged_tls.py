"""diff of two states: TLS settings that differ on the connections of endpoints are judged by nothing."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.support.command import Run
from tests.support.project import FIXTURES

_SECURED = "ALTER CHANNEL(WAS.SVRCONN) CHLTYPE(SVRCONN) SSLCIPH(ANY_TLS12_OR_HIGHER)\n"


@pytest.fixture
def states(tmp_path: Path) -> tuple[Path, Path]:
    """Two states without a difference, in which the channel of an endpoint uses TLS."""
    before, after = (shutil.copytree(FIXTURES / "clean", tmp_path / name) for name in ("before", "after"))
    for state in (before, after):
        _append(state, _SECURED)
    return before, after


def _append(state: Path, text: str) -> None:
    dump = state / "mq/QM1.mqsc"
    dump.write_text(dump.read_text() + text)


def _unjudged(lintmdb: Run, states: tuple[Path, Path]) -> list[str]:
    result = lintmdb("diff", *states, "--strict", "--format", "json")
    entries = json.loads(result.stdout)["unjudged"]
    assert result.returncode == (4 if entries else 0)
    assert result.stderr.count("does not judge TLS") == len(entries)
    return [entry["text"].partition(", and lintmdb does not judge TLS")[0] for entry in entries]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("ALTER CHANNEL(WAS.SVRCONN) CHLTYPE(SVRCONN) SSLCIPH(ANY_TLS13)", "CHANNEL(WAS.SVRCONN) has another SSLCIPH"),
        ("ALTER CHANNEL(WAS.SVRCONN) CHLTYPE(SVRCONN) SSLCIPH(' ')", "CHANNEL(WAS.SVRCONN) has another SSLCIPH"),
        ("ALTER CHANNEL(WAS.SVRCONN) CHLTYPE(SVRCONN) CERTLABL(new)", "CHANNEL(WAS.SVRCONN) has another CERTLABL"),
        ("DEFINE CHANNEL(OTHER) CHLTYPE(SVRCONN) SSLCIPH(ANY_TLS13)", ""),
    ],
)
def test_a_channel_of_an_endpoint(lintmdb: Run, states: tuple[Path, Path], text: str, told: str) -> None:
    """In a dump or in a script; another channel does not count, nor what both states have."""
    before, after = states
    expected = [f"{told} than before"] if told else []
    (after / "mq/tls.mqsc").write_text(f"* Queue manager name: QM1\n{text}\n")
    assert _unjudged(lintmdb, states) == expected
    (after / "mq/tls.mqsc").unlink()
    _append(after, f"{text}\n")
    assert _unjudged(lintmdb, states) == expected
    _append(before, f"{text}\n")
    assert _unjudged(lintmdb, states) == []


def test_a_queue_manager(lintmdb: Run, states: tuple[Path, Path]) -> None:
    """What a dump shows that did not show it before is no difference; what a script sets is one."""
    before, after = states
    _append(after, "ALTER QMGR SSLFIPS(YES)\n")
    assert _unjudged(lintmdb, states) == []
    _append(before, "ALTER QMGR SSLFIPS(NO)\n")
    assert _unjudged(lintmdb, states) == ["queue manager QM1 has another SSLFIPS than before"]
    _append(before, "ALTER QMGR SSLFIPS(YES)\n")
    (after / "mq/tls.mqsc").write_text("* Queue manager name: QM1\nALTER QMGR CERTLABL(new)\n")
    assert _unjudged(lintmdb, states) == ["queue manager QM1 has another CERTLABL than before"]


def test_an_activation_specification(lintmdb: Run, states: tuple[Path, Path]) -> None:
    """Its arbitraryProperties say which TLS configuration it uses."""
    path = states[1] / "was/cells/C1/nodes/node1/servers/server1/resources.xml"
    path.write_text(path.read_text().replace("sslType=&quot;CENTRAL", "sslType=&quot;SPECIFIC"))
    assert _unjudged(lintmdb, states) == ["activation specification OrdersAS has another sslType than before"]
