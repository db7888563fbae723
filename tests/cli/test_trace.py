"""The story of a message on each flow: `lintmdb trace`, `check -v`, and the trace of each finding."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from lintmdb.delivery.fate import Fate
from lintmdb.delivery.outcome import Outcome
from lintmdb.delivery.values import Values
from lintmdb.engine.findings import Finding
from lintmdb.engine.flow_rows import read_value
from lintmdb.rules.predictions import run_named
from tests.support.command import Run
from tests.support.project import ROOT
from tests.support.scenario import expected, run_scenario
from tests.support.scenario_folders import scenario_folder, scenario_names

SCHEMA = json.loads((ROOT / "lintmdb" / "report" / "report.schema.json").read_text())
SCENARIOS = scenario_names()


@pytest.mark.parametrize("name", SCENARIOS)
def test_each_finding_shows_its_fate(name: str) -> None:
    """A finding about delivery has a trace; the model shows what its rule predicts unless the rule says it differs.

    Where nothing is delivered at all, a finding says what happens once that is mended.
    """
    folder = scenario_folder(name)
    for finding in run_scenario(folder, expected(folder).get("options")).judgement.findings:
        assert bool(finding.trace) == (finding.rule.predicts is not None), finding.rule.id
        if not _differs(finding) and not _is_shut_out(finding):
            assert _shown(finding), finding.rule.id


def _is_shut_out(finding: Finding) -> bool:
    outcome = run_named(Values(lambda name: read_value(finding.rows, name)), "poison")
    return outcome.fate is Fate.BLOCKED and outcome.deliveries == 0


def _shown(finding: Finding) -> bool:
    values = Values(lambda name: read_value(finding.rows, name))
    prediction = finding.rule.predicts

    def run(workload: str) -> Outcome:
        return run_named(values, workload)

    return prediction is None or all(showing.holds(run) is not False for showing in prediction.shows)


def _differs(finding: Finding) -> bool:
    """Whether the rule names this configuration as one on which it and the model differ."""
    import sqlite3

    prediction = finding.rule.predicts
    if prediction is None or prediction.differs is None:
        return False
    connection = sqlite3.connect(":memory:")
    aliases = sorted({name.partition(".")[0] for name in prediction.differs.columns})
    for alias in aliases:
        names = [name.partition(".")[2] for name in prediction.differs.columns if name.startswith(f"{alias}.")]
        declared = ", ".join(f'"{name}"' for name in names)
        connection.execute(f'CREATE TABLE "{alias}" ({declared})')
        row = [read_value(finding.rows, f"{alias}.{name}") for name in names]
        connection.execute(f'INSERT INTO "{alias}" VALUES ({", ".join("?" * len(names))})', row)
    (answer,) = connection.execute(f"SELECT {prediction.differs.sqlite} FROM {', '.join(aliases)}").fetchone()
    connection.close()
    return bool(answer)


@pytest.mark.slow
def test_some_findings_differ_and_most_do_not() -> None:
    """The exception above is one: nearly every finding is shown by the model."""
    findings = [
        finding
        for folder in map(scenario_folder, SCENARIOS)
        for finding in run_scenario(folder, expected(folder).get("options")).judgement.findings
        if finding.rule.predicts is not None
    ]
    assert sum(map(_differs, findings)) < len(findings) / 10


def _traced(lintmdb: Run, *arguments: str | Path) -> dict[str, Any]:
    result = lintmdb("trace", *arguments, "--format", "json")
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


def test_the_story_of_a_flow(lintmdb: Run) -> None:
    """Three failures with a limit of three: twelve steps, the endpoint stops and nothing is moved."""
    document = _traced(lintmdb, "fixtures/stop-3-sessions-5-bothresh-5")
    assert document["schema"] == "lintmdb-trace/1"
    (flow,) = document["flows"]
    assert flow["subject"]["name"] == "OrdersAS"
    (story,) = flow["stories"]
    assert (story["fate"], story["deliveries"], story["target"]) == ("endpoint_stopped", 3, None)
    assert [step["step"] for step in story["steps"]] == list(range(1, 13))
    assert story["steps"][-1]["event"] == "spec_stops"
    assert story["steps"][-2]["state"]["backout_count"] == 3


def test_a_workload_of_ones_own(lintmdb: Run) -> None:
    """Poison, healthy messages, sessions and restarts are as asked."""
    document = _traced(lintmdb, "fixtures/stop-5-bothresh-1", "--poison", "3", "--healthy-between", "1")
    (story,) = document["flows"][0]["stories"]
    assert story["workload"] == "3 poison messages with 1 healthy behind each"
    assert sum(step["event"] == "moved_to_backout_queue" for step in story["steps"]) == 3
    restarted = _traced(lintmdb, "fixtures/zos-not-hardened", "--restart-after", "2")
    assert restarted["flows"][0]["stories"][0]["deliveries"] == 7
    hardened = _traced(lintmdb, scenario_folder("zos-hardened"), "--restart-after", "2")
    assert hardened["flows"][0]["stories"][0]["deliveries"] == 5
    stopped = _traced(lintmdb, scenario_folder("default-activation-spec"), "--start-again", "2")
    assert stopped["flows"][0]["stories"][0]["deliveries"] == 3


def test_persistent_and_non_persistent_messages_with_different_fates_have_a_story_each(lintmdb: Run) -> None:
    """The worse comes first. A restart, which non-persistent messages seldom survive, is about counts alone."""
    document = _traced(lintmdb, "fixtures/blank-boqname-no-deadq")
    assert [(s["workload"], s["persistent"], s["fate"]) for s in document["flows"][0]["stories"]] == [
        ("one non-persistent poison message", False, "discarded"),
        ("one persistent poison message", True, "delivery_blocked"),
    ]
    (story,) = _traced(lintmdb, "fixtures/zos-not-hardened", "--restart-after", "2")["flows"][0]["stories"]
    assert (story["workload"], story["persistent"]) == ("one poison message, a restart after 2 failures", None)


def test_a_late_message_is_told_with_the_clock(lintmdb: Run) -> None:
    """Where a receive has a timeout, the story of a late healthy message follows that of a poison one."""
    result = lintmdb("trace", "fixtures/late-message-110-15-120", "--on-message", "15s")
    assert result.returncode == 0
    assert "arriving 110 s after a receive call began: rolled back by the transaction timeout" in result.stdout
    assert "+125 s" in result.stdout
    unobserved = lintmdb("trace", "fixtures/late-message-110-15-120", "--arrives-after", "110s")
    assert "undecided without the longest onMessage time of the bean (safe below 10 s)" in unobserved.stdout


def test_what_is_folded_is_counted_by_message(lintmdb: Run) -> None:
    """Two steps a message are one time, not half of one."""
    goes_on = "activation specification OrdersAS of node1/server1: stopEndpointIfDeliveryFails=false"
    asked = ("trace", "fixtures/stop-3-sessions-5-bothresh-5", "--set", goes_on, "--sessions", "8", "--poison", "8")
    told = " ".join(lintmdb(*asked).stdout.split())
    moved = told.count("is moved to the backout queue ORDERS.BACKOUT")
    (more,) = re.findall(r"MQ client The same again, (\d+) times, with the next message each time", told)
    assert moved + int(more) == 8


def test_folding_can_be_switched_off(lintmdb: Run) -> None:
    """What comes again and again is counted in one line, and listed with --all-steps."""
    folded = lintmdb("trace", "fixtures/zos-not-hardened", "--restart-after", "2").stdout
    assert "The same again, 2 times" in folded
    whole = lintmdb("trace", "fixtures/zos-not-hardened", "--restart-after", "2", "--all-steps").stdout
    assert "The same again" not in whole
    assert len(whole.splitlines()) > len(folded.splitlines())


def test_unknown_endpoint_gets_a_suggestion(lintmdb: Run) -> None:
    """A misspelt endpoint is a usage error with the nearest name; a bean's name is one, too."""
    result = lintmdb("trace", "fixtures/clean", "--endpoint", "OrderAS")
    assert result.returncode == 2
    assert "Did you mean OrdersAS?" in result.stderr
    assert lintmdb("trace", "fixtures/clean", "--endpoint", "OrderBean").returncode == 0


def test_members_of_a_cluster_that_is_judged_as_one_have_its_flows(lintmdb: Run) -> None:
    """Whether members are alike may change, and with that whether their flows are one."""
    stories = [
        lintmdb("trace", "fixtures/all-families", "--endpoint", f"{place}/StockAS").stdout
        for place in ("ShopCluster", "shop1", "node2/shop2", "PRODCELL/node2/shop2")
    ]
    assert "StockAS (activation specification, cluster ShopCluster of 2)" in stories[0]
    assert len(set(stories)) == 1
    assert lintmdb("trace", "fixtures/all-families", "--endpoint", "claims/StockAS").returncode == 2


def test_nothing_to_trace_gives_3(lintmdb: Run) -> None:
    """A queue manager alone has no flow."""
    result = lintmdb("trace", "fixtures/clean/mq")
    assert result.returncode == 3
    assert "WebSphere" in result.stderr


def test_check_tells_stories_when_asked(lintmdb: Run) -> None:
    """-v puts the story into the text; the JSON report always holds it, valid by its schema."""
    quiet = lintmdb("check", "fixtures/stop-3-sessions-5-bothresh-5").stdout
    told = lintmdb("check", "-v", "fixtures/stop-3-sessions-5-bothresh-5").stdout
    step = "12 endpoint OrdersAS has counted 3 sequential failures and its limit is 3, so it stops"
    assert step in " ".join(told.split())
    assert step not in " ".join(quiet.split())
    document = json.loads(lintmdb("check", "fixtures/stop-3-sessions-5-bothresh-5", "--format", "json").stdout)
    jsonschema.validate(document, SCHEMA)
    (finding,) = document["findings"]
    assert finding["trace"][-1]["text"] == step.partition("endpoint")[2].strip()
    assert finding["trace"][-1]["step"] == 12


def test_what_is_asked_for_is_told(lintmdb: Run) -> None:
    """Zero is an answer too, the title names all that was asked for, and restarts count from the one before."""
    (story,) = _traced(lintmdb, scenario_folder("zos-hardened"), "--poison", "0")["flows"][0]["stories"]
    assert (story["workload"], story["fate"]) == ("one healthy message", "processed")
    asked = ("--restart-after", "2", "--restart-after", "1", "--sessions", "2", "--start-again", "1")
    (story,) = _traced(lintmdb, "fixtures/zos-not-hardened", *asked)["flows"][0]["stories"]
    title = "one poison message, 2 sessions, a restart after 2 failures, another after 1 more, started again once"
    assert story["workload"] == title
    assert story["deliveries"] == 8


def test_too_many_or_no_messages_are_refused(lintmdb: Run) -> None:
    """A story that nobody could read, and one about nothing, are usage errors."""
    many = lintmdb("trace", "fixtures/clean", "--poison", "100", "--healthy-between", "100")
    assert (many.returncode, many.stdout) == (2, "")
    assert "make 10100 messages. Ask for 1000 at most" in many.stderr
    none = lintmdb("trace", "fixtures/clean", "--poison", "0", "--healthy-between", "0")
    assert none.returncode == 2
    assert "no message is put on the queue" in none.stderr


def test_no_late_message_on_zos(lintmdb: Run) -> None:
    """A receive timeout does nothing there, so that no story of a late message is told."""
    stories = _traced(lintmdb, scenario_folder("zos-non-asf"))["flows"][0]["stories"]
    assert [story["workload"] for story in stories] == ["one poison message"]
    assert {step["event"] for step in stories[0]["steps"]}.isdisjoint({"begins", "receive_ends_empty"})


def test_a_queue_that_does_not_exist_delivers_nothing(lintmdb: Run) -> None:
    """The story says so instead of telling deliveries."""
    (story,) = _traced(lintmdb, scenario_folder("queue-not-defined"))["flows"][0]["stories"]
    assert (story["fate"], story["deliveries"]) == ("delivery_blocked", 0)
    assert [step["event"] for step in story["steps"]] == ["queue_not_readable"]


def test_readings_are_chosen_by_name(lintmdb: Run) -> None:
    """Another reading changes the story; a wrong name or value is one clear line."""
    other = lintmdb("trace", "fixtures/bus-exception-none", "--reading", "bus_blocked=moved")
    assert "moved to the exception destination" in other.stdout
    for entry, text in (
        ("stop=exceed", "no interpretation is called 'stop'"),
        ("backout", "backout cannot be ''. It is reached or exceeded"),
    ):
        wrong = lintmdb("trace", "fixtures/clean", "--reading", entry)
        assert (wrong.returncode, wrong.stdout) == (2, "")
        assert text in wrong.stderr


def test_messages_that_may_be_discarded_and_a_full_backout_queue(lintmdb: Run) -> None:
    """What no export shows is said on the command line."""
    full = lintmdb("trace", "fixtures/stop-5-bothresh-1", "--backout-full")
    assert "it is full" in full.stdout
    gone = lintmdb("trace", "fixtures/stop-5-bothresh-1", "--backout-full", "--discardable")
    assert "one poison message, which may be discarded, while the backout queue is full: discarded" in gone.stdout


def test_the_line_of_a_flow_names_the_alias_that_is_read(lintmdb: Run) -> None:
    """The destination names an alias, the queue behind it stands in parentheses."""
    told = lintmdb("trace", scenario_folder("alias-chain")).stdout
    assert told.splitlines()[0].startswith("ORDERS (ORDERS.IN) at QM1 -> ")


def test_a_remote_backout_queue_says_where_messages_go(lintmdb: Run, tmp_path: Path) -> None:
    """The backout queue is at another queue manager, whose own dead-letter queue is the end of what it cannot put."""
    exports = tmp_path / "exports"
    shutil.copytree(scenario_folder("clean"), exports)
    dump = exports / "mq" / "QM1.mqsc"
    remote = (
        "DEFINE QREMOTE('ORDERS.BO') RNAME('ORDERS.BAD') RQMNAME('QM2') XMITQ('QM2.XMIT') REPLACE\n"
        "DEFINE QLOCAL('QM2.XMIT') USAGE(XMITQ) REPLACE\nSET AUTHREC +"
    )
    text = dump.read_text().replace("BOQNAME('ORDERS.BACKOUT')", "BOQNAME('ORDERS.BO')", 1)
    text = text.replace("SET AUTHREC +", remote, 1)
    dump.write_text(text.replace("PROFILE('ORDERS.BACKOUT')", "PROFILE('ORDERS.BO')"))
    told = " ".join(lintmdb("trace", exports).stdout.split())
    moved = "moved to the backout queue ORDERS.BO, which sends it on to ORDERS.BAD at QM2, or to the dead-letter queue"
    assert f"{moved} of QM2 (if there is one) if it cannot be put there" in told
    assert "sends it on" not in lintmdb("trace", scenario_folder("clean")).stdout


def test_names_are_found_whatever_their_case(lintmdb: Run) -> None:
    """A bean and an endpoint may be near; an unknown name is answered with all names, and how many more there are."""
    assert "Did you mean ClaimsLP?" in lintmdb("trace", "fixtures/all-families", "--endpoint", "claimslp").stderr
    listed = lintmdb("trace", "fixtures/all-families", "--endpoint", "zzz").stderr
    assert re.search(r"The endpoints and beans are BookingAS.* and \d+ more", listed)
    asked = ("diff", "fixtures/all-families", "--set")
    near = lintmdb(*asked, "activation specification ordersas: failureDeliveryCount=2")
    assert "Did you mean activation specification OrdersAS at cluster ShopCluster?" in near.stderr
    every = lintmdb(*asked, "bus destination ZZZ: maxFailedDeliveries=2")
    assert "What can be set is bus destination " in every.stderr


def test_a_stopped_endpoint_is_given_nothing_until_it_is_resumed(lintmdb: Run) -> None:
    """Where a destination without an exception destination blocks the same message."""
    change = (
        "--set",
        "bus destination NOTICES: maxFailedDeliveries=1",
        "--set",
        "endpoint NoticesAS: autoStopSequentialMessageFailure=1",
    )
    story = " ".join(lintmdb("trace", "fixtures/all-families", "--endpoint", "NoticesAS", *change).stdout.split())
    assert "so it stops" in story
    assert "delivered again each time that NoticesAS is resumed" in story


def test_what_other_sessions_hold_is_still_delivered_after_a_stop(lintmdb: Run) -> None:
    """The story says why delivery goes on, and its heading how many sessions there are."""
    command = ("trace", scenario_folder("stop-3-sessions-5-bothresh-5"), "--poison", "2", "--healthy-between", "1")
    lines = lintmdb(*command).stdout.splitlines()
    assert lines[1].startswith("  2 poison messages with 1 healthy behind each, 5 sessions: ")
    stop = next(number for number, line in enumerate(lines) if line.endswith("so it stops"))
    assert lines[stop + 1].endswith("What other sessions have taken already is still delivered")
    assert lines[stop + 2].endswith("OrdersAS passes poison message 2 to the bean")
    alone = lintmdb(*command, "--sessions", "1").stdout
    assert "1 session: " in alone
    assert "What other sessions" not in alone
