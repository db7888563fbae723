"""Every format says something of every estate, whatever was left out of its exports."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from lintmdb.delivery.wording import IF_ALLOWED
from lintmdb.engine.findings import FlowHead, Judgement
from lintmdb.engine.judge import judge
from lintmdb.report.cases import build_cases
from lintmdb.report.fate_sentences import fate_sentences
from lintmdb.report.headline_fates import HeadlineFate, headline_fates
from lintmdb.report.html.packs import unpacked
from lintmdb.report.html.page import render_html
from lintmdb.report.html.visible_text import visible
from lintmdb.report.markdown import render_markdown
from lintmdb.report.terminal import Style
from lintmdb.report.text_summary import Fates, untold_bad, untold_lines
from lintmdb.run.all_queues import judge_all_queues
from lintmdb.run.estate import read_exports, resolve_exports
from tests.laws.laws import OBSERVED, seeds, write_estates
from tests.support.command import run_here
from tests.support.html_page import Page
from tests.support.random_estates.draw import Draw
from tests.support.random_estates.estates import build_estate
from tests.support.random_estates.omissions import leave_out
from tests.support.scenario import RULES

pytestmark = pytest.mark.slow

_ESTATES = 12


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Estates, and what is left of them."""
    whole, rest = tmp_path_factory.mktemp("whole"), tmp_path_factory.mktemp("rest")
    write_estates(whole, seeds(_ESTATES))
    for seed in seeds(_ESTATES):
        leave_out(Draw(f"report {seed}"), build_estate(seed))[1].write(rest)
    return whole, rest


def test_check_reports_in_every_format(folders: tuple[Path, Path], tmp_path: Path) -> None:
    """With one look at the exports: each format has a file that says something."""
    names = ("text", "json", "sarif", "junit", "gitlab", "markdown", "csv", "html", "github")
    outputs = [word for name in names for word in ("--format", f"{name}={tmp_path / name}")]
    result = run_here("check", folders[1], "--all-queues", "-v", *outputs)
    assert result.returncode == 1, result.stderr
    assert {file.name for file in tmp_path.iterdir() if file.stat().st_size > 3_000} == set(names)
    assert json.loads((tmp_path / "json").read_text())["summary"]["undecided"] > 300


_CAVEATS = re.compile(f"{IF_ALLOWED}|of [0-9]+ bytes, the longest|is not decided without")


def test_the_page_has_every_caveat_of_the_text(folders: tuple[Path, Path]) -> None:
    """What the text says of the fate of a flow or a queue, its card says, too; the first screen and Markdown say on how
    many flows a move rests on rights that no export shows.
    """
    caveats = set[str]()
    for folder in folders:
        estate = resolve_exports(read_exports([folder]), OBSERVED)
        judgement = judge(estate.facts, RULES)
        judge_all_queues(judgement, estate.facts, RULES)
        page = Page(render_html(judgement, estate)).root
        packed = [card for pack in page.find("script", class_="pack") for card in unpacked(pack.text)]
        articles = [*page.find("article"), *(Page(card).root for card in packed)]
        cards = {"\n".join(node.text for node in card.find("p", class_="becomes")) for card in articles}
        for head, fate in _told(judgement):
            sentences = [visible(sentence) for sentence in fate_sentences(head, fate)]
            assert "\n".join(sentences) in cards
            caveats.update(found for sentence in sentences for found in _CAVEATS.findall(sentence))
        conditional = sum(fate.moved_if_allowed for fate in headline_fates(judgement.flows))
        lead = next(page.find("p", class_="lead")).text
        assert (f"On {conditional} it is moved aside only {IF_ALLOWED}." in lead) == bool(conditional)
        assert (f"on {conditional} only {IF_ALLOWED}" in render_markdown(judgement, estate)) == bool(conditional)
    assert len({re.sub("[0-9]+", "N", caveat) for caveat in caveats}) == 3


def test_the_text_names_every_flow_with_a_bad_fate(folders: tuple[Path, Path]) -> None:
    """Those without a finding, too: the rule that would report it may wait for an answer that changes no fate."""
    without_finding = 0
    for folder in folders:
        estate = resolve_exports(read_exports([folder]), OBSERVED)
        judgement = judge(estate.facts, RULES)
        judge_all_queues(judgement, estate.facts, RULES)
        fates = Fates(headline_fates(judgement.flows), headline_fates(judgement.unread))
        shown = {case.subject for case in build_cases(judgement, fates.flows, fates.unread)}
        untold = {subject for subject, _ in untold_bad(judgement, fates, shown)}
        bad = {head.subject for head, fate in _told(judgement) if fate.group.bad}
        assert bad - shown == untold
        without_finding += len(untold)
        text = "\n".join(untold_lines(untold_bad(judgement, fates, shown), Style(), every=True))
        assert text.count("whatever settles") == len(untold)
    assert without_finding


def _told(judgement: Judgement) -> Iterator[tuple[FlowHead, HeadlineFate]]:
    for heads in (judgement.flows, judgement.unread):
        yield from zip(heads, headline_fates(heads), strict=True)


def test_diff_reports_in_every_format(folders: tuple[Path, Path], tmp_path: Path) -> None:
    """What is left against the whole, which makes much undecided."""
    names = ("text", "json", "markdown", "html", "github", "junit")
    outputs = [word for name in names for word in ("--format", f"{name}={tmp_path / name}")]
    result = run_here("diff", *folders, "--all-queues", *outputs)
    assert result.returncode in (0, 1), result.stderr
    assert {file.name for file in tmp_path.iterdir() if file.stat().st_size > 100} == set(names)
