"""Scripts of a plan: MQSC for each queue manager and Jython for each cell, and for each of them one that undoes it.

MQSC has no conditions, so each queue manager has a script, too, that shows the values which the changes depend on, and
one that deletes new queues and takes rights back when no client uses them any more.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.resources import files
from typing import Literal, NamedTuple, TypeAlias

from lintmdb.model.environment_names import key_of
from lintmdb.model.relations import LIBERTY_CELL
from lintmdb.model.word_lists import listed
from lintmdb.plan.other_restarts import restarts_after, restarts_of_others
from lintmdb.plan.script_order import Place, ScriptOrder, place_of
from lintmdb.settings.actions import BACKOUT_RIGHTS
from lintmdb.settings.afterwards import afterwards, beforehand
from lintmdb.settings.changes import (
    Assignment,
    Change,
    ChangeSet,
    Definition,
    Grant,
    Product,
    Target,
    containment_paths,
)
from lintmdb.settings.kinds import AT_ONCE, when_they_act
from lintmdb.settings.liberty import OVERRIDES, drop_in, is_liberty
from lintmdb.settings.mqsc import (
    alter_lines,
    attribute_text,
    display_command,
    display_record,
    display_rights,
    mqsc_command,
    mqsc_lines,
    undo,
    undo_lines,
)
from lintmdb.settings.registry import find_setting
from lintmdb.settings.wsadmin import quoted

_WIDTH = 72
_COMMENT_WIDTH = 100
"""Of comments in Jython, whose lines may be longer."""

Purpose: TypeAlias = Literal["make", "check", "undo", "delete"]
"""What a script is for; ``check`` shows whether the values are still those of the export, and ``delete`` is the rest of
``undo``, for which readers must have been restarted."""
PURPOSES: tuple[Purpose, ...] = ("check", "make", "undo", "delete")
"""In the order in which people need them."""


class Script(NamedTuple):
    """One script, and where it belongs below the folder of a plan."""

    path: str
    text: str
    product: Product = "mq"
    place: str = ""
    """The queue manager or the cell that it is for."""
    environment: str = ""
    purpose: Purpose = "make"
    steps: str = ""
    """What its head says about the order of the scripts."""

    @property
    def owner(self) -> Place:
        """The product, and the queue manager or the cell among those of all environments."""
        return self.product, key_of(self.environment, self.place)


_DEVICES = frozenset(
    {"CON", "PRN", "AUX", "NUL", *(f"{port}{number}" for port in ("COM", "LPT") for number in range(10))}
)
"""What Windows takes for a device, whatever follows a full stop."""


def plan_scripts(changes: Sequence[Change], order: ScriptOrder = ScriptOrder()) -> list[Script]:  # noqa: B008
    """All scripts of a plan, in the order of their paths; each says which others are run before it by ``order``."""
    made, paths = _by_script(changes)
    told, others = _Steps(order.only(paths.keys()), paths), other_restarts(changes, order)
    scripts: list[Script] = []
    for place, own in made.items():
        target, path = own[0].target, paths[place]
        there = (target.product, target.place, target.environment)
        steps, back = told.words(place), told.words(place, undoing=True)
        if target.product == "mq":
            check, undo = f"check/{path}", f"undo/{path}"
            first, rest = _in_two(own)
            delete = f"undo/delete/{path}" if rest else ""
            scripts += [
                Script(check, mqsc_check_script(target.place, own, path), *there, "check"),
                Script(path, mqsc_script(target.place, own, check, steps), *there, "make", steps),
                Script(undo, mqsc_undo_script(target.place, first, back, delete), *there, "undo", back),
            ]
            if delete:
                text = mqsc_delete_script(target.place, rest, undo, [change.target.name for change in _cached(first)])
                scripts.append(Script(delete, text, *there, "delete"))
            continue
        assigned = [change for change in own if isinstance(change, Assignment)]
        if is_liberty(target):
            texts = liberty_file(target.place, assigned, steps), liberty_undo_file(target.place, assigned, back)
        else:
            texts = (
                wsadmin_script(target.place, assigned, steps=steps, also=others.get(place, ())),
                wsadmin_script(target.place, assigned, steps=back, undoing=True),
            )
        scripts += [
            Script(path, texts[0], *there, "make", steps),
            Script(f"undo/{path}", texts[1], *there, "undo", back),
        ]
    return sorted(scripts)


def _by_script(changes: Sequence[Change]) -> tuple[dict[Place, list[Change]], dict[Place, str]]:
    """The changes that each script makes, and its path."""
    made: dict[Place, list[Change]] = {}
    for change in changes:
        made.setdefault(place_of(change), []).append(change)
    names = _file_names(change.target for change in changes)
    return made, {place: _path(own[0].target, names) for place, own in made.items()}


def other_restarts(changes: Sequence[Change], order: ScriptOrder) -> dict[Place, list[str]]:
    """What those who run the script for a cell have to restart because of other scripts, as sentences without a full
    stop, by the cells of which there is something to say.
    """
    made, paths = _by_script(changes)
    found: dict[Place, list[str]] = {}
    for place, own in made.items():
        if place[0] == "was" and not is_liberty(own[0].target):
            cell = own[0].target.place_key
            others = {paths[other]: theirs for other, theirs in made.items() if other[0] == "mq"}
            later = {paths[other] for other in others_after(place, order, made)}
            earlier = {path: theirs for path, theirs in others.items() if path not in later}
            found[place] = [
                *restarts_of_others(cell, own, earlier),
                *(text for path in sorted(later) for text in restarts_after(cell, path, others[path])),
            ]
    return found


def others_after(place: Place, order: ScriptOrder, made: Iterable[Place]) -> list[Place]:
    """The scripts for queue managers that are run after that of a place."""
    return [other for other in made if other[0] == "mq" and place in order.after.get(other, ())]


OPTIONAL = "optional"
"""The folder of scripts that are no part of a plan."""


def optional_scripts(grants: Iterable[Change]) -> list[Script]:
    """Scripts for rights that a plan leaves to the owners of the queues, one for each queue manager."""
    by_manager: dict[str, list[Change]] = {}
    for grant in grants:
        by_manager.setdefault(grant.target.place_key, []).append(grant)
    names = _file_names(grant.target for own in by_manager.values() for grant in own)
    return sorted(_optional_script(own, names) for own in by_manager.values())


IF_UNDEFINED = "if-undefined"
"""The folder of scripts for queues of which nobody knows whether a cluster has them."""


class IfUndefinedChanges(NamedTuple):
    """What to change if no cluster has a queue."""

    queue: str
    question: str
    """The command that tells, and where: blank where nobody knows."""
    repairs: Sequence[Sequence[Change]]
    """The one to make first, and then what else would do."""
    grants: Sequence[Grant] = ()
    """What IBM asks for on the queue that the first one names, for a user who may move messages there without it."""
    holder: str = ""
    """That user: the grants may be to one of its groups."""


def conditional_scripts(entries: Iterable[IfUndefinedChanges]) -> list[Script]:
    """Scripts for queues of which nobody knows whether a cluster has them: for each queue manager one that makes the
    changes, one to run before it, and one that undoes them.
    """
    by_manager: dict[str, list[IfUndefinedChanges]] = {}
    for entry in entries:
        by_manager.setdefault(entry.repairs[0][0].target.place_key, []).append(entry)
    targets = [change.target for own in by_manager.values() for each in own for change in each.repairs[0]]
    names = _file_names(targets)
    return sorted(script for own in by_manager.values() for script in _conditional_scripts(own, names))


def _conditional_scripts(entries: Sequence[IfUndefinedChanges], names: Mapping[str, str]) -> Iterator[Script]:
    target = entries[0].repairs[0][0].target
    there = ("mq", target.place, target.environment)
    name = _path(target, names)
    path, check, undo = (f"{IF_UNDEFINED}/{folder}{name}" for folder in ("", "check/", "undo/"))
    first = ChangeSet(change for entry in entries for change in entry.repairs[0]).changes
    yield Script(path, _conditional_script(entries, check), *there)
    asked = {tuple(_asked(entry, target.place)): None for entry in entries}
    joined = "".join(f"{line}\n" for lines in asked for line in lines)
    yield Script(check, f"{mqsc_check_script(target.place, first, path)}{joined}", *there, "check")
    lines = mqsc_undo_script(target.place, first).splitlines()
    told = ChangeSet(first)
    for entry in entries:
        for changes in entry.repairs[1:]:
            if not told.makes(changes):
                told.add(changes)
                lines += _comment(f"If you have made the other change for {entry.queue} in its place, undo that:")
                lines += [line if line.startswith("*") else f"* {line}" for line in _undone(changes)]
    yield Script(undo, "\n".join([*lines, ""]), *there, "undo")


def _asked(entry: IfUndefinedChanges, manager: str) -> list[str]:
    """The commands that show what the user may do with the queue that is meant, and whether a cluster has the other
    one: one that anybody may run here, and those whose answer is certain, where another queue manager has to be asked.
    """
    lines: list[str] = []
    for grant in _granted(entry):
        lines += display_rights(grant._replace(user=entry.holder, group=False))
        lines += _comment(f"  what {entry.holder} may do by all records. IBM asks for {listed(BACKOUT_RIGHTS)}.")
    command = f"DISPLAY QCLUSTER({_quoted_name(entry.queue)})"
    again = "Put this answer beside the exports, and plan again"
    found = f"If it is found, a cluster has the queue: do not run the script. {again}"
    lines += [command, *_comment(f"  expected: not found. {found}.")]
    commands, _, where = entry.question.rpartition(" at ")
    if where and where != manager:
        lines += _comment(f"Only the answer of {where} is certain. Run there, too:")
        asks = "REPOS" in commands
        lines += ["*   DISPLAY QMGR REPOS REPOSNL"] * asks + [f"*   {command}"]
        lines += _comment("  expected: the cluster is named, and the queue is not found.") if asks else []
    return lines


def _conditional_script(entries: Sequence[IfUndefinedChanges], check: str) -> str:
    lines = _head(_CONDITIONAL_HEAD, entries[0].repairs[0][0].target.place)
    lines += _comment(f"First run {check}, and compare its output.")
    made = set[str]()
    for entry in entries:
        lines += _comment(f"Only if no cluster has {entry.queue}. The answer to this shows whether one has it:")
        lines += [f"* {entry.question.replace(', and of: ', ' and ')}"] if entry.question else []
        first, *others = entry.repairs
        for number, changes in enumerate((first, *others)):
            commands = [mqsc_command(change) for change in changes]
            if all(command in made for command in commands):
                lines += _comment("The commands above do that here, too.") if not number else []
                continue
            lines += (
                [line for grant in _granted(entry) for line in _may_be_missing(grant, entry.holder)]
                if not number
                else []
            )
            lines += _comment("Or in place of that:") if number else []
            for change in (change for change, command in zip(changes, commands, strict=True) if command not in made):
                lines += [f"* {line}" if number else line for line in mqsc_lines(change)]
            made |= set() if number else set(commands)
            for sentence in afterwards(changes, all_names=True):
                lines += _comment(f"{sentence}.")
    return "\n".join([*lines, ""])


def _granted(entry: IfUndefinedChanges) -> Sequence[Grant]:
    """The grants, where the first repair is to name that queue."""
    named = any(isinstance(change, Assignment) and change.attribute == "BOQNAME" for change in entry.repairs[0])
    return entry.grants if named else ()


def _may_be_missing(grant: Grant, holder: str) -> list[str]:
    """What the user may do already, and the command that grants what it may lack."""
    missing = [right for right in grant.rights if right not in grant.kept]
    has = [right.lower() for right in BACKOUT_RIGHTS if right not in missing]
    lacking = listed([right.lower() for right in missing])
    user = f"{'group ' * grant.group}{grant.user}"
    told = (
        f"{holder} already has {listed(has)} on {grant.target.name}, which is enough to move"
        f" messages there. IBM asks for {lacking}, too (MDB119). If the script to run before this one does not show"
        " them, "
    )
    if grant.recorded:
        told += f"this adds them to the record that {user} has there:"
    elif grant.recorded is None:
        told += (
            "run this. It adds to a record of this very profile. Where there is none, a new one hides wider profiles,"
            " so add what else the user may do there:"
        )
    else:
        keeps = f", which keeps what a wider profile grants ({listed(list(map(str.lower, grant.kept)))})"
        told += f"this makes a record of this very name{keeps if grant.kept else ''}:"
    return [*_comment(told), *(f"* {line}" for line in mqsc_lines(grant))]


_CONDITIONAL_HEAD = (
    "Changes that are no step of the plan, because no export shows whether they are needed: BOQNAME names queues that "
    "a cluster may have."
)


def is_extra(text: str) -> bool:
    """Whether a text is that of a script that is no part of a plan, or that belongs to one."""
    heads = (_OPTIONAL_HEAD, _CONDITIONAL_HEAD, _CHECK_HEAD, _UNDO_HEAD)
    return any(text.startswith("\n".join(_comment(head))) for head in heads)


def _optional_script(grants: Sequence[Change], names: Mapping[str, str]) -> Script:
    target = grants[0].target
    lines = [*_head(_OPTIONAL_HEAD, target.place), *(mqsc_command(grant) for grant in grants)]
    for sentence in afterwards(grants, all_names=True):
        lines += _comment(f"{sentence}.")
    back = [line for grant in grants for line in undo(grant)]
    lines += [*_comment("To take these rights back:"), *(f"* {line}" for line in back)] if back else []
    text = "\n".join([*lines, ""])
    return Script(f"{OPTIONAL}/{_path(target, names)}", text, "mq", target.place, target.environment)


_OPTIONAL_HEAD = (
    "Rights that would spare messages a worse fate while a backout queue is full. They are no step of the plan: "
    "whether applications may use the dead-letter queue is for its owner to decide."
)


def _path(target: Target, names: Mapping[str, str]) -> str:
    name = names[target.place_key]
    if target.product == "mq":
        return f"mq/{name}.mqsc"
    return f"liberty/{name}.xml" if is_liberty(target) else f"was/{name}.py"


class _Steps:
    """What each script says about the order in which the scripts of a plan are run."""

    def __init__(self, order: ScriptOrder, paths: Mapping[Place, str]) -> None:
        self._order, self._paths = order, paths
        self._numbers = {place: number for number, place in enumerate(order.places, start=1)}
        self._later: dict[Place, list[Place]] = {}
        for place in order.places:
            for earlier in order.after.get(place, ()):
                self._later.setdefault(earlier, []).append(place)
        self._harmful = {setback.place for setback in order.setbacks}

    def words(self, place: Place, *, undoing: bool = False) -> str:
        """Which step a script is, and which others are run before and after it; nothing where it is the only one."""
        number, count, folder = self._numbers.get(place), len(self._numbers), "undo/" * undoing
        if number is None or count < 2:
            return ""
        earlier, later = list(self._order.after.get(place, ())), self._later.get(place, [])
        if undoing:
            number, earlier, later = count + 1 - number, later[::-1], earlier[::-1]
        said = [f"Step {number} of {count}{' of undoing' * undoing}"] if self._order.counts else []
        for word, others in (("after", earlier), ("before", later)):
            if others:
                names = [folder + self._paths[other] for other in others]
                said.append(f"Run it {word} {listed(names)}")
        if place in self._harmful and not undoing:
            said.append("It makes the fate of some flows worse, as plan.json says, until a later step mends them")
        return " ".join(f"{sentence}." for sentence in said)


def _file_names(targets: Iterable[Target]) -> Mapping[str, str]:
    """A file name for each queue manager and cell, whatever characters its name has; those of an environment have a
    folder.
    """
    names: dict[str, str] = {}
    taken: set[str] = set()
    for key, (environment, place) in {each.place_key: (each.environment, each.place) for each in targets}.items():
        plain = "".join(c if c.isascii() and (c.isalnum() or c in "._-") else "_" for c in place).strip(".") or "_"
        if plain.partition(".")[0].upper() in _DEVICES:
            plain = f"_{plain}"
        folder = f"{environment}/" if environment else ""
        name, number = f"{folder}{plain}", 1
        while name.lower() in taken:
            number += 1
            name = f"{folder}{plain}-{number}"
        taken.add(name.lower())
        names[key] = name
    return names


def liberty_file(cell: str, changes: Sequence[Assignment], steps: str = "") -> str:
    """The drop-in file for one Liberty server, with what it expects in comments."""
    lines = [
        f"Changes for the server {cell.removeprefix(LIBERTY_CELL)}, planned by lintmdb.",
        *filter(None, (steps,)),
        f"Copy this file to {OVERRIDES} below the folder of the server.",
        *(f"{change.target.name} {change.attribute}: expected {_shown_old(change)}" for change in changes),
        *(f"{sentence}." for sentence in afterwards(changes, all_names=True)),
    ]
    return "\n".join([_XML_HEAD, *map(_xml_comment, lines), *drop_in(changes), ""])


def liberty_undo_file(cell: str, changes: Sequence[Assignment], steps: str = "") -> str:
    """The same with the old values, for a server whose file of the plan has been merged into others."""
    known = [change._replace(new=change.old) for change in changes if change.old]
    lines = [
        f"Undoes the changes of the plan for the server {cell.removeprefix(LIBERTY_CELL)}.",
        *filter(None, (steps,)),
        f"Delete {OVERRIDES}. If something else is in that file by now, put these values there instead.",
        *(f"{change.target.name} {change.attribute} was not set." for change in changes if not change.old),
    ]
    return "\n".join([_XML_HEAD, *map(_xml_comment, lines), *drop_in(known), ""])


_XML_HEAD = '<?xml version="1.0" encoding="UTF-8"?>'


def _shown_old(change: Assignment) -> str:
    return "a value that no export shows" if change.old is None else change.old or "none"


def _xml_comment(text: str) -> str:
    """A comment of XML, in which two hyphens must not meet."""
    plain = "".join(c if c.isprintable() else " " for c in text)
    return f"<!-- {plain.replace('--', '- -').replace('--', '- -')} -->"


_CHECK_HEAD = "What the changes planned by lintmdb depend on."
_UNDO_HEAD = "Undoes the changes planned by lintmdb."


def mqsc_check_script(manager: str, changes: Sequence[Change], script: str) -> str:
    """The script that shows what the changes at one queue manager depend on; ``script`` is the path of the one that
    makes them.
    """
    lines = [
        *_head(_CHECK_HEAD, manager),
        *_comment(
            f"Run this before {script}. If a value differs from the one in the comment below it, somebody has changed "
            "the object since the export. In that case do not make the changes, but export and plan again."
        ),
    ]
    for target, assignments in _by_target(changes).items():
        shown = [change.attribute for change in assignments]
        shown += ["DESCR"] if ("PUT", "ENABLED") in {(change.attribute, change.new) for change in assignments} else []
        lines.append(display_command(target, shown))
        for change in assignments:
            lines += _comment(f"  expected: {_expected(change)}")
    lines += [_display_new(change.target) for change in changes if isinstance(change, Definition)]
    if any(isinstance(change, Definition) for change in changes):
        lines += _comment("  expected: not found, for each queue that is new")
    full = dict.fromkeys(queue for c in changes if not isinstance(c, Definition) for queue in c.into_full)
    for queue in full:
        lines.append(f"DISPLAY QUEUE({_quoted_name(queue)}) CURDEPTH MAXDEPTH")
        lines += _comment("  expected: CURDEPTH is lower than MAXDEPTH. It was not when the queue was exported.")
    new = {(change.target.place_key, change.target.name) for change in changes if isinstance(change, Definition)}
    for grant in (change for change in changes if isinstance(change, Grant)):
        lines += [*display_record(grant), *_comment(f"  expected: {_expected_record(grant)}")]
        if grant.unproven and (grant.target.place_key, grant.target.name) not in new:
            rights = listed(grant.rights)
            told = f"  what {grant.user} may do by all records. If {rights} are among it, nothing is missing"
            lines += [*display_rights(grant), *_comment(told)]
    return "\n".join([*lines, ""])


def mqsc_script(manager: str, changes: Sequence[Change], check: str, steps: str = "") -> str:
    """The script that makes the changes at one queue manager; ``check`` is the path of the one to run before it."""
    lines = _head("Changes planned by lintmdb.", manager)
    lines += _comment(steps) if steps else []
    lines += _comment(f"First run {check}, and compare its output.")
    first = beforehand(changes)
    for sentence in first:
        lines += _comment(f"{sentence}.")
    made = [change for change in changes if not isinstance(change, Assignment)]
    for change in made:
        lines += [] if _lets_read(change) else mqsc_lines(change)
    for assignments in _by_target(changes).values():
        lines += _altered(assignments)
    for change in made:
        lines += mqsc_lines(change) if _lets_read(change) else []
    for sentence in afterwards(changes, all_names=True):
        lines += _comment(f"{sentence}.") if sentence not in first else []
    return "\n".join([*lines, ""])


def _lets_read(change: Change) -> bool:
    """Whether a change is a grant of rights to read a queue, or to look up how it moves messages: with these messages
    begin to be moved, so what takes them is there before.
    """
    return isinstance(change, Grant) and _TO_MOVE.isdisjoint(change.rights)


_TO_MOVE = frozenset(("PUT", "PASSALL", "SETALL"))


def mqsc_undo_script(manager: str, changes: Sequence[Change], steps: str = "", delete: str = "") -> str:
    """The script that undoes changes at one queue manager. ``delete`` is the path of the one that undoes the others."""
    lines = _head(_UNDO_HEAD, manager)
    lines += _comment(steps) if steps else []
    far = [c.target.name for c in changes if isinstance(c, Assignment) and c.setting == "backout.end_max_bytes"]
    if far:
        before = "First undo what the plan changes there, and restart what reads their queues"
        lines += _comment(f"Messages of other queue managers are moved to {listed(far)}. {before}.")
    lines += _undone(changes)
    lines += _comment(f"Then run {delete}.") if delete else []
    return "\n".join([*lines, ""])


def mqsc_delete_script(manager: str, changes: Sequence[Change], undo: str, queues: Sequence[str]) -> str:
    """The script that undoes what clients move messages by: it deletes new queues, takes rights back and closes what
    the plan has opened, for when no client moves messages as planned any more. ``undo`` is the path of the one to run
    before it, and ``queues`` are those whose readers have to be restarted in between.
    """
    readers = listed(list(dict.fromkeys(queues)))
    lines = [
        *_head("Undoes the rest of the changes planned by lintmdb.", manager),
        *_comment(f"First run {undo}, and restart what reads {readers}: until then clients move messages as planned."),
    ]
    return "\n".join([*lines, *_undone(changes), ""])


def _undone(changes: Sequence[Change]) -> list[str]:
    """The commands that undo changes, with what they ask for."""
    lines: list[str] = []
    for assignments in reversed(_by_target(changes).values()):
        known = [change for change in assignments if change.old is not None]
        lines += _altered([change._replace(new=change.old or "") for change in known])
        for change in assignments:
            if change.old is None:
                where = f"{change.target.kind} {change.target.name}"
                lines += _comment(f"{change.attribute} of {where} was not known. Restore its old value yourself.")
    lines += _taken_back(changes)
    back = [
        change._replace(readers=()) for change in changes if isinstance(change, Assignment) and change.old is not None
    ]
    looked_up = [change for change in changes if isinstance(change, Grant) and change.to_look_up]
    for text in when_they_act([*back, *looked_up], all_names=True):
        lines += _comment(f"{text}.") if text != AT_ONCE else []
    return lines


def _altered(changes: Sequence[Assignment]) -> list[str]:
    """The command that alters an object. Whether to use FORCE, which NOSHARE may need (IBM MQ "ALTER queues"), people
    decide.
    """
    unshared = any(change.new == "NOSHARE" for change in changes)
    remark = _comment(_NEEDS_FORCE) if unshared else []
    return [*remark, *alter_lines(changes)]


_NEEDS_FORCE = (
    "ALTER with NOSHARE fails if a program has the queue open for input. First stop what reads it, or add FORCE to the "
    "command."
)


def _taken_back(changes: Iterable[Change]) -> list[str]:
    """The commands that delete queues and take rights back, the last change first."""
    back = [change for change in reversed([*changes]) if not isinstance(change, Assignment)]
    named = [change for change in back if isinstance(change, Definition) and change.named_by]
    lines = [line for change in named for line in _comment(_still_named(change))]
    for change in back:
        if isinstance(change, Definition):
            lines += _comment(_OF_ALIAS if change.target.kind == "QALIAS" else _OF_QUEUE)
        if isinstance(change, Grant) and change.recorded is None:
            lines += _comment(f"What {change.user} had on {change.target.name} was not known. Restore it yourself.")
        lines += undo_lines(change)
    return lines


_OF_ALIAS = "DELETE fails if a program has the alias open."
_OF_QUEUE = "DELETE fails if the queue has messages, or if a program has it open. First look at what was moved there."


def _still_named(definition: Definition) -> str:
    """Who goes on moving messages to a new queue, whatever is undone and restarted."""
    queues = listed(list(dict.fromkeys(namer.queue for namer in definition.named_by)))
    readers = list(dict.fromkeys(namer.reader for namer in definition.named_by if namer.reader))
    return (
        f"BOQNAME of {queues} led to {definition.target.name} before the plan, too, and clients go on moving messages "
        f"there. First stop what reads {queues}{f' ({listed(readers)})' * bool(readers)}."
    )


def _in_two(changes: Sequence[Change]) -> tuple[list[Change], list[Change]]:
    """What is undone at once, and what only when readers have been restarted: until then clients move messages by what
    they remember of the plan, and lose those that no queue takes any more.
    """
    if not _cached(changes):
        return [*changes], []
    return [change for change in changes if not _takes(change)], [change for change in changes if _takes(change)]


def _takes(change: Change) -> bool:
    """Whether a change may be what a queue needs to take the messages that clients move."""
    if isinstance(change, Grant):
        return not change.to_look_up
    return not isinstance(change, Assignment) or change.setting.partition(".")[0] in _KEEPERS


_KEEPERS = ("backout", "dead_letter", "queue_manager")
"""The objects, as settings name them, that get messages which a client moves."""


def _cached(changes: Sequence[Change]) -> list[Change]:
    """The changes of what clients remember of a queue that they have open, and those of who may look it up."""
    return [
        change
        for change in changes
        if (isinstance(change, Grant) and change.to_look_up)
        or (
            isinstance(change, Assignment)
            and change.target.kind == "QLOCAL"
            and change.attribute in ("BOQNAME", "BOTHRESH")
        )
    ]


def _display_new(target: Target) -> str:
    """The command that shows whether a name is taken; that of a shared queue at every member of its group."""
    everywhere = " CMDSCOPE(*) QSGDISP(ALL)" if target.disposition else ""
    return f"DISPLAY QUEUE({_name(target)}){everywhere}"


def _name(target: Target) -> str:
    return _quoted_name(target.name)


def _quoted_name(name: str) -> str:
    return "'" + name.replace("'", "''") + "'"


def _expected(change: Assignment) -> str:
    if change.old is None:
        return f"{change.attribute}: the export does not show it"
    return attribute_text(change.attribute, change.old)


def _expected_record(grant: Grant) -> str:
    if grant.recorded is None:
        return "the export does not show it"
    if grant.target.kind == "QMGR" and not grant.had:
        return "no record"
    if grant.recorded and not grant.had:
        return "AUTHLIST() or AUTHLIST(NONE)"  # as the record of AUTHADD(NONE) is shown
    return f"AUTHLIST({','.join(grant.had)})" if grant.recorded else "no record of this very profile"


def _by_target(changes: Sequence[Change]) -> dict[Target, list[Assignment]]:
    found: dict[Target, list[Assignment]] = {}
    for change in changes:
        if isinstance(change, Assignment):
            found.setdefault(change.target, []).append(change)
    return found


def _head(text: str, manager: str) -> list[str]:
    """What a script is, and of which queue manager, in the words of dmpmqcfg by which readers know it."""
    return [*_comment(text), f"* Queue manager name: {_printable(manager)}"]


def _printable(text: str) -> str:
    return "".join(c if c.isprintable() else "?" for c in text)


def _comment(text: str) -> list[str]:
    """A comment of MQSC. A name in it cannot end it: what is no printable character becomes a question mark."""
    words, lines = _printable(text).split(" "), ["*"]
    for word in words:
        if len(lines[-1]) + len(word) + 1 > _WIDTH and lines[-1] != "*":
            lines.append("*")
        lines[-1] += f" {word}"
    # A comment that ends with a continuation mark is still a comment, but people would wonder.
    return [f"{line}." if line.endswith(("+", "-")) else line for line in lines]


def undone(changes: Sequence[Assignment]) -> list[Assignment]:
    """The assignments that take others back. What was not known becomes the product's default."""
    back: list[Assignment] = []
    for change in reversed(changes):
        old = _old_or_default(change)
        if old is not None:
            back.append(change._replace(new=old, old=change.new))
    return back


def _old_or_default(change: Assignment) -> str | None:
    return change.old if change.old is not None else find_setting(change).default


def wsadmin_script(
    cell: str, changes: Sequence[Assignment], *, steps: str = "", also: Sequence[str] = (), undoing: bool = False
) -> str:
    """The script for one cell: a table of changes, and the functions that compare all of them before they make any.

    ``also`` is what else to do afterwards. With ``undoing``, the script takes the changes back.
    """
    library = files("lintmdb.plan").joinpath("wsadmin.txt").read_text("utf-8")
    rows = [_undoing_row(change) for change in undone(changes)] if undoing else [_row(change) for change in changes]
    unknown = [change for change in changes if undoing and _old_or_default(change) is None]
    words = _UNDOING if undoing else _DOING
    before = beforehand(changes)
    first = [] if undoing else before
    made = [c._replace(new=_old_or_default(c) or "", old=c.new) for c in changes] if undoing else changes
    later = [text for text in (*afterwards(made, all_names=True), *also) if text not in before]
    then = "".join(f"#   {line}\n" for text in later for line in _wrapped(f"{text}."))
    look = "".join(f"# {line}\n" for text in first for line in _wrapped(f"{text}."))
    order = "".join(f"# {line}\n" for line in _wrapped(steps))
    left = "".join(
        f"# {_ascii(change.attribute)} of {_ascii(change.target.name)} was not known. Restore its old value yourself.\n"
        for change in unknown
    )
    return (
        f"# {words.what}{f', for cell {_ascii(cell)}' if cell else ''}.\n"
        f"{order}{look}"
        "# Run: wsadmin.sh -lang jython -f THIS_FILE\n"
        f"# Nothing is changed unless every value is the one that {words.expected_by}.\n"
        f"# Afterwards:\n{then}{left}\n"
        f"CELL = {quoted(cell)}\n"
        f"EXPECTED_BY = {quoted(words.expected_by)}\n"
        f"WANTED_BY = {quoted(words.wanted_by)}\n"
        f"ADVICE = {quoted(words.advice)}\n"
        f"CHANGES = [\n{''.join(rows)}]\n\n{library}"
    )


class _Words(NamedTuple):
    """What a script says about itself."""

    what: str
    expected_by: str
    wanted_by: str
    advice: str


PLANNED_SCRIPT = "Changes planned by lintmdb"
"""How a wsadmin script that makes changes calls itself."""
_DOING = _Words(PLANNED_SCRIPT, "the export had", "the plan wants", "Export the cell again, then plan again.")
_UNDOING = _Words(
    "Undoes the changes of a plan",
    "the plan set",
    "undoing would set",
    "Find out who changed it. Then set it yourself, or remove its line from CHANGES.",
)


def _row(change: Assignment) -> str:
    expected = [] if change.old is None else [change.old]
    if change.origin is not None and change.origin.default:
        expected.append("")  # the export leaves the value to its default, and so may the product
    return _row_text(change, expected, [change.new])


def _undoing_row(change: Assignment) -> str:
    wanted = [change.new]
    if change.origin is not None and change.origin.default:
        wanted.append("")  # nothing is to be taken back where the default still holds
    return _row_text(change, [] if change.old is None else [change.old], wanted)


def _row_text(change: Assignment, expected: Sequence[str], wanted: Sequence[str]) -> str:
    target = change.target
    paths = [target.path] if target.kind == "bus_destination" else containment_paths(target.path)
    texts = (quoted(target.kind), _list(paths), quoted(target.name), quoted(change.attribute))
    return f"    ({', '.join(texts)}, {quoted(find_setting(change).kept_as)}, {_list(expected)}, {_list(wanted)}),\n"


def _list(texts: Iterable[str]) -> str:
    return f"[{', '.join(quoted(text) for text in texts)}]"


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(_ascii(text), _COMMENT_WIDTH, break_long_words=False, break_on_hyphens=False)


def _ascii(text: str) -> str:
    return "".join(c if c.isascii() and c.isprintable() else "?" for c in text)
