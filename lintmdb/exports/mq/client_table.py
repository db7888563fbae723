"""Client channel definition tables (CCDT) in JSON: by which channel a client reaches a queue manager or a group."""

from __future__ import annotations

import re
from typing import NamedTuple

from lintmdb.errors import UnreadableError
from lintmdb.exports.mq.decoding import decode
from lintmdb.exports.mq.yaml_nodes import Document, Mapped, Node, Scalar, YamlError
from lintmdb.model.origins import Origin

_TABLE = re.compile(r'\A\s*\{.*?"channel"\s*:\s*\[', re.S)
_CLIENT = re.compile(r'"clientConnection"')
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F][0-9a-fA-F]{2}")
_LONGEST_NAME = 48


class ClientChannel(NamedTuple):
    """One client connection channel of a table."""

    name: str
    queue_manager: str
    """For which name of a queue manager or group the channel is; blank for the default."""
    connections: frozenset[str]
    """Host and port of each queue manager that it may reach, as ``host(1414)``."""
    origin: Origin
    manager_origin: Origin


class ClientTable(NamedTuple):
    """A table, as a file holds it."""

    path: str
    channels: tuple[ClientChannel, ...]
    environment: str | None = None


def looks_like_client_table(head: bytes) -> bool:
    """Whether a file that starts like this is a table in JSON."""
    text = head.decode("utf-8", "replace")
    return _TABLE.match(text) is not None and _CLIENT.search(text) is not None


def read_client_table(data: bytes, path: str) -> ClientTable:
    """The client channels of a table. Raises UnreadableError for what is not JSON, or not such a table."""
    # A tab between tokens is a blank in JSON, and none in YAML, of which JSON is a part otherwise.
    # Neither has YAML halves of characters, which no name has.
    text = _SURROGATE.sub(r"\\uFFFD", decode(data, path).replace("\t", " "))
    try:
        root = Document(text, 1).root()
    except YamlError as error:
        reason = error.text.replace("YAML", "JSON")
        raise UnreadableError(
            reason, path=path, line=error.line, column=error.column, next_step="Correct the table"
        ) from error
    if not isinstance(root, Mapped):
        raise UnreadableError("is not a client channel definition table", path=path, next_step="Correct the table")
    channels = (_channel(entry, path) for entry in root.mappings("channel"))
    return ClientTable(path, tuple(channel for channel in channels if channel is not None))


def _channel(entry: Mapped, path: str) -> ClientChannel | None:
    """A channel of the client's kind; the tables may hold others, and entries without a name."""
    name, client = entry.get("name"), entry.get("clientConnection")
    if (
        not isinstance(name, Scalar)
        or not isinstance(client, Mapped)
        or entry.text("type") not in ("", "clientConnection")
    ):
        return None
    manager = client.get("queueManager")
    connections = frozenset(f"{at.text('host')}({at.text('port') or '1414'})" for at in client.mappings("connection"))
    return ClientChannel(
        name.value.strip()[:_LONGEST_NAME],
        manager.value.strip()[:_LONGEST_NAME] if isinstance(manager, Scalar) else "",
        connections,
        _origin(path, "name", name),
        _origin(path, "queueManager", manager or name),
    )


def _origin(path: str, key: str, node: Node) -> Origin:
    if not isinstance(node, Scalar):
        return Origin(path, 1, 1, key)
    return Origin(path, node.line, node.column, f'{key}: "{node.value[:_LONGEST_NAME]}"')
