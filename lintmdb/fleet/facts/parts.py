"""Parts: what one unit says about one cell or queue manager, read and resolved with the functions of ``check``.

Most units have one part. A cell or queue manager that several units describe is read again from all of them
together, as are the members of a queue-sharing group; the loose files of a run, which stand in no cell's tree, make up
one part for the same reason.
"""

from __future__ import annotations

import hashlib
import itertools
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from lintmdb.exports.discovery import Listed, discover_listed
from lintmdb.exports.was.objects import CellConfig
from lintmdb.model.facts import Facts
from lintmdb.model.relations import Problem
from lintmdb.resolve.mq.joined_managers import join_queue_managers, sharing_notices
from lintmdb.resolve.observations import Observations
from lintmdb.run.environments import put_in
from lintmdb.run.estate import (
    ExportKey,
    Reader,
    cell_facts,
    cell_objects,
    cells_by_name,
    key_of_export,
    not_read,
    queue_manager_facts,
    queue_manager_objects,
)
from lintmdb.run.script_groups import group_scripts
from lintmdb.run.script_objects import count_objects

Kind = Literal["cell", "loose", "queue_manager", "file"]
SHARED: frozenset[str] = frozenset({"cell", "loose", "queue_manager"})
"""Kinds of parts that several units may describe."""
CELLS: frozenset[str] = frozenset({"cell", "loose"})
"""Kinds of parts that hold endpoints."""
SHARING_GROUP = "sharing_group"
"""What is read together to give several parts: the queue managers of one queue-sharing group."""


@dataclass(frozen=True, slots=True)
class Part:
    """The facts about one cell or queue manager, or (``file``) about files that could not be read."""

    kind: Kind
    name: str
    """Of a queue manager the name that its files claim."""
    root: str
    """The path of the first export that describes it: cells are judged in the order of name and root."""
    facts: Facts
    objects: Mapping[ExportKey, Mapping[str, int]]
    """How many objects of each kind its exports hold."""

    def export_rows(self) -> list[str]:
        """For each row of ``export``, its objects as JSON."""
        return [json.dumps(self.objects.get(key_of_export(row), {})) for row in self.facts.rows["export"]]


def read_parts(
    files: Sequence[Listed], observed: Observations, named: Mapping[str, str], environment: str | None = None
) -> tuple[list[Part], str]:
    """The parts that files of one environment make up, and a hash of all that was read of them.

    ``named`` gives queue managers by shown path, as ``--queue-manager`` does. Raises nothing for bad input: what
    cannot be read is a Problem in the part ``file``.
    """
    discovery = discover_listed(files, named)
    reader = Reader(digests=True)
    reading = reader.read(discovery.files, environment)
    trouble = Facts()
    trouble.add(*discovery.problems, *reading.problems)
    trouble.add(*map(not_read, sorted([*discovery.unread, *reading.unread])))
    trouble = put_in(trouble, environment)
    parts = [Part("file", "", files[0].shown if files else "", trouble, {})]
    for name, group in cells_by_name(reading.cells).items():
        parts.append(_cell_part(name, group, observed))
    for scripts in group_scripts(reading.scripts, named, environment):
        facts = queue_manager_facts(scripts, observed)
        root = scripts.scripts[0].path
        parts.append(
            Part(
                "queue_manager",
                scripts.claim,
                root,
                facts,
                queue_manager_objects(facts, count_objects(scripts.scripts)),
            )
        )
    return parts, _digest(reader)


def _cell_part(name: str, group: Sequence[CellConfig], observed: Observations) -> Part:
    facts = cell_facts(group, observed)
    objects: dict[ExportKey, Mapping[str, int]] = {
        ExportKey(cell.root, cell.name): cell_objects(cell) for cell in group
    }
    return Part("cell" if name else "loose", name, group[0].root, facts, objects)


def _digest(reader: Reader) -> str:
    digest = hashlib.sha256()
    for entry in reader.inputs:
        digest.update(f"{entry.kind} {entry.sha256}\n".encode())
    return digest.hexdigest()


def failed_part(path: str, text: str, next_step: str, environment: str | None = None) -> Part:
    """What is left of a unit that could not be read at all."""
    facts = Facts()
    facts.add(Problem(kind="unreadable", path=path, text=text, next_step=next_step, environment=environment))
    return Part("file", "", path, facts, {})


def chosen(parts: Sequence[Part], only: tuple[str, str] | None) -> list[Part]:
    """All parts, or those of a kind and name. The members of a queue-sharing group then know of each other."""
    if only is None:
        return list(parts)
    kind, name = only
    if kind == SHARING_GROUP:
        members = [part for part in parts if any(row.sharing_group == name for row in part.facts.rows["queue_manager"])]
        _join(members)
        return members
    return [part for part in parts if (part.kind, part.name) == only]


def _join(members: Sequence[Part]) -> None:
    """Fill in what depends on the other members, as ``check`` does for all queue managers."""
    whole = Facts()
    for part in members:
        whole.extend(part.facts)
    join_queue_managers(whole)
    for relation, rows in whole.rows.items():
        left = iter(rows)
        for part in members:
            part.facts.rows[relation] = list(itertools.islice(left, len(part.facts.rows[relation])))
    own = {row.name: part.facts for part in members for row in part.facts.rows["queue_manager"]}
    for notice in sharing_notices(whole):
        own[notice.queue_manager or ""].add(notice)
