"""Dockerfiles and qm.ini without secrets: what lintmdb reads of them stays, and the rest is text."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator, Mapping, Sequence

from lintmdb.exports.mq.container_files import IMAGE_FOLDER
from lintmdb.exports.mq.dockerfile_instructions import COMMENT, Instruction, instructions
from lintmdb.exports.mq.embedded import whole_text
from lintmdb.redact.pseudonyms import Kind, Pseudonyms
from lintmdb.redact.scripts import redact_script
from lintmdb.redact.shell import TOOLS, redact_shell

_NAMED = re.compile(r"MQ_QMGR_NAME[= \t]+[\"']?[\w.%/]+[\"']?")
_KEYWORD = re.compile(r"[ \t]*(?:FROM|ARG|ENV|COPY|ADD|RUN|USER|LABEL|WORKDIR|EXPOSE|ENTRYPOINT|CMD|VOLUME)\b", re.I)
_RUN = re.compile(r"[ \t]*RUN[ \t]+", re.I)
_STAGE = re.compile(r"([ \t]*FROM[ \t]+)((?:--\S+[ \t]+)*)(\S+)([ \t]+AS[ \t]+\S+)?(.*)\Z", re.I | re.S)
_ORIGIN = re.compile(r"(--from=)(\S+)")
_OWNER = re.compile(r"(--chown=)(\S+)")
_STANZA = re.compile(r"[A-Za-z]\w*:[ \t]*\d*[ \t]*\r?\Z")
_SETTING = re.compile(r"([ \t]+)([A-Za-z]\w*)([ \t]*=)(.*)", re.S)
_READ: Mapping[str, Kind] = {"mqscconfig": "path", "logpath": "name"}


def redact_dockerfile(text: str, pseudonyms: Pseudonyms) -> str:
    """A Dockerfile without secrets: names of stages, and what puts scripts into the image. Raises LintmdbError."""
    lines = text.split("\n")
    result = [_plain(line, pseudonyms) for line in lines]
    named: set[str] = set()
    inside = False
    for each in instructions(whole_text(text)):
        own = lines[each.first : each.below]
        if each.name == "FROM" and (begun := _STAGE.match(own[0])) is not None:
            result[each.first] = _begun(begun, named, pseudonyms)
            inside = False
        elif each.name == "WORKDIR":
            inside = IMAGE_FOLDER in own[0]
            result[each.first] = pseudonyms.value("path", own[0]) if inside else result[each.first]
        elif each.name in ("COPY", "ADD", "RUN") and (inside or _puts_script(each, own)):
            copy = _run(each, lines, pseudonyms) if each.name == "RUN" else _copy(each, lines, named, pseudonyms)
            result[each.first : each.end] = copy
    return "\n".join(result)


def _puts_script(each: Instruction, own: Sequence[str]) -> bool:
    """Whether an instruction may put a script into the image, or run one."""
    whole = "\n".join(own)
    return IMAGE_FOLDER in whole or ".mqsc" in whole or TOOLS.search(each.shell.text) is not None


def _plain(line: str, pseudonyms: Pseudonyms) -> str:
    found = _KEYWORD.match(line)
    start = found.end() if found is not None else 0
    named = _NAMED.search(line, start)
    if named is None:
        return line[:start] + pseudonyms.value("text", line[start:])
    before, behind = line[start : named.start()], line[named.end() :]
    return (
        line[:start]
        + pseudonyms.value("text", before)
        + pseudonyms.value("name", named[0])
        + pseudonyms.value("text", behind)
    )


def _begun(begun: re.Match[str], named: set[str], pseudonyms: Pseudonyms) -> str:
    """The beginning of a stage: the image is a secret, and the names of stages are not."""
    kind = "path" if begun[3].lower() in named else "text"
    stage = begun[4] or ""
    named.update(stage.lower().split()[1:])
    return "".join(
        (
            begun[1],
            pseudonyms.value("text", begun[2]),
            pseudonyms.value(kind, begun[3]),
            pseudonyms.value("path", stage),
            pseudonyms.value("text", begun[5]),
        )
    )


def _copy(each: Instruction, lines: Sequence[str], named: Container[str], pseudonyms: Pseudonyms) -> Iterator[str]:
    """COPY with its here-documents, which are MQSC."""

    def origin(found: re.Match[str]) -> str:
        stage = found[2].isdecimal() or found[2].lower() in named
        return found[1] + pseudonyms.value("path" if stage else "text", found[2])

    for line in lines[each.first : each.below]:
        copied = _OWNER.sub(lambda found: found[1] + pseudonyms.value("user", found[2]), _ORIGIN.sub(origin, line))
        yield pseudonyms.value("text" if COMMENT.match(line) else "path", copied)
    yield from _documents(each, lines, redact_script, pseudonyms)


def _run(each: Instruction, lines: Sequence[str], pseudonyms: Pseudonyms) -> Iterator[str]:
    """RUN as a script of a shell, in which the comments between its lines do not count."""
    own = lines[each.first : each.below]
    begun = _RUN.match(own[0])
    start = begun.end() if begun is not None else 0
    places = [place for place, line in enumerate(own) if place == 0 or not COMMENT.match(line)]
    script = [own[0][start:], *(own[place] for place in places[1:])]
    if script[0].lstrip().startswith("<<"):
        yield from own
        yield from _documents(each, lines, redact_shell, pseudonyms)
        return
    redacted = redact_shell("\n".join([*script, *lines[each.below : each.end]]), pseudonyms).split("\n")
    result = [pseudonyms.value("text", line) for line in own]
    for place, line in zip(places, redacted, strict=False):
        result[place] = line
    yield f"{own[0][:start]}{result[0]}"
    yield from result[1:]
    yield from redacted[len(places) :]


def _documents(
    each: Instruction, lines: Sequence[str], redact: Callable[[str, Pseudonyms], str], pseudonyms: Pseudonyms
) -> Iterator[str]:
    """Here-documents with the lines that end them."""
    start, end = each.below, min(each.end, len(lines))
    for document in each.documents:
        ends = (place for place in range(start, end) if lines[place].strip() == document.word)
        stop = next(ends, end)
        if stop > start:
            yield from redact("\n".join(lines[start:stop]), pseudonyms).split("\n")
        yield from lines[stop : stop + 1]
        start = stop + 1


def redact_queue_manager_ini(text: str, pseudonyms: Pseudonyms) -> str:
    """A qm.ini without secrets: stanzas, names of attributes and the paths that are read. Raises LintmdbError."""

    def line(written: str) -> str:
        found = _SETTING.match(written)
        if found is None:
            return written if _STANZA.match(written) else pseudonyms.value("text", written)
        value = pseudonyms.value(_READ.get(found[2].lower(), "text"), found[4])
        return f"{found[1]}{found[2]}{found[3]}{value}"

    return "\n".join(map(line, text.split("\n")))
