"""Fixes: each is run as printed against the scenarios in which its rule is a hazard, and judged again."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from lintmdb.engine.findings import Finding
from lintmdb.exports.mq import read_mqsc
from lintmdb.model.relations import Queue
from tests.support.scenario import Outcome, expected, run_scenario, subject_name
from tests.support.scenario_folders import scenario_folder, scenario_names

MENDED = [
    "MDB101",
    "MDB102",
    "MDB103",
    "MDB104",
    "MDB105",
    "MDB106",
    "MDB107",
    "MDB108",
    "MDB109",
    "MDB110",
    "MDB111",
    "MDB113",
    "MDB114",
    "MDB115",
    "MDB116",
    "MDB117",
    "MDB118",
    "MDB119",
    "MDB122",
    "MDB123",
    "MDB125",
    "MDB129",
    "MDB130",
    "MDB131",
    "MDB133",
    "MDB134",
    "MDB135",
    "MDB304",
]
"""Rules whose fix is a script for the queue manager."""
_STARTS = re.compile(r"(DEFINE|ALTER|SET|DELETE) ")
_OF_A_THRESHOLD = frozenset({"MDB119", "MDB202", "MDB302", "MDB303", "MDB310", "MDB413", "MDB702"})
"""What a threshold brings into play, the failure limit of an endpoint above all: the fixes that set one say so."""
_LESS_BAD = {"MDB114": {"MDB115"}, "MDB134": {"MDB115"}}
"""A dead-letter queue that does not take the longest messages is better than none."""
_OF_A_NAMED_QUEUE = ("MDB105", "MDB107", "MDB111", "MDB128", "MDB137")
_NOT_ALONE: Mapping[str, tuple[str, ...]] = {
    "MDB103": _OF_A_NAMED_QUEUE,
    "MDB115": _OF_A_NAMED_QUEUE,
    "MDB125": _OF_A_NAMED_QUEUE,
    "MDB133": _OF_A_NAMED_QUEUE,
    "MDB135": _OF_A_NAMED_QUEUE,
}
"""Rules that leave a backout queue which is there to the rule that says what is wrong with it."""
_RENAMES = frozenset({"MDB106", "MDB110", "MDB111", "MDB129"})
"""Rules that find fault with the very queue that BOQNAME names."""


def _dumps(folder: Path) -> list[Path]:
    files = (file for file in folder.rglob("*") if file.suffix in (".mqsc", ".txt", ".tst"))
    return [file for file in files if read_mqsc(file.read_bytes(), file.name).commands]


HAZARDS = [
    (name, rule)
    for name in scenario_names()
    if _dumps(scenario_folder(name))  # to which commands can be added
    for rule in sorted(expected(scenario_folder(name))["hazard"])
    if rule in MENDED
]


def _commands(fix: str) -> Iterator[str]:
    """The commands of a fix, with the lines on which they go on."""
    going_on = False
    for line in fix.splitlines():
        if going_on or _STARTS.match(line):
            going_on = line.endswith("+")
            yield line


def _dump(folder: Path, queue_manager: str | None) -> Path:
    """The file that exports a queue manager; the only one where it is not named after it."""
    files = _dumps(folder)
    return next((file for file in files if file.stem == queue_manager), files[0])


def _run(folder: Path, name: str) -> Outcome:
    return run_scenario(folder, expected(scenario_folder(name)).get("options"))


def _apply(folder: Path, findings: list[Finding]) -> None:
    for finding in findings:
        commands = list(_commands(finding.fix))
        dump = _dump(folder, finding.subject.queue_manager or finding.subject.name)
        dump.write_text("\n".join([dump.read_text(), *commands, ""]))


def _hazards(outcome: Outcome) -> set[tuple[str, str]]:
    return {(finding.rule.id, subject_name(finding.subject)) for finding in outcome.judgement.findings}


@pytest.mark.parametrize(("name", "rule"), HAZARDS)
def test_a_fix_breaks_nothing(tmp_path: Path, name: str, rule: str) -> None:
    """Its commands, run as printed, end the finding and bring no other; each queue that names a good backout queue
    keeps it, and a backout queue that they define can be put to.
    """
    folder = tmp_path / name
    shutil.copytree(scenario_folder(name), folder)
    _mend(folder, name, rule)


def _mend(folder: Path, name: str, rule: str) -> Outcome:
    """Apply the fixes of a rule to a copy of a scenario, and compare what is found before and after."""
    before = _run(folder, name)
    findings = [finding for finding in before.judgement.findings if finding.rule.id == rule]
    assert findings
    for finding in findings:
        _check_what_people_read(finding.fix)
    good = _good_backout_queues(before)
    _apply(folder, findings)
    after = _run(folder, name)
    left = {subject for found, subject in _hazards(after) if found == rule}
    leaves_to = {found for found, _ in _hazards(before)} & set(_NOT_ALONE.get(rule, ()))
    assert not left or leaves_to, left
    new = {(found, subject) for found, subject in _hazards(after) - _hazards(before) if found not in _OF_A_THRESHOLD}
    assert {entry for entry in new if entry[0] not in _LESS_BAD.get(rule, ())} == set()
    if rule not in _RENAMES:
        assert good.items() <= _good_backout_queues(after, all_of_them=True).items()
    _check_grants(after, findings)
    return after


_ANCHOR = "DEFINE CHANNEL('WAS.SVRCONN')"
_BLANK = ("BOQNAME('ORDERS.BACKOUT')", "BOQNAME(' ')")
_ITSELF = ("BOQNAME('ORDERS.BACKOUT')", "BOQNAME('ORDERS.IN')")
_OFF = ("BOTHRESH(3)", "BOTHRESH(0)")
_RIGHTS = "AUTHADD(BROWSE,GET,INQ,PUT,PASSALL,SETALL)"


def _added(*lines: str) -> tuple[str, str]:
    """A replacement that adds commands to the dump of the scenario ``clean``."""
    return _ANCHOR, "\n".join([*lines, _ANCHOR])


_COPIED = _added(
    "ALTER QLOCAL('ORDERS.IN') TRIGGER CLUSTER(C) CAPEXPRY(10) STREAMQ(S) STRMQOS(MUSTDUP) USAGE(NORMAL) NOSHARE"
)
_ALIAS = ("BOQNAME('ORDERS.BACKOUT')", "BOQNAME('ORDERS.BO')")
_TO_BACKOUT = "DEFINE QALIAS('ORDERS.BO') TARGET('ORDERS.BACKOUT')"
_UNGRANTED = ("PROFILE('ORDERS.**')", "PROFILE('ORDERS.IN')")


@pytest.mark.parametrize(
    ("rule", "changes"),
    [
        ("MDB101", (_BLANK, _OFF, _COPIED)),
        ("MDB101", (_BLANK, _OFF, _UNGRANTED)),
        ("MDB102", (_BLANK, _COPIED)),
        ("MDB102", (_BLANK, _UNGRANTED)),
        ("MDB102", (_BLANK, _added("ALTER QLOCAL('ORDERS.IN') MAXMSGL(104857600)"))),
        ("MDB103", (_BLANK, ("DEADQ('QM1.DEAD')", "DEADQ(' ')"), _UNGRANTED)),
        ("MDB104", (_OFF, _UNGRANTED)),
        ("MDB104", (_OFF, ("BOQNAME('ORDERS.BACKOUT')", "BOQNAME('GONE')"))),
        ("MDB104", (_OFF, _ITSELF)),
        ("MDB104", (_OFF, _added("ALTER QLOCAL('ORDERS.BACKOUT') PUT(DISABLED)"))),
        ("MDB105", (("BOQNAME('ORDERS.BACKOUT')", "BOQNAME('orders.backout')"),)),
        ("MDB105", (("BOQNAME('ORDERS.BACKOUT')", "BOQNAME('GONE')"), _COPIED)),
        ("MDB106", (("BOQNAME('ORDERS.BACKOUT')", "BOQNAME('ORDERS.IN')"), _COPIED)),
        ("MDB107", (_added("ALTER QLOCAL('ORDERS.BACKOUT') MAXDEPTH(0)"),)),
        (
            "MDB107",
            (_ALIAS, _added("DEFINE QALIAS('ORDERS.BO') TARGET('ORDERS.BACKOUT') PUT(DISABLED)")),
        ),
        (
            "MDB108",
            (_ALIAS, _added(_TO_BACKOUT, "ALTER QLOCAL('ORDERS.BACKOUT') MAXMSGL(5)")),
        ),
        (
            "MDB109",
            (_ALIAS, _added(_TO_BACKOUT, "ALTER QLOCAL('ORDERS.BACKOUT') MAXDEPTH(5)")),
        ),
        ("MDB110", (("BOQNAME('ORDERS.BACKOUT')", "BOQNAME('QM1.DEAD')"), _COPIED, _UNGRANTED)),
        ("MDB111", (_added("ALTER QLOCAL('ORDERS.BACKOUT') USAGE(XMITQ)"), _UNGRANTED)),
        ("MDB113", (_UNGRANTED,)),
        ("MDB113", ((_RIGHTS, "AUTHADD(BROWSE,GET,INQ)"),)),
        ("MDB113", (_ITSELF, (_RIGHTS, "AUTHADD(BROWSE,GET,INQ,PUT)"))),
        ("MDB113", (_added("ALTER QLOCAL('ORDERS.BACKOUT') USAGE(XMITQ)"), _UNGRANTED)),
        ("MDB113", (("BOQNAME('ORDERS.BACKOUT')", "BOQNAME('QM1.DEAD')"), _UNGRANTED)),
        ("MDB114", (("DEADQ('QM1.DEAD')", "DEADQ(' ')"),)),
        ("MDB114", (("DEADQ('QM1.DEAD')", "DEADQ('GONE')"),)),
        ("MDB114", (("DEADQ('QM1.DEAD')", "DEADQ('qm1.dead')"),)),
        ("MDB114", (_added("ALTER QLOCAL('QM1.DEAD') PUT(DISABLED)"),)),
        ("MDB114", (_added("DEFINE QALIAS(DEAD) TARGET('QM1.DEAD') PUT(DISABLED)", "ALTER QMGR DEADQ(DEAD)"),)),
        ("MDB115", (_BLANK, _UNGRANTED)),
        ("MDB119", ((_RIGHTS, "AUTHADD(BROWSE,GET,INQ,PUT,PASSALL)"),)),
        ("MDB122", (_added("ALTER QLOCAL('ORDERS.IN') GET(DISABLED)"),)),
        ("MDB125", (_BLANK, _UNGRANTED)),
        ("MDB125", ((_RIGHTS, "AUTHADD(BROWSE,GET,INQ)"),)),
        ("MDB134", (_added("ALTER QLOCAL('QM1.DEAD') USAGE(XMITQ)"),)),
        ("MDB134", (_added("DEFINE QMODEL(DEAD)", "ALTER QMGR DEADQ(DEAD)"),)),
        ("MDB304", (_OFF, _UNGRANTED)),
        ("MDB304", (_OFF, _ITSELF)),
        ("MDB304", (_BLANK, _OFF, _COPIED)),
    ],
)
def test_a_fix_breaks_nothing_of_a_hostile_queue_manager(
    tmp_path: Path, rule: str, changes: tuple[tuple[str, str], ...]
) -> None:
    """Nor where the queue that it serves has odd attributes, names are aliases, or rights are few."""
    shutil.copytree(scenario_folder("clean"), tmp_path / "clean")
    dump = tmp_path / "clean" / "mq" / "QM1.mqsc"
    text = dump.read_text()
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    dump.write_text(text)
    after = _mend(tmp_path / "clean", "clean", rule)
    assert {found for found, _ in _hazards(after)} <= {
        "MDB114",
        "MDB123",
        "MDB130",
        "MDB131",
        "MDB115",
        "MDB606",
        *_ASIDE,
    }


_ASIDE = ("MDB102", "MDB119")


_GRANT = re.compile(r"SET AUTHREC PROFILE\('([^']+)'\) OBJTYPE\(QUEUE\) PRINCIPAL\('([^']+)'\) AUTHADD\(([A-Z,]+)\)")


def _check_grants(after: Outcome, findings: list[Finding]) -> None:
    """Who is granted the rights on a backout queue has those that a move needs."""
    granted = {match.group(1, 2) for finding in findings for match in _GRANT.finditer(finding.fix)}
    rows = after.estate.facts.rows
    backout = {(queue.queue_manager, queue.name): queue.backout_queue for queue in rows["queue"]}
    for row in rows["authority"]:
        if (backout.get((row.queue_manager, row.queue)), row.user) in granted:
            assert (row.put, row.passall) == (True, True)


def _good_backout_queues(outcome: Outcome, *, all_of_them: bool = False) -> dict[str, str]:
    """Queues and the backout queues that they name, where those take messages and poison may stay there."""
    rows = outcome.estate.facts.rows
    targets = [row for row in rows["put_target"] if row.takes_puts and row.reachable is not False]
    targets = [row for row in targets if not (row.transmission or row.is_dead_letter_queue)]
    takes = {(row.queue_manager, row.name) for row in targets}
    return {
        f"{queue.queue_manager} {queue.name}": queue.backout_queue
        for queue in rows["queue"]
        if queue.backout_queue
        and (all_of_them or ((queue.queue_manager, queue.backout_queue) in takes and _ends(queue)))
    }


def _ends(queue: Queue) -> bool:
    """Whether its chain of backout queues does not come back."""
    return queue.backout_loops is False and not queue.backout_would_loop


def _check_what_people_read(fix: str) -> None:
    """Whoever alters BOTHRESH or BOQNAME has to restart what reads the queue; a queue that nobody may put to takes no
    poison; and DEFINE LIKE would copy usage, disablement, triggers, cluster and stream queue.
    """
    if re.search(r"ALTER Q(LOCAL|MODEL)\(.* BO(THRESH|QNAME)\(", fix):
        assert re.search("Restart what reads|restart the endpoints", fix)
    if "DEFINE QLOCAL(" in fix:
        assert re.search("needs? (put|UPDATE access)", fix)
    assert not re.search(r"QLOCAL\(.*LIKE\(", fix)
