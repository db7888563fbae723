"""Whether a redacted file still says what the original says: the same commands on the same lines, with the same values
but for secrets. A file that does not is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from lintmdb.errors import UnreadableError
from lintmdb.exports.mq import FormatName, read_scripts
from lintmdb.exports.mq.commands import Command, MqscFile
from lintmdb.exports.was.config_objects import ConfigObject
from lintmdb.exports.was.listings import listing_form, read_listing, script_form
from lintmdb.model.origins import Setting
from lintmdb.redact.pseudonyms import Kind, Pseudonyms
from lintmdb.redact.scripts import keyword_kind
from lintmdb.redact.sensitive import kind_of

_NAME, _PATH = " name", " path"
_KINDS: Mapping[str, Kind] = {_NAME: "name", _PATH: "path"}
_KEEPERS = frozenset({"ConfigMap", "Secret"})
_Words = Callable[[str, str], str]
"""The value that a keyword or property has in the copy, for its value in the original."""


def scripts_agree(name: FormatName, before: bytes, after: bytes, path: str, pseudonyms: Pseudonyms) -> bool:
    """Whether the scripts in a file of a form are the same. Raises LintmdbError."""

    def word(keyword: str, value: str) -> str:
        kind = _KINDS.get(keyword) or keyword_kind(keyword)
        return pseudonyms.sweep(value if kind is None else pseudonyms.value(kind, value))

    def same(_: str, value: str) -> str:
        return value

    return _read(name, before, path, word) == _read(name, after, path, same)


def _read(name: FormatName, data: bytes, path: str, word: _Words) -> object:
    try:
        return [_shape(file, word) for file in read_scripts(name, data, path)]
    except UnreadableError as error:
        return error.line


def _shape(file: MqscFile, word: _Words) -> tuple[object, ...]:
    return (
        word(_NAME, file.queue_manager or ""),
        (file.platform, file.platform_line, file.command_level, file.dump, file.truncated, file.observed),
        (file.ended, file.has_late_command, file.gap, file.lost_commands, file.turn, word(_PATH, file.elsewhere)),
        file.kept and (file.kept.kind, word(_NAME, file.kept.namespace), word(_NAME, file.kept.name), file.kept.key),
        [
            (
                one.kind,
                word(_NAME, one.namespace),
                word(_NAME if one.kind in _KEEPERS else _PATH, one.name),
                one.key,
                one.line,
            )
            for one in file.asked or ()
        ],
        (file.covers_objects, file.all_attributes, file.covers_queue_authorities, file.covers_manager_authorities),
        [(listing.noun, word(_NAME, listing.pattern)) for listing in file.listings],
        [(problem.kind, problem.line) for problem in file.problems],
        [_command(command, word) for command in file.commands],
    )


def _command(command: Command, word: _Words) -> tuple[object, ...]:
    parameters = [
        (parameter.keyword, line, parameter.template, _value(parameter.keyword, parameter.value, word))
        for parameter, line in command.parameters
    ]
    name = word(_NAME, command.name)
    return command.verb, command.noun, name, command.line, command.shows_all, command.inline_suppressions, parameters


def _value(keyword: str, value: str | None, word: _Words) -> str | None:
    return None if value is None else " ".join(word(keyword, value).split())


def objects_agree(before: bytes, after: bytes, path: str, pseudonyms: Pseudonyms) -> bool:
    """Whether a listing of WebSphere's objects has the same ones in the copy. Raises LintmdbError."""

    def word(name: str, value: str) -> str:
        kind = _KINDS.get(name) or kind_of(name, value)
        return pseudonyms.sweep(value if kind is None else pseudonyms.value(kind, value))

    def same(_: str, value: str) -> str:
        return value

    return _objects(before, path, word) == _objects(after, path, same)


def _objects(data: bytes, path: str, word: _Words) -> object:
    form = listing_form(data[:8192]) or script_form(data, path)
    if form is None:
        return None
    try:
        listed = read_listing(form, data, path)
    except UnreadableError as error:
        return form, error.line
    return form, [_object(entry, word) for entry in listed.objects], [problem.line for problem in listed.problems]


def _object(entry: ConfigObject, word: _Words) -> tuple[object, ...]:
    groups = [(name, list(_settings(group, word))) for name, group in entry.groups.items()]
    scope = [word(_NAME, part or "") for part in entry.scope]
    names = [word(_NAME, entry.name), word(_NAME, entry.cell or ""), word(_NAME, entry.holder)]
    place = entry.type, *names, scope, entry.origin.line
    return *place, list(_settings(entry.attributes, word)), groups, sorted(entry.unset), sorted(entry.whole)


def _settings(settings: Mapping[str, Setting], word: _Words) -> Iterator[tuple[object, ...]]:
    for name, setting in settings.items():
        yield name, word(_NAME if name == "name" else name, setting.value), setting.origin.line
