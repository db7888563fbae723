"""What a report says of the fate of messages: under which condition, and of which messages."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from tests.support.command import Run
from tests.support.dumps import WHOLE
from tests.support.html_page import Node, Page
from tests.support.project import FIXTURES
from tests.support.scenario_folders import scenario_folder

_IF_ALLOWED = "if its user has put and passall there"


def _words(text: str) -> str:
    return " ".join(text.split())


def _page(text: str) -> Node:
    return Page(text).root


def _dump(folder: Path, *changes: tuple[str, str]) -> Path:
    """The dump of the fixture `clean`, changed."""
    text = (FIXTURES / "clean" / "mq" / "QM1.mqsc").read_text()
    for pattern, replacement in changes:
        text, count = re.subn(pattern, replacement, text)
        assert count, pattern
    file = folder / "QM1.mqsc"
    file.write_text(text)
    return file


_NO_RIGHTS = (r"SET AUTHREC(?s:.)+?(?=DEFINE CHANNEL)", "")
_CUT = (r"\* Script ended on.*\n", "")
_SHORT_BACKOUT_QUEUE = (r"(QLOCAL\('ORDERS\.BACKOUT'\)(?s:.)+?)MAXMSGL\(4194304\)", r"\1MAXMSGL(1000)")


def test_a_move_that_rests_on_rights_that_no_export_shows_says_so(lintmdb: Run, tmp_path: Path) -> None:
    """Whoever looks for the queue that loses messages must not strike it off."""
    was = FIXTURES / "clean" / "was"
    whole = lintmdb("check", was, _dump(tmp_path), "-v").stdout
    assert "a poison message is moved aside" in whole
    assert _IF_ALLOWED not in _words(whole)
    unknown = _words(lintmdb("check", was, _dump(tmp_path, _NO_RIGHTS, _CUT)).stdout)
    assert f"Flows 1: a poison message is moved aside (only {_IF_ALLOWED})" in unknown
    slow = _words(lintmdb("check", was, _dump(tmp_path, _NO_RIGHTS, _CUT), "--on-message", "200s").stdout)
    assert f"is moved to the backout queue ORDERS.BACKOUT after 3 failed deliveries, {_IF_ALLOWED}." in slow


def _in_cluster(folder: Path, *changes: tuple[str, str]) -> tuple[Path, Path]:
    """A backout queue of a cluster, on which nobody knows the rights of the user, and an answer that shows it; the user
    may put messages on the dead-letter queue.
    """
    records = [
        f"SET AUTHREC PROFILE('{name}') PRINCIPAL('wasuser') OBJTYPE({kind}) AUTHADD({rights})\n"
        for name, kind, rights in (
            ("SELF", "QMGR", "CONNECT,INQ"),
            ("ORDERS.IN", "QUEUE", "BROWSE,GET,INQ"),
            ("ORDERS.BACKOUT", "QUEUE", "BROWSE"),
            ("SYSTEM.CLUSTER.TRANSMIT.QUEUE", "QUEUE", "PUT,PASSALL"),
            ("QM1.DEAD", "QUEUE", "PUT,PASSALL"),
        )
    ]
    member = (
        "DEFINE CHANNEL(TO.QM1) CHLTYPE(CLUSRCVR) CONNAME(h) CLUSTER(C)\n"
        "ALTER QMGR DEFCLXQ(SCTQ)\nDEFINE QLOCAL(SYSTEM.CLUSTER.TRANSMIT.QUEUE) USAGE(XMITQ) MAXMSGL(104857600)\n"
    )
    other = (r"QLOCAL\('ORDERS\.BACKOUT'\)", "QLOCAL('OTHER.BACKOUT')")
    folder.mkdir(exist_ok=True)
    dump = _dump(folder, (_NO_RIGHTS[0], member + "".join(records)), other, *changes)
    answer = folder / "answer.txt"
    answer.write_text(
        "Starting MQSC for queue manager QM1.\n\n     1 : DISPLAY QCLUSTER('ORDERS.BACKOUT')\n"
        "AMQ8409I: Display Queue details.\n   QUEUE(ORDERS.BACKOUT)  TYPE(QCLUSTER)\n"
        "   CLUSQMGR(QM2)  CLUSQT(QLOCAL)\n   CLUSTER(C)  PUT(ENABLED)\nOne MQSC command read.\n"
    )
    return dump, answer


def test_a_message_that_is_moved_aside_whatever_its_user_may_do_has_no_condition(lintmdb: Run, tmp_path: Path) -> None:
    """It goes to the dead-letter queue if its user may not put it on the backout queue."""
    asked = (FIXTURES / "clean" / "was", *_in_cluster(tmp_path), "--on-message", "200s")
    told = _words(lintmdb("check", *asked).stdout)
    otherwise = ", or to the dead-letter queue QM1.DEAD if its user lacks put or passall on ORDERS.BACKOUT"
    assert "Flows 1: a poison message is moved aside Findings" in told
    assert f"is moved to the backout queue ORDERS.BACKOUT after 3 failed deliveries{otherwise}." in told
    page = _page(lintmdb("check", *asked, "--format", "html").stdout)
    assert next(page.find("p", class_="lead")).text == "A poison message is dealt with on 1 flow."
    stories = [node.text for node in page.find("summary")]
    assert f"One poison message: moved to the backout queue ORDERS.BACKOUT{otherwise}" in stories
    table = lintmdb("check", *asked, "--format", "csv").stdout
    assert f'"moved to the backout queue ORDERS.BACKOUT{otherwise}"' in table
    story = _words(lintmdb("trace", *asked).stdout)
    assert f" (or{otherwise.removeprefix(', or')}; no export shows whether it may)" in story


def test_a_dead_letter_queue_that_takes_less_keeps_the_condition(lintmdb: Run, tmp_path: Path) -> None:
    """For every message where it takes none, for the longest where it takes only shorter ones; diff says so, too."""
    was, whole = FIXTURES / "clean" / "was", _in_cluster(tmp_path / "whole")
    no_puts = (r"(QLOCAL\('QM1\.DEAD'\)(?s:.)+?)PUT\(ENABLED\)", r"\1PUT(DISABLED)")
    closed = _in_cluster(tmp_path / "closed", no_puts)
    compared = _words(lintmdb("diff", "--before", was, *_before(whole), "--after", was, *_after(closed)).stdout)
    moved = "moved to the backout queue ORDERS.BACKOUT"
    assert f"if its user lacks put or passall on ORDERS.BACKOUT -> {moved} {_IF_ALLOWED} (otherwise" in compared
    short = _in_cluster(tmp_path / "short", (r"(QLOCAL\('QM1\.DEAD'\)(?s:.)+?)MAXMSGL\(\d+\)", r"\1MAXMSGL(1000)"))
    told = _words(lintmdb("check", was, *short, "--on-message", "200s").stdout)
    longest = "A poison message of 4194304 bytes, the longest that ORDERS.IN takes, is moved to the backout queue "
    assert f"{longest}ORDERS.BACKOUT after 3 failed deliveries, {_IF_ALLOWED}." in told


def _before(paths: tuple[Path, ...]) -> list[str | Path]:
    return [part for path in paths for part in ("--before", path)]


def _after(paths: tuple[Path, ...]) -> list[str | Path]:
    return [part for path in paths for part in ("--after", path)]


def test_a_page_and_markdown_say_so_too(lintmdb: Run, tmp_path: Path) -> None:
    """The first screen, the overview, the card and its story, and the counts of a pipeline's summary."""
    dump, was = _dump(tmp_path, _NO_RIGHTS, _CUT), FIXTURES / "clean" / "was"
    asked = (was, dump, "--on-message", "200s")
    page = _page(lintmdb("check", *asked, "--format", "html").stdout)
    lead = next(page.find("p", class_="lead")).text
    assert lead == f"A poison message is dealt with on 1 flow. It is moved aside only {_IF_ALLOWED}."
    assert next(page.find("td", class_="fate")).text == "moved aside if allowed"
    assert [node.text for node in page.find("p", class_="becomes")] == [
        f"A poison message is moved to the backout queue ORDERS.BACKOUT after 3 failed deliveries, {_IF_ALLOWED}."
    ]
    stories = [node.text for node in page.find("summary")]
    assert f"One poison message: moved to the backout queue ORDERS.BACKOUT {_IF_ALLOWED}" in stories
    summary = lintmdb("check", *asked, "--format", "markdown").stdout
    assert f"1 flow: a poison message is moved aside (only {_IF_ALLOWED})." in summary
    table = lintmdb("check", *asked, "--format", "csv").stdout
    assert f",moved to the backout queue ORDERS.BACKOUT {_IF_ALLOWED}\n" in table


def test_a_difference_says_so_too(lintmdb: Run, tmp_path: Path) -> None:
    """What a later state makes of a message is no better than what is known of rights."""
    was = FIXTURES / "clean" / "was"
    for name, changes in {"old": [(r"BOTHRESH\(3\)", "BOTHRESH(0)")], "new": []}.items():
        (tmp_path / name).mkdir()
        shutil.copytree(was, tmp_path / name / "was")
        _dump(tmp_path / name, _NO_RIGHTS, _CUT, *changes)
    told = _words(lintmdb("diff", tmp_path / "old", tmp_path / "new").stdout)
    assert f"loops for ever -> moved to the backout queue ORDERS.BACKOUT {_IF_ALLOWED}" in told


def test_the_reader_of_a_queue_that_nobody_names_has_every_right(lintmdb: Run, tmp_path: Path) -> None:
    """The report says so once: its fates do not take it back."""
    dump = _dump(tmp_path, _NO_RIGHTS, _CUT, _SHORT_BACKOUT_QUEUE)
    told = _words(lintmdb("check", "--all-queues", dump).stdout)
    assert "has every right, a poison message is moved aside" in told
    assert _IF_ALLOWED not in told


def test_the_longest_message_has_a_sentence_where_its_fate_is_another(lintmdb: Run, tmp_path: Path) -> None:
    """A backout queue that takes shorter messages only hides that longer ones block delivery, or are lost."""
    which = "of 4194304 bytes, the longest that ORDERS.IN takes,"
    assert which not in _words(lintmdb("check", "--all-queues", _dump(tmp_path)).stdout)
    refused = _words(lintmdb("check", "--all-queues", _dump(tmp_path, _SHORT_BACKOUT_QUEUE)).stdout)
    assert "A poison message is moved to the backout queue ORDERS.BACKOUT after 3 failed deliveries." in refused
    lost = f"A non-persistent poison message {which} is discarded after 3 failed deliveries"
    assert f"{lost}; a persistent one blocks delivery after 3 failed deliveries, and every message" in refused
    assert "MQ QM1.DEAD MAXMSGL 104857600" in refused
    assert "MQ QM1 DEADQ QM1.DEAD" in refused
    page = _page(lintmdb("check", FIXTURES / "clean" / "was", tmp_path / "QM1.mqsc", "--format", "html").stdout)
    usual, longest = (node.text for node in page.find("p", class_="becomes"))
    assert usual == "A poison message is moved to the backout queue ORDERS.BACKOUT after 3 failed deliveries."
    assert longest.startswith(lost)
    (title,) = (text for node in page.find("summary") if (text := node.text).endswith("(MDB108)"))
    assert title.startswith("One poison message, as long as its queue allows: ")


def test_the_longest_message_of_the_dead_letter_queue_has_a_sentence(lintmdb: Run, tmp_path: Path) -> None:
    """A dead-letter header makes it too long (MDB115); a queue that takes no longer ones says nothing of lengths."""
    no_backout, reader = (r"BOQNAME\('ORDERS.BACKOUT'\)", "BOQNAME(' ')"), ("--all-queues", "--select", "MDB115")
    told = _words(lintmdb("check", *reader, _dump(tmp_path, no_backout)).stdout)
    which = "of 4194304 bytes, the longest that ORDERS.IN takes,"
    assert "A poison message is moved to the dead-letter queue QM1.DEAD after 3 failed deliveries." in told
    assert f"A non-persistent poison message {which} is discarded after 3 failed deliveries; a persistent one" in told
    shorter = (r"(QLOCAL\('ORDERS\.IN'\)(?s:.)+?)MAXMSGL\(4194304\)", r"\1MAXMSGL(1000)")
    assert "the longest that" not in lintmdb("check", *reader, _dump(tmp_path, no_backout, shorter)).stdout


def test_a_repair_names_what_else_a_longer_message_meets(lintmdb: Run) -> None:
    """A transmission queue that takes longer messages is not the only limit on the way: in the short report, too."""
    told = _words(lintmdb("check", scenario_folder("backout-remote-too-long")).stdout)
    caution = "A longer message also has to fit channel QM1.QM2 with MAXMSGL(4194304), and the queue at the other end."
    assert f"QM1 QM2.XQ MAXMSGL 4194304 -> 4198304 {caution}" in told


def test_an_endpoint_that_stops_leaves_the_queue_to_another_one(lintmdb: Run, tmp_path: Path) -> None:
    """Nothing is delivered only where nobody else reads."""
    estate = FIXTURES / "stop-3-sessions-5-bothresh-5"
    alone = _words(lintmdb("check", estate).stdout)
    assert "stops OrdersAS after 3 failed deliveries, and nothing is delivered until somebody starts it again." in alone
    shutil.copytree(estate / "was" / "cells" / "C1", tmp_path / "cells" / "C2")
    for file in tmp_path.rglob("*.xml"):
        file.write_text(file.read_text().replace("C1", "C2"))
    both = _words(lintmdb("check", estate, tmp_path).stdout)
    leaves = "it receives nothing until somebody starts it again; another endpoint reads ORDERS.IN, too, and it gets "
    leaves += "the message next. There it is moved to the backout queue ORDERS.BACKOUT."
    assert both.count(f"stops OrdersAS after 3 failed deliveries, and {leaves}") == 1  # told once of flows alike


@pytest.mark.parametrize(
    ("threshold", "second", "then"),
    [
        (3, 3, "There it is moved to the backout queue ORDERS.BACKOUT."),
        (5, 3, "There it is moved to the backout queue ORDERS.BACKOUT."),
        (6, 3, "The same happens there, so in the end nobody reads the queue."),
        (0, 3, "The same happens there, so in the end nobody reads the queue."),
        (5, 4, ""),
    ],
)
def test_the_next_reader_counts_from_zero_while_the_message_keeps_its_count(
    lintmdb: Run, tmp_path: Path, threshold: int, second: int, then: str
) -> None:
    """What a reader with another limit does is not told."""
    estate = tmp_path / "estate"
    shutil.copytree(FIXTURES / "stop-3-sessions-5-bothresh-5", estate)
    dump = estate / "mq/QM1.mqsc"
    dump.write_text(dump.read_text().replace("BOTHRESH(5)", f"BOTHRESH({threshold})"))
    other = tmp_path / "other"
    shutil.copytree(estate / "was/cells/C1", other / "cells/C2")
    for file in other.rglob("*.xml"):
        text = file.read_text().replace("C1", "C2")
        file.write_text(
            text.replace("failureDeliveryCount=&quot;3&quot;", f"failureDeliveryCount=&quot;{second}&quot;")
        )
    told = _words(lintmdb("check", estate, other).stdout)
    next_one = f"another endpoint reads ORDERS.IN, too, and it gets the message next. {then}"
    assert next_one.strip() in told
    page = lintmdb("check", estate, other, "--format", "html").stdout
    assert [(then or "There it") in text for text in (told, page)] == [bool(then)] * 2


@pytest.mark.parametrize(
    ("own", "another"),
    [
        ("", ""),
        ("sslType=", "messageSelector=&quot;region = 'EU'&quot;,sslType="),
        ("sslType=", "WAS_EndpointInitialState=&quot;INACTIVE&quot;,sslType="),
        ("wasuser", "nobody1"),
    ],
)
def test_what_the_next_reader_does_is_told_only_of_one_that_is_like_the_first(
    lintmdb: Run, tmp_path: Path, own: str, another: str
) -> None:
    """One that takes other messages, does not start by itself, or has other rights may do something else."""
    first = FIXTURES / "stop-3-sessions-5-bothresh-5"
    shutil.copytree(first / "was/cells/C1", tmp_path / "cells/C2")
    found = 0
    for file in tmp_path.rglob("*.xml"):
        text = file.read_text().replace("C1", "C2")
        found += bool(own) and text.count(own)
        file.write_text(text.replace(own, another) if own else text)
    assert bool(found) is bool(own)
    told = _words(lintmdb("check", first, tmp_path).stdout)
    assert ("There it is moved to the backout queue" in told) is not own


def test_the_next_reader_of_a_message_finds_the_queue_full_too(lintmdb: Run, tmp_path: Path) -> None:
    """What is discarded there is lost, although the first endpoint only stops."""
    first = FIXTURES / "stop-3-sessions-5-bothresh-5"
    shutil.copytree(first / "was/cells/C1", tmp_path / "cells/C2")
    for file in tmp_path.rglob("*.xml"):
        file.write_text(file.read_text().replace("C1", "C2"))
    dump = (first / "mq/QM1.mqsc").read_text()
    (tmp_path / "QM1.mqsc").write_text(dump)
    (tmp_path / "state.txt").write_text(
        "Starting MQSC for queue manager QM1.\n\n     1 : DISPLAY QSTATUS(ORDERS.BACKOUT)\n"
        "AMQ8450I: Display queue status details.\n   QUEUE(ORDERS.BACKOUT)   TYPE(QUEUE)\n   CURDEPTH(999999)\n"
        "One MQSC command read.\n"
    )
    told = _words(lintmdb("check", first / "was", tmp_path).stdout)
    full = "ORDERS.BACKOUT was full when it was exported. Until it has room, a non-persistent one is discarded"
    assert f"There it is moved to the backout queue ORDERS.BACKOUT. {full}" in told
    traced = _words(lintmdb("trace", first / "was", tmp_path, "--backout-full").stdout)
    assert traced.count("and it gets the message next. There a non-persistent one is discarded") == 2
    assert traced.count("There it is moved") == 0
    for option in ("--restart-after=1", "--start-again=1", "--reading=spec_stop=exceed"):
        assert "gets the message next" not in lintmdb("trace", first / "was", tmp_path, option).stdout


def test_the_longest_message_of_a_bean_that_manages_transactions_has_a_sentence(lintmdb: Run, tmp_path: Path) -> None:
    """Its non-persistent messages are lost at any length: the persistent ones still differ by their length."""
    was = tmp_path / "was"
    shutil.copytree(FIXTURES / "clean" / "was", was)
    (descriptor,) = was.rglob("ejb-jar.xml")
    text = descriptor.read_text()
    descriptor.write_text(text.replace(">Container</transaction-type>", ">Bean</transaction-type>"))
    told = _words(lintmdb("check", was, _dump(tmp_path, _SHORT_BACKOUT_QUEUE)).stdout)
    assert "A non-persistent poison message is lost; a persistent one is moved to the backout queue" in told
    which = "of 4194304 bytes, the longest that ORDERS.IN takes,"
    assert f"A persistent poison message {which} blocks delivery after 3 failed deliveries" in told


def test_a_transmission_queue_that_takes_messages_is_said_to_be_one(lintmdb: Run, tmp_path: Path) -> None:
    """Only a channel reads it, whether BOQNAME or DEADQ names it."""
    dump = tmp_path / "QM1.mqsc"
    for boqname, moved_to in (("DEAD", "backout"), (" ", "dead-letter")):
        dump.write_text(
            "* Queue manager name: QM1\n* Command issued: dmpmqcfg -m QM1 -a\nDEFINE QLOCAL('DEAD') USAGE(XMITQ)\n"
            f"DEFINE QLOCAL('A') BOTHRESH(3) BOQNAME('{boqname}')\nALTER QMGR DEADQ('DEAD')\n{WHOLE}"
        )
        told = _words(lintmdb("check", "--all-queues", dump).stdout)
        taken = f"is moved to the {moved_to} queue DEAD, a transmission queue, which only a channel reads, after 3"
        assert taken in told


def test_a_fate_that_rests_on_rights_is_not_called_better(lintmdb: Run, tmp_path: Path) -> None:
    """If the user has no rights there, a message that looped is lost."""
    (tmp_path / "c.mqsc").write_text("* Queue manager name: QM1\nALTER QLOCAL(ORDERS.IN) BOTHRESH(3)\n")
    loops = _dump(tmp_path, _NO_RIGHTS, _CUT, (r"BOTHRESH\(3\)", "BOTHRESH(0)"))
    told = _words(
        lintmdb("diff", FIXTURES / "clean" / "was", "--before", loops, "--change", tmp_path / "c.mqsc").stdout
    )
    assert f"loops for ever -> moved to the backout queue ORDERS.BACKOUT {_IF_ALLOWED}" in told
    assert "(better)" not in told
