"""Changes of a Liberty server as a drop-in file, which Liberty merges over its server.xml."""

from __future__ import annotations

from collections.abc import Sequence

from lintmdb.settings.changes import Assignment, Target

OVERRIDES = "configDropins/overrides/zz-lintmdb.xml"
"""Where the file belongs, below the folder of the server: what is read last wins."""


_WRITTEN = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\n": "&#10;", "\r": "&#13;", "\t": "&#9;"}
)


def _quoted(value: str) -> str:
    """A value as an attribute. The library's quoteattr would import all that speaks HTTP: a twentieth of a run."""
    return f'"{value.translate(_WRITTEN)}"'


def is_liberty(target: Target) -> bool:
    """Whether an object is one of a Liberty server."""
    return target.kind.startswith("liberty_")


def drop_in(changes: Sequence[Assignment]) -> list[str]:
    """The lines of a drop-in file that makes some changes of one server."""
    by_target: dict[Target, dict[str, str]] = {}
    for change in changes:
        by_target.setdefault(change.target, {})[change.attribute] = change.new
    lines = ["<server>"]
    for target, attributes in by_target.items():
        written = "".join(f" {name}={_quoted(value)}" for name, value in attributes.items())
        lines += [f"    {line}" for line in _element(target, written)]
    return [*lines, "</server>"]


def _element(target: Target, attributes: str) -> list[str]:
    """An element with some attributes, inside those that hold it."""
    name = _quoted(target.name)
    match target.kind:
        case "liberty_specification":
            inner = f"    <{target.path}{attributes}/>"
            return [f"<jmsActivationSpec id={name}>", inner, "</jmsActivationSpec>"]
        case "liberty_endpoint":
            return [f"<jmsActivationSpec id={name}{attributes}/>"]
        case "liberty_queue":
            return ["<messagingEngine>", f"    <queue id={name}{attributes}/>", "</messagingEngine>"]
        case _:
            return [f"<transaction{attributes}/>"]
