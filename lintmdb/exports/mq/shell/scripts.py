"""Shell scripts that administer queue managers: what they feed to runmqsc, write into files of MQSC, and grant.

Nothing runs. What a script only does under a condition may not happen, so that what it sets is unknown; so is whatever
a variable stands for.
"""

from __future__ import annotations

import re
import string
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby
from posixpath import join, normpath
from typing import NamedTuple

from lintmdb.exports.mq.commands import Asked, Kept, MqscFile
from lintmdb.exports.mq.decoding import decode
from lintmdb.exports.mq.embedded import (
    EmbeddedText,
    TextBuilder,
    doubt_lines,
    embedded_lines,
    joined_texts,
    one_template_problem,
    read_embedded,
    whole_text,
)
from lintmdb.exports.mq.kubernetes import is_about_queue_managers
from lintmdb.exports.mq.lines import holds_template
from lintmdb.exports.mq.shell.control_commands import Control, manager_of, options, read_crtmqm, read_setmqaut
from lintmdb.exports.mq.shell.manifests import holds_manifest, other_documents, read_manifest
from lintmdb.exports.mq.shell.syntax import Command, Group, Pipeline, Redirection, Stage, Word, constants, parse_shell
from lintmdb.exports.mq.shell.windows import as_shell, is_windows_script, restored
from lintmdb.exports.mq.sniff import looks_like_display, looks_like_mqsc
from lintmdb.model.relations import Problem

INPUT = "input"
"""The kind of what ``runmqsc QM1 < FILE`` asks for: the name is a path on the computer that runs the script."""
SOURCE = "source"
"""The kind of what is copied to that computer before: the name is a path of the tool that copies it, and the namespace
is the folder where it looks.
"""
_TOOLS = ("runmqsc", "setmqaut", "crtmqm")
_TOOL = re.compile(r"(?:^|[/\\])(runmqsc|setmqaut|crtmqm)(?:\.exe)?\Z")
_NAMED = re.compile(r"\b(?:runmqsc|setmqaut|crtmqm)\b")
_PRINTS = re.compile(r"\b(?:echo|printf|cat)\b", re.I)
_DEFINES = re.compile(r"\b(?:DEF(?:INE)?|ALT(?:ER)?)[ \t]+(?:Q[A-Z]+|CHANNEL|CHL)\b", re.I)
_SHELL = re.compile(r"#![^\n]*\b(?:ba|da|k|z|a)?sh\b")
_CALL = re.compile(
    r"""(?:setmqaut|crtmqm)(?:\.exe)?"?[ \t]+[-"'$\w]|runmqsc(?:\.exe)?"?(?:[ \t]+[\w.$"'{-]|[ \t]*<|[ \t]*\Z)"""
)
_WRAPS = re.compile(r"\b(?:exec|sudo|runuser|ssh)\b")
"""Commands that run what comes anywhere behind them."""
_OPENS = re.compile(r"\b(?:do|then)\Z")
_IN_PATHS = f"{string.ascii_letters}{string.digits}_./\\:${{}}-"
_PROSE = re.compile(r"^(?:```|~~~|#{1,6} \w.*\n[ \t]*\n[A-Z]|[A-Z][a-z]+(?: [a-z]+){3,}.*[.:]$)", re.M)
_PROGRAM = re.compile(
    r"^(?:import [\w.{*]|from [\w.]+ import |def \w+\(|class \w+|package [\w.]+|public |use strict|#include)",
    re.M,
)
"""Other languages, which may contain commands as text."""
_FEEDS = re.compile(r"\b(?:runmqsc|echo|printf|cat|tee)\b|<<")
"""What gives a text of a script to a command, or writes it."""
_ESCAPE = re.compile(r"\\(?:[ntr\\\\]|0\d{0,3})")
_ESCAPES = {"n": "\n", "t": "\t", "r": "", "\\": "\\"}
_MAX_NESTING = 4
_STEP = "Provide the commands as they run, or the output of dmpmqcfg -a"


class Output(NamedTuple):
    """A text that a command writes."""

    text: EmbeddedText
    conditional: bool
    file: Word | None = None
    """The name of the file that has the text, where the script did not write it."""
    copied_from: str = ""
    """The folder where the tool that copies the file looks for it; blank where none does."""


def looks_like_shell(head: bytes) -> bool:
    """Whether a file that starts like this is a script of a shell or of Windows commands, and not a text about one."""
    text = head.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")
    if "\0" in text or looks_like_display(head) or "Starting MQSC for queue manager" in text:
        return False
    if _SHELL.match(text):
        return True
    manifest = "<<" in text and holds_manifest(text)
    if not manifest and not any(tool in text for tool in _TOOLS):  # much sooner told than the rest
        return False
    if _PROSE.search(text) is not None or _PROGRAM.search(text) is not None or text.lstrip().startswith(("<", "{")):
        return False
    return manifest or (_has_call(text) and not _is_mqsc(head, text))


def _is_mqsc(head: bytes, text: str) -> bool:
    """Whether a text is MQSC among which calls stand, which runmqsc refuses: its first line would be no command of a
    shell, or nothing in it feeds MQSC to anything.
    """
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("*")]
    first = lines[0].encode() if lines else b""
    return looks_like_mqsc(first) or (_FEEDS.search(text) is None and looks_like_mqsc(head))


def is_about_administration(data: bytes) -> bool:
    """Whether a script runs MQSC, writes some, sets authorities, or has a manifest about queue managers."""
    text = data.decode("utf-8", "replace")
    if holds_manifest(text) and is_about_queue_managers(data):
        return True
    return _has_call(text) or any(map(_writes_mqsc, text.split("\n"))) or _nested_call(text)


def _has_call(text: str) -> bool:
    return any(map(_calls, text.split("\n")))


def _calls(line: str) -> bool:
    """Whether a line runs one of the tools."""
    wraps = _WRAPS.search(line)
    return any(
        (wraps is not None and wraps.end() <= call.start()) or _begins_behind(line[: call.start()])
        for call in _CALL.finditer(line)
    )


def _begins_behind(before: str) -> bool:
    """Whether a command begins behind a part of its line, which may end in the path of its folder."""
    starts = [before]
    if before.endswith(("/", "\\")):
        path = len(before.rstrip(_IN_PATHS))
        starts.append(before[:path])
        starts += [before[: before.rfind("{", path) + 1]] if "{" in before[path:] else []
        starts += [before.rpartition('"')[0]] if '"' in before else []
    return any(map(_opens, starts))


def _opens(start: str) -> bool:
    """Whether a command begins where this ends."""
    end = start.rstrip(" \t")
    return not end or end[-1] in ";&|({" or (end != start and _OPENS.search(end[-5:]) is not None)


def _writes_mqsc(line: str) -> bool:
    """Whether a line prints MQSC into a file or a process."""
    prints = _PRINTS.search(line)
    defines = prints and _DEFINES.search(line, prints.end())
    return bool(defines) and ">" in line[defines.end() :]


def _nested_call(text: str) -> bool:
    """Whether a command inside quotes is one: ``su - mqm -c "runmqsc QM1"``."""
    return re.search(r"""["'](?:[^"'\n]*[/;|&])?[ \t]*(?:runmqsc|setmqaut|crtmqm)[ \t]""", text) is not None


def read_shell(data: bytes, path: str) -> Sequence[MqscFile]:
    """The scripts of each queue manager that a shell script feeds, in the order in which it runs them.

    Raises UnreadableError for what is not text.
    """
    text = decode(data, path)
    source = whole_text(as_shell(text) if is_windows_script(text, path) else text)
    run = ShellRun(path, constants(source.text))
    run.follow(source, [])
    files = [*run.result(), *run.manifests(source)]
    one_template_problem(files, [], _STEP)
    run.tell_undecided(files)
    return files


class ShellRun:
    """Follows a script without running it."""

    def __init__(self, path: str, variables: dict[str, str]) -> None:
        self.variables = variables
        self.folder = ""
        """Where names of files that are no absolute paths begin; blank where that is not known."""
        self._path = path
        self._written: dict[str, list[Output]] = {}
        self._newly_written: dict[str, None] = {}
        self._fed: set[str] = set()
        self._files: list[MqscFile] = []
        self._control: MqscFile | None = None
        self._doubted = False
        self._unknown_input = False
        """Some other command writes what the next one reads."""
        self._undecided: list[Problem] = []
        self._documents: list[Output] = []

    def follow(self, source: EmbeddedText, given: list[Output], *, conditional: bool = False) -> None:
        """Follow a piece of a script that reads ``given``."""
        self._doubted = conditional
        self.pipelines(parse_shell(source, self.variables), given, 0)
        self._doubted = False

    def write(self, name: str, output: Output) -> None:
        """A file that something else writes."""
        self._written[name] = [output]

    def copy(self, name: str, source: EmbeddedText, folder: str, *, conditional: bool) -> None:
        """A file that a tool copies from a path that it looks for in a folder of its own."""
        word = Word(source, bare=False, offset=0, end=0)
        self.write(name, Output(embedded_lines([]), conditional, word, folder))

    def run(self, script: EmbeddedText, manager: str | None, *, conditional: bool = False) -> MqscFile:
        """Give a script of MQSC to a queue manager."""
        self._add([Output(script, conditional)], None)
        self._files[-1].queue_manager = manager
        return self._files[-1]

    def take_written(self) -> dict[str, bool]:
        """The files that were written since the last call, and whether anything is known of what is in them."""
        names, self._newly_written = self._newly_written, {}
        return {name: any(output.text.text for output in self._written[name]) for name in names}

    def result(self, *, fed: bool = False) -> list[MqscFile]:
        """The scripts, with files of MQSC that the shell script writes and does not feed to anything, or all with
        ``fed``.
        """
        for name, outputs in self._written.items():
            text = joined_texts([output.text for output in outputs])
            if (fed or name not in self._fed) and looks_like_mqsc(text.text[:8192].encode("utf-8", "replace")):
                self._add(outputs, None)
                stem = name.replace("\\", "/").rpartition("/")[2].partition(".")[0]
                if stem and not holds_template(name):
                    self._files[-1].kept = Kept("file", "", stem, name)
        return self._files

    def manifests(self, source: EmbeddedText) -> list[MqscFile]:
        """What here-documents hold that are manifests; of those that nothing follows nobody knows whether they run."""
        followed = {document.text.place_of(0) for document in self._documents}
        documents = [
            *self._documents,
            *(
                Output(text, conditional=True)
                for text in (other_documents(source, self.variables) if "<<" in source.text else ())
                if text.place_of(0) not in followed
            ),
        ]
        files: list[MqscFile] = []
        for text, conditional, *_ in documents:
            files += read_manifest(text, self._path, conditional=conditional)
        return files

    def tell_undecided(self, files: Sequence[MqscFile]) -> None:
        """Keep one problem for what only a run of the script decides."""
        found = list(self._undecided)
        for file in files:
            found += (problem for problem in file.problems if problem.kind == "undecided_command")
            file.problems[:] = [problem for problem in file.problems if problem.kind != "undecided_command"]
        if found and files:
            first = min(found, key=lambda problem: (problem.line, problem.column))
            files[0].problems.append(
                replace(first, next_step=_STEP if first not in self._undecided else first.next_step)
            )

    def pipelines(self, pipelines: Sequence[Pipeline], feed: list[Output], depth: int) -> list[Output]:
        """Follow pipelines, of which the first command reads ``feed``; the result is what they write."""
        written: list[Output] = []
        for pipeline in pipelines:
            passed = feed
            self._unknown_input = False
            for stage in pipeline:
                passed = self._stage(stage, passed, depth)
                self._unknown_input = not passed and isinstance(stage, Command)
            written += passed
        return written

    def _stage(self, stage: Stage, feed: list[Output], depth: int) -> list[Output]:
        given = self._given(stage.redirections, feed)
        conditional = isinstance(stage, Command) and stage.conditional
        self._documents += (
            Output(word.text, conditional or self._doubted) for operator, word in stage.redirections if operator == "<<"
        )
        if isinstance(stage, Group):
            written = self.pipelines(stage.pipelines, given, depth)
        else:
            written = self._command(stage, given, depth)
        return self._redirected(stage.redirections, written)

    def _given(self, redirections: Sequence[Redirection], feed: list[Output]) -> list[Output]:
        """What a command reads: a here-document, a string, a file that the script wrote, or what is piped into it."""
        for operator, word in redirections:
            if operator in ("<<", "<<<"):
                feed = [Output(word.text, conditional=False)]
            elif operator == "<":
                feed = self._of_file(word)
        return feed

    def _redirected(self, redirections: Sequence[Redirection], written: list[Output]) -> list[Output]:
        """Write what a command writes into a file; the result is what is left of it."""
        for operator, word in redirections:
            if operator in (">", ">>", ">|"):
                name = self._place(word)
                if operator != ">>":
                    self._written[name] = []
                self._written.setdefault(name, []).extend(written)
                self._newly_written[name] = None
                written = []
        return written

    def _command(self, command: Command, given: list[Output], depth: int) -> list[Output]:
        if not command.words:
            return []
        name = command.words[0].value.rpartition("/")[2]
        arguments = command.words[1:]
        if name in ("echo", "printf"):
            return [Output(_printed(name, arguments), command.conditional)] if arguments else []
        if name == "cd" and self.folder and len(arguments) == 1:
            self.folder = self._place(arguments[0])
            return []
        if name == "cat":
            named = [output for word in arguments for output in self._of_file(word)]
            return named if arguments else given
        if name == "tee":
            append = any(word.value == "-a" for word in arguments)
            for word in arguments:
                if not word.value.startswith("-"):
                    self._redirected([Redirection(">>" if append else ">", word)], list(given))
            return []
        self._tool(command, given, depth)
        return []

    def _of_file(self, word: Word) -> list[Output]:
        """What a file has: what the script wrote into it, or what nobody knows here."""
        name = self._place(word)
        self._fed.add(name)
        unknown = [Output(embedded_lines([]), conditional=False, file=word)]
        return self._written.get(name, unknown)

    def _place(self, word: Word) -> str:
        """The path of a file that the script names."""
        return normpath(join(self.folder, word.value)) if self.folder else word.value

    def _tool(self, command: Command, given: list[Output], depth: int) -> None:
        """Follow a command of MQ, whatever runs it: ``sudo -u mqm runmqsc QM1``, ``docker exec -i mq runmqsc QM1``."""
        doubted = command.conditional or self._doubted
        for place, word in enumerate(command.words):
            found = _TOOL.search(word.value)
            if found is not None and (place == 0 or " " not in word.value):
                self._mq(found[1], word, command.words[place + 1 :], given, conditional=doubted)
                return
            if place and depth < _MAX_NESTING and re.search(r"\s", word.value) and _NAMED.search(word.value):
                self.pipelines(parse_shell(word.text, self.variables), given, depth + 1)
                return

    def _mq(self, tool: str, name: Word, words: Sequence[Word], given: list[Output], *, conditional: bool) -> None:
        if tool == "runmqsc":
            given_options = {option.name: option.value for option in options(tool, words)}
            named = given_options.get("f")
            manager = manager_of(tool, words)
            if not (named or given) and self._unknown_input and manager is not None:
                self._undecide(name, manager, "another command writes what runmqsc reads")
            for is_file, group in groupby(
                self._of_file(named) if named else given, lambda output: output.file is not None
            ):
                outputs = [output._replace(conditional=output.conditional or conditional) for output in group]
                if is_file:
                    self._ask(outputs, manager)
                else:
                    self._add(outputs, manager, password="u" in given_options)
        elif tool == "setmqaut":
            self._add_control(read_setmqaut(name, words), conditional=conditional)
        else:
            self._add_control(read_crtmqm(name, words), conditional=conditional)

    def _add(self, outputs: Sequence[Output], manager: Word | None, *, password: bool = False) -> None:
        """Add the script that some outputs make up, behind a ``password`` if the user is an option of runmqsc."""
        text = joined_texts([output.text for output in outputs])
        if (before := restored(text.text)) != text.text:
            text = EmbeddedText(before, text.stretches)
        file = read_embedded(text, self._path)
        if password and text.text:
            first, _ = text.place_of(0)
            file.problems[:] = [one for one in file.problems if (one.kind, one.line) != ("not_understood", first)]
        doubt_lines(file, {line for output in outputs if output.conditional for _, line, *_ in output.text.stretches})
        self._begin(file, manager)

    def _ask(self, outputs: Sequence[Output], manager: Word | None) -> None:
        """Have a queue manager run files that somebody else writes. One that a condition decides about is lost, unless
        it is found.
        """
        known = manager is not None and not holds_template(manager.value)
        for output in outputs:
            if output.file is not None and holds_template(output.file.value):
                self._undecide(output.file, manager, f"a variable names the file {output.file.value} of runmqsc")
            elif output.file is not None and output.conditional and not output.copied_from:
                reason = f"a condition decides whether runmqsc reads {output.file.value}"
                self._undecided.append(self._not_decided(output.file, manager, reason))
        asked = [
            Asked(
                SOURCE if output.copied_from else INPUT,
                output.copied_from,
                output.file.value.replace("\\", "/"),
                None,
                *output.file.text.place_of(0),
                output.conditional,
            )
            for output in outputs
            if output.file is not None and not holds_template(output.file.value)
        ]
        if known and asked:
            lost = sum(each.conditional and each.kind == INPUT for each in asked)
            self._begin(MqscFile(self._path, lost_commands=lost, embedded=True, asked=tuple(asked)), manager)

    def _undecide(self, place: Word, manager: Word | None, reason: str) -> None:
        """Note commands that this script alone does not tell."""
        self._undecided.append(self._not_decided(place, manager, reason))
        if manager is not None and not holds_template(manager.value):
            self._begin(MqscFile(self._path, lost_commands=1, embedded=True), manager)

    def _not_decided(self, place: Word, manager: Word | None, reason: str) -> Problem:
        line, column = place.text.place_of(0)
        name = manager.value if manager is not None and not holds_template(manager.value) else ""
        step = f"Name the file with the commands: --queue-manager {name or 'NAME'}=PATH"
        text = f"the commands are not read: {reason}"
        return Problem(kind="undecided_command", path=self._path, line=line, column=column, text=text, next_step=step)

    def _begin(self, file: MqscFile, manager: Word | None) -> None:
        if manager is not None and not holds_template(manager.value):
            file.queue_manager = manager.value
        file.turn = (self._path, len(self._files))
        self._files.append(file)
        self._control = None

    def _add_control(self, control: Control, *, conditional: bool) -> None:
        """Add what a control command does; the commands of one queue manager that follow each other are one script."""
        manager = control.queue_manager
        name = manager.value if manager is not None and not holds_template(manager.value) else None
        if self._control is None or self._control.queue_manager != name:
            if not control.commands:
                return
            file = MqscFile(self._path, embedded=True)
            self._begin(file, manager)
            self._control = file
        part = MqscFile(self._path, commands=list(control.commands))
        if conditional:
            doubt_lines(part, {command.line for command in control.commands})
        self._control.commands += part.commands
        self._control.lost_commands += part.lost_commands
        self._control.other_commands += control.others


def _printed(name: str, arguments: Sequence[Word]) -> EmbeddedText:
    """What echo or printf writes. The escapes of echo count in every shell, as MQSC has none."""
    words = list(arguments)
    if name == "echo":
        while words and re.fullmatch(r"-[neE]+", words[0].value):
            words.pop(0)
    elif len(words) > 1 and "%s" in words[0].value:
        return _unescaped(joined_texts([word.text for word in words[1:]]))
    texts = [word.text for word in (words if name == "echo" else words[:1])]
    return _unescaped(joined_texts(texts, " ")) if texts else embedded_lines([])


def _unescaped(text: EmbeddedText) -> EmbeddedText:
    """A text whose escapes are undone."""
    if "\\" not in text.text:
        return text
    builder = TextBuilder(text)
    position = 0
    for found in _ESCAPE.finditer(text.text):
        builder.copy(position, found.start())
        builder.insert(_ESCAPES.get(found[0][1], ""), found.start())
        position = found.end()
    builder.copy(position, len(text.text))
    return builder.build(0)
