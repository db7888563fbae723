"""wsadmin scripts that create messaging objects, in Jython and Jacl, read as a list of those objects: with commands of
AdminTask, or with AdminConfig.create.

Nothing is executed. A value counts where it is made of literals; any other is unknown, and so is a scope that comes
from no containment path and no configuration id. A script that changes objects, too, is not read: what it leaves behind
is not what its commands to create say.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from lintmdb.errors import UnreadableError
from lintmdb.exports.text import decode_export
from lintmdb.exports.was.admin_tasks import KINDS, task_object
from lintmdb.exports.was.config_objects import ConfigObject, Listed
from lintmdb.exports.was.objects import NOT_TOLD, Scope
from lintmdb.exports.was.wsadmin_created import CREATED, CreatedObject, created_objects
from lintmdb.exports.was.wsadmin_ids import Lines, Place, first_id, place_of_containment, place_of_path
from lintmdb.exports.was.wsadmin_jython import jython_text
from lintmdb.exports.was.wsadmin_literals import (
    ITEM,
    UNKNOWN,
    Span,
    Text,
    Variables,
    arguments,
    jacl_text,
    variables_of,
    words,
)
from lintmdb.model.origins import Origin, Setting
from lintmdb.model.relations import Problem

_MAX_BYTES = 1 << 22
_MAX_OBJECTS = 2_000
_KIND = "|".join(sorted(KINDS))
_CREATE = re.compile(rf"\bAdminTask\.create(?P<jython>{_KIND})\s*\(|\$AdminTask\s+create(?P<jacl>{_KIND})\b")
_CHANGE = re.compile(
    r"\bAdminConfig\.(?:modify|unsetAttributes|remove|resetAttributes)\s*\(|\bAdminTask\.(?:modify|delete)(?:WMQ|SIBJMS)"
    r"|\$AdminConfig\s+(?:modify|remove|unsetAttributes)\b|\$AdminTask\s+(?:modify|delete)(?:WMQ|SIBJMS)"
)
_SUFFIXES = (".py", ".jy", ".jacl", ".tcl")
_ADMIN = re.compile(rb"\bAdmin(?:Config|Task|App|Control)\b")
_COMMENT = re.compile(r"(?m)^[ \t]*#.*$")
_GETID = re.compile(r"""getid[ (\t]*["'{]?(/[^"'}\])\n]*/)(?=["'}\])\s]|\Z)(?!["'][ \t]*[%+.])""")
_GETID_CALL = re.compile(r"\bgetid[ \t]*\(")
_LISTS = re.compile(r"AdminConfig(?:\.|\s+)(?:list|showAttribute)\b")
"""What finds an object below another one."""
_NAME = re.compile(r"[A-Za-z_]\w*")
_PARAMETER = re.compile(r"-([A-Za-z]\w*)\Z")
_OPTION = re.compile(r"\s*-[A-Za-z]\w*\s+\S")
_WORD = re.compile(r'"([^"]*)"|\'([^\']*)\'|\{([^{}]*)\}|[^\s"\[\]{}\']+')
_NEXT_STEP = "Provide the repository, or a properties file of extractConfigProperties"
_LONGEST = 120


class _Word(NamedTuple):
    text: str
    offset: int


def looks_like_script(head: bytes) -> bool:
    """Whether a file with these first bytes is a script that creates messaging objects."""
    text = decode_export(head)
    if "Admin" not in text:
        return False
    text = _COMMENT.sub("", text)
    return _CREATE.search(text) is not None or CREATED.search(text) is not None


def may_be_script(head: bytes, path: str) -> bool:
    """Whether a file may be a script for wsadmin that creates objects only behind its first bytes."""
    if b"\0" in head or head.lstrip()[:1] in (b"<", b"{", b"["):
        return False
    return path.lower().endswith(_SUFFIXES) or _ADMIN.search(head) is not None


def read_script(data: bytes, path: str) -> Listed:
    """The objects that a script creates. Raises UnreadableError for a script that changes objects, too."""
    if len(data) > _MAX_BYTES:
        raise UnreadableError(f"is larger than {_MAX_BYTES} bytes", path=path, next_step=_NEXT_STEP)
    # What is left out is replaced by as many blanks, so that places stay.
    text = decode_export(data).replace("\0", " ").replace(ITEM, " ")
    text = _COMMENT.sub(lambda match: " " * len(match.group()), text)
    lines, variables = Lines(text), variables_of(text)
    change = _CHANGE.search(text)
    if change is not None:
        line, column = lines.of(change.start())
        raise UnreadableError(
            "is a wsadmin script that changes objects besides creating some, so what it leaves behind is unknown",
            path=path,
            line=line,
            column=column,
            next_step=_NEXT_STEP,
        )
    created = list(_CREATE.finditer(text))
    if len(created) + sum(1 for _ in CREATED.finditer(text)) > _MAX_OBJECTS:
        raise UnreadableError(f"creates more than {_MAX_OBJECTS} objects", path=path, next_step=_NEXT_STEP)
    objects = [_object(text, match, variables, lines, path) for match in created]
    objects += (_configured(text, found, variables, lines, path) for found in created_objects(text, variables))
    nameless = [entry for entry in objects if not entry.name]
    return Listed([entry for entry in objects if entry.name], [_nameless(nameless)] if nameless else [])


def _nameless(entries: Sequence[ConfigObject]) -> Problem:
    count, first = len(entries), entries[0].origin
    what = "1 object whose name is" if count == 1 else f"{count} objects whose names are"
    return Problem(
        kind="not_understood",
        path=first.path,
        line=first.line,
        column=first.column,
        text=f"the script creates {what} not literal, and nothing is executed, so they are left out",
        next_step=_NEXT_STEP,
    )


def _object(text: str, match: re.Match[str], variables: Variables, lines: Lines, path: str) -> ConfigObject:
    jacl = match.group("jacl")
    kind = jacl or match.group("jython")
    spans = list(words(text, match.end()) if jacl else arguments(text, match.end()))
    evaluate = jacl_text if jacl else jython_text
    given = [_words(evaluate(text, span, variables)) for span in (spans[1:] if len(spans) > 1 else spans)]
    parameters: dict[str, Setting] = {}
    for name, value in (pair for group in given for pair in _pairs(group)):
        if UNKNOWN in value.text:
            parameters[name] = Setting(NOT_TOLD, Origin(path, 0, 0, ""))
        elif "password" not in name.lower():
            shown = f"-{name} {value.text}"[:_LONGEST]
            parameters[name] = Setting(value.text, Origin(path, *lines.of(value.offset), shown))
    if parameters.get("name", Setting(NOT_TOLD, Origin(path, 0, 0, ""))).value == NOT_TOLD:
        parameters.pop("name", None)
    place = _place(text, spans[0], variables) if spans else Place(None, Scope())
    name = parameters["name"].value if "name" in parameters else ""
    origin = Origin(path, *lines.of(match.start()), f"{kind} {name}".strip())
    entry = task_object(kind, parameters, cell=place.cell, scope=place.scope, origin=origin, created=True)
    if "customProperties" in parameters or any(map(_may_hold_more, given)):
        entry.whole = frozenset()
    return entry


def _configured(text: str, found: CreatedObject, variables: Variables, lines: Lines, path: str) -> ConfigObject:
    """An object of AdminConfig.create. What the command leaves out may come from a template, so it is unknown."""
    place = _place(text, found.parent, variables)
    attributes = {
        name: Setting(value.text.strip(), Origin(path, *lines.of(value.offsets[0]), f"{name} {value.text}"[:_LONGEST]))
        for name, value in found.attributes
        if "password" not in name.lower() and value.offsets
    }
    name = attributes["name"].value if "name" in attributes else ""
    origin = Origin(path, *lines.of(found.offset), f"{found.type} {name}".strip())
    return ConfigObject(found.type, name, place.cell, place.scope, origin, attributes=attributes)


def _place(text: str, span: Span, variables: Variables) -> Place:
    """The scope that the first argument of a command names, as far as it is literal."""
    for _ in range(5):
        expression = text[span.start : span.end].strip()
        path = _GETID.search(expression)
        if path is not None and (place := place_of_containment(path.group(1))) is not None:
            return place
        call = _GETID_CALL.search(text, *span)
        if call is not None and (given := next(arguments(text, call.end()), None)) is not None:
            found = jython_text(text, given, variables).text
            if UNKNOWN not in found and (place := place_of_containment(found)) is not None:
                return place
        config_id = first_id(expression)
        if config_id is not None:
            return place_of_path(config_id.path)
        inner = [word for word in _NAME.findall(expression) if variables.get(word)] if _LISTS.search(expression) else []
        name = inner[0] if len(inner) == 1 else expression.lstrip("$").strip("[]{} ")
        known = variables.get(name)
        if known is None:
            break
        span = known
    return Place(None, Scope())


def _words(argument: Text) -> list[_Word]:
    """The words of an argument: the items of a list, or what blanks part outside quotation marks."""
    text = argument.text
    if ITEM in text:
        found = [match for match in re.finditer(f"[^{ITEM}]+", text) if match.group().strip()]
        if len(found) != 1 or _OPTION.match(found[0].group()) is None:
            return [_Word(match.group(), argument.offsets[match.start()]) for match in found]
        # A list of one string, which holds all parameters.
        text = text.replace(ITEM, " ")
    return [
        _Word(
            next((group for group in match.groups() if group is not None), match.group()),
            argument.offsets[match.start()],
        )
        for match in _WORD.finditer(text)
    ]


def _pairs(given: Sequence[_Word]) -> Iterator[tuple[str, _Word]]:
    """The parameters, ``-name value``; one without a value is blank."""
    for number, (word, offset) in enumerate(given):
        written = _PARAMETER.match(word.strip())
        if written is not None:
            following = given[number + 1] if number + 1 < len(given) else None
            blank = following is None or _PARAMETER.match(following.text.strip()) is not None
            yield written.group(1), _Word("" if blank or following is None else following.text.strip(), offset)


def _may_hold_more(given: Sequence[_Word]) -> bool:
    """Whether something that is not known stands where it may be more than one value."""
    return any(
        UNKNOWN in word.text and (number == 0 or _PARAMETER.match(given[number - 1].text.strip()) is None)
        for number, word in enumerate(given)
    )
