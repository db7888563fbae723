"""The direction of imports: each package imports only what stands below it, deferred imports included."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from conftest import ROOT

PACKAGE = ROOT / "lintmdb"
LAYERS = (
    ("errors", "json_types", "version"),
    ("schema_check",),
    ("yaml_input",),
    ("model",),
    ("exports",),
    ("resolve", "delivery"),
    ("rules",),
    ("engine",),
    ("run",),
    ("compare",),
    ("report",),
    ("fleet",),
    ("api", "cli"),
    ("__init__", "__main__"),
)
"""From the bottom to the top; packages of one layer do not import each other."""
MODULES = {".".join(file.relative_to(ROOT).with_suffix("").parts): file for file in PACKAGE.rglob("*.py")}


def _layer(module: str) -> int:
    part = module.split(".")[1] if "." in module else "__init__"
    return next(number for number, names in enumerate(LAYERS) if part in names)


def _imports(module: str) -> Iterator[str]:
    """The modules of lintmdb that a module imports anywhere, also inside functions and for type checkers alone."""
    for node in ast.walk(ast.parse(MODULES[module].read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.partition(".")[0] == "lintmdb")
        elif isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "lintmdb":
            for alias in node.names:
                below = f"{node.module}.{alias.name}"
                yield below if below in MODULES or f"{below}.__init__" in MODULES else str(node.module)


def _graph() -> dict[str, set[str]]:
    named = {name.removesuffix(".__init__"): name for name in MODULES}
    return {module: {named[found] for found in _imports(module)} - {module} for module in MODULES}


def test_every_package_has_a_layer() -> None:
    """A new package stands nowhere until somebody says where."""
    parts = {name.split(".")[1] for name in MODULES}
    assert parts == {name for names in LAYERS for name in names}


def test_imports_point_down() -> None:
    """No module imports from a package above its own, or beside it."""
    wrong = [
        f"{module} imports {found}"
        for module, imports in _graph().items()
        for found in imports
        if module.split(".")[1] != found.split(".")[1] and _layer(found) >= _layer(module)
    ]
    assert sorted(wrong) == []


def test_no_module_imports_itself_through_others() -> None:
    """There is no circle between modules, not even one that a deferred import hides."""
    graph = _graph()
    done: set[str] = set()
    circles: list[str] = []

    def visit(module: str, path: tuple[str, ...]) -> None:
        if module in path:
            circles.append(" -> ".join((*path[path.index(module) :], module)))
        elif module not in done:
            for found in sorted(graph[module]):
                visit(found, (*path, module))
            done.add(module)

    for module in sorted(graph):
        visit(module, ())
    assert circles == []


def test_only_the_command_line_knows_typer() -> None:
    """Libraries raise errors and return results; what a terminal does with them is for cli alone."""
    users = {
        file.relative_to(PACKAGE).parts[0]
        for file in MODULES.values()
        if any(
            isinstance(node, ast.Import | ast.ImportFrom)
            and "typer" in [getattr(node, "module", None), *(alias.name for alias in node.names)]
            for node in ast.walk(ast.parse(Path(file).read_text("utf-8")))
        )
    }
    assert users == {"cli"}
