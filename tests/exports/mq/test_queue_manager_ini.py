"""qm.ini: the scripts that a queue manager runs when it starts."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lintmdb.errors import UnreadableError
from lintmdb.exports.discovery import recognise
from lintmdb.exports.mq.queue_manager_ini import (
    configures_queue_manager,
    looks_like_queue_manager_ini,
    read_queue_manager_ini,
)
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
    """By its stanzas; a part of a file may hold nothing that lintmdb needs."""
    real = (corpus / "mq" / "063_mq01__qm.ini").read_bytes()
    assert looks_like_queue_manager_ini(real)
    assert configures_queue_manager(real)
    assert not configures_queue_manager(b"Channels:\n   MaxChannels=200\nTCP:\n   KeepAlive=Yes\n")
    assert recognise(INI.encode()) == ("qm.ini", "")
    assert not looks_like_queue_manager_ini(b"[Log]\n  LogType=CIRCULAR\n[TCP]\n")


def test_the_folder_names_the_queue_manager() -> None:
    """As a queue manager's own folder does."""
    (file,) = read_queue_manager_ini(INI.encode(), "backup/var/mqm/qmgrs/QM2/qm.ini")
    assert file.queue_manager == "QM2"
    (file,) = read_queue_manager_ini(INI.replace("LogPath", "X").encode(), "qm.ini")
    assert file.queue_manager is None


@pytest.mark.parametrize(
    ("stanza", "access"),
    [
        ("Security:\n   ClusterQueueAccessControl=RQMName\n", ("RQMName", 13, False)),
        ("Security:\n   ClusterQueueAccessControl = xmitq\n", ("Xmitq", 13, False)),
        ("Channels:\n   ClusterQueueAccessControl=RQMName\n", None),
        ("Security:\n   clusterqueueaccesscontrol=RQMName\n", None),
        ("Security:\n   ClusterQueueAccessControl=RQMName   # by team\n", None),
        ("Security: # cluster\n   ClusterQueueAccessControl=RQMName\n", None),
        ("TCP:\n   KeepAli", None),
        ("", ("Xmitq", 1, True)),
        ("Security:\n   ClusterQueueAccessControl=Other\n", None),
    ],
)
def test_whose_rights_on_cluster_queues_count(stanza: str, access: tuple[str, int, bool] | None) -> None:
    """Xmitq is the default of a whole file, which names the log and does not break off in a line; nothing is known of
    a value or a spelling that is not IBM's.
    """
    (file,) = read_queue_manager_ini((INI + stanza).encode(), "qm.ini")
    said = file.cluster_queue_access
    assert (said and (said.value, said.line, said.default)) == access
    (part,) = read_queue_manager_ini((INI.replace("LogPath", "X") + stanza).encode(), "qm.ini")
    told = part.cluster_queue_access
    assert (told and told.value) == (access[0] if access is not None and not access[2] else None)


def test_the_file_alone_makes_no_queue_manager(tmp_path: Path) -> None:
    """One notice says whose it is; with an export of that queue manager it belongs to it, in any folder."""
    alone = INI.replace("AutoConfig", "Security").replace(
        "MQSCConfig=/srv/mq/scripts", "ClusterQueueAccessControl=RQMName"
    )
    read = estate(tmp_path / "alone", {"qm.ini": alone})
    (told,) = [row for row in read.facts.rows["problem"] if isinstance(row, Problem)]
    assert (told.kind, told.path.rpartition("/")[2], told.object) == ("not_read", "qm.ini", "QM.ONE")
    assert not read.facts.rows["queue_manager"]
    dump = "* Queue manager name: QM.ONE\nDEFINE QLOCAL(A)\n"
    read = estate(tmp_path / "both", {"etc/qm.ini": alone, "mq/dump.mqsc": dump})
    (manager,) = read.facts.rows["queue_manager"]
    place = manager.origins["cluster_queue_access"]
    assert (manager.cluster_queue_access, Path(place.path).name, place.line) == ("RQMName", "qm.ini", 11)
    assert not read.facts.rows["problem"]
    files = {"a/qm.ini": alone, "b/qm.ini": alone.replace("RQMName", "Xmitq"), "mq/dump.mqsc": dump}
    (manager,) = estate(tmp_path / "two", files).facts.rows["queue_manager"]
    assert manager.cluster_queue_access is None


@pytest.mark.parametrize(
    ("files", "told"),
    [
        (
            {"qm.ini": "Log:\n   LogType=CIRCULAR\nSecurity:\n   ClusterQueueAccessControl=RQMName\n"},
            "which queue manager",
        ),
        (
            {"qm.ini": INI.replace("AutoConfig", "X") + "Security:\n   ClusterQueueAccessControl=Other\n"},
            "of which noth",
        ),
        (
            {
                name: f"Log:\n   LogPath=/x/QM1\nSecurity:\n   ClusterQueueAccessControl={value}\n"
                for name, value in (("a/qm.ini", "RQMName"), ("b/qm.ini", "Xmitq"))
            },
            "says another ClusterQueueAccessControl",
        ),
    ],
)
def test_a_file_that_settles_nothing_is_told(tmp_path: Path, files: dict[str, str], told: str) -> None:
    """Nameless, alone with a value that nobody knows, or two that differ; none makes a queue manager."""
    dump = {"mq/dump.mqsc": "* Queue manager name: QM1\nDEFINE QLOCAL(A)\n"} if len(files) > 1 else {}
    facts = estate(tmp_path, {**files, **dump}).facts
    texts = [row.text for row in facts.rows["problem"] if row.kind == "not_read"]
    assert texts
    assert all(told in text for text in texts)
    assert len(facts.rows["queue_manager"]) == len(dump)


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    """Bytes are read, or refused as no text; nothing else happens."""
    looks_like_queue_manager_ini(data)
    with contextlib.suppress(UnreadableError):
        read_queue_manager_ini(INI.encode() + data, "x")
