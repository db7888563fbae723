"""SARIF: its own schema, what GitHub needs beyond it, places, stories, fingerprints, and what is there on request."""

from __future__ import annotations

import json
import re
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from lintmdb.addresses import DOCUMENTATION
from lintmdb.engine.findings import Judgement
from lintmdb.engine.judge import judge
from lintmdb.model.origins import Origin
from lintmdb.report import sarif
from lintmdb.report.file_texts import FileTexts
from lintmdb.report.github import render_github
from lintmdb.report.gitlab import render_gitlab
from lintmdb.report.line_hash import line_hashes
from lintmdb.report.sarif import render_sarif
from lintmdb.resolve.observations import read_observations
from lintmdb.run.estate import Estate, read_estate
from tests.support.command import Run
from tests.support.project import FIXTURES, ROOT
from tests.support.scenario import RULES, Outcome, run_scenario
from tests.support.schemas import read_schema


@pytest.mark.slow
def test_sarif_satisfies_both_schemas(outcome: Outcome) -> None:
    """The log is valid by SARIF's own schema, and by what GitHub needs beyond it."""
    log = json.loads(render_sarif(outcome.judgement, outcome.estate))
    official: Any = jsonschema.Draft4Validator(read_schema("sarif-2.1.0-rtm.5.json"))
    github: Any = jsonschema.Draft202012Validator(read_schema("github-sarif.schema.json"))
    assert [error.message for error in official.iter_errors(log)] == []
    assert [error.message for error in github.iter_errors(log)] == []
    assert len(log["runs"][0]["results"]) == len(outcome.judgement.findings)


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
    assert texts[-1] == "endpoint: OrdersAS has counted 3 sequential failures and its limit is 3, so it stops"
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


def test_places_in_archives_point_at_the_archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A tool opens no file within an archive: the place is the archive, a relative URI, percent-encoded, and the member
    with its line is in the text. The hash is that of the same line outside.
    """
    monkeypatch.chdir(tmp_path)
    source = FIXTURES / "stop-3-sessions-5-bothresh-5"
    with zipfile.ZipFile("export of März 100%.zip", "w") as archive:
        for file in sorted((source / "was").rglob("*")):
            archive.write(file, file.relative_to(source / "was"))
    found = read_estate(["export of März 100%.zip", source / "mq"], read_observations(None, None))
    judgement = judge(found.facts, [rule for rule in RULES if rule.id in ("MDB302", "MDB703")])
    outside = run_scenario(source)
    log = render_sarif(judgement, found)
    archive, member = "export%20of%20M%C3%A4rz%20100%25.zip", "cells/C1/nodes/node1/servers/server1/resources.xml"
    result = next(result for result in json.loads(log)["runs"][0]["results"] if result["ruleId"] == "MDB302")
    places = {place["physicalLocation"]["artifactLocation"]["uri"] for place in result["locations"]}
    assert (places, "!/" in log) == ({archive}, False)
    assert result["message"]["text"].endswith(f"It is in {member}:24.")
    assert any(f"(in {member}:24)" in place["message"]["text"] for place in result["relatedLocations"])
    assert all(place["physicalLocation"]["region"]["startLine"] == 1 for place in result["locations"])
    assert _hashes(judgement, found) == _hashes(outside.judgement, outside.estate)
    commands = render_github(judgement, found)
    assert "file=export of März 100%25.zip,title=MDB302 endpoint-stops-before-backout::" in commands
    assert f"It is in {member}:24.\n" in commands
    (entry,) = [entry for entry in json.loads(render_gitlab(judgement, found)) if entry["check_name"] == "MDB302"]
    assert entry["location"] == {"path": "export of März 100%.zip", "lines": {"begin": 1}}
    assert entry["description"].endswith(f"(in {member}:24)")


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
    """Every rule that has a result is there with its explanation, and no other: results point at theirs."""
    run = json.loads(render_sarif(estate.judgement, estate.estate))["runs"][0]
    rules = run["tool"]["driver"]["rules"]
    needed = {result["ruleId"] for result in run["results"]} | {
        entry["associatedRule"]["id"]
        for entry in run["invocations"][0]["toolExecutionNotifications"]
        if "associatedRule" in entry
    }
    assert [rule["id"] for rule in rules] == sorted(needed)
    assert 5 < len(rules) < len(RULES)
    assert all(rule["helpUri"] == f"{DOCUMENTATION}rules/{rule['id']}/" for rule in rules)
    assert run["tool"]["driver"]["informationUri"] == DOCUMENTATION
    assert all("## Fix" in rule["help"]["markdown"] for rule in rules)
    assert all(rules[result["ruleIndex"]]["id"] == result["ruleId"] for result in run["results"])


def test_a_rule_of_a_users_own_has_its_own_address() -> None:
    """lintmdb documents its own rules: another rule has the first page that it refers to, or none."""
    own = replace(
        RULES[0], id="SHOP1", references=({"title": "a book"}, {"title": "Wiki", "url": "https://wiki.invalid/1"})
    )
    assert sarif.help_uri(own) == "https://wiki.invalid/1"
    assert sarif.help_uri(replace(own, references=())) is None
    assert sarif.help_uri(RULES[0]) == f"{DOCUMENTATION}rules/{RULES[0].id}/"


def test_the_docs_show_real_sarif() -> None:
    """The excerpts in docs/formats.md are parts of the log of the command above them."""
    shown = re.findall(r"^```json\n(.*?)^```", (ROOT / "docs" / "formats.md").read_text(), re.MULTILINE | re.DOTALL)
    result, step = map(json.loads, shown)
    outcome = run_scenario(FIXTURES / "backout-inert")
    (real,) = (entry for entry in _results(outcome) if entry["ruleId"] == result["ruleId"])
    assert {key: real[key] for key in result} == result
    assert step in real["codeFlows"][0]["threadFlows"][0]["locations"]


def _with_extras(options: list[str], lintmdb: Run, folder: Path) -> dict[str, Any]:
    """The run of the estate with two suppressions, one of them of a rule that is undecided elsewhere."""
    arguments = ["check", "--config", "docs/lintmdb.toml", "--format", f"sarif={folder / 'log.sarif'}"]
    result = lintmdb(*arguments, *(part for name in options for part in ("--sarif-include", name)))
    assert result.returncode == 1
    assert result.stderr.startswith("lintmdb: 2 names of queue managers are guessed")
    assert result.stderr.count("\n") == 1
    log = json.loads((folder / "log.sarif").read_text("utf-8"))
    official: Any = jsonschema.Draft4Validator(read_schema("sarif-2.1.0-rtm.5.json"))
    assert [error.message for error in official.iter_errors(log)] == []
    return log["runs"][0]


@pytest.mark.slow
def test_suppressed_results_are_there_on_request(lintmdb: Run, tmp_path: Path) -> None:
    """Each says who decided, why and where; the results that count say that nobody did. Otherwise none is there."""
    without = _with_extras([], lintmdb, tmp_path)["results"]
    results = _with_extras(["suppressed"], lintmdb, tmp_path)["results"]
    left_out = [result for result in results if result["suppressions"]]
    counted = [result["partialFingerprints"] for result in results if not result["suppressions"]]
    assert counted == [result["partialFingerprints"] for result in without]
    assert not any("suppressions" in result for result in without)
    assert {result["ruleId"] for result in left_out} == {"MDB104", "MDB705"}
    (stock,) = (result["suppressions"] for result in left_out if result["ruleId"] == "MDB104")
    assert stock == [
        {
            "kind": "external",
            "status": "accepted",
            "justification": "the queue is drained by hand until the new release",
            "location": {
                "physicalLocation": {
                    "artifactLocation": {"uri": "docs/lintmdb.toml"},
                    "region": {"startLine": 21},
                }
            },
            "properties": {"by": "configuration", "expires": "2099-06-30", "owner": "stock team"},
        }
    ]


def test_a_comment_suppresses_in_the_source(lintmdb: Run, tmp_path: Path) -> None:
    """A comment in hand-kept MQSC is a suppression in the export itself, a baseline one beside it."""
    text = (FIXTURES / "backout-inert" / "mq" / "QM1.mqsc").read_text("utf-8")
    script = tmp_path / "QM1.mqsc"
    script.write_text(
        text.replace("DEFINE QLOCAL('ORDERS.IN')", "* lintmdb: allow MDB104 known\nDEFINE QLOCAL('ORDERS.IN')")
    )
    exports = [FIXTURES / "backout-inert" / "was", script]
    baseline = tmp_path / "known.jsonl"
    assert lintmdb("baseline", "write", baseline, *exports).returncode == 0
    log = tmp_path / "log.sarif"
    options = ["--baseline", baseline, "--format", f"sarif={log}", "--sarif-include", "suppressed"]
    assert lintmdb("check", *exports, *options).returncode == 0
    results = json.loads(log.read_text("utf-8"))["runs"][0]["results"]
    said = {result["ruleId"]: result["suppressions"][0] for result in results}
    assert {rule: entry["kind"] for rule, entry in said.items()} == {"MDB104": "inSource", "MDB304": "external"}
    assert said["MDB104"]["justification"] == "known"
    assert said["MDB304"]["properties"] == {"by": "baseline"}


def test_undecided_results_are_open_on_request(lintmdb: Run, tmp_path: Path) -> None:
    """Each is of the kind open and the level none, points at its endpoint, and says what is missing."""
    run = _with_extras(["undecided"], lintmdb, tmp_path)
    found = [result for result in run["results"] if result["kind"] == "open"]
    notified = run["invocations"][0]["toolExecutionNotifications"]
    assert len(found) == sum(entry["properties"]["undecided"] for entry in notified) > 5
    assert {result["level"] for result in found} == {"none"}
    assert len({result["partialFingerprints"]["lintmdb/v1"] for result in run["results"]}) == len(run["results"])
    assert all("suppressions" not in result for result in run["results"])
    booking = next(result for result in found if result["ruleId"] == "MDB113")
    text = "without the RACF authorities of the user of BookingAS at ZQM1, which no export contains."
    assert text in booking["message"]["text"]
    assert booking["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].endswith("zserver/resources.xml")


def test_extras_without_sarif_are_an_error(lintmdb: Run) -> None:
    """An option that would do nothing is no silent one."""
    result = lintmdb("check", "fixtures/clean", "--sarif-include", "undecided")
    assert result.returncode == 2
    assert "Add --format sarif=PATH" in result.stderr


SCRIPT = """\
DEFINE QLOCAL('ORDERS.IN') REPLACE +
   BOTHRESH(0) BOQNAME('ORDERS.BACKOUT')
DEFINE QLOCAL('ORDERS.BACKOUT') REPLACE
DEFINE QLOCAL('QM1.DEAD') REPLACE
ALTER QMGR DEADQ('QM1.DEAD')
"""


def _fixes(folder: Path, mqsc: str | None) -> dict[str, Any]:
    """The fixes of results by rule; ``mqsc`` stands in place of the dump of backout-inert."""
    exports = [FIXTURES / "backout-inert" / "was", FIXTURES / "backout-inert" / "mq" / "QM1.mqsc"]
    if mqsc is not None:
        exports[1] = folder / "QM1.mqsc"
        exports[1].write_text(mqsc)
    found = read_estate(exports, read_observations(None, None))
    judgement = judge(found.facts, [rule for rule in RULES if rule.id == "MDB104"])
    log = json.loads(render_sarif(judgement, found))
    official: Any = jsonschema.Draft4Validator(read_schema("sarif-2.1.0-rtm.5.json"))
    assert [error.message for error in official.iter_errors(log)] == []
    return {result["ruleId"]: result.get("fixes") for result in log["runs"][0]["results"]}


def test_a_script_has_fixes_that_end_the_finding(tmp_path: Path) -> None:
    """The replacement, made in the script, is what the fix says; the finding is gone then."""
    ((fix,),) = _fixes(tmp_path, SCRIPT).values()
    assert fix["description"]["text"] == "BOTHRESH(3)"
    ((replacement,),) = (change["replacements"] for change in fix["artifactChanges"])
    region: dict[str, int] = replacement["deletedRegion"]
    lines = SCRIPT.splitlines(keepends=True)
    line = lines[region["startLine"] - 1]
    start, end = region["startColumn"] - 1, region["endColumn"] - 1
    assert line[start:end] == "BOTHRESH(0)"
    lines[region["startLine"] - 1] = line[:start] + replacement["insertedContent"]["text"] + line[end:]
    assert _fixes(tmp_path, "".join(lines)) == {}


def test_dumps_and_settings_that_are_not_written_have_no_fixes(tmp_path: Path) -> None:
    """A dump is a copy, even if it is cut off; and what a script does not say cannot be replaced in it."""
    assert _fixes(tmp_path, None) == {"MDB104": None}
    dump = (FIXTURES / "backout-inert" / "mq" / "QM1.mqsc").read_text()
    assert _fixes(tmp_path, dump.partition("SET AUTHREC")[0])["MDB104"] is None
    assert _fixes(tmp_path, SCRIPT.replace("BOTHRESH(0) ", "")) == {"MDB104": None}


def test_a_transcript_has_no_fixes(tmp_path: Path) -> None:
    """It is a copy as a dump is: to edit it changes no system."""
    session = "Starting MQSC for queue manager QM1.\n     1 : dis q(*) all\n"
    for name, backout, threshold in (("ORDERS.IN", "ORDERS.BACKOUT", 0), ("ORDERS.BACKOUT", " ", 0)):
        session += "AMQ8409I: Display Queue details.\n"
        session += f"   QUEUE({name})\n   TYPE(QLOCAL)   BOQNAME({backout})   BOTHRESH({threshold})\n"
    assert _fixes(tmp_path, session) == {"MDB104": None}


@pytest.mark.parametrize(
    ("line", "covered"),
    [
        ('    "new": "GONE.Q",', '"new": "GONE.Q"'),
        ('{"old": "", "new": "A \\" b", "rules": []}', '"new": "A \\" b"'),
        ('{"change": "define", "kind": "QLOCAL"}', "{"),
    ],
)
def test_a_region_of_json_is_one_member(line: str, covered: str) -> None:
    """Not the comma after it, and not the rest of a file without line ends."""
    start = line.index(covered)
    place = Origin("plan.json", 1, start + 1, "BOQNAME('GONE.Q')")
    region = FileTexts({"plan.json": line.encode}, [place]).region(place)
    assert line[region.column - 1 : region.end_column - 1] == covered
