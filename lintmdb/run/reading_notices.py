"""What a reader of a report has to know about how its exports were read, as notices."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias, cast

from lintmdb.engine.findings import Notice, NoticeKind
from lintmdb.model.relations import Problem

_Told: TypeAlias = Literal[
    "not_read",
    "undecided_command",
    "guessed_name",
    "incomplete_export",
    "script_beside_export",
    "shared_object_differs",
    "name_differs_in_case",
    "joined_across_folders",
    "in_no_environment",
    "undefined_remote_queue",
    "closed_remote_queue",
    "read_remote_queue",
    "full_queue",
    "undefined_alias",
    "hidden_definition",
    "unlisted_member",
    "not_exported",
    "overwritten_copy",
    "refused_change",
    "unjudged_change",
]
TOLD: tuple[str, ...] = (
    "not_read", "undecided_command", "guessed_name", "incomplete_export", "script_beside_export",
    "shared_object_differs", "name_differs_in_case", "joined_across_folders", "in_no_environment",
    "undefined_remote_queue", "closed_remote_queue", "read_remote_queue", "full_queue", "undefined_alias",
    "hidden_definition", "unlisted_member", "not_exported", "overwritten_copy", "refused_change", "unjudged_change",
)  # fmt: skip
"""The kinds of problems that are notices as they are."""


REFUSED_COMMAND = "refused_command"
"""The kind of the notice about a file with commands that were not understood."""


def reading_notices(problems: Iterable[Problem]) -> list[Notice]:
    """One notice for each problem that is told, and one for each file with commands that were not understood."""
    notices: dict[Notice, None] = {}
    refused: dict[str, list[Problem]] = {}
    for problem in problems:
        if problem.kind == "not_understood":
            refused.setdefault(problem.path, []).append(problem)
        elif problem.kind in TOLD:
            kind = cast("_Told", problem.kind)
            notices[_notice(kind, problem)] = None
    for found in refused.values():
        notices[_refusal(found)] = None
    return sorted(notices, key=lambda notice: (notice.path, notice.line, notice.kind, notice.text))


def more_lines(count: int | str) -> str:
    """What follows the first line that was not understood where there are more of them."""
    return f" (and {count} more, see lintmdb inventory)"


def _refusal(problems: list[Problem]) -> Notice:
    first = min(problems, key=lambda problem: (problem.line, problem.column))
    more = more_lines(len(problems) - 1) if len(problems) > 1 else ""
    return _notice(REFUSED_COMMAND, first, more)


def _notice(kind: NoticeKind, problem: Problem, more: str = "") -> Notice:
    text, queue = problem.text + more, (problem.queue_manager or "", problem.object or "")
    return Notice(kind, problem.path, problem.line, text, problem.next_step, problem.environment, *queue)
