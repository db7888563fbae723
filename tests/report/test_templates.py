"""What templates of HTML and Markdown do to the values that they print."""

from __future__ import annotations

from pathlib import Path

import pytest
from jinja2 import UndefinedError
from markupsafe import Markup

from lintmdb.report.html.templates import FOLDER, page_environment
from lintmdb.report.markdown import escaped
from lintmdb.report.markdown_templates import markdown_environment


def html(template: str, **values: object) -> str:
    """A template of a page, rendered."""
    return page_environment().from_string(template).render(values)


def markdown(template: str, folder: Path, **values: object) -> str:
    """A template of a report in Markdown, rendered."""
    return markdown_environment(folder, escaped).from_string(template).render(values)


def test_text_is_escaped_between_tags() -> None:
    """Quotation marks stay as they are there, what would begin a tag or an entity does not."""
    assert html("<p>{{ x }}</p>", x="<b> &amp; \"'") == "<p>&lt;b&gt; &amp;amp; \"'</p>"


def test_text_inside_a_tag_cannot_end_its_attribute() -> None:
    """Quotation marks are escaped there without a filter, also in an expression, after a block, and in markup."""
    attack = "\"' onload='x"
    escaped_attack = "&quot;&#x27; onload=&#x27;x"
    assert html('<p title="{{ x }}">', x=attack) == f'<p title="{escaped_attack}">'
    assert html('<p{% if x %} title="{{ x if x else "" }}"{% endif %}>', x=attack) == f'<p title="{escaped_attack}">'
    assert html('<p title="{{ x }}">{{ x }}', x=Markup(attack)) == f'<p title="{escaped_attack}">{attack}'


def test_nothing_that_a_page_prints_is_invisible() -> None:
    """Characters that control, hide or turn around are spelled out, in text and in attributes; line breaks stay."""
    assert html('<p title="{{ x }}">{{ x }}', x="a\u202eb\x1b\n") == '<p title="a\\u202eb\\x1b\n">a\\u202eb\\x1b\n'


def test_markup_and_none() -> None:
    """Markup is not escaped again, None prints nothing, and a number prints as it is unless it asks for separators."""
    assert html("{{ a }}{{ b }}{{ c }} {{ c|number }}", a=Markup("<i>"), b=None, c=1234) == "<i>1234 1,234"


def test_line_breaks_of_a_template() -> None:
    """They separate words of text, and leave no trace elsewhere; a quoted one is printed."""
    template = '<p\n  class="a">\n  one\n  two {{ x }}\n  <b>{{ x }}</b>{{ "\\n" }}\n</p>\n'
    assert html(template, x=3) == '<p class="a">one two 3<b>3</b>\n</p>'


def test_a_name_that_nobody_defined_is_an_error() -> None:
    """A misspelled name never prints as nothing."""
    with pytest.raises(UndefinedError):
        html("{{ nam }}", name="x")


@pytest.mark.parametrize("name", sorted(path.name for path in FOLDER.iterdir()))
def test_templates_of_pages_have_no_marked_exceptions(name: str) -> None:
    """No template calls text of an export safe."""
    text = (FOLDER / name).read_text("utf-8")
    assert "|safe" not in text
    assert "autoescape" not in text


def test_markdown_is_escaped(tmp_path: Path) -> None:
    """A value is no markup, a line of a code block is not escaped, and nothing is invisible in either."""
    assert markdown("{{ x }}", tmp_path, x="*a* <b>\x1b") == "\\*a\\* \\<b\\>\\\\x1b"
    assert markdown("{{ x|fenced }}", tmp_path, x="*a* <b>\x1b") == "*a* <b>\\x1b"
    with pytest.raises(UndefinedError):
        markdown("{{ y }}", tmp_path, x="")
