"""``authority`` rows: what users may do with a queue that they read, and with those that its messages are moved to."""

from __future__ import annotations

import functools
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import NamedTuple

from lintmdb.exports.mq.commands import ClusterQueueAccess
from lintmdb.model.origins import Located
from lintmdb.model.relations import CLUSTER_TRANSMISSION, Authority, Queue, QueueManager, QueueName
from lintmdb.resolve.mq.accounts import Accounts, Entity
from lintmdb.resolve.mq.authorities import (
    MANAGER,
    RIGHTS,
    Administrators,
    Authorities,
    AuthorityRecords,
    decide_right,
    is_administrator,
)

_DEAD_LETTER_RIGHTS = ("put", "passall")
_SOURCE_COLUMNS = {f"source_{right}": right for right in ("get", "browse", "inq")}
_BACKOUT_COLUMNS = {right: right for right in RIGHTS}
_NO_QUEUE = ""

Identities = Mapping[str, frozenset[str] | None]
"""Users that connect, and their groups; None where the groups are not known."""
_Rights = Mapping[Entity, frozenset[str]]


class _OwnRecord(NamedTuple):
    """What a record for a user itself grants; None where records may be missing."""

    held: str | None
    exact: bool | None
    """Its profile is the very name of the object; None where it may be that of the user's primary group."""


_UNKNOWN = _OwnRecord(None, None)


class Reader(NamedTuple):
    """The one group that reads a queue, and what it may do with the queues that messages are moved to from there."""

    group: str | None = None
    backout_held: str | None = None
    backout_recorded: bool | None = None
    new_backout_held: str | None = None
    new_dead_letter_held: str | None = None


class _Target(NamedTuple):
    """Something that a user needs rights on."""

    rights: _Rights
    """What each entity may do with it."""
    complete: bool
    """What no entity has been granted is not granted."""
    origin: Located | None
    """What names it."""
    columns: Mapping[str, str]
    """The right that each column of the row asks for."""
    alias: str
    """What the columns about it begin with."""
    name: str
    """The profile of its own."""
    authorities: Authorities
    """What ``rights`` are taken from."""
    recorded: _Rights | None = None
    """The rights of records of the very name; None of the queue manager, for which there are no others."""
    otherwise: _Rights | None = None
    """What each entity may do by another profile, where it is not known which of the two decides; else None."""

    def own_record(self, entity: Entity, groups: frozenset[str] | None, administrators: Administrators) -> _OwnRecord:
        """What the record of one entity that decides grants.

        A queue manager that keeps authorities by group takes a command about a user for one about its primary group.
        That of administrators, which has a record on every object, is the primary group of nobody who needs a right.
        """
        recorded = self.recorded or {}
        rights = self.rights.get(entity, frozenset())
        if entity in recorded:
            return _own_record(rights, exact=True)
        if not self.complete:
            return _UNKNOWN
        of_group = entity[0] == "principal" and any(
            kind == "group" and (groups is None or name in groups) and not administrators.have_group(name)
            for kind, name in recorded
        )
        return _own_record(rights, exact=None if of_group else False)


@functools.lru_cache(maxsize=1024)  # a dump grants the same few rights thousands of times
def _own_record(rights: frozenset[str], *, exact: bool | None) -> _OwnRecord:
    return _OwnRecord(",".join(sorted(rights)).upper(), exact)


class _Opened(NamedTuple):
    """A name that users open to read."""

    queue_manager: str
    name: str
    source: Sequence[_Target]
    """The name itself and the queue manager."""
    moved_to: Sequence[_Target]
    """The queues that messages are moved to from the queue behind it."""
    behind: Sequence[_Target] = ()
    """The queue behind it, if it is an alias: the client looks up BOTHRESH and BOQNAME there."""
    new_backout: _Target | None = None
    """A queue that a new backout queue would be."""
    new_dead_letter: _Target | None = None
    """A queue that a new dead-letter queue would be."""
    near: _Target | None = None
    """The queue that may be meant by BOQNAME, which names none."""

    @property
    def recorded(self) -> set[str]:
        """The users that have a record of their own on it, or on its backout queue."""
        return {
            name
            for target in (*self.source[:1], *self.moved_to[:1])
            for kind, name in target.rights
            if kind == "principal"
        }


def authority_rows(
    records: AuthorityRecords,
    names: Iterable[QueueName],
    queues: Iterable[Queue],
    manager: QueueManager,
    identities: Identities,
    elsewhere: Collection[str] = (),
    near: Mapping[str, str] = MappingProxyType({}),
) -> Iterator[Authority]:
    """A row for each name that leads to a queue here and each name of a user of whom a right is known.

    MQ checks the name that is opened, and not what is behind an alias. The row without a queue is for consumers that
    open none of their own, as subscriptions. ``elsewhere`` are the names that only a queue of a cluster can have, and
    ``near`` has the queue that may be meant by the name of a missing one.
    """
    accounts = _find_accounts(records, identities)
    # The records prove nothing about a user that never had one of its own and whose groups are not known.
    departed = {user for user in records.queues.departed if _is_usable(user, records)}
    everywhere = {*accounts, *records.administrators.users, *departed}
    connect = _Target(
        records.manager.rights_on(MANAGER),
        records.manager_complete,
        manager.origins.get("name"),
        {"connect": "connect"},
        "connect",
        MANAGER,
        records.manager,
    )
    dead_letter = _dead_letter_target(records, manager)
    new_dead_letter = _new_target(records, manager.free_dead_letter_name)
    by_name = {queue.name: queue for queue in queues}
    here = {name.name for name in names}
    opened = [_Opened(manager.name, _NO_QUEUE, (connect,), ())]
    for name in names:
        queue = by_name.get(name.local_queue or "")
        if queue is None:
            continue
        own = _target(records, name.name, name.origins.get("name"), _SOURCE_COLUMNS, "source")
        moved_to, new = (
            _moved_to(records, queue, dead_letter, here, elsewhere, manager.cluster_queue_access),
            _new_target(records, queue.free_backout_name),
        )
        behind: Sequence[_Target] = ()
        if name.name != queue.name:
            origin = queue.origins.get("name")
            behind = (_target(records, queue.name, origin, {"behind_inq": "inq"}, "behind"),)
        meant = near.get(queue.backout_queue or "")
        closest = _target(records, meant, None, {}, "") if meant else None
        opened.append(_Opened(manager.name, name.name, (own, connect), moved_to, behind, new, new_dead_letter, closest))
    # The queue of a subscription is the subscriber's own; what it moves aside goes where its model says.
    opened += [
        _Opened(
            manager.name,
            model.name,
            (connect,),
            _moved_to(records, model, dead_letter, here, elsewhere, manager.cluster_queue_access),
            new_backout=_new_target(records, model.free_backout_name),
            new_dead_letter=new_dead_letter,
        )
        for model in by_name.values()
        if model.type == "model"
    ]
    of_users = records.queues.principals or records.manager.principals
    for entry in opened:
        recorded = {user for user in entry.recorded if _is_usable(user, records)} if of_users else set[str]()
        for user in sorted(everywhere | recorded):
            if records.longest_user is not None and len(user) > records.longest_user:
                continue  # whose rights count is not known: another user may have the name that is left
            account = accounts.get(user, _Account())
            row = _authority_row(entry, user, account.groups, records)
            if row is not None:
                spelt = {*account.names, *records.accounts.spellings(user)}
                for each in sorted(spelt):
                    yield row if each == row.account else replace(row, account=each)


class _Account(NamedTuple):
    """What observations say of a user."""

    groups: frozenset[str] | None = None
    """As the records name them; None where they are not known."""
    names: frozenset[str] = frozenset()
    """How they call it."""


def _find_accounts(records: AuthorityRecords, identities: Identities) -> Mapping[str, _Account]:
    """The users of observations, as the records name them."""
    found: dict[str, _Account] = {}
    unrecorded = Accounts((("principal", user) for user in sorted(identities)), windows=records.accounts.windows)
    for name, groups in identities.items():
        if not _is_usable(name, records):
            continue
        user = records.accounts.meant(("principal", name))[1]
        if user == name:
            user = unrecorded.meant(("principal", name))[1]
        known = found.get(user, _Account())
        usable = _usable(groups, records)
        found[user] = _Account(
            known.groups if usable is None else (known.groups or frozenset()) | usable,
            known.names | {records.accounts.key(name)},
        )
    return found


def _is_usable(user: str, records: AuthorityRecords) -> bool:
    """Whether records tell of a user: where a directory keeps users, they have distinguished names."""
    return not records.directory or "=" in user


def _usable(groups: frozenset[str] | None, records: AuthorityRecords) -> frozenset[str] | None:
    if groups is None or not all(_is_usable(group, records) for group in groups):
        return None
    return frozenset([records.accounts.meant(("group", group))[1] for group in groups])


def _target(
    records: AuthorityRecords, name: str, origin: Located | None, columns: Mapping[str, str], alias: str
) -> _Target:
    rights = records.queues.rights_on(name, complete=records.queues_complete)
    recorded = records.queues.recorded_on(name)
    return _Target(rights, records.queues_complete, origin, columns, alias, name, records.queues, recorded)


def _moved_to(
    records: AuthorityRecords,
    queue: Queue,
    dead_letter: _Target | None,
    here: Collection[str],
    elsewhere: Collection[str],
    access: ClusterQueueAccess | None,
) -> Sequence[_Target]:
    """The queues that messages of an input queue are moved to: its backout queue, then the dead-letter queue.

    Of a cluster queue qm.ini says on which profile a user needs rights: its own, or that of the transmission queue of
    clusters. Without that file a right is known where both give it, or neither does.
    """
    targets: list[_Target] = []
    in_cluster = queue.backout_queue in elsewhere
    in_cluster = in_cluster or (queue.backout_resolution == "remote" and queue.backout_queue not in here)
    if queue.backout_queue:
        origin = queue.origins.get("backout_queue")
        profile = CLUSTER_TRANSMISSION if in_cluster and access == "Xmitq" else queue.backout_queue
        target = _target(records, profile, origin, _BACKOUT_COLUMNS, "backout")
        if in_cluster and access is None:
            complete = records.queues_complete
            target = target._replace(otherwise=records.queues.rights_on(CLUSTER_TRANSMISSION, complete=complete))
        targets.append(target)
    # Without a threshold no message is ever moved.
    if dead_letter is not None and queue.backout_threshold:
        targets.append(dead_letter)
    return targets


def _new_target(records: AuthorityRecords, name: str | None) -> _Target | None:
    """A queue of a name that none has yet."""
    return _target(records, name, None, {}, "") if name else None


def _dead_letter_target(records: AuthorityRecords, manager: QueueManager) -> _Target | None:
    if not manager.dead_letter_queue:
        return None
    columns = {f"dead_letter_{right}": right for right in _DEAD_LETTER_RIGHTS}
    return _target(records, manager.dead_letter_queue, manager.origins.get("dead_letter_queue"), columns, "dead_letter")


def _reading_group(opened: _Opened, groups: frozenset[str] | None, records: AuthorityRecords) -> str | None:
    """The one group by whose record a user without one of its own can read."""
    first = opened.source[0]
    if groups is None and not first.complete:
        return None
    readers = _groups_with(next(iter(first.columns.values())), first.rights, records)
    readers = readers if groups is None else readers & groups
    return readers.pop() if len(readers) == 1 else None


def _only_group(groups: frozenset[str] | None) -> str | None:
    """The one group of a user; None where its groups are not known, or are none or several."""
    return next(iter(groups)) if groups is not None and len(groups) == 1 else None


def find_reader(records: AuthorityRecords, name: str, queue: Queue | None, manager: QueueManager) -> Reader:
    """The group that reads a queue of this queue manager by a name."""
    group = _reader_group(records, name) if queue is not None else None
    if queue is None or group is None:
        return Reader()
    entity: Entity = ("group", group)

    def own(name: str | None) -> _OwnRecord:
        return (
            _target(records, name, None, {}, "").own_record(entity, None, records.administrators) if name else _UNKNOWN
        )

    backout = own(queue.backout_queue)
    return Reader(
        group,
        backout.held,
        backout.exact,
        own(queue.free_backout_name).held,
        own(manager.free_dead_letter_name).held,
    )


def _reader_group(records: AuthorityRecords, name: str) -> str | None:
    """The one group whose record lets users read a queue that no other group and no user has such a record of; None
    where there is none, or records may be missing.
    """
    if not records.queues_complete:
        return None
    rights = records.queues.rights_on(name)
    readers = _groups_with("get", rights, records)
    alone = len(readers) == 1 and not any("get" in r for (kind, _), r in rights.items() if kind == "principal")
    return readers.pop() if alone else None


def _groups_with(right: str, rights: _Rights, records: AuthorityRecords) -> set[str]:
    """The groups with a right, without those of administrators, who need no record."""
    return {
        name
        for (kind, name), granted in rights.items()
        if kind == "group" and right in granted and not records.administrators.have_group(name)
    }


def _may_move(target: _Target, user: str, groups: frozenset[str] | None, records: AuthorityRecords) -> bool | None:
    """Whether a user may move messages to a queue."""
    answers = {
        decide_right(user, groups, right, target.rights, by_own_record=False, administrators=records.administrators)
        for right in _DEAD_LETTER_RIGHTS
    }
    if False in answers:
        return False if target.complete else None
    return None if None in answers else True


def _lacks(target: _Target, user: str, groups: frozenset[str] | None, records: AuthorityRecords) -> str:
    """What IBM asks for on a backout queue, besides what a move takes, and a user is not known to have."""
    return ",".join(
        right.upper()
        for right in RIGHTS
        if right not in _DEAD_LETTER_RIGHTS
        and not decide_right(
            user, groups, right, target.rights, by_own_record=False, administrators=records.administrators
        )
    )


def _authority_row(
    opened: _Opened, user: str, groups: frozenset[str] | None, records: AuthorityRecords
) -> Authority | None:
    """What one user may do; None instead of a row in which nothing is known."""
    held: dict[str, bool | None] = {}
    origins: dict[str, Located] = {}
    entity: Entity = ("principal", user)
    reads = "get" in opened.source[0].rights.get(entity, frozenset())
    recorded = any(target.rights.get(entity) for target in opened.source)
    targets = (*opened.source, *opened.moved_to, *opened.behind)
    by_user = any(entity in target.rights for target in targets)
    group = None if by_user else _reading_group(opened, groups, records) or _only_group(groups)
    grantee = entity if group is None else ("group", group)
    own = {target.alias: target.own_record(grantee, groups, records.administrators) for target in targets}
    for target in targets:
        # Who lacks the right to read is no administrator, as who reads by a record of its own.
        proven = recorded if target in opened.source else reads or held.get("source_get") is False
        for column, right in target.columns.items():
            answer = decide_right(
                user, groups, right, target.rights, by_own_record=proven, administrators=records.administrators
            )
            if target.otherwise is not None and answer is not decide_right(
                user, groups, right, target.otherwise, by_own_record=proven, administrators=records.administrators
            ):
                answer = None
            held[column] = answer if answer or target.complete else None
            # A command of a script explains a known right, or else what names the object. An unknown right has another
            # cause: the groups.
            if held[column] is not None:
                origin = target.authorities.find_change(target.name, right, user, groups) or target.origin
                if origin is not None:
                    origins[column] = origin
    administrator = is_administrator(user, groups, records.administrators)
    if administrator is None and recorded:
        administrator = False
    if administrator is None and group is None and all(right is None for right in held.values()):
        return None
    aliases = ("source", "behind", "backout", "dead_letter")
    source, behind, backout, dead_letter = (own.get(alias, _UNKNOWN) for alias in aliases)
    near = opened.near.own_record(grantee, groups, records.administrators) if opened.near is not None else _UNKNOWN
    return Authority(
        queue_manager=opened.queue_manager,
        queue=opened.name,
        account=user,
        user=user,
        group=group,
        administrator=administrator,
        connect_held=own["connect"].held,
        source_held=source.held,
        source_recorded=source.exact,
        behind_held=behind.held,
        behind_recorded=behind.exact,
        backout_held=backout.held,
        backout_recorded=backout.exact,
        new_backout_held=opened.new_backout.own_record(grantee, groups, records.administrators).held
        if opened.new_backout
        else None,
        new_dead_letter_held=opened.new_dead_letter.own_record(grantee, groups, records.administrators).held
        if opened.new_dead_letter
        else None,
        dead_letter_held=dead_letter.held,
        dead_letter_recorded=dead_letter.exact,
        environment=None,
        near_backout_move=_may_move(opened.near, user, groups, records) if opened.near is not None else None,
        near_backout_lacks=_lacks(opened.near, user, groups, records) if opened.near is not None else None,
        near_backout_held=near.held,
        near_backout_recorded=near.exact,
        may_not_read=held.get("source_get") is False and held.get("source_browse") is False,
        **held,
        origins=origins,
    )
