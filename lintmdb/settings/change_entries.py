"""A change as plain values, for plan.json and for the JSON report."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NotRequired, TypedDict

from lintmdb.settings.afterwards import acts_words
from lintmdb.settings.changes import Assignment, Change, Definition, Grant, Target, containment_paths
from lintmdb.settings.kinds import console_path
from lintmdb.settings.liberty import drop_in, is_liberty
from lintmdb.settings.mqsc import mqsc_command, undo
from lintmdb.settings.registry import SETTINGS
from lintmdb.settings.wsadmin import wsadmin_commands


class PlaceEntry(TypedDict):
    """Where a value was read."""

    path: str
    line: int
    column: int


class ChangeEntry(TypedDict):
    """One change: ``settings.changes`` says what its parts mean."""

    change: Literal["set", "define", "grant"]
    product: str
    place: str
    kind: str
    name: str
    path: str
    disposition: str
    environment: NotRequired[str]
    """Where environments are named."""
    shared_with: NotRequired[Sequence[str]]
    """The other queue managers of a queue-sharing group, which have the same object."""
    setting: NotRequired[str]
    attribute: NotRequired[str]
    old: NotRequired[str | None]
    new: NotRequired[str]
    servers: NotRequired[Sequence[str]]
    """The containment paths of all members of the cluster at whose scope the object is, where they are known."""
    read: NotRequired[PlaceEntry | None]
    attributes: NotRequired[Sequence[Sequence[str]]]
    opened_as: NotRequired[str]
    user: NotRequired[str]
    rights: NotRequired[Sequence[str]]
    had: NotRequired[Sequence[str]]
    recorded: NotRequired[bool | None]
    group: NotRequired[bool]
    kept: NotRequired[Sequence[str]]
    console: NotRequired[str]
    commands: Sequence[str]
    undo: NotRequired[Sequence[str]]
    acts: str


def change_entry(change: Change) -> ChangeEntry:
    """A change as plain values, with the commands that make it."""
    target = change.target
    entry: ChangeEntry = {
        "change": change_kind(change),
        "product": target.product,
        "place": target.place,
        "kind": target.kind,
        "name": target.name,
        "path": target.path,
        "disposition": target.disposition,
        "commands": _commands(change),
        "acts": acts_words(change),
    }
    if target.environment:
        entry["environment"] = target.environment
    if target.shared_with:
        entry["shared_with"] = target.shared_with.split()
    if isinstance(change, Assignment):
        origin = change.origin
        entry["setting"], entry["attribute"] = change.setting, change.attribute
        entry["old"], entry["new"] = change.old, change.new
        if change.servers:
            entry["servers"] = containment_paths(change.servers)
        entry["read"] = {"path": origin.path, "line": origin.line, "column": origin.column} if origin else None
    elif isinstance(change, Definition):
        entry["attributes"] = [list(pair) for pair in change.attributes]
        if change.opened_as:
            entry["opened_as"] = change.opened_as
    else:
        entry["user"] = change.user
        entry["rights"], entry["had"], entry["recorded"] = list(change.rights), list(change.had), change.recorded
        if change.group:
            entry["group"] = True
        if change.kept:
            entry["kept"] = list(change.kept)
    if target.product == "was":
        entry["console"] = console_path(target)
    else:
        entry["undo"] = undo(change)
    return entry


def change_kind(change: Change) -> Literal["set", "define", "grant"]:
    """What a change does."""
    if isinstance(change, Assignment):
        return "set"
    return "define" if isinstance(change, Definition) else "grant"


def _commands(change: Change) -> list[str]:
    if isinstance(change, Assignment) and change.target.product == "was":
        return drop_in([change]) if is_liberty(change.target) else wsadmin_commands(change)
    return [mqsc_command(change)]


def read_change(entry: ChangeEntry) -> Change:
    """The change that an entry is about. Raises KeyError, TypeError, ValueError or AttributeError for a damaged one."""
    product = entry["product"]
    if product not in ("mq", "was"):
        raise ValueError(product)
    target = Target(
        product,
        entry["place"],
        entry["kind"],
        entry["name"],
        entry["path"],
        entry["disposition"],
        entry.get("environment", ""),
        " ".join(entry.get("shared_with", ())),
    )
    if entry["change"] == "define":
        pairs = [(str(keyword), str(value)) for keyword, value in entry.get("attributes", ())]
        return Definition(target, tuple(pairs), entry.get("opened_as", ""))
    if entry["change"] == "grant":
        rights, had = tuple(entry.get("rights", ())), tuple(entry.get("had", ()))
        user, recorded, group = entry.get("user", ""), entry.get("recorded"), entry.get("group") is True
        return Grant(target, user, rights, had, recorded, group, tuple(entry.get("kept", ())))
    setting, attribute = entry.get("setting", ""), entry.get("attribute", "")
    if not any(known.attribute == attribute for known in SETTINGS[setting]):
        raise ValueError(attribute)
    servers = " ".join(entry.get("servers", ()))
    return Assignment(target, setting, attribute, entry.get("new", ""), entry.get("old"), servers=servers)
