"""What the scripts for queue managers ask to restart in a cell, for those who run the script for the cell alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from lintmdb.model.word_lists import listed
from lintmdb.settings.changes import Assignment, Change, Definition, Stalled
from lintmdb.settings.kinds import restarted_servers, restarts_readers, servers_in


def restarts_of_others(cell: str, own: Iterable[Change], others: Mapping[str, Sequence[Change]]) -> Iterator[str]:
    """What other scripts ask to restart in the cell of this key, and its ``own`` script does not, as sentences without
    a full stop; ``others`` are changes by the path of their script.
    """
    named = dict.fromkeys(server for change in own for server in restarted_servers(change))
    for path, changes in others.items():
        reading = [each for change in changes if restarts_readers(change) for each in _readers(change)]
        stalled = [each for change in changes if not isinstance(change, Definition) for each in change.revives]
        blocked = [each for each in stalled if not each.stops]
        for condition, found in (("", reading), ("If delivery has already stopped, ", blocked)):
            more = {name: None for each in found if each.cell == cell for name in _names(each) if name not in named}
            if more:
                named |= more
                own_queues = [each.queue for each in found if not more.keys().isdisjoint(_names(each))]
                queues = dict.fromkeys(filter(None, own_queues))
                why = f" because of {listed(list(queues))}" if queues else ""
                asked = f"{listed(list(more))}, too, as {path} asks{why}"
                yield f"{condition}{'restart' if condition else 'Restart'} {asked}"
        stopped = {
            each.endpoint: None
            for each in stalled
            if each.stops and each.cell == cell and not named.keys() >= set(_names(each))
        }
        if stopped:
            any_of = "any of " if len(stopped) > 1 else ""
            yield f"If {any_of}{listed(list(stopped))} has already stopped, start it again, as {path} asks"


def restarts_after(cell: str, path: str, changes: Iterable[Change]) -> Iterator[str]:
    """What a script that runs later asks to restart in the cell of this key, be it once more."""
    reading = [each for change in changes if restarts_readers(change) for each in _readers(change)]
    names = {name: None for each in reading if each.cell == cell for name in _names(each)}
    if names:
        yield f"After {path} has run, restart {listed(list(names))}, as it asks"


def _readers(change: Change) -> Sequence[Stalled]:
    return change.readers if isinstance(change, Assignment) else ()


def _names(stalled: Stalled) -> Sequence[str]:
    """The servers that an endpoint runs in; its own name where nobody knows them."""
    return servers_in(stalled.servers) or [stalled.endpoint]
