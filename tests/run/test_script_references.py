"""Scripts that something runs in turn are one queue manager; and what the fleet reads together."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintmdb.exports.discovery import Listed, list_files
from lintmdb.exports.linked_files import linked_files
from lintmdb.exports.mq import read_mqsc
from lintmdb.fleet.facts.units import group_units
from lintmdb.model.relations import Queue
from lintmdb.resolve.observations import Observations
from lintmdb.run.estate import read_estate
from lintmdb.run.script_groups import group_scripts

TEN = "DEFINE QLOCAL(A) BOTHRESH(1)\n"
TWENTY = "ALTER QLOCAL(A) BOTHRESH(2)\n"


def groups(files: dict[str, str]) -> dict[str, list[str]]:
    """The queue managers of some scripts, and their scripts in order."""
    scripts = [read_mqsc(text.encode(), path) for path, text in files.items()]
    return {group.name: [script.path for script in group.scripts] for group in group_scripts(scripts, {})}


@pytest.mark.parametrize(
    ("folder", "name"),
    [("orders/etc/mqm", "orders"), ("a/rootfs/etc/mqm", "rootfs"), ("etc/mqm", "mqm"), ("/etc/mqm", "mqm")],
)
def test_what_an_image_runs_is_one_queue_manager(folder: str, name: str) -> None:
    """In the order of the file names, wherever else scripts are."""
    files = {f"{folder}/20-b.mqsc": TWENTY, f"{folder}/10-a.mqsc": TEN, "etc/other.mqsc": TEN, "x/10-a.mqsc": TEN}
    found = groups(files)
    assert found[name] == [f"{folder}/10-a.mqsc", f"{folder}/20-b.mqsc"]
    assert len(found) == 3


def test_a_dump_names_the_queue_manager_of_its_folder() -> None:
    """Files beside it that have no name are of the same queue manager; two names leave it open."""
    dump = "* Queue manager name: QM1\n" + TEN
    assert set(groups({"e/etc/mqm/10.mqsc": dump, "e/etc/mqm/20.mqsc": TWENTY})) == {"QM1"}
    other = dump.replace("QM1", "QM2")
    found = groups({"e/etc/mqm/10.mqsc": dump, "e/etc/mqm/15.mqsc": other, "e/etc/mqm/20.mqsc": TWENTY})
    assert set(found) == {"QM1", "QM2", "e"}


def test_later_scripts_have_the_last_word(tmp_path: Path) -> None:
    """Scripts that run in turn do not contradict each other."""
    folder = tmp_path / "image/etc/mqm"
    folder.mkdir(parents=True)
    (folder / "10.mqsc").write_text(TEN)
    (folder / "20.mqsc").write_text(TWENTY)
    (queue,) = read_estate([tmp_path], Observations()).facts.rows["queue"]
    assert isinstance(queue, Queue)
    assert (queue.queue_manager, queue.backout_threshold) == ("image", 2)


def test_files_that_name_each_other_are_one_unit(tmp_path: Path) -> None:
    """The fleet reads YAML, kustomizations with their folders, and an image's scripts at once; others one by one."""
    for name in ("a/qm.yaml", "b/cm.yml", "k/kustomization.yaml", "k/mq/x.mqsc", "c/etc/mqm/10.mqsc", "QM1.mqsc"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(TEN)
    units = group_units(list_files([tmp_path]).files)
    assert [len(unit.files) for unit in units] == [5, 1]
    assert linked_files(["a.mqsc", "cells/C1/x.yaml"]) == frozenset()
    assert linked_files(["a.yaml", "kustomization.yaml", "x/a.mqsc"]) == {"a.yaml", "kustomization.yaml", "x/a.mqsc"}


def test_a_unit_may_span_the_working_directory() -> None:
    """Paths below it are relative, and others are not."""
    files = [Listed(path, path, 1, 1, "", False) for path in ("/x/a.yaml", "b.yaml")]
    assert [(unit.path, len(unit.files)) for unit in group_units(files)] == [("/x/a.yaml", 2)]
