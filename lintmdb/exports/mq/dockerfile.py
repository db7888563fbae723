"""Dockerfiles of IBM's container image: which scripts they put into ``/etc/mqm``, and for which queue manager.

Nothing is built. ``COPY`` names files beside the Dockerfile or of another stage, or has a here-document. A script that
``RUN`` writes with echo, printf or a here-document is read like one in a shell script. A notice names what other
commands put there. What a stage has that is not in the image does not run.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from posixpath import basename, dirname, join, normpath
from typing import NamedTuple

from lintmdb.exports.mq.commands import Asked, Kept, MqscFile
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
from lintmdb.exports.mq.dockerfile_instructions import Document, Instruction, Stage, assembled, stages
from lintmdb.exports.mq.embedded import EmbeddedText, TextBuilder, one_template_problem, read_embedded, whole_text
from lintmdb.exports.mq.shell.scripts import ShellRun
from lintmdb.exports.mq.shell.syntax import expanded
from lintmdb.model.relations import Problem

_COPY = re.compile(r"((?:[ \t]+--\S+)*)[ \t]+(.+?)[ \t]+(\S+)[ \t]*\Z")
_FROM = re.compile(r"--from=(\S+)")
_PART = re.compile(r"[^\s\"',\[\]]+(?:[\"'][\w.]+[\"'])?")
_OPTIONS = re.compile(r"(?:[ \t]+--\S+)*")
_ENV = re.compile(rf"(?:.*[ \t])?{VARIABLE}[= \t]+[\"']?([\w.%/]+)[\"']?(?=[ \t]|\Z)")
_OTHER_WRITER = re.compile(r"(?:^|[;&|(\s/])(?:sed[ \t]+-\S*i|curl|wget|cp|mv|install|envsubst|tar|unzip)[ \t]")
_SCRIPT = re.compile(rf"{IMAGE_FOLDER}/[\w.*/-]*\.mqsc\b")
_SCRIPT_HERE = re.compile(r"(?<![\w./*-])[\w.*-]+\.mqsc\b")
_STEP = "Provide the script that it makes"
_MOST_STAGES = 50
_MOST_PLACED = 1_000
"""How many files and notices of a stage are followed."""


class _Target(NamedTuple):
    """Where COPY puts something."""

    place: str
    """An absolute path: that of the file, or of the folder that gets it under its own name."""
    in_folder: bool

    def of(self, name: str) -> _Target:
        """Where a file with a name comes to."""
        return _Target(join(self.place, name), in_folder=False) if self.in_folder else self


class _Placed(NamedTuple):
    """What COPY or RUN puts into an image."""

    target: _Target
    content: Asked | MqscFile

    def mounted(self) -> Mounted:
        """Its name in the folder of scripts, and what it is."""
        named = self.content.name if isinstance(self.content, Asked) and self.target.in_folder else self.target.place
        return basename(named), self.content


@dataclass(slots=True)
class _Image:
    """What a stage leaves."""

    run: ShellRun
    manager: str = ""
    files: dict[tuple[str, Asked | None], _Placed] = field(default_factory=dict[tuple[str, "Asked | None"], _Placed])
    """By their paths, or by folder and what it gets."""
    fed: list[MqscFile] = field(default_factory=list[MqscFile])
    """What runs while the image is built."""
    problems: list[tuple[str, Problem]] = field(default_factory=list[tuple[str, Problem]])
    """What only a build shows of files, by their paths."""

    def place(self, *placed: _Placed) -> None:
        """Add files; what had their places before is gone."""
        for each in placed:
            inside = each.content if each.target.in_folder and isinstance(each.content, Asked) else None
            if len(self.files) < _MOST_PLACED:
                self.files[each.target.place, inside] = each

    def scripts(self) -> list[Mounted]:
        """What is in the folder of scripts."""
        return [each.mounted() for each in self.files.values() if is_inside(each.target.place)]

    def unread(self) -> list[Problem]:
        """The notices about that folder."""
        return [problem for place, problem in self.problems if is_inside(place)]


def looks_like_dockerfile(head: bytes) -> bool:
    """Whether a file that starts like this builds an image; most of them are not about MQ."""
    text = head.decode("utf-8", "replace")
    return "\0" not in text and re.match(r"(?:[ \t]*(?:#.*|ARG\b.*)?\r?\n)*[ \t]*FROM[ \t]+\S", text, re.I) is not None


def puts_scripts(data: bytes) -> bool:
    """Whether an image names its queue manager, or gets scripts for one."""
    return VARIABLE.encode() in data or (IMAGE_FOLDER.encode() in data and b".mqsc" in data) or b"runmqsc" in data


def read_dockerfile(data: bytes, path: str) -> Sequence[MqscFile]:
    """The scripts of an image. Raises UnreadableError for what is not text."""
    build = _Build(whole_text(decode(data, path)), path)
    image = build.image()
    if image is None:
        return []
    files = [*_named(image.manager, image.scripts(), path), *image.fed]
    one_template_problem(files, [], _STEP)
    image.run.tell_undecided(files)
    if problems := [*image.unread(), *build.left_out()]:
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


class _Build:
    """A build that is followed without being run."""

    def __init__(self, source: EmbeddedText, path: str) -> None:
        self._source = source
        self._path = path
        self._stages = stages(source)[-_MOST_STAGES:]
        self._images: dict[int, _Image] = {}
        self._used: set[int] = set()
        """The stages that others begin with or copy from."""

    def image(self) -> _Image | None:
        """The last stage with anything about MQ that no other one is made of; a build may name a stage."""
        found = (image for _, image in self._ends() if image.manager or image.scripts() or image.fed or image.unread())
        return next(found, None)

    def left_out(self) -> Iterator[Problem]:
        """Tell of scripts in stages of which the image has nothing."""
        read = self.image()
        for stage, image in self._ends():
            if image is not read and (image.scripts() or image.fed):
                text = (
                    f"the scripts of stage {stage.name or stage.base} are not read: the image has nothing of this stage"
                )
                step = "If a build names it with --target, provide its scripts"
                yield self._problem(text, (stage.line, 1), step)

    def _ends(self) -> Iterator[tuple[Stage, _Image]]:
        """The stages that no other one is made of, from the last one."""
        for number in reversed(range(len(self._stages))):
            if number not in self._used:
                yield self._stages[number], self._image(number)

    def _image(self, number: int) -> _Image:
        if number not in self._images:
            self._images[number] = self._followed(number)
        return self._images[number]

    def _numbered(self, name: str, before: int) -> int | None:
        """The stage that is called so, or has this number; None for an image from elsewhere."""
        named = [number for number in range(before) if self._stages[number].name == name.lower()]
        return named[-1] if named else int(name) if name.isdecimal() and int(name) < before else None

    def _chain(self, number: int) -> Iterator[tuple[int, Instruction]]:
        """The instructions of a stage behind those of the stages that it begins with."""
        stage = self._stages[number]
        if (base := self._numbered(stage.base, number)) is not None and not stage.base.isdecimal():
            self._used.add(base)
            yield from self._chain(base)
        yield from ((number, instruction) for instruction in stage.instructions)

    def _followed(self, number: int) -> _Image:
        image = _Image(ShellRun(self._path, {}))
        folder = "/"
        for stage, instruction in self._chain(number):
            arguments = instruction.arguments.text
            if instruction.name == "ENV":
                found = _ENV.match(arguments)
                image.manager = found[1] if found else image.manager
            elif instruction.name == "WORKDIR":
                folder = _joined(folder, arguments.strip())
            elif instruction.name in ("COPY", "ADD"):
                self._copy(instruction, stage, folder, image)
            elif instruction.name == "RUN":
                image.run.folder = folder
                self._run(instruction, image)
        for file in image.run.result(fed=True):
            if file.kept is None:
                image.fed.append(file)
            else:
                image.place(_Placed(_Target(file.kept.key, in_folder=False), file))
        return image

    def _copy(self, instruction: Instruction, stage: int, folder: str, image: _Image) -> None:
        """What COPY adds: files, and here-documents that are called as their ends are, or as the target."""
        found = _COPY.match(instruction.arguments.text)
        if found is None:
            return
        place = _joined(folder, found[3])
        target = _Target(place, place in (IMAGE_FOLDER, folder) or found[3].endswith(("/", "/.")))
        other = _FROM.search(found[1])
        documents = {document.word: document for document in instruction.documents}
        for part in _PART.finditer(found[2]):
            at = instruction.arguments.place_of(found.start(2) + part.start())
            if other is not None:
                self._take(part[0], other[1], self._numbered(other[1], stage), target, at, image)
            elif part[0].startswith("<<"):
                document = documents.get(part[0].lstrip("<-").strip("\"'"))
                file = target.of(document.word) if document is not None else target
                if document is not None and file.place.endswith(".mqsc"):
                    image.place(_Placed(file, self._script(document, file.place)))
            else:
                _, asked = asked_file(self._path, part[0], place, *at)
                image.place(_Placed(target, asked))

    def _take(
        self, source: str, name: str, number: int | None, target: _Target, at: tuple[int, int], image: _Image
    ) -> None:
        """What COPY takes from another stage, and what only a build shows of it."""
        if number is None:
            taken, unmade = list[_Placed](), list[tuple[str, Problem]]()
        else:
            self._used.add(number)
            other, path = self._image(number), _joined("/", source)
            taken = [copy for each in other.files.values() for copy in _copied(each, path, target)]
            unmade = [
                (target.of(basename(place)).place, problem)
                for place, problem in other.problems
                if _lies_at(place, path)
            ]
        image.place(*taken)
        image.problems += unmade[: _MOST_PLACED - len(image.problems)]
        is_script = source.endswith(".mqsc") or target.place.endswith(".mqsc")
        is_folder = target.place == IMAGE_FOLDER and "." not in basename(source.rstrip("/."))
        if not (taken or unmade) and (is_script or is_folder):
            text = f"{source} of {name} is not read: only a build of the image shows what it has"
            image.problems.append((target.place, self._problem(text, at)))

    def _script(self, document: Document, place: str) -> MqscFile:
        if document.quoted:
            text = assembled(self._source, [(document.start, document.end)])
        else:
            text = expanded(self._source, document.start, document.end, {})
        script = read_embedded(text, self._path)
        script.kept = Kept("file", "", basename(place).removesuffix(".mqsc"), place)
        return script

    def _run(self, instruction: Instruction, image: _Image) -> None:
        """Follow what RUN does, and tell of a script that it makes in a way that only a build shows."""
        options = _OPTIONS.match(instruction.arguments.text)
        commands = instruction.arguments.text[options.end() if options else 0 :].lstrip()
        bodies = [(document.start, document.end) for document in instruction.documents]
        script = instruction.shell
        if bodies and commands.startswith("<<"):
            script = assembled(self._source, bodies[:1])
        elif options:
            builder = TextBuilder(script)
            builder.copy(options.end(), len(script.text))
            script = builder.build(options.end())
        run = image.run
        run.follow(script, [])
        written = run.take_written()
        unknown = [name for name, known in written.items() if name.endswith(".mqsc") and not known]
        other = _OTHER_WRITER.search(script.text) if not written else None
        if other is not None:
            made = _SCRIPT.search(script.text, other.start())
            if made is None and is_inside(run.folder):
                made = _SCRIPT_HERE.search(script.text, other.start())
            unknown += [_joined(run.folder, made[0])] if made is not None else []
        at = script.place_of(len(script.text) - len(script.text.lstrip()))
        for name in unknown:
            text = f"{name} is not read: only a build of the image shows what RUN makes it of"
            image.problems.append((name, self._problem(text, at)))

    def _problem(self, text: str, at: tuple[int, int], step: str = _STEP) -> Problem:
        line, column = at
        return Problem(kind="not_read", path=self._path, line=line, column=column, text=text, next_step=step)


def _joined(folder: str, name: str) -> str:
    """An absolute path in an image."""
    return normpath(join(folder, name.strip("\"'")))


def _lies_at(place: str, source: str) -> bool:
    """Whether a file is what a path or pattern of COPY names, or lies in it."""
    return place.startswith(f"{source.rstrip('/')}/") or fnmatchcase(place, source)


def _copied(each: _Placed, source: str, target: _Target) -> Iterator[_Placed]:
    """What COPY makes of something in another stage. A file beside the Dockerfile may be a folder."""
    place, in_folder = each.target
    if place.startswith(inside := f"{source.rstrip('/')}/"):
        yield _Placed(_Target(join(target.place, place.removeprefix(inside)), in_folder), each.content)
        return
    if _lies_at(place, source):
        yield _Placed(target._replace(in_folder=True) if in_folder else target.of(basename(place)), each.content)
        return
    asked, wanted = each.content, basename(source)
    if not isinstance(asked, Asked) or dirname(source) != place:
        return
    own = basename(asked.name)
    if in_folder and (fnmatchcase(own, wanted) or own == wanted):
        yield _Placed(target.of(own), asked)
    elif "*" not in own:
        yield _Placed(target, asked._replace(name=join(asked.name, wanted)))
    elif in_folder and ("*" in wanted or fnmatchcase(wanted, own)):
        yield _Placed(target, asked._replace(name=join(dirname(asked.name), wanted)))
