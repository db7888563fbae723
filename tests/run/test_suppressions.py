"""Suppressions in the configuration file and as comments in MQSC: what they hide, until when, and what is told."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from lintmdb.engine.findings import Subject
from lintmdb.errors import LintmdbError
from lintmdb.exports.mq import read_mqsc
from lintmdb.run.suppression import Suppression, today
from tests.support.command import Run
from tests.support.project import FIXTURES, ROOT

INERT = FIXTURES / "backout-inert"
SCHEMA = json.loads((ROOT / "lintmdb" / "report" / "report.schema.json").read_text())
QUEUE = Subject("queue", "PAY.IN", queue_manager="QM 1", queue="PAY.IN")
FLOW = Subject("activation_spec", "My AS", "C1", node="n", server="s1", bean="PayBean", queue="PAY.IN")


@pytest.mark.parametrize(
    ("pattern", "fits"),
    [
        ("PAY.IN", (True, True)),
        ("PAY.*", (True, True)),
        ("pay.*", (False, False)),
        ("PAY", (False, False)),
        ("PAY.* QM?1", (True, False)),
        ("s[12] PayBean", (False, True)),
        ("*", (True, True)),
        ("queue", (False, False)),
        ({"queue_manager": "QM 1"}, (True, False)),
        ({"name": "My AS", "server": "s*"}, (False, True)),
        ({"cluster": "*"}, (False, False)),
        ({"kind": "queue"}, (True, False)),
    ],
)
def test_patterns(pattern: Any, fits: tuple[bool, bool]) -> None:
    """Each pattern of a string fits one whole word of the subject; a table says which word."""
    suppression = Suppression("MDB101", pattern, "r", "lintmdb.toml", 1)
    assert (suppression.matches(QUEUE), suppression.matches(FLOW)) == fits


def report(lintmdb: Run, folder: Path, *arguments: str | Path) -> dict[str, Any]:
    """The JSON report of a check that runs in a folder; it satisfies the schema."""
    result = lintmdb("check", *(arguments or (INERT,)), "--format", "json", cwd=folder)
    document = json.loads(result.stdout)
    validator: Any = jsonschema.Draft202012Validator(SCHEMA)
    assert list(validator.iter_errors(document)) == []
    return document


def configure(folder: Path, more: str = "", subject: str = "ORDERS.*") -> None:
    """A file that suppresses MDB104."""
    head = f"[[suppressions]]\nrule = 'MDB104'\nsubject = '{subject}'\nreason = 'drained by hand'\n"
    (folder / "lintmdb.toml").write_text(head + more)


def test_a_suppressed_finding_leaves_the_gate(lintmdb: Run, tmp_path: Path) -> None:
    """It is counted in the text and listed in JSON with reason, expiry and owner; --no-suppressions shows it."""
    configure(tmp_path, "expires = 9999-12-31\nowner = 'mq team'\n")
    result = lintmdb("check", INERT, "--select", "MDB104", cwd=tmp_path)
    assert (result.returncode, result.stderr) == (0, "")
    assert "Left out  1 suppressed\n" in result.stdout
    also = "It also plans changes for 1 finding left out of this report.\n"
    assert also not in result.stdout
    assert lintmdb("check", INERT, cwd=tmp_path).stdout.endswith(also)
    document = report(lintmdb, tmp_path)
    assert [finding["rule"] for finding in document["findings"]] == ["MDB304"]
    assert document["summary"]["suppressed"] == 1
    assert document["summary"]["hazards"]["error"] == 1
    assert document["suppressed"][0]["rule"] == "MDB104"
    assert document["suppressed"][0]["suppression"] == {
        "kind": "configuration",
        "path": "lintmdb.toml",
        "line": 1,
        "reason": "drained by hand",
        "expires": "9999-12-31",
        "owner": "mq team",
    }
    audit = lintmdb("check", INERT, "--select", "MDB104", "--no-suppressions", cwd=tmp_path)
    assert audit.returncode == 1
    assert "left out" not in audit.stdout


def test_the_last_day_counts(lintmdb: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A suppression acts up to and on its day; the day after it is reported and no longer acts."""
    configure(tmp_path, "expires = 2027-01-31\nowner = 'ann'\n")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1801439999")  # 2027-01-31 23:59:59 UTC
    assert lintmdb("check", INERT, "--select", "MDB104", cwd=tmp_path).returncode == 0
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1801440000")
    late = lintmdb("check", INERT, "--select", "MDB104", cwd=tmp_path)
    assert late.returncode == 1
    assert "MDB104" in late.stdout
    assert late.stderr == (
        "lintmdb: lintmdb.toml:1: the suppression of MDB104 for ORDERS.* expired on 2027-01-31 and no longer applies; "
        "its owner is ann. Renew it, or remove it\n"
    )
    assert [notice["kind"] for notice in report(lintmdb, tmp_path)["notices"]] == ["expired_suppression"]


def test_today_must_be_a_number(monkeypatch: pytest.MonkeyPatch) -> None:
    """SOURCE_DATE_EPOCH that is no number is an error."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "soon")
    with pytest.raises(LintmdbError, match="SOURCE_DATE_EPOCH"):
        today()


def test_an_unused_suppression_is_reported(lintmdb: Run, tmp_path: Path) -> None:
    """One that matches no finding is told, unless its rule does not run or its verdict is undecided."""
    configure(tmp_path, subject="PAY.*")
    result = lintmdb("check", INERT, cwd=tmp_path)
    assert "lintmdb.toml:1: the suppression of MDB104 for PAY.* matches no finding. Remove it" in result.stderr
    assert [notice["kind"] for notice in report(lintmdb, tmp_path)["notices"]] == ["unused_suppression"]
    assert lintmdb("check", INERT, "--select", "MDB304", cwd=tmp_path).stderr == ""
    configure(tmp_path)
    assert "matches no finding" not in lintmdb("check", INERT / "was", cwd=tmp_path).stderr


def test_an_unused_suppression_of_a_rule_that_is_not_decided_is_kept(lintmdb: Run, tmp_path: Path) -> None:
    """What it is about may be in an export that was not read; what the rule is clear of is known."""
    kept = "matches no finding. Keep it for now: MDB104 is not decided everywhere in this run"
    configure(tmp_path, subject="PAY.*")
    assert kept in lintmdb("check", INERT / "was", cwd=tmp_path).stderr
    assert kept in lintmdb("check", INERT / "mq", cwd=tmp_path).stderr
    configure(tmp_path)
    assert "matches no finding. Remove it" in lintmdb("check", FIXTURES / "clean", cwd=tmp_path).stderr
    script = tmp_path / "QM1.mqsc"
    comment = "* lintmdb: allow MDB104 drained by hand\nDEFINE QLOCAL('ORDERS.IN')"
    script.write_text((INERT / "mq" / "QM1.mqsc").read_text().replace("DEFINE QLOCAL('ORDERS.IN')", comment))
    (tmp_path / "lintmdb.toml").unlink()
    told = "allows MDB104 for ORDERS.IN, which has no such finding. Keep it for now: MDB104 is not decided"
    assert told in lintmdb("check", script, cwd=tmp_path).stderr


def commented(tmp_path: Path, comment: str, above: str = "DEFINE QLOCAL('ORDERS.IN')") -> Path:
    """The fixture's queue manager with a comment above a command."""
    text = (INERT / "mq" / "QM1.mqsc").read_text()
    assert above in text
    target = tmp_path / "mq" / "QM1.mqsc"
    target.parent.mkdir(exist_ok=True)
    target.write_text(text.replace(above, f"{comment}\n{above}"))
    return target


def test_a_comment_allows_a_rule_for_its_object(lintmdb: Run, tmp_path: Path) -> None:
    """The comment directly above DEFINE suppresses the queue's finding, with file, line and reason."""
    script = commented(tmp_path, "* lintmdb: allow backout-queue-inert drained by hand\n* another remark")
    document = report(lintmdb, tmp_path, INERT / "was", script)
    assert [finding["rule"] for finding in document["findings"]] == ["MDB304"]
    suppression = document["suppressed"][0]["suppression"]
    line = script.read_text().splitlines().index("* lintmdb: allow backout-queue-inert drained by hand") + 1
    assert suppression == {
        "kind": "comment",
        "path": "mq/QM1.mqsc",
        "line": line,
        "reason": "drained by hand",
        "expires": None,
        "owner": None,
    }
    assert document["notices"] == []
    audit = lintmdb("check", INERT / "was", script, "--no-suppressions", cwd=tmp_path)
    assert "MDB104" in audit.stdout


@pytest.mark.parametrize(
    ("comment", "says"),
    [
        ("* lintmdb: allow MDB104", "allows MDB104 without a reason, so it has no effect"),
        ("* lintmdb: allow MDB999 because", "allows MDB999, which is not a rule"),
        ("* lintmdb: permit MDB104 because", "has a form that lintmdb does not recognise"),
        ("* lintmdb: allow MDB304 because", "MDB304 is about a flow, which a comment above ORDERS.IN cannot suppress"),
        ("* lintmdb: allow MDB104 because\n", "is not directly above a command that lintmdb reads"),
        ("* lintmdb: allow MDB104 because\nDISPLAY QMGR", "is not directly above a command that lintmdb reads"),
        ("* lintmdb: allow MDB106 because", "allows MDB106 for ORDERS.IN, which has no such finding. Remove it"),
    ],
)
def test_a_comment_that_does_not_act_is_reported(lintmdb: Run, tmp_path: Path, comment: str, says: str) -> None:
    """It is one line on standard error with file and line, and the finding stays."""
    result = lintmdb("check", INERT / "was", commented(tmp_path, comment), cwd=tmp_path)
    assert "MDB104" in result.stdout
    assert says in result.stderr
    assert result.stderr.startswith("lintmdb: mq/QM1.mqsc:")
    assert result.stderr.count("\n") == 1


def test_a_comment_is_for_its_object_alone(lintmdb: Run, tmp_path: Path) -> None:
    """A comment above another queue, or above the queue manager, suppresses nothing of this one."""
    script = commented(tmp_path, "* lintmdb: allow MDB104 because", "DEFINE QLOCAL('ORDERS.BACKOUT')")
    assert "MDB104" in lintmdb("check", INERT / "was", script, cwd=tmp_path).stdout
    script = commented(tmp_path, "* lintmdb: allow MDB104 because", "ALTER QMGR")
    assert "is about a queue, which a comment above QM1" in lintmdb("check", INERT / "was", script, cwd=tmp_path).stderr


def test_a_comment_cannot_allow_a_locked_rule(lintmdb: Run, tmp_path: Path) -> None:
    """Nor can an export turn off what the configuration locks."""
    (tmp_path / "lintmdb.toml").write_text("locked = ['MDB104']\n")
    script = commented(tmp_path, "* lintmdb: allow MDB104 because")
    result = lintmdb("check", INERT / "was", script, cwd=tmp_path)
    assert "MDB104" in result.stdout
    assert "MDB104 is locked at lintmdb.toml:1, so the comment has no effect" in result.stderr


def test_the_reader_keeps_comments_with_their_command() -> None:
    """Several rules and several comments may stand above one command; a remark that mentions lintmdb is none."""
    text = (
        "* we use lintmdb: it is good\n"
        "* lintmdb: allow MDB101,MDB102 first reason\n"
        "** lintmdb: allow MDB103 second reason\n"
        "define ql(A) +\n"
        "* lintmdb: allow MDB104 inside\n"
        "  bothresh(3)\n"
        "DEFINE QLOCAL(B)\n"
    )
    file = read_mqsc(text.encode(), "QM1.mqsc")
    first, second = file.commands
    assert [(a.rule, a.reason, a.line) for a in first.inline_suppressions] == [
        ("MDB101", "first reason", 2),
        ("MDB102", "first reason", 2),
        ("MDB103", "second reason", 3),
    ]
    assert second.inline_suppressions == ()
    assert [(a.rule, a.line) for a in file.lost_inline_suppressions] == [("MDB104", 5)]


def test_notices_do_not_depend_on_the_working_copy(lintmdb: Run, tmp_path: Path) -> None:
    """The same input gives the same bytes."""
    configure(tmp_path, "expires = 2020-01-01\n")
    shutil.copytree(INERT, tmp_path / "exports")
    runs = {lintmdb("check", "exports", "--format", "json", cwd=tmp_path).stdout for _ in range(2)}
    assert len(runs) == 1


def test_what_a_change_resolves_is_still_suppressed(lintmdb: Run, tmp_path: Path) -> None:
    """The suppression has its finding until the change is made; one that matches nothing without it is told."""
    configure(tmp_path, "[[suppressions]]\nrule = 'MDB104'\nsubject = 'PAY.*'\nreason = 'gone'\n")
    asked = ("check", INERT, "--set", "queue ORDERS.IN at QM1: BOTHRESH=3")
    told = lintmdb(*asked, cwd=tmp_path).stderr
    assert "MDB104 for ORDERS.*" not in told
    assert "the suppression of MDB104 for PAY.* matches no finding" in told


@pytest.mark.parametrize(
    ("subject", "step"),
    [
        ("ORDERS.BACKOUT QM1", "MDB104 finds ORDERS.IN QM1. Name that if you meant it; else remove the entry"),
        ("ORDRS.IN", "MDB104 finds ORDERS.IN. Name that if you meant it; else remove the entry"),
        ("ZZZ QM9X9", "Remove it"),
    ],
)
def test_a_suppression_that_misses_names_what_is_near(lintmdb: Run, tmp_path: Path, subject: str, step: str) -> None:
    """Its rule finds something that is called almost so, or that has one of its words."""
    entry = f'rule = "MDB104"\nsubject = "{subject}"\nreason = "x"\n'
    (tmp_path / "lintmdb.toml").write_text(f"[[suppressions]]\n{entry}")
    told = lintmdb("check", INERT, cwd=tmp_path).stderr
    assert f"the suppression of MDB104 for {subject} matches no finding. {step}\n" in told


def test_a_suppression_of_another_environment_names_the_right_one(lintmdb: Run, tmp_path: Path) -> None:
    """The name is right, so that only the environment is left to correct."""
    entry = 'rule = "MDB104"\nsubject = {environment = "prod", queue = "ORDERS.IN"}\nreason = "x"\n'
    (tmp_path / "lintmdb.toml").write_text(f"[environments]\ndev = '{INERT}'\n[[suppressions]]\n{entry}")
    told = lintmdb("check", INERT, cwd=tmp_path).stderr
    assert 'matches no finding. MDB104 finds { queue = "ORDERS.IN", environment = "dev" }. Name that if' in told


@pytest.mark.parametrize("subject", ['bus = "MailBus", queue = "NOTICES"', 'bus = "MailBus", name = "NOTICE"'])
def test_a_table_that_misses_is_told_the_keys_that_match(lintmdb: Run, tmp_path: Path, subject: str) -> None:
    """A destination of a bus is a name and no queue; the table of the notice suppresses the finding."""
    meant = '{ bus = "MailBus", name = "NOTICES" }'
    configure(tmp_path, f"[[suppressions]]\nrule = 'MDB506'\nsubject = {{{subject}}}\nreason = 'x'\n")
    told = lintmdb("check", FIXTURES / "estate", cwd=tmp_path).stderr
    assert f"matches no finding. MDB506 finds {meant}. Name that if you meant it" in told
    configure(tmp_path, f"[[suppressions]]\nrule = 'MDB506'\nsubject = {meant}\nreason = 'x'\n")
    assert "MDB506" not in lintmdb("check", FIXTURES / "estate", cwd=tmp_path).stderr
