"""Whether a put to a backout queue or a dead-letter queue succeeds, as far as the attributes on its way tell."""

from __future__ import annotations

import pytest

from lintmdb.exports.mq import read_mqsc
from lintmdb.resolve.mq.queue_manager import resolve_queue_manager
from tests.support.dumps import ENDED

_DUMP = (
    f"* Queue manager name: QM1\n* Queue manager platform: UNIX\n* Command issued: dmpmqcfg -m QM1 -a\n{ENDED}"
    "ALTER QMGR DEADQ('DEAD') DEFXMITQ(' ') FORCE\n"
    "DEFINE QLOCAL('A.IN') BOTHRESH(3) BOQNAME('A.BACKOUT') REPLACE\n"
)
_REMOTE = "DEFINE QREMOTE('{}') RNAME('B') RQMNAME('QM2') XMITQ('{}') REPLACE\n"
_STREAMING = "DEFINE QLOCAL('A.BACKOUT') STREAMQ('{}') STRMQOS({}) REPLACE\n"


def _takes(name: str, script: str, head: str = _DUMP) -> bool | None:
    rows = resolve_queue_manager("QM1", [read_mqsc((head + script).encode(), "QM1.mqsc")]).rows
    return next(row for row in rows["put_target"] if row.name == name).takes_puts


@pytest.mark.parametrize(
    ("transmission", "takes"),
    [
        ("DEFINE QLOCAL('XQ') USAGE(XMITQ) REPLACE", True),
        ("DEFINE QLOCAL('XQ') USAGE(XMITQ) MAXDEPTH(0) REPLACE", False),
        ("DEFINE QLOCAL('XQ') USAGE(XMITQ) PUT(DISABLED) REPLACE", False),
        ("DEFINE QLOCAL('XQ') USAGE(NORMAL) REPLACE", False),
        ("", False),
    ],
)
@pytest.mark.parametrize("name", ["A.BACKOUT", "DEAD"])
def test_a_remote_queue_takes_what_its_transmission_queue_takes(name: str, transmission: str, takes: bool) -> None:
    """Whoever puts there, for either of its uses."""
    assert _takes(name, f"{transmission}\n{_REMOTE.format(name, 'XQ')}") is takes


def test_a_way_that_no_export_shows_is_not_known() -> None:
    """The queue manager is in a cluster, which may know the other one."""
    cluster = "DEFINE CHANNEL('TO.C') CHLTYPE(CLUSRCVR) CLUSTER('C') REPLACE\n"
    assert _takes("A.BACKOUT", cluster + _REMOTE.format("A.BACKOUT", " ")) is None


@pytest.mark.parametrize(
    ("copy", "takes"),
    [
        ("DEFINE QLOCAL('COPY') REPLACE", True),
        ("DEFINE QLOCAL('COPY') PUT(DISABLED) REPLACE", False),
        ("DEFINE QLOCAL('COPY') MAXDEPTH(0) REPLACE", False),
        ("DEFINE QALIAS('COPY') TARGET('GONE') REPLACE", False),
        ("", False),
    ],
)
def test_a_copy_that_must_be_put_decides(copy: str, takes: bool) -> None:
    """With STRMQOS(MUSTDUP) alone."""
    assert _takes("A.BACKOUT", f"{copy}\n{_STREAMING.format('COPY', 'MUSTDUP')}") is takes
    assert _takes("A.BACKOUT", f"{copy}\n{_STREAMING.format('COPY', 'BESTEF')}") is True


def test_a_copy_that_goes_to_a_queue_of_which_nothing_is_known_leaves_the_put_open() -> None:
    """A script of a few definitions does not say what else there is."""
    script = "DEFINE QLOCAL('A.IN') BOTHRESH(3) BOQNAME('A.BACKOUT')\n"
    assert _takes("A.BACKOUT", script + _STREAMING.format("COPY", "MUSTDUP"), head="") is None
    assert _takes("A.BACKOUT", script + "DEFINE QLOCAL('A.BACKOUT')\n", head="") is True


@pytest.mark.parametrize(
    ("channels", "told"),
    [
        ("CHANNEL('QM1.QM2') CHLTYPE(SDR) XMITQ('XQ') MAXMSGL(1000)", "QM1.QM2 with MAXMSGL(1000)"),
        ("CHANNEL('QM1.QM2') CHLTYPE(SVR) XMITQ('XQ')", "QM1.QM2 with MAXMSGL(4194304)"),
        ("CHANNEL('QM1.QM3') CHLTYPE(SDR) XMITQ('OTHER') MAXMSGL(1000)", None),
        ("CHANNEL('IN') CHLTYPE(RCVR) MAXMSGL(1000)", None),
        (
            "CHANNEL('B') CHLTYPE(SDR) XMITQ('XQ') MAXMSGL(0)\nDEFINE CHANNEL('A') CHLTYPE(SDR) XMITQ('XQ') MAXMSGL(9)",
            "A with MAXMSGL(9) and B with MAXMSGL(0)",
        ),
    ],
)
def test_the_channels_of_a_transmission_queue_are_known(channels: str, told: str | None) -> None:
    """Sender and server channels name it."""
    script = f"DEFINE QLOCAL('XQ') USAGE(XMITQ) REPLACE\n{_REMOTE.format('A.BACKOUT', 'XQ')}DEFINE {channels}\n"
    rows = resolve_queue_manager("QM1", [read_mqsc((_DUMP + script).encode(), "QM1.mqsc")]).rows
    assert next(row for row in rows["put_target"] if row.name == "A.BACKOUT").transmission_channels == told
