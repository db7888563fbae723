"""The variables of a Liberty server, and what they make of a value.

What wins is, from last to first: the default in ``<variable>``, server.env (of the runtime, of the folder ``shared``,
of the server itself), bootstrap.properties, files in the folder ``variables``, and the value in ``<variable>``. The
environment that the server runs in, and its command line, are in no export.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from lintmdb.exports.liberty.merging import Conflict
from lintmdb.exports.text import decode_export
from lintmdb.model.origins import Origin, Setting

_REFERENCE = re.compile(r"\$\{([^{}]*)\}")
_LINE = re.compile(r"[ \t\f]*(?:export[ \t]+)?([A-Za-z_][\w.\-]*)[ \t]*[=:][ \t]*(.*)")
_MOST_EXPANSIONS = 50
_LONGEST = 65_536
_MOST_LINES = 100_000


def read_assignments(data: bytes, path: str) -> dict[str, Setting]:
    """The variables of bootstrap.properties or server.env, by name; the last value of a name counts."""
    found: dict[str, Setting] = {}
    for number, line in enumerate(decode_export(data).splitlines()[:_MOST_LINES], 1):
        match = None if line.lstrip()[:1] in ("#", "!") else _LINE.match(line)
        if match is not None:
            name, value = match.group(1), match.group(2).strip()
            if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
                value = value[1:-1]
            found[name] = Setting(value, Origin(path, number, match.start(1) + 1, name))
    return found


def read_variable_file(data: bytes, path: str, name: str) -> dict[str, Setting]:
    """The variables of a file in the folder ``variables``: those of a properties file, or the one that has its ``name``
    below the folder, with the text of the file.
    """
    if path.endswith(".properties"):
        return read_assignments(data, path)
    return {name: Setting(decode_export(data[:_LONGEST]).rstrip("\r\n"), Origin(path, 1, 1, name))}


class LibertyVariables:
    """The variables of one server."""

    def __init__(
        self,
        environment: Mapping[str, Setting],
        bootstrap: Mapping[str, Setting],
        files: Mapping[str, Setting],
        places: Mapping[str, str],
    ) -> None:
        """``files`` has those of the folder ``variables``; ``places`` the locations that Liberty itself defines, such
        as ``server.config.dir``.
        """
        self._files = files
        self._environment = environment
        self._bootstrap = bootstrap
        self._places = places
        self.values: dict[str, Setting] = {}
        self.defaults: dict[str, Setting] = {}
        self._sure: set[str] | None = None
        """The variables of which a file that was not given changes nothing; None where every file was given."""

    def define(self, name: str, value: Setting | None, default: Setting | None) -> None:
        """Add what a ``<variable>`` says."""
        for found, setting in ((self.values, value), (self.defaults, default)):
            if setting is not None:
                found[name] = setting
                if self._sure is not None:
                    self._sure.add(name)

    def miss(self, conflict: Conflict) -> None:
        """Go on as if a file that was not given were read here: it may define any variable, with ``ignore`` any that is
        not there already.
        """
        if conflict != "ignore":
            self._sure = set()
        elif self._sure is None:
            self._sure = {*self.values, *self.defaults}

    def expand(self, text: str) -> str:
        """A text with its variables filled in; a reference that leads nowhere, or back, stays as it is."""
        return self._filled(text, self._known_value)

    def locate(self, text: str) -> str:
        """The location of a file with its variables filled in, as far as the files before it tell."""
        return self._filled(text, self._value)

    def known(self) -> dict[str, Setting]:
        """Every variable whose value the files tell, by name."""
        found = {**self.defaults, **self._environment, **self._bootstrap, **self._files, **self.values}
        return {name: setting for name, setting in found.items() if self._known_value(name) is not None}

    @staticmethod
    def _filled(text: str, value_of: Callable[[str], str | None]) -> str:
        if "${" not in text:
            return text
        expanded = text
        for _ in range(_MOST_EXPANSIONS):
            for match in _REFERENCE.finditer(expanded):
                value = value_of(match.group(1).strip())
                if value is not None:
                    expanded = expanded[: match.start()] + value + expanded[match.end() :]
                    break
            else:
                return expanded
            if len(expanded) > _LONGEST:
                break
        return text

    def _known_value(self, name: str) -> str | None:
        if self._sure is not None and name not in self._sure and name not in self._places:
            return None
        return self._value(name)

    def _value(self, name: str) -> str | None:
        for found in (
            self.values.get(name),
            self._files.get(name),
            self._bootstrap.get(name),
            self._in_environment(name),
        ):
            if found is not None:
                return found.value
        if name in self._places:
            return self._places[name]
        return self.defaults[name].value if name in self.defaults else None

    def _in_environment(self, name: str) -> Setting | None:
        """A variable of the environment is ``env.NAME``, or NAME alone, in which what is no letter or digit becomes an
        underscore, and then letters capitals (Open Liberty, ConfigVariableRegistry).
        """
        if name.startswith("env."):
            return self._environment.get(name.removeprefix("env."))
        plain = re.sub(r"\W", "_", name)
        return next((self._environment[n] for n in (name, plain, plain.upper()) if n in self._environment), None)
