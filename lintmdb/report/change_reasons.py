"""Why a change is made that answers nothing that is found now, in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from lintmdb.engine.findings import Finding
from lintmdb.model.word_lists import listed
from lintmdb.plan.companions import Reason
from lintmdb.plan.document import answered_rules
from lintmdb.plan.planned import Plan
from lintmdb.plan.tied_changes import Tied
from lintmdb.report.changes import attribute_words, value_words
from lintmdb.settings.changes import Change


def reason_words(reason: Reason) -> str:
    """What happens without the change: ``else MDB302 once BOTHRESH is 3``, ``else the endpoint stops``. Where that is
    not known, what it is for: ``so that messages can be moved there``.
    """
    if reason.newly_moved:
        return "so that messages can be moved there"
    if reason.fate is not None:
        return f"else {reason.fate.headline}"
    causes = dict.fromkeys(f"{attribute_words(change)} is {value_words(change.new)}" for change in reason.once)
    return f"else {listed(reason.rules)}" + (f" once {listed([*causes])}" if causes else "")


def why_words(plan: Plan) -> dict[Change, str]:
    """Why each change of a plan is made: the rules that it answers, else what it prevents; and what the others lead to
    without it, where that is worse than before, or bad in another way.
    """
    return {
        change: " ".join(rules) + (f", {_without(plan.tied[change])}" if change in plan.tied else "")
        if rules
        else (reason_words(plan.reasons[change]) if change in plan.reasons else "")
        for change, rules in answered_rules(plan).items()
    }


def _without(tied: Tied) -> str:
    compared = "worse than now" if tied.worse else "better than now, but bad" if tied.better else "as bad as now"
    return f"without it: {tied.words} ({compared})"


def prevented(reasons: Mapping[Change, Reason], changes: Iterable[Change]) -> list[Finding]:
    """What would be found without some changes."""
    return [finding for change in changes if change in reasons for finding in reasons[change].findings]
