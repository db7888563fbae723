"""Which flows and which workloads `lintmdb trace` shows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from lintmdb.delivery.interpretations import STRICT, Interpretation
from lintmdb.delivery.outcome import Outcome
from lintmdb.delivery.run import run_flow
from lintmdb.delivery.values import Values
from lintmdb.delivery.wording import persistence, titled
from lintmdb.delivery.workload import Workload
from lintmdb.engine.findings import FlowHead
from lintmdb.errors import LintmdbError
from lintmdb.settings.changes import containment_paths
from lintmdb.settings.kinds import path_steps
from lintmdb.suggestions import closest, some_names

MOST_MESSAGES = 1000
"""A story of more is nothing that a person reads."""


class Told(NamedTuple):
    """One workload on one flow, and what came of it."""

    workload: Workload
    outcome: Outcome
    persistent: bool | None = None
    """The kind of message that has this fate; None where persistent and non-persistent messages share it."""

    @property
    def kind(self) -> str:
        """``persistent`` or ``non-persistent``; blank where they share the fate."""
        return "" if self.persistent is None else persistence(persistent=self.persistent)

    @property
    def title(self) -> str:
        """What is put on the queue."""
        return titled(self.workload, self.kind)


def reader_has_every_right(head: FlowHead) -> bool:
    """Whether a flow is a queue by itself whose reader nobody names: such a reader is taken to have every right."""
    return head.subject.kind == "queue" and head.rows.user is None


def rests_on_rights(head: FlowHead, outcome: Outcome) -> bool:
    """Whether a user moves the message aside of whom no export shows that it may."""
    return outcome.moved_if_allowed and not reader_has_every_right(head)


def build_workload(
    *,
    poison: int | None = None,
    healthy_between: int | None = None,
    sessions: int | None = None,
    restart_after: Sequence[int] = (),
    start_again: int | None = None,
    arrives_after_ms: int | None = None,
    discardable: bool = False,
    backout_full: bool = False,
    dead_letter_full: bool = False,
) -> Workload | None:
    """The workload that the options of ``trace`` describe; None where there are none. Raises LintmdbError."""
    given = (poison, healthy_between, sessions, start_again, arrives_after_ms)
    told = restart_after or discardable or backout_full or dead_letter_full
    if all(option is None for option in given) and not told:
        return None
    if poison is None:
        poison = 1 if arrives_after_ms is None else 0
    healthy = healthy_between if healthy_between is not None else int(poison == 0)
    if (messages := poison + max(poison, 1) * healthy) > MOST_MESSAGES:
        raise LintmdbError(
            f"--poison {poison} and --healthy-between {healthy} make {messages} messages",
            next_step=f"Ask for {MOST_MESSAGES} at most",
        )
    if messages == 0:
        raise LintmdbError("no message is put on the queue", next_step="Set --poison or --healthy-between above 0")
    return Workload(
        poison=poison,
        healthy_between=healthy,
        sessions=sessions,
        restarts_after=tuple(restart_after),
        started_again=start_again or 0,
        arrives_after_ms=arrives_after_ms or 0,
        discardable=discardable,
        backout_full=backout_full,
        dead_letter_full=dead_letter_full,
    )


def select_flows(heads: Sequence[FlowHead], name: str | None) -> list[FlowHead]:
    """The flows whose endpoint or bean has a name, qualified from the left as far as needed (``server1/OrdersAS``), or
    all. Raises LintmdbError where none has it.
    """
    if name is None:
        return list(heads)
    found = [head for head in heads if name in _names(head)]
    if not found:
        names = sorted({part for head in heads for part in (head.subject.name, head.subject.bean) if part})
        close = closest(name, names)
        alone = any(head.subject.kind == "queue" for head in heads)
        several = "endpoints, beans and queues" if alone else "endpoints and beans"
        hint = f"Did you mean {close}?" if close else f"The {several} are {some_names(names)}"
        one = "endpoint, bean or queue" if alone else "endpoint or bean"
        raise LintmdbError(f"no {one} is named {name!r}", next_step=hint)
    return found


def _names(head: FlowHead) -> Iterator[str]:
    """The names of an endpoint and its bean, each alone and after those of what holds it: of a cluster that is judged
    as one also after those of its members.
    """
    subject, server = head.subject, head.rows.server
    paths = containment_paths(server.config_paths or "") if server is not None and subject.cluster else ()
    ways = (
        (subject.cell, subject.node, subject.server, subject.name),
        *((subject.cell, *(name for _, name in path_steps(path)), subject.name) for path in paths),
        (subject.cell, subject.cluster, subject.name),
        (subject.application, subject.module, subject.bean),
    )
    for way in ways:
        parts = [part or "" for part in way]
        yield from ("/".join(parts[start:]) for start in range(len(parts)) if all(parts[start:]))


def trace_flow(head: FlowHead, workload: Workload | None, interpretation: Interpretation = STRICT) -> list[Told]:
    """The outcome of a workload on a flow; without one, of a poison message, and in non-ASF mode, if anything is
    received, of a healthy message that arrives at the end of a receive. Where persistent and non-persistent messages
    have different fates, a workload has both, the worse first.
    """
    return trace_values(Values(head.rows.value), workload, interpretation)


def trace_values(values: Values, workload: Workload | None, interpretation: Interpretation = STRICT) -> list[Told]:
    """The same of the values of a flow."""
    stories = _each_kind(values, workload or Workload(), interpretation)
    receive = values.maybe_integer("endpoint.non_asf_timeout_ms")
    # z/OS has no non-ASF mode, whatever the property says: no receive waits there.
    waits = values.maybe("server.platform") == "distributed"
    if workload is None and receive and waits and not stories[0].outcome.shut_out:
        late = Workload(poison=0, healthy_between=1, arrives_after_ms=receive)
        stories += _each_kind(values, late, interpretation)
    return stories


def _each_kind(values: Values, workload: Workload, interpretation: Interpretation) -> list[Told]:
    outcome = run_flow(values, workload, interpretation)
    # What a restart leaves of non-persistent messages depends on NPMCLASS and on how the queue manager ends, of which
    # the model knows nothing: who asks for restarts asks for backout counts.
    if outcome.persistence_matters and not workload.restarts_after:
        lighter = replace(workload, persistent=False)
        other = run_flow(values, lighter, interpretation)
        if (other.fate, other.target) != (outcome.fate, outcome.target):
            both = [Told(workload, outcome, persistent=True), Told(lighter, other, persistent=False)]
            return sorted(both, key=lambda told: told.outcome.fate.group.rank)
    return [Told(workload, outcome)]
