"""What is MQSC, by its first bytes."""

from __future__ import annotations

import pytest

from lintmdb.exports.mq import looks_like_ebcdic_mqsc, read_mqsc
from lintmdb.exports.mq.sniff import looks_like_mqsc

DECK = [f"{'DEFINE NOREPLACE':<71}-00000001", f"{' QLOCAL(APP.IN)':<71}-00000002", f"{' BOTHRESH(5)':<72}00000003"]


@pytest.mark.parametrize(
    "text",
    [
        "* first\n* second\n\nDEFINE QLOCAL(A)\n",
        "def ql(a) bothresh(3)\n",
        "   DEFINE QLOCAL (A) +\n  BOTHRESH(1)\n",
        "DEFINE +\n  QLOCAL(A) +\n  BOTHRESH(1)\n",
        "ALTER QMGR +\r\n DEADQ('X')\r\n",
        "SET AUTHREC +\n PROFILE('x')\n",
        "SET CHLAUTH('*') TYPE(BLOCKUSER) USERLIST('nobody')\n",
        "\ufeffDEF QL(A);DEF QL(B);\n",
        "{{ if .x }}\nDEFINE QLOCAL(A)\n{{ end }}\n",
        "# queues\nDEFINE QLOCAL(A)\n",
        "****\n* Script generated on 2026-01-01   at 10.00.00\n",
        "Starting\nDEFINE QLOCAL(A)\nDEFINE QLOCAL(B)\n",
        "DEFINE QLOCAL(A)\x85DEFINE QLOCAL(B)\x85",
        "\n".join(DECK),
        "".join(DECK),
    ],
)
def test_mqsc(text: str) -> None:
    """Scripts, dumps and decks are told in any layout."""
    assert looks_like_mqsc(text.encode())


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# Queues\n\nRun this:\n\n```\nDEFINE QLOCAL(A)\n```\nThen restart.\nThat is all.\n",
        "* Define QLOCAL(x) first\n* Alter QMGR next\n",
        "kind: ConfigMap\ndata:\n  x.mqsc: |\n    DEFINE QLOCAL(A)\n    DEFINE QLOCAL(B)\n    DEFINE QLOCAL(C)\n",
        "mqsc:\n - |\n   DEFINE QLOCAL(A)\n   DEFINE QLOCAL(B)\n   ALTER QMGR DEADQ(A)\n",
        '{"mqsc": "DEFINE QLOCAL(A)"}',
        "package x;\npublic class A {\n  // DEFINE QLOCAL(A)\n}\n",
        "[Log]\nLogType=CIRCULAR\n",
        "ALTER SYSTEM SET x = 1;\nALTER TABLE t ADD c;\nDELETE FROM t;\n",
        "set topic (x)\nset queue (y)\n",
        "Start queue processing, then stop.\nDefine process steps early.\n",
        "#!/bin/sh\nrunmqsc QM1 <<EOF\nDEFINE QLOCAL(A)\nEOF\n",
        "setmqaut -m QM1 -t q -n A -p x +put\n",
        "     1 : dis ql(A)\nAMQ8409: Display Queue details.\n   QUEUE(A)   TYPE(QLOCAL)\n",
    ],
)
def test_other_formats(text: str) -> None:
    """Other languages, prose and files that contain MQSC are not MQSC themselves."""
    assert not looks_like_mqsc(text.encode())
    assert not looks_like_ebcdic_mqsc(text.encode())


@pytest.mark.parametrize("code_page", ["cp037", "cp500", "cp1140"])
@pytest.mark.parametrize(
    "text",
    ["DEFINE QLOCAL(A)\x85", "def ql(a)\x85", "SET AUTHREC PROFILE(A)\x85", "ALTER QMGR DEADQ(X)", "".join(DECK)],
)
def test_ebcdic(text: str, code_page: str) -> None:
    """MQSC in EBCDIC is recognised for what it is, with line ends or without."""
    data = text.encode(code_page)
    assert looks_like_ebcdic_mqsc(data)
    assert not looks_like_mqsc(data)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\x85", ""])
def test_a_deck_reads_the_same_with_any_line_ends(end: str) -> None:
    """Records are told apart by any line end, iconv's U+0085 for EBCDIC's included, and by their length alone."""
    file = read_mqsc(end.join(DECK).encode(), "QM1.txt")
    (command,) = file.commands
    assert (command.name, file.problems) == ("APP.IN", [])
    assert [(p.text, line, p.column) for p, line in command.parameters] == [("NOREPLACE", 1, 8), ("BOTHRESH(5)", 3, 2)]


def test_one_long_line_is_not_cut_into_records() -> None:
    """A line without a line end is only records where columns 73 to 80 are a number or blank."""
    file = read_mqsc(b"DEFINE QLOCAL(A) DESCR('" + b"x" * 134 + b"')", "x")
    assert [c.name for c in file.commands] == ["A"]
