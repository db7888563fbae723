"""The page of an audit in a browser: what a reader finds, opens and copies."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Open
from tests.support.command import run_here
from tests.support.project import FIXTURES


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


@pytest.fixture(scope="module")
def filtered_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of an audit of two environments with two owners; it needs no Spark."""
    pytest.importorskip("pyarrow")
    folder = tmp_path_factory.mktemp("filtered")
    for name in ("prod", "test"):
        shutil.copytree(FIXTURES / "estate", folder / name)
    (folder / "lintmdb.toml").write_text(
        '[environments]\nprod = "prod"\ntest = "test"\n'
        '[owners.applications]\n"Shop*" = "<b>Shop</b>"\n[owners.queue-managers]\n"QM*" = "MQ team"\n'
    )
    run_here("fleet", "audit", "prod", "test", "--out", "audits", cwd=folder)
    return next(folder.glob("audits/audits/*/report.html"))


def test_filters(filtered_page: Path, open_page: Open) -> None:
    """Cells and flows of one environment, then of one owner in it, then those that hold a word, too."""
    page = open_page(filtered_page)
    flows = page.locator("#flow-list > li")
    texts = flows.all_text_contents()
    of_test = ["in test" in text.replace("\n", " ") for text in texts]
    assert 0 < sum(of_test) < len(texts)
    page.select_option("#filter-environment", label="test")
    assert [flow.is_visible() for flow in flows.all()] == of_test
    cells = page.locator("table.heat tbody tr")
    assert [row.is_visible() for row in cells.all()] == ["in prod" not in text for text in cells.all_text_contents()]
    expect(page.locator("output[for=find-flow-list]")).to_have_text(f"{sum(of_test)} of {len(texts)}")
    causes = page.locator("#cause-list > li")
    assert all(cause.is_visible() for cause in causes.all()), "both environments have the same exports"
    page.select_option("#filter-owner", label="<b>Shop</b>")
    left = [text for flow, text in zip(flows.all(), texts, strict=True) if flow.is_visible()]
    assert 0 < len(left) < sum(of_test)
    assert all("shop-ejb.jar" in text for text in left)
    assert 0 < sum(cause.is_visible() for cause in causes.all()) < causes.count()
    page.fill("#find-flow-list", "MDB302")
    assert 0 < sum(flow.is_visible() for flow in flows.all()) < len(left)
    page.fill("#find-flow-list", "")
    page.select_option("#filter-environment", label="All environments")
    page.select_option("#filter-owner", label="All owners")
    assert all(flow.is_visible() for flow in flows.all())


def test_an_audit_without_environments_and_owners_has_no_filters(fleet_page: Path, open_page: Open) -> None:
    """A choice of one is no choice."""
    page = open_page(fleet_page)
    expect(page.locator("#flow-list > li").first).to_be_visible()
    assert page.locator("select[data-filter], [data-owner]").count() == 0
