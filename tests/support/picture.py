"""The picture in the README: the page of the demo, as ``make picture`` draws it."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from lintmdb.engine.judge import judge
from lintmdb.report.flow_repairs import find_repairs
from lintmdb.report.html.page import render_html
from lintmdb.resolve.observations import read_observations
from lintmdb.run.estate import read_exports, resolve_exports
from lintmdb.run.judging import Judged
from tests.support.browser import find_browser, open_browser
from tests.support.picture_file import MOST_BYTES, PICTURE
from tests.support.project import ROOT
from tests.support.scenario import RULES

WIDTH, HEIGHT = 1400, 860
_CUT = "nav, .worst, .missing, .all > h2, .all > .intro, .tools, .basis"


def draw(file: Path) -> None:
    """Write the picture: the head of the page and the card of the worst flow, without what is between them.

    Raises SystemExit where no browser is installed.
    """
    path = find_browser()
    if path is None:
        raise SystemExit("no Chromium is installed, so nothing is drawn")
    os.chdir(ROOT)
    observed = read_observations(None, "15s")
    exports = read_exports(["fixtures/estate"])
    estate = resolve_exports(exports, observed)
    judged = Judged(estate, judge(estate.facts, RULES), lambda: exports)
    text = render_html(judged.judgement, estate, repairs=find_repairs(judged, observed, RULES))
    with tempfile.TemporaryDirectory() as folder, open_browser(path) as browser:
        html = Path(folder) / "page.html"
        html.write_text(text, "utf-8")
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}, color_scheme="light")
        page.goto(html.as_uri())
        page.locator("#overview td.queue a").first.click()
        page.locator("#overview .opened article").wait_for()
        for part in page.locator(_CUT).all():
            part.evaluate("(part) => { part.style.display = 'none'; }")
        page.mouse.move(0, 0)
        page.evaluate("scrollTo(0, 0)")
        page.screenshot(path=file)


if __name__ == "__main__":
    PICTURE.parent.mkdir(parents=True, exist_ok=True)
    draw(PICTURE)
    size = PICTURE.stat().st_size
    if size > MOST_BYTES:
        raise SystemExit(f"{PICTURE} has {size:,} bytes, more than {MOST_BYTES:,}")
