"""A whole HTML page: one file that needs no network and runs no script."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from markupsafe import Markup

BASE = Path(__file__).with_name("document.css")
"""What all pages look like."""


def read_style(*sheets: Path) -> str:
    """The style of all pages, and then that of one."""
    return "".join(sheet.read_text("utf-8") for sheet in (BASE, *sheets))


class Document(NamedTuple):
    """What ``document.html.j2`` needs around the main part of a page."""

    title: str
    style: Markup
    policy: str
    """The content security policy: it allows this one style sheet, by its hash, and nothing else."""
    sections: Sequence[tuple[str, str]]
    """Anchor and name of each section, for the navigation."""
    footer: str


def build_document(title: str, style: str, sections: Sequence[tuple[str, str]], footer: str) -> Document:
    """A document with this style sheet, which must come from our own files alone."""
    return Document(title, Markup(style), _policy(style), sections, footer)


def _policy(style: str) -> str:
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    return f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
