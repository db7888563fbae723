"""JUnit, GitHub, GitLab, Markdown and CSV: schemas, golden files, and what each promises to those who read it."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import jsonschema
import pytest
import xmlschema

from lintmdb.engine.findings import Judgement
from lintmdb.report.formats import FORMATS
from lintmdb.report.github import render_github
from lintmdb.report.junit import render_junit
from lintmdb.report.markdown import render_markdown, render_summary
from lintmdb.run.estate import Estate
from lintmdb.run.gate import Gate
from tests.support import golden
from tests.support.command import Run
from tests.support.project import FIXTURES
from tests.support.scenario import Outcome, run_scenario
from tests.support.schemas import SCHEMAS, read_schema


@pytest.mark.slow
def test_junit_satisfies_a_strict_schema(outcome: Outcome) -> None:
    """The document is valid, and its totals are the numbers of verdicts."""
    text = render_junit(outcome.judgement, outcome.estate, Gate("info"))
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
    validator: Any = jsonschema.Draft202012Validator(read_schema("gitlab-code-quality.schema.json"))
    assert [error.message for error in validator.iter_errors(entries)] == []
    assert text.startswith("[")
    assert len({entry["fingerprint"] for entry in entries}) == len(entries) == len(outcome.judgement.findings)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(path.name for path in golden.FOLDER.iterdir()))
def test_golden(name: str) -> None:
    """The same input gives the same bytes; a change of a format is seen in review (python -m tests.support.golden)."""
    assert (golden.FOLDER / name).read_bytes().decode() == golden.reports()[name]


@pytest.mark.slow
def test_every_format_has_a_golden_file() -> None:
    """No format goes without."""
    assert set(golden.SUFFIXES) == set(FORMATS)
    assert {path.name for path in golden.FOLDER.iterdir()} == set(golden.reports())


# JUnit


def test_only_what_fails_the_gate_is_a_failure(estate: Outcome) -> None:
    """A finding below --fail-on is a passing case with its text."""
    findings = estate.judgement.findings
    for fail_on in ("never", "error", "warning", "info"):
        failing = sum(finding.rule.severity in Gate(fail_on).failing for finding in findings)
        text = render_junit(estate.judgement, estate.estate, Gate(fail_on))
        assert text.count("<failure ") == failing
        assert text.count("<system-out>") == len(findings) - failing
    assert text.count("<testcase ") == len(findings) + len(estate.judgement.undecided) + estate.judgement.clear
    body = render_junit(estate.judgement, estate.estate, Gate("error"))
    assert "<system-out>warning: " in body
    assert xmlschema.XMLSchema(SCHEMAS / "junit.xsd").is_valid(body)


def test_a_suite_is_an_input_root(estate: Outcome) -> None:
    """Suites are named by the exports, and a failure tells place, story and fix."""
    root = ElementTree.fromstring(render_junit(estate.judgement, estate.estate))
    assert {suite.get("name") for suite in root} == {
        "fixtures/all-families/mq/QM1.mqsc",
        "fixtures/all-families/mq/QM2.mqsc",
        "fixtures/all-families/mq/ZQM1.txt",
        "fixtures/all-families/was/cells/PRODCELL",
        "fixtures/all-families/was/cells/ZCELL",
    }
    failures = {case.get("name"): case.findtext("failure", "") for case in root.iter("testcase") if len(case)}
    body = failures["MDB302 endpoint-stops-before-backout"]
    assert "BOTHRESH(5)" in body
    assert "its limit is 3, so it stops" in body
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
    assert int(root.get("failures", "")) == sum(f.rule.severity == "error" for f in estate.judgement.findings)


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


def test_markdown_has_the_order_of_the_text(lintmdb: Run) -> None:
    """By severity, as its column says, and the worst fate first among equals; changes have the order of the fates."""
    asked = ("check", FIXTURES / "all-families", "--on-message", "15s")
    listed = lintmdb(*asked, "--quiet").stdout
    text = re.findall(r"^(error|warning|info) +(MDB\d+) .*?: (.{12})", listed, re.MULTILINE)
    text.sort(key=lambda row: ["error", "warning", "info"].index(row[0]))
    markdown = lintmdb(*asked, "--format", "markdown").stdout
    rows = re.findall(r"^\| (error|warning|info) \| (MDB\d+) \S+ \| (.{12})", markdown, re.MULTILINE)
    assert rows
    assert rows == text


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


def test_hosts_of_code_get_paths_from_the_root_of_the_repository(lintmdb: Run, tmp_path: Path) -> None:
    """Wherever in the work tree lintmdb runs; other formats name files as seen from the working directory."""
    (tmp_path / ".git").write_text("gitdir: elsewhere\n")
    shutil.copytree(FIXTURES / "backout-inert", tmp_path / "exports")
    (tmp_path / "changes" / "new").mkdir(parents=True)
    (tmp_path / "changes" / "new" / "QM1.mqsc").write_text("ALTER QLOCAL(ORDERS.IN) BOTHRESH(0)\n")
    place = "exports/mq/QM1.mqsc"

    def given(form: str, *options: str) -> str:
        asked = ("check", "../exports", "--select", "MDB104", "--format", form, *options)
        return lintmdb(*asked, cwd=tmp_path / "changes").stdout

    assert f"::error file={place},line=21," in given("github")
    assert json.loads(given("gitlab"))[0]["location"]["path"] == place
    (run,) = json.loads(given("sarif"))["runs"]
    uri = run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
    assert uri == {"uri": place}
    assert "::error file=changes/new/QM1.mqsc,line=1," in given("github", "--change", "new/QM1.mqsc")
    assert (
        f"[{(tmp_path / place).as_posix()}:21:4]"
        in lintmdb("check", "../exports", "--select", "MDB104", "-q", cwd=tmp_path / "changes").stdout
    )


def test_gitlab_gets_relative_paths_outside_of_a_repository(lintmdb: Run, tmp_path: Path) -> None:
    """It takes no others; an absolute path without its slash would be a file that is not there."""
    shutil.copytree(FIXTURES / "backout-inert", tmp_path / "exports")
    (tmp_path / "changes").mkdir()
    result = lintmdb("check", "../exports", "--select", "MDB104", "--format", "gitlab", cwd=tmp_path / "changes")
    assert json.loads(result.stdout)[0]["location"]["path"] == "../exports/mq/QM1.mqsc"
