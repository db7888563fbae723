"""The Jinja2 environment of reports and pages in Markdown.

A template prints each value escaped; ``fenced`` prints a line of a code block, where nothing is markup. The line of a
block tag does not reach the document. The text of a macro counts as a value, so templates include others instead.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import cast

import jinja2

from lintmdb.report.terminal import safe


class Verbatim(str):
    """Text that is Markdown already, or that is in a place without markup."""

    __slots__ = ()


@functools.cache
def markdown_environment(folder: Path, escape: Callable[[str], str]) -> jinja2.Environment:
    """The environment of the templates in a folder; ``escape`` turns a value into Markdown that shows it as it is."""

    def finalize(value: object) -> str:
        return value if isinstance(value, Verbatim) else escape(str(value))

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(folder),
        autoescape=False,  # that would be for HTML: finalize escapes
        undefined=jinja2.StrictUndefined,
        finalize=finalize,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,
    )
    cast("dict[str, Callable[..., str]]", environment.filters).update(fenced=fenced)
    return environment


def fenced(line: str) -> Verbatim:
    """A line of a code block; characters that nobody sees are spelled out."""
    return Verbatim(safe(line))
