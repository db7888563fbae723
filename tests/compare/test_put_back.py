"""diff: for a new finding the first repair is to leave the value as it was, where the change has set another one."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from lintmdb import api
from lintmdb.compare.estates import Side, compare
from lintmdb.engine.judge import judge
from lintmdb.plan.what_if import WhatIf
from lintmdb.report.changes import put_back_words
from lintmdb.resolve.observations import Observations
from lintmdb.run.estate import UnresolvedEstate, read_exports, resolve_exports
from lintmdb.run.overlay import Overlay, overlay_of
from tests.support.command import Run
from tests.support.dumps import WHOLE
from tests.support.project import FIXTURES
from tests.support.scenario import RULES
from tests.support.variant import Variant

_RESOURCES = "was/cells/C1/nodes/node1/servers/server1/resources.xml"
_LISTS = {"diff": "new", "check": "findings"}
_OBSERVED = Observations(5_000)
_CHANGES = (
    "ALTER QLOCAL(ORDERS.IN) BOTHRESH(15)",
    "ALTER QLOCAL(ORDERS.IN) BOTHRESH(0)",
    "ALTER QLOCAL(ORDERS.IN) BOQNAME(GONE) MAXMSGL(5000)",
    "ALTER QMGR DEADQ(GONE)",
    "ALTER QLOCAL(ORDERS.IN) BOQNAME(' ') DEFPSIST(NO) NOHARDENBO",
    "DEFINE QLOCAL(ORDERS.IN) REPLACE",
    "ALTER QLOCAL(ORDERS.BACKOUT) MAXMSGL(1)",
    "ALTER QLOCAL(ORDERS.IN) MAXDEPTH(20000)",
    "ALTER QLOCAL(ORDERS.BACKOUT) MAXDEPTH(10)",
    "DEFINE QLOCAL(OTHER) MAXDEPTH(10)\nALTER QLOCAL(ORDERS.IN) BOQNAME(OTHER)",
    "DELETE QLOCAL(ORDERS.BACKOUT)",
    "ALTER QLOCAL(ORDERS.BACKOUT) MAXDEPTH(0)",
    "ALTER QLOCAL(ORDERS.BACKOUT) MAXDEPTH(0) PUT(DISABLED)",
    "ALTER QLOCAL(QM1.DEAD) MAXDEPTH(0)\nALTER QLOCAL(ORDERS.IN) BOQNAME(' ')",
)


def _side(exports: UnresolvedEstate, change: Path | None) -> Side:
    overlay = (WhatIf((change,)).overlay(exports, _OBSERVED),) if change is not None else ()
    estate = resolve_exports(exports, _OBSERVED, *overlay)
    return Side(estate, judge(estate.facts, RULES), ["x"])


@pytest.mark.parametrize("fixture", ["clean", "poison-burst", "stop-5-bothresh-1", "estate"])
def test_what_is_put_back_ends_the_finding(tmp_path: Path, fixture: str) -> None:
    """Judged without the change, with what it has set put back: the rule decides on the values that it had."""
    exports = read_exports([FIXTURES / fixture])
    offered = 0
    for number, text in enumerate(_CHANGES):
        change = tmp_path / f"{number}.mqsc"
        change.write_text(f"* Queue manager name: QM1\n{text}\n")
        before, after = _side(exports, None), _side(exports, change)
        comparison = compare(before, after)
        for finding, _ in comparison.new:
            returns = finding.put_back
            if not returns:
                continue
            offered += 1
            overlay = WhatIf((change,)).overlay(exports, _OBSERVED)
            back = overlay_of(returns)
            scripts = {key: (*own, *back.scripts.get(key, ())) for key, own in overlay.scripts.items()}
            mended = resolve_exports(exports, _OBSERVED, Overlay(scripts))
            found = {each.fingerprint for each in judge(mended.facts, RULES).findings}
            assert finding.fingerprint not in found, (text, put_back_words(finding.put_back))
    assert offered or fixture == "estate"


def test_a_repair_says_why_it_grants_more_than_a_move_takes(lintmdb: Run, tmp_path: Path) -> None:
    """The finding names one right, and IBM asks for more on a backout queue."""
    (tmp_path / "c.mqsc").write_text(
        "SET AUTHREC PROFILE('ORDERS.BACKOUT') OBJTYPE(QUEUE) PRINCIPAL('wasuser') AUTHRMV(PASSALL,SETALL)\n"
    )
    asked = ("diff", FIXTURES / "poison-burst", "--change", "c.mqsc", "--on-message", "5s")
    text = " ".join(lintmdb(*asked, cwd=tmp_path).stdout.split())
    grant = "repair: ORDERS.BACKOUT wasuser gets put, passall, get, inq, setall"
    assert f"{grant} (IBM asks for get, inq and setall on a backout queue, too)" in text
    assert "or: QM1.DEAD wasuser gets put, passall new:" in text


@pytest.mark.parametrize("command", ["diff", "check"])
def test_every_report_tells_it_first(lintmdb: Run, tmp_path: Path, command: str) -> None:
    """With the object, and the line of the change that sets the value."""
    (tmp_path / "c.mqsc").write_text("* Number 17\nALTER QLOCAL(ORDERS.IN) BOTHRESH(15)\n")
    asked = (command, FIXTURES / "poison-burst", "--change", "c.mqsc", "--on-message", "5s")
    told = "ORDERS.IN BOTHRESH 15 -> 5, as before (c.mqsc:2)"
    text = lintmdb(*asked, cwd=tmp_path).stdout
    assert f"          put back: {told}\n" in text
    if command == "diff":  # check has the change and the options below the finding
        ends = " ".join(text.partition("put back:")[2].partition("\n\n")[0].split())
        assert "or: activation specification OrdersAS of server node1/server1: Stop endpoint if message" in ends
        assert "or: if the endpoint must still stop when messages fail in a row" in ends
        assert ". That is BOTHRESH times its 5 sessions, and one more" in ends
    junit = lintmdb(*asked, "--format", "junit", cwd=tmp_path).stdout
    assert f"fix: {told}\n     or:\n".replace(">", "&gt;") in junit
    sarif = lintmdb(*asked, "--format", "sarif", cwd=tmp_path).stdout
    assert f'"fix": "{told}\\nor:\\n' in sarif
    markdown = lintmdb(*asked, "--format", "markdown", cwd=tmp_path).stdout
    assert f"Put back: {told}".replace(">", "\\>") in markdown
    assert (f"\n  put back: {told}\n" in markdown) is (command == "check")
    alternative = ". Or: if the endpoint must still stop when messages fail in a row"
    assert (alternative in markdown) is (command == "diff")
    page = lintmdb(*asked, "--format", "html", cwd=tmp_path).stdout
    assert f"<p>Put back: {told}.</p>".replace("->", "→" if command == "diff" else "-&gt;") in page
    annotations = lintmdb(*asked, "--format", "github", cwd=tmp_path).stdout
    assert re.search(rf"^::error .*\. Put back: {re.escape(told)}\.$", annotations, re.MULTILINE)
    (finding,) = json.loads(lintmdb(*asked, "--format", "json", cwd=tmp_path).stdout)[_LISTS[command]]
    (change,) = finding["put_back"]
    assert (change["attribute"], change["old"], change["new"]) == ("BOTHRESH", "15", "5")
    assert change["commands"] == ["ALTER QLOCAL('ORDERS.IN') BOTHRESH(5)"]
    assert change["read"] == {"path": "c.mqsc", "line": 2, "column": 25}
    if command == "check":
        for kind in ("csv", "gitlab"):
            assert told in lintmdb(*asked, "--format", kind, cwd=tmp_path).stdout


def test_results_of_the_api_have_it(tmp_path: Path) -> None:
    """As a change, like those that repair a finding."""
    change = tmp_path / "c.mqsc"
    change.write_text("ALTER QLOCAL(ORDERS.IN) BOTHRESH(15)\n")
    estate = api.Estate(FIXTURES / "poison-burst")
    (new,) = estate.diff(change=change, on_message="5s").new
    (finding,) = estate.check(change=change, on_message="5s").findings
    for told in (new.finding, finding):
        (back,) = told.put_back
        assert (back.name, back.attribute, back.old, back.new) == ("ORDERS.IN", "BOTHRESH", "15", "5")
    (known,) = estate.check(on_message="5s").findings
    assert known.put_back == ()


def test_a_finding_that_was_there_before_has_nothing_to_put_back(lintmdb: Run, tmp_path: Path) -> None:
    """The change sets a value on which it rests, and it does not end with the value before."""
    (tmp_path / "c.mqsc").write_text("ALTER QLOCAL(ORDERS.IN) BOTHRESH(14)\n")
    (tmp_path / "before.mqsc").write_text("* Queue manager name: QM1\nALTER QLOCAL(ORDERS.IN) BOTHRESH(15)\n")
    asked = ("check", FIXTURES / "poison-burst", "before.mqsc", "--change", "c.mqsc", "--on-message", "5s")
    run = lintmdb(*asked, cwd=tmp_path)
    assert "MDB302" in run.stdout
    assert "put back" not in run.stdout


def test_a_queue_that_no_endpoint_reads_has_it_too(lintmdb: Run, tmp_path: Path) -> None:
    """Its values before are those of the same queue."""
    (tmp_path / "c.mqsc").write_text("ALTER QLOCAL(ORDERS.IN) BOQNAME(GONE)\n")
    run = lintmdb("diff", FIXTURES / "clean/mq", "--all-queues", "--change", "c.mqsc", cwd=tmp_path)
    assert "put back: ORDERS.IN BOQNAME GONE -> ORDERS.BACKOUT, as before (c.mqsc:1)" in run.stdout


@pytest.mark.parametrize("command", ["check", "diff"])
@pytest.mark.parametrize("alone", [False, True])
def test_what_a_message_fares_better_with_is_not_put_back(
    lintmdb: Run, tmp_path: Path, command: str, alone: bool
) -> None:
    """A threshold that ends a loop brings a finding of its own: the backout queue is shallow."""
    (tmp_path / "c.mqsc").write_text("* Queue manager name: QM1\nALTER QLOCAL(ORDERS.IN) BOTHRESH(3)\n")
    before = "* Queue manager name: QM1\nALTER QLOCAL(ORDERS.IN) MAXDEPTH(20000)\n"
    (tmp_path / "before.mqsc").write_text(before)
    exports = FIXTURES / "backout-inert" / ("mq" if alone else "")
    more = ("before.mqsc",) if command == "check" else ("--before", "before.mqsc")
    options = ("--all-queues",) if alone else ("--on-message", "5s")
    run = lintmdb(command, exports, *more, "--change", "c.mqsc", *options, cwd=tmp_path)
    assert "MDB109" in run.stdout
    assert "put back" not in run.stdout


@pytest.mark.parametrize("command", ["check", "diff"])
def test_what_was_as_bad_is_not_put_back(lintmdb: Run, tmp_path: Path, command: str) -> None:
    """One backout queue is not defined and the other one takes no messages: neither name repairs the other."""
    (tmp_path / "before.mqsc").write_text("* Queue manager name: QM1\nALTER QLOCAL(ORDERS.IN) BOQNAME(GONE)\n")
    closed = "DEFINE QLOCAL(CLOSED) PUT(DISABLED)\nALTER QLOCAL(ORDERS.IN) BOQNAME(CLOSED)\n"
    (tmp_path / "c.mqsc").write_text(f"* Queue manager name: QM1\n{closed}")
    more = ("before.mqsc",) if command == "check" else ("--before", "before.mqsc")
    asked = (command, FIXTURES / "clean", *more, "--change", "c.mqsc", "--on-message", "5s")
    run = lintmdb(*asked, cwd=tmp_path)
    assert "MDB107" in run.stdout
    assert "put back" not in run.stdout


def test_the_value_of_another_queue_is_not_put_back(lintmdb: Run, tmp_path: Path) -> None:
    """The endpoint reads another queue now, which had its value before as well."""
    other = "DEFINE QLOCAL(OTHER.IN) BOTHRESH(15) BOQNAME(ORDERS.BACKOUT)\n"
    states: list[Path] = []
    for name, queue in (("before", "ORDERS.IN"), ("after", "OTHER.IN")):
        state = Variant(tmp_path / name, "poison-burst")
        state.edit(_RESOURCES, 'baseQueueName="ORDERS.IN"', f'baseQueueName="{queue}"')
        state.write("mq/QM1.after.mqsc", f"* Queue manager name: QM1\n{other}")
        states.append(state.folder)
    run = lintmdb("diff", *states, "--on-message", "5s", cwd=tmp_path)
    assert "new: OTHER.IN at QM1" in run.stdout
    assert "put back" not in run.stdout


def test_queues_that_had_other_values_are_said_to_have_them(lintmdb: Run, tmp_path: Path) -> None:
    """They have the same value now, and each its own to put back."""
    for name, queues in (("before", (3, 5)), ("after", (0, 0))):
        script = tmp_path / name / "QM1.mqsc"
        script.parent.mkdir()
        lines = (f"DEFINE QLOCAL(Q{n}) BOTHRESH({value}) BOQNAME(B)\n" for n, value in enumerate(queues))
        script.write_text(f"* Queue manager name: QM1\n{''.join(lines)}DEFINE QLOCAL(B)\n")
    run = lintmdb("diff", "before", "after", "--all-queues", cwd=tmp_path)
    assert "put back: Q0 BOTHRESH 0 -> 3" in run.stdout
    assert "The same on 1 more queue at QM1: Q1. Each has its own values to put back\n" in run.stdout


@pytest.mark.parametrize(
    ("queue", "told"), [("ORDERS.IN) MAXDEPTH(20000", "20000 -> 5000"), ("ORDERS.BACKOUT) MAXDEPTH(10", "10 -> 5000")]
)
def test_the_depth_of_either_queue_is_put_back(lintmdb: Run, tmp_path: Path, queue: str, told: str) -> None:
    """MDB109 compares the two; before, both had the default or a depth that was written."""
    (tmp_path / "c.mqsc").write_text(f"ALTER QLOCAL({queue})\n")
    run = lintmdb("diff", FIXTURES / "clean", "--change", "c.mqsc", "--on-message", "5s", cwd=tmp_path)
    assert "MDB109" in run.stdout
    assert f"put back: {queue.partition(')')[0]} MAXDEPTH {told}, as before (c.mqsc:1)" in run.stdout


def test_a_queue_that_a_command_deletes_is_to_be_defined_again(lintmdb: Run, tmp_path: Path) -> None:
    """The name in BOQNAME is what it was, so there is no value to put back."""
    (tmp_path / "c.mqsc").write_text("DELETE QLOCAL(ORDERS.BACKOUT)\n")
    run = lintmdb("diff", FIXTURES / "clean", "--change", "c.mqsc", "--on-message", "5s", cwd=tmp_path)
    assert "MDB105" in run.stdout
    back = f"put back: ORDERS.BACKOUT defined again, as before ({FIXTURES}/clean/mq/QM1.mqsc:"
    assert back in " ".join(run.stdout.split())


@pytest.mark.parametrize("line", [2, 3])
@pytest.mark.parametrize("form", ["whole state", "change"])
def test_a_report_points_at_the_line_that_differs(lintmdb: Run, tmp_path: Path, line: int, form: str) -> None:
    """Of a script that sets all values again: the line that the pull request shows."""
    for name, depths in (("before", (5000, 5000)), ("after", (10, 5000) if line == 2 else (5000, 20000))):
        script = tmp_path / name / "QM1.mqsc"
        script.parent.mkdir()
        backout, own = (
            f"ALTER QLOCAL(ORDERS.{q}) MAXDEPTH({n})\n" for q, n in zip(("BACKOUT", "IN"), depths, strict=True)
        )
        script.write_text(f"* Queue manager name: QM1\n{backout}{own}")
    states = ("--after", FIXTURES / "clean", "--after", "after/QM1.mqsc")
    after = states if form == "whole state" else ("--change", "after/QM1.mqsc")
    asked = ("diff", FIXTURES / "clean", "--before", "before/QM1.mqsc", *after, "--on-message", "5s")
    for kind, told in (
        ("github", f"::notice file=after/QM1.mqsc,line={line},"),
        ("sarif", f'"region": {{"startLine": {line}, '),
        ("markdown", f"| after/QM1.mqsc:{line} |"),
    ):
        lintmdb(*asked, "--format", f"{kind}=report", cwd=tmp_path)
        report = (tmp_path / "report").read_text()
        assert "MDB109" in report
        assert told in report, (kind, report[-1500:])
    junit = lintmdb(*asked, "--format", "junit", cwd=tmp_path).stdout
    assert re.findall('<testsuite name="(.*?)"', junit) == ["after/QM1.mqsc"]
    assert f" [after/QM1.mqsc:{line}:" in lintmdb(*asked, "-q", cwd=tmp_path).stdout


def test_a_value_of_websphere_is_put_back_in_the_words_of_its_console(lintmdb: Run) -> None:
    """With a colon behind an object of several words."""
    change = "activation specification OrdersAS of server node1/server1: failureDeliveryCount=3"
    told = " ".join(lintmdb("check", FIXTURES / "poison-burst", "--on-message", "5s", "--set", change).stdout.split())
    setting = "Number of sequential delivery failures before suspending endpoint"
    assert f"put back: {change.partition(':')[0]}: {setting} 3 -> 6, as before option" in told


def test_a_step_forward_is_not_to_be_put_back(lintmdb: Run, tmp_path: Path) -> None:
    """DEADQ names a queue at last, and the user has no right there: the fate is the same, and the name of before is
    that of no queue.
    """
    (tmp_path / "QM1.mqsc").write_text(
        "* Queue manager name: QM1\n* Queue manager platform: UNIX\n* Command issued: dmpmqcfg -m QM1 -a\n"
        "ALTER QMGR DEADQ(NOWHERE)\nDEFINE QLOCAL(DLQ)\nDEFINE QLOCAL(A) BOTHRESH(3) BOQNAME(' ')\n"
        f"SET AUTHREC PROFILE('A') OBJTYPE(QUEUE) PRINCIPAL('app') AUTHADD(GET,INQ,BROWSE)\n{WHOLE}"
    )
    (tmp_path / "change.mqsc").write_text("ALTER QMGR DEADQ(DLQ)\n")
    named = tmp_path / "observed.yaml"
    named.write_text("users:\n- {user: app, groups: []}\nqueues:\n- {queue: '*', user: app}\n")
    asked = ("QM1.mqsc", "--all-queues", "--observations", named, "--change", "change.mqsc")
    for command in ("diff", "check"):
        told = " ".join(lintmdb(command, *asked, cwd=tmp_path).stdout.split())
        assert "MDB125" in told
        assert "put back" not in told


@pytest.mark.parametrize("named", ["BOQNAME('A.BO')", "BOQNAME('A.BO.AL')"])
def test_a_queue_that_a_change_removes_is_to_be_defined_again(lintmdb: Run, tmp_path: Path, named: str) -> None:
    """Where no BOQNAME names it, but an alias leads there, too."""
    dump = "* Queue manager name: QM1\n* Command issued: dmpmqcfg -m QM1 -a\n"
    dump += "DEFINE QLOCAL(A) BOTHRESH(3) {}\nDEFINE QALIAS(A.BO.AL) TARGET(A.BO)\n"
    for side, queue in (("before", "DEFINE QLOCAL('A.BO') +\n   MAXDEPTH(10)\n"), ("after", "")):
        (tmp_path / side).mkdir()
        (tmp_path / side / "QM1.mqsc").write_text(dump.format(named) + queue + WHOLE)
    asked = ("diff", "--before", "before", "--after", "after", "--all-queues")
    line = next(
        n
        for n, line in enumerate((tmp_path / "before/QM1.mqsc").read_text().splitlines(), 1)
        if "QLOCAL('A.BO')" in line
    )
    told = f"          put back: A.BO defined again, as before (before/QM1.mqsc:{line})\n"
    assert told in lintmdb(*asked, cwd=tmp_path).stdout
    document = json.loads(lintmdb(*asked, "--format", "json", cwd=tmp_path).stdout)
    backs = [entry["put_back"] for entry in document["new"] if entry["rule"] == "MDB105"]
    assert [[change["name"] for change in back] for back in backs] == [["A.BO"]]
