"""Single values that a user asks about: ``queue ORDERS.IN at QM1: BOTHRESH=5``."""

from __future__ import annotations

import difflib
import operator
import re
from collections.abc import Iterable, Iterator

from lintmdb.engine.findings import FlowHead
from lintmdb.engine.flow_rows import find_origin
from lintmdb.engine.repairs import read_old_value
from lintmdb.engine.subjects import a_kind
from lintmdb.errors import LintmdbError
from lintmdb.exports.mq.attributes import ATTRIBUTES as MQSC_ATTRIBUTES
from lintmdb.plan.naming import OBJECT, attribute_names, is_meant, kind_names, named_part, printed_servers
from lintmdb.settings.changes import Assignment, Change, Target
from lintmdb.settings.kinds import KINDS, holder_words, is_held_by_servers, listed_names, scope_words
from lintmdb.settings.mqsc import alter_command
from lintmdb.settings.registry import SETTINGS, Setting
from lintmdb.settings.values import why_refused
from lintmdb.settings.wiring import ATTRIBUTES, WIRING
from lintmdb.suggestions import closest, some_names

_SET = re.compile(rf"{OBJECT}: *(?P<attribute>\w[^=:]*?) *= *(?P<value>.*)\Z", re.DOTALL)
_EXAMPLE = "'queue ORDERS.IN at QM1: BOTHRESH=5'"


def settings_of(heads: Iterable[FlowHead]) -> Iterator[tuple[FlowHead, Setting, Target]]:
    """Every setting of every flow, with the object that has it."""
    for head in heads:
        for settings in SETTINGS.values():
            for setting in settings:
                target = setting.owner(head.rows.value)
                if target is not None:
                    yield head, setting, target


def assignments(text: str, heads: Iterable[FlowHead]) -> list[Change]:
    """The assignments that ``KIND NAME [at PLACE]: ATTRIBUTE=VALUE`` means on some flows. Raises LintmdbError."""
    match = _SET.match(text.strip())
    if match is None:
        raise LintmdbError(
            f"{text!r} does not set a value", next_step=f"Write KIND NAME at PLACE: ATTRIBUTE=VALUE, as in {_EXAMPLE}"
        )
    kind, name, place, value = match["kind"], match["name"], match["place"] or "", match["value"].strip()
    held_name, of, cluster = name.rpartition(" of cluster ")
    attribute = match["attribute"]
    found: dict[Target, Assignment] = {}
    refused: dict[Target, str] = {}
    meant: dict[Target, None] = {}
    names: set[str] = set()
    others: set[str] = set()
    bare: dict[str, str] = {}
    of_cluster = False
    for head, setting, target in settings_of(heads):
        # A report names what the servers of a cluster hold as that of the cluster.
        held = bool(of) and not place and _is_at_cluster(head, target, cluster)
        by_cluster = held or _is_at_cluster(head, target, place)
        if not is_meant(target, kind, held_name if held else name, "" if by_cluster else place, operator.eq):
            if kind in kind_names(target):
                at = scope_words(target) or target.named_place
                for own in _called(target, kind):
                    others.add(f"{own} at {at}")
                    bare.setdefault(own, at)
            continue
        of_cluster = of_cluster or by_cluster
        target = named_part(target, name, place)
        meant[target] = None
        names.update(ATTRIBUTES.get(target.kind, ()))
        names.add(setting.attribute)
        if attribute in ATTRIBUTES.get(target.kind, ()):
            found.setdefault(target, Assignment(target, WIRING, attribute, value))
        if attribute.lower() in attribute_names(setting):
            if refusal := why_refused(setting, value):
                refused.setdefault(target, refusal)
                continue
            old = read_old_value(setting, target, head.rows.value(setting.name), find_origin(head.rows, setting.name))
            found.setdefault(target, Assignment(target, setting.name, setting.attribute, value, old))
    # Liberty has one attribute for two columns, and each takes other values.
    if refusals := [refusal for target, refusal in refused.items() if target not in found]:
        raise LintmdbError(f"{text!r}: {refusals[0]}", next_step="Write a value that the product takes")
    if not found and names:
        step = _other_way(meant, attribute.upper(), value) or _near_name(attribute, sorted(names))
        raise LintmdbError(f"{text!r}: --set cannot change {attribute} of {kind} {name}", next_step=step)
    if not found:
        close = closest(f"{name} at {place}" if place else name, others) or closest(name, bare)
        near = close if close in others else f"{close} at {bare[close]}" if close else ""
        step = f"Did you mean {kind} {near}?" if near else f"What can be set is {kind} {some_names(sorted(others))}"
        step = step if others else f"No flow of the exports has {a_kind(kind)}"
        raise LintmdbError(f"{text!r}: the exports have no {kind} {name} that can be set", next_step=step)
    _refuse_ambiguous(text, () if of_cluster else found)  # a cluster means each of its members
    return list(found.values())


def _is_at_cluster(head: FlowHead, target: Target, place: str) -> bool:
    """Whether a place is the cluster of the servers that hold an object."""
    cluster = place.removeprefix("cluster ")
    return is_held_by_servers(target) and bool(cluster) and cluster == head.rows.value("server.cluster")


def _other_way(targets: Iterable[Target], attribute: str, value: str) -> str:
    """How else an attribute of IBM MQ is changed that no setting of lintmdb stands for; blank where it is none."""
    for target in targets:
        if attribute in MQSC_ATTRIBUTES.get(target.kind, ()):
            command = alter_command([Assignment(target, WIRING, attribute, value)])
            return f"Write {command} in a file, and name it with --change"
    return ""


def _near_name(attribute: str, names: list[str]) -> str:
    near = difflib.get_close_matches(attribute, names, 1)
    return f"Did you mean {near[0]}?" if near else f"What can be set is {', '.join(names)}"


def _called(target: Target, kind: str) -> Iterable[str]:
    """What a user may call an object of a kind: what a server holds goes by the server's name, too."""
    return printed_servers(target) if kind == "server" else (target.name or target.place,)


def _refuse_ambiguous(text: str, targets: Iterable[Target]) -> None:
    """Raises LintmdbError where objects of one cell have the name that the user gives, each at a scope or server of its
    own: only one of them may be meant.
    """
    alike: dict[tuple[str, ...], list[Target]] = {}
    for target in targets:
        alike.setdefault((target.place_key, target.kind, target.name), []).append(target)
    for same in alike.values():
        if len(same) > 1:
            names = sorted(f"{KINDS[target.kind].noun} {target.name} of {holder_words(target)}" for target in same)
            raise LintmdbError(f"{text!r} means {listed_names(names)}", next_step="Name one of them")
