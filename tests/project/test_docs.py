"""The pages of the documentation hang together."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from tests.support.project import ROOT

DOCS = ROOT / "docs"
PAGES = sorted(DOCS.rglob("*.md"))
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_FENCED = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)


def _anchors(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading).strip().lower().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", [ROOT / "README.md", *PAGES], ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    """Every link to a file, and to a heading in it, has a target."""
    for link in _LINK.findall(_FENCED.sub("", page.read_text("utf-8"))):
        if re.match(r"[a-z]+:", link):
            continue
        name, _, anchor = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        assert target.exists(), link
        assert not anchor or anchor in _anchors(target), link


def test_every_page_is_reached() -> None:
    """The navigation and the start page name every page but those of single rules, which docs/rules.md names."""
    navigation = re.findall(r"\S+\.md", yaml.safe_dump(yaml.safe_load((ROOT / "mkdocs.yml").read_text("utf-8"))["nav"]))
    pages = {page.name for page in DOCS.glob("*.md")}
    assert sorted(navigation) == sorted(pages)
    assert set(_LINK.findall((DOCS / "index.md").read_text("utf-8"))) == pages - {"index.md"}
