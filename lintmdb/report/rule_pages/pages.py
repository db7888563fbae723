"""The pages of the rules in Markdown: ``docs/rules/ID.md`` for each, and the table ``docs/rules.md``.

``make docs`` writes them; they are not tracked, as ``lintmdb explain`` prints the same.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Literal, NamedTuple

from lintmdb.report.markdown_templates import markdown_environment
from lintmdb.report.rule_pages.explanation import Section, Shown, sections, story_lines, story_title
from lintmdb.report.terminal import Style
from lintmdb.report.timeline import timeline
from lintmdb.rules.loading import load_rules
from lintmdb.rules.rule import Rule

FAMILIES: Mapping[str, str] = MappingProxyType(
    {
        "1": "Queues and backout queues",
        "2": "Listener ports",
        "3": "Activation specifications",
        "4": "Time",
        "5": "Service integration bus",
        "6": "Connections and sessions",
        "7": "Beans",
        "9": "What the exports do not show",
    }
)
"""The first digit of an id to what the family is about."""
TEMPLATES = Path(__file__).with_name("templates")
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>|#])")


class PageBlock(NamedTuple):
    """A block of a section: a paragraph, links, or a code block with an optional line of text in front."""

    kind: Literal["paragraph", "links", "code"]
    text: str
    lines: tuple[str, ...] = ()


class PageSection(NamedTuple):
    """A section as its template shows it."""

    title: str
    blocks: tuple[PageBlock, ...]


def rule_pages(rules: Sequence[Rule]) -> Iterator[tuple[str, str]]:
    """Path below the docs folder and text of each page."""
    families = [(title, [rule for rule in rules if rule.id[3] == digit]) for digit, title in FAMILIES.items()]
    yield "rules.md", _render("rules.md.j2", count=len(rules), families=families)
    for rule in rules:
        yield f"rules/{rule.id}.md", _render("rule.md.j2", rule=rule, sections=_page_sections(sections(rule)))


def rule_body(parts: Iterable[Section]) -> str:
    """The sections of a rule's explanation as Markdown."""
    return _render("rule_body.md.j2", sections=_page_sections(parts))


def _render(template: str, **values: object) -> str:
    return markdown_environment(TEMPLATES, _escaped).get_template(template).render(values)


def _page_sections(parts: Iterable[Section]) -> list[PageSection]:
    return [
        PageSection(section.title, tuple(_page_block(section.title, block) for block in section.blocks))
        for section in parts
    ]


def _page_block(title: str, block: str | tuple[str, ...] | Shown) -> PageBlock:
    if isinstance(block, str):
        return PageBlock("paragraph", block)
    if isinstance(block, Shown):
        lines = timeline(story_lines(block), Style(colour=False, width=110), "")
        return PageBlock("code", story_title(block), tuple(lines))
    return PageBlock("links" if title == "References" else "code", "", block)


def _escaped(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", text)


def write_pages(folder: Path) -> None:
    """Write the pages of the built-in rules below a docs folder, and remove those of rules that are gone."""
    pages = dict(rule_pages(load_rules()))
    (folder / "rules").mkdir(parents=True, exist_ok=True)
    for stale in set((folder / "rules").glob("*.md")) - {folder / path for path in pages}:
        stale.unlink()
    for path, text in pages.items():
        (folder / path).write_text(text, "utf-8")


if __name__ == "__main__":
    write_pages(Path(sys.argv[1]))
