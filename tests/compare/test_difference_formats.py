"""The formats of `lintmdb diff` that pipelines and people read: Markdown, SARIF, annotations and a page."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from lintmdb.addresses import GLOSSARY
from lintmdb.compare.estates import Comparison, NewFinding, Side, compare
from lintmdb.engine.findings import Judgement
from lintmdb.engine.judge import judge
from lintmdb.plan.what_if import WhatIf
from lintmdb.report.difference import render_difference
from lintmdb.report.difference_formats import DIFFERENCE_FORMATS
from lintmdb.report.difference_markdown import MAX_CHARACTERS, render_difference_markdown
from lintmdb.report.html.difference_page import render_difference_html
from lintmdb.report.terminal import Style
from lintmdb.resolve.observations import Observations
from lintmdb.run.estate import Estate, read_exports, resolve_exports
from tests.support.command import Run
from tests.support.dumps import WHOLE
from tests.support.project import FIXTURES
from tests.support.scenario import RULES, run_scenario
from tests.support.scenario_folders import scenario_folder
from tests.support.variant import Variant

QUEUES = FIXTURES / "all-families/mq/QM1.mqsc"
DUMP_HEADER = "* Queue manager name: QM1\n* Command issued: dmpmqcfg -m QM1 -a\n"
PROPERTIES = """#
# SubSection 1.0
#
ResourceType=J2CActivationSpec
ImplementingResourceType=J2CResourceAdapter
ResourceId=Cell=C1:Node=node1:Server=server1:J2CResourceAdapter=WebSphere MQ Resource Adapter:J2CActivationSpec=OrdersAS
#
name=OrdersAS
queueManager=QM2
"""

BEFORE, AFTER = "fixtures/stop-5-bothresh-1", "fixtures/stop-3-sessions-5-bothresh-5"
TITLE = "ORDERS.IN at QM1 -> OrdersAS (activation specification, node1/server1) -> OrderBean (Orders/orders.jar)"


def _side(name: str) -> Side:
    outcome = run_scenario(FIXTURES / name)
    return Side(outcome.estate, outcome.judgement, [f"fixtures/{name}"])


@pytest.fixture(scope="module")
def sides() -> tuple[Side, Side]:
    """Two states, the later one with a new finding, a resolved one and another fate."""
    return _side("stop-5-bothresh-1"), _side("stop-3-sessions-5-bothresh-5")


def test_each_format_says_what_differs(lintmdb: Run, tmp_path: Path) -> None:
    """All formats agree on the new finding, and the exit code is the gate's in each."""
    for kind in DIFFERENCE_FORMATS:
        result = lintmdb("diff", BEFORE, AFTER, "--format", f"{kind}={tmp_path / kind}")
        assert (result.returncode, result.stderr) == (1, "")
        assert "MDB302" in (tmp_path / kind).read_text("utf-8")


def test_sarif_holds_the_new_findings_alone(lintmdb: Run) -> None:
    """What was there before is no result, and nothing is where nothing is new."""
    same = json.loads(lintmdb("diff", AFTER, AFTER, "--format", "sarif").stdout)
    changed = json.loads(lintmdb("diff", BEFORE, AFTER, "--format", "sarif").stdout)
    assert same["runs"][0]["results"] == []
    assert [result["ruleId"] for result in changed["runs"][0]["results"]] == ["MDB302"]


def test_a_workflow_gets_annotations_of_what_is_new(lintmdb: Run, tmp_path: Path) -> None:
    """On the line of the change, below the text, with the comment in Markdown as the summary of the step."""
    change = tmp_path / "QM1.mqsc"
    change.write_text("* raise it\nALTER QLOCAL('ORDERS.IN') BOTHRESH(0)\nALTER QLOCAL('NOPE') BOTHRESH(3)\n")
    summary = tmp_path / "summary.md"
    command = ("diff", "fixtures/clean", "--change", str(change))
    result = lintmdb(*command, env={"GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": str(summary)})
    text = lintmdb(*command).stdout
    assert result.stdout.startswith(text)
    annotations = result.stdout.removeprefix(text).splitlines()
    assert [line.partition(",end")[0] for line in annotations] == [
        f"::error file={change},line=3",
        f"::error file={change},line=2",
        f"::error file={change},line=2",
    ]
    assert summary.read_text() == lintmdb(*command, "--format", "markdown").stdout
    assert lintmdb(*command, "--format", "github").stdout == result.stdout


def test_formats_of_pipelines_hold_nothing_that_was_there_before(lintmdb: Run, tmp_path: Path) -> None:
    """Two equal states with findings and a broken file give no annotation and no failure, not even in a strict run."""
    states = [Variant(tmp_path / name, "all-families") for name in ("before", "after")]
    for state in states:
        file = state.folder / "was/cells/PRODCELL/nodes/node2/servers/claims/server.xml"
        file.write_text(file.read_text()[:400])
    command = ("diff", *(state.folder for state in states), "--strict", "--format")
    annotated, junit = lintmdb(*command, "github"), lintmdb(*command, "junit")
    assert (annotated.returncode, annotated.stdout) == (0, lintmdb(*command, "text").stdout)
    assert '<testcase classname="lintmdb" name="no finding" time="0"/>' in junit.stdout


def test_markdown_is_a_comment(sides: tuple[Side, Side]) -> None:
    """Fates and new findings are tables, findings that are no longer there a list."""
    text = render_difference_markdown(compare(*sides), sides[1])
    assert text.startswith(
        "## lintmdb diff: 1 flow has another fate, 1 new finding, 1 replaced\n\n### Another fate\n\n"
    )
    title = TITLE.replace(">", "\\>")
    assert (
        f"| {title} | one poison message | moved to the backout queue ORDERS.BACKOUT | the endpoint stops (worse) |\n"
        in text
    )
    assert (
        "\n- replaced by MDB302: MDB116 One failure is enough to move a message aside: queue ORDERS.IN at QM1\n" in text
    )
    assert "\n\n\n" not in text


def test_markdown_keeps_to_its_limit(sides: tuple[Side, Side]) -> None:
    """The worst comes first, and what does not fit is counted."""
    (new,) = compare(*sides).new
    findings = [replace(new.finding, rule=replace(new.finding.rule, id=f"MDB302-{n}")) for n in range(1000)]
    many = Comparison(new=[NewFinding(finding, None) for finding in findings])
    text = render_difference_markdown(many, sides[1])
    assert 0.9 * MAX_CHARACTERS < len(text) <= MAX_CHARACTERS
    shown = text.count("| error | MDB302")
    assert f"\n{1000 - shown} more entries do not fit here.\n" in text


def test_the_page_needs_nothing_else(sides: tuple[Side, Side]) -> None:
    """Both paths of a flow are in the page, which links to the glossary alone and reads without its script."""
    page = render_difference_html(compare(*sides), *sides)
    assert re.findall(r"(?:src|href)=\"([^#\"][^\"]*)", page) == [GLOSSARY]
    body = re.sub(r"<(script|style).*?</\1>", "", page, flags=re.DOTALL)
    before, after = body.index(">Before<"), body.index(">After<")
    assert before < after
    assert "moved to the backout queue ORDERS.BACKOUT" in body[before:after]
    assert "the endpoint stops" in body[after:]
    assert render_difference_html(compare(*sides), *sides) == page


def test_the_page_shows_names_as_text(sides: tuple[Side, Side]) -> None:
    """A root that looks like markup is text."""
    before, after = sides
    page = render_difference_html(compare(before, after), Side(before.estate, before.judgement, ["<b>&"]), after)
    assert "&lt;b&gt;&amp;" in page
    assert "<b>&" not in page


def test_the_same_twice_has_nothing_to_say(sides: tuple[Side, Side]) -> None:
    """Where no fate and no finding differs, each format says so, and no more: values may differ."""
    same = compare(sides[0], sides[0])
    assert render_difference_markdown(same, sides[0]) == "## lintmdb diff: No flow has another fate, no new finding\n"
    assert "No flow has another fate, no new finding" in render_difference_html(same, sides[0], sides[0])


def _located(sarif: str) -> list[tuple[str, int]]:
    results = json.loads(sarif)["runs"][0]["results"]
    places = [result["locations"][0]["physicalLocation"] for result in results]
    return [(place["artifactLocation"]["uri"], place["region"]["startLine"]) for place in places]


def test_sarif_points_to_the_change(lintmdb: Run, tmp_path: Path) -> None:
    """A code scanner shows a result in a pull request only on a line that the pull request changes."""
    script = tmp_path / "QM1.mqsc"
    script.write_text("* raise it\nALTER QLOCAL('ORDERS.IN') BOTHRESH(5)\n")
    result = lintmdb("diff", BEFORE, "--change", str(script), "--set", _STOP, "--set", _LIMIT, "--format", "sarif")
    assert _located(result.stdout) == [(str(script).lstrip("/"), 2)]


def test_sarif_points_to_a_file_where_a_value_is_in_none(lintmdb: Run) -> None:
    """A value of --set is in no file; the result is at another value or at the endpoint."""
    result = lintmdb("diff", BEFORE, "--set", _STOP, "--set", _LIMIT.replace("3", "0"), "--format", "sarif")
    assert _located(result.stdout) == [(f"{BEFORE}/was/cells/C1/nodes/node1/servers/server1/resources.xml", 21)]


_STOP = "activation specification OrdersAS: stopEndpointIfDeliveryFails=true"
_LIMIT = "activation specification OrdersAS: failureDeliveryCount=3"


def _all_queues_lose_their_backout_queue(tmp_path: Path, *more: str) -> Path:
    script = tmp_path / "QM1.mqsc"
    names = ("ORDERS.IN", "PAYMENTS.IN", "INVOICES.IN")
    script.write_text("".join([f"ALTER QLOCAL({name}) BOQNAME(' ') BOTHRESH(3)\n" for name in names] + [*more]))
    return script


def test_one_cause_is_said_once(lintmdb: Run, tmp_path: Path) -> None:
    """What differs in names alone has one block, with the names of all; every format for programs has each of them."""
    script = _all_queues_lose_their_backout_queue(tmp_path, "ALTER QMGR DEADQ(' ')\n")
    asked = ("diff", "fixtures/estate", "--change", str(script), "--select", "MDB103")
    text = lintmdb(*asked).stdout
    assert text.count("MDB103 nowhere-to-put-poison") == 1
    assert "  The same on 2 more queues at QM1: ORDERS.IN, PAYMENTS.IN. Each has its own values to put back\n" in text
    assert text.splitlines()[-1].split("; ")[1].startswith("findings: 3 new")
    assert len(json.loads(lintmdb(*asked, "--format", "json").stdout)["new"]) == 3
    assert len(_located(lintmdb(*asked, "--format", "sarif").stdout)) == 3


def test_the_page_groups_as_the_text_does(lintmdb: Run, tmp_path: Path) -> None:
    """Flows with the same fates before and after have one card, whatever their queues are called, and each flow is
    still a place to link to. That of StockAS is another one: its fate before rests on rights that no export shows.
    """
    first, second = tmp_path / "QM1.mqsc", tmp_path / "QM2.mqsc"
    names = ("INVOICES.IN", "RETURNS.IN", "CLAIMS.IN")
    first.write_text("".join(f"ALTER QLOCAL({name}) BOQNAME(' ') BOTHRESH(0)\n" for name in names))
    second.write_text("ALTER QLOCAL(STOCK.IN) BOQNAME(' ') BOTHRESH(0)\n")
    asked = ("diff", "fixtures/estate", "--change", str(first), "--change", str(second))
    assert len(json.loads(lintmdb(*asked, "--format", "json").stdout)["fates"]) == 4
    told = "The same on 1 more flow, with queues of its own: ReturnsAS on node2/claims"
    text = lintmdb(*asked).stdout
    assert told in " ".join(text.split())
    page = lintmdb(*asked, "--format", "html").stdout
    assert page.count('<article class="card"') == 3
    assert len(set(re.findall(r'id="(flow-[0-9a-f]{12})"', page))) == 4
    shown = " ".join(re.sub(r"<[^>]+>", " ", page).split())
    assert "The same on 1 more flow, with queues of its own RETURNS.IN at QM1 → ReturnsAS" in shown
    assert "The same on 2 more queues at QM1: INVOICES.IN, RETURNS.IN." in shown
    assert page.count('<section class="finding">') == text.count("\nnew: ")


def test_causes_in_other_files_are_said_apart(lintmdb: Run, tmp_path: Path) -> None:
    """A threshold that the export has, and one that the change sets, are two causes although the values are equal."""
    script = tmp_path / "QM1.mqsc"
    script.write_text("ALTER QLOCAL(ORDERS.IN) BOQNAME(' ') BOTHRESH(3)\nALTER QLOCAL(PAYMENTS.IN) BOQNAME(' ')\n")
    text = lintmdb("diff", "fixtures/estate", "--change", str(script), "--select", "MDB102").stdout
    assert text.count("MDB102 backout-queue-unset") == 2


def test_resolved_findings_have_one_line(lintmdb: Run, tmp_path: Path) -> None:
    """The way back: the flows get their backout queues again."""
    script = _all_queues_lose_their_backout_queue(tmp_path)
    asked = ("fixtures/estate", "--change", str(script), "--select", "MDB102")
    before = Side(*_judged_with(script), ["fixtures/estate"])
    after = _side("estate")
    text = "\n".join(render_difference(compare(before, after), Style(colour=False, width=100)))
    assert "resolved: MDB102 backout-queue-unset\n  3 queues at QM1: INVOICES.IN, ORDERS.IN, PAYMENTS.IN\n" in text
    markdown = render_difference_markdown(compare(before, after), after)
    title = "No backout queue is named: only the dead-letter queue could take poison messages"
    assert f"- MDB102 {title}: 3 queues at QM1: INVOICES.IN, ORDERS.IN, PAYMENTS.IN\n" in markdown
    there = lintmdb("diff", *asked).stdout
    assert "  The same on 2 more queues at QM1: ORDERS.IN, PAYMENTS.IN. Each has its own values to put back\n" in there


def _judged_with(script: Path) -> tuple[Estate, Judgement]:
    exports = read_exports([FIXTURES / "estate"])
    estate = resolve_exports(exports, Observations(), WhatIf(files=[script]).overlay(exports, Observations()))
    return estate, judge(estate.facts, RULES)


def test_every_format_tells_what_fails_a_strict_comparison(lintmdb: Run, tmp_path: Path) -> None:
    """What is newly undecided is why the exit code is 4, in SARIF as in the text."""
    after = Variant(tmp_path, "clean")
    after.edit("was/cells/C1/nodes/node1/servers/server1/resources.xml", ' authenticationAlias="mqAlias"', "")
    command = ("diff", FIXTURES / "clean", after.folder, "--on-message", "15s", "--strict")
    text, sarif = lintmdb(*command), lintmdb(*command, "--format", "sarif")
    assert (text.returncode, sarif.returncode) == (4, 4)
    assert "newly undecided: 6 checks without the MQ user of OrdersAS" in text.stdout
    (told,) = json.loads(sarif.stdout)["runs"][0]["invocations"][0]["toolExecutionNotifications"]
    assert told["level"] == "error"
    assert told["message"]["text"].startswith("6 checks are undecided without the MQ user of OrdersAS.")
    loose = json.loads(lintmdb(*command[:-1], "--format", "sarif").stdout)
    assert loose["runs"][0]["invocations"][0]["toolExecutionNotifications"][0]["level"] == "note"


def test_a_strict_gate_that_fails_for_findings_names_what_fails_it_besides(lintmdb: Run, tmp_path: Path) -> None:
    """So that who mends the findings does not meet the rest one run later."""
    after = Variant(tmp_path, "clean")
    after.edit("was/cells/C1/nodes/node1/servers/server1/resources.xml", ' authenticationAlias="mqAlias"', "")
    after.edit("mq/QM1.mqsc", "BOTHRESH(3)", "BOTHRESH(0)")
    command = ("diff", FIXTURES / "clean", after.folder, "--on-message", "15s")
    strict, loose = (" ".join(lintmdb(*command, *more).stdout.split()) for more in (["--strict"], []))
    both = r"Gate fails: \d+ new errors?.* \(--fail-on error\); \d+ checks newly undecided, and the gate is strict"
    assert re.search(both, strict)
    assert "newly undecided, and the gate" not in loose
    judged = lintmdb("check", after.folder, "--on-message", "15s", "--strict").stdout
    assert re.search(r"fails: \d+ errors?; \d+ checks are undecided, and the gate is strict\n", judged)


@pytest.mark.parametrize("form", ["github", "junit", "sarif"])
def test_every_format_tells_which_flows_are_not_seen_any_more(lintmdb: Run, tmp_path: Path, form: str) -> None:
    """Of a strict comparison that lacks a cell afterwards, and of it alone."""
    after = tmp_path / "after"
    shutil.copytree(FIXTURES / "clean" / "mq", after / "mq")
    shutil.copytree(FIXTURES / "all-families" / "was", after / "was")
    command = ("diff", FIXTURES / "clean", after, "--fail-on", "never", "--format", form)
    strict, loose = lintmdb(*command, "--strict"), lintmdb(*command)
    assert (strict.returncode, loose.returncode) == (4, 0)
    assert "is not seen without" in strict.stdout
    assert "is not seen without" not in loose.stdout


def test_commands_that_were_not_understood_before_fail_no_comparison(lintmdb: Run, tmp_path: Path) -> None:
    """Another one does, although one of before is gone."""
    for side, names in (("a", "AB"), ("b", "BA"), ("c", "BC")):
        (tmp_path / side).mkdir()
        lines = (f"DEFINE QLOCAL({name}) BOTHRES(3)\n" for name in names)
        (tmp_path / side / "QM1.mqsc").write_text(f"DEFINE QLOCAL(X)\n{''.join(lines)}")
    options = ("--all-queues", "--strict", "--format", "github")
    same = lintmdb("diff", tmp_path / "a", tmp_path / "b", *options)
    other = lintmdb("diff", tmp_path / "a", tmp_path / "c", *options)
    assert (same.returncode, other.returncode) == (0, 4)
    assert "::error" not in same.stdout
    (error,) = (line for line in other.stdout.splitlines() if line.startswith("::error"))
    assert "DEFINE QLOCAL(C)" in error


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (
            "ALTER QLOCAL(X) BOTHRES(3)",
            "ALTER QLOCAL(X) would be refused by QM1: QLOCAL has no attribute BOTHRES",
        ),
        ("ALTR QLOCAL(X) BOTHRESH(3)", "this line is not an MQSC command"),
    ],
)
def test_a_command_of_a_kept_script_that_is_refused_in_the_later_state_alone_is_a_refused_change(
    lintmdb: Run, tmp_path: Path, line: str, told: str
) -> None:
    """Without --strict, too; of a dump, which nobody runs, it is a place that was not understood."""
    for side, more in (("before", ""), ("after", f"{line}\n")):
        (tmp_path / side).mkdir()
        (tmp_path / side / "QM1.mqsc").write_text(f"DEFINE QLOCAL(X)\n{more}")
        (tmp_path / f"{side}.mqsc").write_text(f"{DUMP_HEADER}DEFINE QLOCAL('X') REPLACE\n{more}")
    options = ("--all-queues", "--format", "github", "--format", "text")
    result = lintmdb("diff", tmp_path / "before", tmp_path / "after", *options)
    assert result.returncode == 4
    assert [line for line in result.stdout.splitlines() if line.startswith("::error") and told in line]
    assert "1 change refused" in " ".join(result.stdout.split())
    assert result.stderr == ""
    assert lintmdb("diff", tmp_path / "after", tmp_path / "after", *options).returncode == 0
    assert lintmdb("diff", tmp_path / "before.mqsc", tmp_path / "after.mqsc", *options).returncode == 0


def test_the_page_lists_refused_changes(lintmdb: Run, tmp_path: Path) -> None:
    """With the place and what to do, as the text does."""
    change = tmp_path / "deploy.mqsc"
    change.write_text("ALTER QLOCAL('NOPE') BOTHRESH(3)\n")
    page = lintmdb("diff", FIXTURES / "clean", "--change", change, "--format", "html").stdout
    assert '<h2 id="refused">Changes that would be refused</h2>' in page
    assert "deploy.mqsc:1: ALTER QLOCAL(NOPE) would be refused by QM1: it does not exist there. DEFINE it" in page


def test_markdown_says_once_what_differs_in_names_alone(lintmdb: Run, tmp_path: Path) -> None:
    """A cause has one row, with the names of the other flows, as the text has one block."""
    change = tmp_path / "deploy.mqsc"
    names = [line.split("'")[1] for line in QUEUES.read_text().splitlines() if line.startswith("DEFINE QLOCAL")]
    change.write_text("".join(f"ALTER QLOCAL('{name}') BOQNAME('GONE.Q')\n" for name in names if name.endswith(".IN")))
    command = ("diff", FIXTURES / "all-families", "--change", change, "--on-message", "15s")
    text = lintmdb(*command, "--queue-manager", f"QM1={change}").stdout
    markdown = lintmdb(*command, "--queue-manager", f"QM1={change}", "--format", "markdown").stdout
    told = markdown.partition("### Replaced")[0]
    assert text.count("error   MDB105") == told.count("MDB105") == 1
    assert "The same on 4 more queues at QM1: " in markdown


def test_a_finding_behind_another_queue_manager_points_at_the_change(lintmdb: Run, tmp_path: Path) -> None:
    """The queue is missing because the change leads the endpoint elsewhere."""
    before = Variant(tmp_path, "clean")
    other = (before.folder / "mq/QM1.mqsc").read_text().replace("QM1", "QM2").replace("'ORDERS.IN'", "'OTHER.IN'")
    before.write("mq/QM2.mqsc", other)
    change = tmp_path / "as.props"
    change.write_text(PROPERTIES)
    command = ("diff", before.folder, "--on-message", "15s", "--change", change)
    assert 'as.props:9:1 queueManager="QM2"' in " ".join(lintmdb(*command).stdout.split())
    (result,) = json.loads(lintmdb(*command, "--format", "sarif").stdout)["runs"][0]["results"]
    place = result["locations"][0]["physicalLocation"]
    assert (result["ruleId"], place["region"]["startLine"]) == ("MDB121", 9)
    assert place["artifactLocation"]["uri"].endswith("as.props")


def test_a_product_that_is_required_has_to_be_there_after_the_change(lintmdb: Run) -> None:
    """A pull request that deletes every dump leaves nothing to be judged, so that it decides nothing."""
    before = scenario_folder("stop-3-sessions-5-bothresh-5")
    arguments = ("diff", before, before / "was", "--fail-on", "never")
    assert lintmdb(*arguments).returncode == 0
    required = lintmdb(*arguments, "--require", "mq")
    assert required.returncode == 4
    assert "no IBM MQ export was read after the change, and one is required" in required.stderr
    assert lintmdb("diff", before, before, "--require", "mq,was").returncode == 0


def test_a_command_that_runmqsc_would_refuse_is_pointed_out(lintmdb: Run, tmp_path: Path) -> None:
    """In a script that is new or changed, in the report and not on stderr again."""
    for side, text in (("a", "DEFINE QLOCAL(A) BOTHRESH(3)\n"), ("b", "DEFINE QLOCAL(A) BOTHRES(3)\n")):
        (tmp_path / side).mkdir()
        (tmp_path / side / "QM1.mqsc").write_text(f"DEFINE QLOCAL(B) BOTHRESH(3) BOQNAME(C)\n{text}")
    result = lintmdb("diff", tmp_path / "a", tmp_path / "b", "--all-queues")
    assert "QLOCAL has no attribute BOTHRES (syntax error, AMQ8405I). Did you mean BOTHRESH?" in " ".join(
        result.stdout.split()
    )
    assert (result.returncode, result.stderr) == (4, "")
    same = lintmdb("diff", tmp_path / "b", tmp_path / "b", "--all-queues")
    assert "BOTHRES " not in same.stdout + same.stderr


def test_a_line_for_each_difference_or_the_summary_alone(lintmdb: Run, tmp_path: Path) -> None:
    """-q lists fates and findings, a line each; --summary prints the end, and refused changes go to stderr."""
    script = tmp_path / "QM1.mqsc"
    script.write_text("* Queue manager name: QM1\nALTER QLOCAL(ORDERS.IN) BOQNAME(' ')\nDELETE QLOCAL(NO.SUCH)\n")
    asked = ("diff", "fixtures/backout-loop", "--change", str(script))
    fate, longest, new, _, resolved, refused, verdict, summary = lintmdb(*asked, "-q").stdout.splitlines()
    assert fate.startswith("ORDERS.IN at QM1 -> ")
    assert fate.endswith(
        ": one poison message: loops for ever by way of ORDERS.RETRY -> "
        "moved to the dead-letter queue QM1.DEAD (better)"
    )
    assert ": one poison message, as long as its queue allows: loops for ever by way of ORDERS.RETRY -> " in longest
    assert longest.endswith("discarded (non-persistent), delivery is blocked (persistent) (worse)")
    assert new.startswith("new: warning MDB102 queue ORDERS.IN at QM1: ")
    assert new.endswith("QM1.mqsc:2:25]"), "where the change says so"
    assert resolved.startswith("resolved: MDB106 ")
    assert "NO.SUCH" in refused
    assert verdict == "Gate fails: 1 change would be refused"
    short = lintmdb(*asked, "--summary")
    assert short.stdout.splitlines() == [verdict, summary] == lintmdb(*asked).stdout.splitlines()[-2:]
    assert "NO.SUCH" in short.stderr
    assert lintmdb(*asked, "-q", "--summary").returncode == 2


def test_every_format_says_what_is_not_judged(lintmdb: Run, tmp_path: Path) -> None:
    """A strict gate that fails for nothing else leaves no report that says that nothing differs."""
    (tmp_path / "QM1.mqsc").write_text("STOP CHANNEL('WAS.SVRCONN')\n")
    told = "STOP CHANNEL(WAS.SVRCONN) keeps clients out"
    outputs = {
        "json": "d.json",
        "markdown": "d.md",
        "html": "d.html",
        "github": "d.txt",
        "junit": "d.xml",
        "sarif": "d",
    }
    formats = [f"--format={name}={tmp_path / file}" for name, file in outputs.items()]
    result = lintmdb("diff", BEFORE, "--change", tmp_path / "QM1.mqsc", "--strict", "--format=text", *formats)
    assert result.returncode == 4
    assert result.stdout.splitlines()[-1].endswith("as before; 1 change not judged")
    for file in outputs.values():
        assert told in (tmp_path / file).read_text()
    document = json.loads((tmp_path / "d.json").read_text())
    assert (document["summary"]["unjudged"], document["unjudged"][0]["line"]) == (1, 1)
    assert (tmp_path / "d.md").read_text().startswith("## lintmdb diff: 1 change not judged\n")


def test_findings_that_lack_the_same_input_are_told_once(lintmdb: Run) -> None:
    """Its need stands above them, and each has a line with the endpoint's name and place."""
    lines = lintmdb("diff", FIXTURES / "estate", FIXTURES / "clean").stdout.splitlines()
    told = [line for line in lines if line.startswith("newly undecided: ")]
    assert told[0] == "newly undecided: 9 findings without an export of cell PRODCELL"
    assert len(told) == 2
    listed = [line for line in lines if line.startswith("  MDB")]
    assert len(listed) == 9
    assert "  MDB302 endpoint-stops-before-backout at OrdersAS on cluster ShopCluster" in listed


def test_a_worse_fate_of_the_longest_messages_counts_as_a_warning(lintmdb: Run, tmp_path: Path) -> None:
    """The backout queue is too short for them on both sides, and now the dead-letter queue is, too."""
    head = "* Queue manager name: {0}\n* Command issued: dmpmqcfg -m {0} -a\n"
    lines = (
        "ALTER QMGR DEADQ(DEAD) MAXMSGL(104857600)\nDEFINE QLOCAL(DEAD) MAXMSGL({0})\n"
        "DEFINE QLOCAL(A.IN) BOTHRESH(3) BOQNAME(A.BO) MAXMSGL(4194304)\nDEFINE QLOCAL(A.BO) MAXMSGL(1000)\n"
    )
    for name, most in (("old", 104857600), ("new", 5000)):
        (tmp_path / f"{name}.mqsc").write_text(head.format("QM1") + WHOLE + lines.format(most))
    asked = ("diff", "old.mqsc", "new.mqsc", "--all-queues")
    told = lintmdb(*asked, cwd=tmp_path)
    text = " ".join(told.stdout.split())
    was = "one poison message, as long as its queue allows: moved to the dead-letter queue DEAD"
    assert f"{was} -> discarded (non-persistent), delivery is blocked (persistent) (worse)" in text
    assert "one poison message:" not in text
    assert "1 flow with a worse fate of the longest messages (below --fail-on error)" in text
    assert told.returncode == 0
    asked = (*asked, "--fail-on", "warning", "--ignore", "MDB115")
    failed = lintmdb(*asked, cwd=tmp_path)
    assert failed.returncode == 1
    assert "Gate fails: 1 flow with a worse fate of the longest messages (--fail-on warning)" in failed.stdout
    assert 'failures="1"' in lintmdb(*asked, "--format", "junit", cwd=tmp_path).stdout
    document = json.loads(lintmdb(*asked, "--format", "json", cwd=tmp_path).stdout)
    assert [fate["worse"] for fate in document["fates"]] == [True]
    assert document["summary"]["worse"] == 0
    (tmp_path / "best.mqsc").write_text((tmp_path / "old.mqsc").read_text().replace("MAXMSGL(1000)", ""))
    better = " ".join(lintmdb("diff", "new.mqsc", "best.mqsc", "--all-queues", cwd=tmp_path).stdout.split())
    assert "delivery is blocked (persistent) -> moved to the backout queue A.BO" in better
