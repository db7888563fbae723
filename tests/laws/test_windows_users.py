"""On Windows case does not count in the names of users and groups, and who names a domain means the account there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from lintmdb.engine.findings import Judgement
from lintmdb.model.origins import Origin
from lintmdb.plan.evaluation import Evaluator
from lintmdb.plan.planner import make_plan
from lintmdb.plan.policy import Policy
from lintmdb.resolve.observations import EndpointObservation, Observations, QueueObservation
from lintmdb.run.estate import UnresolvedEstate, read_exports
from lintmdb.settings.changes import Grant
from tests.laws.laws import seeds
from tests.support.random_estates.authorities import USERS
from tests.support.random_estates.estates import build_estate
from tests.support.scenario import RULES

pytestmark = pytest.mark.slow

_PLAIN = re.compile(r"(PRINCIPAL|GROUP)\('(\w+)'\)")
_RECORDED = re.compile(r"(?:PRINCIPAL|GROUP)\('([^']+)'\)")


def _on_windows(folder: Path, seed: int) -> tuple[UnresolvedEstate, set[str]]:
    """An estate whose dumps of UNIX are of Windows, with all users and groups in one domain, and their names."""
    build_estate(seed).write(folder)
    recorded: set[str] = set()
    for file in folder.rglob("*.mqsc"):
        text = file.read_text("utf-8")
        if "platform: UNIX" in text:
            text = _PLAIN.sub(r"\1('\2@Corp')", text.replace("platform: UNIX", "platform: WINDOWS NT"))
            file.write_text(text, "utf-8")
        recorded.update(_RECORDED.findall(text))
    return read_exports([folder]), recorded


def _observed(user: str, group: str) -> Observations:
    """The user of all endpoints, and of each queue that none reads, so that plans grant it what it lacks."""
    return Observations(
        15_000,
        user=EndpointObservation(user=user),
        queues=(QueueObservation("*", None, user, Origin("", 0, 0, "")),),
        users={user: frozenset({group})},
    )


def _verdicts(judgement: Judgement) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    for finding in judgement.findings:
        yield "hazard", finding.rule.id, finding.subject.identity()
    for entry in judgement.undecided:
        yield "undecided", entry.rule.id, entry.subject.identity()


def test_the_spelling_of_a_user_changes_no_verdict(tmp_path: Path) -> None:
    """With a domain or without, in whatever case."""
    rights = 0
    for seed in seeds(14):
        exports, _ = _on_windows(tmp_path / str(seed), seed)
        user = USERS[seed % 2]
        spellings: Sequence[tuple[str, str]] = (
            (user, "mqusers"),
            (user.upper(), "MQUsers"),
            (f"{user}@Corp", "mqusers@CORP"),
            (f"{user.title()}@CORP", "mqusers"),
        )
        judged = [Evaluator(exports, _observed(*names), RULES, all_queues=True).judge(()) for names in spellings]
        first, *others = [sorted(_verdicts(state.judgement)) for state in judged]
        assert others == [first] * 3, seed
        rights += sum(rule in ("MDB113", "MDB125", "MDB127") and kind == "hazard" for kind, rule, _ in first)
    assert rights > 20


def test_a_plan_names_users_as_the_dump_does(tmp_path: Path) -> None:
    """Or as they were given, where no record is about them: another name would be another account."""
    grants, others = 0, list[str]()
    for seed in seeds(7):
        exports, recorded = _on_windows(tmp_path / str(seed), seed)
        for user in (f"{USERS[0].upper()}@corp", "NewUser@corp"):
            observed = _observed(user, "apps")
            plan = make_plan(Evaluator(exports, observed, RULES, all_queues=True), Policy(most_states=20))
            named = [change.user for change in plan.changes if isinstance(change, Grant)]
            grants += len(named)
            others += [name for name in named if name not in {*recorded, *USERS, user, "apps"}]
    assert grants > 20
    assert others == []
