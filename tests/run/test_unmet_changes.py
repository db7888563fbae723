"""What a change names and nothing judges, because the exports do not show what it depends on."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.support.command import Run
from tests.support.project import FIXTURES

_CHANNEL_RECORD = "SET CHLAUTH('WAS.SVRCONN') TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(NOACCESS)\n"
_OTHER_CHANNEL = "SET CHLAUTH('HR.*') TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(NOACCESS)\n"
_AUTHORITY = "SET AUTHREC PROFILE('ORDERS.IN') GROUP('apps') OBJTYPE(QUEUE) AUTHRMV(GET)\n"
_WHOLE = "Provide the output of: dmpmqcfg -m QM1 -a"


@pytest.fixture
def exports(tmp_path: Path) -> Path:
    """A cell, and a queue manager whose dump lacks its end, so that records may be missing."""
    shutil.copytree(FIXTURES / "clean", tmp_path / "exports")
    (tmp_path / "exports/expected.yaml").unlink()
    dump = tmp_path / "exports/mq/QM1.mqsc"
    dump.write_text(dump.read_text().replace("* Script ended on", "* taken on"))
    return tmp_path / "exports"


def _told(lintmdb: Run, command: str, *exports: Path, change: str) -> list[str]:
    """What a command says of a change, without the beginning of each line."""
    script = exports[0].parent / "QM1.mqsc"
    script.write_text(change)
    result = lintmdb(command, *exports, "--strict", "--change", script)
    assert result.returncode == 4, result.stdout
    return [line.partition("QM1.mqsc:")[2] for line in result.stderr.splitlines() if "is not judged" in line]


@pytest.mark.parametrize("command", ["check", "diff"])
def test_a_channel_record_is_not_judged_where_others_may_be_missing(lintmdb: Run, exports: Path, command: str) -> None:
    """Once for a script, and a strict gate fails; a record of authorities lacks the same export."""
    lacks = "the export of QM1 may lack channel authentication and authority records"
    told = _told(lintmdb, command, exports, change=_CHANNEL_RECORD + _OTHER_CHANNEL + _AUTHORITY)
    assert told == [
        f"1: {lacks}, so SET CHLAUTH (and 1 more) is not judged. {_WHOLE}",
        f"3: {lacks}, so SET AUTHREC is not judged. {_WHOLE}",
    ]


def test_a_channel_record_is_judged_where_its_outcome_is_known(lintmdb: Run, exports: Path) -> None:
    """The records are out of force, or all of them are known; that of a channel without endpoints changes no flow."""
    script = exports.parent / "QM1.mqsc"
    script.write_text("ALTER QMGR CHLAUTH(DISABLED) CONNAUTH(' ')\n" + _CHANNEL_RECORD)
    assert "is not judged" not in lintmdb("check", exports, "--change", script).stderr
    script.write_text(_CHANNEL_RECORD + _OTHER_CHANNEL)
    result = lintmdb("check", FIXTURES / "clean", "--change", script)
    assert "is not judged" not in result.stderr
    assert "MDB605" in result.stdout


def test_a_channel_record_is_not_judged_without_any_endpoint(lintmdb: Run, exports: Path) -> None:
    """Whoever connects is in an export that is not there."""
    script = exports.parent / "QM1.mqsc"
    script.write_text(_CHANNEL_RECORD)
    asked = ("check", exports / "mq", "--all-queues", "--strict", "--change", script)
    told = "no endpoint in the exports reads from the queue manager, so SET CHLAUTH is not judged"
    assert told in lintmdb(*asked).stderr


_USER_KNOWN = (
    "ALTER QMGR CHLAUTH(DISABLED) CONNAUTH(' ')\nALTER CHANNEL('WAS.SVRCONN') CHLTYPE(SVRCONN) MCAUSER('app')\n"
)


@pytest.mark.parametrize(("more", "checks"), [("", 6), (_USER_KNOWN, 5)])
def test_a_dump_that_lacks_records_is_asked_for_once(lintmdb: Run, exports: Path, more: str, checks: int) -> None:
    """Not first its channel authentication records, then the groups of a user, and then the rest."""
    with (exports / "mq/QM1.mqsc").open("a") as dump:
        dump.write(more)
    text = lintmdb("check", exports, "--on-message", "5s").stdout
    needs = text[text.index("Undecided:") :].splitlines()[1:]
    assert needs == [
        f"  {checks}  a complete export of queue manager QM1",
        "     Add the output of: dmpmqcfg -m QM1 -a",
    ]


@pytest.mark.parametrize(
    ("change", "counted", "said"),
    [
        ("END\nALTER QLOCAL('ORDERS.IN') BOTHRESH(3)\n", "1 change {}skipped", "stands below END"),
        (
            "ALTER QLOCAL('ORDERS.IN') SHARE NOSHARE\n",
            "1 change {}refused",
            "it has both SHARE and NOSHARE. Remove one",
        ),
        (
            "ALTER QLOCAL('GONE') BOTHRESH(3)\nEND\nALTER QLOCAL('ORDERS.IN') BOTHRESH(3)\n",
            "2 changes {}refused or skipped",
            "GONE",
        ),
        ("DEFINE QALIAS('ORDERS.IN') TARGET('X')\n", "1 change {}refused", "ORDERS.IN exists as a QLOCAL. Choose"),
    ],
)
def test_what_is_not_run_is_skipped_and_what_ibm_mq_refuses_is_refused(
    lintmdb: Run, tmp_path: Path, change: str, counted: str, said: str
) -> None:
    """Both fail a run: what the change asks for is not done."""
    script = tmp_path / "QM1.mqsc"
    script.write_text(change)
    checked = lintmdb("check", FIXTURES / "clean", "--change", script)
    assert f"fails: {counted.format('would be ')} (" in " ".join(checked.stdout.split())
    compared = lintmdb("diff", FIXTURES / "clean", "--change", script)
    assert (checked.returncode, compared.returncode) == (4, 4)
    assert compared.stdout.endswith(f"{counted.format('')}\n")
    assert said in " ".join(compared.stdout.split())
