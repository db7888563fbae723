"""What ``lintmdb explain`` and ``lintmdb rules show`` print on a terminal, and the table of rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from lintmdb.report.rule_pages.explanation import Section, Shown, sections, short_sections, story_lines, story_title
from lintmdb.report.terminal import Style, wrap
from lintmdb.report.timeline import timeline
from lintmdb.rules.rule import Rule


def explain_rule(rule: Rule, style: Style, *, full: bool = False) -> Iterator[str]:
    """The lines of a rule's explanation: what somebody with a finding needs, or all of it."""
    severity = style.paint(rule.severity, rule.severity)
    yield f"{style.paint('bold', rule.id)} {rule.name} ({severity}, confidence {rule.confidence})"
    yield rule.title
    yield from rule_text(sections(rule) if full else short_sections(rule), style)
    if not full:
        yield ""
        yield f"Conditions, commands for wsadmin, all examples and references: lintmdb explain {rule.id} --full"


def rule_text(parts: Iterable[Section], style: Style) -> Iterator[str]:
    """The sections of a rule's explanation, as lines of text."""
    for section in parts:
        yield ""
        yield style.paint("bold", section.title)
        for block in section.blocks:
            if isinstance(block, Shown):
                yield from (f"  {line}" for line in wrap(story_title(block), style.width - 2))
                yield from timeline(story_lines(block), style, "  ")
            elif isinstance(block, str):
                yield from (f"  {line}" for line in wrap(block, style.width - 2))
            else:
                for line in block:
                    yield from _indented(line, style)


def _indented(line: str, style: Style) -> Iterator[str]:
    text = line.lstrip()
    indent = " " * (2 + len(line) - len(text))
    if not text:
        yield ""
    for number, part in enumerate(wrap(text, style.width - len(indent) - 2)):
        yield indent + ("  " if number else "") + part


def rule_table(rules: Sequence[Rule], style: Style) -> Iterator[str]:
    """One line a rule."""
    width = max((len(rule.name) for rule in rules), default=0)
    for rule in rules:
        yield f"{rule.id:<8} {style.paint(rule.severity, f'{rule.severity:<7}')} {rule.name:<{width}}  {rule.title}"
