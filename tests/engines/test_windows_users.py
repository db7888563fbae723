"""Users of Windows: an endpoint may name its user in any case, with its domain or without, in a fleet, too."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.support.spark import no_fleet

if REASON := no_fleet():
    pytest.skip(REASON, allow_module_level=True)

from lintmdb.fleet.audit import Request, run_audit
from lintmdb.resolve.observations import Observations
from lintmdb.run.estate import read_estate
from tests.support.fleet_estate import assert_same, audit_by_spark, told_by_audit, told_of
from tests.support.project import FIXTURES
from tests.support.scenario import RULES

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_OBSERVED = Observations(15_000)


def _replace(file: Path, *pairs: tuple[str, str]) -> None:
    text = file.read_text("utf-8")
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new)
    file.write_text(text, "utf-8")


def _write(folder: Path, user: str) -> Path:
    """The demo with queue managers on Windows, and a user of a J2C alias."""
    shutil.copytree(FIXTURES / "estate", folder)
    for name in ("QM1", "QM2"):
        recorded = ("PRINCIPAL('wasshop')", "PRINCIPAL('WasShöp@CORP')")
        _replace(folder / f"mq/{name}.mqsc", ("platform: UNIX", "platform: WINDOWSNT"), recorded)
    _replace(folder / "was/cells/PRODCELL/security.xml", ('userId="wasshop"', f'userId="{user}"'))
    return folder


@pytest.mark.parametrize("user", ["WASSHÖP@corp", "wasshöp"])
def test_a_user_in_another_spelling_has_the_rights_of_its_record(
    user: str, spark: SparkSession, tmp_path: Path
) -> None:
    """By SQLite, DuckDB and Spark alike; that of another domain has none."""
    exports = _write(tmp_path / "exports", user)
    request = Request([str(exports)], tmp_path / "out", RULES, _OBSERVED)
    check = told_of(read_estate([exports], _OBSERVED).facts)
    assert_same(told_by_audit(run_audit(None, request).folder), check)
    by_spark = Request([str(exports)], tmp_path / "spark", RULES, _OBSERVED)
    assert_same(told_by_audit(audit_by_spark(spark, by_spark).folder), check)
    demo = told_of(read_estate([FIXTURES / "estate"], _OBSERVED).facts)
    assert [(row["rule"], row["subject"]) for row in check.findings] == [
        (row["rule"], row["subject"]) for row in demo.findings
    ]
    elsewhere = told_of(read_estate([_write(tmp_path / "other", "wasshop@lab")], _OBSERVED).facts)
    assert len(elsewhere.undecided) > len(check.undecided)
