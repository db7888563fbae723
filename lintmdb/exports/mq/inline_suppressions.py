"""Comments in scripts that allow a rule for the object of the command below them."""

from __future__ import annotations

import re

from lintmdb.model.origins import InlineSuppression

_WORD = "lintmdb:"
_ALLOW = re.compile(r"\*+\s*lintmdb:\s*allow\s+([A-Za-z][\w,-]*)(?:\s+(.*))?\Z", re.I)


def mentions_lintmdb(line: str) -> bool:
    """Whether a comment may allow a rule: a quick test for the many that do not."""
    return _WORD in line


def parse_allowances(comment: str, path: str, number: int) -> list[InlineSuppression]:
    """What a comment on line ``number`` allows: nothing where it only mentions lintmdb.

    A comment that starts like an allowance and has another form is an Allowance with a blank rule.
    """
    match = _ALLOW.match(comment)
    if match is not None:
        reason = (match.group(2) or "").strip()
        return [InlineSuppression(rule, reason, path, number) for rule in match.group(1).split(",") if rule]
    return [InlineSuppression("", "", path, number)] if comment.lstrip("* \t").startswith(_WORD) else []
