"""What fails a run besides findings is in every format: refused changes, and with a strict gate what was not judged."""

from __future__ import annotations

import csv
import io
import json
import shutil
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import jsonschema
import pytest
import xmlschema

from tests.support.command import Run
from tests.support.html_page import Page
from tests.support.project import FIXTURES
from tests.support.schemas import SCHEMAS, read_schema

REFUSED = "ALTER QLOCAL(ORDERS.IN) would be refused by QM1: QLOCAL has no attribute BOTRESH (syntax error, AMQ8405I)"


@pytest.fixture
def workplace(tmp_path: Path) -> Path:
    """A clean estate and a change that the queue manager would refuse."""
    shutil.copytree(FIXTURES / "clean", tmp_path / "exports")
    (tmp_path / "change.mqsc").write_text("* Queue manager name: QM1\nALTER QLOCAL('ORDERS.IN') BOTRESH(7)\n")
    return tmp_path


def report(lintmdb: Run, folder: Path, form: str, *options: str) -> str:
    """The report of a run that fails with exit code 4."""
    result = lintmdb("check", "exports", "--on-message", "15s", "--format", form, *options, cwd=folder)
    assert result.returncode == 4
    return result.stdout


def test_a_refused_change_is_on_its_line_in_every_format(lintmdb: Run, workplace: Path) -> None:
    """Whatever a pipeline reads, it does not look like a run that passed."""
    change = ("--change", "change.mqsc")
    assert "Gate      fails: 1 change would be refused (change.mqsc:2)\n" in report(lintmdb, workplace, "text", *change)
    annotations = report(lintmdb, workplace, "github", *change)
    assert "\n::error file=change.mqsc,line=2,endLine=2,col=27,endColumn=37,title=lintmdb%3A A change" in annotations
    assert f"::{REFUSED}. Did you mean BOTHRESH?\n" in annotations

    (entry,) = json.loads(report(lintmdb, workplace, "gitlab", *change))
    validator: Any = jsonschema.Draft202012Validator(read_schema("gitlab-code-quality.schema.json"))
    assert [error.message for error in validator.iter_errors([entry])] == []
    assert (entry["check_name"], entry["severity"]) == ("refused-change", "critical")
    assert entry["location"] == {"path": "change.mqsc", "lines": {"begin": 2}}

    junit = report(lintmdb, workplace, "junit", *change)
    xmlschema.XMLSchema(SCHEMAS / "junit.xsd").validate(junit)
    (failure,) = ElementTree.fromstring(junit).iter("failure")
    assert failure.get("message") == f"{REFUSED}. Did you mean BOTHRESH?"
    assert "change.mqsc:2:27" in (failure.text or "")

    (row,) = csv.DictReader(io.StringIO(report(lintmdb, workplace, "csv", *change)))
    assert (row["verdict"], row["message"], row["path"], row["line"]) == ("refused-change", REFUSED, "change.mqsc", "2")

    markdown = report(lintmdb, workplace, "markdown", *change)
    assert markdown.startswith("## lintmdb: 1 change would be refused\n\nThe gate fails: ")
    assert "\n- A change would be refused, change.mqsc:2: ALTER QLOCAL(ORDERS.IN) would be refused by QM1: " in markdown
    page = Page(report(lintmdb, workplace, "html", *change)).root
    assert next(page.find("h1")).text == "1 change would be refused"


@pytest.mark.parametrize(
    ("script", "title"),
    [
        ("ALTER QLOCAL(ORDERS.IN) BOTRESH(7)\n", "A command would be refused"),
        ("ALTER QLOCAL(ORDERS.IN) BOTHRESH(7)\nEND\nALTER QLOCAL(ORDERS.IN) GET(DISABLED)\n", "A command is skipped"),
        ("ALTER QLOCAL(ORDERS.IN) BOTHRESH(\n", "A place was not understood"),
    ],
)
def test_the_title_says_what_blocks_a_run(lintmdb: Run, workplace: Path, script: str, title: str) -> None:
    """A merge request and a list of tests may show no more than it."""
    (workplace / "exports" / "mq" / "changes.mqsc").write_text(f"* QMNAME(QM1)\n{script}")
    entries = json.loads(report(lintmdb, workplace, "gitlab", "--strict"))
    assert [entry["description"].partition(":")[0] for entry in entries if "undecided" not in entry["check_name"]] == [
        title
    ]
    assert f"title=lintmdb%3A {title}::" in report(lintmdb, workplace, "github", "--strict")
    assert f'name="{title}: ' in report(lintmdb, workplace, "junit", "--strict")


def test_a_skipped_change_is_called_so(lintmdb: Run, workplace: Path) -> None:
    """Nothing refuses it, as nothing gets to see it."""
    (workplace / "change.mqsc").write_text("* Queue manager name: QM1\nEND\nALTER QLOCAL('ORDERS.IN') BOTHRESH(7)\n")
    entries = json.loads(report(lintmdb, workplace, "gitlab", "--change", "change.mqsc"))
    assert [entry["description"].partition(":")[0] for entry in entries] == ["A change is skipped"]


@pytest.mark.parametrize("command", ["check", "diff"])
def test_a_refused_change_is_a_notification_of_sarif(lintmdb: Run, workplace: Path, command: str) -> None:
    """It is an error at its line."""
    asked = (command, "exports", "--on-message", "15s", "--change", "change.mqsc", "--format", "sarif")
    result = lintmdb(*asked, cwd=workplace)
    assert result.returncode == 4
    log = json.loads(result.stdout)
    official: Any = jsonschema.Draft4Validator(read_schema("sarif-2.1.0-rtm.5.json"))
    github: Any = jsonschema.Draft202012Validator(read_schema("github-sarif.schema.json"))
    assert [error.message for error in (*official.iter_errors(log), *github.iter_errors(log))] == []
    (invocation,) = log["runs"][0]["invocations"]
    (notification,) = invocation["toolExecutionNotifications"]
    assert notification["level"] == "error"
    assert REFUSED in notification["message"]["text"]
    place = notification["locations"][0]["physicalLocation"]
    assert (place["artifactLocation"]["uri"], place["region"]["startLine"]) == ("change.mqsc", 2)


def test_a_refused_change_is_told_beside_findings(lintmdb: Run, workplace: Path) -> None:
    """The gate fails for both, and the heading names both."""
    script = workplace / "exports" / "mq" / "QM1.mqsc"
    script.write_text(script.read_text().replace("BOTHRESH(3)", "BOTHRESH(0)"))
    asked = ("check", "exports", "--on-message", "15s", "--change", "change.mqsc", "--format")
    result = lintmdb(*asked, "text", cwd=workplace)
    assert result.returncode == 1
    assert "; 1 change would be refused (change.mqsc:2)\n" in result.stdout
    assert lintmdb(*asked, "markdown", cwd=workplace).stdout.startswith("## lintmdb: 1 change would be refused, ")


@pytest.mark.parametrize(
    ("options", "kind", "path", "text"),
    [
        (("--strict", "--queue-manager", "QM2=notes.txt"), "unread-file", "notes.txt", "notes.txt was not read: it "),
        (("--strict", "--change", "other.mqsc"), "unjudged-change", "other.mqsc", "no endpoint in the exports reads"),
        (("--strict",), "undecided", None, "1 check is undecided without "),
        (("--strict", "--queue-manager", "QM1=more.mqsc"), "not-understood", "more.mqsc", "has no attribute BOTHRES"),
        (("--strict",), "partial-export", "exports/was/cells/C1", "lacks server server2 of node node1"),
        (("--require", "mq,was"), "missing-export", None, "No IBM MQ export was read, and one is required"),
    ],
)
def test_other_reasons_of_exit_code_4_are_told_too(
    lintmdb: Run, workplace: Path, options: tuple[str, ...], kind: str, path: str | None, text: str
) -> None:
    """Where the gate asks for more than findings, each format that lists what to mend lists it."""
    (workplace / "notes.txt").write_text("Nothing of MQ.\n")
    (workplace / "other.mqsc").write_text("* Queue manager name: QM1\nALTER QLOCAL(NO.FLOW) BOTHRESH(9)\n")
    (workplace / "more.mqsc").write_text("DEFINE QLOCAL(MORE) BOTHRES(3)\n")
    if kind == "partial-export":
        index = workplace / "exports/was/cells/C1/nodes/node1/serverindex.xml"
        entry = '<serverEntries xmi:id="S_2" serverName="server2" serverType="APPLICATION_SERVER"/>\n</serverindex:'
        index.write_text(index.read_text().replace("</serverindex:", entry))
    if kind == "missing-export":
        shutil.rmtree(workplace / "exports" / "mq")
    script = workplace / "exports" / "mq" / "QM1.mqsc"
    if script.exists():
        script.write_text(script.read_text() + "DEFINE QLOCAL(NO.FLOW)\n")
    asked = ["check", "exports", *(() if kind == "undecided" else ("--on-message", "15s")), *options]

    def given(form: str) -> str:
        result = lintmdb(*asked, "--format", form, cwd=workplace)
        assert result.returncode == 4
        return result.stdout

    entries = json.loads(given("gitlab"))
    (entry,) = [entry for entry in entries if entry["check_name"] == kind]
    assert text in entry["description"]
    assert path in (None, entry["location"]["path"])
    messages = [failure.get("message", "") for failure in ElementTree.fromstring(given("junit")).iter("failure")]
    assert sum(text in message for message in messages) == 1
    assert text in given("github").partition("\n::error file=")[2]
    (invocation,) = json.loads(given("sarif"))["runs"][0]["invocations"]
    levels = [each["level"] for each in invocation["toolExecutionNotifications"] if text in each["message"]["text"]]
    assert levels == ["error"]
    assert given("markdown").startswith("## lintmdb: no findings, but ")


def test_a_refused_command_is_in_every_report_of_a_gate_that_passes(lintmdb: Run, tmp_path: Path) -> None:
    """What a refused DEFINE says counts nowhere: whoever reads that there is no finding has to know."""
    script = tmp_path / "q.mqsc"
    script.write_text("* Queue manager name: QM1\nDEFINE QLOCAL('ORDERS.IN') DEFPRTY(10)\nNONSENSE\n")
    asked = ("check", "fixtures/clean/was", script)
    run = lintmdb(*asked)
    shown = " ".join(run.stdout.split())
    assert run.returncode == 0
    assert "Refused 1 command that a queue manager would refuse (" in shown
    assert "Unclear 1 place not understood" in shown
    markdown = lintmdb(*asked, "--format", "markdown").stdout
    told = [line for line in markdown.splitlines() if line.startswith("- A command would be refused, ")]
    assert len(told) == 1
    assert f"{told[0]}\n\n#" in markdown  # a list that ends at once would take a table into its last entry
    assert '<skipped message="DEFINE QLOCAL(ORDERS.IN) would be refused' in lintmdb(*asked, "--format", "junit").stdout
    strict = lintmdb(*asked, "--format", "markdown", "--strict").stdout
    assert strict.count("DEFINE QLOCAL(ORDERS.IN) would be refused") == 1


@pytest.mark.parametrize("command", ["check", "diff"])
def test_a_change_that_is_not_judged_is_in_every_report_of_a_gate_that_passes(
    lintmdb: Run, workplace: Path, command: str
) -> None:
    """A reader who takes no findings for a good change would be wrong."""
    secured = "ALTER CHANNEL('WAS.SVRCONN') CHLTYPE(SVRCONN) SSLCIPH(ANY_TLS12_OR_HIGHER)"
    (workplace / "change.mqsc").write_text(f"* Queue manager name: QM1\n{secured}\n")
    asked = (command, "exports", "--on-message", "15s", "--change", "change.mqsc", "--fail-on", "never", "--format")
    says = "ALTER CHANNEL(WAS.SVRCONN) changes SSLCIPH"
    told = {kind: lintmdb(*asked, kind, cwd=workplace).stdout for kind in ("text", "markdown", "junit", "sarif")}
    assert "1 change not judged" in " ".join(told["text"].split())
    assert says in told["markdown"].replace("\\", "")
    assert f'<skipped message="{says}' in told["junit"]
    (note,) = [
        entry
        for entry in json.loads(told["sarif"])["runs"][0]["invocations"][0]["toolExecutionNotifications"]
        if entry.get("descriptor", {}).get("id") == "unjudged-change"
    ]
    assert note["level"] == "warning"
    assert note["locations"][0]["physicalLocation"]["region"]["startLine"] == 2
