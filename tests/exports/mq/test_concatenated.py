"""Several queue managers in one file: what belongs to each."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from lintmdb.exports.discovery import list_files
from lintmdb.exports.mq import read_parts
from lintmdb.fleet.facts.parts import read_parts as read_fleet_parts
from lintmdb.resolve.observations import Observations
from lintmdb.run.estate import read_estate
from tests.support.command import Run
from tests.support.project import FIXTURES

_FRAME = "*" * 79 + "\n"


def _dump(name: str, queue: str) -> str:
    return (
        f"{_FRAME}* Script generated on 2026-03-0{name[-1]}   at 10.00.00\n* Queue manager name: {name}\n"
        f"* Queue manager platform: UNIX\n* Queue manager command level: (940/940)\n"
        f"* Command issued: dmpmqcfg -m {name} -a\n{_FRAME}"
        f"ALTER QMGR +\n   DESCR(' ') +\n*  QMNAME({name}) +\n   FORCE\nDEFINE QLOCAL('{queue}') +\n   REPLACE\n"
    )


def _saved(name: str, queue: str) -> str:
    return f"* saveqmgr MS03 6.0\n* QMNAME({name})\n*  PLATFORM(UNIX) CMDLEVEL(600)\nDEFINE QLOCAL('{queue}')\n"


def _listed(name: str, queue: str) -> str:
    return f" CSQU000I CSQUTIL IBM MQ for z/OS\n CSQU055I Target queue manager is {name}\nDEFINE QLOCAL('{queue}')\n"


def _parts(text: str) -> list[tuple[str | None, list[tuple[str, int]]]]:
    """The queue manager of each part, and the names and lines of its queues."""
    return [
        (part.queue_manager, [(command.name, command.line) for command in part.commands if command.name])
        for part in read_parts(text.encode(), "two.mqsc")
    ]


@pytest.mark.parametrize(("made", "lines"), [(_dump, (12, 25)), (_saved, (4, 8)), (_listed, (3, 6))])
def test_each_part_is_that_of_its_header(made: Callable[[str, str], str], lines: tuple[int, int]) -> None:
    """What stands below the header of another queue manager is of that one, on the lines of the file."""
    text = made("QM1", "A") + made("QM2", "B")
    assert _parts(text) == [("QM1", [("A", lines[0])]), ("QM2", [("B", lines[1])])]


def test_a_part_has_its_own_header() -> None:
    """Comments around the name of the second queue manager are its header."""
    one, two = read_parts((_dump("QM1", "A") + _dump("QM2", "B")).encode(), "two.mqsc")
    assert (one.exported_on, two.exported_on) == ("2026-03-01", "2026-03-02")
    assert (one.covers_objects, two.covers_objects, two.platform_line) == (True, True, 17)


def test_a_dump_that_is_cut_off_takes_nothing_of_the_next_one() -> None:
    """The header of a dump ends a command of another queue manager that goes on."""
    cut = _dump("QM1", "A").removesuffix("   REPLACE\n")
    one, two = read_parts((cut + _dump("QM2", "B")).encode(), "two.mqsc")
    assert (one.truncated, two.truncated, two.queue_manager) == (True, False, "QM2")
    assert [command.name for command in two.commands] == ["", "B"]


@pytest.mark.parametrize(
    "text",
    [
        _dump("QM1", "A") + _dump("QM1", "B"),
        _dump("QM1", "A").replace("QMNAME(QM1)", "QMNAME(QM7)"),
        _dump("QM1", "A") + "* QMNAME(QM2) has the other end\nDEFINE QLOCAL(B)\n",
        "DEFINE QLOCAL(A)\n" + _dump("QM1", "B"),
        "* Queue manager name: QM2\n" + _dump("QM1", "A"),
    ],
    ids=["the same name", "an attribute", "a remark", "no name above", "no command between"],
)
def test_what_names_no_other_queue_manager_is_one_part(text: str) -> None:
    """Only the header of another queue manager below commands of the first one begins a part."""
    assert [name for name, _ in _parts(text)] == ["QM1"]


def test_many_names_without_commands_are_read_once() -> None:
    """A file of nothing but headers is one part."""
    text = "".join(f"* Queue manager name: QM{number}\n" for number in range(20_000))
    assert _parts(text) == [("QM19999", [])]


def test_dumps_in_one_file_give_what_they_give_apart(tmp_path: Path) -> None:
    """Two dumps say the same in one file as in two, in a run and in the fleet."""
    together, apart = tmp_path / "one", tmp_path / "two"
    together.mkdir()
    apart.mkdir()
    dumps = {name: _dump(name, queue) for name, queue in (("QM1", "A"), ("QM2", "B"))}
    (together / "all.mqsc").write_text("".join(dumps.values()))
    for name, text in dumps.items():
        (apart / f"{name}.mqsc").write_text(text)
    found = [
        [(row.queue_manager, row.name) for row in read_estate([folder], Observations()).facts.rows["queue_name"]]
        for folder in (together, apart)
    ]
    assert found[0] == found[1]
    assert {("QM1", "A"), ("QM2", "B")} <= set(found[0])
    parts, _ = read_fleet_parts(list_files([together]).files, Observations(), {})
    assert [part.name for part in parts if part.kind == "queue_manager"] == ["QM1", "QM2"]


def test_a_change_of_two_queue_managers_changes_each(lintmdb: Run, tmp_path: Path) -> None:
    """The first part of a change is judged where it runs, and not at the queue manager of the last one."""
    change = tmp_path / "change.mqsc"
    change.write_text(
        "* Queue manager name: QM1\nALTER QLOCAL('ORDERS.IN') BOTHRESH(0)\n"
        "* Queue manager name: QM2\nALTER QLOCAL('STOCK.IN') DESCR('x')\n"
    )
    result = lintmdb("diff", FIXTURES / "estate", "--change", change, "-q")
    assert result.returncode == 1
    assert "ORDERS.IN at QM1" in result.stdout
