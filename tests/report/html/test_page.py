"""The HTML report: what its first screen says, its cards, its facets, and that everybody can read it."""

from __future__ import annotations

import base64
import hashlib
import re
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from lintmdb.delivery.outcome import Fate
from lintmdb.report.headline_fates import headline_fates
from lintmdb.report.html import drawings as html_path
from lintmdb.report.html import flow_stories as html_stories
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


def test_every_finding_is_there_once(outcome: Outcome) -> None:
    """Its id is its fingerprint, and its section holds the message and the lines that it rests on."""
    page = read(outcome)
    sections = {node.attributes["id"]: node for node in page.find("section") if "finding" in classes(node)}
    findings = outcome.judgement.findings
    assert sorted(sections) == sorted(finding.fingerprint for finding in findings)
    cards = {
        section.attributes["id"]: card
        for card in page.find("article")
        for section in card.find("section")
        if "finding" in classes(section)
    }
    for finding in findings:
        section = sections[finding.fingerprint]
        assert visible(finding.message) in section.text
        link = next(section.find("a"))
        assert (link.text, link.attributes["href"]) == (finding.rule.id, f"#{finding.fingerprint}")
        assert link.attributes["aria-label"].startswith(f"{finding.rule.id} ")
        lines = [item.text for item in next(cards[finding.fingerprint].find("ol", class_="lines")).find("li")]
        for place in (finding.location, *finding.related):
            where = f"{place.path}:{place.line}" if place and place.line else ""
            assert place is None or any(line.startswith(visible(place.text)) and line.endswith(where) for line in lines)


def test_the_first_screen_counts_what_the_model_says(outcome: Outcome) -> None:
    """The tiles hold how many flows lose a poison message, loop, stop or are blocked; what is open is below."""
    page = read(outcome)
    heads = outcome.judgement.flows
    counts = Counter(fate.outcomes[0].fate for fate in headline_fates(heads))
    if not heads:
        assert not any(page.find("dl"))
        return
    tiles = {next(tile.find("dt")).text: int(next(tile.find("dd")).text) for tile in next(page.find("dl")).find("div")}
    assert tiles["lose it"] == counts[Fate.LOST] + counts[Fate.DISCARDED]
    assert tiles["loop for ever"] == counts[Fate.LOOPS]
    assert tiles["stop"] == counts[Fate.STOPPED]
    assert tiles["are blocked"] == counts[Fate.BLOCKED]
    assert sum(tiles.values()) == len(heads)
    section = next(part for part in page.find("section") if any(part.find("h2", id="open")))
    rows = [int(next(row.find("td")).text) for body in section.find("tbody") for row in body.find("tr")]
    assert sum(rows) == len(outcome.judgement.undecided)


def test_a_flow_tells_the_fates_of_both_kinds_of_message() -> None:
    """The worse first, in the card's headline, in its drawing, and in a story each; the first screen counts it."""
    page = read(judged("blank-boqname-no-deadq"))
    (headline,) = (node.text for node in page.find("p", class_="fate"))
    assert headline == "Poison message: discarded (non-persistent), delivery is blocked (persistent)"
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
    ("scenario", "gate", "words"),
    [
        ("all-families", Gate(), "Fails: 13 errors"),
        ("all-families", Gate("never"), "Passes: 13 errors"),
        ("clean", Gate("info"), "Passes: no findings"),
        ("incomplete-mq", Gate("never", strict=True), "Fails: not all is judged"),
    ],
)
def test_the_heading_is_the_verdict_of_the_gate(scenario: str, gate: Gate, words: str) -> None:
    """It is that of the run's exit code."""
    run = run_scenario(FIXTURES / scenario, {"on_message": "15s"}) if scenario == "all-families" else judged(scenario)
    heading = next(read(run, gate).find("h1")).text
    assert heading.startswith(words.split(" 13")[0])
    assert heading.startswith("Passes") == (gate.exit_code(run.judgement, run.estate) == 0)


def test_nothing_to_judge(tmp_path: Path, lintmdb: Run) -> None:
    """Without an endpoint there is a page that says so, and the exit code is 3."""
    (tmp_path / "QM1.mqsc").write_text((FIXTURES / "clean" / "mq" / "QM1.mqsc").read_text())
    result = lintmdb("check", tmp_path / "QM1.mqsc", "--format", f"html={tmp_path / 'report.html'}")
    assert result.returncode == 3
    page = Page((tmp_path / "report.html").read_text("utf-8")).root
    assert next(page.find("h1")).text == "Nothing to judge: no endpoint in what was given"


def test_the_command_line_gives_the_gate_to_the_page(tmp_path: Path, lintmdb: Run) -> None:
    """``--fail-on`` decides what the heading says."""
    for fail_on, word in (("error", "Fails"), ("never", "Passes")):
        target = tmp_path / "new" / f"{fail_on}.html"
        lintmdb("check", FIXTURES / "backout-inert", "--fail-on", fail_on, "--format", f"html={target}")
        assert next(Page(target.read_text("utf-8")).root.find("h1")).text.startswith(word)


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
        ("queue-not-defined", 1, "broken", "not defined"),
        ("get-disabled", 1, "broken", "GET(DISABLED)"),
        ("bus-exception-none", 2, "blank", "exceptionDestination is blank"),
        ("bus-exception-named-missing", 2, "broken", "not defined"),
        ("bus-exception-system", 2, "sound", "of the messaging engine"),
        ("authority-missing", 2, "broken", "the user may not put"),
    ],
)
def test_the_path_shows_where_it_is_blank_or_broken(scenario: str, number: int, state: str, detail: str) -> None:
    """Each hop is drawn by its state and says why."""
    hop = hops(scenario)[number]
    assert (hop.state, hop.detail) == (state, detail)


def test_the_path_shows_where_the_message_ends() -> None:
    """At the endpoint that stops, at the queue on which it loops, at the queue to which it is moved."""
    assert [hop.end for hop in hops("stop-3-sessions-5-bothresh-5")] == ["stops", "", "", ""]
    assert [hop.end for hop in hops("backout-inert")] == ["", "loops", "", ""]
    assert [hop.end for hop in hops("clean")] == ["", "", "ends here", ""]


_HIDES = re.compile(r"\.facets:has\(#(\w+) :checked:not\(\[value=all\]\)\) ~ \.cards \.(\w+) \{ --(\w+): none; \}")
_SHOWS = re.compile(r"\.facets:has\(#(\w+) \[value=([\w-]+)\]:checked\) ~ \.cards \.([\w-]+) \{ --(\w+): initial; \}")


def test_facets_show_what_they_count(estate: Outcome) -> None:
    """By the style sheet each choice of severity or rule leaves as many findings as it says; a card without any of
    them is hidden too.
    """
    page = read(estate)
    style = next(page.find("style")).text
    hidden = {(what, own): hides for what, hides, own in _HIDES.findall(style)}
    rules = {(what, value): (hidden[what, own], name) for what, value, name, own in _SHOWS.findall(style)}
    assert {what for what, _ in hidden} == {what for what, _ in rules}
    assert {own for _, own in hidden} <= set(re.findall(r"var\(--(\w+)", style))
    sections = [node for node in page.find("section") if "finding" in classes(node)]
    cards = list(page.find("article"))
    chosen = 0
    for choice in page.find("select"):
        for option in choice.find("option"):
            value, counted = option.attributes["value"], re.search(r"\((\d+)\)\Z", option.text)
            if value == "all":
                assert (choice.attributes["id"], value) not in rules
                continue
            hides, name = rules.pop((choice.attributes["id"], value))
            shown = [card for card in cards if name in classes(card)]
            if hides == "f":
                kept = [section for section in sections if name in classes(section)]
                for card in cards:
                    inside = [part for part in card.find("section") if name in classes(part)]
                    assert bool(inside) == (card in shown)
            else:
                kept = shown
            assert counted
            assert len(kept) == int(counted[1])
            chosen += 1
    assert chosen > 10
    assert {what for what, _ in rules} <= {"cell"}
    assert len(rules) <= 1  # the one cell of a page with a single cell


def doubled(run: Outcome) -> Outcome:
    """Each flow once more, on another node."""
    judgement = run.judgement
    others = [
        replace(
            finding,
            flow=finding.flow + len(judgement.flows) if finding.flow is not None else None,
            subject=finding.subject._replace(node="other"),
        )
        for finding in judgement.findings
    ]
    both = replace(judgement, flows=judgement.flows * 2, findings=judgement.findings + others)
    return replace(run, judgement=both)


def test_a_story_that_repeats_is_told_once_on_a_long_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """Past the limit an equal story is a link to the first card that tells it."""
    twins = doubled(judged("zos-not-hardened"))
    whole = read(twins)
    monkeypatch.setattr(html_stories, "_FULL_SIZE", 0)
    short = read(twins)
    told = [len(list(page.find("ol", class_="story"))) for page in (whole, short)]
    links = [link for link in short.find("a") if link.text.startswith("The same")]
    assert told[0] == told[1] + len(links)
    assert links
    ids = {node.attributes["id"] for node in short.find("article")}
    assert {link.attributes["href"].removeprefix("#") for link in links} <= ids


def test_a_path_that_repeats_is_told_in_words_on_a_long_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """Past the limit a path that differs in names only says all that its drawing would, and links to one."""
    twins = doubled(judged("zos-not-hardened"))
    drawn = [drawing.attributes["aria-label"] for drawing in read(twins).find("svg")]
    monkeypatch.setattr(html_path, "_MOST", 0)
    short = read(twins)
    told = [text for text in short.find("p") if text.text.endswith(" Drawn here, with other names.")]
    left = [drawing.attributes["aria-label"] for drawing in short.find("svg")]
    assert told
    assert sorted(left + [text.text.removesuffix(". Drawn here, with other names.") for text in told]) == sorted(drawn)
    with_drawing = {card.attributes["id"] for card in short.find("article") if any(card.find("svg"))}
    assert {next(text.find("a")).attributes["href"].removeprefix("#") for text in told} <= with_drawing


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
    assert labels == {choice.attributes["id"] for choice in page.find("select")}
    for table in page.find("table"):
        assert next(table.find("caption")).text
        assert all(head.attributes.get("scope") in ("col", "row") for head in table.find("th"))
    for drawing in page.find("svg"):
        assert drawing.attributes["role"] == "img"
        assert drawing.attributes["aria-label"].startswith("Path: ")
    for link in page.find("a"):
        assert link.attributes["href"].removeprefix("#") in ids
        assert link.text.strip()
    for fold in page.find("details"):
        assert isinstance(fold.children[0], Node)
        assert fold.children[0].tag == "summary"
    for part in page.find("div", role="region"):
        assert part.attributes["tabindex"] == "0"
        assert part.attributes["aria-label"]


def test_the_page_needs_no_network_and_no_script(outcome: Outcome) -> None:
    """The policy allows the one style sheet by its hash and nothing else; no element could fetch or run anything."""
    page = read(outcome)
    style = next(page.find("style")).text
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = next(meta for meta in page.find("meta") if meta.attributes.get("http-equiv"))
    assert policy.attributes["content"].split("; ")[:2] == ["default-src 'none'", f"style-src 'sha256-{digest}'"]
    assert "url(" not in style
    assert "@import" not in style
    for node in page.all():
        assert node.tag not in {"script", "img", "iframe", "object", "link", "base", "form", "use"}
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
