"""Take out of a judgement what a team has decided to live with, and tell which of those decisions are out of date."""

from __future__ import annotations

import datetime
import difflib
import functools
import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Literal

from lintmdb.engine.findings import Finding, Judgement, Notice, Subject, Suppressed
from lintmdb.engine.subjects import a_kind
from lintmdb.errors import LintmdbError
from lintmdb.model.origins import InlineSuppression
from lintmdb.rules.rule import Rule
from lintmdb.rules.selection import matching
from lintmdb.run.config.choice import Choice
from lintmdb.run.suppression import WORDS, Suppression

_LEVELS = {"queue": "queue", "queue_manager": "queue_manager"}


@dataclass(frozen=True, slots=True)
class Decisions:
    """All that the configuration and comments say about findings that do not count.

    A decision has a number: its place among the suppressions, and behind these among the comments.
    """

    suppressions: Sequence[tuple[Suppression, set[str]]]
    comments: Sequence[InlineSuppression]
    day: datetime.date
    allowed: Mapping[tuple[str, str, str], Sequence[int]]
    """The comments that act, by rule and object."""
    refusals: Mapping[int, Notice]
    """Why a comment does not act."""

    def about(self, rule: str, subject: Subject) -> list[int]:
        """The decisions about a verdict, expired ones too, the one that counts first."""
        found = [
            number
            for number, (suppression, rules) in enumerate(self.suppressions)
            if rule in rules and suppression.matches(subject)
        ]
        return [*found, *self.allowed.get((rule, subject.kind, _object(subject)), ())]

    def suppressed(self, finding: Finding, numbers: Iterable[int]) -> Suppressed | None:
        """The finding with the first of these decisions that acts; None where none does."""
        for number in numbers:
            if number >= len(self.suppressions):
                comment = self.comments[number - len(self.suppressions)]
                return Suppressed(finding, "comment", comment.path, comment.line, comment.reason)
            suppression = self.suppressions[number][0]
            if not suppression.has_expired(self.day):
                return _by_configuration(finding, suppression)
        return None

    def of_rules(self, rules: Set[str]) -> set[int]:
        """The decisions that name one of some rules."""
        found = {number for number, (_, named) in enumerate(self.suppressions) if rules & named}
        found.update(number for (rule, *_), numbers in self.allowed.items() if rule in rules for number in numbers)
        return found

    def open(self, used: Collection[int], judgement: Judgement, running: Set[str]) -> set[int]:
        """The decisions that are about no verdict because their rules are not decided everywhere: their objects may be
        in what was not read.
        """
        unsettled = {entry.rule.id for entry in judgement.undecided} if judgement.endpoints else running
        found = self.of_rules(unsettled).difference(used)
        for rule, subject in judgement.clear_subjects if found else ():
            found.difference_update(self.about(rule, subject) if rule in unsettled else ())
        return found

    def notices(
        self,
        used: Collection[int],
        choice: Choice,
        found: Callable[[Set[str]], Iterable[Subject]],
        unsettled: Collection[int] = (),
    ) -> list[Notice]:
        """What has expired, is about nothing or is not valid; ``used`` are the decisions about some verdict, ``found``
        gives the subjects of the findings of some rules that nothing suppresses, and of ``unsettled`` decisions nobody
        knows whether they are needed.
        """
        running = {rule.id for rule in choice.rules}
        notices = list(self.refusals.values())
        for number, (suppression, rules) in enumerate(self.suppressions):
            is_used = number in used or not rules & running
            near = "" if is_used or suppression.has_expired(self.day) else _near(suppression, found(rules))
            notice = _build_notice(
                suppression, self.day, is_used=is_used, near=near, is_settled=number not in unsettled
            )
            if notice is not None:
                notices.append(notice)
        for number, comment in enumerate(self.comments, len(self.suppressions)):
            if number in used or number in self.refusals:
                continue
            if matching(choice.known, [comment.rule]) & running:
                text = f"the comment allows {comment.rule} for {comment.name}, which has no such finding"
                notices.append(
                    Notice(
                        "unused_suppression",
                        comment.path,
                        comment.line,
                        text,
                        _step(comment.rule, number not in unsettled),
                    )
                )
        return sorted(notices, key=lambda notice: (notice.path, notice.line, notice.text))


def decide(choice: Choice, inline_suppressions: Iterable[InlineSuppression], day: datetime.date) -> Decisions:
    """The decisions of a run. ``allowances`` are the comments of all exports."""
    comments = tuple(inline_suppressions)
    allowed: dict[tuple[str, str, str], list[int]] = {}
    refusals: dict[int, Notice] = {}
    for number, comment in enumerate(comments, len(choice.suppressions)):
        rules, refusal = _find_rules(comment, choice)
        if refusal is not None:
            refusals[number] = refusal
        for rule in rules:
            allowed.setdefault((rule, comment.kind, _object(comment)), []).append(number)
    return Decisions(tuple(choice.suppressions), comments, day, allowed, refusals)


def _object(about: Subject | InlineSuppression) -> str:
    """The object of a queue manager that a subject or a comment is about."""
    return f"{about.environment or ''}\x1f{about.queue_manager}\x1f{about.name}"


def suppress(
    judgement: Judgement,
    choice: Choice,
    inline_suppressions: Iterable[InlineSuppression],
    day: datetime.date,
    unchanged: Callable[[], Judgement] | None = None,
) -> None:
    """Move findings that a suppression or a comment in an export is about to ``judgement.suppressed``.

    Those that have expired, that are about nothing, or that are not valid become notices. Where changes lie on top of
    the exports, ``unchanged`` gives the verdicts without them: what they resolve is there until they are made.
    """
    decisions = decide(choice, inline_suppressions, day)
    if not decisions.suppressions and not decisions.comments:
        return
    used: set[int] = set()
    kept: list[Finding] = []
    for finding in judgement.findings:
        numbers = decisions.about(finding.rule.id, finding.subject)
        used.update(numbers)
        suppressed = decisions.suppressed(finding, numbers)
        if suppressed is not None:
            judgement.suppressed.append(suppressed)
        else:
            kept.append(finding)
    judgement.findings[:] = kept
    for entry in judgement.undecided:  # what is about one of these may be needed again: it is not called unused
        used.update(decisions.about(entry.rule.id, entry.subject))
    if unchanged is not None and len(used) < len(decisions.suppressions) + len(decisions.comments):
        used.update(number for each in unchanged().findings for number in decisions.about(each.rule.id, each.subject))
    judgement.notices += decisions.notices(
        used,
        choice,
        lambda rules: (finding.subject for finding in kept if finding.rule.id in rules),
        decisions.open(used, judgement, {rule.id for rule in choice.rules}),
    )
    judgement.notices.sort(key=lambda notice: (notice.path, notice.line, notice.text))


def _by_configuration(finding: Finding, suppression: Suppression) -> Suppressed:
    kind: Literal["configuration"] = "configuration"
    expires = suppression.expires.isoformat() if suppression.expires else None
    return Suppressed(finding, kind, suppression.path, suppression.line, suppression.reason, expires, suppression.owner)


def _step(rule: str, is_settled: bool) -> str:
    return "Remove it" if is_settled else f"Keep it for now: {rule} is not decided everywhere in this run"


def _build_notice(
    suppression: Suppression, day: datetime.date, *, is_used: bool, near: str = "", is_settled: bool = True
) -> Notice | None:
    owner = f"; its owner is {suppression.owner}" if suppression.owner else ""
    if suppression.has_expired(day):
        text = f"the suppression of {suppression.shown} expired on {suppression.expires} and no longer applies{owner}"
        step = "Renew it, or remove it" if is_used or not is_settled else "It matches no finding any more: remove it"
        return Notice("expired_suppression", suppression.path, suppression.line, text, step)
    if is_used:
        return None
    text = f"the suppression of {suppression.shown} matches no finding{owner}"
    step = (
        f"{suppression.rule} finds {near}. Name that if you meant it; else remove the entry"
        if near
        else (_step(suppression.rule, is_settled))
    )
    return Notice("unused_suppression", suppression.path, suppression.line, text, step)


def _near(suppression: Suppression, subjects: Iterable[Subject]) -> str:
    """The subject that a suppression which misses may mean, by words that are equal or alike; blank where none is."""
    subject = suppression.subject
    fields = {} if isinstance(subject, str) else dict(subject)
    environment = fields.pop("environment", None)
    patterns = [("", pattern) for pattern in subject.split()] if isinstance(subject, str) else [*fields.items()]
    best: tuple[float, str] = (0.0, "")
    for about in subjects:
        words = [(name, word) for name in WORDS if isinstance(word := getattr(about, name), str)]
        nearest = [_nearest(key, pattern, words) for key, pattern in patterns if words]
        likeness = sum(ratio for ratio, *_ in nearest if ratio >= _ALIKE)
        if likeness > best[0]:
            own = ("queue", about.queue) if about.queue else ("name", about.name or "")
            meant = [(key, word) if ratio >= _ALIKE else own for ratio, _, key, word in nearest]
            plain = " ".join(dict.fromkeys(word for _, word in meant if word))
            best = likeness, _written(dict(meant), about, environment) if fields else plain
    return best[1]


def _nearest(key: str, pattern: str, words: Iterable[tuple[str, str]]) -> tuple[float, bool, str, str]:
    """How like a pattern the most like of a subject's words is, whether it has the key of the pattern, its key, and the
    word itself.
    """
    return max((_ratio(pattern, word), name == key, name, word) for name, word in words)


def _written(meant: Mapping[str, str], about: Subject, environment: str | None) -> str:
    """A subject as a table that an entry may have."""
    if environment is not None and about.environment is None:
        return f"{_table(meant)} in no environment"
    return _table(meant if environment is None else {**meant, "environment": about.environment or ""})


def _table(words: Mapping[str, str]) -> str:
    return f"{{ {', '.join(f'{key} = {json.dumps(word, ensure_ascii=False)}' for key, word in words.items())} }}"


_ALIKE = 0.75
"""How like one another two words are of which one may be meant for the other."""


@functools.lru_cache(maxsize=1 << 16)
def _ratio(pattern: str, word: str) -> float:
    """How like one another two words are; 0 for less than ``_ALIKE``, which is found without a full comparison."""
    if fnmatchcase(word, pattern):
        return 1.0
    matcher = difflib.SequenceMatcher(None, pattern, word)
    if matcher.real_quick_ratio() < _ALIKE or matcher.quick_ratio() < _ALIKE:
        return 0.0
    return matcher.ratio()


def _find_rules(comment: InlineSuppression, choice: Choice) -> tuple[Sequence[str], Notice | None]:
    """The ids of the rules that a comment may allow for its object, or why it allows none."""

    def refused(text: str, next_step: str) -> tuple[Sequence[str], Notice]:
        return (), Notice("invalid_suppression", comment.path, comment.line, text, next_step)

    form = "Write * lintmdb: allow MDB116 reason"
    if not comment.rule:
        return refused("the comment is for lintmdb but has a form that lintmdb does not recognise", form)
    if not comment.kind:
        return refused(
            f"the comment allows {comment.rule} but is not directly above a command that lintmdb reads",
            "Put it on the line above DEFINE or ALTER",
        )
    if not comment.reason:
        return refused(f"the comment allows {comment.rule} without a reason, so it has no effect", form)
    rule = _one_rule(comment.rule, choice.known)
    if rule is None:
        return refused(f"the comment allows {comment.rule}, which is not a rule", "lintmdb rules list shows them")
    if rule.id in choice.locks:
        lock = choice.locks[rule.id]
        return refused(f"{rule.id} is locked at {lock.path}:{lock.line}, so the comment has no effect", "Remove it")
    if rule.subject != _LEVELS.get(comment.kind):
        return refused(
            f"{rule.id} is about {a_kind(rule.subject)}, which a comment above {comment.name} cannot suppress",
            "Suppress it in lintmdb.toml",
        )
    return [rule.id], None


def _one_rule(word: str, known: Sequence[Rule]) -> Rule | None:
    try:
        ids = matching(known, [word])
    except LintmdbError:
        return None
    return next((rule for rule in known if rule.id in ids), None) if len(ids) == 1 else None


def expired(choice: Choice, day: datetime.date) -> list[Notice]:
    """A notice for each suppression of the configuration whose last day is over."""
    entries = [entry for entry, _ in choice.suppressions if entry.has_expired(day)]
    return [notice for entry in entries if (notice := _build_notice(entry, day, is_used=True)) is not None]
