"""Whole scripts to copy: what an owner runs to make all changes of a plan, and to take them back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from lintmdb.plan.scripts import plan_scripts
from lintmdb.report.changes import place_words
from lintmdb.report.html.repair import ShownChange, show_change
from lintmdb.report.html.visible_text import clipped
from lintmdb.settings.afterwards import afterwards
from lintmdb.settings.changes import Change

_NAME = 240
_TEXT = 1000


class ScriptBlock(NamedTuple):
    """One script, as a block to copy."""

    path: str
    text: str
    undoes: bool


class OwnerChoice(NamedTuple):
    """What only the owner can decide: when, and what to change instead, each with the option that asks for it."""

    choose_if: str
    instead: tuple[tuple[ShownChange, str], ...]


class OwnerBlock(NamedTuple):
    """What an owner has to do."""

    name: str
    changes: tuple[tuple[ShownChange, str], ...]
    """Each with the rules that it answers, parted by blanks; they may be blank."""
    acts: tuple[str, ...]
    scripts: tuple[ScriptBlock, ...]
    choices: tuple[OwnerChoice, ...] = ()


def owner_blocks(changes: Iterable[Change], rules: Mapping[Change, str]) -> list[OwnerBlock]:
    """The changes of each owner, and the scripts that make them and take them back."""
    made = list(dict.fromkeys(changes))
    owners: dict[tuple[str, str], list[Change]] = {}
    for change in made:
        owners.setdefault((change.target.product, change.target.place_key), []).append(change)
    # What to run comes before what undoes it.
    scripts = sorted(plan_scripts(made), key=lambda script: script.path.startswith("undo/"))
    return [
        OwnerBlock(
            clipped(place_words(own[0].target), _NAME),
            tuple((show_change(change), rules.get(change, "")) for change in own),
            tuple(clipped(f"{text}.", _TEXT) for text in afterwards(own)),
            tuple(
                ScriptBlock(script.path, script.text, script.path.startswith("undo/"))
                for script in scripts
                if script.owner == owner
            ),
        )
        for owner, own in owners.items()
    ]
