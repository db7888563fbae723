"""What a team lays down for plans in lintmdb.toml, and what options say instead."""

from __future__ import annotations

import functools
import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from lintmdb.engine.judge import judge
from lintmdb.plan.bounds import Way, lowest_cost
from lintmdb.plan.naming import named_thing
from lintmdb.plan.policy import Kept, Policy, parse_keep, price
from lintmdb.plan.single_values import settings_of
from lintmdb.resolve.observations import Observations
from lintmdb.run.estate import read_exports, resolve_exports
from lintmdb.run.owners import Owners
from lintmdb.settings.changes import Assignment, Target
from tests.support.command import Run, run_here
from tests.support.dumps import WHOLE
from tests.support.project import FIXTURES
from tests.support.scenario_folders import scenario_folder

_ESTATE = FIXTURES / "estate"
_POLICY = """[plan]
keep = ["queue PAYMENTS.* at QM1"]
severity = "error"
backout-threshold = 5
backout-name = "BO.{queue}"
dead-letter-name = "DLQ.{queue_manager}"
[plan.owners]
"QM*" = "mq-team@example.com"
"cell PROD*" = "WebSphere operations"
"""


def _planned(lintmdb: Run, folder: Path, *options: str) -> dict[str, Any]:
    result = lintmdb("plan", _ESTATE, "--format", "json", *options, cwd=folder)
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


def _values(document: dict[str, Any], attribute: str) -> set[str]:
    return {change["new"] for change in document["changes"] if change.get("attribute") == attribute}


def _defined(document: dict[str, Any]) -> set[str]:
    return {change["name"] for change in document["changes"] if change["change"] == "define"}


def test_the_threshold_and_the_names_of_a_team(lintmdb: Run, tmp_path: Path) -> None:
    """Queues without a threshold get the team's, and new backout queues are called as the team calls them."""
    (tmp_path / "lintmdb.toml").touch()
    plain = _planned(lintmdb, tmp_path)
    (tmp_path / "lintmdb.toml").write_text(_POLICY)
    own = _planned(lintmdb, tmp_path)
    assert (_values(plain, "BOTHRESH"), _values(own, "BOTHRESH")) == ({"3"}, {"5"})
    assert _defined(plain) == {"LETTERS.IN.BACKOUT"}
    assert _defined(own) == {"BO.LETTERS.IN"}


def test_the_name_of_a_new_dead_letter_queue(lintmdb: Run, tmp_path: Path) -> None:
    """It is that of the team, and the rights on it are those of its profile."""
    (tmp_path / "lintmdb.toml").write_text(_POLICY)
    (tmp_path / "QM7.mqsc").write_text(
        f"* Queue manager name: QM7\n* Command issued: dmpmqcfg -m QM7 -a\nALTER QMGR DEADQ(' ')\n"
        f"DEFINE QLOCAL(A.IN) BOTHRESH(3) BOQNAME(A.BO)\nDEFINE QLOCAL(A.BO)\n{WHOLE}"
    )
    result = lintmdb(
        "plan", tmp_path / "QM7.mqsc", "--all-queues", "--severity", "warning", "--format", "json", cwd=tmp_path
    )
    document = json.loads(result.stdout)
    assert _defined(document) == {"DLQ.QM7"}
    assert _values(document, "DEADQ") == {"DLQ.QM7"}


def test_check_advises_what_plan_would_do(lintmdb: Run, tmp_path: Path) -> None:
    """The fix of a finding says the team's threshold, too."""
    (tmp_path / "lintmdb.toml").write_text("[plan]\nbackout-threshold = 7\n")
    assert "BOTHRESH(7)" in lintmdb("check", _ESTATE, "-v", cwd=tmp_path).stdout


def test_owners_are_told_by_place(lintmdb: Run, tmp_path: Path) -> None:
    """The plan names the owner of each queue manager and cell."""
    (tmp_path / "lintmdb.toml").write_text(_POLICY)
    text = lintmdb("plan", _ESTATE, cwd=tmp_path).stdout
    assert "queue manager QM1, owned by mq-team@example.com (mq/QM1.mqsc)\n" in text
    assert "cell PRODCELL, owned by WebSphere operations (was/PRODCELL.py)\n" in text
    owners = {(change["product"], change["owner"]) for change in _planned(lintmdb, tmp_path)["changes"]}
    assert owners == {("mq", "mq-team@example.com"), ("was", "WebSphere operations")}


def test_the_first_owner_that_fits_counts() -> None:
    """A queue manager and a cell may have one name: a pattern may say which it means."""
    policy = Policy(
        owners=Owners(
            (
                ("cell P1", "a"),
                ("queue manager *", "b"),
                ("*", "c"),
            )
        )
    )
    places = [Target("was", "P1", "thread_pool", "x"), Target("mq", "P1", "QMGR", "P1"), Target("was", "P2", "x", "x")]
    assert [policy.owner(place) for place in places] == ["a", "b", "c"]
    assert Policy().owner(places[0]) == ""


def test_one_owner_of_two_places_agrees_once() -> None:
    """Cost counts owners first: two queue managers of one team are cheaper than two of different teams."""
    changes = [
        Assignment(Target("mq", name, "QLOCAL", "Q"), "queue.backout_threshold", "BOTHRESH", "3") for name in ("A", "B")
    ]
    one, two = (
        Policy(owners=Owners((("*", "team"),))),
        Policy(
            owners=Owners(
                (
                    ("A", "x"),
                    ("B", "y"),
                )
            )
        ),
    )
    assert [price(changes, 0, policy).owners for policy in (one, two, Policy())] == [1, 2, 2]
    needs = [[Way(0, (change,))] for change in changes]
    assert [lowest_cost((), 0, needs, policy).owners for policy in (one, two, Policy())] == [1, 2, 2]


def test_keep_and_severity_of_the_file_and_of_options(lintmdb: Run, tmp_path: Path) -> None:
    """What the file keeps stays, and an option replaces what the file says."""
    (tmp_path / "lintmdb.toml").write_text('[plan]\nkeep = ["queue * at QM1"]\nonly = "mq"\n')
    kept = _planned(lintmdb, tmp_path)
    assert not [change for change in kept["changes"] if change["kind"] == "QLOCAL"]
    assert kept["severity"] == "warning"
    other = _planned(lintmdb, tmp_path, "--keep", "queue PAYMENTS.* at QM1", "--severity", "error")
    assert {change["kind"] for change in other["changes"]} >= {"QLOCAL"}
    assert {change["product"] for change in other["changes"]} == {"mq"}
    assert other["severity"] == "error"


@pytest.mark.parametrize("command", [("config", "check"), ("plan", str(_ESTATE))])
def test_a_wrong_pattern_is_told_with_its_line(lintmdb: Run, tmp_path: Path, command: tuple[str, ...]) -> None:
    """The entry of the list that is wrong, and what would be right."""
    (tmp_path / "lintmdb.toml").write_text('[plan]\nkeep = [\n"queue A at QM1",\n"que B"]\n')
    result = lintmdb(*command, cwd=tmp_path)
    assert (result.returncode, result.stdout) == (2, "")
    assert "lintmdb.toml:4: 'que B' does not say what to keep. Write KIND NAME" in result.stderr


def test_a_wrong_pattern_of_an_option_has_no_line(lintmdb: Run, tmp_path: Path) -> None:
    """It is not the file's fault."""
    (tmp_path / "lintmdb.toml").write_text('[plan]\nkeep = ["queue A"]\n')
    result = lintmdb("plan", _ESTATE, "--keep", "que B", cwd=tmp_path)
    assert result.returncode == 2
    assert result.stderr.startswith("lintmdb: 'que B' does not say what to keep")
    kinds = result.stderr.partition("the kinds are ")[2].strip().split(", ")
    assert {"activation specification", "endpoint", "message listener service", "queue"} <= set(kinds)
    assert not {"listener service", "liberty queue", "mq specification property"} & set(kinds)


def test_config_show_tells_where_each_value_comes_from(lintmdb: Run, tmp_path: Path) -> None:
    """Keys of the table that the file leaves out are defaults."""
    (tmp_path / "lintmdb.toml").write_text('[plan]\nbackout-threshold = 4\n[plan.owners]\nQM1 = "ann"\n')
    shown = dict(
        line.split("#") for line in lintmdb("config", "show", cwd=tmp_path).stdout.splitlines() if "plan." in line
    )
    found = {key.strip(): source.strip() for key, source in shown.items()}
    assert found == {
        "plan.only = none": "default",
        "plan.keep = []": "default",
        'plan.severity = "warning"': "default",
        "plan.backout-threshold = 4": "lintmdb.toml:2",
        'plan.backout-name = "{queue}.BACKOUT"': "default",
        'plan.dead-letter-name = "{queue_manager}.DEAD"': "default",
        'plan.owners.QM1 = "ann"': "lintmdb.toml:4",
    }


@pytest.mark.parametrize(
    ("text", "kind", "name"),
    [
        ("queue manager QM1", "queue manager", "QM1"),
        ("queue manager", "queue", "manager"),
        ("activation specification OrdersAS", "activation specification", "OrdersAS"),
        ("connection pool of X", "connection pool", "of X"),
    ],
)
def test_the_longest_kind_of_what_is_kept_counts(text: str, kind: str, name: str) -> None:
    """Kinds of two words are read whole."""
    assert parse_keep(text) == Kept(kind, name, "")


@pytest.mark.parametrize(
    ("text", "place", "attribute"),
    [
        ("endpoint A/b/C at liberty:s1", "liberty:s1", ""),
        ("endpoint A/b/C at liberty:s1: autoStart", "liberty:s1", "autoStart"),
        ("endpoint A/b/C at prod/liberty:s1:autoStart", "prod/liberty:s1", "autoStart"),
        ("endpoint A/b/C at liberty: autoStart", "liberty", "autoStart"),
        ("queue Q at QM1:BOTHRESH", "QM1", "BOTHRESH"),
    ],
)
def test_the_cell_of_a_liberty_server_has_a_colon(text: str, place: str, attribute: str) -> None:
    """And what comes behind the other colon is an attribute."""
    assert parse_keep(text)[2:] == (place, attribute)
    assert str(parse_keep(text)).replace(" ", "") == text.replace(" ", "")


@pytest.mark.parametrize("attribute", ["", ": maxSequentialDeliveryFailures"])
@pytest.mark.parametrize("place", ["liberty:shop", "shop"])
def test_an_endpoint_of_liberty_stays(place: str, attribute: str) -> None:
    """By the cell that reports print, and by the server."""
    name = "Shop/orders/EarlyBean"
    assert name in _changed()
    assert _changed("--keep", f"activation specification {name} at {place}{attribute}") == _changed() - {name}


@functools.cache
def _changed(*arguments: str) -> frozenset[str]:
    result = run_here("plan", scenario_folder("liberty"), *arguments, "--format", "json")
    assert result.returncode == 0, result.stderr
    return frozenset(change["name"] for change in json.loads(result.stdout)["changes"])


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("queue LETERS.IN at QM1", "Did you mean 'queue LETTERS.IN at QM1'"),
        ("queue LETERS.IN", "Did you mean 'queue LETTERS.IN at QM1'"),
        ("queue LETTERS.IN at PRODCELL", "Did you mean 'queue LETTERS.IN at QM1'"),
        ("queue LETTERS.IN at QM1: BOTRESH", "a plan does not change BOTRESH there. Did you mean BOTHRESH?"),
        ("channel ZZZ", "the exports have no such object. They have channel WAS.SVRCONN at QM1, channel "),
        ("server ZZZ", "They have server node1/shop1, server node2/claims, server node2/shop2\n"),
        ("remote queue ZZZ", "They have no remote queue that a plan could change"),
    ],
)
def test_what_keeps_nothing_is_told(lintmdb: Run, tmp_path: Path, text: str, says: str) -> None:
    """An option is an error; an entry of a file, which may be meant for other exports, is a notice with its line."""
    option = lintmdb("plan", _ESTATE, "--keep", text, cwd=tmp_path)
    assert (option.returncode, option.stdout) == (2, "")
    assert f"{text!r} keeps nothing: " in option.stderr
    assert says in option.stderr
    (tmp_path / "lintmdb.toml").write_text(f'[plan]\nkeep = ["queue LETTERS.IN", {json.dumps(text)}]\n')
    entry = lintmdb("plan", _ESTATE, cwd=tmp_path)
    assert (entry.returncode, entry.stderr.count("keeps nothing")) == (0, 1)
    assert entry.stderr.startswith("lintmdb: lintmdb.toml:2: ")
    assert says in entry.stderr


@pytest.mark.parametrize("folder", [_ESTATE, FIXTURES / "stop-3-sessions-5-bothresh-5", scenario_folder("liberty")])
def test_what_exists_and_needs_no_change_is_not_told(lintmdb: Run, tmp_path: Path, folder: Path) -> None:
    """Every object and attribute that a repair could ever change, and every queue, by the words that plans print."""
    facts = resolve_exports(read_exports([folder]), Observations()).facts
    heads = judge(facts, []).flows
    words = {f"{named_thing(target)}{end}" for _, setting, target in settings_of(heads)
             for end in ("", f": {setting.attribute}", f": {setting.label or setting.attribute}")}  # fmt: skip
    words |= {f"queue {row.name} at {row.queue_manager}" for row in facts.rows["queue_name"]}
    assert len(words) > 10
    (tmp_path / "lintmdb.toml").write_text(f"[plan]\nkeep = {json.dumps(sorted(words))}\n")
    assert lintmdb("plan", folder, cwd=tmp_path).stderr == ""


def test_a_server_stays_with_its_listener_ports() -> None:
    """Who forbids changes of a server means all that it holds; other servers are not meant."""
    port = Target("was", "C1", "listener_port", "LP1", "/Node:n1/Server:s1/")
    change = Assignment(port, "endpoint.failure_threshold", "maxRetries", "6")
    for words in ("server s1 at C1", "listener port LP1 of s1 at C1", "listener port LP1 at s1"):
        assert parse_keep(words).covers(change)
    for words in ("server s2 at C1", "listener port LP1 of s2 at C1", "listener port LP1 at s2"):
        assert not parse_keep(words).covers(change)


def test_objects_are_kept_by_the_words_that_a_plan_prints() -> None:
    """And by those that the documentation uses."""
    target = Target("was", "C1", "mq_specification", "OrdersAS")
    change = Assignment(target, "endpoint.stop_on_failure", "stopEndpointIfDeliveryFails", "false")
    for words in ("activation specification", "endpoint", "mq specification"):
        assert Kept(words, "Orders*", "C1").covers(change)
    assert not Kept("listener port", "Orders*", "C1").covers(change)


def test_an_attribute_that_stays_asks_for_the_other_choice(lintmdb: Run, tmp_path: Path) -> None:
    """A plan names the choice that owners have and the option that asks for it, which works as printed."""
    printed = lintmdb("plan", FIXTURES / "stop-3-sessions-5-bothresh-5", cwd=tmp_path).stdout
    (option,) = [line.strip() for line in printed.splitlines() if line.strip().startswith("--keep")]
    words = shlex.split(option)
    chosen = lintmdb("plan", FIXTURES / "stop-3-sessions-5-bothresh-5", *words, "--format", "json", cwd=tmp_path)
    (change,) = json.loads(chosen.stdout)["changes"]
    assert (change["attribute"], change["new"]) == ("failureDeliveryCount", "26")


def test_check_shows_the_choice_of_the_owners(lintmdb: Run, tmp_path: Path) -> None:
    """Below the change that the plan prefers, with its condition."""
    lines = lintmdb("check", FIXTURES / "stop-3-sessions-5-bothresh-5", cwd=tmp_path).stdout.splitlines()
    (place,) = [number for number, line in enumerate(lines) if line.startswith("  or ")]
    assert "must still stop" in lines[place]
    assert lines[place + 2].endswith("3 -> 26")


def test_another_plan_is_not_replaced_in_silence(lintmdb: Run, tmp_path: Path) -> None:
    """Files that no plan wrote stay, the same plan again says nothing, and a folder without a plan is refused."""
    exports, out = FIXTURES / "stop-3-sessions-5-bothresh-5", tmp_path / "plan"
    keep = "activation specification OrdersAS: stopEndpointIfDeliveryFails"
    assert lintmdb("plan", exports, "--out", out).stderr == ""
    (out / "mq").mkdir()
    (out / "mq" / "notes.txt").write_text("mine")
    assert lintmdb("plan", exports, "--out", out).stderr == ""
    assert "the scripts of another plan in" in lintmdb("plan", exports, "--keep", keep, "--out", out).stderr
    assert (out / "mq" / "notes.txt").read_text() == "mine"
    refused = lintmdb("plan", exports, "--out", out / "mq")
    assert refused.returncode == 2
    assert "exists and contains no plan. Name a new folder" in refused.stderr


def test_an_option_that_the_policy_rules_out_is_told_as_kept(lintmdb: Run) -> None:
    """What stays names what would end it, and the entry that keeps the object as it is."""
    kept = "queue LETTERS.* at QM1"
    text = lintmdb("plan", FIXTURES / "all-families", "--keep", kept).stdout
    assert re.search(
        rf"^          QM1  LETTERS\.IN +BOTHRESH 0 -> 3  MDB101\n  kept    {re.escape(kept)}$", text, re.MULTILINE
    )
    assert "  kept  " not in lintmdb("plan", FIXTURES / "all-families").stdout
