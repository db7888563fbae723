"""Names and descriptions that mean harm reach no report unescaped: each one is read by a parser of its format."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import jsonschema
import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from lintmdb.engine.judge import judge
from lintmdb.engine.repairs import find_alternatives
from lintmdb.report.changes import change_words
from lintmdb.report.flow_repairs import advice_on
from lintmdb.report.formats import FORMATS
from lintmdb.report.github import fenced
from lintmdb.report.html.visible_text import clipped, visible
from lintmdb.report.terminal import safe
from lintmdb.resolve.observations import read_observations
from lintmdb.run.estate import read_estate
from tests.support.command import Run
from tests.support.hostile_names import CONTROL, PAYLOADS, hostile_estate
from tests.support.html_page import Page
from tests.support.project import ROOT
from tests.support.scenario import RULES

ALL = {**PAYLOADS, **CONTROL}
TAGS = {
    *("html", "head", "meta", "title", "style", "body", "a", "nav", "ul", "ol", "li", "main", "header", "footer"),
    *("section", "article", "div", "p", "h1", "h2", "h3", "h4", "dl", "dt", "dd", "span", "b", "code", "mark", "pre"),
    *("small", "svg", "g", "rect", "path", "text", "details", "summary", "table", "caption", "thead", "tbody"),
    *("tr", "th", "td", "label", "select", "option", "optgroup", "input", "output", "button", "script"),
}
ATTRIBUTES = {
    *("lang", "charset", "http-equiv", "content", "name", "href", "class", "id", "aria-label", "role", "tabindex"),
    *("scope", "d", "open", "for", "value", "label", "autocomplete", "type", "spellcheck", "popover", "popovertarget"),
    *(
        "aria-labelledby",
        "aria-hidden",
        "focusable",
        "width",
        "height",
        "x",
        "data-fate",
        "data-w",
        "data-c",
        "data-size",
    ),
}
UNSEEN = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]")


@pytest.fixture(scope="module", params=ALL, ids=list(ALL))
def reports(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """All formats for one hostile name, and the messages that they are to carry."""
    folder = tmp_path_factory.mktemp("hostile")
    hostile_estate(folder / "estate", ALL[request.param])
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        estate = read_estate(["estate"], read_observations(None, "15s"))
        judgement = judge(estate.facts, [rule for rule in RULES if rule.id in ("MDB105", "MDB302")])
        made: dict[str, Any] = {name: form.render(judgement, estate) for name, form in FORMATS.items()}
    made["messages"] = sorted(finding.message for finding in judgement.findings)
    made["fixes"] = sorted(finding.fix for finding in judgement.findings)
    found = [find_alternatives(finding.rule, finding.rows) for finding in judgement.findings]
    made["changes"] = sorted({change_words(change) for alternatives in found for change in alternatives[0]})
    made["advice"] = [text for finding in judgement.findings for text in advice_on(finding)]
    name = ALL[request.param]
    assert any(name in message for message in made["messages"])
    return made


@pytest.mark.slow
def test_nothing_unseen_is_in_any_report(reports: dict[str, Any]) -> None:
    """Characters that steer a terminal or an eye are shown; JSON for programs carries them as they are."""
    for name in FORMATS:
        if name != "json":
            assert UNSEEN.search(reports[name]) is None, name
    assert sorted(entry["message"] for entry in json.loads(reports["json"])["findings"]) == reports["messages"]


def test_sarif(reports: dict[str, Any]) -> None:
    """Messages are the findings' own; brackets from an export make no link, braces no argument."""
    log = json.loads(reports["sarif"])
    github: Any = jsonschema.Draft202012Validator(
        json.loads((ROOT / "tests" / "schemas" / "github-sarif.schema.json").read_text())
    )
    assert [error.message for error in github.iter_errors(log)] == []
    results = log["runs"][0]["results"]
    shown: list[str] = []
    for result in results:
        text = result["message"]["text"]
        assert re.search(r"(?<!\{)\{\d+\}", text) is None
        links = re.findall(r"(?<!\\)\[(?:\\.|[^\\\[\]])*\]\(([^)]*)\)", text)
        assert links == [str(location["id"]) for location in result.get("relatedLocations", ())]
        shown.append(re.sub(r"\\([\\\[\]])", r"\1", text).replace("{{0}}", "{0}"))
    for text, message in zip(sorted(shown), sorted(map(safe, reports["messages"])), strict=True):
        assert text.startswith(f"{message}.")
    assert sorted(result["properties"]["fix"] for result in results) == sorted(map(_by_line, reports["fixes"]))


def test_junit(reports: dict[str, Any]) -> None:
    """The values are those of the findings, less what XML cannot hold."""
    root = ElementTree.fromstring(reports["junit"])
    forbidden = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f]")
    messages = sorted(failure.get("message", "") for failure in root.iter("failure"))
    assert messages == sorted(safe(forbidden.sub("", message)) for message in reports["messages"])


def test_gitlab_and_csv(reports: dict[str, Any]) -> None:
    """The values are those of the findings, and no cell is a formula."""
    entries = json.loads(reports["gitlab"])
    assert sorted(entry["description"].partition(": ")[2] for entry in entries) == sorted(
        map(safe, reports["messages"])
    )
    rows = list(csv.DictReader(io.StringIO(reports["csv"])))
    hazards = [row for row in rows if row["verdict"] == "hazard"]
    assert sorted(_plain(row["message"]) for row in hazards) == sorted(map(safe, reports["messages"]))
    assert sorted(_plain(row["fix"]) for row in hazards) == sorted(map(_by_line, reports["fixes"]))
    for row in rows:
        assert None not in row
        for value in row.values():
            assert not value.startswith(("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠"))


def _plain(cell: str) -> str:
    return cell[1:] if re.match("'[=+\\-@＝＋－＠]", cell) else cell


def _by_line(text: str) -> str:
    return "\n".join(map(safe, text.split("\n")))


def test_markdown(reports: dict[str, Any]) -> None:
    """Cells show the text as it is: no markup, HTML, link, image or mention comes of it."""
    parser = MarkdownIt("commonmark").enable("table").enable("strikethrough")
    tokens = parser.parse(reports["markdown"])
    kinds = {"text", "text_special", "softbreak"}
    cells: list[str] = []
    rows = 0
    for number, token in enumerate(tokens):
        assert token.type != "html_block"
        rows += token.type == "tr_open"
        if token.type == "inline":
            assert {child.type for child in token.children or ()} <= kinds, token.content
            if tokens[number - 1].type == "td_open":
                cells.append("".join(child.content for child in token.children or ()))
    assert rows == len(reports["messages"]) + 1
    messages = [cell.replace("\u2060", "") for cell in cells[2::5]]
    assert sorted(messages) == sorted(map(safe, reports["messages"]))
    fences = "\n".join(token.content for token in tokens if token.type == "fence")
    assert len(reports["changes"]) > 0
    for words in reports["changes"]:
        assert f"  {words}  MDB" in fences
    for text in (
        "\n".join(reports["markdown"].split("### Changes")[0].split()),
        _outside_fences(reports["markdown"], tokens),
    ):
        assert re.search(r"(?<!\\)://", text) is None
        assert not re.search(r"@\w", text)


def _outside_fences(text: str, tokens: Sequence[Token]) -> str:
    """A document in Markdown without its blocks of code."""
    inside = {line for token in tokens if token.type == "fence" and token.map for line in range(*token.map)}
    return "\n".join(line for number, line in enumerate(text.splitlines()) if number not in inside)


def test_github(reports: dict[str, Any]) -> None:
    """A workflow's runner takes the annotations for commands and nothing else, and reads the findings' own texts."""
    commands = _run_commands(fenced(reports["text"]) + reports["github"])
    assert [name for name, _, _ in commands if name not in ("error", "warning", "notice")] in ([], ["stop-commands"])
    annotations = [entry for entry in commands if entry[0] != "stop-commands"]
    assert sorted(value.rstrip(".") for _, _, value in annotations) == sorted(
        safe(message).rstrip(".") for message in reports["messages"]
    )
    for _, properties, _ in annotations:
        assert set(properties) == {"file", "line", "endLine", "col", "endColumn", "title"}
        assert properties["file"].startswith("estate/")


def test_html(reports: dict[str, Any]) -> None:
    """Messages and changes are text, in elements that lintmdb made; no element and no attribute comes of them."""
    page = Page(reports["html"]).root
    sections = [node for node in page.find("section") if node.attributes.get("class", "").startswith("finding")]
    shown = sorted(next(section.find("p")).text for section in sections)
    for text, message in zip(shown, sorted(visible(message) for message in reports["messages"]), strict=True):
        assert text.startswith(clipped(message, 600)[:599])
    shown = sorted(code.text for card in page.find("article") for item in card.find("li") for code in item.find("code"))
    instead = "Number of sequential delivery failures before suspending endpoint 3 -> 26"
    assert shown == sorted([instead, *(clipped(words, 240) for words in reports["changes"])])
    text = "\n".join(entry.text for tag in ("pre", "p") for entry in page.find(tag))
    for fix in reports["fixes"]:
        assert visible(fix.split("\n")[0])[:900] in text
    assert {node.tag for node in page.all()} <= TAGS
    names = {name for node in page.all() for name in node.attributes}
    assert names <= ATTRIBUTES
    style = next(page.find("style")).text
    assert "evil" not in style
    assert "pwned" not in style


def _run_commands(log: str) -> list[tuple[str, dict[str, str], str]]:
    """The commands that GitHub's runner finds in a log: name, properties, value."""
    found: list[tuple[str, dict[str, str], str]] = []
    stopped = ""
    for line in re.split(r"\r\n|\n|\r", log):
        text = line.lstrip()
        match = re.match(r"::(.+?)::(.*)", text)
        if match:
            head, value = match.groups()
            name, _, listed = head.partition(" ")
            pairs = (entry.split("=", 1) for entry in listed.split(",") if "=" in entry)
            properties = {key.strip(): _decoded(value) for key, value in pairs}
        elif old := re.search(r"##\[([^\]\s]+)[^\]]*\](.*)", line):
            name, value = old.groups()
            properties = {}
        else:
            continue
        if stopped:
            stopped = "" if name == stopped else stopped
            continue
        if name == "stop-commands":
            stopped = value
        found.append((name, properties, _decoded(value)))
    assert not stopped
    return found


def _decoded(text: str) -> str:
    for code, character in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
        text = text.replace(code, character)
    return text


def test_a_hostile_log_is_fenced(lintmdb: Run, tmp_path: Path) -> None:
    """The command line puts the text report between stop words where it holds something like a command."""
    hostile_estate(tmp_path / "estate", PAYLOADS["old_command"])
    result = lintmdb("check", tmp_path / "estate", "--select", "MDB105,MDB302", env={"GITHUB_ACTIONS": "true"})
    names = [name for name, _, _ in _run_commands(result.stdout)]
    assert names == ["stop-commands", "error", "error"]
