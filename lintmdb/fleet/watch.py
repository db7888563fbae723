"""Continuous audit: a loop around the incremental audit.

At every turn the inputs are listed, and an audit is made unless the last one rests on the very same exports, rules and
suppressions. An export that is written while it is read is in quarantine until the next turn finds it changed. Nothing
is remembered between turns but what audits publish, so a watch that was killed goes on where the last complete audit
left off.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

from lintmdb.fleet.audit import Audit, Request, Spark, run_audit
from lintmdb.fleet.facts.store import InUseError, Store
from lintmdb.fleet.retention import Keep, remove_old_audits

_WAIT_S = 1.0

Session = Callable[[Sequence[str]], Spark]
"""What audits what has changed in inputs."""

Say = Callable[[str], None]
"""Called with what happens, one line at a time."""


@dataclass(frozen=True, slots=True)
class Watch:
    """What to watch, and how often."""

    request: Request
    """What each audit is: always an incremental one."""
    every_s: float = 60.0
    once: bool = False
    """Audit what has changed since the last time, then leave."""
    on_audit: Callable[[Audit], None] = field(default=lambda _: None)
    """Called with each audit that was made."""


def watch(session: Session, job: Watch, say: Say) -> None:
    """Audit whenever an export appears, changes or goes, until stopped.

    Raises LintmdbError where an input is not there and where an audit fails.
    """
    request = replace(job.request, incremental=True, unless_done=True, keep=Keep())
    said = ""
    while True:
        audit = _audit_when_free(session, request, say)
        if audit.made:
            job.on_audit(audit)  # may want the audit before
            _remove_old(job.request)
        if job.once:
            return
        resting = f"the last audit is {audit.folder.name}; looking for changes every {job.every_s:g} s"
        if resting != said:  # not at every turn
            say(resting)
        said = resting
        time.sleep(job.every_s)


def _remove_old(request: Request) -> None:
    """Remove the audits that need not stay, unless another audit has begun: the next one does."""
    store = Store(request.out.absolute())
    with suppress(InUseError), store.locked():
        remove_old_audits(store, request.keep)


def _audit_when_free(session: Session, request: Request, say: Say) -> Audit:
    """Audit once no other audit writes into the folder."""
    waiting = False
    while True:
        try:
            return run_audit(session(request.all_inputs), request, say)
        except InUseError:
            if not waiting:
                say("another audit is writing here: waiting for it")
            waiting = True
            time.sleep(_WAIT_S)
