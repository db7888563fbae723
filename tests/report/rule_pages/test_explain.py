"""Rules explained: the story of each, the pages in docs, and rules found by their words."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from lintmdb.delivery.outcome import Fate
from lintmdb.report.rule_pages.explain import explain_rule
from lintmdb.report.rule_pages.explanation import ORDINARY, find_story, sections, story_lines, story_title
from lintmdb.report.rule_pages.pages import FAMILIES, rule_pages, write_pages
from lintmdb.report.terminal import Style
from lintmdb.rules.loading import load_rules
from lintmdb.rules.rule import Rule
from tests.support.command import Run
from tests.support.project import FIXTURES

RULES = load_rules()


@pytest.mark.parametrize("rule", [rule for rule in RULES if rule.predicts], ids=lambda rule: rule.id)
def test_each_rule_about_delivery_tells_a_story(rule: Rule) -> None:
    """Some hazard example of the rule, in an ordinary flow, shows in the model what the rule predicts."""
    shown = find_story(rule)
    assert shown is not None
    assert shown.outcome.fate is not Fate.UNDECIDED
    assert story_lines(shown)
    assert shown.example.name in story_title(shown)


def test_the_ordinary_flow_is_harmless(lintmdb: Run) -> None:
    """Without what an example changes the message ends on the backout queue, so what a story shows is the example's."""
    from lintmdb.delivery.values import Values
    from lintmdb.rules.predictions import run_named

    for kind in ("activation_spec", "listener_port"):
        outcome = run_named(Values({**ORDINARY, "endpoint.kind": kind}.get), "poison")
        assert (outcome.fate, outcome.target, outcome.deliveries) == (Fate.BACKOUT_QUEUE, "ORDERS.BO", 3)
    outcome = run_named(Values({**ORDINARY, "endpoint.provider": "sib"}.get), "poison")
    assert (outcome.fate, outcome.deliveries) == (Fate.EXCEPTION_DESTINATION, 5)


def test_no_explanation_has_a_gap() -> None:
    """Each rule's own example, or an ordinary name, fills every placeholder of its texts, short and whole."""
    for rule in RULES:
        for full in (False, True):
            text = "\n".join(explain_rule(rule, Style(), full=full))
            assert "(not in the exports)" not in text, rule.id


@pytest.mark.slow
def test_sections_hold_what_a_reader_needs() -> None:
    """Each rule has its condition, its reason, a fix and examples."""
    for rule in RULES:
        titles = [section.title for section in sections(rule)]
        assert {"What it checks", "Why", "Fix", "Examples"} <= set(titles), rule.id
        assert ("What happens" in titles) == (rule.predicts is not None), rule.id


@pytest.mark.slow
def test_pages_are_written_below_the_docs(tmp_path: Path) -> None:
    """`make docs` writes the table and a page for each rule, and removes the page of a rule that is gone."""
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "MDB000.md").write_text("# MDB000\n")
    write_pages(tmp_path)
    found = {path.relative_to(tmp_path).as_posix(): path.read_text("utf-8") for path in tmp_path.rglob("*.md")}
    assert found == dict(rule_pages(RULES))
    assert set(found) == {"rules.md", *(f"rules/{rule.id}.md" for rule in RULES)}


@pytest.mark.slow
def test_the_table_holds_every_rule() -> None:
    """Each rule has its line in the table, so each id belongs to a family."""
    table = dict(rule_pages(RULES))["rules.md"]
    assert all(f"[{rule.id}](rules/{rule.id}.md)" in table for rule in RULES)
    assert set(FAMILIES) == {rule.id[3] for rule in RULES}


def test_words_find_rules(lintmdb: Run) -> None:
    """Words that are no id list the rules whose texts hold all of them; a single match is explained."""
    result = lintmdb("explain", "stops")
    assert result.returncode == 0
    assert {"MDB201", "MDB302", "MDB405"} <= {line.split()[0] for line in result.stdout.splitlines()}
    narrower = lintmdb("explain", "stops", "burst").stdout
    assert "MDB303" in narrower
    assert "MDB201" not in narrower
    assert lintmdb("explain", "restart the browser").returncode == 2


def test_explain_draws_the_story(lintmdb: Run) -> None:
    """The story of the hazard example stands in the explanation, step by step."""
    text = lintmdb("explain", "MDB302").stdout
    assert "one poison message -> the endpoint stops" in text
    assert "OrdersAS has counted 3 sequential failures and its limit is 3, so it stops" in text
    assert "What happens" not in lintmdb("explain", "MDB901").stdout


def test_rules_of_the_configuration_are_known(lintmdb: Run, tmp_path: Path) -> None:
    """explain, rules list and rules show know the folders that lintmdb.toml names, as check does."""
    assert lintmdb("rules", "new", "orders-threshold", "--dir", "own", cwd=tmp_path).returncode == 0
    assert lintmdb("explain", "SITE001", cwd=tmp_path).returncode == 2
    (tmp_path / "lintmdb.toml").write_text('rules = ["own"]\n')
    assert "SITE001" in lintmdb("rules", "list", cwd=tmp_path).stdout
    shown = lintmdb("explain", "SITE001", "--full", cwd=tmp_path).stdout
    assert shown.startswith("SITE001 orders-threshold (warning")
    assert lintmdb("rules", "show", "orders-threshold", cwd=tmp_path).stdout == shown
    elsewhere = lintmdb("explain", "SITE001", "--full", "--config", tmp_path / "lintmdb.toml")
    assert elsewhere.stdout == shown


def test_explain_is_short_unless_asked(lintmdb: Run) -> None:
    """A rule's example in words, why, what happens and the fix; the rest is behind --full."""
    short, full = lintmdb("explain", "MDB302").stdout, lintmdb("explain", "MDB302", "--full").stdout
    assert "OrdersAS has a sequential failure limit of 3 and ORDERS.IN has BOTHRESH(5)" in " ".join(short.split())
    assert "wsadmin:" not in short
    assert "References" not in short
    assert short.endswith("lintmdb explain MDB302 --full\n")
    assert {"wsadmin:", "References", "Examples"} <= {*full.split()}
    assert len(short.splitlines()) < 60


@pytest.mark.parametrize("command", [("explain", "MDB302"), ("rules", "list"), ("trace", FIXTURES / "clean")])
def test_colour_is_asked_for_everywhere(lintmdb: Run, command: tuple[str | Path, ...]) -> None:
    """Also where output is no terminal."""
    assert "\x1b[" in lintmdb(*command, "--color", "always").stdout
    assert "\x1b[" not in lintmdb(*command, "--color", "never").stdout


def test_explain_says_that_it_searched_for_words(lintmdb: Run) -> None:
    """A word is no name of a rule, so that nothing has it in its text is what there is to say."""
    assert "no rule mentions 'SUBSCOPE'" in lintmdb("explain", "SUBSCOPE").stderr
    assert "no rule is called 'MDB9991'" in lintmdb("explain", "MDB9991").stderr


def test_a_subscription_that_is_not_shared_is_not_told_to_lack_a_name(lintmdb: Run) -> None:
    """The advice on a cluster comes first, and that on name and client ID is for those that have none."""
    told = " ".join(lintmdb("explain", "MDB709").stdout.split())
    assert "In a cluster let consumers share it" in told
    assert "Give the subscription a name" not in told
    assert "lacks: nothing" not in told


def test_a_rule_with_repairs_shows_one(lintmdb: Run) -> None:
    """On the first example that has one, with the names that it leaves out; advice on other flows has no gaps."""
    for rule in load_rules():
        fix = lintmdb("explain", rule.id).stdout.partition("\nFix\n")[2].partition("\n\n")[0]
        assert "(not in the exports)" not in fix, rule.id
        assert "The exports do not contain everything" not in fix, rule.id
        if rule.repairs:
            assert re.search(r"^  (ALTER|DEFINE|SET|[^ ].* > |[A-Z].*: )", fix, re.MULTILINE), rule.id
