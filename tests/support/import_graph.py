"""The imports between modules of lintmdb, deferred ones included, and the diagram of its packages.

``python -m tests.support.import_graph`` prints the diagram of docs/architecture.md in Mermaid.
"""

from __future__ import annotations

import ast
import functools
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[2] / "lintmdb"
LAYERS = (
    ("addresses", "errors", "json_types", "suggestions", "version"),
    ("atomic_write", "schema_check", "schemas"),
    ("yaml_input",),
    ("model",),
    ("collect", "exports", "settings"),
    ("resolve", "delivery", "redact"),
    ("rules",),
    ("engine",),
    ("run",),
    ("compare",),
    ("plan",),
    ("report",),
    ("fleet",),
    ("api", "cli"),
    ("__init__", "__main__"),
)
"""Packages and single modules from the bottom to the top; those of one layer do not import each other."""
FOUNDATION = frozenset({*LAYERS[0], *LAYERS[1], *LAYERS[2], *LAYERS[-1]})
"""What the diagram leaves out: everybody imports the first, nobody the last."""


def modules() -> dict[str, Path]:
    """The files of all modules by dotted name; that of a package ends with ``__init__``."""
    return {".".join((PACKAGE.name, *f.relative_to(PACKAGE).with_suffix("").parts)): f for f in PACKAGE.rglob("*.py")}


def part_of(module: str) -> str:
    """The package, or the single module, directly below ``lintmdb`` to which a module belongs."""
    return module.split(".")[1]


def layer_of(module: str) -> int:
    """The number of a module's layer, counted from the bottom."""
    return next(number for number, names in enumerate(LAYERS) if part_of(module) in names)


@functools.cache
def imports() -> Mapping[str, frozenset[str]]:
    """For each module the modules of lintmdb that it imports anywhere, also inside functions."""
    files = modules()
    known = {name.removesuffix(".__init__"): name for name in files}
    return {name: frozenset(known[found] for found in _imported(file, known)) - {name} for name, file in files.items()}


def _imported(file: Path, known: Mapping[str, str]) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.partition(".")[0] == PACKAGE.name)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == PACKAGE.name:
            for alias in node.names:
                below = f"{node.module}.{alias.name}"
                yield below if below in known else str(node.module)


def package_imports() -> dict[str, set[str]]:
    """Which packages each package imports."""
    found: dict[str, set[str]] = {}
    for module, targets in imports().items():
        found.setdefault(part_of(module), set()).update(part_of(target) for target in targets)
    return {name: targets - {name} for name, targets in found.items()}


def diagram() -> str:
    """The packages as a Mermaid flowchart; an arrow that follows from other arrows is left out."""
    direct = {name: targets - FOUNDATION for name, targets in package_imports().items() if name not in FOUNDATION}
    lines = ["flowchart TD"]
    for name in sorted(direct, key=lambda name: (-layer_of(f"lintmdb.{name}"), name)):
        implied = {far for near in direct[name] for far in _reachable(near, direct)}
        lines += [f"    {name} --> {target}" for target in sorted(direct[name] - implied)]
    return "\n".join(lines)


def _reachable(name: str, direct: Mapping[str, set[str]]) -> set[str]:
    return direct[name].union(*(_reachable(target, direct) for target in direct[name]))


if __name__ == "__main__":
    sys.stdout.write(diagram() + "\n")
