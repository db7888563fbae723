"""Dockerfiles of IBM's container image: which scripts they put into ``/etc/mqm``, and for which queue manager.

Nothing is built. ``COPY`` names files beside the Dockerfile, or has a here-document. A script that ``RUN`` writes with
echo, printf or a here-document is read like one in a shell script. A notice names what other commands put there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from lintmdb.exports.mq.commands import Kept, MqscFile
from lintmdb.exports.mq.container_files import (
    IMAGE_FOLDER,
    VARIABLE,
    Mounted,
    asked_file,
    in_turn,
    is_inside,
    is_manager_name,
)
from lintmdb.exports.mq.decoding import decode
from lintmdb.exports.mq.embedded import EmbeddedText, TextBuilder, one_template_problem, read_embedded, whole_text
from lintmdb.exports.mq.shell.scripts import ShellRun
from lintmdb.exports.mq.shell.syntax import expanded
from lintmdb.model.relations import Problem

_COPY = re.compile(r"((?:[ \t]+--\S+)*)[ \t]+(.+?)[ \t]+(\S+)[ \t]*\Z")
_ENV = re.compile(rf"(?:.*[ \t])?{VARIABLE}[= \t]+[\"']?([\w.%/]+)[\"']?(?=[ \t]|\Z)")
_INSTRUCTION = re.compile(r"[ \t]*([A-Za-z]+)(?=[ \t])")
_ESCAPED = re.compile(r"\\[ \t]*\r?\Z")
_COMMENT = re.compile(r"[ \t]*(?:#.*)?\r?\Z")
_DOCUMENT = re.compile(r"(?<!<)<<(-?)([\"']?)([A-Za-z_][\w.]*)\2")
_WITH_DOCUMENTS = frozenset({"RUN", "COPY", "ADD"})
_OTHER_WRITER = re.compile(r"(?:^|[;&|(\s/])(?:sed[ \t]+-\S*i|curl|wget|cp|mv|install|envsubst|tar|unzip)[ \t]")
_SCRIPT = re.compile(rf"{IMAGE_FOLDER}/[\w.*/-]*\.mqsc\b")
_STEP = "Provide the script that it makes"


class _Document(NamedTuple):
    """A here-document: the word that ends it, and where its text begins and ends in the Dockerfile."""

    word: str
    start: int
    end: int
    quoted: bool


class _Instruction(NamedTuple):
    """One instruction, without line ends that are escaped."""

    name: str
    arguments: EmbeddedText
    shell: EmbeddedText
    """The arguments with the here-documents below them, as a shell reads them."""
    documents: Sequence[_Document]


def looks_like_dockerfile(head: bytes) -> bool:
    """Whether a file that starts like this builds an image; most of them are not about MQ."""
    text = head.decode("utf-8", "replace")
    return "\0" not in text and re.match(r"(?:[ \t]*(?:#.*|ARG\b.*)?\r?\n)*[ \t]*FROM[ \t]+\S", text, re.I) is not None


def puts_scripts(data: bytes) -> bool:
    """Whether an image names its queue manager, or gets scripts for one."""
    return VARIABLE.encode() in data or (IMAGE_FOLDER.encode() in data and b".mqsc" in data) or b"runmqsc" in data


def read_dockerfile(data: bytes, path: str) -> Sequence[MqscFile]:
    """The scripts of an image. Raises UnreadableError for what is not text."""
    source = whole_text(decode(data, path))
    name = ""
    mounted: list[Mounted] = []
    problems: list[Problem] = []
    run = ShellRun(path, {})
    for instruction in _instructions(source):
        if instruction.name == "ENV":
            found = _ENV.match(instruction.arguments.text)
            name = found[1] if found else name
        elif instruction.name in ("COPY", "ADD"):
            mounted += _copied(instruction, source, path)
        elif instruction.name == "RUN":
            problems += _follow(instruction, run, source, path)
    fed: list[MqscFile] = []
    for file in run.result(fed=True):
        if file.kept is None:
            fed.append(file)
        elif is_inside(file.kept.key):
            mounted.append((file.kept.key.rpartition("/")[2], file))
    files = [*_named(name, mounted, path), *fed]
    one_template_problem(files, [], _STEP)
    run.tell_undecided(files)
    if problems:
        files.append(MqscFile(path, embedded=True, problems=problems))
    return files


def _named(name: str, mounted: Sequence[Mounted], path: str) -> list[MqscFile]:
    """The scripts of the folder, in the order of their names there. Without a name of the queue manager those that the
    Dockerfile holds are of one that is called as its folder is.
    """
    if is_manager_name(name):
        return in_turn(name, mounted, path)
    scripts = in_turn("", [one for one in mounted if isinstance(one[1], MqscFile)], path)
    folder = path.rpartition("/")[0].rpartition("/")[2] or path.rpartition("/")[2]
    for script in scripts:
        script.kept = Kept("folder", "", folder, script.kept.key if script.kept else "")
    return scripts


def _instructions(source: EmbeddedText) -> Iterator[_Instruction]:
    """The instructions of a Dockerfile, in its order."""
    lines, starts = source.text.split("\n"), [*source.line_starts, len(source.text)]
    number = 0
    while number < len(lines):
        begun = _INSTRUCTION.match(lines[number])
        if begun is None:
            number += 1
            continue
        pieces, number = _pieces(lines, starts, number, begun.end())
        arguments = _built(source, pieces)
        documents: list[_Document] = []
        below = number
        for tabs, quote, word in _DOCUMENT.findall(arguments.text) if begun[1].upper() in _WITH_DOCUMENTS else ():
            stop = number = min(number, len(lines))
            while stop < len(lines) and (lines[stop].lstrip("\t") if tabs else lines[stop]).rstrip("\r") != word:
                stop += 1
            documents.append(_Document(word, starts[number], starts[stop], bool(quote)))
            number = stop + 1
        end = starts[min(number, len(lines))]
        shell = _built(source, [*pieces, (starts[below], end)], "\n") if documents else arguments
        yield _Instruction(begun[1].upper(), arguments, shell, documents)


def _pieces(lines: Sequence[str], starts: Sequence[int], number: int, at: int) -> tuple[list[tuple[int, int]], int]:
    """Where the parts of an instruction begin and end, behind its name, and the number of the line below it. Comments
    between its lines are no part of it.
    """
    pieces: list[tuple[int, int]] = []
    while number < len(lines):
        line = lines[number]
        escaped = _ESCAPED.search(line)
        stop = escaped.start() if escaped is not None else len(line.rstrip("\r"))
        pieces.append((starts[number] + at, starts[number] + stop))
        at, number = 0, number + 1
        if escaped is None:
            break
        while number < len(lines) - 1 and _COMMENT.match(lines[number]):
            number += 1
    return pieces, number


def _built(source: EmbeddedText, pieces: Sequence[tuple[int, int]], before_last: str = "") -> EmbeddedText:
    builder = TextBuilder(source)
    for place, (start, end) in enumerate(pieces):
        if place == len(pieces) - 1:
            builder.insert(before_last, start)
        builder.copy(start, end)
    return builder.build(pieces[0][0])


def _copied(instruction: _Instruction, source: EmbeddedText, path: str) -> Iterator[Mounted]:
    """What COPY puts into the folder: files, and here-documents that are called as their ends are, or as the target."""
    found = _COPY.match(instruction.arguments.text)
    if found is None or not is_inside(found[3]) or "--from" in found[1]:
        return
    documents = {document.word: document for document in instruction.documents}
    target = found[3]
    for part in re.finditer(r"[^\s\"',\[\]]+(?:[\"'][\w.]+[\"'])?", found[2]):
        document = documents.get(part[0].lstrip("<-").strip("\"'")) if part[0].startswith("<<") else None
        if document is None:
            yield asked_file(path, part[0], target, *instruction.arguments.place_of(found.start(2) + part.start()))
            continue
        folder = target.rstrip("/") == IMAGE_FOLDER or target.endswith("/")
        file = document.word if folder else target.rpartition("/")[2]
        if file.endswith(".mqsc"):
            yield file, _script(source, document, file, path)


def _script(source: EmbeddedText, document: _Document, file: str, path: str) -> MqscFile:
    if document.quoted:
        text = _built(source, [(document.start, document.end)])
    else:
        text = expanded(source, document.start, document.end, {})
    script = read_embedded(text, path)
    script.kept = Kept("file", "", file.removesuffix(".mqsc"), f"{IMAGE_FOLDER}/{file}")
    return script


def _follow(instruction: _Instruction, run: ShellRun, source: EmbeddedText, path: str) -> list[Problem]:
    """Follow what RUN does; the result tells of a script that it makes in a way that only a build shows."""
    commands = instruction.arguments.text.lstrip()
    bodies = [(document.start, document.end) for document in instruction.documents]
    script = _built(source, bodies[:1]) if bodies and commands.startswith("<<") else instruction.shell
    run.follow(script, [])
    written = run.take_written()
    unknown = [name for name, known in written.items() if is_inside(name) and name.endswith(".mqsc") and not known]
    other = _OTHER_WRITER.search(script.text) if not written else None
    if other is not None and (made := _SCRIPT.search(script.text, other.start())):
        unknown.append(made[0])
    if not unknown:
        return []
    line, column = script.place_of(len(script.text) - len(script.text.lstrip()))
    text = f"{unknown[0]} is not read: only a build of the image shows what RUN makes it of"
    return [Problem(kind="not_read", path=path, line=line, column=column, text=text, next_step=_STEP)]
