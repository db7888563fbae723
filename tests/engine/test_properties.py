"""Properties of the whole: any layout reads the same, conditions are monotone, order changes nothing."""

from __future__ import annotations

import itertools
import re
import sqlite3
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lintmdb.engine.judge import judge
from lintmdb.exports.mq import read_mqsc
from lintmdb.model.facts import Facts
from lintmdb.resolve.mq.queue_manager import resolve_queue_manager
from lintmdb.rules.conditions import VOCABULARY
from lintmdb.rules.rule import Example, Rule
from lintmdb.rules.verdicts import Verdict, judge_example, verdict_sql
from tests.support.command import Run
from tests.support.dumps import WHOLE
from tests.support.project import FIXTURES
from tests.support.scenario import RULES, run_scenario

INTEGERS = (-1, 0, 1, 2, 3, 5, 255, 256, 5000, 60100, 70000, 110_000, 120_000, 10_000_000)


def _value(random: Random, name: str) -> object:
    alias, _, column_name = name.partition(".")
    column = VOCABULARY[alias][column_name]
    if column.type == "boolean":
        return random.random() < 0.5
    if column.type == "integer":
        return random.choice(INTEGERS)
    return random.choice(column.values or ("", "A", "SYSTEM.DEAD.LETTER.QUEUE"))


def _verdict(rule: Rule, values: dict[str, Any]) -> Verdict:
    rows: dict[str, dict[str, Any]] = {}
    for name, value in values.items():
        alias, _, column = name.partition(".")
        rows.setdefault(alias, {})[column] = value
    return judge_example(rule, Example("", rows))


@pytest.mark.slow
def test_one_more_fact_never_flips_a_settled_verdict() -> None:
    """With every column known the verdict is settled; taking facts away leads to the same side or to undecided."""
    left = Counter[bool]()
    for case in range(1200):
        random = Random(case)
        rule = RULES[case % len(RULES)]
        values = {name: _value(random, name) for name in rule.columns}
        settled = _verdict(rule, values)
        assert settled is not Verdict.UNDECIDED
        hidden = random.sample(sorted(values), random.randint(0, len(values)))
        partly = _verdict(rule, {name: value for name, value in values.items() if name not in hidden})
        left[partly is Verdict.UNDECIDED] += 1
        if partly is not Verdict.UNDECIDED:
            assert (partly is Verdict.HAZARD) == (settled is Verdict.HAZARD), (rule.id, values, hidden)
    assert min(left[False], left[True]) > 100


def _outcome(facts: Facts) -> Any:
    judgement = judge(facts, RULES)
    findings = sorted((f.rule.id, f.fingerprint, f.message, f.flows) for f in judgement.findings)
    undecided = sorted((u.rule.id, u.subject.identity(), u.missing) for u in judgement.undecided)
    return findings, undecided, judgement.clear


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(st.randoms(use_true_random=False))
def test_order_of_rows_changes_no_verdict(random: Any) -> None:
    """Rows in any order give the same findings, undecided verdicts and counts."""
    facts = run_scenario(FIXTURES / "all-families", {"on_message": "15s"}).estate.facts
    expected = _outcome(facts)
    shuffled = Facts({table: random.sample(rows, len(rows)) for table, rows in facts.rows.items()})
    assert _outcome(shuffled) == expected


_Setting = tuple[str, str | None]


def _settings(random: Random) -> list[_Setting]:
    """Parameters of one command; the queue manager refuses one that is given twice."""
    chosen: dict[str, str | None] = {}
    for _ in range(random.randint(0, 4)):
        keyword = random.choice(random.choice((_NUMBERS, _TEXTS, _SWITCHES)))
        if keyword in _NUMBERS:
            chosen[keyword] = str(random.randint(0, 10 ** random.randint(0, 9) - 1))
        elif keyword in _TEXTS:
            chosen[keyword] = "".join(random.choices("ab .*'\"+-;()#", k=random.randint(1, 12)))
        else:
            chosen[keyword] = None
    return list(chosen.items())


_NUMBERS = ("BOTHRESH", "MAXDEPTH", "MAXMSGL")
_TEXTS = ("BOQNAME", "DESCR", "TARGET")
_SWITCHES = ("HARDENBO", "NOSHARE", "TRIGGER", "REPLACE")


def _printed(keyword: str, value: str | None) -> str:
    if value is None:
        return keyword
    return f"{keyword}({value})" if value.isdigit() else f"{keyword}('{value.replace(chr(39), chr(39) * 2)}')"


def _split_anywhere(random: Random, text: str) -> str:
    """One command on several lines: it is cut at any characters, and comments and empty lines are put between."""
    cuts = sorted(random.sample(range(1, len(text)), random.randint(0, 6)))
    lines: list[str] = []
    for start, end in itertools.pairwise([0, *cuts, len(text)]):
        piece = text[start:end]
        indent = ""
        if start:
            # '+' drops the blanks in front of a line, '-' keeps them, and a * in column 1 would be a comment.
            mark = "-" if piece.startswith(" ") else "+" if piece.startswith("*") else random.choice("+-")
            lines[-1] += mark + random.choice(("", " ", "\t "))
            lines.extend(random.choices(("* it's a (comment +", "*", "", "  \t"), k=random.randint(0, 2)))
            if mark == "+":
                # A line that looks like an indented comment is one, unless a quote is open.
                indent = random.choice(("", "   ", "\t")) or " " * piece.startswith("*")
        lines.append(indent + piece)
    return random.choice(("\n", "\r\n")).join(lines)


@pytest.mark.slow
def test_a_command_reads_the_same_wherever_it_is_cut() -> None:
    """Cut at any character, with comments and empty lines between, commands are the same as on one line each."""
    for case in range(1000):
        random = Random(case)
        commands = [_settings(random) for _ in range(random.randint(1, 3))]
        plain = [
            " ".join([f"DEFINE QLOCAL('Q.{n}')", *(_printed(*setting) for setting in settings_)])
            for n, settings_ in enumerate(commands)
        ]
        text = "\n".join(_split_anywhere(random, command) for command in plain)
        file = read_mqsc(text.encode(), "x")
        assert file.problems == [], text
        assert [c.name for c in file.commands] == [f"Q.{n}" for n in range(len(commands))], text
        for command, settings_ in zip(file.commands, commands, strict=True):
            expected = [
                (keyword, None if value is None else value.rstrip())
                for keyword, value in settings_
                if keyword != "DESCR"
            ]
            assert [(p.keyword, p.value) for p, _ in command.parameters] == expected, text


@pytest.mark.slow
def test_a_position_is_where_the_keyword_is_written() -> None:
    """Line and column of every parameter are those of its first character in the file, wherever lines are cut."""
    for case in range(600):
        random = Random(case)
        text = " ".join(["DEFINE QLOCAL(A)", *(_printed(*setting) for setting in _settings(random))])
        printed = _split_anywhere(random, text)
        lines = printed.split("\n")
        for command in read_mqsc(printed.encode(), "x").commands:
            for parameter, line in command.parameters:
                rest = lines[line - 1][parameter.column - 1 :].rstrip()
                start = rest.rstrip("+-") if rest.rstrip("+-").isalpha() else rest
                assert start[: len(parameter.keyword)] == parameter.keyword[: len(start)], (printed, parameter, line)


NAMES = ("A", "B", "C", "D")
DEFINITION = st.one_of(
    st.builds("QLOCAL({{}}) BOQNAME({}) BOTHRESH({})".format, st.sampled_from([*NAMES, "' '"]), st.integers(0, 3)),
    st.builds("QALIAS({{}}) TARGET({})".format, st.sampled_from([*NAMES, "T"])),
    st.just("QREMOTE({}) RNAME(X) RQMNAME(Y)"),
)


@pytest.mark.slow
@settings(max_examples=200, deadline=None)
@given(st.dictionaries(st.sampled_from(NAMES), DEFINITION, min_size=1), st.booleans(), st.data())
def test_order_and_files_of_independent_definitions_change_no_relation(
    definitions: dict[str, str], whole: bool, data: st.DataObject
) -> None:
    """Definitions that do not build on each other give the same rows in any order, in one file or in several."""
    head = f"* Queue manager name: QM1\n* Command issued: dmpmqcfg -m QM1 -a\n{WHOLE}" if whole else ""
    lines = [f"DEFINE {text.format(name)}" for name, text in definitions.items()] + ["ALTER QMGR DEADQ(A)"]
    other = data.draw(st.permutations(lines))
    cut = data.draw(st.integers(0, len(other)))
    one = resolve_queue_manager("QM1", [read_mqsc((head + "\n".join(lines)).encode(), "one")])
    parts = [head + "\n".join(other[:cut]), "\n".join(other[cut:])]
    two = resolve_queue_manager("QM1", [read_mqsc(part.encode(), str(n)) for n, part in enumerate(parts)])
    for table in ("queue", "queue_name", "put_target", "queue_manager", "authority", "channel"):
        assert one.rows[table] == two.rows[table]


def _literals(rule: Rule, name: str) -> list[Any]:
    """Values that a rule's conditions may tell apart in one column: its own literals, and those next to them."""
    alias, _, column_name = name.partition(".")
    column = VOCABULARY[alias][column_name]
    text = f"{rule.when.text} {rule.hazard.text}"
    if column.type == "boolean":
        return [0, 1]
    if column.type == "integer":
        numbers = {int(number) for number in re.findall(r"\b\d+\b", text)}
        return sorted({-1, 0, 1, 2, 60100, 4194304} | {n + d for n in numbers for d in (-1, 0, 1)})
    return [*column.values] or ["", "A", "SYSTEM.X", *re.findall(r"'([^']*)'", text)]


@pytest.mark.slow
@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_every_rule_is_monotone(rule: Rule) -> None:
    """Filling in one unknown after the other settles a verdict at most once, and it never changes sides after that."""
    random = Random(rule.id)
    values = {name: _literals(rule, name) for name in rule.columns}
    connection = sqlite3.connect(":memory:")
    connection.execute("PRAGMA case_sensitive_like = TRUE")
    aliases = sorted({name.partition(".")[0] for name in rule.columns})
    for alias in aliases:
        own = ", ".join(f'"{name.partition(".")[2]}"' for name in rule.columns if name.startswith(f"{alias}."))
        connection.execute(f'CREATE TABLE "{alias}" (case_id INTEGER PRIMARY KEY, {own})')
    walks, steps = 150, len(values) + 1
    known = [example for examples in rule.examples.values() for example in examples]
    for walk in range(walks):
        row: dict[str, Any] = dict.fromkeys(values)
        # Half of the walks lead to one of the rule's examples, which random values may never meet.
        rows = random.choice(known).rows if walk >= len(known) else known[walk].rows
        example = {f"{alias}.{column}": value for alias, given in rows.items() for column, value in given.items()}
        if walk >= len(known) and walk % 2:
            example = {}
        order = random.sample(sorted(values), len(values))
        for step in range(steps):
            if step:
                name = order[step - 1]
                value = example.get(name)
                row[name] = random.choice(values[name]) if value is None else value
            for alias in aliases:
                own = [value for name, value in row.items() if name.startswith(f"{alias}.")]
                marks = ", ".join("?" * (len(own) + 1))
                connection.execute(f'INSERT INTO "{alias}" VALUES ({marks})', (walk * steps + step, *own))
    joined = f'"{aliases[0]}"' + "".join(f' JOIN "{alias}" USING (case_id)' for alias in aliases[1:])
    verdicts = [
        Verdict(number)
        for (number,) in connection.execute(
            f"SELECT {verdict_sql(rule.when.sqlite, rule.hazard.sqlite)} FROM {joined} ORDER BY case_id"
        )
    ]
    connection.close()
    assert len(verdicts) == walks * steps
    for walk in range(walks):
        path = verdicts[walk * steps : (walk + 1) * steps]
        assert path[0] is Verdict.UNDECIDED
        assert path[-1] is not Verdict.UNDECIDED
        settled = list(itertools.dropwhile(lambda verdict: verdict is Verdict.UNDECIDED, path))
        assert Verdict.UNDECIDED not in settled
        assert len({verdict is Verdict.HAZARD for verdict in settled}) == 1
    assert Verdict.HAZARD in verdicts
    assert {Verdict.CLEAR, Verdict.NOT_APPLICABLE} & set(verdicts)


@pytest.mark.slow
@pytest.mark.parametrize("form", ["text", "json"])
def test_output_is_the_same_bytes_every_time(lintmdb: Run, form: str) -> None:
    """Two runs, and a run with the inputs named in another order, print the same bytes and end alike."""
    paths = [
        "fixtures/all-families/was",
        *sorted(f"fixtures/all-families/mq/{file.name}" for file in ESTATE_MQ.iterdir()),
    ]
    runs = [
        lintmdb("check", *order, "--on-message", "15s", "--format", form)
        for order in (paths, paths, paths[::-1], [*paths[2:], *paths[:2]])
    ]
    assert runs[0].stdout
    assert len({(run.returncode, run.stdout, run.stderr) for run in runs}) == 1


ESTATE_MQ = FIXTURES / "all-families" / "mq"


def test_order_of_objects_in_a_dump_changes_no_verdict(tmp_path: Path) -> None:
    """The dumps of the estate with their objects in another order give the same verdicts on the same subjects."""
    before = run_scenario(FIXTURES / "all-families", {"on_message": "15s"})
    (tmp_path / "mq").mkdir()
    (tmp_path / "was").symlink_to(FIXTURES / "all-families" / "was")
    random = Random(7)
    for file in ESTATE_MQ.iterdir():
        text = file.read_text("utf-8")
        starts = [match.start() for match in re.finditer(r"^(?:DEFINE|ALTER|SET)\b", text, re.M)]
        objects = [text[start:end] for start, end in itertools.pairwise([*starts, len(text)])]
        shuffled = random.sample(objects, len(objects)) if "LIKE(" not in text else objects
        (tmp_path / "mq" / file.name).write_text(text[: starts[0]] + "".join(shuffled), "utf-8")
    after = run_scenario(tmp_path, {"on_message": "15s"})
    assert before.hazard
    assert (after.hazard, after.clear, after.undecided) == (before.hazard, before.clear, before.undecided)
