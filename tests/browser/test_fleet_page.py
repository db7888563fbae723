"""The page of an audit in a browser: what a reader finds, opens and copies."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Open


@pytest.mark.parametrize("name", ["cause-list", "flow-list"])
def test_search(fleet_page: Path, open_page: Open, name: str) -> None:
    """Entries stay that hold all words; what is folded counts too."""
    page = open_page(fleet_page)
    entries = page.locator(f"#{name} > li")
    texts = [text.lower() for text in entries.all_text_contents()]
    expected = ["mdb302" in text and "orders" in text for text in texts]
    assert 0 < sum(expected) < len(texts)
    page.fill(f"#find-{name}", "MDB302 orders")
    assert [entry.is_visible() for entry in entries.all()] == expected
    expect(page.locator(f"output[for=find-{name}]")).to_have_text(f"{sum(expected)} of {len(texts)}")


def test_the_address_of_a_flow_opens_it(fleet_page: Path, open_page: Open) -> None:
    """On another day too: it is made of the cell and the names of the flow."""
    page = open_page(fleet_page)
    anchor = page.locator("#flow-list details.fold").last.get_attribute("id")
    page = open_page(fleet_page, f"#{anchor}")
    fold = page.locator(f"#{anchor}")
    assert fold.evaluate("(fold) => fold.open")
    expect(fold.locator("summary").first).to_be_in_viewport()


def test_a_fix_is_copied_whole(fleet_page: Path, open_page: Open) -> None:
    """The clipboard holds what the block shows."""
    page = open_page(fleet_page)
    page.locator("#cause-list summary").first.click()
    block = page.locator("#cause-list .code").first
    block.locator("button.copy").click()
    expect(block.locator("button.copy")).to_have_text("Copied")
    assert page.evaluate("navigator.clipboard.readText()") == block.locator("pre").text_content()


def test_all_is_there_without_scripts(fleet_page: Path, open_page: Open) -> None:
    """Folds open by themselves, and the fields that would do nothing are hidden."""
    page = open_page(fleet_page, scripts=False)
    expect(page.locator(".tools").first).to_be_hidden()
    page.locator("#flow-list summary").first.click()
    expect(page.locator("#flow-list .finding").first).to_be_visible()
