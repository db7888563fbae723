r"""The Jinja2 environment of the HTML pages.

What templates can rely on:

- Each value is escaped, control and direction characters are spelled out, and None prints nothing. Quotation marks are
  escaped as well wherever the value is part of a tag, so no template has to say which of the two applies.
- A line break in a template, with the blanks around it, does not reach the page; between two words of text it becomes
  one blank. ``{{ "\n" }}`` and ``{{ " " }}`` write one that is wanted at the end of a line.
- A name that is not defined is an error.
- Filters: ``number`` (1,204), ``counted`` (``3|counted("flow")`` is "3 flows"), ``clipped(80)``, and all of Jinja2's.
"""

from __future__ import annotations

import functools
import html
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import cast

import jinja2
from jinja2.ext import Extension
from jinja2.lexer import Token, TokenStream
from markupsafe import Markup

from lintmdb.report.html.visible_text import clipped, visible
from lintmdb.report.terminal import counted_words

FOLDER = Path(__file__).with_name("templates")
"""The templates that all pages share, and those of the page of a run."""
_BETWEEN_WORDS = re.compile(r"(?<=[^\s>])[ \t]*\n\s*(?=[^\s<])")
_LINE_BREAK = re.compile(r"[ \t]*\n\s*")


@functools.cache
def page_environment(*folders: Path) -> jinja2.Environment:
    """The environment that finds templates in ``folders`` and then in FOLDER; each template is compiled once."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader([*folders, FOLDER]),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        extensions=[PageSyntax],
        finalize=element_text,
        auto_reload=False,
    )
    filters = cast("dict[str, Callable[..., str]]", environment.filters)
    filters.update(number=number, counted=counted_words, clipped=clipped)
    return environment


def macro(environment: jinja2.Environment, template: str, name: str) -> Callable[..., Markup]:
    """A macro of a template as a function, for the parts of a page whose size decides what comes after them."""
    return cast("Callable[..., Markup]", getattr(environment.get_template(template).module, name))


def number(value: int) -> str:
    """A number with thousands separators."""
    return f"{value:,}"


def element_text(value: object) -> str:
    """A value as autoescape takes it between tags: Markup passes unchanged, None is blank, nothing is invisible.

    Autoescape would replace quotation marks as well, so text that has some is escaped here.
    """
    if isinstance(value, Markup):
        return value
    text = "" if value is None else visible(str(value))
    return Markup(html.escape(text, quote=False)) if '"' in text or "'" in text else text


def attribute_text(value: object) -> Markup:
    """A value as HTML inside a tag, between quotation marks."""
    text = element_text(value)
    escaped = str(text) if isinstance(text, Markup) else html.escape(text, quote=False)
    return Markup(escaped.replace('"', "&quot;").replace("'", "&#x27;"))


class PageSyntax(Extension):
    """Drops the line breaks of a template, and escapes what a template writes inside of tags as attributes."""

    def __init__(self, environment: jinja2.Environment) -> None:
        super().__init__(environment)
        environment.filters["attribute_text"] = attribute_text

    def filter_stream(self, stream: TokenStream) -> Iterator[Token]:
        """The tokens of a template; the expressions inside of tags pass through ``attribute_text``."""
        in_tag = False
        for token in stream:
            if token.type == "data":
                opened, closed = token.value.rfind("<"), token.value.rfind(">")
                in_tag = opened > closed if max(opened, closed) >= 0 else in_tag
                text = _LINE_BREAK.sub("", _BETWEEN_WORDS.sub(" ", token.value))
                yield Token(token.lineno, "data", text)
            elif in_tag and token.type == "variable_begin":
                yield token
                yield Token(token.lineno, "lparen", "(")
            elif in_tag and token.type == "variable_end":
                yield Token(token.lineno, "rparen", ")")
                yield Token(token.lineno, "pipe", "|")
                yield Token(token.lineno, "name", "attribute_text")
                yield token
            else:
                yield token
