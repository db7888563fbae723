"""Actions of repairs: names of new queues, what they hold, and whom they let put there."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from lintmdb.engine.findings import Finding
from lintmdb.engine.repairs import find_alternatives
from lintmdb.plan.evaluation import Evaluator
from lintmdb.report.changes import change_words
from lintmdb.resolve.mq.free_names import free_name
from lintmdb.resolve.observations import read_observations
from lintmdb.run.estate import read_exports
from lintmdb.settings.afterwards import afterwards
from lintmdb.settings.change_entries import change_entry, read_change
from lintmdb.settings.changes import Assignment, Change, Definition, Grant
from tests.support.scenario import RULES
from tests.support.scenario_folders import scenario_folder

_BLANK = ("BOQNAME('ORDERS.BACKOUT')", "BOQNAME(' ')")
_OFF = ("BOTHRESH(3)", "BOTHRESH(0)")
_NARROW = ("PROFILE('ORDERS.**')", "PROFILE('ORDERS.IN')")
_ANCHOR = "DEFINE CHANNEL('WAS.SVRCONN')"


def _added(*lines: str) -> tuple[str, str]:
    return _ANCHOR, "\n".join([*lines, _ANCHOR])


class _Estate:
    """The scenario ``clean`` with another text in its dump, and what is found there."""

    def __init__(self, folder: Path, *edits: tuple[str, str]) -> None:
        shutil.copytree(scenario_folder("clean"), folder)
        dump = folder / "mq" / "QM1.mqsc"
        text = dump.read_text()
        for old, new in edits:
            assert old in text, old
            text = text.replace(old, new)
        dump.write_text(text)
        inputs: list[Path | str] = [folder / "was", folder / "mq"]
        self._judging = Evaluator(read_exports(inputs), read_observations(None, None), RULES)

    def finding(self, rule: str, *changes: Change) -> Finding | None:
        found = [f for f in self._judging.judge(changes).judgement.findings if f.rule.id == rule]
        return found[0] if found else None

    def repairs(self, rule: str) -> tuple[tuple[Change, ...], ...]:
        finding = self.finding(rule)
        assert finding is not None
        return find_alternatives(finding.rule, finding.rows)


@pytest.mark.parametrize(
    "there",
    [
        "DEFINE QLOCAL('ORDERS.IN.BACKOUT') PUT(DISABLED)",
        "DEFINE QLOCAL('ORDERS.IN.BACKOUT')",
        "DEFINE QALIAS('ORDERS.IN.BACKOUT') TARGET('ORDERS.IN')",
        "DEFINE QREMOTE('ORDERS.IN.BACKOUT') RNAME(A) RQMNAME(B)",
        "DEFINE QLOCAL('orders.in.backout')",
    ],
)
@pytest.mark.parametrize(("rule", "edits"), [("MDB101", (_BLANK, _OFF)), ("MDB102", (_BLANK,))])
def test_a_queue_that_is_there_is_not_taken(
    tmp_path: Path, there: str, rule: str, edits: tuple[tuple[str, str], ...]
) -> None:
    """Somebody reads it, or it takes nothing, or it leads back: a new backout queue gets another name."""
    estate = _Estate(tmp_path / "estate", *edits, _added(there))
    (changes,) = estate.repairs(rule)
    (definition,) = [change for change in changes if isinstance(change, Definition)]
    assert definition.target.name == "ORDERS.IN.BACKOUT.2"
    assert any(isinstance(change, Assignment) and change.new == "ORDERS.IN.BACKOUT.2" for change in changes)
    for left in (rule, "MDB105", "MDB106", "MDB107", "MDB111", "MDB113"):
        assert estate.finding(left, *changes) is None


def test_a_name_that_another_queue_leads_to_is_taken(tmp_path: Path) -> None:
    """A cluster may have that queue, which a new one would hide; the queue's own wrong name is free."""
    other = _added("DEFINE QLOCAL('X') BOTHRESH(3) BOQNAME('ORDERS.IN.BACKOUT')")
    for name, edits in (("ORDERS.IN.BACKOUT.2", (_BLANK, other)), ("ORDERS.IN.BACKOUT", (_BLANK,))):
        (changes,) = _Estate(tmp_path / name, *edits).repairs("MDB102")
        assert [change.target.name for change in changes if isinstance(change, Definition)] == [name]


def test_a_new_dead_letter_queue_takes_no_name_that_is_there(tmp_path: Path) -> None:
    """QM1.DEAD is there, and nobody knows for what."""
    estate = _Estate(tmp_path / "estate", ("DEADQ('QM1.DEAD')", "DEADQ(' ')"))
    (changes,) = estate.repairs("MDB114")
    assert [change.target.name for change in changes if isinstance(change, Definition)] == ["QM1.DEAD.2"]
    assert estate.finding("MDB114", *changes) is None


def test_a_dead_letter_queue_in_another_case_is_the_one_that_is_there(tmp_path: Path) -> None:
    """As of BOQNAME: a second queue, whose name differs in case only, would be one that nobody looks at."""
    estate = _Estate(tmp_path / "estate", ("DEADQ('QM1.DEAD')", "DEADQ('qm1.dead')"))
    (changes,) = estate.repairs("MDB114")
    (change,) = changes
    assert isinstance(change, Assignment)
    assert (change.attribute, change.old, change.new) == ("DEADQ", "qm1.dead", "QM1.DEAD")
    assert estate.finding("MDB114", *changes) is None


def test_names_keep_to_what_mq_allows() -> None:
    """At most 48 characters, two names that are cut stay two, and none is the product's own."""
    long, other = "A" * 47 + "1", "A" * 47 + "2"
    names = [free_name(name, "{queue}.BACKOUT", ()) for name in (long, other)]
    assert len({*names}) == 2
    names.append(free_name(long, "{queue}.BACKOUT", {names[0].upper()}))
    assert len({*names}) == 3
    assert {len(name) for name in names} == {48}
    assert free_name("SYSTEM.NDURABLE.MODEL.QUEUE", "{queue}.BACKOUT", ()) == "NDURABLE.MODEL.QUEUE.BACKOUT"
    assert free_name("A", "{queue}.BACKOUT", {"A.BACKOUT", "A.BACKOUT.2"}) == "A.BACKOUT.3"


def _grants(changes: tuple[Change, ...]) -> list[Grant]:
    return [change for change in changes if isinstance(change, Grant)]


def test_a_new_record_holds_what_a_wider_profile_gave(tmp_path: Path) -> None:
    """A record of the queue's very name replaces the wider one for that user, all of it."""
    rights = ("AUTHADD(BROWSE,GET,INQ,PUT,PASSALL,SETALL)", "AUTHADD(BROWSE,GET,INQ,DSP,SET)")
    (changes,) = _Estate(tmp_path / "estate", rights).repairs("MDB113")
    (grant,) = _grants(changes)
    assert grant.target.name == "ORDERS.BACKOUT"
    assert set(grant.rights) == {"PUT", "PASSALL", "SETALL", "GET", "BROWSE", "INQ", "DSP", "SET"}
    assert (grant.had, grant.recorded) == ((), False)
    assert change_words(grant) == "wasuser gets put, passall, setall, and keeps browse, dsp, get, inq, set"


def test_an_opened_queue_needs_no_right_beside_those_of_the_move(tmp_path: Path) -> None:
    """SETALL, which MDB119 asks for, is not granted by the way."""
    closed = _added("ALTER QLOCAL('ORDERS.BACKOUT') PUT(DISABLED)")
    for rights, granted in (("BROWSE,GET,INQ,PUT,PASSALL", 0), ("BROWSE,GET,INQ,PUT", 1)):
        edits = (closed, ("AUTHADD(BROWSE,GET,INQ,PUT,PASSALL,SETALL)", f"AUTHADD({rights})"))
        (changes,) = _Estate(tmp_path / str(granted), *edits).repairs("MDB107")
        assert len(_grants(changes)) == granted


def test_a_record_of_the_very_name_gets_what_is_missing(tmp_path: Path) -> None:
    """And undoing takes only that away again."""
    edits = (
        _NARROW,
        _added("SET AUTHREC PROFILE('ORDERS.BACKOUT') OBJTYPE(QUEUE) PRINCIPAL('wasuser') AUTHADD(PUT,GET)"),
    )
    (changes,) = _Estate(tmp_path / "estate", *edits).repairs("MDB113")
    (grant,) = _grants(changes)
    assert grant.rights == ("PASSALL", "INQ", "SETALL")
    assert (grant.had, grant.recorded) == (("GET", "PUT"), True)


def test_a_new_backout_queue_asks_for_the_least(tmp_path: Path) -> None:
    """What IBM's article on poison messages names, and no more."""
    (changes,) = _Estate(tmp_path / "estate", _BLANK, _OFF, _NARROW).repairs("MDB101")
    assert [(grant.user, grant.rights, grant.group) for grant in _grants(changes)] == [
        ("wasuser", ("PUT", "PASSALL", "GET", "INQ", "SETALL"), False)
    ]


@pytest.mark.parametrize(
    ("more", "grantee"),
    [
        ((), ("wasgrp", True)),
        (("SET AUTHREC PROFILE('**') OBJTYPE(QUEUE) GROUP('mqm') AUTHADD(ALL)",), ("wasgrp", True)),
        (("SET AUTHREC PROFILE('ORDERS.IN') OBJTYPE(QUEUE) GROUP('batch') AUTHADD(GET)",), ("wasuser", False)),
        (("SET AUTHREC PROFILE('ORDERS.IN') OBJTYPE(QUEUE) PRINCIPAL('joe') AUTHADD(GET)",), ("wasuser", False)),
    ],
)
def test_rights_are_those_of_the_one_group_that_reads(
    tmp_path: Path, more: tuple[str, ...], grantee: tuple[str, bool]
) -> None:
    """Who manages authorities by group wants no record for a user. Where several may read, nobody knows which group."""
    by_group = ("PRINCIPAL('wasuser')", "GROUP('wasgrp')")
    (changes,) = _Estate(tmp_path / "estate", _BLANK, _OFF, _NARROW, by_group, _added(*more)).repairs("MDB101")
    assert [(grant.user, grant.group) for grant in _grants(changes)] == [grantee]


def test_the_rights_to_read_come_with_those_that_are_there(tmp_path: Path) -> None:
    """The user may put to the queue by a wider profile: reading it by a record of its own must not end that."""
    rights = ("AUTHADD(BROWSE,GET,INQ,PUT,PASSALL,SETALL)", "AUTHADD(BROWSE,INQ,PUT)")
    estate = _Estate(tmp_path / "estate", rights)
    (changes,) = estate.repairs("MDB127")
    (grant,) = _grants(changes)
    assert (grant.target.name, set(grant.rights)) == ("ORDERS.IN", {"GET", "BROWSE", "INQ", "PUT"})
    assert estate.finding("MDB127", *changes) is None


def test_who_administers_needs_no_record(tmp_path: Path) -> None:
    """And where nobody knows the user no record is made up: the text says who needs rights."""
    folder = tmp_path / "estate"
    edits = (_BLANK, _OFF, ("MCAUSER(' ')", "MCAUSER('mqm')"))
    text = (scenario_folder("clean") / "mq" / "QM1.mqsc").read_text()
    assert "MCAUSER" in text
    estate = _Estate(folder, *edits)
    (changes,) = estate.repairs("MDB101")
    assert _grants(changes) == []
    finding = estate.finding("MDB101")
    assert finding is not None
    assert "needs put and passall" in finding.fix


def test_a_wider_profile_may_give_all_that_a_new_backout_queue_needs(tmp_path: Path) -> None:
    """Then no record is made that would hide it; else the new one holds what the wider one gave."""
    rights = "AUTHADD(BROWSE,GET,INQ,PUT,PASSALL,SETALL)"
    (changes,) = _Estate(tmp_path / "whole", _BLANK, _OFF).repairs("MDB101")
    assert _grants(changes) == []
    (changes,) = _Estate(tmp_path / "part", _BLANK, _OFF, (rights, "AUTHADD(BROWSE,GET,INQ)")).repairs("MDB101")
    assert [change_words(grant) for grant in _grants(changes)] == [
        "wasuser gets put, passall, setall, and keeps browse, get, inq"
    ]


_OF_GROUP = ("PRINCIPAL('wasuser')", "GROUP('mqapps')")
_ALL_QUEUES = ("PROFILE('ORDERS.**')", "PROFILE('**')")
_FEWER = ("AUTHADD(BROWSE,GET,INQ,PUT,PASSALL,SETALL)", "AUTHADD(BROWSE,DSP,GET,INQ)")
_NO_QUEUE = ("DEFINE QLOCAL('ORDERS.BACKOUT')", "DEFINE QLOCAL('OTHER')")


@pytest.mark.parametrize(
    ("rule", "edits", "name"),
    [
        ("MDB101", (_BLANK, _OFF), "ORDERS.IN.BACKOUT"),
        ("MDB105", (_NO_QUEUE,), "ORDERS.BACKOUT"),
        ("MDB114", (_BLANK, ("DEADQ('QM1.DEAD')", "DEADQ(' ')")), "QM1.DEAD.2"),
    ],
)
def test_a_group_keeps_what_a_wider_profile_gives_it_on_a_new_queue(
    tmp_path: Path, rule: str, edits: tuple[tuple[str, str], ...], name: str
) -> None:
    """The group reads the queue by a profile that the new queue has, too. Nobody says who is in it. A record of the new
    queue's own hides that profile, so it is written only where that grants too little, and grants the same.
    """

    def grants(*more: tuple[str, str]) -> list[Grant]:
        estate = _Estate(tmp_path / str(len(more)), _OF_GROUP, _ALL_QUEUES, *edits, *more)
        offered = [change for changes in estate.repairs(rule) for change in changes]
        return [change for change in offered if isinstance(change, Grant) and change.target.name == name]

    assert grants() == []
    written = grants(_FEWER)
    assert written
    for grant in written:
        assert (grant.user, grant.group, grant.recorded) == ("mqapps", True, False)
        assert grant.kept == ("BROWSE", "DSP", "GET", "INQ")
        assert {*grant.kept, "PUT", "PASSALL"} <= {*grant.rights}


@pytest.mark.parametrize("narrow", [True, False], ids=["rights are granted", "rights are there"])
def test_a_queue_behind_an_alias_needs_no_rights_of_its_own(tmp_path: Path, narrow: bool) -> None:
    """MQ checks the name that is opened, so who needs rights needs them on the alias that BOQNAME names."""
    alias = (
        "DEFINE QLOCAL('ORDERS.BACKOUT')",
        "DEFINE QALIAS('ORDERS.BACKOUT') TARGET('REAL')\nDEFINE QLOCAL('OTHER')",
    )
    estate = _Estate(tmp_path / "estate", alias, *([_NARROW] if narrow else []))
    ((definition, *grants),) = estate.repairs("MDB105")
    assert isinstance(definition, Definition)
    assert (definition.target.name, definition.opened_as) == ("REAL", "ORDERS.BACKOUT")
    assert [grant.target.name for grant in grants] == ["ORDERS.BACKOUT"] * narrow
    told = [text for text in afterwards((definition, *grants)) if "put and passall" in text]
    assert [text.partition(" needs ")[0] for text in told] == (
        [] if narrow else ["Each user whose messages are moved to ORDERS.BACKOUT"]
    )
    assert read_change(change_entry(definition)) == definition
