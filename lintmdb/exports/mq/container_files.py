"""Compose files of IBM's container image: which scripts they put into ``/etc/mqm``, and for which queue manager.
Without a name (``MQ_QMGR_NAME``) they say nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from posixpath import basename, normpath
from typing import TypeAlias

from lintmdb.errors import UnreadableError
from lintmdb.exports.mq.commands import Asked, MqscFile
from lintmdb.exports.mq.decoding import decode
from lintmdb.exports.mq.embedded import read_embedded
from lintmdb.exports.mq.yaml_nodes import Mapped, Node, Scalar, Sequenced, YamlError, documents

FILE = "file"
"""The kind of what these files ask for: the name is a path, which may be a pattern."""
IMAGE_FOLDER = "/etc/mqm"
"""From which IBM's container image runs scripts."""
VARIABLE = "MQ_QMGR_NAME"
"""Which variable of the environment names the queue manager of that image."""
_SERVICES = re.compile(r"^services:[ \t]*\r?$", re.M)
Mounted: TypeAlias = "tuple[str, Asked | MqscFile]"
"""An entry of the folder of scripts: its name there, and the file to read or the content."""
_MANAGER = re.compile(r"[\w.%/]{1,48}\Z")


def looks_like_compose(head: bytes) -> bool:
    """Whether a file that starts like this describes containers."""
    return _SERVICES.search(head.decode("utf-8", "replace")) is not None


def names_queue_manager(data: bytes) -> bool:
    """Whether a container in it is a queue manager with a name."""
    return VARIABLE.encode() in data


def read_compose(data: bytes, path: str) -> Sequence[MqscFile]:
    """The queue managers of a compose file. Raises UnreadableError for what cannot be read."""
    files: list[MqscFile] = []
    for document in documents(decode(data, path)):
        try:
            root = document.root()
        except YamlError as error:
            raise UnreadableError(
                error.text, path=path, line=error.line, column=error.column, next_step="Correct the file"
            ) from error
        services = root.get("services") if isinstance(root, Mapped) else None
        if isinstance(root, Mapped) and isinstance(services, Mapped):
            for _, service in services.entries:
                if isinstance(service, Mapped):
                    name = _environment(service)
                    mounted = [*_volumes(service, path), *_contents(service, root, path)]
                    files += in_turn(name, mounted, path) if is_manager_name(name) else ()
    return files


def _environment(service: Mapped) -> str:
    """The name of a service's queue manager; blank without one."""
    for item in service.items("environment"):
        if isinstance(item, Scalar) and item.value.startswith(f"{VARIABLE}="):
            return item.value.partition("=")[2]
    return service.text("environment", VARIABLE)


def _volumes(service: Mapped, path: str) -> Iterator[Mounted]:
    """What a service mounts into the folder of scripts."""
    volumes: Node | None = service.get("volumes")
    for item in volumes.items if isinstance(volumes, Sequenced) else ():
        if isinstance(item, Scalar):
            source, _, target = item.value.partition(":")
            target, place = target.partition(":")[0], item
        elif isinstance(item, Mapped) and isinstance(named := item.get("source"), Scalar):
            source, target, place = named.value, item.text("target"), named
        else:
            continue
        if is_inside(target):
            yield asked_file(path, source, target, place.line, place.column)


def _contents(service: Mapped, root: Mapped, path: str) -> Iterator[Mounted]:
    """The scripts of a service that the compose file itself holds: ``configs`` with ``content``."""
    for entry in service.mappings("configs"):
        target = entry.text("target")
        content = root.get("configs", entry.text("source"), "content")
        if is_inside(target) and target.endswith(".mqsc") and isinstance(content, Scalar):
            yield basename(target), read_embedded(content.text(), path)


def is_inside(target: str) -> bool:
    """Whether a path in a container is that folder, or lies in it."""
    return target.rstrip("/") == IMAGE_FOLDER or target.startswith(f"{IMAGE_FOLDER}/")


def asked_file(path: str, source: str, target: str, line: int, column: int) -> Mounted:
    """A file or folder that is put into the folder of scripts, with its name there."""
    folder = path.rpartition("/")[0]
    place = normpath(f"{folder}/{source}" if folder and not source.startswith("/") else source)
    inside = target.rstrip("/") != IMAGE_FOLDER and not target.endswith("/")
    return basename(target) if inside else basename(source), Asked(FILE, "", place, None, line, column)


def is_manager_name(name: str) -> bool:
    """Whether a name is one of a queue manager."""
    return _MANAGER.match(name) is not None


def in_turn(name: str, mounted: Iterable[Mounted], path: str) -> list[MqscFile]:
    """What the queue manager of an image runs, in the order of the names in its folder."""
    files: list[MqscFile] = []
    by_name = sorted(mounted, key=lambda pair: pair[0])
    for asks, group in groupby(by_name, lambda pair: isinstance(pair[1], Asked)):
        if asks:
            asked = tuple(one for _, one in group if isinstance(one, Asked))
            files.append(MqscFile(path, embedded=True, asked=asked))
        else:
            files += (replace(one, kept=None) for _, one in group if isinstance(one, MqscFile))
    for turn, file in enumerate(files):
        file.queue_manager = name or None
        file.turn = (path, turn) if len(files) > 1 else None
    return files
