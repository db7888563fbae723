"""A command of the user's own after each audit of a watch, with JSON on its standard input."""

from __future__ import annotations

import json
import shlex
import subprocess
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from lintmdb.errors import LintmdbError
from lintmdb.fleet.audit import Audit
from lintmdb.fleet.difference import compare_audits
from lintmdb.fleet.difference_report import difference_counts, finding_document
from lintmdb.fleet.facts.store import Store
from lintmdb.json_types import JsonObject
from lintmdb.report.terminal import plural, safe
from lintmdb.rules.rule import SEVERITIES

MOST_FINDINGS = 100
"""New and resolved findings that the document has of each kind, worst first; its counts are of all."""
MOST_SECONDS = 300.0
"""How long the command may run."""


@dataclass(frozen=True, slots=True)
class Command:
    """What runs after each audit, without a shell."""

    words: Sequence[str]

    def run(self, audit: Audit) -> str:
        """Run it and wait for it; what went wrong in one line, or nothing. Whatever it is, the watch goes on."""
        try:
            document = json.dumps(audit_document(audit), ensure_ascii=False)
            done = subprocess.run(
                self.words,
                input=document.encode("utf-8", "backslashreplace"),
                stderr=subprocess.PIPE,
                timeout=MOST_SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return f"{self._name} was stopped after {MOST_SECONDS:g} s"
        except OSError as error:
            return f"{self._name} did not run: {error.strerror}"
        except LintmdbError as error:
            return f"{self._name} did not run: {error}"
        if done.returncode == 0:
            return ""
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        ended = f"was killed by signal {-done.returncode}" if done.returncode < 0 else f"exited with {done.returncode}"
        return f"{self._name} {ended}" + (f": {safe(said[-1])}" if said else "")

    @property
    def _name(self) -> str:
        return f"the command {safe(self.words[0])}"


def parse_command(text: str) -> Command:
    """A command as a shell would split it. Raises LintmdbError for one without a word or without an end."""
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise LintmdbError(f"--on-audit: {text!r}: {error}", next_step="Quote the command as for a shell") from None
    if not words:
        raise LintmdbError("--on-audit names no command", next_step="Name a program and its arguments")
    return Command(words)


def audit_document(audit: Audit) -> JsonObject:
    """An audit: its folder, its summary, and how it differs from the audit before, None for the first.

    Raises LintmdbError for a table that cannot be read.
    """
    return {
        "schema": "lintmdb-fleet-event/1",
        "folder": str(audit.folder),
        "summary": cast("JsonObject", audit.summary),
        "difference": _difference(audit),
    }


def _difference(audit: Audit) -> JsonObject | None:
    audits = Store(audit.folder.parent.parent.absolute()).complete_audits()
    place = [each.name for each in audits].index(audit.folder.name)
    if place == 0:
        return None
    found = compare_audits(audits[place - 1], audits[place])
    severities = Counter(row["severity"] for row in found.added)
    return {
        "old": found.old,
        "text": f"{plural(len(found.added), 'new finding')}, {len(found.resolved)} resolved",
        "counts": difference_counts(found),
        "new_by_severity": {severity: severities[severity] for severity in SEVERITIES},
        "new": [finding_document(row) for row in found.added[:MOST_FINDINGS]],
        "resolved": [finding_document(row) for row in found.resolved[:MOST_FINDINGS]],
    }
