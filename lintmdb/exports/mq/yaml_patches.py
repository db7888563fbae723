"""Patches on nodes of YAML: strategic merges and JSON patches (RFC 6902), as kustomize applies them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from lintmdb.exports.mq.yaml_nodes import Document, Mapped, Node, Scalar, Sequenced, YamlError

_MERGE_KEYS: Mapping[str, str] = {
    "containers": "name", "initContainers": "name", "volumes": "name", "env": "name", "volumeMounts": "mountPath",
}  # fmt: skip
"""The key by which items of lists in workloads are merged; any other list is replaced."""
_PLAIN_PATTERN = re.compile(r"[\w.|^$()-]*(?:\.\*[\w.|^$()-]*){0,2}")
_LONGEST_NAME = 253
_INDEX = re.compile(r"0|[1-9]\d{0,5}")


class Undecided(Exception):  # noqa: N818 - nobody has made an error
    """Only kustomize knows what comes of it, or it refuses it."""

    def __init__(self, words: str = "", path: str = "", place: Scalar | None = None) -> None:
        """``words`` say what the kustomization at ``path`` has that is not applied; ``place`` is where."""
        super().__init__(words)
        self.words, self.path, self.place = words, path, place


def matches(pattern: str, value: str) -> bool:
    """Whether a regular expression of a patch's target is about all of a value. Raises Undecided for one that is not
    plain: it could take for ever.
    """
    if pattern == value:
        return True
    if len(pattern) > _LONGEST_NAME or _PLAIN_PATTERN.fullmatch(pattern) is None:
        raise Undecided
    try:
        return re.fullmatch(pattern.removeprefix("^").removesuffix("$"), value[:_LONGEST_NAME]) is not None
    except re.error as error:
        raise Undecided from error


def inner_roots(scalar: Scalar, path: str) -> list[Node]:
    """The document of a patch that stands in a scalar of another file, with its places there. Raises Undecided."""
    text = scalar.text()
    line, column = text.place(1, 1)
    indented = "\n".join(" " * (column - 1) + each if each.strip() else "" for each in text.text.split("\n"))
    try:
        root = Document(indented, line, path).root()
    except YamlError as error:
        raise Undecided from error
    return [] if root is None else [root]


def merged(base: Node | None, patch: Node, key: str = "") -> Node | None:
    """What a strategic merge leaves of a node with a key; None where it deletes it. Raises Undecided."""
    if isinstance(patch, Mapped):
        return _merged_mapping(base if isinstance(base, Mapped) else Mapped(), patch)
    if isinstance(patch, Sequenced) and isinstance(base, Sequenced) and key in _MERGE_KEYS:
        return _merged_items(base, patch, _MERGE_KEYS[key])
    return None if isinstance(patch, Scalar) and patch.is_null else patch


def _merged_mapping(base: Mapped, patch: Mapped) -> Node | None:
    directive = patch.text("$patch")
    if directive == "delete":
        return None
    if directive == "replace":
        base = Mapped()
    entries = dict(base.entries)
    for key, value in patch.entries:
        if key == "$patch":
            continue
        if key.startswith("$") or key == "<<":
            raise Undecided
        node = merged(entries.get(key), value, key)
        if node is None:
            entries.pop(key, None)
        else:
            entries[key] = node
    return Mapped(list(entries.items()))


def _merged_items(base: Sequenced, patch: Sequenced, key: str) -> Sequenced:
    items = list(base.items)
    for item in patch.items:
        if not isinstance(item, Mapped) or not item.text(key):
            raise Undecided
        place = next(
            (n for n, known in enumerate(items) if isinstance(known, Mapped) and known.text(key) == item.text(key)),
            len(items),
        )
        node = merged(items[place] if place < len(items) else None, item)
        items[place : place + 1] = [] if node is None else [node]
    return Sequenced(items)


def patched(base: Node, patch: Sequenced) -> Node | None:
    """What the operations of a JSON patch leave of a node. Raises Undecided, also where kustomize refuses one."""
    node: Node | None = base
    for operation in patch.items:
        if not isinstance(operation, Mapped) or node is None:
            raise Undecided
        pointer = operation.text("path")
        if pointer and not pointer.startswith("/"):
            raise Undecided
        parts = [part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:]]
        node = _operated(node, parts, operation.text("op"), operation.get("value"))
    return node


def _operated(node: Node, parts: Sequence[str], operation: str, value: Node | None) -> Node | None:
    if operation not in ("add", "replace", "remove", "test") or (value is None and operation != "remove"):
        raise Undecided
    if not parts:
        if operation == "test" and _plain(node) != _plain(value):
            raise Undecided
        return {"remove": None, "test": node}.get(operation, value)
    first, rest = parts[0], parts[1:]
    if isinstance(node, Mapped):
        entries: dict[str, Node] = dict(node.entries)
        inner = _inside(entries.get(first), rest, operation, value)
        if inner is None:
            del entries[first]
        else:
            entries[first] = inner
        return Mapped(list(entries.items()))
    if not isinstance(node, Sequenced):
        raise Undecided
    return _in_items(node, first, rest, operation, value)


def _in_items(node: Sequenced, first: str, rest: Sequence[str], operation: str, value: Node | None) -> Node:
    items = list(node.items)
    if first == "-" and operation == "add" and not rest:
        first = str(len(items))
    if _INDEX.fullmatch(first) is None or int(first) > len(items):
        raise Undecided
    place = int(first)
    if operation == "add" and not rest:
        items[place:place] = [] if value is None else [value]
        return Sequenced(items)
    inner = _inside(items[place] if place < len(items) else None, rest, operation, value)
    items[place : place + 1] = [] if inner is None else [inner]
    return Sequenced(items)


def _inside(node: Node | None, rest: Sequence[str], operation: str, value: Node | None) -> Node | None:
    """The member of a node that an operation goes through or ends at."""
    if node is None:
        if operation == "add" and not rest:
            return value
        raise Undecided
    return _operated(node, rest, operation, value)


def _plain(node: Node | None) -> object:
    if isinstance(node, Mapped):
        return {key: _plain(value) for key, value in node.entries}
    if isinstance(node, Sequenced):
        return [_plain(item) for item in node.items]
    return node.value if node is not None else None
