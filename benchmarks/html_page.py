"""What a page of 10,000 findings costs: to write it, and to open it in a browser where there is one."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

from generate import write_cell
from measure import interleaved, lintmdb, say

FLOWS = 5000
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def main() -> None:
    """Measure a cell of 5,000 flows, nearly all of them with findings."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        inputs = write_cell(folder, FLOWS)
        page = folder / "report.html"
        html = lintmdb("check", *inputs, "--format", f"html={page}")
        text = lintmdb("check", *inputs, "--format", f"text={folder / 'report.txt'}")
        (slow, _), (quick, _) = interleaved([html, text], 3)
        written = page.read_text("utf-8")
        findings = written.count('<section class="finding')
        print(f"{findings} findings, {len(written) / 1e6:.1f} MB, {written.count('</') // findings} elements a finding")
        say("check with HTML to check with text", slow / quick, "at most 3")
        _opened(folder, page)


def _opened(folder: Path, page: Path) -> None:
    """From the start of a browser to the picture of the loaded page, beyond what an empty page takes."""
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        print("no browser, so the page is not opened")
        return
    empty = folder / "empty.html"
    empty.write_text("<!DOCTYPE html><title>empty</title>", "utf-8")
    options = ["--headless=new", "--disable-gpu", "--window-size=1400,900", f"--user-data-dir={folder / 'profile'}"]
    if os.geteuid() == 0:
        options.append("--no-sandbox")
    commands = [[browser, *options, f"--screenshot={folder / 'picture.png'}", file.as_uri()] for file in (page, empty)]
    (full, _), (least, _) = interleaved(commands, 5)
    print(f"opening the page, beyond an empty one: {full - least:.1f} s (goal: under 2 s)")


if __name__ == "__main__":
    main()
