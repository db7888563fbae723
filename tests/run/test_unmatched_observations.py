"""What was observed of something that was not read is told, whichever command reads the file."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.command import Run
from tests.support.project import FIXTURES

_CLEAN = FIXTURES / "clean"
_EFFECT = "so what was observed of it has no effect"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "endpoints: [{endpoint: OrderAS, user: x}]",
            f"no endpoint is called OrderAS, {_EFFECT}. Did you mean OrdersAS?",
        ),
        ("endpoints: [{endpoint: Zzz, user: x}]", f"no endpoint is called Zzz, {_EFFECT}\n"),
        ("endpoints: [{endpoint: ORDERS.IN, user: x}]", "no endpoint is called ORDERS.IN: it is a queue of QM1"),
        (
            "queues: [{queue: ORDERS.INN, user: x}]",
            f"no local queue is called ORDERS.INN, {_EFFECT}. Did you mean ORDERS.IN?",
        ),
        (
            "queues: [{queue: ORDERS.INN, queue_manager: QM1, user: x}]",
            f"no local queue is called ORDERS.INN at QM1, {_EFFECT}. Did you mean ORDERS.IN?",
        ),
        (
            "queues: [{queue: PAT.ADT, queue_manager: QM1, user: x}]",
            f"no local queue is called PAT.ADT at QM1, {_EFFECT}\n",
        ),
        (
            "queues: [{queue: ORDERS.*, queue_manager: QM2, user: x}]",
            f"no local queue's name matches ORDERS.* at QM2, {_EFFECT}\n",
        ),
        ("beans: [{bean: Nobody, on_message: 5s}]", f"no bean is called Nobody, {_EFFECT}"),
        ("queue_managers: [{queue_manager: QM2*, user: x}]", f"no queue manager's name matches QM2*, {_EFFECT}"),
        ("user: wasadm\nusers: [{user: wasadmn, groups: []}]", "nothing names user wasadmn, so what"),
    ],
)
def test_an_entry_that_matches_nothing_is_told(lintmdb: Run, tmp_path: Path, text: str, told: str) -> None:
    """It fails nothing, for one file may serve several exports."""
    (tmp_path / "o.yaml").write_text(text)
    for command in (("check", _CLEAN), ("diff", _CLEAN, _CLEAN), ("plan", _CLEAN), ("trace", _CLEAN)):
        result = lintmdb(*command, "--observations", "o.yaml", cwd=tmp_path)
        assert f"o.yaml: {told}" in result.stderr, command
        assert result.returncode == lintmdb(*command, cwd=tmp_path).returncode


def test_entries_that_match_are_silent(lintmdb: Run, tmp_path: Path) -> None:
    """By any of the names that an entry may have. Groups of users elsewhere are no slip."""
    (tmp_path / "o.yaml").write_text(
        "user: wasadm\nusers: [{user: wasadm, groups: []}, {user: somebody, groups: []}]\n"
        "queue_managers: [{queue_manager: 'QM?', user: x}]\n"
        "queues: [{queue: 'ORDERS.*', queue_manager: QM1, user: x}]\n"
        "endpoints: [{endpoint: OrdersAS, user: x}]\nbeans: [{bean: OrderBean, on_message: 5s}]\n"
    )
    told = lintmdb("check", _CLEAN, "--observations", "o.yaml", cwd=tmp_path).stderr
    assert "observed" not in told
    assert "nothing names" not in told


def test_many_entries_for_other_exports_are_one_notice(lintmdb: Run, tmp_path: Path) -> None:
    """A slip among them is told by itself."""
    names = ("OrderAS", *(f"Elsewhere{number}" for number in range(12)))
    entries = "".join(f"  - {{endpoint: {name}, user: x}}\n" for name in names)
    (tmp_path / "o.yaml").write_text(f"endpoints:\n{entries}")
    told = lintmdb("check", _CLEAN, "--observations", "o.yaml", cwd=tmp_path).stderr
    assert "no endpoint is called OrderAS, so" in told
    assert "12 entries name no endpoint (Elsewhere0, " in told
    assert "Elsewhere9 and 2 more), so what was observed of them has no effect\n" in told
    assert told.count("has no effect") == 2
