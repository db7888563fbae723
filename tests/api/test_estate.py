"""An estate is read once and asked many times; it says what the commands say."""

from __future__ import annotations

import json
import math
import pickle
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from typing import Any, cast

import pytest

import lintmdb
from lintmdb.api import calls
from lintmdb.errors import ArgumentTypeError
from tests.support.command import Run
from tests.support.project import FIXTURES, ROOT

BEFORE, AFTER = "fixtures/stop-5-bothresh-1", "fixtures/stop-3-sessions-5-bothresh-5"
Call = Callable[..., object]


@pytest.fixture(autouse=True)
def at_root(monkeypatch: pytest.MonkeyPatch) -> None:
    """Paths are shown as seen from the project's root."""
    monkeypatch.chdir(ROOT)


@pytest.fixture(scope="module")
def demo() -> lintmdb.Estate:
    """The estate of the demo."""
    return lintmdb.Estate(FIXTURES / "estate")


def test_an_estate_knows_what_was_read(demo: lintmdb.Estate) -> None:
    """Its cells, queue managers and files have names, and its text is one line."""
    assert (demo.cells, demo.queue_managers) == (("PRODCELL",), ("QM1", "QM2"))
    assert len(demo.files) == 36
    assert repr(demo) == "Estate(cells=('PRODCELL',), queue_managers=('QM1', 'QM2'), files=36)"


def test_results_are_one_line_of_text(demo: lintmdb.Estate) -> None:
    """Whoever asks at a prompt sees the counts, and not thousands of lines."""
    report, plan = demo.check(), demo.plan()
    counts = report.summary.hazards
    assert repr(report) == (
        f"<Report: {counts['error']} errors, {counts['warning']} warnings, {counts['info']} info, "
        f"{len(report.undecided)} undecided, exit code 1>"
    )
    first = report.findings[0]
    assert repr(first) == f"<Finding {first.rule} {first.severity}: {first.message}>"
    assert repr(plan) == f"<Plan: {len(plan.changes)} changes, {len(plan.gone)} findings gone, 0 left, exit code 0>"
    after = demo.diff(change=plan)
    assert f" flows with another fate, 0 new, {len(after.resolved)} resolved, " in repr(after)
    assert repr(demo.trace()) == "<Trace: 8 flows, exit code 0>"


def test_it_is_read_once(tmp_path: Path) -> None:
    """What is asked later is about the files as they were."""
    folder = tmp_path / "estate"
    folder.mkdir()
    for file in (FIXTURES / "backout-inert").rglob("*"):
        if file.is_file() and file.name != "expected.yaml":
            target = folder / file.relative_to(FIXTURES / "backout-inert")
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(file.read_bytes())
    estate = lintmdb.Estate(folder)
    first = estate.check()
    for file in [file for file in folder.rglob("*") if file.is_file()]:
        file.unlink()
    assert estate.check() == first
    assert len(first.findings) > 0
    assert estate.plan().changes
    assert estate.trace().flows


@pytest.mark.slow
def test_a_plan_is_that_of_the_command(lintmdb: Run, tmp_path: Path) -> None:
    """JSON, page, scripts and the folder are those that the command writes."""
    made = calls.plan(AFTER)
    assert made.to_json() == lintmdb("plan", AFTER, "--format", "json").stdout
    assert made.to_html() == lintmdb("plan", AFTER, "--format", "html").stdout
    made.write(tmp_path / "api")
    lintmdb("plan", AFTER, "--out", str(tmp_path / "command"))
    of_api, of_command = _texts(tmp_path / "api"), _texts(tmp_path / "command")
    assert of_api == of_command
    assert {script.path: script.text for script in made.scripts}.items() <= of_api.items()
    assert (made.exit_code, made.complete, [flow.after for flow in made.flows]) == (0, True, ["moved_to_backout_queue"])
    assert [planned.rules for planned in made.changes] == [("MDB302",)]
    assert calls.plan("fixtures/clean/mq").exit_code == 3


def _texts(folder: Path) -> dict[str, str]:
    return {
        file.relative_to(folder).as_posix(): file.read_text("utf-8") for file in folder.rglob("*") if file.is_file()
    }


def test_a_plan_obeys_its_options() -> None:
    """Options mean what they mean on the command line."""
    assert {planned.change.product for planned in calls.plan("fixtures/estate", only="mq").changes} == {"mq"}
    kept = calls.plan(AFTER, keep="endpoint OrdersAS", only="was")
    assert (kept.changes, [finding.rule for finding in kept.left]) == ((), ["MDB302"])
    assert calls.plan(AFTER, severity="error").severity == "error"


def test_a_difference_is_that_of_the_command(lintmdb: Run) -> None:
    """JSON and exit code are the command's, and the types hold all of it."""
    found = calls.diff(BEFORE, AFTER)
    command = lintmdb("diff", BEFORE, AFTER, "--format", "json")
    assert (found.to_json(), found.exit_code) == (command.stdout, command.returncode)
    document = json.loads(found.to_json())
    assert [entry.finding.rule for entry in found.new] == [entry["rule"] for entry in document["new"]] == ["MDB302"]
    assert [fate.after for fate in found.fates] == [entry["after"] for entry in document["fates"]]
    assert len(found.resolved) == len(document["resolved"]) == 1
    assert calls.diff(AFTER, BEFORE, fail_on="never").exit_code == 0
    assert calls.diff("fixtures/clean", "fixtures/clean/mq").exit_code == 3
    unseen = calls.diff("fixtures/clean", "fixtures/incomplete-mq", strict=True)
    assert (unseen.exit_code, bool(unseen.undecided)) == (4, True)


def test_estates_are_compared_as_they_were_read() -> None:
    """Estates and paths can be compared with each other."""
    before, after = lintmdb.Estate(BEFORE), lintmdb.Estate(AFTER)
    texts = {before.diff(after).to_json(), before.diff(AFTER).to_json(), calls.diff(before, after).to_json()}
    assert len(texts) == 1


def test_a_trace_is_that_of_the_command(lintmdb: Run) -> None:
    """JSON is the command's under the same options."""
    folder = "fixtures/late-message-110-15-120"
    command = lintmdb("trace", folder, "--on-message", "15s", "--arrives-after", "110s", "--format", "json")
    told = calls.trace(folder, on_message=15, arrives_after=timedelta(seconds=110))
    assert told.to_json() == command.stdout
    (story,) = told.flows[0].stories
    assert (story.fate, len(story.steps)) == ("rolled_back_by_timeout", 9)
    command = lintmdb(
        "trace", AFTER, "--poison", "2", "--healthy-between", "1", "--sessions", "3", "--restart-after", "1",
        "--start-again", "1", "--reading", "spec_stop=exceed", "--endpoint", "OrdersAS", "--all-steps",
        "--format", "json", "--backout-full", "--discardable",
    )  # fmt: skip
    told = calls.trace(
        AFTER, poison=2, healthy_between=1, sessions=3, restart_after=[1], start_again=1,
        reading={"spec_stop": "exceed"}, endpoint="OrdersAS", all_steps=True, backout_full=True, discardable=True,
    )  # fmt: skip
    assert told.to_json() == command.stdout
    assert calls.trace("fixtures/clean/mq").exit_code == 3


@pytest.mark.slow
def test_changes_go_on_top_of_what_was_read(demo: lintmdb.Estate, tmp_path: Path) -> None:
    """A finding's change, a plan, a plan's change, a file and a value all act, and the estate stays as it is."""
    before = demo.check(on_message="15s")
    plan = demo.plan(on_message="15s")
    assert [finding.rule for finding in demo.check(on_message="15s", change=plan).findings] == [
        finding.rule for finding in plan.left
    ] + [f.rule for f in before.findings if f.severity == "info" and f.rule not in {p.rule for p in plan.gone}]
    (finding,) = [finding for finding in before.findings if finding.rule == "MDB302"]
    for change in (finding.changes[0], list(finding.changes[0])):
        assert "MDB302" not in {left.rule for left in demo.check(on_message="15s", change=change).findings}
    one = next(planned for planned in plan.changes if "MDB302" in planned.rules)
    assert demo.diff(change=one, on_message="15s").resolved[0].rule == "MDB302"
    script = tmp_path / "QM1.mqsc"
    script.write_text("ALTER QLOCAL(LETTERS.IN) BOTHRESH(5) BOQNAME(LETTERS.BACKOUT)\nDEFINE QLOCAL(LETTERS.BACKOUT)\n")
    of_file = demo.diff(change=script, on_message="15s")
    of_values = demo.diff(set=["queue LETTERS.IN at QM1: BOTHRESH=5"], on_message="15s")
    assert of_file.resolved
    assert of_values.to_json() != of_file.to_json()
    assert demo.check(on_message="15s") == before


def test_a_change_may_say_which_queue_manager_runs_it(demo: lintmdb.Estate, tmp_path: Path) -> None:
    """As --queue-manager with --change does: the script is no export, and its name need not tell."""
    script = tmp_path / "deploy.txt"
    script.write_text("ALTER QMGR DEADQ(' ')\n")
    with pytest.raises(lintmdb.LintmdbError, match="does not name its queue manager"):
        demo.diff(change=script)
    new = demo.diff(change={"QM1": script}).new
    assert ("MDB114", "QM1") in {(entry.finding.rule, entry.finding.subject.queue_manager) for entry in new}
    with pytest.raises(ArgumentTypeError, match="change"):
        demo.diff(change=cast("Any", {1: script}))


def test_a_baseline_and_suppressions_count(lintmdb: Run, tmp_path: Path) -> None:
    """Findings of a baseline do not count; suppressions can be left out."""
    baseline = tmp_path / "baseline"
    lintmdb("baseline", "write", str(baseline), AFTER)
    assert calls.check(AFTER).exit_code == 1
    known = calls.check(AFTER, baseline=baseline)
    assert (known.exit_code, known.findings, known.summary.suppressed) == (0, (), 1)
    file = tmp_path / "lintmdb.toml"
    file.write_text('[[suppressions]]\nrule = "MDB302"\nsubject = "OrdersAS"\nreason = "known"\n')
    assert calls.check(AFTER, config=file).findings == ()
    assert calls.check(AFTER, config=file, suppressions=False).exit_code == 1


def test_queue_managers_are_named(tmp_path: Path) -> None:
    """A script whose name and header do not tell is given its queue manager."""
    script = tmp_path / "definitions.txt"
    script.write_text("DEFINE QLOCAL(ORDERS.IN) BOTHRESH(3) BOQNAME(MISSING)\n")
    assert lintmdb.Estate((), queue_managers={"QM7": script}).queue_managers == ("QM7",)
    report = calls.check([], queue_managers={"QM7": [script]}, all_queues=True)
    assert {entry.subject.queue_manager for entry in (*report.findings, *report.undecided)} == {"QM7"}


@pytest.mark.parametrize(
    ("given", "same"),
    [(15, "15s"), (0.25, "250ms"), (timedelta(minutes=2), "2m"), (timedelta(milliseconds=1), "1ms"), (0, "0")],
)
def test_durations(given: Any, same: str) -> None:
    """A number is seconds, and a timedelta is itself."""
    folder = FIXTURES / "late-message-110-15-120"
    assert calls.check(folder, on_message=given) == calls.check(folder, on_message=same)


@pytest.mark.parametrize("call", [calls.check, calls.plan, calls.trace, calls.diff], ids=lambda call: call.__name__)
@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"on_message": -1}, "-1 is not a duration"),
        ({"on_message": math.nan}, "nan is not a duration"),
        ({"on_message": math.inf}, "inf is not a duration"),
        ({"on_message": 1e12}, "longer than any transaction"),
        ({"on_message": True}, "not of type bool"),
        ({"on_mesage": "15s"}, "has no option on_mesage. Did you mean on_message?"),
        ({"observations": "absent.yaml"}, "absent.yaml"),
        ({"observations": "a\0b"}, "is not a path"),
        ({"config": 3}, "config: a path is text"),
    ],
)
def test_no_call_takes_what_it_does_not_know(call: Call, options: dict[str, Any], says: str) -> None:
    """Each wrong argument is a LintmdbError that names it, raised before anything is read."""
    with pytest.raises(lintmdb.LintmdbError) as raised:
        call("absent", **options)
    assert says in str(raised.value)


@pytest.mark.parametrize(
    ("call", "options", "says"),
    [
        (calls.check, {"change": 7}, "change is a sequence of paths, not of type int"),
        (calls.check, {"change": [7]}, "a Change or Plan of a result, not of type int"),
        (calls.check, {"set": 7}, "set is a sequence of texts, not of type int"),
        (calls.check, {"set": "", "paths": AFTER}, "set is empty"),
        (calls.check, {"set": "BOTHRESH=5", "paths": AFTER}, "'BOTHRESH=5'"),
        (calls.check, {"change": "absent.mqsc", "paths": AFTER}, "absent.mqsc: cannot be read"),
        (calls.check, {"baseline": "absent"}, "absent: is "),
        (calls.check, {"suppressions": "no"}, "suppressions is True or False"),
        (calls.check, {"all_queues": 1}, "all_queues is True or False"),
        (calls.check, {"queue_managers": ["QM1"]}, "queue_managers maps a name to paths"),
        (calls.check, {"queue_managers": {"QM1": 3}}, "queue_managers is a sequence of paths"),
        (calls.check, {"queue_managers": {3: "a"}}, "queue_managers is text such as 'QM1'"),
        (calls.check, {"select": ["MDB1"], "profile": "strict"}, "both say which rules are used"),
        (calls.plan, {"only": "db2"}, "only is 'db2'. Write mq or was"),
        (calls.plan, {"severity": "bad"}, "severity is 'bad'. Write error, warning or info"),
        (calls.plan, {"keep": "the queue"}, "does not say what to keep"),
        (calls.plan, {"keep": [7]}, "keep is text such as"),
        (calls.plan, {"fail_on": "error"}, "plan has no option fail_on"),
        (calls.trace, {"poison": -1}, "poison is -1. Write a number from 0 to 1000"),
        (calls.trace, {"poison": 1001}, "poison is 1001"),
        (calls.trace, {"poison": 1.5}, "poison is a whole number, not of type float"),
        (calls.trace, {"poison": True}, "poison is a whole number, not of type bool"),
        (calls.trace, {"poison": 0, "healthy_between": 0}, "no message is put on the queue"),
        (calls.trace, {"restart_after": 3}, "restart_after is a sequence of numbers"),
        (calls.trace, {"restart_after": [0]}, "restart_after is 0"),
        (calls.trace, {"reading": {"no": "yes"}}, "They are backout, bus_blocked"),
        (calls.trace, {"reading": ["no"]}, "reading is a mapping"),
        (calls.trace, {"endpoint": "Nobody", "paths": AFTER}, "no endpoint or bean is named 'Nobody'"),
        (calls.diff, {}, "nothing to compare"),
        (calls.diff, {"fail_on": "errors"}, "Write error, warning, info or never"),
        (calls.diff, {"after": 7}, "paths is a sequence of paths, not of type int"),
    ],
)
def test_every_argument_is_checked(call: Call, options: dict[str, Any], says: str) -> None:
    """What the command line refuses is refused, and what it cannot express, too."""
    paths = options.pop("paths", "absent")
    with pytest.raises(lintmdb.LintmdbError) as raised:
        call(paths, **options)
    assert says in str(raised.value)


def test_a_wrong_type_is_a_type_error_too() -> None:
    """Who expects Python's own error gets it, and who catches LintmdbError misses nothing."""
    assert issubclass(ArgumentTypeError, TypeError)
    with pytest.raises(TypeError, match="fail_on is text such as 'error', not of type int"):
        calls.check("absent", fail_on=cast("Any", 1))


def test_results_go_to_other_processes() -> None:
    """A result that was pickled is equal and gives its JSON; what needs the exports says so."""
    estate = lintmdb.Estate(AFTER)
    results = [estate.check(), estate.plan(), estate.trace(), estate.diff(BEFORE)]
    for result in results:
        again = pickle.loads(pickle.dumps(result))
        assert again == result
        assert again.to_json() == result.to_json()
        assert again._repr_html_() is None
    assert pickle.loads(pickle.dumps(results[0])).findings[0]._repr_html_() is None
    with pytest.raises(lintmdb.LintmdbError, match="to_html needs the exports"):
        pickle.loads(pickle.dumps(results[0])).to_html()
    with pytest.raises(lintmdb.LintmdbError, match="write needs the exports"):
        pickle.loads(pickle.dumps(results[1])).write("never")


@pytest.mark.slow
def test_threads_may_share_an_estate() -> None:
    """Many questions at once are answered as one by one."""
    estate = lintmdb.Estate("fixtures/all-families")

    def asked(number: int) -> str:
        if number % 3 == 0:
            return estate.plan(on_message="15s").to_json()
        return (estate.check(on_message="15s") if number % 3 == 1 else estate.trace()).to_json()

    alone = [asked(number) for number in range(3)]
    with ThreadPoolExecutor(6) as pool:
        together = list(pool.map(asked, range(9)))
    assert together == alone * 3


def test_the_package_of_the_types_is_there_at_once() -> None:
    """The docstring of the package points there, so it needs no import of its own."""
    told = "import lintmdb; print(lintmdb.api.Report.__name__)"
    run = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True)
    assert run.stdout == "Report\n"


def test_the_names_of_the_package() -> None:
    """dir() has every public name without importing anything, and plan stays the function."""
    assert set(lintmdb.__all__) <= set(dir(lintmdb))
    for name in lintmdb.__all__:
        assert getattr(lintmdb, name) is not None
    import importlib

    importlib.import_module("lintmdb.plan.planner")
    assert lintmdb.plan is calls.plan


def test_a_plan_is_verified(tmp_path: Path) -> None:
    """Open by the exports that it was made for, done by those with its changes."""
    plan = lintmdb.plan(FIXTURES / "backout-inert")
    assert plan.verify(FIXTURES / "backout-inert").exit_code == 1
    assert [entry.progress for entry in plan.verify(FIXTURES / "backout-inert").changes] == ["open"]
    dump = tmp_path / "QM1.mqsc"
    text = (FIXTURES / "backout-inert" / "mq" / "QM1.mqsc").read_text()
    dump.write_text(text.replace("BOTHRESH(0)", "BOTHRESH(3)"))
    done = plan.verify(lintmdb.Estate(dump))
    assert ([entry.progress for entry in done.changes], done.exit_code) == (["done"], 0)
    assert done.changes[0].planned == plan.changes[0]


def test_queues_that_no_endpoint_reads_are_in_the_results(tmp_path: Path) -> None:
    """With their fates, and those of new ones, as the JSON reports have them."""
    for name, queues in (("before", "A"), ("after", "AB")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "QM1.mqsc").write_text(
            "* Queue manager name: QM1\n"
            + "".join(f"DEFINE QLOCAL({queue}.IN) BOTHRESH(3) BOQNAME({queue}.BO)\n" for queue in queues)
            + "".join(f"DEFINE QLOCAL({queue}.BO)\n" for queue in queues)
        )
    report = lintmdb.check(tmp_path / "after", all_queues=True)
    assert [(queue.subject.name, [fate.fate for fate in queue.fates]) for queue in report.queues] == [
        ("A.IN", ["moved_to_backout_queue"]),
        ("B.IN", ["moved_to_backout_queue"]),
    ]
    assert report.queues[0].fates[0].target == "A.BO"
    assert lintmdb.check(tmp_path / "after").queues == ()
    compared = lintmdb.diff(tmp_path / "before", tmp_path / "after", all_queues=True)
    assert [(queue.subject.name, queue.fate) for queue in compared.added_queues] == [
        ("B.IN", "moved to the backout queue B.BO")
    ]
    back = lintmdb.diff(tmp_path / "after", tmp_path / "before", all_queues=True)
    assert [subject.name for subject in back.removed_queues] == ["B.IN"]


def test_a_merged_script_without_a_name_runs_at_the_only_queue_manager(tmp_path: Path) -> None:
    """In both states of a comparison; where it could be that of several, a strict one fails."""
    script, change = tmp_path / "merged.mqsc", tmp_path / "change.mqsc"
    script.write_text("DEFINE QLOCAL(NEW.BACKOUT)\n")
    change.write_text("* Queue manager name: QM1\nALTER QLOCAL(ORDERS.IN) BOQNAME(NEW.BACKOUT)\n")
    for exports, codes in ((FIXTURES / "clean", [0, 0]), (FIXTURES / "estate", [4, 0])):
        estate = lintmdb.Estate([exports, script])
        same = tmp_path / "same.mqsc"
        same.write_text("* Queue manager name: QM1\nALTER QMGR DESCR('x')\n")
        assert [estate.diff(change=same, strict=strict).exit_code for strict in (True, False)] == codes
    merged = lintmdb.Estate([FIXTURES / "clean", script]).diff(change=change)
    assert "MDB105" not in [new.finding.rule for new in merged.new]
