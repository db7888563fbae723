"""A script whose file is called after a queue manager belongs to it, wherever it lies and however it is named."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.support.command import Run
from tests.support.project import FIXTURES

_COMMANDS = (
    "ALTER QLOCAL('ORDERS.IN') BOTHRESH({number})",
    "ALTER QMGR DEADQ(' ')",
    "ALTER QLOCAL('ORDERS.BACKOUT') MAXMSGL({number}00)",
    "ALTER QLOCAL('QM1.DEAD') MAXDEPTH({number})",
    "DEFINE QLOCAL('ORDERS.NEXT') DEFPSIST(YES) REPLACE",
)
_CHANGES = ("ALTER QLOCAL('ORDERS.IN') BOQNAME('ORDERS.NEXT')", "ALTER QMGR DEADQ('GONE')", "ALTER QMGR DEADQ(' ')")
_LAYOUTS: Sequence[Sequence[str]] = (
    ("QM1.mqsc",),
    ("deep/QM1.mqsc",),
    ("QM1.mqsc", "QM1.txt"),
    ("1/QM1.mqsc", "2/QM1.mqsc"),
    ("QM1.mqsc", "more/QM1.mqsc", "more/QM1.txt"),
)


def _write(folder: Path, commands: Sequence[str], layout: Sequence[str]) -> list[str]:
    """Spread commands over scripts; the paths of those that have one."""
    found: list[str] = []
    for number, name in enumerate(layout):
        own = commands[number :: len(layout)]
        if own:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text("\n".join([*own, ""]))
            found.append(f"{folder.name}/{name}")
    return found


def _named(option: str, paths: Sequence[str]) -> list[str]:
    return [part for path in paths for part in (option, path)]


def _told(document: Any) -> Any:
    """What a comparison says, whatever file it is in."""
    findings = {key: [entry["fingerprint"] for entry in document[key]] for key in ("new", "resolved")}
    undecided = [(entry["rule"], entry["subject"]) for entry in document["undecided"]]
    return findings, undecided, document["fates"], document["summary"]


@pytest.mark.parametrize("seed", range(6))
def test_a_comparison_is_the_same_for_every_layout_of_its_scripts(lintmdb: Run, tmp_path: Path, seed: int) -> None:
    """Named as files or by their folder, one or several, in each of the options."""
    chance = random.Random(seed)
    shutil.copytree(FIXTURES / "clean", tmp_path / "exports")
    states = [
        [text.format(number=chance.randrange(12)) for text in chance.sample(_COMMANDS, chance.randint(1, 3))]
        for _ in range(2)
    ]
    (tmp_path / "change").mkdir()
    (tmp_path / "change/QM1.mqsc").write_text(f"{chance.choice(_CHANGES)}\n")
    seen: dict[str, set[str]] = {"sides": set(), "change": set()}
    for number, layout in enumerate(_LAYOUTS):
        old, new = (
            _write(tmp_path / f"{side}{number}", commands, layout)
            for side, commands in zip(("before", "after"), states, strict=True)
        )
        for before, after in ((old, new), ([f"before{number}"], [f"after{number}"])):
            sides = ("exports", *_named("--before", before), *_named("--after", ["exports", *after]))
            change = ("exports", *_named("--before", before), "--change", "change/QM1.mqsc")
            for kind, asked in (("sides", sides), ("change", change)):
                run = lintmdb("diff", *asked, "--strict", "--format", "json", cwd=tmp_path)
                assert run.returncode != 2, run.stderr
                seen[kind].add(json.dumps([run.returncode, _told(json.loads(run.stdout))], sort_keys=True))
    assert [len(verdicts) for verdicts in seen.values()] == [1, 1]


@pytest.mark.parametrize("command", ["check", "plan"])
def test_a_script_beside_the_dump_of_its_queue_manager_is_judged(lintmdb: Run, tmp_path: Path, command: str) -> None:
    """Named as a file or by its folder; where its folder does not settle it, a strict run fails."""
    shutil.copytree(FIXTURES / "clean", tmp_path / "exports")
    _write(tmp_path / "scripts", ["ALTER QLOCAL('ORDERS.IN') BOTHRESH(0)"], ["QM1.mqsc"])
    for path in ("scripts", "scripts/QM1.mqsc"):
        run = lintmdb(command, "exports", path, "--on-message", "5s", cwd=tmp_path)
        assert "MDB104" in run.stdout
    _write(tmp_path / "other", ["ALTER QLOCAL('ORDERS.IN') BOTHRESH(5)"], ["QM1.mqsc"])
    if command == "check":
        run = lintmdb("check", "exports", "scripts", "other", "--strict", "--on-message", "5s", cwd=tmp_path)
        assert run.returncode == 4
        assert "2 names of queue managers are guessed from file names" in run.stderr


def test_a_comparison_tells_of_a_script_that_stays_apart(lintmdb: Run, tmp_path: Path) -> None:
    """Two folders of one export have scripts of one name, and the change edits one of them."""
    for side, threshold in (("before", 3), ("after", 0)):
        shutil.copytree(FIXTURES / "clean", tmp_path / side)
        for folder, value in (("east", threshold), ("west", 3)):
            _write(tmp_path / side / folder, [f"DEFINE QLOCAL('ORDERS.IN') BOTHRESH({value}) REPLACE"], ["QM1.mqsc"])
    run = lintmdb("diff", "before", "after", cwd=tmp_path)
    assert "after/east/QM1.mqsc: does not name its queue manager, and other files claim the name QM1" in run.stderr
    assert "no endpoint in the exports reads" not in run.stderr
    assert "west" not in run.stderr
    assert lintmdb("diff", "before", "after", "--strict", cwd=tmp_path).returncode == 4
    assert lintmdb("diff", "before", "before", "--strict", cwd=tmp_path).returncode == 0
