"""Notices and queues without an endpoint: the fleet says what ``check`` says. ``test_spark`` has Spark judge them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.scenario import RULES
from tests.support.spark import no_fleet

if REASON := no_fleet():
    pytest.skip(REASON, allow_module_level=True)

from lintmdb.fleet.audit import Request, run_audit
from lintmdb.fleet.judging.notices import COLUMNS
from lintmdb.resolve.observations import EndpointObservation, Observations
from lintmdb.run.estate import read_estate
from lintmdb.run.reading_notices import reading_notices
from tests.laws.laws import OBSERVED
from tests.support.fleet_estate import assert_same, table, told_by_audit, told_of, write_unread

_READ_BY_A_USER = replace(OBSERVED, user=EndpointObservation(user="mqapp"), users={"mqapp": frozenset({"mqusers"})})


@pytest.mark.parametrize("observed", [OBSERVED, _READ_BY_A_USER])
def test_the_fleet_judges_what_no_endpoint_leads_to(tmp_path: Path, observed: Observations) -> None:
    """Queues and queue managers alone, beside those with endpoints; and each notice about reading."""
    exports = tmp_path / "exports"
    environments = write_unread(exports)
    request = Request(
        [str(exports)],
        tmp_path / "out",
        RULES,
        observed,
        all_queues=True,
        environments=environments,
    )
    local = run_audit(None, request)
    facts = read_estate([exports], observed, environments=environments).facts
    told = told_by_audit(local.folder)
    assert_same(told, told_of(facts, all_queues=True))
    assert {"LONE"} <= {row["queue_manager"] for row in table(local.folder, "findings")}
    of_rights = [row for row in table(local.folder, "findings") if row["rule"] == "MDB113"]
    by_themselves = {row["subject"]["name"] for row in of_rights if row["subject"]["kind"] == "queue"}
    assert bool(by_themselves) is (observed is not OBSERVED)
    notices = [tuple(getattr(notice, name) for name in COLUMNS) for notice in reading_notices(facts.rows["problem"])]
    kinds = {"refused_command", "guessed_name", "joined_across_folders", "undefined_remote_queue"}
    assert {kind for kind, *_ in notices} >= kinds
    assert sorted(tuple(row[name] for name in COLUMNS) for row in table(local.folder, "notices")) == sorted(notices)
    shown = local.summary.get("notices", ())
    assert sorted((n["kind"], n["path"]) for n in shown) == sorted((kind, path) for kind, path, *_ in notices)
