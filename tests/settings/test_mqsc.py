"""Changes of IBM MQ as MQSC: the project's own reader finds the object and the value that were meant, whatever their
names hold, and undoing a change gives the old state back.
"""

from __future__ import annotations

import pytest

from lintmdb.exports.mq import MqscFile, read_mqsc
from lintmdb.resolve.mq.definitions import Definitions
from lintmdb.resolve.mq.objects import MqObject, object_key
from lintmdb.resolve.mq.script import run_scripts
from lintmdb.settings.changes import Assignment, Change, Definition, Grant, Target
from lintmdb.settings.mqsc import attribute_text, display_command, mqsc_command, mqsc_lines, undo
from lintmdb.settings.registry import SETTINGS, Setting

WIDTH = 72
NAMES = [
    "ORDERS.IN",
    "orders.in",
    "O'BRIEN",
    "'",
    "''",
    'SAY "HI"',
    "A'(B",
    "(",
    ")",
    "A)B(",
    "PLUS+",
    "MINUS-",
    "+",
    "-",
    "{a}",
    "{",
    "A B",
    "A,B",
    "A;",
    "*",
    "50%",
    "A_B/C.D%E",
    "SHARE",
    "NOSHARE",
    "HARDENBO",
    "TRIGGER",
    "REPLACE",
    "END",
    "0",
    "A" * 48,
    "a'" * 24,
    "A" * 47 + "+",
]
"""What MQ allows, and worse: the values of custom fields and the names of users have more freedom."""
KINDS = ["QLOCAL", "QMODEL", "QALIAS", "QREMOTE", "CHANNEL", "QMGR"]


def read(*scripts: str) -> Definitions:
    """A queue manager after some scripts."""
    return run_scripts("QM1", [_file(script) for script in scripts])


def _file(script: str) -> MqscFile:
    file = read_mqsc(f"{script}\n".encode(), "script.mqsc")
    assert file.problems == []
    assert not file.truncated
    return file


def lines_of(*changes: Change) -> str:
    """The changes as a script that keeps to the width of a record, and the same on one line each."""
    wrapped = "\n".join(line for change in changes for line in mqsc_lines(change))
    assert _commands(wrapped) == _commands("\n".join(mqsc_command(change) for change in changes))
    return wrapped


def _commands(script: str) -> list[tuple[str, str, str, list[tuple[str, str | None]]]]:
    """What a script says, without where it says it."""
    return [
        (command.verb, command.noun, command.name, [(p.keyword, p.value) for p, _ in command.parameters])
        for command in _file(script).commands
    ]


def find(definitions: Definitions, target: Target) -> MqObject:
    """The one object of a target."""
    if target.kind == "QMGR":
        return definitions.manager
    return definitions.objects[object_key(target.kind, target.name)]


def defined(target: Target, *words: str) -> str:
    """A script that makes an object."""
    if target.kind == "QMGR":
        return " ".join(["ALTER QMGR", *words])
    kind = ["CHLTYPE(SVRCONN)"] if target.kind == "CHANNEL" else []
    disposition = [f"QSGDISP({target.disposition})"] if target.disposition else []
    name = target.name.replace("'", "''")
    return " ".join([f"DEFINE {target.kind}('{name}')", *kind, *disposition, *words])


def _settings() -> list[tuple[str, Setting]]:
    """Every attribute of MQ in the registry: those that its commands spell in capitals, of columns about MQ."""
    aliases = ("queue", "queue_name", "backout", "dead_letter", "queue_manager", "channel")
    return [(name, setting) for name, found in SETTINGS.items() if name.split(".")[0] in aliases for setting in found]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("kind", KINDS)
def test_an_assignment_reaches_its_object_and_no_other(kind: str, name: str) -> None:
    """The name of the object and the value are read back as they were meant, and undoing gives the old value."""
    target = Target("mq", "QM1", kind, "" if kind == "QMGR" else name)
    old, new = f"o{name}"[:48], name
    change = Assignment(target, "x.y", "DEADQ" if kind == "QMGR" else "BOQNAME", new, old)
    base = defined(target, attribute_text(change.attribute, old))
    other = defined(Target("mq", "QM1", "QLOCAL", "OTHER"), attribute_text("BOQNAME", "KEPT"))
    script = lines_of(change)
    after = read(base, other, script)
    assert find(after, target).values[change.attribute].text == new
    assert after.objects.keys() == read(base, other).objects.keys()
    assert after.objects["Q", "OTHER"].values["BOQNAME"].text == "KEPT"
    back = read(base, other, script, *undo(change))
    assert find(back, target).values[change.attribute].text == old


@pytest.mark.parametrize(("name", "setting"), _settings(), ids=lambda value: value if isinstance(value, str) else "")
def test_every_setting_of_mq_is_read_back(name: str, setting: Setting) -> None:
    """Each spelling of the registry is an attribute that the reader knows, under the name that the command gives it."""
    words = setting.words or tuple(setting.spelled.values()) or ("A.B", "")
    spelled = [setting.spell(value) for value in (setting.low, 7)] if not (setting.words or setting.spelled) else []
    kind = "CHANNEL" if name.startswith("channel.") else "QMGR" if name.startswith("queue_manager.") else "QLOCAL"
    target = Target("mq", "QM1", kind, "" if kind == "QMGR" else "X")
    for value in (*words, *filter(None, spelled)):
        change = Assignment(target, name, setting.attribute, value)
        found = find(read(defined(target), lines_of(change)), target).values[setting.attribute].text
        switch = {setting.attribute: "yes", f"NO{setting.attribute}": "no"}
        assert found == (switch.get(value, value) if setting.words else value), value


@pytest.mark.parametrize("disposition", ["", "SHARED", "GROUP"])
@pytest.mark.parametrize("kind", ["QLOCAL", "QMODEL", "QALIAS", "QREMOTE", "CHANNEL"])
def test_a_disposition_is_part_of_the_object(kind: str, disposition: str) -> None:
    """On z/OS a command without QSGDISP is about a private object, and would miss the shared one of that name."""
    target = Target("mq", "QM1", kind, "Q", disposition=disposition)
    change = Assignment(target, "x.y", "MAXMSGL", "3", "7")
    base = defined(target, "MAXMSGL(7)")
    assert find(read(base, lines_of(change)), target).values["MAXMSGL"].text == "3"
    assert find(read(base, lines_of(change), *undo(change)), target).values["MAXMSGL"].text == "7"
    private = lines_of(change._replace(target=target._replace(disposition="")))
    assert (find(read(base, private), target).values["MAXMSGL"].text == "7") == bool(disposition)
    assert (f"QSGDISP({disposition})" in display_command(target, ["MAXMSGL"])) == bool(disposition)


@pytest.mark.parametrize("name", NAMES)
def test_a_definition_makes_the_queue_that_was_meant(name: str) -> None:
    """All attributes arrive; a queue that already exists stays as it is; undoing takes the new queue away."""
    target = Target("mq", "QM1", "QLOCAL", name)
    attributes = (
        ("USAGE", "NORMAL"),
        ("SHARE", ""),
        ("NOTRIGGER", ""),
        ("MAXDEPTH", "7"),
        ("BOQNAME", name),
        ("CLUSTER", ""),
    )
    script = lines_of(Definition(target, attributes))
    after = read(script)
    assert set(after.objects) == {("Q", name)}
    values = {keyword: value.text for keyword, value in after.objects["Q", name].values.items()}
    wanted = {"USAGE": "NORMAL", "SHARE": "yes", "TRIGGER": "no", "MAXDEPTH": "7", "BOQNAME": name, "CLUSTER": ""}
    assert {keyword: value.strip() for keyword, value in values.items()} == wanted
    kept = read(defined(target, "MAXDEPTH(9)"), script)
    assert kept.objects["Q", name].values["MAXDEPTH"].text == "9"
    assert read(script, *undo(Definition(target, attributes))).objects == {}


USERS = [
    "wasuser",
    "WASUSER",
    "a b",
    "O'BRIEN",
    "cn=mq,ou=app,o=corp",
    "cn=o'brien,o=x",
    "a+",
    "a-",
    "(",
    "{a}",
    "x" * 60,
]


@pytest.mark.parametrize("user", USERS)
@pytest.mark.parametrize("profile", [name for name in NAMES if name != "*"])
def test_a_grant_is_the_users_alone(user: str, profile: str) -> None:
    """One record, of one user on one profile."""
    grant = Grant(Target("mq", "QM1", "QUEUE", profile), user, ("PUT", "PASSALL"))
    records = read(lines_of(grant)).authority_records
    assert records.queues.rights_on(profile) == {("principal", user): frozenset({"put", "passall"})}
    assert records.queues.principals == {user}
    assert not records.manager


_WIDER = "SET AUTHREC PROFILE('A.**') OBJTYPE(QUEUE) PRINCIPAL('u') AUTHADD(GET,DSP)"
_OWN = "SET AUTHREC PROFILE('A.B') OBJTYPE(QUEUE) PRINCIPAL('u') AUTHADD(GET,DSP)"


@pytest.mark.parametrize(
    ("before", "recorded", "had"), [("", False, ()), (_WIDER, False, ()), (_OWN, True, ("GET", "DSP"))]
)
def test_undoing_a_grant_gives_the_old_rights_back(before: str, recorded: bool, had: tuple[str, ...]) -> None:
    """A record that was not there goes altogether: an empty one would keep a wider profile from the user."""
    grant = Grant(Target("mq", "QM1", "QUEUE", "A.B"), "u", ("PUT", "GET", "DSP"), had, recorded)
    old = read(before or "* nothing").authority_records.queues.rights_on("A.B")
    granted = read(before or "* nothing", lines_of(grant)).authority_records.queues
    assert granted.rights_on("A.B") == {("principal", "u"): frozenset({"put", "get", "dsp"})}
    undone = read(before or "* nothing", lines_of(grant), *undo(grant)).authority_records.queues
    assert undone.rights_on("A.B") == old
    assert bool(undone.recorded_on("A.B")) == recorded


def test_a_grant_on_the_queue_manager_is_read_back() -> None:
    """Connect and inq, and what the user had stays when the grant is undone."""
    grant = Grant(Target("mq", "QM1", "QMGR", "QM1"), "u", ("CONNECT", "INQ"), ("INQ",), recorded=True)
    before = "SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('u') AUTHADD(INQ)"
    assert read(before, lines_of(grant)).authority_records.manager.rights_on("SELF") == {
        ("principal", "u"): frozenset({"connect", "inq"})
    }
    undone = read(before, lines_of(grant), *undo(grant)).authority_records.manager
    assert undone.rights_on("SELF") == {("principal", "u"): frozenset({"inq"})}


def test_what_was_not_known_is_not_undone() -> None:
    """No command is made up where the exports do not show the old state."""
    target = Target("mq", "QM1", "QLOCAL", "A")
    assert undo(Assignment(target, "queue.backout_threshold", "BOTHRESH", "3")) == []
    assert undo(Grant(target._replace(kind="QUEUE"), "u", ("PUT",))) == []
    assert undo(Grant(target._replace(kind="QUEUE"), "u", ("PUT",), ("PUT",), recorded=True)) == []


@pytest.mark.parametrize("name", NAMES)
def test_lines_fit_into_a_record_of_a_job(name: str) -> None:
    """CSQUTIL reads 72 columns. Only a line of a single word may be longer, and no name of MQ makes one so long."""
    target = Target("mq", "QM1", "QLOCAL", name, disposition="SHARED")
    changes = (
        Definition(target, (("CFSTRUCT", "APP1"), ("BOQNAME", name), ("SHARE", ""), *[("MAXDEPTH", "5000")] * 12)),
        Assignment(target, "queue.backout_queue", "BOQNAME", name),
        Grant(target._replace(kind="QUEUE"), "u" * 12, ("PUT", "PASSALL", "GET", "BROWSE", "INQ", "SETALL")),
    )
    lines = [line for change in changes for line in mqsc_lines(change)]
    if len(name) == 48 and "'" in name:
        lines = [line for line in lines if name.replace("'", "''") not in line]
    assert max(map(len, lines)) <= WIDTH
