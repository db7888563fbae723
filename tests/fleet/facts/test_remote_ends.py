"""What other queue managers do to messages counts in a fleet as it does in ``check``, with its file and line."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.spark import no_fleet

if REASON := no_fleet():
    pytest.skip(REASON, allow_module_level=True)

from lintmdb.fleet.audit import Request, run_audit
from lintmdb.resolve.observations import EndpointObservation, Observations
from lintmdb.run.estate import read_estate
from tests.support.dumps import WHOLE
from tests.support.fleet_estate import table
from tests.support.fleet_parity import assert_same_tables
from tests.support.random_estates.draw import Draw
from tests.support.scenario import RULES

_OBSERVED = Observations(user=EndpointObservation("svc"), users={"svc": frozenset({"app"})})
_HEAD = "* Queue manager name: {0}\n* Queue manager platform: UNIX\n* Command issued: dmpmqcfg -m {0} -a\n"
_RECORDS = (
    "SET AUTHREC PROFILE('self') OBJTYPE(QMGR) GROUP('app') AUTHADD(CONNECT,INQ)\n"
    "SET AUTHREC PROFILE('**') OBJTYPE(QUEUE) GROUP('app') AUTHADD(GET,BROWSE,INQ,PUT,PASSALL,SETALL)\n"
)
_CHANGES = (
    " CAPEXPRY(600)",
    " CUSTOM('CAPEXPRY(500)')",
    " PUT(DISABLED)",
    " MAXMSGL(1000)",
    " LIKE(GONE)",
    " MAXDEPTH(0)",
)


def _write_pair(folder: Path, seed: int) -> None:
    """A queue manager, and one or two others that have its backout queues, in its cluster or behind a channel."""
    draw = Draw(f"ends {seed}")
    here, *others = (f"QM{seed}{letter}" for letter in "ABC"[: draw.one((2, 3))])
    member = "DEFINE CHANNEL({0}.IN) CHLTYPE(CLUSRCVR) CONNAME(h) CLUSTER(C{1})\n"
    member += "DEFINE CHANNEL({0}.OUT) CHLTYPE(CLUSSDR) CONNAME(h) CLUSTER(C{1})\n"
    alias = draw.chance(0.5)
    lines = [member.format(here, seed), _RECORDS, "DEFINE QLOCAL(UP) BOTHRESH(3) BOQNAME(FAR.BO)\n"]
    lines.append(f"DEFINE QLOCAL(IN) BOTHRESH(3) BOQNAME({'AL.BO' if alias else 'CL.BO'})\n")
    if alias:
        lines.append(f"DEFINE QALIAS(AL.BO) TARGET(CL.BO){''.join(draw.some(_CHANGES[:3], 0.3))}\n")
    lines.append(f"DEFINE QREMOTE(FAR.BO) RNAME(BO) RQMNAME({others[0]}) XMITQ({others[0]})\n")
    lines.append(f"DEFINE QLOCAL({others[0]}) USAGE(XMITQ){draw.one(('', '', ' MAXMSGL(500)'))}\n")
    (folder / f"{here}.mqsc").write_text(f"{_HEAD.format(here)}{WHOLE}{''.join(lines)}", "utf-8")
    shown = ""
    for other in others:
        changes = draw.some(_CHANGES, 0.25)
        lines = [member.format(other, seed), "* a line\n" * draw.one((0, 1, 2))]
        lines.append(f"DEFINE QLOCAL(CL.BO) CLUSTER(C{seed}){''.join(changes)}\n")
        if other == others[0] and others[1:] and draw.chance(0.6):  # it goes on from there
            lines.append(f"DEFINE QREMOTE(BO) RNAME(BO) RQMNAME({others[1]}) XMITQ(ON)\n")
            lines.append(f"DEFINE QLOCAL(ON) USAGE(XMITQ){draw.one(('', ' MAXMSGL(700)', ' MAXMSGL(104857600)'))}\n")
        else:
            lines.append(f"DEFINE QLOCAL(BO){''.join(draw.some(_CHANGES, 0.25))}\n" if draw.chance(0.8) else "")
        (folder / f"{other}.mqsc").write_text(f"{_HEAD.format(other)}{WHOLE}{''.join(lines)}", "utf-8")
        put = "DISABLED" if _CHANGES[2] in changes else "ENABLED"
        shown += f"AMQ8409I: Display Queue details.\n   QUEUE(CL.BO)          TYPE(QCLUSTER)\n   CLUSQMGR({other})\n"
        shown += f"   CLUSQT(QLOCAL)   CLUSTER(C{seed})            PUT({put})\n"
    if draw.chance(0.4):
        text = f"Starting MQSC for queue manager {here}.\n\n     1 : DISPLAY QCLUSTER('CL.BO')\n{shown}"
        (folder / f"{here}-answer.txt").write_text(f"{text}One MQSC command read.\n", "utf-8")


def test_what_other_queue_managers_have_counts_in_a_fleet_as_in_check(tmp_path: Path) -> None:
    """Over queue managers with random ways to backout queues of others, of which an answer shows some."""
    exports = tmp_path / "exports"
    exports.mkdir()
    for seed in range(60):
        _write_pair(exports, seed)
    audit = run_audit(None, Request([str(exports)], tmp_path / "out", RULES, _OBSERVED, all_queues=True))
    assert_same_tables(audit.folder, read_estate([exports], _OBSERVED))
    fired = {row["rule"] for row in table(audit.folder, "findings")}
    assert {"MDB108", "MDB130"} <= fired
    assert any(row["rule"] == "MDB130" for row in table(audit.folder, "undecided"))
