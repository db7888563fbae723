"""A real browser for tests: Debian's Chromium, driven by Playwright, which brings no browser of its own."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

_NAMES = ("chromium", "chromium-browser", "google-chrome")
_PAGE_OBJECT = re.compile(rb"/Type\s*/Page\b")


def find_browser() -> str | None:
    """The path of an installed Chromium, if there is one."""
    return next(filter(None, map(shutil.which, _NAMES)), None)


@contextmanager
def open_browser(path: str) -> Generator[Browser]:
    """A browser without a window."""
    # Chromium refuses to run as root with its sandbox, and a container has nobody else.
    options = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=options)
        try:
            yield browser
        finally:
            browser.close()


def print_pages(page: Page, file: Path) -> int:
    """Print a page on A4, and count the sheets."""
    page.pdf(path=file, prefer_css_page_size=True)
    return len(_PAGE_OBJECT.findall(file.read_bytes()))


def width_of(page: Page) -> int:
    """How wide the content of a page is, in pixels."""
    return int(page.evaluate("document.documentElement.scrollWidth"))
