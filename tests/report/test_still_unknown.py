"""What a plan says of queues whose fate the exports do not settle."""

from __future__ import annotations

import html
from pathlib import Path

from tests.support.command import Run

_HEAD = """\
* Script generated on 2026-11-23   at 06.10.02
* Queue manager name: QM1
* Queue manager platform: UNIX
* Queue manager command level: (930/930)
* Command issued: dmpmqcfg -m QM1 -a
ALTER QMGR DEADQ('DEAD') FORCE
DEFINE QLOCAL('DEAD') REPLACE
DEFINE CHANNEL('TO.QM1') CHLTYPE(CLUSRCVR) CLUSTER('CL') CONNAME('h(1414)') REPLACE
"""
_END = "* Script ended on 2026-11-23   at 06.10.04\n"
_COUNT = "Unknown, before and after: what becomes of a poison message on {}. What is missing:"


def _plan(lintmdb: Run, folder: Path, backout_queues: list[str]) -> tuple[str, ...]:
    """The text, the Markdown and the page of the plan for queues with these backout queues."""
    queues = [f"DEFINE QLOCAL('A{n}') BOTHRESH(3) BOQNAME('{name}')\n" for n, name in enumerate(backout_queues)]
    (folder / "QM1.mqsc").write_text("".join((_HEAD, *queues, _END)), "utf-8")
    out = folder / "plan"
    text = lintmdb("plan", folder / "QM1.mqsc", "--all-queues", "--out", out).stdout
    pages = [html.unescape((out / name).read_text("utf-8")).replace("\\", "") for name in ("plan.md", "plan.html")]
    return " ".join(text.split()), *pages


def test_a_plan_names_what_it_cannot_decide(lintmdb: Run, tmp_path: Path) -> None:
    """Nothing to change is not the same as nothing wrong."""
    for told in _plan(lintmdb, tmp_path, ["GONE"]):
        assert "Nothing to change" in told
        assert _COUNT.format("1 queue") in told
        assert "queue A0 at QM1: whether a cluster has a queue GONE, which BOQNAME of A0 at QM1 names" in told
        assert "DISPLAY QCLUSTER('GONE')" in told


def test_what_lacks_the_same_is_named_together(lintmdb: Run, tmp_path: Path) -> None:
    """The text cuts long lists, and the documents name everything."""
    text, *pages = _plan(lintmdb, tmp_path, ["GONE"] * 6 + ["G1", "G2", "G3", "DEAD"])
    assert _COUNT.format("9 queues") in text
    assert "queue A3 at QM1 and 2 more: whether a cluster has a queue GONE, which BOQNAME of 6 queues (A0" in text
    assert "and 1 more (--format markdown lists every one)" in text
    for page in pages:
        assert "queue A4 at QM1 and queue A5 at QM1: whether a cluster has a queue GONE" in page
        assert "queue A8 at QM1: whether a cluster has a queue G3" in page


def test_nothing_is_said_where_everything_is_decided(lintmdb: Run, tmp_path: Path) -> None:
    """A fate that the exports settle is told with the others."""
    for told in _plan(lintmdb, tmp_path, ["DEAD"]):
        assert "Unknown, before and after" not in told


_READERS = """\
queue_managers: [{queue_manager: QM1, user: app}]
users: [{user: app, groups: [apps]}]
"""
_GRANTED = """\
SET AUTHREC PROFILE('self') GROUP('apps') OBJTYPE(QMGR) AUTHADD(CONNECT,INQ)
SET AUTHREC PROFILE('A.IN') GROUP('apps') OBJTYPE(QUEUE) AUTHADD(BROWSE,GET,INQ)
"""


def test_a_backout_queue_that_may_not_exist_is_told_where_rights_decide_the_fate(lintmdb: Run, tmp_path: Path) -> None:
    """The rights on the dead-letter queue may be no more than a remedy for a misspelt name."""
    queues = "DEFINE QLOCAL('A.IN') BOTHRESH(3) BOQNAME('A.BQ')\nDEFINE QLOCAL('A.BOQ')\n"
    (tmp_path / "QM1.mqsc").write_text("".join((_HEAD, queues, _GRANTED, _END)), "utf-8")
    (tmp_path / "o.yaml").write_text(_READERS, "utf-8")
    given = (tmp_path / "QM1.mqsc", "--all-queues", "--observations", tmp_path / "o.yaml")
    out = tmp_path / "plan"
    text = " ".join(lintmdb("plan", *given, "--out", out).stdout.split())
    for told in (text, *[html.unescape((out / name).read_text("utf-8")) for name in ("plan.md", "plan.html")]):
        assert "Unknown, before and after: whether the queue that BOQNAME names exists, for 1 queue." in told
        assert "DISPLAY QCLUSTER('A.BQ')" in told
        assert "what becomes of a poison message on 1 queue. What is missing" not in told
    assert "DEAD group apps gets put, passall MDB125" in text
    checked = " ".join(lintmdb("check", *given).stdout.split())
    assert "MQ A.IN BOQNAME A.BQ (not known to exist)" in checked
    alias = "DEFINE QALIAS('A.BQ') TARGET('NONE')\n"
    (tmp_path / "QM1.mqsc").write_text("".join((_HEAD, queues, alias, _GRANTED, _END)), "utf-8")
    assert "MQ A.IN BOQNAME A.BQ (TARGET not known)" in " ".join(lintmdb("check", *given).stdout.split())
    (tmp_path / "QM1.mqsc").write_text("".join((_HEAD, queues.replace("A.BQ", "A.BOQ"), _GRANTED, _END)), "utf-8")
    assert "Unknown, before" not in lintmdb("plan", *given).stdout
    assert "not known to exist" not in lintmdb("check", *given).stdout
