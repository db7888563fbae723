"""Exports that Spark lists and brings, as from hdfs or s3a: the same verdicts, with URIs in place of paths."""

from __future__ import annotations

import json
import shutil
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from lintmdb.errors import LintmdbError
from lintmdb.resolve.observations import Observations
from tests.support.project import FIXTURES
from tests.support.scenario import RULES
from tests.support.spark import no_fleet

if REASON := no_fleet():
    pytest.skip(REASON, allow_module_level=True)

from lintmdb.fleet.audit import Audit, Request, run_audit
from lintmdb.fleet.facts import remote, unit_reader
from lintmdb.fleet.facts.remote import list_remote, shown_uri
from lintmdb.fleet.facts.units import is_uri, list_units
from lintmdb.fleet.watch import Watch, watch
from tests.support.fleet_estate import Told, copy_renamed, table, told_by_audit

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

FEW = [rule for rule in RULES if rule.id in ("MDB104", "MDB302", "MDB901", "MDB904")]
OBSERVED = Observations(on_message_ms=15_000)
STOPPING = FIXTURES / "stop-3-sessions-5-bothresh-5"


@pytest.fixture
def exports(tmp_path: Path) -> Path:
    """A tree, an archive, a dump and a script of one queue manager, what is beside cells, and a broken archive."""
    folder = tmp_path / "my exports"
    for name in ("tree", "zipped"):
        copy_renamed(STOPPING, folder / name, f"_{name}")
    with zipfile.ZipFile(folder / "backup.zip", "w") as archive:
        for file in sorted((folder / "zipped" / "was").rglob("*.*")):
            archive.write(file, file.relative_to(folder / "zipped" / "was"))
    shutil.rmtree(folder / "zipped" / "was")
    dump = next((folder / "tree").rglob("*.mqsc"))
    (folder / "it's {1}.mqsc").write_text(f"* Queue manager name: {dump.stem}\nALTER QLOCAL('ORDERS.IN') BOTHRESH(0)\n")
    cells = next((folder / "tree").rglob("cells"))
    shutil.copytree(next(cells.rglob("servers")), cells.parent / "templates" / "servers")
    (folder / "broken.zip").write_bytes(b"PK\x03\x04 and nothing that follows")
    return folder


def _told(folder: Path, uri: str, path: str) -> Told:
    """What an audit says, with paths in place of URIs."""
    told = told_by_audit(folder)
    rows: list[list[dict[str, Any]]] = [
        json.loads(json.dumps(rows).replace(uri, path)) for rows in (told.findings, told.undecided)
    ]
    for row in (row for group in rows for row in group):
        row.pop("fingerprint", None)  # of a file that cannot be read it is about the path
    findings, undecided = (sorted(group, key=json.dumps) for group in rows)
    return Told(findings, undecided, told.clear)


def test_a_uri_says_what_a_path_says(spark: SparkSession, exports: Path, tmp_path: Path) -> None:
    """The same findings from a folder and from its URI, whose positions name the URI; then only what changed."""
    uri = f"file://{exports}"
    local = run_audit(None, Request([str(exports)], tmp_path / "local", FEW, OBSERVED))
    there = run_audit(spark, Request([uri], tmp_path / "remote", FEW, OBSERVED))
    assert {row["rule"] for row in table(there.folder, "findings")} >= {"MDB104", "MDB302", "MDB901"}
    assert _told(there.folder, uri, str(exports)) == _told(local.folder, uri, str(exports))
    places = [row["location"]["path"] for row in table(there.folder, "findings") if row["location"]]
    assert places
    assert all(place.startswith(f"{uri}/") for place in places)
    assert [row["path"] for row in table(there.folder, "quarantine")] == [f"{uri}/broken.zip"]
    hashes = [sorted(row["export"] for row in table(each.folder, "inventory")) for each in (local, there)]
    assert hashes[0] == hashes[1]
    assert all(len(digest) == 64 for digest in hashes[0])
    dump = next((exports / "zipped").rglob("*.mqsc"))
    dump.write_bytes(dump.read_bytes().replace(b"BOTHRESH(5)", b"BOTHRESH(0)"))
    both = [uri, f"file:{exports}/*.zip"]  # a file that two inputs name is one
    made: list[Audit] = []
    watch(
        lambda _: spark,
        Watch(Request(both, tmp_path / "remote", FEW, OBSERVED), once=True, on_audit=made.append),
        print,
    )
    (again,) = made
    changes = again.summary["incremental"]
    assert (changes["read"], changes["kept"], changes["gone"]) == (3, 3, 0), "archives are named now"
    assert len(table(again.folder, "inventory")) == len(hashes[0])
    fired = {(row["rule"], row["queue_manager"]) for row in table(again.folder, "findings")}
    assert ("MDB104", "QM1_zipped") in fired


def test_remote_listings(spark: SparkSession, exports: Path) -> None:
    """They give the units that a listing of this machine gives, globs too."""
    for more in ("", "/tree", "/*.zip", "/tree/*"):
        found = list_remote(spark, [f"file://{exports}{more}"])
        ours = list_units([], found.files).units
        theirs = list_units([f"{exports}{more}"]).units
        assert [unit.path.removeprefix("file://") for unit in ours] == [unit.path for unit in theirs]
        assert [[(f.size, f.named) for f in unit.files] for unit in ours] == [
            [(f.size, f.named) for f in unit.files] for unit in theirs
        ]


@pytest.mark.parametrize(
    ("entry", "complaint"),
    [
        ("foo://bar/exports", "this Spark knows no file system foo: foo://bar/exports"),
        ("file:///nowhere/at/all", "file:///nowhere/at/all does not exist"),
        ("file:///nowhere/*.zip", r"file:///nowhere/\*.zip matches nothing"),
        ("hdfs://host.invalid:9000/x", "hdfs://host.invalid:9000/x cannot be listed: .*host.invalid"),
    ],
)
def test_what_cannot_be_listed_is_one_line(spark: SparkSession, entry: str, complaint: str) -> None:
    """It names the input and says why."""
    with pytest.raises(LintmdbError, match=complaint) as caught:
        list_remote(spark, [entry])
    assert "\n" not in str(caught.value)


def test_what_is_not_brought_is_in_quarantine(
    spark: SparkSession, exports: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that goes after it was listed, in a tree or alone, and one that is too large."""
    listing = remote.list_remote

    def and_then_gone(*arguments: Any) -> remote.RemoteFiles:
        found = listing(*arguments)
        (exports / "backup.zip").unlink()
        next((exports / "tree").rglob("cells/*/nodes/*/servers/*/server.xml")).unlink()
        return found

    monkeypatch.setattr("lintmdb.fleet.spark_engine.list_remote", and_then_gone)
    uri = f"file://{exports}"
    audit = run_audit(spark, Request([uri], tmp_path / "out", FEW))
    reasons = {row["path"].rpartition("/")[2]: row["reason"] for row in table(audit.folder, "quarantine")}
    assert reasons.keys() == {"backup.zip", "server.xml", "broken.zip"}
    assert reasons["backup.zip"] == reasons["server.xml"] == "cannot be read: No such file or directory"
    monkeypatch.setattr(unit_reader, "MAX_REMOTE_BYTES", 10)
    task = unit_reader.build_task(1, list_units([], list_remote(spark, [f"{uri}/broken.zip"]).files).units[0])
    (problem,) = (rows[0] for _, relation, rows in unit_reader.UnitReader().table(task) if relation == "problem")
    assert "bytes, more than 10" in str(problem)


def test_uris() -> None:
    """A drive of Windows is none; a URI has one form, and shows no password."""
    assert [is_uri(path) for path in ("hdfs://nn/x", "file:/x", "s3a://b/x", "/x", "x:y", "c:/x", "a/b://c")] == [
        True, True, True, False, False, False, False
    ]  # fmt: skip
    assert shown_uri("file:/a b") == shown_uri("file:///a b") == "file:///a b"
    assert shown_uri("ftp://reader:p:w@host:21/a@b:c@d") == "ftp://reader@host:21/a@b:c@d"
    assert shown_uri("abfss://exports@account.example/x") == "abfss://exports@account.example/x"
    assert shown_uri("hdfs://host:9000/x") == "hdfs://host:9000/x"
