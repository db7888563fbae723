"""The calls that read exports and ask one question about them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias, Unpack

from lintmdb.api.arguments import AnyPath
from lintmdb.api.differences import Difference
from lintmdb.api.estate import CheckOptions, DiffOptions, Estate, PlanOptions, TraceOptions
from lintmdb.api.plans import Plan
from lintmdb.api.results import Report
from lintmdb.api.stories import Trace

Paths: TypeAlias = AnyPath | Sequence[AnyPath]
QueueManagers: TypeAlias = Mapping[str, Paths]
Environments: TypeAlias = Mapping[str, Paths]


def check(
    paths: Paths,
    *,
    queue_managers: QueueManagers | None = None,
    environments: Environments | None = None,
    config: AnyPath | None = None,
    **options: Unpack[CheckOptions],
) -> Report:
    """Judge every message flow in the exports: files, folders and archives.

    The options are those of ``lintmdb check``, and mean the same. Only the configuration file named by ``config``
    counts, none is looked for. What cannot be read is a finding (MDB901). Raises LintmdbError for a path that does not
    exist, for a value that the command line refuses too, and for configuration, rules or observations that are wrong;
    for an argument of another type it is a TypeError, too.
    """
    return Estate.later(paths, queue_managers, config, environments).check(**options)


def plan(
    paths: Paths,
    *,
    queue_managers: QueueManagers | None = None,
    environments: Environments | None = None,
    config: AnyPath | None = None,
    **options: Unpack[PlanOptions],
) -> Plan:
    """Find the cheapest changes that repair what is found in the exports, and prove them by judging again.

    Options and errors are as with ``check``.
    """
    return Estate.later(paths, queue_managers, config, environments).plan(**options)


def trace(
    paths: Paths,
    *,
    queue_managers: QueueManagers | None = None,
    environments: Environments | None = None,
    config: AnyPath | None = None,
    **options: Unpack[TraceOptions],
) -> Trace:
    """Tell what happens to a poison message, and to one that arrives late, on each flow.

    Options and errors are as with ``check``.
    """
    return Estate.later(paths, queue_managers, config, environments).trace(**options)


def diff(
    before: Paths | Estate,
    after: Paths | Estate | None = None,
    *,
    environments: Environments | None = None,
    config: AnyPath | None = None,
    **options: Unpack[DiffOptions],
) -> Difference:
    """Compare two states of an estate: what happens to messages, and findings that are new, resolved or undecided now.

    Without ``after``, the later state is ``before`` with ``change`` or ``set``; with ``between`` two of the
    ``environments`` of ``before`` are compared. Options and errors are as with
    ``check``; the configuration of an Estate is its own.
    """
    old = before if isinstance(before, Estate) else Estate.later(before, config=config, environments=environments)
    return old.diff(after, **options)
