"""Dockerfiles and compose files: which scripts run for which queue manager."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lintmdb.errors import UnreadableError
from lintmdb.exports.discovery import recognise
from lintmdb.exports.mq.container_files import read_compose, read_dockerfile
from lintmdb.model.relations import Queue
from lintmdb.resolve.observations import Observations
from lintmdb.run.estate import read_estate

DOCKERFILE = """\
# An image
FROM icr.io/ibm-messaging/mq:9.4.0.0-r1
ENV LICENSE=accept MQ_QMGR_NAME=QM1
COPY --chown=1001:0 mq/b.mqsc mq/a.mqsc /etc/mqm/
COPY web.xml /etc/mqm/web
"""
COMPOSE = """\
services:
  app: {image: app}
  mq:
    image: icr.io/ibm-messaging/mq
    environment:
      - LICENSE=accept
      - MQ_QMGR_NAME=QM1
    volumes:
      - ./mq/a.mqsc:/etc/mqm/20-a.mqsc:ro
      - type: bind
        source: ./mq/b.mqsc
        target: /etc/mqm/10-b.mqsc
"""
SCRIPTS = {
    "mq/a.mqsc": "DEFINE QLOCAL(A) BOTHRESH(1)\nALTER QLOCAL(B) BOTHRESH(5)\n",
    "mq/b.mqsc": "DEFINE QLOCAL(B) BOTHRESH(2)\nALTER QLOCAL(A) BOTHRESH(6)\n",
}


def thresholds(folder: Path, files: dict[str, str]) -> dict[tuple[str, str], int | None]:
    """The thresholds of all queues, by queue manager and name."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    rows = read_estate([folder], Observations()).facts.rows["queue"]
    return {(row.queue_manager, row.name): row.backout_threshold for row in rows if isinstance(row, Queue)}


def test_an_image(tmp_path: Path) -> None:
    """By the names of the scripts in the image."""
    found = thresholds(tmp_path, {"Dockerfile": DOCKERFILE, **SCRIPTS})
    assert found == {("QM1", "A"): 6, ("QM1", "B"): 2}
    assert thresholds(tmp_path, {"Dockerfile": DOCKERFILE.replace("mq/b.mqsc mq/a.mqsc", "mq/*.mqsc")}) == found
    assert thresholds(tmp_path, {"Dockerfile": DOCKERFILE.replace("mq/b.mqsc mq/a.mqsc", "mq/")}) == found


def test_a_compose_file(tmp_path: Path) -> None:
    """Volumes of both forms; an image that asks for the same scripts does not run them again."""
    found = thresholds(tmp_path, {"compose.yaml": COMPOSE, **SCRIPTS})
    assert found == {("QM1", "A"): 1, ("QM1", "B"): 5}
    both = thresholds(tmp_path, {"Dockerfile": DOCKERFILE})
    assert {manager for manager, _ in both} == {"QM1"}
    mapped = COMPOSE.replace("      - LICENSE=accept\n      - MQ_QMGR_NAME=QM1\n", "      MQ_QMGR_NAME: QM1\n")
    (tmp_path / "Dockerfile").unlink()
    assert thresholds(tmp_path, {"compose.yaml": mapped}) == found


@pytest.mark.parametrize("name", ["", "$NAME", "{{ name }}"])
def test_without_a_name_nothing_is_said(name: str) -> None:
    """The scripts are read on their own."""
    assert read_dockerfile(DOCKERFILE.replace("QM1", name).encode(), "Dockerfile") == []
    assert read_compose(COMPOSE.replace("QM1", name).encode(), "compose.yaml") == []


def test_recognition() -> None:
    """By their first lines; files that have nothing to do with MQ are passed over later."""
    assert recognise(DOCKERFILE.encode())[0] == "dockerfile"
    assert recognise(COMPOSE.encode())[0] == "compose"


@settings(max_examples=200, deadline=None)
@given(
    st.binary(max_size=200) | st.text(alphabet="services:\n -{}[]FROM COPY a /etc/mqm", max_size=200).map(str.encode)
)
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    """Bytes are read, or refused; nothing else happens."""
    recognise(data)
    with contextlib.suppress(UnreadableError):
        read_dockerfile(DOCKERFILE.encode() + data, "x")
        read_compose(COMPOSE.encode() + data, "x")
