"""What only several queue managers together tell."""

from __future__ import annotations

from pathlib import Path

from lintmdb.resolve.observations import Observations
from lintmdb.run.estate import read_estate


def test_a_name_that_exists_at_another_queue_manager_is_not_misspelt(tmp_path: Path) -> None:
    """The queue is missing here, rather."""

    def near_name(elsewhere: str) -> str | None:
        for name, lines in (
            ("QM1", "DEFINE QLOCAL(A) BOQNAME('CARD.BACKUOT')\nDEFINE QLOCAL('CARD.BACKOUT')"),
            ("QM2", elsewhere),
        ):
            head = f"* Queue manager name: {name}\n* Queue manager platform: UNIX\n"
            command = f"* Command issued: dmpmqcfg -m {name} -a\n"
            (tmp_path / f"{name}.mqsc").write_text(f"{head}{command}{lines}\n")
        rows = read_estate([tmp_path], Observations()).facts.rows["put_target"]
        return next(row.near_name for row in rows if row.name == "CARD.BACKUOT")

    assert near_name("DEFINE QLOCAL('OTHER')") == "CARD.BACKOUT"
    assert near_name("DEFINE QLOCAL('CARD.BACKUOT')") is None
