"""Scripts for wsadmin that name no cell: they are of the cell beside them, and make up none of their own."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.support.command import Run
from tests.support.project import FIXTURES

_SPEC = "-name OrdersAS2 -jndiName jms/as/Orders -destinationJndiName jms/q/Orders -destinationType javax.jms.Queue"
_JACL = f"set scope {{scope}}\n$AdminTask createWMQActivationSpec $scope {{{{{_SPEC}}}}}\n"
_JYTHON = f"AdminTask.createWMQActivationSpec(AdminConfig.getid('{{scope}}'), '[{_SPEC}]')\n"


def _without_specification(folder: Path, cell: str = "C1") -> None:
    """A cell whose bean is bound to an activation specification that the repository lacks."""
    shutil.copytree(FIXTURES / "clean" / "was" / "cells" / "C1", folder / "cells" / cell)
    for file in (folder / "cells" / cell).rglob("*.xml"):
        file.write_text(file.read_text().replace('jndiName="jms/as/Orders"', 'jndiName="jms/as/Old"'))
    described = folder / "cells" / cell / "cell.xml"
    described.write_text(described.read_text().replace('name="C1"', f'name="{cell}"'))


def _report(lintmdb: Run, folder: Path, *options: object) -> Mapping[str, Any]:
    asked = ("check", FIXTURES / "clean" / "mq", *options, "--on-message", "15s", "--format", "json")
    return json.loads(lintmdb(*asked, cwd=folder).stdout)


def _cells(report: Mapping[str, Any]) -> set[str]:
    return {entry["subject"]["cell"] for entry in (*report["findings"], *report["undecided"])} - {None}


@pytest.mark.parametrize(
    ("name", "script"),
    [
        ("create.py", _JYTHON.format(scope="/Node:node1/Server:server1/")),
        ("create.py", _JYTHON.format(scope="/Cell:/Node:node1/")),
        ("create.jacl", _JACL.format(scope="[$AdminConfig getid /Node:node1/Server:server1/]")),
        ("create.jacl", _JACL.format(scope="[lindex $argv 0]")),
    ],
)
def test_a_script_joins_the_only_cell(lintmdb: Run, tmp_path: Path, name: str, script: str) -> None:
    """The bean that is bound to what it creates leads somewhere, and no other cell appears; a notice says so."""
    _without_specification(tmp_path / "exports")
    alone = _report(lintmdb, tmp_path, "exports")
    assert [entry["rule"] for entry in alone["findings"]] == ["MDB705"]
    (tmp_path / name).write_text(script)
    report = _report(lintmdb, tmp_path, "exports", name)
    assert "MDB705" not in {entry["rule"] for entry in report["findings"]}
    assert _cells(report) <= {"C1"}
    assert [notice["text"] for notice in report["notices"]] == [
        "defines activation specification OrdersAS2, which exports/cells/C1 lacks, so the file is assumed to be newer"
    ]


def test_a_script_joins_the_cell_that_has_its_scopes(lintmdb: Run, tmp_path: Path) -> None:
    """Of two cells one has the node; where both have it nothing is guessed, and the error says what to write."""
    for cell in ("C1", "C2"):
        _without_specification(tmp_path / "exports", cell)
    (tmp_path / "create.py").write_text(_JYTHON.format(scope="/Node:node1/Server:server1/"))
    unclear = _report(lintmdb, tmp_path, "exports", "create.py")
    assert [entry["rule"] for entry in unclear["findings"]] == ["MDB901", "MDB705", "MDB705"]
    assert unclear["findings"][0]["message"] == (
        "create.py does not name the cell of its objects, and several cells may be meant: C1, C2"
    )
    assert unclear["findings"][0]["fix"].startswith("Name the cell in it: /Cell:C1/ in a script")
    (tmp_path / "exports/cells/C2/nodes/node1").rename(tmp_path / "exports/cells/C2/nodes/node2")
    joined = _report(lintmdb, tmp_path, "exports", "create.py")
    bound = [entry["subject"]["cell"] for entry in joined["findings"] if entry["rule"] == "MDB705"]
    assert (bound, _cells(joined)) == ([], {"C1", "C2"})
    assert "MDB901" not in {entry["rule"] for entry in joined["findings"]}
    (tmp_path / "create.py").write_text(_JYTHON.format(scope="/Node:node7/"))
    nowhere = _report(lintmdb, tmp_path, "exports", "create.py")
    assert "create.py does not name the cell of its objects, and no cell that was read has their scopes: C1, C2" in {
        entry["message"] for entry in nowhere["findings"]
    }


def test_a_script_alone_is_judged_as_before(lintmdb: Run, tmp_path: Path) -> None:
    """Without a cell beside it, what it creates is of a cell without a name."""
    (tmp_path / "create.py").write_text(_JYTHON.format(scope="/Node:node1/Server:server1/"))
    result = lintmdb("check", FIXTURES / "clean" / "mq", "create.py", "--summary", cwd=tmp_path)
    assert "cell (name unknown)" in result.stdout


def test_a_file_that_cannot_be_read_is_no_cell(lintmdb: Run, tmp_path: Path) -> None:
    """A script that changes objects, too, is one finding, and nothing else."""
    text = _JYTHON.format(scope="/Node:node1/") + "AdminConfig.modify(spec, [['name', 'X']])\n"
    (tmp_path / "create.py").write_text(text)
    result = lintmdb("check", FIXTURES / "clean", "create.py", "--on-message", "15s", "--summary", cwd=tmp_path)
    assert "Read      cell C1, queue manager QM1" in result.stdout
    assert "Broken    1 file" in result.stdout
