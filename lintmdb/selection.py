"""Which rules a run uses: ``--select`` and ``--ignore`` by id, name or prefix of an id."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence

from lintmdb.engine.rules import Rule
from lintmdb.errors import LintmdbError


def select_rules(rules: Sequence[Rule], select: Iterable[str], ignore: Iterable[str]) -> list[Rule]:
    """The rules that are selected (all without a selection) and not ignored. Raises LintmdbError."""
    chosen = _matching(rules, select)
    refused = _matching(rules, ignore)
    return [rule for rule in rules if (not chosen or rule.id in chosen) and rule.id not in refused]


def _matching(rules: Sequence[Rule], words: Iterable[str]) -> set[str]:
    matched: set[str] = set()
    for word in (part.strip() for entry in words for part in entry.split(",")):
        if not word:
            continue
        hits = {rule.id for rule in rules if rule.name == word or rule.id.upper().startswith(word.upper())}
        if not hits:
            names = [name for rule in rules for name in (rule.id, rule.name)]
            close = difflib.get_close_matches(word, names, 1) or difflib.get_close_matches(word.upper(), names, 1)
            hint = f"Did you mean {close[0]}?" if close else "lintmdb rules list shows them"
            raise LintmdbError(f"no rule is called {word!r}", next_step=hint)
        matched |= hits
    return matched


def find_rule(rules: Sequence[Rule], word: str) -> Rule:
    """The rule of an id or name. Raises LintmdbError."""
    for rule in rules:
        if word.upper() == rule.id or word == rule.name:
            return rule
    names = [name for rule in rules for name in (rule.id, rule.name)]
    close = difflib.get_close_matches(word, names, 1) or difflib.get_close_matches(word.upper(), names, 1)
    hint = f"Did you mean {close[0]}?" if close else "lintmdb rules list shows them"
    raise LintmdbError(f"no rule is called {word!r}", next_step=hint)
