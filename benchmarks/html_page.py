"""What the page of a large cell costs: to write it, and to open it in a browser where there is one."""

from __future__ import annotations

import os
import shutil
import statistics
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from generate import write_cell
from measure import interleaved, lintmdb, say
from playwright.sync_api import Browser, sync_playwright

FLOWS = 10_000
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
RUNS = 5
_PAINT = "performance.getEntriesByName('first-contentful-paint')[0].startTime"


def main() -> None:
    """Measure a cell of 10,000 flows, most of them with findings."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        inputs = write_cell(folder, FLOWS)
        page = folder / "report.html"
        html = lintmdb("check", *inputs, "--format", f"html={page}")
        text = lintmdb("check", *inputs, "--format", f"text={folder / 'report.txt'}")
        (slow, _), (quick, _) = interleaved([html, text], 3)
        print(f"{FLOWS} flows, {page.stat().st_size / 1e6:.1f} MB")
        say("check with HTML to check with text", slow / quick, "at most 3")
        _opened(folder, page)


class Opened(NamedTuple):
    """What it costs to open a page, in seconds and bytes."""

    paint: float
    memory: int
    """Of the page's process, not shared with others; 0 where the system does not tell."""
    card: float
    """From a click until a card is there that the page holds compressed; 0 for a page without one."""
    search: float


def _opened(folder: Path, page: Path) -> None:
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        print("no browser, so the page is not opened")
        return
    empty = folder / "empty.html"
    empty.write_text("<!DOCTYPE html><title>empty</title><p>empty</p>", "utf-8")
    options = ["--no-sandbox"] if os.geteuid() == 0 else []
    runs: dict[Path, list[Opened]] = {empty: [], page: []}
    with sync_playwright() as playwright:
        for _ in range(RUNS):
            for file, found in runs.items():
                browser = playwright.chromium.launch(executable_path=path, args=options)
                found.append(_open(browser, file))
                browser.close()
    full, least = (
        Opened(*(statistics.median(values) for values in zip(*runs[file], strict=True))) for file in (page, empty)
    )
    print(f"first paint after {full.paint:.2f} s, an empty page after {least.paint:.2f} s (goal: at most 0.5 s)")
    if full.memory:
        print(f"memory {full.memory / 1e6:.0f} MB, an empty page {least.memory / 1e6:.0f} MB (goal: at most 100 MB)")
    print(f"a compressed card opens in {full.card:.2f} s, a search in all flows takes {full.search:.2f} s")


def _open(browser: Browser, file: Path) -> Opened:
    page = browser.new_page(viewport={"width": 1400, "height": 900})
    page.set_default_timeout(120_000)
    page.goto(file.as_uri())
    page.wait_for_timeout(1000)
    paint, memory = float(page.evaluate(_PAINT)) / 1000, _memory()
    rows = page.locator("#overview tbody.rows > tr")
    if not rows.count():
        return Opened(paint, memory, 0, 0)
    start = time.perf_counter()
    page.fill("#search", f"F{FLOWS - 1:05}.IN")
    page.locator("#shown", has_text="1 of ").wait_for()
    search = time.perf_counter() - start
    start = time.perf_counter()
    rows.first.locator("td.queue a").click()
    page.locator("#overview .opened h3").first.wait_for()
    return Opened(paint, memory, time.perf_counter() - start, search)


def _memory() -> int:
    """What the largest process that shows a page has for itself, in bytes."""
    found = [0]
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if b"--type=renderer" in (process / "cmdline").read_bytes():
                lines = (process / "smaps_rollup").read_text().splitlines()[1:]
                found.append(1024 * sum(int(line.split()[1]) for line in lines if line.startswith("Private_")))
        except OSError:
            continue
    return max(found)


if __name__ == "__main__":
    main()
