"""The report formats: schemas, golden files, and what each promises to the programs that read it."""

from __future__ import annotations

import csv
import io
import json
import re
import zipfile
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import golden
import jsonschema
import pytest
import xmlschema
from conftest import FIXTURES, ROOT, Run
from scenario import RULES, Outcome, expected, run_scenario

from lintmdb.engine.findings import Judgement
from lintmdb.engine.judge import judge
from lintmdb.estate import Estate, read_estate
from lintmdb.observations import read_observations
from lintmdb.report import sarif
from lintmdb.report.formats import FORMATS
from lintmdb.report.github import render_github
from lintmdb.report.junit import render_junit
from lintmdb.report.line_hash import line_hashes
from lintmdb.report.markdown import render_markdown, render_summary
from lintmdb.report.sarif import render_sarif

SCHEMAS = ROOT / "tests" / "schemas"
SCENARIOS = (
    "estate",
    "broken-file",
    "bus-retry-spins",
    "clean",
    "conflicting-queue-managers",
    "incomplete-mq",
    "late-message-110-15-120",
    "topic-subscriptions",
    "unresolved-names",
    "zos-non-asf",
)


def _schema(name: str) -> dict[str, Any]:
    return json.loads((SCHEMAS / name).read_text())


@pytest.fixture(scope="module", params=SCENARIOS)
def outcome(request: pytest.FixtureRequest) -> Outcome:
    """Some scenarios, judged by all rules."""
    folder = FIXTURES / request.param
    return run_scenario(folder, expected(folder).get("options"))


@pytest.fixture(scope="module")
def estate() -> Outcome:
    """The bundled estate, with findings of most families."""
    return run_scenario(FIXTURES / "estate", {"on_message": "15s"})


def test_sarif_satisfies_both_schemas(outcome: Outcome) -> None:
    """The log is valid by SARIF's own schema, and by what GitHub needs beyond it."""
    log = json.loads(render_sarif(outcome.judgement, outcome.estate))
    official: Any = jsonschema.Draft4Validator(_schema("sarif-2.1.0-rtm.5.json"))
    github: Any = jsonschema.Draft202012Validator(_schema("github-sarif.schema.json"))
    assert [error.message for error in official.iter_errors(log)] == []
    assert [error.message for error in github.iter_errors(log)] == []
    assert len(log["runs"][0]["results"]) == len(outcome.judgement.findings)


def test_junit_satisfies_a_strict_schema(outcome: Outcome) -> None:
    """The document is valid, and its totals are the numbers of verdicts."""
    text = render_junit(outcome.judgement, outcome.estate)
    schema: Any = xmlschema.XMLSchema(SCHEMAS / "junit.xsd")
    assert [str(error) for error in schema.iter_errors(text)] == []
    root = ElementTree.fromstring(text)
    judgement = outcome.judgement
    assert root.get("failures") == str(len(judgement.findings))
    assert root.get("skipped") == str(len(judgement.undecided))
    assert root.get("tests") == str(len(judgement.findings) + len(judgement.undecided) + judgement.clear)
    for name in ("tests", "failures", "skipped"):
        assert sum(int(suite.get(name, "")) for suite in root) == int(root.get(name, ""))


def test_gitlab_satisfies_its_schema(outcome: Outcome) -> None:
    """The report is valid, has no byte order mark, and no fingerprint twice."""
    text = FORMATS["gitlab"].render(outcome.judgement, outcome.estate)
    entries = json.loads(text)
    validator: Any = jsonschema.Draft202012Validator(_schema("gitlab-code-quality.schema.json"))
    assert [error.message for error in validator.iter_errors(entries)] == []
    assert text.startswith("[")
    assert len({entry["fingerprint"] for entry in entries}) == len(entries) == len(outcome.judgement.findings)


@pytest.mark.parametrize("name", sorted(path.name for path in golden.FOLDER.iterdir()))
def test_golden(name: str) -> None:
    """The same input gives the same bytes; a change of a format is seen in review (python tests/golden.py)."""
    assert (golden.FOLDER / name).read_bytes().decode() == golden.reports()[name]


def test_every_format_has_a_golden_file() -> None:
    """No format goes without."""
    assert set(golden.SUFFIXES) == set(FORMATS)
    assert {path.name for path in golden.FOLDER.iterdir()} == set(golden.reports())


# SARIF


def _results(outcome: Outcome) -> list[dict[str, Any]]:
    return json.loads(render_sarif(outcome.judgement, outcome.estate))["runs"][0]["results"]


def test_regions_cover_the_setting(estate: Outcome) -> None:
    """Each region lies on its line; where it shows a setting of MQ it covers exactly that."""
    seen = 0
    for result in _results(estate):
        for location in (*result["locations"], *result.get("relatedLocations", ())):
            physical = location["physicalLocation"]
            region = physical["region"]
            line = (ROOT / physical["artifactLocation"]["uri"]).read_text().splitlines()[region["startLine"] - 1]
            assert region["startColumn"] < region["endColumn"] <= len(line) + 1
            text = location.get("message", {}).get("text", "")
            if re.fullmatch(r"BOTHRESH\(\d\)", text):
                assert line[region["startColumn"] - 1 : region["endColumn"] - 1] == text
                seen += 1
    assert seen


def test_related_locations_are_linked(estate: Outcome) -> None:
    """Each related location is linked from the message, whose first sentence is the finding's own."""
    for result, finding in zip(_results(estate), _ranked(estate.judgement), strict=True):
        text = result["message"]["text"]
        assert text.startswith(f"{finding.message}.")
        links = {int(number) for number in re.findall(r"(?<!\\)\]\((\d+)\)", text)}
        assert links == {location["id"] for location in result.get("relatedLocations", ())}


def _ranked(judgement: Judgement) -> list[Any]:
    from lintmdb.report.places import worst_first

    return worst_first(judgement.findings)


def test_code_flows_tell_the_story_with_its_counters(estate: Outcome) -> None:
    """A finding about delivery has a flow: each step has a place, and the backout count rises from step to step."""
    by_rule = {result["ruleId"]: result for result in _results(estate)}
    (flow,) = by_rule["MDB302"]["codeFlows"]
    steps = flow["threadFlows"][0]["locations"]
    counts = [int(step["state"]["BackoutCount"]["text"]) for step in steps if "BackoutCount" in step.get("state", {})]
    assert counts == sorted(counts)
    assert counts[-1] == 3
    texts = [step["location"]["message"]["text"] for step in steps]
    assert texts[-1] == "endpoint: OrdersAS has counted 3 sequential failures, its limit is 3: it stops"
    stop = steps[-1]["location"]["physicalLocation"]
    assert stop["artifactLocation"]["uri"].endswith("resources.xml")
    assert "codeFlows" not in by_rule["MDB206"]


def test_undecided_is_a_notification_and_no_result() -> None:
    """One missing export is one notification, with the rules that wait for it."""
    outcome = run_scenario(FIXTURES / "incomplete-mq", {"on_message": "15s"})
    run = json.loads(render_sarif(outcome.judgement, outcome.estate))["runs"][0]
    assert run["results"] == []
    (notification,) = run["invocations"][0]["toolExecutionNotifications"]
    assert notification["level"] == "note"
    assert "dmpmqcfg -m QM1 -a" in notification["message"]["text"]
    assert notification["properties"]["undecided"] == len(outcome.judgement.undecided)


def test_results_beyond_the_limit_are_the_least_severe(estate: Outcome, monkeypatch: pytest.MonkeyPatch) -> None:
    """GitHub refuses larger runs: the worst are kept, and the log says how many are not."""
    monkeypatch.setattr(sarif, "MAX_RESULTS", 12)
    run = json.loads(render_sarif(estate.judgement, estate.estate))["runs"][0]
    assert [result["level"] for result in run["results"]] == ["error"] * 12
    first = run["invocations"][0]["toolExecutionNotifications"][0]
    assert first["level"] == "warning"
    assert f"{len(estate.judgement.findings) - 12} of the least severe are left out" in first["message"]["text"]


@pytest.mark.parametrize(
    ("text", "hashes"),
    [
        ("", ["c129715d7a2bc9a3:1"]),
        (" a\nb\n  \t\tc\n d", ["271789c17abda88f:1", "54703d4cd895b18:1", "180aee12dab6264:1", "a23a3dc5e078b07b:1"]),
        *(
            (
                " hello; \t\nworld!!!\n\n\n  \t\tGreetings\n End\n".replace("\n", end),
                [
                    "e9496ae3ebfced30:1",
                    "fb7c023a8b9ccb3f:1",
                    "ce8ba1a563dcdaca:1",
                    "e20e36e16fcb0cc8:1",
                    "b3edc88f2938467e:1",
                    "c8e28b0b4002a3a0:1",
                    "c129715d7a2bc9a3:1",
                ],
            )
            for end in ("\n", "\r", "\r\n")
        ),
    ],
)
def test_line_hashes_are_those_of_github(text: str, hashes: list[str]) -> None:
    """The values are those that GitHub's own action works out for these texts."""
    assert line_hashes(text, range(1, 100)) == dict(enumerate(hashes, 1))


def test_equal_lines_are_numbered() -> None:
    """Lines whose windows are equal have one hash and different numbers."""
    text = "same\n" * 200
    hashes = line_hashes(text, {1, 2, 100})
    assert [value.partition(":")[2] for value in hashes.values()] == ["1", "2", "100"]
    assert len({value.partition(":")[0] for value in hashes.values()}) == 1
    assert line_hashes("\U0001f600a\n", {1}) == line_hashes("\ud83d\ude00a\n", {1})


def test_members_of_archives_have_readable_uris_and_hashes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A place in an archive is a relative URI, percent-encoded, and its line has the hash of the same file outside."""
    monkeypatch.chdir(tmp_path)
    source = FIXTURES / "stop-3-sessions-5-bothresh-5"
    with zipfile.ZipFile("export of März 100%.zip", "w") as archive:
        for file in sorted((source / "was").rglob("*")):
            archive.write(file, file.relative_to(source / "was"))
    found = read_estate(["export of März 100%.zip", source / "mq"], read_observations(None, None))
    judgement = judge(found.facts, [rule for rule in RULES if rule.id in ("MDB302", "MDB703")])
    outside = run_scenario(source)
    log = render_sarif(judgement, found)
    assert "export%20of%20M%C3%A4rz%20100%25.zip!/cells/C1/nodes/node1/servers/server1/resources.xml" in log
    assert _hashes(judgement, found) == _hashes(outside.judgement, outside.estate)


def _hashes(judgement: Judgement, estate: Estate) -> list[str]:
    results = json.loads(render_sarif(judgement, estate))["runs"][0]["results"]
    return [
        result["partialFingerprints"]["primaryLocationLineHash"] for result in results if result["ruleId"] == "MDB302"
    ]


def test_files_outside_the_working_directory_have_relative_uris(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Such a URI begins at the root of the file system and names it as its base."""
    monkeypatch.chdir(tmp_path)
    found = read_estate([FIXTURES / "backout-inert"], read_observations(None, None))
    run = json.loads(render_sarif(judge(found.facts, RULES), found))["runs"][0]
    artifact = run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
    assert not artifact["uri"].startswith(("/", "."))
    base = run["originalUriBaseIds"][artifact["uriBaseId"]]["uri"]
    assert base + artifact["uri"] == (FIXTURES / "backout-inert").as_uri() + "/mq/QM1.mqsc"


def test_rules_are_complete(estate: Outcome) -> None:
    """Every rule that was asked is there with its explanation, and results point at theirs."""
    run = json.loads(render_sarif(estate.judgement, estate.estate))["runs"][0]
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == [rule.id for rule in RULES]
    assert all("## Fix" in rule["help"]["markdown"] for rule in rules)
    assert all(rules[result["ruleIndex"]]["id"] == result["ruleId"] for result in run["results"])


def test_the_docs_show_real_sarif() -> None:
    """The excerpts in docs/formats.md are parts of the log of the command above them."""
    shown = re.findall(r"^```json\n(.*?)^```", (ROOT / "docs" / "formats.md").read_text(), re.MULTILINE | re.DOTALL)
    result, step = map(json.loads, shown)
    outcome = run_scenario(FIXTURES / "backout-inert")
    (real,) = (entry for entry in _results(outcome) if entry["ruleId"] == result["ruleId"])
    assert {key: real[key] for key in result} == result
    assert step in real["codeFlows"][0]["threadFlows"][0]["locations"]


# JUnit


def test_a_suite_is_an_input_root(estate: Outcome) -> None:
    """Suites are named by the exports, and a failure tells place, story and fix."""
    root = ElementTree.fromstring(render_junit(estate.judgement, estate.estate))
    assert {suite.get("name") for suite in root} == {
        "fixtures/estate/mq/QM1.mqsc",
        "fixtures/estate/mq/QM2.mqsc",
        "fixtures/estate/mq/ZQM1.txt",
        "fixtures/estate/was/cells/PRODCELL",
        "fixtures/estate/was/cells/ZCELL",
    }
    failures = {case.get("name"): case.findtext("failure", "") for case in root.iter("testcase") if len(case)}
    body = failures["MDB302 endpoint-stops-before-backout"]
    assert "BOTHRESH(5)" in body
    assert "its limit is 3: it stops" in body
    assert "\nfix: " in body


def test_an_empty_run_is_one_passing_case() -> None:
    """Servers take a file without cases for a mistake."""
    text = render_junit(Judgement(), Estate())
    schema: Any = xmlschema.XMLSchema(SCHEMAS / "junit.xsd")
    schema.validate(text)
    (case,) = ElementTree.fromstring(text).iter("testcase")
    assert len(case) == 0


def test_many_passing_cases_are_summed_up(estate: Outcome, monkeypatch: pytest.MonkeyPatch) -> None:
    """Servers keep every case: above a limit there is one a rule and suite."""
    from lintmdb.report import junit

    monkeypatch.setattr(junit, "MAX_PASSING", 100)
    root = ElementTree.fromstring(render_junit(estate.judgement, estate.estate))
    passing = [case.get("name", "") for case in root.iter("testcase") if len(case) == 0]
    numbers = [re.fullmatch(r"MDB\d{3} [a-z-]+: (\d+) clear", name) for name in passing]
    assert sum(int(match.group(1)) for match in numbers if match) == estate.judgement.clear
    assert int(root.get("failures", "")) == len(estate.judgement.findings)


# GitHub, GitLab, Markdown, CSV


def test_annotations_come_worst_first(estate: Outcome) -> None:
    """Ten are shown: errors come before warnings, and those before notices."""
    levels = re.findall(r"^::(\w+) ", render_github(estate.judgement, estate.estate), re.MULTILINE)
    assert levels == sorted(levels, key=["error", "warning", "notice"].index)
    assert set(levels) == {"error", "warning", "notice"}


def test_clean_runs() -> None:
    """A clean run is an empty array for GitLab, no annotation, a header alone in CSV, and one line of Markdown."""
    outcome = run_scenario(FIXTURES / "clean", {"on_message": "15s"})
    made = {name: form.render(outcome.judgement, outcome.estate) for name, form in FORMATS.items()}
    assert made["gitlab"] == "[]\n"
    assert made["github"] == ""
    assert made["csv"].count("\n") == 1
    assert made["markdown"].startswith("## lintmdb: no findings\n")
    assert "|" not in made["markdown"]


def test_csv_has_a_row_for_each_verdict_that_is_not_clear(estate: Outcome) -> None:
    """Hazards with their values, undecided ones with what is missing."""
    rows = list(csv.DictReader(io.StringIO(FORMATS["csv"].render(estate.judgement, estate.estate))))
    assert len(rows) == len(estate.judgement.findings) + len(estate.judgement.undecided)
    (row,) = (row for row in rows if row["rule"] == "MDB302")
    assert (row["name"], row["queue"], row["line"]) == ("OrdersAS", "ORDERS.IN", "26")
    assert {row["missing"] for row in rows if row["verdict"] == "undecided"} >= {"bean.transaction"}


def test_the_summary_keeps_to_the_limit(estate: Outcome, monkeypatch: pytest.MonkeyPatch) -> None:
    """GitHub drops a summary that is too long: what does not fit is counted, what is undecided stays."""
    from lintmdb.report import markdown

    monkeypatch.setattr(markdown, "MAX_SUMMARY_BYTES", 2500)
    text = render_summary(estate.judgement, estate.estate)
    rows = re.findall(r"^\| (?:error|warning|info) ", text, re.MULTILINE)
    assert len(text.encode()) < 2700
    assert f"{len(estate.judgement.findings) - len(rows)} more findings do not fit here." in text
    assert "### Undecided" in text
    assert len(render_markdown(estate.judgement, estate.estate)) > 5000


# Where reports go


def test_each_format_goes_to_its_file(lintmdb: Run, tmp_path: Path) -> None:
    """All formats in one run are drawn from the same findings."""
    options = [part for name in FORMATS for part in ("--format", f"{name}={tmp_path / name}")]
    result = lintmdb("check", "fixtures/backout-inert", *options)
    assert (result.returncode, result.stdout, result.stderr) == (1, "", "")
    for name in FORMATS:
        assert "MDB104" in (tmp_path / name).read_text(), name
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(FORMATS)


def test_workflows_get_annotations_beside_the_text(lintmdb: Run, tmp_path: Path) -> None:
    """In a GitHub workflow the annotations follow the text, and the summary is appended as Markdown."""
    summary = tmp_path / "summary.md"
    summary.write_text("of another step\n")
    env = {"GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": str(summary)}
    plain = lintmdb("check", "fixtures/backout-inert").stdout
    result = lintmdb("check", "fixtures/backout-inert", env=env)
    assert result.returncode == 1
    assert result.stdout.startswith(plain)
    annotations = result.stdout.removeprefix(plain).splitlines()
    assert len(annotations) == 2
    assert all(line.startswith("::error file=fixtures/backout-inert/") for line in annotations)
    assert summary.read_text().startswith("of another step\n## lintmdb: 2 errors\n")
    assert lintmdb("check", "fixtures/backout-inert", "--format", "github").stdout == result.stdout


def test_a_workflow_does_not_spoil_other_output(lintmdb: Run, tmp_path: Path) -> None:
    """Where standard output is a document, or nothing, no annotation is added."""
    env = {"GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md")}
    result = lintmdb("check", "fixtures/backout-inert", "--format", "json", env=env)
    assert json.loads(result.stdout)["schema"] == "lintmdb/1"
    result = lintmdb("check", "fixtures/backout-inert", "--format", f"sarif={tmp_path / 'a.sarif'}", env=env)
    assert result.stdout == ""
    assert (
        lintmdb("trace", "fixtures/backout-inert", env=env).stdout == lintmdb("trace", "fixtures/backout-inert").stdout
    )
    assert not (tmp_path / "summary.md").exists()


@pytest.mark.parametrize(
    ("entries", "says"),
    [
        (["json="], "names no file"),
        (["json=fixtures"], "fixtures: is a folder"),
        (["json=a", "csv=a"], "two reports would go to one place"),
        (["github", "json"], "both go to standard output"),
        (["json=README.md/x"], "README.md/x: cannot be written: what it names as its folder is a file"),
        (["json=/dev/full"], "/dev/full: cannot be written: No space left on device"),
        (["json=/proc/x/y"], "/proc/x/y: cannot be written"),
    ],
)
def test_output_problems_are_one_line(lintmdb: Run, entries: list[str], says: str) -> None:
    """A report that cannot be written is one clear line and exit code 2."""
    options = [part for entry in entries for part in ("--format", entry)]
    result = lintmdb("check", "fixtures/backout-inert", *options)
    assert result.returncode == 2
    assert says in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_a_full_standard_output_is_one_line() -> None:
    """So is a report that standard output does not take."""
    import subprocess
    import sys

    with open("/dev/full", "w") as full:
        command = [sys.executable, "-m", "lintmdb", "check", "fixtures/backout-inert"]
        result = subprocess.run(command, cwd=ROOT, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert result.returncode == 2
    assert result.stderr == "lintmdb: standard output cannot be written: No space left on device\n"


def test_a_report_that_fails_leaves_the_old_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file is replaced as a whole: when writing fails, what was there stays and nothing else is left."""
    from lintmdb.errors import LintmdbError
    from lintmdb.report.outputs import write

    file = tmp_path / "report.json"
    write("old", file)
    file.chmod(0o640)

    def fail(self: Path, target: Path) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", fail)
        with pytest.raises(LintmdbError, match="No space left"):
            write("new", file)
    assert file.read_text() == "old"
    write("new", file)
    assert file.read_text() == "new"
    assert file.stat().st_mode & 0o777 == 0o640
    assert [path.name for path in tmp_path.iterdir()] == ["report.json"]
