"""The configuration file: where it is found, what it may say, what wins, and where each value came from."""

from __future__ import annotations

import json
import re
import shutil
import tomllib
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lintmdb.errors import LintmdbError
from lintmdb.resolve.observations import SCHEMA as OBSERVATIONS
from lintmdb.rules.loading import load_rules
from lintmdb.run.config.file import SCHEMA
from lintmdb.run.config.positions import Place, positions
from lintmdb.run.config.profiles import Profiles, read_profiles
from lintmdb.run.config.search import candidates
from lintmdb.run.config.settings import DEFAULTS
from tests.support.command import Run
from tests.support.project import FIXTURES, ROOT
from tests.support.scenario_folders import scenario_folder

INERT = FIXTURES / "backout-inert"


def places(value: Any, place: Place = ()) -> list[Place]:
    """Every key and list entry of a document."""
    found = [place] if place else []
    if isinstance(value, dict):
        for key, entry in cast("dict[str, Any]", value).items():
            found += places(entry, (*place, key))
    elif isinstance(value, list):
        for number, entry in enumerate(cast("list[Any]", value)):
            found += places(entry, (*place, number))
    return found


HARD = '''# a comment = [
title = "a # no comment ] }" # one
"quoted.key" = 'C:\\path'
a.b.'c d' = { x = 1, y = [ "p,q", { z = """
two lines ""quoted"" \\"""end""" } ] } # tail
dates = [
  1979-05-27 07:32:00, # first
  2026-12-31,
  -1.5e3,
]
[table . "sub"]
literal = \'\'\'
[not.a.table]
'' in it\'\'\'\'
escaped = "\\u0041\\" ]"
[[list]]
name = "one"
[list.inner]
k = true
[[list]]
name = "two"
[[list.deep]]
v = []
[[list.deep]]
v = {}
'''


def test_every_place_of_a_hard_file_has_its_line() -> None:
    """Strings, comments, dotted keys, inline tables and lists of tables do not shift the lines."""
    lines = positions(HARD)
    assert set(places(tomllib.loads(HARD))) == set(lines)
    rows = HARD.splitlines()
    for place, text in {
        ("a", "b", "c d", "y", 1, "z"): "a.b",
        ("dates", 1): "  2026-12-31,",
        ("table", "sub", "escaped"): "escaped",
        ("list", 0, "inner", "k"): "k = true",
        ("list", 1): "[[list]]",
        ("list", 1, "deep", 1, "v"): "v = {}",
    }.items():
        assert rows[lines[place] - 1].startswith(text), place


KEYS = st.sampled_from(["a", "b-1", '"c d"', "'e.f'"])
VALUES = st.recursive(
    st.sampled_from(["1", '"x = [1]"', "'#'", "true", "2026-12-31", '"""a\nb"""', "'''\n]'''"]),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(lambda parts: "[ # c\n" + " ,\n".join(parts) + "\n]"),
        st.dictionaries(KEYS, inner, max_size=2).map(
            lambda table: "{ " + ", ".join(f"{key} = {value}" for key, value in table.items()) + " }"
        ),
    ),
    max_leaves=6,
)


@given(st.dictionaries(KEYS, VALUES, max_size=3), st.lists(st.dictionaries(KEYS, VALUES, max_size=2), max_size=3))
def test_positions_agree_with_tomllib(top: dict[str, str], tables: list[dict[str, str]]) -> None:
    """Every place that tomllib knows has a line, and no other place has one."""
    text = "".join(f"{key} = {value}\n" for key, value in top.items())
    text += "".join("[[t]] # x\n" + "".join(f"{key}={value}\n" for key, value in table.items()) for table in tables)
    assert set(positions(text)) == set(places(tomllib.loads(text)))


def test_the_search_ends_at_a_repository_or_at_home(tmp_path: Path) -> None:
    """Files above the repository's root or the home folder do not count; outside both, only the folder itself."""
    inner = tmp_path / "repo" / "a" / "b"
    inner.mkdir(parents=True)
    for folder in (tmp_path, tmp_path / "repo", inner):
        (folder / "lintmdb.toml").touch()
    assert candidates(inner, None) == [inner / "lintmdb.toml"]
    assert candidates(inner, tmp_path / "repo" / "a") == [inner / "lintmdb.toml"]
    (tmp_path / "repo" / ".git").touch()
    assert candidates(inner, tmp_path) == [inner / "lintmdb.toml", tmp_path / "repo" / "lintmdb.toml"]
    (inner / "pyproject.toml").touch()
    assert candidates(inner, tmp_path)[1] == inner / "pyproject.toml"


def test_inputs_and_options(lintmdb: Run, tmp_path: Path) -> None:
    """Without an EXPORT the file's inputs are judged, found from a folder below; an option wins over the file."""
    (tmp_path / ".git").touch()
    (tmp_path / "lintmdb.toml").write_text(f"inputs = ['{INERT}']\nselect = ['MDB104']\nfail-on = 'never'\n")
    below = tmp_path / "below"
    below.mkdir()
    result = lintmdb("check", cwd=below)
    assert result.returncode == 0
    assert "MDB104" in result.stdout
    assert "MDB304" not in result.stdout
    assert lintmdb("check", "--fail-on", "error", cwd=below).returncode == 1
    other = lintmdb("check", "--select", "MDB304", cwd=below)
    assert "MDB304" in other.stdout
    assert "MDB104" not in other.stdout
    assert "ORDERS.IN" in lintmdb("trace", cwd=below).stdout
    assert "queue manager QM1" in lintmdb("inventory", cwd=below).stdout


def test_paths_of_the_file_start_at_its_folder(lintmdb: Run, tmp_path: Path) -> None:
    """inputs, rules, baseline and observations are relative to the file that names them."""
    (tmp_path / ".git").touch()
    (tmp_path / "exports").symlink_to(INERT, target_is_directory=True)
    (tmp_path / "seen.yaml").write_text("on_message: 9s\n")
    (tmp_path / "lintmdb.toml").write_text('inputs = ["exports"]\nobservations = "seen.yaml"\n')
    below = tmp_path / "below"
    below.mkdir()
    result = lintmdb("check", cwd=below)
    assert "MDB104" in result.stdout
    assert "Undecided:" not in result.stdout


def test_one_run_without_the_baseline(lintmdb: Run, tmp_path: Path) -> None:
    """--no-baseline shows what the baseline of the file leaves out, and contradicts --baseline."""
    assert lintmdb("baseline", "write", "known.jsonl", INERT, cwd=tmp_path).returncode == 0
    (tmp_path / "lintmdb.toml").write_text('baseline = "known.jsonl"\n')
    assert lintmdb("check", INERT, cwd=tmp_path).returncode == 0
    shown = lintmdb("check", INERT, "--no-baseline", cwd=tmp_path)
    assert shown.returncode == 1
    assert "Left out" not in shown.stdout
    assert "--no-baseline" in lintmdb("config", "show", "--no-baseline", cwd=tmp_path).stdout
    both = lintmdb("check", INERT, "--no-baseline", "--baseline", "known.jsonl", cwd=tmp_path)
    assert both.returncode == 2
    assert "contradict" in both.stderr


def test_pyproject_table(lintmdb: Run, tmp_path: Path) -> None:
    """[tool.lintmdb] does as well; a lintmdb.toml beside it wins; a pyproject.toml without the table is passed over."""
    (tmp_path / "pyproject.toml").write_text("[tool.lintmdb]\nselect = ['MDB304']\ncolour = 1\n")
    result = lintmdb("check", INERT, cwd=tmp_path)
    assert result.returncode == 2
    assert "pyproject.toml:3: colour is not a setting" in result.stderr
    (tmp_path / "pyproject.toml").write_text("[tool.lintmdb]\nselect = ['MDB304']\n")
    assert "MDB104" not in lintmdb("check", INERT, cwd=tmp_path).stdout
    (tmp_path / "lintmdb.toml").write_text("select = ['MDB104']\n")
    assert "MDB104" in lintmdb("check", INERT, cwd=tmp_path).stdout
    (tmp_path / "lintmdb.toml").unlink()
    (tmp_path / "pyproject.toml").write_text("[tool.other]\nlintmdb = 1\n")
    assert "MDB304" in lintmdb("check", INERT, cwd=tmp_path).stdout
    refused = lintmdb("check", INERT, "--config", "pyproject.toml", cwd=tmp_path)
    assert refused.stderr == "lintmdb: pyproject.toml: has no table [tool.lintmdb]\n"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("fail_on = 'error'\n", "lintmdb.toml:1: fail_on is not a setting. Did you mean fail-on?"),
        ("\n[[suppressions]]\nrule = 'MDB104'\nsubjet = 'x'\n", ":4: suppressions.1.subjet is not a setting. Did you"),
        ("[[suppressions]]\nrule = 'MDB104'\nsubject = 'x'\n", ":1: suppressions.1: 'reason' is a required property"),
        ("[[suppressions]]\nrule='MDB104'\nsubject='x'\nreason=' '\n", ":4: suppressions.1.reason: is blank"),
        ("suppressions = [\n {rule='MDB104', subject={que='x'}, reason='r'}]\n", ":2: suppressions.1.subject.que is"),
        ("[[suppressions]]\nrule='MDB104'\nsubject='x'\nreason='r'\nexpires=2026-13-01\n", "is not valid TOML"),
        ("[[suppressions]]\nrule='MDB104'\nsubject='x'\nreason='r'\nexpires='2026-02-30'\n", ":5: suppressions.1.exp"),
        ("[[suppressions]]\nrule='MDB104'\nsubject='x'\nreason='r'\nexpires='soon'\n", "a date such as 2027-06-30"),
        ("[[suppressions]]\nrule='MDB999'\nsubject='x'\nreason='r'\n", ":2: no rule is called 'MDB999'"),
        ("a = 1\nselect = 'MDB1'\n", ":1: a is not a setting. Known here: all-queues, baseline, environments, fail-on"),
        ("select = 'MDB1'\n", ":1: select: 'MDB1' is not a list"),
        ("\nignore = ['MDB1', 'MDB777']\n", ":2: no rule is called 'MDB777'"),
        ("[severities]\nMDB104 = 'critical'\n", ":2: severities.MDB104: 'critical' is none of error, warning, info"),
        ("[severities]\n\nMDB1 = 'info'\n", ":3: 'MDB1' is not the id or name of one rule"),
        ("locked = [\n'MDB104',\n'MDB998']\n", ":3: locked: no rule is called 'MDB998'"),
        ("fail-on = \n", "lintmdb.toml:1:11: is not valid TOML"),
        ("profile = 'recommended@9.0'\n", ":1: profile recommended@9.0 is newer than this lintmdb"),
        ("profile = 'best'\n", ":1: profile: 'best' is not minimal, recommended or strict"),
        ("select = ['MDB1']\nprofile = 'strict'\n", ":2: select and profile both say which rules are used"),
        ("identities = [{endpoint='A', user='u'},\n{endpoint='A', user='v'}]\n", ":2: the user of A is given twice"),
        ("[observations]\non_message = 'soon'\n", ":2: observations.on_message: 'soon' is not a duration"),
        ("observations = 'absent.yaml'\n", "absent.yaml: cannot be read"),
        ("rules = ['absent']\n", "absent does not exist"),
        ("[plan]\nonly = 'db2'\n", ":2: plan.only: 'db2' is none of mq, was"),
        ("[plan]\nbackout-threshold = 1\n", ":2: plan.backout-threshold"),
        ("[plan]\nbackout-name = 'SPARE'\n", ":2: plan.backout-name"),
        ("[plan]\nbackout-name = '{queue} OLD'\n", ":2: plan.backout-name"),
        ("[plan]\ndead-letter-name = '{queue}.DLQ'\n", ":2: plan.dead-letter-name"),
        ("[plan]\n\nowner = {}\n", ":3: plan.owner is not a setting. Did you mean owners?"),
        ("[plan.owners]\nQM1 = ' '\n", ":2: plan.owners.QM1: is blank"),
    ],
)
def test_a_wrong_file_is_one_clear_line(lintmdb: Run, tmp_path: Path, text: str, says: str) -> None:
    """Each mistake is exit code 2 and one line with file, line and what would be right."""
    (tmp_path / "lintmdb.toml").write_text(text)
    result = lintmdb("check", INERT, cwd=tmp_path)
    assert (result.returncode, result.stdout) == (2, "")
    assert says in result.stderr
    assert result.stderr.count("\n") == (2 if text.startswith("a = 1") else 1)


@pytest.mark.parametrize("data", [b"\xff\xfe", b"a = [" * 5000, b"# " + b"x" * (1 << 20)])
def test_hostile_files_end_in_one_line(lintmdb: Run, tmp_path: Path, data: bytes) -> None:
    """What is not UTF-8, nested too deep or too large is one line."""
    (tmp_path / "lintmdb.toml").write_bytes(data)
    result = lintmdb("check", INERT, cwd=tmp_path)
    assert result.returncode == 2
    assert result.stderr.startswith("lintmdb: lintmdb.toml")
    assert result.stderr.count("\n") == 1


def test_severities(lintmdb: Run, tmp_path: Path) -> None:
    """A rule's severity can be set by id or name, and the gate follows it."""
    (tmp_path / "lintmdb.toml").write_text('[severities]\nbackout-queue-inert = "info"\nMDB304 = "warning"\n')
    result = lintmdb("check", INERT, cwd=tmp_path)
    assert result.returncode == 0
    assert "1 warning, 1 info," in result.stdout
    assert lintmdb("check", INERT, "--fail-on", "warning", cwd=tmp_path).returncode == 1


def test_identities_and_observations(lintmdb: Run, tmp_path: Path) -> None:
    """An identity in the file is what an observation of the endpoint's user is."""
    fixture = scenario_folder("authority-missing")
    (tmp_path / "lintmdb.toml").write_text(
        "identities = [{endpoint = 'OrdersAS', user = 'other', groups = ['nobody']}]\n[observations]\non_message = 9\n"
    )
    before = lintmdb("check", fixture, cwd=ROOT).stdout
    after = lintmdb("check", fixture, cwd=tmp_path).stdout
    assert "passall for wasuser" in before
    assert "passall for other" in after
    assert "the longest onMessage time" in before
    assert "the longest onMessage time" not in after


def test_queue_manager_names_join_flows(lintmdb: Run, tmp_path: Path) -> None:
    """A name that WebSphere uses for a queue manager leads to that queue manager's export."""
    export = tmp_path / "QM9.mqsc"
    export.write_text((INERT / "mq" / "QM1.mqsc").read_text().replace("QM1", "QM9"))
    alone = lintmdb("check", INERT / "was", export, cwd=tmp_path)
    assert "an export of queue manager QM1" in alone.stdout
    (tmp_path / "lintmdb.toml").write_text('[queue-managers]\nQM1 = "QM9"\n')
    joined = lintmdb("check", INERT / "was", export, cwd=tmp_path)
    assert "ORDERS.IN at QM9" in joined.stdout
    assert "MDB104" in joined.stdout


def test_a_group_of_queue_managers_may_be_named(lintmdb: Run, tmp_path: Path) -> None:
    """A CCDT group (an asterisk and a name) stands for no queue manager until the file says for which."""
    was = tmp_path / "was"
    for file in (INERT / "was").rglob("*"):
        if file.is_file():
            target = was / file.relative_to(INERT / "was")
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(file.read_text().replace('"QM1"', '"*PAY"'))
    (tmp_path / "lintmdb.toml").write_text("")
    assert "queueManager is not set, or names a group" in lintmdb("check", was, INERT / "mq", cwd=tmp_path).stdout
    (tmp_path / "lintmdb.toml").write_text('[queue-managers]\n"*PAY" = "QM1"\n')
    assert "MDB104" in lintmdb("check", was, INERT / "mq", cwd=tmp_path).stdout


def locked_below(tmp_path: Path, text: str) -> Path:
    """A folder whose own file is ``text``, below one that locks MDB104."""
    (tmp_path / ".git").touch()
    (tmp_path / "lintmdb.toml").write_text("locked = [\n'MDB104']\n")
    below = tmp_path / "team"
    below.mkdir(exist_ok=True)
    (below / "lintmdb.toml").write_text(text)
    return below


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("ignore = ['MDB1']\n", "lintmdb.toml:1: MDB104 is locked at ../lintmdb.toml:2 and cannot be ignored"),
        (
            "[[suppressions]]\nrule = 'MDB104'\nsubject = '*'\nreason = 'r'\n",
            "lintmdb.toml:2: MDB104 is locked at ../lintmdb.toml:2 and cannot be suppressed",
        ),
        (
            "[severities]\nMDB104 = 'info'\n",
            "MDB104 is locked at ../lintmdb.toml:2 and cannot be given another severity",
        ),
    ],
)
def test_a_locked_rule_cannot_be_turned_off_below(lintmdb: Run, tmp_path: Path, text: str, says: str) -> None:
    """A file below the one that locks a rule may not ignore, suppress or weaken it."""
    result = lintmdb("check", INERT, cwd=locked_below(tmp_path, text))
    assert (result.returncode, result.stdout) == (2, "")
    assert says in result.stderr


def test_a_locked_rule_always_runs(lintmdb: Run, tmp_path: Path) -> None:
    """Neither a selection nor a profile nor an option leaves a locked rule out."""
    below = locked_below(tmp_path, "select = ['MDB4']\n")
    assert "MDB104" in lintmdb("check", INERT, cwd=below).stdout
    assert "MDB104" in lintmdb("check", INERT, "--select", "MDB2", cwd=below).stdout
    refused = lintmdb("check", INERT, "--ignore", "MDB104", cwd=below)
    assert refused.returncode == 2
    assert "MDB104 is locked" in refused.stderr


def test_the_file_that_locks_may_suppress(lintmdb: Run, tmp_path: Path) -> None:
    """Who locks a rule answers for it: the same file may suppress it, but not ignore it."""
    suppression = "[[suppressions]]\nrule = 'MDB104'\nsubject = 'ORDERS.IN'\nreason = 'decided centrally'\n"
    (tmp_path / "lintmdb.toml").write_text("locked = ['MDB104']\n" + suppression)
    result = lintmdb("check", INERT, cwd=tmp_path)
    assert result.stderr == ""
    assert "MDB104" not in result.stdout
    (tmp_path / "lintmdb.toml").write_text("locked = ['MDB104']\nignore = ['MDB104']\n")
    assert "lintmdb.toml:2: MDB104 is locked" in lintmdb("check", INERT, cwd=tmp_path).stderr


def test_config_check(lintmdb: Run, tmp_path: Path) -> None:
    """config check is 0 for a good file, 1 for an expired suppression, 2 for a wrong file or none."""
    assert lintmdb("config", "check", cwd=tmp_path).returncode == 2
    file = tmp_path / "lintmdb.toml"
    file.write_text("ignore = ['MDB104']\n")
    result = lintmdb("config", "check", cwd=tmp_path)
    assert result.returncode == 0
    assert re.fullmatch(r"lintmdb\.toml: 1 setting, \d+ rules run\n", result.stdout)
    file.write_text("[[suppressions]]\nrule='MDB104'\nsubject='A'\nreason='r'\nexpires=2020-01-01\nowner='ann'\n")
    late = lintmdb("config", "check", cwd=tmp_path)
    assert late.returncode == 1
    assert "lintmdb.toml:1: the suppression of MDB104 for A expired on 2020-01-01" in late.stderr
    file.write_text("colour = 1\n")
    assert lintmdb("config", "check", file).returncode == 2


def test_config_show_names_every_source(lintmdb: Run, tmp_path: Path) -> None:
    """Each setting is shown with its value and where it comes from: default, file and line, or option."""
    (tmp_path / "lintmdb.toml").write_text("fail-on = 'warning'\n\n[severities]\nMDB104 = 'info'\n")
    lines = lintmdb("config", "show", "--ignore", "MDB3", cwd=tmp_path).stdout.splitlines()
    sources = {line.partition(" = ")[0]: re.split(r"\s+# ", line)[-1] for line in lines if " = " in line}
    assert sources["fail-on"] == "lintmdb.toml:1"
    assert sources["severities.MDB104"] == "lintmdb.toml:4"
    assert sources["ignore"] == "--ignore"
    assert sources["profile"] == "default"
    assert {key.partition(".")[0] for key in sources} == set(DEFAULTS)


def test_the_schema_and_the_defaults_know_the_same_settings() -> None:
    """config.schema.json lists what the settings know; observations are those of the observations file."""
    schema = json.loads(SCHEMA.read_text())
    assert set(schema["properties"]) == set(DEFAULTS)
    observations = json.loads(OBSERVATIONS.read_text())["properties"]
    inline = schema["properties"]["observations"]["properties"]
    assert {key.replace("-", "_") for key in inline} == set(observations)
    for key in ("beans", "endpoints"):
        known = {name.replace("-", "_") for name in inline[key]["items"]["properties"]}
        assert known == set(observations[key]["items"]["properties"]) - {"line"}


def test_profiles() -> None:
    """minimal is what loses or stops messages for certain, recommended leaves out what is marked, strict has all."""
    rules, profiles = load_rules(), read_profiles()
    minimal = profiles.rules(rules, "minimal")
    assert {(rule.severity, rule.confidence) for rule in minimal} == {("error", "high")}
    assert profiles.rules(rules, "strict") == rules
    left_out = set(profiles.profiles["recommended"].get("leaves_out", ()))
    assert profiles.rules(rules, "recommended") == [rule for rule in rules if rule.id not in left_out]


def test_a_pinned_profile_does_not_change() -> None:
    """A rule of a later version is outside, and a severity that was changed later is still the former one."""
    old = next(rule for rule in load_rules() if rule.since == "0.1.0" and rule.severity == "error")
    new = next(rule for rule in load_rules() if rule is not old)
    object.__setattr__(new, "since", "0.1.1")
    profiles = Profiles({"recommended": {}, "minimal": {"severities": ["error"]}}, {old.id: {"0.1.4": "info"}})
    pinned = profiles.rules([old, new], "recommended@0.1")
    assert [(rule.id, rule.severity) for rule in pinned] == [(old.id, "info")]
    assert profiles.rules([old], "minimal@0.1") == []
    assert profiles.rules([old, new], "recommended") == [old, new]
    with pytest.raises(LintmdbError, match="is newer than this lintmdb"):
        profiles.rules([old], "recommended@7.1")


def test_profile_option(lintmdb: Run, tmp_path: Path) -> None:
    """--profile wins over a selection of the file; strict also fails on what is undecided."""
    (tmp_path / "lintmdb.toml").write_text("select = ['MDB104']\n")
    shallow = scenario_folder("backout-shallow")
    assert "MDB109" not in lintmdb("check", shallow, "--profile", "minimal", cwd=tmp_path).stdout
    assert "MDB109" in lintmdb("check", shallow, "--profile", "recommended@0.1", cwd=tmp_path).stdout
    assert lintmdb("check", FIXTURES / "incomplete-mq", "--profile", "strict", cwd=tmp_path).returncode == 4
    both = lintmdb("check", shallow, "--profile", "strict", "--select", "MDB1", cwd=tmp_path)
    assert both.returncode == 2
    assert "Use one of them" in both.stderr


def test_a_link_to_the_folder_of_an_environment_is_in_it(lintmdb: Run, tmp_path: Path) -> None:
    """Its findings have the environment's fingerprints, whichever of the two paths the configuration names."""
    shutil.copytree(FIXTURES / "backout-inert", tmp_path / "exports" / "prod")
    (tmp_path / "link").symlink_to(tmp_path / "exports" / "prod")
    for named in ("exports/prod", "link"):
        (tmp_path / "lintmdb.toml").write_text(f"[environments]\nprod = '{named}'\n")
        for path in ("exports/prod", "link", "link/mq/QM1.mqsc"):
            more = ["link/was"] if path.endswith("mqsc") else []
            report = json.loads(lintmdb("check", path, *more, "--format", "json", cwd=tmp_path).stdout)
            assert {finding["subject"]["environment"] for finding in report["findings"]} == {"prod"}


def test_a_link_to_a_file_of_an_environment_is_in_it(lintmdb: Run, tmp_path: Path) -> None:
    """Although the folder of the link is in none."""
    shutil.copytree(FIXTURES / "backout-inert", tmp_path / "exports" / "prod")
    (tmp_path / "lintmdb.toml").write_text("[environments]\nprod = 'exports/prod'\n")
    (tmp_path / "links").mkdir()
    (tmp_path / "links" / "QM1.mqsc").symlink_to(tmp_path / "exports" / "prod" / "mq" / "QM1.mqsc")
    report = json.loads(lintmdb("check", "links/QM1.mqsc", "exports/prod/was", "--format", "json", cwd=tmp_path).stdout)
    assert {finding["subject"]["environment"] for finding in report["findings"]} == {"prod"}


def test_environments_and_owners(lintmdb: Run, tmp_path: Path) -> None:
    """Environments are folders or patterns beside the file; owners are found table by table."""
    for name in ("dev", "prod"):
        shutil.copytree(FIXTURES / "all-families", tmp_path / "exports" / name)
    (tmp_path / "lintmdb.toml").write_text(
        "inputs = ['exports']\n[environments]\ndev = 'exports/dev'\nprod = ['exports/pro?']\n"
        "[owners.cells]\n'prod/*' = 'cell team'\n[owners.environments]\ndev = 'developers'\n'*' = 'operators'\n"
    )
    plan = json.loads(lintmdb("plan", "--format", "json", cwd=tmp_path).stdout)
    owners = {(entry["environment"], entry["product"], entry["owner"]) for entry in plan["changes"]}
    assert owners == {
        ("dev", "mq", "developers"),
        ("dev", "was", "developers"),
        ("prod", "mq", "operators"),
        ("prod", "was", "cell team"),
    }


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("dev = 'a'\nprod = 'a'", "a is in several environments: dev, prod"),
        ("dev = 'a/**'", "has **"),
        ("'my dev' = 'a'", "my dev"),
    ],
)
def test_wrong_environments(lintmdb: Run, tmp_path: Path, text: str, message: str) -> None:
    """What cannot be an environment is a usage error."""
    (tmp_path / "lintmdb.toml").write_text(f"[environments]\n{text}\n")
    run = lintmdb("check", FIXTURES / "clean", cwd=tmp_path)
    assert run.returncode == 2
    assert message in run.stderr


def test_the_example_of_the_docs() -> None:
    """docs/configuration.md shows docs/lintmdb.toml, and its table has every setting and no other."""
    page = (ROOT / "docs" / "configuration.md").read_text()
    assert f"```toml\n{(ROOT / 'docs' / 'lintmdb.toml').read_text()}```" in page
    table = page[page.index("## Keys") : page.index("## Suppressions")]
    keys = {key for row in re.findall(r"^\| (`.*?) \|", table, re.MULTILINE) for key in re.findall(r"`([a-z-]+)`", row)}
    assert keys == set(DEFAULTS)


def test_all_errors_of_a_file_are_told_at_once(lintmdb: Run, tmp_path: Path) -> None:
    """Each with its line: whoever mends one has not to start again for the next."""
    (tmp_path / "lintmdb.toml").write_text('fail-on = "eror"\nstrct = true\n[plan]\nbackout-threshold = 1\n')
    result = lintmdb("config", "check", cwd=tmp_path)
    assert result.returncode == 2
    lines = result.stderr.splitlines()
    assert [line.split(": ")[1] for line in lines] == ["lintmdb.toml:2", "lintmdb.toml:1", "lintmdb.toml:4"]
    assert "Did you mean strict?" in lines[0]


def test_a_product_that_is_required(lintmdb: Run, tmp_path: Path) -> None:
    """A run without any export of it fails with 4, from the command line and from the file; with findings it is 1."""
    was = FIXTURES / "incomplete-mq"
    loose = lintmdb("check", was, cwd=tmp_path)
    assert loose.returncode == 0
    assert loose.stdout.splitlines()[1].startswith("Missing   every IBM MQ export")
    asked = lintmdb("check", was, "--require", "mq,was", cwd=tmp_path)
    assert asked.returncode == 4
    assert asked.stdout.startswith("Gate      fails: no IBM MQ export was read, and one is required\n")
    (tmp_path / "lintmdb.toml").write_text('require = ["mq"]\n')
    assert lintmdb("check", was, cwd=tmp_path).returncode == 4
    assert lintmdb("check", FIXTURES / "clean", cwd=tmp_path).returncode == 0
    assert lintmdb("check", INERT, cwd=tmp_path).returncode == 1
    assert lintmdb("check", was, "--require", "db2", cwd=tmp_path).returncode == 2


def test_a_product_is_required_in_each_environment(lintmdb: Run, tmp_path: Path) -> None:
    """Endpoints of an environment meet its own queue managers alone: one beside it is none of them."""
    exports = shutil.copytree(FIXTURES / "clean", tmp_path / "exports")
    asked = ("check", "--require", "mq,was", "--environment", f"prod={exports / 'was'}")
    beside = lintmdb(*asked, exports / "mq", cwd=tmp_path)
    assert beside.returncode == 4
    assert "fails: no IBM MQ export of environment prod was read, and one is required\n" in beside.stdout
    for extra in (f"prod={exports / 'mq'}", f"test={exports / 'mq'}"):
        told = lintmdb(*asked, "--environment", extra, cwd=tmp_path)
        assert told.returncode == (0 if extra.startswith("prod") else 4), told.stdout
    assert "no WebSphere export of environment test was read" in " ".join(told.stdout.split())


@pytest.mark.parametrize("key", ["on-message", "on_message"])
def test_keys_have_one_spelling_and_the_old_one_still_counts(lintmdb: Run, tmp_path: Path, key: str) -> None:
    """on-message is spelled as fail-on is; a file with underscores keeps its meaning, and errors keep their line."""
    (tmp_path / "lintmdb.toml").write_text(f"[observations]\n{key} = 15\n")
    assert "onMessage" not in lintmdb("check", FIXTURES / "clean", cwd=tmp_path).stdout
    (tmp_path / "lintmdb.toml").write_text(f"[observations]\n\n{key} = 'soon'\n")
    assert "lintmdb.toml:3: observations.on_message" in lintmdb("check", FIXTURES / "clean", cwd=tmp_path).stderr
