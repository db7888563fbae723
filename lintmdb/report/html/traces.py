"""The stories of a page: each flow's own, and one that repeats is told once when the page gets long."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from lintmdb.delivery.outcome import Outcome
from lintmdb.delivery.values import UnknownValueError, Values
from lintmdb.delivery.wording import Line, tell, titled
from lintmdb.delivery.workload import WORKLOADS
from lintmdb.engine.findings import Finding
from lintmdb.engine.flow_rows import JudgedRows, read_value
from lintmdb.report.headline_fates import HeadlineFate, fate_words
from lintmdb.report.html.markup import Child, Markup, element
from lintmdb.report.html.trace_list import story_list
from lintmdb.report.terminal import counted_words
from lintmdb.rules.predictions import run_named

_STEPS = 40
_FULL_BYTES = 1_500_000
"""Up to so many bytes every story is told where it belongs."""
_NUMBER = re.compile(r"(?<![\w.])\d+(?![\w.])")


class Story(NamedTuple):
    """What happens to one workload on a flow."""

    workload: str
    outcome: Outcome
    lines: tuple[Line, ...]
    rules: tuple[str, ...]
    """The rules whose findings it tells."""


def stories_on(fate: HeadlineFate | None, findings: Sequence[Finding]) -> list[Story]:
    """The stories of a flow: of a poison message, of a late one where something becomes of it, and those that its
    findings predict; each once.
    """
    stories: list[Story] = []
    if fate is not None:
        for number, told in enumerate(fate.stories):
            if number == 0 or told.outcome.fate.value != "processed":
                _add(stories, titled(told.workload), told.outcome, ())
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


class Stories:
    """Writes stories, and remembers where each was told first."""

    def __init__(self) -> None:
        self._bytes = 0
        self._told: dict[tuple[object, ...], str] = {}

    def fold(self, story: Story, anchor: str, mark: Callable[[Line], Child], *, opened: bool) -> Markup:
        """A story that opens and closes; a link to ``anchor`` of an equal one when the page is long already."""
        shape = (story.workload, story.outcome.fate, tuple(_shape(line) for line in story.lines))
        title = f"{story.workload[0].upper()}{story.workload[1:]}: "
        rules = f" ({', '.join(story.rules)})" if story.rules else ""
        first = self._told.setdefault(shape, anchor)
        if self._bytes > _FULL_BYTES and first != anchor:
            steps = counted_words(len(story.lines), "step")
            link = element("a", f"The same {steps} as here", href=f"#{first}")
            return element("p", f"{title}{fate_words(story.outcome)}{rules}. ", link, ", with other names.")
        made = element(
            "details",
            element("summary", title, element("b", fate_words(story.outcome)), rules),
            story_list(story.lines, _STEPS, mark),
            class_="told",
            open="" if opened else None,
        )
        self._bytes += len(made)
        return made


def _shape(line: Line) -> tuple[object, ...]:
    """A line without its names."""
    return line.actor, line.event, tuple(_NUMBER.findall(line.text)), tuple(line.state.items())
