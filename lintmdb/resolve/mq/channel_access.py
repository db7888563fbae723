"""``channel_access`` rows: what becomes of a client that connects on a server connection channel.

One computation takes the user that a client names, the channel's MCAUSER, connection authentication (CONNAUTH and the
ADOPTCTX of its AUTHINFO), the channel authentication records and the security exit of the channel (SCYEXIT). A later
one in this order decides over those before it (IBM MQ "Determining which user is used for authorization"). Whatever
the exports do not show is tried both ways: where that makes a difference, the row says what it depends on. No export
shows what an exit does: it may set any user, or refuse the connection, and only records that keep users out
(BLOCKUSER) come after it (IBM MQ "Access control for clients").
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, NamedTuple, TypeAlias, TypeVar

from lintmdb.model.origins import Located, behind
from lintmdb.model.relations import AccessQuestion, ChannelAccess
from lintmdb.resolve.mq.accounts import Accounts, split_domain
from lintmdb.resolve.mq.administration import OPERATING_SYSTEM
from lintmdb.resolve.mq.authorities import Administrators
from lintmdb.resolve.mq.channel_records import EVERY_ADDRESS, ChannelRecord, address_blocks, block_of, maps_of
from lintmdb.resolve.mq.completeness import shows_every_attribute
from lintmdb.resolve.mq.definitions import Definitions
from lintmdb.resolve.mq.objects import MqObject, omits

OWN = "*"
"""As a user: the one that the client names. As the user of a row: whoever no other row is about."""
NAMES_NONE = ""
"""The user of the row for a client of which no user is known."""
_Answer = TypeVar("_Answer")
_Asked: TypeAlias = Literal["all", "administrators", "nobody"]
"""Which clients have to give a user and a password."""
_NO_ACCESS = "*NOACCESS"
_ADMINISTRATORS = "*MQADMIN"
_PLACEHOLDER = "nobody"
"""What administrators list to keep nobody out: a list may not be empty."""
_FIRST_WITH_RECORDS = 710
_FIRST_WITH_CONNECTION_AUTHENTICATION = 800
_FIRST_WITH_EARLY_ADOPTION = 904
"""From this level on a queue manager is made with ChlauthEarlyAdopt=Y in its qm.ini: the records come last."""


class _Demand(NamedTuple):
    """Whom connection authentication, or a record, asks for a password."""

    asked: _Asked | None = None
    """None where that is not known."""
    text: str | None = None
    """What says so."""
    origin: Located | None = None


class _Setup(NamedTuple):
    """What a queue manager lets decide on one of its channels."""

    channel: MqObject
    channel_user: str | None
    """MCAUSER."""
    exit: str | None
    """SCYEXIT; blank where the channel has no security exit."""
    certificates: bool | None
    """The channel uses TLS, so that clients can have a certificate."""
    enabled: bool | None
    """Channel authentication records are in force."""
    adopts: bool | None
    """Connection authentication makes the user that a client names and proves the one that counts."""
    adopts_late: bool | None
    """It does so after the channel authentication records, and so over them; None where that is not known."""
    checks: bool | None
    """Connection authentication checks passwords at all."""
    demand: _Demand
    """What connection authentication asks for."""
    maps: list[ChannelRecord]
    block: ChannelRecord | None
    addresses: list[ChannelRecord]
    records_known: bool
    administrators: Administrators
    accounts: Accounts


class _End(NamedTuple):
    """One way in which a connection may go."""

    user: str | None
    """OWN, a name, or None where it is not known."""
    blocked: bool | None
    question: AccessQuestion | None = None
    """What must be known to tell that it goes this way."""
    origin: Located | None = None
    """What decides."""
    blocks_administrators: bool | None = False
    before_exit: bool = False
    """It is kept out before a security exit of the channel is asked."""
    demand: _Demand = _Demand()
    """Whether it gets in only with a password."""


def channel_access_rows(definitions: Definitions, channel: MqObject) -> Iterator[ChannelAccess]:
    """A row for each user whom some record names, one for all other users and one for a client that names none."""
    setup = _setup(definitions, channel)
    removed = [record for record in definitions.channel_records.removed.values() if record.covers(channel.name)]
    restored = [(record, _setup(definitions, channel, record)) for record in removed]
    named = {user for record in (*setup.maps, *removed) for user in (record.client_user, record.mca_user)}
    listed = setup.block.listed if setup.block is not None else ()
    named.update(listed)
    named.update(split_domain(user)[0] for user in listed if setup.accounts.windows)
    named.add(setup.channel_user or NAMES_NONE)
    for user in (NAMES_NONE, OWN, *sorted(user for user in named if user and not user.startswith("*"))):
        yield _row(definitions, setup, user, restored)


def _setup(definitions: Definitions, channel: MqObject, *restored: ChannelRecord) -> _Setup:
    """The setup as it is, or as it would be with records that were removed."""
    read, records = definitions.attributes, [*definitions.channel_records, *restored]
    cipher = read.text(channel, "SSLCIPH")
    level = next((file.command_level for file in definitions.files if file.command_level), None)
    adopts = _adopts(definitions, level)
    checks, demand = _authentication(definitions, level)
    late = False if adopts is False or (level is not None and level >= _FIRST_WITH_EARLY_ADOPTION) else None
    return _Setup(
        channel=channel,
        channel_user=read.text(channel, "MCAUSER"),
        exit=read.text(channel, "SCYEXIT"),
        certificates=None if cipher is None else bool(cipher),
        enabled=_enabled(definitions, level),
        adopts=adopts,
        adopts_late=late,
        checks=checks,
        demand=demand,
        maps=maps_of(records, channel.name),
        block=block_of(records, channel.name),
        addresses=address_blocks(records),
        records_known=definitions.channel_records_complete and not definitions.channel_records.template,
        administrators=definitions.authority_records.administrators,
        accounts=definitions.authority_records.accounts,
    )


def _enabled(definitions: Definitions, level: int | None) -> bool | None:
    found = definitions.manager.values.get("CHLAUTH")
    if found is not None:
        known = {"ENABLED": True, "DISABLED": False}
        return None if found.parameter.template else known.get(found.text.upper())
    if level is not None and level < _FIRST_WITH_RECORDS:
        return False
    # A dump leaves out what is as in a new queue manager; an answer that leaves it out was not asked for it.
    dumped = definitions.complete and shows_every_attribute(definitions.files)
    return True if dumped and definitions.platform == "distributed" else None


def _adopts(definitions: Definitions, level: int | None) -> bool | None:
    named = definitions.manager.values.get("CONNAUTH")
    if named is None and level is not None and level < _FIRST_WITH_CONNECTION_AUTHENTICATION:
        return False
    if named is None or named.parameter.template:
        return None
    if not named.text.strip():
        return False
    info = definitions.objects.get(("AUTHINFO", named.text.strip()))
    if info is None:
        return None
    read = definitions.attributes
    if (read.text(info, "CHCKCLNT") or "").upper() == "NONE":
        return False
    return read.flag(info, "ADOPTCTX", "YES", "NO")


def _authentication(definitions: Definitions, level: int | None) -> tuple[bool | None, _Demand]:
    """Whether connection authentication checks passwords, and whom CHCKCLNT of the AUTHINFO that CONNAUTH names asks
    for one (IBM MQ "Connection authentication: Configuration").
    """
    named = _authentication_name(definitions, level)
    if named == "":
        return False, _Demand("nobody")
    info = definitions.objects.get(("AUTHINFO", named)) if named is not None else None
    if info is None:
        return None, _Demand()
    check = (definitions.attributes.text(info, "CHCKCLNT") or "").upper()
    kind = "IDPWOS" if info.name == OPERATING_SYSTEM else (definitions.attributes.text(info, "AUTHTYPE") or "").upper()
    if omits(info, "CHCKCLNT"):
        check = _default_check(definitions) if kind == "IDPWOS" else ""
    # An LDAP server knows no administrators of IBM MQ, and the other types are no password checks at all.
    if kind in ("CRLLDAP", "OCSP") or (kind == "IDPWLDAP" and check == "REQDADM"):
        return None, _Demand()
    asked, shown = _ASKED.get(check), info.values.get("CHCKCLNT")
    if asked is None:
        return None, _Demand()
    place = shown.origin if shown is not None else info.definition()
    return check != "NONE", _Demand(asked, f"AUTHINFO({info.name}) CHCKCLNT({check})", place)


def _default_check(definitions: Definitions) -> str:
    """CHCKCLNT of an AUTHINFO that does not set it; blank where the default object was edited, before it or after."""
    supplied = _CHECKED_BY_DEFAULT.get(definitions.platform or "", "")
    default = definitions.objects.get(("AUTHINFO", OPERATING_SYSTEM))
    edited = default.values.get("CHCKCLNT") if default is not None else None
    return supplied if edited is None or edited.text.strip().upper() == supplied else ""


def _authentication_name(definitions: Definitions, level: int | None) -> str | None:
    """The AUTHINFO that CONNAUTH names; blank where it names none, None where that is not known."""
    found = definitions.manager.values.get("CONNAUTH")
    if found is not None:
        return None if found.parameter.template else found.text.strip()
    if level is not None and level < _FIRST_WITH_CONNECTION_AUTHENTICATION:
        return ""
    # As with CHLAUTH, a dump leaves out what is as in a new queue manager.
    dumped = definitions.complete and shows_every_attribute(definitions.files)
    return OPERATING_SYSTEM if dumped and definitions.platform == "distributed" else None


_ASKED: Mapping[str, _Asked] = {
    "NONE": "nobody", "OPTIONAL": "nobody", "REQDADM": "administrators", "REQUIRED": "all"
}  # fmt: skip
_CHECKED_BY_DEFAULT: Mapping[str, str] = {"distributed": "REQDADM", "zos": "OPTIONAL"}
"""CHCKCLNT of an AUTHINFO that does not set it (IBM MQ "DEFINE AUTHINFO")."""


def _demand_of_map(setup: _Setup, record: ChannelRecord) -> _Demand:
    """Whom a map asks for a password: its CHCKCLNT is looked at after that of the queue manager, and lets nobody off
    (IBM MQ "Interaction of CHLAUTH and CONNAUTH").
    """
    check = "" if record.check_client is None else record.check_client.upper()
    if check == "ASQMGR" or setup.demand.asked == "all":
        return setup.demand
    asked = _ASKED.get(check)
    if asked == "administrators" and setup.demand.asked is None:
        asked = None
    return _Demand(asked, record.origin.text, record.origin)


def _demand_within(setup: _Setup, demand: _Demand) -> _Demand:
    """What is asked of those whom the record that keeps users out lets in: an administrator may not be among them."""
    barred = setup.block is not None and not setup.block.warns and _ADMINISTRATORS in setup.block.listed
    return demand._replace(asked="nobody") if barred and demand.asked == "administrators" else demand


class _Answers(NamedTuple):
    """What the ends of a client have in common; more than one answer where they differ."""

    users: frozenset[str | None]
    blocked: frozenset[bool | None]
    administrators: frozenset[bool | None]
    """Whether administrators are kept out."""
    asked: frozenset[_Asked | None]
    """Who has to give a password."""


def _answers(ends: Sequence[_End]) -> _Answers:
    admitted = [end for end in ends if end.blocked is not True]
    return _Answers(
        # Of one that is kept out the rights still count: somebody may let it in.
        users=frozenset(end.user for end in admitted or ends),
        blocked=frozenset(end.blocked for end in ends),
        administrators=frozenset(end.blocks_administrators for end in admitted) or frozenset({False}),
        asked=frozenset(end.demand.asked for end in admitted) or frozenset({"nobody"}),
    )


def _row(
    definitions: Definitions, setup: _Setup, user: str, restored: Sequence[tuple[ChannelRecord, _Setup]]
) -> ChannelAccess:
    """The row of one user; ``restored`` has each record that was removed, and the setup that would still have it."""
    ends = _ends_of_user(setup, user)
    answers = _answers(ends)
    settled = all(len(each) == 1 and None not in each for each in answers[:3])
    removed = next((record for record, before in restored if _answers(_ends_of_user(before, user)) != answers), None)
    question: AccessQuestion | None = next((end.question for end in ends if end.question is not None), None)
    decisive = next((end.origin for end in ends if end.origin is not None and end.question is not None), None)
    if settled or decisive is None:
        decisive = next((end.origin for end in ends if end.origin is not None), setup.channel.definition())
    effective = _only(answers.users)
    origins: dict[str, Located] = dict.fromkeys(("blocked", "blocks_administrators", "record"), decisive)
    if effective is None:
        origins["effective_user"] = decisive
    else:
        origins |= _user_origin(definitions, setup, ends, effective)
    if removed is not None:
        origins["removed_record"] = removed.origin
    asked = _only(answers.asked)
    demand = max((end.demand for end in ends), key=lambda demand: _STRICTNESS.index(demand.asked))
    if demand.origin is not None:
        origins |= dict.fromkeys(("requires_password", "authentication"), demand.origin)
    switched = definitions.manager.values.get("CHLAUTH")
    if switched is not None and switched.file.is_change:
        origins[behind("effective_user")] = origins[behind("blocked")] = switched.origin
    return ChannelAccess(
        queue_manager=definitions.queue_manager,
        channel=setup.channel.name,
        user=user,
        effective_user=effective,
        blocked=_only(answers.blocked),
        blocks_administrators=_only(answers.administrators),
        question=None if settled else question,
        record=decisive.text,
        removed_record=removed.profile if removed is not None else None,
        requires_password=_requires_password(asked, own=effective is not None and effective in (OWN, user)),
        asks_administrators=asked == "administrators" if asked is not None else None,
        authentication=demand.text,
        origins=origins,
    )


def _requires_password(asked: _Asked | None, *, own: bool) -> bool | None:
    """Whether the connection takes a password: of administrators alone, no source says which user is looked at where
    another one counts than the client names.
    """
    return True if asked == "all" or (asked == "administrators" and own) else False if asked == "nobody" else None


_STRICTNESS: Sequence[_Asked | None] = (None, "nobody", "administrators", "all")


def _user_origin(
    definitions: Definitions, setup: _Setup, ends: Sequence[_End], effective: str
) -> Mapping[str, Located]:
    """What makes a client the user whose rights count: a map, or MCAUSER; nothing where it is the user itself."""
    places = {end.origin for end in ends if end.user == effective}
    record = next((record for record in setup.maps if record.mca_user == effective and record.origin in places), None)
    if record is not None:
        return {"effective_user": record.origin}
    if effective and effective == setup.channel_user:
        return definitions.attributes.origins(setup.channel, {"effective_user": "MCAUSER"})
    return {}


def _only(answers: frozenset[_Answer]) -> _Answer | None:
    return next(iter(answers)) if len(answers) == 1 else None


def _ends_of_user(setup: _Setup, user: str) -> list[_End]:
    return [end._replace(user=user) if end.user == OWN and user else end for end in _ends(setup, user)]


def _ends(setup: _Setup, user: str) -> Iterator[_End]:
    """Every way in which the connection of a client that names a user may go."""
    ends = list(_ends_without_exit(setup, user))
    if setup.exit != "" and not all(end.before_exit for end in ends):
        # What an exit does overrides all else, and so does the question; whether there is one is asked last.
        end = _exit_end(setup)
        if all(known.demand.asked == "nobody" for known in ends):
            end = end._replace(demand=_Demand("nobody"))  # an exit may give a password, but asks for none
        ends = [end, *ends] if setup.exit else [*ends, end]
    yield from ends


def _exit_end(setup: _Setup) -> _End:
    """What the security exit of a channel may do, where there is or may be one."""
    known = setup.channel.values.get("SCYEXIT")
    block = setup.block if setup.enabled is not False else None
    return _End(
        user=None,
        blocked=None,
        question="exit" if setup.exit else "exit_setting",
        origin=known.origin if known is not None else setup.channel.definition(),
        blocks_administrators=block is not None and not block.warns and _ADMINISTRATORS in block.listed,
    )


def _ends_without_exit(setup: _Setup, user: str) -> Iterator[_End]:
    """The same without what a security exit does at the end."""
    if setup.enabled is not True:
        for base, question in _base_users(setup, user):
            unclear = question or (None if setup.enabled is False else "enabled")
            yield _End(base, base == _NO_ACCESS, unclear, demand=setup.demand)
    if setup.enabled is False:
        return
    if not setup.records_known:
        # A record that nobody knows may ask more clients than the queue manager does.
        demand = setup.demand if setup.demand.asked == "all" else _Demand()
        yield _End(None, None, "records", demand=demand)
    everybody = next((a for a in setup.addresses if not a.warns and "*" in a.listed), None)
    for some in setup.addresses:
        if not some.warns and everybody is None:
            yield _End(None, blocked=True, question="address", origin=some.origin, before_exit=True)
    for end in _mapped_ends(setup, user):
        yield end if everybody is None else end._replace(blocked=True, origin=everybody.origin, before_exit=True)


def _mapped_ends(setup: _Setup, user: str) -> Iterator[_End]:
    for record in setup.maps:
        applies, question = _applies(setup, record, user)
        if applies is False:
            continue
        for end in _ends_of_map(setup, record, user):
            told = end._replace(question=end.question or question)
            if (record.check_client or "").upper() == "REQUIRED" and setup.checks is False:
                yield told._replace(blocked=True, origin=record.origin)  # no password counts
            else:
                yield told._replace(demand=_demand_within(setup, _demand_of_map(setup, record)))
        if applies:
            return
    for base, question in _base_users(setup, user):
        demand = _demand_within(setup, setup.demand)
        yield _checked(setup, _End(base, blocked=False, question=question, demand=demand), user)


def _applies(setup: _Setup, record: ChannelRecord, user: str) -> tuple[bool | None, AccessQuestion | None]:
    """Whether a map is about a client, and what must be known to tell."""
    if record.type == "SSLPEERMAP":
        return (False, None) if setup.certificates is False else (None, "certificate")
    if record.type == "USERMAP":  # with case on Windows, too (APAR IT22990)
        if user == NAMES_NONE:
            return None, "user"
        if setup.exit != "":  # which may have set the name that counts here
            return None, "exit" if setup.exit else "exit_setting"
        if record.client_user != user:
            return False, None
    return (True, None) if record.address in EVERY_ADDRESS else (None, "address")


def _ends_of_map(setup: _Setup, record: ChannelRecord, user: str) -> Iterator[_End]:
    if record.source == "NOACCESS" and not record.warns:
        for base, question in _base_users(setup, user):
            yield _End(base, blocked=True, question=question, origin=record.origin, before_exit=True)
        return
    if record.source is None or (record.source == "MAP" and not record.mca_user):
        yield _End(None, None, "records", record.origin)
        return
    if record.source != "MAP":
        for base, question in _base_users(setup, user):
            yield _checked(setup, _End(base, blocked=False, question=question, origin=record.origin), user)
        return
    yield _checked(setup, _End(record.mca_user, blocked=False, origin=record.origin), user)
    if setup.adopts is not False and setup.adopts_late is None and user != NAMES_NONE and user != record.mca_user:
        yield _checked(setup, _End(OWN, blocked=False, question="adoption", origin=record.origin), user)


def _base_users(setup: _Setup, user: str) -> Iterator[tuple[str | None, AccessQuestion | None]]:
    """The users that may count without a map: the channel's, or the one that the client names."""
    channel_user = setup.channel_user
    if channel_user is None:
        yield None, "channel_user"
    elif not channel_user:
        yield (None, "user") if user == NAMES_NONE else (OWN, None)
    elif user == NAMES_NONE or setup.adopts is False or channel_user == user:
        yield channel_user, None
    elif setup.adopts:
        yield OWN, None
    else:
        yield channel_user, "adoption"
        yield OWN, "adoption"


def _checked(setup: _Setup, end: _End, user: str) -> _End:
    """The end after the record that keeps users out, which looks at the user that would count."""
    if end.user == _NO_ACCESS:
        return end._replace(blocked=True, origin=end.origin or setup.channel.definition())
    block = setup.block
    if block is None or block.warns:
        return end
    name = user if end.user == OWN and user != OWN else end.user
    listed = [entry for entry in block.listed if entry != _PLACEHOLDER]
    if (
        name is not None
        and name != OWN
        and (
            any(setup.accounts.same(name, entry) for entry in block.listed)
            or (_ADMINISTRATORS in listed and setup.administrators.have_user(name))
        )
    ):
        return end._replace(blocked=True, origin=block.origin)
    if name is None and listed:
        return end._replace(blocked=None, question=end.question or "user", origin=end.origin or block.origin)
    origin = end.origin or (block.origin if _ADMINISTRATORS in listed else None)
    return end._replace(blocks_administrators=_ADMINISTRATORS in listed, origin=origin)
