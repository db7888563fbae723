"""What is known once the tables of an audit are written, whoever wrote them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, cast

from lintmdb.engine.findings import Notice
from lintmdb.model.relations import Problem, ProblemKind
from lintmdb.run.reading_notices import TOLD, reading_notices

_NOTICES = 100


class Written(NamedTuple):
    """What the tables of an audit do not say themselves."""

    flows: int
    used: set[int]
    """The numbers of what of SuppressionKeys is about some verdict."""
    notices: list[Notice]
    """What a reader has to know about how exports were read."""


def first_notices(problems: Iterable[Problem]) -> list[Notice]:
    """All files that were named and not read, and of each other kind of notice the first, in the order of places."""
    by_kind: dict[str, set[tuple[str, int, str, str]]] = {kind: set() for kind in TOLD}
    for problem in problems:
        if problem.kind in by_kind:
            by_kind[problem.kind].add((problem.path, problem.line or 0, problem.text, problem.next_step or ""))
    shown: list[Notice] = []
    for kind, found in by_kind.items():
        chosen = sorted(found) if kind == "not_read" else sorted(found)[:_NOTICES]
        shown += reading_notices(
            Problem(kind=cast("ProblemKind", kind), path=p, line=n, text=t, next_step=s) for p, n, t, s in chosen
        )
    return shown
