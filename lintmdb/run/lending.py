"""Lending shared queues: what the exports of a queue-sharing group show of them counts at each of its queue managers
whose own export leaves them out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from lintmdb.exports.mq import MqscFile
from lintmdb.resolve.mq.dispositions import is_shared, place_of, sharing_group_of
from lintmdb.resolve.mq.lent_queues import Lent, Shown, lend
from lintmdb.resolve.mq.objects import ObjectKey
from lintmdb.resolve.mq.script import run_scripts
from lintmdb.run.running_order import running_order


def find_lent(scripts: Mapping[str, Sequence[MqscFile]]) -> Mapping[str, Lent]:
    """What each queue manager of one environment has from others of its group, by name; ``scripts`` has all that was
    read of each. Those that show the same shared queues have nothing to lend each other.
    """
    groups: dict[str, list[str]] = {}
    for name, files in scripts.items():
        if group := sharing_group_of(files):
            groups.setdefault(group, []).append(name)
    found: dict[str, Lent] = {}
    for members in groups.values():
        if len({frozenset(_shared_places(scripts[member])) for member in members}) > 1:
            shown = {member: _shown(member, scripts[member]) for member in members}
            for member in members:
                found[member] = lend(each for other in members if other != member for each in shown[other])
    return found


def _shared_places(files: Iterable[MqscFile]) -> Iterable[ObjectKey]:
    for file in files:
        for command in file.commands:
            if command.name and is_shared(place := place_of(command)):
                yield place


def _shown(name: str, files: Sequence[MqscFile]) -> list[Shown]:
    """What the export of a queue manager shows; of several whole dumps what each of them does."""
    versions = (run_scripts(name, order) for order in running_order(files))
    return [Shown(version.shared_queues, version.lists_queues) for version in versions]
