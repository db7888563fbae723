"""The HTML report: what its first screen says, its cards, its facets, and that everybody can read it."""

from __future__ import annotations

import base64
import hashlib
import re
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

from lintmdb.addresses import GLOSSARY
from lintmdb.delivery.fate import FateGroup
from lintmdb.engine.need_groups import group_by_need
from lintmdb.report.headline_fates import headline_fates
from lintmdb.report.html import packs
from lintmdb.report.html.document import read_style
from lintmdb.report.html.page import STYLE, render_html
from lintmdb.report.html.visible_text import visible
from lintmdb.report.path import Hop, build_path
from lintmdb.run.gate import Gate
from tests.support.command import Run
from tests.support.html_page import Node, Page, colours_of, contrast
from tests.support.project import FIXTURES
from tests.support.scenario import Outcome, expected, run_scenario
from tests.support.scenario_folders import scenario_folder

SCENARIOS = (
    "all-families",
    "broken-file",
    "bus-exception-none",
    "clean",
    "conflicting-queue-managers",
    "dangling-binding",
    "incomplete-mq",
    "late-message-110-15-120",
    "topic-subscriptions",
    "unresolved-names",
    "zos-non-asf",
)


def judged(name: str) -> Outcome:
    """A scenario, judged by all rules."""
    folder = scenario_folder(name)
    return run_scenario(folder, expected(folder).get("options"))


def read(outcome: Outcome, gate: Gate | None = None) -> Node:
    """The report of a run as a tree."""
    return Page(render_html(outcome.judgement, outcome.estate, gate or Gate())).root


@pytest.fixture(scope="module", params=SCENARIOS)
def outcome(request: pytest.FixtureRequest) -> Outcome:
    """Some scenarios."""
    return judged(request.param)


def classes(node: Node) -> set[str]:
    """The classes of an element."""
    return set(node.attributes.get("class", "").split())


def section_of(page: Node, anchor: str) -> Node:
    """The section that a heading opens."""
    return next(part for part in page.find("section") if any(part.find("h2", id=anchor)))


def rows_of(page: Node) -> list[Node]:
    """The rows of the overview that are about a flow or a thing."""
    return [row for row in page.find("tr") if "data-w" in row.attributes]


@pytest.mark.slow
def test_every_finding_is_there_once(outcome: Outcome) -> None:
    """Its id is its fingerprint, and its section holds the message and the lines that it rests on."""
    page = read(outcome)
    sections = {node.attributes["id"]: node for node in page.find("section", class_="finding")}
    findings = outcome.judgement.findings
    assert sorted(sections) == sorted(finding.fingerprint for finding in findings)
    cards = {
        section.attributes["id"]: card
        for card in page.find("article")
        for section in card.find("section", class_="finding")
    }
    for finding in findings:
        section = sections[finding.fingerprint]
        assert visible(finding.message) in section.text
        assert next(section.find("button")).attributes["popovertarget"] == f"rule-{finding.rule.id}"
        link = next(section.find("a"))
        assert link.attributes["href"] == f"#{finding.fingerprint}"
        assert link.attributes["aria-label"].startswith(f"Link to {finding.rule.id} on ")
        lines = [item.text for item in next(cards[finding.fingerprint].find("ol", class_="lines")).find("li")]
        for place in (finding.location, *finding.related):
            where = f"{place.path}:{place.line}" if place and place.line else ""
            assert place is None or any(line.startswith(visible(place.text)) and line.endswith(where) for line in lines)


def test_the_text_of_each_rule_is_there_once(outcome: Outcome) -> None:
    """An id on a card opens it."""
    page = read(outcome)
    rules = {finding.rule.id: finding.rule for finding in outcome.judgement.findings}
    notes = {node.attributes["id"]: node.text for node in page.find("div", popover="auto")}
    assert sorted(notes) == sorted(f"rule-{rule}" for rule in rules)
    for rule in rules.values():
        assert rule.title in notes[f"rule-{rule.id}"]
        assert visible(" ".join(rule.why.split()))[:60] in notes[f"rule-{rule.id}"]


def test_the_first_screen_counts_what_the_model_says(outcome: Outcome) -> None:
    """The bar has a part for each fate, as wide as its flows are many, with a link to them; what is open is below."""
    page = read(outcome)
    heads = outcome.judgement.flows
    counts = Counter(fate.group.key for fate in headline_fates(heads))
    bars = list(page.find("svg", class_="fate-bar"))
    assert len(bars) == bool(heads)
    if heads:
        links = list(next(page.find("ul", class_="fates")).find("a"))
        assert {link.attributes["data-fate"]: int(next(link.find("b")).text) for link in links} == counts
        widths = {
            part.attributes["data-fate"]: next(part.find("rect")).attributes["width"] for part in bars[0].find("a")
        }
        assert widths == {key: f"{100 * count / len(heads):.3f}%" for key, count in counts.items()}
        ids = {node.attributes.get("id") for node in page.all()}
        assert {link.attributes["href"].removeprefix("#") for link in links} <= ids
    rows = [
        int(next(row.find("td")).text) for body in section_of(page, "open").find("tbody") for row in body.find("tr")
    ]
    assert sum(rows) == len(outcome.judgement.undecided)


def test_the_overview_has_a_row_for_each_flow(outcome: Outcome) -> None:
    """And one for each thing with findings that is part of no flow, the worst fate first, each with its card."""
    page = read(outcome)
    rows = rows_of(page)
    judgement = outcome.judgement
    loose = {finding.subject for finding in judgement.findings if finding.flow is None}
    assert len(rows) == len(judgement.flows) + len(loose)
    cards = [card.attributes["id"] for card in page.find("article")]
    assert [next(row.find("a")).attributes["href"] for row in rows] == [f"#{card}" for card in cards]
    ranks = [*(group.key for group in FateGroup), "none"]
    shown = [ranks.index(row.attributes["class"].removeprefix("f-")) for row in rows]
    assert shown == sorted(shown)
    per_rule = Counter(finding.rule.id for finding in judgement.findings)
    named = Counter(word for row in rows for word in next(row.find("td", class_="findings")).text.split())
    assert {rule for rule in per_rule if named[rule]} == set(per_rule)
    heads = {node.attributes["id"]: node.text for node in page.find("th") if "id" in node.attributes}
    for key, count in Counter(row.attributes["class"].removeprefix("f-") for row in rows).items():
        assert heads[f"fate-{key}"].split()[-1] == f"{count}"


def test_the_first_screen_names_the_estate() -> None:
    """Cells and queue managers by name, with the date that the header of a dump has."""
    page = read(run_scenario(FIXTURES / "estate", {"on_message": "15s"}))
    estate = next(page.find("p", class_="estate"))
    assert estate.text == (
        "PRODCELL with QM1 and QM2 QM1 and QM2 were exported on 2026-03-06; the export of PRODCELL has no date."
    )


def test_the_first_screen_names_the_worst_flows() -> None:
    """At most five, in the order of the overview, each with a link to its card."""
    page = read(run_scenario(FIXTURES / "estate", {"on_message": "15s"}))
    links = [next(item.find("a")) for item in next(page.find("section", class_="worst")).find("li")]
    assert len(links) == 5
    assert [link.attributes["href"] for link in links] == [
        next(r.find("a")).attributes["href"] for r in rows_of(page)[:5]
    ]
    assert next(links[0].find("span", class_="stops")).text == "PAYMENTS.IN → PaymentsAS → PaymentBean"


def test_the_first_screen_says_what_was_not_there(lintmdb: Run, tmp_path: Path) -> None:
    """A product without an export, and commands that would be refused, whether the gate fails or not."""
    script = tmp_path / "QM1.mqsc"
    script.write_text("DEFINE QLOCAL(A.IN) BOTHRESH(3) BOQNAME(A.BO)\nDEFINE QLOCAL(A.BO) MAXDEPTH(X)\n")
    alone = lintmdb("check", script, "--all-queues", "--format", "html").stdout
    (refused,) = (node.text for node in Page(alone).root.find("p", class_="shortfall"))
    assert refused == f"Refused 1 command that a queue manager would refuse ({script}:2)."
    was = FIXTURES / "estate" / "was"
    for fail_on in ("warning", "error"):
        told = lintmdb(
            "check", was, "--fail-on", fail_on, "--format", "html", "--format", f"markdown={tmp_path / 'md'}"
        )
        (missing,) = (node.text for node in Page(told.stdout).root.find("p", class_="shortfall"))
        assert missing.startswith(
            "Missing every IBM MQ export of the 2 queue managers: no queue was read, so 288 checks"
        )
        assert "Missing: every IBM MQ export of the 2 queue managers" in (tmp_path / "md").read_text()


def test_what_is_missing_is_one_line(outcome: Outcome) -> None:
    """The source that settles most, and how many more there are."""
    page = read(outcome)
    line = next(page.find("p", class_="missing")).text
    groups = group_by_need(outcome.judgement.undecided)
    if not groups:
        assert line.startswith("Nothing is missing")
        return
    assert line.startswith(f"Missing {visible(groups[0].text)}, which {len(groups[0].entries)} verdict")
    assert (f"and {len(groups) - 1} more thing" in line) == (len(groups) > 1)


def test_a_flow_tells_the_fates_of_both_kinds_of_message() -> None:
    """The worse first, in the card's headline, in its drawing, and in a story each; the first screen counts it."""
    page = read(judged("blank-boqname-no-deadq"))
    (headline,) = (node.text for node in page.find("p", class_="becomes"))
    assert headline == (
        "A non-persistent poison message is discarded after 3 failed deliveries; a persistent one blocks delivery "
        "after 3 failed deliveries, and every message behind it waits. ORDERS.IN has DEFPSIST(YES)."
    )
    assert "discarded or blocked" in [node.text for node in page.find("text", class_="end")]
    stories = [next(node.find("summary")).text for node in page.find("details") if any(node.find("summary"))]
    assert [story.partition(" (")[0] for story in stories if "persistent" in story][:2] == [
        "One non-persistent poison message: discarded",
        "One persistent poison message: delivery is blocked",
    ]
    lead = next(page.find("p", class_="lead")).text
    assert lead == (
        "A poison message is lost on 1 of 1 flow. Persistent and non-persistent messages differ on 1, where the worse "
        "fate counts."
    )


@pytest.mark.parametrize(
    ("scenario", "gate", "words", "says"),
    [
        ("all-families", Gate(), "13 errors, ", "The gate fails: 13 errors."),
        ("all-families", Gate("never"), "13 errors, ", "The gate passes whatever is found, here 13 errors, "),
        ("clean", Gate("info"), "No findings", "The gate passes."),
        (
            "incomplete-mq",
            Gate("never", strict=True),
            "No findings, but 46 checks are undecided",
            "The gate fails: 46 ",
        ),
    ],
)
def test_the_heading_is_what_is_wrong(scenario: str, gate: Gate, words: str, says: str) -> None:
    """It does not depend on what the gate lets through; the gate's verdict follows."""
    run = run_scenario(FIXTURES / scenario, {"on_message": "15s"}) if scenario == "all-families" else judged(scenario)
    header = next(read(run, gate).find("header"))
    assert next(header.find("h1")).text.startswith(words)
    assert any(each.text.startswith(says) for each in header.find("p"))


def test_nothing_to_judge(tmp_path: Path, lintmdb: Run) -> None:
    """Without an endpoint there is a page that says so, and the exit code is 3."""
    (tmp_path / "QM1.mqsc").write_text((FIXTURES / "clean" / "mq" / "QM1.mqsc").read_text())
    result = lintmdb("check", tmp_path / "QM1.mqsc", "--format", f"html={tmp_path / 'report.html'}")
    assert result.returncode == 3
    page = Page((tmp_path / "report.html").read_text("utf-8")).root
    assert next(page.find("h1")).text == "Nothing to judge"


def test_the_command_line_gives_the_gate_to_the_page(tmp_path: Path, lintmdb: Run) -> None:
    """``--fail-on`` decides what the gate says, not what the heading does."""
    for fail_on, says in (("error", "The gate fails: 2 errors."), ("never", "The gate passes whatever is found, ")):
        target = tmp_path / "new" / f"{fail_on}.html"
        lintmdb("check", FIXTURES / "backout-inert", "--fail-on", fail_on, "--format", f"html={target}")
        header = next(Page(target.read_text("utf-8")).root.find("header"))
        assert next(header.find("h1")).text == "2 errors"
        assert any(each.text.startswith(says) for each in header.find("p"))


def hops(name: str) -> list[Hop]:
    """The path of the first flow of a scenario."""
    head = judged(name).judgement.flows[0]
    return build_path(head, *headline_fates([head])[0].outcomes)


@pytest.mark.parametrize(
    ("scenario", "number", "state", "detail"),
    [
        ("backout-inert", 2, "idle", "never used"),
        ("backout-undefined", 2, "broken", "not defined"),
        ("backout-loop", 2, "broken", "leads back"),
        ("blank-boqname-no-deadq", 2, "blank", "BOQNAME is blank"),
        ("blank-boqname-no-deadq", 3, "blank", "DEADQ is blank"),
        ("put-disabled-backout", 2, "broken", "PUT(DISABLED)"),
        ("queue-not-defined", 0, "broken", "not defined"),
        ("get-disabled", 0, "broken", "GET(DISABLED)"),
        ("bus-exception-none", 2, "blank", "exceptionDestination is blank"),
        ("bus-exception-named-missing", 2, "broken", "not defined"),
        ("bus-exception-system", 2, "sound", "of the messaging engine"),
        ("authority-missing", 2, "broken", "wasuser lacks passall"),
    ],
)
def test_the_path_shows_where_it_is_blank_or_broken(scenario: str, number: int, state: str, detail: str) -> None:
    """Each hop is drawn by its state and says why."""
    hop = hops(scenario)[number]
    assert (hop.state, hop.detail) == (state, detail)


def test_the_path_shows_where_the_message_ends() -> None:
    """At the endpoint that stops, at the queue on which it loops, at the queue to which it is moved."""
    assert [hop.end for hop in hops("stop-3-sessions-5-bothresh-5")] == ["", "stops", "", ""]
    assert [hop.end for hop in hops("backout-inert")] == ["loops", "", "", ""]
    assert [hop.end for hop in hops("clean")] == ["", "", "ends here", ""]


@pytest.mark.parametrize(
    ("scenario", "ways"),
    [
        ("clean", [None, "taken", "taken", "never"]),
        ("stop-3-sessions-5-bothresh-5", [None, "taken", "never", "never"]),
        ("backout-inert", [None, "taken", "never", "never"]),
        ("blank-boqname-no-deadq", [None, "taken", "tried", "tried"]),
        ("backout-loop", [None, "taken", "taken", "never"]),
        ("bus-exception-none", [None, "taken", "tried"]),
        ("incomplete-mq", [None, "taken", "unknown", "unknown"]),
    ],
)
def test_arrows_tell_which_way_the_message_goes(scenario: str, ways: list[str | None]) -> None:
    """To the next stop, in vain, never, or nobody knows; the drawing says so in words as well."""
    assert [hop.way for hop in hops(scenario)] == ways
    drawing = next(read(judged(scenario)).find("svg", role="img"))
    assert drawing.attributes["aria-label"].count("it never gets there") == ways.count("never")
    assert [node.text for node in drawing.find("text", class_="l")].count("never") == ways.count("never")


def test_cards_of_a_long_page_are_packed(monkeypatch: pytest.MonkeyPatch, estate: Outcome) -> None:
    """Beyond the limit the worst are elements, and the others are in packs, in the order of the overview."""
    whole = render_html(estate.judgement, estate.estate)
    monkeypatch.setattr(packs, "MOST_PLAIN", 3)
    monkeypatch.setattr(packs, "WORST_PLAIN", 2)
    monkeypatch.setattr(packs, "SIZE", 3)
    text = render_html(estate.judgement, estate.estate)
    page = Page(text).root
    plain = [card.attributes["id"] for card in page.find("article")]
    behind = [card for pack in page.find("script", class_="pack") for card in packs.unpacked(pack.text)]
    assert len(plain) == 2
    rows = [next(row.find("a")).attributes["href"].removeprefix("#") for row in rows_of(page)]
    assert [*plain, *(next(Page(card).root.find("article")).attributes["id"] for card in behind)] == rows
    assert all(card in whole for card in behind)


def test_the_page_can_be_read_by_everybody(outcome: Outcome) -> None:
    """Language, title, one h1, headings in order, labels, captions, scopes, drawings with a name, links that lead
    somewhere, ids that are unique.
    """
    page = read(outcome)
    nodes = list(page.all())
    assert next(page.find("html")).attributes["lang"] == "en"
    assert next(page.find("title")).text == "Poison messages · lintmdb"
    levels = [int(node.tag[1]) for node in nodes if re.fullmatch(r"h\d", node.tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    ids = [node.attributes["id"] for node in nodes if "id" in node.attributes]
    assert len(ids) == len(set(ids))
    labels = {label.attributes["for"] for label in page.find("label")}
    assert labels == {choice.attributes["id"] for tag in ("select", "input") for choice in page.find(tag)}
    for table in page.find("table"):
        assert table.attributes.get("aria-label") or next(table.find("caption")).text
        assert all(head.attributes.get("scope") in ("col", "row", "rowgroup") for head in table.find("th"))
    for drawing in page.find("svg"):
        if drawing.attributes.get("aria-hidden") != "true":
            assert drawing.attributes["role"] == "img"
            assert drawing.attributes["aria-label"].startswith("Path: ")
    for link in page.find("a"):
        assert link.attributes["href"].removeprefix("#") in ids or link.attributes["href"] == GLOSSARY
        assert link.text.strip() or link.attributes["tabindex"] == "-1"
    for fold in page.find("details"):
        assert isinstance(fold.children[0], Node)
        assert fold.children[0].tag == "summary"
    for part in page.find("div", role="region"):
        assert part.attributes["tabindex"] == "0"
        assert part.attributes["aria-label"]


def test_the_page_needs_no_network(outcome: Outcome) -> None:
    """The policy allows one style sheet and one script by their hashes and nothing else; no element could fetch."""
    page = read(outcome)
    scripts = [node.text for node in page.find("script") if node.attributes.get("type") != "text/plain"]
    (style,) = (node.text for node in page.find("style"))
    allowed = [
        f"{kind}-src 'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
        for kind, texts in (("style", [style]), ("script", scripts))
        for text in texts
    ]
    policy = next(meta for meta in page.find("meta") if meta.attributes.get("http-equiv"))
    assert policy.attributes["content"].split("; ")[:3] == ["default-src 'none'", *allowed]
    assert "url(" not in style
    assert "@import" not in style
    for node in page.all():
        assert node.tag not in {"img", "iframe", "object", "link", "base", "form", "use"}
        assert not {name for name in node.attributes if name.startswith("on") or name in ("style", "src")}


def test_the_same_verdicts_give_the_same_bytes(estate: Outcome) -> None:
    """Nothing depends on when or how often the page is written."""
    first = render_html(estate.judgement, estate.estate)
    assert render_html(estate.judgement, estate.estate) == first


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_has_enough_contrast(scheme: str) -> None:
    """WCAG AA, 4.5 to 1, for every text colour on every ground that it stands on, in both schemes."""
    colours = colours_of(read_style(STYLE), scheme)
    pairs = [(ink, ground) for ink in ("ink", "soft", "e", "w", "i", "u", "ok", "link") for ground in ("page", "card")]
    pairs += [(ink, "faint") for ink in ("ink", "soft", "e", "w", "i", "u", "ok", "link")]
    for ink, ground in pairs:
        assert contrast(colours[ink], colours[ground]) >= 4.5, (ink, ground)
    # Lines and frames that mean something: 3 to 1.
    for line in ("soft", "e", "u", "ok"):
        assert contrast(colours[line], colours["card"]) >= 3


def test_what_is_left_out_is_there_with_its_reason(tmp_path: Path, lintmdb: Run) -> None:
    """A suppressed finding, one of the baseline, and what has expired: each with who decided and where it stands."""
    baseline, target = tmp_path / "known.jsonl", tmp_path / "report.html"
    lintmdb("baseline", "write", baseline, FIXTURES / "backout-inert", "--select", "MDB304")
    (tmp_path / "lintmdb.toml").write_text(
        '[[suppressions]]\nrule = "MDB104"\nsubject = "ORDERS.IN QM1"\nreason = "drained <b>by hand</b>"\n'
        'owner = "orders team"\nexpires = 2099-01-31\n'
        '[[suppressions]]\nrule = "MDB302"\nsubject = "*"\nreason = "old"\nexpires = 2020-01-01\n'
    )
    options = ["--config", tmp_path / "lintmdb.toml", "--baseline", baseline, "--format", f"html={target}"]
    result = lintmdb("check", FIXTURES / "backout-inert", *options)
    assert result.returncode == 0
    page = Page(target.read_text("utf-8")).root
    section = next(part for part in page.find("section") if any(part.find("h2", id="left-out")))
    listed = next(section.find("ul", class_="left-out"))
    titles, texts = zip(*((next(item.find("b")).text, item.text) for item in listed.find("li")), strict=True)
    assert [title[:6] for title in titles] == ["MDB104", "MDB304"]
    assert "Suppressed: drained <b>by hand</b> (" in texts[0]
    assert texts[0].endswith("lintmdb.toml:1, orders team, until 2099-01-31)")
    assert "In the baseline: " in texts[1]
    notice = list(section.find("li"))[-1]
    assert "expired on 2020-01-01" in notice.text
    assert "2 more findings left out by decision" in next(page.find("header")).text
    assert "#left-out" in {link.attributes["href"] for link in next(page.find("nav")).find("a")}


def test_nothing_left_out_needs_no_section(estate: Outcome) -> None:
    """The section is there only where something is in it."""
    assert not any(read(estate).find("h2", id="left-out"))
