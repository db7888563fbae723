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
from lintmdb.model.origins import Origin
from lintmdb.plan.policy import Policy
from lintmdb.resolve.observations import EndpointObservation, Observations, QueueObservation
from lintmdb.run.estate import read_estate
from lintmdb.run.reading_notices import reading_notices
from lintmdb.run.unmatched_observations import unmatched_observations
from tests.laws.laws import OBSERVED
from tests.support.fleet_estate import assert_same, table, told_by_audit, told_of, write_unread
from tests.support.html_page import Page
from tests.support.project import FIXTURES

_READ_BY_A_USER = replace(
    OBSERVED,
    user=EndpointObservation(user="mqall"),
    queues=(QueueObservation("ORDERS*", "QM*", "mqapp", Origin("", 0, 0, "")),),
    users={"mqapp": frozenset({"mqusers"}), "mqall": frozenset()},
)


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
    kinds |= {"closed_remote_queue", "read_remote_queue"}
    ends = {"PUT(DISABLED)", "which is read by", "again and again"}
    assert all(any(end in text for _, _, _, text, *_ in notices) for end in ends)
    assert {kind for kind, *_ in notices} >= kinds
    assert sorted(tuple(row[name] for name in COLUMNS) for row in table(local.folder, "notices")) == sorted(notices)
    shown = local.summary.get("notices", ())
    unmatched = [(notice.kind, notice.path) for notice in unmatched_observations(facts, observed)]
    assert unmatched
    expected = [*((kind, path) for kind, path, *_ in notices), *unmatched]
    assert sorted((n["kind"], n["path"]) for n in shown) == sorted(expected)


def test_the_page_of_queue_managers_alone_has_no_endpoints(tmp_path: Path) -> None:
    """A queue is called a queue, what was judged is counted as it is, and its plan is on the page."""
    dump = (FIXTURES / "clean/mq/QM1.mqsc").read_text("utf-8")
    (tmp_path / "QM1.mqsc").write_text(dump.replace("BOQNAME('ORDERS.BACKOUT')", "BOQNAME('NOT.THERE')"), "utf-8")
    exports = [str(tmp_path / "QM1.mqsc")]
    request = Request(exports, tmp_path / "out", RULES, OBSERVED, all_queues=True, plan=Policy())
    audit = run_audit(None, request)
    headlines = {row["headline"] for row in table(audit.folder, "findings")}
    assert headlines == {"queue ORDERS.IN at QM1"}
    page = Page((audit.folder / "report.html").read_text("utf-8")).root.text
    assert "in 2 queues and queue managers" in page
    assert "Flows and queues made safe" in page
    assert "(activation specification," not in page
