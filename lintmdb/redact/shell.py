"""Shell scripts without secrets: what lintmdb follows stays, and everything else is text without a meaning."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple, TypeAlias

from lintmdb.exports.mq.embedded import whole_text
from lintmdb.exports.mq.shell.syntax import Command, Pipeline, Redirection, Word, parse_shell
from lintmdb.exports.mq.vocabulary import END_WORDS, FLAGS, NOUNS, VERBS
from lintmdb.redact.pseudonyms import Kind, Pseudonyms
from lintmdb.redact.scripts import redact_script, redact_values
from lintmdb.redact.sensitive import is_secret_variable, kind_of

TOOLS = re.compile(r"\b(?:runmqsc|setmqaut|crtmqm|dmpmqaut|strmqm|endmqm|dltmqm)\b")
_TOOL = re.compile(r"(?:^|[/\\])(runmqsc|setmqaut|crtmqm|dmpmqaut|strmqm|endmqm|dltmqm)(?:\.exe)?\Z")
_COMMENT = re.compile(r"(?:^[ \t]*#(?!!)|(?<=[ \t;])#(?=[ \t]))[^\n'\"]*$", re.M)
_INTERPRETER = re.compile(r"#!(?:/[a-z]+)+(?: [a-z]+)?(?: -[a-z]+)?$", re.M)
_ASSIGNMENT = re.compile(r"(?:\A|\s)([A-Za-z_]\w*)\+?=")
_REFERENCE = re.compile(r"\$\{?(\w+)|%(\w+)%")
_READERS = frozenset({"cat", "tee"})
"""Commands that pass on what they read."""
_WRITERS = frozenset({"echo", "printf"})
_DECLARING = frozenset({"export", "readonly", "declare", "local", "typeset", "set"})
_PLAIN = _READERS | _WRITERS | _DECLARING | frozenset(
    {"shift", "exit", "return", "true", "false", ":", ".", "[", "[[", "test", "su", "sudo", "ssh", "docker", "podman"}
    | {"kubectl", "oc", "exec", "sh", "bash", "ksh", "env", "time", "nohup", "cd", "mkdir", "chmod", "chown", "rm"}
    | {"grep", "sed", "awk", "curl", "sleep", "source", "trap", "wait", "date", "dspmq", "dmpmqcfg", "rem", "call"}
)  # fmt: skip
"""Names of commands that tell nothing; any other one becomes text."""
_SYNTAX = frozenset({"if", "then", "else", "elif", "fi", "for", "in", "do", "done", "while", "until", "case", "esac",
                     "select", "function", "time"})  # fmt: skip
_MQSC = re.compile(r"[A-Za-z]\s*\(|[+;]\s*\Z|\b(?:DEF|DEFINE|ALT|ALTER|SET|DELETE|DISPLAY|DIS|REFRESH|START|END)\b")
_LINE_END = re.compile(r"(\r?\n|\\n)")
_OF_MQSC = frozenset({*VERBS, *NOUNS, *FLAGS, *END_WORDS, "SECURITY", "LISTENER", "CHINIT"})
_PARAMETER = re.compile(r"[A-Za-z]\w*\s*\\?\(|[)']|\A[+;-]\Z")
_FORMAT = re.compile(r"(?:%[-\d.]*[sbdq%]|\\[a-z0\\]|\s|-[neE]+)*")
_TOKEN = re.compile(
    r"(?:<<-?[ \t]*[\\'\"]?\w+|[0-9]+(?=[<>])|(?<=&)[0-9]+|[\w.@%:/-]+(?=[ \t]*\(\))|[^\W_](?:[\w.@%:/-]*\w)?)"
)
_SCRIPT = r"\$\((?:[^()]|\([^()]*\))*\)|`[^`]*`"
_NOT_TEXT = re.compile(rf"\$\{{[^}}]*\}}|{_SCRIPT}|\$\w+|\\.|\{{\{{.*?\}}\}}|\{{%.*?%\}}", re.S)
_DEFAULT = re.compile(r"(\$\{(\w+):?[-=+?])([^}]*)\}")
_NAMED = frozenset({"-m", "-n", "-u", "-d"})
_USERS = frozenset({"-p", "-g", "-u"})

_Way: TypeAlias = Kind | Literal["kept", "mqsc", "document"]
"""What becomes of a part of a script: what the kind of a secret says, or nothing; parameters of MQSC lose their
secrets, and lines of a document that are no MQSC become text, too.
"""


class _Part(NamedTuple):
    """A word, the value of a variable, or a here-document."""

    start: int
    end: int
    way: _Way
    variable: str = ""
    """Whose value it is."""


def redact_shell(text: str, pseudonyms: Pseudonyms) -> str:
    """A script without secrets. Raises LintmdbError."""
    parts = sorted(set(_parts(text, parse_shell(whole_text(text)))))
    followed = _followed(text, parts)
    pieces: list[str] = []
    end = 0
    for part in parts:
        if part.start < end:
            continue
        raw = text[part.start : part.end]
        way = part.way
        if part.variable and way == "name" and part.variable not in followed:
            way = "text"
        pieces += (_between(text[end : part.start], pseudonyms), _redacted(raw, way, pseudonyms))
        end = part.end
    return "".join([*pieces, _between(text[end:], pseudonyms)])


def _followed(text: str, parts: Sequence[_Part]) -> set[str]:
    """The variables that stand in what lintmdb follows, by themselves or through the values of others."""
    found: set[str] = set()
    new = {name for part in parts if not part.variable and part.way != "text" for name in _references(text, part)}
    while new:
        found |= new
        new = {name for part in parts if part.variable in new for name in _references(text, part)} - found
    return found


def _references(text: str, part: _Part) -> Iterator[str]:
    return (found[1] or found[2] for found in _REFERENCE.finditer(text, part.start, part.end))


def _between(text: str, pseudonyms: Pseudonyms) -> str:
    """What is around the parts: operators, words of the shell's syntax, and comments."""
    text = _COMMENT.sub(lambda match: pseudonyms.value("text", match[0]), text)
    pieces: list[str] = []
    end = 0
    if (interpreter := _INTERPRETER.match(text)) is not None:
        end = interpreter.end()
        pieces.append(interpreter[0])
    for found in _TOKEN.finditer(text, end):
        token = found[0]
        kept = token in _SYNTAX or token[0] in "<0123456789" or text[found.end() :].lstrip(" \t").startswith("()")
        pieces += (text[end : found.start()], token if kept else pseudonyms.value("text", token))
        end = found.end()
    return "".join([*pieces, text[end:]])


def _redacted(raw: str, way: _Way, pseudonyms: Pseudonyms) -> str:
    """A part as the script has it; what the shell fills in stays."""
    if way == "password":
        quote = raw[0] if raw[:1] in "'\"" and len(raw) > 1 else ""
        inner = raw[len(quote) : len(raw) - len(quote)]
        return f"{quote}{_expansion(inner, pseudonyms) if _NOT_TEXT.fullmatch(inner) else 'redacted'}{quote}"
    if way == "mqsc":
        return _commands(raw, pseudonyms)
    if way == "document":
        return redact_script(_around(raw, None, pseudonyms), pseudonyms)
    return _around(raw, None if way == "kept" else way, pseudonyms)


def _around(raw: str, kind: Kind | None, pseudonyms: Pseudonyms) -> str:
    """Text around what the shell fills in, which holds secrets of a kind, or none."""
    pieces: list[str] = []
    end = 0
    for filled in _NOT_TEXT.finditer(raw):
        before = raw[end : filled.start()]
        pieces += (pseudonyms.value(kind, before) if kind else before, _expansion(filled[0], pseudonyms))
        end = filled.end()
    return "".join([*pieces, pseudonyms.value(kind, raw[end:]) if kind else raw[end:]])


def _expansion(raw: str, pseudonyms: Pseudonyms) -> str:
    """What the shell fills in: the output of a command, or a variable that may have a default."""
    if raw[0] == "`" or raw.startswith("$("):
        start, end = (1, -1) if raw[0] == "`" else (2, -1)
        inner = raw[start:end]
        shown = redact_shell(inner, pseudonyms) if TOOLS.search(inner) else pseudonyms.value("text", inner)
        return raw[:start] + shown + raw[end:]
    if (found := _DEFAULT.fullmatch(raw)) is not None:
        kind = "password" if is_secret_variable(found[2]) else "name"
        return f"{found[1]}{pseudonyms.value(kind, found[3])}}}"
    return raw


def _commands(raw: str, pseudonyms: Pseudonyms) -> str:
    """MQSC inside a word; a line of it that is none, such as the password that runmqsc -u reads, becomes text."""
    lines = (
        line if _LINE_END.fullmatch(line) or _is_mqsc(line) else _around(line, "text", pseudonyms)
        for line in _LINE_END.split(raw)
    )
    return redact_values(_around("".join(lines), None, pseudonyms), pseudonyms)


def _is_mqsc(text: str) -> bool:
    text = text.strip("\"' ")
    return _PARAMETER.search(text) is not None or _OF_MQSC.issuperset(text.upper().split())


def _parts(text: str, pipelines: Iterable[Pipeline]) -> Iterator[_Part]:
    for pipeline in pipelines:
        for stage in pipeline:
            if isinstance(stage, Command):
                yield from _of_command(text, stage.words)
            else:
                yield from _parts(text, stage.pipelines)
            named = stage.words if isinstance(stage, Command) else ()
            reads = not named or any(TOOLS.search(word.value) or word.value in _READERS for word in named)
            for redirection in stage.redirections:
                yield from _of_redirection(text, redirection, reads=reads)


def _of_redirection(text: str, redirection: Redirection, *, reads: bool) -> Iterator[_Part]:
    """The parts of a redirection; ``reads``: the command may be followed in what it reads."""
    operator, word = redirection
    if operator == "<<<":
        yield _Part(word.offset, word.end, "mqsc" if reads else "text")
    elif operator != "<<":
        yield _Part(word.offset, word.end, "kept")
    else:
        last = max(text.rfind("\n", word.offset, word.end - 1) + 1, word.offset)
        mark = text[last : word.end].strip()
        ends = mark and re.search(rf"<<-?[ \t]*[\\'\"]?{re.escape(mark)}", text[: word.offset]) is not None
        stop = last if ends else word.end
        yield _Part(word.offset, stop, "document" if reads else "text")
        yield _Part(stop, word.end, "kept")


def _of_command(text: str, words: Sequence[Word]) -> Iterator[_Part]:
    rest = list(words)
    while rest and (found := _ASSIGNMENT.match(rest[0].value)) is not None:
        yield from _assignment(text, rest.pop(0), found[1])
    if not rest:
        return
    tool = next((place for place, word in enumerate(rest) if _TOOL.search(word.value)), None)
    if tool is not None:
        yield from _command_name(rest[:1])
        yield from _as_text(rest[1:tool])
        yield from _options(_TOOL.findall(rest[tool].value)[0], rest[tool:])
    elif any(TOOLS.search(word.value) for word in rest[1:]):
        yield from _command_name(rest[:1])
        for word in rest[1:]:
            yield from _nested(text, word) if TOOLS.search(word.value) else _as_text([word])
    else:
        yield from _command_name(rest[:1])
        yield from _of_other_command(text, rest[0].value.rpartition("/")[2], rest[1:])


def _command_name(words: Sequence[Word]) -> Iterator[_Part]:
    for word in words:
        name = word.value.rpartition("/")[2].lstrip("@").lower()
        known = name in _PLAIN or name in _SYNTAX or _TOOL.search(word.value) is not None
        yield _Part(word.offset, word.end, "kept" if known else "text")


def _of_other_command(text: str, name: str, words: Sequence[Word]) -> Iterator[_Part]:
    """What to change in the arguments of a command that runs none of MQ's."""
    if name in _DECLARING:
        for word in words:
            if (found := _ASSIGNMENT.match(word.value)) is not None:
                yield from _assignment(text, word, found[1])
            else:
                yield _Part(word.offset, word.end, "kept" if word.value.startswith("-") else "text")
    elif name in _WRITERS:
        yield from _written(words)
    elif name in _READERS:
        yield from (_Part(word.offset, word.end, "kept") for word in words)
    elif name == "for" and words:
        yield _Part(words[0].offset, words[0].end, "kept")
        for word in words[1:]:
            kept = _Part(word.offset, word.end, "kept")
            yield kept if word.value == "in" else _Part(word.offset, word.end, "name", words[0].value)
    else:
        yield from _as_text(word for word in words if word.value not in _SYNTAX)


def _written(words: Sequence[Word]) -> Iterator[_Part]:
    """What to change in what echo or printf writes, which may be MQSC."""
    mqsc = _MQSC.search(" ".join(word.value for word in words)) is not None
    for word in words:
        if _FORMAT.fullmatch(word.value):
            yield _Part(word.offset, word.end, "kept")
        else:
            yield _Part(word.offset, word.end, "mqsc" if mqsc else "text")


def _as_text(words: Iterable[Word]) -> Iterator[_Part]:
    return (_Part(word.offset, word.end, "text") for word in words if not word.value.isdigit())


def _nested(text: str, word: Word) -> Iterator[_Part]:
    """What to change in commands that stand in quotation marks."""
    quoted = text[word.offset : word.offset + 1] in "'\""
    start, end = word.offset + quoted, word.end - quoted
    for part in _parts(text[start:end], parse_shell(whole_text(text[start:end]))):
        yield part._replace(start=part.start + start, end=part.end + start)


def _assignment(text: str, word: Word, name: str) -> Iterator[_Part]:
    start = text.find("=", word.offset, word.end) + 1
    secret = is_secret_variable(name)
    kind = "password" if secret else kind_of(name, word.value.partition("=")[2]) or "name"
    if start:
        yield _Part(word.offset, start, "kept")
        yield _Part(start, word.end, kind, name)


def _options(tool: str, words: Sequence[Word]) -> Iterator[_Part]:
    """A command of MQ with the users and the names that are its options and arguments."""
    before = "-"
    for word in words:
        value = word.value
        if before in _USERS and (tool != "crtmqm" or before == "-g") and (tool != "runmqsc" or before == "-u"):
            yield _Part(word.offset, word.end, "user")
        elif before in _NAMED or (not value.startswith(("-", "+")) and not before.startswith("-")):
            yield _Part(word.offset, word.end, "name")
        else:
            yield _Part(word.offset, word.end, "kept")
        before = value
