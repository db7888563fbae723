"""Which users and groups the names in commands and in observations mean.

On Windows a name may carry a domain, ``user@domain`` (IBM MQ "SET AUTHREC"), an ``@`` that belongs to the name is
doubled (IBM MQ "User IDs"), and case does not count. Of a name without a domain IBM MQ looks for the account itself
(IBM MQ "Windows security identifiers"), so it may be that of any domain.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

Entity = tuple[str, str]
"""('principal' or 'group', name)."""
_IN_DOMAIN = re.compile(r"((?:[^@=]|@@)+)@([^@=]+)")


def split_domain(name: str) -> tuple[str, str]:
    """A name without its domain, and the domain; blank where it has none, as a distinguished name of LDAP."""
    found = _IN_DOMAIN.fullmatch(name)
    return (found[1], found[2]) if found is not None else (name, "")


class Accounts:
    """The users and groups that the records of a queue manager name."""

    def __init__(self, recorded: Iterable[Entity] = (), *, windows: bool = False) -> None:
        self.windows = windows
        self._spelled: dict[Entity, dict[str, str]] = {}
        """The names as they were first written: by kind and name without domain, then by domain."""
        for kind, name in recorded if windows else ():
            plain, domain = split_domain(name)
            self._spelled.setdefault((kind, plain.lower()), {}).setdefault(domain.lower(), name)

    def key(self, name: str) -> str:
        """What all spellings of a name have in common."""
        return name.lower() if self.windows else name

    def meant(self, entity: Entity) -> Entity:
        """A user or a group as the records name it; as given where none is about it."""
        if not self.windows:
            return entity
        kind, name = entity
        plain, domain = split_domain(name)
        spelled = self._spelled.get((kind, plain.lower()), {})
        domains = [known for known in spelled if known]
        if not domain and len(domains) == 1:
            domain = domains[0]
        elif not domains:
            domain = ""
        elif not domain:  # of one domain or the other
            return kind, spelled.get("", split_domain(spelled[domains[0]])[0])
        return kind, spelled.get(domain.lower(), name)

    def concerned(self, entity: Entity) -> Sequence[Entity]:
        """Whom a record about ``entity`` is about. Where accounts of several domains have one name, they are apart, and
        there is one more, of a user whose domain nobody names: it has the records of all of them.
        """
        if not self.windows:
            return (entity,)
        kind, name = entity
        plain, domain = split_domain(name)
        spelled = self._spelled.get((kind, plain.lower()), {})
        nameless = self.meant((kind, plain))
        if sum(1 for known in spelled if known) < 2:
            return (nameless,) if spelled else (entity,)
        of_domains = [(kind, text) for known, text in spelled.items() if known and domain.lower() in ("", known)]
        return (*of_domains, nameless)

    def same(self, one: str, other: str) -> bool:
        """Whether two names may mean one user; without a domain that of any."""
        if not self.windows:
            return one == other
        (plain, domain), (other_plain, other_domain) = split_domain(one.lower()), split_domain(other.lower())
        return plain == other_plain and (domain == other_domain or not (domain and other_domain))

    def spellings(self, user: str) -> Iterator[str]:
        """The keys of the names that mean a user of the records."""
        yield self.key(user)
        if not self.windows:
            return
        plain = split_domain(user)[0]
        if self.meant(("principal", plain)) == ("principal", user) and plain != user:
            yield self.key(plain)
