"""The pages of the rules in Markdown: ``docs/rules/ID.md`` for each, and the table ``docs/rules.md``.

``make docs`` writes them; they are not tracked, as ``lintmdb explain`` prints the same.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

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
        "9": "What the exports cannot tell",
    }
)
"""The first digit of an id to what the family is about."""
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>|#])")


def rule_pages(rules: Sequence[Rule]) -> Iterator[tuple[str, str]]:
    """Path below the docs folder and text of each page."""
    yield "rules.md", "\n".join(_table(rules)) + "\n"
    for rule in rules:
        yield f"rules/{rule.id}.md", "\n".join(_page(rule)) + "\n"


def _page(rule: Rule) -> Iterator[str]:
    yield f"# {rule.id} {rule.name}"
    yield ""
    yield f"**{_escaped(rule.title)}**"
    yield ""
    yield f"Severity {rule.severity}, confidence {rule.confidence}, since {rule.since}. [All rules](../rules.md)"
    yield from rule_body(sections(rule))


def rule_body(parts: Iterable[Section]) -> Iterator[str]:
    """The sections of a rule's explanation, as lines of Markdown."""
    for section in parts:
        yield ""
        yield f"## {section.title}"
        for block in section.blocks:
            yield ""
            if isinstance(block, Shown):
                yield f"{_escaped(story_title(block)).replace('->', '→')}"
                yield ""
                yield "```text"
                yield from timeline(story_lines(block), Style(colour=False, width=110), "")
                yield "```"
            elif isinstance(block, str):
                yield _escaped(block)
            elif section.title == "References":
                yield from (f"- {_escaped(line)}" for line in block)
            else:
                yield "```text"
                yield from block
                yield "```"


def _table(rules: Sequence[Rule]) -> Iterator[str]:
    yield "# Rules"
    yield ""
    yield f"{len(rules)} rules. `lintmdb explain ID` prints the same pages; `lintmdb explain WORD` finds rules by text."
    for digit, title in FAMILIES.items():
        yield ""
        yield f"## {title}"
        yield ""
        yield "| id | name | severity | what is wrong |"
        yield "|---|---|---|---|"
        for rule in rules:
            if rule.id[3] == digit:
                yield f"| [{rule.id}](rules/{rule.id}.md) | {rule.name} | {rule.severity} | {_escaped(rule.title)} |"


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
