"""One browser for all tests in it, and the pages that they open."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Request

from lintmdb.plan.evaluation import Evaluator
from lintmdb.plan.planner import make_plan
from lintmdb.plan.policy import Policy
from lintmdb.report.flow_repairs import planned_repairs
from lintmdb.report.html import packs
from lintmdb.report.html.page import render_html
from lintmdb.report.html.plan_page import render_plan_html
from lintmdb.resolve.observations import read_observations
from lintmdb.run.estate import read_exports
from tests.support.browser import find_browser, open_browser
from tests.support.command import run_here
from tests.support.project import FIXTURES
from tests.support.scenario import RULES, Outcome, run_scenario

Open = Callable[..., Page]


class Pages(NamedTuple):
    """The pages of the demo, as files."""

    check: Path
    packed: Path
    """The same as ``check``, with all cards but two compressed."""
    plan: Path
    diff: Path
    """From the demo to one whose first threshold is gone."""
    outcome: Outcome


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A browser; without one its tests are skipped."""
    path = find_browser()
    if path is None:
        pytest.skip("no Chromium is installed, so no page is opened")
    with open_browser(path) as opened:
        yield opened


@pytest.fixture(scope="session")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Pages:
    """The pages of the demo."""
    folder = tmp_path_factory.mktemp("pages")
    outcome = run_scenario(FIXTURES / "estate", {"on_message": "15s"})
    exports = read_exports([FIXTURES / "estate"])
    plan = make_plan(Evaluator(exports, read_observations(None, "15s"), RULES), Policy())
    repairs = planned_repairs(plan, outcome.judgement)
    check, packed, plan_page, diff = (folder / f"{name}.html" for name in ("check", "packed", "plan", "diff"))
    made = Pages(check, packed, plan_page, diff, outcome)
    made.diff.write_text(_difference(folder), "utf-8")
    made.check.write_text(render_html(outcome.judgement, outcome.estate, repairs=repairs), "utf-8")
    made.plan.write_text(render_plan_html(plan), "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(packs, "MOST_PLAIN", 3)
        patch.setattr(packs, "WORST_PLAIN", 2)
        patch.setattr(packs, "SIZE", 3)
        made.packed.write_text(render_html(outcome.judgement, outcome.estate, repairs=repairs), "utf-8")
    return made


def _difference(folder: Path) -> str:
    after = folder / "after"
    shutil.copytree(FIXTURES / "estate", after)
    dump = after / "mq" / "QM1.mqsc"
    dump.write_text(dump.read_text().replace("BOTHRESH(5)", "BOTHRESH(0)", 1))
    return run_here("diff", FIXTURES / "estate", after, "--format", "html").stdout


@pytest.fixture(scope="session")
def fleet_page(tmp_path_factory: pytest.TempPathFactory, pages: Pages) -> Path:
    """The page of an audit of the demo; it needs no Spark."""
    pytest.importorskip("pyarrow")
    from lintmdb.fleet.page.report import write_report
    from tests.support.synthetic_audit import write_judged_audit

    folder = tmp_path_factory.mktemp("fleet") / "audit"
    return write_report(write_judged_audit(folder, pages.outcome.judgement, pages.outcome.estate))


@pytest.fixture(params=["check", "plan", "diff", "fleet"])
def any_page(request: pytest.FixtureRequest) -> Path:
    """Each kind of page."""
    if request.param == "fleet":
        return request.getfixturevalue("fleet_page")
    return getattr(request.getfixturevalue("pages"), request.param)


@pytest.fixture
def open_page(browser: Browser) -> Iterator[Open]:
    """Opens a file in a window of its own: ``open_page(file, "#anchor", width=400, scheme="dark", scripts=False)``.

    Whatever a page writes to the console, or fetches besides itself, fails the test that opened it.
    """
    complaints: list[str] = []
    contexts: list[BrowserContext] = []

    def opened(file: Path, anchor: str = "", *, width: int = 1400, scheme: str = "light", scripts: bool = True) -> Page:
        context = browser.new_context(
            viewport={"width": width, "height": 900},
            color_scheme="dark" if scheme == "dark" else "light",
            java_script_enabled=scripts,
            permissions=["clipboard-read", "clipboard-write"],
        )
        context.set_default_timeout(5000)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", lambda request: _note_request(request, complaints))
        page.goto(file.as_uri() + anchor)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert complaints == []


def _note_request(request: Request, complaints: list[str]) -> None:
    if request.resource_type != "document" or not request.url.startswith("file:"):
        complaints.append(f"requests {request.url}")
