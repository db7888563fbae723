"""Take out of a judgement what a team has decided to live with, and tell which of those decisions are out of date."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Sequence
from typing import Literal

from lintmdb.config.choice import Choice
from lintmdb.config.suppression import Suppression
from lintmdb.engine.findings import Finding, Judgement, Notice, Subject, Suppressed
from lintmdb.engine.rules import Rule
from lintmdb.errors import LintmdbError
from lintmdb.model import Allowance
from lintmdb.selection import matching

_LEVELS = {"queue": "queue", "queue_manager": "queue_manager"}


def suppress(judgement: Judgement, choice: Choice, allowances: Iterable[Allowance], day: datetime.date) -> None:
    """Move findings that a suppression or a comment in an export is about to ``judgement.suppressed``.

    Those that have expired, that are about nothing, or that are not valid become notices.
    """
    comments = list(allowances)
    if not choice.suppressions and not comments:
        return
    used: set[int] = set()
    allowed: dict[tuple[str, str, str], list[Allowance]] = {}
    for comment in comments:
        rules, refusal = _rules_of(comment, choice)
        if refusal is not None:
            judgement.notices.append(refusal)
            used.add(id(comment))
        for rule in rules:
            allowed.setdefault((rule, comment.kind, f"{comment.queue_manager}\x1f{comment.name}"), []).append(comment)
    kept: list[Finding] = []
    for finding in judgement.findings:
        taken: list[Suppressed] = []
        for suppression, rules in choice.suppressions:
            if finding.rule.id in rules and suppression.matches(finding.subject):
                used.add(id(suppression))
                if not suppression.has_expired(day):
                    taken.append(_by_configuration(finding, suppression))
        for comment in allowed.get(_key(finding.rule.id, finding.subject), ()):
            used.add(id(comment))
            taken.append(Suppressed(finding, "comment", comment.path, comment.line, comment.reason))
        if taken:
            judgement.suppressed.append(taken[0])
        else:
            kept.append(finding)
    judgement.findings[:] = kept
    _mark_undecided(judgement, choice, allowed, used)
    running = {rule.id for rule in choice.rules}
    for suppression, rules in choice.suppressions:
        notice = _notice_of(suppression, day, is_used=id(suppression) in used or not rules & running)
        if notice is not None:
            judgement.notices.append(notice)
    for comment in comments:
        if id(comment) not in used and matching(choice.known, [comment.rule]) & running:
            text = f"the comment allows {comment.rule} for {comment.name}, which has no such finding"
            judgement.notices.append(Notice("unused_suppression", comment.path, comment.line, text, "Remove it"))
    judgement.notices.sort(key=lambda notice: (notice.path, notice.line, notice.text))


def _key(rule: str, subject: Subject) -> tuple[str, str, str]:
    return rule, subject.kind, f"{subject.queue_manager}\x1f{subject.name}"


def _by_configuration(finding: Finding, suppression: Suppression) -> Suppressed:
    kind: Literal["configuration"] = "configuration"
    expires = suppression.expires.isoformat() if suppression.expires else None
    return Suppressed(finding, kind, suppression.path, suppression.line, suppression.reason, expires, suppression.owner)


def _mark_undecided(
    judgement: Judgement,
    choice: Choice,
    allowed: dict[tuple[str, str, str], list[Allowance]],
    used: set[int],
) -> None:
    """What is about an undecided verdict may be needed again: it is not called unused."""
    for entry in judgement.undecided:
        for suppression, rules in choice.suppressions:
            if entry.rule.id in rules and id(suppression) not in used and suppression.matches(entry.subject):
                used.add(id(suppression))
        used.update(id(comment) for comment in allowed.get(_key(entry.rule.id, entry.subject), ()))


def _notice_of(suppression: Suppression, day: datetime.date, *, is_used: bool) -> Notice | None:
    owner = f"; its owner is {suppression.owner}" if suppression.owner else ""
    if suppression.has_expired(day):
        text = f"the suppression of {suppression.shown} expired on {suppression.expires} and no longer acts{owner}"
        step = "Decide anew, or remove it" if is_used else "It is about no finding any more: remove it"
        return Notice("expired_suppression", suppression.path, suppression.line, text, step)
    if is_used:
        return None
    text = f"the suppression of {suppression.shown} is about no finding{owner}"
    return Notice("unused_suppression", suppression.path, suppression.line, text, "Remove it")


def _rules_of(comment: Allowance, choice: Choice) -> tuple[Sequence[str], Notice | None]:
    """The ids of the rules that a comment may allow for its object, or why it allows none."""

    def refused(text: str, next_step: str) -> tuple[Sequence[str], Notice]:
        return (), Notice("invalid_suppression", comment.path, comment.line, text, next_step)

    form = "Write * lintmdb: allow MDB116 reason"
    if not comment.rule:
        return refused("the comment is for lintmdb and not in a form that it knows", form)
    if not comment.kind:
        return refused(
            f"the comment allows {comment.rule} and stands directly above no command that lintmdb reads",
            "Put it on the line above DEFINE or ALTER",
        )
    if not comment.reason:
        return refused(f"the comment allows {comment.rule} without a reason, so it does not act", form)
    rule = _one_rule(comment.rule, choice.known)
    if rule is None:
        return refused(f"the comment allows {comment.rule}, which is no rule", "lintmdb rules list shows them")
    if rule.id in choice.locks:
        lock = choice.locks[rule.id]
        return refused(f"{rule.id} is locked at {lock.path}:{lock.line}; the comment does not act", "Remove it")
    if rule.subject != _LEVELS.get(comment.kind):
        return refused(
            f"{rule.id} is about {_SUBJECTS[rule.subject]}, which a comment above {comment.name} cannot speak for",
            "Suppress it in lintmdb.toml",
        )
    return [rule.id], None


_SUBJECTS = {
    "flow": "a flow",
    "endpoint": "an endpoint",
    "bean": "a bean",
    "queue": "a queue",
    "queue_manager": "a queue manager",
    "destination": "a bus destination",
    "server": "a server",
    "export": "an export",
}


def _one_rule(word: str, known: Sequence[Rule]) -> Rule | None:
    try:
        ids = matching(known, [word])
    except LintmdbError:
        return None
    return next((rule for rule in known if rule.id in ids), None) if len(ids) == 1 else None


def expired(choice: Choice, day: datetime.date) -> list[Notice]:
    """A notice for each suppression of the configuration whose last day is over."""
    entries = [entry for entry, _ in choice.suppressions if entry.has_expired(day)]
    return [notice for entry in entries if (notice := _notice_of(entry, day, is_used=True)) is not None]
