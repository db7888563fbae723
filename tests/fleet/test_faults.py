"""Whatever an export or the machine does, the audit ends: with the export in quarantine, or with one clear line.

No finding of a healthy export is lost, and nobody ever sees half an audit.
"""

from __future__ import annotations

import errno
import io
import os
import re
import resource
import shutil
import signal
import sys
import zipfile
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.support.command import Run
from tests.support.project import FIXTURES
from tests.support.scenario import RULES
from tests.support.spark import no_fleet

if REASON := no_fleet():
    pytest.skip(REASON, allow_module_level=True)

from pyspark import cloudpickle

from lintmdb.errors import LintmdbError
from lintmdb.fleet import audit as audit_module
from lintmdb.fleet.audit import Audit, Request, run_audit
from lintmdb.fleet.facts.store import COMPLETE, Store
from lintmdb.fleet.facts.unit_reader import Task, UnitReader
from lintmdb.fleet.facts.unit_reader import TaskRows as Rows
from lintmdb.resolve.observations import Observations
from lintmdb.rules.conditions import check_condition
from tests.support.fleet_estate import (
    Told,
    assert_same,
    audit_by_spark,
    copy_renamed,
    table,
    told_by_audit,
    told_by_check,
)

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

CHOSEN = [rule for rule in RULES if rule.id in ("MDB101", "MDB106", "MDB302", "MDB303", "MDB422", "MDB901", "MDB904")]
"""A few rules: what all of them say is compared elsewhere."""
ONE = CHOSEN[:1]
"""For audits that fail for want of room."""
HEALTHY = ("stop-3-sessions-5-bothresh-5", "backout-loop", "poison-burst", "clean")
OBSERVED = Observations(15_000)


class KilledReader(UnitReader):
    """A reader that dies of some units: of ``deadly`` ones always, of ``fragile`` ones the first time."""

    __slots__ = ()

    def table(self, task: Task) -> Rows:
        """As of any reader, if it lives."""
        marker = Path(task.files[0].file + ".met")
        if "deadly" in task.path or ("fragile" in task.path and not marker.exists()):
            if "fragile" in task.path:
                marker.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return super().table(task)


@dataclass
class Fleet:
    """Exports, most of them spoilt in some way, the folder of the audits, and the first audit."""

    exports: Path
    out: Path
    audit: Audit
    refused: list[str]
    """What a second audit at the same time was told."""


def _zipped(folder: Path, target: Path) -> bytes:
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(path for path in folder.rglob("*") if path.is_file()):
            archive.write(file, file.relative_to(folder))
    return target.read_bytes()


def _bomb(target: Path) -> None:
    """64 MiB of nothing in 64 KiB, where a reader looks for resources."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("cells/BOMB/resources.xml", b"\0" * (1 << 26))


def _large_xml(target: Path) -> None:
    """24 MB of XML that is well formed and says nothing, in a small archive."""
    block = b"".join(b'  <resources.jms:Filler xmi:id="F%d" text="%d"/>\n' % (n, n * n) for n in range(20_000))
    text = io.BytesIO()
    text.write(b'<xmi:XMI xmlns:xmi="http://www.omg.org/XMI" xmlns:resources.jms="x">\n')
    while text.tell() < 24_000_000:
        text.write(block)
    text.write(b"</xmi:XMI>\n")
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("cells/LARGE/resources.xml", text.getvalue())


def _write(folder: Path) -> None:
    for number, name in enumerate(HEALTHY):
        copy_renamed(FIXTURES / name, folder / "healthy" / name, f"_{number}")
    copy_renamed(FIXTURES / "backout-loop", folder / "fragile", "_fragile")
    bad = folder / "bad"
    bad.mkdir()
    copy_renamed(FIXTURES / "clean", bad / "scratch", "_bad")
    data = _zipped(bad / "scratch" / "was", bad / "crc.zip")
    (bad / "half.zip").write_bytes(data[: len(data) // 2])
    start = data.index(b"server1/resources.xml") + 208
    (bad / "crc.zip").write_bytes(
        data[:start] + bytes(byte ^ 255 for byte in data[start : start + 40]) + data[start + 40 :]
    )
    shutil.rmtree(bad / "scratch")
    _bomb(bad / "bomb.zip")
    _large_xml(bad / "large.zip")
    (folder / "healthy" / os.fsdecode(b"named \xe9 in Latin-1.mqsc")).write_text("DEFINE QLOCAL('Q') BOTHRESH(0)\n")
    for name in ("deadly-1", "deadly-2", "vanishing"):
        (bad / f"{name}.mqsc").write_text(f"* Queue manager name: {name.upper()}\nALTER QLOCAL('Q') BOTHRESH(0)\n")
    copy_renamed(FIXTURES / "clean", bad / "vanishing-cell", "_vanishing")
    shutil.rmtree(bad / "vanishing-cell" / "mq")
    (bad / "loop").symlink_to("loop")


def _leave_behind(out: Path) -> None:
    """What audits leave that were killed at various moments."""
    for place in (
        "tmp/20260101T000000Z-7/findings",
        "audits/20260101T000000Z-7/findings",
        "facts/g000001/relation=queue",
    ):
        (out / place).mkdir(parents=True)
        (out / place / "part-0.parquet").write_bytes(b"PAR1 and no more")
    (out / "facts" / ".lintmdb-1.part").write_text("{")


@pytest.fixture(scope="module")
def fleet(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Fleet:
    """One audit over everything that can be wrong with an export; the tests after it make audits fail."""
    folder = tmp_path_factory.mktemp("faults")
    exports, out = folder / "exports", folder / "out"
    _write(exports)
    _leave_behind(out)
    refused: list[str] = []

    def meanwhile(doing: str) -> None:
        if doing.startswith("reading"):  # all is listed and nothing is read
            (exports / "bad" / "vanishing.mqsc").unlink()
            shutil.rmtree(exports / "bad" / "vanishing-cell")
            with pytest.raises(LintmdbError) as second:
                run_audit(spark, Request([str(exports)], out, CHOSEN, OBSERVED, differing=True))
            refused.append(str(second.value))

    by_value: Any = cloudpickle  # executors cannot import the tests
    by_value.register_pickle_by_value(sys.modules[__name__])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(audit_module, "UnitReader", KilledReader)
        audit = run_audit(spark, Request([str(exports)], out, CHOSEN, OBSERVED, differing=True), meanwhile)
    by_value.unregister_pickle_by_value(sys.modules[__name__])
    return Fleet(exports, out, audit, refused)


def _quarantine(audit: Path) -> dict[str, str]:
    return {row["path"].rpartition("/bad/")[2]: row["reason"] for row in table(audit, "quarantine")}


def test_spoilt_exports_are_in_quarantine(fleet: Fleet) -> None:
    """Each with its reason; a file that goes while the audit runs is one of them, and so are a path that cannot be
    listed and what kills its reader.
    """
    told = _quarantine(fleet.audit.folder)
    assert "damaged archive" in told.pop("half.zip")
    assert "damaged archive" in told.pop("crc.zip!/cells/C1_bad/nodes/node1/servers/server1/resources.xml")
    assert "inflates to more than" in told.pop("bomb.zip!/cells/BOMB/resources.xml")
    assert told.pop("vanishing.mqsc") == "cannot be read: No such file or directory"
    assert told.pop("loop") == f"cannot be read: {os.strerror(errno.ELOOP)}"
    for name in ("deadly-1.mqsc", "deadly-2.mqsc"):
        assert told.pop(name) == "ends the process that reads it (signal 9)"
    gone = {path: reason for path, reason in told.items() if path.startswith("vanishing-cell/")}
    assert set(gone.values()) == {"cannot be read: No such file or directory"}
    assert told == gone


def test_no_finding_of_a_healthy_export_is_lost(fleet: Fleet) -> None:
    """Nor of one whose reader was killed once: all is as ``check`` says, which meets neither."""
    told = told_by_audit(fleet.audit.folder)
    only_here = ("deadly-1.mqsc", "deadly-2.mqsc", "vanishing")
    extra = [row for row in told.findings if any(name in row["subject"]["name"] for name in only_here)]
    assert {row["rule"] for row in extra} == {"MDB901"}
    rest = Told([row for row in told.findings if row not in extra], told.undecided, told.clear)
    rest.clear["MDB904"] -= len(extra)  # for each of these there is one conflict less, too
    check = told_by_check([fleet.exports], OBSERVED, CHOSEN)
    assert_same(rest, check)
    assert sum("_fragile" in (row["cell"] or "") for row in check.findings) > 0
    inventory = {row["name"] for row in table(fleet.audit.folder, "inventory")}
    assert {"C1_0", "C1_1", "C1_2", "C1_3", "C1_fragile", "LARGE"} <= inventory


def test_a_second_audit_at_once_is_told_so(fleet: Fleet) -> None:
    """It came while the first was reading, and did it no harm."""
    assert fleet.refused == [f"{fleet.out}: another audit is writing here. Wait for it, or use another --out"]


def test_what_killed_audits_left_is_no_audit(fleet: Fleet) -> None:
    """Their half-written folders are not taken for audits or facts."""
    assert [path.name for path in Store(fleet.out).complete_audits()] == [fleet.audit.folder.name]
    assert not (fleet.out / "tmp").exists()
    assert len(list((fleet.out / "facts").glob("g*"))) == 1


@contextmanager
def _failing(fleet: Fleet) -> Generator[list[str]]:
    """An audit fails inside with one line, gives it, and leaves the complete audits as they were."""
    before = sorted(fleet.out.glob("audits/*"))
    told: list[str] = []
    with pytest.raises(LintmdbError) as caught:
        yield told
    told.append(str(caught.value))
    assert "\n" not in told[0]
    assert len(told[0]) < 400
    assert sorted(fleet.out.glob("audits/*")) == before
    assert not (fleet.out / "tmp").exists()


def _again(fleet: Fleet, **changes: Any) -> Request:
    request = Request([str(fleet.exports / "healthy")], fleet.out, CHOSEN, OBSERVED, incremental=True, differing=True)
    return replace(request, **changes)


def test_a_rule_that_fails_on_the_data_alone(
    fleet: Fleet, spark: SparkSession, capfd: pytest.CaptureFixture[str]
) -> None:
    """The language refuses such a rule; if one came through, the audit would end with what Spark says of it."""
    sly = "endpoint.max_sessions < 9000 AND endpoint.max_sessions * 9223372036854775807 > 5"
    rule = replace(CHOSEN[0], id="SITE001", hazard=check_condition(sly, typed=False))
    with _failing(fleet) as told:
        audit_by_spark(spark, _again(fleet, rules=[*CHOSEN, rule]))
    assert "overflow" in told[0]
    assert capfd.readouterr().err == ""  # no stack trace of another kind either


@contextmanager
def _small_files(processes: Iterable[int], limit: int) -> Generator[None]:
    """As on a full disk: no file of these processes may grow beyond some bytes."""
    before: dict[int, tuple[int, int]] = {}
    for process in processes:
        before[process] = resource.prlimit(process, resource.RLIMIT_FSIZE)
        resource.prlimit(process, resource.RLIMIT_FSIZE, (limit, before[process][1]))
    try:
        yield
    finally:
        for process, limits in before.items():
            with suppress(ProcessLookupError):
                resource.prlimit(process, resource.RLIMIT_FSIZE, limits)


def _machine(spark: SparkSession) -> int:
    context: Any = spark.sparkContext
    return int(context._jvm.ProcessHandle.current().pid())


def _below(process: int) -> list[int]:
    """The executors' Pythons: they do not inherit a limit that the machine gets after it has started them."""
    threads = Path(f"/proc/{process}/task").glob("*/children")
    children = [int(name) for thread in threads for name in thread.read_text().split()]
    return [*children, *(grandchild for child in children for grandchild in _below(child))]


def test_a_folder_that_is_full_while_facts_are_written(fleet: Fleet, spark: SparkSession) -> None:
    """Executors write them, and say where there was no room."""
    with _failing(fleet) as told, _small_files(_below(_machine(spark)), 1024):
        run_audit(spark, _again(fleet, rules=ONE, incremental=False))
    assert re.match(
        rf"the audit failed: {re.escape(str(fleet.out))}/facts/g\d+: cannot be written: File too large\. ", told[0]
    )


def test_a_folder_that_is_full_while_verdicts_are_written(fleet: Fleet, spark: SparkSession) -> None:
    """All facts are there already."""
    with _failing(fleet) as told, _small_files([_machine(spark)], 1024):
        audit_by_spark(spark, _again(fleet, rules=ONE))
    assert "File too large" in told[0]


@pytest.mark.parametrize("place", [COMPLETE, "state.json"])
def test_a_folder_that_is_full_at_the_end(
    fleet: Fleet, spark: SparkSession, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last small files are written by this process; without room for them there is no audit either."""
    write_text: Callable[..., int] = Path.write_text
    replace_file: Callable[..., Path] = Path.replace

    def full(path: Path, *arguments: Any, **options: Any) -> int:
        if path.name == place:
            raise OSError(28, "No space left on device", str(path))
        return write_text(path, *arguments, **options)

    def full_at_last(path: Path, target: Path) -> Path:
        if target.name == place:
            raise OSError(28, "No space left on device", str(target))
        return replace_file(path, target)

    monkeypatch.setattr(Path, "write_text", full)
    monkeypatch.setattr(Path, "replace", full_at_last)
    with _failing(fleet) as told:
        run_audit(spark, _again(fleet))
    assert "No space left on device" in told[0]


def test_after_all_that_the_next_audit_is_right(fleet: Fleet, spark: SparkSession) -> None:
    """Failed audits leave nothing that the next one could take for its own."""
    audit = run_audit(spark, _again(fleet))
    assert_same(told_by_audit(audit.folder), told_by_check([fleet.exports / "healthy"], OBSERVED, CHOSEN))
    assert Store(fleet.out).complete_audits() == [fleet.audit.folder, audit.folder]


@pytest.mark.usefixtures("spark")
def test_a_folder_whose_name_is_no_text(lintmdb: Run, tmp_path: Path) -> None:
    """Spark cannot write there, and says so in pages."""
    out = os.fsdecode(os.fsencode(tmp_path) + b"/out\xe9")
    for command in (("audit", FIXTURES / "clean", "--out", out), ("watch", FIXTURES / "clean", "--once", "--out", out)):
        ended = lintmdb("fleet", *command)
        assert ended.returncode == 2
        assert ended.stderr.endswith(
            f"{tmp_path}/out\\xe9: has a name that is no text in UTF-8, as Spark wants it. Name another folder\n"
        )
    assert list(tmp_path.iterdir()) == []


def test_a_rule_that_divides_by_nothing(lintmdb: Run, tmp_path: Path) -> None:
    """There is no division in a rule: it is refused by name and place before an export is read."""
    lintmdb("rules", "new", "sessions-a-thread", "--dir", tmp_path / "rules")
    file = tmp_path / "rules" / "sessions-a-thread.yaml"
    file.write_text(
        file.read_text().replace("queue.backout_threshold > 5", "queue.max_depth / queue.backout_threshold > 5")
    )
    out = tmp_path / "out"
    ended = lintmdb("fleet", "audit", FIXTURES / "clean", "--rules", tmp_path / "rules", "--out", out)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert len(ended.stderr.splitlines()) <= 2
    assert "sessions-a-thread.yaml" in ended.stderr
    assert "'/' is not allowed in a condition" in ended.stderr
    assert not out.exists()
