"""Whole scripts to copy: what an owner runs to make all changes of a plan, and to take them back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from lintmdb.plan.script_order import ScriptOrder, place_of
from lintmdb.plan.scripts import PURPOSES, Purpose, plan_scripts
from lintmdb.report.changes import place_words
from lintmdb.report.html.repair import ShownChange, show_change
from lintmdb.report.html.visible_text import clipped
from lintmdb.report.plan_order import changes_by_place, step_words
from lintmdb.settings.afterwards import afterwards
from lintmdb.settings.changes import Change

_NAME = 240


class ScriptBlock(NamedTuple):
    """One script, as a block to copy."""

    path: str
    text: str
    purpose: Purpose


class OwnerChoice(NamedTuple):
    """What only the owner can decide: when, and what to change instead, each with the option that asks for it."""

    choose_if: str
    instead: tuple[tuple[ShownChange, str], ...]
    cautions: tuple[str, ...]
    """Where that alone may not be enough."""


class OwnerBlock(NamedTuple):
    """What an owner has to do."""

    name: str
    step: str
    """``Step 1 of 2``; blank where there is no other step."""
    changes: tuple[tuple[ShownChange, str], ...]
    """Each with why it is made: the rules that it answers, parted by blanks, or what it prevents; it may be blank."""
    acts: tuple[str, ...]
    scripts: tuple[ScriptBlock, ...]
    choices: tuple[OwnerChoice, ...] = ()


def owner_blocks(
    changes: Iterable[Change],
    rules: Mapping[Change, str],
    order: ScriptOrder = ScriptOrder(),  # noqa: B008
) -> list[OwnerBlock]:
    """The changes of each owner, and the scripts that make them and take them back, in the order of the scripts."""
    made = list(dict.fromkeys(changes))
    order = order.only(set(map(place_of, made)))
    scripts = sorted(plan_scripts(made, order), key=lambda script: PURPOSES.index(script.purpose))
    return [
        OwnerBlock(
            clipped(place_words(own[0].target), _NAME),
            step_words(order, owner),
            tuple((show_change(change), rules.get(change, "")) for change in own),
            tuple(f"{text}." for text in afterwards(own, all_names=True)),
            tuple(ScriptBlock(script.path, script.text, script.purpose) for script in scripts if script.owner == owner),
        )
        for owner, own in changes_by_place(made, order)
    ]
