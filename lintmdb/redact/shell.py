"""Shell scripts without secrets: what lintmdb follows stays, and the arguments of any other command are text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from lintmdb.exports.mq.embedded import whole_text
from lintmdb.exports.mq.shell.syntax import Command, Pipeline, Word, parse_shell
from lintmdb.redact.pseudonyms import Kind, Pseudonyms
from lintmdb.redact.scripts import redact_script
from lintmdb.redact.sensitive import kind_of

TOOLS = re.compile(r"\b(?:runmqsc|setmqaut|crtmqm|dmpmqaut|strmqm|endmqm|dltmqm)\b")
_TOOL = re.compile(r"(?:^|[/\\])(runmqsc|setmqaut|crtmqm|dmpmqaut|strmqm|endmqm|dltmqm)(?:\.exe)?\Z")
_COMMENT = re.compile(r"(?:^[ \t]*#(?!!)|(?<=[ \t;])#(?=[ \t]))[^\n'\"]*$", re.M)
_ASSIGNMENT = re.compile(r"(?:\A|\s)([A-Za-z_]\w*)\+?=")
_KEPT = frozenset({"cat", "tee", "set", "shift", "exit", "return", "true", "false", ":", "local", "for", "in"})
_WRITERS = frozenset({"echo", "printf"})
_DECLARING = frozenset({"export", "readonly", "declare", "local", "typeset"})
_MQSC = re.compile(r"[A-Za-z]\s*\(|[+;]\s*\Z|\b(?:DEF|DEFINE|ALT|ALTER|SET|DELETE|DISPLAY|DIS|REFRESH|START|END)\b")
_NOT_TEXT = re.compile(r"\$\{[^}]*\}|\$\([^)]*\)|\$\w+|`[^`]*`|\\.|\{\{.*?\}\}|\{%.*?%\}", re.S)
_NAMED = frozenset({"-m", "-n", "-u", "-d"})
_USERS = frozenset({"-p", "-g", "-u"})


class _Change(NamedTuple):
    start: int
    end: int
    kind: Kind


def redact_shell(text: str, pseudonyms: Pseudonyms) -> str:
    """A script without secrets. Raises LintmdbError."""
    source = whole_text(text)
    changes = sorted(set(_changes(text, parse_shell(source))))
    pieces: list[str] = []
    end = 0
    for change in changes:
        if change.start < end:
            continue
        pieces += (
            _between(text[end : change.start], pseudonyms),
            _hidden(text[change.start : change.end], change.kind, pseudonyms),
        )
        end = change.end
    return "".join([*pieces, _between(text[end:], pseudonyms)])


def _between(text: str, pseudonyms: Pseudonyms) -> str:
    """What is around the words that were found: MQSC in here-documents, and comments."""
    text = _COMMENT.sub(lambda match: pseudonyms.value("text", match[0]), text)
    return redact_script(text, pseudonyms)


def _hidden(raw: str, kind: Kind, pseudonyms: Pseudonyms) -> str:
    """A word as the script has it; what the shell fills in stays."""
    if kind == "password":
        quote = raw[0] if raw[:1] in "'\"" and len(raw) > 1 else ""
        return raw if _NOT_TEXT.fullmatch(raw.strip("'\"")) else f"{quote}redacted{quote}"
    pieces: list[str] = []
    end = 0
    for kept in _NOT_TEXT.finditer(raw):
        pieces += (pseudonyms.value(kind, raw[end : kept.start()]), kept[0])
        end = kept.end()
    return "".join([*pieces, pseudonyms.value(kind, raw[end:])])


def _changes(text: str, pipelines: Iterable[Pipeline]) -> Iterator[_Change]:
    for pipeline in pipelines:
        for number, stage in enumerate(pipeline):
            if isinstance(stage, Command):
                leads = number + 1 < len(pipeline) or any(">" in way.operator for way in stage.redirections)
                yield from _of_command(text, stage.words, leads=leads)
            else:
                yield from _changes(text, stage.pipelines)


def _of_command(text: str, words: Sequence[Word], *, leads: bool) -> Iterator[_Change]:
    """What to change in a command; ``leads``: something reads what it writes."""
    rest = list(words)
    while rest and (found := _ASSIGNMENT.match(rest[0].value)) is not None:
        yield from _assignment(text, rest.pop(0), found[1])
    if not rest:
        return
    tool = next((place for place, word in enumerate(rest) if _TOOL.search(word.value)), None)
    if tool is not None:
        yield from _as_text(rest[1:tool])
        yield from _options(_TOOL.findall(rest[tool].value)[0], rest[tool + 1 :])
    elif any(TOOLS.search(word.value) for word in rest[1:]):
        for word in rest[1:]:
            yield from _nested(text, word) if TOOLS.search(word.value) else _as_text([word])
    else:
        yield from _of_other_command(text, rest[0].value.rpartition("/")[2], rest[1:], leads=leads)


def _of_other_command(text: str, name: str, words: Sequence[Word], *, leads: bool) -> Iterator[_Change]:
    """What to change in a command that runs none of MQ's."""
    if name in _DECLARING:
        for word in words:
            if (found := _ASSIGNMENT.match(word.value)) is not None:
                yield from _assignment(text, word, found[1])
    elif name in _WRITERS:
        if not leads and not any(_MQSC.search(word.value) for word in words):
            yield from _as_text(words)
    elif name not in _KEPT:
        yield from _as_text(words)


def _as_text(words: Iterable[Word]) -> Iterator[_Change]:
    return (_Change(word.offset, word.end, "text") for word in words)


def _nested(text: str, word: Word) -> Iterator[_Change]:
    """What to change in commands that stand in quotation marks."""
    quoted = text[word.offset : word.offset + 1] in "'\""
    start, end = word.offset + quoted, word.end - quoted
    for change in _changes(text[start:end], parse_shell(whole_text(text[start:end]))):
        yield change._replace(start=change.start + start, end=change.end + start)


def _assignment(text: str, word: Word, name: str) -> Iterator[_Change]:
    start = text.find("=", word.offset, word.end) + 1
    kind = kind_of(name, word.value.partition("=")[2]) or "name"
    if start:
        yield _Change(start, word.end, kind)


def _options(tool: str, words: Sequence[Word]) -> Iterator[_Change]:
    """The users and the names that a command of MQ has as options and arguments."""
    before = ""
    for word in words:
        value = word.value
        if before in _USERS and (tool != "crtmqm" or before == "-g") and (tool != "runmqsc" or before == "-u"):
            yield _Change(word.offset, word.end, "user")
        elif before in _NAMED or (not value.startswith(("-", "+")) and not before.startswith("-")):
            yield _Change(word.offset, word.end, "name")
        before = value
