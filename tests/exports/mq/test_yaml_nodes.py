"""YAML with positions: each character of a scalar's text is where the file has it."""

from __future__ import annotations

import contextlib
import json

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from lintmdb.exports.mq.yaml_nodes import Mapped, Scalar, YamlError, documents


def scalar(text: str, *keys: str) -> Scalar:
    """The scalar below some keys of the last document."""
    *_, document = documents(text)
    root = document.root()
    assert isinstance(root, Mapped)
    found = root.get(*(keys or ("a",)))
    assert isinstance(found, Scalar)
    return found


FORMS = [
    "a: |\n    ABC\n      DEF\n\n    GHI\n",
    "b: 1\na: |-\n\n  ABC\n  DEF\n   GHI",
    "a: |2\n    ABC\n  DEF GHI\n",
    "x: &x\n  a: |+\n   ABC\n   DEF\n   GHI\n\n\na: *x\n",
    "a: >\n  ABC\n  DEF\n\n  GHI\n",
    "a: >-\n  ABC\n    DEF\n  GHI\n",
    'a: "ABC\\nDEF\\tGHI"\n',
    'a: "ABC \\u0041 \\\n   DEF\n\n   GHI"\n',
    "a: 'ABC ''DEF''\n   GHI'\n",
    "a: ABC DEF\n   GHI\n",
    "--- # one\nz: 1\n---\na: |\r\n  ABC\r\n  DEF\r\n  GHI\r\n",
    '{"a": "ABC\\r\\nDEF \\"GHI\\""}',
    "a: |\n  ABC {{ .x }} DEF\n{{- if .y }}\n  GHI\n{{- end }}\n",
    "{{- if .y }}\na: {{ .z }} ABC DEF GHI\n{{- end }}\n",
]


@pytest.mark.parametrize("text", FORMS)
def test_words_are_where_the_file_has_them(text: str) -> None:
    """The position of a word in the text leads to the word in the file."""
    found = scalar(text, "a", "a") if "*x" in text else scalar(text)
    embedded, lines = found.text(), text.split("\n")
    for word in ("ABC", "DEF", "GHI"):
        line, column = embedded.place_of(embedded.text.index(word))
        assert lines[line - 1][column - 1 :].startswith(word), (line, column)


@pytest.mark.parametrize("text", [form for form in FORMS if "{{" not in form and "---" not in form])
def test_texts_are_those_of_the_loader(text: str) -> None:
    """The text is what PyYAML loads."""
    loaded = yaml.safe_load(text.replace("\r", ""))["a"]
    found = scalar(text, "a", "a") if "*x" in text else scalar(text)
    assert found.text().text == (loaded["a"] if isinstance(loaded, dict) else loaded)


def test_templates_are_as_written() -> None:
    """The parser sees no template action, and the text shows each."""
    text = "name: {{ .Values.name }}-cm\n{{- if .x }}\na: |\n  DEFINE QL({{ .q }})\n  {{- tpl . }}\n{{- end }}\n"
    assert scalar(text, "name").value == "{{ .Values.name }}-cm"
    assert scalar(text).value == "DEFINE QL({{ .q }})\n"


@pytest.mark.parametrize(
    ("text", "line", "column", "why"),
    [
        ("a: 1\nb: [", 2, 5, "is not valid YAML"),
        ("a: 1\na: 2\n", 2, 1, "twice"),
        ("---\na: " + "[" * 200, 2, 103, "nested"),
        ("a: *nothing", 1, 4, "anchor"),
        ("a: \x01", 1, 1, "character"),
    ],
)
def test_what_cannot_be_read_is_placed(text: str, line: int, column: int, why: str) -> None:
    """Broken documents say why, and where."""
    *_, document = documents(text)
    with pytest.raises(YamlError, match=why) as raised:
        document.root()
    assert (raised.value.line, raised.value.column) == (line, column)


def test_aliases_are_not_copied() -> None:
    """A billion laughs cost nothing, and a node may hold itself."""
    bomb = "a0: &a0 x\n" + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 60))
    *_, document = documents(bomb + "self: &s [*s]\n")
    assert isinstance(document.root(), Mapped)


def test_an_empty_document_has_an_empty_value() -> None:
    """The parser places it behind the last line."""
    (document,) = documents("---")
    root = document.root()
    assert isinstance(root, Scalar)
    assert root.text().text == ""


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet="ab:|->'\"\\n{}[]%&*#\n\r\t \x85\u2028\x01{{.é", max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    """Whatever the text, each document has nodes or a problem, and each scalar has a text."""
    for document in documents(text):
        with contextlib.suppress(YamlError):
            pending = [document.root()]
            seen: set[int] = set()
            while pending:
                node = pending.pop()
                if id(node) in seen:
                    continue
                seen.add(id(node))
                if isinstance(node, Scalar):
                    node.text().place_of(len(node.value))
                elif isinstance(node, Mapped):
                    pending += [value for _, value in node.entries]
                elif node is not None:
                    pending += node.items


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="ab'\"\\ \n\t{x", max_size=40))
def test_json_strings_keep_their_text(text: str) -> None:
    """A string in JSON has the text that it stands for."""
    assert scalar(json.dumps({"a": text})).text().text == text
