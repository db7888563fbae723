"""Large exports, by two processes: another one reads and resolves queue managers while this one does the cells.

They need nothing of each other until rules are judged.
"""

from __future__ import annotations

import gc
import os
import pickle
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from lintmdb.exports.discovery import Discovery, Found, PassedOver
from lintmdb.model.facts import Facts
from lintmdb.model.packed_facts import pack_facts, unpack_facts
from lintmdb.model.relations import Problem
from lintmdb.resolve.observations import Observations
from lintmdb.run.environments import Environments
from lintmdb.run.estate import (
    Estate,
    Input,
    ManagerPart,
    Progress,
    assemble,
    read_discovered,
    resolve_cells,
    resolve_group,
)
from lintmdb.run.processes import Started

_LEAST_BYTES = 1 << 21
"""Each process has to have so much to read: to start one and to hand over its rows takes as long as a megabyte."""


class _Work(NamedTuple):
    """What the other process reads."""

    files: Sequence[Found]
    named: Mapping[str, str]
    environments: Environments
    digests: bool
    observed: Observations


class _Done(NamedTuple):
    """What it has read, the facts of each queue manager packed."""

    managers: list[tuple[ManagerPart, bytes]]
    problems: Sequence[Problem]
    unread: Sequence[PassedOver]
    inputs: Sequence[Input]


def resolve_in_two(
    discovery: Discovery,
    named: Mapping[str, str],
    environments: Environments,
    observed: Observations,
    *,
    paths: Sequence[Path | str],
    progress: Progress | None,
    digests: bool,
) -> Estate | None:
    """The estate that a search has found, as ``read_discovered`` and ``resolve_exports`` give it; None where one
    process does it as fast. Raises LintmdbError.
    """
    scripts = [found for found in discovery.files if found.kind not in ("was", "liberty")]
    others = [found for found in discovery.files if found.kind in ("was", "liberty")]
    # What a cell resolves by, a client channel definition table, has to be here.
    if any(found.kind == "ccdt" for found in scripts) or (os.cpu_count() or 1) < 2 or not sys.executable:
        return None
    if min(sum(found.size for found in files) for files in (scripts, others)) < _LEAST_BYTES:
        return None
    work = _Work(scripts, named, environments, digests, observed)
    try:
        pickle.dumps(work)
    except (pickle.PicklingError, AttributeError, TypeError):  # members of archives are open here
        return None
    with Started(_read_managers, [work], without="use one process: --jobs 1") as started:
        exports = read_discovered(
            replace(discovery, files=others), named, environments, paths=paths, progress=progress, digests=digests
        )
        cells = list(resolve_cells(exports, observed))
        (done,) = started.results()
    exports = replace(
        exports,
        discovery=discovery,
        problems=[*exports.problems, *done.problems],
        unread=[*exports.unread, *done.unread],
        inputs=sorted([*exports.inputs, *done.inputs], key=lambda entry: entry.path),
    )
    return assemble(exports, cells, (part._replace(facts=unpack_facts(packed)) for part, packed in done.managers))


def _read_managers(work: _Work) -> _Done:
    """What the other process does."""
    gc.disable()  # everything that is read stays until the end, which comes soon
    exports = read_discovered(Discovery(list(work.files)), work.named, work.environments, digests=work.digests)
    parts = (resolve_group(group, work.observed) for group in exports.groups)
    managers = [(part._replace(facts=Facts()), pack_facts(part.facts)) for part in parts]
    return _Done(managers, exports.problems, exports.unread, exports.inputs)
