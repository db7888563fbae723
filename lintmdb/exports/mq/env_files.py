"""Files of lines ``KEY=VALUE``, from which generators of kustomize make keys of a ConfigMap or Secret (``envs``).

Blanks in front of a line do not count, and lines that begin with ``#`` are comments; a value is the rest of its line,
quotation marks included. A key without ``=`` has the value that it has where kustomize runs. Source: Kubernetes
"Declarative Management of Kubernetes Objects Using Kustomize".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from lintmdb.exports.mq.decoding import decode
from lintmdb.exports.mq.embedded import EmbeddedText, Stretch

_ENTRY = re.compile(r"\s*([-._a-zA-Z][-._a-zA-Z0-9]*)(?:(=)(.*))?")


@dataclass(frozen=True, slots=True)
class EnvEntry:
    """One line."""

    key: str
    value: EmbeddedText | None
    """None where it is that of the computer on which kustomize runs."""
    path: str


def looks_like_env_file(head: bytes) -> bool:
    """Whether a file that starts like this has lines with values and none of another form. The last line may be cut."""
    lines = [line for line in head.decode("utf-8", "replace").split("\n") if line.strip() and not _is_comment(line)]
    return any("=" in line for line in lines) and all(map(_entry, lines[:-1] or lines))


def read_env_file(data: bytes, path: str) -> Iterator[EnvEntry]:
    """The lines of a file; what is no line of such a file is left out. Raises UnreadableError for what is not text."""
    for number, line in enumerate(decode(data, path).split("\n"), 1):
        match = None if _is_comment(line) else _entry(line)
        if match is not None:
            value = EmbeddedText(match[3], [Stretch(0, number, match.start(3) + 1)]) if match[2] else None
            yield EnvEntry(match[1], value, path)


def _entry(line: str) -> re.Match[str] | None:
    return _ENTRY.fullmatch(line.rstrip("\r"))


def _is_comment(line: str) -> bool:
    return line.lstrip().startswith("#")
