"""qm.ini: the scripts that a queue manager runs when it starts."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lintmdb.errors import UnreadableError
from lintmdb.exports.discovery import recognise
from lintmdb.exports.mq.queue_manager_ini import looks_like_queue_manager_ini, read_queue_manager_ini, starts_scripts
from lintmdb.model.relations import Problem, Queue
from lintmdb.resolve.observations import Observations
from lintmdb.run.estate import Estate, read_estate

INI = """\
#* Module Name: qm.ini
ExitPath:
   ExitsDefaultPath=/var/mqm/exits
Log:
   LogType=CIRCULAR
   LogPath=/var/mqm/log/QM!ONE/
Service:
   Name=AuthorizationService
   SecurityPolicy=group
AutoConfig:
   MQSCConfig=/srv/mq/scripts
"""


def estate(folder: Path, files: dict[str, str]) -> Estate:
    """The estate of some files."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return read_estate([folder], Observations())


@pytest.mark.parametrize(
    ("ini", "scripts"), [("qm.ini", "scripts"), ("conf/qm.ini", "root/srv/mq/scripts"), ("conf/qm.ini", "conf/scripts")]
)
def test_scripts_run_in_the_order_of_their_names(tmp_path: Path, ini: str, scripts: str) -> None:
    """Below any root, or beside the file; scripts elsewhere are another queue manager's."""
    read = estate(
        tmp_path,
        {
            ini: INI,
            f"{scripts}/2.mqsc": "ALTER QLOCAL(A) BOTHRESH(2)\n",
            f"{scripts}/1.mqsc": "DEFINE QLOCAL(A) BOTHRESH(1)\n",
            "other/x.mqsc": "DEFINE QLOCAL(B)\n",
        },
    )
    rows = [row for row in read.facts.rows["queue"] if isinstance(row, Queue)]
    assert [(row.queue_manager, row.name, row.backout_threshold) for row in rows] == [("QM.ONE", "A", 2), ("x", "B", 0)]


def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    """With the line that names it."""
    told = [row for row in estate(tmp_path, {"qm.ini": INI}).facts.rows["problem"] if isinstance(row, Problem)]
    assert [(problem.kind, problem.line, problem.column) for problem in told] == [("not_read", 11, 15)]


def test_recognition(corpus: Path) -> None:
    """By its stanzas; a file that starts no scripts says nothing about queues."""
    real = (corpus / "mq" / "063_mq01__qm.ini").read_bytes()
    assert looks_like_queue_manager_ini(real)
    assert not starts_scripts(real)
    assert recognise(INI.encode()) == ("qm.ini", "")
    assert not looks_like_queue_manager_ini(b"[Log]\n  LogType=CIRCULAR\n[TCP]\n")


def test_the_folder_names_the_queue_manager() -> None:
    """As a queue manager's own folder does."""
    (file,) = read_queue_manager_ini(INI.encode(), "backup/var/mqm/qmgrs/QM2/qm.ini")
    assert file.queue_manager == "QM2"
    (file,) = read_queue_manager_ini(INI.replace("LogPath", "X").encode(), "qm.ini")
    assert file.queue_manager is None


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    """Bytes are read, or refused as no text; nothing else happens."""
    looks_like_queue_manager_ini(data)
    with contextlib.suppress(UnreadableError):
        read_queue_manager_ini(INI.encode() + data, "x")
