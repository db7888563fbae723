"""The pages of a plan: what they hold, and that names of exports are text on them."""

from __future__ import annotations

import html
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from lintmdb.plan.evaluation import Evaluator
from lintmdb.plan.planned import Plan
from lintmdb.plan.planner import make_plan
from lintmdb.plan.policy import Policy
from lintmdb.plan.scripts import plan_scripts
from lintmdb.report.changes import change_words
from lintmdb.report.html.plan_page import render_plan_html
from lintmdb.report.html.visible_text import visible
from lintmdb.report.plan_markdown import render_plan_markdown
from lintmdb.report.plan_parts import changed_flows, changes_by_owner, sparing_scripts
from lintmdb.resolve.observations import read_observations
from lintmdb.run.estate import read_exports
from tests.report.test_hostile_names import ALL, ATTRIBUTES, TAGS, UNSEEN
from tests.support.command import Run
from tests.support.dumps import WHOLE
from tests.support.hostile_names import hostile_estate
from tests.support.html_page import Page
from tests.support.project import FIXTURES
from tests.support.scenario import RULES, scenario_evaluator
from tests.support.variant import Variant


@pytest.fixture(scope="module")
def plan() -> Plan:
    """The plan for a scenario whose endpoint stops before the queue moves a message."""
    return make_plan(scenario_evaluator("stop-3-sessions-5-bothresh-5"), Policy())


def test_the_page_shows_each_flow_before_and_after(plan: Plan) -> None:
    """Each changed flow has two drawings and two fates, and its changes."""
    page = Page(render_plan_html(plan)).root
    (flow,) = changed_flows(plan)
    (card,) = page.find("article")
    drawings = [node.attributes["aria-label"] for node in card.find("svg")]
    assert len(drawings) == 2
    assert "the message stops" in drawings[0]
    assert "backout queue ORDERS.BACKOUT, the message ends here" in drawings[1]
    fates = [node.text for node in card.find("b")]
    assert fates == [flow.fate_before.words, flow.fate_after.words]
    assert [node.text for node in card.find("code")] == [change_words(change) for change in plan.changes]
    (row,) = (row for row in page.find("tr") if "data-w" in row.attributes)
    assert next(row.find("td", class_="fate")).text == "stops → moved aside"
    assert next(row.find("a")).attributes["href"] == f"#{card.attributes['id']}"


def test_text_and_pages_count_the_same_queues(lintmdb: Run, tmp_path: Path) -> None:
    """A queue changes where messages go to another queue then, or the longest ones are moved at last, although a short
    one was moved before and is moved then; what becomes of the rest is the same everywhere.
    """
    script = "* Queue manager name: QM1\n* Queue manager platform: UNIX\n* Command issued: dmpmqcfg -m QM1 -a\n"
    script += "ALTER QMGR DEADQ(DEAD)\n" + "".join(
        f"DEFINE QLOCAL({name}) {attributes} MAXDEPTH(5000)\n"
        for name, attributes in (
            ("DEAD", "MAXMSGL(104857600)"),
            ("A.IN", "BOTHRESH(3) BOQNAME(A.BO) MAXMSGL(4000000)"),
            ("A.BO", "MAXMSGL(1000)"),
            ("B.IN", "BOTHRESH(3) BOQNAME(B.BO) MAXMSGL(4000000)"),
            ("B.BO", "MAXMSGL(4000000) USAGE(XMITQ)"),
            ("C.IN", "BOTHRESH(3) BOQNAME(C.BO) MAXMSGL(4000000)"),
            ("C.BO", "MAXMSGL(4000000)"),
        )
    )
    (tmp_path / "QM1.mqsc").write_text(script + WHOLE)
    command = ("plan", tmp_path, "--all-queues", "--ignore", "MDB109,MDB116")
    text = " ".join(lintmdb(*command).stdout.split())
    markdown = lintmdb(*command, "--format", "markdown").stdout
    page = lintmdb(*command, "--format", "html").stdout
    was = "moved to the backout queue B.BO (a transmission queue)"
    assert f"queue B.IN at QM1 {was} -> moved to the backout queue B.IN.BACKOUT" in text
    longest = "The longest message: moved to the dead-letter queue DEAD {} moved to the backout queue A.BO."
    assert f"queue A.IN at QM1 as before: moved to the backout queue A.BO {longest.format('->')}" in text
    assert longest.format("-\\>") in markdown
    assert longest.format("→") in page
    assert "the same as before on 1 queue " in text
    assert "The same as before on 1 more queue." in markdown


def test_every_page_says_what_is_lost_when_the_backout_queue_is_full(lintmdb: Run) -> None:
    """What went round for ever is lost then, as the user has no rights on the dead-letter queue: the plan says which
    would help. What stopped one member of a cluster got to the next, and was lost there.
    """
    lost = "discarded (non-persistent), delivery is blocked (persistent)"
    told = "No better than before while the backout queue is full: the endpoint stops, and at the next reader "
    told += f"{lost} {{}} {lost.partition(' (per')[0]}"
    command = ("plan", FIXTURES / "estate")
    text = " ".join(lintmdb(*command).stdout.split())
    assert text.count("Worse than before while the backout queue is full") == 2
    assert "full: loops for ever -> discarded (non-persistent), delivery is blocked (persistent), unless" in text
    unless = "(persistent), unless wasshop gets put and passall on QM1.DEAD."
    assert f"the endpoint stops -> moved to the backout queue ORDERS.BACKOUT {told.format('->')} {unless}" in text
    assert told.format("-\\>") in lintmdb(*command, "--format", "markdown").stdout
    assert told.format("→") in lintmdb(*command, "--format", "html").stdout


@pytest.mark.parametrize("kind", ["text", "markdown", "html", "file"])
def test_the_rights_that_would_spare_it_are_a_change_file(lintmdb: Run, tmp_path: Path, kind: str) -> None:
    """Each on one line, to copy; with them no message fares worse while the backout queue is full. The file says what
    else there is to know, and how to take them back.
    """
    if kind == "file":
        command = ("plan", FIXTURES / "estate", "--out", tmp_path / "out")
        assert f"those rights in {tmp_path}/out/optional" in " ".join(lintmdb(*command).stdout.split())
        told = (tmp_path / "out/optional/mq/QM1.mqsc").read_text()
        assert "acts on the primary" in told
        assert told.count("\n* DELETE AUTHREC PROFILE('QM1.DEAD') OBJTYPE(QUEUE) PRINCIPAL") == 2
        (tmp_path / "out/optional/mq/QM2.mqsc").write_text(told)
        (tmp_path / "out/optional/mq/own.mqsc").write_text("* Mine\n")
        lintmdb(*command)
        assert sorted(file.name for file in (tmp_path / "out/optional/mq").iterdir()) == ["QM1.mqsc", "own.mqsc"]
    else:
        told = html.unescape(lintmdb("plan", FIXTURES / "estate", "--format", kind).stdout)
    (rights,) = re.findall(r"^\* Queue manager name: QM1\n(?:SET AUTHREC [^\n<]*\n?)+", told, re.MULTILINE)[-1:]
    assert [line.split()[4] for line in rights.splitlines()[1:]] == ["PRINCIPAL('wasclaims')", "PRINCIPAL('wasshop')"]
    (tmp_path / "rights.mqsc").write_text(f"{rights}\n")
    assert lintmdb("diff", FIXTURES / "estate", "--change", tmp_path / "rights.mqsc").returncode == 0
    shutil.copytree(FIXTURES / "estate", tmp_path / "estate")
    dump = next((tmp_path / "estate").rglob("QM1.mqsc"))
    dump.write_text(dump.read_text("utf-8") + (tmp_path / "rights.mqsc").read_text("utf-8"), "utf-8")
    again = lintmdb("plan", tmp_path / "estate").stdout
    assert kind == "file" or "Worse than before" in told
    assert "Worse than before" not in again
    assert "These rights, which no step" not in again


def test_what_only_owners_can_decide_is_on_every_page(plan: Plan) -> None:
    """The page and the Markdown say what somebody may want instead of a change, when, and how to ask for it."""
    told = ("Or, if the endpoint must still stop", "before suspending endpoint 3", "26", "stopEndpointIfDeliveryFails'")
    page, markdown = Page(render_plan_html(plan)).root.text, render_plan_markdown(plan)
    for text in told:
        assert text in page
        assert text in markdown


def test_scripts_are_there_to_copy(plan: Plan) -> None:
    """Each script of the plan is on its page, whole."""
    page = Page(render_plan_html(plan)).root
    blocks = [next(block.find("pre")).text for block in page.find("div", class_="code")]
    scripts = [script.text for script in sorted(plan_scripts(plan.changes), key=lambda s: s.path[:4] == "undo")]
    assert blocks == [*scripts, *(script.text for script in sparing_scripts(plan))]


def test_owners_have_their_changes_and_scripts(plan: Plan) -> None:
    """All changes stand below their owners, with the scripts to run before those that undo them."""
    parts = changes_by_owner(plan)
    assert [change for part in parts for change, _ in part.changes] == list(plan.changes)
    assert [list(part.scripts) for part in parts] == [["was/C1.py", "undo/was/C1.py"]]


@pytest.mark.parametrize("render", [render_plan_html, render_plan_markdown])
def test_an_empty_plan_says_so(render: Callable[[Plan], str]) -> None:
    """Where nothing is to be changed, the page says that."""
    assert "Nothing to change" in render(make_plan(scenario_evaluator("clean"), Policy()))


@pytest.mark.parametrize("name", ALL.values(), ids=list(ALL))
def test_names_of_exports_are_text(tmp_path: Path, name: str) -> None:
    """No element, link or mention comes of a name, and nothing unseen."""
    hostile_estate(tmp_path / "estate", name)
    rules = [rule for rule in RULES if rule.id in ("MDB105", "MDB302")]
    judging = Evaluator(read_exports([tmp_path / "estate"]), read_observations(None, "15s"), rules)
    plan = make_plan(judging, Policy())
    assert plan.changes
    text, document = render_plan_html(plan), render_plan_markdown(plan)
    page = Page(text).root
    assert {node.tag for node in page.all()} <= TAGS
    assert {key for node in page.all() for key in node.attributes} <= ATTRIBUTES
    shown = {node.text for node in page.find("code")}
    assert all(any(node.startswith(visible(change_words(change))[:200]) for node in shown) for change in plan.changes)
    for token in MarkdownIt("commonmark").enable("table").enable("strikethrough").parse(document):
        assert token.type != "html_block"
        kinds = {child.type for child in token.children or ()}
        assert kinds <= {"text", "text_special", "softbreak"}, token.content
    assert re.search(r"(?<!\\)://", document) is None
    assert not re.search(r"@\w", document)
    assert UNSEEN.search(text + document) is None


def test_the_command_writes_the_pages(lintmdb: Run, tmp_path: Path) -> None:
    """--out has them beside the scripts, and --format prints them."""
    scenario = "fixtures/stop-3-sessions-5-bothresh-5"
    assert lintmdb("plan", scenario, "--out", tmp_path / "plan").returncode == 0
    for kind, name in (("html", "plan.html"), ("markdown", "plan.md"), ("json", "plan.json")):
        assert lintmdb("plan", scenario, "--format", kind).stdout == (tmp_path / "plan" / name).read_text("utf-8")


def test_every_form_of_a_plan_offers_the_queue_that_a_misspelt_name_may_mean(lintmdb: Run, tmp_path: Path) -> None:
    """Beside the new queue, with the option that asks for the other change; the option does what it says."""
    variant = Variant(tmp_path, "clean").edit("mq/QM1.mqsc", "BOQNAME('ORDERS.BACKOUT')", "BOQNAME('ORDERS.BACKUOT')")
    inputs = (variant.folder / "was", variant.folder / "mq", "--on-message", "15s")
    text = lintmdb("plan", *inputs, "--out", tmp_path / "plan").stdout
    pages = [text, *((tmp_path / "plan" / name).read_text("utf-8") for name in ("plan.md", "plan.html"))]
    for page in (" ".join(page.split()) for page in pages):
        assert "if the name of the missing queue is wrong" in page
        assert "--keep 'queue ORDERS.BACKUOT at QM1'" in page
    kept = lintmdb("plan", *inputs, "--keep", "queue ORDERS.BACKUOT at QM1").stdout
    assert "ORDERS.IN  BOQNAME ORDERS.BACKUOT -> ORDERS.BACKOUT  MDB105" in kept
    assert "new queue" not in kept


@pytest.mark.parametrize(
    ("wrong", "option", "gone"),
    [
        ("DEFINE QALIAS(A.UP) TARGET(A.BOO)", "5 A.UP TARGET A.BOO -> A.BO --keep 'queue A.BOO at QM1'", "MDB105"),
        (
            "ALTER QMGR DEADQ(A.DLQ)",
            "6 queue manager DEADQ A.DLQ -> A.DEAD.QUEUE --keep 'queue A.DLQ at QM1'",
            "MDB114",
        ),
    ],
)
def test_a_wrong_target_or_dead_letter_queue_has_an_option_too(
    lintmdb: Run, tmp_path: Path, wrong: str, option: str, gone: str
) -> None:
    """Beside the new queue, with the line that defines the other one, and the option does what it says."""
    head = "* Queue manager name: QM1\n* Queue manager platform: UNIX\n* Command issued: dmpmqcfg -m QM1 -a\n"
    lines = "DEFINE QLOCAL(A.IN) BOTHRESH(3) BOQNAME(A.UP)\nDEFINE QLOCAL(A.BO)\nDEFINE QLOCAL(A.DEAD.QUEUE)\n"
    (tmp_path / "QM1.mqsc").write_text(f"{head}{lines}{wrong}\n{WHOLE}")
    command = ("plan", tmp_path, "--all-queues")
    name = option.partition("--keep '")[2].removesuffix("'")
    line, option = option.split(" ", 1)
    near = "A.BO" if gone == "MDB105" else "A.DEAD.QUEUE"
    evidence = f"{near} is defined at {tmp_path}/QM1.mqsc:{line}. No queue of QM1 names it in BOQNAME."
    change, keep = option.split(" --keep ")
    text = " ".join(lintmdb(*command).stdout.split())
    assert f"Or, if the name of the missing queue is wrong: {change} {evidence} --keep {keep}" in text
    kept = " ".join(lintmdb(*command, "--keep", name).stdout.split())
    assert f"{option.partition(' --keep')[0]} {gone}" in kept
    assert f"{name.split()[1]} new queue" not in kept


def test_where_a_queue_that_may_be_meant_is_defined_stands_beside_each_choice(lintmdb: Run, tmp_path: Path) -> None:
    """Choices of one condition stay together. A queue that BOQNAME reaches by an alias is in use: nobody means it."""
    head = "* Queue manager name: QM1\n* Queue manager platform: UNIX\n* Command issued: dmpmqcfg -m QM1 -a\n"
    lines = "".join(
        f"DEFINE QLOCAL({name}.IN) BOTHRESH(3) BOQNAME({name}.BOQ)\nDEFINE QLOCAL({name}.BOQS)\n" for name in "ABCD"
    )
    used = "DEFINE QLOCAL(E.IN) BOTHRESH(3) BOQNAME(D.UP)\nDEFINE QALIAS(D.UP) TARGET(D.BOQS)\n"
    (tmp_path / "QM1.mqsc").write_text(f"{head}{lines}{used}{WHOLE}")
    text = " ".join(lintmdb("plan", tmp_path, "--all-queues").stdout.split())
    assert text.count("Or, if the name of the missing queue is wrong:") == 1
    for place, name in enumerate("ABC"):
        where = f"{name}.BOQS is defined at {tmp_path}/QM1.mqsc:{5 + 2 * place}. No queue of QM1 names it in BOQNAME."
        assert f"{name}.IN BOQNAME {name}.BOQ -> {name}.BOQS {where}" in text
    assert "D.BOQ -> D.BOQS" not in text
