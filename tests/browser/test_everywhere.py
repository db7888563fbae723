"""Every page, for every reader: narrow, dark, on paper, without scripts, and for those who do not see it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page, expect

from lintmdb.addresses import GLOSSARY
from lintmdb.engine.judge import judge
from lintmdb.plan.evaluation import Evaluator
from lintmdb.plan.planner import make_plan
from lintmdb.plan.policy import Policy
from lintmdb.report.html.page import render_html
from lintmdb.report.html.plan_page import render_plan_html
from lintmdb.report.html.visible_text import visible
from lintmdb.resolve.observations import read_observations
from lintmdb.run.estate import read_exports, resolve_exports
from tests.browser.conftest import Open, Pages
from tests.support.browser import print_pages, width_of
from tests.support.hostile_names import CONTROL, PAYLOADS, hostile_estate
from tests.support.scenario import RULES

OVERVIEW = "#overview tbody.rows > tr"
UNFOLD = "document.querySelectorAll('details').forEach((one) => { one.open = true; })"


@pytest.mark.parametrize("width", [400, 1400])
@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no-scripts"])
def test_nothing_is_wider_than_the_window(any_page: Path, open_page: Open, width: int, scripts: bool) -> None:
    """No page scrolls sideways, with a card open or all of them."""
    page = open_page(any_page, width=width, scripts=scripts)
    if scripts and page.locator(OVERVIEW).count():
        page.locator(f"{OVERVIEW} td.queue a").first.click()
    if scripts:
        page.evaluate(UNFOLD)
        assert width_of(page) == width
    else:
        box = page.locator("main").bounding_box()
        assert box is not None
        assert box["x"] + box["width"] <= width


@pytest.mark.parametrize(("scheme", "width"), [("light", 1400), ("dark", 400)])
def test_axe_finds_no_violation(any_page: Path, open_page: Open, scheme: str, width: int) -> None:
    """Contrast, names, roles and structure, with a card and the text of a rule open."""
    page = open_page(any_page, scheme=scheme, width=width)
    assert violations(page) == []
    if page.locator(OVERVIEW).count():
        page.locator(f"{OVERVIEW} td.queue a").first.click()
        expect(page.locator("#overview .opened h3").first).to_be_visible()
        page.evaluate(
            "document.querySelectorAll('.opened details, .owner details').forEach((one) => { one.open = true; })"
        )
        assert violations(page, "#overview .opened, #overview tr:has(+ .opened), .owner") == []
    if page.locator(".opened button.rule").count():
        button = page.locator(".opened button.rule").first
        button.click()
        assert violations(page, f"#rule-{button.inner_text()}") == []


def violations(page: Page, shown: str = "html") -> list[str]:
    """What axe-core complains of, each with the first element that it is about.

    Contrast takes it longer than all else, so only what has been ``shown`` since the last time is measured.
    """
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    contrast = ["color-contrast"]
    return [
        *complaints(page, "html", rules={name: {"enabled": False} for name in contrast}),
        *complaints(page, shown, runOnly=contrast),
    ]


def complaints(page: Page, part: str, **options: object) -> list[str]:
    """What axe-core complains of in a part of a page."""
    run = "([part, options]) => axe.run(part, {resultTypes: ['violations'], ...options})"
    found: dict[str, Any] = page.evaluate(run, [part, options])
    return [f"{entry['id']}: {entry['nodes'][0]['html'][:200]}" for entry in found["violations"]]


def test_all_can_be_read_without_scripts(pages: Pages, open_page: Open) -> None:
    """The overview, each card and the texts of the rules are there, and nothing that would not work."""
    page = open_page(pages.check, scripts=False)
    judgement = pages.outcome.judgement
    assert page.locator(OVERVIEW).count() == len(judgement.flows)
    expect(page.locator(".tools")).to_be_hidden()
    cards = page.locator("article.card")
    assert cards.count() == len(judgement.flows)
    for finding in judgement.findings:
        section = page.locator(f'[id="{finding.fingerprint}"]')
        section.scroll_into_view_if_needed()
        expect(section).to_be_visible()
    expect(page.locator("button.copy").first).to_be_hidden()
    link = page.locator(f"{OVERVIEW} td.queue a").last
    link.click()
    expect(page.locator(f"article{link.get_attribute('href')}")).to_be_in_viewport()
    page.locator(".fates a").last.click()
    assert page.url.endswith("#fate-moved")
    expect(page.locator("#fate-moved")).to_be_in_viewport()
    button = page.locator("button.rule").first
    button.click()
    expect(page.locator(f"#rule-{button.inner_text()}")).to_be_visible()


def test_a_long_page_without_scripts_has_the_overview_and_the_worst_cards(pages: Pages, open_page: Open) -> None:
    """And it says what is not there."""
    page = open_page(pages.packed, scripts=False)
    assert page.locator(OVERVIEW).count() == len(pages.outcome.judgement.flows)
    assert page.locator("article.card").count() == 2
    expect(page.locator(".each .intro")).to_contain_text("where the page may run its script")


def test_on_paper_the_first_sheet_is_for_a_manager(pages: Pages, open_page: Open, tmp_path: Path) -> None:
    """The first screen is one sheet, the overview begins the second, and cards follow, however the page was left."""
    page = open_page(pages.check)
    sheets = print_pages(page, tmp_path / "check.pdf")
    assert 5 <= sheets <= 12
    page.locator(f"{OVERVIEW} td.queue a").first.click()
    page.evaluate(UNFOLD)
    assert print_pages(page, tmp_path / "opened.pdf") == sheets
    expect(page.locator("#overview .opened article")).to_have_count(1)
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 688, "height": 1017})
    box = page.locator(".first").bounding_box()
    assert box is not None
    assert box["height"] <= 1017


def test_pages_of_plans_and_fleets_print(pages: Pages, fleet_page: Path, open_page: Open, tmp_path: Path) -> None:
    """A plan of the demo is at most eight sheets, an audit of it at most twelve."""
    assert 2 <= print_pages(open_page(pages.plan), tmp_path / "plan.pdf") <= 8
    assert 2 <= print_pages(open_page(fleet_page), tmp_path / "fleet.pdf") <= 12


NAMES = {**PAYLOADS, **CONTROL}


@pytest.mark.parametrize("kind", ["check", "plan"])
def test_hostile_names_are_text(pages: Pages, open_page: Open, tmp_path: Path, kind: str) -> None:
    """They run nothing, fetch nothing, make no element, and can be read where they stand."""
    page = open_page(pages.check, width=400)
    for name in NAMES if kind == "check" else ("script", "quotes", "long"):
        text = NAMES[name]
        page.goto(hostile_page(tmp_path / name, text, kind).as_uri())
        page.locator(f"{OVERVIEW} td.queue a").first.dispatch_event("click")
        expect(page.locator("#overview .opened article")).to_be_visible()
        assert width_of(page) == 400, name
        assert blanks_joined(visible(text))[:60] in blanks_joined(page.locator("main").inner_text()), name
        assert page.evaluate("document.querySelectorAll('script').length") == 1, name
        assert page.locator("img, iframe").count() == 0, name
        outward = page.locator('a:not([href^="#"])')
        assert [link.get_attribute("href") for link in outward.all()] == [GLOSSARY], name


def hostile_page(folder: Path, name: str, kind: str) -> Path:
    """The page of a check or of a plan for an estate with that name."""
    hostile_estate(folder / "estate", name)
    rules = [rule for rule in RULES if rule.id in ("MDB105", "MDB302")]
    observed = read_observations(None, "15s")
    exports = read_exports([folder / "estate"])
    if kind == "plan":
        text = render_plan_html(make_plan(Evaluator(exports, observed, rules), Policy()))
    else:
        estate = resolve_exports(exports, observed)
        text = render_html(judge(estate.facts, rules), estate)
    page = folder / "page.html"
    page.write_text(text, "utf-8")
    return page


def blanks_joined(text: str) -> str:
    """Text as a browser shows it, where any number of blanks is one."""
    return " ".join(text.split())
