"""The pages of the documentation hang together."""

from __future__ import annotations

import functools
import re
from pathlib import Path

import pytest
import yaml

from lintmdb.report.rule_pages.pages import rule_pages
from lintmdb.resolve.observations import read_observations
from lintmdb.rules.loading import load_rules
from lintmdb.run.config.profiles import read_profiles
from tests.support.project import ROOT

DOCS = ROOT / "docs"
WRITTEN = {DOCS / "rules.md", *(DOCS / f"rules/{rule.id}.md" for rule in load_rules())}
"""Pages that `make docs` writes: they are checked as it would write them, whether or not they are there."""
PAGES = sorted({*DOCS.rglob("*.md"), *WRITTEN})
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_FENCED = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)


@functools.cache
def _written() -> dict[Path, str]:
    pages = {DOCS / path: text for path, text in rule_pages(load_rules())}
    assert set(pages) == WRITTEN
    return pages


def _text(page: Path) -> str:
    return _written()[page] if page in WRITTEN else page.read_text("utf-8")


def _anchors(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", _text(page), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading).strip().lower().replace(" ", "-") for heading in headings}


def links_that_lead_nowhere(page: Path) -> list[str]:
    """Links of a page to files, or to headings in them, that are not there, or that only ``make docs`` writes."""
    nowhere: list[str] = []
    for link in _LINK.findall(_FENCED.sub("", _text(page))):
        if re.match(r"[a-z]+:", link):
            continue
        name, _, anchor = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        there = target in WRITTEN if page in WRITTEN else target.exists() and target not in WRITTEN
        if not there or (anchor and anchor not in _anchors(target)):
            nowhere.append(link)
    return nowhere


_FILE = re.compile(r"`((?:lintmdb|tests|benchmarks)/[\w./-]+\.\w+)`")
"""A file of the project, named in code."""


@pytest.mark.parametrize(
    "page", [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *DOCS.glob("*.md")], ids=lambda p: p.name
)
def test_files_that_pages_name_are_there(page: Path) -> None:
    """A module that moves takes its name in the pages with it."""
    named = _FILE.findall(_FENCED.sub("", _text(page)))
    assert [name for name in named if not (ROOT / name).exists()] == []


@pytest.mark.parametrize("page", [ROOT / "README.md", *PAGES], ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    """Every link to a file, and to a heading in it, has a target; no tracked page links to one that is written."""
    assert links_that_lead_nowhere(page) == []


def test_every_page_is_reached() -> None:
    """The navigation names every page but those of single rules, which docs/rules.md names; the start page names every
    page that is tracked.
    """
    navigation = re.findall(r"\S+\.md", yaml.safe_dump(yaml.safe_load((ROOT / "mkdocs.yml").read_text("utf-8"))["nav"]))
    pages = {page.name for page in PAGES if page.parent == DOCS}
    assert sorted(navigation) == sorted(pages)
    assert set(_LINK.findall((DOCS / "index.md").read_text("utf-8"))) == pages - {"index.md", "rules.md"}


def test_pinned_profiles_exist() -> None:
    """Each profile that a page pins to a version is one that this version accepts."""
    pages = [ROOT / "README.md", *DOCS.glob("*.md"), DOCS / "lintmdb.toml"]
    pinned = {
        name for page in pages for name in re.findall(r"\b[a-z]+@\d[\d.]*\d|\b[a-z]+@\d\b", page.read_text("utf-8"))
    }
    assert "recommended@0.1" in pinned
    for name in pinned:
        assert read_profiles().rules(load_rules(), name), name


def test_the_example_of_observations_is_read(tmp_path: Path) -> None:
    """The file that docs/configuration.md shows says what its comments say."""
    page = (ROOT / "docs" / "configuration.md").read_text("utf-8").partition("## Observations")[2]
    file = tmp_path / "observations.yaml"
    file.write_text(page.partition("```yaml\n")[2].partition("```")[0], "utf-8")
    read = read_observations(file, None)
    assert read.on_message_ms == 15_000
    assert [name for name, _ in read.beans.items()] == ["Shop/shop-ejb.jar/OrderBean"]
    assert read.endpoints["OrdersAS"].groups == frozenset({"orders", "readers"})
