"""A configuration file says the same to the fleet audit as to ``check``: rules, suppressions, baseline, names."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from lintmdb.errors import LintmdbError
from lintmdb.run.baseline import Entry, build_entry, render_baseline
from lintmdb.run.config.choice import Choice, choose_rules
from lintmdb.run.config.settings import Options, Settings, read_settings
from lintmdb.run.judging import Judged, judge_exports
from tests.support.project import FIXTURES
from tests.support.spark import no_fleet

if REASON := no_fleet():
    pytest.skip(REASON, allow_module_level=True)

from lintmdb.cli.app import app
from lintmdb.fleet.find_audit import find_audit
from lintmdb.report.json_report import suppressed_entry
from tests.support.fleet_estate import table

if TYPE_CHECKING:
    pass

CONFIG = """
inputs = ["exports", "more.mqsc"]
select = ["MDB101", "MDB104", "MDB108", "MDB116", "MDB302", "MDB402"]
ignore = ["MDB116"]
fail-on = "warning"
locked = ["MDB302"]
baseline = "known.jsonl"

[severities]
MDB101 = "info"

[queue-managers]
"PAYGATE" = "QM1"
"*STOCKGROUP" = "QM2"

[[identities]]
endpoint = "claims/ClaimsLP"
user = "wasclaims"
groups = ["mqusers"]

[observations]
on_message = "15s"

[[suppressions]]
rule = "MDB104"
subject = "STOCK.* QM2"
reason = "drained by hand"
expires = 2099-06-30
owner = "stock team"

[[suppressions]]
rule = "MDB104"
subject = "STOCK.*"
reason = "was to be mended long ago"
expires = 2020-01-01

[[suppressions]]
rule = "MDB108"
subject = { queue = "NOBODY.*" }
reason = "there is no such queue any more"

[[suppressions]]
rule = "MDB402"
subject = "ClaimAuditLP"
reason = "it is slow on purpose"
"""
MQSC = """* Queue manager name: QM1
* lintmdb: allow MDB108 it is drained every hour
ALTER QLOCAL('ORDERS.IN') DESCR('x')
* lintmdb: allow MDB101
ALTER QLOCAL('LETTERS.IN') DESCR('x')
* lintmdb: allow MDB104 it has no such finding
ALTER QLOCAL('CLAIMS.IN') DESCR('x')
"""


@pytest.fixture
def team(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with exports, a configuration file that uses every key, and a baseline; the working directory."""
    (tmp_path / "exports").symlink_to(FIXTURES / "all-families", target_is_directory=True)
    (tmp_path / "more.mqsc").write_text(MQSC)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "known.jsonl").write_text('{"schema": "lintmdb-baseline/1"}\n')
    (tmp_path / "lintmdb.toml").write_text(CONFIG)
    found = _checked(*_settings()).judgement.findings
    known = [finding for finding in found if finding.rule.id == "MDB302"][:1]  # locked: no baseline hides it
    known += [finding for finding in found if finding.rule.id != "MDB302"][-2:]
    entries = [{"rule": f.rule.id, "subject": {"name": "n"}, "fingerprint": f.fingerprint} for f in known]
    entries += [{"rule": "MDB101", "subject": {"name": "gone"}, "fingerprint": "0" * 32}]
    with (tmp_path / "known.jsonl").open("a") as file:
        file.writelines(json.dumps(entry) + "\n" for entry in entries)
    return tmp_path


def _settings(**options: Any) -> tuple[Settings, Choice]:
    settings = read_settings(Options(**options))
    return settings, choose_rules(settings)


def _checked(settings: Settings, choice: Choice, *, suppressions: bool = True) -> Judged:
    return judge_exports(
        settings.inputs, settings, choice, suppressions=suppressions, baseline=settings.baseline, digests=False
    )


def _findings(rows: Sequence[Mapping[str, Any]]) -> list[tuple[str, str, str, str]]:
    return sorted((row["rule"], row["severity"], row["fingerprint"], row["message"]) for row in rows)


def _same(audit: Path, judged: Judged) -> None:
    judgement = judged.judgement
    expected = [{"rule": f.rule.id, "severity": f.rule.severity, "fingerprint": f.fingerprint, "message": f.message}
                for f in judgement.findings]  # fmt: skip
    assert _findings(table(audit, "findings")) == _findings(expected)
    suppressed = table(audit, "suppressed")
    theirs: list[dict[str, Any]] = [{**suppressed_entry(entry)} for entry in judgement.suppressed]
    assert _findings(suppressed) == _findings(theirs)
    decisions = {row["fingerprint"]: row["suppression"] for row in suppressed}
    assert decisions == {row["fingerprint"]: row["suppression"] for row in theirs}
    summary = json.loads((audit / "summary.json").read_text())
    assert summary["suppressed"] == len(theirs) == sum(row["suppressed"] for row in table(audit, "summary"))
    assert summary["notices"] == [notice.as_dict() for notice in judgement.notices]
    assert summary["undecided"] == len(judgement.undecided)
    assert summary["clear"] == judgement.clear


def test_the_file_says_the_same_to_both(team: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Findings, what is left out and why, notices and counts are those of ``check`` under the same file."""
    judged = _checked(*_settings())
    kinds = {entry.kind for entry in judged.judgement.suppressed}
    assert kinds == {"configuration", "comment", "baseline"}, "the test is to see each of them"
    assert {n.kind for n in judged.judgement.notices} == {
        "expired_suppression", "unused_suppression", "invalid_suppression", "stale_baseline_entry", "guessed_name"
    }  # fmt: skip
    assert app(["fleet", "audit", "--out", "out"], standalone_mode=False) == 1
    told = capsys.readouterr()
    assert f"{len(judged.judgement.suppressed)} left out" in told.out
    assert "is in the baseline but is no longer found" in told.err
    assert "MDB402 for ClaimAuditLP matches no finding. MDB402 finds ClaimsAuditLP. Name that" in told.err
    _same(find_audit(team / "out"), judged)


def test_an_auditor_sees_all(team: Path) -> None:
    """With --no-suppressions only the baseline hides; another day of the suppressions is another basis."""
    command = ["fleet", "audit", "--out", "out", "--config", str(team / "lintmdb.toml"), "--no-suppressions"]
    assert app(command, standalone_mode=False) == 1
    _same(find_audit(team / "out"), _checked(*_settings(), suppressions=False))


def test_options_win_over_the_file(team: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What the command line selects stands in place of the file's selection, and --fail-on decides."""
    command = ["fleet", "audit", "exports", "--out", "out", "--select", "MDB117", "--fail-on", "never"]
    assert app(command, standalone_mode=False) == 0
    settings, choice = _settings(select=["MDB117"], inputs=[team / "exports"])
    _same(find_audit(team / "out"), _checked(settings, choice))
    capsys.readouterr()
    with pytest.raises(LintmdbError, match=r"MDB302 is locked at lintmdb.toml:6 and cannot be ignored"):
        app(["fleet", "audit", "--out", "out", "--ignore", "MDB302"], standalone_mode=False)
    (team / "lintmdb.toml").write_text("fail-on = 'error'\n")
    with pytest.raises(LintmdbError, match="no INPUT is named"):
        app(["fleet", "audit", "--out", "out"], standalone_mode=False)


def test_a_watch_reads_the_file(team: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It audits the inputs of the file by its rules, and again once a suppression has expired."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1750000000")
    command = ["fleet", "watch", "--out", "out", "--once", "--select", "MDB104"]
    assert app(command, standalone_mode=False) == 1
    settings, choice = _settings(select=["MDB104"])
    _same(find_audit(team / "out"), _checked(settings, choice))


def test_a_baseline_entry_about_what_was_not_read_is_not_stale(team: Path) -> None:
    """An audit of a part of the exports says of an entry that it is gone only where that part would show it."""
    found = _checked(*_settings()).judgement.findings
    known = [build_entry(finding) for finding in found if finding.rule.id != "MDB302"]
    gone = [Entry(entry.rule, entry.subject, f"{number:032x}") for number, entry in enumerate(known)]
    (team / "known.jsonl").write_text(render_baseline([*known, *gone]))
    part = "exports/was/cells/PRODCELL"
    assert app(["fleet", "audit", part, "more.mqsc", "--out", "out"], standalone_mode=False) in (0, 1)
    stale = _stale(json.loads((find_audit(team / "out") / "summary.json").read_text())["notices"])
    settings, choice = _settings()
    judged = judge_exports([Path(part), Path("more.mqsc")], settings, choice, baseline=settings.baseline, digests=False)
    assert stale == _stale([notice.as_dict() for notice in judged.judgement.notices])
    about = [
        json.loads(line).get("subject", {}).get("queue_manager")
        for line in Path("known.jsonl").read_text().splitlines()
    ]
    assert {about[line - 1] for line in stale} == {"QM1"}
    assert set(about) > {"QM1"}, "the baseline is to hold entries about what was not read"


def test_a_baseline_entry_about_what_an_unknown_reader_may_read_is_not_stale(team: Path) -> None:
    """An audit says of an entry about a queue that it is gone only where every reader of its name is known."""
    names = ("LETTERS.IN", "PAYMENTS.IN")
    gone = [
        Entry("MDB101", {"kind": "queue", "name": name, "queue_manager": "QM1"}, f"{number:032x}")
        for number, name in enumerate(names)
    ]
    (team / "known.jsonl").write_text(render_baseline(gone))
    assert app(["fleet", "audit", "--out", "out"], standalone_mode=False) in (0, 1)
    assert _stale(json.loads((find_audit(team / "out") / "summary.json").read_text())["notices"]) == [2, 3]
    (team / "exports").unlink()
    shutil.copytree(FIXTURES / "all-families", team / "exports")
    changed = 0
    for file in (team / "exports/was/cells/PRODCELL").rglob("resources.xml"):
        text = file.read_text("utf-8")
        new = re.sub(r'(queueManager=|name="queueManager" .* value=)"QM1"', r'\1"${QM}"', text)
        changed += text != new
        file.write_text(new, "utf-8")
    assert changed
    assert app(["fleet", "audit", "--out", "out"], standalone_mode=False) in (0, 1)
    stale = _stale(json.loads((find_audit(team / "out") / "summary.json").read_text())["notices"])
    settings, choice = _settings()
    judged = judge_exports(settings.inputs, settings, choice, baseline=settings.baseline, digests=False)
    assert stale == _stale([notice.as_dict() for notice in judged.judgement.notices])
    assert stale == [2], "LETTERS.IN is read from where it was"


_WHOLE = "* Queue manager name: {}\nDEFINE QLOCAL(A.IN) BOTHRESH(3)\n"


@pytest.mark.parametrize(
    ("files", "code"),
    [
        pytest.param({"QM9.mqsc": _WHOLE.format("QM9")}, 0, id="whole"),
        pytest.param({"QM9.mqsc": "DEFINE QLOCAL(A.IN) BOTHRESH(3)\n"}, 4, id="a guessed name"),
        pytest.param(
            {
                "QM9.mqsc": "DEFINE QLOCAL(A.IN) BOTHRESH(3)\n",
                "QM1.mqsc": _WHOLE.format("QM1").replace("(3)", "(3) BOQNAME(FAR)")
                + "DEFINE QREMOTE(FAR) RNAME(A) RQMNAME(QM9)\n",
            },
            0,
            id="a guessed name that a remote backout queue names",
        ),
        pytest.param({"QM9.mqsc": f"{_WHOLE.format('QM9')}DEFINE QLOCAL(\n"}, 4, id="a line that is not understood"),
    ],
)
def test_a_strict_gate_fails_where_that_of_check_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, files: dict[str, str], code: int
) -> None:
    """For what was guessed or not understood."""
    monkeypatch.chdir(tmp_path)
    Path("exports").mkdir()
    for name, text in files.items():
        Path("exports", name).write_text(text)
    options = ["--all-queues", "--select", "MDB116", "--strict"]
    assert app(["check", "exports", *options], standalone_mode=False) == code
    assert app(["fleet", "audit", "exports", "--out", "out", *options], standalone_mode=False) == code


def _stale(notices: Sequence[Mapping[str, Any]]) -> list[int]:
    return sorted(notice["line"] for notice in notices if notice["kind"] == "stale_baseline_entry")


def test_a_named_folder_without_exports_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A slip in a script that collects exports leaves an empty folder: the audit says so, as check does."""
    monkeypatch.chdir(tmp_path)
    for folder in ("bare", "notes"):
        (tmp_path / folder).mkdir()
    (tmp_path / "notes" / "todo.txt").write_text("ask the MQ team\n")
    inputs = [str(FIXTURES / "clean"), "bare", "notes"]
    assert app(["fleet", "audit", *inputs, "--out", "out"], standalone_mode=False) == 0
    told = json.loads((find_audit(tmp_path / "out") / "summary.json").read_text())["notices"]
    judged = _checked(*_settings(inputs=[Path(entry) for entry in inputs]))
    assert told == [notice.as_dict() for notice in judged.judgement.notices]
    assert [notice["path"] for notice in told] == ["bare", "notes"]


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (2, "endpoints: [{endpoint: OrderAS, user: x}, {endpoint: ORDERS.IN, user: x}, {endpoint: OrdersAS, user: x}]"),
        (1, "beans: [{bean: Nobody, on_message: 5s}, {bean: OrderBean, on_message: 5s}]"),
        (1, "queue_managers: [{queue_manager: QM2*, user: x}, {queue_manager: 'QM?', user: x}]"),
        (1, "user: wasadm\nusers: [{user: wasadmn, groups: []}, {user: wasadm, groups: []}]"),
    ],
)
def test_observations_that_match_nothing_are_told(
    number: int, text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As ``check`` tells them, also by an audit in which nothing has changed."""
    monkeypatch.chdir(tmp_path)
    Path("o.yaml").write_text(text)
    clean = str(FIXTURES / "clean")
    app(["check", clean, "--observations", "o.yaml", "--format", "json=check.json"], standalone_mode=False)
    told = [entry for entry in json.loads(Path("check.json").read_text())["notices"] if entry["path"] == "o.yaml"]
    assert len(told) == number
    for _ in range(2):
        command = ["fleet", "audit", clean, "--out", "out", "--observations", "o.yaml", "--incremental"]
        app(command, standalone_mode=False)
        notices = json.loads((find_audit(Path("out")) / "summary.json").read_text("utf-8"))["notices"]
        assert [entry for entry in notices if entry["path"] == "o.yaml"] == told


def test_a_suppression_of_a_rule_that_is_not_decided_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What it is about may be in an export that was not read: in the words of check, whichever part of an estate is
    there. Where the rule is decided everywhere, the advice is to remove it.
    """
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lintmdb.toml").write_text(
        '[[suppressions]]\nrule = "MDB104"\nsubject = "PAY.*"\nreason = "drained"\n'
        '[[suppressions]]\nrule = "MDB108"\nsubject = "PAY.*"\nreason = "old"\nexpires = 2020-01-01\n'
    )
    said: dict[str, list[object]] = {}
    for part in ("", "was", "mq"):
        folder = f"backout-inert/{part}"
        settings, choice = _settings(inputs=[FIXTURES / folder])
        app(["fleet", "audit", str(FIXTURES / folder), "--out", f"out{part}"], standalone_mode=False)
        notices = json.loads((find_audit(tmp_path / f"out{part}") / "summary.json").read_text())["notices"]
        own = [entry for entry in notices if entry["kind"].endswith("_suppression")]
        judged = _checked(settings, choice).judgement.notices
        assert own == [notice.as_dict() for notice in judged if notice.kind.endswith("_suppression")]
        said[part] = [entry["next_step"] for entry in own]
    kept = "Keep it for now: MDB104 is not decided everywhere in this run"
    assert said["was"] == said["mq"] == [kept, "Renew it, or remove it"]
    assert said[""][0] == "Remove it"
