"""Which rules a run uses: ``--select`` and ``--ignore`` by id, name or prefix of an id."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Sequence

from lintmdb.errors import LintmdbError
from lintmdb.rules.rule import Rule


def matching(rules: Sequence[Rule], words: Iterable[str]) -> set[str]:
    """The ids of the rules that words mean, each an id, a name or a prefix of ids, several separated by commas. Raises
    LintmdbError for a word that means none.
    """
    matched: set[str] = set()
    for word in (part.strip() for entry in words for part in entry.split(",")):
        if not word:
            continue
        hits = {rule.id for rule in rules if rule.name == word or rule.id.upper().startswith(word.upper())}
        if not hits:
            raise _unknown(rules, word)
        matched |= hits
    return matched


def find_rules(rules: Sequence[Rule], words: str) -> list[Rule]:
    """The one rule of an id or name, else every rule whose text holds all the words; where none does, LintmdbError."""
    for rule in rules:
        if words.upper() == rule.id or words == rule.name:
            return [rule]
    wanted = words.lower().split()
    found = [rule for rule in rules if wanted and all(word in _text(rule) for word in wanted)]
    if not found:
        raise _unknown(rules, words, "is called" if _ID.fullmatch(words) else "mentions")
    return found


_ID = re.compile(r"(?i)MDB\d+")


def _text(rule: Rule) -> str:
    parts = (rule.id, rule.name, rule.title, rule.message, rule.why, rule.advice, rule.exceptions)
    return " ".join(" ".join(parts).lower().split())


def _unknown(rules: Sequence[Rule], word: str, verb: str = "is called") -> LintmdbError:
    names = [name for rule in rules for name in (rule.id, rule.name)]
    close = difflib.get_close_matches(word, names, 1) or difflib.get_close_matches(word.upper(), names, 1)
    hint = f"Did you mean {close[0]}?" if close else "lintmdb rules list shows them"
    return LintmdbError(f"no rule {verb} {word!r}", next_step=hint)
