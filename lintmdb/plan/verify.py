"""A plan held against a newer export: each change is done, still open, or overtaken by somebody else's; and what has
become worse while some of them are open.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Literal, NamedTuple, TypeAlias

from lintmdb.delivery.fate import Fate
from lintmdb.engine.findings import FlowHead
from lintmdb.exports.was.objects import CellConfig
from lintmdb.model.environment_names import key_of
from lintmdb.model.origins import Setting
from lintmdb.plan.document import FlowNames, KeptFlow, StepEntry, flow_names
from lintmdb.plan.evaluation import weighed_fate
from lintmdb.plan.script_order import place_of
from lintmdb.resolve.mq.definitions import Definitions
from lintmdb.resolve.mq.objects import object_key
from lintmdb.resolve.mq.script import run_scripts
from lintmdb.run.estate import UnresolvedEstate
from lintmdb.run.overlay import find_settings, is_exported
from lintmdb.run.running_order import running_order
from lintmdb.settings.changes import Assignment, Change, Grant
from lintmdb.settings.registry import find_setting

Progress: TypeAlias = Literal["done", "open", "drifted", "not exported"]
"""``open``: the object has the old value. ``drifted``: it has neither the old one nor the new one, or is gone."""


class Verified(NamedTuple):
    """A change, and how far it is."""

    change: Change
    progress: Progress
    now: str | None = None
    """The value that the new export has, spelled as the product spells it; None where there is none."""


def verify(changes: Iterable[Change], exports: UnresolvedEstate) -> list[Verified]:
    """How far each change of a plan is, by a newer export."""
    managers: dict[str, Definitions] = {}
    cells: dict[str, Sequence[CellConfig]] = {
        key_of(cells[0].environment, cells[0].name or ""): cells for cells in exports.cells
    }
    for group in exports.groups:
        order = running_order(group.scripts)[0]
        managers[key_of(group.environment, group.name)] = run_scripts(group.name, order, lent=group.lent)
    found: list[Verified] = []
    for change in changes:
        place = change.target.place_key
        if change.target.product == "mq":
            found.append(
                _at_manager(change, managers[place]) if place in managers else Verified(change, "not exported")
            )
        elif isinstance(change, Assignment):
            found.append(_in_cell(change, cells[place]) if place in cells else Verified(change, "not exported"))
    return found


class WorseNow(NamedTuple):
    """A flow that a plan, as far as it is carried out, has left worse off than it was."""

    head: FlowHead
    before: Fate
    now: Fate


def find_worse(flows: Iterable[KeptFlow], now: Sequence[FlowHead]) -> list[WorseNow]:
    """The flows on which a poison message does more harm now than before a plan. A fate that the newer exports do not
    settle is none of them: the plan may have been made with observations.
    """
    exact: dict[tuple[str | None, ...], Fate] = {}
    loose: dict[tuple[str | None, ...], Fate] = {}
    for flow in flows:
        *names, server = _names(flow.entry)
        exact[*names, server] = flow.before
        # The members of a cluster may have been equal then, or be so now.
        known = loose.setdefault(tuple(names), flow.before)
        if flow.before.group.harm < known.group.harm:
            loose[tuple(names)] = flow.before
    found: list[WorseNow] = []
    for head in now:
        *names, server = _names(flow_names(head.subject))
        before = exact.get((*names, server)) or loose.get(tuple(names))
        fate, harm, *_ = weighed_fate(head)
        if before is not None and fate.group.bad and harm < before.group.harm:
            found.append(WorseNow(head, before, fate))
    return found


def _names(entry: FlowNames) -> tuple[str | None, ...]:
    """What a flow is called, the server last."""
    return (
        *(entry["environment"], entry["cell"], entry["cluster"], entry["endpoint"], entry["bean"]),
        *(entry["queue_manager"], entry["queue"], entry["server"]),
    )


def in_order(verified: Iterable[Verified], steps: Sequence[StepEntry]) -> list[Verified]:
    """The changes in the order of the steps; a plan without any keeps its own."""
    number = step_numbers(steps)
    return sorted(verified, key=lambda entry: number(entry.change))


def step_numbers(steps: Sequence[StepEntry]) -> Callable[[Change], int]:
    """Gives the number of the step that makes a change."""
    numbers = {
        (step["product"], key_of(step["environment"], step["place"])): number for number, step in enumerate(steps)
    }
    return lambda change: numbers.get(place_of(change), len(numbers))


def open_scripts(steps: Iterable[StepEntry], verified: Iterable[Verified]) -> list[str]:
    """The paths of the scripts that have changes to make, in the order in which they are run."""
    waiting = {place_of(entry.change) for entry in verified if entry.progress != "done"}
    return [
        step["script"] for step in steps if (step["product"], key_of(step["environment"], step["place"])) in waiting
    ]


def _at_manager(change: Change, definitions: Definitions) -> Verified:
    if isinstance(change, Grant):
        return _granted(change, definitions)
    target = change.target
    known = (
        definitions.manager if target.kind == "QMGR" else definitions.objects.get(object_key(target.kind, target.name))
    )
    if not isinstance(change, Assignment):
        if known is not None and known.defined and known.noun == target.kind == "QALIAS":
            leads_to = definitions.attributes.text(known, "TARGET")
            same = leads_to in (None, dict(change.attributes).get("TARGET"))
            return Verified(change, "done" if same else "drifted", known.noun if same else f"alias of {leads_to}")
        if known is not None and known.defined:
            return Verified(change, "done" if known.noun == target.kind else "drifted", known.noun)
        return Verified(change, "open" if definitions.complete else "not exported")
    if known is None or (target.kind != "QMGR" and known.noun != target.kind):
        return Verified(change, "drifted" if definitions.complete else "not exported")
    text = definitions.attributes.text(known, _keyword(change.attribute))
    if text is None:
        return Verified(change, "not exported")
    return Verified(change, _progress(change, text), text)


def _keyword(attribute: str) -> str:
    return "HARDENBO" if attribute == "NOHARDENBO" else attribute


def _granted(change: Grant, definitions: Definitions) -> Verified:
    records = definitions.authority_records
    of_manager = change.target.kind == "QMGR"
    authorities, complete = (
        (records.manager, records.manager_complete) if of_manager else (records.queues, records.queues_complete)
    )
    name = "SELF" if of_manager else change.target.name
    rights = authorities.rights_on(name, complete=complete).get(
        records.accounts.meant(("group" if change.group else "principal", change.user)), frozenset()
    )
    wanted = {right.lower() for right in change.rights}
    now = ", ".join(sorted(rights)) or None
    if wanted <= rights:
        return Verified(change, "done", now)
    return Verified(change, "open" if complete else "not exported", now)


def _in_cell(change: Assignment, cells: Sequence[CellConfig]) -> Verified:
    kept_as = find_setting(change).kept_as
    settings = [found for cell in cells for found in find_settings(cell, change.target)]
    if not settings:
        return Verified(
            change, "drifted" if any(is_exported(cell, change.target) for cell in cells) else "not exported"
        )
    values = {_as_written(found[kept_as]) if kept_as in found else "" for found in settings}
    progress: set[Progress] = {_progress(change, value) for value in values}
    now = ", ".join(sorted(values)) or None
    return Verified(change, progress.pop() if len(progress) == 1 else "drifted", now)


def _as_written(setting: Setting) -> str:
    """A value as its file has it: the reader of Liberty has filled in its variables."""
    written = _WRITTEN.search(setting.origin.text)
    return written.group(1) if written and "${" in written.group(1) else setting.value


_WRITTEN = re.compile(r'="([^"]*)"\Z')


def _progress(change: Assignment, now: str) -> Progress:
    if _same(now, change.new):
        return "done"
    default = find_setting(change).default
    expected = [change.old, default if not now else None]
    return (
        "open"
        if change.old is None or any(old is not None and _same(now or old, old) for old in expected)
        else "drifted"
    )


_IN_ORDER: tuple[Progress, ...] = ("done", "open", "drifted", "not exported")
_WORDS = {
    "yes": "true",
    "no": "false",
    **{word: answer for on in ("hardenbo", "share", "trigger") for word, answer in ((on, "yes"), (f"no{on}", "no"))},
}


def _same(one: str, other: str) -> bool:
    """Whether two spellings mean one value."""
    return _plain(one) == _plain(other)


def _plain(text: str) -> str:
    word = text.strip().lower()
    word = _WORDS.get(word, word)
    return _WORDS.get(word, word) if word in ("yes", "no") else text.strip() if word not in ("true", "false") else word


def counted(verified: Iterable[Verified]) -> Iterator[tuple[Progress, int]]:
    """How many changes are done, open, overtaken and not exported."""
    found = [entry.progress for entry in verified]
    for progress in _IN_ORDER:
        if progress in found:
            yield progress, found.count(progress)
