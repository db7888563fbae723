"""A whole HTML page: one file that needs no network. Its one script finds, sorts and opens what is there without it."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from markupsafe import Markup

from lintmdb.addresses import GLOSSARY

BASE = Path(__file__).with_name("document.css")
"""What all pages look like."""
SCRIPT = Path(__file__).with_name("page.js")
"""What all pages do; each of them reads well without it, because some CI servers block scripts."""


def read_style(*sheets: Path) -> str:
    """The style of all pages, and then that of one."""
    return "".join(sheet.read_text("utf-8") for sheet in (BASE, *sheets))


class Document(NamedTuple):
    """What ``document.html.j2`` needs around the main part of a page."""

    title: str
    style: Markup
    script: Markup
    policy: str
    """The content security policy: it allows this style sheet and this script, by their hashes, and nothing else."""
    sections: Sequence[tuple[str, str]]
    """Anchor and name of each section, for the navigation."""
    footer: str
    glossary: str = GLOSSARY


def build_document(title: str, style: str, sections: Sequence[tuple[str, str]], footer: str) -> Document:
    """A document with this style sheet, which must come from our own files alone."""
    script = SCRIPT.read_text("utf-8")
    return Document(title, Markup(style), Markup(script), _policy(style, script), sections, footer)


def _policy(style: str, script: str) -> str:
    return (
        f"default-src 'none'; style-src '{_digest(style)}'; script-src '{_digest(script)}'; base-uri 'none'; "
        "form-action 'none'"
    )


def _digest(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
