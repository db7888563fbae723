"""check --all-queues judges the rights of the user who reads, where observations name one."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.support.command import Run

_DUMP = """* Queue manager name: QM7
* Queue manager platform: UNIX
* Command issued: dmpmqcfg -m QM7 -a
ALTER QMGR DEADQ('QM7.DEAD') MAXMSGL(104857600) FORCE
DEFINE QLOCAL('QM7.DEAD') MAXMSGL(104857600) REPLACE
DEFINE QLOCAL('NO.PUT') BOTHRESH(3) BOQNAME('NO.PUT.BO') REPLACE
DEFINE QLOCAL('NO.PUT.BO') REPLACE
DEFINE QLOCAL('NO.SETALL') BOTHRESH(3) BOQNAME('NO.SETALL.BO') REPLACE
DEFINE QLOCAL('NO.SETALL.BO') REPLACE
DEFINE QLOCAL('NO.GET') BOTHRESH(3) BOQNAME('NO.SETALL.BO') REPLACE
DEFINE QLOCAL('NO.BROWSE') BOTHRESH(3) BOQNAME('NO.SETALL.BO') REPLACE
SET AUTHREC PROFILE(self) GROUP('apps') OBJTYPE(QMGR) AUTHADD(CONNECT,INQ)
SET AUTHREC PROFILE('NO.PUT') GROUP('apps') OBJTYPE(QUEUE) AUTHADD(GET,BROWSE,INQ)
SET AUTHREC PROFILE('NO.SETALL') GROUP('apps') OBJTYPE(QUEUE) AUTHADD(GET,BROWSE,INQ)
SET AUTHREC PROFILE('NO.GET') GROUP('apps') OBJTYPE(QUEUE) AUTHADD(BROWSE,INQ)
SET AUTHREC PROFILE('NO.BROWSE') GROUP('apps') OBJTYPE(QUEUE) AUTHADD(GET,INQ)
SET AUTHREC PROFILE('NO.SETALL.BO') GROUP('apps') OBJTYPE(QUEUE) AUTHADD(PUT,PASSALL,GET,INQ)
* Script ended on 2026-03-06   at 09.14.05
"""
_RIGHTS = ("MDB113", "MDB119", "MDB125", "MDB127", "MDB139")
_USER = "user: appuser\n"
_GROUPS = "users:\n  - user: appuser\n    groups: [apps]\n"


def _report(lintmdb: Run, folder: Path, observed: str, dump: str = _DUMP) -> dict[str, Any]:
    (folder / "QM7.mqsc").write_text(dump)
    options: list[object] = []
    if observed:
        (folder / "observed.yaml").write_text(observed)
        options = ["--observations", folder / "observed.yaml"]
    return json.loads(lintmdb("check", folder / "QM7.mqsc", "--all-queues", "--format", "json", *options).stdout)


def _of_rights(entries: Sequence[dict[str, Any]]) -> set[tuple[str, str]]:
    return {(e["rule"], e["subject"]["name"]) for e in entries if e["rule"] in _RIGHTS}


def test_a_queue_is_judged_as_read_by_the_observed_user(lintmdb: Run, tmp_path: Path) -> None:
    """What the user lacks on the queue, on its backout queue and on the dead-letter queue is found, and the messages
    name no endpoint.
    """
    report = _report(lintmdb, tmp_path, _USER + _GROUPS)
    assert _of_rights(report["findings"]) == {
        ("MDB113", "NO.PUT"),
        ("MDB125", "NO.PUT"),
        ("MDB119", "NO.SETALL"),
        ("MDB119", "NO.GET"),
        ("MDB119", "NO.BROWSE"),
        ("MDB127", "NO.GET"),
    }
    messages = {f["rule"]: f["message"] for f in report["findings"]}
    lacks = "User appuser lacks put and passall authority on NO.PUT.BO, so a poison message cannot be moved there"
    assert messages["MDB113"] == lacks
    assert messages["MDB127"] == "User appuser lacks get authority on NO.GET, so it receives nothing"
    assert "alias" not in next(f["fix"] for f in report["findings"] if f["rule"] == "MDB127")
    (fix,) = [f["fix"] for f in report["findings"] if f["rule"] == "MDB113"]
    assert fix.startswith("SET AUTHREC PROFILE('NO.PUT.BO') OBJTYPE(QUEUE) GROUP('apps') AUTHADD(PUT,PASSALL,")


def test_a_missing_right_is_found_where_its_queue_is(lintmdb: Run, tmp_path: Path) -> None:
    """The rights that the user has are no evidence: connect authority has the first line of a dump as its place."""
    report = _report(lintmdb, tmp_path, _USER + _GROUPS)
    (place,) = [found["location"] for found in report["findings"] if found["rule"] == "MDB127"]
    assert "NO.GET" in (tmp_path / "QM7.mqsc").read_text().splitlines()[place["line"] - 1]


def test_only_some_clients_need_to_browse(lintmdb: Run, tmp_path: Path) -> None:
    """WebSphere does in ASF mode, and nothing says that WebSphere reads the queue."""
    report = _report(lintmdb, tmp_path, _USER + _GROUPS)
    assert {(e["rule"], e["subject"]["name"], e["needs"]) for e in report["undecided"]} == {
        ("MDB127", "NO.BROWSE", "whether what reads NO.BROWSE browses it first, as WebSphere does in ASF mode")
    }


@pytest.mark.parametrize(("threshold", "fate"), [(3, "moved_to_backout_queue"), (0, "loops_forever")])
def test_who_may_get_is_not_shut_out(lintmdb: Run, tmp_path: Path, threshold: int, fate: str) -> None:
    """A user that may get and not browse has the messages of an ordinary client; whether the program browses is what
    stays undecided.
    """
    dump = _ONE_READER.replace("BOTHRESH(3)", f"BOTHRESH({threshold})")
    report = _report(lintmdb, tmp_path, "queues: [{queue: P.IN, user: appa}]\n" + _NO_GROUPS, dump)
    assert [each["fate"] for queue in report["queues"] for each in queue["fates"]] == [fate]
    assert [e["rule"] for e in report["undecided"]] == ["MDB127"]
    plan = _plan(lintmdb, tmp_path)
    assert [change["change"] for change in plan["changes"]] == ([] if threshold else ["set"])


_ONE_READER = """* Queue manager name: QM7
* Queue manager platform: UNIX
* Command issued: dmpmqcfg -m QM7 -a
ALTER QMGR DEADQ('QM7.DEAD') MAXMSGL(104857600) FORCE
DEFINE QLOCAL('QM7.DEAD') MAXMSGL(104857600) REPLACE
DEFINE QLOCAL('P.IN') BOTHRESH(3) BOQNAME('P.BO') REPLACE
DEFINE QLOCAL('P.BO') REPLACE
SET AUTHREC PROFILE(self) PRINCIPAL('appa') OBJTYPE(QMGR) AUTHADD(CONNECT,INQ)
SET AUTHREC PROFILE('P.IN') PRINCIPAL('appa') OBJTYPE(QUEUE) AUTHADD(GET,INQ)
SET AUTHREC PROFILE('P.BO') PRINCIPAL('appa') OBJTYPE(QUEUE) AUTHADD(GET,INQ,PUT,PASSALL,SETALL)
* Script ended on 2026-03-06   at 09.14.05
"""


_BEHIND = "SET AUTHREC PROFILE('P.IN') PRINCIPAL('appa') OBJTYPE(QUEUE) AUTHADD(INQ)\n"
_BY_ALIAS = _ONE_READER.replace(
    "SET AUTHREC PROFILE('P.IN')",
    f"DEFINE QALIAS('A.IN') TARGET('P.IN') REPLACE\n{_BEHIND}SET AUTHREC PROFILE('A.IN')",
)


@pytest.mark.parametrize(
    "named",
    [
        "queues: [{queue: A.IN, user: appa}]\n",
        "queues: [{queue: A.*, user: appa}, {queue: P.*, user: appb}]\n",
        "queues: [{queue: P.IN, user: appa}]\n",
        "queues: [{queue: '*.IN', user: appa}]\n",
        "user: appa\n",
        "queue_managers: [{queue_manager: QM7, user: appa}]\n",
    ],
)
def test_the_rights_on_the_name_that_is_opened_count(lintmdb: Run, tmp_path: Path, named: str) -> None:
    """Who has no right on a queue, and may get from an alias of it, opens the alias."""
    dump = _BY_ALIAS.replace("AUTHADD(GET,INQ)", "AUTHADD(GET,BROWSE,INQ)")
    report = _report(lintmdb, tmp_path, named + _NO_GROUPS, dump)
    assert _of_rights([*report["findings"], *report["undecided"]]) == set()
    assert [each["fate"] for queue in report["queues"] for each in queue["fates"]] == ["moved_to_backout_queue"]
    assert [each["text"] for each in report["notices"] if "appb" not in each["text"]] == []
    assert _plan(lintmdb, tmp_path)["changes"] == []


@pytest.mark.parametrize("named", ["A.IN", "P.IN"])
def test_no_plan_grants_the_queue_behind_an_alias(lintmdb: Run, tmp_path: Path, named: str) -> None:
    """What a user lacks on the alias is granted there."""
    dump = _BY_ALIAS.replace("AUTHADD(GET,INQ)", "AUTHADD(GET,BROWSE)")
    report = _report(lintmdb, tmp_path, f"queues: [{{queue: {named}, user: appa}}]\n" + _NO_GROUPS, dump)
    (finding,) = report["findings"]
    assert finding["subject"]["name"] == "P.IN"
    assert finding["message"] == "User appa lacks inq authority on A.IN, so it receives nothing"
    assert [(change["name"], change["rights"]) for change in _plan(lintmdb, tmp_path)["changes"]] == [("A.IN", ["INQ"])]


def test_a_loop_is_told_of_what_is_moved(lintmdb: Run, tmp_path: Path) -> None:
    """Whoever may not put messages on a backout queue that leads back moves none there."""
    dump = _ONE_READER.replace("BOQNAME('P.BO')", "BOQNAME('P.IN')").replace(
        "AUTHADD(GET,INQ)", "AUTHADD(GET,BROWSE,INQ)"
    )
    report = _report(lintmdb, tmp_path, "queues: [{queue: P.IN, user: appa}]\n" + _NO_GROUPS, dump)
    (message,) = [each["message"] for each in report["findings"] if each["rule"] == "MDB106"]
    assert message.endswith("so a poison message that is moved there comes back")
    assert "loops_forever" not in [each["fate"] for queue in report["queues"] for each in queue["fates"]]


@pytest.mark.parametrize("named", ["A.IN", "P.IN"])
@pytest.mark.parametrize("threshold", [3, 0])
def test_the_threshold_behind_an_alias_is_looked_up_there(
    lintmdb: Run, tmp_path: Path, named: str, threshold: int
) -> None:
    """Who lacks inq on the queue behind an alias gets messages, and no threshold acts on them."""
    dump = _BY_ALIAS.replace("AUTHADD(GET,INQ)", "AUTHADD(GET,BROWSE,INQ)").replace(_BEHIND, "")
    dump = dump.replace("BOTHRESH(3)", f"BOTHRESH({threshold})")
    report = _report(lintmdb, tmp_path, f"queues: [{{queue: {named}, user: appa}}]\n" + _NO_GROUPS, dump)
    told = {each["message"] for each in report["findings"] if each["rule"] in _RIGHTS}
    lacks = "User appa lacks inq authority on P.IN, the queue behind A.IN, so BOTHRESH(3) cannot act"
    assert told == ({lacks} if threshold else set())
    assert [each["fate"] for queue in report["queues"] for each in queue["fates"]] == ["loops_forever"]
    if threshold:
        (change,) = _plan(lintmdb, tmp_path)["changes"]
        assert (change["name"], change["rights"]) == ("P.IN", ["INQ"])


def test_a_right_on_the_queue_goes_before_one_on_an_alias(lintmdb: Run, tmp_path: Path) -> None:
    """Whoever may get from both opens the queue, as far as anybody knows."""
    dump = _BY_ALIAS.replace(_BEHIND, "").replace(
        "SET AUTHREC PROFILE('A.IN')",
        "SET AUTHREC PROFILE('P.IN') PRINCIPAL('appa') OBJTYPE(QUEUE) AUTHADD(GET)\nSET AUTHREC PROFILE('A.IN')",
    )
    report = _report(lintmdb, tmp_path, "queues: [{queue: P.IN, user: appa}]\n" + _NO_GROUPS, dump)
    assert [f["message"] for f in report["findings"]] == [
        "User appa lacks inq and browse authority on P.IN, so it receives nothing"
    ]


def test_the_fate_is_not_that_of_who_is_hardly_the_reader(lintmdb: Run, tmp_path: Path) -> None:
    """Who is named for a whole queue manager and may not read a queue there has none of its messages: they have the
    fate that they have where nobody is named.
    """
    dump = _TEAMS.replace("BOQNAME('B.BO')", "BOQNAME('B.IN')")
    report = _report(lintmdb, tmp_path, "user: appa\n" + _NO_GROUPS, dump)
    fates = {queue["subject"]["name"]: queue["fates"][0]["fate"] for queue in report["queues"]}
    assert fates == {"A.IN": "moved_to_backout_queue", "B.IN": "loops_forever"}
    assert {f["rule"] for f in report["findings"] if f["subject"]["name"] == "B.IN"} == {"MDB106", "MDB127"}
    asked = (tmp_path / "QM7.mqsc", "--all-queues", "--observations", tmp_path / "observed.yaml")
    shown = " ".join(lintmdb("check", *asked).stdout.split())
    assert "A poison message is delivered again and again, without end." in shown
    assert "nothing is delivered" not in shown
    plan = " ".join(lintmdb("plan", *asked).stdout.split())
    assert "loops for ever -> moved to the backout queue" in plan
    assert "already stopped" not in plan


def test_the_fate_is_that_of_the_users_messages(lintmdb: Run, tmp_path: Path) -> None:
    """The report says whose they are, and what they come to with the rights of that user."""
    _report(lintmdb, tmp_path, _USER + _GROUPS)
    result = lintmdb("check", tmp_path / "QM7.mqsc", "--all-queues", "--observations", tmp_path / "observed.yaml")
    shown = " ".join(result.stdout.split())
    assert "Queues 4: for a JMS client that never gives up and connects as appuser, a poison message is lost" in shown
    assert "User appuser" in " ".join(
        lintmdb(
            "check", tmp_path / "QM7.mqsc", "--all-queues", "--observations", tmp_path / "observed.yaml", "-v"
        ).stdout.split()
    )


def test_without_its_groups_the_rights_of_a_user_are_undecided(lintmdb: Run, tmp_path: Path) -> None:
    """And so it is said what would settle them."""
    report = _report(lintmdb, tmp_path, _USER)
    assert _of_rights(report["findings"]) == set()
    assert {e["needs"] for e in report["undecided"]} == {"the groups and authorities of user appuser at QM7"}
    assert {e["rule"] for e in report["undecided"]} == {"MDB113", "MDB119", "MDB125", "MDB127"}
    asked = ("check", tmp_path / "QM7.mqsc", "--all-queues", "--observations", tmp_path / "observed.yaml")
    assert "Say which groups the user is in, under users in --observations FILE\n" in lintmdb(*asked).stdout


def test_records_that_the_dump_lacks_are_what_is_asked_for(lintmdb: Run, tmp_path: Path) -> None:
    """Every queue manager has authority records of its own. Without them no groups tell who may connect."""
    dump = "".join(line for line in _DUMP.splitlines(keepends=True) if "OBJTYPE(QMGR)" not in line)
    report = _report(lintmdb, tmp_path, _USER + _GROUPS, dump)
    assert {(e["rule"], e["needs"]) for e in report["undecided"]} == {
        ("MDB127", "the authority records of queue manager QM7 itself (OBJTYPE(QMGR)), which its export does not show")
    }
    shown = lintmdb("check", tmp_path / "QM7.mqsc", "--all-queues", "--observations", tmp_path / "observed.yaml")
    assert "Add the output of: dmpmqcfg -m QM7 -a" in " ".join(shown.stdout.split())


def test_nothing_speaks_of_endpoints_where_there_are_none(lintmdb: Run, tmp_path: Path) -> None:
    """The user is named, and what reads a queue is any program."""
    _report(lintmdb, tmp_path, _USER + _GROUPS, _DUMP.replace("AUTHADD(CONNECT,INQ)", "AUTHADD(INQ)"))
    asked = (tmp_path / "QM7.mqsc", "--all-queues", "--observations", tmp_path / "observed.yaml")
    shown = " ".join(lintmdb("check", *asked).stdout.split())
    assert "User appuser may not connect to QM7. Nothing is delivered." in shown
    assert "The user may not move messages to the backout queue" in shown
    (tmp_path / "QM7.mqsc").write_text(_DUMP.replace("BOTHRESH(3)", "BOTHRESH(0)"))
    plan = " ".join(lintmdb("plan", *asked).stdout.split())
    assert "Restart what reads NO." in plan
    for text in (shown, plan):
        assert "endpoint" not in text.replace("queues that no endpoint reads", "")


def test_without_a_user_no_right_is_judged_or_asked_for(lintmdb: Run, tmp_path: Path) -> None:
    """Whoever reads is taken to have every right."""
    for observed in ("", _GROUPS):
        report = _report(lintmdb, tmp_path, observed)
        assert _of_rights(report["findings"]) == set()
        assert report["undecided"] == []


_SELF = """* Queue manager name: QM7
* Queue manager platform: UNIX
* Command issued: dmpmqcfg -m QM7 -a
ALTER QMGR DEADQ('A.IN') MAXMSGL(104857600) FORCE
DEFINE QLOCAL('A.IN') BOTHRESH(3) BOQNAME('BO') MAXMSGL(4194304) REPLACE
DEFINE QLOCAL('A.BO') REPLACE
SET AUTHREC PROFILE('A.IN') GROUP('apps') OBJTYPE(QUEUE) AUTHADD(GET,BROWSE,INQ,PUT,PASSALL)
SET AUTHREC PROFILE(self) GROUP('apps') OBJTYPE(QMGR) AUTHADD(CONNECT,INQ)
* Script ended on 2026-03-06   at 09.14.05
"""


def test_a_dead_letter_queue_to_which_its_own_poison_goes(lintmdb: Run, tmp_path: Path) -> None:
    """An error whatever the rights are; with a backout queue only where the user may not put messages there."""
    lone, moved = _SELF.replace("'BO'", "' '"), _SELF.replace("'BO'", "'A.BO'")
    report = _report(lintmdb, tmp_path, "", lone)
    (loop,) = [f for f in report["findings"] if f["rule"] == "MDB135"]
    assert loop["message"] == (
        "A.IN is the dead-letter queue of its own queue manager, and its poison messages can go nowhere else, so a "
        "poison message returns to the queue that it came from"
    )
    assert [name for name in loop["values"] if name.startswith("endpoint.user")] == []
    report = _report(lintmdb, tmp_path, "", moved)
    assert [e for e in (*report["findings"], *report["undecided"]) if e["rule"] == "MDB135"] == []
    report = _report(lintmdb, tmp_path, _USER + _GROUPS, moved)
    assert [f["rule"] for f in report["findings"] if f["severity"] == "error"] == ["MDB113", "MDB135"]


def test_each_queue_manager_has_its_own_reader(lintmdb: Run, tmp_path: Path) -> None:
    """The rights of one queue manager's user are not asked of another, and no plan grants them there."""
    for name, user in (("QM7", "appuser"), ("QM8", "legapp")):
        (tmp_path / f"{name}.mqsc").write_text(_DUMP.replace("QM7", name).replace("apps", f"of-{user}"))
    (tmp_path / "observed.yaml").write_text(
        "user: appuser\nqueue_managers: [{queue_manager: QM8*, user: legapp}]\n"
        "users: [{user: appuser, groups: [of-appuser]}, {user: legapp, groups: [of-legapp]}]\n"
    )
    asked = (tmp_path, "--all-queues", "--observations", tmp_path / "observed.yaml")
    report = json.loads(lintmdb("check", *asked, "--format", "json").stdout)
    lacking = {f["subject"]["queue_manager"]: f["message"] for f in report["findings"] if f["rule"] == "MDB127"}
    assert lacking == {
        "QM7": "User appuser lacks get authority on NO.GET, so it receives nothing",
        "QM8": "User legapp lacks get authority on NO.GET, so it receives nothing",
    }
    assert "connects as the user named for the queue (appuser, legapp), a poison" in " ".join(
        lintmdb("check", *asked).stdout.split()
    )
    plan = json.loads(lintmdb("plan", *asked, "--format", "json").stdout)
    granted = {(change["place"], change["user"]) for change in plan["changes"] if change["change"] == "grant"}
    users = {("QM7", "appuser"), ("QM7", "of-appuser"), ("QM8", "legapp"), ("QM8", "of-legapp")}
    assert granted
    assert granted <= users
    assert {place for place, _ in granted} == {"QM7", "QM8"}


def test_the_configuration_names_the_reader_of_a_queue_manager(lintmdb: Run, tmp_path: Path) -> None:
    """With the keys of the file of observations, spelled as elsewhere in the configuration."""
    dump = tmp_path / "QM7.mqsc"
    dump.write_text(_DUMP)
    (tmp_path / "lintmdb.toml").write_text(
        "all-queues = true\n[observations]\nqueue-managers = [{queue-manager = 'QM7', user = 'appuser'}]\n"
        "users = [{user = 'appuser', groups = ['apps']}]\n"
    )
    report = json.loads(lintmdb("check", dump, "--format", "json", cwd=tmp_path).stdout)
    assert ("MDB127", "NO.GET") in _of_rights(report["findings"])


_TEAMS = """* Queue manager name: QM7
* Queue manager platform: UNIX
* Command issued: dmpmqcfg -m QM7 -a
ALTER QMGR DEADQ('QM7.DEAD') MAXMSGL(104857600) FORCE
DEFINE QLOCAL('QM7.DEAD') MAXMSGL(104857600) REPLACE
DEFINE QLOCAL('A.IN') BOTHRESH(3) BOQNAME('A.BO') REPLACE
DEFINE QLOCAL('A.BO') REPLACE
DEFINE QLOCAL('B.IN') BOTHRESH(3) BOQNAME('B.BO') REPLACE
DEFINE QLOCAL('B.BO') REPLACE
SET AUTHREC PROFILE(self) PRINCIPAL('appa') OBJTYPE(QMGR) AUTHADD(CONNECT,INQ)
SET AUTHREC PROFILE(self) PRINCIPAL('appb') OBJTYPE(QMGR) AUTHADD(CONNECT,INQ)
SET AUTHREC PROFILE('A.**') PRINCIPAL('appa') OBJTYPE(QUEUE) AUTHADD(ALLMQI)
SET AUTHREC PROFILE('B.**') PRINCIPAL('appb') OBJTYPE(QUEUE) AUTHADD(ALLMQI)
* Script ended on 2026-03-06   at 09.14.05
"""
_NO_GROUPS = "users: [{user: appa, groups: []}, {user: appb, groups: []}]\n"
_B_READS = "queues: [{queue: B.*, queue_manager: QM7, user: appb}]\n"


def _plan(lintmdb: Run, folder: Path) -> dict[str, Any]:
    asked = ("plan", folder / "QM7.mqsc", "--all-queues", "--observations", folder / "observed.yaml")
    return json.loads(lintmdb(*asked, "--format", "json").stdout)


@pytest.mark.parametrize("named", ["user: appa\n", "queue_managers: [{queue_manager: QM7, user: appa}]\n"])
def test_each_queue_may_have_its_own_reader(lintmdb: Run, tmp_path: Path, named: str) -> None:
    """A line about queues wins over one about the queue manager, or about all of them."""
    assert _of_rights(_report(lintmdb, tmp_path, named + _NO_GROUPS, _TEAMS)["findings"]) == {("MDB127", "B.IN")}
    report = _report(lintmdb, tmp_path, named + _B_READS + _NO_GROUPS, _TEAMS)
    assert _of_rights([*report["findings"], *report["undecided"]]) == set()
    asked = (tmp_path / "QM7.mqsc", "--all-queues", "--observations", tmp_path / "observed.yaml")
    shown = lintmdb("check", *asked)
    words = "connects as the user named for the queue (appa, appb), a poison message is moved aside on every one"
    assert words in " ".join(shown.stdout.split())
    assert "nothing names user" not in shown.stderr


def test_queues_that_no_line_fits_are_judged_without_rights(lintmdb: Run, tmp_path: Path) -> None:
    """Where only some queues have a named reader, whoever reads the others has every right."""
    dump = _TEAMS.replace("PROFILE('B.**')", "PROFILE('B.BO')")
    report = _report(lintmdb, tmp_path, _B_READS + _NO_GROUPS, dump)
    assert _of_rights([*report["findings"], *report["undecided"]]) == {("MDB127", "B.IN")}


def test_no_plan_grants_a_queue_to_who_is_hardly_its_reader(lintmdb: Run, tmp_path: Path) -> None:
    """Who is named for a whole queue manager and may not read a queue there: the plan asks who does, and with the
    answer it grants.
    """
    report = _report(lintmdb, tmp_path, "user: appa\n" + _NO_GROUPS, _TEAMS)
    (finding,) = report["findings"]
    assert finding["changes"] == []
    assert finding["fix"].startswith(
        "Observations name appa for all of QM7, and it has no right to read B.IN, so another user may be the one that"
        " does. Name the user of B.IN under queues in the observations: a plan then grants what that user lacks."
    )
    plan = _plan(lintmdb, tmp_path)
    assert plan["changes"] == []
    assert [left["rule"] for left in plan["left"]] == ["MDB127"]
    assert plan["left"][0]["advice"] == finding["fix"]
    (tmp_path / "observed.yaml").write_text("queues: [{queue: B.IN, user: appa}]\n" + _NO_GROUPS)
    granted = {(change["name"], change["user"]) for change in _plan(lintmdb, tmp_path)["changes"]}
    assert granted == {("B.IN", "appa"), ("B.BO", "appa")}


def test_a_new_backout_queue_is_not_for_who_is_hardly_the_reader(lintmdb: Run, tmp_path: Path) -> None:
    """The plan defines it all the same, and says that its reader may need rights."""
    dump = _TEAMS.replace("DEFINE QLOCAL('B.BO') REPLACE\n", "")
    _report(lintmdb, tmp_path, "user: appa\n" + _NO_GROUPS, dump)
    plan = _plan(lintmdb, tmp_path)
    assert [(change["change"], change["name"]) for change in plan["changes"]] == [("define", "B.BO")]
    asked = ("plan", tmp_path / "QM7.mqsc", "--all-queues", "--observations", tmp_path / "observed.yaml")
    assert "appa" not in lintmdb(*asked).stdout.partition("What becomes")[0]


def test_the_configuration_names_the_reader_of_a_queue(lintmdb: Run, tmp_path: Path) -> None:
    """With the keys of the file of observations, and the line of an entry that fits nothing."""
    dump = tmp_path / "QM7.mqsc"
    dump.write_text(_TEAMS)
    (tmp_path / "lintmdb.toml").write_text(
        "all-queues = true\n[observations]\nuser = 'appa'\n"
        "queues = [\n  {queue = 'B.*', queue-manager = 'QM7', user = 'appb'},\n  {queue = 'C.*', user = 'appc'},\n]\n"
        "users = [{user = 'appa', groups = []}, {user = 'appb', groups = []}]\n"
    )
    result = lintmdb("check", dump, "--format", "json", cwd=tmp_path)
    assert _of_rights(json.loads(result.stdout)["findings"]) == set()
    assert "lintmdb.toml:6: no local queue's name matches C.*, so" in result.stderr


@pytest.mark.parametrize(
    ("groups", "granted"),
    [("[apps]", {("apps", True)}), ("[]", {("appa", False)}), ("[apps, other]", {("appa", False)})],
)
def test_rights_are_granted_to_the_one_group_of_a_user(
    lintmdb: Run, tmp_path: Path, groups: str, granted: set[tuple[str, bool]]
) -> None:
    """Also where no record says that it is by this group that the user reads."""
    dump = "".join(
        line for line in _ONE_READER.splitlines(keepends=True) if "OBJTYPE(QUEUE)" not in line and "self" not in line
    )
    dump = dump.replace(
        "* Script ended", "SET AUTHREC PROFILE(self) GROUP('ops') OBJTYPE(QMGR) AUTHADD(CONNECT)\n* Script ended"
    )
    observed = f"queues: [{{queue: P.IN, user: appa}}]\nusers: [{{user: appa, groups: {groups}}}]\n"
    _report(lintmdb, tmp_path, observed, dump)
    grants = [change for change in _plan(lintmdb, tmp_path)["changes"] if change["change"] == "grant"]
    assert grants
    assert {(change["user"], change.get("group", False)) for change in grants} == granted
