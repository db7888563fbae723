"""What a queue manager refuses of a change script, whatever objects it has."""

from __future__ import annotations

import base64
import string
from dataclasses import fields
from pathlib import Path
from random import Random

import pytest

from lintmdb.exports.mq import read_mqsc
from lintmdb.exports.mq.attribute_values import CHOICES, LISTS
from lintmdb.exports.mq.attributes import ATTRIBUTES, OTHER_NOUNS
from lintmdb.exports.mq.vocabulary import NOUNS, VERBS
from lintmdb.model.facts import Facts
from lintmdb.resolve.mq.platforms import Platform
from lintmdb.resolve.mq.queue_manager import resolve_queue_manager
from lintmdb.resolve.mq.script_checks import check_script
from lintmdb.resolve.observations import Observations
from lintmdb.run.estate import read_estate
from tests.support.command import Run
from tests.support.dumps import WHOLE
from tests.support.project import FIXTURES

DUMP = (
    "* Queue manager name: QM1\n* Queue manager platform: UNIX\n* Queue manager command level: (930/930)\n"
    f"* Command issued: dmpmqcfg -m QM1 -a\n{WHOLE}"
    "DEFINE QLOCAL('A.IN') BOTHRESH(3) REPLACE\nDEFINE QALIAS('A.ALIAS') TARGET('A.IN') REPLACE\n"
    "DEFINE QLOCAL('A.OLD') REPLACE\nDEFINE QMODEL('A.MODEL') DEFTYPE(TEMPDYN) REPLACE\n"
    "DEFINE CHANNEL('WAS') CHLTYPE(SVRCONN) REPLACE\nDEFINE CHANNEL('OLD') CHLTYPE(SVRCONN) REPLACE\n"
    "DEFINE TOPIC('NEWS') TOPICSTR('news') REPLACE\n"
    "SET AUTHREC PROFILE('**') PRINCIPAL('app') OBJTYPE(QUEUE) AUTHADD(GET,PUT)\n"
)
GOOD = (
    "ALTER QLOCAL('A.IN') BOTHRESH(5) BOQNAME('A.BACKOUT') GET(ENABLED) PUT(ENABLED)",
    "DEFINE QLOCAL('A.BACKOUT') LIKE('A.IN') DEFPSIST(YES) MSGDLVSQ(FIFO) MAXDEPTH(5000) NOREPLACE",
    "DEFINE QLOCAL('A.XMIT') USAGE(XMITQ) TRIGGER TRIGTYPE(FIRST) INITQ('SYSTEM.CHANNEL.INITQ') SHARE",
    "ALTER QALIAS('A.ALIAS') TARGET('A.IN') DEFPRESP(ASYNC) PROPCTL(FORCE)",
    "DEFINE QREMOTE('A.FAR') RNAME('B.IN') RQMNAME('QM2') XMITQ('A.XMIT') DEFBIND(NOTFIXED)",
    "ALTER QMODEL('A.MODEL') DEFTYPE(PERMDYN) DEFSOPT(SHARED) SCOPE(QMGR)",
    "DELETE QLOCAL('A.OLD') AUTHREC(NO) IGNSTATE(YES)",
    "ALTER CHANNEL('WAS') CHLTYPE(SVRCONN) MAXINST(100) SHARECNV(10) SSLCAUTH(REQUIRED)",
    "DELETE CHANNEL('OLD') CHLTABLE(QMGRTBL)",
    "ALTER TOPIC('NEWS') PUB(ENABLED) DURSUB(YES) WILDCARD(BLOCK)",
    "ALTER QMGR DEADQ('A.BACKOUT') CHLAUTH(ENABLED) MAXMSGL(4194304) SSLFIPS(NO) PSMODE(COMPAT)",
    "SET AUTHREC PROFILE('A.**') GROUP('staff') OBJTYPE(QUEUE) AUTHADD(BROWSE,GET,INQ,PASSALL) AUTHRMV(CHG)",
    "DELETE AUTHREC PROFILE('**') PRINCIPAL('app') OBJTYPE(QUEUE)",
    "SET CHLAUTH('WAS') TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(NOACCESS) ACTION(REPLACE) WARN(YES)",
    "SET CHLAUTH('*') TYPE(BLOCKUSER) USERLIST('*MQADMIN')",
    "DEFINE AUTHINFO('OS') AUTHTYPE(IDPWOS) CHCKCLNT(OPTIONAL) ADOPTCTX(YES)",
    "DEFINE PROCESS('P') APPLICID('x')",
    "DEFINE LISTENER('L') TRPTYPE(TCP) PORT(1414)",
)


def _lines_told(text: str, level: int = 930) -> set[int]:
    """The lines of a script about which something is said."""
    script = read_mqsc(text.encode(), "change.mqsc")
    told = check_script(script, text, "QM1", level)
    facts = resolve_queue_manager("QM1", [read_mqsc(DUMP.encode(), "QM1.mqsc")], changes=[script])
    kinds = ("refused_change", "unjudged_change", "not_understood", "value_out_of_range")
    return {problem.line for problem in (*told, *facts.rows["problem"]) if problem.kind in kinds}


def test_nothing_is_said_of_a_good_script() -> None:
    """Every attribute and every value is one that the queue manager takes."""
    assert _lines_told("\n".join(GOOD) + "\n") == set()


@pytest.mark.parametrize("seed", range(150))
def test_no_typo_is_passed_over(seed: int) -> None:
    """Each command has one letter too many, too few, changed or swapped, in a word that the queue manager checks."""
    random = Random(seed)
    wrong = [_with_typo(random, command) for command in GOOD]
    untold = set(range(1, len(wrong) + 1)) - _lines_told("\n".join(wrong) + "\n")
    assert [wrong[line - 1] for line in sorted(untold)] == []


@pytest.mark.parametrize("seed", range(20))
def test_of_a_newer_level_a_typo_is_no_refusal_without_a_word(seed: int) -> None:
    """What may be new is a notice."""
    random = Random(seed)
    wrong = [_with_typo(random, command) for command in GOOD]
    assert _lines_told("\n".join(wrong) + "\n", 990) == set(range(1, len(wrong) + 1))


@pytest.mark.parametrize(
    "command",
    [
        "ALTER QALIAS('A.ALIAS') BOTHRESH(5)",
        "ALTER QALIAS('A.ALIAS') NOHARDENBO",
        "DEFINE QREMOTE('A.FAR') RNAME('B.IN') RQMNAME('QM2') BOQNAME('A.OLD')",
        "ALTER QLOCAL('A.IN') TARGET('A.OLD')",
        "ALTER QLOCAL('A.IN') XMITQ('A.OLD')",
        "ALTER QLOCAL('A.IN') BOTHRESH(2) MNDURMDL('A.MODEL')",
        "ALTER QMGR DEADQ('A.OLD') BOTHRESH(2)",
        "ALTER TOPIC('NEWS') MAXDEPTH(10)",
        "ALTER QLOCAL('A.IN') BOTHRESH(2) BOQUEUE('A.OLD')",
        "ALTER QLOCAL('A.IN') BOTHRESH(2) REPLACE",
        "ALTER QLOCAL('A.IN') LIKE('A.OLD')",
        "ALTER TOPIC('NEWS') NOREPLACE",
        "DEFINE QLOCAL('A.NEW') FORCE",
        "DELETE QLOCAL('A.OLD') REPLACE",
        "DELETE QLOCAL('A.OLD') BOTHRESH(5)",
        "DEFINE QLOCAL('A.NEW') LIKE('A.ALIAS')",
        "DEFINE QLOCAL('A.NEW') LIKE('A.NEW')",
        "ALTER QLOCAL('A.IN') BOQNAME(A OLD)",
        "ALTER TOPIC('NEWS') TOPICSTR('other')",
        "DEFINE TOPIC('OTHER')",
        "DEFINE TOPIC('OTHER') TOPICSTR('news')",
        "ALTER QLOCAL('A.IN') CLUSTER(C1) CLUSNL(CS)",
        "DEFINE QLOCAL('A.NEW') CLUSTER(C1) CLUSNL(CS)",
    ],
)
def test_what_belongs_to_another_type_or_verb_is_refused(command: str) -> None:
    """An attribute of another type of object or of none, a parameter of another verb, a model of another type, a name
    of two words.
    """
    script = read_mqsc(command.encode(), "change.mqsc")
    told = check_script(script, command, "QM1", 930)
    facts = resolve_queue_manager("QM1", [read_mqsc(DUMP.encode(), "QM1.mqsc")], changes=[script])
    assert [problem.kind for problem in (*told, *facts.rows["problem"])] == ["refused_change"]


@pytest.mark.parametrize(
    ("commands", "refused"),
    [
        ("ALTER QLOCAL('A.IN') CLUSTER(C1)\nALTER QLOCAL('A.IN') CLUSNL(CS)", [2]),
        ("ALTER QLOCAL('A.IN') CLUSTER(C1)\nALTER QLOCAL('A.IN') CLUSTER(' ') CLUSNL(CS)", []),
        ("ALTER QLOCAL('A.IN') CLUSTER(C1)\nALTER QLOCAL('A.IN') MAXDEPTH(10)", []),
        ("DEFINE TOPIC('OTHER') TOPICSTR('news/today')", []),
        ("DEFINE TOPIC('NEWS') TOPICSTR('news') REPLACE", []),
        ("DELETE TOPIC('NEWS')\nDEFINE TOPIC('OTHER') TOPICSTR('news')", []),
        ("DEFINE TOPIC('ONE') TOPICSTR('one')\nDEFINE TOPIC('TWO') TOPICSTR('one')", [2]),
    ],
)
def test_what_an_object_would_have_is_refused(commands: str, refused: list[int]) -> None:
    """CLUSTER beside CLUSNL, and a topic string that another topic object has."""
    script = read_mqsc(commands.encode(), "change.mqsc")
    told = check_script(script, commands, "QM1", 930)
    facts = resolve_queue_manager("QM1", [read_mqsc(DUMP.encode(), "QM1.mqsc")], changes=[script])
    assert [(p.kind, p.line) for p in (*told, *facts.rows["problem"])] == [("refused_change", at) for at in refused]


_RECORDS = (
    "SET CHLAUTH('WAS') TYPE(ADDRESSMAP) ADDRESS('10.*') USERSRC(CHANNEL) ACTION(REPLACE)\n"
    "SET CHLAUTH('*') TYPE(BLOCKUSER) USERLIST('*MQADMIN') ACTION(REPLACE)\n"
)
_NEW_MAP = "SET CHLAUTH('WAS') TYPE(ADDRESSMAP) ADDRESS('11.*') USERSRC(NOACCESS)\n"


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        (_NEW_MAP, None),
        ("SET CHLAUTH('*') TYPE(BLOCKUSER) USERLIST('other')\n", None),
        (_NEW_MAP.replace("11", "10"), "the record exists already (QM1.mqsc:15)"),
        (_NEW_MAP.replace("11", "10").replace("\n", " ACTION(REPLACE)\n"), None),
        (_NEW_MAP + _NEW_MAP, "the record exists already (change.mqsc:1)"),
        ("SET CHLAUTH('WAS') TYPE(ADDRESSMAP) ADDRESS('10.*') ACTION(REMOVE)\n", None),
        ("SET CHLAUTH('WAS') TYPE(ADDRESSMAP) ADDRESS('11.*') ACTION(REMOVE)\n", "there is no such record"),
        (f"{_NEW_MAP}SET CHLAUTH('WAS') TYPE(ADDRESSMAP) ADDRESS('11.*') ACTION(REMOVE)\n", None),
        ("SET CHLAUTH('OTHER') TYPE(ADDRESSMAP) ACTION(REMOVEALL)\n", None),
        ("SET CHLAUTH('WAS') TYPE(ADDRESSMAP) USERSRC(NOACCESS)\n", "it has no ADDRESS"),
        ("SET CHLAUTH('WAS') TYPE(USERMAP) USERSRC(NOACCESS)\n", "it has no CLNTUSER"),
        ("SET CHLAUTH('WAS') TYPE(USERMAP) CLNTUSER('app')\n", "it has no MCAUSER"),
        ("SET CHLAUTH('WAS') TYPE(QMGRMAP) USERSRC(CHANNEL)\n", "it has no QMNAME"),
        ("SET CHLAUTH('WAS') TYPE(SSLPEERMAP) MCAUSER('app')\n", "it has neither SSLPEER nor SSLCERTI"),
        ("SET CHLAUTH('WAS') TYPE(BLOCKADDR) ADDRLIST('10.1.1.1')\n", "TYPE(BLOCKADDR) is about all channels"),
    ],
)
def test_a_channel_record_is_refused_that_exists_is_missing_or_is_not_whole(command: str, reason: str | None) -> None:
    """ADD sets a record that is new, and REMOVE one that is there; a list takes further names."""
    script = read_mqsc(command.encode(), "change.mqsc")
    dump = read_mqsc((DUMP + _RECORDS).encode(), "QM1.mqsc")
    told = check_script(script, command, "QM1", 930)
    facts = resolve_queue_manager("QM1", [dump], changes=[script])
    reasons = [problem.text for problem in (*told, *facts.rows["problem"])]
    assert len(reasons) == (reason is not None)
    assert all(reason is not None and reason in text for text in reasons)


def test_a_channel_record_that_an_export_may_lack_is_not_refused() -> None:
    """REMOVE of one that a script, or a dump of objects alone, does not show."""
    command = "SET CHLAUTH('WAS') TYPE(ADDRESSMAP) ADDRESS('11.*') ACTION(REMOVE)\n"
    for dump in (DUMP.replace(" -a", " -x object -a"), "DEFINE QLOCAL('A.IN')\n"):
        given = [read_mqsc(dump.encode(), "QM1.mqsc")]
        facts = resolve_queue_manager("QM1", given, changes=[read_mqsc(command.encode(), "change.mqsc")])
        assert "refused_change" not in {problem.kind for problem in facts.rows["problem"]}


def test_of_two_equal_channel_records_in_a_kept_script_the_second_is_refused() -> None:
    """Another file may run first, and a dump shows what is there."""
    second = _NEW_MAP.replace("NOACCESS", "CHANNEL")
    for texts, lines in (([_NEW_MAP + second], [2]), ([_NEW_MAP, second], []), ([DUMP + _NEW_MAP + second], [])):
        files = [read_mqsc(text.encode(), f"{number}.mqsc") for number, text in enumerate(texts)]
        problems = resolve_queue_manager("QM1", files).rows["problem"]
        assert [problem.line for problem in problems if "exists already" in problem.text] == lines


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ("ALTER AUTHINFO(SYSTEM.DEFAULT.AUTHINFO.IDPWOS) AUTHTYPE(IDPWOS) CHCKCLNT(OPTIONAL)\n", None),
        ("DELETE AUTHINFO(SYSTEM.DEFAULT.AUTHINFO.IDPWOS)\n", "1 may name"),
        ("DELETE AUTHINFO(OS)\n", None),
        ("ALTER QMGR CONNAUTH(OS)\nDELETE AUTHINFO(OS)\n", "2 names"),
        ("ALTER QMGR CONNAUTH(GONE)\n", "1 names"),
        ("ALTER QMGR CONNAUTH(SYSTEM.DEFAULT.AUTHINFO.IDPWOS)\n", None),
        ("ALTER QMGR CONNAUTH(OS)\nALTER QMGR CONNAUTH(' ')\nDELETE AUTHINFO(OS)\n", None),
        ("ALTER QMGR CONNAUTH(OS)\nDELETE AUTHINFO(OS)\nDEFINE AUTHINFO(OS) AUTHTYPE(IDPWOS)\n", None),
    ],
)
def test_an_authinfo_that_connauth_names_and_a_change_removes(change: str, told: str | None) -> None:
    """IBM's documentation says neither that it is refused nor what becomes of who connects; IBM's own exists."""
    script = read_mqsc(change.encode(), "change.mqsc")
    dump = read_mqsc(f"{DUMP}DEFINE AUTHINFO(OS) AUTHTYPE(IDPWOS) REPLACE\n".encode(), "QM1.mqsc")
    problems = resolve_queue_manager("QM1", [dump], changes=[script]).rows["problem"]
    shown = [f"{problem.line} {problem.text.removeprefix('CONNAUTH of QM1 ')}" for problem in problems]
    assert len(shown) == (told is not None)
    assert all(told is not None and text.startswith(f"{told} AUTHINFO ") for text in shown)


_COPY = "C.IN is a copy of a group definition, and without another QSGDISP it is about QSGDISP(QMGR)"


@pytest.mark.parametrize(
    ("command", "reason", "thresholds"),
    [
        ("ALTER QLOCAL('C.IN') QSGDISP(GROUP) BOTHRESH(5)", None, (5, 1)),
        ("ALTER QLOCAL('C.IN') QSGDISP(COPY) BOTHRESH(5)", None, (5, 1)),
        ("ALTER QLOCAL('C.IN') QSGDISP(PRIVATE) BOTHRESH(5)", None, (5, 1)),
        ("ALTER QLOCAL('C.IN') BOTHRESH(5)", _COPY, (3, 1)),
        ("ALTER QLOCAL('C.IN') QSGDISP(QMGR) BOTHRESH(5)", _COPY, (3, 1)),
        ("DELETE QLOCAL('C.IN')", _COPY, (3, 1)),
        ("DELETE QLOCAL('C.IN') QSGDISP(GROUP)", None, (1,)),
        ("DEFINE QLOCAL('C.IN') QSGDISP(GROUP) BOTHRESH(5)", "it exists already", (3, 1)),
        ("ALTER QALIAS('C.IN') QSGDISP(GROUP) TARGET('P.IN')", "C.IN is a QLOCAL", (3, 1)),
        ("ALTER QLOCAL('P.IN') QSGDISP(GROUP) BOTHRESH(5)", "it does not exist there", (3, 1)),
        ("ALTER QLOCAL('P.IN') QSGDISP(COPY) BOTHRESH(5)", "P.IN is no copy of a group definition", (3, 1)),
        ("ALTER QLOCAL('P.IN') BOTHRESH(5)", None, (3, 5)),
    ],
)
def test_a_copy_has_a_group_definition_though_the_export_does_not_show_it(
    command: str, reason: str | None, thresholds: tuple[int, ...]
) -> None:
    """What an open finds is listed, and definitions are not; a command without QSGDISP is not about a copy."""
    deck = (
        "* QMNAME(CSQ1)\n* PLATFORM(MVS)\nALTER QMGR DEADQ(' ')\n"
        "DEFINE NOREPLACE QLOCAL('SYSTEM.DEFAULT.LOCAL.QUEUE') QSGDISP(QMGR) STGCLASS('DEFAULT') BOTHRESH(0)\n"
        "DEFINE NOREPLACE QLOCAL('C.IN') QSGDISP(COPY) STGCLASS('DEFAULT') BOTHRESH(3)\n"
        "DEFINE NOREPLACE QLOCAL('P.IN') QSGDISP(QMGR) STGCLASS('DEFAULT') BOTHRESH(1)\n"
    )
    given, change = read_mqsc(deck.encode(), "CSQ1.mqsc"), read_mqsc(f"{command}\n".encode(), "change.mqsc")
    facts = resolve_queue_manager("CSQ1", [given], changes=[change])
    refused = [problem.text for problem in facts.rows["problem"] if problem.kind == "refused_change"]
    assert [text.partition(": ")[2] for text in refused] == ([] if reason is None else [reason])
    queues = {queue.name: queue.backout_threshold for queue in facts.rows["queue"]}
    assert tuple(queues[name] for name in ("C.IN", "P.IN") if name in queues) == thresholds


def test_control_commands_are_checked_as_the_mqsc_that_does_the_same(lintmdb: Run, tmp_path: Path) -> None:
    """A deployment script of a shell grants rights by ``setmqaut``, between scripts of runmqsc."""
    shell = tmp_path / "deploy.sh"
    grant = "setmqaut -m QM1 -n ORDERS.BACKOUT -t queue -g mqapps {}\n"
    shell.write_text(
        "#!/bin/sh\n" + grant.format("+put +passall") + "runmqsc QM1 <<EOF\nALTER QLOCAL(ORDERS.IN) BOTHRESH(2)\nEOF\n"
    )
    taken = lintmdb("diff", str(FIXTURES / "stop-3-sessions-5-bothresh-5"), "--change", str(shell), "--strict")
    assert taken.returncode == 0, taken.stderr
    shell.write_text(grant.format("+put +passal"))
    refused = lintmdb("diff", str(FIXTURES / "stop-3-sessions-5-bothresh-5"), "--change", str(shell))
    assert refused.returncode == 4
    assert "AUTHADD does not take PASSAL. Did you mean PASSALL?" in refused.stdout


def _with_typo(random: Random, command: str) -> str:
    """A command with a typo in its verb, its noun, a keyword, or a value from a set of words."""
    verb, *parameters = command.split(" ")
    noun = parameters[0].partition("(")[0]
    places: list[tuple[int, int]] = [(0, 0), (1, 0)]
    for position, parameter in enumerate(parameters[1:], 2):
        keyword, _, value = parameter.partition("(")
        if noun in ATTRIBUTES:
            places.append((position, 0))
            if value.rstrip(")") in CHOICES[noun].get(keyword, ()) or keyword in LISTS:
                places.append((position, 1))
    words = [verb, *parameters]
    position, part = random.choice(places)
    pieces = words[position].split("(", 1)
    known = {*VERBS} if position == 0 else {*NOUNS, *OTHER_NOUNS} if position == 1 else _taken(noun, pieces[0], part)
    pieces[part] = _misspelt(random, pieces[part], known)
    words[position] = "(".join(pieces)
    return " ".join(words)


def _taken(noun: str, keyword: str, part: int) -> set[str]:
    return {*(CHOICES[noun].get(keyword, ()) if part else ATTRIBUTES[noun])}


def _misspelt(random: Random, text: str, known: set[str]) -> str:
    """A word, or the first one of a list, with one letter wrong, which makes none of some words."""
    word = text.rstrip(")").partition(",")[0]
    rest = text[len(word) :]
    while True:
        place, letter = random.randrange(len(word)), random.choice(string.ascii_uppercase)
        typo = random.choice(
            (
                word[:place] + letter + word[place:],
                word[:place] + word[place + 1 :],
                word[:place] + letter + word[place + 1 :],
                word[:place] + word[place + 1 : place + 2] + word[place] + word[place + 2 :],
            )
        )
        if typo and typo not in known:
            return typo + rest


@pytest.mark.parametrize(
    ("command", "level", "platform", "says"),
    [
        ("DELETE QLOCAL(A) IGNSTATE(YES)", 920, "distributed", "IGNSTATE needs command level 921, and QM1 has 920"),
        ("DELETE QLOCAL(A) IGNSTATE(YES)", 921, "distributed", None),
        ("DELETE QLOCAL(A) IGNSTATE(YES)", 0, None, None),
        ("DELETE QLOCAL(A) IGNSTATE(YES)", 940, "zos", "z/OS has no IGNSTATE"),
        ("SET AUTHREC OBJTYPE(QMGR) GROUP('g') AUTHADD(CONNECT)", 940, "zos", "z/OS has no command SET AUTHREC"),
        ("DELETE AUTHREC PROFILE(A) OBJTYPE(QUEUE) GROUP('g')", 940, "zos", "z/OS has no command DELETE AUTHREC"),
        ("SET AUTHREC OBJTYPE(QMGR) GROUP('g') AUTHADD(CONNECT)", 940, None, None),
    ],
)
def test_what_the_level_or_the_platform_lacks_is_refused(
    command: str, level: int, platform: Platform | None, says: str | None
) -> None:
    """The export tells both; where it does not, nothing is said."""
    problems = check_script(read_mqsc(command.encode(), "x"), command, "QM1", level, platform)
    assert [problem.kind for problem in problems] == ["refused_change"] * (says is not None)
    assert all(says and says in problem.text for problem in problems)


@pytest.mark.parametrize(
    ("command", "says"),
    [
        (
            "SET AUTHREC PROFILE('**') PRINCIPAL('app') OBJTYPE(QUEUE) AUTHADD(GET,PUTT)",
            "SET AUTHREC would be refused by QM1: AUTHADD does not take PUTT. Did you mean PUT?",
        ),
        ("SET AUTHREC PROFILE('**') PRINCIPAL('app') OBJTYPE(QUEU) AUTHRMV(GET)", "OBJTYPE does not take QUEU"),
        ("SET AUTHREC PROFILE('**') OBJTYPE(QUEUE) AUTHRMV(PUT)", "it has neither PRINCIPAL nor GROUP"),
        ("SET AUTHREC OBJTYPE(QUEUE) GROUP('g') AUTHRMV(PUT)", "it has no PROFILE. Add PROFILE"),
        ("SET CHLAUTH('WAS') TYPE(ADDRESMAP) ADDRESS('*')", "TYPE does not take ADDRESMAP. Did you mean ADDRESSMAP?"),
        ("SET CHLAUTH('WAS') ADDRESS('*') USERSRC(NOACCESS)", "it has no TYPE. Add TYPE"),
        ("ALTER QLOCAL('ORDERS.IN') GET(DISABLE)", "GET does not take DISABLE. Did you mean DISABLED?"),
        ("ALTER QLOCAL('ORDERS.IN') PUT(OFF)", "PUT does not take OFF. It takes DISABLED or ENABLED"),
        ("ALTER QLOCAL('ORDERS.IN') SHARE(YES)", "SHARE takes no value. Write SHARE alone"),
        ("ALTER QLOCAL('ORDERS.IN') BOTHRESH", "BOTHRESH has no value"),
        ("ALTER QMGR MAXMSGL(abc)", "MAXMSGL(ABC) is not a whole number from 32768 to 104857600"),
        ("ALTER QMRG DEADQ('X')", "there is no command ALTER QMRG (syntax error, AMQ8405I). Did you mean QMGR?"),
        ("ALTER QUEUE('ORDERS.IN') BOTHRESH(0)", "there is no command ALTER QUEUE. Name its type: QLOCAL, QALIAS,"),
        ("ALTER QMRG CHLAUTH(DISABLED)", "there is no command ALTER CHLAUTH. Write SET CHLAUTH"),
        ("ALTER CHANNEL('WAS.SVRCONN') MAXINST(10)", "it has no CHLTYPE. Add CHLTYPE"),
        ("DEFINE QLOCAL", "it names no object"),
        (f"DEFINE QLOCAL('{'Q' * 49}')", "the name has 49 characters, and 48 are the most"),
        (f"ALTER QLOCAL('ORDERS.IN') BOQNAME('{'Q' * 54}')", "the name in BOQNAME has 54 characters, and 48 are the"),
        (f"DEFINE CHANNEL('{'C' * 21}') CHLTYPE(SVRCONN)", "the name has 21 characters, and 20 are the most"),
        ("DEFINE QLOCAL('ORDERS-IN')", "the name holds a character other than letters, digits, and . / _ %"),
    ],
)
def test_a_refused_command_is_told_with_its_reason(lintmdb: Run, tmp_path: Path, command: str, says: str) -> None:
    """The gate fails without --strict, too."""
    change = tmp_path / "change.mqsc"
    change.write_text(f"ALTER QLOCAL('ORDERS.IN') DESCR('x')\n{command}\n")
    result = lintmdb("check", FIXTURES / "clean", "--change", change)
    assert result.returncode == 4
    assert f"change.mqsc:2: {command.split()[0]} " in result.stderr
    assert says in " ".join(result.stderr.split())


@pytest.mark.parametrize(
    "command",
    [
        "DEFINE QLOCAL('A$B')",
        "DEFINE WIDGET('W')",
        "ALTER QMGR PSMODE(LATER)",
        "DEFINE AUTHINFO('LDAP') AUTHTYPE(IDPWLDAP) FAILEDDLAY(1)",
        f"DEFINE CHANNEL('{'C' * 12}.+QMNAME+') CHLTYPE(CLUSSDR) COMPMSG(NEWEST)",
    ],
)
def test_what_may_be_right_is_a_notice(command: str) -> None:
    """Another platform, or a newer level, may take it."""
    script = read_mqsc(command.encode(), "change.mqsc")
    assert [problem.kind for problem in check_script(script, command, "QM1", 930)] == ["unjudged_change"]


def test_a_command_for_another_queue_manager_is_told() -> None:
    """CMDSCOPE takes it out of what is judged."""
    assert _lines_told("ALTER QLOCAL('A.IN') CMDSCOPE(QM2) BOTHRESH(1)\n") == {1}
    assert _lines_told("ALTER QLOCAL('A.IN') CMDSCOPE(QM1) BOTHRESH(1)\n") == set()


def test_rights_that_are_unknown_are_not_guessed() -> None:
    """A level that lintmdb does not know may have the right: nothing is known of any."""
    text = "SET AUTHREC PROFILE('A.IN') PRINCIPAL('app') OBJTYPE(QUEUE) AUTHADD(GETALL)\n"
    script = read_mqsc(text.encode(), "change.mqsc")
    assert [problem.kind for problem in check_script(script, text, "QM1", 990)] == ["unjudged_change"]
    facts = resolve_queue_manager("QM1", [read_mqsc(DUMP.encode(), "QM1.mqsc")], changes=[script])
    assert [row for row in facts.rows["authority"] if row.user == "app" and row.source_get is not None] == []


_ALTERS = (
    ("queue", "ALTER QLOCAL('A.IN') BOTHRESH(5) BOQNAME('A.OLD')"),
    ("queue_manager", "ALTER QMGR DEADQ('A.OLD') MAXMSGL(100000)"),
    ("channel", "ALTER CHANNEL('WAS') CHLTYPE(SVRCONN) MAXINST(7)"),
)


@pytest.mark.parametrize("name", ["tune.mqsc", "tune.sh"])
@pytest.mark.parametrize(("relation", "command"), _ALTERS)
def test_what_a_kept_script_sets_beside_an_unknown_attribute_is_unknown(
    tmp_path: Path, name: str, relation: str, command: str
) -> None:
    """A newer level of IBM MQ may have the attribute. Any other refuses the whole command."""
    before, after, unknown = (_beside_dump(tmp_path, name, text) for text in ("", command, f"{command} QUANTUM(1)"))
    changed = 0
    for old, new, doubted in zip(*(_rows(facts, relation) for facts in (before, after, unknown)), strict=True):
        for column in (column for column in new if old[column] != new[column]):
            assert doubted[column] is None, column
            changed += 1
    assert changed
    (told,) = (problem for problem in unknown.rows["problem"] if problem.kind == "not_understood")
    assert "lintmdb does not know the attribute QUANTUM" in told.text
    assert not any(problem.kind == "not_understood" for problem in after.rows["problem"])


def test_rights_beside_an_unknown_attribute_of_a_kept_script_are_not_guessed(tmp_path: Path) -> None:
    """The record of the dump may be there still, or may have another right."""
    command = "SET AUTHREC PROFILE('A.IN') PRINCIPAL('app') OBJTYPE(QUEUE) AUTHADD(INQ) QUANTUM(1)"
    facts = _beside_dump(tmp_path, "tune.mqsc", command)
    assert [row for row in facts.rows["authority"] if row.user == "app" and row.source_get is not None] == []


def _beside_dump(folder: Path, name: str, command: str) -> Facts:
    """What a dump and a script of one command beside it say."""
    (folder / "QM1.mqsc").write_text(DUMP)
    script = f"* Queue manager name: QM1\n{command}\n"
    (folder / name).write_text(script if name.endswith(".mqsc") else f"#!/bin/sh\nrunmqsc QM1 <<EOF\n{script}EOF\n")
    return read_estate([folder], Observations()).facts


def _rows(facts: Facts, relation: str) -> list[dict[str, object]]:
    """The rows of a relation as columns and values, without their origins."""
    return [
        {each.name: getattr(row, each.name) for each in fields(row) if each.name != "origins"}
        for row in facts.rows[relation]
    ]


def test_a_template_has_no_value_yet() -> None:
    """What a deployment tool fills in may be anything."""
    text = "ALTER QLOCAL('A.IN') GET({{ state }}) BOTHRESH({{ n }}) BOQNAME('{{ a long name in front of it }}')\n"
    assert check_script(read_mqsc(text.encode(), "x"), text, "QM1", 930) == []


@pytest.mark.parametrize(
    ("script", "told"),
    [
        ("STOP CHANNEL('APP.SVRCONN')\n", "STOP CHANNEL(APP.SVRCONN) keeps clients out until somebody starts it again"),
        ("STOP CHL(APP.SVRCONN) MODE(FORCE)\n", "STOP CHANNEL(APP.SVRCONN) keeps clients out"),
        ("STOP LISTENER(TCP)\nSTART LISTENER(OTHER)\n", "STOP LISTENER(TCP) keeps clients out"),
        ("START CHANNEL(A)\nSTOP CHANNEL(A)\n", "STOP CHANNEL(A) keeps clients out"),
        ("STOP CHANNEL(A)\nALTER QMGR MONQ(LOW)\nSTA CHANNEL(A)\n", None),
        ("STOP CHANNEL(A) STATUS(INACTIVE)\n", None),
        ("STOP CHANNEL(A) CONNAME('10.0.0.1')\n", None),
        ("STOP CONN(414D5143)\nSTART SERVICE(S)\n", None),
    ],
)
def test_what_is_stopped_stays_stopped_unless_the_script_starts_it(script: str, told: str | None) -> None:
    """Clients cannot connect, and no definition says so."""
    problems = check_script(read_mqsc(script.encode(), "x"), script, "QM1", 930)
    assert [problem.text.startswith(told or "-") for problem in problems] == ([True] if told else [])


def test_commands_that_delete_messages_are_not_judged(lintmdb: Run, tmp_path: Path) -> None:
    """A strict gate fails on them, and any other one says so."""
    (tmp_path / "QM1.mqsc").write_text(DUMP)
    (tmp_path / "change.mqsc").write_text("CLEAR QLOCAL('A.IN')\nDELETE QLOCAL('A.OLD') PURGE\n")
    change = tmp_path / "change.mqsc"
    arguments = ("check", tmp_path / "QM1.mqsc", "--all-queues", f"--queue-manager=QM1={change}", "--change", change)
    told = lintmdb(*arguments).stderr
    assert "change.mqsc:1: CLEAR QLOCAL deletes messages, and lintmdb judges no messages" in told
    assert "change.mqsc:2: DELETE QLOCAL(A.OLD) PURGE deletes messages, and lintmdb judges no messages" in told
    assert "2 changes are not judged" in " ".join(lintmdb(*arguments, "--strict", "--fail-on", "never").stdout.split())


_SECRET = base64.b64encode(b"DEFINE QLOCAL(OK)\nDEFINE QLOCAL(A) BOTHRES(5)\n").decode()
_CONTAINERS = {
    "deploy.sh": ("#!/bin/sh\nrunmqsc QM1 <<EOF\n  DEFINE QLOCAL(A) BOTHRES(5)\nEOF\n", 3, 20),
    "echo.sh": ("#!/bin/sh\necho 'DEFINE QLOCAL(A) BOTHRES(5)' | runmqsc QM1\n", 2, 24),
    "noun.sh": ("#!/bin/sh\nrunmqsc QM1 <<EOF\nDEFINE QLOCAL(A)\nSTART CHANEL(A)\nDEFINE CHANEL(A)\nEOF\n", 5, 8),
    "cm.yaml": (
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\ndata:\n  a: |\n    DEF QLOCAL(A) +\n      BOTHRES(5)\n",
        7,
        7,
    ),
    "secret.yaml": (
        f"apiVersion: v1\nkind: Secret\nmetadata:\n  name: x\ndata:\n  a.mqsc: {_SECRET}\n",
        6,
        11,
    ),
    "play.yml": (
        "- hosts: mq\n  tasks:\n    - shell: |\n        runmqsc QM1 <<E\n        ALTER QMGR DEADQQ(X)\n        E\n",
        5,
        20,
    ),
}


@pytest.mark.parametrize("name", _CONTAINERS)
def test_commands_inside_other_files_are_checked(tmp_path: Path, name: str) -> None:
    """Each file that contains MQSC, with the place there; a command that is fine stays."""
    text, line, column = _CONTAINERS[name]
    (tmp_path / name).write_text(text)
    facts = read_estate([tmp_path], Observations()).facts
    (problem,) = (each for each in facts.rows["problem"] if each.kind == "not_understood")
    assert (problem.line, problem.column) == (line, column)
    assert "would be refused by" in problem.text
    assert [row.name for row in facts.rows["queue"]] == {"noun.sh": ["A"], "secret.yaml": ["OK"]}.get(name, [])


@pytest.mark.parametrize("value", ["$N", "${N}", "$(cat n)", "%N%", "$A$B"])
def test_values_that_a_shell_fills_in_are_not_refused(tmp_path: Path, value: str) -> None:
    """Nobody knows them."""
    (tmp_path / "deploy.sh").write_text(f"#!/bin/sh\nrunmqsc QM1 <<EOF\nDEFINE QLOCAL(A) MAXDEPTH({value})\nEOF\n")
    problems = read_estate([tmp_path], Observations()).facts.rows["problem"]
    assert not [problem for problem in problems if problem.kind == "not_understood"]


@pytest.mark.parametrize(
    ("command", "told"),
    [
        (f"ALTER QLOCAL(A.IN) DESCR('{'x' * 64}')", ""),
        (f"ALTER QLOCAL(A.IN) DESCR('{'x' * 65}')", "the value of DESCR has 65 characters, and 64 are the most"),
        (f"ALTER QLOCAL(A.IN) DESCR('{chr(39) * 128}')", ""),
        (f"ALTER QLOCAL(A.IN) TRIGDATA('{'x' * 65}')", "the value of TRIGDATA has 65 characters"),
        (f"ALTER CHANNEL(WAS) CHLTYPE(SVRCONN) MCAUSER('{'u' * 65}')", "the value of MCAUSER has 65 characters"),
        (f"ALTER CHANNEL(WAS) CHLTYPE(SVRCONN) MCAUSER('cn={'u' * 65}')", ""),
        ("ALTER QLOCAL(A.IN) BOTHRESH()", "BOTHRESH has no value"),
        ("ALTER QLOCAL(A.IN) MAXDEPTH(' ')", "MAXDEPTH has no value"),
    ],
)
def test_values_have_a_longest_length_and_numbers_have_one(command: str, told: str) -> None:
    """Beside the limit, with what quotes double counted once."""
    script = read_mqsc(f"{command}\n".encode(), "change.mqsc")
    problems = check_script(script, f"{command}\n", "QM1", 930)
    assert len(problems) == bool(told)
    assert all(told in problem.text for problem in problems)


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("DESCR(order input)", "DESCR has a blank or a comma outside quotation marks"),
        ("DESCR('Peter's queue)", "an apostrophe inside the value of DESCR ends it"),
        ("DESCR('order' 'input')", "DESCR has a blank or a comma"),
        ("DESCR(order-input)", "DESCR has - outside quotation marks"),
        ("DESCR(Orders (new) queue)", "DESCR has a blank or a comma"),
        ("DESCR(orders=new)", "DESCR has = outside quotation marks"),
        ("DESCR(input #1)", "DESCR has a blank or a comma"),
        ("TRIGDATA(a b)", "TRIGDATA has a blank or a comma"),
        ("PROCESS(a b)", "PROCESS has a blank or a comma"),
        ("DESCR('order input')", ""),
        ("DESCR('Peter''s queue')", ""),
        ("DESCR('')", ""),
        ('DESCR("a ""b"" c")', ""),
        ("DESCR( input_1./% )", ""),
        ("DESCR(Äpfel)", ""),
        ("TRIGDATA(#A$B@C)", ""),
        ("TRIGDATA(01:03)", ""),
        ("PROCESS(ABC*)", ""),
        ("TRIGDATA(-1)", ""),
    ],
)
def test_a_value_needs_quotation_marks_unless_ibm_exempts_it(value: str, told: str) -> None:
    """What IBM's rules leave open is not refused."""
    command = f"ALTER QLOCAL(A.IN) {value}\n"
    problems = check_script(read_mqsc(command.encode(), "change.mqsc"), command, "QM1", 930)
    assert [told in problem.text for problem in problems] == [True] * bool(told)


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("ALTER CHANNEL(C) CHLTYPE(SDR) CONNAME(host(1414))", "CONNAME has ( outside quotation marks"),
        ("ALTER CHANNEL(C) CHLTYPE(SDR) CONNAME('host(1414)')", ""),
        ("ALTER CHANNEL(C) CHLTYPE(SVRCONN) SENDEXIT('a(b)', 'c(d)') COMPHDR(NONE SYSTEM)", ""),
        ("DEFINE CHANNEL(TO.+QMNAME+) CHLTYPE(CLUSRCVR) CLUSTER(+AUTOCL+)", ""),
        ("SET CHLAUTH(C) TYPE(ADDRESSMAP) ADDRESS(10.1.1-9.*) USERSRC(CHANNEL)", ""),
        ("SET CHLAUTH(C) TYPE(ADDRESSMAP) ADDRESS(fe80::1) USERSRC(CHANNEL)", ""),
        ("SET CHLAUTH(C) TYPE(BLOCKUSER) USERLIST(a, b)", ""),
        ("SET AUTHREC PROFILE(Q) OBJTYPE(QUEUE) PRINCIPAL('a','b') GROUP(c d) AUTHADD(GET)", ""),
        (
            "DEFINE PROCESS(P) APPLICID(/opt/my app)",
            "DEFINE PROCESS would be refused by QM1: the value of APPLICID has",
        ),
        ("DEFINE SERVICE(S) STARTARG(-m QM1)", "STARTARG has a blank or a comma outside quotation marks"),
        ("ALTER LISTENER(L) TRPTYPE(TCP) DESCR(one, two)", "DESCR has a blank or a comma outside quotation marks"),
        ("DEFINE SERVICE(S) STARTCMD(+MQ_INSTALL_PATH+bin/x) STARTARG('-m QM1')", ""),
        ("DEFINE LISTENER(L) TRPTYPE(TCP) IPADDR(::1) PORT(1414) CONTROL(QMGR)", ""),
        ("DEFINE COMMINFO(C) TYPE(MULTICAST) GRPADDR(ff02::1)", ""),
        ("DEFINE NAMELIST(N) NAMES(A, B)", ""),
        ("DEFINE SUB(S) TOPICSTR(a/b) DEST(Q)", ""),
    ],
)
def test_lists_and_addresses_need_no_quotation_marks(command: str, told: str) -> None:
    """A list has blanks between its values, and a range of addresses has a hyphen. Objects that lintmdb does not read
    are no exception.
    """
    problems = check_script(read_mqsc(command.encode(), "change.mqsc"), f"{command}\n", "QM1", 930)
    assert [told in problem.text for problem in problems] == [True] * bool(told)


def test_a_dump_prints_values_as_it_likes(tmp_path: Path) -> None:
    """Nobody runs it; a script with the same text is refused."""
    script = "* Queue manager name: QM1\nDEFINE QLOCAL('A.IN') DESCR(order input) BOTHRESH(3) REPLACE\n"
    dump = DUMP.replace("'A.IN')", "'A.IN') DESCR(order input)", 1)
    for name, text, kept in (("script", script, False), ("dump", dump, True)):
        (tmp_path / f"{name}.mqsc").write_text(text)
        queues = read_estate([tmp_path / f"{name}.mqsc"], Observations()).facts.rows["queue"]
        assert ("A.IN" in [queue.name for queue in queues]) is kept
