"""Whether producers can put to the queues of endpoints: what a change takes from them. No rule judges that."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set

from lintmdb.engine.findings import FlowHead
from lintmdb.exports.mq.commands import is_export
from lintmdb.model.environment_names import key_of
from lintmdb.model.relations import Problem
from lintmdb.resolve.mq.definitions import Definitions
from lintmdb.resolve.mq.objects import QUEUE_TYPES, MqObject, Value
from lintmdb.resolve.mq.script import run_scripts
from lintmdb.run.overlay import Overlay
from lintmdb.run.running_order import running_order
from lintmdb.run.script_groups import ScriptGroup

_NOT_JUDGED = "lintmdb does not judge producers"


def unjudged_puts(changes: Overlay, flows: Iterable[FlowHead], groups: Iterable[ScriptGroup]) -> Iterator[Problem]:
    """The commands of a change that let every put to the queue of an endpoint fail."""
    concerned = {
        key
        for key, scripts in changes.scripts.items()
        if any(command.noun in QUEUE_TYPES for script in scripts for command in script.commands)
    }
    if not concerned:
        return
    read = queues_of(flows)
    for group in groups:
        key = key_of(group.environment, group.name)
        if key in concerned and key in read:
            order = running_order(group.scripts)[0]
            before = run_scripts(group.name, order, lent=group.lent)
            after = run_scripts(group.name, order, changes.scripts[key], lent=group.lent)
            yield from stopped_puts(before, after, read[key])


def queues_of(flows: Iterable[FlowHead]) -> Mapping[str, Set[str]]:
    """The local queues that flows read, by ``key_of`` their queue manager."""
    found: dict[str, set[str]] = {}
    for head in flows:
        if head.rows.queue is not None and head.topic is None:
            key = key_of(head.subject.environment, head.rows.endpoint.queue_manager or "")
            found.setdefault(key, set()).add(head.rows.queue.name)
    return found


def stopped_puts(before: Definitions, after: Definitions, names: Set[str]) -> Iterator[Problem]:
    """What lets puts to some queues succeed in one state of their queue manager, and none in a later one. What an
    export of the later state shows and the earlier one does not tell is left out.
    """
    for name in sorted(names):
        old, new = before.queue(name), after.queue(name)
        if new is None or new.noun != "QLOCAL":
            continue
        value = new.values.get("PUT")
        if value is not None and _says(new, "PUT", "DISABLED") and not (old and _says(old, "PUT", "DISABLED")):
            if old is not None or not is_export(value.file):
                yield _problem(value, f"PUT(DISABLED) of {new.noun}({name}) lets every put to it fail", after, new)
            continue
        value = new.values.get("STREAMQ")
        why = _without_copy(after, new)
        if value is not None and why and not (old is not None and _without_copy(before, old)):
            said = next(
                (v for v in (new.values.get("STRMQOS"), value) if v is not None and not is_export(v.file)), value
            )
            text = f"STRMQOS(MUSTDUP) of {new.noun}({name}) lets every put to it fail: its STREAMQ {value.text} {why}"
            yield _problem(said, text, after, new)


def _without_copy(definitions: Definitions, queue: MqObject) -> str:
    """Why no copy of a message can be put to STREAMQ, which the message itself needs; blank where one may be, or none
    is needed.
    """
    value = queue.values.get("STREAMQ")
    name = value.text.strip() if value is not None and not value.parameter.template else ""
    if not name or not _says(queue, "STRMQOS", "MUSTDUP"):
        return ""
    target = definitions.queue(name)
    if target is None:
        return "" if definitions.clustered or not definitions.lists_queue(name) else "is not defined"
    return "has PUT(DISABLED)" if _says(target, "PUT", "DISABLED") else ""


def _says(queue: MqObject, keyword: str, word: str) -> bool:
    value = queue.values.get(keyword)
    return value is not None and not value.parameter.template and value.text.strip().upper() == word


def _problem(value: Value, what: str, after: Definitions, queue: MqObject) -> Problem:
    return Problem(
        kind="unjudged_change",
        path=value.origin.path,
        line=value.origin.line,
        column=value.origin.column,
        text=f"{what}, and {_NOT_JUDGED}",
        next_step="Make sure that nothing has to put messages there",
        queue_manager=after.queue_manager,
        object=f"{queue.noun} {queue.name}",
    )
