"""What the exports say where a search changes something: an alternative for a finding of a state with changes has the
values of that state, and a plan says what its changes replace in the exports.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from lintmdb.settings.changes import Assignment, Change, Grant, Slot, containment_paths, slots


def with_exported_values(changes: Iterable[Change], made: Iterable[Change]) -> tuple[Change, ...]:
    """Changes that were found with others made, with the values that the exports have. A change of several members of a
    cluster whose values differ in the exports comes once for each of them.
    """
    return restored(changes, by_slot(made))


def by_slot(made: Iterable[Change]) -> dict[Slot, Change]:
    """Changes by what each of them alters, for ``restored``."""
    return {place: change for change in made for place in slots(change)}


def restored(changes: Iterable[Change], known: Mapping[Slot, Change]) -> tuple[Change, ...]:
    """The same with the changes that were made by what each of them alters."""
    if not known:
        return tuple(changes)
    return tuple([each for change in changes for each in _restored(change, known)])


def _restored(change: Change, known: Mapping[Slot, Change]) -> Iterator[Change]:
    former = [known.get(place) for place in slots(change)]
    if isinstance(change, Assignment) and any(isinstance(each, Assignment) for each in former):
        yield from _of_members(change, former)
    elif isinstance(change, Grant) and isinstance(first := former[0], Grant):
        rights = tuple(dict.fromkeys((*change.rights, *first.kept)))
        yield change._replace(rights=rights, had=first.had, recorded=first.recorded, kept=first.kept)
    else:
        yield change


def _of_members(change: Assignment, former: Sequence[Change | None]) -> Iterator[Assignment]:
    """An assignment with the old values of former ones, in the order of its members."""
    values = [each if isinstance(each, Assignment) else change for each in former]
    if len({each.old for each in values}) == 1:
        yield change._replace(old=values[0].old, origin=values[0].origin)
        return
    for path, each in zip(containment_paths(change.target.path), values, strict=True):
        yield change._replace(target=change.target._replace(path=path), old=each.old, origin=each.origin)
