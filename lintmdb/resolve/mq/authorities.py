"""Authority records of one queue manager: who may do what with a queue.

The single most specific profile that matches an object decides for each entity; less specific ones are ignored even
if they grant more. A user's rights are the union over the user and the groups that it belongs to.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping

from lintmdb.resolve.mq.profiles import compile_profile, is_generic, specificity

RIGHTS = ("put", "passall", "get", "inq", "setall")
_ALL_MQI = frozenset({"browse", "get", "inq", "put", "passall", "passid", "set", "setall", "setid"})
_ALL_ADMIN = frozenset({"chg", "clr", "dlt", "dsp"})
_EVERYTHING = _ALL_MQI | _ALL_ADMIN
ADMINISTRATORS = "mqm"

Entity = tuple[str, str]
"""('principal' or 'group', name)."""


@functools.lru_cache(maxsize=1024)  # a dump repeats the same few lists thousands of times
def expand_rights(text: str) -> frozenset[str]:
    """The rights of an AUTHADD or AUTHRMV list, with ALL and ALLMQI written out."""
    rights: set[str] = set()
    for word in re.split(r"[\s,]+", text.lower()):
        if word == "all":
            rights |= _EVERYTHING
        elif word == "allmqi":
            rights |= _ALL_MQI
        elif word == "alladm":
            rights |= _ALL_ADMIN
        elif word and word != "none":
            rights.add(word)
    return frozenset(rights)


class Authorities:
    """The records of object type QUEUE while a script sets them."""

    def __init__(self) -> None:
        self._exact: dict[str, dict[Entity, frozenset[str]]] = {}
        self._generic: dict[str, tuple[re.Pattern[str], dict[Entity, frozenset[str]]]] = {}
        self._ranked: list[tuple[re.Pattern[str], dict[Entity, frozenset[str]]]] | None = None
        self.principals: set[str] = set()
        """Users that have, or had, a record of their own."""

    def __bool__(self) -> bool:
        return bool(self._exact or self._generic)

    def change(self, profile: str, entity: Entity, added: frozenset[str], removed: frozenset[str]) -> None:
        """Add and remove rights of one entity, as SET AUTHREC does."""
        if entity[0] == "principal":
            self.principals.add(entity[1])
        if is_generic(profile):
            if profile not in self._generic:
                self._generic[profile] = (compile_profile(profile), {})
                self._ranked = None
            entries = self._generic[profile][1]
        else:
            entries = self._exact.setdefault(profile, {})
        entries[entity] = (entries.get(entity, frozenset()) - removed) | added

    def remove(self, profile: str, entity: Entity) -> None:
        """Delete the record of one entity, as DELETE AUTHREC does: a wider profile decides for it again."""
        generic = self._generic.get(profile)
        entries = generic[1] if generic is not None else self._exact.get(profile, {})
        entries.pop(entity, None)

    def rights_on(self, name: str) -> dict[Entity, frozenset[str]]:
        """The rights that each entity has on an object by its own most specific profile."""
        rights: dict[Entity, frozenset[str]] = {}
        for entries in self._matching(name):
            for entity, granted in entries.items():
                rights.setdefault(entity, granted)
        return rights

    def _matching(self, name: str) -> Iterator[dict[Entity, frozenset[str]]]:
        if name in self._exact:
            yield self._exact[name]
        if self._ranked is None:
            order = sorted(self._generic, key=specificity)
            self._ranked = [self._generic[profile] for profile in order]
        for pattern, entries in self._ranked:
            if pattern.fullmatch(name):
                yield entries


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
    if user == ADMINISTRATORS or (groups is not None and ADMINISTRATORS in groups):
        return True
    if right in on_object.get(("principal", user), frozenset()):
        return True
    if groups is not None:
        return any(right in on_object.get(("group", group), frozenset()) for group in groups)
    if "get" not in on_input.get(("principal", user), frozenset()):
        return None
    granted = any(
        right in rights for entity, rights in on_object.items() if entity[0] == "group" and entity[1] != "mqm"
    )
    return None if granted else False
