"""Who may use a server connection channel, and as which user: CHLAUTH, MCAUSER, CONNAUTH and the user of the client."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from lintmdb.exports.mq import read_mqsc
from lintmdb.model.facts import Facts
from lintmdb.model.origins import Origin
from lintmdb.model.relations import ChannelAccess
from lintmdb.resolve.mq.queue_manager import resolve_queue_manager
from tests.support.command import Run
from tests.support.dumps import WHOLE
from tests.support.project import FIXTURES

DUMP = f"""* Queue manager name: QM1
* Queue manager platform: UNIX
* Queue manager command level: (930/930)
* Command issued: dmpmqcfg -m QM1 -a
{WHOLE}"""
CONNAUTH = "ALTER QMGR CONNAUTH(USE.PW)\nDEFINE AUTHINFO(USE.PW) AUTHTYPE(IDPWOS) CHCKCLNT(OPTIONAL) ADOPTCTX({})\n"
OPEN = "ALTER QMGR CHLAUTH(ENABLED) CONNAUTH(' ')\n"
EVERYBODY = "TYPE(ADDRESSMAP) ADDRESS('*')"
DEFAULTS = """SET CHLAUTH('*') TYPE(BLOCKUSER) USERLIST('*MQADMIN')
SET CHLAUTH('SYSTEM.ADMIN.SVRCONN') TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(CHANNEL)
SET CHLAUTH('SYSTEM.*') TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(NOACCESS)
"""


def resolve(*texts: str) -> Facts:
    """The relations of QM1."""
    return resolve_queue_manager("QM1", [read_mqsc(text.encode(), f"{n}.mqsc") for n, text in enumerate(texts)])


def access(
    script: str, user: str | None = "app", *, channel: str = "WAS", mca: str = " ", head: str = DUMP, more: str = ""
) -> ChannelAccess:
    """What becomes of a client that names a user on a channel."""
    text = f"{head}DEFINE CHANNEL({channel}) CHLTYPE(SVRCONN) MCAUSER('{mca}') {more} REPLACE\n{script}"
    rows = {row.user: row for row in resolve(text).rows["channel_access"] if row.channel == channel}
    return rows[user] if user in rows else rows["" if user is None else "*"]


def effective(row: ChannelAccess, user: str = "app") -> str | None:
    """The user whose rights count."""
    return user if row.effective_user == "*" else row.effective_user


@pytest.mark.parametrize(
    ("records", "expected"),
    [
        ("", "app"),
        (f"SET CHLAUTH(WAS) {EVERYBODY} USERSRC(MAP) MCAUSER('mqapp')", "mqapp"),
        (f"SET CHLAUTH(WAS) {EVERYBODY} MCAUSER('mqapp')", "mqapp"),
        (f"SET CHLAUTH('W*') {EVERYBODY} USERSRC(MAP) MCAUSER('mqapp')", "mqapp"),
        (f"SET CHLAUTH('V*') {EVERYBODY} USERSRC(MAP) MCAUSER('mqapp')", "app"),
        (f"SET CHLAUTH(WAS) {EVERYBODY} USERSRC(CHANNEL)", "app"),
        ("SET CHLAUTH(WAS) TYPE(USERMAP) CLNTUSER('app') USERSRC(MAP) MCAUSER('mapped')", "mapped"),
        ("SET CHLAUTH(WAS) TYPE(USERMAP) CLNTUSER('other') USERSRC(MAP) MCAUSER('mapped')", "app"),
        ("SET CHLAUTH(WAS) TYPE(USERMAP) CLNTUSER('app') ADDRESS('10.*') USERSRC(MAP) MCAUSER('mapped')", None),
        ("SET CHLAUTH(WAS) TYPE(QMGRMAP) QMNAME('*') USERSRC(MAP) MCAUSER('mapped')", "app"),
        ("SET CHLAUTH(WAS) TYPE(ADDRESSMAP) ADDRESS('10.1.2.3') USERSRC(MAP) MCAUSER('mqapp')", None),
        ("SET CHLAUTH(WAS) TYPE(ADDRESSMAP) ADDRESS('10.1.2.3') USERSRC(MAP) MCAUSER('app')", "app"),
        ("SET CHLAUTH(WAS) TYPE(SSLPEERMAP) SSLPEER('CN=x') USERSRC(MAP) MCAUSER('mqapp')", "app"),
    ],
)
def test_maps_give_a_client_its_user(records: str, expected: str | None) -> None:
    """A map that fits overrides the user of the client; one that may fit leaves it open, unless it changes nothing."""
    assert effective(access(OPEN + records)) == expected


def test_a_certificate_decides_on_a_channel_with_tls() -> None:
    """Without a cipher no client has a certificate; with one nobody knows which."""
    record = "SET CHLAUTH(WAS) TYPE(SSLPEERMAP) SSLPEER('CN=x') USERSRC(MAP) MCAUSER('mqapp')"
    row = access(OPEN + record, more="SSLCIPH('ANY_TLS12')")
    assert (row.effective_user, row.question) == (None, "certificate")
    assert row.record == "CHLAUTH('WAS') TYPE(SSLPEERMAP) SSLPEER('CN=x') USERSRC(MAP) MCAUSER('mqapp')"
    assert row.origins["effective_user"].line == 9


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (
            "SET CHLAUTH(WAS) TYPE(ADDRESSMAP) ADDRESS('*') MCAUSER('a')",
            "SET CHLAUTH('W*') TYPE(USERMAP) CLNTUSER('app')",
        ),
        (
            "SET CHLAUTH('WA*') TYPE(ADDRESSMAP) ADDRESS('*') MCAUSER('a')",
            "SET CHLAUTH('W*') TYPE(ADDRESSMAP) ADDRESS('*')",
        ),
        (
            "SET CHLAUTH('W*') TYPE(ADDRESSMAP) ADDRESS('*') MCAUSER('a')",
            "SET CHLAUTH('*') TYPE(ADDRESSMAP) ADDRESS('*')",
        ),
        (
            "SET CHLAUTH(WAS) TYPE(USERMAP) CLNTUSER('app') MCAUSER('a')",
            "SET CHLAUTH(WAS) TYPE(ADDRESSMAP) ADDRESS('*')",
        ),
    ],
)
def test_the_most_specific_map_decides(first: str, second: str) -> None:
    """The channel's own name before a pattern, the longer pattern first, a user before an address, in any order."""
    refusal = f"{second} USERSRC(NOACCESS)"
    for records in (f"{first}\n{refusal}\n", f"{refusal}\n{first}\n"):
        row = access(OPEN + records)
        assert (row.effective_user, row.blocked) == ("a", False)


@pytest.mark.parametrize(
    ("records", "user", "blocked"),
    [
        (f"SET CHLAUTH(WAS) {EVERYBODY} USERSRC(NOACCESS)", "app", True),
        (f"SET CHLAUTH(WAS) {EVERYBODY} USERSRC(NOACCESS) WARN(YES)", "app", False),
        (f"SET CHLAUTH(WAS) {EVERYBODY} USERSRC(NOACCESS)", None, True),
        ("SET CHLAUTH(WAS) TYPE(ADDRESSMAP) ADDRESS('10.*') USERSRC(NOACCESS)", "app", None),
        ("SET CHLAUTH(WAS) TYPE(USERMAP) CLNTUSER('app') USERSRC(NOACCESS)", "app", True),
        ("SET CHLAUTH(WAS) TYPE(USERMAP) CLNTUSER('app') USERSRC(NOACCESS)", "other", False),
        ("SET CHLAUTH(WAS) TYPE(USERMAP) CLNTUSER('app') USERSRC(NOACCESS)", None, None),
        ("SET CHLAUTH(WAS) TYPE(BLOCKUSER) USERLIST('x','app')", "app", True),
        ("SET CHLAUTH(WAS) TYPE(BLOCKUSER) USERLIST('x','app')", "other", False),
        ("SET CHLAUTH(WAS) TYPE(BLOCKUSER) USERLIST('x')", None, None),
        ("SET CHLAUTH(WAS) TYPE(BLOCKUSER) USERLIST('nobody')", None, False),
        ("SET CHLAUTH('*') TYPE(BLOCKADDR) ADDRLIST('10.1.*')", "app", None),
        ("SET CHLAUTH('*') TYPE(BLOCKADDR) ADDRLIST('*')", "app", True),
        (f"SET CHLAUTH(WAS) {EVERYBODY} USERSRC(MAP) MCAUSER('mqm')\n{DEFAULTS}", "app", True),
        (f"SET CHLAUTH(WAS) {EVERYBODY} USERSRC(NOACCESS)\nSET CHLAUTH(WAS) {EVERYBODY} ACTION(REMOVE)", "app", False),
        (
            f"SET CHLAUTH(WAS) {EVERYBODY} USERSRC(NOACCESS)\nSET CHLAUTH(WAS) TYPE(ADDRESSMAP) ACTION(REMOVEALL)",
            "app",
            False,
        ),
    ],
)
def test_records_keep_clients_out(records: str, user: str | None, blocked: bool | None) -> None:
    """NOACCESS and the lists of users and addresses do; what nobody can know stays open."""
    assert access(OPEN + records, user).blocked is blocked


@pytest.mark.parametrize(("platform", "blocked"), [("UNIX", False), ("WINDOWS NT", True)])
def test_a_list_of_users_names_domains_on_windows(platform: str, blocked: bool) -> None:
    """Elsewhere the whole name is the user's."""
    records = f"{OPEN}SET CHLAUTH(WAS) TYPE(BLOCKUSER) USERLIST('app@corp')"
    assert access(records, head=DUMP.replace("UNIX", platform)).blocked is blocked


@pytest.mark.parametrize("platform", ["UNIX", "WINDOWS NT"])
def test_case_counts_in_the_user_that_a_client_names(platform: str) -> None:
    """On Windows, too: records are compared with the name as the client sends it."""
    records = f"{OPEN}SET CHLAUTH(WAS) TYPE(USERMAP) CLNTUSER('APP') USERSRC(NOACCESS)"
    head = DUMP.replace("UNIX", platform)
    assert (access(records, head=head).blocked, access(records, "APP", head=head).blocked) == (False, True)


def test_the_records_of_a_new_queue_manager() -> None:
    """They refuse administrators everywhere, and every client on SYSTEM channels, even one that the dump leaves out."""
    row = access(OPEN + DEFAULTS)
    assert (row.blocked, row.blocks_administrators, row.effective_user) == (False, True, "*")
    assert access(OPEN + DEFAULTS, channel="SYSTEM.DEF.SVRCONN").blocked is True
    assert access(OPEN + DEFAULTS, channel="SYSTEM.ADMIN.SVRCONN").blocked is False
    unshown = resolve(DUMP + OPEN + DEFAULTS).rows["channel_access"]
    assert {row.blocked for row in unshown if row.channel == "SYSTEM.DEF.SVRCONN"} == {True}
    assert access(OPEN + DEFAULTS, None, mca="mqm").blocked is True


def test_a_list_of_users_for_the_channel_replaces_the_general_one() -> None:
    """Administrators get in where the record that names the channel keeps out nobody."""
    row = access(f"{OPEN}{DEFAULTS}SET CHLAUTH(WAS) TYPE(BLOCKUSER) USERLIST('nobody')")
    assert (row.blocked, row.blocks_administrators) == (False, False)


@pytest.mark.parametrize(
    ("manager", "mca", "user", "expected", "question"),
    [
        ("CONNAUTH(' ')", " ", "app", "app", None),
        ("CONNAUTH(' ')", "chl", "app", "chl", None),
        ("CONNAUTH(' ')", "chl", None, "chl", None),
        ("CONNAUTH(' ')", "app", "app", "app", None),
        ("", "chl", "app", None, "adoption"),
        ("", "chl", None, "chl", None),
        ("", " ", None, None, "user"),
        ("CONNAUTH(NOT.SHOWN)", "chl", "app", None, "adoption"),
    ],
)
def test_the_channels_own_user(
    manager: str, mca: str, user: str | None, expected: str | None, question: str | None
) -> None:
    """MCAUSER decides over the client's user, unless connection authentication takes that over."""
    row = access(f"ALTER QMGR CHLAUTH(ENABLED) {manager}\n", user, mca=mca)
    assert (effective(row), row.question) == (expected, question)


@pytest.mark.parametrize(("adopts", "expected"), [("YES", "app"), ("NO", "chl")])
def test_connection_authentication_takes_users_over(adopts: str, expected: str) -> None:
    """With ADOPTCTX(YES) the user that proves itself counts, and not MCAUSER; a map still comes after it."""
    script = OPEN + CONNAUTH.format(adopts)
    assert effective(access(script, mca="chl")) == expected
    mapped = f"{script}SET CHLAUTH(WAS) {EVERYBODY} USERSRC(MAP) MCAUSER('mqapp')\n"
    assert access(mapped, mca="chl").effective_user == "mqapp"
    old = DUMP.replace("930", "800")
    assert access(mapped, mca="chl", head=old).effective_user == (None if adopts == "YES" else "mqapp")


def test_no_check_of_clients_takes_nobody_over() -> None:
    """CHCKCLNT(NONE) means that clients prove nothing."""
    script = OPEN + CONNAUTH.format("YES").replace("OPTIONAL", "NONE")
    assert effective(access(script, mca="chl")) == "chl"


_EXIT = "SCYDATA('x') SCYEXIT('BlockIP2(BlockExit)')"


@pytest.mark.parametrize(
    ("records", "mca"),
    [
        ("", " "),
        ("", "chl"),
        ("", "*NOACCESS"),
        (f"SET CHLAUTH(WAS) {EVERYBODY} USERSRC(MAP) MCAUSER('mqapp')", " "),
        ("SET CHLAUTH(WAS) TYPE(USERMAP) CLNTUSER('app') USERSRC(MAP) MCAUSER('mqapp')", " "),
        ("SET CHLAUTH(WAS) TYPE(USERMAP) CLNTUSER('app') USERSRC(NOACCESS)", " "),
        ("SET CHLAUTH(WAS) TYPE(BLOCKUSER) USERLIST('app')", " "),
        (DEFAULTS, "mqm"),
        (CONNAUTH.format("YES"), "chl"),
        ("ALTER QMGR CHLAUTH(DISABLED)", "chl"),
    ],
)
@pytest.mark.parametrize("user", ["app", None])
def test_a_security_exit_may_set_any_user_or_refuse_the_client(records: str, mca: str, user: str | None) -> None:
    """It decides over maps, MCAUSER and connection authentication, and no export shows what it does."""
    row = access(OPEN + records, user, mca=mca, more=_EXIT)
    assert (row.effective_user, row.blocked, row.question) == (None, None, "exit")
    assert row.record == "SCYEXIT('BlockIP2(BlockExit)')"


@pytest.mark.parametrize(
    ("records", "blocked"),
    [
        (f"SET CHLAUTH(WAS) {EVERYBODY} USERSRC(NOACCESS)", True),
        ("SET CHLAUTH('*') TYPE(BLOCKADDR) ADDRLIST('*')", True),
        (f"SET CHLAUTH(WAS) TYPE(USERMAP) CLNTUSER('x')\nSET CHLAUTH('*') {EVERYBODY} USERSRC(NOACCESS)", None),
    ],
)
def test_who_is_kept_out_before_the_security_exit_stays_out(records: str, blocked: bool | None) -> None:
    """A map that lets some user in may be about the one whom the exit names."""
    assert access(OPEN + records, more=_EXIT).blocked is blocked


def test_a_security_exit_does_not_let_administrators_in() -> None:
    """BLOCKUSER comes after it."""
    assert access(OPEN + DEFAULTS, more=_EXIT).blocks_administrators is True
    assert access(OPEN, more=_EXIT).blocks_administrators is False


@pytest.mark.parametrize(
    ("exit", "question"), [("SCYEXIT(' ')", None), ("", None), ("SCYEXIT('{{ exit }}')", "exit_setting")]
)
def test_a_channel_may_have_no_security_exit(exit: str, question: str | None) -> None:
    """A dump without the attribute shows that it has none."""
    row = access(OPEN, mca="chl", more=exit)
    assert (row.effective_user, row.question) == (None if question else "chl", question)


_CHECK = "ALTER QMGR CHLAUTH(ENABLED) CONNAUTH(USE.PW)\nDEFINE AUTHINFO(USE.PW) AUTHTYPE(IDPWOS) CHCKCLNT({})\n"
_NOT_SET = _CHECK.replace(" CHCKCLNT({})", "")
_OF_SYSTEM = "DEFINE AUTHINFO(SYSTEM.DEFAULT.AUTHINFO.IDPWOS) AUTHTYPE(IDPWOS) {} REPLACE\n"
_BY_MAP = "SET CHLAUTH(WAS) TYPE(ADDRESSMAP) ADDRESS('{}') USERSRC(CHANNEL) CHCKCLNT({})\n"


@pytest.mark.parametrize(
    ("script", "more", "expected"),
    [
        (_CHECK.format("REQUIRED"), "", (True, False)),
        (_CHECK.format("OPTIONAL"), "", (False, False)),
        (_CHECK.format("NONE"), "", (False, False)),
        (_CHECK.format("REQDADM"), "", (None, True)),
        (_CHECK.format("{{ check }}"), "", (None, None)),
        ("ALTER QMGR CHLAUTH(ENABLED) CONNAUTH(GONE)\n", "", (None, None)),
        (OPEN, "", (False, False)),
        ("ALTER QMGR CHLAUTH(ENABLED)\n", "", (None, None)),
        (_CHECK.format("OPTIONAL") + _BY_MAP.format("*", "REQUIRED"), "", (True, False)),
        (_CHECK.format("OPTIONAL") + _BY_MAP.format("*", "ASQMGR"), "", (False, False)),
        (_CHECK.format("OPTIONAL") + _BY_MAP.format("*", "REQDADM"), "", (None, True)),
        (_CHECK.format("REQUIRED") + _BY_MAP.format("*", "ASQMGR"), "", (True, False)),
        (_CHECK.format("REQUIRED") + _BY_MAP.format("*", "REQDADM"), "", (True, False)),
        ("ALTER QMGR CHLAUTH(ENABLED)\n" + _BY_MAP.format("*", "REQDADM"), "", (None, None)),
        ("ALTER QMGR CHLAUTH(ENABLED)\n" + _BY_MAP.format("*", "REQUIRED"), "", (True, False)),
        ("ALTER QMGR CHLAUTH(ENABLED)\n" + _OF_SYSTEM.format(""), "", (None, True)),
        ("ALTER QMGR CHLAUTH(ENABLED)\n" + _OF_SYSTEM.format("CHCKCLNT(REQUIRED)"), "", (True, False)),
        (_NOT_SET, "", (None, True)),
        (_NOT_SET + _OF_SYSTEM.format("CHCKCLNT(REQUIRED)"), "", (None, None)),
        (_NOT_SET.replace("IDPWOS", "IDPWLDAP"), "", (None, None)),
        (_CHECK.format("REQDADM").replace("IDPWOS", "IDPWLDAP"), "", (None, None)),
        (_CHECK.format("REQUIRED").replace("IDPWOS", "IDPWLDAP"), "", (True, False)),
        (_NOT_SET.replace("IDPWOS", "OCSP"), "", (None, None)),
        (_CHECK.format("REQDADM") + DEFAULTS, "", (False, False)),
        (_CHECK.format("REQDADM") + _BY_MAP.format("*", "ASQMGR") + DEFAULTS, "", (False, False)),
        (_CHECK.format("REQUIRED") + DEFAULTS, "", (True, False)),
        (_CHECK.format("REQUIRED") + _BY_MAP.format("10.*", "REQUIRED"), "", (True, False)),
        (_CHECK.format("OPTIONAL") + _BY_MAP.format("10.*", "REQUIRED"), "", (None, None)),
        (
            _CHECK.format("OPTIONAL").replace("ENABLED", "DISABLED") + _BY_MAP.format("*", "REQUIRED"),
            "",
            (False, False),
        ),
        (_CHECK.format("REQUIRED"), _EXIT, (None, None)),
        (OPEN, _EXIT, (False, False)),
    ],
)
def test_who_has_to_give_a_password(script: str, more: str, expected: tuple[bool | None, bool | None]) -> None:
    """CHCKCLNT of the AUTHINFO that CONNAUTH names, and of the map that fits, which lets nobody off. Administrators who
    are kept out anyway have to give none. A security exit may give one itself. What is not set is as in the default
    object of its type, of which an edited one may have come too late; an LDAP server knows no administrators.
    """
    row = access(script, mca="chl", more=more)
    assert (row.requires_password, row.asks_administrators) == expected


@pytest.mark.parametrize(("mca", "expected"), [(" ", True), ("app", True), ("chl", None)])
def test_an_administrator_is_asked_where_its_own_user_counts(mca: str, expected: bool | None) -> None:
    """Where another user counts than the client names, nobody knows which one makes it an administrator."""
    row = access(_CHECK.format("REQDADM"), mca=mca)
    assert (row.requires_password, row.asks_administrators) == (expected, True)


def test_without_an_export_of_the_queue_manager_nobody_knows_who_is_asked() -> None:
    """A script does not show CONNAUTH. Before IBM MQ 8.0 there is none."""
    assert access("ALTER QMGR CHLAUTH(ENABLED)\n", head="").requires_password is None
    assert access("ALTER QMGR CHLAUTH(ENABLED)\n", head=DUMP.replace("930", "710")).requires_password is False


@pytest.mark.parametrize(
    ("manager", "blocked"), [("OPTIONAL", False), ("REQDADM", False), ("NONE", True), ("blank", True)]
)
def test_a_map_that_requires_a_password_where_none_is_checked_keeps_every_client_out(
    manager: str, blocked: bool
) -> None:
    """A user must have been authenticated, and no one is."""
    script = OPEN if manager == "blank" else _CHECK.format(manager)
    row = access(script + _BY_MAP.format("*", "REQUIRED"), mca="chl")
    assert (row.blocked, row.requires_password) == (blocked, not blocked)
    assert not blocked or (row.record or "").endswith("CHCKCLNT(REQUIRED)")


def test_what_requires_a_password_is_named() -> None:
    """The AUTHINFO, or the map."""
    assert access(_CHECK.format("REQUIRED")).authentication == "AUTHINFO(USE.PW) CHCKCLNT(REQUIRED)"
    named = access(_CHECK.format("OPTIONAL") + _BY_MAP.format("*", "REQUIRED")).authentication
    assert named == "CHLAUTH('WAS') TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(CHANNEL) CHCKCLNT(REQUIRED)"


def test_a_channel_that_lets_nobody_in() -> None:
    """MCAUSER('*NOACCESS') refuses whoever no map gives another user."""
    assert access(OPEN, mca="*NOACCESS").blocked is True
    mapped = f"{OPEN}SET CHLAUTH(WAS) TYPE(USERMAP) CLNTUSER('app') MCAUSER('mqapp')"
    assert [access(mapped, user, mca="*NOACCESS").blocked for user in ("app", "other")] == [False, True]


@pytest.mark.parametrize(
    ("state", "level", "blocked"),
    [
        ("CHLAUTH(ENABLED)", 930, True),
        ("CHLAUTH(DISABLED)", 930, False),
        ("CHLAUTH({{ x }})", 930, None),
        ("", 930, True),
        ("", 701, False),
    ],
)
def test_records_act_only_where_they_are_in_force(state: str, level: int, blocked: bool | None) -> None:
    """CHLAUTH of the queue manager switches them; a dump leaves out what is as in a new queue manager."""
    script = f"ALTER QMGR {state} DESCR('x')\nSET CHLAUTH(WAS) {EVERYBODY} USERSRC(NOACCESS)"
    assert access(script, head=DUMP.replace("930", str(level))).blocked is blocked


@pytest.mark.parametrize(
    "header",
    ["", DUMP.replace(" -a", " -x object -a"), DUMP.replace(" -a", " -n 'WAS*' -a"), DUMP + "SET CHLAUTH('{{ c }}')\n"],
)
def test_where_records_may_be_missing_nothing_is_known(header: str) -> None:
    """A script, or a dump of objects alone, does not show the records; a record in the way settles nothing either."""
    row = access(OPEN, head=header)
    assert (row.effective_user, row.blocked, row.question) == (None, None, "records")
    disabled = access("ALTER QMGR CHLAUTH(DISABLED) CONNAUTH(' ')\n", head=header)
    assert (disabled.effective_user, disabled.blocked, disabled.question) == ("*", False, None)


def test_the_records_may_come_in_a_file_of_their_own() -> None:
    """A dump of records completes a dump of objects."""
    objects = DUMP.replace(" -a", " -x object -a") + OPEN + "DEFINE CHANNEL(WAS) CHLTYPE(SVRCONN)\n"
    records = f"{DUMP.replace(' -a', ' -x chlauth')}SET CHLAUTH(WAS) {EVERYBODY} MCAUSER('mqapp')\n"
    rows = resolve(objects, records).rows["channel_access"]
    assert {row.effective_user for row in rows if row.channel == "WAS"} == {"mqapp"}


NOBODY_IN = f"SET CHLAUTH('*') {EVERYBODY} USERSRC(NOACCESS)\n"
APP_IN = "SET CHLAUTH(WAS) TYPE(USERMAP) CLNTUSER('app') USERSRC(CHANNEL)\n"


@pytest.mark.parametrize(
    ("script", "blocked", "removal"),
    [
        ("", False, None),
        ("SET CHLAUTH(WAS) TYPE(USERMAP) CLNTUSER('app') ACTION(REMOVE)\n", True, "CLNTUSER('app') ACTION(REMOVE)"),
        ("SET CHLAUTH(WAS) TYPE(USERMAP) ACTION(REMOVEALL)\n", True, "ACTION(REMOVEALL)"),
        (f"SET CHLAUTH(WAS) TYPE(USERMAP) CLNTUSER('app') ACTION(REMOVE)\n{APP_IN}", False, None),
        ("SET CHLAUTH('*') TYPE(BLOCKUSER) USERLIST('other') ACTION(REMOVE)\n", False, None),
    ],
)
def test_the_removal_of_the_record_that_would_decide_is_known(script: str, blocked: bool, removal: str | None) -> None:
    """Another record decides then, and readers look for the command that removed the first."""
    others = "SET CHLAUTH('*') TYPE(BLOCKUSER) USERLIST('other')\n"
    row = access(OPEN + NOBODY_IN + APP_IN + others + script)
    assert row.blocked is blocked
    place = row.origins.get("removed_record")
    assert (place.text.rpartition("(USERMAP) ")[2] if isinstance(place, Origin) else None) == removal


@pytest.mark.parametrize(
    ("script", "mca", "text"),
    [
        (f"SET CHLAUTH(WAS) {EVERYBODY} USERSRC(MAP) MCAUSER('mqapp')\n", " ", "CHLAUTH('WAS') TYPE(ADDRESSMAP)"),
        ("", "mqapp", "MCAUSER('mqapp')"),
        ("", " ", None),
    ],
)
def test_where_the_user_whose_rights_count_comes_from(script: str, mca: str, text: str | None) -> None:
    """A map, MCAUSER, or the client itself, which is no place at the queue manager."""
    place = access(OPEN + script, mca=mca).origins.get("effective_user")
    if text is None:
        assert place is None
    else:
        assert place is not None
        assert (place if isinstance(place, Origin) else place.resolve()).text.startswith(text)


def test_the_clients_end_of_a_channel_is_another_object() -> None:
    """A client connection channel of the same name neither replaces the server's end nor stands in for it."""
    both = "DEFINE CHANNEL(A) CHLTYPE(SVRCONN) MAXINST(7) REPLACE\nDEFINE CHANNEL(A) CHLTYPE(CLNTCONN) REPLACE\n"
    (row,) = (row for row in resolve(DUMP + both).rows["channel"] if row.name == "A")
    assert row.max_instances == 7
    left = resolve(DUMP + both + "DELETE CHANNEL(A) CHLTABLE(CLNTTBL)\n").rows["channel"]
    assert [row.max_instances for row in left if row.name == "A"] == [7]
    alone = resolve(DUMP + "DEFINE CHANNEL(A) CHLTYPE(CLNTCONN) REPLACE\n")
    assert [row.name for row in alone.rows["channel"] if row.name == "A"] == []


@pytest.mark.parametrize(
    ("script", "lists"),
    [
        (DUMP, True),
        (DUMP + "ALTER QMGR CHAD(DISABLED)\n", True),
        (DUMP + "ALTER QMGR CHAD(ENABLED)\n", False),
        ("DEFINE CHANNEL(A) CHLTYPE(SVRCONN)\n", False),
        ("DEFINE QLOCAL(SYSTEM.DEFAULT.LOCAL.QUEUE) QSGDISP(QMGR) BOTHRESH(0)\n", False),
        (
            "DEFINE QLOCAL(SYSTEM.DEFAULT.LOCAL.QUEUE) QSGDISP(QMGR) BOTHRESH(0)\nDEFINE CHANNEL(A) CHLTYPE(SVRCONN)\n",
            False,
        ),
        (
            (
                "ALTER QMGR CHAD(DISABLED)\nDEFINE QLOCAL(SYSTEM.DEFAULT.LOCAL.QUEUE) QSGDISP(QMGR) BOTHRESH(0)\n"
                "DEFINE CHANNEL(A) CHLTYPE(SVRCONN)\n"
            ),
            True,
        ),
    ],
)
def test_which_exports_show_every_channel(script: str, lists: bool) -> None:
    """A whole dump does, unless the queue manager makes channels on demand; a deck of queues alone does not."""
    assert resolve(script).rows["queue_manager"][0].lists_channels is lists


@pytest.mark.parametrize(
    ("script", "rows"),
    [
        ("ALTER QMGR CHAD(DISABLED)\n", [(False, "DELETE CHANNEL('A')")]),
        ("ALTER QMGR CHAD(DISABLED)\nDEFINE CHANNEL(A) CHLTYPE(SVRCONN)\n", [(True, None)]),
        ("ALTER QMGR CHAD(ENABLED)\n", []),
        ("", []),
    ],
)
def test_a_deleted_channel_does_not_exist(script: str, rows: list[tuple[bool, str | None]]) -> None:
    """However little else of the queue manager is known, unless it makes channels on demand."""
    found = resolve("DEFINE CHANNEL(A) CHLTYPE(SVRCONN)\nDELETE CHANNEL(A)\n" + script).rows["channel"]
    told = [(row.defined, row.origins.get("defined")) for row in found if row.name == "A"]
    assert [(defined, place.text if isinstance(place, Origin) else None) for defined, place in told] == rows


@pytest.mark.parametrize(("length", "expected"), [("MAXMSGL(5000)", 5000), ("MAXMSGL(0)", 104857600), ("", 4194304)])
def test_the_longest_message_of_a_channel(length: str, expected: int) -> None:
    """0 leaves it to the queue manager."""
    rows = resolve(f"{DUMP}DEFINE CHANNEL(A) CHLTYPE(SVRCONN) {length}\n").rows["channel"]
    assert [row.max_message_bytes for row in rows if row.name == "A"] == [expected]


def test_an_authentication_object_that_is_not_defined_is_asked_for(lintmdb: Run, tmp_path: Path) -> None:
    """The groups of the user are known, and settle nothing while nobody knows who keeps the users."""
    exports = Path(shutil.copytree(FIXTURES / "clean", tmp_path / "exports"))
    (tmp_path / "QM1.mqsc").write_text("ALTER QMGR CONNAUTH('MY.AUTH')\n")
    arguments = ("diff", exports, "--change", tmp_path / "QM1.mqsc")
    told = " ".join(lintmdb(*arguments).stdout.split())
    assert "without the definition of AUTHINFO MY.AUTH, which CONNAUTH of QM1 names" in told
    assert "groups" not in told
    (tmp_path / "QM1.mqsc").write_text(
        "DEFINE AUTHINFO('MY.AUTH') AUTHTYPE(IDPWOS) ADOPTCTX(YES)\nALTER QMGR CONNAUTH('MY.AUTH')\n"
    )
    assert "MY.AUTH" not in lintmdb(*arguments).stdout


@pytest.mark.parametrize("change", ["DELETE QLOCAL(ORDERS.IN)", "DEFINE QREMOTE(ORDERS.IN) RNAME(X) RQMNAME(QM2)"])
def test_an_administrator_is_known_whatever_becomes_of_the_queue(lintmdb: Run, tmp_path: Path, change: str) -> None:
    """Who may use the channel does not depend on the queue that the endpoint reads."""
    exports = shutil.copytree(FIXTURES / "clean", tmp_path / "exports")
    with (exports / "mq" / "QM1.mqsc").open("a") as dump:
        dump.write("SET CHLAUTH('*') TYPE(BLOCKUSER) USERLIST('*MQADMIN')\n")
    (tmp_path / "seen.yaml").write_text("users: [{user: wasuser, groups: [apps]}]\n")
    delete = "" if change.startswith("DELETE") else "DELETE QLOCAL(ORDERS.IN)\n"
    (tmp_path / "QM1.mqsc").write_text(f"{delete}{change}\n")
    asked = ("--select", "MDB605", "--observations", "seen.yaml", "--verbose")
    assert "1 check clear" in lintmdb("check", "exports", *asked, cwd=tmp_path).stdout
    after = lintmdb("check", "exports", *asked, "--change", "QM1.mqsc", cwd=tmp_path)
    assert ("1 check clear" in after.stdout, "undecided" in after.stdout) == (True, False)
