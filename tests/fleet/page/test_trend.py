"""How errors went over the last audits, on the page of an audit."""

from __future__ import annotations

from pathlib import Path

from lintmdb.fleet.page.report import write_report
from lintmdb.fleet.page.trend import AUDITS_SHOWN, read_trend
from tests.support.audit_days import Days
from tests.support.html_page import Node, Page


def _page(audit: Path) -> Node:
    return Page(write_report(audit).read_text("utf-8")).root


def test_a_first_audit_has_no_trend(tmp_path: Path) -> None:
    """Neither has one of a version that kept no history; nothing leads to a section that is not there."""
    days = Days(tmp_path)
    for audit in (days.audit("A", history=False), Days(tmp_path / "other").audit("A")):
        assert read_trend(audit) is None
        page = _page(audit)
        assert not any(page.find("h2", id="trend"))
        assert not any(page.find("a", href="#trend"))


def test_the_trend_shows_the_last_audits(tmp_path: Path) -> None:
    """The latest first, with bars in proportion to the largest number shown; a number says how many are older."""
    days = Days(tmp_path)
    days.audit("A", "B", "C", "D")
    days.audit("A")
    for _ in range(AUDITS_SHOWN - 1):
        days.audit("A", "B")
    audit = days.audit("B", "C", "E")
    trend = read_trend(audit)
    assert trend is not None
    assert (trend.new, trend.returned, trend.gone, trend.oldest_days, trend.older) == (1, 1, 2, 15, 2)
    assert [row.errors.count for row in trend.rows] == [3] + [2] * (AUDITS_SHOWN - 1)
    page = _page(audit)
    (section,) = (part for part in page.find("section") if any(part.find("h2", id="trend")))
    text = " ".join(section.text.split())
    assert "Since the audit before: 1 new finding, 1 returned. The oldest one has been known for 15 days." in text
    assert "2 findings of earlier audits are gone." in text
    assert "and 2 older audits, in the table audits" in text
    body = next(section.find("tbody"))
    rows = [[cell.text.strip() for cell in row.find("td")] for row in body.find("tr")]
    assert [row[0] for row in rows] == ["3"] + ["2"] * (AUDITS_SHOWN - 1)
    bars = [bar.attributes["width"] for bar in body.find("rect", **{"class": "bar e"})]
    assert bars == ["100.00%"] + ["66.67%"] * (AUDITS_SHOWN - 1)
    assert next(row.text.strip() for row in body.find("time")) == "2026-01-17 00:00"
    assert any(page.find("a", href="#trend"))
    assert all(head.attributes["scope"] in ("col", "row") for head in section.find("th"))


def test_no_findings_at_all_are_a_trend(tmp_path: Path) -> None:
    """Nothing is divided by nothing."""
    days = Days(tmp_path)
    days.audit()
    trend = read_trend(days.audit())
    assert trend is not None
    assert [row.errors.percent for row in trend.rows] == [0.0, 0.0]
    assert trend.oldest_days == 0
