"""What was judged without something: exports that are not there, commands that would be refused, and what could not be
read or understood.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from lintmdb.engine.findings import Judgement
from lintmdb.report.blockers import refused_commands
from lintmdb.report.terminal import plural
from lintmdb.run.all_queues import judges_queues
from lintmdb.run.estate import Estate
from lintmdb.run.gate import missing_products, not_exported, unreadable

_NAMED = 4


class Shortfall(NamedTuple):
    """One thing that a report has to say before its findings."""

    label: str
    text: str
    """Without a full stop."""


def missing_exports(judgement: Judgement, estate: Estate) -> Iterator[Shortfall]:
    """A product of which nothing was exported, and what the exports of cells lack."""
    for product in missing_products(judgement, estate):
        yield Shortfall("Missing", _product_text(product, judgement))
    for cell, lacking in not_exported(estate).items():
        yield Shortfall("Missing", f"of {cell}: {listed_places(lacking)}: not all that runs there is judged")


def unusable_parts(estate: Estate) -> Iterator[Shortfall]:
    """Commands that a queue manager would refuse, places that were not understood, and files that could not be read."""
    refused = refused_commands(estate)
    if refused:
        places = listed_places([blocker.where for blocker in refused])
        yield Shortfall("Refused", f"{plural(len(refused), 'command')} that a queue manager would refuse ({places})")
    unclear = sum(problem.kind == "not_understood" for problem in estate.facts.rows["problem"]) - len(refused)
    if unclear:
        yield Shortfall("Unclear", f"{plural(unclear, 'place')} not understood {listed_by(unclear)}")
    if broken := unreadable(estate):
        yield Shortfall("Broken", f"{plural(broken, 'file')} (lintmdb inventory says where)")


def listed_by(count: int) -> str:
    """Which command lists so many files or places."""
    return f"(lintmdb inventory lists {'it' if count == 1 else 'them'})"


def listed_places(names: Sequence[str]) -> str:
    """The first names, and how many more there are."""
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return f"{', '.join(names[:_NAMED])}{more}"


def _product_text(product: str, judgement: Judgement) -> str:
    waiting = sum(1 for entry in judgement.undecided if entry.need.kind in ("queue_manager", "complete"))
    if product == "mq":
        subjects = [flow.subject for flow in judgement.flows]
        managers = {(about.environment, about.queue_manager) for about in subjects if about.queue_manager}
        count = f" of the {len(managers)} queue managers" if len(managers) > 1 else ""
        checks = f", so {plural(waiting, 'check is', 'checks are')} undecided" if waiting else ""
        return f"every IBM MQ export{count}: no queue was read{checks}"
    alone = " (--all-queues judges queues by themselves)" if judges_queues(judgement.rules) else ""
    return f"every WebSphere export: no endpoint was read, so no flow is judged{alone}"
