"""Which rules a run uses, with which severity, and which of them nobody may turn off."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, NoReturn

from lintmdb.errors import LintmdbError
from lintmdb.rules.loading import load_rules
from lintmdb.rules.repairs import POLICY, with_policy
from lintmdb.rules.rule import Rule
from lintmdb.rules.selection import matching
from lintmdb.run.config.profiles import read_profiles
from lintmdb.run.config.settings import Lock, PlanEntry, Settings
from lintmdb.run.suppression import Suppression


@dataclass(frozen=True, slots=True)
class Choice:
    """The rules of a run."""

    rules: Sequence[Rule]
    known: Sequence[Rule]
    """All rules that there are, used or not."""
    locks: dict[str, Lock] = field(default_factory=dict[str, Lock])
    """Locked rules by id."""
    suppressions: Sequence[tuple[Suppression, set[str]]] = ()
    """Each suppression and the ids of the rules that it is about."""


def choose_rules(settings: Settings) -> Choice:
    """The rules that the settings ask for. Raises LintmdbError with file and line where the file is wrong.

    A locked rule always runs. To ignore it, or to suppress it or give it another severity in a file below the one that
    locks it, is an error.
    """
    known = _with_policy(load_rules(settings.rules), settings.values["plan"])
    locks = _locks(settings, known)
    ignored = _meant(settings, known, "ignore")
    selected = _meant(settings, known, "select")
    try:
        chosen = known if selected else read_profiles().rules(known, settings.values["profile"] or "recommended")
    except LintmdbError as error:
        _in_file(settings, error, "profile")
    pool = {rule.id: rule for rule in chosen if not selected or rule.id in selected}
    for rule in known:
        if rule.id in locks:
            pool.setdefault(rule.id, rule)
            if rule.id in ignored:
                raise _locked(settings, rule.id, locks[rule.id], "ignored", "ignore")
    pool.update(_other_severities(settings, pool, known, locks))
    return Choice(
        rules=[pool[rule.id] for rule in known if rule.id in pool and rule.id not in ignored],
        known=known,
        locks=locks,
        suppressions=_suppressions(settings, known, locks),
    )


def _with_policy(rules: Sequence[Rule], plan: PlanEntry) -> Sequence[Rule]:
    """Rules whose repairs say the numbers that the team has decided."""
    policy = {"policy.backout_threshold": plan["backout-threshold"]}
    if policy == POLICY:
        return rules
    return [
        replace(rule, repairs=tuple(with_policy(repair, policy) for repair in rule.repairs)) if rule.repairs else rule
        for rule in rules
    ]


def _locks(settings: Settings, known: Sequence[Rule]) -> dict[str, Lock]:
    locks: dict[str, Lock] = {}
    # The file that is furthest up is the strictest: below it, a lock of the same rule changes nothing.
    for lock in reversed(settings.locked):
        try:
            ids = matching(known, [lock.word])
        except LintmdbError as error:
            raise LintmdbError(
                f"locked: {error.text}", path=lock.path, line=lock.line, next_step=error.next_step
            ) from error
        for rule in ids:
            locks.setdefault(rule, lock)
    return locks


def _meant(settings: Settings, known: Sequence[Rule], key: Literal["select", "ignore"]) -> set[str]:
    try:
        return matching(known, settings.values[key])
    except LintmdbError as error:
        _in_file(settings, error, key)


def _in_file(settings: Settings, error: LintmdbError, *place: str | int) -> NoReturn:
    raise settings.error(error.text, *place, next_step=error.next_step) from error


def _locked(settings: Settings, rule: str, lock: Lock, what: str, *place: str | int) -> LintmdbError:
    return settings.error(f"{rule} is locked at {lock.path}:{lock.line} and cannot be {what}", *place)


def _locked_above(settings: Settings, lock: Lock | None) -> bool:
    """Whether a lock is not the settings' own file's, which may answer for its own rules."""
    return lock is not None and (settings.file is None or lock.path != settings.file.path)


def _other_severities(
    settings: Settings, pool: dict[str, Rule], known: Sequence[Rule], locks: dict[str, Lock]
) -> dict[str, Rule]:
    changed: dict[str, Rule] = {}
    for word, severity in settings.values["severities"].items():
        ids = {rule.id for rule in known if word in (rule.id, rule.name)}
        if not ids:
            try:
                matching(known, [word])
            except LintmdbError as error:
                _in_file(settings, error, "severities", word)
            raise settings.error(f"{word!r} is not the id or name of one rule", "severities", word)
        for rule in ids:
            if rule in pool and pool[rule].severity != severity:
                if _locked_above(settings, locks.get(rule)):
                    raise _locked(settings, rule, locks[rule], "given another severity", "severities", word)
                changed[rule] = replace(pool[rule], severity=severity)
    return changed


def _suppressions(
    settings: Settings, known: Sequence[Rule], locks: dict[str, Lock]
) -> list[tuple[Suppression, set[str]]]:
    entries: list[tuple[Suppression, set[str]]] = []
    for number, suppression in enumerate(settings.suppressions):
        try:
            rules = matching(known, [suppression.rule])
        except LintmdbError as error:
            _in_file(settings, error, "suppressions", number, "rule")
        for rule in sorted(rules):
            if _locked_above(settings, locks.get(rule)):
                raise _locked(settings, rule, locks[rule], "suppressed", "suppressions", number, "rule")
        entries.append((suppression, rules))
    return entries
