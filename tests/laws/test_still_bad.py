"""A plan names every flow on which a poison message fares badly with its changes, too."""

from __future__ import annotations

import html
import re
from pathlib import Path

import pytest

from lintmdb.plan.evaluation import Evaluator, flow_fate, worst_later
from lintmdb.plan.planner import make_plan
from lintmdb.plan.policy import Policy
from lintmdb.report.html.plan_page import render_plan_html
from lintmdb.report.plan_markdown import render_plan_markdown
from lintmdb.report.plan_text import render_plan
from lintmdb.report.subjects import flow_stops, short_name
from lintmdb.report.terminal import Style
from lintmdb.run.estate import read_exports
from tests.laws.laws import OBSERVED, seeds
from tests.support.random_estates.estates import build_estate
from tests.support.scenario import RULES

pytestmark = pytest.mark.slow


def _plain(page: str) -> str:
    """The words of a page without its marks."""
    words = re.sub(r"<[^>]+>", " ", page).replace("\\", "")
    return re.sub(r"\W+", " ", html.unescape(words))


def test_what_still_fares_badly_is_named(tmp_path: Path) -> None:
    """By itself, or among those that are like another one."""
    bad, unnamed = 0, list[str]()
    for seed in seeds(12):
        build_estate(seed).write(tmp_path / str(seed))
        exports = read_exports([tmp_path / str(seed)])
        for policy in (Policy(most_states=20), Policy(only="mq", most_states=20), Policy(only="was", most_states=20)):
            plan = make_plan(Evaluator(exports, OBSERVED, RULES), policy)
            later = [head for head in worst_later(plan.before, plan.after).values() if flow_fate(head).group.bad]
            lines = "\n".join(render_plan(plan, Style(200), None))
            part = lines.partition("What becomes of a poison message")[2].partition("What stays")[0]
            texts = {"text": part, "plan.md": render_plan_markdown(plan), "plan.html": render_plan_html(plan)}
            plain = {name: _plain(text) for name, text in texts.items()}
            cut = {name for name, text in texts.items() if re.search(r" and \d+ more", text)}
            bad += len(later) if not cut else 0
            for head in later:
                names = [_plain(" ".join(flow_stops(head)[:2])).strip(), _plain(short_name(head.subject)).strip()]
                unnamed += [
                    f"{seed} {name}: {names[0]}"
                    for name, text in plain.items()
                    if name not in cut and not any(known in text for known in names)
                ]
    assert bad > 50
    assert unnamed == []
