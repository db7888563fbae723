"""Authority records: profiles, entities, and what they let a user do with a backout queue."""

from __future__ import annotations

import pytest

from lintmdb.exports.mq import read_mqsc
from lintmdb.model.relations import Authority
from lintmdb.resolve.mq.authorities import RIGHTS, Authorities, expand_rights, has_right
from lintmdb.resolve.mq.queue_manager import resolve_queue_manager
from tests.support.dumps import WHOLE

USER = ("principal", "app")
STAFF = ("group", "staff")
HEAD = f"* Command issued: dmpmqcfg -m QM1 -a\n{WHOLE}"
QUEUES = "DEFINE QLOCAL(IN) BOQNAME(OUT.BO)\nDEFINE QLOCAL(OUT.BO)\n"


def decided_by(name: str, *profiles: str) -> str | None:
    """The profile that decides for a user: each grants a right of its own name."""
    authorities = Authorities()
    for profile in profiles:
        authorities.change(profile, USER, frozenset({profile}), frozenset())
    return next(iter(authorities.rights_on(name).get(USER, ())), None)


def rights(
    script: str, user: str = "app", groups: frozenset[str] | None = None, head: str = HEAD
) -> dict[str, bool | None] | None:
    """What a user may do with the backout queue of IN, None where the relation does not say."""
    text = head + QUEUES + script
    facts = resolve_queue_manager("QM1", [read_mqsc(text.encode(), "x")], identities={user: groups})
    row = next((row for row in facts.rows["authority"] if (row.queue, row.account) == ("IN", user)), None)
    return None if row is None else {right: getattr(row, right) for right in RIGHTS}


def record(profile: str, change: str, who: str = "PRINCIPAL('app')", kind: str = "QUEUE") -> str:
    """One SET AUTHREC."""
    return f"SET AUTHREC PROFILE('{profile}') {who} OBJTYPE({kind}) {change}\n"


@pytest.mark.parametrize(
    ("profile", "matching", "others"),
    [
        ("A.B", ["A.B"], ["A", "A.BC", "a.b"]),
        ("A.?", ["A.B"], ["A.", "A.BC", "A"]),
        ("A.*", ["A.B", "A.BC"], ["A", "A.B.C", "AB.C"]),
        ("A*", ["A", "AB"], ["A.B", "BA"]),
        ("*.B", ["A.B", "X.B"], ["B", "A.X.B"]),
        ("A.**", ["A", "A.B", "A.B.C"], ["AB", "AB.C"]),
        ("**.C", ["C", "B.C", "A.B.C"], ["BC", "C.D"]),
        ("A.**.C", ["A.C", "A.B.C", "A.B.B.C"], ["AC", "A.BC", "A.C.D"]),
        ("**", ["A", "A.B.C"], []),
        ("A.B/C_%", ["A.B/C_%"], ["AXB/C_%"]),
    ],
)
def test_profiles_match_whole_names(profile: str, matching: list[str], others: list[str]) -> None:
    """? is one character, * any within one part of a name, ** any number of parts; all else is itself."""
    assert [name for name in [*matching, *others] if decided_by(name, profile)] == matching


@pytest.mark.parametrize(
    ("name", "winner", "losers"),
    [
        ("A.BO", "A.BO", ["A.B?", "A.*", "A.**", "**", "*.BO"]),
        ("A.BO", "A.B?", ["A.B*", "A.*", "?.BO"]),
        ("A.BO", "A.*", ["A.**", "*.BO", "**"]),
        ("A.BO", "A.B*", ["A.*", "A.?O"]),
        ("A.BO", "?.BO", ["*.BO", "**.BO"]),
        ("A.B.C", "A.**.C", ["**.C", "*.B.C", "**"]),
        ("A.B.C", "A.*.C", ["A.**.C", "A.**"]),
    ],
)
def test_the_most_specific_profile_decides(name: str, winner: str, losers: list[str]) -> None:
    """From left to right a plain character wins over ?, ? over *, * over **, in whatever order they are set."""
    assert decided_by(name, winner, *losers) == winner
    assert decided_by(name, *losers, winner) == winner


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("PUT, GET,INQ", {"put", "get", "inq"}),
        ("put get", {"put", "get"}),
        ("NONE", set[str]()),
        ("", set[str]()),
        ("NONE,PUT", {"put"}),
        ("ALLMQI", {"browse", "get", "inq", "put", "passall", "passid", "set", "setall", "setid"}),
        ("ALLADM", {"chg", "clr", "dlt", "dsp"}),
    ],
)
def test_lists_of_rights(text: str, expected: set[str]) -> None:
    """A list of rights is read in any case and layout; NONE is nothing, ALLMQI and ALLADM are written out."""
    assert expand_rights(text) == expected


def test_all_is_both_lists() -> None:
    """ALL is every right of ALLMQI and of ALLADM."""
    assert expand_rights("ALL") == expand_rights("ALLMQI") | expand_rights("ALLADM")


@pytest.mark.parametrize("carving", ["AUTHADD(NONE)", "AUTHRMV(ALL)", "AUTHRMV(ALLMQI)", "AUTHADD(GET) AUTHRMV(PUT)"])
@pytest.mark.parametrize("carved", ["OUT.BO", "OUT.B?", "OUT.*", "OUT.**"])
def test_a_specific_profile_carves_out(carved: str, carving: str) -> None:
    """A more specific profile without a right takes it away, even though a wider one grants everything."""
    reads = record("IN", "AUTHADD(GET)")
    wide = record("**", "AUTHADD(ALL)")
    for script in (reads + wide + record(carved, carving), reads + record(carved, carving) + wide):
        found = rights(script)
        assert found is not None
        assert (found["put"], found["passall"]) == (False, False)
    assert rights(reads + wide) == dict.fromkeys(RIGHTS, True)


def test_a_carve_out_is_for_its_entity_alone() -> None:
    """Profiles are chosen for the user and for each group by themselves, and the user has the rights of all."""
    script = record("**", "AUTHADD(PUT,PASSALL)", "GROUP('staff')") + record("OUT.BO", "AUTHADD(NONE)")
    found = rights(script, groups=frozenset({"staff"}))
    assert found is not None
    assert (found["put"], found["passall"], found["get"]) == (True, True, False)
    carved = rights(script + record("OUT.BO", "AUTHRMV(ALL)", "GROUP('staff')"), groups=frozenset({"staff"}))
    assert carved == dict.fromkeys(RIGHTS, False)


@pytest.mark.parametrize(
    ("changes", "put", "passall"),
    [
        (["AUTHADD(PUT)", "AUTHADD(PASSALL)"], True, True),
        (["AUTHADD(ALLMQI)", "AUTHRMV(PASSALL)"], True, False),
        (["AUTHRMV(PASSALL)", "AUTHADD(ALLMQI)"], True, True),
        (["AUTHADD(PUT,PASSALL)", "AUTHADD(NONE)"], True, True),
        (["AUTHADD(PUT,PASSALL)", "AUTHRMV(ALL)", "AUTHADD(PUT)"], True, False),
        (["AUTHRMV(PUT) AUTHADD(PASSALL)"], False, True),
    ],
)
def test_records_are_set_in_order(changes: list[str], put: bool, passall: bool) -> None:
    """Each SET AUTHREC adds to and removes from what its profile and entity have so far."""
    found = rights(record("IN", "AUTHADD(GET)") + "".join(record("OUT.BO", change) for change in changes))
    assert found is not None
    assert (found["put"], found["passall"]) == (put, passall)


def test_a_deleted_record_decides_nothing() -> None:
    """DELETE AUTHREC takes a carve-out away: the wider profile decides again, and only for that entity."""
    script = record("IN", "AUTHADD(GET)") + record("**", "AUTHADD(PUT)") + record("OUT.*", "AUTHADD(NONE)")
    deleted = script + "DELETE AUTHREC PROFILE('OUT.*') OBJTYPE(QUEUE) PRINCIPAL('app')\n"
    other = script + "DELETE AUTHREC PROFILE('OUT.*') OBJTYPE(QUEUE) GROUP('app')\n"
    never = script + "DELETE AUTHREC PROFILE('NOT.HERE') OBJTYPE(QUEUE) PRINCIPAL('app')\n"
    assert [(rights(text) or {}).get("put") for text in (script, deleted, other, never)] == [False, True, False, False]


@pytest.mark.parametrize("manager", ["", "SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('app') AUTHADD(CONNECT,INQ)\n"])
@pytest.mark.parametrize("group", ["", record("**", "AUTHADD(GET,PUT)", "GROUP('staff')")])
@pytest.mark.parametrize("queue", ["IN", "OUT.BO"])
def test_a_record_without_rights_says_as_much_as_none(manager: str, group: str, queue: str) -> None:
    """AUTHRMV(ALL) and DELETE AUTHREC take the same away where no wider profile applies: who connects by a record of
    its own is no administrator, and has what a group may grant it or nothing.
    """
    script = HEAD + QUEUES + manager + group + record("**", "AUTHADD(ALL)")
    emptied = _known(script + record("**", "AUTHRMV(ALL)"), queue)
    deleted = _known(script + "DELETE AUTHREC PROFILE('**') OBJTYPE(QUEUE) PRINCIPAL('app')\n", queue)
    assert deleted == emptied
    assert deleted["source_get"] is (False if manager and not group else None)


def test_a_record_that_a_change_takes_back_leaves_nothing_behind() -> None:
    """A script and its undo script leave what was known before."""
    dump = HEAD + QUEUES + "SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('app') AUTHADD(CONNECT,INQ)\n"
    undone = record("OUT.BO", "AUTHADD(PUT)") + "DELETE AUTHREC PROFILE('OUT.BO') OBJTYPE(QUEUE) PRINCIPAL('app')\n"
    before, after = (
        resolve_queue_manager("QM1", [read_mqsc(dump.encode(), "x")], changes=changes).rows["authority"]
        for changes in ([], [read_mqsc(undone.encode(), "y")])
    )
    assert before == after


def _known(text: str, queue: str) -> dict[str, object]:
    """What is known of the rights of a user that no observation names; None for everything where there is no row."""
    columns = ("source_get", "source_inq", "connect", *RIGHTS)
    facts = resolve_queue_manager("QM1", [read_mqsc(text.encode(), "x")])
    row = next((row for row in facts.rows["authority"] if (row.queue, row.user) == (queue, "app")), None)
    return {column: getattr(row, column, None) for column in columns}


@pytest.mark.parametrize(
    ("delete", "put"),
    [
        ("DELETE QLOCAL(OUT.BO)", True),
        ("DELETE QL(OUT.BO) PURGE AUTHREC(YES)", True),
        ("DELETE QLOCAL(OUT.BO) AUTHREC(NO)", False),
        ("DELETE QALIAS(OUT.BO)", False),
        ("DELETE QLOCAL(OTHER)", False),
    ],
)
def test_a_deleted_queue_takes_the_records_of_its_name_along(delete: str, put: bool) -> None:
    """Unless AUTHREC(NO) keeps them; a wider profile stays and decides for the queue that is defined again."""
    script = record("**", "AUTHADD(PUT)") + record("OUT.BO", "AUTHADD(GET)") + f"{delete}\nDEFINE QLOCAL(OUT.BO)\n"
    known = rights(script, groups=frozenset())
    assert known is not None
    assert (known["put"], known["get"]) == (put, not put)


def test_only_records_of_queues_count() -> None:
    """A record of another object type says nothing about a queue of the same name."""
    script = record("IN", "AUTHADD(GET)") + record("OUT.BO", "AUTHADD(ALL)", kind="TOPIC")
    assert rights(script) == dict.fromkeys(RIGHTS, False)
    assert rights(record("OUT.BO", "AUTHADD(ALL)", kind="TOPIC")) is None


@pytest.mark.parametrize("who", ["PRINCIPAL('app@DOMAIN')", "PRINCIPAL('other','app')", "PRINCIPAL('app')"])
def test_principals_in_every_spelling(who: str) -> None:
    """A principal may stand in a list and with its domain."""
    assert rights(record("OUT.BO", "AUTHADD(ALL)", who)) == dict.fromkeys(RIGHTS, True)


@pytest.mark.parametrize(
    ("platform", "user", "puts"),
    [("UNIX", "app", False), ("UNIX", "app@corp", True), ("WINDOWS NT", "app", True), (None, "app", True)],
)
def test_a_user_has_a_domain_on_windows(platform: str | None, user: str, puts: bool) -> None:
    """Elsewhere the whole name is the user's. Where no export names the platform, the domain says Windows."""
    head = HEAD if platform is None else f"* Queue manager platform: {platform}\n{HEAD}"
    found = rights(record("OUT.BO", "AUTHADD(ALL)", "PRINCIPAL('app@corp')"), user, frozenset(), head)
    assert found == dict.fromkeys(RIGHTS, puts)


@pytest.mark.parametrize(
    ("user", "recorded"),
    [
        ("APP@CORP", "app@corp"),
        ("App", "app@corp"),
        ("app@lab", None),
        ("other@corp", "Other"),
        ("two@LAB", "two@lab"),
        ("two", "two"),
        ("dn@@x@corp", "dn@@x@corp"),
        ("dn@@x", "dn@@x@corp"),
    ],
)
def test_a_user_of_windows_is_named_as_the_record_names_it(user: str, recorded: str | None) -> None:
    """Case does not count. Who names no domain means the only one, or may mean each; an @ of the name is doubled."""
    names = "'app@corp','Other','two@lab','two@corp','dn@@x@corp'"
    head = f"* Queue manager platform: WINDOWS NT\n{HEAD}{QUEUES}"
    text = head + record("OUT.BO", "AUTHADD(PUT)", f"PRINCIPAL({names})")
    facts = resolve_queue_manager("QM1", [read_mqsc(text.encode(), "x")], identities={user: frozenset()})
    (row,) = [row for row in facts.rows["authority"] if (row.queue, row.account) == ("IN", user.lower())]
    assert (row.user, row.put) == (recorded or user, recorded is not None)


def test_groups_of_windows_have_domains_too() -> None:
    """And so have those of the administrators."""
    head = f"* Queue manager platform: WINDOWS NT\n{HEAD}"
    grant = record("OUT.BO", "AUTHADD(PUT)", "GROUP('Apps@CORP')")
    granted = [rights(grant, groups=frozenset({group}), head=head) for group in ("apps", "APPS@corp", "apps@lab")]
    assert [found is not None and found["put"] for found in granted] == [True, True, False]
    all_rights = dict.fromkeys(RIGHTS, True)
    assert rights(grant, groups=frozenset({"Administrators@BUILTIN"}), head=head) == all_rights
    assert rights(grant, "mqm@host", frozenset(), head) == all_rights


def test_unquoted_names_fold_to_upper_case() -> None:
    """PRINCIPAL(app) is the user APP, as everywhere in MQSC."""
    found = rights(record("OUT.BO", "AUTHADD(PUT)", "PRINCIPAL(app)"), user="APP")
    assert found is not None
    assert found["put"] is True


@pytest.mark.parametrize(
    ("user", "groups", "expected"),
    [
        ("app", None, None),
        ("app", frozenset[str](), False),
        ("app", frozenset({"staff"}), True),
        ("app", frozenset({"other", "staff"}), True),
        ("app", frozenset({"mqm"}), True),
        ("mqm", None, True),
        ("stranger", None, None),
        ("stranger", frozenset({"other"}), False),
    ],
)
def test_groups_decide_if_they_are_known(user: str, groups: frozenset[str] | None, expected: bool | None) -> None:
    """A right that a group has is the user's if the user is known to be in it, and open if the groups are unknown."""
    assert has_right(user, groups, "put", {STAFF: frozenset({"put"})}, {USER: frozenset({"get"})}) is expected


@pytest.mark.parametrize(
    ("on_object", "on_input", "expected"),
    [
        ({}, {USER: {"get"}}, False),
        ({("group", "mqm"): {"put"}}, {USER: {"get"}}, False),
        ({USER: {"inq"}}, {USER: {"get"}}, False),
        ({}, {}, None),
        ({}, {USER: {"put"}}, None),
        ({}, {STAFF: {"get"}}, None),
        ({USER: {"put"}}, {}, True),
    ],
)
def test_without_groups_a_no_needs_proof(
    on_object: dict[tuple[str, str], set[str]], on_input: dict[tuple[str, str], set[str]], expected: bool | None
) -> None:
    """Without known groups a right is missing only if the user reads by its own record and no group grants it."""
    frozen = [{entity: frozenset(names) for entity, names in entries.items()} for entries in (on_object, on_input)]
    assert has_right("app", None, "put", *frozen) is expected


@pytest.mark.parametrize(
    "template",
    [
        "SET AUTHREC PROFILE('{{ q }}') OBJTYPE(QUEUE) PRINCIPAL('app') AUTHADD(PUT)\n",
        "SET AUTHREC PROFILE('OUT.BO') OBJTYPE(QUEUE) PRINCIPAL('${USER}') AUTHADD(PUT)\n",
        "SET AUTHREC PROFILE('OUT.BO') OBJTYPE(QUEUE) PRINCIPAL('app') AUTHADD({{ rights }})\n",
    ],
)
def test_template_records_leave_everything_open(template: str) -> None:
    """Nobody can say which right an unfilled record gives or takes, so no right is called missing."""
    assert rights(record("IN", "AUTHADD(GET)") + template) == dict.fromkeys(RIGHTS)


def test_the_named_object_is_checked_not_what_is_behind_it() -> None:
    """Where BOQNAME is an alias, the authority is that on the alias, which is what gets opened."""
    text = f"{HEAD}DEFINE QLOCAL(IN) BOQNAME(AL)\nDEFINE QALIAS(AL) TARGET(BO)\nDEFINE QLOCAL(BO)\n"
    text += record("IN", "AUTHADD(GET)") + record("BO", "AUTHADD(ALL)") + record("AL", "AUTHADD(PUT)")
    facts = resolve_queue_manager("QM1", [read_mqsc(text.encode(), "x")])
    (row,) = (row for row in facts.rows["authority"] if (row.queue, row.user) == ("IN", "app"))
    assert (row.user, row.put, row.passall) == ("app", True, False)
    assert row.origins["passall"].text == "BOQNAME(AL)"


@pytest.mark.parametrize(
    ("queue", "granted", "groups", "expected"),
    [
        ("BOTHRESH(3)", "PUT,PASSALL", None, (True, True)),
        ("BOTHRESH(3)", "PUT", None, (True, False)),
        ("BOTHRESH(3)", "PUT", frozenset({"staff"}), (True, True)),
        ("BOTHRESH(3) BOQNAME(OUT.BO)", "NONE", None, (False, None)),
        ("BOTHRESH(0)", "PUT,PASSALL", None, (None, None)),
    ],
)
def test_rights_on_the_dead_letter_queue(
    queue: str, granted: str, groups: frozenset[str] | None, expected: tuple[bool | None, bool | None]
) -> None:
    """They count for every queue with a threshold, whether it names a backout queue or not."""
    text = f"{HEAD}ALTER QMGR DEADQ(DLQ)\nDEFINE QLOCAL(IN) {queue}\nDEFINE QLOCAL(DLQ)\n"
    text += record("IN", "AUTHADD(GET)") + record("DLQ", f"AUTHADD({granted})")
    if groups or expected == (False, None):
        text += record("DLQ", "AUTHADD(PASSALL)", "GROUP('staff')")
    facts = resolve_queue_manager("QM1", [read_mqsc(text.encode(), "x")], identities={"app": groups})
    (row,) = (row for row in facts.rows["authority"] if (row.queue, row.user) == ("IN", "app"))
    assert (row.dead_letter_put, row.dead_letter_passall) == expected
    assert "dead_letter_put" not in row.origins or row.origins["dead_letter_put"].text == "DEADQ(DLQ)"


def row_of(text: str, user: str = "app", queue: str = "IN", groups: frozenset[str] | None = None) -> Authority:
    """What a user may do with a queue that it opens."""
    rows = resolve_queue_manager("QM1", [read_mqsc(text.encode(), "x")], identities={user: groups}).rows["authority"]
    (row,) = (row for row in rows if (row.queue, row.user) == (queue, user))
    return row


@pytest.mark.parametrize(
    ("records", "expected"),
    [
        (record("IN", "AUTHADD(GET,BROWSE,INQ)"), (True, True, True)),
        (record("IN", "AUTHADD(BROWSE,INQ)"), (False, True, True)),
        (record("**", "AUTHADD(ALLMQI)") + record("IN", "AUTHADD(GET)"), (True, False, False)),
        (record("IN", "AUTHADD(BROWSE)") + record("IN", "AUTHADD(GET)", "GROUP('staff')"), (None, True, False)),
        (record("IN", "AUTHADD(BROWSE)") + record("IN", "AUTHADD(ALL)", "GROUP('mqm')"), (False, True, False)),
        (record("IN", "AUTHADD(+get +browse)").replace("+", ""), (True, True, False)),
    ],
)
def test_rights_on_the_queue_that_is_opened(records: str, expected: tuple[bool | None, ...]) -> None:
    """A user with a record of its own lacks what neither it nor any group but the administrators' has."""
    row = row_of(HEAD + "DEFINE QLOCAL(IN)\n" + records)
    assert (row.source_get, row.source_browse, row.source_inq) == expected
    assert row.administrator is False


def test_rights_on_an_alias_are_not_those_on_its_queue() -> None:
    """MQ checks the name that is opened; the rights on the backout queue are those on what BOQNAME names."""
    text = HEAD + "DEFINE QALIAS(AL) TARGET(IN)\nDEFINE QLOCAL(IN) BOTHRESH(1) BOQNAME(BO)\nDEFINE QLOCAL(BO)\n"
    text += record("AL", "AUTHADD(GET,BROWSE,INQ)") + record("BO", "AUTHADD(PUT)") + record("IN", "AUTHADD(INQ)")
    assert [row_of(text, queue=queue).source_get for queue in ("AL", "IN")] == [True, False]
    assert [(row_of(text, queue=queue).put, row_of(text, queue=queue).passall) for queue in ("AL", "IN")] == [
        (True, False)
    ] * 2


@pytest.mark.parametrize(
    ("records", "groups", "expected"),
    [
        ("", None, None),
        (record("", "AUTHADD(CONNECT,INQ)", kind="QMGR"), None, True),
        (record("", "AUTHADD(ALL)", kind="QMGR"), None, True),
        (record("", "AUTHADD(ALLMQI)", kind="QMGR"), None, True),
        (record("", "AUTHADD(ALLADM)", kind="QMGR"), None, False),
        (record("SELF", "AUTHADD(CONNECT)", "GROUP('mqm')", "QMGR"), None, False),
        (record("SELF", "AUTHADD(CONNECT)", "GROUP('staff')", "QMGR"), None, None),
        (record("SELF", "AUTHADD(CONNECT)", "GROUP('staff')", "QMGR"), frozenset({"staff"}), True),
        (record("SELF", "AUTHADD(CONNECT)", "GROUP('staff')", "QMGR"), frozenset({"other"}), False),
    ],
)
def test_who_may_connect(records: str, groups: frozenset[str] | None, expected: bool | None) -> None:
    """connect is a right on the queue manager; a dump without any such record leaves them all out."""
    text = HEAD + "DEFINE QLOCAL(IN)\n" + record("IN", "AUTHADD(GET)") + records
    assert row_of(text, groups=groups).connect is expected


@pytest.mark.parametrize(
    ("head", "known"),
    [
        (HEAD, True),
        (HEAD.replace(" -a", " -x authrec -a"), True),
        (HEAD.replace(" -a", " -x authrec -t queue"), True),
        (HEAD.replace(" -a", " -x authrec -n '*'"), True),
        (HEAD.replace(" -a", " -x authrec -n 'I*'"), False),
        (HEAD.replace(" -a", " -x authrec -nIN"), False),
        (HEAD.replace(" -a", " -x authrec -t channel"), False),
        (HEAD.replace(" -a", " -x object -a"), False),
        ("", False),
    ],
)
def test_what_a_part_of_the_records_proves(head: str, known: bool) -> None:
    """A filtered dump or a script shows rights by the very name of a queue, and never that one is missing."""
    script = record("IN", "AUTHADD(GET)") + record("OUT.BO", "AUTHADD(PUT)") + record("OUT.**", "AUTHADD(ALL)")
    found = rights(script, head=head)
    assert found is not None
    assert (found["put"], found["passall"]) == (True, False if known else None)
    generic = rights(record("IN", "AUTHADD(GET)") + record("OUT.**", "AUTHADD(PUT)"), head=head)
    assert generic is not None
    assert generic["put"] is (True if known else None)


def test_a_filtered_dump_beside_a_whole_one_of_objects() -> None:
    """The records of some queues say nothing about a backout queue that has another name."""
    objects = (
        HEAD.replace(" -a", " -x object -a")
        + "DEFINE QLOCAL(ORDERS.IN) BOTHRESH(3) BOQNAME(POISON)\nDEFINE QLOCAL(POISON)\n"
    )
    records = HEAD.replace(" -a", " -x authrec -n 'ORDERS*'") + record("ORDERS.IN", "AUTHADD(GET,BROWSE,INQ)")
    files = [read_mqsc(text.encode(), path) for path, text in (("a", objects), ("b", records))]
    rows = resolve_queue_manager("QM1", files).rows["authority"]
    (row,) = (row for row in rows if (row.queue, row.user) == ("ORDERS.IN", "app"))
    assert (row.source_get, row.put, row.passall) == (True, None, None)


LDAP = "ALTER QMGR CONNAUTH(L)\nDEFINE AUTHINFO(L) AUTHTYPE(IDPWLDAP) AUTHORMD(SEARCHGRP)\n"
STAFF_DN = "cn=mqapps,ou=groups,o=corp"
USER_DN = "uid=app,ou=people,o=corp"


def test_distinguished_names_are_one_name() -> None:
    """Commas belong to the name of an LDAP entry, alone or in a list of quoted names."""
    for group in (f"GROUP('{STAFF_DN}')", f"GROUP('{STAFF_DN}','cn=others,o=corp')"):
        script = (
            LDAP + record("IN", "AUTHADD(GET)", f"PRINCIPAL('{USER_DN}')") + record("OUT.BO", "AUTHADD(PUT)", group)
        )
        found = rights(script, user=USER_DN, groups=frozenset({STAFF_DN}))
        assert found is not None
        assert (found["put"], found["passall"]) == (True, False)


@pytest.mark.parametrize(
    ("platform", "user", "known"),
    [
        ("UNIX", "wasapplicate", True),
        ("UNIX", "wasapplication", False),
        ("OS400", "wasappuser", True),
        ("OS400", "wasapplicat", False),
        ("WINDOWSNT", "wasapplication", True),
    ],
)
def test_of_a_user_with_a_long_name_no_right_is_known(platform: str, user: str, known: bool) -> None:
    """IBM MQ takes the beginning of the name, or refuses it; newer levels take some longer names."""
    head = f"* Queue manager platform: {platform}\n{HEAD}"
    granted = record("IN", "AUTHADD(GET)", f"PRINCIPAL('{user}')")
    assert (rights(granted, user=user, groups=frozenset(), head=head) is not None) is known


@pytest.mark.parametrize(("method", "known"), [("SEARCHGRP", False), ("SEARCHUSR", False), ("OS", True)])
def test_a_short_name_is_nobodys_in_a_directory(method: str, known: bool) -> None:
    """Where LDAP authorizes, records have distinguished names: a short one, mqm too, proves nothing."""
    script = LDAP.replace("SEARCHGRP", method) + record("IN", "AUTHADD(GET)") + record("OUT.BO", "AUTHADD(PUT)")
    assert (rights(script) is not None) is known
    assert (rights(script, user="mqm") is not None) is known


@pytest.mark.parametrize(
    ("platform", "user", "group", "expected"),
    [
        ("UNIX", "app", "mqm", True),
        ("UNIX", "app", "Administrators", False),
        ("WINDOWSNT", "app", "Administrators", True),
        ("WINDOWSNT", "app", "MQM", True),
        ("WINDOWSNT", "SYSTEM", "x", True),
        ("WINDOWSNT", "app", "x", False),
        ("OS400", "app", "QMQMADM", True),
    ],
)
def test_administrators_of_each_platform(platform: str, user: str, group: str, expected: bool) -> None:
    """They need no record, and a record of theirs grants nobody else a right."""
    text = f"* Queue manager platform: {platform}\n{HEAD}DEFINE QLOCAL(IN)\n" + record(
        "IN", "AUTHADD(GET)", "GROUP('x')"
    )
    row = row_of(text, user=user, groups=frozenset({group}))
    assert (row.administrator, row.source_browse) == (expected, expected)
    recorded = text + record("IN", "AUTHADD(GET)") + record("IN", "AUTHADD(INQ)", f"GROUP('{group}')")
    if expected and user == "app":
        assert row_of(recorded).source_inq is False


def test_mqm_may_do_everything_whatever_is_recorded() -> None:
    """Its row is there without a record of it."""
    row = row_of("* Queue manager platform: UNIX\nDEFINE QLOCAL(IN) BOTHRESH(1) BOQNAME(BO)\n", user="mqm")
    assert (row.administrator, row.connect, row.source_get, row.put, row.setall) == (True, True, True, True, True)


def test_without_a_dead_letter_queue_nobody_lacks_rights_on_it() -> None:
    """A blank DEADQ names nothing."""
    text = f"{HEAD}ALTER QMGR DEADQ(' ')\nDEFINE QLOCAL(IN) BOTHRESH(2) BOQNAME(BO)\n" + record("IN", "AUTHADD(GET)")
    rows = resolve_queue_manager("QM1", [read_mqsc(text.encode(), "x")]).rows["authority"]
    (row,) = (row for row in rows if (row.queue, row.user) == ("IN", "app"))
    assert (row.dead_letter_put, row.dead_letter_passall, row.put) == (None, None, False)


@pytest.mark.parametrize(
    ("who", "groups", "recorded"),
    [
        ("PRINCIPAL('app')", None, True),
        ("GROUP('getters')", frozenset({"getters", "others"}), None),
        ("GROUP('getters')", frozenset({"getters"}), True),
        ("GROUP('getters')", frozenset({"others"}), False),
        ("PRINCIPAL('other')", frozenset[str](), False),
    ],
)
def test_a_record_of_the_primary_group_may_be_that_of_the_user(
    who: str, groups: frozenset[str] | None, recorded: bool | None
) -> None:
    """Where authorities are kept by group, a command about a user acts on its group, and an undo would, too."""
    text = f"{HEAD}{QUEUES}{record('OUT.BO', 'AUTHADD(PUT)', who)}{record('**', 'AUTHADD(GET)', 'GROUP(all)')}"
    assert row_of(text, groups=groups).backout_recorded is recorded


@pytest.mark.parametrize(("group", "recorded"), [("mqm", False), ("getters", None)])
def test_a_record_of_administrators_is_that_of_no_other_user(group: str, recorded: bool | None) -> None:
    """A dump has one of mqm on each queue, but nobody who needs a right is in that group."""
    records = record("IN", "AUTHADD(GET)") + record("OUT.BO", "AUTHADD(PUT)", f"GROUP('{group}')")
    assert row_of(f"{HEAD}{QUEUES}{records}", groups=None).backout_recorded is recorded


@pytest.mark.parametrize(
    ("change", "column", "line"),
    [
        (record("OUT.BO", "AUTHRMV(PUT)"), "put", 1),
        (record("OUT.BO", "AUTHRMV(PUT)") + record("OUT.BO", "AUTHADD(DSP)"), "put", 1),
        (record("OUT.BO", "AUTHRMV(INQ)"), "put", None),
        (record("OUT.BO", "AUTHRMV(PUT)", "PRINCIPAL('other')"), "put", None),
        (record("ELSE", "AUTHRMV(PUT)"), "put", None),
        ("* none\nDELETE AUTHREC PROFILE('OUT.BO') PRINCIPAL('app') OBJTYPE(QUEUE)\n", "put", 2),
        (record("OUT.*", "AUTHRMV(PUT)", "GROUP('staff')"), "put", 1),
        (record("SELF", "AUTHRMV(CONNECT)", kind="QMGR"), "connect", 1),
    ],
)
def test_a_right_that_a_change_decides_is_at_its_command(change: str, column: str, line: int | None) -> None:
    """A command of the exports is no such place: there the object's own line explains the right."""
    text = HEAD + QUEUES + record("OUT.BO", "AUTHADD(PUT,INQ)") + record("SELF", "AUTHADD(CONNECT)", kind="QMGR")
    files, changes = [read_mqsc(text.encode(), "x")], [read_mqsc(change.encode(), "change")]
    facts = resolve_queue_manager("QM1", files, changes=changes, identities={"app": frozenset({"staff"})})
    (row,) = [row for row in facts.rows["authority"] if (row.queue, row.user) == ("IN", "app")]
    origin = row.origins.get(column)
    assert (origin.line if origin is not None and origin.path == "change" else None) == line


def test_a_command_of_a_kept_script_that_takes_a_right_away_explains_that_it_is_lacking() -> None:
    """A later one that grants it again does not; a right that no command names is explained by its queue."""
    dump = read_mqsc(
        (
            "* Queue manager name: QM1\n* Queue manager platform: UNIX\n* Command issued: dmpmqcfg -m QM1 -a\n"
            "DEFINE QLOCAL('A.IN') BOTHRESH(3) BOQNAME('A.BO') REPLACE\nDEFINE QLOCAL('A.BO') REPLACE\n"
            "SET AUTHREC PROFILE('A.**') PRINCIPAL('app') OBJTYPE(QUEUE) AUTHADD(GET,PUT,PASSALL)\n"
            f"{WHOLE}"
        ).encode(),
        "QM1.mqsc",
    )
    script = read_mqsc(
        b"* Queue manager name: QM1\n"
        b"SET AUTHREC PROFILE('A.**') PRINCIPAL('app') OBJTYPE(QUEUE) AUTHRMV(PUT,PASSALL)\n"
        b"SET AUTHREC PROFILE('A.**') PRINCIPAL('app') OBJTYPE(QUEUE) AUTHADD(PASSALL)\n",
        "deploy.mqsc",
    )
    rows = resolve_queue_manager("QM1", [dump, script]).rows["authority"]
    (row,) = (each for each in rows if (each.queue, each.user) == ("A.IN", "app"))
    assert (row.put, row.passall, row.setall) == (False, True, False)
    places = {name: (row.origins[name].path, row.origins[name].line) for name in ("put", "passall", "setall")}
    assert places == {"put": ("deploy.mqsc", 2), "passall": ("deploy.mqsc", 3), "setall": ("QM1.mqsc", 4)}


@pytest.mark.parametrize(
    ("records", "groups", "allowed"),
    [
        (record("OUT.BO", "AUTHADD(PUT,PASSALL)"), None, True),
        (record("OUT.BO", "AUTHADD(PUT)"), frozenset[str](), False),
        (record("OUT.BO", "AUTHADD(PUT,PASSALL)", "GROUP('staff')"), frozenset({"staff"}), True),
        (record("OUT.BO", "AUTHADD(PUT)", "GROUP('staff')"), frozenset({"staff"}), False),
        (record("OUT.BO", "AUTHADD(PUT,PASSALL)", "GROUP('staff')"), None, None),
    ],
)
def test_rights_on_the_queue_that_may_be_meant(
    records: str, groups: frozenset[str] | None, allowed: bool | None
) -> None:
    """BOQNAME names a queue that is missing, and one of a similar name is there."""
    text = HEAD + QUEUES.replace("BOQNAME(OUT.BO)", "BOQNAME(OUT.BOO)") + record("IN", "AUTHADD(GET)") + records
    facts = resolve_queue_manager("QM1", [read_mqsc(text.encode(), "x")], identities={"app": groups})
    row = next(row for row in facts.rows["authority"] if (row.queue, row.account) == ("IN", "app"))
    assert row.near_backout_move is allowed
