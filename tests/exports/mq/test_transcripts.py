"""Transcripts of runmqsc: what an answer shows, what a command did, and what a list says of the rest."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintmdb.exports.mq import Listing, MqscFile, read_mqsc
from lintmdb.exports.mq.display import looks_like_transcript, read_transcript
from lintmdb.model.facts import Facts
from lintmdb.model.relations import Queue, QueueName
from lintmdb.resolve.mq.queue_manager import resolve_queue_manager
from lintmdb.resolve.observations import Observations
from lintmdb.run.estate import read_estate
from tests.support.dumps import WHOLE

BANNER = "5724-H72 (C) Copyright IBM Corp. 1994, 2025.\nStarting MQSC for queue manager QM1.\n\n\n"
END = "One MQSC command read.\nNo commands have a syntax error.\nAll valid MQSC commands were processed.\n"
QUEUE = "AMQ8409I: Display Queue details.\n   QUEUE(A)                                TYPE(QLOCAL)\n"


def read(*lines: str) -> MqscFile:
    """The only queue manager of a session."""
    (file,) = read_transcript((BANNER + "\n".join(lines) + "\n" + END).encode(), "QM1.log")
    return file


def facts(*files: MqscFile) -> Facts:
    """The relations of QM1."""
    return resolve_queue_manager("QM1", files)


def queue(file: MqscFile, name: str = "A") -> Queue:
    """One queue's row."""
    return next(row for row in facts(file).rows["queue"] if row.name == name)


def shown(file: MqscFile) -> list[tuple[str, int, int]]:
    """The attributes of the first object, each with its line and column."""
    return [(parameter.text, line, parameter.column) for parameter, line in file.commands[0].parameters]


def test_two_columns_and_wide_values() -> None:
    """The second column begins at the 44th character; what does not fit stands alone, whatever it holds."""
    file = read(
        "     1 : dis q(A) all",
        QUEUE.rstrip(),
        "   BOTHRESH(3)                             HARDENBO",
        "   DESCR(no) BOTHRESH(9) here, and (this is long) BOTHRESH(7)",
        "   MAXDEPTH(5000)                          BOQNAME( )",
    )
    assert file.queue_manager == "QM1"
    assert shown(file) == [
        ("BOTHRESH(3)", 8, 4),
        ("HARDENBO", 8, 44),
        ("DESCR(...)", 9, 4),
        ("MAXDEPTH(5000)", 10, 4),
        ("BOQNAME( )", 10, 44),
    ]
    row = queue(file)
    assert (row.backout_threshold, row.harden_backout, row.max_depth, row.backout_queue) == (3, True, 5000, "")
    assert row.origins["backout_threshold"].line == 8


@pytest.mark.parametrize(
    "lines",
    [
        ["QUEUE(A) TYPE(QLOCAL)", "BOTHRESH(3) BOQNAME(B.C)"],
        ["\tQUEUE(A)\tTYPE(QLOCAL)", "\tBOTHRESH(3)\tBOQNAME(B.C)"],
        ["   QUEUE(A)", "   TYPE(QLOCAL)", "   BOTHRESH(3)", "   BOQNAME(", "      B.C)"],
        ["   QUEUE(A)   TYPE(QLOCAL)   BOTHRESH(3)   BOQNAME(B", "   .C)"],
        ["   QUEUE(A)                                TYPE(QLOCAL)   BOTHRESH(3)   BOQNAME(B.C)"],
        [
            "   QUEUE(A)",
            "   TYPE(QLOCAL)                            DESCR(:) x BOQNAME(Z)",
            "   BOTHRESH(3) BOQNAME(B.C)",
        ],
    ],
)
@pytest.mark.parametrize("head", ["AMQ8409I: Display Queue details.", " AMQ8409: Anzeige der Details.", "AMQ8409:"])
def test_pasted_and_wrapped(lines: list[str], head: str) -> None:
    """Blanks that a mail took, and lines that a terminal wrapped, change nothing; nor does another language."""
    row = queue(read("     1 : dis q(A)", head, *lines))
    assert (row.backout_threshold, row.backout_queue) == (3, "B.C")


def test_what_is_not_shown_is_not_known() -> None:
    """No default of IBM counts, unless the answer is one to ALL."""
    row = queue(read("     1 : dis q(A) bothresh", QUEUE + "   BOTHRESH(3)"))
    assert row.backout_threshold == 3
    known = (row.backout_queue, row.max_depth, row.put_enabled, row.harden_backout, row.shareable, row.default_depth)
    assert known == (None,) * 6
    assert set(row.origins) == {"name", "backout_threshold"}


@pytest.mark.parametrize(
    ("answer", "threshold"),
    [
        ("AMQ8008I: IBM MQ queue changed.", 7),
        ("AMQ8008: WebSphere MQ queue changed.", 7),
        ("AMQ8147E: IBM MQ object A not found.", 3),
        ("AMQ8135E: Not authorized.", 3),
        ("AMQ8405I: Syntax error detected at or near end of command segment below:-\nalter ql(A) bothresh(7", 3),
        ("", 3),
    ],
)
def test_a_command_counts_if_it_succeeded(answer: str, threshold: int) -> None:
    """Its message says so; without one nobody knows, and that is a problem."""
    file = read(
        "     1 : dis q(A)", QUEUE + "   BOTHRESH(3)", "     2 : alter ql(A) +", "       :  bothresh(7)", answer
    )
    assert queue(file).backout_threshold == threshold
    assert [problem.line for problem in file.problems] == ([] if answer else [9])
    assert file.lost_commands == (0 if answer else 1)
    if threshold == 7:
        assert queue(file).origins["backout_threshold"].line == 10
        assert queue(file).origins["backout_threshold"].column == 11


def test_definitions_have_defaults() -> None:
    """A DEFINE that took effect sets what it leaves out, and what is defined again is not."""
    file = read(
        "     1 : def ql(A) bothresh(5)", "AMQ8006I: IBM MQ queue created.",
        "     2 : def ql(A) bothresh(9)", "AMQ8150E: IBM MQ object already exists.",
        "     3 : delete ql(B)", "AMQ8007I: IBM MQ queue deleted.",
    )  # fmt: skip
    row = queue(file)
    assert (row.backout_threshold, row.backout_queue, row.max_depth) == (5, "", 5000)


@pytest.mark.parametrize(
    ("question", "listed"),
    [
        ("dis ql(*)", [("QLOCAL", "*")]),
        ("DISPLAY QLOCAL(APP.*) BOTHRESH", [("QLOCAL", "APP.*")]),
        ("dis q(*) type(qlocal) all", [("QLOCAL", "*")]),
        ("dis queue('a.b')", [(noun, "a.b") for noun in ("QLOCAL", "QALIAS", "QREMOTE", "QMODEL")]),
        ("dis ql(*) where(bothresh gt 0)", []),
        ("dis ql(*) cluster(C1)", []),
        ("dis ql(*) stgclass(X)", []),
        ("dis ql(*A*)", []),
        ("dis chl(*)", [("CHANNEL", "*"), ("SVRCONN", "*")]),
        ("dis chl(APP.*) type(all)", [("CHANNEL", "APP.*"), ("SVRCONN", "APP.*")]),
        ("dis chl(*) chltype(svrconn)", [("SVRCONN", "*")]),
        ("DISPLAY CHANNEL(APP.*) TYPE(SVRCONN) MCAUSER", [("SVRCONN", "APP.*")]),
        ("dis chl(*) chltype(sdr)", []),
        ("dis chl(*) chltype(svrconn) where(mcauser eq ' ')", []),
        ("dis topic(*) type(cluster)", []),
        ("dis qstatus(*)", []),
        ("dis qc(*)", [("QCLUSTER", "*")]),
        ("dis q(A) type(qcluster)", [("QCLUSTER", "A")]),
        ("dis q(A) type(qcluster) where(put eq disabled)", []),
        ("dis q(A) clusinfo", [(noun, "A") for noun in ("QLOCAL", "QALIAS", "QREMOTE", "QMODEL", "QCLUSTER")]),
    ],
)
def test_what_a_list_covers(question: str, listed: list[tuple[str, str]]) -> None:
    """A list is complete for its pattern, and with a filter for nothing."""
    file = read(f"     1 : {question}", QUEUE.rstrip())
    assert file.listings == [Listing(*pair) for pair in listed]


@pytest.mark.parametrize(
    ("end", "complete"),
    [
        ("     2 : end\n", True),
        (END, True),
        ("Ein MQSC-Befehl gelesen.\n", True),
        ("admin@host:~$ exit\n", True),
        ("", False),
        ("AMQ8", False),
        ("AMQ8409I: Display Que", False),
        ("AMQ8409I: Display Queue details.\n   QUEUE(B", False),
        ("AMQ8409I: Display Queue details.\n   QUEUE(B)\n", False),
        ("AMQ8409I: Display Queue details.\n   QUEUE(B)  TYPE(QLOCAL) <html>\n     2 : end\n", False),
        ("AMQ8135E: Not authorized.\n     2 : end\n", False),
    ],
)
def test_a_list_that_is_cut_off_covers_nothing(end: str, complete: bool) -> None:
    """Something has to follow it; and all of it has to be understood."""
    (file,) = read_transcript(f"{BANNER}     1 : dis ql(*)\n{QUEUE}{end}".encode(), "x")
    assert bool(file.listings) is complete
    assert file.commands[0].name == "A"


def _names(file: MqscFile) -> dict[str, QueueName]:
    return {row.name: row for row in facts(file).rows["queue_name"]}


@pytest.mark.parametrize(
    ("question", "resolution"),
    [
        ("dis ql(*) boqname", None),
        ("dis q(*) boqname", "not_defined"),
        ("dis q(B*) boqname", "not_defined"),
        ("dis q(A*) boqname", None),
    ],
)
def test_what_a_list_leaves_out_is_not_defined(question: str, resolution: str | None) -> None:
    """Where the list covers its name, for queues of all types, and no cluster may have it."""
    channels = ["     2 : dis chl(*)", "AMQ8147E: IBM MQ object * not found."]
    file = read(f"     1 : {question}", QUEUE + "   BOQNAME(B.BACK)", *channels)
    assert queue(file).backout_resolution == resolution
    alone = read(f"     1 : {question}", QUEUE + "   BOQNAME(B.BACK)")
    assert queue(alone).backout_resolution is None


def test_a_name_that_is_not_found() -> None:
    """The queue manager says that nothing has it, so that a destination that names it is wrong."""
    file = read("     1 : dis q(NO.SUCH)", "AMQ8147E: IBM MQ object NO.SUCH not found.")
    assert _names(file)["NO.SUCH"].resolution == "not_defined"
    assert _names(read("     1 : dis ql(NO.SUCH)", "AMQ8147E: IBM MQ object NO.SUCH not found.")) == {}


def test_several_queue_managers() -> None:
    """Each session is one of its own."""
    text = BANNER + "     1 : dis q(A)\n" + QUEUE + END + BANNER.replace("QM1", "QM2") + "     1 : dis q(A)\n" + QUEUE
    assert [(file.queue_manager, len(file.commands)) for file in read_transcript(text.encode(), "x")] == [
        ("QM1", 1),
        ("QM2", 1),
    ]


def test_the_queue_manager_tells_of_itself() -> None:
    """DISPLAY QMGR has its name, platform, level and dead-letter queue."""
    text = (
        "AMQ8408I: Display Queue Manager details.\n"
        "   QMNAME(QM7)                             PLATFORM(UNIX)\n"
        "   CMDLEVEL(930)                           DEADQ(DLQ)\n"
    )
    (file,) = read_transcript(text.encode(), "x")
    row = facts(file).rows["queue_manager"][0]
    assert (file.queue_manager, row.platform, row.command_level, row.dead_letter_queue) == (
        "QM7",
        "distributed",
        930,
        "DLQ",
    )
    assert (row.max_message_bytes, row.complete) == (None, False)


def test_queues_of_a_cluster_are_defined_elsewhere() -> None:
    """CLUSINFO shows them among the queues of the queue manager."""
    file = read(
        "     1 : dis q(*) clusinfo", QUEUE.rstrip(), "AMQ8409I: Display Queue details.",
        "   QUEUE(B)                                TYPE(QCLUSTER)", "AMQ8409I: Display Queue details.",
        "   QUEUE(C)                                TYPE(QLOCAL)", "   CLUSQMGR(QM2)",
    )  # fmt: skip
    assert [command.name for command in file.commands] == ["A"]


def test_states_are_no_definitions() -> None:
    """DISPLAY QSTATUS, CHSTATUS and QMSTATUS begin as definitions do."""
    for number, first in (("8450", "QUEUE(A)"), ("8417", "CHANNEL(C)"), ("8705", "QMNAME(QM1)")):
        file = read(
            "     1 : dis x(*)", f"AMQ{number}I: Display status details.", f"   {first}   TYPE(QUEUE)   STATUS(RUNNING)"
        )
        assert (file.commands, file.problems) == ([], [])


def test_authority_records_are_exact() -> None:
    """What an entity has is what its record shows; a record for every kind of profile only if all were asked for."""
    answer = (
        "AMQ8864I: Display authority record details.\n"
        "   PROFILE(A)                              ENTITY(app)\n"
        "   ENTTYPE(PRINCIPAL)                      OBJTYPE(QUEUE)\n"
        "   AUTHLIST(BROWSE,GET,\n            INQ)"
    )
    for question, complete in (("dis authrec", True), ("dis authrec profile(A) objtype(queue)", False)):
        file = read("     1 : " + question, answer, "     2 : dis q(A) all", QUEUE.rstrip())
        assert file.covers_queue_authorities is complete
        (row,) = [row for row in facts(file).rows["authority"] if row.user == "app" and row.queue == "A"]
        assert (row.source_get, row.source_browse, row.source_held) == (True, True, "BROWSE,GET,INQ")


def test_records_of_which_only_the_names_are_shown() -> None:
    """They say nothing of rights, so that nobody lacks any."""
    answer = (
        "AMQ8864I: Display authority record details.\n   PROFILE(A)   ENTITY(app)   ENTTYPE(PRINCIPAL)   OBJTYPE(QUEUE)"
    )
    file = read("     1 : dis authrec entity", answer)
    assert (file.commands, file.covers_queue_authorities) == ([], False)


def test_a_channel_without_its_type_ends_the_list() -> None:
    """It may be the server connection channel that a client names."""
    file = read("     1 : dis chl(*)", "AMQ8414I: Display Channel details.", "   CHANNEL(APP)   MAXINST(3)")
    assert (file.commands, file.listings, file.lost_commands) == ([], [], 1)


def test_a_transcript_is_an_export(tmp_path: Path) -> None:
    """It contradicts another export of the queue manager, and scripts run after it."""
    (tmp_path / "QM1.log").write_text(f"{BANNER}     1 : dis q(A)\n{QUEUE}   BOTHRESH(3)\n{END}")
    (tmp_path / "QM1.mqsc").write_text("* QMNAME(QM1)\nALTER QLOCAL(A) BOTHRESH(5)\n")
    estate = read_estate([tmp_path], Observations())
    (row,) = estate.facts.rows["queue"]
    assert row.backout_threshold == 5
    assert {problem.kind for problem in estate.facts.rows["problem"]} == {"script_beside_export"}
    dump = f"* Queue manager name: QM1\n* Queue manager platform: UNIX\n* Command issued: dmpmqcfg -m QM1 -a\n{WHOLE}"
    (tmp_path / "QM1.mqsc").write_text(f"{dump}DEFINE QLOCAL('A') +\n   BOTHRESH(5) +\n   REPLACE\n")
    conflicting = read_estate([tmp_path], Observations()).facts
    assert [row.ambiguous for row in conflicting.rows["queue_manager"]] == [True]
    assert {problem.kind for problem in conflicting.rows["problem"]} == {"conflicting_exports"}


@pytest.mark.parametrize(
    ("text", "transcript"),
    [
        (BANNER, True),
        ("     1 : def ql(A)\nAMQ8006I: IBM MQ queue created.\n", True),
        (QUEUE, True),
        ("AMQ8417: Display Channel Status details.\n   CHANNEL(A)\n", True),
        ("CSQM409I +CSQ1 QMNAME(CSQ1) DEADQ(X)\n", True),
        ("AMQ8024I: IBM MQ channel initiator started.\n", False),
        ("10/10/2025 AMQ8409I: Display Queue details.\n", False),
        ("* AMQ8409I: Display Queue details.\nDEFINE QLOCAL(A)\n", False),
        ("DEFINE QLOCAL(A) DESCR('1 : x')\n", False),
    ],
)
def test_told_by_content(text: str, transcript: bool) -> None:
    """Logs and scripts that mention messages are no transcripts."""
    assert looks_like_transcript(text.encode()) is transcript


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_files_of_other_systems(encoding: str, end: str) -> None:
    """Line ends and encodings of Windows make no difference."""
    lines = [
        *BANNER.splitlines(),
        "     1 : dis q(*)",
        *QUEUE.splitlines(),
        "   DESCR(f\xfcr alle)   BOTHRESH(3)",
        *END.splitlines(),
    ]
    (file,) = read_transcript(end.join((*lines, "")).encode(encoding), "x")
    assert (file.queue_manager, len(file.listings), len(file.commands), file.problems) == ("QM1", 4, 1, [])


@pytest.mark.slow
def test_many_questions() -> None:
    """Thousands of questions about one name each, and thousands of names, are not compared with one another."""
    asked = "".join(
        f"{number:6} : dis q(Q{number}{'*' * (number % 2)})\nAMQ8409I: x\n"
        f"   QUEUE(Q{number})   TYPE(QLOCAL)   BOQNAME(X{number})\n"
        for number in range(5_000)
    )
    (file,) = read_transcript((BANNER + asked).encode(), "x")
    assert len(facts(file).rows["queue"]) == 5_000


def test_an_object_twice_has_the_later_values() -> None:
    """As the queue manager showed it last; another transcript that differs is a contradiction."""
    file = read(
        "     1 : dis q(A)", QUEUE + "   BOTHRESH(3)", "     2 : dis q(A)", QUEUE + "   BOTHRESH(4)   BOQNAME(B)"
    )
    assert (queue(file).backout_threshold, queue(file).backout_queue) == (4, "B")


def test_a_displayed_default_queue_is_copied() -> None:
    """A DEFINE below it in the transcript copies what the default queue shows, and what it does not show is unknown."""
    default = QUEUE.replace("QUEUE(A)", "QUEUE(SYSTEM.DEFAULT.LOCAL.QUEUE)") + "   BOTHRESH(4)"
    file = read("     1 : dis ql(S*)", default, "     2 : def ql(A)", "AMQ8006I: IBM MQ queue created.")
    assert (queue(file).backout_threshold, queue(file).backout_queue) == (4, None)


def test_a_transcript_beside_a_dump_fills_in() -> None:
    """A dump of authorities alone has no queues; the transcript has."""
    dump = read_mqsc(b"* Queue manager name: QM1\n* Command issued: dmpmqcfg -m QM1 -x authrec -a\n", "QM1.mqsc")
    seen = read("     1 : dis q(A)", QUEUE + "   BOTHRESH(3)")
    (row,) = facts(dump, seen).rows["queue"]
    assert row.backout_threshold == 3


@pytest.mark.parametrize(
    ("attributes", "blocked"),
    [
        ("USERSRC(NOACCESS)   WARN(NO)", True),
        ("USERSRC(NOACCESS)   WARN(YES)", False),
        ("USERSRC(NOACCESS)", None),
        ("USERSRC(CHANNEL)", False),
        ("USERSRC(MAP)   MCAUSER(app)", False),
        ("", None),
    ],
)
def test_channel_records(attributes: str, blocked: bool | None) -> None:
    """A record counts as far as the answer shows what it does."""
    file = read(
        "     1 : dis chlauth(*)", "AMQ8878I: Display channel authentication record details.",
        f"   CHLAUTH(APP)   TYPE(ADDRESSMAP)   ADDRESS(*)   {attributes}",
        "     2 : dis chl(APP) all", "AMQ8414I: Display Channel details.",
        "   CHANNEL(APP)                            CHLTYPE(SVRCONN)", "   MCAUSER( )   SCYEXIT( )   SSLCIPH( )",
        "     3 : dis qmgr chlauth", "AMQ8408I: Display Queue Manager details.",
        "   QMNAME(QM1)                             CHLAUTH(ENABLED)", "   CONNAUTH( )",
    )  # fmt: skip
    rows = {row.user: row for row in facts(file).rows["channel_access"] if row.channel == "APP"}
    assert rows["*"].blocked is blocked
    assert (rows["*"].question is None) is (blocked is not None)


@pytest.mark.parametrize(
    ("record", "known"),
    [
        ("TYPE(BLOCKUSER)   USERLIST(nobody)   WARN(NO)", True),
        ("TYPE(BLOCKUSER)   WARN(NO)", False),
        ("WARN(NO)", False),
    ],
)
def test_a_record_of_which_too_little_is_shown(record: str, known: bool) -> None:
    """It may be about anybody, so that nothing is known of any user."""
    file = read(
        "     1 : dis chlauth(*)", "AMQ8878I: Display channel authentication record details.",
        f"   CHLAUTH(*)   {record}",
        "     2 : dis chl(APP)", "AMQ8414I: Display Channel details.",
        "   CHANNEL(APP)                            CHLTYPE(SVRCONN)", "   MCAUSER( )   SCYEXIT( )   SSLCIPH( )",
        "     3 : dis qmgr chlauth", "AMQ8408I: Display Queue Manager details.",
        "   QMNAME(QM1)                             CHLAUTH(ENABLED)", "   CONNAUTH( )",
    )  # fmt: skip
    rows = {row.user: row for row in facts(file).rows["channel_access"] if row.channel == "APP"}
    assert (rows["*"].blocked is False) is known


@pytest.mark.parametrize("prompt", ["[mqm@mqhost qmgrs]$ ", "{mqm} ", "<mqm@mqhost> ", "[1] ", "[~]$ "])
def test_a_copy_of_a_terminal_begins_with_a_prompt(prompt: str) -> None:
    """JSON and XML begin with the same characters, and may quote an answer."""
    copy = f"{prompt}runmqsc QM1\n{BANNER}     1 : dis ql(A)\n{QUEUE}"
    assert looks_like_transcript(copy.encode())


@pytest.mark.parametrize(
    "head",
    ['{"answer":\n', '{\n  "', '[\n  "', "[[1]]\n", "<?xml?>\n<a>\n", "<!doctype html>\n", "<pre>\n</pre>\n", "<a/>\n"],
)
def test_markup_that_quotes_a_transcript(head: str) -> None:
    """It is no copy of a terminal."""
    assert not looks_like_transcript(f"{head}{BANNER}     1 : dis ql(A)\n{QUEUE}".encode())


def test_a_queue_manager_that_was_not_reached(tmp_path: Path) -> None:
    """Its export failed, which is told; the others of the session are read."""
    down = BANNER.replace("QM1", "QM2") + "AMQ8146: IBM MQ queue manager not available.\n\nNo MQSC commands read.\n"
    (tmp_path / "all.log").write_text(f"{down}{BANNER}     1 : dis ql(A)\n{QUEUE}{END}")
    facts = read_estate([tmp_path], Observations()).facts
    assert [row.name for row in facts.rows["queue_manager"]] == ["QM1"]
    told = [row for row in facts.rows["problem"] if row.kind == "not_read"]
    assert [(row.line, row.text) for row in told] == [
        (5, "queue manager QM2 answered nothing but AMQ8146, so its export failed")
    ]
