"""What ``lintmdb explain`` and ``lintmdb rules show`` print: a rule in words, with its examples and their verdicts."""

from __future__ import annotations

from collections.abc import Iterator

from lintmdb.engine.rules import Rule
from lintmdb.engine.sql import judge_example
from lintmdb.report.text import Style, wrap

_WORDS = {0: "not applicable", 1: "clear", 2: "undecided", 3: "hazard"}


def explain_rule(rule: Rule, style: Style) -> Iterator[str]:
    """The lines of a rule's explanation."""
    severity = style.paint(rule.severity, rule.severity)
    yield f"{style.paint('bold', rule.id)} {rule.name} ({severity}, confidence {rule.confidence})"
    yield rule.title
    yield ""
    yield style.paint("bold", "Why")
    yield from (f"  {line}" for line in wrap(" ".join(rule.why.split()), style.width - 2))
    yield ""
    yield style.paint("bold", "Condition")
    for label, condition in (("when", rule.when), ("hazard", rule.hazard)):
        for number, line in enumerate(wrap(condition.text, style.width - 10)):
            yield f"  {label + ':' if number == 0 else '':<8}{line}"
    yield ""
    yield style.paint("bold", "Fix")
    yield from _paragraphs(rule.fix, style)
    yield ""
    yield style.paint("bold", "Examples")
    for examples in rule.examples.values():
        for example in examples:
            verdict = _WORDS[judge_example(rule, example)]
            yield f"  {verdict}: {example.name}"
            for alias, row in example.rows.items():
                values = ", ".join(f"{name} = {_literal(value)}" for name, value in row.items())
                for line in wrap(f"{alias}: {values}" if values else f"{alias}: nothing known", style.width - 6):
                    yield f"    {line}"
    if rule.references:
        yield ""
        yield style.paint("bold", "References")
        for reference in rule.references:
            yield f"  {reference['title']}" + (f" <{reference['url']}>" if reference.get("url") else "")


def _literal(value: object) -> str:
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    return f"'{value}'" if isinstance(value, str) else str(value)


def _paragraphs(text: str, style: Style) -> Iterator[str]:
    for line in text.splitlines():
        if not line.strip():
            yield ""
            continue
        indent = line[: len(line) - len(line.lstrip())]
        for part in wrap(line.strip(), style.width - 2 - len(indent)):
            yield f"  {indent}{part}"


def rule_table(rules: list[Rule], style: Style) -> Iterator[str]:
    """One line a rule."""
    width = max((len(rule.name) for rule in rules), default=0)
    for rule in rules:
        yield f"{rule.id:<8} {style.paint(rule.severity, f'{rule.severity:<7}')} {rule.name:<{width}}  {rule.title}"
