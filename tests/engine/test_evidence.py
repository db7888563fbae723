"""The places on which a finding rests, and no others."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.command import Run
from tests.support.variant import Variant


@pytest.mark.parametrize(
    ("old", "new", "rests_on"),
    [
        ("PUT(ENABLED)", "PUT(DISABLED)", "PUT(DISABLED)"),
        ("MAXDEPTH(5000)", "MAXDEPTH(0)", "MAXDEPTH(0)"),
    ],
)
def test_of_several_reasons_a_finding_rests_on_the_one_that_holds(
    lintmdb: Run, tmp_path: Path, old: str, new: str, rests_on: str
) -> None:
    """Any of them makes the hazard: the backout queue's other attributes are fine and are not listed."""
    estate = Variant(tmp_path, "clean").folder
    dump = estate / "mq/QM1.mqsc"
    before, name, after = dump.read_text().partition("DEFINE QLOCAL('ORDERS.BACKOUT')")
    dump.write_text(before + name + after.replace(old, new, 1))
    result = lintmdb("check", estate, "--on-message", "1s", "--select", "MDB107", "--format", "json")
    (finding,) = json.loads(result.stdout)["findings"]
    assert finding["rule"] == "MDB107"
    lines = dump.read_text().splitlines()
    assert rests_on in lines[finding["location"]["line"] - 1]
    related = [each["message"] for each in finding["related"]]
    assert not [text for text in related if text.startswith(("PUT", "MAXDEPTH"))]
