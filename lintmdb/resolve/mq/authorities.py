"""Authority records of one queue manager: who may do what with a queue, and with the queue manager.

The single most specific profile that matches an object decides for each entity; less specific ones are ignored even
if they grant more. A user's rights are the union over the user and the groups that it belongs to.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, TypeAlias

from lintmdb.model.origins import ChangeOrigin, Origin
from lintmdb.resolve.mq.accounts import Accounts, Entity, split_domain
from lintmdb.resolve.mq.profiles import compile_profile, is_generic, specificity

RIGHTS = ("put", "passall", "get", "inq", "setall")
_ALL_QUEUE_MQI = frozenset({"browse", "get", "inq", "put", "passall", "passid", "set", "setall", "setid"})
_ALL_ADMIN = frozenset({"chg", "clr", "dlt", "dsp"})
_ALL_MANAGER_MQI = frozenset({"altusr", "connect", "inq", "set", "setall", "setid", "system"})
_ALL_TOPIC_MQI = frozenset({"pub", "resume", "sub"})
ObjectType: TypeAlias = Literal["QUEUE", "QMGR", "TOPIC"]
"""The types of objects, by OBJTYPE, of which records count."""
_ALL_MQI: Mapping[ObjectType, frozenset[str]] = {
    "QUEUE": _ALL_QUEUE_MQI,
    "QMGR": _ALL_MANAGER_MQI,
    "TOPIC": _ALL_TOPIC_MQI,
}
"""What ALLMQI means for an object (IBM MQ "setmqaut")."""
ADMINISTRATORS = "mqm"
MANAGER = "SELF"
"""The profile of the queue manager itself."""


@functools.lru_cache(maxsize=1024)  # a dump repeats the same few lists thousands of times
def expand_rights(text: str, object_type: ObjectType = "QUEUE") -> frozenset[str]:
    """The rights of a list in AUTHADD or AUTHRMV, with ALL and ALLMQI written out for an object."""
    mqi = _ALL_MQI[object_type]
    rights: set[str] = set()
    for word in re.split(r"[\s,]+", text.lower()):
        if word == "all":
            rights |= mqi | _ALL_ADMIN
        elif word == "allmqi":
            rights |= mqi
        elif word == "alladm":
            rights |= _ALL_ADMIN
        elif word and word != "none":
            rights.add(word)
    return frozenset(rights)


@dataclass(frozen=True, slots=True)
class Administrators:
    """Who may do everything at a queue manager without a record that says so."""

    users: frozenset[str] = frozenset({ADMINISTRATORS})
    groups: frozenset[str] = frozenset({ADMINISTRATORS})
    """In lower case."""
    windows: bool = False
    """They are accounts of Windows."""

    def have_user(self, user: str) -> bool:
        """Whether a user is one by its name alone."""
        if self.windows:
            return split_domain(user)[0].lower() in {known.lower() for known in self.users}
        return user in self.users

    def have_group(self, group: str) -> bool:
        """Whether the members of a group are."""
        return (split_domain(group)[0] if self.windows else group).lower() in self.groups


UNIX = Administrators()
WINDOWS = Administrators(
    users=frozenset({ADMINISTRATORS, "MUSR_MQADMIN", "SYSTEM"}),
    groups=frozenset({ADMINISTRATORS, "administrators"}),
    windows=True,
)
IBM_I = Administrators(users=frozenset({ADMINISTRATORS, "QMQM"}), groups=frozenset({ADMINISTRATORS, "qmqmadm"}))
NOBODY = Administrators(users=frozenset(), groups=frozenset())
"""Where a directory (LDAP) keeps the users: the administrators of the operating system have no rights by that."""


class _Change(NamedTuple):
    """What a command of a script does to the record of one entity."""

    turn: int
    """Its place among all of them."""
    entity: Entity
    rights: frozenset[str] | None
    """The rights that it adds or removes; None where it makes the record or deletes it."""
    origin: Origin


class Authorities:
    """The records of one object type while a script sets them."""

    def __init__(self) -> None:
        self._exact: dict[str, dict[Entity, frozenset[str]]] = {}
        self._generic: dict[str, tuple[re.Pattern[str], dict[Entity, frozenset[str]]]] = {}
        self._ranked: list[tuple[re.Pattern[str], dict[Entity, frozenset[str]]]] | None = None
        self.principals: set[str] = set()
        """Users that have, or had, a record of their own."""
        self._changes: dict[str, list[_Change]] = {}
        """What commands do, by profile."""
        self._changed: dict[str, re.Pattern[str]] = {}
        """The names that match the generic profiles among these."""
        self._changes_on: dict[str, list[_Change]] = {}
        """Those whose profile matches an object, the last one first."""
        self._noted = 0
        self.departed: set[str] = set()
        """Users of whom a command deleted a record that was there before any change."""
        self._planned: set[tuple[str, Entity]] | None = None
        """The records that changes create; None while no change runs."""

    def __bool__(self) -> bool:
        return bool(self._exact or self._generic)

    def entities(self) -> set[Entity]:
        """All users and groups that have a record."""
        records = (*self._exact.values(), *(entries for _, entries in self._generic.values()))
        return {entity for entries in records for entity in entries}

    def change(
        self, profile: str, entity: Entity, added: frozenset[str], removed: frozenset[str], *, whole: bool = False
    ) -> None:
        """Add and remove rights of one entity, as SET AUTHREC does. ``whole``: it has no other rights."""
        if entity[0] == "principal":
            self.principals.add(entity[1])
        if is_generic(profile):
            if profile not in self._generic:
                self._generic[profile] = (compile_profile(profile), {})
                self._ranked = None
            entries = self._generic[profile][1]
        else:
            entries = self._exact.setdefault(profile, {})
        if self._planned is not None and entity not in entries:
            self._planned.add((profile, entity))
        entries[entity] = added if whole else (entries.get(entity, frozenset()) - removed) | added

    def remove(self, profile: str, entity: Entity) -> None:
        """Delete the record of one entity, as DELETE AUTHREC does: a wider profile decides for it again."""
        generic = self._generic.get(profile)
        entries = generic[1] if generic is not None else self._exact.get(profile, {})
        if entries.pop(entity, None) is not None:
            self._note_departed(profile, [entity])

    def remove_all_on(self, name: str) -> None:
        """Delete the records whose profile is the very name of an object, as DELETE of the object does."""
        self._note_departed(name, self._exact.pop(name, {}))

    def begin_changes(self) -> None:
        """Note that what follows are changes: what they create and delete again leaves nothing behind."""
        self._planned = set() if self._planned is None else self._planned

    def _note_departed(self, profile: str, entities: Iterable[Entity]) -> None:
        planned = self._planned or ()
        self.departed.update(
            name for kind, name in entities if kind == "principal" and (profile, (kind, name)) not in planned
        )

    def note_change(self, profile: str, entity: Entity, rights: frozenset[str] | None, origin: Origin) -> None:
        """Remember a command of a script that is about to add or remove ``rights``, or to delete the record (None). One
        of a change that makes the record decides every right.
        """
        generic = self._generic.get(profile)
        entries = generic[1] if generic is not None else self._exact.get(profile, {})
        known = None if entity not in entries and isinstance(origin, ChangeOrigin) else rights
        self._changes.setdefault(profile, []).append(_Change(self._noted, entity, known, origin))
        if is_generic(profile) and profile not in self._changed:
            self._changed[profile] = compile_profile(profile)
        self._noted += 1
        self._changes_on.clear()

    def find_change(self, name: str, right: str, user: str, groups: frozenset[str] | None) -> Origin | None:
        """The last command of a script that decides whether a user has a right on an object, by a record of its own or
        of a group, any where the groups are not known.
        """
        if not self._changes:
            return None
        if name not in self._changes_on:
            generic = (profile for profile, names in self._changed.items() if names.fullmatch(name))
            found = [each for profile in {name, *generic} for each in self._changes.get(profile, ())]
            self._changes_on[name] = sorted(found, reverse=True)
        for change in self._changes_on[name]:
            kind, entity = change.entity
            of_user = entity == user if kind == "principal" else groups is None or entity in groups
            if of_user and (change.rights is None or right in change.rights):
                return change.origin
        return None

    def rights_on(self, name: str, *, complete: bool = True) -> Mapping[Entity, frozenset[str]]:
        """The rights that each entity has on an object by its own most specific profile.

        Where records may be missing (not ``complete``) only a profile of the very name counts: nothing more specific
        can decide in its place.
        """
        if not complete or not self._generic:
            return self._exact.get(name, {})
        rights, *others = [*self._matching(name)] or [{}]
        if others:
            rights = dict(rights)
        for entries in others:
            for entity, granted in entries.items():
                rights.setdefault(entity, granted)
        return rights

    def recorded_on(self, name: str) -> Mapping[Entity, frozenset[str]]:
        """The rights of the records whose profile is the very name of an object."""
        return self._exact.get(name, {})

    def profile_of(self, name: str, entity: Entity) -> str | None:
        """The profile of the record that decides what an entity may do with an object; None where it has no record."""
        if entity in self._exact.get(name, {}):
            return name
        for profile in sorted(self._generic, key=specificity):
            pattern, entries = self._generic[profile]
            if entity in entries and pattern.fullmatch(name):
                return profile
        return None

    def _matching(self, name: str) -> Iterator[dict[Entity, frozenset[str]]]:
        if name in self._exact:
            yield self._exact[name]
        if self._ranked is None:
            order = sorted(self._generic, key=specificity)
            self._ranked = [self._generic[profile] for profile in order]
        for pattern, entries in self._ranked:
            if pattern.fullmatch(name):
                yield entries


@dataclass(slots=True)
class AuthorityRecords:
    """The authority records of a queue manager, and how much they prove."""

    queues: Authorities = field(default_factory=Authorities)
    manager: Authorities = field(default_factory=Authorities)
    """Those on the queue manager itself."""
    topics: Authorities = field(default_factory=Authorities)
    """Those on topic objects, of which no fact is made."""
    queues_complete: bool = False
    """What no record on a queue grants is not granted."""
    manager_complete: bool = False
    directory: bool = False
    """An LDAP directory keeps the users, by their distinguished names."""
    administrators: Administrators = UNIX
    accounts: Accounts = field(default_factory=Accounts)
    """The users and groups that records name."""
    longest_user: int | None = None
    """How many characters of the name of a user certainly count; None for all of them."""


def is_administrator(user: str, groups: frozenset[str] | None, administrators: Administrators) -> bool | None:
    """Whether a user may do everything; None where a group that the exports do not show may decide."""
    if administrators.have_user(user):
        return True
    return None if groups is None else any(administrators.have_group(group) for group in groups)


def has_right(
    user: str,
    groups: frozenset[str] | None,
    right: str,
    on_object: Mapping[Entity, frozenset[str]],
    on_input: Mapping[Entity, frozenset[str]],
) -> bool | None:
    """Whether a user has a right on an object; None where a group that the exports do not show may decide.

    Without known groups the answer is no only if the user reads the input queue by a record of its own, and no group
    but the administrators' has the right: then nothing is left that could grant it.
    """
    by_own_record = "get" in on_input.get(("principal", user), frozenset())
    return decide_right(user, groups, right, on_object, by_own_record=by_own_record)


def decide_right(
    user: str,
    groups: frozenset[str] | None,
    right: str,
    on_object: Mapping[Entity, frozenset[str]],
    *,
    by_own_record: bool,
    administrators: Administrators = UNIX,
) -> bool | None:
    """Whether a user has a right on an object whose records are all known; None where an unknown group may decide.

    ``by_own_record``: the user has rights by records of its own, as no administrator needs any. Without known groups
    the answer is then no if no group but the administrators' has the right.
    """
    if is_administrator(user, groups, administrators):
        return True
    if right in on_object.get(("principal", user), frozenset()):
        return True
    if groups is not None:
        return any(right in on_object.get(("group", group), frozenset()) for group in groups)
    if not by_own_record:
        return None
    granted = any(
        right in rights
        for (kind, name), rights in on_object.items()
        if kind == "group" and not administrators.have_group(name)
    )
    return None if granted else False
