"""The report of an audit: its numbers are the tables', hostile text stays text, and its size is bounded."""

from __future__ import annotations

import base64
import hashlib
import json
import random
import re
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow.parquet as _parquet
import pytest

from lintmdb.addresses import GLOSSARY
from lintmdb.cli.app import app
from lintmdb.errors import LintmdbError
from lintmdb.fleet.judging.deciding_values import deciding_words
from lintmdb.fleet.page.heat_map import CELLS_SHOWN
from lintmdb.fleet.page.notices import read_notices
from lintmdb.fleet.page.number_ranges import merge_numbers
from lintmdb.fleet.page.report import STYLE, write_report
from lintmdb.fleet.stored_values import plain_value
from lintmdb.report.html.document import read_style
from lintmdb.report.html.visible_text import visible
from lintmdb.rules.loading import load_rules
from tests.support.html_page import Node, Page, colours_of, contrast
from tests.support.synthetic_audit import finding, notice, synthetic_audit, undecided, write_audit

pq: Any = _parquet
HOSTILE = "<script>alert('x')</script>\"'&\x1b[31m\u202egnp\u2066\x00]]>--><img src=x onerror=alert(1)>"


def read_page(audit: Path) -> Node:
    """The written report as a tree."""
    return Page(write_report(audit).read_text("utf-8")).root


def section(page: Node, anchor: str) -> Node:
    """The section under a heading."""
    return next(part for part in page.find("section") if any(part.find("h2", id=anchor)))


def number(text: str) -> int:
    """A number as it is printed."""
    return int(text.replace(",", ""))


def without_numbers(words: str) -> str:
    """Words in which numbers and ranges of numbers are the same: causes that differ in numbers alone are one."""
    return re.sub(r"(?<![\w.])[1-9]\d*(?: to \d+)?(?![\w.])", "#", words)


def heat_counts(page: Node) -> tuple[list[str], dict[str, tuple[list[int], list[tuple[int, int] | None]]]]:
    """The rules of the heat table; by row its three sums, and hazards and undecided for each rule."""
    table = next(page.find("table", class_="heat"))
    heads = [head.text for head in table.find("th", scope="col")]
    rows: dict[str, tuple[list[int], list[tuple[int, int] | None]]] = {}
    for row in next(table.find("tbody")).find("tr"):
        boxes = list(row.find("td"))
        counts: list[tuple[int, int] | None] = []
        for box in boxes[3:]:
            hazards, _, undecided = box.text.partition("?")
            counts.append(None if hazards == "–" else (number(hazards or "0"), number(undecided or "0")))
        rows[next(row.find("th")).text] = ([number(box.text) for box in boxes[:3]], counts)
    return heads[4:], rows


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An audit of 20 cells."""
    return synthetic_audit(tmp_path_factory.mktemp("small") / "audit", 20, 600)


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An audit of 2,000 cells with 40,000 findings, twenty times what a page of 2 MB could list."""
    return synthetic_audit(tmp_path_factory.mktemp("large") / "audit", 2_000, 40_000)


@pytest.mark.parametrize("size", ["small", pytest.param("large", marks=pytest.mark.slow)])
def test_every_number_of_the_heat_table_is_that_of_the_tables(size: str, request: pytest.FixtureRequest) -> None:
    """Each box, each sum, the row of the others and the row of all are sums of the summary table."""
    audit: Path = request.getfixturevalue(size)
    severities = {rule.id: rule.severity for rule in load_rules()}
    expected: dict[tuple[str, str], Counter[str]] = {}
    rows = pq.read_table(audit / "summary").to_pylist()
    cells = sorted({row["cell"] for row in rows})
    rules, found = heat_counts(read_page(audit))
    shown = [name for name in found if name in cells]
    assert len(shown) == min(len(cells), CELLS_SHOWN)
    others = f"{len(cells) - len(shown):,} other cells"
    for row in rows:
        for name in (f"All {len(cells):,} cells", row["cell"] if row["cell"] in shown else others):
            for rule in (row["rule"], ""):
                counts = expected.setdefault((name, rule), Counter())
                for kind in ("hazards", "undecided", "clear"):
                    counts[kind] += row[kind]
                if severities[row["rule"]] == "error":
                    counts["errors"] += row["hazards"]
    assert set(found) == {name for name, _ in expected}
    for name, (sums, boxes) in found.items():
        counts = expected[name, ""]
        assert sums == [counts["errors"], counts["hazards"], counts["undecided"]], name
        for rule, box in zip(rules, boxes, strict=True):
            counts = expected.get((name, rule), Counter())
            assert box == ((counts["hazards"], counts["undecided"]) if counts.total() else None), (name, rule)
    of_cell: dict[str, Counter[str]] = {cell: Counter() for cell in cells}
    for row in rows:
        of_cell[row["cell"]].update(hazards=row["hazards"], undecided=row["undecided"])
        of_cell[row["cell"]]["errors"] += row["hazards"] if severities[row["rule"]] == "error" else 0
    order = ("errors", "hazards", "undecided")
    assert shown == sorted(cells, key=lambda cell: (*(-of_cell[cell][kind] for kind in order), cell))[:CELLS_SHOWN]


def test_the_headline_counts_the_tables(small: Path) -> None:
    """Severities, undecided verdicts and quarantine are counted from the tables, the rest is in summary.json."""
    page = read_page(small)
    tiles = {
        next(tile.find("dt")).text: number(next(tile.find("dd")).text) for tile in next(page.find("dl")).find("div")
    }
    severities: Counter[str] = Counter(pq.read_table(small / "findings", columns=["severity"])["severity"].to_pylist())
    assert (tiles["errors"], tiles["warnings"], tiles["info"]) == tuple(
        severities[severity] for severity in ("error", "warning", "info")
    )
    assert tiles["undecided"] == pq.read_table(small / "undecided").num_rows
    assert tiles["in quarantine"] == pq.read_table(small / "quarantine").num_rows
    assert tiles["cells"] == 20
    assert next(page.find("h1")).text == f"600 hazards in 240 flows, {tiles['undecided']} checks undecided"


@pytest.mark.slow
def test_a_large_audit_stays_small_and_well_formed(large: Path) -> None:
    """100,000 findings over 5,000 cells: below 2 MB, at most 50 causes, 30 flows, 100 needs and 60 cells."""
    page = read_page(large)
    assert (large / "report.html").stat().st_size < 2_000_000
    assert len(list(section(page, "causes").find("li"))) == 50
    flows = list(section(page, "flows").find("details", class_="fold"))
    assert 0 < len(flows) <= 30
    assert len(list(next(section(page, "open").find("tbody")).find("tr"))) == 100
    assert len(list(next(page.find("table", class_="heat")).find("tr"))) == 1 + 1 + CELLS_SHOWN + 1
    assert re.search(r"and [\d,]+ more to give, for [\d,]+ verdicts", section(page, "open").text)


def test_the_same_audit_gives_the_same_bytes(small: Path) -> None:
    """Nothing of the page depends on when or how often it is written."""
    first = write_report(small).read_bytes()
    assert write_report(small).read_bytes() == first
    assert sorted(path.name for path in small.iterdir() if path.name.startswith((".", "report"))) == ["report.html"]


def test_the_order_of_rows_and_files_does_not_matter(small: Path, tmp_path: Path) -> None:
    """Spark writes rows in any order into any number of files: the page is the same."""
    copy = shutil.copytree(small, tmp_path / "audit")
    chance = random.Random(3)
    for folder in (path for path in copy.iterdir() if path.is_dir()):
        table = pq.read_table(folder)
        shutil.rmtree(folder)
        folder.mkdir()
        order = chance.sample(range(table.num_rows), table.num_rows)
        for part in range(3):
            pq.write_table(table.take(order[part::3]), folder / f"part-{part}.parquet")
    assert write_report(copy).read_bytes() == write_report(small).read_bytes()


def test_flows_that_share_a_cause_are_counted_together(tmp_path: Path) -> None:
    """The number of a cause is the sum of its flows; one owner is named, several are counted."""
    rows = [
        finding(flows=200, queue_manager="QM7", fingerprint="1"),
        finding(flows=12, queue_manager="QM7", fingerprint="2", subject={"name": "CLAIMS.IN"}, cell="C2"),
        finding(
            rule="MDB201", name="stops-on-first-rollback", severity="warning", fingerprint="3", flows=1, cell="C1",
            subject={"kind": "listener_port", "name": "LP"}, values='{"endpoint.failure_threshold": 0}',
        ),
        finding(
            rule="MDB201", name="stops-on-first-rollback", severity="warning", fingerprint="4", flows=1, cell="C2",
            subject={"kind": "listener_port", "name": "LP"}, values='{"endpoint.failure_threshold": 0}',
        ),
    ]  # fmt: skip
    page = read_page(write_audit(tmp_path / "a", {"findings": rows}))
    sentences = [next(item.find("strong")).text for item in section(page, "causes").find("summary")]
    assert sentences == [
        "212 flows share BOTHRESH(0) and BOQNAME blank on queues of QM7",
        "2 flows share failure threshold 0 on listener ports of 2 cells",
    ]
    first = next(section(page, "causes").find("details"))
    assert next(first.find("pre")).text == "ALTER QLOCAL('ORDERS.IN') BOTHRESH(3)"
    assert "Fix for ORDERS.IN; the table findings has those of the others" in first.text
    assert [cell.text for cell in next(first.find("tbody")).find("td")] == ["212", "2"]


def test_findings_of_no_flow_are_a_cause_too(tmp_path: Path) -> None:
    """Where every finding names 0 flows, the bars of the causes are as short as can be."""
    page = read_page(write_audit(tmp_path / "a", {"findings": [finding(flows=0, fingerprint="1")]}))
    item = next(section(page, "causes").find("details"))
    assert next(item.find("strong")).text.startswith("0 flows share ")
    assert next(item.find("rect")).attributes["width"] == "0.1%"


def test_causes_equal_a_count_in_plain_python(small: Path) -> None:
    """The flows of every cause sum up to those of the findings table, rule by rule."""
    table = pq.read_table(small / "findings", columns=["rule", "values", "flows", "subject"]).to_pylist()
    columns = {rule.id: rule.hazard.columns for rule in load_rules()}
    counts: Counter[tuple[str, str, str]] = Counter()
    for row in table:
        values = {name: plain_value(value) for name, value in row["values"]}
        words = without_numbers(deciding_words(values, columns[row["rule"]]))
        counts[row["rule"], row["subject"]["kind"], words] += row["flows"]
    shown = list(section(read_page(small), "causes").find("summary"))
    assert len(shown) == min(len(counts), 50)
    flows = {key: count for key, count in counts.items() if key[1] != "export"}
    for item in shown:
        text, rule = next(item.find("strong")).text, next(item.find("b")).text
        if match := re.match(r"([\d,]+) flows? (?:has|share) ", text):
            text = without_numbers(text)
            assert any(key[0] == rule and key[2] in text and count == number(match[1]) for key, count in flows.items())


def test_a_flow_shows_its_findings_worst_first_and_tells_a_story_once(tmp_path: Path) -> None:
    """Two findings with the same story: the second names the first. Steps say what changes."""
    trace = [
        _step("endpoint", "OrdersAS gives it", backout_count=0),
        _step("queue manager", "It is rolled back", backout_count=1),
        _step("bean", "Too late", at_ms=10_000),
    ]
    rows = [
        finding(rule="MDB102", name="backout-queue-unset", severity="warning", trace=trace, fingerprint="1"),
        finding(trace=trace, fingerprint="2", location={"path": "mq/QM1.mqsc", "line": 20, "column": 3}),
        finding(
            rule="MDB112", name="backout-queue-consumed", severity="info", fingerprint="3", headline="port -> other"
        ),
    ]
    flows = section(read_page(write_audit(tmp_path / "a", {"findings": rows})), "flows")
    first, second = (item for item in flows.find("details", class_="fold"))
    assert "OrderBean" in next(first.find("summary")).text
    assert "port → other" in next(second.find("summary")).text
    assert [next(part.find("h3")).text.split()[:2] for part in first.find("section")] == [
        ["error", "MDB101"],
        ["warning", "MDB102"],
    ]
    steps = [step.text for step in next(first.find("ol", class_="story")).find("li")]
    assert steps == [
        "endpointOrdersAS gives it",
        "queue managerIt is rolled back backout count 1",
        "bean+10 s Too late",
    ]
    assert "the same story as under MDB101" in first.text
    assert "mq/QM1.mqsc:20" in first.text


def _step(actor: str, text: str, **state: int) -> dict[str, Any]:
    return {"step": 1, "actor": actor, "event": "", "text": text, "state": list(state.items())}


def test_needs_are_counted_with_what_settles_them(tmp_path: Path) -> None:
    """Equal kind and target are one line; a need without a target is summed up in words."""
    plain = {"severity": "error", "missing": ["queue.backout_threshold"], "queue_manager": None}
    manager = {"needs": "an export of queue manager QM7", "need_kind": "queue_manager", "need_target": "QM7"}
    manager["need_command"] = "dmpmqcfg -m QM7 -a"
    user = {"need_kind": "user", "need_target": "", "need_command": "--observations FILE"}
    rows = [
        plain | manager | {"rule": "MDB101", "cell": "C1"},
        plain | manager | {"rule": "MDB102", "cell": "C1"},
        plain | manager | {"rule": "MDB102", "cell": "C2"},
        plain | user | {"rule": "MDB113", "cell": "C2", "needs": "the MQ user of A"},
        plain | user | {"rule": "MDB113", "cell": "C2", "needs": "the MQ user of B"},
    ]
    table = next(section(read_page(write_audit(tmp_path / "a", {"undecided": rows})), "open").find("tbody"))
    assert [[cell.text for cell in row.children if isinstance(cell, Node)] for row in table.find("tr")] == [
        ["3", "an export of queue manager QM7dmpmqcfg -m QM7 -a", "2", "2"],
        ["2", "the MQ users under which endpoints connect--observations FILE", "1", "1"],
    ]


def test_quarantine_is_listed_by_path_and_the_rest_counted(tmp_path: Path) -> None:
    """At most 200 units are listed, in the order of their paths whatever the order of the files."""
    units = [
        {"path": f"cells/{n:04d}.zip", "reason": "damaged", "next_step": "Export again", "line": n, "column": None}
        for n in reversed(range(1, 251))
    ]
    part = section(read_page(write_audit(tmp_path / "a", {"quarantine": units})), "quarantine")
    listed = [row.text for row in next(part.find("tbody")).find("tr")]
    assert len(listed) == 200
    assert listed[0] == "cells/0001.zip:1damagedExport again"
    assert "250 units could not be read" in part.text
    assert "and 50 more" in part.text


def test_hostile_text_stays_text(tmp_path: Path) -> None:
    """Tags, quotes, control characters and changes of direction in any column are shown and do nothing."""
    subject = dict.fromkeys(("name", "cell", "queue_manager", "queue"), HOSTILE) | {"kind": HOSTILE}
    bad = finding(
        **dict.fromkeys(("rule", "name", "severity", "message", "fix", "cell", "queue_manager", "headline"), HOSTILE),
        values='{"endpoint.failure_threshold": 3, "<script>.<b>": true, "x": "<i>"}',
        subject=subject,
        fingerprint="1",
        location={"path": HOSTILE, "line": 1, "column": 1},
        related=[{"path": HOSTILE, "line": 2, "message": HOSTILE, "default": None}],
        trace=[{"step": 1, "actor": HOSTILE, "event": HOSTILE, "text": HOSTILE, "state": [(HOSTILE, 7)]}],
    )
    need = dict.fromkeys(("rule", "severity", "needs", "need_kind", "need_target", "need_command", "cell"), HOSTILE)
    audit = write_audit(
        tmp_path / "a",
        {
            "findings": [bad, finding(cause=HOSTILE, headline=HOSTILE, cell=HOSTILE, fingerprint="2")],
            "undecided": [need],
            "inventory": [{"path": HOSTILE, "kind": HOSTILE, "name": HOSTILE, "complete": False}],
            "quarantine": [{"path": HOSTILE, "reason": HOSTILE, "next_step": HOSTILE, "line": 1, "column": 1}],
            "summary": [{"cell": HOSTILE, "rule": HOSTILE, "hazards": 1, "undecided": 1, "clear": 1}],
        },
        id=HOSTILE,
        inputs=[HOSTILE],
        started=HOSTILE,
        finished=HOSTILE,
        tool={"name": HOSTILE, "version": HOSTILE},
    )
    page = read_page(audit)
    text = (audit / "report.html").read_text("utf-8")
    assert all(char in "\n\t" or char.isprintable() for char in text)
    assert not set(re.findall(r"<([a-z]+)", text)) & {"img", "iframe", "object", "link", "base", "form"}
    assert re.findall(r"<script[^>]*>", text) == ["<script>"]
    for node in (node for tag in set(re.findall(r"<([a-z0-9]+)", text)) for node in page.find(tag)):
        assert not {name for name in node.attributes if name.startswith("on")} | (
            node.attributes.keys() & {"style", "src"}
        )
        assert node.attributes.get("href", "#").startswith(("#", GLOSSARY))
    assert page.text.count("<script>alert('x')</script>\"'&\\x1b[31m\\u202egnp\\u2066\\x00") > 15


@pytest.mark.slow
def test_long_hostile_names_do_not_blow_up_the_page(tmp_path: Path) -> None:
    """Names of 20,000 characters in every column of many rows: the page stays below 2 MB."""
    long = "<&\"'\x01" * 4_000
    step = _step(long, long)
    rows = [
        finding(
            rule=f"X{n}{long}", name=long, message=long, fix=long, headline=f"{n}{long}", cell=f"{n}{long}",
            fingerprint=str(n), queue_manager=f"{n}{long}", trace=[step | {"text": f"{k}{long}"} for k in range(60)],
            related=[{"path": long, "line": 1, "message": long, "default": None}] * 20,
        )
        for n in range(40)
    ]  # fmt: skip
    counts = [{"cell": row["cell"], "rule": row["rule"], "hazards": 1, "undecided": 0, "clear": 0} for row in rows]
    units = [dict.fromkeys(("path", "reason", "next_step"), f"{n}{long}") for n in range(40)]
    audit = write_audit(tmp_path / "a", {"findings": rows, "summary": counts, "quarantine": units}, inputs=[long] * 30)
    read_page(audit)
    assert (audit / "report.html").stat().st_size < 2_000_000


def test_the_page_needs_no_network_and_no_script(small: Path) -> None:
    """The policy allows the one style sheet by its hash and nothing else."""
    page = read_page(small)
    style = next(page.find("style")).text
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = next(meta for meta in page.find("meta") if meta.attributes.get("http-equiv"))
    assert policy.attributes["content"].split("; ")[:2] == ["default-src 'none'", f"style-src 'sha256-{digest}'"]
    assert "url(" not in style
    assert "@import" not in style


def test_the_page_can_be_used_without_seeing_it(small: Path) -> None:
    """Language, title, one h1, a skip link, headings in order, captions, scopes, and anchors that exist."""
    page = read_page(small)
    assert next(page.find("html")).attributes["lang"] == "en"
    assert len(list(page.find("h1"))) == 1
    ids = [
        node.attributes["id"]
        for tag in ("main", "h2", "caption", "details")
        for node in page.find(tag)
        if "id" in node.attributes
    ]
    assert len(ids) == len(set(ids))
    links = [link.attributes["href"].removeprefix("#") for link in page.find("a")]
    assert links[0] == "main"
    assert set(links) <= {*ids, GLOSSARY}
    for table in page.find("table"):
        assert any(table.find("caption"))
        assert all(head.attributes.get("scope") in ("col", "row") for head in table.find("th"))
    for box in page.find("div", role="region"):
        assert box.attributes["tabindex"] == "0"


def test_an_empty_audit_says_so(tmp_path: Path) -> None:
    """Tables without rows, and tables without files."""
    audit = write_audit(tmp_path / "a", {})
    for table in ("findings", "quarantine"):
        (audit / table / "part-00000.zstd.parquet").unlink()
    page = read_page(audit)
    assert next(page.find("h1")).text == "No hazard found"
    assert "Everything that was given could be read." in page.text
    assert "Every verdict is settled." in page.text


def test_a_rule_of_ones_own_has_its_own_name(tmp_path: Path) -> None:
    """A rule that is not built in is shown by the name in the findings."""
    rows = [finding(rule="ACME1", name="queue-name-odd", values='{"queue.max_depth": 5}')]
    counts = [{"cell": None, "rule": "ACME1", "hazards": 1, "undecided": 0, "clear": 0}]
    page = read_page(write_audit(tmp_path / "a", {"findings": rows, "summary": counts}))
    assert "Queue name odd" in section(page, "heat").text
    assert "1 queue has MAXDEPTH(5) at QM1" in section(page, "causes").text
    assert "(no cell)" in heat_counts(page)[1]


def test_a_folder_without_an_audit_is_a_clear_error(tmp_path: Path) -> None:
    """No summary, another schema, and a table that is not Parquet."""
    with pytest.raises(LintmdbError, match="holds no audit"):
        write_report(tmp_path)
    audit = write_audit(tmp_path / "a", {})
    (audit / "findings" / "part-00000.zstd.parquet").write_bytes(b"no parquet at all")
    with pytest.raises(LintmdbError, match="the table findings of the audit cannot be read"):
        write_report(audit)
    assert not list(audit.glob("*.html"))
    (audit / "summary.json").write_text('{"schema": "lintmdb-fleet/9"}', "utf-8")
    with pytest.raises(LintmdbError, match="no summary of an audit"):
        write_report(audit)


@pytest.mark.parametrize(
    ("values", "columns", "words"),
    [
        ('{"queue.backout_threshold": 0, "queue.backout_queue": "A"}', (), "BOTHRESH(0) and BOQNAME set"),
        ('{"queue.backout_threshold": 0, "queue.max_depth": 5}', ("queue.backout_threshold",), "BOTHRESH(0)"),
        ('{"queue.harden_backout": false, "queue.shareable": true}', (), "NOHARDENBO and SHARE"),
        ('{"queue.default_open": "exclusive"}', (), "DEFSOPT(EXCLUSIVE)"),
        ('{"endpoint.non_asf_timeout_ms": 110000}', (), "non-ASF receive timeout 110 s"),
        ('{"server.oldest_was_level": 90005}', (), "oldest was level 9.0.5"),
        ('{"endpoint.stop_on_failure": true}', (), "stop endpoint if delivery fails: yes"),
        ('{"queue.backout_resolution": "not_defined"}', (), "backout queue not defined"),
        ('{"backout.max_message_bytes": 100}', (), "backout queue MAXMSGL(100)"),
        ('{"problem.kind": "unreadable"}', (), "unreadable"),
        ('{"endpoint.provider": "wmq"}', (), ""),
        ("{}", (), ""),
    ],
)
def test_deciding_values_in_words(values: str, columns: tuple[str, ...], words: str) -> None:
    """Settings as their owners write them, without the names of objects."""
    assert deciding_words(json.loads(values), columns) == words


def test_characters_that_nobody_sees_are_spelled_out() -> None:
    """A tag character beyond the first plane shows as its number."""
    assert visible("\U000e0041") == "\\ue0041"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_has_enough_contrast(scheme: str) -> None:
    """WCAG AA, 4.5 to 1, for every text colour on every ground that it stands on, in both schemes."""
    colours = colours_of(read_style(STYLE), scheme)
    shades = [f"{letter}{n}" for letter in "ewi" for n in range(1, 7)]
    pairs = [("heat-ink", shade) for shade in shades]
    pairs += [(ink, ground) for ink in ("ink", "soft", "e", "w", "i", "u", "link", "na") for ground in ("page", "card")]
    pairs += [(ink, "faint") for ink in ("ink", "soft", "u")]
    for ink, ground in pairs:
        assert contrast(colours[ink], colours[ground]) >= 4.5, (ink, ground)


def test_causes_that_differ_in_a_number_only_are_one() -> None:
    """The cause has the range; 0 switches something off, so it stays a cause of its own."""
    phrases = ["MAXINST(12) and 15 s", "MAXINST(7) and 15 s", "MAXINST(0) and 15 s", "level 9.0.0", "level 9.1.0"]
    merged = merge_numbers(phrases)
    assert [merged[phrase] for phrase in phrases] == [
        "MAXINST(7 to 12) and 15 s",
        "MAXINST(7 to 12) and 15 s",
        "MAXINST(0) and 15 s",
        "level 9.0.0",
        "level 9.1.0",
    ]


def test_exports_that_differ_are_the_first_reason(tmp_path: Path) -> None:
    """The headline says how many checks are undecided and why, conflicts first, however few they are."""
    kinds = ["conflict", "user", "user", "on_message", "of another version"]
    rows = [undecided(need_kind=kind, needs=f"{kind} {number}", need_target="") for number, kind in enumerate(kinds)]
    page = read_page(write_audit(tmp_path / "a", {"undecided": rows}))
    assert next(page.find("h1")).text == "No hazard found, 5 checks undecided"
    lead = " ".join([node.text for node in page.find("p", class_="lead")][1].split())
    assert lead == (
        "Undecided: 1 because exports of one queue manager differ, 2 because nobody names the MQ user, "
        "1 for another reason, 1 because nobody says how long onMessage takes. What settles them"
    )
    first = next(next(section(page, "open").find("tbody")).find("th"))
    assert first.text == "conflict 0"


def test_notices_are_grouped_by_kind(tmp_path: Path) -> None:
    """Each kind once with its number and its first places; those that the summary alone has, too."""
    guessed = [notice("guessed_name", f"mq/{number:02}.mqsc") for number in range(12)]
    audit = write_audit(tmp_path / "a", {"notices": [*guessed, notice("not_read", "x.txt")]})
    groups = read_notices(audit)
    assert [group.words for group in groups] == [
        "12 queue managers that are known by file names",
        "1 file that was named and not read",
    ]
    assert groups[0].line == f"{groups[0].words}: mq/00.mqsc, mq/01.mqsc, mq/02.mqsc and 9 more"
    shown = section(read_page(audit), "notices")
    assert len(list(next(shown.find("tbody")).find("tr"))) == 10
    assert "and 2 more, in the table notices" in shown.text


def test_every_cell_and_flow_can_be_found(tmp_path: Path) -> None:
    """A line for each cell and each flow with findings, also those without a card; a card is linked."""
    rows = [
        finding(headline=f"Q{number:03} at QM1 -> AS", cell=f"C{number:03}", fingerprint=str(number))
        for number in range(70)
    ]
    counts = [{"cell": row["cell"], "rule": "MDB101", "hazards": 1, "undecided": 0, "clear": 0} for row in rows]
    counts.append({"cell": None, "rule": "MDB901", "hazards": 1, "undecided": 0, "clear": 0})
    page = read_page(write_audit(tmp_path / "a", {"findings": rows, "summary": counts}))
    found = section(page, "find")
    lines = [" ".join(line.text.split()) for line in next(found.find("ol")).find("li")]
    assert len(lines) == 140
    assert "cell C069 1 error, 1 hazard, 0 undecided" in lines
    assert "Q069 at QM1 -> AS cell C069, 1 error" in lines
    anchors = {line.attributes["href"] for line in next(found.find("ol")).find("a")}
    assert len(anchors) == 30
    assert anchors <= {
        f"#{card.attributes['id']}" for card in section(page, "flows").find("details") if "id" in card.attributes
    }
    assert "no room" not in found.text


def test_fleet_report_prints_the_notices_beside_the_path(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The path alone is on standard output, for scripts."""
    audit = write_audit(tmp_path / "audits" / "20310407T081500Z-1", {"notices": [notice("not_read", "x.txt")]})
    app(["fleet", "report", str(tmp_path)], standalone_mode=False)
    printed = capsys.readouterr()
    assert printed.out == f"{audit / 'report.html'}\n"
    assert printed.err == "lintmdb: 1 file that was named and not read: x.txt\n"
