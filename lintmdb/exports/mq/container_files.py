"""Dockerfiles and compose files of IBM's container image: which scripts they put into ``/etc/mqm``, and for which queue
manager. Without a name (``MQ_QMGR_NAME``) they say nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from posixpath import basename, normpath

from lintmdb.errors import UnreadableError
from lintmdb.exports.mq.commands import Asked, MqscFile
from lintmdb.exports.mq.decoding import decode
from lintmdb.exports.mq.yaml_nodes import Mapped, Node, Scalar, Sequenced, YamlError, documents

FILE = "file"
"""The kind of what these files ask for: the name is a path, which may be a pattern."""
_FOLDER = "/etc/mqm"
_VARIABLE = "MQ_QMGR_NAME"
_FROM = re.compile(r"^[ \t]*FROM[ \t]+\S", re.M | re.I)
_SERVICES = re.compile(r"^services:[ \t]*\r?$", re.M)
_COPY = re.compile(r"[ \t]*(?:COPY|ADD)((?:[ \t]+--\S+)*)[ \t]+(.+?)[ \t]+(\S+)[ \t]*\r?\Z", re.I)
_ENV = re.compile(rf"[ \t]*(?:ENV[ \t]+)?(?:.*[ \t])?{_VARIABLE}[= \t]+[\"']?([\w.%/]+)[\"']?(?=[ \t\\\r]|\Z)", re.I)
_MANAGER = re.compile(r"[\w.%/]{1,48}\Z")


def looks_like_dockerfile(head: bytes) -> bool:
    """Whether a file that starts like this builds an image; most of them are not about MQ."""
    text = head.decode("utf-8", "replace")
    return "\0" not in text and re.match(r"(?:[ \t]*(?:#.*|ARG\b.*)?\r?\n)*[ \t]*FROM[ \t]+\S", text, re.I) is not None


def looks_like_compose(head: bytes) -> bool:
    """Whether a file that starts like this describes containers."""
    return _SERVICES.search(head.decode("utf-8", "replace")) is not None


def names_queue_manager(data: bytes) -> bool:
    """Whether a container in it is a queue manager with a name."""
    return _VARIABLE.encode() in data


def read_dockerfile(data: bytes, path: str) -> Sequence[MqscFile]:
    """The queue manager of an image. Raises UnreadableError for what is not text."""
    name = ""
    mounted: list[tuple[str, Asked]] = []
    for number, line in enumerate(decode(data, path).split("\n"), 1):
        if found := _ENV.match(line):
            name = found[1]
        elif (found := _COPY.match(line)) and _is_inside(found[3]) and "--from" not in found[1]:
            mounted += (
                _asked(path, part[0], found[3], number, found.start(2) + part.start() + 1)
                for part in re.finditer(r"[^\s\"',\[\]]+", found[2])
            )
    return _manager(name, mounted, path)


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
        if isinstance(services, Mapped):
            for _, service in services.entries:
                if isinstance(service, Mapped):
                    files += _manager(_environment(service), list(_volumes(service, path)), path)
    return files


def _environment(service: Mapped) -> str:
    """The name of a service's queue manager; blank without one."""
    for item in service.items("environment"):
        if isinstance(item, Scalar) and item.value.startswith(f"{_VARIABLE}="):
            return item.value.partition("=")[2]
    return service.text("environment", _VARIABLE)


def _volumes(service: Mapped, path: str) -> Iterator[tuple[str, Asked]]:
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
        if _is_inside(target):
            yield _asked(path, source, target, place.line, place.column)


def _is_inside(target: str) -> bool:
    return target.rstrip("/") == _FOLDER or target.startswith(f"{_FOLDER}/")


def _asked(path: str, source: str, target: str, line: int, column: int) -> tuple[str, Asked]:
    """A file or folder that is put into the folder of scripts, with its name there."""
    folder = path.rpartition("/")[0]
    place = normpath(f"{folder}/{source}" if folder and not source.startswith("/") else source)
    inside = target.rstrip("/") != _FOLDER and not target.endswith("/")
    return basename(target) if inside else basename(source), Asked(FILE, "", place, None, line, column)


def _manager(name: str, mounted: Iterable[tuple[str, Asked]], path: str) -> list[MqscFile]:
    asked = tuple(one for _, one in sorted(mounted, key=lambda pair: pair[0]))
    if _MANAGER.match(name) is None or not asked:
        return []
    return [MqscFile(path, embedded=True, queue_manager=name, asked=asked)]
