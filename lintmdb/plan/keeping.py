"""Entries of a policy that keep nothing: a slip in one would let the change through that it forbids."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from typing import NamedTuple

from lintmdb.engine.findings import Judgement
from lintmdb.engine.repairs import find_alternatives
from lintmdb.errors import LintmdbError
from lintmdb.model.facts import Facts
from lintmdb.plan.evaluation import Evaluator
from lintmdb.plan.naming import attribute_names, holding_servers, kind_names, object_names
from lintmdb.plan.policy import Kept, Policy
from lintmdb.plan.single_values import settings_of
from lintmdb.run.all_queues import queue_heads
from lintmdb.run.config.settings import Settings
from lintmdb.settings.changes import Target
from lintmdb.settings.kinds import KINDS
from lintmdb.settings.registry import SETTINGS
from lintmdb.suggestions import some_names

_QUEUE_KINDS = {None: "QLOCAL", "local": "QLOCAL", "alias": "QALIAS", "remote": "QREMOTE", "model": "QMODEL"}
_QUEUES = frozenset(_QUEUE_KINDS.values())
_ENDPOINT_KINDS = {"listener_port": "listener_port", "activation_spec": "mq_specification"}
_QUEUE_ATTRIBUTES = frozenset(
    name
    for settings in SETTINGS.values()
    for setting in settings
    if setting.name.partition(".")[0] in ("queue", "queue_name", "backout", "dead_letter")
    for name in attribute_names(setting)
)
_SHOWN = 3


class _Known(NamedTuple):
    """What the exports have that an entry may be about."""

    objects: dict[Target, set[str]]
    """All objects, and the attributes of each that a change may be made to, in lower case."""

    def near(self, kept: Kept) -> list[str]:
        """The objects of its kind that are called almost as an entry says, as it would name them; else those of other
        kinds that are called just so.
        """
        own = {f"{name} at {target.named_place}": target for target in self.objects for name in object_names(target)}
        place = f" at {kept.place}" if kept.place else ""
        kinds = {words: target for words, target in own.items() if kept.kind in kind_names(target)}
        close = difflib.get_close_matches(f"{kept.name}{place}", [*kinds], _SHOWN, 0.7) if place else []
        if not place:
            names = {target.name: words for words, target in kinds.items()}
            close = [names[name] for name in difflib.get_close_matches(kept.name, [*names], _SHOWN, 0.7)]
        if close:
            return [f"{kept.kind} {words}" for words in close]
        same = [target for target in self.objects if kept.name in (target.name, *object_names(target))]
        return list(dict.fromkeys(f"{KINDS[each.kind].noun} {kept.name} at {each.named_place}" for each in same))[:3]

    def all_of(self, kind: str) -> str:
        """The objects of a kind, as an entry would name them; those that a queue manager is created with come last."""
        if kind == "server":
            spelled = {server for target in self.objects for server in holding_servers(target)}
            names = spelled - {server.rpartition("/")[2] for server in spelled if "/" in server}
        else:
            targets = [target for target in self.objects if kind in kind_names(target)]
            names = {f"{object_names(target)[0]} at {target.named_place}" for target in targets}
        if not names:
            return f"They have no {kind} that a plan could change"
        ordered = sorted(names, key=lambda name: (name.startswith("SYSTEM."), name))
        return f"They have {some_names([f'{kind} {name}' for name in ordered])}"


def check_kept(policy: Policy, settings: Settings, evaluator: Evaluator) -> list[str]:
    """A notice for each entry of a configuration file that keeps nothing, which may be meant for other exports.

    Raises LintmdbError for such an entry of an option.
    """
    if not policy.keep:
        return []
    known = _known(evaluator.judge(()).judgement, evaluator.unchanged())
    wrong: list[str] = []
    for number, kept in enumerate(policy.keep):
        text, step = _why_nothing(kept, known)
        if text:
            error = settings.error(text, "plan", "keep", number, next_step=step)
            if not error.path:
                raise error
            wrong.append(str(error))
    return wrong


def check_queues(policy: Policy, evaluator: Evaluator) -> None:
    """Raises LintmdbError for a queue that a plan is to be for and that no flow has."""
    if not policy.queues:
        return
    judgement = evaluator.judge(()).judgement
    heads = [*judgement.flows, *judgement.unread]
    for names in policy.queues:
        if not any(names.mean(head.rows) for head in heads):
            if unset := [queue.name for queue in judgement.unset_queues if queue.name == names.name]:
                why = "it has BOTHRESH(0) and a blank BOQNAME, so nothing judges it"
                step = f"lintmdb check --set 'queue {unset[0]} at QMGR: BOTHRESH=3' shows what a threshold would do"
                raise LintmdbError(f"nothing is planned for {names}: {why}", next_step=step)
            known = sorted({str(name) for head in heads if (name := head.rows.value("queue.name"))})
            close = difflib.get_close_matches(names.name, known, _SHOWN, 0.7)
            step = f"Did you mean {' or '.join(close)}?" if close else f"The queues are {some_names(known)}"
            raise LintmdbError(f"no queue that is judged is called {names}", next_step=step)


def _known(judgement: Judgement, facts: Facts) -> _Known:
    known = _Known({})
    for _, setting, target in settings_of([*judgement.flows, *queue_heads(facts)]):
        known.objects.setdefault(target, set()).update(attribute_names(setting))
    changes = (
        change
        for finding in judgement.findings
        for changes in find_alternatives(finding.rule, finding.rows)
        for change in changes
    )
    for target in (*(change.target for change in changes), *_read(facts)):
        known.objects.setdefault(target, set())
    for target, names in known.objects.items():
        if target.kind in _QUEUES:
            names.update(_QUEUE_ATTRIBUTES)
    return known


def _read(facts: Facts) -> Iterator[Target]:
    """Objects of the exports, whether a flow has them or not."""
    for name in facts.rows["queue_name"]:
        yield Target("mq", name.queue_manager, _QUEUE_KINDS[name.type], name.name, environment=name.environment or "")
    for target in facts.rows["put_target"]:  # be it that the name leads nowhere: a plan may define the queue
        yield Target("mq", target.queue_manager, "QLOCAL", target.name, environment=target.environment or "")
    for channel in facts.rows["channel"]:
        yield Target("mq", channel.queue_manager, "CHANNEL", channel.name, environment=channel.environment or "")
    for endpoint in facts.rows["endpoint"]:
        kind = "liberty_endpoint" if endpoint.runtime == "liberty" else _ENDPOINT_KINDS.get(endpoint.kind)
        if kind is not None:
            yield Target("was", endpoint.cell or "", kind, endpoint.name, environment=endpoint.environment or "")


def _why_nothing(kept: Kept, known: _Known) -> tuple[str, str]:
    """Why an entry keeps nothing, and what to do; blank where it keeps something."""
    meant = [target for target in known.objects if kept.means(target)]
    if not meant:
        text = f"{str(kept)!r} keeps nothing: the exports have no such object"
        near = known.near(kept)
        return text, f"Did you mean {' or '.join(map(repr, near))}?" if near else known.all_of(kept.kind)
    attributes = set[str]().union(*(known.objects[target] for target in meant))
    if not kept.attribute or not attributes or kept.attribute.lower() in attributes:
        return "", ""
    near = difflib.get_close_matches(kept.attribute.lower(), sorted(attributes), 1)
    spelled = {name: setting.attribute for each in SETTINGS.values() for setting in each for name in
               attribute_names(setting) if name in attributes}  # fmt: skip
    every = ", ".join(sorted({*spelled.values()}))
    step = f"Did you mean {spelled[near[0]]}?" if near else f"A plan may change {every}"
    return f"{str(kept)!r} keeps nothing: a plan does not change {kept.attribute} there", step
