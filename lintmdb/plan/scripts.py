"""Scripts of a plan: MQSC for each queue manager and Jython for each cell, and for each of them one that undoes it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import files
from typing import NamedTuple

from lintmdb.model.environment_names import key_of
from lintmdb.model.relations import LIBERTY_CELL
from lintmdb.settings.afterwards import afterwards
from lintmdb.settings.changes import Assignment, Change, Definition, Grant, Product, Target, containment_paths
from lintmdb.settings.liberty import OVERRIDES, drop_in, is_liberty
from lintmdb.settings.mqsc import (
    alter_lines,
    attribute_text,
    display_command,
    display_record,
    mqsc_lines,
    undo_lines,
)
from lintmdb.settings.registry import find_setting
from lintmdb.settings.wsadmin import quoted

_WIDTH = 72


class Script(NamedTuple):
    """One script, and where it belongs below the folder of a plan."""

    path: str
    text: str
    product: Product = "mq"
    place: str = ""
    """The queue manager or the cell that it is for."""
    environment: str = ""

    @property
    def owner(self) -> tuple[str, str]:
        """The product, and the queue manager or the cell among those of all environments."""
        return self.product, key_of(self.environment, self.place)


_DEVICES = frozenset(
    {"CON", "PRN", "AUX", "NUL", *(f"{port}{number}" for port in ("COM", "LPT") for number in range(10))}
)
"""What Windows takes for a device, whatever follows a full stop."""


def plan_scripts(changes: Sequence[Change]) -> list[Script]:
    """All scripts of a plan, in the order of their paths."""
    managers: dict[str, list[Change]] = {}
    cells: dict[str, list[Assignment]] = {}
    for change in changes:
        if change.target.product == "mq":
            managers.setdefault(change.target.place_key, []).append(change)
        elif isinstance(change, Assignment):
            cells.setdefault(change.target.place_key, []).append(change)
    names = _file_names(target for target in (change.target for change in changes))
    scripts: list[Script] = []
    for key, made in managers.items():
        manager, environment = made[0].target.place, made[0].target.environment
        scripts.append(Script(f"mq/{names[key]}.mqsc", mqsc_script(manager, made), "mq", manager, environment))
        scripts.append(
            Script(f"undo/mq/{names[key]}.mqsc", mqsc_undo_script(manager, made), "mq", manager, environment)
        )
    for key, made in cells.items():
        cell, environment = made[0].target.place, made[0].target.environment
        if is_liberty(made[0].target):
            scripts.append(Script(f"liberty/{names[key]}.xml", liberty_file(cell, made), "was", cell, environment))
            scripts.append(
                Script(f"undo/liberty/{names[key]}.xml", liberty_undo_file(cell, made), "was", cell, environment)
            )
            continue
        scripts.append(Script(f"was/{names[key]}.py", wsadmin_script(cell, made), "was", cell, environment))
        scripts.append(
            Script(f"undo/was/{names[key]}.py", wsadmin_script(cell, made, undoing=True), "was", cell, environment)
        )
    return sorted(scripts)


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


def liberty_file(cell: str, changes: Sequence[Assignment]) -> str:
    """The drop-in file for one Liberty server, with what it expects in comments."""
    lines = [
        f"Changes for the server {cell.removeprefix(LIBERTY_CELL)}, planned by lintmdb.",
        f"Copy this file to {OVERRIDES} below the folder of the server.",
        *(f"{change.target.name} {change.attribute}: expected {_shown_old(change)}" for change in changes),
        *(f"{sentence}." for sentence in afterwards(changes)),
    ]
    return "\n".join([_XML_HEAD, *map(_xml_comment, lines), *drop_in(changes), ""])


def liberty_undo_file(cell: str, changes: Sequence[Assignment]) -> str:
    """The same with the old values, for a server whose file of the plan has been merged into others."""
    known = [change._replace(new=change.old) for change in changes if change.old]
    lines = [
        f"Undoes the changes of the plan for the server {cell.removeprefix(LIBERTY_CELL)}.",
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


def mqsc_script(manager: str, changes: Sequence[Change]) -> str:
    """The script for one queue manager: what it expects, then the changes."""
    lines = [
        *_comment(f"Changes for queue manager {manager}, planned by lintmdb."),
        "*",
        *_comment(
            "Part 1 shows the values that the changes depend on. Run it first. If a value differs from the one in the "
            "comment below it, somebody has changed the object since the export. In that case export and plan again."
        ),
    ]
    for target, assignments in _by_target(changes).items():
        lines.append(display_command(target, [change.attribute for change in assignments]))
        for change in assignments:
            lines += _comment(f"  expected: {_expected(change)}")
    lines += [_display_new(change.target) for change in changes if isinstance(change, Definition)]
    if any(isinstance(change, Definition) for change in changes):
        lines += _comment("  expected: not found, for each queue that part 2 defines")
    for grant in (change for change in changes if isinstance(change, Grant)):
        lines += [*display_record(grant), *_comment(f"  expected: {_expected_record(grant)}")]
    lines += ["*", *_comment("Part 2 makes the changes.")]
    for change in changes:
        if not isinstance(change, Assignment):
            lines += mqsc_lines(change)
    for assignments in _by_target(changes).values():
        lines += alter_lines(assignments)
    for sentence in afterwards(changes):
        lines += _comment(f"{sentence}.")
    return "\n".join([*lines, ""])


def mqsc_undo_script(manager: str, changes: Sequence[Change]) -> str:
    """The script that undoes the changes at one queue manager."""
    lines = _comment(f"Undoes the changes of the plan for queue manager {manager}.")
    for assignments in reversed(_by_target(changes).values()):
        known = [change for change in assignments if change.old is not None]
        lines += alter_lines([change._replace(new=change.old or "") for change in known])
        for change in assignments:
            if change.old is None:
                where = f"{change.target.kind} {change.target.name}"
                lines += _comment(f"{change.attribute} of {where} was not known. Restore its old value yourself.")
    for change in reversed(changes):
        if isinstance(change, Definition):
            lines += _comment("The queue is deleted only if it is empty. First look at what was moved there.")
        if isinstance(change, Grant) and change.recorded is None:
            lines += _comment(f"What {change.user} had on {change.target.name} was not known. Restore it yourself.")
        if not isinstance(change, Assignment):
            lines += undo_lines(change)
    return "\n".join([*lines, ""])


def _display_new(target: Target) -> str:
    """The command that shows whether a name is taken; that of a shared queue at every member of its group."""
    everywhere = " CMDSCOPE(*) QSGDISP(ALL)" if target.disposition else ""
    return f"DISPLAY QUEUE({_name(target)}){everywhere}"


def _name(target: Target) -> str:
    return "'" + target.name.replace("'", "''") + "'"


def _expected(change: Assignment) -> str:
    if change.old is None:
        return f"{change.attribute}: the export does not show it"
    return attribute_text(change.attribute, change.old)


def _expected_record(grant: Grant) -> str:
    if grant.recorded is None:
        return "the export does not show it"
    return f"AUTHLIST({','.join(grant.had)})" if grant.recorded else "no record of this very profile"


def _by_target(changes: Sequence[Change]) -> dict[Target, list[Assignment]]:
    found: dict[Target, list[Assignment]] = {}
    for change in changes:
        if isinstance(change, Assignment):
            found.setdefault(change.target, []).append(change)
    return found


def _comment(text: str) -> list[str]:
    """A comment of MQSC. A name in it cannot end it: what is no printable character becomes a question mark."""
    plain = "".join(c if c.isprintable() else "?" for c in text)
    words, lines = plain.split(" "), ["*"]
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


def wsadmin_script(cell: str, changes: Sequence[Assignment], *, undoing: bool = False) -> str:
    """The script for one cell: a table of changes, and the functions that compare all of them before they make any.

    With ``undoing``, the script takes the changes back.
    """
    library = files("lintmdb.plan").joinpath("wsadmin.txt").read_text("utf-8")
    rows = [_undoing_row(change) for change in undone(changes)] if undoing else [_row(change) for change in changes]
    unknown = [change for change in changes if undoing and _old_or_default(change) is None]
    words = _UNDOING if undoing else _DOING
    then = "\n".join(f"#   {_ascii(text)}." for text in afterwards(changes))
    left = "".join(
        f"# {_ascii(change.attribute)} of {_ascii(change.target.name)} was not known. Restore its old value yourself.\n"
        for change in unknown
    )
    return (
        f"# {words.what}{f', for cell {_ascii(cell)}' if cell else ''}.\n"
        "# Run: wsadmin.sh -lang jython -f THIS_FILE\n"
        f"# Nothing is changed unless every value is the one that {words.expected_by}.\n"
        f"# Afterwards:\n{then}\n{left}\n"
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


_DOING = _Words(
    "Changes planned by lintmdb", "the export had", "the plan wants", "Export the cell again, then plan again."
)
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


def _ascii(text: str) -> str:
    return "".join(c if c.isascii() and c.isprintable() else "?" for c in text)
