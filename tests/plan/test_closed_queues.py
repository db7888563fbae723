"""Plans that let a queue take messages again which somebody closed, maybe on purpose."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest

from tests.support.command import Run
from tests.support.dumps import WHOLE
from tests.support.project import FIXTURES

_DUMP = f"""\
* Queue manager name: QM1
* Command issued: dmpmqcfg -m QM1 -a
ALTER QMGR DEADQ(DEAD) MAXMSGL(104857600)
DEFINE QLOCAL(DEAD) MAXMSGL(104857600)
DEFINE QLOCAL(A.IN) BOTHRESH(3) BOQNAME(A.BO)
DEFINE QLOCAL(A.BO) PUT(DISABLED) DESCR('closed for the migration')
DEFINE QLOCAL(B.IN) BOTHRESH(0) BOQNAME(B.BO)
DEFINE QLOCAL(B.BO)
{WHOLE}"""
_SPARE = "If it is to stay closed, leave its command out: the other changes do no harm without it."


def test_what_to_do_where_the_queue_is_to_stay_closed(lintmdb: Run, tmp_path: Path) -> None:
    """The script says that the command can be left out, and the plan how to plan without it."""
    (tmp_path / "QM1.mqsc").write_text(_DUMP)
    out = tmp_path / "out"
    shown = lintmdb("plan", "--all-queues", tmp_path / "QM1.mqsc", "--out", out).stdout
    told = " ".join(shown.split())
    script = " ".join((out / "mq/QM1.mqsc").read_text().replace("\n* ", " ").split())
    closed = f"Somebody closed A.BO to messages, maybe on purpose. Its DESCR: closed for the migration. {_SPARE}"
    assert closed in told
    assert closed in script
    (option,) = re.findall(r"is to stay closed, look for other changes with:\n +(--keep .*)\n", shown)
    assert f"Or, if A.BO is to stay closed, look for other changes with {option}." in (out / "plan.md").read_text()
    assert "ALTER QLOCAL('A.BO') PUT(ENABLED)" in script
    kept = lintmdb("plan", "--all-queues", tmp_path / "QM1.mqsc", *shlex.split(option), "--out", tmp_path / "kept")
    assert "stay closed" not in kept.stdout
    script = (tmp_path / "kept/mq/QM1.mqsc").read_text()
    assert "BOTHRESH(3)" in script
    assert "PUT(ENABLED)" not in script


@pytest.mark.parametrize("net", [True, False])
def test_a_command_that_others_need_is_not_to_be_left_out(lintmdb: Run, tmp_path: Path, *, net: bool) -> None:
    """An endpoint that stops no more loses what no queue takes. Without a dead-letter queue the plan makes one, with
    rights there; on the one that there is, the user has none.
    """
    shutil.copytree(FIXTURES / "stop-3-sessions-5-bothresh-5", tmp_path / "estate")
    dump = tmp_path / "estate/mq/QM1.mqsc"
    more = "ALTER QLOCAL('ORDERS.BACKOUT') PUT(DISABLED)\n" + "ALTER QMGR DEADQ(' ') MAXMSGL(104857600)\n" * net
    before, rest = dump.read_text().split("SET AUTHREC", 1)
    dump.write_text(f"{before}{more}SET AUTHREC{rest}")
    told = " ".join(lintmdb("plan", tmp_path / "estate").stdout.split())
    assert "ORDERS.BACKOUT PUT DISABLED -> ENABLED" in told
    assert (_SPARE in told) is net


_LOOPS = """\
* Queue manager name: QM1
* Queue manager platform: UNIX
* Command issued: dmpmqcfg -m QM1 -a
ALTER QMGR DEADQ(DEAD) MAXMSGL({limit})
DEFINE QLOCAL(DEAD) MAXMSGL(104857600) {dead}
DEFINE QLOCAL(A.IN) BOTHRESH(0) BOQNAME(A.BO)
DEFINE QLOCAL(A.BO) PUT(DISABLED)
SET AUTHREC PROFILE('**') OBJTYPE(QUEUE) PRINCIPAL('app') AUTHADD(GET,INQ,BROWSE,PUT,PASSALL,SETALL)
"""
_OBSERVED = "users:\n- {user: app, groups: []}\nqueues:\n- {queue: '*', user: app}\n"


@pytest.mark.parametrize(
    ("limit", "dead", "named", "spare"),
    [
        (104857600, "", True, True),
        (4194304, "", True, False),
        (104857600, "PUT(DISABLED)", True, False),
        (104857600, "+\n*  CURDEPTH(5000) +\n   MAXDEPTH(5000)", True, False),
        (104857600, "", False, False),
    ],
)
def test_what_can_be_left_out_does_no_harm_to_any_message(
    lintmdb: Run, tmp_path: Path, limit: int, dead: str, *, named: bool, spare: bool
) -> None:
    """Not to the longest one, not where the dead-letter queue is closed, too, or was full, and not where nobody knows
    what its reader may do: a message that went round is lost then.
    """
    (tmp_path / "QM1.mqsc").write_text(_LOOPS.format(limit=limit, dead=dead) + WHOLE)
    (tmp_path / "observed.yaml").write_text(_OBSERVED if named else "users:\n- {user: app, groups: []}\n")
    asked = ("plan", tmp_path / "QM1.mqsc", "--all-queues", "--observations", tmp_path / "observed.yaml")
    told = " ".join(lintmdb(*asked).stdout.split())
    assert "A.BO PUT DISABLED -> ENABLED" in told
    assert (_SPARE in told) is spare


def test_a_name_that_the_option_quotes_is_shown_without_control_characters(lintmdb: Run, tmp_path: Path) -> None:
    """A dump may name a queue anything."""
    (tmp_path / "QM1.mqsc").write_text(_LOOPS.format(limit=1, dead="").replace("A.BO", "'A\x1b[31mB'") + WHOLE)
    assert "\x1b" not in lintmdb("plan", tmp_path / "QM1.mqsc", "--all-queues").stdout
