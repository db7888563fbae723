"""Rules: examples, the condition language, users' own rules."""

from __future__ import annotations

import re
import statistics
from pathlib import Path
from typing import Any, get_args

import pytest

from lintmdb.delivery.fate import Fate
from lintmdb.delivery.run import run_flow
from lintmdb.delivery.values import Values
from lintmdb.delivery.workload import Workload
from lintmdb.errors import LintmdbError, RuleError
from lintmdb.model.relations import Endpoint, Resolution
from lintmdb.rules.conditions import any_of, check_condition
from lintmdb.rules.examples import starter_rule, wrong_examples
from lintmdb.rules.loading import load_file, load_rules
from lintmdb.rules.rule import Example, Rule
from lintmdb.rules.verdicts import Verdict, judge_example
from tests.support.command import Run
from tests.support.project import ROOT
from tests.support.scenario_folders import scenario_folder
from tests.support.variant import Variant

RULES = load_rules()
FILES = sorted((ROOT / "rules").glob("*/*.yaml"))
CATALOGUE = "101-142 201 202 204-208 301-312 320-325 401-403 405-417 420-422 501-517 601-611 701-703 705-710 901-904"


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_examples_have_the_verdict_they_claim(rule: Rule) -> None:
    """Each example of each rule is judged as the heading under which it stands."""
    assert list(wrong_examples(rule)) == []
    assert {"hazard", "clear", "undecided"} <= set(rule.examples)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_rule_file_is_valid(file: Path) -> None:
    """Each rule file passes the schema, the token check and SQLite, and is named after its rule."""
    rule = load_file(file)
    assert file.stem == f"{rule.id}-{rule.name}"


def test_the_catalogue_is_complete() -> None:
    """The ids of this release are all there, and no other."""
    wanted: set[str] = set()
    for part in CATALOGUE.split():
        first, _, last = part.partition("-")
        wanted |= {f"MDB{number}" for number in range(int(first), int(last or first) + 1)}
    assert {rule.id for rule in RULES} == wanted


def test_rule_files_are_short() -> None:
    """Half of the rule files have fewer than 45 lines, with an example for every mutant of their conditions."""
    assert statistics.median(len(file.read_text("utf-8").splitlines()) for file in FILES) < 45


@pytest.mark.slow
def test_hazard_examples_cannot_become_clear_by_their_own_columns() -> None:
    """Dropping any column of a hazard example leaves hazard or undecided, never clear: nothing is assumed."""
    for rule in RULES:
        for example in rule.examples["hazard"]:
            for alias, row in example.rows.items():
                for column in row:
                    rest = {
                        a: {c: v for c, v in r.items() if (a, c) != (alias, column)} for a, r in example.rows.items()
                    }
                    verdict = judge_example(rule, type(example)("", rest))
                    assert verdict in (Verdict.HAZARD, Verdict.UNDECIDED), (rule.id, example.name, alias, column)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("queue.backout_threshold IS NULL", "'IS' is not allowed"),
        ("queue.backout_threshold = 0 --1", "comment"),
        ("java_method('a') = 1", "'java_method' is not allowed"),
        ("(SELECT 1) = 1", "'SELECT' is not allowed"),
        ("queue.backout_treshold = 0", "did you mean queue.backout_threshold?"),
        ("endpoint.kind = 'listenerport'", "did you mean 'listener_port'?"),
        ("endpoint.kind IN ('listener_port', 'x')", "is never 'x'"),
        ("quene.name = 'A'", "did you mean queue?"),
        ('queue.name = "A"', "single quotes"),
        ("queue.name = 'A\\'", "is not allowed"),
        ("queue.backout_threshold = 'x'", "is integer"),
        ("endpoint.stop_on_failure = 1", "is boolean"),
        ("queue.backout_threshold = 1) OR (1 = 1", "never opened"),
        ("(queue.backout_threshold = 1", "never closed"),
        ("problem.kind = 'template' AND queue.name = 'A'", "does not meet"),
        ("queue.backout_threshold / 2 = 1", "multiply"),
        ("", "empty"),
    ],
)
def test_condition_language_refuses(text: str, says: str) -> None:
    """Anything but a condition is refused, with a suggestion."""
    with pytest.raises(RuleError) as caught:
        check_condition(text, "rule.yaml", 3)
    assert says in str(caught.value)
    assert "rule.yaml:3" in str(caught.value)


def test_condition_error_names_the_column() -> None:
    """The position of a wrong name in a condition over two lines is exact."""
    with pytest.raises(RuleError) as caught:
        check_condition("queue.backout_threshold > 0\n  AND queue.nam = 'A'", "r.yaml", 10)
    assert (caught.value.line, caught.value.column) == (11, 7)


def test_three_valued_verdicts() -> None:
    """when and hazard give the four verdicts of the design's table."""
    rule = next(rule for rule in RULES if rule.id == "MDB304")
    example = rule.examples["hazard"][0]
    without = {alias: row for alias, row in example.rows.items() if alias != "queue"}
    assert judge_example(rule, example) is Verdict.HAZARD
    assert judge_example(rule, type(example)("", without)) is Verdict.UNDECIDED
    stops = {"endpoint": {"stop_on_failure": True}}
    assert judge_example(rule, type(example)("", stops)) is Verdict.CLEAR


def test_own_rule_from_the_starter_works(lintmdb: Run, tmp_path: Path) -> None:
    """rules new writes a rule that rules check accepts and that check applies."""
    created = lintmdb("rules", "new", "backout-threshold-too-high", "--dir", tmp_path)
    assert created.returncode == 0, created.stderr
    checked = lintmdb("rules", "check", tmp_path)
    assert (checked.returncode, checked.stderr) == (0, "")
    file = tmp_path / "backout-threshold-too-high.yaml"
    file.write_text(file.read_text().replace("backout_threshold > 5", "backout_threshold > 2").replace(": 5}", ": 2}"))
    assert lintmdb("rules", "check", tmp_path).returncode == 0
    result = lintmdb("check", "fixtures/clean", "--rules", tmp_path)
    assert "SITE001 The backout threshold is higher than our standard" in result.stdout
    assert lintmdb("check", "fixtures/clean", "--rules", tmp_path, "--fail-on", "warning").returncode == 1


def test_own_rule_may_not_use_our_prefix(tmp_path: Path) -> None:
    """A rule of one's own whose id starts with MDB is refused."""
    text = FILES[0].read_text()
    (tmp_path / "mine.yaml").write_text(text)
    with pytest.raises(LintmdbError, match="starts with MDB"):
        load_rules([tmp_path])


EXAMPLES = """\
examples:
  shared:
    endpoint: {provider: wmq, destination_type: queue}
    queue: {backout_threshold: 6, name: A}
  hazard:
    six backouts: {}
    eight backouts on another platform: {queue.backout_threshold: 8, queue_manager.platform: zos}
  clear:
    - name: a row of its own
      queue: {backout_threshold: 5}
    - {name: one value of its own, queue.backout_threshold: 5}
  undecided:
    the threshold is not known: {queue.backout_threshold: null}
    the queue manager was not exported: {queue: null}
"""


def _with_examples(folder: Path, examples: str) -> Path:
    """The starter rule with other examples."""
    file = starter_rule("threshold", folder)
    head, _, _ = file.read_text().partition("examples:\n")
    file.write_text(head + examples)
    return file


def test_examples_start_from_the_shared_rows(tmp_path: Path) -> None:
    """An example has the shared rows, with its own values in place, and without what it says is unknown."""
    rule = load_file(_with_examples(tmp_path, EXAMPLES))
    assert list(wrong_examples(rule)) == []
    rows = {example.name: example.rows for group in rule.examples.values() for example in group}
    endpoint = {"provider": "wmq", "destination_type": "queue"}
    assert rows == {
        "six backouts": {"endpoint": endpoint, "queue": {"backout_threshold": 6, "name": "A"}},
        "eight backouts on another platform": {
            "endpoint": endpoint,
            "queue": {"backout_threshold": 8, "name": "A"},
            "queue_manager": {"platform": "zos"},
        },
        "a row of its own": {"endpoint": endpoint, "queue": {"backout_threshold": 5}},
        "one value of its own": {"endpoint": endpoint, "queue": {"backout_threshold": 5, "name": "A"}},
        "the threshold is not known": {"endpoint": endpoint, "queue": {"name": "A"}},
        "the queue manager was not exported": {"endpoint": endpoint},
    }
    assert list(rows["six backouts"]["queue"]) == ["backout_threshold", "name"]


def test_the_examples_of_the_documentation_are_judged_as_they_claim(tmp_path: Path) -> None:
    """docs/writing-rules.md shows examples of the rule that rules new writes."""
    page = (ROOT / "docs" / "writing-rules.md").read_text("utf-8")
    _, start, rest = page.partition("```yaml\nexamples:\n")
    rule = load_file(_with_examples(tmp_path, "examples:\n" + rest.partition("```")[0]))
    assert start
    assert list(wrong_examples(rule)) == []
    assert set(rule.examples) == {"hazard", "clear", "undecided", "not applicable"}


@pytest.mark.parametrize(
    ("right", "wrong", "says"),
    [
        (
            "{queue.backout_threshold: null}",
            "{queue.backout_treshold: null}",
            "'the threshold is not known' under undecided: queue has no column 'backout_treshold'. Did you mean",
        ),
        (
            "{queue: null}",
            "{quene: null}",
            "'the queue manager was not exported' under undecided: there is no relation 'quene'. Did you mean queue?",
        ),
        ("threshold: 6, name", "treshold: 6, name", "shared: queue has no column 'backout_treshold'"),
        ("queue: {backout_threshold: 5}", "queue: {depth: 5}", "'a row of its own' under clear: queue has no column"),
        (
            "{queue: null}",
            "{queue: A}",
            "'the queue manager was not exported' under undecided: queue is 'A', not a row",
        ),
        ("{queue: null}", "{queue.name: {}}", "queue.name is a row"),
        ("{queue: null}", "{queue: null, queue.name: B}", "queue and queue.name are both there"),
    ],
)
def test_an_example_that_names_what_does_not_exist_is_refused(
    tmp_path: Path, right: str, wrong: str, says: str
) -> None:
    """A misspelt alias or column is an error with the file, the line of the examples, and the example."""
    file = _with_examples(tmp_path, EXAMPLES.replace(right, wrong))
    with pytest.raises(RuleError) as caught:
        load_file(file)
    assert says in str(caught.value)
    assert str(caught.value).startswith(f"{file}:16: ")


@pytest.mark.parametrize(
    ("right", "wrong", "line", "says"),
    [
        (
            "threshold: 6, name",
            "threshold: null, name",
            18,
            "examples.shared.queue.backout_threshold: null is not a str",
        ),
        ("six backouts: {}", "six backouts: {5: 6}", 20, 'examples.hazard."six backouts": 5 is not a string'),
    ],
)
def test_an_example_that_does_not_fit_the_schema_is_refused_at_its_line(
    tmp_path: Path, right: str, wrong: str, line: int, says: str
) -> None:
    """A value of a wrong type is an error at its own line, however deep it stands."""
    file = _with_examples(tmp_path, EXAMPLES.replace(right, wrong))
    with pytest.raises(RuleError, match=re.escape(f"{file}:{line}: {says}")):
        load_file(file)


def test_own_rule_with_a_wrong_example_fails(lintmdb: Run, tmp_path: Path) -> None:
    """rules check names the example whose verdict is not the one claimed."""
    lintmdb("rules", "new", "wrong", "--dir", tmp_path)
    file = tmp_path / "wrong.yaml"
    file.write_text(file.read_text().replace("backout_threshold: 6", "backout_threshold: 4"))
    result = lintmdb("rules", "check", tmp_path)
    assert result.returncode == 1
    assert "six backouts) is clear" in result.stderr


def test_explain_shows_examples_with_verdicts(lintmdb: Run) -> None:
    """explain --full prints why, fix, references and each example with its verdict."""
    result = lintmdb("explain", "stops-on-first-rollback", "--full")
    assert result.returncode == 0
    for word in ("MDB201", "Why", "Fix", "References", "hazard: the default, 0", "clear:", "undecided:"):
        assert word in result.stdout


def test_unknown_rule_gets_a_suggestion(lintmdb: Run) -> None:
    """A misspelt rule name is a usage error with the nearest name."""
    result = lintmdb("explain", "endpoint-stop-before-backout")
    assert result.returncode == 2
    assert "Did you mean endpoint-stops-before-backout?" in result.stderr


REPAIRS = "repairs:\n  - set: {queue.backout_threshold: 5}\n"
"""The repairs of a new rule."""


def test_consumers_of_a_queue_are_counted(lintmdb: Run, tmp_path: Path) -> None:
    """A rule can ask how many endpoints of the exports read a queue, and with how many sessions."""
    lintmdb("rules", "new", "queue-read-twice", "--dir", tmp_path)
    file = tmp_path / "queue-read-twice.yaml"
    text = file.read_text().replace(REPAIRS, "advice: Let one endpoint read the queue.\n")
    text = text.replace("queue.backout_threshold > 5", "consumers.endpoints > 1 AND consumers.sessions > 0")
    text = text.replace("queue.backout_threshold: 6", "consumers: {endpoints: 2, sessions: 3}")
    text = text.replace("queue.backout_threshold: 5", "consumers: {endpoints: 1, sessions: 3}")
    text = text.replace("has BOTHRESH({queue.backout_threshold})", "has {consumers.endpoints} readers")
    file.write_text(text)
    checked = lintmdb("rules", "check", tmp_path)
    assert checked.returncode == 0, checked.stderr
    assert "SITE001" not in lintmdb("check", "fixtures/clean", "--rules", tmp_path).stdout
    both = lintmdb("check", "--verbose", scenario_folder("cluster-members-differ"), "--rules", tmp_path)
    assert "ORDERS.IN has 2 readers" in both.stdout


def test_what_would_settle_a_verdict_leaves_out_what_cannot() -> None:
    """In ASF mode nobody asks for the platform, unless the rule is about z/OS."""
    from lintmdb.engine.judge import judge
    from lintmdb.model.facts import Facts
    from lintmdb.model.relations import Bean, Server

    facts = Facts()
    facts.add(
        Endpoint(id="e", kind="listener_port", name="P", server_id="s", provider="wmq", non_asf_timeout_ms=0),
        Server(id="s", name="server1", listener_request_timeout_ms=1000),
        Bean(id="b", endpoint_id="e", name="B", on_message_ms=2000),
    )
    undecided = {entry.rule.id: entry for entry in judge(facts, RULES).undecided}
    assert "server.platform" in undecided["MDB416"].missing
    asked = {name for rule, entry in undecided.items() if rule in ("MDB202", "MDB422") for name in entry.missing}
    assert asked
    assert not {name for name in asked if "platform" in name or "rollback_enabled" in name}


_RESOLUTIONS = {
    "destination": ("endpoint.queue_resolution", "queue_name.resolution"),
    "backout queue": ("queue.backout_resolution",),
    "dead-letter queue": ("queue_manager.dead_letter_resolution",),
}
_NEVER = {("backout queue", "ambiguous"), ("backout queue", "elsewhere")} | {
    ("dead-letter queue", "ambiguous"),
    ("dead-letter queue", "elsewhere"),
}
"""BOQNAME and DEADQ are resolved by the queue manager that has them, from one export of it."""


@pytest.mark.parametrize("role", _RESOLUTIONS)
def test_whatever_a_name_leads_to_some_rule_judges(role: str) -> None:
    """A value that is added to Resolution has a rule for destinations, backout queues and dead-letter queues, and an
    example there.
    """
    judged: set[object] = set()
    for rule in RULES:
        named = [name for name in _RESOLUTIONS[role] if name in rule.columns]
        for name in named:
            alias, _, column = name.partition(".")
            examples = [example for heading in rule.examples.values() for example in heading]
            judged |= {example.rows[alias].get(column) for example in examples if alias in example.rows}
    wanted = {value for value in get_args(Resolution) if (role, value) not in _NEVER}
    assert wanted - judged == set()


def test_a_destination_that_cannot_be_read_has_one_finding_and_blocks() -> None:
    """For every way in which a name is no queue to read, one rule is a hazard, and the model delivers nothing."""
    ids = {"MDB121", "MDB126", "MDB136", "MDB708"}
    for resolution in sorted({*get_args(Resolution)} - {"resolved", "ambiguous", "elsewhere"}):
        found = resolution if resolution not in ("not_defined", "not_set") else None
        rows: dict[str, dict[str, Any]] = {
            "endpoint": {"provider": "wmq", "destination_type": "queue", "queue_resolution": resolution},
            "queue_name": {"resolution": found},
        }
        verdicts = {rule.id: judge_example(rule, Example(resolution, rows)) for rule in RULES if rule.id in ids}
        assert [verdict for verdict in verdicts.values() if verdict is Verdict.HAZARD] == [Verdict.HAZARD], resolution
        flat = {f"{alias}.{name}": value for alias, row in rows.items() for name, value in row.items()}
        outcome = run_flow(Values(flat.get), Workload())
        assert (outcome.fate, outcome.deliveries) == (Fate.BLOCKED, 0), resolution


@pytest.mark.parametrize(("transaction", "timeout", "told"), [("Bean", 0, True), ("Bean", 30_000, False)])
def test_a_threshold_counts_what_the_fate_of_the_flow_says(
    lintmdb: Run, tmp_path: Path, transaction: str, timeout: int, told: bool
) -> None:
    """MDB702 is told where a non-persistent message is lost, and not where the threshold counts every failure."""
    variant = Variant(tmp_path, "clean")
    descriptors = "was/cells/C1/applications/Orders.ear/deployments/Orders/orders.jar/META-INF/ejb-jar.xml"
    variant.edit(descriptors, ">Container<", f">{transaction}<")
    resources = "was/cells/C1/nodes/node1/servers/server1/resources.xml"
    variant.edit(resources, 'name="nonASFTimeout" type="int" value="0"', f'name="nonASFTimeout" value="{timeout}"')
    shown = lintmdb("check", variant.folder, "--on-message", "15s").stdout
    assert ("MDB702" in shown) is told
    assert ("A non-persistent poison message is lost" in shown) is told


def test_the_parts_of_a_condition_are_what_stands_between_its_outermost_ors() -> None:
    """Parentheses keep theirs, and AND binds closer."""
    text = "queue.backout_threshold > 5 AND (queue.shareable OR queue.max_depth = 0) or queue.max_depth BETWEEN 1 AND 2"
    one, other = any_of(check_condition(text))
    assert one.text == "queue.backout_threshold > 5 AND (queue.shareable OR queue.max_depth = 0)"
    assert one.columns == ("queue.backout_threshold", "queue.shareable", "queue.max_depth")
    assert (other.text, other.columns) == ("queue.max_depth BETWEEN 1 AND 2", ("queue.max_depth",))
