"""Large exports, by two processes: another one reads and resolves queue managers while this one does the cells.

They need nothing of each other until rules are judged.
"""

from __future__ import annotations

import gc
import os
import pickle
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple, cast

from lintmdb.exports.discovery import Discovery, Found, PassedOver
from lintmdb.model.facts import Facts
from lintmdb.model.packed_facts import pack_origins, pack_values, unpack_facts
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
from lintmdb.run.processes import Later, Started

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
    """What it has read, the facts of each queue manager packed, without their origins."""

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
    """The estate that a search has found, as ``read_discovered`` and ``resolve_exports`` give it without changes; None
    where one process does it as fast. Raises LintmdbError.
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
    with ExitStack() as stack:
        started = stack.enter_context(Started(_read_managers, work, without="use one process: --jobs 1", fork=True))
        cells_only = replace(discovery, files=others)
        exports = read_discovered(
            cells_only, named, environments, paths=paths, progress=progress, digests=digests, tls=False
        )
        cells = list(resolve_cells(exports, observed))
        results = started.results()
        done = cast("_Done", next(results))
        # Most of what is to be done next needs no origins. The process ends when it has sent them.
        origins = Later(lambda: cast("list[bytes]", list(results)))
        stack.pop_all()
    exports = replace(
        exports,
        discovery=discovery,
        problems=[*exports.problems, *done.problems],
        unread=[*exports.unread, *done.unread],
        inputs=sorted([*exports.inputs, *done.inputs], key=lambda entry: entry.path),
    )
    managers = (
        part._replace(facts=unpack_facts(packed, partial(_own_origins, origins, number)))
        for number, (part, packed) in enumerate(done.managers)
    )
    return assemble(exports, cells, managers)


def _own_origins(origins: Later[list[bytes]], number: int) -> bytes:
    return origins.result()[number]


def _read_managers(work: _Work) -> Iterator[_Done | bytes]:
    """What the other process does; the origins of each queue manager's facts come last."""
    gc.disable()  # everything that is read stays until the end, which comes soon
    exports = read_discovered(Discovery(list(work.files)), work.named, work.environments, digests=work.digests)
    parts = [resolve_group(group, work.observed) for group in exports.groups]
    managers = [(part._replace(facts=Facts()), pack_values(part.facts)) for part in parts]
    yield _Done(managers, exports.problems, exports.unread, exports.inputs)
    for part in parts:
        yield pack_origins(part.facts)
