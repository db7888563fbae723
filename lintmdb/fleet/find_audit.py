"""Which audit of a fleet's folder is meant: by id, by the start of one, or by place in time."""

from __future__ import annotations

from pathlib import Path

from lintmdb.errors import LintmdbError
from lintmdb.fleet.facts.store import Store

LATEST, PREVIOUS = "latest", "previous"


def find_audit(folder: Path, name: str = LATEST) -> Path:
    """The folder of a complete audit: ``latest``, ``previous`` (the one before it), an id, or how only one id begins.

    Raises LintmdbError where there is no such audit.
    """
    audits = Store(folder).complete_audits()
    if not audits:
        raise LintmdbError(
            "holds no complete audit", path=str(folder), next_step="lintmdb fleet audit INPUT --out DIR makes one"
        )
    if name == LATEST:
        return audits[-1]
    if name == PREVIOUS:
        if len(audits) < 2:
            raise LintmdbError(
                "holds one audit only, and none before it", path=str(folder), next_step="Audit again, then compare"
            )
        return audits[-2]
    found = [audit for audit in audits if audit.name == name] or [a for a in audits if a.name.startswith(name)]
    if len(found) == 1:
        return found[0]
    ids = ", ".join(audit.name for audit in (found or audits)[-5:])
    reason = f"{name} is the start of several audits" if found else f"holds no complete audit {name}"
    raise LintmdbError(reason, path=str(folder), next_step=f"Name one of {ids}, latest or previous")
