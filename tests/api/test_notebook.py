"""The notebook of the documentation runs, and what it shows is framed, bounded and harmless."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Mapping
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, Protocol, cast

import pytest

import lintmdb
from lintmdb import api
from lintmdb.api import drawing
from tests.support.project import FIXTURES, ROOT

NOTEBOOK: dict[str, Any] = json.loads((ROOT / "docs" / "notebook.ipynb").read_text("utf-8"))

CODE = [cell for cell in NOTEBOOK["cells"] if cell["cell_type"] == "code"]


class Shown(Protocol):
    """What a notebook asks for its HTML."""

    def _repr_html_(self) -> str | None: ...


@pytest.fixture(scope="module")
def shown() -> list[object]:
    """The last value of each cell; the cells run in one namespace, as in Jupyter."""
    pytest.importorskip("pandas")
    names: dict[str, object] = {}
    values: list[object] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        values += [_run("".join(cell["source"]), names) for cell in CODE]
    return values


def _run(source: str, names: dict[str, object]) -> object:
    tree = ast.parse(source)
    *most, last = tree.body
    assert isinstance(last, ast.Expr)
    exec(compile(ast.Module(most, []), "cell", "exec"), names)
    return eval(compile(ast.Expression(last.value), "cell", "eval"), names)


def test_the_notebook_says_what_its_words_say(shown: list[object]) -> None:
    """Each cell shows a value: the estate, a report with its findings, what a change ends, a plan, a story."""
    estate, report, table, lost, by_change, by_value, plan, changes, trace = shown
    assert repr(estate).startswith("Estate(cells=('PRODCELL',)")
    assert isinstance(report, api.Report)
    assert (len(report.findings), len(cast("Any", table))) == (10, 10)
    assert isinstance(lost, api.Finding)
    assert isinstance(by_change, api.Difference)
    assert "MDB302" in {finding.rule for finding in by_change.resolved}
    assert isinstance(by_value, api.Difference)
    assert by_value.resolved
    assert isinstance(plan, api.Plan)
    assert len(plan.changes) == len(cast("Any", changes)) > 0
    assert isinstance(trace, api.Trace)
    assert [story.workload for flow in trace.flows for story in flow.stories]


def test_the_notebook_holds_no_output() -> None:
    """What cells print is not kept in the file, which is small."""
    assert len(CODE) > 5
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in CODE)
    assert (ROOT / "docs" / "notebook.ipynb").stat().st_size < 10_000
    assert len({cell["id"] for cell in NOTEBOOK["cells"]}) == len(NOTEBOOK["cells"])


class _Frames(HTMLParser):
    """The frames of a fragment, and all its tags."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.frames: list[Mapping[str, str | None]] = []
        self.tags: set[str] = set()
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note a tag."""
        self.tags.add(tag)
        if tag == "iframe":
            self.frames.append(dict(attrs))


def _html(value: object) -> str:
    text = cast("Shown", value)._repr_html_()  # pyright: ignore[reportPrivateUsage]
    assert text is not None
    return text


def test_results_show_themselves_in_frames(shown: list[object]) -> None:
    """A page is in a frame that runs nothing; within it the links of the page lead to its own places."""
    kinds = (api.Report, api.Finding, api.Plan, api.Difference)
    report, lost, plan, difference = (next(v for v in shown if isinstance(v, kind)) for kind in kinds)
    for result, title in ((report, "PRODCELL"), (lost, "OrderBean"), (plan, "PRODCELL"), (difference, "OrderBean")):
        found = _Frames(_html(result))
        (frame,) = found.frames
        assert found.tags == {"iframe"}
        assert frame["sandbox"] == ""
        page = frame["srcdoc"] or ""
        assert title in page
        assert 0 < page.index('<base href="about:srcdoc">') < page.index("default-src")
    card = _Frames(_html(lost)).frames[0]["srcdoc"] or ""
    assert card.count("<article") == 1
    assert "MDB302" in card
    assert "<nav" not in card


def test_text_shows_itself_as_text(shown: list[object]) -> None:
    """A trace shows the text of its command."""
    text = _html(next(value for value in shown if isinstance(value, api.Trace)))
    assert _Frames(text).tags == {"pre"}
    assert "OrderBean" in text


def test_a_finding_about_no_flow_has_a_card(tmp_path: Path) -> None:
    """A file that cannot be read has no flow; its finding is shown all the same."""
    (tmp_path / "server.xml").write_text(
        '<process:Server xmlns:process="http://www.ibm.com/websphere/appserver/schemas'
    )
    report = lintmdb.check([FIXTURES / "backout-inert", tmp_path])
    loose = [finding for finding in report.findings if finding.subject.kind == "export"]
    assert loose
    page = _Frames(_html(loose[0])).frames[0]["srcdoc"] or ""
    assert page.count("<article") == 1
    assert loose[0].rule in page


def test_a_large_estate_shows_its_worst_flows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not every flow goes into the file of a notebook; the worst do, and a sentence says so."""
    report = lintmdb.check(FIXTURES / "estate", on_message="15s")
    whole = _Frames(_html(report)).frames[0]["srcdoc"] or ""
    monkeypatch.setattr(drawing, "MOST_CARDS", 2)
    text = _html(report)
    part = _Frames(text).frames[0]["srcdoc"] or ""
    assert text.startswith("<p>The 2 worst of 8 flows. to_html() gives the page of all.</p>")
    assert whole.count("<article") >= 5
    assert part.count("<article") == 2
    assert re.findall('<article[^>]*id="(.*?)"', part) == re.findall('<article[^>]*id="(.*?)"', whole)[:2]
    monkeypatch.setattr(drawing, "_MOST", 1000)
    assert "too much for a notebook" in _html(report)


def test_names_of_exports_stay_in_the_frame() -> None:
    """What looks like markup in an export is text, in the frame and around it."""
    report = lintmdb.check(FIXTURES / "estate", on_message="15s")
    hostile = drawing.framed('<html><head></head><body>"><script>alert(1)</script></body></html>')
    assert _Frames(hostile).tags == {"iframe"}
    assert _Frames(drawing.preformatted(["<script>", '"&'])).tags == {"pre"}
    assert report.to_html() == report.to_html()
