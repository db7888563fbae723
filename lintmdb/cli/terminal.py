"""What every command does with the terminal: write, complain, show progress."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from lintmdb.errors import LintmdbError

if TYPE_CHECKING:
    from lintmdb.engine.findings import Finding, Notice
    from lintmdb.report.outputs import Output
    from lintmdb.report.terminal import Style
    from lintmdb.rules.rule import Rule
    from lintmdb.run.estate import Estate, Progress

PLAIN_WIDTH = 100
_SHOWN_NOTICES = 20


def complain(text: str) -> None:
    """One line to standard error."""
    sys.stderr.write(f"lintmdb: {text}\n")


def show_notices(notices: Iterable[Notice]) -> None:
    """What is out of date in suppressions and in a baseline, and what a reader has to know of the exports, one line
    each, up to twenty; files that were not read come first, and are all told.
    """
    unread: list[str] = []
    lines: list[str] = []
    guesses: list[Notice] = []
    for notice in notices:
        if notice.kind == "not_read":
            # Without a line it is about the file as a whole, which is the subject of the sentence.
            unread.append(_notice_line(notice) if notice.line else f"{notice.path} {notice.text}")
        elif notice.kind == "guessed_name":
            guesses.append(notice)
        else:
            lines.append(_notice_line(notice))
    lines += [_notice_line(guesses[0])] if len(guesses) == 1 else _guesses(guesses)
    if not unread and not lines:
        return
    from lintmdb.report.terminal import safe

    for line in (*unread, *lines[:_SHOWN_NOTICES]):
        complain(safe(line).encode("utf-8", "backslashreplace").decode())
    if len(lines) > _SHOWN_NOTICES:
        complain(f"and {len(lines) - _SHOWN_NOTICES} more like these (--format json lists every one)")


def _notice_line(notice: Notice) -> str:
    return str(LintmdbError(notice.text, path=notice.path, line=notice.line, next_step=notice.next_step))


def _guesses(notices: Sequence[Notice]) -> list[str]:
    """Many guesses in one line."""
    if not notices:
        return []
    shown = ", ".join(notice.path for notice in notices[:3])
    more = f" and {len(notices) - 3} more" if len(notices) > 3 else ""
    text = f"{len(notices)} names of queue managers are guessed from file names: {shown}{more}"
    return [f"{text}. {notices[0].next_step.replace('Name it', 'Name them')}"]


def show_unread(estate: Estate) -> None:
    """The files and folders that the user named and that were not read, one line each with the reason."""
    if not estate.unread:
        return
    from lintmdb.report.terminal import safe

    for entry in estate.unread:
        complain(safe(f"{entry.path} was not read: it {entry.reason}").encode("utf-8", "backslashreplace").decode())


def suggest(findings: Sequence[Finding], *, verbose: bool) -> None:
    """On a terminal, what says more about the findings."""
    if not findings or not sys.stdout.isatty() or not sys.stderr.isatty():
        return
    story = "" if verbose else "; check -v shows what happens to the message"
    complain(f"lintmdb explain {findings[0].rule.id} says more about a rule{story}")


def pairs(entries: Iterable[str]) -> dict[str, str]:
    """``NAME=PATH`` entries as path to name. Raises LintmdbError."""
    found: dict[str, str] = {}
    for entry in entries:
        name, _, path = entry.partition("=")
        if not name or not path:
            raise LintmdbError(
                f"--queue-manager {entry!r} is not NAME=PATH", next_step="Write --queue-manager QM1=dump.txt"
            )
        found[path] = name
    return found


def why_no_queue(rules: Sequence[Rule]) -> str:
    """Why nothing was done with --all-queues."""
    from lintmdb.run.all_queues import is_about_rights, judges_queues

    if rules and not judges_queues(rules):
        judge = "judge" if len(rules) > 1 else "judges"
        user = ", or a user whom observations name" if any(map(is_about_rights, rules)) else ""
        return f"{', '.join(rule.id for rule in rules)} {judge} endpoints{user}, and the inputs contain none"
    return "the inputs contain no queue manager and no queue with backout attributes"


def explain_nothing(estate: Estate) -> None:
    """Say why there was nothing to judge."""
    complain(f"nothing to judge: {why_nothing(estate)}")


def why_nothing(estate: Estate) -> str:
    """Why there was nothing to do, and what would help."""
    if not estate.inputs:
        return "no export was recognised. lintmdb inventory PATH shows what was skipped and why"
    exports = estate.facts.rows["export"]
    cells = [export for export in exports if export.kind == "cell"]
    if cells and all(export.complete for export in cells):
        which = f"cell {cells[0].name} is" if len(cells) == 1 else f"{len(cells)} cells are"
        return f"{which} complete, without a listener port or an activation specification: no bean consumes messages"
    add = "Add the WebSphere configuration repository (the cells folder, or a backupConfig archive)"
    if not cells and exports:
        add += ", or take the queues by themselves: --all-queues"
    return f"the inputs contain no listener port or activation specification. {add}"


def style(color: str = "auto") -> Style:
    """How standard output is written: as wide as the terminal, or as wide as text for a file; and with or without
    colour, as ``--color`` says.
    """
    from lintmdb.report.terminal import Style

    terminal = sys.stdout.isatty()
    width = shutil.get_terminal_size((PLAIN_WIDTH, 24)).columns if terminal else PLAIN_WIDTH
    return Style(width, is_coloured(color, terminal=terminal, environment=os.environ))


def is_coloured(asked: str, *, terminal: bool, environment: Mapping[str, str]) -> bool:
    """Whether text is coloured: what ``--color`` says comes first, then NO_COLOR, then what forces colour, and then
    whether it goes to a terminal that can show it.
    """
    if asked != "auto":
        return asked == "always"
    if environment.get("NO_COLOR"):
        return False
    if any(environment.get(name, "0") not in ("", "0") for name in ("FORCE_COLOR", "CLICOLOR_FORCE")):
        return True
    return terminal and environment.get("TERM") != "dumb" and environment.get("CLICOLOR") != "0"


def plain() -> Style:
    """Text for a file or a pipe."""
    from lintmdb.report.terminal import Style

    return Style(PLAIN_WIDTH, False)


def write(text: str, path: Path | None) -> None:
    """Text to a file, or to standard output. Raises LintmdbError."""
    from lintmdb.report.outputs import write as write_output

    write_output(text, path)


def write_report(text: str, output: Output, outputs: Sequence[Output]) -> None:
    """One of the reports of a run; where annotations follow, nothing in the text before them is taken for a command.
    Raises LintmdbError.
    """
    if output == ("text", None) and any(other.kind == "github" for other in outputs):
        from lintmdb.report.github import fenced

        text = fenced(text)
    write(text, output.path)


class progress:  # noqa: N801  used as a function
    """A progress bar on standard error for runs of more than a second, only on a terminal."""

    def __enter__(self) -> Progress | None:
        self._bar = None
        if not sys.stderr.isatty():
            return None
        import time

        self._start = time.monotonic()
        return self._report

    def _report(self, path: str, done: int, total: int) -> None:
        import time

        if self._bar is None:
            if time.monotonic() - self._start < 1:
                return
            from rich.console import Console
            from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn

            columns = (BarColumn(), DownloadColumn(), TextColumn("{task.description}", markup=False))
            self._bar = Progress(*columns, console=Console(stderr=True), transient=True)
            self._task = self._bar.add_task("", total=total)
            self._bar.start()
        self._bar.update(self._task, completed=done, description=path[-60:])

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()
