"""The stories of a flow on its card."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import NamedTuple

from jinja2 import Environment
from markupsafe import Markup

from lintmdb.delivery.outcome import Outcome
from lintmdb.delivery.values import UnknownValueError, Values
from lintmdb.delivery.wording import IF_ALLOWED, Line, tell, titled
from lintmdb.delivery.workload import WORKLOADS
from lintmdb.engine.findings import Finding
from lintmdb.engine.flow_rows import JudgedRows, read_value
from lintmdb.report.headline_fates import HeadlineFate, fate_words
from lintmdb.report.html.story import StoryList, story_list
from lintmdb.report.html.templates import macro
from lintmdb.rules.predictions import run_named

_STEPS = 40


class Story(NamedTuple):
    """What happens to one workload on a flow."""

    workload: str
    outcome: Outcome
    lines: tuple[Line, ...]
    rules: tuple[str, ...]
    """The rules whose findings it explains."""


def stories_on(fate: HeadlineFate | None, findings: Sequence[Finding]) -> list[Story]:
    """The stories of a flow, each once: that of a poison message, or those of the two kinds of it, that of a late
    message unless it is processed, and those that its findings predict.
    """
    stories: list[Story] = []
    if fate is not None:
        for told in fate.stories:
            if told.workload.poison or told.outcome.fate.value != "processed":
                _add(stories, told.title, told.outcome, ())
    for finding in findings:
        if finding.rule.predicts is not None:
            name = finding.rule.predicts.shows[0].workload
            outcome = run_named(_values(finding.rows), name)
            again = any(step.event == "starts_again" for step in outcome.steps)
            title = _titled(name, finding.rows) + (", and somebody starts the endpoint again" if again else "")
            _add(stories, title, outcome, (finding.rule.id,))
    return stories


def _titled(name: str, rows: JudgedRows) -> str:
    try:
        return titled(WORKLOADS[name](_values(rows)))
    except UnknownValueError:
        return "a message"


def _values(rows: JudgedRows) -> Values:
    return Values(functools.partial(read_value, rows))


def _add(stories: list[Story], workload: str, outcome: Outcome, rules: tuple[str, ...]) -> None:
    lines = tuple(tell(outcome.steps))
    if not lines:
        return
    for number, story in enumerate(stories):
        if [line.text for line in story.lines] == [line.text for line in lines]:
            stories[number] = story._replace(rules=(*story.rules, *(rule for rule in rules if rule not in story.rules)))
            return
    stories.append(Story(workload, outcome, lines, rules))


class FoldedStory(NamedTuple):
    """A story that opens and closes on a card."""

    title: str
    fate: str
    rules: str
    """The rules whose findings it explains, in parentheses; may be blank."""
    steps: StoryList
    is_open: bool


class Stories:
    """Renders stories by their template."""

    def __init__(self, environment: Environment) -> None:
        self._folded = macro(environment, "folded_story.html.j2", "folded_story")

    def render(self, story: Story, letter_of: Callable[[Line], str | None], *, is_open: bool = False) -> Markup:
        """A story that opens and closes.

        ``letter_of`` returns the letter of the line that a step rests on, None where the card does not show that line.
        """
        title = f"{story.workload[0].upper()}{story.workload[1:]}: "
        rules = f" ({', '.join(story.rules)})" if story.rules else ""
        letters = [letter_of(line) for line in story.lines[:_STEPS]]
        steps = story_list(story.lines, _STEPS, letters)
        fate = fate_words(story.outcome) + (f" {IF_ALLOWED}" if story.outcome.moved_if_allowed else "")
        return self._folded(FoldedStory(title, fate, rules, steps, is_open))
