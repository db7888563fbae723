"""Scripts of a plan: MQSC for each queue manager and Jython for each cell, and for each of them one that undoes it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import files
from typing import NamedTuple

from lintmdb.settings.changes import Assignment, Change, Definition, Grant, Product, Target
from lintmdb.settings.kinds import containment_paths, when_it_acts
from lintmdb.settings.mqsc import alter_lines, attribute_text, display_command, mqsc_lines, undo_lines
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


def plan_scripts(changes: Sequence[Change]) -> list[Script]:
    """All scripts of a plan, in the order of their paths."""
    managers: dict[str, list[Change]] = {}
    cells: dict[str, list[Assignment]] = {}
    for change in changes:
        if change.target.product == "mq":
            managers.setdefault(change.target.place, []).append(change)
        elif isinstance(change, Assignment):
            cells.setdefault(change.target.place, []).append(change)
    names = _file_names([*managers, *cells])
    scripts: list[Script] = []
    for manager, made in managers.items():
        scripts.append(Script(f"mq/{names[manager]}.mqsc", mqsc_script(manager, made), "mq", manager))
        scripts.append(Script(f"undo/mq/{names[manager]}.mqsc", mqsc_undo_script(manager, made), "mq", manager))
    for cell, made in cells.items():
        scripts.append(Script(f"was/{names[cell]}.py", wsadmin_script(cell, made), "was", cell))
        scripts.append(
            Script(f"undo/was/{names[cell]}.py", wsadmin_script(cell, undone(made), undoing=True), "was", cell)
        )
    return sorted(scripts)


def _file_names(places: Iterable[str]) -> Mapping[str, str]:
    """A file name for each queue manager and cell, whatever characters its name has."""
    names: dict[str, str] = {}
    taken: set[str] = set()
    for place in dict.fromkeys(places):
        plain = "".join(c if c.isascii() and (c.isalnum() or c in "._-") else "_" for c in place).strip(".") or "_"
        name, number = plain, 1
        while name.lower() in taken:
            number += 1
            name = f"{plain}-{number}"
        taken.add(name.lower())
        names[place] = name
    return names


def mqsc_script(manager: str, changes: Sequence[Change]) -> str:
    """The script for one queue manager: what it expects, then the changes."""
    lines = [
        *_comment(f"Changes for queue manager {manager}, planned by lintmdb."),
        "*",
        *_comment(
            "Part 1 shows what the changes rest on. Run it first: if a value is not the one in the comment below it, "
            "somebody has changed the object since the export. Then export again and plan anew."
        ),
    ]
    for target, assignments in _by_target(changes).items():
        lines.append(display_command(target, [change.attribute for change in assignments]))
        for change in assignments:
            lines += _comment(f"  expected: {_expected(change)}")
    lines += [f"DISPLAY QUEUE({_name(change.target)})" for change in changes if isinstance(change, Definition)]
    if any(isinstance(change, Definition) for change in changes):
        lines += _comment("  expected: not found, for each queue that part 2 defines")
    lines += ["*", *_comment("Part 2 makes the changes.")]
    for change in changes:
        if not isinstance(change, Assignment):
            lines += mqsc_lines(change)
    for assignments in _by_target(changes).values():
        lines += alter_lines(assignments)
    for sentence in dict.fromkeys(when_it_acts(c) for c in changes if not isinstance(c, Grant)):
        lines += _comment(f"{sentence}.")
    return "\n".join([*lines, ""])


def mqsc_undo_script(manager: str, changes: Sequence[Change]) -> str:
    """The script that takes the changes at one queue manager back."""
    lines = _comment(f"Takes the changes of the plan for queue manager {manager} back.")
    for assignments in reversed(_by_target(changes).values()):
        known = [change for change in assignments if change.old is not None]
        lines += alter_lines([change._replace(new=change.old or "") for change in known])
        for change in assignments:
            if change.old is None:
                where = f"{change.target.kind} {change.target.name}"
                lines += _comment(f"{change.attribute} of {where} was not known: put back what it had yourself.")
    for change in reversed(changes):
        if isinstance(change, Definition):
            lines += _comment("The queue is deleted only if it is empty: first see what was moved there.")
        if isinstance(change, Grant) and change.recorded is None:
            lines += _comment(f"What {change.user} had on {change.target.name} was not known: put it back yourself.")
        if not isinstance(change, Assignment):
            lines += undo_lines(change)
    return "\n".join([*lines, ""])


def _name(target: Target) -> str:
    return "'" + target.name.replace("'", "''") + "'"


def _expected(change: Assignment) -> str:
    if change.old is None:
        return f"{change.attribute}: the export does not show it"
    return attribute_text(change.attribute, change.old)


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
        default = find_setting(change).default
        old = change.old if change.old is not None else default
        if old is not None:
            back.append(change._replace(new=old, old=change.new))
    return back


def wsadmin_script(cell: str, changes: Sequence[Assignment], *, undoing: bool = False) -> str:
    """The script for one cell: a table of changes, and the functions that compare all of them before they make any."""
    library = files("lintmdb.plan").joinpath("wsadmin.txt").read_text("utf-8")
    what = "Takes the changes of a plan back" if undoing else "Changes planned by lintmdb"
    rows = ",\n".join(_row(change) for change in changes)
    then = "\n".join(f"#   {_ascii(text)}." for text in dict.fromkeys(when_it_acts(change) for change in changes))
    return (
        f"# {what}, for cell {_ascii(cell)}.\n"
        "# Run: wsadmin.sh -lang jython -f THIS_FILE\n"
        "# Nothing is changed unless every value is the one that the export had.\n"
        f"# Afterwards:\n{then}\n\n"
        f"CELL = {quoted(cell)}\nCHANGES = [\n{rows},\n]\n\n{library}"
    )


def _row(change: Assignment) -> str:
    target = change.target
    paths = [target.path] if target.kind == "bus_destination" else containment_paths(target.path)
    kept_as = find_setting(change).kept_as
    where = ", ".join(quoted(path) for path in paths)
    expected = [] if change.old is None else [quoted(change.old)]
    if change.origin is not None and change.origin.default:
        expected.append("''")  # the export leaves the value to its default, and so may the product
    texts = (quoted(target.kind), f"[{where}]", quoted(target.name), quoted(change.attribute), quoted(kept_as))
    return f"    ({', '.join(texts)}, [{', '.join(expected)}], {quoted(change.new)})"


def _ascii(text: str) -> str:
    return "".join(c if c.isascii() and c.isprintable() else "?" for c in text)
