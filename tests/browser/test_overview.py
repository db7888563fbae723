"""The overview in a browser: what a reader finds, sorts, groups and opens."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from lintmdb.delivery.fate import FateGroup
from lintmdb.engine.findings import FlowHead
from lintmdb.report.headline_fates import headline_fates
from lintmdb.report.subjects import place_text
from tests.browser.conftest import Open, Pages

ROWS = "#overview tbody.rows > tr:not(.opened)"


def queues(page: Page) -> list[str]:
    """The queues of the rows in their order."""
    return page.locator(f"{ROWS} td.queue").all_inner_texts()


def groups(page: Page) -> list[str]:
    """The heads of the groups, without their numbers."""
    return [text.rpartition(" ")[0] for text in page.locator("#overview tbody.group th").all_inner_texts()]


def heads(pages: Pages) -> list[FlowHead]:
    """The flows of the demo."""
    return pages.outcome.judgement.flows


def test_the_first_screen_fits(pages: Pages, open_page: Open) -> None:
    """The estate, the gate, the bar, the worst flows and what is missing are on the first 1400 by 900 pixels."""
    page = open_page(pages.check)
    for part in (".estate", "h1", ".fate-bar", ".fates", ".worst ol", ".missing"):
        box = page.locator(part).bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= 900, part


def test_every_flow_has_a_row_the_worst_first(pages: Pages, open_page: Open) -> None:
    """In groups by what becomes of a poison message."""
    page = open_page(pages.check)
    fates = headline_fates(heads(pages))
    assert page.locator(ROWS).count() == len(fates)
    counts = Counter(fate.group for fate in fates)
    shown = page.locator("#overview tbody.group .count").all_inner_texts()
    assert list(map(int, shown)) == [counts[group] for group in FateGroup if counts[group]]
    expect(page.locator("#shown")).to_have_text(f"{len(fates)} rows")


@pytest.mark.parametrize("words", ["claims", "PAYMENTS.IN wasshop", "mdb302", "no such thing"])
def test_search(pages: Pages, open_page: Open, words: str) -> None:
    """Rows stay that hold all words, in whatever case and column."""
    page = open_page(pages.check)
    texts = [text.lower() for text in page.locator(ROWS).all_text_contents()]
    expected = [text for text in texts if all(word in text for word in words.lower().split())]
    page.fill("#search", words)
    of = f"{len(expected)} of {len(texts)} rows"
    expect(page.locator("#shown")).to_have_text(of)
    assert [text.lower() for text in page.locator(ROWS).all_text_contents()] == expected
    page.fill("#search", "")
    expect(page.locator(ROWS)).to_have_count(len(texts))


@pytest.mark.parametrize("column", ["queue", "manager", "endpoint", "bean", "application", "change"])
def test_sorting(pages: Pages, open_page: Open, column: str) -> None:
    """By the head of a column, first up, then down, then as it came; blanks come last."""
    page = open_page(pages.check)
    page.select_option("#group", "none")
    first = queues(page)
    button = page.locator(f"#overview thead .{column} button")
    for direction in ("ascending", "descending"):
        button.click()
        expect(page.locator(f"#overview thead .{column}")).to_have_attribute("aria-sort", direction)
        texts = [text.strip() for text in page.locator(f"{ROWS} td.{column}").all_text_contents()]
        known = [text for text in texts if text]
        assert texts == known + [""] * (len(texts) - len(known))
        assert [text.lower() for text in known] == sorted(
            (text.lower() for text in known), reverse=direction == "descending"
        )
    button.click()
    assert page.locator("#overview [aria-sort]").count() == 0
    assert queues(page) == first


def test_findings_sort_by_weight(pages: Pages, open_page: Open) -> None:
    """One error outweighs any number of warnings."""
    page = open_page(pages.check)
    page.select_option("#group", "none")
    page.locator("#overview thead .findings button").click()
    weights = [int(row.get_attribute("data-w") or "") for row in page.locator(ROWS).all()]
    assert weights == sorted(weights, reverse=True)
    assert weights[0] >= 1_000_000


@pytest.mark.parametrize("by", ["application", "server", "manager", "none"])
def test_grouping(pages: Pages, open_page: Open, by: str) -> None:
    """By application, server or queue manager, in their order, with the number of flows in each."""
    page = open_page(pages.check)
    page.select_option("#group", by)
    subjects = [head.subject for head in heads(pages)]
    names = {
        "application": [f"{subject.application}/{subject.module}" for subject in subjects],
        "server": [place_text(subject) for subject in subjects],
        "manager": [subject.queue_manager or "(none)" for subject in subjects],
        "none": [],
    }
    counts = Counter(names[by])
    assert groups(page) == sorted(counts, key=lambda name: (name == "(none)", name))
    shown = map(int, page.locator("#overview tbody.group .count").all_inner_texts())
    assert list(shown) == [counts[name] for name in groups(page)]


def test_filters(pages: Pages, open_page: Open) -> None:
    """By fate, by severity and by rule; each choice shows as many rows as it says."""
    page = open_page(pages.check)
    for name in ("fate", "finding"):
        options = page.locator(f"#{name} option").all()
        assert len(options) > 4
        for value, text in [(option.get_attribute("value"), option.text_content() or "") for option in options]:
            page.select_option(f"#{name}", value)
            if "(" in text:
                expect(page.locator(ROWS)).to_have_count(int(text.rpartition("(")[2].rstrip(")")))
        page.select_option(f"#{name}", "all")
    expect(page.locator(ROWS)).to_have_count(len(heads(pages)))


def test_the_bar_leads_to_the_flows_of_a_fate(pages: Pages, open_page: Open) -> None:
    """Its links choose the fate."""
    page = open_page(pages.check)
    page.locator('.fates a[data-fate="loops"]').click()
    expect(page.locator("#fate")).to_have_value("loops")
    fates = [fate for fate in headline_fates(heads(pages)) if fate.group is FateGroup.LOOPS]
    assert page.locator(ROWS).count() == len(fates)


@pytest.mark.parametrize("kind", ["check", "packed", "plan"])
def test_a_row_opens_its_card(pages: Pages, open_page: Open, kind: str) -> None:
    """Below itself, and closes it again; the address is the card's."""
    page = open_page(getattr(pages, kind))
    for number in (0, page.locator(ROWS).count() - 1):
        row = page.locator(ROWS).nth(number)
        link = row.locator("td.queue a")
        name = link.inner_text()
        link.click()
        card = page.locator("#overview .opened article.card")
        expect(card).to_have_count(1)
        expect(card).to_be_visible()
        assert name in (card.text_content() or "")
        assert page.url.endswith(f"#{card.get_attribute('id')}")
        expect(link).to_have_attribute("aria-expanded", "true")
        row.locator("td.bean").click()
        expect(card).to_have_count(0)
        assert "#" not in page.url


@pytest.mark.parametrize("kind", ["check", "packed", "plan"])
def test_the_address_of_a_card_opens_it(pages: Pages, open_page: Open, kind: str) -> None:
    """Also where its row is not shown when the address changes, and when the reader goes back."""
    file: Path = getattr(pages, kind)
    page = open_page(file)
    anchors = [link.get_attribute("href") or "" for link in page.locator(f"{ROWS} td.queue a").all()]
    page = open_page(file, anchors[-1])
    card = page.locator(f"#overview .opened {anchors[-1]}")
    expect(card).to_be_visible()
    expect(card).to_be_in_viewport()
    page.fill("#search", "no such thing")
    expect(page.locator(ROWS)).to_have_count(0)
    page.evaluate(f"location.hash = '{anchors[0]}'")
    expect(page.locator(f"#overview .opened {anchors[0]}")).to_be_visible()
    expect(page.locator("#search")).to_have_value("")
    page.go_back()
    expect(card).to_be_visible()


@pytest.mark.parametrize("kind", ["check", "packed"])
def test_the_address_of_a_finding_opens_its_card(pages: Pages, open_page: Open, kind: str) -> None:
    """Its fingerprint, which other reports have, is enough."""
    for finding in pages.outcome.judgement.findings[:: len(pages.outcome.judgement.findings) - 1]:
        page = open_page(getattr(pages, kind), f"#{finding.fingerprint}")
        section = page.locator(f'#overview .opened [id="{finding.fingerprint}"]')
        expect(section).to_be_in_viewport()
        expect(section).to_contain_text(finding.rule.id)


def test_the_worst_flows_lead_to_their_cards(pages: Pages, open_page: Open) -> None:
    """A click on the first screen opens the card."""
    page = open_page(pages.check)
    link = page.locator(".worst li a").first
    anchor = link.get_attribute("href")
    link.click()
    expect(page.locator(f"#overview .opened {anchor}")).to_be_in_viewport()


def test_an_id_opens_the_text_of_its_rule(pages: Pages, open_page: Open) -> None:
    """It needs no script of the page, and the Escape key closes it."""
    page = open_page(pages.check, f"#{pages.outcome.judgement.findings[0].fingerprint}")
    button = page.locator("#overview .opened button.rule").first
    note = page.locator(f"#rule-{button.inner_text()}")
    expect(note).to_be_hidden()
    button.click()
    expect(note).to_be_visible()
    page.keyboard.press("Escape")
    expect(note).to_be_hidden()


@pytest.mark.parametrize("kind", ["check", "plan"])
def test_a_script_is_copied_whole(pages: Pages, open_page: Open, kind: str) -> None:
    """The clipboard holds what the block shows, and the button says so."""
    page = open_page(getattr(pages, kind))
    owner = page.locator(".owner", has_text="queue manager QM1")
    owner.locator("summary").first.click()
    block = owner.locator(".code").first
    block.locator("button.copy").click()
    expect(block.locator("button.copy")).to_have_text("Copied")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == block.locator("pre").text_content()
    assert copied.startswith("* What the changes planned by lintmdb depend on.\n* Queue manager name: QM1")
