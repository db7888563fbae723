"""One browser for all tests in it, and the pages that they open."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, Dialog, Page, Request

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


class Windows:
    """One window whose pages run their scripts and one whose pages do not, for all tests: to open a window takes
    longer than most tests do.
    """

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._pages: dict[bool, Page] = {}
        self.complaints: list[str] = []
        """What pages wrote to the console, fetched besides themselves, or asked in a dialog."""

    def window(self, *, scripts: bool) -> Page:
        """An empty window as a new one would be."""
        page = self._pages.get(scripts) or self._new(scripts=scripts)
        self._pages[scripts] = page
        # From one anchor of a page to another, nothing would be loaded.
        page.goto("about:blank")
        return page

    def _new(self, *, scripts: bool) -> Page:
        context = self._browser.new_context(
            java_script_enabled=scripts, permissions=["clipboard-read", "clipboard-write"]
        )
        context.set_default_timeout(5000)
        page = context.new_page()
        page.on("console", lambda message: self.complaints.append(message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("dialog", self._close_dialog)
        page.on("request", self._note_request)
        return page

    def _close_dialog(self, dialog: Dialog) -> None:
        self.complaints.append(f"a dialog says {dialog.message}")
        dialog.dismiss()

    def _note_request(self, request: Request) -> None:
        if request.resource_type != "document" or not request.url.startswith(("file:", "about:blank")):
            self.complaints.append(f"requests {request.url}")


@pytest.fixture(scope="session")
def windows(browser: Browser) -> Windows:
    """The windows of all tests."""
    return Windows(browser)


@pytest.fixture
def open_page(windows: Windows) -> Iterator[Open]:
    """Opens a file: ``open_page(file, "#anchor", width=400, scheme="dark", scripts=False)``. It takes the place of
    the one that was opened before.

    Whatever a page writes to the console, asks in a dialog, or fetches besides itself, fails the test that opened it.
    """

    def opened(file: Path, anchor: str = "", *, width: int = 1400, scheme: str = "light", scripts: bool = True) -> Page:
        page = windows.window(scripts=scripts)
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(media="null", color_scheme="dark" if scheme == "dark" else "light")
        page.goto(file.as_uri() + anchor)
        return page

    windows.complaints.clear()
    yield opened
    assert windows.complaints == []
