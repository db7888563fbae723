"""A change in one line, as people read it: the object, the attribute, from what to what."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lintmdb.engine.findings import Finding
from lintmdb.engine.lacking_rights import NO_VALUE
from lintmdb.engine.repairs import find_alternatives, find_owner_choices
from lintmdb.engine.setbacks import find_setback
from lintmdb.model.word_lists import listed
from lintmdb.report.terminal import plural, safe
from lintmdb.settings.actions import BACKOUT_RIGHTS, MOVE_RIGHTS
from lintmdb.settings.changes import PLANNED, Assignment, Change, ChangeSet, Definition, Grant, Target
from lintmdb.settings.kinds import KINDS, holder_words
from lintmdb.settings.registry import find_setting


def place_words(target: Target) -> str:
    """Whose object it is: ``queue manager QM1``, ``cell PROD``."""
    if target.product == "mq":
        return f"queue manager {safe(target.shown_place)}"
    return f"cell {safe(target.shown_place)}" if target.place else "the cell"


def all_places_words(targets: Iterable[Target]) -> str:
    """All of them: ``queue managers QM1 and QM2 and cell PROD``, ``12 queue managers``."""
    names: dict[str, list[str]] = {}
    for target in targets:
        noun = "queue manager" if target.product == "mq" else "cell"
        names.setdefault(noun, []).append(safe(target.shown_place) if target.place else "(name unknown)")
    return " and ".join(_places(noun, sorted(set(found))) for noun, found in sorted(names.items(), reverse=True))


def _places(noun: str, names: Sequence[str]) -> str:
    if len(names) > _MOST_PLACES:
        return plural(len(names), noun)
    *most, last = names
    return f"{noun}s {', '.join(most)} and {last}" if most else f"{noun} {last}"


_MOST_PLACES = 4


def object_words(target: Target) -> str:
    """The object of a change: ``ORDERS.IN``, ``channel WAS.CHL``, ``listener port LP1 of node1/server1``."""
    if target.kind == "QMGR":
        return KINDS[target.kind].noun
    noun = KINDS[target.kind].noun
    if target.kind in ("QLOCAL", "QALIAS", "QMODEL", "QREMOTE", "QUEUE"):
        return safe(target.name)
    holder = safe(holder_words(target))
    named = noun if target.kind in _ONE_A_SERVER and holder else f"{noun} {safe(target.name)}"
    return f"{named} of {holder}" if holder else named


_ONE_A_SERVER = ("listener_service", "listener_threads", "transaction_service")


def change_words(change: Change) -> str:
    """What becomes of the object: ``BOTHRESH 0 -> 3``, ``new queue``, ``appuser gets put, passall``."""
    if isinstance(change, Assignment):
        return f"{attribute_words(change)} {value_words(change.old)} -> {value_words(change.new)}"
    if isinstance(change, Definition):
        if change.target.kind == "QALIAS":
            return f"new alias of {safe(dict(change.attributes).get('TARGET', 'nothing'))}"
        return "new transmission queue" if ("USAGE", "XMITQ") in change.attributes else "new queue"
    rights = [right.lower() for right in change.rights if right not in (*change.had, *change.kept)]
    kept = f", and keeps {', '.join(map(str.lower, change.kept))}" if change.kept else ""
    who = f"group {safe(change.user)}" if change.group else safe(change.user)
    return f"{who} gets {', '.join(rights or [right.lower() for right in change.rights])}{kept}"


def put_back_words(changes: Iterable[Change]) -> str:
    """What to put back to end a finding: ``ORDERS.IN BOTHRESH 15 -> 3, as before (deploy.mqsc:5)``; blank for nothing.
    The places are those that set what is there now.
    """
    by_object: dict[Target, list[Change]] = {}
    for change in changes:
        by_object.setdefault(change.target, []).append(change)
    told = [
        f"{_leading(object_words(target))} {', '.join(map(_back_words, made))}" for target, made in by_object.items()
    ]
    origins = [
        change.origin if isinstance(change, Assignment) else change.new_origin
        for made in by_object.values()
        for change in made
    ]
    places = dict.fromkeys(f"{each.path}:{each.line}" for each in origins if each and each.path not in ("", PLANNED))
    where = f" ({', '.join(places)})" if places else ""
    return f"{', '.join(told)}, as before{where}" if told else ""


def _back_words(change: Change) -> str:
    return "defined again" if isinstance(change, Definition) else change_words(change)


MOST_ENDS = 3
"""So many of ``other_ends`` a report shows."""


def other_ends(finding: Finding) -> list[str]:
    """What else would end a finding that a change brought than to put values back, each with its condition if only
    people know whether it will do: ``activation specification OrdersAS of node1/server1: ...``. What would do harm by
    itself is left out.
    """
    choices = {choice.changes: choice for choice in find_owner_choices(finding.rule, finding.rows)}
    back = ChangeSet(finding.put_back)
    told: list[str] = []
    for place, changes in enumerate(find_alternatives(finding.rule, finding.rows)):
        if not back.makes(changes) and (place or find_setback(finding) is None):
            made = ", ".join(f"{_leading(object_words(each.target))} {change_words(each)}" for each in changes)
            made += _asked_too(changes) * (finding.rule.id != _ASKED_FOR)
            choice = choices.get(changes)
            if choice is not None:
                made = f"if {choice.choose_if}: {made}. {choice.evidence}".removesuffix(" ").removesuffix(".")
            told.append(made)
    return told


_ASKED_FOR = "MDB119"
"""The rule about rights that IBM asks for and a move does not take."""


def _asked_too(changes: Iterable[Change]) -> str:
    """Why a user gets more rights on a backout queue than a move takes."""
    more = [
        right.lower()
        for change in changes
        if isinstance(change, Grant)
        for right in change.rights
        if right not in (*change.had, *change.kept, *MOVE_RIGHTS) and right in BACKOUT_RIGHTS
    ]
    return f" (IBM asks for {listed(list(dict.fromkeys(more)))} on a backout queue, too)" if more else ""


def _leading(words: str) -> str:
    """An object before what becomes of it: of several words it takes a colon."""
    return f"{words}:" if " " in words else words


def own_values_words(first: Iterable[Finding], others: Iterable[Iterable[Finding]]) -> str:
    """What to add to the names of others with findings like the first ones, where they have other values to put back;
    blank where they have the same.
    """
    told = _values_back(first)
    return ". Each has its own values to put back" if any(_values_back(other) != told for other in others) else ""


def _values_back(findings: Iterable[Finding]) -> list[list[str]]:
    return [[change_words(change) for change in finding.put_back] for finding in findings]


def fix_with_put_back(finding: Finding) -> str:
    """The fix of a finding, with what to put back before it."""
    back = put_back_words(finding.put_back)
    return f"{back}\nor:\n{finding.fix}" if back else finding.fix


def attribute_words(change: Assignment) -> str:
    """The attribute as its owner calls it: the keyword of MQSC, or the console's words."""
    setting = find_setting(change)
    return setting.label or change.attribute


def value_words(value: str | None) -> str:
    """A value as the product spells it, or that there is none."""
    if value is None:
        return NO_VALUE
    return safe(value) or "(none)"
